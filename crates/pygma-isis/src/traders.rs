//! Traders (PYG-TRDR-01..08, PYG-GAP-60, and what a delivery is worth, PYG-GAP-61).

use crate::codes::{Good, Kind};
use crate::event::travel::Obstacle;
use crate::event::war::War;
use crate::intake;
use crate::month::{self, Month, MonthTurn};
use crate::movement;
use crate::order::{Move, Order, Portion, Receiver, Strength};
use crate::rule;
use crate::state::{Army, ArmyId, ArmyName, Load, Points, State};
use crate::tables::Tables;
use crate::trade_cities;
use crate::treasury::{self, Price};
use kernel::diagnostic::{Diagnostic, Span, Spanned};
use kernel::hex::FieldIndex;
use kernel::ratio::{Rounding, div};
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::Cause;
use std::collections::BTreeMap;

const STEP: &str = "unload";

/// `HAENDLER`: in an own trade city, one per 25 stored points, at least 1, at most 5; free of charge.
///
/// PYG-TRDR-01, -02, -05, PYG-GAP-60.
pub fn raise(turn: &mut MonthTurn<'_>, month: &mut Month) {
    for (realm, order) in month::orders(turn) {
        let Order::Trader { unit, town } = &order.value else {
            continue;
        };
        let id = unit.value.of(realm);
        if turn.state.armies.contains_key(&id) || id.kind() != Kind::Trader {
            let finding = intake::wrong_name(&turn.state, unit.span, id, &[rule::TRDR_01, rule::GAP_67]);
            turn.refuse(realm, finding);
            continue;
        }
        let field = turn.state.field_at(town.value);
        let Some(field) = field.filter(|field| is_own_trade_city(&turn.state, realm, *field)) else {
            let finding = Diagnostic::error("E_PLACE", town.span, &[rule::GAP_60]).with_word("fit", "fit-trade-city");
            turn.refuse(realm, finding.with("field", town.value.to_string()));
            continue;
        };
        let stock = turn.state.realms.get(&realm).map_or(0, |own| own.stock.total());
        let allowed = allowed(turn.tables, stock);
        let existing = turn.state.armies_of(realm).filter(|(id, _)| id.kind() == Kind::Trader);
        let would_be = i64::try_from(existing.count()).unwrap_or(i64::MAX).saturating_add(1);
        if would_be > allowed {
            let finding = Diagnostic::error("E_LIMIT", unit.span, &[rule::TRDR_02, rule::GAP_60]);
            turn.refuse(realm, finding.with("n", would_be).with("max", allowed));
            continue;
        }
        let price = Price::new(turn.tables.trader.cost, &[rule::TRDR_05]);
        if !treasury::spend(turn, month, realm, order.span, price) {
            continue;
        }
        let mut trader = Army::new(0, field);
        trader.raised = month.step;
        month.add(&mut turn.state, id, trader);
        let rules = &[rule::TRDR_01, rule::TRDR_02, rule::TRDR_05, rule::GAP_60][..];
        let what = War::TraderRaised { trader: id, field };
        month.emit(turn, Cause::Order(realm, order.span), rules, &[], what);
    }
}

/// Traders that a realm may have with so many stored points (PYG-TRDR-02).
pub fn allowed(tables: &Tables, stock: i64) -> i64 {
    let figures = &tables.trader;
    let by_stock = div(stock, figures.stock_per_trader, Rounding::Down).unwrap_or(0);
    by_stock.max(figures.min).min(figures.max)
}

fn is_own_trade_city(state: &State, realm: RealmId, field: FieldIndex) -> bool {
    let here = state.field(field);
    here.owner == realm && trade_cities::is_trade_city(state, field)
}

/// The field itself, then those around it.
fn here_and_around(state: &State, field: FieldIndex) -> impl Iterator<Item = FieldIndex> + use<> {
    let around = state.chart.neighbours(field).map(|(_, field)| field);
    std::iter::once(field).chain(around)
}

