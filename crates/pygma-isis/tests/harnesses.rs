//! Leaks, replays and broken order files: a short run of what `briefwelt campaign` does at length.

use kernel::campaign::Campaign;
use kernel::dice::{Dice, WorldSecret};
use kernel::game::{Brief, Game};
use kernel::realm::{RealmId, Viewer};
use kernel::stage::{Stage, StageLine};
use kernel::turn::Input;
use pygma_isis::PygmaIsis;
use pygma_isis::lanes::LANES_MAX;
use pygma_isis::state::State;
use pygma_isis::tables::Tables;
use pygma_isis::view::View;
use std::time::{Duration, Instant};
use testkit::harness;

#[test]
fn what_a_realm_cannot_know_changes_no_byte_of_what_it_receives() {
    harness::nothing_leaks::<PygmaIsis>(2);
}

#[test]
fn whatever_is_secret_differs_in_some_twin() {
    harness::every_secret_is_put_to_the_test::<PygmaIsis>(20);
}

#[test]
fn the_treasury_next_door_is_put_to_the_test_too() {
    let mut tried = 0;
    for seed in 0..10 {
        let setting = PygmaIsis::setting(&mut Dice::Keyed(WorldSecret([seed; 32]).step(0))).expect("a world");
        // The realms live in two pairs.
        for (viewer, neighbour) in [(1, 2), (2, 1), (3, 4), (4, 3)].map(|(one, two)| (RealmId(one), RealmId(two))) {
            let mut dice = Dice::Keyed(WorldSecret([seed; 32]).step(1));
            let twin = PygmaIsis::scramble(&setting, viewer, 1, &mut dice);
            let gold = |state: &State| state.realms.get(&neighbour).map(|own| own.treasury);
            tried += usize::from(gold(&setting.state) != gold(&twin.state));
        }
    }
    assert!(tried >= 10, "in {tried} of 40 twins");
}

#[test]
fn a_month_can_be_run_again_in_any_order_and_from_what_is_stored() {
    harness::runs_again::<PygmaIsis>(2, 3);
}

#[test]
fn every_line_of_a_broken_order_file_is_accounted_for() {
    harness::every_line_is_accounted_for::<PygmaIsis>(60);
}

/// Longest time for reading and checking a file of the greatest size in a test build on a busy machine. What grew with the square of the
/// file took ten and twenty seconds.
const TIME_MAX: Duration = Duration::from_secs(4);

/// The book's figures, and what the first realm of a random world knows before an arming month, when most can be ordered.
fn before_an_arming_month() -> (Tables, View) {
    let tables = PygmaIsis::tables("").expect("the book's figures");
    let views = (0..).map(|seed| {
        let setting = PygmaIsis::setting(&mut Dice::Keyed(WorldSecret([seed; 32]).step(0))).expect("a world");
        let realm = setting.state.playing().next().expect("a realm");
        let brief = Brief {
            viewer: Viewer::Realm(realm),
            told: Vec::new(),
            diagnostics: Vec::new(),
        };
        PygmaIsis::view(&tables, &setting.state, brief)
    });
    let view = views
        .into_iter()
        .find(|view| tables.is_arming(view.step + 1))
        .expect("one of eight months");
    (tables, view)
}

fn assert_quick(tables: &Tables, view: &View, file: &str) {
    let start = Instant::now();
    kernel::any::check::<PygmaIsis>(tables, view, file.as_bytes());
    let time = start.elapsed();
    let begin: String = file.chars().take(40).collect();
    assert!(time < TIME_MAX, "{begin}…: {} ms", time.as_millis());
}

