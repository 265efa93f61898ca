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
mod orders;
mod players;

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
