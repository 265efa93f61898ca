//! A player's desk: what is due, what came since the last visit, what came of the last turn, and the ways on.

use crate::Answer;
use crate::error::Fault;
use crate::identity::{Place, Player};
use crate::kept;
use crate::page::Page;
use crate::pages::arms::Heralds;
use crate::pages::past::{DifferenceGroup, differences, pair};
use crate::pages::report::{Day, Reader, calendar};
use crate::state::Web;
use askama::Template;
use axum::Extension;
use axum::extract::State;
use host::board::Announcement;
use host::draft::Forgotten;
use host::submission::Standing;
use host::world::StepInfo;
use render::sheet::{Form, Lists, Part};
use std::sync::Arc;

#[derive(Template)]
#[template(path = "desk.html")]
struct Desk<'a> {
    page: &'a Page,
    player: &'a Player,
    place: &'a Place,
    arms: String,
    standing: Option<Standing>,
    forgotten: Forgotten,
    last: Option<StepInfo>,
    summary: Arc<str>,
    announcements: Vec<Announcement>,
    unread: u32,
    since: Option<Since>,
    sheet: bool,
    planner: bool,
}

/// What came since the last visit.
struct Since {
    /// When that visit ended.
    moment: i64,
    lines: Vec<(String, String)>,
}

/// Announcements on the desk.
const ANNOUNCEMENTS: u32 = 3;
/// Lines of what came since the last visit, of each kind.
const LINES: usize = 6;
/// Figures in the summary of a turn.
const FIGURES: usize = 8;

/// `GET /welt/{world}/`
pub async fn show(State(web): State<Web>, page: Page, player: Player, Extension(place): Extension<Place>) -> Answer {
    // The first step is the creation of the world: nothing has happened in it.
    let last = web.host.steps(&player.world).await?.into_iter().skip(1).next_back();
    let announcements = web.host.announcements(&player.world, ANNOUNCEMENTS).await?;
    let summary = match &last {
        Some(step) => summary(&web, &page, &player, step.number).await?,
        None => "".into(),
    };
    let heralds = Heralds::of(&web, &page, &player.world, player.viewer()).await?;
    let game = player.game(&web)?;
    page.show(&Desk {
        page: &page,
        sheet: game.has_sheet(),
        planner: game.has_planner(),
        arms: heralds.arms(player.viewer()).unwrap_or_default(),
        standing: Some(web.host.standing(&player.world, player.realm()).await?),
        forgotten: web
            .host
            .forgotten(&player.world, player.realm(), player.world.open_step)
            .await?,
        since: since(&web, &page, &player, &announcements).await?,
        unread: place.news.letters,
        last,
        summary,
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
    let visit = web
        .host
        .visit(&player.world, &player.account.id, web.clock.now())
        .await?;
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
    Ok(Some(Since { moment, lines }))
}

#[derive(Template)]
#[template(path = "desk-summary.html")]
struct Summary<'a> {
    page: &'a Page,
    report: String,
    days: Vec<Day>,
    events: usize,
    figures: Vec<DifferenceGroup>,
}

/// The last report in a few lines: which weeks had events, and how the figures changed.
async fn summary(web: &Web, page: &Page, player: &Player, step: u32) -> Result<Arc<str>, Fault> {
    let (_, view) = match web.host.view(&player.world, player.viewer(), Some(step)).await {
        Ok(found) => found,
        Err(host::HostError::UnknownStep { .. }) => return Ok("".into()),
        Err(error) => return Err(error.into()),
    };
    let before = match web.host.view(&player.world, player.viewer(), step.checked_sub(1)).await {
        Ok((_, view)) => Some(view),
        Err(host::HostError::UnknownStep { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    let report = page.in_world(&format!("bericht?zug={step}"));
    let parts: [&[u8]; 5] = [
        b"summary",
        &view,
        before.as_deref().unwrap_or_default(),
        page.language().as_bytes(),
        report.as_bytes(),
    ];
    let key = kept::key(&parts);
    let reader = Reader::new(player.game(web)?, page);
    let (page, own) = (page.clone(), player.realm());
    kept::text(key, move || {
        let parts = reader.parts(&view, Form::Story, Lists::Only(0, ""), None)?;
        let after = reader.game.figures(&view)?;
        let old = match &before {
            Some(before) => reader.game.figures(before)?,
            None => Vec::new(),
        };
        let mut room = FIGURES;
        let mut figures = differences(&page, &reader, pair(own, &old, &after));
        for group in &mut figures {
            group.rows.truncate(room);
            room -= group.rows.len();
        }
        figures.retain(|group| !group.rows.is_empty());
        let summary = Summary {
            page: &page,
            report,
            days: calendar(&page, &parts, None),
            events: parts
                .iter()
                .filter(|part| Part::is_time(part))
                .map(|part| part.events)
                .sum(),
            figures,
        };
        Ok(summary.render()?)
    })
    .await
}
