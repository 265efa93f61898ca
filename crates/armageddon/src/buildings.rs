//! Buildings: hits, collapse, ascents that are found (ARM-GAP-09, ARM-GAP-15).
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
    Err(Refusal::new("not-built", &[rule::GAP_09][..]))
}

/// Carries out what [`judge`] allowed.
pub fn perform(_battle: &mut Battle<'_>, _player: RealmId, _deed: &Fight, _permit: &Permit) {}

/// Every deed of this chapter that might be possible.
pub fn candidates(_scene: Scene<'_>, _player: RealmId, _list: &mut Vec<Deed>) {}
