//! People: signing up and in, links, sessions, guessing, leaving.

use crate::common::{PASSWORD, arrival, new_account as new, open, plan};
use host::account::{Account, AccountChange, AccountError, LINK_MILLISECONDS, NewAccount};
use host::letter::{Draft, LetterKind};
use host::membership::{Invited, Join, NewInvitation};
use host::token::{NewToken, Scope};
use host::{Host, HostError};
use kernel::realm::{RealmId, Viewer};
use std::net::IpAddr;

const NOW: i64 = 1_800_000_000_000;
const DAY: i64 = 24 * 60 * 60 * 1000;

async fn account(host: &Host, name: &str) -> Account {
    host.sign_up(&new(name), None, NOW).await.expect("the account is made")
}

fn why<T: std::fmt::Debug>(result: host::Result<T>) -> AccountError {
    match result {
        Err(HostError::Account(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_first_account_is_the_administrator_and_one_always_remains() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let first = account(&host, "Mira").await;
    let second = account(&host, "Jonas").await;
    assert!(first.admin && !second.admin);
    assert_eq!(why(host.set_admin(&first.id, false).await), AccountError::LastAdmin);
    assert_eq!(why(host.delete_account(&first.id, NOW).await), AccountError::LastAdmin);
    host.set_admin(&second.id, true).await.unwrap();
    host.set_admin(&first.id, false).await.unwrap();
    assert!(!host.account(&first.id).await.unwrap().admin);
    host.delete_account(&first.id, NOW).await.unwrap();
    host.delete_account(&second.id, NOW)
        .await
        .expect("whoever is alone may go");
}

#[tokio::test]
async fn names_mails_and_passwords_have_bounds_and_names_are_unique_whatever_the_case() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    account(&host, "Mira").await;
    let refused = async |change: &dyn Fn(&mut NewAccount)| {
        let mut plan = new("Jonas");
        change(&mut plan);
        host.sign_up(&plan, None, NOW).await.err().map(|error| match error {
            HostError::Account(error) => error,
            other => panic!("{other}"),
        })
    };
    assert_eq!(
        refused(&|plan| plan.name = "mIRA".into()).await,
        Some(AccountError::NameTaken)
    );
    assert_eq!(
        refused(&|plan| plan.mail = "MIRA@example.ORG".into()).await,
        Some(AccountError::MailTaken)
    );
    let kaethe = NewAccount {
        name: "K\u{e4}the  Ros".into(),
        ..new("Ros")
    };
    host.sign_up(&kaethe, None, NOW).await.unwrap();
    // Composed or not, with one blank or two: it is read the same.
    for twin in ["Ka\u{308}the Ros", "k\u{e4}the\u{a0}ros", "K\u{e4}the Ros"] {
        let taken = Some(AccountError::NameTaken);
        assert_eq!(refused(&|plan| plan.name = twin.into()).await, taken, "{twin:?}");
    }
    // Letters that nobody sees would make another Mira, and so would some of another alphabet.
    let unseen = [
        "M\u{456}ra",
        "\u{41c}ira",
        "Mira\u{200b}",
        "M\u{ad}ira",
        "\u{202e}ariM",
        "Mira\u{feff}",
        "Mira\u{3164}",
    ];
    for name in ["", "x", " Jonas", "Jonas\n", "jonas@example.org", &"x".repeat(81)]
        .into_iter()
        .chain(unseen)
    {
        assert_eq!(
            refused(&|plan| plan.name = name.into()).await,
            Some(AccountError::BadName),
            "{name:?}"
        );
    }
    for mail in [
        "",
        "jonas",
        "@example.org",
        "jonas@",
        "a b@example.org",
        "a@b@c",
        "a@example.org\r\nBcc: x@y.z",
        "a@.org",
        "<a@b.c>",
    ] {
        assert_eq!(
            refused(&|plan| plan.mail = mail.into()).await,
            Some(AccountError::BadMail),
            "{mail:?}"
        );
    }
    let bad = Some(AccountError::BadPassword);
    assert_eq!(refused(&|plan| plan.password = Some("x".repeat(9))).await, bad);
    assert_eq!(refused(&|plan| plan.password = Some("x".repeat(257))).await, bad);
    assert_eq!(
        refused(&|plan| {
            plan.name = "Jonas der Kühne".into();
            plan.password = Some("jonas DER kühne".into());
        })
        .await,
        bad,
        "the name is no password"
    );
    assert_eq!(
        refused(&|plan| plan.zone = "Europe/Atlantis".into()).await,
        Some(AccountError::BadZone)
    );
    assert_eq!(
        refused(&|plan| plan.language = "la".into()).await,
        Some(AccountError::BadLanguage)
    );
    assert_eq!(refused(&|plan| plan.password = Some("x".repeat(10))).await, None);
}

#[tokio::test]
async fn whoever_knows_the_password_gets_a_new_token_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let mira = account(&host, "Mira").await;
    let one = host.sign_in("mira", PASSWORD, None, "Laptop", NOW).await.unwrap();
    let two = host
        .sign_in("MIRA@example.org", PASSWORD, None, "Phone\u{7}", NOW + 1)
        .await
        .unwrap();
    assert_ne!(one.token, two.token);
    assert_eq!(two.session.device, "Phone");
    let seen = host.session(&one.token, NOW + 2).await.unwrap().unwrap();
    assert_eq!((seen.account.id.as_str(), seen.by_link), (mira.id.as_str(), false));
    for token in ["", "x", &"0".repeat(64), &one.session.id] {
        assert!(host.session(token, NOW).await.unwrap().is_none(), "{token:?}");
    }
    assert!(host.end_session(&mira.id, &one.session.id).await.unwrap());
    assert!(!host.end_session(&mira.id, &one.session.id).await.unwrap());
    assert!(host.session(&one.token, NOW + 3).await.unwrap().is_none());
    assert!(host.session(&two.token, NOW + 3).await.unwrap().is_some());
    let jonas = account(&host, "Jonas").await;
    assert!(
        !host.end_session(&jonas.id, &two.session.id).await.unwrap(),
        "nobody ends another's session"
    );
    host.sign_in("Mira", PASSWORD, None, "Third", NOW + 4).await.unwrap();
    assert_eq!(host.end_sessions(&mira.id, Some(&two.session.id)).await.unwrap(), 1);
    assert_eq!(host.end_sessions(&mira.id, None).await.unwrap(), 1);
    assert!(host.sessions(&mira, NOW + 5).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_session_lives_on_with_visits_and_ends_without() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    account(&host, "Mira").await;
    let idle = host.sign_in("Mira", PASSWORD, None, "", NOW).await.unwrap().token;
    let used = host.sign_in("Mira", PASSWORD, None, "", NOW).await.unwrap().token;
    assert!(host.session(&idle, NOW + 30 * DAY - 1).await.unwrap().is_some());
    // That look itself was a visit; thirty days later it is over.
    assert!(host.session(&idle, NOW + 60 * DAY - 1).await.unwrap().is_none());
    let mut at = NOW;
    while at + 20 * DAY < NOW + 180 * DAY {
        at += 20 * DAY;
        assert!(
            host.session(&used, at).await.unwrap().is_some(),
            "day {}",
            (at - NOW) / DAY
        );
    }
    assert!(host.session(&used, NOW + 180 * DAY - 1).await.unwrap().is_some());
    assert!(
        host.session(&used, NOW + 180 * DAY).await.unwrap().is_none(),
        "visits or not"
    );
}

#[tokio::test]
async fn guessing_is_slowed_down_for_the_account_and_for_the_address() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    account(&host, "Mira").await;
    for _ in 0..5 {
        assert_eq!(
            why(host.sign_in("Mira", "wrong password", None, "", NOW).await),
            AccountError::WrongLogin
        );
    }
    let waits = AccountError::TooMany { retry_after: 2_000 };
    assert_eq!(why(host.sign_in("Mira", PASSWORD, None, "", NOW).await), waits);
    assert_eq!(
        why(host.sign_in("mira@example.org", PASSWORD, None, "", NOW).await),
        waits,
        "the mail address is no way round"
    );
    host.sign_in("Mira", PASSWORD, None, "", NOW + 2_000).await.unwrap();
    host.sign_in("Mira", PASSWORD, None, "", NOW + 2_000)
        .await
        .expect("success wipes the slate");

    // Somebody who tries one password on many names: the address is what is counted. Half of the names do not exist.
    let thief: IpAddr = "2001:db8:1:2::7".parse().unwrap();
    for number in 0..20 {
        let name = if number % 2 == 0 {
            "Mira".to_owned()
        } else {
            format!("Nobody {number}")
        };
        let at = NOW + DAY + number * 3_600_000;
        assert_eq!(
            why(host.sign_in(&name, "wrong password", Some(thief), "", at).await),
            AccountError::WrongLogin
        );
    }
    let neighbour: IpAddr = "2001:db8:1:2:9::9".parse().unwrap();
    let at = NOW + DAY + 19 * 3_600_000;
    let refused = why(host
        .sign_in("Somebody", "wrong password", Some(neighbour), "", at)
        .await);
    assert_eq!(refused, AccountError::TooMany { retry_after: 2_000 });
}

#[tokio::test]
async fn a_clock_that_is_set_back_keeps_nobody_out() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    account(&host, "Mira").await;
    // The clock of the machine is wrong by ten days, and everybody signs in; five wrong guesses are among it.
    let wrong = NOW + 10 * DAY;
    host.sign_in("Mira", PASSWORD, None, "", wrong).await.unwrap();
    for _ in 0..5 {
        let refused = host.sign_in("Mira", "wrong password", None, "", wrong).await;
        assert_eq!(why(refused), AccountError::WrongLogin);
    }
    assert!(matches!(
        why(host.sign_in("Mira", PASSWORD, None, "", wrong).await),
        AccountError::TooMany { .. }
    ));
    host.sign_in("Mira", PASSWORD, None, "", NOW)
        .await
        .expect("the clock is right again");
    // Processes whose clocks differ by seconds go on counting for each other.
    for _ in 0..5 {
        let refused = host.sign_in("Mira", "wrong password", None, "", NOW + 10_000).await;
        assert_eq!(why(refused), AccountError::WrongLogin);
    }
    assert!(matches!(
        why(host.sign_in("Mira", PASSWORD, None, "", NOW).await),
        AccountError::TooMany { .. }
    ));
}

