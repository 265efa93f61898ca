//! Landing and embarking (THO-SEA, GAP-19, GAP-41).

use crate::season::{Season, SeasonTurn};

/// C2: landing.
pub fn land(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}

/// C2: embarking.
pub fn embark(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
