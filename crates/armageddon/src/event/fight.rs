//! Happenings of part B: melee, shots, devices, siege, buildings, hunger. None yet: its chapters add them here, each with its telling.

use super::{Teller, Telling};
use serde::{Deserialize, Serialize};

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FightHappening {}

impl FightHappening {
    /// How it is told.
    pub(super) fn telling(&self, _teller: Teller<'_>) -> Telling {
        match *self {}
    }
}
