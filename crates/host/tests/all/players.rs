//! What concerns players beside their orders: whom they know, mails about letters, visits, what stays in the outbox.

use crate::common::{arrival, in_schema, open, postgres, world};
use host::account::{Account, NewAccount};
use host::letter::{Draft, LetterError, LetterKind, LetterState};
use host::outbox::NewMail;
use host::step::RunPlan;
use host::visit::{News, Since};
use host::wish::{MailWish, MailWishes};
use host::world::World;
use host::{Host, HostError};
use kernel::game::Delivery;
use kernel::realm::{RealmId, Viewer};
use serde_json::json;
use sqlx::{Connection as _, PgConnection, SqliteConnection};
use std::path::Path;

const ADLER: Viewer = Viewer::Realm(RealmId(1));
const BEAR: Viewer = Viewer::Realm(RealmId(2));
const MINUTE: i64 = 60_000;

async fn seated(host: &Host, world: &World, name: &str, realm: u16) -> Account {
    let plan = NewAccount {
        name: name.into(),
        mail: format!("{name}@example.org"),
        password: None,
        language: "de".into(),
        zone: "UTC".into(),
    };
    let account = host.sign_up(&plan, None, 0).await.unwrap();
    host.assign_seat(world, RealmId(realm), &account.id, 0).await.unwrap();
    account
}

async fn write(host: &Host, world: &World, from: Viewer, draft: &Draft) -> host::Result<(String, LetterState)> {
    let post = host.letters(world, from);
    let id = post.write_draft(draft, None).await?;
    let state = post.send(&id, draft).await?;
    Ok((id, state))
}

fn to(recipients: &[Viewer], body: &str) -> Draft {
    Draft {
        recipients: recipients.iter().copied().collect(),
        subject: "Vom Paß".into(),
        body: body.into(),
        ..Draft::default()
    }
}

async fn at_step_end(host: &Host, world: &World) {
    let mut custom = host.post_custom(world).await.unwrap();
    (custom.delivery, custom.rumours) = (Delivery::StepEnd, true);
    host.letters(world, Viewer::GameMaster)
        .set_custom(&custom)
        .await
        .unwrap();
}

async fn run(host: &Host, world: &World) {
    for realm in [1, 2] {
        let file = arrival(realm, b"TAKE 1\n");
        host.submit(world, file, host::now()).await.unwrap();
    }
    host.run(world, RunPlan::default(), &mut |_, _| {}).await.unwrap();
}

fn letters(wish: MailWish) -> MailWishes {
    MailWishes {
        letters: wish,
        ..MailWishes::default()
    }
}

/// Every mail that waits, as kind, reader and details.
async fn mails(host: &Host) -> Vec<(String, String, serde_json::Value)> {
    let (now, mut all) = (host::now() + MINUTE, Vec::new());
    while let Some(mail) = host.claim_mail(now).await.unwrap() {
        host.mail_sent(&mail, now).await.unwrap();
        all.push((mail.kind, mail.account.name, mail.details));
    }
    all.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
    all
}

/// The details of all mails in the outbox, as the database has them.
async fn stored(folder: &Path) -> Vec<String> {
    let sql = "SELECT details FROM outbox ORDER BY key";
    let rows: Vec<(String,)> = match postgres() {
        Some(url) => {
            let mut database = PgConnection::connect(&in_schema(&url, folder)).await.unwrap();
            sqlx::query_as(sql).fetch_all(&mut database).await.unwrap()
        }
        None => {
            let path = format!("sqlite://{}", folder.join("briefwelt.db").display());
            let mut database = SqliteConnection::connect(&path).await.unwrap();
            sqlx::query_as(sql).fetch_all(&mut database).await.unwrap()
        }
    };
    rows.into_iter().map(|(details,)| details).collect()
}

