//! Chance: every die has a name and an owner, and its value follows from a sealed key.
//!
//! A step has one secret. From it comes one [`DiceKey`] per [`Owner`], and the host publishes the
//! [`Commitment`] of every key before the deadline. A roll is a keyed hash of its name, so a new rule does not shift
//! other rolls, the order of work does not matter and things unseen cannot change what a player sees. After the step a
//! realm receives its own key and checks its own dice with [`DiceKey::roll`]; the others stay sealed until the world ends.

use crate::realm::RealmId;
use crate::rule::RuleId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Who may know a roll, and whose key decides it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Owner {
    /// Nature, monsters, chance that is nobody's: sealed until the world ends.
    World,
    /// A realm's own affairs: opened to that realm after the step.
    Realm(RealmId),
}

impl Owner {
    /// The owner of a realm's dice; the realm without a player has those of the world.
    pub fn of(realm: RealmId) -> Self {
        if realm.is_played() {
            Self::Realm(realm)
        } else {
            Self::World
        }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::World => f.write_str("world"),
            Self::Realm(realm) => write!(f, "realm {realm}"),
        }
    }
}

/// The secret of a world, from which the secret of every step follows. Never published before the world ends.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorldSecret(pub [u8; 32]);

impl fmt::Debug for WorldSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WorldSecret(sealed)")
    }
}

impl WorldSecret {
    /// The secret of one step.
    pub fn step(&self, step: u32) -> StepSecret {
        self.attempt(step, 0)
    }

    /// The secret of a step that was taken back `attempt` times: dice that were seen never count again.
    pub fn attempt(&self, step: u32, attempt: u32) -> StepSecret {
        let name = match attempt {
            0 => format!("step {step}"),
            _ => format!("step {step} attempt {attempt}"),
        };
        StepSecret(*blake3::keyed_hash(&self.0, name.as_bytes()).as_bytes())
    }
}

/// The secret of one step.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepSecret(pub [u8; 32]);

impl fmt::Debug for StepSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StepSecret(sealed)")
    }
}

impl StepSecret {
    /// The key of one owner's dice in this step.
    pub fn key(&self, owner: Owner) -> DiceKey {
        DiceKey(*blake3::keyed_hash(&self.0, format!("key of {owner}").as_bytes()).as_bytes())
    }
}

/// The key that decides all dice of one owner in one step.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiceKey(pub [u8; 32]);

impl fmt::Debug for DiceKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DiceKey(sealed)")
    }
}

/// What is published of a key before the deadline: it binds the host and tells nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Commitment(pub [u8; 32]);

impl DiceKey {
    /// The published seal of this key.
    pub fn commitment(&self) -> Commitment {
        let mut hasher = blake3::Hasher::new_derive_key("briefwelt dice commitment 1");
        hasher.update(&self.0);
        Commitment(*hasher.finalize().as_bytes())
    }

    /// The value of the die called `name`, uniform in `min..=max`. An empty range gives `min`.
    ///
    /// Each try reads eight bytes of a keyed hash of name and number of the try; values beyond the last full
    /// multiple of the range are thrown away, so no face is favoured.
    pub fn roll(&self, name: &str, min: i64, max: i64) -> i64 {
        let Some(faces) = max
            .checked_sub(min)
            .and_then(|d| u64::try_from(d).ok())
            .and_then(|d| d.checked_add(1))
        else {
            return min;
        };
        let rejected_from = u64::MAX - (u64::MAX % faces + 1) % faces;
        let mut attempt: u32 = 0;
        loop {
            let mut hasher = blake3::Hasher::new_keyed(&self.0);
            hasher.update(name.as_bytes());
            hasher.update(&[0]);
            hasher.update(&attempt.to_le_bytes());
            let mut bytes = [0u8; 8];
            hasher.finalize_xof().fill(&mut bytes);
            let drawn = u64::from_le_bytes(bytes);
            if drawn <= rejected_from || attempt == u32::MAX {
                // `drawn % faces` is below `faces`, which came from the difference of two i64: no overflow.
                return min.wrapping_add((drawn % faces) as i64);
            }
            attempt += 1;
        }
    }
}

/// A die as it fell: enough to check it again with the owner's key.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Roll {
    /// Rule and subject, for example `THO-MOVE-10 1 K.M 1 week 3`.
    pub name: String,
    /// Whose key decided it.
    pub owner: Owner,
    /// Lowest face.
    pub min: i64,
    /// Highest face.
    pub max: i64,
    /// The face that counts.
    pub value: i64,
    /// The face that fell, if the game master put another in its place before the step was published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fell: Option<i64>,
}

