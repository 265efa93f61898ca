//! What realms have beside land and armies: towns, mines, trade, plague, promotions, what the last income month said. Random worlds are
//! furnished with it, and their twins have other values of it where nobody can know.

use super::Lots;
use crate::codes::{Behaviour, Good, Kind, SettlementKind, Soil, Terrain, Vein, WorkKind};
use crate::state::{
    Acquaintance, ArmyName, Band, CulturePoints, Field, Gift, Lane, Load, Occasion, Promotion, Realm, Settlement,
    State, Statement, TradeCity, Underground, Work,
};
use crate::tables::Tables;
use kernel::hex::{Direction, FieldIndex, Sides};
use kernel::realm::RealmId;
use std::collections::BTreeSet;

/// Kinds of settlements beside the capital.
const SETTLEMENTS: [SettlementKind; 5] = [
    SettlementKind::SmallSettlement,
    SettlementKind::LargeSettlement,
    SettlementKind::SmallTown,
    SettlementKind::InlandTown,
    SettlementKind::HarbourTown,
];

/// No army goes farther in a month.
const MARCH: u32 = 15;

/// A sea lane that no order names.
const SECRET_LANE: &str = "Geheim";

/// Lets a realm of a new world have what realms have after some years.
pub(super) fn furnish(tables: &Tables, state: &mut State, id: RealmId, lots: &mut Lots<'_>) {
    let Some(home) = state.realms.get(&id).map(|own| own.home) else {
        return;
    };
    for field in state.chart.range(home, 2) {
        let here = state.field_mut(field);
        if !here.owner.is_played() && !tables.is_water(here.terrain) && lots.chance(60) {
            here.owner = id;
        }
    }
    let land: Vec<FieldIndex> = state.land_of(id).map(|(field, _)| field).collect();
    let free: Vec<FieldIndex> = land.iter().copied().filter(|field| *field != home).collect();
    if let Some(field) = lots.pick(&free) {
        let kind = lots.pick(&SETTLEMENTS).unwrap_or(SettlementKind::SmallTown);
        state.field_mut(field).settlement = Some(Box::new(Settlement::new(kind)));
    }
    if let Some(field) = lots.pick(&free)
        && state.field(field).settlement.is_none()
    {
        let kind = lots.pick(WorkKind::ALL).unwrap_or(WorkKind::WatchPost);
        state.field_mut(field).work = Some(Work { kind, built: 0 });
    }
    if let Some(field) = lots.pick(&free) {
        join(state, home, field, |field| &mut field.roads);
    }
    for field in &land {
        dig(state, *field, lots);
        trouble(tables, state, *field, 20, lots);
    }
    load(state, id, Good::Cloth, lots);
    let others: Vec<RealmId> = state.realms.keys().copied().filter(|other| *other != id).collect();
    if let Some(own) = state.realms.get_mut(&id) {
        own.statement = Some(statement(lots, true));
        own.promotions = promotions(lots);
        if lots.chance(30) {
            own.culture = culture(lots);
        }
        for other in others {
            if lots.chance(30) {
                own.met.insert(other, Acquaintance::Realm);
            }
        }
    }
}

/// Other values of everything that is a realm's own: for realms that are too far away to be heard of. What it knows of the viewer stays, for
/// that decides over letters to him.
pub(super) fn upset(tables: &Tables, state: &mut State, id: RealmId, viewer: RealmId, lots: &mut Lots<'_>) {
    let land: Vec<FieldIndex> = state.land_of(id).map(|(field, _)| field).collect();
    for field in &land {
        dig(state, *field, lots);
        trouble(tables, state, *field, 50, lots);
        build(tables, state, *field, lots);
    }
    for (field, other) in land.iter().zip(land.iter().skip(1)) {
        match lots.number(1, 4) {
            1 => join(state, *field, *other, |field| &mut field.roads),
            2 => join(state, *field, *other, |field| &mut field.rivers),
            3 => join(state, *field, *other, |field| &mut field.ruins),
            _ => {}
        }
    }
    load(state, id, Good::Ore, lots);
    let gift = Gift {
        from: id,
        gold: lots.number(1, 5_000),
    };
    let lane = lane(tables, state, id);
    let moved = land
        .iter()
        .copied()
        .find(|field| lots.chance(30) && Some(*field) != state.capital_of(id));
    if let Some(own) = state.realms.get_mut(&id) {
        // The middle of its map.
        own.home = moved.unwrap_or(own.home);
        own.people = lots.pick(crate::codes::People::ALL).unwrap_or(own.people);
        own.culture = culture(lots);
        own.gifts.push(gift);
        own.lanes.extend(lane.map(|lane| (SECRET_LANE.to_owned(), lane)));
        let bars = lots.chance(50);
        books(own, !bars, lots);
        strangers(own, viewer, lots);
    }
}

