//! The whole truth about a world of PYGMA-ISIS between two months.

use crate::chart::{Chart, Place};
use crate::codes::{Creature, Equipment, Good, Kind, People, SettlementKind, Soil, Stance, Terrain, Vein, WorkKind};
use crate::tables::Tables;
use kernel::hex::FieldIndex;
pub use kernel::hex::Sides;
use kernel::realm::RealmId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// A world.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct State {
    /// The last adjudicated month, counted from the first; 0 before the first orders.
    pub step: u32,
    /// The shape of the world.
    pub chart: Chart,
    /// Every field, by index.
    pub fields: Vec<Field>,
    /// Every realm that has a seat, played or not any more.
    pub realms: BTreeMap<RealmId, Realm>,
    /// Every army and trader of every realm.
    pub armies: BTreeMap<ArmyId, Army>,
    /// Creatures, natives, garrisons and rebels.
    pub bands: BTreeMap<BandId, Band>,
    /// TOML of the world's differences from the book that hold now.
    pub house_rules: String,
    /// The game master has closed the world (PYG-GAP-66).
    #[serde(default)]
    pub over: bool,
}

/// A field of the map (*Kleinfeld*).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Field {
    /// What it is made of.
    pub terrain: Terrain,
    /// To whom it belongs; water always to nobody (PYG-MAP-08).
    pub owner: RealmId,
    /// Sides with a river; the neighbour has the opposite side set.
    #[serde(default)]
    pub rivers: Sides,
    /// Sides with a bridge; the neighbour has the opposite side set.
    #[serde(default)]
    pub bridges: Sides,
    /// Sides that a road leaves by; the neighbour has the opposite side set.
    #[serde(default)]
    pub roads: Sides,
    /// Sides on which a disaster destroyed a road that nobody has rebuilt (PYG-GAP-22); the neighbour has the opposite side set.
    #[serde(default)]
    pub ruins: Sides,
    /// What people live in.
    #[serde(default)]
    pub settlement: Option<Box<Settlement>>,
    /// A work.
    #[serde(default)]
    pub work: Option<Work>,
    /// What lies under it (PYG-MINE-01).
    #[serde(default)]
    pub ground: Underground,
    /// Goods of the three places; none for the default (PYG-GAP-52).
    #[serde(default)]
    pub places: Option<[Good; 3]>,
    /// It pays nothing at the next income month: eruption or plunder (PYG-GAP-62, PYG-GAP-63).
    #[serde(default)]
    pub pays_nothing: bool,
}

impl Field {
    /// A field of nobody with nothing on it.
    pub const fn wild(terrain: Terrain) -> Self {
        Self {
            terrain,
            owner: RealmId::NOBODY,
            rivers: Sides::NONE,
            bridges: Sides::NONE,
            roads: Sides::NONE,
            ruins: Sides::NONE,
            settlement: None,
            work: None,
            ground: Underground::Unsearched,
            places: None,
            pays_nothing: false,
        }
    }

    /// The settlement, if it is a town (PYG-GAP-10).
    pub fn town(&self, tables: &Tables) -> Option<&Settlement> {
        self.settlement
            .as_deref()
            .filter(|settlement| tables.settling.towns.contains(&settlement.kind))
    }

    /// Whether a road leaves it.
    pub const fn has_road(&self) -> bool {
        self.roads.0 != 0
    }
}

/// What people live in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Settlement {
    /// What it is.
    pub kind: SettlementKind,
    /// Population points added by growth (PYG-POP-05).
    #[serde(default)]
    pub grown: i64,
    /// Whether it is fortified (PYG-FORT-01).
    #[serde(default)]
    pub fortified: bool,
    /// Plagues in a row; 0 is none (PYG-GAP-20).
    #[serde(default)]
    pub plague: u32,
    /// Its trade, if it is a trade city.
    #[serde(default)]
    pub trade: Option<TradeCity>,
    /// Whose capital it was, if it was conquered (PYG-GAP-17).
    #[serde(default)]
    pub capital_of: RealmId,
    /// It pays nothing at the next income month: fire or plunder.
    #[serde(default)]
    pub pays_nothing: bool,
}

impl Settlement {
    /// A settlement as it was just built.
    pub const fn new(kind: SettlementKind) -> Self {
        Self {
            kind,
            grown: 0,
            fortified: false,
            plague: 0,
            trade: None,
            capital_of: RealmId::NOBODY,
            pays_nothing: false,
        }
    }
}

/// The trade of a town (PYG-TRADE-04..07).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TradeCity {
    /// Month in which it was named.
    pub named: u32,
    /// Points of needed goods brought since the last income month.
    pub needed: i64,
    /// Points of other goods.
    pub others: i64,
    /// GS that count again next time (PYG-TRADE-06).
    pub carried: i64,
}