#[tokio::test]
async fn guesses_that_come_at_once_are_counted_like_one_after_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    account(&host, "Mira").await;
    // From everywhere, so that only the account itself is guarded. The right one comes as soon as one was too many: others are
    // still being hashed then.
    let addresses = (0..12).map(|number| IpAddr::from([198, 51, 100, number]));
    let (host, too_many) = (&host, &tokio::sync::Notify::new());
    let guesses = addresses.map(|address| async move {
        let refused = why(host.sign_in("Mira", "wrong password", Some(address), "", NOW).await);
        if matches!(refused, AccountError::TooMany { .. }) {
            too_many.notify_one();
        }
        refused
    });
    let right = async {
        too_many.notified().await;
        host.sign_in("Mira", PASSWORD, None, "", NOW).await
    };
    let (wrong, right) = tokio::join!(futures_util::future::join_all(guesses), right);
    let hashed = wrong.iter().filter(|why| **why == AccountError::WrongLogin).count();
    assert_eq!(hashed, 5, "{wrong:?}");
    assert!(matches!(why(right), AccountError::TooMany { .. }));
    // The owner waits, and then gets in.
    host.sign_in("Mira", PASSWORD, None, "", NOW + DAY).await.unwrap();
}

#[tokio::test]
async fn unknown_names_are_answered_and_counted_like_known_ones() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    account(&host, "Mira").await;
    for attempt in 0..7 {
        let known = why(host.sign_in("Mira", "wrong password", None, "", NOW).await);
        let unknown = why(host.sign_in("Nobody", "wrong password", None, "", NOW).await);
        assert_eq!(known, unknown, "attempt {attempt}");
    }
    assert!(host.login_link("Nobody", None, NOW).await.unwrap().is_none());
}

