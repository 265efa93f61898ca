//! The state as facts that a scenario can name.
//!
//! Not among them, because they change with every month: the number of the month, what realms know of the map, and the numbers
//! of banners. What a realm knows is expected through `told`, `report` and `map`.

use super::Cast;
use crate::state::{Acquaintance, Army, Band, Field, Points, Realm, Sides, State, Status, Underground};
use kernel::hex::Direction;
use kernel::stage::Facts;
use std::collections::BTreeMap;

type Attributes = BTreeMap<String, String>;

pub(super) fn facts(state: &State) -> Facts {
    let cast = Cast { state };
    let mut facts = Facts::new();
    for (id, realm) in &state.realms {
        facts.insert(format!("realm {}", cast.realm(*id)), realm_facts(&cast, realm));
    }
    for field in state.chart.fields() {
        facts.insert(
            format!("field {}", cast.place(field)),
            field_facts(&cast, state.field(field)),
        );
    }
    for (id, army) in &state.armies {
        facts.insert(format!("army {}", cast.army(*id)), army_facts(&cast, army));
    }
    for (id, band) in &state.bands {
        facts.insert(format!("band {}", id.0), band_facts(&cast, band));
    }
    facts.insert(
        "world".to_owned(),
        Attributes::from([("over".to_owned(), state.over.to_string())]),
    );
    facts
}

fn set(facts: &mut Attributes, attribute: &str, value: impl ToString) {
    facts.insert(attribute.to_owned(), value.to_string());
}

fn or_none<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| value.to_string())
}

fn list(words: impl Iterator<Item = String>) -> String {
    let words: Vec<String> = words.collect();
    if words.is_empty() {
        "none".to_owned()
    } else {
        words.join(" ")
    }
}

fn points(points: &Points) -> String {
    list(points.iter().map(|(good, points)| format!("{}:{points}", good.code())))
}

fn realm_facts(cast: &Cast<'_>, realm: &Realm) -> Attributes {
    let mut facts = Attributes::new();
    set(&mut facts, "name", &realm.name);
    set(&mut facts, "player", &realm.player);
    set(&mut facts, "people", realm.people.code());
    set(&mut facts, "treasury", realm.treasury);
    let status = match realm.status {
        Status::Playing => "playing",
        Status::Eliminated => "eliminated",
        Status::Released => "released",
    };
    set(&mut facts, "status", status);
    // One missing month is no fact: in most scenarios only one realm sends orders.
    set(&mut facts, "missed", if realm.missed > 1 { realm.missed } else { 0 });
    let met = realm.met.iter().filter(|(_, known)| **known > Acquaintance::Stranger);
    let met = met.map(|(id, known)| {
        let how = if *known == Acquaintance::Player {
            "player"
        } else {
            "realm"
        };
        format!("{}:{how}", cast.realm(*id))
    });
    set(&mut facts, "met", list(met));
    set(&mut facts, "stock", points(&realm.stock));
    set(&mut facts, "imports", points(&realm.imports));
    let promotions = realm.promotions.iter();
    set(
        &mut facts,
        "promotions",
        list(promotions.map(|p| format!("{}:{}:{}", p.soil.code(), p.good.code(), p.points))),
    );
    set(&mut facts, "hygiene", or_none(realm.hygiene));
    set(&mut facts, "unrest", realm.unrest);
    set(&mut facts, "harvest", if realm.bad_harvest { "bad" } else { "good" });
    set(&mut facts, "lanes", list(realm.lanes.keys().cloned()));
    set(
        &mut facts,
        "gifts",
        list(
            realm
                .gifts
                .iter()
                .map(|gift| format!("{}:{}", cast.realm(gift.from), gift.gold)),
        ),
    );
    set(
        &mut facts,
        "culture",
        list(realm.culture.iter().map(|c| format!("{:?}:{}", c.when, c.points))),
    );
    if let Some(statement) = &realm.statement {
        set(&mut facts, "population", statement.population);
        set(&mut facts, "taxes", statement.taxes);
        set(&mut facts, "land", statement.land);
        set(&mut facts, "mines", statement.mines);
        set(&mut facts, "trade", statement.trade);
        set(&mut facts, "supply", points(&statement.supply));
        set(&mut facts, "demand", points(&statement.demand));
        set(&mut facts, "balanced", statement.balanced);
        set(&mut facts, "luxury-met", statement.luxury_met);
        set(&mut facts, "unrest-chance", statement.unrest);
        set(
            &mut facts,
            "needed",
            list(statement.needed.iter().map(|good| good.code().to_owned())),
        );
    }
    facts
}

