//! The same world with everything changed that one realm cannot know.

use super::orders::{self, Arming};
use super::{Lots, SPY, STEPS, world};
use crate::Thoramar;
use crate::codes::{Building, Command, Condition, Family, Flag, Kind, Terrain, Treaty};
use crate::order::Order;
use crate::state::{Army, ArmyId, Computer, Site, State, Works};
use crate::tables::Tables;
use kernel::campaign::Setting;
use kernel::game::Game;
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use std::collections::BTreeSet;

/// Capitals farther apart than this belong to different pairs; nothing of the other pair can be seen within a season.
const FAR: u32 = 20;
/// Around a far capital so much is turned upside down.
const UPHEAVAL: u32 = 8;

/// Whether a realm belongs to the other pair.
pub(super) fn is_far(state: &State, viewer: RealmId, realm: RealmId) -> bool {
    state.grid.distance(state.origin_of(viewer), state.origin_of(realm)) > FAR
}

/// The twin of a setting for one viewer, good for so many steps.
pub(super) fn scramble(
    setting: &Setting<Thoramar>,
    viewer: RealmId,
    steps: u32,
    lots: &mut Lots<'_>,
) -> Setting<Thoramar> {
    let mut twin = setting.clone();
    let Ok(tables) = Thoramar::tables("") else { return twin };
    let realms: Vec<RealmId> = twin.state.playing().filter(|realm| *realm != viewer).collect();
    for realm in &realms {
        if is_far(&twin.state, viewer, *realm) {
            far_realm(&tables, &mut twin, *realm, lots);
        } else if steps == 1 {
            spies_on_the_march(&tables, &mut twin, *realm, lots);
            quiet_changes(&tables, &mut twin, *realm, lots);
            neighbour(&tables, &mut twin, *realm, &realms, lots);
        } else {
            standing_spies(&mut twin.state, *realm, lots);
            neighbour(&tables, &mut twin, *realm, &realms, lots);
        }
    }
    let far = |state: &State, field: FieldIndex| {
        let mut strangers = realms.iter().filter(|realm| is_far(state, viewer, **realm));
        strangers.any(|realm| state.grid.distance(state.origin_of(*realm), field) <= UPHEAVAL)
    };
    far_land(&tables, &mut twin.state, &far, lots);
    far_monsters(&tables, &mut twin.state, &far, lots);
    strangers_treaties(&mut twin.state, viewer, lots);
    twin
}

