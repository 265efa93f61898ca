//! Changes of a battle by hand, before it and during it: the lines of a set-up, each laid over the board as it is, and lines that take
//! something away.
//!
//! `empty`, `empty water`, `remove S#4`, `no building 17`, `no river 17-18`, `army 1 limit 60 at 17,18: 10S, 4LB`, and everything that a set-up says. A line
//! changes all that it says or nothing.

use super::{Builder, Pass};
use crate::army::Army;
use crate::board::{Cell, Edge, Ground};
use crate::deed::Refusal;
use crate::kinds::{Fate, Terrain};
use crate::laws;
use crate::rule;
use crate::state::{Place, State};
use crate::tables::Tables;
use kernel::realm::RealmId;
use kernel::stage::StageLine;
use std::collections::BTreeSet;

/// Characters of a line that are looked at.
const LINE_MAX: usize = 4_000;

/// Makes one change.
///
/// # Errors
/// Why it cannot be made; then nothing has changed.
pub fn change(tables: &Tables, state: &mut State, line: &str) -> Result<(), Refusal> {
    let line: String = line.chars().take(LINE_MAX).collect();
    let mut next = state.clone();
    make(tables, &mut next, line.trim())?;
    laws::hold(tables, &next).map_err(|_| refusal("edit-breaks-law", &line))?;
    *state = next;
    Ok(())
}

fn refusal(code: &'static str, line: &str) -> Refusal {
    let shown: String = line.chars().take(60).collect();
    Refusal::new(code, &[rule::GAP_44][..]).with("line", shown)
}

fn make(tables: &Tables, state: &mut State, line: &str) -> Result<(), Refusal> {
    let misread = || refusal("edit-not-understood", line);
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        ["empty"] => empty(state, Terrain::Lowland),
        ["empty", terrain] => empty(state, Terrain::from_code(terrain).ok_or_else(misread)?),
        ["remove", name] => {
            let id = named(state, name).ok_or_else(misread)?;
            take_off(state, id);
        }
        ["no", "wind"] => state.position.wind = None,
        ["no", "roof"] => state.position.board.roof = false,
        ["no", what, at] => clear(tables, state, what, at).ok_or_else(misread)?,
        ["army", ..] => return army(tables, state, line),
        ["player", player, rest @ ..] => join_side(state, player, rest).ok_or_else(misread)?,
        ["order", players @ ..] => {
            let order: Option<Vec<RealmId>> = players.iter().map(|word| player_of(state, word)).collect();
            state.position.order = order.ok_or_else(misread)?;
        }
        // What a battle has come to, and what its players have done, is not laid down by hand.
        ["clock" | "course" | "outcome", ..] => return Err(misread()),
        // The size of a board stays; the name of a province is told only where it is the same.
        ["province", ..] | [] => {}
        [_, ..] => lay(tables, state, line).map_err(|_| misread())?,
    }
    Ok(())
}

/// A line of a set-up over the board as it is.
fn lay(tables: &Tables, state: &mut State, line: &str) -> Result<(), String> {
    let stage_line = StageLine {
        line: 1,
        text: line.to_owned(),
    };
    let players = state.position.players.len();
    let mut builder = Builder {
        tables,
        state: std::mem::take(state),
        carried: Vec::new(),
        clock: None,
    };
    let mut errors = Vec::new();
    let mut result = Ok(());
    for pass in [Pass::Board, Pass::Land, Pass::Figures, Pass::Bonds] {
        result = result.and_then(|()| builder.line(pass, line));
    }
    builder.seat_carried(&[stage_line], &mut errors);
    *state = builder.state;
    result?;
    if let Some(error) = errors.first() {
        return Err(error.message.clone());
    }
    if matches!(line.split_whitespace().next(), Some("round" | "turn" | "stage")) {
        state.position.clock.set_by_hand();
    }
    // Who has no seat cannot be brought in by naming him.
    if state.position.players.len() != players {
        return Err("a player without a seat".to_owned());
    }
    Ok(())
}

