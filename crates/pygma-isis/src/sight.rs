//! What realms see (PYG-SEE-01..06, PYG-GAME-07, PYG-GAP-33, PYG-GAP-34).
//!
//! Part A. Terrain is written; foreign armies and creatures (control range, entry notices, banners) are not: [`look`] does nothing.

use crate::month::{Month, MonthTurn};
use crate::state::{Glimpse, Known, Realm, State};
use crate::tables::Tables;
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use std::collections::BTreeSet;

/// Sightings of the running tick.
pub fn look(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// What every realm sees at the end of the month enters its map.
pub fn survey(turn: &mut MonthTurn<'_>, _month: &mut Month) {
    refresh(turn.tables, &mut turn.state);
}

/// Brings the knowledge of all realms up to the state of the world.
pub fn refresh(tables: &Tables, state: &mut State) {
    let realms: Vec<RealmId> = state.playing().collect();
    for realm in realms {
        let seen: Vec<(FieldIndex, Glimpse)> = visible(tables, state, realm)
            .into_iter()
            .map(|field| (field, Glimpse::of(state.field(field))))
            .collect();
        let step = state.step;
        if let Some(own) = state.realms.get_mut(&realm) {
            for (_, glimpse) in &seen {
                note_banner(own, realm, glimpse.owner);
            }
            let seen = seen
                .into_iter()
                .map(|(field, glimpse)| (field, Known { step, glimpse }));
            own.knowledge.extend(seen);
        }
    }
}

/// PYG-GAP-34: a realm that was seen has a banner with a number that stays.
pub fn note_banner(own: &mut Realm, me: RealmId, other: RealmId) {
    if other.is_played() && other != me && !own.banners.contains_key(&other) {
        let next = own.banners.values().max().map_or(1, |last| last.saturating_add(1));
        own.banners.insert(other, next);
    }
}

/// Every field whose terrain a realm sees: around its land, armies, settlements and works (PYG-SEE-01, PYG-GAP-33).
pub fn visible(tables: &Tables, state: &State, realm: RealmId) -> BTreeSet<FieldIndex> {
    let mut seen = BTreeSet::new();
    for (index, field) in state.land_of(realm) {
        let mut range = tables.sight.territory;
        if field.settlement.is_some() {
            range = range.max(tables.sight.settlement_sight);
        }
        if let Some(work) = field.work {
            range = range
                .max(tables.sight.work_sight_min)
                .max(tables.work[work.kind].control);
        }
        seen.extend(state.chart.range(index, range));
    }
    for (_, army) in state.armies_of(realm) {
        seen.extend(state.chart.range(army.field, tables.armies.sight));
    }
    seen
}
