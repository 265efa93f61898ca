//! Something for each army of a world, in order of realm and table.
//!
//! A season asks for armies and their plans many times a step. Realms are found by their number and an army among the few
//! hundred of its realm by halving, which is several times faster than one ordered map over all armies.

use crate::state::{ArmyId, ArmyName};
use kernel::realm::RealmId;
use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;
use std::ops::RangeInclusive;

/// What belongs to each army. It is written and read like an ordered map.
#[derive(Clone)]
pub struct Roster<T> {
    /// By number of the realm.
    realms: Vec<Share<T>>,
    len: usize,
}

/// The armies of one realm, in table order, and what belongs to them.
#[derive(Clone)]
struct Share<T> {
    ids: Vec<ArmyId>,
    values: Vec<T>,
}

impl<T> Share<T> {
    const EMPTY: Self = Self {
        ids: Vec::new(),
        values: Vec::new(),
    };

    /// Where the army is, or where it would be.
    fn find(&self, name: ArmyName) -> Result<usize, usize> {
        // Armies are mostly added in table order.
        if self.ids.last().is_none_or(|last| last.name < name) {
            return Err(self.ids.len());
        }
        self.ids.binary_search_by_key(&rank(name), |id| rank(id.name))
    }

    fn iter(&self) -> impl Iterator<Item = (&ArmyId, &T)> {
        self.ids.iter().zip(&self.values)
    }

    /// Adds an army where [`Share::find`] says that it would be. A realm arms a few armies a turn: to make room for twice as many at the
    /// first of them would be half of what a large world takes.
    fn add(&mut self, place: usize, id: ArmyId, value: T) {
        if self.ids.len() == self.ids.capacity() {
            let room = 8 + self.ids.len() / 8;
            self.ids.reserve_exact(room);
            self.values.reserve_exact(room);
        }
        self.ids.insert(place, id);
        self.values.insert(place, value);
    }
}

/// The place of a name in the army table as one number: compared at once, where the parts would be compared one by one.
const fn rank(name: ArmyName) -> u64 {
    (name.kind as u64) << 32 | name.number as u64
}

/// The armies of a realm, which may have had none so far.
fn share_mut<T>(realms: &mut Vec<Share<T>>, realm: RealmId) -> &mut Share<T> {
    let index = usize::from(realm.0);
    if realms.len() <= index {
        realms.resize_with(index + 1, || Share::EMPTY);
    }
    &mut realms[index]
}

impl<T> Roster<T> {
    /// Nobody.
    pub const fn new() -> Self {
        Self {
            realms: Vec::new(),
            len: 0,
        }
    }

