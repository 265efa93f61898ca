//! Summoning, control and freedom of demons (THO-MAGE-01, THO-MAGE-07..09, THO-DEM, GAP-27).

use crate::codes::Kind;
use crate::construction::any_field;
use crate::event::{Demise, Happening, Release, Shown};
use crate::geo::Place;
use crate::order::Special;
use crate::season::{Season, SeasonTurn, shown_flag};
use crate::state::{Army, ArmyId, State};
use crate::tables::Tables;
use crate::wizards::{in_reach, nothing_there, points_of, too_few_points};
use crate::{movement, rule, strength};
use kernel::diagnostic::{Diagnostic, Spanned};
use kernel::dice::Owner;
use kernel::ratio::mul_div;
use kernel::turn::Cause;

const FREE: &str = "free-demons";
const SUMMON: &str = "summon";
const SETTLE: &str = "settle-magic";

/// The price of summoning demons, in magic points.
///
/// THO-DEM-01: 2 for each normal demon, 20 for each strength point of an archdemon.
pub fn summoning_cost(tables: &Tables, kind: Kind, count: i64) -> i64 {
    let each = match kind {
        Kind::Archdemon => tables.magic.de_summon,
        _ => tables.magic.dn_summon,
    };
    count.saturating_mul(each)
}

/// The price of breaking another wizard's hold over a unit: half of its summoning, rounded up.
///
/// THO-MAGE-07, THO-SPEC-09, GAP-03.
pub fn freeing_cost(tables: &Tables, kind: Kind, count: i64) -> i64 {
    let whole = summoning_cost(tables, kind, count);
    mul_div(whole, 1, 2, tables.rounding.magic_cost).unwrap_or(i64::MAX)
}

/// The price of controlling a unit for another turn: the whole host, whatever its size.
///
/// THO-DEM-04, GAP-27.
pub fn control_cost(tables: &Tables, kind: Kind) -> i64 {
    match kind {
        Kind::Archdemon => tables.magic.de_control_per_unit,
        _ => tables.magic.dn_control_per_unit,
    }
}

/// The chance in percent that an archdemon of this strength breaks free.
///
/// THO-DEM-07, GAP-27: 5 for each strength point from 20 on, at most 75.
pub fn breaking_chance(tables: &Tables, strength: i64) -> i64 {
    let magic = &tables.magic;
    let above = strength.saturating_sub(magic.breakfree_from).saturating_add(1).max(0);
    let chance = above.saturating_mul(magic.breakfree_pct_per_point);
    chance.min(magic.breakfree_max_pct)
}

/// B4: summoners break other wizards' hold over the demons on a field.
///
/// THO-SPEC-09, THO-MAGE-07, GAP-37: all units there that another wizard controls, or none at all if the points do not
/// suffice for every one. The demons are free then and belong to nobody.
pub fn free(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    for (id, special) in season.pending(|special| matches!(special, Special::Free(_))) {
        let Special::Free(place) = special.value else { continue };
        if turn.state.army(id).is_none() {
            continue;
        }
        season.plan_mut(id).special_done = true;
        let place = Spanned {
            span: special.span,
            value: place,
        };
        if let Err(refusal) = break_hold(turn, season, id, place) {
            turn.refuse(id.realm, *refusal);
        }
    }
}

