//! Plundering (THO-CMD-03, GAP-21).

use crate::season::{Season, SeasonTurn};

/// C5: plundering.
pub fn plunder(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
