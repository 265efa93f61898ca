//! Settlements, towns, fortification (PYG-TOWN-01..09, PYG-FORT-01, PYG-GAP-10..15, PYG-GAP-17). Part B.

use crate::codes::{SettlementKind, Terrain};
use crate::event::economy::Affair;
use crate::mines;
use crate::month::{self, Month, MonthTurn};
use crate::order::Order;
use crate::rule;
use crate::ruling::Ruling;
use crate::state::{Settlement, State};
use crate::supply;
use crate::tables::Tables;
use crate::tables::policy::Conquered;
use crate::treasury::{self, Price};
use kernel::diagnostic::{Diagnostic, Span, Spanned, Value};
use kernel::hex::FieldIndex;
use kernel::ratio::{Rounding, percent};
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::Cause;
use std::collections::BTreeSet;

use crate::chart::Place;

/// `SIEDLUNG`, `AUSBAU`, in the order written.
///
/// PYG-TOWN-04, -05, PYG-GAP-13: one stage per settlement and month, unless the world allows more; founding is a stage.
pub fn build(turn: &mut MonthTurn<'_>, month: &mut Month) {
    for (realm, order) in month::orders(turn) {
        match &order.value {
            Order::Found { field } => found(turn, month, realm, order.span, field),
            Order::Upgrade { field, to } => upgrade(turn, month, realm, order.span, field, *to),
            _ => {}
        }
    }
}

/// A field of the realm that an order names, or a refusal.
pub(crate) fn own_field(
    turn: &mut MonthTurn<'_>,
    realm: RealmId,
    place: &Spanned<Place>,
    rules: &[RuleId],
) -> Option<FieldIndex> {
    let field = turn.state.field_at(place.value);
    let own = field.filter(|field| turn.state.field(*field).owner == realm);
    if own.is_none() {
        wrong_place(turn, realm, place, rules, "place-own");
    }
    own
}

/// Refuses an order because of the place it names; `expected` is the key of what would have been right.
pub(crate) fn wrong_place(
    turn: &mut MonthTurn<'_>,
    realm: RealmId,
    place: &Spanned<Place>,
    rules: &[RuleId],
    expected: &'static str,
) {
    let finding = misplaced(place.span, place.value.to_string(), rules, expected);
    turn.refuse(realm, finding);
}

/// The finding about a wrong place; `expected` is the key of what would have been right.
pub(crate) fn misplaced(span: Span, place: impl Into<Value>, rules: &[RuleId], expected: &'static str) -> Diagnostic {
    let finding = Diagnostic::error("E_PLACE", span, rules).with("field", place);
    finding.with_word("expected", expected)
}

fn wrong_stage(turn: &mut MonthTurn<'_>, realm: RealmId, place: &Spanned<Place>, rules: &[RuleId]) {
    let finding = Diagnostic::error("E_STAGE", place.span, rules);
    turn.refuse(realm, finding.with("field", place.value.to_string()));
}

