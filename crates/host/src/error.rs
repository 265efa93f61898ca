//! What can go wrong between the program and the world outside. Each kind has its exit code.

use crate::account::AccountError;
use crate::arms::ArmsError;
use crate::damage::Damage;
use crate::desk::DeskError;
use crate::letter::LetterError;
use crate::membership::MembershipError;
use crate::newspaper::NewspaperError;
use crate::picture::PictureError;
use crate::unfit::{Flaw, Unfit};
use kernel::any::GameError;
use kernel::realm::{RealmId, Viewer};
use std::io;
use std::path::{Path, PathBuf};

/// Why the host could not do what it was asked. Nothing is lost: whatever was stored before is stored still.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// There is no database where one was expected.
    #[error("no worlds in {}: create one with `briefwelt world new`, or name the right folder with --data", .0.display())]
    NoStore(PathBuf),
    /// No world has this name or id.
    #[error("unknown world {0:?}; `briefwelt world list` names those there are")]
    UnknownWorld(String),
    /// No world was named and there is none, or more than one.
    #[error("{}", which_world(.0))]
    WhichWorld(Vec<String>),
    /// No game has this name.
    #[error("unknown game {name:?}; known are {known}")]
    UnknownGame {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// The world has no such realm.
    #[error("the world {world:?} has no realm {realm}")]
    UnknownRealm {
        /// Name of the world.
        world: String,
        /// The realm asked for.
        realm: RealmId,
    },
    /// The world has no realm of this name.
    #[error("the world {world:?} has no realm called {name:?}")]
    UnknownRealmName {
        /// Name of the world.
        world: String,
        /// The name asked for.
        name: String,
    },
    /// No rule has this id, or contains these words.
    #[error("no rule {0:?}")]
    UnknownRule(String),
    /// Nothing is stored for this turn and viewer.
    #[error("nothing is stored for {whom:?} in turn {step}; turns {first} to {last} are")]
    UnknownStep {
        /// Whose view was asked for; none for what a second run needs.
        whom: Option<Viewer>,
        /// The step asked for.
        step: u32,
        /// First stored step.
        first: u32,
        /// Last stored step.
        last: u32,
    },
    /// There is no judgement with this number to take back.
    #[error("there is no judgement number {number} for turn {step}")]
    UnknownJudgement {
        /// The number asked for.
        number: u32,
        /// The open step.
        step: u32,
    },
    /// A world of this name exists already.
    #[error("a world {0:?} exists already; choose another name")]
    WorldExists(String),
    /// The world that shall be read in is here already, under this name.
    #[error("this world is here already, as {0:?}; a copy of it needs a data folder of its own (--data)")]
    SameWorld(String),
    /// Another turn was the last one.
    #[error("turn {step} is not the last one: that is turn {last}")]
    NotLast {
        /// The turn that was meant.
        step: u32,
        /// The last turn.
        last: u32,
    },
    /// The step was run before.
    #[error("turn {step} has been run already; turn {open} is open")]
    AlreadyRun {
        /// The step asked for.
        step: u32,
        /// The open step.
        open: u32,
    },
    /// The step is not open yet.
    #[error("turn {step} is not open yet; turn {open} is")]
    NotOpen {
        /// The step asked for.
        step: u32,
        /// The open step.
        open: u32,
    },
    /// The world has come to its end.
    #[error("the world {0:?} has come to its end: no turn is open")]
    Over(String),
    /// No turn was run yet.
    #[error("no turn of the world {0:?} was run yet: there is nothing to take back")]
    NothingToTakeBack(String),
    /// The world has not been closed: its keys are sealed.
    #[error("the world {0:?} is not closed: its keys stay sealed until `briefwelt world close`")]
    NotClosed(String),
    /// Players have not sent orders yet.
    #[error("orders are missing from {missing}; wait, or run the turn with --without-missing")]
    Missing {
        /// Names of the realms.
        missing: String,
    },
    /// The realm takes no part in the open step.
    #[error("realm {realm} takes no part in turn {step}")]
    NotDue {
        /// The realm.
        realm: RealmId,
        /// The open step.
        step: u32,
    },
    /// The deadline of the step has passed, and its grace.
    #[error("the deadline of turn {step} has passed; the game master can take orders in all the same")]
    Late {
        /// The open step.
        step: u32,
        /// When orders were due.
        due_at: i64,
    },
    /// Something from outside is larger than the limit.
    #[error("{what} is too large: {size} bytes, at most {limit}")]
    TooLarge {
        /// What, as the key of its wording: one of [`TOO_LARGE`].
        what: &'static str,
        /// Its size.
        size: u64,
        /// The limit.
        limit: u64,
    },
    /// Something from outside has the wrong form.
    #[error("malformed: {0}")]
    Malformed(Unfit),
    /// An exported world is cut, altered or not an exported world at all.
    #[error("not a sound exported world or backup: {0}; nothing was read in")]
    BrokenArchive(Flaw),
    /// The same was sent before and counts already.
    #[error("this was sent before and counts already; nothing was changed")]
    Repeated,
    /// A file could not be read or written.
    #[error("{}: {reason}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// No room is left.
    #[error("no room left on the disk, or the database has reached its limit; nothing was changed")]
    DiskFull,
    /// Another process is at work on the same thing.
    #[error("another process is at work on {0:?}; nothing was changed, try again")]
    Busy(Occupied),
    /// The database cannot be trusted.
    #[error("the database is damaged: {0}; it was left as it is, restore a copy or import an exported world")]
    Damaged(Damage),
    /// The database was written by a newer program.
    #[error("the database was written by a newer program: {0}")]
    TooNew(String),
    /// A backup is to be read into a store that holds something.
    #[error("the store is not empty; a backup is read into a fresh one, name it with --data or --database")]
    NotEmpty,
    /// The database could not be used for another reason.
    #[error("database: {0}")]
    Database(String),
    /// What was asked of an account cannot be granted.
    #[error(transparent)]
    Account(#[from] AccountError),
    /// What was asked of a world's circle of players cannot be granted.
    #[error(transparent)]
    Membership(#[from] MembershipError),
    /// What was asked of the game master's desk cannot be done.
    #[error(transparent)]
    Desk(#[from] DeskError),
    /// A letter cannot be had or sent.
    #[error(transparent)]
    Letter(#[from] LetterError),
    /// The newspaper does not take or print it.
    #[error(transparent)]
    Newspaper(#[from] NewspaperError),
    /// A coat of arms is not taken.
    #[error(transparent)]
    Arms(#[from] ArmsError),
    /// A picture is not taken.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// The game refused what it was given.
    #[error(transparent)]
    Game(GameError),
    /// The program broke one of its own laws; the world stays as it was.
    #[error("a law of the program is broken: {0}; the world stays as it was, please report this")]
    Broken(String),
}

/// Worlds that a question names; a host with more is asked for its list.
const NAMED: usize = 8;

/// The question which world is meant, with the names of those there are.
fn which_world(names: &[String]) -> String {
    match names {
        [] => "there is no world yet: make one with `briefwelt world new`".to_owned(),
        names if names.len() <= NAMED => format!("which world? Name one with --world: {}", names.join(", ")),
        names => format!(
            "which of {} worlds? Name one with --world; `briefwelt world list` names them",
            names.len()
        ),
    }
}

/// Everything that can be too large, by the key of its wording.
pub const TOO_LARGE: [&str; 20] = [
    "accounts",
    "announcement",
    "announcements",
    "bookings",
    "changes",
    "game-masters",
    "grace",
    "introduction",
    "invitations",
    "judgements",
    "letter",
    "note",
    "order-file",
    "order-files",
    "pauses",
    "plan",
    "reason",
    "request",
    "ruling",
    "worlds",
];

/// What another process holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Occupied {
    /// The database.
    Database,
    /// All connections to the database.
    Connections,
    /// The world of this name.
    World(String),
}

/// The exit codes there are; what they mean is told by `briefwelt exit-codes`.
pub const EXIT_CODES: std::ops::RangeInclusive<u8> = 0..=13;

impl HostError {
    /// The exit code of the program for this error, as in [`EXIT_CODES`].
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NoStore(_)
            | Self::UnknownWorld(_)
            | Self::WhichWorld(_)
            | Self::UnknownGame { .. }
            | Self::UnknownRealm { .. }
            | Self::UnknownRealmName { .. }
            | Self::UnknownRule(_)
            | Self::UnknownStep { .. }
            | Self::UnknownJudgement { .. } => 3,
            Self::WorldExists(_)
            | Self::SameWorld(_)
            | Self::NotEmpty
            | Self::AlreadyRun { .. }
            | Self::NotLast { .. }
            | Self::NotOpen { .. }
            | Self::Over(_)
            | Self::NotClosed(_)
            | Self::NothingToTakeBack(_)
            | Self::Repeated
            | Self::Missing { .. } => 4,
            Self::NotDue { .. } | Self::Late { .. } => 5,
            Self::File { reason, .. } if is_full(reason) => 10,
            Self::File { .. } | Self::Database(_) => 6,
            Self::TooLarge { .. } => 7,
            Self::Malformed(_) | Self::BrokenArchive(_) | Self::Desk(_) => 8,
            Self::Damaged(_) | Self::TooNew(_) => 9,
            Self::DiskFull => 10,
            Self::Busy(_) => 11,
            Self::Broken(_) => 12,
            Self::Account(error) => error.exit_code(),
            Self::Membership(error) => error.exit_code(),
            Self::Letter(error) => error.exit_code(),
            Self::Newspaper(error) => error.exit_code(),
            Self::Arms(ArmsError::TooLarge) | Self::Picture(PictureError::TooLarge) => 7,
            Self::Arms(_) | Self::Picture(_) => 8,
            Self::Game(error) => match error {
                GameError::NoSuchRealm(_) => 3,
                GameError::HouseRules(_) | GameError::Plan(_) | GameError::Judgement(_) => 8,
                GameError::Record(_) => 9,
                GameError::Broken(_) => 12,
            },
        }
    }

    /// An error about a file.
    pub fn file(path: &Path, source: io::Error) -> Self {
        Self::File {
            path: path.to_owned(),
            reason: source,
        }
    }
}

/// Whether a file could not be written because there is no room for it.
pub fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
    )
}

impl From<GameError> for HostError {
    fn from(error: GameError) -> Self {
        Self::Game(error)
    }
}

/// What the databases say, as far as it means something to the person in front of the program.
impl From<sqlx::Error> for HostError {
    fn from(error: sqlx::Error) -> Self {
        let text = error.to_string();
        match &error {
            sqlx::Error::Database(database) => {
                let code = database.code().unwrap_or_default();
                if database.try_downcast_ref::<sqlx::postgres::PgDatabaseError>().is_some() {
                    from_postgres(&code, text)
                } else {
                    from_sqlite(&code, text)
                }
            }
            sqlx::Error::RowNotFound | sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => {
                Self::Damaged(text.into())
            }
            sqlx::Error::PoolTimedOut => Self::Busy(Occupied::Database),
            sqlx::Error::Encode(error) => Self::Malformed(Unfit::Other(error.to_string())),
            _ => Self::Database(text),
        }
    }
}

/// By the primary result codes of SQLite.
fn from_sqlite(code: &str, text: String) -> HostError {
    /// No room even for the file through which processes share the log.
    const SHARED_MEMORY_SIZE: u32 = 4874;
    let code = code.parse::<u32>().unwrap_or(0);
    if code == SHARED_MEMORY_SIZE {
        return HostError::DiskFull;
    }
    match code & 0xff {
        5 | 6 => HostError::Busy(Occupied::Database),
        11 => HostError::Damaged(Damage::Torn),
        26 => HostError::Damaged(Damage::NoDatabase),
        13 => HostError::DiskFull,
        // A missing table or column, or a row that breaks a constraint: the file is not what we wrote.
        1 | 19 => HostError::Damaged(text.into()),
        _ => HostError::Database(text),
    }
}

/// By the classes of SQLSTATE.
fn from_postgres(code: &str, text: String) -> HostError {
    match code {
        // Two that wait for each other, one that waited too long, one that came second.
        "40001" | "40P01" | "55P03" => HostError::Busy(Occupied::Database),
        "53100" => HostError::DiskFull,
        "53300" => HostError::Busy(Occupied::Connections),
        _ => match code.get(..2) {
            // Corruption, broken constraints, missing tables and columns.
            Some("XX" | "23" | "42") => HostError::Damaged(text.into()),
            _ => HostError::Database(text),
        },
    }
}

impl From<sqlx::migrate::MigrateError> for HostError {
    fn from(error: sqlx::migrate::MigrateError) -> Self {
        use sqlx::migrate::MigrateError;
        match error {
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => error.into(),
            MigrateError::VersionMissing(version) => Self::TooNew(format!("schema {version}")),
            other => Self::Damaged(other.to_string().into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sqlite_without_room_is_a_full_disk_whatever_it_has_no_room_for() {
        for (code, exit) in [("13", 10), ("4874", 10), ("10", 6), ("11", 9), ("26", 9), ("5", 11)] {
            assert_eq!(from_sqlite(code, String::new()).exit_code(), exit, "{code}");
        }
    }
}
