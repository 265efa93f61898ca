//! The whole truth about a world of THORAMAR between two turns.

use crate::codes::{Building, Command, Condition, Flag, Kind, RealmKind, Terrain, Treaty};
use crate::culture::Culture;
use crate::geo::{Place, PlaceFault};
use crate::roster::Roster;
pub use kernel::hex::Sides;
use kernel::hex::{FieldIndex, Grid};
use kernel::realm::RealmId;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A world.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct State {
    /// The last adjudicated turn; 0 before the first orders (GAP-02).
    pub turn: u32,
    /// Size and wrap of the map.
    pub grid: Grid,
    /// The field from which the game master counts places.
    pub origin: FieldIndex,
    /// Every field, by index.
    pub fields: Vec<Field>,
    /// Every realm that has a seat, played or not any more.
    pub realms: BTreeMap<RealmId, Realm>,
    /// Every army of every realm and of realm 0, groups included.
    pub armies: Roster<Army>,
    /// Treaties in force: lower realm number first. No entry: no treaty.
    pub treaties: BTreeMap<(RealmId, RealmId), Treaty>,
    /// TOML of the world's differences from the book that hold now.
    pub house_rules: String,
    /// What the game master changed in them since the start, in order (THO-ADM-01).
    #[serde(default)]
    pub table_changes: Vec<TableChange>,
    /// The game master has closed the world (GAP-42).
    #[serde(default)]
    pub over: bool,
}

/// A recorded change of the world's figures.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TableChange {
    /// The turn from which it holds.
    pub turn: u32,
    /// TOML laid over the house rules.
    pub toml: String,
    /// The game master's reason.
    pub reason: String,
}

/// A field of the map.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Field {
    /// What it is made of; height, cost and income follow from it (T07).
    pub terrain: Terrain,
    /// To whom it belongs; water always to nobody.
    pub owner: RealmId,
    /// Sides with a river; the neighbour has the opposite side set.
    pub rivers: Sides,
    /// Sides that a road leaves by; the neighbour has the opposite side set.
    pub roads: Sides,
    /// Sides with a bridge; the neighbour has the opposite side set.
    pub bridges: Sides,
    /// Sides with a wall of this field alone (GAP-05).
    pub walls: Sides,
    /// Yield in percent (THO-TERR-04).
    pub yield_percent: u8,
    /// Turns that a blessing still lasts.
    pub blessed_turns: u8,
    /// Unrest, 0..=100 (GAP-22).
    pub unrest: u8,
    /// The inhabited building, finished or not.
    pub site: Option<Box<Site>>,
}

impl Field {
    /// A field of nobody with nothing on it.
    pub const fn wild(terrain: Terrain) -> Self {
        Self {
            terrain,
            owner: RealmId::NOBODY,
            rivers: Sides::NONE,
            roads: Sides::NONE,
            bridges: Sides::NONE,
            walls: Sides::NONE,
            yield_percent: 100,
            blessed_turns: 0,
            unrest: 0,
            site: None,
        }
    }

    /// The finished building, in any condition.
    pub fn building(&self) -> Option<&Site> {
        self.site.as_deref().filter(|site| site.standing)
    }

    /// Whether such a building stands here and is no ruin.
    pub fn has_working(&self, wanted: fn(Building) -> bool) -> bool {
        self.building()
            .is_some_and(|site| site.condition != Condition::Ruin && wanted(site.building))
    }

    /// Whether such a building stands here or is being built: of what a realm may have only one, that counts as well.
    pub fn has(&self, wanted: fn(Building) -> bool) -> bool {
        let site = self.site.as_deref();
        self.has_working(wanted) || site.is_some_and(|site| site.works.is_some_and(|works| wanted(works.target)))
    }

    /// Whether a blessing is in force.
    pub const fn is_blessed(&self) -> bool {
        self.blessed_turns > 0
    }
}

