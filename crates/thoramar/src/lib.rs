//! THORAMAR: a world of hexes, a season a turn, one order file `SPIELZUG` and one report `ERGEBNIS.TXT`.
//!
//! Read [`steps`] first: the whole turn as one list. Then the vocabulary ([`codes`], [`tables`], [`geo`], [`state`]), what players
//! write ([`order`], [`parse`]), what happens ([`event`]) and who is told ([`notice`], [`view`], [`report`]). Every other file is
//! a chapter of the rule book.

mod campaign;
pub mod check;
pub mod codes;
pub mod computer;
pub mod culture;
pub mod encoding;
pub mod event;
pub mod exact;
pub mod files;
pub mod geo;
pub mod grammar;
pub mod guess;
pub mod imagine;
pub mod mend;
pub mod notice;
pub mod order;
pub mod parse;
pub mod rule;
pub mod ruling;
pub mod season;
pub mod stage;
pub mod state;
pub mod steps;
pub mod tables;
pub mod view;

pub mod guide;
pub mod map;
pub mod report;
pub mod roster;

pub mod absence;
pub mod arming;
pub mod combat;
pub mod conquest;
pub mod construction;
pub mod demons;
pub mod destruction;
pub mod diplomacy;
pub mod economy;
pub mod editing;
pub mod gates;
pub mod groups;
pub mod hostility;
pub mod intake;
pub mod messages;
pub mod missiles;
pub mod monsters;
pub mod movement;
pub mod plunder;
pub mod priests;
pub mod reckoning;
pub mod sea;
pub mod settings;
pub mod sight;
pub mod specials;
pub mod strength;
pub mod trade;
pub mod unrest;
pub mod wizards;
pub mod worldgen;

pub mod bench;
mod game;
mod laws;

/// The game, as the kernel knows it.
#[derive(Clone, Copy, Debug)]
pub struct Thoramar;

/// The game as a host knows it. It is made here and not where it is used, so that all of it is compiled with the speed of this crate.
pub fn hosted() -> std::sync::Arc<dyn kernel::any::AnyGame> {
    std::sync::Arc::new(kernel::any::Adapter::<Thoramar>::new())
}
