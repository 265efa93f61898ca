//! The board with the toy game: a host marches by clicks on a row of ten fields, and digging throws a die.

use crate::stage;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, REFRESH};
use host::schedule::Policy;
use host::step::RunPlan;
use host::world::World;
use kernel::realm::RealmId;
use web::testing::{Browser, Seen, Stage};

const BOARD: &str = "/welt/Nebelmark/brett";

async fn table() -> (Stage, World, Browser) {
    let stage = stage().await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    let mira = stage.player("Mira", &world, 1).await;
    (stage, world, mira)
}

/// The value of a hidden field.
fn hidden<'a>(seen: &'a Seen, name: &str) -> &'a str {
    let mark = format!("name=\"{name}\" value=\"");
    let rest = seen.text.split(&mark).nth(1).unwrap_or_default();
    rest.split('"').next().unwrap_or_default()
}

/// The first line that a button of the page would add and that begins so.
fn offered(seen: &Seen, begin: &str) -> String {
    let mark = "name=\"zeile\" value=\"";
    let mut lines = seen
        .text
        .split(mark)
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap());
    lines
        .find(|line| line.starts_with(begin))
        .unwrap_or_default()
        .to_owned()
}

async fn click(mira: &mut Browser, on: &Seen, path: &str, line: &str) -> Seen {
    let fields = [
        ("zeile", line),
        ("stand", hidden(on, "stand")),
        ("zug", hidden(on, "zug")),
        ("figur", "Adler"),
    ];
    mira.submit(&format!("{BOARD}/{path}"), &fields).await
}

async fn draft(stage: &Stage, world: &World) -> String {
    let draft = stage.web.host.draft(world, RealmId(1), 1).await.unwrap();
    String::from_utf8(draft.unwrap().file).unwrap()
}

#[tokio::test]
async fn a_click_writes_a_line_of_the_draft_and_undo_takes_it_back() {
    let (stage, world, mut mira) = table().await;
    let desk = mira.get("/welt/Nebelmark/").await;
    assert!(desk.text.contains(&format!("href=\"{BOARD}\"")), "a way to the board");
    let page = mira.get(BOARD).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(
        !page.text.contains("<script>") && !page.text.contains(" style=\""),
        "nothing inline"
    );
    assert!(page.text.contains("data-piece=\"Adler\""));
    let page = mira.get(&format!("{BOARD}?figur=Adler")).await;
    let march = offered(&page, "MARCH");
    assert!(!march.is_empty(), "a step is a button");
    let page = click(&mut mira, &page, "tat", &march).await;
    assert_eq!(page.status, StatusCode::OK);
    assert_eq!(draft(&stage, &world).await, format!("{march}\n"));
    assert!(page.text.contains(&format!("<code>{march}</code>")));
    // The draft is the one of the orders page.
    assert!(mira.get("/welt/Nebelmark/befehle").await.text.contains(&march));
    let second = offered(&page, "MARCH");
    let page = click(&mut mira, &page, "tat", &second).await;
    assert_eq!(draft(&stage, &world).await, format!("{march}\n{second}\n"));
    let page = click(&mut mira, &page, "zurueck", "").await;
    assert_eq!(draft(&stage, &world).await, format!("{march}\n"));
    click(&mut mira, &page, "zurueck", "").await;
    assert_eq!(draft(&stage, &world).await, "");
}

#[tokio::test]
async fn odds_are_shown_before_a_die_is_chosen_and_nothing_can_be_added_behind_it() {
    let (_stage, _world, mut mira) = table().await;
    let page = mira.get(&format!("{BOARD}?figur=Adler")).await;
    // Three faces of six each.
    assert_eq!(page.text.matches("<b>50 %</b>").count(), 2);
    let page = click(&mut mira, &page, "tat", "DIG").await;
    assert!(page.text.contains("data-send"), "the draft can be sent");
    assert_eq!(offered(&page, "MARCH"), "", "no step behind the die");
}

