//! What a viewer is told of an event: another type than the event, in the viewer's own terms.
//!
//! Places are in the viewer's coordinates, armies are named as they showed themselves to him. Who is told follows the
//! catalogue's table of event lines; a realm is told of its own affairs in full.

mod audience;
mod tell;
mod words;

pub use audience::audience;
pub use tell::{notice, seen, seen_armies};

use crate::codes::{Building, Condition, Kind, Network, Terrain, Treaty};
use crate::event::{Demise, Obstacle, Release, Settlement, Share, Work};
use crate::geo::Place;
use crate::state::{ArmyName, Glimpse, SeenArmy};
use kernel::hex::Direction;
use kernel::realm::RealmId;
use serde::{Deserialize, Serialize};

/// What one viewer is told, and when it happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Notice {
    /// Week 1..=13, 0 before the first week, 14 at the end of the turn.
    pub week: u8,
    /// What he perceives.
    pub what: Perceived,
}

/// An army as the viewer can name it (THO-SIGHT-02, -03, -05).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Who {
    /// Its realm, unless it shows no flag.
    pub realm: Option<RealmId>,
    /// Type and class.
    pub kind: Kind,
    /// Its number, unknown for unflagged armies and those of realm 0.
    pub number: Option<u32>,
}

/// An army in a fight or under fire, as the viewer sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FighterSeen {
    /// Which army.
    pub who: Who,
    /// Its strength before.
    pub before: i64,
    /// And after.
    pub after: i64,
    /// How it came about, for the viewer's own armies.
    pub own: Option<OwnStrength>,
}

/// The fighting strength of the viewer's own army.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OwnStrength {
    /// In hundredths of one light warrior, bonuses included.
    pub strength: i64,
    /// Sum of its bonuses in percent.
    pub bonus_percent: i64,
}

/// A realm's sightings of one week.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct WeekSeen {
    /// The armies that looked, in table order, and where they stood.
    pub own: Vec<(ArmyName, Place)>,
    /// Every field they saw, once, by place.
    pub fields: Vec<FieldSeen>,
    /// The armies on these fields, field by field.
    pub armies: Vec<SeenArmy>,
}

impl WeekSeen {
    /// Every field with the armies on it.
    pub fn crowds(&self) -> impl Iterator<Item = (&FieldSeen, &[SeenArmy])> {
        let mut rest = self.armies.as_slice();
        self.fields.iter().map(move |field| {
            let (here, others) = rest.split_at(rest.len().min(field.armies as usize));
            rest = others;
            (field, here)
        })
    }
}

/// A field as one realm sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FieldSeen {
    /// Which field.
    pub place: Place,
    /// What of it.
    pub glimpse: Glimpse,
    /// How many armies on it show themselves.
    pub armies: u32,
}

/// To whom a message went, as its reader sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Address {
    /// To one realm.
    Realm(RealmId),
    /// To the game master.
    GameMaster,
    /// To all realms.
    Everyone,
    /// To all realms, without a sender.
    Rumour,
}

/// What is perceived.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(
    missing_docs,
    reason = "the fields say what their names say; the book's event lines are in the catalogue"
)]
pub enum Perceived {
    // Intake and settings.
    OrdersMissing {
        realm: RealmId,
        in_a_row: u32,
    },
    AbsenceWarned {
        realm: RealmId,
        in_a_row: u32,
    },
    RealmRenamed {
        realm: RealmId,
        name: String,
    },
    CultureWritten {
        realm: RealmId,
    },
    ComputerSet {
        realm: RealmId,
    },
    InformationAsked {
        realm: RealmId,
    },
    TablesChanged {
        toml: String,
    },
    /// To the game master.
    TablesRefused {
        toml: String,
        fault: String,
    },
    /// To the game master.
    WorldEdited {
        edit: String,
    },
    /// To the realm whose treasury it is: by how much the game master has changed it.
    TreasuryEdited {
        gold: i64,
    },
    /// To the game master.
    EditRefused {
        edit: String,
        fault: String,
    },
    AccountCredited {
        realm: RealmId,
        amount: i64,
    },
    WorldClosed,
    RealmAssigned {
        realm: RealmId,
    },
    RealmReleased {
        realm: RealmId,
    },

    // Building and arming.
    WorkBegun {
        realm: RealmId,
        place: Place,
        building: Building,
        work: Work,
        cost: i64,
        turns: u8,
    },
    BuildingRenamed {
        realm: RealmId,
        place: Place,
        building: Building,
        name: String,
    },
    NetworkLaid {
        realm: RealmId,
        network: Network,
        place: Place,
        direction: Direction,
        cost: i64,
    },
    ArmyArmed {
        army: Who,
        place: Place,
        count: i64,
        is_new: bool,
        cost: i64,
        capacity_left: i64,
    },

    // Specials before week 1.
    ArmySplit {
        army: Who,
        part: Who,
        count: i64,
    },
    ArmiesMerged {
        army: Who,
        joined: Who,
        count: i64,
    },
    GroupFormed {
        group: Who,
        by: Who,
        cost: i64,
    },
    GroupJoined {
        army: Who,
        group: Who,
    },
    GroupLeft {
        army: Who,
        group: Who,
    },
    GroupDissolved {
        group: Who,
    },
    GatePassed {
        army: Who,
        from: Place,
        to: Place,
    },
    FieldBlessed {
        priest: Who,
        place: Place,
        cost: i64,
    },
    DemonsBanished {
        demons: Who,
        count: i64,
        place: Place,
    },
    ArchdemonWeakened {
        demon: Who,
        place: Place,
        lost: i64,
    },
    MonstersCalmed {
        monsters: Who,
        place: Place,
    },
    DemonsSummoned {
        wizard: Who,
        demon: Who,
        count: i64,
        cost: i64,
    },
    DemonFreed {
        demon: Who,
        why: Release,
    },
    HoldBroken {
        wizard: Who,
        demon: Who,
        place: Place,
        cost: i64,
    },
    ArmiesTamed {
        wizard: Who,
        place: Place,
        armies: Vec<(Who, i64)>,
        cost: i64,
    },
    ArmyAccelerated {
        wizard: Who,
        army: Who,
        cost: i64,
        points: i32,
    },

