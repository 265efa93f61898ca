//! Every figure and choice that a world may change, with what may stand there and the rulings behind it.

use super::dossier::terrain_word;
use super::kind_word;
use crate::codes::{Building, Command, Condition, Kind, Terrain};
use crate::grammar::command_word;
use crate::report::{building_word, condition_word};
use crate::rule;
use crate::tables::{Allowed, Tables, book_tree};
use kernel::diagnostic::Name;
use kernel::form::{Choice, Input, Values};
use kernel::guide::{HouseRule, Size};
use kernel::house::{self, Reasons};
use toml::{Table, Value};

/// What comes first in a list for a new world; the rest follows in the order of the alphabet.
const FIRST: [&str; 4] = ["world", "start", "calendar", "account"];

/// The list, section by section.
pub(super) fn list() -> Vec<HouseRule> {
    let (tree, texts) = book_tree();
    let reasons = Reasons::read(&texts, rule::RULES, "THO-", rule::ADM_01);
    let mut rules: Vec<HouseRule> = Tables::book()
        .allowed()
        .into_iter()
        .filter(|(path, _)| !path.contains('?'))
        .map(|(path, allowed)| entry(&tree, &reasons, path, &allowed))
        .collect();
    let place = |rule: &HouseRule| {
        let section = rule.key.split('.').next().unwrap_or_default();
        FIRST.iter().position(|first| *first == section).unwrap_or(FIRST.len())
    };
    rules.sort_by(|a, b| (place(a), &a.key).cmp(&(place(b), &b.key)));
    rules
}

/// Fields for each realm: close together, with room enough (GAP-01: twelve by twelve of land and the sea around it), far apart.
const ROOM: [(&str, u64); 3] = [("size-close", 200), ("size-roomy", 343), ("size-far", 700)];

/// Sizes for so many realms: as wide for their height as the world of the book, and the world of the book itself.
pub(super) fn sizes(realms: usize) -> Vec<Size> {
    let book = Tables::book().world;
    let (book_columns, book_rows) = (u64::from(book.columns), u64::from(book.rows));
    let size = |label: &'static str, columns: u64, rows: u64| Size {
        label: Name::Borrowed(label),
        fields: columns * rows,
        values: [("world.columns", columns), ("world.rows", rows)]
            .map(|(key, number)| (key.to_owned(), number.to_string()))
            .into(),
    };
    let realms = realms.clamp(1, kernel::limits::REALMS) as u64;
    let mut sizes: Vec<Size> = ROOM
        .iter()
        .map(|(label, room)| {
            let fields = realms * room;
            // Rows so that columns to rows are as in the book; columns even, because a round world needs it.
            let rows = (fields * book_rows / book_columns).isqrt().max(12);
            let columns = (fields / rows).max(16).next_multiple_of(2);
            size(label, columns, rows)
        })
        .collect();
    sizes.push(size("size-book", book_columns, book_rows));
    sizes
}

fn entry(tree: &Table, reasons: &Reasons, path: String, allowed: &Allowed) -> HouseRule {
    let value = find(tree, &path);
    let default = value.map_or_else(String::new, house::literal);
    let input = match (allowed, value) {
        // Lists and spans are written as they stand in the files.
        (_, Some(Value::Array(_))) | (Allowed::Text, _) => house::one_line(&default),
        (Allowed::Number(min, max), _) => Input::Number { min: *min, max: *max },
        (Allowed::Flag, _) => Input::Flag,
        (Allowed::Words(words), _) => Input::Choice {
            choices: offered(&path, words).into_iter().map(choice).collect(),
        },
    };
    let section = path.split('.').next().unwrap_or_default().to_owned();
    let (key, item) = split_item(&path);
    HouseRule {
        section: Name::Owned(format!("house-{section}")),
        label: Name::Owned(format!("house.{key}")),
        item_label: item_word(&key, &item),
        item,
        default,
        rules: once_each(reasons.of(&path)),
        input,
        key: path,
    }
}

