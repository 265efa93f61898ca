//! Where realms begin: twelve fields of the ruling at the sea, far enough from each other, with land of equal worth around them
//! (PYG-GAME-08, PYG-GAP-65).
//!
//! A start is weighed by the income of the land that armies can walk to in five steps; what lies within three counts twice. Of all
//! possible places those are chosen that are worth about the same, and what is left of the difference is evened out by changing what
//! covers a few fields around.

use super::land::Land;
use super::lot::{Lot, Purpose};
use super::relief::{Relief, SEA_FIELDS, Zone, zone};
use crate::codes::{People, Terrain};
use crate::tables::Tables;
use kernel::hex::Direction;
use kernel::worldgen::{Walker, weight};
use std::collections::{BTreeMap, BTreeSet};

/// Land fields within the horizon that a start needs.
const ELBOW_ROOM: usize = 26;
/// Fields of the shape that may be taken from the sea.
const RECLAIMED: usize = 3;
/// Rounds of evening out: neighbours share some land, so what is changed for one changes the other a little.
const ROUNDS: usize = 4;

/// A place to begin: the capital's field and the direction away from the sea.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Start {
    pub(super) field: usize,
    pub(super) inland: Direction,
}

/// The way from the capital to a field of the start, in turns from the direction away from the sea, and what lies there.
///
/// Hills lie between the plains and the mountains, so that everything can be walked to.
const SHAPE: [(&[i32], Terrain); 11] = [
    (&[0], Terrain::Hills),
    (&[1], Terrain::Plain),
    (&[5], Terrain::Plain),
    (&[4], Terrain::Plain),
    (&[2], Terrain::Grassland),
    (&[0, 0], Terrain::Mountains),
    (&[0, 1], Terrain::Hills),
    (&[0, 5], Terrain::WoodedHills),
    (&[1, 1], Terrain::Mountains),
    (&[5, 5], Terrain::LightForest),
    (&[1, 2], Terrain::DeepForest),
];

/// Further fields, for worlds whose starts are larger than the book's.
const BEYOND: [&[i32]; 3] = [&[2, 2], &[5, 4], &[4, 4]];

/// Fields that a start has room for, the capital's included.
pub(crate) const ROOM: i64 = 1 + SHAPE.len() as i64 + BEYOND.len() as i64;

/// The fields of a start beside the capital's: those of the shape as far as the world has them in its list, the rest as it comes.
fn ground_plan(wanted: &BTreeMap<Terrain, i64>, capital_on: Terrain) -> Vec<(&'static [i32], Terrain)> {
    let mut left = wanted.clone();
    let mut take = |terrain: Terrain| {
        let count = left.get_mut(&terrain).filter(|count| **count > 0)?;
        *count -= 1;
        Some(terrain)
    };
    take(capital_on);
    let number = usize::try_from(wanted.values().sum::<i64>().min(ROOM) - 1).unwrap_or(0);
    let shape = SHAPE.iter().map(|(turns, terrain)| (*turns, take(*terrain)));
    let mut plan: Vec<(&'static [i32], Option<Terrain>)> = shape.take(number).collect();
    plan.extend(BEYOND.iter().map(|turns| (*turns, None)).take(number - plan.len()));
    let mut rest = left
        .into_iter()
        .flat_map(|(terrain, count)| std::iter::repeat_n(terrain, usize::try_from(count).unwrap_or(0)));
    let filled = plan
        .into_iter()
        .filter_map(|(turns, terrain)| Some((turns, terrain.or_else(|| rest.next())?)));
    filled.collect()
}

impl Start {
    /// The water beside the capital.
    pub(super) fn harbour(&self, land: &Land) -> Option<usize> {
        land.step(self.field, self.inland.opposite())
    }

    /// The fields of the start with their terrain, the capital first; none if the world ends before.
    pub(super) fn fields(&self, tables: &Tables, land: &Land) -> Option<Vec<(usize, Terrain)>> {
        let capital_on = tables.start.capital_on;
        let mut fields = vec![(self.field, capital_on)];
        for (turns, terrain) in ground_plan(&tables.start.fields, capital_on) {
            let mut field = self.field;
            for turn in turns {
                field = land.step(field, self.inland.rotate(*turn))?;
            }
            fields.push((field, terrain));
        }
        Some(fields)
    }
}

/// Fields that can be walked to within the horizon, with the number of steps; the field itself first.
pub(super) fn walk(walker: &mut Walker<'_>, from: usize, height: impl Fn(usize) -> Option<i64>) -> Vec<(usize, u8)> {
    let passable = |here: usize, there: usize| {
        let heights = height(here).zip(height(there));
        heights.is_some_and(|(here, there)| (here - there).abs() <= 1)
    };
    walker.walk(from, passable)
}

/// Everything that choosing starts needs to know.
pub(super) struct Site<'a> {
    pub(super) tables: &'a Tables,
    pub(super) land: &'a Land,
    pub(super) lot: Lot,
    pub(super) relief: &'a Relief,
}

