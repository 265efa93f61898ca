//! What the documentation shows works as it stands there.

use crate::desk::Desk;

/// The fenced blocks of a page that hold whole scenarios.
fn scenarios(page: &str) -> Vec<&str> {
    let blocks = page.split("````markdown\n").skip(1);
    let blocks = blocks.filter_map(|rest| rest.split("````").next());
    blocks.filter(|block| block.starts_with("# ")).collect()
}

#[test]
fn every_scenario_of_the_page_on_scenarios_passes() {
    let page = include_str!("../../../../docs/scenarios.md");
    let desk = Desk::empty();
    let scenarios = scenarios(page);
    assert!(scenarios.len() >= 4, "one for the runner and one for every game");
    for (number, scenario) in scenarios.iter().enumerate() {
        let name = format!("example-{number}.md");
        desk.write(&name, scenario);
        let told = desk.say(&format!("scenario {name}"));
        assert_eq!(told.code, 0, "{}{}", told.out, told.err);
    }
}
