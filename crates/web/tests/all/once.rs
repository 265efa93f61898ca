//! What a form or a program sends twice is done once.

use crate::{html, nebelmark, open_post};
use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, REFERER};
use axum::http::{Method, StatusCode};
use host::token::{NewToken, Scope};
use kernel::realm::{RealmId, Viewer};
use web::testing::{Browser, Seen};

/// Where the form of a page leads whose address begins so, number included.
async fn action(browser: &mut Browser, page: &str, to: &str) -> String {
    let seen = browser.get(page).await;
    let forms = html::forms(&seen.text);
    let form = forms.into_iter().find(|form| form.action.starts_with(to));
    form.unwrap_or_else(|| panic!("{page} has no form that leads to {to}: {}", seen.text))
        .action
}

#[tokio::test]
async fn two_clicks_book_a_fee_once() {
    let (stage, world) = nebelmark().await;
    let mut greta = stage.browser_of("Greta").await;
    let balance = async || stage.web.host.ledger(&world, RealmId(1)).await.unwrap().0;
    for (page, to) in [
        ("/welt/Nebelmark/leitung/kasse", "/welt/Nebelmark/leitung/kasse"),
        (
            "/welt/Nebelmark/leitung/reich/1",
            "/welt/Nebelmark/leitung/reich/1/buchung",
        ),
    ] {
        let before = balance().await;
        let to = action(&mut greta, page, to).await;
        let referer = format!("http://briefwelt.test{page}");
        greta.headers.insert(REFERER, referer.parse().unwrap());
        // What was refused has not been done: it can be sent again under the same number.
        let fee = |sum| [("reich", "1"), ("betrag", sum), ("grund", "Zug 1")];
        greta.post(&to, &fee("0")).await;
        assert_eq!(balance().await, before);
        let first = greta.submit(&to, &fee("-5")).await;
        assert!(!first.text.contains("es zählt einmal"), "{}", first.text);
        assert_eq!(balance().await, before - 500);
        let second = greta.post(&to, &fee("-5")).await;
        assert_eq!((second.status, second.location()), (StatusCode::SEE_OTHER, page));
        let told = greta.get(page).await;
        assert!(told.text.contains("es zählt einmal"), "{}", told.text);
        assert_eq!(balance().await, before - 500);
        // Back to the page, another sum, and sent again: that is another deed.
        greta.post(&to, &fee("-7")).await;
        assert_eq!(balance().await, before - 1_200);
        // A page that is loaded anew has another number: the same fee can be booked for the next turn.
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        let next = action(&mut greta, page, to.split('?').next().unwrap()).await;
        assert_ne!(next, to);
        greta.post(&next, &fee("-5")).await;
        assert_eq!(balance().await, before - 1_700);
    }
}

#[tokio::test]
async fn clicks_at_the_same_time_give_one_judgement_one_notice_one_invitation_and_one_key() {
    let (stage, world) = nebelmark().await;
    let mut greta = stage.browser_of("Greta").await;
    let board = "/welt/Nebelmark/leitung/aushang";
    for (page, to, fields) in [
        (
            "/welt/Nebelmark/leitung/probe",
            "/welt/Nebelmark/leitung/urteil",
            vec![("urteil", "gold 7"), ("grund", "Ernte")],
        ),
        (board, board, vec![("titel", "Frieden"), ("text", "Es ist Frieden.")]),
        (
            board,
            "/welt/Nebelmark/leitung/einladung?",
            vec![("wer", "spieler"), ("anzahl", "1")],
        ),
        (
            "/konto",
            "/konto/schluessel",
            vec![("name", "Rechner"), ("umfang", "read")],
        ),
    ] {
        let to = action(&mut greta, page, to).await;
        let mut clicks = [greta.clone(), greta.clone(), greta.clone()];
        let [one, two, three] = &mut clicks;
        let (one, two, three) = tokio::join!(one.post(&to, &fields), two.post(&to, &fields), three.post(&to, &fields));
        for seen in [&one, &two, &three] {
            assert!(
                seen.status.is_redirection() || seen.status.is_success(),
                "{to}: {}",
                seen.text
            );
        }
    }
    let host = &stage.web.host;
    assert_eq!(host.judgements(&world, 1).await.unwrap().len(), 1);
    assert_eq!(host.announcements(&world, 10).await.unwrap().len(), 1);
    assert_eq!(host.invitations(&world, stage.web.clock.now()).await.unwrap().len(), 1);
    let greta = host.find_account("Greta").await.unwrap();
    assert_eq!(host.tokens(&greta.id, stage.web.clock.now()).await.unwrap().len(), 1);
}

