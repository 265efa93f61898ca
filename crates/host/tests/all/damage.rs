//! What happens when the world outside misbehaves: cut files, garbage, a full disk, two processes.

use crate::common::{ANYWAY, arrival, games, open, open_file, plan, try_open, world};
use host::{Host, HostError, Options};
use kernel::realm::RealmId;
use sqlx::Connection as _;
use std::fs;

#[tokio::test]
async fn a_world_survives_export_and_import_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (folder.path().join("here"), folder.path().join("there"));
    let host = open(&here).await;
    let world = world(&host, "Eins").await;
    host.submit(&world, arrival(1, b"TAKE 1\n"), host::now()).await.unwrap();
    host.submit(&world, arrival(1, b"TAKE 2\n"), host::now()).await.unwrap();
    host.edict(&world, "1", "why not").await.unwrap();
    host.run(&world, ANYWAY, &mut |_, _| {}).await.unwrap();
    host.submit(&world, arrival(2, b"TAKE 3\n"), host::now()).await.unwrap();
    let file = folder.path().join("eins.bww");
    let exported = host.export(&world, &file).await.unwrap();
    assert_eq!(exported.bytes, fs::metadata(&file).unwrap().len());

    let other = open(&there).await;
    let copy = other.import(&file, None).await.unwrap();
    assert_eq!((copy.id.as_str(), copy.open_step), (world.id.as_str(), 2));
    assert!(other.check_step(&copy, 1, true).await.unwrap().holds());
    let now = |steps: Vec<host::world::StepInfo>| steps.into_iter().map(|step| step.digest).collect::<Vec<_>>();
    assert_eq!(
        now(host.steps(&world).await.unwrap()),
        now(other.steps(&copy).await.unwrap())
    );
    assert_eq!(other.orders(&copy, 2, RealmId(2)).await.unwrap().unwrap(), b"TAKE 3\n");
    let one = host.run(&world, ANYWAY, &mut |_, _| {}).await.unwrap();
    let two = other.run(&copy, ANYWAY, &mut |_, _| {}).await.unwrap();
    assert_eq!(one.digest, two.digest, "both go on alike");
    let twice = other.import(&file, None).await.unwrap_err();
    assert_eq!(twice.exit_code(), 4, "{twice}");
    let renamed = other.import(&file, Some("Zwei")).await.unwrap_err();
    assert_eq!(renamed.exit_code(), 4, "the same world is there already: {renamed}");
}

#[tokio::test]
async fn a_cut_or_altered_export_is_refused_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(&folder.path().join("here")).await;
    let world = world(&host, "Eins").await;
    host.run(&world, ANYWAY, &mut |_, _| {}).await.unwrap();
    let file = folder.path().join("eins.bww");
    host.export(&world, &file).await.unwrap();
    let bytes = fs::read(&file).unwrap();
    let other = open(&folder.path().join("there")).await;
    let broken = folder.path().join("broken.bww");
    let mut cases: Vec<Vec<u8>> = vec![Vec::new(), b"not a world".to_vec(), vec![0xff; 5_000]];
    for cut in [17, 18, 40, bytes.len() / 2, bytes.len() - 1] {
        cases.push(bytes[..cut].to_vec());
    }
    for at in (0..bytes.len()).step_by(bytes.len() / 40) {
        let mut altered = bytes.clone();
        altered[at] ^= 0x40;
        cases.push(altered);
    }
    let mut longer = bytes.clone();
    longer.extend_from_slice(b"more");
    cases.push(longer);
    // Little that unpacks to much: a record that claims more than one may have, and one whose claim is never filled.
    let most = u32::try_from(host::limits::RECORD_BYTES).unwrap();
    for claim in [most + 1, u32::MAX, most] {
        let mut unpacked = claim.to_le_bytes().to_vec();
        unpacked.resize(32 << 20, 0);
        let packed = zstd::bulk::compress(&unpacked, 3).unwrap();
        assert!(packed.len() < 100_000, "{}", packed.len());
        cases.push([&bytes[..18], &packed].concat());
    }
    for case in cases {
        fs::write(&broken, &case).unwrap();
        let refused = other.import(&broken, None).await;
        let error = refused.expect_err("a broken file was imported");
        assert!(matches!(error.exit_code(), 3 | 7 | 8), "{error}");
        assert!(other.worlds().await.unwrap().is_empty());
    }
    fs::write(&broken, &bytes).unwrap();
    other.import(&broken, None).await.unwrap();
}

