//! The order R (PYG-ORD-03, PYG-GAP-38).
//!
//! Part A. Not written yet: its steps do nothing.

use crate::month::{Month, MonthTurn};
use crate::state::ArmyId;
use kernel::hex::FieldIndex;

/// A moving army stops before a step that would bring it near strangers.
pub fn hold_back(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// A standing army leaves its field when strangers enter it.
pub fn give_way(_turn: &mut MonthTurn<'_>, _month: &mut Month) {}

/// The field to which an army gives way: where it came from this month, else the best adjacent one; none if there is none.
///
/// PYG-GAP-38; also for those who lost a battle (PYG-GAP-46).
pub fn way_out(_turn: &MonthTurn<'_>, _month: &Month, _army: ArmyId) -> Option<FieldIndex> {
    None
}
