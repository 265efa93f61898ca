//! Worlds, order files, judgements and steps.

use crate::common::{ANYWAY, arrival, open, plan, world};
use host::HostError;
use host::step::{Difference, RunPlan};
use kernel::diagnostic::{Diagnostic, Name, Severity};
use kernel::dice::Owner;
use kernel::game::ArrivedFiles;
use kernel::realm::{RealmId, Viewer};

/// Codes of the errors in a list of findings.
fn codes(findings: &[Diagnostic]) -> Vec<Name> {
    findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error)
        .map(|finding| finding.code.clone())
        .collect()
}

#[tokio::test]
async fn a_step_changes_the_world_and_opens_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    host.submit(&world, arrival(1, b"TAKE 3\n"), host::now()).await.unwrap();
    host.submit(&world, arrival(2, b"TAKE 2\n"), host::now()).await.unwrap();
    let run = host.run(&world, RunPlan::default(), &mut |_, _| {}).await.unwrap();
    assert_eq!((run.step, run.views, run.events, run.dice), (1, 4, 3, 6));
    assert_eq!(
        run.orders,
        [RealmId(1), RealmId(2), RealmId(3)],
        "the computer player has sent orders"
    );
    assert!(run.missing.is_empty());
    let after = host.world(Some("Eins")).await.unwrap();
    assert_eq!(after.open_step, 2);
    let steps = host.steps(&after).await.unwrap();
    assert_eq!(steps.iter().map(|step| step.number).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(steps[1].digest, run.digest);
    // The secret of the seed decides the die, so the heap is 7, or 6 after a six.
    let (step, view) = host.view(&after, Viewer::Realm(RealmId(1)), None).await.unwrap();
    let json: serde_json::Value = serde_json::from_str(&host.games()[0].view_json(&view).unwrap()).unwrap();
    assert_eq!(step, 1);
    let fell = json["rolls"][0]["value"] == 6;
    assert_eq!(json["heaps"]["1"], if fell { 6 } else { 7 });
    assert!(json["heaps"].get("2").is_none(), "a realm does not see another's heap");
}

#[tokio::test]
async fn a_step_runs_only_once() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let first = RunPlan {
        step: Some(1),
        without_missing: true,
    };
    host.run(&world, first, &mut |_, _| {}).await.unwrap();
    let again = host.run(&world, first, &mut |_, _| {}).await;
    assert!(
        matches!(again, Err(HostError::AlreadyRun { step: 1, open: 2 })),
        "{again:?}"
    );
    let early = RunPlan {
        step: Some(3),
        without_missing: true,
    };
    let early = host.run(&world, early, &mut |_, _| {}).await;
    assert!(
        matches!(early, Err(HostError::NotOpen { step: 3, open: 2 })),
        "{early:?}"
    );
    assert_eq!(host.steps(&world).await.unwrap().len(), 2);
}

#[tokio::test]
async fn missing_orders_hold_the_step_until_the_game_master_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    host.submit(&world, arrival(1, b"TAKE 1\n"), host::now()).await.unwrap();
    let waiting = host.run(&world, RunPlan::default(), &mut |_, _| {}).await.unwrap_err();
    assert!(
        waiting.to_string().contains("Bär") && !waiting.to_string().contains("Chimäre"),
        "{waiting}"
    );
    let run = host.run(&world, ANYWAY, &mut |_, _| {}).await.unwrap();
    assert_eq!(run.missing, [RealmId(2)]);
}

#[tokio::test]
async fn the_last_order_file_counts_and_the_earlier_ones_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let first = host.submit(&world, arrival(1, b"TAKE 1\n"), host::now()).await.unwrap();
    let second = host.submit(&world, arrival(1, b"TAKE 2\n"), host::now()).await.unwrap();
    assert_ne!(first.receipt, second.receipt);
    assert_eq!((first.replaced, second.replaced), (0, 1));
    let (_, standings) = host.standings(&world).await.unwrap();
    assert_eq!((standings[0].attempts, standings[1].attempts), (2, 0));
    assert_eq!(standings[0].receipt, second.receipt);
    assert_eq!(host.orders(&world, 1, RealmId(1)).await.unwrap().unwrap(), b"TAKE 2\n");
}

#[tokio::test]
async fn a_file_with_mistakes_is_taken_in_but_one_of_another_realm_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let answer = host
        .submit(&world, arrival(1, b"TAKE 11\nnonsense\n"), host::now())
        .await
        .unwrap();
    assert_eq!(codes(&answer.diagnostics), ["T02", "T01"]);
    assert!(answer.receipt.is_some());
    let mut foreign = arrival(2, b"TAKE 1\n");
    foreign.files = ArrivedFiles {
        orders: Some("MOVE.TXT"),
        realm: Some(b"1"),
    };
    let answer = host.submit(&world, foreign, host::now()).await.unwrap();
    assert_eq!(codes(&answer.diagnostics), ["F01", "F02"]);
    assert_eq!(answer.receipt, None);
    assert_eq!(host.orders(&world, 1, RealmId(2)).await.unwrap(), None);
}

