//! A world for measuring: as many realms as wanted, all of the same size, close enough to meet, with orders for everybody.
//!
//! Realms lie on a regular grid of cells, so that the world grows with their number and everything about one realm stays as it is.

use crate::codes::{Building, Command, Kind, RealmKind, Terrain};
use crate::culture::Culture;
use crate::movement::{Traveller, step_cost, way};
use crate::roster::Roster;
use crate::state::{Army, ArmyId, Computer, Field, Realm, Site, State, Status};
use crate::tables::Tables;
use crate::worldgen::{Lot, Purpose, look_around, middle};
use kernel::dice::Dice;
use kernel::game::BenchSize;
use kernel::hex::{Direction, Doubled, FieldIndex, Grid, Wrap};
use kernel::realm::RealmId;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Armies of an ordinary realm.
const ARMIES: u32 = 100;
/// Realms that speak to all the others. If all of them did, two thousand realms would read four million letters.
const HERALDS: u16 = 20;
/// Fields of a realm.
const FIELDS: usize = 20;
/// Columns and rows of a realm's cell, and the columns of it that are land.
const CELL: (u32, u32) = (12, 10);
const LAND: u32 = 9;
/// Where the capital stands in its cell.
const SEAT: (u32, u32) = (4, 4);
/// Steps that an army is told to make at most.
const STEPS: usize = 6;

/// What a hundred armies are.
const HOST: [(Kind, u32, i64); 18] = [
    (Kind::LightWarrior, 12, 1500),
    (Kind::MediumWarrior, 14, 2000),
    (Kind::HeavyWarrior, 8, 2000),
    (Kind::LightRider, 10, 1000),
    (Kind::MediumRider, 10, 1200),
    (Kind::HeavyRider, 4, 800),
    (Kind::LightEngine, 4, 1000),
    (Kind::MediumEngine, 4, 1000),
    (Kind::LightShip, 6, 20),
    (Kind::MediumShip, 4, 15),
    (Kind::HomePriest, 4, 60),
    (Kind::WarPriest, 4, 40),
    (Kind::Accelerator, 2, 400),
    (Kind::MonsterMaster, 2, 300),
    (Kind::Summoner, 2, 500),
    (Kind::Demon, 2, 30),
    (Kind::Caravan, 4, 300),
    (Kind::TradeFleet, 4, 12),
];

/// A world with an order file for every realm; nothing if it would be too large.
pub fn bench_world(tables: &Tables, size: BenchSize, dice: &mut Dice) -> Option<(State, BTreeMap<RealmId, Vec<u8>>)> {
    let hosts = size.armies_each.div_ceil(ARMIES).max(1);
    let realms = u16::try_from((size.armies / (hosts * ARMIES)).max(1)).ok()?;
    if usize::from(realms) > kernel::limits::REALMS {
        return None;
    }
    let across = u32::from(realms).isqrt().max(1);
    let up = u32::from(realms).div_ceil(across);
    let grid = Grid::new(across * CELL.0, up * CELL.1 + 2, Wrap::Cylinder).ok()?;
    let lot = Lot::thrown(dice, crate::rule::GAP_01);
    let mut state = State {
        turn: 0,
        grid,
        origin: middle(&grid),
        fields: grid.fields().map(|field| ground(&grid, field)).collect(),
        realms: BTreeMap::new(),
        armies: Roster::new(),
        treaties: BTreeMap::new(),
        house_rules: String::new(),
        table_changes: Vec::new(),
        over: false,
    };
    for number in 1..=realms {
        let cell = u32::from(number - 1);
        let corner = (cell % across * CELL.0, cell / across * CELL.1 + 1);
        found(tables, &mut state, RealmId(number), corner, hosts)?;
    }
    look_around(&mut state);
    let ids: Vec<RealmId> = state.realms.keys().copied().collect();
    let orders = ids
        .into_iter()
        .map(|realm| (realm, orders(tables, lot, &state, realm).into_bytes()))
        .collect();
    Some((state, orders))
}

/// The field of a column and a row.
fn at(grid: &Grid, column: u32, row: u32) -> Option<FieldIndex> {
    let (column, row) = (i64::from(column), i64::from(row));
    grid.at(Doubled::new(2 * column + row % 2, row))
}

/// A pattern of land and sea that is the same in every cell: plains with woods, hills and a swamp, a strait in the east.
fn ground(grid: &Grid, field: FieldIndex) -> Field {
    let (column, row) = (field.0 % grid.columns(), field.0 / grid.columns());
    if row == 0 || row + 1 == grid.rows() {
        return Field::wild(Terrain::Unknown);
    }
    let (x, y) = (column % CELL.0, (row - 1) % CELL.1);
    if x >= LAND {
        return Field::wild(Terrain::Water);
    }
    let mut ground = Field::wild(match (x * 3 + y * 5) % 17 {
        _ if (x, y) == SEAT => Terrain::Lowland,
        1 | 8 => Terrain::LowlandForest,
        4 | 13 => Terrain::Highland,
        6 => Terrain::LowlandSwamp,
        10 => Terrain::HighlandForest,
        _ => Terrain::Lowland,
    });
    // A river between the second and the third column.
    if x == 1 {
        ground.rivers.insert(Direction::East);
    } else if x == 2 {
        ground.rivers.insert(Direction::West);
    }
    ground
}

