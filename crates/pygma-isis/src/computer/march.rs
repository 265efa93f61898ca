//! Armies: riders take new land, hosts go to war, everybody keeps away from what is stronger.

use super::{Desk, luxury};
use crate::codes::{Kind, Terrain};
use crate::state::ArmyName;
use kernel::hex::FieldIndex;
use std::collections::{BTreeSet, VecDeque};

/// Steps that are looked at for the next free field.
const FAR: u32 = 40;

/// A move that an army could make.
#[derive(Clone, Debug)]
struct Way {
    fields: Vec<FieldIndex>,
    inside: i64,
    outside: i64,
    climbed: i64,
    mountains: bool,
}

/// Writes a move for every army that has something to do.
pub(super) fn march(desk: &Desk<'_>, lines: &mut Vec<String>) {
    let starred: BTreeSet<String> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("STATIONIERE ").map(str::to_owned))
        .collect();
    let lured = lures(desk);
    let mut claimed: BTreeSet<FieldIndex> = BTreeSet::new();
    for kind in [Kind::Riders, Kind::Warriors] {
        for (name, count, from) in desk.armies(kind) {
            if starred.contains(&name.to_string()) {
                continue;
            }
            let guards = kind == Kind::Warriors && desk.state.capital_of(desk.realm) == Some(from) && count < 5_500;
            if !guards {
                send(desk, &lured, &mut claimed, (name, count, from), lines);
            }
        }
    }
}

/// Points of an army, without percentages.
fn strength(desk: &Desk<'_>, kind: Kind, count: i64) -> i64 {
    count / desk.tables.army[kind].per_point.max(1)
}

/// What a field is worth to an army that enters it: free land by its income, foreign land to hosts of a warlike ruler.
fn worth(desk: &Desk<'_>, field: FieldIndex, kind: Kind, count: i64) -> i64 {
    let here = desk.field(field);
    let ground = &desk.tables.terrain[here.terrain];
    let is_scarce = luxury::is_scarce(desk, field);
    if !desk.luxury_met || (luxury::is_close(desk) && !is_scarce) {
        // Nothing can be taken until the people have what they demand (PYG-LUX-04).
        return 0;
    }
    if here.owner.is_played() {
        let host = desk.warlike && kind == Kind::Warriors && count >= desk.tables.armies.conquest_min * 11 / 10;
        return if host { 6_000 + ground.income } else { 0 };
    }
    let settlement = here
        .settlement
        .as_ref()
        .map_or(0, |town| desk.tables.settlement[town.kind].tax);
    let hardship = if ground.difficult { 2_500 } else { 0 };
    // A luxury good that is still scarce will be demanded one day; some of the rest is still land.
    let luxury = if is_scarce { 6_000 } else { 0 };
    (1_000 + ground.income + settlement + luxury - hardship).max(200)
}

/// Steps from each known land field to the next one that is worth having, over land.
fn lures(desk: &Desk<'_>) -> Vec<u32> {
    let count = desk.state.fields.len();
    let mut steps = vec![u32::MAX; count];
    let mut open = VecDeque::new();
    for field in desk.state.chart.fields().filter(|field| desk.is_known_land(*field)) {
        let foreign = desk.field(field).owner.is_played() && !desk.is_own(field);
        let may = desk.luxury_met && (!luxury::is_close(desk) || luxury::is_scarce(desk, field));
        let wanted = may && !desk.is_own(field) && (!foreign || desk.warlike) && desk.danger(field) < 6;
        if wanted {
            steps[field.index()] = 0;
            open.push_back(field);
        }
    }
    while let Some(field) = open.pop_front() {
        let next = steps[field.index()].saturating_add(1);
        if next > FAR {
            continue;
        }
        for (_, beside) in desk.state.chart.neighbours(field) {
            let passable = desk.is_known_land(beside) && (desk.height(beside) - desk.height(field)).abs() <= 1;
            if passable && steps[beside.index()] == u32::MAX {
                steps[beside.index()] = next;
                open.push_back(beside);
            }
        }
    }
    steps
}

