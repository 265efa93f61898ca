//! Ways for armies: the march's own rules about steps and their price, on the land as the player knows it.
//!
//! A way is searched turn by turn: a step a week at the most, none without points, a loan paid back in the next turn
//! (THO-MOVE-01, -08). Of all ways that arrive in the earliest turn the cheapest is taken. Meetings and fights are not foreseen.

use super::place;
use super::term;
use crate::codes::{Command, Flag, Kind, Terrain};
use crate::geo::Place;
use crate::groups;
use crate::imagine;
use crate::movement::{self, Traveller, Way};
use crate::order::WEEKS;
use crate::rule;
use crate::state::{ArmyName, SeenArmy, State};
use crate::tables::Tables;
use crate::view::View;
use kernel::diagnostic::{Diagnostic, Name, Span};
use kernel::form::WrittenOrder;
use kernel::guide::{Moment, Reached, RoutePlan, RouteStep};
use kernel::hex::{Direction, FieldIndex};
use kernel::map::Spot;
use kernel::realm::RealmId;
use kernel::report::Why;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Turns that a way may take: two years.
const TURNS_MAX: u32 = 8;
/// Stations that a search looks at before it gives up.
const STATIONS_MAX: usize = 400_000;

/// The best way to a place.
pub(super) fn route(tables: &Tables, view: &View, from: &str, to: &str) -> RoutePlan {
    let mut plan = RoutePlan {
        traveller: from.trim().chars().take(40).collect(),
        ..RoutePlan::default()
    };
    let (journey, goal) =
        match Journey::begin(tables, view, from).and_then(|journey| Ok((journey, place::read(view, to)?))) {
            Ok(both) => both,
            Err(finding) => {
                plan.findings.push(*finding);
                return plan;
            }
        };
    let Ok(goal_field) = goal.field(&journey.state.grid, journey.state.origin) else {
        return plan;
    };
    plan.traveller = journey.label();
    if goal_field == journey.start {
        return plan;
    }
    match journey.search(TURNS_MAX, Some(goal_field)).way_to(goal_field) {
        Some(legs) => journey.describe(&mut plan, &legs),
        None => plan.findings.push(no_way(&journey, goal)),
    }
    plan
}

/// Every field within reach in so many turns, north to south and west to east.
pub(super) fn reach(tables: &Tables, view: &View, from: &str, turns: u32) -> Vec<Reached> {
    let Ok(journey) = Journey::begin(tables, view, from) else {
        return Vec::new();
    };
    let search = journey.search(turns.min(TURNS_MAX), None);
    let mut list: Vec<Reached> = search
        .best
        .iter()
        .filter(|(field, _)| **field != journey.start)
        .filter_map(|(field, index)| {
            let station = search.stations.get(*index)?;
            let place = Place::of(&journey.state.grid, journey.state.origin, *field);
            Some(Reached {
                place: place.to_string(),
                at: spot(place)?,
                when: journey.moment(station),
                cost: station.spent,
            })
        })
        .collect();
    list.sort_by_key(|reached| (Reverse(reached.at.y), reached.at.d));
    list
}

fn no_way(journey: &Journey<'_>, goal: Place) -> Diagnostic {
    Diagnostic::error("O03", Span::default(), &[rule::MOVE_09, rule::TERR_02])
        .with("armee", journey.label())
        .with("x", i64::from(goal.x))
        .with("y", i64::from(goal.y))
        .with("n", TURNS_MAX)
}

fn spot(place: Place) -> Option<Spot> {
    let doubled = place.doubled()?;
    Some(Spot::new(
        i32::try_from(doubled.d).ok()?,
        i32::try_from(doubled.y).ok()?,
    ))
}

/// Who goes, and through what.
struct Journey<'a> {
    tables: &'a Tables,
    view: &'a View,
    state: State,
    traveller: Traveller,
    start: FieldIndex,
    points: i32,
    pace: i32,
    /// The army with its command and flag, if it is one that exists.
    army: Option<(ArmyName, Command, Flag)>,
    /// What is written for one that does not.
    thought_of: String,
}

