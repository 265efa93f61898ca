//! Reading: the book's data with a world's differences laid over them.

use super::Tables;
use toml::{Table, Value};

/// The figures of the book, a file per subject.
pub(crate) const BOOK: [&str; 5] = [
    include_str!("../../../../data/armageddon/figures.toml"),
    include_str!("../../../../data/armageddon/terrain.toml"),
    include_str!("../../../../data/armageddon/buildings.toml"),
    include_str!("../../../../data/armageddon/battle.toml"),
    include_str!("../../../../data/armageddon/magic.toml"),
];

/// The largest number, up or down, that stands in any table.
pub(crate) const FIGURE_MAX: i64 = 1_000;

/// The table that a new battle is set up from; a world need not have it.
const OPTIONAL: &str = "battle";

pub(super) fn read(house_rules: &str) -> Result<Tables, String> {
    if house_rules.len() > kernel::limits::HOUSE_RULES_BYTES {
        return Err(format!(
            "the house rules are longer than {} bytes",
            kernel::limits::HOUSE_RULES_BYTES
        ));
    }
    let mut tree = book_tree();
    let mut problems = Vec::new();
    lay_over(&mut tree, parse(house_rules)?, "", &mut problems);
    bounded(&Value::Table(tree.clone()), "", &mut problems);
    if !problems.is_empty() {
        return Err(problems.join("; "));
    }
    let tables: Tables = Value::Table(tree).try_into().map_err(|error| format!("{error}"))?;
    tables.complete()?;
    Ok(tables)
}

/// All of the book in one tree.
pub(crate) fn book_tree() -> Table {
    let mut tree = Table::new();
    for text in BOOK {
        // A test reads every file.
        tree.extend(parse(text).unwrap_or_default());
    }
    spell_out(&mut tree);
    tree
}

fn parse(text: &str) -> Result<Table, String> {
    text.parse().map_err(|error| format!("{error}"))
}

/// Every figure's row in full: what it does not say comes from `figure.defaults`.
fn spell_out(tree: &mut Table) {
    let Some(Value::Table(figures)) = tree.get_mut("figure") else {
        return;
    };
    let Some(Value::Table(defaults)) = figures.remove("defaults") else {
        return;
    };
    for row in figures.iter_mut().filter_map(|(_, row)| row.as_table_mut()) {
        for (key, value) in &defaults {
            row.entry(key.clone()).or_insert_with(|| value.clone());
        }
    }
}

/// Lays differences over the book. A key that the book does not have is a problem, never silently added.
fn lay_over(book: &mut Table, differences: Table, path: &str, problems: &mut Vec<String>) {
    for (key, difference) in differences {
        let here = format!("{path}{key}");
        match (book.get_mut(&key), difference) {
            (Some(Value::Table(inner)), Value::Table(more)) => lay_over(inner, more, &format!("{here}."), problems),
            (Some(Value::Table(_)), _) => problems.push(format!("`{here}` is a table")),
            (Some(value), difference) => *value = difference,
            (None, difference) if here == OPTIONAL => {
                book.insert(key, difference);
            }
            (None, _) => problems.push(format!("the book has no `{here}`")),
        }
    }
}

fn bounded(value: &Value, path: &str, problems: &mut Vec<String>) {
    match value {
        Value::Integer(number) if !(-FIGURE_MAX..=FIGURE_MAX).contains(number) => {
            problems.push(format!("`{path}` is {number}, expected -{FIGURE_MAX} to {FIGURE_MAX}"));
        }
        Value::Array(values) => values.iter().for_each(|value| bounded(value, path, problems)),
        Value::Table(table) => {
            for (key, value) in table {
                let path = if path.is_empty() {
                    key.clone()
                } else {
                    format!("{path}.{key}")
                };
                bounded(value, &path, problems);
            }
        }
        _ => {}
    }
}
