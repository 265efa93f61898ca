//! What a month knows about itself while it runs: who stands where, what each army was told and has done.
//!
//! Nothing here survives the month. Rules change armies' places and fields' owners only through [`Month`], so that the index of
//! who stands where is always true.

use crate::PygmaIsis;
use crate::battle::Side;
use crate::chart::Place;
use crate::codes::{Disaster, Stance};
use crate::event::{Event, Happening};
use crate::order::{Order, Receiver};
use crate::sight::{Sighting, Subject};
use crate::state::{Acquaintance, Army, ArmyId, ArmyName, BandId, Sides, State};
use crate::tables::Tables;
use crate::tables::policy::Expense;
use kernel::diagnostic::{Span, Spanned};
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::{Cause, Die, Rules, Turn};
use std::collections::{BTreeMap, BTreeSet};

/// A turn of this game.
pub type MonthTurn<'a> = Turn<'a, PygmaIsis>;

/// The running month.
#[derive(Clone, Debug, Default)]
pub struct Month {
    /// Number of the month that is being adjudicated, from 1.
    pub step: u32,
    /// The running tick of movement, [`crate::event::BEFORE`] or [`crate::event::AFTER`].
    pub tick: u8,
    /// Whose each field was when the month began (PYG-GAP-28).
    owners: Vec<RealmId>,
    /// Roads and bridges when the month began: those built since are used from next month on (PYG-GAP-22).
    ways: Vec<(Sides, Sides)>,
    plans: BTreeMap<ArmyId, Plan>,
    /// Whether an army has come, gone or moved since the tick began.
    stirred: bool,
    /// Armies on each field that are not aboard, in order.
    occupants: BTreeMap<FieldIndex, BTreeSet<ArmyId>>,
    /// What each realm may still spend: treasury less what is reserved (PYG-GAP-09).
    pub reserved: BTreeMap<RealmId, i64>,
    /// What has been paid in this arming month already: nothing is set aside for it any more (PYG-GAP-09).
    pub paid: BTreeSet<Expense>,
    /// Hygiene per town that each realm has paid in this arming month (PYG-GAP-19).
    pub hygiene: BTreeMap<RealmId, i64>,
    /// Points of gems that each realm's mines have given in this income month.
    pub gems: BTreeMap<RealmId, i64>,
    /// Stages that each settlement has been built by in this month (PYG-GAP-13).
    pub stages: BTreeMap<FieldIndex, i64>,
    /// Who was told of whom this month, and how much: nobody is told twice (PYG-GAP-37).
    pub introduced: BTreeSet<(RealmId, RealmId, Acquaintance)>,
    /// What each realm saw of others this month (PYG-GAP-34).
    pub sightings: BTreeMap<(RealmId, Subject), Sighting>,
    /// Fields that a realm saw for the first time this month (PYG-SEE-01).
    pub discovered: BTreeMap<RealmId, BTreeSet<FieldIndex>>,
    /// Who has fought whom on which field, and in which tick last: the same sides do not begin again before somebody joins them.
    pub clashes: BTreeMap<(FieldIndex, Side, Side), u8>,
    /// Bands on their way, and from where they came (PYG-GAP-62).
    pub strayed: BTreeMap<BandId, FieldIndex>,
    /// Armies that orders of this arming month declare stationary (PYG-STAT-01).
    pub declared: BTreeSet<ArmyId>,
    /// Armies whose stationing ended this month (PYG-GAP-49).
    pub released: BTreeSet<ArmyId>,
    /// Basic orders that the game master set, for when the players' own have been read.
    pub decreed: Vec<(ArmyId, Stance)>,
    /// Towns to which rulers send traders, as they saw them before the march: what has become of them since is no mistake of an order.
    pub markets: BTreeSet<(RealmId, FieldIndex)>,
    /// Settlements that were founded this month: nobody could know of those of others.
    pub founded: BTreeSet<FieldIndex>,
    /// Disasters that the game master causes, for when disasters strike (PYG-GAP-63).
    pub caused: Vec<Caused>,
}

