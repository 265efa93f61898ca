//! Making a world (GAP-01, GAP-20, GAP-28, GAP-31, GAP-32) and the starts of its realms (THO-START-01..03).
//!
//! In this order: land and heights, what covers them, fair starts, rivers, realms, mines and gates, beasts. One die decides everything
//! ([`lot`]), all numbers are whole, and each part takes time in proportion to the number of fields.

mod chart;
mod lot;
mod relief;
mod rivers;
mod starts;
#[cfg(test)]
mod tests;
mod wild;

use crate::codes::{Building, RealmKind, Terrain};
use crate::culture::Culture;
use crate::roster::Roster;
use crate::rule;
use crate::sight::Outlook;
use crate::state::{Army, ArmyId, Computer, Crowd, Field, Glimpse, Known, Realm, SeenArmy, Sides, Site, State, Status};
use crate::tables::Tables;
use chart::Chart;
use kernel::dice::{self, Dice, Owner};
use kernel::game::WorldPlan;
use kernel::hex::{Doubled, FieldIndex, Grid, Wrap};
use kernel::realm::RealmId;
pub use kernel::worldgen::Fairness;
use kernel::worldgen::{NoWorld, Walker};
pub(crate) use lot::{Lot, Purpose};
use relief::Relief;
use starts::Start;
use std::collections::BTreeMap;

/// What a player's account holds at first, in units of the currency (THO-ORG-02).
const FIRST_BALANCE: i64 = 15;
/// Land fields that a realm should have: twelve by twelve (GAP-01).
const LAND_PER_REALM: usize = 144;
/// Thousandths of land in a world with room enough, and in one that is crowded.
const LAND_PERMILLE: (usize, usize) = (420, 780);
/// Tries before a plan is refused, each with other land and a little more of it.
const TRIES: u32 = 8;
/// The number of a world for which nobody wants another.
const BOOKS_NUMBER: i64 = 1;
/// Parts of the work, for progress.
const PARTS: u32 = 8;

/// Weighs the starts of a world: the land around every realm's first capital, whoever owns it now.
pub fn fairness(tables: &Tables, state: &State) -> Fairness {
    let chart = Chart::new(state.grid);
    let mut walker = Walker::new(&chart);
    let terrain = |field: usize| state.fields[field].terrain;
    let mut worth = |realm: &Realm| {
        let walked = starts::walk(tables, &mut walker, realm.origin.index(), |field| {
            tables.height(terrain(field))
        });
        starts::worth(tables, &walked, terrain)
    };
    Fairness::of(state.realms.iter().map(|(id, realm)| (*id, worth(realm))).collect())
}

/// Makes a world for the seats of a plan.
///
/// # Errors
/// If the plan is impossible: no seats or too many, an unknown kind of realm, not enough land for so many capitals.
pub fn create(
    tables: &Tables,
    house_rules: &str,
    plan: &WorldPlan,
    dice: &mut Dice,
    progress: &mut dyn FnMut(u32, u32),
) -> Result<State, NoWorld> {
    let kinds = kinds(plan)?;
    let world = &tables.world;
    let wrap = if world.wrap_east_west {
        Wrap::Cylinder
    } else {
        Wrap::Plane
    };
    let grid = Grid::new(world.columns, world.rows, wrap).map_err(|error| error.to_string())?;
    let chart = Chart::new(grid);
    let lot = numbered(Lot::thrown(dice, rule::GAP_01), world.seed);
    progress(1, PARTS);
    let (lot, relief, mut terrains, starts) = land(tables, &chart, lot, kinds.len())?;
    progress(2, PARTS);
    let site = starts::Site {
        tables,
        chart: &chart,
        lot,
        relief: &relief,
    };
    site.settle(&mut terrains, &starts);
    let capitals = site.deal(&starts, &kinds);
    progress(3, PARTS);
    let mut fields: Vec<Field> = terrains.into_iter().map(Field::wild).collect();
    rivers::run(&chart, lot, &relief, &mut fields);
    progress(4, PARTS);
    let mut state = State {
        turn: 0,
        grid,
        origin: middle(&grid),
        fields,
        realms: BTreeMap::new(),
        armies: Roster::new(),
        treaties: BTreeMap::new(),
        house_rules: house_rules.to_owned(),
        table_changes: Vec::new(),
        over: false,
    };
    for (seat, field) in capitals.iter().enumerate() {
        found(tables, plan, &kinds, seat, *field, dice, &mut state);
    }
    progress(5, PARTS);
    let far = chart.distances(capitals.iter().copied());
    wild::mines(tables, &chart, lot, &far, &mut state);
    wild::gates(tables, &chart, lot, &far, &mut state);
    progress(6, PARTS);
    wild::packs(tables, lot, &far, &mut state);
    progress(7, PARTS);
    look_around(&mut state);
    progress(PARTS, PARTS);
    Ok(state)
}

