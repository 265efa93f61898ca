//! A battle written down: lines from which [`super::build`] makes the same again, at its beginning or in the middle of it.

use crate::board::{Building, Cell, Ground, direction_code};
use crate::event::place_word;
use crate::kinds::{Fitting, Flight, Kind, Terrain};
use crate::state::{Clock, Enchantment, Figure, FigureId, Place, Player, Position, Refuge, Standing, State};
use crate::tables::Tables;
use kernel::hex::{Direction, Hex};
use kernel::realm::RealmId;
use std::fmt::Write as _;

/// The lines of a battle: what lies and stands on the board, then what it has come to. Players are called by their numbers, so that their names may
/// hold blanks.
pub fn lines(tables: &Tables, state: &State) -> Vec<String> {
    let mut lines = board(tables, state);
    let position = &state.position;
    lines.extend(clock(position.clock));
    for (id, player) in &position.players {
        let standing = state.secrets.get(id).map(|secret| &secret.standing);
        lines.extend(course(*id, player, standing));
    }
    lines.extend(position.outcome.as_ref().map(|victory| match victory.side {
        Some(side) => format!("outcome side {side}"),
        None if victory.suspended => "outcome suspended".to_owned(),
        None => "outcome draw".to_owned(),
    }));
    lines
}

/// The board with everything on it, as a game master lays it down.
pub(super) fn board(tables: &Tables, state: &State) -> Vec<String> {
    let position = &state.position;
    let mut lines = Vec::new();
    head(position, &mut lines);
    for (id, player) in &position.players {
        let (name, person) = (super::words::join(&player.name), super::words::join(&player.person));
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
            land(tables, position, cell, ground, &mut lines);
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
        let held = match centre.held {
            0 => String::new(),
            ends => format!(" held {ends}"),
        };
        let plundered = if centre.plundered { " plundered" } else { "" };
        lines.push(format!(
            "centre {} {name} {kind}{razed}{held}{plundered}",
            centre.possessor
        ));
    }
    for (cell, siege) in &position.sieges {
        let name = position.board.name(*cell);
        let fed = match (siege.fed, siege.fed_in) {
            (0, 0) => String::new(),
            (rounds, last) => format!(" fed {rounds} {last}"),
        };
        lines.push(format!("siege {} {name} {}{fed}", siege.by, siege.rounds));
    }
    for refuge in &position.refuges {
        let Refuge { player, name, at } = refuge;
        lines.push(format!("refuge {player} {name} {} {}", at.q, at.r));
    }
    figures(tables, position, &mut lines);
    for (priest, units) in state.secrets.values().flat_map(|secret| &secret.priests) {
        lines.push(format!("prays {} {units}", position.name(*priest)));
    }
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
    if position.board.roof {
        lines.push("roof".to_owned());
    }
    if let Some(wind) = position.wind {
        lines.push(format!("wind {} {}", direction_code(wind.toward), wind.strength));
    }
}

/// The clock of a battle that has left its beginning.
fn clock(clock: Clock) -> Option<String> {
    let start = Clock::default();
    if clock == start {
        return None;
    }
    let mut line = "clock".to_owned();
    for (word, now, first) in [
        ("step", clock.step, start.step),
        ("round", clock.round, start.round),
        ("turn", u32::from(clock.turn) + 1, u32::from(start.turn) + 1),
        ("opened", clock.opened, start.opened),
        ("lines", clock.lines, start.lines),
    ] {
        if now != first {
            let _ = write!(line, " {word} {now}");
        }
    }
    if clock.stage != start.stage {
        let _ = write!(line, " stage {}", clock.stage);
    }
    if clock.begun {
        line.push_str(" begun");
    }
    Some(line)
}

