//! Sightings (THO-SIGHT, GAP-14).

use crate::season::{Season, SeasonTurn};

/// C7: every realm's sightings of the week.
pub fn look(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
