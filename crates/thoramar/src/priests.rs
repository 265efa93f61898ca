//! Priests and blessings (THO-PRIEST, GAP-36).

use crate::season::{Season, SeasonTurn};

/// B4: blessing fields.
pub fn bless(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}

/// D11: blessings run out.
pub fn count_blessings(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
