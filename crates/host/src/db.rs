//! The two databases behind one door: an SQLite file, or a PostgreSQL server shared by several processes.
//!
//! Every SQL text is written once and runs on both (how: `docs/store.md`). A query is one line:
//!
//! ```text
//! let seats: Vec<(i64, String)> = tx.all("SELECT realm, name FROM seats WHERE world = $1", &values![&world.id]).await?;
//! ```

use crate::Result;
use sqlx::postgres::{PgArguments, PgPool, PgRow};
use sqlx::sqlite::{SqliteArguments, SqlitePool, SqliteRow};
use sqlx::{Arguments as _, AssertSqlSafe, FromRow, Postgres, Sqlite, Transaction};
use std::pin::Pin;

/// An open database.
#[derive(Clone, Debug)]
pub(crate) enum Db {
    /// A file: one connection writes, several read.
    Sqlite {
        /// Takes one connection at a time.
        writer: SqlitePool,
        /// For everything else.
        reader: SqlitePool,
    },
    /// A server.
    Postgres(PgPool),
}

/// What a writing transaction is about: two of them about the same thing come one after the other on both databases.
///
/// Whoever needs several takes them in the order in which they stand here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Subject<'a> {
    /// What concerns all worlds or all accounts: names that must be unique.
    Store,
    /// One world, by its id.
    World(&'a str),
    /// One account, by its id.
    Account(&'a str),
    /// Attempts of one address or at one name.
    Attempts(&'a str),
    /// One job or mail, by its lease.
    Job(&'a str),
}

impl Subject<'_> {
    /// The key of the lock that stands for this thing in PostgreSQL.
    fn key(self) -> i64 {
        let name = match self {
            Self::Store => "store".to_owned(),
            Self::World(id) => format!("world {id}"),
            Self::Account(id) => format!("account {id}"),
            Self::Attempts(of) => format!("attempts {of}"),
            Self::Job(lease) => format!("job {lease}"),
        };
        lock_key(&name)
    }
}

/// Key of the lock with this name in PostgreSQL.
pub(crate) fn lock_key(name: &str) -> i64 {
    let mut bytes = [0; 8];
    blake3::Hasher::new_derive_key("briefwelt advisory lock 1")
        .update(name.as_bytes())
        .finalize_xof()
        .fill(&mut bytes);
    i64::from_le_bytes(bytes)
}

/// A transaction in the making; dropped without [`Tx::commit`] it leaves no trace.
pub(crate) enum Tx {
    /// Of the file.
    Sqlite(Transaction<'static, Sqlite>),
    /// Of the server.
    Postgres(Transaction<'static, Postgres>),
}

/// A value bound to `$1`, `$2`, …; nothing is written as `NULL`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'a> {
    /// `BIGINT`.
    Number(Option<i64>),
    /// `TEXT`.
    Text(Option<&'a str>),
    /// `BLOB` or `BYTEA`.
    Bytes(Option<&'a [u8]>),
}

/// The values of a query, in the order of their numbers.
macro_rules! values {
    ($($value:expr),* $(,)?) => { [$($crate::db::Value::from($value)),*] };
}
pub(crate) use values;

macro_rules! value_from {
    ($($from:ty => |$name:ident| $make:expr),* $(,)?) => {
        $(impl<'a> From<$from> for Value<'a> {
            fn from($name: $from) -> Self { $make }
        })*
    };
}
value_from! {
    i64 => |n| Self::Number(Some(n)),
    u32 => |n| Self::Number(Some(i64::from(n))),
    u16 => |n| Self::Number(Some(i64::from(n))),
    bool => |yes| Self::Number(Some(i64::from(yes))),
    kernel::realm::RealmId => |realm| Self::Number(Some(i64::from(realm.0))),
    Option<i64> => |n| Self::Number(n),
    &'a str => |text| Self::Text(Some(text)),
    &'a String => |text| Self::Text(Some(text)),
    Option<&'a str> => |text| Self::Text(text),
    &'a [u8] => |bytes| Self::Bytes(Some(bytes)),
    &'a Vec<u8> => |bytes| Self::Bytes(Some(bytes)),
    &'a [u8; 32] => |bytes| Self::Bytes(Some(bytes)),
    Option<&'a [u8]> => |bytes| Self::Bytes(bytes),
}

/// What a row of both databases can become: tuples of `i64`, `String`, `Vec<u8>` and `Option`s of them.
pub(crate) trait Row: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}
impl<T> Row for T where T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}

macro_rules! arguments {
    ($name:ident, $arguments:ty) => {
        fn $name(values: &[Value<'_>]) -> sqlx::Result<$arguments> {
            let mut arguments = <$arguments>::default();
            for value in values {
                match value {
                    // PostgreSQL keeps no such text; what is refused there is refused everywhere.
                    Value::Text(Some(text)) if text.contains('\0') => {
                        return Err(sqlx::Error::Encode("a text with the character NUL".into()));
                    }
                    Value::Number(number) => arguments.add(*number),
                    Value::Text(text) => arguments.add(*text),
                    Value::Bytes(bytes) => arguments.add(*bytes),
                }
                .map_err(sqlx::Error::Encode)?;
            }
            Ok(arguments)
        }
    };
}
arguments!(sqlite, SqliteArguments);
arguments!(postgres, PgArguments);

/// An answer to come. Asking the database is written as one type and not as a type of its own in every function that asks, because those are
/// compiled once for every caller of the store: it takes half the time of building the host.
type Later<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// Rows as a database gave them.
enum Rows {
    /// The file.
    Sqlite(Vec<SqliteRow>),
    /// The server.
    Postgres(Vec<PgRow>),
}

impl Rows {
    fn read<R: Row>(&self) -> Result<Vec<R>> {
        Ok(match self {
            Self::Sqlite(rows) => rows.iter().map(R::from_row).collect::<sqlx::Result<_>>()?,
            Self::Postgres(rows) => rows.iter().map(R::from_row).collect::<sqlx::Result<_>>()?,
        })
    }
}

impl Tx {
    /// All rows.
    pub async fn all<R: Row>(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<Vec<R>> {
        self.rows(sql, values).await?.read()
    }

    /// The first row, if there is one.
    pub async fn maybe<R: Row>(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<Option<R>> {
        Ok(self.row(sql, values).await?.read()?.pop())
    }

    fn rows<'a>(&'a mut self, sql: &'static str, values: &'a [Value<'a>]) -> Later<'a, Rows> {
        Box::pin(async move {
            Ok(match self {
                Self::Sqlite(tx) => {
                    let query = sqlx::query_with::<Sqlite, _>(sql, sqlite(values)?);
                    Rows::Sqlite(query.fetch_all(&mut **tx).await?)
                }
                Self::Postgres(tx) => {
                    let query = sqlx::query_with::<Postgres, _>(sql, postgres(values)?);
                    Rows::Postgres(query.fetch_all(&mut **tx).await?)
                }
            })
        })
    }

    /// The first row or none.
    fn row<'a>(&'a mut self, sql: &'static str, values: &'a [Value<'a>]) -> Later<'a, Rows> {
        Box::pin(async move {
            Ok(match self {
                Self::Sqlite(tx) => {
                    let query = sqlx::query_with::<Sqlite, _>(sql, sqlite(values)?);
                    Rows::Sqlite(query.fetch_optional(&mut **tx).await?.into_iter().collect())
                }
                Self::Postgres(tx) => {
                    let query = sqlx::query_with::<Postgres, _>(sql, postgres(values)?);
                    Rows::Postgres(query.fetch_optional(&mut **tx).await?.into_iter().collect())
                }
            })
        })
    }

    /// The first row; that there is none means a damaged database.
    pub async fn one<R: Row>(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<R> {
        match self.maybe(sql, values).await? {
            Some(row) => Ok(row),
            None => Err(sqlx::Error::RowNotFound.into()),
        }
    }

    /// Does something and tells how many rows it touched.
    pub fn execute<'a>(&'a mut self, sql: &'static str, values: &'a [Value<'a>]) -> Later<'a, u64> {
        Box::pin(async move {
            Ok(match self {
                Self::Sqlite(tx) => {
                    let query = sqlx::query_with::<Sqlite, _>(sql, sqlite(values)?);
                    query.execute(&mut **tx).await?.rows_affected()
                }
                Self::Postgres(tx) => {
                    let query = sqlx::query_with::<Postgres, _>(sql, postgres(values)?);
                    query.execute(&mut **tx).await?.rows_affected()
                }
            })
        })
    }

    /// Does something with a text that was made from names of our own schema.
    pub fn execute_made<'a>(&'a mut self, sql: AssertSqlSafe<String>, values: &'a [Value<'a>]) -> Later<'a, ()> {
        Box::pin(async move {
            match self {
                Self::Sqlite(tx) => {
                    let query = sqlx::query_with::<Sqlite, _>(sql, sqlite(values)?);
                    query.execute(&mut **tx).await?;
                }
                Self::Postgres(tx) => {
                    let query = sqlx::query_with::<Postgres, _>(sql, postgres(values)?);
                    query.execute(&mut **tx).await?;
                }
            }
            Ok(())
        })
    }

    /// Waits until no other writing transaction is about the same thing. SQLite has one writer at a time anyway.
    pub async fn hold(&mut self, subject: Subject<'_>) -> Result<()> {
        if let Self::Postgres(_) = self {
            self.execute("SELECT pg_advisory_xact_lock($1)", &values![subject.key()])
                .await?;
        }
        Ok(())
    }

    /// Makes everything count.
    pub fn commit(self) -> Later<'static, ()> {
        Box::pin(async move {
            match self {
                Self::Sqlite(tx) => tx.commit().await?,
                Self::Postgres(tx) => tx.commit().await?,
            }
            crate::once::committed();
            Ok(())
        })
    }
}

impl Db {
    /// Begins a transaction that writes about `subject`.
    pub fn write<'a>(&'a self, subject: Subject<'a>) -> Later<'a, Tx> {
        Box::pin(async move {
            match self {
                // A transaction that begins as a reader and turns writer fails at once, whatever the time-out.
                Self::Sqlite { writer, .. } => Ok(Tx::Sqlite(writer.begin_with("BEGIN IMMEDIATE").await?)),
                Self::Postgres(pool) => {
                    let mut tx = Tx::Postgres(pool.begin().await?);
                    tx.hold(subject).await?;
                    Ok(tx)
                }
            }
        })
    }

    /// Begins a transaction that reads one consistent picture.
    pub fn read(&self) -> Later<'_, Tx> {
        Box::pin(async move {
            Ok(match self {
                Self::Sqlite { reader, .. } => Tx::Sqlite(reader.begin().await?),
                Self::Postgres(pool) => Tx::Postgres(
                    pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                        .await?,
                ),
            })
        })
    }

    /// Closes all connections.
    pub async fn close(&self) {
        match self {
            Self::Sqlite { writer, reader } => {
                reader.close().await;
                // A copy of the file is whole only if nothing is left in the log. If somebody else still reads, the next
                // one who closes folds it; there is no reason to wait for him.
                let fold = "PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)";
                let _ = sqlx::raw_sql(fold).execute(writer).await;
                writer.close().await;
            }
            Self::Postgres(pool) => pool.close().await,
        }
    }
}
