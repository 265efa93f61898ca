//! The store from outside, in one program: it links once.

mod accounts;
mod backups;
mod common;
mod damage;
mod desk;
mod drafts;
mod letters;
mod members;
mod newspaper;
mod once;
mod players;
mod schema;
mod steps;
mod tidings;
mod tokens;
mod work;
