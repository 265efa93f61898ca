//! Leaks, replays and broken order files: a short run of what `briefwelt campaign` does at length.

use kernel::campaign::Campaign;
use kernel::dice::{Dice, WorldSecret};
use kernel::game::{Brief, Game};
use kernel::realm::Viewer;
use pygma_isis::PygmaIsis;
use std::time::{Duration, Instant};
use testkit::harness;

#[test]
fn what_a_realm_cannot_know_changes_no_byte_of_what_it_receives() {
    harness::nothing_leaks::<PygmaIsis>(2);
}

#[test]
fn a_month_can_be_run_again_in_any_order_and_from_what_is_stored() {
    harness::runs_again::<PygmaIsis>(2, 3);
}

#[test]
fn every_line_of_a_broken_order_file_is_accounted_for() {
    harness::every_line_is_accounted_for::<PygmaIsis>(60);
}

/// Longest time for reading and checking a file of the greatest size in a test build on a busy machine. What grew with the square of a line's
/// length took twenty seconds.
const TIME_MAX: Duration = Duration::from_secs(3);

#[test]
fn a_line_as_long_as_a_file_may_be_takes_no_longer_than_many_short_ones() {
    let tables = PygmaIsis::tables("").expect("the book's figures");
    let setting = PygmaIsis::setting(&mut Dice::Keyed(WorldSecret([1; 32]).step(0))).expect("a world");
    let realm = setting.state.playing().into_iter().next().expect("a realm");
    let brief = Brief {
        viewer: Viewer::Realm(realm),
        told: Vec::new(),
        diagnostics: Vec::new(),
    };
    let view = PygmaIsis::view(&tables, &setting.state, brief);
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
        let file = begin.to_owned() + &vec![piece; count].join(sign);
        let start = Instant::now();
        kernel::any::check::<PygmaIsis>(&tables, &view, file.as_bytes());
        let time = start.elapsed();
        assert!(time < TIME_MAX, "{begin}{piece}{sign}…: {} ms", time.as_millis());
    }
}