/// One terrain with nothing on it; the players and the clock stay.
fn empty(state: &mut State, terrain: Terrain) {
    let position = &mut state.position;
    for ground in &mut position.board.cells {
        *ground = Ground::open(terrain);
    }
    position.board.rivers.clear();
    position.board.roof = false;
    position.figures.clear();
    position.centres.clear();
    position.sieges.clear();
    position.wind = None;
}

fn named(state: &State, name: &str) -> Option<crate::state::FigureId> {
    let (kind, number) = name.split_once('#')?;
    let id = state
        .position
        .find(crate::kinds::Kind::from_code(kind)?, number.parse().ok()?)?;
    state
        .position
        .figure(id)
        .filter(|figure| figure.is_present())
        .map(|_| id)
}

/// A figure is taken off the board; those whom it carried stand where it was.
fn take_off(state: &mut State, id: crate::state::FigureId) {
    let position = &mut state.position;
    let Some(was) = position.figure(id).map(|figure| figure.place) else {
        return;
    };
    let spot = position.spot_of(id);
    for figure in &mut position.figures {
        if matches!(figure.place, Place::On(on, _) if on == id) {
            figure.place = match (was, spot) {
                (Place::On(carrier, part), _) => Place::On(carrier, part),
                (_, Some(spot)) => Place::At(spot),
                _ => was,
            };
        }
        if figure.held_by == Some(id) {
            figure.held_by = None;
        }
        if figure.phalanx == Some(id) {
            figure.phalanx = None;
        }
    }
    if let Some(figure) = position.figure_mut(id) {
        figure.place = Place::Gone(Fate::Removed);
        figure.held_by = None;
        figure.phalanx = None;
        figure.leans = None;
    }
}

/// Takes something off a field, an edge or a side.
fn clear(tables: &Tables, state: &mut State, what: &str, at: &str) -> Option<()> {
    let builder = Builder {
        tables,
        state: std::mem::take(state),
        carried: Vec::new(),
        clock: None,
    };
    let (cell, edge, side) = (builder.cell(at).ok(), builder.edge(at).ok(), builder.side(at).ok());
    *state = builder.state;
    let position = &mut state.position;
    match what {
        "wall" => {
            let (cell, side) = side?;
            position.board.ground_mut(cell)?.walls[side.index()] = None;
        }
        "river" | "ditch" | "ascent" | "bridge" => {
            let (cell, side) = edge?;
            let edge: &mut Edge = position.board.edge_mut(cell, side)?;
            match what {
                "river" => edge.river = None,
                "ditch" => edge.ditch = false,
                "ascent" => edge.ascent = false,
                _ => edge.bridge = None,
            }
        }
        "centre" => drop(position.centres.remove(&cell?)),
        "siege" => drop(position.sieges.remove(&cell?)),
        "foundation" => position.board.ground_mut(cell?)?.foundation = false,
        "flow" => position.board.ground_mut(cell?)?.flow = None,
        "stream-bridge" => position.board.ground_mut(cell?)?.stream_bridge = None,
        "building" => {
            let cell = cell?;
            position.board.ground_mut(cell)?.building = None;
            // Who stood on its storeys stands on the ground.
            for figure in &mut position.figures {
                if let Place::At(spot) = &mut figure.place
                    && spot.cell == cell
                {
                    spot.level = 0;
                }
            }
        }
        "figures" => {
            let cell = cell?;
            let there: Vec<_> = position
                .present()
                .filter(|(id, _)| position.cell_of(*id) == Some(cell))
                .map(|(id, _)| id)
                .collect();
            there.into_iter().for_each(|id| take_off(state, id));
        }
        _ => return None,
    }
    Some(())
}

fn player_of(state: &State, word: &str) -> Option<RealmId> {
    let id = RealmId(word.parse().ok()?);
    state.position.players.contains_key(&id).then_some(id)
}

/// `player 1 named Rot side 2`: of a player who has a seat only the side can be changed here.
fn join_side(state: &mut State, player: &str, words: &[&str]) -> Option<()> {
    let id = player_of(state, player)?;
    for pair in words.chunks(2) {
        match pair {
            ["side", side] => state.position.players.get_mut(&id)?.side = side.parse().ok()?,
            ["named" | "person", _] => {}
            _ => return None,
        }
    }
    Some(())
}

