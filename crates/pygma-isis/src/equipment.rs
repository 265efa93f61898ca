//! Equipment (PYG-ATTR-02, -03, -08, PYG-GAP-51).
//!
//! Part C. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// `AUSRUESTUNG`.
pub fn buy(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
