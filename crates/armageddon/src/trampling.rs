//! Trampling by elephants, mammoths and quadriga teams (ARM-0.4.52, ARM-0.4.53, ARM-GAP-22).
//!
//! Not written yet: nothing tramples.

use crate::battle::Battle;
use crate::board::Spot;
use crate::state::FigureId;

/// An animal tramples on the spot it has entered.
pub fn trample(_battle: &mut Battle<'_>, _animal: FigureId, _spot: Spot) {}
