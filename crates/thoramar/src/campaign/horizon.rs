//! How long a difference between two worlds stays out of a realm's sight.
//!
//! Nothing spreads faster than an army marches: one field a week, and a little before the first week by wizards and priests.
//! So what is more than two seasons' marches away from everything near the viewer cannot be known after one more season.

use super::SPY;
use super::scramble::is_far;
use crate::order::WEEKS;
use crate::state::{Army, ArmyId, State};
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use std::collections::{BTreeMap, BTreeSet};

/// Both sides march towards each other; wizards and priests reach four fields, shots and eyes one.
const REACH: u32 = 2 * WEEKS as u32 + 8;
/// What differs after a season from worlds that were out of reach before it is still farther away than this.
const CLOSE: u32 = REACH - 2 * WEEKS as u32 - 6;

/// Whether nothing of what differs can be known to the viewer after one more season.
///
/// # Errors
/// What differs near the viewer, although nothing could have brought it there.
pub(super) fn unknowable(one: &State, two: &State, viewer: RealmId) -> Result<bool, String> {
    let status = |state: &State| state.realms.values().map(|realm| realm.status).collect::<Vec<_>>();
    if status(one) != status(two) {
        // Everybody hears of a realm's end.
        return Ok(false);
    }
    let differing = differing(one, two);
    let circle: BTreeSet<FieldIndex> = circle(one, viewer).chain(circle(two, viewer)).collect();
    let mut nearest = u32::MAX;
    for field in differing {
        let distance = circle.iter().map(|near| one.grid.distance(field, *near)).min();
        let distance = distance.unwrap_or(u32::MAX);
        if distance <= CLOSE {
            let place = one.place(viewer, field);
            return Err(format!(
                "field {place} of realm {viewer} differs:\n  one   {}\n  other {}",
                facts(one, field),
                facts(two, field)
            ));
        }
        nearest = nearest.min(distance);
    }
    Ok(nearest > REACH && [one, two].into_iter().all(spies_keep_still))
}

/// A spy on its own realm's land calms it, one on nobody's land keeps monsters away: both would show some day.
fn spies_keep_still(state: &State) -> bool {
    state.armies.iter().filter(|(id, _)| is_spy(**id)).all(|(id, army)| {
        let owner = state.field(army.field).owner;
        owner.is_played() && owner != id.realm
    })
}

fn is_spy(id: ArmyId) -> bool {
    id.realm.is_played() && id.name.number >= SPY
}

/// Where the worlds differ in the land or in who stands there. The number of a wild army is nobody's knowledge.
fn differing(one: &State, two: &State) -> BTreeSet<FieldIndex> {
    let land = one.grid.fields().filter(|field| one.field(*field) != two.field(*field));
    let mut fields: BTreeSet<FieldIndex> = land.collect();
    let (there, here) = (standing(one), standing(two));
    for field in there.keys().chain(here.keys()) {
        if there.get(field) != here.get(field) {
            fields.insert(*field);
        }
    }
    fields
}

/// Every army by its field, spies left out.
fn standing(state: &State) -> BTreeMap<FieldIndex, Vec<(ArmyId, &Army)>> {
    let mut standing: BTreeMap<FieldIndex, Vec<(ArmyId, &Army)>> = BTreeMap::new();
    for (id, army) in state.armies.iter().filter(|(id, _)| !is_spy(**id)) {
        let number = if id.realm.is_played() { id.name.number } else { 0 };
        let name = ArmyId::new(id.realm, id.kind(), number);
        standing.entry(army.field).or_default().push((name, army));
    }
    standing
}

/// Where the viewer and his neighbours are: their capitals, land and armies.
fn circle(state: &State, viewer: RealmId) -> impl Iterator<Item = FieldIndex> + '_ {
    let is_near = move |realm: RealmId| realm.is_played() && !is_far(state, viewer, realm);
    let capitals = state.realms.keys().copied().filter(move |realm| is_near(*realm));
    let land = state
        .grid
        .fields()
        .filter(move |field| is_near(state.field(*field).owner));
    let armies = state.armies.iter().filter(move |(id, _)| is_near(id.realm));
    capitals
        .map(|realm| state.origin_of(realm))
        .chain(land)
        .chain(armies.map(|(_, army)| army.field))
}

fn facts(state: &State, field: FieldIndex) -> String {
    let armies = standing(state).remove(&field).unwrap_or_default();
    format!("{:?} with {armies:?}", state.field(field))
}
