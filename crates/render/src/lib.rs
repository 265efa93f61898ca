//! How what the games say looks: maps, reports and messages, in German and in English.
//!
//! All wording lives in `locale/` and is read by [`locale`]; [`template`] fills it. [`text`], [`html`] and [`json`] receive a
//! report as a stream, [`sheet`] sets it for a page of the host and [`outline`] for search, comparison and reading aloud,
//! [`chart`] draws figures over time, [`finding`] words what is wrong with orders, [`mod@map`] draws, [`markup`] sets what
//! people write. Nothing here knows a rule, and nothing
//! here reads a world's state: what comes in is what a viewer may know.

pub mod charset;
pub mod chart;
mod die;
pub mod finding;
mod fonts;
mod hash;
pub mod html;
pub mod hyphen;
pub mod json;
pub mod locale;
pub mod map;
pub mod markup;
pub mod outline;
#[cfg(feature = "png")]
pub mod png;
pub mod sheet;
mod stream;
pub mod template;
pub mod text;
