//! What can be done: an activity of figures, fully resolved on the board.
//!
//! A script line becomes one deed or several ([`crate::resolve`]). [`crate::legal`] is the only judge of deeds, for offering as for
//! refusing, and each chapter carries its own out.

pub mod field;
pub mod fight;
pub mod magic;

pub use field::Field;
pub use fight::Fight;
pub use magic::Magic;

use crate::kinds::{Activity, Stage};
use kernel::diagnostic::{Diagnostic, Name, Span, Value};
use kernel::rule::RuleId;
use std::borrow::Cow;

/// An activity.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Deed {
    /// Moving, swapping, mounting, hauling, sailing, taking possession.
    Field(Field),
    /// Attacking, shooting, ramming, gates, siege.
    Fight(Fight),
    /// Spells, duels, trade centres.
    Magic(Magic),
}

impl Deed {
    /// The class that it belongs to (ARM-0.3.1).
    pub fn activity(&self) -> Activity {
        match self {
            Self::Field(deed) => deed.activity(),
            Self::Fight(deed) => deed.activity(),
            Self::Magic(deed) => deed.activity(),
        }
    }

    /// The stage of the turn in which it happens, given the stage reached; none if it may happen at any time of the turn.
    pub fn stage(&self, reached: Stage) -> Option<Stage> {
        match self {
            Self::Field(deed) => deed.stage(),
            Self::Fight(deed) => deed.stage(),
            Self::Magic(deed) => deed.stage(reached),
        }
    }
}

/// What a legal deed costs, and the rules that allow it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Permit {
    /// Steps, of each figure that takes part.
    pub steps: u8,
    /// Spell units.
    pub spell_units: i64,
    /// Rules that decided, for the event.
    pub rules: Vec<RuleId>,
}

/// Why a deed is not legal: a finding without its place in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// Code of the finding.
    pub code: &'static str,
    /// The rules that say so.
    pub rules: Cow<'static, [RuleId]>,
    /// Values of its wording.
    pub args: Vec<(&'static str, Value)>,
}

impl Refusal {
    /// A refusal without values.
    pub fn new(code: &'static str, rules: impl Into<Cow<'static, [RuleId]>>) -> Self {
        Self {
            code,
            rules: rules.into(),
            args: Vec::new(),
        }
    }

    /// Adds a value for the wording.
    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.args.push((name, value.into()));
        self
    }

    /// The finding at its place in a script.
    pub fn at(self, span: Span) -> Diagnostic {
        let mut finding = Diagnostic::error(self.code, span, &self.rules);
        finding.args = self
            .args
            .into_iter()
            .map(|(name, value)| (Name::Borrowed(name), value))
            .collect();
        finding
    }
}
