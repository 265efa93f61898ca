//! Where fields lie: great fields of 25 or 48 small fields that cover the world (PYG-MAP-01..04, PYG-GAP-01, PYG-GAP-02).
//!
//! A field's index counts the great fields from the first, and in each its small fields: fields in order are fields by their
//! written number. Both layouts are hexagons in columns, so one arithmetic on [`Hex`] serves both: `q` is the column, growing
//! east; the six directions are, by their digits, N, NE, SE, S, SW, NW.

use crate::codes::vocabulary;
use kernel::hex::{Board, Direction, FieldIndex, Hex};
use kernel::map::{Side, Spot};
use kernel::province::{FIELDS_PER_PROVINCE, FieldNumber, Numbering, Place as ProvincePlace};
use serde::{Deserialize, Serialize};
use std::fmt;

vocabulary! {
    /// How a great field is divided (PYG-GAP-01).
    Layout {
        Rect  "rect"  "Spalten gleicher Länge"
        Hex48 "hex48" "Sechseck mit 48 Kleinfeldern"
    }
}

vocabulary! {
    /// Which columns of a rectangular world lie half a field lower, counted from 0 (PYG-GAP-02).
    Shifted {
        Odd  "odd"  "die ungeraden"
        Even "even" "die geraden"
    }
}

/// Columns of a world that wraps at the least: no field borders on another by two sides.
const WRAPPED_COLUMNS_MIN: u32 = 6;

/// A field as players write it: `16/22` is KF 22 of GF 16 (PYG-MAP-02).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Place {
    /// Number of the great field, from 1.
    pub gf: u32,
    /// Number of the small field in it, from 1.
    pub kf: u32,
}

impl Place {
    /// KF `kf` of GF `gf`.
    pub const fn new(gf: u32, kf: u32) -> Self {
        Self { gf, kf }
    }

    /// Reads `16/22`; leading zeros may be missing.
    pub fn read(word: &str) -> Option<Self> {
        let (gf, kf) = word.split_once('/')?;
        let number = |word: &str| -> Option<u32> {
            let digits = !word.is_empty() && word.len() <= 6 && word.bytes().all(|byte| byte.is_ascii_digit());
            word.parse().ok().filter(|number| digits && *number > 0)
        };
        Some(Self::new(number(gf)?, number(kf)?))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}/{:02}", self.gf, self.kf))
    }
}

/// The shape of a world.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Chart {
    /// How great fields are divided.
    pub layout: Layout,
    /// Columns of a rectangular great field.
    pub columns: u32,
    /// Fields of each of its columns.
    pub column_length: u32,
    /// Great fields in a row.
    pub per_row: u32,
    /// Rows of great fields.
    pub rows: u32,
    /// Which columns lie half a field lower, in rectangular great fields.
    #[serde(default = "odd")]
    pub shifted: Shifted,
    /// Whether the world goes on in the west where it ends in the east.
    #[serde(default)]
    pub wrap: bool,
}

impl Chart {
    /// Small fields of a great field.
    pub const fn fields_per_great_field(&self) -> u32 {
        match self.layout {
            Layout::Rect => self.columns * self.column_length,
            Layout::Hex48 => FIELDS_PER_PROVINCE as u32,
        }
    }

    /// Great fields of the world.
    pub const fn great_fields(&self) -> u32 {
        self.per_row * self.rows
    }

    /// Fields of the world.
    pub const fn field_count(&self) -> u32 {
        self.great_fields() * self.fields_per_great_field()
    }

    /// Columns of the world.
    const fn width(&self) -> u32 {
        match self.layout {
            Layout::Rect => self.per_row * self.columns,
            // Great fields in one row lie eight columns apart.
            Layout::Hex48 => self.per_row * 8,
        }
    }

    /// Whether the edges in the east and west fit together, if they have to: columns alternate in height.
    pub const fn may_wrap(&self) -> bool {
        !self.wrap || (self.width().is_multiple_of(2) && self.width() >= WRAPPED_COLUMNS_MIN)
    }

    /// All fields in order.
    pub fn fields(&self) -> impl Iterator<Item = FieldIndex> + use<> {
        (0..self.field_count()).map(FieldIndex)
    }

    /// How a field is written.
    pub const fn place(&self, field: FieldIndex) -> Place {
        let each = self.fields_per_great_field();
        Place::new(field.0 / each + 1, field.0 % each + 1)
    }

