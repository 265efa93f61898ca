//! What all games of Briefwelt share, and nothing that only one of them needs.
//!
//! Read in this order: [`rule`] (ids), [`realm`] (who plays, who looks), [`hex`] and [`province`] (where),
//! [`vocabulary`] (closed lists of words), [`ratio`] (how much), [`dice`] (chance under sealed keys), [`diagnostic`] (what is wrong with an order),
//! [`turn`] (the only place where a world changes), [`report`] (what a viewer reads), [`game`] (the contract of a
//! rule book), [`guide`], [`form`], [`sheet`] and [`planner`] (what it tells and asks beside reports), [`house`] (what a world has
//! otherwise than its book), [`worldgen`] (making maps), [`codec`] (canonical bytes and digests), [`any`] (a game as the host sees it:
//! bytes in, bytes out).
//!
//! What is deliberately absent: input and output, a clock, floating point, hash maps, a random generator and any
//! text for people. A turn is a pure function of state, recorded input and dice keys.

pub mod any;
pub mod board;
pub mod campaign;
pub mod codec;
pub mod diagnostic;
pub mod dice;
pub mod form;
pub mod game;
pub mod guide;
pub mod hex;
pub mod house;
pub mod limits;
pub mod map;
pub mod misread;
pub mod planner;
pub mod province;
pub mod ratio;
pub mod realm;
pub mod report;
pub mod rule;
pub mod sheet;
pub mod stage;
pub mod turn;
pub mod vocabulary;
pub mod worldgen;
