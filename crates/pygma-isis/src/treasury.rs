//! Pay, reserve, administration (PYG-COST-01..03, PYG-ADM-01, -02, PYG-GAP-08, PYG-GAP-09, PYG-GAP-50). Part B.

use crate::battle;
use crate::codes::Kind;
use crate::event::economy::Affair;
use crate::intake;
use crate::month::{self, Month, MonthTurn};
use crate::order::Order;
use crate::rule;
use crate::state::{Army, ArmyId, ArmyName, State};
use crate::stationing;
use crate::tables::Tables;
use crate::tables::policy::Expense;
use kernel::diagnostic::{Diagnostic, Span, Spanned};
use kernel::ratio::{Rounding, percent};
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::Cause;
use std::collections::BTreeSet;

/// The parts of an arming month in the order of the world.
///
/// PYG-GAP-09. Where plague is rolled before the arming (PYG-GAP-20), hygiene cannot come behind it.
pub fn expenses(tables: &Tables) -> Vec<Expense> {
    let mut order = tables.money.payment_order.clone();
    let place = |order: &[Expense], expense| order.iter().position(|other| *other == expense).unwrap_or(0);
    let (arming, hygiene) = (place(&order, Expense::Arming), place(&order, Expense::Hygiene));
    if !tables.plague.roll_after_arming && hygiene > arming {
        let hygiene = order.remove(hygiene);
        order.insert(arming, hygiene);
    }
    order
}

/// Sets aside pay, the hygiene that was ordered, and administration, before anything optional is bought.
///
/// PYG-GAP-09. Hygiene comes before administration, so it is set aside if pay leaves enough for it; otherwise [`crate::hygiene`] refuses it.
pub fn reserve(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let realms: Vec<RealmId> = turn.state.playing().collect();
    for realm in realms {
        let purse = purse(&turn.state, realm);
        let open = |expense: Expense, gold: i64| if month.paid.contains(&expense) { 0 } else { gold };
        let pay = open(Expense::Pay, payroll_due(turn, month, realm)).min(purse);
        let hygiene = open(Expense::Hygiene, crate::hygiene::wanted(turn, realm));
        let hygiene = if hygiene <= purse - pay { hygiene } else { 0 };
        let administration = administration_cost(turn.tables, mobile_after(turn, month, realm));
        let administration = open(Expense::Administration, administration);
        let reserved = pay.saturating_add(hygiene).saturating_add(administration);
        month.reserved.insert(realm, reserved);
    }
}

/// A part of the arming month has been paid: nothing is set aside for it any more.
pub fn close(turn: &mut MonthTurn<'_>, month: &mut Month, expense: Expense) {
    month.paid.insert(expense);
    reserve(turn, month);
}

/// Whether pay is due to an army: to all but traders and those raised this month (PYG-COST-03).
fn is_due(month: &Month, id: ArmyId, army: &Army) -> bool {
    id.kind() != Kind::Trader && army.raised != month.step
}

/// The pay that is due to a realm's armies this month.
fn payroll_due(turn: &MonthTurn<'_>, month: &Month, realm: RealmId) -> i64 {
    if is_unpaid_for_absence(turn, realm) {
        return 0;
    }
    let own = turn
        .state
        .armies_of(realm)
        .filter(|(id, army)| is_due(month, *id, army));
    own.map(|(id, army)| pay_of(turn.tables, id, army)).sum()
}

/// In some worlds nobody pays the armies of a player who sent no sheet (PYG-GAP-68).
fn is_unpaid_for_absence(turn: &MonthTurn<'_>, realm: RealmId) -> bool {
    !turn.tables.absence.pays && !turn.input.orders.contains_key(&realm)
}

