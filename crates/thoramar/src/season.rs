//! What a turn knows about itself while it runs: who stands where, what each army was told and has done.
//!
//! Nothing here survives the turn. Rules change armies' places only through [`Season`], so that the index of who stands
//! where is always true.

use crate::Thoramar;
use crate::codes::{Building, Command, Condition, Flag};
use crate::event::{Event, Happening};
use crate::order::{Route, Special, WEEKS};
use crate::roster::Roster;
use crate::sight::WeekSight;
use crate::state::{Army, ArmyId, State};
use crate::tables::policy::OversizedSpy;
use kernel::diagnostic::{Span, Spanned};
use kernel::hex::{Direction, FieldIndex, FieldSet, Grid};
use kernel::realm::RealmId;
use kernel::turn::{Cause, Die, Rules, Turn};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A turn of this game.
pub type SeasonTurn<'a> = Turn<'a, Thoramar>;

/// The running turn.
#[derive(Clone, Debug, Default)]
pub struct Season {
    /// The running week, [`crate::event::BEFORE`] or [`crate::event::END`].
    pub week: u8,
    /// Number of the turn that is being adjudicated.
    pub turn: u32,
    /// Realms in the random order in which specials are carried out (GAP-12).
    pub realm_order: Vec<RealmId>,
    /// Armies that were told something special, and what, in the order of realms drawn for the turn and then of the file.
    specials: Vec<(ArmyId, Special)>,
    /// What each army was told and has done; armies without an order have an entry too once they are looked at.
    plans: Roster<Plan>,
    /// Who marches in the running week.
    marching: Vec<Marcher>,
    /// Armies on each field, in order: neither aboard nor in a group (a group stands for its members).
    occupants: Vec<Vec<ArmyId>>,
    /// Fields with armies of at least two realms.
    shared: FieldSet,
    /// Fields of every realm that has some; realm 0's are not listed.
    estates: BTreeMap<RealmId, BTreeSet<FieldIndex>>,
    /// Who goes where another goes: members by group, cargo by fleet.
    followers: BTreeMap<ArmyId, BTreeSet<ArmyId>>,
    /// Field sides crossed over a foreign wall this week: target field and army (THO-NET-03).
    pub wall_crossings: BTreeMap<FieldIndex, BTreeSet<ArmyId>>,
    /// Who stood where, week by week.
    pub sights: Vec<Arc<WeekSight>>,
    /// Archdemons that have called helpers this turn.
    pub helped: BTreeSet<ArmyId>,
}

/// An army whose route has a direction for the running week. It may not exist (yet, or any more).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Marcher {
    /// Which army.
    pub id: ArmyId,
    /// Where it goes.
    pub direction: Direction,
    /// Whether it was told to embark.
    pub embarks: bool,
}

/// What an army was told for this turn, and what has become of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Plan {
    /// Where its order stands; none without a valid order line.
    pub line: Option<Span>,
    /// Where the digits of its route stand.
    pub route_span: Span,
    /// One digit a week.
    pub route: Route,
    /// Command and flag of its order line, for an army that does not exist yet when orders are read.
    pub told: Option<(Command, Flag)>,
    /// Its special.
    pub special: Option<Spanned<Special>>,
    /// Where it stood when the turn began (for a new army: where it appeared); none for one that no order line can mean.
    pub began: Option<FieldIndex>,
    /// The field at which its thirteen digits aim (GAP-15).
    pub aim: Option<FieldIndex>,
    /// It stood on the map when the turn began and has not left its field since.
    pub stayed: bool,
    /// It has made a step this turn, embarked, landed or passed a gate.
    pub moved: bool,
    /// Its remaining digits are void (GAP-13).
    pub stopped: bool,
    /// It has fought this turn.
    pub fought: bool,
    /// It has just landed and cannot move again this turn.
    pub landed: bool,
    /// It split or was split off before week 1 (THO-SPEC-02).
    pub just_split: bool,
    /// It will not fire (again) this turn.
    pub fired: bool,
    /// Shots that it has fired this turn.
    pub shots: u8,
    /// It has traded this turn.
    pub traded: bool,
    /// The last week whose digit was used up by a step, possible or not: nobody goes twice in a week.
    pub stepped_in: u8,
    /// Steps made without a road this turn (THO-UNIT-12).
    pub off_road_steps: u8,
    /// The special was carried out or refused.
    pub special_done: bool,
    /// Its player has been told that it is too weak for its command.
    pub told_too_weak: bool,
}