#[tokio::test]
async fn strangers_are_numbers_until_they_write() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    // The toy says nothing of other realms: all can be written to, none has a name.
    let known = host.letters(&world, ADLER).acquaintance().await.unwrap();
    assert_eq!(known.names.keys().copied().collect::<Vec<_>>(), [RealmId(1)]);
    assert_eq!(
        known.reachable.iter().copied().collect::<Vec<_>>(),
        [RealmId(2), RealmId(3)]
    );
    write(&host, &world, BEAR, &to(&[ADLER], "Ich bin der Bär."))
        .await
        .unwrap();
    let known = host.letters(&world, ADLER).acquaintance().await.unwrap();
    assert_eq!(known.name(BEAR), Some("Bär"));
    assert_eq!(known.name(Viewer::Realm(RealmId(3))), None);
    // Who wrote does not know the other by that.
    let writer = host.letters(&world, BEAR).acquaintance().await.unwrap();
    assert_eq!(writer.name(ADLER), None);
    // A search finds the letter by names that its author knows and by no others.
    let sent = host.letters(&world, BEAR);
    for (word, found) in [("bär", 1), ("paß", 1), ("adler", 0)] {
        let hits = sent.folder(host::letter::Folder::Sent, word, 0).await.unwrap();
        assert_eq!(hits.len(), found, "{word}");
    }
    // The game master knows all; a number that nobody bears answers like any other that cannot be reached.
    let master = host.letters(&world, Viewer::GameMaster).acquaintance().await.unwrap();
    assert_eq!(master.names.len(), 3);
    let nobody = write(&host, &world, ADLER, &to(&[Viewer::Realm(RealmId(9))], "Hallo?")).await;
    assert!(matches!(nobody, Err(HostError::Letter(LetterError::UnknownRecipient))));
}

#[tokio::test]
async fn a_rumour_introduces_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    at_step_end(&host, &world).await;
    let rumour = Draft {
        kind: LetterKind::Rumour,
        ..to(&[], "Man sagt, der Paß sei offen.")
    };
    write(&host, &world, BEAR, &rumour).await.unwrap();
    run(&host, &world).await;
    let known = host.letters(&world, ADLER).acquaintance().await.unwrap();
    assert_eq!(known.name(BEAR), None);
}

#[tokio::test]
async fn letters_of_a_turn_that_is_taken_back_wait_again_unless_they_were_read() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let (before, _) = write(&host, &world, ADLER, &to(&[BEAR], "Sofort.")).await.unwrap();
    at_step_end(&host, &world).await;
    let (unread, _) = write(&host, &world, ADLER, &to(&[BEAR], "Ungelesen.")).await.unwrap();
    let (read, _) = write(&host, &world, ADLER, &to(&[BEAR], "Gelesen.")).await.unwrap();
    run(&host, &world).await;
    let bear = host.letters(&world, BEAR);
    bear.mark_read(&read).await.unwrap();
    bear.file(&unread, true).await.unwrap();
    host.take_back(&world, None, "Ein falscher Würfel").await.unwrap();
    assert!(matches!(
        bear.letter(&unread).await,
        Err(HostError::Letter(LetterError::Unknown))
    ));
    assert_eq!(
        bear.unread().await.unwrap(),
        1,
        "what came at once has nothing to do with it"
    );
    assert!(!bear.letter(&before).await.unwrap().taken_back);
    assert!(bear.letter(&read).await.unwrap().taken_back);
    let adler = host.letters(&world, ADLER);
    assert_eq!(
        adler.letter(&unread).await.unwrap().headline.state,
        LetterState::Waiting
    );
    // With the turn it comes again, as if for the first time; and it can be taken back as often as the turn.
    run(&host, &world).await;
    let again = bear.letter(&unread).await.unwrap();
    assert!(again.headline.unread && !again.filed && !again.taken_back);
    host.take_back(&world, None, "Noch einer").await.unwrap();
    assert!(bear.letter(&unread).await.is_err());
    adler.recall(&unread).await.unwrap();
    assert_eq!(adler.drafts().await.unwrap(), 1);
    // The one that was read stays as it was: it came with a turn that is no more.
    assert!(bear.letter(&read).await.unwrap().taken_back);
}

