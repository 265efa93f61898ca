//! Embarking and landing (PYG-SHIP-01..06, PYG-MOVE-07, PYG-GAP-30).
//!
//! Part A. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// Armies go aboard with their last step, and ashore once their fleet has arrived.
pub fn ship(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
