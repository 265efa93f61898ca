//! Hexagonal fields: coordinates, directions, bounded worlds and searches. Integers only.
//!
//! Read in this order:
//!
//! 1. This file: [`Hex`] is a place on the endless plane, [`Direction`] one of the six steps.
//! 2. [`Grid`]: a world with edges or closed ones; its fields are numbered by [`FieldIndex`].
//! 3. [`path`], [`reach`] and [`flood`]: searches over anything that is a [`Board`].
//!
//! **Coordinates.** A hex stands on its point, so it has neighbours to the east and west but none
//! to the north. Axial coordinates `(q, r)` suit arithmetic: `r` counts rows to the north, `q`
//! counts along a row. Doubled coordinates `(d, y)` suit maps: `y = r` is the row, `d = 2q + r`
//! counts half fields to the east, and `d` and `y` are always both even or both odd.
//!
//! ```text
//!       6 NW   1 NE        axial (-1,+1) ( 0,+1)     doubled (-1,+1) (+1,+1)
//!    5 W    *    2 E       (-1, 0)   *   (+1, 0)     (-2, 0)    *    (+2, 0)
//!       4 SW   3 SE              ( 0,-1) (+1,-1)             (-1,-1) (+1,-1)
//! ```
//!
//! A world whose hexes lie on a side uses the same numbers with the compass turned by 30 degrees:
//! 1 N, 2 NE, 3 SE, 4 S, 5 SW, 6 NW.
//!
//! **Order.** Every list here has one stated order and every tie one stated winner, because a
//! turn must give the same result on every machine.
//!
//! **Edges of the numbers.** Nothing panics or wraps around: steps past the `i32` range stop
//! there ([`Hex::neighbour`]) or give `None` ([`Hex::checked_neighbour`]). No world comes near it.

mod fields;
mod grid;
mod search;

pub use fields::FieldSet;
pub use grid::{FieldIndex, Grid, GridError, MAX_FIELDS, Wrap};
pub use search::{Board, Flood, NoPath, OpenPlane, Path, Reach, Reached, flood, path, reach};

use serde::{Deserialize, Serialize};

/// One of the six steps to a neighbouring field, numbered clockwise from the north-east.
///
/// It is stored as its digit 1 to 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub enum Direction {
    /// Digit 1.
    NorthEast,
    /// Digit 2.
    East,
    /// Digit 3.
    SouthEast,
    /// Digit 4.
    SouthWest,
    /// Digit 5.
    West,
    /// Digit 6.
    NorthWest,
}

impl Direction {
    /// All six in the order of their digits.
    pub const ALL: [Direction; 6] = [
        Direction::NorthEast,
        Direction::East,
        Direction::SouthEast,
        Direction::SouthWest,
        Direction::West,
        Direction::NorthWest,
    ];

    /// The digit, 1 to 6.
    #[must_use]
    pub const fn digit(self) -> u8 {
        self as u8 + 1
    }

    /// The direction of a digit; `None` outside 1 to 6.
    #[must_use]
    pub const fn from_digit(digit: u8) -> Option<Direction> {
        match digit {
            1 => Some(Direction::NorthEast),
            2 => Some(Direction::East),
            3 => Some(Direction::SouthEast),
            4 => Some(Direction::SouthWest),
            5 => Some(Direction::West),
            6 => Some(Direction::NorthWest),
            _ => None,
        }
    }

    /// The place in an array of six, 0 to 5.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The way back: 1-4, 2-5, 3-6.
    #[must_use]
    pub const fn opposite(self) -> Direction {
        self.rotate(3)
    }

    /// Turned clockwise by so many sixths of a circle; negative turns go the other way.
    #[must_use]
    pub const fn rotate(self, sixths: i32) -> Direction {
        // The remainder lies in 0..6, so the addition cannot overflow.
        Direction::ALL[(self as usize + sixths.rem_euclid(6) as usize) % 6]
    }

    /// The axial step `(dq, dr)`.
    #[must_use]
    pub const fn step(self) -> (i32, i32) {
        match self {
            Direction::NorthEast => (0, 1),
            Direction::East => (1, 0),
            Direction::SouthEast => (1, -1),
            Direction::SouthWest => (0, -1),
            Direction::West => (-1, 0),
            Direction::NorthWest => (-1, 1),
        }
    }
}

