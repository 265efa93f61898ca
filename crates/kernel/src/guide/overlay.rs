//! A sheet laid over a world: only what would be another afterwards is a change.
//!
//! A map editor saves the whole world, one change to a line, and loads it again with a few lines written anew. Were every line
//! a change, the game master's record would say that he had changed everything.

use super::{Changes, Guide};
use std::collections::BTreeSet;

/// Changes a state by a text, as [`Guide::change_world`] does, with no more lines than the outcome needs: those are left out
/// that say what the sheet of the world says already, all of them or, if their order matters, those of some verbs.
/// Lines keep their numbers.
pub(super) fn lay_over<G: Guide>(
    tables: &G::Tables,
    state: &mut G::State,
    earlier: &[G::Ruling],
    text: &str,
) -> Changes<G::Ruling> {
    let before = state.clone();
    let mut changes = G::change_world(tables, state, earlier, text);
    if text.lines().nth(1).is_none() || changes.made + changes.faults.len() < 2 {
        return changes;
    }
    let mut untouched = before.clone();
    G::change_world(tables, &mut untouched, earlier, "");
    let sheet = G::write_world(tables, &untouched);
    let standing: BTreeSet<&str> = sheet.lines().collect();
    let mut lines: Vec<&str> = text.lines().map(str::trim).collect();
    let verbs: BTreeSet<&str> = lines
        .iter()
        .filter(|line| standing.contains(*line))
        .map(|line| verb(line))
        .collect();
    let wanted = said(&G::write_world(tables, state));
    let every = std::iter::once(None).filter(|_| verbs.len() > 1);
    for left_out in every.chain(verbs.iter().copied().map(Some)) {
        let is_left_out = |line: &&str| standing.contains(*line) && left_out.is_none_or(|only| verb(line) == only);
        let fewer: Vec<&str> = lines
            .iter()
            .map(|line| if is_left_out(line) { "" } else { *line })
            .collect();
        let mut outcome = before.clone();
        let tried = G::change_world(tables, &mut outcome, earlier, &fewer.join("\n"));
        if tried.faults.len() > changes.faults.len() || said(&G::write_world(tables, &outcome)) != wanted {
            continue;
        }
        (*state, changes, lines) = (outcome, tried, fewer);
        if left_out.is_none() {
            break;
        }
    }
    changes
}

/// What a sheet says, whatever the order of its lines.
fn said(sheet: &str) -> Vec<String> {
    let mut lines: Vec<String> = sheet.lines().map(str::to_owned).collect();
    lines.sort_unstable();
    lines
}

/// What a line does: its first word.
fn verb(line: &str) -> &str {
    line.split(' ').next().unwrap_or_default()
}