/// A work (*Befestigungsbau*).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Work {
    /// What it is.
    pub kind: WorkKind,
    /// Month in which it was built.
    pub built: u32,
}

/// What lies under a field or a reef, and whether anyone has looked (PYG-GAP-53, PYG-GAP-55).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Underground {
    /// Nobody has looked.
    #[default]
    Unsearched,
    /// Nothing.
    Nothing,
    /// A mine.
    Mine {
        /// Of what.
        vein: Vein,
        /// GS per term; points for gems.
        yields: i64,
        /// Terms it still pays; never told to players.
        terms: i64,
    },
    /// A mine that has run dry.
    Exhausted,
    /// A reef with pearls.
    Pearls,
}

/// Points of all goods, in the order of the vocabulary.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Points(pub [i64; Good::COUNT]);

impl Points {
    /// The sum.
    pub fn total(&self) -> i64 {
        self.0.iter().sum()
    }

    /// Every good of which there is some.
    pub fn iter(&self) -> impl Iterator<Item = (Good, i64)> + '_ {
        Good::ALL
            .iter()
            .copied()
            .zip(self.0.iter().copied())
            .filter(|(_, points)| *points != 0)
    }
}

impl std::ops::Index<Good> for Points {
    type Output = i64;

    fn index(&self, good: Good) -> &i64 {
        // One place per good of the vocabulary.
        &self.0[good.index()]
    }
}

impl std::ops::IndexMut<Good> for Points {
    fn index_mut(&mut self, good: Good) -> &mut i64 {
        &mut self.0[good.index()]
    }
}

/// Whether a realm still plays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub enum Status {
    /// It plays.
    #[default]
    Playing,
    /// It has neither land nor armies left (PYG-GAP-66).
    Eliminated,
    /// The game master took it out of play.
    Released,
}

/// A realm.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Realm {
    /// Its name.
    pub name: String,
    /// The player's name.
    pub player: String,
    /// Its people.
    pub people: People,
    /// The field in the middle of its map: the first capital, for ever.
    pub home: FieldIndex,
    /// Gold pieces.
    pub treasury: i64,
    /// Whether it plays.
    pub status: Status,
    /// Months without orders in a row.
    pub missed: u32,
    /// What it has seen of the world, and when.
    pub knowledge: BTreeMap<FieldIndex, Known>,
    /// What it knows of other realms (PYG-ORD-04..07).
    pub met: BTreeMap<RealmId, Acquaintance>,
    /// Numbers of unknown banners, given at the first sighting (PYG-GAP-34).
    pub banners: BTreeMap<RealmId, u32>,
    /// Promoted points by soil and good (PYG-PROM-01).
    pub promotions: Vec<Promotion>,
    /// Surplus points that may be traded (PYG-GAP-57).
    pub stock: Points,
    /// Points brought by foreign goods since the last income month.
    pub imports: Points,
    /// What the last income month said.
    pub statement: Option<Statement>,
    /// The hygiene paid last (PYG-GAP-68).
    pub hygiene: Option<i64>,
    /// Percentage points of unrest at the next income month beside the shortage (PYG-GAP-17).
    pub unrest: i64,
    /// The harvest fails at the next income month (PYG-GAP-63).
    pub bad_harvest: bool,
    /// Sea lanes by name (PYG-GAP-23).
    pub lanes: BTreeMap<String, Lane>,
    /// Special combat points of its culture (PYG-FIGHT-10, PYG-GAP-48).
    pub culture: Vec<CulturePoints>,
    /// Gold on its way to it (PYG-GAP-69).
    pub gifts: Vec<Gift>,
}

impl Realm {
    /// A realm that knows and has nothing yet.
    pub fn new(name: impl Into<String>, player: impl Into<String>, home: FieldIndex) -> Self {
        Self {
            name: name.into(),
            player: player.into(),
            people: People::Ordinary,
            home,
            treasury: 0,
            status: Status::Playing,
            missed: 0,
            knowledge: BTreeMap::new(),
            met: BTreeMap::new(),
            banners: BTreeMap::new(),
            promotions: Vec::new(),
            stock: Points::default(),
            imports: Points::default(),
            statement: None,
            hygiene: None,
            unrest: 0,
            bad_harvest: false,
            lanes: BTreeMap::new(),
            culture: Vec::new(),
            gifts: Vec::new(),
        }
    }

    /// What it knows of another realm.
    pub fn acquaintance(&self, other: RealmId) -> Acquaintance {
        self.met.get(&other).copied().unwrap_or_default()
    }
}