/// A building or the site of one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Site {
    /// What stands here, or what is being built from nothing.
    pub building: Building,
    /// Whether it stands; false while it is built from nothing.
    pub standing: bool,
    /// Its condition.
    pub condition: Condition,
    /// Its name, blanks as blanks.
    pub name: String,
    /// Work in progress.
    pub works: Option<Works>,
    /// Gold spent on arming here since the last refill (GAP-10).
    pub armed_gold: i64,
    /// Receiving code of a world gate.
    pub gate_code: Option<u16>,
    /// What a mine still holds, in gold.
    pub mine_reserve: i64,
}

impl Site {
    /// A finished, intact building.
    pub fn finished(building: Building, name: impl Into<String>) -> Self {
        Self {
            building,
            standing: true,
            condition: Condition::Intact,
            name: name.into(),
            works: None,
            armed_gold: 0,
            gate_code: None,
            mine_reserve: 0,
        }
    }
}

/// Construction, upgrading, repair or rebuilding in progress (GAP-06).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Works {
    /// What it will be; always intact then.
    pub target: Building,
    /// Turns until it is done, the running one included.
    pub turns_left: u8,
}

/// Whether a realm still plays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub enum Status {
    /// It plays.
    #[default]
    Playing,
    /// It has neither land nor armies left (GAP-30).
    Eliminated,
    /// The game master gave it back to realm 0 (THO-ADM-02).
    Released,
}

/// The player's computer: which letters and line ends his files have (THO-SET-03).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub enum Computer {
    /// Nothing said: the world's default.
    #[default]
    Unsaid,
    /// *PC*.
    Pc,
    /// *Amiga*.
    Amiga,
}

/// A realm.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Realm {
    /// Its name.
    pub name: String,
    /// The player's name as reports print it.
    pub player: String,
    /// Ordinary, nomad or pirate.
    pub kind: RealmKind,
    /// What the people is spared and how well it fights.
    pub culture: Culture,
    /// The player's own description of it, line by line.
    pub culture_text: Vec<String>,
    /// The first capital's field: 0/0 of the realm's coordinates for ever (GAP-30).
    pub origin: FieldIndex,
    /// Gold pieces.
    pub treasury: i64,
    /// Gold that came in during the turn last adjudicated: land, buildings, trade, booty, plunder, gifts.
    pub income: i64,
    /// Upkeep paid in the turn last adjudicated, if it had a settlement.
    pub upkeep: Option<i64>,
    /// Units of currency left on the player's account; none for a player who pays nothing (THO-ORG-02).
    pub account: Option<i64>,
    /// His computer.
    pub computer: Computer,
    /// Turns without orders in a row.
    pub missed_turns: u32,
    /// Whether it plays.
    pub status: Status,
    /// What it has ever seen of the world, and when.
    pub knowledge: BTreeMap<FieldIndex, Known>,
}

/// What a realm last saw of a field.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Known {
    /// Turn of the sighting.
    pub turn: u32,
    /// Week of the sighting, 0 before the first.
    pub week: u8,
    /// What was seen of the field.
    pub field: Glimpse,
    /// The armies seen there, as they showed themselves.
    pub armies: Crowd,
}

/// What can be seen of a field from beside it or from on it (THO-SIGHT-01).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Glimpse {
    /// Terrain.
    pub terrain: Terrain,
    /// Owner.
    pub owner: RealmId,
    /// Building, if one is seen.
    pub building: Option<Building>,
    /// Its condition, seen only from on the field: none when seen from beside it.
    pub condition: Option<SeenCondition>,
    /// Which sides are known: all six from on the field, one from each neighbour.
    pub sides_known: Sides,
    /// Roads, of the known sides.
    pub roads: Sides,
    /// Walls, of the known sides.
    pub walls: Sides,
    /// Rivers, of the known sides.
    pub rivers: Sides,
    /// Bridges, of the known sides.
    pub bridges: Sides,
}

/// The condition of a building as a visitor sees it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum SeenCondition {
    /// It stands, in this condition.
    Standing(Condition),
    /// It is under construction.
    UnderConstruction,
}

