//! Marching: the plan of every move, and the steps of a tick (PYG-MOVE-01..11, PYG-GAP-05, PYG-GAP-23, PYG-GAP-28, PYG-GAP-29, PYG-GAP-31, PYG-GAP-32).

mod judge;
pub mod range;

use crate::battle;
use crate::codes::{Kind, Terrain};
use crate::event::travel::{Obstacle, Travel};
use crate::intake;
use crate::month::{self, Month, MonthTurn};
use crate::rule;
use crate::state::ArmyId;
use crate::tables::policy::Crossing;
use judge::Case;
use kernel::diagnostic::{Diagnostic, Span};
use kernel::dice::Owner;
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use std::collections::{BTreeMap, BTreeSet};

/// Checks every planned move from what its player can know; a refused one stands still with its basic order.
///
/// PYG-GAP-67: refused whole. Fleets come first: whoever goes aboard needs one that stands still (PYG-SHIP-02). Then in the order written:
/// where there is not room for all, those go aboard whom their ruler named first (catalogue 5.2).
pub fn plan(turn: &mut MonthTurn<'_>, month: &mut Month) {
    intake::apply_stances(turn, month);
    let mut told: Vec<(ArmyId, Span)> = month
        .plans()
        .filter_map(|(id, plan)| plan.line.map(|line| (id, line)))
        .collect();
    told.sort_by_key(|(id, line)| (id.realm, *line));
    let told = told.into_iter().map(|(id, _)| id);
    let (fleets, others): (Vec<ArmyId>, Vec<ArmyId>) = told.partition(|id| id.kind() == Kind::Fleet);
    for id in fleets.iter().chain(&others) {
        if !turn.state.armies.contains_key(id) {
            let span = month.plan(*id).and_then(|plan| plan.line).unwrap_or_default();
            turn.refuse(id.realm, intake::no_such_unit(span, *id));
            *month.plan_mut(*id) = month::Plan::default();
            continue;
        }
        compare_strength(turn, month, *id);
        plan_one(turn, month, *id);
    }
    for id in fleets {
        compare_cargo(turn, month, id);
    }
}

fn plan_one(turn: &mut MonthTurn<'_>, month: &mut Month, id: ArmyId) {
    let (Some(plan), Some(army)) = (month.plan(id), turn.state.armies.get(&id)) else {
        return;
    };
    if plan.route.len() < 2 {
        // A standing army's row names the field where it stands (PYG-SHEET-02).
        let here = turn.state.place(army.field);
        let elsewhere = plan.route.first().filter(|first| first.value != here);
        let is_elsewhere = elsewhere.is_some();
        let boards_nothing = plan.embark.is_some() && army.aboard != plan.embark;
        if let Some(first) = elsewhere {
            let finding = Diagnostic::error("E_FROM", first.span, &[rule::GAP_67, rule::GAP_71]);
            turn.refuse(id.realm, finding.with("field", first.value.to_string()));
        } else if boards_nothing {
            let line = plan.line.unwrap_or_default();
            let finding = Diagnostic::error("E_ABOARD", line, &[rule::SHEET_05, rule::SHIP_01]);
            turn.refuse(id.realm, finding.with("unit", id.name.to_string()));
        }
        month.plan_mut(id).embark = None;
        if is_elsewhere {
            // The row is refused whole (PYG-GAP-67).
            month.plan_mut(id).deliver = None;
        }
        return;
    }
    let case = Case {
        turn,
        month,
        id,
        army,
        plan,
    };
    match case.judge() {
        Ok(accepted) => {
            let plan = month.plan_mut(id);
            plan.path = accepted.path;
            plan.edge = plan.line.filter(|_| accepted.edge);
            plan.on_road = accepted.on_road;
            plan.rules = accepted.rules;
            if let Some(doubt) = accepted.doubt {
                turn.refuse(id.realm, *doubt);
            }
        }
        Err(finding) => {
            // The row is refused whole (PYG-GAP-67): it neither goes aboard nor hands anything over.
            let plan = month.plan_mut(id);
            plan.embark = None;
            plan.deliver = None;
            turn.refuse(id.realm, *finding);
        }
    }
}

