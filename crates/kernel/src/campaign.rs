//! What a game offers to the harnesses that look for leaks, wavering and unread lines: small random worlds, and the same
//! worlds with everything changed that one realm cannot know.

use crate::dice::Dice;
use crate::game::Game;
use crate::realm::RealmId;
use std::collections::BTreeMap;

/// A world with the order files of its realms for one step.
#[derive(Clone, Debug)]
pub struct Setting<G: Game> {
    /// The world.
    pub state: G::State,
    /// The order files; a missing one was not sent.
    pub files: BTreeMap<RealmId, Vec<u8>>,
}

/// What became of a line of an order file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LineFate {
    /// Nothing stands there.
    Blank,
    /// A comment, a header, or text of a letter.
    Understood,
    /// An order.
    Order,
    /// Nothing: a finding says why.
    Refused,
}

/// A game with random worlds for the harnesses of `testkit`.
pub trait Campaign: Game {
    /// A small random world in which realms are near enough to meet, with random orders, sensible and senseless ones.
    ///
    /// # Errors
    /// If the book's own figures cannot be read.
    fn setting(dice: &mut Dice) -> Result<Setting<Self>, String>;
    /// The same setting with as much as possible changed that `viewer` neither knows now nor can come to know in the
    /// step: things far away, the treasuries, orders and secrets of others.
    fn scramble(setting: &Setting<Self>, viewer: RealmId, dice: &mut Dice) -> Setting<Self>;
    /// What became of each line of a file, from the first to the last that was read.
    fn fates(tables: &Self::Tables, seat: &Self::Seat, file: &[u8]) -> Vec<LineFate>;
}
