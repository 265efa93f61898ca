//! Weeks: events, then what every army sees (THO-REP-04..07, THO-SIGHT).
//!
//! These are by far the most lines of a report. What several armies see alike is written once as a fragment and repeated.

use super::events::{self, Tellings};
use super::{Pen, int, write_name};
use crate::geo::Place;
use crate::rule;
use crate::state::{Glimpse, SeenArmy, SeenCondition};
use crate::view::{Sightings, WeekView};
use kernel::hex::Direction;
use kernel::report::{Arg, Line, Phrase, ReportSink, Why};
use kernel::rule::RuleId;

const SIGHTING: &[RuleId] = &[
    rule::SIGHT_01,
    rule::SIGHT_02,
    rule::SIGHT_03,
    rule::SIGHT_05,
    rule::REP_05,
    rule::REP_06,
    rule::REP_07,
    rule::MAP_01,
    rule::MAP_02,
    rule::MAP_03,
    rule::MAP_04,
    rule::MAP_05,
    rule::MAP_06,
    rule::GAP_14,
    rule::GAP_34,
];

/// The letters of a side: road, wall, river, bridge (THO-REP-05).
const SIDES: [&str; 16] = [
    "----", "S---", "-W--", "SW--", "--F-", "S-F-", "-WF-", "SWF-", "---B", "S--B", "-W-B", "SW-B", "--FB", "S-FB",
    "-WFB", "SWFB",
];

fn side(glimpse: &Glimpse, direction: Direction) -> &'static str {
    let road = usize::from(glimpse.roads.has(direction));
    let wall = usize::from(glimpse.walls.has(direction));
    let river = usize::from(glimpse.rivers.has(direction));
    let bridge = usize::from(glimpse.bridges.has(direction));
    SIDES[road | wall << 1 | river << 2 | bridge << 3]
}

fn building(glimpse: &Glimpse) -> &'static str {
    glimpse.building.map_or("---", |building| building.code())
}

fn condition(glimpse: &Glimpse) -> &'static str {
    match glimpse.condition {
        None => "-",
        Some(SeenCondition::Standing(condition)) => condition.code(),
        Some(SeenCondition::UnderConstruction) => "B",
    }
}

/// A week: THO-REP-04.
pub(super) fn week(pen: &mut Pen<'_>, number: u8, tellings: &Tellings<'_>) {
    let sightings = &pen.view.sightings;
    let at = sightings.weeks.iter().position(|week| week.week == number);
    let seen = at.and_then(|at| sightings.weeks.get(at));
    if !pen.tables.sight.repeat_every_week && tellings.is_quiet(number) {
        let before = sightings.weeks.iter().find(|week| week.week + 1 == number);
        let still = match (seen, before) {
            (Some(seen), Some(before)) => is_unchanged(seen, before),
            (seen, _) => seen.is_none() && number > 1,
        };
        if still {
            return;
        }
    }
    pen.blank();
    let digits = format!("{number:02}");
    let args = [("ww", Arg::Text(&digits)), ("w", int(number))];
    pen.section("week", &args, &[rule::REP_04, rule::TIME_01, rule::GAP_12], |pen| {
        pen.section("events", &[], &[rule::REP_04], |pen| {
            events::in_week(pen, number, tellings)
        });
        pen.section("sightings", &[], SIGHTING, |pen| {
            if let Some(seen) = seen {
                Eyes::new(pen, seen).write(pen);
            }
        });
    });
}

/// GAP-34, `repeat_every_week`: whether nothing moved since the week before.
fn is_unchanged(week: &WeekView, before: &WeekView) -> bool {
    let places = |week: &WeekView| week.own.iter().map(|own| (own.army, own.ground)).collect::<Vec<_>>();
    week.fields == before.fields && places(week) == places(before)
}