#[tokio::test]
async fn garbage_in_place_of_the_database_is_named_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("briefwelt.db");
    let garbage = b"this is no database ".repeat(500);
    fs::write(&database, &garbage).unwrap();
    let error = try_open(folder.path(), None).await.err().expect("garbage was opened");
    assert_eq!(error.exit_code(), 9, "{error}");
    assert_eq!(fs::read(&database).unwrap(), garbage);
}

#[tokio::test]
async fn a_damaged_state_is_found_and_the_step_is_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let host = open_file(folder.path()).await;
    let eins = world(&host, "Eins").await;
    host.run(&eins, ANYWAY, &mut |_, _| {}).await.unwrap();
    host.closer().close().await;
    let database = folder.path().join("briefwelt.db");
    let mut bytes = fs::read(&database).unwrap();
    // The first quarter holds the schema; everything behind is overwritten here and there.
    let from = bytes.len() / 4;
    for at in (from..bytes.len()).step_by(97) {
        bytes[at] ^= 0xff;
    }
    fs::write(&database, &bytes).unwrap();
    let found = match try_open(folder.path(), None).await {
        Err(error) => error,
        Ok(host) => match host.check_database().await {
            Err(error) => error,
            Ok(()) => host
                .check_step(&eins, 1, false)
                .await
                .expect_err("the damage was not found"),
        },
    };
    assert_eq!(found.exit_code(), 9, "{found}");
}

#[tokio::test]
async fn a_seal_that_is_gone_is_missed() {
    let folder = tempfile::tempdir().unwrap();
    let host = open_file(folder.path()).await;
    let eins = world(&host, "Eins").await;
    host.run(&eins, ANYWAY, &mut |_, _| {}).await.unwrap();
    assert!(host.check_step(&eins, 1, false).await.unwrap().holds());
    host.closer().close().await;
    let address = format!("sqlite://{}", folder.path().join("briefwelt.db").display());
    let mut database = sqlx::SqliteConnection::connect(&address).await.unwrap();
    let gone = sqlx::query("DELETE FROM seals WHERE step = 1 AND owner = 2");
    assert_eq!(gone.execute(&mut database).await.unwrap().rows_affected(), 1);
    database.close().await.unwrap();
    let host = open_file(folder.path()).await;
    assert!(!host.check_step(&eins, 1, false).await.unwrap().sealed);
}

#[tokio::test]
async fn a_full_disk_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let host = open_file(folder.path()).await;
    let eins = world(&host, "Eins").await;
    host.closer().close().await;
    let host = try_open(folder.path(), Some(1)).await.unwrap();
    let mut runs = 0;
    let full = loop {
        match host.run(&eins, ANYWAY, &mut |_, _| {}).await {
            Ok(_) => runs += 1,
            Err(error) => break error,
        }
        assert!(runs < 1_000, "a megabyte holds no thousand steps");
    };
    assert_eq!(full.exit_code(), 10, "{full}");
    let now = host.world(None).await.unwrap();
    assert_eq!(
        now.open_step,
        runs + 1,
        "the world is exactly after the last whole step"
    );
    host.check_database().await.unwrap();
    for step in 0..=runs {
        assert!(host.check_step(&now, step, step == runs).await.unwrap().holds());
    }
    let another = host.create(&plan("Zwei"), &mut |_, _| {}).await.unwrap_err();
    assert_eq!(another.exit_code(), 10, "{another}");
    host.closer().close().await;
    let host = open_file(folder.path()).await;
    host.run(&now, ANYWAY, &mut |_, _| {}).await.unwrap();
}

#[tokio::test]
async fn an_empty_folder_is_not_turned_into_a_store_by_looking() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("nothing");
    let options = Options {
        data: data.clone(),
        database: None,
        create: false,
        megabytes_max: None,
    };
    let error = Host::open(games(), &options)
        .await
        .err()
        .expect("there is nothing to open");
    assert!(matches!(error, HostError::NoStore(_)));
    assert!(!data.exists());
}
