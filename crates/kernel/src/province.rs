//! Provinces of 48 fields that tile the plane.
//!
//! Three of the games divide the world into large hexagons (*Großfeld*, *Provinz*) of 48 fields
//! (*Kleinfeld*) each: eight rows of 4, 5, 6, 7, 8, 7, 6 and 5 fields, numbered row by row from 1
//! to 48. Sides of four and five fields alternate, and so each side fits the opposite side of the
//! next province: the tiling has neither hole nor overlap.
//!
//! ```text
//!              01 02 03 04
//!            05 06 07 08 09
//!           10 11 12 13 14 15
//!         16 17 18 19 20 21 22
//!        23 24 25 26 27 28 29 30
//!         31 32 33 34 35 36 37
//!           38 39 40 41 42 43
//!            44 45 46 47 48
//! ```
//!
//! The games differ only in how the picture lies; [`Numbering`] is that parameter:
//!
//! | | `Rows` (PHOENIX, KALEVALA) | `Columns` (PYGMA-ISIS, preset `hex48`) |
//! |---|---|---|
//! | fields counted | west to east, rows from the north | north to south, columns from the west |
//! | a field's directions 1 to 6 | NE, E, SE, SW, W, NW | N, NE, SE, S, SW, NW |
//! | a province's directions 1 to 6 | N, NE, SE, S, SW, NW | NE, E, SE, SW, W, NW |
//!
//! The picture of `Columns` is that of `Rows` mirrored at the line from the upper left to the
//! lower right. A province itself is named by a [`Hex`], so distances, rings and searches work
//! for provinces too; how a game writes their names (numbers, letters and latitudes) is its own
//! matter. Field 1 of the province at the origin is the field at the origin.
//!
//! Sources: PHOENIX GAP-01, KALEVALA GAP-1, PYGMA-ISIS GAP-1.

use serde::{Deserialize, Serialize};

use crate::hex::{Board, Direction, Hex};

/// The number of fields of a province.
pub const FIELDS_PER_PROVINCE: u8 = 48;

/// The lengths of the rows (or columns) in the order of the numbers.
pub const ROW_LENGTHS: [u8; 8] = [4, 5, 6, 7, 8, 7, 6, 5];

/// How the fields of a province are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Numbering {
    /// Row by row from the north-west; the four fields 1 to 4 are the north side.
    Rows,
    /// Column by column from the north-west; the four fields 1 to 4 are the west side.
    Columns,
}

/// The number of a field within its province, 1 to 48.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub struct FieldNumber(u8);

impl FieldNumber {
    /// The field of this number; `None` outside 1 to 48.
    #[must_use]
    pub const fn new(number: u8) -> Option<FieldNumber> {
        if number >= 1 && number <= FIELDS_PER_PROVINCE {
            Some(FieldNumber(number))
        } else {
            None
        }
    }

    /// The number, 1 to 48.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// All 48 in order.
    pub fn all() -> impl Iterator<Item = FieldNumber> {
        (1..=FIELDS_PER_PROVINCE).map(FieldNumber)
    }
}

impl From<FieldNumber> for u8 {
    fn from(field: FieldNumber) -> u8 {
        field.0
    }
}

impl TryFrom<u8> for FieldNumber {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        FieldNumber::new(number).ok_or("a field number lies between 1 and 48")
    }
}

/// A field named by its province and its number there; ordered by province, then number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The province.
    pub province: Hex,
    /// The field in it.
    pub field: FieldNumber,
}

/// Offsets of the fields 1 to 48 from field 1 for [`Numbering::Rows`].
const OFFSETS: [Hex; 48] = offsets();

/// For each class of [`class_of`] the number of the only field in it.
const FIELD_OF_CLASS: [u8; 48] = fields_of_classes();

const fn offsets() -> [Hex; 48] {
    let mut offsets = [Hex::ORIGIN; 48];
    let mut first = Hex::ORIGIN;
    let (mut row, mut number) = (0, 0);
    while row < ROW_LENGTHS.len() {
        let mut along = 0;
        while along < ROW_LENGTHS[row] {
            offsets[number] = Hex::new(first.q + along as i32, first.r);
            number += 1;
            along += 1;
        }
        // The first half of the rows grows to the south-west, the others shrink to the south-east.
        let step = if row < 4 {
            Direction::SouthWest
        } else {
            Direction::SouthEast
        };
        first = Hex::new(first.q + step.step().0, first.r + step.step().1);
        row += 1;
    }
    offsets
}

