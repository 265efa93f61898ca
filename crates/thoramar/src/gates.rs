//! World gates (THO-SPEC-13, GAP-31).

use crate::season::{Season, SeasonTurn};

/// B4: armies pass world gates.
pub fn pass(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
