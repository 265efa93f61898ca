//! What happens in a turn, with everything needed to tell anyone about it.
//!
//! Events name armies and fields as the world does. What a viewer learns of them is made in [`crate::notice`].

use crate::codes::{Building, Condition, Flag, Network, Terrain, Treaty};
use crate::order::Recipient;
use crate::sight::WeekSight;
use crate::state::ArmyId;
use kernel::hex::{Direction, FieldIndex};
use kernel::realm::RealmId;
use std::sync::Arc;

/// Something that happened, and when.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Week 1..=13, 0 before the first week, 14 at the end of the turn.
    pub week: u8,
    /// What.
    pub what: Happening,
}

/// Before week 1.
pub const BEFORE: u8 = 0;
/// After week 13.
pub const END: u8 = 14;

/// An army as it showed itself when something happened.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Shown {
    /// Which army.
    pub id: ArmyId,
    /// The flag that counted: an oversized spy is [`Flag::Unassigned`] here (GAP-14).
    pub flag: Flag,
    /// Its strength at that moment.
    pub count: i64,
}

/// One army in a fight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fighter {
    /// The army; its count is that before the fight.
    pub army: Shown,
    /// What is left of it.
    pub after: i64,
    /// Its strength in hundredths of one light warrior, bonuses included.
    pub strength: i64,
    /// Sum of its bonuses in percent.
    pub bonus_percent: i64,
}

/// Why a step was not possible (EV01).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub enum Obstacle {
    /// A land army at the shore.
    Water,
    /// A fleet at the shore.
    Land,
    /// Two heights at once.
    Height,
    /// Terrain that nobody may enter.
    UnknownTerrain,
    /// A blessed field before normal demons.
    Blessed,
    /// No movement points left.
    NoPoints,
    /// A fight binds it.
    Engaged,
    /// Stopped by a meeting.
    HeldUp,
    /// Medium engines beyond the first step without a road.
    OnlyRoads,
}

/// Why an army ceased to exist.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub enum Demise {
    /// Killed or fallen below minimum strength in a fight or by shots.
    Fight,
    /// Lost on the way: terrain, river, wall.
    Way,
    /// Gone down with its fleet, or no room left aboard.
    Sea,
    /// Below minimum strength at the end of the turn.
    TooWeak,
    /// Deserted for want of pay.
    Unpaid,
    /// Vanished in a gate.
    Gate,
    /// Banished by a blessing, or returned to its sphere.
    Sphere,
    /// A wizard who cannot pay for the control of his demons.
    Spent,
    /// Taken by the game master.
    GameMaster,
    /// A summoner who called more than his points suffice for.
    Overreached,
}

/// Why a demon came free.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub enum Release {
    /// Too far from its wizard at the end of the turn.
    TooFar,
    /// The wizard could not pay for it.
    Unpaid,
    /// The wizard died or dissolved.
    MasterGone,
    /// Another wizard broke the hold.
    Broken,
    /// It tore itself loose.
    BrokeFree,
}

/// A part of an army that the way took: so many percent of so many heads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Share {
    /// How many percent.
    pub percent: i64,
    /// Heads before.
    pub of: i64,
}

/// What kind of building work began.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub enum Work {
    /// From nothing.
    New,
    /// Into a larger building.
    Upgrade,
    /// Of a damaged building.
    Repair,
    /// Of a ruin.
    Rebuild,
}

/// A realm's yearly settlement.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Settlement {
    /// Gold from land, by yield and blessing.
    pub land: i64,
    /// The same, part by part.
    pub land_parts: Vec<LandPart>,
    /// Gold from buildings, mines included.
    pub buildings: i64,
    /// The same without mines, part by part.
    pub building_parts: Vec<BuildingPart>,
    /// Upkeep of temple cities.
    pub temples: i64,
    /// Upkeep of armies and groups.
    pub armies: i64,
    /// What was paid of the two.
    pub paid: i64,
}

/// The yearly income of a realm's fields of one terrain with the same yield and blessing (THO-ECON-01).
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct LandPart {
    /// Their terrain.
    pub terrain: Terrain,
    /// Their yield in percent.
    pub yield_percent: u8,
    /// Whether they are blessed: double income.
    pub blessed: bool,
    /// How many they are.
    pub fields: u32,
    /// What they brought together.
    pub gold: i64,
}

