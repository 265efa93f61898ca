//! The odds that stand beside an offer are those of the dice: every kind of attack is offered once, then done some thousand times, and what came of
//! it is counted.

use armageddon::Armageddon;
use armageddon::kinds::Kind;
use armageddon::setup;
use armageddon::state::State;
use armageddon::tables::Tables;
use kernel::board::{Chance, Offer};
use kernel::diagnostic::Severity;
use kernel::dice::{Dice, StepSecret};
use kernel::game::{self, Brief, Game};
use kernel::guide::Guide;
use kernel::realm::{RealmId, Viewer};
use kernel::turn::Input;
use std::collections::BTreeMap;

const ADLER: RealmId = RealmId(1);
/// Times that each attack is made.
const TIMES: u32 = 3_000;

/// What a chance says, seen from the board afterwards.
type Seen = fn(&State) -> bool;

fn made(lines: &str) -> (Tables, State) {
    let tables = Tables::book().expect("the book");
    let state = setup::build(&tables, "", &setup::read_lines(lines)).expect("a battle");
    (tables, state)
}

fn is_there(state: &State, kind: &str, number: u16) -> bool {
    let kind = Kind::from_code(kind).expect("a kind");
    let found = state.position.find(kind, number);
    found.is_some_and(|id| state.position.figure(id).is_some_and(|figure| figure.is_present()))
}

/// The offer of a piece behind a draft that begins with these words.
fn offered(tables: &Tables, state: &State, draft: &str, piece: &str, line: &str) -> Offer {
    let brief = Brief {
        viewer: Viewer::Realm(ADLER),
        told: Vec::new(),
        diagnostics: Vec::new(),
    };
    let view = Armageddon::view(tables, state, brief);
    let offers = Armageddon::offers(tables, &view, draft, Some(piece));
    let found = offers.iter().find(|offer| {
        let last = offer.line.lines().last().unwrap_or_default();
        last == line
    });
    let lines: Vec<&str> = offers.iter().map(|offer| offer.line.as_str()).collect();
    found
        .cloned()
        .unwrap_or_else(|| panic!("{line} is not offered: {lines:?}"))
}

/// The board after a script with the so-many-th dice.
fn done(tables: &Tables, state: &State, text: &str, number: u32) -> State {
    let seat = Armageddon::seat(tables, state, ADLER).expect("a seat");
    let parsed = Armageddon::parse(tables, &seat, text.as_bytes());
    assert_eq!(parsed.diagnostics, [], "{text}");
    let input = Input::<Armageddon> {
        orders: BTreeMap::from([(ADLER, parsed)]),
        ..Input::default()
    };
    let mut secret = [7u8; 32];
    secret[..4].copy_from_slice(&number.to_be_bytes());
    let outcome = game::run::<Armageddon>(tables, state.clone(), &input, Dice::Keyed(StepSecret(secret)));
    let mut told = outcome.refusals.values().flatten();
    let wrong = told.find(|finding| finding.severity == Severity::Error);
    assert!(wrong.is_none(), "{text}: {wrong:?}");
    outcome.state
}

/// Offers a line and does it again and again: every chance in its turn is met as often as it says, within four standard deviations.
fn holds(lines: &str, before: &str, piece: &str, line: &str, expected: &[(&str, Seen)]) {
    let (tables, state) = made(lines);
    let offer = offered(&tables, &state, before, piece, line);
    let keys: Vec<&str> = offer.chances.iter().map(|chance| chance.key.as_ref()).collect();
    let wanted: Vec<&str> = expected.iter().map(|(key, _)| *key).collect();
    assert_eq!(keys, wanted, "{line}");
    let script = format!("{before}{}\n", offer.line);
    let mut counts = vec![0u32; expected.len()];
    for number in 0..TIMES {
        let after = done(&tables, &state, &script, number);
        for (count, (_, seen)) in counts.iter_mut().zip(expected) {
            *count += u32::from(seen(&after));
        }
    }
    for (chance, count) in offer.chances.iter().zip(counts) {
        close(line, chance, count);
    }
}

fn close(line: &str, chance: &Chance, count: u32) {
    let share = chance.cases as f64 / chance.of as f64;
    let times = f64::from(TIMES);
    let spread = 4.0 * (share * (1.0 - share) * times).sqrt();
    let expected = share * times;
    assert!(
        (f64::from(count) - expected).abs() <= spread + 1e-9,
        "{line}: {} was told as {expected:.0} of {TIMES}, and came {count} times",
        chance.key
    );
}

const HEAD: &str = "RUNDE 1 SPIELER Adler\n";

