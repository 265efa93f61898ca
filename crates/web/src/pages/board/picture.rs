//! The board as a picture to keep or to print.

use super::{Asked, Watcher};
use crate::Answer;
use crate::error::Fault;
use crate::kept;
use crate::page::Page;
use crate::pages::map::picture::{answer, options, rasterised};
use crate::pages::report::aside;
use crate::state::Web;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use kernel::board::Board;

/// The sheet of a board, its turn, and by what it is known.
async fn sheet(web: &Web, page: &Page, watcher: &Watcher, asked: &Asked) -> Result<(String, u32, kept::Key), Fault> {
    let (step, board): (u32, Board) = watcher.board(web, page, asked.zug).await?;
    let options = options(asked.breite, &asked.licht);
    let text = aside(move || Ok(render::map::board::svg(&board, &options))).await?;
    let key = kept::key(&[b"board", text.as_bytes()]);
    Ok((text, step, key))
}

/// `GET /welt/{world}/brett.svg` and `GET /welt/{world}/leitung/brett.svg`
pub async fn svg(
    State(web): State<Web>,
    page: Page,
    watcher: Watcher,
    headers: HeaderMap,
    Query(asked): Query<Asked>,
) -> Answer {
    let (text, step, key) = sheet(&web, &page, &watcher, &asked).await?;
    answer(&headers, &key, "image/svg+xml", Some(format!("brett-{step}.svg")), text)
}

/// `GET /welt/{world}/brett.png` and `GET /welt/{world}/leitung/brett.png`
pub async fn png(
    State(web): State<Web>,
    page: Page,
    watcher: Watcher,
    headers: HeaderMap,
    Query(asked): Query<Asked>,
) -> Answer {
    let (text, step, key) = sheet(&web, &page, &watcher, &asked).await?;
    let key = kept::key(&[b"png", &key]);
    rasterised(&headers, &key, format!("brett-{step}.png"), text).await
}
