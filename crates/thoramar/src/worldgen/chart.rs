//! The bare map that a world is drawn on: who is beside whom, and places that lie apart.

use kernel::hex::{FieldIndex, Grid};
use kernel::worldgen::Neighbours;
use std::ops::Deref;

/// A grid with the neighbours of every field looked up once.
pub(super) struct Chart {
    pub(super) grid: Grid,
    neighbours: Neighbours,
}

impl Chart {
    pub(super) fn new(grid: Grid) -> Self {
        let neighbours = Neighbours::new(grid.fields(), |field, direction| grid.neighbour(field, direction));
        Self { grid, neighbours }
    }

    /// The row of a field, from the south.
    pub(super) fn row(&self, field: usize) -> usize {
        field / self.grid.columns() as usize
    }

    /// Picks up to `count` of the candidates, each at least `apart` from all others, in the order given.
    pub(super) fn apart(&self, candidates: &[usize], count: usize, apart: u32) -> Vec<usize> {
        let mut taken = vec![false; self.len()];
        let mut picked = Vec::with_capacity(count);
        for field in candidates.iter().copied() {
            if picked.len() == count {
                break;
            }
            if taken[field] {
                continue;
            }
            picked.push(field);
            let index = FieldIndex(u32::try_from(field).unwrap_or(u32::MAX));
            for near in self.grid.range(index, apart.saturating_sub(1)) {
                taken[near.index()] = true;
            }
        }
        picked
    }

    /// Picks `count` of the candidates as far apart as they can be spread, but at least `least`; fewer if there are not enough.
    pub(super) fn spread(&self, candidates: &[usize], count: usize, least: u32) -> Vec<usize> {
        let mut apart = self.widest(count).max(least);
        loop {
            let picked = self.apart(candidates, count, apart);
            if picked.len() == count || apart <= least {
                return picked;
            }
            apart = narrower(apart).max(least);
        }
    }

    /// About the greatest distance at which so many fields can stand: each claims a hexagon of the map.
    pub(super) fn widest(&self, count: usize) -> u32 {
        let share = self.len() / count.max(1);
        // A hexagon of fields that are `d` apart covers about d * d * 13 / 15.
        u32::try_from((share * 15 / 13).isqrt()).unwrap_or(u32::MAX).max(1)
    }
}

impl Deref for Chart {
    type Target = Neighbours;

    fn deref(&self) -> &Neighbours {
        &self.neighbours
    }
}

/// The next distance to try.
pub(super) const fn narrower(apart: u32) -> u32 {
    let less = apart - apart / 12;
    if less == apart { apart.saturating_sub(1) } else { less }
}
