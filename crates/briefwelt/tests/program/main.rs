//! The program from outside.

mod bad_input;
mod desk;
mod examples;
mod flow;
mod languages;
