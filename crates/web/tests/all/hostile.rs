//! What a hostile visitor tries.

use crate::stage;
use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{Method, StatusCode};
use host::membership::Admission;
use std::net::IpAddr;
use web::routes::{Guard, routes};
use web::testing::PASSWORD;

/// A path of a route; where it has gaps stand values that exist nowhere but for the world.
fn filled(path: &str) -> String {
    let mut path = path.replace("{world}", "Nebelmark");
    while let (Some(from), Some(to)) = (path.find('{'), path.find('}')) {
        path.replace_range(from..=to, "1");
    }
    path
}

const SCRIPT: &str = "\"><script>alert(1)</script><img src=x onerror=alert(1)>'`{{7*7}}";

/// Whether nothing of what was written became markup.
fn harmless(text: &str) -> bool {
    [
        "<script>",
        "</script><",
        "<img src=x",
        "\"><script",
        "onerror=alert(1)>\"",
    ]
    .iter()
    .all(|markup| !text.contains(markup))
}

#[tokio::test]
async fn a_script_in_a_text_field_is_text() {
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
        .set_admission(&world, Admission::Public, SCRIPT)
        .await
        .unwrap();
    let mut mira = stage.browser();
    let name = "<script>alert(1)</script>";
    let fields = [("name", name), ("post", "mira@example.org"), ("kennwort", PASSWORD)];
    assert_eq!(mira.post("/registrieren", &fields).await.status, StatusCode::SEE_OTHER);
    let realm = "<img src=x onerror=alert(1)>";
    let joined = mira
        .submit("/beitreten/Nebelmark", &[("reich", "1"), ("name", realm)])
        .await;
    assert!(joined.text.contains("alert(1)"), "the name is shown: {}", joined.text);
    let mut pages = vec![joined];
    for path in [
        "/",
        "/beitreten/Nebelmark",
        "/konto",
        "/welten",
        "/welt/Nebelmark/",
        "/konto/loeschen",
    ] {
        let seen = mira.get(path).await;
        assert_eq!(seen.status, StatusCode::OK, "{path}");
        assert!(seen.text.contains("alert(1)"), "{path} shows what was written");
        pages.push(seen);
    }
    // Forms that come back with what was typed.
    let mut nobody = stage.browser();
    pages.push(
        nobody
            .post("/anmelden", &[("name", SCRIPT), ("kennwort", "x"), ("weiter", SCRIPT)])
            .await,
    );
    pages.push(
        nobody
            .post(
                "/registrieren",
                &[("name", SCRIPT), ("post", SCRIPT), ("kennwort", "x")],
            )
            .await,
    );
    let encoded = "%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E";
    pages.push(nobody.get(&format!("/einladung?code={encoded}")).await);
    pages.push(
        nobody
            .get(&format!("/registrieren?weiter=/{encoded}&einladung={encoded}"))
            .await,
    );
    pages.push(nobody.get(&format!("/anmelden?weiter=/{encoded}")).await);
    pages.push(nobody.get(&format!("/anmelden/link/{encoded}")).await);
    pages.push(nobody.get(&format!("/{encoded}")).await);
    nobody.cookies.insert(
        "meldung".into(),
        format!("1.flash%2Ejoined.realm.{encoded}.world.{encoded}"),
    );
    pages.push(nobody.get("/").await);
    for page in pages {
        assert!(harmless(&page.text), "{}", page.text);
        let policy = page.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"));
    }
}

#[tokio::test]
async fn no_page_has_a_script_or_style_within() {
    let stage = stage().await;
    stage.account("Admin").await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    let mut mira = stage.player("Mira", &world, 1).await;
    for path in ["/", "/konto", "/welten", "/welt/Nebelmark/", "/einladung", "/nichts"] {
        let text = mira.get(path).await.text;
        assert!(
            !text.contains("<style") && !text.contains(" style=") && !text.contains(" onclick="),
            "{path}"
        );
        for script in text.split("<script").skip(1) {
            assert!(script.starts_with(" src=\"/assets/"), "{path}: {script}");
        }
    }
}

