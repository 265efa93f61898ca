//! What must hold for hexes, grids and searches.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;

fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(64)
    }
}

fn hexes() -> impl Strategy<Value = Hex> {
    (-30i32..30, -30i32..30).prop_map(|(q, r)| Hex { q, r })
}

fn directions() -> impl Strategy<Value = Direction> {
    proptest::sample::select(Direction::ALL.to_vec())
}

fn grids() -> impl Strategy<Value = Grid> {
    let wraps = proptest::sample::select(vec![Wrap::Plane, Wrap::Cylinder, Wrap::Torus]);
    (3u32..12, 2u32..6, wraps).prop_map(|(columns, half, wrap)| Grid::new(columns, 2 * half, wrap).unwrap())
}

/// Grids with an odd number of rows too, which only a torus cannot have.
fn grids_with_fields() -> impl Strategy<Value = (Grid, FieldIndex, FieldIndex)> {
    let open = (3u32..9, 1u32..12, any::<bool>()).prop_map(|(columns, rows, closed)| {
        let wrap = if closed { Wrap::Cylinder } else { Wrap::Plane };
        Grid::new(columns, rows, wrap).unwrap()
    });
    prop_oneof![grids(), open].prop_flat_map(|grid| {
        let field = (0..grid.field_count()).prop_map(FieldIndex);
        (Just(grid), field.clone(), field)
    })
}

/// The steps from a field to all others, counted by walking.
fn walked<B: Board>(board: &B, start: B::Field, limit: usize) -> BTreeMap<B::Field, u32> {
    reach(board, start, u32::MAX, limit, |_, _, _| Some(1))
        .fields
        .into_iter()
        .map(|(field, reached)| (field, reached.cost))
        .collect()
}

#[test]
fn the_neighbours_of_doubled_1_1_are_those_of_the_sample_report() {
    // THO-MAP-04, example EX-1: directions 1 to 6 of the field (1, 1).
    let here = Doubled::new(1, 1).hex().unwrap();
    let around = here.neighbours().map(|hex| {
        let place = Doubled::from(hex);
        (place.d, place.y)
    });
    assert_eq!(around, [(2, 2), (3, 1), (2, 0), (0, 0), (-1, 1), (0, 2)]);
}

#[test]
fn digits_run_from_one_to_six_and_opposites_differ_by_three() {
    assert_eq!(Direction::from_digit(0), None);
    assert_eq!(Direction::from_digit(7), None);
    for digit in 1..=6u8 {
        let direction = Direction::from_digit(digit).unwrap();
        assert_eq!(direction.digit(), digit);
        // THO-MAP-05.
        assert_eq!(direction.opposite().digit(), (digit + 2) % 6 + 1);
        assert_eq!(direction.rotate(i32::MAX).rotate(i32::MIN), direction.rotate(-1));
        let bytes = crate::codec::pack(&direction).unwrap();
        assert_eq!(bytes, [digit]);
        assert_eq!(crate::codec::unpack::<Direction>(&bytes).unwrap(), direction);
    }
    assert!(crate::codec::unpack::<Direction>(&[0]).is_err());
    assert!(crate::codec::unpack::<Direction>(&[7]).is_err());
}

#[test]
fn a_ring_of_one_is_the_six_neighbours_in_order() {
    let here = Hex { q: 3, r: -2 };
    assert_eq!(here.ring(1).collect::<Vec<_>>(), here.neighbours());
    assert_eq!(here.ring(0).collect::<Vec<_>>(), [here]);
}

#[test]
fn a_line_between_two_fields_goes_to_the_smaller_one() {
    // Straight north the second sample lies between (-1, 1) and (0, 1).
    let north = Hex { q: -1, r: 2 };
    let line: Vec<Hex> = Hex::ORIGIN.line(north).collect();
    assert_eq!(line, [Hex::ORIGIN, Hex { q: -1, r: 1 }, north]);
}

#[test]
fn a_line_along_an_edge_stays_on_the_grid() {
    // Straight north the samples lie between two fields each; by the tie rule alone the western one would be taken, which does not exist.
    let grid = Grid::new(3, 5, Wrap::Plane).unwrap();
    let at = |d, y| grid.at(Doubled::new(d, y)).unwrap();
    assert_eq!(
        grid.line(at(0, 0), at(0, 4)),
        [at(0, 0), at(1, 1), at(0, 2), at(1, 3), at(0, 4)]
    );
    // In the middle of the grid the tie rule decides.
    assert_eq!(grid.line(at(2, 0), at(2, 2)), [at(2, 0), at(1, 1), at(2, 2)]);
}

