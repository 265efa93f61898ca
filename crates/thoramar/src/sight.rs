//! Sightings (THO-SIGHT, GAP-14).

use crate::event::Shown;
use crate::season::{Season, SeasonTurn};
use crate::state::{ArmyId, Glimpse};
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use std::sync::Arc;

/// Who stood where in one week, once for the sightings of all realms.
///
/// Sightings cost as much as there are armies: a realm's share is taken from here field by field when its view is made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeekSight {
    /// What can be seen of every field, all six sides; the same for all weeks of a turn.
    pub ground: Arc<Vec<Glimpse>>,
    /// Armies on the map by field: those of field `f` are `standing[starts[f]..starts[f + 1]]`, in order of realm and table.
    pub starts: Vec<u32>,
    /// See `starts`. The count of a group is that of its members.
    pub standing: Vec<Shown>,
    /// Where each army stands, in order of realm and table.
    pub places: Vec<(ArmyId, FieldIndex)>,
}

impl WeekSight {
    /// Armies on a field, unseen ones included.
    pub fn on(&self, field: FieldIndex) -> &[Shown] {
        let start = self.starts.get(field.index()).map_or(0, |start| *start as usize);
        let end = self.starts.get(field.index() + 1).map_or(start, |end| *end as usize);
        self.standing.get(start..end).unwrap_or(&[])
    }

    /// Where the armies of a realm stand.
    pub fn of(&self, realm: RealmId) -> &[(ArmyId, FieldIndex)] {
        let first = self.places.partition_point(|(id, _)| id.realm < realm);
        let last = self.places.partition_point(|(id, _)| id.realm <= realm);
        &self.places[first..last]
    }
}

/// C7: every realm's sightings of the week.
pub fn look(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}

/// D12: what every realm sees on its own land, and what it remembers of the turn.
pub fn survey(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let _ = (turn, season);
}
