//! The spelling of the rule catalogue: its tables T03, T05 and T07 as rows, and keys of W01 that stand elsewhere here.
//!
//! A world may be written down with the keys of the catalogue as well as with those of `data/thoramar`. What both name, the
//! keys of `data/thoramar` decide.

use kernel::house::Problem;
use toml::{Table, Value};

/// The columns of a row of T03.
const STRENGTHS: [&str; 6] = [
    "arm_min",
    "exist_min",
    "conquer_min",
    "plunder_min",
    "destroy_min",
    "spy_max",
];

/// Replaces what is written as in the catalogue.
pub(super) fn modern(mut differences: Table, problems: &mut Vec<Problem>) -> Table {
    rows(&mut differences, "t03", strengths);
    rows(&mut differences, "t05", building);
    rows(&mut differences, "t07", terrain);
    networks(&mut differences);
    upkeep(&mut differences);
    places(&mut differences);
    latitudes(&mut differences);
    damage(&mut differences);
    shots(&mut differences);
    packs(&mut differences);
    build_times(&mut differences);
    arming(&mut differences, problems);
    differences
}

/// The table of that name, if there is one.
fn table<'a>(tree: &'a mut Table, name: &str) -> Option<&'a mut Table> {
    tree.get_mut(name).and_then(Value::as_table_mut)
}

/// The table of that name, made if there is none.
fn made<'a>(tree: &'a mut Table, name: &str) -> Option<&'a mut Table> {
    let entry = tree.entry(name).or_insert_with(|| Value::Table(Table::new()));
    entry.as_table_mut()
}

/// Takes a key out of a table; an empty table goes with it.
fn taken(tree: &mut Table, name: &str, key: &str) -> Option<Value> {
    let inner = table(tree, name)?;
    let value = inner.remove(key)?;
    if inner.is_empty() {
        tree.remove(name);
    }
    Some(value)
}

/// Says something that the text does not say itself.
fn say(tree: &mut Table, name: &str, key: &str, value: Value) {
    if let Some(inner) = made(tree, name) {
        inner.entry(key).or_insert(value);
    }
}

/// Rewrites the rows of a table that are lists; a dotted key without quotation marks arrives as a table in a table.
fn rows(tree: &mut Table, name: &str, row: fn(&[Value]) -> Option<Table>) {
    let Some(inner) = table(tree, name) else { return };
    for (_, value) in inner.iter_mut() {
        match value {
            Value::Array(list) => {
                if let Some(spelled) = row(list) {
                    *value = Value::Table(spelled);
                }
            }
            Value::Table(classes) => {
                for (_, class) in classes.iter_mut() {
                    if let Some(spelled) = class.as_array().and_then(|list| row(list)) {
                        *class = Value::Table(spelled);
                    }
                }
            }
            _ => {}
        }
    }
}

fn strengths(row: &[Value]) -> Option<Table> {
    if row.len() != STRENGTHS.len() {
        return None;
    }
    let cells = STRENGTHS.iter().zip(row);
    Some(cells.map(|(key, cell)| ((*key).to_owned(), cell.clone())).collect())
}

/// `[cost, turns, capacity, income, new_build]`: the times of T06 stand (GAP-06), and a mine's income is its reserve's.
fn building(row: &[Value]) -> Option<Table> {
    let [price, _, capacity, income, _] = row else {
        return None;
    };
    let named = [("price", price), ("capacity", capacity), ("income", income)];
    let numbers = named.into_iter().filter(|(_, cell)| cell.is_integer());
    Some(numbers.map(|(key, cell)| (key.to_owned(), cell.clone())).collect())
}

/// `[name, loss, move_cost, height, income, edge, centre]`, -1 for none. Names and colours are the map's.
fn terrain(row: &[Value]) -> Option<Table> {
    let [_, loss, cost, height, income, _, _] = row else {
        return None;
    };
    let named = [
        ("loss", loss),
        ("move_cost", cost),
        ("height", height),
        ("income", income),
    ];
    let given = named.into_iter().filter(|(_, cell)| cell.as_integer() != Some(-1));
    Some(given.map(|(key, cell)| (key.to_owned(), cell.clone())).collect())
}

/// Roads, bridges and walls are rows of T05 in the catalogue.
fn networks(tree: &mut Table) {
    for code in ["S", "B", "W"] {
        let price = match taken(tree, "t05", code) {
            Some(Value::Table(mut row)) => row.remove("price"),
            other => other,
        };
        if let Some(price) = price {
            say(tree, "t05_network", code, price);
        }
    }
}

fn upkeep(tree: &mut Table) {
    if let Some(value) = taken(tree, "t04_upkeep_per_army", "default") {
        for arm in ["K", "R", "F", "S", "P", "Z", "H"] {
            say(tree, "t04_upkeep_per_army", arm, value.clone());
        }
    }
}

