//! What a game tells players beside its reports: figures for charts, all that is known of a field, what would happen if.
//!
//! Everything works from a view, so nothing can be learnt here that the view does not say. [`Guide`] is what a game writes,
//! [`AnyGuide`] what the host asks, bytes in and bytes out; [`crate::any::Adapter`] joins the two. Every function has an
//! answer of its own for a game that has nothing to say.

mod answers;
mod overlay;
mod tally;

pub use answers::{
    Changes, Commanded, Completions, Correspondent, Figure, HouseRule, KnownPlace, Moment, Reached, RoutePlan,
    RouteStep, RulingForm, Size, Sketch, Start, fairness,
};
pub use tally::read_tally;

use crate::any::{self, Adapter, GameError, open_view, view_schema};
use crate::board::{Board, Frame, Offer};
use crate::codec;
use crate::dice::{Dice, StepSecret};
use crate::form::{Choice, Form, FormFault, Values, WrittenOrder};
use crate::game::{Brief, Game, OrderForm, WorldPlan};
use crate::planner::{Assignment, Planner};
use crate::realm::Viewer;
use crate::report::ReportSink;
use crate::sheet::{CellFinding, Rows, Section, SheetWay};

/// The guide of a game.
pub trait Guide: Game {
    /// Numbers that describe the viewer's realm after the step, in the order of charts.
    fn figures(tables: &Self::Tables, view: &Self::View) -> Vec<Figure> {
        let _ = (tables, view);
        Vec::new()
    }

    /// Every field the viewer knows, as the map shows them.
    fn places(tables: &Self::Tables, view: &Self::View) -> Vec<KnownPlace> {
        let scene = Self::map(tables, view);
        let known = scene.fields.into_iter().filter(|field| field.knowledge.is_known());
        known
            .map(|field| KnownPlace {
                at: field.at,
                place: field.label,
            })
            .collect()
    }

    /// The realms to which the viewer may write, his own left out, by name as far as he knows it. Nothing if the book has no
    /// word about it: then every seat can be written to by its number.
    fn correspondents(tables: &Self::Tables, view: &Self::View) -> Option<Vec<Correspondent>> {
        let _ = (tables, view);
        None
    }

    /// Writes all that the viewer knows of a field. A place that is none, or nothing is known of, gives a finding.
    fn dossier(tables: &Self::Tables, view: &Self::View, place: &str, sink: &mut dyn ReportSink) {
        let _ = (tables, view, place, sink);
    }

    /// Writes the whole known map as text: landmarks, land and sea, every field with what lies around it.
    fn gazetteer(tables: &Self::Tables, view: &Self::View, sink: &mut dyn ReportSink) {
        let _ = (tables, view, sink);
    }

    /// What the viewer would know after the step if nobody else did anything and all dice fell in the middle. Nothing for
    /// a viewer who gives no orders.
    fn preview(tables: &Self::Tables, view: &Self::View, file: &[u8]) -> Option<Self::View> {
        let _ = (tables, view, file);
        None
    }

    /// The best way of an own army, or of one that might stand somewhere, to a place, as far as the viewer knows the land.
    fn route(tables: &Self::Tables, view: &Self::View, from: &str, to: &str) -> RoutePlan {
        let _ = (tables, view, from, to);
        RoutePlan::default()
    }

    /// Every field that it can reach within so many steps of the world.
    fn reach(tables: &Self::Tables, view: &Self::View, from: &str, steps: u32) -> Vec<Reached> {
        let _ = (tables, view, from, steps);
        Vec::new()
    }

    /// The forms of orders with what the viewer can choose: his own armies, the realms he may write to.
    fn order_forms_of(tables: &Self::Tables, view: &Self::View) -> Vec<OrderForm> {
        let _ = (tables, view);
        Self::order_forms()
    }

    /// The order that a filled-in form makes; it reads back as exactly one order, without an error.
    ///
    /// # Errors
    /// What is wrong with the values, field by field.
    fn write_order(
        tables: &Self::Tables,
        view: &Self::View,
        form: &str,
        values: &Values,
    ) -> Result<WrittenOrder, Vec<FormFault>> {
        let _ = (tables, view, form, values);
        Err(Vec::new())
    }