/// What the report needs while it writes one week's sightings.
struct Eyes<'a> {
    sightings: &'a Sightings,
    week: &'a WeekView,
    /// Numbers of the six grounds beside each ground, found once.
    beside: Vec<[Option<u32>; 6]>,
    /// Where the armies on each ground begin in the week's list.
    on: Vec<Option<u32>>,
}

/// Names of fragments: the kind of block above, the number of a ground or an appearance below.
const BESIDE: u64 = 1 << 40;
const ARMIES: u64 = 2 << 40;
const ARMY: u64 = 3 << 40;

impl<'a> Eyes<'a> {
    fn new(pen: &Pen<'a>, week: &'a WeekView) -> Self {
        let sightings = &pen.view.sightings;
        let mut beside = vec![[None; 6]; sightings.grounds.len()];
        let mut wanted: Vec<u32> = week.own.iter().map(|own| own.ground).collect();
        wanted.sort_unstable();
        wanted.dedup();
        for ground in wanted {
            let Some(place) = sightings.grounds.get(ground as usize).map(|ground| ground.place) else {
                continue;
            };
            for direction in Direction::ALL {
                let found = pen.view.neighbour(place, direction).and_then(|place| {
                    sightings
                        .grounds
                        .binary_search_by_key(&place, |ground| ground.place)
                        .ok()
                });
                beside[ground as usize][direction.index()] = found.and_then(|found| u32::try_from(found).ok());
            }
        }
        let mut on = vec![None; sightings.grounds.len()];
        for (index, (ground, _)) in week.fields.iter().enumerate() {
            if let Some(slot) = on.get_mut(*ground as usize) {
                *slot = u32::try_from(index).ok();
            }
        }
        Self {
            sightings,
            week,
            beside,
            on,
        }
    }

    /// Every own army in table order: its field, the others there, the six fields around.
    fn write(&self, pen: &mut Pen<'_>) {
        let mut buffer = String::new();
        for own in &self.week.own {
            let Some(army) = self.sightings.armies.get(own.army as usize) else {
                continue;
            };
            let Some(ground) = self.sightings.grounds.get(own.ground as usize) else {
                continue;
            };
            write_name(&mut buffer, army.kind, army.number.unwrap_or(0));
            // Why it stands there: the step of the week and its cost.
            let why = own
                .step
                .and_then(|step| self.sightings.reasons.get(step.reason as usize));
            own_field(pen.sink, &buffer, ground.place, &ground.glimpse, why);
            for other in self.armies_on(own.ground) {
                if *other != own.army {
                    pen.sink
                        .fragment(ARMY | u64::from(*other), &mut |sink| self.army(sink, *other));
                }
            }
            pen.sink.fragment(BESIDE | u64::from(own.ground), &mut |sink| {
                self.around(sink, own.ground)
            });
        }
    }

    fn armies_on(&self, ground: u32) -> &'a [u32] {
        let index = self.on.get(ground as usize).copied().flatten();
        index
            .and_then(|index| self.week.fields.get(index as usize))
            .map_or(&[], |(_, armies)| armies.as_slice())
    }

    fn army(&self, sink: &mut dyn ReportSink, number: u32) {
        if let Some(army) = self.sightings.armies.get(number as usize) {
            seen_army(sink, army);
        }
    }

    fn around(&self, sink: &mut dyn ReportSink, ground: u32) {
        for direction in Direction::ALL {
            let number = self.beside.get(ground as usize).and_then(|six| six[direction.index()]);
            let Some(number) = number else { continue };
            let Some(seen) = self.sightings.grounds.get(number as usize) else {
                continue;
            };
            beside(sink, direction, seen.place, &seen.glimpse);
            let armies = self.armies_on(number);
            if !armies.is_empty() {
                sink.fragment(ARMIES | u64::from(number), &mut |sink| {
                    for army in armies {
                        self.army(sink, *army);
                    }
                });
            }
        }
    }
}

