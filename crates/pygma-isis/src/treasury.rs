//! Pay, reserve, administration (PYG-COST-01..03, PYG-ADM-01, -02, PYG-GAP-08, PYG-GAP-09, PYG-GAP-50).
//!
//! Part B. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// Sets aside pay, hygiene and administration.
pub fn reserve(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// Pays all armies, or those that the treasury can pay.
pub fn pay(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// Administration cost of the mobile armies.
pub fn administer(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
