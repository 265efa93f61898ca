//! Messages and rumours (THO-MSG, GAP-33).

use crate::season::{Season, SeasonTurn};

/// D12: messages.
pub fn deliver(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
