//! Judgements of the game master (catalogue 5.5).

use crate::codes::Stance;
use crate::state::ArmyName;
use kernel::realm::RealmId;
use serde::{Deserialize, Serialize};

/// A judgement: an answer to a request of the month, or an act of the game master's own.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Ruling {
    /// An other order has no effect; the realm is told why (PYG-ORD-08).
    Deny {
        /// What its player reads.
        text: String,
    },
    /// It is granted; the realm is told what comes of it.
    Allow {
        /// What its player reads.
        text: String,
    },
    /// An army has another basic order in this month.
    SetStance {
        /// Whose.
        realm: RealmId,
        /// Which army.
        unit: ArmyName,
        /// What.
        stance: Stance,
    },
    /// A realm's treasury changes.
    ChangeGold {
        /// Whose.
        realm: RealmId,
        /// By how much.
        gold: i64,
    },
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
    /// A message of the game master.
    Write {
        /// To one realm, or to all.
        to: Option<RealmId>,
        /// What.
        text: String,
    },
    /// An absent player's realm waits.
    KeepRealm,
    /// The world ends with this month (PYG-GAP-66).
    Close,
}
