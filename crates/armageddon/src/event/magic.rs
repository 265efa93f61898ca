//! Happenings of part C: spells, fable creatures, trade centres. None yet: its chapters add them here, each with its telling.

use super::{Teller, Telling};
use serde::{Deserialize, Serialize};

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum MagicHappening {}

impl MagicHappening {
    /// How it is told.
    pub(super) fn telling(&self, _teller: Teller<'_>) -> Telling {
        match *self {}
    }
}
