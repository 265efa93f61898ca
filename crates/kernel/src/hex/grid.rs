//! Bounded worlds: every field has a number, and the world may close in one or both directions.
//!
//! A [`Grid`] has `columns` (W) times `rows` (H) fields. Row 0 is the southernmost. In doubled
//! coordinates a field is `(D, Y)` with `0 <= D < 2W`, `0 <= Y < H` and `D` and `Y` both even or
//! both odd; its [`FieldIndex`] counts row by row from the south, each row from west to east:
//! `index = Y * W + D / 2`. What belongs to a field can so be kept in a `Vec`.
//!
//! [`Wrap`] says which edges meet: none, the east and west edge (a cylinder, the usual world), or
//! also the north and south edge (a torus).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Board, Direction, Doubled, Hex};
use crate::limits;

/// The largest number of fields a grid may have.
pub const MAX_FIELDS: u32 = limits::FIELDS as u32;

/// The number of a field on a [`Grid`], from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FieldIndex(pub u32);

impl FieldIndex {
    /// The place in a `Vec` of fields.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Which edges of a grid meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wrap {
    /// None: the world ends on all sides.
    Plane,
    /// East and west: one can travel round the world, and the poles are edges.
    Cylinder,
    /// East and west, north and south.
    Torus,
}

/// A bounded world of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Size")]
pub struct Grid {
    columns: u32,
    rows: u32,
    wrap: Wrap,
}

/// A grid as it is stored, before its size has been checked.
#[derive(Deserialize)]
struct Size {
    columns: u32,
    rows: u32,
    wrap: Wrap,
}

impl TryFrom<Size> for Grid {
    type Error = GridError;

    fn try_from(size: Size) -> Result<Self, Self::Error> {
        Grid::new(size.columns, size.rows, size.wrap)
    }
}

/// Why a grid cannot have the wanted size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridError {
    /// A side is zero, or so short in a closed direction (under 3 columns or 4 rows) that a field
    /// would be its own neighbour or the same neighbour twice.
    TooSmall,
    /// More than [`MAX_FIELDS`] fields.
    TooLarge,
    /// North and south cannot meet with an odd number of rows: the rows would not interlock.
    OddRows,
}

impl fmt::Display for GridError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GridError::TooSmall => "grid too small",
            GridError::TooLarge => "grid too large",
            GridError::OddRows => "a torus needs an even number of rows",
        })
    }
}

impl std::error::Error for GridError {}

/// `n` moved by multiples of `period` into `-period/2 .. period/2`.
fn wrapped(n: i64, period: i64) -> i64 {
    let half = period / 2;
    // Reducing first keeps the sum in range for every n.
    reduced(reduced(n, period) + half, period) - half
}

/// `n` moved by multiples of `period` into `0 .. period`. It mostly is there already or one period away, and dividing takes time.
fn reduced(n: i64, period: i64) -> i64 {
    match n {
        _ if n < -period || n >= 2 * period => n.rem_euclid(period),
        _ if n < 0 => n + period,
        _ if n >= period => n - period,
        _ => n,
    }
}

impl Grid {
    /// A grid of so many columns and rows.
    ///
    /// # Errors
    /// [`GridError`] if the size is not allowed.
    pub fn new(columns: u32, rows: u32, wrap: Wrap) -> Result<Grid, GridError> {
        let (least_columns, least_rows) = match wrap {
            Wrap::Plane => (1, 1),
            Wrap::Cylinder => (3, 1),
            Wrap::Torus => (3, 4),
        };
        if columns < least_columns || rows < least_rows {
            return Err(GridError::TooSmall);
        }
        if columns.checked_mul(rows).is_none_or(|n| n > MAX_FIELDS) {
            return Err(GridError::TooLarge);
        }
        if wrap == Wrap::Torus && rows % 2 == 1 {
            return Err(GridError::OddRows);
        }
        Ok(Grid { columns, rows, wrap })
    }

    /// The number of fields in a row.
    #[must_use]
    pub const fn columns(&self) -> u32 {
        self.columns
    }