#[tokio::test]
async fn a_login_link_holds_once_for_fifteen_minutes_and_proves_the_mail() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let mut plan = new("Mira");
    plan.password = None;
    let mira = host.sign_up(&plan, None, NOW).await.unwrap();
    assert!(!mira.confirmed && !mira.has_password);
    assert_eq!(
        why(host.sign_in("Mira", "", None, "", NOW).await),
        AccountError::WrongLogin,
        "without a password there is none that fits"
    );
    let (to, token) = host
        .login_link("mira@example.org", None, NOW)
        .await
        .unwrap()
        .expect("she exists");
    assert_eq!(to.id, mira.id);
    assert!(host.link_holds(&token, NOW + LINK_MILLISECONDS - 1).await.unwrap());
    assert!(!host.link_holds(&token, NOW + LINK_MILLISECONDS).await.unwrap());
    let late = host.use_link(&token, None, "", NOW + LINK_MILLISECONDS).await;
    assert_eq!(why(late), AccountError::BadLink);
    let login = host
        .use_link(&token, None, "", NOW + LINK_MILLISECONDS - 1)
        .await
        .unwrap();
    assert!(login.session.by_link && login.session.account.confirmed);
    assert_eq!(
        why(host.use_link(&token, None, "", NOW + 1).await),
        AccountError::BadLink
    );
    assert_eq!(
        why(host.use_link("nonsense", None, "", NOW).await),
        AccountError::BadLink
    );
    // A link to an old address proves nothing about the new one.
    let (_, token) = host.login_link("Mira", None, NOW + 1).await.unwrap().unwrap();
    let change = AccountChange {
        mail: Some("neu@example.org".into()),
        ..AccountChange::default()
    };
    assert!(!host.change_account(&mira.id, &change).await.unwrap().confirmed);
    assert_eq!(
        why(host.use_link(&token, None, "", NOW + 2).await),
        AccountError::BadLink
    );
}