impl From<Direction> for u8 {
    fn from(direction: Direction) -> u8 {
        direction.digit()
    }
}

impl TryFrom<u8> for Direction {
    type Error = &'static str;

    fn try_from(digit: u8) -> Result<Self, Self::Error> {
        Direction::from_digit(digit).ok_or("a direction is a digit from 1 to 6")
    }
}

/// Six flags, one per direction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sides(pub u8);

impl Sides {
    /// No side.
    pub const NONE: Self = Self(0);
    /// All six sides.
    pub const ALL: Self = Self(0b11_1111);

    /// Whether the side in `direction` is set.
    pub const fn has(self, direction: Direction) -> bool {
        self.0 & (1 << direction.index()) != 0
    }

    /// Sets a side.
    pub fn insert(&mut self, direction: Direction) {
        self.0 |= 1 << direction.index();
    }

    /// Clears a side.
    pub fn remove(&mut self, direction: Direction) {
        self.0 &= !(1 << direction.index());
    }
}

/// A field on the endless plane in axial coordinates; ordered by `q`, then `r`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Hex {
    /// The place along the row.
    pub q: i32,
    /// The row, growing to the north.
    pub r: i32,
}

/// A field, or a difference of two fields, in doubled coordinates; ordered by row, then column.
///
/// Only pairs with `d` and `y` both even or both odd are fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Doubled {
    /// The row, growing to the north.
    pub y: i64,
    /// Half fields to the east.
    pub d: i64,
}

impl Doubled {
    /// The pair `(d, y)`.
    #[must_use]
    pub const fn new(d: i64, y: i64) -> Doubled {
        Doubled { y, d }
    }

    /// Whether `d` and `y` are both even or both odd.
    #[must_use]
    pub const fn is_field(self) -> bool {
        self.d & 1 == self.y & 1
    }

    /// The same field in axial coordinates; `None` if it is no field or outside the `i32` range.
    #[must_use]
    pub fn hex(self) -> Option<Hex> {
        if !self.is_field() {
            return None;
        }
        Some(Hex {
            q: i32::try_from(self.d.checked_sub(self.y)? / 2).ok()?,
            r: i32::try_from(self.y).ok()?,
        })
    }

    /// The number of steps from the origin, that is the length of a difference.
    #[must_use]
    pub fn length(self) -> u64 {
        let (d, y) = (self.d.unsigned_abs(), self.y.unsigned_abs());
        y + d.saturating_sub(y) / 2
    }
}

impl From<Hex> for Doubled {
    fn from(hex: Hex) -> Doubled {
        Doubled::new(2 * i64::from(hex.q) + i64::from(hex.r), i64::from(hex.r))
    }
}

/// Stops at the ends of `i32`.
fn clamp(n: i64) -> i32 {
    i32::try_from(n).unwrap_or(if n < 0 { i32::MIN } else { i32::MAX })
}

impl Hex {
    /// The origin.
    pub const ORIGIN: Hex = Hex { q: 0, r: 0 };

    /// The field at `(q, r)`.
    #[must_use]
    pub const fn new(q: i32, r: i32) -> Hex {
        Hex { q, r }
    }

    /// The sum of two places read as differences; `None` outside the `i32` range.
    #[must_use]
    pub fn checked_add(self, other: Hex) -> Option<Hex> {
        Some(Hex {
            q: self.q.checked_add(other.q)?,
            r: self.r.checked_add(other.r)?,
        })
    }

    /// The difference of two places; `None` outside the `i32` range.
    #[must_use]
    pub fn checked_sub(self, other: Hex) -> Option<Hex> {
        Some(Hex {
            q: self.q.checked_sub(other.q)?,
            r: self.r.checked_sub(other.r)?,
        })
    }

    /// The neighbour in a direction; stops at the ends of `i32`.
    #[must_use]
    pub fn neighbour(self, direction: Direction) -> Hex {
        self.moved(direction, 1)
    }

    /// The neighbour in a direction; `None` past the ends of `i32`.
    #[must_use]
    pub fn checked_neighbour(self, direction: Direction) -> Option<Hex> {
        let (q, r) = direction.step();
        self.checked_add(Hex { q, r })
    }

