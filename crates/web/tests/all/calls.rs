//! What programs do beside playing a turn: the newspaper, coats of arms, searching and comparing, founding a world.

use crate::api::{BASE, body, problem, program, send, stage};
use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, StatusCode};
use host::token::Scope;
use kernel::realm::{RealmId, Viewer};
use serde_json::{Value, json};
use web::testing::{Browser, Seen};

const DRAWING: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 40 40\" onload=\"alert(1)\"><path d=\"M0 0h9\"/><script>alert(1)</script></svg>";

async fn bring(program: &mut Browser, path: &str, kind: &str, bytes: impl Into<Body>) -> Seen {
    let request = program.request(Method::PUT, path).header(CONTENT_TYPE, kind);
    program.send(request.body(bytes.into())).await
}

pub async fn remove(program: &mut Browser, path: &str) -> StatusCode {
    let request = program.request(Method::DELETE, path);
    program.send(request.body(Body::empty())).await.status
}

#[tokio::test]
async fn an_article_goes_from_a_program_over_the_desk_into_print() {
    let (stage, world) = stage().await;
    let mut mira = program(&stage, "Mira", Scope::Write).await;
    let mut jonas = program(&stage, "Jonas", Scope::Write).await;
    let mut greta = program(&stage, "Greta", Scope::Write).await;
    let (articles, desk) = (format!("{BASE}/newspaper/articles"), format!("{BASE}/lead/newspaper"));
    // Looking at the desk begins no issue.
    let empty = body(&greta.get(&desk).await);
    assert_eq!((&empty["number"], &empty["standing"]), (&json!(1), &json!([])));
    let paper = stage.web.host.newspaper(&world, Viewer::GameMaster);
    assert!(paper.issues().await.unwrap().is_empty());

    let article = json!({ "section": "short", "title": "Sturm", "text": "Der Sturm hat das Dach genommen.", "caption": "Das Dach" });
    let sent = send(&mut mira, Method::POST, &articles, &article).await;
    assert_eq!(sent.status, StatusCode::CREATED, "{}", sent.text);
    let own = format!("{articles}/{}", body(&sent)["id"].as_str().unwrap());
    let picture = format!("{own}/picture");
    assert_eq!(
        bring(&mut mira, &picture, "image/svg+xml", DRAWING).await.status,
        StatusCode::NO_CONTENT
    );
    let changed = json!({ "section": "short", "title": "Sturm!", "text": "Der Sturm hat zwei Dächer genommen." });
    assert_eq!(
        send(&mut mira, Method::PUT, &own, &changed).await.status,
        StatusCode::NO_CONTENT
    );
    let read = body(&mira.get(&own).await);
    assert_eq!(
        (&read["title"], &read["state"], &read["issue"]),
        (&json!("Sturm!"), &json!("submitted"), &Value::Null)
    );
    let shown = mira.get(read["picture"].as_str().expect("the picture stays")).await;
    assert!(
        shown.text.contains("M0 0h9") && !shown.text.contains("alert"),
        "{}",
        shown.text
    );
    // Before it is printed it is nobody else's.
    let nothing = jonas.get(&format!("{articles}/1")).await;
    assert_eq!(nothing.status, StatusCode::NOT_FOUND);
    for (method, path) in [(Method::GET, &own), (Method::PUT, &own)] {
        let seen = send(&mut jonas, method.clone(), path, &changed).await;
        assert_eq!((seen.status, &seen.bytes), (nothing.status, &nothing.bytes), "{method}");
    }
    assert_eq!(remove(&mut jonas, &own).await, StatusCode::NOT_FOUND);
    assert_eq!(
        bring(&mut jonas, &picture, "image/svg+xml", DRAWING).await.bytes,
        nothing.bytes
    );
    assert_eq!(jonas.get(read["picture"].as_str().unwrap()).await.bytes, nothing.bytes);
    assert_eq!(body(&jonas.get(&articles).await)["articles"], json!([]));

    let waiting = body(&greta.get(&desk).await);
    assert_eq!(waiting["waiting"][0]["author"], json!({ "realm": 1, "name": "Adler" }));
    let id = waiting["waiting"][0]["id"].as_str().unwrap().to_owned();
    let (act, edit) = (format!("{desk}/articles/{id}/act"), format!("{desk}/articles/{id}"));
    assert_eq!(
        send(&mut greta, Method::PUT, &edit, &article).await.status,
        StatusCode::NO_CONTENT
    );
    assert_eq!(
        send(&mut greta, Method::POST, &act, &json!({ "act": "accept" }))
            .await
            .status,
        StatusCode::NO_CONTENT
    );
    let head = json!({ "title": "Der Bote", "place": "Salzhafen" });
    assert_eq!(
        send(&mut greta, Method::PUT, &format!("{desk}/head"), &head)
            .await
            .status,
        StatusCode::NO_CONTENT
    );
    let lead = json!({ "section": "lead", "title": "Frieden", "text": "Es ist Frieden." });
    let written = send(&mut greta, Method::POST, &format!("{desk}/articles"), &lead).await;
    assert_eq!(written.status, StatusCode::CREATED, "{}", written.text);
    let up = format!("{desk}/articles/{}/act", body(&written)["id"].as_str().unwrap());
    send(&mut greta, Method::POST, &up, &json!({ "act": "up" })).await;
    let standing = body(&greta.get(&desk).await);
    let titles: Vec<&Value> = standing["standing"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| &of["title"])
        .collect();
    assert_eq!(titles, ["Frieden", "Sturm"]);
    // The author learns nothing of it before it is printed.
    assert_eq!(body(&mira.get(&own).await)["state"], "submitted");
    let print = format!("{desk}/publish");
    assert_eq!(
        send(&mut greta, Method::POST, &print, &json!({ "number": 2 }))
            .await
            .status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        send(&mut greta, Method::POST, &print, &json!({ "number": 1 }))
            .await
            .status,
        StatusCode::NO_CONTENT
    );
    let again = send(&mut greta, Method::POST, &print, &json!({ "number": 1 })).await;
    assert_eq!(
        (again.status, problem(&again).as_str()),
        (StatusCode::UNPROCESSABLE_ENTITY, "news-printed")
    );
    let issue = body(&jonas.get(&format!("{BASE}/newspaper/1")).await);
    assert_eq!(
        (&issue["title"], &issue["articles"][1]["text"]),
        (&json!("Der Bote"), &article["text"])
    );
    let late = send(&mut mira, Method::PUT, &own, &changed).await;
    assert_eq!(problem(&late), "news-taken");
    assert_eq!(body(&mira.get(&own).await)["issue"], 1);
}

