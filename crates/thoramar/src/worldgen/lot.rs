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
pub(crate) struct Lot {
    seed: u64,
}

/// The finaliser of SplitMix64: every bit of the input changes about half of the output.
const fn mixed(n: u64) -> u64 {
    let n = n.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let n = (n ^ (n >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    n ^ (n >> 31)
}

impl Lot {
    /// Throws the world's die.
    pub(crate) fn thrown(dice: &mut Dice) -> Self {
        let name = name(crate::rule::GAP_01, "seed of the world");
        let seed = dice.roll(Owner::World, &name, 0, i64::MAX);
        Self {
            seed: seed.unsigned_abs(),
        }
    }

    /// Other draws for another try at the same world.
    pub(crate) const fn again(self, attempt: u32) -> Self {
        Self {
            seed: mixed(self.seed ^ mixed(attempt as u64)),
        }
    }

    /// Sixty-four bits.
    pub(crate) const fn draw(self, purpose: Purpose, number: u64) -> u64 {
        mixed(mixed(self.seed ^ ((purpose as u64) << 56)) ^ mixed(number))
    }

    /// A number from 0 to one less than `count`; 0 if there is no such number.
    pub(crate) const fn below(self, purpose: Purpose, number: u64, count: u64) -> u64 {
        // The product of two u64 fits u128; its upper half is below `count`.
        ((self.draw(purpose, number) as u128 * count as u128) >> 64) as u64
    }

    /// A number from `min` to `max`, both included.
    pub(crate) fn between(self, purpose: Purpose, number: u64, min: i64, max: i64) -> i64 {
        let count = u64::try_from(max.saturating_sub(min)).map_or(1, |count| count.saturating_add(1));
        min.saturating_add(i64::try_from(self.below(purpose, number, count)).unwrap_or(0))
    }

    /// Whether something happens that does in `part` of `whole` cases.
    pub(crate) const fn happens(self, purpose: Purpose, number: u64, part: u64, whole: u64) -> bool {
        self.below(purpose, number, whole) < part
    }
}
