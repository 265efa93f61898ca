//! Who may do what: every route of the list, for everybody, as `docs/authorisation.md` says.

use crate::stage;
use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, StatusCode};
use std::collections::BTreeMap;
use web::routes::{Guard, Route, routes};
use web::testing::{Browser, Seen};

const WORLD: &str = "Nebelmark";
const ELSEWHERE: &str = "Salzstrasse";

/// The kinds of people there are, and in which column of the table each stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Who {
    Nobody,
    Stranger,
    OtherWorldsPlayer,
    OtherWorldsMaster,
    OtherPlayer,
    Player,
    GameMaster,
    Admin,
}

/// The columns of the table.
const COLUMNS: [&str; 7] = [
    "nobody",
    "signed in",
    "other world's",
    "other player",
    "player",
    "game master",
    "admin",
];

impl Who {
    fn column(self) -> usize {
        match self {
            Self::Nobody => 0,
            Self::Stranger => 1,
            Self::OtherWorldsPlayer | Self::OtherWorldsMaster => 2,
            Self::OtherPlayer => 3,
            Self::Player => 4,
            Self::GameMaster => 5,
            Self::Admin => 6,
        }
    }
}

/// What a route answers to somebody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    /// What it has for him.
    Open,
    /// As if there were none.
    Missing,
    /// He is asked to sign in.
    SignIn,
}

/// The rows of `docs/authorisation.md`: method and path to what each column gets. It is written by hand, beside the guards and
/// not from them, so that a guard that was chosen wrongly does not agree with itself.
fn table() -> BTreeMap<(String, String), Vec<Answer>> {
    let text = include_str!("../../../../docs/authorisation.md");
    let mut rows = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [method, path, answers @ ..] = cells.as_slice() else {
            panic!("{line}");
        };
        if method.is_empty() {
            assert_eq!(answers, COLUMNS, "{line}");
            continue;
        }
        if method.starts_with('-') {
            continue;
        }
        assert_eq!(answers.len(), COLUMNS.len(), "{line}");
        let answer = |cell: &&str| match *cell {
            "yes" | "own" | "token" => Answer::Open,
            "sign in" => Answer::SignIn,
            "" => Answer::Missing,
            other => panic!("{other:?} in {line}"),
        };
        let key = ((*method).to_owned(), path.trim_matches('`').to_owned());
        let before = rows.insert(key, answers.iter().map(answer).collect());
        assert!(before.is_none(), "{line} stands twice");
    }
    rows
}

#[test]
fn every_route_stands_in_the_table_and_every_row_is_a_route() {
    let mut rows = table();
    for route in routes() {
        let key = (route.method.to_string(), route.path.to_owned());
        assert!(
            rows.remove(&key).is_some(),
            "docs/authorisation.md does not say who may use {} {}",
            route.method,
            route.path
        );
    }
    assert_eq!(
        rows.keys().collect::<Vec<_>>(),
        Vec::<&(String, String)>::new(),
        "rows without a route"
    );
}

/// What they are called.
fn name(who: Who) -> &'static str {
    match who {
        Who::Nobody => "",
        Who::Stranger => "Fremder",
        Who::OtherWorldsPlayer => "Chris",
        Who::OtherWorldsMaster => "Clara",
        Who::OtherPlayer => "Jonas",
        Who::Player => "Mira",
        Who::GameMaster => "Greta",
        Who::Admin => "Admin",
    }
}

/// A path of the route in this world; other parameters get values that exist nowhere.
fn path(route: &Route, world: &str) -> String {
    let mut path = route.path.replace("{world}", world);
    while let (Some(from), Some(to)) = (path.find('{'), path.find('}')) {
        path.replace_range(from..=to, "1");
    }
    path
}

async fn ask(browser: &Browser, route: &Route, world: &str) -> Seen {
    // A copy: what an answer does to the cookies must not change the next question.
    let mut browser = browser.clone();
    let request = browser.request(route.method.clone(), &path(route, world));
    let (kind, body) = if route.call.is_some() {
        ("application/json", "{}")
    } else {
        ("application/x-www-form-urlencoded", "")
    };
    let request = request.header(CONTENT_TYPE, kind);
    browser.send(request.body(Body::from(body))).await
}

/// What is not there, as somebody sees it: a page, and a call of the JSON interface.
struct Nothing {
    page: Seen,
    call: Seen,
}

