//! A player's ways beside orders and letters: whom he knows, joining with arms, deadlines, holidays, standing in, visits.

use crate::stage;
use axum::http::StatusCode;
use host::world::World;
use kernel::realm::RealmId;
use web::testing::{Browser, Stage};

const HOUR: i64 = 60 * 60 * 1000;
const BOUNDARY: &str = "multipart/form-data; boundary=grenze";
const DRAWING: &[u8] =
    b"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 10 12'><path d='M1 1h8v9z'/><script>alert(1)</script></svg>";

async fn nebelmark(stage: &Stage) -> (World, Browser, Browser) {
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär", "Chimäre"]).await;
    // The first account keeps the host; it has no part in this.
    stage.account("Verwalter").await;
    let mira = stage.player("Mira", &world, 1).await;
    let jonas = stage.player("Jonas", &world, 2).await;
    (world, mira, jonas)
}

async fn write(browser: &mut Browser, to: &str, text: &str) {
    let fields = [("art", "letter"), ("an", to), ("text", text), ("tun", "siegeln")];
    let sent = browser.post("/welt/Nebelmark/briefe/neu", &fields).await;
    assert!(sent.status.is_redirection(), "{}", sent.text);
}

#[tokio::test]
async fn whom_a_player_has_not_met_has_neither_name_nor_arms_on_any_page() {
    let stage = stage().await;
    let (_, mut mira, mut jonas) = nebelmark(&stage).await;
    for page in ["", "briefe", "briefe/neu", "briefe/einstellungen", "sitz", "chronik"] {
        let seen = mira.get(&format!("/welt/Nebelmark/{page}")).await;
        assert_eq!(seen.status, StatusCode::OK, "{page}");
        for name in ["Bär", "Chimäre"] {
            assert!(!seen.text.contains(name), "{page} names {name}");
        }
    }
    let form = mira.get("/welt/Nebelmark/briefe/neu").await.text;
    assert!(form.contains("value=\"2\"") && form.contains("Reich Nr. 2"), "{form}");
    // Arms of a stranger answer like those of a realm that does not exist.
    let none = mira.get("/welt/Nebelmark/wappen/99").await;
    for path in ["wappen/2", "siegel/2", "wappen/3"] {
        let seen = mira.get(&format!("/welt/Nebelmark/{path}")).await;
        assert_eq!((seen.status, &seen.text), (none.status, &none.text), "{path}");
    }
    assert_eq!(mira.get("/welt/Nebelmark/wappen/1").await.status, StatusCode::OK);
    // Whoever writes has introduced himself; whom else he wrote to stays a number.
    let both = [
        ("art", "letter"),
        ("an", "1"),
        ("an", "3"),
        ("text", "Ich bin der Bär."),
        ("tun", "siegeln"),
    ];
    jonas.post("/welt/Nebelmark/briefe/neu", &both).await;
    let list = mira.get("/welt/Nebelmark/briefe").await.text;
    assert!(list.contains("Bär") && !list.contains("Chimäre"));
    let letter = list
        .split("/briefe/brief/")
        .nth(1)
        .unwrap()
        .split(['?', '"'])
        .next()
        .unwrap();
    let read = mira.get(&format!("/welt/Nebelmark/briefe/brief/{letter}")).await.text;
    assert!(read.contains("Reich Nr. 3") && !read.contains("Chimäre"), "{read}");
    assert_eq!(mira.get("/welt/Nebelmark/siegel/2").await.status, StatusCode::OK);
    assert!(mira.get("/welt/Nebelmark/briefe/neu").await.text.contains("Bär"));
}