/// `army 1 limit 60 at 17,18: 10S, 4LB`: bought, checked, and put on these fields in their order.
fn army(tables: &Tables, state: &mut State, line: &str) -> Result<(), Refusal> {
    let misread = || refusal("edit-not-understood", line);
    let (head, list) = line.split_once(':').ok_or_else(misread)?;
    let words: Vec<&str> = head.split_whitespace().collect();
    let (player, limit, fields) = match words.as_slice() {
        ["army", player, "limit", limit, "at", fields] => (*player, Some(*limit), *fields),
        ["army", player, "at", fields] => (*player, None, *fields),
        _ => return Err(misread()),
    };
    let player = player_of(state, player).ok_or_else(misread)?;
    let limit = match limit {
        Some(limit) => Some(limit.parse::<i64>().map_err(|_| misread())?),
        None => None,
    };
    let cells = cells(tables, state, fields).ok_or_else(misread)?;
    let army = Army::read(list).map_err(|faults| faults.into_iter().next().unwrap_or_else(misread))?;
    if let Some(fault) = army.review(tables, limit).into_iter().next() {
        return Err(fault);
    }
    let rest = army.deploy(tables, state, player, &cells);
    if rest.size() > 0 {
        return Err(refusal("edit-no-room", line).with("rest", rest.to_string()));
    }
    Ok(())
}

/// `17,18,24-26`.
fn cells(tables: &Tables, state: &mut State, text: &str) -> Option<Vec<Cell>> {
    let builder = Builder {
        tables,
        state: std::mem::take(state),
        carried: Vec::new(),
        clock: None,
    };
    let found: Result<Vec<Vec<Cell>>, String> = text
        .split(',')
        .filter(|word| !word.is_empty())
        .map(|word| builder.cells(word))
        .collect();
    *state = builder.state;
    let cells: Vec<Cell> = found.ok()?.into_iter().flatten().collect();
    (!cells.is_empty()).then_some(cells)
}

/// The whole battle as changes: laid over a board of the same size they make the same. Whoever is carried stands behind his carrier.
pub fn sheet(tables: &Tables, state: &State) -> String {
    let mut text = String::from("empty\n");
    let mut there: BTreeSet<String> = BTreeSet::new();
    let mut waiting: Vec<String> = Vec::new();
    for line in super::export::board(tables, state) {
        if carrier(&line).is_some_and(|carrier| !there.contains(carrier)) {
            waiting.push(line);
            continue;
        }
        put_down(&line, &mut text, &mut there);
        // A carrier may let others follow, who carry others.
        while let Some(at) = waiting
            .iter()
            .position(|line| carrier(line).is_none_or(|carrier| there.contains(carrier)))
        {
            let line = waiting.remove(at);
            put_down(&line, &mut text, &mut there);
        }
    }
    for line in waiting {
        put_down(&line, &mut text, &mut there);
    }
    text
}

/// The figure that carries those of a line, `lP#1`.
fn carrier(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let carried = words.next() == Some("figure") && words.nth(3) == Some("on");
    let word = words.next().filter(|_| carried)?;
    word.split('.').next()
}

