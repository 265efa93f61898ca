//! What players are told beside the report, each in a file of its own: numbers to follow, a field's dossier, a preview.
//!
//! All of it is read from a view; the wording stands in `locale/*/thoramar-guide.toml`.

mod dossier;
mod figures;
mod insert;
mod place;
mod preview;
mod route;

use crate::Thoramar;
use crate::codes::Kind;
use crate::tables::Tables;
use crate::view::View;
use kernel::diagnostic::{Name, Value};
use kernel::form::WrittenOrder;
use kernel::guide::{Figure, Guide, Reached, RoutePlan};
use kernel::report::{Arg, Line, ReportSink, Term, Why};
use kernel::rule::RuleId;

impl Guide for Thoramar {
    fn figures(tables: &Tables, view: &View) -> Vec<Figure> {
        figures::figures(tables, view)
    }

    fn dossier(tables: &Tables, view: &View, place: &str, sink: &mut dyn ReportSink) {
        dossier::write(tables, view, place, sink);
    }

    fn preview(tables: &Tables, view: &View, file: &[u8]) -> Option<View> {
        preview::preview(tables, view, file)
    }

    fn route(tables: &Tables, view: &View, from: &str, to: &str) -> RoutePlan {
        route::route(tables, view, from, to)
    }

    fn reach(tables: &Tables, view: &View, from: &str, steps: u32) -> Vec<Reached> {
        route::reach(tables, view, from, steps)
    }

    fn add_order(file: &str, order: &WrittenOrder) -> String {
        insert::add_order(file, order)
    }
}

/// Key of a kind's name in the locale: `kind-KM`.
pub fn kind_word(kind: Kind) -> String {
    format!("kind-{}", kind.code().replace('.', ""))
}

fn int<'a>(number: impl Into<i64>) -> Arg<'a> {
    Arg::Int(number.into())
}

/// Writes a section with its lines.
fn section(
    sink: &mut dyn ReportSink,
    key: &str,
    args: &[(&str, Arg<'_>)],
    rules: &[RuleId],
    write: impl FnOnce(&mut dyn ReportSink),
) {
    sink.begin(key, args, rules);
    write(sink);
    sink.end();
}

/// Writes a line that has its section's reasons.
fn line(sink: &mut dyn ReportSink, key: &str, args: &[(&str, Arg<'_>)]) {
    sink.line(&Line { key, args, why: None });
}

/// Writes a line with reasons of its own.
fn reasoned(sink: &mut dyn ReportSink, key: &str, args: &[(&str, Arg<'_>)], rules: &[RuleId], terms: Vec<Term>) {
    let why = Why {
        rules: rules.iter().map(|rule| Name::Borrowed(rule.as_str())).collect(),
        terms,
        ..Why::default()
    };
    sink.line(&Line {
        key,
        args,
        why: Some(&why),
    });
}

/// One step of an arithmetic.
fn term(key: &'static str, args: &[(&'static str, Value)]) -> Term {
    let args = args.iter().map(|(name, value)| (Name::Borrowed(*name), value.clone()));
    Term {
        key: Name::Borrowed(key),
        args: args.collect(),
    }
}
