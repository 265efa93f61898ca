//! The list of what a world may change: complete, within its own limits, in words, and every entry has its reasons.

use kernel::any::Adapter;
use kernel::dice::WorldSecret;
use kernel::form::{Input, Values};
use kernel::game::{SeatPlan, WorldPlan};
use kernel::guide::AnyGuide;
use pygma_isis::PygmaIsis;
use pygma_isis::tables::Tables;
use std::collections::BTreeSet;

const GAME: Adapter<PygmaIsis> = Adapter::new();

/// The keys of all wording of the game in a language, tables and name parted by dots.
fn wording(language: &str) -> BTreeSet<String> {
    let folder = format!("{}/../../locale/{language}", env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(folder).expect("a folder of wording");
    let of_game = files.filter_map(|file| {
        let file = file.ok()?;
        let is_of_game = file.file_name().to_string_lossy().starts_with("pygma-isis");
        is_of_game.then(|| std::fs::read_to_string(file.path()).expect("a file of wording"))
    });
    of_game
        .flat_map(|text| kernel::house::read(&text).into_keys())
        .collect()
}

#[test]
fn every_figure_of_the_data_files_is_in_the_list() {
    let list = GAME.house_rules();
    let keys: BTreeSet<&str> = list.iter().map(|rule| rule.key.as_str()).collect();
    assert_eq!(keys.len(), list.len(), "no key twice");
    for key in [
        "map.layout",
        "army.KH.arming_cost",
        "movement.road.FH",
        "terrain.WU.luxury.glas",
        "mine.find.GB.gold",
        "production.ebene.getreide",
        // No cross in the book.
        "production.ebene.wein",
        "supply",
        "creature.horde.strength.dice",
    ] {
        assert!(keys.contains(key), "{key}");
    }
    let files = ["armies", "goods", "settlements", "terrain", "world"];
    for file in files {
        let path = format!("{}/../../data/pygma-isis/{file}.toml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).expect("a data file");
        for (key, value) in kernel::house::read(&text) {
            let rule = list.iter().find(|rule| rule.key == key);
            let rule = rule.unwrap_or_else(|| panic!("{key} is missing"));
            assert_eq!(rule.default, value, "{key}");
        }
    }
}

#[test]
fn every_entry_names_rules_has_words_and_keeps_its_own_limits() {
    let known: BTreeSet<&str> = pygma_isis::rule::RULES.iter().map(|rule| rule.id.as_str()).collect();
    let wordings = ["de", "en"].map(wording);
    for rule in GAME.house_rules() {
        let key = &rule.key;
        assert!(
            !rule.rules.is_empty() && rule.rules.iter().all(|id| known.contains(id.as_ref())),
            "{key}"
        );
        for wording in &wordings {
            assert!(wording.contains(&*rule.label), "{key}: {}", rule.label);
            assert!(
                wording.contains(&format!("word.{}", rule.section)),
                "{key}: {}",
                rule.section
            );
            let item = &rule.item_label;
            assert!(
                item.is_empty() || wording.contains(&format!("word.{item}")),
                "{key}: {item}"
            );
            if let Input::Choice { choices } = &rule.input {
                for choice in choices {
                    assert!(
                        wording.contains(&format!("word.{}", choice.label)),
                        "{key}: {}",
                        choice.label
                    );
                }
            }
        }
        match &rule.input {
            Input::Number { min, max } => {
                let number: i64 = rule.default.parse().expect("a number");
                assert!((*min..=*max).contains(&number), "{key}");
            }
            Input::Choice { choices } => {
                assert!(choices.iter().any(|choice| choice.value == rule.default), "{key}");
            }
            Input::Flag => assert!(matches!(rule.default.as_str(), "true" | "false"), "{key}"),
            Input::Text { max, .. } => assert!(rule.default.chars().count() <= *max as usize, "{key}"),
            other => panic!("{key}: {other:?}"),
        }
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
        ("start.gold", "5"),
        ("map.layout", "hex48"),
        ("works.captured", "destroyed"),
        ("road.foreign_use", "false"),
        ("attrition.bare_pct", "[1, 2, 3, 4, 5, 6]"),
        ("production.ebene.wein", "2"),
    ] {
        assert!(changed.insert(key.to_owned(), value.to_owned()).is_some(), "{key}");
    }
    let text = GAME.write_house_rules(&changed).expect("sound house rules");
    assert_eq!(text.lines().count(), 6, "{text}");
    let tables = Tables::with_overrides(&text).expect("sound house rules");
    assert_eq!((tables.start.gold, tables.road.foreign_use), (5, false));
    assert_eq!(tables.attrition.bare_pct, [1, 2, 3, 4, 5, 6]);
    assert_eq!(tables.chart().fields_per_great_field(), 48);
    let again = GAME.read_house_rules(&text);
    assert_eq!(again.get("production.ebene.wein").map(String::as_str), Some("2"));
    assert_eq!(again.len(), 6);
}

#[test]
fn no_figure_goes_beyond_its_limits() {
    for rule in GAME.house_rules() {
        let Input::Number { min, max } = rule.input else {
            continue;
        };
        for beyond in [min - 1, max + 1] {
            let text = format!("{} = {beyond}", rule.key);
            let told = Tables::with_overrides(&text).expect_err(&text).to_string();
            assert!(
                told.contains(&format!("{}: {beyond}, expected {min} to {max}", rule.key)),
                "{told}"
            );
        }
    }
    // A distance that would have every field of the world looked at for every army.
    assert!(Tables::with_overrides("armies.sight = 1000000000").is_err());
}

fn plan(peoples: &[&str]) -> WorldPlan {
    let seats = peoples.iter().map(|people| SeatPlan {
        kind: (*people).to_owned(),
        ..SeatPlan::default()
    });
    WorldPlan { seats: seats.collect() }
}

#[test]
fn sizes_give_every_realm_its_room_and_can_be_made() {
    for realms in [1_usize, 4, 12] {
        let sizes = GAME.sizes(realms);
        assert_eq!(sizes.len(), 5);
        for (size, room) in sizes.iter().zip([225, 350, 600, 350]) {
            let wanted = (realms * room) as u64;
            // Whole great fields of 25 or 48 in whole rows.
            assert!(size.fields >= wanted, "{realms}: {size:?}");
            assert!(size.fields <= wanted * 2 + 48, "{realms}: {size:?}");
            let rules = GAME.write_house_rules(&size.values).expect("house rules");
            let made = GAME.preview_world(&rules, &plan(&vec![""; realms]), &WorldSecret([3; 32]).step(0));
            let made = made.unwrap_or_else(|error| panic!("{realms} realms in {size:?}: {error:?}"));
            assert!(made.scene.fields.len() as u64 >= size.fields, "{realms}: {size:?}");
        }
    }
}

#[test]
fn starts_stand_on_their_capitals_and_are_weighed() {
    let kinds = GAME.seat_kinds();
    let peoples: Vec<&str> = kinds.iter().map(|kind| kind.value.as_str()).collect();
    assert_eq!(peoples, ["keine", "wueste", "berg", "wald"]);
    let sketch = GAME
        .preview_world("", &plan(&peoples), &WorldSecret([7; 32]).step(0))
        .expect("a world");
    assert_eq!(sketch.starts.len(), 4);
    for start in &sketch.starts {
        let field = sketch.scene.fields.iter().find(|field| field.at == start.at);
        assert_eq!(field.map(|field| field.label.as_str()), Some(start.place.as_str()));
        let capital = sketch.scene.places.iter().find(|place| place.at == start.at);
        assert_eq!(capital.map(|place| place.kind.as_ref()), Some("HPT"), "{start:?}");
        assert!(start.worth > 0);
    }
    assert!(sketch.fairness().is_some_and(|percent| (50..=100).contains(&percent)));
}
