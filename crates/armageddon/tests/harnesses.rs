//! Leaks, replays and broken scripts: a short run of what `briefwelt campaign` does at length.

use armageddon::Armageddon;
use testkit::press::RenderPress;
use testkit::{leaks, mutants, replay};

/// `SOAK` multiplies the number of battles and files.
fn rounds(number: u64) -> u64 {
    let factor = std::env::var("SOAK")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1);
    number * factor
}

#[test]
fn secrets_of_others_change_no_byte_of_what_a_player_receives() {
    let tally = leaks::search::<Armageddon>(0..rounds(3), &RenderPress, &mut |_| {});
    println!("{}", tally.text());
    assert!(tally.leaks.is_empty(), "{}", tally.leaks[0]);
    assert_eq!(tally.idle, 0);
}

#[test]
fn a_step_can_be_run_again_in_any_order_and_from_what_is_stored() {
    for seed in 0..rounds(3) {
        if let Err(message) = replay::replay::<Armageddon>(seed, 4) {
            panic!("{message}");
        }
    }
}

#[test]
fn every_line_of_a_broken_script_is_accounted_for() {
    let tally = mutants::check::<Armageddon>(1, rounds(100), &mut |_| {});
    println!("{}", tally.text());
    assert!(
        tally.faults.is_empty(),
        "{} faults, first: {}",
        tally.faults.len(),
        tally.faults[0]
    );
}
