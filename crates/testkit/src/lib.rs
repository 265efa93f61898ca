//! Everything that tests a game without knowing it: scenarios that a game master can read, coverage of the rules, and
//! harnesses for leaks, replays and broken order files.
//!
//! Read in this order: [`scenario`] (a file as text), [`expectation`] (what it demands), [`play`] (running it),
//! [`judge`] (comparing), [`shown`] (telling what a step did), [`stages`] (many files, many games), [`coverage`] (rules against scenarios), [`laws`] (what holds in every step), then the harnesses
//! [`leaks`], [`replay`] and [`mutants`]. [`toy`] is the smallest game that fits the contract; the runner is tested
//! with it, and its house rules can make it leak or waver on purpose.
//!
//! What is deliberately absent: any game with a rule book, and any wording. A report becomes text through a
//! [`press::Press`].

pub mod cast;
mod charset;
pub mod coverage;
pub mod expectation;
pub mod exposure;
pub mod guided;
pub mod harness;
pub mod judge;
pub mod laws;
pub mod leaks;
pub mod limits;
pub mod mutants;
pub mod play;
pub mod press;
pub mod quest;
pub mod random;
pub mod raw;
pub mod replay;
pub mod scenario;
pub mod scene;
pub mod shown;
pub mod stages;
pub mod toy;
mod words;
