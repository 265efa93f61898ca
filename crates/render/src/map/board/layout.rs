//! Where pieces lie on their fields: piles of alike ones, side by side, lower storeys further down.

use std::collections::BTreeMap;

use kernel::board::{Level, Piece};
use kernel::map::{Orientation, Spot};

use super::super::atlas::{HALF, ROW};

/// Pieces that lie visibly upon each other; the others hide below.
const PILE: usize = 3;

/// Where one piece is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seat {
    /// Its place in the list of pieces.
    pub piece: usize,
    /// East, in units of the drawing.
    pub x: f64,
    /// South.
    pub y: f64,
    /// Width of its counter.
    pub size: f64,
    /// How many pieces lie in its pile, told by the uppermost; 0 for the others.
    pub pile: usize,
}

/// The middle of a field in units of the drawing.
pub fn centre(orientation: Orientation, at: Spot) -> (f64, f64) {
    let (x, y) = (f64::from(at.d) * HALF, -f64::from(at.y) * ROW);
    match orientation {
        Orientation::PointyTop => (x, y),
        Orientation::FlatTop => (-y, -x),
    }
}

/// Places of the counters of a field with so many piles, and their width.
fn grid(piles: usize) -> (Vec<(f64, f64)>, f64) {
    let rows = |list: &[&[f64]], height: f64| -> Vec<(f64, f64)> {
        let middle = (list.len() as f64 - 1.0) / 2.0;
        let row = |(n, row): (usize, &&[f64])| {
            let y = (middle - n as f64) * height;
            row.iter().map(|x| (*x, y + 2.5)).collect::<Vec<_>>()
        };
        list.iter().enumerate().flat_map(row).collect()
    };
    match piles {
        0 | 1 => (rows(&[&[0.0]], 0.0), 25.0),
        2 => (rows(&[&[-11.5, 11.5]], 0.0), 21.5),
        3 => (rows(&[&[-11.0, 11.0], &[0.0]], 19.5), 19.5),
        4 => (rows(&[&[-11.0, 11.0], &[-11.0, 11.0]], 20.0), 19.0),
        5 | 6 => (rows(&[&[-8.0, 8.0], &[-16.0, 0.0, 16.0], &[0.0]], 15.8), 15.0),
        7..=9 => (
            rows(&[&[-13.6, 0.0, 13.6], &[-13.6, 0.0, 13.6], &[-13.6, 0.0, 13.6]], 13.6),
            13.0,
        ),
        _ => (
            rows(
                &[
                    &[-16.5, -5.5, 5.5, 16.5],
                    &[-16.5, -5.5, 5.5, 16.5],
                    &[-16.5, -5.5, 5.5, 16.5],
                ],
                12.5,
            ),
            10.6,
        ),
    }
}

/// Where every piece is drawn. Pieces of one place, owner, kind and look lie in a pile.
pub fn seats(orientation: Orientation, levels: &[Level], pieces: &[Piece]) -> Vec<Seat> {
    let by_place: BTreeMap<&str, &Level> = levels.iter().map(|level| (level.place.as_str(), level)).collect();
    // Field, then piles from the ground up.
    type Look<'a> = (
        i8,
        Option<u16>,
        &'a str,
        Option<usize>,
        bool,
        Vec<&'a str>,
        Option<&'a str>,
    );
    let mut fields: BTreeMap<Spot, BTreeMap<Look<'_>, Vec<usize>>> = BTreeMap::new();
    for (index, piece) in pieces.iter().enumerate() {
        let Some(level) = by_place.get(piece.place.as_str()) else {
            continue;
        };
        let look = (
            level.height,
            piece.owner.map(|owner| owner.0),
            &*piece.kind,
            piece.facing.map(kernel::map::Side::index),
            piece.can_act,
            piece.states.iter().map(|state| &**state).collect(),
            piece.on.as_deref(),
        );
        fields.entry(level.at).or_default().entry(look).or_default().push(index);
    }
    let mut seats = Vec::with_capacity(pieces.len());
    for (at, piles) in fields {
        let (x, y) = centre(orientation, at);
        let (places, size) = grid(piles.len());
        let last = places.len().saturating_sub(1);
        let mut heaps: Vec<Vec<usize>> = Vec::new();
        for (n, pile) in piles.into_values().enumerate() {
            // More piles than places: what is left lies on the last.
            match heaps.get_mut(last) {
                Some(heap) if n > last => heap.extend(pile),
                _ => heaps.push(pile),
            }
        }
        for ((dx, dy), heap) in places.into_iter().zip(heaps) {
            let top = heap.len().saturating_sub(1);
            for (n, piece) in heap.iter().copied().enumerate() {
                let below = (top - n).min(PILE) as f64 * size * 0.055;
                seats.push(Seat {
                    piece,
                    x: x + dx + below,
                    y: y + dy + below,
                    size,
                    pile: if n == top { heap.len() } else { 0 },
                });
            }
        }
    }
    seats
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::report::Term;

    fn level(place: &str, at: Spot, height: i8) -> Level {
        Level {
            place: place.into(),
            at,
            height,
            name: Term {
                key: "ground".into(),
                args: Vec::new(),
            },
            room: None,
            openings: Vec::new(),
        }
    }

    fn piece(name: &str, place: &str) -> Piece {
        Piece {
            name: name.into(),
            kind: "S".into(),
            place: place.into(),
            ..Piece::default()
        }
    }

    #[test]
    fn alike_pieces_lie_in_one_pile_and_its_top_tells_their_number() {
        let levels = [level("1", Spot::new(0, 0), 0)];
        let pieces = [piece("S#1", "1"), piece("S#2", "1"), piece("S#3", "1")];
        let seats = seats(Orientation::PointyTop, &levels, &pieces);
        assert_eq!(seats.iter().map(|seat| seat.pile).collect::<Vec<_>>(), [0, 0, 3]);
    }

    #[test]
    fn whoever_stands_higher_is_drawn_higher_and_nobody_off_the_board_is_drawn() {
        let at = Spot::new(2, 0);
        let levels = [level("1", at, 0), level("1.1", at, 1), level("1.P", at, 2)];
        let mut pieces = vec![piece("S#1", "1"), piece("S#2", "1.1"), piece("S#3", "1.P")];
        pieces.push(piece("S#4", "99"));
        let seats = seats(Orientation::PointyTop, &levels, &pieces);
        assert_eq!(seats.len(), 3);
        let y = |piece: usize| seats.iter().find(|seat| seat.piece == piece).unwrap().y;
        assert!(y(2) < y(0));
    }

    #[test]
    fn no_counter_leaves_its_field_and_no_piece_is_lost_however_many_there_are() {
        let at = Spot::new(0, 0);
        let levels = [level("1", at, 0)];
        for count in 1..40usize {
            let pieces: Vec<Piece> = (0..count)
                .map(|n| Piece {
                    kind: format!("K{n}").into(),
                    ..piece(&format!("K{n}#1"), "1")
                })
                .collect();
            let seats = seats(Orientation::PointyTop, &levels, &pieces);
            assert_eq!(seats.len(), count);
            for seat in seats {
                assert!(seat.x.abs() + seat.size / 2.0 <= 27.0, "{count}: {seat:?}");
                assert!(seat.y.abs() + seat.size / 2.0 <= 30.0, "{count}: {seat:?}");
            }
        }
    }
}