/// Points of a good that are promoted on one soil.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Promotion {
    /// On which soil.
    pub soil: Soil,
    /// What.
    pub good: Good,
    /// How many points.
    pub points: i64,
}

/// What a realm knows of who another one is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub enum Acquaintance {
    /// Nothing.
    #[default]
    Stranger,
    /// Its name (PYG-ORD-05).
    Realm,
    /// Its name and its player (PYG-ORD-04).
    Player,
}

/// What the last income month said, for growth, needed goods, luxury and the report (PYG-GAP-16, PYG-GAP-57..59, PYG-GAP-61).
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Statement {
    /// Month.
    pub step: u32,
    /// Population points.
    pub population: i64,
    /// GS from settlements.
    pub taxes: i64,
    /// GS from land.
    pub land: i64,
    /// GS from mines.
    pub mines: i64,
    /// GS from trade.
    pub trade: i64,
    /// Points of each good: places, promotion, imports, luxury.
    pub supply: Points,
    /// Points demanded of the ten goods.
    pub demand: Points,
    /// Whether supply reached demand.
    pub balanced: bool,
    /// Whether the luxury demand was met.
    pub luxury_met: bool,
    /// Percent of the revolt's chance.
    pub unrest: i64,
    /// The goods that are needed most, in order.
    pub needed: Vec<Good>,
}

/// A sea lane.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Lane {
    /// Its fields, from harbour to harbour.
    pub fields: Vec<FieldIndex>,
    /// Month in which it was registered; it can be used from the next.
    pub since: u32,
}

/// Special points of a culture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CulturePoints {
    /// When they count.
    pub when: Occasion,
    /// How many.
    pub points: i64,
}

/// When a culture's points count (PYG-GAP-48).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Occasion {
    /// In every fight.
    Always,
    /// When it was on the field before.
    Defending,
    /// When it came onto the field.
    Attacking,
    /// On this terrain.
    On(Terrain),
}

/// Gold on its way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Gift {
    /// From whom.
    pub from: RealmId,
    /// How much.
    pub gold: i64,
}

/// What a realm last saw of a field (PYG-SEE-01, PYG-GAP-34).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Known {
    /// Month of the sighting.
    pub step: u32,
    /// What was seen.
    pub glimpse: Glimpse,
}

/// What can be seen of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Glimpse {
    /// Terrain.
    pub terrain: Terrain,
    /// Owner.
    pub owner: RealmId,
    /// Settlement.
    pub settlement: Option<SettlementKind>,
    /// Whether it is fortified.
    pub fortified: bool,
    /// Work.
    pub work: Option<WorkKind>,
    /// Rivers.
    pub rivers: Sides,
    /// Bridges.
    pub bridges: Sides,
    /// Roads.
    pub roads: Sides,
}

impl Glimpse {
    /// A field as it lies open.
    pub fn of(field: &Field) -> Self {
        Self {
            terrain: field.terrain,
            owner: field.owner,
            settlement: field.settlement.as_ref().map(|settlement| settlement.kind),
            fortified: field.settlement.as_ref().is_some_and(|settlement| settlement.fortified),
            work: field.work.map(|work| work.kind),
            rivers: field.rivers,
            bridges: field.bridges,
            roads: field.roads,
        }
    }
}

/// Kind and number within a realm: what a player calls an army.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct ArmyName {
    /// Kind.
    pub kind: Kind,
    /// Number, 1 to 999.
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

/// An army of the world.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct ArmyId {
    /// Its realm.
    pub realm: RealmId,
    /// Its name there.
    pub name: ArmyName,
}

impl ArmyId {
    /// Its kind.
    pub const fn kind(self) -> Kind {
        self.name.kind
    }
}

impl fmt::Display for ArmyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{} {}", self.realm, self.name))
    }
}

/// An army or a trader.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Army {
    /// Warriors, riders or ships; 0 for a trader, whose load counts.
    pub count: i64,
    /// Where it is; aboard: where the fleet is.
    pub field: FieldIndex,
    /// Its order in the month last adjudicated.
    pub stance: Stance,
    /// The fleet that carries it.
    #[serde(default)]
    pub aboard: Option<ArmyName>,
    /// Its equipment.
    #[serde(default)]
    pub equipment: Option<Equipment>,
    /// It has entered difficult terrain with it (PYG-GAP-51).
    #[serde(default)]
    pub equipment_used: bool,
    /// It is stationary (PYG-STAT-02).
    #[serde(default)]
    pub stationed: bool,
    /// Month in which it was raised; it moves from the next (PYG-GAP-25).
    #[serde(default)]
    pub raised: u32,
    /// What a trader carries.
    #[serde(default)]
    pub load: Vec<Load>,
}

