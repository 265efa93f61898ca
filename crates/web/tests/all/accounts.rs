//! Signing up, in and out, the account, joining worlds.

use crate::stage;
use axum::http::StatusCode;
use host::membership::{Admission, Invited, NewInvitation};
use web::mail::{Letter, in_words};
use web::testing::{PASSWORD, Stage};

/// The mails that wait in the outbox, in words.
async fn mails(stage: &Stage) -> Vec<Letter> {
    let mut mails = Vec::new();
    let now = stage.web.clock.now();
    while let Some(mail) = stage.web.host.claim_mail(now).await.unwrap() {
        mails.extend(in_words("http://briefwelt.test", &mail, Vec::new()));
        stage.web.host.mail_sent(&mail, now).await.unwrap();
    }
    mails
}

/// The path of the login link that was sent last.
async fn link(stage: &Stage) -> String {
    let mail = mails(stage).await.pop().expect("a mail");
    assert_eq!(mail.to, "mira@example.org");
    let line = mail.text.lines().find(|line| line.starts_with("http")).expect("a link");
    line.trim_start_matches("http://briefwelt.test").to_owned()
}

#[tokio::test]
async fn somebody_signs_up_joins_an_open_world_and_sits_at_his_desk() {
    let stage = stage().await;
    stage.account("Admin").await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    for realm in [1, 2] {
        stage
            .web
            .host
            .vacate_seat(&world, kernel::realm::RealmId(realm))
            .await
            .unwrap();
    }
    stage
        .web
        .host
        .set_admission(&world, Admission::Public, "Zwei Völker, ein Paß.")
        .await
        .unwrap();
    let mut browser = stage.browser();
    let front = browser.get("/").await;
    assert!(front.text.contains("Nebelmark") && front.text.contains("Zwei Völker, ein Paß."));
    assert!(front.text.contains("2 von 2 Plätzen frei"));
    let fields = [
        ("name", "Mira"),
        ("post", "mira@example.org"),
        ("kennwort", PASSWORD),
        ("zeitzone", "Europe/Vienna"),
        ("weiter", "/beitreten/Nebelmark"),
    ];
    let seen = browser.post("/registrieren", &fields).await;
    assert_eq!(
        (seen.status, seen.location()),
        (StatusCode::SEE_OTHER, "/beitreten/Nebelmark")
    );
    let seen = browser
        .submit("/beitreten/Nebelmark", &[("reich", "2"), ("name", "Bärenfels")])
        .await;
    assert_eq!(seen.status, StatusCode::OK);
    assert!(
        seen.text.contains("Willkommen in Nebelmark: Ihr führt nun Bärenfels."),
        "{}",
        seen.text
    );
    // The message is read once.
    assert!(!browser.get("/welt/Nebelmark/").await.text.contains("Willkommen in"));
    assert!(browser.get("/").await.text.contains("1 von 2 Plätzen frei"));
    assert!(browser.get("/welten").await.text.contains("Reich Bärenfels"));
    // A second realm in the same world is not to be had.
    let seen = browser.post("/beitreten/Nebelmark", &[("reich", "1")]).await;
    assert_eq!(seen.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(seen.text.contains("Ihr spielt in dieser Welt schon mit."));
}

#[tokio::test]
async fn an_invitation_leads_through_signing_up_into_the_world() {
    let stage = Stage::with(
        crate::games(),
        web::Settings {
            public_url: "http://briefwelt.test".into(),
            open_sign_up: false,
            ..web::Settings::default()
        },
    )
    .await;
    let admin = stage.account("Admin").await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    let new = NewInvitation {
        to: Invited::Seat(kernel::realm::RealmId(1)),
        uses: 1,
        note: String::new(),
        expires_at: None,
    };
    let now = stage.web.clock.now();
    let invitation = stage.web.host.invite(&world, &new, Some(&admin.id), now).await.unwrap();
    let mut browser = stage.browser();
    let fields = [("name", "Mira"), ("post", "mira@example.org"), ("kennwort", PASSWORD)];
    assert_eq!(
        browser.post("/registrieren", &fields).await.status,
        StatusCode::FORBIDDEN
    );
    assert_eq!(browser.get("/registrieren").await.status, StatusCode::FORBIDDEN);
    let code = invitation.code.as_str();
    assert!(
        browser
            .get(&format!("/einladung?code={code}"))
            .await
            .text
            .contains("Nebelmark")
    );
    let seen = browser.get("/einladung?code=FALSCH").await;
    assert_eq!(seen.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(!seen.text.contains("Nebelmark"));
    let invited = [fields[0], fields[1], fields[2], ("einladung", code)];
    let seen = browser.post("/registrieren", &invited).await;
    assert_eq!(seen.location(), format!("/einladung?code={code}"));
    let seen = browser.submit("/einladung", &[("code", code), ("reich", "1")]).await;
    assert!(seen.text.contains("Ihr führt nun Adler."), "{}", seen.text);
    // It was for one.
    let seen = browser.get(&format!("/einladung?code={code}")).await;
    assert_eq!(seen.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_login_link_opens_the_account_once_and_a_look_does_not_use_it_up() {
    let stage = stage().await;
    stage.account("Mira").await;
    let mut browser = stage.browser();
    let seen = browser.submit("/anmelden/link", &[("name", "mira@example.org")]).await;
    let told = "Gibt es das Konto, so ist ein Anmeldelink unterwegs.";
    assert!(seen.text.contains(told));
    let path = link(&stage).await;
    assert_eq!(browser.get(&path).await.status, StatusCode::OK);
    assert_eq!(browser.get(&path).await.status, StatusCode::OK);
    assert_eq!(browser.get("/konto").await.status, StatusCode::SEE_OTHER);
    assert_eq!(browser.post(&path, &[]).await.status, StatusCode::SEE_OTHER);
    assert!(browser.get("/konto").await.text.contains("Adresse bestätigt"));
    let mut other = stage.browser();
    assert_eq!(other.get(&path).await.status, StatusCode::GONE);
    assert_eq!(other.post(&path, &[]).await.status, StatusCode::GONE);
    assert_eq!(other.get("/konto").await.status, StatusCode::SEE_OTHER);
    // Nobody learns whether there is an account.
    assert!(
        other
            .submit("/anmelden/link", &[("name", "niemand@example.org")])
            .await
            .text
            .contains(told)
    );
    assert_eq!(mails(&stage).await, []);
}

#[tokio::test]
async fn a_login_link_holds_for_a_quarter_of_an_hour() {
    let stage = stage().await;
    stage.account("Mira").await;
    let mut browser = stage.browser();
    browser.post("/anmelden/link", &[("name", "Mira")]).await;
    let path = link(&stage).await;
    stage.web.clock.advance(15 * 60_000 + 1);
    assert_eq!(browser.post(&path, &[]).await.status, StatusCode::GONE);
    // A link that nobody carried in time is not carried any more, and is gone from the outbox.
    browser.post("/anmelden/link", &[("name", "Mira")]).await;
    stage.web.clock.advance(15 * 60_000 + 1);
    assert!(mails(&stage).await.is_empty());
}

#[tokio::test]
async fn signing_in_leads_back_to_where_one_came_from_but_never_away() {
    let stage = stage().await;
    stage.account("Mira").await;
    let sign_in = |weiter: &'static str| {
        let mut browser = stage.browser();
        async move {
            let fields = [("name", "Mira"), ("kennwort", PASSWORD), ("weiter", weiter)];
            browser.post("/anmelden", &fields).await.location().to_owned()
        }
    };
    assert_eq!(sign_in("/konto").await, "/konto");
    assert_eq!(sign_in("").await, "/welten");
    assert_eq!(sign_in("https://example.org/").await, "/welten");
    assert_eq!(sign_in("//example.org/").await, "/welten");
    // From a page that was not there, the browser says where it was.
    let mut browser = stage.browser();
    browser
        .headers
        .insert("referer", "http://briefwelt.test/welt/Nebelmark/karte".parse().unwrap());
    assert!(
        browser
            .get("/anmelden")
            .await
            .text
            .contains("value=\"/welt/Nebelmark/karte\"")
    );
}

#[tokio::test]
async fn the_account_is_changed_in_language_and_time_zone() {
    let stage = stage().await;
    stage.account("Mira").await;
    let mut browser = stage.browser_of("Mira").await;
    assert!(browser.get("/konto").await.text.contains("<html lang=\"de\""));
    let fields = [
        ("name", "Mira"),
        ("post", "mira@example.org"),
        ("sprache", "en"),
        ("zeitzone", "Asia/Tokyo"),
    ];
    let seen = browser.submit("/konto", &fields).await;
    assert!(
        seen.text.contains("<html lang=\"en\"") && seen.text.contains("Saved.") && seen.text.contains("Asia/Tokyo")
    );
    let wrong = [fields[0], fields[1], fields[2], ("zeitzone", "Mars/Olympus")];
    let seen = browser.post("/konto", &wrong).await;
    assert_eq!(seen.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(seen.text.contains("There is no such time zone."));
    // The address decides for now, and is remembered.
    assert!(
        browser
            .get("/konto?sprache=de")
            .await
            .text
            .contains("<html lang=\"de\"")
    );
    assert!(browser.get("/konto").await.text.contains("<html lang=\"de\""));
}

#[tokio::test]
async fn a_new_password_needs_the_old_one_and_ends_all_other_sessions() {
    let stage = stage().await;
    stage.account("Mira").await;
    let mut here = stage.browser_of("Mira").await;
    let mut elsewhere = stage.browser_of("Mira").await;
    let new = "noch ein langes Kennwort";
    let seen = here
        .post("/konto/kennwort", &[("altes", "falsch"), ("neues", new)])
        .await;
    assert_eq!(seen.status, StatusCode::UNAUTHORIZED);
    assert_eq!(elsewhere.get("/konto").await.status, StatusCode::OK);
    let seen = here
        .post("/konto/kennwort", &[("altes", PASSWORD), ("neues", "kurz")])
        .await;
    assert_eq!(seen.status, StatusCode::UNPROCESSABLE_ENTITY);
    let seen = here
        .post("/konto/kennwort", &[("altes", PASSWORD), ("neues", new)])
        .await;
    assert_eq!(seen.status, StatusCode::SEE_OTHER);
    assert_eq!(here.get("/konto").await.status, StatusCode::OK);
    assert_eq!(elsewhere.get("/konto").await.status, StatusCode::SEE_OTHER);
    let seen = elsewhere
        .post("/anmelden", &[("name", "Mira"), ("kennwort", PASSWORD)])
        .await;
    assert_eq!(seen.status, StatusCode::UNAUTHORIZED);
    let seen = elsewhere
        .post("/anmelden", &[("name", "Mira"), ("kennwort", new)])
        .await;
    assert_eq!(seen.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn sessions_are_ended_one_by_one_or_all_at_once_and_only_ones_own() {
    let stage = stage().await;
    let mira = stage.account("Mira").await;
    stage.account("Jonas").await;
    let (mut here, mut there) = (stage.browser_of("Mira").await, stage.browser_of("Mira").await);
    let mut jonas = stage.browser_of("Jonas").await;
    let sessions = stage.web.host.sessions(&mira, stage.web.clock.now()).await.unwrap();
    assert_eq!(sessions.len(), 2);
    for session in &sessions {
        let seen = jonas.post("/konto/sitzungen/ende", &[("sitzung", &session.id)]).await;
        assert_eq!(seen.status, StatusCode::NOT_FOUND);
    }
    here.post("/konto/sitzungen/ende", &[]).await;
    assert_eq!(there.get("/konto").await.status, StatusCode::SEE_OTHER);
    assert_eq!(here.get("/konto").await.status, StatusCode::OK);
    let stolen = here.clone();
    let seen = here.submit("/konto/sitzungen/alle", &[]).await;
    assert!(seen.text.contains("auf allen Geräten abgemeldet"));
    assert_eq!(stolen.clone().get("/konto").await.status, StatusCode::SEE_OTHER);
    assert_eq!(jonas.get("/konto").await.status, StatusCode::OK);
}

#[tokio::test]
async fn signing_out_ends_the_session_itself_not_only_the_cookie() {
    let stage = stage().await;
    stage.account("Mira").await;
    let mut browser = stage.browser_of("Mira").await;
    let mut kept = browser.clone();
    browser.post("/abmelden", &[]).await;
    assert_eq!(browser.get("/konto").await.status, StatusCode::SEE_OTHER);
    assert_eq!(kept.get("/konto").await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn everything_that_is_stored_is_handed_out_and_can_be_deleted() {
    let stage = stage().await;
    stage.account("Admin").await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    let mut mira = stage.player("Mira", &world, 1).await;
    let seen = mira.get("/konto/daten").await;
    let data: serde_json::Value = serde_json::from_str(&seen.text).unwrap();
    assert_eq!(data["account"]["mail"], "mira@example.org");
    assert_eq!(data["worlds"]["holds"][0]["name"], "Adler");
    assert!(!seen.text.contains("argon2"));
    let seen = mira.post("/konto/loeschen", &[("name", "Jonas")]).await;
    assert_eq!(seen.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(mira.get("/konto").await.status, StatusCode::OK);
    let seen = mira.submit("/konto/loeschen", &[("name", "Mira")]).await;
    assert!(seen.text.contains("Euer Konto ist gelöscht."));
    assert_eq!(mira.get("/konto").await.status, StatusCode::SEE_OTHER);
    let seen = mira
        .post("/anmelden", &[("name", "Mira"), ("kennwort", PASSWORD)])
        .await;
    assert_eq!(seen.status, StatusCode::UNAUTHORIZED);
}
