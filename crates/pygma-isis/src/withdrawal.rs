//! The order R (PYG-ORD-03, PYG-GAP-38).

use crate::attrition;
use crate::codes::{Kind, Stance};
use crate::event::travel::{Shunned, Travel};
use crate::month::{self, Month, MonthTurn};
use crate::movement;
use crate::rule;
use crate::state::{ArmyId, BandId};
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use kernel::turn::Cause;
use std::cmp::Reverse;

/// A moving army stops before a step that would bring it near strangers, or into a foreign realm.
///
/// PYG-ORD-03, PYG-GAP-38: within one field of a foreign army or creature, as they stand after the last tick. Whoever is so near to
/// the next field stands within its sight. The others learn nothing.
pub fn hold_back(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let wary: Vec<(ArmyId, FieldIndex)> = month
        .plans()
        .filter(|(id, plan)| plan.is_under_way() && is_wary(turn, *id))
        .filter_map(|(id, plan)| Some((id, plan.next()?)))
        .collect();
    for (id, next) in wary {
        // Landing armies wait for their fleet.
        if is_waiting_aboard(turn, month, id) {
            continue;
        }
        let Some(from) = shunned(turn, month, id.realm, next) else {
            continue;
        };
        let Some(at) = turn.state.armies.get(&id).map(|army| army.field) else {
            continue;
        };
        month.plan_mut(id).stopped = true;
        let what = Travel::HeldBack {
            army: id,
            at,
            wanted: next,
            from,
        };
        let rules = &[rule::ORD_03, rule::GAP_38][..];
        month.emit(turn, month.cause(id, "withdraw-before"), rules, &[], what);
    }
}

fn is_wary(turn: &MonthTurn<'_>, id: ArmyId) -> bool {
    id.kind() != Kind::Trader && month::stance(&turn.state, id) == Stance::Withdraw
}

fn is_waiting_aboard(turn: &MonthTurn<'_>, month: &Month, id: ArmyId) -> bool {
    let fleet = turn.state.armies.get(&id).and_then(|army| army.aboard);
    fleet.is_some_and(|fleet| {
        month
            .plan(fleet.of(id.realm))
            .is_some_and(|plan| plan.is_under_way() || plan.entered_in >= month.tick)
    })
}

/// What an army that shuns strangers would come near to on a field.
fn shunned(turn: &MonthTurn<'_>, month: &Month, realm: RealmId, field: FieldIndex) -> Option<Shunned> {
    let near = turn.state.chart.range(field, turn.tables.withdraw.moving_distance);
    let is_army = |id: ArmyId| id.realm != realm && id.kind() != Kind::Trader;
    if near.iter().any(|field| month.on(*field).any(is_army)) {
        return Some(Shunned::Army);
    }
    if turn.state.bands.values().any(|band| near.contains(&band.field)) {
        return Some(Shunned::Creature);
    }
    let owner = turn.state.field(field).owner;
    let is_foreign = owner.is_played() && owner != realm;
    (is_foreign && turn.tables.withdraw.avoids_foreign_realm).then_some(Shunned::Realm)
}

/// A standing army leaves its field when strangers enter it; shy creatures too (PYG-GAP-35).
pub fn give_way(turn: &mut MonthTurn<'_>, month: &mut Month) {
    for field in month.occupied() {
        give_way_on(turn, month, field);
    }
}

/// The same when creatures have come onto a field: there, and as far around it as strangers are shunned.
pub fn give_way_near(turn: &mut MonthTurn<'_>, month: &mut Month, field: FieldIndex) {
    give_way_on(turn, month, field);
    let around = turn.state.chart.range(field, turn.tables.withdraw.standing_distance);
    for near in around.into_iter().filter(|near| *near != field) {
        give_way_on(turn, month, near);
    }
}

