//! What an examination can find wrong, as values: how it reads is the business of whoever shows it, in every language.

use crate::damage::Damage;
use crate::step::Difference;
use kernel::realm::RealmId;
use serde::Serialize;

/// Something that is wrong with the store, a world or a turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Ill {
    /// Something stored cannot be read, or contradicts itself.
    Damaged {
        /// In the words of whoever tried to read it.
        said: String,
    },
    /// Stored orders are not those that a receipt was given for.
    Receipt {
        /// Whose orders.
        realm: RealmId,
        /// For which turn.
        turn: u32,
    },
    /// What is stored about the open turn does not follow from the last state.
    OpenTurn {
        /// Its number as it is stored.
        stored: u32,
        /// Its number as the state tells it.
        now: u32,
    },
    /// The digest of a turn does not follow from its state and the digest before.
    Chain,
    /// The published seals do not fit the keys.
    Seals,
    /// Run again, the turn ends in another state.
    Digest {
        /// The digest that is stored.
        stored: String,
        /// The one that came out now.
        now: String,
    },
    /// Run again, a realm sees something else.
    View {
        /// The realm.
        realm: RealmId,
    },
    /// Run again, the game master sees something else.
    MasterView,
    /// Run again, there are more or fewer views.
    Views {
        /// How many are stored.
        stored: u64,
        /// How many came out now.
        now: u64,
    },
    /// Run again, other dice fall.
    Dice,
    /// Run again, the game master is asked something else.
    Requests,
    /// Work was given up.
    Work {
        /// Which.
        job: String,
        /// Why it failed the last time.
        said: String,
    },
    /// Mails were given up.
    Mails {
        /// How many.
        count: u64,
    },
}

impl From<Damage> for Ill {
    fn from(damage: Damage) -> Self {
        match damage {
            Damage::Receipt { realm, turn } => Self::Receipt { realm, turn },
            other => Self::Damaged {
                said: other.to_string(),
            },
        }
    }
}

impl From<&Difference> for Ill {
    fn from(difference: &Difference) -> Self {
        match difference {
            Difference::Digest { stored, now } => Self::Digest {
                stored: stored.clone(),
                now: now.clone(),
            },
            Difference::View { realm: Some(realm) } => Self::View { realm: *realm },
            Difference::View { realm: None } => Self::MasterView,
            Difference::Views { stored, now } => Self::Views {
                stored: *stored,
                now: *now,
            },
            Difference::Dice => Self::Dice,
            Difference::Requests => Self::Requests,
        }
    }
}

impl Ill {
    /// One of each, for tests of the wording.
    pub fn all() -> [Self; 13] {
        let (stored, now) = (String::new(), String::new());
        [
            Self::Damaged { said: String::new() },
            Self::Receipt {
                realm: RealmId(1),
                turn: 1,
            },
            Self::OpenTurn { stored: 1, now: 2 },
            Self::Chain,
            Self::Seals,
            Self::Digest { stored, now },
            Self::View { realm: RealmId(1) },
            Self::MasterView,
            Self::Views { stored: 1, now: 2 },
            Self::Dice,
            Self::Requests,
            Self::Work {
                job: String::new(),
                said: String::new(),
            },
            Self::Mails { count: 1 },
        ]
    }

    /// Key of the wording.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Damaged { .. } => "damaged",
            Self::Receipt { .. } => "receipt",
            Self::OpenTurn { .. } => "open-turn",
            Self::Chain => "chain",
            Self::Seals => "seals",
            Self::Digest { .. } => "digest",
            Self::View { .. } => "view",
            Self::MasterView => "master-view",
            Self::Views { .. } => "views",
            Self::Dice => "dice",
            Self::Requests => "requests",
            Self::Work { .. } => "work",
            Self::Mails { .. } => "mails",
        }
    }

    /// The values that stand in the wording.
    pub fn values(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Damaged { said } => vec![("said", said.clone())],
            Self::Receipt { realm, turn } => vec![("realm", realm.to_string()), ("turn", turn.to_string())],
            Self::OpenTurn { stored, now } => vec![("stored", stored.to_string()), ("now", now.to_string())],
            Self::Digest { stored, now } => vec![("stored", stored.clone()), ("now", now.clone())],
            Self::View { realm } => vec![("realm", realm.to_string())],
            Self::Views { stored, now } => vec![("stored", stored.to_string()), ("now", now.to_string())],
            Self::Work { job, said } => vec![("job", job.clone()), ("said", said.clone())],
            Self::Mails { count } => vec![("count", count.to_string())],
            Self::Chain | Self::Seals | Self::MasterView | Self::Dice | Self::Requests => Vec::new(),
        }
    }
}
