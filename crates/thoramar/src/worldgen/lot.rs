//! Chance in the making of a world: one die, spread over everything that is made.
//!
//! A world has more fields than anyone would throw named dice for. One die decides the seed, and every later draw is a hash of the seed,
//! of what it is for and of a number, so that no draw depends on the order of work.

use kernel::dice::{Dice, Owner, name};

/// What a draw is for; each purpose has draws of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    Elevation,
    Ruggedness,
    Moisture,
    Coast,
    Cliff,
    Volcano,
    Ice,
    Sea,
    River,
    Start,
    Seat,
    Balance,
    Mine,
    MineReserve,
    Gate,
    GateCode,
    Name,
    Pack,
    PackKind,
    PackSize,
    March,
    Way,
    Command,
}

/// The seed of a world and the draws that follow from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lot(kernel::lot::Lot);

impl Lot {
    /// Throws the world's die.
    pub(crate) fn thrown(dice: &mut Dice) -> Self {
        let name = name(crate::rule::GAP_01, "seed of the world");
        let seed = dice.roll(Owner::World, &name, 0, i64::MAX);
        Self(kernel::lot::Lot::new(seed.unsigned_abs()))
    }

    /// Other draws for another try at the same world.
    pub(crate) const fn again(self, attempt: u32) -> Self {
        Self(self.0.again(attempt))
    }

    /// Sixty-four bits.
    pub(crate) const fn draw(self, purpose: Purpose, number: u64) -> u64 {
        self.0.draw(purpose as u8, number)
    }

    /// A number from 0 to one less than `count`; 0 if there is no such number.
    pub(crate) const fn below(self, purpose: Purpose, number: u64, count: u64) -> u64 {
        self.0.below(purpose as u8, number, count)
    }

    /// A number from `min` to `max`, both included.
    pub(crate) fn between(self, purpose: Purpose, number: u64, min: i64, max: i64) -> i64 {
        self.0.between(purpose as u8, number, min, max)
    }

    /// Whether something happens that does in `part` of `whole` cases.
    pub(crate) const fn happens(self, purpose: Purpose, number: u64, part: u64, whole: u64) -> bool {
        self.0.happens(purpose as u8, number, part, whole)
    }
}
