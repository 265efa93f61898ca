//! Who is out, and the ranking (PYG-GAP-66).

use crate::codes::Kind;
use crate::event::common::Common;
use crate::event::war::War;
use crate::month::{Month, MonthTurn};
use crate::rule;
use crate::state::{ArmyId, State, Status};
use crate::tables::Tables;
use kernel::ratio::{Rounding, div};
use kernel::realm::RealmId;
use kernel::turn::Cause;
use std::cmp::Reverse;

const STEP: &str = "standing";

/// Realms without land and armies are out; in month 8 the score is told.
pub fn judge(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let realms: Vec<RealmId> = turn.state.playing().collect();
    for realm in realms {
        eliminate(turn, month, realm);
    }
    if turn.tables.date(month.step).1 == turn.tables.ranking.month {
        rank(turn, month);
    }
}

/// PYG-GAP-66: a realm without land, army and fleet is out; its traders go home.
fn eliminate(turn: &mut MonthTurn<'_>, month: &mut Month, realm: RealmId) {
    let lives = turn.state.land_of(realm).next().is_some()
        || turn.state.armies_of(realm).any(|(id, _)| id.kind() != Kind::Trader);
    if lives {
        return;
    }
    let traders: Vec<ArmyId> = turn.state.armies_of(realm).map(|(id, _)| id).collect();
    for trader in traders {
        month.remove(&mut turn.state, trader);
    }
    if let Some(own) = turn.state.realms.get_mut(&realm) {
        own.status = Status::Eliminated;
    }
    let what = Common::RealmEliminated { realm };
    month.emit(turn, Cause::Step(STEP), &[rule::GAP_66][..], &[], what);
}

/// The score of the year, to the game master, or to all if it is published.
fn rank(turn: &mut MonthTurn<'_>, month: &Month) {
    let mut scores: Vec<(RealmId, i64)> = turn
        .state
        .playing()
        .map(|realm| (realm, score(turn.tables, &turn.state, realm)))
        .collect();
    scores.sort_by_key(|(realm, score)| (Reverse(*score), *realm));
    let published = turn.tables.ranking.published;
    let list = scores.clone();
    for (realm, score) in scores {
        let better = list.iter().filter(|(_, other)| *other > score).count();
        let rank = u32::try_from(better).unwrap_or(u32::MAX).saturating_add(1);
        let what = War::Ranked {
            realm,
            rank,
            score,
            published,
        };
        month.emit(turn, Cause::Step(STEP), &[rule::GAP_66][..], &[], what);
    }
}

/// Population points, fields, towns, and full 50,000 GS of a realm (PYG-GAP-66).
pub fn score(tables: &Tables, state: &State, realm: RealmId) -> i64 {
    let figures = &tables.ranking;
    let mut score: i64 = 0;
    for (_, field) in state.land_of(realm) {
        let mut points = tables.terrain[field.terrain].population;
        if let Some(town) = &field.settlement {
            points = points
                .saturating_add(tables.settlement[town.kind].population)
                .saturating_add(town.grown);
        }
        let town = if field.town(tables).is_some() {
            figures.per_town
        } else {
            0
        };
        score = score
            .saturating_add(points.saturating_mul(figures.per_population_point))
            .saturating_add(figures.per_field)
            .saturating_add(town);
    }
    let gold = state.realms.get(&realm).map_or(0, |own| own.treasury);
    score.saturating_add(div(gold, figures.gold_per_point, Rounding::Down).unwrap_or(0))
}
