//! Events of part A: movement, shipping, splitting, annexation, contacts, entry notices, sightings.
//!
//! No chapter of this part is written yet, so there are none.

use super::{Ear, Tale, Telling};
use crate::report::Pen;
use crate::report::section::Section;
use crate::stage::Cast;
use crate::state::State;
use kernel::realm::RealmId;
use kernel::report::Why;
use serde::{Deserialize, Serialize};

/// Something that happened.
#[derive(Clone, PartialEq, Debug)]
pub enum Travel {}

/// What a viewer is told of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Perceived {}

impl Tale for Travel {
    type Notice = Perceived;

    fn audience(&self, _state: &State, _realms: &mut Vec<RealmId>) {
        match *self {}
    }

    fn notice(&self, _ear: &Ear<'_>) -> Option<Perceived> {
        match *self {}
    }

    fn words(&self, _cast: &Cast<'_>) -> String {
        match *self {}
    }
}

impl Telling for Perceived {
    fn section(&self) -> Section {
        match *self {}
    }

    fn write(&self, _pen: &mut Pen<'_>, _why: &Why) {
        match *self {}
    }

    fn words(&self) -> String {
        match *self {}
    }
}
