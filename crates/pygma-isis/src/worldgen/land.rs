//! The fields of a world as the generator needs them: neighbours once looked up, and where north lies.

use crate::chart::Chart;
use kernel::hex::FieldIndex;
use kernel::worldgen::Neighbours;
use std::ops::Deref;

/// A chart whose neighbours have been looked up once.
pub(super) struct Land {
    pub(super) chart: Chart,
    neighbours: Neighbours,
    /// Column and half row of every field, from 0.
    spots: Vec<(u64, u64)>,
    /// Columns and half rows of the world.
    pub(super) extent: (u64, u64),
}

/// The index of a field by its number.
pub(super) fn index(field: usize) -> FieldIndex {
    FieldIndex(u32::try_from(field).unwrap_or(u32::MAX))
}

impl Land {
    pub(super) fn new(chart: Chart) -> Self {
        let neighbours = Neighbours::new(chart.fields(), |field, direction| chart.neighbour(field, direction));
        let plane: Vec<(i64, i64)> = chart
            .fields()
            .map(|field| {
                let hex = chart.hex(field);
                // Half rows grow to the south.
                (i64::from(hex.q), -2 * i64::from(hex.r) - i64::from(hex.q))
            })
            .collect();
        let least = |value: fn(&(i64, i64)) -> i64| plane.iter().map(value).min().unwrap_or(0);
        let (west, north) = (least(|(x, _)| *x), least(|(_, y)| *y));
        let spots: Vec<(u64, u64)> = plane
            .iter()
            .map(|(x, y)| ((x - west).unsigned_abs(), (y - north).unsigned_abs()))
            .collect();
        let columns = spots.iter().map(|(x, _)| *x).max().unwrap_or(0) + 1;
        let rows = spots.iter().map(|(_, y)| *y).max().unwrap_or(0) + 1;
        Self {
            chart,
            neighbours,
            spots,
            extent: (columns, rows),
        }
    }

    /// Whether the world ends beside a field.
    pub(super) fn is_at_the_edge(&self, field: usize) -> bool {
        self.around(field).count() < 6
    }

    /// Column and half row.
    pub(super) fn spot(&self, field: usize) -> (u64, u64) {
        self.spots.get(field).copied().unwrap_or_default()
    }

    /// Percent of the way from the equator in the middle of the map to a pole.
    pub(super) fn latitude(&self, field: usize) -> u64 {
        let rows = self.extent.1.max(2) - 1;
        (2 * self.spot(field).1).abs_diff(rows) * 100 / rows
    }
}

impl Deref for Land {
    type Target = Neighbours;

    fn deref(&self) -> &Neighbours {
        &self.neighbours
    }
}
