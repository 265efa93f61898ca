//! What a viewer knows after a step: the whole board, his own secret, what was told in this step.

use crate::Armageddon;
use crate::event::Event;
use crate::state::{Position, Secret, State};
use crate::tables::Tables;
use kernel::diagnostic::Diagnostic;
use kernel::game::{Brief, Told};
use kernel::realm::{RealmId, Viewer};
use serde::{Deserialize, Serialize};

/// What a viewer knows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct View {
    /// For whom.
    pub viewer: Viewer,
    /// The house rules of the battle.
    pub house_rules: String,
    /// The board and everything on it.
    pub position: Position,
    /// The viewer's own secret.
    pub secret: Option<Secret>,
    /// What was told in this step.
    pub told: Vec<Told<Event>>,
    /// Findings about the viewer's script.
    pub diagnostics: Vec<Diagnostic>,
}

impl View {
    /// The player whose view it is; none for the game master.
    pub const fn player(&self) -> Option<RealmId> {
        match self.viewer {
            Viewer::Realm(player) => Some(player),
            Viewer::GameMaster => None,
        }
    }
}

/// Builds a view.
pub fn view(_tables: &Tables, state: &State, brief: Brief<Armageddon>) -> View {
    let secret = match brief.viewer {
        Viewer::Realm(player) => state.secrets.get(&player).cloned(),
        Viewer::GameMaster => None,
    };
    View {
        viewer: brief.viewer,
        house_rules: state.house_rules.clone(),
        position: state.position.clone(),
        secret,
        told: brief.told,
        diagnostics: brief.diagnostics,
    }
}