/// A disaster that the game master causes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Caused {
    /// Whom it strikes.
    pub realm: RealmId,
    /// What.
    pub disaster: Disaster,
    /// Where, unless the dice shall choose.
    pub field: Option<FieldIndex>,
}

/// What an army was told for this month, and what has become of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Where its move stands in the file; none without one.
    pub line: Option<Span>,
    /// Its move as it was written, from the field where it stands on.
    pub route: Vec<Spanned<Place>>,
    /// The fields it shall enter, in order, with their places in the file; empty until [`crate::movement::plan`] has found the move possible.
    pub path: Vec<Spanned<FieldIndex>>,
    /// Behind the path the move leads over the edge of the world, which its player cannot know (PYG-MAP-07).
    pub edge: Option<Span>,
    /// The rules by which its move was found possible.
    pub rules: Vec<RuleId>,
    /// Its basic order of this month.
    pub stance: Stance,
    /// The basic order that the game master gave it instead (PYG-GAP-40).
    pub ruled: Option<Stance>,
    /// What a fleet carries, as its player believes.
    pub with: Option<Spanned<Vec<ArmyName>>>,
    /// What its player believes its strength to be.
    pub strength: Option<Spanned<i64>>,
    /// The fields where it was this month, from the first, if it moved.
    pub trail: Vec<FieldIndex>,
    /// Height levels overcome off roads so far.
    pub climbed: i64,
    /// It should have withdrawn and could not: it counts as having no order (PYG-GAP-38).
    pub cornered: bool,
    /// The fleet that its last step leads onto.
    pub embark: Option<ArmyName>,
    /// Its first step leaves its fleet.
    pub disembark: bool,
    /// It annexes nothing.
    pub neutral: bool,
    /// A trader's delivery behind its move.
    pub deliver: Option<Spanned<Option<Receiver>>>,
    /// Where it stood when the month began, or appeared; nowhere once its ruler has let it join another one or disbanded it.
    pub began: Option<FieldIndex>,
    /// How many fields of its path it has entered.
    pub steps: usize,
    /// The field it came from with its last step this month.
    pub came_from: Option<FieldIndex>,
    /// It entered its field in the running tick: a mover, not a defender (PYG-GAP-41).
    pub entered_in: u8,
    /// Its further steps are void.
    pub stopped: bool,
    /// Whether it won the last battle that it fought this month; none if it fought none.
    pub won: Option<bool>,
    /// The whole of its move lies on a road or sea lane (PYG-MOVE-09).
    pub on_road: bool,
    /// It was a fleet when the month began and does not move (PYG-GAP-26).
    pub bound: bool,
}

impl Default for Plan {
    /// An army that was told nothing stands with no order.
    fn default() -> Self {
        Self {
            line: None,
            route: Vec::new(),
            path: Vec::new(),
            edge: None,
            rules: Vec::new(),
            stance: Stance::Nothing,
            ruled: None,
            with: None,
            strength: None,
            trail: Vec::new(),
            climbed: 0,
            cornered: false,
            embark: None,
            disembark: false,
            neutral: false,
            deliver: None,
            began: None,
            steps: 0,
            came_from: None,
            entered_in: 0,
            stopped: false,
            won: None,
            on_road: false,
            bound: false,
        }
    }
}

impl Plan {
    /// Whether it has a further step to take, or would have one over the edge of the world.
    pub fn is_under_way(&self) -> bool {
        !self.stopped && (self.steps < self.path.len() || self.edge.is_some())
    }

    /// The field it shall enter next.
    pub fn next(&self) -> Option<FieldIndex> {
        let next = self.path.get(self.steps).filter(|_| !self.stopped);
        next.map(|field| field.value)
    }
}