#[tokio::test]
async fn what_the_paper_refuses_is_told_with_its_bound() {
    let (stage, _) = stage().await;
    let mut mira = program(&stage, "Mira", Scope::Write).await;
    let articles = format!("{BASE}/newspaper/articles");
    let long = |count: usize| json!({ "title": "Lang", "text": "x".repeat(count) });
    let most = host::limits::ARTICLE_CHARACTERS;
    let taken = send(&mut mira, Method::POST, &articles, &long(most)).await;
    assert_eq!(taken.status, StatusCode::CREATED);
    let refused = send(&mut mira, Method::POST, &articles, &long(most + 1)).await;
    assert_eq!(problem(&refused), "news-too-long");
    assert_eq!(body(&refused)["detail"], "Ein Artikel hat höchstens 20.000 Zeichen.");
    let section = send(
        &mut mira,
        Method::POST,
        &articles,
        &json!({ "section": "x", "title": "", "text": "a" }),
    )
    .await;
    assert_eq!(problem(&section), "refused");
    let picture = format!("{articles}/{}/picture", body(&taken)["id"].as_str().unwrap());
    let kind = bring(&mut mira, &picture, "application/json", "{}").await;
    assert_eq!(
        (kind.status, problem(&kind).as_str()),
        (StatusCode::UNSUPPORTED_MEDIA_TYPE, "not-image")
    );
    let damaged = bring(&mut mira, &picture, "image/png", &b"\x89PNG\r\n\x1a\nabc"[..]).await;
    assert_eq!(problem(&damaged), "picture-damaged");
    let bytes = host::limits::PICTURE_BYTES;
    let large = bring(&mut mira, &picture, "image/png", vec![0; bytes + 1]).await;
    assert_eq!(
        (large.status, problem(&large).as_str()),
        (StatusCode::PAYLOAD_TOO_LARGE, "too-large")
    );
    let foreign = bring(&mut mira, &picture, "image/png", vec![0; bytes]).await;
    assert_eq!(problem(&foreign), "picture-unknown-kind");
    for _ in 1..host::limits::ARTICLES_WAITING {
        send(&mut mira, Method::POST, &articles, &long(1)).await;
    }
    let many = send(&mut mira, Method::POST, &articles, &long(1)).await;
    assert_eq!(problem(&many), "news-too-many");
    let first = articles.clone() + "/" + body(&mira.get(&articles).await)["articles"][0]["id"].as_str().unwrap();
    assert_eq!(remove(&mut mira, &first).await, StatusCode::NO_CONTENT);
    assert_eq!(
        send(&mut mira, Method::POST, &articles, &long(1)).await.status,
        StatusCode::CREATED
    );
}

