//! The arming month: hygiene first, then settlements, riders for new land, hosts, promotion of what is short.

use super::{Desk, luxury};
use crate::codes::{Kind, SettlementKind, Terrain, WorkKind};
use crate::production;
use crate::state::Points;
use crate::{hygiene, supply, trade_cities, treasury};
use kernel::hex::FieldIndex;
use std::collections::BTreeSet;

/// Armies that cost no administration.
const FREE_ARMIES: i64 = 10;

/// What may still be spent.
struct Purse {
    gold: i64,
    armies: i64,
    /// Population points that may be added before the people demand more luxury than there is.
    room: i64,
    taken: BTreeSet<u32>,
}

impl Purse {
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
pub(super) fn spend(desk: &Desk<'_>, lines: &mut Vec<String>) {
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
    let mut purse = Purse {
        gold: after_pay.saturating_sub(sum),
        armies: mobile,
        room: desk.room,
        taken: BTreeSet::new(),
    };
    name_trade_cities(desk, lines);
    raise_riders(desk, &mut purse, lines);
    found(desk, &mut purse, lines);
    upgrade(desk, &mut purse, lines);
    promote(desk, &mut purse, lines);
    raise_host(desk, &mut purse, lines);
    fortify(desk, &mut purse, lines);
    guard(desk, lines);
}

/// As many trade cities as the realm may have.
fn name_trade_cities(desk: &Desk<'_>, lines: &mut Vec<String>) {
    let land = desk.land();
    let limit = trade_cities::limit(desk.tables, i64::try_from(land.len()).unwrap_or(0));
    let towns: Vec<FieldIndex> = land
        .into_iter()
        .filter(|field| desk.field(*field).town(desk.tables).is_some())
        .collect();
    let named = |field: &FieldIndex| trade_cities::is_trade_city(&desk.state, *field);
    let have = i64::try_from(towns.iter().filter(|field| named(field)).count()).unwrap_or(0);
    let more = usize::try_from(limit.saturating_sub(have)).unwrap_or(0);
    for field in towns.into_iter().filter(|field| !named(field)).take(more) {
        lines.push(format!("HANDELSSTADT {}", desk.place(field)));
    }
}

/// Riders take new land: three armies, and one more for every thirty fields.
fn raise_riders(desk: &Desk<'_>, purse: &mut Purse, lines: &mut Vec<String>) {
    let Some(town) = healthy_town(desk) else { return };
    let figures = &desk.tables.army[Kind::Riders];
    let land = desk.land().len();
    let wanted = (3 + land / 30).min(6);
    let have = desk.armies(Kind::Riders).len();
    for _ in have..wanted {
        let heads = (figures.min + 200).min(figures.max);
        if purse.armies + 1 >= FREE_ARMIES || !purse.pays(heads * figures.arming_cost) {
            return;
        }
        purse.armies += 1;
        let number = desk.free_number(Kind::Riders, &purse.taken);
        purse.taken.insert(number);
        lines.push(format!("RUESTE RH {number} {heads} IN {}", desk.place(town)));
    }
}

/// The town with the greatest limit in which there is no plague.
fn healthy_town(desk: &Desk<'_>) -> Option<FieldIndex> {
    let towns = desk.land().into_iter().filter(|field| {
        let town = desk.field(*field).town(desk.tables);
        town.is_some_and(|town| town.plague == 0)
    });
    towns.max_by_key(|field| {
        let kind = desk.field(*field).town(desk.tables).map(|town| town.kind);
        (
            kind.and_then(|kind| desk.tables.settlement[kind].arming_limit),
            std::cmp::Reverse(*field),
        )
    })
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
    let inhabitants = points.saturating_mul(desk.tables.settling.inhabitants_per_point);
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

/// Hosts of warriors: everyone keeps one for defence, the warlike more.
fn raise_host(desk: &Desk<'_>, purse: &mut Purse, lines: &mut Vec<String>) {
    let Some(town) = healthy_town(desk) else { return };
    let figures = &desk.tables.army[Kind::Warriors];
    let hosts = desk
        .armies(Kind::Warriors)
        .iter()
        .filter(|(_, count, _)| *count >= 5000)
        .count();
    let wanted = if desk.warlike { 3 } else { 1 } + plenty(purse).min(2);
    if hosts >= wanted || purse.armies + 1 >= FREE_ARMIES {
        return;
    }
    let kind = desk.field(town).settlement.as_ref().map(|town| town.kind);
    let limit = kind
        .and_then(|kind| desk.tables.settlement[kind].arming_limit)
        .unwrap_or(0);
    // What is left of the limit beside the riders of this month.
    let gold = purse.gold.min(limit - limit / 4) / 2;
    let most = if plenty(purse) > 1 { 30_000 } else { 12_000 };
    let heads = (gold / figures.arming_cost.max(1)).min(most);
    if heads >= 5_500 && purse.pays(heads * figures.arming_cost) {
        purse.armies += 1;
        let number = desk.free_number(Kind::Warriors, &BTreeSet::new());
        lines.push(format!("RUESTE KH {number} {heads} IN {}", desk.place(town)));
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
    let cost = desk.tables.work[WorkKind::WatchPost].cost;
    if let Some(site) = land.iter().find(|field| borders(field) && is_free(field))
        && purse.gold > cost * 6
        && purse.pays(cost)
    {
        lines.push(format!("BAU WACHPOSTEN {}", desk.place(*site)));
    }
}

/// How rich a ruler is, in half millions: who has plenty builds more at a time.
fn plenty(purse: &Purse) -> usize {
    usize::try_from(purse.gold / 500_000).unwrap_or(0)
}

/// One army of warriors stays in the capital.
fn guard(desk: &Desk<'_>, lines: &mut Vec<String>) {
    let Some(capital) = desk.state.capital_of(desk.realm) else {
        return;
    };
    let own = desk.state.armies_of(desk.realm);
    let mut warriors =
        own.filter(|(id, army)| id.kind() == Kind::Warriors && army.field == capital && army.aboard.is_none());
    if let Some((id, _)) = warriors.next() {
        lines.push(format!("STATIONIERE {}", id.name));
    }
}
