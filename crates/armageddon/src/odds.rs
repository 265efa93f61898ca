//! Exact odds by enumeration: a single throw of 3W6, and a duel of two fighters (ARM-GAP-04).
//!
//! A duel is decided by two sums of three dice, so 216 times 216 cases are all there are. The computer player, previews and tests ask here
//! instead of rolling.

use serde::{Deserialize, Serialize};

/// Cases of one throw of 3W6.
pub const THROWS: u32 = 216;
/// Cases of a duel.
pub const DUELS: u32 = THROWS * THROWS;

/// In how many of 216 cases three dice show each sum from 3 to 18.
const CASES: [(i64, u32); 16] = [
    (3, 1),
    (4, 3),
    (5, 6),
    (6, 10),
    (7, 15),
    (8, 21),
    (9, 25),
    (10, 27),
    (11, 27),
    (12, 25),
    (13, 21),
    (14, 15),
    (15, 10),
    (16, 6),
    (17, 3),
    (18, 1),
];

/// Which natural sum lets a fighter kill.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Kill {
    /// None: he only defends himself.
    Never,
    /// This one or more.
    From(i64),
    /// This one only: against a mortal wizard.
    Exactly(i64),
}

impl Kill {
    /// Whether this natural sum is one of them.
    pub const fn by(self, natural: i64) -> bool {
        match self {
            Self::Never => false,
            Self::From(from) => natural >= from,
            Self::Exactly(only) => natural == only,
        }
    }
}

/// One side of a duel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fighter {
    /// Good points.
    pub points: i64,
    /// What lets him kill.
    pub kill: Kill,
}

/// Who kills whom: the first, the second, or nobody. Both cannot, since only the higher total kills.
pub fn outcome(one: Fighter, natural: i64, other: Fighter, other_natural: i64) -> Option<bool> {
    let (total, other_total) = (natural + one.points, other_natural + other.points);
    if total > other_total && one.kill.by(natural) {
        Some(true)
    } else if other_total > total && other.kill.by(other_natural) {
        Some(false)
    } else {
        None
    }
}

/// The odds of a duel, in cases out of [`DUELS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Odds {
    /// The first kills the second.
    pub kill: u32,
    /// The second kills the first.
    pub death: u32,
}

/// In how many of 216 cases 3W6 show each sum from 0 to 19 or more.
const AT_LEAST: [u32; 20] = [
    216, 216, 216, 216, 215, 212, 206, 196, 181, 160, 135, 108, 81, 56, 35, 20, 10, 4, 1, 0,
];

/// The odds of a duel. For each sum of one side it is enough to know how often the other stays below: totals of a side grow with its sum.
pub fn duel(one: Fighter, other: Fighter) -> Odds {
    let lead = one.points - other.points;
    let mut odds = Odds::default();
    for (natural, cases) in CASES {
        if one.kill.by(natural) {
            odds.kill += cases * (THROWS - at_least(natural + lead));
        }
        if other.kill.by(natural) {
            odds.death += cases * (THROWS - at_least(natural - lead));
        }
    }
    odds
}

/// In how many of 216 cases 3W6 show this sum or more.
pub fn at_least(number: i64) -> u32 {
    let last = AT_LEAST.len() - 1;
    let at = usize::try_from(number.max(0)).map_or(last, |number| number.min(last));
    AT_LEAST[at]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fighter(points: i64) -> Fighter {
        Fighter {
            points,
            kill: Kill::From(12),
        }
    }

    /// The table `duel_odds` of the catalogue: difference of good points, kills, deaths.
    const CATALOGUE: [(i64, u32, u32); 21] = [
        (-10, 210, 17496),
        (-9, 462, 17496),
        (-8, 918, 17496),
        (-7, 1647, 17496),
        (-6, 2700, 17471),
        (-5, 4098, 17375),
        (-4, 5817, 17147),
        (-3, 7770, 16716),
        (-2, 9798, 16005),
        (-1, 11751, 14934),
        (0, 13497, 13497),
        (1, 14934, 11751),
        (2, 16005, 9798),
        (3, 16716, 7770),
        (4, 17147, 5817),
        (5, 17375, 4098),
        (6, 17471, 2700),
        (7, 17496, 1647),
        (8, 17496, 918),
        (9, 17496, 462),
        (10, 17496, 210),
    ];

    #[test]
    fn the_odds_of_a_duel_are_those_of_the_catalogue() {
        for (difference, kill, death) in CATALOGUE {
            assert_eq!(
                duel(fighter(difference), fighter(0)),
                Odds { kill, death },
                "{difference}"
            );
            // Only the difference counts.
            assert_eq!(duel(fighter(difference + 4), fighter(4)), Odds { kill, death });
        }
    }

    #[test]
    fn the_odds_of_a_throw_are_those_of_the_catalogue() {
        let catalogue = [206, 196, 181, 160, 135, 108, 81, 56, 35, 20, 10, 4, 1];
        for (number, cases) in (6..=18).zip(catalogue) {
            assert_eq!(at_least(number), cases, "{number}");
        }
        assert_eq!((at_least(3), at_least(2), at_least(19)), (216, 216, 0));
    }

    #[test]
    fn simulated_duels_come_out_as_the_odds_say() {
        // A champion who attacks a man: 5 points against none.
        let (one, other) = (fighter(5), fighter(0));
        let mut seed = 1u64;
        let mut throw = || {
            let mut sum = 0;
            for _ in 0..3 {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                sum += 1 + i64::try_from((seed >> 33) % 6).unwrap_or(0);
            }
            sum
        };
        let mut found = Odds::default();
        for _ in 0..DUELS {
            let (natural, other_natural) = (throw(), throw());
            match outcome(one, natural, other, other_natural) {
                Some(true) => found.kill += 1,
                Some(false) => found.death += 1,
                None => {}
            }
        }
        // Four standard deviations of a binomial of 46656 throws: 4 * sqrt(46656 * p * (1 - p)) is below 432 for every p.
        let exact = duel(one, other);
        assert!(found.kill.abs_diff(exact.kill) < 432, "{found:?} {exact:?}");
        assert!(found.death.abs_diff(exact.death) < 432, "{found:?} {exact:?}");
    }

    #[test]
    fn a_kill_needs_the_own_natural_sum_and_the_higher_total() {
        let man = fighter(0);
        assert_eq!(outcome(man, 12, man, 11), Some(true));
        assert_eq!(outcome(man, 11, man, 10), None);
        assert_eq!(outcome(man, 12, man, 12), None);
        assert_eq!(outcome(man, 11, man, 12), Some(false));
        // The stronger one has the higher total but not the natural sum; the weaker one the sum but not the total.
        assert_eq!(outcome(fighter(9), 11, man, 13), None);
    }

    #[test]
    fn a_mortal_wizard_dies_only_of_an_exact_17() {
        let against = Fighter {
            points: 8,
            kill: Kill::Exactly(17),
        };
        for natural in 3..=18 {
            assert_eq!(outcome(against, natural, fighter(0), 3) == Some(true), natural == 17);
        }
    }

    #[test]
    fn a_besieged_tower_empties_as_the_catalogue_reckons() {
        // ARM-GAP-18: a castle of one field keeps 17 % of its men at the end of round 7, of three fields 54 %.
        let left = |numbers: std::ops::RangeInclusive<i64>| {
            let kept = numbers
                .map(at_least)
                .fold(1_000_000u64, |kept, cases| kept * u64::from(cases) / 216);
            (kept + 5_000) / 10_000
        };
        assert_eq!(left(6..=11), 17);
        assert_eq!(left(6..=9), 54);
        assert_eq!(left(6..=13), 2);
    }
}