/// `SIEDLUNG`.
///
/// PYG-GAP-13: on own land except ice, free of foreign armies, works and settlements; PYG-TOWN-06, PYG-GAP-12: away from all
/// others, unless the game master allows it (PYG-TOWN-07); PYG-TOWN-08, PYG-GAP-14: in a populous area; PYG-LUX-04: not without luxury goods.
fn found(turn: &mut MonthTurn<'_>, month: &mut Month, realm: RealmId, line: Span, place: &Spanned<Place>) {
    let Some(field) = own_field(turn, realm, place, &[rule::GAP_13]) else {
        return;
    };
    let here = turn.state.field(field);
    let walled = here.work.is_some() && !turn.tables.works.on_settlement_field;
    let occupied = here.settlement.is_some() || walled;
    let strangers = month.on(field).any(|army| army.realm != realm);
    if here.terrain == Terrain::Ice || occupied || strangers {
        return wrong_place(turn, realm, place, &[rule::GAP_13], "place-site");
    }
    if !supply::may_grow(&turn.state, realm) {
        let finding = Diagnostic::error("E_LUXURY", place.span, &[rule::LUX_04, rule::EXP_04, rule::GAP_59]);
        return turn.refuse(realm, finding);
    }
    let tables = turn.tables;
    let points = area_points(tables, &turn.state, realm, field);
    let min = tables.settling.colony_min_points;
    if points < min {
        let finding = Diagnostic::error("E_COLONY", place.span, &[rule::TOWN_08, rule::GAP_14]);
        let finding = finding.with("field", place.value.to_string()).with("n", points);
        return turn.refuse(realm, finding.with("min", min));
    }
    let near = too_near(tables, &turn.state, field);
    let is_news = |other: &FieldIndex| month.founded.contains(other) && turn.state.field(*other).owner != realm;
    let known = near.iter().copied().find(|other| !is_news(other));
    if let Some(other) = known.or(near.first().copied())
        && !close_building_allowed(turn, realm, place.value)
    {
        let rules = &[rule::TOWN_06, rule::GAP_12];
        if known.is_none() {
            return forestalled(turn, month, (realm, line), place.value, other, rules);
        }
        let finding = Diagnostic::error("E_SPACING", place.span, rules);
        let finding = finding.with("field", place.value.to_string());
        let finding = finding.with("other", turn.state.place(other).to_string());
        return turn.refuse(realm, finding.with("min", tables.settling.min_distance));
    }
    let cost = tables.settlement[SettlementKind::SmallSettlement].cost;
    if !treasury::spend(turn, month, realm, line, Price::new(cost, &[rule::TOWN_05])) {
        return;
    }
    *month.stages.entry(field).or_default() += 1;
    month.founded.insert(field);
    let settlement = Settlement::new(SettlementKind::SmallSettlement);
    turn.state.field_mut(field).settlement = Some(Box::new(settlement));
    let what = Affair::SettlementFounded {
        field: place.value,
        n: cost,
    };
    let rules = &[
        rule::TOWN_04,
        rule::TOWN_05,
        rule::TOWN_06,
        rule::TOWN_08,
        rule::GAP_12,
        rule::GAP_13,
        rule::GAP_14,
    ][..];
    month.emit(turn, Cause::Order(realm, line), rules, &[], what.of(realm));
    mines::dive(turn, month, field, realm);
}

/// PYG-TOWN-07: closer building only by the game master's decision.
fn close_building_allowed(turn: &mut MonthTurn<'_>, realm: RealmId, place: Place) -> bool {
    let default = Ruling::Deny { text: String::new() };
    let subject = format!("{realm} {place}");
    let answer = turn.ruling(rule::TOWN_07, Some(realm), &subject, default);
    matches!(answer, Ruling::Allow { .. })
}

/// Catalogue 5.3: what another realm built in the same month is found out and told; the order was no mistake.
pub(crate) fn forestalled(
    turn: &mut MonthTurn<'_>,
    month: &Month,
    (realm, line): (RealmId, Span),
    field: Place,
    other: FieldIndex,
    rules: &'static [RuleId],
) {
    let other = turn.state.place(other);
    let what = Affair::BuildingForestalled { field, other };
    month.emit(turn, Cause::Order(realm, line), rules, &[], what.of(realm));
}

/// Settlements of anyone that are nearer than the rules allow, by number.
fn too_near(tables: &Tables, state: &State, field: FieldIndex) -> Vec<FieldIndex> {
    let within = u32::try_from(tables.settling.min_distance - 1).unwrap_or(0);
    let around = state.chart.range(field, within).into_iter();
    around
        .filter(|other| *other != field && state.field(*other).settlement.is_some())
        .collect()
}

/// Population points of the connected own land around a field (PYG-GAP-14).
fn area_points(tables: &Tables, state: &State, realm: RealmId, field: FieldIndex) -> i64 {
    let mut area = BTreeSet::from([field]);
    let mut open = vec![field];
    let mut points = 0;
    while let Some(next) = open.pop() {
        points += supply::points_on(tables, state.field(next));
        for (_, other) in state.chart.neighbours(next) {
            if state.field(other).owner == realm && area.insert(other) {
                open.push(other);
            }
        }
    }
    points
}

