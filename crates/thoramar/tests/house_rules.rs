//! The list of what a world may change: complete, within its own bounds, and every entry has its reasons.

mod support;

use kernel::dice::WorldSecret;
use kernel::form::{Input, Values};
use kernel::game::{SeatPlan, WorldPlan};
use kernel::guide::AnyGuide;
use std::collections::BTreeSet;
use support::GAME;
use thoramar::tables::Tables;

#[test]
fn every_ruling_of_the_data_files_is_in_the_list() {
    let list = GAME.house_rules();
    let keys: BTreeSet<&str> = list.iter().map(|rule| rule.key.as_str()).collect();
    for key in [
        "world.columns",
        "combat.luck_spread_pct",
        "t01_movement.K.M",
        "t05.HST.price",
        "t07.tla.income",
        "build.damage_factor.L",
        "rounding.losses",
        "t06_upgrade.BRG.STD",
        "report.pc_charset",
    ] {
        assert!(keys.contains(key), "{key}");
    }
    assert_eq!(keys.len(), list.len(), "no key twice");
    // What the files say is in the list, with what they say.
    let world = include_str!("../../../data/thoramar/world.toml")
        .parse::<toml::Table>()
        .expect("TOML");
    let sections = world.iter().filter_map(|(name, value)| Some((name, value.as_table()?)));
    for (section, table) in sections {
        for (key, value) in table.iter().filter(|(_, value)| !value.is_table()) {
            let path = format!("{section}.{key}");
            let rule = list
                .iter()
                .find(|rule| rule.key == path)
                .unwrap_or_else(|| panic!("{path} is missing"));
            let expected = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            assert_eq!(rule.default, expected, "{path}");
        }
    }
}

#[test]
fn every_entry_names_rules_and_keeps_its_own_bounds() {
    let known: BTreeSet<&str> = thoramar::rule::RULES.iter().map(|rule| rule.id.as_str()).collect();
    for rule in GAME.house_rules() {
        assert!(
            !rule.rules.is_empty() && rule.rules.iter().all(|id| known.contains(id.as_ref())),
            "{}",
            rule.key
        );
        if rule.default.is_empty() {
            continue;
        }
        match &rule.input {
            Input::Number { min, max } => {
                let number: i64 = rule
                    .default
                    .parse()
                    .unwrap_or_else(|_| panic!("{}: {}", rule.key, rule.default));
                assert!((*min..=*max).contains(&number), "{}", rule.key);
            }
            Input::Choice { choices } => {
                assert!(
                    choices.iter().any(|choice| choice.value == rule.default),
                    "{}",
                    rule.key
                );
            }
            Input::Flag => assert!(matches!(rule.default.as_str(), "true" | "false"), "{}", rule.key),
            _ => {}
        }
    }
}

#[test]
fn codes_are_named_in_their_own_case_and_every_rule_once() {
    let list = GAME.house_rules();
    let rule = |key: &str| list.iter().find(|rule| rule.key == key).expect(key);
    // `hst` is highland steppe, `HST` the capital.
    assert_eq!(rule("t07.hst.income").item_label, "terrain-hst");
    assert_eq!(rule("t05.HST.price").item_label, "building-HST");
    assert_eq!(rule("build.damage_factor.L").item_label, "condition-L");
    let label = |key: &str, value: &str| match &rule(key).input {
        Input::Choice { choices } => choices
            .iter()
            .find(|choice| choice.value == value)
            .map(|choice| choice.label.to_string()),
        _ => None,
    };
    for (key, value, name) in [
        ("conquest.captured_capital", "HST", "building-HST"),
        ("world.capital_terrain", "hst", "terrain-hst"),
        ("absence.command", "Z", "command-destroy"),
        ("gate.initial_state", "R", "condition-R"),
    ] {
        assert_eq!(label(key, value).as_deref(), Some(name), "{key}");
    }
    // What the game would refuse under a capital is not offered.
    for value in ["was", "tse", "ubk"] {
        assert_eq!(label("world.capital_terrain", value), None, "{value}");
    }
    for rule in &list {
        let named: BTreeSet<&str> = rule.rules.iter().map(|id| &**id).collect();
        assert_eq!(named.len(), rule.rules.len(), "{}", rule.key);
    }
}

