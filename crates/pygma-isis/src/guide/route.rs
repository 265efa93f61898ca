//! Ways of armies over the land that a player knows, month by month, by the rules of movement.
//!
//! In a month an army goes as far as [`crate::movement::range`] allows; ways that need more months begin anew where the last one
//! ended. Nothing is planned through land that nobody has seen.

use crate::chart::Place;
use crate::codes::{Kind, Terrain};
use crate::imagine;
use crate::movement::range::{self, Leg};
use crate::rule;
use crate::state::{ArmyName, State};
use crate::tables::Tables;
use crate::tables::policy::Crossing;
use crate::view::{ArmyView, View};
use kernel::diagnostic::{Diagnostic, Name, Span};
use kernel::form::WrittenOrder;
use kernel::guide::{Moment, Reached, RoutePlan, RouteStep};
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use kernel::report::Why;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Months that a way may take at the most.
const MONTHS: u32 = 24;

/// Who travels, from where.
struct Traveller {
    /// An army that exists, if it is one.
    army: Option<ArmyName>,
    kind: Kind,
    from: FieldIndex,
    /// A stationary army goes nowhere.
    bound: bool,
}

struct Journey<'a> {
    tables: &'a Tables,
    view: &'a View,
    state: State,
    realm: RealmId,
    kind: Kind,
}

/// `KH 1`, `5/13`, or `RH 5/13` for riders who might stand there.
fn traveller(tables: &Tables, view: &View, from: &str) -> Option<Traveller> {
    let words: Vec<&str> = from.split_whitespace().collect();
    let at = |word: &str| view.chart.field(Place::read(word)?);
    match words.as_slice() {
        [place] => Some(Traveller {
            army: None,
            kind: Kind::Warriors,
            from: at(place)?,
            bound: false,
        }),
        [kind, place] if place.contains('/') => Some(Traveller {
            army: None,
            kind: Kind::from_code(kind)?,
            from: at(place)?,
            bound: false,
        }),
        [kind, number] => {
            let name = ArmyName::new(Kind::from_code(kind)?, number.parse().ok()?);
            let own = view.armies.iter().filter(|army| Some(army.realm) == view.realm());
            let army = own.into_iter().find(|army| army.name == name)?;
            Some(Traveller {
                army: Some(name),
                kind: name.kind,
                from: view.chart.field(army.place)?,
                bound: is_bound(tables, view, army),
            })
        }
        _ => None,
    }
}

/// Whether an army is stationary in the coming month. At an arming month it is released, unless its ruler says otherwise (PYG-GAP-49).
fn is_bound(tables: &Tables, view: &View, army: &ArmyView) -> bool {
    let released = tables.armies.released_if_not_renewed && tables.is_arming(view.step.saturating_add(1));
    army.stationed && !released
}

/// What counts of a month's move so far; two ways with the same count are as good as each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Progress {
    field: FieldIndex,
    steps: u8,
    inside: u8,
    climbed: u8,
    road: bool,
    mountains: bool,
    ended: bool,
}