#[tokio::test]
async fn two_clicks_put_a_deadline_off_once_and_never_one_that_somebody_else_has_moved() {
    let (stage, world) = nebelmark().await;
    let mut greta = stage.browser_of("Greta").await;
    let page = "/welt/Nebelmark/leitung/fristen";
    let set = "/welt/Nebelmark/leitung/frist";
    let zone = "Europe/Berlin";
    let due = web::time::days_later(zone, stage.web.clock.now(), 10);
    greta.post(set, &[("wann", &web::time::field(zone, due))]).await;
    let due = async || stage.web.host.schedule(&world).await.unwrap().deadline.unwrap().due_at;
    let before = due().await;
    let forms = html::forms(&greta.get(page).await.text);
    let form = forms.iter().find(|form| form.action == set).unwrap();
    let mut fields: Vec<(&str, &str)> = form.others.iter().map(|(name, value)| (&**name, &**value)).collect();
    fields.push(("spaeter", "3"));
    for _ in 0..2 {
        let seen = greta.submit(set, &fields).await;
        assert!(
            seen.text.contains("Gemerkt") || !seen.text.contains("flash bad"),
            "{}",
            seen.text
        );
        assert_eq!(due().await, web::time::days_later(zone, before, 3));
    }
    let deeds = stage
        .web
        .host
        .record(&world, Some(Viewer::GameMaster), 50)
        .await
        .unwrap();
    assert_eq!(deeds.iter().filter(|deed| deed.deed == "deadline set").count(), 2);
    // Somebody else has moved it since the page was made.
    let other = web::time::days_later(zone, before, 9);
    let now = stage.web.clock.now();
    stage.web.host.set_deadline(&world, Some(other), now).await.unwrap();
    let seen = greta.submit(set, &fields).await;
    assert!(
        seen.text.contains("Die Frist wurde inzwischen verlegt."),
        "{}",
        seen.text
    );
    assert_eq!(due().await, other);
}

#[tokio::test]
async fn two_clicks_send_one_letter_whether_it_was_a_draft_or_not() {
    let (stage, world) = nebelmark().await;
    open_post(&stage, &world, false).await;
    let mut mira = stage.browser_of("Mira").await;
    let jonas = async || {
        let post = stage.web.host.letters(&world, Viewer::Realm(RealmId(2)));
        post.unread().await.unwrap()
    };
    let fields = [
        ("an", "2"),
        ("betreff", "Gruß"),
        ("text", "Seid gegrüßt."),
        ("tun", "siegeln"),
    ];
    let base = "/welt/Nebelmark/briefe";
    let to = action(&mut mira, &format!("{base}/neu"), &format!("{base}/neu")).await;
    for _ in 0..2 {
        let seen = mira.post(&to, &fields).await;
        assert_eq!(seen.status, StatusCode::SEE_OTHER, "{}", seen.text);
        assert_eq!(jonas().await, 1);
    }
    let draft = [("an", "2"), ("text", "Noch einer."), ("tun", "speichern")];
    tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    let to = action(&mut mira, &format!("{base}/neu"), &format!("{base}/neu")).await;
    let draft = mira.post(&to, &draft).await.location().to_owned();
    for _ in 0..2 {
        let seen = mira.post(&draft, &fields).await;
        assert_eq!(seen.status, StatusCode::SEE_OTHER, "{}", seen.text);
        assert!(
            seen.location().starts_with(&format!("{base}/brief/")),
            "{}",
            seen.location()
        );
        assert_eq!(jonas().await, 2);
    }
}