/// `AUSBAU`: the next stage; behind a small town inland or harbour town, and a coastal inland town may still become a harbour.
///
/// PYG-TOWN-01, -03, -05, PYG-GAP-13, PYG-GAP-15.
fn upgrade(
    turn: &mut MonthTurn<'_>,
    month: &mut Month,
    realm: RealmId,
    line: Span,
    place: &Spanned<Place>,
    to: Option<SettlementKind>,
) {
    let Some(field) = own_field(turn, realm, place, &[rule::TOWN_05]) else {
        return;
    };
    let Some(town) = turn.state.field(field).settlement.as_deref() else {
        return wrong_place(turn, realm, place, &[rule::TOWN_05], "place-settlement");
    };
    let stages = month.stages.get(&field).copied().unwrap_or(0);
    if stages >= turn.tables.settling.stages_per_month {
        return wrong_stage(turn, realm, place, &[rule::TOWN_05, rule::GAP_13]);
    }
    let tables = turn.tables;
    let Some((next, cost)) = next_stage(tables, town.kind, to) else {
        return wrong_stage(turn, realm, place, &[rule::TOWN_01, rule::TOWN_05, rule::GAP_15]);
    };
    if next == SettlementKind::HarbourTown && !turn.state.is_coastal(tables, field) {
        let finding = Diagnostic::error("E_NO_WATER", place.span, &[rule::TOWN_03, rule::GAP_15]);
        return turn.refuse(realm, finding.with("field", place.value.to_string()));
    }
    if !treasury::spend(turn, month, realm, line, Price::new(cost, &[rule::TOWN_05])) {
        return;
    }
    *month.stages.entry(field).or_default() += 1;
    if let Some(town) = turn.state.field_mut(field).settlement.as_deref_mut() {
        town.kind = next;
    }
    let what = Affair::SettlementUpgraded {
        field: place.value,
        kind: next,
        n: cost,
    };
    let rules: &'static [RuleId] = if next.is_town() {
        &[rule::TOWN_04, rule::TOWN_05, rule::GAP_13, rule::TOWN_03, rule::GAP_15]
    } else {
        &[rule::TOWN_04, rule::TOWN_05, rule::GAP_13, rule::GAP_10]
    };
    month.emit(turn, Cause::Order(realm, line), rules, &[], what.of(realm));
}

/// The next stage of a settlement and its cost. Inland unless a harbour is asked for, which can still be added later for the
/// difference.
fn next_stage(tables: &Tables, kind: SettlementKind, to: Option<SettlementKind>) -> Option<(SettlementKind, i64)> {
    use SettlementKind::{Capital, HarbourTown, InlandTown, LargeSettlement, SmallSettlement, SmallTown};
    let cost = |kind: SettlementKind| tables.settlement[kind].cost;
    match (kind, to) {
        (SmallSettlement, None) => Some((LargeSettlement, cost(LargeSettlement))),
        (LargeSettlement, None) => Some((SmallTown, cost(SmallTown))),
        (SmallTown, Some(HarbourTown)) => Some((HarbourTown, cost(HarbourTown))),
        (SmallTown, _) => Some((InlandTown, cost(InlandTown))),
        (InlandTown, Some(HarbourTown)) => Some((HarbourTown, tables.settling.inland_to_harbour_cost)),
        (SmallSettlement | LargeSettlement, Some(_)) | (InlandTown | HarbourTown | Capital, _) => None,
    }
}

/// `BEFESTIGE`.
///
/// PYG-FORT-01, PYG-TOWN-09, PYG-GAP-10: towns only, once.
pub fn fortify(turn: &mut MonthTurn<'_>, month: &mut Month) {
    for (realm, order) in month::orders(turn) {
        let Order::Fortify { field: place } = &order.value else {
            continue;
        };
        let rules = &[rule::FORT_01, rule::FORT_02, rule::TOWN_09, rule::GAP_10];
        let Some(field) = own_field(turn, realm, place, rules) else {
            continue;
        };
        let town = turn.state.field(field).settlement.as_deref();
        let cost = town.and_then(|town| turn.tables.settlement[town.kind].fortify_cost);
        let Some((town, cost)) = town.zip(cost) else {
            wrong_place(turn, realm, place, rules, "place-town");
            continue;
        };
        if town.fortified {
            wrong_stage(turn, realm, place, &[rule::FORT_01]);
            continue;
        }
        if !treasury::spend(turn, month, realm, order.span, Price::new(cost, rules)) {
            continue;
        }
        if let Some(town) = turn.state.field_mut(field).settlement.as_deref_mut() {
            town.fortified = true;
        }
        let what = Affair::TownFortified {
            field: place.value,
            n: cost,
        };
        month.emit(turn, Cause::Order(realm, order.span), &rules[..], &[], what.of(realm));
    }
}

