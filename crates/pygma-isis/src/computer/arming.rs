//! Armies that are raised: riders for new land, ships for those overseas, hosts for defence and war (PYG-ARM-01..06, PYG-ADM-01).

use super::Desk;
use super::budget::{Purse, plenty};
use super::lures::Lures;
use crate::codes::Kind;
use crate::shipping;
use kernel::hex::FieldIndex;
use kernel::ratio::{Rounding, percent};
use std::collections::BTreeSet;

/// Nobody leads more armies than this.
const ARMIES_MAX: i64 = 30;
/// Riders who outlive difficult terrain, with equipment.
const RIDERS: i64 = 1_600;
/// Ships that carry an army of riders, and those that look around.
const FERRY: i64 = 34;
const SCOUTS: i64 = 10;
/// With less gold than this nobody builds ships, and with less than that no armada.
const SHIPS_FROM: i64 = 60_000;
const ARMADA_FROM: i64 = 400_000;
/// Warriors of a host, at least and at the most.
const HOST: i64 = 5_500;
const HOST_MAX: i64 = 40_000;

/// How many armies a ruler leads, and what their administration costs: as many as a tenth of his income or a twentieth of his treasury pays
/// for (PYG-ADM-01).
pub(super) fn staff(desk: &Desk<'_>) -> (i64, i64) {
    let means = (desk.income() / 10).max(desk.gold / 20).max(0);
    let bands = desk.tables.administration.bands.iter().copied();
    let affordable = bands.filter(|(_, cost)| *cost <= means);
    let (most, cost) = affordable.max_by_key(|(most, _)| *most).unwrap_or((0, 0));
    // One place stays free, for an army that is split off.
    (most.min(ARMIES_MAX) - 1, cost)
}

/// Riders take new land: three armies, and one more for every thirty fields, as long as there is anything to be found; one is always there.
pub(super) fn raise_riders(desk: &Desk<'_>, lures: &Lures, purse: &mut Purse, lines: &mut Vec<String>) {
    let Some(town) = healthy_town(desk) else { return };
    let figures = &desk.tables.army[Kind::Riders];
    let is_needed = lures.for_army(Kind::Riders, false, town).is_some();
    let wanted = if is_needed {
        (3 + desk.land().len() / 30).min(6)
    } else {
        1
    };
    let have = desk.armies(Kind::Riders).len();
    let mut taken = BTreeSet::new();
    for _ in have..wanted {
        let heads = RIDERS.clamp(figures.min, figures.max);
        if !purse.musters(heads * figures.arming_cost) {
            return;
        }
        let number = desk.free_number(Kind::Riders, &taken);
        taken.insert(number);
        lines.push(format!("RUESTE RH {number} {heads} IN {}", desk.place(town)));
    }
}

/// A realm with a harbour has ships for riders who find no land at home, some that look around, and for a war overseas as many as a host needs.
pub(super) fn raise_fleets(desk: &Desk<'_>, lures: &Lures, purse: &mut Purse, lines: &mut Vec<String>) {
    let figures = &desk.tables.army[Kind::Fleet];
    let fleets = desk.armies(Kind::Fleet);
    let most = fleets.iter().map(|(_, ships, _)| *ships).max().unwrap_or(0);
    let armada = lures
        .overseas_host(desk)
        .map(|heads| shipping::ships_for(desk.tables, [(Kind::Warriors, heads)]))
        .filter(|ships| *ships > most && *ships <= figures.max && purse.gold > ARMADA_FROM);
    let ships = match armada {
        Some(ships) => ships,
        None if most < FERRY => FERRY,
        None if fleets.len() < 2 => SCOUTS,
        None => return,
    };
    let harbour = desk.land().into_iter().find_map(|town| {
        let healthy = desk.field(town).town(desk.tables).is_some_and(|town| town.plague == 0);
        let mut around = desk.state.chart.neighbours(town).map(|(_, field)| field);
        let water = around.find(|field| desk.tables.is_water(desk.field(*field).terrain) && desk.danger(*field) == 0);
        water
            .filter(|_| healthy && desk.state.is_harbour(desk.tables, town))
            .map(|water| (town, water))
    });
    if let Some((town, water)) = harbour
        && purse.gold > SHIPS_FROM
        && purse.musters(ships * figures.arming_cost)
    {
        let number = desk.free_number(Kind::Fleet, &BTreeSet::new());
        let (town, water) = (desk.place(town), desk.place(water));
        lines.push(format!("RUESTE FH {number} {ships} IN {town} HAFEN {water}"));
    }
}

/// Hosts of warriors: everyone keeps one for defence, the warlike more, and the rich as many as their income pays.
pub(super) fn raise_hosts(desk: &Desk<'_>, purse: &mut Purse, payroll: i64, lines: &mut Vec<String>) {
    let Some(town) = healthy_town(desk) else { return };
    let figures = &desk.tables.army[Kind::Warriors];
    let hosts = desk
        .armies(Kind::Warriors)
        .iter()
        .filter(|(_, count, _)| *count >= HOST)
        .count();
    let wanted = if desk.warlike { 3 } else { 1 } + plenty(purse).min(5);
    let kind = desk.field(town).settlement.as_ref().map(|town| town.kind);
    let limit = kind
        .and_then(|kind| desk.tables.settlement[kind].arming_limit)
        .unwrap_or(0);
    // What is left of the limit beside the riders and ships of this month.
    let mut limit = limit - limit / 4;
    // Pay shall not eat more than this part of the income; who has plenty can eat into it.
    let part = if desk.warlike { 60 } else { 35 } + 20 * i64::from(plenty(purse) > 1);
    let income = percent(desk.income().max(0), part, Rounding::Down);
    let mut affordable = (income - payroll) * 100 / (desk.tables.armies.pay_pct * figures.arming_cost).max(1);
    let mut taken = BTreeSet::new();
    for _ in hosts..wanted {
        let gold = purse.gold.min(limit) / 2;
        let heads = (gold / figures.arming_cost.max(1)).min(HOST_MAX).min(affordable);
        if heads < HOST || !purse.musters(heads * figures.arming_cost) {
            return;
        }
        limit -= heads * figures.arming_cost;
        affordable -= heads;
        let number = desk.free_number(Kind::Warriors, &taken);
        taken.insert(number);
        lines.push(format!("RUESTE KH {number} {heads} IN {}", desk.place(town)));
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

/// One army of warriors stays in the capital.
pub(super) fn guard(desk: &Desk<'_>, lines: &mut Vec<String>) {
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
