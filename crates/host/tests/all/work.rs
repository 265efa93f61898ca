//! Deadlines, reminders and the work that follows from them, by a given clock.

use crate::common::{ANYWAY, account, arrival, open, plan, world};
use host::account::Account;
use host::job::Kind;
use host::outbox::NewMail;
use host::schedule::{Absence, AtDeadline, Pause, Policy, Rhythm};
use host::step::RunPlan;
use host::worker::{Done, Outcome, run_once};
use host::world::World;
use host::{Host, HostError};
use kernel::realm::{RealmId, Viewer};

const HOUR: i64 = 60 * 60 * 1000;
const DAY: i64 = 24 * HOUR;
const LEASE: i64 = 60_000;

fn policy(run: AtDeadline) -> Policy {
    Policy {
        run,
        ..Policy::default()
    }
}

/// Does everything that is due.
async fn work(host: &Host, now: i64) -> Vec<Done> {
    let mut all = Vec::new();
    while let Some(done) = run_once(host, now).await.expect("work goes on") {
        all.push(done);
        assert!(all.len() < 100, "{all:?}");
    }
    all
}

fn ran(done: &[Done]) -> Vec<u32> {
    done.iter()
        .filter_map(|done| match &done.outcome {
            Outcome::Ran(run) => Some(run.step),
            _ => None,
        })
        .collect()
}

/// Kind and account of every mail that is due, which are sent herewith.
async fn mails(host: &Host, now: i64) -> Vec<(String, String)> {
    let mut all = Vec::new();
    while let Some(mail) = host.claim_mail(now).await.unwrap() {
        host.mail_sent(&mail, now).await.unwrap();
        all.push((mail.kind, mail.account.name));
    }
    all.sort();
    all
}

fn pair(kind: &str, name: &str) -> (String, String) {
    (kind.into(), name.into())
}

async fn with_players(host: &Host) -> (World, [Account; 2]) {
    let world = world(host, "Eins").await;
    let people = [account(host, "Mira").await, account(host, "Jonas").await];
    for (realm, account) in (1..).zip(&people) {
        host.assign_seat(&world, RealmId(realm), &account.id, 0).await.unwrap();
    }
    (world, people)
}

#[tokio::test]
async fn the_turn_runs_when_deadline_and_grace_have_passed_and_not_a_moment_earlier() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let now = host::now();
    let policy = Policy {
        grace_minutes: 30,
        ..policy(AtDeadline::Always)
    };
    host.set_policy(&world, policy, now).await.unwrap();
    host.set_deadline(&world, Some(now + DAY), now).await.unwrap();
    let end = now + DAY + HOUR / 2;
    assert!(ran(&work(&host, end - 1).await).is_empty());
    assert_eq!(ran(&work(&host, end).await), [1]);
    assert!(work(&host, end + DAY).await.is_empty());
    assert_eq!(host.steps(&world).await.unwrap().len(), 2);
    let missed = host.misses(&world).await.unwrap();
    let realms: Vec<(u16, bool)> = missed.iter().map(|miss| (miss.realm.0, miss.excused)).collect();
    assert_eq!(realms, [(1, false), (2, false)], "the computer misses nothing");
}

#[tokio::test]
async fn a_deadline_that_was_moved_or_taken_away_does_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let now = host::now();
    host.set_policy(&world, policy(AtDeadline::Always), now).await.unwrap();
    host.set_deadline(&world, Some(now + DAY), now).await.unwrap();
    host.set_deadline(&world, Some(now + 3 * DAY), now).await.unwrap();
    assert!(ran(&work(&host, now + 2 * DAY).await).is_empty());
    host.set_deadline(&world, None, now).await.unwrap();
    assert!(ran(&work(&host, now + 9 * DAY).await).is_empty());
    assert!(host.set_deadline(&world, Some(now - 1), now).await.is_err());
    // Back to a moment that was set before: it counts again.
    host.set_deadline(&world, Some(now + DAY), now).await.unwrap();
    assert_eq!(ran(&work(&host, now + DAY).await), [1]);
}

