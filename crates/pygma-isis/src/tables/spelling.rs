//! The spelling of the rule catalogue: a world may be written down with its keys and names as well as with those of `data/pygma-isis`.
//! What both name, the keys of `data/pygma-isis` decide.

mod keys;
mod shapes;

use super::overlay::book_tree;
use kernel::house::Problem;
use keys::{CLASSES, COLUMNS, GOODS, KEYS, PEOPLES, SETTLEMENTS, SOILS, TABLES, TERRAINS, VEINS, WORDS, WORKS};
use toml::{Table, Value};

/// What the catalogue says and no world can change.
const FIXED: &str = include_str!("spelling/fixed.toml");

/// What is wrong with great fields of a shape of their own (PYG-GAP-01).
pub(crate) fn misshapen(differences: &Table) -> Option<Problem> {
    let expected = |path: &str, expected| Problem::Contradiction {
        path: path.to_owned(),
        expected,
    };
    let map = differences.get("map")?;
    let lengths = map.get("column_lengths");
    let is_custom = map.get("layout").and_then(Value::as_str) == Some(shapes::CUSTOM);
    if lengths.is_some_and(|lengths| shapes::columns(lengths).is_none()) {
        // Great fields of another shape leave gaps between them or overlap.
        return Some(expected("map.column_lengths", "equal-columns-or-the-hexagon"));
    }
    let says_nothing =
        is_custom && lengths.is_none() && map.get("columns").is_none() && map.get("column_length").is_none();
    says_nothing.then(|| expected("map.layout", "column_lengths-for-custom"))
}

/// Replaces what is written as in the catalogue. What it cannot mean stays as it is, and is refused as an unknown key.
pub(crate) fn modern(differences: Table) -> Table {
    if differences.is_empty() {
        return differences;
    }
    let mut fixed = Vec::new();
    // A test reads the file.
    flatten(
        String::new(),
        Value::Table(FIXED.parse().unwrap_or_default()),
        &mut fixed,
    );
    let mut values = Vec::new();
    flatten(String::new(), Value::Table(differences), &mut values);
    values.retain(|entry| !fixed.contains(entry));
    let lengths = values.iter().find(|(path, _)| path == "map.column_lengths");
    let shape = shapes::layout_of(lengths.map(|(_, lengths)| lengths));
    for (_, layout) in values
        .iter_mut()
        .filter(|(path, value)| path == "map.layout" && value.as_str() == Some(shapes::CUSTOM))
    {
        *layout = Value::String(shape.to_owned());
    }
    let (mut foreign, mut own, mut seasons) = (Vec::new(), Vec::new(), Vec::new());
    let mut usual = None;
    for (path, value) in values {
        if let Some(season) = shapes::months(&path, &value) {
            seasons.push(season);
        } else if path == "people.default" && value.is_str() {
            usual = value.as_str().map(|name| ours(PEOPLES, name).to_owned());
        } else if let Some(entries) = shapes::reshaped(&path, &value) {
            foreign.extend(entries);
        } else if let Some(name) = renamed(&path) {
            foreign.push((name, value));
        } else {
            own.push((path, value));
        }
    }
    let mut tree = Table::new();
    for (path, value) in foreign.into_iter().chain(own) {
        let value = translated(&path, value);
        put(&mut tree, &path, value);
    }
    for (verbs, any) in seasons {
        let list = listed(&mut tree, "calendar", "any_month");
        for verb in verbs.iter().map(|verb| Value::String((*verb).to_owned())) {
            let is_listed = list.contains(&verb);
            if any && !is_listed {
                list.push(verb);
            } else if !any {
                list.retain(|other| *other != verb);
            }
        }
    }
    if let Some(usual) = usual.map(Value::String) {
        let list = listed(&mut tree, "start", "peoples");
        list.retain(|people| *people != usual);
        list.insert(0, usual);
    }
    tree
}

