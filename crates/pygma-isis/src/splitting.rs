//! Splitting, merging, converting, disbanding, sizes (PYG-MERG-01, -02, PYG-ARMY-05, -07..09, PYG-GAP-24, PYG-GAP-26, PYG-GAP-27).

use crate::codes::Kind;
use crate::event::travel::Travel;
use crate::intake::{no_such_unit, wrong_name, wrong_unit};
use crate::month::{self, Month, MonthTurn};
use crate::order::Order;
use crate::rule;
use crate::shipping;
use crate::state::{Army, ArmyId, ArmyName};
use kernel::diagnostic::{Diagnostic, Span, Spanned};
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::Cause;

/// Refuses an order and says that nothing was done.
fn refuse(turn: &mut MonthTurn<'_>, realm: RealmId, finding: Diagnostic) -> Option<()> {
    turn.refuse(realm, finding);
    None
}

/// An own army that an order names, or a refusal.
fn own(turn: &mut MonthTurn<'_>, realm: RealmId, unit: Spanned<ArmyName>) -> Option<(ArmyId, Army)> {
    let id = unit.value.of(realm);
    let army = turn.state.armies.get(&id).cloned();
    if army.is_none() {
        turn.refuse(realm, no_such_unit(unit.span, id));
    }
    army.map(|army| (id, army))
}

fn stationary(span: Span, id: ArmyId) -> Diagnostic {
    Diagnostic::error("E_STATIONARY", span, &[rule::GAP_49]).with("unit", id.name.to_string())
}

/// `TEILE`: a part becomes an army of its own, with the same equipment, before movement.
///
/// PYG-MERG-01: at no cost; PYG-MERG-02, PYG-GAP-24: both parts have the minimum; PYG-GAP-27: same kind, same field.
pub fn split(turn: &mut MonthTurn<'_>, month: &mut Month) {
    for (realm, order) in month::orders(turn) {
        if let Order::Split { unit, new, count } = &order.value {
            split_one(turn, month, realm, order.span, (*unit, *new, *count));
        }
    }
}

type Part = (Spanned<ArmyName>, Spanned<ArmyName>, Spanned<i64>);

fn split_one(turn: &mut MonthTurn<'_>, month: &mut Month, realm: RealmId, line: Span, part: Part) -> Option<()> {
    let (unit, new, count) = part;
    let (id, army) = own(turn, realm, unit)?;
    let born = new.value.of(realm);
    if turn.state.armies.contains_key(&born) || born.kind() != id.kind() || id.kind() == Kind::Trader {
        let finding = wrong_name(&turn.state, new.span, born, &[rule::GAP_27, rule::GAP_67]);
        return refuse(turn, realm, finding);
    }
    if army.stationed {
        return refuse(turn, realm, stationary(unit.span, id));
    }
    let min = turn.tables.army[id.kind()].min;
    let rest = army.count - count.value;
    if count.value < min || rest < min {
        let finding = Diagnostic::error("E_MIN", count.span, &[rule::MERG_02, rule::ARMY_07, rule::GAP_24]);
        return refuse(turn, realm, finding.with("n", count.value.min(rest)).with("min", min));
    }
    let needed = shipping::needed_ships(turn.tables, &turn.state, id, None);
    if id.kind() == Kind::Fleet && needed > rest {
        let finding = Diagnostic::error("E_CAPACITY", count.span, &[rule::SHIP_04, rule::GAP_27]);
        return refuse(turn, realm, finding.with("n", needed).with("max", rest));
    }
    let part = Army {
        count: count.value,
        ..army
    };
    if let Some(army) = turn.state.armies.get_mut(&id) {
        army.count = rest;
    }
    month.add(&mut turn.state, born, part);
    let what = Travel::Split {
        army: id,
        new: new.value,
        count: count.value,
        rest,
    };
    let rules = &[rule::MERG_01, rule::MERG_02, rule::ARMY_07, rule::GAP_27][..];
    month.emit(turn, Cause::Order(realm, line), rules, &[], what);
    Some(())
}

/// `VEREINE ... VORHER`.
pub fn merge_before(turn: &mut MonthTurn<'_>, month: &mut Month) {
    merge_all(turn, month, true);
}

/// `VEREINE`.
pub fn merge(turn: &mut MonthTurn<'_>, month: &mut Month) {
    merge_all(turn, month, false);
}

fn merge_all(turn: &mut MonthTurn<'_>, month: &mut Month, early: bool) {
    for (realm, order) in month::orders(turn) {
        if let Order::Merge { unit, into, before } = &order.value
            && *before == early
        {
            merge_one(turn, month, realm, order.span, *unit, *into);
        }
    }
}

