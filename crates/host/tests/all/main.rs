//! The store from outside, in one program: it links once.

mod accounts;
mod common;
mod damage;
mod members;
mod steps;