#[tokio::test]
async fn wrong_turn_wrong_realm_and_too_large_a_file_are_refused_and_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let mut late = arrival(1, b"TAKE 1\n");
    late.step = Some(0);
    let refused = host.submit(&world, late, host::now()).await.unwrap_err();
    assert_eq!(refused.exit_code(), 4, "{refused}");
    let stranger = host
        .submit(&world, arrival(4, b"TAKE 1\n"), host::now())
        .await
        .unwrap_err();
    assert_eq!(stranger.exit_code(), 3, "{stranger}");
    let limit = kernel::limits::ORDER_FILE_BYTES;
    assert!(host.check(&world, arrival(1, &vec![b'\n'; limit])).await.is_ok());
    let large = host
        .submit(&world, arrival(1, &vec![b'\n'; limit + 1]), host::now())
        .await
        .unwrap_err();
    assert_eq!(large.exit_code(), 7, "{large}");
    assert!(
        host.standings(&world)
            .await
            .unwrap()
            .1
            .iter()
            .all(|standing| standing.attempts == 0)
    );
}

#[tokio::test]
async fn seals_are_published_before_the_step_and_the_key_fits_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let seals = host.seals(&world, 1).await.unwrap();
    let owners: Vec<Owner> = seals.iter().map(|seal| seal.owner).collect();
    let realms = (1..=3).map(|realm| Owner::Realm(RealmId(realm)));
    assert_eq!(owners, std::iter::once(Owner::World).chain(realms).collect::<Vec<_>>());
    let sealed = host.evidence(&world, RealmId(1), 1).await.unwrap_err();
    assert_eq!(
        sealed.exit_code(),
        4,
        "the key stays sealed until the step is run: {sealed}"
    );
    host.run(&world, ANYWAY, &mut |_, _| {}).await.unwrap();
    let mut evidence = host.evidence(&world, RealmId(1), 1).await.unwrap();
    assert_eq!(evidence.seal, seals[1].seal);
    let check = evidence.check(Some(&seals[1].seal)).unwrap();
    assert!(check.holds() && check.checked == 1, "{check:?}");
    assert!(!evidence.check(Some(&seals[2].seal)).unwrap().sealed);
    evidence.rolls[0].value = evidence.rolls[0].value % 6 + 1;
    assert_eq!(evidence.check(None).unwrap().wrong.len(), 1);
}

#[tokio::test]
async fn a_published_step_runs_again_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    host.submit(&world, arrival(1, b"TAKE 4\n"), host::now()).await.unwrap();
    host.edict(&world, "5", "a gift").await.unwrap();
    host.run(&world, ANYWAY, &mut |_, _| {}).await.unwrap();
    host.run(&world, ANYWAY, &mut |_, _| {}).await.unwrap();
    for step in 1..=2 {
        assert_eq!(host.replay(&world, step).await.unwrap(), [] as [Difference; 0]);
    }
    for step in 0..=2 {
        let check = host.check_step(&world, step, true).await.unwrap();
        assert!(check.holds(), "{check:?}");
    }
    host.check_database().await.unwrap();
}

#[tokio::test]
async fn judgements_count_until_they_are_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    host.submit(&world, arrival(1, b"TAKE 9\n"), host::now()).await.unwrap();
    let (trial, views) = host.trial(&world, ANYWAY).await.unwrap();
    assert_eq!(views.len(), 4);
    assert_eq!(
        host.world(None).await.unwrap().open_step,
        1,
        "a trial publishes nothing"
    );
    // Nine of ten stones are taken; unless the tenth falls, the game master is asked about it.
    let asked: Vec<&str> = trial.requests.iter().map(|request| request.name.as_str()).collect();
    assert_eq!(asked, ["TOY-LAST-01 1"]);
    let gift = host.edict(&world, "7", "a mistake").await.unwrap();
    assert!(host.edict(&world, "seven", "").await.is_err(), "a ruling must be one");
    host.withdraw(&world, gift.number).await.unwrap();
    assert!(host.withdraw(&world, gift.number).await.is_err());
    host.answer(&world, "TOY-LAST-01 1", "4", "he asked nicely")
        .await
        .unwrap();
    let run = host.run(&world, ANYWAY, &mut |_, _| {}).await.unwrap();
    assert!(run.requests[0].answered);
    let (_, view) = host.view(&world, Viewer::GameMaster, None).await.unwrap();
    let json: serde_json::Value = serde_json::from_str(&host.games()[0].view_json(&view).unwrap()).unwrap();
    assert_eq!(json["heaps"]["1"], 4);
    assert_eq!(host.judgements(&world, 1).await.unwrap().len(), 2);
}

#[tokio::test]
async fn two_runs_at_once_are_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let one = open(folder.path()).await;
    let two = open(folder.path()).await;
    let world = world(&one, "Eins").await;
    let plan = RunPlan {
        step: Some(1),
        without_missing: true,
    };
    let (mut quiet, mut silent) = (|_, _| {}, |_, _| {});
    let (first, second) = tokio::join!(one.run(&world, plan, &mut quiet), two.run(&world, plan, &mut silent));
    assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
    assert_eq!(one.steps(&world).await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_game_that_breaks_down_leaves_the_world_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    host.edict(&world, "5000", "against all reason").await.unwrap();
    let broken = host.run(&world, ANYWAY, &mut |_, _| {}).await.unwrap_err();
    assert_eq!(broken.exit_code(), 12, "{broken}");
    let after = host.world(None).await.unwrap();
    assert_eq!(after.open_step, 1);
    assert_eq!(host.steps(&after).await.unwrap().len(), 1);
    host.withdraw(&world, 1).await.unwrap();
    host.run(&world, ANYWAY, &mut |_, _| {}).await.unwrap();
}

