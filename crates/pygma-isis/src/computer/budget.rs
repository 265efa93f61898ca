//! What is spent in an arming month: hygiene first, then riders and ships for new land, settlements, promotion of what is short, hosts, walls,
//! more people.

use super::lures::Lures;
use super::{Desk, arming, luxury};
use crate::codes::{Good, SettlementKind, Terrain, WorkKind};
use crate::production;
use crate::state::Points;
use crate::{hygiene, supply, trade_cities, treasury};
use kernel::hex::FieldIndex;
use std::collections::BTreeSet;

/// Population points for which a rich ruler provides in advance.
const AHEAD: i64 = 50;

/// Room that must be left for the people of new land, and gold that a ruler does not spend on more people.
const ROOM: i64 = 25;
const SAVINGS: i64 = 150_000;

/// What may still be spent.
pub(super) struct Purse {
    pub gold: i64,
    /// Armies that can still be raised for the administration that is paid.
    armies: i64,
    /// Population points that may be added before the people demand more luxury than there is.
    room: i64,
}

impl Purse {
    /// Pays for an army, or not.
    pub(super) fn musters(&mut self, cost: i64) -> bool {
        let may = self.armies > 0 && self.pays(cost);
        if may {
            self.armies -= 1;
        }
        may
    }

    /// Pays, or not.
    fn pays(&mut self, cost: i64) -> bool {
        let may = cost <= self.gold;
        if may {
            self.gold -= cost;
        }
        may
    }
}

/// Writes the orders of an arming month.
pub(super) fn spend(desk: &Desk<'_>, lures: &Lures, lines: &mut Vec<String>) {
    let tables = desk.tables;
    let towns = hygiene::liable(desk.tables, &desk.state, desk.realm);
    let clean = tables
        .absence
        .hygiene_if_never
        .saturating_mul(i64::try_from(towns.len()).unwrap_or(0));
    let payroll = treasury::payroll(tables, &desk.state, desk.realm);
    let after_pay = desk.gold.saturating_sub(payroll).max(0);
    let sum = clean.min(after_pay);
    if !towns.is_empty() {
        lines.push(format!("HYGIENE {sum}"));
    }
    let mobile = i64::try_from(treasury::mobile(&desk.state, desk.realm).len()).unwrap_or(0);
    let (armies, administration) = arming::staff(desk);
    let mut purse = Purse {
        gold: after_pay.saturating_sub(sum).saturating_sub(administration).max(0),
        armies: armies - mobile,
        room: if luxury::is_hopeless(desk) { i64::MAX } else { desk.room },
    };
    name_trade_cities(desk, lines);
    arming::raise_riders(desk, lures, &mut purse, lines);
    arming::raise_fleets(desk, lures, &mut purse, lines);
    found(desk, &mut purse, lines);
    upgrade(desk, &mut purse, lines);
    promote(desk, &mut purse, lines);
    arming::raise_hosts(desk, &mut purse, payroll, lines);
    fortify(desk, &mut purse, lines);
    grow(desk, &mut purse, lines);
    arming::guard(desk, lines);
}

/// As many trade cities as the realm may have, harbours first: goods come over the sea.
fn name_trade_cities(desk: &Desk<'_>, lines: &mut Vec<String>) {
    let land = desk.land();
    let limit = trade_cities::limit(desk.tables, i64::try_from(land.len()).unwrap_or(0));
    let towns = land
        .into_iter()
        .filter(|field| desk.field(*field).town(desk.tables).is_some());
    let named = |field: &FieldIndex| trade_cities::is_trade_city(&desk.state, *field);
    let is_harbour = |field: &FieldIndex| desk.state.is_harbour(desk.tables, *field);
    let (have, mut open): (Vec<FieldIndex>, Vec<FieldIndex>) = towns.partition(named);
    open.sort_by_key(|field| (!is_harbour(field), *field));
    let mut more = usize::try_from(limit).unwrap_or(0).saturating_sub(have.len());
    let is_landlocked = !have.iter().any(is_harbour) && open.first().is_some_and(is_harbour);
    if let Some(inland) = have.first().filter(|_| more == 0 && is_landlocked) {
        lines.push(format!("HANDELSSTADT ENDE {}", desk.place(*inland)));
        more = 1;
    }
    for field in open.into_iter().take(more) {
        lines.push(format!("HANDELSSTADT {}", desk.place(field)));
    }
}

