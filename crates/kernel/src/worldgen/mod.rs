//! Making worlds: chance, neighbours, noise and the worth of starts, for every game that generates its maps.
//!
//! Integers only, and no draw depends on the order of work: the same die makes the same world on every machine.

mod lot;
mod neighbours;
mod noise;
mod starts;

pub use lot::{Lot, Purpose};
pub use neighbours::Neighbours;
pub use noise::{Cell, layered, ranked};
pub use starts::{Fairness, Walker, percent_of, weight};
