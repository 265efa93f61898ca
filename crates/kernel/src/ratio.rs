//! Exact fractions, and divisions that name their rounding.
//!
//! The rules count in whole numbers: heads, gold, points. Wherever a rule divides, somebody has
//! to say what becomes of the remainder, so every division in this workspace goes through this
//! module and every function that divides takes a [`Rounding`]. There are no floats.
//!
//! Three ways to use it:
//!
//! * [`percent`]`(n, 30, Rounding::HalfUp)`: 30 % of `n`, rounded once.
//! * [`mul_div`]`(n, 3, 4, Rounding::Down)`: three quarters of `n`, rounded once.
//! * [`Ratio`]: when several factors meet, multiply the exact fractions and round once at the
//!   end with [`Ratio::round`] or [`Ratio::apply`].
//!
//! **Negative numbers.** `Down` goes towards minus infinity and `Up` towards plus infinity, so
//! -7/2 is -4 `Down` and -3 `Up`. `HalfUp` goes to the nearest whole number and sends exact
//! halves towards plus infinity: 5/2 is 3 and -5/2 is -2. Rules that mean the amount and not the
//! direction use `TowardZero`, `AwayFromZero` or `HalfAwayFromZero`.
//!
//! **Too large numbers.** Nothing here panics or wraps. A function that gives an `Option` gives
//! `None` for a zero divisor or a result outside `i64`; a function that gives a plain number
//! cannot meet a zero divisor and stops at `i64::MIN` or `i64::MAX`.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

/// What happens to the remainder of a division.
///
/// In tables the names are written in snake case: `"half_up"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rounding {
    /// To the next whole number below: 7/2 is 3, -7/2 is -4.
    Down,
    /// To the next whole number above: 7/2 is 4, -7/2 is -3.
    Up,
    /// Drops the fraction: 7/2 is 3, -7/2 is -3.
    TowardZero,
    /// Any fraction counts as a whole one: 7/2 is 4, -7/2 is -4.
    AwayFromZero,
    /// To the nearest, halves upwards: 5/2 is 3, -5/2 is -2.
    HalfUp,
    /// To the nearest, halves downwards: 5/2 is 2, -5/2 is -3.
    HalfDown,
    /// To the nearest, halves away from zero: 5/2 is 3, -5/2 is -3.
    HalfAwayFromZero,
}

/// Every rounding there is, for tests and for lists of choices.
pub const ROUNDINGS: [Rounding; 7] = [
    Rounding::Down,
    Rounding::Up,
    Rounding::TowardZero,
    Rounding::AwayFromZero,
    Rounding::HalfUp,
    Rounding::HalfDown,
    Rounding::HalfAwayFromZero,
];

/// Divides and rounds; the caller guarantees `divisor > 0`, so the quotient cannot overflow.
fn divide(n: i128, divisor: i128, rounding: Rounding) -> i128 {
    debug_assert!(divisor > 0, "callers make the divisor positive");
    let below = n.div_euclid(divisor);
    let rest = n.rem_euclid(divisor);
    if rest == 0 {
        return below;
    }
    // Comparing the rest with what is missing to the next number avoids doubling it.
    let half = rest.cmp(&(divisor - rest));
    let up = match rounding {
        Rounding::Down => false,
        Rounding::Up => true,
        Rounding::TowardZero => n < 0,
        Rounding::AwayFromZero => n > 0,
        Rounding::HalfUp => half != Ordering::Less,
        Rounding::HalfDown => half == Ordering::Greater,
        Rounding::HalfAwayFromZero => match half {
            Ordering::Less => false,
            Ordering::Equal => n > 0,
            Ordering::Greater => true,
        },
    };
    below + i128::from(up)
}

/// The nearest `i64`: numbers outside stop at its ends.
fn clamp(n: i128) -> i64 {
    i64::try_from(n).unwrap_or(if n < 0 { i64::MIN } else { i64::MAX })
}

