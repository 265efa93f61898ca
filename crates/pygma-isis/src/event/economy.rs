//! Events of part B: settlements, money, goods, trade, plague, unrest, disasters.
//!
//! All of them are a realm's own affairs: it is told of them in the words in which they happened, the game master of all, and nobody
//! else. So one list holds the event, the notice, the words of scenarios and the line of the report.

use super::{Ear, Tale, Telling, Who};
use crate::chart::Place;
use crate::codes::{Disaster, Good, SettlementKind, Soil, Vein, WorkKind};
use crate::report::section::Section;
use crate::report::{Pen, good_word};
use crate::stage::Cast;
use crate::state::{ArmyName, State};
use crate::unrest::Mood;
use kernel::realm::RealmId;
use kernel::report::{Arg, Why};
use serde::{Deserialize, Serialize};

/// Something that happened to a realm.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Economy {
    /// Whose affair it is.
    pub realm: RealmId,
    /// What.
    pub what: Affair,
}

/// What a viewer is told of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Perceived {
    /// Whose affair it is: the viewer's own, or for the game master anybody's.
    pub realm: Who,
    /// What.
    pub what: Affair,
}

/// A value of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Value {
    /// A number.
    Int(i64),
    /// The same in every language.
    Text(String),
    /// Key of a word, and its code.
    Word(String, &'static str),
}

impl Value {
    /// As scenarios write it.
    fn code(&self) -> String {
        match self {
            Self::Int(number) => number.to_string(),
            Self::Text(text) => text.clone(),
            Self::Word(_, code) => (*code).to_owned(),
        }
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Int(number.into())
    }
}

impl From<Place> for Value {
    fn from(place: Place) -> Self {
        Self::Text(place.to_string())
    }
}

impl From<ArmyName> for Value {
    fn from(army: ArmyName) -> Self {
        Self::Text(army.to_string())
    }
}

impl From<Good> for Value {
    fn from(good: Good) -> Self {
        Self::Word(good_word(good).to_owned(), good.code())
    }
}

macro_rules! words {
    ($($type:ident $prefix:literal)+) => {$(
        impl From<$type> for Value {
            fn from(word: $type) -> Self {
                Self::Word(format!(concat!($prefix, "-{}"), word.code()), word.code())
            }
        }
    )+};
}

words! {
    SettlementKind "settlement"
    WorkKind "work"
    Soil "soil"
    Vein "vein"
    Disaster "disaster"
    Mood "mood"
}

