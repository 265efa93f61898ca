//! Creatures, natives, hordes, garrisons (PYG-GAME-09, PYG-GAP-62).
//!
//! Part C. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};

/// They move after the players.
pub fn act(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}
