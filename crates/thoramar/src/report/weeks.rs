//! Weeks: events, then what every army sees (THO-REP-04..07, THO-SIGHT).
//!
//! These are by far the most lines of a report. What several armies see alike is written once as a fragment and repeated.

use super::events::{self, Tellings};
use super::{Pen, int, write_name};
use crate::geo::Place;
use crate::rule;
use crate::state::{ArmyName, Glimpse, SeenArmy, SeenCondition};
use crate::view::{Sightings, View, WeekView};
use kernel::hex::Direction;
use kernel::realm::RealmId;
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
pub(super) fn week(pen: &mut Pen<'_>, number: u8, tellings: &Tellings<'_>, eyes: &mut Eyes<'_>) {
    let sightings = &pen.view.sightings;
    let seen = sightings.weeks.iter().find(|week| week.week == number);
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
                eyes.write(pen.sink, seen);
            }
        });
    });
}

/// GAP-34, `repeat_every_week`: whether nothing moved since the week before.
fn is_unchanged(week: &WeekView, before: &WeekView) -> bool {
    let places = |week: &WeekView| week.own.iter().map(|own| (own.army, own.ground)).collect::<Vec<_>>();
    week.fields == before.fields && places(week) == places(before)
}

/// What the report needs while it writes sightings, week by week.
pub(super) struct Eyes<'a> {
    me: Option<RealmId>,
    sightings: &'a Sightings,
    /// What lies around each ground.
    around: Vec<Around>,
    /// The crowd on each ground in the running week.
    crowds: Vec<Option<u32>>,
    /// How many different surroundings were written.
    written: u32,
}

/// The six fields around a ground.
#[derive(Clone, Default)]
struct Around {
    /// Their numbers, as far as they were seen.
    grounds: [Option<u32>; 6],
    /// The crowds on them when the surroundings were last written, and the number of those surroundings.
    last: Option<([Option<u32>; 6], u32)>,
}

/// Kinds of fragments: an own army on its ground, an army as it shows itself, a neighbour from one side, a crowd, all that lies
/// around a ground. The number of a fragment is made of its kind and one or two numbers of the view's tables, or of an army itself.
#[derive(Clone, Copy)]
enum Piece {
    Here,
    Army,
    Beside,
    Crowd,
    Around,
}

impl Piece {
    const fn number(self, one: u32, other: u32) -> u64 {
        ((self as u64) << 60) | ((one as u64) << 28) | other as u64
    }

    /// The number of an army that is seen: the same in whatever crowd it stands. None for one that is too large for it.
    fn of_army(army: &SeenArmy) -> Option<u64> {
        let parts = [
            (army.realm.map_or(0, |realm| u64::from(realm.0) + 1), 17),
            (army.kind as u64, 6),
            (army.number.map_or(0, |number| u64::from(number) + 1), 13),
            (u64::try_from(army.count).ok()?, 24),
        ];
        parts.into_iter().try_fold(Self::Army as u64, |number, (part, bits)| {
            (part >> bits == 0).then_some(number << bits | part)
        })
    }
}

impl<'a> Eyes<'a> {
    pub(super) fn new(view: &'a View) -> Self {
        let sightings = &view.sightings;
        let number = |place: Place| {
            let found = sightings.grounds.binary_search_by_key(&place, |ground| ground.place);
            found.ok().and_then(|found| u32::try_from(found).ok())
        };
        let around = |place: Place| Around {
            grounds: Direction::ALL.map(|direction| view.neighbour(place, direction).and_then(number)),
            last: None,
        };
        Self {
            me: view.realm(),
            sightings,
            around: sightings.grounds.iter().map(|ground| around(ground.place)).collect(),
            crowds: Vec::new(),
            written: 0,
        }
    }

    /// Every own army in table order: its field, the others there, the six fields around.
    fn write(&mut self, sink: &mut dyn ReportSink, week: &WeekView) {
        self.crowds.clear();
        self.crowds.resize(self.sightings.grounds.len(), None);
        for (ground, crowd) in &week.fields {
            if let Some(slot) = self.crowds.get_mut(*ground as usize) {
                *slot = Some(*crowd);
            }
        }
        let mut buffer = String::new();
        for own in &week.own {
            let army = self.sightings.armies.get(own.army as usize);
            let ground = self.sightings.grounds.get(own.ground as usize);
            let (Some(army), Some(ground)) = (army, ground) else {
                continue;
            };
            let mut here = |sink: &mut dyn ReportSink, why: Option<&Why>| {
                write_name(&mut buffer, army.kind, army.number);
                own_field(sink, &buffer, ground.place, &ground.glimpse, why);
            };
            // Why it stands there: the step of the week and its cost.
            match own.step.and_then(|step| self.sightings.reasons.get(step as usize)) {
                Some(why) => here(sink, Some(why)),
                None => sink.fragment(Piece::Here.number(own.army, own.ground), &mut |sink| here(sink, None)),
            }
            self.others(sink, *army, own.ground);
            let around = self.surroundings(own.ground);
            sink.fragment(Piece::Around.number(around, 0), &mut |sink| {
                self.around(sink, own.ground)
            });
        }
    }