#[test]
fn what_the_book_says_writes_nothing_and_changes_write_house_rules_that_hold() {
    let book: Values = GAME
        .house_rules()
        .into_iter()
        .map(|rule| (rule.key, rule.default))
        .collect();
    assert_eq!(GAME.write_house_rules(&book).as_deref(), Ok(""));
    let mut changed = book;
    for (key, value) in [
        ("combat.luck_spread_pct", "5"),
        ("t01_movement.K.M", "7"),
        ("economy.debts_allowed", "true"),
        ("movement.meeting_stop", "week"),
        ("loss.river", "[1, 2]"),
        ("start.capital_name", "Burg"),
        ("build.damage_factor.L", "3/4"),
    ] {
        assert!(changed.insert(key.to_owned(), value.to_owned()).is_some(), "{key}");
    }
    let text = GAME.write_house_rules(&changed).expect("sound house rules");
    assert_eq!(text.lines().count(), 7, "{text}");
    let tables = Tables::with_overrides(&text).expect("sound house rules");
    assert_eq!(tables.combat.luck_spread_pct, 5);
    assert_eq!(tables.movement_points(thoramar::codes::Kind::MediumWarrior), 7);
    assert!(tables.economy.debts_allowed);
    let again = GAME.read_house_rules(&text);
    assert_eq!(again.get("t01_movement.K.M").map(String::as_str), Some("7"));
    assert_eq!(again.len(), 7);
}

#[test]
fn every_value_at_its_bounds_is_taken_or_contradicts_another() {
    // Reading the book's data takes a moment, so only some of them are tried.
    let numbers = GAME
        .house_rules()
        .into_iter()
        .filter(|rule| matches!(rule.input, Input::Number { .. }));
    for rule in numbers.step_by(60) {
        let Input::Number { min, max } = rule.input else {
            continue;
        };
        let ask = |value: i64| {
            let text = format!("{} = {value}", rule.key);
            Tables::with_overrides(&text).map_err(|error| error.to_string())
        };
        for value in [min, max] {
            if let Err(told) = ask(value) {
                let range = format!("expected {min} to {max}");
                assert!(
                    !told.contains(&range) && !told.contains("no such key"),
                    "{}: {told}",
                    rule.key
                );
            }
        }
        for beyond in [min.checked_sub(1), max.checked_add(1)].into_iter().flatten() {
            assert!(ask(beyond).is_err(), "{} takes {beyond}", rule.key);
        }
    }
}

#[test]
fn a_world_can_be_looked_at_before_it_is_made() {
    let rules = "[world]\ncolumns = 40\nrows = 30\n";
    let seats = ["Adler", "Bär"].map(|realm| SeatPlan {
        realm: realm.to_owned(),
        ..SeatPlan::default()
    });
    let plan = WorldPlan { seats: seats.to_vec() };
    let look = |seed: u8| {
        GAME.preview_world(rules, &plan, &WorldSecret([seed; 32]).step(0))
            .expect("a world")
    };
    let sketch = look(1);
    assert_eq!(sketch.scene.fields.len(), 40 * 30);
    let capitals = || sketch.scene.places.iter().filter(|place| place.kind == "HST");
    assert_eq!(capitals().count(), 2);
    assert!(look(2) != sketch && look(1) == sketch);
    // Every start is where its capital is drawn, and the fairness is that of the poorest against the richest.
    assert_eq!(sketch.starts.len(), 2);
    for start in &sketch.starts {
        assert!(capitals().any(|place| place.at == start.at), "{start:?}");
        let field = sketch.scene.fields.iter().find(|field| field.at == start.at);
        assert_eq!(field.map(|field| field.label.as_str()), Some(start.place.as_str()));
    }
    let worth: Vec<i64> = sketch.starts.iter().map(|start| start.worth).collect();
    let (low, high) = (worth[0].min(worth[1]), worth[0].max(worth[1]));
    assert_eq!(sketch.fairness(), Some(low * 100 / high));
    assert!(
        GAME.preview_world("[world]\ncolumns = 1\n", &plan, &WorldSecret([1; 32]).step(0))
            .is_err()
    );
}

#[test]
fn sizes_give_every_realm_its_room_and_can_be_made() {
    for realms in [1_usize, 2, 8] {
        let seats = (0..realms).map(|_| SeatPlan::default()).collect();
        let plan = WorldPlan { seats };
        let sizes = GAME.sizes(realms);
        assert_eq!(sizes.len(), 4);
        for (size, room) in sizes.iter().zip([200, 343, 700]) {
            // A little more or less, because rows are whole and columns even; small worlds have a least size.
            let wanted = (realms * room) as u64;
            assert!(
                size.fields >= wanted * 9 / 10 && size.fields <= (wanted * 12 / 10).max(12 * 30),
                "{realms}: {size:?}"
            );
            let rules = GAME.write_house_rules(&size.values).expect("house rules");
            let made = GAME.preview_world(&rules, &plan, &WorldSecret([3; 32]).step(0));
            assert!(made.is_ok(), "{realms} realms in {size:?}: {made:?}");
        }
    }
}
