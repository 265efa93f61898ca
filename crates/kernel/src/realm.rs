//! Who plays and who looks.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The number of a realm. Number 0 is nobody's: free land, monsters, everything without a player.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RealmId(pub u16);

impl RealmId {
    /// The realm without a player.
    pub const NOBODY: Self = Self(0);

    /// Whether a player rules it.
    pub const fn is_played(self) -> bool {
        self.0 != 0
    }
}

impl fmt::Display for RealmId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// For whose eyes something is made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Viewer {
    /// The ruler of a realm sees what the realm may know.
    Realm(RealmId),
    /// The game master sees everything.
    GameMaster,
}
