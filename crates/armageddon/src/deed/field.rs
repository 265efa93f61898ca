//! Deeds on the field: movement, swapping, animals, vehicles, ships, ownership.

use crate::board::Spot;
use crate::kinds::{Activity, Part, Stage};
use crate::state::FigureId;
use kernel::hex::Direction;
use kernel::realm::RealmId;

/// How a ship moves by one step (ARM-GAP-24).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Helm {
    /// The bow enters the field in this direction, straight or 60 degrees beside the old course.
    Ahead(Direction),
    /// Turning on the spot to this course.
    Turn(Direction),
}

/// A deed on the field.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Field {
    /// One step of one figure that goes by itself: on foot, on its own hooves (with its rider), hovering.
    Step {
        /// Who.
        figure: FigureId,
        /// Where to: a neighbouring field, or another storey of the same building.
        to: Spot,
    },
    /// Turning to a new facing (ARM-0.4.43).
    Face {
        /// Who.
        figure: FigureId,
        /// Where to.
        facing: Direction,
    },
    /// Two groups of figures swap places (ARM-0.4.48).
    Swap {
        /// Own figures, by number.
        here: Vec<FigureId>,
        /// Own or allied figures next door, by number.
        there: Vec<FigureId>,
    },
    /// A warrior gets onto or into a carrier on his field or next to it.
    Board {
        /// Who.
        figure: FigureId,
        /// What.
        carrier: FigureId,
        /// Which part of it.
        part: Part,
    },
    /// A figure leaves what carries it.
    Leave {
        /// Who.
        figure: FigureId,
        /// Where to.
        to: Spot,
    },
    /// A warrior takes an animal by the rein or leads it; `None` lets it go.
    Lead {
        /// The animal.
        animal: FigureId,
        /// The warrior.
        by: Option<FigureId>,
    },
    /// A device is carried, pushed or drawn one step by exactly as many as it needs (ARM-GAP-23).
    Haul {
        /// The device.
        device: FigureId,
        /// Those who move it, by number.
        bearers: Vec<FigureId>,
        /// Where to.
        to: Spot,
    },
    /// A phalanx steps as one (ARM-GAP-19).
    March {
        /// Its lowest member.
        phalanx: FigureId,
        /// Where to.
        to: Spot,
    },
    /// A quadriga moves one step: the team enters a field, the wagon follows (ARM-GAP-21).
    Drive {
        /// The wagon.
        wagon: FigureId,
        /// Where the team goes.
        to: Spot,
    },
    /// A ship moves one step.
    Sail {
        /// The ship.
        ship: FigureId,
        /// How.
        helm: Helm,
    },
    /// A swimmer climbs ashore or aboard after a success (ARM-GAP-28).
    LandFromWater {
        /// Who.
        figure: FigureId,
        /// Where.
        to: Spot,
    },
    /// A horse is harnessed to a wagon: an act of the warrior.
    Harness {
        /// The horse.
        horse: FigureId,
        /// The wagon.
        wagon: FigureId,
    },
    /// The team of a wagon is taken off.
    Unharness {
        /// The wagon.
        wagon: FigureId,
    },
    /// A figure leaves the board with those who go with it (KAL-16.2.8).
    Flee {
        /// Who.
        figure: FigureId,
    },
    /// Possession of a device, ship, wagon or animal is declared (ARM-0.4.27).
    Possess {
        /// What.
        object: FigureId,
    },
    /// An animal or device is given away (ARM-0.4.9, ARM-0.4.15).
    Give {
        /// What.
        object: FigureId,
        /// To whom.
        to: RealmId,
    },
    /// A device is lent (ARM-0.4.16).
    Lend {
        /// What.
        object: FigureId,
        /// To whom.
        to: RealmId,
    },
}

impl Field {
    /// The class that it belongs to (ARM-0.3.2, 0.3.4).
    pub const fn activity(&self) -> Activity {
        match self {
            Self::Possess { .. } | Self::Give { .. } | Self::Lend { .. } | Self::Lead { .. } => Activity::Control,
            Self::Harness { .. } | Self::Unharness { .. } => Activity::Act,
            _ => Activity::Movement,
        }
    }

    /// The stage in which it happens.
    pub const fn stage(&self) -> Option<Stage> {
        match self {
            Self::Possess { .. } | Self::Give { .. } | Self::Lend { .. } => None,
            Self::Harness { .. } | Self::Unharness { .. } => Some(Stage::Other),
            _ => Some(Stage::Movement),
        }
    }
}