/// What a player has done and instructed so far.
fn course(id: RealmId, player: &Player, standing: Option<&Standing>) -> Option<String> {
    let mut words = String::new();
    if let Some(side) = player.side_next {
        let _ = write!(words, " side-next {side}");
    }
    for (word, count) in [
        ("cast", u32::from(player.spells_cast)),
        ("bounty", u32::from(player.bounty)),
        ("duelled", player.duelled),
        ("missed", player.missed),
    ] {
        if count > 0 {
            let _ = write!(words, " {word} {count}");
        }
    }
    if player.takes_slaves {
        words.push_str(" slaves");
    }
    if player.flight != Flight::Never {
        let _ = write!(words, " flight {}", player.flight);
    }
    if let Some(strength) = player.strength {
        let _ = write!(words, " strength {strength}");
    }
    for other in &player.permits {
        let _ = write!(words, " permits {other}");
    }
    if let Some(other) = player.yields_to {
        let _ = write!(words, " yields-to {other}");
    }
    if let Some(standing) = standing {
        for (word, units) in [
            ("dispel-from", standing.dispel_from),
            ("dispel-total", standing.dispel_total),
        ] {
            if let Some(units) = units {
                let _ = write!(words, " {word} {units}");
            }
        }
        for kind in &standing.sacrifice {
            let _ = write!(words, " sacrifice {kind}");
        }
        // A line of a script goes on to the end.
        if let Some(line) = &standing.triple {
            let _ = write!(words, " triple {line}");
        }
    }
    (!words.is_empty()).then(|| format!("course {id}{words}"))
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

fn land(tables: &Tables, position: &Position, cell: Cell, ground: &Ground, lines: &mut Vec<String>) {
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
            let mut line = format!("wall {} {name}-{} {}", wall.owner, direction_code(side), wall.fitting);
            if wall.reinforced {
                line.push_str(" reinforced");
            }
            if wall.hits > 0 {
                let _ = write!(line, " hits {}", wall.hits);
            }
            if (wall.moved, wall.moves) != (0, 0) {
                let _ = write!(line, " moved {} {}", wall.moved, wall.moves);
            }
            lines.push(line);
        }
    }
    if ground.searched > 0 {
        lines.push(format!("searched {name} {}", ground.searched));
    }
    if let Some(building) = &ground.building {
        lines.push(house(&name, building));
        wear(tables, &name, building, lines);
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

/// What a battle has left of a building: storeys, side walls, hits, and what was done with it in a round.
fn wear(tables: &Tables, name: &str, building: &Building, lines: &mut Vec<String>) {
    if building.storeys.len() != usize::from(tables.building(building.kind).storeys) {
        lines.push(format!("storeys {name} {}", building.storeys.len()));
    }
    for (storey, level) in building.storeys.iter().zip(0u8..) {
        for (side, wall) in Direction::ALL.into_iter().zip(&storey.walls) {
            let told = wall.is_some_and(|fitting| level == 0 && fitting.is_gate());
            if told || *wall == Some(Fitting::Loophole) {
                continue;
            }
            let now = wall.map_or_else(|| "fallen".to_owned(), |fitting| fitting.to_string());
            lines.push(format!("side {name}.{level}-{} {now}", direction_code(side)));
        }
        if storey.hits > 0 {
            lines.push(format!("hits {name}.{level} {}", storey.hits));
        }
    }
    for (side, (round, times)) in Direction::ALL
        .into_iter()
        .zip(building.moved.iter().zip(building.moves))
    {
        if (*round, times) != (0, 0) {
            lines.push(format!("moved {name}-{} {round} {times}", direction_code(side)));
        }
    }
    if (building.poured, building.pours) != (0, 0) {
        lines.push(format!("poured {name} {} {}", building.poured, building.pours));
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
    for (figure, id) in position.figures.iter().zip((0u16..).map(FigureId)) {
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
        Place::Gone(_) => format!("gone {place}"),
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
    for (word, count) in [
        ("power", u32::from(figure.power)),
        ("learnt", u32::from(figure.learnt)),
        ("steps", u32::from(figure.steps)),
        ("straight", u32::from(figure.straight)),
        ("tramples", u32::from(figure.tramples)),
        ("charmed", figure.charmed),
    ] {
        if count > 0 {
            let _ = write!(words, " {word} {count}");
        }
    }
    for (word, holds) in [
        ("auxiliary", figure.auxiliary),
        ("provoked", figure.provoked),
        ("acted", figure.acted),
        ("mortal", figure.mortal),
        ("engaged", figure.engaged),
        ("turned", figure.turned),
    ] {
        if holds {
            let _ = write!(words, " {word}");
        }
    }
    if let Some(moved) = figure.moved {
        let _ = write!(words, " moved {} {}", moved.round, moved.by);
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
