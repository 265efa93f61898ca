//! Who is out, and the ranking (PYG-GAP-66).
//!
//! Part C. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// Realms without land and armies are out; in month 8 the score is told.
pub fn judge(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
