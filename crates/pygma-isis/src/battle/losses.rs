//! Losses in one place: what an army loses, what its cargo loses with it, and when they dissolve.

use crate::event::war::War;
use crate::month::{Month, MonthTurn};
use crate::rule;
use crate::shipping::ships_for;
use crate::state::ArmyId;
use crate::tables::Tables;
use crate::tables::policy::{CargoLoss, LossRounding};
use kernel::ratio::{Rounding, mul_div};
use kernel::turn::Cause;

/// Takes heads from an army: below its minimum it dissolves. What a fleet carries loses the same share, and goes down with it. How
/// many are left. The caller tells what happened to the army; what happened to cargo is told here.
///
/// PYG-ARMY-08, PYG-SHIP-06, PYG-GAP-24, PYG-GAP-47. For all losses: battles, terrain, reefs, storms.
pub fn lose(turn: &mut MonthTurn<'_>, month: &mut Month, army: ArmyId, count: i64) -> i64 {
    let before = turn.state.armies.get(&army).map_or(0, |own| own.count);
    lose_share(turn, month, army, count.clamp(0, before), before.max(1))
}

/// Takes a share from an army and the same share from everything aboard, each rounded down; then whatever exceeds the capacity of
/// the ships that are left. How many are left.
///
/// PYG-ARMY-08, PYG-SHIP-06, PYG-GAP-24, PYG-GAP-47. Exact where a share is known: 25 % of 33 ships are 8, of 3,300 men aboard 825.
pub fn lose_share(turn: &mut MonthTurn<'_>, month: &mut Month, army: ArmyId, part: i64, whole: i64) -> i64 {
    let toll = Toll {
        part,
        aboard: part,
        whole,
        rounding: Rounding::Down,
    };
    take(turn, month, army, toll)
}

/// Takes a share in battle: rounded as the world says, and aboard of a fleet what its ships take with them.
///
/// PYG-GAP-45, PYG-GAP-46, PYG-GAP-47.
pub fn lose_in_battle(turn: &mut MonthTurn<'_>, month: &mut Month, army: ArmyId, part: i64, whole: i64) -> i64 {
    let combat = &turn.tables.combat;
    let aboard = match combat.cargo_loss {
        CargoLoss::SamePercentage => part,
        CargoLoss::ExcessOnly => 0,
    };
    let toll = Toll {
        part,
        aboard,
        whole,
        rounding: in_battle(turn.tables),
    };
    take(turn, month, army, toll)
}

/// How losses in battle are rounded.
pub fn in_battle(tables: &Tables) -> Rounding {
    match tables.combat.rounding {
        LossRounding::Down => Rounding::Down,
        LossRounding::Up => Rounding::Up,
        LossRounding::Nearest => Rounding::HalfUp,
    }
}

/// Takes a share from an army that was not paid. Whoever is aboard has pay of his own and stays, as far as the ships that are left
/// have room. How many are left.
///
/// PYG-GAP-09.
pub fn desert(turn: &mut MonthTurn<'_>, month: &mut Month, army: ArmyId, part: i64, whole: i64) -> i64 {
    let toll = Toll {
        part,
        aboard: 0,
        whole,
        rounding: Rounding::Down,
    };
    take(turn, month, army, toll)
}

/// Parts of an army, and of everything aboard.
#[derive(Clone, Copy)]
struct Toll {
    part: i64,
    aboard: i64,
    whole: i64,
    rounding: Rounding,
}

fn take(turn: &mut MonthTurn<'_>, month: &mut Month, army: ArmyId, toll: Toll) -> i64 {
    let Some(before) = turn.state.armies.get(&army).map(|own| own.count) else {
        return 0;
    };
    let cargo: Vec<(ArmyId, i64)> = turn.state.cargo(army).map(|(id, own)| (id, own.count)).collect();
    let of = |heads: i64, part: i64| rounded_share(heads, part, toll.whole, toll.rounding);
    let left = shrink(turn, month, army, of(before, toll.part));
    let mut kept: Vec<(ArmyId, i64)> = Vec::new();
    for (id, heads) in &cargo {
        let lost = if left == 0 { *heads } else { of(*heads, toll.aboard) };
        kept.push((*id, heads.saturating_sub(lost)));
    }
    unload_excess(turn.tables, left, &mut kept);
    for ((id, heads), (_, keeps)) in cargo.into_iter().zip(kept) {
        if keeps < heads || left == 0 {
            drown(turn, month, army, id, heads.saturating_sub(keeps));
        }
    }
    left
}