    /// The number of rows.
    #[must_use]
    pub const fn rows(&self) -> u32 {
        self.rows
    }

    /// Which edges meet.
    #[must_use]
    pub const fn wrap(&self) -> Wrap {
        self.wrap
    }

    /// The number of fields.
    #[must_use]
    pub const fn field_count(&self) -> u32 {
        // `new` has checked the product.
        self.columns * self.rows
    }

    /// Whether the field is on this grid.
    #[must_use]
    pub const fn contains(&self, field: FieldIndex) -> bool {
        field.0 < self.field_count()
    }

    /// All fields in the order of their numbers.
    pub fn fields(&self) -> impl Iterator<Item = FieldIndex> + use<> {
        (0..self.field_count()).map(FieldIndex)
    }

    /// The fields of a row from west to east; none for a row past the last.
    pub fn row(&self, row: u32) -> impl Iterator<Item = FieldIndex> + use<> {
        let begin = row.min(self.rows) * self.columns;
        let end = row.saturating_add(1).min(self.rows) * self.columns;
        (begin..end).map(FieldIndex)
    }

    /// The place of a field. A number past the last field lies in a row north of the grid.
    #[must_use]
    #[inline]
    pub fn doubled(&self, field: FieldIndex) -> Doubled {
        let y = i64::from(field.0 / self.columns);
        Doubled::new(2 * i64::from(field.0 % self.columns) + (y & 1), y)
    }

    /// The place of a field in axial coordinates, for drawing; neighbours across a closed edge
    /// are not neighbours there.
    #[must_use]
    pub fn hex(&self, field: FieldIndex) -> Hex {
        // An index is a u32, so only one past the last field of a thin grid could be too far.
        self.doubled(field).hex().unwrap_or_default()
    }

    /// The field at a place, which may lie any number of times round a closed world.
    ///
    /// `None` beyond an edge, or if `d` and `y` are not both even or both odd.
    #[must_use]
    #[inline]
    pub fn at(&self, place: Doubled) -> Option<FieldIndex> {
        if !place.is_field() {
            return None;
        }
        let (width, height) = self.periods();
        let d = match self.wrap {
            Wrap::Plane => place.d,
            Wrap::Cylinder | Wrap::Torus => reduced(place.d, width),
        };
        let y = match self.wrap {
            Wrap::Plane | Wrap::Cylinder => place.y,
            Wrap::Torus => reduced(place.y, height),
        };
        if !(0..width).contains(&d) || !(0..height).contains(&y) {
            return None;
        }
        u32::try_from(y * (width / 2) + d / 2).ok().map(FieldIndex)
    }

    /// The neighbour in a direction; `None` beyond an edge or for a field not on this grid.
    #[must_use]
    #[inline]
    pub fn neighbour(&self, field: FieldIndex, direction: Direction) -> Option<FieldIndex> {
        let (q, r) = direction.step();
        self.contains(field)
            .then(|| self.moved(field, Doubled::from(Hex { q, r })))
            .flatten()
    }

    /// The neighbours that exist, in the order of their digits.
    pub fn neighbours(&self, field: FieldIndex) -> impl Iterator<Item = (Direction, FieldIndex)> + use<> {
        let grid = *self;
        Direction::ALL
            .into_iter()
            .filter_map(move |direction| Some((direction, grid.neighbour(field, direction)?)))
    }

    /// The direction of a neighbour, the lowest digit first; `None` if the field is not adjacent.
    #[must_use]
    pub fn direction_to(&self, from: FieldIndex, to: FieldIndex) -> Option<Direction> {
        self.neighbours(from)
            .find(|&(_, neighbour)| neighbour == to)
            .map(|(direction, _)| direction)
    }

    /// The shortest difference between two fields: what to add to `from` to get to `to`.
    ///
    /// In a closed direction of period P it lies in `-P/2 .. P/2` (P is 2W for `d` and H for
    /// `y`), so of the two ways to the opposite side the western or southern one is given.
    #[must_use]
    #[inline]
    pub fn offset(&self, from: FieldIndex, to: FieldIndex) -> Doubled {
        let (a, b) = (self.doubled(from), self.doubled(to));
        self.shortest(Doubled::new(b.d - a.d, b.y - a.y))
    }

