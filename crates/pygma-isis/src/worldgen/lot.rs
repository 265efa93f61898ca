//! The world's die and what is drawn from it.

use kernel::dice::{Dice, Owner, name};

/// What a draw is for; each purpose has draws of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    Elevation,
    Ruggedness,
    Moisture,
    Cliff,
    Plateau,
    Cover,
    Sea,
    River,
    Start,
    Seat,
    Balance,
    Band,
    Strength,
    Settlement,
    Garrison,
    Missing,
}

/// The seed of a world and the draws that follow from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lot(kernel::lot::Lot);

impl Lot {
    /// Throws the world's die.
    pub(super) fn thrown(dice: &mut Dice) -> Self {
        let name = name(crate::rule::GAME_06, "seed of the world");
        let seed = dice.roll(Owner::World, &name, 0, i64::MAX);
        Self(kernel::lot::Lot::new(seed.unsigned_abs()))
    }

    /// Other draws for another try at the same world.
    pub(super) const fn again(self, attempt: u32) -> Self {
        Self(self.0.again(attempt))
    }

    /// Sixty-four bits.
    pub(super) const fn draw(self, purpose: Purpose, number: u64) -> u64 {
        self.0.draw(purpose as u8, number)
    }

    /// A number from `min` to `max`, both included.
    pub(super) fn between(self, purpose: Purpose, number: u64, min: i64, max: i64) -> i64 {
        self.0.between(purpose as u8, number, min, max)
    }

    /// Whether something happens that does in `part` of `whole` cases.
    pub(super) const fn happens(self, purpose: Purpose, number: u64, part: u64, whole: u64) -> bool {
        self.0.happens(purpose as u8, number, part, whole)
    }
}
