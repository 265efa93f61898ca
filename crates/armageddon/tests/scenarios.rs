//! Plays every scenario of ARMAGEDDON. To play some of them, name files or folders, relative to the workspace:
//! `SCENARIO=scenarios/armageddon/steps cargo test -p armageddon --test scenarios -- --nocapture`.

use std::path::{Path, PathBuf};
use testkit::stages::{self, Staged};

#[test]
fn every_scenario_passes() {
    let workspace = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    stages::every_scenario_passes(&Staged::<armageddon::Armageddon>::new(), workspace);
}

/// Values that no scenario of the board can show: there is one setting only, or nothing on a board alone asks for it.
const ONE_SETTING: [(&str, &str); 3] = [
    ("sequence", "acts_in_order"),
    // Arms units lie in treasuries, not on boards.
    ("transport", "load_per_warrior"),
    ("transport", "load_per_merchant"),
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("a file").path())
    {
        if entry.is_dir() {
            files(&entry, found);
        } else {
            found.push(entry);
        }
    }
}

/// The house rules of a scenario.
fn house(text: &str) -> toml::Table {
    let block = text
        .split("```house\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    block.unwrap_or_default().parse().expect("TOML")
}

#[test]
fn every_ruling_is_shown_at_another_value_than_the_books() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let book = std::fs::read_to_string(root.join("data/armageddon/battle.toml")).expect("the book");
    let book: toml::Table = book.parse().expect("TOML");
    let mut all = Vec::new();
    files(&root.join("scenarios/armageddon"), &mut all);
    let houses: Vec<toml::Table> = all
        .iter()
        .map(|file| house(&std::fs::read_to_string(file).expect("a scenario")))
        .collect();
    for (section, values) in &book {
        for (key, value) in values.as_table().expect("a section") {
            let other = |house: &toml::Table| {
                let said = house.get(section).and_then(|section| section.get(key));
                said.is_some_and(|said| said != value)
            };
            let exempt = ONE_SETTING.contains(&(section.as_str(), key.as_str()));
            assert_ne!(houses.iter().any(other), exempt, "[{section}] {key} = {value}");
        }
    }
}
