//! ARMAGEDDON: a board of hexes, figures with steps and acts, one player's turn after another. A game of its own, and the engine of
//! KALEVALA's wars.
//!
//! Read [`steps`] first: a round as visible lists. Then the vocabulary ([`kinds`], [`tables`], [`board`], [`state`]), room and majority
//! ([`room`], [`majority`]), what players write ([`order`], [`script`]), how a line becomes deeds ([`resolve`], [`deed`]) and who judges
//! them ([`legal`]), what happens ([`battle`], [`event`]) and what a viewer reads ([`view`], [`report`], [`map`]). Every other file is a
//! chapter: `judge` says whether a deed is legal, `perform` carries it out, `candidates` names what might be possible.

pub mod army;
pub mod battle;
pub mod board;
pub mod deed;
pub mod event;
pub mod imagine;
pub mod kinds;
pub mod legal;
pub mod log;
pub mod majority;
pub mod order;
pub mod resolve;
pub mod room;
pub mod rule;
pub mod ruling;
pub mod scribe;
pub mod script;
pub mod setup;
mod stage;
pub mod standing;
pub mod state;
pub mod steps;
pub mod tables;
pub mod view;

pub mod map;
pub mod report;
pub mod retold;

pub mod animals;
pub mod buildings;
pub mod contact;
pub mod control;
pub mod creatures;
pub mod devices;
pub mod flight;
pub mod gates;
pub mod hauling;
pub mod loss;
pub mod magic;
pub mod melee;
pub mod missiles;
pub mod movement;
pub mod odds;
pub mod onager;
pub mod overcrowding;
pub mod phalanx;
pub mod pitch;
pub mod quadriga;
pub mod record;
pub mod scrimmage;
pub mod ships;
pub mod siege;
pub mod sight;
pub mod simulate;
pub mod survival;
pub mod swap;
pub mod trade;
pub mod trampling;
pub mod victory;
pub mod water;

pub mod computer;

mod campaign;
mod game;
mod guide;
mod laws;

pub use game::Seat;

/// The game, as the kernel knows it.
#[derive(Clone, Copy, Debug)]
pub struct Armageddon;

/// The game as a host knows it. It is made here and not where it is used, so that all of it is compiled with the speed of this crate.
pub fn hosted() -> std::sync::Arc<dyn kernel::any::AnyGame> {
    std::sync::Arc::new(kernel::any::Adapter::<Armageddon>::new())
}
