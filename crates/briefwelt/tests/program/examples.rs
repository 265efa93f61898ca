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

#[test]
fn the_first_scenario_of_the_page_tells_what_it_leaves_out_and_passes_once_that_is_named() {
    let page = include_str!("../../../../docs/scenarios.md");
    let desk = Desk::empty();
    let strict = scenarios(page)[0].replace("else anything\n", "");
    desk.write("my-first.md", &strict);
    let told = desk.say("scenario my-first.md");
    let shown: Vec<&str> = page.lines().filter(|line| line.starts_with("  my-first.md:")).collect();
    assert_eq!((told.code, shown.len()), (1, 2), "{}", told.out);
    for line in shown {
        assert!(told.out.contains(line), "{line}\n{}", told.out);
    }
    let named = "army Adler K.M 1: at 1/0, command E\nfield 1/0: owner Adler, unrest 8\n";
    assert!(page.contains(named));
    desk.write("my-first.md", strict.replace("army Adler K.M 1: at 1/0\n", named));
    let told = desk.say("scenario my-first.md");
    assert_eq!(told.code, 0, "{}", told.out);
}