impl Roll {
    /// Whether `key` gives the face that fell.
    pub fn holds(&self, key: &DiceKey) -> bool {
        key.roll(&self.name, self.min, self.max) == self.fell.unwrap_or(self.value)
    }
}

/// The name of a die: its rule and whom or what it is about.
pub fn name(rule: RuleId, subject: &str) -> String {
    let mut name = String::with_capacity(rule.as_str().len() + 1 + subject.len());
    name.push_str(rule.as_str());
    name.push(' ');
    name.push_str(subject);
    name
}

/// Where a turn's dice come from.
#[derive(Clone, Debug)]
pub enum Dice {
    /// Keys derived from the secret of the step: a real turn.
    Keyed(StepSecret),
    /// Values given by name: a scenario. What is missing falls to the lowest face and is remembered as a fault.
    Scripted(Script),
    /// Every die shows the given fraction of its range in percent: a player's preview, where no secret may be used.
    Typical(u8),
}

/// Scripted dice with a record of what was asked for but not listed, and what was listed but not asked for.
#[derive(Clone, Debug, Default)]
pub struct Script {
    values: BTreeMap<String, i64>,
    otherwise: Otherwise,
    used: BTreeMap<String, i64>,
    faults: Vec<ScriptFault>,
}

/// What a die shows that a script does not list.
#[derive(Clone, Debug, Default)]
pub enum Otherwise {
    /// Its lowest face, and the script is at fault.
    #[default]
    Fault,
    /// The given fraction of its range in percent, for scenarios where chance does not matter.
    Typical(u8),
    /// What the keys say, as in a real turn.
    Keyed(StepSecret),
}

/// A disagreement between a script and the dice a turn rolled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScriptFault {
    /// The turn rolled a die that the script does not list.
    Unlisted {
        /// Name of the die.
        name: String,
        /// Lowest face.
        min: i64,
        /// Highest face.
        max: i64,
    },
    /// The script gives a die a face it does not have.
    OutOfRange {
        /// Name of the die.
        name: String,
        /// The scripted face.
        value: i64,
        /// Lowest face.
        min: i64,
        /// Highest face.
        max: i64,
    },
    /// The script lists a die that the turn did not roll.
    Unused {
        /// Name of the die.
        name: String,
    },
}

impl Script {
    /// A script from names and values.
    pub fn new(values: BTreeMap<String, i64>) -> Self {
        Self {
            values,
            ..Self::default()
        }
    }

    /// The same script with another answer for dice that it does not list.
    pub fn otherwise(mut self, otherwise: Otherwise) -> Self {
        self.otherwise = otherwise;
        self
    }

    fn roll(&mut self, owner: Owner, name: &str, min: i64, max: i64) -> i64 {
        match self.values.get(name).copied() {
            Some(value) if (min..=max).contains(&value) => {
                self.used.insert(name.to_owned(), value);
                value
            }
            Some(value) => {
                self.used.insert(name.to_owned(), value);
                self.faults.push(ScriptFault::OutOfRange {
                    name: name.to_owned(),
                    value,
                    min,
                    max,
                });
                min
            }
            None => match &self.otherwise {
                Otherwise::Typical(percent) => typical(*percent, min, max),
                Otherwise::Keyed(secret) => secret.key(owner).roll(name, min, max),
                Otherwise::Fault => {
                    self.faults.push(ScriptFault::Unlisted {
                        name: name.to_owned(),
                        min,
                        max,
                    });
                    min
                }
            },
        }
    }

    /// All disagreements, once the turn is over.
    pub fn faults(&self) -> Vec<ScriptFault> {
        let unused = self.values.keys().filter(|name| !self.used.contains_key(*name));
        self.faults
            .iter()
            .cloned()
            .chain(unused.map(|name| ScriptFault::Unused { name: name.clone() }))
            .collect()
    }
}

impl Dice {
    /// Rolls the die `name` of `owner`.
    pub fn roll(&mut self, owner: Owner, name: &str, min: i64, max: i64) -> i64 {
        match self {
            Self::Keyed(secret) => secret.key(owner).roll(name, min, max),
            Self::Scripted(script) => script.roll(owner, name, min, max),
            Self::Typical(percent) => typical(*percent, min, max),
        }
    }
}

