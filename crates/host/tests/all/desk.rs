//! Trials, turns taken back, the record, announcements, notes and fees.

use crate::common::{ANYWAY, arrival, open, world};
use host::{HostError, acting};
use kernel::realm::{RealmId, Viewer};

#[tokio::test]
async fn a_trial_shows_what_the_step_then_gives_and_is_out_of_date_when_something_comes() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    assert!(host.last_trial(&world).await.unwrap().is_none());
    host.submit(&world, arrival(1, b"TAKE 3\n"), host::now()).await.unwrap();
    let trial = host.try_step(&world, ANYWAY).await.unwrap();
    let view = host
        .trial_view(&world, Viewer::Realm(RealmId(1)))
        .await
        .unwrap()
        .unwrap();
    assert!(!host.last_trial(&world).await.unwrap().unwrap().outdated);
    assert_eq!(
        host.world(None).await.unwrap().open_step,
        1,
        "a trial publishes nothing"
    );
    host.submit(&world, arrival(2, b"TAKE 1\n"), host::now()).await.unwrap();
    assert!(host.last_trial(&world).await.unwrap().unwrap().outdated);
    let again = host.try_step(&world, ANYWAY).await.unwrap();
    assert_ne!(again.run.digest, trial.run.digest, "another order, another outcome");
    let run = host.run(&world, ANYWAY, &mut |_, _| {}).await.unwrap();
    assert_eq!(run.digest, again.run.digest);
    let (_, published) = host.view(&world, Viewer::Realm(RealmId(1)), None).await.unwrap();
    assert_eq!(
        published, view,
        "what the first realm sees did not depend on the second"
    );
    assert!(
        host.last_trial(&world).await.unwrap().is_none(),
        "the trial of a step ends with it"
    );
    assert!(host.trial_view(&world, Viewer::GameMaster).await.unwrap().is_none());
}

#[tokio::test]
async fn a_turn_taken_back_can_be_run_again_with_other_dice() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let nothing = host.take_back(&world, None, "a mistake").await.unwrap_err();
    assert!(matches!(nothing, HostError::NothingToTakeBack(_)), "{nothing}");
    host.submit(&world, arrival(1, b"TAKE 3\n"), host::now()).await.unwrap();
    let seals = host.seals(&world, 1).await.unwrap();
    let first = host.run(&world, ANYWAY, &mut |_, _| {}).await.unwrap();
    let key = host.evidence(&world, RealmId(1), 1).await.unwrap().key;
    host.submit(&world, arrival(1, b"TAKE 1\n"), host::now()).await.unwrap();
    host.edict(&world, "7", "for the turn that never was").await.unwrap();
    assert!(
        host.take_back(&world, None, "").await.is_err(),
        "without a reason nothing is taken back"
    );
    // Asked for again when it is gone already, or before it has run: no other turn is lost for it.
    for other in [0, 2] {
        let refused = host.take_back(&world, Some(other), "the heap was wrong").await;
        assert!(
            matches!(refused, Err(HostError::NotLast { last: 1, .. })),
            "{refused:?}"
        );
    }
    assert_eq!(host.take_back(&world, Some(1), "the heap was wrong").await.unwrap(), 1);

    let before = host.world(Some("Eins")).await.unwrap();
    assert_eq!(before.open_step, 1);
    assert_eq!(host.steps(&before).await.unwrap().len(), 1, "only the creation is left");
    let fresh = host.seals(&before, 1).await.unwrap();
    assert_eq!(fresh.len(), seals.len());
    assert!(
        fresh.iter().zip(&seals).all(|(new, old)| new.seal != old.seal),
        "new seals"
    );
    assert!(host.seals(&before, 2).await.unwrap().is_empty());
    assert!(
        host.judgements(&before, 2)
            .await
            .unwrap()
            .iter()
            .all(|judgement| judgement.withdrawn)
    );

    let second = host.run(&before, ANYWAY, &mut |_, _| {}).await.unwrap();
    assert_eq!(second.orders, first.orders, "the orders count again");
    assert!(second.missing.iter().eq(first.missing.iter()));
    let evidence = host.evidence(&before, RealmId(1), 1).await.unwrap();
    assert_ne!(evidence.key, key, "dice that were seen never count again");
    assert!(evidence.check(None).unwrap().holds());
    assert!(host.check_step(&before, 1, true).await.unwrap().holds());
    // The order file for the second turn is still the player's.
    assert_eq!(host.orders(&before, 2, RealmId(1)).await.unwrap().unwrap(), b"TAKE 1\n");

    // Taken back once more, and thrown once more.
    host.take_back(&before, None, "again").await.unwrap();
    let third = host.run(&before, ANYWAY, &mut |_, _| {}).await.unwrap();
    assert_eq!(third.step, 1);
    let withdrawn = host.withdrawn(&before).await.unwrap();
    let told: Vec<_> = withdrawn
        .iter()
        .map(|turn| (turn.step, turn.attempt, turn.reason.as_str()))
        .collect();
    assert_eq!(told, [(1, 0, "the heap was wrong"), (1, 1, "again")]);
    assert_eq!(withdrawn[0].digest, first.digest);
    assert_eq!(withdrawn[1].digest, second.digest);
}