/// Everybody, and what is not there as each of them sees it.
async fn everybody() -> (web::testing::Stage, Vec<(Who, Browser, Nothing)>) {
    let stage = stage().await;
    let world = stage.world(WORLD, "toy", &["Adler", "Bär"]).await;
    let other = stage.world(ELSEWHERE, "toy", &["Chimäre", "Drache"]).await;
    // The first account keeps the host.
    stage.account(name(Who::Admin)).await;
    stage.account(name(Who::Stranger)).await;
    let people = [
        (Who::Nobody, stage.browser()),
        (Who::Admin, stage.browser_of(name(Who::Admin)).await),
        (Who::Stranger, stage.browser_of(name(Who::Stranger)).await),
        (
            Who::OtherWorldsPlayer,
            stage.player(name(Who::OtherWorldsPlayer), &other, 1).await,
        ),
        (
            Who::OtherWorldsMaster,
            stage.game_master(name(Who::OtherWorldsMaster), &other).await,
        ),
        (Who::OtherPlayer, stage.player(name(Who::OtherPlayer), &world, 2).await),
        (Who::Player, stage.player(name(Who::Player), &world, 1).await),
        (Who::GameMaster, stage.game_master(name(Who::GameMaster), &world).await),
    ];
    let mut with_missing = Vec::new();
    for (who, mut browser) in people {
        let page = browser.get("/gibt/es/nicht").await;
        assert_eq!(page.status, StatusCode::NOT_FOUND);
        let call = browser.get("/api/v1/gibt/es/nicht").await;
        // Without a key nothing is said about any call.
        let expected = match who {
            Who::Nobody => StatusCode::UNAUTHORIZED,
            _ => StatusCode::NOT_FOUND,
        };
        assert_eq!(call.status, expected);
        with_missing.push((who, browser, Nothing { page, call }));
    }
    (stage, with_missing)
}

#[tokio::test]
async fn every_route_opens_for_whom_the_table_says_and_is_missing_for_all_others() {
    let (stage, mut people) = everybody().await;
    let rows = table();
    for route in routes() {
        let answers = &rows[&(route.method.to_string(), route.path.to_owned())];
        for (who, browser, missing) in &mut people {
            let seen = ask(browser, &route, WORLD).await;
            // The form may have signed him out; the next question is his own again.
            let may_sign_out = route.method == Method::POST && route.call.is_none();
            if may_sign_out && !route.path.contains("{world}") && *who != Who::Nobody {
                *browser = stage.browser_of(name(*who)).await;
            }
            let what = format!("{} {} for {who:?}", route.method, route.path);
            let answer = answers[who.column()];
            if answer == Answer::Open {
                // A page whose only parameter is the world is there; a letter or turn that was made up need not be.
                let sure = route.path.matches('{').count() == route.path.matches("{world}").count();
                if sure && route.method == Method::GET && route.path != "/metrics" {
                    assert_ne!(seen.status, StatusCode::NOT_FOUND, "{what}");
                }
                assert!(!seen.status.is_server_error(), "{what}: {}", seen.status);
            } else if route.call.is_some() {
                assert_eq!(seen.status, missing.call.status, "{what}");
                assert_eq!(
                    seen.text, missing.call.text,
                    "{what}: a forbidden call is a missing call"
                );
                assert_eq!(seen.telling_headers(), missing.call.telling_headers(), "{what}");
            } else if answer == Answer::SignIn {
                assert_eq!(seen.status, StatusCode::SEE_OTHER, "{what}");
                assert!(seen.location().starts_with("/anmelden"), "{what}");
            } else {
                assert_eq!(seen.status, StatusCode::NOT_FOUND, "{what}");
                assert_eq!(
                    seen.text, missing.page.text,
                    "{what}: a forbidden page is a missing page"
                );
                assert_eq!(seen.telling_headers(), missing.page.telling_headers(), "{what}");
            }
        }
    }
}

