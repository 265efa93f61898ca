//! Bounds on everything that comes from outside. A game may set tighter ones.

/// Bytes of one order file.
pub const ORDER_FILE_BYTES: usize = 256 * 1024;
/// Lines of one order file.
pub const ORDER_FILE_LINES: usize = 10_000;
/// Diagnostics kept for one order file; one more says how many were left out.
pub const DIAGNOSTICS: usize = 1_000;
/// Fields of a world.
pub const FIELDS: usize = 4_000_000;
/// Realms of a world.
pub const REALMS: usize = 10_000;
/// Bytes of a state or view that the codec reads.
pub const STATE_BYTES: usize = 1 << 30;
/// Bytes of a world's house rules.
pub const HOUSE_RULES_BYTES: usize = 256 * 1024;
/// Game master's acts in one step.
pub const RULINGS: usize = 10_000;
/// Lines of a sheet with changes of a world by hand.
pub const EDIT_LINES: usize = 1_000_000;
