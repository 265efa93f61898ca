//! Ways over the known world.

use super::Desk;
use kernel::hex::FieldIndex;
use std::collections::VecDeque;

/// Where there is no way.
pub(super) const NONE: u32 = u32::MAX;

/// Steps from every field to the nearest of the goals, [`NONE`] without a way. `passes` says whether a step from one field to the next is
/// possible.
pub(super) fn steps(
    desk: &Desk<'_>,
    goals: impl IntoIterator<Item = FieldIndex>,
    passes: impl Fn(FieldIndex, FieldIndex) -> bool,
) -> Vec<u32> {
    let chart = desk.state.chart;
    let mut steps = vec![NONE; desk.state.fields.len()];
    let mut open = VecDeque::new();
    for goal in goals {
        steps[goal.index()] = 0;
        open.push_back(goal);
    }
    while let Some(to) = open.pop_front() {
        let next = steps[to.index()].saturating_add(1);
        for (_, from) in chart.neighbours(to) {
            if steps[from.index()] == NONE && passes(from, to) {
                steps[from.index()] = next;
                open.push_back(from);
            }
        }
    }
    steps
}

/// A shortest way to the nearest goal, its first field first; nothing without one.
pub(super) fn way(
    desk: &Desk<'_>,
    from: FieldIndex,
    steps: &[u32],
    passes: impl Fn(FieldIndex, FieldIndex) -> bool,
) -> Vec<FieldIndex> {
    let left = |field: FieldIndex| steps.get(field.index()).copied().unwrap_or(NONE);
    if left(from) == NONE {
        return Vec::new();
    }
    let mut way = vec![from];
    let mut here = from;
    while left(here) > 0 {
        let mut around = desk.state.chart.neighbours(here).map(|(_, field)| field);
        let Some(next) = around.find(|next| left(*next) < left(here) && passes(here, *next)) else {
            return Vec::new();
        };
        way.push(next);
        here = next;
    }
    way
}
