//! Pay, reserve, administration (PYG-COST-01..03, PYG-ADM-01, -02, PYG-GAP-08, PYG-GAP-09, PYG-GAP-50).
//!
//! Part B. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};
use crate::rule;
use kernel::diagnostic::{Diagnostic, Span};
use kernel::realm::RealmId;

/// Sets aside pay, hygiene and administration.
pub fn reserve(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// Pays all armies, or those that the treasury can pay.
pub fn pay(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// Administration cost of the mobile armies.
pub fn administer(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// What a realm may spend on anything optional: its treasury less what is set aside for pay, hygiene and administration.
///
/// PYG-GAP-09.
pub fn free(turn: &MonthTurn<'_>, month: &Month, realm: RealmId) -> i64 {
    let treasury = turn.state.realms.get(&realm).map_or(0, |own| own.treasury);
    let reserved = month.reserved.get(&realm).copied().unwrap_or(0);
    treasury.saturating_sub(reserved).max(0)
}

/// Pays an optional expense, or refuses the order that stands at `span`. Whether it was paid.
///
/// PYG-GAP-09: what would breach the reserve is refused.
pub fn spend(turn: &mut MonthTurn<'_>, month: &Month, realm: RealmId, span: Span, cost: i64) -> bool {
    let free = free(turn, month, realm);
    if cost > free {
        let finding = Diagnostic::error("E_GOLD", span, &[rule::GAP_09]);
        turn.refuse(realm, finding.with("n", cost).with("max", free));
        return false;
    }
    if let Some(own) = turn.state.realms.get_mut(&realm) {
        own.treasury = own.treasury.saturating_sub(cost);
    }
    true
}
