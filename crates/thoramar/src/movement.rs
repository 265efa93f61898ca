//! Moving on the map (THO-MOVE, THO-TERR, GAP-13, GAP-24).
//!
//! [`way`] and [`step_cost`] say what is possible and what it costs, the toll of the way stands in a file of its own, and
//! here is the march itself: who goes first, who is bound, who meets whom.

mod toll;
mod way;

pub use toll::terrain_loss;
pub(crate) use toll::{cross_wall, enter_blessed, leave_ground};
pub use way::{Traveller, Way, faces_wall, is_abroad, shore, step_cost, step_rules, way};

use crate::codes::Kind;
use crate::event::{Happening, Obstacle};
use crate::season::{Marcher, Season, SeasonTurn};
use crate::state::ArmyId;
use crate::tables::Tables;
use crate::tables::policy::{MeetingStop, MoveOrder};
use crate::{groups, hostility, rule, sea};
use kernel::diagnostic::Span;
use kernel::hex::Direction;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::{Cause, Rules};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The movement points of a full turn: T01, or those of the slowest member less one.
///
/// THO-UNIT-05, THO-MOVE-11, THO-GRP-02.
pub fn pace(tables: &Tables, season: &Season, id: ArmyId) -> i32 {
    let tables = tables.of(id.realm);
    if id.kind().is_group() {
        groups::pace(tables, season.followers(id).into_iter().map(ArmyId::kind))
    } else {
        i32::try_from(tables.movement_points(id.kind())).unwrap_or(i32::MAX)
    }
}

/// C1: every army's step of the week.
///
/// GAP-12, THO-MOVE-01, THO-TIME-01: one digit a week; armies with more movement points go first, then those with more in
/// T01. Ties go by the random order of realms that was drawn for the turn, in every second week the other way round, so
/// that no realm is first all season; within a realm, and for realm 0 behind all others, by the army table.
pub fn march(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    season.wall_crossings.clear();
    for Marcher { id, direction, .. } in in_order(turn, season) {
        step(turn, season, id, direction);
    }
}

/// Who marches in the running week, in the order of [`march`].
///
/// Marchers come by realm and table, so only the realms are sorted; then each army is dealt to those that are as fast as it.
fn in_order(turn: &SeasonTurn<'_>, season: &Season) -> Vec<Marcher> {
    let by_points = turn.tables.movement.order == MoveOrder::PointsThenRandom;
    let precedence = precedence(season);
    let mut realms: Vec<&[Marcher]> = season
        .marching()
        .chunk_by(|one, next| one.id.realm == next.id.realm)
        .collect();
    realms.sort_by_key(|own| {
        let realm = own.first().map(|marcher| marcher.id.realm);
        realm
            .and_then(|realm| precedence.get(&realm).copied())
            .unwrap_or(usize::MAX)
    });
    let mut by_speed: BTreeMap<Reverse<(i32, i32)>, Vec<Marcher>> = BTreeMap::new();
    for marcher in realms.into_iter().flatten() {
        let Some(army) = turn.state.army(marcher.id).filter(|army| army.is_free()) else {
            continue;
        };
        let speed = if by_points {
            (army.points, pace(turn.tables, season, marcher.id))
        } else {
            (0, 0)
        };
        by_speed.entry(Reverse(speed)).or_default().push(*marcher);
    }
    by_speed.into_values().flatten().collect()
}

/// The places of the realms among armies that are equally fast: as drawn for the turn, turned round every second week;
/// realm 0 has none and comes last.
///
/// Only the order of two realms counts, so that a third one's presence changes nothing between them.
fn precedence(season: &Season) -> BTreeMap<RealmId, usize> {
    let last = season.realm_order.len();
    let is_turned = season.week.is_multiple_of(2);
    let drawn = season.realm_order.iter().enumerate();
    drawn
        .map(|(place, realm)| (*realm, if is_turned { last - place } else { place }))
        .collect()
}

