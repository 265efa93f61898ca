//! Marching: range, inside and outside, heights, mountains, rivers, roads and sea lanes, reefs (PYG-MOVE-01..11, PYG-GAP-05, PYG-GAP-23, PYG-GAP-28, PYG-GAP-29, PYG-GAP-31, PYG-GAP-32).
//!
//! Part A. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// Checks every planned move from what its player can know; a refused one stands still.
pub fn plan(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// One step of every army and trader that has one in this tick.
pub fn march(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
