//! Everything in the store as one file, from either database into either, and the examination of a store.
//!
//! A backup is a file of records ([`crate::frame`]): `Store` first, then every table of the schema in the order in which
//! they refer to each other, each followed by its rows, and last `End` with the number of records before it and their
//! BLAKE3 digest. Tables are found in the schema, so that none can be forgotten. It holds every secret of the host.

use crate::Result;
use crate::db::{Subject, Tx, Value, values};
use crate::error::HostError;
use crate::frame::{Blob, Exported, Reader, Writer, broken, flawed};
use crate::ill::Ill;
use crate::store::{self, Host, now};
use crate::unfit::Flaw;
use futures_util::TryStreamExt as _;
use serde::{Deserialize, Serialize};
use sqlx::{AssertSqlSafe, Row as _};
use std::path::Path;

/// How a backup begins.
pub const MAGIC: [u8; 16] = *b"BRIEFWELT STORE\n";

/// Number of the format.
const FORMAT: u16 = 1;

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Kind {
    Number,
    Text,
    Bytes,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Column {
    name: String,
    kind: Kind,
}

/// A value of a row. Short names: there are many.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Cell {
    #[serde(rename = "0")]
    Nothing,
    #[serde(rename = "n")]
    Number(i64),
    #[serde(rename = "t")]
    Text(String),
    #[serde(rename = "b")]
    Bytes(Blob),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Record {
    Store { schema: i64, program: String, made_at: i64 },
    Table { name: String, columns: Vec<Column> },
    Row(Vec<Cell>),
    End { records: u64, digest: Blob },
}

/// What an examination found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// The world, if it is about one.
    pub world: Option<String>,
    /// The turn, if it is about one.
    pub turn: Option<u32>,
    /// Whether something is broken; otherwise somebody should look at it.
    pub broken: bool,
    /// What.
    pub what: Ill,
}

