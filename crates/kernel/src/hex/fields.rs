//! A set of fields of a grid.

use super::FieldIndex;

/// How many fields one word holds.
const WORD: usize = u64::BITS as usize;

/// Fields of a grid, a bit for each: whether a field is in it is known at once, however large the world is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FieldSet {
    words: Vec<u64>,
}

impl FieldSet {
    /// An empty set.
    #[must_use]
    pub const fn new() -> Self {
        Self { words: Vec::new() }
    }

    /// Puts a field in.
    pub fn insert(&mut self, field: FieldIndex) {
        let (word, bit) = place(field);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= bit;
    }

    /// Takes a field out.
    pub fn remove(&mut self, field: FieldIndex) {
        let (word, bit) = place(field);
        if let Some(word) = self.words.get_mut(word) {
            *word &= !bit;
        }
    }

    /// Whether a field is in it.
    #[must_use]
    pub fn contains(&self, field: FieldIndex) -> bool {
        let (word, bit) = place(field);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    /// The fields in order.
    pub fn iter(&self) -> impl Iterator<Item = FieldIndex> + '_ {
        let words = (0u32..).step_by(WORD).zip(&self.words);
        words.flat_map(|(first, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let next = (left != 0).then(|| FieldIndex(first + left.trailing_zeros()));
                left &= left.wrapping_sub(1);
                next
            })
        })
    }
}

const fn place(field: FieldIndex) -> (usize, u64) {
    (field.index() / WORD, 1 << (field.index() % WORD))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn it_holds_what_an_ordered_set_holds(changes in prop::collection::vec((any::<bool>(), 0u32..200), 0..300)) {
            let (mut fields, mut model) = (FieldSet::new(), BTreeSet::new());
            for (put, field) in changes {
                let field = FieldIndex(field);
                if put {
                    fields.insert(field);
                    model.insert(field);
                } else {
                    fields.remove(field);
                    model.remove(&field);
                }
            }
            prop_assert_eq!(fields.iter().collect::<Vec<_>>(), model.iter().copied().collect::<Vec<_>>());
            for field in (0..260).map(FieldIndex) {
                prop_assert_eq!(fields.contains(field), model.contains(&field));
            }
        }
    }
}
