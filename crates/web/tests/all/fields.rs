//! What somebody writes into any field of any form never becomes markup on any page of anybody.
//!
//! The test finds the forms by itself: it walks through the pages of a player, a game master and the keeper of the host, fills
//! every field of every form with what means no good, presses every button, and then everybody walks through everything.

use crate::html::{Form, foreign, forms, links};
use crate::{open_post, stage};
use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, StatusCode};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use web::routes::routes;
use web::testing::{Browser, Seen};

/// Markup, marks of Markdown and pieces of SQL; the word in front shows where it arrived.
const POISON: &str = "GIFT\"'><xss-probe onfocus=alert(1)><script>alert(1)</script>'; DROP TABLE accounts; --";
const MARKS: &str = "[GIFT](javascript:alert(1)) ![GIFT](javascript:alert(1)) <javascript:alert(1)> **<b onfocus=alert(1)>** `<xss-probe>`";
/// The same for fields that take a name.
const SHORT: &str = "GIFT\"'><xss-probe onfocus=a>";

/// Pages of one kind that are visited.
const ALIKE: usize = 3;

/// Forms that would end the test: they sign out, delete, lock or unseat those who walk. Their fields are tried by themselves.
const LEFT_OUT: [&str; 8] = [
    "/abmelden",
    "/konto/loeschen",
    "/konto/sitzungen/ende",
    "/konto/sitzungen/alle",
    "/verwaltung/konten/{account}",
    "/welt/{world}/leitung/reich/{realm}/sitz",
    "/welt/{world}/leitung/ruecknahme",
    "/neue-welt/verwerfen",
];

/// Forms that are buttons alone, on pages that need more than was done here.
const NO_TEXT: [&str; 10] = [
    "/anmelden/link/{token}",
    "/verwaltung/arbeit/{job}",
    "/verwaltung/post/{mail}",
    "/welt/{world}/leitung/einladung/zurueck",
    "/welt/{world}/leitung/frist/entschuldigen",
    "/welt/{world}/leitung/frist/pause/zurueck",
    "/welt/{world}/leitung/urteil/zurueck",
    "/welt/{world}/sitz/wahl",
    "/welt/{world}/wappen",
    "/welt/{world}/wappen/vergessen",
];