    fn crowd(&self, ground: u32) -> Option<u32> {
        self.crowds.get(ground as usize).copied().flatten()
    }

    fn armies(&self, crowd: u32) -> &'a [SeenArmy] {
        self.sightings.crowds.get(crowd)
    }

    /// The armies that stand on a ground with an own one.
    fn others(&self, sink: &mut dyn ReportSink, me: ArmyName, ground: u32) {
        let Some(crowd) = self.crowd(ground) else { return };
        for army in self.armies(crowd) {
            let is_me = army.realm == self.me && (army.kind, army.number) == (me.kind, Some(me.number));
            if !is_me {
                army_of_crowd(sink, army);
            }
        }
    }

    /// The number of the surroundings of a ground as they are this week: the same until an army comes, goes or changes.
    fn surroundings(&mut self, ground: u32) -> u32 {
        let Some(around) = self.around.get(ground as usize) else {
            return u32::MAX;
        };
        let now = around
            .grounds
            .map(|beside| beside.and_then(|beside| self.crowd(beside)));
        match around.last {
            Some((crowds, number)) if crowds == now => number,
            _ => {
                self.written += 1;
                self.around[ground as usize].last = Some((now, self.written));
                self.written
            }
        }
    }

    fn around(&self, sink: &mut dyn ReportSink, ground: u32) {
        let Some(around) = self.around.get(ground as usize) else {
            return;
        };
        for direction in Direction::ALL {
            let Some(number) = around.grounds[direction.index()] else {
                continue;
            };
            let Some(seen) = self.sightings.grounds.get(number as usize) else {
                continue;
            };
            sink.fragment(
                Piece::Beside.number(number, u32::from(direction.digit())),
                &mut |sink| {
                    beside(sink, direction, seen.place, &seen.glimpse);
                },
            );
            if let Some(crowd) = self.crowd(number) {
                sink.fragment(Piece::Crowd.number(crowd, 0), &mut |sink| {
                    for army in self.armies(crowd) {
                        army_of_crowd(sink, army);
                    }
                });
            }
        }
    }
}

/// An army of a crowd, written once for all crowds and weeks in which it shows itself alike.
fn army_of_crowd(sink: &mut dyn ReportSink, army: &SeenArmy) {
    match Piece::of_army(army) {
        Some(number) => sink.fragment(number, &mut |sink| seen_army(sink, army)),
        None => seen_army(sink, army),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::Kind;
    use std::collections::BTreeSet;

    #[test]
    fn armies_that_look_different_have_different_numbers() {
        let mut numbers = BTreeSet::new();
        let mut count = 0;
        for realm in [None, Some(0), Some(1), Some(u16::MAX)] {
            for kind in Kind::ALL {
                for number in [None, Some(0), Some(1), Some(8190)] {
                    for heads in [0, 1, 0xff_ffff] {
                        let army = SeenArmy {
                            realm: realm.map(RealmId),
                            kind: *kind,
                            number,
                            count: heads,
                        };
                        numbers.insert(Piece::of_army(&army).expect("small enough"));
                        count += 1;
                    }
                }
            }
        }
        assert_eq!(numbers.len(), count);
        // No number of another kind of fragment is among them.
        for piece in [Piece::Here, Piece::Beside, Piece::Crowd, Piece::Around] {
            assert!(
                numbers
                    .range(piece.number(0, 0)..=piece.number(u32::MAX, 0))
                    .next()
                    .is_none()
            );
        }
    }

    #[test]
    fn an_army_beyond_all_measure_has_no_number() {
        let army = |number: u32, count: i64| SeenArmy {
            realm: Some(RealmId(1)),
            kind: Kind::Demon,
            number: Some(number),
            count,
        };
        let huge = [
            army(1, 1 << 24),
            army(1, i64::MAX),
            army(1, -1),
            army(8191, 1),
            army(u32::MAX, 1),
        ];
        assert!(huge.iter().all(|army| Piece::of_army(army).is_none()));
        assert!(Piece::of_army(&army(8190, 1)).is_some());
    }
}
