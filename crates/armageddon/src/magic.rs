//! Spells field by field, dispelling, duels, the hovering wizard (ARM-0.4.69 to 0.4.82, ARM-GAP-32 to 36).
//!
//! Not written yet: the chapter offers nothing and refuses everything.

use crate::battle::{Battle, Scene};
use crate::deed::{Deed, Magic, Permit, Refusal};
use crate::rule;
use kernel::realm::RealmId;

/// Whether a deed of this chapter is legal.
///
/// # Errors
/// Always, until the chapter is written.
pub fn judge(_scene: Scene<'_>, _player: RealmId, _deed: &Magic) -> Result<Permit, Refusal> {
    Err(Refusal::new("not-built", &[rule::GAP_32][..]))
}

/// Carries out what [`judge`] allowed.
pub fn perform(_battle: &mut Battle<'_>, _player: RealmId, _deed: &Magic, _permit: &Permit) {}

/// Every deed of this chapter that might be possible.
pub fn candidates(_scene: Scene<'_>, _player: RealmId, _list: &mut Vec<Deed>) {}

/// ARM-GAP-01, ARM-GAP-32, when a player's turn begins: the spells of his last turn expire.
pub fn expire(_battle: &mut Battle<'_>, _player: RealmId) {}
