//! The game master's wizard and editor with the toy game.

use crate::{html, nebelmark, open_post, stage};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use host::outbox::OutgoingMail;
use host::step::RunPlan;
use host::wish::{MailWish, MailWishes};
use host::world::World;
use kernel::realm::{RealmId, Viewer};
use web::testing::{Browser, Stage};

const EDITOR: &str = "/welt/Nebelmark/leitung/karte/bearbeiten";

#[tokio::test]
async fn a_world_is_founded_step_by_step_and_nothing_is_lost_on_the_way_back() {
    let stage = stage().await;
    stage.account("Admin").await;
    stage.account("Greta").await;
    let mut greta = stage.browser_of("Greta").await;
    assert_eq!(greta.get("/neue-welt").await.status, StatusCode::OK);
    let seen = greta
        .post(
            "/neue-welt/spiel",
            &[("name", "Salz & Sturm"), ("spiel", "toy"), ("ziel", "reiche")],
        )
        .await;
    assert_eq!(seen.location(), "/neue-welt/reiche");
    let fields = [
        ("reiche", "3"),
        ("reich.1", "<b>Aal</b>"),
        ("reich.2", "Biber"),
        ("computer.2", "ja"),
        ("ziel", "spiel"),
    ];
    assert_eq!(
        greta.post("/neue-welt/reiche", &fields).await.location(),
        "/neue-welt/spiel"
    );
    assert!(greta.get("/neue-welt/spiel").await.text.contains("Salz &#38; Sturm"));
    let seats = greta.get("/neue-welt/reiche").await.text;
    assert!(seats.contains("Biber") && !seats.contains("<b>Aal") && seats.contains("name=\"reich.3\""));
    assert!(!seats.contains("name=\"reich.4\""));
    greta
        .post("/neue-welt/karte", &[("saat", "Tau 7"), ("ziel", "siegel")])
        .await;
    let charter = greta.get("/neue-welt/siegel").await;
    assert!(charter.text.contains("Tau 7") && charter.text.contains("Salz &#38; Sturm"));
    // Nothing is stored before the last step.
    assert!(stage.web.host.worlds().await.unwrap().is_empty());
    let picture = greta.get("/neue-welt/karte.svg").await;
    assert_eq!(picture.headers.get(CONTENT_TYPE).unwrap(), "image/svg+xml");
    let seen = greta.post("/neue-welt/siegel", &[("ziel", "gruenden")]).await;
    assert_eq!(seen.status, StatusCode::SEE_OTHER, "{}", seen.text);
    let world = stage.web.host.world(Some("Salz & Sturm")).await.unwrap();
    let seats = stage.web.host.seats(&world).await.unwrap();
    let named: Vec<(&str, bool, bool)> = seats
        .iter()
        .map(|seat| (seat.name.as_str(), seat.computer, seat.vacant))
        .collect();
    assert_eq!(
        named,
        [
            ("<b>Aal</b>", true, true),
            ("Biber", true, false),
            ("Chimäre", true, true)
        ]
    );
    // The plan is used up; the next one begins anew.
    assert!(!greta.get("/neue-welt/spiel").await.text.contains("value=\"Salz"));
}

/// A world with players, seen by whoever leads it.
async fn led() -> (Stage, World, Browser) {
    let (stage, world) = nebelmark().await;
    let greta = stage.browser_of("Greta").await;
    (stage, world, greta)
}

#[tokio::test]
async fn a_ruling_that_is_not_understood_is_refused_in_the_language_of_the_page() {
    let (_stage, _, mut greta) = led().await;
    let judge = "/welt/Nebelmark/leitung/urteil";
    for (ruling, german, english) in [
        ("gold viel", "„viel“ ist keine Zahl.", "“viel” is no number."),
        (
            "grant Niemand 3",
            "„Niemand“ ist kein Reich dieser Welt.",
            "“Niemand” is no realm of this world.",
        ),
        (
            "schenke alles",
            "Erwartet wurde: gold N | grant REALM N",
            "Expected: gold N | grant REALM N",
        ),
    ] {
        for (language, words) in [("de", german), ("en", english)] {
            greta.get(&format!("/welten?sprache={language}")).await;
            let seen = greta.submit(judge, &[("urteil", ruling), ("grund", "weil")]).await;
            assert!(html::plain(&seen.text).contains(words), "{ruling}: {}", seen.text);
            let sent = format!("{{\"ruling\":\"{ruling}\",\"reason\":\"weil\"}}");
            let call = format!("/api/v1/worlds/Nebelmark/lead/judgements?sprache={language}");
            let seen = greta.post_bytes(&call, "application/json", sent).await;
            assert_eq!(seen.status, StatusCode::UNPROCESSABLE_ENTITY);
            assert!(seen.text.contains(words), "{ruling}: {}", seen.text);
        }
    }
}

