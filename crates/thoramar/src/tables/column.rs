//! The shapes of figures: a column with one value per word, a span from least to most, the price and time of a work.

pub use kernel::vocabulary::Column;
use serde::Deserialize;

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