/// Other values of what the coming month shows to nobody but the realm itself, for realms next door. What counts in an income month only, or
/// in an arming month, differs in the others; what is bought with gold only where there is plenty.
pub(super) fn whisper(
    tables: &Tables,
    state: &mut State,
    id: RealmId,
    viewer: RealmId,
    far: &[RealmId],
    rich: bool,
    lots: &mut Lots<'_>,
) {
    let coming = state.step.saturating_add(1);
    let (income, arming) = (tables.is_income(coming), tables.is_arming(coming));
    let land: Vec<FieldIndex> = state.land_of(id).map(|(field, _)| field).collect();
    if !income && !arming {
        let hidden = land
            .iter()
            .filter(|field| is_out_of_reach(tables, state, viewer, **field));
        for field in &hidden.copied().collect::<Vec<_>>() {
            // A mine that is there yields more: that one is there would be found out with the land.
            if let Underground::Mine { yields, terms, .. } = &mut state.field_mut(*field).ground {
                (*yields, *terms) = (lots.number(1, 9) * 1_000, lots.number(1, 30));
            }
            state.field_mut(*field).places = Some(places(lots));
            state.field_mut(*field).pays_nothing = lots.chance(50);
            if let Some(town) = state.field_mut(*field).settlement.as_deref_mut() {
                sicken(town, 50, lots);
            }
            if let Some(work) = &mut state.field_mut(*field).work {
                work.built = work.built.saturating_add(1);
            }
        }
    }
    let inner = land
        .iter()
        .copied()
        .find_map(|field| beside(state, field, |other| state.field(other).owner == id).map(|other| (field, other)));
    if let Some((field, other)) = inner {
        join(state, field, other, |field| &mut field.ruins);
    }
    let gift = far.first().map(|from| Gift {
        from: *from,
        gold: lots.number(1, 5_000),
    });
    let lane = lane(tables, state, id);
    if let Some(own) = state.realms.get_mut(&id) {
        own.missed = u32::try_from(lots.number(0, 5)).unwrap_or(0);
        own.lanes.extend(lane.map(|lane| (SECRET_LANE.to_owned(), lane)));
        if rich {
            own.gifts.extend(gift);
        }
        for other in far {
            own.met.insert(*other, Acquaintance::Player);
            own.banners
                .insert(*other, u32::try_from(lots.number(50, 99)).unwrap_or(50));
        }
        if !income && !arming {
            // Without its luxury goods a people takes no land, and that can be seen.
            let bars = own.statement.as_ref().is_some_and(|statement| !statement.luxury_met);
            books(own, !bars, lots);
        }
    }
}

/// Whether no army of the viewer can take the field or plunder it in the coming month, and no horde goes for it because it is not plundered
/// yet: the one would see what grows there, the other be seen to go elsewhere.
fn is_out_of_reach(tables: &Tables, state: &State, viewer: RealmId, field: FieldIndex) -> bool {
    let far = |from: FieldIndex, range: u32| state.chart.distance(from, field) > range;
    let mut armies = state.armies_of(viewer);
    armies.all(|(_, army)| far(army.field, MARCH)) && !is_prey(tables, state, field)
}

