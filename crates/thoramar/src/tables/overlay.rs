//! Reading: the book's data with a world's differences laid over them, and a realm's over those (GAP-40).

use super::Tables;
use super::spelling;
use crate::codes::{Arm, Building, Kind};
use kernel::house::{self, Misfits, Problem};
use kernel::realm::RealmId;
use std::collections::BTreeMap;
use toml::{Table, Value};

/// The figures of the book, a file per subject.
const BOOK: [&str; 4] = [
    include_str!("../../../../data/thoramar/armies.toml"),
    include_str!("../../../../data/thoramar/buildings.toml"),
    include_str!("../../../../data/thoramar/terrain.toml"),
    include_str!("../../../../data/thoramar/world.toml"),
];

/// Tables with a line per kind of army, where a type letter stands for all its classes.
const BY_KIND: [&str; 15] = [
    "t01_movement",
    "t02_space_per_head",
    "t02_space_flat",
    "t02_capacity_per_ship",
    "t03",
    "t04_price_per_head",
    "t04_price_fixed",
    "t04_upkeep_per_head",
    "t04_upkeep_per_army",
    "t04_places",
    "t04_top_up_places",
    "combat.value",
    "missile.cost_per_head_half_gs",
    "unrest.garrison_halves_from",
    "unrest.garrison_prevents_from",
];
const MONSTERS: &str = "monsters.kind";

/// Tables with a line per building, where `TS` stands for all temple cities.
const BY_BUILDING: [&str; 9] = [
    "t05",
    "t06_new",
    "t06_upgrade.BRG",
    "t06_upgrade.STD",
    "t06_upgrade.FES",
    "t06_repair_light",
    "t06_repair_heavy",
    "t06_rebuild_ruin",
    "combat.bonus_pct.building",
];

/// What cannot differ from realm to realm: there is one map, one calendar and one kind of ground for all.
const SAME_FOR_ALL: [&str; 6] = ["world", "calendar", "t07", "t07_family", "mine", "gate"];

/// The figures of a world: the book's with the differences of `house_rules`.
pub(super) fn read(house_rules: &str) -> Result<Tables, Misfits> {
    let mut tree = Table::new();
    let mut problems = Vec::new();
    for text in BOOK {
        join(&mut tree, spell_out(parse(text)?, "", &mut problems));
    }
    let mut differences = parse(house_rules)?;
    let realms = differences.remove("realm");
    let differences = spelling::modern(differences, &mut problems);
    let differences = spell_out(differences, "", &mut problems);
    problems.extend(house::lay_over(&mut tree, differences, &may_be_added));
    let realms = realm_trees(&tree, realms, &mut problems);
    if !problems.is_empty() {
        return Err(Misfits(problems));
    }
    let mut tables = typed(tree, "", &mut problems);
    for (realm, tree) in realms {
        let own = typed(tree, &format!("realm.{}.", realm.0), &mut problems);
        if let (Some(tables), Some(own)) = (&mut tables, own) {
            tables.realms.insert(realm, own);
        }
    }
    match tables {
        Some(tables) if problems.is_empty() => Ok(tables),
        _ => Err(Misfits(problems)),
    }
}