impl Site<'_> {
    fn height(&self, terrain: Terrain) -> Option<i64> {
        let ground = &self.tables.terrain[terrain];
        (!ground.water).then_some(ground.height)
    }

    fn worth(&self, walker: &mut Walker<'_>, terrains: &[Terrain], from: usize) -> (usize, i64) {
        let walked = walk(walker, from, |field| self.height(terrains[field]));
        let gold = |(field, steps): &(usize, u8)| weight(*steps) * self.tables.terrain[terrains[*field]].income;
        (walked.len(), walked.iter().map(gold).sum())
    }

    /// Places where a capital may stand: at the sea, with land behind it, not at the pole.
    fn candidates(&self, terrains: &[Terrain]) -> Vec<Start> {
        let waters = self.land.area_sizes(|field| !self.relief.is_land(field));
        let suits = |start: &Start| {
            let sea = start
                .harbour(self.land)
                .is_some_and(|field| waters[field] >= SEA_FIELDS);
            let fields = start.fields(self.tables, self.land).unwrap_or_default();
            let reclaimed = fields.iter().filter(|(field, _)| !self.relief.is_land(*field)).count();
            let inside = fields.iter().all(|(field, _)| !self.land.is_at_the_edge(*field));
            sea && inside && !fields.is_empty() && reclaimed <= RECLAIMED
        };
        (0..self.land.len())
            .filter(|field| self.height(terrains[*field]) == Some(0) && zone(self.land, *field) != Zone::Polar)
            .filter_map(|field| {
                let ways = Direction::ALL.into_iter().map(|inland| Start { field, inland });
                ways.filter(suits).min_by_key(|start| {
                    let number = (field * 6 + start.inland.index()) as u64;
                    self.lot.draw(Purpose::Start, number)
                })
            })
            .collect()
    }

    /// Chooses starts for so many realms; fewer if there is no room for all. Nothing is changed on the map yet.
    pub(super) fn choose(&self, terrains: &[Terrain], realms: usize) -> Vec<Start> {
        let mut walker = Walker::new(self.land);
        let mut weighed: Vec<(i64, Start)> = self
            .candidates(terrains)
            .into_iter()
            .filter_map(|start| {
                let (fields, worth) = self.worth(&mut walker, terrains, start.field);
                (fields >= ELBOW_ROOM).then_some((worth, start))
            })
            .collect();
        weighed.sort_unstable_by_key(|(worth, start)| (*worth, start.field));
        // Good land, but not the best: of the best there is not enough for all.
        let Some((target, _)) = weighed.get(weighed.len() * 7 / 10).copied() else {
            return Vec::new();
        };
        weighed.sort_unstable_by_key(|(worth, start)| {
            let off = (worth - target).abs() * 12 / target.max(1);
            (off, self.lot.draw(Purpose::Start, start.field as u64))
        });
        let least = self.tables.start.min_distance_between_capitals.max(7);
        let share = self.land.len() / realms.max(1);
        let mut apart = u32::try_from((share * 15 / 13).isqrt()).unwrap_or(u32::MAX).max(least);
        loop {
            let picked = self.apart(&weighed, realms, apart);
            if picked.len() == realms || apart <= least {
                return picked;
            }
            apart -= 1;
        }
    }

    /// Up to so many of the starts, in the order given, each at least `apart` from all others.
    fn apart(&self, weighed: &[(i64, Start)], realms: usize, apart: u32) -> Vec<Start> {
        let mut picked: Vec<Start> = Vec::new();
        for (_, start) in weighed {
            if picked.len() == realms {
                break;
            }
            let index = super::land::index;
            let far = |other: &Start| self.land.chart.distance(index(start.field), index(other.field)) >= apart;
            if picked.iter().all(far) {
                picked.push(*start);
            }
        }
        picked
    }

    /// Puts the ground of the starts in place and evens out what the land around them is worth.
    pub(super) fn settle(&self, terrains: &mut [Terrain], starts: &[Start]) {
        let mut kept = BTreeSet::new();
        for start in starts {
            for (field, terrain) in start.fields(self.tables, self.land).unwrap_or_default() {
                terrains[field] = terrain;
                kept.insert(field);
            }
            if let Some(harbour) = start.harbour(self.land) {
                terrains[harbour] = Terrain::SaltWater;
            }
        }
        let mut walker = Walker::new(self.land);
        for round in 0..ROUNDS {
            let mut worths: Vec<i64> = starts
                .iter()
                .map(|start| self.worth(&mut walker, terrains, start.field).1)
                .collect();
            worths.sort_unstable();
            let aimed = if round < ROUNDS / 2 { worths.len() / 2 } else { 0 };
            let Some(target) = worths.get(aimed).copied() else {
                return;
            };
            for start in starts {
                self.even_out(&mut walker, terrains, &kept, start.field, target);
            }
        }
    }

    /// Makes the land around a start richer or poorer, field by field, until it is worth about `target`.
    fn even_out(
        &self,
        walker: &mut Walker<'_>,
        terrains: &mut [Terrain],
        kept: &BTreeSet<usize>,
        start: usize,
        target: i64,
    ) {
        let mut around = walk(walker, start, |field| self.height(terrains[field]));
        let (_, mut worth) = self.worth(walker, terrains, start);
        around.sort_unstable_by_key(|(field, steps)| {
            (weight(*steps) < 2, self.lot.draw(Purpose::Balance, *field as u64))
        });
        for (field, steps) in around.into_iter().filter(|(field, _)| !kept.contains(field)) {
            if (worth - target).abs() * 100 <= target {
                return;
            }
            let Some(changed) = self.changed(terrains[field], worth < target) else {
                continue;
            };
            let income = |terrain: Terrain| self.tables.terrain[terrain].income;
            let gain = weight(steps) * (income(changed) - income(terrains[field]));
            // A change that would overshoot by more than it mends is none.
            if (worth + gain - target).abs() < (worth - target).abs() {
                terrains[field] = changed;
                worth += gain;
            }
        }
    }

    /// The same height with the next richer or poorer cover.
    fn changed(&self, from: Terrain, richer: bool) -> Option<Terrain> {
        let covers: &[Terrain] = match self.height(from)? {
            0 => &[
                Terrain::Plain,
                Terrain::LightForest,
                Terrain::Grassland,
                Terrain::DeepForest,
            ],
            2 => &[Terrain::HighPlateau, Terrain::Mountains],
            _ => return None,
        };
        let income = |terrain: &Terrain| self.tables.terrain[*terrain].income;
        let here = income(&from);
        let other = covers.iter().copied();
        if richer {
            other.filter(|cover| income(cover) > here).min_by_key(income)
        } else {
            other.filter(|cover| income(cover) < here).max_by_key(income)
        }
    }

    /// Deals the starts out to the seats: peoples with a skill come to where their terrain is (PYG-GAP-64), otherwise the lot decides.
    pub(super) fn deal(&self, terrains: &[Terrain], starts: &[Start], peoples: &[People]) -> Vec<Start> {
        let mut places: Vec<Start> = starts.to_vec();
        places.sort_unstable_by_key(|start| self.lot.draw(Purpose::Seat, start.field as u64));
        let mut seats: Vec<usize> = (0..peoples.len()).collect();
        seats.sort_by_key(|seat| peoples[*seat] == People::Ordinary);
        let mut dealt: Vec<Option<Start>> = vec![None; peoples.len()];
        let mut walker = Walker::new(self.land);
        for seat in seats {
            let home = self.tables.attrition.immune.get(&peoples[seat]);
            let mut fits = |start: &Start| {
                let around = walk(&mut walker, start.field, |field| self.height(terrains[field]));
                let own = |(field, _): &&(usize, u8)| home.is_some_and(|home| home.contains(&terrains[*field]));
                usize::MAX - around.iter().filter(own).count()
            };
            let best = places
                .iter()
                .enumerate()
                .min_by_key(|(_, start)| fits(start))
                .map(|(at, _)| at);
            dealt[seat] = best.map(|at| places.remove(at));
        }
        dealt.into_iter().flatten().collect()
    }
}
