//! Plays every scenario of THORAMAR. To play some of them, name files or folders, relative to the workspace:
//! `SCENARIO=scenarios/thoramar/movement cargo test -p thoramar --test scenarios -- --nocapture`.

use std::path::Path;
use testkit::stages::{self, Staged};

#[test]
fn every_scenario_passes() {
    let workspace = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    stages::every_scenario_passes(&Staged::<thoramar::Thoramar>::new(), workspace);
}