/// Takes an army out of the world with everything aboard.
pub fn destroy(turn: &mut MonthTurn<'_>, month: &mut Month, army: ArmyId) {
    lose_share(turn, month, army, 1, 1);
}

/// A part of a number, rounded down, at most all of it.
pub fn share(heads: i64, part: i64, whole: i64) -> i64 {
    rounded_share(heads, part, whole, Rounding::Down)
}

/// The same with another rounding.
pub fn rounded_share(heads: i64, part: i64, whole: i64, rounding: Rounding) -> i64 {
    mul_div(heads, part, whole, rounding)
        .unwrap_or(heads)
        .clamp(0, heads.max(0))
}

/// PYG-GAP-47: what exceeds the ships that are left goes overboard, the last army first.
fn unload_excess(tables: &Tables, ships: i64, cargo: &mut [(ArmyId, i64)]) {
    for last in (0..cargo.len()).rev() {
        let kind = cargo[last].0.kind();
        let (same, others): (Vec<_>, Vec<_>) = cargo[..last]
            .iter()
            .map(|(id, heads)| (id.kind(), *heads))
            .partition(|(other, _)| *other == kind);
        let left = ships.saturating_sub(ships_for(tables, others)).max(0);
        let room = left.saturating_mul(tables.army[kind].per_ship);
        let taken: i64 = same.iter().map(|(_, heads)| *heads).sum();
        let heads = &mut cargo[last].1;
        *heads = room.saturating_sub(taken).clamp(0, *heads);
        if *heads > 0 {
            return;
        }
    }
}

/// An army aboard loses men; its realm is told.
fn drown(turn: &mut MonthTurn<'_>, month: &mut Month, fleet: ArmyId, army: ArmyId, lost: i64) {
    let left = shrink(turn, month, army, lost);
    let what = War::CargoLost {
        army,
        fleet: fleet.name,
        lost,
        left,
    };
    let rules = &[rule::SHIP_06, rule::GAP_47, rule::ARMY_08][..];
    month.emit(turn, Cause::Step("losses"), rules, &[], what);
}

fn shrink(turn: &mut MonthTurn<'_>, month: &mut Month, army: ArmyId, lost: i64) -> i64 {
    let min = turn.tables.army[army.kind()].min;
    let Some(own) = turn.state.armies.get_mut(&army) else {
        return 0;
    };
    own.count = own.count.saturating_sub(lost);
    let left = own.count;
    if left < min || left <= 0 {
        month.remove(&mut turn.state, army);
        return 0;
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::Kind;
    use crate::state::ArmyName;
    use kernel::realm::RealmId;

    fn army(kind: Kind, number: u32) -> ArmyId {
        ArmyName::new(kind, number).of(RealmId(1))
    }

    #[test]
    fn shares_are_rounded_down_and_never_more_than_everything() {
        assert_eq!(share(33, 25, 100), 8);
        assert_eq!(share(3300, 25, 100), 825);
        assert_eq!(share(10, 3, 2), 10);
        assert_eq!(share(10, 1, 0), 10);
        assert_eq!(share(10, 0, 7), 0);
    }

    #[test]
    fn what_does_not_fit_goes_overboard_from_the_last_army() {
        let tables = Tables::book();
        let mut cargo = [(army(Kind::Warriors, 1), 1000), (army(Kind::Riders, 1), 1000)];
        unload_excess(&tables, 30, &mut cargo);
        assert_eq!(cargo.map(|(_, heads)| heads), [1000, 1000]);
        unload_excess(&tables, 29, &mut cargo);
        assert_eq!(cargo.map(|(_, heads)| heads), [1000, 950]);
        unload_excess(&tables, 5, &mut cargo);
        assert_eq!(cargo.map(|(_, heads)| heads), [500, 0]);
        // What is left of a ship of the first army carries men of the second.
        let mut cargo = [(army(Kind::Warriors, 1), 1050), (army(Kind::Warriors, 2), 1050)];
        unload_excess(&tables, 21, &mut cargo);
        assert_eq!(cargo.map(|(_, heads)| heads), [1050, 1050]);
        unload_excess(&tables, 20, &mut cargo);
        assert_eq!(cargo.map(|(_, heads)| heads), [1050, 950]);
    }
}
