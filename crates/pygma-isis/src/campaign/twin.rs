//! The same world with everything changed that one realm cannot know, and how long it stays out of sight.
//!
//! Nothing spreads faster than an army marches: ten fields a month on the best road. So what is more than two such months away from
//! everything near the viewer cannot be known after one more.

use super::affairs;
use super::orders::{self, PUBLIC, STEPS_MAX};
use super::{CELLAR, Lots, RICH, SPY};
use crate::PygmaIsis;
use crate::codes::{Good, Kind, Stance, Terrain};
use crate::state::{Acquaintance, Army, ArmyId, ArmyName, Band, Realm, State};
use crate::tables::Tables;
use kernel::campaign::Setting;
use kernel::game::Game;
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use std::collections::BTreeSet;

/// Capitals farther apart than this belong to different pairs.
const FAR: u32 = 30;
/// Around a far capital so much is turned upside down.
const UPHEAVAL: u32 = 6;
/// Both sides march towards each other, and look two fields far.
const REACH: u32 = 2 * 10 + 8;
/// What differs nearer than this has come nearer than anybody can march.
const CLOSE: u32 = 2;

/// Whether a realm belongs to the other pair.
fn is_far(state: &State, viewer: RealmId, realm: RealmId) -> bool {
    let home = |realm: RealmId| state.realms.get(&realm).map(|own| own.home);
    match (home(viewer), home(realm)) {
        (Some(one), Some(other)) => state.chart.distance(one, other) > FAR,
        _ => false,
    }
}

/// The twin of a setting for one viewer, good for so many steps.
pub(super) fn scramble(
    setting: &Setting<PygmaIsis>,
    viewer: RealmId,
    steps: u32,
    lots: &mut Lots<'_>,
) -> Setting<PygmaIsis> {
    let mut twin = setting.clone();
    let Ok(tables) = PygmaIsis::tables("") else { return twin };
    let realms: Vec<RealmId> = twin.state.playing().filter(|realm| *realm != viewer).collect();
    let far: Vec<RealmId> = realms
        .iter()
        .copied()
        .filter(|realm| is_far(&twin.state, viewer, *realm))
        .collect();
    for realm in realms {
        if far.contains(&realm) {
            far_realm(&tables, &mut twin, realm, lots);
            affairs::upset(&tables, &mut twin.state, realm, viewer, lots);
        } else {
            // Only where a little more gold pays for nothing more, for what is built next door can be seen, and where the viewer does not
            // put his hand on it.
            let treasury = twin.state.realms.get(&realm).map_or(0, |own| own.treasury);
            let is_hidden = treasury > RICH / 2 && !is_sought(setting, viewer, realm);
            // What stays secret for the coming month only, where the twin is not followed further.
            if steps == 1 {
                affairs::whisper(&tables, &mut twin.state, realm, viewer, &far, is_hidden, lots);
            }
            // Next door only what leaves no trace: gold where there is plenty, stores, and who plays there.
            neighbour(&mut twin.state, realm, is_hidden, lots);
            let says_who = twin.files.get(&realm).is_some_and(|file| negotiates(file));
            let own = setting.state.realms.get(&viewer);
            let is_known = own.is_some_and(|own| own.acquaintance(realm) == Acquaintance::Player);
            if !says_who && !is_known {
                rename(&mut twin.state, realm, lots);
            }
        }
    }
    twin
}

/// Whether the viewer may take the realm's capital in the coming month and half of its treasury with it (PYG-GAP-17): no army enters a field
/// that its orders do not name.
fn is_sought(setting: &Setting<PygmaIsis>, viewer: RealmId, realm: RealmId) -> bool {
    let state = &setting.state;
    let (Some(capital), Some(file)) = (state.capital_of(realm), setting.files.get(&viewer)) else {
        return false;
    };
    let place = state.place(capital).to_string();
    let text = String::from_utf8_lossy(file);
    let mut words = text.split(|letter: char| !letter.is_ascii_digit() && letter != '/');
    words.any(|word| word == place)
}

/// Whether the viewer may take the realm's capital in a month whose orders are not written yet. Whoever is aboard comes with his fleet first.
fn is_in_reach(state: &State, viewer: RealmId, realm: RealmId) -> bool {
    let Some(capital) = state.capital_of(realm) else {
        return false;
    };
    let mut armies = state.armies_of(viewer).filter(|(id, _)| id.kind().is_land_army());
    let reach = |army: &Army| {
        if army.aboard.is_some() {
            2 * STEPS_MAX
        } else {
            STEPS_MAX
        }
    };
    armies.any(|(_, army)| state.chart.distance(army.field, capital) <= reach(army))
}

fn neighbour(state: &mut State, id: RealmId, is_hidden: bool, lots: &mut Lots<'_>) {
    if let Some(own) = state.realms.get_mut(&id) {
        if is_hidden {
            own.treasury += lots.number(1, 1_000);
        }
        // And only where no trader asks for the last of it: a load comes to light where it is sold.
        if own.stock[Good::Wine] > CELLAR / 2 {
            own.stock[Good::Wine] += 1;
        }
    }
}

/// Whether an order file has an army that negotiates: only that tells others the name of the player (PYG-ORD-04).
fn negotiates(file: &[u8]) -> bool {
    let text = String::from_utf8_lossy(file);
    let mut items = text.lines().flat_map(|line| line.split([';', ',']));
    items.any(|item| item.trim() == Stance::Negotiate.code())
}

fn rename(state: &mut State, id: RealmId, lots: &mut Lots<'_>) {
    if let Some(own) = state.realms.get_mut(&id) {
        own.player = format!("Spieler {}", lots.number(100, 199));
    }
}

