//! What realms see (PYG-SEE-01..06, PYG-GAME-07, PYG-GAP-33, PYG-GAP-34).

use crate::codes::{Creature, Kind};
use crate::event::travel::Travel;
use crate::month::{Month, MonthTurn};
use crate::rule;
use crate::state::{ArmyId, BandId, Glimpse, Known, Realm, State};
use crate::tables::Tables;
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::Cause;
use std::collections::{BTreeMap, BTreeSet};

/// Somebody who can be seen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Subject {
    /// An army of a realm.
    Army(ArmyId),
    /// Creatures.
    Band(BandId),
}

/// What a realm saw of somebody in a month.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sighting {
    /// The creature, if it is one.
    pub creature: Option<Creature>,
    /// Strength when last seen.
    pub count: i64,
    /// Where, in order of ticks.
    pub trail: Vec<FieldIndex>,
    /// By what it was seen.
    pub eye: Eye,
}

/// By what somebody is seen, the plainest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Eye {
    /// By an army or settlement close by (PYG-SEE-02).
    Control,
    /// By an army or settlement in the own realm (PYG-SEE-05).
    Sight,
    /// By a work (PYG-SEE-06).
    Work,
}

impl Eye {
    const fn rules(self) -> &'static [RuleId] {
        match self {
            Self::Control => &[rule::SEE_02, rule::GAP_33, rule::GAP_34],
            Self::Sight => &[rule::SEE_05, rule::GAP_33, rule::GAP_34],
            Self::Work => &[rule::SEE_06, rule::GAP_33, rule::GAP_34],
        }
    }
}

/// A place from which a realm looks out.
#[derive(Clone, Copy)]
struct Outlook {
    field: FieldIndex,
    sight: u32,
    control: u32,
    is_work: bool,
}

/// Everything from which a realm looks out for others: armies, settlements, works. Land by itself sees nobody (PYG-GAP-33).
fn outlooks(tables: &Tables, state: &State, realm: RealmId) -> Vec<Outlook> {
    let mut outlooks: Vec<Outlook> = state
        .armies_of(realm)
        .filter(|(_, army)| army.aboard.is_none())
        .map(|(_, army)| Outlook {
            field: army.field,
            sight: tables.armies.sight,
            control: tables.armies.control,
            is_work: false,
        })
        .collect();
    for (field, here) in state.land_of(realm) {
        if here.settlement.is_some() {
            outlooks.push(Outlook {
                field,
                sight: tables.sight.settlement_sight,
                control: tables.sight.settlement_control,
                is_work: false,
            });
        }
        if let Some(work) = here.work {
            let control = tables.work[work.kind].control;
            outlooks.push(Outlook {
                field,
                sight: tables.sight.work_sight_min.max(control),
                control,
                is_work: true,
            });
        }
    }
    outlooks
}

/// How fields around a realm's outlooks are watched: within control range, and within sight range.
///
/// There are far more armies and creatures in the world than fields near a realm, so these are looked up and not measured.
struct Watch {
    controlled: BTreeMap<FieldIndex, Eye>,
    seen: BTreeMap<FieldIndex, Eye>,
}

impl Watch {
    fn keep(tables: &Tables, state: &State, realm: RealmId) -> Self {
        let mut watch = Self {
            controlled: BTreeMap::new(),
            seen: BTreeMap::new(),
        };
        let note = |fields: &mut BTreeMap<FieldIndex, Eye>, field: FieldIndex, eye: Eye| {
            let known = fields.entry(field).or_insert(eye);
            *known = (*known).min(eye);
        };
        for outlook in outlooks(tables, state, realm) {
            let (near, far) = if outlook.is_work {
                (Eye::Work, Eye::Work)
            } else {
                (Eye::Control, Eye::Sight)
            };
            for field in state.chart.range(outlook.field, outlook.control) {
                note(&mut watch.controlled, field, near);
            }
            for field in state.chart.range(outlook.field, outlook.sight) {
                note(&mut watch.seen, field, far);
            }
        }
        watch
    }

