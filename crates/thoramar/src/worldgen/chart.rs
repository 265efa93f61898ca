//! The bare map that a world is drawn on: who is beside whom, and the searches that need nothing else.

use kernel::hex::{Direction, FieldIndex, Grid};
use std::collections::VecDeque;

/// No field: beyond the edge of the world.
const NOWHERE: u32 = u32::MAX;

/// A grid with the neighbours of every field looked up once.
pub(super) struct Chart {
    pub(super) grid: Grid,
    beside: Vec<[u32; 6]>,
}

impl Chart {
    pub(super) fn new(grid: Grid) -> Self {
        let beside = grid
            .fields()
            .map(|field| Direction::ALL.map(|direction| grid.neighbour(field, direction).map_or(NOWHERE, |to| to.0)))
            .collect();
        Self { grid, beside }
    }

    /// How many fields there are.
    pub(super) fn len(&self) -> usize {
        self.beside.len()
    }

    /// The field in a direction.
    pub(super) fn step(&self, field: usize, direction: Direction) -> Option<usize> {
        let to = self.beside[field][direction.index()];
        (to != NOWHERE).then_some(to as usize)
    }

    /// The fields around a field, in the order of their digits.
    pub(super) fn around(&self, field: usize) -> impl Iterator<Item = usize> + '_ {
        self.beside[field]
            .iter()
            .filter(|to| **to != NOWHERE)
            .map(|to| *to as usize)
    }

    /// The row of a field, from the south.
    pub(super) fn row(&self, field: usize) -> usize {
        field / self.grid.columns() as usize
    }

    /// Steps from the nearest of some fields to every field, over everything; `u32::MAX` where there is none.
    pub(super) fn distances(&self, from: impl IntoIterator<Item = usize>) -> Vec<u32> {
        let mut steps = vec![u32::MAX; self.len()];
        let mut open = VecDeque::new();
        for field in from {
            if steps[field] != 0 {
                steps[field] = 0;
                open.push_back(field);
            }
        }
        while let Some(field) = open.pop_front() {
            for next in self.around(field) {
                if steps[next] == u32::MAX {
                    steps[next] = steps[field] + 1;
                    open.push_back(next);
                }
            }
        }
        steps
    }

    /// The size of the connected area that each field belongs to; 0 for fields that are not of the area.
    pub(super) fn area_sizes(&self, belongs: impl Fn(usize) -> bool) -> Vec<u32> {
        let mut sizes = vec![0; self.len()];
        let mut area = Vec::new();
        for start in 0..self.len() {
            if sizes[start] != 0 || !belongs(start) {
                continue;
            }
            area.clear();
            area.push(start);
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
            let size = u32::try_from(area.len()).unwrap_or(u32::MAX);
            for field in &area {
                sizes[*field] = size;
            }
        }
        sizes
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

/// The next distance to try.
pub(super) const fn narrower(apart: u32) -> u32 {
    let less = apart - apart / 12;
    if less == apart { apart.saturating_sub(1) } else { less }
}
