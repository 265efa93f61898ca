//! Chance in the making of a world: one die, spread over everything that is made.
//!
//! A world has more fields than anyone would throw named dice for. One die decides the seed, and every later draw is a hash of the seed,
//! of what it is for and of a number, so that no draw depends on the order of work.

use crate::dice::{Dice, Owner, name};
use crate::rule::RuleId;
use std::marker::PhantomData;

/// What a draw is for: a game's own list. Each purpose has draws of its own.
pub trait Purpose: Copy {
    /// The number that tells it from the others.
    fn number(self) -> u8;
}

/// The seed of a world and the draws that follow from it.
#[derive(Debug)]
pub struct Lot<P> {
    seed: u64,
    purposes: PhantomData<P>,
}

impl<P> Clone for Lot<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Lot<P> {}

/// The finaliser of SplitMix64: every bit of the input changes about half of the output.
const fn mixed(n: u64) -> u64 {
    let n = n.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let n = (n ^ (n >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    n ^ (n >> 31)
}

impl<P: Purpose> Lot<P> {
    /// The draws of a seed.
    const fn new(seed: u64) -> Self {
        Self {
            seed,
            purposes: PhantomData,
        }
    }

    /// Throws the world's die, by the rule that asks for a world.
    pub fn thrown(dice: &mut Dice, rule: RuleId) -> Self {
        let seed = dice.roll(Owner::World, &name(rule, "seed of the world"), 0, i64::MAX);
        Self::new(seed.unsigned_abs())
    }

    /// Other draws for another try at the same world.
    #[must_use]
    pub const fn again(self, attempt: u32) -> Self {
        Self::new(mixed(self.seed ^ mixed(attempt as u64)))
    }

    /// Sixty-four bits.
    #[must_use]
    pub fn draw(self, purpose: P, number: u64) -> u64 {
        mixed(mixed(self.seed ^ (u64::from(purpose.number()) << 56)) ^ mixed(number))
    }

    /// A number from 0 to one less than `count`; 0 if there is no such number.
    #[must_use]
    pub fn below(self, purpose: P, number: u64, count: u64) -> u64 {
        // The product of two u64 fits u128; its upper half is below `count`.
        ((u128::from(self.draw(purpose, number)) * u128::from(count)) >> 64) as u64
    }

    /// A number from `min` to `max`, both included.
    #[must_use]
    pub fn between(self, purpose: P, number: u64, min: i64, max: i64) -> i64 {
        let count = u64::try_from(max.saturating_sub(min)).map_or(1, |count| count.saturating_add(1));
        min.saturating_add(i64::try_from(self.below(purpose, number, count)).unwrap_or(0))
    }

    /// Whether something happens that does in `part` of `whole` cases.
    #[must_use]
    pub fn happens(self, purpose: P, number: u64, part: u64, whole: u64) -> bool {
        self.below(purpose, number, whole) < part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Purpose for u8 {
        fn number(self) -> u8 {
            self
        }
    }

    #[test]
    fn draws_follow_from_seed_purpose_and_number_and_stay_in_their_bounds() {
        let lot = Lot::<u8>::new(7);
        assert_eq!(lot.draw(1, 2), Lot::<u8>::new(7).draw(1, 2));
        assert_ne!(lot.draw(1, 2), lot.draw(2, 2));
        assert_ne!(lot.draw(1, 2), lot.draw(1, 3));
        assert_ne!(lot.draw(1, 2), lot.again(0).draw(1, 2));
        assert_ne!(lot.again(1).draw(1, 2), lot.again(2).draw(1, 2));
        let purposes: std::collections::BTreeSet<u64> = (0..=u8::MAX).map(|purpose| lot.draw(purpose, 2)).collect();
        assert_eq!(purposes.len(), 256, "each purpose has draws of its own");
        let faces: std::collections::BTreeSet<i64> = (0..200).map(|n| lot.between(3, n, 1, 6)).collect();
        assert_eq!(faces.into_iter().collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
        assert_eq!(lot.below(1, 1, 0), 0);
        assert!(!lot.happens(1, 1, 0, 10) && lot.happens(1, 1, 10, 10));
    }
}
