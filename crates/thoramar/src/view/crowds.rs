//! Crowds of armies, one behind the other in one piece of memory: a realm sees hundreds of them in a season.
//!
//! They are written as a list of lists.

use crate::state::SeenArmy;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Armies that stood together on a field, as they appeared there, by number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Crowds {
    /// Where each crowd ends and the next one begins.
    ends: Vec<usize>,
    armies: Vec<SeenArmy>,
}

impl Crowds {
    /// Adds a crowd behind the others.
    pub fn push(&mut self, crowd: &[SeenArmy]) {
        self.armies.extend_from_slice(crowd);
        self.ends.push(self.armies.len());
    }

    /// How many there are.
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The crowd with this number; nobody if there is none.
    pub fn get(&self, number: u32) -> &[SeenArmy] {
        let number = number as usize;
        let end = self.ends.get(number).copied().unwrap_or(0);
        let start = number.checked_sub(1).and_then(|before| self.ends.get(before));
        self.armies.get(start.copied().unwrap_or(0)..end).unwrap_or_default()
    }
}

impl FromIterator<Vec<SeenArmy>> for Crowds {
    fn from_iter<I: IntoIterator<Item = Vec<SeenArmy>>>(crowds: I) -> Self {
        let mut list = Self::default();
        for crowd in crowds {
            list.push(&crowd);
        }
        list
    }
}

impl Serialize for Crowds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut start = 0;
        serializer.collect_seq(self.ends.iter().map(|end| {
            let crowd = self.armies.get(start..*end).unwrap_or_default();
            start = *end;
            crowd
        }))
    }
}

impl<'de> Deserialize<'de> for Crowds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<Vec<SeenArmy>>::deserialize(deserializer)?.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::Kind;
    use kernel::codec::{pack, unpack};

    #[test]
    fn crowds_are_written_and_read_as_a_list_of_lists() {
        let army = |count| SeenArmy {
            realm: None,
            kind: Kind::MediumWarrior,
            number: None,
            count,
        };
        let lists = [vec![army(1), army(2)], vec![], vec![army(3)]];
        let crowds: Crowds = lists.iter().cloned().collect();
        assert_eq!([0, 1, 2].map(|number| crowds.get(number).to_vec()), lists);
        assert_eq!((crowds.len(), crowds.get(3)), (3, &[][..]));
        let written = pack(&crowds).unwrap();
        assert_eq!(written, pack(&lists.to_vec()).unwrap());
        assert_eq!(unpack::<Crowds>(&written).unwrap(), crowds);
    }
}
