//! The store: opening it, its schema, its locks and its record of deeds.

use crate::damage::Damage;
use crate::db::{Db, Subject, Tx, lock_key, values};
use crate::error::{HostError, Occupied};
use crate::unfit::Unfit;
use crate::world::OpenSteps;
use crate::{Result, limits, once};
use kernel::any::AnyGame;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _, Postgres, SqlSafeStr};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::str::FromStr as _;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::Semaphore;

/// Name of the database in the data folder.
const DATABASE: &str = "briefwelt.db";

/// Bytes of a page of the database.
const PAGE_BYTES: u32 = 4096;

/// The schema, step by step, for SQLite and for PostgreSQL. Numbers are never reused and texts never changed.
const MIGRATIONS: &[(i64, &str, &str, &str)] = &[
    (
        1,
        "worlds",
        include_str!("../../../migrations/sqlite/0001_worlds.sql"),
        include_str!("../../../migrations/postgres/0001_worlds.sql"),
    ),
    (
        2,
        "accounts",
        include_str!("../../../migrations/sqlite/0002_accounts.sql"),
        include_str!("../../../migrations/postgres/0002_accounts.sql"),
    ),
    (
        3,
        "schedule",
        include_str!("../../../migrations/sqlite/0003_schedule.sql"),
        include_str!("../../../migrations/postgres/0003_schedule.sql"),
    ),
    (
        4,
        "letters",
        include_str!("../../../migrations/sqlite/0004_letters.sql"),
        include_str!("../../../migrations/postgres/0004_letters.sql"),
    ),
    (
        5,
        "drafts",
        include_str!("../../../migrations/sqlite/0005_drafts.sql"),
        include_str!("../../../migrations/postgres/0005_drafts.sql"),
    ),
    (
        6,
        "desk",
        include_str!("../../../migrations/sqlite/0006_desk.sql"),
        include_str!("../../../migrations/postgres/0006_desk.sql"),
    ),
    (
        7,
        "closing",
        include_str!("../../../migrations/sqlite/0007_closing.sql"),
        include_str!("../../../migrations/postgres/0007_closing.sql"),
    ),
    (
        8,
        "keeping",
        include_str!("../../../migrations/sqlite/0008_keeping.sql"),
        include_str!("../../../migrations/postgres/0008_keeping.sql"),
    ),
    (
        9,
        "tokens",
        include_str!("../../../migrations/sqlite/0009_tokens.sql"),
        include_str!("../../../migrations/postgres/0009_tokens.sql"),
    ),
    (
        10,
        "players",
        include_str!("../../../migrations/sqlite/0010_players.sql"),
        include_str!("../../../migrations/postgres/0010_players.sql"),
    ),
    (
        11,
        "opens",
        include_str!("../../../migrations/sqlite/0011_opens.sql"),
        include_str!("../../../migrations/postgres/0011_opens.sql"),
    ),
    (
        12,
        "once",
        include_str!("../../../migrations/sqlite/0012_once.sql"),
        include_str!("../../../migrations/postgres/0012_once.sql"),
    ),
    (
        13,
        "turn_mail",
        include_str!("../../../migrations/sqlite/0013_turn_mail.sql"),
        include_str!("../../../migrations/postgres/0013_turn_mail.sql"),
    ),
];

/// Where and how to open a store.
#[derive(Clone, Debug)]
pub struct Options {
    /// The data folder.
    pub data: PathBuf,
    /// Address of a PostgreSQL database (`postgres://…`); without one, a file in the data folder.
    pub database: Option<String>,
    /// Whether to make a new store if there is none.
    pub create: bool,
    /// Size that the database must not outgrow, in megabytes.
    pub megabytes_max: Option<u32>,
}

/// An open store with the games it can run.
pub struct Host {
    games: Vec<Arc<dyn AnyGame>>,
    db: Db,
    data: PathBuf,
    /// Passwords that may be hashed at the same time: each takes a core and 19 MiB.
    pub(crate) hashing: Semaphore,
    /// Pictures that may be drawn anew at the same time: each takes a core and up to 150 MB.
    pub(crate) drawing: Semaphore,
    /// Open steps that were looked up.
    pub(crate) open_steps: Mutex<OpenSteps>,
    /// Held by whoever unpacks a world to see which step is open.
    pub(crate) opening: tokio::sync::Mutex<()>,
    /// How long a claimed job is held without being renewed.
    pub(crate) lease_milliseconds: i64,
    /// Whom realms know after a step: asked on every page with letters, changed by steps only.
    pub(crate) circles: crate::letter::Circles,
    /// Keys and sessions that were used since that was last written down.
    pub(crate) touches: Mutex<crate::touch::Touches>,
}

