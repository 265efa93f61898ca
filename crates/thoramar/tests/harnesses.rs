//! Leaks, replays and broken order files: a short run of what `briefwelt campaign` does at length.

use testkit::harness;
use thoramar::Thoramar;

#[test]
fn what_a_realm_cannot_know_changes_no_byte_of_what_it_receives() {
    harness::nothing_leaks::<Thoramar>(2);
}

#[test]
fn whatever_is_secret_differs_in_some_twin() {
    harness::every_secret_is_put_to_the_test::<Thoramar>(20);
}

#[test]
fn a_turn_can_be_run_again_in_any_order_and_from_what_is_stored() {
    harness::runs_again::<Thoramar>(2, 3);
}

#[test]
fn every_line_of_a_broken_order_file_is_accounted_for() {
    harness::every_line_is_accounted_for::<Thoramar>(100);
}
