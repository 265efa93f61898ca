//! Reading: the book's data with a world's differences laid over them.

use super::Tables;
use kernel::house::{self, Misfits};
use std::sync::LazyLock;
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

/// What is counted in small numbers: steps, space units.
const SMALL_MAX: i64 = 200;

/// The table that a new battle is set up from; a world need not have it.
const OPTIONAL: &str = "battle";

/// The files of the book, each read once: every view of every world begins with them.
static FILES: LazyLock<Vec<Table>> = LazyLock::new(|| {
    // A test reads every file.
    BOOK.iter().map(|text| house::parse(text).unwrap_or_default()).collect()
});

/// All of the book in one tree, with every row in full.
static TREE: LazyLock<Table> = LazyLock::new(|| {
    let mut tree = Table::new();
    for file in FILES.iter() {
        tree.extend(file.clone());
    }
    spell_out(&mut tree);
    tree
});

/// The tables of a world that changes nothing.
static UNCHANGED: LazyLock<Result<Tables, Misfits>> = LazyLock::new(|| lay_over(Table::new()));

pub(super) fn read(house_rules: &str) -> Result<Tables, Misfits> {
    if house_rules.trim().is_empty() {
        return UNCHANGED.clone();
    }
    lay_over(house::parse(house_rules)?)
}

/// The differences of a world over the book.
fn lay_over(differences: Table) -> Result<Tables, Misfits> {
    let mut tree = TREE.clone();
    derive(&mut tree, &differences);
    let mut problems = house::lay_over(&mut tree, differences, &|path| path == OPTIONAL);
    problems.extend(house::bounded(&tree, &|_| (-FIGURE_MAX, FIGURE_MAX)));
    if !problems.is_empty() {
        return Err(Misfits(problems));
    }
    let tables: Tables = Value::Table(tree).try_into()?;
    tables.complete()?;
    Ok(tables)
}

/// All of the book in one tree.
pub(crate) fn book_tree() -> &'static Table {
    &TREE
}

/// What a world says of everybody holds for every row of the book that has nothing of its own to say.
fn derive(tree: &mut Table, differences: &Table) {
    let told = |table: &str, key: &str| {
        let figure = differences.get(table)?.get(key)?.as_integer()?;
        Some(Value::Integer(figure.clamp(0, SMALL_MAX)))
    };
    // Steps (ARM-0.4.38), space units (ARM-0.4.1) and the number of survival (ARM-GAP-05) of an ordinary figure.
    for (table, key, column) in [
        ("step", "per_round", "steps"),
        ("room", "figure", "room"),
        ("survival", "usual", "survival"),
    ] {
        if let Some(value) = told(table, key) {
            usual(tree, column, &value);
        }
    }
    // The hovering wizard (ARM-GAP-34).
    if let Some(steps) = told("wizard", "hovers")
        && let Some(wizard) = tree.get_mut("figure").and_then(|figures| figures.get_mut("Z"))
        && let Some(row) = wizard.as_table_mut()
    {
        row.insert("steps".to_owned(), steps);
    }
    // An ordinary field (ARM-0.4.1): every terrain that has the room of one.
    let ordinary = tree.get("room").and_then(|room| room.get("field")).cloned();
    if let Some(room) = told("room", "field") {
        let terrains = tree.get_mut("terrain").and_then(Value::as_table_mut);
        for row in terrains
            .into_iter()
            .flat_map(|rows| rows.iter_mut())
            .filter_map(|(_, row)| row.as_table_mut())
        {
            if row.get("room") == ordinary.as_ref() {
                row.insert("room".to_owned(), room.clone());
            }
        }
    }
}

/// Gives every figure that has nothing of its own in this column of the book the usual figure.
fn usual(tree: &mut Table, column: &str, value: &Value) {
    let own: Vec<&String> = FILES
        .iter()
        .filter_map(|file| file.get("figure")?.as_table())
        .flat_map(|figures| figures.iter().filter(|(_, row)| row.get(column).is_some()))
        .map(|(kind, _)| kind)
        .collect();
    let figures = tree.get_mut("figure").and_then(Value::as_table_mut);
    for (kind, row) in figures.into_iter().flat_map(|figures| figures.iter_mut()) {
        if let (false, Some(row)) = (own.contains(&kind), row.as_table_mut()) {
            row.insert(column.to_owned(), value.clone());
        }
    }
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