/// New settlements on good land, as near to the others as the rules allow.
fn found(desk: &Desk<'_>, purse: &mut Purse, lines: &mut Vec<String>) {
    if luxury::is_close(desk) {
        return;
    }
    let least = u32::try_from(desk.tables.settling.min_distance).unwrap_or(u32::MAX);
    let mut settled: Vec<FieldIndex> = desk
        .state
        .chart
        .fields()
        .filter(|field| desk.field(*field).settlement.is_some())
        .collect();
    let mut sites: Vec<FieldIndex> = desk
        .land()
        .into_iter()
        .filter(|field| desk.field(*field).settlement.is_none() && desk.field(*field).work.is_none())
        .filter(|field| desk.field(*field).terrain != Terrain::Ice && desk.danger(*field) == 0)
        .collect();
    sites.sort_by_key(|field| {
        let inland = !desk.state.is_coastal(desk.tables, *field);
        (inland, -desk.tables.terrain[desk.field(*field).terrain].income, *field)
    });
    let cost = desk.tables.settlement[SettlementKind::SmallSettlement].cost;
    let mut founded = 0;
    for site in sites {
        if founded == 2 + plenty(purse).min(3) {
            return;
        }
        let far = settled
            .iter()
            .all(|other| desk.state.chart.distance(site, *other) >= least);
        if far && purse.pays(cost) {
            founded += 1;
            settled.push(site);
            lines.push(format!("SIEDLUNG {}", desk.place(site)));
        }
    }
}

/// The next stage for settlements, the most advanced first.
fn upgrade(desk: &Desk<'_>, purse: &mut Purse, lines: &mut Vec<String>) {
    let mut stages: Vec<(SettlementKind, FieldIndex)> = desk
        .land()
        .into_iter()
        .filter_map(|field| Some((desk.field(field).settlement.as_ref()?.kind, field)))
        .filter(|(kind, _)| *kind <= SettlementKind::SmallTown)
        .collect();
    stages.sort_by_key(|(kind, field)| (std::cmp::Reverse(*kind), *field));
    for (kind, field) in stages.into_iter().take(3 + plenty(purse).min(7)) {
        let (next, word) = match kind {
            SettlementKind::SmallSettlement => (SettlementKind::LargeSettlement, ""),
            SettlementKind::LargeSettlement => (SettlementKind::SmallTown, ""),
            _ if desk.state.is_coastal(desk.tables, field) => (SettlementKind::HarbourTown, " HAFEN"),
            _ => (SettlementKind::InlandTown, " BINNEN"),
        };
        let people = |kind: SettlementKind| desk.tables.settlement[kind].population;
        let more = people(next) - people(kind);
        if more <= purse.room && purse.pays(desk.tables.settlement[next].cost) {
            purse.room -= more;
            lines.push(format!("AUSBAU {}{word}", desk.place(field)));
        }
    }
}

/// Points of goods that the last statement missed, on a soil where they grow.
fn promote(desk: &Desk<'_>, purse: &mut Purse, lines: &mut Vec<String>) {
    let Some(own) = desk.state.realms.get(&desk.realm) else {
        return;
    };
    let points = supply::population(desk.tables, &desk.state, desk.realm);
    // A rich ruler provides for those who will come.
    let ahead = if plenty(purse) > 0 { AHEAD } else { 0 };
    let inhabitants = (points + ahead).saturating_mul(desk.tables.settling.inhabitants_per_point);
    let demand = supply::demand(desk.tables, inhabitants);
    let have: Points = supply::supply(desk.tables, &desk.state, desk.realm);
    let land = desk.land();
    for (good, wanted) in demand.iter().filter(|(good, wanted)| have[*good] < *wanted) {
        let soils: BTreeSet<_> = land
            .iter()
            .filter_map(|field| desk.tables.terrain[desk.field(*field).terrain].column)
            .filter(|soil| production::crosses(desk.tables, Some(*soil), good) > 0)
            .collect();
        for soil in soils {
            let on_soil = own.promotions.iter().filter(|promotion| promotion.soil == soil);
            let (goods, used) = on_soil.fold((BTreeSet::from([good]), 0), |(mut goods, used), promotion| {
                goods.insert(promotion.good);
                (goods, used + promotion.points)
            });
            let room = desk.tables.goods.promotion_points_max.saturating_sub(used);
            let kinds = i64::try_from(goods.len()).unwrap_or(i64::MAX);
            let short = (wanted - have[good]).min(room);
            if short < 1 || kinds > desk.tables.goods.promotion_goods_max {
                continue;
            }
            if purse.pays(desk.tables.goods.promotion_cost) {
                lines.push(format!("FOERDERE {} {} 1", soil.code(), good.code()));
            }
            break;
        }
    }
}

