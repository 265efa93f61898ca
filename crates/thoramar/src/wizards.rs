//! Accelerators, monster masters and what every wizard spends (THO-MAGE, GAP-37).

use crate::season::{Season, SeasonTurn};

/// B4: taking armies of realm 0 into service.
pub fn tame(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}

/// B4: accelerating armies.
pub fn accelerate(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
