//! Closed lists of words, as players type them and reports print them, and tables with one value per word.
//!
//! A game declares each of its vocabularies once: English name, the book's code, the German term. `ALL`, `code`, `from_code` and the
//! stored form follow from the list.

use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::ops::Index;

pub use crate::vocabulary;

/// A closed list of words: what tables with one value per word need to know about it.
pub trait Vocabulary: Copy + Ord + std::fmt::Debug + 'static {
    /// Every word, in the order of the book.
    const WORDS: &'static [Self];
    /// The position of the word in [`Self::WORDS`].
    fn position(self) -> usize;
    /// The code of the book.
    fn word(self) -> &'static str;
}

/// Declares a vocabulary: an enum whose order is the order of its list and whose stored form is the book's code.
#[macro_export]
macro_rules! vocabulary {
    ($(#[$meta:meta])* $name:ident { $($variant:ident $code:literal $german:literal)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $(#[doc = concat!("`", $code, "`, *", $german, "*.")] $variant,)+
        }

        impl $name {
            /// Every word of the vocabulary, in the order of the book.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];
            /// How many words there are: the length of a table indexed by [`Self::index`].
            pub const COUNT: usize = Self::ALL.len();
            const CODES: [&'static str; Self::COUNT] = [$($code,)+];

            /// The code of the book.
            #[must_use]
            pub const fn code(self) -> &'static str {
                Self::CODES[self as usize]
            }

            /// The word with this code; upper and lower case are equal.
            #[must_use]
            pub fn from_code(code: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|word| word.code().eq_ignore_ascii_case(code))
            }

            /// The position in [`Self::ALL`].
            #[must_use]
            pub const fn index(self) -> usize {
                self as usize
            }
        }

        impl $crate::vocabulary::Vocabulary for $name {
            const WORDS: &'static [Self] = Self::ALL;
            fn position(self) -> usize {
                self.index()
            }
            fn word(self) -> &'static str {
                self.code()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.code())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.code())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Word;
                impl serde::de::Visitor<'_> for Word {
                    type Value = $name;
                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "one of {}", $name::CODES.join(" "))
                    }
                    fn visit_str<E: serde::de::Error>(self, code: &str) -> Result<$name, E> {
                        $name::from_code(code)
                            .ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(code), &self))
                    }
                }
                deserializer.deserialize_str(Word)
            }
        }
    };
}

/// One value per word of a vocabulary. A word that the data does not name has the default: none, nothing, impossible.
///
/// Looking a value up is one step, since rules do it for every army and every step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column<W, T> {
    values: Box<[T]>,
    words: PhantomData<W>,
}

impl<W: Vocabulary, T> Column<W, T> {
    /// Words and values in the order of the vocabulary.
    pub fn iter(&self) -> impl Iterator<Item = (W, &T)> {
        W::WORDS.iter().copied().zip(self.values.iter())
    }
}

impl<W: Vocabulary, T: Default> Default for Column<W, T> {
    fn default() -> Self {
        Self {
            values: W::WORDS.iter().map(|_| T::default()).collect(),
            words: PhantomData,
        }
    }
}

impl<W: Vocabulary, T> Index<W> for Column<W, T> {
    type Output = T;

    fn index(&self, word: W) -> &T {
        // A column is only ever made with one value per word.
        &self.values[word.position()]
    }
}

impl<'de, W, T> Deserialize<'de> for Column<W, T>
where
    W: Vocabulary + Deserialize<'de>,
    T: Default + Deserialize<'de>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut rows = BTreeMap::<W, T>::deserialize(deserializer)?;
        let values = W::WORDS
            .iter()
            .map(|word| rows.remove(word).unwrap_or_default())
            .collect();
        Ok(Self {
            values,
            words: PhantomData,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec;

    vocabulary! {
        /// Kinds of armies.
        Kind {
            Foot "F" "Fußvolk"
            Horse "R" "Reiter"
            Ship "Sch" "Schiff"
        }
    }

    #[test]
    fn a_word_is_found_by_its_code_and_stored_as_it() {
        assert_eq!(Kind::COUNT, 3);
        for (index, kind) in Kind::ALL.iter().copied().enumerate() {
            assert_eq!(
                (kind.index(), kind.position(), kind.word()),
                (index, index, kind.code())
            );
            assert_eq!(Kind::from_code(&kind.code().to_lowercase()), Some(kind));
            let bytes = codec::pack(&kind).expect("bytes");
            assert_eq!(bytes, codec::pack(&kind.code()).expect("bytes"));
            assert_eq!(codec::unpack::<Kind>(&bytes), Ok(kind));
        }
        assert_eq!(Kind::from_code("Sc"), None);
        let unknown = codec::pack(&"X").expect("bytes");
        let told = codec::unpack::<Kind>(&unknown).map_err(|error| error.to_string());
        assert!(told.is_err_and(|told| told.contains("one of F R Sch")));
        assert_eq!(format!("[{:>4}]", Kind::Horse), "[   R]");
    }

    #[test]
    fn a_column_has_a_value_for_every_word() {
        let column: Column<Kind, i64> = toml::from_str("Sch = 3\nF = 1\n").expect("a table");
        assert_eq!(
            Kind::ALL.iter().map(|kind| column[*kind]).collect::<Vec<_>>(),
            [1, 0, 3]
        );
        assert!(
            column
                .iter()
                .eq([(Kind::Foot, &1), (Kind::Horse, &0), (Kind::Ship, &3)])
        );
        assert_eq!(Column::<Kind, i64>::default()[Kind::Ship], 0);
        assert!(toml::from_str::<Column<Kind, i64>>("X = 3").is_err());
    }
}
