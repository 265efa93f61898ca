//! The JSON interface: keys, what they open, problems, the way of a program through a turn, and its description.

use axum::body::Body;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{Method, StatusCode};
use host::token::{NewToken, Scope};
use render::locale::Language;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use web::routes::routes;
use web::testing::{Browser, Seen, Stage};
use web::words::Words;

pub const BASE: &str = "/api/v1/worlds/Nebelmark";

/// A program with a token of somebody.
pub async fn program(stage: &Stage, account: &str, scope: Scope) -> Browser {
    let account = stage.web.host.find_account(account).await.unwrap();
    let new = NewToken {
        name: "Programm".into(),
        scope,
        expires_at: None,
    };
    let made = stage
        .web
        .host
        .make_token(&account.id, &new, stage.web.clock.now())
        .await
        .unwrap();
    let mut program = stage.browser();
    let bearer = format!("Bearer {}", made.secret);
    program.headers.insert(AUTHORIZATION, bearer.parse().unwrap());
    program
}

pub(crate) use crate::nebelmark as stage;

pub async fn send(program: &mut Browser, method: Method, path: &str, body: &Value) -> Seen {
    let request = program.request(method, path).header(CONTENT_TYPE, "application/json");
    program.send(request.body(Body::from(body.to_string()))).await
}

pub fn body(seen: &Seen) -> Value {
    serde_json::from_slice(&seen.bytes).unwrap_or_else(|error| panic!("{error}: {}", seen.text))
}

