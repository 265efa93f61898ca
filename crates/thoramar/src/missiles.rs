//! Shots of missile weapons (THO-UNIT-10, -11, GAP-18).

use crate::codes::{Command, Kind, Treaty};
use crate::event::{Demise, Happening, Shown};
use crate::exact::{Fraction, rounded_sum};
use crate::order::Special;
use crate::reckoning::{Combatant, Ground, effect_percent, people_percent, shown};
use crate::rule;
use crate::season::{Season, SeasonTurn};
use crate::state::{Army, ArmyId, State};
use crate::strength;
use crate::tables::Tables;
use kernel::diagnostic::{Diagnostic, Span};
use kernel::hex::FieldIndex;
use kernel::ratio::mul_div;
use kernel::turn::Cause;
use std::collections::BTreeMap;

/// A shot that is about to fall.
struct Shot {
    /// The engines as they showed themselves when they aimed.
    engine: Shown,
    field: FieldIndex,
    cost: i64,
    /// The target as it stands on the map when the shot is aimed.
    target: Shown,
    /// What each hit army loses: one, or the members of a group.
    kills: Vec<(ArmyId, i64)>,
}

/// C3: engines that stand shoot, all at once.
///
/// THO-UNIT-10: only those that neither have moved nor will. GAP-18: command A, at least 100 men, once a turn in the first
/// week in which an enemy is within reach (by house rule in several weeks); THO-UNIT-11 for money; THO-COMB-08 at an archdemon only with a priest.
pub fn shoot(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let engines: Vec<ArmyId> = turn
        .state
        .armies
        .iter()
        .filter(|(id, army)| is_battery(season, **id, army))
        .map(|(id, _)| *id)
        .collect();
    let mut surveys = BTreeMap::new();
    let mut shots = Vec::new();
    for engine in engines {
        if let Some(shot) = aim(turn, season, &mut surveys, engine) {
            shots.push(shot);
        }
    }
    for shot in shots {
        fall(turn, season, shot);
    }
}

/// Whether it is an army that still has a shot to fire or to be refused: a player's engines on the map with A.
fn is_battery(season: &Season, id: ArmyId, army: &Army) -> bool {
    let fired = || season.plan(id).is_some_and(|plan| plan.fired);
    id.kind().is_engine() && id.realm.is_played() && army.command == Command::Attack && army.is_free() && !fired()
}