/// A settlement has come to another realm, or to nobody: its trade ends; a capital becomes an ordinary town and part of the treasury is lost; a
/// recaptured one is restored.
///
/// PYG-TOWN-02, PYG-GAP-17. Called behind the change of owner.
pub fn change_hands(turn: &mut MonthTurn<'_>, month: &mut Month, field: FieldIndex, from: RealmId, to: RealmId) {
    let tables = turn.tables;
    let place = turn.state.place(field);
    let coastal = turn.state.is_coastal(tables, field);
    let Some(town) = turn.state.field_mut(field).settlement.as_deref_mut() else {
        return;
    };
    town.trade = None;
    let restored = tables.capital_loss.restored_on_recapture && to.is_played() && town.capital_of == to;
    if restored {
        town.grown = town.grown.saturating_sub(extra_points(tables, town.kind)).max(0);
        town.kind = SettlementKind::Capital;
        town.capital_of = RealmId::NOBODY;
        let what = Affair::CapitalRestored { field: place };
        let rules = &[rule::TOWN_02, rule::GAP_17][..];
        month.emit(turn, Cause::Step("annex"), rules, &[], what.of(to));
    } else if town.kind == SettlementKind::Capital {
        let kind = match tables.capital_loss.conquered_becomes {
            Conquered::HarbourOrInland if coastal => SettlementKind::HarbourTown,
            Conquered::HarbourOrInland | Conquered::Inland => SettlementKind::InlandTown,
            Conquered::SmallTown => SettlementKind::SmallTown,
        };
        town.kind = kind;
        // It keeps the points of a capital.
        town.grown = town.grown.saturating_add(extra_points(tables, kind));
        town.capital_of = from;
        lose_capital(turn, month, place, from, to);
    }
    if to.is_played() {
        mines::dive(turn, month, field, to);
    }
}

/// Points that a capital has more than another town.
fn extra_points(tables: &Tables, kind: SettlementKind) -> i64 {
    let points = |kind: SettlementKind| tables.settlement[kind].population;
    (points(SettlementKind::Capital) - points(kind)).max(0)
}

/// The conqueror takes part of the treasury, and the people are restless, unless the game master waives it.
fn lose_capital(turn: &mut MonthTurn<'_>, month: &mut Month, place: Place, from: RealmId, to: RealmId) {
    let figures = &turn.tables.capital_loss;
    let (share, unrest) = (figures.treasury_share_pct, figures.unrest_pct);
    let default = Ruling::Allow { text: String::new() };
    let answer = turn.ruling(rule::TOWN_02, Some(from), &format!("{from} {place}"), default);
    let waived = matches!(answer, Ruling::Deny { .. });
    let mut taken = 0;
    if !waived && let Some(loser) = turn.state.realms.get_mut(&from) {
        loser.unrest = loser.unrest.saturating_add(unrest);
        if to.is_played() {
            taken = percent(loser.treasury, share, Rounding::Down);
            loser.treasury = loser.treasury.saturating_sub(taken);
        }
    }
    treasury::credit(&mut turn.state, to, taken);
    let rules = &[rule::TOWN_02, rule::GAP_17][..];
    let lost = Affair::CapitalLost { field: place, n: taken };
    let event = month.emit(turn, Cause::Step("annex"), rules, &[], lost.of(from));
    if to.is_played() {
        let won = Affair::CapitalTaken { field: place, n: taken };
        month.emit(turn, Cause::Event(event), rules, &[], won.of(to));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use SettlementKind::{Capital, HarbourTown, InlandTown, LargeSettlement, SmallSettlement, SmallTown};

    #[test]
    fn stages_cost_95_000_for_an_inland_and_110_000_for_a_harbour_town() {
        let tables = Tables::book();
        let cost = |kind, to| next_stage(&tables, kind, to).map(|(_, cost)| cost);
        let base = tables.settlement[SmallSettlement].cost;
        let settled: i64 =
            base + cost(SmallSettlement, None).expect("a stage") + cost(LargeSettlement, None).expect("a stage");
        assert_eq!(settled + cost(SmallTown, None).expect("a stage"), 95_000);
        assert_eq!(settled + cost(SmallTown, Some(HarbourTown)).expect("a stage"), 110_000);
        assert_eq!(cost(InlandTown, Some(HarbourTown)), Some(15_000));
    }

    #[test]
    fn nothing_comes_behind_harbours_and_capitals_and_stages_cannot_be_skipped() {
        let tables = Tables::book();
        for (kind, to) in [
            (SmallSettlement, Some(HarbourTown)),
            (LargeSettlement, Some(InlandTown)),
            (InlandTown, None),
            (InlandTown, Some(InlandTown)),
            (HarbourTown, Some(InlandTown)),
            (Capital, None),
        ] {
            assert_eq!(next_stage(&tables, kind, to), None, "{kind} {to:?}");
        }
        assert_eq!(next_stage(&tables, LargeSettlement, None), Some((SmallTown, 30_000)));
    }
}
