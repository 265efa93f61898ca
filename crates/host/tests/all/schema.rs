//! The two schemas say the same, and stores of earlier ones are opened.

use crate::common;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, SqliteConnection};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn texts(database: &str) -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../migrations")
        .join(database);
    let files = fs::read_dir(folder).unwrap();
    files
        .map(|file| {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect()
}

#[test]
fn both_databases_have_the_same_migrations_but_for_two_words() {
    let (sqlite, postgres) = (texts("sqlite"), texts("postgres"));
    let names: Vec<&String> = sqlite.keys().collect();
    assert_eq!(names, postgres.keys().collect::<Vec<_>>());
    let mut numbers: Vec<&str> = names.iter().map(|name| &name[..5]).collect();
    numbers.dedup();
    assert_eq!(numbers.len(), names.len(), "every number stands for one file");
    for (name, text) in &postgres {
        let same = text.replace(" TEXT COLLATE \"C\"", " TEXT").replace(" BYTEA", " BLOB");
        assert_eq!(&same, &sqlite[name], "{name}");
        let columns = text.lines().map(str::trim).filter(|line| !line.starts_with("--"));
        for line in columns {
            let plain = line.contains(" TEXT") && !line.contains(" TEXT COLLATE \"C\"");
            assert!(!plain, "{name}: {line}: text must be in the order of its bytes on both");
        }
    }
}

/// The beginning of the BLAKE3 digest of every migration for SQLite. Stores remember the text that made them and refuse another: a
/// change of the schema is a new file.
const DIGESTS: [(&str, &str); 13] = [
    ("0001_worlds.sql", "0bcb50daf104942e"),
    ("0002_accounts.sql", "7f257100fa4db814"),
    ("0003_schedule.sql", "c098b229e1e054bb"),
    ("0004_letters.sql", "17eb7603fcb833fa"),
    ("0005_drafts.sql", "15c1e3e8d8d98e38"),
    ("0006_desk.sql", "38171b93dd8a31fb"),
    ("0007_closing.sql", "d7a0ad3073d8e5cb"),
    ("0008_keeping.sql", "5a988b5daa03db86"),
    ("0009_tokens.sql", "11f2055c2ff88b8f"),
    ("0010_players.sql", "ff7c975ff41c2013"),
    ("0011_opens.sql", "17af7f7d9025d999"),
    ("0012_once.sql", "fb62a3c658fa837a"),
    ("0013_turn_mail.sql", "464ba48b85ec86c5"),
];

#[test]
fn no_migration_has_changed_since_stores_were_made_with_it() {
    let texts = texts("sqlite");
    let now: Vec<(&str, String)> = texts
        .iter()
        .map(|(name, text)| (name.as_str(), blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()))
        .collect();
    let then: Vec<(&str, String)> = DIGESTS
        .iter()
        .map(|(name, digest)| (*name, (*digest).to_owned()))
        .collect();
    assert_eq!(now, then);
}

/// A store as an earlier program left it: made by its first migrations, with what one of today holds as far as it had room for it.
async fn earlier_store(folder: &Path, today: &Path, migrations: usize) {
    let steps = folder.join("migrations");
    fs::create_dir_all(&steps).unwrap();
    for (name, text) in texts("sqlite").into_iter().take(migrations) {
        fs::write(steps.join(name), text).unwrap();
    }
    let path = format!("sqlite://{}?mode=rwc", folder.join("briefwelt.db").display());
    let mut store = SqliteConnection::connect(&path).await.unwrap();
    let migrator = sqlx::migrate::Migrator::new(steps.as_path()).await.unwrap();
    migrator.run(&mut store).await.unwrap();
    let today = today.join("briefwelt.db");
    let attach = format!(
        "PRAGMA foreign_keys = OFF; ATTACH DATABASE '{}' AS today",
        today.display()
    );
    sqlx::raw_sql(AssertSqlSafe(attach)).execute(&mut store).await.unwrap();
    let tables: Vec<(String,)> = sqlx::query_as(
        "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_%' ESCAPE '\\'",
    )
    .fetch_all(&mut store)
    .await
    .unwrap();
    assert!(tables.len() > 5, "the schema was not read");
    for (table,) in tables {
        let columns: Vec<(String,)> = sqlx::query_as("SELECT name FROM pragma_table_info($1, 'main')")
            .bind(&table)
            .fetch_all(&mut store)
            .await
            .unwrap();
        let columns: Vec<String> = columns.into_iter().map(|(column,)| format!("\"{column}\"")).collect();
        let columns = columns.join(", ");
        let copy = format!("INSERT INTO main.\"{table}\" ({columns}) SELECT {columns} FROM today.\"{table}\"");
        sqlx::raw_sql(AssertSqlSafe(copy)).execute(&mut store).await.unwrap();
    }
    store.close().await.unwrap();
}

#[tokio::test]
async fn a_store_of_every_earlier_schema_is_opened_and_played_on() {
    let folder = tempfile::tempdir().unwrap();
    let today = folder.path().join("today");
    let host = common::open_file(&today).await;
    let world = common::world(&host, "Eins").await;
    let arrival = common::arrival(1, b"TAKE 2\n");
    host.submit(&world, arrival, host::now()).await.unwrap();
    host.run(&world, common::ANYWAY, &mut |_, _| {}).await.unwrap();
    host.closer().close().await;
    let count = texts("sqlite").len();
    for migrations in 1..=count {
        let then = folder.path().join(format!("schema-{migrations}"));
        earlier_store(&then, &today, migrations).await;
        let host = common::open_file(&then).await;
        assert_eq!(host.doctor(true).await.unwrap(), [], "schema {migrations}");
        let world = host.world(Some("Eins")).await.unwrap();
        assert_eq!(world.open_step, 2, "schema {migrations}");
        assert_eq!(
            host.orders(&world, 1, kernel::realm::RealmId(1))
                .await
                .unwrap()
                .as_deref(),
            Some(&b"TAKE 2\n"[..]),
            "schema {migrations}"
        );
        host.run(&world, common::ANYWAY, &mut |_, _| {}).await.unwrap();
        assert_eq!(
            host.world(Some("Eins")).await.unwrap().open_step,
            3,
            "schema {migrations}"
        );
        host.closer().close().await;
    }
}

/// Table, column, type, whether it may be empty.
type Column = (String, String, String, bool);

#[tokio::test]
async fn both_databases_end_up_with_the_same_columns() {
    let Some(url) = common::postgres() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    common::open(folder.path()).await.closer().close().await;
    let mut postgres = PgConnection::connect(&common::in_schema(&url, folder.path()))
        .await
        .unwrap();
    let rows: Vec<(String, String, String, String)> = sqlx::query_as(
        "SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT), CAST(data_type AS TEXT), CAST(is_nullable AS TEXT) \
         FROM information_schema.columns WHERE table_schema = current_schema() ORDER BY 1, ordinal_position",
    )
    .fetch_all(&mut postgres)
    .await
    .unwrap();
    let there: Vec<Column> = rows
        .into_iter()
        .map(|(table, column, kind, empty)| {
            let kind = match kind.as_str() {
                "bytea" => "BLOB".to_owned(),
                other => other.to_uppercase(),
            };
            (table, column, kind, empty == "YES")
        })
        .filter(|(table, ..)| !table.starts_with('_'))
        .collect();
    let file = tempfile::tempdir().unwrap();
    common::open_file(file.path()).await.closer().close().await;
    let path = format!("sqlite://{}", file.path().join("briefwelt.db").display());
    let mut sqlite = SqliteConnection::connect(&path).await.unwrap();
    let rows: Vec<(String, String, String, i64)> = sqlx::query_as(
        "SELECT m.name, c.name, c.type, c.\"notnull\" FROM sqlite_master m JOIN pragma_table_info(m.name) c \
         WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' ORDER BY m.name, c.cid",
    )
    .fetch_all(&mut sqlite)
    .await
    .unwrap();
    let here: Vec<Column> = rows
        .into_iter()
        .map(|(table, column, kind, full)| (table, column, kind, full == 0))
        .filter(|(table, ..)| !table.starts_with('_'))
        .collect();
    assert!(here.len() > 50, "the schema was not read");
    assert_eq!(here, there);
}