/// The code of a problem, which must have the form of one.
pub fn problem(seen: &Seen) -> String {
    assert_eq!(seen.headers[CONTENT_TYPE], "application/problem+json", "{}", seen.text);
    let body = body(seen);
    assert_eq!(body["status"], seen.status.as_u16());
    assert!(!body["title"].as_str().unwrap().is_empty());
    assert!(body["type"].as_str().unwrap().starts_with("/api#problem-"));
    body["code"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_program_plays_a_turn() {
    let (stage, _) = stage().await;
    let mut mira = program(&stage, "Mira", Scope::Write).await;
    let worlds = body(&mira.get("/api/v1/worlds").await);
    assert_eq!(worlds["worlds"][0]["name"], "Nebelmark");
    assert_eq!(worlds["worlds"][0]["realm"], json!({ "realm": 1, "name": "Adler" }));
    let before = body(&mira.get(BASE).await);
    assert_eq!(before["turn"], 1);
    assert_eq!(before["standing"]["receipt"], Value::Null);

    let text = json!({ "text": "DIG\n  DIGG ; tief\n", "turn": 1 });
    let checked = send(&mut mira, Method::POST, &format!("{BASE}/orders/check"), &text).await;
    assert_eq!(checked.status, StatusCode::OK, "{}", checked.text);
    let checked = body(&checked);
    assert_eq!((&checked["orders"], &checked["errors"]), (&json!(1), &json!(1)));
    let found = &checked["findings"][0];
    assert_eq!(
        (&found["line"], &found["column"], &found["length"]),
        (&json!(2), &json!(3), &json!(4))
    );
    assert_eq!(found["repair"]["text"], "DIG");
    let after_check = body(&mira.get(&format!("{BASE}/orders/draft")).await);
    assert_eq!(after_check["draft"], Value::Null, "checking keeps nothing");

    let good = json!({ "text": "DIG\r\n", "turn": 1 });
    let kept = body(&send(&mut mira, Method::PUT, &format!("{BASE}/orders/draft"), &good).await);
    assert_eq!((&kept["draft"]["number"], &kept["text"]), (&json!(1), &json!("DIG\n")));
    let receipt = send(&mut mira, Method::POST, &format!("{BASE}/orders"), &good).await;
    assert_eq!(receipt.status, StatusCode::CREATED, "{}", receipt.text);
    let receipt = body(&receipt);
    assert_eq!((&receipt["attempt"], &receipt["bytes"]), (&json!(1), &json!(4)));
    assert_eq!(
        receipt["digest"],
        kernel::codec::Digest::of(b"DIG\n").to_string(),
        "the player can check what was taken in"
    );
    let after = body(&mira.get(BASE).await);
    assert_eq!(after["standing"]["receipt"], receipt["receipt"]);
    let history = body(&mira.get(&format!("{BASE}/orders/history")).await);
    assert_eq!(history["sent"][0]["receipt"], receipt["receipt"]);
    assert_eq!(mira.get(&format!("{BASE}/orders/sent/1/1")).await.text, "DIG\n");

    let mut greta = program(&stage, "Greta", Scope::Write).await;
    let seats = body(&greta.get(&format!("{BASE}/lead/seats")).await);
    assert_eq!((&seats["owing"], &seats["handed_in"]), (&json!(2), &json!(1)));
    let trial = send(&mut greta, Method::POST, &format!("{BASE}/lead/trial"), &json!({})).await;
    assert_eq!(body(&trial)["run"]["turn"], 1, "{}", trial.text);
    let publish = format!("{BASE}/lead/publish");
    let early = send(&mut greta, Method::POST, &publish, &json!({ "turn": 1 })).await;
    assert_eq!(
        (early.status, problem(&early).as_str()),
        (StatusCode::CONFLICT, "orders-missing")
    );
    let go = json!({ "turn": 1, "without_missing": true });
    assert_eq!(
        send(&mut greta, Method::POST, &publish, &go).await.status,
        StatusCode::OK
    );
    let again = send(&mut greta, Method::POST, &publish, &go).await;
    assert_eq!(
        (again.status, problem(&again).as_str()),
        (StatusCode::CONFLICT, "closed")
    );

    let late = send(&mut mira, Method::POST, &format!("{BASE}/orders"), &good).await;
    assert_eq!((late.status, problem(&late).as_str()), (StatusCode::CONFLICT, "closed"));
    let report = body(&mira.get(&format!("{BASE}/turns/1/report")).await);
    assert_eq!((&report["game"], &report["language"]), (&json!("toy"), &json!("de")));
    assert_eq!(
        mira.get(&format!("{BASE}/turns/last/report?form=text")).await.status,
        StatusCode::OK
    );
    assert_eq!(
        mira.get(&format!("{BASE}/turns/2/report")).await.status,
        StatusCode::NOT_FOUND
    );
    let map = body(&mira.get(&format!("{BASE}/turns/last/map")).await);
    assert_eq!(map["turn"], 1);
    let take_back = format!("{BASE}/lead/take-back");
    let of_turn = |turn: u32| json!({ "turn": turn, "reason": "Falsch gewürfelt" });
    let other = send(&mut greta, Method::POST, &take_back, &of_turn(2)).await;
    assert_eq!(
        (other.status, problem(&other).as_str()),
        (StatusCode::CONFLICT, "closed")
    );
    let back = send(&mut greta, Method::POST, &take_back, &of_turn(1)).await;
    assert_eq!(body(&back)["turn"], 1);
}

#[tokio::test]
async fn without_a_token_that_holds_nothing_can_be_told_apart() {
    let (stage, _) = stage().await;
    let mut nobody = stage.browser();
    let mut wrong = stage.browser();
    let made_up = format!("Bearer bw_{}", "0".repeat(64));
    wrong.headers.insert(AUTHORIZATION, made_up.parse().unwrap());
    for (browser, code) in [(&mut nobody, "no-token"), (&mut wrong, "bad-token")] {
        let here = browser.get(BASE).await;
        assert_eq!((here.status, problem(&here).as_str()), (StatusCode::UNAUTHORIZED, code));
        assert_eq!(here.headers["www-authenticate"], "Bearer realm=\"briefwelt\"");
        for path in ["/api/v1/worlds/Atlantis", "/api/v1/nothing", "/api/v1/worlds"] {
            let seen = browser.get(path).await;
            assert_eq!(seen.bytes, here.bytes, "{path}");
            assert_eq!(seen.telling_headers(), here.telling_headers(), "{path}");
        }
    }
}

#[tokio::test]
async fn a_token_opens_the_interface_and_nothing_else_and_ends_when_it_is_taken_back() {
    let (stage, _) = stage().await;
    let mut mira = program(&stage, "Mira", Scope::Write).await;
    assert_eq!(mira.get(BASE).await.status, StatusCode::OK);
    let page = mira.get("/konto").await;
    assert_eq!(page.status, StatusCode::SEE_OTHER, "a page wants a session");
    assert_eq!(mira.get("/welt/Nebelmark/").await.status, StatusCode::NOT_FOUND);
    let account = stage.web.host.find_account("Mira").await.unwrap();
    let now = stage.web.clock.now();
    let token = stage.web.host.tokens(&account.id, now).await.unwrap().remove(0);
    assert!(stage.web.host.revoke_token(&account.id, &token.id).await.unwrap());
    assert_eq!(problem(&mira.get(BASE).await), "bad-token");
}

#[tokio::test]
async fn a_token_that_reads_changes_nothing_and_does_not_say_where_there_is_something() {
    let (stage, _) = stage().await;
    let mut mira = program(&stage, "Mira", Scope::Read).await;
    let order = json!({ "text": "DIG\n" });
    let checked = send(&mut mira, Method::POST, &format!("{BASE}/orders/check"), &order).await;
    assert_eq!(checked.status, StatusCode::OK, "checking only reads");
    for route in routes() {
        let Some(call) = &route.call else { continue };
        let writes = route.method != Method::GET && call.scope != Some(Scope::Read);
        if !writes {
            continue;
        }
        for world in ["Nebelmark", "Atlantis"] {
            let path = route.path.replace("{world}", world);
            let mut path = path;
            while let (Some(from), Some(to)) = (path.find('{'), path.find('}')) {
                path.replace_range(from..=to, "1");
            }
            let seen = send(&mut mira, route.method.clone(), &path, &order).await;
            assert_eq!(
                (seen.status, problem(&seen).as_str()),
                (StatusCode::FORBIDDEN, "read-only"),
                "{} {path}",
                route.method
            );
        }
    }
    let draft = body(&mira.get(&format!("{BASE}/orders/draft")).await);
    assert_eq!(draft["draft"], Value::Null);
}

#[tokio::test]
async fn a_cookie_works_but_not_from_another_sites_page() {
    let (stage, _) = stage().await;
    let mut mira = stage.browser_of("Mira").await;
    let path = format!("{BASE}/orders/draft");
    let order = json!({ "text": "DIG\n" });
    assert_eq!(send(&mut mira, Method::PUT, &path, &order).await.status, StatusCode::OK);
    let mut hostile = mira.clone();
    hostile.headers.insert("origin", "https://example.org".parse().unwrap());
    let seen = send(&mut hostile, Method::PUT, &path, &json!({ "text": "DIG\nDIG\n" })).await;
    assert_eq!(
        (seen.status, problem(&seen).as_str()),
        (StatusCode::FORBIDDEN, "foreign-page")
    );
    // What a form can send is not taken in.
    let form = mira.post(&format!("{BASE}/orders"), &[("text", "DIG")]).await;
    assert_eq!(
        (form.status, problem(&form).as_str()),
        (StatusCode::UNSUPPORTED_MEDIA_TYPE, "not-json")
    );
    let draft = body(&mira.get(&path).await);
    assert_eq!(draft["text"], "DIG\n");
}

#[tokio::test]
async fn what_has_the_wrong_form_is_refused_with_its_place() {
    let (stage, _) = stage().await;
    let mut mira = program(&stage, "Mira", Scope::Write).await;
    let path = format!("{BASE}/orders/check");
    let mut post = async |text: &str| {
        let request = mira
            .request(Method::POST, &path)
            .header(CONTENT_TYPE, "application/json");
        let request = request.body(Body::from(text.to_owned()));
        mira.send(request).await
    };
    for text in [
        "",
        "{",
        "[]",
        "{\"text\": 1}",
        "{\"text\": \"\", \"txet\": \"\"}",
        "{\"text\": \"\\u0000\"}",
    ] {
        let seen = post(text).await;
        assert_eq!(
            (seen.status, problem(&seen).as_str()),
            (StatusCode::BAD_REQUEST, "malformed"),
            "{text}"
        );
        assert!(body(&seen)["detail"].is_string(), "{text}");
    }
    let detail = body(&post("{\n  \"text\": 1\n}").await)["detail"].to_string();
    assert!(detail.contains("line 2"), "{detail}");
    let large = "x".repeat(kernel::limits::ORDER_FILE_BYTES);
    assert_eq!(post(&json!({ "text": large }).to_string()).await.status, StatusCode::OK);
    let seen = post(&json!({ "text": format!("{large}x") }).to_string()).await;
    assert_eq!(
        (seen.status, problem(&seen).as_str()),
        (StatusCode::PAYLOAD_TOO_LARGE, "too-large")
    );
}

#[tokio::test]
async fn calls_run_out_and_come_back() {
    let (stage, _) = stage().await;
    let mut mira = program(&stage, "Mira", Scope::Read).await;
    let mut jonas = program(&stage, "Jonas", Scope::Read).await;
    // As if he had called without a pause for an hour to come: no pause of the test itself gives calls back.
    let account = stage.web.host.find_account("Mira").await.unwrap().id;
    let later = stage.web.clock.now() + 3_600_000;
    let taken = (0..).take_while(|_| stage.web.limits.calls.take_named(&account, later).is_ok());
    assert_eq!(taken.count(), 600);
    let refused = mira.get("/api/v1/account").await;
    assert_eq!(
        (refused.status, problem(&refused).as_str()),
        (StatusCode::TOO_MANY_REQUESTS, "too-often")
    );
    assert!(refused.headers["retry-after"].to_str().unwrap().parse::<u64>().unwrap() >= 1);
    assert_eq!(
        jonas.get("/api/v1/account").await.status,
        StatusCode::OK,
        "another account has its own"
    );
    stage.web.clock.advance(3_601_000);
    assert_eq!(mira.get("/api/v1/account").await.status, StatusCode::OK);
}

#[tokio::test]
async fn letters_go_from_program_to_program_and_to_nobody_else() {
    let (stage, _) = stage().await;
    let mut mira = program(&stage, "Mira", Scope::Write).await;
    let mut jonas = program(&stage, "Jonas", Scope::Write).await;
    let mut greta = program(&stage, "Greta", Scope::Write).await;
    let addressees = body(&mira.get(&format!("{BASE}/addressees")).await);
    let realms: Vec<i64> = addressees["addressees"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| of["realm"].as_i64().unwrap())
        .collect();
    assert!(realms.contains(&0) && !realms.contains(&1), "{realms:?}");
    let empty = json!({ "to": [0], "text": "", "send": true });
    let refused = send(&mut mira, Method::POST, &format!("{BASE}/letters"), &empty).await;
    assert_eq!(
        (refused.status, problem(&refused).as_str()),
        (StatusCode::UNPROCESSABLE_ENTITY, "letter-empty")
    );
    let drafts = body(&mira.get(&format!("{BASE}/letters?folder=drafts")).await);
    assert_eq!(drafts["letters"].as_array().unwrap().len(), 0, "nothing is left behind");
    let letter = json!({ "to": [0], "subject": "Frage", "text": "Wann geht es weiter?", "send": true });
    let sent = send(&mut mira, Method::POST, &format!("{BASE}/letters"), &letter).await;
    assert_eq!(sent.status, StatusCode::CREATED, "{}", sent.text);
    let id = body(&sent)["id"].as_str().unwrap().to_owned();
    let inbox = body(&greta.get(&format!("{BASE}/lead/letters")).await);
    assert_eq!(inbox["letters"][0]["from"], json!({ "realm": 1, "name": "Adler" }));
    assert_eq!(inbox["letters"][0]["text"], "Wann geht es weiter?");
    let read = format!("{BASE}/lead/letters/{id}");
    assert_eq!(
        body(&greta.get(&read).await)["letter"]["unread"],
        true,
        "looking is not reading"
    );
    let act = send(
        &mut greta,
        Method::POST,
        &format!("{read}/act"),
        &json!({ "act": "read" }),
    )
    .await;
    assert_eq!(act.status, StatusCode::NO_CONTENT, "{}", act.text);
    assert_eq!(body(&greta.get(&read).await)["letter"]["unread"], false);
    let foreign = jonas.get(&format!("{BASE}/letters/{id}")).await;
    let nothing = jonas.get(&format!("{BASE}/letters/1")).await;
    assert_eq!(
        (foreign.status, &foreign.bytes),
        (StatusCode::NOT_FOUND, &nothing.bytes)
    );
}

#[tokio::test]
async fn a_field_that_was_never_seen_is_one_that_is_not_there() {
    let (stage, _) = stage().await;
    let mut mira = program(&stage, "Mira", Scope::Read).await;
    let mut greta = program(&stage, "Greta", Scope::Read).await;
    let all = body(&greta.get(&format!("{BASE}/lead/turns/last/map")).await);
    let own = body(&mira.get(&format!("{BASE}/turns/last/map")).await);
    let labels = |map: &Value| -> BTreeSet<String> {
        let fields = map["scene"]["fields"].as_array().unwrap().iter();
        let known = fields.filter(|field| field["knowledge"] != "Never");
        known.map(|field| field["label"].as_str().unwrap().to_owned()).collect()
    };
    let (all, own) = (labels(&all), labels(&own));
    let ask = |label: &str| {
        let label = percent_encoding::utf8_percent_encode(label, percent_encoding::NON_ALPHANUMERIC);
        format!("{BASE}/turns/last/field?place={label}")
    };
    let nothing = mira.get(&ask("nirgends")).await;
    assert_eq!(nothing.status, StatusCode::NOT_FOUND);
    for label in &own {
        assert_eq!(mira.get(&ask(label)).await.status, StatusCode::OK, "{label}");
    }
    for label in all.difference(&own) {
        assert_eq!(mira.get(&ask(label)).await.bytes, nothing.bytes, "{label}");
    }
}

#[tokio::test]
async fn the_description_has_every_call_and_no_other() {
    let (stage, _) = stage().await;
    let mut anybody = stage.browser();
    let document = body(&anybody.get("/api/openapi.json").await);
    assert!(
        document["openapi"].as_str().unwrap().starts_with("3.1"),
        "{}",
        document["openapi"]
    );
    let mut described = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, call) in item.as_object().unwrap() {
            assert!(described.insert((path.clone(), method.to_uppercase())));
            let named: BTreeSet<&str> = call["parameters"]
                .as_array()
                .into_iter()
                .flatten()
                .filter(|of| of["in"] == "path")
                .map(|of| of["name"].as_str().unwrap())
                .collect();
            let written: BTreeSet<&str> = path
                .split('{')
                .skip(1)
                .map(|of| of.split('}').next().unwrap())
                .collect();
            assert_eq!(named, written, "{path}");
        }
    }
    let listed = routes().into_iter().filter(|route| route.path.starts_with("/api/v1/"));
    let listed: BTreeSet<(String, String)> = listed
        .map(|route| {
            assert!(
                route.call.is_some(),
                "{} {} has a description",
                route.method,
                route.path
            );
            (route.path.to_owned(), route.method.to_string())
        })
        .collect();
    assert_eq!(described, listed);
    assert!(listed.len() >= 100, "{}", listed.len());
    // Whatever the document refers to is in it.
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#/components/schemas/").skip(1) {
        let name = reference.split('"').next().unwrap();
        assert!(document["components"]["schemas"][name].is_object(), "{name}");
    }
    let page = anybody.get("/api").await;
    assert_eq!(page.status, StatusCode::OK);
    for (path, _) in &listed {
        assert!(page.text.contains(path.as_str()), "{path}");
    }
}

