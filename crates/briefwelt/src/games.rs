//! The only list of games.

use crate::command::{AnyQuest, Quested};
use armageddon::Armageddon;
use kernel::any::AnyGame;
use pygma_isis::PygmaIsis;
use std::sync::Arc;
use testkit::stages::{AnyStage, Staged};
use testkit::toy::Toy;
use thoramar::Thoramar;

/// Every game that the program can run.
pub fn games() -> Vec<Arc<dyn AnyGame>> {
    vec![thoramar::hosted()]
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

/// Rule books that are being written: their scenarios can be played and their coverage asked for by name, but no world of them can be
/// made. A game that is complete moves from here to the lists above.
pub fn unfinished_stages() -> Vec<&'static dyn AnyStage> {
    static PYGMA_ISIS: Staged<PygmaIsis> = Staged::new();
    static ARMAGEDDON: Staged<Armageddon> = Staged::new();
    vec![&PYGMA_ISIS, &ARMAGEDDON]
}

/// Everything that scenarios can be played with: the games, those that are being written, and the toy that tests the runner itself.
pub fn stages() -> Vec<&'static dyn AnyStage> {
    static TOY: Staged<Toy> = Staged::new();
    let mut stages = game_stages();
    stages.extend(unfinished_stages());
    stages.push(&TOY);
    stages
}
