//! All that a player knows of a field.

use crate::chart::Place;
use crate::codes::Vein;
use crate::event::Who;
use crate::event::travel::creature_word;
use crate::report::{good_word, int};
use crate::rule;
use crate::tables::Tables;
use crate::view::{FieldView, OwnField, View};
use kernel::diagnostic::{Diagnostic, Span};
use kernel::hex::{Direction, Sides};
use kernel::report::{Arg, Line, ReportSink};
use kernel::rule::RuleId;

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

fn line(sink: &mut dyn ReportSink, key: &str, args: &[(&str, Arg<'_>)]) {
    sink.line(&Line { key, args, why: None });
}

/// Writes the dossier of a place.
pub(super) fn write(tables: &Tables, view: &View, place: &str, sink: &mut dyn ReportSink) {
    let known = Place::read(place).and_then(|place| view.field(place));
    let Some(field) = known else {
        let finding = Diagnostic::error("E_UNKNOWN", Span::default(), &[rule::GAME_07]);
        sink.diagnostic(&finding.with("name", place));
        return;
    };
    land(tables, view, field, sink);
    around(view, field, sink);
    if let Some(own) = &field.own {
        belongings(tables, view, field, own, sink);
    }
    units(view, field, sink);
}

/// What only the owner knows: what the field is worth to him, what it yields, and what troubles it.
fn belongings(tables: &Tables, view: &View, field: &FieldView, own: &OwnField, sink: &mut dyn ReportSink) {
    let rules = [rule::INC_02, rule::INC_04, rule::POP_01, rule::GAP_11, rule::GAP_52];
    section(sink, "dossier-own", &[], &rules, |sink| {
        if field.owner == Who::Own {
            let ground = &tables.terrain[field.terrain];
            let town = field.settlement.map(|kind| &tables.settlement[kind]);
            let taxes = town.map_or(0, |town| town.tax);
            let people = town.map_or(0, |town| town.population.saturating_add(own.grown));
            let args = [
                ("n", int(ground.income.saturating_add(taxes))),
                ("points", int(ground.population.saturating_add(people))),
            ];
            line(sink, "dossier-worth", &args);
        }
        if own.trade.is_some() {
            line(sink, "dossier-trade", &[]);
        }
        if let Some([first, second, third]) = own.places.map(|goods| goods.map(good_word)) {
            let args = [
                ("first", Arg::Word(first)),
                ("second", Arg::Word(second)),
                ("third", Arg::Word(third)),
            ];
            line(sink, "dossier-places", &args);
        }
        if let Some((vein, yields)) = own.mine {
            let word = format!("vein-{}", vein.code());
            let key = if vein == Vein::Gems {
                "dossier-gems"
            } else {
                "dossier-mine"
            };
            line(sink, key, &[("who", Arg::Word(&word)), ("n", int(yields))]);
        }
        if own.plague > 0 {
            line(sink, "dossier-plague", &[("n", int(own.plague))]);
        }
        if own.pays_nothing {
            line(sink, "dossier-pays-nothing", &[]);
        }
        if own.town_pays_nothing {
            line(sink, "dossier-town-pays-nothing", &[]);
        }
        sides(view, field, "dossier-ruins", own.ruins, sink);
    });
}

fn land(tables: &Tables, view: &View, field: &FieldView, sink: &mut dyn ReportSink) {
    let place = field.place.to_string();
    let rules = [rule::MAP_02, rule::TERR_01, rule::TERR_02, rule::GAP_34];
    section(sink, "dossier", &[("field", Arg::Text(&place))], &rules, |sink| {
        let ground = &tables.terrain[field.terrain];
        let terrain = format!("terrain-{}", field.terrain.code());
        let args = [
            ("field", Arg::Text(&place)),
            ("terrain", Arg::Word(&terrain)),
            ("height", int(ground.height)),
        ];
        line(sink, "dossier-terrain", &args);
        let label = field.owner.label();
        match &field.owner {
            Who::Own => line(sink, "dossier-owner-own", &[]),
            Who::Nobody => line(sink, "dossier-owner-none", &[]),
            Who::Named { .. } => line(sink, "dossier-owner", &[("realm", Arg::Text(&label))]),
            Who::Banner(_) => line(sink, "dossier-owner-banner", &[("realm", Arg::Text(&label))]),
        }
        if let Some(settlement) = field.settlement {
            let key = if field.fortified {
                "dossier-fortified"
            } else {
                "dossier-settlement"
            };
            let word = format!("settlement-{}", settlement.code());
            line(sink, key, &[("who", Arg::Word(&word))]);
        }
        if let Some(work) = field.work {
            let word = format!("work-{}", work.code());
            line(sink, "dossier-work", &[("who", Arg::Word(&word))]);
        }
        if ground.difficult {
            line(sink, "dossier-difficult", &[]);
        }
        match view.step.saturating_sub(field.step) {
            0 => {}
            1 => line(sink, "dossier-seen-one", &[]),
            months => line(sink, "dossier-seen", &[("n", int(months))]),
        }
    });
}

/// Roads, rivers and bridges.
fn around(view: &View, field: &FieldView, sink: &mut dyn ReportSink) {
    let edges = [
        ("dossier-roads", field.roads),
        ("dossier-rivers", field.rivers),
        ("dossier-bridges", field.bridges),
    ];
    for (key, here) in edges {
        sides(view, field, key, here, sink);
    }
}

/// What lies on some sides of a field, by the fields there.
fn sides(view: &View, field: &FieldView, key: &str, sides: Sides, sink: &mut dyn ReportSink) {
    let Some(index) = view.chart.field(field.place) else {
        return;
    };
    let to = |direction: Direction| {
        let neighbour = view.chart.neighbour(index, direction)?;
        Some(view.chart.place(neighbour).to_string())
    };
    let places: Vec<String> = Direction::ALL
        .into_iter()
        .filter(|direction| sides.has(*direction))
        .filter_map(to)
        .collect();
    if !places.is_empty() {
        let places = places.join(", ");
        line(sink, key, &[("fields", Arg::Text(&places))]);
    }
}

/// Who stands there, as far as the player sees.
fn units(view: &View, field: &FieldView, sink: &mut dyn ReportSink) {
    let rules = [rule::SEE_02, rule::GAP_33, rule::GAP_34];
    section(sink, "dossier-units", &[], &rules, |sink| {
        let mut is_empty = true;
        for army in view.armies.iter().filter(|army| army.place == field.place) {
            is_empty = false;
            // PYG-STAT-02.
            let name = format!("{}{}", army.name, if army.stationed { " *" } else { "" });
            let args = [
                ("army", Arg::Text(&name)),
                ("n", int(army.count)),
                ("unit", Arg::Text(army.name.kind.unit())),
                ("order", Arg::Text(army.stance.code())),
            ];
            line(sink, "dossier-army", &args);
        }
        for stranger in view.strangers.iter().filter(|stranger| stranger.place == field.place) {
            is_empty = false;
            let label = stranger.who.label();
            let args = [
                ("kind", Arg::Text(stranger.kind.code())),
                ("n", int(stranger.count.unwrap_or(0))),
                ("unit", Arg::Text(stranger.kind.unit())),
                ("realm", Arg::Text(&label)),
            ];
            line(sink, "dossier-stranger", &args);
        }
        for band in view.bands.iter().filter(|band| band.place == field.place) {
            is_empty = false;
            let word = creature_word(band.creature);
            let args = [("who", Arg::Word(&word)), ("n", int(band.count))];
            line(sink, "dossier-band", &args);
        }
        if is_empty {
            line(sink, "none", &[]);
        }
    });
}

/// Writes the whole known map as text, a drawing per great field.
pub(super) fn gazetteer(view: &View, sink: &mut dyn ReportSink) {
    let rules = [rule::GAME_07, rule::MAP_03, rule::MAP_05];
    let known = i64::try_from(view.fields.len()).unwrap_or(i64::MAX);
    section(sink, "gazetteer", &[("n", int(known))], &rules, |sink| {
        for part in view.fields.chunk_by(|one, other| one.place.gf == other.place.gf) {
            let Some(first) = part.first() else { continue };
            line(sink, "gazetteer-gf", &[("gf", int(first.place.gf))]);
            sink.verbatim(&crate::atlas::drawing(view, first.place.gf));
        }
    });
}
