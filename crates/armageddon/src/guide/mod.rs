//! What ARMAGEDDON tells players beside its reports: the board that is played by clicks, and everything around it.

mod board;
mod chances;
mod complete;
mod dossier;
mod draft;
mod edits;
mod figures;
mod forms;
mod frames;
mod house;
mod instructions;
mod labels;
mod offers;
mod pieces;
mod reckon;
mod rulings;
mod walks;
mod ways;

use crate::ruling::Ruling;
use crate::state::State;
use crate::tables::Tables;
use crate::view::View;
use crate::{Armageddon, setup};
use draft::Draft;
use kernel::board::{Board, Frame, Offer};
use kernel::form::{Form, FormFault, Values, WrittenOrder};
use kernel::game::OrderForm;
use kernel::guide::{Changes, Completions, Figure, Guide, HouseRule, Reached, RoutePlan, RulingForm, Size, Start};
use kernel::report::ReportSink;

/// Every form of a line of the script, without anybody's figures.
pub(crate) fn order_forms() -> Vec<OrderForm> {
    forms::forms(None)
}

impl Guide for Armageddon {
    /// The ready battles are drawn up for two.
    const USUAL_SEATS: usize = 2;

    fn figures(tables: &Tables, view: &View) -> Vec<Figure> {
        figures::figures(tables, view)
    }

    /// The board as it will be when the first die falls, or when the script ends.
    fn preview(tables: &Tables, view: &View, file: &[u8]) -> Option<View> {
        view.player()?;
        let draft = Draft::of(tables, view, &String::from_utf8_lossy(file));
        Some(View {
            position: draft.state.position,
            diagnostics: draft.findings,
            told: Vec::new(),
            ..view.clone()
        })
    }

    fn dossier(tables: &Tables, view: &View, place: &str, sink: &mut dyn ReportSink) {
        dossier::dossier(tables, view, place, sink);
    }

    fn gazetteer(tables: &Tables, view: &View, sink: &mut dyn ReportSink) {
        dossier::gazetteer(tables, view, sink);
    }

    fn route(tables: &Tables, view: &View, from: &str, to: &str) -> RoutePlan {
        ways::route(tables, view, from, to)
    }

    /// A step of the world is one player's script; a figure moves in its owner's turns.
    fn reach(tables: &Tables, view: &View, from: &str, steps: u32) -> Vec<Reached> {
        ways::reach(tables, view, from, steps)
    }

    fn order_forms_of(_tables: &Tables, view: &View) -> Vec<OrderForm> {
        forms::forms(Some(view))
    }

    fn write_order(tables: &Tables, view: &View, form: &str, values: &Values) -> Result<WrittenOrder, Vec<FormFault>> {
        forms::write(tables, view, form, values)
    }

    fn add_order(file: &str, order: &WrittenOrder) -> String {
        forms::add(file, order)
    }

    fn complete(_tables: &Tables, view: &View, file: &str, line: u32, column: u32) -> Completions {
        complete::complete(view, file, line, column)
    }

    fn calculators(_tables: &Tables, _view: &View) -> Vec<Form> {
        reckon::forms()
    }

    fn calculate(tables: &Tables, _view: &View, form: &str, values: &Values, sink: &mut dyn ReportSink) {
        reckon::answer(tables, form, values, sink);
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

    fn write_world(tables: &Tables, state: &State) -> String {
        setup::edit::sheet(tables, state)
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

    /// The ready battles.
    fn sizes(_realms: usize) -> Vec<Size> {
        house::sizes()
    }

    fn starts(tables: &Tables, state: &State) -> Vec<Start> {
        figures::starts(tables, state)
    }

    fn has_board() -> bool {
        true
    }

    fn board(tables: &Tables, view: &View, draft: &str) -> Option<Board> {
        Some(board::board(tables, view, draft))
    }

    fn offers(tables: &Tables, view: &View, draft: &str, piece: Option<&str>) -> Vec<Offer> {
        offers::offers(tables, view, draft, piece)
    }

    fn still(tables: &Tables, view: &View) -> Option<Board> {
        Some(board::still(tables, view))
    }

    fn frames(tables: &Tables, before: &View, after: &View) -> Vec<Frame> {
        frames::frames(tables, before, after)
    }
}
