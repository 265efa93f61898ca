//! Caravans and trade fleets (THO-TRADE, GAP-23).

use crate::season::{Season, SeasonTurn};

/// C6: trade.
pub fn trade(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
