//! The chronicle of a world for one of its players: every turn with the ways to its report, map and orders.

use crate::Answer;
use crate::identity::Player;
use crate::page::Page;
use crate::state::Web;
use askama::Template;
use axum::extract::State;
use host::board::Announcement;
use host::desk::Withdrawn;
use std::collections::BTreeMap;

/// Announcements in the chronicle.
const ANNOUNCEMENTS: u32 = 100;
/// Turns in the chronicle, the last first.
const TURNS: usize = 500;

/// A turn that was run.
struct Turn {
    number: u32,
    ran_at: i64,
    /// The file that counted.
    attempt: Option<u32>,
    /// Letters that came before the next turn was run.
    letters: u32,
    missed: Option<bool>,
}

#[derive(Template)]
#[template(path = "chronicle.html")]
struct Chronicle<'a> {
    page: &'a Page,
    turns: Vec<Turn>,
    withdrawn: Vec<Withdrawn>,
    announcements: Vec<Announcement>,
}

/// `GET /welt/{world}/chronik`
pub async fn show(State(web): State<Web>, page: Page, player: Player) -> Answer {
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
    page.show(&Chronicle {
        page: &page,
        turns: turns.collect(),
        withdrawn: web.host.withdrawn(world).await?,
        announcements: web.host.announcements(world, ANNOUNCEMENTS).await?,
    })
}