/// Whether a horde may look at the field for something to plunder.
fn is_prey(tables: &Tables, state: &State, field: FieldIndex) -> bool {
    let range = tables.creatures.horde_hunt_range + 1;
    let raids = |band: &Band| tables.creature[band.creature].behaviour == Behaviour::Raid;
    let mut bands = state.bands.values().filter(|band| raids(band));
    bands.any(|band| state.chart.distance(band.field, field) <= range)
}

/// Lets the realm's first trader, if it has one, carry some of a good.
fn load(state: &mut State, id: RealmId, good: Good, lots: &mut Lots<'_>) {
    let trader = ArmyName::new(Kind::Trader, 1).of(id);
    if let Some(trader) = state.armies.get_mut(&trader) {
        let points = lots.number(1, 9);
        trader.load.push(Load {
            origin: id,
            good,
            points,
        });
    }
}

/// What stands in a realm's books.
fn books(own: &mut Realm, luxury_met: bool, lots: &mut Lots<'_>) {
    own.hygiene = Some(lots.number(0, 50_000));
    own.unrest = lots.number(0, 60);
    own.bad_harvest = lots.chance(50);
    own.imports[Good::Wine] += lots.number(1, 5);
    own.promotions = promotions(lots);
    // Before the first income month there is none, and nothing is barred.
    let is_first = luxury_met && lots.chance(20);
    own.statement = (!is_first).then(|| statement(lots, luxury_met));
}

/// What it knows of others but the viewer.
fn strangers(own: &mut Realm, viewer: RealmId, lots: &mut Lots<'_>) {
    own.missed = u32::try_from(lots.number(0, 5)).unwrap_or(0);
    let known: Vec<RealmId> = own.met.keys().copied().filter(|other| *other != viewer).collect();
    for other in known {
        match lots.number(1, 3) {
            1 => own.met.remove(&other),
            _ => own.met.insert(other, Acquaintance::Player),
        };
        own.banners
            .insert(other, u32::try_from(lots.number(50, 99)).unwrap_or(50));
    }
}

fn statement(lots: &mut Lots<'_>, luxury_met: bool) -> Statement {
    let mut statement = Statement {
        step: 1,
        population: lots.number(10, 90),
        taxes: lots.number(0, 90_000),
        land: lots.number(0, 90_000),
        mines: lots.number(0, 90_000),
        trade: lots.number(0, 25_000),
        balanced: lots.chance(50),
        luxury_met,
        unrest: lots.number(0, 95),
        ..Statement::default()
    };
    for good in Good::main() {
        statement.supply[good] = lots.number(0, 20);
        statement.demand[good] = lots.number(2, 20);
    }
    let goods: Vec<Good> = Good::main().filter(|good| *good != Good::Culture).collect();
    let needed: BTreeSet<Good> = (0..3).filter_map(|_| lots.pick(&goods)).collect();
    statement.needed = needed.into_iter().collect();
    statement
}

fn promotions(lots: &mut Lots<'_>) -> Vec<Promotion> {
    let (soil, good) = [
        (Soil::Plain, Good::Grain),
        (Soil::Hills, Good::Wine),
        (Soil::Mountains, Good::Stone),
    ][usize::try_from(lots.number(0, 2)).unwrap_or(0)];
    vec![Promotion {
        soil,
        good,
        points: lots.number(1, 3),
    }]
}

fn culture(lots: &mut Lots<'_>) -> Vec<CulturePoints> {
    let occasions = [
        Occasion::Always,
        Occasion::Defending,
        Occasion::Attacking,
        Occasion::On(Terrain::Plain),
    ];
    let when = lots.pick(&occasions).unwrap_or(Occasion::Always);
    let points = lots.number(1, 3);
    vec![CulturePoints { when, points }]
}

fn places(lots: &mut Lots<'_>) -> [Good; 3] {
    let goods: Vec<Good> = Good::main().collect();
    [0; 3].map(|_| lots.pick(&goods).unwrap_or(Good::Culture))
}

