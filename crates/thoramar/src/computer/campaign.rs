//! Where a computer player sends its armies.

use super::purse::{Spent, TAKE, can_conquer};
use super::{Desk, Sheet, magic, voyage};
use crate::codes::{Arm, Building, Command, Kind, Terrain, Treaty};
use crate::movement::{Traveller, step_cost, way};
use crate::order::WEEKS;
use crate::state::ArmyName;
use kernel::hex::{Direction, FieldIndex, Path, Reach, reach};
use kernel::realm::RealmId;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Fields that a route search looks at.
const SEARCH_LIMIT: usize = 400;
/// An attack wants this much more strength than what is seen there, in percent.
const ODDS_PERCENT: i64 = 160;

/// What is decided about the armies so far.
#[derive(Default)]
pub(super) struct Marches {
    /// Order lines.
    pub lines: BTreeMap<ArmyName, String>,
    /// Fields that some army is on its way to take.
    pub claimed: BTreeSet<FieldIndex>,
    /// Movement points that an accelerator gives.
    pub boosts: BTreeMap<ArmyName, i32>,
    /// Where own armies go to fight, and how strong they are.
    pub assaults: Vec<(i64, FieldIndex)>,
}

impl Marches {
    /// Writes an army's line: one digit a week, the command with the flag shown, what stands behind it.
    pub fn order(&mut self, name: ArmyName, route: &[Option<Direction>], command: Command, special: &str) {
        let digit = |step: &Option<Direction>| step.map_or('0', |direction| char::from(b'0' + direction.digit()));
        let mut digits: String = route.iter().take(WEEKS).map(digit).collect();
        while digits.len() < WEEKS {
            digits.push('0');
        }
        let line = format!("{name} {digits} {}+ {special}", command.code());
        self.lines.insert(name, line.trim_end().to_owned());
    }
}

/// The steps of a path as weeks of an order line.
pub(super) fn weeks(path: &Path<FieldIndex>) -> Vec<Option<Direction>> {
    path.directions.iter().copied().map(Some).collect()
}

/// Writes `$A`: every army on the map gets a line.
pub(super) fn march(desk: &Desk<'_>, spent: &Spent, sheet: &mut Sheet) {
    let troops = troops(desk, spent);
    let mut marches = Marches::default();
    voyage::sail(desk, &troops, &mut marches);
    magic::conjure(desk, &troops, &mut marches);
    for troop in &troops {
        if troop.aboard.is_none() && !marches.lines.contains_key(&troop.name) {
            troop.go(&mut marches);
        }
    }
    magic::accompany(&troops, &mut marches);
    sheet.march.extend(marches.lines.into_values());
}

/// All own armies outside groups, those included that are armed this very turn.
pub(super) fn troops<'a, 'b>(desk: &'a Desk<'b>, spent: &Spent) -> Vec<Troop<'a, 'b>> {
    let old = desk.state.armies_of(desk.realm);
    let old = old.filter(|(_, army)| army.group.is_none()).map(|(id, army)| Troop {
        desk,
        name: id.name,
        count: army.count,
        field: army.field,
        points: army.points,
        fit: army.fit,
        aboard: army.aboard,
        start: army.start,
        master: army.master,
    });
    let new = spent.recruits.iter().map(|(name, count, field)| Troop {
        desk,
        name: *name,
        count: *count,
        field: *field,
        points: i32::try_from(desk.tables.movement_points(name.kind)).unwrap_or(0),
        fit: name.kind.sails().then_some(Terrain::DeepSea),
        aboard: None,
        start: Some(*field),
        master: None,
    });
    old.chain(new).collect()
}

/// An army that waits for orders.
pub(super) struct Troop<'a, 'b> {
    pub desk: &'a Desk<'b>,
    pub name: ArmyName,
    pub count: i64,
    pub field: FieldIndex,
    pub points: i32,
    pub fit: Option<Terrain>,
    pub aboard: Option<ArmyName>,
    pub start: Option<FieldIndex>,
    pub master: Option<ArmyName>,
}

