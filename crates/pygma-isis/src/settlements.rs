//! Settlements, towns, fortification (PYG-TOWN-01..09, PYG-FORT-01, -02, PYG-GAP-10..15).
//!
//! Part B. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;

/// `SIEDLUNG`, `AUSBAU`.
pub fn build(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// `BEFESTIGE`.
pub fn fortify(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// A settlement has come to another realm: a capital becomes an ordinary town and half the treasury is lost, or it is restored.
///
/// PYG-TOWN-02, PYG-GAP-17. Called by [`crate::annexation`] behind the change of owner.
pub fn change_hands(_turn: &mut MonthTurn<'_>, _month: &mut Month, _field: FieldIndex, _from: RealmId, _to: RealmId) {}
