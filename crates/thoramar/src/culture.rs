//! Peoples: what they are spared and how well they fight (THO-CULT, GAP-32).

use crate::codes::{Family, Kind};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The profile of a people.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Culture {
    /// Combat percentage of the twelve troop kinds; a kind that is missing has 100.
    pub percent: BTreeMap<Kind, u16>,
    /// Families of loss terrain that cost this people nothing.
    pub spared: BTreeSet<Family>,
}

impl Culture {
    /// Combat percentage of a kind (THO-UNIT-02, THO-CULT-02).
    pub fn percent(&self, kind: Kind) -> i64 {
        self.percent.get(&kind).map_or(100, |percent| i64::from(*percent))
    }
}
