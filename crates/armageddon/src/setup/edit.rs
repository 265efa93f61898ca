//! Changes of a battle by hand, before it and during it: the lines of a set-up, each laid over the board as it is, and lines that take
//! something away.
//!
//! `empty`, `empty water`, `remove S#4`, `no building 17`, `no river 17-18`, `army 1 limit 60 at 17,18: 10S, 4LB`, and everything that a set-up says. A line
//! changes all that it says or nothing.

use super::slip::{Read, Slip, Wanted, shown};
use super::words::number;
use super::{Builder, Pass, VERBS};
use crate::army::Army;
use crate::board::{Cell, Edge, Ground};
use crate::deed::Refusal;
use crate::event::place_word;
use crate::kinds::{Fate, Terrain};
use crate::laws::{self, Broken};
use crate::room;
use crate::rule;
use crate::state::{FigureId, Place, Position, State};
use crate::tables::Tables;
use kernel::realm::RealmId;
use std::collections::BTreeSet;

/// Characters of a line that are looked at.
const LINE_MAX: usize = 4_000;
/// What can be taken off a field, an edge or a side.
const THINGS: &str =
    "wind, roof, wall, river, ditch, ascent, bridge, centre, siege, foundation, flow, stream-bridge, building, figures";

/// The words that a line begins with: those of a set-up, and those that only a change has.
pub fn verbs() -> Vec<&'static str> {
    let of_a_setup = VERBS.iter().map(|(verb, _)| *verb);
    ["army", "remove", "no"].into_iter().chain(of_a_setup).collect()
}

/// Whether a line can begin with this word.
pub fn is_verb(word: &str) -> bool {
    verbs().contains(&word)
}

/// Makes one change.
///
/// # Errors
/// Why it cannot be made; then nothing has changed.
pub fn change(tables: &Tables, state: &mut State, line: &str) -> Result<(), Refusal> {
    let line: String = line.chars().take(LINE_MAX).collect();
    let mut next = state.clone();
    make(tables, &mut next, line.trim())?;
    laws::hold(tables, &next).map_err(|law| breaks(tables, &next, law, &line))?;
    *state = next;
    Ok(())
}

/// The law of the board that a change would break.
fn breaks(tables: &Tables, state: &State, law: Broken, line: &str) -> Refusal {
    let position = &state.position;
    let of = |code: &'static str, id: FigureId| refusal(code, line).with("figure", position.name(id));
    match law {
        Broken::Order => refusal("edit-order", line),
        Broken::Turn => refusal("edit-turn", line),
        Broken::Twice(id) => of("edit-twice", id),
        Broken::Nowhere(id) => of("edit-nowhere", id),
        Broken::Carried(id) => of("edit-carrier-gone", id),
        Broken::Possessed(id) => of("edit-not-lent", id),
        Broken::Stranger(_) => refusal("edit-no-seat", line),
        Broken::Crowded(room) => refusal("edit-crowded", line)
            .with("field", place_word(tables, position, room.place()))
            .with("room", room::capacity(tables, position, room)),
    }
}

fn refusal(code: &'static str, line: &str) -> Refusal {
    Refusal::new(code, &[rule::GAP_44][..]).with("line", shown(line))
}

fn make(tables: &Tables, state: &mut State, line: &str) -> Result<(), Refusal> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        ["army", ..] => army(tables, state, line),
        words => plain(tables, state, line, words).map_err(|slip| slip.refusal(line)),
    }
}

/// Every line but an army.
fn plain(tables: &Tables, state: &mut State, line: &str, words: &[&str]) -> Read<()> {
    match words {
        ["empty"] => empty(state, Terrain::Lowland),
        ["empty", terrain] => {
            let found = Terrain::from_code(terrain).ok_or_else(|| Slip::not_a(Wanted::Terrain, terrain))?;
            empty(state, found);
        }
        ["remove", name] => {
            let id = named(state, name).ok_or_else(|| Slip::not_a(Wanted::Figure, name))?;
            take_off(state, id);
        }
        ["remove"] => return Err(Slip::Ends(Wanted::Figure)),
        ["no", "wind"] => state.position.wind = None,
        ["no", "roof"] => state.position.board.roof = false,
        ["no", what, at] => return clear(tables, state, what, at),
        ["no"] => return Err(Slip::Ends(Wanted::OneOf(THINGS))),
        ["no", _] => return Err(Slip::Ends(Wanted::Field)),
        ["remove" | "no", .., last] => return Err(Slip::not_a(Wanted::End, last)),
        ["player", player, rest @ ..] => return join_side(state, player, rest),
        ["order", players @ ..] => {
            state.position.order = players
                .iter()
                .map(|word| player_of(state, word))
                .collect::<Read<Vec<RealmId>>>()?;
        }
        // What a battle has come to, and what its players have done, is not laid down by hand.
        [word @ ("clock" | "course" | "outcome"), ..] => return Err(Slip::NotByHand((*word).to_owned())),
        // The size of a board stays; the name of a province is told only where it is the same.
        ["province", ..] | [] => {}
        [_, ..] => return lay(tables, state, line),
    }
    Ok(())
}

