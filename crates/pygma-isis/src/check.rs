//! Advice on orders from the realm's own knowledge (ADR 4): the refusals that the month itself would speak in the world as the
//! player imagines it. Findings of reading the file are not repeated here.

use crate::order::Order;
use crate::state::State;
use crate::tables::Tables;
use crate::view::View;
use crate::{hygiene, imagine, planner, rule};
use kernel::diagnostic::{Diagnostic, Parsed, Severity, Span};
use kernel::realm::RealmId;
use std::collections::BTreeSet;

/// Advice on read orders.
pub fn check(tables: &Tables, view: &View, parsed: &Parsed<Order>) -> Vec<Diagnostic> {
    let outcome = view.realm().zip(imagine::rehearsal(tables, view, parsed));
    let Some((realm, mut outcome)) = outcome else {
        return Vec::new();
    };
    let mut advice = outcome.refusals.remove(&realm).unwrap_or_default();
    // What is settled before the march hangs on nothing that its player cannot know.
    let settled: BTreeSet<u32> = parsed
        .orders
        .iter()
        .filter(|order| {
            !matches!(
                order.value,
                Order::Move(_) | Order::Unload { .. } | Order::Merge { before: false, .. }
            )
        })
        .map(|order| order.span.line)
        .collect();
    for finding in advice
        .iter_mut()
        .filter(|finding| !settled.contains(&finding.span.line))
    {
        soften(finding);
    }
    advice.extend(plague_ahead(tables, view.step, (&outcome.state, realm), parsed));
    advice
}

/// PYG-HYG-02, PYG-HYG-04: in an arming month, towns for whose hygiene less is ordered than keeps the plague away.
fn plague_ahead(
    tables: &Tables,
    step: u32,
    (state, realm): (&State, RealmId),
    parsed: &Parsed<Order>,
) -> Option<Diagnostic> {
    if !tables.is_arming(step.saturating_add(1)) {
        return None;
    }
    let towns = i64::try_from(hygiene::liable(tables, state, realm).len()).ok()?;
    let ordered = parsed.orders.iter().rev().find_map(|order| match &order.value {
        Order::Hygiene { gold } => Some((order.span, gold.value)),
        _ => None,
    });
    let (span, gold) = ordered.unwrap_or((Span::default(), 0));
    let face = hygiene::plague_face(tables, hygiene::per_town(gold, towns));
    let best = planner::forecast_arming(tables, state, realm, 0).hygiene;
    // Who has no town has nothing to keep clean, and in some worlds nothing keeps the plague away.
    if towns == 0 || face <= 0 || gold >= best {
        return None;
    }
    let hint = Diagnostic::hint(
        "H_PLAGUE",
        span,
        &[rule::HYG_02, rule::HYG_04, rule::PLAG_01, rule::PLAG_02],
    );
    let hint = hint.with("n", gold).with("towns", towns).with("best", best);
    let hint = hint.with("pct", face * 100 / hygiene::D20);
    Some(match ordered {
        Some((span, _)) => hint.mended_by(span, format!("HYGIENE {best}")),
        None => hint,
    })
}

/// What depends on the fortunes of the march is a warning, not an error: heads lost on the way decide over room and sizes.
fn soften(finding: &mut Diagnostic) {
    if matches!(&*finding.code, "E_CAPACITY" | "E_MIN") && finding.severity == Severity::Error {
        finding.severity = Severity::Warning;
    }
}