impl Troop<'_, '_> {
    /// Warriors and riders take land, caravans trade; whoever has nothing to do defends its field.
    fn go(&self, marches: &mut Marches) {
        let points = self.points + marches.boosts.get(&self.name).copied().unwrap_or(0);
        let plan = match self.name.kind.arm() {
            Arm::Warrior | Arm::Rider if self.is_conqueror() => self.conquest(points, marches),
            Arm::Warrior | Arm::Rider if !self.is_guard() => self.retreat(),
            Arm::Trader if self.name.kind == Kind::Caravan => self.trade(),
            _ => None,
        };
        let (route, command, special) = plan.unwrap_or((Vec::new(), Command::Defend, String::new()));
        marches.order(self.name, &route, command, &special);
    }

    /// Strong enough to take land, and not needed at home.
    pub(super) fn is_conqueror(&self) -> bool {
        let arms = matches!(self.name.kind.arm(), Arm::Warrior | Arm::Rider);
        arms && can_conquer(self.desk, self.name, self.count) && !self.is_guard()
    }

    /// The heavier foot stays at the capital.
    fn is_guard(&self) -> bool {
        let at_capital = self.desk.season.capital(&self.desk.state, self.desk.realm) == Some(self.field);
        self.name.kind == Kind::MediumWarrior && at_capital && self.desk.whim < 80
    }

    /// Everything in reach this turn with so many points, with the cost to get there. An army steps as long as it has points
    /// left.
    pub(super) fn reach_from(&self, from: FieldIndex, points: i32) -> Reach<FieldIndex> {
        let desk = self.desk;
        let traveller = Traveller::alone(desk.realm, self.name.kind);
        let budget = u32::try_from(points.max(0)).unwrap_or(0);
        let fragile = self.is_fragile();
        // The last step may overdraw the points, so the search may exceed them by what one step costs at the most.
        reach(desk.grid(), from, budget + 4, SEARCH_LIMIT, |from, direction, to| {
            let dangerous = desk.dangers.get(&to).is_some_and(|strength| !self.beats(*strength));
            if dangerous || desk.is_lossy(from, self.fit) {
                return None;
            }
            let way = way(desk.tables, &desk.state, traveller, from, direction).ok()?;
            if fragile && way.river && !way.bridge {
                return None;
            }
            u32::try_from(step_cost(desk.tables, &way)).ok()
        })
    }

    /// Whether a river could cost this army the strength to take land.
    fn is_fragile(&self) -> bool {
        let worst = self.count * self.desk.tables.loss.river.max / 100;
        can_conquer(self.desk, self.name, self.count) && !can_conquer(self.desk, self.name, self.count - worst)
    }

    /// Too weak to take land: back to the nearest place where the ranks can be filled.
    fn retreat(&self) -> Option<Plan> {
        let desk = self.desk;
        let sites = desk.season.estate(desk.realm).filter(|field| {
            let site = desk.state.field(*field).building();
            site.is_some_and(|site| desk.tables.arms(site.building, self.name.kind))
        });
        let nearest = sites.min_by_key(|field| (desk.grid().distance(self.field, *field), *field))?;
        let path = self.towards(nearest, self.points, |field| {
            desk.state.field(field).owner == desk.realm
        })?;
        Some((weeks(&path), Command::Defend, String::new()))
    }

    pub(super) fn beats(&self, strength: i64) -> bool {
        self.desk.strength(self.name, self.count) > strength.saturating_mul(ODDS_PERCENT) / 100
    }