/// A lock that is gone with its process, whatever ends it.
#[derive(Debug)]
pub(crate) enum Lock {
    /// Of the operating system.
    File(File),
    /// Of the database server: it ends with the connection.
    Server(PoolConnection<Postgres>),
}

impl Lock {
    /// Gives it back now, and not only when the server sees that the connection is gone.
    pub(crate) async fn release(self) {
        match self {
            Self::File(file) => drop(file),
            Self::Server(mut connection) => {
                // If the server cannot be told, the lock ends with the connection, which is not used again.
                let _ = sqlx::query("SELECT pg_advisory_unlock_all()")
                    .execute(&mut *connection)
                    .await;
            }
        }
    }
}

/// Closes a store at the end of a program.
#[derive(Debug)]
pub struct Closer(Db);

impl Closer {
    /// Closes the store; the write-ahead log is folded into the database.
    pub async fn close(self) {
        self.0.close().await;
    }
}

impl Host {
    /// Opens the store and brings its schema up to date.
    pub async fn open(games: Vec<Arc<dyn AnyGame>>, options: &Options) -> Result<Self> {
        let db = match &options.database {
            Some(url) => open_server(url).await?,
            None => open_file(options).await?,
        };
        Ok(Self {
            games,
            db,
            data: options.data.clone(),
            hashing: Semaphore::new(limits::HASHES_AT_ONCE),
            drawing: Semaphore::new(limits::PICTURES_AT_ONCE),
            open_steps: Mutex::default(),
            opening: tokio::sync::Mutex::default(),
            lease_milliseconds: limits::LEASE_MILLISECONDS,
            circles: crate::letter::Circles::default(),
            touches: Mutex::default(),
        })
    }

    /// What closes the store later, wherever the host itself has gone by then.
    pub fn closer(&self) -> Closer {
        Closer(self.db.clone())
    }

    /// Sets how long a claimed job is held without being renewed: until then nobody takes over from a killed process.
    pub fn set_lease(&mut self, milliseconds: u32) {
        self.lease_milliseconds = i64::from(milliseconds.max(100));
    }

    /// The data folder.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// The games that this program can run.
    pub fn games(&self) -> &[Arc<dyn AnyGame>] {
        &self.games
    }

    /// The game called `name`, or with this code of its rules.
    pub fn game(&self, name: &str) -> Result<Arc<dyn AnyGame>> {
        self.games
            .iter()
            .find(|game| game.name().eq_ignore_ascii_case(name) || game.code().eq_ignore_ascii_case(name))
            .cloned()
            .ok_or_else(|| HostError::UnknownGame {
                name: name.to_owned(),
                known: self.games.iter().map(|game| game.name()).collect::<Vec<_>>().join(", "),
            })
    }

    /// Begins a transaction that writes. Two about the same subject come one after the other, in all processes together.
    pub(crate) async fn write(&self, subject: Subject<'_>) -> Result<Tx> {
        let mut tx = self.db.write(subject).await?;
        once::leave_mark(&mut tx).await?;
        Ok(tx)
    }

    /// Begins a transaction that writes what is nobody's deed: it leaves no mark, whoever's request brought it about.
    pub(crate) async fn write_aside(&self, subject: Subject<'_>) -> Result<Tx> {
        once::leave_none();
        self.db.write(subject).await
    }

    /// Begins a transaction that reads one consistent picture.
    pub(crate) async fn read(&self) -> Result<Tx> {
        self.db.read().await
    }

    /// Takes the lock of a world, so that two processes do not run the same step.
    pub(crate) async fn lock(&self, id: &str, name: &str) -> Result<Lock> {
        let busy = || HostError::Busy(Occupied::World(name.to_owned()));
        if let Db::Postgres(pool) = &self.db {
            let mut connection = pool.acquire().await?;
            connection.close_on_drop();
            let (taken,): (bool,) = sqlx::query_as("SELECT pg_try_advisory_lock($1)")
                .bind(lock_key(&format!("run {id}")))
                .fetch_one(&mut *connection)
                .await?;
            let lock = Lock::Server(connection);
            if taken {
                return Ok(lock);
            }
            lock.release().await;
            return Err(busy());
        }
        let folder = self.data.join("locks");
        std::fs::create_dir_all(&folder).map_err(|error| HostError::file(&folder, error))?;
        let path = folder.join(format!("{id}.lock"));
        let file = open_lock(&path)?;
        match file.try_lock() {
            Ok(()) => Ok(Lock::File(file)),
            Err(TryLockError::WouldBlock) => Err(busy()),
            Err(TryLockError::Error(error)) => Err(HostError::file(&path, error)),
        }
    }

