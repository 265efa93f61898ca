//! Making a world (PYG-GAME-06..09, PYG-MAP-01, PYG-TERR-01, PYG-GAP-01, PYG-GAP-05, PYG-GAP-55, PYG-GAP-62, PYG-GAP-64, PYG-GAP-65).
//!
//! In this order: land and heights, what covers them by climate, fair starts, rivers, realms, neutral settlements and creatures. One die
//! decides everything ([`lot`]), all numbers are whole, and each part takes time in proportion to the number of fields.

mod land;
mod lot;
mod relief;
mod rivers;
pub(crate) mod starts;
#[cfg(test)]
mod tests;
mod wild;

use crate::chart::Chart;
use crate::codes::{Good, Kind, People, SettlementKind, Terrain};
use crate::mines;
use crate::rule;
use crate::sight;
use crate::state::{Army, ArmyName, Field, Realm, Settlement, State, TradeCity, Underground};
use crate::tables::Tables;
use kernel::dice::{self, Dice, Owner};
use kernel::game::WorldPlan;
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
pub use kernel::worldgen::Fairness;
use kernel::worldgen::{NoWorld, Walker, weight};
use land::{Land, index};
use lot::Lot;
use relief::Relief;
use starts::{Site, Start};
use std::collections::{BTreeMap, BTreeSet};

/// Fields that a realm should find room on, sea included.
const FIELDS_PER_REALM: u32 = 225;
/// Thousandths of land.
const LAND_PERMILLE: usize = 520;
/// Tries with land of other shapes before the world grows, and growths before the plan is refused.
const TRIES: u32 = 6;
const GROWTHS: u32 = 6;
/// Parts of the work, for progress.
const PARTS: u32 = 6;

/// Weighs the starts of a world: the land around every realm's first capital, whoever owns it now.
pub fn fairness(tables: &Tables, state: &State) -> Fairness {
    let land = Land::new(state.chart);
    let height = |field: usize| {
        let ground = &tables.terrain[state.field(index(field)).terrain];
        (!ground.water).then_some(ground.height)
    };
    let mut walker = Walker::new(&land);
    let mut worth = |realm: &Realm| -> i64 {
        let walked = starts::walk(&mut walker, realm.home.index(), height);
        let gold =
            |(field, steps): &(usize, u8)| weight(*steps) * tables.terrain[state.field(index(*field)).terrain].income;
        walked.iter().map(gold).sum()
    };
    Fairness::of(state.realms.iter().map(|(id, realm)| (*id, worth(realm))).collect())
}

/// Makes a world for the seats of a plan. A world that is too small for so many realms is made larger: its size is no secret that
/// anybody was told (PYG-MAP-07).
///
/// # Errors
/// If the plan is impossible: no seats or too many, an unknown people, no room however large the world.
pub fn create(
    tables: &Tables,
    house_rules: &str,
    plan: &WorldPlan,
    dice: &mut Dice,
    progress: &mut dyn FnMut(u32, u32),
) -> Result<State, NoWorld> {
    let peoples = peoples(tables, plan)?;
    let lot = Lot::thrown(dice, crate::rule::GAME_06);
    progress(1, PARTS);
    let (lot, land, mut relief, mut terrains, starts) = shape(tables, lot, peoples.len())?;
    progress(2, PARTS);
    let site = Site {
        tables,
        land: &land,
        lot,
        relief: &relief,
    };
    site.settle(&mut terrains, &starts);
    let starts = site.deal(&terrains, &starts, &peoples);
    let start_fields: BTreeSet<usize> = starts
        .iter()
        .flat_map(|start| start.fields(tables, &land).unwrap_or_default())
        .map(|(field, _)| field)
        .collect();
    let far = land.distances(start_fields.iter().copied());
    relief::complete(&land, lot, &mut terrains, |field| far[field] > 2);
    progress(3, PARTS);
    for (field, height) in relief.heights.iter_mut().enumerate() {
        let ground = &tables.terrain[terrains[field]];
        *height = (!ground.water).then(|| u8::try_from(ground.height).unwrap_or(0));
    }
    let mut fields: Vec<Field> = terrains.into_iter().map(Field::wild).collect();
    rivers::run(&land, lot, &relief, |field| start_fields.contains(&field), &mut fields);
    progress(4, PARTS);
    let mut state = State {
        step: 0,
        chart: land.chart,
        fields,
        realms: BTreeMap::new(),
        armies: BTreeMap::new(),
        bands: BTreeMap::new(),
        house_rules: house_rules.to_owned(),
        over: false,
    };
    for (seat, (start, people)) in starts.iter().zip(&peoples).enumerate() {
        found(tables, plan, &land, (seat, *start, *people), dice, &mut state);
    }
    progress(5, PARTS);
    wild::settle(tables, &land, lot, &far, &mut state);
    wild::populate(tables, lot, &far, &mut state);
    sight::refresh(tables, &mut state);
    progress(PARTS, PARTS);
    Ok(state)
}

