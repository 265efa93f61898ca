//! A set-up written down again: lines from which [`super::build`] makes the same battle.
//!
//! Only what a set-up has is written: a battle in the middle keeps more (standing instructions, damaged storeys, who moved what).

use crate::board::{Building, Cell, Ground, direction_code};
use crate::event::place_word;
use crate::kinds::{Kind, Terrain};
use crate::state::{Enchantment, Figure, FigureId, Place, Position, State};
use crate::tables::Tables;
use kernel::hex::{Direction, Hex};
use std::fmt::Write as _;

/// The lines of a set-up. Players are called by their numbers, so that their names may hold blanks.
pub fn lines(tables: &Tables, state: &State) -> Vec<String> {
    let position = &state.position;
    let mut lines = Vec::new();
    head(position, &mut lines);
    for (id, player) in &position.players {
        let name = player.name.replace(' ', "_");
        let person = player.person.replace(' ', "_");
        lines.push(format!("player {id} named {name} side {} person {person}", player.side));
    }
    let order: Vec<String> = position.order.iter().map(ToString::to_string).collect();
    lines.push(format!("order {}", order.join(" ")));
    for (id, secret) in &state.secrets {
        if secret.spell_units != tables.wizard.spell_units_start {
            lines.push(format!("units {id} {}", secret.spell_units));
        }
    }
    terrain(position, &mut lines);
    for cell in position.board.all() {
        if let Some(ground) = position.board.ground(cell) {
            land(position, cell, ground, &mut lines);
        }
    }
    rivers(position, &mut lines);
    for (cell, centre) in &position.centres {
        let name = position.board.name(*cell);
        let kind = super::centre_code(centre.kind);
        let razed = match centre.razed {
            0 => String::new(),
            rounds => format!(" razed {rounds}"),
        };
        lines.push(format!("centre {} {name} {kind}{razed}", centre.possessor));
    }
    for (cell, siege) in &position.sieges {
        let name = position.board.name(*cell);
        lines.push(format!("siege {} {name} {}", siege.by, siege.rounds));
    }
    figures(tables, position, &mut lines);
    lines
}

fn head(position: &Position, lines: &mut Vec<String>) {
    if !position.name.is_empty() {
        lines.push(format!("battle {}", position.name));
    }
    let usual = matches!(position.board.provinces.as_slice(), [one] if one.name == "1" && one.at == Hex::ORIGIN);
    if !usual {
        for province in &position.board.provinces {
            lines.push(format!(
                "province {} {} {}",
                province.name, province.at.q, province.at.r
            ));
        }
    }
    if position.clock.round > 1 {
        lines.push(format!("round {}", position.clock.round));
    }
    if position.board.roof {
        lines.push("roof".to_owned());
    }
    if let Some(wind) = position.wind {
        lines.push(format!("wind {} {}", direction_code(wind.toward), wind.strength));
    }
}

/// The commonest terrain fills the board, the others follow in runs.
fn terrain(position: &Position, lines: &mut Vec<String>) {
    let cells = &position.board.cells;
    let count = |terrain: Terrain| cells.iter().filter(|ground| ground.terrain == terrain).count();
    let usual = Terrain::ALL.iter().copied().max_by_key(|terrain| count(*terrain));
    let Some(usual) = usual else { return };
    if usual != Terrain::Lowland {
        lines.push(format!("fill {usual}"));
    }
    let mut words = String::new();
    for (ground, index) in cells.iter().zip(0u16..) {
        if ground.terrain != usual {
            let _ = write!(words, " {} {}", position.board.name(Cell(index)), ground.terrain);
        }
    }
    if !words.is_empty() {
        lines.push(format!("field{words}"));
    }
}

fn land(position: &Position, cell: Cell, ground: &Ground, lines: &mut Vec<String>) {
    let board = &position.board;
    let name = board.name(cell);
    if ground.foundation {
        lines.push(format!("foundation {name}"));
    }
    if let Some(flow) = ground.flow {
        lines.push(format!("flow {name} {}", direction_code(flow)));
    }
    if let Some(hits) = ground.stream_bridge {
        lines.push(format!("stream-bridge {name} {hits}"));
    }
    for (side, wall) in Direction::ALL.into_iter().zip(&ground.walls) {
        if let Some(wall) = wall {
            let reinforced = if wall.reinforced { " reinforced" } else { "" };
            let side = direction_code(side);
            lines.push(format!(
                "wall {} {name}-{side} {}{reinforced}",
                wall.owner, wall.fitting
            ));
        }
    }
    if let Some(building) = &ground.building {
        lines.push(house(&name, building));
        for (storey, level) in building.storeys.iter().zip(0u8..).filter(|(storey, _)| storey.hits > 0) {
            lines.push(format!("hits {name}.{level} {}", storey.hits));
        }
    }
    for side in [Direction::NorthEast, Direction::East, Direction::SouthEast] {
        let edge = board.edge(cell, side);
        let Some(other) = board.neighbour(cell, side).map(|other| board.name(other)) else {
            continue;
        };
        if edge.ditch {
            lines.push(format!("ditch {name}-{other}"));
        }
        if edge.ascent {
            lines.push(format!("ascent {name}-{other}"));
        }
        if let Some(hits) = edge.bridge {
            lines.push(format!("bridge {name}-{other}:{hits}"));
        }
    }
}

