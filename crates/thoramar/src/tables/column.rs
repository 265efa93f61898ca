//! The shapes of figures: a column with one value per word, a span from least to most, the price and time of a work.

use crate::codes::Vocabulary;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::ops::Index;

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

/// From least to most, both included; written `[5, 20]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "[i64; 2]")]
pub struct Span {
    /// The least value.
    pub min: i64,
    /// The greatest value.
    pub max: i64,
}

impl From<[i64; 2]> for Span {
    fn from([min, max]: [i64; 2]) -> Self {
        Self { min, max }
    }
}

/// What a construction costs and how long it takes (T06); written `[60000, 3]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "[i64; 2]")]
pub struct Work {
    /// Price in GS, paid when ordered.
    pub price: i64,
    /// Time in turns; the turn of the order is the first.
    pub turns: i64,
}

impl From<[i64; 2]> for Work {
    fn from([price, turns]: [i64; 2]) -> Self {
        Self { price, turns }
    }
}
