//! Trade cities and what trade brings them (PYG-TCIT-01, -02, PYG-TRADE-01..07, PYG-GAP-18, PYG-GAP-61). Part B.

use crate::chart::Place;
use crate::codes::Good;
use crate::event::economy::Affair;
use crate::month::{self, Month, MonthTurn};
use crate::order::Order;
use crate::rule;
use crate::settlements::{own_field, wrong_place};
use crate::state::{State, TradeCity};
use crate::supply;
use crate::tables::policy::{Excess, NeededAt, Third};
use crate::tables::{Tables, Trade};
use crate::treasury;
use kernel::diagnostic::{Diagnostic, Span, Spanned};
use kernel::hex::FieldIndex;
use kernel::ratio::{Rounding, div};
use kernel::realm::RealmId;
use kernel::turn::Cause;

/// `HANDELSSTADT` and `HANDELSSTADT ENDE`, in the order written.
///
/// PYG-TCIT-01: any town. PYG-TCIT-02: so many by the size of the realm. PYG-GAP-18: at once, free.
pub fn name(turn: &mut MonthTurn<'_>, month: &mut Month) {
    for (realm, order) in month::orders(turn) {
        if let Order::TradeCity { field, end } = &order.value {
            if *end {
                end_one(turn, month, realm, order.span, field);
            } else {
                name_one(turn, month, realm, order.span, field);
            }
        }
    }
}

fn end_one(turn: &mut MonthTurn<'_>, month: &Month, realm: RealmId, line: Span, place: &Spanned<Place>) {
    let Some(field) = own_field(turn, realm, place, &[rule::GAP_18]) else {
        return;
    };
    if !is_trade_city(&turn.state, field) {
        return wrong_place(turn, realm, place, "fit-trade-city", &[rule::GAP_18]);
    }
    set_trade(&mut turn.state, field, None);
    let what = Affair::TradeCityEnded { field: place.value };
    let rules = &[rule::TCIT_01, rule::GAP_18][..];
    month.emit(turn, Cause::Order(realm, line), rules, &[], what.of(realm));
}

fn name_one(turn: &mut MonthTurn<'_>, month: &Month, realm: RealmId, line: Span, place: &Spanned<Place>) {
    let rules = &[rule::TCIT_01, rule::TOWN_09, rule::GAP_10];
    let Some(field) = own_field(turn, realm, place, rules) else {
        return;
    };
    if turn.state.field(field).town(turn.tables).is_none() || is_trade_city(&turn.state, field) {
        return wrong_place(turn, realm, place, "fit-new-trade-city", rules);
    }
    let max = limit(turn.tables, land_size(&turn.state, realm));
    let cities = i64::try_from(cities(&turn.state, realm).len()).unwrap_or(i64::MAX);
    if cities >= max {
        let finding = Diagnostic::error("E_LIMIT", place.span, &[rule::TCIT_02]);
        return turn.refuse(realm, finding.with("n", cities.saturating_add(1)).with("max", max));
    }
    let trade = TradeCity {
        named: month.step,
        ..TradeCity::default()
    };
    set_trade(&mut turn.state, field, Some(trade));
    let what = Affair::TradeCityNamed { field: place.value };
    let rules = &[rule::TCIT_01, rule::TCIT_02, rule::TOWN_09, rule::GAP_18][..];
    month.emit(turn, Cause::Order(realm, line), rules, &[], what.of(realm));
}

