//! Whose is what: letters, articles, invitations, keys and sessions are there for those to whom they belong. For all others, and
//! under every other world's address, a true id answers like a made-up one, and nothing has changed afterwards.

use crate::{open_post, stage};
use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use web::testing::{Browser, Seen, Stage};

const FORM: &str = "application/x-www-form-urlencoded";
const JSON: &str = "application/json";
const MIXED: &str = "multipart/form-data; boundary=x";
/// An id of the right shape that nothing has.
const NOBODYS: &str = "0123456789abcdef0123456789abcdef";

/// A request with `{id}` where something of somebody is named.
type Ask = (Method, &'static str, &'static str, &'static str);

/// What can be asked about a letter in one's own post.
const LETTERS: &[Ask] = &[
    (Method::GET, "/welt/{world}/briefe/entwurf/{id}", FORM, ""),
    (
        Method::POST,
        "/welt/{world}/briefe/entwurf/{id}",
        FORM,
        "art=letter&an=2&betreff=x&text=GIFT&tun=speichern",
    ),
    (
        Method::POST,
        "/welt/{world}/briefe/entwurf/{id}",
        FORM,
        "art=letter&an=2&betreff=x&text=GIFT&tun=siegeln",
    ),
    (Method::POST, "/welt/{world}/briefe/entwurf/{id}", FORM, "tun=verwerfen"),
    (Method::GET, "/welt/{world}/briefe/brief/{id}", FORM, ""),
    (Method::POST, "/welt/{world}/briefe/brief/{id}", FORM, "tun=ablegen"),
    (
        Method::POST,
        "/welt/{world}/briefe/brief/{id}",
        FORM,
        "tun=zurueckholen",
    ),
    (
        Method::POST,
        "/welt/{world}/briefe/brief/{id}",
        FORM,
        "tun=melden&grund=GIFT",
    ),
    (Method::GET, "/api/v1/worlds/{world}/letters/{id}", JSON, ""),
    (
        Method::PUT,
        "/api/v1/worlds/{world}/letters/{id}",
        JSON,
        "{\"text\":\"GIFT\",\"to\":[2]}",
    ),
    (Method::DELETE, "/api/v1/worlds/{world}/letters/{id}", JSON, ""),
    (
        Method::POST,
        "/api/v1/worlds/{world}/letters/{id}/act",
        JSON,
        "{\"act\":\"recall\"}",
    ),
    (
        Method::POST,
        "/api/v1/worlds/{world}/letters/{id}/act",
        JSON,
        "{\"act\":\"report\",\"reason\":\"GIFT\"}",
    ),
];

/// The same in the post of whoever leads, and at his desk.
const LEADS_LETTERS: &[Ask] = &[
    (Method::GET, "/welt/{world}/leitung/briefe/entwurf/{id}", FORM, ""),
    (
        Method::POST,
        "/welt/{world}/leitung/briefe/entwurf/{id}",
        FORM,
        "art=letter&an=2&betreff=x&text=GIFT&tun=siegeln",
    ),
    (Method::GET, "/welt/{world}/leitung/briefe/brief/{id}", FORM, ""),
    (
        Method::POST,
        "/welt/{world}/leitung/briefe/brief/{id}",
        FORM,
        "tun=ablegen",
    ),
    (Method::GET, "/api/v1/worlds/{world}/lead/letters/{id}", JSON, ""),
    (
        Method::PUT,
        "/api/v1/worlds/{world}/lead/letters/{id}",
        JSON,
        "{\"text\":\"GIFT\",\"to\":[2]}",
    ),
    (Method::DELETE, "/api/v1/worlds/{world}/lead/letters/{id}", JSON, ""),
    (
        Method::POST,
        "/api/v1/worlds/{world}/lead/letters/{id}/act",
        JSON,
        "{\"act\":\"read\"}",
    ),
];

/// What the desk decides about a letter that passes it.
const DESK: &[Ask] = &[
    (
        Method::POST,
        "/welt/{world}/leitung/briefe/pult/{id}",
        FORM,
        "tun=durchlassen",
    ),
    (
        Method::POST,
        "/welt/{world}/leitung/briefe/pult/{id}",
        FORM,
        "tun=zurueckweisen&grund=GIFT",
    ),
    (
        Method::POST,
        "/welt/{world}/leitung/briefe/pult/{id}",
        FORM,
        "tun=beantworten&reich=1&grund=GIFT",
    ),
    (
        Method::POST,
        "/api/v1/worlds/{world}/lead/post/{id}/act",
        JSON,
        "{\"act\":\"pass\"}",
    ),
];

/// What an author can do with his article.
const ARTICLES: &[Ask] = &[
    (Method::GET, "/welt/{world}/zeitung/artikel/{id}", FORM, ""),
    (
        Method::POST,
        "/welt/{world}/zeitung/artikel/{id}",
        MIXED,
        "--x\r\nContent-Disposition: form-data; name=\"tun\"\r\n\r\nzurueckziehen\r\n--x--\r\n",
    ),
    // Without a word: what is wrong with it is nobody's business but the author's.
    (
        Method::POST,
        "/welt/{world}/zeitung/artikel/{id}",
        MIXED,
        "--x\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\n\r\n--x--\r\n",
    ),
    (Method::GET, "/api/v1/worlds/{world}/newspaper/articles/{id}", JSON, ""),
    (
        Method::PUT,
        "/api/v1/worlds/{world}/newspaper/articles/{id}",
        JSON,
        "{\"title\":\"GIFT\",\"text\":\"GIFT\"}",
    ),
    (
        Method::DELETE,
        "/api/v1/worlds/{world}/newspaper/articles/{id}",
        JSON,
        "",
    ),
    (
        Method::DELETE,
        "/api/v1/worlds/{world}/newspaper/articles/{id}/picture",
        JSON,
        "",
    ),
];

/// What an editor can do with any article of his own newspaper.
const EDITOR: &[Ask] = &[
    (
        Method::GET,
        "/welt/{world}/leitung/zeitung/artikel/{id}/bearbeiten",
        FORM,
        "",
    ),
    (
        Method::POST,
        "/welt/{world}/leitung/zeitung/artikel/{id}",
        FORM,
        "tun=annehmen",
    ),
    (
        Method::POST,
        "/welt/{world}/leitung/zeitung/artikel/{id}",
        FORM,
        "tun=ablehnen&grund=GIFT",
    ),
    (
        Method::PUT,
        "/api/v1/worlds/{world}/lead/newspaper/articles/{id}",
        JSON,
        "{\"title\":\"GIFT\",\"text\":\"GIFT\"}",
    ),
    (
        Method::DELETE,
        "/api/v1/worlds/{world}/lead/newspaper/articles/{id}/picture",
        JSON,
        "",
    ),
    (
        Method::POST,
        "/api/v1/worlds/{world}/lead/newspaper/articles/{id}/act",
        JSON,
        "{\"act\":\"reject\"}",
    ),
];

async fn ask(browser: &Browser, ask: &Ask, world: &str, id: &str) -> Seen {
    let (method, path, kind, body) = ask;
    let mut browser = browser.clone();
    let path = path.replace("{world}", world).replace("{id}", id);
    let request = browser.request(method.clone(), &path).header(CONTENT_TYPE, *kind);
    browser.send(request.body(Body::from(*body))).await
}

/// Asks about something true and about nothing: the answers are the same.
async fn is_nothing(who: &str, browser: &Browser, asks: &[Ask], world: &str, id: &str) {
    for of in asks {
        let (method, path, ..) = of;
        let what = format!("{method} {path} in {world} by {who}");
        let (there, nowhere) = (
            ask(browser, of, world, id).await,
            ask(browser, of, world, NOBODYS).await,
        );
        assert_eq!(there.status, StatusCode::NOT_FOUND, "{what}: {}", there.text);
        assert_eq!(there.status, nowhere.status, "{what}");
        assert_eq!(there.bytes, nowhere.bytes, "{what}");
        assert_eq!(there.telling_headers(), nowhere.telling_headers(), "{what}");
    }
}

/// A call with JSON in both directions.
async fn call(browser: &mut Browser, method: Method, path: &str, body: Value) -> Value {
    let request = browser.request(method, path).header(CONTENT_TYPE, JSON);
    let seen = browser.send(request.body(Body::from(body.to_string()))).await;
    assert!(seen.status.is_success(), "{path}: {}", seen.text);
    serde_json::from_str(&seen.text).unwrap_or(Value::Null)
}

fn id(made: &Value) -> String {
    made["id"].as_str().expect("an id").to_owned()
}

/// Two worlds, their people, and letters that go over the desk of the first.
async fn two_worlds() -> (Stage, [Browser; 6]) {
    let stage = stage().await;
    stage.account("Admin").await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär", "Chimäre"]).await;
    let other = stage.world("Salzstrasse", "toy", &["Drache", "Einhorn"]).await;
    open_post(&stage, &world, true).await;
    let people = [
        stage.player("Mira", &world, 1).await,
        stage.player("Jonas", &world, 2).await,
        stage.player("Ruth", &world, 3).await,
        stage.game_master("Greta", &world).await,
        stage.player("Chris", &other, 1).await,
        stage.game_master("Clara", &other).await,
    ];
    (stage, people)
}

#[tokio::test]
async fn a_letter_is_there_for_its_writer_its_reader_and_the_desk_it_lies_on() {
    let (_stage, [mut mira, jonas, ruth, greta, chris, clara]) = two_worlds().await;
    let letters = "/api/v1/worlds/Nebelmark/letters";
    let draft = json!({ "to": [3], "subject": "Entwurf", "text": "Kommt allein." });
    let draft = id(&call(&mut mira, Method::POST, letters, draft).await);
    let sent = json!({ "to": [3], "subject": "Paß", "text": "Der Paß ist offen.", "send": true });
    let sent = call(&mut mira, Method::POST, letters, sent).await;
    assert_eq!(sent["state"], "desk");
    let sent = id(&sent);
    for letter in [&draft, &sent] {
        is_nothing("the other player", &jonas, LETTERS, "Nebelmark", letter).await;
        // Nor does the reader know of it before it is delivered.
        is_nothing("the reader", &ruth, LETTERS, "Nebelmark", letter).await;
        is_nothing("another world's player", &chris, LETTERS, "Salzstrasse", letter).await;
        is_nothing(
            "another world's game master",
            &clara,
            LEADS_LETTERS,
            "Salzstrasse",
            letter,
        )
        .await;
        is_nothing("another world's game master", &clara, DESK, "Salzstrasse", letter).await;
    }
    // What lies on his desk the game master reads; what is not sent he does not.
    is_nothing("the game master", &greta, LEADS_LETTERS, "Nebelmark", &draft).await;
    is_nothing("the game master", &greta, DESK, "Nebelmark", &draft).await;
    let now = call(&mut mira, Method::GET, &format!("{letters}/{draft}"), Value::Null).await;
    assert!(now.to_string().contains("Kommt allein."), "{now}");
    let now = call(&mut mira, Method::GET, &format!("{letters}/{sent}"), Value::Null).await;
    assert!(
        now.to_string().contains("Der Paß ist offen.") && now["letter"]["state"] == "desk",
        "{now}"
    );
}

#[tokio::test]
async fn an_article_is_there_for_its_author_and_the_editor_of_its_newspaper() {
    let (_stage, [mut mira, jonas, _, _, chris, clara]) = two_worlds().await;
    let articles = "/api/v1/worlds/Nebelmark/newspaper/articles";
    let article = json!({ "title": "Vom Paß", "text": "Er ist offen." });
    let article = id(&call(&mut mira, Method::POST, articles, article).await);
    is_nothing("the other player", &jonas, ARTICLES, "Nebelmark", &article).await;
    is_nothing("another world's player", &chris, ARTICLES, "Salzstrasse", &article).await;
    is_nothing("another world's editor", &clara, EDITOR, "Salzstrasse", &article).await;
    let now = call(&mut mira, Method::GET, &format!("{articles}/{article}"), Value::Null).await;
    assert!(now.to_string().contains("Er ist offen."), "{now}");
}

#[tokio::test]
async fn invitations_keys_sessions_and_stand_ins_end_by_the_hand_of_those_they_belong_to() {
    let (stage, [mut mira, mut jonas, _, mut greta, mut chris, mut clara]) = two_worlds().await;
    let invitations = "/api/v1/worlds/Nebelmark/lead/invitations";
    let made = call(
        &mut greta,
        Method::POST,
        invitations,
        json!({ "uses": 1, "note": "Ina" }),
    )
    .await;
    let code = made["code"].as_str().expect("a code").to_owned();
    let revoke = &[(Method::DELETE, "/api/v1/worlds/{world}/lead/invitations/{id}", JSON, "")];
    is_nothing("another world's game master", &clara, revoke, "Salzstrasse", &code).await;
    clara
        .post("/welt/Salzstrasse/leitung/einladung/zurueck", &[("code", &code)])
        .await;
    let now = stage.web.clock.now();
    assert!(
        stage.web.host.invitation(&code, now).await.unwrap().is_some(),
        "it still holds"
    );

    let account = stage.web.host.find_account("Mira").await.unwrap();
    let plan = host::token::NewToken {
        name: "Bot".into(),
        ..host::token::NewToken::default()
    };
    let token = stage.web.host.make_token(&account.id, &plan, now).await.unwrap();
    let session = stage.web.host.sessions(&account, now).await.unwrap().remove(0);
    for thief in [&mut jonas, &mut chris, &mut greta, &mut clara] {
        thief
            .post("/konto/schluessel/zurueck", &[("schluessel", &token.token.id)])
            .await;
        thief.post("/konto/sitzungen/ende", &[("sitzung", &session.id)]).await;
    }
    assert!(stage.web.host.token(&token.secret, now).await.unwrap().is_some());
    assert_eq!(mira.get("/konto").await.status, StatusCode::OK);

    // A stand-in of one realm is not ended by the ruler of another, nor by whoever leads another world.
    let ina = stage.account("Ina").await;
    let world = stage.web.host.world(Some("Nebelmark")).await.unwrap();
    let realm = kernel::realm::RealmId(1);
    let period = (now - 1, now + 60_000);
    stage
        .web
        .host
        .stand_in(&world, realm, &ina.id, period, now)
        .await
        .unwrap();
    jonas
        .post(
            "/welt/Nebelmark/sitz/vertretung",
            &[("tun", "ende"), ("konto", &ina.id)],
        )
        .await;
    clara
        .post(
            "/welt/Salzstrasse/leitung/reich/1/vertretung",
            &[("tun", "ende"), ("konto", &ina.id)],
        )
        .await;
    assert_eq!(stage.web.host.stand_ins(&world, now).await.unwrap().len(), 1);
    greta
        .post(
            "/welt/Nebelmark/leitung/reich/1/vertretung",
            &[("tun", "ende"), ("konto", &ina.id)],
        )
        .await;
    assert!(stage.web.host.stand_ins(&world, now).await.unwrap().is_empty());
}
