//! The only list of games.

use kernel::any::{Adapter, AnyGame};
use std::sync::Arc;
use testkit::stages::{AnyStage, Staged};
use thoramar::Thoramar;

/// Every game that the program can run.
pub fn games() -> Vec<Arc<dyn AnyGame>> {
    vec![Arc::new(Adapter::<Thoramar>::new())]
}

/// Every game that scenarios can be played with.
pub fn stages() -> Vec<&'static dyn AnyStage> {
    static THORAMAR: Staged<Thoramar> = Staged::new();
    vec![&THORAMAR]
}