impl Plan {
    /// Whether the route tells it to stay all season.
    pub fn is_standing(&self) -> bool {
        self.route == [None; WEEKS]
    }
}

impl Season {
    /// Indexes a world at the beginning of turn `turn`.
    pub fn new(state: &State, turn: u32) -> Self {
        let mut season = Self {
            turn,
            occupants: vec![Vec::new(); state.fields.len()],
            ..Self::default()
        };
        for field in state.grid.fields() {
            let owner = state.field(field).owner;
            if owner.is_played() {
                season.estates.entry(owner).or_default().insert(field);
            }
        }
        for (id, army) in state.armies.iter() {
            season.settle(*id, army);
        }
        season.plans = state.armies.map(|army| Plan {
            began: Some(army.field),
            aim: Some(army.field),
            stayed: true,
            ..Plan::default()
        });
        season
    }

    /// What `army` was told.
    pub fn plan(&self, army: ArmyId) -> Option<&Plan> {
        self.plans.get(&army)
    }

    /// The same, to change it. An army that is new this turn gets an empty plan.
    pub fn plan_mut(&mut self, army: ArmyId) -> &mut Plan {
        self.plans.get_or_default(army)
    }

    /// Armies on a field, groups standing for their members, in order of realm and table.
    pub fn on(&self, field: FieldIndex) -> impl Iterator<Item = ArmyId> + '_ {
        self.occupants.get(field.index()).into_iter().flatten().copied()
    }

    /// Fields with armies of at least two realms, in order.
    pub fn shared(&self) -> impl Iterator<Item = FieldIndex> + '_ {
        self.shared.iter()
    }

    /// Whether armies of at least two realms stand on a field.
    pub fn is_shared(&self, field: FieldIndex) -> bool {
        self.shared.contains(field)
    }

    /// The fields of a realm, in order.
    pub fn estate(&self, realm: RealmId) -> impl Iterator<Item = FieldIndex> + '_ {
        self.estates.get(&realm).into_iter().flatten().copied()
    }

    /// Gives a field to a realm, or to nobody. The only way in which a field changes hands during a turn.
    pub fn hand_over(&mut self, state: &mut State, field: FieldIndex, to: RealmId) {
        let from = std::mem::replace(&mut state.field_mut(field).owner, to);
        if let Some(estate) = self.estates.get_mut(&from) {
            estate.remove(&field);
        }
        if to.is_played() {
            self.estates.entry(to).or_default().insert(field);
        }
    }

    /// The field with the realm's capital, if it has one: a ruin only as long as nothing better stands.
    pub fn capital(&self, state: &State, realm: RealmId) -> Option<FieldIndex> {
        let ruined = |field: FieldIndex| {
            let site = state.field(field).building()?;
            (site.building == Building::Capital).then_some(site.condition == Condition::Ruin)
        };
        let capitals = self.estate(realm).filter_map(|field| Some((ruined(field)?, field)));
        capitals.min().map(|(_, field)| field)
    }

    /// Adds a new army to the world. It may have been given an order already, which it obeys from here on.
    pub fn add(&mut self, state: &mut State, id: ArmyId, mut army: Army) {
        let plan = self.plans.get_or_default(id);
        plan.began = Some(army.field);
        plan.aim = aim(&state.grid, army.field, &plan.route);
        if let Some((command, flag)) = plan.told {
            army.command = command;
            army.flag = flag;
        }
        self.settle(id, &army);
        state.armies.insert(id, army);
    }

    /// The same for an army that no order line of this turn can mean: whoever has written one has written it for nobody.
    pub fn add_deaf(&mut self, state: &mut State, id: ArmyId, army: Army) {
        let plan = self.plans.get_or_default(id);
        *plan = Plan {
            line: plan.line,
            ..Plan::default()
        };
        self.add(state, id, army);
        self.plan_mut(id).began = None;
    }

    /// Takes an army out of the world. What it carried, led or mastered is the caller's business.
    pub fn remove(&mut self, state: &mut State, id: ArmyId) -> Option<Army> {
        let army = state.armies.remove(&id)?;
        self.unsettle(id, &army);
        Some(army)
    }

    /// Puts an army on another field: with a group its members, with a fleet its cargo.
    pub fn relocate(&mut self, state: &mut State, id: ArmyId, to: FieldIndex) {
        let Some(army) = state.armies.get_mut(&id) else { return };
        let from = std::mem::replace(&mut army.field, to);
        if army.is_free() {
            self.vacate(from, id);
            self.occupy(to, id);
        }
        if from != to {
            self.plan_mut(id).stayed = false;
        }
        for follower in self.followers(id) {
            self.relocate(state, follower, to);
        }
    }

    /// Changes what an army is carried by or a member of, and keeps the index true.
    pub fn attach(&mut self, state: &mut State, id: ArmyId, change: impl FnOnce(&mut Army)) {
        let Some(army) = state.armies.get_mut(&id) else { return };
        self.unsettle(id, army);
        change(army);
        self.settle(id, army);
    }

    /// Members of a group, or what a fleet has aboard, in table order.
    pub fn followers(&self, id: ArmyId) -> Vec<ArmyId> {
        self.followers
            .get(&id)
            .map_or_else(Vec::new, |followers| followers.iter().copied().collect())
    }

    /// The armies that an army on the map consists of: a group's members, or the army itself.
    pub fn parts(&self, id: ArmyId) -> Vec<ArmyId> {
        if id.kind().is_group() {
            self.followers(id)
        } else {
            vec![id]
        }
    }

    /// Armies whose route has a direction for the running week, in order of realm and table.
    pub fn marching(&self) -> &[Marcher] {
        &self.marching
    }

    /// Begins a week: who marches in it is certain by now. Demons that come free forget their way, so that it is not before.
    pub fn begin_week(&mut self, week: u8) {
        self.week = week;
        let index = usize::from(week).saturating_sub(1);
        let told = self.plans.iter().filter_map(|(id, plan)| {
            let direction = (*plan.route.get(index)?)?;
            let embarks = plan
                .special
                .is_some_and(|special| matches!(special.value, Special::Embark(_)));
            Some(Marcher {
                id: *id,
                direction,
                embarks,
            })
        });
        self.marching = told.collect();
    }

    /// Whether any army of a realm was told to march or to do something special.
    pub fn stirs(&self, realm: RealmId) -> bool {
        let mut own = self.plans.of(realm);
        own.any(|(_, plan)| plan.special.is_some() || !plan.is_standing())
    }

    /// Ends the reading of orders: the realms stand in this order all turn, and their specials with them (GAP-12).
    pub fn draw(&mut self, realm_order: Vec<RealmId>) {
        let drawn = realm_order.iter().enumerate();
        let places: BTreeMap<RealmId, usize> = drawn.map(|(place, realm)| (*realm, place)).collect();
        let place = |realm: RealmId| places.get(&realm).copied().unwrap_or(usize::MAX);
        let told = self.plans.iter().filter_map(|(id, plan)| {
            let special = plan.special?.value;
            Some(((place(id.realm), plan.line, *id), special))
        });
        let mut told: Vec<_> = told.collect();
        told.sort_unstable_by_key(|(place, _)| *place);
        self.specials = told.into_iter().map(|((_, _, id), special)| (id, special)).collect();
        self.realm_order = realm_order;
    }

    /// Such specials as were not carried out yet, in the order of realms drawn for the turn and then of the file (GAP-12). Plans of armies
    /// that were told something else are not looked at: in this order they lie all over the world's memory.
    pub fn pending(&self, such: impl Fn(&Special) -> bool) -> Vec<(ArmyId, Spanned<Special>)> {
        let told = self.specials.iter().filter(|(_, special)| such(special));
        let plans = told.filter_map(|(id, _)| Some((*id, self.plan(*id)?)));
        let pending = plans.filter(|(_, plan)| !plan.special_done);
        pending.filter_map(|(id, plan)| Some((id, plan.special?))).collect()
    }

    /// Before the last step of a turn: what armies were told and where they met is of no use any more, and what realms will remember
    /// needs the room.
    pub fn disband(&mut self) {
        self.plans = Roster::new();
        self.marching = Vec::new();
        self.specials = Vec::new();
        self.occupants = Vec::new();
        self.shared = FieldSet::new();
        self.followers.clear();
    }

    fn settle(&mut self, id: ArmyId, army: &Army) {
        for leader in [army.aboard, army.group].into_iter().flatten() {
            self.followers.entry(leader.of(id.realm)).or_default().insert(id);
        }
        if army.is_free() {
            self.occupy(army.field, id);
        }
    }

    fn unsettle(&mut self, id: ArmyId, army: &Army) {
        for leader in [army.aboard, army.group].into_iter().flatten() {
            let leader = leader.of(id.realm);
            if let Some(followers) = self.followers.get_mut(&leader) {
                followers.remove(&id);
                if followers.is_empty() {
                    self.followers.remove(&leader);
                }
            }
        }
        self.vacate(army.field, id);
    }

    fn occupy(&mut self, field: FieldIndex, id: ArmyId) {
        if let Some(armies) = self.occupants.get_mut(field.index())
            && let Err(place) = armies.binary_search(&id)
        {
            armies.insert(place, id);
            if several_realms(armies) {
                self.shared.insert(field);
            }
        }
    }

    fn vacate(&mut self, field: FieldIndex, id: ArmyId) {
        if let Some(armies) = self.occupants.get_mut(field.index())
            && let Ok(place) = armies.binary_search(&id)
        {
            armies.remove(place);
            if !several_realms(armies) {
                self.shared.remove(field);
            }
        }
    }

    /// Records that something happened in the running week.
    pub fn emit(
        &self,
        turn: &mut SeasonTurn<'_>,
        cause: Cause,
        rules: impl Into<Rules>,
        dice: &[Die],
        what: Happening,
    ) -> u32 {
        turn.emit(cause, rules, dice, Event { week: self.week, what })
    }

    /// The cause of what an army does: its order line, or the step when it has none.
    pub fn cause(&self, army: ArmyId, step: &'static str) -> Cause {
        match self.plan(army).and_then(|plan| plan.line) {
            Some(span) => Cause::Order(army.realm, span),
            None => Cause::Step(step),
        }
    }
}

