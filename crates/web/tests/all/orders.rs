//! Orders and reports in the browser: a mistake and its repair, drafts, the seal, the end of a turn, hostile text.

use axum::http::StatusCode;
use host::step::RunPlan;
use host::world::World;
use kernel::any::{Adapter, AnyGame as _};
use kernel::realm::RealmId;
use testkit::toy::Toy;
use web::testing::{Browser, Seen, Stage};

const DESK: &str = "/welt/Nebelmark/befehle";
const ADLER: RealmId = RealmId(1);

async fn stage() -> (Stage, World, Browser) {
    let (stage, world) = crate::nebelmark().await;
    let mira = stage.browser_of("Mira").await;
    (stage, world, mira)
}

async fn send(browser: &mut Browser, act: &str, text: &str) -> Seen {
    browser
        .post(&format!("{DESK}/{act}"), &[("zug", "1"), ("text", text)])
        .await
}

async fn run(stage: &Stage, world: &World) {
    let plan = RunPlan {
        step: None,
        without_missing: true,
    };
    stage
        .web
        .host
        .run(world, plan, &mut |_, _| {})
        .await
        .expect("the turn runs");
}

/// What stands in the editor.
fn in_editor(seen: &Seen) -> &str {
    let behind = seen.text.split("<textarea id=\"text\"").nth(1).expect("an editor");
    let body = behind.split_once('>').expect("an open tag").1;
    body.split("</textarea>").next().unwrap().trim_start_matches('\n')
}

#[tokio::test]
async fn a_mistake_is_shown_at_its_place_and_mended_by_a_button() {
    let (_stage, _world, mut mira) = stage().await;
    let seen = send(&mut mira, "pruefen", "DIG\n  DIGG ; tief\n").await;
    assert_eq!(seen.status, StatusCode::OK);
    let found = "data-line=\"2\" data-column=\"3\" data-length=\"4\"";
    assert!(seen.text.contains(found), "{}", seen.text);
    assert!(seen.text.contains("<mark>DIGG</mark>"));
    let fields = [("zug", "1"), ("text", "DIG\n  DIGG ; tief\n"), ("reparatur", "0")];
    let seen = mira.post(&format!("{DESK}/reparatur"), &fields).await;
    assert_eq!(in_editor(&seen), "DIG\n  DIG ; tief\n");
    assert!(!seen.text.contains(found));
    // A repair that is not there changes nothing.
    let fields = [("zug", "1"), ("text", "DIGG"), ("reparatur", "7")];
    let seen = mira.post(&format!("{DESK}/reparatur"), &fields).await;
    assert_eq!(in_editor(&seen), "DIGG");
}

#[tokio::test]
async fn the_script_gets_findings_alone_and_saves_by_itself() {
    let (stage, world, mut mira) = stage().await;
    mira.headers.insert("x-fragment", "1".parse().unwrap());
    let seen = send(&mut mira, "pruefen", "DIGG").await;
    assert!(
        seen.text.contains("data-line=\"1\"") && !seen.text.contains("<html"),
        "{}",
        seen.text
    );
    assert!(
        stage.web.host.drafts(&world, ADLER, 1).await.unwrap().is_empty(),
        "checking saves nothing"
    );
    let seen = send(&mut mira, "sichern", "DIG").await;
    assert!(seen.status.is_success() && !seen.text.contains('<'), "{}", seen.text);
    mira.headers.clear();
    let seen = mira.get(DESK).await;
    assert_eq!(in_editor(&seen), "DIG");
    assert!(
        seen.text
            .contains("Es gibt einen Entwurf, aber Ihr habt noch nichts abgegeben.")
    );
}