/// The yearly income of a realm's buildings of one kind in the same condition (THO-ECON-02).
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct BuildingPart {
    /// What they are.
    pub building: Building,
    /// Their condition.
    pub condition: Condition,
    /// How many they are.
    pub count: u32,
    /// What they brought together.
    pub gold: i64,
}

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(
    missing_docs,
    reason = "the fields say what their names say; the book's event lines are in the catalogue"
)]
pub enum Happening {
    // Intake and settings.
    OrdersRead {
        realm: RealmId,
        orders: u32,
    },
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
    /// A change that would leave figures which contradict each other.
    TablesRefused {
        toml: Box<str>,
        fault: Box<str>,
    },
    /// A change by the game master's hand, in the words of a sheet; of a treasury also whose it is and by how much it changed.
    WorldEdited {
        edit: Box<str>,
        treasury: Option<(RealmId, i64)>,
    },
    /// A change by hand that would break a law of the world, and the key of the word that says why.
    EditRefused {
        edit: Box<str>,
        fault: Box<str>,
    },
    RealmAssigned {
        realm: RealmId,
    },
    RealmReleased {
        realm: RealmId,
    },
    AccountCredited {
        realm: RealmId,
        amount: i64,
    },
    WorldClosed,

    // Building and arming.
    WorkBegun {
        realm: RealmId,
        field: FieldIndex,
        building: Building,
        work: Work,
        cost: i64,
        turns: u8,
    },
    BuildingRenamed {
        realm: RealmId,
        field: FieldIndex,
        building: Building,
        name: String,
    },
    NetworkLaid {
        realm: RealmId,
        network: Network,
        field: FieldIndex,
        direction: Direction,
        cost: i64,
    },
    ArmyArmed {
        army: ArmyId,
        field: FieldIndex,
        count: i64,
        is_new: bool,
        cost: i64,
        capacity_left: i64,
    },

    // Specials before week 1.
    ArmySplit {
        army: ArmyId,
        part: ArmyId,
        count: i64,
    },
    ArmiesMerged {
        army: ArmyId,
        joined: ArmyId,
        count: i64,
    },
    GroupFormed {
        group: ArmyId,
        by: ArmyId,
        cost: i64,
    },
    GroupJoined {
        army: ArmyId,
        group: ArmyId,
    },
    GroupLeft {
        army: ArmyId,
        group: ArmyId,
    },
    GroupDissolved {
        group: ArmyId,
    },
    GatePassed {
        army: ArmyId,
        from: FieldIndex,
        to: FieldIndex,
    },
    FieldBlessed {
        priest: ArmyId,
        field: FieldIndex,
        cost: i64,
    },
    DemonsBanished {
        demons: Shown,
        field: FieldIndex,
        by: RealmId,
    },
    ArchdemonWeakened {
        demon: Shown,
        field: FieldIndex,
        lost: i64,
        by: RealmId,
    },
    MonstersCalmed {
        monsters: ArmyId,
        field: FieldIndex,
        by: RealmId,
    },
    DemonsSummoned {
        wizard: ArmyId,
        demon: ArmyId,
        count: i64,
        cost: i64,
    },
    DemonFreed {
        demon: ArmyId,
        was: ArmyId,
        why: Release,
    },
    HoldBroken {
        wizard: ArmyId,
        demon: Box<Shown>,
        field: FieldIndex,
        cost: i64,
    },
    ArmiesTamed {
        wizard: ArmyId,
        field: FieldIndex,
        armies: Box<[(ArmyId, ArmyId, i64)]>,
        cost: i64,
    },
    ArmyAccelerated {
        wizard: ArmyId,
        army: ArmyId,
        cost: i64,
        points: i32,
    },

