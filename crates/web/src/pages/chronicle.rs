//! The chronicle of a world for one of its players: every turn with the ways to its report, map and orders, and the open part of
//! the record.

use crate::Answer;
use crate::error::Fault;
use crate::identity::Player;
use crate::page::Page;
use crate::state::Web;
use askama::Template;
use axum::extract::State;
use host::board::Announcement;
use host::desk::{Deed, Withdrawn};
use std::collections::BTreeMap;

/// Announcements in the chronicle.
const ANNOUNCEMENTS: u32 = 100;
/// Turns in the chronicle, the last first.
const TURNS: usize = 500;

/// Deeds of the record that players read.
pub const DEEDS: u32 = 100;

/// A turn that was run.
pub struct Turn {
    /// Its number.
    pub number: u32,
    /// When it was run.
    pub ran_at: i64,
    /// The file that counted.
    pub attempt: Option<u32>,
    /// Letters that came before the next turn was run.
    pub letters: u32,
    /// Whether its orders were missed, and if so, whether that is excused.
    pub missed: Option<bool>,
}

#[derive(Template)]
#[template(path = "chronicle.html")]
struct Chronicle<'a> {
    page: &'a Page,
    turns: Vec<Turn>,
    withdrawn: Vec<Withdrawn>,
    announcements: Vec<Announcement>,
    record: Vec<Deed>,
}

/// The turns that were run, the last first.
pub async fn turns(web: &Web, player: &Player) -> Result<Vec<Turn>, Fault> {
    let (world, realm) = (&player.world, player.realm());
    let sent = web.host.sent_by_step(world, realm).await?;
    let misses = web.host.misses(world).await?;
    let missed: BTreeMap<u32, bool> = misses
        .into_iter()
        .filter(|miss| miss.realm == realm)
        .map(|miss| (miss.step, miss.excused))
        .collect();
    let steps = web.host.steps(world).await?;
    let reads = !player.stands_in || web.host.letters(world, player.viewer()).preferences().await?.stand_in;
    let letters = match reads {
        true => web.host.letters(world, player.viewer()).came_by_step().await?,
        false => BTreeMap::new(),
    };
    let turns = steps.iter().rev().take(TURNS).map(|step| Turn {
        number: step.number,
        ran_at: step.ran_at,
        attempt: sent.get(&step.number).copied(),
        letters: letters.get(&step.number).copied().unwrap_or(0),
        missed: missed.get(&step.number).copied(),
    });
    Ok(turns.collect())
}

/// `GET /welt/{world}/chronik`
pub async fn show(State(web): State<Web>, page: Page, player: Player) -> Answer {
    let world = &player.world;
    page.show(&Chronicle {
        page: &page,
        turns: turns(&web, &player).await?,
        withdrawn: web.host.withdrawn(world).await?,
        announcements: web.host.announcements(world, ANNOUNCEMENTS).await?,
        record: web.host.record(world, false, DEEDS).await?,
    })
}
