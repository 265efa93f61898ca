//! The state as facts that a scenario can name.
//!
//! Not among them, because they change with every turn: the number of the turn and what realms know of the map. What a
//! realm knows is expected through `told`, `report` and `check`.

use super::realm_word;
use crate::codes::Flag;
use crate::state::{Army, ArmyId, Computer, Field, Realm, Sides, State, Status};
use crate::tables::Tables;
use kernel::hex::{Direction, FieldIndex};
use kernel::realm::RealmId;
use kernel::stage::Facts;
use std::collections::BTreeMap;

pub(super) fn facts(_tables: &Tables, state: &State) -> Facts {
    let mut facts = Facts::new();
    for (id, realm) in &state.realms {
        facts.insert(format!("realm {}", realm_word(state, *id)), realm_facts(realm));
    }
    for field in state.grid.fields() {
        let subject = format!("field {}", state.place(RealmId::NOBODY, field));
        facts.insert(subject, field_facts(state, state.field(field)));
    }
    for (id, army) in state.armies.iter() {
        facts.insert(format!("army {}", army_word(state, *id)), army_facts(state, army));
    }
    for ((a, b), treaty) in &state.treaties {
        let subject = format!("treaty {} {}", realm_word(state, *a), realm_word(state, *b));
        facts.insert(subject, BTreeMap::from([("kind".to_owned(), treaty.code().to_owned())]));
    }
    facts.insert(
        "world".to_owned(),
        BTreeMap::from([
            ("over".to_owned(), state.over.to_string()),
            (
                "house-rules".to_owned(),
                state.house_rules.split_whitespace().collect::<Vec<_>>().join(" "),
            ),
        ]),
    );
    facts
}

/// `Adler K.M 1`.
pub(super) fn army_word(state: &State, id: ArmyId) -> String {
    format!("{} {}", realm_word(state, id.realm), id.name)
}

/// A field in world coordinates.
pub(super) fn field_word(state: &State, field: FieldIndex) -> String {
    state.place(RealmId::NOBODY, field).to_string()
}

fn set(facts: &mut BTreeMap<String, String>, attribute: &str, value: impl ToString) {
    facts.insert(attribute.to_owned(), value.to_string());
}

fn or_none<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| value.to_string())
}

fn realm_facts(realm: &Realm) -> BTreeMap<String, String> {
    let mut facts = BTreeMap::new();
    set(&mut facts, "name", &realm.name);
    set(&mut facts, "player", &realm.player);
    set(&mut facts, "kind", realm.kind.code());
    set(&mut facts, "treasury", realm.treasury);
    set(&mut facts, "income", realm.income);
    set(&mut facts, "upkeep", or_none(realm.upkeep));
    set(&mut facts, "account", or_none(realm.account));
    // One missing turn is no fact: in most scenarios only one realm sends orders.
    set(
        &mut facts,
        "missed",
        if realm.missed_turns > 1 { realm.missed_turns } else { 0 },
    );
    let status = match realm.status {
        Status::Playing => "playing",
        Status::Eliminated => "eliminated",
        Status::Released => "released",
    };
    set(&mut facts, "status", status);
    let computer = match realm.computer {
        Computer::Unsaid => "none",
        Computer::Pc => "pc",
        Computer::Amiga => "amiga",
    };
    set(&mut facts, "computer", computer);
    set(&mut facts, "culture", realm.culture_text.join(" | "));
    let spared: Vec<&str> = realm.culture.spared.iter().map(|family| family.code()).collect();
    set(
        &mut facts,
        "spares",
        if spared.is_empty() {
            "none".to_owned()
        } else {
            spared.join("+")
        },
    );
    let percent: Vec<String> = realm
        .culture
        .percent
        .iter()
        .map(|(kind, percent)| format!("{} {percent}", kind.code()))
        .collect();
    set(
        &mut facts,
        "percent",
        if percent.is_empty() {
            "none".to_owned()
        } else {
            percent.join(" ")
        },
    );
    facts
}

fn sides(sides: Sides) -> String {
    let digits: String = Direction::ALL
        .iter()
        .filter(|d| sides.has(**d))
        .map(|d| char::from(b'0' + d.digit()))
        .collect();
    if digits.is_empty() { "none".to_owned() } else { digits }
}

fn field_facts(state: &State, field: &Field) -> BTreeMap<String, String> {
    let mut facts = BTreeMap::new();
    set(&mut facts, "terrain", field.terrain.code());
    set(&mut facts, "owner", realm_word(state, field.owner));
    set(&mut facts, "rivers", sides(field.rivers));
    set(&mut facts, "roads", sides(field.roads));
    set(&mut facts, "bridges", sides(field.bridges));
    set(&mut facts, "walls", sides(field.walls));
    set(&mut facts, "yield", field.yield_percent);
    set(&mut facts, "blessed", field.blessed_turns);
    set(&mut facts, "unrest", field.unrest);
    let site = field.site.as_deref();
    set(&mut facts, "building", or_none(site.map(|site| site.building.code())));
    set(&mut facts, "standing", or_none(site.map(|site| site.standing)));
    set(&mut facts, "condition", or_none(site.map(|site| site.condition.code())));
    set(&mut facts, "name", or_none(site.map(|site| site.name.clone())));
    let works = site
        .and_then(|site| site.works)
        .map(|works| format!("{} {}", works.target.code(), works.turns_left));
    set(&mut facts, "works", or_none(works));
    set(&mut facts, "armed", or_none(site.map(|site| site.armed_gold)));
    set(&mut facts, "code", or_none(site.and_then(|site| site.gate_code)));
    set(&mut facts, "reserve", or_none(site.map(|site| site.mine_reserve)));
    facts
}

fn army_facts(state: &State, army: &Army) -> BTreeMap<String, String> {
    let mut facts = BTreeMap::new();
    set(&mut facts, "count", army.count);
    set(&mut facts, "at", field_word(state, army.field));
    set(&mut facts, "points", army.points);
    set(&mut facts, "command", army.command.code());
    let flag = match army.flag {
        Flag::Shown => "+",
        Flag::Unseen => "-",
        Flag::Unassigned => "none",
    };
    set(&mut facts, "flag", flag);
    set(&mut facts, "fit", or_none(army.fit.map(|terrain| terrain.code())));
    set(&mut facts, "aboard", or_none(army.aboard));
    set(&mut facts, "group", or_none(army.group));
    set(
        &mut facts,
        "start",
        or_none(army.start.map(|field| field_word(state, field))),
    );
    set(&mut facts, "master", or_none(army.master));
    facts
}
