//! What a computer player's ships do: carry armies to land beyond the sea, look for more of it, and trade between ports.

use super::Desk;
use super::campaign::{Marches, Troop, arrives, weeks};
use crate::codes::{Command, Kind, Terrain};
use crate::movement::{Traveller, step_cost, way};
use crate::order::WEEKS;
use crate::sea::cargo_max;
use kernel::hex::{Direction, FieldIndex, Path, Reach, path};
use kernel::realm::RealmId;
use std::cmp::Reverse;

/// An army so far from a fleet is not fetched.
const FETCHING_DISTANCE: u32 = 12;
/// Unknown fields that are worth a voyage.
const WORTH_A_LOOK: usize = 2;
/// Fields that the search for a trade route looks at.
const ROUTE_LIMIT: usize = 1_200;

/// Gives every fleet its orders, and the armies that sail with it.
pub(super) fn sail(desk: &Desk<'_>, troops: &[Troop<'_, '_>], marches: &mut Marches) {
    for fleet in troops.iter().filter(|troop| troop.name.kind.is_ship()) {
        let cargo = troops.iter().find(|troop| troop.aboard == Some(fleet.name));
        let done = match cargo {
            Some(cargo) => put_ashore(fleet, cargo, marches),
            None => fetch(fleet, troops, marches),
        };
        if !done {
            scout(fleet, marches);
        }
    }
    for fleet in troops.iter().filter(|troop| troop.name.kind == Kind::TradeFleet) {
        trade(desk, fleet, marches);
    }
}

/// A stretch of coast to land on.
struct Shore {
    /// The way of the fleet.
    path: Path<FieldIndex>,
    /// From there to the land.
    direction: Direction,
    /// The land.
    field: FieldIndex,
    /// What it is worth, and how near.
    rank: (i64, Reverse<u32>, FieldIndex),
}

/// The best land to take from the sea, with so many points and weeks left.
fn shore(
    fleet: &Troop<'_, '_>,
    cargo: &Troop<'_, '_>,
    (from, points, weeks): (FieldIndex, i32, usize),
    marches: &Marches,
) -> Option<Shore> {
    let desk = fleet.desk;
    let reach = fleet.reach_from(from, points);
    let mut best: Option<Shore> = None;
    for water in reach.fields.keys().filter(|field| desk.is_sea(**field)) {
        let Some(path) = reach
            .path_to(*water)
            .filter(|path| arrives(path, &reach, points, weeks))
        else {
            continue;
        };
        for (direction, field) in desk.grid().neighbours(*water) {
            let guarded = desk.dangers.get(&field).is_some_and(|strength| !cargo.beats(*strength));
            if !desk.is_low(field) || !desk.is_prey(field) || guarded || marches.claimed.contains(&field) {
                continue;
            }
            let rank = (desk.worth(field), Reverse(path.cost), field);
            if best.as_ref().is_none_or(|known| rank > known.rank) {
                let path = path.clone();
                best = Some(Shore {
                    path,
                    direction,
                    field,
                    rank,
                });
            }
        }
    }
    best
}

/// Sails to the best land in reach and sets the army ashore there to take it.
fn put_ashore(fleet: &Troop<'_, '_>, cargo: &Troop<'_, '_>, marches: &mut Marches) -> bool {
    let Some(shore) = shore(fleet, cargo, (fleet.field, fleet.points, WEEKS), marches) else {
        return false;
    };
    let route = weeks(&shore.path);
    let mut landing = vec![None; route.len().saturating_sub(1)];
    landing.push(Some(shore.direction));
    marches.claimed.insert(shore.field);
    marches.order(fleet.name, &route, Command::Defend, "");
    marches.order(cargo.name, &landing, Command::Conquer, "");
    true
}