/// `LADE`, and the goods under *Stärke* that a trader does not carry yet: at or next to an own trade city, from the stock.
///
/// PYG-TRDR-03, -08, PYG-GAP-60.
pub fn load(turn: &mut MonthTurn<'_>, month: &mut Month) {
    note_markets(turn, month);
    let mut rows: BTreeMap<ArmyId, (&Move, Span)> = BTreeMap::new();
    for (realm, order) in month::orders(turn) {
        match &order.value {
            Order::Load { trader, goods } => {
                let Some(id) = own_trader(turn, realm, trader) else {
                    continue;
                };
                let wanted = sum(goods);
                let rules = &[rule::TRDR_03, rule::GAP_60][..];
                take_aboard(turn, month, id, order.span, &wanted, goods, rules);
            }
            // A later row for the same trader replaces an earlier one (PYG-GAP-67).
            Order::Move(row) if row.unit.value.kind == Kind::Trader => {
                rows.insert(row.unit.value.of(realm), (row, order.span));
            }
            _ => {}
        }
    }
    for (id, (row, span)) in rows {
        let Some(Spanned {
            value: Strength::Goods(goods),
            ..
        }) = &row.strength
        else {
            continue;
        };
        if !agree(turn, month, id, span, goods) {
            // What it shall carry it does not have: the row is refused whole.
            let plan = month.plan_mut(id);
            plan.route.clear();
            plan.path.clear();
            plan.deliver = None;
        }
    }
}

/// Notes the towns of realms to which orders send traders, as their rulers know them before the march.
fn note_markets(turn: &MonthTurn<'_>, month: &mut Month) {
    let lines = month::orders(turn)
        .into_iter()
        .filter_map(|(realm, order)| match &order.value {
            Order::Unload { to, .. } => Some((realm, to.value)),
            _ => None,
        });
    let rows = month
        .plans()
        .filter_map(|(id, plan)| Some((id.realm, plan.deliver.as_ref()?.value?)));
    let is_market = |realm: RealmId, field: FieldIndex| {
        let own = turn.state.realms.get(&realm);
        let known = own.and_then(|own| own.knowledge.get(&field)).map(|known| known.glimpse);
        let kind = known.and_then(|glimpse| glimpse.settlement);
        kind.is_some_and(|kind| turn.tables.settling.towns.contains(&kind))
            && known.is_some_and(|glimpse| glimpse.owner.is_played())
    };
    let markets = lines.chain(rows).filter_map(|(realm, receiver)| match receiver {
        Receiver::Town(place) => Some((realm, turn.state.field_at(place)?)),
        Receiver::Trader(_) => None,
    });
    month.markets = markets.filter(|(realm, field)| is_market(*realm, *field)).collect();
}

/// The load under *Stärke* must be aboard, or be taken from the stock before the move (PYG-TRDR-08).
fn agree(turn: &mut MonthTurn<'_>, month: &Month, id: ArmyId, span: Span, goods: &[Portion]) -> bool {
    let Some(trader) = turn.state.armies.get(&id) else {
        // Reading the moves has refused it.
        return true;
    };
    let told = sum(goods);
    let aboard = cargo(&trader.load);
    let mut missing = Points::default();
    for good in Good::ALL.iter().copied() {
        if aboard[good] > told[good] {
            let at = goods.iter().find(|portion| portion.good.value == good);
            let span = at.map_or(span, |portion| portion.points.span);
            let finding = Diagnostic::error("E_STOCK", span, &[rule::TRDR_08, rule::GAP_71]);
            turn.refuse(id.realm, finding.with("max", aboard[good]));
            return false;
        }
        missing[good] = told[good].saturating_sub(aboard[good]);
    }
    if missing.total() == 0 {
        return true;
    }
    let rules = &[rule::TRDR_03, rule::TRDR_08, rule::GAP_60][..];
    take_aboard(turn, month, id, span, &missing, goods, rules)
}

fn own_trader(turn: &mut MonthTurn<'_>, realm: RealmId, unit: &Spanned<ArmyName>) -> Option<ArmyId> {
    let id = unit.value.of(realm);
    if turn.state.armies.contains_key(&id) && id.kind() == Kind::Trader {
        return Some(id);
    }
    let finding = intake::wrong_unit(&turn.state, unit.span, id, &[rule::TRDR_01, rule::GAP_67]);
    turn.refuse(realm, finding);
    None
}

/// Points of a list of goods.
fn sum(goods: &[Portion]) -> Points {
    let mut points = Points::default();
    for portion in goods {
        let good = portion.good.value;
        points[good] = points[good].saturating_add(portion.points.value);
    }
    points
}

/// What a trader carries, whatever its origin.
pub fn cargo(load: &[Load]) -> Points {
    let mut points = Points::default();
    for load in load {
        points[load.good] = points[load.good].saturating_add(load.points);
    }
    points
}

