//! The order sheet and the planner with a game that has both: filled in, brought as a file, assigned, handed in; for people and for programs.

use axum::body::Body;
use axum::http::Method;
use axum::http::header::CONTENT_TYPE;
use host::world::World;
use kernel::any::Adapter;
use kernel::realm::RealmId;
use serde_json::{Value, json};
use std::sync::Arc;
use web::testing::{Browser, Seen, Stage};

const SHEET: &str = "/welt/Isis/zugbogen";
const PLANNER: &str = "/welt/Isis/wirtschaft";
const API: &str = "/api/v1/worlds/Isis";

async fn stage() -> (Stage, World, Browser) {
    let stage = Stage::new(vec![Arc::new(Adapter::<pygma_isis::PygmaIsis>::new())]).await;
    let world = stage.world("Isis", "pygma-isis", &["Adler", "Bär"]).await;
    stage.account("Verwalter").await;
    let mira = stage.player("Mira", &world, 1).await;
    (stage, world, mira)
}

fn body(seen: &Seen) -> Value {
    serde_json::from_str(&seen.text).unwrap_or_else(|error| panic!("{error}: {}", seen.text))
}

async fn draft(stage: &Stage, world: &World) -> String {
    let draft = stage.web.host.draft(world, RealmId(1), 1).await.unwrap();
    draft.map_or_else(String::new, |draft| String::from_utf8(draft.file).unwrap())
}

/// The cells of a page's form, by name.
fn cells(page: &str) -> Vec<(String, String)> {
    let inputs = page.split("<input type=\"text\" name=\"z.").skip(1);
    let cell = |part: &str| {
        let (name, rest) = part.split_once('"').unwrap();
        let (_, rest) = rest.split_once("value=\"").unwrap();
        let (value, _) = rest.split_once('"').unwrap();
        let value = value.replace("&#34;", "\"").replace("&#38;", "&").replace("&#62;", ">");
        (format!("z.{name}"), value)
    };
    inputs.map(cell).collect()
}

