//! Watch posts, towers, fortresses (PYG-WORK-01..07, PYG-GAP-21). Part B; what they do in sight and fights stands there.

use crate::codes::WorkKind;
use crate::event::economy::Affair;
use crate::month::{self, Month, MonthTurn};
use crate::order::Order;
use crate::rule;
use crate::settlements::{self, own_field, wrong_place};
use crate::state::{State, Work};
use crate::tables::Tables;
use crate::treasury::{self, Price};
use kernel::diagnostic::Diagnostic;
use kernel::hex::FieldIndex;
use kernel::rule::RuleId;
use kernel::turn::Cause;

/// `BAU`.
///
/// PYG-GAP-21: on own land without a settlement. PYG-WORK-02: towers come from a watch post of an earlier month; PYG-WORK-07: a fortress stands
/// by itself. PYG-WORK-06: at least one unbuilt field between two works of anyone.
pub fn build(turn: &mut MonthTurn<'_>, month: &mut Month) {
    for (realm, order) in month::orders(turn) {
        let Order::Build {
            work: kind,
            field: place,
        } = &order.value
        else {
            continue;
        };
        let tables = turn.tables;
        let Some(field) = own_field(turn, realm, place, &[rule::GAP_21]) else {
            continue;
        };
        if turn.state.field(field).settlement.is_some() && !tables.works.on_settlement_field {
            wrong_place(turn, realm, place, &[rule::GAP_21], "place-unsettled");
            continue;
        }
        let standing = turn.state.field(field).work;
        let base = foundation(*kind);
        let stage = standing.map(|work| work.kind) == base;
        let settled = base.is_none() || standing.is_some_and(|work| work.built < month.step);
        if !stage || !settled {
            let finding = Diagnostic::error("E_STAGE", place.span, &[rule::WORK_02, rule::WORK_07, rule::GAP_21]);
            turn.refuse(realm, finding.with("field", place.value.to_string()));
            continue;
        }
        let near = match base {
            None => too_near(tables, &turn.state, field),
            Some(_) => Vec::new(),
        };
        let is_news = |other: &FieldIndex| {
            let there = turn.state.field(*other);
            there.owner != realm && there.work.is_some_and(|work| work.built == month.step)
        };
        let known = near.iter().copied().find(|other| !is_news(other));
        if let Some(other) = known.or(near.first().copied()) {
            let rules = &[rule::WORK_06, rule::GAP_21];
            if known.is_none() {
                settlements::forestalled(turn, month, (realm, order.span), place.value, other, rules);
                continue;
            }
            let finding = Diagnostic::error("E_SPACING", place.span, rules);
            let finding = finding.with("field", place.value.to_string());
            let finding = finding.with("other", turn.state.place(other).to_string());
            turn.refuse(realm, finding.with("min", tables.works.min_distance));
            continue;
        }
        let cost = tables.work[*kind].cost;
        if !treasury::spend(turn, month, realm, order.span, Price::new(cost, rules_of(*kind))) {
            continue;
        }
        turn.state.field_mut(field).work = Some(Work {
            kind: *kind,
            built: month.step,
        });
        let what = Affair::WorkBuilt {
            field: place.value,
            work: *kind,
            n: cost,
        };
        month.emit(
            turn,
            Cause::Order(realm, order.span),
            rules_of(*kind),
            &[],
            what.of(realm),
        );
    }
}

/// What a work is built on: towers on a watch post, the others on open ground.
const fn foundation(kind: WorkKind) -> Option<WorkKind> {
    match kind {
        WorkKind::WatchPost | WorkKind::Fortress => None,
        WorkKind::LookoutTower | WorkKind::WatchTower => Some(WorkKind::WatchPost),
    }
}

const fn rules_of(kind: WorkKind) -> &'static [RuleId] {
    match kind {
        WorkKind::WatchPost => &[rule::WORK_01, rule::WORK_06, rule::GAP_21],
        WorkKind::LookoutTower => &[rule::WORK_02, rule::WORK_03, rule::GAP_21],
        WorkKind::WatchTower => &[rule::WORK_02, rule::WORK_04, rule::GAP_21],
        WorkKind::Fortress => &[rule::WORK_05, rule::WORK_06, rule::WORK_07, rule::GAP_21],
    }
}

/// Works of anyone that are nearer than the rules allow, by number.
fn too_near(tables: &Tables, state: &State, field: FieldIndex) -> Vec<FieldIndex> {
    let within = u32::try_from(tables.works.min_distance - 1).unwrap_or(0);
    let around = state.chart.range(field, within).into_iter();
    around
        .filter(|other| *other != field && state.field(*other).work.is_some())
        .collect()
}
