//! The spelling of the rule catalogue: a world may be written down with its keys and names as well as with those of `data/pygma-isis`.
//! What both name, the keys of `data/pygma-isis` decide.

use toml::{Table, Value};

/// Keys that stand elsewhere here: the catalogue's path, ours.
const KEYS: [(&str, &str); 72] = [
    ("absence.gm_decides_after_missed", "absence.ask_after"),
    ("absence.warn_after_missed", "absence.warn_after"),
    (
        "army_gap.raised_army_moves_same_month",
        "armies.raised_army_moves_same_month",
    ),
    ("army_gap.ship_to_warriors", "armies.ship_to_warriors"),
    ("army_rules.conquest_min", "armies.conquest_min"),
    ("army_rules.control", "armies.control"),
    ("army_rules.height_steps_per_month", "movement.height_steps"),
    ("army_rules.pay_pct", "armies.pay_pct"),
    ("army_rules.sight", "armies.sight"),
    ("attrition.equip1_pct", "attrition.equipped_pct.I"),
    ("attrition.equip2_pct", "attrition.equipped_pct.II"),
    ("attrition.equip_cost_per_man.I", "attrition.equipment_cost.I"),
    ("attrition.equip_cost_per_man.II", "attrition.equipment_cost.II"),
    ("attrition.none_pct", "attrition.bare_pct"),
    ("attrition_gap.on_roads", "attrition.on_roads"),
    ("battle.loser_destroyed_at_ratio", "combat.loser_destroyed_at_ratio"),
    ("battle.loser_loss_pct_at_parity", "combat.loser_loss_pct"),
    ("battle.tie_loss_pct", "combat.tie_loss_pct"),
    ("battle.winner_loss_exponent", "combat.winner_loss_exponent"),
    ("battle.winner_loss_pct_at_parity", "combat.winner_loss_pct"),
    (
        "capital_loss.treasury_share_to_conqueror_pct",
        "capital_loss.treasury_share_pct",
    ),
    ("capital_loss.unrest_bonus_pct", "capital_loss.unrest_pct"),
    ("combat.rh_lowland_highland", "combat.rider_open"),
    ("combat.rh_mountains", "combat.rider_mountains"),
    ("disaster.storm_ship_loss_pct", "disaster.storm_loss_pct"),
    ("finance.unpaid_loss_pct", "armies.unpaid_loss_pct"),
    ("goods_gap.beyond_250k_add_per_good", "goods.above_add_per_good"),
    ("goods_gap.beyond_250k_step_inhabitants", "goods.above_step_inhabitants"),
    ("goods_gap.gem_mine_gp", "mine.gem_points"),
    ("goods_gap.luxury_warning_pct", "goods.luxury_warning_pct"),
    ("goods_gap.may_give_up_land", "goods.may_give_up_land"),
    ("goods_gap.pearls_d20_max", "mine.pearls_d20_max"),
    ("goods_gap.stock_carry_over", "goods.stock_carry_over"),
    ("goods_gap.water_worked_by", "goods.water_worked_by"),
    ("host.free_text_max_chars", "letters.free_text_chars"),
    ("hygiene.d20_max", "hygiene.plague_d20_max"),
    ("map.gf_per_row", "map.great_fields_per_row"),
    ("map.gf_rows", "map.great_field_rows"),
    ("map.territory_view", "sight.territory"),
    ("movement.rh_mixed.inside", "movement.rider_mixed_inside"),
    ("movement.rh_mixed.outside", "movement.rider_mixed_outside"),
    ("movement.rh_mountain_total", "movement.rider_mountain_total"),
    (
        "npc.exclusion_distance_from_start",
        "creatures.exclusion_distance_from_start",
    ),
    ("npc.horde_hunt_range", "creatures.horde_hunt_range"),
    ("npc.horde_move_pct", "creatures.horde_move_pct"),
    ("npc.neutral_settlement.garrison_pct", "creatures.garrison_pct"),
    ("npc.neutral_settlement.per_100_kf", "creatures.settlements_per_100"),
    ("plague.seceded_garrison_k", "plague.seceded_garrison"),
    ("production_rules.slot_points", "goods.place_points"),
    ("promotion.cost_per_point", "goods.promotion_cost"),
    ("promotion.max_goods_per_column", "goods.promotion_goods_max"),
    ("promotion.max_points_per_column", "goods.promotion_points_max"),
    ("ranking.score.own_kf", "ranking.per_field"),
    ("ranking.score.population_point", "ranking.per_population_point"),
    ("ranking.score.town", "ranking.per_town"),
    ("rivers.unbridged_crossing", "movement.unbridged_river"),
    ("roads_gap.foreign_use", "road.foreign_use"),
    ("sea.grounding_loss_d6_pct", "movement.grounding_loss_pct"),
    ("sea.home_water_distance", "movement.home_water_distance"),
    ("sea.reef_loss_d6_pct", "movement.reef_loss_pct"),
    ("settlement_rules.colony_min_pop_points", "settling.colony_min_points"),
    ("settlement_rules.min_distance", "settling.min_distance"),
    ("settlement_rules.pop_growth_cost", "settling.growth_cost"),
    ("trade.extra_cap_per_town", "trade.extra_max_per_town"),
    ("trade.gs_per_needed_point", "trade.gold_per_needed_point"),
    ("trade.other_points_per_1000_gs", "trade.other_points_per_gold"),
    ("trade_gap.captured_by_A", "trader.captured"),
    ("trade_gap.third", "trade.third"),
    ("trader.capacity_gp", "trader.capacity"),
    ("unrest.rebels_base_k", "unrest.rebels_base"),
    ("unrest.rebels_max_k", "unrest.rebels_max"),
    ("withdraw.moving_trigger", "withdraw.moving_distance"),
];

