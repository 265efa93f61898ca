//! Happenings of part A: movement, room, ownership, animals, vehicles, ships, water, survival.

use super::{Teller, Telling};
use crate::board::{Spot, direction_code};
use crate::kinds::Fate;
use crate::state::{FigureId, Place};
use kernel::hex::Direction;
use serde::{Deserialize, Serialize};

/// What happened on the field.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FieldHappening {
    /// A figure took a step.
    Stepped {
        /// Who.
        figure: FigureId,
        /// From where.
        from: Place,
        /// Where to.
        to: Spot,
        /// Steps that it cost.
        steps: u8,
    },
    /// A figure turned.
    Faced {
        /// Who.
        figure: FigureId,
        /// Where to.
        facing: Direction,
    },
    /// A figure left the board.
    Left {
        /// Who.
        figure: FigureId,
        /// Why.
        fate: Fate,
    },
}

impl FieldHappening {
    /// How it is told.
    pub(super) fn telling(&self, teller: Teller<'_>) -> Telling {
        match self {
            Self::Stepped {
                figure,
                from,
                to,
                steps,
            } => teller
                .telling("stepped")
                .with("figure", teller.figure(*figure))
                .with("from", teller.place(*from))
                .with("to", teller.spot(*to))
                .with("steps", i64::from(*steps)),
            Self::Faced { figure, facing } => teller
                .telling("faced")
                .with("figure", teller.figure(*figure))
                .with("facing", direction_code(*facing)),
            Self::Left { figure, fate } => teller
                .telling("left-board")
                .with("figure", teller.figure(*figure))
                .with_word("fate", fate.code()),
        }
    }
}