/// Chooses a target and pays for the shot; nothing if there is no target, or if the shot is refused.
fn aim(
    turn: &mut SeasonTurn<'_>,
    season: &mut Season,
    surveys: &mut BTreeMap<FieldIndex, Ground>,
    engine: ArmyId,
) -> Option<Shot> {
    let figures = &turn.tables.of(engine.realm).missile;
    let army = turn.state.army(engine)?.clone();
    let plan = season.plan(engine).cloned().unwrap_or_default();
    let span = plan
        .special
        .as_ref()
        .map_or(plan.line, |special| Some(special.span))
        .unwrap_or_default();
    if figures.shots_per_turn == 0 || army.count < figures.min_heads {
        return None;
    }
    if plan.moved || !plan.is_standing() {
        let why = Diagnostic::error(
            "A36",
            plan.line.map_or(span, |_| plan.route_span),
            &[rule::UNIT_10, rule::GAP_18],
        )
        .with("armee", engine.name.to_string());
        return give_up(turn, season, engine, why);
    }
    let fields = match plan.special.map(|special| special.value) {
        Some(Special::Fire(place)) => {
            let reach = u32::try_from(figures.range).unwrap_or(0);
            let named = turn.state.field_at(engine.realm, place).ok();
            match named.filter(|field| turn.state.grid.distance(army.field, *field) <= reach) {
                Some(field) => vec![field],
                None => {
                    let why = Diagnostic::error("A37", span, &[rule::GAP_18])
                        .with("x", i64::from(place.x))
                        .with("y", i64::from(place.y))
                        .with("r", figures.range);
                    return give_up(turn, season, engine, why);
                }
            }
        }
        _ => turn
            .state
            .grid
            .range(army.field, u32::try_from(figures.range).unwrap_or(0)),
    };
    let (field, target) = strongest(turn.tables, &turn.state, season, surveys, engine, army.field, &fields)?;
    let cost = price(turn.tables, engine, army.count);
    let treasury = turn.state.realms.get(&engine.realm).map_or(0, |realm| realm.treasury);
    if cost > treasury {
        let why = Diagnostic::error("R06", span, &[rule::UNIT_11, rule::GAP_18])
            .with("k", cost)
            .with("v", treasury);
        return give_up(turn, season, engine, why);
    }
    if let Some(realm) = turn.state.realms.get_mut(&engine.realm) {
        realm.treasury -= cost;
    }
    let plan = season.plan_mut(engine);
    plan.shots += 1;
    plan.fired = i64::from(plan.shots) >= figures.shots_per_turn;
    let ground = surveys.get(&field)?;
    let priest = surveys
        .get(&army.field)
        .is_some_and(|own| own.has_priest(&turn.state, engine.realm));
    let hit: Vec<&Combatant> = ground
        .combatants
        .iter()
        .filter(|combatant| combatant.stands_as == target)
        .collect();
    let volley = Volley {
        men: army.count,
        value: turn.tables.of(engine.realm).combat_value(engine.kind()),
        people_percent: people_percent(&turn.state, engine.realm, engine.kind()),
        effect_percent: figures.effect_pct,
    };
    let kills = kills(&volley, ground, &hit, |kind| {
        effect_percent(turn.tables, engine.realm, engine.kind(), kind, priest)
    });
    let target = shown(turn.tables, &turn.state, season, target)?;
    let engine = shown(turn.tables, &turn.state, season, engine)?;
    Some(Shot {
        engine,
        field,
        cost,
        target,
        kills,
    })
}

fn give_up(turn: &mut SeasonTurn<'_>, season: &mut Season, engine: ArmyId, why: Diagnostic) -> Option<Shot> {
    season.plan_mut(engine).fired = true;
    // An army that never had an order line has nothing to be refused.
    if why.span != Span::default() {
        turn.refuse(engine.realm, why);
    }
    None
}

/// THO-UNIT-11, GAP-03, GAP-18: so many half gold pieces a man, rounded up.
fn price(tables: &Tables, engine: ArmyId, men: i64) -> i64 {
    let figures = tables.of(engine.realm);
    let halves = figures.missile.cost_per_head_half_gs[engine.kind()];
    mul_div(men, halves, 2, figures.rounding.shot_cost).unwrap_or(i64::MAX)
}

/// GAP-18: the strongest army within reach that can be seen, has no treaty with the engine's realm and can be hurt. Of equals
/// the first in order of realm and table.
fn strongest(
    tables: &Tables,
    state: &State,
    season: &Season,
    surveys: &mut BTreeMap<FieldIndex, Ground>,
    engine: ArmyId,
    stands: FieldIndex,
    fields: &[FieldIndex],
) -> Option<(FieldIndex, ArmyId)> {
    let mut best: Option<(i128, i128, FieldIndex, ArmyId)> = None;
    for field in fields
        .iter()
        .filter(|field| season.on(**field).any(|id| id.realm != engine.realm))
    {
        for needed in [stands, *field] {
            surveys
                .entry(needed)
                .or_insert_with(|| Ground::survey(tables, state, season, needed));
        }
        let priest = surveys
            .get(&stands)
            .is_some_and(|own| own.has_priest(state, engine.realm));
        let Some(ground) = surveys.get(field) else { continue };
        let mut strengths: BTreeMap<ArmyId, i128> = BTreeMap::new();
        for combatant in &ground.combatants {
            let foe = state.treaty(combatant.id.realm, engine.realm) == Treaty::NoTreaty;
            let hurt = effect_percent(tables, engine.realm, engine.kind(), combatant.kind, priest) > 0;
            if foe && hurt {
                *strengths.entry(combatant.stands_as).or_default() += combatant.strength;
            }
        }
        for (army, strength) in strengths {
            // Fields have different parts: strengths are compared as fractions.
            let better = best.is_none_or(|(other, parts, _, rival)| {
                let (one, two) = (strength * parts, other * ground.parts());
                one > two || (one == two && army < rival)
            });
            if better {
                best = Some((strength, ground.parts(), *field, army));
            }
        }
    }
    best.map(|(_, _, field, army)| (field, army))
}

