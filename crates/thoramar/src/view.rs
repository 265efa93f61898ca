//! What a viewer knows after a turn, built up from nothing.

use crate::notice::Notice;
use kernel::game::Told;
use kernel::realm::Viewer;
use serde::{Deserialize, Serialize};

/// Everything a viewer knows. Places are in the viewer's own coordinates.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct View {
    /// For whom.
    pub viewer: Viewer,
    /// House rules as far as the viewer may know them.
    pub house_rules: String,
    /// What he was told.
    pub told: Vec<Told<Notice>>,
}