/// The draws of the world with this number among all that one throw can make; that of the throw itself has the number of the book.
fn numbered(lot: Lot, number: i64) -> Lot {
    match number {
        BOOKS_NUMBER => lot,
        // The halves together, and away from the small numbers that tries have.
        other => lot.again((other >> 32) as u32 ^ other as u32 ^ u32::MAX),
    }
}

/// The kinds of the realms, in the order of their seats.
fn kinds(plan: &WorldPlan) -> Result<Vec<RealmKind>, NoWorld> {
    let seats = plan.seats.len();
    if !(1..=kernel::limits::REALMS).contains(&seats) {
        return Err(NoWorld::Seats {
            seats,
            most: kernel::limits::REALMS,
        });
    }
    let kind = |(number, word): (usize, &str)| match word {
        "" => Ok(RealmKind::Ordinary),
        word => RealmKind::from_code(word).ok_or_else(|| {
            let known: Vec<&str> = RealmKind::ALL.iter().map(|kind| kind.code()).collect();
            NoWorld::NoKind {
                realm: number + 1,
                word: word.to_owned(),
                known: known.join(", "),
            }
        }),
    };
    plan.seats
        .iter()
        .map(|seat| seat.kind.trim())
        .enumerate()
        .map(kind)
        .collect()
}

/// Land with room for so many realms: a few tries, each with a little more land.
fn land(
    tables: &Tables,
    chart: &Chart,
    lot: Lot,
    realms: usize,
) -> Result<(Lot, Relief, Vec<Terrain>, Vec<Start>), NoWorld> {
    let (usual, crowded) = LAND_PERMILLE;
    let wanted = (realms * LAND_PER_REALM * 1000 / chart.len()).clamp(usual, crowded);
    let mut room = 0;
    // Where it cannot be, one try tells for how many there is room.
    let most = most_capitals(tables, chart);
    let tries = if realms <= most { TRIES } else { 1 };
    for attempt in 0..tries {
        let lot = lot.again(attempt);
        let share = (wanted + 40 * attempt as usize).min(crowded);
        let relief = Relief::shape(tables, chart, lot, share);
        let terrains = relief::terrains(tables, chart, lot, &relief);
        let site = starts::Site {
            tables,
            chart,
            lot,
            relief: &relief,
        };
        let starts = site.choose(&terrains, realms.min(most));
        if starts.len() == realms {
            return Ok((lot, relief, terrains, starts));
        }
        room = room.max(starts.len());
    }
    Err(no_room(tables, chart, realms, room))
}

/// Why a plan is refused, and what would help.
fn no_room(tables: &Tables, chart: &Chart, realms: usize, room: usize) -> NoWorld {
    let wanted = realms * LAND_PER_REALM * 1000 / LAND_PERMILLE.0;
    NoWorld::NoRoom {
        realms,
        apart: tables.world.capital_min_distance,
        room,
        fields: (wanted > chart.len()).then_some(wanted),
    }
}

/// More capitals than this cannot stand so far apart, whatever the land is like: each claims the fields nearer to it.
fn most_capitals(tables: &Tables, chart: &Chart) -> usize {
    let radius = usize::try_from((tables.world.capital_min_distance - 1) / 2).unwrap_or(usize::MAX);
    let claim = radius.saturating_mul(radius + 1).saturating_mul(3).saturating_add(1);
    // At the edge of the world a part of the claim lies outside, so a row more on each side is counted.
    let rows = chart.grid.rows() as usize + 2 * radius;
    rows.saturating_mul(chart.grid.columns() as usize) / claim.max(1)
}

/// The field in the middle of the map, from which the game master counts.
pub(crate) fn middle(grid: &Grid) -> FieldIndex {
    let row = i64::from(grid.rows() / 2);
    let column = i64::from(grid.columns() / 2) * 2 + row % 2;
    grid.at(Doubled::new(column, row)).unwrap_or_default()
}