/// A list of the world, that of the book if it has no other.
fn listed<'a>(tree: &'a mut Table, table: &str, key: &str) -> &'a mut Vec<Value> {
    let book = book_tree().get(table).and_then(|table| table.get(key)).cloned();
    let path = format!("{table}.{key}");
    let now = tree.get(table).and_then(|table| table.get(key)).cloned();
    let list = now.or(book).filter(Value::is_array);
    put(tree, &path, list.unwrap_or_else(|| Value::Array(Vec::new())));
    match tree.get_mut(table).and_then(|table| table.get_mut(key)) {
        Some(Value::Array(list)) => list,
        _ => unreachable!("the list has just been put there"),
    }
}

fn flatten(path: String, value: Value, values: &mut Vec<(String, Value)>) {
    match value {
        Value::Table(table) if path.is_empty() || !table.is_empty() => {
            for (key, value) in table {
                let below = if path.is_empty() { key } else { format!("{path}.{key}") };
                flatten(below, value, values);
            }
        }
        value => values.push((path, value)),
    }
}

/// Our word for one of the catalogue, or the same word.
fn ours<'a>(list: &[(&str, &'a str)], theirs: &'a str) -> &'a str {
    let found = list.iter().find(|(name, _)| *name == theirs);
    found.map_or(theirs, |(_, ours)| *ours)
}

/// Our path for one of the catalogue; none for a path that is ours, or nobody's.
fn renamed(path: &str) -> Option<String> {
    if let Some((_, ours)) = KEYS.iter().find(|(theirs, _)| *theirs == path) {
        return Some((*ours).to_owned());
    }
    let parts: Vec<&str> = path.split('.').collect();
    let name = match parts.as_slice() {
        [table, rest @ ..] if !rest.is_empty() && TABLES.iter().any(|(theirs, _)| theirs == table) => {
            format!("{}.{}", ours(TABLES, table), rest.join("."))
        }
        ["production", soil, good] => format!("production.{}.{}", ours(SOILS, soil), ours(GOODS, good)),
        ["road", figure, class] => format!("road.{figure}.{}", ours(CLASSES, class)),
        ["start", "fields", terrain] => format!("start.fields.{}", ours(TERRAINS, terrain)),
        ["attrition", "immune", people] => format!("attrition.immune.{}", ours(PEOPLES, people)),
        ["mine", "find", terrain, vein] => {
            let terrain = ours(TERRAINS, terrain.strip_suffix("_d20").unwrap_or(terrain));
            format!("mine.find.{terrain}.{}", ours(VEINS, vein))
        }
        ["npc", "neutral_settlement", "garrison_k", kind] => {
            format!("settlement.{}.garrison", ours(SETTLEMENTS, kind))
        }
        ["terrain", terrain, "luxury", good] => {
            format!("terrain.{}.luxury.{}", ours(TERRAINS, terrain), ours(GOODS, good))
        }
        [table @ ("terrain" | "settlement" | "work"), kind, column] => {
            let kinds = match *table {
                "terrain" => TERRAINS,
                "settlement" => SETTLEMENTS,
                _ => WORKS,
            };
            let name = COLUMNS.iter().find(|(of, name, _)| of == table && name == column);
            format!(
                "{table}.{}.{}",
                ours(kinds, kind),
                name.map_or(*column, |(_, _, name)| *name)
            )
        }
        _ => return None,
    };
    (name != path).then_some(name)
}

/// Words of the catalogue that are others here, alone or in lists.
fn translated(path: &str, value: Value) -> Value {
    let parts: Vec<&str> = path.split('.').collect();
    let words = match parts.as_slice() {
        ["terrain", _, "road" | "combat"] => CLASSES,
        ["terrain", _, "column"] => SOILS,
        ["attrition", "immune", _] => TERRAINS,
        _ => WORDS
            .iter()
            .find(|(ours, _)| *ours == path)
            .map_or(&[][..], |(_, words)| *words),
    };
    let translate = |value: Value| match value.as_str() {
        Some(word) => Value::String(ours(words, word).to_owned()),
        None => value,
    };
    match value {
        Value::Array(list) if !words.is_empty() => Value::Array(list.into_iter().map(translate).collect()),
        // A people is at home on one terrain or on several.
        Value::String(_) if path.starts_with("attrition.immune.") => Value::Array(vec![translate(value)]),
        value => translate(value),
    }
}

