//! Programs that come into a world, see to the account and its letters, look back, stand in, and keep the host.

use crate::api::{BASE, body, problem, program, send, stage};
use axum::http::{Method, StatusCode};
use host::membership::{Admission, Invited};
use host::token::Scope;
use kernel::realm::RealmId;
use serde_json::{Value, json};

#[tokio::test]
async fn a_program_finds_an_open_world_and_takes_a_seat() {
    let (stage, _) = stage().await;
    let open = stage.world("Salz", "toy", &["Aal", "Biber"]).await;
    for realm in [1, 2] {
        stage.web.host.vacate_seat(&open, RealmId(realm)).await.unwrap();
    }
    stage
        .web
        .host
        .set_admission(&open, Admission::Public, "Kommt!")
        .await
        .unwrap();
    stage.account("Ruth").await;
    let mut ruth = program(&stage, "Ruth", Scope::Write).await;
    let listed = body(&ruth.get("/api/v1/open-worlds").await);
    // A world that nobody may join is in no list.
    assert_eq!(listed["worlds"].as_array().unwrap().len(), 1);
    let world = &listed["worlds"][0];
    assert_eq!(
        (&world["name"], &world["introduction"], &world["vacant"][1]),
        (
            &json!("Salz"),
            &json!("Kommt!"),
            &json!({ "realm": 2, "name": "Biber" })
        )
    );
    let join = "/api/v1/open-worlds/Salz/join";
    let taken = send(&mut ruth, Method::POST, join, &json!({ "realm": 9 })).await;
    assert_eq!(problem(&taken), "membership-seat-taken");
    let came = send(&mut ruth, Method::POST, join, &json!({ "realm": 2, "name": "Otter" })).await;
    assert_eq!(came.status, StatusCode::CREATED, "{}", came.text);
    let came = body(&came);
    assert_eq!(
        (&came["path"], &came["realm"], &came["game_master"]),
        (&json!("Salz"), &json!({ "realm": 2, "name": "Otter" }), &json!(false))
    );
    let again = send(&mut ruth, Method::POST, join, &json!({ "realm": 1 })).await;
    assert_eq!(problem(&again), "membership-already-plays");
    let closed = send(
        &mut ruth,
        Method::POST,
        "/api/v1/open-worlds/Nebelmark/join",
        &json!({}),
    )
    .await;
    let nowhere = send(&mut ruth, Method::POST, "/api/v1/open-worlds/Atlantis/join", &json!({})).await;
    assert_eq!((closed.status, &closed.bytes), (StatusCode::NOT_FOUND, &nowhere.bytes));
    let mut reads = program(&stage, "Admin", Scope::Read).await;
    let seen = send(&mut reads, Method::POST, join, &json!({ "realm": 1 })).await;
    assert_eq!(problem(&seen), "read-only");
}

