//! Enlarging the realm, and giving land up (PYG-EXP-01..05, PYG-ARMY-06, PYG-GAP-35, PYG-GAP-36, PYG-GAP-59).

use crate::codes::{Creature, Kind, Stance};
use crate::event::travel::Travel;
use crate::month::{self, Month, MonthTurn, Plan};
use crate::order::Order;
use crate::rule;
use crate::state::{ArmyId, Band, BandId};
use crate::tables::policy::Captured;
use crate::{mines, settlements, sight};
use kernel::diagnostic::Diagnostic;
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::Cause;
use std::collections::BTreeMap;

/// The tick in which those fight who stood on one field before (PYG-GAP-31).
const FIRST: u8 = 1;

/// Fields entered in this tick change hands, and in the first one those on which attackers stand.
///
/// PYG-GAP-31: by ascending field, behind meetings and battles. PYG-ARMY-06, PYG-MAP-08: water never does.
pub fn annex(turn: &mut MonthTurn<'_>, month: &mut Month) {
    for field in month.occupied() {
        let owner = turn.state.field(field).owner;
        let comers: Vec<ArmyId> = month
            .on(field)
            .filter(|id| id.kind().is_land_army())
            .filter(|id| has_come(month, *id) || takes_what_it_stands_on(turn, month, *id, owner))
            .collect();
        if comers.is_empty() || turn.tables.is_water(turn.state.field(field).terrain) {
            continue;
        }
        if owner.is_played() {
            conquer(turn, month, field, owner, &comers);
        } else {
            claim(turn, month, field, &comers);
        }
    }
}

fn has_come(month: &Month, id: ArmyId) -> bool {
    month.plan(id).is_some_and(|plan| plan.entered_in == month.tick)
}

/// PYG-EXP-03 asks for the order A, not for a step: an army that stands in a foreign realm since an earlier month takes its field with it.
/// On neutral land, which is annexed by entering it, it must have beaten those who held it (PYG-GAP-35).
fn takes_what_it_stands_on(turn: &MonthTurn<'_>, month: &Month, id: ArmyId, owner: RealmId) -> bool {
    let stood = |plan: &Plan| plan.came_from.is_none() && (owner.is_played() || plan.fought);
    month.tick == FIRST && month::stance(&turn.state, id) == Stance::Attack && month.plan(id).is_some_and(stood)
}

/// PYG-EXP-01, PYG-EXP-02, PYG-GAP-35: neutral land and neutral towns join whoever enters with any order, unless he does not want
/// them, somebody there has to be beaten first, or the luxury demand forbids it.
fn claim(turn: &mut MonthTurn<'_>, month: &mut Month, field: FieldIndex, comers: &[ArmyId]) {
    let mut claims: BTreeMap<RealmId, (i64, ArmyId)> = BTreeMap::new();
    for id in comers.iter().filter(|id| is_willing(month, **id)) {
        let count = turn.state.armies.get(id).map_or(0, |army| army.count);
        let claim = claims.entry(id.realm).or_insert((0, *id));
        claim.0 += month::raw_points(turn.tables, *id, count);
    }
    if claims.is_empty() {
        return;
    }
    if let Some(creature) = defender(turn, field) {
        for (_, army) in claims.into_values() {
            let what = Travel::Defended { army, field, creature };
            let rules = &[rule::EXP_01, rule::GAP_35][..];
            month.emit(turn, month.cause(army, "annex"), rules, &[], what);
        }
        return;
    }
    // PYG-GAP-31: of several realms the one with more raw points; equals leave it neutral.
    let most = claims.values().map(|(points, _)| *points).max().unwrap_or(0);
    let mut strongest = claims.iter().filter(|(_, (points, _))| *points == most);
    let (Some((realm, (_, army))), None) = (strongest.next(), strongest.next()) else {
        let realms: Vec<RealmId> = claims.keys().copied().collect();
        let what = Travel::Disputed { field, realms };
        month.emit(turn, Cause::Step("annex"), &[rule::GAP_31][..], &[], what);
        return;
    };
    let (realm, army) = (*realm, *army);
    if is_barred(turn, month, realm, army, field) {
        return;
    }
    absorb(turn, month, field, army);
    let rules: &'static [RuleId] = match (turn.state.field(field).settlement.is_some(), claims.len()) {
        (true, _) => &[rule::EXP_01, rule::EXP_02, rule::GAP_35],
        (false, 1) => &[rule::EXP_01, rule::GAP_35],
        (false, _) => &[rule::EXP_01, rule::GAP_31, rule::GAP_35],
    };
    take(turn, month, field, army, rules);
}

/// `NEUTRAL`: its player does not want the fields that it enters.
fn is_willing(month: &Month, id: ArmyId) -> bool {
    month.plan(id).is_none_or(|plan| !plan.neutral)
}

/// PYG-GAP-35: hostile natives, garrisons and rebels must be beaten first.
fn defender(turn: &MonthTurn<'_>, field: FieldIndex) -> Option<Creature> {
    let mut here = turn.state.bands.values().filter(|band| band.field == field);
    let holds =
        |band: &&Band| band.stance == Stance::Attack || matches!(band.creature, Creature::Garrison | Creature::Rebels);
    here.find(holds).map(|band| band.creature)
}

