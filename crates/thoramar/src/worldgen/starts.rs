//! Where realms begin: places of equal worth, far enough from each other (THO-START-01, GAP-01).
//!
//! A start is weighed by the income of the land that its armies can walk to in five steps; what lies within three counts twice. Of
//! all possible places those are chosen that are worth about the same, and what is left of the difference is evened out by changing what
//! covers a few of their fields.

use super::chart::{Chart, narrower};
use super::lot::{Lot, Purpose};
use super::relief::{Cover, Relief, terrain};
use crate::codes::{Climate, RealmKind, Terrain};
use crate::tables::Tables;
use kernel::worldgen::{Walker, percent_of, weight};
use std::cmp::Reverse;

/// The sea must be so near.
const TO_THE_SEA: u32 = 4;
/// Water of fewer fields is a lake.
const SEA_FIELDS: u32 = 12;
/// Land fields within the horizon that a start needs.
const ELBOW_ROOM: usize = 24;
/// Land fields of the island or continent that a start should lie on.
const HOMELAND: u32 = 72;
/// Candidates that are weighed for each realm, at most.
const CANDIDATES_PER_REALM: usize = 300;
/// Rounds of evening out: neighbours share some land, so what is changed for one changes the other a little.
const ROUNDS: usize = 4;

/// A place to begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub(super) field: usize,
    /// Steps to the sea.
    pub(super) to_the_sea: u32,
}

/// Fields within the horizon of a field that can be walked to, with the number of steps; the field itself first.
pub(super) fn walk(
    tables: &Tables,
    walker: &mut Walker<'_>,
    from: usize,
    height: impl Fn(usize) -> Option<i64>,
) -> Vec<(usize, u8)> {
    let climb_max = tables.move_surcharge.max_height_difference;
    let passable = |here: usize, there: usize| {
        let heights = height(here).zip(height(there));
        heights.is_some_and(|(here, there)| there > 0 && (here - there).abs() <= climb_max)
    };
    walker.walk(from, passable)
}

/// The worth of a start (see above), from the fields that can be walked to.
pub(super) fn worth(tables: &Tables, walked: &[(usize, u8)], terrain: impl Fn(usize) -> Terrain) -> i64 {
    let weigh = |(field, steps): &(usize, u8)| weight(*steps) * tables.land_income(terrain(*field));
    walked.iter().map(weigh).sum()
}

/// Everything that choosing starts needs to know.
pub(super) struct Site<'a> {
    pub(super) tables: &'a Tables,
    pub(super) chart: &'a Chart,
    pub(super) lot: Lot,
    pub(super) relief: &'a Relief,
}

