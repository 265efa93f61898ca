//! What is wrong with a store that cannot be trusted, as a value: how it reads is the business of whoever shows it, in every language.

use kernel::realm::RealmId;
use std::fmt;

/// What is damaged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Damage {
    /// The file of the database is empty.
    Empty,
    /// The file is no database at all.
    NoDatabase,
    /// The file contradicts itself: a piece is missing, or was overwritten.
    Torn,
    /// A turn is missing.
    NoTurn(u32),
    /// Stored orders are not those that a receipt was given for.
    Receipt {
        /// Whose orders.
        realm: RealmId,
        /// For which turn.
        turn: u32,
    },
    /// In the words of whoever tried to read it, for those who look into it.
    Other(String),
}

impl Damage {
    /// One of each, for tests of the wording.
    pub fn all() -> [Self; 6] {
        let realm = RealmId(1);
        [
            Self::Empty,
            Self::NoDatabase,
            Self::Torn,
            Self::NoTurn(1),
            Self::Receipt { realm, turn: 1 },
            Self::Other(String::new()),
        ]
    }

    /// Key of the wording.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::NoDatabase => "no-database",
            Self::Torn => "torn",
            Self::NoTurn(_) => "no-turn",
            Self::Receipt { .. } => "receipt",
            Self::Other(_) => "other",
        }
    }

    /// The values that stand in the wording.
    pub fn values(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::NoTurn(turn) => vec![("turn", turn.to_string())],
            Self::Receipt { realm, turn } => vec![("realm", realm.to_string()), ("turn", turn.to_string())],
            Self::Other(said) => vec![("said", said.clone())],
            Self::Empty | Self::NoDatabase | Self::Torn => Vec::new(),
        }
    }
}

impl From<String> for Damage {
    fn from(said: String) -> Self {
        Self::Other(said)
    }
}

/// For the log.
impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the file is empty"),
            Self::NoDatabase => f.write_str("the file is no database"),
            Self::Torn => f.write_str("the file contradicts itself"),
            Self::NoTurn(turn) => write!(f, "turn {turn} is missing"),
            Self::Receipt { realm, turn } => {
                write!(
                    f,
                    "the orders of realm {realm} for turn {turn} do not fit their receipt"
                )
            }
            Self::Other(said) => f.write_str(said),
        }
    }
}