#[test]
fn the_ends_of_the_numbers_do_not_panic() {
    let corner = Hex {
        q: i32::MAX,
        r: i32::MAX,
    };
    let other = Hex {
        q: i32::MIN,
        r: i32::MIN,
    };
    assert_eq!(corner.neighbour(Direction::East), corner);
    assert_eq!(corner.checked_neighbour(Direction::East), None);
    assert_eq!(corner.distance(other), 2 * u64::from(u32::MAX));
    assert_eq!(corner.line(other).next(), Some(corner));
    assert_eq!(corner.ring(u32::MAX).next(), Some(corner));
    assert_eq!(Doubled::new(i64::MIN, 0).hex(), None);
    assert_eq!(Doubled::new(i64::MIN, i64::MAX - 1).hex(), None);
    assert_eq!(Doubled::new(i64::MIN, i64::MIN).length(), 1 << 63);
    let grid = Grid::new(3, 4, Wrap::Torus).unwrap();
    let last = FieldIndex(u32::MAX);
    assert_eq!(grid.neighbour(last, Direction::East), None);
    assert_eq!(
        grid.moved(FieldIndex(0), Doubled::new(i64::MAX, 1)),
        Some(FieldIndex(3))
    );
    assert_eq!(grid.moved(FieldIndex(5), Doubled::new(i64::MAX, 1)), None);
    let _ = (
        grid.range(last, u32::MAX),
        grid.line(last, FieldIndex(0)),
        grid.hex(last),
    );
}

#[test]
fn grids_that_cannot_be_are_refused() {
    use GridError::*;
    assert_eq!(Grid::new(0, 5, Wrap::Plane), Err(TooSmall));
    assert!(Grid::new(1, 1, Wrap::Plane).is_ok());
    assert_eq!(Grid::new(2, 5, Wrap::Cylinder), Err(TooSmall));
    assert!(Grid::new(3, 5, Wrap::Cylinder).is_ok());
    assert_eq!(Grid::new(3, 2, Wrap::Torus), Err(TooSmall));
    assert_eq!(Grid::new(3, 5, Wrap::Torus), Err(OddRows));
    assert!(Grid::new(2000, 2000, Wrap::Torus).is_ok());
    assert_eq!(Grid::new(4_000_001, 1, Wrap::Plane), Err(TooLarge));
    assert_eq!(Grid::new(u32::MAX, u32::MAX, Wrap::Plane), Err(TooLarge));
    let stored = |columns: u32| crate::codec::pack(&(columns, 5u32, Wrap::Cylinder)).unwrap();
    assert!(crate::codec::unpack::<Grid>(&stored(3)).is_ok());
    assert!(crate::codec::unpack::<Grid>(&stored(2)).is_err());
}

#[test]
fn the_world_of_200_columns_closes_east_and_west() {
    // THO-MAP-06 and -07 with W = 200, H = 116.
    let grid = Grid::new(200, 116, Wrap::Cylinder).unwrap();
    let at = |d, y| grid.at(Doubled::new(d, y)).unwrap();
    assert_eq!(grid.field_count(), 23_200);
    assert_eq!(grid.neighbour(at(398, 10), Direction::East), Some(at(0, 10)));
    assert_eq!(grid.neighbour(at(0, 10), Direction::NorthWest), Some(at(399, 11)));
    assert_eq!(grid.neighbour(at(5, 115), Direction::NorthEast), None);
    assert_eq!(grid.neighbour(at(4, 0), Direction::SouthWest), None);
    assert_eq!(grid.distance(at(0, 10), at(398, 10)), 1);
    assert_eq!(grid.distance(at(0, 0), at(200, 0)), 100);
    assert_eq!(grid.distance(at(0, 0), at(202, 0)), 99);
    assert_eq!(grid.distance(at(3, 1), at(3, 7)), 6);
    // The opposite side is given as -W, the largest as W - 1.
    assert_eq!(grid.offset(at(0, 0), at(200, 0)), Doubled::new(-200, 0));
    assert_eq!(grid.offset(at(0, 0), at(199, 1)), Doubled::new(199, 1));
    // Once round the world is the same field; between two fields is none.
    assert_eq!(grid.moved(at(7, 3), Doubled::new(400, 0)), Some(at(7, 3)));
    assert_eq!(grid.at(Doubled::new(1, 2)), None);
    assert_eq!(grid.at(Doubled::new(0, 116)), None);
    assert_eq!(grid.at(Doubled::new(-1, -1)), None);
}