    /// How somebody on a field is seen, if at all.
    ///
    /// PYG-GAP-33: in the own realm within sight range, elsewhere within control range.
    fn eye_on(&self, tables: &Tables, state: &State, realm: RealmId, field: FieldIndex) -> Option<Eye> {
        let is_own_land = state.field(field).owner == realm;
        let by_sight = is_own_land && tables.sight.in_own_realm_sight_shows_kind_and_size;
        let controlled = self.controlled.get(&field);
        let seen = self.seen.get(&field).filter(|_| by_sight);
        controlled.into_iter().chain(seen).min().copied()
    }
}

/// Everybody whom a realm sees now, with strength and place.
pub fn strangers(tables: &Tables, state: &State, realm: RealmId) -> Vec<(Subject, Sighting)> {
    let watch = Watch::keep(tables, state, realm);
    let sighting = |field: FieldIndex, creature: Option<Creature>, count: i64| {
        let eye = watch.eye_on(tables, state, realm, field)?;
        Some(Sighting {
            creature,
            count,
            trail: vec![field],
            eye,
        })
    };
    let armies = state
        .armies
        .iter()
        .filter(|(id, army)| id.realm != realm && (army.aboard.is_none() || tables.sight.cargo_visible))
        .filter_map(|(id, army)| Some((Subject::Army(*id), sighting(army.field, None, army.count)?)));
    let bands = state.bands.iter().filter_map(|(id, band)| {
        let count = rough(band.creature, band.count);
        Some((Subject::Band(*id), sighting(band.field, Some(band.creature), count)?))
    });
    armies.chain(bands).collect()
}

/// PYG-GAP-34: the strength of creatures is told roughly, in thousands, at sea in tens.
pub fn rough(creature: Creature, count: i64) -> i64 {
    let unit = if creature.is_at_sea() { 10 } else { 1000 };
    ((count + unit / 2) / unit).max(1) * unit
}

/// Sightings of the running tick: strangers near, and land that armies pass.
pub fn look(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let tick = month.tick;
    let moved: BTreeSet<ArmyId> = month
        .plans()
        .filter(|(_, plan)| plan.entered_in == tick)
        .map(|(id, _)| id)
        .collect();
    if moved.is_empty() && tick > 1 {
        return;
    }
    let realms: Vec<RealmId> = turn.state.playing().collect();
    for realm in realms {
        note_strangers(turn, month, realm);
        let passed: Vec<FieldIndex> = moved
            .iter()
            .filter(|id| id.realm == realm)
            .filter_map(|id| turn.state.armies.get(id))
            .flat_map(|army| turn.state.chart.range(army.field, turn.tables.armies.sight))
            .collect();
        learn(turn, month, realm, passed);
    }
}

/// Whom realms see coming into their land, before it may change hands: an army that conquers a field was seen on it as long as it was
/// their own (PYG-SEE-05, PYG-GAP-33).
pub fn recognise(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let tick = month.tick;
    let comers = month.plans().filter(|(_, plan)| plan.entered_in == tick);
    let entered: BTreeSet<RealmId> = comers
        .filter_map(|(id, _)| Some((id.realm, turn.state.armies.get(&id)?.field)))
        .map(|(comer, field)| (comer, turn.state.field(field).owner))
        .filter(|(comer, owner)| owner.is_played() && owner != comer)
        .map(|(_, owner)| owner)
        .collect();
    for realm in entered {
        note_strangers(turn, month, realm);
    }
}