#[tokio::test]
async fn two_visitors_with_one_link_are_one_login() {
    let folder = tempfile::tempdir().unwrap();
    let one = open(folder.path()).await;
    let two = open(folder.path()).await;
    account(&one, "Mira").await;
    let (_, token) = one.login_link("Mira", None, NOW).await.unwrap().unwrap();
    let (first, second) = tokio::join!(one.use_link(&token, None, "", NOW), two.use_link(&token, None, "", NOW));
    assert!(first.is_ok() != second.is_ok());
}

#[tokio::test]
async fn links_cannot_be_used_to_flood_somebody() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    account(&host, "Mira").await;
    for _ in 0..5 {
        host.login_link("Mira", None, NOW).await.unwrap();
    }
    let refused = host.login_link("Mira", None, NOW).await;
    assert!(matches!(why(refused), AccountError::TooMany { .. }));
}

#[tokio::test]
async fn a_new_password_needs_the_old_one_or_a_fresh_link_and_ends_all_other_sessions() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    account(&host, "Mira").await;
    let here = host.sign_in("Mira", PASSWORD, None, "", NOW).await.unwrap();
    let there = host.sign_in("Mira", PASSWORD, None, "", NOW).await.unwrap();
    let next = "ein ganz anderes";
    for old in [None, Some("wrong password")] {
        assert_eq!(
            why(host.set_password(&here.session, old, next, NOW).await),
            AccountError::WrongLogin
        );
    }
    let key = NewToken {
        name: "Bot".into(),
        scope: Scope::Write,
        expires_at: None,
    };
    let key = host.make_token(&here.session.account.id, &key, NOW).await.unwrap();
    host.set_password(&here.session, Some(PASSWORD), next, NOW)
        .await
        .unwrap();
    assert!(
        host.token(&key.secret, NOW).await.unwrap().is_none(),
        "whoever knew the old password may have made it"
    );
    assert!(host.session(&there.token, NOW).await.unwrap().is_none());
    assert!(host.session(&here.token, NOW).await.unwrap().is_some());
    assert!(host.sign_in("Mira", PASSWORD, None, "", NOW).await.is_err());
    let (_, token) = host.login_link("Mira", None, NOW).await.unwrap().unwrap();
    let link = host.use_link(&token, None, "", NOW).await.unwrap();
    let late = NOW + LINK_MILLISECONDS + 1;
    assert_eq!(
        why(host.set_password(&link.session, None, PASSWORD, late).await),
        AccountError::WrongLogin
    );
    host.set_password(&link.session, None, PASSWORD, late - 1)
        .await
        .unwrap();
    host.sign_in("Mira", PASSWORD, None, "", late).await.unwrap();
}