/// PYG-GAP-35: natives who do not resist join the realm together with their field.
fn absorb(turn: &mut MonthTurn<'_>, month: &Month, field: FieldIndex, army: ArmyId) {
    let here: Vec<(BandId, Creature)> = turn
        .state
        .bands
        .iter()
        .filter(|(_, band)| band.field == field)
        .map(|(id, band)| (*id, band.creature))
        .collect();
    for (id, creature) in here {
        turn.state.bands.remove(&id);
        let what = Travel::Absorbed {
            creature,
            field,
            realm: army.realm,
        };
        month.emit(turn, month.cause(army, "annex"), &[rule::GAP_35][..], &[], what);
    }
}

/// PYG-EXP-03, PYG-GAP-36: one army of 5,000 or more with the order A that wants the field, and no foreign army left on it.
fn conquer(turn: &mut MonthTurn<'_>, month: &mut Month, field: FieldIndex, owner: RealmId, comers: &[ArmyId]) {
    let min = turn.tables.armies.conquest_min;
    let strongest = comers
        .iter()
        .filter(|id| id.realm != owner && month::stance(&turn.state, **id) == Stance::Attack)
        .filter(|id| is_willing(month, **id))
        .map(|id| (turn.state.armies.get(id).map_or(0, |army| army.count), *id))
        .max_by_key(|(count, id)| (*count, std::cmp::Reverse(*id)));
    let Some((count, army)) = strongest else { return };
    let is_held = month
        .on(field)
        .any(|other| other.realm != army.realm && other.kind() != Kind::Trader);
    if is_held
        || turn
            .state
            .bands
            .values()
            .any(|band| band.field == field && band.stance == Stance::Attack)
    {
        return;
    }
    if count < min {
        let what = Travel::TooWeak { army, field, min };
        month.emit(
            turn,
            month.cause(army, "annex"),
            &[rule::EXP_03, rule::GAP_36][..],
            &[],
            what,
        );
        return;
    }
    if is_barred(turn, month, army.realm, army, field) {
        return;
    }
    let fortified = turn.state.field(field).work.is_some();
    if turn.tables.works.captured == Captured::Destroyed {
        turn.state.field_mut(field).work = None;
    }
    let rules: &'static [RuleId] = if fortified {
        &[rule::EXP_03, rule::ORD_02, rule::GAP_36, rule::GAP_21]
    } else {
        &[rule::EXP_03, rule::ORD_02, rule::GAP_36]
    };
    take(turn, month, field, army, rules);
}

/// PYG-EXP-04, PYG-LUX-04, PYG-GAP-59: a realm whose luxury demand was not met takes no land.
fn is_barred(turn: &mut MonthTurn<'_>, month: &Month, realm: RealmId, army: ArmyId, field: FieldIndex) -> bool {
    let statement = turn.state.realms.get(&realm).and_then(|own| own.statement.as_ref());
    if statement.is_none_or(|statement| statement.luxury_met) {
        return false;
    }
    let rules = &[rule::EXP_04, rule::LUX_04, rule::GAP_59][..];
    month.emit(
        turn,
        month.cause(army, "annex"),
        rules,
        &[],
        Travel::Barred { army, field },
    );
    true
}

/// A field joins the realm of an army, with what stands on it.
fn take(turn: &mut MonthTurn<'_>, month: &mut Month, field: FieldIndex, army: ArmyId, rules: &'static [RuleId]) {
    let (from, to) = (turn.state.field(field).owner, army.realm);
    month.hand_over(&mut turn.state, field, to);
    if let Some(loser) = turn.state.realms.get_mut(&from) {
        sight::note_banner(loser, from, to);
    }
    let what = Travel::Taken { field, from, army };
    month.emit(turn, month.cause(army, "annex"), rules, &[], what);
    if turn.state.field(field).settlement.is_some() {
        settlements::change_hands(turn, month, field, from, to);
    }
    mines::search(turn, month, field, to);
}

/// `AUFGEBEN`: an own field without a settlement becomes neutral behind the movement.
///
/// PYG-EXP-05, PYG-GAP-59.
pub fn abandon(turn: &mut MonthTurn<'_>, month: &mut Month) {
    for (realm, order) in month::orders(turn) {
        let Order::Abandon { field: place } = &order.value else {
            continue;
        };
        if !turn.tables.goods.may_give_up_land {
            let finding = Diagnostic::error("E_FORBIDDEN", order.span, &[rule::EXP_05, rule::GAP_59]);
            turn.refuse(realm, finding);
            continue;
        }
        let there = turn.state.field_at(place.value);
        let field = there.filter(|field| {
            let here = turn.state.field(*field);
            here.owner == realm && here.settlement.is_none()
        });
        let is_lost = |field: FieldIndex| {
            let owner = turn.state.field(field).owner;
            month.owner_at_start(field) == realm && owner.is_played() && owner != realm
        };
        if there.is_some_and(is_lost) {
            // It was taken in this month: that is told, and no mistake of the order (catalogue 5.3).
            continue;
        }
        let Some(field) = field else {
            let finding = Diagnostic::error("E_PLACE", place.span, &[rule::EXP_05, rule::GAP_59]);
            let finding = finding.with_word("fit", "fit-abandon");
            turn.refuse(realm, finding.with("field", place.value.to_string()));
            continue;
        };
        month.hand_over(&mut turn.state, field, RealmId::NOBODY);
        let rules = &[rule::EXP_05, rule::GAP_59][..];
        let cause = Cause::Order(realm, order.span);
        month.emit(turn, cause, rules, &[], Travel::Abandoned { realm, field });
    }
}
