//! Mounting, climbing aboard, leading (ARM-0.4.6 to 0.4.10, ARM-0.4.44, ARM-GAP-20).
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
    Err(Refusal::new("not-built", &[rule::GAP_20][..]))
}

/// Carries out what [`judge`] allowed.
pub fn perform(_battle: &mut Battle<'_>, _player: RealmId, _deed: &Field, _permit: &Permit) {}

/// Every deed of this chapter that might be possible.
pub fn candidates(_scene: Scene<'_>, _player: RealmId, _list: &mut Vec<Deed>) {}