macro_rules! affairs {
    ($($(#[$meta:meta])* $name:ident $key:literal $section:ident { $($field:ident: $type:ty),* })+) => {
        /// What happened to a realm. Names of values are those of the line's wording.
        #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
        #[allow(missing_docs, reason = "the fields say what their names say")]
        pub enum Affair {
            $($(#[$meta])* $name { $($field: $type),* },)+
        }

        impl Affair {
            /// Key of its line, and its first word in scenarios.
            pub const fn key(&self) -> &'static str {
                match self { $(Self::$name { .. } => $key,)+ }
            }

            const fn section(&self) -> Section {
                match self { $(Self::$name { .. } => Section::$section,)+ }
            }

            fn values(&self) -> Vec<(&'static str, Value)> {
                match self { $(Self::$name { $($field),* } => vec![$((stringify!($field), Value::from(*$field))),*],)+ }
            }
        }
    };
}

affairs! {
    /// PYG-COST-03.
    ArmiesPaid "armies-paid" Budget { armies: i64, n: i64 }
    /// PYG-GAP-09.
    ArmyUnpaid "army-unpaid" Budget { army: ArmyName, lost: i64, left: i64 }
    /// PYG-ADM-01.
    Administered "administered" Budget { armies: i64, n: i64 }
    /// PYG-GAP-09: the treasury is empty and an army is disbanded.
    ArmyDisbanded "army-disbanded" Budget { army: ArmyName }
    /// PYG-TOWN-05.
    SettlementFounded "settlement-founded" Budget { field: Place, n: i64 }
    /// PYG-TOWN-05.
    SettlementUpgraded "settlement-upgraded" Budget { field: Place, kind: SettlementKind, n: i64 }
    /// PYG-FORT-01.
    TownFortified "town-fortified" Budget { field: Place, n: i64 }
    /// PYG-POP-05.
    SettlementGrew "settlement-grew" Budget { field: Place, points: i64, n: i64 }
    /// PYG-WORK-01..05.
    WorkBuilt "work-built" Budget { field: Place, work: WorkKind, n: i64 }
    /// PYG-TOWN-06, PYG-WORK-06: another realm built too near in the same month, and first.
    BuildingForestalled "building-forestalled" Budget { field: Place, other: Place }
    /// PYG-PROM-01.
    GoodPromoted "good-promoted" Budget { soil: Soil, good: Good, points: i64, n: i64 }
    /// PYG-TCIT-01.
    TradeCityNamed "trade-city-named" Budget { field: Place }
    /// PYG-GAP-18: by the ruler's own order.
    TradeCityEnded "trade-city-ended" Budget { field: Place }
    /// PYG-GAP-18: the realm has become too small.
    TradeCityLost "trade-city-lost" Budget { field: Place }
    /// PYG-COST-02.
    ArmyRaised "army-raised" Budget { army: ArmyName, count: i64, field: Place, n: i64 }
    /// PYG-HYG-02.
    HygienePaid "hygiene-paid" Budget { n: i64, towns: i64, each: i64 }
    /// PYG-HYG-05: plagues in a row.
    PlagueBrokeOut "plague-broke-out" Budget { field: Place, terms: u32 }
    /// PYG-HYG-05.
    TownHealthy "town-healthy" Budget { field: Place }
    /// PYG-GAP-20.
    PlagueEnded "plague-ended" Budget { field: Place }
    /// PYG-PLAG-03.
    TownSeceded "town-seceded" Budget { field: Place }
    /// PYG-PLAG-03, PYG-GAP-20: it might have.
    TownStayed "town-stayed" Budget { field: Place }
    /// PYG-ROAD-05: sections from the first to the last field.
    RoadBuilt "road-built" Budget { from: Place, to: Place, sections: i64, n: i64 }
    /// PYG-ROAD-09.
    BridgeBuilt "bridge-built" Budget { from: Place, to: Place, n: i64 }
    /// PYG-GAP-52.
    PlacesChosen "places-chosen" Budget { field: Place, first: Good, second: Good, third: Good }
    /// PYG-GAP-17: gold that the conqueror took.
    CapitalLost "capital-lost" Land { field: Place, n: i64 }
    /// PYG-GAP-17.
    CapitalTaken "capital-taken" Land { field: Place, n: i64 }
    /// PYG-GAP-17.
    CapitalRestored "capital-restored" Land { field: Place }
    /// PYG-MINE-02, -03: GS per term, for gems points.
    MineFound "mine-found" Land { field: Place, vein: Vein, n: i64 }
    /// PYG-GAP-53.
    PearlsFound "pearls-found" Land { field: Place, n: i64 }
    /// PYG-INC-02: taxes of the settlements.
    TaxesCollected "taxes-collected" Income { settlements: i64, n: i64 }
    /// PYG-INC-04.
    LandYielded "land-yielded" Income { fields: i64, n: i64 }
    /// PYG-PLAG-02: fields that pay half.
    LandHalved "land-halved" Income { fields: i64 }
    /// PYG-GAP-62, PYG-GAP-63.
    FieldPaidNothing "field-paid-nothing" Income { field: Place }
    /// PYG-GAP-62, PYG-GAP-63.
    SettlementPaidNothing "settlement-paid-nothing" Income { field: Place }
    /// PYG-INC-07.
    MinePaid "mine-paid" Income { field: Place, vein: Vein, n: i64 }
    /// PYG-MINE-08: points of gems.
    GemsMined "gems-mined" Goods { field: Place, n: i64 }
    /// PYG-GAP-55.
    MineExhausted "mine-exhausted" Income { field: Place, vein: Vein }
    /// PYG-TRADE-05..07: what it pays now, and what counts again.
    TradeTaxed "trade-taxed" Income { field: Place, n: i64, carried: i64 }
    /// PYG-POP-01.
    PeopleCounted "people-counted" Goods { points: i64, inhabitants: i64 }
    /// PYG-SUP-01.
    GoodsBalanced "goods-balanced" Goods { supply: i64, demand: i64, short: i64 }
    /// PYG-GAP-63.
    HarvestFailed "harvest-failed" Goods { grain: i64, fruit: i64 }
    /// PYG-LUX-02: luxury points that stand in for missing goods.
    LuxuryOffset "luxury-offset" Goods { n: i64 }
    /// PYG-LUX-03: so many distinct goods.
    LuxuryMet "luxury-met" Goods { goods: i64 }
    /// PYG-LUX-04.
    LuxuryMissing "luxury-missing" Goods { goods: i64 }
    /// PYG-GAP-59.
    LuxuryAhead "luxury-ahead" Goods { inhabitants: i64, goods: i64 }
    /// PYG-GAP-58.
    MoodFelt "mood-felt" Goods { mood: Mood }
    /// PYG-GAP-58.
    FieldRevolted "field-revolted" Goods { field: Place }
    /// PYG-GAP-63.
    RoadDestroyed "road-destroyed" Budget { disaster: Disaster, from: Place, to: Place }
    /// PYG-GAP-63.
    BridgeDestroyed "bridge-destroyed" Budget { from: Place, to: Place }
    /// PYG-GAP-63.
    VolcanoErupted "volcano-erupted" Budget { field: Place }
    /// PYG-GAP-63.
    FleetBattered "fleet-battered" Losses { army: ArmyName, lost: i64, left: i64 }
    /// PYG-GAP-63.
    HarvestBlighted "harvest-blighted" Budget {}
    /// PYG-GAP-63.
    SettlementBurned "settlement-burned" Budget { field: Place }
    /// PYG-GAP-63: there was nothing to strike, or the game master stayed its hand.
    DisasterPassed "disaster-passed" Budget { disaster: Disaster }
}

impl Affair {
    /// As an event of a realm.
    pub const fn of(self, realm: RealmId) -> Economy {
        Economy { realm, what: self }
    }

    /// Key of its line in a report: one of something is worded otherwise than several.
    const fn wording(&self) -> &'static str {
        match self {
            Self::ArmiesPaid { armies: 1, .. } => "armies-paid-one",
            Self::Administered { armies: 1, .. } => "administered-one",
            Self::SettlementGrew { points: 1, .. } => "settlement-grew-one",
            Self::HygienePaid { towns: 1, .. } => "hygiene-paid-one",
            Self::RoadBuilt { sections: 1, .. } => "road-built-one",
            Self::TaxesCollected { settlements: 1, .. } => "taxes-collected-one",
            Self::LandYielded { fields: 1, .. } => "land-yielded-one",
            Self::LandHalved { fields: 1 } => "land-halved-one",
            Self::MineFound { vein: Vein::Gems, .. } => "gems-found",
            Self::GoodsBalanced { short: 0, .. } => "goods-balanced-none",
            Self::GoodsBalanced { short: 1, .. } => "goods-balanced-one",
            Self::LuxuryMet { goods: 1 } => "luxury-met-one",
            Self::LuxuryMissing { goods: 1 } => "luxury-missing-one",
            Self::LuxuryAhead { goods: 1, .. } => "luxury-ahead-one",
            Self::LuxuryOffset { n: 1 } => "luxury-offset-one",
            other => other.key(),
        }
    }

    /// Its key and values, in the order of the list.
    fn words(&self) -> String {
        let mut words = self.key().to_owned();
        for (_, value) in self.values() {
            words.push(' ');
            words.push_str(&value.code());
        }
        words
    }

    /// Nobody is told of a disaster that did not happen.
    const fn is_open(&self) -> bool {
        !matches!(self, Self::DisasterPassed { .. })
    }
}

impl Tale for Economy {
    type Notice = Perceived;

    fn audience(&self, _state: &State, realms: &mut Vec<RealmId>) {
        if self.what.is_open() {
            realms.push(self.realm);
        }
    }

    fn notice(&self, ear: &Ear<'_>) -> Option<Perceived> {
        ear.is(self.realm).then(|| Perceived {
            realm: ear.who(self.realm),
            what: self.what.clone(),
        })
    }

    fn words(&self, cast: &Cast<'_>) -> String {
        format!("{} {}", cast.realm(self.realm), self.what.words())
    }
}

impl Telling for Perceived {
    fn section(&self) -> Section {
        self.what.section()
    }

    fn write(&self, pen: &mut Pen<'_>, why: &Why) {
        if let Who::Named { name, .. } = &self.realm {
            pen.line("affair-of", &[("realm", Arg::Text(name))]);
        }
        let values = self.what.values();
        let args: Vec<(&str, Arg<'_>)> = values
            .iter()
            .map(|(name, value)| {
                let arg = match value {
                    Value::Int(number) => Arg::Int(*number),
                    Value::Text(text) => Arg::Text(text),
                    Value::Word(key, _) => Arg::Word(key),
                };
                (*name, arg)
            })
            .collect();
        pen.reasoned(self.what.wording(), &args, why);
    }

    fn words(&self) -> String {
        self.what.words()
    }
}