/// Takes goods from the stock aboard, or refuses the whole order.
fn take_aboard(
    turn: &mut MonthTurn<'_>,
    month: &Month,
    id: ArmyId,
    span: Span,
    wanted: &Points,
    written: &[Portion],
    rules: &'static [RuleId],
) -> bool {
    let realm = id.realm;
    let Some((field, aboard)) = turn.state.armies.get(&id).map(|army| (army.field, army.load_points())) else {
        return false;
    };
    if !here_and_around(&turn.state, field).any(|field| is_own_trade_city(&turn.state, realm, field)) {
        let finding = Diagnostic::error("E_PLACE", span, &[rule::GAP_60]).with_word("fit", "fit-loading");
        turn.refuse(realm, finding.with("field", turn.state.place(field).to_string()));
        return false;
    }
    if let Some(portion) = written.iter().find(|portion| portion.points.value < 1) {
        let finding = Diagnostic::error("E_MIN", portion.points.span, &[rule::TRDR_03]);
        turn.refuse(realm, finding.with("n", portion.points.value).with("min", 1_i64));
        return false;
    }
    let capacity = turn.tables.trader.capacity;
    let would_be = aboard.saturating_add(wanted.total());
    if would_be > capacity {
        let finding = Diagnostic::error("E_CAPACITY", span, &[rule::TRDR_03]);
        turn.refuse(realm, finding.with("n", would_be).with("max", capacity));
        return false;
    }
    let stock = turn.state.realms.get(&realm).map(|own| own.stock).unwrap_or_default();
    if let Some((good, _)) = wanted.iter().find(|(good, points)| *points > stock[*good]) {
        let at = written.iter().find(|portion| portion.good.value == good);
        let span = at.map_or(span, |portion| portion.points.span);
        let finding = Diagnostic::error("E_STOCK", span, &[rule::TRDR_08, rule::GAP_57]);
        turn.refuse(realm, finding.with("max", stock[good]));
        return false;
    }
    if let Some(own) = turn.state.realms.get_mut(&realm) {
        for (good, points) in wanted.iter() {
            own.stock[good] = own.stock[good].saturating_sub(points);
        }
    }
    if let Some(trader) = turn.state.armies.get_mut(&id) {
        for (good, points) in wanted.iter() {
            let load = Load {
                origin: realm,
                good,
                points,
            };
            stow(&mut trader.load, load);
        }
    }
    let what = War::Loaded {
        trader: id,
        goods: *wanted,
    };
    month.emit(turn, Cause::Order(realm, span), rules, &[], what);
    true
}

/// Puts a load beside what is there; goods of one origin are one entry.
fn stow(hold: &mut Vec<Load>, load: Load) {
    let same = hold
        .iter_mut()
        .find(|entry| entry.origin == load.origin && entry.good == load.good);
    match same {
        Some(entry) => entry.points = entry.points.saturating_add(load.points),
        None => {
            hold.push(load);
            hold.sort_unstable();
        }
    }
}

/// `LOESCHE`, and deliveries behind a move: to own traders and to towns on the same or an adjacent field.
///
/// PYG-TRDR-07, PYG-TRADE-01, PYG-GAP-61.
pub fn unload(turn: &mut MonthTurn<'_>, month: &mut Month) {
    for (realm, order) in month::orders(turn) {
        let Order::Unload { trader, to, goods } = &order.value else {
            continue;
        };
        if month.has_fallen(&turn.state, trader.value.of(realm)) {
            // It was lost on the way: that is told, and no mistake of the order.
            continue;
        }
        let Some(id) = own_trader(turn, realm, trader) else {
            continue;
        };
        hand_over(turn, month, id, to, goods, order.span);
    }
    let traders: Vec<ArmyId> = turn
        .state
        .armies
        .keys()
        .copied()
        .filter(|id| id.kind() == Kind::Trader)
        .collect();
    for id in traders {
        let Some(deliver) = month.plan_mut(id).deliver.take() else {
            continue;
        };
        if month.plan(id).is_some_and(|plan| plan.stopped) {
            // It did not arrive: that is told, and no mistake of the order.
            continue;
        }
        let receiver = deliver.value.or_else(|| nearest_town(turn.tables, &turn.state, id));
        match receiver {
            Some(value) => {
                let span = deliver.span;
                let line = month.plan(id).and_then(|plan| plan.line).unwrap_or(span);
                hand_over(turn, month, id, &Spanned { span, value }, &[], line);
            }
            None => {
                let place = turn
                    .state
                    .armies
                    .get(&id)
                    .map(|army| turn.state.place(army.field).to_string());
                let finding =
                    Diagnostic::error("E_PLACE", deliver.span, &[rule::TRDR_07]).with_word("fit", "fit-delivery");
                turn.refuse(id.realm, finding.with("field", place.unwrap_or_default()));
            }
        }
    }
}

