//! Stationary armies (PYG-STAT-01..04, PYG-GAP-49).
//!
//! Part C. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// Stationing ends at the next arming month.
pub fn release(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// `STATIONIERE`.
pub fn station(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