impl Month {
    /// Indexes a world at the beginning of month `step`.
    pub fn new(state: &State, step: u32) -> Self {
        let mut month = Self {
            step,
            owners: state.fields.iter().map(|field| field.owner).collect(),
            ways: state.fields.iter().map(|field| (field.roads, field.bridges)).collect(),
            ..Self::default()
        };
        for (id, army) in &state.armies {
            month.settle(*id, army);
            month.plan_mut(*id).began = Some(army.field);
        }
        month
    }

    /// All plans, in the order of armies.
    pub fn plans(&self) -> impl Iterator<Item = (ArmyId, &Plan)> + '_ {
        self.plans.iter().map(|(id, plan)| (*id, plan))
    }

    /// What an army was told.
    pub fn plan(&self, army: ArmyId) -> Option<&Plan> {
        self.plans.get(&army)
    }

    /// The same, to change it. An army that is new this month gets an empty plan.
    pub fn plan_mut(&mut self, army: ArmyId) -> &mut Plan {
        self.plans.entry(army).or_default()
    }

    /// Whether an army was there this month and has fallen. Whoever joined another one or was disbanded has not.
    pub fn has_fallen(&self, state: &State, army: ArmyId) -> bool {
        !state.armies.contains_key(&army) && self.plan(army).is_some_and(|plan| plan.began.is_some())
    }

    /// Whether an army was kept from going where it should.
    pub fn was_stopped(&self, army: ArmyId) -> bool {
        self.plan(army).is_some_and(|plan| plan.stopped)
    }

    /// Armies that stand on a field by themselves, in order of realm, kind and number.
    pub fn on(&self, field: FieldIndex) -> impl Iterator<Item = ArmyId> + '_ {
        self.occupants.get(&field).into_iter().flatten().copied()
    }

    /// Every field on which an army stands, in order.
    pub fn occupied(&self) -> Vec<FieldIndex> {
        self.occupants.keys().copied().collect()
    }

    /// Whose a field was when the month began.
    pub fn owner_at_start(&self, field: FieldIndex) -> RealmId {
        self.owners.get(field.index()).copied().unwrap_or_default()
    }

    /// The sides of a field that a usable road leaves by.
    pub fn roads(&self, field: FieldIndex) -> Sides {
        self.ways.get(field.index()).map_or(Sides::NONE, |(roads, _)| *roads)
    }

    /// The sides of a field with a usable bridge.
    pub fn bridges(&self, field: FieldIndex) -> Sides {
        self.ways
            .get(field.index())
            .map_or(Sides::NONE, |(_, bridges)| *bridges)
    }

    /// Roads and bridges of a field can be used from now on (PYG-GAP-22).
    pub fn open_ways(&mut self, field: FieldIndex, roads: Sides, bridges: Sides) {
        if let Some(ways) = self.ways.get_mut(field.index()) {
            *ways = (roads, bridges);
        }
    }

    /// A tick begins.
    pub fn begin_tick(&mut self, tick: u8) {
        self.tick = tick;
        self.stirred = false;
    }

    /// Whether nobody came, went or moved in the running tick: then the next one would find the world as this one did.
    pub const fn is_quiet(&self) -> bool {
        !self.stirred
    }

    /// Adds a new army to the world.
    pub fn add(&mut self, state: &mut State, id: ArmyId, army: Army) {
        self.plan_mut(id).began = Some(army.field);
        self.settle(id, &army);
        state.armies.insert(id, army);
    }

    /// Takes an army out of the world. What it carried is the caller's business.
    pub fn remove(&mut self, state: &mut State, id: ArmyId) -> Option<Army> {
        let army = state.armies.remove(&id)?;
        self.vacate(army.field, id);
        Some(army)
    }

    /// Puts an army on another field, with a fleet its cargo.
    pub fn relocate(&mut self, state: &mut State, id: ArmyId, to: FieldIndex) {
        let cargo: Vec<ArmyId> = state.cargo(id).map(|(id, _)| id).collect();
        let Some(army) = state.armies.get_mut(&id) else { return };
        let from = std::mem::replace(&mut army.field, to);
        if army.aboard.is_none() {
            self.vacate(from, id);
            self.occupants.entry(to).or_default().insert(id);
        }
        for aboard in cargo {
            if let Some(army) = state.armies.get_mut(&aboard) {
                army.field = to;
            }
        }
    }

    /// Puts an army on a fleet, which must be on `field`, or ashore onto `field`.
    pub fn board(&mut self, state: &mut State, id: ArmyId, fleet: Option<ArmyName>, field: FieldIndex) {
        let Some(army) = state.armies.get_mut(&id) else { return };
        self.vacate(army.field, id);
        army.field = field;
        army.aboard = fleet;
        if fleet.is_none() {
            self.occupants.entry(field).or_default().insert(id);
        }
    }

    /// Gives a field to a realm, or to nobody. The only way in which a field changes hands. Whoever had it knows that he has it no longer,
    /// even if nobody of his can see it.
    pub fn hand_over(&mut self, state: &mut State, field: FieldIndex, to: RealmId) {
        let from = std::mem::replace(&mut state.field_mut(field).owner, to);
        let loser = state.realms.get_mut(&from);
        if let Some(known) = loser.and_then(|loser| loser.knowledge.get_mut(&field)) {
            known.glimpse.owner = to;
        }
    }

    fn settle(&mut self, id: ArmyId, army: &Army) {
        self.stirred = true;
        if army.aboard.is_none() {
            self.occupants.entry(army.field).or_default().insert(id);
        }
    }

    fn vacate(&mut self, field: FieldIndex, id: ArmyId) {
        self.stirred = true;
        if let Some(armies) = self.occupants.get_mut(&field) {
            armies.remove(&id);
            if armies.is_empty() {
                self.occupants.remove(&field);
            }
        }
    }

    /// Records that something happened in the running tick.
    pub fn emit(
        &self,
        turn: &mut MonthTurn<'_>,
        cause: Cause,
        rules: impl Into<Rules>,
        dice: &[Die],
        what: impl Into<Happening>,
    ) -> u32 {
        let what = what.into();
        turn.emit(cause, rules, dice, Event { tick: self.tick, what })
    }

    /// The cause of what an army does: its order line, or the step when it has none.
    pub fn cause(&self, army: ArmyId, step: &'static str) -> Cause {
        match self.plan(army).and_then(|plan| plan.line) {
            Some(span) => Cause::Order(army.realm, span),
            None => Cause::Step(step),
        }
    }
}