/// Pays all armies, or those that the treasury can pay.
///
/// PYG-COST-01, -03: ten percent of the arming cost by current strength. PYG-GAP-09: in the ruler's order, whole armies only; each
/// unpaid army loses half.
pub fn pay(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let realms: Vec<RealmId> = turn.state.playing().collect();
    for realm in realms {
        let (order, cause) = pay_order(turn, month, realm);
        let tables = turn.tables;
        let withheld = is_unpaid_for_absence(turn, realm);
        let mut left = purse(&turn.state, realm);
        let (mut armies, mut paid) = (0, 0);
        let mut unpaid: Vec<ArmyId> = Vec::new();
        for id in order {
            let due = turn.state.armies.get(&id).map_or(0, |army| pay_of(tables, id, army));
            if due <= left && !withheld {
                left -= due;
                paid += due;
                armies += 1;
            } else {
                unpaid.push(id);
            }
        }
        set_purse(&mut turn.state, realm, left);
        if armies > 0 {
            let what = Affair::ArmiesPaid { armies, n: paid };
            let mut rules = vec![rule::COST_01, rule::COST_03, rule::TIME_03, rule::GAP_09];
            let is_stationary = |id: ArmyId, army: &Army| army.stationed || month.released.contains(&id);
            if turn.state.armies_of(realm).any(|(id, army)| is_stationary(id, army)) {
                rules.push(rule::STAT_04);
            }
            month.emit(turn, cause, rules, &[], what.of(realm));
        }
        for id in unpaid {
            leave_unpaid(turn, month, id, withheld);
        }
    }
    close(turn, month, Expense::Pay);
}

fn leave_unpaid(turn: &mut MonthTurn<'_>, month: &mut Month, id: ArmyId, absent: bool) {
    let before = turn.state.armies.get(&id).map_or(0, |army| army.count);
    let left = battle::desert(turn, month, id, turn.tables.armies.unpaid_loss_pct, 100);
    let what = Affair::ArmyUnpaid {
        army: id.name,
        lost: before - left,
        left,
    };
    let mut rules = vec![rule::COST_03, rule::GAP_09];
    if absent {
        rules.push(rule::GAP_68);
    }
    if left == 0 {
        rules.extend([rule::ARMY_08, rule::GAP_24]);
    }
    month.emit(turn, Cause::Step("pay"), rules, &[], what.of(id.realm));
}

/// Who is paid in which order: those of `SOLD` first, then KH, RH, FH by number. The last `SOLD` counts (PYG-GAP-67).
fn pay_order(turn: &mut MonthTurn<'_>, month: &Month, realm: RealmId) -> (Vec<ArmyId>, Cause) {
    let mut cause = Cause::Step("pay");
    let mut named: &[Spanned<ArmyName>] = &[];
    let orders = month::orders(turn);
    let mut lines = orders.iter().filter_map(|(own, order)| match &order.value {
        Order::Pay { units } if *own == realm => Some((order.span, units)),
        _ => None,
    });
    if let Some((span, units)) = lines.next_back() {
        cause = Cause::Order(realm, span);
        named = units;
    }
    let replaced: Vec<Span> = lines.map(|(span, _)| span).collect();
    warn_replaced(turn, realm, &replaced, "SOLD");
    let mut order: Vec<ArmyId> = Vec::new();
    let mut first: BTreeSet<ArmyId> = BTreeSet::new();
    for unit in named {
        let id = unit.value.of(realm);
        if !turn.state.armies.contains_key(&id) || id.kind() == Kind::Trader {
            let finding = intake::wrong_unit(&turn.state, unit.span, id, &[rule::GAP_67, rule::GAP_09]);
            turn.refuse(realm, finding);
        } else if first.insert(id) {
            order.push(id);
        }
    }
    let own = || turn.state.armies_of(realm);
    order.extend(own().map(|(id, _)| id).filter(|id| !first.contains(id)));
    let due: BTreeSet<ArmyId> = own()
        .filter(|(id, army)| is_due(month, *id, army))
        .map(|(id, _)| id)
        .collect();
    order.retain(|id| due.contains(id));
    (order, cause)
}

/// Warns of lines that a later line for the same purpose replaces (PYG-GAP-67).
pub fn warn_replaced(turn: &mut MonthTurn<'_>, realm: RealmId, lines: &[Span], what: &str) {
    for span in lines {
        let finding = Diagnostic::warning("W_REPLACED", *span, &[rule::GAP_67]);
        turn.refuse(realm, finding.with("unit", what));
    }
}