/// Founds a realm (THO-START-01): one capital, its field, a treasury, what armies the house rules grant; a people of its own
/// (THO-CULT-04, GAP-32).
fn found(
    tables: &Tables,
    plan: &WorldPlan,
    kinds: &[RealmKind],
    seat: usize,
    field: usize,
    dice: &mut Dice,
    state: &mut State,
) {
    let Some(id) = u16::try_from(seat + 1).ok().map(RealmId) else {
        return;
    };
    let own = tables.of(id);
    let origin = FieldIndex(u32::try_from(field).unwrap_or(u32::MAX));
    let named = |name: Option<&String>| name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    let player = named(plan.seats.get(seat).map(|seat| &seat.player)).unwrap_or_default();
    let name = named(plan.seats.get(seat).map(|seat| &seat.realm)).unwrap_or_else(|| id.to_string());
    let kind = kinds.get(seat).copied().unwrap_or(RealmKind::Ordinary);
    let culture = Culture::generate(&own.culture, kind, &mut |name, min, max| {
        let name = dice::name(rule::CULT_04, &format!("{id} {name}"));
        dice.roll(Owner::Realm(id), &name, min, max)
    });
    let capital = &mut state.fields[field];
    capital.owner = id;
    capital.site = Some(Box::new(Site::finished(
        Building::Capital,
        own.start.capital_name.as_str(),
    )));
    for army in &own.start.armies {
        let place = if army.kind.sails() {
            nearest_water(tables, state, origin)
        } else {
            Some(origin)
        };
        let Some(place) = place else { continue };
        let points = i32::try_from(own.movement_points(army.kind)).unwrap_or(i32::MAX);
        let army_id = ArmyId::new(id, army.kind, state.free_number(id, army.kind));
        let army = Army {
            flag: own.orders.new_army_flag,
            ..Army::new(army.count, place, points)
        };
        state.armies.insert(army_id, army);
    }
    state.realms.insert(
        id,
        Realm {
            name,
            player,
            kind,
            culture,
            culture_text: Vec::new(),
            origin,
            treasury: own.start.treasury,
            income: 0,
            upkeep: None,
            account: (tables.account.fee_per_turn > 0).then_some(FIRST_BALANCE),
            computer: Computer::Unsaid,
            missed_turns: 0,
            status: Status::Playing,
            knowledge: BTreeMap::new(),
        },
    );
}

/// The water nearest to a field, where house rules may put ships.
fn nearest_water(tables: &Tables, state: &State, field: FieldIndex) -> Option<FieldIndex> {
    let near = state.grid.range(field, 8);
    near.into_iter()
        .find(|near| tables.is_water(state.field(*near).terrain))
}

/// What every realm knows at first (THO-START-02): its capital's field and the six around it.
pub(crate) fn look_around(state: &mut State) {
    let origins: Vec<(RealmId, FieldIndex)> = state.realms.iter().map(|(id, realm)| (*id, realm.origin)).collect();
    for (id, origin) in origins {
        let beside = state.grid.neighbours(origin).map(|(direction, field)| {
            let mut sides = Sides::NONE;
            sides.insert(direction.opposite());
            Outlook {
                field,
                sides,
                on_it: false,
            }
        });
        let capital = Outlook {
            field: origin,
            sides: Sides::ALL,
            on_it: true,
        };
        let seen: Vec<Outlook> = std::iter::once(capital).chain(beside).collect();
        let armies = |field: FieldIndex| -> Crowd {
            let own = state.armies_of(id).filter(|(_, army)| army.field == field);
            own.map(|(army_id, army)| SeenArmy {
                realm: Some(id),
                kind: army_id.kind(),
                number: Some(army_id.name.number),
                count: army.count,
            })
            .collect::<Vec<SeenArmy>>()
            .into()
        };
        let known: BTreeMap<FieldIndex, Known> = seen
            .iter()
            .map(|outlook| {
                let field = Glimpse::of(state.field(outlook.field)).limited(outlook);
                let armies = armies(outlook.field);
                (
                    outlook.field,
                    Known {
                        turn: 0,
                        week: 0,
                        field,
                        armies,
                    },
                )
            })
            .collect();
        if let Some(realm) = state.realms.get_mut(&id) {
            realm.knowledge = known;
        }
    }
}
