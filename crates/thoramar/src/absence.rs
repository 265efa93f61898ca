//! Elimination and the loss of a capital (THO-ADM-03, GAP-30), ranking (GAP-42).

use crate::season::{Season, SeasonTurn};

/// End of the turn: who is out, who is warned about.
pub fn judge(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