/// Whether an army has medium engines with it that have made all their steps without a road (THO-UNIT-12).
pub(crate) fn is_stuck(tables: &Tables, season: &Season, id: ArmyId, traveller: Traveller) -> bool {
    let steps = season.plan(id).map_or(0, |plan| i64::from(plan.off_road_steps));
    traveller.drags && steps >= tables.movement.engine_medium_max_offroad_steps
}

/// One step of one army or group.
///
/// GAP-13: a step that fails loses the digit, not movement points. Losses come in the order terrain, river, wall.
fn step(turn: &mut SeasonTurn<'_>, season: &mut Season, id: ArmyId, direction: Direction) {
    let Some(from) = turn.state.army(id).map(|army| army.field) else {
        return;
    };
    let landed = season.plan(id).is_some_and(|plan| plan.landed);
    if landed || sea::boards(turn, season, id, direction).is_some() {
        return;
    }
    season.plan_mut(id).stepped_in = season.week;
    let tables = turn.tables.of(id.realm);
    let traveller = Traveller::of(season, id);
    let way = match bound(turn, season, id) {
        Some(obstacle) => Err(obstacle),
        None => way(tables, &turn.state, traveller, from, direction).and_then(|way| {
            let stuck = !way.road && is_stuck(tables, season, id, traveller);
            if stuck { Err(Obstacle::OnlyRoads) } else { Ok(way) }
        }),
    };
    let way = match way {
        Ok(way) => way,
        Err(why) => return fail(turn, season, id, direction, why, &[]),
    };
    let cause = digit(season, id);
    leave_ground(turn, season, id, &way, cause);
    let Some(army) = turn.state.armies.get_mut(&id) else {
        return;
    };
    let cost = step_cost(tables, &way);
    army.points = army.points.saturating_sub(cost);
    let (points_left, fit) = (army.points, army.fit);
    season.relocate(&mut turn.state, id, way.to);
    for follower in season.followers(id) {
        season.plan_mut(follower).moved = true;
    }
    let plan = season.plan_mut(id);
    plan.moved = true;
    plan.off_road_steps = plan.off_road_steps.saturating_add(u8::from(!way.road));
    let what = Happening::ArmyMoved {
        army: id,
        from,
        to: way.to,
        cost,
        points_left,
    };
    let bearing = way::Bearing::of(tables, traveller, fit, &way);
    let rules = way::march_rules(&way, id.kind().is_group(), points_left < 0, bearing);
    season.emit(turn, cause, rules, &[], what);
    if way.wall {
        cross_wall(turn, season, id, way.to, cause);
    }
    enter_blessed(turn, season, id, cause);
    meet(turn, season, id, cause);
}

/// What keeps an army from any step: a meeting, a fight, want of points.
///
/// THO-MOVE-01, THO-MOVE-12, THO-MOVE-13, GAP-13.
pub(crate) fn bound(turn: &SeasonTurn<'_>, season: &Season, id: ArmyId) -> Option<Obstacle> {
    let army = turn.state.army(id)?;
    let plan = season.plan(id);
    if plan.is_some_and(|plan| plan.stopped) {
        return Some(Obstacle::HeldUp);
    }
    if hostility::is_engaged(turn.tables, &turn.state, season, id) {
        return Some(Obstacle::Engaged);
    }
    if army.points > 0 {
        return None;
    }
    // A fight takes the rest of the season's movement, even if the enemy is gone.
    Some(if plan.is_some_and(|plan| plan.fought) {
        Obstacle::Engaged
    } else {
        Obstacle::NoPoints
    })
}