/// `top_up_only = ["F@BRG"]`: the place is struck from those that arm.
fn places(tree: &mut Table) {
    let Some(Value::Array(pairs)) = taken(tree, "t04_places", "top_up_only") else {
        return;
    };
    for pair in pairs.iter().filter_map(Value::as_str) {
        let Some((arm, place)) = pair.split_once('@') else {
            continue;
        };
        if let Some(Value::Array(arming)) = table(tree, "t04_places").and_then(|places| places.get_mut(arm)) {
            arming.retain(|other| other.as_str() != Some(place));
        }
        if let Some(top_up) = made(tree, "t04_top_up_places") {
            let list = top_up.entry(arm).or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(list) = list {
                list.push(Value::String(place.to_owned()));
            }
        }
    }
}

/// Parts of the way to the pole, `0.30` for `30` percent.
fn latitudes(tree: &mut Table) {
    for (old, new) in [
        ("tropic_max_lat", "tropic_max_lat_pct"),
        ("temperate_max_lat", "temperate_max_lat_pct"),
    ] {
        let percent = match taken(tree, "world", old) {
            Some(Value::Float(part)) => format!("{part:.2}").replace('.', "").parse().ok(),
            Some(Value::Integer(part)) => part.checked_mul(100),
            _ => None,
        };
        if let Some(percent) = percent {
            say(tree, "world", new, Value::Integer(percent));
        }
    }
}

/// `L = [2, 3]` is `L = "2/3"`.
fn damage(tree: &mut Table) {
    let factors = table(tree, "build").and_then(|build| table(build, "damage_factor"));
    for (_, factor) in factors.into_iter().flat_map(Table::iter_mut) {
        let parts = factor
            .as_array()
            .map(|parts| parts.iter().filter_map(Value::as_integer));
        if let Some([above, below]) = parts.map(Iterator::collect::<Vec<_>>).as_deref() {
            *factor = Value::String(format!("{above}/{below}"));
        }
    }
}

/// Prices of shots by class.
fn shots(tree: &mut Table) {
    let Some(missile) = table(tree, "missile") else { return };
    for class in ["L", "M", "S"] {
        if let Some(cost) = taken(missile, "cost_per_head_half_gs", class) {
            say(missile, "cost_per_head_half_gs", &format!("F.{class}"), cost);
        }
    }
}

/// `[size_min, size_max, mp, tame cost]`.
fn packs(tree: &mut Table) {
    let mut paces = Vec::new();
    let kinds = table(tree, "monsters").and_then(|monsters| table(monsters, "kind"));
    for (kind, value) in kinds.into_iter().flat_map(Table::iter_mut) {
        let inner = match value {
            Value::Table(classes) if classes.values().all(Value::is_array) => classes
                .iter_mut()
                .map(|(class, row)| (format!("{kind}.{class}"), row))
                .collect(),
            row => vec![(kind.clone(), row)],
        };
        for (kind, row) in inner {
            let Some([least, most, pace, cost]) = row.as_array().map(Vec::as_slice) else {
                continue;
            };
            paces.push((kind, pace.clone()));
            let size = Value::Array(vec![least.clone(), most.clone()]);
            let spelled = [("size".to_owned(), size), ("tame_cost".to_owned(), cost.clone())];
            *row = Value::Table(spelled.into_iter().collect());
        }
    }
    for (kind, pace) in paces {
        say(tree, "t01_movement", &kind, pace);
    }
}

/// Times of T06 that have keys of their own in the catalogue; the prices are the book's.
fn build_times(tree: &mut Table) {
    let works = [
        ("tpl_new_turns", "t06_new", &[("TPL", 60_000)][..]),
        (
            "mine_gate_rebuild_turns",
            "t06_rebuild_ruin",
            &[("MIN", 70_000), ("WTO", 70_000)][..],
        ),
    ];
    for (key, name, buildings) in works {
        let Some(turns) = taken(tree, "build", key) else {
            continue;
        };
        for (building, price) in buildings {
            let work = Value::Array(vec![Value::Integer(*price), turns.clone()]);
            say(tree, name, building, work);
        }
    }
}

/// GAP-07: what castles do with engines, and the price of all wizards.
fn arming(tree: &mut Table, problems: &mut Vec<Problem>) {
    if let Some(price) = taken(tree, "arming", "wizard_price_all_classes") {
        say(tree, "t04_price_per_head", "Z", price);
    }
    let Some(engines) = taken(tree, "arming", "engines_in_castle") else {
        return;
    };
    let list = |codes: &[&str]| Value::Array(codes.iter().map(|code| Value::String((*code).to_owned())).collect());
    match engines.as_str() {
        Some("top_up_only") => {}
        Some("arm") => say(tree, "t04_places", "F", list(&["BRG", "FES", "HST"])),
        Some("none") => say(tree, "t04_top_up_places", "F", list(&[])),
        _ => problems.push(Problem::WrongShape {
            path: "arming.engines_in_castle".to_owned(),
            expected: "top_up_only-arm-or-none",
        }),
    }
}