    /// The field at a place, if the world has it.
    pub fn field(&self, place: Place) -> Option<FieldIndex> {
        let inside =
            (1..=self.great_fields()).contains(&place.gf) && (1..=self.fields_per_great_field()).contains(&place.kf);
        inside.then(|| FieldIndex((place.gf - 1) * self.fields_per_great_field() + place.kf - 1))
    }

    /// Where a field lies on the plane.
    pub fn hex(&self, field: FieldIndex) -> Hex {
        let place = self.place(field);
        let (row, column) = ((place.gf - 1) / self.per_row, (place.gf - 1) % self.per_row);
        match self.layout {
            Layout::Rect => {
                let x = (column * self.columns + (place.kf - 1) / self.column_length) as i32;
                let y = (row * self.column_length + (place.kf - 1) % self.column_length) as i32;
                Hex::new(x, -((2 * y + self.lower(x) + x) / 2))
            }
            Layout::Hex48 => {
                let place = ProvincePlace {
                    province: province(row as i32, column as i32),
                    field: FieldNumber::new(place.kf as u8).unwrap_or(FIRST),
                };
                Numbering::Columns.hex(place).unwrap_or(Hex::ORIGIN)
            }
        }
    }

    /// The field at a hex, if the world has one there.
    pub fn at(&self, hex: Hex) -> Option<FieldIndex> {
        let inside = |value: i64, end: u32| u32::try_from(value).ok().filter(|value| *value < end);
        match self.layout {
            Layout::Rect => {
                let x = i64::from(hex.q);
                let y = (-2 * i64::from(hex.r) - x - i64::from(self.lower(hex.q))) / 2;
                let x = inside(self.around(x, self.width()), self.width())?;
                let y = inside(y, self.rows * self.column_length)?;
                let gf = (y / self.column_length) * self.per_row + x / self.columns + 1;
                let kf = (x % self.columns) * self.column_length + y % self.column_length + 1;
                self.field(Place::new(gf, kf))
            }
            Layout::Hex48 => {
                let place = Numbering::Columns.place(hex)?;
                let row = -i64::from(place.province.r);
                let column = (2 * i64::from(place.province.q) + i64::from(place.province.r) - (row & 1)) / 2;
                let row = inside(row, self.rows)?;
                let column = inside(self.around(column, self.per_row), self.per_row)?;
                self.field(Place::new(
                    row * self.per_row + column + 1,
                    u32::from(place.field.get()),
                ))
            }
        }
    }

    /// Half fields that a column lies lower than its even neighbours, or higher: one way or the other.
    const fn lower(&self, column: i32) -> i32 {
        match self.shifted {
            Shifted::Odd => column & 1,
            Shifted::Even => -(column & 1),
        }
    }

    /// A column of the world for one beyond its edge, if the world wraps.
    fn around(&self, column: i64, columns: u32) -> i64 {
        if self.wrap {
            column.rem_euclid(i64::from(columns.max(1)))
        } else {
            column
        }
    }

    /// The images of a field that count for distances from `near`: the field itself and, if the world wraps, one beside it.
    fn images(&self, near: Hex, field: FieldIndex) -> impl Iterator<Item = Hex> + use<> {
        let here = self.hex(field);
        let width = self.width() as i32;
        // A whole turn leads along the row: two columns east are one hex less to the north.
        let turn = if here.q < near.q { 1 } else { -1 };
        let beside = Hex::new(here.q + turn * width, here.r - turn * width / 2);
        std::iter::once(here).chain(self.wrap.then_some(beside))
    }

    /// The neighbour in a direction; none over the edge of the world.
    pub fn neighbour(&self, field: FieldIndex, direction: Direction) -> Option<FieldIndex> {
        self.at(self.hex(field).checked_neighbour(direction)?)
    }

    /// The neighbours of a field with their directions, by digit.
    pub fn neighbours(&self, field: FieldIndex) -> impl Iterator<Item = (Direction, FieldIndex)> + use<> {
        let chart = *self;
        Direction::ALL
            .into_iter()
            .filter_map(move |direction| Some((direction, chart.neighbour(field, direction)?)))
    }

