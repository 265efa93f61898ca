//! Advice on orders from the realm's own knowledge (ADR 4): the refusals that the month itself would speak in the world as the
//! player imagines it. Findings of reading the file are not repeated here.

use crate::imagine;
use crate::order::Order;
use crate::tables::Tables;
use crate::view::View;
use kernel::diagnostic::{Diagnostic, Parsed, Severity};
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
    advice
}

/// What depends on the fortunes of the march is a warning, not an error: heads lost on the way decide over room and sizes.
fn soften(finding: &mut Diagnostic) {
    if matches!(&*finding.code, "E_CAPACITY" | "E_MIN") && finding.severity == Severity::Error {
        finding.severity = Severity::Warning;
    }
}