/// PYG-GAP-71: the strength of an army is a control figure.
fn compare_strength(turn: &mut MonthTurn<'_>, month: &Month, id: ArmyId) {
    let (Some(plan), Some(army)) = (month.plan(id), turn.state.armies.get(&id)) else {
        return;
    };
    if let Some(told) = plan.strength.filter(|told| told.value != army.count) {
        let finding = Diagnostic::warning("W_STRENGTH", told.span, &[rule::GAP_71])
            .with("unit", id.name.to_string())
            .with("n", army.count)
            .with("told", told.value);
        turn.refuse(id.realm, finding);
    }
}

/// What a fleet is said to carry is compared with what it has aboard and what goes aboard this month.
fn compare_cargo(turn: &mut MonthTurn<'_>, month: &Month, fleet: ArmyId) {
    let Some(told) = month.plan(fleet).and_then(|plan| plan.with.as_ref()) else {
        return;
    };
    let carries = |name: &crate::state::ArmyName| {
        let id = name.of(fleet.realm);
        let aboard = turn
            .state
            .armies
            .get(&id)
            .is_some_and(|army| army.aboard == Some(fleet.name));
        aboard || month.plan(id).is_some_and(|plan| plan.embark == Some(fleet.name))
    };
    if let Some(missing) = told.value.iter().find(|name| !carries(name)) {
        let finding = Diagnostic::warning("W_CARGO", told.span, &[rule::SHEET_03, rule::GAP_71])
            .with("unit", missing.to_string())
            .with("fleet", fleet.name.to_string());
        turn.refuse(fleet.realm, finding);
    }
}

/// Whether anybody has steps left: landing armies start behind their fleet's last tick.
pub fn is_unfinished(turn: &MonthTurn<'_>, month: &Month) -> bool {
    let mut plans = month.plans();
    plans.any(|(id, plan)| plan.is_under_way() && turn.state.armies.contains_key(&id))
}

/// One step that is about to be taken.
#[derive(Clone, Copy)]
struct Step {
    id: ArmyId,
    from: FieldIndex,
    to: FieldIndex,
}

/// One step of every army and trader that has one in this tick.
///
/// PYG-GAP-31: all at once. Foreign units that would swap fields meet: the weaker side waits on the field that the stronger enters.
pub fn march(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let mut steps = ready(turn, month);
    let waiting = held_by_swaps(turn, &steps);
    steps.retain(|step| !waiting.contains(&step.id));
    for step in steps {
        take(turn, month, step);
    }
}

/// The steps of this tick, without going aboard and ashore, which [`crate::shipping`] does.
fn ready(turn: &mut MonthTurn<'_>, month: &mut Month) -> Vec<Step> {
    let under_way: Vec<ArmyId> = month
        .plans()
        .filter(|(_, plan)| plan.is_under_way())
        .map(|(id, _)| id)
        .collect();
    let mut steps = Vec::new();
    for id in under_way {
        let (Some(plan), Some(army)) = (month.plan(id), turn.state.armies.get(&id)) else {
            continue;
        };
        if army.aboard.is_some() {
            continue;
        }
        let from = army.field;
        match plan.next() {
            Some(_) if plan.embark.is_some() && plan.steps + 1 == plan.path.len() => {}
            Some(to) => match obstacle(turn, month, id, from, to) {
                None => steps.push(Step { id, from, to }),
                Some(Obstacle::Aground) => run_aground(turn, month, id, to),
                Some(why) => stop(turn, month, id, Some(to), why),
            },
            None => stop(turn, month, id, None, Obstacle::Edge),
        }
    }
    steps
}

