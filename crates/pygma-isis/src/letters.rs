//! Messages and gifts between realms (PYG-GAME-10, PYG-ORD-10, PYG-GAP-69).
//!
//! Part C. Gifts are not written yet: their steps do nothing.

use crate::event::common::Common;
use crate::month::{self, Month, MonthTurn};
use crate::order::Order;
use crate::rule;
use crate::state::State;
use kernel::diagnostic::Diagnostic;
use kernel::realm::RealmId;
use kernel::turn::Cause;

/// Gold that was sent last month arrives.
pub fn receive_gifts(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// `ZAHLE`.
pub fn send_gifts(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// `NACHRICHT`: to realms whose name is known, under the realm's name.
///
/// PYG-GAME-10, PYG-ORD-10, PYG-GAP-69.
pub fn deliver(turn: &mut MonthTurn<'_>, month: &mut Month) {
    for (from, order) in month::orders(turn) {
        let Order::Message { realm, text } = &order.value else {
            continue;
        };
        let Some(to) = known_realm(&turn.state, from, &realm.value) else {
            let finding = Diagnostic::error("E_UNKNOWN", realm.span, &[rule::GAP_69]);
            turn.refuse(from, finding.with("name", realm.value.as_str()));
            continue;
        };
        let what = Common::MessageSent {
            from,
            to,
            text: text.value.clone(),
        };
        let rules = &[rule::GAME_10, rule::ORD_10, rule::GAP_69][..];
        month.emit(turn, Cause::Order(from, order.span), rules, &[], what);
    }
}

/// The realm that a player means by a name that he knows: upper and lower case and umlauts are equal.
pub fn known_realm(state: &State, realm: RealmId, name: &str) -> Option<RealmId> {
    let wanted = crate::codes::plain(name);
    let mut known = state.realms.iter().filter(|(id, _)| state.knows(realm, **id));
    known
        .find(|(_, other)| crate::codes::plain(&other.name) == wanted)
        .map(|(id, _)| *id)
}