#[test]
fn a_blow_alone_supported_and_from_above() {
    let fight: &[(&str, Seen)] = &[
        ("chance-kill", |state| !is_there(state, "S", 9)),
        ("chance-nobody", |state| {
            is_there(state, "S", 9) && is_there(state, "LB", 1)
        }),
        ("chance-death", |state| !is_there(state, "LB", 1)),
    ];
    let plain = "figure Adler LB 1 at 26\nfigure Adler S 2 at 26\nfigure Bär S 9 at 27\nfigure Bär S 10 at 30";
    holds(plain, "", "LB#1", "ANGRIFF LB#1 -> S#9", fight);
    holds(plain, "", "LB#1", "ANGRIFF LB#1 MIT S#2 -> S#9", fight);
    let uphill = format!("field 27 highland\n{plain}");
    holds(&uphill, "", "LB#1", "ANGRIFF LB#1 -> S#9", fight);
}

#[test]
fn an_arrow_over_some_fields_into_a_wood() {
    let shot: &[(&str, Seen)] = &[
        ("chance-hit", |state| !is_there(state, "S", 9)),
        ("chance-miss", |state| is_there(state, "S", 9)),
    ];
    let lines = "field 28 lowland-forest\nfigure Adler BB 1 at 26\nfigure Bär S 9 at 28\nfigure Bär S 10 at 30";
    holds(lines, "", "BB#1", "SCHUSS BB#1 -> S#9", shot);
}

#[test]
fn a_throw_of_an_onager() {
    // Devices never survive a hit.
    let throw: &[(&str, Seen)] = &[
        ("chance-hit", |state| !is_there(state, "Le", 9)),
        ("chance-miss", |state| is_there(state, "Le", 9)),
    ];
    let lines =
        "figure Adler On 1 at 24 facing O\nfigure Adler S 1..2 at 24\nfigure Bär Le 9 at 28\nfigure Bär S 9..10 at 28";
    holds(lines, "", "On#1", "WURF On#1 S#1 -> 28", throw);
}

#[test]
fn pitch_on_men_and_devices() {
    let pitch: &[(&str, Seen)] = &[
        ("chance-each-perishes", |state| !is_there(state, "S", 9)),
        ("chance-each-burns", |state| !is_there(state, "Wi", 9)),
    ];
    let lines = "tower Adler 26 gate W\nfigure Adler S 1 at 26.P\nfigure Bär Wi 9 at 25\nfigure Bär S 9..10 at 25";
    holds(lines, "", "S#1", "PECH 26.P -> 25", pitch);
}

#[test]
fn a_ram_and_an_elephant_at_a_gate() {
    fn broken(state: &State) -> bool {
        let cell = state.position.board.cell(None, 26).expect("a field");
        let building = state.position.board.building(cell).expect("a tower");
        building.storeys[0]
            .walls
            .contains(&Some(armageddon::kinds::Fitting::Broken))
    }
    let gate: &[(&str, Seen)] = &[("chance-breaks", broken), ("chance-holds", |state| !broken(state))];
    let tower = "tower Bär 26 gate W\nfigure Bär S 9 at 26\n";
    let ram = format!("{tower}figure Adler Wi 1 at 25\nfigure Adler S 1..2 at 25");
    holds(&ram, "", "Wi#1", "RAMME Wi#1 -> 26.0-W", gate);
    let elephant = format!("{tower}figure Adler El 1 at 25\nfigure Adler S 1 on El#1");
    holds(&elephant, "", "El#1", "RAMME El#1 -> 26.0-W", gate);
}

#[test]
fn trampling_by_an_elephant_and_by_a_team() {
    fn at(state: &State, kind: &str, number: u16, field: u16) -> bool {
        let kind = Kind::from_code(kind).expect("a kind");
        let id = state.position.find(kind, number).expect("a figure");
        state.position.cell_of(id) == state.position.board.cell(None, field)
    }
    let elephant: &[(&str, Seen)] = &[
        ("chance-way-clear", |state| at(state, "El", 1, 27)),
        ("chance-turns-back", |state| at(state, "El", 1, 26)),
        ("chance-animals-fall", |state| !is_there(state, "El", 1)),
    ];
    let lines = "figure Adler El 1 at 26\nfigure Adler S 1 on El#1\nfigure Bär LB 9..12 at 27\nfigure Bär S 10 at 30";
    holds(lines, "", "El#1", "ZIEHE El#1 26>27", elephant);
    let team: &[(&str, Seen)] = &[
        ("chance-way-clear", |state| {
            (1..=2).any(|number| at(state, "QsP", number, 27))
        }),
        ("chance-turns-back", |state| {
            (1..=2).any(|number| at(state, "QsP", number, 26))
        }),
        ("chance-animals-fall", |state| {
            (1..=2).all(|number| !is_there(state, "QsP", number))
        }),
    ];
    let lines = "figure Adler QuW 1 at 25 facing O\nfigure Adler S 1 on QuW#1\nfigure Adler QsP 1..2 at 26\nheld QsP#1 by QuW#1\nheld QsP#2 by QuW#1\nfigure Bär S 9..12 at 27\nfigure Bär S 13 at 30";
    holds(lines, "", "QuW#1", "ZIEHE QuW#1 25>27", team);
}