#[tokio::test]
async fn a_program_follows_an_invitation() {
    let (stage, world) = stage().await;
    stage.account("Ruth").await;
    let mut ruth = program(&stage, "Ruth", Scope::Write).await;
    let mut greta = program(&stage, "Greta", Scope::Write).await;
    let made = send(
        &mut greta,
        Method::POST,
        &format!("{BASE}/lead/invitations"),
        &json!({ "master": true }),
    )
    .await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    let code = body(&made)["code"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/invitations/{code}");
    let shown = body(&ruth.get(&path).await);
    assert_eq!((&shown["name"], &shown["to_lead"]), (&json!("Nebelmark"), &json!(true)));
    let came = send(&mut ruth, Method::POST, &format!("{path}/accept"), &json!({})).await;
    assert_eq!(body(&came)["game_master"], true, "{}", came.text);
    let masters = stage.web.host.masters(&world).await.unwrap();
    assert!(masters.iter().any(|master| master.name == "Ruth"));
    for guess in ["/api/v1/invitations/ABCD", "/api/v1/invitations/%27%20OR%201=1"] {
        assert_eq!(ruth.get(guess).await.status, StatusCode::NOT_FOUND, "{guess}");
    }
    // A code for a player's seat names the seats that are free.
    let now = stage.web.clock.now();
    let other = stage.world("Salz", "toy", &["Aal", "Biber"]).await;
    let new = host::membership::NewInvitation {
        to: Invited::Seat(RealmId(2)),
        uses: 1,
        note: String::new(),
        expires_at: None,
    };
    let invitation = stage.web.host.invite(&other, &new, None, now).await.unwrap();
    let shown = body(&ruth.get(&format!("/api/v1/invitations/{}", invitation.code)).await);
    assert_eq!(shown["vacant"], json!([{ "realm": 2, "name": "Biber" }]));
}

#[tokio::test]
async fn a_program_sees_to_the_account_but_cannot_take_it_over() {
    let (stage, _) = stage().await;
    let mut mira = program(&stage, "Mira", Scope::Write).await;
    let wishes = "/api/v1/account/wishes";
    let wish = json!({ "language": "en", "zone": "Pacific/Auckland", "letter_mail": "full", "turn_mail": "none" });
    assert_eq!(
        send(&mut mira, Method::PUT, wishes, &wish).await.status,
        StatusCode::NO_CONTENT
    );
    assert_eq!(body(&mira.get(wishes).await), wish);
    // What is left out stays.
    send(&mut mira, Method::PUT, wishes, &json!({ "language": "de" })).await;
    assert_eq!(body(&mira.get(wishes).await)["zone"], "Pacific/Auckland");
    for wrong in [json!({ "zone": "Mond/Krater" }), json!({ "language": "fr" })] {
        let seen = send(&mut mira, Method::PUT, wishes, &wrong).await;
        assert_eq!(seen.status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}: {}", seen.text);
    }
    for takeover in [
        json!({ "mail": "x@example.org" }),
        json!({ "password": "geheim geheim" }),
    ] {
        let seen = send(&mut mira, Method::PUT, wishes, &takeover).await;
        assert_eq!(problem(&seen), "malformed");
    }
    let data = mira.get("/api/v1/account/data").await;
    assert!(
        data.text.contains("mira@example.org") && !data.text.contains("jonas@example.org"),
        "{}",
        data.text
    );
}

#[tokio::test]
async fn a_program_sets_whose_letters_are_taken() {
    let (stage, _) = stage().await;
    let mut mira = program(&stage, "Mira", Scope::Write).await;
    let mut greta = program(&stage, "Greta", Scope::Write).await;
    let settings = format!("{BASE}/letter-settings");
    let wanted = json!({ "signature": "Mira, Fürstin", "stand_in": true, "blocked": [2] });
    let set = send(&mut mira, Method::PUT, &settings, &wanted).await;
    assert_eq!(set.status, StatusCode::NO_CONTENT, "{}", set.text);
    assert_eq!(body(&mira.get(&settings).await), wanted);
    let own = send(&mut mira, Method::PUT, &settings, &json!({ "blocked": [1] })).await;
    assert_eq!(problem(&own), "refused");
    assert_eq!(body(&mira.get(&settings).await), wanted, "nothing of it was done");
    let free = json!({ "signature": "", "stand_in": false, "blocked": [] });
    send(&mut mira, Method::PUT, &settings, &free).await;
    assert_eq!(body(&mira.get(&settings).await), free);
    let desk = format!("{BASE}/lead/letter-settings");
    let stop = send(&mut greta, Method::PUT, &desk, &json!({ "blocked": [1] })).await;
    assert_eq!(problem(&stop), "refused");
    let signed = json!({ "signature": "Die Leitung", "stand_in": false, "blocked": [] });
    send(&mut greta, Method::PUT, &desk, &signed).await;
    assert_eq!(body(&greta.get(&desk).await), signed);
}

#[tokio::test]
async fn players_read_the_open_part_of_the_record() {
    let (stage, world) = stage().await;
    let mut mira = program(&stage, "Mira", Scope::Write).await;
    let mut greta = program(&stage, "Greta", Scope::Write).await;
    send(
        &mut mira,
        Method::POST,
        &format!("{BASE}/orders"),
        &json!({ "text": "DIG\n" }),
    )
    .await;
    send(
        &mut greta,
        Method::PUT,
        &format!("{BASE}/lead/seats/2/note"),
        &json!({ "text": "Geheimnis" }),
    )
    .await;
    let plan = host::step::RunPlan {
        step: None,
        without_missing: true,
    };
    stage.web.host.run(&world, plan, &mut |_, _| {}).await.unwrap();
    let record = mira.get(&format!("{BASE}/record")).await;
    let deeds: Vec<Value> = body(&record)["deeds"].as_array().unwrap().clone();
    assert_eq!(deeds[0]["deed"], "turn run", "the newest first");
    assert!(deeds.iter().any(|deed| deed["deed"] == "world made"));
    // Who handed in, and who the others are, is not for everybody.
    assert!(
        deeds.iter().all(|deed| deed["deed"] != "orders taken in"),
        "{}",
        record.text
    );
    assert!(!record.text.contains("Greta") && !record.text.contains("Mira"));
    let mut browser = stage.browser_of("Mira").await;
    let page = browser.get("/welt/Nebelmark/chronik").await.text;
    assert!(page.contains("Protokoll der Welt"), "{page}");
    assert!(!page.contains("Greta") && !page.contains("Geheimnis"), "{page}");

    let chronicle = body(&mira.get(&format!("{BASE}/chronicle")).await);
    let turn = &chronicle["turns"][0];
    assert_eq!((&turn["turn"], &turn["attempt"]), (&json!(1), &json!(1)));
    let words = mira.get(&format!("{BASE}/turns/last/map.txt")).await;
    assert_eq!(words.status, StatusCode::OK);
    let scene = body(&mira.get(&format!("{BASE}/turns/last/map")).await);
    let known = scene["scene"]["fields"].as_array().unwrap().len();
    assert!(words.text.lines().count() <= known, "{}", words.text);
    let whole = greta.get(&format!("{BASE}/lead/turns/last/map.txt")).await;
    assert_eq!(whole.status, StatusCode::OK, "{}", whole.text);
    let edited = greta.get(&format!("{BASE}/lead/map-changes/map")).await;
    assert_eq!(edited.status, StatusCode::OK, "{}", edited.text);
}

#[tokio::test]
async fn a_program_that_stands_in_for_several_names_the_realm() {
    let (stage, world) = stage().await;
    let ruth = stage.account("Ruth").await;
    let now = stage.web.clock.now();
    let period = (now - 1_000, now + 86_400_000);
    for realm in [1, 2] {
        stage
            .web
            .host
            .stand_in(&world, RealmId(realm), &ruth.id, period, now)
            .await
            .unwrap();
    }
    let mut ruth = program(&stage, "Ruth", Scope::Write).await;
    let seat = format!("{BASE}/seat");
    let looks_after = json!([{ "realm": 1, "name": "Adler" }, { "realm": 2, "name": "Bär" }]);
    assert_eq!(body(&ruth.get(BASE).await)["looks_after"], looks_after);
    for (named, expected) in [("", 1), ("2", 2), ("1", 1), ("7", 1), ("x", 1)] {
        ruth.headers.insert("briefwelt-realm", named.parse().unwrap());
        assert_eq!(body(&ruth.get(&seat).await)["realm"], expected, "{named:?}");
    }
    // Whoever has a seat of his own acts for it alone.
    let mut mira = program(&stage, "Mira", Scope::Read).await;
    mira.headers.insert("briefwelt-realm", "2".parse().unwrap());
    assert_eq!(body(&mira.get(&seat).await)["realm"], 1);
}

#[tokio::test]
async fn a_program_keeps_the_host_and_nobody_else_does() {
    let (stage, world) = stage().await;
    let mut keeper = program(&stage, "Admin", Scope::Write).await;
    let mut mira = program(&stage, "Mira", Scope::Write).await;
    let nothing = mira.get("/api/v1/gibt/es/nicht").await;
    for path in ["host", "host/accounts", "host/worlds", "host/complaints"] {
        let path = format!("/api/v1/{path}");
        assert_eq!(mira.get(&path).await.bytes, nothing.bytes, "{path}");
        assert_eq!(keeper.get(&path).await.status, StatusCode::OK, "{path}");
    }
    let host = body(&keeper.get("/api/v1/host").await);
    assert_eq!((&host["accounts"], &host["worlds"]), (&json!(4), &json!(1)));
    let found = body(&keeper.get("/api/v1/host/accounts?q=jon").await);
    assert_eq!(found["accounts"][0]["name"], "Jonas");
    let act = format!(
        "/api/v1/host/accounts/{}/act",
        found["accounts"][0]["id"].as_str().unwrap()
    );
    let locked = send(&mut keeper, Method::POST, &act, &json!({ "act": "lock" })).await;
    assert_eq!(locked.status, StatusCode::NO_CONTENT, "{}", locked.text);
    assert_eq!(
        body(&keeper.get("/api/v1/host/accounts?q=jon").await)["accounts"][0]["locked"],
        true
    );
    send(&mut keeper, Method::POST, &act, &json!({ "act": "unlock" })).await;
    for more in ["make-admin", "delete"] {
        let seen = send(&mut keeper, Method::POST, &act, &json!({ "act": more })).await;
        assert_eq!(problem(&seen), "malformed", "{more}");
    }
    stage.account("Ruth").await;
    let lead = "/api/v1/host/worlds/Nebelmark/lead";
    send(
        &mut keeper,
        Method::POST,
        lead,
        &json!({ "account": "Ruth", "leads": true }),
    )
    .await;
    let masters = stage.web.host.masters(&world).await.unwrap();
    assert!(masters.iter().any(|master| master.name == "Ruth"));
    let nobody = send(
        &mut keeper,
        Method::POST,
        lead,
        &json!({ "account": "Niemand", "leads": true }),
    )
    .await;
    assert_eq!(problem(&nobody), "refused");
    let examined = body(&send(&mut keeper, Method::POST, "/api/v1/host/examination", &json!({})).await);
    assert_eq!(examined["findings"], json!([]));

    // A complaint is answered by whoever keeps the host.
    let mut jonas = program(&stage, "Jonas", Scope::Write).await;
    let letter = json!({ "to": [2], "subject": "Pfui", "text": "Ihr seid ein Wicht.", "send": true });
    let sent = send(&mut mira, Method::POST, &format!("{BASE}/letters"), &letter).await;
    assert_eq!(sent.status, StatusCode::CREATED, "{}", sent.text);
    let id = body(&jonas.get(&format!("{BASE}/letters")).await)["letters"][0]["id"].clone();
    let id = id.as_str().unwrap();
    let complain = json!({ "act": "report", "reason": "Grob." });
    let told = send(&mut jonas, Method::POST, &format!("{BASE}/letters/{id}/act"), &complain).await;
    assert_eq!(told.status, StatusCode::NO_CONTENT, "{}", told.text);
    let open = body(&keeper.get("/api/v1/host/complaints").await)["complaints"][0].clone();
    assert_eq!(
        (&open["world"], &open["realm"], &open["reason"]),
        (&json!("Nebelmark"), &json!(2), &json!("Grob."))
    );
    let answer = json!({ "world": "Nebelmark", "realm": 2, "text": "Er ist verwarnt." });
    let path = format!("/api/v1/host/complaints/{}/answer", open["letter"].as_str().unwrap());
    let answered = send(&mut keeper, Method::POST, &path, &answer).await;
    assert_eq!(answered.status, StatusCode::NO_CONTENT, "{}", answered.text);
    assert_eq!(
        body(&keeper.get("/api/v1/host/complaints").await)["complaints"],
        json!([])
    );
}
