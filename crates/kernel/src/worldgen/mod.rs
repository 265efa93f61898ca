//! Making worlds: chance, neighbours, noise, the worth of starts and why a plan makes none, for every game that generates its maps.
//!
//! Integers only, and no draw depends on the order of work: the same die makes the same world on every machine.

mod lot;
mod neighbours;
mod noise;
mod refusal;
mod starts;

pub use lot::{Lot, Purpose};
pub use neighbours::Neighbours;
pub use noise::{Cell, layered, ranked};
pub use refusal::NoWorld;
pub use starts::{Fairness, Walker, percent_of, weight};
