//! What came in: who sent a sheet, and what every army is told (PYG-ORD-01, PYG-SHEET-01..05, PYG-GAP-67, PYG-GAP-68, PYG-GAP-71).
//!
//! Moves become plans here, as they were written; whether they are possible is asked by [`crate::movement::plan`], behind splits and
//! merges, so that an army that was split off this month can be told to march.

use crate::codes::{Kind, Stance};
use crate::event::common::Common;
use crate::event::travel::Travel;
use crate::grammar::Verb;
use crate::month::{self, Month, MonthTurn};
use crate::order::{Item, Move, Order, Strength};
use crate::rule;
use crate::state::{ArmyId, State};
use kernel::diagnostic::{Diagnostic, Span, Spanned};
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::Cause;
use std::collections::{BTreeMap, BTreeSet};

/// Who sent a sheet, and who did not; what every army is told.
pub fn read_orders(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let playing: Vec<RealmId> = turn.state.playing().collect();
    for realm in playing {
        let sent = turn.input.orders.get(&realm).map(|parsed| parsed.orders.len());
        let Some(own) = turn.state.realms.get_mut(&realm) else {
            continue;
        };
        own.missed = if sent.is_some() {
            0
        } else {
            own.missed.saturating_add(1)
        };
        let what = match sent {
            Some(orders) => Common::OrdersRead {
                realm,
                orders: u32::try_from(orders).unwrap_or(u32::MAX),
            },
            None => Common::OrdersMissing {
                realm,
                in_a_row: own.missed,
                warned: own.missed >= turn.tables.absence.warn_after,
            },
        };
        let rules = &[rule::GAME_01, rule::GAME_02, rule::GAP_68][..];
        month.emit(turn, Cause::Step("read-orders"), rules, &[], what);
    }
    refuse_out_of_season(turn);
    tell_armies(turn, month);
}

/// Expenses of an arming month are refused in the others.
///
/// PYG-TIME-03, PYG-TOWN-04, PYG-ARM-01, PYG-GAP-08.
fn refuse_out_of_season(turn: &mut MonthTurn<'_>) {
    for (realm, order) in month::sent(turn) {
        let rules: &[RuleId] = match order.value.verb() {
            verb if turn.tables.is_possible(verb, turn.state.step) => continue,
            Verb::Found | Verb::Upgrade | Verb::Grow | Verb::Fortify => &[rule::TIME_03, rule::TOWN_04, rule::GAP_08],
            Verb::Raise => &[rule::TIME_03, rule::ARM_01, rule::GAP_08],
            _ => &[rule::TIME_03, rule::GAP_08],
        };
        let finding = Diagnostic::error("E_MONTH", order.span, rules);
        turn.refuse(realm, finding.with_word("when", "when-arming"));
    }
}

/// The lines that are about one army.
#[derive(Clone, Copy, Default)]
struct Lines<'a> {
    march: Option<(Span, &'a Move)>,
    stance: Option<(Span, Stance)>,
}

/// Every army gets its basic order and the move that its player wrote.
///
/// PYG-ORD-01: exactly one order a month, none without a line; PYG-GAP-67: of two lines for one purpose the later counts.
fn tell_armies(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let mut lines: BTreeMap<ArmyId, Lines<'_>> = BTreeMap::new();
    let orders = month::orders(turn);
    let coming = made_this_month(&orders);
    for (realm, order) in &orders {
        let unit = match &order.value {
            Order::Move(march) => march.unit,
            Order::Stance { unit, .. } => *unit,
            _ => continue,
        };
        let id = unit.value.of(*realm);
        if !turn.state.armies.contains_key(&id) && !coming.contains(&id) {
            turn.refuse(*realm, no_such_unit(unit.span, id));
            continue;
        }
        if let Order::Move(march) = &order.value {
            warn_trader(turn, id, march);
        }
        let told = lines.entry(id).or_default();
        let is_second = match &order.value {
            Order::Move(march) => {
                let replaces = told.march.replace((order.span, march)).is_some();
                replaces || (own_stance(march).is_some() && told.stance.is_some())
            }
            Order::Stance { stance, .. } => {
                let from_move = told.march.and_then(|(_, march)| own_stance(march));
                told.stance.replace((order.span, *stance)).is_some() || from_move.is_some()
            }
            _ => false,
        };
        if is_second {
            let finding = Diagnostic::warning("W_REPLACED", unit.span, &[rule::GAP_67]);
            turn.refuse(*realm, finding.with("unit", id.name.to_string()));
        }
    }
    for (id, army) in &mut turn.state.armies {
        army.stance = Stance::Nothing;
        // PYG-GAP-68: all units of a player who sent no sheet stand with the order of the world, usually none.
        if !turn.input.orders.contains_key(&id.realm) && id.kind() != Kind::Trader {
            month.plan_mut(*id).stance = turn.tables.absence.order;
        }
    }
    for (id, lines) in lines {
        fill_plan(month, id, lines);
        let Some(plan) = month.plan(id) else { continue };
        let (stance, stands, neutral) = (plan.stance, plan.route.len() == 1, plan.neutral);
        if let Some(line) = plan.line {
            let mut rules = vec![rule::ORD_01, rule::SHEET_03];
            if stands {
                rules.push(rule::SHEET_02);
            }
            if neutral {
                // What it enters stays neutral, since its ruler says so.
                rules.extend([rule::EXP_01, rule::GAP_35]);
            }
            if turn.state.armies.get(&id).is_some_and(|army| army.stationed) {
                rules.push(rule::STAT_03);
            }
            let told = Travel::Ordered { army: id, stance };
            month.emit(turn, Cause::Order(id.realm, line), rules, &[], told);
        }
    }
    apply_stances(turn, month);
}