/// GAP-18: heads lost = men x value x the people's percentage x 50 % / (target's value x (100 + bonus) %), rounded half up.
///
/// In a group the same worth falls on all members, each in proportion to what it adds. Demons take what THO-COMB-08 leaves.
fn kills(shooter: &Volley, ground: &Ground, hit: &[&Combatant], effect: impl Fn(Kind) -> i64) -> Vec<(ArmyId, i64)> {
    let positive = |number: i128| u128::try_from(number).unwrap_or(0);
    // The volley's worth in hundredths of one light warrior carries two percentages, the effect a third.
    let worth = positive(i128::from(shooter.men))
        * positive(i128::from(shooter.value))
        * positive(i128::from(shooter.people_percent))
        * positive(i128::from(shooter.effect_percent));
    let bare: i128 = hit.iter().map(|target| target.bare).sum();
    let under = positive(bare).saturating_mul(100 * 100 * 100).max(1);
    let lost = |target: &Combatant| {
        let over = worth
            .saturating_mul(positive(ground.bare_parts()))
            .saturating_mul(positive(i128::from(effect(target.kind))))
            .saturating_mul(positive(i128::from(target.count)));
        i64::try_from(rounded_sum(&[Fraction { over, under }]))
            .unwrap_or(i64::MAX)
            .min(target.count)
    };
    hit.iter().map(|target| (target.id, lost(target))).collect()
}

/// The figures of one shot.
struct Volley {
    men: i64,
    /// Value per head in hundredths of one light warrior.
    value: i64,
    people_percent: i64,
    effect_percent: i64,
}

/// The shot falls: losses, and what everyone concerned is told.
fn fall(turn: &mut SeasonTurn<'_>, season: &mut Season, shot: Shot) {
    let cause = season.cause(shot.engine.id, "shoot");
    // Shots of one week fall together: an earlier one may have left less of the target, or nothing, and of the shooter.
    let left = shown(turn.tables, &turn.state, season, shot.target.id);
    let target = left.unwrap_or(Shown {
        count: 0,
        ..shot.target
    });
    let mut after = 0;
    let mut wounds = Vec::new();
    for (id, lost) in &shot.kills {
        let Some(hit) = turn.state.army(*id) else { continue };
        let left = hit.count - lost.min(&hit.count);
        after += if left < turn.tables.of(id.realm).exist_min(id.kind()) {
            0
        } else {
            left
        };
        wounds.push((*id, *lost));
    }
    let mut rules = vec![rule::CMD_02, rule::UNIT_11, rule::GAP_18];
    if shot.target.id.kind().is_demon() {
        rules.extend([rule::COMB_08, rule::GAP_17]);
    }
    if shot.target.id.kind().is_group() {
        rules.push(rule::GAP_35);
    }
    let what = Happening::Shot {
        army: Box::new(shot.engine),
        field: shot.field,
        cost: shot.cost,
        target: Box::new(target),
        after,
    };
    let event = season.emit(turn, cause, rules, &[], what);
    for (id, lost) in wounds {
        strength::wound(turn, season, id, lost, Demise::Fight, Cause::Event(event));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::realm::RealmId;

    #[test]
    fn a_shot_costs_one_one_and_a_half_or_two_gold_a_man_rounded_up() {
        let book = Tables::book();
        let cost = |kind, men| price(&book, ArmyId::new(RealmId(1), kind, 1), men);
        assert_eq!(cost(Kind::LightEngine, 1000), 1000);
        assert_eq!(cost(Kind::MediumEngine, 1000), 1500);
        assert_eq!(cost(Kind::MediumEngine, 1001), 1502);
        assert_eq!(cost(Kind::HeavyEngine, 1001), 2002);
    }
}
