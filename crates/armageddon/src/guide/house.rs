//! Everything that a battle may have otherwise than the book and its rulings, with what may stand there and the rules behind it; and the
//! ready battles as what a new world can be.

use super::board::{building_word, centre_word, terrain_word};
use super::pieces;
use crate::kinds::{BuildingKind, Kind, Spell, Terrain};
use crate::rule;
use crate::setup::{self, ready};
use crate::tables::Tables;
use crate::tables::overlay::{BOOK, FIGURE_MAX, book_tree};
use kernel::diagnostic::Name;
use kernel::form::{Choice, Input, Values};
use kernel::guide::{HouseRule, Size};
use kernel::house::{self, Reasons};
use toml::Value;

/// Characters and lines of a set-up in the house rules.
const SETUP_CHARS: u32 = 20_000;
const SETUP_LINES: u32 = 600;
/// Greatest number of what is counted and never negative.
const COUNT_MAX: i64 = 200;
/// What is counted and never negative.
const COUNTS: [&str; 9] = [
    "room",
    "steps",
    "gives",
    "needs",
    "hits",
    "level",
    "storeys",
    "hits_per_storey",
    "first_wall_at_hit",
];
/// Tables with a row for each kind.
const BY_KIND: [&str; 4] = ["figure", "terrain", "building", "spell"];
/// Tables with one number for each kind.
const PER_KIND: [&str; 2] = ["creature_price", "victory.centre_value"];

/// The battle itself, then the rulings, then the rows of kinds.
pub(super) fn list() -> Vec<HouseRule> {
    let tree = book_tree();
    // That figures may be changed at all is ARM-GAP-44.
    let reasons = Reasons::read(&BOOK, rule::RULES, "", rule::GAP_44);
    let mut rules = vec![ready_rule(), setup_rule()];
    let mut found = Vec::new();
    house::each_value(tree, &mut |path, value| found.push(entry(&reasons, path, value)));
    let last = |rule: &HouseRule| BY_KIND.iter().any(|table| rule.key.starts_with(&format!("{table}.")));
    found.sort_by(|a, b| (last(a), &a.key).cmp(&(last(b), &b.key)));
    rules.append(&mut found);
    rules
}

fn battle_rule(key: &str, input: Input, default: &str) -> HouseRule {
    HouseRule {
        key: format!("battle.{key}"),
        section: Name::Borrowed("house-battle"),
        label: Name::Owned(format!("house.battle.{key}")),
        item: String::new(),
        item_label: Name::default(),
        input,
        default: default.to_owned(),
        rules: vec![Name::Borrowed(rule::GAP_44.as_str())],
    }
}

fn ready_rule() -> HouseRule {
    let choices = ready::ALL
        .iter()
        .map(|ready| Choice::worded(ready.code, format!("battle-{}", ready.code)))
        .collect();
    battle_rule("ready", Input::Choice { choices }, ready::USUAL)
}

fn setup_rule() -> HouseRule {
    let input = Input::Text {
        max: SETUP_CHARS,
        lines: SETUP_LINES,
    };
    battle_rule("setup", input, "")
}

fn entry(reasons: &Reasons, path: &str, value: &Value) -> HouseRule {
    let last = path.rsplit('.').next().unwrap_or_default();
    let section = path.split('.').next().unwrap_or_default();
    let words = words_of(path);
    let default = house::literal(value);
    let input = match value {
        Value::Boolean(_) => Input::Flag,
        Value::Integer(_) if BY_KIND.contains(&section) && COUNTS.contains(&last) => {
            Input::Number { min: 0, max: COUNT_MAX }
        }
        Value::Integer(_) => Input::Number {
            min: -FIGURE_MAX,
            max: FIGURE_MAX,
        },
        Value::String(_) if !words.is_empty() => Input::Choice {
            choices: words
                .iter()
                .map(|word| Choice::worded(*word, format!("house-is-{word}")))
                .collect(),
        },
        _ => house::one_line(&default),
    };
    let (key, item) = split_item(path);
    HouseRule {
        key: path.to_owned(),
        section: Name::Owned(format!("house-{section}")),
        label: Name::Owned(format!("house.{key}")),
        item_label: item_word(section, &item),
        item,
        input,
        default,
        rules: reasons.of(path),
    }
}

