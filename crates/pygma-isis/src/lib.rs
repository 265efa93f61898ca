//! PYGMA-ISIS: great fields and small fields, a month a turn, one sheet of orders and one report.
//!
//! Read [`steps`] first: the whole month as one list. Then the vocabulary ([`codes`], [`tables`], [`chart`], [`state`]), what players write
//! ([`grammar`], [`order`], [`parse`]), what happens and who is told ([`event`]), what a viewer knows ([`view`], [`report`], [`map`]).
//! Every other file is a chapter of the rule book.

pub mod chart;
pub mod check;
pub mod codes;
pub mod event;
pub mod grammar;
pub mod guide;
pub mod imagine;
pub mod month;
pub mod order;
pub mod parse;
pub mod rule;
pub mod ruling;
pub mod sheet;
pub mod stage;
pub mod state;
pub mod steps;
pub mod tables;

pub mod atlas;
pub mod map;
pub mod planner;
pub mod report;
pub mod view;

pub mod absence;
pub mod annexation;
pub mod arming;
pub mod attrition;
pub mod battle;
pub mod contacts;
pub mod creatures;
pub mod disasters;
pub mod equipment;
pub mod growth;
pub mod hygiene;
pub mod income;
pub mod intake;
pub mod judgement;
pub mod lanes;
pub mod letters;
pub mod mines;
pub mod movement;
pub mod production;
pub mod promotion;
pub mod roads;
pub mod settlements;
pub mod shipping;
pub mod sight;
pub mod splitting;
pub mod standing;
pub mod stationing;
pub mod supply;
pub mod trade_cities;
pub mod traders;
pub mod treasury;
pub mod unrest;
pub mod withdrawal;
pub mod works;

pub mod computer;
pub mod worldgen;

mod campaign;
mod game;
mod laws;

/// The game, as the kernel knows it.
#[derive(Clone, Copy, Debug)]
pub struct PygmaIsis;

/// The game as a host knows it. It is made here and not where it is used, so that all of it is compiled with the speed of this crate.
pub fn hosted() -> std::sync::Arc<dyn kernel::any::AnyGame> {
    std::sync::Arc::new(kernel::any::Adapter::<PygmaIsis>::new())
}
