//! Absent players (PYG-GAP-68).
//!
//! Part C. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// After three missed months the game master is asked.
pub fn judge(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