#[tokio::test]
async fn arms_are_chosen_sketched_brought_along_and_known_to_acquaintances_only() {
    let (stage, _) = stage().await;
    let mut mira = program(&stage, "Mira", Scope::Write).await;
    let mut jonas = program(&stage, "Jonas", Scope::Write).await;
    let mut greta = program(&stage, "Greta", Scope::Read).await;
    let arms = format!("{BASE}/arms");
    let own = body(&mira.get(&arms).await);
    assert_eq!(
        (&own["chosen"], &own["drawing"]),
        (&json!(false), &json!(format!("{BASE}/arms/1")))
    );
    let by_name = mira.get(&format!("{BASE}/arms/1")).await;
    assert_eq!(by_name.headers[CONTENT_TYPE], "image/svg+xml; charset=utf-8");
    let kit = json!({ "division": "quarterly", "field": "red", "second": "gold", "charge": "tower", "charge_tincture": "silver" });
    assert_eq!(
        send(&mut mira, Method::PUT, &arms, &kit).await.status,
        StatusCode::NO_CONTENT
    );
    let chosen = body(&mira.get(&arms).await);
    assert_eq!((&chosen["chosen"], &chosen["blazon"]), (&json!(true), &kit));
    let sketch = "division=quarterly&field=red&second=gold&charge=tower&charge_tincture=silver";
    let sketch = mira.get(&format!("{arms}/sketch?{sketch}")).await;
    assert_eq!(sketch.text, mira.get(&format!("{arms}/1")).await.text);
    assert_ne!(sketch.text, by_name.text);
    for part in ["division", "field", "second", "charge", "charge_tincture"] {
        let mut wrong = kit.clone();
        wrong[part] = json!("<script>");
        let seen = send(&mut mira, Method::PUT, &arms, &wrong).await;
        assert_eq!(
            (seen.status, problem(&seen).as_str()),
            (StatusCode::UNPROCESSABLE_ENTITY, "refused"),
            "{part}"
        );
    }
    let brought = bring(&mut mira, &format!("{arms}/drawing"), "image/svg+xml", DRAWING).await;
    assert!(
        body(&brought)["left_out"]
            .as_array()
            .unwrap()
            .contains(&json!("script")),
        "{}",
        brought.text
    );
    assert_eq!(body(&mira.get(&arms).await)["blazon"], Value::Null);
    let shown = mira.get(&format!("{arms}/1")).await;
    assert!(shown.text.contains("M0 0h9") && !shown.text.contains("alert"));
    let bad = bring(&mut mira, &format!("{arms}/drawing"), "image/svg+xml", "<html>").await;
    assert_eq!(problem(&bad), "arms-no-drawing");
    // Whoever has not met the realm finds no arms, as of one that is not there; the game master knows all.
    let nobody = jonas.get(&format!("{arms}/99")).await;
    assert_eq!(nobody.status, StatusCode::NOT_FOUND);
    for kind in ["arms", "seals"] {
        assert_eq!(
            jonas.get(&format!("{BASE}/{kind}/1")).await.bytes,
            nobody.bytes,
            "{kind}"
        );
        assert_eq!(
            greta.get(&format!("{BASE}/{kind}/1")).await.status,
            StatusCode::OK,
            "{kind}"
        );
    }
    assert_eq!(remove(&mut mira, &arms).await, StatusCode::NO_CONTENT);
    assert_eq!(mira.get(&format!("{arms}/1")).await.text, by_name.text);
}