impl<'a> Journey<'a> {
    /// Reads who goes: `K.M 1`, `K.M 3/2` or `3/2`.
    fn begin(tables: &'a Tables, view: &'a View, from: &str) -> Result<Self, Box<Diagnostic>> {
        let realm = view.realm().unwrap_or(RealmId::NOBODY);
        let unknown = || {
            let shown: String = from.chars().take(40).collect();
            Box::new(Diagnostic::error("O04", Span::default(), &[rule::UNIT_01]).with("armee", shown))
        };
        let from = from.trim();
        let (kind, rest) = match from.split_once(' ') {
            Some((word, rest)) => match Kind::from_code(word) {
                Some(kind) => (Some(kind), rest.trim()),
                None => (None, from),
            },
            None => (None, from),
        };
        let own = kind.and_then(|kind| Some(ArmyName::new(kind, rest.parse().ok()?)));
        let state = imagine::land(tables, view).ok_or_else(unknown)?;
        let field = |place: Place| place.field(&state.grid, state.origin).map_err(|_| unknown());
        let figures = tables.of(realm);
        if let Some(name) = own {
            let army = view.army(name).ok_or_else(unknown)?;
            if let Some(carrier) = army.aboard.or(army.group) {
                let finding = Diagnostic::error("O05", Span::default(), &[rule::SEA_04, rule::GRP_02]);
                return Err(Box::new(
                    finding.with("armee", name.to_string()).with("v", carrier.to_string()),
                ));
            }
            let members = || view.own_armies().filter(|(_, member)| member.group == Some(name));
            let kinds = || members().map(|(member, _)| member.kind);
            let is_group = name.kind.is_group();
            let (traveller, pace) = if is_group {
                (
                    Traveller::group(realm, name.kind, kinds()),
                    groups::pace(figures, kinds()),
                )
            } else {
                (Traveller::alone(realm, name.kind), points_of(figures, name.kind))
            };
            return Ok(Self {
                tables: figures,
                view,
                start: field(army.place)?,
                traveller,
                points: army.points,
                pace,
                army: Some((name, army.command, army.flag)),
                thought_of: String::new(),
                state,
            });
        }
        let place = place::read(view, rest)?;
        let start = field(place)?;
        let afloat = figures.is_water(state.field(start).terrain);
        let kind = kind.unwrap_or(if afloat { Kind::LightShip } else { Kind::LightWarrior });
        let pace = points_of(figures, kind);
        Ok(Self {
            tables: figures,
            view,
            traveller: Traveller::alone(realm, kind),
            start,
            points: pace,
            pace,
            army: None,
            thought_of: format!("{} {place}", kind.code()),
            state,
        })
    }

    fn label(&self) -> String {
        match &self.army {
            Some((name, ..)) => name.to_string(),
            None => self.thought_of.clone(),
        }
    }

    fn moment(&self, station: &Station) -> Moment {
        Moment {
            step: self.view.turn.saturating_add(1).saturating_add(station.turn),
            part: u32::from(station.week),
        }
    }

    /// Looks for ways, in order of turn and cost, until the goal is reached or nothing is left within the turns.
    fn search(&self, turns: u32, goal: Option<FieldIndex>) -> Search {
        let mut search = Search::default();
        search.open(Station {
            field: self.start,
            turn: 0,
            week: 0,
            points: self.points,
            off_road: 0,
            spent: 0,
            from: None,
            direction: None,
        });
        while let Some(index) = search.next() {
            let Some(station) = search.stations.get(index).copied() else {
                break;
            };
            search.best.entry(station.field).or_insert(index);
            if Some(station.field) == goal || search.stations.len() > STATIONS_MAX {
                break;
            }
            if station.turn >= turns {
                continue;
            }
            self.go_on(&mut search, index, &station);
            if station.turn + 1 < turns && (station.week > 0 || station.points <= 0) {
                search.open(Station {
                    turn: station.turn + 1,
                    week: 0,
                    points: movement::refilled(station.points, self.pace),
                    off_road: 0,
                    from: Some(index),
                    direction: None,
                    ..station
                });
            }
        }
        search
    }