/// One realm with its land, its buildings and its armies: so many times a hundred.
fn found(tables: &Tables, state: &mut State, id: RealmId, corner: (u32, u32), hosts: u32) -> Option<()> {
    let origin = at(&state.grid, corner.0 + SEAT.0, corner.1 + SEAT.1)?;
    let near = state.grid.range(origin, 5);
    let land = |field: &FieldIndex| tables.is_land(state.field(*field).terrain);
    let estate: Vec<FieldIndex> = near.iter().copied().filter(land).take(FIELDS).collect();
    let sea: Vec<FieldIndex> = near
        .iter()
        .copied()
        .filter(|field| tables.is_water(state.field(*field).terrain))
        .collect();
    let buildings = [
        (0, Building::Capital),
        (3, Building::City),
        (9, Building::Castle),
        (14, Building::HolyCity),
    ];
    for (place, field) in estate.iter().enumerate() {
        let ground = state.field_mut(*field);
        ground.owner = id;
        if let Some((_, building)) = buildings.iter().find(|(at, _)| *at == place) {
            ground.site = Some(Box::new(Site::finished(*building, building.code())));
        }
    }
    let mut armies = 0usize;
    for (kind, units, count) in HOST {
        for number in 1..=units * hosts {
            let places = if kind.sails() { &sea } else { &estate };
            // Demons stand with their summoners, everything else is strewn over the land.
            let strewn = armies * 7;
            let place = if kind.is_demon() || kind == Kind::Summoner {
                number as usize
            } else {
                strewn
            };
            armies += 1;
            let Some(field) = places.get(place % places.len().max(1)) else {
                continue;
            };
            let points = i32::try_from(tables.movement_points(kind)).unwrap_or(i32::MAX);
            let mut army = Army::new(count, *field, points);
            army.start = kind.is_trader().then_some(origin);
            army.master = kind.is_demon().then(|| ArmyId::new(id, Kind::Summoner, number).name);
            state.armies.insert(ArmyId::new(id, kind, number), army);
        }
    }
    let kind = RealmKind::ALL[usize::from(id.0) % RealmKind::COUNT];
    state.realms.insert(id, realm(tables, id, kind, origin));
    Some(())
}

/// A realm with an ordinary people and money for what it will order.
fn realm(tables: &Tables, id: RealmId, kind: RealmKind, origin: FieldIndex) -> Realm {
    Realm {
        name: format!("Realm {id}"),
        player: format!("Player {id}"),
        kind,
        culture: Culture::default(),
        culture_text: Vec::new(),
        origin,
        treasury: tables.start.treasury,
        income: 0,
        upkeep: None,
        account: None,
        computer: Computer::Unsaid,
        missed_turns: 0,
        status: Status::Playing,
        knowledge: BTreeMap::new(),
    }
}

/// The order file of a realm: some building and arming, a line for every army, a message.
fn orders(tables: &Tables, lot: Lot, state: &State, realm: RealmId) -> String {
    let mut file = String::new();
    let own = |field: &FieldIndex| state.field(*field).owner == realm;
    let origin = state.origin_of(realm);
    let near = state.grid.range(origin, 4);
    let free = near
        .iter()
        .copied()
        .find(|field| own(field) && state.field(*field).site.is_none());
    // Writing to a string cannot fail.
    let _ = writeln!(file, "$B\nS 0 0 1\nW 0 0 25");
    if let Some(place) = free.map(|field| state.place(realm, field)) {
        let _ = writeln!(file, "BRG {} {} Grenzwacht", place.x, place.y);
    }
    let _ = writeln!(file, "$R\nK.M 50 1000 0 0\nR.L 1 200 0 0\n$A");
    for (index, (id, army)) in state.armies_of(realm).enumerate() {
        let number = u64::from(realm.0) << 32 | index as u64;
        let route = route(tables, lot, state, id, army, number);
        let command = command(tables, lot, id.kind(), number);
        let _ = writeln!(
            file,
            "{} {route} {}+{}",
            id.name,
            command.code(),
            special(state, id, army)
        );
    }
    let _ = writeln!(
        file,
        "$N\n#{}\nRealm {realm} greets its neighbour.\n#E",
        neighbour(state, realm)
    );
    if realm.0 <= HERALDS {
        let _ = writeln!(file, "#A\nRealm {realm} greets the world.\n#E");
    }
    file
}

/// The next realm, or the first one after the last.
fn neighbour(state: &State, realm: RealmId) -> RealmId {
    let next = RealmId(realm.0.saturating_add(1));
    state.realms.range(next..).next().map_or(RealmId(1), |(id, _)| *id)
}

