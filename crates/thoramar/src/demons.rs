//! Summoning, control and freedom of demons (THO-DEM, GAP-27).

use crate::season::{Season, SeasonTurn};

/// B4: breaking another wizard's hold.
pub fn free(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}

/// B4: summoning.
pub fn summon(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}

/// D3: demons decay, wizards train, control is paid, archdemons break free.
pub fn settle(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
