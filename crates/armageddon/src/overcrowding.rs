//! Overcrowding and its resolution by cause (ARM-0.4.50 to 0.4.54, ARM-GAP-39).
//!
//! Not written yet: no written chapter causes one.

use crate::battle::Battle;
use crate::room::Room;
use kernel::realm::RealmId;

/// Why a place holds more than it offers (ARM-0.4.50).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Crowding {
    /// A deployment error or a breach of the rules of stay: its player removes.
    Deployment,
    /// An animal or team tramples.
    Trampling,
    /// Somebody climbed a wagon after being run over.
    WagonClimbed,
    /// An elephant died.
    ElephantDied,
    /// A ship rammed.
    Rammed,
    /// Drifting warriors met.
    Drifted,
    /// Somebody climbed a raft after being run over.
    RaftClimbed,
    /// A foundation was destroyed, or a building fell.
    Collapsed,
}

/// Ends an overcrowding as its cause demands; `begins` is who begins a scrimmage.
pub fn resolve(_battle: &mut Battle<'_>, _room: Room, _cause: Crowding, _begins: RealmId) {}