/// One attempt: A24, A25, A23.
fn break_hold(
    turn: &mut SeasonTurn<'_>,
    season: &mut Season,
    wizard: ArmyId,
    place: Spanned<Place>,
) -> Result<(), Box<Diagnostic>> {
    let tables = turn.tables.of(wizard.realm);
    let rules = [rule::SPEC_09, rule::MAGE_07, rule::GAP_37];
    let field = any_field(&turn.state, wizard.realm, place)?;
    in_reach(turn.tables, &turn.state, wizard, field, place.span, &rules)?;
    let held: Vec<Shown> = season
        .on(field)
        .filter(|id| id.kind().is_demon() && id.realm.is_played())
        .filter_map(|id| {
            let demon = turn.state.army(id)?;
            let own = id.realm == wizard.realm && demon.master == Some(wizard.name);
            let flag = shown_flag(turn.tables, id, demon);
            (!own).then_some(Shown {
                id,
                flag,
                count: demon.count,
            })
        })
        .collect();
    if held.is_empty() {
        return Err(nothing_there(place, Special::Free(place.value), &rules));
    }
    let price = |demon: &Shown| freeing_cost(tables, demon.id.kind(), demon.count);
    let total = held.iter().fold(0i64, |sum, demon| sum.saturating_add(price(demon)));
    let points = points_of(&turn.state, wizard);
    if total > points {
        return Err(too_few_points(place.span, total, points, &rules));
    }
    if let Some(army) = turn.state.armies.get_mut(&wizard) {
        army.count -= total;
    }
    let cause = season.cause(wizard, FREE);
    for demon in held {
        let what = Happening::HoldBroken {
            wizard,
            demon: Box::new(demon),
            field,
            cost: price(&demon),
        };
        let rules = &[rule::SPEC_09, rule::MAGE_07, rule::DEM_01, rule::GAP_37][..];
        let event = season.emit(turn, cause, rules, &[], what);
        strength::set_free(turn, season, demon.id, Release::Broken, Cause::Event(event), &[]);
    }
    Ok(())
}

/// B4: summoners call demons.
///
/// THO-SPEC-08, THO-DEM-01: the price. THO-MAGE-08: whose points do not suffice dissolves. THO-DEM-10, GAP-27: the demons
/// appear on his field with full points and obey an order line of the same file. THO-DEM-07: a strong archdemon may break
/// free at once.
pub fn summon(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    for (id, special) in season.pending(|special| matches!(special, Special::Summon { .. })) {
        let Special::Summon { demon, count } = special.value else {
            continue;
        };
        let Some(wizard) = turn.state.army(id).cloned() else {
            continue;
        };
        season.plan_mut(id).special_done = true;
        let demon = demon.of(id.realm);
        if let Err(refusal) = may_summon(&turn.state, id, &wizard, demon, special) {
            turn.refuse(id.realm, *refusal);
            continue;
        }
        let cause = season.cause(id, SUMMON);
        let cost = summoning_cost(turn.tables.of(id.realm), demon.kind(), count);
        if cost > wizard.count {
            strength::lose(turn, season, id, Demise::Overreached, cause);
        } else {
            call(turn, season, id, demon, count, cost, cause);
        }
    }
}

/// Whether the demons can come: A22; A07 on a ship, where they could not stand (THO-DEM-08, THO-MOVE-09).
fn may_summon(
    state: &State,
    wizard: ArmyId,
    army: &Army,
    demon: ArmyId,
    special: Spanned<Special>,
) -> Result<(), Box<Diagnostic>> {
    if state.army(demon).is_some() {
        let refusal = Diagnostic::error("A22", special.span, &[rule::SPEC_08, rule::UNIT_01]);
        return Err(Box::new(refusal.with("demon", demon.name.to_string())));
    }
    if army.aboard.is_some() {
        let refusal = Diagnostic::error("A07", special.span, &[rule::SPEC_08, rule::DEM_08, rule::SEA_04]);
        let refusal = refusal.with_word("spezial", special.value.word());
        let refusal = refusal.with("typ", wizard.kind().code());
        return Err(Box::new(refusal.with_word("liste", "allowed-ashore")));
    }
    Ok(())
}

/// The demons appear beside their wizard.
fn call(
    turn: &mut SeasonTurn<'_>,
    season: &mut Season,
    wizard: ArmyId,
    demon: ArmyId,
    count: i64,
    cost: i64,
    cause: Cause,
) {
    let points = turn.tables.of(wizard.realm).movement_points(demon.kind());
    let Some(army) = turn.state.armies.get_mut(&wizard) else {
        return;
    };
    army.count -= cost;
    let mut unit = Army::new(count, army.field, i32::try_from(points).unwrap_or(i32::MAX));
    unit.flag = turn.tables.of(wizard.realm).orders.new_army_flag;
    unit.master = Some(wizard.name);
    season.add(&mut turn.state, demon, unit);
    let what = Happening::DemonsSummoned {
        wizard,
        demon,
        count,
        cost,
    };
    let rules = &[rule::SPEC_08, rule::MAGE_07, rule::DEM_01, rule::DEM_10, rule::GAP_27][..];
    let event = season.emit(turn, cause, rules, &[], what);
    on_hallowed_ground(turn, season, demon, Cause::Event(event));
    break_free(turn, season, demon, "after summoning", Cause::Event(event));
}

