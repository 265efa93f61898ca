//! Plundering (THO-CMD-03, THO-TERR-04, GAP-21).

use crate::codes::{Command, Treaty};
use crate::event::Happening;
use crate::rule;
use crate::season::{Season, SeasonTurn, earn};
use crate::state::{Army, ArmyId, State};
use crate::tables::Tables;
use crate::unrest;
use kernel::diagnostic::Diagnostic;
use kernel::hex::FieldIndex;
use kernel::ratio::{Rounding, mul_div};

/// C5: every army with P takes what the field yields, week by week.
///
/// THO-CMD-03, THO-UNIT-07, GAP-21. Members of a group count together (GAP-35).
pub fn plunder(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let bands: Vec<ArmyId> = turn
        .state
        .armies
        .iter()
        .filter(|(_, army)| army.command == Command::Plunder && army.is_free())
        .map(|(id, _)| *id)
        .collect();
    for id in bands {
        let Some(army) = turn.state.army(id) else { continue };
        let field = army.field;
        if !is_worthwhile(turn.tables, &turn.state, id, army) {
            continue;
        }
        if may_plunder(turn, season, id) {
            take(turn, season, id, field);
        }
    }
}

/// GAP-21: land that is neither the band's own nor under a treaty, with something left on it, and a point to spend.
fn is_worthwhile(tables: &Tables, state: &State, id: ArmyId, army: &Army) -> bool {
    let figures = &tables.of(id.realm).plunder;
    let field = state.field(army.field);
    let stranger = field.owner != id.realm && state.treaty(field.owner, id.realm) == Treaty::NoTreaty;
    let points = i64::from(army.points);
    tables.is_land(field.terrain)
        && (stranger || figures.own_or_treaty_land)
        && field.yield_percent > 0
        && points >= figures.mp_per_plunder.max(1)
}

/// THO-UNIT-07, GAP-35: enough heads; a player's band that is too weak is told so once.
fn may_plunder(turn: &mut SeasonTurn<'_>, season: &mut Season, id: ArmyId) -> bool {
    let figures = turn.tables.of(id.realm);
    let bands: Vec<(i64, Option<i64>)> = season
        .parts(id)
        .into_iter()
        .filter_map(|part| {
            // Wild beasts that live on plunder need no minimum (THO-MON-02).
            let wild = !part.realm.is_played() && part.kind().is_monster();
            let least = figures.plunder_min(part.kind()).or(wild.then_some(1));
            turn.state.army(part).map(|army| (army.count, least))
        })
        .collect();
    if is_enough(&bands) {
        return true;
    }
    let plan = season.plan_mut(id);
    let span = plan.line.filter(|_| !plan.told_too_weak);
    plan.told_too_weak = true;
    if let Some(span) = span {
        let least = bands.iter().filter_map(|(_, least)| *least).min().unwrap_or(0);
        let count: i64 = bands.iter().map(|(count, _)| count).sum();
        let why = Diagnostic::error("A29", span, &[rule::UNIT_07, rule::CMD_03, rule::GAP_21])
            .with("armee", id.name.to_string())
            .with("n", count)
            .with("min", least);
        turn.refuse(id.realm, why);
    }
    false
}

/// THO-UNIT-07, GAP-35: the sum of count / minimum over all that can do it is at least one.
pub fn is_enough(parts: &[(i64, Option<i64>)]) -> bool {
    let able = || {
        parts
            .iter()
            .filter_map(|(count, least)| least.map(|least| (i128::from(*count), i128::from(least.max(1)))))
    };
    // Few different minimums exist: their product is a common denominator.
    let mut minimums: Vec<i128> = able().map(|(_, least)| least).collect();
    minimums.sort_unstable();
    minimums.dedup();
    let common: i128 = minimums.iter().product();
    able().next().is_some() && able().map(|(count, least)| count * (common / least)).sum::<i128>() >= common
}

/// GAP-21: a point spent, yield lowered, gold taken, the people stirred up.
fn take(turn: &mut SeasonTurn<'_>, season: &Season, id: ArmyId, field: FieldIndex) {
    let figures = turn.tables.of(id.realm);
    let owner = turn.state.field(field).owner;
    let cost = i32::try_from(figures.plunder.mp_per_plunder).unwrap_or(0);
    if let Some(army) = turn.state.armies.get_mut(&id) {
        army.points = army.points.saturating_sub(cost);
    }
    let stirred = if owner.is_played() {
        turn.tables.of(owner).unrest.per_plunder
    } else {
        0
    };
    let land = turn.state.field_mut(field);
    let most = u8::try_from(figures.plunder.yield_points_per_plunder).unwrap_or(u8::MAX);
    let taken = most.min(land.yield_percent);
    land.yield_percent -= taken;
    unrest::add(land, stirred);
    let (terrain, yield_percent) = (land.terrain, land.yield_percent);
    let gold = match id.realm.is_played() {
        true => loot(
            turn.tables.land_income(terrain),
            taken,
            owner.is_played(),
            figures.plunder.realm0_pct,
        ),
        false => 0,
    };
    earn(&mut turn.state, id.realm, gold);
    let mut rules = vec![rule::CMD_03, rule::UNIT_07, rule::TERR_04, rule::GAP_21];
    if id.kind().is_group() {
        rules.push(rule::GAP_35);
    }
    if id.kind().is_monster() {
        rules.push(rule::MON_02);
    }
    let what = Happening::Plundered {
        army: id,
        field,
        owner,
        gold,
        yield_percent,
    };
    season.emit(turn, season.cause(id, "plunder"), rules, &[], what);
}

/// Yearly income x points taken / 100, on land of nobody only a part of it, rounded down.
fn loot(income: i64, points: u8, owned: bool, realm0_percent: i64) -> i64 {
    let share = if owned { 100 } else { realm0_percent };
    mul_div(income.max(0), i64::from(points) * share, 100 * 100, Rounding::Down).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plundering_brings_a_fifth_of_the_yearly_income_and_a_tenth_of_that_in_the_wilderness() {
        assert_eq!(loot(3000, 20, true, 10), 600);
        assert_eq!(loot(3000, 20, false, 10), 60);
        assert_eq!(loot(10, 20, false, 10), 0, "rounded down");
        assert_eq!(loot(150, 7, true, 10), 10, "10.5 rounded down");
        assert_eq!(loot(0, 20, true, 10), 0);
    }

    #[test]
    fn minimums_are_met_by_one_army_or_by_several_together() {
        let [warriors, riders, engines] = [Some(500), Some(250), Some(251)];
        assert!(!is_enough(&[(499, warriors)]));
        assert!(is_enough(&[(500, warriors)]));
        assert!(is_enough(&[(250, warriors), (125, riders)]), "a half and a half");
        assert!(!is_enough(&[(249, warriors), (125, riders)]));
        assert!(is_enough(&[(250, warriors), (126, engines)]));
        assert!(!is_enough(&[(250, warriors), (125, engines)]));
        assert!(!is_enough(&[(100_000, None)]), "who cannot do it does not count");
        assert!(!is_enough(&[]));
    }
}
