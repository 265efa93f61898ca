//! The fields of a world as the generator needs them: neighbours once looked up, distances, areas, and where north lies.

use crate::chart::Chart;
use kernel::hex::{Direction, FieldIndex};
use std::collections::VecDeque;

/// A chart whose neighbours have been looked up once.
pub(super) struct Land {
    pub(super) chart: Chart,
    /// Neighbours by direction.
    around: Vec<[Option<usize>; 6]>,
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
        let around: Vec<[Option<usize>; 6]> = chart
            .fields()
            .map(|field| Direction::ALL.map(|direction| chart.neighbour(field, direction).map(FieldIndex::index)))
            .collect();
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
            around,
            spots,
            extent: (columns, rows),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.around.len()
    }

    pub(super) fn step(&self, field: usize, direction: Direction) -> Option<usize> {
        self.around.get(field).and_then(|around| around[direction.index()])
    }

    pub(super) fn around(&self, field: usize) -> impl Iterator<Item = usize> + '_ {
        self.around.get(field).into_iter().flatten().flatten().copied()
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

    /// Steps from the nearest of the sources; [`u32::MAX`] where none leads to.
    pub(super) fn distances(&self, sources: impl Iterator<Item = usize>) -> Vec<u32> {
        let mut steps = vec![u32::MAX; self.len()];
        let mut open = VecDeque::new();
        for source in sources {
            if steps[source] != 0 {
                steps[source] = 0;
                open.push_back(source);
            }
        }
        while let Some(field) = open.pop_front() {
            for beside in self.around(field) {
                if steps[beside] == u32::MAX {
                    steps[beside] = steps[field] + 1;
                    open.push_back(beside);
                }
            }
        }
        steps
    }

    /// The size of the connected area that each field belongs to; 0 for fields that are not of the area.
    pub(super) fn area_sizes(&self, belongs: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut sizes = vec![0; self.len()];
        for start in 0..self.len() {
            if sizes[start] != 0 || !belongs(start) {
                continue;
            }
            let mut area = vec![start];
            sizes[start] = 1;
            let mut next = 0;
            while let Some(field) = area.get(next).copied() {
                next += 1;
                for beside in self.around(field) {
                    if sizes[beside] == 0 && belongs(beside) {
                        sizes[beside] = 1;
                        area.push(beside);
                    }
                }
            }
            for field in &area {
                sizes[*field] = area.len();
            }
        }
        sizes
    }
}