/// Other armies, other gold, other people, other orders. What the realm tells the world stays.
fn far_realm(tables: &Tables, twin: &mut Setting<Thoramar>, id: RealmId, lots: &mut Lots<'_>) {
    let state = &mut twin.state;
    let capital = state.origin_of(id);
    // Its coordinates begin somewhere else, and so its orders speak of other fields.
    let elsewhere: Vec<FieldIndex> = state.grid.neighbours(capital).map(|(_, field)| field).collect();
    let origin = lots.pick(&elsewhere).filter(|_| lots.chance(30)).unwrap_or(capital);
    if let Some(realm) = state.realms.get_mut(&id) {
        realm.origin = origin;
        realm.missed_turns = u32::try_from(lots.number(0, 9)).unwrap_or(0);
        realm.computer = lots
            .pick(&[Computer::Unsaid, Computer::Pc, Computer::Amiga])
            .unwrap_or_default();
        realm.treasury += lots.number(1, 1_000_000);
        realm.income = lots.number(0, 1_000);
        realm.upkeep = Some(lots.number(0, 1_000));
        realm.account = Some(lots.number(50, 200));
        realm.player = format!("Spieler {}", lots.number(1, 99));
        for percent in realm.culture.percent.values_mut() {
            *percent = u16::try_from(lots.number(60, 140)).unwrap_or(100);
        }
        let families = [
            Family::Jungle,
            Family::Swamp,
            Family::Desert,
            Family::Ice,
            Family::DeepSea,
        ];
        realm.culture.spared = families.into_iter().filter(|_| lots.chance(40)).collect();
        let known: Vec<FieldIndex> = realm.knowledge.keys().copied().collect();
        for field in known {
            if lots.chance(30) {
                realm.knowledge.remove(&field);
            }
        }
    }
    let free: Vec<ArmyId> = state
        .armies_of(id)
        .filter(|(id, army)| army.is_free() && !id.kind().is_group() && !id.kind().is_wizard())
        .filter(|(id, _)| !state.armies.values().any(|army| army.aboard == Some(id.name)))
        .map(|(id, _)| id)
        .collect();
    for id in free {
        match lots.number(1, 4) {
            1 => {
                state.armies.remove(&id);
            }
            2 => {
                if let Some(army) = state.armies.get_mut(&id) {
                    army.count += lots.number(1, 500);
                    army.flag = lots.pick(Flag::ALL).unwrap_or(Flag::Shown);
                }
            }
            _ => {}
        }
    }
    for kind in Kind::TROOPS {
        if lots.chance(30) {
            world::army(tables, state, id, capital, kind, lots);
        }
    }
    if let Some(file) = twin.files.get_mut(&id) {
        let text = String::from_utf8_lossy(file).into_owned();
        let public = text.split_once(orders::PUBLIC).map_or("", |(_, public)| public);
        let secret = orders::secret(&twin.state, id, Arming::AllKinds, STEPS, lots);
        *file = (secret + orders::PUBLIC + public).into_bytes();
    }
}

/// Next door what leaves no trace however long one looks: gold in plenty, strength in arms that no army of the realm bears,
/// letters to others.
fn neighbour(tables: &Tables, twin: &mut Setting<Thoramar>, id: RealmId, realms: &[RealmId], lots: &mut Lots<'_>) {
    let untried = untried(tables, twin, id);
    if let Some(realm) = twin.state.realms.get_mut(&id) {
        realm.treasury += lots.number(1, 1_000_000);
        for kind in untried {
            let percent = u16::try_from(lots.number(50, 150)).unwrap_or(100);
            realm.culture.percent.insert(kind, percent);
        }
    }
    let Some(file) = twin.files.get_mut(&id) else { return };
    for other in realms.iter().filter(|other| **other != id) {
        if lots.chance(50) {
            let secret = lots.number(1, 99);
            file.extend_from_slice(format!("$N\n#{other}\nSage nichts davon weiter: {secret}.\n#E\n").as_bytes());
        }
    }
}

/// Kinds that the realm neither has nor arms, and cannot come by: taming brings armies of nobody, a revolt light warriors.
fn untried(tables: &Tables, twin: &Setting<Thoramar>, id: RealmId) -> Vec<Kind> {
    let state = &twin.state;
    let had = [id, RealmId::NOBODY]
        .into_iter()
        .flat_map(|realm| state.armies_of(realm));
    let mut tried: BTreeSet<Kind> = had.map(|(id, _)| id.kind()).collect();
    tried.insert(Kind::LightWarrior);
    for order in orders_of(tables, twin, id) {
        if let Order::Arm { army, .. } = order {
            tried.insert(army.value.kind);
        }
    }
    let mut kinds = Kind::TROOPS.to_vec();
    kinds.retain(|kind| !tried.contains(kind));
    kinds
}

fn orders_of(tables: &Tables, twin: &Setting<Thoramar>, id: RealmId) -> Vec<Order> {
    let seat = Thoramar::seat(tables, &twin.state, id);
    let parsed = seat
        .zip(twin.files.get(&id))
        .map(|(seat, file)| Thoramar::parse(tables, &seat, file));
    parsed.map_or_else(Vec::new, |parsed| {
        parsed.orders.into_iter().map(|order| order.value).collect()
    })
}