#[tokio::test]
async fn a_turn_that_waits_for_orders_is_told_to_the_game_master_once() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let master = account(&host, "Leiterin").await;
    host.add_master(&world, &master.id, 0).await.unwrap();
    let now = host::now();
    host.set_policy(&world, policy(AtDeadline::Complete), now)
        .await
        .unwrap();
    host.set_deadline(&world, Some(now + 1), now).await.unwrap();
    let done = work(&host, now + 1).await;
    assert!(matches!(done.last().unwrap().outcome, Outcome::Waits), "{done:?}");
    assert_eq!(mails(&host, now + 1).await, [pair("deadline-passed", "Leiterin")]);
    host.set_deadline(&world, Some(now + 5), now).await.unwrap();
    work(&host, now + 5).await;
    assert_eq!(mails(&host, now + 5).await, []);
    for realm in 1..=2 {
        host.submit(&world, arrival(realm, b"TAKE 1\n"), now + 5).await.unwrap();
    }
    host.set_deadline(&world, Some(now + 9), now).await.unwrap();
    assert_eq!(ran(&work(&host, now + 9).await), [1]);
}

/// In every channel: whoever hands orders in, hands them to the host.
#[tokio::test]
async fn orders_count_until_the_grace_ends_and_later_only_by_decision() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let now = host::now();
    let due = now + DAY;
    let policy = Policy {
        grace_minutes: 60,
        ..policy(AtDeadline::ByHand)
    };
    host.set_policy(&world, policy, now).await.unwrap();
    host.set_deadline(&world, Some(due), now).await.unwrap();
    for (at, attempt) in [(due - 1, 0), (due, 1), (due + HOUR, 2)] {
        let answer = host.submit(&world, arrival(1, b"TAKE 1\n"), at).await.unwrap();
        assert_eq!(answer.replaced, attempt);
        assert!(answer.receipt.is_some());
    }
    let late = host.submit(&world, arrival(1, b"TAKE 9\n"), due + HOUR + 1).await;
    assert!(
        matches!(late, Err(HostError::Late { step: 1, due_at }) if due_at == due),
        "{late:?}"
    );
    // What was refused changed nothing: the file before counts, and another realm is told the same.
    assert_eq!(host.orders(&world, 1, RealmId(1)).await.unwrap().unwrap(), b"TAKE 1\n");
    assert!(host.submit(&world, arrival(2, b"TAKE 1\n"), due + DAY).await.is_err());
    // The game master may decide otherwise, for one file; the record says so.
    let answer = host
        .submit_late(&world, arrival(1, b"TAKE 2\n"), due + DAY)
        .await
        .unwrap();
    assert_eq!(answer.replaced, 3);
    assert_eq!(host.orders(&world, 1, RealmId(1)).await.unwrap().unwrap(), b"TAKE 2\n");
    let deeds = host.record(&world, Some(Viewer::GameMaster), 1).await.unwrap();
    assert_eq!(deeds[0].deed, "orders taken in late");
    // A longer grace opens the door for everybody again, and without a deadline it is never shut.
    let longer = Policy {
        grace_minutes: 3 * 24 * 60,
        ..policy
    };
    host.set_policy(&world, longer, now).await.unwrap();
    host.submit(&world, arrival(2, b"TAKE 1\n"), due + DAY).await.unwrap();
    host.set_deadline(&world, None, now).await.unwrap();
    host.submit(&world, arrival(2, b"TAKE 2\n"), due + 9 * DAY)
        .await
        .unwrap();
}

#[tokio::test]
async fn a_turn_runs_early_once_nobody_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let now = host::now();
    let policy = Policy {
        early: true,
        ..policy(AtDeadline::Always)
    };
    host.set_policy(&world, policy, now).await.unwrap();
    host.set_deadline(&world, Some(now + DAY), now).await.unwrap();
    host.submit(&world, arrival(1, b"TAKE 1\n"), host::now()).await.unwrap();
    assert!(ran(&work(&host, now + HOUR).await).is_empty());
    host.submit(&world, arrival(2, b"TAKE 1\n"), host::now()).await.unwrap();
    assert_eq!(ran(&work(&host, now + HOUR).await), [1]);
    assert!(
        ran(&work(&host, now + 2 * DAY).await).is_empty(),
        "the old deadline is gone"
    );
}

