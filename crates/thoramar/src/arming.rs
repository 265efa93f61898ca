//! Arming and topping up armies (THO-ARM, GAP-07, GAP-08, GAP-10, GAP-25).

use crate::season::{Season, SeasonTurn};

/// B3: `$R` in file order.
pub fn arm(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
