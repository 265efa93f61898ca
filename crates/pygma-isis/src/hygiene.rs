//! Hygiene, plague, secession (PYG-HYG-01..05, PYG-PLAG-01..03, PYG-GAP-19, PYG-GAP-20). Part B.

use crate::codes::{Creature, SettlementKind, Stance};
use crate::event::economy::Affair;
use crate::month::{self, Month, MonthTurn};
use crate::order::Order;
use crate::rule;
use crate::ruling::Ruling;
use crate::settlements;
use crate::state::{Band, State};
use crate::tables::Tables;
use crate::tables::policy::{AbsentHygiene, Expense};
use crate::treasury;
use kernel::diagnostic::{Diagnostic, Span, Spanned};
use kernel::dice::Owner;
use kernel::hex::FieldIndex;
use kernel::ratio::{Rounding, div};
use kernel::realm::RealmId;
use kernel::turn::{Cause, Die};

/// Faces of the die.
pub(crate) const D20: i64 = 20;

/// In some worlds plague is rolled before the arming, so that it blocks this one already (PYG-GAP-20).
pub fn before_arming(turn: &mut MonthTurn<'_>, month: &mut Month) {
    if !turn.tables.plague.roll_after_arming {
        break_out(turn, month);
        secede(turn, month);
    }
}

/// Plague and secession behind everything that is paid.
pub fn after_arming(turn: &mut MonthTurn<'_>, month: &mut Month) {
    if turn.tables.plague.roll_after_arming {
        break_out(turn, month);
        secede(turn, month);
    }
}

/// `HYGIENE`: one sum for all towns. Whoever sent no sheet spends what he spent last time, if he can.
///
/// PYG-HYG-01..03, PYG-GAP-09, PYG-GAP-19, PYG-GAP-68.
pub fn spend(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let realms: Vec<RealmId> = turn.state.playing().collect();
    for realm in realms {
        let lines = ordered(turn, realm);
        let replaced: Vec<Span> = lines.iter().rev().skip(1).map(|line| line.span).collect();
        treasury::warn_replaced(turn, realm, &replaced, "HYGIENE");
        let line = lines.last().copied();
        let gold = wanted(turn, realm);
        let purse = treasury::purse(&turn.state, realm);
        let paid = if gold <= purse { gold } else { 0 };
        if let Some(line) = line {
            if gold < line.value {
                // Without a town there is nothing to keep clean.
                let finding = Diagnostic::error("E_LIMIT", line.span, &[rule::HYG_02, rule::GAP_10]);
                turn.refuse(realm, finding.with("n", line.value).with("max", gold));
            } else if gold > purse {
                let finding = Diagnostic::error("E_GOLD", line.span, &[rule::HYG_02, rule::GAP_09]);
                turn.refuse(realm, finding.with("n", gold).with("max", purse));
            } else if let Some(own) = turn.state.realms.get_mut(&realm) {
                own.hygiene = Some(gold);
            }
        }
        treasury::credit(&mut turn.state, realm, -paid);
        let towns = i64::try_from(liable(turn.tables, &turn.state, realm).len()).unwrap_or(i64::MAX);
        let each = per_town(paid, towns);
        month.hygiene.insert(realm, each);
        if towns == 0 && paid == 0 {
            continue;
        }
        let absent = !turn.input.orders.contains_key(&realm);
        let mut rules = vec![rule::HYG_01, rule::HYG_02, rule::GAP_19, rule::TIME_03];
        if absent {
            rules.push(rule::GAP_68);
        }
        let cause = line.map_or(Cause::Step("hygiene"), |line| Cause::Order(realm, line.span));
        let what = Affair::HygienePaid { n: paid, towns, each };
        month.emit(turn, cause, rules, &[], what.of(realm));
    }
    treasury::close(turn, month, Expense::Hygiene);
}

/// Every `HYGIENE` of a realm; the last counts (PYG-GAP-67).
fn ordered(turn: &MonthTurn<'_>, realm: RealmId) -> Vec<Spanned<i64>> {
    let orders = month::orders(turn).into_iter();
    orders
        .filter_map(|(own, order)| match &order.value {
            Order::Hygiene { gold } if own == realm => Some(Spanned {
                span: order.span,
                value: gold.value,
            }),
            _ => None,
        })
        .collect()
}

