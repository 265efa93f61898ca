//! The only list of games, a crate of its own so that what is compiled for every game is compiled beside the web pages and not after them.

use armageddon::Armageddon;
use kernel::any::AnyGame;
use pygma_isis::PygmaIsis;
use std::sync::Arc;
use testkit::quest::{AnyQuest, Quested};
use testkit::stages::{AnyStage, Staged};
use testkit::toy::Toy;
use thoramar::Thoramar;

/// Every game that worlds can be made of.
pub fn games() -> Vec<Arc<dyn AnyGame>> {
    vec![thoramar::hosted(), pygma_isis::hosted(), armageddon::hosted()]
}

/// The rule books as scenarios see them.
pub fn game_stages() -> Vec<&'static dyn AnyStage> {
    static THORAMAR: Staged<Thoramar> = Staged::new();
    static PYGMA_ISIS: Staged<PygmaIsis> = Staged::new();
    static ARMAGEDDON: Staged<Armageddon> = Staged::new();
    vec![&THORAMAR, &PYGMA_ISIS, &ARMAGEDDON]
}

/// The games as campaigns see them.
pub fn quests() -> Vec<&'static dyn AnyQuest> {
    static THORAMAR: Quested<Thoramar> = Quested::new();
    static PYGMA_ISIS: Quested<PygmaIsis> = Quested::new();
    static ARMAGEDDON: Quested<Armageddon> = Quested::new();
    vec![&THORAMAR, &PYGMA_ISIS, &ARMAGEDDON]
}

/// Everything that scenarios can be played with: the games, and the toy that tests the runner itself.
pub fn stages() -> Vec<&'static dyn AnyStage> {
    static TOY: Staged<Toy> = Staged::wordless();
    let mut stages = game_stages();
    stages.push(&TOY);
    stages
}