/// Armies stand in order of realm, so the first and the last tell.
fn several_realms(armies: &[ArmyId]) -> bool {
    armies.first().map(|id| id.realm) != armies.last().map(|id| id.realm)
}

/// The field at which the digits of a route aim, passable or not; none if they lead out of the world (GAP-15).
pub fn aim(grid: &Grid, from: FieldIndex, route: &Route) -> Option<FieldIndex> {
    route
        .iter()
        .flatten()
        .try_fold(from, |field, direction| grid.neighbour(field, *direction))
}

/// Pays gold into a treasury and counts it as income of the turn. Realm 0 has no treasury.
pub fn earn(state: &mut State, realm: RealmId, gold: i64) {
    if let Some(realm) = state.realms.get_mut(&realm) {
        realm.treasury = realm.treasury.saturating_add(gold);
        realm.income = realm.income.saturating_add(gold);
    }
}

/// What an army's flag amounts to: an army too large or too busy to hide is seen without a realm (GAP-14).
///
/// THO-UNIT-08, THO-SIGHT-03.
pub fn shown_flag(tables: &crate::tables::Tables, id: ArmyId, army: &Army) -> Flag {
    // Kinds that cannot spy have no maximum; a group's own count is 0 and must not pass for a small band.
    let most = tables.of(id.realm).spy_max(id.kind());
    let hides = army.command == Command::Defend && most.is_some_and(|most| army.count <= most);
    match army.flag {
        Flag::Unseen if !hides => match tables.of(id.realm).sight.oversized_spy {
            OversizedSpy::Unflagged => Flag::Unassigned,
            OversizedSpy::Flagged => Flag::Shown,
        },
        flag => flag,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::{Kind, Terrain};
    use crate::state::{ArmyName, Field};
    use kernel::hex::Wrap;

    /// Two armies of realm 1 on field 40, one of realm 2 on field 41.
    fn world() -> (State, [ArmyId; 3]) {
        let grid = Grid::new(12, 10, Wrap::Cylinder).unwrap();
        let army = |realm: u16, number: u32| ArmyId::new(RealmId(realm), Kind::MediumWarrior, number);
        let ids = [army(1, 1), army(1, 2), army(2, 1)];
        let fields = [40, 40, 41].map(|field| Army::new(100, FieldIndex(field), 4));
        let state = State {
            turn: 0,
            grid,
            origin: FieldIndex(0),
            fields: vec![Field::wild(Terrain::Lowland); grid.field_count() as usize],
            realms: BTreeMap::new(),
            armies: ids.into_iter().zip(fields).collect(),
            treaties: BTreeMap::new(),
            house_rules: String::new(),
            table_changes: Vec::new(),
            over: false,
        };
        (state, ids)
    }

    #[test]
    fn a_field_is_shared_as_long_as_armies_of_two_realms_stand_on_it() {
        let (mut state, [one, two, stranger]) = world();
        let mut season = Season::new(&state, 1);
        let shared = |season: &Season| season.shared().map(|field| field.0).collect::<Vec<_>>();
        assert!(shared(&season).is_empty());
        season.relocate(&mut state, stranger, FieldIndex(40));
        assert_eq!(shared(&season), [40]);
        // One of two leaves: the other still meets the stranger.
        season.relocate(&mut state, one, FieldIndex(41));
        assert_eq!(shared(&season), [40]);
        season.relocate(&mut state, two, FieldIndex(41));
        assert!(shared(&season).is_empty());
        season.relocate(&mut state, stranger, FieldIndex(41));
        assert_eq!(shared(&season), [41]);
        season.remove(&mut state, stranger);
        assert!(shared(&season).is_empty());
    }

    #[test]
    fn who_marches_in_a_week_has_a_direction_for_it() {
        let (state, [one, two, _]) = world();
        let mut season = Season::new(&state, 1);
        season.plan_mut(one).route[0] = Some(Direction::East);
        season.plan_mut(one).route[12] = Some(Direction::West);
        season.plan_mut(two).route[12] = Some(Direction::East);
        let fleet = ArmyName::new(Kind::LightShip, 1);
        season.plan_mut(two).special = Some(Spanned {
            span: Span::default(),
            value: Special::Embark(fleet),
        });
        let mut weeks = Vec::new();
        for week in 1..=13 {
            season.begin_week(week);
            weeks.push(season.marching().to_vec());
        }
        let marcher = |id, direction, embarks| Marcher { id, direction, embarks };
        assert_eq!(weeks[0], [marcher(one, Direction::East, false)]);
        assert!(weeks[1..12].iter().all(Vec::is_empty));
        let last = [
            marcher(one, Direction::West, false),
            marcher(two, Direction::East, true),
        ];
        assert_eq!(weeks[12], last);
    }
}