    /// Every step that is possible from a station (THO-MOVE-01, THO-UNIT-12).
    fn go_on(&self, search: &mut Search, index: usize, station: &Station) {
        if station.points <= 0 || usize::from(station.week) >= WEEKS {
            return;
        }
        let off_road_max = self.tables.movement.engine_medium_max_offroad_steps;
        for direction in Direction::ALL {
            let Ok(way) = movement::way(self.tables, &self.state, self.traveller, station.field, direction) else {
                continue;
            };
            if self.traveller.drags && !way.road && i64::from(station.off_road) >= off_road_max {
                continue;
            }
            let cost = movement::step_cost(self.tables, &way);
            search.open(Station {
                field: way.to,
                turn: station.turn,
                week: station.week + 1,
                points: station.points.saturating_sub(cost),
                // Only who drags engines is counted, so that others' ways are not told apart by it.
                off_road: station.off_road + u8::from(self.traveller.drags && !way.road),
                spent: station.spent + i64::from(cost),
                from: Some(index),
                direction: Some(direction),
            });
        }
    }

    /// Puts a way into words: steps with their reasons, orders turn by turn.
    fn describe(&self, plan: &mut RoutePlan, legs: &[Leg]) {
        let mut digits: BTreeMap<u32, Vec<Direction>> = BTreeMap::new();
        for leg in legs {
            let (before, after, direction) = (leg.before, leg.after, leg.direction);
            digits.entry(after.turn).or_default().push(direction);
            let Ok(way) = movement::way(self.tables, &self.state, self.traveller, before.field, direction) else {
                continue;
            };
            let [from, to] = [before.field, way.to].map(|field| Place::of(&self.state.grid, self.state.origin, field));
            let Some(at) = spot(to) else { continue };
            let cost = movement::step_cost(self.tables, &way);
            plan.steps.push(RouteStep {
                when: self.moment(&after),
                from: from.to_string(),
                to: to.to_string(),
                at,
                cost: i64::from(cost),
                left: i64::from(after.points),
                cautions: self.cautions(&way, to),
                why: self.why(&way, cost, after.points),
            });
            plan.arrival = Some(self.moment(&after));
            plan.cost = after.spent;
        }
        if let Some((name, command, flag)) = self.army {
            let last = digits.keys().next_back().copied().unwrap_or(0);
            plan.orders = (0..=last)
                .map(|turn| {
                    let steps = digits.get(&turn).map_or(&[][..], Vec::as_slice);
                    order(name, steps, command, flag)
                })
                .collect();
        }
    }

    fn why(&self, way: &Way, cost: i32, left: i32) -> Why {
        let rules = movement::step_rules(way, self.traveller.kind.is_group(), left < 0);
        let made = [("cost", i64::from(cost).into()), ("left", i64::from(left).into())];
        Why {
            rules: rules.iter().map(|rule| Name::Borrowed(rule.as_str())).collect(),
            terms: vec![term("step-made", &made)],
            ..Why::default()
        }
    }