/// THO-PRIEST-04: who appears on a blessed field has entered it, which normal demons cannot and archdemons pay for.
fn on_hallowed_ground(turn: &mut SeasonTurn<'_>, season: &mut Season, id: ArmyId, cause: Cause) {
    let Some(demon) = turn.state.army(id) else { return };
    let field = demon.field;
    if id.kind() == Kind::Archdemon {
        return movement::enter_blessed(turn, season, id, cause);
    }
    if turn.state.field(field).is_blessed() {
        let demons = Shown {
            id,
            flag: shown_flag(turn.tables, id, demon),
            count: demon.count,
        };
        let by = turn.state.field(field).owner;
        let what = Happening::DemonsBanished { demons, field, by };
        let event = season.emit(turn, cause, &[rule::PRIEST_04][..], &[], what);
        strength::lose(turn, season, id, Demise::Sphere, Cause::Event(event));
    }
}

/// A strong archdemon rolls whether he breaks free; then he stands before his wizard and attacks.
///
/// THO-DEM-07, GAP-27.
fn break_free(turn: &mut SeasonTurn<'_>, season: &mut Season, id: ArmyId, when: &str, cause: Cause) {
    let Some(demon) = turn.state.army(id).filter(|_| id.kind() == Kind::Archdemon) else {
        return;
    };
    let chance = breaking_chance(turn.tables.of(id.realm), demon.count);
    if chance == 0 {
        return;
    }
    let wizard = demon.master.map(|name| name.of(id.realm));
    let before = wizard.and_then(|wizard| turn.state.army(wizard)).map(|army| army.field);
    let subject = format!("{id} {when}");
    let die = turn.roll(rule::DEM_07, Owner::of(id.realm), &subject, 1, 100);
    if die.value > chance {
        return;
    }
    let freed = strength::set_free(turn, season, id, Release::BrokeFree, cause, &[die]);
    if let (Some(freed), Some(field)) = (freed, before) {
        season.relocate(&mut turn.state, freed, field);
    }
}

/// D3: demons decay, wizards train, control is paid, archdemons break free.
///
/// GAP-27, in this order: THO-DEM-02 decay, THO-MAGE-01 training, THO-DEM-03 distance, THO-DEM-04 and THO-MAGE-09 control,
/// THO-UNIT-06 the end of spent wizards, THO-DEM-07 breaking free.
pub fn settle(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let of_kind = |turn: &SeasonTurn<'_>, fits: fn(Kind) -> bool| -> Vec<ArmyId> {
        let ids = turn.state.armies.keys().filter(|id| fits(id.kind()));
        ids.copied().collect()
    };
    for demon in of_kind(turn, Kind::is_demon) {
        decay(turn, season, demon);
    }
    for wizard in of_kind(turn, Kind::is_wizard) {
        train(turn, season, wizard);
        control(turn, season, wizard);
    }
    for demon in of_kind(turn, Kind::is_demon) {
        let Some(army) = turn.state.army(demon).filter(|_| demon.realm.is_played()) else {
            continue;
        };
        let master = army.master.map(|name| name.of(demon.realm));
        if master.is_some_and(|master| turn.state.army(master).is_some()) {
            break_free(turn, season, demon, "at the end of the turn", Cause::Step(SETTLE));
        } else {
            // A demon without a wizard obeys nobody, however that came about (THO-DEM-09).
            let cause = Cause::Step(SETTLE);
            strength::set_free(turn, season, demon, Release::MasterGone, cause, &[]);
        }
    }
}

/// THO-DEM-02: five of a host and one strength point of an archdemon return to their sphere, those of free demons too.
fn decay(turn: &mut SeasonTurn<'_>, season: &mut Season, id: ArmyId) {
    let magic = &turn.tables.of(id.realm).magic;
    let share = match id.kind() {
        Kind::Archdemon => magic.de_decay,
        _ => magic.dn_decay,
    };
    let lost = share.min(points_of(&turn.state, id));
    if lost == 0 {
        return;
    }
    let rules = &[rule::DEM_02, rule::GAP_27][..];
    let what = Happening::DemonsReturned { demon: id, lost };
    let event = season.emit(turn, Cause::Step(SETTLE), rules, &[], what);
    strength::wound(turn, season, id, lost, Demise::Sphere, Cause::Event(event));
}

