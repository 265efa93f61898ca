//! The two schemas say the same.

use crate::common;
use sqlx::{Connection as _, PgConnection, SqliteConnection};
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
