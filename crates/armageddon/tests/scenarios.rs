//! Plays every scenario of ARMAGEDDON. To play some of them, name files or folders, relative to the workspace:
//! `SCENARIO=scenarios/armageddon/steps cargo test -p armageddon --test scenarios -- --nocapture`.

use std::path::Path;
use testkit::stages::{self, Staged};

#[test]
fn every_scenario_passes() {
    let workspace = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    stages::every_scenario_passes(&Staged::<armageddon::Armageddon>::new(), workspace);
}