#[test]
fn of_two_equal_paths_the_one_over_the_smaller_field_is_taken() {
    // Two steps straight north lead over (-1, 1) or (0, 1).
    let goal = Hex { q: -1, r: 2 };
    let found = path(&OpenPlane, Hex::ORIGIN, goal, 100, |_, _, _| Some(3)).unwrap();
    assert_eq!(found.cost, 6);
    assert_eq!(found.fields, [Hex::ORIGIN, Hex { q: -1, r: 1 }, goal]);
    assert_eq!(found.directions, [Direction::NorthWest, Direction::NorthEast]);
}

#[test]
fn a_dear_field_is_avoided_and_a_closed_one_stops_the_way() {
    let goal = Hex { q: 2, r: 0 };
    let between = Hex { q: 1, r: 0 };
    let price = |dear: u32| move |_: Hex, _: Direction, to: Hex| Some(if to == between { dear } else { 1 });
    // Straight over the dear field costs dear + 1, round it 3.
    let straight = path(&OpenPlane, Hex::ORIGIN, goal, 100, price(1)).unwrap();
    assert_eq!((straight.cost, straight.fields.len()), (2, 3));
    let around = path(&OpenPlane, Hex::ORIGIN, goal, 100, price(3)).unwrap();
    assert_eq!((around.cost, around.fields.len()), (3, 4));
    let no_way = path(&OpenPlane, Hex::ORIGIN, goal, 100, |_, _, _| None);
    assert_eq!(no_way, Err(NoPath::Unreachable));
    let too_far = path(&OpenPlane, Hex::ORIGIN, goal, 1, price(1));
    assert_eq!(too_far, Err(NoPath::LimitReached));
    // The goal itself counts: seven fields are nearer, and of the ring around them it is the third.
    let everywhere = |_: Hex, _: Direction, _: Hex| Some(1);
    let steps_to = |limit| path(&OpenPlane, Hex::ORIGIN, goal, limit, everywhere).map(|path| path.cost);
    let before = Hex::ORIGIN.ring(2).filter(|field| *field < goal).count();
    assert_eq!(steps_to(7 + before), Err(NoPath::LimitReached));
    assert_eq!(steps_to(7 + before + 1), Ok(2));
    let too_dear = path(&OpenPlane, Hex::ORIGIN, goal, 100, |from, _, _| {
        Some(if from == Hex::ORIGIN { u32::MAX } else { 1 })
    });
    // The neighbours cost exactly u32::MAX and are reached, anything beyond is too dear.
    assert_eq!(too_dear, Err(NoPath::Unreachable));
    let home = path(&OpenPlane, goal, goal, 1, |_, _, _| None).unwrap();
    assert_eq!((home.cost, home.fields, home.directions), (0, vec![goal], vec![]));
}