/// The first joins the second, which keeps its number and order.
///
/// PYG-MERG-01, PYG-GAP-27: same kind, same field, the lower equipment, stationary only with stationary. PYG-GAP-24, PYG-ARMY-09:
/// what exceeds the maximum dissolves, with a warning.
fn merge_one(
    turn: &mut MonthTurn<'_>,
    month: &mut Month,
    realm: RealmId,
    line: Span,
    unit: Spanned<ArmyName>,
    into: Spanned<ArmyName>,
) -> Option<()> {
    // Who fell on the way, or was stopped, joins nobody: that is told, and no mistake of the order (catalogue 5.3).
    let armies = [unit, into].map(|army| army.value.of(realm));
    if armies.iter().any(|army| month.has_fallen(&turn.state, *army)) {
        return None;
    }
    let (id, army) = own(turn, realm, unit)?;
    let (target, other) = own(turn, realm, into)?;
    if id == target || id.kind() != target.kind() || id.kind() == Kind::Trader {
        let finding = wrong_unit(&turn.state, into.span, target, &[rule::GAP_27]);
        return refuse(turn, realm, finding);
    }
    if army.field != other.field || army.aboard != other.aboard {
        if armies.iter().any(|army| month.was_stopped(*army)) {
            return None;
        }
        let place = turn.state.place(other.field).to_string();
        let finding = Diagnostic::error("E_PLACE", unit.span, &[rule::GAP_27]).with_word("fit", "fit-together");
        return refuse(turn, realm, finding.with("field", place));
    }
    if army.stationed != other.stationed {
        let wrong = if army.stationed { (unit, id) } else { (into, target) };
        return refuse(turn, realm, stationary(wrong.0.span, wrong.1));
    }
    let max = turn.tables.army[id.kind()].max;
    let sum = army.count + other.count;
    if sum > max {
        let finding = Diagnostic::warning("W_MAX", unit.span, &[rule::ARMY_09, rule::MERG_02, rule::GAP_24]);
        turn.refuse(realm, finding.with("n", sum).with("max", max));
    }
    let cargo: Vec<ArmyId> = turn.state.cargo(id).map(|(id, _)| id).collect();
    for aboard in cargo {
        if let Some(army) = turn.state.armies.get_mut(&aboard) {
            army.aboard = Some(target.name);
        }
    }
    month.remove(&mut turn.state, id);
    month.plan_mut(id).began = None;
    if let Some(merged) = turn.state.armies.get_mut(&target) {
        merged.count = sum.min(max);
        let (equipment, used) = lower_equipment(&army, &other);
        merged.equipment = equipment;
        merged.equipment_used = used;
        merged.raised = army.raised.max(other.raised);
    }
    let what = Travel::Merged {
        army: id,
        into: target.name,
        count: sum.min(max),
        dissolved: (sum - max).max(0),
    };
    let rules: &'static [RuleId] = if sum > max {
        &[rule::MERG_01, rule::MERG_02, rule::GAP_24, rule::GAP_27, rule::ARMY_09]
    } else {
        &[rule::MERG_01, rule::MERG_02, rule::GAP_27]
    };
    month.emit(turn, Cause::Order(realm, line), rules, &[], what);
    Some(())
}

/// PYG-GAP-27: the lower level of the two; it has been used if either was.
fn lower_equipment(one: &Army, other: &Army) -> (Option<crate::codes::Equipment>, bool) {
    let equipment = one.equipment.min(other.equipment);
    let used = equipment.is_some() && (one.equipment_used || other.equipment_used);
    (equipment, used)
}

/// `UMFORMEN`: a fleet becomes warriors ashore.
///
/// PYG-ARMY-05, PYG-GAP-26: the whole fleet, empty, as its only action of the month; 100 warriors from a ship.
pub fn convert(turn: &mut MonthTurn<'_>, month: &mut Month) {
    for (realm, order) in month::orders(turn) {
        if let Order::Convert { fleet, new, to } = &order.value {
            convert_one(turn, month, realm, order.span, *fleet, *new, *to);
        }
    }
}

