//! A field in words, and the whole board in words, for those who do not see it.

use super::board::{building_word, centre_word, spots, terrain_word};
use super::pieces::kind_name;
use super::ways;
use crate::battle::Scene;
use crate::board::{Cell, Spot, direction_code};
use crate::event::player_word;
use crate::kinds::{Fitting, Kind};
use crate::room::{self, Room};
use crate::rule;
use crate::state::{Figure, FigureId, Place};
use crate::tables::Tables;
use crate::view::View;
use kernel::diagnostic::{Diagnostic, Span};
use kernel::hex::Direction;
use kernel::realm::RealmId;
use kernel::report::{Arg, Line, ReportSink};
use std::collections::BTreeMap;

fn line(sink: &mut dyn ReportSink, key: &str, args: &[(&str, Arg<'_>)]) {
    sink.line(&Line { key, args, why: None });
}

fn scene<'a>(tables: &'a Tables, view: &'a View) -> Scene<'a> {
    Scene {
        tables,
        position: &view.position,
        secret: view.secret.as_ref(),
    }
}

/// All that is known of a field.
pub(super) fn dossier(tables: &Tables, view: &View, place: &str, sink: &mut dyn ReportSink) {
    let scene = scene(tables, view);
    let Some(spot) = ways::read_spot(scene, place) else {
        let finding = Diagnostic::error("no-such-field", Span::default(), &[rule::GAP_02]);
        sink.diagnostic(&finding.with("field", place));
        return;
    };
    let name = scene.position.board.name(spot.cell);
    let rules = [rule::R0_4_1, rule::R0_4_2, rule::GAP_02];
    sink.begin("dossier", &[("field", Arg::Text(&name))], &rules);
    ground(scene, spot.cell, sink);
    around(scene, spot.cell, sink);
    sink.end();
    sink.begin("dossier-levels", &[], &[rule::R0_4_1, rule::GAP_15]);
    levels(scene, spot.cell, sink);
    sink.end();
    let near = ways::who_reaches(scene, spot.cell);
    if !near.is_empty() {
        sink.begin("dossier-reach", &[], &[rule::R0_4_38]);
        by_player(scene, &near, sink);
        sink.end();
    }
}

fn ground(scene: Scene<'_>, cell: Cell, sink: &mut dyn ReportSink) {
    let position = scene.position;
    let Some(ground) = position.board.ground(cell) else {
        return;
    };
    let row = scene.tables.terrain(ground.terrain);
    let args = [
        ("terrain", Arg::Word(terrain_word(ground.terrain))),
        ("level", Arg::Int(i64::from(row.level))),
    ];
    line(sink, "field-terrain", &args);
    if ground.foundation {
        line(sink, "field-foundation", &[]);
    }
    if let Some(flow) = ground.flow {
        line(sink, "field-flow", &[("toward", Arg::Text(direction_code(flow)))]);
    }
    if let Some(hits) = ground.stream_bridge {
        line(sink, "field-stream-bridge", &[("hits", Arg::Int(i64::from(hits)))]);
    }
    if let Some(building) = &ground.building {
        let owner = player_word(position, building.owner);
        let args = [
            ("building", Arg::Word(building_word(building.kind))),
            ("player", Arg::Text(&owner)),
        ];
        line(sink, "field-building", &args);
        let gates = building.storeys.first().map(|storey| storey.walls);
        for (side, wall) in Direction::ALL.into_iter().zip(gates.unwrap_or_default()) {
            let toward = Arg::Text(direction_code(side));
            match wall {
                Some(fitting) if fitting != Fitting::Plain => {
                    let args = [("toward", toward), ("fitting", Arg::Word(fitting_word(fitting)))];
                    line(sink, "field-fitting", &args);
                }
                None => line(sink, "field-breach", &[("toward", toward)]),
                _ => {}
            }
        }
    }
    if let Some(centre) = position.centres.get(&cell) {
        let owner = player_word(position, centre.possessor);
        let key = if centre.possessor.is_played() {
            "field-centre"
        } else {
            "field-centre-free"
        };
        let args = [
            ("kind", Arg::Word(centre_word(centre.kind))),
            ("player", Arg::Text(&owner)),
        ];
        line(sink, key, &args);
    }
    if let Some(siege) = position.sieges.get(&cell).filter(|siege| siege.by.is_played()) {
        let by = player_word(position, siege.by);
        let args = [
            ("player", Arg::Text(&by)),
            ("rounds", Arg::Int(i64::from(siege.rounds))),
        ];
        line(sink, "field-siege", &args);
    }
}

const fn fitting_word(fitting: Fitting) -> &'static str {
    match fitting {
        Fitting::Plain => "fitting-plain",
        Fitting::Loophole => "fitting-loophole",
        Fitting::Open => "fitting-open",
        Fitting::Closed => "fitting-closed",
        Fitting::Broken => "fitting-broken",
    }
}

/// The neighbours, and what lies between.
fn around(scene: Scene<'_>, cell: Cell, sink: &mut dyn ReportSink) {
    let board = &scene.position.board;
    for (side, next) in board.neighbours(cell) {
        let edge = board.edge(cell, side);
        let (near, far) = board.walls_between(cell, side);
        let name = board.name(next);
        let terrain = board
            .ground(next)
            .map_or("terrain-lowland", |ground| terrain_word(ground.terrain));
        let args = [
            ("toward", Arg::Text(direction_code(side))),
            ("field", Arg::Text(&name)),
            ("terrain", Arg::Word(terrain)),
        ];
        line(sink, "field-beside", &args);
        let toward = [("toward", Arg::Text(direction_code(side)))];
        for (there, key) in [
            (edge.river.is_some(), "field-river"),
            (edge.bridge.is_some(), "field-bridge"),
            (edge.ditch, "field-ditch"),
            (edge.ascent, "field-ascent"),
        ] {
            if there {
                line(sink, key, &toward);
            }
        }
        for wall in [near, far].into_iter().flatten() {
            let args = [
                ("toward", Arg::Text(direction_code(side))),
                ("fitting", Arg::Word(fitting_word(wall.fitting))),
            ];
            line(sink, "field-wall", &args);
        }
    }
}

/// Every level with its room and who stands there.
fn levels(scene: Scene<'_>, cell: Cell, sink: &mut dyn ReportSink) {
    for spot in spots(scene, cell) {
        let name = scene.position.board.spot_name(scene.tables, spot);
        let room = Room::Spot(spot);
        let offered = room::capacity(scene.tables, scene.position, room);
        let free = room::free(scene.tables, scene.position, room);
        let args = [
            ("place", Arg::Text(&name)),
            ("room", Arg::Int(offered)),
            ("free", Arg::Int(free.max(0))),
        ];
        line(sink, "level-room", &args);
        for (_, figure) in there(scene, spot) {
            let label = figure.to_string();
            let owner = player_word(scene.position, figure.possessor);
            let word = format!("kind-{}", kind_name(figure.kind));
            let args = [
                ("figure", Arg::Text(&label)),
                ("kind", Arg::Word(&word)),
                ("player", Arg::Text(&owner)),
            ];
            match figure.place {
                Place::On(carrier, _) => {
                    let carrier = scene.position.name(carrier);
                    let [figure, kind, player] = args;
                    line(
                        sink,
                        "level-carried",
                        &[figure, kind, player, ("carrier", Arg::Text(&carrier))],
                    );
                }
                Place::Above(_) => line(sink, "level-hovering", &args),
                Place::Swimming(_) => line(sink, "level-swimming", &args),
                _ => line(sink, "level-figure", &args),
            }
        }
    }
}

fn there<'a>(scene: Scene<'a>, spot: Spot) -> Vec<(FigureId, &'a Figure)> {
    let position = scene.position;
    let found = position.present().filter(|(id, _)| position.spot_of(*id) == Some(spot));
    found.collect()
}

