//! Roads from the capital to the other towns, a section or two a month (PYG-ROAD-01..07).

use super::{Desk, ways};
use kernel::hex::FieldIndex;

/// A ruler who has less keeps it for armies and settlements.
const RICH: i64 = 150_000;

/// Writes the next section of the road to the nearest town that has none yet.
pub(super) fn build(desk: &Desk<'_>, lines: &mut Vec<String>) {
    let Some(capital) = desk.state.capital_of(desk.realm).filter(|_| desk.gold > RICH) else {
        return;
    };
    let by_road = |from: FieldIndex, to: FieldIndex| {
        let side = desk.state.chart.direction_to(from, to);
        side.is_some_and(|side| desk.field(from).roads.has(side))
    };
    let joined = ways::steps(desk, [capital], by_road);
    let towns: Vec<FieldIndex> = desk
        .land()
        .into_iter()
        .filter(|field| desk.field(*field).town(desk.tables).is_some() && joined[field.index()] == ways::NONE)
        .collect();
    let can_build = |from: FieldIndex, to: FieldIndex| {
        let side = desk.state.chart.direction_to(from, to);
        let dry = side.is_some_and(|side| {
            let here = desk.field(from);
            !here.rivers.has(side) || here.bridges.has(side)
        });
        dry && desk.is_own(from) && desk.is_own(to)
    };
    let steps = ways::steps(desk, towns, can_build);
    // The road goes on where it ends now: at its field that is nearest to the town.
    let ends = desk
        .land()
        .into_iter()
        .filter(|field| joined[field.index()] != ways::NONE);
    let Some(end) = ends.min_by_key(|field| (steps[field.index()], joined[field.index()])) else {
        return;
    };
    let way = ways::way(desk, end, &steps, can_build);
    if let [from, to, ..] = way[..] {
        lines.push(format!("STRASSE {}", desk.path(&[from, to])));
    }
}