/// Digits that lead over passable ground as far as the points allow; every fifth army stays.
fn route(tables: &Tables, lot: Lot, state: &State, id: ArmyId, army: &Army, number: u64) -> String {
    let traveller = Traveller::alone(id.realm, id.kind());
    let (mut field, mut points) = (army.field, army.points);
    let mut digits = String::new();
    if !lot.happens(Purpose::March, number, 4, 5) || id.kind().is_engine() {
        return "0".to_owned();
    }
    for step in 0..STEPS as u64 {
        if points <= 0 {
            break;
        }
        let wished = lot.below(Purpose::Way, number << 4 | step, 6);
        let turns = (0..6).filter_map(|turn| Direction::from_digit(u8::try_from((wished + turn) % 6 + 1).ok()?));
        let open = |direction: Direction| Some((direction, way(tables, state, traveller, field, direction).ok()?));
        let Some((direction, way)) = turns.into_iter().find_map(open) else {
            break;
        };
        points -= step_cost(tables, &way);
        field = way.to;
        digits.push(char::from(b'0' + direction.digit()));
    }
    if digits.is_empty() { "0".to_owned() } else { digits }
}

/// Most armies defend, some troops attack, conquer or plunder.
fn command(tables: &Tables, lot: Lot, kind: Kind, number: u64) -> Command {
    let troops = kind.is_troop() && !kind.is_engine();
    let on_land = tables.conquer_min(kind).is_some();
    match lot.below(Purpose::Command, number, 20) {
        0 | 1 if troops => Command::Attack,
        2 | 3 if on_land => Command::Conquer,
        4 if on_land => Command::Plunder,
        _ => Command::Defend,
    }
}

/// Priests bless, accelerators hasten, caravans go to the capital.
fn special(state: &State, id: ArmyId, army: &Army) -> String {
    let here = state.place(id.realm, army.field);
    match id.kind() {
        Kind::HomePriest => format!(" {} {}", here.x, here.y),
        Kind::Accelerator => format!(" R.M {}", id.name.number),
        Kind::Caravan => " 0 0".to_owned(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Thoramar, laws};
    use kernel::dice::WorldSecret;
    use kernel::game::{Game, run};
    use kernel::turn::Input;

    fn made(armies: u32) -> (Tables, State, BTreeMap<RealmId, Vec<u8>>) {
        let tables = Tables::book();
        let mut dice = Dice::Keyed(WorldSecret([1; 32]).step(0));
        let size = BenchSize {
            armies,
            armies_each: 100,
        };
        let (state, orders) = bench_world(&tables, size, &mut dice).expect("not too large");
        (tables, state, orders)
    }

    #[test]
    fn every_realm_has_a_hundred_armies_and_twenty_fields() {
        for (armies, realms) in [(1, 1), (100, 1), (499, 4), (500, 5), (1000, 10)] {
            let (tables, state, orders) = made(armies);
            assert_eq!((state.realms.len(), orders.len()), (realms, realms));
            for id in state.realms.keys() {
                assert_eq!(state.armies_of(*id).count(), 100);
                assert_eq!(state.fields.iter().filter(|field| field.owner == *id).count(), 20);
            }
            assert_eq!(laws::hold(&tables, &state), Ok(()));
        }
    }

    #[test]
    fn a_realm_can_be_larger_than_the_others() {
        let tables = Tables::book();
        for (armies_each, expected) in [(100, 100), (101, 200), (800, 800)] {
            let mut dice = Dice::Keyed(WorldSecret([1; 32]).step(0));
            let size = BenchSize {
                armies: 1600,
                armies_each,
            };
            let (state, _) = bench_world(&tables, size, &mut dice).expect("not too large");
            assert_eq!(state.armies_of(RealmId(1)).count(), expected);
            assert_eq!(state.armies.len(), 1600);
        }
    }

    #[test]
    fn the_orders_are_sound_and_most_armies_move() {
        let (tables, state, files) = made(900);
        let mut input = Input::<Thoramar>::default();
        for (realm, file) in &files {
            let seat = Thoramar::seat(&tables, &state, *realm).expect("it plays");
            let parsed = Thoramar::parse(&tables, &seat, file);
            assert_eq!(parsed.diagnostics, Vec::new());
            input.orders.insert(*realm, parsed);
        }
        let dice = Dice::Keyed(WorldSecret([2; 32]).step(1));
        let outcome = run::<Thoramar>(&tables, state, &input, dice);
        let moves = outcome.journal.iter().filter(|entry| {
            let what = &entry.event.what;
            matches!(what, crate::event::Happening::ArmyMoved { .. })
        });
        let moves = moves.count();
        assert!(moves > 9 * 100, "{moves} steps");
        let refused: usize = outcome.refusals.values().map(Vec::len).sum();
        assert!(
            refused < 9 * 10,
            "{refused} refusals: {:?}",
            outcome.refusals.values().next()
        );
        assert_eq!(laws::hold(&tables, &outcome.state), Ok(()));
    }

    #[test]
    fn the_same_dice_make_the_same_world() {
        let (_, one, orders) = made(300);
        let (_, other, same) = made(300);
        assert!(one == other && orders == same);
    }
}
