//! The game master's wizard and editor with the toy game.

use crate::stage;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use kernel::realm::{RealmId, Viewer};

const EDITOR: &str = "/welt/Nebelmark/leitung/karte/bearbeiten";

#[tokio::test]
async fn a_world_is_founded_step_by_step_and_nothing_is_lost_on_the_way_back() {
    let stage = stage().await;
    stage.account("Admin").await;
    stage.account("Greta").await;
    let mut greta = stage.browser_of("Greta").await;
    assert_eq!(greta.get("/neue-welt").await.status, StatusCode::OK);
    let seen = greta
        .post(
            "/neue-welt/spiel",
            &[("name", "Salz & Sturm"), ("spiel", "toy"), ("ziel", "reiche")],
        )
        .await;
    assert_eq!(seen.location(), "/neue-welt/reiche");
    let fields = [
        ("reiche", "3"),
        ("reich.1", "<b>Aal</b>"),
        ("reich.2", "Biber"),
        ("computer.2", "ja"),
        ("ziel", "spiel"),
    ];
    assert_eq!(
        greta.post("/neue-welt/reiche", &fields).await.location(),
        "/neue-welt/spiel"
    );
    assert!(greta.get("/neue-welt/spiel").await.text.contains("Salz &#38; Sturm"));
    let seats = greta.get("/neue-welt/reiche").await.text;
    assert!(seats.contains("Biber") && !seats.contains("<b>Aal") && seats.contains("name=\"reich.3\""));
    assert!(!seats.contains("name=\"reich.4\""));
    greta
        .post("/neue-welt/karte", &[("saat", "Tau 7"), ("ziel", "siegel")])
        .await;
    let charter = greta.get("/neue-welt/siegel").await;
    assert!(charter.text.contains("Tau 7") && charter.text.contains("Salz &#38; Sturm"));
    // Nothing is stored before the last step.
    assert!(stage.web.host.worlds().await.unwrap().is_empty());
    let picture = greta.get("/neue-welt/karte.svg").await;
    assert_eq!(picture.headers.get(CONTENT_TYPE).unwrap(), "image/svg+xml");
    let seen = greta.post("/neue-welt/siegel", &[("ziel", "gruenden")]).await;
    assert_eq!(seen.status, StatusCode::SEE_OTHER, "{}", seen.text);
    let world = stage.web.host.world(Some("Salz & Sturm")).await.unwrap();
    let seats = stage.web.host.seats(&world).await.unwrap();
    let named: Vec<(&str, bool, bool)> = seats
        .iter()
        .map(|seat| (seat.name.as_str(), seat.computer, seat.vacant))
        .collect();
    assert_eq!(
        named,
        [
            ("<b>Aal</b>", true, true),
            ("Biber", true, false),
            ("Chimäre", true, true)
        ]
    );
    // The plan is used up; the next one begins anew.
    assert!(!greta.get("/neue-welt/spiel").await.text.contains("value=\"Salz"));
}

