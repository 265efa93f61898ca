//! Embarking and landing (PYG-SHIP-01..06, PYG-MOVE-07, PYG-GAP-30).

use crate::codes::Kind;
use crate::event::travel::{Obstacle, Travel};
use crate::month::{Month, MonthTurn};
use crate::movement;
use crate::rule;
use crate::state::{ArmyId, ArmyName, State};
use crate::tables::Tables;
use kernel::diagnostic::{Diagnostic, Spanned};
use kernel::hex::FieldIndex;
use kernel::ratio::{Rounding, div};
use std::collections::BTreeMap;

/// Armies go ashore once their fleet has arrived, and aboard with their last step.
///
/// PYG-SHIP-03, PYG-GAP-30: landing armies start behind their fleet's last tick; the step ashore counts in their range. PYG-GAP-31: all at once,
/// so whoever goes ashore makes room for whoever goes aboard.
pub fn ship(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let under_way = month.plans().filter(|(_, plan)| plan.is_under_way());
    let carriers: Vec<(ArmyId, Option<ArmyName>)> = under_way
        .filter_map(|(id, _)| Some((id, turn.state.armies.get(&id)?.aboard)))
        .collect();
    for (id, fleet) in &carriers {
        if let Some(fleet) = fleet {
            land(turn, month, *id, fleet.of(id.realm));
        }
    }
    for (id, _) in carriers.iter().filter(|(_, fleet)| fleet.is_none()) {
        board(turn, month, *id);
    }
}

/// PYG-SHIP-01, PYG-SHIP-03.
fn land(turn: &mut MonthTurn<'_>, month: &mut Month, id: ArmyId, fleet: ArmyId) {
    let Some(to) = month.plan(id).and_then(|plan| plan.next()) else {
        if month.plan(id).is_some_and(|plan| plan.edge.is_some()) && has_arrived(month, fleet) {
            movement::stop(turn, month, id, None, Obstacle::Edge);
        }
        return;
    };
    if !has_arrived(month, fleet) {
        return;
    }
    let Some(from) = turn.state.armies.get(&fleet).map(|fleet| fleet.field) else {
        return;
    };
    let obstacle = if turn.state.chart.distance(from, to) != 1 {
        Some(Obstacle::FleetElsewhere)
    } else if turn.tables.is_water(turn.state.field(to).terrain) {
        Some(Obstacle::Water)
    } else if !may_land(turn.tables, &turn.state, to) {
        Some(Obstacle::Coast)
    } else {
        None
    };
    if let Some(why) = obstacle {
        movement::stop(turn, month, id, Some(to), why);
        return;
    }
    month.board(&mut turn.state, id, None, to);
    movement::enter(month, id, from, to);
    let rules = &[rule::SHIP_01, rule::SHIP_03, rule::GAP_30][..];
    let what = Travel::Landed {
        army: id,
        fleet: fleet.name,
        field: to,
    };
    month.emit(turn, month.cause(id, "ship"), rules, &[], what);
}

/// Whether a fleet has ended its move in an earlier tick.
fn has_arrived(month: &Month, fleet: ArmyId) -> bool {
    month
        .plan(fleet)
        .is_none_or(|plan| !plan.is_under_way() && plan.entered_in < month.tick)
}

/// PYG-SHIP-02, PYG-SHIP-04, PYG-SHEET-05: the last step of an army that goes aboard.
fn board(turn: &mut MonthTurn<'_>, month: &mut Month, id: ArmyId) {
    let Some(plan) = month.plan(id) else { return };
    let (Some(fleet), Some(to)) = (plan.embark, plan.next()) else {
        return;
    };
    // The step before it was taken in this very tick, or is still to come.
    if plan.steps + 1 != plan.path.len() || (plan.steps > 0 && plan.entered_in == month.tick) {
        return;
    }
    let carrier = fleet.of(id.realm);
    let obstacle = match turn.state.armies.get(&carrier) {
        Some(ships) if ships.field == to => {
            let needed = needed_ships(turn.tables, &turn.state, carrier, Some(id));
            (needed > ships.count).then_some(Obstacle::NoRoom)
        }
        _ => Some(Obstacle::FleetElsewhere),
    };
    if let Some(why) = obstacle {
        movement::stop(turn, month, id, Some(to), why);
        return;
    }
    let Some(from) = turn.state.armies.get(&id).map(|army| army.field) else {
        return;
    };
    month.board(&mut turn.state, id, Some(fleet), to);
    movement::enter(month, id, from, to);
    let rules = &[
        rule::SHIP_01,
        rule::SHIP_02,
        rule::SHIP_04,
        rule::SHIP_05,
        rule::SHEET_03,
        rule::SHEET_05,
        rule::GAP_30,
    ][..];
    let what = Travel::Embarked {
        army: id,
        fleet,
        field: to,
    };
    month.emit(turn, month.cause(id, "ship"), rules, &[], what);
}

/// PYG-SHIP-01: armies go aboard and ashore at level 0 and in harbour towns, of whomever.
pub fn may_land(tables: &Tables, state: &State, field: FieldIndex) -> bool {
    tables.terrain[state.field(field).terrain].height == 0 || state.is_harbour(tables, field)
}

