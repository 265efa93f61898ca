//! A world of two neighbouring pairs of realms, one season old.

use super::orders::{self, Arming};
use super::{Lots, STEPS};
use crate::Thoramar;
use crate::codes::{Building, Command, Condition, Flag, Kind, RealmKind, Terrain, Treaty};
use crate::state::{Army, ArmyId, Sides, Site, State};
use crate::tables::Tables;
use kernel::campaign::Setting;
use kernel::game::{self, Game};
use kernel::hex::{Doubled, FieldIndex};
use kernel::realm::RealmId;
use kernel::stage::{Stage, StageLine};
use kernel::turn::Input;
use std::collections::BTreeMap;

/// The world, its realms and their capitals. The pairs are 75 fields apart, so that even after three seasons of short
/// marches nothing of one can be seen from the other.
const WORLD: [&str; 5] = [
    "size 160 17",
    "realm Adler treasury 5000000",
    "realm Bär treasury 5000000",
    "realm Chimäre treasury 5000000",
    "realm Drache treasury 5000000",
];
/// Fields between the world's 0/0 and each capital.
const CAPITALS: [i64; 4] = [0, 5, 80, 85];
/// Armies stand at most so far from their capital at first.
pub(super) const SPREAD: u32 = 3;
/// Steps in the season before the one that is looked at.
const EARLIER_STEPS: i64 = 3;

/// A random setting: the world after one short season, and the orders of the next.
pub(super) fn setting(lots: &mut Lots<'_>) -> Result<Setting<Thoramar>, String> {
    let tables = Thoramar::tables("")?;
    let lines = WORLD.iter().zip(1..).map(|(text, line)| StageLine {
        line,
        text: (*text).to_owned(),
    });
    let mut lines: Vec<StageLine> = lines.collect();
    lines.push(StageLine {
        line: 1,
        text: format!("turn {}", lots.number(0, 6)),
    });
    let mut state = Thoramar::world(&tables, "", &lines).map_err(|errors| {
        errors
            .into_iter()
            .map(|error| error.message)
            .collect::<Vec<_>>()
            .join("; ")
    })?;
    land(&tables, &mut state, lots);
    for (column, number) in CAPITALS.into_iter().zip(1u16..) {
        realm(&tables, &mut state, RealmId(number), column, lots);
    }
    // Armies come when no land changes any more: a realm drains the water of its neighbour's ships.
    let capitals: Vec<(RealmId, FieldIndex)> = state.realms.iter().map(|(id, realm)| (*id, realm.origin)).collect();
    for (id, capital) in capitals {
        for kind in Kind::ALL {
            if !kind.is_group() && !kind.is_monster() && !kind.is_demon() && lots.chance(55) {
                army(&tables, &mut state, id, capital, *kind, lots);
            }
        }
    }
    wild(&tables, &mut state, lots);
    treaties(&mut state, lots);
    let files = orders::files(&state, Arming::AllKinds, EARLIER_STEPS, lots.dice);
    let state = season(&tables, state, &files, lots);
    let files = orders::files(&state, Arming::AllKinds, STEPS, lots.dice);
    Ok(Setting { state, files })
}

/// Plays a season, so that realms know something and armies stand about.
fn season(tables: &Tables, state: State, files: &BTreeMap<RealmId, Vec<u8>>, lots: &mut Lots<'_>) -> State {
    let mut input = Input::<Thoramar>::default();
    for (realm, file) in files {
        if let Some(seat) = Thoramar::seat(tables, &state, *realm) {
            input.orders.insert(*realm, Thoramar::parse(tables, &seat, file));
        }
    }
    game::run::<Thoramar>(tables, state, &input, lots.dice.clone()).state
}

fn land(tables: &Tables, state: &mut State, lots: &mut Lots<'_>) {
    let fields: Vec<FieldIndex> = state.grid.fields().collect();
    let lands: Vec<Terrain> = Terrain::ALL
        .iter()
        .copied()
        .filter(|terrain| tables.is_land(*terrain))
        .collect();
    for field in &fields {
        if state.field(*field).terrain == Terrain::Unknown {
            continue;
        }
        let terrain = match lots.number(1, 100) {
            1..=55 => Terrain::Lowland,
            56..=70 => Terrain::Highland,
            71..=85 => Terrain::Water,
            _ => lots.pick(&lands).unwrap_or(Terrain::Lowland),
        };
        let field = state.field_mut(*field);
        field.terrain = terrain;
        field.unrest = u8::try_from(lots.number(0, 60)).unwrap_or(0);
        field.yield_percent = u8::try_from(lots.number(50, 100)).unwrap_or(100);
    }
    for field in &fields {
        let beside: Vec<_> = state.grid.neighbours(*field).collect();
        for (direction, other) in beside {
            let dry = |state: &State, field: FieldIndex| tables.is_land(state.field(field).terrain);
            if field.0 > other.0 || !dry(state, *field) || !dry(state, other) {
                continue;
            }
            let river = lots.chance(12);
            let bridge = river && lots.chance(30);
            let road = lots.chance(10);
            for (field, side) in [(*field, direction), (other, direction.opposite())] {
                let field = state.field_mut(field);
                let set = |sides: &mut Sides, wanted: bool| {
                    if wanted {
                        sides.insert(side);
                    }
                };
                set(&mut field.rivers, river);
                set(&mut field.bridges, bridge);
                set(&mut field.roads, road);
            }
            if lots.chance(3) {
                state.field_mut(*field).walls.insert(direction);
            }
        }
    }
}