fn house(name: &str, building: &Building) -> String {
    let mut line = format!("{} {} {name}", building.kind, building.owner);
    if let Some(storey) = building.storeys.first() {
        for (side, wall) in Direction::ALL.into_iter().zip(&storey.walls) {
            if let Some(fitting) = wall.filter(|fitting| fitting.is_gate()) {
                let _ = write!(line, " gate {} {fitting}", direction_code(side));
            }
        }
    }
    line
}

/// One line per river, in their order, also of one without edges.
fn rivers(position: &Position, lines: &mut Vec<String>) {
    let board = &position.board;
    for (number, river) in board.rivers.iter().enumerate() {
        let mut line = "river".to_owned();
        for cell in board.all() {
            for side in [Direction::NorthEast, Direction::East, Direction::SouthEast] {
                let here = board.edge(cell, side).river.map(usize::from) == Some(number);
                if let (true, Some(other)) = (here, board.neighbour(cell, side)) {
                    let _ = write!(line, " {}-{}", board.name(cell), board.name(other));
                }
            }
        }
        if let Some(on) = river.spell {
            let _ = write!(line, " {}", enchantment(on));
        }
        lines.push(line);
    }
}

/// The words of a spell on a figure or river.
fn enchantment(on: Enchantment) -> String {
    let toward = on
        .toward
        .map_or_else(String::new, |toward| format!(" {}", direction_code(toward)));
    format!("spell {} {}{toward}", on.spell, on.caster)
}

/// Figures in their order, neighbours of one kind and in one place in one line.
fn figures(tables: &Tables, position: &Position, lines: &mut Vec<String>) {
    let mut bonds = Vec::new();
    let mut run: Option<(String, u16, u16, String)> = None;
    for (id, figure) in position.present() {
        let head = format!("figure {} {}", figure.owner, figure.kind);
        let tail = whereabouts(tables, position, figure);
        match &mut run {
            Some((same, _, last, rest)) if *same == head && *rest == tail && *last + 1 == figure.number => {
                *last = figure.number;
            }
            _ => {
                lines.extend(run.take().map(one_line));
                run = Some((head, figure.number, figure.number, tail));
            }
        }
        if let Some(by) = figure.held_by {
            bonds.push(format!("held {figure} by {}", position.name(by)));
        }
        if let Some(side) = figure.leans {
            bonds.push(format!("leans {figure} {}", direction_code(side)));
        }
        bonds.extend(front(tables, position, id, figure));
    }
    lines.extend(run.map(one_line));
    lines.append(&mut bonds);
}

fn one_line((head, first, last, tail): (String, u16, u16, String)) -> String {
    if first == last {
        format!("{head} {first} {tail}")
    } else {
        format!("{head} {first}..{last} {tail}")
    }
}

fn whereabouts(tables: &Tables, position: &Position, figure: &Figure) -> String {
    let place = place_word(tables, position, figure.place);
    let mut words = match figure.place {
        Place::On(..) => format!("on {place}"),
        _ => format!("at {place}"),
    };
    if let (Some(facing), None) = (figure.facing, figure.phalanx) {
        let _ = write!(words, " facing {}", direction_code(facing));
    }
    if figure.possessor != figure.owner {
        let _ = write!(words, " lent {}", figure.possessor);
    }
    if figure.hits > 0 {
        let _ = write!(words, " hits {}", figure.hits);
    }
    if figure.kind == Kind::King && figure.lives != super::KING_LIVES {
        let _ = write!(words, " lives {}", figure.lives);
    }
    if let Some(on) = figure.spell {
        let _ = write!(words, " {}", enchantment(on));
    }
    for (word, count) in [("steps", figure.steps), ("straight", figure.straight)] {
        if count > 0 {
            let _ = write!(words, " {word} {count}");
        }
    }
    for (word, holds) in [
        ("acted", figure.acted),
        ("mortal", figure.mortal),
        ("engaged", figure.engaged),
    ] {
        if holds {
            let _ = write!(words, " {word}");
        }
    }
    words
}

/// The line of a phalanx stands with its lowest member.
fn front(tables: &Tables, position: &Position, id: FigureId, figure: &Figure) -> Option<String> {
    let Place::At(_) = figure.place else { return None };
    let facing = figure.facing.filter(|_| figure.phalanx == Some(id))?;
    let place = place_word(tables, position, figure.place);
    Some(format!("phalanx {place} {}", direction_code(facing)))
}
