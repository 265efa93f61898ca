//! Where a computer player sends its armies.

use super::purse::{Spent, TAKE, can_conquer};
use super::{Desk, Sheet};
use crate::codes::{Arm, Building, Command, Kind, Treaty};
use crate::movement::{Traveller, step_cost, way};
use crate::order::WEEKS;
use crate::state::ArmyName;
use kernel::hex::{Direction, FieldIndex, Reach, reach};
use kernel::realm::RealmId;
use std::collections::BTreeSet;

/// Fields that a route search looks at.
const SEARCH_LIMIT: usize = 400;
/// An attack wants this much more strength than what is seen there, in percent.
const ODDS_PERCENT: i64 = 160;

/// Writes `$A`: every army on the map gets a line.
pub(super) fn march(desk: &Desk<'_>, spent: &Spent, sheet: &mut Sheet) {
    let mut claimed: BTreeSet<FieldIndex> = BTreeSet::new();
    let standing = desk
        .view
        .own_armies()
        .filter(|(_, army)| army.aboard.is_none() && army.group.is_none());
    let old = standing.filter_map(|(name, army)| {
        let field = army.place.field(desk.grid(), desk.state.origin).ok()?;
        Some((name, army.count, field, army.points))
    });
    let new = spent.recruits.iter().map(|(name, count, field)| {
        let points = desk.tables.movement_points(name.kind);
        (*name, *count, *field, i32::try_from(points).unwrap_or(0))
    });
    for (name, count, field, points) in old.chain(new).collect::<Vec<_>>() {
        let troop = Troop {
            desk,
            name,
            count,
            field,
            points,
        };
        sheet.march.push(troop.line(&mut claimed));
    }
}

struct Troop<'a, 'b> {
    desk: &'a Desk<'b>,
    name: ArmyName,
    count: i64,
    field: FieldIndex,
    points: i32,
}

impl Troop<'_, '_> {
    fn line(&self, claimed: &mut BTreeSet<FieldIndex>) -> String {
        let plan = match self.name.kind.arm() {
            Arm::Warrior | Arm::Rider if can_conquer(self.desk, self.name, self.count) => {
                if self.is_guard() {
                    None
                } else {
                    self.conquest(claimed)
                }
            }
            Arm::Trader if self.name.kind == Kind::Caravan => self.trade(),
            _ => None,
        };
        let (route, command, special) = plan.unwrap_or((Vec::new(), Command::Defend, String::new()));
        let mut digits: String = route
            .iter()
            .map(|direction| char::from(b'0' + direction.digit()))
            .collect();
        while digits.len() < WEEKS {
            digits.push('0');
        }
        format!("{} {digits} {}+{special}", self.name, command.code())
    }

    /// The heavier foot stays at the capital.
    fn is_guard(&self) -> bool {
        let at_capital = self.desk.season.capital(&self.desk.state, self.desk.realm) == Some(self.field);
        self.name.kind == Kind::MediumWarrior && at_capital && self.desk.whim < 80
    }

    /// Everything in reach this turn, with the cost to get there. An army steps as long as it has points left.
    fn reachable(&self) -> Reach<FieldIndex> {
        let desk = self.desk;
        let traveller = Traveller::alone(desk.realm, self.name.kind);
        let budget = u32::try_from(self.points.max(0)).unwrap_or(0);
        // The last step may overdraw the points, so the search may exceed them by what one step costs at the most.
        reach(
            desk.grid(),
            self.field,
            budget + 4,
            SEARCH_LIMIT,
            |from, direction, to| {
                let dangerous = desk.dangers.get(&to).is_some_and(|strength| !self.beats(*strength));
                if dangerous || desk.is_lossy(from) {
                    return None;
                }
                let way = way(desk.tables, &desk.state, traveller, from, direction).ok()?;
                u32::try_from(step_cost(desk.tables, &way)).ok()
            },
        )
    }

    fn beats(&self, strength: i64) -> bool {
        self.desk.strength(self.name, self.count) > strength.saturating_mul(ODDS_PERCENT) / 100
    }

    /// Whether the last step of a path can begin: points must be left before it.
    fn arrives(&self, path: &kernel::hex::Path<FieldIndex>, reach: &Reach<FieldIndex>) -> bool {
        let before = path
            .fields
            .iter()
            .rev()
            .nth(1)
            .and_then(|field| reach.cost(*field))
            .unwrap_or(0);
        i64::from(before) < i64::from(self.points) && path.directions.len() <= WEEKS
    }

    /// The best free or hostile field in reach, or a step towards the frontier.
    fn conquest(&self, claimed: &mut BTreeSet<FieldIndex>) -> Option<(Vec<Direction>, Command, String)> {
        let desk = self.desk;
        if desk.is_prey(self.field) && desk.state.field(self.field).owner.is_played() {
            // A foreign field must be held for a whole turn.
            claimed.insert(self.field);
            return Some((Vec::new(), TAKE, String::new()));
        }
        let reach = self.reachable();
        let target = reach
            .fields
            .keys()
            .filter(|field| desk.is_prey(**field) && !claimed.contains(field))
            .filter_map(|field| {
                let path = reach.path_to(*field)?;
                self.arrives(&path, &reach)
                    .then(|| (desk.worth(*field), std::cmp::Reverse(path.cost), *field, path))
            })
            .max_by_key(|(worth, cost, field, _)| (*worth, *cost, *field));
        if let Some((_, _, field, path)) = target {
            claimed.insert(field);
            return Some((path.directions, TAKE, String::new()));
        }
        self.approach(claimed)
    }

