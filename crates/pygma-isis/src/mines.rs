//! Mines and pearls (PYG-MINE-01..08, PYG-GAP-53..55).
//!
//! Part B. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;

/// Mines pay and run dry.
pub fn pay(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// Looks for a mine under a field that has joined `realm`, unless somebody has looked before.
///
/// PYG-MINE-01..06, PYG-GAP-55. Called by [`crate::annexation`].
pub fn search(_turn: &mut MonthTurn<'_>, _month: &mut Month, _field: FieldIndex, _realm: RealmId) {}