impl Journey<'_> {
    fn is_water(&self, field: FieldIndex) -> bool {
        self.tables.is_water(self.state.field(field).terrain)
    }

    fn height(&self, field: FieldIndex) -> i64 {
        self.tables.terrain[self.state.field(field).terrain].height
    }

    /// Whether the traveller can stand on a field at all.
    fn is_open(&self, field: FieldIndex) -> bool {
        let here = self.state.field(field);
        let at_sea = self.kind == Kind::Fleet;
        let own = self.kind != Kind::Trader || here.owner == self.realm || here.has_road();
        here.terrain != Terrain::Unexplored && self.is_water(field) == at_sea && own
    }

    /// Every field that can be reached within a month from one field, with the way there.
    fn month(&self, start: FieldIndex) -> BTreeMap<FieldIndex, Vec<FieldIndex>> {
        let first = Progress {
            field: start,
            steps: 0,
            inside: 0,
            climbed: 0,
            road: true,
            mountains: false,
            ended: false,
        };
        let mut seen: BTreeSet<Progress> = BTreeSet::from([first]);
        let mut found: BTreeMap<FieldIndex, Vec<FieldIndex>> = BTreeMap::new();
        let mut open: VecDeque<(Progress, Vec<FieldIndex>, Vec<Leg>)> =
            VecDeque::from([(first, Vec::new(), Vec::new())]);
        while let Some((progress, path, legs)) = open.pop_front() {
            if progress.ended || path.len() >= usize::from(self.tables.movement.ticks) {
                continue;
            }
            for (direction, to) in self.state.chart.neighbours(progress.field) {
                if !self.is_open(to) {
                    continue;
                }
                let here = self.state.field(progress.field);
                let river = here.rivers.has(direction) && !here.bridges.has(direction);
                if river && self.tables.movement.unbridged_river == Crossing::Blocked {
                    continue;
                }
                let inside = self.is_inside(to);
                let leg = Leg {
                    inside: Some(inside),
                    road: here.roads.has(direction),
                    height: if self.kind == Kind::Fleet {
                        0
                    } else {
                        (self.height(progress.field) - self.height(to)).abs()
                    },
                    mountains: self.state.field(to).terrain == Terrain::Mountains,
                };
                let mut legs = legs.clone();
                legs.push(leg);
                if range::judge(self.tables, self.kind, &self.counted(&legs)).is_err() {
                    continue;
                }
                let next = Progress {
                    field: to,
                    steps: progress.steps + 1,
                    inside: progress.inside + u8::from(inside),
                    climbed: progress
                        .climbed
                        .saturating_add(u8::try_from(leg.height).unwrap_or(u8::MAX)),
                    road: progress.road && leg.road,
                    mountains: progress.mountains || leg.mountains,
                    ended: river && self.tables.movement.unbridged_river == Crossing::LastStep,
                };
                if seen.insert(next) {
                    let mut path = path.clone();
                    path.push(to);
                    found.entry(to).or_insert_with(|| path.clone());
                    open.push_back((next, path, legs));
                }
            }
        }
        found.remove(&start);
        found
    }

    /// PYG-GAP-23: a fleet's move that enters other than home waters counts wholly as outside.
    fn counted(&self, legs: &[Leg]) -> Vec<Leg> {
        let is_outside = self.kind == Kind::Fleet && legs.iter().any(|leg| leg.inside == Some(false));
        let count = |leg: &Leg| Leg {
            inside: leg.inside.map(|inside| inside && !is_outside),
            ..*leg
        };
        legs.iter().map(count).collect()
    }

    /// PYG-GAP-23, PYG-GAP-28: own land; for fleets water beside it.
    fn is_inside(&self, field: FieldIndex) -> bool {
        if self.kind != Kind::Fleet {
            return self.state.field(field).owner == self.realm;
        }
        let near = self.state.chart.range(field, self.tables.movement.home_water_distance);
        near.into_iter()
            .any(|field| self.state.field(field).owner == self.realm)
    }

    /// Every field that can be reached within so many months: the month of arrival and the way from the field before.
    fn months(&self, start: FieldIndex, months: u32, goal: Option<FieldIndex>) -> BTreeMap<FieldIndex, Arrival> {
        let mut reached: BTreeMap<FieldIndex, Arrival> = BTreeMap::new();
        let mut edge = vec![start];
        for month in 1..=months {
            let mut next = Vec::new();
            for from in edge {
                for (field, path) in self.month(from) {
                    if field != start && !reached.contains_key(&field) {
                        let arrival = Arrival { month, from, path };
                        reached.insert(field, arrival);
                        next.push(field);
                    }
                }
            }
            if next.is_empty() || goal.is_some_and(|goal| reached.contains_key(&goal)) {
                break;
            }
            edge = next;
        }
        reached
    }
}

struct Arrival {
    month: u32,
    from: FieldIndex,
    path: Vec<FieldIndex>,
}

fn journey<'a>(tables: &'a Tables, view: &'a View, kind: Kind) -> Option<Journey<'a>> {
    Some(Journey {
        tables,
        view,
        state: imagine::world(tables, view)?,
        realm: view.realm()?,
        kind,
    })
}

