//! The order R (PYG-ORD-03, PYG-GAP-38).
//!
//! Part A. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// A moving army stops before a step that would bring it near strangers.
pub fn hold_back(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// A standing army leaves its field when strangers enter it.
pub fn give_way(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
