//! The board as a picture to keep or to print.
//!
//! A picture depends on the viewer's own view, the language and the light only, so it is drawn once and kept for a while; a browser that has it
//! already is told so before anything is drawn.

use super::{Asked, Watcher};
use crate::Answer;
use crate::error::Fault;
use crate::kept::{self, Key};
use crate::page::Page;
use crate::pages::map::picture::{answer, has_it, options, rasterised};
use crate::state::Web;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use render::map::MapOptions;
use std::sync::Arc;

/// What a picture of a board is made from, and by what it is known.
struct Sheet {
    step: u32,
    view: Vec<u8>,
    language: &'static str,
    options: MapOptions,
    key: Key,
}

impl Sheet {
    async fn of(web: &Web, page: &Page, watcher: &Watcher, asked: &Asked) -> Result<Self, Fault> {
        let (step, view) = web.host.view(&watcher.world, watcher.viewer, asked.zug).await?;
        let options = options(asked.breite, &asked.licht);
        let look = format!("board {:?} {:?}", options.width, options.theme);
        let language = page.language();
        let game = watcher.world.game.as_bytes();
        let key = kept::key(&[game, &view, language.as_bytes(), look.as_bytes()]);
        Ok(Self {
            step,
            view,
            language,
            options,
            key,
        })
    }

    async fn draw(self, watcher: &Watcher) -> Result<Arc<str>, Fault> {
        let game = watcher.game.clone();
        kept::text(self.key, move || {
            let mut board = game.board(&self.view, "")?.ok_or(Fault::Missing)?;
            self.language.clone_into(&mut board.scene.language);
            Ok(render::map::board::svg(&board, &self.options))
        })
        .await
    }
}

/// `GET /welt/{world}/brett.svg` and `GET /welt/{world}/leitung/brett.svg`
pub async fn svg(
    State(web): State<Web>,
    page: Page,
    watcher: Watcher,
    headers: HeaderMap,
    Query(asked): Query<Asked>,
) -> Answer {
    let sheet = Sheet::of(&web, &page, &watcher, &asked).await?;
    let (key, name) = (sheet.key, format!("brett-{}.svg", sheet.step));
    if has_it(&headers, &key) {
        return answer(&headers, &key, "image/svg+xml", Some(name), ());
    }
    let text = sheet.draw(&watcher).await?;
    answer(&headers, &key, "image/svg+xml", Some(name), text.to_string())
}

/// `GET /welt/{world}/brett.png` and `GET /welt/{world}/leitung/brett.png`
pub async fn png(
    State(web): State<Web>,
    page: Page,
    watcher: Watcher,
    headers: HeaderMap,
    Query(asked): Query<Asked>,
) -> Answer {
    let sheet = Sheet::of(&web, &page, &watcher, &asked).await?;
    let (key, name) = (kept::key(&[b"png", &sheet.key]), format!("brett-{}.png", sheet.step));
    if has_it(&headers, &key) {
        return answer(&headers, &key, "image/png", Some(name), ());
    }
    let text = sheet.draw(&watcher).await?;
    rasterised(&headers, &key, name, text.to_string()).await
}