/// Type.class and number within a realm: what a player calls an army.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct ArmyName {
    /// Type and class.
    pub kind: Kind,
    /// Number, 1..=999 for players.
    pub number: u32,
}

impl ArmyName {
    /// The army called `kind number`.
    pub const fn new(kind: Kind, number: u32) -> Self {
        Self { kind, number }
    }

    /// The army of that name in `realm`.
    pub const fn of(self, realm: RealmId) -> ArmyId {
        ArmyId { realm, name: self }
    }
}

impl fmt::Display for ArmyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{} {}", self.kind.code(), self.number))
    }
}

/// An army of the world (THO-UNIT-01). The order is that of the army table of a report.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct ArmyId {
    /// Its realm.
    pub realm: RealmId,
    /// Its name there.
    pub name: ArmyName,
}

impl ArmyId {
    /// An army by realm, kind and number.
    pub const fn new(realm: RealmId, kind: Kind, number: u32) -> Self {
        Self {
            realm,
            name: ArmyName::new(kind, number),
        }
    }

    /// Type and class.
    pub const fn kind(self) -> Kind {
        self.name.kind
    }
}

impl fmt::Display for ArmyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!(
            "{} {} {}",
            self.realm,
            self.name.kind.code(),
            self.name.number
        ))
    }
}

/// An army: heads or points of one kind under one command.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Army {
    /// Heads, ships, magic or divine points, demon strength. 0 for a group, whose members count.
    pub count: i64,
    /// Where it is; aboard: where the fleet is; in a group: where the group is.
    pub field: FieldIndex,
    /// Movement points left; may be below zero (THO-MOVE-01).
    pub points: i32,
    /// Its command in the turn last adjudicated.
    pub command: Command,
    /// Its flag in the turn last adjudicated; stays without a new order.
    pub flag: Flag,
    /// Terrain it is fit for (THO-ARM-07).
    pub fit: Option<Terrain>,
    /// The fleet that carries it.
    pub aboard: Option<ArmyName>,
    /// The group it is a member of.
    pub group: Option<ArmyName>,
    /// A trader's starting point (THO-TRADE-01).
    pub start: Option<FieldIndex>,
    /// The wizard that controls this demon.
    pub master: Option<ArmyName>,
}

impl Army {
    /// A new army on `field`, with V and its flag shown (GAP-04).
    pub const fn new(count: i64, field: FieldIndex, points: i32) -> Self {
        Self {
            count,
            field,
            points,
            command: Command::Defend,
            flag: Flag::Shown,
            fit: None,
            aboard: None,
            group: None,
            start: None,
            master: None,
        }
    }

    /// Neither aboard nor in a group: it stands on the map by itself.
    pub const fn is_free(&self) -> bool {
        self.aboard.is_none() && self.group.is_none()
    }
}

/// A foreign or own army as it shows itself to a viewer (THO-SIGHT-02, -03, -05).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct SeenArmy {
    /// Its realm, unless it shows no flag.
    pub realm: Option<RealmId>,
    /// Type and class.
    pub kind: Kind,
    /// Its number, never known for unflagged armies and those of realm 0.
    pub number: Option<u32>,
    /// Its strength.
    pub count: i64,
}

/// Armies that stood together on a field, as they showed themselves. Who remembers them and who reads of it share one list: two
/// thousand views a turn would copy some hundred such lists each.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Crowd(Option<Arc<[SeenArmy]>>);

impl Deref for Crowd {
    type Target = [SeenArmy];

    fn deref(&self) -> &[SeenArmy] {
        self.0.as_deref().unwrap_or_default()
    }
}

impl From<Vec<SeenArmy>> for Crowd {
    fn from(armies: Vec<SeenArmy>) -> Self {
        Self((!armies.is_empty()).then(|| armies.into()))
    }
}

impl fmt::Debug for Crowd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl Serialize for Crowd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Crowd {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from)
    }
}