/// `n / divisor` with a named rounding; `None` if the divisor is zero or the result is no `i64`.
#[must_use]
pub fn div(n: i64, divisor: i64, rounding: Rounding) -> Option<i64> {
    mul_div(n, 1, divisor, rounding)
}

/// `n * mul / div`, rounded once at the end; `None` if `div` is zero or the result is no `i64`.
///
/// The product is exact, however large. A negative divisor is allowed: its sign is moved to the
/// product before rounding, so the rounding always sees the true quotient.
#[must_use]
pub fn mul_div(n: i64, mul: i64, div: i64, rounding: Rounding) -> Option<i64> {
    if div == 0 {
        return None;
    }
    let product = i128::from(n) * i128::from(mul);
    let sign = if div < 0 { -1 } else { 1 };
    i64::try_from(divide(product * sign, i128::from(div) * sign, rounding)).ok()
}

/// `pct` per cent of `n`, rounded once; stops at the ends of `i64`.
#[must_use]
pub fn percent(n: i64, pct: i64, rounding: Rounding) -> i64 {
    clamp(divide(i128::from(n) * i128::from(pct), 100, rounding))
}

/// An exact fraction in lowest terms with a positive denominator.
///
/// Two equal fractions are always the same value, so `Eq`, `Ord` and `Hash` are those of the
/// numbers. Arithmetic gives `None` when the reduced result does not fit `i64 / i64`. In tables
/// a ratio is written as the text `"3/4"` or as a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    numerator: i64,
    denominator: i64,
}

impl Ratio {
    /// Nothing.
    pub const ZERO: Ratio = Ratio::whole(0);
    /// The whole.
    pub const ONE: Ratio = Ratio::whole(1);

    /// A whole number.
    #[must_use]
    pub const fn whole(n: i64) -> Ratio {
        Ratio {
            numerator: n,
            denominator: 1,
        }
    }

    /// `numerator / denominator` in lowest terms; `None` if the denominator is zero or the
    /// reduced fraction does not fit.
    #[must_use]
    pub fn new(numerator: i64, denominator: i64) -> Option<Ratio> {
        Ratio::reduced(i128::from(numerator), i128::from(denominator))
    }

    /// So many hundredths.
    #[must_use]
    pub fn percent(pct: i64) -> Ratio {
        let common = clamp(greatest_common_divisor(i128::from(pct), 100));
        // The common divisor lies in 1..=100, so neither division can fail.
        Ratio {
            numerator: pct / common,
            denominator: 100 / common,
        }
    }

    fn reduced(numerator: i128, denominator: i128) -> Option<Ratio> {
        if denominator == 0 {
            return None;
        }
        let common = greatest_common_divisor(numerator, denominator);
        let common = if denominator < 0 { -common } else { common };
        Some(Ratio {
            numerator: i64::try_from(numerator / common).ok()?,
            denominator: i64::try_from(denominator / common).ok()?,
        })
    }

    /// The number above the line; carries the sign.
    #[must_use]
    pub const fn numerator(self) -> i64 {
        self.numerator
    }

    /// The number below the line; always positive.
    #[must_use]
    pub const fn denominator(self) -> i64 {
        self.denominator
    }

    /// The sum, if it fits.
    #[must_use]
    pub fn checked_add(self, other: Ratio) -> Option<Ratio> {
        let (a, b) = (i128::from(self.numerator), i128::from(self.denominator));
        let (c, d) = (i128::from(other.numerator), i128::from(other.denominator));
        // Each product is below 2^126, so the sum fits an i128.
        Ratio::reduced(a * d + c * b, b * d)
    }

    /// The difference, if it fits.
    #[must_use]
    pub fn checked_sub(self, other: Ratio) -> Option<Ratio> {
        let (a, b) = (i128::from(self.numerator), i128::from(self.denominator));
        let (c, d) = (i128::from(other.numerator), i128::from(other.denominator));
        Ratio::reduced(a * d - c * b, b * d)
    }

