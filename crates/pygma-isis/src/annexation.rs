//! Enlarging the realm, and giving land up (PYG-EXP-01..05, PYG-ARMY-06, PYG-GAP-35, PYG-GAP-36, PYG-GAP-59).
//!
//! Part A. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// Fields entered in this tick change hands.
pub fn annex(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// `AUFGEBEN`.
pub fn abandon(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