/// Administration cost of the mobile armies, after the arming.
///
/// PYG-ADM-01, -02, PYG-GAP-50. PYG-GAP-09: whoever cannot pay it loses what is left, and land armies from the highest number
/// down until the rest could be paid.
pub fn administer(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let realms: Vec<RealmId> = turn.state.playing().collect();
    for realm in realms {
        let tables = turn.tables;
        let treasury = purse(&turn.state, realm);
        let mut armies = mobile(&turn.state, realm);
        // Where administration comes before the arming, armies that will be stationary are not so yet.
        armies.retain(|id| {
            let army = turn.state.armies.get(id);
            !army.is_some_and(|army| will_be_stationary(turn, month, *id, army))
        });
        let cost = administration_cost(tables, count(&armies));
        let paid = cost.min(treasury);
        set_purse(&mut turn.state, realm, treasury - paid);
        let what = Affair::Administered {
            armies: count(&armies),
            n: paid,
        };
        let rules = &[rule::ADM_01, rule::ADM_02, rule::GAP_50, rule::TIME_03][..];
        let event = month.emit(turn, Cause::Step("administer"), rules, &[], what.of(realm));
        while administration_cost(tables, count(&armies)) > treasury {
            let Some(last) = highest_land_army(&armies) else { break };
            armies.retain(|id| *id != last);
            month.remove(&mut turn.state, last);
            let what = Affair::ArmyDisbanded { army: last.name };
            let rules = &[rule::ADM_01, rule::GAP_09][..];
            month.emit(turn, Cause::Event(event), rules, &[], what.of(realm));
        }
    }
    close(turn, month, Expense::Administration);
}

fn count(armies: &[ArmyId]) -> i64 {
    i64::try_from(armies.len()).unwrap_or(i64::MAX)
}

/// The land army with the highest number; riders before warriors of the same number.
fn highest_land_army(armies: &[ArmyId]) -> Option<ArmyId> {
    let land = armies.iter().copied().filter(|id| id.kind().is_land_army());
    land.max_by_key(|id| (id.name.number, id.kind()))
}

/// The armies that count for administration: KH, RH and FH that are not stationary, embarked ones too (PYG-ADM-02, PYG-GAP-50).
pub fn mobile(state: &State, realm: RealmId) -> Vec<ArmyId> {
    let own = state.armies_of(realm);
    own.filter(|(id, army)| id.kind() != Kind::Trader && !army.stationed)
        .map(|(id, _)| id)
        .collect()
}

/// How many armies will be mobile behind the arming: stationing ends with the arming month, and begins for those declared now.
fn mobile_after(turn: &MonthTurn<'_>, month: &Month, realm: RealmId) -> i64 {
    let own = turn.state.armies_of(realm);
    let counted = own.filter(|(id, army)| id.kind() != Kind::Trader && !will_be_stationary(turn, month, *id, army));
    i64::try_from(counted.count()).unwrap_or(i64::MAX)
}

/// Whether an army is declared stationary this month, and stands where it can be (PYG-STAT-01, PYG-GAP-49).
fn will_be_stationary(turn: &MonthTurn<'_>, month: &Month, id: ArmyId, army: &Army) -> bool {
    month.declared.contains(&id) && stationing::may_be_stationed(turn.tables, &turn.state, id, army)
}

/// What one more army adds to the administration cost that is set aside; nothing if it will be stationary.
pub fn administration_of_one_more(turn: &MonthTurn<'_>, month: &Month, id: ArmyId, army: &Army) -> i64 {
    if will_be_stationary(turn, month, id, army) {
        return 0;
    }
    let now = mobile_after(turn, month, id.realm);
    administration_cost(turn.tables, now + 1) - administration_cost(turn.tables, now)
}

/// GS for so many mobile armies (PYG-ADM-01).
pub fn administration_cost(tables: &Tables, armies: i64) -> i64 {
    let mut bands = tables.administration.bands.iter();
    let band = bands.find(|(most, _)| armies <= *most);
    band.or(tables.administration.bands.last()).map_or(0, |(_, cost)| *cost)
}

/// GS that an army is paid: a share of its arming cost (PYG-COST-03).
pub fn pay_of(tables: &Tables, id: ArmyId, army: &Army) -> i64 {
    pay_for(tables, id.kind(), army.count)
}