    /// The field at a difference from another; the inverse of [`Grid::offset`].
    #[must_use]
    #[inline]
    pub fn moved(&self, from: FieldIndex, offset: Doubled) -> Option<FieldIndex> {
        let place = self.doubled(from);
        self.at(Doubled::new(
            place.d.checked_add(offset.d)?,
            place.y.checked_add(offset.y)?,
        ))
    }

    /// The number of steps between two fields by the shortest way, round the world if shorter.
    #[must_use]
    pub fn distance(&self, a: FieldIndex, b: FieldIndex) -> u32 {
        u32::try_from(self.offset(a, b).length()).unwrap_or(u32::MAX)
    }

    /// The fields up to this distance, each once, ordered by distance, then by number.
    #[must_use]
    pub fn range(&self, centre: FieldIndex, radius: u32) -> Vec<FieldIndex> {
        let (width, height) = self.periods();
        let place = self.doubled(centre);
        // The offsets that name each field once: up to the edges, or half way round.
        let (west, east) = match self.wrap {
            Wrap::Plane => (-place.d, width - 1 - place.d),
            Wrap::Cylinder | Wrap::Torus => (-width / 2, width / 2 - 1),
        };
        let (south, north) = match self.wrap {
            Wrap::Plane | Wrap::Cylinder => (-place.y, height - 1 - place.y),
            Wrap::Torus => (-height / 2, height / 2 - 1),
        };
        let radius = i64::from(radius);
        let mut found = Vec::new();
        for y in south.max(-radius)..=north.min(radius) {
            let reach = 2 * radius - y.abs();
            let first = west.max(-reach);
            // Offsets of fields have d and y both even or both odd.
            let first = first + ((first ^ y) & 1);
            found.extend((first..=east.min(reach)).step_by(2).filter_map(|d| {
                let offset = Doubled::new(d, y);
                Some((offset.length(), self.moved(centre, offset)?))
            }));
        }
        found.sort_unstable();
        found.into_iter().map(|(_, field)| field).collect()
    }

    /// The fields at exactly this distance, ordered by number.
    #[must_use]
    pub fn ring(&self, centre: FieldIndex, radius: u32) -> Vec<FieldIndex> {
        let mut fields = self.range(centre, radius);
        fields.retain(|&field| self.distance(centre, field) == radius);
        fields
    }

    /// The fields of a straight line along the shortest difference, both ends included.
    ///
    /// The tie rule is that of [`Hex::line`] counted from the first field, except that a field
    /// beyond the edge of the grid loses a tie.
    #[must_use]
    pub fn line(&self, from: FieldIndex, to: FieldIndex) -> Vec<FieldIndex> {
        let on_grid = |hex: Hex| self.moved(from, Doubled::from(hex));
        let Some(end) = self.offset(from, to).hex() else {
            return Vec::new();
        };
        Hex::ORIGIN
            .line_among(end, |hex| on_grid(hex).is_some())
            .filter_map(on_grid)
            .collect()
    }

    /// The doubled width and the height, the periods of closed directions.
    fn periods(&self) -> (i64, i64) {
        (2 * i64::from(self.columns), i64::from(self.rows))
    }

    fn shortest(&self, offset: Doubled) -> Doubled {
        let (width, height) = self.periods();
        match self.wrap {
            Wrap::Plane => offset,
            Wrap::Cylinder => Doubled::new(wrapped(offset.d, width), offset.y),
            Wrap::Torus => Doubled::new(wrapped(offset.d, width), wrapped(offset.y, height)),
        }
    }
}

impl Board for Grid {
    type Field = FieldIndex;

    fn neighbour(&self, field: FieldIndex, direction: Direction) -> Option<FieldIndex> {
        Grid::neighbour(self, field, direction)
    }
}