/// If a realm has shrunk, the latest named trade cities lose their rank with their carried third (PYG-TCIT-02, PYG-GAP-18).
pub fn drop_excess(turn: &mut MonthTurn<'_>, month: &mut Month) {
    if turn.tables.trade_city.excess == Excess::Keep {
        return;
    }
    let realms: Vec<RealmId> = turn.state.playing().collect();
    for realm in realms {
        let max = limit(turn.tables, land_size(&turn.state, realm));
        let mut cities = cities(&turn.state, realm);
        cities.sort_unstable();
        while i64::try_from(cities.len()).unwrap_or(i64::MAX) > max {
            let Some((_, field)) = cities.pop() else { break };
            set_trade(&mut turn.state, field, None);
            let place = turn.state.place(field);
            let what = Affair::TradeCityLost { field: place };
            let rules = &[rule::TCIT_02, rule::GAP_18][..];
            month.emit(turn, Cause::Step("drop-trade-cities"), rules, &[], what.of(realm));
        }
    }
}

/// Trade cities that a realm of so many fields may have (T4).
pub fn limit(tables: &Tables, fields: i64) -> i64 {
    let limits = &tables.trade_city.limits;
    let line = limits.iter().find(|(most, _)| fields <= *most).or(limits.last());
    line.map_or(0, |(_, cities)| *cities)
}

fn land_size(state: &State, realm: RealmId) -> i64 {
    i64::try_from(state.land_of(realm).count()).unwrap_or(i64::MAX)
}

/// The trade cities of a realm: month of naming, field.
fn cities(state: &State, realm: RealmId) -> Vec<(u32, FieldIndex)> {
    let land = state.land_of(realm);
    land.filter_map(|(index, field)| Some((field.settlement.as_deref()?.trade?.named, index)))
        .collect()
}

fn set_trade(state: &mut State, field: FieldIndex, trade: Option<TradeCity>) {
    if let Some(town) = state.field_mut(field).settlement.as_deref_mut() {
        town.trade = trade;
    }
}

/// Whether goods can be traded there.
pub fn is_trade_city(state: &State, field: FieldIndex) -> bool {
    state
        .field(field)
        .settlement
        .as_deref()
        .is_some_and(|town| town.trade.is_some())
}

/// The goods that a realm needs most: those that are furthest below demand, without culture or what else the world leaves out; ties by number.
///
/// PYG-TRADE-03, PYG-GAP-61.
pub fn needed(tables: &Tables, difference: impl Fn(Good) -> i64) -> Vec<Good> {
    let mut goods: Vec<Good> = Good::main()
        .filter(|good| !tables.trade.never_needed.contains(good))
        .collect();
    goods.sort_by_key(|good| (difference(*good), *good));
    goods.truncate(usize::try_from(tables.trade.needed_goods).unwrap_or(0));
    goods
}

/// The goods that a realm needs now, for a delivery: as the last income month said, or by what it has today.
///
/// PYG-TRADE-03, PYG-GAP-61.
pub fn needed_now(tables: &Tables, state: &State, realm: RealmId) -> Vec<Good> {
    match tables.trade.needed_fixed_at {
        NeededAt::LastIncomeMonth => {
            let statement = state.realms.get(&realm).and_then(|own| own.statement.as_ref());
            statement.map_or_else(Vec::new, |statement| statement.needed.clone())
        }
        NeededAt::Delivery => {
            let population = supply::population(tables, state, realm);
            let inhabitants = population.saturating_mul(tables.settling.inhabitants_per_point);
            let (supply, demand) = (
                supply::supply(tables, state, realm),
                supply::demand(tables, inhabitants),
            );
            needed(tables, |good| supply[good] - demand[good])
        }
    }
}

/// Extra tax of a half-year and what counts again: `(paid, carried)`.
///
/// PYG-TRADE-05..07, PYG-GAP-61.
pub fn extra(trade: &Trade, city: &TradeCity) -> (i64, i64) {
    let whole = |n: i64, divisor: i64| div(n, divisor, Rounding::Down).unwrap_or(0);
    let others = whole(city.others, trade.other_points_per_gold);
    let needed = city.needed.saturating_mul(trade.gold_per_needed_point);
    let new = needed.saturating_add(others.saturating_mul(trade.gold_per_others));
    let extra = new.saturating_add(city.carried).min(trade.extra_max_per_town);
    let third = whole(extra, trade.carry_over_divisor);
    match trade.third {
        Third::Kept => (extra, third),
        Third::Deducted => (extra - third, third),
    }
}