/// The weaker side of each pair of sides that would swap fields; of equals the one that would enter the higher field.
fn held_by_swaps(turn: &MonthTurn<'_>, steps: &[Step]) -> BTreeSet<ArmyId> {
    let mut sides: BTreeMap<(FieldIndex, FieldIndex, RealmId), i64> = BTreeMap::new();
    for step in steps {
        let count = turn.state.armies.get(&step.id).map_or(0, |army| army.count);
        *sides.entry((step.from, step.to, step.id.realm)).or_default() +=
            month::raw_points(turn.tables, step.id, count);
    }
    let waits = |step: &Step| {
        let own = sides.get(&(step.from, step.to, step.id.realm)).copied().unwrap_or(0);
        let against = sides
            .iter()
            .filter(|((from, to, realm), _)| (*from, *to) == (step.to, step.from) && *realm != step.id.realm);
        against
            .into_iter()
            .any(|(_, other)| *other > own || (*other == own && step.from < step.to))
    };
    steps.iter().filter(|step| waits(step)).map(|step| step.id).collect()
}

/// What stands against a step in truth, beyond what the plan could know.
pub(crate) fn obstacle(
    turn: &MonthTurn<'_>,
    month: &Month,
    id: ArmyId,
    from: FieldIndex,
    to: FieldIndex,
) -> Option<Obstacle> {
    let tables = turn.tables;
    let plan = month.plan(id)?;
    let (here, there) = (turn.state.field(from), turn.state.field(to));
    if there.terrain == Terrain::Unexplored {
        return None;
    }
    let is_water = tables.is_water(there.terrain);
    match id.kind() {
        Kind::Fleet => return (!is_water).then_some(Obstacle::Aground),
        Kind::Trader if is_water || tables.is_water(here.terrain) => {
            // A harbour that is none any longer takes no traders in (PYG-GAP-60).
            let lands = !is_water && !turn.state.is_harbour(tables, to);
            return lands.then_some(Obstacle::Coast);
        }
        _ if is_water => return Some(Obstacle::Water),
        _ => {}
    }
    let direction = turn.state.chart.direction_to(from, to)?;
    if plan.on_road {
        return (!month.roads(from).has(direction)).then_some(Obstacle::NoRoad);
    }
    let is_last = plan.steps + 1 == plan.path.len() && plan.edge.is_none();
    let may_cross = match tables.movement.unbridged_river {
        Crossing::Free => true,
        Crossing::LastStep => is_last,
        Crossing::Blocked => false,
    };
    if here.rivers.has(direction) && !month.bridges(from).has(direction) && !may_cross {
        return Some(Obstacle::River);
    }
    let levels = climb(turn, from, to);
    if plan.climbed + levels > tables.movement.height_steps {
        return Some(Obstacle::Height);
    }
    let rides_in = id.kind() == Kind::Riders && there.terrain == Terrain::Mountains;
    if rides_in && plan.steps as i64 >= tables.movement.rider_mountain_total {
        return Some(Obstacle::Mountains);
    }
    None
}

/// Height levels between two fields; none off or onto water.
fn climb(turn: &MonthTurn<'_>, from: FieldIndex, to: FieldIndex) -> i64 {
    let ground = |field: FieldIndex| &turn.tables.terrain[turn.state.field(field).terrain];
    let (from, to) = (ground(from), ground(to));
    if from.water || to.water {
        0
    } else {
        (from.height - to.height).abs()
    }
}

fn take(turn: &mut MonthTurn<'_>, month: &mut Month, step: Step) {
    let Step { id, from, to } = step;
    let levels = climb(turn, from, to);
    month.relocate(&mut turn.state, id, to);
    enter(month, id, from, to);
    let plan = month.plan_mut(id);
    if !plan.on_road {
        plan.climbed += levels;
    }
    // PYG-MOVE-06: in mountains that nobody had seen the ride ends.
    let rode_in = id.kind() == Kind::Riders && turn.state.field(to).terrain == Terrain::Mountains && !plan.on_road;
    if rode_in && plan.is_under_way() {
        stop(turn, month, id, None, Obstacle::Mountains);
    }
    if id.kind() == Kind::Fleet && turn.tables.terrain[turn.state.field(to).terrain].reef {
        brave_reef(turn, month, id, to);
    }
}