    // The weeks.
    StepFailed {
        army: ArmyId,
        direction: Direction,
        why: Obstacle,
    },
    ArmyMoved {
        army: ArmyId,
        from: FieldIndex,
        to: FieldIndex,
        cost: i32,
        points_left: i32,
    },
    LostOnTerrain {
        army: ArmyId,
        field: FieldIndex,
        share: Share,
        lost: i64,
    },
    LostInRiver {
        army: ArmyId,
        to: FieldIndex,
        share: Share,
        lost: i64,
    },
    LostAtWall {
        army: Shown,
        field: FieldIndex,
        owner: RealmId,
        percent: i64,
        lost: i64,
    },
    HeldUp {
        army: ArmyId,
        field: FieldIndex,
    },
    Embarked {
        army: ArmyId,
        fleet: ArmyId,
    },
    Landed {
        army: ArmyId,
        field: FieldIndex,
    },
    CargoLost {
        army: ArmyId,
        fleet: ArmyId,
        lost: i64,
    },
    Shot {
        army: Box<Shown>,
        field: FieldIndex,
        cost: i64,
        target: Box<Shown>,
        after: i64,
    },
    HelpersCalled {
        demon: Box<Shown>,
        field: FieldIndex,
        count: i64,
        others: Vec<RealmId>,
    },
    Fought {
        field: FieldIndex,
        owner: RealmId,
        fighters: Vec<Fighter>,
    },
    /// The arithmetic of a fight for one realm's own eyes: each of its armies there, members of a group one by one. In
    /// [`Happening::Fought`] a group is one fighter with its total, as it is in every sighting.
    StrengthReckoned {
        realm: RealmId,
        field: FieldIndex,
        fighters: Vec<Fighter>,
    },
    BootyTaken {
        realm: RealmId,
        field: FieldIndex,
        gold: i64,
    },
    ArmyLost {
        army: ArmyId,
        field: FieldIndex,
        why: Demise,
    },
    Plundered {
        army: ArmyId,
        field: FieldIndex,
        owner: RealmId,
        gold: i64,
        yield_percent: u8,
    },
    Traded {
        army: ArmyId,
        field: FieldIndex,
        owner: RealmId,
        gold: i64,
        owner_gold: i64,
        lost: i64,
        distance: u32,
    },
    WeekSeen {
        realm: RealmId,
        sight: Arc<WeekSight>,
    },

    // The end of the turn.
    TerritorySeen {
        realm: RealmId,
        fields: Vec<(FieldIndex, Vec<Shown>)>,
    },
    FieldConquered {
        army: ArmyId,
        field: FieldIndex,
        from: RealmId,
        building: Option<Building>,
    },
    BuildingChanged {
        field: FieldIndex,
        owner: RealmId,
        from: Building,
        to: Building,
        condition: Condition,
    },
    BuildingDamaged {
        army: ArmyId,
        field: FieldIndex,
        /// Who suffers it; nobody if another army has done it already and this one only had its share.
        owner: RealmId,
        building: Building,
        condition: Condition,
    },
    NetworkTorn {
        army: ArmyId,
        field: FieldIndex,
        /// As with damage to a building.
        owner: RealmId,
        network: Network,
        direction: Direction,
    },
    RuinCleared {
        army: ArmyId,
        field: FieldIndex,
        building: Building,
    },
    DemonsReturned {
        demon: ArmyId,
        lost: i64,
    },
    WizardTrained {
        wizard: ArmyId,
        cost: i64,
    },
    ControlPaid {
        wizard: ArmyId,
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
        realm: RealmId,
        field: FieldIndex,
        gold: i64,
    },
    MineExhausted {
        realm: RealmId,
        field: FieldIndex,
    },
    VeinSought {
        realm: RealmId,
        field: FieldIndex,
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
        field: FieldIndex,
    },
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
    UnrestStirred {
        realm: RealmId,
        calmer: u32,
        restless: u32,
    },
    FieldRevolted {
        field: FieldIndex,
        owner: RealmId,
        rebels: ArmyId,
        count: i64,
    },
    WorkFinished {
        field: FieldIndex,
        owner: RealmId,
        building: Building,
        name: String,
    },
    CapitalLost {
        realm: RealmId,
        field: FieldIndex,
        loot: i64,
    },
    RealmEliminated {
        realm: RealmId,
    },
    BlessingEnded {
        field: FieldIndex,
        owner: RealmId,
    },
    MonstersGrew {
        army: ArmyId,
        count: i64,
    },
    MonstersAppeared {
        army: ArmyId,
        field: FieldIndex,
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
    MessageSent {
        from: RealmId,
        to: Recipient,
        text: Vec<String>,
    },
    GameMasterWrote {
        to: Recipient,
        text: Vec<String>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A season of a large world has a million events: what is rarely needed stands in a box.
    #[test]
    fn a_happening_takes_little_room() {
        assert!(size_of::<Happening>() <= 48, "{}", size_of::<Happening>());
    }
}