/// GS that so many heads of a kind are paid.
pub fn pay_for(tables: &Tables, kind: Kind, heads: i64) -> i64 {
    let cost = heads.saturating_mul(tables.army[kind].arming_cost);
    percent(cost, tables.armies.pay_pct, Rounding::Down)
}

/// The pay of all armies of a realm.
pub fn payroll(tables: &Tables, state: &State, realm: RealmId) -> i64 {
    let own = state.armies_of(realm);
    own.map(|(id, army)| pay_of(tables, id, army)).sum()
}

/// A realm's gold.
pub fn purse(state: &State, realm: RealmId) -> i64 {
    state.realms.get(&realm).map_or(0, |own| own.treasury)
}

fn set_purse(state: &mut State, realm: RealmId, gold: i64) {
    if let Some(own) = state.realms.get_mut(&realm) {
        own.treasury = gold;
    }
}

/// Gives a realm gold.
pub fn credit(state: &mut State, realm: RealmId, gold: i64) {
    let now = purse(state, realm).saturating_add(gold);
    set_purse(state, realm, now);
}

/// What something optional costs, and the rules that say so.
#[derive(Clone, Copy, Debug)]
pub struct Price<'a> {
    /// GS.
    pub gold: i64,
    /// Named when it cannot be paid.
    pub rules: &'a [RuleId],
}

impl<'a> Price<'a> {
    /// So many GS by these rules.
    pub const fn new(gold: i64, rules: &'a [RuleId]) -> Self {
        Self { gold, rules }
    }
}

/// What a realm may spend on anything optional: its treasury less what is set aside for pay, hygiene and administration.
///
/// PYG-GAP-09.
pub fn free(turn: &MonthTurn<'_>, month: &Month, realm: RealmId) -> i64 {
    let reserved = month.reserved.get(&realm).copied().unwrap_or(0);
    purse(&turn.state, realm).saturating_sub(reserved).max(0)
}

/// Whether an optional expense can be paid; otherwise the order that stands at `span` is refused.
///
/// PYG-GAP-09: what would breach the reserve is refused.
pub fn affords(turn: &mut MonthTurn<'_>, month: &Month, realm: RealmId, span: Span, price: Price<'_>) -> bool {
    let (free, cost) = (free(turn, month, realm), price.gold);
    if cost > free {
        let rules = [&[rule::GAP_09][..], price.rules].concat();
        let finding = Diagnostic::error("E_GOLD", span, &rules);
        turn.refuse(realm, finding.with("n", cost).with("max", free));
    }
    cost <= free
}

/// Pays an optional expense, or refuses the order that stands at `span`. Whether it was paid.
pub fn spend(turn: &mut MonthTurn<'_>, month: &Month, realm: RealmId, span: Span, price: Price<'_>) -> bool {
    let affordable = affords(turn, month, realm, span, price);
    if affordable {
        let left = purse(&turn.state, realm).saturating_sub(price.gold);
        set_purse(&mut turn.state, realm, left);
    }
    affordable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn administration_grows_with_the_eleventh_sixteenth_and_twenty_first_army() {
        let tables = Tables::book();
        let costs = [0, 10, 11, 15, 16, 20, 21, 1000].map(|armies| administration_cost(&tables, armies));
        assert_eq!(costs, [0, 0, 50_000, 50_000, 150_000, 150_000, 300_000, 300_000]);
    }

    #[test]
    fn pay_is_a_tenth_of_the_arming_cost() {
        let tables = Tables::book();
        assert_eq!(pay_for(&tables, Kind::Warriors, 1), 1);
        assert_eq!(pay_for(&tables, Kind::Riders, 1), 3);
        assert_eq!(pay_for(&tables, Kind::Fleet, 1), 100);
        assert_eq!(pay_for(&tables, Kind::Trader, 5), 0);
    }

    #[test]
    fn the_highest_number_goes_first_and_fleets_never() {
        let army = |kind, number| ArmyName::new(kind, number).of(RealmId(1));
        let armies = [army(Kind::Warriors, 7), army(Kind::Riders, 7), army(Kind::Fleet, 9)];
        assert_eq!(highest_land_army(&armies), Some(army(Kind::Riders, 7)));
        assert_eq!(highest_land_army(&armies[2..]), None);
    }
}
