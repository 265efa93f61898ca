//! Conquering fields (THO-CMD-04, -05, -08, GAP-15).

use crate::season::{Season, SeasonTurn};

/// D1: conquest.
pub fn conquer(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
