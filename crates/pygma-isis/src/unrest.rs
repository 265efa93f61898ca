//! Discontent and revolts (PYG-SUP-02, -03, PYG-GAP-17, PYG-GAP-58).
//!
//! Part B. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// Revolts by shortage.
pub fn stir(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