/// Traders have no order letter: one that is written is ignored (PYG-GAP-60).
fn warn_trader(turn: &mut MonthTurn<'_>, id: ArmyId, march: &Move) {
    let written = march
        .special
        .iter()
        .find(|item| matches!(item.value, Item::Stance(stance) if stance != Stance::Nothing));
    if let Some(item) = written.filter(|_| id.kind() == Kind::Trader) {
        let finding = Diagnostic::warning("W_TRADER", item.span, &[rule::GAP_60]);
        turn.refuse(id.realm, finding);
    }
}

/// Armies that this month's orders may bring into being, so that lines about them are kept.
fn made_this_month(orders: &[(RealmId, &Spanned<Order>)]) -> BTreeSet<ArmyId> {
    let made = orders.iter().filter_map(|(realm, order)| match &order.value {
        Order::Split { new, .. } | Order::Convert { new, .. } => Some(new.value.of(*realm)),
        Order::Raise { unit, .. } | Order::Trader { unit, .. } => Some(unit.value.of(*realm)),
        _ => None,
    });
    made.collect()
}

/// The basic order that stands in a move.
fn own_stance(march: &Move) -> Option<Stance> {
    march.special.iter().find_map(|item| match item.value {
        Item::Stance(stance) => Some(stance),
        _ => None,
    })
}

fn fill_plan(month: &mut Month, id: ArmyId, lines: Lines<'_>) {
    let plan = month.plan_mut(id);
    let from_move = lines
        .march
        .and_then(|(span, march)| own_stance(march).map(|stance| (span, stance)));
    let stance = from_move.into_iter().chain(lines.stance).max_by_key(|(span, _)| *span);
    // Traders have no order letter (PYG-GAP-60).
    if let Some((_, stance)) = stance.filter(|_| id.kind() != Kind::Trader) {
        plan.stance = stance;
    }
    plan.line = lines.march.map(|(span, _)| span).or(lines.stance.map(|(span, _)| span));
    let Some((_, march)) = lines.march else { return };
    plan.route = march.path.clone();
    // PYG-SHEET-02: a standing army's row leads from its field to the same field.
    if let [from, to] = plan.route.as_slice()
        && from.value == to.value
    {
        plan.route.truncate(1);
    }
    plan.strength = march.strength.as_ref().and_then(|strength| match strength.value {
        Strength::Heads(heads) => Some(Spanned {
            span: strength.span,
            value: heads,
        }),
        Strength::Goods(_) => None,
    });
    for item in &march.special {
        match &item.value {
            Item::Embark(fleet) => plan.embark = Some(*fleet),
            Item::Disembark => plan.disembark = true,
            Item::Neutral => plan.neutral = true,
            Item::With(cargo) => {
                plan.with = Some(Spanned {
                    span: item.span,
                    value: cargo.clone(),
                })
            }
            Item::Deliver(to) => {
                plan.deliver = Some(Spanned {
                    span: item.span,
                    value: *to,
                })
            }
            Item::Stance(_) | Item::Other(_) => {}
        }
    }
}

/// Every army has the order that its plan says, or the game master; also those that came into being since.
pub(crate) fn apply_stances(turn: &mut MonthTurn<'_>, month: &Month) {
    for (id, army) in &mut turn.state.armies {
        if let Some(plan) = month.plan(*id) {
            army.stance = plan.ruled.unwrap_or(plan.stance);
        }
    }
}

/// PYG-GAP-67: there is no such unit, or it is not this realm's.
pub(crate) fn no_such_unit(span: Span, id: ArmyId) -> Diagnostic {
    misnamed(span, id, "unit-missing", &[rule::GAP_67])
}

/// A unit that is not there, or is none for this order: of another kind, or in another place.
pub(crate) fn wrong_unit(state: &State, span: Span, id: ArmyId, rules: &[RuleId]) -> Diagnostic {
    let why = if state.armies.contains_key(&id) {
        "unit-unfit"
    } else {
        "unit-missing"
    };
    misnamed(span, id, why, rules)
}

/// The name of a new unit that an old one has already, or that does not fit it.
pub(crate) fn wrong_name(state: &State, span: Span, id: ArmyId, rules: &[RuleId]) -> Diagnostic {
    let why = if state.armies.contains_key(&id) {
        "unit-taken"
    } else {
        "unit-unfit"
    };
    misnamed(span, id, why, rules)
}

fn misnamed(span: Span, id: ArmyId, why: &'static str, rules: &[RuleId]) -> Diagnostic {
    Diagnostic::error("E_UNIT", span, rules)
        .with("unit", id.name.to_string())
        .with_word("why", why)
}