/// Notes in the plan that an army has come onto a field with a step of its own.
pub(crate) fn enter(month: &mut Month, id: ArmyId, from: FieldIndex, to: FieldIndex) {
    let tick = month.tick;
    let plan = month.plan_mut(id);
    plan.steps += 1;
    arrive(plan, tick, from, to);
}

/// The same without a step of its own: pushed back, or led away.
pub(crate) fn arrive(plan: &mut month::Plan, tick: u8, from: FieldIndex, to: FieldIndex) {
    plan.came_from = Some(from);
    plan.entered_in = tick;
    if plan.trail.is_empty() {
        plan.trail.push(from);
    }
    plan.trail.push(to);
}

/// PYG-MOVE-10, PYG-GAP-32: a fleet that makes two steps or more may lose ships on every reef that it enters.
fn brave_reef(turn: &mut MonthTurn<'_>, month: &mut Month, id: ArmyId, field: FieldIndex) {
    let steps = month.plan(id).map_or(0, |plan| plan.path.len()) as i64;
    if steps <= turn.tables.movement.reef_safe_steps {
        return;
    }
    let table = turn.tables.movement.reef_loss_pct.clone();
    lose_ships(turn, month, id, field, &table, false);
}

/// PYG-MOVE-08, PYG-GAP-32: what proves to be land stops a fleet before it, and costs ships unless it made only one step.
fn run_aground(turn: &mut MonthTurn<'_>, month: &mut Month, id: ArmyId, land: FieldIndex) {
    let steps = month.plan(id).map_or(0, |plan| plan.path.len()) as i64;
    stop(turn, month, id, Some(land), Obstacle::Aground);
    if steps > turn.tables.movement.reef_safe_steps {
        let table = turn.tables.movement.grounding_loss_pct.clone();
        lose_ships(turn, month, id, land, &table, true);
    }
}

fn lose_ships(
    turn: &mut MonthTurn<'_>,
    month: &mut Month,
    id: ArmyId,
    field: FieldIndex,
    table: &[i64],
    aground: bool,
) {
    let subject = format!("{id} tick {}", month.tick);
    let die = turn.roll(rule::GAP_32, Owner::of(id.realm), &subject, 1, 6);
    let face = usize::try_from(die.value - 1).unwrap_or(0);
    let pct = table.get(face).copied().unwrap_or(0);
    let before = turn.state.armies.get(&id).map_or(0, |army| army.count);
    let left = battle::lose_share(turn, month, id, pct, 100);
    let mut rules = if aground {
        vec![rule::MOVE_08, rule::GAP_32]
    } else {
        vec![rule::MOVE_10, rule::GAP_32, rule::SHIP_06]
    };
    if left == 0 {
        rules.extend([rule::ARMY_08, rule::GAP_24]);
    }
    let what = Travel::ShipsLost {
        army: id,
        field,
        pct,
        lost: before - left,
        left,
        aground,
    };
    month.emit(turn, month.cause(id, "march"), rules, &[die], what);
}

/// An army's further steps are void, and its player learns why.
pub(crate) fn stop(turn: &mut MonthTurn<'_>, month: &mut Month, id: ArmyId, wanted: Option<FieldIndex>, why: Obstacle) {
    let Some(at) = turn.state.armies.get(&id).map(|army| army.field) else {
        return;
    };
    month.plan_mut(id).stopped = true;
    let what = Travel::Stopped {
        army: id,
        at,
        wanted,
        why,
    };
    month.emit(turn, month.cause(id, "march"), why.rules(), &[], what);
}

/// What everybody's way was, for the report.
pub fn tell(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let moved: Vec<(ArmyId, Vec<FieldIndex>, Vec<RuleId>)> = month
        .plans()
        .filter(|(_, plan)| plan.trail.len() > 1)
        .map(|(id, plan)| (id, plan.trail.clone(), plan.rules.clone()))
        .collect();
    for (id, path, mut rules) in moved {
        if rules.is_empty() {
            rules.push(rule::GAP_31);
        }
        month.emit(
            turn,
            month.cause(id, "march"),
            rules,
            &[],
            Travel::Moved { army: id, path },
        );
    }
}