fn realm(tables: &Tables, state: &mut State, id: RealmId, column: i64, lots: &mut Lots<'_>) {
    let Some(capital) = state.grid.moved(state.origin, Doubled::new(2 * column, 0)) else {
        return;
    };
    if let Some(realm) = state.realms.get_mut(&id) {
        realm.origin = capital;
        realm.kind = lots.pick(RealmKind::ALL).unwrap_or(RealmKind::Ordinary);
        realm.account = Some(100);
        for kind in Kind::TROOPS {
            let percent = 80 + 5 * lots.number(0, 8);
            realm
                .culture
                .percent
                .insert(kind, u16::try_from(percent).unwrap_or(100));
        }
    }
    for field in state.grid.range(capital, 2) {
        let near = lots.chance(70);
        let field_index = field;
        let field = state.field_mut(field);
        if field_index == capital || near {
            field.terrain = if tables.is_land(field.terrain) {
                field.terrain
            } else {
                Terrain::Lowland
            };
            field.owner = id;
        }
    }
    state.field_mut(capital).terrain = Terrain::Lowland;
    state.field_mut(capital).site = Some(Box::new(Site::finished(Building::Capital, "Hof")));
    buildings(state, id, capital, lots);
}

fn buildings(state: &mut State, id: RealmId, capital: FieldIndex, lots: &mut Lots<'_>) {
    let mut wanted = vec![Building::Castle, Building::City, Building::Fortress, Building::Mine];
    wanted.push(
        lots.pick(&[Building::TempleOfLight, Building::TempleOfDark, Building::HolyCity])
            .unwrap_or(Building::HolyCity),
    );
    // A gate could bring an army to the other side of the world; only one pair of realms has gates.
    if id.0 <= 2 {
        wanted.push(Building::Gate);
    }
    for building in wanted {
        let free: Vec<FieldIndex> = state
            .grid
            .range(capital, 2)
            .into_iter()
            .filter(|field| state.field(*field).owner == id && state.field(*field).site.is_none())
            .collect();
        let Some(field) = lots.pick(&free).filter(|_| lots.chance(60)) else {
            continue;
        };
        let mut site = Site::finished(building, building.code());
        site.condition = lots
            .pick(Condition::ALL)
            .filter(|_| lots.chance(30))
            .unwrap_or(Condition::Intact);
        site.mine_reserve = if building == Building::Mine { 50_000 } else { 0 };
        site.gate_code = (building == Building::Gate).then_some(20 + id.0);
        state.field_mut(field).site = Some(Box::new(site));
    }
}

/// A new army of this kind near its capital, if there is ground it may stand on.
pub(super) fn army(
    tables: &Tables,
    state: &mut State,
    realm: RealmId,
    capital: FieldIndex,
    kind: Kind,
    lots: &mut Lots<'_>,
) -> Option<ArmyId> {
    let places: Vec<FieldIndex> = state
        .grid
        .range(capital, SPREAD)
        .into_iter()
        .filter(|field| match kind.sails() {
            true => tables.is_water(state.field(*field).terrain),
            false => tables.is_land(state.field(*field).terrain),
        })
        .collect();
    let field = lots.pick(&places)?;
    let id = ArmyId::new(realm, kind, state.free_number(realm, kind));
    let count = match lots.number(1, 4) {
        1 => lots.number(100, 200),
        _ => lots.number(500, 6_000),
    };
    let points = i32::try_from(tables.of(realm).movement_points(kind)).unwrap_or(0);
    let mut army = Army::new(count, field, points);
    army.command = lots
        .pick(Command::ALL)
        .filter(|_| kind.is_foot())
        .unwrap_or(Command::Defend);
    army.flag = lots.pick(Flag::ALL).unwrap_or(Flag::Shown);
    army.start = kind.is_trader().then_some(field);
    state.armies.insert(id, army);
    Some(id)
}

/// Monsters, free demons and troops of nobody.
fn wild(tables: &Tables, state: &mut State, lots: &mut Lots<'_>) {
    let kinds = [
        Kind::Mammoth,
        Kind::NightLizard,
        Kind::CaveGoblin,
        Kind::Demon,
        Kind::Archdemon,
        Kind::MediumWarrior,
        Kind::Kraken,
    ];
    for capital in CAPITALS {
        let Some(capital) = state.grid.moved(state.origin, Doubled::new(2 * capital, 0)) else {
            continue;
        };
        for kind in kinds {
            if lots.chance(50) {
                army(tables, state, RealmId::NOBODY, capital, kind, lots);
            }
        }
    }
}

fn treaties(state: &mut State, lots: &mut Lots<'_>) {
    let realms: Vec<RealmId> = state.realms.keys().copied().collect();
    for (index, one) in realms.iter().enumerate() {
        for other in realms.iter().skip(index + 1) {
            if let Some(treaty) = lots
                .pick(&[Treaty::NonAggression, Treaty::Partnership])
                .filter(|_| lots.chance(40))
            {
                state.treaties.insert((*one, *other), treaty);
            }
        }
    }
}