/// The peoples of the realms, in the order of their seats (PYG-GAP-64).
fn peoples(tables: &Tables, plan: &WorldPlan) -> Result<Vec<People>, NoWorld> {
    let seats = plan.seats.len();
    if !(1..=kernel::limits::REALMS).contains(&seats) {
        return Err(NoWorld::Seats {
            seats,
            most: kernel::limits::REALMS,
        });
    }
    let choices = &tables.start.peoples;
    let usual = choices.first().copied().unwrap_or(People::Ordinary);
    let people = |(number, word): (usize, &str)| match word {
        "" => Ok(usual),
        word => People::from_code(word)
            .filter(|people| choices.contains(people))
            .ok_or_else(|| {
                let known: Vec<&str> = choices.iter().map(|people| people.code()).collect();
                NoWorld::NoKind {
                    realm: number + 1,
                    word: word.to_owned(),
                    known: known.join(", "),
                }
            }),
    };
    let words = plan.seats.iter().map(|seat| seat.kind.trim());
    words.enumerate().map(people).collect()
}

/// The shape of a world with room for so many realms: that of the tables, or larger.
fn size(tables: &Tables, realms: usize, growth: u32) -> Option<Chart> {
    let mut chart = tables.chart();
    let wanted = u64::try_from(realms).ok()?.saturating_mul(u64::from(FIELDS_PER_REALM));
    let holds = |chart: &Chart| u64::from(chart.great_fields()) * u64::from(chart.fields_per_great_field());
    while holds(&chart) < wanted {
        widen(&mut chart);
    }
    for _ in 0..growth {
        widen(&mut chart);
    }
    if !chart.may_wrap() {
        chart.per_row = chart.per_row.saturating_add(1);
    }
    (holds(&chart) <= kernel::limits::FIELDS as u64 / 4).then_some(chart)
}

/// A row or a column of great fields more, so that the world stays about as wide as high.
fn widen(chart: &mut Chart) {
    let (wide, high) = match chart.layout {
        crate::chart::Layout::Rect => (chart.columns, chart.column_length),
        crate::chart::Layout::Hex48 => (8, 6),
    };
    if chart.per_row.saturating_mul(wide) > chart.rows.saturating_mul(high) * 4 / 3 {
        chart.rows = chart.rows.saturating_add(1);
    } else {
        chart.per_row = chart.per_row.saturating_add(1);
    }
}

type Shaped = (Lot, Land, Relief, Vec<Terrain>, Vec<Start>);

/// Land with room for so many realms: a few tries, then a larger world.
fn shape(tables: &Tables, lot: Lot, realms: usize) -> Result<Shaped, NoWorld> {
    let mut room = 0;
    for growth in 0..GROWTHS {
        let Some(chart) = size(tables, realms, growth) else {
            break;
        };
        let land = Land::new(chart);
        for attempt in 0..TRIES {
            let lot = lot.again(growth * TRIES + attempt);
            let relief = Relief::shape(&land, lot, LAND_PERMILLE + 20 * attempt as usize);
            let terrains = relief::terrains(&land, lot, &relief);
            let site = Site {
                tables,
                land: &land,
                lot,
                relief: &relief,
            };
            let starts = site.choose(&terrains, realms);
            if starts.len() == realms {
                return Ok((lot, land, relief, terrains, starts));
            }
            room = room.max(starts.len());
        }
    }
    Err(NoWorld::NoRoom {
        realms,
        apart: tables.start.min_distance_between_capitals.into(),
        room,
        // The world was made larger already.
        fields: None,
    })
}