/// Row 9a: the army's own field with all six sides (THO-REP-05, THO-REP-07).
fn own_field(sink: &mut dyn ReportSink, army: &str, place: Place, glimpse: &Glimpse, why: Option<&Why>) {
    let [e1, e2, e3, e4, e5, e6] = Direction::ALL.map(|direction| Arg::Text(side(glimpse, direction)));
    let args = [
        ("army", Arg::Text(army)),
        ("x", int(place.x)),
        ("y", int(place.y)),
        ("ter", Arg::Text(glimpse.terrain.code())),
        ("owner", int(glimpse.owner.0)),
        ("bld", Arg::Text(building(glimpse))),
        ("st", Arg::Text(condition(glimpse))),
        ("e1", e1),
        ("e2", e2),
        ("e3", e3),
        ("e4", e4),
        ("e5", e5),
        ("e6", e6),
    ];
    sink.line(&Line {
        key: "sight-here",
        args: &args,
        why,
    });
}

/// Row 9c: a neighbour with the side that faces the army (THO-REP-06).
fn beside(sink: &mut dyn ReportSink, direction: Direction, place: Place, glimpse: &Glimpse) {
    let args = [
        ("k", int(direction.digit())),
        ("x", int(place.x)),
        ("y", int(place.y)),
        ("ter", Arg::Text(glimpse.terrain.code())),
        ("owner", int(glimpse.owner.0)),
        ("bld", Arg::Text(building(glimpse))),
        ("e", Arg::Text(side(glimpse, direction.opposite()))),
    ];
    sink.line(&Line {
        key: "sight-beside",
        args: &args,
        why: None,
    });
}

/// Rows 9b and 9d: an army as it shows itself (THO-SIGHT-02, -03, -05).
fn seen_army(sink: &mut dyn ReportSink, army: &SeenArmy) {
    let args = [
        ("realm", army.realm.map_or(Arg::Text("?"), |realm| int(realm.0))),
        ("kind", Arg::Text(army.kind.code())),
        ("id", army.number.map_or(Arg::Text("?"), int)),
        ("n", Arg::Int(army.count)),
    ];
    sink.line(&Line {
        key: "sight-army",
        args: &args,
        why: None,
    });
}

/// The first report: the capital looks around (THO-START-02).
pub(super) fn capital(pen: &mut Pen<'_>) {
    let view = pen.view;
    let home = Place::new(0, 0);
    let rules = [
        rule::START_01,
        rule::START_02,
        rule::REP_05,
        rule::REP_06,
        rule::MAP_01,
        rule::GAP_34,
    ];
    pen.section("start", &[], &rules, |pen| {
        if let Some(field) = view.fields.get(&home) {
            let name = field.glimpse.building.map_or("---", |building| building.code());
            own_field(pen.sink, name, home, &field.glimpse, None);
        }
        for direction in Direction::ALL {
            let Some(place) = view.neighbour(home, direction) else {
                continue;
            };
            if let Some(field) = view.fields.get(&place) {
                beside(pen.sink, direction, place, &field.glimpse);
            }
        }
    });
    pen.blank();
}

/// THO-REP-09, THO-SIGHT-04: armies on the realm's own land at the end of the turn.
pub(super) fn territory(pen: &mut Pen<'_>) {
    let view = pen.view;
    pen.blank();
    pen.section("territory", &[], &[rule::REP_09, rule::SIGHT_04, rule::GAP_14], |pen| {
        for (place, armies) in &view.territory {
            pen.line("territory-field", &[("x", int(place.x)), ("y", int(place.y))]);
            for army in armies {
                seen_army(pen.sink, army);
            }
        }
    });
    pen.blank();
}

/// Parts of a line, at most `width` in a row.
pub(super) fn rows<'a>(pen: &mut Pen<'_>, key: &str, phrases: &[Phrase<'a>], width: usize) {
    for row in phrases.chunks(width) {
        pen.line(key, &[("items", Arg::List(row, " "))]);
    }
}
