//! What a viewer knows after a turn, built up from nothing.
//!
//! Reports, maps, checks and computer players read nothing but a [`View`]. A realm's view names fields only by its own
//! coordinates; the game master's view holds everything, in the coordinates of the world.

mod build;
mod crowds;
mod listed;
mod sightings;

pub use build::{Common, open_house_rules, view};
pub use crowds::Crowds;
pub use listed::Listed;

use crate::codes::{Building, Command, Condition, Flag, RealmKind, Season, Terrain, Treaty};
use crate::culture::Culture;
use crate::geo::Place;
use crate::notice::Notice;
use crate::state::{ArmyId, ArmyName, Computer, Crowd, Glimpse, SeenArmy, Status, Works};
use kernel::diagnostic::Diagnostic;
use kernel::game::Told;
use kernel::hex::Direction;
use kernel::realm::{RealmId, Viewer};
use kernel::report::Why;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything a viewer knows. Places are in the viewer's own coordinates.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct View {
    /// For whom.
    pub viewer: Viewer,
    /// House rules as far as the viewer may know them: those of all realms and his own.
    pub house_rules: String,
    /// The turn last adjudicated.
    pub turn: u32,
    /// Its year.
    pub year: u32,
    /// Its season.
    pub season: Season,
    /// Whether the world has come to its end.
    pub over: bool,
    /// Columns of the world.
    pub columns: u32,
    /// Whether east and west are joined.
    pub wraps: bool,
    /// The southernmost row.
    pub y_min: i32,
    /// The northernmost row.
    pub y_max: i32,
    /// Numbers of all realms that play: everybody may write to them.
    pub playing: Vec<RealmId>,
    /// The viewer's own realm and those whose land, armies, treaties or descriptions he knows; all for the game master. The books
    /// are open only to the realm itself and to the game master.
    pub realms: BTreeMap<RealmId, RealmView>,
    /// Fields the viewer knows.
    pub fields: Listed<Place, FieldView>,
    /// His own armies; for the game master all.
    pub armies: Listed<ArmyId, ArmyView>,
    /// His treaties in force; for the game master all.
    pub treaties: Vec<TreatyView>,
    /// What he was told of this turn, in order, sightings and single steps excepted.
    pub told: Vec<Told<Notice>>,
    /// Findings about his orders, by line.
    pub diagnostics: Vec<Diagnostic>,
    /// What his armies saw, week by week.
    pub sightings: Sightings,
    /// Armies seen on his own land at the end of the turn (THO-SIGHT-04), north to south, west to east.
    pub territory: Vec<(Place, Vec<SeenArmy>)>,
}

/// A realm as a viewer knows it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RealmView {
    /// Its name.
    pub name: String,
    /// Whether it still plays.
    #[serde(default, skip_serializing_if = "is_playing")]
    pub status: Status,
    /// Its people as its player describes it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub culture_text: Vec<String>,
    /// What only the realm itself and the game master know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub books: Option<Books>,
}

/// Most realms do.
fn is_playing(status: &Status) -> bool {
    *status == Status::Playing
}

/// What a realm keeps to itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Books {
    /// The player's name.
    pub player: String,
    /// Ordinary, nomad or pirate.
    pub kind: RealmKind,
    /// What the people is spared and how well it fights.
    pub culture: Culture,
    /// Gold pieces.
    pub treasury: i64,
    /// Gold that came in during the turn.
    pub income: i64,
    /// Upkeep paid in the turn, if it had a settlement.
    pub upkeep: Option<i64>,
    /// Units of currency left on the player's account; nothing if he has none.
    pub account: Option<i64>,
    /// The player's computer.
    pub computer: Computer,
    /// Turns without orders in a row.
    pub missed_turns: u32,
}

/// A field as a viewer knows it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FieldView {
    /// Turn of the last sighting.
    pub turn: u32,
    /// Its week, 0 before the first, 14 at the end of the turn.
    pub week: u8,
    /// What was seen.
    pub glimpse: Glimpse,
    /// The armies seen then, as they showed themselves.
    pub armies: Crowd,
    /// What only the owner knows.
    pub own: Option<OwnField>,
}

/// What the owner of a field knows of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OwnField {
    /// Yield in percent.
    pub yield_percent: u8,
    /// Turns that a blessing still lasts.
    pub blessed_turns: u8,
    /// Unrest, 0..=100.
    pub unrest: u8,
    /// The building or the site of one.
    pub site: Option<SiteView>,
}