#[tokio::test]
async fn a_deadline_is_put_off_with_one_button_and_stands_in_the_calendar() {
    const ZONE: &str = "Europe/Berlin";
    let (stage, world, mut greta) = led().await;
    let set = "/welt/Nebelmark/leitung/frist";
    let in_ten_days = web::time::days_later(ZONE, stage.web.clock.now(), 10);
    let typed = web::time::field(ZONE, in_ten_days);
    greta.post(set, &[("wann", &typed)]).await;
    let due = async || stage.web.host.schedule(&world).await.unwrap().deadline.unwrap().due_at;
    let before = due().await;
    assert_eq!(web::time::field(ZONE, before), typed);
    let seen_before = before.to_string();
    greta
        .post(set, &[("wann", &typed), ("bisher", &seen_before), ("spaeter", "3")])
        .await;
    let after = due().await;
    assert_eq!(after, web::time::days_later(ZONE, before, 3));
    let words = web::words::Words::of(render::locale::Language::German);
    let told = web::time::moment(words, ZONE, after);
    for page in ["/welt/Nebelmark/leitung/fristen", "/welt/Nebelmark/leitung"] {
        let page = greta.get(page).await.text;
        assert!(page.contains("Abgabe Zug 1") && page.contains(&told), "{page}");
    }
    let page = greta.get("/welt/Nebelmark/leitung/fristen").await.text;
    assert!(
        page.contains(&format!("value=\"{}\"", web::time::field(ZONE, after))),
        "{page}"
    );
    // Days without deadlines are told as days, and a rhythm that begins now needs no day to be looked up.
    let pause = [("von", "2030-12-24"), ("bis", "2031-01-06"), ("grund", "Julfest")];
    let seen = greta.submit("/welt/Nebelmark/leitung/frist/pause", &pause).await;
    assert!(seen.text.contains("24.12.2030 bis 6.1.2031, Julfest"), "{}", seen.text);
    let today = web::time::day(ZONE, stage.web.clock.now());
    assert!(
        seen.text.contains(&format!("name=\"erste\" value=\"{today}\"")),
        "{}",
        seen.text
    );
    let record = greta.get("/welt/Nebelmark/leitung/protokoll").await.text;
    assert!(
        record.contains("Keine Fristen: 24.12.2030 bis 6.1.2031, Julfest."),
        "{record}"
    );
    // An empty field takes it away, and a moment that has passed is refused in words.
    greta.post(set, &[("wann", "")]).await;
    assert_eq!(stage.web.host.schedule(&world).await.unwrap().deadline, None);
    let seen = greta.submit(set, &[("wann", "2020-01-01T20:00")]).await;
    assert!(seen.text.contains("Eine Frist liegt in der Zukunft"), "{}", seen.text);
}