fn send(
    desk: &Desk<'_>,
    lured: &[u32],
    claimed: &mut BTreeSet<FieldIndex>,
    (name, count, from): (ArmyName, i64, FieldIndex),
    lines: &mut Vec<String>,
) {
    let kind = name.kind;
    let own = strength(desk, kind, count);
    let mut best: Option<(i64, Way)> = None;
    let mut ways = vec![Way {
        fields: Vec::new(),
        inside: 0,
        outside: 0,
        climbed: 0,
        mountains: false,
    }];
    while let Some(way) = ways.pop() {
        let here = way.fields.last().copied().unwrap_or(from);
        if !way.fields.is_empty() {
            let gain: i64 = way
                .fields
                .iter()
                .filter(|field| !desk.is_own(**field) && !claimed.contains(field))
                .map(|field| worth(desk, *field, kind, count))
                .sum();
            let lure = lured.get(here.index()).copied().unwrap_or(u32::MAX);
            let nearer = if lure == u32::MAX {
                0
            } else {
                40 - i64::from(lure.min(40))
            };
            let whim = i64::try_from((desk.mood ^ u64::from(here.0).wrapping_mul(0x9E37_79B9)) % 97).unwrap_or(0);
            let score = gain + nearer * 20 + whim / 8 - i64::try_from(way.fields.len()).unwrap_or(0);
            if best.as_ref().is_none_or(|(other, _)| score > *other) {
                best = Some((score, way.clone()));
            }
        }
        extend(desk, (kind, own, from), here, &way, &mut ways);
    }
    let Some((_, way)) = best else { return };
    let stays = lured.get(from.index()).copied().unwrap_or(u32::MAX);
    let ends = way
        .fields
        .last()
        .and_then(|field| lured.get(field.index()))
        .copied()
        .unwrap_or(u32::MAX);
    let gains = way
        .fields
        .iter()
        .any(|field| !desk.is_own(*field) && worth(desk, *field, kind, count) > 0);
    if !gains && ends >= stays {
        return;
    }
    claimed.extend(way.fields.iter().copied());
    let foe = way.fields.iter().any(|field| {
        let foreign = desk.field(*field).owner.is_played() && !desk.is_own(*field);
        desk.danger(*field) > 0 || foreign
    });
    let stance = match (foe, desk.warlike) {
        (true, _) => "A",
        (false, true) => "-",
        (false, false) => "V",
    };
    let mut path = desk.place(from);
    for field in &way.fields {
        path.push_str(" > ");
        path.push_str(&desk.place(*field));
    }
    if desk.tables.terrain[desk.field(way.fields.last().copied().unwrap_or(from)).terrain].difficult
        && desk.is_own(from)
        && desk.gold > 20_000
    {
        lines.push(format!("AUSRUESTUNG {name} I"));
    }
    lines.push(format!("ZUG {name}: {path}; {stance}"));
}

/// All ways that are one step longer and still allowed (PYG-MOVE-01..06, PYG-GAP-05).
fn extend(
    desk: &Desk<'_>,
    (kind, own, from): (Kind, i64, FieldIndex),
    here: FieldIndex,
    way: &Way,
    ways: &mut Vec<Way>,
) {
    let figures = &desk.tables.movement;
    // A river without a bridge ends the move behind it.
    let before = way
        .fields
        .len()
        .checked_sub(2)
        .and_then(|at| way.fields.get(at))
        .copied();
    let crossed = !way.fields.is_empty() && is_river(desk, before.unwrap_or(from), here);
    if crossed || (kind == Kind::Riders && way.mountains) {
        return;
    }
    for (_, to) in desk.state.chart.neighbours(here) {
        if !desk.is_known_land(to) || way.fields.contains(&to) || desk.danger(to) * 3 > own * 2 {
            continue;
        }
        let foreign = desk.field(to).owner.is_played() && !desk.is_own(to);
        if foreign && !(desk.warlike && kind == Kind::Warriors) {
            continue;
        }
        let mut longer = way.clone();
        longer.climbed += (desk.height(to) - desk.height(here)).abs();
        longer.mountains |= desk.field(to).terrain == Terrain::Mountains;
        if desk.is_own(to) {
            longer.inside += 1;
        } else {
            longer.outside += 1;
        }
        longer.fields.push(to);
        let steps = longer.inside + longer.outside;
        let within = match (longer.inside, longer.outside) {
            (_, 0) => steps <= figures.inside[kind],
            (0, _) => steps <= figures.outside[kind],
            (inside, outside) => {
                kind == Kind::Riders && inside <= figures.rider_mixed_inside && outside <= figures.rider_mixed_outside
            }
        };
        let mountains = !(kind == Kind::Riders && longer.mountains && steps > figures.rider_mountain_total);
        if within && mountains && longer.climbed <= figures.height_steps {
            ways.push(longer);
        }
    }
}

fn is_river(desk: &Desk<'_>, from: FieldIndex, to: FieldIndex) -> bool {
    let direction = desk.state.chart.direction_to(from, to);
    direction.is_some_and(|side| desk.field(from).rivers.has(side) && !desk.field(from).bridges.has(side))
}