/// One of 48 classes, such that the fields of a province are all in different ones while the same
/// field of every province is in the same: the steps between provinces change neither remainder.
const fn class_of(hex: Hex) -> usize {
    let (q, r) = (hex.q as i64, hex.r as i64);
    ((q + r).rem_euclid(4) * 12 + (q + 2 * r).rem_euclid(12)) as usize
}

const fn fields_of_classes() -> [u8; 48] {
    let mut fields = [0; 48];
    let mut number = 0;
    while number < 48 {
        fields[class_of(OFFSETS[number])] = number as u8 + 1;
        number += 1;
    }
    fields
}

/// The mirror image at the line from the upper left to the lower right; `None` for `i32::MIN`.
fn mirrored(hex: Hex) -> Option<Hex> {
    Some(Hex::new(hex.r.checked_neg()?, hex.q.checked_neg()?))
}

impl Numbering {
    /// The offset of a field from field 1 of its province.
    #[must_use]
    pub fn offset(self, field: FieldNumber) -> Hex {
        let offset = OFFSETS.get(usize::from(field.0) - 1).copied().unwrap_or_default();
        match self {
            Numbering::Rows => offset,
            Numbering::Columns => Hex::new(-offset.r, -offset.q),
        }
    }

    /// The field on the plane; `None` outside the `i32` range.
    #[must_use]
    pub fn hex(self, place: Place) -> Option<Hex> {
        let province = match self {
            Numbering::Rows => place.province,
            Numbering::Columns => mirrored(place.province)?,
        };
        let (q, r) = (i64::from(province.q), i64::from(province.r));
        // Province direction 2 is the step (4, 4), direction 1 the step (-4, 8).
        let origin = Hex {
            q: i32::try_from(4 * q - 4 * r).ok()?,
            r: i32::try_from(4 * q + 8 * r).ok()?,
        };
        let hex = origin.checked_add(Numbering::Rows.offset(place.field))?;
        match self {
            Numbering::Rows => Some(hex),
            Numbering::Columns => mirrored(hex),
        }
    }

    /// The province and number of a field on the plane; the inverse of [`Numbering::hex`].
    ///
    /// `None` only so near the ends of `i32` that the province's field 1 lies outside.
    #[must_use]
    pub fn place(self, hex: Hex) -> Option<Place> {
        let hex = match self {
            Numbering::Rows => hex,
            Numbering::Columns => mirrored(hex)?,
        };
        let field = FieldNumber::new(*FIELD_OF_CLASS.get(class_of(hex))?)?;
        let origin = hex.checked_sub(Numbering::Rows.offset(field))?;
        let (q, r) = (i64::from(origin.q), i64::from(origin.r));
        // The class of `hex` guarantees that both divisions leave no remainder.
        let north = (r - q) / 12;
        let province = Hex {
            q: i32::try_from(q / 4 + north).ok()?,
            r: i32::try_from(north).ok()?,
        };
        let province = match self {
            Numbering::Rows => province,
            Numbering::Columns => mirrored(province)?,
        };
        Some(Place { province, field })
    }

    /// The neighbour of a field in a direction, in its own or one of the six next provinces;
    /// `None` only at the ends of `i32`.
    #[must_use]
    pub fn neighbour(self, place: Place, direction: Direction) -> Option<Place> {
        self.place(self.hex(place)?.checked_neighbour(direction)?)
    }

    /// The number of steps between two fields; `None` if one lies outside the `i32` range.
    #[must_use]
    pub fn distance(self, a: Place, b: Place) -> Option<u64> {
        Some(self.hex(a)?.distance(self.hex(b)?))
    }
}

/// An endless world of provinces: the searches of [`crate::hex`] run over its places.
impl Board for Numbering {
    type Field = Place;