async fn send(browser: &mut Browser, cells: &[(String, String)], more: &[(&str, &str)]) -> Seen {
    let mut fields: Vec<(&str, &str)> = vec![("zug", "1"), ("teil", "zugbogen"), ("teil", "befehle")];
    fields.extend(cells.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    fields.extend(more);
    browser.post(SHEET, &fields).await
}

async fn bring(browser: &mut Browser, bytes: &[u8]) -> Seen {
    let mut form = b"--grenze\r\nContent-Disposition: form-data; name=\"zug\"\r\n\r\n1\r\n--grenze\r\nContent-Disposition: form-data; name=\"datei\"; filename=\"bogen\"\r\n\r\n".to_vec();
    form.extend(bytes);
    form.extend(b"\r\n--grenze--\r\n");
    let path = format!("{SHEET}/hochladen");
    browser
        .post_bytes(&path, "multipart/form-data; boundary=grenze", form)
        .await
}

#[tokio::test]
async fn a_sheet_is_filled_in_checked_and_sealed() {
    let (stage, world, mut mira) = stage().await;
    let page = mira.get(SHEET).await;
    assert_eq!(page.status.as_u16(), 200, "{}", page.text);
    let mut sheet = cells(&page.text);
    // The start of the book: warriors and two armies of riders, each with thirteen cells.
    assert!(sheet.len() >= 3 * 13, "{sheet:?}");
    assert_eq!(sheet[0], ("z.zugbogen.0.0".to_owned(), "KH 1".to_owned()));
    // A field that is none is found at its cell: row 2 of a file, column K.
    let before = sheet[10].1.clone();
    sheet[10].1 = "99".into();
    let checked = send(&mut mira, &sheet, &[("tat", "pruefen")]).await;
    assert!(checked.text.contains("Zugbogen"), "{}", checked.text);
    assert!(checked.text.contains("aria-invalid=\"true\""), "{}", checked.text);
    assert!(
        checked.text.contains("<b class=\"at\">Zugbogen J2</b>"),
        "{}",
        checked.text
    );
    assert!(draft(&stage, &world).await.contains(";99;"), "nothing is lost");
    sheet[10].1 = before;
    sheet[12].1 = "V".into();
    let sealed = send(&mut mira, &sheet, &[("tat", "siegeln")]).await;
    assert!(sealed.location().contains("/befehle/quittung/1/1"), "{}", sealed.text);
    let sent = stage.web.host.orders(&world, 1, RealmId(1)).await.unwrap().unwrap();
    let sent = String::from_utf8(sent).unwrap();
    assert!(sent.starts_with("ZUG KH 1: ") && sent.contains("; V\n"), "{sent}");
    assert_eq!(sent.lines().count(), 1, "who only stands needs no order: {sent}");
}

#[tokio::test]
async fn rows_come_and_go_and_a_way_is_put_in_without_a_script() {
    let (stage, world, mut mira) = stage().await;
    let sheet = cells(&mira.get(SHEET).await.text);
    let longer = send(&mut mira, &sheet, &[("tat", "neu.befehle")]).await;
    assert!(longer.text.contains("name=\"z.befehle.0.0\""), "{}", longer.text);
    let mut sheet = sheet;
    sheet.push(("z.befehle.0.0".into(), "SL \"Sie suchen; den Turm\"".into()));
    send(&mut mira, &sheet, &[("tat", "sichern")]).await;
    assert_eq!(draft(&stage, &world).await, "SL \"Sie suchen; den Turm\"\n");
    let gone = send(&mut mira, &sheet, &[("tat", "fort.befehle.0")]).await;
    assert!(!gone.text.contains("z.befehle.0.0"), "{}", gone.text);
    // A field that riders reach, by the same answer as the map gets.
    let reach = mira.get(&format!("{SHEET}/reichweite?heer=RH%201")).await;
    assert!(!body(&reach).as_array().unwrap().is_empty(), "{}", reach.text);
    let view = stage
        .web
        .host
        .view(&world, kernel::realm::Viewer::Realm(RealmId(1)), None)
        .await
        .unwrap()
        .1;
    let game = stage.web.host.game("pygma-isis").unwrap();
    let far = game
        .reach(&view, "RH 1", 1)
        .unwrap()
        .into_iter()
        .max_by_key(|of| of.cost)
        .unwrap();
    let put = send(
        &mut mira,
        &sheet,
        &[("heer", "RH 1"), ("weg", &far.place), ("tat", "weg")],
    )
    .await;
    assert!(
        put.text.contains("data-ways=\"") && !put.text.contains("data-ways=\"\""),
        "{}",
        put.text
    );
    let draft = draft(&stage, &world).await;
    assert!(
        draft.contains("ZUG RH 1: ") && draft.contains(&format!("> {}", far.place)),
        "{draft}"
    );
    // Whoever is no army of his changes nothing.
    let not = send(
        &mut mira,
        &cells(&put.text),
        &[("heer", "KH 99"), ("weg", "1/1"), ("tat", "weg")],
    )
    .await;
    assert!(not.text.contains("KH 99"), "{}", not.text);
}

#[tokio::test]
async fn the_sheet_goes_out_and_comes_back_as_a_file_of_every_kind() {
    let (stage, world, mut mira) = stage().await;
    let mut sheet = cells(&mira.get(SHEET).await.text);
    sheet[12].1 = "V, SL \"so; so\"".into();
    sheet.push(("z.befehle.0.0".into(), "# Notiz".into()));
    send(&mut mira, &sheet, &[("tat", "sichern")]).await;
    let wanted = draft(&stage, &world).await;
    assert!(wanted.contains("so; so"), "{wanted}");
    for form in ["csv", "ods", "xlsx"] {
        let file = mira.get(&format!("{SHEET}/datei?form={form}")).await;
        assert_eq!(file.status.as_u16(), 200, "{form}");
        let name = file.headers["content-disposition"].to_str().unwrap();
        assert!(name.ends_with(&format!(".{form}\"")), "{name}");
        // Something else in between, so that it is the file that comes back.
        let empty = [("zug", "1"), ("text", "")];
        mira.post("/welt/Isis/befehle/sichern", &empty).await;
        let brought = bring(&mut mira, &file.bytes).await;
        assert_eq!(brought.status.as_u16(), 200, "{form}: {}", brought.text);
        assert_eq!(draft(&stage, &world).await, wanted, "{form}");
        let called = mira.get(&format!("{API}/orders/sheet/file?form={form}")).await;
        assert_eq!(called.bytes, file.bytes, "{form}");
    }
    assert_eq!(mira.get(&format!("{SHEET}/datei?form=exe")).await.status.as_u16(), 404);
    // What is no table changes nothing, and says so.
    for bytes in [&b"PK\x03\x04 broken"[..], b"\x89PNG\r\n\0\0", &vec![b'x'; 900]] {
        let refused = bring(&mut mira, bytes).await;
        assert!(refused.status.as_u16() == 422 || bytes[0] == b'x', "{}", refused.text);
    }
    let fault = bring(&mut mira, b"heer;von_gf\n\n\nKH 1;5;x;;;;;;;5;1;;\n").await;
    assert!(
        fault.text.contains("Zugbogen C4"),
        "the cell of the file is named: {}",
        fault.text
    );
}

#[tokio::test]
async fn goods_are_assigned_by_hand_and_by_the_proposal() {
    let (stage, world, mut mira) = stage().await;
    let page = mira.get(PLANNER).await;
    assert_eq!(page.status.as_u16(), 200, "{}", page.text);
    let planner = body(&mira.get(&format!("{API}/planner")).await);
    assert_eq!(planner["needs"].as_array().unwrap().len(), 10);
    assert_eq!(planner["forecasts"].as_array().unwrap().len(), 2);
    let plot = &planner["plots"][0];
    let place = plot["place"].as_str().unwrap();
    let last = plot["choices"].as_array().unwrap().last().unwrap()["value"]
        .as_str()
        .unwrap()
        .to_owned();
    let names: Vec<String> = (0..3).map(|slot| format!("f.{place}.{slot}")).collect();
    let mut fields = vec![("zug", "1"), ("tat", "zuteilen")];
    fields.extend(names.iter().map(|name| (name.as_str(), last.as_str())));
    let written = mira.post(PLANNER, &fields).await;
    assert_eq!(written.status.as_u16(), 200, "{}", written.text);
    let by_hand = draft(&stage, &world).await;
    assert_eq!(by_hand, format!("PRODUKTION {place} {last} {last} {last}\n"));
    let then = planner["short_then"].as_i64().unwrap();
    mira.post(PLANNER, &[("zug", "1"), ("tat", "vorschlag")]).await;
    let after = body(&mira.get(&format!("{API}/planner")).await);
    assert_eq!(after["short_now"].as_i64().unwrap(), then, "{after}");
    assert_eq!(after["proposed_changes"], json!(0));
    // Nothing of it is handed in yet.
    assert!(stage.web.host.orders(&world, 1, RealmId(1)).await.unwrap().is_none());
}

#[tokio::test]
async fn programs_fill_in_the_same_sheet() {
    let (stage, world, mut mira) = stage().await;
    let sheet = body(&mira.get(&format!("{API}/orders/sheet")).await);
    let moves = &sheet["parts"][0];
    assert_eq!(moves["name"], json!("zugbogen"));
    assert_eq!(moves["columns"].as_array().unwrap().len(), 13);
    let mut row = moves["rows"][0].clone();
    row[10] = json!("99");
    let sent = json!({ "parts": { "zugbogen": [row] } });
    let path = format!("{API}/orders/sheet");
    let checked = mira
        .post_bytes(&format!("{path}/check"), "application/json", sent.to_string())
        .await;
    let checked = body(&checked);
    assert_eq!(checked["findings"][0]["row"], json!(0), "{checked}");
    assert_eq!(draft(&stage, &world).await, "", "a check keeps nothing");
    let mut row = moves["rows"][0].clone();
    row[12] = json!("A");
    let sent = json!({ "parts": { "zugbogen": [row] }, "turn": 1 });
    let request = mira
        .request(Method::PUT, &path)
        .header(CONTENT_TYPE, "application/json");
    let kept = mira.send(request.body(Body::from(sent.to_string()))).await;
    assert_eq!(kept.status.as_u16(), 200, "{}", kept.text);
    assert_eq!(body(&kept)["text"], json!(draft(&stage, &world).await));
    assert!(draft(&stage, &world).await.ends_with("; A\n"));
    // Another turn than the open one takes nothing.
    let late = json!({ "parts": {}, "turn": 7 });
    let request = mira
        .request(Method::PUT, &path)
        .header(CONTENT_TYPE, "application/json");
    assert_eq!(
        mira.send(request.body(Body::from(late.to_string())))
            .await
            .status
            .as_u16(),
        409
    );
    let best = json!({ "best": true });
    let request = mira
        .request(Method::PUT, &format!("{API}/planner"))
        .header(CONTENT_TYPE, "application/json");
    let assigned = mira.send(request.body(Body::from(best.to_string()))).await;
    assert_eq!(body(&assigned)["proposed_changes"], json!(0), "{}", assigned.text);
}

#[tokio::test]
async fn programs_send_the_sheet_as_a_file_of_every_kind_and_read_what_is_wrong_at_its_cell() {
    let (stage, world, mut mira) = stage().await;
    let path = format!("{API}/orders/sheet/file");
    let mut sheet = cells(&mira.get(SHEET).await.text);
    sheet[12].1 = "V".into();
    send(&mut mira, &sheet, &[("tat", "sichern")]).await;
    let wanted = draft(&stage, &world).await;
    assert!(wanted.ends_with("; V\n"), "{wanted}");
    for form in ["csv", "ods", "xlsx"] {
        let file = mira.get(&format!("{path}?form={form}")).await;
        let kind = file.headers[CONTENT_TYPE.as_str()].to_str().unwrap().to_owned();
        let empty = [("zug", "1"), ("text", "")];
        mira.post("/welt/Isis/befehle/sichern", &empty).await;
        let checked = mira
            .post_bytes(&format!("{path}/check"), &kind, file.bytes.clone())
            .await;
        assert_eq!(body(&checked)["findings"], json!([]), "{form}: {}", checked.text);
        assert_eq!(draft(&stage, &world).await, "", "{form}: a check keeps nothing");
        let request = mira.request(Method::PUT, &path).header(CONTENT_TYPE, kind);
        let kept = mira.send(request.body(Body::from(file.bytes))).await;
        assert_eq!(kept.status.as_u16(), 200, "{form}: {}", kept.text);
        assert_eq!(body(&kept)["text"], json!(wanted), "{form}");
        assert_eq!(draft(&stage, &world).await, wanted, "{form}");
    }
    // The fourth line of the file, the third cell: an empty line counts, as in the program that wrote it.
    let wrong = "heer;von_gf\n\n\nKH 1;5;x;;;;;;;5;1;;\n";
    let checked = mira.post_bytes(&format!("{path}/check"), "text/csv", wrong).await;
    let found = &body(&checked)["findings"][0];
    assert_eq!(
        (&found["part"], &found["row"], &found["column"], &found["cell"]),
        (&json!("zugbogen"), &json!(0), &json!(2), &json!("Zugbogen C4")),
        "{}",
        checked.text
    );
    assert_eq!(found["finding"]["severity"], json!("error"));
    // What is no table is refused, and changes nothing.
    let large = vec![b'x'; 1024 * 1024 + 1];
    for (kind, bytes, status) in [
        ("text/plain", wrong.as_bytes().to_vec(), 415),
        ("application/json", b"{}".to_vec(), 415),
        ("text/csv", b"PK\x03\x04 broken".to_vec(), 422),
        ("text/csv", large, 413),
    ] {
        let request = mira.request(Method::PUT, &path).header(CONTENT_TYPE, kind);
        let refused = mira.send(request.body(Body::from(bytes))).await;
        assert_eq!(refused.status.as_u16(), status, "{kind}: {}", refused.text);
    }
    assert_eq!(draft(&stage, &world).await, wanted);
    let document = body(&mira.get("/api/openapi.json").await);
    let described = &document["paths"]["/api/v1/worlds/{world}/orders/sheet/file"]["put"];
    let kinds = described["requestBody"]["content"].as_object().unwrap();
    assert_eq!(kinds.len(), 3, "{described}");
}

#[tokio::test]
async fn the_ways_to_sheet_and_planner_stand_on_every_page_of_the_world() {
    let (_stage, _world, mut mira) = stage().await;
    for path in ["/welt/Isis/", "/welt/Isis/karte", "/welt/Isis/befehle", SHEET, PLANNER] {
        let seen = mira.get(path).await;
        let (_, nav) = seen.text.split_once("class=\"mainnav\"").unwrap();
        let (nav, _) = nav.split_once("</nav>").unwrap();
        for way in [SHEET, PLANNER] {
            let here = if way == path { " aria-current=\"page\"" } else { "" };
            assert!(nav.contains(&format!("href=\"{way}\"{here}>")), "{path}: {nav}");
        }
    }
}

#[tokio::test]
async fn hostile_forms_bring_nothing_down() {
    let (stage, world, mut mira) = stage().await;
    let evil = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>";
    for act in [
        "",
        "weg",
        "neu.zugbogen",
        "neu.",
        "fort.zugbogen.99",
        "fort.x.0",
        "fort",
        "siegeln.x",
    ] {
        let fields = [
            ("zug", "1"),
            ("tat", act),
            ("heer", evil),
            ("weg", evil),
            ("teil", evil),
            ("z.zugbogen.0.0", evil),
            ("z.zugbogen.0.12", evil),
            ("z.befehle.1999.0", evil),
            ("z...", evil),
        ];
        let seen = mira.post(SHEET, &fields).await;
        assert_eq!(seen.status.as_u16(), 200, "{act}: {}", seen.text);
        assert!(
            !seen.text.contains("<script>alert") && !seen.text.contains("<img src=x"),
            "{act}"
        );
    }
    let seen = mira
        .post(
            PLANNER,
            &[("zug", "1"), ("f.1/1.0", evil), ("f..0", evil), ("f.x", evil)],
        )
        .await;
    assert_eq!(seen.status.as_u16(), 200);
    assert!(!seen.text.contains("<script>alert"));
    for path in [SHEET, PLANNER] {
        assert_eq!(mira.post(path, &[]).await.status.as_u16(), 400);
        assert_eq!(mira.post(path, &[("zug", "9")]).await.status.as_u16(), 409);
    }
    assert!(draft(&stage, &world).await.len() < 4_000);
}
