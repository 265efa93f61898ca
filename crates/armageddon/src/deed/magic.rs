//! Deeds of magic and trade: spells, duels of wizards, trade centres.

use crate::board::{Cell, Spot};
use crate::kinds::{Activity, Spell, Stage};
use crate::state::FigureId;
use serde::{Deserialize, Serialize};

/// What a spell is aimed at: a whole field, or one storey of the tower or siege tower on it (ARM-0.4.72, ARM-0.4.74).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Aim {
    /// The field.
    pub cell: Cell,
    /// The storey; none for the whole field.
    pub level: Option<u8>,
}

impl Aim {
    /// A whole field with everything on it.
    pub const fn field(cell: Cell) -> Self {
        Self { cell, level: None }
    }
}

/// A deed of magic or trade.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Magic {
    /// A spell (ARM-GAP-32).
    Cast {
        /// The wizard.
        wizard: FigureId,
        /// Which.
        spell: Spell,
        /// The fields and storeys it acts on, in the order given.
        on: Vec<Aim>,
        /// Where to, for spells that move.
        to: Vec<Spot>,
        /// Whether the wizard transfers himself too (ARM-0.4.76).
        along: bool,
    },
    /// A wizard challenges another.
    Duel {
        /// Who.
        wizard: FigureId,
        /// Whom.
        target: FigureId,
    },
    /// A priest blesses or frightens figures around him (KAL-20.2.4.1, KAL-20.2.4.2).
    Pray {
        /// Who.
        priest: FigureId,
        /// Which of the two.
        spell: Spell,
        /// Whom, by number.
        figures: Vec<FigureId>,
    },
    /// A priest gives a besieged castle bread and water (KAL-20.2.4.3).
    Feed {
        /// Who.
        priest: FigureId,
    },
    /// A trade centre is plundered (KAL-16.2.7.1).
    Plunder {
        /// Where.
        cell: Cell,
    },
    /// A trade centre is taken (ARM-0.4.22).
    TakeCentre {
        /// Where.
        cell: Cell,
    },
    /// A trade centre is razed (ARM-GAP-42).
    Raze {
        /// Where.
        cell: Cell,
    },
}

impl Magic {
    /// The class that it belongs to.
    pub const fn activity(&self) -> Activity {
        match self {
            Self::TakeCentre { .. } | Self::Plunder { .. } => Activity::Control,
            _ => Activity::Act,
        }
    }

    /// The stage in which it happens: the window that comes next (ARM-GAP-01).
    pub fn stage(&self, reached: Stage) -> Option<Stage> {
        match self {
            Self::TakeCentre { .. } | Self::Plunder { .. } => None,
            Self::Raze { .. } => Some(Stage::Other),
            _ => Some(match reached {
                Stage::Before => Stage::Before,
                Stage::Movement | Stage::Between => Stage::Between,
                _ => Stage::After,
            }),
        }
    }
}
