//! What a game's guide tells a viewer, as bytes to compare: figures, dossiers, ways, forms, boards, sheets, planners, previews.

use crate::exposure::Exposure;
use crate::press::Press;
use kernel::form::{Form, Input, Values};
use kernel::guide::Guide;
use kernel::report::ReportSink;

/// Dossiers that are compared for one viewer; spread evenly over the fields he knows.
const DOSSIERS: usize = 8;
/// Armies whose ways are compared, and goals of each.
const TRAVELLERS: usize = 2;
/// Places of an order line at which proposals are compared.
const COMPLETIONS: usize = 2;
/// Pieces of a board whose offers are compared.
const PIECES: usize = 4;

/// Adds everything that the guide says from a view alone.
pub fn add<G: Guide>(exposure: &mut Exposure, press: &dyn Press, tables: &G::Tables, view: &G::View) {
    exposure.add("figures", format!("{:?}", G::figures(tables, view)));
    exposure.add("correspondents", format!("{:?}", G::correspondents(tables, view)));
    let places = G::places(tables, view);
    exposure.add("places", format!("{places:?}"));
    let stride = places.len() / DOSSIERS + 1;
    for known in places.iter().step_by(stride) {
        let dossier = |sink: &mut dyn ReportSink| G::dossier(tables, view, &known.place, sink);
        exposure.add("dossier", press.text(G::NAME, &dossier));
    }
    travel::<G>(exposure, tables, view);
    let gazetteer = |sink: &mut dyn ReportSink| G::gazetteer(tables, view, sink);
    exposure.add("gazetteer", press.text(G::NAME, &gazetteer));
    for form in &G::calculators(tables, view) {
        let values = filled(form);
        let answer = |sink: &mut dyn ReportSink| G::calculate(tables, view, &form.name, &values, sink);
        exposure.add("calculator", press.text(G::NAME, &answer));
    }
    exposure.add("still", format!("{:?}", G::still(tables, view)));
    exposure.add("sheet", format!("{:?}", G::sheet(tables, view)));
    forms::<G>(exposure, tables, view);
    with_draft::<G>(exposure, press, tables, view, "");
}

/// The forms of orders, the order that each makes as it is proposed, and what is proposed at the end of words of their examples.
fn forms<G: Guide>(exposure: &mut Exposure, tables: &G::Tables, view: &G::View) {
    let forms = G::order_forms_of(tables, view);
    exposure.add("forms", format!("{forms:?}"));
    for form in forms {
        let written = G::write_order(tables, view, &form.form.name, &filled(&form.form));
        exposure.add("written order", format!("{written:?}"));
        for example in form.examples {
            let file = format!("{}\n{example}", form.opening);
            let ends = example.char_indices().filter(|(_, letter)| letter.is_whitespace());
            for (column, _) in ends.take(COMPLETIONS) {
                let column = u32::try_from(column).unwrap_or(u32::MAX).saturating_add(2);
                let found = G::complete(tables, view, &file, 2, column);
                exposure.add("completion", format!("{found:?}"));
            }
        }
    }
}

/// A form as it is proposed: defaults, the first of what can be chosen, and for what has neither the value of its first field.
fn filled(form: &Form) -> Values {
    let proposed = |input: &Input, default: &str| match input {
        _ if !default.is_empty() => default.to_owned(),
        Input::Choice { choices } | Input::Army { choices, .. } => {
            choices.first().map(|choice| choice.value.clone()).unwrap_or_default()
        }
        Input::Number { min, .. } => min.to_string(),
        _ => String::new(),
    };
    let first = form.fields.first();
    let first = first
        .map(|field| proposed(&field.input, &field.default))
        .unwrap_or_default();
    let fields = form.fields.iter().filter(|field| !field.optional);
    let value = fields.map(|field| {
        let value = proposed(&field.input, &field.default);
        (
            field.name.to_string(),
            if value.is_empty() { first.clone() } else { value },
        )
    });
    value.collect()
}

/// Ways and reach of the first armies on the map; for the game master of those that he would have to name otherwise, none.
fn travel<G: Guide>(exposure: &mut Exposure, tables: &G::Tables, view: &G::View) {
    let scene = G::map(tables, view);
    let own = scene
        .armies
        .iter()
        .filter(|army| army.owner.is_some() && army.owner == scene.own_realm);
    for army in own.take(TRAVELLERS) {
        exposure.add("reach", format!("{:?}", G::reach(tables, view, &army.label, 2)));
        let goals = scene.fields.iter().step_by(scene.fields.len() / TRAVELLERS + 1);
        for goal in goals {
            exposure.add(
                "route",
                format!("{:?}", G::route(tables, view, &army.label, &goal.label)),
            );
        }
    }
}

/// Adds what the viewer is told while he writes these orders, and what he would be told to expect of them.
pub fn add_draft<G: Guide>(
    exposure: &mut Exposure,
    press: &dyn Press,
    tables: &G::Tables,
    view: &G::View,
    file: &[u8],
) {
    let draft = G::order_text(tables, view, file);
    exposure.add("commanded", format!("{:?}", G::commanded(tables, view, &draft)));
    with_draft::<G>(exposure, press, tables, view, &draft);
    exposure.add("order text", draft);
    let Some(after) = G::preview(tables, view, file) else {
        return;
    };
    let report = |sink: &mut dyn ReportSink| G::report(tables, &after, sink);
    exposure.add("preview", press.text(G::NAME, &report));
    exposure.add("previewed map", press.picture(&G::map(tables, &after)));
    exposure.add("previewed view", serde_json::to_string(&after).unwrap_or_default());
}

/// Board, order sheet and planner with a draft of orders.
fn with_draft<G: Guide>(exposure: &mut Exposure, press: &dyn Press, tables: &G::Tables, view: &G::View, draft: &str) {
    if let Some(board) = G::board(tables, view, draft) {
        exposure.add("board", format!("{board:?}"));
        exposure.add("offers", format!("{:?}", G::offers(tables, view, draft, None)));
        for piece in board.pieces.iter().filter(|piece| piece.can_act).take(PIECES) {
            let offers = G::offers(tables, view, draft, Some(&piece.name));
            exposure.add("offers of a piece", format!("{offers:?}"));
        }
    }
    if G::HAS_SHEET {
        let rows = G::sheet_rows(tables, view, draft);
        exposure.add(
            "sheet findings",
            format!("{:?}", G::sheet_findings(tables, view, &rows)),
        );
        let ways = G::sheet_ways(tables, view, &rows);
        exposure.add("sheet ways", format!("{ways:?}"));
        exposure.add("sheet as orders", G::sheet_file(tables, view, &rows));
        if let Some(way) = ways.first() {
            let rows = G::sheet_way(tables, view, rows.clone(), &way.traveller, &way.places);
            exposure.add("sheet with a way", format!("{rows:?}"));
        }
        exposure.add("sheet rows", format!("{rows:?}"));
    }
    if let Some(planner) = G::planner(tables, view, draft) {
        exposure.add("planner", format!("{planner:?}"));
        let advice = |sink: &mut dyn ReportSink| G::planner_advice(tables, view, draft, sink);
        exposure.add("planner advice", press.text(G::NAME, &advice));
        exposure.add("best plan", G::assign_best(tables, view, draft));
        let proposed = planner.plots.iter().map(|plot| {
            let slots = plot.slots.iter().map(|slot| slot.proposed.clone());
            (plot.place.clone(), slots.collect())
        });
        exposure.add("plan", G::assign(tables, view, draft, &proposed.collect()));
    }
}