#[tokio::test]
async fn an_article_that_is_sent_twice_lies_on_the_desk_once_whatever_parts_its_fields() {
    let (stage, world) = nebelmark().await;
    let mut mira = stage.browser_of("Mira").await;
    let page = "/welt/Nebelmark/zeitung/einreichen";
    let to = action(&mut mira, page, page).await;
    for boundary in ["abc", "x1y2z3"] {
        let mut body = String::new();
        for (name, value) in [("titel", "Ente"), ("text", "Eine Ente."), ("tun", "einreichen")] {
            body += &format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
        }
        body += &format!("--{boundary}--\r\n");
        let kind = format!("multipart/form-data; boundary={boundary}");
        let seen = mira.post_bytes(&to, &kind, body).await;
        assert_eq!(seen.status, StatusCode::SEE_OTHER, "{}", seen.text);
    }
    let paper = stage.web.host.newspaper(&world, Viewer::Realm(RealmId(1)));
    assert_eq!(paper.submissions().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_world_that_is_sealed_by_two_clicks_is_founded_once_and_nothing_complains() {
    let (stage, _) = nebelmark().await;
    let mut greta = stage.browser_of("Greta").await;
    greta
        .post(
            "/neue-welt/spiel",
            &[("name", "Salz"), ("spiel", "toy"), ("ziel", "siegel")],
        )
        .await;
    let to = action(&mut greta, "/neue-welt/siegel", "/neue-welt/siegel").await;
    let mut other = greta.clone();
    let fields = [("ziel", "gruenden")];
    let (one, two) = tokio::join!(greta.post(&to, &fields), other.post(&to, &fields));
    let mut ways = [one.location(), two.location()];
    ways.sort_unstable();
    assert_eq!(ways, ["/welt/Salz/leitung", "/welten"], "{} {}", one.text, two.text);
}

async fn call(browser: &mut Browser, way: &str, number: Option<&str>, body: &'static str) -> Seen {
    let mut request = browser
        .request(Method::POST, way)
        .header(CONTENT_TYPE, "application/json");
    if let Some(number) = number {
        request = request.header("Idempotency-Key", number);
    }
    browser.send(request.body(Body::from(body))).await
}

#[tokio::test]
async fn a_program_may_give_a_call_a_number_and_ask_again() {
    let (stage, world) = nebelmark().await;
    let greta = stage.web.host.find_account("Greta").await.unwrap();
    let new = NewToken {
        name: "Rechner".into(),
        scope: Scope::Write,
        expires_at: None,
    };
    let now = stage.web.clock.now();
    let token = stage.web.host.make_token(&greta.id, &new, now).await.unwrap();
    let mut program = stage.browser();
    let bearer = format!("Bearer {}", token.secret);
    program.headers.insert("authorization", bearer.parse().unwrap());
    let way = "/api/v1/worlds/Nebelmark/lead/bookings";
    let fee = r#"{"realms":[1],"cents":-500,"reason":"Zug 1"}"#;
    let balance = async || stage.web.host.ledger(&world, RealmId(1)).await.unwrap().0;
    assert!(call(&mut program, way, Some("zug-1"), fee).await.status.is_success());
    let again = call(&mut program, way, Some("zug-1"), fee).await;
    assert_eq!(again.status, StatusCode::CONFLICT);
    assert!(again.text.contains("\"code\":\"repeated\""), "{}", again.text);
    assert_eq!(balance().await, -500);
    assert!(call(&mut program, way, Some("zug-2"), fee).await.status.is_success());
    assert!(call(&mut program, way, None, fee).await.status.is_success());
    assert_eq!(balance().await, -1_500);
    // Somebody else's number is another one.
    let mut admin = stage.game_master("Gerd", &world).await;
    assert!(call(&mut admin, way, Some("zug-1"), fee).await.status.is_success());
    assert_eq!(balance().await, -2_000);
}

#[tokio::test]
async fn an_invitation_that_is_followed_by_two_clicks_does_not_complain() {
    let (stage, world) = nebelmark().await;
    stage.web.host.vacate_seat(&world, RealmId(2)).await.unwrap();
    let new = host::membership::NewInvitation {
        to: host::membership::Invited::Player,
        uses: 1,
        note: String::new(),
        expires_at: None,
    };
    let now = stage.web.clock.now();
    let code = stage.web.host.invite(&world, &new, None, now).await.unwrap().code;
    stage.account("Ina").await;
    let mut ina = stage.browser_of("Ina").await;
    let to = action(&mut ina, &format!("/einladung?code={code}"), "/einladung?").await;
    for (boundary, leads) in [("ab", "/welt/Nebelmark/"), ("xyz", "/welten")] {
        let body = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"code\"\r\n\r\n{code}\r\n--{boundary}--\r\n"
        );
        let kind = format!("multipart/form-data; boundary={boundary}");
        let seen = ina.post_bytes(&to, &kind, body).await;
        assert_eq!(
            (seen.status, seen.location()),
            (StatusCode::SEE_OTHER, leads),
            "{}",
            seen.text
        );
    }
}