#[test]
fn ships_that_ram() {
    let ram: &[(&str, Seen)] = &[
        ("chance-hit", |state| !is_there(state, "SS", 9)),
        ("chance-miss", |state| is_there(state, "SS", 9)),
    ];
    let lines = "fill water\nfield 44-48 lowland\nwind O calm\nfigure Adler LS 1 at 24 facing O\nfigure Adler S 1 on LS#1\nfigure Adler S 2 on LS#1.stern\nfigure Bär SS 9 at 28 facing O\nfigure Bär L 9 on SS#9\nfigure Bär L 10 on SS#9.stern";
    let before = format!("{HEAD}ZIEHE LS#1 24>25>26\n");
    holds(lines, &before, "LS#1", "RAMMSTOSS LS#1 -> SS#9", ram);
}

#[test]
fn the_weight_of_a_phalanx() {
    let blow: &[(&str, Seen)] = &[("chance-each-falls", |state| !is_there(state, "S", 9))];
    let lines = "figure Adler LB 1..4 at 25\nfigure Bär S 9..10 at 27\nfigure Bär S 11 at 30";
    let before = format!("{HEAD}PHALANX 25 O\nZIEHE LB#1 25>26\n");
    holds(lines, &before, "LB#1", "WUCHT 26 -> 27", blow);
}

#[test]
fn a_duel_of_wizards() {
    fn mortal(state: &State, number: u16) -> bool {
        let id = state.position.find(Kind::Wizard, number).expect("a wizard");
        state.position.figure(id).is_some_and(|figure| figure.mortal)
    }
    let duel: &[(&str, Seen)] = &[
        ("chance-win", |state| mortal(state, 9)),
        ("chance-lose", |state| mortal(state, 1)),
    ];
    let lines = "figure Adler Z 1 at ^25\nfigure Adler S 1 at 20\nfigure Bär Z 9 at ^27\nfigure Bär S 9 at 30";
    holds(lines, "", "Z#1", "DUELL Z#1 -> Z#9", duel);
}

#[test]
fn a_spell_that_the_enemy_tries_to_dispel() {
    let spell: &[(&str, Seen)] = &[("chance-dispelled", |state| {
        let id = state.position.find(Kind::from_code("S").expect("a kind"), 9);
        let figure = id.and_then(|id| state.position.figure(id)).expect("a figure");
        figure.spell.is_none()
    })];
    let lines = "figure Adler Z 1 at ^25\nfigure Adler S 1 at 20\nfigure Bär Z 9 at ^30\nfigure Bär S 9..12 at 27\nunits Bär 100\ncourse Bär dispel-from 1";
    holds(lines, "", "Z#1", "ZAUBER LAEHMEN 27", spell);
}

#[test]
fn ladders_ropes_devices_and_ascents() {
    let tower = "tower Bär 26 gate W\nfigure Bär S 9 at 26.P\nfigure Bär S 10 at 30\n";
    let rope: &[(&str, Seen)] = &[
        ("chance-success", |state| {
            let id = state.position.find(Kind::Rope, 1).expect("a rope");
            state.position.figure(id).is_some_and(|figure| figure.leans.is_some())
        }),
        ("chance-failure", |state| {
            let id = state.position.find(Kind::Rope, 1).expect("a rope");
            state.position.figure(id).is_some_and(|figure| figure.leans.is_none())
        }),
    ];
    let lines = format!("{tower}figure Adler Se 1 at 25\nfigure Adler S 1 at 25");
    holds(&lines, "", "Se#1", "SEIL WIRF Se#1 26", rope);
    let destroyed: &[(&str, Seen)] = &[
        ("chance-success", |state| !is_there(state, "On", 1)),
        ("chance-failure", |state| is_there(state, "On", 1)),
    ];
    let lines = "figure Adler On 1 at 25 facing O\nfigure Adler S 1 at 25\nfigure Bär S 9 at 30";
    holds(lines, "", "On#1", "ZERSTOERE On#1", destroyed);
}
