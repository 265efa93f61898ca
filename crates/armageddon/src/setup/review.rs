//! What is wrong with a set-up before the battle begins: the same that its beginning would punish (ARM-0.4.51), and what makes no battle at
//! all (ARM-GAP-44).

use crate::board::Spot;
use crate::deed::Refusal;
use crate::event::place_word;
use crate::kinds::{BuildingKind, Family, Kind};
use crate::overcrowding;
use crate::room;
use crate::rule;
use crate::state::{Place, State};
use crate::tables::Tables;
use std::collections::BTreeSet;

/// Everything that a set-up should not have, in the order of the board.
pub fn review(tables: &Tables, state: &State) -> Vec<Refusal> {
    let mut findings = Vec::new();
    sides(state, &mut findings);
    buildings(tables, state, &mut findings);
    figures(tables, state, &mut findings);
    let position = &state.position;
    for room in room::crowded(tables, position) {
        let refusal = Refusal::new("setup-crowded", &[rule::R0_4_51, rule::R0_4_1][..])
            .with("field", place_word(tables, position, room.place()))
            .with("room", room::capacity(tables, position, room));
        findings.push(refusal);
    }
    findings
}

/// Two sides at least, and warriors for every player.
fn sides(state: &State, findings: &mut Vec<Refusal>) {
    let position = &state.position;
    let sides: BTreeSet<u8> = position.players.values().map(|player| player.side).collect();
    if sides.len() < 2 {
        findings.push(Refusal::new("setup-one-side", &[rule::GAP_44, rule::GAP_43][..]));
    }
    for (id, player) in &position.players {
        let armed = position
            .present()
            .any(|(_, figure)| figure.owner == *id && figure.kind.is_warrior());
        if !armed {
            let refusal = Refusal::new("setup-unarmed", &[rule::GAP_44][..]).with("player", player.name.as_str());
            findings.push(refusal);
        }
    }
}

/// ARM-0.4.60 to 0.4.63: a building needs an access; on narrow ground it needs a foundation.
fn buildings(tables: &Tables, state: &State, findings: &mut Vec<Refusal>) {
    let board = &state.position.board;
    for cell in board.all() {
        let Some(ground) = board.ground(cell) else { continue };
        let Some(building) = &ground.building else { continue };
        let gates = building.storeys.first().map_or(0, |storey| {
            storey
                .walls
                .iter()
                .filter(|wall| wall.is_none_or(|fitting| fitting.is_gate()))
                .count()
        });
        if gates == 0 {
            let refusal = Refusal::new("setup-no-access", &[rule::R0_4_60, rule::R0_4_62][..]);
            findings.push(refusal.with("field", board.name(cell)));
        }
        let narrow = i64::from(tables.terrain(ground.terrain).room) < tables.room.field;
        let centre = state.position.centres.contains_key(&cell);
        if narrow && !ground.foundation && !centre && building.kind != BuildingKind::TempleTower {
            let refusal = Refusal::new("setup-no-foundation", &[rule::R0_4_2, rule::GAP_09][..]);
            findings.push(refusal.with("field", board.name(cell)));
        }
    }
}

/// Figures where they may not stay, ships and wagons without a course, seats taken twice.
fn figures(tables: &Tables, state: &State, findings: &mut Vec<Refusal>) {
    let position = &state.position;
    for (id, figure) in position.present() {
        if overcrowding::is_misplaced(tables, position, id, figure) {
            let field = place_word(tables, position, figure.place);
            let refusal = Refusal::new("setup-misplaced", &[rule::R0_4_51, rule::R0_4_42][..])
                .with("figure", figure.to_string())
                .with("field", field);
            findings.push(refusal);
        }
        let steers = matches!(figure.kind.family(), Family::Ship | Family::Wagon);
        if steers && figure.facing.is_none() {
            let refusal = Refusal::new("setup-no-course", &[rule::GAP_21, rule::GAP_24][..]);
            findings.push(refusal.with("figure", figure.to_string()));
        }
        let harnessed = figure
            .held_by
            .and_then(|by| position.figure(by))
            .filter(|by| by.kind == Kind::Wagon);
        if let Some(wagon) = harnessed {
            let ahead = match (wagon.place, wagon.facing) {
                (Place::At(at), Some(facing)) => position.board.neighbour(at.cell, facing),
                _ => None,
            };
            if ahead.map(|cell| Place::At(Spot::ground(cell))) != Some(figure.place) {
                let refusal = Refusal::new("setup-team-elsewhere", &[rule::GAP_21][..]);
                findings.push(refusal.with("figure", figure.to_string()));
            }
        }
        let riders = position.aboard(id).count();
        if figure.kind.family() == Family::Horse && riders > 1 {
            let refusal = Refusal::new("setup-two-riders", &[rule::GAP_20][..]);
            findings.push(refusal.with("figure", figure.to_string()));
        }
    }
}