    /// How many armies there are.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn share(&self, realm: RealmId) -> Option<&Share<T>> {
        self.realms.get(usize::from(realm.0))
    }

    /// The numbers of all realms up to the last one that has armies.
    pub fn realms(&self) -> impl Iterator<Item = RealmId> + use<T> {
        (0..=u16::MAX).map(RealmId).take(self.realms.len())
    }

    /// What belongs to an army.
    pub fn get(&self, id: &ArmyId) -> Option<&T> {
        let share = self.share(id.realm)?;
        share.values.get(share.find(id.name).ok()?)
    }

    /// The same, to change it.
    pub fn get_mut(&mut self, id: &ArmyId) -> Option<&mut T> {
        let share = self.realms.get_mut(usize::from(id.realm.0))?;
        let place = share.find(id.name).ok()?;
        share.values.get_mut(place)
    }

    /// Whether the army is there.
    pub fn contains_key(&self, id: &ArmyId) -> bool {
        self.get(id).is_some()
    }

    /// Adds an army, or replaces what belonged to it and returns that.
    pub fn insert(&mut self, id: ArmyId, value: T) -> Option<T> {
        let share = share_mut(&mut self.realms, id.realm);
        match share.find(id.name) {
            Ok(place) => Some(std::mem::replace(&mut share.values[place], value)),
            Err(place) => {
                share.add(place, id, value);
                self.len += 1;
                None
            }
        }
    }

    /// What belongs to an army, made up for one that is not there yet.
    pub fn get_or_default(&mut self, id: ArmyId) -> &mut T
    where
        T: Default,
    {
        let share = share_mut(&mut self.realms, id.realm);
        let place = share.find(id.name).unwrap_or_else(|place| {
            share.add(place, id, T::default());
            self.len += 1;
            place
        });
        &mut share.values[place]
    }

    /// Takes an army out and returns what belonged to it.
    pub fn remove(&mut self, id: &ArmyId) -> Option<T> {
        let share = self.realms.get_mut(usize::from(id.realm.0))?;
        let place = share.find(id.name).ok()?;
        share.ids.remove(place);
        let value = share.values.remove(place);
        self.len -= 1;
        // A roster is the same whether its armies went or never were: what is made from it must not tell.
        while self.realms.last().is_some_and(|share| share.ids.is_empty()) {
            self.realms.pop();
        }
        Some(value)
    }

    /// All armies in order.
    pub fn iter(&self) -> impl Iterator<Item = (&ArmyId, &T)> {
        self.realms.iter().flat_map(Share::iter)
    }

    /// The same, to change what belongs to them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&ArmyId, &mut T)> {
        self.realms
            .iter_mut()
            .flat_map(|share| share.ids.iter().zip(&mut share.values))
    }

    /// The armies of one realm, in table order.
    pub fn of(&self, realm: RealmId) -> impl Iterator<Item = (&ArmyId, &T)> {
        self.share(realm).into_iter().flat_map(Share::iter)
    }

    /// The armies of one realm with names in this range, in table order.
    pub fn range(
        &self,
        realm: RealmId,
        names: RangeInclusive<ArmyName>,
    ) -> impl DoubleEndedIterator<Item = (&ArmyId, &T)> {
        let share = self.share(realm);
        share.into_iter().flat_map(move |share| {
            let first = share.find(*names.start()).unwrap_or_else(|place| place);
            let last = share.find(*names.end()).map_or_else(|place| place, |place| place + 1);
            let ids = share.ids.get(first..last).unwrap_or_default();
            ids.iter().zip(share.values.get(first..last).unwrap_or_default())
        })
    }

    /// All armies in order, without what belongs to them.
    pub fn keys(&self) -> impl Iterator<Item = &ArmyId> {
        self.realms.iter().flat_map(|share| &share.ids)
    }

    /// What belongs to all armies, in order.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.realms.iter().flat_map(|share| &share.values)
    }
}

impl<T> Roster<T> {
    /// Something else for the same armies.
    pub fn map<U>(&self, mut make: impl FnMut(&T) -> U) -> Roster<U> {
        let share = |share: &Share<T>| Share {
            ids: share.ids.clone(),
            values: share.values.iter().map(&mut make).collect(),
        };
        Roster {
            realms: self.realms.iter().map(share).collect(),
            len: self.len,
        }
    }

    /// Gives back the room that lists kept for growing: a fifth of what a large world takes.
    fn shrink(&mut self) {
        for share in &mut self.realms {
            share.ids.shrink_to_fit();
            share.values.shrink_to_fit();
        }
    }
}

impl<T> Default for Roster<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// Realms that had armies once leave an empty list behind, which makes no difference.
impl<T: PartialEq> PartialEq for Roster<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

impl<T: fmt::Debug> fmt::Debug for Roster<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<T> FromIterator<(ArmyId, T)> for Roster<T> {
    fn from_iter<I: IntoIterator<Item = (ArmyId, T)>>(pairs: I) -> Self {
        let mut roster = Self::new();
        for (id, value) in pairs {
            roster.insert(id, value);
        }
        roster
    }
}

impl<T: Serialize> Serialize for Roster<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.len))?;
        for (id, value) in self.iter() {
            map.serialize_entry(id, value)?;
        }
        map.end()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Roster<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

