//! Mail about turns: who hears of a report, of a turn taken back and of one that could not be run.

use crate::common::{ANYWAY, account, open, world};
use host::account::Account;
use host::schedule::{AtDeadline, Policy};
use host::tidings::WAITS;
use host::wish::{MailWish, MailWishes};
use host::worker::run_once;
use host::world::World;
use host::{Host, acting};
use kernel::realm::RealmId;
use serde_json::{Value, json};

const HOUR: i64 = 60 * 60 * 1000;

/// Kind, reader and details of every mail that is due, which are sent herewith.
async fn mails(host: &Host, now: i64) -> Vec<(String, String, Value)> {
    let mut all = Vec::new();
    while let Some(mail) = host.claim_mail(now).await.unwrap() {
        host.mail_sent(&mail, now).await.unwrap();
        all.push((mail.kind, mail.account.name, mail.details));
    }
    all.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
    all
}

fn names(mails: &[(String, String, Value)]) -> Vec<(&str, &str)> {
    mails
        .iter()
        .map(|(kind, name, _)| (kind.as_str(), name.as_str()))
        .collect()
}

fn turns(wish: MailWish) -> MailWishes {
    MailWishes {
        turns: wish,
        ..MailWishes::default()
    }
}

/// A world with two players and a game master.
async fn peopled(host: &Host) -> (World, [Account; 3]) {
    let world = world(host, "Eins").await;
    let people = [
        account(host, "Mira").await,
        account(host, "Jonas").await,
        account(host, "Greta").await,
    ];
    for (realm, account) in [1, 2].into_iter().zip(&people) {
        host.assign_seat(&world, RealmId(realm), &account.id, 0).await.unwrap();
    }
    host.add_master(&world, &people[2].id, 0).await.unwrap();
    (world, people)
}

#[tokio::test]
async fn a_report_is_told_after_some_minutes_to_whoever_has_not_looked() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let (world, [mira, jonas, greta]) = peopled(&host).await;
    acting(&greta.id, host.run(&world, ANYWAY, &mut |_, _| {}))
        .await
        .unwrap();
    let now = host::now();
    assert_eq!(mails(&host, now + WAITS - HOUR / 60).await, [], "not at once");
    host.saw_report(&world, &mira.id, now).await.unwrap();
    let told = mails(&host, now + WAITS).await;
    let details = json!({ "world": "Eins", "world_id": world.id, "turn": 1, "due_at": null, "reports": [] });
    let notice = ("turn".to_owned(), "Jonas".to_owned(), details);
    assert_eq!(
        told,
        [notice],
        "Greta ran it herself, and no word of the report is in it"
    );
    // What somebody has seen is no reason to be silent about the next one.
    host.set_mail_wishes(&mira.id, turns(MailWish::Full)).await.unwrap();
    host.set_mail_wishes(&jonas.id, turns(MailWish::None)).await.unwrap();
    acting(&greta.id, host.run(&world, ANYWAY, &mut |_, _| {}))
        .await
        .unwrap();
    let told = mails(&host, host::now() + WAITS).await;
    assert_eq!(names(&told), [("turn", "Mira")]);
    assert_eq!((&told[0].2["turn"], &told[0].2["reports"]), (&json!(2), &json!([1])));
}

#[tokio::test]
async fn a_turn_taken_back_is_told_to_those_who_had_heard_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let (world, [mira, _, greta]) = peopled(&host).await;
    acting(&greta.id, host.run(&world, ANYWAY, &mut |_, _| {}))
        .await
        .unwrap();
    host.take_back(&world, Some(1), "zu früh").await.unwrap();
    assert_eq!(mails(&host, host::now() + HOUR).await, [], "nobody had heard of it");
    acting(&greta.id, host.run(&world, ANYWAY, &mut |_, _| {}))
        .await
        .unwrap();
    host.saw_report(&world, &mira.id, host::now()).await.unwrap();
    let told = mails(&host, host::now() + HOUR).await;
    assert_eq!(names(&told), [("turn", "Jonas")]);
    host.take_back(&world, Some(1), "ein Fehler der Karte").await.unwrap();
    let told = mails(&host, host::now() + HOUR).await;
    assert_eq!(names(&told), [("turn-taken-back", "Jonas")]);
    assert_eq!(told[0].2["reason"], "ein Fehler der Karte");
}

#[tokio::test]
async fn a_mail_that_is_on_its_way_when_the_turn_is_taken_back_counts_as_sent() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let (world, [_, jonas, greta]) = peopled(&host).await;
    host.set_mail_wishes(&jonas.id, turns(MailWish::None)).await.unwrap();
    acting(&greta.id, host.run(&world, ANYWAY, &mut |_, _| {}))
        .await
        .unwrap();
    let later = host::now() + WAITS;
    let on_its_way = host.claim_mail(later).await.unwrap().unwrap();
    host.take_back(&world, Some(1), "zu früh").await.unwrap();
    host.mail_sent(&on_its_way, later).await.unwrap();
    assert_eq!(names(&mails(&host, later).await), [("turn-taken-back", "Mira")]);
}

#[tokio::test]
async fn game_masters_hear_of_turns_that_ran_without_them_and_of_those_that_did_not() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let (world, people) = peopled(&host).await;
    for player in &people[..2] {
        host.set_mail_wishes(&player.id, turns(MailWish::None)).await.unwrap();
    }
    let now = host::now();
    let policy = Policy {
        run: AtDeadline::Always,
        ..Policy::default()
    };
    host.set_policy(&world, policy, now).await.unwrap();
    host.set_deadline(&world, Some(now + 1), now).await.unwrap();
    run_once(&host, now + 1).await.unwrap();
    let told = mails(&host, now + HOUR).await;
    assert_eq!(names(&told), [("turn-run", "Greta")]);
    assert_eq!((&told[0].2["turn"], &told[0].2["missing"]), (&json!(1), &json!(2)));
    // A heap that outgrows the table is against the laws of the game. What fails once or twice may pass by itself.
    host.edict(&world, "5000", "a rich harvest").await.unwrap();
    host.set_deadline(&world, Some(now + HOUR), now).await.unwrap();
    let mut at = now + HOUR;
    for (attempt, heard) in [(1, 0), (2, 0), (3, 1), (4, 0)] {
        assert!(run_once(&host, at).await.unwrap().is_some(), "attempt {attempt}");
        let told = mails(&host, at + HOUR / 2).await;
        assert_eq!(told.len(), heard, "attempt {attempt}: {told:?}");
        if heard > 0 {
            assert_eq!((told[0].0.as_str(), &told[0].2["turn"]), ("turn-failed", &json!(2)));
        }
        at += HOUR;
    }
}