    /// The best free or hostile field in reach with so many points.
    pub(super) fn prey(&self, points: i32, claimed: &BTreeSet<FieldIndex>) -> Option<Path<FieldIndex>> {
        let desk = self.desk;
        let reach = self.reach_from(self.field, points);
        let targets = reach
            .fields
            .keys()
            .filter(|field| desk.is_prey(**field) && !claimed.contains(field));
        let paths = targets.filter_map(|field| {
            let path = reach.path_to(*field)?;
            arrives(&path, &reach, points, WEEKS).then(|| (desk.worth(*field), Reverse(path.cost), *field, path))
        });
        let best = paths.max_by_key(|(worth, cost, field, _)| (*worth, *cost, *field));
        best.map(|(_, _, _, path)| path)
    }

    /// The best free or hostile field in reach, or a step towards the frontier.
    fn conquest(&self, points: i32, marches: &mut Marches) -> Option<Plan> {
        let desk = self.desk;
        if desk.is_prey(self.field) && desk.state.field(self.field).owner.is_played() {
            // A foreign field must be held for a whole turn.
            marches.claimed.insert(self.field);
            return Some((Vec::new(), TAKE, String::new()));
        }
        if let Some(path) = self.intruders(points, &marches.claimed) {
            let field = path.fields.last().copied().unwrap_or(self.field);
            marches.claimed.insert(field);
            marches.assaults.push((desk.strength(self.name, self.count), field));
            return Some((weeks(&path), Command::Attack, String::new()));
        }
        if let Some(path) = self.prey(points, &marches.claimed) {
            let field = path.fields.last().copied().unwrap_or(self.field);
            marches.claimed.insert(field);
            if desk.dangers.contains_key(&field) || desk.state.field(field).owner.is_played() {
                marches.assaults.push((desk.strength(self.name, self.count), field));
            }
            return Some((weeks(&path), TAKE, String::new()));
        }
        self.approach(points, &marches.claimed)
    }

    /// The way to the nearest strangers on the own land that this army beats.
    fn intruders(&self, points: i32, claimed: &BTreeSet<FieldIndex>) -> Option<Path<FieldIndex>> {
        let desk = self.desk;
        let at_home = |field: &&FieldIndex| desk.state.field(**field).owner == desk.realm && !claimed.contains(field);
        if !desk.dangers.keys().any(|field| at_home(&field)) {
            return None;
        }
        let reach = self.reach_from(self.field, points);
        let beaten = desk.dangers.iter().filter(|(_, strength)| self.beats(**strength));
        let paths = beaten.map(|(field, _)| field).filter(at_home).filter_map(|field| {
            let path = reach.path_to(*field)?;
            arrives(&path, &reach, points, WEEKS).then_some((path.cost, *field, path))
        });
        let nearest = paths.min_by_key(|(cost, field, _)| (*cost, *field));
        nearest.map(|(_, _, path)| path)
    }

    /// The steps of a path that can begin this turn: a step begins as long as points are left.
    pub(super) fn as_far_as_it_goes(&self, path: &Path<FieldIndex>) -> Vec<Option<Direction>> {
        let traveller = Traveller::alone(self.desk.realm, self.name.kind);
        let mut points = self.points;
        let steps = path.fields.iter().zip(&path.directions);
        let begun = steps.take_while(|(from, direction)| {
            let begins = points > 0;
            let way = way(self.desk.tables, &self.desk.state, traveller, **from, **direction);
            points -= way.map_or(0, |way| step_cost(self.desk.tables, &way));
            begins
        });
        begun.map(|(_, direction)| Some(*direction)).collect()
    }

    /// No prey in reach: go to the nearest frontier field of the own land.
    fn approach(&self, points: i32, claimed: &BTreeSet<FieldIndex>) -> Option<Plan> {
        let desk = self.desk;
        let nearest = desk
            .frontier()
            .into_iter()
            .filter(|field| !claimed.contains(field))
            .min_by_key(|field| (desk.grid().distance(self.field, *field), *field))?;
        let path = self.towards(nearest, points, |field| desk.state.field(field).owner == desk.realm)?;
        Some((weeks(&path), Command::Defend, String::new()))
    }

