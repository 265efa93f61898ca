//! Reading the orders into plans: who was told what (GAP-04, GAP-12 phase A, GAP-30, GAP-39).

use crate::season::{Season, SeasonTurn};

/// Phase A: edicts of the game master, missing orders, plans of all armies, the random order of realms.
pub fn read_orders(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
