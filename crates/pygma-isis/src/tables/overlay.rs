//! Reading: the book's data with a world's differences laid over them.

use super::{FIGURE_MAX, Tables};
use toml::{Table, Value};

/// The figures of the book, a file per subject.
const BOOK: [&str; 5] = [
    include_str!("../../../../data/pygma-isis/terrain.toml"),
    include_str!("../../../../data/pygma-isis/settlements.toml"),
    include_str!("../../../../data/pygma-isis/armies.toml"),
    include_str!("../../../../data/pygma-isis/goods.toml"),
    include_str!("../../../../data/pygma-isis/world.toml"),
];

/// The figures of a world: the book's with the differences of `house_rules`.
pub(super) fn read(house_rules: &str) -> Result<Tables, String> {
    if house_rules.len() > kernel::limits::HOUSE_RULES_BYTES {
        return Err(format!("longer than {} bytes", kernel::limits::HOUSE_RULES_BYTES));
    }
    let mut tree = Table::new();
    for text in BOOK {
        tree.extend(parse(text)?);
    }
    lay_over(&mut tree, parse(house_rules)?, "")?;
    bounded(&Value::Table(tree.clone()), "")?;
    let tables: Tables = tree
        .try_into()
        .map_err(|error: toml::de::Error| error.to_string().trim_end().replace('\n', " "))?;
    tables.check()?;
    Ok(tables)
}

fn parse(text: &str) -> Result<Table, String> {
    text.parse::<Table>().map_err(|error| error.to_string())
}

fn below(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}

/// Lays differences over a tree. A key must exist already, unless it is a line of a list that the book leaves open; a list is
/// replaced as a whole.
fn lay_over(tree: &mut Table, differences: Table, path: &str) -> Result<(), String> {
    for (key, value) in differences {
        let path = below(path, &key);
        match (tree.get_mut(&key), value) {
            (Some(Value::Table(standing)), Value::Table(more)) => lay_over(standing, more, &path)?,
            (Some(Value::Table(_)), _) => return Err(format!("{path}: expected a table")),
            (Some(_), Value::Table(_)) => return Err(format!("{path}: expected a single value")),
            (Some(standing), value) => *standing = value,
            (None, value) if is_open(&path) => {
                tree.insert(key, value);
            }
            (None, _) => {
                let meant = nearest(tree, &key).map_or_else(String::new, |meant| format!(", did you mean {meant}?"));
                return Err(format!("{path}: no such key{meant}"));
            }
        }
    }
    Ok(())
}

/// Lines that the book leaves out because they do not apply, and a world may add: the type of the figures checks them.
fn is_open(path: &str) -> bool {
    [
        "terrain.",
        "production.",
        "mine.find",
        "start.fields.",
        "attrition.immune.",
        "creature.",
        "settlement.",
    ]
    .iter()
    .any(|open| path.starts_with(open))
}

/// No figure is so large that sums and products of a realm could overflow.
fn bounded(value: &Value, path: &str) -> Result<(), String> {
    match value {
        Value::Integer(number) if number.unsigned_abs() > FIGURE_MAX.unsigned_abs() => {
            Err(format!("{path}: {number}, expected at most {FIGURE_MAX}"))
        }
        Value::Array(values) => values.iter().try_for_each(|value| bounded(value, path)),
        Value::Table(table) => table
            .iter()
            .try_for_each(|(key, value)| bounded(value, &below(path, key))),
        _ => Ok(()),
    }
}

/// The key of the table that is spelled most alike, if it is alike enough to be meant.
fn nearest(table: &Table, key: &str) -> Option<String> {
    let distance = |other: &&String| strsim::osa_distance(other, key);
    let nearest = table.keys().min_by_key(distance);
    nearest.filter(|other| distance(other) <= 1 + key.len() / 3).cloned()
}
