//! Stationary armies (PYG-STAT-01..04, PYG-GAP-49).

use crate::codes::Kind;
use crate::event::war::War;
use crate::intake;
use crate::month::{self, Month, MonthTurn};
use crate::order::Order;
use crate::rule;
use crate::state::{Army, ArmyId, State};
use crate::tables::Tables;
use kernel::diagnostic::Diagnostic;
use kernel::turn::Cause;

/// Notes which armies orders declare stationary: administration is set aside for the others, before anybody is stationed.
///
/// PYG-STAT-01, PYG-ADM-02, PYG-GAP-50.
pub fn declare(turn: &mut MonthTurn<'_>, month: &mut Month) {
    for (realm, order) in month::orders(turn) {
        if let Order::Station { unit } = &order.value {
            month.declared.insert(unit.value.of(realm));
        }
    }
}

/// Stationing ends at the next arming month, unless it is renewed (PYG-STAT-01, PYG-GAP-49).
pub fn release(turn: &mut MonthTurn<'_>, month: &mut Month) {
    if !turn.tables.armies.released_if_not_renewed {
        return;
    }
    for (id, army) in &mut turn.state.armies {
        if army.stationed {
            army.stationed = false;
            month.released.insert(*id);
        }
    }
}

/// `STATIONIERE`: land armies in an own town, fleets in its harbour; until the next arming month.
///
/// PYG-STAT-01: declared in an arming month; PYG-STAT-02: marked; PYG-STAT-03: it does not move; PYG-STAT-04, PYG-GAP-49.
pub fn station(turn: &mut MonthTurn<'_>, month: &mut Month) {
    for (realm, order) in month::orders(turn) {
        let Order::Station { unit } = &order.value else {
            continue;
        };
        let id = unit.value.of(realm);
        if !turn.state.armies.contains_key(&id) || id.kind() == Kind::Trader {
            let finding = intake::wrong_unit(&turn.state, unit.span, id, &[rule::STAT_01, rule::GAP_67]);
            turn.refuse(realm, finding);
            continue;
        }
        let army = turn.state.armies.get(&id);
        if !army.is_some_and(|army| may_be_stationed(turn.tables, &turn.state, id, army)) {
            let place = army.map(|army| turn.state.place(army.field));
            let finding = Diagnostic::error("E_PLACE", unit.span, &[rule::STAT_01, rule::GAP_49]);
            let finding = finding.with_word("fit", "fit-station");
            turn.refuse(
                realm,
                finding.with("field", place.map_or_else(String::new, |p| p.to_string())),
            );
            continue;
        }
        let Some(army) = turn.state.armies.get_mut(&id) else {
            continue;
        };
        if army.stationed {
            // A second line for the same army says nothing new.
            continue;
        }
        army.stationed = true;
        month.released.remove(&id);
        let what = War::Stationed {
            army: id,
            field: army.field,
        };
        let rules = &[rule::STAT_01, rule::STAT_02, rule::STAT_03, rule::STAT_04, rule::GAP_49][..];
        month.emit(turn, Cause::Order(realm, order.span), rules, &[], what);
    }
    for id in std::mem::take(&mut month.released) {
        if turn.state.armies.contains_key(&id) {
            let rules = &[rule::STAT_01, rule::GAP_49][..];
            month.emit(
                turn,
                Cause::Step("release"),
                rules,
                &[],
                War::StationingEnded { army: id },
            );
        }
    }
}

/// Whether an army stands where it can be stationed: in an own town, a fleet beside an own harbour (PYG-GAP-49).
pub fn may_be_stationed(tables: &Tables, state: &State, id: ArmyId, army: &Army) -> bool {
    if army.aboard.is_some() {
        return false;
    }
    match id.kind() {
        Kind::Warriors | Kind::Riders => {
            let here = state.field(army.field);
            here.owner == id.realm && here.town(tables).is_some()
        }
        Kind::Fleet => {
            let mut around = state.chart.neighbours(army.field);
            around.any(|(_, field)| state.field(field).owner == id.realm && state.is_harbour(tables, field))
        }
        Kind::Trader => false,
    }
}
