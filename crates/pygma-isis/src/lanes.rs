//! Sea lanes (PYG-GAP-23).
//!
//! Part A. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// `SEEWEG`.
pub fn register(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