/// Puts a value at a path; what stands in the way of it gives way.
fn put(tree: &mut Table, path: &str, value: Value) {
    match path.split_once('.') {
        None => {
            tree.insert(path.to_owned(), value);
        }
        Some((table, rest)) => {
            let inner = tree
                .entry(table.to_owned())
                .or_insert_with(|| Value::Table(Table::new()));
            match inner.as_table_mut() {
                Some(inner) => put(inner, rest, value),
                None => *inner = value,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::chart::Layout;
    use crate::codes::{Creature, People, SettlementKind, Terrain, WorkKind};
    use crate::grammar::Verb;
    use crate::tables::Tables;
    use crate::tables::policy::{Stacking, Third};

    #[test]
    fn worlds_may_be_written_with_the_keys_of_the_catalogue() {
        let text = "
            battle = { tie_loss_pct = 25, winner_loss_pct_at_parity = 40 }
            ticks = { contact_stops = true }
            works_gap = { stacking = \"highest_only\" }
            trade_gap = { third = \"deducted\" }
            [terrain.plain]
            income = 5
            pop = 4
            [settlement.inland_town]
            upgrade_cost = 7
            [work.fortress]
            bonus_area_pct = 11
            [sight_gap]
            cargo_visible = true
        ";
        let tables = Tables::with_overrides(text).expect("the catalogue's spelling");
        assert_eq!((tables.combat.tie_loss_pct, tables.combat.winner_loss_pct), (25, 40));
        assert!(tables.movement.contact_stops && tables.sight.cargo_visible);
        assert_eq!(
            (tables.works.stacking, tables.trade.third),
            (Stacking::Highest, Third::Deducted)
        );
        let plain = &tables.terrain[Terrain::Plain];
        assert_eq!((plain.income, plain.population), (5, 4));
        assert_eq!(tables.settlement[SettlementKind::InlandTown].cost, 7);
        assert_eq!(tables.work[WorkKind::Fortress].area_pct, 11);
    }

    #[test]
    fn our_own_keys_decide_and_unknown_ones_are_still_refused() {
        let both = "[battle]\ntie_loss_pct = 25\n[combat]\ntie_loss_pct = 30";
        assert_eq!(Tables::with_overrides(both).expect("both").combat.tie_loss_pct, 30);
        for wrong in [
            "[battle]\ntie = 25",
            "[ticks]\nnothing = true",
            "battle = 5",
            "[terrain.plain.income]\nx = 1",
            "[terrain.moor]\npop = 1",
        ] {
            assert!(Tables::with_overrides(wrong).is_err(), "{wrong}");
        }
        // Tables of the catalogue that are none of ours: the key is named, not the table.
        let told =
            Tables::with_overrides("[army_gap]\nraised_army_moves = true").map_err(|misfits| misfits.to_string());
        assert_eq!(told, Err("army_gap.raised_army_moves: no such key".to_owned()));
    }

    #[test]
    fn the_world_file_of_the_catalogue_says_what_the_book_says_here() {
        let text = include_str!("../../tests/catalogue.toml");
        assert_eq!(Tables::with_overrides(text).as_ref(), Ok(&Tables::book()));
    }

    #[test]
    fn other_shapes_of_the_catalogue_are_understood() {
        let text = "
            [map]
            column_lengths = [4, 4, 4]
            [people]
            choices = [\"none\", \"forest_people\"]
            default = \"forest_people\"
            [works_gap]
            months = \"any\"
            [roads_gap]
            months = \"arming\"
            [sea]
            lane_needs = [\"known\"]
            [hygiene]
            risk_pct = [100, 75, 60, 50, 40, 30, 20, 10, 5]
            [attrition]
            terrain = [\"swamp\", \"desert\"]
            [unrest]
            mild_deficit = [1, 3]
            fields_per_10_deficit = 2
            [[npc.kind]]
            name = \"ogres\"
            strength_k = \"100+3D6*250\"
            habitat = [\"swamp\"]
            [[administration]]
            max_armies = 3
            cost = 7
        ";
        let tables = Tables::with_overrides(text).expect("the catalogue's shapes");
        assert_eq!((tables.map.columns, tables.map.column_length), (3, 4));
        assert_eq!(tables.start.peoples, [People::Forest, People::Ordinary]);
        let verbs = &tables.calendar.any_month;
        assert_eq!(verbs, &[Verb::Equip, Verb::Lane, Verb::Gift, Verb::Build]);
        assert!(tables.movement.lane_over_reefs && !tables.movement.lane_ends_are_harbours);
        assert_eq!(tables.hygiene.plague_d20_max, [20, 15, 12, 10, 8, 6, 4, 2, 1]);
        let difficult: Vec<Terrain> = Terrain::ALL
            .iter()
            .copied()
            .filter(|t| tables.terrain[*t].difficult)
            .collect();
        assert_eq!(difficult, [Terrain::Desert, Terrain::Swamp]);
        assert_eq!((tables.unrest.serious_from, tables.unrest.deficit_per_field), (4, 5));
        let ogres = &tables.creature[Creature::Ogres];
        assert_eq!(
            (ogres.strength.plus, ogres.strength.dice, ogres.strength.factor),
            (100, 3, 250)
        );
        assert_eq!((ogres.habitat.as_slice(), ogres.per_100), (&[Terrain::Swamp][..], 1));
        assert_eq!(tables.administration.bands, [(3, 7)]);
    }

    #[test]
    fn what_no_world_can_change_is_accepted_as_it_is_and_refused_otherwise() {
        let fixed: toml::Table = super::FIXED.parse().expect("a TOML file");
        assert!(super::modern(fixed).is_empty());
        for wrong in [
            "[settlement.capital]\nper_realm = 2",
            "[terrain.plain]\nsymbol = \"red\"",
            "[army.KH]\nunit = \"M\"",
            "[host]\nturn_days = 7",
            "[map]\ncolumn_lengths = [4, 5, 4]",
            "[sea]\nlane_needs = []",
            "[unrest]\nfields_per_10_deficit = 3",
            "[hygiene]\nrisk_pct = [99]",
            "[[npc.kind]]\nname = \"unicorns\"",
            "[[npc.kind]]\nname = \"ogres\"\nstrength_k = \"many\"",
            "[works_gap]\nmonths = \"never\"",
            "[[supply]]\nmax_inhabitants = 1\ntotal = 3\ndemand = [1, 1, 0, 0, 0, 0, 0, 0, 0, 0]",
            "[people]\ndefault = \"elves\"",
        ] {
            assert!(Tables::with_overrides(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn great_fields_of_a_shape_of_their_own_are_rectangles_or_the_hexagon() {
        let chart = |lengths: &str| {
            let text = format!("[map]\nlayout = \"custom\"\ncolumn_lengths = {lengths}");
            Tables::with_overrides(&text).map(|tables| tables.chart())
        };
        let flat = chart("[3, 3, 3, 3]").expect("a rectangle");
        assert_eq!((flat.layout, flat.fields_per_great_field()), (Layout::Rect, 12));
        let hexagon = chart("[4, 5, 6, 7, 8, 7, 6, 5]").expect("the hexagon");
        assert_eq!((hexagon.layout, hexagon.fields_per_great_field()), (Layout::Hex48, 48));
        let uneven = chart("[4, 5, 4]").expect_err("gaps");
        assert!(uneven.to_string().contains("column_lengths"), "{uneven}");
        let nothing = Tables::with_overrides("[map]\nlayout = \"custom\"").expect_err("no shape");
        assert!(nothing.to_string().contains("column_lengths"), "{nothing}");
    }

    #[test]
    fn every_key_of_ours_exists() {
        let book = crate::tables::overlay::book_tree();
        for (theirs, ours) in super::KEYS {
            let mut at = Some(&toml::Value::Table(book.clone())).cloned();
            for part in ours.split('.') {
                at = at.and_then(|value| value.get(part).cloned());
            }
            assert!(at.is_some(), "{theirs}: {ours}");
        }
    }
}
