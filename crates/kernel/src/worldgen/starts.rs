//! What the place of a realm is worth: the land that its armies can walk to in five steps, that within three counted twice.

use super::Neighbours;
use crate::ratio::{Rounding, mul_div};
use crate::realm::RealmId;
use std::collections::BTreeMap;

/// Steps that count for the worth of a start.
const HORIZON: u8 = 5;
/// Steps within which land counts twice.
const HEARTLAND: u8 = 3;

/// How much a field counts that is so many steps away.
pub const fn weight(steps: u8) -> i64 {
    if steps <= HEARTLAND { 2 } else { 1 }
}

/// Walks over a map again and again without clearing its memory each time.
pub struct Walker<'a> {
    map: &'a Neighbours,
    /// The number of the last walk that came to a field.
    visited: Vec<u32>,
    walks: u32,
}

impl<'a> Walker<'a> {
    /// One for a map.
    pub fn new(map: &'a Neighbours) -> Self {
        Self {
            map,
            visited: vec![0; map.len()],
            walks: 0,
        }
    }

    /// Fields within the horizon of a field that can be walked to, with the number of steps; the field itself first.
    pub fn walk(&mut self, from: usize, passable: impl Fn(usize, usize) -> bool) -> Vec<(usize, u8)> {
        self.walks += 1;
        self.visited[from] = self.walks;
        let mut reached = vec![(from, 0)];
        let mut next = 0;
        while let Some((field, steps)) = reached.get(next).copied().filter(|(_, steps)| *steps < HORIZON) {
            next += 1;
            for beside in self.map.around(field) {
                if self.visited[beside] != self.walks && passable(field, beside) {
                    self.visited[beside] = self.walks;
                    reached.push((beside, steps + 1));
                }
            }
        }
        reached
    }
}

/// How fair the starts of a world are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fairness {
    /// Worth of the poorest start.
    pub lowest: i64,
    /// Worth of the richest start.
    pub highest: i64,
    /// The poorest in percent of the richest.
    pub percent: i64,
    /// Worth of every start.
    pub per_start: BTreeMap<RealmId, i64>,
}

impl Fairness {
    /// Compares starts.
    pub fn of(per_start: BTreeMap<RealmId, i64>) -> Self {
        Self {
            lowest: per_start.values().copied().min().unwrap_or(0),
            highest: per_start.values().copied().max().unwrap_or(0),
            percent: percent_of(per_start.values().copied()),
            per_start,
        }
    }
}

/// The least worth in percent of the greatest, rounded down; 100 if there are none, or none is worth anything.
pub fn percent_of(worths: impl Iterator<Item = i64>) -> i64 {
    let (mut lowest, mut highest) = (i64::MAX, 0);
    for worth in worths {
        lowest = lowest.min(worth);
        highest = highest.max(worth);
    }
    // Without a greatest there is no quotient.
    mul_div(lowest, 100, highest, Rounding::Down).unwrap_or(100)
}

#[cfg(test)]
mod tests {
    use super::super::neighbours::tests::small;
    use super::*;

    #[test]
    fn a_walk_ends_at_the_horizon_and_at_what_cannot_be_passed() {
        let map = small();
        let mut walker = Walker::new(&map);
        // Along the first row: six fields, five steps.
        let row = walker.walk(0, |_, to| to < 6);
        let steps: Vec<u8> = row.iter().map(|(_, steps)| *steps).collect();
        assert_eq!(steps, [0, 1, 2, 3, 4, 5]);
        assert_eq!(walker.walk(0, |_, _| false), [(0, 0)]);
        let distances = map.distances([0]);
        let all = walker.walk(0, |_, _| true);
        assert!(all.iter().all(|(field, steps)| distances[*field] == u32::from(*steps)));
        assert_eq!(all.len(), distances.iter().filter(|steps| **steps <= 5).count());
    }

    #[test]
    fn fairness_is_the_poorest_in_percent_of_the_richest() {
        let fairness = Fairness::of([(RealmId(1), 30), (RealmId(2), 40)].into());
        assert_eq!((fairness.lowest, fairness.highest, fairness.percent), (30, 40, 75));
        assert_eq!(Fairness::of(BTreeMap::new()).percent, 100);
        assert_eq!((weight(3), weight(4)), (2, 1));
    }
}
