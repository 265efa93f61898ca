//! What players are told beside the report, each in a file of its own: numbers to follow, a field's dossier, a preview.
//!
//! All of it is read from a view; the wording stands in `locale/*/thoramar-guide.toml`.

mod battle;
mod commanded;
mod complete;
mod dossier;
mod edits;
mod figures;
mod forms;
mod gazetteer;
mod house;
mod insert;
mod place;
mod preview;
mod route;
mod rulings;

use crate::Thoramar;
use crate::codes::{Kind, RealmKind};
use crate::editing;
use crate::ruling::Ruling;
use crate::state::State;
use crate::tables::Tables;
use crate::view::View;
use crate::worldgen;
use kernel::diagnostic::{Name, Value};
use kernel::form::{Choice, Form, FormFault, Values, WrittenOrder};
use kernel::game::OrderForm;
use kernel::guide::{
    Changes, Commanded, Completions, Correspondent, Figure, Guide, HouseRule, Reached, RoutePlan, RulingForm, Size,
    Start,
};
use kernel::map::Spot;
use kernel::realm::RealmId;
use kernel::report::{Arg, Line, ReportSink, Term, Why};
use kernel::rule::RuleId;

impl Guide for Thoramar {
    fn figures(tables: &Tables, view: &View) -> Vec<Figure> {
        figures::figures(tables, view)
    }

    /// THO-MSG-01: everybody may write to every number in play; the name he must have learnt.
    fn correspondents(_tables: &Tables, view: &View) -> Option<Vec<Correspondent>> {
        let others = view.playing.iter().filter(|realm| view.realm() != Some(**realm));
        let others = others.map(|realm| Correspondent {
            realm: *realm,
            name: view.name_of(*realm).to_owned(),
        });
        Some(others.collect())
    }

    fn dossier(tables: &Tables, view: &View, place: &str, sink: &mut dyn ReportSink) {
        dossier::write(tables, view, place, sink);
    }

    fn gazetteer(tables: &Tables, view: &View, sink: &mut dyn ReportSink) {
        gazetteer::write(tables, view, sink);
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

    fn order_forms_of(tables: &Tables, view: &View) -> Vec<OrderForm> {
        forms::forms(tables, Some(view))
    }

    fn write_order(tables: &Tables, view: &View, form: &str, values: &Values) -> Result<WrittenOrder, Vec<FormFault>> {
        forms::write(tables, view, form, values)
    }

    fn description_form() -> Option<(&'static str, &'static str)> {
        Some((crate::grammar::DESCRIBE.name, "text"))
    }

    fn complete(tables: &Tables, view: &View, file: &str, line: u32, column: u32) -> Completions {
        complete::complete(tables, view, file, line, column)
    }

    fn commanded(tables: &Tables, view: &View, file: &str) -> Option<Vec<Commanded>> {
        commanded::commanded(tables, view, file)
    }

    fn calculators(_tables: &Tables, view: &View) -> Vec<Form> {
        vec![battle::form(view)]
    }

    fn calculate(tables: &Tables, view: &View, form: &str, values: &Values, sink: &mut dyn ReportSink) {
        if form == battle::NAME {
            battle::calculate(tables, view, values, sink);
        }
    }

    fn house_rule_list() -> Vec<HouseRule> {
        house::list()
    }

    fn write_house_rules(values: &Values) -> String {
        house::write(values)
    }

    fn read_house_rules(text: &str) -> Values {
        house::read(text)
    }

    fn edit_forms() -> Vec<Form> {
        edits::forms()
    }

    fn write_edit(form: &str, values: &Values) -> Result<String, Vec<FormFault>> {
        edits::write(form, values)
    }

    fn ruling_forms() -> Vec<RulingForm> {
        rulings::forms()
    }

    fn change_world(tables: &Tables, state: &mut State, earlier: &[Ruling], text: &str) -> Changes<Ruling> {
        editing::change_world(tables, state, earlier, text)
    }

    fn write_world(_tables: &Tables, state: &State) -> String {
        editing::write_world(state)
    }

    fn sizes(realms: usize) -> Vec<Size> {
        house::sizes(realms)
    }

    fn starts(tables: &Tables, state: &State) -> Vec<Start> {
        let worth = worldgen::fairness(tables, state).per_start;
        let start = |(realm, worth): (RealmId, i64)| {
            let field = state.origin_of(realm);
            let offset = state.grid.offset(state.origin, field);
            let number = |number: i64| i32::try_from(number).unwrap_or(i32::MAX);
            Start {
                realm,
                place: state.place(RealmId::NOBODY, field).to_string(),
                at: Spot {
                    d: number(offset.d),
                    y: number(offset.y),
                },
                worth,
            }
        };
        worth.into_iter().map(start).collect()
    }

    fn seat_kinds() -> Vec<Choice> {
        let kinds = RealmKind::ALL.iter();
        kinds
            .map(|kind| Choice::worded(kind.code(), format!("realm-{}", kind.code())))
            .collect()
    }

    fn add_order(file: &str, order: &WrittenOrder) -> String {
        insert::add_order(file, order)
    }
}

/// The forms of orders by the book, for the reference.
pub(crate) fn order_forms() -> Vec<OrderForm> {
    forms::forms(&Tables::book(), None)
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
