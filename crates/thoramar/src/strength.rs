//! Minimum strengths (THO-UNIT-06, GAP-26).

use crate::season::{Season, SeasonTurn};

/// D11: armies below their minimum vanish.
pub fn dissolve_weak(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
