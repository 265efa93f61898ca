//! Monsters, free demons and troops of realm 0 (THO-MON, THO-DEM-05, GAP-28).

use crate::season::{Season, SeasonTurn};

/// Phase A: what the armies of realm 0 will do this turn.
pub fn plan(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}

/// D10: growth and spawning in spring.
pub fn breed(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