/// A line of a set-up over the board as it is.
fn lay(tables: &Tables, state: &mut State, line: &str) -> Read<()> {
    let players = state.position.players.len();
    let mut builder = Builder::new(tables, std::mem::take(state));
    let mut result = Ok(());
    for pass in Pass::ALL {
        result = result.and_then(|()| builder.line(pass, line));
    }
    let slips = builder.seat_carried();
    *state = builder.state;
    result?;
    if let Some((_, slip)) = slips.into_iter().next() {
        return Err(slip);
    }
    if matches!(line.split_whitespace().next(), Some("round" | "turn" | "stage")) {
        state.position.clock.set_by_hand();
    }
    // Who has no seat cannot be brought in by naming him.
    if state.position.players.len() != players {
        return Err(Slip::NoSeat);
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

fn named(state: &State, name: &str) -> Option<FigureId> {
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
fn take_off(state: &mut State, id: FigureId) {
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
fn clear(tables: &Tables, state: &mut State, what: &str, at: &str) -> Read<()> {
    let builder = Builder::new(tables, std::mem::take(state));
    let (cell, edge, side) = (builder.cell(at), builder.edge(at), builder.side(at));
    *state = builder.state;
    let position = &mut state.position;
    match what {
        "wall" => {
            let (cell, side) = side?;
            ground(position, cell)?.walls[side.index()] = None;
        }
        "river" | "ditch" | "ascent" | "bridge" => {
            let (cell, side) = edge?;
            let edge: &mut Edge = position
                .board
                .edge_mut(cell, side)
                .ok_or_else(|| Slip::not_a(Wanted::Edge, at))?;
            match what {
                "river" => edge.river = None,
                "ditch" => edge.ditch = false,
                "ascent" => edge.ascent = false,
                _ => edge.bridge = None,
            }
        }
        "centre" => drop(position.centres.remove(&cell?)),
        "siege" => drop(position.sieges.remove(&cell?)),
        "foundation" => ground(position, cell?)?.foundation = false,
        "flow" => ground(position, cell?)?.flow = None,
        "stream-bridge" => ground(position, cell?)?.stream_bridge = None,
        "building" => {
            let cell = cell?;
            ground(position, cell)?.building = None;
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
        other => return Err(Slip::not_a(Wanted::OneOf(THINGS), other)),
    }
    Ok(())
}

fn ground(position: &mut Position, cell: Cell) -> Read<&mut Ground> {
    let name = position.board.name(cell);
    let ground = position.board.ground_mut(cell);
    ground.ok_or_else(|| Slip::not_a(Wanted::Field, &name))
}

/// A player by the number of his seat.
fn player_of(state: &State, word: &str) -> Read<RealmId> {
    let known = word.parse().ok().map(RealmId);
    known
        .filter(|id| state.position.players.contains_key(id))
        .ok_or_else(|| Slip::not_a(Wanted::Seat, word))
}

/// `player 1 named Rot side 2`: of a player who has a seat only the side can be changed here.
fn join_side(state: &mut State, player: &str, words: &[&str]) -> Read<()> {
    const KEYS: &str = "side, named, person";
    let id = player_of(state, player)?;
    for pair in words.chunks(2) {
        match pair {
            ["side", side] => {
                let side = number(side)?;
                if let Some(player) = state.position.players.get_mut(&id) {
                    player.side = side;
                }
            }
            ["named" | "person", _] => {}
            ["side"] => return Err(Slip::Ends(Wanted::Number)),
            ["named" | "person"] => return Err(Slip::Ends(Wanted::Name)),
            [other, ..] => return Err(Slip::not_a(Wanted::OneOf(KEYS), other)),
            [] => {}
        }
    }
    Ok(())
}

/// `army 1 limit 60 at 17,18: 10S, 4LB`: bought, checked, and put on these fields in their order.
fn army(tables: &Tables, state: &mut State, line: &str) -> Result<(), Refusal> {
    let slip = |slip: Slip| slip.refusal(line);
    let (player, limit, cells, list) = army_line(tables, state, line).map_err(slip)?;
    let army = Army::read(list).map_err(|faults| {
        let first = faults.into_iter().next();
        first.unwrap_or_else(|| refusal("edit-no-room", line))
    })?;
    if let Some(fault) = army.review(tables, limit).into_iter().next() {
        return Err(fault);
    }
    let rest = army.deploy(tables, state, player, &cells);
    if rest.size() > 0 {
        return Err(refusal("edit-no-room", line).with("rest", rest.to_string()));
    }
    Ok(())
}

/// The parts of such a line: whose, for how much, where, and who.
fn army_line<'a>(
    tables: &Tables,
    state: &mut State,
    line: &'a str,
) -> Read<(RealmId, Option<i64>, Vec<Cell>, &'a str)> {
    const FORM: &str = "army 1 limit 60 at 17,18: 10S, 4LB";
    let form = || Slip::not_a(Wanted::OneOf(FORM), &shown(line));
    let (head, list) = line.split_once(':').ok_or_else(form)?;
    let words: Vec<&str> = head.split_whitespace().collect();
    let (player, limit, fields) = match words.as_slice() {
        ["army", player, "limit", limit, "at", fields] => (*player, Some(*limit), *fields),
        ["army", player, "at", fields] => (*player, None, *fields),
        _ => return Err(form()),
    };
    let player = player_of(state, player)?;
    let limit = limit.map(number::<i64>).transpose()?;
    Ok((player, limit, cells(tables, state, fields)?, list))
}

/// `17,18,24-26`.
fn cells(tables: &Tables, state: &mut State, text: &str) -> Read<Vec<Cell>> {
    let builder = Builder::new(tables, std::mem::take(state));
    let found: Read<Vec<Vec<Cell>>> = text
        .split(',')
        .filter(|word| !word.is_empty())
        .map(|word| builder.cells(word))
        .collect();
    *state = builder.state;
    let cells: Vec<Cell> = found?.into_iter().flatten().collect();
    if cells.is_empty() {
        return Err(Slip::not_a(Wanted::Field, text));
    }
    Ok(cells)
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
        assert_eq!(code("army 9 at 1: 5S", &mut state), Some("edit-word"));
        assert_eq!(state, before);
        // Two men cost two each.
        assert_eq!(code("army 1 limit 4 at 1,2: 2S", &mut state), None);
        assert_eq!(state.position.figures.len(), before.position.figures.len() + 2);
    }

    #[test]
    fn a_refused_line_says_what_is_wrong_and_what_was_expected() {
        use kernel::diagnostic::Value;
        let (tables, mut state) = battle("field-battle");
        let before = state.clone();
        let text = |refusal: &Refusal, name: &str| {
            let found = refusal.args.iter().find(|(known, _)| *known == name);
            match found.map(|(_, value)| value) {
                Some(Value::Text(text)) => text.clone(),
                Some(Value::Phrase { phrase, .. }) => phrase.to_string(),
                _ => String::new(),
            }
        };
        // The line, its finding, the word that is wrong, what should stand there.
        for (line, code, word, wanted) in [
            ("nonsense", "edit-word", "nonsense", "wanted-verb"),
            ("field 99 swamp", "edit-word", "99", "wanted-field"),
            ("field 5 moor", "edit-word", "moor", "wanted-terrain"),
            ("field 5", "edit-ends", "", "wanted-terrain"),
            ("figure 7 S 99 at 1", "edit-word", "7", "wanted-player"),
            ("figure 1 S 99 at 1 faceing O", "edit-word", "faceing", "wanted-one-of"),
            ("figure 1 S 99 at 5.P", "edit-word", "5.P", "wanted-level"),
            ("figure 1 S 99 on lP#77", "edit-word", "lP#77", "wanted-figure"),
            ("figure 1 XY 99 at 1", "edit-word", "XY", "wanted-kind"),
            ("figure 1 S 9..7 at 1", "edit-word", "9..7", "wanted-numbers"),
            ("wind O brisk", "edit-word", "brisk", "wanted-one-of"),
            ("wind O fresh indeed", "edit-word", "indeed", "wanted-end"),
            ("river 5-48", "edit-word", "5-48", "wanted-edge"),
            ("wall 1 5 closed", "edit-word", "5", "wanted-side"),
            ("no house 5", "edit-word", "house", "wanted-one-of"),
            ("no ditch 5", "edit-word", "5", "wanted-edge"),
            ("remove S#999", "edit-word", "S#999", "wanted-figure"),
            ("player 9 side 2", "edit-word", "9", "wanted-seat"),
            ("player 1 side", "edit-ends", "", "wanted-number"),
            ("army 1 at 1", "edit-word", "army 1 at 1", "wanted-one-of"),
            ("clock round 3", "edit-not-by-hand", "clock", ""),
            ("order 1", "edit-order", "", ""),
            ("figure 1 S 99 at 1 lent 2", "edit-not-lent", "", ""),
            ("figure Drache S 99 at 1", "edit-no-seat", "", ""),
            ("bridge 5-6 1", "edit-hits-apart", "", ""),
        ] {
            let refusal = change(&tables, &mut state, line).expect_err(line);
            assert_eq!(refusal.code, code, "{line}");
            assert_eq!(text(&refusal, "wanted"), wanted, "{line}");
            assert_eq!(text(&refusal, "word"), word, "{line}");
            assert_eq!(text(&refusal, "line"), line);
        }
        let twice = format!("figure 1 {} 1 at 1", before.position.figures[0].kind);
        let refusal = change(&tables, &mut state, &twice).expect_err("there already");
        assert_eq!(refusal.code, "edit-twice");
        assert_eq!(state, before);
    }

    #[test]
    fn a_crowd_is_refused_once_the_battle_has_begun() {
        let (tables, mut state) = battle("field-battle");
        change(&tables, &mut state, "empty").expect("emptied");
        change(&tables, &mut state, "figure 1 S 1..5 at 17").expect("put right when the first round begins");
        state.position.clock.step = 1;
        change(&tables, &mut state, "remove S#5").expect("four have room");
        let refusal = change(&tables, &mut state, "figure 1 S 5 at 17").expect_err("no room");
        assert_eq!(refusal.code, "edit-crowded");
    }
}