    /// No prey in reach: go to the nearest frontier field of the own land.
    fn approach(&self, claimed: &BTreeSet<FieldIndex>) -> Option<(Vec<Direction>, Command, String)> {
        let desk = self.desk;
        let nearest = desk
            .frontier()
            .into_iter()
            .filter(|field| !claimed.contains(field))
            .min_by_key(|field| (desk.grid().distance(self.field, *field), *field))?;
        let reach = self.reachable();
        let stop = reach
            .fields
            .keys()
            .filter(|field| desk.state.field(**field).owner == desk.realm)
            .filter(|field| reach.path_to(**field).is_some_and(|path| self.arrives(&path, &reach)))
            .min_by_key(|field| (desk.grid().distance(**field, nearest), **field))?;
        Some((reach.path_to(*stop)?.directions, Command::Defend, String::new()))
    }

    /// A caravan walks to the farthest market it knows and trades when it gets there.
    fn trade(&self) -> Option<(Vec<Direction>, Command, String)> {
        let desk = self.desk;
        let start = desk
            .state
            .army(self.name.of(desk.realm))
            .and_then(|army| army.start)
            .unwrap_or(self.field);
        let target = desk
            .markets()
            .into_iter()
            .filter(|market| *market != start)
            .max_by_key(|market| (desk.grid().distance(start, *market).min(12), std::cmp::Reverse(*market)))?;
        let traveller = Traveller::alone(desk.realm, self.name.kind);
        let path = kernel::hex::path(
            desk.grid(),
            self.field,
            target,
            SEARCH_LIMIT * 4,
            |from, direction, to| {
                if desk.dangers.contains_key(&to) || desk.is_lossy(from) {
                    return None;
                }
                let way = way(desk.tables, &desk.state, traveller, from, direction).ok()?;
                u32::try_from(step_cost(desk.tables, &way)).ok()
            },
        )
        .ok()?;
        let place = desk.state.place(desk.realm, target);
        let mut directions = path.directions;
        directions.truncate(WEEKS);
        Some((directions, Command::Defend, format!(" {} {}", place.x, place.y)))
    }
}

impl Desk<'_> {
    /// Whether leaving this field costs heads: a computer player walks round such land.
    fn is_lossy(&self, field: FieldIndex) -> bool {
        let terrain = self.state.field(field).terrain;
        let spared = self
            .view
            .books()
            .is_some_and(|books| books.culture.spares(self.tables, terrain));
        self.tables.is_loss_terrain(terrain) && !spared
    }

    /// Free land, or the rival's where his strength is not known to be greater.
    fn is_prey(&self, field: FieldIndex) -> bool {
        let ground = self.state.field(field);
        let owner = ground.owner;
        let known_land = self.tables.is_land(ground.terrain);
        let ours = owner == self.realm;
        let open = !owner.is_played() || Some(owner) == self.rival && self.view.treaty_with(owner) == Treaty::NoTreaty;
        known_land && !ours && open && self.worth(field) > 0
    }

    /// What a field is worth: its income, more for a building.
    fn worth(&self, field: FieldIndex) -> i64 {
        let ground = self.state.field(field);
        let building = ground.building().map_or(0, |site| match site.building {
            Building::Mine => 20_000,
            Building::Gate => 3_000,
            other => self.tables.building_income(other, site.condition).max(0),
        });
        self.tables.land_income(ground.terrain) + building - if self.is_lossy(field) { 800 } else { 0 }
    }

    /// Own fields with prey beside them.
    pub(super) fn frontier(&self) -> Vec<FieldIndex> {
        self.season
            .estate(self.realm)
            .filter(|field| self.grid().neighbours(*field).any(|(_, next)| self.is_prey(next)))
            .collect()
    }

    /// Finished places where a caravan may trade: own ones, and those of realms without enmity.
    pub(super) fn markets(&self) -> Vec<FieldIndex> {
        let trades = |field: &FieldIndex| {
            let ground = self.state.field(*field);
            let friendly: fn(&Self, RealmId) -> bool =
                |desk, owner| owner == desk.realm || desk.view.treaty_with(owner) != Treaty::NoTreaty;
            friendly(self, ground.owner)
                && ground.building().is_some_and(|site| {
                    self.tables.is_trading_place(site.building) && site.condition != crate::codes::Condition::Ruin
                })
        };
        let known = self
            .view
            .fields
            .keys()
            .filter_map(|place| place.field(self.grid(), self.state.origin).ok());
        known.filter(trades).collect()
    }
}