#[test]
fn a_line_as_long_as_a_file_may_be_takes_no_longer_than_many_short_ones() {
    let (tables, view) = before_an_arming_month();
    for (begin, piece, sign) in [
        ("", "A", ""),
        ("", "ä", ""),
        ("", "ZUG", " "),
        ("ZUG ", "A", ""),
        ("ZUG KH 1: ", "1/01", ">"),
        ("ZUG KH 1: 1/01; ", "A", ""),
        ("ZUG KH 1: 1/01; ", "EIN FH1", ","),
        ("ZUG KH 1: 1/01; ", "NEUTRAL", ","),
        ("ZUG FH 1: 1/01; mit ", "KH1", "+"),
        ("ZUG H 1: 1/01; ", "LOESCHEN AN H1", ","),
        ("SOLD ", "KH1", ","),
        ("LADE H 1 ", "Wein 1", ","),
        ("STRASSE ", "1/01", ">"),
        ("SEEWEG Weg: ", "1/01", ">"),
        ("REICH ", "A", " "),
    ] {
        let count = kernel::limits::ORDER_FILE_BYTES / (piece.len() + sign.len()) - begin.len();
        assert_quick(&tables, &view, &(begin.to_owned() + &vec![piece; count].join(sign)));
    }
}

#[test]
fn as_many_orders_as_a_file_may_have_are_checked_in_a_moment() {
    let (tables, view) = before_an_arming_month();
    let home = view.books.as_ref().map(|books| books.home).expect("a ruler");
    for order in [
        "RUESTE KH NUMBER 1000 IN HOME",
        "RUESTE FH NUMBER 10 IN HOME",
        "STATIONIERE KH NUMBER",
        "TEILE KH 1 > KH NUMBER 1000",
        "VEREINE KH NUMBER > KH 1 VORHER",
        "BEFEHL KH 1 A",
        "ZUG KH 1: HOME; A",
        "STRASSE HOME > HOME",
        "SEEWEG WegNUMBER: HOME > HOME",
        "SIEDLUNG HOME",
        "AUSBAU HOME",
        "WACHSTUM HOME 1",
        "BAU FESTUNG HOME",
        "HANDELSSTADT HOME",
        "HAENDLER H NUMBER IN HOME",
        "PRODUKTION HOME Getreide Getreide Getreide",
        "FOERDERE Ebene Getreide 1",
        "SOLD KH 1",
        "HYGIENE 1",
        "Unsinn",
    ] {
        let line = |number: usize| {
            let number = (number % 999 + 1).to_string();
            order.replace("NUMBER", &number).replace("HOME", &home.to_string())
        };
        let lines: Vec<String> = (0..kernel::limits::ORDER_FILE_LINES).map(line).collect();
        assert_quick(&tables, &view, &lines.join("\n"));
    }
}

#[test]
fn a_realm_has_at_most_a_hundred_sea_lanes_and_may_lay_each_of_them_anew() {
    let tables = PygmaIsis::tables("").expect("the book's figures");
    let lines = ["fill SA", "map 5/11 EB Adler HPT   5/13 EB Adler HST"];
    let world = PygmaIsis::world(&tables, "", &StageLine::numbered(lines)).expect("a world");
    let seat = PygmaIsis::seat(&tables, &world, RealmId(1)).expect("a seat");
    let lane = |number: usize| format!("SEEWEG Weg{number}: 5/16 > 5/17\n");
    let mut file: String = (1..=LANES_MAX + 1).map(lane).collect();
    file.push_str("SEEWEG Weg1: 5/16 > 5/17 > 5/18\n");
    let mut input = Input::<PygmaIsis>::default();
    input
        .orders
        .insert(seat.realm, PygmaIsis::parse(&tables, &seat, file.as_bytes()));
    let outcome = kernel::game::run::<PygmaIsis>(&tables, world, &input, Dice::Typical(50));
    let lanes = &outcome.state.realms[&seat.realm].lanes;
    assert_eq!((lanes.len(), lanes["Weg1"].fields.len()), (LANES_MAX, 3));
    let refused: Vec<(&str, u32)> = outcome.refusals[&seat.realm]
        .iter()
        .map(|finding| (&*finding.code, finding.span.line))
        .collect();
    assert_eq!(refused, [("E_LIMIT", 101)]);
}
