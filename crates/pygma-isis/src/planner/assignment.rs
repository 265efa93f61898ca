//! Which goods stand in which places so that the fewest points are missing: an exact search with a proof.
//!
//! Places of the same rank on the same soil are alike, so they are counted in groups, and a plan says how many places of a group go to
//! which good. A place gives the lesser of its rank and the crosses, so it is worth more to some goods than to others: that is no flow,
//! but a small program in whole numbers.
//!
//! **Proof.** Give every good a price between 0 and 1. Covered points of a good are at most price x supply + (1 - price) x demand, and no
//! place is worth more than its best good at these prices. So every set of prices bounds what any plan can cover. Good prices are
//! found first; if a plan reaches their bound, nothing can be better. Otherwise all plans are searched, and those that the bound
//! excludes are left out. Only if that takes too long the plan is not proven, and the bound tells how far it can be from the best.

mod proof;

use crate::codes::{Good, Soil};
use crate::production;
use crate::state::Points;
use crate::tables::Tables;
use crate::unrest;
use proof::{Search, UNIT, ahead, find_prices, lower_bound};
use std::collections::BTreeSet;

/// Places that are searched at the most: the search goes one level down for each.
const SEARCHED_PLACES_MAX: i64 = 600;
/// Rounds of improvement of prices and plans.
const ROUNDS_MAX: u32 = 60;
/// Fields that are planned at the most; a realm has far fewer.
pub const PLOTS_MAX: usize = 4_000;

type Amounts = [i64; Good::MAIN];

/// A field whose places can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plot {
    /// What it yields by.
    pub soil: Soil,
    /// What stands in its places now.
    pub places: [Good; 3],
    /// How many of its places yield: the last may be taken by luxury goods (PYG-GAP-53).
    pub ranks: usize,
}

/// A plan for all plots.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The goods of every plot, in their order. Places that need not change stay as they are.
    pub places: Vec<[Good; 3]>,
    /// Points of every main good that are missing with it.
    pub missing: Points,
    /// How many points are missing in every plan: the bound that was proven.
    pub least: i64,
}

impl Plan {
    /// Whether no plan can miss fewer points.
    pub fn is_proven(&self) -> bool {
        self.missing.total() <= self.least
    }
}

/// Places of one rank on one soil.
struct Group {
    rank: usize,
    plots: Vec<usize>,
    /// Goods that can stand there and what a place gives them, best first.
    choices: Vec<(usize, i64)>,
}

/// How many places of each group go to each good.
type Counts = Vec<Amounts>;

/// The plan with the fewest missing points; of equals a calmer one, as far as single places can make it so. `fixed` is supply that does not depend on places: promotion and imports.
#[must_use]
pub fn assign(tables: &Tables, plots: &[Plot], fixed: &Points, demand: &Points) -> Plan {
    let plots = plots.get(..PLOTS_MAX).unwrap_or(plots);
    let groups = group(tables, plots);
    let mut wanted = [0; Good::MAIN];
    for (good, wanted) in Good::main().zip(&mut wanted) {
        *wanted = (demand[good] - fixed[good]).max(0);
    }
    // Often everything that can be won is wanted: then the simplest prices prove the first plan.
    let mut prices = wanted.map(|wanted| if wanted > 0 { UNIT } else { 0 });
    let mut least = lower_bound(&groups, &wanted, &prices);
    // What stands now, with a few places changed, is often as good as any plan; if not, one is made from nothing.
    let standing = standing(plots, &groups);
    let mut changed = standing.clone();
    improve(&groups, &wanted, &mut changed, least);
    let mut counts = changed.clone();
    if short(&balance(&groups, &wanted, &changed)) > least {
        let mut fresh = first_plan(&groups, &wanted);
        improve(&groups, &wanted, &mut fresh, least);
        if short(&balance(&groups, &wanted, &fresh)) < short(&balance(&groups, &wanted, &changed)) {
            counts = fresh;
        }
    }
    if short(&balance(&groups, &wanted, &counts)) > least {
        find_prices(&groups, &wanted, &mut prices);
        least = lower_bound(&groups, &wanted, &prices);
    }
    let mut search = Search {
        groups: &groups,
        wanted,
        prices,
        ahead: ahead(&groups, &prices),
        best_missing: short(&balance(&groups, &wanted, &counts)),
        best: counts,
        steps: 0,
        seen: BTreeSet::new(),
    };
    let places: i64 = groups.iter().map(size).sum();
    let is_searched = search.best_missing > least && places <= SEARCHED_PLACES_MAX;
    let least = if is_searched && search.run(least) {
        search.best_missing
    } else {
        least.min(search.best_missing)
    };
    calm(tables, &groups, &wanted, &mut search.best);
    bring_back(tables, &groups, &wanted, &standing, &mut search.best);
    lay_out(plots, &groups, &search, least)
}