    /// The form of the order by which a realm describes its people, and the field for the words; nothing if there is none.
    fn description_form() -> Option<(&'static str, &'static str)> {
        None
    }

    /// What may stand at a place of an order file: line and column from 1, as spans count.
    fn complete(tables: &Self::Tables, view: &Self::View, file: &str, line: u32, column: u32) -> Completions {
        let _ = (tables, view, file, line, column);
        Completions::default()
    }

    /// Which own armies an order file commands, and in which lines, in the order of the file. Nothing if the game does not say:
    /// then nobody can be told that an army has no order.
    fn commanded(tables: &Self::Tables, view: &Self::View, file: &str) -> Option<Vec<Commanded>> {
        let _ = (tables, view, file);
        None
    }

    /// What the game can reckon for a player: battles, for example. Each is a form.
    fn calculators(tables: &Self::Tables, view: &Self::View) -> Vec<Form> {
        let _ = (tables, view);
        Vec::new()
    }

    /// Writes the answer of a filled-in calculator, by the rules of the game; wrong values give findings.
    fn calculate(tables: &Self::Tables, view: &Self::View, form: &str, values: &Values, sink: &mut dyn ReportSink) {
        let _ = (tables, view, form, values, sink);
    }

    /// Everything that a world may change, in the order of a list for a new world.
    fn house_rule_list() -> Vec<HouseRule> {
        Vec::new()
    }

    /// House rules as text, from values by key; what is as the book says is left out.
    fn write_house_rules(values: &Values) -> String {
        let _ = values;
        String::new()
    }

    /// The values that house rules set, by key.
    fn read_house_rules(text: &str) -> Values {
        let _ = text;
        Values::new()
    }

    /// What a game master may change in a world by hand, as forms: the tools of a map editor.
    fn edit_forms() -> Vec<Form> {
        Vec::new()
    }

    /// The judgement that a filled-in change makes, in words that [`Game::read_ruling`] reads.
    ///
    /// # Errors
    /// What is wrong with the values, field by field.
    fn write_edit(form: &str, values: &Values) -> Result<String, Vec<FormFault>> {
        let _ = (form, values);
        Err(Vec::new())
    }

    /// The judgements that a game master may give, as forms; what changes the map by hand is among [`Guide::edit_forms`].
    fn ruling_forms() -> Vec<RulingForm> {
        Vec::new()
    }

    /// Changes a world by hand as the open step will: first by earlier judgements, of which those that change nothing by
    /// hand are passed over, then by a text with one change to a line, as [`Guide::write_edit`] writes them, as far as they can
    /// be made. An empty text shows the world as it has become.
    fn change_world(
        tables: &Self::Tables,
        state: &mut Self::State,
        earlier: &[Self::Ruling],
        text: &str,
    ) -> Changes<Self::Ruling> {
        let _ = (tables, state, earlier, text);
        Changes {
            ruling: None,
            made: 0,
            faults: Vec::new(),
        }
    }

    /// A whole world as changes, one to a line: laid over a world of the same size they make the same map.
    fn write_world(tables: &Self::Tables, state: &Self::State) -> String {
        let _ = (tables, state);
        String::new()
    }

    /// Sizes that suit a new world with so many realms, the smallest first; the game's own size may be among them.
    fn sizes(realms: usize) -> Vec<Size> {
        let _ = realms;
        Vec::new()
    }

    /// Where the realms of a new world begin, and what each start is worth.
    fn starts(tables: &Self::Tables, state: &Self::State) -> Vec<Start> {
        let _ = (tables, state);
        Vec::new()
    }

    /// The kinds of seats that a new world may have; none if all are alike.
    fn seat_kinds() -> Vec<Choice> {
        Vec::new()
    }

    /// Whether the game is played on a board: whether [`Guide::board`] gives something.
    fn has_board() -> bool {
        false
    }

    /// The board with a draft of orders carried out as far as no die falls; nothing for a game without a board.
    fn board(tables: &Self::Tables, view: &Self::View, draft: &str) -> Option<Board> {
        let _ = (tables, view, draft);
        None
    }