    /// The six neighbours in the order of their digits.
    #[must_use]
    pub fn neighbours(self) -> [Hex; 6] {
        Direction::ALL.map(|direction| self.neighbour(direction))
    }

    /// The direction of a neighbour; `None` if the other field is not adjacent.
    #[must_use]
    pub fn direction_to(self, other: Hex) -> Option<Direction> {
        Direction::ALL
            .into_iter()
            .find(|&direction| self.checked_neighbour(direction) == Some(other))
    }

    /// The field so many steps away in one direction; stops at the ends of `i32`.
    #[must_use]
    pub fn moved(self, direction: Direction, steps: u32) -> Hex {
        let (q, r) = direction.step();
        let along = |start: i32, step: i32| clamp(i64::from(start) + i64::from(step) * i64::from(steps));
        Hex {
            q: along(self.q, q),
            r: along(self.r, r),
        }
    }

    /// The number of steps between two fields.
    #[must_use]
    pub fn distance(self, other: Hex) -> u64 {
        let q = i64::from(self.q) - i64::from(other.q);
        let r = i64::from(self.r) - i64::from(other.r);
        let longest = q.unsigned_abs().max(r.unsigned_abs());
        longest.max((q + r).unsigned_abs())
    }

    /// The fields at exactly this distance, clockwise, beginning straight to the north-east.
    ///
    /// With radius 1 that is the order of the digits; with radius 0 the field itself.
    pub fn ring(self, radius: u32) -> impl Iterator<Item = Hex> {
        let sides = Direction::ALL.into_iter().flat_map(move |direction| {
            let corner = self.moved(direction, radius);
            // Two sixths further turns the way out into the way along the side.
            (0..radius).map(move |steps| corner.moved(direction.rotate(2), steps))
        });
        (radius == 0).then_some(self).into_iter().chain(sides)
    }

    /// The fields up to this distance, nearest first, each ring in the order of [`Hex::ring`].
    pub fn range(self, radius: u32) -> impl Iterator<Item = Hex> {
        (0..=radius).flat_map(move |distance| self.ring(distance))
    }

    /// The fields of a straight line from here to `end`, both included.
    ///
    /// The straight line is sampled once per step and the field nearest to each sample is taken.
    /// **Tie rule:** of fields equally near, the smallest in the order of [`Hex`] is taken (less
    /// `q`, then less `r`). So the line back has the same fields in reverse.
    pub fn line(self, end: Hex) -> impl Iterator<Item = Hex> {
        self.line_among(end, |_| true)
    }

    /// Like [`Hex::line`], but a tie goes to the smallest accepted field; without one to the
    /// smallest.
    fn line_among(self, end: Hex, accept: impl Fn(Hex) -> bool) -> impl Iterator<Item = Hex> {
        let length = i128::from(self.distance(end));
        (0..=length).map(move |step| {
            if length == 0 {
                return self;
            }
            nearest_on_line(self, end, step, length, &accept)
        })
    }
}

/// The field nearest to the point `step / length` of the way from `start` to `end`.
fn nearest_on_line(start: Hex, end: Hex, step: i128, length: i128, accept: &impl Fn(Hex) -> bool) -> Hex {
    // Coordinates in units of 1/length, so that everything stays whole.
    let along = |a: i32, b: i32| i128::from(a) * (length - step) + i128::from(b) * step;
    let (q, r) = (along(start.q, end.q), along(start.r, end.r));
    let (west, south) = (q.div_euclid(length), r.div_euclid(length));
    let candidates = [(0, 0), (0, 1), (1, 0), (1, 1)]
        .into_iter()
        .filter_map(|(east, north)| {
            let (column, row) = (west + east, south + north);
            let (dq, dr) = (column * length - q, row * length - r);
            let field = Hex {
                q: i32::try_from(column).ok()?,
                r: i32::try_from(row).ok()?,
            };
            // The square of the true distance between centres in axial coordinates.
            Some((dq * dq + dq * dr + dr * dr, !accept(field), field))
        });
    candidates.min().map_or(start, |(_, _, field)| field)
}

#[cfg(test)]
mod tests;
