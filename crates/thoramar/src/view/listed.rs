//! A map that is made once and read often.
//!
//! Two thousand views are made and given back in a turn of a large world: a list in order is one piece of memory, an ordered map
//! many. It is written as a list of pairs, because JSON knows only keys that are words.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Values by key, in order of the keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed<K, V>(Vec<(K, V)>);

impl<K: Ord, V> Listed<K, V> {
    /// The value of a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        let place = self.0.binary_search_by(|(own, _)| own.cmp(key)).ok()?;
        self.0.get(place).map(|(_, value)| value)
    }

    /// The same, to change it.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let place = self.0.binary_search_by(|(own, _)| own.cmp(key)).ok()?;
        self.0.get_mut(place).map(|(_, value)| value)
    }

    /// Whether the key has a value.
    pub fn contains_key(&self, key: &K) -> bool {
        self.get(key).is_some()
    }
}

impl<K, V> Listed<K, V> {
    /// Keeps what fits.
    pub fn retain(&mut self, mut fits: impl FnMut(&K, &V) -> bool) {
        self.0.retain(|(key, value)| fits(key, value));
    }

    /// How many there are.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Keys and values.
    pub fn iter(&self) -> Iter<'_, K, V> {
        self.0.iter().map(pair)
    }

    /// Keys.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.0.iter().map(|(key, _)| key)
    }

    /// Values.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.0.iter().map(|(_, value)| value)
    }
}

/// What [`Listed::iter`] goes through.
pub type Iter<'a, K, V> = std::iter::Map<std::slice::Iter<'a, (K, V)>, fn(&(K, V)) -> (&K, &V)>;

const fn pair<K, V>((key, value): &(K, V)) -> (&K, &V) {
    (key, value)
}

impl<K, V> Default for Listed<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Listed<K, V> {
    /// Of several values of a key the last one stays.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        let mut list: Vec<(K, V)> = pairs.into_iter().collect();
        if !list.is_sorted_by(|(one, _), (next, _)| one < next) {
            list.sort_by(|(one, _), (next, _)| one.cmp(next));
            list.dedup_by(|later, first| {
                let same = later.0 == first.0;
                if same {
                    std::mem::swap(later, first);
                }
                same
            });
        }
        Self(list)
    }
}

impl<'a, K, V> IntoIterator for &'a Listed<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K: Serialize, V: Serialize> Serialize for Listed<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Deserialize<'de> for Listed<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::deserialize(deserializer)?.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::codec::{pack, unpack};
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn it_answers_like_an_ordered_map(pairs in prop::collection::vec((0u8..20, any::<u8>()), 0..40)) {
            let listed: Listed<u8, u8> = pairs.iter().copied().collect();
            let map: BTreeMap<u8, u8> = pairs.into_iter().collect();
            prop_assert_eq!(listed.iter().collect::<Vec<_>>(), map.iter().collect::<Vec<_>>());
            prop_assert_eq!(listed.len(), map.len());
            for key in 0..20 {
                prop_assert_eq!(listed.get(&key), map.get(&key));
            }
            let written = pack(&listed).unwrap();
            prop_assert_eq!(unpack::<Listed<u8, u8>>(&written).unwrap(), listed);
        }
    }
}