    /// Everything that the viewer can do after his draft: with a piece, or, without one, what concerns no single piece.
    fn offers(tables: &Self::Tables, view: &Self::View, draft: &str, piece: Option<&str>) -> Vec<Offer> {
        let _ = (tables, view, draft, piece);
        Vec::new()
    }

    /// The board of a view as it stands, with nothing of the next turn begun: where a step that is seen again begins and ends.
    fn still(tables: &Self::Tables, view: &Self::View) -> Option<Board> {
        Self::board(tables, view, "")
    }

    /// What happened in the step of `after`, moment by moment, from [`Self::still`] of `before` to that of `after`.
    fn frames(tables: &Self::Tables, before: &Self::View, after: &Self::View) -> Vec<Frame> {
        let _ = (tables, before, after);
        Vec::new()
    }

    /// How many realms a new world has unless somebody wants it otherwise.
    const USUAL_SEATS: usize = 8;
    /// Whether the game has an order sheet ([`crate::sheet`]).
    const HAS_SHEET: bool = false;
    /// Whether the game has a planner ([`crate::planner`]).
    const HAS_PLANNER: bool = false;

    /// The parts of the order sheet with what the viewer can choose; none for a game without one.
    fn sheet(tables: &Self::Tables, view: &Self::View) -> Vec<Section> {
        let _ = (tables, view);
        Vec::new()
    }

    /// The sheet that says what an order file says.
    fn sheet_rows(tables: &Self::Tables, view: &Self::View, file: &str) -> Rows {
        let _ = (tables, view, file);
        Rows::new()
    }

    /// The order file that says what a sheet says. What cannot be read as an order is kept as it stands, so that nothing is lost.
    fn sheet_file(tables: &Self::Tables, view: &Self::View, rows: &Rows) -> String {
        let _ = (tables, view, rows);
        String::new()
    }

    /// What is wrong with a sheet, at its cells: what [`Game::check`] and reading would say.
    fn sheet_findings(tables: &Self::Tables, view: &Self::View, rows: &Rows) -> Vec<CellFinding> {
        let _ = (tables, view, rows);
        Vec::new()
    }

    /// A sheet in which an own army takes another way: the fields in order, where it stands now may be left out. No field at all is
    /// standing still. What else its row says stays.
    fn sheet_way(tables: &Self::Tables, view: &Self::View, rows: Rows, traveller: &str, way: &[String]) -> Rows {
        let _ = (tables, view, traveller, way);
        rows
    }

    /// The ways that stand in a sheet, for a map beside it.
    fn sheet_ways(tables: &Self::Tables, view: &Self::View, rows: &Rows) -> Vec<SheetWay> {
        let _ = (tables, view, rows);
        Vec::new()
    }

    /// What the viewer has and needs with a draft of orders; nothing for a game without a planner, or a viewer without a realm.
    fn planner(tables: &Self::Tables, view: &Self::View, file: &str) -> Option<Planner> {
        let _ = (tables, view, file);
        None
    }

    /// Writes what is short, what that risks and what mends it.
    fn planner_advice(tables: &Self::Tables, view: &Self::View, file: &str, sink: &mut dyn ReportSink) {
        let _ = (tables, view, file, sink);
    }

    /// An order file with which these things stand in these slots.
    fn assign(tables: &Self::Tables, view: &Self::View, file: &str, wanted: &Assignment) -> String {
        let _ = (tables, view, wanted);
        file.to_owned()
    }

    /// An order file with the best that can be done.
    fn assign_best(tables: &Self::Tables, view: &Self::View, file: &str) -> String {
        let _ = (tables, view);
        file.to_owned()
    }

    /// An order file with one order more, where it belongs. What it replaces (another order of the same army) is gone.
    fn add_order(file: &str, order: &WrittenOrder) -> String {
        let mut text = file.trim_end().to_owned();
        for part in [&order.opening, &order.text] {
            if !part.is_empty() {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(part);
            }
        }
        text.push('\n');
        text
    }
}

