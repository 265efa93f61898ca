//! What came in (PYG-GAP-67, PYG-GAP-68). Part A: turning moves into plans is not written yet.

use crate::event::common::Common;
use crate::grammar::{Verb, When};
use crate::month::{self, Month, MonthTurn};
use crate::rule;
use kernel::diagnostic::Diagnostic;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::Cause;

/// Who sent a sheet, and who did not.
pub fn read_orders(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let playing: Vec<RealmId> = turn.state.playing().collect();
    for realm in playing {
        let sent = turn.input.orders.get(&realm).map(|parsed| parsed.orders.len());
        let Some(own) = turn.state.realms.get_mut(&realm) else {
            continue;
        };
        own.missed = if sent.is_some() {
            0
        } else {
            own.missed.saturating_add(1)
        };
        let what = match sent {
            Some(orders) => Common::OrdersRead {
                realm,
                orders: u32::try_from(orders).unwrap_or(u32::MAX),
            },
            None => Common::OrdersMissing {
                realm,
                in_a_row: own.missed,
            },
        };
        month.emit(turn, Cause::Step("read-orders"), &[rule::GAP_68][..], &[], what);
    }
    refuse_out_of_season(turn);
}

/// Expenses of an arming month are refused in the others.
///
/// PYG-TIME-03, PYG-TOWN-04, PYG-ARM-01, PYG-GAP-08.
fn refuse_out_of_season(turn: &mut MonthTurn<'_>) {
    if turn.tables.is_arming(turn.state.step) {
        return;
    }
    for (realm, order) in month::sent(turn) {
        let rules: &[RuleId] = match order.value.verb() {
            verb if verb.when() == When::Always => continue,
            Verb::Found | Verb::Upgrade | Verb::Grow | Verb::Fortify => &[rule::TIME_03, rule::TOWN_04, rule::GAP_08],
            Verb::Raise => &[rule::TIME_03, rule::ARM_01, rule::GAP_08],
            _ => &[rule::TIME_03, rule::GAP_08],
        };
        turn.refuse(realm, Diagnostic::error("E_MONTH", order.span, rules));
    }
}