/// Fetches an army that finds nothing to take at home, and sails on with it if the season is long enough.
fn fetch(fleet: &Troop<'_, '_>, troops: &[Troop<'_, '_>], marches: &mut Marches) -> bool {
    let desk = fleet.desk;
    if desk.overseas().next().is_none() {
        return false;
    }
    let mut waiting: Vec<&Troop<'_, '_>> = troops
        .iter()
        .filter(|army| army.is_conqueror() && army.aboard.is_none() && !marches.lines.contains_key(&army.name))
        .filter(|army| cargo_max(desk.tables, fleet.name.kind, fleet.count, army.name.kind) >= army.count)
        .filter(|army| desk.grid().distance(fleet.field, army.field) <= FETCHING_DISTANCE)
        .filter(|army| desk.state.field(army.field).owner == desk.realm)
        .filter(|army| army.prey(army.points, &marches.claimed).is_none())
        .collect();
    waiting.sort_by_key(|army| (desk.grid().distance(fleet.field, army.field), army.name));
    for army in &waiting {
        if let Some(meeting) = Meeting::of(fleet, army) {
            meeting.go(fleet, army, marches);
            return true;
        }
    }
    // Nobody in reach this season: the fleet comes nearer, or waits where settlers can be armed.
    let port = || {
        let ports = desk.ports(fleet.name.kind).map(|(_, _, water)| water);
        ports.min_by_key(|water| (desk.grid().distance(fleet.field, *water), *water))
    };
    let Some(goal) = waiting.first().map(|army| army.field).or_else(port) else {
        return false;
    };
    if let Some(army) = waiting.first() {
        marches.order(army.name, &[], Command::Defend, "");
    }
    let path = fleet.towards(goal, fleet.points, |field| desk.is_sea(field));
    let route = path.as_ref().map_or_else(Vec::new, weeks);
    marches.order(fleet.name, &route, Command::Defend, "");
    true
}

/// Where an army goes aboard a fleet, and in which week.
struct Meeting {
    march: Path<FieldIndex>,
    voyage: Path<FieldIndex>,
    aboard: Direction,
    week: usize,
}

impl Meeting {
    /// The earliest meeting in reach of both.
    fn of(fleet: &Troop<'_, '_>, army: &Troop<'_, '_>) -> Option<Self> {
        let desk = fleet.desk;
        let land = army.reach_from(army.field, army.points);
        let sea = fleet.reach_from(fleet.field, fleet.points);
        let mut best: Option<((usize, FieldIndex), Self)> = None;
        for coast in land.fields.keys().filter(|field| desk.is_low(**field)) {
            // Going aboard is a step like any other: points must be left for it.
            let ready = land
                .cost(*coast)
                .is_some_and(|cost| i64::from(cost) < i64::from(army.points));
            let Some(march) = land.path_to(*coast).filter(|_| ready) else {
                continue;
            };
            for (aboard, water) in desk.grid().neighbours(*coast).filter(|(_, field)| desk.is_sea(*field)) {
                let Some(voyage) = sea
                    .path_to(water)
                    .filter(|path| arrives(path, &sea, fleet.points, WEEKS))
                else {
                    continue;
                };
                let week = (march.directions.len() + 1).max(voyage.directions.len());
                let rank = (week, *coast);
                if week <= WEEKS && best.as_ref().is_none_or(|(known, _)| rank < *known) {
                    let march = march.clone();
                    best = Some((
                        rank,
                        Self {
                            march,
                            voyage,
                            aboard,
                            week,
                        },
                    ));
                }
            }
        }
        best.map(|(_, meeting)| meeting)
    }

    /// Writes both lines: march and wait, go aboard, sail on, land.
    fn go(&self, fleet: &Troop<'_, '_>, army: &Troop<'_, '_>, marches: &mut Marches) {
        let mut on_foot = weeks(&self.march);
        on_foot.resize(self.week - 1, None);
        on_foot.push(Some(self.aboard));
        let mut at_sea = weeks(&self.voyage);
        at_sea.resize(self.week, None);
        let from = self.voyage.fields.last().copied().unwrap_or(fleet.field);
        let left = fleet.points - i32::try_from(self.voyage.cost).unwrap_or(i32::MAX);
        let mut command = Command::Defend;
        // One week is for the landing itself if the fleet need not move.
        if let Some(shore) = shore(
            fleet,
            army,
            (from, left, (WEEKS - self.week).saturating_sub(1)),
            marches,
        ) {
            let way = weeks(&shore.path);
            on_foot.resize(self.week + way.len().max(1) - 1, None);
            on_foot.push(Some(shore.direction));
            at_sea.extend(way);
            marches.claimed.insert(shore.field);
            command = Command::Conquer;
        }
        marches.order(fleet.name, &at_sea, Command::Defend, "");
        marches.order(army.name, &on_foot, command, &fleet.name.to_string());
    }
}

