//! Raising armies (PYG-ARM-01..06, PYG-COST-02, PYG-PLAG-01, PYG-GAP-25).
//!
//! Part B. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// `RUESTE`.
pub fn raise(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
