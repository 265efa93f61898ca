//! Landing and embarking (THO-SEA, GAP-19, GAP-41).

use crate::codes::Kind;
use crate::season::{Season, SeasonTurn};
use crate::tables::Tables;
use kernel::ratio::{Rounding, div};

/// Room that an army takes aboard.
///
/// THO-SEA-08, T02: engines need 200 besides, a wizard 1 whatever his points.
pub fn space(tables: &Tables, kind: Kind, count: i64) -> i64 {
    count
        .saturating_mul(tables.space_per_head(kind))
        .saturating_add(tables.space_flat(kind))
}

/// Room that a fleet of so many ships has.
///
/// THO-SEA-01, THO-UNIT-09.
pub fn room(tables: &Tables, fleet: Kind, ships: i64) -> i64 {
    ships.saturating_mul(tables.capacity_per_ship(fleet))
}

/// The greatest army of a kind for which a fleet has room: `floor((ships x capacity - flat) / space)`.
///
/// GAP-19. A kind that needs no room per head fits in any number as soon as its flat room is there.
pub fn cargo_max(tables: &Tables, fleet: Kind, ships: i64, cargo: Kind) -> i64 {
    let free = room(tables, fleet, ships).saturating_sub(tables.space_flat(cargo));
    if free < 0 {
        return 0;
    }
    div(free, tables.space_per_head(cargo), Rounding::Down).unwrap_or(i64::MAX)
}

/// C2: landing.
pub fn land(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}

/// C2: embarking.
pub fn embark(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
