//! Judgements of the game master (catalogue 5.5), and the words they are written in.

pub mod words;

use crate::chart::Place;
use crate::codes::{Creature, Disaster, SettlementKind, Stance, Terrain, WorkKind};
use crate::state::{ArmyName, Occasion};
use kernel::realm::RealmId;
use serde::{Deserialize, Serialize};

/// A judgement: an answer to a request of the month, or an act of the game master's own.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Ruling {
    /// An other order has no effect; the realm is told why (PYG-ORD-08).
    Deny {
        /// What its player reads.
        text: String,
    },
    /// It is granted; the realm is told what comes of it.
    Allow {
        /// What its player reads.
        text: String,
    },
    /// An army has another basic order in this month.
    SetStance {
        /// Whose.
        realm: RealmId,
        /// Which army.
        unit: ArmyName,
        /// What.
        stance: Stance,
    },
    /// A realm's treasury changes.
    ChangeGold {
        /// Whose.
        realm: RealmId,
        /// By how much.
        gold: i64,
    },
    /// Another player takes a realm over.
    HandOver {
        /// Which realm.
        realm: RealmId,
        /// Whose it is from now on.
        player: String,
        /// How it is called from now on, if otherwise.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// A message of the game master.
    Write {
        /// To one realm, or to all.
        to: Option<RealmId>,
        /// What.
        text: String,
    },
    /// An army stands elsewhere from now on.
    MoveUnit {
        /// Whose.
        realm: RealmId,
        /// Which army.
        unit: ArmyName,
        /// Where.
        field: Place,
    },
    /// An army has another strength; 0 is the end of it.
    SetStrength {
        /// Whose.
        realm: RealmId,
        /// Which army.
        unit: ArmyName,
        /// Heads or ships.
        count: i64,
    },
    /// A field belongs to another realm, or to nobody.
    SetOwner {
        /// Which field.
        field: Place,
        /// Whose it is from now on.
        realm: RealmId,
    },
    /// A settlement stands on a field, or none any more.
    SetSettlement {
        /// Which field.
        field: Place,
        /// What.
        kind: Option<SettlementKind>,
    },
    /// A work stands on a field, or none any more.
    SetWork {
        /// Which field.
        field: Place,
        /// What.
        kind: Option<WorkKind>,
    },
    /// A road joins two adjacent fields, or does so no longer.
    SetRoad {
        /// One field.
        from: Place,
        /// The other.
        to: Place,
        /// Whether there is a road.
        road: bool,
    },
    /// Plague in a settlement.
    SetPlague {
        /// Which field.
        field: Place,
        /// Plagues in a row; 0 is health.
        plagues: u32,
    },
    /// Creatures, natives or barbarians appear (PYG-GAME-09).
    PlaceBand {
        /// Who.
        creature: Creature,
        /// How strong.
        count: i64,
        /// Where.
        field: Place,
    },
    /// Whoever belongs to no realm leaves a field.
    RemoveBands {
        /// Which field.
        field: Place,
    },
    /// Special combat points of a culture (PYG-FIGHT-10); 0 takes those of the occasion away.
    SetCulture {
        /// Which realm.
        realm: RealmId,
        /// When they count.
        when: Occasion,
        /// How many.
        points: i64,
    },
    /// The ground of a field is another (PYG-GAME-06).
    SetTerrain {
        /// Which field.
        field: Place,
        /// What it is made of.
        terrain: Terrain,
    },
    /// A river runs between two adjacent fields, or does so no longer.
    SetRiver {
        /// One field.
        from: Place,
        /// The other.
        to: Place,
        /// Whether there is a river.
        river: bool,
    },
    /// A named disaster strikes a realm in this month, whatever the dice say (PYG-ROAD-08, PYG-GAP-63).
    Cause {
        /// Whom.
        realm: RealmId,
        /// What.
        disaster: Disaster,
        /// What it strikes there: a field that is struck, an end of a section or bridge, the field of a fleet. None lets the dice choose.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        field: Option<Place>,
    },
    /// A die shows this face, whatever fell (PYG-GAP-70).
    FixDie {
        /// Its rule and subject, as the list of dice has it.
        name: String,
        /// The face that counts.
        face: i64,
    },
    /// Several judgements in a row, as a map editor makes them.
    Several {
        /// In order.
        rulings: Vec<Ruling>,
    },
    /// A realm is taken out of play: its land is neutral, its land armies become garrisons.
    Release {
        /// Which realm.
        realm: RealmId,
    },
    /// An absent player's realm waits.
    KeepRealm,
    /// The world ends with this month (PYG-GAP-66).
    Close,
}