/// Extra tax of the half-year; a third counts again. Then fields and settlements that paid nothing pay again from now on.
///
/// PYG-INC-05, PYG-TRADE-04..07, PYG-GAP-61, PYG-GAP-63.
pub fn settle(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let realms: Vec<RealmId> = turn.state.playing().collect();
    for realm in realms {
        let cities: Vec<FieldIndex> = cities(&turn.state, realm).into_iter().map(|(_, field)| field).collect();
        let mut sum = 0_i64;
        for field in cities {
            let Some(town) = turn.state.field(field).settlement.as_deref() else {
                continue;
            };
            let Some(city) = town.trade else { continue };
            let (paid, carried) = if town.pays_nothing {
                (0, 0)
            } else {
                extra(&turn.tables.trade, &city)
            };
            let next = TradeCity {
                named: city.named,
                carried,
                ..TradeCity::default()
            };
            set_trade(&mut turn.state, field, Some(next));
            sum = sum.saturating_add(paid);
            if paid > 0 {
                let what = Affair::TradeTaxed {
                    field: turn.state.place(field),
                    n: paid,
                    carried,
                };
                let rules = &[
                    rule::INC_05,
                    rule::TRADE_04,
                    rule::TRADE_05,
                    rule::TRADE_06,
                    rule::TRADE_07,
                    rule::GAP_61,
                ][..];
                month.emit(turn, Cause::Step("trade"), rules, &[], what.of(realm));
            }
        }
        treasury::credit(&mut turn.state, realm, sum);
        if let Some(statement) = turn.state.realms.get_mut(&realm).and_then(|own| own.statement.as_mut()) {
            statement.trade = sum;
        }
    }
    forgive(&mut turn.state);
}

/// What paid nothing this time pays again next time.
fn forgive(state: &mut State) {
    for field in &mut state.fields {
        field.pays_nothing = false;
        if let Some(town) = field.settlement.as_deref_mut() {
            town.pays_nothing = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_realm_has_a_trade_city_more_for_every_25_fields_up_to_five() {
        let tables = Tables::book();
        let limits = [1, 25, 26, 50, 51, 75, 76, 100, 101, 5000].map(|fields| limit(&tables, fields));
        assert_eq!(limits, [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
    }

    #[test]
    fn needed_points_pay_each_and_others_by_fives_up_to_25_000() {
        let trade = Tables::book().trade;
        let extra_of = |needed, others, carried| {
            let city = TradeCity {
                needed,
                others,
                carried,
                named: 0,
            };
            extra(&trade, &city)
        };
        assert_eq!(extra_of(0, 4, 0), (0, 0));
        assert_eq!(extra_of(0, 5, 0), (1000, 333));
        assert_eq!(extra_of(8, 9, 0), (9000, 3000));
        assert_eq!(extra_of(8, 9, 3000), (12_000, 4000));
        assert_eq!(extra_of(24, 0, 1000), (25_000, 8333));
        assert_eq!(extra_of(24, 0, 1001), (25_000, 8333));
        let deducted = Trade {
            third: Third::Deducted,
            ..trade
        };
        let city = TradeCity {
            needed: 9,
            ..TradeCity::default()
        };
        assert_eq!(extra(&deducted, &city), (6000, 3000));
    }

    #[test]
    fn needed_goods_are_the_three_shortest_without_culture_ties_by_number() {
        let tables = Tables::book();
        let short = |good: Good| match good {
            Good::Culture => -9,
            Good::Wine => -3,
            Good::Cloth => -1,
            Good::Wood | Good::Spice => 0,
            _ => 4,
        };
        assert_eq!(needed(&tables, short), [Good::Wine, Good::Cloth, Good::Spice]);
    }
}