    /// The direction from a field to an adjacent one.
    pub fn direction_to(&self, from: FieldIndex, to: FieldIndex) -> Option<Direction> {
        let here = self.hex(from);
        self.images(here, to).find_map(|there| here.direction_to(there))
    }

    /// Steps between two fields.
    pub fn distance(&self, a: FieldIndex, b: FieldIndex) -> u32 {
        let here = self.hex(a);
        let steps = self.images(here, b).map(|there| here.distance(there)).min();
        steps.and_then(|steps| u32::try_from(steps).ok()).unwrap_or(u32::MAX)
    }

    /// All fields at most `radius` steps away, the field itself included, in order.
    pub fn range(&self, centre: FieldIndex, radius: u32) -> Vec<FieldIndex> {
        let mut fields: Vec<FieldIndex> = self.hex(centre).range(radius).filter_map(|hex| self.at(hex)).collect();
        fields.sort_unstable();
        // Around a narrow world the same field is met twice.
        fields.dedup();
        fields
    }

    /// Where a field stands in a drawing whose middle is `home`: on the side on which it is nearer, if the world wraps.
    pub fn spot(&self, home: FieldIndex, field: FieldIndex) -> Spot {
        let home = self.hex(home);
        let nearest = self.images(home, field).min_by_key(|here| (here.q - home.q).abs());
        let here = nearest.unwrap_or(home);
        let (q, r) = (here.q - home.q, here.r - home.r);
        Spot::new(2 * r + q, q)
    }
}

/// Older worlds do not say which columns lie lower.
const fn odd() -> Shifted {
    Shifted::Odd
}

/// Any province has a first field.
const FIRST: FieldNumber = match FieldNumber::new(1) {
    Some(first) => first,
    None => unreachable!(),
};

/// The province of a great field: every second row lies half a great field further right (PYG-GAP-01).
fn province(row: i32, column: i32) -> Hex {
    Hex::new((2 * column + (row & 1) + row) / 2, -row)
}

/// The side of a drawn field that a direction leads over.
pub const fn side(direction: Direction) -> Side {
    match direction {
        Direction::NorthEast => Side::East,
        Direction::East => Side::NorthEast,
        Direction::SouthEast => Side::NorthWest,
        Direction::SouthWest => Side::West,
        Direction::West => Side::SouthWest,
        Direction::NorthWest => Side::SouthEast,
    }
}

impl Board for Chart {
    type Field = FieldIndex;