#[tokio::test]
async fn a_click_on_an_old_page_changes_nothing() {
    let (stage, world, mut mira) = table().await;
    let page = mira.get(&format!("{BOARD}?figur=Adler")).await;
    let march = offered(&page, "MARCH");
    click(&mut mira, &page, "tat", &march).await;
    let again = click(&mut mira, &page, "tat", &march).await;
    assert!(again.text.contains("class=\"flash bad\""));
    assert_eq!(draft(&stage, &world).await, format!("{march}\n"));
    for evil in ["", "\u{1b}", "a\nb\nc", &"x".repeat(5_000)] {
        let now = mira.get(BOARD).await;
        let seen = click(&mut mira, &now, "tat", evil).await;
        assert_eq!(seen.status, StatusCode::OK, "{evil:?}");
        assert_eq!(draft(&stage, &world).await, format!("{march}\n"), "{evil:?}");
    }
}

#[tokio::test]
async fn a_sent_draft_waits_for_its_step_and_is_seen_again_afterwards() {
    let (stage, world, mut mira) = table().await;
    let policy = Policy {
        early: true,
        ..Policy::default()
    };
    stage.web.host.set_policy(&world, policy, 0).await.unwrap();
    let page = mira.get(&format!("{BOARD}?figur=Adler")).await;
    let march = offered(&page, "MARCH");
    let page = click(&mut mira, &page, "tat", &march).await;
    let page = click(&mut mira, &page, "senden", "DIG").await;
    assert!(page.headers.contains_key(REFRESH), "it looks again by itself");
    assert_eq!(mira.get(&format!("{BOARD}/stand")).await.text, "{\"step\":1}");
    let plan = RunPlan {
        step: None,
        without_missing: true,
    };
    stage.web.host.run(&world, plan, &mut |_, _| {}).await.unwrap();
    let led = mira.get(&format!("{BOARD}?warten=1")).await;
    // She is still to move: the board tells what came of it.
    assert_eq!(led.location(), format!("{BOARD}?eben=1"));
    let board = mira.get(led.location()).await;
    assert!(
        board.text.contains("<section class=\"sheet justnow\""),
        "what just happened"
    );
    assert!(!mira.get(BOARD).await.text.contains("justnow"), "it is told once");
    let replay = mira.get(&format!("{BOARD}/verlauf?zug=1")).await;
    assert_eq!(replay.status, StatusCode::OK);
    assert!(replay.text.contains("data-moment=\"2\""), "the march and the find");
    assert!(
        replay.text.contains("<th scope=\"col\">Würfel</th>"),
        "a table of throws"
    );
    for moment in 0..=3 {
        let seen = mira.get(&format!("{BOARD}/verlauf?zug=1&bild={moment}")).await;
        assert_eq!(seen.status, StatusCode::OK);
    }
    let script = mira.get(&format!("{BOARD}/verlauf.json?zug=1")).await;
    let moments: serde_json::Value = serde_json::from_str(&script.text).unwrap();
    assert_eq!(moments.as_array().unwrap().len(), 3, "before, and two moments");
    assert_eq!(moments[1]["moves"][0][0], "Adler");
    // The other player sees nothing of it: his view is his own.
    let mut jonas = stage.player("Jonas", &world, 2).await;
    let other = jonas.get(&format!("{BOARD}/verlauf.json?zug=1")).await;
    assert!(!other.text.contains("Adler"));
}