/// More people in the capital for what is left, as long as they lack nothing and the land feeds them (PYG-POP-04, PYG-POP-05).
fn grow(desk: &Desk<'_>, purse: &mut Purse, lines: &mut Vec<String>) {
    let tables = desk.tables;
    let own = desk.state.realms.get(&desk.realm);
    let statement = own.and_then(|own| own.statement.as_ref());
    let Some(capital) = desk.state.capital_of(desk.realm) else {
        return;
    };
    if !statement.is_some_and(|statement| statement.balanced && statement.unrest == 0) {
        return;
    }
    let people = supply::population(tables, &desk.state, desk.realm);
    let supply: i64 = Good::main().map(|good| desk.supply[good]).sum();
    // A twentieth is left over for traders and bad years.
    let feeds = |more: i64| {
        let inhabitants = people.saturating_add(more) * tables.settling.inhabitants_per_point;
        supply::demand(tables, inhabitants).total() * 21 <= supply * 20
    };
    let gold = purse.gold.saturating_sub(SAVINGS).max(0);
    let most = (gold / tables.settling.growth_cost.max(1)).min(purse.room.saturating_sub(ROOM));
    let points = (1..=most / 10)
        .map(|tens| tens * 10)
        .take_while(|points| feeds(*points))
        .last();
    if let Some(points) = points
        && purse.pays(points * tables.settling.growth_cost)
    {
        purse.room -= points;
        lines.push(format!("WACHSTUM {} {points}", desk.place(capital)));
    }
}

/// Walls for the towns of a rich realm, the capital first, and watch posts where it borders on others.
fn fortify(desk: &Desk<'_>, purse: &mut Purse, lines: &mut Vec<String>) {
    let land = desk.land();
    let mut open: Vec<(i64, FieldIndex)> = Vec::new();
    for field in &land {
        let town = desk.field(*field).town(desk.tables).filter(|town| !town.fortified);
        let cost = town.and_then(|town| desk.tables.settlement[town.kind].fortify_cost);
        open.extend(cost.map(|cost| (cost, *field)));
    }
    let capital = desk.state.capital_of(desk.realm);
    open.sort_by_key(|(cost, field)| (Some(*field) != capital, *cost, *field));
    if let Some((cost, field)) = open.first().copied()
        && purse.gold > cost * 3 / 2
        && purse.pays(cost)
    {
        lines.push(format!("BEFESTIGE {}", desk.place(field)));
    }
    let borders = |field: &FieldIndex| {
        let mut around = desk.state.chart.neighbours(*field).map(|(_, beside)| beside);
        around.any(|beside| desk.field(beside).owner.is_played() && !desk.is_own(beside))
    };
    let near = u32::try_from(desk.tables.works.min_distance - 1).unwrap_or(0);
    let is_free = |field: &FieldIndex| {
        let mut around = desk.state.chart.range(*field, near).into_iter();
        desk.field(*field).settlement.is_none() && around.all(|other| desk.field(other).work.is_none())
    };
    let (work, word) = if plenty(purse) > 1 {
        (WorkKind::Fortress, "FESTUNG")
    } else {
        (WorkKind::WatchPost, "WACHPOSTEN")
    };
    let cost = desk.tables.work[work].cost;
    if let Some(site) = land.iter().find(|field| borders(field) && is_free(field))
        && purse.gold > cost * 6
        && purse.pays(cost)
    {
        lines.push(format!("BAU {word} {}", desk.place(*site)));
    }
}

/// How rich a ruler is, in half millions: who has plenty builds more at a time.
pub(super) fn plenty(purse: &Purse) -> usize {
    usize::try_from(purse.gold / 500_000).unwrap_or(0)
}
