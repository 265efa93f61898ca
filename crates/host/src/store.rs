//! The database: one SQLite file in a folder, written by one connection at a time.

use crate::error::HostError;
use crate::{Result, limits};
use kernel::any::AnyGame;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{SqlSafeStr, Sqlite, Transaction};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A transaction in the making.
pub(crate) type Tx = Transaction<'static, Sqlite>;

/// Name of the database in the data folder.
const DATABASE: &str = "briefwelt.db";

/// Bytes of a page of the database.
const PAGE_BYTES: u32 = 4096;

/// The schema, step by step. Numbers are never reused and texts never changed.
const MIGRATIONS: &[(i64, &str, &str)] = &[(1, "worlds", include_str!("../../../migrations/sqlite/0001_worlds.sql"))];

/// Where and how to open a store.
#[derive(Clone, Debug)]
pub struct Options {
    /// The data folder.
    pub data: PathBuf,
    /// Whether to make a new store if there is none.
    pub create: bool,
    /// Size that the database must not outgrow, in megabytes.
    pub megabytes_max: Option<u32>,
}

/// An open store with the games it can run.
pub struct Host {
    games: Vec<Arc<dyn AnyGame>>,
    writer: SqlitePool,
    reader: SqlitePool,
    data: PathBuf,
}

/// A lock of the operating system: gone with the process, whatever ends it.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Host {
    /// Opens the store and brings its schema up to date.
    pub async fn open(games: Vec<Arc<dyn AnyGame>>, options: &Options) -> Result<Self> {
        let data = &options.data;
        let database = data.join(DATABASE);
        if !options.create && !database.exists() {
            return Err(HostError::NoStore(data.clone()));
        }
        std::fs::create_dir_all(data).map_err(|error| HostError::file(data, error))?;
        // Two programs that start at once must not both write the schema.
        let path = data.join("open.lock");
        let lock = open_lock(&path)?;
        lock.lock().map_err(|error| HostError::file(&path, error))?;
        let connect = connect_options(&database, options);
        let writer = SqlitePoolOptions::new()
            .max_connections(1)
            .acquire_timeout(Duration::from_millis(limits::BUSY_MILLISECONDS * 2))
            // A full disk ends a transaction behind the back of sqlx, which then counts one too many for ever: every
            // writing transaction gets a connection of its own.
            .after_release(|_, _| Box::pin(async { Ok(false) }))
            .connect_with(connect.clone().create_if_missing(true))
            .await?;
        let migrations = MIGRATIONS.iter().map(|(version, name, sql)| {
            Migration::new(
                *version,
                (*name).into(),
                MigrationType::Simple,
                (*sql).into_sql_str(),
                false,
            )
        });
        Migrator::with_migrations(migrations.collect()).run(&writer).await?;
        let reader = SqlitePoolOptions::new()
            .max_connections(4)
            .acquire_timeout(Duration::from_millis(limits::BUSY_MILLISECONDS * 2))
            .connect_with(connect)
            .await?;
        Ok(Self {
            games,
            writer,
            reader,
            data: data.clone(),
        })
    }

    /// Closes the store; the write-ahead log is folded into the database.
    pub async fn close(self) {
        self.reader.close().await;
        self.writer.close().await;
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

    /// Begins a transaction that writes. Only one can be under way in all processes together.
    pub(crate) async fn write(&self) -> Result<Tx> {
        // A transaction that begins as a reader and turns writer fails at once, whatever the time-out.
        Ok(self.writer.begin_with("BEGIN IMMEDIATE").await?)
    }

    /// Begins a transaction that reads one consistent picture.
    pub(crate) async fn read(&self) -> Result<Tx> {
        Ok(self.reader.begin().await?)
    }

    /// Takes the lock of a world, so that two processes do not run the same step.
    pub(crate) fn lock(&self, id: &str, name: &str) -> Result<Lock> {
        let folder = self.data.join("locks");
        std::fs::create_dir_all(&folder).map_err(|error| HostError::file(&folder, error))?;
        let path = folder.join(format!("{id}.lock"));
        let file = open_lock(&path)?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(HostError::Busy(format!("the world {name:?}"))),
            Err(TryLockError::Error(error)) => Err(HostError::file(&path, error)),
        }
    }

    /// Asks the database to examine all its pages and references.
    pub async fn check_database(&self) -> Result<()> {
        let mut tx = self.read().await?;
        let findings: Vec<(String,)> = sqlx::query_as("PRAGMA integrity_check").fetch_all(&mut *tx).await?;
        match findings.first() {
            Some((finding,)) if finding == "ok" => {}
            Some((finding,)) => return Err(HostError::Damaged(finding.clone())),
            None => return Err(HostError::Damaged("the examination gave no answer".into())),
        }
        let strays = sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut *tx).await?;
        if strays.is_empty() {
            Ok(())
        } else {
            Err(HostError::Damaged(format!("{} rows refer to nothing", strays.len())))
        }
    }
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

fn open_lock(path: &Path) -> Result<File> {
    File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(|error| HostError::file(path, error))
}

/// Milliseconds since 1970 in UTC.
pub(crate) fn now() -> i64 {
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

/// Notes a deed in the world's record.
pub(crate) async fn note_at(tx: &mut Tx, world: &str, at: i64, deed: &str, detail: &str) -> Result<()> {
    sqlx::query(
        "INSERT INTO audit (world, number, at, deed, detail) \
         SELECT $1, COALESCE(MAX(number), 0) + 1, $2, $3, $4 FROM audit WHERE world = $1",
    )
    .bind(world)
    .bind(at)
    .bind(deed)
    .bind(detail)
    .execute(&mut **tx)
    .await?;
    Ok(())
}