/// Directions by their digits: 1 N, 2 NE, 3 SE, 4 S, 5 SW, 6 NW.
fn sides(sides: Sides) -> String {
    let digits: String = Direction::ALL
        .iter()
        .filter(|direction| sides.has(**direction))
        .map(|direction| char::from(b'0' + direction.digit()))
        .collect();
    if digits.is_empty() { "none".to_owned() } else { digits }
}

fn field_facts(cast: &Cast<'_>, field: &Field) -> Attributes {
    let mut facts = Attributes::new();
    set(&mut facts, "terrain", field.terrain.code());
    set(&mut facts, "owner", cast.realm(field.owner));
    set(&mut facts, "rivers", sides(field.rivers));
    set(&mut facts, "bridges", sides(field.bridges));
    set(&mut facts, "roads", sides(field.roads));
    set(&mut facts, "work", or_none(field.work.map(|work| work.kind.code())));
    let ground = match field.ground {
        Underground::Unsearched => "unsearched".to_owned(),
        Underground::Nothing => "nothing".to_owned(),
        Underground::Mine { vein, yields, terms } => format!("{}:{yields}:{terms}", vein.code()),
        Underground::Exhausted => "exhausted".to_owned(),
        Underground::Pearls => "pearls".to_owned(),
    };
    set(&mut facts, "ground", ground);
    set(
        &mut facts,
        "places",
        or_none(field.places.map(|goods| goods.map(|good| good.code()).join("+"))),
    );
    set(&mut facts, "pays", !field.pays_nothing);
    let town = field.settlement.as_deref();
    set(&mut facts, "settlement", or_none(town.map(|town| town.kind.code())));
    set(&mut facts, "grown", or_none(town.map(|town| town.grown)));
    set(&mut facts, "fortified", or_none(town.map(|town| town.fortified)));
    set(&mut facts, "plague", or_none(town.map(|town| town.plague)));
    let trade = town
        .and_then(|town| town.trade)
        .map(|trade| format!("{}:{}:{}", trade.needed, trade.others, trade.carried));
    set(&mut facts, "trade", or_none(trade));
    set(&mut facts, "town-pays", or_none(town.map(|town| !town.pays_nothing)));
    facts
}

fn army_facts(cast: &Cast<'_>, army: &Army) -> Attributes {
    let mut facts = Attributes::new();
    set(&mut facts, "count", army.count);
    set(&mut facts, "at", cast.place(army.field));
    set(&mut facts, "order", army.stance.code());
    set(&mut facts, "aboard", or_none(army.aboard));
    let equipment = army.equipment.map(|equipment| {
        let used = if army.equipment_used { " used" } else { "" };
        format!("{}{used}", equipment.code())
    });
    set(&mut facts, "equipment", or_none(equipment));
    set(&mut facts, "stationed", army.stationed);
    let load = army.load.iter();
    set(
        &mut facts,
        "load",
        list(load.map(|load| format!("{}:{}:{}", load.good.code(), load.points, cast.realm(load.origin)))),
    );
    facts
}

fn band_facts(cast: &Cast<'_>, band: &Band) -> Attributes {
    let mut facts = Attributes::new();
    set(&mut facts, "who", band.creature.code());
    set(&mut facts, "count", band.count);
    set(&mut facts, "at", cast.place(band.field));
    set(&mut facts, "order", band.stance.code());
    facts
}
