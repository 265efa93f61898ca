//! Why a plan makes no world. A game says it as a value; how it reads is the business of whoever shows it, in every language.

use std::fmt;

/// Why a plan makes no world.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoWorld {
    /// So many seats cannot be: fewer than one, or more than the game takes.
    Seats {
        /// How many there are.
        seats: usize,
        /// The most there may be.
        most: usize,
    },
    /// Fewer seats than the game needs for what was chosen.
    TooFewSeats {
        /// How many there are.
        seats: usize,
        /// The least there must be.
        least: usize,
    },
    /// A seat is of a kind that the game does not have.
    NoKind {
        /// Number of the realm.
        realm: usize,
        /// What stands there.
        word: String,
        /// The kinds there are.
        known: String,
    },
    /// There is no room for the capitals.
    NoRoom {
        /// How many realms there are.
        realms: usize,
        /// How many fields must lie between two capitals.
        apart: i64,
        /// For how many there is land.
        room: usize,
        /// With how many fields it might do; nothing if a larger world does not help.
        fields: Option<usize>,
    },
    /// A line of what was drawn up by hand cannot be read.
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// The line.
        text: String,
        /// What the reader said.
        said: String,
    },
    /// Anything else, as the program says it.
    Other(String),
}

impl NoWorld {
    /// Key of the wording.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Seats { .. } => "bad-seats",
            Self::TooFewSeats { .. } => "too-few-seats",
            Self::NoKind { .. } => "bad-kind",
            Self::NoRoom { fields: Some(_), .. } => "no-room",
            Self::NoRoom { fields: None, .. } => "no-room-however-large",
            Self::Line { .. } => "unread-line",
            Self::Other(_) => "other",
        }
    }

    /// Every code.
    pub const CODES: [&str; 7] = [
        "bad-seats",
        "too-few-seats",
        "bad-kind",
        "no-room",
        "no-room-however-large",
        "unread-line",
        "other",
    ];

    /// The values that stand in the wording.
    pub fn values(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Seats { seats, most } => vec![("seats", seats.to_string()), ("most", most.to_string())],
            Self::TooFewSeats { seats, least } => vec![("seats", seats.to_string()), ("least", least.to_string())],
            Self::NoKind { realm, word, known } => {
                vec![
                    ("realm", realm.to_string()),
                    ("word", word.clone()),
                    ("known", known.clone()),
                ]
            }
            Self::NoRoom {
                realms,
                apart,
                room,
                fields,
            } => vec![
                ("realms", realms.to_string()),
                ("apart", apart.to_string()),
                ("room", room.to_string()),
                ("fields", fields.unwrap_or(0).to_string()),
            ],
            Self::Line { line, text, .. } => vec![("line", line.to_string()), ("text", text.clone())],
            Self::Other(said) => vec![("said", said.clone())],
        }
    }
}

impl fmt::Display for NoWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seats { seats, most } => write!(f, "there may be 1 to {most} realms, not {seats}"),
            Self::TooFewSeats { seats, least } => write!(f, "{least} realms are needed, and there are {seats}"),
            Self::NoKind { realm, word, known } => write!(f, "realm {realm}: '{word}' is no kind of realm ({known})"),
            Self::NoRoom {
                realms,
                apart,
                room,
                fields,
            } => {
                write!(
                    f,
                    "no room for {realms} capitals at least {apart} fields apart: there is land for {room}"
                )?;
                match fields {
                    Some(fields) => write!(f, "; about {fields} fields would do"),
                    None => f.write_str("; they must stand closer, or the land must be less cold"),
                }
            }
            Self::Line { line, said, .. } => write!(f, "line {line}: {said}"),
            Self::Other(said) => f.write_str(said),
        }
    }
}

impl std::error::Error for NoWorld {}

impl From<String> for NoWorld {
    fn from(said: String) -> Self {
        Self::Other(said)
    }
}

impl From<&str> for NoWorld {
    fn from(said: &str) -> Self {
        Self::Other(said.to_owned())
    }
}
