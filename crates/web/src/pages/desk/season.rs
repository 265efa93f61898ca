//! The last turn on the desk: its story, week by week with every "why?", and how the figures of the realm changed.

use crate::error::Fault;
use crate::identity::Player;
use crate::kept;
use crate::page::Page;
use crate::pages::map::Turn;
use crate::pages::past::{self, DifferenceGroup, chart, courses, differences, in_groups, pair};
use crate::pages::report::{Day, Reader, aside, calendar};
use crate::state::Web;
use askama::Template;
use render::map::heading;
use render::sheet::{Form, Lists, Part};
use std::sync::Arc;

/// Things that happened which the desk tells at once; what comes behind them is folded.
const EVENTS: usize = 6;
/// Figures beside the chart.
const FIGURES: usize = 6;
/// Turns of the chart.
const TURNS: u32 = 13;

#[derive(Template)]
#[template(path = "desk-season.html")]
struct Season<'a> {
    page: &'a Page,
    title: &'a str,
    report: &'a str,
    file: &'static str,
    days: Vec<Day>,
    told: Vec<&'a Part>,
    folded: Vec<&'a Part>,
}

/// The story of a turn. The creation of the world is no turn: nothing has happened in it.
pub(super) async fn told(web: &Web, page: &Page, player: &Player, turn: &Turn) -> Result<Arc<str>, Fault> {
    if turn.step == 0 {
        return Ok("".into());
    }
    let step = turn.step;
    let report = page.in_world(&format!("bericht?zug={step}"));
    let parts: [&[u8]; 4] = [b"season", &turn.view, page.language().as_bytes(), report.as_bytes()];
    let key = kept::key(&parts);
    let reader = Reader::new(player.game(web)?, page);
    let (page, view, title) = (
        page.clone(),
        turn.view.clone(),
        match reader.game.has_board() {
            // The scene says whose turn it is now, not whose it was.
            true => page.t("desk.last-turn"),
            false => heading(&turn.scene).1,
        },
    );
    kept::text(key, move || {
        let lists = format!("{report}&form=geschichte&woche=");
        let verify = page.in_world(&format!("bericht/wuerfel?zug={step}"));
        let parts = reader.parts(&view, Form::Story, Lists::Only(0, &lists), Some(&verify))?;
        let (mut told, mut folded, mut events) = (Vec::new(), Vec::new(), 0);
        for part in parts.iter().filter(|part| part.story && part.events > 0) {
            let list = if events < EVENTS { &mut told } else { &mut folded };
            list.push(part);
            events += part.events;
        }
        let season = Season {
            page: &page,
            title: &title,
            report: &report,
            file: reader.game.files().report,
            days: calendar(&page, &parts, None),
            told,
            folded,
        };
        Ok(season.render()?)
    })
    .await
}

#[derive(Template)]
#[template(path = "desk-figures.html")]
struct Figures<'a> {
    page: &'a Page,
    /// What the chart shows.
    name: String,
    chart: String,
    groups: Vec<DifferenceGroup>,
}

/// The first figure of the game over the last turns, and what changed since the turn before.
pub(super) async fn figures(web: &Web, page: &Page, player: &Player, turn: &Turn) -> Result<Arc<str>, Fault> {
    let base = page.in_world("");
    let parts: [&[u8]; 4] = [b"figures", &turn.view, page.language().as_bytes(), base.as_bytes()];
    let make = async {
        let reader = Reader::new(player.game(web)?, page);
        let (steps, courses) = courses(web, player, TURNS).await?;
        let first = in_groups(&courses).into_iter().next();
        let first = first.and_then(|(group, courses)| courses.into_iter().next().map(|course| (group, course)));
        let Some((group, course)) = first else {
            return Ok(String::new());
        };
        let drawn = match steps.len() {
            0 | 1 => String::new(),
            _ => chart(page, &reader, &steps, group, &[course]).small_svg(),
        };
        let before = match turn.step.checked_sub(1) {
            Some(step) => past::view_of(web, player, step).await?,
            None => None,
        };
        let (game, view) = (reader.game.clone(), turn.view.clone());
        let (old, now) = aside(move || {
            let old = before.map(|before| game.figures(&before)).transpose()?;
            Ok((old, game.figures(&view)?))
        })
        .await?;
        let pairs = match old {
            Some(old) => pair(player.realm(), &old, &now),
            None => Vec::new(),
        };
        // What stays the same is in the comparison of the two turns.
        let changed = pairs.into_iter().filter(|pair| pair.before != pair.after);
        let figures = Figures {
            page,
            name: reader.wording.words_of(&course.key),
            chart: drawn,
            groups: differences(page, &reader, changed.take(FIGURES).collect()),
        };
        Ok(figures.render()?)
    };
    kept::asked(kept::key(&parts), make).await
}