/// Without a word on where: the town on its field, else the first trade city around it, else the first town.
fn nearest_town(tables: &Tables, state: &State, id: ArmyId) -> Option<Receiver> {
    let field = state.armies.get(&id)?.field;
    let mut towns: Vec<FieldIndex> = here_and_around(state, field)
        .filter(|field| state.field(*field).town(tables).is_some())
        .collect();
    towns.sort_by_key(|town| (*town != field, !trade_cities::is_trade_city(state, *town), *town));
    towns.first().map(|town| Receiver::Town(state.place(*town)))
}

fn hand_over(
    turn: &mut MonthTurn<'_>,
    month: &mut Month,
    id: ArmyId,
    to: &Spanned<Receiver>,
    goods: &[Portion],
    line: Span,
) {
    let Some(from) = turn.state.armies.get(&id).map(|army| army.field) else {
        return;
    };
    let near = |field: FieldIndex| turn.state.chart.distance(from, field) <= 1;
    match to.value {
        Receiver::Trader(name) => {
            let other = name.of(id.realm);
            if month.has_fallen(&turn.state, other) {
                return;
            }
            let there = turn.state.armies.get(&other).map(|army| army.field);
            let is_trader = other.kind() == Kind::Trader && other != id;
            let Some(there) = there.filter(|_| is_trader) else {
                let finding = intake::wrong_unit(&turn.state, to.span, other, &[rule::TRDR_07, rule::GAP_67]);
                turn.refuse(id.realm, finding);
                return;
            };
            if !near(there) && (month.was_stopped(id) || month.was_stopped(other)) {
                return;
            }
            if !near(there) {
                refuse_place(turn, id.realm, to.span, there);
                return;
            }
            to_trader(turn, month, (id, other), goods, to.span, line);
        }
        Receiver::Town(place) => {
            let there = turn.state.field_at(place).filter(|field| near(*field));
            let takes = |field: &FieldIndex| {
                let here = turn.state.field(*field);
                here.town(turn.tables).is_some() && here.owner.is_played()
            };
            match there {
                Some(field) if takes(&field) => to_town(turn, month, id, field, goods, line),
                // Catalogue 5.3: what nobody could know is found out on the way.
                Some(field) if month.markets.contains(&(id.realm, field)) => {
                    movement::stop(turn, month, id, Some(field), Obstacle::NoTown);
                }
                _ => {
                    let finding =
                        Diagnostic::error("E_PLACE", to.span, &[rule::TRDR_07]).with_word("fit", "fit-delivery");
                    turn.refuse(id.realm, finding.with("field", place.to_string()));
                }
            }
        }
    }
}

fn refuse_place(turn: &mut MonthTurn<'_>, realm: RealmId, span: Span, field: FieldIndex) {
    let finding = Diagnostic::error("E_PLACE", span, &[rule::TRDR_07]).with_word("fit", "fit-delivery");
    turn.refuse(realm, finding.with("field", turn.state.place(field).to_string()));
}

/// Takes goods out of a hold: those written, or everything. None if they are not there; the order is refused.
fn take_out(turn: &mut MonthTurn<'_>, id: ArmyId, goods: &[Portion], line: Span) -> Option<Vec<Load>> {
    let hold = turn.state.armies.get(&id)?.load.clone();
    if hold.is_empty() {
        let span = goods.first().map_or(line, |portion| portion.points.span);
        let finding = Diagnostic::error("E_STOCK", span, &[rule::TRDR_07, rule::TRDR_08]);
        turn.refuse(id.realm, finding.with("max", 0_i64));
        return None;
    }
    if goods.is_empty() {
        return Some(hold);
    }
    let (wanted, aboard) = (sum(goods), cargo(&hold));
    for portion in goods {
        let good = portion.good.value;
        if portion.points.value < 1 || wanted[good] > aboard[good] {
            let finding = Diagnostic::error("E_STOCK", portion.points.span, &[rule::TRDR_07, rule::TRDR_08]);
            turn.refuse(id.realm, finding.with("max", aboard[good]));
            return None;
        }
    }
    let mut rest = wanted;
    let mut taken = Vec::new();
    for load in hold {
        let points = load.points.min(rest[load.good]);
        if points > 0 {
            rest[load.good] = rest[load.good].saturating_sub(points);
            taken.push(Load { points, ..load });
        }
    }
    Some(taken)
}

fn remove_from(hold: &mut Vec<Load>, taken: &[Load]) {
    for load in taken {
        let same = |entry: &&mut Load| entry.origin == load.origin && entry.good == load.good;
        if let Some(entry) = hold.iter_mut().find(same) {
            entry.points = entry.points.saturating_sub(load.points);
        }
    }
    hold.retain(|load| load.points > 0);
}

