//! The only list of games.

use crate::command::{AnyQuest, Quested};
use kernel::any::{Adapter, AnyGame};
use std::sync::Arc;
use testkit::stages::{AnyStage, Staged};
use testkit::toy::Toy;
use thoramar::Thoramar;

/// Every game that the program can run.
pub fn games() -> Vec<Arc<dyn AnyGame>> {
    vec![Arc::new(Adapter::<Thoramar>::new())]
}

/// The games as scenarios see them.
pub fn game_stages() -> Vec<&'static dyn AnyStage> {
    static THORAMAR: Staged<Thoramar> = Staged::new();
    vec![&THORAMAR]
}

/// The games as campaigns see them.
pub fn quests() -> Vec<&'static dyn AnyQuest> {
    static THORAMAR: Quested<Thoramar> = Quested::new();
    vec![&THORAMAR]
}

/// Everything that scenarios can be played with: the games, and the toy that tests the runner itself.
pub fn stages() -> Vec<&'static dyn AnyStage> {
    static TOY: Staged<Toy> = Staged::new();
    let mut stages = game_stages();
    stages.push(&TOY);
    stages
}
