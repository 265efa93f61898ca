//! `$S` and `$K`: settings without influence on the game, and the culture text (THO-SET-01..04, THO-MSG-03).

use crate::season::{Season, SeasonTurn};

/// B1: settings and culture texts.
pub fn apply(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
