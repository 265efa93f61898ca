//! Rivers: along the edges of fields, downhill, to the sea (PYG-GAP-05).
//!
//! A river runs from corner to corner of the hexes; three fields meet at each. The level of a corner is the lowest height of its three
//! fields, and less than any at the shore. Water is followed upstream from the shore and never to a lower level; then rain is gathered
//! downstream, and where enough has come together there is a river.

use super::land::Land;
use super::lot::{Lot, Purpose};
use super::relief::Relief;
use crate::state::Field;
use kernel::hex::Direction;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// River edges for a hundred land fields.
const DENSITY: usize = 22;

/// A corner: the three fields that meet there, in order.
type Corner = [usize; 3];

/// The corner at a field between a direction and the next one clockwise; nothing at the edge of the world.
fn corner(land: &Land, field: usize, direction: Direction) -> Option<Corner> {
    let mut fields = [
        field,
        land.step(field, direction)?,
        land.step(field, direction.rotate(1))?,
    ];
    fields.sort_unstable();
    Some(fields)
}

/// Height of a corner: 0 at the shore, above that the lowest of its fields.
fn level(relief: &Relief, corner: Corner) -> u8 {
    let heights = corner.map(|field| relief.heights[field].map_or(0, |height| height + 1));
    heights.into_iter().min().unwrap_or(0)
}

/// Lets rivers run: sets the river sides of the fields. Nothing flows where both banks are kept free.
pub(super) fn run(land: &Land, lot: Lot, relief: &Relief, is_kept: impl Fn(usize) -> bool, fields: &mut [Field]) {
    let ways = edges(land, relief);
    let (downstream, order) = drain(lot, relief, &ways);
    let mut flow: BTreeMap<Corner, u64> = BTreeMap::new();
    for corner in order.iter().rev() {
        let wet: usize = corner.iter().map(|field| relief.wetness[*field]).sum();
        let here = flow.entry(*corner).or_default();
        *here += 100 + wet as u64 / 3;
        let here = *here;
        if let Some((to, _, _)) = downstream.get(corner) {
            *flow.entry(*to).or_default() += here;
        }
    }
    let mut springs: Vec<(u64, Corner)> = downstream
        .keys()
        .map(|corner| (flow.get(corner).copied().unwrap_or(0), *corner))
        .collect();
    springs.sort_unstable_by_key(|(flow, corner)| (Reverse(*flow), *corner));
    let count = (0..land.len()).filter(|field| relief.is_land(*field)).count() * DENSITY / 100;
    // What flows grows all the way down, so a river that was chosen is one down to the sea.
    for (_, corner) in springs.into_iter().take(count) {
        let Some((_, one, side)) = downstream.get(&corner).copied() else {
            continue;
        };
        let Some(other) = land.step(one, side) else { continue };
        if !(is_kept(one) && is_kept(other)) {
            fields[one].rivers.insert(side);
            fields[other].rivers.insert(side.opposite());
        }
    }
}

/// A way along an edge: the corner it leads to, and the edge.
type Way = (Corner, usize, Direction);

/// All ways between corners along edges of two land fields.
fn edges(land: &Land, relief: &Relief) -> BTreeMap<Corner, Vec<Way>> {
    let mut ways: BTreeMap<Corner, Vec<Way>> = BTreeMap::new();
    for field in (0..land.len()).filter(|field| relief.is_land(*field)) {
        for side in Direction::ALL {
            let Some(beside) = land
                .step(field, side)
                .filter(|beside| *beside > field && relief.is_land(*beside))
            else {
                continue;
            };
            let ends = (corner(land, field, side), corner(land, field, side.rotate(-1)));
            let (Some(one), Some(two)) = ends else { continue };
            debug_assert!(one.contains(&beside) && two.contains(&beside));
            ways.entry(one).or_default().push((two, field, side));
            ways.entry(two).or_default().push((one, field, side));
        }
    }
    ways
}

/// For every corner with a way down to the sea the first part of it, and the corners in an order from the sea upwards.
fn drain(lot: Lot, relief: &Relief, ways: &BTreeMap<Corner, Vec<Way>>) -> (BTreeMap<Corner, Way>, Vec<Corner>) {
    let mut downstream: BTreeMap<Corner, Way> = BTreeMap::new();
    let mut open = BinaryHeap::new();
    let draw = |corner: Corner| lot.draw(Purpose::River, (corner[0] as u64) << 32 | corner[2] as u64);
    let elevation = |corner: Corner| corner.iter().map(|field| relief.elevation[*field]).sum::<i64>();
    for corner in ways.keys().copied().filter(|corner| level(relief, *corner) == 0) {
        open.push(Reverse((0u8, i64::MIN, draw(corner), corner)));
    }
    let mut order = Vec::new();
    while let Some(Reverse((here, filled, _, corner))) = open.pop() {
        order.push(corner);
        for (to, field, side) in ways.get(&corner).into_iter().flatten().copied() {
            let there = level(relief, to);
            if there == 0 || there < here || downstream.contains_key(&to) {
                continue;
            }
            downstream.insert(to, (corner, field, side));
            open.push(Reverse((there, elevation(to).max(filled), draw(to), to)));
        }
    }
    (downstream, order)
}
