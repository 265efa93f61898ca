//! Rolls for survival and the dangers of the terrain (ARM-0.3.11, ARM-GAP-05, ARM-GAP-30).
//!
//! Not written yet: nobody is in danger.

use crate::battle::Battle;
use kernel::realm::RealmId;

/// ARM-GAP-30, at the end of a player's turn: every dangerous field that holds figures of his.
pub fn terrain_danger(_battle: &mut Battle<'_>, _player: RealmId) {}