fn convert_one(
    turn: &mut MonthTurn<'_>,
    month: &mut Month,
    realm: RealmId,
    line: Span,
    fleet: Spanned<ArmyName>,
    new: Spanned<ArmyName>,
    to: Spanned<crate::chart::Place>,
) -> Option<()> {
    const RULES: &[RuleId] = &[rule::ARMY_05, rule::GAP_26];
    let (id, ships) = own(turn, realm, fleet)?;
    let born = new.value.of(realm);
    if turn.state.armies.contains_key(&born) {
        let finding = wrong_name(&turn.state, new.span, born, &[rule::GAP_67]);
        return refuse(turn, realm, finding);
    }
    if ships.stationed {
        return refuse(turn, realm, stationary(fleet.span, id));
    }
    if ships.raised >= month.step {
        let finding = Diagnostic::error("E_MONTH", fleet.span, &[rule::GAP_25, rule::GAP_26]);
        return refuse(turn, realm, finding.with_word("when", "when-next-month"));
    }
    let has_orders = |plan: &month::Plan| plan.route.len() > 1;
    let boards = |plan: &month::Plan| plan.embark == Some(fleet.value);
    let is_busy = month.plan(id).is_some_and(has_orders)
        || month.plans().any(|(other, plan)| other.realm == realm && boards(plan));
    if is_busy {
        let finding = Diagnostic::error("E_FLEET_MOVES", fleet.span, RULES);
        return refuse(turn, realm, finding.with("fleet", fleet.value.to_string()));
    }
    let needed = shipping::needed_ships(turn.tables, &turn.state, id, None);
    if needed > 0 {
        let finding = Diagnostic::error("E_CAPACITY", fleet.span, RULES);
        return refuse(turn, realm, finding.with("n", needed).with("max", 0_i64));
    }
    let field = landing_place(turn, realm, ships.field, to)?;
    let count = ships.count.saturating_mul(turn.tables.armies.ship_to_warriors);
    let (min, max) = (
        turn.tables.army[Kind::Warriors].min,
        turn.tables.army[Kind::Warriors].max,
    );
    if count < min {
        let finding = Diagnostic::error("E_MIN", fleet.span, &[rule::ARMY_07, rule::GAP_26]);
        return refuse(turn, realm, finding.with("n", count).with("min", min));
    }
    if count > max {
        let finding = Diagnostic::error("E_MAX", fleet.span, &[rule::ARMY_07, rule::GAP_26]);
        return refuse(turn, realm, finding.with("n", count).with("max", max));
    }
    month.remove(&mut turn.state, id);
    *month.plan_mut(id) = month::Plan::default();
    month.add(&mut turn.state, born, Army::new(count, field));
    // It comes ashore in the first tick, and moves no further this month.
    let plan = month.plan_mut(born);
    plan.bound = true;
    plan.came_from = Some(ships.field);
    plan.entered_in = 1;
    let what = Travel::Converted {
        fleet: id,
        new: new.value,
        count,
        field,
    };
    month.emit(turn, Cause::Order(realm, line), RULES, &[], what);
    Some(())
}

/// A field beside the fleet on which armies may land (PYG-SHIP-01).
fn landing_place(
    turn: &mut MonthTurn<'_>,
    realm: RealmId,
    from: FieldIndex,
    to: Spanned<crate::chart::Place>,
) -> Option<FieldIndex> {
    let field = turn
        .state
        .field_at(to.value)
        .filter(|field| turn.state.chart.distance(from, *field) == 1);
    let place = to.value.to_string();
    let Some(field) = field else {
        let from = turn.state.place(from).to_string();
        let finding = Diagnostic::error("E_ADJ", to.span, &[rule::MAP_04, rule::GAP_26]);
        turn.refuse(realm, finding.with("from", from).with("to", place));
        return None;
    };
    if turn.tables.is_water(turn.state.field(field).terrain) {
        let finding = Diagnostic::error("E_WATER", to.span, &[rule::MOVE_11, rule::GAP_26]);
        turn.refuse(realm, finding.with("field", place));
        return None;
    }
    if !shipping::may_land(turn.tables, &turn.state, field) {
        let finding = Diagnostic::error("E_COAST", to.span, &[rule::SHIP_01, rule::GAP_26]);
        turn.refuse(realm, finding.with("field", place));
        return None;
    }
    Some(field)
}

/// `AUFLOESEN`: an army is no more; a fleet only if nobody is aboard.
///
/// PYG-GAP-27.
pub fn disband(turn: &mut MonthTurn<'_>, month: &mut Month) {
    for (realm, order) in month::orders(turn) {
        let Order::Disband { unit } = &order.value else {
            continue;
        };
        let Some((id, army)) = own(turn, realm, *unit) else {
            continue;
        };
        let needed = shipping::needed_ships(turn.tables, &turn.state, id, None);
        if needed > 0 {
            let finding = Diagnostic::error("E_CAPACITY", unit.span, &[rule::SHIP_04, rule::GAP_27]);
            turn.refuse(realm, finding.with("n", needed).with("max", 0_i64));
            continue;
        }
        month.remove(&mut turn.state, id);
        *month.plan_mut(id) = month::Plan::default();
        let what = Travel::Disbanded {
            army: id,
            count: army.count,
        };
        month.emit(turn, Cause::Order(realm, order.span), &[rule::GAP_27][..], &[], what);
    }
}

/// Armies that are too small dissolve, those that are too large shrink.
///
/// PYG-ARMY-07, PYG-ARMY-08, PYG-ARMY-09, PYG-GAP-24.
pub fn check_sizes(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let sizes: Vec<(ArmyId, i64)> = turn
        .state
        .armies
        .iter()
        .filter(|(id, _)| id.kind() != Kind::Trader)
        .map(|(id, army)| (*id, army.count))
        .collect();
    for (id, count) in sizes {
        let figures = &turn.tables.army[id.kind()];
        let (min, max) = (figures.min, figures.max);
        if count < min {
            crate::battle::lose(turn, month, id, count);
            let rules = &[rule::ARMY_07, rule::ARMY_08, rule::GAP_24][..];
            month.emit(
                turn,
                Cause::Step("size"),
                rules,
                &[],
                Travel::Dissolved { army: id, count, min },
            );
        } else if count > max {
            if let Some(army) = turn.state.armies.get_mut(&id) {
                army.count = max;
            }
            let rules = &[rule::ARMY_07, rule::ARMY_09, rule::GAP_24][..];
            month.emit(
                turn,
                Cause::Step("size"),
                rules,
                &[],
                Travel::Shrunk { army: id, count, max },
            );
        }
    }
}