impl Host {
    /// Writes everything into one file, one consistent picture, while the host goes on.
    pub async fn backup(&self, path: &Path) -> Result<Exported> {
        let mut writer = Writer::create(path, MAGIC, FORMAT)?;
        writer.put(&Record::Store {
            schema: store::schema(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            made_at: now(),
        })?;
        let mut tx = self.read().await?;
        for name in store::tables() {
            let columns = columns(&mut tx, name).await?;
            if columns.is_empty() {
                return Err(HostError::Damaged(format!("the table {name} is missing").into()));
            }
            writer.put(&Record::Table {
                name: name.to_owned(),
                columns: columns.clone(),
            })?;
            each_row(&mut tx, name, &columns, &mut |row| writer.put(&Record::Row(row))).await?;
        }
        let (records, digest) = writer.so_far();
        writer.put(&Record::End { records, digest })?;
        writer.finish()
    }

    /// Reads a backup into this store, which must be empty: all of it or nothing.
    pub async fn restore(&self, path: &Path) -> Result<u64> {
        let mut reader = Reader::open(path, MAGIC, FORMAT)?;
        match reader.next()? {
            Record::Store { schema, .. } if schema <= store::schema() => {}
            Record::Store { schema, .. } => return Err(HostError::TooNew(format!("schema {schema}"))),
            _ => return Err(broken("it does not begin with a store")),
        }
        let mut tx = self.write(Subject::Store).await?;
        for name in store::tables() {
            let (rows,) = count(&mut tx, name).await?;
            if rows > 0 {
                return Err(HostError::NotEmpty);
            }
        }
        let rows = read_tables(&mut tx, &mut reader).await.map_err(|error| match error {
            // Whatever contradicts itself in here came with the file: the store itself is sound.
            HostError::Damaged(why) => broken(&why.to_string()),
            other => other,
        })?;
        tx.commit().await?;
        Ok(rows)
    }

    /// Examines the store: the database, every turn's digest and seals, every stored view and file, and work that failed.
    /// With `rerun` every turn is run again.
    pub async fn doctor(&self, rerun: bool) -> Result<Vec<Finding>> {
        let mut findings = Vec::new();
        let damaged = |error: HostError| match error {
            HostError::Damaged(damage) => Ill::from(damage),
            other => Ill::Damaged {
                said: other.to_string(),
            },
        };
        let of_host = |broken: bool, what: Ill| Finding {
            world: None,
            turn: None,
            broken,
            what,
        };
        if let Err(error) = self.check_database().await {
            findings.push(of_host(true, damaged(error)));
        }
        for world in self.worlds().await? {
            let mut found = |turn: Option<u32>, what: Ill| {
                findings.push(Finding {
                    world: Some(world.name.clone()),
                    turn,
                    broken: true,
                    what,
                });
            };
            match self.open_step_again(&world).await {
                Ok((stored, told)) if stored == told => {}
                Ok((stored, told)) => {
                    let (stored, now) = (stored.number, told.number);
                    found(None, Ill::OpenTurn { stored, now });
                }
                Err(error) => found(None, damaged(error)),
            }
            for step in self.steps(&world).await? {
                let turn = Some(step.number);
                match self.check_step(&world, step.number, rerun).await {
                    Ok(check) => check.ills().into_iter().for_each(|ill| found(turn, ill)),
                    Err(error) => found(turn, damaged(error)),
                }
                // Its orders and judgements, without which it cannot be run again.
                if let Err(HostError::Damaged(damage)) = self.requests(&world, step.number).await {
                    found(turn, damage.into());
                }
            }
            let mut tx = self.read().await?;
            if let Err(error) = crate::archive::write_world(&mut tx, &world, &mut |_| Ok(())).await {
                found(None, damaged(error));
            }
        }
        for job in self.given_up().await? {
            let (job, said) = (format!("{} {}", job.kind, job.key), job.error);
            findings.push(of_host(false, Ill::Work { job, said }));
        }
        let (_, count) = self.outbox_counts().await?;
        if count > 0 {
            findings.push(of_host(false, Ill::Mails { count }));
        }
        Ok(findings)
    }
}

async fn columns(tx: &mut Tx, table: &str) -> Result<Vec<Column>> {
    let text = match tx {
        Tx::Sqlite(_) => "SELECT name, type FROM pragma_table_info($1) ORDER BY cid",
        Tx::Postgres(_) => {
            "SELECT CAST(column_name AS TEXT), CAST(data_type AS TEXT) FROM information_schema.columns \
             WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position"
        }
    };
    let rows: Vec<(String, String)> = tx.all(text, &values![table]).await?;
    rows.into_iter()
        .map(|(name, kind)| {
            let kind = match kind.to_ascii_lowercase().as_str() {
                "bigint" => Kind::Number,
                "text" => Kind::Text,
                "blob" | "bytea" => Kind::Bytes,
                other => return Err(HostError::Damaged(format!("column {table}.{name} is {other}").into())),
            };
            Ok(Column { name, kind })
        })
        .collect()
}

fn names(columns: &[Column]) -> String {
    let quoted: Vec<String> = columns.iter().map(|column| format!("\"{}\"", column.name)).collect();
    quoted.join(", ")
}

async fn count(tx: &mut Tx, table: &str) -> Result<(i64,)> {
    // The name comes from our own schema.
    let text = AssertSqlSafe(format!("SELECT COUNT(*) FROM \"{table}\""));
    Ok(match tx {
        Tx::Sqlite(tx) => sqlx::query_as(text).fetch_one(&mut **tx).await?,
        Tx::Postgres(tx) => sqlx::query_as(text).fetch_one(&mut **tx).await?,
    })
}

macro_rules! cells {
    ($row:expr, $columns:expr) => {{
        let mut cells = Vec::with_capacity($columns.len());
        for (index, column) in $columns.iter().enumerate() {
            cells.push(match column.kind {
                Kind::Number => $row.try_get::<Option<i64>, _>(index)?.map(Cell::Number),
                Kind::Text => $row.try_get::<Option<String>, _>(index)?.map(Cell::Text),
                Kind::Bytes => $row
                    .try_get::<Option<Vec<u8>>, _>(index)?
                    .map(|bytes| Cell::Bytes(Blob(bytes))),
            });
        }
        cells.into_iter().map(|cell| cell.unwrap_or(Cell::Nothing)).collect()
    }};
}

/// Hands every row of a table to `put`, one after the other: a table may be larger than the memory.
async fn each_row(
    tx: &mut Tx,
    table: &str,
    columns: &[Column],
    put: &mut (dyn FnMut(Vec<Cell>) -> Result<()> + Send),
) -> Result<()> {
    // Names come from our own schema.
    let text = AssertSqlSafe(format!("SELECT {} FROM \"{table}\"", names(columns)));
    match tx {
        Tx::Sqlite(tx) => {
            let mut rows = sqlx::query(text).fetch(&mut **tx);
            while let Some(row) = rows.try_next().await? {
                put(cells!(row, columns))?;
            }
        }
        Tx::Postgres(tx) => {
            let mut rows = sqlx::query(text).fetch(&mut **tx);
            while let Some(row) = rows.try_next().await? {
                put(cells!(row, columns))?;
            }
        }
    }
    Ok(())
}

async fn read_tables(tx: &mut Tx, reader: &mut Reader) -> Result<u64> {
    let mut table: Option<(String, Vec<Column>)> = None;
    let mut rows = 0;
    loop {
        let (before, digest) = reader.so_far();
        match reader.next()? {
            Record::Store { .. } => return Err(broken("a second store follows")),
            Record::Table { name, columns: told } => {
                let known = columns(tx, &name).await?;
                if !store::tables().contains(&name.as_str()) || !told.iter().all(|column| known.contains(column)) {
                    return Err(broken(&format!("the table {name:?} is not one of this program")));
                }
                let text = format!(
                    "INSERT INTO \"{name}\" ({}) VALUES ({})",
                    names(&told),
                    (1..=told.len())
                        .map(|number| format!("${number}"))
                        .collect::<Vec<_>>()
                        .join(", ")
                );
                table = Some((text, told));
            }
            Record::Row(cells) => {
                let Some((text, columns)) = &table else {
                    return Err(broken("a row without a table"));
                };
                if cells.len() != columns.len() {
                    return Err(broken("a row does not fit its table"));
                }
                insert(tx, text, columns, &cells).await?;
                rows += 1;
            }
            Record::End { records, digest: told } => {
                if records != before || told != digest {
                    return Err(flawed(Flaw::Digest));
                }
                reader.expect_end()?;
                return Ok(rows);
            }
        }
    }
}

async fn insert(tx: &mut Tx, text: &str, columns: &[Column], cells: &[Cell]) -> Result<()> {
    let mut values = Vec::with_capacity(cells.len());
    for (column, cell) in columns.iter().zip(cells) {
        values.push(match (column.kind, cell) {
            (Kind::Number, Cell::Number(number)) => Value::Number(Some(*number)),
            (Kind::Number, Cell::Nothing) => Value::Number(None),
            (Kind::Text, Cell::Text(text)) => Value::Text(Some(text)),
            (Kind::Text, Cell::Nothing) => Value::Text(None),
            (Kind::Bytes, Cell::Bytes(bytes)) => Value::Bytes(Some(&bytes.0)),
            (Kind::Bytes, Cell::Nothing) => Value::Bytes(None),
            _ => return Err(broken("a value does not fit its column")),
        });
    }
    // The text was made from names of our own schema.
    tx.execute_made(AssertSqlSafe(text.to_owned()), &values).await
}
