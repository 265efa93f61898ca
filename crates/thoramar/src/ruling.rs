//! Judgements of the game master (THO-ADM-01, THO-ADM-02, THO-MSG-02).

use crate::codes::RealmKind;
use kernel::realm::RealmId;
use serde::{Deserialize, Serialize};

/// A judgement: an answer to a request of the turn, or an act of the game master's own.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Ruling {
    /// An orphaned realm waits for its player.
    KeepRealm,
    /// Another player takes a realm over.
    HandOver {
        /// Which realm.
        realm: RealmId,
        /// Whose it is from now on.
        player: String,
        /// How it is called from now on, if otherwise.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// A realm is given back to realm 0, land and armies.
    Release {
        /// Which realm.
        realm: RealmId,
    },
    /// A realm becomes ordinary, nomad or pirate.
    AssignKind {
        /// Which realm.
        realm: RealmId,
        /// What.
        kind: RealmKind,
    },
    /// A people's combat percentages and spared families change.
    AssignCulture {
        /// Which realm.
        realm: RealmId,
        /// The new profile.
        culture: crate::culture::Culture,
    },
    /// Figures of the world change from the next turn on: TOML laid over the house rules.
    ChangeTables {
        /// The differences.
        toml: String,
    },
    /// A message of the game master.
    Write {
        /// To one realm, or to all.
        to: Option<RealmId>,
        /// Its lines.
        text: Vec<String>,
    },
    /// A payment into a player's account.
    Credit {
        /// Which realm.
        realm: RealmId,
        /// Units of the world's currency.
        amount: i64,
    },
    /// The world ends with this turn (GAP-42).
    Close,
    /// A part of the world is changed by hand.
    Edit {
        /// What changes.
        change: crate::editing::Edit,
    },
    /// Several parts of the world are changed by hand.
    Edits {
        /// What changes, in order.
        changes: Vec<crate::editing::Edit>,
    },
}
