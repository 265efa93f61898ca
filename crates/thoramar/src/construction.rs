//! Buildings, roads, bridges and walls (THO-BLD, THO-NET, GAP-05, GAP-06).

use crate::season::{Season, SeasonTurn};

/// B2: `$B` in file order.
pub fn order_works(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}

/// D9: construction progresses and ends.
pub fn advance_works(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
