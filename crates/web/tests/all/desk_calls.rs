//! What programs do about a seat, and for the game master: holidays and stand-ins, letters that pass the desk, admission, orders on
//! paper, the map changed by hand.

use crate::api::{BASE, body, problem, program, send, stage};
use crate::calls::remove;
use axum::http::{Method, StatusCode};
use host::token::Scope;
use serde_json::json;

#[tokio::test]
async fn a_program_sees_to_reminders_holidays_and_a_stand_in() {
    let (stage, _) = stage().await;
    let mut mira = program(&stage, "Mira", Scope::Write).await;
    let seat = format!("{BASE}/seat");
    let minutes = json!({ "minutes": [1440, 60] });
    assert_eq!(
        send(&mut mira, Method::PUT, &format!("{seat}/reminders"), &minutes)
            .await
            .status,
        StatusCode::NO_CONTENT
    );
    let many = json!({ "minutes": [1, 2, 3, 4, 5, 6] });
    let refused = send(&mut mira, Method::PUT, &format!("{seat}/reminders"), &many).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
    let year = web::time::day("Europe/Berlin", stage.web.clock.now() + 366 * 86_400_000)[..4].to_owned();
    let (first, last) = (format!("{year}-12-24"), format!("{year}-12-26"));
    let away = json!({ "first_day": first, "last_day": last, "computer": true, "note": "Familie" });
    let absences = format!("{seat}/absences");
    assert_eq!(
        send(&mut mira, Method::POST, &absences, &away).await.status,
        StatusCode::NO_CONTENT
    );
    let backwards = json!({ "first_day": last, "last_day": first });
    assert_eq!(
        problem(&send(&mut mira, Method::POST, &absences, &backwards).await),
        "refused"
    );
    let own = body(&mira.get(&seat).await);
    assert_eq!(
        (&own["realm"], own["reminders"].as_array().unwrap().len()),
        (&json!(1), 2)
    );
    // Midnight in Berlin in winter is an hour earlier in universal time.
    let before = &own["absences"][0]["from_at"];
    assert_eq!(before, &json!(format!("{year}-12-23T23:00:00Z")));
    let strike = format!("{absences}?from_at={}", before.as_str().unwrap());
    assert_eq!(remove(&mut mira, &strike).await, StatusCode::NO_CONTENT);
    assert_eq!(remove(&mut mira, &strike).await, StatusCode::NOT_FOUND);
    // Whoever cannot stand in, nobody is told why: not there, or no player of this kind.
    let stand_ins = format!("{seat}/stand-ins");
    let of = |account: &str| json!({ "account": account, "first_day": first, "last_day": last });
    let (nobody, master) = (
        send(&mut mira, Method::POST, &stand_ins, &of("Niemand")).await,
        send(&mut mira, Method::POST, &stand_ins, &of("Greta")).await,
    );
    assert_eq!(
        (problem(&nobody).as_str(), &nobody.bytes),
        ("no-stand-in", &master.bytes)
    );
    stage.account("Ruth").await;
    assert_eq!(
        send(&mut mira, Method::POST, &stand_ins, &of("ruth@example.org"))
            .await
            .bytes,
        nobody.bytes
    );
    assert_eq!(
        send(&mut mira, Method::POST, &stand_ins, &of("Ruth")).await.status,
        StatusCode::NO_CONTENT
    );
    let ruth = body(&mira.get(&seat).await)["stand_ins"][0]["account"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        remove(&mut mira, &format!("{stand_ins}/{ruth}")).await,
        StatusCode::NO_CONTENT
    );
    assert_eq!(body(&mira.get(&seat).await)["stand_ins"], json!([]));
}

