//! Plays every scenario of PYGMA-ISIS. To play some of them, name files or folders, relative to the workspace:
//! `SCENARIO=scenarios/pygma-isis/goods cargo test -p pygma-isis --test scenarios -- --nocapture`.

use pygma_isis::PygmaIsis;
use std::path::PathBuf;
use testkit::press::RenderPress;
use testkit::stages::{self, AnyStage, Staged, Verdict};

#[test]
fn every_scenario_passes() {
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).expect("the workspace");
    let named = std::env::var("SCENARIO").unwrap_or_else(|_| "scenarios/pygma-isis".to_owned());
    let paths: Vec<PathBuf> = named.split_whitespace().map(PathBuf::from).collect();
    let files = stages::find(&paths).expect("the scenarios named by SCENARIO");
    let game = Staged::<PygmaIsis>::new();
    let list: [&dyn AnyStage; 1] = [&game];
    let verdicts = stages::judge_files(&list, &files, &RenderPress, &mut |verdict| print!("{}", verdict.text()));
    println!("{}", stages::summary(&verdicts));
    let failed: Vec<&str> = verdicts
        .iter()
        .filter(|v| !v.passed())
        .map(|v| v.file.as_str())
        .collect();
    assert!(failed.is_empty(), "failed: {failed:#?}");
    assert!(
        verdicts
            .iter()
            .all(|verdict: &Verdict| verdict.game == Some("pygma-isis"))
    );
}
