//! What is sent twice counts once, and two deeds at the same time come one after the other.

use crate::common::{ANYWAY, arrival, open, world};
use host::HostError;
use host::once::{Mark, once};
use host::step::RunPlan;
use kernel::realm::RealmId;
use std::sync::Arc;
use std::time::Duration;

#[tokio::test]
async fn a_deed_with_a_number_counts_once_and_a_refused_one_can_be_sent_again() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let book = async |number: &str, cents: i64| {
        let mark = Mark::of(&[number.as_bytes()]);
        once(mark, host::now(), host.book(&world, RealmId(1), cents, "Startgeld")).await
    };
    // Refused: it has left no mark.
    assert!(book("a", 0).await.is_err());
    assert_eq!(book("a", -500).await.unwrap(), -500);
    assert!(matches!(book("a", -500).await, Err(HostError::Repeated)));
    assert_eq!(book("b", -500).await.unwrap(), -1_000);
    assert_eq!(host.ledger(&world, RealmId(1)).await.unwrap().1.len(), 2);
}

#[tokio::test]
async fn a_deed_of_several_transactions_is_no_repetition_of_itself() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let both = async || {
        once(Mark::of(&[b"both"]), host::now(), async {
            host.announce(&world, "Eins", "Text").await?;
            host.announce(&world, "Zwei", "Text").await
        })
        .await
    };
    assert_eq!(both().await.unwrap(), 2);
    assert!(matches!(both().await, Err(HostError::Repeated)));
    assert_eq!(host.announcements(&world, 10).await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_number_is_forgotten_after_some_days() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let day = 24 * 60 * 60 * 1_000;
    let book = async |number: &str, at: i64| {
        let mark = Mark::of(&[number.as_bytes()]);
        once(mark, at, host.book(&world, RealmId(1), 100, "Startgeld")).await
    };
    book("a", 0).await.unwrap();
    assert!(book("a", 3 * day).await.is_err());
    book("b", 3 * day + 1).await.unwrap();
    book("a", 3 * day + 1).await.unwrap();
}

#[tokio::test]
async fn of_many_clicks_at_the_same_time_one_counts() {
    let folder = tempfile::tempdir().unwrap();
    // As two processes would: each with connections of its own.
    let hosts = [Arc::new(open(folder.path()).await), Arc::new(open(folder.path()).await)];
    let world = world(&hosts[0], "Eins").await;
    for round in 0..10_u8 {
        let clicks = (0..6).map(|click| {
            let (host, world) = (hosts[click % 2].clone(), world.clone());
            tokio::spawn(async move {
                let deed = host.book(&world, RealmId(1), 100, "Startgeld");
                once(Mark::of(&[&[round]]), host::now(), deed).await
            })
        });
        let mut done = 0;
        for click in clicks.collect::<Vec<_>>() {
            match click.await.unwrap() {
                Ok(_) => done += 1,
                Err(HostError::Repeated) => {}
                Err(error) => panic!("{error}"),
            }
        }
        assert_eq!(done, 1, "round {round}");
    }
    assert_eq!(hosts[0].ledger(&world, RealmId(1)).await.unwrap().0, 1_000);
}

/// Does something after some milliseconds, and again while somebody else is at work on the world.
async fn insist<T>(milliseconds: u64, deed: impl AsyncFn() -> host::Result<T>) -> host::Result<T> {
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    loop {
        match deed().await {
            Err(HostError::Busy(_)) => tokio::time::sleep(Duration::from_millis(1)).await,
            done => return done,
        }
    }
}

/// Publishing the open turn and taking the last one back at the same time: the world is as if one had come after the other.
#[tokio::test]
async fn publishing_and_taking_back_at_the_same_time_come_one_after_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let hosts = [Arc::new(open(folder.path()).await), Arc::new(open(folder.path()).await)];
    let world = world(&hosts[0], "Eins").await;
    // Heaps that no number of turns uses up.
    hosts[0].edict(&world, "900", "for a long evening").await.unwrap();
    hosts[0].run(&world, ANYWAY, &mut |_, _| {}).await.unwrap();
    let (mut published, mut taken_back, mut both) = (1_usize, 0, 0);
    for round in 0..40_u32 {
        let last = hosts[0].world(None).await.unwrap().open_step - 1;
        hosts[0]
            .submit(&world, arrival(1, b"TAKE 1\n"), host::now())
            .await
            .unwrap();
        // Half of them say which turn they mean, as the page does.
        let plan = RunPlan {
            step: (round % 2 == 0).then_some(last + 1),
            ..ANYWAY
        };
        let (one, two) = (hosts[0].clone(), hosts[1].clone());
        let (here, there) = (world.clone(), world.clone());
        // Now the one comes first, now the other, now while the other is at work.
        let (early, late) = (u64::from(round * 7 % 5), u64::from(round * 3 % 5));
        let run = tokio::spawn(insist(early, async move || one.run(&here, plan, &mut |_, _| {}).await));
        let back = tokio::spawn(insist(late, async move || {
            two.take_back(&there, Some(last), "a mistake").await
        }));
        let (run, back) = (run.await.unwrap(), back.await.unwrap());
        let open_now = hosts[0].world(None).await.unwrap().open_step;
        let expected = match (&run, &back) {
            // Published first: the turn that was to be taken back is not the last any more.
            (Ok(run), Err(HostError::NotLast { .. })) => {
                assert_eq!(run.step, last + 1);
                last + 2
            }
            // Taken back first: the turn that was meant is not open.
            (Err(HostError::NotOpen { .. }), Ok(_)) => {
                assert_eq!(round % 2, 0);
                last
            }
            // Taken back first, and then the same turn was run anew.
            (Ok(run), Ok(_)) => {
                assert_eq!((run.step, round % 2), (last, 1));
                both += 1;
                last + 1
            }
            other => panic!("round {round}: {other:?}"),
        };
        published += usize::from(run.is_ok());
        taken_back += usize::from(back.is_ok());
        assert_eq!(open_now, expected, "round {round}: {run:?} {back:?}");
        if open_now == 1 {
            hosts[0].run(&world, ANYWAY, &mut |_, _| {}).await.unwrap();
            published += 1;
        }
    }
    let world = hosts[0].world(None).await.unwrap();
    let steps: Vec<u32> = hosts[0]
        .steps(&world)
        .await
        .unwrap()
        .iter()
        .map(|step| step.number)
        .collect();
    assert_eq!(
        steps,
        (0..world.open_step).collect::<Vec<_>>(),
        "no turn is lost or doubled"
    );
    assert_eq!(steps.len() - 1, published - taken_back);
    assert_eq!(hosts[0].withdrawn(&world).await.unwrap().len(), taken_back);
    assert!(
        published > 3 && taken_back > 3 && both > 1,
        "{published} published, {taken_back} taken back, {both} run anew"
    );
    assert_eq!(hosts[0].doctor(true).await.unwrap(), []);
}