impl Site<'_> {
    fn worth(&self, walker: &mut Walker<'_>, terrains: &[Terrain], from: usize) -> i64 {
        let walked = walk(self.tables, walker, from, |field| self.tables.height(terrains[field]));
        worth(self.tables, &walked, |field| terrains[field])
    }

    /// Places where a capital may stand: open ground with land on all six sides that can be walked to, not in the polar zone, the
    /// sea near by.
    fn candidates(&self, terrains: &[Terrain]) -> Vec<Start> {
        let (chart, relief) = (self.chart, self.relief);
        let waters = chart.area_sizes(|field| relief.is_water(field));
        let to_sea = chart.distances((0..chart.len()).filter(|field| waters[*field] >= SEA_FIELDS));
        let wanted = self.tables.height(self.tables.world.capital_terrain);
        let climb_max = self.tables.move_surcharge.max_height_difference;
        let open = |field: usize| {
            let level = |beside: usize| {
                let height = self.tables.height(terrains[beside]);
                height
                    .zip(wanted)
                    .is_some_and(|(a, b)| a > 0 && (a - b).abs() <= climb_max)
            };
            chart.around(field).filter(|beside| level(*beside)).count() == 6
        };
        (0..chart.len())
            .filter(|field| self.tables.height(terrains[*field]) == wanted)
            .filter(|field| relief.climates[*field] != Climate::Polar && to_sea[*field] <= TO_THE_SEA)
            .filter(|field| terrains[*field] != Terrain::Ice && terrains[*field] != Terrain::Volcano)
            .filter(|field| open(*field))
            .map(|field| Start {
                field,
                to_the_sea: to_sea[field],
            })
            .collect()
    }

    /// Chooses starts for so many realms; fewer if there is no room for all. Nothing is changed on the map yet. Small islands are
    /// taken only if the larger lands do not suffice.
    pub(super) fn choose(&self, terrains: &[Terrain], realms: usize) -> Vec<Start> {
        let all = self.candidates(terrains);
        let lands = self.chart.area_sizes(|field| self.relief.is_land(field));
        let roomy = all.iter().filter(|start| lands[start.field] >= HOMELAND).copied();
        let chosen = self.choose_among(terrains, roomy.collect(), realms);
        if chosen.len() == realms {
            return chosen;
        }
        self.choose_among(terrains, all, realms)
    }

    fn choose_among(&self, terrains: &[Terrain], mut candidates: Vec<Start>, realms: usize) -> Vec<Start> {
        let most = CANDIDATES_PER_REALM.saturating_mul(realms);
        if candidates.len() > most {
            candidates.sort_unstable_by_key(|start| self.lot.draw(Purpose::Start, start.field as u64));
            candidates.truncate(most);
        }
        let mut walker = Walker::new(self.chart);
        let mut weighed: Vec<(i64, Start)> = candidates
            .into_iter()
            .filter_map(|start| {
                let walked = walk(self.tables, &mut walker, start.field, |field| {
                    self.tables.height(terrains[field])
                });
                let worth = worth(self.tables, &walked, |field| terrains[field]);
                (walked.len() >= ELBOW_ROOM).then_some((worth, start))
            })
            .collect();
        weighed.sort_unstable_by_key(|(worth, start)| (*worth, start.field));
        // Good land, but not the best: of the best there is not enough for all.
        let Some((target, _)) = weighed.get(weighed.len() * 7 / 10).copied() else {
            return Vec::new();
        };
        weighed.sort_unstable_by_key(|(worth, start)| {
            (
                (worth - target).abs() * 20 / target.max(1),
                self.lot.draw(Purpose::Start, start.field as u64),
            )
        });
        let order: Vec<usize> = weighed.iter().map(|(_, start)| start.field).collect();
        let least = u32::try_from(self.tables.world.capital_min_distance).unwrap_or(u32::MAX);
        let chosen = self.roomiest(&mut walker, terrains, &order, realms, least);
        chosen
            .into_iter()
            .filter_map(|field| weighed.iter().find(|(_, start)| start.field == field))
            .map(|(_, start)| *start)
            .collect()
    }

    /// The widest spacing at which the starts are still worth about the same; the fairest one if none is.
    fn roomiest(
        &self,
        walker: &mut Walker<'_>,
        terrains: &[Terrain],
        order: &[usize],
        realms: usize,
        least: u32,
    ) -> Vec<usize> {
        let mut apart = self.chart.widest(realms).max(least);
        let mut best: Option<(i64, Vec<usize>)> = None;
        loop {
            let picked = self.chart.apart(order, realms, apart);
            if picked.len() == realms {
                let worths = picked.iter().map(|field| self.worth(walker, terrains, *field));
                let fair = percent_of(worths);
                if fair >= 70 {
                    return picked;
                }
                if best.as_ref().is_none_or(|(other, _)| fair > *other) {
                    best = Some((fair, picked));
                }
            } else if apart <= least && best.is_none() {
                return picked;
            }
            if apart <= least {
                return best.map_or_else(Vec::new, |(_, picked)| picked);
            }
            apart = narrower(apart).max(least);
        }
    }

    /// Puts the capitals' ground in place and evens out what the starts are worth: first towards the middle one, then down to
    /// what the poorest could be made.
    pub(super) fn settle(&self, terrains: &mut [Terrain], starts: &[Start]) {
        for start in starts {
            terrains[start.field] = self.tables.world.capital_terrain;
        }
        let mut walker = Walker::new(self.chart);
        for round in 0..ROUNDS {
            let mut worths: Vec<i64> = starts
                .iter()
                .map(|start| self.worth(&mut walker, terrains, start.field))
                .collect();
            worths.sort_unstable();
            let aimed = if round < ROUNDS / 2 { worths.len() / 2 } else { 0 };
            let Some(target) = worths.get(aimed).copied() else {
                return;
            };
            for start in starts {
                self.even_out(&mut walker, terrains, start.field, target);
            }
        }
    }

    /// Makes the land of a start richer or poorer, field by field from the heartland outwards, until it is worth about `target`.
    fn even_out(&self, walker: &mut Walker<'_>, terrains: &mut [Terrain], start: usize, target: i64) {
        let mut land = walk(self.tables, walker, start, |field| self.tables.height(terrains[field]));
        let mut worth = worth(self.tables, &land, |field| terrains[field]);
        land.sort_unstable_by_key(|(field, steps)| {
            (weight(*steps) < 2, self.lot.draw(Purpose::Balance, *field as u64))
        });
        for (field, steps) in land.into_iter().filter(|(field, _)| *field != start) {
            if (worth - target).abs() * 100 <= target {
                return;
            }
            let Some(changed) = self.changed(terrains[field], worth < target) else {
                continue;
            };
            let gain = self.tables.land_income(changed) - self.tables.land_income(terrains[field]);
            let gain = weight(steps) * gain;
            // A change that would overshoot by more than it mends is none.
            if (worth + gain - target).abs() < (worth - target).abs() {
                terrains[field] = changed;
                worth += gain;
            }
        }
    }

    /// The same height with the next richer or poorer cover that no army suffers from.
    fn changed(&self, from: Terrain, richer: bool) -> Option<Terrain> {
        let height = u8::try_from(self.tables.height(from)?).ok()?;
        if matches!(from, Terrain::Volcano) {
            return None;
        }
        let income = self.tables.land_income(from);
        let covers = [Cover::Plain, Cover::Forest, Cover::Steppe].map(|cover| terrain(cover, height));
        let priced = covers.map(|cover| (self.tables.land_income(cover), cover));
        if richer {
            priced.into_iter().filter(|(gold, _)| *gold > income).min()
        } else {
            priced.into_iter().filter(|(gold, _)| *gold < income).max()
        }
        .map(|(_, cover)| cover)
    }

    /// Deals the starts out to the seats: pirates live nearest to the sea, otherwise the lot decides.
    pub(super) fn deal(&self, starts: &[Start], kinds: &[RealmKind]) -> Vec<usize> {
        let mut places: Vec<Start> = starts.to_vec();
        places.sort_unstable_by_key(|start| self.lot.draw(Purpose::Seat, start.field as u64));
        let mut seats: Vec<usize> = (0..kinds.len()).collect();
        seats.sort_by_key(|seat| Reverse(kinds[*seat] == RealmKind::Pirate));
        let mut dealt = vec![0; kinds.len()];
        for seat in seats {
            let nearest = |(_, start): &(usize, &Start)| match kinds[seat] {
                RealmKind::Pirate => start.to_the_sea,
                _ => 0,
            };
            let Some(at) = places.iter().enumerate().min_by_key(nearest).map(|(at, _)| at) else {
                break;
            };
            dealt[seat] = places.remove(at).field;
        }
        dealt
    }
}