#[tokio::test]
async fn the_game_master_replaces_a_player_sends_him_away_and_lets_others_stand_in() {
    let (stage, world, mut greta) = led().await;
    let ina = stage.account("Ina").await;
    let realm = "/welt/Nebelmark/leitung/reich/1";
    // Neither a mail address nor somebody who plays already gets the seat, and its player keeps it.
    for (name, why) in [
        ("ina@example.org", "Ein Konto „ina@example.org“ gibt es nicht."),
        ("Jonas", "Dieses Konto spielt in dieser Welt schon mit."),
        ("Greta", "wer alles weiß, kann nicht mitspielen"),
    ] {
        let seen = greta
            .submit(&format!("{realm}/sitz"), &[("wer", "spieler"), ("konto", name)])
            .await;
        assert!(seen.text.contains(why), "{name}: {}", seen.text);
    }
    let holder = async || stage.web.host.holders(&world).await.unwrap().remove(0).name;
    assert_eq!(holder().await, "Mira");
    let day = |days: u16| {
        let now = stage.web.clock.now();
        web::time::day("Europe/Berlin", web::time::days_later("Europe/Berlin", now, days))
    };
    let (first, last) = (day(30), day(40));
    let away = [("von", &*first), ("bis", &*last), ("notiz", "Alpen"), ("computer", "1")];
    let seen = greta.submit(&format!("{realm}/abwesenheit"), &away).await;
    assert!(seen.text.contains("Alpen"), "{}", seen.text);
    let now = stage.web.clock.now();
    let absence = stage.web.host.absences(&world, now).await.unwrap().remove(0);
    assert!(absence.computer && absence.realm == RealmId(1));
    let stand_in = [("konto", "Ina"), ("von", &*first), ("bis", &*last)];
    let seen = greta.submit(&format!("{realm}/vertretung"), &stand_in).await;
    assert!(seen.text.contains("<strong>Ina</strong>"), "{}", seen.text);
    let begin = absence.from_at.to_string();
    greta
        .post(
            &format!("{realm}/abwesenheit"),
            &[("tun", "streichen"), ("beginn", &begin)],
        )
        .await;
    assert!(stage.web.host.absences(&world, now).await.unwrap().is_empty());
    greta
        .post(&format!("{realm}/sitz"), &[("wer", "spieler"), ("konto", "Ina")])
        .await;
    assert_eq!(holder().await, "Ina");
    assert!(
        stage
            .web
            .host
            .membership(&world, &ina.id, now)
            .await
            .unwrap()
            .stands_in
            .is_empty()
    );
}

#[tokio::test]
async fn fees_are_booked_for_many_and_every_player_reads_his_own() {
    let (stage, world, mut greta) = led().await;
    let till = "/welt/Nebelmark/leitung/kasse";
    let fields = [("reich", "1"), ("reich", "2"), ("betrag", "-2,50"), ("grund", "Zug 1")];
    let seen = greta.submit(till, &fields).await;
    assert!(
        seen.text.contains("Gebucht für 2 Reiche.") && seen.text.contains("\u{2212}5,00 €"),
        "{}",
        seen.text
    );
    greta
        .post(
            "/welt/Nebelmark/leitung/reich/2/buchung",
            &[("betrag", "10"), ("grund", "Bar")],
        )
        .await;
    let balances = stage.web.host.balances(&world).await.unwrap();
    assert_eq!(balances.into_values().collect::<Vec<_>>(), [-250, 750]);
    for wrong in [
        &[("betrag", "-2,50"), ("grund", "Zug 2")][..],
        &[("reich", "1"), ("betrag", "viel"), ("grund", "Zug 2")],
        &[("reich", "1"), ("betrag", "1"), ("grund", "")],
    ] {
        assert!(
            greta.submit(till, wrong).await.text.contains("class=\"flash bad\""),
            "{wrong:?}"
        );
    }
    assert_eq!(stage.web.host.balances(&world).await.unwrap()[&RealmId(1)], -250);
    let seat = stage.browser_of("Mira").await.get("/welt/Nebelmark/sitz").await.text;
    assert!(seat.contains("\u{2212}2,50 €") && !seat.contains("Bar"), "{seat}");
}