#[tokio::test]
async fn a_world_that_exists_answers_strangers_like_one_that_does_not() {
    let (_stage, people) = everybody().await;
    for route in routes().into_iter().filter(|route| route.path.contains("{world}")) {
        for (who, browser, _) in people
            .iter()
            .filter(|(who, ..)| !matches!(who, Who::Player | Who::OtherPlayer | Who::GameMaster))
        {
            let there = ask(browser, &route, WORLD).await;
            let nowhere = ask(browser, &route, "Atlantis").await;
            let what = format!("{} {} for {who:?}", route.method, route.path);
            assert_eq!(there.status, nowhere.status, "{what}");
            assert_eq!(there.bytes, nowhere.bytes, "{what}");
            assert_eq!(there.telling_headers(), nowhere.telling_headers(), "{what}");
        }
    }
}

#[tokio::test]
async fn a_route_with_a_world_has_a_guard_for_it() {
    for route in routes() {
        let of_world = matches!(route.guard, Guard::Member | Guard::Seat | Guard::GameMaster);
        assert_eq!(
            route.path.contains("{world}"),
            of_world,
            "{} {}",
            route.method,
            route.path
        );
        assert!(route.path.starts_with('/'), "{}", route.path);
    }
}

#[tokio::test]
async fn a_stand_in_sees_the_seat_only_while_he_stands_in() {
    let stage = stage().await;
    let world = stage.world(WORLD, "toy", &["Adler", "Bär"]).await;
    stage.account("Admin").await;
    stage.player("Mira", &world, 1).await;
    let jonas = stage.account("Jonas").await;
    let mut browser = stage.browser_of("Jonas").await;
    let desk = format!("/welt/{WORLD}/");
    assert_eq!(browser.get(&desk).await.status, StatusCode::NOT_FOUND);
    let now = stage.web.clock.now();
    let period = (now, now + 60_000);
    let realm = kernel::realm::RealmId(1);
    stage
        .web
        .host
        .stand_in(&world, realm, &jonas.id, period, now)
        .await
        .unwrap();
    assert_eq!(browser.get(&desk).await.status, StatusCode::OK);
    stage.web.clock.advance(60_001);
    assert_eq!(browser.get(&desk).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn what_is_the_rulers_own_a_stand_in_neither_reads_nor_changes() {
    let (stage, world) = crate::nebelmark().await;
    let host = &stage.web.host;
    let ina = stage.account("Ina").await;
    let (realm, now) = (kernel::realm::RealmId(1), stage.web.clock.now());
    let period = (now, now + 60_000);
    host.stand_in(&world, realm, &ina.id, period, now).await.unwrap();
    let post = host.letters(&world, kernel::realm::Viewer::Realm(realm));
    let base = format!("/welt/{WORLD}");
    let api = format!("/api/v1/worlds/{WORLD}");
    // Arms and the custom of his letters are the ruler's, whether he opened his letters or not; what he writes for the newspaper goes with them.
    let never = [
        (Method::GET, format!("{base}/wappen")),
        (Method::POST, format!("{base}/wappen")),
        (Method::POST, format!("{base}/wappen/datei")),
        (Method::POST, format!("{base}/wappen/vergessen")),
        (Method::DELETE, format!("{api}/arms")),
        (Method::GET, format!("{base}/briefe/einstellungen")),
        (Method::POST, format!("{base}/briefe/einstellungen")),
        (Method::GET, format!("{api}/letter-settings")),
    ];
    let with_letters = [
        (Method::GET, format!("{base}/briefe/neu")),
        (Method::GET, format!("{base}/zeitung/einreichen")),
        (Method::GET, format!("{api}/newspaper/articles")),
    ];
    let mut ina = stage.browser_of("Ina").await;
    for opened in [false, true] {
        post.set_preferences(opened, "Mira").await.unwrap();
        for (method, path) in &never {
            let kind = match path.ends_with("datei") {
                true => "multipart/form-data; boundary=x",
                false => "application/x-www-form-urlencoded",
            };
            let body = "teilung=plain&feld=red&zweite=gold&figur=ohne&figurfarbe=gold";
            let request = ina.request(method.clone(), path).header(CONTENT_TYPE, kind);
            let seen = ina.send(request.body(Body::from(body))).await;
            assert_eq!(seen.status, StatusCode::NOT_FOUND, "{method} {path}");
        }
        for (method, path) in &with_letters {
            let request = ina.request(method.clone(), path);
            let seen = ina.send(request.body(Body::empty())).await;
            let expected = if opened { StatusCode::OK } else { StatusCode::NOT_FOUND };
            assert_eq!(seen.status, expected, "{method} {path}");
        }
        // No way leads where he may not go.
        for page in ["sitz", "", "briefe", "zeitung", "zeitung/ausgaben"] {
            let text = ina.get(&format!("{base}/{page}")).await.text;
            for way in ["/wappen\"", "/briefe/einstellungen\""] {
                assert!(!text.contains(way), "{page} leads to {way}");
            }
            assert!(opened || !text.contains("/zeitung/einreichen\""), "{page}");
        }
    }
    assert!(post.preferences().await.unwrap().stand_in);
}

#[tokio::test]
async fn figures_are_for_programs_with_the_token_and_for_the_keeper() {
    let settings = web::Settings {
        metrics_token: Some("geheim".into()),
        ..web::Settings::default()
    };
    let stage = web::testing::Stage::with(crate::games(), settings).await;
    let mut nobody = stage.browser();
    assert_eq!(nobody.get("/metrics").await.status, StatusCode::NOT_FOUND);
    nobody.headers.insert("authorization", "Bearer falsch".parse().unwrap());
    assert_eq!(nobody.get("/metrics").await.status, StatusCode::NOT_FOUND);
    nobody.headers.insert("authorization", "Bearer geheim".parse().unwrap());
    let seen = nobody.get("/metrics").await;
    assert_eq!(seen.status, StatusCode::OK);
    assert!(seen.text.contains("briefwelt_request_seconds"), "{}", seen.text);
    stage.account("Admin").await;
    let mut admin = stage.browser_of("Admin").await;
    assert_eq!(admin.get("/verwaltung/metrics").await.status, StatusCode::OK);
    assert_eq!(stage.browser().get("/healthz").await.text, "ok\n");
}

/// Whatever is not for everybody is kept nowhere, or only as long as the host is asked each time whether it may still be shown.
#[tokio::test]
async fn what_is_not_public_outlives_signing_out_in_no_cache() {
    let (stage, world) = crate::nebelmark().await;
    let mut drawing = String::from("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 10 10\">");
    drawing += "<path d=\"M0 0h10v10z\"/></svg>";
    let paper = stage
        .web
        .host
        .newspaper(&world, kernel::realm::Viewer::Realm(kernel::realm::RealmId(1)));
    let article = host::newspaper::Manuscript {
        title: "Ente".into(),
        body: "Eine Ente.".into(),
        picture: Some(drawing.into_bytes()),
        ..host::newspaper::Manuscript::default()
    };
    paper.submit(&article).await.unwrap();
    let articles = paper.submissions().await.unwrap();
    let picture = articles[0].picture.as_ref().unwrap().0.clone();
    let (mut mira, greta, admin) = (
        stage.browser_of("Mira").await,
        stage.browser_of("Greta").await,
        stage.browser_of("Admin").await,
    );
    let mut kept = 0;
    let secret = routes();
    let secret = secret
        .iter()
        .filter(|route| route.method == Method::GET && route.guard != Guard::Anyone);
    for route in secret {
        let browser = match route.guard {
            Guard::GameMaster => &greta,
            Guard::Admin => &admin,
            _ => &mira,
        };
        let seen = ask(browser, route, WORLD).await;
        let caching = seen.headers.get("cache-control").unwrap().to_str().unwrap();
        kept += usize::from(caching == "private, no-cache");
        assert!(
            ["no-store", "private, no-cache"].contains(&caching),
            "{} {}: {caching}",
            route.path,
            seen.status
        );
    }
    assert!(kept > 3, "{kept}");
    // A picture that the browser has is shown again as long as its owner may see it.
    for way in [
        format!("/welt/{WORLD}/zeitung/bild/{picture}"),
        format!("/welt/{WORLD}/wappen/1"),
    ] {
        let seen = mira.get(&way).await;
        assert_eq!(seen.status, StatusCode::OK, "{way}");
        assert_eq!(seen.headers.get("cache-control").unwrap(), "private, no-cache");
        let tag = seen.headers.get("etag").unwrap().clone();
        mira.headers.insert("if-none-match", tag);
        assert_eq!(mira.get(&way).await.status, StatusCode::NOT_MODIFIED, "{way}");
        let mut gone = mira.clone();
        gone.cookies.clear();
        assert_eq!(gone.get(&way).await.status, StatusCode::NOT_FOUND, "{way}");
        mira.headers.clear();
    }
}