/// Rules that two files name for one table stand there once.
fn once_each(rules: Vec<Name>) -> Vec<Name> {
    let mut named: Vec<Name> = Vec::new();
    for rule in rules {
        if !named.contains(&rule) {
            named.push(rule);
        }
    }
    named
}

/// The words that may be chosen: a capital stands on land.
fn offered(path: &str, words: &[&'static str]) -> Vec<&'static str> {
    if path != "world.capital_terrain" {
        return words.to_vec();
    }
    let book = Tables::book();
    let is_land = |word: &&str| Terrain::from_code(word).is_none_or(|terrain| book.is_land(terrain));
    words.iter().copied().filter(is_land).collect()
}

/// Something to choose: ground, buildings, their states and commands by name, policies in words, what else has a code as it is.
fn choice(word: &str) -> Choice {
    if let Some(named) = place_word(word) {
        return Choice::worded(word, named);
    }
    if let Some(condition) = Condition::from_code(word).filter(|condition| condition.code() == word) {
        return Choice::worded(word, condition_word(condition));
    }
    if let Some(command) = Command::from_code(word).filter(|command| command.code() == word) {
        return Choice::worded(word, command_word(command));
    }
    let is_policy = word.len() > 1
        && word
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'_' || byte == b'0');
    if is_policy {
        Choice::worded(word, format!("house-is-{word}"))
    } else {
        Choice::plain(word)
    }
}

/// Key of the word for a kind, building or terrain; empty for codes that stand for several.
fn item_word(key: &str, item: &str) -> Name {
    let kind = Kind::from_code(item).map(|kind| Name::Owned(kind_word(kind)));
    // A single letter may be the state of a building.
    let condition = || {
        Condition::from_code(item)
            .filter(|_| key.starts_with("build."))
            .map(condition_word)
            .map(Name::from)
    };
    kind.or_else(|| place_word(item)).or_else(condition).unwrap_or_default()
}

/// Key of the word for a terrain or building as the files write it: `hst` is ground, `HST` the capital. Readers of orders take either case,
/// so the code found has to be the one that was asked for.
fn place_word(code: &str) -> Option<Name> {
    let terrain = Terrain::from_code(code).filter(|terrain| terrain.code() == code);
    let building = || Building::from_code(code).filter(|building| building.code() == code);
    terrain
        .map(|terrain| Name::from(terrain_word(terrain)))
        .or_else(|| building().map(|building| Name::from(building_word(building))))
}

/// A path that ends in the code of a kind, building or terrain: the key, and the code.
fn split_item(path: &str) -> (String, String) {
    let coded = |part: &str| part.chars().next().is_some_and(|letter| letter.is_ascii_uppercase());
    let terrain = path.starts_with("t07.");
    let mut key = Vec::new();
    let mut item = Vec::new();
    for part in path.split('.') {
        let is_code = coded(part) || (terrain && key.len() == 1 && item.is_empty());
        if is_code { item.push(part) } else { key.push(part) }
    }
    (key.join("."), item.join("."))
}

/// The value at a path; kinds have a dot in their names.
fn find<'a>(table: &'a Table, path: &str) -> Option<&'a Value> {
    if let Some(value) = table.get(path) {
        return Some(value);
    }
    let dots = path.match_indices('.').map(|(at, _)| at);
    dots.filter_map(|at| {
        let (head, rest) = (path.get(..at)?, path.get(at + 1..)?);
        match table.get(head)? {
            Value::Table(inner) => find(inner, rest),
            _ => None,
        }
    })
    .next()
}

/// The TOML text of values that differ from the book.
pub(super) fn write(values: &Values) -> String {
    house::write(&list(), values)
}

/// The values of a world's house rules; those of single realms are left out.
pub(super) fn read(text: &str) -> Values {
    let mut values = house::read(text);
    values.retain(|path, _| !path.starts_with("realm."));
    values
}
