//! Combat (PYG-FIGHT-01..10, PYG-GAP-41..48, PYG-TOWN-02, PYG-GAP-17).
//!
//! Part C. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// Every field on which somebody attacks.
pub fn fight(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