/// GS that a realm wants to spend on hygiene: what it orders; without a sheet what it spent last, or the best if it never ordered any.
///
/// PYG-HYG-02, PYG-GAP-68.
pub fn wanted(turn: &MonthTurn<'_>, realm: RealmId) -> i64 {
    let towns = i64::try_from(liable(turn.tables, &turn.state, realm).len()).unwrap_or(i64::MAX);
    if towns == 0 {
        return 0;
    }
    if turn.input.orders.contains_key(&realm) {
        return ordered(turn, realm).last().map_or(0, |line| line.value);
    }
    let last = turn.state.realms.get(&realm).and_then(|own| own.hygiene);
    let absence = &turn.tables.absence;
    let best = towns.saturating_mul(absence.hygiene_if_never);
    match absence.hygiene {
        AbsentHygiene::RepeatLast => last.unwrap_or(best),
        AbsentHygiene::Best => best,
        AbsentHygiene::Nothing => 0,
    }
}

/// The settlements of a realm in which plague can break out: its towns, unless the world says otherwise (PYG-GAP-10, PYG-GAP-19).
pub fn liable(tables: &Tables, state: &State, realm: RealmId) -> Vec<FieldIndex> {
    let land = state.land_of(realm);
    land.filter(|(_, field)| {
        let town = field.settlement.as_deref();
        town.is_some_and(|town| is_liable(tables, town.kind))
    })
    .map(|(index, _)| index)
    .collect()
}

fn is_liable(tables: &Tables, kind: SettlementKind) -> bool {
    tables.plague.liable.contains(&kind)
}

/// GS per town in whole thousands (PYG-GAP-19).
pub fn per_town(gold: i64, towns: i64) -> i64 {
    let each = div(gold, towns, Rounding::Down).unwrap_or(0);
    each - each % 1000
}

/// The highest face of the D20 that means plague at so many GS per town (PYG-HYG-04, PYG-GAP-19).
pub fn plague_face(tables: &Tables, each: i64) -> i64 {
    let lines = tables.hygiene.per_town.iter().zip(&tables.hygiene.plague_d20_max);
    let mut reached = lines.filter(|(from, _)| each >= **from);
    reached.next_back().map_or(D20, |(_, face)| *face)
}

/// One D20 per town; where the outcome is certain no die is rolled. Plague in a neutral town ends.
///
/// PYG-HYG-03..05, PYG-GAP-19, PYG-GAP-20.
fn break_out(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let realms: Vec<RealmId> = turn.state.playing().collect();
    for field in &mut turn.state.fields {
        let played = realms.contains(&field.owner);
        if let Some(town) = field.settlement.as_deref_mut()
            && !(played && is_liable(turn.tables, town.kind))
        {
            town.plague = 0;
        }
    }
    for realm in realms {
        let each = month.hygiene.get(&realm).copied().unwrap_or(0);
        let face = plague_face(turn.tables, each);
        for field in liable(turn.tables, &turn.state, realm) {
            let place = turn.state.place(field);
            let die =
                (face > 0 && face < D20).then(|| turn.roll(rule::HYG_05, Owner::of(realm), &place.to_string(), 1, D20));
            let sick = die.map_or(face >= D20, |die| die.value <= face);
            let Some(town) = turn.state.field_mut(field).settlement.as_deref_mut() else {
                continue;
            };
            let before = town.plague;
            town.plague = if sick { before.saturating_add(1) } else { 0 };
            let what = match (sick, before) {
                (true, _) => Affair::PlagueBrokeOut {
                    field: place,
                    terms: before.saturating_add(1),
                },
                (false, 0) => Affair::TownHealthy { field: place },
                (false, _) => Affair::PlagueEnded { field: place },
            };
            let rules = vec![
                rule::HYG_03,
                rule::HYG_04,
                rule::HYG_05,
                rule::GAP_10,
                rule::GAP_19,
                rule::GAP_20,
                rule::TOWN_09,
            ];
            let dice: Vec<Die> = die.into_iter().collect();
            month.emit(turn, Cause::Step("plague"), rules, &dice, what.of(realm));
        }
    }
}

