//! Mines and pearls (PYG-MINE-01..08, PYG-GAP-53..55).
//!
//! Part B. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// Mines pay and run dry.
pub fn pay(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