/// Writes a line, and notes the figures that it brings.
fn put_down(line: &str, text: &mut String, there: &mut BTreeSet<String>) {
    text.push_str(line);
    text.push('\n');
    let words: Vec<&str> = line.split_whitespace().collect();
    if let ["figure", _, kind, numbers, ..] = words.as_slice() {
        let (first, last) = numbers.split_once("..").unwrap_or((numbers, numbers));
        let (first, last) = (first.parse::<u16>().unwrap_or(0), last.parse::<u16>().unwrap_or(0));
        there.extend((first..=last).map(|number| format!("{kind}#{number}")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::{build, read_lines, ready};

    fn battle(code: &str) -> (Tables, State) {
        let tables = Tables::book().expect("the book");
        let ready = ready::find(code).expect(code);
        let state = build(&tables, "", &read_lines(ready.setup)).expect(code);
        (tables, state)
    }

    #[test]
    fn a_sheet_laid_over_an_emptied_board_makes_the_same_battle() {
        for ready in ready::ALL {
            let (tables, state) = battle(ready.code);
            let mut again = state.clone();
            change(&tables, &mut again, "empty").expect("emptied");
            assert_eq!(again.position.present().count(), 0);
            for line in sheet(&tables, &state).lines() {
                change(&tables, &mut again, line).unwrap_or_else(|fault| panic!("{line}: {fault:?}"));
            }
            assert_eq!(again.position, state.position, "{}", ready.code);
            // It is a set-up as well.
            let built = build(&tables, "", &read_lines(&sheet(&tables, &state))).expect(ready.code);
            assert_eq!(built.position.present().count(), state.position.present().count());
            assert_eq!(built.position.board, state.position.board, "{}", ready.code);
        }
    }

    #[test]
    fn what_is_laid_down_can_be_taken_away() {
        let (tables, mut state) = battle("field-battle");
        let before = state.position.clone();
        for (add, remove) in [
            ("tower 1 5 gate O", "no building 5"),
            ("wall 1 5-O closed", "no wall 5-O"),
            ("ditch 5-6", "no ditch 5-6"),
            ("ascent 5-6", "no ascent 5-6"),
            ("bridge 5-6", "no bridge 5-6"),
            ("centre 1 5 city", "no centre 5"),
            ("foundation 5", "no foundation 5"),
            ("stream-bridge 5", "no stream-bridge 5"),
            ("wind O fresh", "no wind"),
        ] {
            change(&tables, &mut state, add).unwrap_or_else(|fault| panic!("{add}: {fault:?}"));
            assert_ne!(state.position, before, "{add}");
            change(&tables, &mut state, remove).unwrap_or_else(|fault| panic!("{remove}: {fault:?}"));
            assert_eq!(state.position, before, "{remove}");
        }
        change(&tables, &mut state, "figure 1 SC 77 at 5").expect("a hero");
        change(&tables, &mut state, "remove SC#77").expect("no hero");
        assert_eq!(state.position.present().count(), before.present().count());
        // A number need not be thought of.
        change(&tables, &mut state, "figure 2 SC +2 at 6").expect("two heroes more");
        assert!(
            state
                .position
                .figures
                .iter()
                .any(|figure| figure.to_string() == "SC#79")
        );
        change(&tables, &mut state, "no figures 6").expect("no heroes");
        // His number is free again, but not as long as he stands there.
        change(&tables, &mut state, "figure 2 SC 77 at 5").expect("a hero again");
        assert!(change(&tables, &mut state, "figure 2 SC 77 at 5").is_err());
        assert_eq!(state.position.present().count(), before.present().count() + 1);
    }

    #[test]
    fn an_army_above_its_limit_or_without_room_is_refused_and_nothing_is_changed() {
        let (tables, mut state) = battle("field-battle");
        let before = state.clone();
        let code = |line: &str, state: &mut State| change(&tables, state, line).err().map(|fault| fault.code);
        assert_eq!(code("army 1 limit 3 at 1,2: 2S", &mut state), Some("army-too-dear"));
        assert_eq!(code("army 1 limit 100 at 1: 5S", &mut state), Some("edit-no-room"));
        assert_eq!(code("army 9 at 1: 5S", &mut state), Some("edit-not-understood"));
        assert_eq!(code("figure 7 S 99 at 1", &mut state), Some("edit-not-understood"));
        assert_eq!(code("figure 1 S 1 at 1", &mut state), Some("edit-not-understood"));
        assert_eq!(code("nonsense", &mut state), Some("edit-not-understood"));
        assert_eq!(state, before);
        // Two men cost two each.
        assert_eq!(code("army 1 limit 4 at 1,2: 2S", &mut state), None);
        assert_eq!(state.position.figures.len(), before.position.figures.len() + 2);
    }
}
