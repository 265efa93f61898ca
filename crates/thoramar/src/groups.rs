//! Groups of armies (THO-GRP, GAP-35).

use crate::season::{Season, SeasonTurn};

/// B4: members given another order leave their group.
pub fn leave(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}

/// B4: forming and joining groups.
pub fn join(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}

/// D11: groups of fewer than two members dissolve.
pub fn dissolve(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
