//! Missile weapons (THO-UNIT-10, -11, GAP-18).

use crate::season::{Season, SeasonTurn};

/// C3: shots.
pub fn shoot(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