/// The same on one field: whoever has the order R leaves it if strangers entered it or attack.
///
/// PYG-ORD-03, PYG-GAP-37, PYG-GAP-38: it goes back where it came from, else to the best field beside; if there is none, it stays and
/// counts as having no order. Stationary armies stay and defend.
pub fn give_way_on(turn: &mut MonthTurn<'_>, month: &mut Month, field: FieldIndex) {
    let here: Vec<ArmyId> = month.on(field).filter(|id| id.kind() != Kind::Trader).collect();
    let leaving: Vec<(ArmyId, Shunned)> = here
        .iter()
        .filter(|id| is_wary(turn, **id))
        .filter_map(|id| Some((*id, pressed_by(turn, month, *id, field, &here)?)))
        .collect();
    // All decide at once, from the field as they see it together.
    let ways: Vec<Option<FieldIndex>> = leaving.iter().map(|(id, _)| way_out(turn, month, *id)).collect();
    for ((id, from), way) in leaving.into_iter().zip(ways) {
        let tick = month.tick;
        if way.is_none() && is_free(turn, month, id.realm, field) {
            // Strangers are only near, and there is nowhere else to go.
            continue;
        }
        month.plan_mut(id).stopped = true;
        let cause = month.cause(id, "withdraw");
        let rules = &[rule::ORD_03, rule::GAP_37, rule::GAP_38][..];
        match way {
            Some(to) => {
                movement::arrive(month.plan_mut(id), tick, field, to);
                month.relocate(&mut turn.state, id, to);
                let what = Travel::Withdrew {
                    army: id,
                    field,
                    to,
                    from,
                };
                month.emit(turn, cause, rules, &[], what);
                // Giving way into difficult terrain costs losses like any step (PYG-GAP-51).
                attrition::enter(turn, month, id, field, attrition::Entry::Retreat);
            }
            None => {
                month.plan_mut(id).cornered = true;
                month.emit(turn, cause, rules, &[], Travel::Cornered { army: id, field });
            }
        }
    }
    let shy: Vec<BandId> = turn
        .state
        .bands
        .iter()
        .filter(|(_, band)| band.field == field && band.stance == Stance::Withdraw)
        .map(|(id, _)| *id)
        .collect();
    for band in shy {
        shy_away(turn, month, band, field);
    }
}

/// Who makes an army leave its field: strangers of whom one has just come, or who attack.
fn pressed_by(turn: &MonthTurn<'_>, month: &Month, id: ArmyId, field: FieldIndex, here: &[ArmyId]) -> Option<Shunned> {
    let army = turn.state.armies.get(&id)?;
    let plan = month.plan(id)?;
    if army.stationed || plan.cornered {
        return None;
    }
    let came = |id: ArmyId| month.plan(id).is_some_and(|plan| plan.entered_in == month.tick);
    let just_came = came(id);
    let presses = |other: &&ArmyId| {
        other.realm != id.realm && (just_came || came(**other) || month::stance(&turn.state, **other) == Stance::Attack)
    };
    if here.iter().any(|other| presses(&other)) {
        return Some(Shunned::Army);
    }
    let mut bands = turn.state.bands.values().filter(|band| band.field == field);
    if bands.any(|band| band.stance == Stance::Attack || just_came) {
        return Some(Shunned::Creature);
    }
    // Whoever is still under way looks ahead by itself.
    if plan.is_under_way() || just_came {
        return None;
    }
    let comers = comers_near(turn, month, id.realm, field);
    comers.first().map(|(_, shunned)| *shunned)
}

/// Strangers who have just come near a field, in worlds where standing armies do not wait until they enter it (PYG-GAP-38).
fn comers_near(turn: &MonthTurn<'_>, month: &Month, realm: RealmId, field: FieldIndex) -> Vec<(FieldIndex, Shunned)> {
    let distance = turn.tables.withdraw.standing_distance;
    if distance == 0 {
        return Vec::new();
    }
    let mut comers = Vec::new();
    for near in turn.state.chart.range(field, distance) {
        let came = |id: ArmyId| month.plan(id).is_some_and(|plan| plan.entered_in == month.tick);
        let is_stranger = |id: &ArmyId| id.realm != realm && id.kind() != Kind::Trader;
        comers.extend(
            month
                .on(near)
                .filter(is_stranger)
                .filter(|id| came(*id))
                .map(|_| (near, Shunned::Army)),
        );
        let strayed = month.strayed.keys().filter_map(|band| turn.state.bands.get(band));
        comers.extend(
            strayed
                .filter(|band| band.field == near)
                .map(|_| (near, Shunned::Creature)),
        );
    }
    comers
}

