//! What a game offers to the harnesses that look for leaks, wavering and unread lines: small random worlds, and the same
//! worlds with everything changed that one realm cannot know.

use crate::dice::Dice;
use crate::game::Game;
use crate::guide::Guide;
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

/// Which fields of a state, by their names, somebody may not know.
#[derive(Clone, Copy, Debug)]
pub enum Secrets {
    /// All but these: what everybody is told, and what a world is born with.
    AllBut(&'static [&'static str]),
    /// Only these: the rest lies open on the board.
    Only(&'static [&'static str]),
}

impl Secrets {
    /// The fields that are named.
    pub const fn named(&self) -> &'static [&'static str] {
        match self {
            Self::AllBut(names) | Self::Only(names) => names,
        }
    }

    /// Whether a field is secret.
    pub fn hold(&self, field: &str) -> bool {
        matches!(self, Self::Only(_)) == self.named().contains(&field)
    }
}

/// A game with random worlds for the harnesses of `testkit`.
pub trait Campaign: Guide {
    /// Which fields of the state are secret. Each of them has other values in some twin, or it could leak and no comparison would
    /// show it.
    const SECRETS: Secrets;
    /// A small random world in which realms are near enough to meet, with random orders, sensible and senseless ones.
    ///
    /// # Errors
    /// If the book's own figures cannot be read.
    fn setting(dice: &mut Dice) -> Result<Setting<Self>, String>;
    /// The same setting with as much as possible changed that `viewer` neither knows now nor can come to know within
    /// so many steps: things far away, the treasuries, orders and secrets of others.
    fn scramble(setting: &Setting<Self>, viewer: RealmId, steps: u32, dice: &mut Dice) -> Setting<Self>;
    /// Whether everything in which two worlds differ after a step is out of the viewer's reach for one more.
    ///
    /// # Errors
    /// If something differs that nothing could have changed: what it is.
    fn unknowable(one: &Self::State, two: &Self::State, viewer: RealmId) -> Result<bool, String>;
    /// Random orders for the step that is open. A realm's orders follow from its own affairs and the dice; what it tells
    /// others follows from the dice alone, so that a secret does not change it.
    fn orders(state: &Self::State, dice: &mut Dice) -> BTreeMap<RealmId, Vec<u8>>;
    /// What became of each line of a file, from the first to the last that was read.
    fn fates(tables: &Self::Tables, seat: &Self::Seat, file: &[u8]) -> Vec<LineFate>;
}
