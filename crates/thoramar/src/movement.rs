//! Moving on the map (THO-MOVE, THO-TERR, GAP-13, GAP-24).

use crate::season::{Season, SeasonTurn};

/// C1: every army's step of the week.
pub fn march(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}

/// D11: movement points for the next turn (THO-MOVE-08).
pub fn refill_points(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