    /// The way to the field nearest to a goal among those that may be a stop.
    pub(super) fn towards(
        &self,
        goal: FieldIndex,
        points: i32,
        is_stop: impl Fn(FieldIndex) -> bool,
    ) -> Option<Path<FieldIndex>> {
        let reach = self.reach_from(self.field, points);
        let paths = reach
            .fields
            .keys()
            .filter(|field| is_stop(**field))
            .filter_map(|field| {
                let path = reach.path_to(*field)?;
                arrives(&path, &reach, points, WEEKS).then_some((*field, path))
            });
        let best = paths.min_by_key(|(field, path)| (self.desk.grid().distance(*field, goal), path.cost, *field));
        best.map(|(_, path)| path)
    }

    /// A caravan walks to the farthest market it knows and trades when it gets there.
    fn trade(&self) -> Option<Plan> {
        let desk = self.desk;
        let start = self.start.unwrap_or(self.field);
        let target = desk
            .markets()
            .into_iter()
            .filter(|market| *market != start)
            .max_by_key(|market| (desk.grid().distance(start, *market).min(12), Reverse(*market)))?;
        let traveller = Traveller::alone(desk.realm, self.name.kind);
        let path = kernel::hex::path(
            desk.grid(),
            self.field,
            target,
            SEARCH_LIMIT * 4,
            |from, direction, to| {
                if desk.dangers.contains_key(&to) || desk.is_lossy(from, self.fit) {
                    return None;
                }
                let way = way(desk.tables, &desk.state, traveller, from, direction).ok()?;
                u32::try_from(step_cost(desk.tables, &way)).ok()
            },
        )
        .ok()?;
        let place = desk.state.place(desk.realm, target);
        let route = self.as_far_as_it_goes(&path);
        Some((route, Command::Defend, format!("{} {}", place.x, place.y)))
    }
}

/// Route, command and what stands behind it.
type Plan = (Vec<Option<Direction>>, Command, String);

/// Whether the last step of a path can begin: points must be left before it, and weeks for all of it.
pub(super) fn arrives(path: &Path<FieldIndex>, reach: &Reach<FieldIndex>, points: i32, weeks: usize) -> bool {
    let before = path.fields.iter().rev().nth(1).and_then(|field| reach.cost(*field));
    let begins = path.directions.is_empty() || i64::from(before.unwrap_or(0)) < i64::from(points);
    begins && path.directions.len() <= weeks
}

impl Desk<'_> {
    /// Whether leaving this field costs heads: a computer player goes round such land and sea.
    fn is_lossy(&self, field: FieldIndex, fit: Option<Terrain>) -> bool {
        let terrain = self.state.field(field).terrain;
        if fit == Some(terrain) {
            return false;
        }
        let spared = self
            .view
            .books()
            .is_some_and(|books| books.culture.spares(self.tables, terrain));
        self.tables.is_loss_terrain(terrain) && !spared
    }

    /// Free land, or the rival's where his strength is not known to be greater.
    pub(super) fn is_prey(&self, field: FieldIndex) -> bool {
        let ground = self.state.field(field);
        let owner = ground.owner;
        let known_land = self.tables.is_land(ground.terrain);
        let ours = owner == self.realm;
        let open = !owner.is_played() || Some(owner) == self.rival && self.view.treaty_with(owner) == Treaty::NoTreaty;
        known_land && !ours && open && self.worth(field) > 0
    }

    /// What a field is worth: its income, more for a building.
    pub(super) fn worth(&self, field: FieldIndex) -> i64 {
        let ground = self.state.field(field);
        let building = ground.building().map_or(0, |site| match site.building {
            Building::Mine => 20_000,
            Building::Gate => 3_000,
            other => self.tables.building_income(other, site.condition).max(0),
        });
        self.tables.land_income(ground.terrain) + building - if self.is_lossy(field, None) { 800 } else { 0 }
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
