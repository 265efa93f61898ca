//! The host in the browser: pages for players and game masters. Names no game.
//!
//! Read in this order: [`state`] (what every request shares), [`routes`] (the one list of routes with who may use each),
//! [`identity`] (who asks), [`page`] (the frame of every page), [`words`] (texts in German and English), [`pairs`] (what a form carries), [`mod@once`] (what was sent twice), [`error`] (what a
//! visitor sees when something fails), [`pages`] (how to add a page, and the pages), [`workbook`] (files of programs for tables), [`api`]
//! (the same for programs).
//!
//! Pages are made on the server and work without a script. What a visitor may not see answers exactly like what does not
//! exist. All texts come from `locale/`, all addresses are German.

pub mod api;
pub mod assets;
pub mod context;
pub mod error;
pub mod identity;
pub mod kept;
mod limit;
pub mod mail;
pub mod once;
pub mod page;
pub mod pages;
pub mod pairs;
pub mod refusal;
pub mod routes;
pub mod serve;
pub mod shield;
pub mod state;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod time;
pub mod watch;
pub mod words;
pub mod workbook;

pub use error::Fault;
pub use routes::app;
pub use serve::serve;
pub use state::{Settings, Web};

/// What a handler answers.
pub type Answer = Result<axum::response::Response, Fault>;