/// The figures of the book as a tree, every kind and building spelled out, and the texts they were read from.
pub(crate) fn book_tree() -> (Table, [&'static str; 4]) {
    let mut tree = Table::new();
    for text in BOOK {
        join(
            &mut tree,
            spell_out(parse(text).unwrap_or_default(), "", &mut Vec::new()),
        );
    }
    (tree, BOOK)
}

fn parse(text: &str) -> Result<Table, Misfits> {
    house::parse(text).map_err(Misfits::from)
}

/// The typed figures of a tree, checked; `of` names the realm in what is wrong with them.
fn typed(tree: Table, of: &str, problems: &mut Vec<Problem>) -> Option<Tables> {
    match tree.try_into::<Tables>() {
        Ok(tables) => {
            tables.check(of, problems);
            Some(tables)
        }
        Err(error) => {
            let message = format!("{of}{}", error.to_string().trim_end().replace('\n', " "));
            problems.push(Problem::Unreadable { message });
            None
        }
    }
}

/// One tree per realm with figures of its own.
fn realm_trees(tree: &Table, realms: Option<Value>, problems: &mut Vec<Problem>) -> BTreeMap<RealmId, Table> {
    let mut trees = BTreeMap::new();
    let realms = match realms {
        None => return trees,
        Some(Value::Table(realms)) if realms.len() <= kernel::limits::REALMS => realms,
        Some(_) => {
            let expected = "a-table-per-realm";
            problems.push(Problem::WrongShape {
                path: "realm".to_owned(),
                expected,
            });
            return trees;
        }
    };
    for (number, differences) in realms {
        let path = format!("realm.{number}");
        let (Ok(realm), Value::Table(differences)) = (number.parse().map(RealmId), differences) else {
            problems.push(Problem::WrongShape {
                path,
                expected: "a-realm-and-a-table",
            });
            continue;
        };
        for section in SAME_FOR_ALL {
            if differences.contains_key(section) {
                let (path, expected) = (format!("{path}.{section}"), "the-same-for-all-realms");
                problems.push(Problem::WrongShape { path, expected });
            }
        }
        let mut own = tree.clone();
        let mut found = Vec::new();
        let differences = spelling::modern(differences, &mut found);
        let differences = spell_out(differences, "", &mut found);
        found.extend(house::lay_over(&mut own, differences, &may_be_added));
        problems.extend(found.into_iter().map(|problem| problem.within(&path)));
        trees.insert(realm, own);
    }
    trees
}

fn below(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}

/// Puts the files of the book together: tables that two files name are joined.
fn join(tree: &mut Table, file: Table) {
    for (key, value) in file {
        match (tree.get_mut(&key), value) {
            (Some(Value::Table(standing)), Value::Table(more)) => join(standing, more),
            (_, value) => {
                tree.insert(key, value);
            }
        }
    }
}

/// Replaces a type letter by the lines of its classes and `TS` by the three temple cities, so that a single kind can be
/// laid over. `K.M = 8` without quotes arrives as a table `M = 8` under `K` and means the same as with them.
fn spell_out(table: Table, path: &str, problems: &mut Vec<Problem>) -> Table {
    if path == MONSTERS || BY_KIND.contains(&path) {
        return kinds(table, path, problems);
    }
    if BY_BUILDING.contains(&path) {
        return buildings(table, path, problems);
    }
    let spelled = table.into_iter().map(|(key, value)| match value {
        Value::Table(inner) => {
            let inner = spell_out(inner, &below(path, &key), problems);
            (key, Value::Table(inner))
        }
        value => (key, value),
    });
    spelled.collect()
}

/// Lines of types first, then lines of single kinds, which are more precise.
fn kinds(table: Table, path: &str, problems: &mut Vec<Problem>) -> Table {
    let (mut types, mut single) = (Table::new(), Table::new());
    for (key, value) in table {
        if let Some(kind) = Kind::from_code(&key) {
            single.insert(kind.code().to_owned(), value);
        } else if let Some(arm) = Arm::from_code(&key) {
            match value {
                Value::Table(classes) if classes.keys().all(|class| class.len() == 1) => {
                    for (class, value) in classes {
                        match Kind::from_code(&format!("{}.{class}", arm.code())) {
                            Some(kind) => {
                                single.insert(kind.code().to_owned(), value);
                            }
                            None => problems.push(unknown(below(&below(path, &key), &class), None)),
                        }
                    }
                }
                value => {
                    for kind in Kind::ALL.iter().filter(|kind| kind.arm() == arm) {
                        types.insert(kind.code().to_owned(), value.clone());
                    }
                }
            }
        } else {
            problems.push(unknown(below(path, &key), None));
        }
    }
    types.extend(single);
    types
}

fn buildings(table: Table, path: &str, problems: &mut Vec<Problem>) -> Table {
    let (mut spelled, mut single) = (Table::new(), Table::new());
    for (key, value) in table {
        if let Some(building) = Building::from_code(&key) {
            single.insert(building.code().to_owned(), value);
        } else if key.eq_ignore_ascii_case("TS") {
            for city in Building::ALL.iter().filter(|building| building.is_temple_city()) {
                spelled.insert(city.code().to_owned(), value.clone());
            }
        } else {
            problems.push(unknown(below(path, &key), None));
        }
    }
    spelled.extend(single);
    spelled
}

fn unknown(path: String, meant: Option<String>) -> Problem {
    Problem::UnknownKey { path, meant }
}

/// What the book leaves out because it does not apply, and a world may add: the line of a kind or building, a missing key of an army's
/// strengths.
fn may_be_added(path: &str) -> bool {
    let is_code = |line: &str| Kind::from_code(line).is_some() || Building::from_code(line).is_some();
    let is_line_of = |table: &&str| {
        let line = path.strip_prefix(table).and_then(|rest| rest.strip_prefix('.'));
        line.is_some_and(is_code)
    };
    let of_strengths = |row: &str| row.matches('.').count() == 2;
    BY_KIND.iter().chain(&BY_BUILDING).chain([&MONSTERS]).any(is_line_of)
        || path.strip_prefix("t03.").is_some_and(of_strengths)
}