/// Next door what nobody can notice in the season itself: unrest breaks out at its end, and arming capacity counts only
/// where something is armed.
fn quiet_changes(tables: &Tables, twin: &mut Setting<Thoramar>, id: RealmId, lots: &mut Lots<'_>) {
    let places: BTreeSet<FieldIndex> = orders_of(tables, twin, id)
        .iter()
        .filter_map(|order| match order {
            Order::Arm { place, .. } => twin.state.field_at(id, place.value).ok(),
            _ => None,
        })
        .collect();
    let fields: Vec<FieldIndex> = twin.state.grid.fields().collect();
    for index in fields {
        let field = twin.state.field_mut(index);
        if field.owner != id {
            continue;
        }
        field.unrest = u8::try_from(lots.number(0, 100)).unwrap_or(0);
        if let Some(site) = field.site.as_deref_mut().filter(|_| !places.contains(&index)) {
            site.armed_gold = lots.number(0, 20_000);
        }
    }
}

/// Spies that stand or walk unseen for one season (GAP-14).
fn spies_on_the_march(tables: &Tables, twin: &mut Setting<Thoramar>, id: RealmId, lots: &mut Lots<'_>) {
    let state = &mut twin.state;
    let mut walks = "\n".to_owned();
    let grounds: Vec<FieldIndex> = state
        .armies
        .iter()
        .filter(|(_, army)| tables.is_land(state.field(army.field).terrain))
        .map(|(_, army)| army.field)
        .collect();
    for number in SPY..SPY + u32::try_from(lots.number(1, 4)).unwrap_or(1) {
        let kind = lots
            .pick(&[Kind::LightWarrior, Kind::LightRider, Kind::MediumWarrior])
            .unwrap_or(Kind::LightWarrior);
        let Some(field) = lots.pick(&grounds) else {
            continue;
        };
        spy(state, ArmyId::new(id, kind, number), field, lots.number(60, 100));
        if lots.chance(50) {
            let route: String = (0..lots.number(1, 6)).map(|_| lots.number(0, 6).to_string()).collect();
            walks.push_str(&format!("$A\n{} {number} {route} V-\n", kind.code()));
        }
    }
    if let Some(file) = twin.files.get_mut(&id) {
        file.extend_from_slice(walks.as_bytes());
    }
}

/// Spies that stand unseen on a neighbour's land for years.
fn standing_spies(state: &mut State, id: RealmId, lots: &mut Lots<'_>) {
    let grounds: Vec<FieldIndex> = state
        .grid
        .fields()
        .filter(|field| {
            let owner = state.field(*field).owner;
            owner.is_played() && owner != id && !is_far(state, id, owner)
        })
        .collect();
    for number in SPY..SPY + u32::try_from(lots.number(0, 3)).unwrap_or(1) {
        if let Some(field) = lots.pick(&grounds) {
            spy(
                state,
                ArmyId::new(id, Kind::LightWarrior, number),
                field,
                lots.number(100, 200),
            );
        }
    }
}

fn spy(state: &mut State, id: ArmyId, field: FieldIndex, count: i64) {
    let mut spy = Army::new(count, field, 8);
    spy.command = Command::Defend;
    spy.flag = Flag::Unseen;
    state.armies.insert(id, spy);
}