/// Every order that is possible in this month, of every realm that plays, in the order of realms and files.
///
/// PYG-GAP-08: what belongs into an arming month is left out in the others; [`crate::intake`] has refused it.
pub fn orders<'a>(turn: &MonthTurn<'a>) -> Vec<(RealmId, &'a Spanned<Order>)> {
    // The running month has been counted already.
    let (tables, step) = (turn.tables, turn.state.step);
    let all = sent(turn).into_iter();
    all.filter(|(_, order)| tables.is_possible(order.value.verb(), step))
        .collect()
}

/// Every order, possible or not.
pub fn sent<'a>(turn: &MonthTurn<'a>) -> Vec<(RealmId, &'a Spanned<Order>)> {
    let input = turn.input;
    let files = input
        .orders
        .iter()
        .filter(|(realm, _)| turn.state.realms.contains_key(realm));
    files
        .flat_map(|(realm, parsed)| parsed.orders.iter().map(move |order| (*realm, order)))
        .collect()
}

/// The order of an army in this month.
pub fn stance(state: &State, army: ArmyId) -> Stance {
    state.armies.get(&army).map_or(Stance::Nothing, |army| army.stance)
}

/// Heads as points before percentages, in millionths, so that armies of different kinds can be compared (PYG-FIGHT-02, PYG-GAP-31).
pub fn raw_points(tables: &Tables, army: ArmyId, count: i64) -> i64 {
    let per_point = tables.army[army.kind()].per_point;
    count.saturating_mul(1_000_000).checked_div(per_point).unwrap_or(0)
}