/// A building as its owner knows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SiteView {
    /// What stands here, or what is being built from nothing.
    pub building: Building,
    /// Whether it stands.
    pub standing: bool,
    /// Its condition.
    pub condition: Condition,
    /// Its name.
    pub name: String,
    /// Work in progress.
    pub works: Option<Works>,
    /// Arming capacity left until the next refill.
    pub capacity_left: i64,
    /// Receiving code of a working gate.
    pub gate_code: Option<u16>,
}

/// An own army.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ArmyView {
    /// Heads, ships, points or strength; for a group the sum of its members.
    pub count: i64,
    /// Where it is.
    pub place: Place,
    /// Movement points for the next turn.
    pub points: i32,
    /// Its command in the turn last adjudicated.
    pub command: Command,
    /// Its flag.
    pub flag: Flag,
    /// Terrain it is fit for.
    pub fit: Option<Terrain>,
    /// The fleet that carries it.
    pub aboard: Option<ArmyName>,
    /// The group it is a member of.
    pub group: Option<ArmyName>,
    /// A trader's starting point.
    pub start: Option<Place>,
    /// The wizard that controls this demon.
    pub master: Option<ArmyName>,
    /// Its combat bonus in percent as things stand (group, priest).
    pub bonus_percent: i64,
}

/// A treaty in force.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TreatyView {
    /// The viewer himself, unless he is the game master.
    pub one: RealmId,
    /// With whom.
    pub other: RealmId,
    /// What.
    pub treaty: Treaty,
}

/// The sightings of a season. Every field, every name and every crowd of armies is written once; weeks refer to them by number.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Sightings {
    /// Fields seen in any week, by place. What can be seen of a field does not change between the weeks (GAP-12).
    pub grounds: Vec<Ground>,
    /// Own armies that looked around in any week, in table order.
    pub armies: Vec<ArmyName>,
    /// Armies that stood together on a field, as they appeared there.
    pub crowds: Crowds,
    /// Reasons behind the steps of own armies.
    pub reasons: Vec<Why>,
    /// Week by week.
    pub weeks: Vec<WeekView>,
}

/// A field as it was during the weeks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ground {
    /// Which field.
    pub place: Place,
    /// What was seen of it.
    pub glimpse: Glimpse,
}

/// What an own realm's armies saw in one week.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct WeekView {
    /// Its number.
    pub week: u8,
    /// Own armies on the map, groups for their members, in table order.
    pub own: Vec<Lookout>,
    /// Seen fields with armies on them: number of the ground and number of the crowd, by number of the ground.
    pub fields: Vec<(u32, u32)>,
}

/// An own army that looks around.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Lookout {
    /// Number of its name.
    pub army: u32,
    /// Number of the ground it stands on.
    pub ground: u32,
    /// Number of the reasons for the step that brought it there this week, the cost among them.
    pub step: Option<u32>,
}

impl View {
    /// The realm whose view this is; none for the game master.
    pub const fn realm(&self) -> Option<RealmId> {
        match self.viewer {
            Viewer::Realm(realm) => Some(realm),
            Viewer::GameMaster => None,
        }
    }

    /// The name of a realm; empty if the viewer has never heard of it.
    pub fn name_of(&self, realm: RealmId) -> &str {
        self.realms.get(&realm).map_or("", |realm| realm.name.as_str())
    }

    /// The viewer's own books.
    pub fn books(&self) -> Option<&Books> {
        self.realms.get(&self.realm()?)?.books.as_ref()
    }

    /// The viewer's treaty with another realm, or between the two for the game master's eyes.
    pub fn treaty_with(&self, other: RealmId) -> Treaty {
        self.treaties
            .iter()
            .find(|treaty| treaty.other == other)
            .map_or(Treaty::NoTreaty, |treaty| treaty.treaty)
    }

    /// An own army by its name.
    pub fn army(&self, name: ArmyName) -> Option<&ArmyView> {
        self.armies.get(&name.of(self.realm()?))
    }

    /// Own armies in table order.
    pub fn own_armies(&self) -> impl Iterator<Item = (ArmyName, &ArmyView)> {
        let realm = self.realm();
        self.armies
            .iter()
            .filter(move |(id, _)| Some(id.realm) == realm)
            .map(|(id, army)| (id.name, army))
    }

