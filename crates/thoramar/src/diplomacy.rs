//! Gold, land and treaties (THO-DIP, GAP-29).

use crate::season::{Season, SeasonTurn};

/// D5: `$G`.
pub fn pay(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}

/// D6: `$L`.
pub fn cede(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}

/// D7: `$V`.
pub fn agree(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
