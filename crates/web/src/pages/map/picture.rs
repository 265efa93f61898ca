//! Pictures of a turn's map: for the page, as SVG and PNG to keep, and what the page's script is told.
//!
//! A picture depends on the view and the language only, so it is drawn once and kept for a while; a browser that has it
//! already is told so.

use super::{Asked, Onlooker, Turn};
use crate::Answer;
use crate::error::Fault;
use crate::kept::{self, Key};
use crate::page::Page;
use crate::pages::report::aside;
use crate::state::Web;
use axum::extract::{Query, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use render::map::{MapOptions, Theme};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// PNGs that are drawn at the same time: each takes a core and some memory.
static DRAWERS: Semaphore = Semaphore::const_new(2);
/// How long somebody waits for a free drawer.
const PATIENCE: Duration = Duration::from_secs(20);
/// The widest picture, in pixels.
const WIDEST: u32 = 4_000;

/// Width of the picture of a world that is not made yet.
const SKETCH_WIDTH: u32 = 1_400;

/// What a drawing is known by: what was seen, in which language, and what is made of it.
fn key(turn: &Turn, kind: &str) -> Key {
    kept::key(&[&turn.view, turn.scene.language.as_bytes(), kind.as_bytes()])
}

async fn drawn(
    turn: &Turn,
    kind: String,
    draw: impl FnOnce(&kernel::map::Scene) -> String + Send + 'static,
) -> Result<Arc<str>, Fault> {
    let scene = turn.scene.clone();
    kept::text(key(turn, &kind), move || Ok(draw(&scene))).await
}

/// The drawing for a page; ids within it begin with `id`.
pub async fn live(turn: &Turn, id: &'static str) -> Result<Arc<str>, Fault> {
    drawn(turn, format!("live {id}"), move |scene| {
        let options = MapOptions {
            id: id.to_owned(),
            ..MapOptions::default()
        };
        render::map::live(scene, &options)
    })
    .await
}

/// The picture of a world that is not made yet; `key` is its own.
pub async fn sketch(headers: &HeaderMap, key: &Key, scene: &kernel::map::Scene, language: &str) -> Answer {
    let key = kept::key(&[b"sketch", key, language.as_bytes()]);
    let mut scene = scene.clone();
    language.clone_into(&mut scene.language);
    let text = kept::text(key, move || {
        let options = MapOptions {
            width: Some(SKETCH_WIDTH),
            ..MapOptions::default()
        };
        Ok(render::map::svg(&scene, &options))
    })
    .await?;
    answer(headers, &key, "image/svg+xml", None, text.to_string())
}

/// How a picture of this width and light is drawn.
pub(in crate::pages) fn options(width: Option<u32>, light: &str) -> MapOptions {
    MapOptions {
        width: width.map(|width| width.clamp(300, WIDEST)),
        theme: match light {
            "kerze" => Theme::Candle,
            "druck" => Theme::Print,
            _ => Theme::Paper,
        },
        ..MapOptions::default()
    }
}

async fn sheet(turn: &Turn, asked: &Asked) -> Result<Arc<str>, Fault> {
    let options = options(asked.breite, &asked.licht);
    let kind = format!("sheet {:?} {:?}", options.width, options.theme);
    drawn(turn, kind, move |scene| render::map::svg(scene, &options)).await
}

/// A key as a tag of the content.
fn tag_text(tag: &Key) -> String {
    let tag: String = tag.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    format!("\"{tag}\"")
}

/// Whether a browser says that it has what is known by this key.
pub(in crate::pages) fn has_it(headers: &HeaderMap, tag: &Key) -> bool {
    let tag = tag_text(tag);
    headers
        .get(IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|tags| tags.split(',').any(|of| of.trim().trim_start_matches("W/") == tag))
}

/// Something that a browser may keep as long as it asks whether it may still show it. The guard of the route is asked first: whoever has signed out
/// is shown nothing, not even that it is still the same.
pub(in crate::pages) fn kept(asked: &HeaderMap, tag: &Key, body: impl IntoResponse) -> Response {
    let mut response = match has_it(asked, tag) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => body.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    if let Ok(tag) = tag_text(tag).parse() {
        headers.insert(ETAG, tag);
    }
    response
}

/// Answers with something that a browser may keep as long as it asks whether it is still right.
pub(in crate::pages) fn answer(
    headers: &HeaderMap,
    tag: &Key,
    kind: &'static str,
    name: Option<String>,
    body: impl IntoResponse,
) -> Answer {
    let mut response = kept(headers, tag, body);
    let out = response.headers_mut();
    out.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    let mut put = |name, value: String| {
        if let Ok(value) = value.parse() {
            out.insert(name, value);
        }
    };
    // A picture opened by itself brings its fonts and its style along, and nothing else.
    put(
        CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'unsafe-inline'; font-src data:; frame-ancestors 'none'".to_owned(),
    );
    if let Some(name) = name {
        put(CONTENT_DISPOSITION, format!("inline; filename=\"{name}\""));
    }
    Ok(response)
}

/// `GET /welt/{world}/karte/bild`: the drawing for a page that has it fetched.
pub async fn drawing(
    State(web): State<Web>,
    page: Page,
    onlooker: Onlooker,
    headers: HeaderMap,
    Query(asked): Query<Asked>,
) -> Answer {
    let turn = onlooker.turn(&web, &page, asked.zug).await?;
    let text = live(&turn, "d").await?;
    answer(&headers, &key(&turn, "live d"), "image/svg+xml", None, text.to_string())
}

/// `GET /welt/{world}/karte/felder.json` and `GET /welt/{world}/leitung/karte/felder.json`
pub async fn index(
    State(web): State<Web>,
    page: Page,
    onlooker: Onlooker,
    headers: HeaderMap,
    Query(asked): Query<Asked>,
) -> Answer {
    let turn = onlooker.turn(&web, &page, asked.zug).await?;
    index_of(&turn, &headers).await
}

/// What lies where on a map, for the page's script.
pub async fn index_of(turn: &Turn, headers: &HeaderMap) -> Answer {
    let text = drawn(turn, "index".to_owned(), render::map::index).await?;
    answer(headers, &key(turn, "index"), "application/json", None, text.to_string())
}

/// `GET /welt/{world}/karte.svg` and `GET /welt/{world}/leitung/karte.svg`
pub async fn svg(
    State(web): State<Web>,
    page: Page,
    onlooker: Onlooker,
    headers: HeaderMap,
    Query(asked): Query<Asked>,
) -> Answer {
    vector(&web, &page, &onlooker, &headers, &asked).await
}

/// A turn's map as SVG.
pub async fn vector(web: &Web, page: &Page, onlooker: &Onlooker, headers: &HeaderMap, asked: &Asked) -> Answer {
    let turn = onlooker.turn(web, page, asked.zug).await?;
    let text = sheet(&turn, asked).await?;
    let tag = key(&turn, &format!("svg {:?} {}", asked.breite, asked.licht));
    let name = format!("karte-{}.svg", turn.step);
    answer(headers, &tag, "image/svg+xml", Some(name), text.to_string())
}

/// `GET /welt/{world}/karte.png` and `GET /welt/{world}/leitung/karte.png`
pub async fn png(
    State(web): State<Web>,
    page: Page,
    onlooker: Onlooker,
    headers: HeaderMap,
    Query(asked): Query<Asked>,
) -> Answer {
    raster(&web, &page, &onlooker, &headers, &asked).await
}

/// A turn's map as PNG.
pub async fn raster(web: &Web, page: &Page, onlooker: &Onlooker, headers: &HeaderMap, asked: &Asked) -> Answer {
    let turn = onlooker.turn(web, page, asked.zug).await?;
    let tag = key(&turn, &format!("png {:?} {}", asked.breite, asked.licht));
    let name = format!("karte-{}.png", turn.step);
    // A browser that has the picture costs nobody a drawing.
    if headers.contains_key(IF_NONE_MATCH) {
        let response = answer(headers, &tag, "image/png", Some(name.clone()), ())?;
        if response.status() == StatusCode::NOT_MODIFIED {
            return Ok(response);
        }
    }
    let text = sheet(&turn, asked).await?;
    rasterised(headers, &tag, name, text.to_string()).await
}

/// A drawing as PNG, for whoever does not have it yet.
pub(in crate::pages) async fn rasterised(headers: &HeaderMap, tag: &Key, name: String, text: String) -> Answer {
    if headers.contains_key(IF_NONE_MATCH) {
        let response = answer(headers, tag, "image/png", Some(name.clone()), ())?;
        if response.status() == StatusCode::NOT_MODIFIED {
            return Ok(response);
        }
    }
    let permit = tokio::time::timeout(PATIENCE, DRAWERS.acquire()).await;
    let permit = permit.map_err(|_| Fault::Busy)?.map_err(|_| Fault::Busy)?;
    let bytes = aside(move || {
        // Kept until the drawing is done, even if nobody waits for it any longer.
        let _permit = permit;
        render::png::png(&text, 1.0).map_err(|error| Fault::Broken(error.to_string()))
    })
    .await?;
    answer(headers, tag, "image/png", Some(name), bytes)
}