/// THO-MAGE-01: a wizard must keep in training.
fn train(turn: &mut SeasonTurn<'_>, season: &mut Season, id: ArmyId) {
    let price = turn.tables.of(id.realm).magic.training_cost;
    let Some(army) = turn.state.armies.get_mut(&id) else {
        return;
    };
    let cost = price.min(army.count);
    army.count -= cost;
    let what = Happening::WizardTrained { wizard: id, cost };
    season.emit(turn, Cause::Step(SETTLE), &[rule::MAGE_01, rule::GAP_27][..], &[], what);
}

/// THO-DEM-03, THO-DEM-04, THO-MAGE-09: distant demons are free at no cost, the others cost control together. Who cannot pay
/// it, or is left below his minimum strength, is no more, and his demons are free.
fn control(turn: &mut SeasonTurn<'_>, season: &mut Season, id: ArmyId) {
    let tables = turn.tables.of(id.realm);
    let Some(here) = turn.state.army(id).map(|army| army.field) else {
        return;
    };
    let mut cost = 0i64;
    for demon in strength::demons_of(turn, id) {
        let there = turn.state.army(demon).map_or(here, |army| army.field);
        if i64::from(turn.state.grid.distance(here, there)) > tables.magic.control_distance {
            strength::set_free(turn, season, demon, Release::TooFar, Cause::Step(SETTLE), &[]);
        } else {
            cost = cost.saturating_add(control_cost(tables, demon.kind()));
        }
    }
    let points = points_of(&turn.state, id);
    if cost > points {
        for demon in strength::demons_of(turn, id) {
            strength::set_free(turn, season, demon, Release::Unpaid, Cause::Step(SETTLE), &[]);
        }
        strength::lose(turn, season, id, Demise::Spent, Cause::Step(SETTLE));
        return;
    }
    if cost > 0 {
        if let Some(army) = turn.state.armies.get_mut(&id) {
            army.count -= cost;
        }
        let rules = &[rule::DEM_04, rule::DEM_03, rule::GAP_27][..];
        let what = Happening::ControlPaid { wizard: id, cost };
        season.emit(turn, Cause::Step(SETTLE), rules, &[], what);
    }
    if points - cost < tables.exist_min(id.kind()) {
        strength::lose(turn, season, id, Demise::TooWeak, Cause::Step(SETTLE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_normal_demon_costs_two_points_and_a_strength_point_twenty() {
        let tables = Tables::book();
        // EX-5 and EX-6.
        assert_eq!(summoning_cost(&tables, Kind::Demon, 4), 8);
        assert_eq!(summoning_cost(&tables, Kind::Demon, 25), 50);
        assert_eq!(summoning_cost(&tables, Kind::Archdemon, 4), 80);
    }

    #[test]
    fn breaking_a_hold_costs_half_the_summoning() {
        let tables = Tables::book();
        // EX-6.
        assert_eq!(freeing_cost(&tables, Kind::Archdemon, 4), 40);
        assert_eq!([1, 2, 3].map(|n| freeing_cost(&tables, Kind::Demon, n)), [1, 2, 3]);
        let dear = Tables::with_overrides("[magic]\ndn_summon = 3").expect("sound");
        assert_eq!(freeing_cost(&dear, Kind::Demon, 1), 2, "half of 3 is rounded up");
    }

    #[test]
    fn control_is_paid_by_unit_and_not_by_head() {
        let tables = Tables::book();
        assert_eq!(
            [Kind::Demon, Kind::Archdemon].map(|kind| control_cost(&tables, kind)),
            [2, 10]
        );
    }

    #[test]
    fn an_archdemon_of_twenty_may_break_free_and_never_by_more_than_75_in_100() {
        let tables = Tables::book();
        let chance = |strength| breaking_chance(&tables, strength);
        assert_eq!([1, 19, 20, 21].map(chance), [0, 0, 5, 10]);
        assert_eq!([33, 34, 35, 1000].map(chance), [70, 75, 75, 75]);
    }
}
