//! Who is beside whom, looked up once, and the searches that need nothing else.

use crate::hex::{Direction, FieldIndex};
use std::collections::VecDeque;

/// No field: beyond the edge of the world.
const NOWHERE: u32 = u32::MAX;

/// The neighbours of every field of a map. Fields are numbered from 0.
pub struct Neighbours {
    beside: Vec<[u32; 6]>,
}

impl Neighbours {
    /// Looks up the neighbours of `fields` once.
    pub fn new(
        fields: impl Iterator<Item = FieldIndex>,
        neighbour: impl Fn(FieldIndex, Direction) -> Option<FieldIndex>,
    ) -> Self {
        let around = |field| Direction::ALL.map(|direction| neighbour(field, direction).map_or(NOWHERE, |to| to.0));
        Self {
            beside: fields.map(around).collect(),
        }
    }

    /// How many fields there are.
    pub fn len(&self) -> usize {
        self.beside.len()
    }

    /// Whether there is no field at all.
    pub fn is_empty(&self) -> bool {
        self.beside.is_empty()
    }

    /// The field in a direction.
    pub fn step(&self, field: usize, direction: Direction) -> Option<usize> {
        let to = *self.beside.get(field)?.get(direction.index())?;
        (to != NOWHERE).then_some(to as usize)
    }

    /// The fields around a field, in the order of directions.
    pub fn around(&self, field: usize) -> impl Iterator<Item = usize> + '_ {
        let beside = self.beside.get(field).into_iter().flatten();
        beside.filter(|to| **to != NOWHERE).map(|to| *to as usize)
    }

    /// Steps from the nearest of some fields to every field, over everything; `u32::MAX` where there is none.
    pub fn distances(&self, from: impl IntoIterator<Item = usize>) -> Vec<u32> {
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
    pub fn area_sizes(&self, belongs: impl Fn(usize) -> bool) -> Vec<u32> {
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
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::hex::{Grid, Wrap};

    /// Six by four fields with edges all around.
    pub(crate) fn small() -> Neighbours {
        let grid = Grid::new(6, 4, Wrap::Plane).expect("a grid");
        Neighbours::new(grid.fields(), |field, direction| grid.neighbour(field, direction))
    }

    #[test]
    fn steps_and_neighbours_agree_and_lead_back() {
        let map = small();
        for field in 0..map.len() {
            let stepped: Vec<usize> = Direction::ALL.iter().filter_map(|way| map.step(field, *way)).collect();
            assert_eq!(stepped, map.around(field).collect::<Vec<_>>());
            assert!(
                map.around(field)
                    .all(|beside| map.around(beside).any(|back| back == field))
            );
        }
        assert_eq!(map.step(map.len(), Direction::ALL[0]), None);
    }

    #[test]
    fn distances_grow_by_one_from_the_nearest_source() {
        let map = small();
        let steps = map.distances([0, 23]);
        assert_eq!((steps[0], steps[23]), (0, 0));
        for field in 1..23 {
            let nearest = map.around(field).map(|beside| steps[beside]).min();
            assert_eq!(nearest.map(|nearest| nearest + 1), Some(steps[field]), "{field}");
        }
        assert!(map.distances([]).iter().all(|steps| *steps == u32::MAX));
    }

    #[test]
    fn areas_are_counted_apart() {
        let map = small();
        // The first row, and the last field of the last row.
        let sizes = map.area_sizes(|field| field < 6 || field == 23);
        assert_eq!(&sizes[..6], [6; 6]);
        assert_eq!((sizes[6], sizes[23]), (0, 1));
    }
}
