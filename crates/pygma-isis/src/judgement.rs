//! Judgements of the game master and other orders (PYG-ORD-08, -09, PYG-GAP-40, catalogue 5.5).
//!
//! Part C. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// Unasked judgements, in the order given.
pub fn decree(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// Other orders: asked, answered, told.
pub fn judge_others(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
