//! The orders of a player, as read from his sheet (PYG-SHEET-01..05; grammar: [`crate::grammar`]).
//!
//! An order is what the grammar allows; whether it can be carried out is decided by the rules of its chapter. Parts that a
//! refusal may point at keep their place in the file.

use crate::chart::Place;
use crate::codes::{Equipment, Good, SettlementKind, Soil, Stance, WorkKind};
use crate::grammar::Verb;
use crate::state::ArmyName;
use kernel::diagnostic::Spanned;

/// One order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Order {
    /// `ZUG`, or a row of the move sheet.
    Move(Move),
    /// `BEFEHL`: a basic order without a move.
    Stance {
        /// Which army.
        unit: Spanned<ArmyName>,
        /// What.
        stance: Stance,
    },
    /// `TEILE`: a part becomes a new army, before movement.
    Split {
        /// Which army.
        unit: Spanned<ArmyName>,
        /// The new one.
        new: Spanned<ArmyName>,
        /// Its heads.
        count: Spanned<i64>,
    },
    /// `VEREINE`: the first joins the second.
    Merge {
        /// Who joins.
        unit: Spanned<ArmyName>,
        /// Whom.
        into: Spanned<ArmyName>,
        /// Before movement instead of after.
        before: bool,
    },
    /// `UMFORMEN`: a fleet becomes warriors.
    Convert {
        /// Which fleet.
        fleet: Spanned<ArmyName>,
        /// The new army.
        new: Spanned<ArmyName>,
        /// Where it appears.
        to: Spanned<Place>,
    },
    /// `AUFLOESEN`.
    Disband {
        /// Which army.
        unit: Spanned<ArmyName>,
    },
    /// `AUSRUESTUNG`.
    Equip {
        /// Which army.
        unit: Spanned<ArmyName>,
        /// What.
        equipment: Equipment,
    },
    /// `STRASSE`: each step is one section.
    Road {
        /// At least two fields.
        path: Vec<Spanned<Place>>,
    },
    /// `BRUECKE`.
    Bridge {
        /// One bank.
        from: Spanned<Place>,
        /// The other.
        to: Spanned<Place>,
    },
    /// `SEEWEG`.
    Lane {
        /// Its name.
        name: Spanned<String>,
        /// At least two fields.
        path: Vec<Spanned<Place>>,
    },
    /// `PRODUKTION`.
    Produce {
        /// Where.
        field: Spanned<Place>,
        /// In the three places.
        goods: [Spanned<Good>; 3],
    },
    /// `AUFGEBEN`.
    Abandon {
        /// Which field.
        field: Spanned<Place>,
    },
    /// `LADE`.
    Load {
        /// Which trader.
        trader: Spanned<ArmyName>,
        /// What.
        goods: Vec<Portion>,
    },
    /// `LOESCHE`.
    Unload {
        /// Which trader.
        trader: Spanned<ArmyName>,
        /// To whom.
        to: Spanned<Receiver>,
        /// What; everything if nothing is said.
        goods: Vec<Portion>,
    },
    /// `ZAHLE`.
    Gift {
        /// To whom, by name.
        realm: Spanned<String>,
        /// How much.
        gold: Spanned<i64>,
    },
    /// `NACHRICHT`.
    Message {
        /// To whom, by name.
        realm: Spanned<String>,
        /// What.
        text: Spanned<String>,
    },
    /// `SL`: another order, judged by the game master (PYG-ORD-08).
    Other {
        /// For which army, if for one.
        unit: Option<Spanned<ArmyName>>,
        /// What.
        text: Spanned<String>,
    },
    /// `SOLD`: who is paid first.
    Pay {
        /// In this order, the others behind them; none for `ALLE`.
        units: Vec<Spanned<ArmyName>>,
    },
    /// `HYGIENE`: one sum for all towns.
    Hygiene {
        /// GS.
        gold: Spanned<i64>,
    },
    /// `RUESTE`.
    Raise {
        /// The new army.
        unit: Spanned<ArmyName>,
        /// Its heads.
        count: Spanned<i64>,
        /// In which town.
        town: Spanned<Place>,
        /// On which water field a fleet appears.
        harbour: Option<Spanned<Place>>,
        /// On which fleet a land army appears.
        aboard: Option<Spanned<ArmyName>>,
    },
    /// `STATIONIERE`.
    Station {
        /// Which army.
        unit: Spanned<ArmyName>,
    },
    /// `SIEDLUNG`.
    Found {
        /// Where.
        field: Spanned<Place>,
    },
    /// `AUSBAU`.
    Upgrade {
        /// Where.
        field: Spanned<Place>,
        /// Inland or harbour town, where there is a choice.
        to: Option<SettlementKind>,
    },
    /// `WACHSTUM`.
    Grow {
        /// Where.
        field: Spanned<Place>,
        /// Population points.
        points: Spanned<i64>,
    },
    /// `BEFESTIGE`.
    Fortify {
        /// Where.
        field: Spanned<Place>,
    },
    /// `BAU`.
    Build {
        /// What.
        work: WorkKind,
        /// Where.
        field: Spanned<Place>,
    },
    /// `HANDELSSTADT`.
    TradeCity {
        /// Where.
        field: Spanned<Place>,
        /// It shall be one no longer.
        end: bool,
    },
    /// `FOERDERE`.
    Promote {
        /// On which soil.
        soil: Spanned<Soil>,
        /// What.
        good: Spanned<Good>,
        /// Points.
        points: Spanned<i64>,
    },
    /// `HAENDLER`.
    Trader {
        /// The new trader.
        unit: Spanned<ArmyName>,
        /// In which trade city.
        town: Spanned<Place>,
    },
}

