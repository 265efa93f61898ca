//! Destroying buildings, roads, bridges and walls (THO-CMD-06, -07, GAP-15).

use crate::season::{Season, SeasonTurn};

/// D2: destruction.
pub fn destroy(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
