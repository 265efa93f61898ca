//! Splitting and merging armies (THO-SPEC-01..04).

use crate::season::{Season, SeasonTurn};

/// B4: splitting.
pub fn split(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}

/// B4: merging.
pub fn merge(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