#[tokio::test]
async fn reminders_come_once_each_to_those_who_owe_orders() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let (world, [mira, jonas]) = with_players(&host).await;
    let friend = account(&host, "Freundin").await;
    let now = host::now();
    let due = now + 5 * DAY;
    host.stand_in(&world, RealmId(2), &friend.id, (now, due), now)
        .await
        .unwrap();
    host.set_reminders(&world, &friend.id, &[60], now).await.unwrap();
    host.set_deadline(&world, Some(due), now).await.unwrap();
    work(&host, due - 2 * DAY - 1).await;
    assert_eq!(mails(&host, due - 2 * DAY - 1).await, []);
    for _ in 0..2 {
        work(&host, due - 2 * DAY).await;
    }
    let both = [pair("reminder", "Jonas"), pair("reminder", "Mira")];
    assert_eq!(mails(&host, due - 2 * DAY).await, both);
    host.submit(&world, arrival(1, b"TAKE 1\n"), host::now()).await.unwrap();
    work(&host, due - 12 * HOUR).await;
    assert_eq!(mails(&host, due - 12 * HOUR).await, [pair("reminder", "Jonas")]);
    work(&host, due - HOUR).await;
    assert_eq!(mails(&host, due - HOUR).await, [pair("reminder", "Freundin")]);
    // A deadline that moves is a new one; whoever wants no reminders gets none.
    host.set_reminders(&world, &jonas.id, &[], now).await.unwrap();
    host.set_reminders(&world, &mira.id, &[], now).await.unwrap();
    host.set_deadline(&world, Some(due + DAY), due - HOUR).await.unwrap();
    work(&host, due + DAY - HOUR).await;
    assert_eq!(mails(&host, due + DAY).await, [], "the friend no longer stands in");
    assert_eq!(
        host.chase(&world, None, due - HOUR).await.unwrap(),
        2,
        "for realm 2 and its stand-in"
    );
}

#[tokio::test]
async fn a_rhythm_gives_every_turn_its_deadline_and_leaves_out_pauses() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let rhythm = Rhythm {
        zone: "Europe/Berlin".into(),
        weekdays: vec![1, 2, 3, 4, 5, 6, 7],
        minute: 20 * 60,
        every_weeks: 1,
        anchor: "2026-01-05".into(),
        hours_min: 36,
    };
    let now = host::now();
    host.set_rhythm(&world, Some(&rhythm), now).await.unwrap();
    let schedule = host.schedule(&world).await.unwrap();
    assert_eq!(schedule.rhythm.as_ref(), Some(&rhythm));
    let first = schedule.deadline.unwrap();
    assert_eq!((first.step, Some(first.due_at)), (1, rhythm.next(now, &[]).unwrap()));
    // The calendar goes on from there: each leaves the players their time after the one before.
    let coming = schedule.coming(now, 3).unwrap();
    let mut before = first.due_at;
    for due in &coming {
        assert_eq!(Some(*due), rhythm.next(before + 1, &[]).unwrap());
        before = *due;
    }
    assert_eq!(coming.len(), 3);
    // A pause over the next ten years leaves no deadline at all; a short one moves it.
    let far = Pause {
        first_day: "2020-01-01".into(),
        last_day: "2099-12-31".into(),
        note: "dark age".into(),
    };
    host.add_pause(&world, &far, now).await.unwrap();
    assert_eq!(host.schedule(&world).await.unwrap().deadline, None);
    assert!(host.remove_pause(&world, &far.first_day, &far.last_day).await.unwrap());
    host.set_rhythm(&world, Some(&rhythm), now).await.unwrap();
    // Without a deadline nobody knows when the open turn will be run, and so not when the next is due.
    host.set_deadline(&world, None, now).await.unwrap();
    assert!(host.schedule(&world).await.unwrap().coming(now, 3).unwrap().is_empty());
    host.run(&world, ANYWAY, &mut |_, _| {}).await.unwrap();
    let next = host.schedule(&world).await.unwrap().deadline.unwrap();
    assert_eq!(next.step, 2);
    assert!(next.due_at - host::now() >= 36 * HOUR - 1000 && next.due_at - now <= 61 * HOUR);
}

#[tokio::test]
async fn an_absence_excuses_and_lets_the_computer_play() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let now = host::now();
    let absence = |realm, computer| Absence {
        realm: RealmId(realm),
        from_at: now - DAY,
        until_at: now + DAY,
        computer,
        note: "Alpen".into(),
    };
    host.set_absence(&world, &absence(1, true)).await.unwrap();
    host.set_absence(&world, &absence(2, false)).await.unwrap();
    assert_eq!(host.absences(&world, now).await.unwrap().len(), 2);
    assert!(host.absences(&world, now + DAY).await.unwrap().is_empty());
    let run = host.run(&world, ANYWAY, &mut |_, _| {}).await.unwrap();
    let orders: Vec<u16> = run.orders.iter().map(|realm| realm.0).collect();
    assert_eq!(orders, [1, 3], "the computer played the first and the third realm");
    let misses = host.misses(&world).await.unwrap();
    assert_eq!(misses.len(), 1);
    assert!(misses[0].realm == RealmId(2) && misses[0].excused);
    assert!(host.excuse(&world, 1, RealmId(2), false).await.unwrap());
    assert!(!host.misses(&world).await.unwrap()[0].excused);
}