/// The goods of the start's fields by terrain, in the order of the fields (PYG-GAP-65): optimal supply is just reachable with them.
fn first_goods(terrain: Terrain, nth: usize) -> Option<[Good; 3]> {
    use Good::{Cloth, Culture, Fruit, Grain, Livestock, Ore, Spice, Stone, Wine, Wood};
    let list: &[[Good; 3]] = match terrain {
        Terrain::Plain => &[
            [Livestock, Fruit, Spice],
            [Grain, Fruit, Livestock],
            [Grain, Fruit, Culture],
            [Grain, Spice, Fruit],
        ],
        Terrain::Hills => &[[Grain, Ore, Spice], [Ore, Wine, Spice]],
        Terrain::WoodedHills => &[[Livestock, Wood, Wood]],
        Terrain::Mountains => &[[Stone, Stone, Cloth], [Stone, Ore, Spice]],
        Terrain::LightForest => &[[Culture, Wood, Livestock]],
        Terrain::DeepForest => &[[Wood, Fruit, Livestock]],
        Terrain::Grassland => &[[Livestock, Cloth, Culture]],
        _ => &[],
    };
    list.get(nth).copied()
}

/// Founds a realm (PYG-TOWN-01, PYG-GAP-65): twelve fields with a capital that is a trade city, gold and armies; what lies in its
/// mountains and hills is searched at once (PYG-GAP-55).
fn found(
    tables: &Tables,
    plan: &WorldPlan,
    land: &Land,
    (seat, start, people): (usize, Start, People),
    dice: &mut Dice,
    state: &mut State,
) {
    let Some(id) = u16::try_from(seat + 1).ok().map(RealmId) else {
        return;
    };
    let home = index(start.field);
    let named = |name: Option<&String>| name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    let player = named(plan.seats.get(seat).map(|seat| &seat.player)).unwrap_or_default();
    let name = named(plan.seats.get(seat).map(|seat| &seat.realm)).unwrap_or_else(|| format!("Reich {id}"));
    let mut realm = Realm::new(name, player, home);
    realm.people = people;
    realm.treasury = tables.start.gold;
    state.realms.insert(id, realm);
    let mut counted: BTreeMap<Terrain, usize> = BTreeMap::new();
    for (field, terrain) in start.fields(tables, land).unwrap_or_default() {
        let nth = counted.entry(terrain).or_default();
        let ground = if tables.mine.search_start_areas {
            search(tables, dice, state, index(field))
        } else {
            Underground::Unsearched
        };
        let here = state.field_mut(index(field));
        here.owner = id;
        here.ground = ground;
        here.places = first_goods(terrain, *nth);
        *nth += 1;
    }
    let mut capital = Settlement::new(SettlementKind::Capital);
    capital.trade = tables.start.capital_is_trade_city.then(TradeCity::default);
    state.field_mut(home).settlement = Some(Box::new(capital));
    muster(tables, land, id, start, state);
}

/// The first armies: warriors and riders in the capital, ships in its harbour.
fn muster(tables: &Tables, land: &Land, id: RealmId, start: Start, state: &mut State) {
    let home = index(start.field);
    let harbour = start.harbour(land).map(index);
    let figures = &tables.start;
    let all = [
        (Kind::Warriors, &figures.warriors, Some(home)),
        (Kind::Riders, &figures.riders, Some(home)),
        (Kind::Fleet, &figures.ships_if_coastal, harbour),
    ];
    for (kind, counts, place) in all {
        let Some(place) = place else { continue };
        for (count, number) in counts.iter().zip(1..) {
            state
                .armies
                .insert(ArmyName::new(kind, number).of(id), Army::new(*count, place));
        }
    }
}

/// Looks for a mine under a field of a start area (PYG-MINE-01..06, PYG-GAP-55).
fn search(tables: &Tables, dice: &mut Dice, state: &State, field: FieldIndex) -> Underground {
    let place = state.place(field);
    mines::prospect(tables, state.field(field).terrain, |rule, faces| {
        let what = match rule {
            rule::MINE_01 => "",
            rule::MINE_06 => " life",
            _ => " yield",
        };
        let name = dice::name(rule, &format!("{place}{what}"));
        dice.roll(Owner::World, &name, 1, faces)
    })
}
