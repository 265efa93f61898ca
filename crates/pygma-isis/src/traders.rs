//! Traders (PYG-TRDR-01..08, PYG-GAP-60).
//!
//! Part C. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// `HAENDLER`.
pub fn raise(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// `LADE`.
pub fn load(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// `LOESCHE`, and deliveries behind a move.
pub fn unload(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