/// Tells an army's realm that a step was not possible (EV01). `also` are rules of the shore that decided.
pub(crate) fn fail(
    turn: &mut SeasonTurn<'_>,
    season: &Season,
    id: ArmyId,
    direction: Direction,
    why: Obstacle,
    also: &[RuleId],
) {
    let slow = id.kind().is_wizard() || id.kind() == Kind::Archdemon;
    let rules: &[RuleId] = match why {
        Obstacle::Water | Obstacle::Land => &[rule::MOVE_09, rule::GAP_13],
        Obstacle::Height => &[rule::TERR_02, rule::GAP_13],
        Obstacle::UnknownTerrain => &[rule::MAP_08, rule::MOVE_09, rule::GAP_01, rule::GAP_13],
        Obstacle::Blessed => &[rule::PRIEST_04, rule::GAP_13],
        Obstacle::NoPoints if slow => &[rule::MOVE_01, rule::UNIT_05, rule::MOVE_11, rule::GAP_13],
        Obstacle::NoPoints if id.kind().is_group() => &[rule::MOVE_01, rule::UNIT_05, rule::GRP_02, rule::GAP_13],
        Obstacle::NoPoints => &[rule::MOVE_01, rule::UNIT_05, rule::GAP_13],
        Obstacle::Engaged => &[rule::MOVE_12, rule::GAP_13],
        Obstacle::HeldUp => &[rule::MOVE_13, rule::GAP_13],
        Obstacle::OnlyRoads => &[rule::UNIT_12, rule::GAP_13],
    };
    let rules = match also {
        [] => Rules::Borrowed(rules),
        _ => Rules::Owned([rules, also].concat()),
    };
    season.emit(
        turn,
        digit(season, id),
        rules,
        &[],
        Happening::StepFailed {
            army: id,
            direction,
            why,
        },
    );
}

/// The cause of a step: the digit of the running week in the army's order line.
pub(crate) fn digit(season: &Season, id: ArmyId) -> Cause {
    match season.plan(id) {
        Some(plan) if plan.line.is_some() => {
            let column = plan
                .route_span
                .column
                .saturating_add(u32::from(season.week).saturating_sub(1));
            Cause::Order(
                id.realm,
                Span {
                    column,
                    length: 1,
                    ..plan.route_span
                },
            )
        }
        _ => Cause::Step("march"),
    }
}

/// An army that has come onto a field where strangers stand is held up there, unless it comes to a fight.
///
/// THO-MOVE-13, THO-COMB-03, GAP-13: partners do not hinder each other, unseen armies meet nobody, and nobody is held up
/// on land of his own or of a partner. THO-UNIT-10: engines on the move do not attack.
pub(crate) fn meet(turn: &mut SeasonTurn<'_>, season: &mut Season, id: ArmyId, cause: Cause) {
    let state = &turn.state;
    let Some(army) = state.army(id) else { return };
    let (field, owner) = (army.field, state.field(army.field).owner);
    let at_home = owner.is_played() && state.are_partners(owner, id.realm);
    if at_home
        || !hostility::takes_part(turn.tables, id, army)
        || !hostility::visible_foreign_army_not_partner(turn.tables, state, season, field, id.realm)
        || hostility::on_field(turn.tables, state, season, field).involve(id.realm)
    {
        return;
    }
    let mut rules = vec![rule::MOVE_13, rule::COMB_03, rule::GAP_13];
    if army.command.is_attack() && hostility::is_artillery(season, id) {
        rules.push(rule::UNIT_10);
    }
    if turn.tables.movement.meeting_stop == MeetingStop::Turn {
        season.plan_mut(id).stopped = true;
    }
    season.emit(turn, cause, rules, &[], Happening::HeldUp { army: id, field });
}

/// D11: movement points for the next turn.
///
/// THO-MOVE-08: `min(T01, points + T01)`; what was borrowed is paid back, what was saved is lost.
pub fn refill_points(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    for (id, army) in turn.state.armies.iter_mut() {
        let pace = pace(turn.tables, season, *id);
        army.points = refilled(army.points, pace);
    }
}

/// THO-MOVE-08.
pub fn refilled(points: i32, pace: i32) -> i32 {
    points.saturating_add(pace).min(pace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_refilled_to_the_full_and_loans_paid_back() {
        let after: Vec<i32> = [-5, -1, 0, 1, 4, 9]
            .into_iter()
            .map(|points| refilled(points, 4))
            .collect();
        assert_eq!(after, [-1, 3, 4, 4, 4, 4]);
    }
}