#[tokio::test]
async fn a_stroke_too_much_or_too_few_leads_on_and_never_elsewhere() {
    let stage = stage().await;
    let (_, mut mira, mut jonas) = nebelmark(&stage).await;
    stage.account("Fremder").await;
    let mut stranger = stage.browser_of("Fremder").await;
    for (typed, meant) in [
        ("/welt/Nebelmark", "/welt/Nebelmark/"),
        ("/welt/Nebelmark/karte/?zug=0", "/welt/Nebelmark/karte?zug=0"),
        ("/konto/", "/konto"),
    ] {
        assert_eq!(mira.get(typed).await.location(), meant);
        assert_eq!(mira.visit(typed).await.status, StatusCode::OK, "{typed}");
    }
    // Whether there is a world of this name it does not tell.
    let (there, nowhere) = (
        stranger.get("/welt/Nebelmark").await,
        stranger.get("/welt/Nirgend").await,
    );
    assert_eq!(
        (there.status, nowhere.status),
        (StatusCode::PERMANENT_REDIRECT, StatusCode::PERMANENT_REDIRECT)
    );
    assert_eq!(stranger.visit("/welt/Nebelmark").await.status, StatusCode::NOT_FOUND);
    for path in ["//elsewhere.test/", "/%5Celsewhere.test//", "/welt//", "/x\u{2f}/"] {
        assert_eq!(jonas.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn the_address_of_a_form_leads_to_the_page_that_has_it() {
    let stage = stage().await;
    let (_, mut mira, _) = nebelmark(&stage).await;
    // The preview of a draft is the answer to a form: asked for in English, it leads to the draft.
    for (typed, page) in [
        (
            "/welt/Nebelmark/befehle/vorschau?sprache=en",
            "/welt/Nebelmark/befehle?sprache=en",
        ),
        ("/welt/Nebelmark/sitz/wahl", "/welt/Nebelmark/sitz"),
        ("/konto/kennwort", "/konto"),
        ("/abmelden", "/"),
    ] {
        let seen = mira.get(typed).await;
        assert_eq!((seen.status, seen.location()), (StatusCode::SEE_OTHER, page));
    }
    assert_eq!(
        mira.visit("/welt/Nebelmark/befehle/siegeln").await.status,
        StatusCode::OK
    );
    let call = mira.get("/api/v1/worlds/Nebelmark/orders/preview").await;
    assert!(!call.status.is_redirection(), "{}", call.status);
    // A stranger is led as anybody and finds nothing there.
    stage.account("Fremder").await;
    let mut stranger = stage.browser_of("Fremder").await;
    let seen = stranger.visit("/welt/Nebelmark/befehle/siegeln").await;
    assert_eq!(seen.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn unread_letters_and_announcements_are_counted_beside_the_ways() {
    let stage = stage().await;
    let (world, mut mira, mut jonas) = nebelmark(&stage).await;
    let rules = "/welt/Nebelmark/regeln";
    assert!(!mira.get(rules).await.text.contains("class=\"waits\""));
    write(&mut jonas, "1", "Eins.").await;
    write(&mut jonas, "1", "Zwei.").await;
    stage
        .web
        .host
        .announce(&world, "Messe", "Wir treffen uns.")
        .await
        .unwrap();
    let seen = mira.get(rules).await.text;
    assert!(
        seen.contains("2 ungelesene Briefe") && seen.contains("ein neuer Aushang"),
        "{seen}"
    );
    // At the desk the announcement stands before his eyes.
    assert!(mira.get("/welt/Nebelmark/").await.text.contains("Wir treffen uns."));
    let seen = mira.get(rules).await.text;
    assert!(seen.contains("2 ungelesene Briefe") && !seen.contains("Aushang"));
    // On the first visit everything is new, so nothing is said about it; after that, what came since.
    assert!(!mira.get("/welt/Nebelmark/").await.text.contains("id=\"seither\""));
    stage.web.clock.advance(HOUR);
    let desk = mira.get("/welt/Nebelmark/").await.text;
    assert!(
        desk.contains("id=\"seither\"") && desk.contains("Nichts Neues."),
        "{desk}"
    );
}

#[tokio::test]
async fn after_the_deadline_only_the_game_master_hands_orders_in() {
    let stage = stage().await;
    let (world, mut mira, _) = nebelmark(&stage).await;
    let mut master = stage.game_master("Leitung", &world).await;
    let now = stage.web.clock.now();
    stage
        .web
        .host
        .set_deadline(&world, Some(now + HOUR), now)
        .await
        .unwrap();
    let seal = [("zug", "1"), ("text", "DIG\n")];
    let taken = mira.post("/welt/Nebelmark/befehle/siegeln", &seal).await;
    assert!(taken.status.is_redirection(), "{}", taken.text);
    stage.web.clock.advance(2 * HOUR);
    let late = mira
        .post("/welt/Nebelmark/befehle/siegeln", &[("zug", "1"), ("text", "PRAY\n")])
        .await;
    assert_eq!(late.status, StatusCode::CONFLICT);
    let counted = || stage.web.host.orders(&world, 1, RealmId(1));
    assert_eq!(counted().await.unwrap().unwrap(), b"DIG\n");
    // What he wrote is not lost: it waits in his draft.
    assert!(mira.get("/welt/Nebelmark/befehle").await.text.contains("PRAY"));
    let paper = [("befehle", "DIG\r\nDIG\r\n")];
    let done = master.post("/welt/Nebelmark/leitung/reich/1/befehle", &paper).await;
    assert!(done.status.is_redirection(), "{}", done.text);
    assert_eq!(counted().await.unwrap().unwrap(), b"DIG\nDIG\n");
}

#[tokio::test]
async fn joining_brings_a_name_and_arms_that_were_cleaned() {
    let stage = stage().await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    let host = &stage.web.host;
    for realm in [1, 2] {
        host.vacate_seat(&world, RealmId(realm)).await.unwrap();
    }
    host.set_admission(&world, host::membership::Admission::Public, "")
        .await
        .unwrap();
    stage.account("Verwalter").await;
    stage.account("Mira").await;
    let mut mira = stage.browser_of("Mira").await;
    let body = |drawing: &[u8]| {
        let mut body = Vec::new();
        for (name, value) in [("reich", "2"), ("name", "Bärenfels"), ("kultur", "")] {
            body.extend(
                format!("--grenze\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").bytes(),
            );
        }
        body.extend(b"--grenze\r\nContent-Disposition: form-data; name=\"wappen\"; filename=\"w.svg\"\r\n\r\n");
        body.extend(drawing);
        body.extend(b"\r\n--grenze--\r\n");
        body
    };
    // A drawing that cannot be taken stops the whole: nobody joins by half.
    let refused = mira.post_bytes("/beitreten/Nebelmark", BOUNDARY, body(b"<html>")).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        refused.text.contains("value=\"Bärenfels\""),
        "what was written stays: {}",
        refused.text
    );
    // So does the realm that was chosen, although it is not the first.
    assert!(
        refused.text.contains("value=\"2\" checked") && !refused.text.contains("value=\"1\" checked"),
        "{}",
        refused.text
    );
    assert_eq!(mira.get("/welt/Nebelmark/").await.status, StatusCode::NOT_FOUND);
    let joined = mira.post_bytes("/beitreten/Nebelmark", BOUNDARY, body(DRAWING)).await;
    assert!(joined.status.is_redirection(), "{}", joined.text);
    let arms = mira.get("/welt/Nebelmark/wappen/2").await.text;
    assert!(arms.contains("M1 1h8v9z") && !arms.contains("alert"), "{arms}");
    assert!(mira.get("/welt/Nebelmark/").await.text.contains("Bärenfels"));
    // The bill of the world leads home now: nobody needs two seats.
    let seen = mira.get("/beitreten/Nebelmark").await.text;
    assert!(
        seen.contains("Ihr führt hier schon Bärenfels.") && seen.contains("href=\"/welt/Nebelmark/\""),
        "{seen}"
    );
    assert!(!seen.contains("name=\"reich\""), "{seen}");
    let wall = mira.get("/").await.text;
    assert!(
        wall.contains("Hier spielt Ihr mit") && !wall.contains("/beitreten/"),
        "{wall}"
    );
}

#[tokio::test]
async fn a_ruler_sees_the_coming_deadlines_by_his_own_clocks() {
    let stage = stage().await;
    let (world, mut mira, _) = nebelmark(&stage).await;
    let (host, now) = (&stage.web.host, stage.web.clock.now());
    let seat = "/welt/Nebelmark/sitz";
    assert!(mira.get(seat).await.text.contains("keine Frist gesetzt"));
    let rhythm = host::schedule::Rhythm {
        zone: "Europe/Berlin".into(),
        weekdays: vec![7],
        minute: 20 * 60,
        every_weeks: 1,
        anchor: "2026-01-05".into(),
        hours_min: 0,
    };
    host.set_rhythm(&world, Some(&rhythm), now).await.unwrap();
    let due = host.schedule(&world).await.unwrap().deadline.unwrap().due_at;
    let words = web::words::Words::of(render::locale::Language::German);
    let seen = mira.get(seat).await.text;
    assert_eq!(seen.matches("Abgabe Zug ").count(), 5, "{seen}");
    assert!(seen.contains(&web::time::moment(words, "Europe/Berlin", due)), "{seen}");
    assert!(seen.contains("href=\"/welt/Nebelmark/sitz#fristen\""), "{seen}");
    // In Sydney that is Monday morning.
    let account = host.find_account("Mira").await.unwrap().id;
    let zone = host::account::AccountChange {
        zone: Some("Australia/Sydney".into()),
        ..host::account::AccountChange::default()
    };
    host.change_account(&account, &zone).await.unwrap();
    let there = web::time::moment(words, "Australia/Sydney", due);
    assert!(there.starts_with("Montag"));
    assert!(mira.get(seat).await.text.contains(&there));
    // Whoever is away then is excused.
    let day = web::time::day("Australia/Sydney", due);
    mira.post(&format!("{seat}/abwesenheit"), &[("von", &day), ("bis", &day)])
        .await;
    let seen = mira.get(seat).await.text;
    assert_eq!(seen.matches("es gilt als entschuldigt").count(), 1, "{seen}");
    assert_eq!(seen.matches(", Ihr seid fort<").count(), 1, "{seen}");
}

#[tokio::test]
async fn a_player_leaves_a_world_only_by_the_name_of_his_realm() {
    let stage = stage().await;
    let (world, mut mira, mut jonas) = nebelmark(&stage).await;
    let host = &stage.web.host;
    let leave = "/welt/Nebelmark/sitz/verlassen";
    // Neither nothing nor another name, not even one that begins alike.
    for name in ["", "Adle", "Adlers", "Bär"] {
        let stayed = mira.submit(leave, &[("reich", name)]).await;
        assert!(stayed.text.contains("Ihr seid geblieben"), "{name}: {}", stayed.text);
    }
    assert!(!host.seat(&world, RealmId(1)).await.unwrap().computer);
    // Who only looks after the seat does not give it up.
    stage.account("Freundin").await;
    let account = host.find_account("Freundin").await.unwrap().id;
    let now = stage.web.clock.now();
    host.stand_in(&world, RealmId(1), &account, (now, now + 24 * HOUR), now)
        .await
        .unwrap();
    let mut friend = stage.browser_of("Freundin").await;
    let refused = friend.post(leave, &[("reich", "Adler")]).await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);
    let gone = mira.submit(leave, &[("reich", " Adler ")]).await;
    assert!(gone.text.contains("Ihr habt Nebelmark verlassen"), "{}", gone.text);
    // The realm goes on without her and her friend; the other seat is as it was.
    assert!(host.seat(&world, RealmId(1)).await.unwrap().computer);
    for browser in [&mut mira, &mut friend] {
        assert_eq!(browser.get("/welt/Nebelmark/").await.status, StatusCode::NOT_FOUND);
    }
    assert_eq!(jonas.get("/welt/Nebelmark/").await.status, StatusCode::OK);
}

#[tokio::test]
async fn the_list_of_worlds_says_what_waits_in_each() {
    let stage = stage().await;
    let (world, mut mira, mut jonas) = nebelmark(&stage).await;
    crate::open_post(&stage, &world, false).await;
    let quiet = mira.get("/welten").await.text;
    assert!(
        quiet.contains("Noch nichts abgegeben") && !quiet.contains("ungelesen"),
        "{quiet}"
    );
    write(&mut jonas, "1", "Seid mein Freund.").await;
    assert!(mira.get("/welten").await.text.contains("ein ungelesener Brief"));
    mira.post("/welt/Nebelmark/befehle/siegeln", &[("zug", "1"), ("text", "PRAY\n")])
        .await;
    let sent = mira.get("/welten").await.text;
    assert!(
        !sent.contains("Noch nichts abgegeben") && sent.contains("abgegeben"),
        "{sent}"
    );
}

#[tokio::test]
async fn holidays_reminders_and_a_stand_in_are_set_by_the_ruler_alone() {
    let stage = stage().await;
    let (world, mut mira, _) = nebelmark(&stage).await;
    stage.account("Freundin").await;
    let mut friend = stage.browser_of("Freundin").await;
    let (host, now) = (&stage.web.host, stage.web.clock.now());
    let days = [("von", "2026-12-20"), ("bis", "2099-01-06")];
    let refused = mira.submit("/welt/Nebelmark/sitz/abwesenheit", &days).await;
    assert!(refused.text.contains("Diese Tage gehen nicht"), "{}", refused.text);
    let today = web::time::day("Europe/Berlin", now);
    let tomorrow = web::time::day("Europe/Berlin", now + 24 * HOUR);
    let away = [
        ("von", &*today),
        ("bis", &*tomorrow),
        ("notiz", "Alpen"),
        ("computer", "1"),
    ];
    mira.post("/welt/Nebelmark/sitz/abwesenheit", &away).await;
    let absences = host.absences(&world, now).await.unwrap();
    assert_eq!(absences.len(), 1);
    assert!(absences[0].computer && absences[0].realm == RealmId(1));
    assert_eq!(
        absences[0].from_at,
        web::time::day_begins("Europe/Berlin", &today).unwrap()
    );
    assert_eq!(
        absences[0].until_at,
        web::time::day_ends("Europe/Berlin", &tomorrow).unwrap()
    );
    // Neither who plays here nor a mail address is accepted, and the answer is the same as for nobody at all.
    for name in ["Jonas", "freundin@example.org", "Niemand"] {
        let fields = [("konto", name), ("von", &*today), ("bis", &*tomorrow)];
        let seen = mira.submit("/welt/Nebelmark/sitz/vertretung", &fields).await;
        assert!(seen.text.contains("kann Euch hier nicht vertreten"), "{name}");
    }
    assert_eq!(friend.get("/welt/Nebelmark/").await.status, StatusCode::NOT_FOUND);
    let fields = [("konto", "Freundin"), ("von", &*today), ("bis", &*tomorrow)];
    mira.post("/welt/Nebelmark/sitz/vertretung", &fields).await;
    let desk = friend.get("/welt/Nebelmark/").await;
    assert!(desk.text.contains("Ihr vertretet Adler."), "{}", desk.text);
    // She does not hand the seat on, nor take holidays from it.
    for path in ["vertretung", "abwesenheit"] {
        let seen = friend.post(&format!("/welt/Nebelmark/sitz/{path}"), &fields).await;
        assert_eq!(seen.status, StatusCode::NOT_FOUND, "{path}");
    }
    friend
        .post(
            "/welt/Nebelmark/sitz/erinnerungen",
            &[("minuten", "60"), ("minuten", "1440")],
        )
        .await;
    let account = host.find_account("Freundin").await.unwrap();
    assert_eq!(host.reminders(&world, &account.id).await.unwrap(), [60, 1440]);
    mira.post(
        "/welt/Nebelmark/sitz/vertretung",
        &[("konto", &account.id), ("tun", "ende")],
    )
    .await;
    assert_eq!(friend.get("/welt/Nebelmark/").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn whoever_stands_in_for_several_realms_chooses_where_to_sit() {
    let stage = stage().await;
    let (world, _, _) = nebelmark(&stage).await;
    let friend = stage.account("Freundin").await;
    let now = stage.web.clock.now();
    for realm in [1, 2] {
        let period = (now - HOUR, now + HOUR);
        stage
            .web
            .host
            .stand_in(&world, RealmId(realm), &friend.id, period, now)
            .await
            .unwrap();
    }
    let mut friend = stage.browser_of("Freundin").await;
    assert!(
        friend
            .get("/welt/Nebelmark/")
            .await
            .text
            .contains("Ihr vertretet Adler.")
    );
    let seen = friend.submit("/welt/Nebelmark/sitz/wahl", &[("reich", "2")]).await;
    assert!(seen.text.contains("Ihr vertretet Bär."), "{}", seen.text);
    assert!(friend.get("/welt/Nebelmark/").await.text.contains("Ihr vertretet Bär."));
    // A realm that she does not look after is none, whatever the cookie says.
    let refused = friend.post("/welt/Nebelmark/sitz/wahl", &[("reich", "3")]).await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);
    friend.cookies.insert("sitz".into(), format!("{}-3", world.id));
    assert!(
        friend
            .get("/welt/Nebelmark/")
            .await
            .text
            .contains("Ihr vertretet Adler.")
    );
}
