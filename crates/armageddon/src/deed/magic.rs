//! Deeds of part C: spells, duels of wizards, trade centres.

use crate::board::{Cell, Spot};
use crate::kinds::{Activity, Spell, Stage};
use crate::state::FigureId;

/// A deed of part C.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Magic {
    /// A spell (ARM-GAP-32).
    Cast {
        /// The wizard.
        wizard: FigureId,
        /// Which.
        spell: Spell,
        /// The fields and storeys it acts on, in the order given.
        on: Vec<Spot>,
        /// Where to, for spells that move.
        to: Vec<Spot>,
    },
    /// A wizard challenges another.
    Duel {
        /// Who.
        wizard: FigureId,
        /// Whom.
        target: FigureId,
    },
    /// A trade centre is taken (ARM-0.4.22).
    TakeCentre {
        /// Where.
        cell: Cell,
    },
}

impl Magic {
    /// The class that it belongs to.
    pub const fn activity(&self) -> Activity {
        match self {
            Self::TakeCentre { .. } => Activity::Control,
            _ => Activity::Act,
        }
    }

    /// The stage in which it happens: the window that comes next (ARM-GAP-01).
    pub fn stage(&self, reached: Stage) -> Option<Stage> {
        match self {
            Self::TakeCentre { .. } => None,
            _ => Some(match reached {
                Stage::Before => Stage::Before,
                Stage::Movement | Stage::Between => Stage::Between,
                _ => Stage::After,
            }),
        }
    }
}
