//! Income (PYG-INC-01..07, PYG-PLAG-02, PYG-GAP-06, PYG-GAP-11).
//!
//! Part B. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// Taxes and land.
pub fn collect(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