#[tokio::test]
async fn whoever_is_called_like_the_id_of_another_does_not_hide_him() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let mira = account(&host, "Mira").await;
    let thief = host.sign_up(&new(&mira.id), None, NOW).await.unwrap();
    assert_eq!(host.find_account(&mira.id).await.unwrap().id, mira.id);
    assert_eq!(host.find_account(&thief.id).await.unwrap().id, thief.id);
    assert!(host.account_named(&mira.id).await.is_err(), "two could be meant");
}

#[tokio::test]
async fn an_export_tells_everything_and_a_deletion_leaves_no_name_behind() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    account(&host, "Verwalterin").await;
    let mira = account(&host, "Mira").await;
    let world = host.create(&plan("Eins"), &mut |_, _| {}).await.unwrap();
    let code = host
        .invite(
            &world,
            &NewInvitation {
                to: Invited::Seat(RealmId(1)),
                uses: 1,
                note: String::new(),
                expires_at: None,
            },
            Some(&mira.id),
            NOW,
        )
        .await
        .unwrap()
        .code;
    let join = Join {
        code: Some(code),
        ..Join::default()
    };
    host.join(&world, &mira.id, &join, 0).await.unwrap();
    host.submit(&world, arrival(1, b"TAKE 1\n"), host::now()).await.unwrap();
    let login = host.sign_in("Mira", PASSWORD, None, "Laptop", NOW).await.unwrap();
    let sketch = host::draft::DraftKind::Saved;
    host.save_draft(&world, RealmId(1), 1, b"TAKE 2\n", sketch, NOW)
        .await
        .unwrap();
    let new = host::token::NewToken {
        name: "Karten-Bot".into(),
        ..host::token::NewToken::default()
    };
    let made = host.make_token(&mira.id, &new, NOW).await.unwrap();
    host.set_reminders(&world, &mira.id, &[90], NOW).await.unwrap();
    let away = host::schedule::Absence {
        realm: RealmId(1),
        from_at: NOW,
        until_at: NOW + 86_400_000,
        computer: true,
        note: "im Krankenhaus".into(),
    };
    host.set_absence(&world, &away).await.unwrap();
    host.book(&world, RealmId(1), -250, "Zug 1").await.unwrap();
    let mail = host::outbox::NewMail {
        key: "login-link of Mira",
        account: &mira.id,
        kind: "login-link",
        details: serde_json::json!({ "link": "https://example.org/anmelden/link/geheim" }),
        send_at: NOW,
        expires_at: None,
    };
    host.post(&mail, NOW).await.unwrap();
    let (own, bear) = (Viewer::Realm(RealmId(1)), Viewer::Realm(RealmId(2)));
    let letter = |kind: LetterKind, to: &[Viewer]| Draft {
        kind,
        recipients: to.iter().copied().collect(),
        body: "Haltet den Paß.".into(),
        ..Draft::default()
    };
    for (author, draft) in [
        (own, letter(LetterKind::Letter, &[bear])),
        (own, letter(LetterKind::Letter, &[Viewer::GameMaster])),
        (bear, letter(LetterKind::Letter, &[own])),
    ] {
        let post = host.letters(&world, author);
        let id = post.write_draft(&draft, None).await.unwrap();
        post.send(&id, &draft).await.unwrap();
    }
    let all = host.export_account(&mira.id, NOW).await.unwrap();
    let papers = &all["worlds"]["holds"][0]["papers"];
    let written = papers["written"].as_array().expect("a list");
    let mut addressed: Vec<String> = written.iter().map(|letter| letter["to_realms"].to_string()).collect();
    addressed.sort();
    assert_eq!(addressed, ["[0]", "[2]"], "{papers}");
    assert_eq!(papers["received"][0]["from_realm"], 2, "{papers}");
    assert_eq!(all["letters_by_mail"], "notice");
    assert_eq!(all["worlds"]["reminders"][0]["minutes_before"], "90");
    assert_eq!(all["worlds"]["holds"][0]["absences"][0]["note"], "im Krankenhaus");
    assert_eq!(all["worlds"]["holds"][0]["fees"][0]["cents"], -250);
    assert_eq!(all["tokens"][0]["name"], "Karten-Bot");
    assert_eq!(all["worlds"]["holds"][0]["drafts"][0]["text"], "TAKE 2\n");
    assert!(
        !all.to_string().contains(&made.secret),
        "the secret is nobody's to read"
    );
    assert_eq!(all["account"]["mail"], "mira@example.org");
    assert_eq!(all["sessions"][0]["device"], "Laptop");
    let seat = &all["worlds"]["holds"][0];
    assert_eq!(seat["name"], "Adler");
    assert_eq!(seat["orders"][0]["text"], "TAKE 1\n");
    assert!(!all.to_string().contains("argon2"));
    assert!(!all.to_string().contains(&login.token));

    host.delete_account(&mira.id, NOW).await.unwrap();
    assert!(host.session(&login.token, NOW).await.unwrap().is_none());
    assert!(host.token(&made.secret, NOW).await.unwrap().is_none());
    assert!(host.sign_in("Mira", PASSWORD, None, "", NOW).await.is_err());
    assert!(host.login_link("mira@example.org", None, NOW).await.unwrap().is_none());
    let seat = host.seat(&world, RealmId(1)).await.unwrap();
    assert!(seat.vacant && seat.computer && seat.player != "Mira");
    assert!(host.holders(&world).await.unwrap().is_empty());
    assert!(
        host.absences(&world, NOW).await.unwrap().is_empty(),
        "the next holder is not away, and learns nothing of hospitals"
    );
    let record = host.audit(&world).await.unwrap();
    assert!(
        record
            .iter()
            .any(|(_, deed, detail)| deed == "seat taken" && detail == "realm 1 by -")
    );
    assert!(
        record.iter().all(|(_, _, detail)| !detail.contains("Mira")),
        "{record:?}"
    );
    let kept = host
        .claim_mail(NOW)
        .await
        .unwrap()
        .expect("it waits until a worker looks at it");
    assert_eq!((kept.account.mail, kept.details), (None, serde_json::json!({})));
    let rest = host.export_account(&mira.id, NOW).await.unwrap().to_string();
    assert!(!rest.to_lowercase().contains("mira"), "{rest}");
    assert!(
        host.accounts(0, 10)
            .await
            .unwrap()
            .iter()
            .all(|left| left.id != mira.id)
    );
    host.closer().close().await;
    let reopened = open(folder.path()).await;
    account(&reopened, "Mira").await;
}
