//! Why something from outside does not have the form it must have. It is said as a value; how it reads is the business of whoever shows it,
//! in every language.

use std::fmt;

/// What has the wrong form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// Not 64 hexadecimal digits.
    Hex(String),
    /// A name is empty, too long, or has blanks at its ends or signs that are not seen.
    Name {
        /// The name.
        name: String,
        /// How long it may be.
        most: usize,
    },
    /// So many seats no world has.
    Seats {
        /// How many there are.
        seats: usize,
        /// How many there may be.
        most: usize,
    },
    /// Two realms of a world have the same name.
    Twice(String),
    /// An answer without the name of its request.
    NoRequest,
    /// The game carries no letters of the game master.
    NoLetters(String),
    /// The host gave this judgement itself when a seat changed hands: only the seat takes it back.
    HandedOver,
    /// Nothing like that was given up.
    NotGivenUp,
    /// Too many reminders, or one too early.
    Reminders {
        /// How many there may be.
        most: usize,
        /// How many minutes before the deadline they may come.
        minutes: u32,
    },
    /// No time zone has this name.
    Zone(String),
    /// A time beyond the calendar.
    Time(String),
    /// The address of a database cannot be read, in the words of whoever tried.
    Address(String),
    /// What another reader said.
    Other(String),
}

impl Unfit {
    /// One of each, for tests of the wording.
    pub fn all() -> [Self; 13] {
        [
            Self::Hex(String::new()),
            Self::Name {
                name: String::new(),
                most: 1,
            },
            Self::Seats { seats: 0, most: 1 },
            Self::Twice(String::new()),
            Self::NoRequest,
            Self::NoLetters(String::new()),
            Self::HandedOver,
            Self::NotGivenUp,
            Self::Reminders { most: 1, minutes: 1 },
            Self::Zone(String::new()),
            Self::Time(String::new()),
            Self::Address(String::new()),
            Self::Other(String::new()),
        ]
    }

    /// Key of the wording.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Hex(_) => "hex",
            Self::Name { .. } => "name",
            Self::Seats { .. } => "seats",
            Self::Twice(_) => "twice",
            Self::NoRequest => "no-request",
            Self::NoLetters(_) => "no-letters",
            Self::HandedOver => "handed-over",
            Self::NotGivenUp => "not-given-up",
            Self::Reminders { .. } => "reminders",
            Self::Zone(_) => "zone",
            Self::Time(_) => "time",
            Self::Address(_) => "address",
            Self::Other(_) => "other",
        }
    }

    /// The values that stand in the wording.
    pub fn values(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Hex(word) | Self::Zone(word) | Self::Time(word) | Self::Address(word) | Self::Other(word) => {
                vec![("word", word.clone())]
            }
            Self::Twice(name) => vec![("name", name.clone())],
            Self::NoLetters(game) => vec![("game", game.clone())],
            Self::Name { name, most } => vec![("name", name.clone()), ("most", most.to_string())],
            Self::Seats { seats, most } => vec![("seats", seats.to_string()), ("most", most.to_string())],
            Self::Reminders { most, minutes } => vec![("most", most.to_string()), ("minutes", minutes.to_string())],
            Self::NoRequest | Self::HandedOver | Self::NotGivenUp => Vec::new(),
        }
    }
}

/// For the log.
impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())?;
        self.values()
            .iter()
            .try_for_each(|(name, value)| write!(f, " {name}={value:?}"))
    }
}

/// Why a file is no sound exported world or backup.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// It does not begin like one.
    Foreign,
    /// A newer program wrote it.
    Newer,
    /// It ends too early, or is damaged, behind so many records.
    Cut(u64),
    /// Its bytes are not those that were written.
    Digest,
    /// It contradicts itself: how, for whoever looks into it.
    Content(String),
}

impl Flaw {
    /// One of each, for tests of the wording.
    pub fn all() -> [Self; 5] {
        [
            Self::Foreign,
            Self::Newer,
            Self::Cut(0),
            Self::Digest,
            Self::Content(String::new()),
        ]
    }

    /// Key of the wording.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Foreign => "foreign",
            Self::Newer => "newer",
            Self::Cut(_) => "cut",
            Self::Digest => "digest",
            Self::Content(_) => "content",
        }
    }

    /// What it is about: a number of records, a contradiction.
    pub fn subject(&self) -> String {
        match self {
            Self::Cut(records) => records.to_string(),
            Self::Content(how) => how.clone(),
            Self::Foreign | Self::Newer | Self::Digest => String::new(),
        }
    }
}

/// For the log.
impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.subject().as_str() {
            "" => f.write_str(self.code()),
            subject => write!(f, "{}: {subject}", self.code()),
        }
    }
}