#[tokio::test]
async fn a_world_without_a_name_or_with_one_that_is_taken_is_not_founded() {
    let stage = stage().await;
    stage.world("Nebelmark", "toy", &["Adler"]).await;
    stage.account("Greta").await;
    let mut greta = stage.browser_of("Greta").await;
    let found = [("ziel", "gruenden")];
    let seen = greta.post("/neue-welt/siegel", &found).await;
    assert_eq!(seen.status, StatusCode::UNPROCESSABLE_ENTITY);
    greta.post("/neue-welt/spiel", &[("name", "Nebelmark")]).await;
    let seen = greta.post("/neue-welt/siegel", &found).await;
    assert_eq!(seen.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(seen.text.contains("Nebelmark"));
    assert_eq!(stage.web.host.worlds().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_world_whose_name_has_blanks_or_hyphens_has_all_its_ways_under_every_address() {
    let stage = stage().await;
    for (name, segment, master) in [("Demo 2", None, "Greta"), ("Ost-Mark", Some("Ost-Mark"), "Gustav")] {
        let world = stage.world(name, "toy", &["Adler"]).await;
        let mut greta = stage.game_master(master, &world).await;
        let segment = segment.unwrap_or(&world.id);
        let typed = name.replace(' ', "%20");
        for address in [&world.id, &typed] {
            let seen = greta.get(&format!("/welt/{address}/leitung/fristen")).await.text;
            let here = format!("<a href=\"/welt/{segment}/leitung/fristen\" aria-current=\"page\">");
            assert!(seen.contains(&here), "{address}: {seen}");
        }
    }
}

#[tokio::test]
async fn plans_are_each_founder_s_own() {
    let stage = stage().await;
    for name in ["Admin", "Greta"] {
        stage.account(name).await;
    }
    let mut greta = stage.browser_of("Greta").await;
    greta.post("/neue-welt/spiel", &[("name", "Geheimland")]).await;
    let mut other = stage.browser_of("Admin").await;
    assert!(!other.get("/neue-welt/spiel").await.text.contains("Geheimland"));
    greta.post("/neue-welt/verwerfen", &[]).await;
    assert!(!greta.get("/neue-welt/spiel").await.text.contains("Geheimland"));
}

/// Where the first realm's host stands, as the realm itself sees it.
async fn place(stage: &web::testing::Stage, step: Option<u32>) -> String {
    let world = stage.web.host.world(Some("Nebelmark")).await.unwrap();
    let (_, view) = stage
        .web
        .host
        .view(&world, Viewer::Realm(RealmId(1)), step)
        .await
        .unwrap();
    let game = stage.web.host.game("toy").unwrap();
    game.map(&view).unwrap().fields[0].label.clone()
}

#[tokio::test]
async fn a_stroke_changes_the_world_at_once_before_the_first_turn_and_is_undone_and_done_again() {
    let stage = stage().await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    let mut greta = stage.game_master("Greta", &world).await;
    let before = place(&stage, None).await;
    let goal = if before == "7" { "3" } else { "7" };
    let stroke = [("werkzeug", "put"), ("orte", goal), ("put.realm", "1")];
    assert_eq!(greta.post(EDITOR, &stroke).await.status, StatusCode::SEE_OTHER);
    assert_eq!(place(&stage, None).await, goal);
    greta.post(&format!("{EDITOR}/zurueck"), &[]).await;
    assert_eq!(place(&stage, None).await, before);
    greta.post(&format!("{EDITOR}/wieder"), &[]).await;
    assert_eq!(place(&stage, None).await, goal);
    // The turn finds the world as it was shown, and keeps to it when it is run again.
    let world = stage.web.host.world(Some("Nebelmark")).await.unwrap();
    let plan = host::step::RunPlan {
        step: None,
        without_missing: true,
    };
    stage.web.host.run(&world, plan, &mut |_, _| {}).await.unwrap();
    assert_eq!(place(&stage, Some(1)).await, goal);
    let record = stage.web.host.audit(&world).await.unwrap();
    assert_eq!(record.iter().filter(|(_, deed, _)| deed == "world changed").count(), 2);
    assert!(stage.web.host.doctor(true).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_running_world_changes_with_a_reason_only_and_with_the_next_turn() {
    let stage = stage().await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    let mut greta = stage.game_master("Greta", &world).await;
    let plan = host::step::RunPlan {
        step: None,
        without_missing: true,
    };
    stage.web.host.run(&world, plan, &mut |_, _| {}).await.unwrap();
    let before = place(&stage, None).await;
    let goal = if before == "7" { "3" } else { "7" };
    let bare = [("werkzeug", "put"), ("orte", goal), ("put.realm", "1")];
    let seen = greta.post(EDITOR, &bare).await;
    assert_eq!(seen.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(seen.text.contains("Grund"));
    let world = stage.web.host.world(Some("Nebelmark")).await.unwrap();
    assert!(stage.web.host.changes_by_hand(&world).await.unwrap().is_empty());
    let full = [bare[0], bare[1], bare[2], ("grund", "Ein Sturm <i>")];
    assert_eq!(greta.post(EDITOR, &full).await.status, StatusCode::SEE_OTHER);
    // What was published stays; the judgement waits for the next turn.
    assert_eq!(place(&stage, None).await, before);
    let given = stage.web.host.changes_by_hand(&world).await.unwrap();
    assert_eq!(
        (given.len(), given[0].changes, given[0].reason.as_str()),
        (1, 1, "Ein Sturm <i>")
    );
    assert!(!greta.get(EDITOR).await.text.contains("<i>"));
    // Among the judgements of the turn it reads as its form does, and not as the line that is stored.
    let judged = html::plain(&greta.get("/welt/Nebelmark/leitung/probe").await.text);
    assert!(
        judged.contains(&format!("place: <b>{goal}</b>; realm: <b>Adler</b>")),
        "{judged}"
    );
    assert!(!judged.contains(&format!("put {goal} 1")), "{judged}");
    stage.web.host.run(&world, plan, &mut |_, _| {}).await.unwrap();
    assert_eq!(place(&stage, None).await, goal);
    // Every report that was published can be read again, from one to the next.
    for (turn, status, way) in [
        (1, StatusCode::OK, "?zug=2"),
        (2, StatusCode::OK, "?zug=1"),
        (3, StatusCode::NOT_FOUND, ""),
    ] {
        let seen = greta
            .get(&format!("/welt/Nebelmark/leitung/reich/1/bericht?zug={turn}"))
            .await;
        assert_eq!(seen.status, status, "{turn}");
        assert!(seen.text.contains(way), "{turn}: {}", seen.text);
    }
}

#[tokio::test]
async fn what_is_impossible_is_refused_and_told() {
    let stage = stage().await;
    let world = stage.world("Nebelmark", "toy", &["Adler"]).await;
    let mut greta = stage.game_master("Greta", &world).await;
    for (places, realm) in [("99", "1"), ("3", "9"), ("nirgends", "1"), ("", "1")] {
        let seen = greta
            .post(EDITOR, &[("werkzeug", "put"), ("orte", places), ("put.realm", realm)])
            .await;
        assert_eq!(seen.status, StatusCode::UNPROCESSABLE_ENTITY, "{places} {realm}");
        assert!(seen.text.contains("troubles"), "{places} {realm}");
    }
    // A place that is none is named.
    let fields = [("werkzeug", "put"), ("orte", "nirgends"), ("put.realm", "1")];
    let seen = greta.post(EDITOR, &fields).await;
    assert!(seen.text.contains("„nirgends“ ist kein Feld"), "{}", seen.text);
    let unknown = greta.post(EDITOR, &[("werkzeug", "hammer")]).await;
    assert_eq!(unknown.status, StatusCode::BAD_REQUEST);
    assert!(stage.web.host.changes_by_hand(&world).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_map_that_is_saved_and_loaded_is_the_same_map() {
    let stage = stage().await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    let mut greta = stage.game_master("Greta", &world).await;
    let sheet = greta.get(&format!("{EDITOR}/blatt")).await;
    assert_eq!(sheet.status, StatusCode::OK);
    let before = place(&stage, None).await;
    let goal = if before == "7" { "3" } else { "7" };
    greta
        .post(EDITOR, &[("werkzeug", "put"), ("orte", goal), ("put.realm", "1")])
        .await;
    assert_eq!(place(&stage, None).await, goal);
    let load = |text: &str| {
        format!(
            "--x\r\nContent-Disposition: form-data; name=\"blatt\"; filename=\"k.txt\"\r\n\r\n{text}\r\n--x\r\n\
             Content-Disposition: form-data; name=\"grund\"\r\n\r\nalte Karte\r\n--x--\r\n"
        )
    };
    let kind = "multipart/form-data; boundary=x";
    let path = format!("{EDITOR}/blatt");
    let seen = greta.post_bytes(&path, kind, load(sheet.text.trim_end())).await;
    assert_eq!(seen.status, StatusCode::SEE_OTHER, "{}", seen.text);
    assert_eq!(place(&stage, None).await, before);
    assert_eq!(greta.get(&path).await.text, sheet.text);
    // The same sheet again changes nothing, and nonsense is refused line by line.
    let again = greta.post_bytes(&path, kind, load(sheet.text.trim_end())).await;
    assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY);
    let nonsense = greta.post_bytes(&path, kind, load("Unsinn")).await;
    assert_eq!(nonsense.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn whoever_owes_orders_is_chased_and_reads_of_a_deadline_only_if_there_is_one() {
    let stage = stage().await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    stage.player("Mira", &world, 1).await;
    let mut greta = stage.game_master("Greta", &world).await;
    let host = &stage.web.host;
    assert!(
        greta
            .get("/welt/Nebelmark/leitung")
            .await
            .text
            .contains("/welt/Nebelmark/leitung/mahnen")
    );
    greta.post("/welt/Nebelmark/leitung/mahnen", &[]).await;
    let now = stage.web.clock.now();
    let mail = host.claim_mail(now).await.unwrap().expect("a mail to Mira");
    let letter = web::mail::in_words("https://example.org", &mail, Vec::new()).unwrap();
    assert_eq!(mail.account.name, "Mira");
    assert!(letter.text.contains("Zug 1.\n"), "{}", letter.text);
    assert!(
        host.claim_mail(now).await.unwrap().is_none(),
        "nobody else owes orders as a person"
    );
    host.set_deadline(&world, Some(now + 86_400_000), now).await.unwrap();
    stage.web.clock.advance(1);
    greta.post("/welt/Nebelmark/leitung/mahnen", &[]).await;
    let mail = host
        .claim_mail(stage.web.clock.now())
        .await
        .unwrap()
        .expect("a second mail");
    let letter = web::mail::in_words("https://example.org", &mail, Vec::new()).unwrap();
    assert!(letter.text.contains("Zug 1. Abgabe: "), "{}", letter.text);
    assert!(!letter.text.contains('{'), "{}", letter.text);
}

#[tokio::test]
async fn a_report_goes_by_mail_to_whoever_holds_the_seat_at_a_confirmed_address() {
    let stage = stage().await;
    let world = stage.world("Nebelmark", "toy", &["Adler"]).await;
    let (host, clock) = (&stage.web.host, &stage.web.clock);
    stage.player("Mira", &world, 1).await;
    let mira = host.find_account("Mira").await.unwrap();
    let wishes = MailWishes {
        turns: MailWish::Full,
        ..MailWishes::default()
    };
    host.set_mail_wishes(&mira.id, wishes).await.unwrap();
    let plan = RunPlan {
        without_missing: true,
        ..RunPlan::default()
    };
    host.run(&world, plan, &mut |_, _| {}).await.unwrap();
    let later = host::now().max(clock.now()) + 2 * host::tidings::WAITS;
    let mail = host.claim_mail(later).await.unwrap().expect("a mail to Mira");
    assert_eq!(mail.kind, "turn");
    let letter = async |mail: &OutgoingMail| web::mail::letter(&stage.web, mail).await.unwrap().unwrap();
    let plain = letter(&mail).await;
    assert!(plain.reports.is_empty(), "the address may be anybody's");
    assert!(plain.text.contains("Nebelmark/bericht"), "{}", plain.text);
    let mut confirmed = mail.clone();
    confirmed.account.confirmed = true;
    let with_report = letter(&confirmed).await;
    assert_eq!(with_report.reports.len(), 1, "{:?}", with_report.reports);
    assert!(!with_report.reports[0].1.is_empty());
    assert!(
        with_report.text.contains("liegt dieser Nachricht bei"),
        "{}",
        with_report.text
    );
    // Whoever has lost the seat reads nothing more of it, however long the mail has waited.
    host.vacate_seat(&world, RealmId(1)).await.unwrap();
    assert!(letter(&confirmed).await.reports.is_empty());
}

#[tokio::test]
async fn the_desk_shows_where_one_stands_and_who_is_away() {
    let stage = stage().await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    stage.player("Mira", &world, 1).await;
    let mut greta = stage.game_master("Greta", &world).await;
    let host = &stage.web.host;
    let now = stage.web.clock.now();
    let absence = host::schedule::Absence {
        realm: RealmId(1),
        from_at: now - 1_000,
        until_at: now + 86_400_000,
        computer: false,
        note: "an der See".into(),
    };
    host.set_absence(&world, &absence).await.unwrap();
    let desk = greta.get("/welt/Nebelmark/leitung").await.text;
    assert_eq!(desk.matches("verreist bis").count(), 1);
    let here = |page: &str| {
        let ways = page.find("class=\"subnav").unwrap();
        let text = &page[ways..];
        let current = text.find("aria-current=\"page\"").unwrap();
        text[..current]
            .rsplit("href=\"")
            .next()
            .unwrap()
            .split('"')
            .next()
            .unwrap()
            .to_owned()
    };
    for (path, way) in [
        ("leitung", "leitung"),
        ("leitung/karte", "leitung/karte"),
        ("leitung/karte/text", "leitung/karte"),
        ("leitung/karte/bearbeiten", "leitung/karte/bearbeiten"),
        ("leitung/briefe/pult", "leitung/briefe/pult"),
        ("leitung/briefe/neu", "leitung/briefe"),
        ("leitung/reich/1", "leitung"),
        ("leitung/zeitung", "leitung/zeitung"),
    ] {
        let page = greta.get(&format!("/welt/Nebelmark/{path}")).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        assert_eq!(here(&page.text), format!("/welt/Nebelmark/{way}"), "{path}");
    }
}

#[tokio::test]
async fn the_record_names_realms_and_has_every_act_of_the_desk() {
    let (stage, world, mut greta) = led().await;
    open_post(&stage, &world, true).await;
    let base = "/welt/Nebelmark/leitung";
    let mut mira = stage.browser_of("Mira").await;
    for _ in 0..2 {
        let letter = [("an", "2"), ("betreff", "Gruß"), ("text", "Gruß"), ("tun", "siegeln")];
        mira.post("/welt/Nebelmark/briefe/neu", &letter).await;
    }
    let desk = stage.web.host.letters(&world, Viewer::GameMaster);
    let letters = desk.on_desk().await.unwrap();
    for (letter, act) in letters.iter().zip(["durchlassen", "zurueckweisen"]) {
        let way = format!("{base}/briefe/pult/{}", letter.headline.id);
        greta.post(&way, &[("tun", act), ("grund", "zu grob")]).await;
    }
    let day = |days: u16| {
        let now = stage.web.clock.now();
        web::time::day("Europe/Berlin", web::time::days_later("Europe/Berlin", now, days))
    };
    let (first, last) = (day(30), day(40));
    let days = [("von", &*first), ("bis", &*last), ("grund", "Ferien")];
    greta.post(&format!("{base}/frist/pause"), &days).await;
    greta.post(&format!("{base}/frist/pause/zurueck"), &days).await;
    let away = [("von", &*first), ("bis", &*last)];
    greta.post(&format!("{base}/reich/1/abwesenheit"), &away).await;
    let absence = stage.web.host.absences(&world, stage.web.clock.now()).await.unwrap()[0]
        .from_at
        .to_string();
    // Told by its days, the last one included.
    let short = |day: &str| {
        let parts: Vec<&str> = day.rsplit('-').map(|part| part.trim_start_matches('0')).collect();
        parts.join(".")
    };
    let away_days = format!("Reich Adler (1) ist abwesend: {} bis {}.", short(&first), short(&last));
    let here = [("tun", "streichen"), ("beginn", absence.as_str())];
    greta.post(&format!("{base}/reich/1/abwesenheit"), &here).await;
    stage.account("Ina").await;
    let stand_in = [("konto", "Ina"), ("von", &*first), ("bis", &*last)];
    greta.post(&format!("{base}/reich/1/vertretung"), &stand_in).await;
    let ina = stage.web.host.find_account("Ina").await.unwrap().id;
    let ends = [("tun", "ende"), ("konto", ina.as_str())];
    greta.post(&format!("{base}/reich/1/vertretung"), &ends).await;
    greta.post(&format!("{base}/reich/2/sitz"), &[("wer", "frei")]).await;
    let record = html::plain(&greta.get(&format!("{base}/protokoll")).await.text);
    for told in [
        "Ein Brief von Reich Adler (1) ist durchgelassen.",
        "Ein Brief von Reich Adler (1) ist zurückgewiesen: zu grob",
        away_days.as_str(),
        "Reich Adler (1) ist doch da: eine Abwesenheit ist gestrichen.",
        "Ina vertritt Reich Adler (1).",
        "Ina vertritt Reich Adler (1) nicht mehr.",
        "Reich Bär (2) ist wieder frei.",
        &format!("Keine Fristen: {} bis {}, Ferien.", short(&first), short(&last)),
        &format!("Die Pause {} bis {} ist gestrichen.", short(&first), short(&last)),
    ] {
        assert!(record.contains(told), "{told}: {record}");
    }
    // What everybody may know of it stands in the record of the players too, and what concerns their own realm; nothing else.
    let own = mira.get("/api/v1/worlds/Nebelmark/record").await.text;
    for told in ["Keine Fristen", away_days.as_str(), "zurückgewiesen: zu grob"] {
        assert!(own.contains(told), "{told}: {own}");
    }
    assert!(!own.contains("durchgelassen") && !own.contains("Bär"), "{own}");
    for other in [Some(Viewer::Realm(RealmId(2))), Some(Viewer::Realm(RealmId(11))), None] {
        let deeds = stage.web.host.record(&world, other, 100).await.unwrap();
        let about_one = deeds.iter().find(|deed| deed.detail.contains("realm 1"));
        assert_eq!(about_one, None, "{other:?}");
    }
}