#[tokio::test]
async fn a_job_is_claimed_by_one_and_by_another_when_the_lease_has_run_out() {
    let folder = tempfile::tempdir().unwrap();
    let one = open(folder.path()).await;
    let two = open(folder.path()).await;
    let world = world(&one, "Eins").await;
    let now = host::now();
    one.set_deadline(&world, Some(now + 1), now).await.unwrap();
    assert_eq!(one.next_job_at().await.unwrap(), Some(now + 1));
    let at = now + 1;
    let (first, second) = tokio::join!(one.claim(at), two.claim(at));
    let (first, second) = (first.unwrap(), second.unwrap());
    assert!(first.is_some() != second.is_some(), "{first:?} {second:?}");
    let dead = first.or(second).unwrap();
    assert_eq!((dead.kind, dead.attempts), (Kind::Deadline, 1));
    assert!(one.renew(&dead, at + LEASE - 1).await.unwrap());
    let held = at + 2 * LEASE - 1;
    assert!(two.claim(held - 1).await.unwrap().is_none(), "it was renewed");
    let heir = two.claim(held).await.unwrap().unwrap();
    assert_eq!((heir.id.as_str(), heir.attempts), (dead.id.as_str(), 2));
    assert!(!one.renew(&dead, held).await.unwrap());
    assert!(!one.finish(&dead, held).await.unwrap(), "it is no longer his");
    assert!(two.finish(&heir, held).await.unwrap());
    assert!(two.claim(held + 10 * LEASE).await.unwrap().is_none());
}

#[tokio::test]
async fn a_job_that_fails_is_tried_later_and_given_up_at_last() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let mut now = host::now();
    host.set_policy(&world, policy(AtDeadline::Always), now).await.unwrap();
    host.set_deadline(&world, Some(now + 1), now).await.unwrap();
    // The game breaks one of its own laws whenever this turn is run.
    host.edict(&world, "5000", "against all reason").await.unwrap();
    let mut tries = 0;
    while let Some(at) = host.next_job_at().await.unwrap() {
        now = now.max(at);
        let done = run_once(&host, now).await.unwrap().expect("it is due");
        assert!(matches!(done.outcome, Outcome::Failed(_)), "{done:?}");
        tries += 1;
        assert!(
            tries > 12 || host.claim(now).await.unwrap().is_none(),
            "not at once again"
        );
    }
    assert_eq!(tries, 12);
    let given_up = host.given_up().await.unwrap();
    assert_eq!(given_up.len(), 1);
    assert!(given_up[0].error.contains("outgrew"), "{given_up:?}");
    assert_eq!(host.steps(&world).await.unwrap().len(), 1);
}

#[tokio::test]
async fn three_processes_run_every_turn_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut hosts = [
        open(folder.path()).await,
        open(folder.path()).await,
        open(folder.path()).await,
    ];
    // So short that leases are renewed in the middle of a step, and sometimes lost.
    for host in &mut hosts {
        host.set_lease(100);
    }
    let now = host::now();
    let mut worlds = Vec::new();
    for number in 0..6 {
        let world = hosts[0]
            .create(&plan(&format!("Welt {number}")), &mut |_, _| {})
            .await
            .unwrap();
        hosts[0]
            .set_policy(&world, policy(AtDeadline::Always), now)
            .await
            .unwrap();
        hosts[0].set_deadline(&world, Some(now + 1), now).await.unwrap();
        worlds.push(world);
    }
    let [a, b, c] = &hosts;
    let (a, b, c) = tokio::join!(work(a, now + 1), work(b, now + 1), work(c, now + 1));
    let turns: usize = [a, b, c].iter().map(|done| ran(done).len()).sum();
    assert_eq!(turns, 6);
    for world in &worlds {
        assert_eq!(hosts[0].steps(world).await.unwrap().len(), 2, "{}", world.name);
    }
}