    /// Asks the database to examine all its pages and references.
    pub async fn check_database(&self) -> Result<()> {
        let mut tx = self.read().await?;
        // A server sees to its pages itself, and never lets a reference go stale.
        if let Tx::Postgres(_) = tx {
            return Ok(());
        }
        let findings: Vec<(String,)> = tx.all("PRAGMA integrity_check", &values![]).await?;
        match findings.first() {
            Some((finding,)) if finding == "ok" => {}
            Some((finding,)) => return Err(HostError::Damaged(finding.clone().into())),
            None => return Err(HostError::Damaged("the examination gave no answer".to_owned().into())),
        }
        let strays: Vec<(String,)> = tx.all("PRAGMA foreign_key_check", &values![]).await?;
        if strays.is_empty() {
            Ok(())
        } else {
            Err(HostError::Damaged(
                format!("{} rows refer to nothing", strays.len()).into(),
            ))
        }
    }
}

/// Number of the newest schema that this program knows.
pub(crate) fn schema() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.0).max().unwrap_or(0)
}

/// The tables of the schema, each after those that it refers to.
pub(crate) fn tables() -> Vec<&'static str> {
    MIGRATIONS
        .iter()
        .flat_map(|migration| migration.2.lines())
        .filter_map(|line| line.strip_prefix("CREATE TABLE ")?.split_whitespace().next())
        .collect()
}

fn migrator(text: impl Fn(&(i64, &str, &'static str, &'static str)) -> &'static str) -> Migrator {
    let migrations = MIGRATIONS.iter().map(|migration| {
        Migration::new(
            migration.0,
            migration.1.to_owned().into(),
            MigrationType::Simple,
            text(migration).into_sql_str(),
            false,
        )
    });
    Migrator::with_migrations(migrations.collect())
}

async fn open_file(options: &Options) -> Result<Db> {
    let data = &options.data;
    let database = data.join(DATABASE);
    // Where nobody may look, nobody can tell what is there.
    let exists = |path: &Path| path.try_exists().map_err(|error| HostError::file(path, error));
    if !options.create && !exists(&database)? {
        return Err(HostError::NoStore(data.clone()));
    }
    // To SQLite an empty file is a new database; where worlds are looked for it is one that has lost them.
    if !options.create && std::fs::metadata(&database).is_ok_and(|file| file.is_file() && file.len() == 0) {
        return Err(HostError::Damaged(Damage::Empty));
    }
    if !exists(data)? {
        make_private_folder(data).map_err(|error| HostError::file(data, error))?;
    }
    // Two programs that start at once must not both write the schema.
    let path = data.join("open.lock");
    let lock = open_lock(&path)?;
    wait_for(&lock, &path).await?;
    if options.create && !exists(&database)? {
        // Its log and whatever else belongs to it get the same rights.
        new_private_file(&database).map_err(|error| HostError::file(&database, error))?;
    }
    let connect = connect_options(&database, options);
    let writer = SqlitePoolOptions::new()
        .max_connections(1)
        .acquire_timeout(Duration::from_millis(limits::BUSY_MILLISECONDS * 2))
        // A full disk ends a transaction behind the back of sqlx, which then counts one too many for ever: such a
        // connection is not used again. The answer to the ping comes after all that was asked of it before.
        .after_release(|connection, _| {
            Box::pin(async move {
                connection.ping().await?;
                Ok(!connection.is_in_transaction())
            })
        })
        .connect_with(connect.clone().create_if_missing(true))
        .await?;
    migrator(|migration| migration.2).run(&writer).await?;
    let reader = SqlitePoolOptions::new()
        .max_connections(4)
        .acquire_timeout(Duration::from_millis(limits::BUSY_MILLISECONDS * 2))
        .connect_with(connect)
        .await?;
    Ok(Db::Sqlite { writer, reader })
}

