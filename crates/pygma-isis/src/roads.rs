//! Roads and bridges (PYG-ROAD-01..10, PYG-GAP-22).
//!
//! Part B. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// `STRASSE`, `BRUECKE`.
pub fn build(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