/// The best way to a place: fewest months, then fewest steps.
pub(super) fn route(tables: &Tables, view: &View, from: &str, to: &str) -> RoutePlan {
    let nothing = |code: &'static str, text: &str| RoutePlan {
        traveller: from.to_owned(),
        findings: vec![Diagnostic::error(code, Span::default(), &[rule::MOVE_01]).with("name", text)],
        ..RoutePlan::default()
    };
    let Some(traveller) = traveller(tables, view, from) else {
        return nothing("E_UNKNOWN", from);
    };
    if traveller.bound {
        let finding = Diagnostic::error("E_STATIONARY", Span::default(), &[rule::STAT_03]);
        return RoutePlan {
            traveller: from.to_owned(),
            findings: vec![finding.with("unit", from)],
            ..RoutePlan::default()
        };
    }
    let goal = Place::read(to).and_then(|place| view.chart.field(place));
    let (Some(goal), Some(journey)) = (goal, journey(tables, view, traveller.kind)) else {
        return nothing("E_UNKNOWN", to);
    };
    let reached = journey.months(traveller.from, MONTHS, Some(goal));
    let mut legs: Vec<&Arrival> = Vec::new();
    let mut at = goal;
    while at != traveller.from {
        let Some(arrival) = reached.get(&at) else {
            return nothing("E_NO_WAY", to);
        };
        legs.push(arrival);
        at = arrival.from;
    }
    legs.reverse();
    plan(&journey, &traveller, from, &legs)
}

fn plan(journey: &Journey<'_>, traveller: &Traveller, name: &str, legs: &[&Arrival]) -> RoutePlan {
    let chart = &journey.state.chart;
    let place = |field: FieldIndex| chart.place(field).to_string();
    let home = journey
        .view
        .books
        .as_ref()
        .and_then(|books| chart.field(books.home))
        .unwrap_or(FieldIndex(0));
    let mut plan = RoutePlan {
        traveller: name.to_owned(),
        ..RoutePlan::default()
    };
    for leg in legs {
        let step = journey.view.step + leg.month;
        let mut from = leg.from;
        for (part, to) in (1..).zip(&leg.path) {
            let when = Moment { step, part };
            let difficult = journey.tables.terrain[journey.state.field(*to).terrain].difficult;
            let reef = journey.tables.terrain[journey.state.field(*to).terrain].reef;
            let owner = journey.state.field(*to).owner;
            let mut cautions: Vec<Name> = Vec::new();
            if difficult && traveller.kind.is_land_army() {
                cautions.push(Name::Borrowed("caution-losses"));
            }
            if reef && leg.path.len() > 1 {
                cautions.push(Name::Borrowed("caution-reef"));
            }
            if owner.is_played() && owner != journey.realm {
                cautions.push(Name::Borrowed("caution-foreign"));
            }
            plan.steps.push(RouteStep {
                when,
                from: place(from),
                to: place(*to),
                at: chart.spot(home, *to),
                cost: 1,
                left: leg.path.len() as i64 - i64::from(part),
                cautions,
                why: Why {
                    rules: [rule::MOVE_01, rule::GAP_28]
                        .iter()
                        .map(|rule| Name::Borrowed(rule.as_str()))
                        .collect(),
                    ..Why::default()
                },
            });
            plan.arrival = Some(when);
            from = *to;
        }
        if let Some(army) = traveller.army {
            let path: Vec<String> = std::iter::once(leg.from)
                .chain(leg.path.iter().copied())
                .map(place)
                .collect();
            plan.orders.push(WrittenOrder {
                opening: String::new(),
                text: format!("ZUG {army}: {}", path.join(" > ")),
            });
        }
    }
    plan.cost = plan.steps.len() as i64;
    plan
}

/// Every field within so many months.
pub(super) fn reach(tables: &Tables, view: &View, from: &str, months: u32) -> Vec<Reached> {
    let Some(traveller) = traveller(tables, view, from).filter(|traveller| !traveller.bound) else {
        return Vec::new();
    };
    let Some(journey) = journey(tables, view, traveller.kind) else {
        return Vec::new();
    };
    let home = view.books.as_ref().and_then(|books| view.chart.field(books.home));
    let reached = journey.months(traveller.from, months.min(MONTHS), None);
    reached
        .into_iter()
        .map(|(field, arrival)| Reached {
            place: view.chart.place(field).to_string(),
            at: view.chart.spot(home.unwrap_or(FieldIndex(0)), field),
            when: Moment {
                step: view.step + arrival.month,
                part: u32::try_from(arrival.path.len()).unwrap_or(u32::MAX),
            },
            cost: arrival.path.len() as i64,
        })
        .collect()
}

/// The fields behind `from` on the way to `to` within one month; none if it is too far.
pub(super) fn within_month(tables: &Tables, view: &View, kind: Kind, from: Place, to: Place) -> Option<Vec<Place>> {
    let (start, goal) = (view.chart.field(from)?, view.chart.field(to)?);
    let path = journey(tables, view, kind)?.month(start).remove(&goal)?;
    Some(path.into_iter().map(|field| view.chart.place(field)).collect())
}
