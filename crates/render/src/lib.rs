//! How what the games say looks: maps, reports and messages, in German and in English.
//!
//! All wording lives in `locale/`, all drawing in [`map`]. Nothing here knows a rule, and nothing here reads a world's
//! state: what comes in is what a viewer may know.

mod fonts;
pub mod locale;
pub mod map;
#[cfg(feature = "png")]
pub mod png;
