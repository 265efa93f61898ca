//! Promoted production (PYG-PROM-01, -02, PYG-GAP-56).
//!
//! Part B. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// `FOERDERE`.
pub fn promote(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
