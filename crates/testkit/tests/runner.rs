//! The runner is run on itself: every file of `scenarios/_runner` must pass, and those that must fail for the right reason.

use std::path::PathBuf;
use testkit::press::PlainPress;
use testkit::stages::{self, AnyStage, Staged, Verdict};
use testkit::toy::Toy;

fn verdicts() -> Vec<Verdict> {
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).expect("the workspace");
    let files = stages::find(&[PathBuf::from("scenarios/_runner")]).expect("the folder of the runner's own scenarios");
    let toy = Staged::<Toy>::new();
    let list: [&dyn AnyStage; 1] = [&toy];
    stages::judge_files(&list, &files, &PlainPress, &mut |verdict| print!("{}", verdict.text()))
}

#[test]
fn the_runners_own_scenarios_pass_and_those_that_must_fail_do() {
    let verdicts = verdicts();
    let failed: Vec<String> = verdicts
        .iter()
        .filter(|verdict| !verdict.passed())
        .map(Verdict::text)
        .collect();
    assert!(failed.is_empty(), "\n{}", failed.join("\n"));
    assert!(verdicts.iter().filter(|verdict| verdict.must_fail).count() >= 20);
}
