//! The proof: prices that bound every plan, and the search that leaves out what they exclude.

use super::{Amounts, Counts, Group, ROUNDS_MAX, short, size};
use crate::codes::Good;
use std::collections::BTreeSet;

/// Prices are counted in twelfths, since places are worth 1, 2 or 3 points.
pub(super) const UNIT: i64 = 12;
/// Steps of the search before it gives up proving.
const STEPS_MAX: u32 = 60_000;
/// A search through all plans, the best so far at hand.
pub(super) struct Search<'a> {
    pub(super) groups: &'a [Group],
    /// Points that are still wanted, before any place is given away.
    pub(super) wanted: Amounts,
    pub(super) prices: Amounts,
    /// What the groups from each on can cover at the most, in price units.
    pub(super) ahead: Vec<i64>,
    pub(super) best: Counts,
    pub(super) best_missing: i64,
    pub(super) steps: u32,
    /// What was still wanted when a group was reached: the same need is searched once.
    pub(super) seen: BTreeSet<(usize, Amounts)>,
}

/// What a place of a group is worth at the most.
fn worth(group: &Group, prices: &Amounts) -> i64 {
    let worths = group.choices.iter().map(|(good, points)| points * prices[*good]);
    worths.max().unwrap_or(0)
}

/// What all places can cover at the most at these prices, in price units.
fn coverage(groups: &[Group], wanted: &Amounts, prices: &Amounts) -> i64 {
    let places: i64 = groups.iter().map(|group| size(group) * worth(group, prices)).sum();
    let rest: i64 = wanted
        .iter()
        .zip(prices)
        .map(|(wanted, price)| wanted * (UNIT - price))
        .sum();
    places + rest
}

/// Points that are missing in every plan.
pub(super) fn lower_bound(groups: &[Group], wanted: &Amounts, prices: &Amounts) -> i64 {
    let all: i64 = wanted.iter().sum();
    (all - coverage(groups, wanted, prices).div_euclid(UNIT)).max(0)
}

/// Prices with a low bound: single prices and pairs are moved while that helps.
pub(super) fn find_prices(groups: &[Group], wanted: &Amounts, prices: &mut Amounts) {
    let mut bound = coverage(groups, wanted, prices);
    for _ in 0..ROUNDS_MAX {
        let before = bound;
        let mut try_prices = |trial: Amounts, prices: &mut Amounts| {
            let trial_bound = coverage(groups, wanted, &trial);
            if trial_bound < bound {
                bound = trial_bound;
                *prices = trial;
            }
        };
        for good in 0..Good::MAIN {
            for price in 0..=UNIT {
                let mut trial = *prices;
                trial[good] = price;
                try_prices(trial, prices);
            }
            for other in 0..good {
                for (step, back) in [
                    (1, 1),
                    (1, -1),
                    (-1, 1),
                    (-1, -1),
                    (4, 4),
                    (-4, -4),
                    (3, 3),
                    (-3, -3),
                    (6, 6),
                    (-6, -6),
                ] {
                    let mut trial = *prices;
                    trial[good] = (trial[good] + step).clamp(0, UNIT);
                    trial[other] = (trial[other] + back).clamp(0, UNIT);
                    try_prices(trial, prices);
                }
            }
        }
        for step in [-6, -4, -3, -2, -1] {
            let trial = prices.map(|price| (price + step).clamp(0, UNIT));
            try_prices(trial, prices);
        }
        if bound == before {
            break;
        }
    }
}

pub(super) fn ahead(groups: &[Group], prices: &Amounts) -> Vec<i64> {
    let mut ahead = vec![0; groups.len() + 1];
    for (index, group) in groups.iter().enumerate().rev() {
        ahead[index] = ahead[index + 1] + size(group) * worth(group, prices);
    }
    ahead
}

impl Search<'_> {
    /// Looks for a plan that misses fewer points. Whether everything was searched, or `least` was reached.
    pub(super) fn run(&mut self, least: i64) -> bool {
        let mut counts: Counts = vec![[0; Good::MAIN]; self.groups.len()];
        let open = self.wanted;
        self.descend(0, 0, 0, open, &mut counts, least) || self.best_missing <= least
    }

    /// Gives the places of `group` from the `used`-th on to its choices from `first` on. Whether everything below was searched.
    fn descend(
        &mut self,
        group: usize,
        used: i64,
        first: usize,
        open: Amounts,
        counts: &mut Counts,
        least: i64,
    ) -> bool {
        self.steps += 1;
        if self.steps > STEPS_MAX || self.best_missing <= least {
            return false;
        }
        let Some(here) = self.groups.get(group) else {
            if short(&open) < self.best_missing {
                self.best_missing = short(&open);
                self.best.clone_from(counts);
            }
            return true;
        };
        if used == size(here) {
            return self.descend(group + 1, 0, 0, open, counts, least);
        }
        if self.is_hopeless(group, used, &open) || (used == 0 && !self.seen.insert((group, open))) {
            return true;
        }
        // A place for a good that is still wanted is never worse than one for a good that is not.
        let all = here.choices.iter().enumerate().skip(first);
        let useful = || all.clone().filter(|(_, (good, _))| open[*good] > 0);
        let idle = usize::from(useful().next().is_none());
        let mut complete = true;
        for (choice, (good, points)) in useful().chain(all.clone().take(idle)) {
            let mut next = open;
            next[*good] = (next[*good] - points).max(0);
            counts[group][*good] += 1;
            complete &= self.descend(group, used + 1, choice, next, counts, least);
            counts[group][*good] -= 1;
        }
        complete
    }

    /// Whether no plan below this one can miss fewer points than the best.
    fn is_hopeless(&self, group: usize, used: i64, open: &Amounts) -> bool {
        let Some(here) = self.groups.get(group) else {
            return false;
        };
        let places = self.ahead[group] - used * worth(here, &self.prices);
        let rest: i64 = open
            .iter()
            .zip(&self.prices)
            .map(|(open, price)| open * (UNIT - price))
            .sum();
        let all: i64 = open.iter().sum();
        all - (places + rest).div_euclid(UNIT) >= self.best_missing
    }
}
