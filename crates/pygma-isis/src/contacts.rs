//! Meetings and what orders reveal (PYG-ORD-01, -02, -04..07, PYG-GAP-37, PYG-GAP-39, PYG-SEE-04).

use crate::codes::{Kind, Stance};
use crate::event::travel::{Obstacle, Travel};
use crate::month::{self, Month, MonthTurn};
use crate::movement;
use crate::rule;
use crate::state::{Acquaintance, ArmyId};
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::Cause;
use std::collections::BTreeSet;

/// Armies on one field learn who the others are; owners learn that somebody entered.
///
/// PYG-GAP-31: by ascending field, behind withdrawals, before battles.
pub fn meet(turn: &mut MonthTurn<'_>, month: &mut Month) {
    for field in month.occupied() {
        let here: Vec<ArmyId> = month.on(field).collect();
        let attackers = attackers(turn, &here);
        for (index, one) in here.iter().enumerate() {
            for other in here.iter().skip(index + 1) {
                let fights = attackers.contains(&one.realm) || attackers.contains(&other.realm);
                if one.realm != other.realm && !fights && is_meeting(month, *one, *other) {
                    reveal(turn, month, field, *one, *other);
                }
            }
        }
        enter_realm(turn, month, field, &here, &attackers);
    }
}

/// Whether two armies meet now: one has just come, or the month begins with both on the field. Traders are passed by (PYG-GAP-60).
fn is_meeting(month: &Month, one: ArmyId, other: ArmyId) -> bool {
    let came = |id: ArmyId| month.plan(id).is_some_and(|plan| plan.entered_in == month.tick);
    let trades = one.kind() == Kind::Trader || other.kind() == Kind::Trader;
    !trades && (came(one) || came(other) || month.tick == 1)
}

/// The realms that attack on a field. No army of theirs introduces itself to those whom they fight, whatever its own order is: a battle
/// tells the names of realms, never those of players (PYG-GAP-37).
fn attackers(turn: &MonthTurn<'_>, here: &[ArmyId]) -> BTreeSet<RealmId> {
    let armies = here.iter().filter(|id| id.kind() != Kind::Trader);
    let attacking = armies.filter(|id| month::stance(&turn.state, **id) == Stance::Attack);
    attacking.map(|id| id.realm).collect()
}

/// The order that counts in a meeting: whoever cannot withdraw, or is stationary, has none (PYG-GAP-38).
fn bearing(turn: &MonthTurn<'_>, month: &Month, id: ArmyId) -> Stance {
    let stays = month.plan(id).is_some_and(|plan| plan.cornered)
        || turn.state.armies.get(&id).is_some_and(|army| army.stationed);
    match month::stance(&turn.state, id) {
        Stance::Withdraw if stays => Stance::Nothing,
        stance => stance,
    }
}

/// PYG-GAP-37, PYG-ORD-04..07: what two armies that do not fight tell each other. A battle tells by itself.
fn reveal(turn: &mut MonthTurn<'_>, month: &mut Month, field: FieldIndex, one: ArmyId, other: ArmyId) {
    use Stance::{Negotiate, Nothing};
    let (first, second) = (bearing(turn, month, one), bearing(turn, month, other));
    let rules: &'static [RuleId] = match (first, second) {
        (Negotiate, Negotiate) => &[rule::ORD_04, rule::ORD_07, rule::GAP_37],
        (Nothing, Nothing) => &[rule::ORD_05, rule::ORD_07, rule::GAP_37],
        (Negotiate, Nothing) | (Nothing, Negotiate) => &[rule::ORD_04, rule::ORD_05, rule::ORD_06, rule::GAP_37],
        _ => return,
    };
    let shown = |stance: Stance| {
        if stance == Negotiate {
            Acquaintance::Player
        } else {
            Acquaintance::Realm
        }
    };
    introduce(turn, month, one.realm, other.realm, shown(second), field, rules);
    introduce(turn, month, other.realm, one.realm, shown(first), field, rules);
    if turn.tables.movement.contact_stops {
        for id in [one, other] {
            if month.plan(id).is_some_and(|plan| plan.is_under_way()) {
                movement::stop(turn, month, id, None, Obstacle::Contact);
            }
        }
    }
}

/// Whoever fights learns the name of the other realm, never of its player (PYG-GAP-37).
pub fn after_battle(turn: &mut MonthTurn<'_>, month: &mut Month, field: FieldIndex, one: RealmId, other: RealmId) {
    let rules: &'static [RuleId] = &[rule::GAP_37];
    introduce(turn, month, one, other, Acquaintance::Realm, field, rules);
    introduce(turn, month, other, one, Acquaintance::Realm, field, rules);
}

/// A realm learns who another one is; it forgets nothing, and is told the same only once a month.
pub fn introduce(
    turn: &mut MonthTurn<'_>,
    month: &mut Month,
    to: RealmId,
    realm: RealmId,
    how: Acquaintance,
    field: FieldIndex,
    rules: &'static [RuleId],
) {
    if to == realm || !realm.is_played() || !month.introduced.insert((to, realm, how)) {
        return;
    }
    let Some(own) = turn.state.realms.get_mut(&to) else {
        return;
    };
    let known = own.met.entry(realm).or_default();
    *known = (*known).max(how);
    let what = Travel::Introduced { to, realm, how, field };
    month.emit(turn, Cause::Step("meet"), rules, &[], what);
}

/// PYG-SEE-04, PYG-GAP-39: who enters a foreign realm learns its name; the owner learns that somebody entered and where, and with
/// the order V who it was, unless they fight.
fn enter_realm(
    turn: &mut MonthTurn<'_>,
    month: &mut Month,
    field: FieldIndex,
    here: &[ArmyId],
    attackers: &BTreeSet<RealmId>,
) {
    let owner = turn.state.field(field).owner;
    if !owner.is_played() {
        return;
    }
    let is_held = here.iter().any(|id| id.realm == owner && id.kind() != Kind::Trader);
    for id in here.iter().filter(|id| id.realm != owner) {
        let came_from = month
            .plan(*id)
            .filter(|plan| plan.entered_in == month.tick)
            .and_then(|plan| plan.came_from);
        let Some(came_from) = came_from.filter(|from| turn.state.field(*from).owner != owner) else {
            continue;
        };
        let what = Travel::Entered {
            army: *id,
            from: came_from,
            field,
            owner,
        };
        let rules = &[rule::SEE_04, rule::GAP_39][..];
        month.emit(turn, month.cause(*id, "meet"), rules, &[], what);
        introduce(
            turn,
            month,
            id.realm,
            owner,
            Acquaintance::Realm,
            field,
            &[rule::GAP_39],
        );
        let fights = is_held && (attackers.contains(&id.realm) || attackers.contains(&owner));
        if month::stance(&turn.state, *id) == Stance::Negotiate && !fights {
            let rules: &'static [RuleId] = &[rule::ORD_04, rule::GAP_39];
            introduce(turn, month, owner, id.realm, Acquaintance::Player, field, rules);
        }
    }
}
