//! Reading: the book's data with a world's differences laid over them.

use super::{Tables, spelling};
use kernel::house::{self, Misfits, Problem};
use toml::Table;

/// The figures of the book, a file per subject.
pub(crate) const BOOK: [&str; 5] = [
    include_str!("../../../../data/pygma-isis/terrain.toml"),
    include_str!("../../../../data/pygma-isis/settlements.toml"),
    include_str!("../../../../data/pygma-isis/armies.toml"),
    include_str!("../../../../data/pygma-isis/goods.toml"),
    include_str!("../../../../data/pygma-isis/world.toml"),
];

/// The figures of a world: the book's with the differences of `house_rules`.
pub(super) fn read(house_rules: &str) -> Result<Tables, Misfits> {
    let mut tree = book_tree();
    let written = house::parse(house_rules)?;
    if let Some(problem) = spelling::misshapen(&written) {
        return Err(problem.into());
    }
    let differences = spelling::modern(written);
    let mut problems = house::lay_over(&mut tree, differences.clone(), &is_open);
    for problem in &mut problems {
        if let Problem::UnknownKey { path, meant: None } = problem {
            name_key(path, &differences);
        }
    }
    problems.extend(house::bounded(&tree, &limits));
    if !problems.is_empty() {
        return Err(Misfits(problems));
    }
    let tables: Tables = tree.try_into()?;
    tables.check()?;
    Ok(tables)
}

/// Many tables of the catalogue are spread over ours. Of one that holds a key that nobody knows, that key is named.
fn name_key(path: &mut String, differences: &Table) {
    let start = path
        .split('.')
        .try_fold(differences, |table, key| table.get(key)?.as_table());
    let mut inner = start;
    while let Some((key, value)) = inner.and_then(|table| table.iter().next()) {
        path.push('.');
        path.push_str(key);
        inner = value.as_table();
    }
}

/// All of the book in one tree.
pub(crate) fn book_tree() -> Table {
    let mut tree = Table::new();
    for text in BOOK {
        // A test reads every file.
        tree.extend(house::parse(text).unwrap_or_default());
    }
    tree
}

/// No figure is so large that sums and products of a realm could overflow.
const FIGURE_MAX: i64 = 1_000_000_000;

/// The least and the greatest figure at a path: a world may change every figure, but not to something that a rule could stumble over.
pub(crate) fn limits(path: &str) -> (i64, i64) {
    let parts: Vec<&str> = path.split('.').collect();
    match parts.as_slice() {
        // Single fields are looked at one by one within these distances.
        ["armies", "sight" | "control"]
        | ["sight", _]
        | ["work", _, "control" | "area"]
        | ["withdraw", "moving_distance" | "standing_distance"]
        | ["movement", "home_water_distance"]
        | ["creatures", "exclusion_distance_from_start" | "horde_hunt_range"]
        | ["settling" | "works", "min_distance"]
        | ["start", "min_distance_between_capitals"] => (0, 50),
        ["movement", "ticks"] => (1, 20),
        ["start", "fields", _] => (0, crate::worldgen::starts::ROOM),
        ["settling", "stages_per_month"] => (1, 10),
        ["mine", "early_exhaustion_pct"] | ["goods", "luxury_offset_per_point"] => (0, 100),
        ["settling", "inhabitants_per_point"] => (1, 1_000_000),
        ["movement", "outside" | "inside" | "road", _] | ["movement", "trader_sea"] => (0, 100),
        ["map", _] => (1, 200),
        ["terrain", _, "height"] => (0, 9),
        ["production", _, _] => (0, 3),
        ["creature", _, "strength", "dice"] => (0, 20),
        ["creature", _, "per_100"] | ["creatures", "settlements_per_100"] => (0, 100),
        ["creature", _, "per_world"] => (0, 1_000),
        ["letters", _] => (0, 10_000),
        ["calendar", "months" | "income_months" | "arming_months" | "start_month"] | ["ranking", "month"] => (1, 24),
        ["calendar", _] => (0, 1_000_000),
        ["combat", "winner_loss_exponent"] => (0, 3),
        ["combat", "loser_destroyed_at_ratio"] => (1, 1_000),
        ["combat", _] => (-100, 1_000),
        [.., last] if last.ends_with("_pct") => (0, 1_000),
        _ => (0, FIGURE_MAX),
    }
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
