//! The runner is run on itself: every file of `scenarios/_runner` must pass, and those that must fail for the right reason.

use std::path::PathBuf;
use testkit::shown::Telling;
use testkit::stages::{self, AnyStage, Staged, Verdict};
use testkit::toy::Toy;

fn verdicts() -> Vec<Verdict> {
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).expect("the workspace");
    let files = stages::find(&[PathBuf::from("scenarios/_runner")]).expect("the folder of the runner's own scenarios");
    let toy = Staged::<Toy>::wordless();
    let list: [&dyn AnyStage; 1] = [&toy];
    stages::judge_files(&list, &files, Telling::Verdict, &mut |verdict| {
        print!("{}", verdict.text())
    })
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

#[test]
fn what_a_step_did_is_shown_in_lines_that_a_scenario_can_demand() {
    let scenario = |dice: &str, expect: &str| {
        format!(
            "# Digging and marching too far\nrules: TOY-DIG-01, TOY-MARCH-02\n\n```world\nhost Adler at 0 gold 10\nhost Bär at 5 gold 10\n```\n\
             ```orders Adler\nDIG\nMARCH 11\n```\n```dice\n{dice}\n```\n```expect\n{expect}\n```\n"
        )
    };
    let toy = Staged::<Toy>::wordless();
    let judged = |text: &str, telling| stages::judge(&[&toy], "toy/a.md", text.as_bytes(), telling);
    let first = judged(&scenario("typical 50", "anything"), Telling::Steps);
    assert_eq!(first.failures, Vec::new());
    // The lines below a heading, as they are.
    let below = |heading: &str| -> Vec<String> {
        let lines = first.shown.lines().skip_while(|line| line.trim() != heading).skip(1);
        let lines = lines.take_while(|line| line.starts_with("    "));
        lines.map(|line| line.trim().to_owned()).collect()
    };
    let demands: Vec<String> = ["facts that changed", "events", "findings", "told"]
        .into_iter()
        .flat_map(below)
        .collect();
    assert!(
        demands
            .iter()
            .any(|line| line.starts_with("refused Adler line 2 beyond-the-edge"))
    );
    assert!(demands.iter().any(|line| line == "told Bär: nothing"));
    assert!(
        demands
            .iter()
            .any(|line| line.starts_with("event TOY-DIG-01 Adler gained"))
    );
    let again = judged(
        &scenario(&below("dice").join("\n"), &demands.join("\n")),
        Telling::Verdict,
    );
    assert_eq!(again.failures, Vec::new());
    assert_eq!(again.shown, "");
    assert!(!first.shown.contains("report Adler"));
    assert!(
        judged(&scenario("typical 50", "anything"), Telling::Reports)
            .shown
            .contains("report Adler")
    );
}
