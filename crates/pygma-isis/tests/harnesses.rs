//! Leaks, replays and broken order files: a short run of what `briefwelt campaign` does at length.

use pygma_isis::PygmaIsis;
use testkit::press::RenderPress;
use testkit::{leaks, mutants, replay};

/// `SOAK` multiplies the number of worlds and files.
fn rounds(number: u64) -> u64 {
    let factor = std::env::var("SOAK")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1);
    number * factor
}

#[test]
fn what_a_realm_cannot_know_changes_no_byte_of_what_it_receives() {
    let tally = leaks::search::<PygmaIsis>(0..rounds(2), &RenderPress, &mut |_| {});
    println!("{}", tally.text());
    assert!(tally.leaks.is_empty(), "{}", tally.leaks[0]);
    assert_eq!(tally.idle, 0);
}

#[test]
fn a_month_can_be_run_again_in_any_order_and_from_what_is_stored() {
    for seed in 0..rounds(2) {
        if let Err(message) = replay::replay::<PygmaIsis>(seed, 3) {
            panic!("{message}");
        }
    }
}

#[test]
fn every_line_of_a_broken_order_file_is_accounted_for() {
    let tally = mutants::check::<PygmaIsis>(1, rounds(60), &mut |_| {});
    println!("{}", tally.text());
    assert!(
        tally.faults.is_empty(),
        "{} faults, first: {}",
        tally.faults.len(),
        tally.faults[0]
    );
}
