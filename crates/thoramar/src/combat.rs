//! Melee (THO-COMB, GAP-16, GAP-17).

use crate::season::{Season, SeasonTurn};

/// C4: melee in every field.
pub fn fight(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
