//! The orders of a player, as read from his file `SPIELZUG` (THO-ORD-01..10).
//!
//! An order is what the grammar allows; whether it can be carried out is decided by the rules of its chapter. Parts
//! that a refusal may point at keep their place in the file.

use crate::codes::{Building, Command, Flag, Network, Treaty};
use crate::geo::Place;
use crate::state::{ArmyName, Computer};
use kernel::diagnostic::{Diagnostic, Spanned};
use kernel::hex::Direction;
use kernel::realm::RealmId;

/// Weeks of a season, and digits of a route (THO-TIME-01).
pub const WEEKS: usize = 13;

/// One order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Order {
    /// `$B`: an inhabited building: new, upgraded, repaired, rebuilt or renamed.
    Build {
        /// What.
        building: Building,
        /// Where.
        place: Spanned<Place>,
        /// Its name, underscores already read as blanks.
        name: Option<Spanned<String>>,
    },
    /// `$B`: roads along a path, or bridges and walls on a set of sides.
    Lay {
        /// What.
        network: Network,
        /// From where.
        place: Spanned<Place>,
        /// The digits, each with its place in the file.
        directions: Vec<Spanned<Direction>>,
    },
    /// `$R`: a new army, or more heads for one.
    Arm {
        /// Fit for the terrain, or for the deep sea.
        fit: bool,
        /// Which army.
        army: Spanned<ArmyName>,
        /// How many.
        count: Spanned<i64>,
        /// In which building.
        place: Spanned<Place>,
        /// Where ships appear.
        direction: Option<Spanned<Direction>>,
    },
    /// `$A`: an army's season.
    March(March),
    /// `$G`: gold to a realm.
    Pay {
        /// To whom.
        realm: Spanned<RealmId>,
        /// How much.
        amount: Spanned<i64>,
    },
    /// `$L`: a field to a realm.
    Cede {
        /// To whom.
        realm: Spanned<RealmId>,
        /// Which field.
        place: Spanned<Place>,
    },
    /// `$V`: a treaty wish.
    Propose {
        /// With whom.
        realm: Spanned<RealmId>,
        /// What.
        treaty: Treaty,
    },
    /// `$N`: a message.
    Send {
        /// To whom.
        to: Spanned<Recipient>,
        /// Its lines, as typed.
        text: Vec<String>,
    },
    /// `$K`: the description of the people.
    Describe {
        /// Its lines, as typed.
        text: Vec<String>,
    },
    /// `$S`, `I`: print spared terrains and combat percentages.
    AskInformation,
    /// `$S`, `C`: the player's computer.
    SetComputer(Computer),
    /// `$S`, `R`: the realm's new name.
    RenameRealm(String),
}

impl Order {
    /// What is wrong with a special that is not for this kind of army.
    pub fn misfit(&self) -> Option<&Diagnostic> {
        match self {
            Self::March(march) => march.misfit.as_deref(),
            _ => None,
        }
    }

    /// The place that the order names, if it names one, and how many steps it leads away from there. Where an army goes follows from
    /// where it stands.
    pub fn farthest(&self) -> Option<(Place, usize)> {
        match self {
            Self::Build { place, .. } | Self::Cede { place, .. } => Some((place.value, 0)),
            Self::Arm { place, .. } => Some((place.value, 1)),
            Self::Lay { place, directions, .. } => Some((place.value, directions.len())),
            Self::March(march) => match march.special.as_ref()?.value {
                Special::Free(place)
                | Special::Tame(place)
                | Special::Bless(place)
                | Special::Trade(place)
                | Special::Fire(place) => Some((place, 0)),
                Special::Split { .. }
                | Special::Merge { .. }
                | Special::Embark(_)
                | Special::Join(_)
                | Special::Summon { .. }
                | Special::Accelerate(_)
                | Special::Raze(_)
                | Special::Cut(..)
                | Special::Gate(_) => None,
            },
            Self::Pay { .. }
            | Self::Propose { .. }
            | Self::Send { .. }
            | Self::Describe { .. }
            | Self::AskInformation
            | Self::SetComputer(_)
            | Self::RenameRealm(_) => None,
        }
    }
}

/// To whom a message goes (THO-MSG-01).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recipient {
    /// `#n`.
    Realm(RealmId),
    /// `#M`.
    GameMaster,
    /// `#A`: to all, with the sender's name.
    Everyone,
    /// `#G`: to all, without a sender.
    Rumour,
}

/// An army's order line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct March {
    /// Which army.
    pub army: Spanned<ArmyName>,
    /// One digit a week; `None` is 0. Always thirteen; shorter ones in the file are padded (GAP-04).
    pub route: Spanned<Route>,
    /// What it does.
    pub command: Spanned<Command>,
    /// Its flag.
    pub flag: Flag,
    /// At most one special (THO-SPEC-01).
    pub special: Option<Spanned<Special>>,
    /// What is wrong with a special that no army of this kind could carry out. Whether there is such an army comes before it.
    pub misfit: Option<Box<Diagnostic>>,
}

/// A special order behind an army's command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Special {
    /// Split off `count` heads as a new army of the same kind.
    Split {
        /// Number of the new army.
        number: u32,
        /// Its heads.
        count: i64,
    },
    /// Take in another army of the same kind.
    Merge {
        /// Number of the army that joins.
        number: u32,
    },
    /// Board a fleet.
    Embark(ArmyName),
    /// Form or join a group.
    Join(ArmyName),
    /// Summon demons.
    Summon {
        /// Kind and number of the new host.
        demon: ArmyName,
        /// Number or strength.
        count: i64,
    },
    /// Break another wizard's hold over the demons on a field.
    Free(Place),
    /// Take the armies of realm 0 on a field into service.
    Tame(Place),
    /// Double an army's movement.
    Accelerate(ArmyName),
    /// Bless a field.
    Bless(Place),
    /// Trade at a place.
    Trade(Place),
    /// Shoot at this field only.
    Fire(Place),
    /// Damage the building on the field (with Z).
    Raze(Building),
    /// Tear down a road, bridge or wall (with Z).
    Cut(Network, Direction),
    /// Pass a world gate to the gate with this code.
    Gate(u32),
}

impl Special {
    /// Key of the special's name in the locale.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Split { .. } => "special-split",
            Self::Merge { .. } => "special-merge",
            Self::Embark(_) => "special-embark",
            Self::Join(_) => "special-join",
            Self::Summon { .. } => "special-summon",
            Self::Free(_) => "special-free",
            Self::Tame(_) => "special-tame",
            Self::Accelerate(_) => "special-accelerate",
            Self::Bless(_) => "special-bless",
            Self::Trade(_) => "special-trade",
            Self::Fire(_) => "special-fire",
            Self::Raze(_) | Self::Cut(..) => "special-destroy",
            Self::Gate(_) => "special-gate",
        }
    }
}

impl Special {
    /// Key of what an army does that carries it out.
    pub fn verb(&self) -> String {
        self.word().replace("special-", "verb-")
    }

    /// Key of what happens to what it is aimed at.
    pub fn passive(&self) -> String {
        self.word().replace("special-", "passive-")
    }

    /// Key of what it is aimed at.
    pub fn wanted(&self) -> String {
        self.word().replace("special-", "wanted-")
    }
}

/// One digit a week; `None` is 0.
pub type Route = [Option<Direction>; WEEKS];
