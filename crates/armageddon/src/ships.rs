//! Ships: sailing, drifting, boarding, ramming (ARM-GAP-24 to 27, ARM-GAP-29).
//!
//! Not written yet: the chapter offers nothing and refuses everything.

use crate::battle::{Battle, Scene};
use crate::deed::{Deed, Field, Permit, Refusal};
use crate::rule;
use kernel::realm::RealmId;

/// Whether a deed of this chapter is legal.
///
/// # Errors
/// Always, until the chapter is written.
pub fn judge(_scene: Scene<'_>, _player: RealmId, _deed: &Field) -> Result<Permit, Refusal> {
    Err(Refusal::new("not-built", &[rule::GAP_24][..]))
}

/// Carries out what [`judge`] allowed.
pub fn perform(_battle: &mut Battle<'_>, _player: RealmId, _deed: &Field, _permit: &Permit) {}

/// Every deed of this chapter that might be possible.
pub fn candidates(_scene: Scene<'_>, _player: RealmId, _list: &mut Vec<Deed>) {}

/// Whether a ship may ram.
///
/// # Errors
/// Always, until the chapter is written.
pub fn judge_ram(_scene: Scene<'_>, _player: RealmId, _deed: &crate::deed::Fight) -> Result<Permit, Refusal> {
    Err(Refusal::new("not-built", &[rule::GAP_26][..]))
}

/// Carries out what [`judge_ram`] allowed.
pub fn perform_ram(_battle: &mut Battle<'_>, _player: RealmId, _deed: &crate::deed::Fight, _permit: &Permit) {}

/// ARM-GAP-25, at the start of a round: the wind, and the drift of ships that nobody steers.
pub fn wind(_battle: &mut Battle<'_>) {}
