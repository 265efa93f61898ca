//! Hygiene, plague, secession (PYG-HYG-01..05, PYG-PLAG-01..03, PYG-GAP-19, PYG-GAP-20).
//!
//! Part B. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// `HYGIENE`.
pub fn spend(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// One D20 per town.
pub fn break_out(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// Towns leave after long plagues.
pub fn secede(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