/// What may stand where the book has a word.
fn words_of(path: &str) -> &'static [&'static str] {
    match path.rsplit('.').next().unwrap_or_default() {
        "acts_in_order" => &["line"],
        "taken" => &["by-driving", "at-once"],
        "gates_at_start" => &["open", "closed"],
        "stay" => &["all", "carried", "ships", "nobody"],
        "danger" => &["thirst", "cold", "sinking"],
        _ => &[],
    }
}

/// A path in a table of kinds: the key without the kind, and the kind.
fn split_item(path: &str) -> (String, String) {
    let parts: Vec<&str> = path.split('.').collect();
    match parts.as_slice() {
        [table, item, key] if BY_KIND.contains(table) => (format!("{table}.{key}"), (*item).to_owned()),
        _ => match path.rsplit_once('.') {
            Some((table, item)) if PER_KIND.contains(&table) => (table.to_owned(), item.to_owned()),
            _ => (path.to_owned(), String::new()),
        },
    }
}

/// Key of the word for a kind of figure, terrain, building, spell or trade centre.
fn item_word(section: &str, item: &str) -> Name {
    let found = match section {
        "figure" | "creature_price" => Kind::from_code(item).map(|kind| format!("kind-{}", pieces::kind_name(kind))),
        "terrain" => Terrain::from_code(item).map(|terrain| terrain_word(terrain).to_owned()),
        "building" => BuildingKind::from_code(item).map(|kind| building_word(kind).to_owned()),
        "spell" => Spell::from_code(item).map(|spell| spell.code().to_owned()),
        _ => setup::centre(item).map(|kind| centre_word(kind).to_owned()),
    };
    found.map_or_else(Name::default, Name::Owned)
}

/// The TOML text of values that differ from the book.
pub(super) fn write(values: &Values) -> String {
    house::write(&list(), values)
}

/// The values that house rules set.
pub(super) fn read(text: &str) -> Values {
    house::read(text)
}

/// The ready battles: each with the fields of its board.
pub(super) fn sizes() -> Vec<Size> {
    let Ok(tables) = Tables::book() else {
        return Vec::new();
    };
    let size = |ready: &ready::Ready| {
        let state = setup::build(&tables, "", &setup::read_lines(ready.setup)).ok()?;
        Some(Size {
            label: Name::Owned(format!("battle-{}", ready.code)),
            fields: u64::try_from(state.position.board.cells.len()).unwrap_or(0),
            values: Values::from([("battle.ready".to_owned(), ready.code.to_owned())]),
        })
    };
    ready::ALL.iter().filter_map(size).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_of_the_book_can_be_changed_and_is_read_back() {
        for rule in list() {
            let other = match &rule.input {
                Input::Flag => (rule.default != "true").to_string(),
                Input::Number { max, .. } => {
                    if rule.default == max.to_string() {
                        "1".to_owned()
                    } else {
                        max.to_string()
                    }
                }
                Input::Choice { choices } => {
                    let other = choices.iter().find(|choice| choice.value != rule.default);
                    let Some(other) = other else { continue };
                    other.value.clone()
                }
                // Lists keep what they have: they are tried as they stand.
                _ => continue,
            };
            let values = Values::from([(rule.key.clone(), other)]);
            let text = write(&values);
            assert_eq!(read(&text), values, "{text}");
            assert!(
                Tables::with_overrides(&text).is_ok(),
                "{text}: {:?}",
                Tables::with_overrides(&text).err()
            );
        }
    }

    #[test]
    fn what_is_as_the_book_says_is_left_out() {
        let values: Values = list().into_iter().map(|rule| (rule.key, rule.default)).collect();
        assert_eq!(write(&values), "");
    }

    #[test]
    fn a_set_up_in_many_lines_comes_back() {
        let setup = "player 1 named Rot side 1\nplayer 2 named Blau side 2\nfigure 1 \"x\" at 17";
        let values = Values::from([("battle.setup".to_owned(), setup.to_owned())]);
        assert_eq!(read(&write(&values)), values);
    }
}
