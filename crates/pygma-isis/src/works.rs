//! Works (PYG-WORK-01..07, PYG-GAP-21).
//!
//! Part B. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// `BAU`.
pub fn build(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
