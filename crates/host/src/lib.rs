//! Worlds at rest and their steps: who plays, what was ordered and judged, what came of it. Names no game.
//!
//! Read in this order: [`error`] (what can go wrong outside), [`unfit`] (what comes in the wrong form), [`limits`], `db` (queries that run on both databases),
//! [`store`] (opening it), [`mod@once`] (deeds that count once), [`account`] (people), [`token`] (keys of their programs), `touch` (when they were used), [`world`] (worlds and seats), [`membership`] (who plays and who leads),
//! [`submission`] (order files), [`draft`] (what is not sent yet), [`judgement`] and [`hand`] (the game master's input), [`founding`] (worlds that are planned), [`step`] (the one transaction in which a world
//! changes), [`desk`] (trials and turns taken back), [`board`] (announcements, notes, fees), [`schedule`] (deadlines),
//! [`job`] (work to be done), [`outbox`] (mails to be sent), [`wish`] and [`tidings`] (who is told what of turns), [`worker`] (doing it), [`letter`],
//! [`newspaper`], [`mod@arms`] and [`picture`] (what realms write and show), [`visit`] (what came since), [`verify`] (dice and turns checked again),
//! [`archive`] (a world as one file), [`backup`] (everything as one file), [`keeping`] (what administrators do).
//!
//! A step is one transaction: after a crash at any moment the world is exactly before or exactly after it. Order files
//! and judgements are never overwritten; a later one counts and the earlier ones stay.

pub mod account;
pub mod archive;
pub mod arms;
pub mod backup;
pub mod board;
pub mod damage;
mod db;
pub mod desk;
pub mod draft;
pub mod error;
pub mod founding;
mod frame;
pub mod hand;
pub mod ill;
pub mod job;
pub mod judgement;
pub mod keeping;
mod lease;
pub mod letter;
pub mod limits;
pub mod membership;
pub mod newspaper;
pub mod once;
pub mod outbox;
mod pack;
pub mod picture;
pub mod schedule;
pub mod step;
pub mod store;
pub mod submission;
mod text;
pub mod tidings;
pub mod token;
mod touch;
pub mod unfit;
pub mod verify;
pub mod visit;
pub mod wish;
pub mod worker;
pub mod world;

pub use error::HostError;
pub use store::{Closer, Host, Options, acting, now};

/// What every fallible function of this crate returns.
pub type Result<T, E = HostError> = std::result::Result<T, E>;
