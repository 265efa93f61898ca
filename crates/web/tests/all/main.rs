//! The host in the browser, tested without a window: who may do what, what a hostile visitor tries, the ways of a player.

mod accounts;
mod api;
mod board;
mod calls;
mod counterparts;
mod desk_calls;
mod fields;
mod guards;
mod hostile;
mod html;
mod join_calls;
mod keeping;
mod lead;
mod letters;
mod map;
mod objects;
mod once;
mod orders;
mod players;

use host::world::World;
use kernel::any::{Adapter, AnyGame};
use std::sync::Arc;
use testkit::toy::Toy;
use web::testing::Stage;

/// The toy game: the pages must work with any.
fn games() -> Vec<Arc<dyn AnyGame>> {
    vec![Arc::new(Adapter::<Toy>::new())]
}

async fn stage() -> Stage {
    Stage::new(games()).await
}

/// The world of most tests: Mira and Jonas play in it, Greta leads it, and somebody else keeps the host.
async fn nebelmark() -> (Stage, World) {
    let stage = stage().await;
    // The first account of a host keeps it.
    stage.account("Admin").await;
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
    stage.player("Mira", &world, 1).await;
    stage.player("Jonas", &world, 2).await;
    stage.game_master("Greta", &world).await;
    (stage, world)
}

/// Lets letters go at once, with everything that a world may allow; over the game master's desk if it shall be so.
async fn open_post(stage: &Stage, world: &World, desk: bool) {
    let custom = host::letter::Custom {
        delivery: kernel::game::Delivery::AtOnce,
        desk,
        rumours: true,
        proclamations: true,
        per_day: 50,
    };
    let post = stage.web.host.letters(world, kernel::realm::Viewer::GameMaster);
    post.set_custom(&custom).await.unwrap();
}