#[tokio::test]
async fn a_world_that_is_over_takes_no_more_orders() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    host.edict(&world, "-100", "the table falls").await.unwrap();
    let run = host.run(&world, ANYWAY, &mut |_, _| {}).await.unwrap();
    assert!(run.over);
    assert!(matches!(
        host.run(&world, ANYWAY, &mut |_, _| {}).await,
        Err(HostError::Over(_))
    ));
    let late = host
        .submit(&world, arrival(1, b"TAKE 1\n"), host::now())
        .await
        .unwrap_err();
    assert_eq!(late.exit_code(), 4, "{late}");
}

#[tokio::test]
async fn names_of_worlds_are_unique_and_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    assert!(matches!(host.world(None).await, Err(HostError::WhichWorld(none)) if none.is_empty()));
    world(&host, "Eins").await;
    let twin = host.create(&plan("Eins"), &mut |_, _| {}).await;
    assert!(matches!(twin, Err(HostError::WorldExists(_))), "{twin:?}");
    for (name, accepted) in [
        (String::new(), false),
        ("x".repeat(80), true),
        ("x".repeat(81), false),
        ("a\nb".into(), false),
        (" a".into(), false),
    ] {
        let made = host.create(&plan(&name), &mut |_, _| {}).await;
        assert_eq!(made.is_ok(), accepted, "{name:?} {made:?}");
    }
    let two = host.world(None).await.unwrap_err();
    assert!(matches!(&two, HostError::WhichWorld(names) if names.len() == 2));
    assert!(two.to_string().contains("Eins"), "{two}");
    let mut wrong = plan("Zwei");
    wrong.house_rules = "heaps = many".into();
    assert_eq!(host.create(&wrong, &mut |_, _| {}).await.unwrap_err().exit_code(), 8);
    wrong.game = "chess".into();
    assert_eq!(host.create(&wrong, &mut |_, _| {}).await.unwrap_err().exit_code(), 3);
}

#[tokio::test]
async fn orders_that_come_while_the_step_runs_are_in_it_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let runner = open(folder.path()).await;
    let taker = open(folder.path()).await;
    let world = world(&runner, "Eins").await;
    for step in 1..=20 {
        let mut arrival = arrival(1, b"TAKE 0\n");
        arrival.step = Some(step);
        let plan = RunPlan {
            step: Some(step),
            without_missing: true,
        };
        let mut quiet = |_, _| {};
        let (run, sent) = tokio::join!(
            runner.run(&world, plan, &mut quiet),
            taker.submit(&world, arrival, host::now())
        );
        let taken_in = match sent {
            Ok(answer) => answer.receipt.is_some(),
            Err(HostError::AlreadyRun { .. }) => false,
            Err(error) => panic!("{error}"),
        };
        assert_eq!(run.unwrap().orders.contains(&RealmId(1)), taken_in, "turn {step}");
        assert_eq!(runner.replay(&world, step).await.unwrap(), [] as [Difference; 0]);
    }
}

#[tokio::test]
async fn a_closed_world_opens_all_its_keys_and_takes_nothing_more() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    host.run(&world, ANYWAY, &mut |_, _| {}).await.unwrap();
    let sealed = host.public_keys(&world).await.unwrap_err();
    assert!(matches!(sealed, HostError::NotClosed(_)), "{sealed}");
    host.close_world(&world, 7).await.unwrap();
    let keys = host.public_keys(&world).await.unwrap();
    let owners: Vec<(u32, Owner)> = keys.iter().map(|key| (key.step, key.owner)).collect();
    let realms = (1..=3).map(|realm| Owner::Realm(RealmId(realm)));
    let all = std::iter::once(Owner::World).chain(realms);
    assert_eq!(
        owners,
        all.map(|owner| (1, owner)).collect::<Vec<_>>(),
        "the turn that was never run stays sealed"
    );
    for key in &keys {
        let opened = kernel::dice::DiceKey(host::world::from_hex(&key.key).unwrap());
        assert_eq!(host::world::hex(&opened.commitment().0), key.seal);
    }
    assert!(matches!(
        host.run(&world, ANYWAY, &mut |_, _| {}).await,
        Err(HostError::Over(_))
    ));
    let late = host
        .submit(&world, arrival(1, b"TAKE 1\n"), host::now())
        .await
        .unwrap_err();
    assert!(matches!(late, HostError::Over(_)), "{late}");
    assert!(host.close_world(&world, 8).await.is_err());
    assert!(host.check_step(&world, 1, true).await.unwrap().holds());
    assert_eq!(host.world(None).await.unwrap().closed_at, Some(7));
}
