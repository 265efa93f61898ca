//! The same world with everything changed that one realm cannot know.

use super::{Lots, orders, world};
use crate::Thoramar;
use crate::codes::{Command, Flag, Kind, Terrain, Treaty};
use crate::state::{Army, ArmyId, State};
use crate::tables::Tables;
use kernel::campaign::Setting;
use kernel::game::Game;
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;

/// Capitals farther apart than this belong to different pairs; nothing of the other pair can be seen within a season.
const FAR: u32 = 20;
/// Around a far capital so much is turned upside down.
const UPHEAVAL: u32 = 8;
/// Spies of a neighbour have numbers that no order names.
const SPY: u32 = 900;

/// The twin of a setting for one viewer.
pub(super) fn scramble(setting: &Setting<Thoramar>, viewer: RealmId, lots: &mut Lots<'_>) -> Setting<Thoramar> {
    let mut twin = setting.clone();
    let Ok(tables) = Thoramar::tables("") else { return twin };
    let home = twin.state.origin_of(viewer);
    let realms: Vec<RealmId> = twin.state.playing().filter(|realm| *realm != viewer).collect();
    for realm in &realms {
        let capital = twin.state.origin_of(*realm);
        if twin.state.grid.distance(home, capital) > FAR {
            far_realm(&tables, &mut twin, *realm, capital, lots);
        } else {
            neighbour(&tables, &mut twin, *realm, &realms, lots);
        }
    }
    let far = |state: &State, field: FieldIndex| {
        let mut capitals = realms.iter().map(|realm| state.origin_of(*realm));
        capitals
            .any(|capital| state.grid.distance(home, capital) > FAR && state.grid.distance(capital, field) <= UPHEAVAL)
    };
    far_land(&tables, &mut twin.state, &far, lots);
    far_monsters(&tables, &mut twin.state, &far, lots);
    strangers_treaties(&mut twin.state, viewer, home, lots);
    twin
}

/// Other armies, other gold, other people, other orders. What the realm tells the world stays.
fn far_realm(tables: &Tables, twin: &mut Setting<Thoramar>, id: RealmId, capital: FieldIndex, lots: &mut Lots<'_>) {
    let state = &mut twin.state;
    if let Some(realm) = state.realms.get_mut(&id) {
        realm.treasury += lots.number(1, 1_000_000);
        realm.income = lots.number(0, 1_000);
        realm.account = Some(lots.number(50, 200));
        realm.player = format!("Spieler {}", lots.number(1, 99));
        for percent in realm.culture.percent.values_mut() {
            *percent = u16::try_from(lots.number(60, 140)).unwrap_or(100);
        }
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
        let secret = orders::secret(&twin.state, id, 6, lots);
        *file = (secret + orders::PUBLIC + public).into_bytes();
    }
}

/// Next door only what leaves no trace: gold in plenty, spies that stand or walk unseen (GAP-14), letters to others.
fn neighbour(tables: &Tables, twin: &mut Setting<Thoramar>, id: RealmId, realms: &[RealmId], lots: &mut Lots<'_>) {
    let state = &mut twin.state;
    if let Some(realm) = state.realms.get_mut(&id) {
        realm.treasury += lots.number(1, 1_000_000);
    }
    let mut walks = String::new();
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
        let mut spy = Army::new(lots.number(60, 100), field, 8);
        spy.command = Command::Defend;
        spy.flag = Flag::Unseen;
        state.armies.insert(ArmyId::new(id, kind, number), spy);
        if lots.chance(50) {
            let route: String = (0..lots.number(1, 6)).map(|_| lots.number(0, 6).to_string()).collect();
            walks.push_str(&format!("$A\n{} {number} {route} V-\n", kind.code()));
        }
    }
    let Some(file) = twin.files.get_mut(&id) else { return };
    let mut text = format!("\n{walks}");
    for other in realms.iter().filter(|other| **other != id) {
        if lots.chance(50) {
            text.push_str(&format!(
                "$N\n#{other}\nSage nichts davon weiter: {}.\n#E\n",
                lots.number(1, 99)
            ));
        }
    }
    file.extend_from_slice(text.as_bytes());
}

/// Another face of the far land; what stands on it and in it keeps its place.
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
        if let Some(site) = field.site.as_deref_mut() {
            site.armed_gold = lots.number(0, 20_000);
            site.mine_reserve += lots.number(0, 1_000);
        }
    }
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
fn strangers_treaties(state: &mut State, viewer: RealmId, home: FieldIndex, lots: &mut Lots<'_>) {
    let realms: Vec<RealmId> = state.playing().filter(|realm| *realm != viewer).collect();
    for (index, one) in realms.iter().enumerate() {
        for other in realms.iter().skip(index + 1) {
            let apart = [one, other]
                .iter()
                .any(|realm| state.grid.distance(home, state.origin_of(**realm)) > FAR);
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