#[tokio::test]
async fn a_mail_is_carried_once_tried_again_and_given_up_if_hopeless() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let mira = account(&host, "Mira").await;
    let mail = |key| NewMail {
        key,
        account: &mira.id,
        kind: "greeting",
        details: serde_json::json!({ "name": "Mira" }),
        send_at: 100,
        expires_at: None,
    };
    host.post(&mail("one"), 0).await.unwrap();
    host.post(&mail("one"), 0).await.unwrap();
    assert!(host.claim_mail(99).await.unwrap().is_none());
    let first = host.claim_mail(100).await.unwrap().unwrap();
    assert_eq!(
        (first.kind.as_str(), first.details["name"].as_str()),
        ("greeting", Some("Mira"))
    );
    assert!(
        host.claim_mail(100).await.unwrap().is_none(),
        "it is written once and claimed"
    );
    host.mail_failed(&first, "the way was blocked", false, 100)
        .await
        .unwrap();
    assert!(host.claim_mail(10_099).await.unwrap().is_none());
    let again = host.claim_mail(10_100).await.unwrap().unwrap();
    assert_eq!(again.attempts, 2);
    host.mail_failed(&again, "no such address", true, 10_100).await.unwrap();
    assert!(host.claim_mail(DAY).await.unwrap().is_none());
    assert_eq!(host.outbox_counts().await.unwrap(), (0, 1));
    // Whoever carries a mail and is killed leaves it to another.
    host.post(&mail("two"), 0).await.unwrap();
    host.claim_mail(100).await.unwrap().unwrap();
    assert!(host.claim_mail(99 + LEASE).await.unwrap().is_none());
    let heir = host.claim_mail(100 + LEASE).await.unwrap().unwrap();
    host.mail_sent(&heir, 200).await.unwrap();
    assert_eq!(host.outbox_counts().await.unwrap(), (0, 1));
}

#[tokio::test]
async fn a_mail_that_was_given_up_still_says_something_when_it_is_tried_again_unless_it_held_a_secret() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let mira = account(&host, "Mira").await;
    host.assign_seat(&world, RealmId(1), &mira.id, 0).await.unwrap();
    let mail = |key| NewMail {
        key,
        account: &mira.id,
        kind: "greeting",
        details: serde_json::json!({ "name": "Mira" }),
        send_at: 100,
        expires_at: None,
    };
    let lose = async || {
        let claimed = host.claim_mail(100).await.unwrap().unwrap();
        host.mail_failed(&claimed, "no such address", true, 100).await.unwrap();
        claimed.id
    };
    host.post(&mail("plain"), 0).await.unwrap();
    let plain = lose().await;
    assert_eq!(host.troubles(&world).await.unwrap().mails, ["Mira"]);
    host.settle_mail(&plain, true).await.unwrap();
    let again = host.claim_mail(host::now()).await.unwrap().unwrap();
    assert_eq!(again.details["name"], "Mira");
    host.mail_sent(&again, host::now()).await.unwrap();
    assert_eq!(
        host.troubles(&world).await.unwrap().mails,
        [] as [&str; 0],
        "one has arrived since"
    );
    // A link is gone for good; all that can be done is to forget it.
    let link = NewMail {
        expires_at: Some(10_000),
        ..mail("link")
    };
    host.post(&link, 0).await.unwrap();
    let link = lose().await;
    assert!(host.settle_mail(&link, true).await.is_err());
    host.settle_mail(&link, false).await.unwrap();
    assert_eq!(host.outbox_counts().await.unwrap(), (0, 0));
}

#[tokio::test]
async fn a_turn_that_does_not_run_by_itself_is_told_to_its_game_master_until_one_has_run() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let now = host::now();
    assert_eq!(host.troubles(&world).await.unwrap(), host::desk::Troubles::default());
    host.set_policy(&world, policy(AtDeadline::Always), now).await.unwrap();
    host.set_deadline(&world, Some(now + 1), now).await.unwrap();
    // A heap that outgrows the table is against the laws of the game.
    let too_much = host.edict(&world, "5000", "a rich harvest").await.unwrap();
    assert!(ran(&work(&host, now + 1).await).is_empty());
    let (why, next) = host.troubles(&world).await.unwrap().run.expect("it failed");
    assert!(!why.is_empty() && next.is_some_and(|next| next > now), "{why} {next:?}");
    host.withdraw(&world, too_much.number).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    host.run(&world, ANYWAY, &mut |_, _| {}).await.unwrap();
    let settled = host.troubles(&world).await.unwrap();
    assert_eq!(settled.run.map(|(why, _)| why), None);
}

#[tokio::test]
async fn a_world_that_is_over_has_no_deadline_any_more() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let now = host::now();
    host.set_policy(&world, policy(AtDeadline::Always), now).await.unwrap();
    host.set_deadline(&world, Some(now + 1), now).await.unwrap();
    host.edict(&world, "-100", "the table falls").await.unwrap();
    assert_eq!(ran(&work(&host, now + 1).await), [1]);
    assert_eq!(host.next_job_at().await.unwrap(), None);
    let late = host.run(&world, RunPlan::default(), &mut |_, _| {}).await;
    assert!(matches!(late, Err(HostError::Over(_))));
}