/// Tables all of whose other keys have the same names here.
const TABLES: [(&str, &str); 6] = [
    ("settlement_gap", "settling"),
    ("sight_gap", "sight"),
    ("stationing", "armies"),
    ("ticks", "movement"),
    ("work_rules", "works"),
    ("works_gap", "works"),
];

/// Kinds by their names in the catalogue.
const KINDS: [(&str, &str, &str); 26] = [
    ("terrain", "ice", "EI"),
    ("terrain", "plain", "EB"),
    ("terrain", "mountains", "GB"),
    ("terrain", "high_plateau", "HE"),
    ("terrain", "hills", "HU"),
    ("terrain", "desert", "WU"),
    ("terrain", "swamp", "SU"),
    ("terrain", "grassland", "GR"),
    ("terrain", "rainforest", "RW"),
    ("terrain", "light_forest", "LW"),
    ("terrain", "deep_forest", "TW"),
    ("terrain", "fresh_water", "SW"),
    ("terrain", "salt_water", "SA"),
    ("terrain", "reef", "RI"),
    ("terrain", "oasis", "OA"),
    ("terrain", "wooded_hills", "WH"),
    ("settlement", "small_settlement", "KSI"),
    ("settlement", "large_settlement", "GSI"),
    ("settlement", "small_town", "KST"),
    ("settlement", "inland_town", "BST"),
    ("settlement", "harbour_town", "HST"),
    ("settlement", "capital", "HPT"),
    ("work", "watch_post", "WPO"),
    ("work", "lookout_tower", "SPT"),
    ("work", "watch_tower", "WTU"),
    ("work", "fortress", "FES"),
];

/// Columns of their tables that have other names here.
const COLUMNS: [(&str, &str, &str); 6] = [
    ("terrain", "pop", "population"),
    ("settlement", "pop", "population"),
    ("settlement", "build_cost", "cost"),
    ("settlement", "upgrade_cost", "cost"),
    ("work", "bonus_field_pct", "field_pct"),
    ("work", "bonus_area_pct", "area_pct"),
];

/// Replaces what is written as in the catalogue.
pub(crate) fn modern(differences: Table) -> Table {
    let mut values = Vec::new();
    flatten(String::new(), Value::Table(differences), &mut values);
    let (own, foreign): (Vec<_>, Vec<_>) = values
        .into_iter()
        .map(|(path, value)| {
            let name = renamed(&path);
            (name.is_none(), name.unwrap_or(path), value)
        })
        .partition(|(is_own, ..)| *is_own);
    let mut tree = Table::new();
    for (_, path, value) in foreign {
        put(&mut tree, &path, translated(&path, value));
    }
    for (_, path, value) in own {
        put(&mut tree, &path, value);
    }
    tree
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

/// Our path for one of the catalogue; none for a path that is ours, or nobody's.
fn renamed(path: &str) -> Option<String> {
    if let Some((_, ours)) = KEYS.iter().find(|(theirs, _)| *theirs == path) {
        return Some((*ours).to_owned());
    }
    let (table, rest) = path.split_once('.')?;
    if let Some((_, ours)) = TABLES.iter().find(|(theirs, _)| *theirs == table) {
        return Some(format!("{ours}.{rest}"));
    }
    let (kind, column) = rest.split_once('.')?;
    let code = KINDS.iter().find(|(of, name, _)| *of == table && *name == kind);
    let name = COLUMNS.iter().find(|(of, name, _)| *of == table && *name == column);
    if code.is_none() && name.is_none() {
        return None;
    }
    let code = code.map_or(kind, |(_, _, code)| code);
    Some(format!("{table}.{code}.{}", name.map_or(column, |(_, _, name)| name)))
}

/// Words of the catalogue that are shorter here.
fn translated(path: &str, value: Value) -> Value {
    let word = match (path, value.as_str()) {
        ("works.stacking", Some("highest_only")) => "highest",
        ("trade.third", Some("kept_in_addition")) => "kept",
        _ => return value,
    };
    Value::String(word.to_owned())
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
    use crate::codes::{SettlementKind, Terrain, WorkKind};
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
