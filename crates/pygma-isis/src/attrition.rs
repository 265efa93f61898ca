//! Losses by difficult terrain (PYG-ATTR-01..08, PYG-GAP-51, PYG-GAP-64).
//!
//! Part C. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// Armies that entered difficult terrain in this tick lose men.
pub fn suffer(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