/// Adds whom a realm sees now to what it saw this month.
fn note_strangers(turn: &mut MonthTurn<'_>, month: &mut Month, realm: RealmId) {
    for (subject, seen) in strangers(turn.tables, &turn.state, realm) {
        match month.sightings.entry((realm, subject)) {
            std::collections::btree_map::Entry::Vacant(entry) => {
                entry.insert(seen);
            }
            std::collections::btree_map::Entry::Occupied(mut entry) => {
                let known = entry.get_mut();
                known.count = seen.count;
                known.eye = known.eye.min(seen.eye);
                if known.trail.last() != seen.trail.last() {
                    known.trail.extend(seen.trail);
                }
            }
        }
        if let (Subject::Army(id), Some(own)) = (subject, turn.state.realms.get_mut(&realm)) {
            note_banner(own, realm, id.realm);
        }
    }
}

/// Enters fields into a realm's map as they are now.
fn learn(turn: &mut MonthTurn<'_>, month: &mut Month, realm: RealmId, fields: impl IntoIterator<Item = FieldIndex>) {
    let step = turn.state.step;
    let seen: Vec<(FieldIndex, Glimpse)> = fields
        .into_iter()
        .map(|field| (field, Glimpse::of(turn.state.field(field))))
        .collect();
    let Some(own) = turn.state.realms.get_mut(&realm) else {
        return;
    };
    for (field, glimpse) in seen {
        note_banner(own, realm, glimpse.owner);
        if own.knowledge.insert(field, Known { step, glimpse }).is_none() {
            month.discovered.entry(realm).or_default().insert(field);
        }
    }
}

/// What every realm sees at the end of the month enters its map; what it saw of others is told.
///
/// PYG-SEE-01, -02, -05, -06, PYG-GAME-07, PYG-GAP-33, PYG-GAP-34.
pub fn survey(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let realms: Vec<RealmId> = turn.state.playing().collect();
    for realm in realms {
        note_strangers(turn, month, realm);
        let fields = visible(turn.tables, &turn.state, realm);
        learn(turn, month, realm, fields);
    }
    for ((realm, subject), sighting) in std::mem::take(&mut month.sightings) {
        let rules = sighting.eye.rules();
        let what = Travel::Sighted {
            realm,
            subject,
            creature: sighting.creature,
            count: sighting.count,
            trail: sighting.trail,
        };
        month.emit(turn, Cause::Step("survey"), rules, &[], what);
    }
    for (realm, fields) in std::mem::take(&mut month.discovered) {
        let fields: Vec<FieldIndex> = fields.into_iter().collect();
        let rules = &[rule::SEE_01, rule::GAME_07, rule::GAP_33][..];
        let what = Travel::Discovered { realm, fields };
        month.emit(turn, Cause::Step("survey"), rules, &[], what);
    }
}

/// Brings the knowledge of all realms up to the state of the world: for worlds that are new.
pub fn refresh(tables: &Tables, state: &mut State) {
    let realms: Vec<RealmId> = state.playing().collect();
    for realm in realms {
        let seen: Vec<(FieldIndex, Glimpse)> = visible(tables, state, realm)
            .into_iter()
            .map(|field| (field, Glimpse::of(state.field(field))))
            .collect();
        let strangers = strangers(tables, state, realm);
        let step = state.step;
        if let Some(own) = state.realms.get_mut(&realm) {
            for (_, glimpse) in &seen {
                note_banner(own, realm, glimpse.owner);
            }
            for (subject, _) in strangers {
                if let Subject::Army(id) = subject {
                    note_banner(own, realm, id.realm);
                }
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

/// Whether an army of this kind shows its size from afar; a trader shows none (PYG-GAP-34).
pub const fn shows_size(kind: Kind) -> bool {
    !matches!(kind, Kind::Trader)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn creatures_are_counted_roughly() {
        assert_eq!(
            [1, 499, 1000, 1499, 1500, 6000].map(|count| rough(Creature::Horde, count)),
            [1000, 1000, 1000, 1000, 2000, 6000]
        );
        assert_eq!(
            [4, 60, 64, 65].map(|count| rough(Creature::Serpent, count)),
            [10, 60, 60, 70]
        );
    }
}
