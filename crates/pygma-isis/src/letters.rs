//! Messages and gifts between realms (PYG-GAME-10, PYG-ORD-10, PYG-GAP-69).

use crate::event::common::Common;
use crate::event::war::War;
use crate::month::{self, Month, MonthTurn};
use crate::order::Order;
use crate::rule;
use crate::state::{Acquaintance, Gift, State};
use crate::tables::policy::Gifts;
use crate::treasury::{self, Price};
use kernel::diagnostic::{Diagnostic, Span, Spanned};
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::Cause;
use std::collections::BTreeMap;

/// Gold that was sent last month arrives (PYG-GAP-69).
pub fn receive_gifts(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let realms: Vec<RealmId> = turn.state.realms.keys().copied().collect();
    for realm in realms {
        let Some(own) = turn.state.realms.get_mut(&realm) else {
            continue;
        };
        for Gift { from, gold } in std::mem::take(&mut own.gifts) {
            if let Some(own) = turn.state.realms.get_mut(&realm) {
                own.treasury = own.treasury.saturating_add(gold);
            }
            let what = War::GiftReceived { realm, from, gold };
            month.emit(turn, Cause::Step("receive-gifts"), &[rule::GAP_69][..], &[], what);
        }
    }
}

/// `ZAHLE`: to realms whose name is known; the gold arrives next month.
///
/// PYG-GAP-08, PYG-GAP-69.
pub fn send_gifts(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let mut quota = Quota::new(turn.tables.letters.messages_per_sheet);
    for (from, order) in month::orders(turn) {
        let Order::Gift { realm, gold } = &order.value else {
            continue;
        };
        if turn.tables.letters.gifts == Gifts::Never {
            turn.refuse(from, Diagnostic::error("E_FORBIDDEN", order.span, &[rule::GAP_69]));
            continue;
        }
        let Some(to) = addressee(turn, from, realm) else {
            continue;
        };
        if gold.value < 1 {
            let finding = Diagnostic::error("E_MIN", gold.span, &[rule::GAP_69]);
            turn.refuse(from, finding.with("n", gold.value).with("min", 1_i64));
            continue;
        }
        if !quota.grants(turn, from, order.span, &[rule::GAP_69])
            || !treasury::spend(turn, month, from, gold.span, Price::new(gold.value, &[rule::GAP_69]))
        {
            continue;
        }
        let gold = gold.value;
        introduce(&mut turn.state, from, to);
        if let Some(receiver) = turn.state.realms.get_mut(&to) {
            receiver.gifts.push(Gift { from, gold });
        }
        let rules = &[rule::GAP_08, rule::GAP_69][..];
        let what = War::GiftSent { from, to, gold };
        month.emit(turn, Cause::Order(from, order.span), rules, &[], what);
    }
}

/// `NACHRICHT`: to realms whose name is known, under the realm's name.
///
/// PYG-GAME-10, PYG-ORD-10, PYG-GAP-69.
pub fn deliver(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let mut quota = Quota::new(turn.tables.letters.messages_per_sheet);
    for (from, order) in month::orders(turn) {
        let Order::Message { realm, text } = &order.value else {
            continue;
        };
        let Some(to) = addressee(turn, from, realm) else {
            continue;
        };
        if !quota.grants(turn, from, order.span, &[rule::GAP_69]) {
            continue;
        }
        introduce(&mut turn.state, from, to);
        let what = Common::MessageSent {
            from,
            to,
            text: text.value.clone(),
        };
        let rules = &[rule::GAME_10, rule::ORD_10, rule::GAP_69][..];
        month.emit(turn, Cause::Order(from, order.span), rules, &[], what);
    }
}

/// How many orders of one kind each realm has given this month: nobody is buried under the words of a single sheet.
pub(crate) struct Quota {
    max: usize,
    given: BTreeMap<RealmId, usize>,
}

impl Quota {
    /// So many of every realm.
    pub(crate) const fn new(max: usize) -> Self {
        Self {
            max,
            given: BTreeMap::new(),
        }
    }

    /// Whether a realm may give one more; otherwise that is refused where it stands.
    pub(crate) fn grants(&mut self, turn: &mut MonthTurn<'_>, realm: RealmId, at: Span, rules: &[RuleId]) -> bool {
        let given = self.given.entry(realm).or_default();
        *given = given.saturating_add(1);
        if *given <= self.max {
            return true;
        }
        let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let finding = Diagnostic::error("E_LIMIT", at, rules);
        turn.refuse(realm, finding.with("n", number(*given)).with("max", number(self.max)));
        false
    }
}

/// The realm that is meant, or the order is refused.
fn addressee(turn: &mut MonthTurn<'_>, from: RealmId, name: &Spanned<String>) -> Option<RealmId> {
    let to = known_realm(&turn.state, from, &name.value);
    if to.is_none() {
        let is_self = is_called(&turn.state, from, &name.value);
        let code = if is_self { "E_SELF" } else { "E_UNKNOWN" };
        let finding = Diagnostic::error(code, name.span, &[rule::GAP_69]);
        turn.refuse(from, finding.with("name", name.value.as_str()));
    }
    to
}

/// Whoever gets a letter or gold learns the name of the realm that sent it, not that of its player.
fn introduce(state: &mut State, from: RealmId, to: RealmId) {
    if let Some(receiver) = state.realms.get_mut(&to) {
        let known = receiver.met.entry(from).or_default();
        *known = (*known).max(Acquaintance::Realm);
    }
}

/// The realm that a player means by a name that he knows: upper and lower case and umlauts are equal.
pub fn known_realm(state: &State, realm: RealmId, name: &str) -> Option<RealmId> {
    let mut known = state.realms.keys().filter(|id| state.knows(realm, **id));
    known.find(|id| is_called(state, **id, name)).copied()
}

/// Whether a realm has this name, however it is written.
fn is_called(state: &State, realm: RealmId, name: &str) -> bool {
    let named = state.realms.get(&realm);
    named.is_some_and(|realm| crate::codes::plain(&realm.name) == crate::codes::plain(name))
}
