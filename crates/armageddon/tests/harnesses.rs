//! Leaks, replays and broken scripts: a short run of what `briefwelt campaign` does at length.

use armageddon::Armageddon;
use testkit::harness;

#[test]
fn whatever_is_secret_differs_in_some_twin() {
    harness::every_secret_is_put_to_the_test::<Armageddon>(20);
}

#[test]
fn secrets_of_others_change_no_byte_of_what_a_player_receives() {
    harness::nothing_leaks::<Armageddon>(3);
}

#[test]
fn a_step_can_be_run_again_in_any_order_and_from_what_is_stored() {
    harness::runs_again::<Armageddon>(3, 4);
}

#[test]
fn every_line_of_a_broken_script_is_accounted_for() {
    harness::every_line_is_accounted_for::<Armageddon>(100);
}