/// Moves single places to other goods while as many points are missing but the people are calmer: what is short weighs more in one
/// good than in several (PYG-GAP-58).
fn calm(tables: &Tables, groups: &[Group], wanted: &Amounts, counts: &mut Counts) {
    let risk = |open: &Amounts| unrest::chance(tables, &points(open));
    let mut open = balance(groups, wanted, counts);
    for _ in 0..ROUNDS_MAX {
        let (now, missing) = (risk(&open), short(&open));
        if now == 0 {
            return;
        }
        let calmer = moves(groups, counts).into_iter().find(|one| {
            let after = one.apply(open);
            short(&after) == missing && risk(&after) < now
        });
        let Some(calmer) = calmer else { return };
        calmer.carry_out(counts);
        open = calmer.apply(open);
    }
}

/// The plan that stands now.
fn standing(plots: &[Plot], groups: &[Group]) -> Counts {
    let count = |group: &Group| {
        let mut counts = [0; Good::MAIN];
        for plot in &group.plots {
            let good = plots[*plot].places[group.rank].index();
            // What yields nothing there is no choice: such a place has to change.
            let known = group.choices.iter().find(|(choice, _)| *choice == good);
            let (good, _) = known.or(group.choices.first()).copied().unwrap_or_default();
            counts[good] += 1;
        }
        counts
    };
    groups.iter().map(count).collect()
}

/// Gives places back to what stands there now, as long as no more points are missing and the people are as calm: nobody likes to
/// change forty fields for one point.
fn bring_back(tables: &Tables, groups: &[Group], wanted: &Amounts, standing: &Counts, counts: &mut Counts) {
    let mut open = balance(groups, wanted, counts);
    let (missing, risk) = (short(&open), unrest::chance(tables, &points(&open)));
    for (index, (group, standing)) in groups.iter().zip(standing).enumerate() {
        for from in &group.choices {
            for to in &group.choices {
                let back = Move {
                    group: index,
                    from: *from,
                    to: *to,
                };
                while counts[index][from.0] > standing[from.0] && counts[index][to.0] < standing[to.0] {
                    let after = back.apply(open);
                    if short(&after) > missing || unrest::chance(tables, &points(&after)) > risk {
                        break;
                    }
                    back.carry_out(counts);
                    open = after;
                }
            }
        }
    }
}

/// What is missing, as points of goods.
fn points(open: &Amounts) -> Points {
    let mut points = Points::default();
    for (good, open) in Good::main().zip(open) {
        points[good] = (*open).max(0);
    }
    points
}

fn group(tables: &Tables, plots: &[Plot]) -> Vec<Group> {
    let mut groups = Vec::new();
    // High ranks first: they decide most.
    for (rank, points) in tables.goods.place_points.iter().enumerate() {
        for soil in Soil::ALL {
            let own = plots.iter().enumerate();
            let own = own.filter(|(_, plot)| plot.soil == *soil && rank < plot.ranks);
            let own: Vec<usize> = own.map(|(index, _)| index).collect();
            let gives = |good: Good| production::crosses(tables, Some(*soil), good).min(*points);
            let mut choices: Vec<(usize, i64)> = Good::main()
                .map(|good| (good.index(), gives(good)))
                .filter(|(_, points)| *points > 0)
                .collect();
            choices.sort_by_key(|(good, points)| (-points, *good));
            if !own.is_empty() && !choices.is_empty() {
                groups.push(Group {
                    rank,
                    plots: own,
                    choices,
                });
            }
        }
    }
    groups
}

fn size(group: &Group) -> i64 {
    i64::try_from(group.plots.len()).unwrap_or(i64::MAX)
}

/// What is still wanted with a plan; negative is surplus.
fn balance(groups: &[Group], wanted: &Amounts, counts: &Counts) -> Amounts {
    let mut open = *wanted;
    for (group, counts) in groups.iter().zip(counts) {
        for (good, points) in &group.choices {
            open[*good] -= points * counts[*good];
        }
    }
    open
}