/// Figures in a line for each player.
fn by_player(scene: Scene<'_>, ids: &[FigureId], sink: &mut dyn ReportSink) {
    let mut lists: BTreeMap<RealmId, Vec<String>> = BTreeMap::new();
    for id in ids {
        if let Some(figure) = scene.position.figure(*id) {
            lists.entry(figure.possessor).or_default().push(figure.to_string());
        }
    }
    for (player, figures) in lists {
        let name = player_word(scene.position, player);
        let figures = figures.join(", ");
        let args = [("player", Arg::Text(&name)), ("figures", Arg::Text(&figures))];
        line(sink, "figures-of", &args);
    }
}

/// The whole board in words.
pub(super) fn gazetteer(tables: &Tables, view: &View, sink: &mut dyn ReportSink) {
    let scene = scene(tables, view);
    let position = scene.position;
    sink.begin(
        "gazetteer",
        &[("battle", Arg::Text(&position.name))],
        &[rule::GAP_02, rule::GAP_01],
    );
    let mover = player_word(position, position.mover().unwrap_or(RealmId::NOBODY));
    let args = [
        ("round", Arg::Int(i64::from(position.clock.round))),
        ("player", Arg::Text(&mover)),
        ("stage", Arg::Word(position.clock.stage.word())),
    ];
    line(sink, "gazetteer-turn", &args);
    if let Some(wind) = position.wind {
        let args = [
            ("toward", Arg::Text(direction_code(wind.toward))),
            ("strength", Arg::Word(wind.strength.code())),
        ];
        line(sink, "gazetteer-wind", &args);
    }
    for player in position.players.values() {
        let args = [
            ("player", Arg::Text(&player.name)),
            ("side", Arg::Int(i64::from(player.side))),
        ];
        line(sink, "gazetteer-player", &args);
    }
    sink.end();
    for cell in position.board.all() {
        let name = position.board.name(cell);
        sink.begin(
            "gazetteer-field",
            &[("field", Arg::Text(&name))],
            &[rule::GAP_02, rule::R0_4_1],
        );
        ground(scene, cell, sink);
        around(scene, cell, sink);
        stacks(scene, cell, sink);
        sink.end();
    }
}

/// Who stands on a field, level by level and player by player, with how many of each kind.
fn stacks(scene: Scene<'_>, cell: Cell, sink: &mut dyn ReportSink) {
    for spot in spots(scene, cell) {
        let mut lists: BTreeMap<RealmId, BTreeMap<Kind, Vec<u16>>> = BTreeMap::new();
        for (_, figure) in there(scene, spot) {
            let kinds = lists.entry(figure.possessor).or_default();
            kinds.entry(figure.kind).or_default().push(figure.number);
        }
        let place = scene.position.board.spot_name(scene.tables, spot);
        for (player, kinds) in lists {
            let owner = player_word(scene.position, player);
            let words: Vec<String> = kinds
                .iter()
                .flat_map(|(kind, numbers)| numbers.iter().map(move |number| format!("{kind}#{number}")))
                .collect();
            let words = words.join(", ");
            let args = [
                ("place", Arg::Text(&place)),
                ("player", Arg::Text(&owner)),
                ("figures", Arg::Text(&words)),
            ];
            line(sink, "gazetteer-stack", &args);
        }
    }
}