    /// What may come in between: land never seen, losses on the way, others who were seen there.
    fn cautions(&self, way: &Way, to: Place) -> Vec<Name> {
        let culture = self.view.books().map(|books| &books.culture);
        let kind = self.traveller.kind;
        let loses = movement::terrain_loss(self.tables, culture, kind, None, way.terrain).is_some();
        let strange = |army: &SeenArmy| army.realm.is_none() || army.realm != self.view.realm();
        let met = self
            .view
            .fields
            .get(&to)
            .is_some_and(|field| field.armies.iter().any(strange));
        let list = [
            (
                self.state.field(way.to).terrain == Terrain::Unexplored,
                "caution-unexplored",
            ),
            (loses, "caution-losses"),
            (
                way.river && !way.bridge && self.tables.suffers_losses(kind),
                "caution-river",
            ),
            (way.wall, "caution-wall"),
            (met, "caution-strangers"),
        ];
        let due = list.iter().filter(|(due, _)| *due);
        due.map(|(_, word)| Name::Borrowed(*word)).collect()
    }
}

fn points_of(tables: &Tables, kind: Kind) -> i32 {
    i32::try_from(tables.movement_points(kind)).unwrap_or(i32::MAX)
}

/// The order line of a turn (THO-ORD-06): a digit a week.
fn order(name: ArmyName, steps: &[Direction], command: Command, flag: Flag) -> WrittenOrder {
    let digits: String = (0..WEEKS)
        .map(|week| {
            steps
                .get(week)
                .map_or('0', |direction| char::from(b'0' + direction.digit()))
        })
        .collect();
    WrittenOrder {
        opening: "$A".to_owned(),
        text: format!("{name} {digits} {}{}", command.code(), flag.code()),
    }
}

/// Where a search has come to, and how.
#[derive(Clone, Copy, Debug)]
struct Station {
    field: FieldIndex,
    turn: u32,
    /// Weeks used up.
    week: u8,
    points: i32,
    off_road: u8,
    spent: i64,
    from: Option<usize>,
    /// The step that led here; none for the beginning of a turn.
    direction: Option<Direction>,
}

impl Station {
    /// Whether nothing that can still be done from `other` is denied to this one. Waiting for the next turn fills the points
    /// of whoever owes none; who has just waited is not measured by what he was before.
    fn is_as_good_as(&self, other: &Self) -> bool {
        let rested = self.turn < other.turn && self.points >= 0 && other.week > 0;
        let same_turn = self.turn == other.turn
            && self.week <= other.week
            && self.points >= other.points
            && self.off_road <= other.off_road;
        rested || same_turn
    }
}

/// A step of a way found.
struct Leg {
    before: Station,
    after: Station,
    direction: Direction,
}

#[derive(Default)]
struct Search {
    stations: Vec<Station>,
    /// By turn, cost, weeks; then the order in which they were found.
    waiting: BinaryHeap<Reverse<(u32, i64, u8, usize)>>,
    /// What is open or done at each field.
    known: BTreeMap<FieldIndex, Vec<usize>>,
    /// The first arrival at each field.
    best: BTreeMap<FieldIndex, usize>,
}

impl Search {
    fn open(&mut self, station: Station) {
        let known = self.known.entry(station.field).or_default();
        let stations = &self.stations;
        let better = known
            .iter()
            .filter_map(|index| stations.get(*index))
            .any(|other| other.is_as_good_as(&station));
        if better {
            return;
        }
        known.retain(|index| stations.get(*index).is_some_and(|other| !station.is_as_good_as(other)));
        let index = self.stations.len();
        known.push(index);
        self.waiting
            .push(Reverse((station.turn, station.spent, station.week, index)));
        self.stations.push(station);
    }

    fn next(&mut self) -> Option<usize> {
        self.waiting.pop().map(|Reverse((.., index))| index)
    }

    /// The steps to a field in order, if a way was found.
    fn way_to(&self, field: FieldIndex) -> Option<Vec<Leg>> {
        let mut at = *self.best.get(&field)?;
        let mut legs = Vec::new();
        while let Some(after) = self.stations.get(at).copied() {
            let Some(before) = after.from else { break };
            if let (Some(direction), Some(station)) = (after.direction, self.stations.get(before)) {
                legs.push(Leg {
                    before: *station,
                    after,
                    direction,
                });
            }
            at = before;
        }
        legs.reverse();
        Some(legs)
    }
}
