//! Places as players write them: `x/y` relative to the realm's own first capital.
//!
//! THO-MAP-01..07. Rows with odd `y` have no `x = 0`. Inside the program a field is a [`FieldIndex`] of the world's grid;
//! a [`Place`] occurs only where a player reads or writes.

use crate::codes::Climate;
use crate::tables::rulings::World;
use kernel::hex::{Doubled, FieldIndex, Grid};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A field as a player writes it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Place {
    /// Row, growing to the north. First, so that places sort row by row.
    pub y: i32,
    /// Column within the row, growing to the east; never 0 in odd rows.
    pub x: i32,
}

impl Place {
    /// The place written `x/y`.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { y, x }
    }

    /// THO-MAP-04: the doubled column, or nothing for `x = 0` in an odd row (THO-MAP-02).
    pub fn doubled(self) -> Option<Doubled> {
        let (x, y) = (i64::from(self.x), i64::from(self.y));
        let d = match (y.rem_euclid(2), x) {
            (0, _) => 2 * x,
            (_, 0) => return None,
            (_, 1..) => 2 * x - 1,
            _ => 2 * x + 1,
        };
        Some(Doubled::new(d, y))
    }

    /// THO-MAP-04, back: the place at a doubled offset from the capital.
    pub fn from_doubled(offset: Doubled) -> Self {
        let x = match offset.y.rem_euclid(2) {
            0 => offset.d / 2,
            _ if offset.d > 0 => (offset.d + 1) / 2,
            _ => (offset.d - 1) / 2,
        };
        // Offsets come from a grid of limited size; the conversion cannot fail there.
        Self::new(
            i32::try_from(x).unwrap_or(i32::MAX),
            i32::try_from(offset.y).unwrap_or(i32::MAX),
        )
    }

    /// THO-MAP-06: where `field` lies, seen from `capital`.
    pub fn of(grid: &Grid, capital: FieldIndex, field: FieldIndex) -> Self {
        Self::from_doubled(grid.offset(capital, field))
    }

    /// THO-MAP-06, back: the field of this place seen from `capital`. Columns wrap, rows do not.
    pub fn field(self, grid: &Grid, capital: FieldIndex) -> Result<FieldIndex, PlaceFault> {
        let offset = self.doubled().ok_or(PlaceFault::NoSuchColumn)?;
        grid.moved(capital, offset).ok_or(PlaceFault::OutsideTheWorld)
    }
}

/// The climate of a field: by the part of the way from the equator to a pole at which its row lies.
///
/// GAP-01: `|Y - (H-1)/2| / ((H-1)/2)`, doubled here so that it stays whole.
pub fn climate(world: &World, grid: &Grid, field: FieldIndex) -> Climate {
    let poles = (i64::from(grid.rows()) - 1).max(1);
    let north = (2 * grid.doubled(field).y - poles).abs();
    let below = |percent: i64| north * 100 < percent * poles;
    if below(world.tropic_max_lat_pct) {
        Climate::Tropical
    } else if below(world.temperate_max_lat_pct) {
        Climate::Temperate
    } else {
        Climate::Polar
    }
}

/// Why a place is no field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlaceFault {
    /// `x = 0` in an odd row.
    NoSuchColumn,
    /// A row beyond the edge.
    OutsideTheWorld,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.x, self.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Tables;
    use kernel::hex::Wrap;

    #[test]
    fn the_climate_follows_the_latitude() {
        // 101 rows: the equator is row 50, so a row is two hundredths of the way to the pole.
        let grid = Grid::new(12, 101, Wrap::Cylinder).expect("a sound size");
        let world = Tables::book().world;
        let at = |y: u32| climate(&world, &grid, FieldIndex(12 * y));
        assert_eq!(
            [50, 64, 65, 84, 85, 100].map(at).map(Climate::code),
            ["tropical", "tropical", "temperate", "temperate", "polar", "polar"]
        );
        assert_eq!(
            [36, 35, 16, 15, 0].map(at).map(Climate::code),
            ["tropical", "temperate", "temperate", "polar", "polar"]
        );
    }
}