/// The field to which an army gives way: where it came from this month, else the best adjacent one; none if there is none.
///
/// PYG-GAP-38: at most one height level, no stranger there, no foreign realm; own land first, then furthest from where the intruders
/// came from, then the lowest number. Also for those who lost a battle (PYG-GAP-46).
pub fn way_out(turn: &MonthTurn<'_>, month: &Month, army: ArmyId) -> Option<FieldIndex> {
    let here = turn.state.armies.get(&army)?.field;
    let back = month.plan(army).and_then(|plan| plan.came_from);
    if let Some(back) = back
        && back != here
        && is_passable(turn, army.kind(), here, back, false)
        && is_free(turn, month, army.realm, back)
    {
        return Some(back);
    }
    let mut sources: Vec<FieldIndex> = month
        .on(here)
        .filter(|other| other.realm != army.realm)
        .filter_map(|other| month.plan(other).and_then(|plan| plan.came_from))
        .collect();
    let bands = turn.state.bands.iter().filter(|(_, band)| band.field == here);
    sources.extend(bands.filter_map(|(id, _)| month.strayed.get(id)));
    let near = comers_near(turn, month, army.realm, here);
    sources.extend(near.into_iter().map(|(field, _)| field).filter(|field| *field != here));
    let owner = |field: FieldIndex| turn.state.field(field).owner;
    let candidates = turn
        .state
        .chart
        .neighbours(here)
        .map(|(_, field)| field)
        .filter(|field| {
            let is_foreign = owner(*field).is_played() && owner(*field) != army.realm;
            !is_foreign
                && is_passable(turn, army.kind(), here, *field, true)
                && is_free(turn, month, army.realm, *field)
        });
    candidates.min_by_key(|field| {
        let nearest = sources
            .iter()
            .map(|source| turn.state.chart.distance(*field, *source))
            .min();
        let is_own = owner(*field) == army.realm;
        (!is_own, Reverse(nearest.unwrap_or(0)), *field)
    })
}

/// Whether an army of this kind can go from one field to the next at all.
fn is_passable(turn: &MonthTurn<'_>, kind: Kind, from: FieldIndex, to: FieldIndex, mind_heights: bool) -> bool {
    let ground = |field: FieldIndex| &turn.tables.terrain[turn.state.field(field).terrain];
    let (from, to) = (ground(from), ground(to));
    let at_sea = kind == Kind::Fleet;
    let levels = (from.height - to.height).abs();
    to.water == at_sea && (!mind_heights || levels <= turn.tables.movement.height_steps)
}

/// Whether no stranger stands on a field.
fn is_free(turn: &MonthTurn<'_>, month: &Month, realm: RealmId, field: FieldIndex) -> bool {
    month.on(field).all(|id| id.realm == realm) && turn.state.bands.values().all(|band| band.field != field)
}

/// PYG-GAP-35: shy creatures give way to whoever enters their field; those that cannot are found there.
fn shy_away(turn: &mut MonthTurn<'_>, month: &Month, band: BandId, field: FieldIndex) {
    let comers: Vec<ArmyId> = month
        .on(field)
        .filter(|id| month.plan(*id).is_some_and(|plan| plan.entered_in == month.tick))
        .filter(|id| id.kind() != Kind::Trader)
        .collect();
    let Some(first) = comers.first().copied() else { return };
    let sources: Vec<FieldIndex> = comers
        .iter()
        .filter_map(|id| month.plan(*id).and_then(|plan| plan.came_from))
        .collect();
    let at_sea = turn.tables.is_water(turn.state.field(field).terrain);
    let free = turn
        .state
        .chart
        .neighbours(field)
        .map(|(_, field)| field)
        .filter(|other| {
            let there = turn.state.field(*other);
            turn.tables.is_water(there.terrain) == at_sea
                && month.on(*other).next().is_none()
                && turn.state.bands.values().all(|band| band.field != *other)
        });
    let to = free.min_by_key(|other| {
        let nearest = sources
            .iter()
            .map(|source| turn.state.chart.distance(*other, *source))
            .min();
        let is_claimed = turn.state.field(*other).owner.is_played();
        (is_claimed, Reverse(nearest.unwrap_or(0)), *other)
    });
    let Some(creature) = turn.state.bands.get(&band).map(|band| band.creature) else {
        return;
    };
    match to {
        Some(to) => {
            if let Some(band) = turn.state.bands.get_mut(&band) {
                band.field = to;
            }
            let what = Travel::ShiedAway {
                creature,
                field,
                to,
                realm: first.realm,
            };
            month.emit(turn, Cause::Step("withdraw"), &[rule::GAP_35][..], &[], what);
        }
        None => {
            if let Some(band) = turn.state.bands.get_mut(&band) {
                band.stance = Stance::Nothing;
            }
        }
    }
}
