//! A player's desk: the map with a field's dossier, the last turn told as a story, the armies with their orders, the treasury,
//! what came since the last visit and what is due.
//!
//! What is dear to make is kept by what it was made from ([`crate::kept`]), so a desk that is looked at twice is laid once. The
//! drawing of the map comes by itself, behind the page: a phone shows the story first, and a browser that has it asks no more.

mod hosts;
mod season;

use crate::Answer;
use crate::error::Fault;
use crate::identity::{Place, Player};
use crate::page::Page;
use crate::pages::map::{self, Later, Onlooker};
use crate::pages::orders;
use crate::state::Web;
use crate::time;
use askama::Template;
use axum::Extension;
use axum::extract::{Query, State};
use host::board::Announcement;
use host::draft::Forgotten;
use host::submission::Standing;
use serde::Deserialize;
use std::sync::Arc;

/// What to show.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    /// The field whose dossier lies on the desk; without one, where the realm is at home.
    #[serde(default)]
    ort: String,
}

#[derive(Template)]
#[template(path = "desk.html")]
struct Desk<'a> {
    page: &'a Page,
    player: &'a Player,
    place: &'a Place,
    standing: Standing,
    /// Whether the game is over: no turn is open any more.
    over: bool,
    forgotten: Forgotten,
    announcements: Vec<Announcement>,
    unread: u32,
    since: Option<Since>,
    map: Later,
    /// Whether somebody asked for the field of the dossier.
    asked: bool,
    dossier: Arc<str>,
    season: Arc<str>,
    hosts: Arc<str>,
    figures: Arc<str>,
}

/// What came since the last visit.
struct Since {
    /// When that visit ended, in words.
    when: String,
    lines: Vec<(String, String)>,
}

impl Desk<'_> {
    /// How it stands with the orders: the colour of the tag, and its words. Nothing if none are due.
    fn state(&self) -> Option<(&'static str, String)> {
        match (self.standing.receipt.is_some(), self.forgotten.unsent) {
            (true, true) => Some(("amber", self.page.t("desk.orders-changed"))),
            (true, false) => Some(("green", self.page.t("desk.orders-in"))),
            (false, _) if !self.standing.owes => None,
            (false, _) if self.forgotten.drafted_at.is_some() => Some(("amber", self.page.t("desk.orders-drafted"))),
            (false, _) => Some(("amber", self.page.t("desk.orders-none"))),
        }
    }
}

/// Announcements on the desk.
const ANNOUNCEMENTS: u32 = 3;
/// Lines of what came since the last visit, of each kind.
const LINES: usize = 6;

/// `GET /welt/{world}/`
pub async fn show(
    State(web): State<Web>,
    page: Page,
    player: Player,
    Extension(place): Extension<Place>,
    Query(asked): Query<Asked>,
) -> Answer {
    let onlooker = Onlooker::player(&web, &page, &player)?;
    let turn = onlooker.turn(&web, &page, None).await?;
    let announcements = web.host.announcements(&player.world, ANNOUNCEMENTS).await?;
    let open = orders::open(&web, &player).await?;
    let draft = match &open {
        Some(open) => Some(orders::begin_with(&web, &player, open.step).await?),
        None => None,
    };
    let asked_for = turn.spot(&asked.ort);
    let spot = asked_for.or_else(|| map::home(&turn.scene));
    let dossier = map::field::lying(&web, &page, &onlooker, &turn, spot).await?;
    page.show(&Desk {
        page: &page,
        over: web.host.open_step(&player.world).await?.over,
        standing: web.host.standing(&player.world, player.realm()).await?,
        forgotten: web
            .host
            .forgotten(&player.world, player.realm(), player.world.open_step)
            .await?,
        since: since(&web, &page, &player, &announcements).await?,
        unread: place.news.letters,
        map: Later::of(&onlooker, &turn, spot),
        asked: asked_for.is_some(),
        dossier,
        season: season::told(&web, &page, &player, &turn).await?,
        hosts: hosts::listed(&web, &page, &player, &turn, draft).await?,
        figures: season::figures(&web, &page, &player, &turn).await?,
        announcements,
        player: &player,
        place: &place,
    })
}

/// What came since the visit before this one; nothing on the first.
async fn since(
    web: &Web,
    page: &Page,
    player: &Player,
    announcements: &[Announcement],
) -> Result<Option<Since>, Fault> {
    let (account, now) = (&player.account.id, web.clock.now());
    let visit = web.host.visit(&player.world, account, now).await?;
    web.host.saw_report(&player.world, account, now).await?;
    let Some(moment) = visit else { return Ok(None) };
    let came = web.host.since(&player.world, player.viewer(), moment).await?;
    let mut lines = Vec::new();
    for step in came.steps.iter().rev().take(LINES) {
        let report = page.in_world(&format!("bericht?zug={step}"));
        lines.push((report, page.t1("desk.since-turn", "step", step)));
    }
    let withdrawn = web.host.withdrawn(&player.world).await?;
    for turn in withdrawn
        .iter()
        .rev()
        .filter(|turn| turn.withdrawn_at > moment)
        .take(LINES)
    {
        let text = page.t2("desk.since-taken-back", "step", turn.step, "reason", &turn.reason);
        lines.push((page.in_world("chronik"), text));
    }
    // A stand-in who may not read the letters does not hear how many came.
    let reads = !player.stands_in
        || web
            .host
            .letters(&player.world, player.viewer())
            .preferences()
            .await?
            .stand_in;
    if came.letters > 0 && reads {
        lines.push((page.in_world("briefe"), page.n("desk.since-letters", came.letters)));
    }
    for said in announcements.iter().filter(|said| said.given_at > moment) {
        lines.push(("#aushang".to_owned(), page.t1("desk.since-said", "title", &said.title)));
    }
    for number in came.issues.iter().rev().take(LINES) {
        let issue = page.in_world(&format!("zeitung/nr/{number}"));
        lines.push((issue, page.t1("desk.since-issue", "number", number)));
    }
    let when = time::since(page.words, page.time_zone(), moment, web.clock.now());
    Ok(Some(Since { when, lines }))
}