impl State {
    /// The field at an index. Indices come from this world's grid.
    pub fn field(&self, field: FieldIndex) -> &Field {
        &self.fields[field.index()]
    }

    /// The same, to change it.
    pub fn field_mut(&mut self, field: FieldIndex) -> &mut Field {
        &mut self.fields[field.index()]
    }

    /// The army with this id.
    pub fn army(&self, id: ArmyId) -> Option<&Army> {
        self.armies.get(&id)
    }

    /// The treaty between two realms; realm 0 has none, a realm is its own partner.
    pub fn treaty(&self, a: RealmId, b: RealmId) -> Treaty {
        if a == b {
            return Treaty::Partnership;
        }
        self.treaties
            .get(&(a.min(b), a.max(b)))
            .copied()
            .unwrap_or(Treaty::NoTreaty)
    }

    /// Whether the realms are one or partners (treaty P).
    pub fn are_partners(&self, a: RealmId, b: RealmId) -> bool {
        self.treaty(a, b) == Treaty::Partnership
    }

    /// Where `field` lies in the coordinates of `realm`; of the game master for realm 0 (THO-MAP-01).
    pub fn place(&self, realm: RealmId, field: FieldIndex) -> Place {
        Place::of(&self.grid, self.origin_of(realm), field)
    }

    /// The field at a place in the coordinates of `realm`.
    pub fn field_at(&self, realm: RealmId, place: Place) -> Result<FieldIndex, PlaceFault> {
        place.field(&self.grid, self.origin_of(realm))
    }

    /// 0/0 of a realm's coordinates.
    pub fn origin_of(&self, realm: RealmId) -> FieldIndex {
        self.realms.get(&realm).map_or(self.origin, |r| r.origin)
    }

    /// The lowest and highest row in a realm's coordinates.
    pub fn rows_of(&self, realm: RealmId) -> (i32, i32) {
        let south = self.grid.doubled(self.origin_of(realm)).y;
        let north = i64::from(self.grid.rows()) - 1 - south;
        (
            i32::try_from(-south).unwrap_or(i32::MIN),
            i32::try_from(north).unwrap_or(i32::MAX),
        )
    }

    /// The realms that still play.
    pub fn playing(&self) -> impl Iterator<Item = RealmId> + '_ {
        self.realms
            .iter()
            .filter(|(_, realm)| realm.status == Status::Playing)
            .map(|(id, _)| *id)
    }

    /// The members of a group, in table order.
    pub fn members(&self, group: ArmyId) -> impl Iterator<Item = (ArmyId, &Army)> + '_ {
        self.armies_of(group.realm)
            .filter(move |(_, army)| army.group == Some(group.name))
    }

    /// All armies of a realm, in table order.
    pub fn armies_of(&self, realm: RealmId) -> impl Iterator<Item = (ArmyId, &Army)> + '_ {
        self.armies.of(realm).map(|(id, army)| (*id, army))
    }

    /// A number for a new army of this kind that is free in `realm`.
    pub fn free_number(&self, realm: RealmId, kind: Kind) -> u32 {
        let names = ArmyName::new(kind, 0)..=ArmyName::new(kind, u32::MAX);
        let last = self.armies.range(realm, names).next_back();
        last.map_or(1, |(id, _)| id.name.number.saturating_add(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::codec::{pack, unpack};

    #[test]
    fn a_crowd_is_written_and_read_as_a_list() {
        let warriors = |count| SeenArmy {
            realm: Some(RealmId(1)),
            kind: Kind::MediumWarrior,
            number: Some(7),
            count,
        };
        for armies in [vec![], vec![warriors(1)], vec![warriors(1), warriors(2)]] {
            let crowd = Crowd::from(armies.clone());
            let written = pack(&crowd).unwrap();
            assert_eq!((&*crowd, &written), (&*armies, &pack(&armies).unwrap()));
            assert_eq!(unpack::<Crowd>(&written).unwrap(), crowd);
        }
        assert_eq!(Crowd::default(), Crowd::from(Vec::new()));
    }
}