#[tokio::test]
async fn reports_are_searched_and_turns_compared() {
    let (stage, world) = stage().await;
    let mut mira = program(&stage, "Mira", Scope::Write).await;
    let dig = json!({ "text": "DIG\n" });
    send(&mut mira, Method::POST, &format!("{BASE}/orders"), &dig).await;
    let plan = host::step::RunPlan {
        step: None,
        without_missing: true,
    };
    stage.web.host.run(&world, plan, &mut |_, _| {}).await.unwrap();
    let text = mira.get(&format!("{BASE}/turns/1/report?form=text")).await.text;
    // Some word of the report is found in its lines, whatever the case of its letters; headings are not searched.
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let (mut word, mut found) = ("", Value::Null);
    for of in words.filter(|word| word.len() > 3) {
        (word, found) = (
            of,
            body(&mira.get(&format!("{BASE}/reports?q={}", of.to_uppercase())).await),
        );
        if found["count"] != 0 {
            break;
        }
    }
    assert!(found["count"].as_u64().unwrap() >= 1, "{text}");
    assert_eq!(found["turns"][0]["turn"], 1, "the last turn comes first");
    let line = &found["turns"][0]["lines"][0];
    assert_eq!(line["found"].as_str().unwrap().to_lowercase(), word.to_lowercase());
    assert_eq!(body(&mira.get(&format!("{BASE}/reports")).await)["count"], 0);
    assert_eq!(
        body(&mira.get(&format!("{BASE}/reports?q=%25")).await)["count"],
        0,
        "signs are letters"
    );
    let long = "x".repeat(5_000);
    assert_eq!(
        body(&mira.get(&format!("{BASE}/reports?q={long}")).await)["q"]
            .as_str()
            .unwrap()
            .len(),
        100
    );

    let compared = body(&mira.get(&format!("{BASE}/turns/last/changes")).await);
    assert_eq!((&compared["turn"], &compared["against"]), (&json!(1), &json!(0)));
    let same = body(&mira.get(&format!("{BASE}/turns/1/changes?against=1")).await);
    assert_eq!(same["changes"], json!([]));
    for path in ["turns/1/changes?against=2", "turns/2/changes", "figures/nichts"] {
        assert_eq!(
            mira.get(&format!("{BASE}/{path}")).await.status,
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
    let cursor = json!({ "text": "DI", "line": 1, "column": 3 });
    let help = send(&mut mira, Method::POST, &format!("{BASE}/orders/complete"), &cursor).await;
    assert_eq!(help.status, StatusCode::OK, "{}", help.text);
    let other = json!({ "text": "DI", "line": 1, "column": 3, "turn": 1 });
    let closed = send(&mut mira, Method::POST, &format!("{BASE}/orders/complete"), &other).await;
    assert_eq!(problem(&closed), "closed");
}

/// The plan of a world of the toy game.
fn plan(name: &str) -> Value {
    json!({ "name": name, "game": "toy", "seats": [{ "name": "Aal" }, { "name": "Biber", "computer": true }], "seed": "Tau 7" })
}

#[tokio::test]
async fn a_program_looks_at_a_world_and_founds_it() {
    let (stage, _) = stage().await;
    let mut mira = program(&stage, "Mira", Scope::Write).await;
    let mut reads = program(&stage, "Mira", Scope::Read).await;
    let games = body(&reads.get("/api/v1/games").await);
    assert_eq!(games["games"][0]["name"], "toy");
    assert_eq!(
        reads.get("/api/v1/games/schach/sizes").await.status,
        StatusCode::NOT_FOUND
    );
    let (previews, worlds) = ("/api/v1/world-previews", "/api/v1/worlds");
    let one = body(&send(&mut reads, Method::POST, previews, &plan("")).await);
    assert_eq!(one["seed"], "Tau 7");
    assert_eq!(one["fields"], one["scene"]["fields"].as_array().unwrap().len());
    assert_eq!(
        body(&send(&mut reads, Method::POST, previews, &plan("")).await),
        one,
        "the same words, the same map"
    );
    let drawn = send(&mut reads, Method::POST, "/api/v1/world-previews/map.svg", &plan("")).await;
    assert_eq!(drawn.headers[CONTENT_TYPE], "image/svg+xml");
    let before = stage.web.host.worlds().await.unwrap().len();
    let refused = send(&mut reads, Method::POST, worlds, &plan("Salz")).await;
    assert_eq!(problem(&refused), "read-only");
    assert_eq!(
        stage.web.host.worlds().await.unwrap().len(),
        before,
        "nothing was stored"
    );

    let made = send(&mut mira, Method::POST, worlds, &plan("Salz & Sturm")).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    let path = body(&made)["path"].as_str().unwrap().to_owned();
    let overview = body(&mira.get(&format!("{worlds}/{path}")).await);
    assert_eq!(
        (&overview["name"], &overview["game_master"]),
        (&json!("Salz & Sturm"), &json!(true))
    );
    let world = stage.web.host.world(Some("Salz & Sturm")).await.unwrap();
    let seats = stage.web.host.seats(&world).await.unwrap();
    assert_eq!(
        (seats[0].vacant, seats[1].vacant, seats[1].computer),
        (true, false, true)
    );
    let record = stage
        .web
        .host
        .record(&world, Some(Viewer::GameMaster), 10)
        .await
        .unwrap();
    assert!(
        record.iter().all(|deed| deed.name.as_deref() == Some("Mira")),
        "{record:?}"
    );
    let again = send(&mut mira, Method::POST, worlds, &plan("Salz & Sturm")).await;
    assert_eq!(
        (again.status, problem(&again).as_str()),
        (StatusCode::CONFLICT, "name-taken")
    );
}

#[tokio::test]
async fn whoever_founds_a_game_at_a_board_may_play_it_alone_against_computers() {
    let (stage, _) = stage().await;
    let mut mira = program(&stage, "Mira", Scope::Write).await;
    let plays = |name: &str, number: Value| {
        let mut of = plan(name);
        of["plays"] = number;
        of
    };
    let before = stage.web.host.worlds().await.unwrap().len();
    // The bounds of the description come first, then the plan, which has two seats.
    let (bounds, plan_of_two) = (
        (StatusCode::BAD_REQUEST, "malformed"),
        (StatusCode::UNPROCESSABLE_ENTITY, "refused"),
    );
    for (number, expected) in [(0, bounds), (3, plan_of_two), (61, bounds)] {
        let refused = send(
            &mut mira,
            Method::POST,
            "/api/v1/worlds",
            &plays("Allein", json!(number)),
        )
        .await;
        assert_eq!((refused.status, problem(&refused).as_str()), expected, "{number}");
    }
    assert_eq!(stage.web.host.worlds().await.unwrap().len(), before);
    // The second seat was the computer's in the plan: whoever sits down is what counts.
    let made = send(&mut mira, Method::POST, "/api/v1/worlds", &plays("Allein", json!(2))).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    let mut page = stage.browser_of("Mira").await;
    page.post("/neue-welt/spiel", &[("name", "Noch einmal")]).await;
    page.post("/neue-welt/reiche", &[("reiche", "3")]).await;
    let seen = page.post("/neue-welt/siegel", &[("ziel", "spielen.1")]).await;
    assert_eq!(seen.status, StatusCode::SEE_OTHER, "{}", seen.text);
    assert!(seen.location().ends_with("/brett"), "{}", seen.location());
    assert!(page.get(seen.location()).await.text.contains("Noch einmal"));
    let missing = page.post("/neue-welt/siegel", &[("ziel", "spielen.9")]).await;
    assert_eq!(
        missing.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "a plan without a name founds nothing"
    );
    for (name, realm, seats) in [("Allein", 2, 2), ("Noch einmal", 1, 3)] {
        let world = stage.web.host.world(Some(name)).await.unwrap();
        assert!(
            stage.web.host.masters(&world).await.unwrap().is_empty(),
            "{name}: nobody leads it"
        );
        let holders = stage.web.host.holders(&world).await.unwrap();
        let held: Vec<(Option<RealmId>, &str)> = holders.iter().map(|of| (of.realm, of.name.as_str())).collect();
        assert_eq!(held, [(Some(RealmId(realm)), "Mira")]);
        let all = stage.web.host.seats(&world).await.unwrap();
        assert_eq!(all.len(), seats);
        for seat in all {
            assert_eq!(
                (seat.computer, seat.vacant),
                (seat.realm != RealmId(realm), false),
                "{name}: {}",
                seat.name
            );
        }
    }
}

#[tokio::test]
async fn a_plan_that_makes_no_world_is_refused() {
    let (stage, _) = stage().await;
    let mut mira = program(&stage, "Mira", Scope::Write).await;
    let seats = |count: usize| vec![json!({ "name": "Aal" }); count];
    let mut wrong = vec![plan(""), plan(" "), plan("a\nb")];
    for (field, value) in [
        ("game", json!("schach")),
        ("seats", json!([])),
        ("seats", json!(seats(61))),
        ("seats", json!([{ "name": "" }])),
        ("seats", json!([{ "name": "Aal", "kind": "riese" }])),
        ("house_rules", json!({ "nirgends": "1" })),
    ] {
        let mut of = plan("Salz");
        of[field] = value;
        wrong.push(of);
    }
    for plan in wrong {
        let seen = send(&mut mira, Method::POST, "/api/v1/worlds", &plan).await;
        assert_eq!(
            (seen.status, problem(&seen).as_str()),
            (StatusCode::UNPROCESSABLE_ENTITY, "refused"),
            "{plan}"
        );
    }
    assert_eq!(stage.web.host.worlds().await.unwrap().len(), 1);
}

#[tokio::test]
async fn nobody_but_the_keeper_founds_worlds_without_end() {
    let (stage, _) = stage().await;
    let mut mira = program(&stage, "Mira", Scope::Write).await;
    let mut keeper = program(&stage, "Admin", Scope::Write).await;
    for (name, program) in [("Mira", &mut mira), ("Admin", &mut keeper)] {
        // As if the account had founded without a pause for an hour to come.
        let account = stage.web.host.find_account(name).await.unwrap().id;
        let later = stage.web.clock.now() + 3_600_000;
        while stage.web.limits.founding.take_named(&account, later).is_ok() {}
        let seen = send(
            program,
            Method::POST,
            "/api/v1/worlds",
            &plan(&format!("Welt von {name}")),
        )
        .await;
        let expected = match name {
            "Mira" => StatusCode::TOO_MANY_REQUESTS,
            _ => StatusCode::CREATED,
        };
        assert_eq!(seen.status, expected, "{name}: {}", seen.text);
    }
    let mut page = stage.browser_of("Mira").await;
    page.post("/neue-welt/spiel", &[("name", "Noch eine")]).await;
    let seen = page.post("/neue-welt/siegel", &[("ziel", "gruenden")]).await;
    assert_eq!(seen.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(stage.web.host.worlds().await.unwrap().len(), 2);
}

#[tokio::test]
async fn the_record_names_whoever_acted() {
    let (stage, world) = stage().await;
    let mut mira = program(&stage, "Mira", Scope::Write).await;
    let mut greta = stage.browser_of("Greta").await;
    send(
        &mut mira,
        Method::POST,
        &format!("{BASE}/orders"),
        &json!({ "text": "DIG\n" }),
    )
    .await;
    greta
        .post(
            "/welt/Nebelmark/leitung/aushang",
            &[("titel", "Pause"), ("text", "Ruhe.")],
        )
        .await;
    greta
        .post(
            "/welt/Nebelmark/leitung/briefe/brauch",
            &[("zustellung", "at-once"), ("hoechstens", "5")],
        )
        .await;
    greta.post("/welt/Nebelmark/leitung/probe", &[]).await;
    let mut program = program(&stage, "Greta", Scope::Write).await;
    let lead = json!({ "title": "Frieden", "text": "Es ist Frieden." });
    send(
        &mut program,
        Method::POST,
        &format!("{BASE}/lead/newspaper/articles"),
        &lead,
    )
    .await;
    send(
        &mut program,
        Method::POST,
        &format!("{BASE}/lead/newspaper/publish"),
        &json!({ "number": 1 }),
    )
    .await;
    let named = |deeds: &[host::desk::Deed]| -> Vec<(String, Option<String>)> {
        let wanted = ["orders taken in", "announcement", "trial run", "newspaper printed"];
        let deeds = deeds.iter().filter(|deed| wanted.contains(&deed.deed.as_str()));
        deeds.map(|deed| (deed.deed.clone(), deed.name.clone())).collect()
    };
    let greta_s = |deed: &str| (deed.to_owned(), Some("Greta".to_owned()));
    let record = stage
        .web
        .host
        .record(&world, Some(Viewer::GameMaster), 50)
        .await
        .unwrap();
    assert_eq!(
        named(&record),
        [
            greta_s("newspaper printed"),
            greta_s("trial run"),
            greta_s("announcement"),
            ("orders taken in".to_owned(), Some("Mira".to_owned())),
        ]
    );
    let page = greta.get("/welt/Nebelmark/leitung/protokoll").await.text;
    assert!(page.contains("<small class=\"muted\">Mira</small>"), "{page}");
    let listed = body(&program.get(&format!("{BASE}/lead/record")).await);
    assert_eq!(listed["deeds"][0]["name"], "Greta");
    // Players read the open part, and nobody's name.
    let open = stage.web.host.record(&world, None, 50).await.unwrap();
    assert!(!open.is_empty() && open.iter().all(|deed| deed.who.is_none() && deed.name.is_none()));
    // Whoever has gone has no name any more, but the deed is not nobody's.
    let account = stage.web.host.find_account("Mira").await.unwrap();
    stage
        .web
        .host
        .delete_account(&account.id, stage.web.clock.now())
        .await
        .unwrap();
    let page = greta.get("/welt/Nebelmark/leitung/protokoll").await.text;
    assert!(
        !page.contains(">Mira<") && page.contains("(ein Konto, das es nicht mehr gibt)"),
        "{page}"
    );
}
