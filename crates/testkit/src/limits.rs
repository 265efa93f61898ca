//! Bounds on scenario files: they may come from anyone.

/// Bytes of one scenario file.
pub const SCENARIO_BYTES: usize = 1024 * 1024;
/// Steps of one scenario.
pub const STEPS: usize = 100;
/// Blocks of one scenario.
pub const BLOCKS: usize = 2_000;
/// Scenario files of one run.
pub const FILES: usize = 20_000;
/// Folders within folders that a run looks into.
pub const FOLDER_DEPTH: usize = 8;
/// Failures that are printed of one scenario; the rest is counted.
pub const FAILURES: usize = 40;