/// Towns leave after long plagues.
///
/// PYG-PLAG-03, PYG-GAP-20: from the third plague in a row, unless it is the capital or an own army of 5,000 men holds it; the game
/// master may keep it.
fn secede(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let realms: Vec<RealmId> = turn.state.playing().collect();
    for realm in realms {
        for field in liable(turn.tables, &turn.state, realm) {
            let Some(town) = turn.state.field(field).settlement.as_deref() else {
                continue;
            };
            let figures = &turn.tables.plague;
            let is_safe = town.kind == SettlementKind::Capital && !figures.capital_secedes;
            let pct = secession_pct(turn.tables, town.plague);
            if pct <= 0 || is_safe || is_held(turn, month, realm, field) {
                continue;
            }
            let place = turn.state.place(field);
            let die = (pct < 100).then(|| turn.roll(rule::PLAG_03, Owner::of(realm), &place.to_string(), 1, D20));
            // One face of the die is five percent.
            let leaves = die.is_none_or(|die| die.value * 100 <= pct * D20);
            let dice: Vec<Die> = die.into_iter().collect();
            let rules = &[rule::PLAG_03, rule::GAP_20][..];
            if !leaves || !game_master_lets_go(turn, realm, &format!("{realm} {place}")) {
                let what = Affair::TownStayed { field: place };
                month.emit(turn, Cause::Step("secede"), rules, &dice, what.of(realm));
                continue;
            }
            let what = Affair::TownSeceded { field: place };
            month.emit(turn, Cause::Step("secede"), rules, &dice, what.of(realm));
            let garrison = figures.seceded_garrison;
            set_free(
                turn,
                month,
                field,
                realm,
                (Creature::Garrison, garrison, Stance::Nothing),
            );
        }
    }
}

fn game_master_lets_go(turn: &mut MonthTurn<'_>, realm: RealmId, subject: &str) -> bool {
    let default = Ruling::Allow { text: String::new() };
    let answer = turn.ruling(rule::PLAG_03, Some(realm), subject, default);
    !matches!(answer, Ruling::Deny { .. })
}

/// A field becomes nobody's, held by a band (PYG-GAP-20, PYG-GAP-58).
pub(crate) fn set_free(
    turn: &mut MonthTurn<'_>,
    month: &mut Month,
    field: FieldIndex,
    realm: RealmId,
    (creature, count, stance): (Creature, i64, Stance),
) {
    month.hand_over(&mut turn.state, field, RealmId::NOBODY);
    settlements::change_hands(turn, month, field, realm, RealmId::NOBODY);
    let band = Band {
        creature,
        count,
        field,
        stance,
    };
    let id = turn.state.free_band();
    turn.state.bands.insert(id, band);
}

/// Percent that a town leaves after so many plagues in a row (PYG-GAP-20).
pub fn secession_pct(tables: &Tables, plagues: u32) -> i64 {
    let beyond = i64::from(plagues) - tables.plague.secession_from_term + 1;
    (beyond.max(0) * tables.plague.secession_pct_per_extra_term).min(100)
}

/// Whether an own land army of sufficient size stands in the town.
fn is_held(turn: &MonthTurn<'_>, month: &Month, realm: RealmId, field: FieldIndex) -> bool {
    let men = turn.tables.plague.secession_blocked_by_garrison;
    month.on(field).any(|id| {
        let army = turn.state.armies.get(&id);
        id.realm == realm && id.kind().is_land_army() && army.is_some_and(|army| army.count >= men)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_risk_falls_by_ten_percent_for_every_thousand() {
        let tables = Tables::book();
        let face = |gold| plague_face(&tables, per_town(gold, 1));
        assert_eq!(
            [0, 2_999, 3_000, 3_999, 4_000, 6_999].map(face),
            [20, 20, 14, 14, 12, 8]
        );
        assert_eq!([9_000, 9_999, 10_000, 250_000].map(face), [2, 2, 0, 0]);
    }

    #[test]
    fn one_sum_is_shared_by_all_towns_and_counts_in_whole_thousands() {
        assert_eq!(per_town(29_999, 3), 9_000);
        assert_eq!(per_town(30_000, 3), 10_000);
        assert_eq!(per_town(10_000, 0), 0);
    }

    #[test]
    fn secession_begins_with_the_third_plague_and_is_certain_with_the_sixth() {
        let tables = Tables::book();
        let pct = [0, 2, 3, 4, 5, 6, 7].map(|plagues| secession_pct(&tables, plagues));
        assert_eq!(pct, [0, 0, 25, 50, 75, 100, 100]);
    }
}