    // The weeks.
    StepFailed {
        army: Who,
        direction: Direction,
        why: Obstacle,
    },
    ArmyMoved {
        army: Who,
        from: Place,
        to: Place,
        cost: i32,
        points_left: i32,
    },
    LostOnTerrain {
        army: Who,
        place: Place,
        terrain: Terrain,
        #[serde(default)]
        share: Option<Share>,
        lost: i64,
    },
    LostInRiver {
        army: Who,
        to: Place,
        #[serde(default)]
        share: Option<Share>,
        lost: i64,
    },
    /// Only the army's own realm reads the share.
    LostAtWall {
        army: Who,
        place: Place,
        #[serde(default)]
        share: Option<Share>,
        lost: i64,
    },
    HeldUp {
        army: Who,
        place: Place,
    },
    Embarked {
        army: Who,
        fleet: Who,
    },
    Landed {
        army: Who,
        place: Place,
    },
    CargoLost {
        army: Who,
        fleet: Who,
        lost: i64,
    },
    Shot {
        army: Who,
        place: Place,
        cost: i64,
        target: FighterSeen,
    },
    HelpersCalled {
        demon: Who,
        place: Place,
        count: i64,
    },
    Fought {
        place: Place,
        fighters: Vec<FighterSeen>,
    },
    /// The viewer's own armies in a fight, members of a group one by one.
    StrengthReckoned {
        place: Place,
        fighters: Vec<FighterSeen>,
    },
    BootyTaken {
        realm: RealmId,
        place: Place,
        gold: i64,
    },
    ArmyLost {
        army: Who,
        place: Place,
        why: Demise,
    },
    /// To the plunderer.
    Plundered {
        army: Who,
        place: Place,
        gold: i64,
        yield_percent: u8,
    },
    /// To the owner of the field.
    FieldPlundered {
        place: Place,
        yield_percent: u8,
    },
    /// To the operator.
    Traded {
        army: Who,
        place: Place,
        gold: i64,
        lost: i64,
        distance: u32,
    },
    /// To the owner of the place.
    StrangersTraded {
        place: Place,
        gold: i64,
    },
    WeekSeen(WeekSeen),

    // The end of the turn.
    TerritorySeen {
        fields: Vec<(Place, Vec<SeenArmy>)>,
    },
    /// To the conqueror.
    FieldConquered {
        army: Who,
        place: Place,
        from: RealmId,
        building: Option<Building>,
    },
    /// To the loser.
    FieldLost {
        place: Place,
        to: RealmId,
    },
    BuildingChanged {
        place: Place,
        from: Building,
        to: Building,
        condition: Condition,
    },
    /// To the destroyer.
    BuildingDamaged {
        army: Who,
        place: Place,
        building: Building,
        condition: Condition,
    },
    /// To the owner.
    DamageSuffered {
        place: Place,
        building: Building,
        condition: Condition,
    },
    /// To the destroyer.
    NetworkTorn {
        army: Who,
        place: Place,
        network: Network,
        direction: Direction,
    },
    /// To the owner.
    NetworkLost {
        place: Place,
        network: Network,
        direction: Direction,
    },
    RuinCleared {
        army: Who,
        place: Place,
        building: Building,
    },
    DemonsReturned {
        demon: Who,
        lost: i64,
    },
    WizardTrained {
        wizard: Who,
        cost: i64,
    },
    ControlPaid {
        wizard: Who,
        cost: i64,
    },
    Settled {
        realm: RealmId,
        settlement: Box<Settlement>,
    },
    Deserted {
        realm: RealmId,
        short: i64,
        men: i64,
    },
    MinePaid {
        place: Place,
        gold: i64,
    },
    MineExhausted {
        place: Place,
    },
    VeinSought {
        place: Place,
        found: bool,
    },
    GoldSent {
        from: RealmId,
        to: RealmId,
        amount: i64,
    },
    LandCeded {
        from: RealmId,
        to: RealmId,
        place: Place,
    },
    /// For a realm, `one` is the realm itself.
    TreatyChanged {
        one: RealmId,
        other: RealmId,
        treaty: Treaty,
    },
    TreatyWished {
        realm: RealmId,
        other: RealmId,
        treaty: Treaty,
    },
    FieldRevolted {
        place: Place,
    },
    WorkFinished {
        place: Place,
        building: Building,
        name: String,
    },
    CapitalLost {
        realm: RealmId,
        place: Place,
        #[serde(default)]
        loot: i64,
    },
    RealmEliminated {
        realm: RealmId,
    },
    BlessingEnded {
        place: Place,
    },
    MonstersGrew {
        army: Who,
        count: i64,
    },
    MonstersAppeared {
        army: Who,
        place: Place,
        count: i64,
    },
    AccountCharged {
        realm: RealmId,
        fee: i64,
    },
    RealmScored {
        realm: RealmId,
        score: i64,
    },

    // Words.
    /// A message received, or sent by the viewer himself.
    Message {
        from: Option<RealmId>,
        name: String,
        to: Address,
        text: Vec<String>,
    },
    GameMasterWrote {
        to: Address,
        text: Vec<String>,
    },
}