/// The guide of a game as the host asks it.
pub trait AnyGuide: Send + Sync {
    /// Numbers that describe the viewer's realm, for charts; of every realm for the game master.
    fn figures(&self, view: &[u8]) -> Result<Vec<Figure>, GameError>;
    /// Every field the viewer knows: what a click on the map means.
    fn places(&self, view: &[u8]) -> Result<Vec<KnownPlace>, GameError>;
    /// The realms to which the viewer may write, by name as far as he knows it; nothing if the game has no word about it.
    fn correspondents(&self, view: &[u8]) -> Result<Option<Vec<Correspondent>>, GameError>;
    /// Writes all that the viewer knows of a field. A place that is none gives a finding.
    fn dossier(&self, view: &[u8], place: &str, sink: &mut dyn ReportSink) -> Result<(), GameError>;
    /// Writes the whole known map as text: landmarks, land and sea, every field with what lies around it.
    fn gazetteer(&self, view: &[u8], sink: &mut dyn ReportSink) -> Result<(), GameError>;
    /// What would happen if nobody else moved: a view as it would be after the step, from the viewer's own knowledge and
    /// with dice that fall in the middle. Report, map and figures are made from it as from any other view; it can itself be
    /// previewed. Nothing for a viewer who gives no orders.
    fn preview(&self, view: &[u8], file: &[u8]) -> Result<Option<Vec<u8>>, GameError>;
    /// The best way of an own army to a place, as far as the viewer knows the land. `from` is an army as players write it, or a
    /// place, or a kind of army and a place, to measure for one that might stand there.
    fn route(&self, view: &[u8], from: &str, to: &str) -> Result<RoutePlan, GameError>;
    /// Every field that it can reach within so many steps of the world.
    fn reach(&self, view: &[u8], from: &str, steps: u32) -> Result<Vec<Reached>, GameError>;
    /// The forms of orders with what the viewer can choose: his own armies, the realms he may write to.
    fn order_forms_of(&self, view: &[u8]) -> Result<Vec<OrderForm>, GameError>;
    /// The order that a filled-in form makes, or what is wrong with the values, field by field.
    fn write_order(
        &self,
        view: &[u8],
        form: &str,
        values: &Values,
    ) -> Result<Result<WrittenOrder, Vec<FormFault>>, GameError>;
    /// The form of the order by which a realm describes its people, and the field for the words; nothing if there is none.
    fn description_form(&self) -> Option<(&'static str, &'static str)>;
    /// What may stand at a place of an order file, and which order it belongs to.
    fn complete(&self, view: &[u8], file: &str, line: u32, column: u32) -> Result<Completions, GameError>;
    /// Which own armies an order file commands, and in which lines; nothing if the game does not say.
    fn commanded(&self, view: &[u8], file: &str) -> Result<Option<Vec<Commanded>>, GameError>;
    /// What the game can reckon for a player: battles, for example. Each is a form.
    fn calculators(&self, view: &[u8]) -> Result<Vec<Form>, GameError>;
    /// Writes the answer of a filled-in calculator, by the rules of the game; wrong values give findings.
    fn calculate(&self, view: &[u8], form: &str, values: &Values, sink: &mut dyn ReportSink) -> Result<(), GameError>;
    /// Everything that a world may change, in the order of a list for a new world.
    fn house_rules(&self) -> Vec<HouseRule>;
    /// House rules as text, from values by key, checked; what is as the book says is left out.
    fn write_house_rules(&self, values: &Values) -> Result<String, GameError>;
    /// The values that house rules set, by key.
    fn read_house_rules(&self, text: &str) -> Values;
    /// What a game master may change in a world by hand, as forms: the tools of a map editor.
    fn edit_forms(&self) -> Vec<Form>;
    /// The judgement that a filled-in change makes, in words for `read_ruling`, or what is wrong with the values.
    fn write_edit(&self, form: &str, values: &Values) -> Result<String, Vec<FormFault>>;
    /// The judgements that a game master may give, as forms.
    fn ruling_forms(&self) -> Vec<RulingForm>;
    /// The kinds of seats that a new world may have; none if all are alike.
    fn seat_kinds(&self) -> Vec<Choice>;
    /// Sizes that suit a new world with so many realms.
    fn sizes(&self, realms: usize) -> Vec<Size>;
    /// Changes a stored world by hand: first by earlier judgements as JSON, then by a text with one change to a line. Gives the
    /// changed state, and what the text does as a judgement.
    fn change_world(
        &self,
        state: &[u8],
        earlier: &[String],
        text: &str,
    ) -> Result<(Vec<u8>, Changes<String>), GameError>;
    /// A whole world as changes, one to a line.
    fn write_world(&self, state: &[u8]) -> Result<String, GameError>;
    /// The game master's view of a world at rest.
    fn master_view(&self, state: &[u8]) -> Result<Vec<u8>, GameError>;
    /// A world that would be made from this plan, as its game master would see it. Nothing is stored.
    fn preview_world(&self, house_rules: &str, plan: &WorldPlan, seed: &StepSecret) -> Result<Sketch, GameError>;
    /// Where the realms of a world began and what those places are worth; nothing for a game that weighs none.
    fn starts(&self, state: &[u8]) -> Result<Vec<Start>, GameError>;
    /// Whether the game is played on a board.
    fn has_board(&self) -> bool;
    /// The board with a draft of orders carried out as far as no die falls; nothing for a game without a board.
    fn board(&self, view: &[u8], draft: &str) -> Result<Option<Board>, GameError>;
    /// Everything that the viewer can do after his draft: with a piece, or, without one, what concerns no single piece.
    fn offers(&self, view: &[u8], draft: &str, piece: Option<&str>) -> Result<Vec<Offer>, GameError>;
    /// The board as it stands, with nothing of the next turn begun; nothing for a game without a board.
    fn still(&self, view: &[u8]) -> Result<Option<Board>, GameError>;
    /// What happened in the step of `after`, moment by moment, from [`Self::still`] of `before` to that of `after`.
    fn frames(&self, before: &[u8], after: &[u8]) -> Result<Vec<Frame>, GameError>;
    /// How many realms a new world has unless somebody wants it otherwise.
    fn usual_seats(&self) -> usize;
    /// Whether the game has an order sheet.
    fn has_sheet(&self) -> bool;
    /// Whether the game has a planner.
    fn has_planner(&self) -> bool;
    /// The parts of the order sheet; none for a game without one.
    fn sheet(&self, view: &[u8]) -> Result<Vec<Section>, GameError>;
    /// The sheet that says what an order file says.
    fn sheet_rows(&self, view: &[u8], file: &str) -> Result<Rows, GameError>;
    /// The order file that says what a sheet says.
    fn sheet_file(&self, view: &[u8], rows: &Rows) -> Result<String, GameError>;
    /// What is wrong with a sheet, at its cells.
    fn sheet_findings(&self, view: &[u8], rows: &Rows) -> Result<Vec<CellFinding>, GameError>;
    /// A sheet in which an own army takes another way.
    fn sheet_way(&self, view: &[u8], rows: Rows, traveller: &str, way: &[String]) -> Result<Rows, GameError>;
    /// The ways that stand in a sheet.
    fn sheet_ways(&self, view: &[u8], rows: &Rows) -> Result<Vec<SheetWay>, GameError>;
    /// What the viewer has and needs with a draft of orders.
    fn planner(&self, view: &[u8], file: &str) -> Result<Option<Planner>, GameError>;
    /// Writes what is short, what that risks and what mends it.
    fn planner_advice(&self, view: &[u8], file: &str, sink: &mut dyn ReportSink) -> Result<(), GameError>;
    /// An order file with which these things stand in these slots.
    fn assign(&self, view: &[u8], file: &str, wanted: &Assignment) -> Result<String, GameError>;
    /// An order file with the best that can be done.
    fn assign_best(&self, view: &[u8], file: &str) -> Result<String, GameError>;
    /// An order file with one order more, where it belongs; what it replaces is gone.
    fn add_order(&self, file: &str, order: &WrittenOrder) -> String;
}