/// Other armies, other gold, other land, other creatures, other orders. Words to others stay.
fn far_realm(tables: &Tables, twin: &mut Setting<PygmaIsis>, id: RealmId, lots: &mut Lots<'_>) {
    let state = &mut twin.state;
    let Some(home) = state.realms.get(&id).map(|own| own.home) else {
        return;
    };
    if let Some(own) = state.realms.get_mut(&id) {
        own.treasury += lots.number(1, 1_000_000);
        let known: Vec<FieldIndex> = own.knowledge.keys().copied().collect();
        for field in known {
            if lots.chance(20) {
                own.knowledge.remove(&field);
            }
        }
    }
    rename(state, id, lots);
    let free: Vec<ArmyId> = state
        .armies_of(id)
        .filter(|(id, army)| army.aboard.is_none() && state.cargo(*id).next().is_none())
        .filter(|(id, _)| id.kind().is_land_army())
        .map(|(id, _)| id)
        .collect();
    for army in free {
        match lots.number(1, 3) {
            1 => {
                state.armies.remove(&army);
            }
            2 => {
                if let Some(army) = state.armies.get_mut(&army) {
                    army.count += lots.number(1, 500);
                }
            }
            _ => {}
        }
    }
    let spy = ArmyName::new(Kind::Riders, SPY).of(id);
    state.armies.insert(spy, Army::new(lots.number(1000, 2000), home));
    let around: BTreeSet<FieldIndex> = state.chart.range(home, UPHEAVAL).into_iter().collect();
    state
        .bands
        .retain(|_, band| !around.contains(&band.field) || lots.chance(70));
    for field in around {
        let stands = state.armies.values().any(|army| army.field == field);
        let wild = !state.field(field).owner.is_played() && state.field(field).settlement.is_none();
        let lives = state.bands.values().any(|band| band.field == field);
        if !wild || stands || lives {
            continue;
        }
        if lots.chance(20) {
            let dry = !tables.is_water(state.field(field).terrain);
            state.field_mut(field).terrain = if dry { Terrain::Swamp } else { Terrain::Reef };
        }
        if lots.chance(5) && !tables.is_water(state.field(field).terrain) {
            let band = Band {
                creature: crate::codes::Creature::Tribe,
                count: 2000,
                field,
                stance: Stance::Attack,
            };
            state.bands.insert(state.free_band(), band);
        }
    }
    if let Some(file) = twin.files.get_mut(&id) {
        let text = String::from_utf8_lossy(file).into_owned();
        let public = text.split_once(PUBLIC).map_or("", |(_, public)| public);
        let secret = orders::secret(&twin.state, id, lots);
        *file = (secret + PUBLIC + public).into_bytes();
    }
}

/// Whether nothing of what differs can be known to the viewer after one more month.
///
/// # Errors
/// What differs near the viewer, although nothing could have brought it there.
pub(super) fn unknowable(one: &State, two: &State, viewer: RealmId) -> Result<bool, String> {
    let circle: BTreeSet<FieldIndex> = circle(one, viewer).chain(circle(two, viewer)).collect();
    let mut nearest = u32::MAX;
    for field in differing(one, two) {
        let distance = circle.iter().map(|near| one.chart.distance(field, *near)).min();
        let distance = distance.unwrap_or(u32::MAX);
        if distance <= CLOSE {
            return Err(format!("field {} differs", one.place(field)));
        }
        nearest = nearest.min(distance);
    }
    // Next month a neighbour may say who plays him.
    let is_named_otherwise = |(id, realm): (&RealmId, &Realm)| {
        let twin = two.realms.get(id).map(|twin| &twin.player);
        !is_far(one, viewer, *id) && twin != Some(&realm.player)
    };
    // Or lose his capital, and half of what is in his treasury.
    let is_at_stake = |(id, realm): (&RealmId, &Realm)| {
        let twin = two.realms.get(id).map(|twin| twin.treasury);
        let is_taken = [one, two].into_iter().any(|state| is_in_reach(state, viewer, *id));
        *id != viewer && twin != Some(realm.treasury) && is_taken
    };
    let shows = |realm: (&RealmId, &Realm)| is_named_otherwise(realm) || is_at_stake(realm);
    Ok(nearest > REACH && !one.realms.iter().any(shows))
}

/// Where the worlds differ in the land or in who stands there. The number of a band is nobody's knowledge.
fn differing(one: &State, two: &State) -> BTreeSet<FieldIndex> {
    let mut fields: BTreeSet<FieldIndex> = one
        .chart
        .fields()
        .filter(|field| one.field(*field) != two.field(*field))
        .collect();
    for (state, other) in [(one, two), (two, one)] {
        let armies = state
            .armies
            .iter()
            .filter(|(id, army)| other.armies.get(id) != Some(army));
        fields.extend(armies.map(|(_, army)| army.field));
        let is_there = |band: &Band| other.bands.values().any(|twin| twin == band);
        fields.extend(
            state
                .bands
                .values()
                .filter(|band| !is_there(band))
                .map(|band| band.field),
        );
    }
    fields
}

/// Where the viewer and his neighbours are.
fn circle(state: &State, viewer: RealmId) -> impl Iterator<Item = FieldIndex> + '_ {
    let is_near = move |realm: RealmId| realm.is_played() && !is_far(state, viewer, realm);
    let land = state
        .chart
        .fields()
        .filter(move |field| is_near(state.field(*field).owner));
    let armies = state.armies.iter().filter(move |(id, _)| is_near(id.realm));
    let homes = state.realms.iter().filter(move |(id, _)| is_near(**id));
    land.chain(armies.map(|(_, army)| army.field))
        .chain(homes.map(|(_, own)| own.home))
}