#[tokio::test]
async fn a_letter_that_no_text_has_names_nothing() {
    let stage = stage().await;
    stage.account("Admin").await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    let mut mira = stage.player("Mira", &world, 1).await;
    let missing = mira.get("/nichts").await;
    for path in [
        "/welt/Nebel%00mark/",
        "/welt/Nebelmark/regeln?q=%00",
        "/einladung?code=%00",
        "/anmelden/link/%00",
    ] {
        let seen = mira.get(path).await;
        assert_eq!(seen.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(seen.text, missing.text, "{path}");
    }
    let name = mira.post("/konto/schluessel", &[("name", "a\0b")]).await;
    assert_eq!(name.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_form_on_another_site_does_nothing() {
    let stage = stage().await;
    stage.account("Mira").await;
    let mut browser = stage.browser_of("Mira").await;
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("origin", "https://example.org"),
    ] {
        let mut hostile = browser.clone();
        hostile.headers.insert(name, value.parse().unwrap());
        for path in ["/konto/sitzungen/alle", "/konto/loeschen", "/abmelden"] {
            let seen = hostile.post(path, &[("name", "Mira")]).await;
            assert_eq!(seen.status, StatusCode::FORBIDDEN, "{path} with {name}: {value}");
            assert!(seen.text.contains("fremden Seite"));
        }
    }
    assert_eq!(
        browser.get("/konto").await.status,
        StatusCode::OK,
        "still there, still signed in"
    );
    // The browser's own forms say where they come from, too.
    browser
        .headers
        .insert("origin", "http://briefwelt.test".parse().unwrap());
    browser.headers.insert("sec-fetch-site", "same-origin".parse().unwrap());
    assert_eq!(browser.post("/abmelden", &[]).await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn no_address_that_writes_takes_anything_from_another_site() {
    let stage = stage().await;
    stage.account("Admin").await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    let people = [
        stage.browser_of("Admin").await,
        stage.player("Mira", &world, 1).await,
        stage.game_master("Greta", &world).await,
    ];
    for route in routes().into_iter().filter(|route| route.method != Method::GET) {
        let path = filled(route.path);
        for browser in &people {
            for (name, value) in [("origin", "https://example.org"), ("sec-fetch-site", "cross-site")] {
                let mut hostile = browser.clone();
                hostile.headers.insert(name, value.parse().unwrap());
                let request = hostile.request(route.method.clone(), &path);
                // What a form on another site can send without asking first.
                let request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded");
                let seen = hostile.send(request.body(Body::from("tun=1"))).await;
                assert_eq!(
                    seen.status,
                    StatusCode::FORBIDDEN,
                    "{} {path} with {name}",
                    route.method
                );
            }
        }
    }
}

#[tokio::test]
async fn every_address_has_a_bound_for_what_it_takes() {
    let stage = stage().await;
    stage.account("Admin").await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    let (mut admin, mut mira) = (stage.browser_of("Admin").await, stage.player("Mira", &world, 1).await);
    let mut greta = stage.game_master("Greta", &world).await;
    for route in routes().into_iter().filter(|route| route.method != Method::GET) {
        let browser = match route.guard {
            Guard::GameMaster => &mut greta,
            Guard::Admin => &mut admin,
            _ => &mut mira,
        };
        // Nothing that a person or program sends needs more.
        assert!(route.body_max <= 9 * 1024 * 1024, "{}", route.path);
        let request = browser.request(route.method.clone(), &filled(route.path));
        let request = request
            .header(CONTENT_LENGTH, route.body_max + 1)
            .header(CONTENT_TYPE, "application/json");
        let seen = browser.send(request.body(Body::empty())).await;
        assert_eq!(
            seen.status,
            StatusCode::PAYLOAD_TOO_LARGE,
            "{} {}",
            route.method,
            route.path
        );
    }
}

#[tokio::test]
async fn what_is_packed_is_not_unpacked() {
    let stage = stage().await;
    stage.account("Mira").await;
    let mut browser = stage.browser();
    // An empty packed file: whoever would unpack it could be given one that holds a thousand times its size.
    let packed: &[u8] = &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let request = browser
        .request(Method::POST, "/anmelden")
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header("content-encoding", "gzip");
    let seen = browser.send(request.body(Body::from(packed))).await;
    assert!(seen.status.is_client_error(), "{}", seen.status);
    assert!(!browser.cookies.contains_key("sitzung"));
}

#[tokio::test]
async fn half_a_head_is_not_waited_for_long() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let stage = stage().await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    let serving = tokio::spawn(web::serve(listener, stage.web.clone(), async {
        let _ = ended.await;
    }));
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    stream
        .write_all(b"GET / HTTP/1.1\r\nHost: briefwelt.test\r\nX-Slow: ")
        .await
        .unwrap();
    // From now on time passes as soon as everybody waits.
    tokio::time::pause();
    let begun = tokio::time::Instant::now();
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest).await;
    let waited = begun.elapsed().as_secs();
    assert!((10..=16).contains(&waited), "after {waited} seconds");
    let rest = String::from_utf8_lossy(&rest);
    assert!(rest.is_empty() || rest.starts_with("HTTP/1.1 408"), "{rest}");
    drop(end);
    serving.await.unwrap().unwrap();
}

#[tokio::test]
async fn one_account_cannot_write_without_end() {
    let stage = stage().await;
    stage.account("Mira").await;
    let mut browser = stage.browser_of("Mira").await;
    let account = stage.web.host.find_account("Mira").await.unwrap().id;
    // As if it had written without a pause for an hour to come: no pause of the test itself gives tries back.
    let later = stage.web.clock.now() + 3_600_000;
    let taken = (0..).take_while(|_| stage.web.limits.writing.take_named(&account, later).is_ok());
    assert_eq!(taken.count(), 300);
    let seen = browser.post("/konto", &[("sprache", "en")]).await;
    assert_eq!(seen.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(seen.headers.contains_key("retry-after"));
    assert_eq!(browser.get("/konto").await.status, StatusCode::OK, "reading goes on");
    stage.account("Jonas").await;
    let mut other = stage.browser_of("Jonas").await;
    assert_eq!(
        other.post("/konto/sitzungen/alle", &[]).await.status,
        StatusCode::SEE_OTHER
    );
}

#[tokio::test]
async fn a_planted_session_is_worth_nothing_after_signing_in() {
    let stage = stage().await;
    stage.account("Mira").await;
    let mut browser = stage.browser();
    let planted = "0123456789abcdef".repeat(4);
    browser.cookies.insert("sitzung".into(), planted.clone());
    let fields = [("name", "Mira"), ("kennwort", PASSWORD)];
    assert_eq!(browser.post("/anmelden", &fields).await.status, StatusCode::SEE_OTHER);
    assert_ne!(browser.cookies["sitzung"], planted);
    let mut thief = stage.browser();
    thief.cookies.insert("sitzung".into(), planted);
    assert_eq!(thief.get("/konto").await.status, StatusCode::SEE_OTHER);
    // Nor is it after a sign-up or a login link.
    let mut fresh = stage.browser();
    fresh.cookies.insert("sitzung".into(), "0123456789abcdef".repeat(4));
    let new = [("name", "Neu"), ("post", "neu@example.org"), ("kennwort", PASSWORD)];
    assert_eq!(fresh.post("/registrieren", &new).await.status, StatusCode::SEE_OTHER);
    assert_ne!(fresh.cookies["sitzung"], "0123456789abcdef".repeat(4));
    let now = stage.web.clock.now();
    let link = stage.web.host.login_link("Mira", None, now).await.unwrap();
    let (_, token) = link.expect("an account with an address");
    let mut linked = stage.browser();
    linked.cookies.insert("sitzung".into(), "fedcba9876543210".repeat(4));
    let seen = linked.post(&format!("/anmelden/link/{token}"), &[]).await;
    assert_eq!(seen.status, StatusCode::SEE_OTHER);
    assert_ne!(linked.cookies["sitzung"], "fedcba9876543210".repeat(4));
    // A session of one's own, planted on somebody else, does not become his either.
    stage.account("Eve").await;
    let mut eve = stage.browser_of("Eve").await;
    let mut victim = eve.clone();
    victim.post("/anmelden", &fields).await;
    assert_ne!(victim.cookies["sitzung"], eve.cookies["sitzung"]);
    assert!(eve.get("/konto").await.text.contains("value=\"Eve\""));
}

#[tokio::test]
async fn the_session_cookie_is_out_of_reach_of_scripts_and_other_sites() {
    for (url, name, secure) in [
        ("http://briefwelt.test", "sitzung=", false),
        ("https://briefwelt.test", "__Host-sitzung=", true),
    ] {
        let settings = web::Settings {
            public_url: url.into(),
            ..web::Settings::default()
        };
        let stage = web::testing::Stage::with(crate::games(), settings).await;
        stage.account("Mira").await;
        let seen = stage
            .browser()
            .post("/anmelden", &[("name", "Mira"), ("kennwort", PASSWORD)])
            .await;
        let cookies = seen
            .headers
            .get_all("set-cookie")
            .iter()
            .map(|cookie| cookie.to_str().unwrap());
        let session = cookies
            .into_iter()
            .find(|cookie| cookie.starts_with(name))
            .expect("a session cookie");
        assert!(session.contains("HttpOnly") && session.contains("SameSite=Lax") && session.contains("Path=/"));
        assert_eq!(session.contains("Secure"), secure, "{session}");
        assert_eq!(seen.headers.contains_key("strict-transport-security"), secure);
    }
}

#[tokio::test]
async fn guessing_a_password_is_slowed_down_and_tells_nothing() {
    let stage = stage().await;
    stage.account("Mira").await;
    let guess = |name: &'static str, number: u8| {
        let mut browser = stage.browser();
        browser.address = IpAddr::from([198, 51, 100, number]);
        async move {
            browser
                .post("/anmelden", &[("name", name), ("kennwort", "geraten geraten")])
                .await
        }
    };
    let (there, nowhere) = (guess("Mira", 1).await, guess("Niemand", 1).await);
    assert_eq!(
        (there.status, nowhere.status),
        (StatusCode::UNAUTHORIZED, StatusCode::UNAUTHORIZED)
    );
    assert_eq!(there.text.replace("Mira", "Niemand"), nowhere.text);
    // From ever new addresses: the account itself is guarded.
    let mut last = there;
    for number in 0..40 {
        last = guess("Mira", number).await;
        if last.status == StatusCode::TOO_MANY_REQUESTS {
            break;
        }
    }
    assert_eq!(last.status, StatusCode::TOO_MANY_REQUESTS, "at most forty guesses");
    // The owner waits, and then gets in.
    stage.web.clock.advance(24 * 60 * 60_000);
    let seen = stage
        .browser()
        .post("/anmelden", &[("name", "Mira"), ("kennwort", PASSWORD)])
        .await;
    assert_eq!(seen.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn one_address_cannot_guess_at_everybody() {
    let stage = stage().await;
    let mut browser = stage.browser();
    let mut refused = 0;
    for number in 0..60 {
        let name = format!("Niemand{number}");
        let seen = browser.post("/anmelden", &[("name", &name), ("kennwort", "x")]).await;
        refused += u32::from(seen.status == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(refused >= 40, "{refused} of sixty were refused");
    let seen = browser
        .post("/anmelden", &[("name", "Niemand"), ("kennwort", "x")])
        .await;
    assert!(seen.headers.contains_key("retry-after") || seen.text.contains("Zu viele Versuche"));
}

#[tokio::test]
async fn a_visitor_chooses_his_address_neither_with_a_proxy_nor_without_one() {
    for trust_proxy in [false, true] {
        let settings = web::Settings {
            public_url: "http://briefwelt.test".into(),
            open_sign_up: true,
            trust_proxy,
            ..web::Settings::default()
        };
        let stage = web::testing::Stage::with(crate::games(), settings).await;
        let tries = async |forwarded: &[String]| {
            let mut browser = stage.browser();
            for addresses in forwarded {
                browser.headers.append("x-forwarded-for", addresses.parse().unwrap());
            }
            browser
                .post("/registrieren", &[("name", ""), ("post", ""), ("kennwort", "")])
                .await
                .status
        };
        // Only what the proxy itself adds at the end counts, or nothing at all.
        for number in 0..10 {
            let status = tries(&[format!("10.0.0.{number}, 203.0.113.7")]).await;
            assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{number}");
        }
        let again = ["10.0.0.99, 203.0.113.7".to_owned()];
        assert_eq!(tries(&again).await, StatusCode::TOO_MANY_REQUESTS);
        let twice = ["203.0.113.9".to_owned(), "203.0.113.7".to_owned()];
        assert_eq!(tries(&twice).await, StatusCode::TOO_MANY_REQUESTS);
        let expected = match trust_proxy {
            true => StatusCode::UNPROCESSABLE_ENTITY,
            false => StatusCode::TOO_MANY_REQUESTS,
        };
        assert_eq!(tries(&["203.0.113.8".to_owned()]).await, expected, "another visitor");
        assert_eq!(
            tries(&["not an address".to_owned()]).await,
            expected,
            "the proxy itself"
        );
    }
}

#[tokio::test]
async fn what_is_too_large_is_refused_before_it_is_read() {
    let stage = stage().await;
    let mut browser = stage.browser();
    let request = browser.request(Method::POST, "/anmelden");
    let request = request
        .header(CONTENT_LENGTH, "100000000")
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded");
    let seen = browser.send(request.body(Body::empty())).await;
    assert_eq!(seen.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert!(seen.text.contains("Das ist zu groß"));
    // Without a length it is cut off where the limit is.
    let big = "name=".to_owned() + &"x".repeat(100_000);
    let chunks = big.into_bytes().chunks(1_000).map(<[u8]>::to_vec).collect::<Vec<_>>();
    let body = Body::new(Chunks(chunks.into_iter()));
    let seen = browser
        .post_bytes("/anmelden", "application/x-www-form-urlencoded", body)
        .await;
    assert_eq!(seen.status, StatusCode::PAYLOAD_TOO_LARGE);
}

/// A body of unknown length.
struct Chunks(std::vec::IntoIter<Vec<u8>>);

impl axum::body::HttpBody for Chunks {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<http_body::Frame<Bytes>, Self::Error>>> {
        std::task::Poll::Ready(self.0.next().map(|chunk| Ok(http_body::Frame::data(chunk.into()))))
    }
}

/// A body that never comes.
struct Silence;

impl axum::body::HttpBody for Silence {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<http_body::Frame<Bytes>, Self::Error>>> {
        std::task::Poll::Pending
    }
}

#[tokio::test]
async fn a_body_that_does_not_come_is_not_waited_for_long() {
    let stage = stage().await;
    let mut browser = stage.browser();
    // From now on time passes as soon as everybody waits.
    tokio::time::pause();
    let begun = tokio::time::Instant::now();
    let body = Body::new(Silence);
    let seen = browser
        .post_bytes("/anmelden", "application/x-www-form-urlencoded", body)
        .await;
    assert_eq!(seen.status, StatusCode::REQUEST_TIMEOUT);
    assert!(seen.text.contains("Das dauerte zu lange"));
    assert_eq!(begun.elapsed().as_secs(), 30);
}

#[tokio::test]
async fn tricks_with_paths_find_nothing() {
    let stage = stage().await;
    stage.account("Admin").await;
    stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    let mut nobody = stage.browser();
    let missing = nobody.get("/nichts").await;
    let base = web::assets::base();
    for path in [
        "/welt/Nebelmark/../../etc/passwd",
        "/welt/%2e%2e/",
        "/welt/..%2f..%2fetc%2fpasswd/",
        "/welt/Nebelmark'%20OR%201=1--/",
        "/welt/%00/",
        "/welt/%FF/",
        "//example.org/",
        "/welt/Nebelmark;a=b/",
    ] {
        let seen = nobody.get(path).await;
        assert!(
            seen.status == StatusCode::NOT_FOUND || seen.status == StatusCode::BAD_REQUEST,
            "{path}: {}",
            seen.status
        );
        if seen.status == StatusCode::NOT_FOUND {
            assert_eq!(seen.text, missing.text, "{path}");
        }
    }
    for name in [
        "../Cargo.toml",
        "..%2fCargo.toml",
        "fonts/../../Cargo.toml",
        "",
        "tokens.css/",
        "%2e%2e/src/lib.rs",
    ] {
        let seen = nobody.get(&format!("{base}{name}")).await;
        assert_eq!(seen.status, StatusCode::NOT_FOUND, "{name}");
    }
    let seen = nobody.get(&format!("{base}tokens.css")).await;
    assert_eq!(seen.status, StatusCode::OK);
    assert!(seen.headers["cache-control"].to_str().unwrap().contains("immutable"));
}

#[tokio::test]
async fn nonsense_is_answered_not_crashed_on() {
    let stage = stage().await;
    stage.account("Mira").await;
    let mut browser = stage.browser_of("Mira").await;
    let form = "application/x-www-form-urlencoded";
    for (path, kind, body) in [
        ("/anmelden", form, ""),
        ("/anmelden", form, "name=%FF%FE&kennwort=%00"),
        ("/anmelden", "application/json", "{}"),
        ("/anmelden", "multipart/form-data", "x"),
        ("/registrieren", form, "name=a&name=b&post=c&kennwort=d"),
        ("/konto", form, "sprache=%00"),
        ("/beitreten/%FF", form, "reich=99999999999999999999"),
        ("/einladung", form, "reich=-1&code=%00"),
        ("/einstellung/licht", form, "licht=%00%0d%0aSet-Cookie:x=y"),
    ] {
        let seen = browser.post_bytes(path, kind, body).await;
        assert!(!seen.status.is_server_error(), "{path} {body}: {}", seen.status);
        assert!(!seen.text.contains("Failed to"), "no detail: {}", seen.text);
    }
    browser.cookies.insert("sitzung".into(), "x".repeat(5_000));
    assert_eq!(browser.get("/").await.status, StatusCode::OK);
    browser.cookies.insert("sprache".into(), "%00".into());
    browser.cookies.insert("licht".into(), "\"><script>".into());
    let seen = browser.get("/").await;
    assert!(seen.status == StatusCode::OK && !seen.text.contains("<script>"));
}