    fn neighbour(&self, field: Place, direction: Direction) -> Option<Place> {
        Numbering::neighbour(*self, field, direction)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;
    use Direction::{East, NorthEast, NorthWest, SouthEast, SouthWest, West};

    const HOME: Hex = Hex::ORIGIN;

    fn at(province: Hex, number: u8) -> Place {
        let field = FieldNumber::new(number).unwrap();
        Place { province, field }
    }

    fn numberings() -> impl Strategy<Value = Numbering> {
        proptest::sample::select(vec![Numbering::Rows, Numbering::Columns])
    }

    #[test]
    fn field_numbers_run_from_1_to_48() {
        assert_eq!(FieldNumber::new(0), None);
        assert_eq!(FieldNumber::new(1).map(FieldNumber::get), Some(1));
        assert_eq!(FieldNumber::new(48).map(FieldNumber::get), Some(48));
        assert_eq!(FieldNumber::new(49), None);
        assert_eq!(FieldNumber::all().count(), 48);
        assert!(crate::codec::unpack::<FieldNumber>(&[49]).is_err());
        assert_eq!(ROW_LENGTHS.iter().sum::<u8>(), FIELDS_PER_PROVINCE);
    }

    #[test]
    fn rows_begin_where_the_table_of_kalevala_says() {
        // Table `province_geometry`: there r grows to the south, so (q, r) is (q + r, -r) here.
        let table = [
            (1, 0, 0),
            (4, 3, 0),
            (5, -1, 1),
            (9, 3, 1),
            (10, -2, 2),
            (16, -3, 3),
            (23, -4, 4),
            (30, 3, 4),
            (31, -4, 5),
            (38, -4, 6),
            (44, -4, 7),
            (48, 0, 7),
        ];
        for (number, q, r) in table {
            let offset = Numbering::Rows.offset(FieldNumber::new(number).unwrap());
            assert_eq!(offset, Hex::new(q + r, -r), "field {number}");
        }
    }

    #[test]
    fn field_1_of_phoenix_has_the_neighbours_of_the_real_table() {
        // PHOENIX GAP-01: 305/01 has NW 304/44, NE 304/45, E 305/02, SE 305/06, SW 305/05,
        // W 204/30; 304 lies to the north of 305, 204 to its north-west.
        let north = HOME.neighbour(NorthEast);
        let north_west = HOME.neighbour(NorthWest);
        let expected = [
            (NorthWest, at(north, 44)),
            (NorthEast, at(north, 45)),
            (East, at(HOME, 2)),
            (SouthEast, at(HOME, 6)),
            (SouthWest, at(HOME, 5)),
            (West, at(north_west, 30)),
        ];
        for (direction, neighbour) in expected {
            assert_eq!(Numbering::Rows.neighbour(at(HOME, 1), direction), Some(neighbour));
        }
    }

    #[test]
    fn the_eight_links_of_each_side_are_those_of_the_table() {
        // Table `province_geometry.border_links` of KALEVALA: field here, direction, field there;
        // the sides N, NE, SE, S, SW, NW are the province's directions 1 to 6.
        let (ne, e, se, sw, w, nw) = (NorthEast, East, SouthEast, SouthWest, West, NorthWest);
        let links = [
            [
                (1, ne, 45),
                (1, nw, 44),
                (2, ne, 46),
                (2, nw, 45),
                (3, ne, 47),
                (3, nw, 46),
                (4, ne, 48),
                (4, nw, 47),
            ],
            [
                (4, e, 23),
                (9, e, 31),
                (9, ne, 23),
                (15, e, 38),
                (15, ne, 31),
                (22, e, 44),
                (22, ne, 38),
                (30, ne, 44),
            ],
            [
                (30, e, 1),
                (30, se, 5),
                (37, e, 5),
                (37, se, 10),
                (43, e, 10),
                (43, se, 16),
                (48, e, 16),
                (48, se, 23),
            ],
            [
                (44, se, 1),
                (45, sw, 1),
                (45, se, 2),
                (46, sw, 2),
                (46, se, 3),
                (47, sw, 3),
                (47, se, 4),
                (48, sw, 4),
            ],
            [
                (23, w, 4),
                (23, sw, 9),
                (31, w, 9),
                (31, sw, 15),
                (38, w, 15),
                (38, sw, 22),
                (44, w, 22),
                (44, sw, 30),
            ],
            [
                (1, w, 30),
                (5, nw, 30),
                (5, w, 37),
                (10, nw, 37),
                (10, w, 43),
                (16, nw, 43),
                (16, w, 48),
                (23, nw, 48),
            ],
        ];
        let mut expected = BTreeMap::new();
        for (side, links) in Direction::ALL.into_iter().zip(links) {
            for (here, direction, there) in links {
                expected.insert((at(HOME, here), direction), at(HOME.neighbour(side), there));
            }
        }
        let mut found = BTreeMap::new();
        for field in FieldNumber::all() {
            for direction in Direction::ALL {
                let here = Place { province: HOME, field };
                let there = Numbering::Rows.neighbour(here, direction).unwrap();
                if there.province != HOME {
                    found.insert((here, direction), there);
                }
            }
        }
        assert_eq!(found, expected);
    }

    #[test]
    fn the_sample_moves_of_pygma_isis_go_to_neighbours() {
        // Examples EX-9 to EX-13 with 8 provinces a row: 73 lies one row below 65 and, its row
        // being the tenth, four columns further right, which is to the south-east.
        let (p65, p72) = (HOME, Hex::new(20, -3));
        let p73 = p65.neighbour(SouthEast);
        let ways: [&[Place]; 5] = [
            &[at(p65, 5), at(p65, 6)],
            &[at(p65, 41), at(p65, 47), at(p65, 48)],
            &[at(p65, 42), at(p65, 43), at(p73, 10)],
            &[at(p73, 5), at(p73, 6), at(p73, 2), at(p73, 3), at(p73, 4)],
            &[at(p72, 22), at(p72, 21), at(p72, 20)],
        ];
        for way in ways {
            for pair in way.windows(2) {
                assert_eq!(Numbering::Columns.distance(pair[0], pair[1]), Some(1), "{pair:?}");
            }
        }
    }

    #[test]
    fn provinces_counted_in_columns_lie_as_pygma_isis_says() {
        // Eight columns apart in a row; the next row four columns to the right and six lower.
        // East by one column is half of the steps 2 (NE) and 3 (SE), south is step 4.
        let first = |province| Numbering::Columns.hex(at(province, 1)).unwrap();
        let columns = |n: u32| Hex::ORIGIN.moved(East, n / 2).moved(SouthEast, n / 2);
        assert_eq!(first(HOME), Hex::ORIGIN);
        assert_eq!(first(HOME.neighbour(East)), columns(8));
        assert_eq!(first(HOME.neighbour(SouthEast)), columns(4).moved(SouthWest, 6));
        // Within a column the numbers run to the south; column 2 begins to the north-east.
        assert_eq!(Numbering::Columns.neighbour(at(HOME, 1), SouthWest), Some(at(HOME, 2)));
        assert_eq!(Numbering::Columns.neighbour(at(HOME, 1), East), Some(at(HOME, 5)));
    }

    #[test]
    fn no_two_fields_of_a_province_are_more_than_seven_steps_apart() {
        let widest = FieldNumber::all()
            .flat_map(|a| FieldNumber::all().map(move |b| (a, b)))
            .map(|(a, b)| Numbering::Rows.offset(a).distance(Numbering::Rows.offset(b)))
            .max();
        assert_eq!(widest, Some(7));
    }

    #[test]
    fn provinces_cover_an_area_without_hole_or_overlap() {
        for numbering in [Numbering::Rows, Numbering::Columns] {
            let mut covered = BTreeSet::new();
            for province in HOME.range(6) {
                for field in FieldNumber::all() {
                    let hex = numbering.hex(Place { province, field }).unwrap();
                    assert!(covered.insert(hex), "{numbering:?} {hex:?} twice");
                }
            }
            // Six rings of provinces reach at least 30 fields from the middle one.
            assert!(HOME.range(30).all(|hex| covered.contains(&hex)), "{numbering:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

        #[test]
        fn a_field_and_its_place_belong_together(
            numbering in numberings(), q in -9999i32..9999, r in -9999i32..9999
        ) {
            let hex = Hex { q, r };
            let place = numbering.place(hex).unwrap();
            prop_assert_eq!(numbering.hex(place), Some(hex));
            let number = place.field.get();
            let place = at(hex, number);
            prop_assert_eq!(numbering.place(numbering.hex(place).unwrap()), Some(place));
            // Every province is the same picture, laid down where its field 1 is.
            let first = numbering.hex(at(place.province, 1)).unwrap();
            prop_assert_eq!(first.checked_add(numbering.offset(place.field)), numbering.hex(place));
        }

        #[test]
        fn neighbours_are_mutual_and_at_most_one_province_away(
            numbering in numberings(), q in -99i32..99, r in -99i32..99, number in 1u8..=48
        ) {
            let here = at(Hex { q, r }, number);
            let mut around = BTreeSet::new();
            for direction in Direction::ALL {
                let there = numbering.neighbour(here, direction).unwrap();
                prop_assert!(there.province.distance(here.province) <= 1);
                prop_assert_eq!(numbering.neighbour(there, direction.opposite()), Some(here));
                prop_assert_eq!(numbering.distance(here, there), Some(1));
                prop_assert!(around.insert(there));
            }
        }

        #[test]
        fn the_ends_of_the_numbers_do_not_panic(
            numbering in numberings(), q in any::<i32>(), r in any::<i32>(), number in 1u8..=48
        ) {
            for hex in [Hex { q, r }, Hex { q: i32::MIN, r }, Hex { q: i32::MAX, r: i32::MAX }] {
                if let Some(place) = numbering.place(hex) {
                    prop_assert_eq!(numbering.hex(place), Some(hex));
                }
                let _ = numbering.hex(at(hex, number));
            }
        }
    }
}