async fn open_server(url: &str) -> Result<Db> {
    let malformed = |error: sqlx::Error| HostError::Malformed(Unfit::Address(error.to_string()));
    let connect = PgConnectOptions::from_str(url)
        .map_err(malformed)?
        .application_name("briefwelt")
        .options([
            ("lock_timeout", limits::BUSY_MILLISECONDS.to_string()),
            // The locks of a machine that fell silent are given back within two minutes.
            ("tcp_keepalives_idle", "60".into()),
            ("tcp_keepalives_interval", "15".into()),
            ("tcp_keepalives_count", "4".into()),
        ]);
    let pool = PgPoolOptions::new()
        .max_connections(limits::CONNECTIONS)
        .acquire_timeout(Duration::from_millis(limits::BUSY_MILLISECONDS * 2))
        .connect_with(connect.clone())
        .await;
    let pool = match pool {
        // It tried again and again, and tells only that it took too long: why says a single attempt.
        Err(sqlx::Error::PoolTimedOut) => {
            connect.connect().await?.close().await?;
            return Err(sqlx::Error::PoolTimedOut.into());
        }
        pool => pool?,
    };
    // Takes a lock of the server, so that only one of several processes writes the schema.
    migrator(|migration| migration.3).run(&pool).await?;
    Ok(Db::Postgres(pool))
}

fn connect_options(database: &Path, options: &Options) -> SqliteConnectOptions {
    let connect = SqliteConnectOptions::new()
        .filename(database)
        .create_if_missing(false)
        .page_size(PAGE_BYTES)
        .journal_mode(SqliteJournalMode::Wal)
        // With FULL a committed step survives a power failure, not only a crash of the program.
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(Duration::from_millis(limits::BUSY_MILLISECONDS));
    match options.megabytes_max {
        Some(megabytes) => connect.pragma(
            "max_page_count",
            (u64::from(megabytes) * 1024 * 1024 / u64::from(PAGE_BYTES)).to_string(),
        ),
        None => connect,
    }
}

/// A new file that only its owner can read: what the host keeps and what it writes for its keeper holds passwords and dice.
pub(crate) fn new_private_file(path: &Path) -> std::io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// A new folder that only its owner can look into.
fn make_private_folder(path: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Waits for a lock as long as for the database itself.
async fn wait_for(lock: &File, path: &Path) -> Result<()> {
    const PAUSE: Duration = Duration::from_millis(20);
    for _ in 0..u128::from(limits::BUSY_MILLISECONDS) / PAUSE.as_millis() {
        match lock.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => tokio::time::sleep(PAUSE).await,
            Err(TryLockError::Error(error)) => return Err(HostError::file(path, error)),
        }
    }
    Err(HostError::Busy(Occupied::Database))
}

fn open_lock(path: &Path) -> Result<File> {
    File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(|error| HostError::file(path, error))
}

/// Milliseconds since 1970 in UTC.
pub fn now() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .ok()
        .and_then(|since| i64::try_from(since.as_millis()).ok())
        .unwrap_or(0)
}

/// Random bytes of the operating system.
pub(crate) fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| HostError::Database(format!("no randomness: {error}")))?;
    Ok(bytes)
}

/// Notes a deed in the world's record, now.
pub(crate) async fn note(tx: &mut Tx, world: &str, deed: &str, detail: &str) -> Result<()> {
    note_at(tx, world, now(), deed, detail).await
}

/// Notes a deed in the world's record, with the account that acts.
pub(crate) async fn note_at(tx: &mut Tx, world: &str, at: i64, deed: &str, detail: &str) -> Result<()> {
    let who = ACTOR.try_with(Clone::clone).unwrap_or_default();
    note_by(tx, world, at, &who, deed, detail).await
}

/// Notes somebody's deed in the world's record.
pub(crate) async fn note_by(tx: &mut Tx, world: &str, at: i64, who: &str, deed: &str, detail: &str) -> Result<()> {
    tx.execute(
        "INSERT INTO audit (world, number, at, who, deed, detail) \
         SELECT $1, COALESCE(MAX(number), 0) + 1, $2, $3, $4, $5 FROM audit WHERE world = $1",
        &values![world, at, who, deed, detail],
    )
    .await?;
    Ok(())
}

tokio::task_local! {
    /// The account in whose name the host acts now.
    pub(crate) static ACTOR: String;
}

/// Lets an account act: whatever is done meanwhile stands under its name in the record.
pub async fn acting<T>(account: &str, deed: impl Future<Output = T>) -> T {
    ACTOR.scope(account.to_owned(), deed).await
}