#[test]
fn a_flood_stays_within_its_shore_and_its_limit() {
    let island = |_: Hex, _: Direction, to: Hex| to.distance(Hex::ORIGIN) <= 2;
    let whole = flood(&OpenPlane, Hex::ORIGIN, 19, island);
    assert_eq!(whole.fields[..7], Hex::ORIGIN.range(1).collect::<Vec<_>>());
    assert_eq!((whole.fields.len(), whole.complete), (19, true));
    let cut = flood(&OpenPlane, Hex::ORIGIN, 18, island);
    assert_eq!(cut.fields, whole.fields[..18]);
    assert!(!cut.complete);
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn sides_are_a_set_of_directions(changes in proptest::collection::vec((directions(), any::<bool>()), 0..20)) {
        let (mut sides, mut expected) = (Sides::NONE, BTreeSet::new());
        for (direction, set) in changes {
            if set {
                sides.insert(direction);
                expected.insert(direction);
            } else {
                sides.remove(direction);
                expected.remove(&direction);
            }
            for side in Direction::ALL {
                prop_assert_eq!(sides.has(side), expected.contains(&side));
            }
        }
        prop_assert!(Direction::ALL.iter().all(|side| Sides::ALL.has(*side) && !Sides::NONE.has(*side)));
    }

    #[test]
    fn any_number_of_times_round_the_world_is_the_same_field((grid, field, _) in grids_with_fields(), east in -5i64..=5, north in -5i64..=5) {
        let here = grid.doubled(field);
        let (d, y) = (2 * i64::from(grid.columns()) * east, i64::from(grid.rows()) * north);
        let found = |d: i64, y: i64| grid.at(Doubled::new(here.d + d, here.y + y)) == Some(field);
        prop_assert_eq!(found(d, 0), east == 0 || grid.wrap() != Wrap::Plane);
        prop_assert_eq!(found(0, y), north == 0 || grid.wrap() == Wrap::Torus);
        prop_assert_eq!(found(d, y), (east == 0 || grid.wrap() != Wrap::Plane) && (north == 0 || grid.wrap() == Wrap::Torus));
    }

    #[test]
    fn a_search_settles_as_many_fields_as_it_may((grid, start, _) in grids_with_fields(), limit in 1usize..40) {
        let all = walked(&grid, start, 10_000).len();
        let near = reach(&grid, start, u32::MAX, limit, |_, _, _| Some(1));
        prop_assert_eq!((near.fields.len(), near.complete), (limit.min(all), limit >= all));
        let area = flood(&grid, start, limit, |_, _, _| true);
        prop_assert_eq!((area.fields.len(), area.complete), (limit.min(all), limit >= all));
        // Fewest steps first, whatever was cut off.
        let steps: Vec<u32> = area.fields.iter().map(|field| grid.distance(start, *field)).collect();
        prop_assert!(steps.is_sorted());
    }

    #[test]
    fn axial_and_doubled_name_the_same_field(hex in any::<(i32, i32)>(), direction in directions()) {
        let hex = Hex { q: hex.0, r: hex.1 };
        let doubled = Doubled::from(hex);
        prop_assert!(doubled.is_field());
        prop_assert_eq!(doubled.hex(), Some(hex));
        prop_assert_eq!(doubled.length(), hex.distance(Hex::ORIGIN));
        if let Some(next) = hex.checked_neighbour(direction) {
            prop_assert_eq!(next.checked_neighbour(direction.opposite()), Some(hex));
            prop_assert_eq!(hex.direction_to(next), Some(direction));
            prop_assert_eq!(hex.distance(next), 1);
        }
    }

    #[test]
    fn six_steps_in_a_circle_lead_home(hex in hexes(), direction in directions(), steps in 0u32..9) {
        let mut here = hex;
        for turn in 0..6 {
            here = here.moved(direction.rotate(turn), steps);
        }
        prop_assert_eq!(here, hex);
    }

    #[test]
    fn rings_and_ranges_hold_each_field_once_at_its_distance(hex in hexes(), radius in 0u32..7) {
        let ring: Vec<Hex> = hex.ring(radius).collect();
        prop_assert_eq!(ring.len() as u32, if radius == 0 { 1 } else { 6 * radius });
        prop_assert!(ring.iter().all(|&field| field.distance(hex) == u64::from(radius)));
        prop_assert!(ring.windows(2).all(|pair| pair[0].distance(pair[1]) == 1));
        let range: Vec<Hex> = hex.range(radius).collect();
        prop_assert_eq!(range.len() as u32, 3 * radius * (radius + 1) + 1);
        let once: BTreeSet<Hex> = range.iter().copied().collect();
        prop_assert_eq!(once.len(), range.len());
        prop_assert!(range.is_sorted_by_key(|field| field.distance(hex)));
    }

    #[test]
    fn distance_is_the_number_of_steps(a in hexes(), b in hexes(), c in hexes()) {
        prop_assert_eq!(a.distance(b), b.distance(a));
        prop_assert_eq!(a.distance(b) == 0, a == b);
        prop_assert!(a.distance(c) <= a.distance(b) + b.distance(c));
        let line: Vec<Hex> = a.line(b).collect();
        prop_assert_eq!(line.len() as u64, a.distance(b) + 1);
        prop_assert_eq!((line[0], line[line.len() - 1]), (a, b));
        prop_assert!(line.windows(2).all(|pair| pair[0].distance(pair[1]) == 1));
    }

    #[test]
    fn a_line_back_has_the_same_fields(a in hexes(), b in hexes()) {
        let mut back: Vec<Hex> = b.line(a).collect();
        back.reverse();
        prop_assert_eq!(a.line(b).collect::<Vec<_>>(), back);
    }

    #[test]
    fn a_field_number_and_its_place_belong_together(grid in grids()) {
        let mut places = BTreeSet::new();
        for field in grid.fields() {
            let place = grid.doubled(field);
            prop_assert!(place.is_field());
            prop_assert!((0..2 * i64::from(grid.columns())).contains(&place.d));
            prop_assert!((0..i64::from(grid.rows())).contains(&place.y));
            prop_assert_eq!(grid.at(place), Some(field));
            prop_assert_eq!(Doubled::from(grid.hex(field)), place);
            prop_assert!(places.insert(place));
        }
        // The numbers follow the order of the places: row by row from the south.
        let fields: Vec<_> = places.iter().filter_map(|&place| grid.at(place)).collect();
        prop_assert!(fields.iter().copied().eq(grid.fields()));
        prop_assert!((0..=grid.rows()).flat_map(|row| grid.row(row)).eq(grid.fields()));
        for field in grid.row(grid.rows() - 1) {
            prop_assert_eq!(grid.doubled(field).y, i64::from(grid.rows()) - 1);
        }
        let bytes = crate::codec::pack(&grid).unwrap();
        prop_assert_eq!(crate::codec::unpack::<Grid>(&bytes).unwrap(), grid);
    }

    #[test]
    fn neighbours_on_a_grid_are_mutual_and_missing_only_at_edges((grid, field, _) in grids_with_fields()) {
        let mut seen = BTreeSet::new();
        for direction in Direction::ALL {
            let Some(next) = grid.neighbour(field, direction) else {
                prop_assert!(grid.wrap() != Wrap::Torus);
                let y = grid.doubled(field).y;
                let at_pole = y == 0 || y + 1 == i64::from(grid.rows());
                prop_assert!(grid.wrap() == Wrap::Plane || at_pole);
                continue;
            };
            prop_assert_eq!(grid.neighbour(next, direction.opposite()), Some(field));
            prop_assert_eq!(grid.direction_to(field, next), Some(direction));
            prop_assert!(next != field && seen.insert(next));
        }
    }

    #[test]
    fn distance_on_a_grid_is_what_walking_takes((grid, start, _) in grids_with_fields()) {
        let steps = walked(&grid, start, 10_000);
        for field in grid.fields() {
            prop_assert_eq!(steps.get(&field), Some(&grid.distance(start, field)), "{:?}", field);
            prop_assert_eq!(grid.moved(start, grid.offset(start, field)), Some(field));
        }
    }

    #[test]
    fn a_range_on_a_grid_is_what_lies_within((grid, centre, _) in grids_with_fields(), radius in 0u32..9) {
        let mut expected: Vec<FieldIndex> = grid.fields().filter(|&f| grid.distance(centre, f) <= radius).collect();
        expected.sort_by_key(|&field| (grid.distance(centre, field), field));
        prop_assert_eq!(grid.range(centre, radius), expected.clone());
        expected.retain(|&field| grid.distance(centre, field) == radius);
        prop_assert_eq!(grid.ring(centre, radius), expected);
    }

    #[test]
    fn a_line_on_a_grid_never_leaves_it((grid, from, to) in grids_with_fields()) {
        let line = grid.line(from, to);
        prop_assert_eq!(line.len() as u32, grid.distance(from, to) + 1);
        prop_assert_eq!((line[0], line[line.len() - 1]), (from, to));
        prop_assert!(line.windows(2).all(|pair| grid.distance(pair[0], pair[1]) == 1));
    }

    #[test]
    fn path_reach_and_flood_agree(
        (grid, start, goal) in grids_with_fields(), prices in proptest::collection::vec(0u32..5, 150), budget in 0u32..12
    ) {
        // Price 4 closes a field; the price of a step is that of the field entered.
        let price = |_: FieldIndex, _: Direction, to: FieldIndex| {
            prices.get(to.index() % prices.len()).copied().filter(|&price| price < 4)
        };
        let all = reach(&grid, start, u32::MAX, 10_000, price);
        prop_assert!(all.complete);
        // No cheaper step remains anywhere, which is what makes the costs least.
        for (&field, reached) in &all.fields {
            for (direction, next) in grid.neighbours(field) {
                if let Some(step) = price(field, direction, next) {
                    prop_assert!(all.cost(next).unwrap() <= reached.cost + step);
                }
            }
        }
        match path(&grid, start, goal, 10_000, price) {
            Ok(found) => {
                prop_assert_eq!(all.path_to(goal), Some(found.clone()));
                let mut sum = 0;
                for (pair, &direction) in found.fields.windows(2).zip(&found.directions) {
                    prop_assert_eq!(grid.neighbour(pair[0], direction), Some(pair[1]));
                    sum += price(pair[0], direction, pair[1]).unwrap();
                }
                prop_assert_eq!(sum, found.cost);
            }
            Err(reason) => {
                prop_assert_eq!(reason, NoPath::Unreachable);
                prop_assert_eq!(all.cost(goal), None);
            }
        }
        let near = reach(&grid, start, budget, 10_000, price);
        let expected: BTreeMap<_, _> = all.fields.iter().filter(|(_, r)| r.cost <= budget).map(|(f, r)| (*f, *r)).collect();
        prop_assert_eq!(near.fields, expected);
        let area: BTreeSet<_> = flood(&grid, start, 10_000, |a, d, b| price(a, d, b).is_some()).fields.into_iter().collect();
        prop_assert!(area.iter().eq(all.fields.keys()));
    }
}
