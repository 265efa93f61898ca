//! Calls of programs that need a whole game: founding a world within its bounds, completing orders, figures and charts.

use kernel::any::Adapter;
use serde_json::{Value, json};
use std::sync::Arc;
use web::testing::{Browser, Seen, Stage};

async fn call(browser: &mut Browser, path: &str, sent: &Value) -> Seen {
    browser.post_bytes(path, "application/json", sent.to_string()).await
}

fn body(seen: &Seen) -> Value {
    serde_json::from_str(&seen.text).unwrap_or_else(|error| panic!("{error}: {}", seen.text))
}

async fn stage() -> Stage {
    let stage = Stage::new(vec![Arc::new(Adapter::<thoramar::Thoramar>::new())]).await;
    stage.account("Verwalter").await;
    stage.account("Greta").await;
    stage
}

/// A plan for two realms with these house rules.
fn plan(name: &str, house_rules: &Value) -> Value {
    json!({
        "name": name, "game": "thoramar", "seats": [{ "name": "Aal" }, { "name": "Biber" }],
        "house_rules": house_rules, "seed": "Tau 7",
    })
}

#[tokio::test]
async fn a_program_founds_a_world_of_a_game_completes_orders_and_draws_figures() {
    let stage = stage().await;
    let mut greta = stage.browser_of("Greta").await;
    let sizes = body(&greta.get("/api/v1/games/thoramar/sizes?realms=2").await);
    let smallest = &sizes["sizes"][0];
    let preview = call(
        &mut greta,
        "/api/v1/world-previews",
        &plan("", &smallest["house_rules"]),
    )
    .await;
    assert!(preview.status.is_success(), "{}", preview.text);
    let preview = body(&preview);
    assert_eq!(preview["fields"], smallest["fields"]);
    assert_eq!(preview["starts"].as_array().unwrap().len(), 2);
    let made = call(&mut greta, "/api/v1/worlds", &plan("Salz", &smallest["house_rules"])).await;
    assert_eq!(made.status.as_u16(), 201, "{}", made.text);
    // What was shown is what was made.
    let map = body(&greta.get("/api/v1/worlds/Salz/lead/turns/last/map").await);
    assert_eq!(map["scene"]["fields"], preview["scene"]["fields"]);

    let world = stage.web.host.world(Some("Salz")).await.unwrap();
    let mut mira = stage.player("Mira", &world, 1).await;
    let base = "/api/v1/worlds/Salz";
    let cursor = json!({ "text": "", "line": 1, "column": 1 });
    let found = body(&call(&mut mira, &format!("{base}/orders/complete"), &cursor).await);
    assert!(!found["proposals"].as_array().unwrap().is_empty(), "{found}");
    let figures = body(&mira.get(&format!("{base}/figures")).await);
    let first = &figures["figures"][0];
    let chart = mira
        .get(&format!("{base}/figures/{}", first["group"].as_str().unwrap()))
        .await;
    assert_eq!(chart.headers["content-type"], "image/svg+xml");
    assert!(chart.text.contains(first["name"].as_str().unwrap()), "{}", chart.text);
    // The game master sees the same figure of both realms; a player has no such call.
    let world = body(&greta.get(&format!("{base}/lead/statistics")).await);
    let of_all = world["figures"]
        .as_array()
        .unwrap()
        .iter()
        .find(|of| of["key"] == first["key"]);
    let realms = of_all.expect("the figure")["realms"].as_array().unwrap();
    assert_eq!(realms.len(), 2);
    assert_eq!(realms[0]["values"], first["values"]);
    let key = first["key"].as_str().unwrap();
    let drawn = greta.get(&format!("{base}/lead/statistics/{key}")).await;
    assert!(
        drawn.text.contains("Aal") && drawn.text.contains("Biber"),
        "{}",
        drawn.text
    );
    assert_eq!(
        mira.get(&format!("{base}/lead/statistics/{key}")).await.status.as_u16(),
        404
    );
}

#[tokio::test]
async fn a_world_beyond_the_largest_size_is_for_the_keeper() {
    let stage = stage().await;
    let mut greta = stage.browser_of("Greta").await;
    let mut keeper = stage.browser_of("Verwalter").await;
    let sizes = body(&greta.get("/api/v1/games/thoramar/sizes?realms=2").await);
    let fields = sizes["sizes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|size| size["fields"].as_u64().unwrap());
    let most = fields.max().unwrap();
    // A giant with belts that contradict each other: whoever keeps the host is refused by the game, everybody else before.
    let giant = json!({
        "world.columns": "2000", "world.rows": "2000",
        "world.tropic_max_lat_pct": "90", "world.temperate_max_lat_pct": "10",
    });
    for path in [
        "/api/v1/world-previews",
        "/api/v1/world-previews/map.svg",
        "/api/v1/worlds",
    ] {
        let seen = call(&mut greta, path, &plan("Riese", &giant)).await;
        assert_eq!(
            (seen.status.as_u16(), &body(&seen)["code"]),
            (422, &json!("world-too-large")),
            "{path}"
        );
        let seen = call(&mut keeper, path, &plan("Riese", &giant)).await;
        assert_eq!(
            (seen.status.as_u16(), &body(&seen)["code"]),
            (422, &json!("refused")),
            "{path}: {}",
            seen.text
        );
    }
    // One row more than the largest.
    let columns = 200;
    let rows = most / columns + 1;
    let beyond = json!({ "world.columns": columns.to_string(), "world.rows": rows.to_string() });
    let seen = call(&mut greta, "/api/v1/world-previews", &plan("", &beyond)).await;
    assert_eq!(body(&seen)["code"], "world-too-large");
    let said = body(&seen)["detail"].as_str().unwrap().replace('.', "");
    assert!(said.contains(&most.to_string()), "{said}");
    // The pages say the same.
    greta
        .post("/neue-welt/spiel", &[("name", "Riese"), ("spiel", "thoramar")])
        .await;
    greta.post("/neue-welt/reiche", &[("reiche", "2")]).await;
    let rules = [
        ("r.world.columns", "200"),
        ("r.world.rows", &rows.to_string()),
        ("ziel", "karte"),
    ];
    greta.post("/neue-welt/regeln", &rules).await;
    let page = greta.get("/neue-welt/karte").await;
    assert!(page.text.contains("größer als die größte Größe"), "{}", page.text);
    assert_eq!(greta.get("/neue-welt/karte.svg").await.status.as_u16(), 404);
    let seen = greta.post("/neue-welt/siegel", &[("ziel", "gruenden")]).await;
    assert!(seen.status.as_u16() == 422 && seen.text.contains("größer als die größte Größe"));
    assert!(stage.web.host.worlds().await.unwrap().is_empty());
}