/// Reads entry by entry.
struct Entries<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
    type Value = Roster<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("armies with what belongs to them")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Roster<T>, A::Error> {
        let mut roster = Roster::new();
        while let Some((id, value)) = entries.next_entry()? {
            roster.insert(id, value);
        }
        roster.shrink();
        Ok(roster)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::Kind;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn id(realm: u16, kind: usize, number: u32) -> ArmyId {
        ArmyId::new(RealmId(realm), Kind::ALL[kind % Kind::ALL.len()], number)
    }

    #[test]
    fn ranks_are_in_the_order_of_names() {
        let mut names: Vec<ArmyName> = Vec::new();
        for kind in Kind::ALL {
            names.extend([0, 1, u32::MAX].map(|number| ArmyName::new(*kind, number)));
        }
        for a in &names {
            for b in &names {
                assert_eq!(a.cmp(b), rank(*a).cmp(&rank(*b)), "{a} and {b}");
            }
        }
    }

    #[test]
    fn a_realm_whose_armies_are_gone_is_like_one_that_never_had_any() {
        let mut roster = Roster::new();
        roster.insert(id(3, 0, 1), 'a');
        assert_eq!(roster.remove(&id(3, 0, 1)), Some('a'));
        assert_eq!(roster, Roster::new());
        assert!(roster.is_empty() && !roster.contains_key(&id(3, 0, 1)));
    }

    #[test]
    fn one_army_more_does_not_make_room_for_a_hundred() {
        let mut roster: Roster<u8> = (1..=100).map(|number| (id(1, 0, number), 0)).collect();
        roster.shrink();
        roster.insert(id(1, 0, 101), 0);
        let share = roster.share(RealmId(1)).expect("it has armies");
        let room = share.ids.capacity().max(share.values.capacity());
        assert!(room <= 125, "room for {room}");
    }

    #[test]
    fn armies_that_went_leave_no_trace() {
        let army = |realm: u16| ArmyId {
            realm: RealmId(realm),
            name: ArmyName {
                kind: Kind::ALL[0],
                number: 1,
            },
        };
        let mut roster: Roster<u8> = [(army(1), 1), (army(4), 4), (army(9), 9)].into_iter().collect();
        roster.remove(&army(4));
        assert_eq!(roster.realms().count(), 10);
        roster.remove(&army(9));
        assert_eq!(roster.realms().count(), 2);
        roster.remove(&army(1));
        assert_eq!(roster.realms().count(), 0);
    }

    proptest! {
        #[test]
        fn it_does_what_an_ordered_map_does(acts in prop::collection::vec((0u8..4, 0u16..4, 0usize..3, 0u32..4), 0..200)) {
            let mut roster: Roster<usize> = Roster::new();
            let mut map: BTreeMap<ArmyId, usize> = BTreeMap::new();
            for (value, (act, realm, kind, number)) in acts.into_iter().enumerate() {
                let id = id(realm, kind, number);
                match act {
                    0 => prop_assert_eq!(roster.remove(&id), map.remove(&id)),
                    1 => prop_assert_eq!(*roster.get_or_default(id), *map.entry(id).or_default()),
                    _ => prop_assert_eq!(roster.insert(id, value), map.insert(id, value)),
                }
                prop_assert_eq!(roster.get(&id), map.get(&id));
            }
            prop_assert_eq!(roster.len(), map.len());
            prop_assert!(roster.iter().eq(&map));
            prop_assert!(roster.keys().eq(map.keys()) && roster.values().eq(map.values()));
            for realm in (0..5).map(RealmId) {
                prop_assert!(roster.of(realm).eq(map.iter().filter(|(id, _)| id.realm == realm)));
                let (first, last) = (id(realm.0, 0, 2), id(realm.0, 1, 2));
                prop_assert!(roster.range(realm, first.name..=last.name).eq(map.range(first..=last)));
            }
        }
    }
}
