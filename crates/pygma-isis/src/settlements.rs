//! Settlements, towns, fortification (PYG-TOWN-01..09, PYG-FORT-01, -02, PYG-GAP-10..15).
//!
//! Part B. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// `SIEDLUNG`, `AUSBAU`.
pub fn build(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// `BEFESTIGE`.
pub fn fortify(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