fn to_trader(
    turn: &mut MonthTurn<'_>,
    month: &Month,
    (id, other): (ArmyId, ArmyId),
    goods: &[Portion],
    span: Span,
    line: Span,
) {
    let Some(taken) = take_out(turn, id, goods, line).filter(|taken| !taken.is_empty()) else {
        return;
    };
    let points = cargo(&taken);
    let capacity = turn.tables.trader.capacity;
    let would_be = turn.state.armies.get(&other).map_or(0, Army::load_points);
    let would_be = would_be.saturating_add(points.total());
    if would_be > capacity {
        let finding = Diagnostic::error("E_CAPACITY", span, &[rule::TRDR_03, rule::TRDR_07]);
        turn.refuse(id.realm, finding.with("n", would_be).with("max", capacity));
        return;
    }
    if let Some(army) = turn.state.armies.get_mut(&id) {
        remove_from(&mut army.load, &taken);
    }
    if let Some(army) = turn.state.armies.get_mut(&other) {
        for load in taken {
            stow(&mut army.load, load);
        }
    }
    let what = War::HandedOver {
        trader: id,
        to: other.name,
        goods: points,
    };
    let rules = &[rule::TRDR_07, rule::TRDR_03][..];
    month.emit(turn, Cause::Order(id.realm, line), rules, &[], what);
}

/// Goods come into a town. Foreign goods in a trade city are imports of its owner and credit for the city; anything else goes
/// into the stock of the town's realm.
///
/// PYG-TRDR-07, PYG-TRADE-01, -03, -04, PYG-GAP-61.
fn to_town(turn: &mut MonthTurn<'_>, month: &Month, id: ArmyId, field: FieldIndex, goods: &[Portion], line: Span) {
    let Some(taken) = take_out(turn, id, goods, line).filter(|taken| !taken.is_empty()) else {
        return;
    };
    if let Some(army) = turn.state.armies.get_mut(&id) {
        remove_from(&mut army.load, &taken);
    }
    let owner = turn.state.field(field).owner;
    let trades = trade_cities::is_trade_city(&turn.state, field);
    let (mut needed, mut others) = (0_i64, 0_i64);
    let wanted = trade_cities::needed_now(turn.tables, &turn.state, owner);
    if let Some(realm) = turn.state.realms.get_mut(&owner) {
        for load in &taken {
            if trades && load.origin != owner {
                realm.imports[load.good] = realm.imports[load.good].saturating_add(load.points);
                let account = if wanted.contains(&load.good) {
                    &mut needed
                } else {
                    &mut others
                };
                *account = account.saturating_add(load.points);
            } else {
                realm.stock[load.good] = realm.stock[load.good].saturating_add(load.points);
            }
        }
    }
    if let Some(town) = &mut turn.state.field_mut(field).settlement
        && let Some(trade) = &mut town.trade
    {
        trade.needed = trade.needed.saturating_add(needed);
        trade.others = trade.others.saturating_add(others);
    }
    let what = War::Delivered {
        trader: id,
        owner,
        field,
        goods: cargo(&taken),
        needed,
        others,
    };
    let mut rules = vec![rule::TRDR_07];
    if needed.saturating_add(others) > 0 {
        rules.extend([
            rule::TRDR_01,
            rule::TRADE_01,
            rule::TRADE_03,
            rule::TRADE_04,
            rule::GAP_61,
        ]);
    }
    let cause = match line {
        Span { line: 0, .. } => Cause::Step(STEP),
        line => Cause::Order(id.realm, line),
    };
    month.emit(turn, cause, rules, &[], what);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_trader_per_twenty_five_points_at_least_one_and_at_most_five() {
        let tables = Tables::book();
        let by_stock: Vec<i64> = [0, 24, 25, 49, 50, 74, 75, 124, 125, 1000]
            .iter()
            .map(|stock| allowed(&tables, *stock))
            .collect();
        assert_eq!(by_stock, [1, 1, 1, 1, 2, 2, 3, 4, 5, 5]);
    }

    #[test]
    fn goods_of_one_origin_are_one_entry() {
        let load = |origin, points| Load {
            origin: RealmId(origin),
            good: Good::Wine,
            points,
        };
        let mut hold = vec![load(1, 3)];
        stow(&mut hold, load(2, 4));
        stow(&mut hold, load(1, 5));
        assert_eq!(hold, [load(1, 8), load(2, 4)]);
        remove_from(&mut hold, &[load(1, 8), load(2, 1)]);
        assert_eq!(hold, [load(2, 3)]);
    }
}
