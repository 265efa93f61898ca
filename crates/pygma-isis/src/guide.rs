//! What players are told beside the report, each in a file of its own: ways, a field's dossier, forms of orders, a preview.
//!
//! All of it is read from a view; the wording stands in `locale/*/pygma-isis-guide.toml`.

mod battle;
mod commanded;
mod dossier;
mod economy;
mod edits;
mod figures;
mod forms;
mod house;
mod preview;
mod route;
mod rulings;
mod sheet;

use crate::PygmaIsis;
use crate::ruling::Ruling;
use crate::state::State;
use crate::tables::Tables;
use crate::view::View;
use kernel::form::{Choice, Form, FormFault, Values, WrittenOrder};
use kernel::game::OrderForm;
use kernel::guide::{
    Changes, Commanded, Correspondent, Figure, Guide, HouseRule, Reached, RoutePlan, RulingForm, Size, Start,
};
use kernel::planner::{Assignment, Planner};
use kernel::report::ReportSink;
use kernel::sheet::{CellFinding, Rows, Section, SheetWay};

impl Guide for PygmaIsis {
    /// PYG-GAP-69: whoever knows a realm's name may write to it.
    fn correspondents(_tables: &Tables, view: &View) -> Option<Vec<Correspondent>> {
        let known = view.realms.iter().map(|realm| Correspondent {
            realm: realm.id,
            name: realm.name.clone(),
        });
        Some(known.collect())
    }

    fn dossier(tables: &Tables, view: &View, place: &str, sink: &mut dyn ReportSink) {
        dossier::write(tables, view, place, sink);
    }

    fn figures(tables: &Tables, view: &View) -> Vec<Figure> {
        figures::figures(tables, view)
    }

    fn gazetteer(_tables: &Tables, view: &View, sink: &mut dyn ReportSink) {
        dossier::gazetteer(view, sink);
    }

    fn commanded(tables: &Tables, view: &View, file: &str) -> Option<Vec<Commanded>> {
        commanded::commanded(tables, view, file)
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

    fn order_forms_of(_tables: &Tables, view: &View) -> Vec<OrderForm> {
        forms::forms(Some(view))
    }

    fn write_order(tables: &Tables, view: &View, form: &str, values: &Values) -> Result<WrittenOrder, Vec<FormFault>> {
        forms::write(tables, view, form, values)
    }

    fn calculators(_tables: &Tables, view: &View) -> Vec<Form> {
        vec![battle::form(view)]
    }

    fn calculate(tables: &Tables, view: &View, form: &str, values: &Values, sink: &mut dyn ReportSink) {
        if form == battle::NAME {
            battle::calculate(tables, view, values, sink);
        }
    }

    const HAS_SHEET: bool = true;
    const HAS_PLANNER: bool = true;

    /// PYG-SHEET-01: the move sheet, and every other order as a line beneath it.
    fn sheet(_tables: &Tables, view: &View) -> Vec<Section> {
        sheet::sections(view)
    }

    fn sheet_rows(tables: &Tables, view: &View, file: &str) -> Rows {
        sheet::rows(tables, view, file)
    }

    fn sheet_file(tables: &Tables, view: &View, rows: &Rows) -> String {
        sheet::file(tables, view, rows)
    }

    fn sheet_findings(tables: &Tables, view: &View, rows: &Rows) -> Vec<CellFinding> {
        sheet::findings(tables, view, rows)
    }

    fn sheet_way(tables: &Tables, view: &View, rows: Rows, traveller: &str, way: &[String]) -> Rows {
        sheet::put_way(tables, view, rows, traveller, way)
    }

    fn sheet_ways(tables: &Tables, view: &View, rows: &Rows) -> Vec<SheetWay> {
        sheet::ways(tables, view, rows)
    }

    fn planner(tables: &Tables, view: &View, file: &str) -> Option<Planner> {
        economy::planner(tables, view, file)
    }

    fn planner_advice(tables: &Tables, view: &View, file: &str, sink: &mut dyn ReportSink) {
        economy::advice(tables, view, file, sink);
    }

    fn assign(tables: &Tables, view: &View, file: &str, wanted: &Assignment) -> String {
        economy::assign(tables, view, file, wanted)
    }

    fn assign_best(tables: &Tables, view: &View, file: &str) -> String {
        economy::assign_best(tables, view, file)
    }

    fn house_rule_list() -> Vec<HouseRule> {
        house::list()
    }

    fn write_house_rules(values: &Values) -> String {
        house::write(values)
    }

    fn read_house_rules(text: &str) -> Values {
        kernel::house::read(text)
    }

    fn seat_kinds() -> Vec<Choice> {
        house::peoples()
    }

    fn sizes(realms: usize) -> Vec<Size> {
        house::sizes(realms)
    }

    fn starts(tables: &Tables, state: &State) -> Vec<Start> {
        house::starts(tables, state)
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
        edits::change_world(tables, state, earlier, text)
    }

    fn write_world(_tables: &Tables, state: &State) -> String {
        edits::write_world(state)
    }

    fn add_order(file: &str, order: &WrittenOrder) -> String {
        forms::add(file, order)
    }
}

/// The forms of orders by the book, for the reference.
pub(crate) fn order_forms() -> Vec<OrderForm> {
    forms::forms(None)
}