#[tokio::test]
async fn mail_about_letters_says_as_much_as_its_reader_wishes() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    seated(&host, &world, "Mira", 1).await;
    let jonas = seated(&host, &world, "Jonas", 2).await;
    assert_eq!(host.mail_wishes(&jonas.id).await.unwrap(), MailWishes::default());
    write(&host, &world, ADLER, &to(&[BEAR], "Geheim.")).await.unwrap();
    let told = mails(&host).await;
    let notice = (
        "letter-notice".into(),
        "Jonas".into(),
        json!({ "world": "Eins", "count": 1 }),
    );
    assert_eq!(told, [notice], "neither sender nor a word of it");
    host.set_mail_wishes(&jonas.id, letters(MailWish::Full)).await.unwrap();
    write(&host, &world, ADLER, &to(&[BEAR], "Offen.")).await.unwrap();
    let told = mails(&host).await;
    assert_eq!(told.len(), 1);
    assert_eq!((&*told[0].0, &told[0].2["body"]), ("letter-full", &json!("Offen.")));
    assert_eq!(told[0].2["from"], json!("Adler"));
    host.set_mail_wishes(&jonas.id, letters(MailWish::None)).await.unwrap();
    write(&host, &world, ADLER, &to(&[BEAR], "Still.")).await.unwrap();
    assert_eq!(mails(&host).await, []);
    // At the end of a step one notice tells of all; of a rumour nobody hears the sender, and its author hears nothing.
    at_step_end(&host, &world).await;
    host.set_mail_wishes(&jonas.id, letters(MailWish::Full)).await.unwrap();
    for body in ["Eins.", "Zwei."] {
        write(&host, &world, BEAR, &to(&[ADLER], body)).await.unwrap();
    }
    let rumour = Draft {
        kind: LetterKind::Rumour,
        ..to(&[], "Man sagt.")
    };
    write(&host, &world, ADLER, &rumour).await.unwrap();
    assert_eq!(mails(&host).await, [], "nothing before the letters come");
    run(&host, &world).await;
    let told = mails(&host).await;
    let kinds: Vec<(&str, &str)> = told.iter().map(|(kind, who, _)| (&**kind, &**who)).collect();
    assert_eq!(kinds, [("letter-notice", "Mira"), ("letter-rumour", "Jonas")]);
    assert_eq!(told[0].2["count"], json!(2));
    assert_eq!(told[1].2.get("from"), None);
    assert!(!told[1].2.to_string().contains("Adler"), "{}", told[1].2);
}

#[tokio::test]
async fn whoever_is_blocked_writes_no_mails_either() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    seated(&host, &world, "Jonas", 2).await;
    host.letters(&world, BEAR).block(RealmId(1), true).await.unwrap();
    write(&host, &world, ADLER, &to(&[BEAR], "Hört Ihr?")).await.unwrap();
    assert_eq!(mails(&host).await, []);
}

#[tokio::test]
async fn what_was_sent_or_has_expired_keeps_no_details() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let mira = seated(&host, &world, "Mira", 1).await;
    let link = |key: &'static str, expires_at| NewMail {
        key,
        account: &mira.id,
        kind: "login-link",
        details: json!({ "link": "https://briefwelt.example/anmelden/link/5ec2e7" }),
        send_at: 100,
        expires_at: Some(expires_at),
    };
    host.post(&link("a sent", 20 * MINUTE), 100).await.unwrap();
    host.post(&link("b late", 500), 100).await.unwrap();
    host.post(&link("c hopeless", 20 * MINUTE), 100).await.unwrap();
    assert!(
        stored(folder.path())
            .await
            .iter()
            .all(|details| details.contains("5ec2e7"))
    );
    let first = host.claim_mail(100).await.unwrap().unwrap();
    assert!(first.details.to_string().contains("5ec2e7"));
    host.mail_sent(&first, 101).await.unwrap();
    let second = host.claim_mail(499).await.unwrap().unwrap();
    // A mail that may still be sent keeps its words until it is too late for them.
    host.mail_failed(&second, "the server sleeps", false, 499)
        .await
        .unwrap();
    let third = host.claim_mail(499).await.unwrap().unwrap();
    host.mail_failed(&third, "no such address", true, 499).await.unwrap();
    let kept = stored(folder.path())
        .await
        .iter()
        .filter(|details| details.contains("5ec2e7"))
        .count();
    assert!(kept <= 1, "{kept}");
    assert!(host.claim_mail(500).await.unwrap().is_none());
    while let Some(mail) = host.claim_mail(10 * MINUTE).await.unwrap() {
        host.mail_sent(&mail, 10 * MINUTE).await.unwrap();
    }
    assert_eq!(stored(folder.path()).await, ["{}", "{}", "{}"]);
    assert_eq!(host.outbox_counts().await.unwrap().0, 0);
    // When a year has passed, nobody asks for what was sent or given up then: the first at 101, the last at ten minutes at the latest.
    let memory = host::limits::MAIL_MEMORY;
    for (key, at, left) in [("d", 101, 4), ("e", 102, 4), ("f", 10 * MINUTE + 1, 3)] {
        host.post(&link(key, memory + 20 * MINUTE), memory + at).await.unwrap();
        let mail = host.claim_mail(memory + at).await.unwrap().unwrap();
        host.mail_sent(&mail, memory + at).await.unwrap();
        assert_eq!(stored(folder.path()).await.len(), left, "{at}");
    }
}

