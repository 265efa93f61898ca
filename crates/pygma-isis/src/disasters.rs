//! Disasters (PYG-ROAD-08, PYG-GAP-63).
//!
//! Part B. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// Two in a hundred per realm and month.
pub fn strike(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
