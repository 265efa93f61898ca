//! Growing populations (PYG-POP-01..05, PYG-GAP-16).
//!
//! Part B. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// `WACHSTUM`.
pub fn grow(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
