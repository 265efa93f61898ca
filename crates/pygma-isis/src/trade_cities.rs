//! Trade cities and what trade brings them (PYG-TCIT-01, -02, PYG-TRADE-01..07, PYG-GAP-18, PYG-GAP-61).
//!
//! Part B. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// `HANDELSSTADT`; cities above the limit lose their rank.
pub fn name(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// Extra tax of the half-year; a third counts again.
pub fn settle(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
