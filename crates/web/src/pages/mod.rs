//! The pages, one file per family. How to add one:
//!
//! 1. **Handler** in `pages/<family>.rs`. Parameters say who it is for and what it reads; `Page` is the frame.
//!    ```text
//!    #[derive(askama::Template)]
//!    #[template(path = "harbour.html")]
//!    struct Harbour<'a> { page: &'a Page, ships: Vec<String> }
//!
//!    /// `GET /welt/{world}/hafen`
//!    pub async fn show(State(web): State<Web>, page: Page, player: Player) -> Answer {
//!        let (_, view) = web.host.view(&player.world, player.viewer(), None).await?;
//!        page.show(&Harbour { page: &page, ships: ships(&view) })
//!    }
//!    ```
//!    A form comes as `axum::Form<T>`; answer it with `go_with(&web, &page.in_world("hafen"), &Flash::good("flash.sailed"))`,
//!    or show the page again with its mistakes by `page.show_as(StatusCode::UNPROCESSABLE_ENTITY, &template)`.
//! 2. **Template** `templates/harbour.html`: `{% extends "layout.html" %}`, blocks `title` and `main`. Texts are
//!    `{{ page.t("harbour.title") }}`, `{{ page.n("harbour.ships", ships.len()) }}`, symbols `{{ page.icon("i-letter")|safe }}`.
//!    Everything else is escaped; `|safe` is for markup that this crate or `render` made, never for what people wrote.
//!    No inline script or style: the browser refuses both.
//! 3. **Words** in `locale/de/web-harbour.toml` and `locale/en/web-harbour.toml`, table `[harbour]`; messages in `[flash]`.
//!    Keys are written out in the source, so that a test finds those that are missing.
//! 4. **Route**: one line in `routes.rs` with its guard. A way at the top of the page: one line in `WAYS` of `page.rs`.
//! 5. **Style**: classes of `assets/components.css`; a sheet or script of your own in `assets/`, named in block `head`.
//! 6. **Test** with `web::testing`. The table of who may do what tests the new route without a further line.

pub mod account;
pub mod arms;
pub mod board;
pub mod calculator;
pub mod chronicle;
pub mod desk;
pub mod front;
pub mod keeping;
pub mod lead;
pub mod letters;
pub mod map;
pub mod newspaper;
pub mod orders;
pub mod past;
pub mod planner;
pub mod report;
pub mod rules;
pub mod seat;
pub mod setting;
pub mod sheet;
pub mod sign;
pub mod worlds;
