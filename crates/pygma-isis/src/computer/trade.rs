//! Traders: surplus goods go by sea to harbours of realms that were met, and theirs come here (PYG-TRDR-01..08, PYG-TRADE-01).

use super::{Desk, ways};
use crate::codes::{Good, Kind, SettlementKind};
use crate::event::Who;
use crate::state::{ArmyName, Points};
use crate::{trade_cities, traders};
use kernel::hex::FieldIndex;
use std::collections::BTreeSet;

/// Harbours that are served at the most, the nearest.
const MARKETS: usize = 6;

/// A harbour of others, and the way to it.
struct Market {
    town: FieldIndex,
    /// Steps over water to a field beside it.
    steps: Vec<u32>,
}

/// Raises traders as long as there is something to sell, loads them, and sends them on their way.
pub(super) fn send(desk: &Desk<'_>, lines: &mut Vec<String>) {
    let Some(own) = desk.state.realms.get(&desk.realm) else {
        return;
    };
    let ports: Vec<FieldIndex> = desk
        .land()
        .into_iter()
        .filter(|field| trade_cities::is_trade_city(&desk.state, *field) && desk.state.is_harbour(desk.tables, *field))
        .collect();
    let Some(port) = ports.first().copied() else { return };
    let markets = markets(desk, port);
    if markets.is_empty() {
        return;
    }
    let home = Market::new(desk, &ports);
    let mut stock = own.stock;
    let mut fleet = desk.armies(Kind::Trader);
    fleet.sort_unstable();
    raise(desk, port, fleet.len(), stock.total(), lines);
    for (name, _, at) in fleet {
        let Some(trader) = desk.state.armies.get(&name.of(desk.realm)) else {
            continue;
        };
        let is_at_port = ports.iter().any(|port| desk.state.chart.distance(at, *port) <= 1);
        let mut laden = !trader.load.is_empty();
        if !laden && is_at_port {
            let goods = lade(&mut stock, desk.tables.trader.capacity);
            laden = !goods.is_empty();
            if laden {
                lines.push(format!("LADE {name} {}", goods.join(", ")));
            }
        }
        let market = market_of(&markets, name);
        match market.filter(|_| laden) {
            Some(market) => voyage(desk, market, name, at, true, lines),
            None if !laden && !is_at_port => voyage(desk, &home, name, at, false, lines),
            None => {}
        }
    }
}

/// One trader more a term, as far as the stores allow it (PYG-TRDR-02).
fn raise(desk: &Desk<'_>, port: FieldIndex, have: usize, stock: i64, lines: &mut Vec<String>) {
    let most = traders::allowed(desk.tables, stock);
    let have = i64::try_from(have).unwrap_or(i64::MAX);
    if desk.tables.is_arming(desk.step) && stock > 0 && have < most {
        let mut taken = BTreeSet::new();
        for _ in have..most {
            let number = desk.free_number(Kind::Trader, &taken);
            taken.insert(number);
            lines.push(format!("HAENDLER H {number} IN {}", desk.place(port)));
        }
    }
}

/// Every trader has a harbour of its own to serve, so that all neighbours get something.
fn market_of(markets: &[Market], name: ArmyName) -> Option<&Market> {
    let number = usize::try_from(name.number).unwrap_or(0);
    markets.get(number.checked_rem(markets.len())?)
}

/// A load of everything in the stores, point by point, luxury goods first: others cannot grow without them.
fn lade(stock: &mut Points, capacity: i64) -> Vec<String> {
    let mut load = Points::default();
    while load.total() < capacity && stock.total() > 0 {
        for good in Good::luxuries().chain(Good::main()) {
            if stock[good] > 0 && load.total() < capacity {
                stock[good] -= 1;
                load[good] += 1;
            }
        }
    }
    load.iter()
        .map(|(good, points)| format!("{} {points}", good.code()))
        .collect()
}

impl Market {
    /// The harbours of these towns.
    fn new(desk: &Desk<'_>, towns: &[FieldIndex]) -> Self {
        let beside = |town: &FieldIndex| desk.state.chart.neighbours(*town).map(|(_, field)| field);
        let waters: BTreeSet<FieldIndex> = towns
            .iter()
            .flat_map(beside)
            .filter(|field| sails(desk, *field))
            .collect();
        Self {
            town: towns.first().copied().unwrap_or(FieldIndex(0)),
            steps: ways::steps(desk, waters, |_, to| sails(desk, to)),
        }
    }
}

/// Harbours of realms that were met, the nearest to the port first.
fn markets(desk: &Desk<'_>, port: FieldIndex) -> Vec<Market> {
    let fields = desk.view.fields.iter();
    let towns = fields.filter(|field| matches!(field.owner, Who::Named { .. }));
    let harbours = towns.filter(|field| {
        matches!(
            field.settlement,
            Some(SettlementKind::Capital | SettlementKind::HarbourTown)
        )
    });
    let harbours = harbours
        .filter_map(|field| desk.state.field_at(field.place))
        .filter(|field| desk.state.is_coastal(desk.tables, *field));
    let mut markets: Vec<(u32, FieldIndex)> = Vec::new();
    let home = Market::new(desk, &[port]);
    for town in harbours {
        let around = desk.state.chart.neighbours(town).map(|(_, field)| field);
        let nearest = around.map(|water| home.steps[water.index()]).min();
        markets.extend(nearest.filter(|steps| *steps != ways::NONE).map(|steps| (steps, town)));
    }
    markets.sort_unstable();
    markets.truncate(MARKETS);
    markets
        .into_iter()
        .map(|(_, town)| Market::new(desk, &[town]))
        .collect()
}

/// Known water without anything dangerous; reefs do no harm to traders.
fn sails(desk: &Desk<'_>, field: FieldIndex) -> bool {
    desk.tables.is_water(desk.field(field).terrain) && desk.danger(field) == 0
}

/// Sails on, and hands the load over on arrival.
fn voyage(desk: &Desk<'_>, market: &Market, name: ArmyName, at: FieldIndex, deliver: bool, lines: &mut Vec<String>) {
    // From a harbour town straight onto the water is a step at sea (PYG-GAP-60).
    let mut around = desk.state.chart.neighbours(at).map(|(_, field)| field);
    let way = if sails(desk, at) {
        ways::way(desk, at, &market.steps, |_, to| sails(desk, to))
    } else {
        let quay = around
            .by_ref()
            .filter(|field| sails(desk, *field))
            .min_by_key(|field| market.steps[field.index()]);
        let mut way = vec![at];
        way.extend(
            quay.map(|quay| ways::way(desk, quay, &market.steps, |_, to| sails(desk, to)))
                .unwrap_or_default(),
        );
        way
    };
    let range = usize::try_from(desk.tables.movement.road[Kind::Trader]).unwrap_or(0);
    let month = &way[..way.len().min(range + 1)];
    let arrives = month.len() == way.len() && way.last().is_some_and(|end| market.steps[end.index()] == 0);
    let hand_over = if arrives && deliver {
        format!("; LOESCHEN IN {}", desk.place(market.town))
    } else {
        String::new()
    };
    if month.len() > 1 || !hand_over.is_empty() {
        let path = if month.is_empty() {
            desk.path(&[at])
        } else {
            desk.path(month)
        };
        lines.push(format!("ZUG {name}: {path}{hand_over}"));
    }
}
