//! The map pages with the toy game.

use crate::stage;
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{Method, StatusCode};
use web::testing::Seen;

fn header(seen: &Seen, name: axum::http::HeaderName) -> String {
    seen.headers
        .get(name)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
        .to_owned()
}

#[tokio::test]
async fn a_player_reads_the_map_as_picture_as_text_and_as_files() {
    let stage = stage().await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    let mut mira = stage.player("Mira", &world, 1).await;
    let page = mira.get("/welt/Nebelmark/karte").await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.text.contains("<bw-map ") && page.text.contains("data-lattice=\"26 45\""));
    assert!(
        !page.text.contains("<script>") && !page.text.contains(" style=\""),
        "nothing inline"
    );
    let words = mira.get("/welt/Nebelmark/karte/text").await;
    assert_eq!(words.status, StatusCode::OK);
    let lines = mira.get("/welt/Nebelmark/karte/text?form=text").await;
    assert!(header(&lines, CONTENT_TYPE).starts_with("text/plain"));
    let index = mira.get("/welt/Nebelmark/karte/felder.json").await;
    assert_eq!(header(&index, CONTENT_TYPE), "application/json");
    assert!(index.text.starts_with("{\"terrains\":"), "{}", index.text);
    let drawing = mira.get("/welt/Nebelmark/karte.svg").await;
    assert_eq!(header(&drawing, CONTENT_TYPE), "image/svg+xml");
    assert!(drawing.text.starts_with("<svg "));
    let picture = mira.get("/welt/Nebelmark/karte.png?breite=400").await;
    assert_eq!(header(&picture, CONTENT_TYPE), "image/png");
    assert!(picture.bytes.starts_with(b"\x89PNG"));
}

#[tokio::test]
async fn a_picture_that_the_browser_has_is_not_sent_again() {
    let stage = stage().await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    let mut mira = stage.player("Mira", &world, 1).await;
    for path in ["karte.svg", "karte.png?breite=300", "karte/felder.json", "karte/bild"] {
        let path = format!("/welt/Nebelmark/{path}");
        let first = mira.get(&path).await;
        let tag = header(&first, ETAG);
        assert!(tag.len() > 10, "{path} has a tag");
        assert_eq!(header(&first, CACHE_CONTROL), "private, no-cache");
        let request = mira.request(Method::GET, &path).header(IF_NONE_MATCH, &tag);
        let second = mira.send(request.body(Body::empty())).await;
        assert_eq!(second.status, StatusCode::NOT_MODIFIED, "{path}");
        assert!(second.bytes.is_empty());
        let request = mira.request(Method::GET, &path).header(IF_NONE_MATCH, "\"other\"");
        let third = mira.send(request.body(Body::empty())).await;
        assert_eq!(third.status, StatusCode::OK, "{path}");
    }
}

#[tokio::test]
async fn two_realms_with_different_knowledge_have_different_pictures() {
    let stage = stage().await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    let mut mira = stage.player("Mira", &world, 1).await;
    let mut nora = stage.player("Nora", &world, 2).await;
    let path = "/welt/Nebelmark/karte/felder.json";
    let (one, other) = (mira.get(path).await, nora.get(path).await);
    assert_ne!(header(&one, ETAG), header(&other, ETAG));
    assert_ne!(one.text, other.text);
    assert!(one.text.contains("Adler") && !one.text.contains("Bär"), "{}", one.text);
}

#[tokio::test]
async fn what_a_visitor_asks_for_is_escaped_and_never_breaks_the_page() {
    let stage = stage().await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    let mut mira = stage.player("Mira", &world, 1).await;
    let evil = "%3Cscript%3Ealert(1)%3C/script%3E%22'";
    for path in [
        format!("?ort={evil}"),
        format!("karte?ort={evil}"),
        format!("karte/feld?ort={evil}"),
        format!("karte/weg?heer={evil}&nach={evil}"),
        format!("karte?heer={evil}&nach={evil}"),
        "karte?ort=&mit=&wie=&heer=&nach=".to_owned(),
        "karte/feld".to_owned(),
        "karte/text?seite=99999".to_owned(),
    ] {
        let seen = mira.get(&format!("/welt/Nebelmark/{path}")).await;
        assert_eq!(seen.status, StatusCode::OK, "{path}");
        assert!(!seen.text.contains("<script>"), "{path}");
    }
    for path in [
        "karte?zug=77",
        "karte/feld?zug=77",
        "karte.png?zug=77",
        "karte/felder.json?zug=77",
        "karte/bild?zug=77",
    ] {
        let seen = mira.get(&format!("/welt/Nebelmark/{path}")).await;
        assert_eq!(seen.status, StatusCode::NOT_FOUND, "{path}");
    }
    let seen = mira.get("/welt/Nebelmark/karte?zug=x").await;
    assert_eq!(seen.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn game_masters_have_a_map_of_everything_and_players_have_not() {
    let stage = stage().await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    let mut mira = stage.player("Mira", &world, 1).await;
    let mut gerda = stage.game_master("Gerda", &world).await;
    for path in ["", "/text", "/feld", "/felder.json"] {
        let path = format!("/welt/Nebelmark/leitung/karte{path}");
        assert_eq!(gerda.get(&path).await.status, StatusCode::OK, "{path}");
        assert_eq!(mira.get(&path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    let page = gerda.get("/welt/Nebelmark/leitung/karte").await;
    assert!(
        page.text
            .contains("data-index=\"/welt/Nebelmark/leitung/karte/felder.json?zug=0\"")
    );
}
