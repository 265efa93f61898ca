//! The rules of the book by id: one constant per rule, written by the build from `rules/pygma-isis.toml`.

use kernel::rule::{Rule, RuleId, RuleKind};

include!(concat!(env!("OUT_DIR"), "/rules.rs"));
