//! Splitting and merging armies (THO-SPEC-01..04).

use crate::codes::Kind;
use crate::event::Happening;
use crate::order::Special;
use crate::season::{Season, SeasonTurn};
use crate::state::{Army, ArmyId, ArmyName};
use crate::{grammar, rule, sea};
use kernel::diagnostic::{Diagnostic, Span};

/// B4: splitting.
///
/// THO-SPEC-03: heads become a new army of the same kind, which may have an order line of its own. It takes over place,
/// movement points, fitness, flag and starting point, and has stood where the old army has stood. THO-SPEC-02: both parts
/// can carry out no other special before week 1. GAP-19: the cargo of a fleet stays with the old part.
pub fn split(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    for (id, special) in season.pending(|special| matches!(special, Special::Split { .. })) {
        let Special::Split { number, count } = special.value else {
            continue;
        };
        let Some(army) = turn.state.army(id).cloned() else {
            continue;
        };
        season.plan_mut(id).special_done = true;
        let part = ArmyName::new(id.kind(), number).of(id.realm);
        if let Err(refusal) = may_split(turn, season, id, &army, part, count, special.span) {
            turn.refuse(id.realm, *refusal);
            continue;
        }
        if let Some(army) = turn.state.armies.get_mut(&id) {
            army.count -= count;
        }
        let branch = Army {
            count,
            command: crate::codes::Command::Defend,
            ..army
        };
        season.add(&mut turn.state, part, branch);
        season.plan_mut(id).just_split = true;
        let stayed = season.plan(id).is_some_and(|plan| plan.stayed);
        let plan = season.plan_mut(part);
        plan.just_split = true;
        plan.stayed = stayed;
        let rules = &[rule::SPEC_03, rule::SPEC_01, rule::UNIT_01, rule::UNIT_06][..];
        let cause = season.cause(id, "split");
        season.emit(turn, cause, rules, &[], Happening::ArmySplit { army: id, part, count });
    }
}

/// Whether an army may split: A11, A08, A16, A09, A10, A15, R12.
fn may_split(
    turn: &SeasonTurn<'_>,
    season: &Season,
    id: ArmyId,
    army: &Army,
    part: ArmyId,
    count: i64,
    span: Span,
) -> Result<(), Box<Diagnostic>> {
    let state = &turn.state;
    let tables = turn.tables.of(id.realm);
    unless_power(id.kind(), span)?;
    unless_just_split(season, id, span)?;
    if let Some(fleet) = army.aboard {
        // Its fleet would carry two armies.
        let refusal = Diagnostic::error("A16", span, &[rule::SEA_03, rule::SPEC_03]);
        return Err(Box::new(
            refusal
                .with("flotte", fleet.to_string())
                .with("armee", id.name.to_string()),
        ));
    }
    if state.army(part).is_some() {
        let refusal = Diagnostic::error("A09", span, &[rule::SPEC_03, rule::UNIT_01]);
        return Err(Box::new(refusal.with("armee", part.name.to_string())));
    }
    let (left, least) = (army.count.saturating_sub(count), tables.exist_min(id.kind()));
    if left.min(count) < least {
        let refusal = Diagnostic::error("A10", span, &[rule::SPEC_03, rule::UNIT_06]);
        return Err(Box::new(refusal.with("n", left.min(count)).with("min", least)));
    }
    if let Some(cargo) = season.followers(id).first() {
        let heads = state.army(*cargo).map_or(0, |cargo| cargo.count);
        let (needed, offered) = (
            sea::space(tables, cargo.kind(), heads),
            sea::room(tables, id.kind(), left),
        );
        if needed > offered {
            let refusal = Diagnostic::error("A15", span, &[rule::SEA_02, rule::UNIT_09, rule::GAP_19]);
            return Err(Box::new(refusal.with("k", offered).with("b", needed)));
        }
    }
    if let (Some((most, own_rule)), true) = (trader_limit(turn, id), id.kind().is_trader()) {
        let kept = state
            .armies_of(id.realm)
            .filter(|(other, _)| other.kind() == id.kind())
            .count();
        if i64::try_from(kept).unwrap_or(i64::MAX) >= most {
            let refusal = Diagnostic::error("R12", span, &[own_rule, rule::SPEC_03]);
            let refusal = refusal
                .with("n", i64::try_from(kept).unwrap_or(i64::MAX))
                .with("art", id.kind().code());
            return Err(Box::new(refusal.with("max", most)));
        }
    }
    Ok(())
}

/// How many caravans or trade fleets a realm may keep (THO-TRADE-07, THO-TRADE-12).
fn trader_limit(turn: &SeasonTurn<'_>, id: ArmyId) -> Option<(i64, kernel::rule::RuleId)> {
    let kind = turn.state.realms.get(&id.realm)?.kind;
    let trade = &turn.tables.of(id.realm).trade;
    Some(match id.kind() {
        Kind::Caravan => (trade.max_caravans[kind], rule::TRADE_07),
        _ => (trade.max_fleets[kind], rule::TRADE_12),
    })
}