#[tokio::test]
async fn sealed_orders_get_a_receipt_and_can_be_sealed_again() {
    let (stage, world, mut mira) = stage().await;
    let seen = send(&mut mira, "siegeln", "DIG\r\n").await;
    assert_eq!(seen.status, StatusCode::SEE_OTHER);
    assert_eq!(seen.location(), "/welt/Nebelmark/befehle/quittung/1/1");
    let stored = stage.web.host.orders(&world, 1, ADLER).await.unwrap().unwrap();
    assert_eq!(stored, b"DIG\n", "line ends are those of files");
    let receipt = host::submission::receipt(&world, 1, ADLER, b"DIG\n").to_string();
    let seen = mira.get("/welt/Nebelmark/befehle/quittung/1/1").await;
    assert!(seen.text.contains(&receipt));
    assert!(seen.text.contains(&kernel::codec::Digest::of(b"DIG\n").to_string()));
    assert!(seen.text.contains("zählt"));

    let seen = send(&mut mira, "siegeln", "PRAY").await;
    assert_eq!(seen.location(), "/welt/Nebelmark/befehle/quittung/1/2");
    let seen = mira.get("/welt/Nebelmark/befehle/quittung/1/1").await;
    assert!(seen.text.contains("durch eine spätere Abgabe ersetzt"));
    assert_eq!(stage.web.host.orders(&world, 1, ADLER).await.unwrap().unwrap(), b"PRAY");
    // An earlier submission is taken up again as a draft; what counts stays what it was.
    let seen = mira
        .submit(&format!("{DESK}/verlauf"), &[("zug", "1"), ("abgabe", "1")])
        .await;
    assert_eq!(in_editor(&seen), "DIG\n");
    assert_eq!(stage.web.host.orders(&world, 1, ADLER).await.unwrap().unwrap(), b"PRAY");
}

#[tokio::test]
async fn what_is_written_after_the_seal_looks_forgotten() {
    let (_stage, _world, mut mira) = stage().await;
    send(&mut mira, "siegeln", "DIG").await;
    let warning = "ist nicht abgegeben: es zählt noch die Abgabe davor";
    assert!(!mira.get(DESK).await.text.contains(warning));
    // The clock of the store counts milliseconds.
    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    send(&mut mira, "sichern", "PRAY").await;
    assert!(mira.get(DESK).await.text.contains(warning));
}

