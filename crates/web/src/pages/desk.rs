//! A player's desk: what is due, what came of the last turn, and the ways on.

use crate::Answer;
use crate::identity::Player;
use crate::page::Page;
use crate::state::Web;
use askama::Template;
use axum::extract::State;
use host::board::Announcement;
use host::submission::Standing;
use host::world::StepInfo;

#[derive(Template)]
#[template(path = "desk.html")]
struct Desk<'a> {
    page: &'a Page,
    player: &'a Player,
    standing: Option<Standing>,
    last: Option<StepInfo>,
    announcements: Vec<Announcement>,
    unread: u32,
}

/// Announcements on the desk.
const ANNOUNCEMENTS: u32 = 3;

/// `GET /welt/{world}/`
pub async fn show(State(web): State<Web>, page: Page, player: Player) -> Answer {
    // The first step is the creation of the world: nothing has happened in it.
    let last = web.host.steps(&player.world).await?.into_iter().skip(1).next_back();
    page.show(&Desk {
        page: &page,
        standing: Some(web.host.standing(&player.world, player.realm()).await?),
        last,
        announcements: web.host.announcements(&player.world, ANNOUNCEMENTS).await?,
        unread: web.host.letters(&player.world, player.viewer()).unread().await?,
        player: &player,
    })
}