/// B4: merging.
///
/// THO-SPEC-04: the named army joins the ordering one and is no more. The lower movement points count, different fitness
/// is lost (GAP-25), the cargo of a fleet changes ships, and of two starting points the nearer one stays.
pub fn merge(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    for (id, special) in season.pending(|special| matches!(special, Special::Merge { .. })) {
        let Special::Merge { number } = special.value else {
            continue;
        };
        let Some(army) = turn.state.army(id).cloned() else {
            continue;
        };
        season.plan_mut(id).special_done = true;
        let joined = ArmyName::new(id.kind(), number).of(id.realm);
        if let Err(refusal) = may_merge(turn, season, id, &army, joined, special.span) {
            turn.refuse(id.realm, *refusal);
            continue;
        }
        let cargo = season.followers(joined);
        let Some(other) = season.remove(&mut turn.state, joined) else {
            continue;
        };
        for carried in cargo {
            season.attach(&mut turn.state, carried, |carried| carried.aboard = Some(id.name));
        }
        let count = other.count;
        let nearer = [army.start, other.start]
            .into_iter()
            .flatten()
            .min_by_key(|start| turn.state.grid.distance(*start, army.field));
        if let Some(army) = turn.state.armies.get_mut(&id) {
            army.count = army.count.saturating_add(count);
            army.points = army.points.min(other.points);
            army.fit = army.fit.filter(|fit| other.fit == Some(*fit));
            army.start = nearer;
        }
        let stayed = season.plan(joined).is_some_and(|plan| plan.stayed);
        season.plan_mut(id).stayed &= stayed;
        let mut rules = vec![rule::SPEC_04, rule::SPEC_01, rule::GAP_25];
        if army.start != other.start {
            rules.push(rule::MAP_07);
        }
        let cause = season.cause(id, "merge");
        season.emit(
            turn,
            cause,
            rules,
            &[],
            Happening::ArmiesMerged {
                army: id,
                joined,
                count,
            },
        );
    }
}

/// Whether an army may take another in: A11, A08, A06, A01, A34, A12, A16, R13.
fn may_merge(
    turn: &SeasonTurn<'_>,
    season: &Season,
    id: ArmyId,
    army: &Army,
    joined: ArmyId,
    span: Span,
) -> Result<(), Box<Diagnostic>> {
    let tables = turn.tables.of(id.realm);
    unless_power(id.kind(), span)?;
    unless_just_split(season, id, span)?;
    let name = joined.name.to_string();
    if joined == id {
        return Err(Box::new(
            Diagnostic::error("A06", span, &[rule::SPEC_04])
                .with("t", name)
                .with_word("muster", grammar::MERGE.pattern),
        ));
    }
    let Some(other) = turn.state.army(joined) else {
        return Err(Box::new(
            Diagnostic::error("A01", span, &[rule::SPEC_04, rule::UNIT_01]).with("armee", name),
        ));
    };
    if other.group.is_some() {
        let refusal = Diagnostic::error("A34", span, &[rule::SPEC_04, rule::GAP_35]);
        return Err(Box::new(
            refusal.with_word(
                "spezial",
                Special::Merge {
                    number: joined.name.number,
                }
                .verb(),
            ),
        ));
    }
    if !army.is_free() || !other.is_free() || army.field != other.field {
        return Err(Box::new(
            Diagnostic::error("A12", span, &[rule::SPEC_04]).with("armee", name),
        ));
    }
    if let (Some(aboard), Some(_)) = (season.followers(id).first(), season.followers(joined).first()) {
        let refusal = Diagnostic::error("A16", span, &[rule::SEA_03, rule::SPEC_04]);
        let refusal = refusal
            .with("flotte", id.name.to_string())
            .with("armee", aboard.name.to_string());
        return Err(Box::new(refusal));
    }
    let total = army.count.saturating_add(other.count);
    let most = match id.kind() {
        Kind::Caravan => Some((tables.trade.max_caravan_size, rule::TRADE_06)),
        Kind::TradeFleet => Some((tables.trade.max_fleet_size, rule::TRADE_08)),
        _ => None,
    };
    if let Some((most, own_rule)) = most.filter(|(most, _)| total > *most) {
        let refusal = Diagnostic::error("R13", span, &[own_rule, rule::SPEC_04]);
        return Err(Box::new(
            refusal
                .with("armee", id.name.to_string())
                .with("n", total)
                .with("max", most),
        ));
    }
    Ok(())
}

/// A11: wizards, demons and priests are one and cannot be two (THO-SPEC-03, -04, THO-DEM-08).
fn unless_power(kind: Kind, span: Span) -> Result<(), Box<Diagnostic>> {
    if kind.is_power() {
        let refusal = Diagnostic::error("A11", span, &[rule::SPEC_03, rule::SPEC_04, rule::DEM_08]);
        return Err(Box::new(refusal.with("typ", kind.code())));
    }
    Ok(())
}

/// A08 (THO-SPEC-02).
fn unless_just_split(season: &Season, id: ArmyId, span: Span) -> Result<(), Box<Diagnostic>> {
    if season.plan(id).is_some_and(|plan| plan.just_split) {
        let refusal = Diagnostic::error("A08", span, &[rule::SPEC_02]);
        return Err(Box::new(refusal.with("armee", id.name.to_string())));
    }
    Ok(())
}