/// What lies under a mountain or hill field.
fn dig(state: &mut State, field: FieldIndex, lots: &mut Lots<'_>) {
    let here = state.field_mut(field);
    if !matches!(here.terrain, Terrain::Mountains | Terrain::Hills) {
        return;
    }
    here.ground = match lots.number(1, 3) {
        1 => Underground::Nothing,
        2 => Underground::Exhausted,
        _ => Underground::Mine {
            vein: lots.pick(Vein::ALL).unwrap_or(Vein::Gold),
            yields: lots.number(1, 9) * 1_000,
            terms: lots.number(1, 30),
        },
    };
}

/// Plunder, plague and trade.
fn trouble(tables: &Tables, state: &mut State, field: FieldIndex, percent: i64, lots: &mut Lots<'_>) {
    let is_prey = is_prey(tables, state, field);
    let here = state.field_mut(field);
    here.pays_nothing = if is_prey {
        here.pays_nothing
    } else {
        lots.chance(percent)
    };
    if lots.chance(percent) {
        here.places = Some(places(lots));
    }
    if let Some(town) = here.settlement.as_deref_mut() {
        sicken(town, percent, lots);
    }
}

fn sicken(town: &mut Settlement, percent: i64, lots: &mut Lots<'_>) {
    town.pays_nothing = lots.chance(percent);
    town.grown = lots.number(0, 5);
    if lots.chance(percent) {
        town.plague = u32::try_from(lots.number(1, 3)).unwrap_or(1);
    }
    if let Some(trade) = &mut town.trade {
        *trade = TradeCity {
            named: trade.named,
            needed: lots.number(0, 30),
            others: lots.number(0, 30),
            carried: lots.number(0, 8_000),
        };
    }
}

/// What stands on a field that nobody can see.
fn build(tables: &Tables, state: &mut State, field: FieldIndex, lots: &mut Lots<'_>) {
    let here = state.field_mut(field);
    if tables.is_water(here.terrain) {
        return;
    }
    match here.settlement.as_deref_mut() {
        Some(town) => {
            town.fortified = lots.chance(50);
            if town.kind != SettlementKind::Capital {
                town.capital_of = RealmId(u16::try_from(lots.number(0, 4)).unwrap_or(0));
            }
            if let Some(trade) = &mut town.trade {
                trade.named = trade.named.saturating_add(1);
            }
        }
        None if lots.chance(20) => {
            let kind = lots.pick(WorkKind::ALL).unwrap_or(WorkKind::WatchPost);
            here.work = Some(Work { kind, built: 1 });
        }
        None => {}
    }
}

/// A lane of two waters near the home, if there are such.
fn lane(tables: &Tables, state: &State, id: RealmId) -> Option<Lane> {
    let home = state.realms.get(&id)?.home;
    let is_water = |field: FieldIndex| tables.is_water(state.field(field).terrain);
    let waters = state.chart.range(home, 3).into_iter().filter(|field| is_water(*field));
    let ends = waters
        .into_iter()
        .find_map(|field| beside(state, field, is_water).map(|other| vec![field, other]));
    ends.map(|fields| Lane { fields, since: 1 })
}

/// The first neighbour of a field that is as wanted.
fn beside(state: &State, field: FieldIndex, wanted: impl Fn(FieldIndex) -> bool) -> Option<FieldIndex> {
    let mut around = state.chart.neighbours(field).map(|(_, other)| other);
    around.find(|other| wanted(*other))
}

/// Joins two neighbours from both sides; others are left alone.
fn join(state: &mut State, from: FieldIndex, to: FieldIndex, sides: fn(&mut Field) -> &mut Sides) {
    let side: Option<Direction> = state
        .chart
        .neighbours(from)
        .find(|(_, other)| *other == to)
        .map(|(direction, _)| direction);
    if let Some(direction) = side {
        sides(state.field_mut(from)).insert(direction);
        sides(state.field_mut(to)).insert(direction.opposite());
    }
}
