//! What can go wrong between the program and the world outside. Each kind has its exit code.

use crate::account::AccountError;
use crate::arms::ArmsError;
use crate::desk::DeskError;
use crate::letter::LetterError;
use crate::membership::MembershipError;
use crate::newspaper::NewspaperError;
use crate::picture::PictureError;
use kernel::any::GameError;
use kernel::realm::RealmId;
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
    #[error("nothing is stored for {whom} in turn {step}; turns {first} to {last} are")]
    UnknownStep {
        /// Whose view was asked for.
        whom: String,
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
    /// The file is refused as a whole for its name or for the realm it names.
    #[error("the file is not taken in: {0}")]
    Refused(String),
    /// Something from outside is larger than the limit.
    #[error("{what} is too large: {size} bytes, at most {limit}")]
    TooLarge {
        /// What.
        what: String,
        /// Its size.
        size: u64,
        /// The limit.
        limit: u64,
    },
    /// Something from outside has the wrong form.
    #[error("{0}")]
    Malformed(String),
    /// An exported world is cut, altered or not an exported world at all.
    #[error("not a sound exported world or backup: {0}; nothing was read in")]
    BrokenArchive(String),
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
    #[error("no room left on the disk, or the database has reached its limit; nothing was changed ({0})")]
    DiskFull(String),
    /// Another process is at work on the same thing.
    #[error("another process is at work on {0}; nothing was changed, try again")]
    Busy(String),
    /// The database cannot be trusted.
    #[error("the database is damaged: {0}; it was left as it is, restore a copy or import an exported world")]
    Damaged(String),
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

/// Meaning of the exit codes, for the help: code and words.
pub const EXIT_CODES: &[(u8, &str)] = &[
    (0, "done"),
    (
        1,
        "checked and found wrong: errors in orders, a die or turn that does not verify, a failed scenario",
    ),
    (2, "the command line was not understood"),
    (3, "unknown world, game, realm, turn or rule"),
    (
        4,
        "wrong turn: already run, not open yet, orders missing, world over, name taken",
    ),
    (
        5,
        "wrong realm: the file is another realm's, or the realm takes no part",
    ),
    (6, "a file cannot be read or written"),
    (7, "too large"),
    (
        8,
        "not in the expected form: house rules, judgement, exported world, an order file that is no text",
    ),
    (9, "the database is damaged or newer than the program"),
    (10, "disk full"),
    (11, "busy: another process is at work"),
    (12, "the program broke one of its own laws; the world is unchanged"),
    (
        13,
        "not permitted: wrong password, link or code, too many attempts, no seat left",
    ),
];

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
            Self::NotDue { .. } | Self::Late { .. } | Self::Refused(_) => 5,
            Self::File { .. } | Self::Database(_) => 6,
            Self::TooLarge { .. } => 7,
            Self::Malformed(_) | Self::BrokenArchive(_) | Self::Desk(_) => 8,
            Self::Damaged(_) | Self::TooNew(_) => 9,
            Self::DiskFull(_) => 10,
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

    /// An error about a file; a full disk is told apart.
    pub fn file(path: &Path, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                Self::DiskFull(format!("{}: {source}", path.display()))
            }
            _ => Self::File {
                path: path.to_owned(),
                reason: source,
            },
        }
    }
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
            sqlx::Error::RowNotFound | sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => Self::Damaged(text),
            sqlx::Error::PoolTimedOut => Self::Busy("the database".into()),
            sqlx::Error::Encode(error) => Self::Malformed(error.to_string()),
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
        return HostError::DiskFull(text);
    }
    match code & 0xff {
        5 | 6 => HostError::Busy("the database".into()),
        11 | 26 => HostError::Damaged(text),
        13 => HostError::DiskFull(text),
        // A missing table or column, or a row that breaks a constraint: the file is not what we wrote.
        1 | 19 => HostError::Damaged(text),
        _ => HostError::Database(text),
    }
}

/// By the classes of SQLSTATE.
fn from_postgres(code: &str, text: String) -> HostError {
    match code {
        // Two that wait for each other, one that waited too long, one that came second.
        "40001" | "40P01" | "55P03" => HostError::Busy("the database".into()),
        "53100" => HostError::DiskFull(text),
        "53300" => HostError::Busy("the database: it has no connection left".into()),
        _ => match code.get(..2) {
            // Corruption, broken constraints, missing tables and columns.
            Some("XX" | "23" | "42") => HostError::Damaged(text),
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
            other => Self::Damaged(other.to_string()),
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
