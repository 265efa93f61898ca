//! Armies: riders take new land and look for more, hosts defend the realm and go to war, everybody keeps away from what is stronger.

use super::lures::{Lures, is_host};
use super::sea::Crew;
use super::{Desk, ways};
use crate::codes::{Equipment, Kind, Terrain};
use crate::state::ArmyName;
use kernel::hex::FieldIndex;
use kernel::ratio::{Rounding, percent};
use std::collections::BTreeSet;

/// Farther than this nothing draws an army.
const FAR: u32 = 40;
/// How much a field is worth less to an army if another one goes there.
const CROWD: i64 = 30;

/// A move that an army could make.
#[derive(Clone, Debug)]
struct Way {
    fields: Vec<FieldIndex>,
    inside: i64,
    outside: i64,
    climbed: i64,
    mountains: bool,
}

/// An army that waits for its order.
#[derive(Clone, Copy)]
struct Marcher {
    name: ArmyName,
    from: FieldIndex,
    /// Points, without percentages.
    points: i64,
    /// Whether it is strong enough to conquer, with some to spare (PYG-EXP-03).
    host: bool,
    /// Whether it outlives difficult terrain with equipment, however the die falls (PYG-ATTR-02).
    hardy: bool,
}

/// Writes a move for every army that has something to do.
pub(super) fn march(desk: &Desk<'_>, lures: &Lures, crew: &Crew, lines: &mut Vec<String>) {
    let starred: BTreeSet<String> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("STATIONIERE ").map(str::to_owned))
        .collect();
    let mut claimed: BTreeSet<FieldIndex> = BTreeSet::new();
    for kind in [Kind::Riders, Kind::Warriors] {
        for (name, count, from) in desk.armies(kind) {
            let host = kind == Kind::Warriors && is_host(desk, count);
            let guards = kind == Kind::Warriors && desk.state.capital_of(desk.realm) == Some(from) && !host;
            if guards || starred.contains(&name.to_string()) || crew.busy.contains(&name) {
                continue;
            }
            let figures = &desk.tables.army[kind];
            let worst = desk.tables.attrition.equipped_pct[Equipment::First].iter().max();
            let left = percent(count, 100 - worst.copied().unwrap_or(0), Rounding::Down);
            let marcher = Marcher {
                name,
                from,
                points: count / figures.per_point.max(1),
                host,
                hardy: left >= figures.min,
            };
            let lure = match &crew.called {
                Some((called, steps)) if *called == name => Some(steps),
                _ => lures.for_army(kind, host, from),
            };
            send(desk, lures, lure, &mut claimed, marcher, lines);
        }
    }
}

/// What a field is worth to an army that enters it: free land by its income, land of others to hosts of a warlike ruler, a border behind which
/// strangers live to riders who bring them greetings, an enemy in the own realm to those who drive him out.
fn worth(desk: &Desk<'_>, lures: &Lures, field: FieldIndex, marcher: Marcher) -> i64 {
    let here = desk.field(field);
    let ground = &desk.tables.terrain[here.terrain];
    let tax = here
        .settlement
        .as_ref()
        .map_or(0, |town| desk.tables.settlement[town.kind].tax);
    if desk.is_own(field) {
        return if marcher.host && desk.danger(field) > 0 {
            8_000
        } else {
            0
        };
    }
    if here.owner.is_played() {
        return match (is_conquest(desk, marcher), is_greeting(desk, field, marcher)) {
            (true, _) => 6_000 + ground.income + tax,
            (false, true) => 5_000,
            (false, false) => 0,
        };
    }
    if !lures.is_wanted(field) {
        return 0;
    }
    let hardship = if ground.difficult { 2_500 } else { 0 };
    // A luxury good that is still scarce will be demanded one day; some of the rest is still land.
    let luxury = if super::luxury::is_scarce(desk, field) {
        6_000
    } else {
        0
    };
    (1_000 + ground.income + tax + luxury - hardship).max(200)
}

/// Whether the army goes to war.
fn is_conquest(desk: &Desk<'_>, marcher: Marcher) -> bool {
    desk.warlike && desk.luxury_met && marcher.host
}

/// Whether riders may enter the field to learn whose it is: with whom one has spoken one can trade (PYG-GAP-39).
fn is_greeting(desk: &Desk<'_>, field: FieldIndex, marcher: Marcher) -> bool {
    let rides = marcher.name.kind == Kind::Riders;
    rides && desk.danger(field) == 0 && crate::imagine::is_banner(desk.field(field).owner)
}