impl Army {
    /// A new army on a field.
    pub const fn new(count: i64, field: FieldIndex) -> Self {
        Self {
            count,
            field,
            stance: Stance::Nothing,
            aboard: None,
            equipment: None,
            equipment_used: false,
            stationed: false,
            raised: 0,
            load: Vec::new(),
        }
    }

    /// Points that a trader carries.
    pub fn load_points(&self) -> i64 {
        self.load.iter().map(|load| load.points).sum()
    }
}

/// Goods on a trader, and from whose trade city they come (PYG-GAP-61).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Load {
    /// The realm in whose trade city they were loaded first.
    pub origin: RealmId,
    /// What.
    pub good: Good,
    /// How many points.
    pub points: i64,
}

/// Number of a band.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BandId(pub u32);

/// Creatures, natives, a garrison or rebels: whoever belongs to no realm (PYG-GAP-62).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Band {
    /// Who they are.
    pub creature: Creature,
    /// Warriors, or ships at sea.
    pub count: i64,
    /// Where.
    pub field: FieldIndex,
    /// Their order.
    pub stance: Stance,
}

impl State {
    /// The field at an index. Indices come from this world's chart.
    pub fn field(&self, field: FieldIndex) -> &Field {
        &self.fields[field.index()]
    }

    /// The same, to change it.
    pub fn field_mut(&mut self, field: FieldIndex) -> &mut Field {
        &mut self.fields[field.index()]
    }

    /// The field at a written place, if the world has it.
    pub fn field_at(&self, place: Place) -> Option<FieldIndex> {
        self.chart.field(place)
    }

    /// How a field is written.
    pub fn place(&self, field: FieldIndex) -> Place {
        self.chart.place(field)
    }

    /// The realms that still play.
    pub fn playing(&self) -> impl Iterator<Item = RealmId> + '_ {
        let playing = self.realms.iter().filter(|(_, realm)| realm.status == Status::Playing);
        playing.map(|(id, _)| *id)
    }

    /// All armies of a realm, KH, RH, FH, H by number.
    pub fn armies_of(&self, realm: RealmId) -> impl Iterator<Item = (ArmyId, &Army)> + '_ {
        let first = ArmyName::new(Kind::Warriors, 0).of(realm);
        let own = self.armies.range(first..).take_while(move |(id, _)| id.realm == realm);
        own.map(|(id, army)| (*id, army))
    }

    /// What a fleet has aboard.
    pub fn cargo(&self, fleet: ArmyId) -> impl Iterator<Item = (ArmyId, &Army)> + '_ {
        self.armies_of(fleet.realm)
            .filter(move |(_, army)| army.aboard == Some(fleet.name))
    }

    /// The fields of a realm, in order.
    pub fn land_of(&self, realm: RealmId) -> impl Iterator<Item = (FieldIndex, &Field)> + '_ {
        let fields = (0..).map(FieldIndex).zip(&self.fields);
        fields.filter(move |(_, field)| field.owner == realm && realm.is_played())
    }

    /// The realm's standing capital.
    pub fn capital_of(&self, realm: RealmId) -> Option<FieldIndex> {
        let mut land = self.land_of(realm);
        land.find(|(_, field)| {
            field
                .settlement
                .as_ref()
                .is_some_and(|town| town.kind == SettlementKind::Capital)
        })
        .map(|(field, _)| field)
    }

    /// Whether a field has water beside it.
    pub fn is_coastal(&self, tables: &Tables, field: FieldIndex) -> bool {
        self.chart
            .neighbours(field)
            .any(|(_, other)| tables.is_water(self.field(other).terrain))
    }

    /// Whether ships find a harbour here: a harbour town, or a capital at the water (PYG-TOWN-03, PYG-GAP-15).
    pub fn is_harbour(&self, tables: &Tables, field: FieldIndex) -> bool {
        match self.field(field).settlement.as_ref().map(|town| town.kind) {
            Some(SettlementKind::HarbourTown) => true,
            Some(SettlementKind::Capital) => {
                tables.settling.coastal_capital_is_harbour && self.is_coastal(tables, field)
            }
            _ => false,
        }
    }

    /// Whether two realms know each other by name, so that words and gold may go between them.
    pub fn knows(&self, realm: RealmId, other: RealmId) -> bool {
        let own = self.realms.get(&realm);
        own.is_some_and(|own| own.acquaintance(other) > Acquaintance::Stranger)
    }

    /// A number for a new band.
    pub fn free_band(&self) -> BandId {
        let last = self.bands.keys().next_back();
        BandId(last.map_or(1, |last| last.0.saturating_add(1)))
    }
}
