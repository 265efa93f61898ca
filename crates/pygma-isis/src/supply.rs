//! Goods accounts and luxury (PYG-SUP-01, PYG-LUX-01..04, PYG-GAP-52, -53, -57, -59).
//!
//! Part B. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// Supply, demand, luxury, stock, needed goods.
pub fn settle(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
