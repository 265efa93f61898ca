//! Plays every scenario of PYGMA-ISIS. To play some of them, name files or folders, relative to the workspace:
//! `SCENARIO=scenarios/pygma-isis/goods cargo test -p pygma-isis --test scenarios -- --nocapture`.

use std::path::Path;
use testkit::stages::{self, Staged};

#[test]
fn every_scenario_passes() {
    let workspace = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    stages::every_scenario_passes(&Staged::<pygma_isis::PygmaIsis>::new(), workspace);
}