#[tokio::test]
async fn a_world_without_a_name_or_with_one_that_is_taken_is_not_founded() {
    let stage = stage().await;
    stage.world("Nebelmark", "toy", &["Adler"]).await;
    stage.account("Greta").await;
    let mut greta = stage.browser_of("Greta").await;
    let found = [("ziel", "gruenden")];
    let seen = greta.post("/neue-welt/siegel", &found).await;
    assert_eq!(seen.status, StatusCode::UNPROCESSABLE_ENTITY);
    greta.post("/neue-welt/spiel", &[("name", "Nebelmark")]).await;
    let seen = greta.post("/neue-welt/siegel", &found).await;
    assert_eq!(seen.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(seen.text.contains("Nebelmark"));
    assert_eq!(stage.web.host.worlds().await.unwrap().len(), 1);
}

#[tokio::test]
async fn plans_are_each_founder_s_own() {
    let stage = stage().await;
    for name in ["Admin", "Greta"] {
        stage.account(name).await;
    }
    let mut greta = stage.browser_of("Greta").await;
    greta.post("/neue-welt/spiel", &[("name", "Geheimland")]).await;
    let mut other = stage.browser_of("Admin").await;
    assert!(!other.get("/neue-welt/spiel").await.text.contains("Geheimland"));
    greta.post("/neue-welt/verwerfen", &[]).await;
    assert!(!greta.get("/neue-welt/spiel").await.text.contains("Geheimland"));
}

/// Where the first realm's host stands, as the realm itself sees it.
async fn place(stage: &web::testing::Stage, step: Option<u32>) -> String {
    let world = stage.web.host.world(Some("Nebelmark")).await.unwrap();
    let (_, view) = stage
        .web
        .host
        .view(&world, Viewer::Realm(RealmId(1)), step)
        .await
        .unwrap();
    let game = stage.web.host.game("toy").unwrap();
    game.map(&view).unwrap().fields[0].label.clone()
}

#[tokio::test]
async fn a_stroke_changes_the_world_at_once_before_the_first_turn_and_is_undone_and_done_again() {
    let stage = stage().await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    let mut greta = stage.game_master("Greta", &world).await;
    let before = place(&stage, None).await;
    let goal = if before == "7" { "3" } else { "7" };
    let stroke = [("werkzeug", "put"), ("orte", goal), ("put.realm", "1")];
    assert_eq!(greta.post(EDITOR, &stroke).await.status, StatusCode::SEE_OTHER);
    assert_eq!(place(&stage, None).await, goal);
    greta.post(&format!("{EDITOR}/zurueck"), &[]).await;
    assert_eq!(place(&stage, None).await, before);
    greta.post(&format!("{EDITOR}/wieder"), &[]).await;
    assert_eq!(place(&stage, None).await, goal);
    // The turn finds the world as it was shown, and keeps to it when it is run again.
    let world = stage.web.host.world(Some("Nebelmark")).await.unwrap();
    let plan = host::step::RunPlan {
        step: None,
        without_missing: true,
    };
    stage.web.host.run(&world, plan, &mut |_, _| {}).await.unwrap();
    assert_eq!(place(&stage, Some(1)).await, goal);
    let record = stage.web.host.audit(&world).await.unwrap();
    assert_eq!(record.iter().filter(|(_, deed, _)| deed == "world changed").count(), 2);
    assert!(stage.web.host.doctor(true).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_running_world_changes_with_a_reason_only_and_with_the_next_turn() {
    let stage = stage().await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    let mut greta = stage.game_master("Greta", &world).await;
    let plan = host::step::RunPlan {
        step: None,
        without_missing: true,
    };
    stage.web.host.run(&world, plan, &mut |_, _| {}).await.unwrap();
    let before = place(&stage, None).await;
    let goal = if before == "7" { "3" } else { "7" };
    let bare = [("werkzeug", "put"), ("orte", goal), ("put.realm", "1")];
    let seen = greta.post(EDITOR, &bare).await;
    assert_eq!(seen.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(seen.text.contains("Grund"));
    let world = stage.web.host.world(Some("Nebelmark")).await.unwrap();
    assert!(stage.web.host.changes_by_hand(&world).await.unwrap().is_empty());
    let full = [bare[0], bare[1], bare[2], ("grund", "Ein Sturm <i>")];
    assert_eq!(greta.post(EDITOR, &full).await.status, StatusCode::SEE_OTHER);
    // What was published stays; the judgement waits for the next turn.
    assert_eq!(place(&stage, None).await, before);
    let given = stage.web.host.changes_by_hand(&world).await.unwrap();
    assert_eq!(
        (given.len(), given[0].changes, given[0].reason.as_str()),
        (1, 1, "Ein Sturm <i>")
    );
    assert!(!greta.get(EDITOR).await.text.contains("<i>"));
    stage.web.host.run(&world, plan, &mut |_, _| {}).await.unwrap();
    assert_eq!(place(&stage, None).await, goal);
}

#[tokio::test]
async fn what_is_impossible_is_refused_and_told() {
    let stage = stage().await;
    let world = stage.world("Nebelmark", "toy", &["Adler"]).await;
    let mut greta = stage.game_master("Greta", &world).await;
    for (places, realm) in [("99", "1"), ("3", "9"), ("nirgends", "1"), ("", "1")] {
        let seen = greta
            .post(EDITOR, &[("werkzeug", "put"), ("orte", places), ("put.realm", realm)])
            .await;
        assert_eq!(seen.status, StatusCode::UNPROCESSABLE_ENTITY, "{places} {realm}");
        assert!(seen.text.contains("troubles"), "{places} {realm}");
    }
    let unknown = greta.post(EDITOR, &[("werkzeug", "hammer")]).await;
    assert_eq!(unknown.status, StatusCode::BAD_REQUEST);
    assert!(stage.web.host.changes_by_hand(&world).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_map_that_is_saved_and_loaded_is_the_same_map() {
    let stage = stage().await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    let mut greta = stage.game_master("Greta", &world).await;
    let sheet = greta.get(&format!("{EDITOR}/blatt")).await;
    assert_eq!(sheet.status, StatusCode::OK);
    let before = place(&stage, None).await;
    let goal = if before == "7" { "3" } else { "7" };
    greta
        .post(EDITOR, &[("werkzeug", "put"), ("orte", goal), ("put.realm", "1")])
        .await;
    assert_eq!(place(&stage, None).await, goal);
    let load = |text: &str| {
        format!(
            "--x\r\nContent-Disposition: form-data; name=\"blatt\"; filename=\"k.txt\"\r\n\r\n{text}\r\n--x\r\n\
             Content-Disposition: form-data; name=\"grund\"\r\n\r\nalte Karte\r\n--x--\r\n"
        )
    };
    let kind = "multipart/form-data; boundary=x";
    let path = format!("{EDITOR}/blatt");
    let seen = greta.post_bytes(&path, kind, load(sheet.text.trim_end())).await;
    assert_eq!(seen.status, StatusCode::SEE_OTHER, "{}", seen.text);
    assert_eq!(place(&stage, None).await, before);
    assert_eq!(greta.get(&path).await.text, sheet.text);
    // The same sheet again changes nothing, and nonsense is refused line by line.
    let again = greta.post_bytes(&path, kind, load(sheet.text.trim_end())).await;
    assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY);
    let nonsense = greta.post_bytes(&path, kind, load("Unsinn")).await;
    assert_eq!(nonsense.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn whoever_owes_orders_is_chased_and_reads_of_a_deadline_only_if_there_is_one() {
    let stage = stage().await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    stage.player("Mira", &world, 1).await;
    let mut greta = stage.game_master("Greta", &world).await;
    let host = &stage.web.host;
    assert!(
        greta
            .get("/welt/Nebelmark/leitung")
            .await
            .text
            .contains("/welt/Nebelmark/leitung/mahnen")
    );
    greta.post("/welt/Nebelmark/leitung/mahnen", &[]).await;
    let now = stage.web.clock.now();
    let mail = host.claim_mail(now).await.unwrap().expect("a mail to Mira");
    let letter = web::mail::in_words("https://example.org", &mail).unwrap();
    assert_eq!(mail.account.name, "Mira");
    assert!(letter.text.contains("Zug 1.\n"), "{}", letter.text);
    assert!(
        host.claim_mail(now).await.unwrap().is_none(),
        "nobody else owes orders as a person"
    );
    host.set_deadline(&world, Some(now + 86_400_000), now).await.unwrap();
    stage.web.clock.advance(1);
    greta.post("/welt/Nebelmark/leitung/mahnen", &[]).await;
    let mail = host
        .claim_mail(stage.web.clock.now())
        .await
        .unwrap()
        .expect("a second mail");
    let letter = web::mail::in_words("https://example.org", &mail).unwrap();
    assert!(letter.text.contains("Zug 1. Abgabe: "), "{}", letter.text);
    assert!(!letter.text.contains('{'), "{}", letter.text);
}

#[tokio::test]
async fn the_desk_shows_where_one_stands_and_who_is_away() {
    let stage = stage().await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    stage.player("Mira", &world, 1).await;
    let mut greta = stage.game_master("Greta", &world).await;
    let host = &stage.web.host;
    let now = stage.web.clock.now();
    let absence = host::schedule::Absence {
        realm: RealmId(1),
        from_at: now - 1_000,
        until_at: now + 86_400_000,
        computer: false,
        note: "an der See".into(),
    };
    host.set_absence(&world, &absence).await.unwrap();
    let desk = greta.get("/welt/Nebelmark/leitung").await.text;
    assert_eq!(desk.matches("verreist bis").count(), 1);
    let here = |page: &str| {
        let ways = page.find("class=\"subnav").unwrap();
        let text = &page[ways..];
        let current = text.find("aria-current=\"page\"").unwrap();
        text[..current]
            .rsplit("href=\"")
            .next()
            .unwrap()
            .split('"')
            .next()
            .unwrap()
            .to_owned()
    };
    for (path, way) in [
        ("leitung", "leitung"),
        ("leitung/karte", "leitung/karte"),
        ("leitung/karte/text", "leitung/karte"),
        ("leitung/karte/bearbeiten", "leitung/karte/bearbeiten"),
        ("leitung/briefe/pult", "leitung/briefe/pult"),
        ("leitung/briefe/neu", "leitung/briefe"),
        ("leitung/reich/1", "leitung"),
        ("leitung/zeitung", "leitung/zeitung"),
    ] {
        let page = greta.get(&format!("/welt/Nebelmark/{path}")).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        assert_eq!(here(&page.text), format!("/welt/Nebelmark/{way}"), "{path}");
    }
}