/// Sails to where most is to be seen that nobody of the realm has seen.
fn scout(fleet: &Troop<'_, '_>, marches: &mut Marches) {
    let desk = fleet.desk;
    let reach = fleet.reach_from(fleet.field, fleet.points);
    let news = |field: FieldIndex| {
        let beside = desk.grid().neighbours(field);
        beside.filter(|(_, next)| desk.is_unseen(*next)).count()
    };
    let goals = reach.fields.keys().filter_map(|field| {
        let news = Some(news(*field)).filter(|news| *news >= WORTH_A_LOOK)?;
        let path = sail_to(&reach, *field, fleet.points)?;
        Some((news, Reverse(path.cost), *field, path))
    });
    if let Some((_, _, _, path)) = goals.max_by_key(|(news, cost, field, _)| (*news, *cost, *field)) {
        marches.order(fleet.name, &weeks(&path), Command::Defend, "");
    }
}

fn sail_to(reach: &Reach<FieldIndex>, field: FieldIndex, points: i32) -> Option<Path<FieldIndex>> {
    reach.path_to(field).filter(|path| arrives(path, reach, points, WEEKS))
}

/// A trade fleet sails to the farthest port that it finds a way to.
fn trade(desk: &Desk<'_>, fleet: &Troop<'_, '_>, marches: &mut Marches) {
    let start = fleet.start.unwrap_or(fleet.field);
    let most = u32::try_from(desk.tables.trade.fleet_distance_cap).unwrap_or(u32::MAX);
    let mut ports: Vec<FieldIndex> = desk.markets().into_iter().filter(|port| *port != start).collect();
    ports.sort_by_key(|port| (Reverse(desk.grid().distance(start, *port).min(most)), *port));
    let traveller = Traveller::alone(desk.realm, fleet.name.kind);
    for port in ports.into_iter().take(4) {
        for (_, water) in desk.grid().neighbours(port).filter(|(_, field)| desk.is_sea(*field)) {
            let route = path(desk.grid(), fleet.field, water, ROUTE_LIMIT, |from, direction, to| {
                if !desk.is_sea(to) || desk.dangers.contains_key(&to) {
                    return None;
                }
                let way = way(desk.tables, &desk.state, traveller, from, direction).ok()?;
                u32::try_from(step_cost(desk.tables, &way)).ok()
            });
            if let Ok(route) = route {
                let place = desk.state.place(desk.realm, port);
                let target = format!("{} {}", place.x, place.y);
                marches.order(fleet.name, &fleet.as_far_as_it_goes(&route), Command::Defend, &target);
                return;
            }
        }
    }
}

impl Desk<'_> {
    /// Known water that ships sail.
    pub(super) fn is_sea(&self, field: FieldIndex) -> bool {
        self.tables.is_water(self.state.field(field).terrain)
    }

    /// Land with water beside it.
    pub(super) fn is_coast(&self, field: FieldIndex) -> bool {
        self.grid().neighbours(field).any(|(_, next)| self.is_sea(next))
    }

    fn is_unseen(&self, field: FieldIndex) -> bool {
        self.state.field(field).terrain == Terrain::Unexplored
    }

    /// Land low enough to land on and to embark from (GAP-41).
    pub(super) fn is_low(&self, field: FieldIndex) -> bool {
        let terrain = self.state.field(field).terrain;
        let height = self.tables.height(terrain);
        self.tables.is_land(terrain) && height.is_some_and(|height| height <= self.tables.movement.landing_max_height)
    }

    /// Coasts worth taking that no army can walk to from the capital.
    pub(super) fn overseas(&self) -> impl Iterator<Item = FieldIndex> + '_ {
        let known = self.view.fields.keys();
        let known = known.filter_map(|place| place.field(self.grid(), self.state.origin).ok());
        known.filter(|field| {
            self.is_coast(*field) && self.is_low(*field) && self.is_prey(*field) && !self.homeland.contains(field)
        })
    }

    /// Ports that can fit out ships: the place, and the water with its direction.
    pub(super) fn ports(&self, kind: Kind) -> impl Iterator<Item = (FieldIndex, Direction, FieldIndex)> + '_ {
        let highest = self.tables.arming.fleet_site_max_height;
        self.season.estate(self.realm).filter_map(move |field| {
            let ground = self.state.field(field);
            let site = ground.building()?;
            let low = self
                .tables
                .height(ground.terrain)
                .is_some_and(|height| height <= highest);
            let (direction, water) = self.grid().neighbours(field).find(|(_, next)| self.is_sea(*next))?;
            (low && self.tables.arms(site.building, kind)).then_some((field, direction, water))
        })
    }

    /// Whether a realm is nobody's: free land, wild packs, rebels.
    pub(super) const fn is_nobody(realm: Option<RealmId>) -> bool {
        matches!(realm, Some(RealmId::NOBODY))
    }
}
