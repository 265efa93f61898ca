//! Everything as one file, from either database into either; and the examination of a store.

use crate::common::{ANYWAY, PASSWORD, arrival, new_account, open, open_file, world};
use host::{Host, HostError};
use kernel::realm::RealmId;
use std::fs;
use std::path::Path;

/// A store with a world after its first turn, an account on a seat, a deadline and a letter of orders.
async fn fill(host: &Host) {
    let world = world(host, "Eins").await;
    let mira = host.sign_up(&new_account("Mira"), None, 0).await.unwrap();
    host.assign_seat(&world, RealmId(1), &mira.id, 0).await.unwrap();
    host.submit(&world, arrival(1, b"TAKE 2\n"), host::now()).await.unwrap();
    host.run(&world, ANYWAY, &mut |_, _| {}).await.unwrap();
    let now = host::now();
    host.set_deadline(&world, Some(now + 1_000_000), now).await.unwrap();
}

/// The world as its file: the same bytes are the same world.
async fn bytes(host: &Host, folder: &Path) -> Vec<u8> {
    let file = folder.join("world.bww");
    let world = host.world(None).await.unwrap();
    host.export(&world, &file).await.unwrap();
    fs::read(file).unwrap()
}

async fn check_copy(from: &Host, to: &Host, folder: &Path) {
    let file = folder.join("all.bwb");
    let written = from.backup(&file).await.unwrap();
    assert_eq!(written.bytes, fs::metadata(&file).unwrap().len());
    let rows = to.restore(&file).await.unwrap();
    assert!(rows > 20, "{rows}");
    assert_eq!(bytes(from, folder).await, bytes(to, folder).await);
    let login = to.sign_in("Mira", PASSWORD, None, "", 1).await.unwrap();
    let parts = to.memberships(&login.session.account.id, 1).await.unwrap();
    assert_eq!(parts[0].1.seat, Some(RealmId(1)));
    assert_eq!(to.next_job_at().await.unwrap(), from.next_job_at().await.unwrap());
    assert_eq!(to.doctor(true).await.unwrap(), []);
    let world = to.world(None).await.unwrap();
    to.run(&world, ANYWAY, &mut |_, _| {}).await.unwrap();
    let twice = to.restore(&file).await;
    assert!(matches!(twice, Err(HostError::NotEmpty)), "{twice:?}");
}

#[tokio::test]
async fn a_backup_holds_everything_and_goes_into_either_database() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two, file, back] = ["one", "two", "file", "back"].map(|name| folder.path().join(name));
    let first = open(&one).await;
    fill(&first).await;
    check_copy(&first, &open(&two).await, folder.path()).await;
    // On PostgreSQL this is the way into a file and back; on SQLite it is one more copy.
    let in_file = open_file(&file).await;
    check_copy(&first, &in_file, folder.path()).await;
    let other = open_file(&folder.path().join("other")).await;
    fill(&other).await;
    check_copy(&other, &open(&back).await, folder.path()).await;
}

#[cfg(unix)]
#[tokio::test]
async fn what_holds_secrets_can_be_read_by_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let host = open_file(&data).await;
    fill(&host).await;
    let (backup, export) = (folder.path().join("all.bwb"), folder.path().join("eins.bww"));
    // What somebody left under the name of the file in the making does not open it to others.
    let part = folder.path().join("all.part");
    fs::write(&part, b"").unwrap();
    fs::set_permissions(&part, fs::Permissions::from_mode(0o644)).unwrap();
    host.backup(&backup).await.unwrap();
    host.export(&host.world(None).await.unwrap(), &export).await.unwrap();
    for path in [
        &data,
        &data.join("briefwelt.db"),
        &data.join("briefwelt.db-wal"),
        &backup,
        &export,
    ] {
        let mode = fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{} is open to others: {mode:o}", path.display());
    }
}

#[tokio::test]
async fn a_cut_or_altered_backup_is_refused_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(&folder.path().join("here")).await;
    fill(&host).await;
    let file = folder.path().join("all.bwb");
    host.backup(&file).await.unwrap();
    let whole = fs::read(&file).unwrap();
    let other = open(&folder.path().join("there")).await;
    let mut cases = vec![Vec::new(), b"BRIEFWELT WORLD\n\x01\x00".to_vec()];
    cases.extend([18, whole.len() / 2, whole.len() - 1].map(|cut| whole[..cut].to_vec()));
    for at in (0..whole.len()).step_by(whole.len() / 20) {
        let mut altered = whole.clone();
        altered[at] ^= 0x40;
        cases.push(altered);
    }
    for case in cases {
        fs::write(&file, &case).unwrap();
        let error = other.restore(&file).await.expect_err("a broken backup was read in");
        assert_eq!(error.exit_code(), 8, "{error}");
        assert!(other.worlds().await.unwrap().is_empty());
        assert!(other.accounts(0, 10).await.unwrap().is_empty());
    }
    fs::write(&file, &whole).unwrap();
    other.restore(&file).await.unwrap();
}

#[tokio::test]
async fn an_examination_names_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let host = open_file(folder.path()).await;
    fill(&host).await;
    assert_eq!(host.doctor(false).await.unwrap(), []);
    host.closer().close().await;
    // Somebody puts another file in place of an order file.
    let path = format!("sqlite://{}", folder.path().join("briefwelt.db").display());
    let mut database = <sqlx::SqliteConnection as sqlx::Connection>::connect(&path)
        .await
        .unwrap();
    sqlx::query("UPDATE submissions SET file = (SELECT state FROM steps LIMIT 1) WHERE realm = 1")
        .execute(&mut database)
        .await
        .unwrap();
    sqlx::Connection::close(database).await.unwrap();
    let host = open_file(folder.path()).await;
    let findings = host.doctor(false).await.unwrap();
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(
        findings[0].broken && matches!(&findings[0].what, host::ill::Ill::Receipt { realm, .. } if realm.0 == 1),
        "{findings:?}"
    );
    assert_eq!(findings[0].world.as_deref(), Some("Eins"));
}
