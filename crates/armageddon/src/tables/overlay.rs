//! Reading: the book's data with a world's differences laid over them.

use super::Tables;
use kernel::house;
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
    let mut tree = book_tree();
    let differences = house::parse(house_rules).map_err(|problem| problem.to_string())?;
    let mut problems = house::lay_over(&mut tree, differences, &|path| path == OPTIONAL);
    problems.extend(house::bounded(&tree, &|_| (-FIGURE_MAX, FIGURE_MAX)));
    if !problems.is_empty() {
        let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
        return Err(told.join("; "));
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
        tree.extend(house::parse(text).unwrap_or_default());
    }
    spell_out(&mut tree);
    tree
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
