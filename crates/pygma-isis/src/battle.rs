//! Combat (PYG-FIGHT-01..10, PYG-GAP-41..48, PYG-TOWN-02, PYG-GAP-17).
//!
//! Part C. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};
use crate::state::ArmyId;
use kernel::ratio::{Rounding, mul_div};

/// Every field on which somebody attacks.
pub fn fight(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// Takes heads from an army: below its minimum it dissolves. What a fleet carries loses the same share, and goes down with it. How
/// many are left. The caller tells what happened.
///
/// PYG-ARMY-08, PYG-SHIP-06, PYG-GAP-24, PYG-GAP-47. For all losses: battles, terrain, reefs, storms, unpaid armies.
pub fn lose(turn: &mut MonthTurn<'_>, month: &mut Month, army: ArmyId, count: i64) -> i64 {
    let Some(before) = turn.state.armies.get(&army).map(|own| own.count) else {
        return 0;
    };
    let lost = count.clamp(0, before);
    let cargo: Vec<(ArmyId, i64)> = turn.state.cargo(army).map(|(id, own)| (id, own.count)).collect();
    let left = shrink(turn, month, army, lost);
    for (id, heads) in cargo {
        let share = match left {
            0 => heads,
            _ => mul_div(heads, lost, before, Rounding::Down).unwrap_or(heads),
        };
        shrink(turn, month, id, share);
    }
    left
}

fn shrink(turn: &mut MonthTurn<'_>, month: &mut Month, army: ArmyId, lost: i64) -> i64 {
    let min = turn.tables.army[army.kind()].min;
    let Some(own) = turn.state.armies.get_mut(&army) else {
        return 0;
    };
    own.count -= lost;
    let left = own.count;
    if left < min || left == 0 {
        month.remove(&mut turn.state, army);
        return 0;
    }
    left
}