#[tokio::test]
async fn the_board_is_a_picture_to_keep_and_the_same_for_programs() {
    let (stage, world, mut mira) = table().await;
    let kind = |seen: &Seen| seen.headers[CONTENT_TYPE].to_str().unwrap().to_owned();
    let drawing = mira.get(&format!("{BOARD}.svg")).await;
    assert_eq!(kind(&drawing), "image/svg+xml");
    assert!(drawing.text.contains("data-piece=\"Adler\""));
    let picture = mira.get(&format!("{BOARD}.png?breite=400&licht=kerze")).await;
    assert_eq!(kind(&picture), "image/png");
    assert!(picture.bytes.starts_with(b"\x89PNG"));
    let call = "/api/v1/worlds/Nebelmark";
    for path in [
        "board",
        "turns/last/board",
        "turns/0/moments",
        "board/offers?piece=Adler",
    ] {
        let seen = mira.get(&format!("{call}/{path}")).await;
        assert_eq!(seen.status, StatusCode::OK, "{path}: {}", seen.text);
    }
    let offers = mira.get(&format!("{call}/board/offers?piece=Adler")).await.text;
    assert!(offers.contains("\"line\":\"DIG\""), "{offers}");
    let mut greta = stage.game_master("Greta", &world).await;
    for path in ["", ".svg", ".png?breite=300", "/verlauf", "/verlauf.json", "/stand"] {
        let seen = greta.get(&format!("/welt/Nebelmark/leitung/brett{path}")).await;
        assert_eq!(seen.status, StatusCode::OK, "{path}");
    }
    assert_eq!(greta.get(BOARD).await.status, StatusCode::NOT_FOUND);
    for path in [
        "?zug=77",
        "/verlauf?zug=77",
        "/verlauf?zug=0&ab=4000000000",
        "?eben=77",
        ".png?zug=77",
    ] {
        let seen = mira.get(&format!("{BOARD}{path}")).await;
        assert!(!seen.status.is_server_error(), "{path}");
    }
    let evil = "%3Cscript%3E%22";
    let seen = mira.get(&format!("{BOARD}?figur={evil}&ort={evil}")).await;
    assert_eq!(seen.status, StatusCode::OK);
    assert!(!seen.text.contains("<script>\""));
}

#[tokio::test]
async fn turns_are_told_in_one_piece_and_only_the_players_own() {
    let (stage, world, mut mira) = table().await;
    let plan = || RunPlan {
        step: None,
        without_missing: true,
    };
    for _ in 0..2 {
        let page = mira.get(&format!("{BOARD}?figur=Adler")).await;
        click(&mut mira, &page, "senden", "DIG").await;
        stage.web.host.run(&world, plan(), &mut |_, _| {}).await.unwrap();
    }
    let report = mira.get("/welt/Nebelmark/bericht").await;
    assert!(report.text.contains("bericht/ganz\""), "a way leads there");
    let whole = "/welt/Nebelmark/bericht/ganz";
    let text = mira.get(&format!("{whole}?form=text")).await.text;
    let each = async |mira: &mut Browser, turn: u32| {
        let path = format!("/welt/Nebelmark/bericht?zug={turn}&form=text");
        mira.get(&path).await.text
    };
    let turns = [
        each(&mut mira, 0).await,
        each(&mut mira, 1).await,
        each(&mut mira, 2).await,
    ];
    assert_eq!(text, turns.concat(), "all turns, the first one first");
    let first = mira.get(&format!("{whole}?form=text&zug=1")).await.text;
    assert_eq!(first, turns[..2].concat(), "up to a turn");
    for form in ["", "?form=tabelle", "?form=json"] {
        assert_eq!(
            mira.get(&format!("{whole}{form}")).await.status,
            StatusCode::OK,
            "{form}"
        );
    }
    assert_eq!(
        mira.get(&format!("{whole}?form=datei")).await.status,
        StatusCode::NOT_FOUND
    );
    let call = "/api/v1/worlds/Nebelmark/report";
    assert_eq!(mira.get(&format!("{call}?form=text")).await.text, text);
    for form in ["json", "html"] {
        assert_eq!(
            mira.get(&format!("{call}?form={form}")).await.status,
            StatusCode::OK,
            "{form}"
        );
    }
    let mut jonas = stage.player("Jonas", &world, 2).await;
    let other = jonas.get(&format!("{whole}?form=text")).await.text;
    assert!(other != text && !other.contains("Adler"), "{other}");
}