/// The face that lies at `percent` of the range, rounded down.
fn typical(percent: u8, min: i64, max: i64) -> i64 {
    let span = max.saturating_sub(min).max(0);
    let percent = i64::from(percent.min(100));
    min.saturating_add(span / 100 * percent + span % 100 * percent / 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn key(n: u8) -> DiceKey {
        WorldSecret([n; 32]).step(1).key(Owner::World)
    }

    #[test]
    fn a_die_depends_on_nothing_but_key_and_name() {
        assert_eq!(key(1).roll("a", 1, 1_000_000), key(1).roll("a", 1, 1_000_000));
        assert_ne!(key(1).roll("a", 1, 1_000_000), key(2).roll("a", 1, 1_000_000));
        assert_ne!(key(1).roll("a", 1, 1_000_000), key(1).roll("b", 1, 1_000_000));
    }

    #[test]
    fn every_owner_has_another_key_and_another_seal() {
        let secret = WorldSecret([7; 32]).step(3);
        let owners = [Owner::World, Owner::Realm(RealmId(1)), Owner::Realm(RealmId(2))];
        for a in owners {
            for b in owners {
                assert_eq!(a == b, secret.key(a) == secret.key(b));
                assert_eq!(a == b, secret.key(a).commitment() == secret.key(b).commitment());
            }
        }
        assert_ne!(WorldSecret([7; 32]).step(4), secret);
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Reckoned by hand from the specification of BLAKE3: what was sealed once must be opened by every later program, and by anybody's own.
    #[test]
    fn keys_seals_and_faces_are_those_that_anybody_can_reckon() {
        let world = WorldSecret([7; 32]);
        let secret = world.step(3);
        assert_eq!(
            hex(&secret.0),
            "7517b1ecfd6d2ef8bb40934b1256a8522042672d7b8830059475558c095e211a"
        );
        assert_eq!(
            hex(&world.attempt(3, 1).0),
            "eef5e81819d7bbe76e4f6ef2eb4d17bfde5c32927774e3a21ae9cbab5ac00dc6"
        );
        let key = secret.key(Owner::Realm(RealmId(2)));
        assert_eq!(
            hex(&key.0),
            "e334e40267071812afd5cd305922a4d34ac244a53aa756aea0b348bd9fa93e9a"
        );
        assert_eq!(
            hex(&key.commitment().0),
            "5d172948dbb1a3c92095b30d2380fb5fd9d06e456452e459fb335506cd228700"
        );
        let nature = secret.key(Owner::World);
        assert_eq!(
            hex(&nature.commitment().0),
            "aee6c4e739516bfd1ac1ad3ae47bdaa5454b40f2f70b0e9d2695c7cead6cfdf4"
        );
        let drowned = name(RuleId::new("THO-MOVE-10"), "2 K.M 1 week 3");
        assert_eq!(key.roll(&drowned, 1, 100), 71);
        assert_eq!(key.roll(&drowned, 0, 10), 8);
        assert_eq!(key.roll("PYG-ATTR-01 2 KH 1", -5, 5), -1);
        // Of so many faces a quarter of all throws is beyond the last full multiple. The first five count at once, the sixth is thrown again.
        let faces = 3 * (1i64 << 61);
        let thrown: Vec<i64> = (0..6).map(|n| key.roll(&format!("n{n}"), 0, faces - 1)).collect();
        assert_eq!(
            thrown,
            [
                4_383_523_205_654_657_013,
                517_060_825_225_030_230,
                592_311_274_617_212_866,
                3_769_801_256_695_739_597,
                5_514_699_435_568_707_240,
                6_409_701_563_522_716_401,
            ]
        );
    }

    #[test]
    fn dice_of_a_step_that_was_taken_back_fall_anew_each_time() {
        let world = WorldSecret([7; 32]);
        assert_eq!(world.attempt(12, 0), world.step(12));
        let secrets = [(1, 0), (1, 1), (1, 2), (11, 0), (11, 2), (12, 0), (2, 1)];
        let secrets = secrets.map(|(step, attempt)| world.attempt(step, attempt).0);
        let once: std::collections::BTreeSet<[u8; 32]> = secrets.into_iter().collect();
        assert_eq!(once.len(), secrets.len());
    }

    #[test]
    fn what_is_sealed_is_not_printed() {
        let secret = WorldSecret([250; 32]);
        let printed = format!("{secret:?} {:?} {:?}", secret.step(1), secret.step(1).key(Owner::World));
        assert_eq!(printed, "WorldSecret(sealed) StepSecret(sealed) DiceKey(sealed)");
    }

    #[test]
    fn dice_of_nobody_are_those_of_the_world() {
        assert_eq!(Owner::of(RealmId::NOBODY), Owner::World);
        assert_eq!(Owner::of(RealmId(3)), Owner::Realm(RealmId(3)));
    }

    #[test]
    fn a_die_is_checked_by_the_face_that_fell_also_where_another_counts() {
        let fell = key(5).roll("a", 1, 6);
        let other = fell % 6 + 1;
        let roll = |value, fell| Roll {
            name: "a".to_owned(),
            owner: Owner::World,
            min: 1,
            max: 6,
            value,
            fell,
        };
        assert!(roll(fell, None).holds(&key(5)));
        assert!(!roll(other, None).holds(&key(5)));
        // The game master put `other` in its place, openly; or claims that another face fell.
        assert!(roll(other, Some(fell)).holds(&key(5)));
        assert!(!roll(fell, Some(other)).holds(&key(5)));
    }

    #[test]
    fn a_die_without_faces_shows_its_least() {
        assert_eq!(key(5).roll("a", 3, 2), 3);
        assert_eq!(key(5).roll("a", 4, 4), 4);
        assert_eq!(key(5).roll("a", i64::MIN, i64::MAX), i64::MIN);
    }

    #[test]
    fn all_faces_of_a_die_come_up_about_equally_often() {
        let mut counts = [0u32; 6];
        for n in 0..6_000 {
            counts[(key(9).roll(&n.to_string(), 1, 6) - 1) as usize] += 1;
        }
        // The standard deviation of each count is about 29; five of them are a generous bound for a fixed key.
        assert!(counts.iter().all(|c| (855..=1145).contains(c)), "{counts:?}");
    }

    #[test]
    fn a_script_tells_unlisted_unused_and_impossible_dice() {
        let script = Script::new([("a".to_owned(), 3), ("b".to_owned(), 9), ("c".to_owned(), 1)].into());
        let mut dice = Dice::Scripted(script);
        assert_eq!(dice.roll(Owner::World, "a", 1, 6), 3);
        assert_eq!(dice.roll(Owner::World, "b", 1, 6), 1);
        assert_eq!(dice.roll(Owner::World, "d", 2, 6), 2);
        let Dice::Scripted(script) = dice else { unreachable!() };
        assert_eq!(
            script.faults(),
            vec![
                ScriptFault::OutOfRange {
                    name: "b".into(),
                    value: 9,
                    min: 1,
                    max: 6
                },
                ScriptFault::Unlisted {
                    name: "d".into(),
                    min: 2,
                    max: 6
                },
                ScriptFault::Unused { name: "c".into() },
            ]
        );
    }

    #[test]
    fn a_die_beside_the_script_falls_as_agreed() {
        let secret = WorldSecret([3; 32]).step(1);
        let expected = secret.key(Owner::Realm(RealmId(2))).roll("b", 1, 1_000);
        for (otherwise, face) in [
            (Otherwise::Typical(50), 500),
            (Otherwise::Keyed(secret.clone()), expected),
        ] {
            let script = Script::new([("a".to_owned(), 7)].into()).otherwise(otherwise);
            let mut dice = Dice::Scripted(script);
            assert_eq!(dice.roll(Owner::World, "a", 1, 1_000), 7);
            assert_eq!(dice.roll(Owner::Realm(RealmId(2)), "b", 1, 1_000), face);
            let Dice::Scripted(script) = dice else { unreachable!() };
            assert_eq!(script.faults(), Vec::new());
        }
    }

    proptest! {
        #[test]
        fn a_roll_stays_in_its_range(min in any::<i64>(), span in 0i64.., name in ".{0,20}") {
            let max = min.saturating_add(span);
            let value = key(5).roll(&name, min, max);
            prop_assert!((min..=max).contains(&value));
        }

        #[test]
        fn a_typical_die_lies_in_its_range_and_grows_with_the_percentage(min in -1000i64..1000, span in 0i64..100_000) {
            let at = |p| Dice::Typical(p).roll(Owner::World, "x", min, min + span);
            prop_assert_eq!(at(0), min);
            prop_assert_eq!(at(100), min + span);
            prop_assert!(at(0) <= at(50) && at(50) <= at(100));
        }
    }
}
