//! A short run of what `briefwelt campaign` does at length, for the tests of a game. `SOAK` multiplies worlds and files.

use crate::press::RenderPress;
use crate::{leaks, mutants, replay};
use kernel::campaign::Campaign;

fn rounds(number: u64) -> u64 {
    let factor = std::env::var("SOAK")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1);
    number * factor
}

/// What a realm cannot know changes no byte of what it receives, and every twin differed in something.
///
/// # Panics
/// If something leaks.
pub fn nothing_leaks<G: Campaign>(worlds: u64) {
    let tally = leaks::search::<G>(0..rounds(worlds), &RenderPress, &mut |_| {});
    println!("{}", tally.text());
    assert!(tally.leaks.is_empty(), "{}", tally.leaks[0]);
    assert_eq!(tally.idle, 0);
}

/// Everything that is secret differs in some twin, so that a leak of it would be seen.
///
/// # Panics
/// If something secret stands alike in all twins of these worlds.
pub fn every_secret_is_put_to_the_test<G: Campaign>(worlds: u64) {
    let ill_proven = leaks::ill_proven::<G>(0..rounds(worlds));
    assert!(ill_proven.is_empty(), "{ill_proven:#?}");
}

/// Steps can be run again, in any order of submission and from what is stored.
///
/// # Panics
/// If a second run ends otherwise.
pub fn runs_again<G: Campaign>(worlds: u64, steps: u32) {
    for seed in 0..rounds(worlds) {
        let run = replay::replay::<G>(seed, steps);
        assert!(run.is_ok(), "{run:?}");
    }
}

/// Every line of a broken order file is an order, a comment or a finding.
///
/// # Panics
/// If one is none of these.
pub fn every_line_is_accounted_for<G: Campaign>(files: u64) {
    let tally = mutants::check::<G>(1, rounds(files), &mut |_| {});
    println!("{}", tally.text());
    assert!(
        tally.faults.is_empty(),
        "{} faults, first: {}",
        tally.faults.len(),
        tally.faults[0]
    );
}
