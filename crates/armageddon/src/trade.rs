//! Trade centres (ARM-0.4.22 to 0.4.25, ARM-GAP-38, ARM-GAP-42).
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
    Err(Refusal::new("not-built", &[rule::R0_4_22][..]))
}

/// Carries out what [`judge`] allowed.
pub fn perform(_battle: &mut Battle<'_>, _player: RealmId, _deed: &Magic, _permit: &Permit) {}

/// Every deed of this chapter that might be possible.
pub fn candidates(_scene: Scene<'_>, _player: RealmId, _list: &mut Vec<Deed>) {}
