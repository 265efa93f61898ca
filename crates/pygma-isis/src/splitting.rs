//! Splitting, merging, converting, disbanding, sizes (PYG-MERG-01, -02, PYG-ARMY-05, -07..09, PYG-GAP-24, PYG-GAP-26, PYG-GAP-27).
//!
//! Part A. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// `TEILE`.
pub fn split(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// `VEREINE ... VORHER`.
pub fn merge_before(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// `UMFORMEN`.
pub fn convert(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// `AUFLOESEN`.
pub fn disband(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// `VEREINE`.
pub fn merge(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// Armies that are too small dissolve, those that are too large shrink.
pub fn check_sizes(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
