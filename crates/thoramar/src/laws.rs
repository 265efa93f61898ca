//! Facts that hold in every world between two turns. A broken one is our own bug: the world is halted as it was.

use crate::codes::{Arm, Building, Condition, Kind};
use crate::state::{Army, ArmyId, State};
use crate::tables::Tables;
use kernel::realm::RealmId;
use std::collections::BTreeMap;

/// Checks every law; the first broken one is named.
pub fn hold(tables: &Tables, state: &State) -> Result<(), String> {
    if state.fields.len() != state.grid.field_count() as usize {
        return Err(format!(
            "{} fields in a world of {}",
            state.fields.len(),
            state.grid.field_count()
        ));
    }
    land(tables, state)?;
    realms(tables, state)?;
    for (id, army) in state.armies.iter() {
        one_army(tables, state, *id, army)?;
    }
    groups_and_cargo(tables, state)
}

/// Rivers, roads and bridges are the same from both sides; what is built stands on land; figures keep their bounds.
fn land(tables: &Tables, state: &State) -> Result<(), String> {
    for index in state.grid.fields() {
        let field = state.field(index);
        let broken = |law: &str| Err(format!("field {}: {law}", state.place(RealmId::NOBODY, index)));
        for (direction, beside) in state.grid.neighbours(index) {
            let other = state.field(beside);
            let back = direction.opposite();
            let same = [
                (field.rivers, other.rivers),
                (field.roads, other.roads),
                (field.bridges, other.bridges),
            ];
            if same.iter().any(|(here, there)| here.has(direction) != there.has(back)) {
                return broken("a river, road or bridge has only one side");
            }
        }
        if field.bridges.0 & !field.rivers.0 != 0 {
            return broken("a bridge without a river");
        }
        if field.yield_percent > 100 || field.unrest > 100 {
            return broken("yield or unrest above 100");
        }
        if field.owner.is_played() && !state.realms.contains_key(&field.owner) {
            return broken("owned by a realm that does not exist");
        }
        let built = field.site.is_some() || field.walls.0 != 0 || field.owner.is_played();
        if built && !tables.is_land(field.terrain) {
            return broken("owned or built on, but no land");
        }
        if let Some(site) = field.site.as_deref() {
            if !site.standing && site.works.is_none() {
                return broken("a site where nothing stands and nothing is built");
            }
            if site.works.is_some_and(|works| works.turns_left == 0) {
                return broken("works that are done but not finished");
            }
            if site.armed_gold < 0 || site.mine_reserve < 0 {
                return broken("a building with less than nothing");
            }
        }
    }
    Ok(())
}

/// No debts and one capital a realm unless the world allows more, treaties between two realms in order.
fn realms(tables: &Tables, state: &State) -> Result<(), String> {
    for (id, realm) in &state.realms {
        if !id.is_played() || !state.grid.contains(realm.origin) {
            return Err(format!("realm {id}: no number or no origin"));
        }
        if realm.treasury < 0 && !tables.of(*id).economy.debts_allowed {
            return Err(format!("realm {id}: a treasury of {}", realm.treasury));
        }
    }
    let mut seats: BTreeMap<_, u32> = BTreeMap::new();
    for field in &state.fields {
        let standing = field.building().filter(|site| site.condition != Condition::Ruin);
        let capital = standing.is_some_and(|site| site.building == Building::Capital);
        if capital && field.owner.is_played() {
            *seats.entry(field.owner).or_default() += 1;
        }
    }
    let several = |realm: RealmId| tables.of(realm).conquest.captured_capital == Building::Capital;
    if let Some((realm, count)) = seats.iter().find(|(realm, count)| **count > 1 && !several(**realm)) {
        return Err(format!("realm {realm}: {count} capitals"));
    }
    match state.treaties.keys().find(|(a, b)| a >= b || !a.is_played()) {
        Some((a, b)) => Err(format!("a treaty between {a} and {b}")),
        None => Ok(()),
    }
}

/// An army stands where its kind may stand and is as strong as an army must be.
fn one_army(tables: &Tables, state: &State, id: ArmyId, army: &Army) -> Result<(), String> {
    let broken = |law: &str| Err(format!("army {id}: {law}"));
    if id.realm.is_played() && !state.realms.contains_key(&id.realm) {
        return broken("of a realm that does not exist");
    }
    if id.name.number == 0 || !state.grid.contains(army.field) {
        return broken("no number or no field");
    }
    let least = if id.kind().is_group() { 0 } else { 1 };
    if army.count < least {
        return broken("has nobody in it");
    }
    let terrain = state.field(army.field).terrain;
    let legal = match army.aboard {
        Some(_) => tables.is_water(terrain),
        None if id.kind().sails() => tables.is_water(terrain),
        None => tables.is_land(terrain),
    };
    if !legal {
        let place = state.place(RealmId::NOBODY, army.field);
        return broken(&format!("stands where it cannot, on {} at {place}", terrain.code()));
    }
    if army.start.is_some_and(|start| !state.grid.contains(start)) {
        return broken("started nowhere");
    }
    Ok(())
}

/// Members stand with their group, cargo with its fleet and fits; demons obey a wizard of their realm.
fn groups_and_cargo(tables: &Tables, state: &State) -> Result<(), String> {
    let mut carried: BTreeMap<ArmyId, u32> = BTreeMap::new();
    for (id, army) in state.armies.iter() {
        let broken = |law: &str| Err(format!("army {id}: {law}"));
        let field_of = |name: crate::state::ArmyName| state.army(name.of(id.realm)).map(|other| other.field);
        if let Some(group) = army.group
            && (!group.kind.is_group() || !id.kind().may_join() || field_of(group) != Some(army.field))
        {
            return broken("a member without its group");
        }
        if let Some(fleet) = army.aboard {
            let Some(ships) = state.army(fleet.of(id.realm)) else {
                return broken("aboard of nothing");
            };
            let own = tables.of(id.realm);
            let room = ships.count.saturating_mul(own.capacity_per_ship(fleet.kind));
            let heads = if id.kind().arm() == Arm::Wizard { 0 } else { army.count };
            let need = heads.saturating_mul(own.space_per_head(id.kind())) + own.space_flat(id.kind());
            if ships.field != army.field || need > room {
                return broken("does not fit aboard its fleet");
            }
            let count = carried.entry(fleet.of(id.realm)).or_default();
            *count += 1;
            if *count > 1 {
                return broken("shares a fleet with another army");
            }
        }
        if let Some(master) = army.master {
            let controls = matches!(master.kind, Kind::Summoner | Kind::MonsterMaster);
            if !id.kind().is_demon() || !controls || state.army(master.of(id.realm)).is_none() {
                return broken("obeys a wizard who is not there");
            }
        }
    }
    match state
        .realms
        .values()
        .flat_map(|realm| realm.knowledge.keys())
        .copied()
        .find(|field| !state.grid.contains(*field))
    {
        Some(field) => Err(format!("field {}: known but not in the world", field.0)),
        None => Ok(()),
    }
}