#[tokio::test]
async fn after_the_turn_was_run_nothing_is_taken_in_for_it() {
    let (stage, world, mut mira) = stage().await;
    send(&mut mira, "siegeln", "DIG").await;
    run(&stage, &world).await;
    for act in ["siegeln", "sichern", "pruefen", "reparatur", "vorschau"] {
        let seen = send(&mut mira, act, "PRAY").await;
        assert_eq!(seen.status, StatusCode::CONFLICT, "{act}");
        assert!(seen.text.contains("Zug 1 ist nicht mehr offen"), "{act}");
    }
    assert_eq!(stage.web.host.orders(&world, 1, ADLER).await.unwrap().unwrap(), b"DIG");
    assert!(stage.web.host.drafts(&world, ADLER, 2).await.unwrap().is_empty());
    // The old submission is still to be read, and the open turn begins empty.
    let seen = mira.get("/welt/Nebelmark/befehle/quittung/1/1").await;
    assert_eq!(seen.status, StatusCode::OK);
    assert_eq!(in_editor(&mira.get(DESK).await), "");
    assert_eq!(
        mira.get(&format!("{DESK}/verlauf?zug=3")).await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn orders_of_the_largest_size_are_taken_and_larger_ones_are_not() {
    let (stage, world, mut mira) = stage().await;
    let limit = kernel::limits::ORDER_FILE_BYTES;
    // Every letter takes three in the request: the worst that a browser sends.
    let largest = ";\u{e4}".repeat(limit / 3) + &"\n".repeat(limit % 3);
    assert_eq!(largest.len(), limit);
    let seen = send(&mut mira, "siegeln", &largest).await;
    assert_eq!(seen.status, StatusCode::SEE_OTHER);
    assert_eq!(
        stage.web.host.orders(&world, 1, ADLER).await.unwrap().unwrap().len(),
        limit
    );
    let seen = send(&mut mira, "siegeln", &format!("{largest}x")).await;
    assert_eq!(seen.status, StatusCode::PAYLOAD_TOO_LARGE);
    let seen = send(&mut mira, "siegeln", &"x".repeat(8 * limit)).await;
    assert_eq!(seen.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(stage.web.host.sent(&world, ADLER, 1).await.unwrap().len(), 1);
}

#[tokio::test]
async fn hostile_orders_stay_text() {
    let (_stage, _world, mut mira) = stage().await;
    let hostile = "</textarea><script>alert(1)</script>\n\"><img src=x onerror=alert(1)>\n';alert(1)//\n";
    for act in ["pruefen", "sichern", "reparatur"] {
        send(&mut mira, act, hostile).await;
    }
    send(&mut mira, "siegeln", hostile).await;
    for path in [
        DESK.to_owned(),
        format!("{DESK}/verlauf"),
        format!("{DESK}/quittung/1/1"),
        "/welt/Nebelmark/bericht/suche?q=%3Cscript%3Ealert(1)%3C%2Fscript%3E".to_owned(),
        "/welt/Nebelmark/regeln?q=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E".to_owned(),
        "/welt/Nebelmark/bericht/wuerfel?zug=0&siegel=%22%3E%3Cscript%3Ealert(1)".to_owned(),
    ] {
        let seen = mira.get(&path).await;
        assert_eq!(seen.status, StatusCode::OK, "{path}");
        assert!(
            !seen.text.contains("<script>alert") && !seen.text.contains("<img src=x"),
            "{path}"
        );
    }
    // The text itself comes back as text.
    let seen = mira.get(&format!("{DESK}/quittung/1/1?form=text")).await;
    assert_eq!(seen.text, hostile);
    assert!(seen.headers["content-type"].to_str().unwrap().starts_with("text/plain"));
}

#[tokio::test]
async fn a_file_is_uploaded_within_its_limit_and_becomes_a_draft() {
    let (stage, world, mut mira) = stage().await;
    let parcel = |zug: &str, file: &[u8]| {
        let mut body = format!("--x\r\nContent-Disposition: form-data; name=\"zug\"\r\n\r\n{zug}\r\n--x\r\nContent-Disposition: form-data; name=\"datei\"; filename=\"A\"\r\n\r\n").into_bytes();
        body.extend_from_slice(file);
        body.extend_from_slice(b"\r\n--x--\r\n");
        body
    };
    let kind = "multipart/form-data; boundary=x";
    let path = format!("{DESK}/hochladen");
    // Bytes that are no UTF-8 are read as the game reads them, and never refused.
    let seen = mira.post_bytes(&path, kind, parcel("1", b"DIG ; Fl\x81sse\r\n")).await;
    assert_eq!(seen.status, StatusCode::SEE_OTHER);
    let draft = stage.web.host.draft(&world, ADLER, 1).await.unwrap().unwrap();
    let text = String::from_utf8(draft.file).expect("a draft is UTF-8");
    assert!(text.starts_with("DIG ; Fl") && text.ends_with("sse\n"), "{text:?}");
    assert!(
        stage.web.host.sent(&world, ADLER, 1).await.unwrap().is_empty(),
        "uploading hands nothing in"
    );

    let large = vec![b'x'; kernel::limits::ORDER_FILE_BYTES + 1];
    assert_eq!(
        mira.post_bytes(&path, kind, parcel("1", &large)).await.status,
        StatusCode::PAYLOAD_TOO_LARGE
    );
    assert_eq!(
        mira.post_bytes(&path, kind, parcel("2", b"DIG")).await.status,
        StatusCode::CONFLICT
    );
    assert_eq!(
        mira.post_bytes(&path, kind, "rubbish").await.status,
        StatusCode::BAD_REQUEST
    );
}

#[tokio::test]
async fn a_report_reads_in_every_form_and_old_turns_stay() {
    let (stage, world, mut mira) = stage().await;
    send(&mut mira, "siegeln", "DIG").await;
    run(&stage, &world).await;
    for form in [
        "",
        "&form=tabelle",
        "&form=text",
        "&form=lesen",
        "&form=json",
        "&form=datei",
    ] {
        for zug in [0, 1] {
            let seen = mira.get(&format!("/welt/Nebelmark/bericht?zug={zug}{form}")).await;
            assert_eq!(seen.status, StatusCode::OK, "{zug} {form}");
        }
    }
    let json = mira.get("/welt/Nebelmark/bericht?form=json").await.text;
    let read: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(read["game"], "toy");
    let file = mira.get("/welt/Nebelmark/bericht?form=datei").await;
    assert_eq!(
        file.headers["content-disposition"],
        "attachment; filename=\"REPORT.TXT\""
    );
    for path in [
        "bericht?zug=2",
        "bericht?form=pdf",
        "bericht/wuerfel?zug=2",
        "bericht/vergleich?gegen=9",
    ] {
        let seen = mira.get(&format!("/welt/Nebelmark/{path}")).await;
        assert_eq!(seen.status, StatusCode::NOT_FOUND, "{path}");
    }
    for path in [
        "bericht/vergleich",
        "bericht/verlauf",
        "bericht/wuerfel",
        "bericht/suche?q=Adler",
        "regeln",
    ] {
        let seen = mira.get(&format!("/welt/Nebelmark/{path}")).await;
        assert_eq!(seen.status, StatusCode::OK, "{path}");
    }
    let dice = mira.get("/welt/Nebelmark/bericht/wuerfel?zug=1").await.text;
    assert!(dice.contains("Der Schlüssel paßt zum Siegel"), "{dice}");
    let wrong = "0".repeat(64);
    let dice = mira
        .get(&format!("/welt/Nebelmark/bericht/wuerfel?zug=1&siegel={wrong}"))
        .await
        .text;
    assert!(dice.contains("Der Schlüssel paßt nicht zum Siegel!"), "{dice}");
}

#[tokio::test]
async fn rules_are_found_by_their_words_and_ids() {
    let (_stage, _world, mut mira) = stage().await;
    let rules = Adapter::<Toy>::new().rules();
    let rule = rules.first().expect("a rule");
    let seen = mira.get(&format!("/welt/Nebelmark/regeln/{}", rule.id)).await;
    assert!(seen.text.contains(rule.id.as_str()));
    assert_eq!(
        mira.get("/welt/Nebelmark/regeln/TOY-NONE-99").await.status,
        StatusCode::NOT_FOUND
    );
    let seen = mira.get(&format!("/welt/Nebelmark/regeln?q={}", rule.id)).await;
    assert!(
        seen.text.contains("1 Regel<") || seen.text.contains("1 Regel "),
        "{}",
        seen.text
    );
}

#[tokio::test]
async fn the_page_of_orders_is_also_plain_text() {
    let (_stage, _world, mut mira) = stage().await;
    send(&mut mira, "sichern", "DIG\nDIGG <b>\n").await;
    let seen = mira.get(&format!("{DESK}?form=text")).await;
    assert!(seen.headers["content-type"].to_str().unwrap().starts_with("text/plain"));
    assert!(
        seen.text.contains("Zeile 2, Spalte 1: Fehler no-order"),
        "{}",
        seen.text
    );
    assert!(seen.text.contains("DIGG <b>"));
    assert_eq!(
        mira.get(&format!("{DESK}?form=pdf")).await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn the_chronicle_of_many_turns_has_leaves_of_twenty() {
    let (stage, world, mut mira) = stage().await;
    for _ in 0..20 {
        run(&stage, &world).await;
    }
    let chronicle = |leaf: &str| format!("/welt/Nebelmark/chronik{leaf}");
    let rows = |seen: &Seen| seen.text.matches("<th scope=\"row\">").count();
    // Twenty turns and the creation of the world.
    let first = mira.get(&chronicle("")).await;
    assert_eq!(rows(&first), 20, "{}", first.text);
    assert!(first.text.contains("href=\"?blatt=2\"") && !first.text.contains("href=\"?blatt=3\""));
    let second = mira.get(&chronicle("?blatt=2")).await;
    assert_eq!(rows(&second), 1);
    assert!(second.text.contains("Beginn") && !first.text.contains("Beginn"));
    // The record belongs to the first leaf; of many deeds the older ones are folded.
    assert!(first.text.contains("id=\"protokoll\"") && !second.text.contains("id=\"protokoll\""));
    assert!(first.text.contains("ältere Zeilen"), "{}", first.text);
    // A leaf that does not exist is the nearest one; only the way to the other language keeps what was asked for.
    let main = |seen: &Seen| seen.text.split_once("<main").map(|(_, main)| main.to_owned()).unwrap();
    assert_eq!(main(&mira.get(&chronicle("?blatt=0")).await), main(&first));
    let last = mira.get(&chronicle("?blatt=99")).await;
    assert_eq!(main(&last), main(&second));
    assert!(last.text.contains("href=\"?blatt=99&#38;sprache=en\""), "{}", last.text);
}
