//! Scrimmage (*Handgemenge*; ARM-0.4.55 to 0.4.59, ARM-GAP-40).
//!
//! Not written yet: nobody fights one.

use crate::battle::Battle;
use crate::room::Room;
use kernel::realm::RealmId;

/// Fights until the room holds no more than it offers.
pub fn fight(_battle: &mut Battle<'_>, _room: Room, _begins: RealmId) {}
