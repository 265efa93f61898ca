//! Absent players (PYG-GAP-68).

use crate::judgement;
use crate::month::{Month, MonthTurn};
use crate::rule;
use crate::ruling::Ruling;
use kernel::realm::RealmId;

/// After three missed months the game master is asked what becomes of the realm; until he answers it waits.
pub fn judge(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let after = turn.tables.absence.ask_after;
    let realms: Vec<RealmId> = turn.state.playing().collect();
    for realm in realms {
        let missed = turn.state.realms.get(&realm).map_or(0, |own| own.missed);
        if missed < after {
            continue;
        }
        let answer = turn.ruling(rule::GAP_68, Some(realm), &format!("realm {realm}"), Ruling::KeepRealm);
        judgement::carry_out(turn, month, &answer);
    }
}