impl Order {
    /// The verb that it was written with.
    pub const fn verb(&self) -> Verb {
        match self {
            Self::Move(_) => Verb::Move,
            Self::Stance { .. } => Verb::Stance,
            Self::Split { .. } => Verb::Split,
            Self::Merge { .. } => Verb::Merge,
            Self::Convert { .. } => Verb::Convert,
            Self::Disband { .. } => Verb::Disband,
            Self::Equip { .. } => Verb::Equip,
            Self::Road { .. } => Verb::Road,
            Self::Bridge { .. } => Verb::Bridge,
            Self::Lane { .. } => Verb::Lane,
            Self::Produce { .. } => Verb::Produce,
            Self::Abandon { .. } => Verb::Abandon,
            Self::Load { .. } => Verb::Load,
            Self::Unload { .. } => Verb::Unload,
            Self::Gift { .. } => Verb::Gift,
            Self::Message { .. } => Verb::Message,
            Self::Other { .. } => Verb::Other,
            Self::Pay { .. } => Verb::Pay,
            Self::Hygiene { .. } => Verb::Hygiene,
            Self::Raise { .. } => Verb::Raise,
            Self::Station { .. } => Verb::Station,
            Self::Found { .. } => Verb::Found,
            Self::Upgrade { .. } => Verb::Upgrade,
            Self::Grow { .. } => Verb::Grow,
            Self::Fortify { .. } => Verb::Fortify,
            Self::Build { .. } => Verb::Build,
            Self::TradeCity { .. } => Verb::TradeCity,
            Self::Promote { .. } => Verb::Promote,
            Self::Trader { .. } => Verb::Trader,
        }
    }
}

/// A row of the move sheet, or a line `ZUG`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// Who.
    pub unit: Spanned<ArmyName>,
    /// Whether the player marked it as stationary.
    pub starred: bool,
    /// From the first to the last field; one field for standing (PYG-SHEET-02).
    pub path: Vec<Spanned<Place>>,
    /// The control figure (PYG-GAP-71), or a trader's load (PYG-TRDR-08).
    pub strength: Option<Spanned<Strength>>,
    /// What stands under *besonderes*, in order.
    pub special: Vec<Spanned<Item>>,
}

/// What stands under *Stärke*.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Strength {
    /// `8500 K`.
    Heads(i64),
    /// `8 P. Wein, 4 P. Erz`.
    Goods(Vec<Portion>),
}

/// Points of a good.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Portion {
    /// What.
    pub good: Spanned<Good>,
    /// How many points.
    pub points: Spanned<i64>,
}

/// An item under *besonderes*.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A basic order.
    Stance(Stance),
    /// `EIN FH 1`, *wird auf FH 1 eingeschifft*: the last step leads onto the fleet.
    Embark(ArmyName),
    /// `AUS`: the first step leaves the fleet.
    Disembark,
    /// `mit RH 2`: what a fleet carries, to be compared only.
    With(Vec<ArmyName>),
    /// `NEUTRAL`: fields that are entered stay neutral.
    Neutral,
    /// `LOESCHEN`: a trader hands everything over after moving.
    Deliver(Option<Receiver>),
    /// `SL "..."`: for the game master.
    Other(String),
}

/// To whom goods are handed over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Receiver {
    /// Another trader of the own realm.
    Trader(ArmyName),
    /// The town on this field.
    Town(Place),
}
