//! Raising armies (PYG-ARM-01..06, PYG-COST-01, -02, PYG-PLAG-01, PYG-GAP-25). Part B.

use crate::chart::Place;
use crate::codes::Kind;
use crate::event::economy::Affair;
use crate::intake;
use crate::month::{self, Month, MonthTurn};
use crate::order::Order;
use crate::rule;
use crate::settlements::wrong_place;
use crate::shipping;
use crate::state::{Army, ArmyId, ArmyName, State};
use crate::tables::Tables;
use crate::tables::policy::Expense;
use crate::treasury::{self, Price};
use kernel::diagnostic::{Diagnostic, Span, Spanned};
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::Cause;
use std::collections::BTreeMap;

/// A line `RUESTE`.
struct Muster<'a> {
    realm: RealmId,
    line: Span,
    unit: &'a Spanned<ArmyName>,
    count: &'a Spanned<i64>,
    town: &'a Spanned<Place>,
    harbour: Option<&'a Spanned<Place>>,
    aboard: Option<&'a Spanned<ArmyName>>,
}

impl<'a> Muster<'a> {
    fn read(realm: RealmId, order: &'a Spanned<Order>) -> Option<Self> {
        match &order.value {
            Order::Raise {
                unit,
                count,
                town,
                harbour,
                aboard,
            } => Some(Self {
                realm,
                line: order.span,
                unit,
                count,
                town,
                harbour: harbour.as_ref(),
                aboard: aboard.as_ref(),
            }),
            _ => None,
        }
    }
}

/// `RUESTE`, in the order written; an army whose fleet stands further below waits for it.
///
/// PYG-ARM-01..06, PYG-COST-01, -02, PYG-GAP-25.
pub fn raise(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let orders = month::orders(turn);
    let musters = orders.iter().filter_map(|(realm, order)| Muster::read(*realm, order));
    let mut armed: BTreeMap<FieldIndex, i64> = BTreeMap::new();
    let mut waiting: Vec<Muster<'_>> = Vec::new();
    for muster in musters {
        let fleet = muster.aboard.map(|fleet| fleet.value.of(muster.realm));
        if fleet.is_some_and(|fleet| !turn.state.armies.contains_key(&fleet)) {
            waiting.push(muster);
        } else {
            raise_one(turn, month, &mut armed, &muster);
        }
    }
    for muster in &waiting {
        raise_one(turn, month, &mut armed, muster);
    }
}

fn raise_one(turn: &mut MonthTurn<'_>, month: &mut Month, armed: &mut BTreeMap<FieldIndex, i64>, muster: &Muster<'_>) {
    if let Err(Refusal::Tell(finding)) = muster_army(turn, month, armed, muster) {
        turn.refuse(muster.realm, *finding);
    }
}

/// Why an army is not raised.
enum Refusal {
    /// The player has been told already.
    Told,
    /// Tell him this.
    Tell(Box<Diagnostic>),
}

impl From<Diagnostic> for Refusal {
    fn from(finding: Diagnostic) -> Self {
        Self::Tell(Box::new(finding))
    }
}

fn muster_army(
    turn: &mut MonthTurn<'_>,
    month: &mut Month,
    armed: &mut BTreeMap<FieldIndex, i64>,
    muster: &Muster<'_>,
) -> Result<(), Refusal> {
    let id = muster.unit.value.of(muster.realm);
    if turn.state.armies.contains_key(&id) {
        return Err(intake::wrong_name(&turn.state, muster.unit.span, id, &[rule::GAP_67]).into());
    }
    let town = arming_place(turn, muster)?;
    check_size(turn.tables, id.kind(), muster.count)?;
    let (field, fleet) = appears_on(turn, muster, town)?;
    let figures = &turn.tables.army[id.kind()];
    let cost = muster.count.value.saturating_mul(figures.arming_cost);
    let spent = armed.get(&town).copied().unwrap_or(0).saturating_add(cost);
    let kind = turn.state.field(town).town(turn.tables).map(|town| town.kind);
    let max = kind
        .and_then(|kind| turn.tables.settlement[kind].arming_limit)
        .unwrap_or(0);
    if spent > max {
        let finding = Diagnostic::error("E_LIMIT", muster.count.span, &[rule::ARM_06, rule::GAP_25]);
        return Err(finding.with("n", spent).with("max", max).into());
    }
    let mut army = Army::new(muster.count.value, field);
    army.aboard = fleet;
    army.raised = month.step;
    // One more army may cost more administration, which is set aside with it (PYG-GAP-09).
    let is_open = turn.tables.is_arming(month.step) && !month.paid.contains(&Expense::Administration);
    let administration = if is_open {
        treasury::administration_of_one_more(turn, month, id, &army)
    } else {
        0
    };
    let price = |gold: i64| Price::new(gold, &[rule::COST_02]);
    let whole = price(cost.saturating_add(administration));
    if !treasury::affords(turn, month, muster.realm, muster.line, whole)
        || !treasury::spend(turn, month, muster.realm, muster.line, price(cost))
    {
        return Err(Refusal::Told);
    }
    *month.reserved.entry(muster.realm).or_default() += administration;
    armed.insert(town, spent);
    // PYG-GAP-25: it defends at once but moves from next month on, since it was raised in this one.
    month.add(&mut turn.state, id, army);
    announce(turn, month, muster, id, field, cost);
    Ok(())
}

