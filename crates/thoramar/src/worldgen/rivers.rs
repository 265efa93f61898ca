//! Rivers: along the edges of fields, downhill, to the sea (THO-MAP-10).
//!
//! A river runs from corner to corner of the hexes. Every field owns its northern and its southern corner; three fields meet at each. The
//! level of a corner is the lowest height step of its three fields, so a corner at the shore has level 0. Water is followed
//! upstream from the shore and never to a lower level, so every river flows downhill all its way; then rain is gathered
//! downstream, and where enough has come together there is a river.

use super::chart::Chart;
use super::lot::{Lot, Purpose};
use super::relief::{CLOSED, Relief};
use crate::codes::{Climate, Terrain};
use crate::state::Field;
use kernel::hex::Direction;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// River edges for a hundred land fields.
const DENSITY: usize = 36;

/// How much the ground may rise or fall from one corner to the next, beside the lie of the land: water gathers in valleys then, where
/// an even slope would drain in straight streams side by side.
const ROUGHNESS: u64 = 1 << 25;

/// In the polar zone most water is snow for most of the year: rivers come from the rest.
const THAWED: (u64, u64) = (1, 4);

/// A corner: twice the number of the field that owns it, one more for its southern corner.
pub(super) type Corner = usize;

/// A way from a corner along the edge between two fields to the next corner.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    pub(super) to: Corner,
    /// The edge: a field and the side of it.
    pub(super) field: usize,
    pub(super) side: Direction,
}

/// The three fields at a corner; nothing at the edge of the world.
pub(super) fn fields_at(chart: &Chart, corner: Corner) -> Option<[usize; 3]> {
    let field = corner / 2;
    let [right, left] = sides_of(corner);
    Some([field, chart.step(field, right)?, chart.step(field, left)?])
}

const fn sides_of(corner: Corner) -> [Direction; 2] {
    if corner.is_multiple_of(2) {
        [Direction::NorthEast, Direction::NorthWest]
    } else {
        [Direction::SouthEast, Direction::SouthWest]
    }
}

/// The three ways out of a corner, as far as they stay in the world.
pub(super) fn reaches(chart: &Chart, corner: Corner) -> impl Iterator<Item = Reach> + '_ {
    let (field, other) = (corner / 2, (corner + 1) % 2);
    let [right, left] = sides_of(corner);
    let along = [right, left].into_iter().filter_map(move |side| {
        let to = 2 * chart.step(field, side)? + other;
        Some(Reach { to, field, side })
    });
    // The third edge parts the two other fields and leads away from the owner.
    let away = chart.step(field, right).and_then(|beside| {
        let beyond = chart.step(beside, left)?;
        Some(Reach {
            to: 2 * beyond + other,
            field: beside,
            side: Direction::West,
        })
    });
    along.chain(away)
}

/// The level of a corner; nothing at the edge of the world and at the poles.
fn level(chart: &Chart, relief: &Relief, corner: Corner) -> Option<u8> {
    let fields = fields_at(chart, corner)?;
    let heights = fields.map(|field| relief.heights[field]);
    (!heights.contains(&CLOSED)).then(|| heights.into_iter().min().unwrap_or(0))
}

/// Lets rivers run: sets the river sides of the fields.
pub(super) fn run(chart: &Chart, lot: Lot, relief: &Relief, fields: &mut [Field]) {
    let (downstream, order) = drain(chart, lot, relief);
    let frozen: Vec<bool> = fields.iter().map(|field| is_frozen(field.terrain)).collect();
    let mut flow: Vec<u64> = (0..2 * chart.len())
        .map(|corner| rain(chart, relief, &frozen, corner))
        .collect();
    for corner in order.iter().rev() {
        if let Some(reach) = downstream[*corner] {
            flow[reach.to] += flow[*corner];
        }
    }
    let mut springs: Vec<Corner> = order
        .into_iter()
        .filter(|corner| downstream[*corner].is_some())
        .collect();
    springs.sort_unstable_by_key(|corner| (Reverse(flow[*corner]), *corner));
    let thawed = (0..chart.len()).filter(|field| relief.is_land(*field) && !frozen[*field]);
    let wanted = thawed.count() * DENSITY / 100;
    // What flows grows all the way down, so a river that was chosen is one down to the sea.
    let least = springs.get(wanted).map_or(1, |corner| flow[*corner] + 1);
    for corner in springs {
        if let Some(reach) = downstream[corner].filter(|_| flow[corner] >= least) {
            mark(chart, fields, reach);
        }
    }
}

/// Whether water lies here as ice all the year. Rivers from warmer land may cross such ground, but none rises in it.
const fn is_frozen(terrain: Terrain) -> bool {
    matches!(
        terrain,
        Terrain::Ice | Terrain::LowlandIceDesert | Terrain::HighlandIceDesert | Terrain::MountainIceDesert
    )
}

/// Rain that falls at a corner: more where the land is wet, little where it snows, none on ice.
fn rain(chart: &Chart, relief: &Relief, frozen: &[bool], corner: Corner) -> u64 {
    let Some(fields) = fields_at(chart, corner).filter(|fields| !fields.iter().any(|field| frozen[*field])) else {
        return 0;
    };
    let wet = fields
        .iter()
        .map(|field| u64::from(relief.wetness[*field]))
        .sum::<u64>();
    let rain = 100 + wet / 3;
    let snows = fields.iter().any(|field| relief.climates[*field] == Climate::Polar);
    if snows { rain * THAWED.0 / THAWED.1 } else { rain }
}

/// For every corner with a way down to the sea the first part of it, and the corners in an order from the sea upwards.
fn drain(chart: &Chart, lot: Lot, relief: &Relief) -> (Vec<Option<Reach>>, Vec<Corner>) {
    let mut downstream = vec![None; 2 * chart.len()];
    let mut reached = vec![false; 2 * chart.len()];
    let mut open = BinaryHeap::new();
    let elevation = |corner: Corner| {
        let lie = fields_at(chart, corner).map_or(0, |fields| {
            fields.iter().map(|field| relief.elevation[*field]).sum::<i64>()
        });
        let rough = lot.below(Purpose::River, 1 << 40 | corner as u64, ROUGHNESS);
        lie.saturating_add(i64::try_from(rough).unwrap_or(0))
    };
    for (corner, reached) in reached.iter_mut().enumerate() {
        if level(chart, relief, corner) == Some(0) {
            *reached = true;
            open.push(Reverse((0u8, 0i64, lot.draw(Purpose::River, corner as u64), corner)));
        }
    }
    let mut order = Vec::new();
    while let Some(Reverse((here, filled, _, corner))) = open.pop() {
        order.push(corner);
        for reach in reaches(chart, corner) {
            let land = relief.is_land(reach.field)
                && chart
                    .step(reach.field, reach.side)
                    .is_some_and(|beside| relief.is_land(beside));
            let Some(there) = level(chart, relief, reach.to).filter(|there| land && *there >= here) else {
                continue;
            };
            if !reached[reach.to] {
                reached[reach.to] = true;
                downstream[reach.to] = Some(Reach { to: corner, ..reach });
                let filled = elevation(reach.to).max(filled);
                open.push(Reverse((
                    there,
                    filled,
                    lot.draw(Purpose::River, reach.to as u64),
                    reach.to,
                )));
            }
        }
    }
    (downstream, order)
}

/// Marks an edge as a river on both fields.
fn mark(chart: &Chart, fields: &mut [Field], reach: Reach) {
    if let Some(beside) = chart.step(reach.field, reach.side) {
        fields[reach.field].rivers.insert(reach.side);
        fields[beside].rivers.insert(reach.side.opposite());
    }
}
