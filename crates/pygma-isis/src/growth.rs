//! Growth of settlements (PYG-POP-04, -05, PYG-GAP-16). Part B.

use crate::event::economy::Affair;
use crate::month::{self, Month, MonthTurn};
use crate::order::Order;
use crate::rule;
use crate::settlements::{own_field, wrong_place};
use crate::treasury::{self, Price};
use kernel::diagnostic::Diagnostic;
use kernel::turn::Cause;

/// `WACHSTUM`: population points for gold.
///
/// PYG-POP-04, PYG-GAP-16: only if supply reached demand at the last income month; PYG-LUX-04: not without luxury goods. PYG-POP-05:
/// 10,000 GS per point.
pub fn grow(turn: &mut MonthTurn<'_>, month: &mut Month) {
    for (realm, order) in month::orders(turn) {
        let Order::Grow { field: place, points } = &order.value else {
            continue;
        };
        let tables = turn.tables;
        let Some(field) = own_field(turn, realm, place, &[rule::POP_04]) else {
            continue;
        };
        let Some(town) = turn.state.field(field).settlement.as_deref() else {
            wrong_place(turn, realm, place, "fit-settlement", &[rule::POP_04]);
            continue;
        };
        if points.value < 1 {
            let finding = Diagnostic::error("E_MIN", points.span, &[rule::POP_05]);
            turn.refuse(realm, finding.with("n", points.value).with("min", 1_i64));
            continue;
        }
        let cap = tables.settling.growth_cap_factor * tables.settlement[town.kind].population;
        let grown = town.grown.saturating_add(points.value);
        if tables.settling.growth_cap_factor > 0 && grown > cap {
            let finding = Diagnostic::error("E_MAX", points.span, &[rule::GAP_16]);
            turn.refuse(realm, finding.with("n", grown).with("max", cap));
            continue;
        }
        let statement = turn.state.realms.get(&realm).and_then(|own| own.statement.as_ref());
        if statement.is_some_and(|statement| !statement.luxury_met) {
            let finding = Diagnostic::error("E_LUXURY", place.span, &[rule::LUX_04, rule::GAP_59]);
            turn.refuse(realm, finding);
            continue;
        }
        if tables.settling.growth_needs_balance && !statement.is_some_and(|statement| statement.balanced) {
            let finding = Diagnostic::error("E_BALANCE", place.span, &[rule::POP_04, rule::GAP_16]);
            turn.refuse(realm, finding);
            continue;
        }
        let cost = points.value.saturating_mul(tables.settling.growth_cost);
        if !treasury::spend(turn, month, realm, order.span, Price::new(cost, &[rule::POP_05])) {
            continue;
        }
        if let Some(town) = turn.state.field_mut(field).settlement.as_deref_mut() {
            town.grown = grown;
        }
        let what = Affair::SettlementGrew {
            field: place.value,
            points: points.value,
            n: cost,
        };
        let rules = &[rule::POP_04, rule::POP_05, rule::GAP_16][..];
        month.emit(turn, Cause::Order(realm, order.span), rules, &[], what.of(realm));
    }
}