fn send(
    desk: &Desk<'_>,
    lures: &Lures,
    lure: Option<&Vec<u32>>,
    claimed: &mut BTreeSet<FieldIndex>,
    marcher: Marcher,
    lines: &mut Vec<String>,
) {
    let left = |field: FieldIndex| {
        let steps = lure.and_then(|steps| steps.get(field.index())).copied();
        steps.unwrap_or(ways::NONE)
    };
    let mut best: Option<(i64, bool, Way)> = None;
    let mut ways = vec![Way {
        fields: Vec::new(),
        inside: 0,
        outside: 0,
        climbed: 0,
        mountains: false,
    }];
    while let Some(way) = ways.pop() {
        let here = way.fields.last().copied().unwrap_or(marcher.from);
        if !way.fields.is_empty() {
            let gain = gain(desk, lures, claimed, marcher, &way);
            let nearer = i64::from(FAR - left(here).min(FAR));
            let whim = i64::try_from((desk.mood ^ u64::from(here.0).wrapping_mul(0x9E37_79B9)) % 97).unwrap_or(0);
            // Who looks for something goes where no other does.
            let crowd = if claimed.contains(&here) { CROWD } else { 0 };
            let score = gain + nearer * 20 + whim / 8 - crowd - i64::try_from(way.fields.len()).unwrap_or(0);
            if best.as_ref().is_none_or(|(other, _, _)| score > *other) {
                best = Some((score, gain > 0, way.clone()));
            }
        }
        extend(desk, lures, marcher, here, &way, &mut ways);
    }
    let Some((_, gains, way)) = best else { return };
    let end = way.fields.last().copied().unwrap_or(marcher.from);
    if !gains && left(end) >= left(marcher.from) {
        return;
    }
    claimed.extend(way.fields.iter().copied());
    if desk.tables.terrain[desk.field(end).terrain].difficult && desk.is_own(marcher.from) && desk.gold > 20_000 {
        lines.push(format!("AUSRUESTUNG {} I", marcher.name));
    }
    lines.push(order(desk, lures, marcher, &way));
}

/// Whether the army may annex what it enters: land that is not wanted stays neutral, and then everything on its way does.
fn annexes(desk: &Desk<'_>, lures: &Lures, way: &Way) -> bool {
    let mut free = way.fields.iter().filter(|field| !desk.field(**field).owner.is_played());
    free.all(|field| lures.is_wanted(*field))
}

/// What an army wins on its way.
fn gain(desk: &Desk<'_>, lures: &Lures, claimed: &BTreeSet<FieldIndex>, marcher: Marcher, way: &Way) -> i64 {
    let annexes = annexes(desk, lures, way);
    let counts = |field: &FieldIndex| !claimed.contains(field) && (annexes || desk.field(*field).owner.is_played());
    let fields = way.fields.iter().copied().filter(counts);
    fields.map(|field| worth(desk, lures, field, marcher)).sum()
}

fn order(desk: &Desk<'_>, lures: &Lures, marcher: Marcher, way: &Way) -> String {
    let foe = way.fields.iter().any(|field| {
        let invades = desk.is_foreign(*field) && is_conquest(desk, marcher);
        desk.danger(*field) > 0 || invades
    });
    // Whoever crosses a border in peace says who he is (PYG-GAP-39).
    let greets = way.fields.iter().any(|field| desk.is_foreign(*field));
    let stance = match (foe, greets) {
        (true, _) => "A",
        (false, true) => "V",
        (false, false) => desk.manners(),
    };
    let neutral = if annexes(desk, lures, way) { "" } else { ", NEUTRAL" };
    let mut fields = vec![marcher.from];
    fields.extend(&way.fields);
    format!("ZUG {}: {}; {stance}{neutral}", marcher.name, desk.path(&fields))
}

/// All ways that are one step longer and still allowed (PYG-MOVE-01..06, PYG-GAP-05).
fn extend(desk: &Desk<'_>, lures: &Lures, marcher: Marcher, here: FieldIndex, way: &Way, ways: &mut Vec<Way>) {
    let (kind, from) = (marcher.name.kind, marcher.from);
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
        if !desk.is_known_land(to) || way.fields.contains(&to) || desk.danger(to) * 3 > marcher.points * 2 {
            continue;
        }
        let is_hard = desk.tables.terrain[desk.field(to).terrain].difficult;
        if is_hard && !marcher.host && !(marcher.hardy && lures.is_wanted(to)) {
            continue;
        }
        if desk.is_foreign(to) && !is_conquest(desk, marcher) && !is_greeting(desk, to, marcher) {
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