impl<G: Guide> AnyGuide for Adapter<G> {
    fn figures(&self, view: &[u8]) -> Result<Vec<Figure>, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::figures(&tables, &view))
    }

    fn places(&self, view: &[u8]) -> Result<Vec<KnownPlace>, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::places(&tables, &view))
    }

    fn correspondents(&self, view: &[u8]) -> Result<Option<Vec<Correspondent>>, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::correspondents(&tables, &view))
    }

    fn dossier(&self, view: &[u8], place: &str, sink: &mut dyn ReportSink) -> Result<(), GameError> {
        let (tables, view) = open_view::<G>(view)?;
        G::dossier(&tables, &view, place, sink);
        Ok(())
    }

    fn gazetteer(&self, view: &[u8], sink: &mut dyn ReportSink) -> Result<(), GameError> {
        let (tables, view) = open_view::<G>(view)?;
        G::gazetteer(&tables, &view, sink);
        Ok(())
    }

    fn preview(&self, view: &[u8], file: &[u8]) -> Result<Option<Vec<u8>>, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        match G::preview(&tables, &view, file) {
            Some(view) => Ok(Some(codec::encode(view_schema::<G>(), &view)?)),
            None => Ok(None),
        }
    }

    fn route(&self, view: &[u8], from: &str, to: &str) -> Result<RoutePlan, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::route(&tables, &view, from, to))
    }

    fn reach(&self, view: &[u8], from: &str, steps: u32) -> Result<Vec<Reached>, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::reach(&tables, &view, from, steps))
    }

    fn order_forms_of(&self, view: &[u8]) -> Result<Vec<OrderForm>, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::order_forms_of(&tables, &view))
    }

    fn write_order(
        &self,
        view: &[u8],
        form: &str,
        values: &Values,
    ) -> Result<Result<WrittenOrder, Vec<FormFault>>, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::write_order(&tables, &view, form, values))
    }

    fn description_form(&self) -> Option<(&'static str, &'static str)> {
        G::description_form()
    }

    fn complete(&self, view: &[u8], file: &str, line: u32, column: u32) -> Result<Completions, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::complete(&tables, &view, file, line, column))
    }

    fn commanded(&self, view: &[u8], file: &str) -> Result<Option<Vec<Commanded>>, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::commanded(&tables, &view, file))
    }

    fn calculators(&self, view: &[u8]) -> Result<Vec<Form>, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::calculators(&tables, &view))
    }

    fn calculate(&self, view: &[u8], form: &str, values: &Values, sink: &mut dyn ReportSink) -> Result<(), GameError> {
        let (tables, view) = open_view::<G>(view)?;
        G::calculate(&tables, &view, form, values, sink);
        Ok(())
    }

    fn house_rules(&self) -> Vec<HouseRule> {
        G::house_rule_list()
    }

    fn write_house_rules(&self, values: &Values) -> Result<String, GameError> {
        let text = G::write_house_rules(values);
        any::tables::<G>(&text)?;
        Ok(text)
    }

    fn read_house_rules(&self, text: &str) -> Values {
        G::read_house_rules(text)
    }

    fn edit_forms(&self) -> Vec<Form> {
        G::edit_forms()
    }

    fn write_edit(&self, form: &str, values: &Values) -> Result<String, Vec<FormFault>> {
        G::write_edit(form, values)
    }

    fn ruling_forms(&self) -> Vec<RulingForm> {
        G::ruling_forms()
    }

    fn seat_kinds(&self) -> Vec<Choice> {
        G::seat_kinds()
    }

    fn sizes(&self, realms: usize) -> Vec<Size> {
        G::sizes(realms)
    }

    fn change_world(
        &self,
        state: &[u8],
        earlier: &[String],
        text: &str,
    ) -> Result<(Vec<u8>, Changes<String>), GameError> {
        let (tables, mut state) = any::open_state::<G>(state)?;
        let unread = |error: serde_json::Error| GameError::Judgement(error.into());
        let earlier: Vec<G::Ruling> = earlier
            .iter()
            .map(|json| serde_json::from_str(json).map_err(unread))
            .collect::<Result<_, _>>()?;
        let changes = overlay::lay_over::<G>(&tables, &mut state, &earlier, text);
        G::invariants(&tables, &state).map_err(GameError::Broken)?;
        let ruling = changes
            .ruling
            .map(|ruling| serde_json::to_string(&ruling).map_err(unread));
        let changes = Changes {
            ruling: ruling.transpose()?,
            made: changes.made,
            faults: changes.faults,
        };
        Ok((codec::encode(any::state_schema::<G>(), &state)?, changes))
    }

    fn write_world(&self, state: &[u8]) -> Result<String, GameError> {
        let (tables, state) = any::open_state::<G>(state)?;
        Ok(G::write_world(&tables, &state))
    }

    fn master_view(&self, state: &[u8]) -> Result<Vec<u8>, GameError> {
        let (tables, state) = any::open_state::<G>(state)?;
        Ok(codec::encode(
            view_schema::<G>(),
            &view_of_master::<G>(&tables, &state),
        )?)
    }

    fn preview_world(&self, house_rules: &str, plan: &WorldPlan, seed: &StepSecret) -> Result<Sketch, GameError> {
        let tables = any::tables::<G>(house_rules)?;
        let mut dice = Dice::Keyed(seed.clone());
        let state = G::create(&tables, house_rules, plan, &mut dice, &mut |_, _| {}).map_err(GameError::Plan)?;
        Ok(Sketch {
            scene: G::map(&tables, &view_of_master::<G>(&tables, &state)),
            starts: G::starts(&tables, &state),
        })
    }

    fn starts(&self, state: &[u8]) -> Result<Vec<Start>, GameError> {
        let (tables, state) = any::open_state::<G>(state)?;
        Ok(G::starts(&tables, &state))
    }

    fn has_board(&self) -> bool {
        G::has_board()
    }

    fn board(&self, view: &[u8], draft: &str) -> Result<Option<Board>, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::board(&tables, &view, draft))
    }

    fn offers(&self, view: &[u8], draft: &str, piece: Option<&str>) -> Result<Vec<Offer>, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::offers(&tables, &view, draft, piece))
    }

    fn still(&self, view: &[u8]) -> Result<Option<Board>, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::still(&tables, &view))
    }

    fn frames(&self, before: &[u8], after: &[u8]) -> Result<Vec<Frame>, GameError> {
        let (_, before) = open_view::<G>(before)?;
        let (tables, after) = open_view::<G>(after)?;
        Ok(G::frames(&tables, &before, &after))
    }

    fn usual_seats(&self) -> usize {
        G::USUAL_SEATS
    }

    fn has_sheet(&self) -> bool {
        G::HAS_SHEET
    }

    fn has_planner(&self) -> bool {
        G::HAS_PLANNER
    }

    fn sheet(&self, view: &[u8]) -> Result<Vec<Section>, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::sheet(&tables, &view))
    }

    fn sheet_rows(&self, view: &[u8], file: &str) -> Result<Rows, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::sheet_rows(&tables, &view, file))
    }

    fn sheet_file(&self, view: &[u8], rows: &Rows) -> Result<String, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::sheet_file(&tables, &view, rows))
    }

    fn sheet_findings(&self, view: &[u8], rows: &Rows) -> Result<Vec<CellFinding>, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::sheet_findings(&tables, &view, rows))
    }

    fn sheet_way(&self, view: &[u8], rows: Rows, traveller: &str, way: &[String]) -> Result<Rows, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::sheet_way(&tables, &view, rows, traveller, way))
    }

    fn sheet_ways(&self, view: &[u8], rows: &Rows) -> Result<Vec<SheetWay>, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::sheet_ways(&tables, &view, rows))
    }

    fn planner(&self, view: &[u8], file: &str) -> Result<Option<Planner>, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::planner(&tables, &view, file))
    }

    fn planner_advice(&self, view: &[u8], file: &str, sink: &mut dyn ReportSink) -> Result<(), GameError> {
        let (tables, view) = open_view::<G>(view)?;
        G::planner_advice(&tables, &view, file, sink);
        Ok(())
    }

    fn assign(&self, view: &[u8], file: &str, wanted: &Assignment) -> Result<String, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::assign(&tables, &view, file, wanted))
    }

    fn assign_best(&self, view: &[u8], file: &str) -> Result<String, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::assign_best(&tables, &view, file))
    }

    fn add_order(&self, file: &str, order: &WrittenOrder) -> String {
        G::add_order(file, order)
    }
}

/// What the game master sees of a world at rest.
fn view_of_master<G: Guide>(tables: &G::Tables, state: &G::State) -> G::View {
    let brief = Brief {
        viewer: Viewer::GameMaster,
        told: Vec::new(),
        diagnostics: Vec::new(),
    };
    G::view(tables, state, brief)
}
