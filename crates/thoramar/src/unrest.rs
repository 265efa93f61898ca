//! Unrest and revolts (THO-ECON-06, GAP-22).

use crate::season::{Season, SeasonTurn};

/// D8: unrest drifts, fields revolt.
pub fn stir(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
