//! The keeper's room.

use crate::stage;
use axum::http::StatusCode;
use host::account::AccountError;
use host::outbox::NewMail;
use web::testing::PASSWORD;

#[tokio::test]
async fn an_account_is_found_locked_and_opened_again() {
    let stage = stage().await;
    stage.account("Admin").await;
    let mira = stage.account("Mira").await;
    let mut admin = stage.browser_of("Admin").await;
    let mut guest = stage.browser_of("Mira").await;
    let found = admin.get("/verwaltung/konten?suche=mir").await.text;
    assert!(found.contains("mira@example.org") && !found.contains("admin@example.org"));
    // What stands for anything in a pattern stands for itself.
    assert!(
        !admin
            .get("/verwaltung/konten?suche=%25")
            .await
            .text
            .contains("mira@example.org")
    );
    let path = format!("/verwaltung/konten/{}", mira.id);
    admin.post(&path, &[("tun", "sperren")]).await;
    // The session is over, and neither password nor link opens another.
    assert_eq!(guest.get("/konto").await.status, StatusCode::SEE_OTHER);
    let now = stage.web.clock.now();
    let host = &stage.web.host;
    let tried = host.sign_in("Mira", PASSWORD, None, "", now).await;
    assert!(matches!(tried, Err(host::HostError::Account(AccountError::Locked))));
    assert!(host.login_link("Mira", None, now).await.unwrap().is_none());
    admin.post(&path, &[("tun", "oeffnen")]).await;
    assert!(host.sign_in("Mira", PASSWORD, None, "", now).await.is_ok());
    let acts = host.acts(10).await.unwrap();
    let told: Vec<(&str, &str, &str)> = acts
        .iter()
        .map(|act| (act.who.as_str(), act.deed.as_str(), act.detail.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("Admin", "account unlocked", "Mira"),
            ("Admin", "account locked", "Mira")
        ]
    );
}

#[tokio::test]
async fn a_world_keeps_a_game_master_and_no_player_of_it_becomes_one() {
    let stage = stage().await;
    stage.account("Admin").await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    stage.player("Mira", &world, 1).await;
    stage.game_master("Greta", &world).await;
    let mut admin = stage.browser_of("Admin").await;
    let path = "/verwaltung/welten/Nebelmark";
    for (act, name, why) in [
        ("abgeben", "Greta", "Eine Welt braucht eine Spielleitung"),
        ("leiten", "Greta", "Dieses Konto leitet die Welt"),
        ("leiten", "Mira", "Dieses Konto spielt in dieser Welt schon mit."),
    ] {
        let seen = admin.submit(path, &[("tun", act), ("name", name)]).await;
        assert_eq!(seen.status, StatusCode::OK);
        assert!(seen.text.contains(why), "{act} {name}: {}", seen.text);
    }
    let masters = stage.web.host.masters(&world).await.unwrap();
    assert_eq!(masters.len(), 1);
    assert_eq!(masters[0].name, "Greta");
}

#[tokio::test]
async fn administrators_are_not_locked_and_the_last_one_stays() {
    let stage = stage().await;
    let keeper = stage.account("Admin").await;
    let mira = stage.account("Mira").await;
    let mut admin = stage.browser_of("Admin").await;
    let path = format!("/verwaltung/konten/{}", mira.id);
    admin.post(&path, &[("tun", "verwalter")]).await;
    assert!(stage.web.host.account(&mira.id).await.unwrap().admin);
    admin.post(&path, &[("tun", "sperren")]).await;
    assert!(!stage.web.host.account(&mira.id).await.unwrap().locked);
    admin.post(&path, &[("tun", "spieler")]).await;
    let own = format!("/verwaltung/konten/{}", keeper.id);
    admin.post(&own, &[("tun", "spieler")]).await;
    assert!(stage.web.host.account(&keeper.id).await.unwrap().admin);
}

#[tokio::test]
async fn whoever_deletes_an_account_types_its_name() {
    let stage = stage().await;
    stage.account("Admin").await;
    let mira = stage.account("Mira").await;
    let mut admin = stage.browser_of("Admin").await;
    let path = format!("/verwaltung/konten/{}", mira.id);
    admin.post(&path, &[("tun", "loeschen"), ("name", "mira")]).await;
    assert!(!stage.web.host.account(&mira.id).await.unwrap().deleted);
    admin.post(&path, &[("tun", "loeschen"), ("name", "Mira")]).await;
    assert!(stage.web.host.account(&mira.id).await.unwrap().deleted);
}

#[tokio::test]
async fn a_mail_that_was_given_up_is_tried_again() {
    let stage = stage().await;
    stage.account("Admin").await;
    let mira = stage.account("Mira").await;
    let (host, now) = (&stage.web.host, stage.web.clock.now());
    let mail = NewMail {
        key: "test",
        account: &mira.id,
        kind: "login-link",
        details: serde_json::json!({}),
        send_at: now,
        expires_at: None,
    };
    host.post(&mail, now).await.unwrap();
    let claimed = host.claim_mail(now).await.unwrap().unwrap();
    host.mail_failed(&claimed, "no such <host>", true, now).await.unwrap();
    let mut admin = stage.browser_of("Admin").await;
    let page = admin.get("/verwaltung").await.text;
    assert!(page.contains("no such &#60;host&#62;"), "{page}");
    let path = format!("/verwaltung/post/{}", claimed.id);
    admin.post(&path, &[("tun", "wieder")]).await;
    assert_eq!(host.outbox_counts().await.unwrap(), (1, 0));
    assert!(host.lost_mails(10).await.unwrap().is_empty());
    // It is no longer lost, so it cannot be forgotten either.
    let seen = admin.submit(&path, &[("tun", "vergessen")]).await;
    assert_eq!(seen.status, StatusCode::OK);
    assert_eq!(host.outbox_counts().await.unwrap(), (1, 0));
}

#[tokio::test]
async fn the_keeper_gives_a_world_a_game_master_and_examines_the_store() {
    let stage = stage().await;
    let world = stage.world("Nebelmark", "toy", &["Adler"]).await;
    stage.account("Admin").await;
    let mira = stage.account("Mira").await;
    let mut admin = stage.browser_of("Admin").await;
    admin
        .post("/verwaltung/welten/Nebelmark", &[("tun", "leiten"), ("name", "Mira")])
        .await;
    let masters = stage.web.host.masters(&world).await.unwrap();
    assert_eq!(masters.len(), 1);
    assert_eq!(masters[0].name, mira.name);
    assert!(admin.get("/verwaltung/welten").await.text.contains("Mira"));
    let seen = admin.post("/verwaltung/untersuchung", &[]).await;
    assert_eq!(seen.status, StatusCode::OK);
    assert!(seen.text.contains("Alles ist heil"));
}