    /// The product, if it fits.
    #[must_use]
    pub fn checked_mul(self, other: Ratio) -> Option<Ratio> {
        let (a, b) = (i128::from(self.numerator), i128::from(self.denominator));
        let (c, d) = (i128::from(other.numerator), i128::from(other.denominator));
        Ratio::reduced(a * c, b * d)
    }

    /// The quotient, if it fits and `other` is not zero.
    #[must_use]
    pub fn checked_div(self, other: Ratio) -> Option<Ratio> {
        let (a, b) = (i128::from(self.numerator), i128::from(self.denominator));
        let (c, d) = (i128::from(other.numerator), i128::from(other.denominator));
        Ratio::reduced(a * d, b * c)
    }

    /// The whole number that the rounding makes of this fraction.
    #[must_use]
    pub fn round(self, rounding: Rounding) -> i64 {
        let (n, divisor) = (i128::from(self.numerator), i128::from(self.denominator));
        // A quotient by a positive whole number never leaves the range of its dividend.
        clamp(divide(n, divisor, rounding))
    }

    /// This fraction of `n`, rounded once; stops at the ends of `i64`.
    #[must_use]
    pub fn apply(self, n: i64, rounding: Rounding) -> i64 {
        let product = i128::from(n) * i128::from(self.numerator);
        clamp(divide(product, i128::from(self.denominator), rounding))
    }
}

/// The greatest common divisor of two numbers of which the second is not zero; positive.
///
/// Both stay below 2^127 in size, so their absolute values exist.
fn greatest_common_divisor(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        let left = i128::from(self.numerator) * i128::from(other.denominator);
        let right = i128::from(other.numerator) * i128::from(self.denominator);
        left.cmp(&right)
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Default for Ratio {
    fn default() -> Self {
        Ratio::ZERO
    }
}

impl From<i64> for Ratio {
    fn from(n: i64) -> Self {
        Ratio::whole(n)
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == 1 {
            write!(f, "{}", self.numerator)
        } else {
            write!(f, "{}/{}", self.numerator, self.denominator)
        }
    }
}

/// A text is not a fraction such as `3/4` or `2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotARatio;

impl fmt::Display for NotARatio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a ratio such as 3/4 or 2")
    }
}

impl std::error::Error for NotARatio {}

impl FromStr for Ratio {
    type Err = NotARatio;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (above, below) = text.split_once('/').unwrap_or((text, "1"));
        let numerator = above.trim().parse().map_err(|_| NotARatio)?;
        let denominator = below.trim().parse().map_err(|_| NotARatio)?;
        Ratio::new(numerator, denominator).ok_or(NotARatio)
    }
}

impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Ratio {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RatioVisitor;
        impl Visitor<'_> for RatioVisitor {
            type Value = Ratio;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a ratio such as \"3/4\" or a whole number")
            }
            fn visit_i64<E: serde::de::Error>(self, n: i64) -> Result<Ratio, E> {
                Ok(Ratio::whole(n))
            }
            fn visit_u64<E: serde::de::Error>(self, n: u64) -> Result<Ratio, E> {
                i64::try_from(n).map(Ratio::whole).map_err(E::custom)
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Ratio, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_any(RatioVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn each_rounding_treats_negative_halves_and_thirds_as_stated() {
        use Rounding::*;
        // Quotients of -7/3, -5/2, -1/3, 1/3, 5/2, 8/3 in the order of `fractions`.
        let fractions = [(-7, 3), (-5, 2), (-1, 3), (1, 3), (5, 2), (8, 3)];
        let expected = [
            (Down, [-3, -3, -1, 0, 2, 2]),
            (Up, [-2, -2, 0, 1, 3, 3]),
            (TowardZero, [-2, -2, 0, 0, 2, 2]),
            (AwayFromZero, [-3, -3, -1, 1, 3, 3]),
            (HalfUp, [-2, -2, 0, 0, 3, 3]),
            (HalfDown, [-2, -3, 0, 0, 2, 3]),
            (HalfAwayFromZero, [-2, -3, 0, 0, 3, 3]),
        ];
        assert_eq!(expected.map(|(rounding, _)| rounding), ROUNDINGS);
        for (rounding, results) in expected {
            for ((n, d), result) in fractions.into_iter().zip(results) {
                assert_eq!(div(n, d, rounding), Some(result), "{n}/{d} {rounding:?}");
                assert_eq!(div(-n, -d, rounding), Some(result), "-{n}/-{d}");
            }
        }
    }

    #[test]
    fn percentages_turn_at_the_half() {
        // 20 % of 7, 8, 12 and 13 are 1.4, 1.6, 2.4 and 2.6; 50 % of 5 is 2.5.
        assert_eq!(percent(7, 20, Rounding::HalfUp), 1);
        assert_eq!(percent(8, 20, Rounding::HalfUp), 2);
        assert_eq!(percent(5, 50, Rounding::HalfUp), 3);
        assert_eq!(percent(5, 50, Rounding::Down), 2);
        assert_eq!(percent(12, 20, Rounding::Up), 3);
        assert_eq!(percent(10, 20, Rounding::Up), 2);
        assert_eq!(percent(13, 20, Rounding::Down), 2);
    }

    #[test]
    fn a_zero_divisor_and_a_result_too_large_give_none() {
        assert_eq!(mul_div(1, 1, 0, Rounding::Down), None);
        assert_eq!(mul_div(i64::MAX, 2, 1, Rounding::Down), None);
        assert_eq!(
            mul_div(i64::MAX, 2, 2, Rounding::Down),
            Some(i64::MAX),
            "the product may be larger than the result"
        );
        assert_eq!(div(i64::MIN, -1, Rounding::Down), None);
        assert_eq!(Ratio::new(1, 0), None);
        assert_eq!(Ratio::new(1, i64::MIN), None);
        assert_eq!(Ratio::new(i64::MIN, i64::MIN), Some(Ratio::ONE));
        assert_eq!(Ratio::ONE.checked_div(Ratio::ZERO), None);
        assert_eq!(Ratio::whole(i64::MAX).checked_add(Ratio::ONE), None);
    }

    #[test]
    fn plain_results_stop_at_the_ends() {
        assert_eq!(percent(i64::MAX, 101, Rounding::Down), i64::MAX);
        assert_eq!(percent(i64::MIN, 101, Rounding::Down), i64::MIN);
        assert_eq!(Ratio::whole(2).apply(i64::MIN, Rounding::HalfUp), i64::MIN);
        assert_eq!(Ratio::whole(i64::MIN).round(Rounding::Down), i64::MIN);
    }

    #[test]
    fn a_ratio_is_read_from_its_text() {
        assert_eq!("6/8".parse(), Ok(Ratio::new(3, 4).unwrap()));
        assert_eq!(" 3 / -4 ".parse(), Ok(Ratio::new(-3, 4).unwrap()));
        assert_eq!("5".parse(), Ok(Ratio::whole(5)));
        for wrong in ["", "/", "1/0", "1/2/3", "0.5", "a"] {
            assert_eq!(wrong.parse::<Ratio>(), Err(NotARatio), "{wrong}");
        }
        assert_eq!(Ratio::percent(75).to_string(), "3/4");
        assert_eq!(Ratio::percent(-300), Ratio::whole(-3));
        assert_eq!(Ratio::percent(0), Ratio::ZERO);
        // A table may also have a whole number, with or without a sign.
        let read = |bytes: &[u8]| crate::codec::unpack::<Ratio>(bytes).ok();
        assert_eq!(read(&[5]), Some(Ratio::whole(5)));
        assert_eq!(read(&[0xff]), Some(Ratio::whole(-1)));
        assert_eq!(
            read(&crate::codec::pack(&i64::MAX).unwrap()),
            Some(Ratio::whole(i64::MAX))
        );
        assert_eq!(read(&crate::codec::pack(&(1u64 << 63)).unwrap()), None);
    }

    fn rounding() -> impl Strategy<Value = Rounding> {
        proptest::sample::select(ROUNDINGS.to_vec())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

        #[test]
        fn a_rounded_quotient_is_one_of_the_two_neighbours(
            n in any::<i64>(), mul in -1000i64..1000, d in any::<i64>(), rounding in rounding()
        ) {
            let Some(result) = mul_div(n, mul, d, rounding) else { return Ok(()) };
            let error = (i128::from(result) * i128::from(d) - i128::from(n) * i128::from(mul)).abs();
            let size = i128::from(d).abs();
            prop_assert!(error < size);
            if matches!(rounding, Rounding::HalfUp | Rounding::HalfDown | Rounding::HalfAwayFromZero) {
                prop_assert!(2 * error <= size);
            }
        }

        #[test]
        fn mirrored_roundings_mirror_each_other(n in -500i64..500, d in 1i64..40) {
            let pairs = [
                (Rounding::Down, Rounding::Up),
                (Rounding::HalfUp, Rounding::HalfDown),
                (Rounding::TowardZero, Rounding::TowardZero),
                (Rounding::AwayFromZero, Rounding::AwayFromZero),
                (Rounding::HalfAwayFromZero, Rounding::HalfAwayFromZero),
            ];
            for (one, other) in pairs {
                prop_assert_eq!(div(-n, d, one), div(n, d, other).map(|x| -x));
            }
        }

        #[test]
        fn small_arithmetic_agrees_with_cross_multiplication(
            a in -99i64..100, b in 1i64..100, c in -99i64..100, d in 1i64..100
        ) {
            let (x, y) = (Ratio::new(a, b).unwrap(), Ratio::new(c, d).unwrap());
            prop_assert_eq!(x.checked_add(y), Ratio::new(a * d + c * b, b * d));
            prop_assert_eq!(x.checked_sub(y), Ratio::new(a * d - c * b, b * d));
            prop_assert_eq!(x.checked_mul(y), Ratio::new(a * c, b * d));
            prop_assert_eq!(x.checked_div(y), Ratio::new(a * d, b * c));
            prop_assert_eq!(x.cmp(&y), (a * d).cmp(&(c * b)));
        }

        #[test]
        fn a_fraction_of_a_number_is_rounded_once_as_it_is_asked_for(
            n in -999i64..1000, a in -99i64..100, b in 1i64..100, rounding in rounding()
        ) {
            let ratio = Ratio::new(a, b).unwrap();
            prop_assert_eq!(Some(ratio.round(rounding)), div(a, b, rounding));
            prop_assert_eq!(Some(ratio.apply(n, rounding)), mul_div(n, a, b, rounding));
            prop_assert_eq!(Some(percent(n, a, rounding)), mul_div(n, a, 100, rounding));
            prop_assert_eq!(Ratio::percent(a).apply(n, rounding), percent(n, a, rounding));
        }

        #[test]
        fn any_ratio_is_reduced_and_survives_text_and_bytes(n in any::<i64>(), d in any::<i64>()) {
            let Some(ratio) = Ratio::new(n, d) else { return Ok(()) };
            prop_assert!(ratio.denominator() > 0);
            let common = greatest_common_divisor(ratio.numerator().into(), ratio.denominator().into());
            prop_assert_eq!(common, 1);
            prop_assert_eq!(ratio.to_string().parse::<Ratio>(), Ok(ratio));
            let bytes = crate::codec::pack(&ratio).unwrap();
            prop_assert_eq!(crate::codec::unpack::<Ratio>(&bytes).unwrap(), ratio);
        }

        #[test]
        fn arithmetic_never_panics(
            a in any::<i64>(), b in any::<i64>(), c in any::<i64>(), d in any::<i64>(), rounding in rounding()
        ) {
            let _ = percent(a, b, rounding);
            let _ = mul_div(a, b, c, rounding);
            if let (Some(x), Some(y)) = (Ratio::new(a, b), Ratio::new(c, d)) {
                let _ = (x.checked_add(y), x.checked_sub(y), x.checked_mul(y), x.checked_div(y));
                let _ = (x.cmp(&y), x.round(rounding), x.apply(c, rounding));
            }
        }
    }
}
