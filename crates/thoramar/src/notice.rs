//! What a viewer is told of an event: another type than the event, in the viewer's own terms.

use serde::{Deserialize, Serialize};

/// What one viewer is told.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Notice {}
