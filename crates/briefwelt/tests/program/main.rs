//! The program from outside.

mod bad_input;
mod desk;
mod flow;
mod languages;