/// An address without what differs between pages of one kind.
fn kind(way: &str) -> String {
    let path = way.split('?').next().unwrap_or_default();
    let part = |part: &str| {
        let id = part.len() >= 16 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
        match id || part.bytes().all(|byte| byte.is_ascii_digit()) {
            true => "*".to_owned(),
            false => part.to_owned(),
        }
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// The route that an address belongs to.
fn route_of(path: &str) -> Option<&'static str> {
    let path = path.split('?').next().unwrap_or_default();
    let fits = |pattern: &str| {
        let (mut parts, mut of) = (path.split('/'), pattern.split('/'));
        loop {
            match (parts.next(), of.next()) {
                (None, None) => return true,
                (Some(part), Some(of)) if part == of || of.starts_with('{') => {}
                _ => return false,
            }
        }
    };
    let all = routes().into_iter().filter(|route| route.method == Method::POST);
    let mut found: Vec<&'static str> = all.map(|route| route.path).filter(|path| fits(path)).collect();
    // The one with the fewest gaps is meant.
    found.sort_by_key(|path| path.matches('{').count());
    found.first().copied()
}

/// Whether what a form of this route does must not be done twice.
fn counts_once(path: &str) -> bool {
    let mut all = routes().into_iter();
    all.any(|route| route.method == Method::POST && route.path == path && route.once)
}

fn check(who: &str, way: &str, seen: &Seen) {
    assert!(!seen.status.is_server_error(), "{who}: {way} answers {}", seen.status);
    let kind = seen.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.unwrap_or_default();
    if (kind.starts_with("text/html") || kind.starts_with("image/svg"))
        && let Some(found) = foreign(&seen.text)
    {
        panic!("{who}: {way} has {found}");
    }
}

/// Walks along every link; tells every page to the listener.
async fn walk(who: &str, browser: &mut Browser, from: &[&str], hear: &mut dyn FnMut(&str, &Seen)) {
    let mut ways: VecDeque<String> = from.iter().map(|way| (*way).to_owned()).collect();
    let mut known: BTreeSet<String> = ways.iter().cloned().collect();
    let mut alike = BTreeMap::<String, usize>::new();
    while let Some(way) = ways.pop_front() {
        let count = alike.entry(kind(&way)).or_default();
        *count += 1;
        if *count > ALIKE {
            continue;
        }
        let seen = browser.get(&way).await;
        check(who, &way, &seen);
        for link in links(&seen.text) {
            if known.insert(link.clone()) {
                ways.push_back(link);
            }
        }
        hear(&way, &seen);
    }
}

async fn send(
    browser: &mut Browser,
    form: &Form,
    button: Option<&(String, String, Option<String>)>,
    text: &str,
) -> Seen {
    let mut fields: Vec<(String, String)> = form.others.clone();
    fields.extend(form.texts.iter().map(|name| (name.clone(), text.to_owned())));
    let mut action = form.action.clone();
    if let Some((name, value, own)) = button {
        if !name.is_empty() {
            fields.push((name.clone(), value.clone()));
        }
        action = own.clone().unwrap_or(action);
    }
    if form.multipart {
        let mut body = String::new();
        for (name, value) in &fields {
            body += &format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
        }
        body += "--x--\r\n";
        return browser
            .post_bytes(&action, "multipart/form-data; boundary=x", Body::from(body))
            .await;
    }
    let fields: Vec<(&str, &str)> = fields
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    browser.post(&action, &fields).await
}

/// Fills every form that can be reached; tells which routes took one.
async fn fill(who: &str, browser: &mut Browser, from: &[&str], tried: &mut BTreeSet<&'static str>, fields: &mut usize) {
    let mut found: BTreeMap<(String, Vec<String>, String), Form> = BTreeMap::new();
    walk(who, browser, from, &mut |way, seen| {
        for mut form in forms(&seen.text) {
            if form.action.is_empty() {
                form.action = way.to_owned();
            }
            let buttons: Vec<&str> = form.buttons.iter().map(|(_, value, _)| value.as_str()).collect();
            found
                .entry((kind(&form.action), form.texts.clone(), buttons.join(" ")))
                .or_insert(form);
        }
    })
    .await;
    for form in found.values() {
        let mut buttons: Vec<Option<_>> = form.buttons.iter().map(Some).collect();
        if buttons.is_empty() {
            buttons.push(None);
        }
        for button in buttons {
            let action = button
                .and_then(|(.., own)| own.clone())
                .unwrap_or_else(|| form.action.clone());
            let Some(route) = route_of(&action) else {
                panic!("{who}: a form leads to {action}");
            };
            // Of the steps towards a new world only the last does something that must not be done twice.
            let founding = action.starts_with("/neue-welt/") && !action.starts_with("/neue-welt/siegel");
            assert!(
                !counts_once(route) || founding || action.contains("einmal="),
                "{who}: the form to {action} has no number"
            );
            if LEFT_OUT.contains(&route) {
                continue;
            }
            tried.insert(route);
            *fields += form.texts.len();
            for text in [POISON, MARKS, SHORT] {
                let mut seen = send(browser, form, button, text).await;
                check(who, &action, &seen);
                if seen.status.is_redirection() {
                    let to = seen.location().to_owned();
                    seen = browser.get(&to).await;
                    check(who, &to, &seen);
                }
            }
        }
    }
}

#[tokio::test]
async fn no_field_of_any_form_becomes_markup_for_anybody() {
    let stage = stage().await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    stage.account("Verwalter").await;
    let mut mira = stage.player("Mira", &world, 1).await;
    let mut jonas = stage.player("Jonas", &world, 2).await;
    let mut greta = stage.game_master("Greta", &world).await;
    open_post(&stage, &world, true).await;
    let mut keeper = stage.browser_of("Verwalter").await;
    let mut nobody = stage.browser();
    // Another world that anybody may join, by invitation or from the list.
    let open = stage.world("Salz", "toy", &["Chimäre", "Drache"]).await;
    for realm in [1, 2] {
        let realm = kernel::realm::RealmId(realm);
        stage.web.host.vacate_seat(&open, realm).await.unwrap();
    }
    let public = host::membership::Admission::Public;
    stage.web.host.set_admission(&open, public, POISON).await.unwrap();
    let new = host::membership::NewInvitation {
        to: host::membership::Invited::Player,
        uses: 9,
        note: SHORT.into(),
        expires_at: None,
    };
    let invitation = stage
        .web
        .host
        .invite(&open, &new, None, stage.web.clock.now())
        .await
        .unwrap();
    let invitation = format!("/einladung?code={}", invitation.code);
    let desk = [
        "/welt/Nebelmark/",
        "/beitreten/Salz",
        invitation.as_str(),
        "/welten",
        "/konto",
        "/welt/Nebelmark/wappen",
    ];
    let lead = [
        "/welt/Nebelmark/leitung",
        "/welt/Nebelmark/leitung/briefe",
        "/welten",
        "/neue-welt",
    ];
    // A letter that the game master can read, put away and answer.
    let letter = [("an", "0"), ("betreff", SHORT), ("text", POISON), ("tun", "siegeln")];
    check(
        "Mira",
        "letter",
        &mira.submit("/welt/Nebelmark/briefe/neu", &letter).await,
    );
    let (mut tried, mut fields) = (BTreeSet::new(), 0);
    fill("Mira", &mut mira, &desk, &mut tried, &mut fields).await;
    fill("Greta", &mut greta, &lead, &mut tried, &mut fields).await;
    fill("Jonas", &mut jonas, &desk, &mut tried, &mut fields).await;
    fill(
        "Verwalter",
        &mut keeper,
        &["/verwaltung", "/konto"],
        &mut tried,
        &mut fields,
    )
    .await;
    fill(
        "nobody",
        &mut nobody,
        &["/", "/anmelden", "/registrieren", "/einladung"],
        &mut tried,
        &mut fields,
    )
    .await;
    // A second time: what was written brings forms of its own, such as those of a draft or of an article.
    fill("Mira", &mut mira, &desk, &mut tried, &mut fields).await;
    fill("Greta", &mut greta, &lead, &mut tried, &mut fields).await;
    // What only scripts send, or pages that the toy game has not.
    for (path, name) in [
        ("/welt/Nebelmark/befehle/hilfe", "text"),
        ("/welt/Nebelmark/befehle/zeile", "text"),
        ("/welt/Nebelmark/karte/weg", "heer"),
        ("/welt/Nebelmark/brett/tat", "zeile"),
        ("/welt/Nebelmark/brett/zurueck", "zeile"),
        ("/welt/Nebelmark/brett/senden", "zeile"),
        ("/welt/Nebelmark/zugbogen", "text"),
        ("/welt/Nebelmark/zugbogen/hochladen", "datei"),
        ("/welt/Nebelmark/wirtschaft", "text"),
    ] {
        tried.extend(route_of(path));
        let step = stage
            .web
            .host
            .world(Some("Nebelmark"))
            .await
            .unwrap()
            .open_step
            .to_string();
        let more = [
            ("zug", step.as_str()),
            ("zeilennr", "1"),
            ("spalte", "1"),
            ("formular", SHORT),
            ("nach", SHORT),
        ];
        let sent: Vec<(&str, &str)> = more.into_iter().chain([(name, POISON)]).collect();
        check("Mira", path, &mira.submit(path, &sent).await);
    }
    // Those that were left out, one by one.
    let last = stage
        .web
        .host
        .steps(&world)
        .await
        .unwrap()
        .last()
        .unwrap()
        .number
        .to_string();
    let back = [("zug", last.as_str()), ("grund", POISON)];
    check(
        "Greta",
        "ruecknahme",
        &greta.submit("/welt/Nebelmark/leitung/ruecknahme", &back).await,
    );
    let seat = [("wer", "konto"), ("konto", POISON)];
    check(
        "Greta",
        "sitz",
        &greta.submit("/welt/Nebelmark/leitung/reich/2/sitz", &seat).await,
    );
    let account = stage.web.host.find_account("Jonas").await.unwrap();
    let delete = [("tun", "loeschen"), ("name", POISON)];
    let path = format!("/verwaltung/konten/{}", account.id);
    check("Verwalter", &path, &keeper.submit(&path, &delete).await);
    check(
        "Mira",
        "loeschen",
        &mira
            .submit("/konto/loeschen", &[("name", POISON), ("kennwort", POISON)])
            .await,
    );

    let mut poisoned = BTreeSet::new();
    let everybody: [(&str, &mut Browser, &[&str]); 5] = [
        ("Mira", &mut mira, &desk),
        ("Jonas", &mut jonas, &desk),
        ("Greta", &mut greta, &lead),
        ("Verwalter", &mut keeper, &["/verwaltung", "/konto"]),
        (
            "nobody",
            &mut nobody,
            &["/", "/anmelden", "/registrieren", "/einladung"],
        ),
    ];
    for (who, browser, from) in everybody {
        walk(who, browser, from, &mut |way, seen| {
            if seen.text.contains("GIFT") {
                poisoned.insert((who, kind(way)));
            }
        })
        .await;
    }
    println!(
        "{fields} fields, {} routes, arrived on {} pages",
        tried.len(),
        poisoned.len()
    );
    // Every form of the host was among them.
    let all: BTreeSet<&str> = routes()
        .into_iter()
        .filter(|route| route.method == Method::POST && route.call.is_none())
        .map(|route| route.path)
        .collect();
    let missed: Vec<&&str> = all
        .iter()
        .filter(|path| !tried.contains(*path) && !LEFT_OUT.contains(path) && !NO_TEXT.contains(path))
        .collect();
    assert_eq!(missed, [] as [&&str; 0], "forms that no page leads to");
    assert!(poisoned.len() >= 20, "it arrived on {poisoned:?} only");
    // The tables are still there. Signing in has been tried too often for a while, so somebody new comes.
    stage.account("Frieda").await;
    let mut frieda = stage.browser_of("Frieda").await;
    assert_eq!(frieda.get("/welten").await.status, StatusCode::OK);
}