/// A first plan: each place to the good to which it gives most of what is still missing; of equals to the one with the fewest other places.
fn first_plan(groups: &[Group], wanted: &Amounts) -> Counts {
    let mut open = *wanted;
    let mut sources = [0_i64; Good::MAIN];
    for group in groups {
        for (good, points) in &group.choices {
            sources[*good] += points * size(group);
        }
    }
    let mut all = Vec::with_capacity(groups.len());
    for group in groups {
        let mut counts = [0; Good::MAIN];
        for _ in 0..group.plots.len() {
            let value = |(good, points): &(usize, i64)| {
                let useful = (*points).min(open[*good]);
                (useful, open[*good] * 100 / sources[*good].max(1), -points)
            };
            let Some((good, points)) = group.choices.iter().max_by_key(|choice| value(choice)) else {
                break;
            };
            counts[*good] += 1;
            open[*good] = (open[*good] - points).max(0);
        }
        all.push(counts);
    }
    all
}

/// A place of a group goes from one good to another: group, goods and what it gives them.
#[derive(Clone, Copy)]
struct Move {
    group: usize,
    from: (usize, i64),
    to: (usize, i64),
}

impl Move {
    /// What is still wanted behind it; negative is surplus.
    fn apply(self, mut open: Amounts) -> Amounts {
        open[self.from.0] += self.from.1;
        open[self.to.0] -= self.to.1;
        open
    }

    fn carry_out(self, counts: &mut Counts) {
        counts[self.group][self.from.0] -= 1;
        counts[self.group][self.to.0] += 1;
    }
}

fn short(open: &Amounts) -> i64 {
    open.iter().map(|open| (*open).max(0)).sum()
}

/// Moves single places, then two places at once, to other goods while fewer points are missing, down to what is possible.
fn improve(groups: &[Group], wanted: &Amounts, counts: &mut Counts, least: i64) {
    let mut open = balance(groups, wanted, counts);
    for _ in 0..ROUNDS_MAX {
        if short(&open) <= least {
            return;
        }
        let Some(better) = better(groups, counts, &open) else {
            return;
        };
        for step in better {
            step.carry_out(counts);
            open = step.apply(open);
        }
    }
}

/// One move, else two, with which fewer points are missing.
fn better(groups: &[Group], counts: &Counts, open: &Amounts) -> Option<Vec<Move>> {
    let now = short(open);
    let moves = moves(groups, counts);
    if let Some(one) = moves.iter().find(|one| short(&one.apply(*open)) < now) {
        return Some(vec![*one]);
    }
    for one in &moves {
        let between = one.apply(*open);
        // The second must not take a place that the first has taken already.
        let taken = |other: &Move| other.group == one.group && other.from.0 == one.from.0;
        let second = moves.iter().find(|other| {
            let enough = !taken(other) || counts[one.group][one.from.0] > 1;
            enough && short(&other.apply(between)) < now
        });
        if let Some(second) = second {
            return Some(vec![*one, *second]);
        }
    }
    None
}

/// Every way to give one place of a group to another good.
fn moves(groups: &[Group], counts: &Counts) -> Vec<Move> {
    let mut moves = Vec::new();
    for (index, (group, counts)) in groups.iter().zip(counts).enumerate() {
        for from in group.choices.iter().filter(|(good, _)| counts[*good] > 0) {
            for to in group.choices.iter().filter(|to| to.0 != from.0) {
                moves.push(Move {
                    group: index,
                    from: *from,
                    to: *to,
                });
            }
        }
    }
    moves
}

/// Gives the counted places to plots: a place keeps its good if the plan has room for it, and what has to change does so on plots of which
/// another place changes anyway.
fn lay_out(plots: &[Plot], groups: &[Group], search: &Search<'_>, least: i64) -> Plan {
    let mut places: Vec<[Good; 3]> = plots.iter().map(|plot| plot.places).collect();
    for (group, counts) in groups.iter().zip(&search.best) {
        let mut left = *counts;
        let mut moved = Vec::new();
        let mut calm_first = group.plots.clone();
        calm_first.sort_by_key(|plot| places[*plot] != plots[*plot].places);
        for plot in &calm_first {
            let good = places[*plot][group.rank].index();
            if good < Good::MAIN && left[good] > 0 {
                left[good] -= 1;
            } else {
                moved.push(*plot);
            }
        }
        let mut goods = Good::main().flat_map(|good| {
            let times = usize::try_from(left[good.index()]).unwrap_or(0);
            std::iter::repeat_n(good, times)
        });
        for plot in moved {
            if let Some(good) = goods.next() {
                places[plot][group.rank] = good;
            }
        }
    }
    Plan {
        places,
        missing: points(&balance(groups, &search.wanted, &search.best)),
        least,
    }
}

#[cfg(test)]
mod tests;