fn announce(turn: &mut MonthTurn<'_>, month: &Month, muster: &Muster<'_>, id: ArmyId, field: FieldIndex, cost: i64) {
    const COMMON: [RuleId; 11] = [
        rule::ARM_01,
        rule::ARM_02,
        rule::ARM_05,
        rule::ARM_06,
        rule::COST_01,
        rule::COST_02,
        rule::TOWN_09,
        rule::ARMY_02,
        rule::ARMY_07,
        rule::GAP_24,
        rule::GAP_25,
    ];
    let mut rules = COMMON.to_vec();
    rules.push(if id.kind() == Kind::Fleet {
        rule::ARM_04
    } else {
        rule::ARM_03
    });
    let what = Affair::ArmyRaised {
        army: id.name,
        count: muster.count.value,
        field: turn.state.place(field),
        n: cost,
    };
    let cause = Cause::Order(muster.realm, muster.line);
    month.emit(turn, cause, rules, &[], what.of(muster.realm));
}

/// An own town without plague.
///
/// PYG-ARM-02, -05, PYG-GAP-10, PYG-PLAG-01.
fn arming_place(turn: &mut MonthTurn<'_>, muster: &Muster<'_>) -> Result<FieldIndex, Refusal> {
    let state = &turn.state;
    let field = state
        .field_at(muster.town.value)
        .filter(|field| state.field(*field).owner == muster.realm);
    let Some((field, town)) = field.and_then(|field| Some((field, state.field(field).town(turn.tables)?))) else {
        let rules = [rule::ARM_02, rule::ARM_05, rule::GAP_10];
        wrong_place(turn, muster.realm, muster.town, "fit-town", &rules);
        return Err(Refusal::Told);
    };
    if town.plague > 0 {
        let finding = Diagnostic::error("E_PLAGUE", muster.town.span, &[rule::PLAG_01, rule::GAP_20]);
        return Err(finding.with("field", muster.town.value.to_string()).into());
    }
    Ok(field)
}

/// PYG-ARMY-07, PYG-GAP-24.
fn check_size(tables: &Tables, kind: Kind, count: &Spanned<i64>) -> Result<(), Refusal> {
    let figures = &tables.army[kind];
    let rules = [rule::ARMY_07, rule::GAP_24];
    if count.value < figures.min {
        let finding = Diagnostic::error("E_MIN", count.span, &rules);
        return Err(finding.with("n", count.value).with("min", figures.min).into());
    }
    if count.value > figures.max {
        let finding = Diagnostic::error("E_MAX", count.span, &rules);
        return Err(finding.with("n", count.value).with("max", figures.max).into());
    }
    Ok(())
}

/// Where the army appears: land armies in the town or on a fleet in its harbour, fleets on the water beside a harbour.
///
/// PYG-ARM-03, -04, PYG-GAP-15.
fn appears_on(
    turn: &mut MonthTurn<'_>,
    muster: &Muster<'_>,
    town: FieldIndex,
) -> Result<(FieldIndex, Option<ArmyName>), Refusal> {
    let (tables, state) = (turn.tables, &turn.state);
    let is_fleet = muster.unit.value.kind == Kind::Fleet;
    if !is_fleet && muster.aboard.is_none() && muster.harbour.is_none() {
        return Ok((town, None));
    }
    let wrong = |place: &Spanned<Place>, rules: &[RuleId]| {
        let finding = Diagnostic::error("E_PLACE", place.span, rules).with_word("fit", "fit-harbour");
        Refusal::from(finding.with("field", place.value.to_string()))
    };
    if !state.is_harbour(tables, town) {
        return Err(wrong(muster.town, &[rule::ARM_04, rule::TOWN_03, rule::GAP_15]));
    }
    let harbours: Vec<FieldIndex> = harbour_waters(tables, state, town);
    if let Some(fleet) = muster.aboard.filter(|_| !is_fleet) {
        let id = fleet.value.of(muster.realm);
        let carrier = state
            .armies
            .get(&id)
            .filter(|carrier| harbours.contains(&carrier.field));
        let Some(carrier) = carrier else {
            return Err(intake::wrong_unit(state, fleet.span, id, &[rule::ARM_03]).into());
        };
        let cargo = state.cargo(id).map(|(id, army)| (id.kind(), army.count));
        let coming = (muster.unit.value.kind, muster.count.value);
        let ships = shipping::ships_for(tables, cargo.chain([coming]));
        if ships > carrier.count {
            let finding = Diagnostic::error("E_CAPACITY", fleet.span, &[rule::ARM_03, rule::SHIP_04, rule::GAP_30]);
            return Err(finding.with("n", ships).with("max", carrier.count).into());
        }
        return Ok((carrier.field, Some(fleet.value)));
    }
    if !is_fleet {
        // A land army without a fleet cannot appear on water.
        return Err(wrong(muster.harbour.unwrap_or(muster.town), &[rule::ARM_03]));
    }
    let water = match muster.harbour {
        Some(place) => state.field_at(place.value).filter(|field| harbours.contains(field)),
        None => harbours.first().copied().filter(|_| harbours.len() == 1),
    };
    let water = water.ok_or_else(|| wrong(muster.harbour.unwrap_or(muster.town), &[rule::ARM_04]))?;
    Ok((water, None))
}

/// The water fields beside a town, which count as its harbour.
fn harbour_waters(tables: &Tables, state: &State, town: FieldIndex) -> Vec<FieldIndex> {
    let around = state.chart.neighbours(town).map(|(_, field)| field);
    around
        .filter(|field| tables.is_water(state.field(*field).terrain))
        .collect()
}
