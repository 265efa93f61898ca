//! The board of a game that is played by clicks: what stands where, what can be done now, and a turn seen again.

use super::turn::TurnPath;
use super::{Asked, Called, json};
use crate::page::Page;
use crate::pages::board::Watcher;
use crate::pages::board::replay::Play;
use crate::pages::report::aside;
use crate::state::Web;
use axum::extract::{Path, State};
use serde::Deserialize;
use utoipa::IntoParams;

/// Characters of the name of a piece.
const NAME_MAX: usize = 60;

/// `GET /api/v1/worlds/{world}/board`: with the draft of the open turn carried out as far as no die falls.
pub async fn now(State(web): State<Web>, watcher: Watcher) -> Called {
    let desk = watcher.desk(&web).await?;
    let (game, step) = (watcher.game.clone(), desk.step);
    let board = aside(move || Ok(game.board(&desk.view, &desk.draft)?)).await?;
    json(&serde_json::json!({ "turn": step, "board": board }))
}

/// Whose deeds are asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
pub struct OffersAsked {
    /// The piece, as players write it; without one, what concerns no single piece.
    #[serde(default)]
    #[param(required = false)]
    piece: Option<String>,
}

/// `GET /api/v1/worlds/{world}/board/offers`: what can be done after the draft of the open turn.
pub async fn offers(State(web): State<Web>, watcher: Watcher, Asked(asked): Asked<OffersAsked>) -> Called {
    let desk = watcher.desk(&web).await?;
    let piece: Option<String> = asked.piece.map(|piece| piece.trim().chars().take(NAME_MAX).collect());
    let (game, step, writes) = (watcher.game.clone(), desk.step, desk.writes);
    let offers = aside(move || {
        if !writes {
            return Ok(Vec::new());
        }
        Ok(game.offers(&desk.view, &desk.draft, piece.as_deref())?)
    })
    .await?;
    json(&serde_json::json!({ "turn": step, "offers": offers }))
}

/// `GET /api/v1/worlds/{world}/turns/{turn}/board` and `GET /api/v1/worlds/{world}/lead/turns/{turn}/board`
pub async fn after(State(web): State<Web>, page: Page, watcher: Watcher, Path(path): Path<TurnPath>) -> Called {
    let (step, board) = watcher.board(&web, &page, path.which()?).await?;
    json(&serde_json::json!({ "turn": step, "board": board }))
}

/// `GET /api/v1/worlds/{world}/turns/{turn}/moments` and `GET /api/v1/worlds/{world}/lead/turns/{turn}/moments`
pub async fn moments(State(web): State<Web>, page: Page, watcher: Watcher, Path(path): Path<TurnPath>) -> Called {
    let play = Play::load(&web, &page, &watcher, path.which()?, None).await?;
    json(&serde_json::json!({ "turn": play.step, "moments": play.frames, "left_out": play.more }))
}
