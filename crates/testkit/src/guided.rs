//! What a game's guide tells a viewer, as bytes to compare: figures, dossiers, previews.

use crate::exposure::Exposure;
use crate::press::Press;
use kernel::guide::Guide;

/// Dossiers that are compared for one viewer; spread evenly over the fields he knows.
const DOSSIERS: usize = 8;
/// Armies whose ways are compared, and goals of each.
const TRAVELLERS: usize = 2;
/// Places of an order line at which proposals are compared.
const COMPLETIONS: usize = 2;

/// Adds everything that the guide says from a view alone.
pub fn add<G: Guide>(exposure: &mut Exposure, press: &dyn Press, tables: &G::Tables, view: &G::View) {
    exposure.add("figures", format!("{:?}", G::figures(tables, view)));
    let places = G::places(tables, view);
    exposure.add("places", format!("{places:?}"));
    let stride = places.len() / DOSSIERS + 1;
    for known in places.iter().step_by(stride) {
        let dossier = |sink: &mut dyn kernel::report::ReportSink| G::dossier(tables, view, &known.place, sink);
        exposure.add("dossier", press.text(G::NAME, &dossier));
    }
    travel::<G>(exposure, tables, view);
    let gazetteer = |sink: &mut dyn kernel::report::ReportSink| G::gazetteer(tables, view, sink);
    exposure.add("gazetteer", press.text(G::NAME, &gazetteer));
    let calculators = G::calculators(tables, view);
    for form in &calculators {
        // As it is proposed, against itself where two sides are asked for.
        let own = form
            .fields
            .first()
            .map(|field| field.default.clone())
            .unwrap_or_default();
        let values = form.fields.iter().map(|field| {
            let value = if field.default.is_empty() { &own } else { &field.default };
            (
                field.name.to_string(),
                if field.optional { String::new() } else { value.clone() },
            )
        });
        let values = values.collect();
        let answer = |sink: &mut dyn kernel::report::ReportSink| G::calculate(tables, view, &form.name, &values, sink);
        exposure.add("calculator", press.text(G::NAME, &answer));
    }
    if G::has_board() {
        exposure.add("board", format!("{:?}", G::board(tables, view, "")));
        exposure.add("offers", format!("{:?}", G::offers(tables, view, "", None)));
    }
    let forms = G::order_forms_of(tables, view);
    exposure.add("forms", format!("{forms:?}"));
    for form in forms {
        // What is proposed at the end of every word of the form's examples.
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

/// Adds what the viewer would be told to expect of his orders.
pub fn add_preview<G: Guide>(
    exposure: &mut Exposure,
    press: &dyn Press,
    tables: &G::Tables,
    view: &G::View,
    file: &[u8],
) {
    let Some(after) = G::preview(tables, view, file) else {
        return;
    };
    let report = |sink: &mut dyn kernel::report::ReportSink| G::report(tables, &after, sink);
    exposure.add("preview", press.text(G::NAME, &report));
    exposure.add("previewed map", press.picture(&G::map(tables, &after)));
    exposure.add("previewed view", serde_json::to_string(&after).unwrap_or_default());
}