/// Another face of the far land; what stands on it and in it keeps its place, but is at work and begun elsewhere.
fn far_land(tables: &Tables, state: &mut State, far: &dyn Fn(&State, FieldIndex) -> bool, lots: &mut Lots<'_>) {
    let fields: Vec<FieldIndex> = state.grid.fields().filter(|field| far(state, *field)).collect();
    for index in fields {
        let land = tables.is_land(state.field(index).terrain);
        let field = state.field_mut(index);
        if land && lots.chance(30) {
            let terrains = [
                Terrain::Lowland,
                Terrain::LowlandForest,
                Terrain::LowlandSwamp,
                Terrain::LowlandSteppe,
            ];
            field.terrain = lots.pick(&terrains).unwrap_or(Terrain::Lowland);
        }
        field.unrest = u8::try_from(lots.number(0, 90)).unwrap_or(0);
        field.yield_percent = u8::try_from(lots.number(10, 100)).unwrap_or(100);
        if land && field.owner.is_played() && lots.chance(30) {
            field.blessed_turns = u8::try_from(lots.number(0, 4)).unwrap_or(0);
        }
        match field.site.as_deref_mut() {
            Some(site) => far_site(tables, site, lots),
            None if land && field.owner.is_played() && lots.chance(20) => {
                let mut begun = Site::finished(Building::Castle, "Neubau");
                begun.standing = false;
                begun.works = works(&[Building::Castle], lots);
                field.site = Some(Box::new(begun));
            }
            None => {}
        }
    }
}

/// Other gold in it, another code, other work on it.
fn far_site(tables: &Tables, site: &mut Site, lots: &mut Lots<'_>) {
    site.armed_gold = lots.number(0, 20_000);
    site.mine_reserve += lots.number(0, 1_000);
    if lots.chance(50) {
        // Codes of the settings are below.
        site.gate_code = site.gate_code.map(|code| code + 50);
    }
    if site.standing && lots.chance(50) {
        let mended = (site.condition != Condition::Intact).then_some(site.building);
        // A realm has one capital and one holy city.
        let grows = |target: &Building| !matches!(target, Building::Capital | Building::HolyCity);
        let targets = mended.map_or_else(
            || tables.upgrades(site.building).filter(grows).collect(),
            |same| vec![same],
        );
        site.works = works(&targets, lots);
    }
}

/// Work on one of these, to be done some day.
fn works(targets: &[Building], lots: &mut Lots<'_>) -> Option<Works> {
    let target = lots.pick(targets)?;
    let turns_left = u8::try_from(lots.number(1, 5)).unwrap_or(1);
    Some(Works { target, turns_left })
}

fn far_monsters(tables: &Tables, state: &mut State, far: &dyn Fn(&State, FieldIndex) -> bool, lots: &mut Lots<'_>) {
    let wild: Vec<ArmyId> = state
        .armies_of(RealmId::NOBODY)
        .filter(|(_, army)| far(state, army.field))
        .map(|(id, _)| id)
        .collect();
    for id in wild {
        match lots.number(1, 3) {
            1 => {
                state.armies.remove(&id);
            }
            2 => {
                if let Some(army) = state.armies.get_mut(&id) {
                    army.count += lots.number(1, 100);
                }
            }
            _ => {}
        }
    }
    let grounds: Vec<FieldIndex> = state
        .grid
        .fields()
        .filter(|field| far(state, *field) && tables.is_land(state.field(*field).terrain))
        .collect();
    for kind in [Kind::Mammoth, Kind::CaveGoblin, Kind::MediumWarrior] {
        if let Some(field) = lots.pick(&grounds) {
            let number = state.free_number(RealmId::NOBODY, kind);
            let army = Army::new(lots.number(10, 300), field, 4);
            state.armies.insert(ArmyId::new(RealmId::NOBODY, kind, number), army);
        }
    }
}

/// Treaties across the world between others: their armies cannot meet.
fn strangers_treaties(state: &mut State, viewer: RealmId, lots: &mut Lots<'_>) {
    let realms: Vec<RealmId> = state.playing().filter(|realm| *realm != viewer).collect();
    for (index, one) in realms.iter().enumerate() {
        for other in realms.iter().skip(index + 1) {
            let apart = [one, other].into_iter().any(|realm| is_far(state, viewer, *realm));
            if apart && lots.chance(50) {
                match lots
                    .pick(&[Treaty::NonAggression, Treaty::Partnership])
                    .filter(|_| lots.chance(60))
                {
                    Some(treaty) => state.treaties.insert((*one, *other), treaty),
                    None => state.treaties.remove(&(*one, *other)),
                };
            }
        }
    }
}