#[tokio::test]
async fn a_visit_ends_half_an_hour_after_the_last_look() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let mira = seated(&host, &world, "Mira", 1).await;
    let look = |at: i64| host.visit(&world, &mira.id, at);
    assert_eq!(look(0).await.unwrap(), None, "the first visit");
    assert_eq!(look(30 * MINUTE).await.unwrap(), None, "still the first");
    assert_eq!(look(60 * MINUTE + 1).await.unwrap(), Some(30 * MINUTE));
    // As long as the visit lasts, what came before it stays new.
    assert_eq!(look(60 * MINUTE + 2).await.unwrap(), Some(30 * MINUTE));
    assert_eq!(look(70 * MINUTE).await.unwrap(), Some(30 * MINUTE));
    assert_eq!(look(101 * MINUTE).await.unwrap(), Some(70 * MINUTE));
}

#[tokio::test]
async fn the_desk_counts_what_came_and_what_waits() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let mira = seated(&host, &world, "Mira", 1).await;
    let jonas = seated(&host, &world, "Jonas", 2).await;
    let before = host::now() - 1;
    assert_eq!(host.since(&world, ADLER, before).await.unwrap(), Since::default());
    write(&host, &world, BEAR, &to(&[ADLER], "Eins.")).await.unwrap();
    let public = Draft {
        kind: LetterKind::Proclamation,
        ..to(&[], "An alle.")
    };
    write(&host, &world, ADLER, &public).await.unwrap();
    host.announce(&world, "Messe", "Wir treffen uns.").await.unwrap();
    run(&host, &world).await;
    let news = host.news(&world, ADLER, &mira.id).await.unwrap();
    let one_each = News {
        letters: 1,
        announcements: 1,
    };
    assert_eq!(news, one_each, "his own proclamation is no news to him");
    assert_eq!(host.news(&world, BEAR, &jonas.id).await.unwrap(), one_each);
    let since = host.since(&world, ADLER, before).await.unwrap();
    assert_eq!((since.steps, since.letters), (vec![1], 1));
    let after = host::now() + MINUTE;
    assert_eq!(host.since(&world, ADLER, after).await.unwrap(), Since::default());
    // At the desk an announcement is read; a letter only when it is opened.
    host.visit(&world, &mira.id, after).await.unwrap();
    let news = host.news(&world, ADLER, &mira.id).await.unwrap();
    assert_eq!((news.letters, news.announcements), (1, 0));
    let by_step = host.letters(&world, ADLER).came_by_step().await.unwrap();
    assert_eq!(by_step.values().sum::<u32>(), 1);
    let (step, _) = by_step.iter().next().unwrap();
    assert_eq!(host.letters(&world, ADLER).came_with(*step).await.unwrap().len(), 1);
    assert_eq!(host.letters(&world, ADLER).came_with(step + 1).await.unwrap().len(), 0);
    assert_eq!(host.sent_by_step(&world, RealmId(1)).await.unwrap(), [(1, 1)].into());
}

#[tokio::test]
async fn a_game_master_stands_in_for_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let plan = NewAccount {
        name: "Leiterin".into(),
        mail: "leiterin@example.org".into(),
        password: None,
        language: "de".into(),
        zone: "UTC".into(),
    };
    let master = host.sign_up(&plan, None, 0).await.unwrap();
    host.add_master(&world, &master.id, 0).await.unwrap();
    let refused = host.stand_in(&world, RealmId(1), &master.id, (0, MINUTE), 0).await;
    assert!(matches!(
        refused,
        Err(HostError::Membership(host::membership::MembershipError::AlreadyLeads))
    ));
}
