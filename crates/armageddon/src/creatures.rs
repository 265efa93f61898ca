//! Fable creatures (ARM-GAP-31).
//!
//! Not written yet: nobody controls them, and they do nothing.

use crate::battle::{Battle, Scene};
use crate::deed::Deed;
use kernel::realm::RealmId;

/// ARM-GAP-31, at the start of a round: creatures that nobody controls move and attack.
pub fn roam(_battle: &mut Battle<'_>) {}

/// Every deed of this chapter that might be possible.
pub fn candidates(_scene: Scene<'_>, _player: RealmId, _list: &mut Vec<Deed>) {}
