//! Deeds of the fight: melee, shots, devices, siege, gates.

use crate::board::{Cell, Spot};
use crate::kinds::{Activity, Stage};
use crate::state::FigureId;
use kernel::hex::Direction;
use serde::{Deserialize, Serialize};

/// A gate or wall: a level of a field's building, or the wall along the field's side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Side {
    /// The field and level.
    pub at: Spot,
    /// The side.
    pub side: Direction,
}

/// A deed of the fight.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fight {
    /// Attack in melee (ARM-GAP-04).
    Attack {
        /// Who.
        figure: FigureId,
        /// Who supports him.
        support: Option<FigureId>,
        /// Whom.
        target: FigureId,
    },
    /// The weight blow of a phalanx (ARM-GAP-19).
    WeightBlow {
        /// Its lowest member.
        phalanx: FigureId,
        /// The field straight ahead.
        target: Cell,
    },
    /// A shot (ARM-GAP-06).
    Shoot {
        /// Who.
        figure: FigureId,
        /// At whom.
        target: FigureId,
    },
    /// A throw of an onager (ARM-GAP-08).
    Throw {
        /// The onager.
        onager: FigureId,
        /// Who serves it.
        crew: FigureId,
        /// At which field and level.
        target: Spot,
        /// At the wall of the field on this side, or at the bridge there.
        side: Option<Direction>,
    },
    /// Pouring pitch (ARM-GAP-16).
    Pour {
        /// The warrior on the platform who pours.
        figure: FigureId,
        /// Onto which field.
        target: Cell,
    },
    /// A ram, turtle or elephant against a gate or wall (ARM-GAP-10).
    Ram {
        /// The device or animal.
        device: FigureId,
        /// What it hits.
        target: Side,
    },
    /// A ship rams another (ARM-GAP-26).
    RamShip {
        /// The ship.
        ship: FigureId,
        /// The ship that is rammed.
        target: FigureId,
    },
    /// A ladder is set up (ARM-GAP-11).
    SetLadder {
        /// The ladder.
        ladder: FigureId,
        /// The field of the building or wall.
        against: Cell,
    },
    /// A ladder is toppled.
    Topple {
        /// The ladder.
        ladder: FigureId,
        /// Who on the platform does it.
        figure: FigureId,
    },
    /// A rope is thrown.
    ThrowRope {
        /// The rope.
        rope: FigureId,
        /// Who throws it.
        figure: FigureId,
        /// The field of the building or wall.
        against: Cell,
    },
    /// Two ropes are tied together.
    TieRopes {
        /// The rope that stays.
        rope: FigureId,
        /// Who ties.
        figure: FigureId,
    },
    /// A rope is cut.
    CutRope {
        /// The rope.
        rope: FigureId,
        /// Who on the platform does it.
        figure: FigureId,
    },
    /// A device is destroyed by those who control it (ARM-GAP-41).
    Destroy {
        /// The device.
        device: FigureId,
        /// Who does it.
        figure: FigureId,
    },
    /// A gate is opened or closed (ARM-GAP-14).
    Gate {
        /// The gate.
        gate: Side,
        /// Open or close.
        open: bool,
    },
    /// A shooter steps up to a loophole (ARM-GAP-13).
    Loophole {
        /// Who.
        figure: FigureId,
        /// On which side.
        side: Direction,
    },
    /// A siege is declared (ARM-GAP-18).
    Besiege {
        /// A field of the castle.
        castle: Cell,
    },
    /// A phalanx forms on a field (ARM-GAP-19).
    FormPhalanx {
        /// Its members, by number.
        members: Vec<FigureId>,
        /// The middle of its front.
        front: Direction,
    },
    /// A phalanx dissolves.
    DissolvePhalanx {
        /// Its lowest member.
        phalanx: FigureId,
    },
    /// A warrior looks for an ascent on his field.
    Search {
        /// Who.
        figure: FigureId,
    },
}

impl Fight {
    /// The class that it belongs to (ARM-0.3.3, 0.3.6).
    pub const fn activity(&self) -> Activity {
        match self {
            Self::Gate { .. }
            | Self::Loophole { .. }
            | Self::Besiege { .. }
            | Self::FormPhalanx { .. }
            | Self::DissolvePhalanx { .. }
            | Self::Search { .. } => Activity::Minor,
            Self::SetLadder { .. } | Self::ThrowRope { .. } => Activity::Movement,
            _ => Activity::Act,
        }
    }

    /// The stage in which it happens (ARM-GAP-01).
    pub const fn stage(&self) -> Option<Stage> {
        match self {
            Self::Throw { .. } => Some(Stage::Onager),
            Self::Shoot { .. } => Some(Stage::Bow),
            Self::Pour { .. } => Some(Stage::Pitch),
            Self::Ram { .. } | Self::RamShip { .. } => Some(Stage::Ram),
            Self::Attack { .. } | Self::WeightBlow { .. } => Some(Stage::Melee),
            Self::Topple { .. } | Self::TieRopes { .. } | Self::CutRope { .. } | Self::Destroy { .. } => {
                Some(Stage::Other)
            }
            Self::Besiege { .. } | Self::Loophole { .. } => None,
            Self::Gate { .. }
            | Self::SetLadder { .. }
            | Self::ThrowRope { .. }
            | Self::FormPhalanx { .. }
            | Self::DissolvePhalanx { .. }
            | Self::Search { .. } => Some(Stage::Movement),
        }
    }
}