#[tokio::test]
async fn a_world_with_turns_taken_back_survives_export_and_import() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    host.run(&world, ANYWAY, &mut |_, _| {}).await.unwrap();
    acting("mira", host.take_back(&world, None, "a mistake")).await.unwrap();
    let run = host.run(&world, ANYWAY, &mut |_, _| {}).await.unwrap();
    let file = folder.path().join("eins.briefwelt");
    host.export(&world, &file).await.unwrap();
    let other = tempfile::tempdir().unwrap();
    let there = open(other.path()).await;
    let copy = there.import(&file, None).await.unwrap();
    assert_eq!(
        there.withdrawn(&copy).await.unwrap(),
        host.withdrawn(&world).await.unwrap()
    );
    let check = there.check_step(&copy, 1, true).await.unwrap();
    assert!(check.holds(), "the second attempt's keys fit its seals: {check:?}");
    assert_eq!(there.steps(&copy).await.unwrap()[1].digest, run.digest);
    let record = there.record(&copy, Some(Viewer::GameMaster), 100).await.unwrap();
    let deed = record.iter().find(|deed| deed.deed == "turn taken back").unwrap();
    assert_eq!(deed.who.as_deref(), Some("mira"));
}

#[tokio::test]
async fn players_read_the_open_part_of_the_record_without_names() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    acting("mira", async {
        host.edict(&world, "7", "a gift to the second realm").await.unwrap();
        host.run(&world, ANYWAY, &mut |_, _| {}).await.unwrap();
        host.announce(&world, "Pause", "Bis zum Neumond ruht die Welt.")
            .await
            .unwrap();
        host.book(&world, RealmId(2), -350, "Zug 1").await.unwrap();
    })
    .await;
    let all = host.record(&world, Some(Viewer::GameMaster), 100).await.unwrap();
    let deeds: Vec<&str> = all.iter().map(|deed| deed.deed.as_str()).collect();
    assert_eq!(deeds, ["booking", "announcement", "turn run", "edict", "world made"]);
    assert_eq!(all[0].who.as_deref(), Some("mira"));
    assert_eq!(all[4].who, None);
    let open = host.record(&world, None, 100).await.unwrap();
    let deeds: Vec<&str> = open.iter().map(|deed| deed.deed.as_str()).collect();
    assert_eq!(deeds, ["announcement", "turn run", "world made"]);
    assert!(open.iter().all(|deed| deed.who.is_none()));
    assert_eq!(host.record(&world, Some(Viewer::GameMaster), 2).await.unwrap().len(), 2);
}

#[tokio::test]
async fn announcements_notes_and_fees_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    assert_eq!(host.announce(&world, "Eins", "erste").await.unwrap(), 1);
    assert_eq!(host.announce(&world, "Zwei", "zweite").await.unwrap(), 2);
    assert!(host.announce(&world, " ", "ohne Titel").await.is_err());
    let titles: Vec<_> = host
        .announcements(&world, 10)
        .await
        .unwrap()
        .into_iter()
        .map(|one| one.title)
        .collect();
    assert_eq!(titles, ["Zwei", "Eins"]);

    host.write_note(&world, Some(RealmId(2)), "zahlt immer spät")
        .await
        .unwrap();
    host.write_note(&world, None, "Karte nachzeichnen").await.unwrap();
    host.write_note(&world, Some(RealmId(2)), "zahlt pünktlich")
        .await
        .unwrap();
    let notes = host.notes(&world).await.unwrap();
    assert_eq!(
        notes,
        [
            (None, "Karte nachzeichnen".to_owned()),
            (Some(RealmId(2)), "zahlt pünktlich".to_owned())
        ]
    );
    host.write_note(&world, None, "").await.unwrap();
    assert_eq!(host.notes(&world).await.unwrap().len(), 1);

    assert_eq!(host.book(&world, RealmId(1), 2_000, "Einzahlung").await.unwrap(), 2_000);
    assert_eq!(host.book(&world, RealmId(1), -350, "Zug 1").await.unwrap(), 1_650);
    assert!(host.book(&world, RealmId(1), 0, "nichts").await.is_err());
    assert!(
        host.book(&world, RealmId(1), host::board::CENTS + 1, "zu viel")
            .await
            .is_err()
    );
    assert!(host.book(&world, RealmId(9), 100, "niemand").await.is_err());
    let (balance, bookings) = host.ledger(&world, RealmId(1)).await.unwrap();
    assert_eq!(balance, 1_650);
    assert_eq!(bookings.iter().map(|one| one.cents).collect::<Vec<_>>(), [-350, 2_000]);
    assert_eq!(host.ledger(&world, RealmId(2)).await.unwrap(), (0, Vec::new()));
    // One booking for several realms is made for all of them or for none.
    let both = [RealmId(1), RealmId(2)];
    host.book_all(&world, &both, -150, "Zug 2").await.unwrap();
    let balances = host.balances(&world).await.unwrap();
    assert_eq!(
        balances.into_iter().collect::<Vec<_>>(),
        [(RealmId(1), 1_500), (RealmId(2), -150)]
    );
    let stranger = [RealmId(1), RealmId(9)];
    assert!(host.book_all(&world, &stranger, -150, "Zug 3").await.is_err());
    assert!(host.book_all(&world, &both, -150, " ").await.is_err());
    assert_eq!(host.balances(&world).await.unwrap()[&RealmId(1)], 1_500);
}
