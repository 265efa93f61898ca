//! Drafts of order files: kept, numbered, taken up again, and told apart from what was sent.

use crate::common::{arrival, open, world};
use host::HostError;
use host::draft::DraftKind::{Auto, Saved};
use host::draft::Forgotten;
use kernel::realm::RealmId;

const NOW: i64 = 1_800_000_000_000;
const MINUTE: i64 = 60_000;
const ADLER: RealmId = RealmId(1);

#[tokio::test]
async fn what_is_saved_by_itself_goes_on_in_one_draft_for_five_minutes() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let save = async |text: &str, kind, at| {
        let note = host
            .save_draft(&world, ADLER, 1, text.as_bytes(), kind, at)
            .await
            .unwrap();
        note.number
    };
    assert_eq!(save("T", Auto, NOW).await, 1);
    assert_eq!(save("TA", Auto, NOW + 5 * MINUTE - 1).await, 1);
    assert_eq!(
        save("TAK", Auto, NOW + 5 * MINUTE).await,
        2,
        "five minutes after it was begun"
    );
    assert_eq!(save("TAKE", Saved, NOW + 5 * MINUTE + 1).await, 3, "saved by hand");
    assert_eq!(
        save("TAKE 1", Auto, NOW + 5 * MINUTE + 2).await,
        4,
        "not into what was saved by hand"
    );
    assert_eq!(save("TAKE 1", Saved, NOW + 6 * MINUTE).await, 4, "nothing new");
    let numbers: Vec<u32> = host
        .drafts(&world, ADLER, 1)
        .await
        .unwrap()
        .iter()
        .map(|draft| draft.number)
        .collect();
    assert_eq!(numbers, [4, 3, 2, 1]);
    let first = host.draft_numbered(&world, ADLER, 1, 1).await.unwrap().unwrap();
    assert_eq!(
        (first.file.as_slice(), first.note.saved_at),
        (&b"TA"[..], NOW + 5 * MINUTE - 1)
    );
    let last = host.draft(&world, ADLER, 1).await.unwrap().unwrap();
    assert_eq!(last.file, b"TAKE 1");
    assert_eq!(
        host.draft(&world, RealmId(2), 1).await.unwrap(),
        None,
        "another realm has none"
    );
    assert_eq!(host.draft_numbered(&world, ADLER, 1, 5).await.unwrap(), None);
}

#[tokio::test]
async fn the_oldest_drafts_go_when_there_are_too_many() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    for number in 0..host::limits::DRAFTS + 2 {
        let text = format!("TAKE {number}");
        host.save_draft(&world, ADLER, 1, text.as_bytes(), Saved, NOW + number)
            .await
            .unwrap();
    }
    let drafts = host.drafts(&world, ADLER, 1).await.unwrap();
    assert_eq!(drafts.len() as i64, host::limits::DRAFTS);
    assert_eq!(drafts.last().unwrap().number, 3);
}

#[tokio::test]
async fn a_draft_is_for_the_open_turn_and_within_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let save = async |realm, step, file: &[u8]| host.save_draft(&world, RealmId(realm), step, file, Saved, NOW).await;
    assert!(matches!(
        save(1, 0, b"x").await,
        Err(HostError::AlreadyRun { step: 0, open: 1 })
    ));
    assert!(matches!(
        save(1, 2, b"x").await,
        Err(HostError::NotOpen { step: 2, open: 1 })
    ));
    assert!(matches!(save(99, 1, b"x").await, Err(HostError::UnknownRealm { .. })));
    let limit = kernel::limits::ORDER_FILE_BYTES;
    assert!(matches!(
        save(1, 1, &vec![b'x'; limit + 1]).await,
        Err(HostError::TooLarge { .. })
    ));
    assert!(
        host.drafts(&world, ADLER, 1).await.unwrap().is_empty(),
        "a refusal keeps nothing"
    );
    assert_eq!(save(1, 1, &vec![b'x'; limit]).await.unwrap().bytes, limit as u64);
}

#[tokio::test]
async fn orders_look_forgotten_when_nothing_or_something_older_was_sent() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    assert_eq!(host.forgotten(&world, ADLER, 1).await.unwrap(), Forgotten::default());
    let early = host::now() - MINUTE;
    host.save_draft(&world, ADLER, 1, b"TAKE 1\n", Saved, early)
        .await
        .unwrap();
    let forgotten = host.forgotten(&world, ADLER, 1).await.unwrap();
    assert!(forgotten.nothing_submitted() && forgotten.drafted_at == Some(early));

    host.submit(&world, arrival(1, b"TAKE 2\n"), host::now()).await.unwrap();
    let sent = host.sent(&world, ADLER, 1).await.unwrap();
    assert_eq!(sent.len(), 1);
    let forgotten = host.forgotten(&world, ADLER, 1).await.unwrap();
    assert!(!forgotten.unsent, "an older draft is no matter: {forgotten:?}");

    let late = sent[0].received_at + 1;
    host.save_draft(&world, ADLER, 1, b"TAKE 3\n", Saved, late)
        .await
        .unwrap();
    assert!(host.forgotten(&world, ADLER, 1).await.unwrap().unsent);
    host.submit(&world, arrival(1, b"TAKE 3\n"), host::now()).await.unwrap();
    assert!(
        !host.forgotten(&world, ADLER, 1).await.unwrap().unsent,
        "the same was sent"
    );

    let sent = host.sent(&world, ADLER, 1).await.unwrap();
    let attempts: Vec<u32> = sent.iter().map(|sent| sent.attempt).collect();
    assert_eq!(attempts, [2, 1]);
    assert_eq!(host.sent_file(&world, ADLER, 1, 1).await.unwrap().unwrap(), b"TAKE 2\n");
    assert_eq!(host.sent_file(&world, ADLER, 1, 3).await.unwrap(), None);
    assert_eq!(host.sent_file(&world, RealmId(2), 1, 1).await.unwrap(), None);
}