#[test]
fn every_call_and_problem_has_its_words_in_both_languages() {
    let mut names = BTreeSet::new();
    for language in Language::ALL {
        let words = Words::of(language);
        let has = |key: String| assert_ne!(words.of_code("api", &key), format!("api.{key}"), "{}", language.code());
        names.clear();
        for call in routes().into_iter().filter_map(|route| route.call) {
            assert!(names.insert(call.name), "{} is the name of one call", call.name);
            has(format!("call-{}", call.name));
            has(format!("family-{}", call.family.name()));
        }
        for route in routes().iter().filter(|route| route.call.is_some()) {
            for name in route.path.split('{').skip(1).map(|of| of.split('}').next().unwrap()) {
                has(format!("path-{name}"));
            }
        }
        for (_, code) in web::api::problem::CODES {
            has(format!("problem-{code}"));
        }
    }
}

#[tokio::test]
async fn a_key_is_made_on_the_account_page_and_shown_once() {
    let (stage, _) = stage().await;
    let mut mira = stage.browser_of("Mira").await;
    let fields = [("name", "Karten-Bot"), ("umfang", "write"), ("tage", "30")];
    let seen = mira.post("/konto/schluessel", &fields).await;
    assert_eq!(seen.status, StatusCode::OK);
    let secret = seen.text.split("<code class=\"secret\">").nth(1);
    let secret = secret.expect("the key is shown").split('<').next().unwrap().to_owned();
    assert!(secret.starts_with("bw_"), "{secret}");
    let mut program = stage.browser();
    program
        .headers
        .insert(AUTHORIZATION, format!("bearer {secret}").parse().unwrap());
    assert_eq!(body(&program.get("/api/v1/account").await)["scope"], "write");
    let later = mira.get("/konto").await;
    assert!(later.text.contains("Karten-Bot") && !later.text.contains(&secret));
    let id = later.text.split("name=\"schluessel\" value=\"").nth(1).unwrap();
    let id = id.split('"').next().unwrap().to_owned();
    let mut jonas = stage.browser_of("Jonas").await;
    let foreign = jonas.post("/konto/schluessel/zurueck", &[("schluessel", &id)]).await;
    assert_eq!(foreign.status, StatusCode::NOT_FOUND);
    assert_eq!(program.get("/api/v1/account").await.status, StatusCode::OK);
    mira.post("/konto/schluessel/zurueck", &[("schluessel", &id)]).await;
    assert_eq!(program.get("/api/v1/account").await.status, StatusCode::UNAUTHORIZED);
    stage.web.clock.advance(1);
    let bad = mira.post("/konto/schluessel", &[("name", " ")]).await;
    assert_eq!(bad.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_body_is_what_the_document_says_and_nothing_is_cut_in_silence() {
    let (stage, _) = stage().await;
    let mut greta = program(&stage, "Greta", Scope::Write).await;
    // A list of the values in their order is no object.
    for list in [json!([null, null]), json!([])] {
        let seen = send(&mut greta, Method::PUT, "/api/v1/account/wishes", &list).await;
        assert_eq!(
            (seen.status, problem(&seen).as_str()),
            (StatusCode::BAD_REQUEST, "malformed"),
            "{list}"
        );
    }
    let head = format!("{BASE}/lead/newspaper/head");
    let titled = |characters: usize| json!({ "title": "ä".repeat(characters), "motto": "", "price": "", "place": "" });
    let most = host::limits::MASTHEAD_CHARACTERS;
    let seen = send(&mut greta, Method::PUT, &head, &titled(most)).await;
    assert_eq!(seen.status, StatusCode::NO_CONTENT, "{}", seen.text);
    let seen = send(&mut greta, Method::PUT, &head, &titled(most + 1)).await;
    assert_eq!(
        (seen.status, problem(&seen).as_str()),
        (StatusCode::BAD_REQUEST, "malformed")
    );
    assert!(
        body(&seen)["detail"].as_str().unwrap().contains("title"),
        "{}",
        seen.text
    );
    let custom = format!("{BASE}/lead/post/custom");
    let mut customs = body(&greta.get(&format!("{BASE}/lead/post")).await)["custom"].clone();
    for (per_day, status) in [(0, 400), (1, 204), (1_000, 204), (1_001, 400)] {
        customs["per_day"] = json!(per_day);
        let seen = send(&mut greta, Method::PUT, &custom, &customs).await;
        assert_eq!(seen.status.as_u16(), status, "{per_day}: {}", seen.text);
    }
}
