//! The yearly settlement: income, upkeep, unpaid armies (THO-ECON, GAP-09, GAP-11), mines (GAP-20).

use crate::season::{Season, SeasonTurn};

/// D4: the autumn settlement.
pub fn settle(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}

/// The fee of the turn (THO-ORG-02).
pub fn charge_accounts(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
