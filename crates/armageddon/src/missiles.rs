//! Bows, onagers, pitch, loopholes, line of sight (ARM-GAP-06 to 08, 13, 16).
//!
//! Not written yet: the chapter offers nothing and refuses everything.

use crate::battle::{Battle, Scene};
use crate::deed::{Deed, Fight, Permit, Refusal};
use crate::rule;
use kernel::realm::RealmId;

/// Whether a deed of this chapter is legal.
///
/// # Errors
/// Always, until the chapter is written.
pub fn judge(_scene: Scene<'_>, _player: RealmId, _deed: &Fight) -> Result<Permit, Refusal> {
    Err(Refusal::new("not-built", &[rule::GAP_06][..]))
}

/// Carries out what [`judge`] allowed.
pub fn perform(_battle: &mut Battle<'_>, _player: RealmId, _deed: &Fight, _permit: &Permit) {}

/// Every deed of this chapter that might be possible.
pub fn candidates(_scene: Scene<'_>, _player: RealmId, _list: &mut Vec<Deed>) {}

/// ARM-GAP-06, when a player's turn begins: which of his shooters are engaged in melee.
pub fn engage(_battle: &mut Battle<'_>, _player: RealmId) {}
