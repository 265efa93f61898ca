//! Trade of caravans and fleets (THO-TRADE, THO-SPEC-15, GAP-23).

use crate::codes::{Condition, Kind};
use crate::event::{Demise, Happening};
use crate::order::Special;
use crate::rule;
use crate::season::{Season, SeasonTurn, earn};
use crate::state::{ArmyId, State};
use crate::strength;
use crate::tables::Tables;
use crate::unrest;
use kernel::diagnostic::Diagnostic;
use kernel::hex::FieldIndex;
use kernel::ratio::percent;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::Cause;

/// C6: traders that have reached the place they named.
///
/// THO-SPEC-15, THO-TRADE-02, -10: caravans in it, fleets beside it. THO-TRADE-13: not at their own starting point. Then
/// THO-TRADE-03 the gold, THO-TRADE-04 the wear, THO-TRADE-05 the peace it brings.
pub fn trade(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    for id in traders(&turn.state) {
        let Some(plan) = season.plan(id).filter(|plan| !plan.special_done) else {
            continue;
        };
        let Some(special) = plan.special else { continue };
        let Special::Trade(place) = special.value else { continue };
        // The reader of the file has refused places outside the world.
        let Ok(target) = turn.state.field_at(id.realm, place) else {
            continue;
        };
        if !has_arrived(&turn.state, id, target) {
            continue;
        }
        // Whether it is a trading place is told only to who stands before it.
        if !is_trading_place(turn.tables, &turn.state, target) {
            season.plan_mut(id).special_done = true;
            let why = Diagnostic::error("A33", special.span, &[rule::SPEC_15, rule::TRADE_02, rule::GAP_23])
                .with("x", i64::from(place.x))
                .with("y", i64::from(place.y));
            turn.refuse(id.realm, why);
            continue;
        }
        let start = turn.state.army(id).and_then(|trader| trader.start).unwrap_or(target);
        let distance = turn.state.grid.distance(start, target);
        if i64::from(distance) >= turn.tables.of(id.realm).trade.min_distance.max(1) {
            deal(turn, season, id, target, distance);
        }
    }
}

fn traders(state: &State) -> Vec<ArmyId> {
    state
        .armies
        .keys()
        .filter(|id| id.kind().is_trader())
        .copied()
        .collect()
}

/// THO-TRADE-02, -10: a caravan stands in the place, a fleet on water beside it. Whoever is aboard a fleet is on the water.
fn has_arrived(state: &State, id: ArmyId, target: FieldIndex) -> bool {
    let Some(trader) = state.army(id) else { return false };
    match id.kind() {
        Kind::TradeFleet => state.grid.distance(trader.field, target) == 1,
        _ => trader.field == target && trader.aboard.is_none(),
    }
}

/// GAP-23: a finished city, fortress or capital that is no ruin, of whatever owner.
fn is_trading_place(tables: &Tables, state: &State, field: FieldIndex) -> bool {
    let site = state.field(field).building();
    site.is_some_and(|site| tables.is_trading_place(site.building) && site.condition != Condition::Ruin)
}

/// THO-TRADE-03, GAP-23: size x distance up to a maximum x gold per head and field.
fn proceeds(tables: &Tables, kind: Kind, size: i64, distance: u32) -> i64 {
    let figures = &tables.trade;
    let (cap, per_field) = match kind {
        Kind::TradeFleet => (figures.fleet_distance_cap, figures.fleet_gs_per_ship_and_field),
        _ => (figures.caravan_distance_cap, figures.caravan_gs_per_man_and_field),
    };
    size.saturating_mul(i64::from(distance).min(cap))
        .saturating_mul(per_field)
}

fn deal(turn: &mut SeasonTurn<'_>, season: &mut Season, id: ArmyId, target: FieldIndex, distance: u32) {
    let figures = turn.tables.of(id.realm);
    let Some(size) = turn.state.army(id).map(|trader| trader.count) else {
        return;
    };
    let owner = turn.state.field(target).owner;
    let gold = proceeds(figures, id.kind(), size, distance);
    let shares = owner.is_played() && (owner != id.realm || figures.trade.owner_share_when_own_target);
    let owner_gold = if shares {
        percent(gold, figures.trade.target_owner_share_pct, figures.rounding.money)
    } else {
        0
    };
    let is_fleet = id.kind() == Kind::TradeFleet;
    let shrink = if is_fleet {
        figures.trade.fleet_shrink_pct
    } else {
        figures.trade.caravan_shrink_pct
    };
    let lost = percent(size, shrink, figures.rounding.losses).min(size);

    earn(&mut turn.state, id.realm, gold);
    earn(&mut turn.state, owner, owner_gold);
    calm(turn, owner, target);
    let plan = season.plan_mut(id);
    plan.traded = true;
    plan.special_done = true;
    if let Some(trader) = turn.state.armies.get_mut(&id) {
        trader.start = Some(target);
    }
    let mut rules: Vec<RuleId> = vec![rule::SPEC_15, rule::TRADE_02, rule::TRADE_03, rule::TRADE_04];
    rules.extend([rule::TRADE_05, rule::TRADE_13, rule::GAP_22, rule::GAP_23, rule::MAP_07]);
    if is_fleet {
        rules.extend([rule::TRADE_09, rule::TRADE_10]);
    }
    let what = Happening::Traded {
        army: id,
        field: target,
        owner,
        gold,
        owner_gold,
        lost,
        distance,
    };
    let event = season.emit(turn, season.cause(id, "trade"), rules, &[], what);
    if lost > 0 {
        strength::wound(turn, season, id, lost, Demise::TooWeak, Cause::Event(event));
    }
}

/// THO-TRADE-05, GAP-22: trade calms the place and the fields of the same realm around it.
fn calm(turn: &mut SeasonTurn<'_>, owner: RealmId, target: FieldIndex) {
    if !owner.is_played() {
        return;
    }
    let figures = turn.tables.of(owner).unrest.clone();
    let near = u32::try_from(figures.trade_near_distance).unwrap_or(0);
    let fields: Vec<FieldIndex> = turn
        .state
        .grid
        .range(target, near)
        .into_iter()
        .filter(|field| turn.state.field(*field).owner == owner)
        .collect();
    for field in fields {
        let change = if field == target {
            figures.trade_site
        } else {
            figures.trade_near
        };
        unrest::add(turn.state.field_mut(field), change);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proceeds_grow_with_size_and_distance_up_to_the_maximum() {
        let book = Tables::book();
        let caravan = |distance| proceeds(&book, Kind::Caravan, 100, distance);
        assert_eq!(
            [caravan(1), caravan(19), caravan(20), caravan(21)],
            [100, 1900, 2000, 2000]
        );
        let fleet = |distance| proceeds(&book, Kind::TradeFleet, 10, distance);
        assert_eq!([fleet(1), fleet(29), fleet(30), fleet(31)], [300, 8700, 9000, 9000]);
    }
}