#[tokio::test]
async fn a_program_leaves_a_world_only_by_the_name_of_the_realm() {
    let (stage, _) = stage().await;
    let mut mira = program(&stage, "Mira", Scope::Write).await;
    let seat = format!("{BASE}/seat");
    assert!(remove(&mut mira, &seat).await.is_client_error());
    let other = format!("{seat}?realm=B%C3%A4r");
    assert_eq!(remove(&mut mira, &other).await, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(mira.get(&seat).await.status, StatusCode::OK);
    let own = format!("{seat}?realm=Adler");
    assert_eq!(remove(&mut mira, &own).await, StatusCode::NO_CONTENT);
    assert_eq!(mira.get(&seat).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_program_of_the_game_master_passes_letters_admits_and_hands_in() {
    let (stage, world) = stage().await;
    let mut mira = program(&stage, "Mira", Scope::Write).await;
    let mut jonas = program(&stage, "Jonas", Scope::Write).await;
    let mut greta = program(&stage, "Greta", Scope::Write).await;
    let post = format!("{BASE}/lead/post");
    let custom = json!({ "delivery": "at-once", "desk": true, "rumours": false, "proclamations": false, "per_day": 9 });
    assert_eq!(
        send(&mut greta, Method::PUT, &format!("{post}/custom"), &custom)
            .await
            .status,
        StatusCode::NO_CONTENT
    );
    assert_eq!(body(&greta.get(&post).await)["custom"], custom);
    let letter = json!({ "to": [2], "subject": "Bund", "text": "Seid mein Freund.", "send": true });
    let sent = body(&send(&mut mira, Method::POST, &format!("{BASE}/letters"), &letter).await);
    assert_eq!(sent["state"], "desk");
    assert_eq!(body(&jonas.get(&format!("{BASE}/letters")).await)["letters"], json!([]));
    let id = body(&greta.get(&post).await)["waiting"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let act = format!("{post}/{id}/act");
    assert_eq!(
        send(&mut greta, Method::POST, &act, &json!({ "act": "pass" }))
            .await
            .status,
        StatusCode::NO_CONTENT
    );
    assert_eq!(
        body(&jonas.get(&format!("{BASE}/letters")).await)["letters"][0]["subject"],
        "Bund"
    );
    assert_eq!(body(&greta.get(&post).await)["waiting"], json!([]));
    let voice = format!("{BASE}/lead/seats/1/voice");
    send(&mut greta, Method::PUT, &voice, &json!({ "stopped": true })).await;
    assert_eq!(body(&greta.get(&post).await)["stopped"], json!([1]));

    let admission = json!({ "admission": "public", "introduction": "Kommt!" });
    let path = format!("{BASE}/lead/admission");
    assert_eq!(
        send(&mut greta, Method::PUT, &path, &admission).await.status,
        StatusCode::NO_CONTENT
    );
    assert_eq!(body(&greta.get(&path).await), admission);

    let paper = format!("{BASE}/lead/seats/2/orders");
    let taken = send(&mut greta, Method::POST, &paper, &json!({ "text": "DIG\r\n" })).await;
    assert_eq!(
        (taken.status, &body(&taken)["realm"]),
        (StatusCode::CREATED, &json!(2)),
        "{}",
        taken.text
    );
    assert_eq!(
        stage
            .web
            .host
            .orders(&world, 1, kernel::realm::RealmId(2))
            .await
            .unwrap()
            .unwrap(),
        b"DIG\n"
    );
    assert_eq!(
        send(
            &mut greta,
            Method::POST,
            &format!("{BASE}/lead/seats/9/orders"),
            &json!({ "text": "" })
        )
        .await
        .status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn a_program_changes_the_map_and_takes_it_back() {
    let (stage, _) = stage().await;
    let mut greta = program(&stage, "Greta", Scope::Write).await;
    let (sheet, changes) = (format!("{BASE}/lead/map-sheet"), format!("{BASE}/lead/map-changes"));
    let before = greta.get(&sheet).await.text;
    // Another world of the same size gives a sheet that differs.
    stage.world("Salz", "toy", &["Adler", "Bär"]).await;
    let other = stage.web.host.world(Some("Salz")).await.unwrap();
    let goal = stage.web.host.sheet(&other).await.unwrap();
    assert_ne!(before, goal);
    let made = body(&send(&mut greta, Method::POST, &changes, &json!({ "text": goal })).await);
    assert_eq!(made["change"]["number"], 1, "{made}");
    assert_eq!(greta.get(&sheet).await.text, goal);
    assert_eq!(
        body(&send(&mut greta, Method::POST, &format!("{changes}/undo"), &json!({})).await)["number"],
        1
    );
    assert_eq!(greta.get(&sheet).await.text, before);
    assert_eq!(
        body(&send(&mut greta, Method::POST, &format!("{changes}/redo"), &json!({})).await)["number"],
        1
    );
    assert_eq!(greta.get(&sheet).await.text, goal);
    assert_eq!(body(&greta.get(&changes).await)["changes"].as_array().unwrap().len(), 1);
    let nonsense = send(&mut greta, Method::POST, &changes, &json!({ "text": "Unsinn" })).await;
    assert_eq!(
        (nonsense.status, problem(&nonsense).as_str()),
        (StatusCode::UNPROCESSABLE_ENTITY, "refused")
    );
    assert!(!body(&nonsense)["findings"].as_array().unwrap().is_empty());
}