    fn neighbour(&self, field: FieldIndex, direction: Direction) -> Option<FieldIndex> {
        Chart::neighbour(self, field, direction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const RECT: Chart = Chart {
        layout: Layout::Rect,
        columns: 5,
        column_length: 5,
        per_row: 8,
        rows: 6,
        shifted: Shifted::Odd,
        wrap: false,
    };
    const HEX48: Chart = Chart {
        layout: Layout::Hex48,
        rows: 10,
        ..RECT
    };

    fn around(chart: &Chart, place: &str) -> BTreeSet<String> {
        let field = chart.field(Place::read(place).expect("a place")).expect("a field");
        chart
            .neighbours(field)
            .map(|(_, field)| chart.place(field).to_string())
            .collect()
    }

    fn set(places: &[&str]) -> BTreeSet<String> {
        places.iter().map(|place| (*place).to_owned()).collect()
    }

    #[test]
    fn neighbours_are_those_of_the_ruling() {
        assert_eq!(
            around(&RECT, "12/13"),
            set(&["12/12", "12/18", "12/19", "12/14", "12/09", "12/08"])
        );
        assert_eq!(
            around(&RECT, "12/05"),
            set(&["12/04", "12/10", "20/06", "20/01", "19/21", "11/25"])
        );
        assert_eq!(around(&RECT, "1/01"), set(&["1/06", "1/02"]));
    }

    #[test]
    fn the_steps_of_the_books_move_sheet_are_adjacent_on_the_hexagonal_great_field() {
        let steps = [
            ("65/05", "65/06"),
            ("65/41", "65/47"),
            ("65/47", "65/48"),
            ("65/42", "65/43"),
            ("65/43", "73/10"),
            ("73/05", "73/06"),
            ("73/06", "73/02"),
            ("73/02", "73/03"),
            ("73/03", "73/04"),
            ("72/22", "72/21"),
            ("72/21", "72/20"),
        ];
        for (from, to) in steps {
            assert!(
                around(&HEX48, from).contains(to),
                "{from} {to}: {:?}",
                around(&HEX48, from)
            );
        }
    }

    #[test]
    fn every_field_is_found_where_it_lies_and_neighbours_are_mutual() {
        for chart in [RECT, HEX48] {
            for field in chart.fields() {
                assert_eq!(chart.at(chart.hex(field)), Some(field));
                assert_eq!(chart.field(chart.place(field)), Some(field));
                for (direction, other) in chart.neighbours(field) {
                    assert_eq!(chart.neighbour(other, direction.opposite()), Some(field));
                    assert_eq!(chart.distance(field, other), 1);
                    let (here, there) = (chart.spot(FieldIndex(0), field), chart.spot(FieldIndex(0), other));
                    assert_eq!(here.neighbour(side(direction)), there);
                }
            }
        }
    }

    #[test]
    fn a_world_that_wraps_has_no_end_in_the_east_and_the_west() {
        for chart in [RECT, HEX48].map(|chart| Chart { wrap: true, ..chart }) {
            assert!(chart.may_wrap());
            for field in chart.fields() {
                assert_eq!(chart.at(chart.hex(field)), Some(field));
                for (direction, other) in chart.neighbours(field) {
                    assert_eq!(chart.neighbour(other, direction.opposite()), Some(field));
                    assert_eq!(chart.direction_to(field, other), Some(direction));
                    assert_eq!(chart.distance(field, other), 1);
                }
            }
        }
        // The same field as in the ruling, now with the fields at the other end of its row.
        let round = Chart { wrap: true, ..RECT };
        assert_eq!(around(&round, "1/01"), set(&["1/06", "1/02", "8/21"]));
        assert_eq!(
            around(&round, "9/01"),
            set(&["1/05", "9/06", "9/02", "1/10", "16/21", "8/25"])
        );
        // North and south it ends as before.
        let inner = |chart: &Chart| {
            chart
                .fields()
                .filter(|field| chart.neighbours(*field).count() == 6)
                .count()
        };
        assert_eq!((inner(&RECT), inner(&round)), (38 * 28, 40 * 28));
    }

    #[test]
    fn distances_and_drawings_take_the_shorter_way_round() {
        let round = Chart { wrap: true, ..RECT };
        let field = |place: &str| round.field(Place::read(place).expect("a place")).expect("a field");
        // Forty columns: 39 steps one way, one the other.
        assert_eq!(RECT.distance(field("9/03"), field("16/23")), 39);
        assert_eq!(round.distance(field("9/03"), field("16/23")), 1);
        assert_eq!(round.distance(field("9/03"), field("13/03")), 20);
        assert_eq!(round.range(field("9/03"), 1).len(), 7);
        assert_eq!(round.spot(field("9/03"), field("16/23")).y, -1);
        assert_eq!(RECT.spot(field("9/03"), field("16/23")).y, 39);
    }

    #[test]
    fn only_an_even_number_of_columns_wraps() {
        let wide = |columns, per_row| Chart {
            wrap: true,
            columns,
            per_row,
            ..RECT
        };
        assert!(wide(5, 2).may_wrap() && wide(3, 2).may_wrap());
        assert!(!wide(5, 3).may_wrap(), "15 columns");
        assert!(!wide(2, 2).may_wrap(), "four columns");
        assert!(
            Chart {
                wrap: false,
                ..wide(5, 3)
            }
            .may_wrap()
        );
    }

    #[test]
    fn even_columns_may_lie_lower_instead() {
        let even = Chart {
            shifted: Shifted::Even,
            ..RECT
        };
        assert_eq!(around(&even, "1/01"), set(&["1/06", "1/07", "1/02"]));
        for field in even.fields() {
            assert_eq!(even.at(even.hex(field)), Some(field));
        }
    }

    #[test]
    fn places_are_read_as_they_are_written_or_without_zeros() {
        assert_eq!(Place::read("27/01"), Place::read("27/1"));
        assert_eq!(Place::new(27, 1).to_string(), "27/01");
        for word in [
            "",
            "/",
            "1/",
            "/1",
            "0/1",
            "1/0",
            "1/2/3",
            "-1/2",
            "+1/2",
            "1234567/1",
            "a/b",
        ] {
            assert_eq!(Place::read(word), None, "{word}");
        }
    }
}
