//! Battles played to their end by computer players, without a journal: for odds of whole battles and for measuring.
//!
//! A [`Chance`] is a referee who only rolls. The same seed gives the same battle.

use crate::battle::{Battle, Referee};
use crate::computer;
use crate::event::Event;
use crate::kinds::Kind;
use crate::state::{Position, State};
use crate::steps;
use crate::tables::Tables;
use kernel::diagnostic::Diagnostic;
use kernel::dice::Owner;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::{Cause, Die, Rules};
use std::collections::BTreeMap;
use std::fmt;

/// A referee who rolls from a seed and records nothing.
#[derive(Clone, Copy, Debug)]
pub struct Chance(u64);

impl Chance {
    /// The dice of one battle among many of a seed.
    pub fn new(seed: u64, battle: u64) -> Self {
        // Neighbouring battles must not have neighbouring dice.
        let mut chance = Self(seed ^ battle.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        chance.next();
        chance
    }

    /// SplitMix64: small, quick, and good enough for dice that nobody bets on.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

impl Referee for Chance {
    fn roll(&mut self, _: RuleId, _: Owner, _: fmt::Arguments<'_>, faces: i64, dice: &mut [Die]) {
        let faces = u64::try_from(faces.max(1)).unwrap_or(1);
        for die in dice {
            // The high half of a product spreads all 64 bits evenly over the faces.
            let face = (u128::from(self.next()) * u128::from(faces)) >> 64;
            die.value = 1 + i64::try_from(face).unwrap_or(0);
        }
    }

    fn emit(&mut self, _: Cause, _: Rules, _: &[Die], _: Event) {}

    fn refuse(&mut self, _: RealmId, _: Diagnostic) {}
}

/// How a battle came out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Played {
    /// The side that won; none for a draw.
    pub side: Option<u8>,
    /// Rounds that were fought.
    pub rounds: u32,
    /// Warriors left, by player.
    pub left: BTreeMap<RealmId, u32>,
    /// What was lost, by the player who owned it first and by kind.
    pub lost: BTreeMap<(RealmId, Kind), u32>,
}

/// Plays a battle to its end, with all players played by the computer opponent.
pub fn play(tables: &Tables, state: State, mut chance: Chance) -> Played {
    let began: Vec<(RealmId, Kind, bool)> = state
        .position
        .figures
        .iter()
        .map(|figure| (figure.owner, figure.kind, figure.is_present()))
        .collect();
    let mut battle = Battle::new(tables, state, &mut chance);
    // A round limit ends every battle; the bound is for house rules that set none worth the name.
    for _ in 0..MOST_TURNS {
        if battle.position.outcome.is_some() {
            break;
        }
        steps::play_turn(&mut battle, &mut computer::conduct);
    }
    let mut lost = BTreeMap::new();
    for ((owner, kind, present), now) in began.into_iter().zip(&battle.position.figures) {
        if present && !now.is_present() {
            *lost.entry((owner, kind)).or_default() += 1;
        }
    }
    Played {
        lost,
        side: battle.position.outcome.as_ref().and_then(|victory| victory.side),
        rounds: battle.position.clock.round,
        left: warriors(&battle.position),
    }
}

const MOST_TURNS: u32 = 10_000;

/// Warriors on the board, by player.
pub fn warriors(position: &Position) -> BTreeMap<RealmId, u32> {
    let mut left: BTreeMap<RealmId, u32> = position.players.keys().map(|player| (*player, 0)).collect();
    for (_, figure) in position.present().filter(|(_, figure)| figure.kind.is_warrior()) {
        if let Some(count) = left.get_mut(&figure.owner) {
            *count += 1;
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_face_falls_about_as_often_and_each_battle_has_its_own_dice() {
        let mut chance = Chance::new(1, 1);
        let mut faces = [0u32; 6];
        let mut die = [Die { value: 0, index: 0 }];
        for _ in 0..60_000 {
            chance.roll(crate::rule::GAP_04, Owner::World, format_args!(""), 6, &mut die);
            let face = usize::try_from(die[0].value).expect("a face");
            faces[face - 1] += 1;
        }
        // 10,000 each; four standard deviations are 4 * sqrt(60,000 * 1/6 * 5/6) = 365.
        assert!(faces.iter().all(|count| count.abs_diff(10_000) < 365), "{faces:?}");
        assert_ne!(Chance::new(1, 1).next(), Chance::new(1, 2).next());
        assert_eq!(Chance::new(1, 2).next(), Chance::new(1, 2).next());
    }
}
