//! Meetings and what orders reveal (PYG-ORD-01, -02, -04..07, PYG-GAP-37, PYG-GAP-39, PYG-SEE-04).
//!
//! Part A. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// Armies on one field learn who the others are; owners learn that somebody entered.
pub fn meet(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