/// Ships that a fleet's cargo needs, together with somebody who goes aboard (PYG-SHIP-04, PYG-GAP-30).
pub fn needed_ships(tables: &Tables, state: &State, fleet: ArmyId, with: Option<ArmyId>) -> i64 {
    let more = with.and_then(|id| state.armies.get(&id).map(|army| (id, army)));
    let all = state.cargo(fleet).chain(more);
    ships_for(tables, all.map(|(id, army)| (id.kind(), army.count)))
}

/// One ship carries 100 warriors or 50 riders, of whichever armies; a part of a shipload needs a whole one.
///
/// PYG-SHIP-04, PYG-GAP-30: counted over all cargo, so that splitting an army aboard never sinks anybody.
pub fn ships_for(tables: &Tables, cargo: impl IntoIterator<Item = (Kind, i64)>) -> i64 {
    let mut heads: BTreeMap<Kind, i64> = BTreeMap::new();
    for (kind, count) in cargo {
        let sum = heads.entry(kind).or_default();
        *sum = sum.saturating_add(count);
    }
    let ships = heads
        .into_iter()
        .filter(|(kind, _)| tables.army[*kind].per_ship > 0)
        .map(|(kind, heads)| div(heads, tables.army[kind].per_ship, Rounding::Up).unwrap_or(i64::MAX));
    ships.fold(0, i64::saturating_add)
}

/// Where a fleet ends its move if all goes as planned.
pub(crate) fn arrival(turn: &MonthTurn<'_>, month: &Month, fleet: ArmyId) -> FieldIndex {
    let planned = month.plan(fleet).and_then(|plan| plan.path.last());
    let stands = turn.state.armies.get(&fleet).map_or(FieldIndex(0), |fleet| fleet.field);
    planned.map_or(stands, |last| last.value)
}

/// Whether an army may plan to go aboard: a fleet of its own realm that stands still on the last field and has room.
///
/// PYG-SHIP-02, PYG-SHIP-04, PYG-SHIP-05. Others who are to go aboard the same fleet count.
pub(crate) fn may_board(
    turn: &MonthTurn<'_>,
    month: &Month,
    id: ArmyId,
    fleet: ArmyName,
    last: Spanned<FieldIndex>,
) -> Result<(), Box<Diagnostic>> {
    let carrier = fleet.of(id.realm);
    let refuse = |finding: Diagnostic| Err(Box::new(finding));
    let Some(ships) = turn.state.armies.get(&carrier) else {
        return refuse(crate::intake::no_such_unit(last.span, carrier));
    };
    if month.plan(carrier).is_some_and(|plan| plan.is_under_way()) {
        let finding = Diagnostic::error("E_FLEET_MOVES", last.span, &[rule::SHIP_02]);
        return refuse(finding.with("fleet", fleet.to_string()));
    }
    if ships.field != last.value {
        let place = turn.state.chart.place(last.value).to_string();
        let finding = Diagnostic::error("E_WATER", last.span, &[rule::MOVE_11, rule::SHIP_01]);
        return refuse(finding.with("field", place));
    }
    if ships.stationed {
        let finding = Diagnostic::error("E_STATIONARY", last.span, &[rule::GAP_49]);
        return refuse(finding.with("unit", fleet.to_string()));
    }
    let leaves = |id: ArmyId| month.plan(id).is_some_and(|plan| plan.is_under_way());
    let stays = turn.state.cargo(carrier).filter(|(id, _)| !leaves(*id));
    let coming = turn.state.armies_of(id.realm).filter(|(other, army)| {
        let plan = month.plan(*other);
        let boards = plan.is_some_and(|plan| plan.embark == Some(fleet) && !plan.path.is_empty());
        *other == id || (boards && army.aboard.is_none())
    });
    let aboard = stays.chain(coming).map(|(id, army)| (id.kind(), army.count));
    let needed = ships_for(turn.tables, aboard);
    if needed > ships.count {
        let finding = Diagnostic::error("E_CAPACITY", last.span, &[rule::SHIP_04, rule::SHIP_05, rule::GAP_30]);
        return refuse(finding.with("n", needed).with("max", ships.count));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ship_carries_a_hundred_warriors_or_fifty_riders_and_a_part_needs_a_whole_one() {
        let tables = Tables::book();
        let ships = |kind: Kind, count: i64| ships_for(&tables, [(kind, count)]);
        assert_eq!(
            [999, 1000, 1001].map(|count| ships(Kind::Warriors, count)),
            [10, 10, 11]
        );
        assert_eq!([2199, 2200, 2201].map(|count| ships(Kind::Riders, count)), [44, 44, 45]);
    }

    #[test]
    fn warriors_of_several_armies_share_ships_and_riders_do_not_share_them_with_warriors() {
        let tables = Tables::book();
        let warriors = [(Kind::Warriors, 1050), (Kind::Warriors, 1050)];
        assert_eq!(ships_for(&tables, warriors), 21);
        assert_eq!(
            ships_for(&tables, [(Kind::Warriors, 1050), (Kind::Riders, 1025)]),
            11 + 21
        );
        assert_eq!(ships_for(&tables, []), 0);
    }
}