    /// Own fields, by place.
    pub fn own_fields(&self) -> impl Iterator<Item = (Place, &FieldView, &OwnField)> {
        let realm = self.realm();
        self.fields.iter().filter_map(move |(place, field)| {
            let own = field.own.as_ref()?;
            (realm.is_none() || Some(field.glimpse.owner) == realm).then_some((*place, field, own))
        })
    }

    /// The field beside `place`, or nothing beyond the edge (THO-MAP-06).
    pub fn neighbour(&self, place: Place, direction: Direction) -> Option<Place> {
        let here = place.doubled()?;
        let (q, r) = direction.step();
        self.wrapped(here.d + i64::from(2 * q + r), here.y + i64::from(r))
    }

    /// The place at doubled coordinates, brought into the range that this viewer writes.
    pub fn wrapped(&self, d: i64, y: i64) -> Option<Place> {
        if y < i64::from(self.y_min) || y > i64::from(self.y_max) {
            return None;
        }
        let columns = i64::from(self.columns).max(1);
        let d = if self.wraps {
            (d + columns).rem_euclid(2 * columns) - columns
        } else {
            d
        };
        Some(Place::from_doubled(kernel::hex::Doubled::new(d, y)))
    }

    /// The place as this viewer writes it: columns wrapped once round the world.
    pub fn normal(&self, place: Place) -> Option<Place> {
        let here = place.doubled()?;
        self.wrapped(here.d, here.y)
    }

    /// Distance in fields (THO-MAP-07); nothing if one of the places is none.
    pub fn distance(&self, a: Place, b: Place) -> Option<u32> {
        let (a, b) = (a.doubled()?, b.doubled()?);
        let rows = (a.y - b.y).abs();
        let round = 2 * i64::from(self.columns).max(1);
        let mut columns = (a.d - b.d).abs();
        if self.wraps {
            columns = (columns % round).min(round - columns % round);
        }
        u32::try_from(rows + ((columns - rows) / 2).max(0)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::realm::Viewer;

    fn empty() -> View {
        View {
            viewer: Viewer::Realm(RealmId(1)),
            house_rules: String::new(),
            turn: 0,
            year: 0,
            season: Season::Spring,
            over: false,
            columns: 12,
            wraps: true,
            y_min: -4,
            y_max: 5,
            playing: Vec::new(),
            realms: BTreeMap::new(),
            fields: Listed::default(),
            armies: Listed::default(),
            treaties: Vec::new(),
            told: Vec::new(),
            diagnostics: Vec::new(),
            sightings: Sightings::default(),
            territory: Vec::new(),
        }
    }

    #[test]
    fn the_neighbours_of_1_1_are_those_of_the_sample() {
        let view = empty();
        let around = Direction::ALL.map(|direction| view.neighbour(Place::new(1, 1), direction).unwrap().to_string());
        assert_eq!(around, ["1/2", "2/1", "1/0", "0/0", "-1/1", "0/2"]);
    }

    #[test]
    fn going_round_the_world_leads_home_and_rows_end_at_the_poles() {
        let view = empty();
        // Twelve columns: -6 to 5 in even rows.
        assert_eq!(
            view.neighbour(Place::new(5, 0), Direction::East),
            Some(Place::new(-6, 0))
        );
        assert_eq!(view.normal(Place::new(12, 0)), Some(Place::new(0, 0)));
        assert_eq!(view.neighbour(Place::new(0, -4), Direction::SouthEast), None);
        assert_eq!(view.distance(Place::new(5, 0), Place::new(-6, 0)), Some(1));
        assert_eq!(view.distance(Place::new(0, 0), Place::new(6, 0)), Some(6));
        assert_eq!(view.distance(Place::new(0, 0), Place::new(0, 1)), None);
        let flat = View {
            wraps: false,
            ..empty()
        };
        assert_eq!(flat.distance(Place::new(5, 0), Place::new(-6, 0)), Some(11));
    }

    #[test]
    fn house_rules_are_shown_without_other_realms_and_without_the_seed() {
        let rules = "[world]\nseed = 7\n[economy]\nupkeep_every_turn = true\n[realm.1.orders]\nmax_army_id = 5\n[realm.2.orders]\nmax_army_id = 6\n";
        let open = open_house_rules(rules, RealmId(1));
        assert!(open.contains("upkeep_every_turn") && open.contains("max_army_id = 5"));
        assert!(!open.contains("seed") && !open.contains('6') && !open.contains("world"));
    }
}
