//! Traders: surplus goods go by sea to a harbour of a realm that was met (PYG-TRDR-01..08).

use super::Desk;
use crate::codes::{Kind, SettlementKind, Terrain};
use crate::event::Who;
use crate::{trade_cities, traders};
use kernel::hex::FieldIndex;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Raises a trader when there is something to sell, loads it, and sends traders on their way.
pub(super) fn send(desk: &Desk<'_>, lines: &mut Vec<String>) {
    let markets = markets(desk);
    if markets.is_empty() {
        return;
    }
    let Some(own) = desk.state.realms.get(&desk.realm) else {
        return;
    };
    let port = desk
        .land()
        .into_iter()
        .find(|field| trade_cities::is_trade_city(&desk.state, *field) && desk.state.is_harbour(desk.tables, *field));
    let Some(port) = port else { return };
    let mut stock = own.stock;
    let traders = desk.armies(Kind::Trader);
    let most = traders::allowed(desk.tables, stock.total());
    if desk.tables.is_arming(desk.step) && stock.total() > 0 && (traders.len() as i64) < most.min(2) {
        let number = desk.free_number(Kind::Trader, &BTreeSet::new());
        lines.push(format!("HAENDLER H {number} IN {}", desk.place(port)));
    }
    for (name, _, at) in traders {
        let Some(trader) = desk.state.armies.get(&name.of(desk.realm)) else {
            continue;
        };
        if trader.load.is_empty() && desk.state.chart.distance(at, port) <= 1 {
            let mut room = desk.tables.trader.capacity;
            let mut words = Vec::new();
            for (good, points) in stock.iter().filter(|(_, points)| *points > 0) {
                let taken = points.min(room);
                if taken > 0 {
                    room -= taken;
                    words.push(format!("{} {taken}", good.code()));
                }
            }
            if words.is_empty() {
                continue;
            }
            stock = crate::state::Points::default();
            lines.push(format!("LADE {name} {}", words.join(", ")));
        }
        let goal = if trader.load.is_empty() {
            BTreeSet::from([port])
        } else {
            markets.clone()
        };
        let home = trader.load.is_empty();
        if let Some((path, town)) = voyage(desk, at, &goal) {
            let range = usize::try_from(desk.tables.movement.road[Kind::Trader]).unwrap_or(0);
            let arrives = path.len() <= range + 1;
            let fields: Vec<String> = path.iter().take(range + 1).map(|field| desk.place(*field)).collect();
            let deliver = if arrives && !home {
                format!("; LOESCHEN IN {}", desk.place(town))
            } else {
                String::new()
            };
            lines.push(format!("ZUG {name}: {}{deliver}", fields.join(" > ")));
        }
    }
}

/// Towns at the sea of realms that were met.
fn markets(desk: &Desk<'_>) -> BTreeSet<FieldIndex> {
    let fields = desk.view.fields.iter();
    let towns = fields.filter(|field| matches!(field.owner, Who::Named { .. }));
    let harbours = towns.filter(|field| {
        matches!(
            field.settlement,
            Some(SettlementKind::Capital | SettlementKind::HarbourTown)
        )
    });
    harbours
        .filter_map(|field| desk.state.field_at(field.place))
        .filter(|field| desk.state.is_coastal(desk.tables, *field))
        .collect()
}

/// The shortest way over known water from a harbour or the sea to a field beside one of the towns, and that town.
fn voyage(desk: &Desk<'_>, from: FieldIndex, goals: &BTreeSet<FieldIndex>) -> Option<(Vec<FieldIndex>, FieldIndex)> {
    let sails = |field: FieldIndex| {
        let terrain = desk.field(field).terrain;
        terrain != Terrain::Unexplored && desk.tables.is_water(terrain) && desk.danger(field) == 0
    };
    let mut came: BTreeMap<FieldIndex, FieldIndex> = BTreeMap::from([(from, from)]);
    let mut open = VecDeque::from([from]);
    while let Some(field) = open.pop_front() {
        let around: Vec<FieldIndex> = desk.state.chart.neighbours(field).map(|(_, field)| field).collect();
        if field != from
            && let Some(town) = around.iter().find(|field| goals.contains(field))
        {
            let mut path = vec![field];
            let mut at = field;
            while let Some(before) = came.get(&at).copied().filter(|before| *before != at) {
                path.push(before);
                at = before;
            }
            path.reverse();
            return Some((path, *town));
        }
        for beside in around.into_iter().filter(|field| sails(*field)) {
            if let std::collections::btree_map::Entry::Vacant(entry) = came.entry(beside) {
                entry.insert(field);
                open.push_back(beside);
            }
        }
    }
    None
}
