//! A sum of fractions, rounded once: what a fight with many sides needs, where no common denominator fits a machine word.

use std::cmp::Ordering;

/// A fraction with a denominator above zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fraction {
    /// Above the line.
    pub over: u128,
    /// Below the line; a zero counts as one.
    pub under: u128,
}

/// The sum of the fractions, rounded half up, and exact however large the common denominator would be.
pub fn rounded_sum(fractions: &[Fraction]) -> u128 {
    let mut whole: u128 = 0;
    let mut rests = Vec::with_capacity(fractions.len());
    for fraction in fractions {
        let under = fraction.under.max(1);
        whole = whole.saturating_add(fraction.over / under);
        let rest = fraction.over % under;
        if rest > 0 {
            let common = greatest_common_divisor(rest, under);
            rests.push(Fraction {
                over: rest / common,
                under: under / common,
            });
        }
    }
    whole.saturating_add(narrow_sum(&rests).unwrap_or_else(|| wide_sum(&rests)))
}

/// The rounded sum of proper fractions in 128 bits, if it fits.
fn narrow_sum(rests: &[Fraction]) -> Option<u128> {
    let mut sum = Fraction { over: 0, under: 1 };
    for rest in rests {
        let common = greatest_common_divisor(sum.under, rest.under);
        let (left, right) = (rest.under / common, sum.under / common);
        let over = sum.over.checked_mul(left)?.checked_add(rest.over.checked_mul(right)?)?;
        sum = Fraction {
            over,
            under: sum.under.checked_mul(left)?,
        };
    }
    let rest = sum.over % sum.under;
    // Comparing with what is missing to the next number avoids doubling the rest.
    Some(sum.over / sum.under + u128::from(rest >= sum.under - rest))
}

/// The rounded sum of proper fractions in as many words as it takes.
///
/// With D the product of all denominators and N / D the sum, k is reached by rounding if (2k - 1) D <= 2 N; as each
/// fraction is below one, k never exceeds their number.
fn wide_sum(rests: &[Fraction]) -> u128 {
    let product = |skip: Option<usize>| {
        let factors = rests.iter().enumerate().filter(|(index, _)| Some(*index) != skip);
        factors.fold(wide(1), |product, (_, rest)| times(&product, &wide(rest.under)))
    };
    let denominator = product(None);
    let mut numerator = wide(0);
    for (index, rest) in rests.iter().enumerate() {
        numerator = plus(&numerator, &times(&product(Some(index)), &wide(rest.over)));
    }
    let doubled = times(&numerator, &wide(2));
    let reached = |k: &u128| compare(&times(&denominator, &wide(2 * k - 1)), &doubled) != Ordering::Greater;
    (1..=rests.len() as u128).take_while(reached).last().unwrap_or(0)
}

/// Words of 32 bits, the lowest first.
fn wide(number: u128) -> Vec<u32> {
    (0..4).map(|word| (number >> (32 * word)) as u32).collect()
}

fn times(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut product = vec![0u32; a.len() + b.len()];
    for (i, x) in a.iter().enumerate() {
        let mut carry = 0u64;
        for (word, y) in product[i..].iter_mut().zip(b.iter().chain(std::iter::once(&0))) {
            let sum = u64::from(*word) + u64::from(*x) * u64::from(*y) + carry;
            *word = sum as u32;
            carry = sum >> 32;
        }
    }
    product
}

fn plus(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut sum = Vec::with_capacity(a.len().max(b.len()) + 1);
    let mut carry = 0u64;
    for index in 0..=a.len().max(b.len()) {
        let word = |words: &[u32]| u64::from(words.get(index).copied().unwrap_or(0));
        let added = word(a) + word(b) + carry;
        sum.push(added as u32);
        carry = added >> 32;
    }
    sum
}

fn compare(a: &[u32], b: &[u32]) -> Ordering {
    let longest = a.len().max(b.len());
    let word = |words: &[u32], index: usize| words.get(index).copied().unwrap_or(0);
    (0..longest)
        .rev()
        .map(|index| word(a, index).cmp(&word(b, index)))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// Positive for positive numbers.
fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(fractions: &[(u128, u128)]) -> u128 {
        let fractions: Vec<Fraction> = fractions
            .iter()
            .map(|(over, under)| Fraction {
                over: *over,
                under: *under,
            })
            .collect();
        rounded_sum(&fractions)
    }

    #[test]
    fn a_sum_is_rounded_once_and_halves_go_up() {
        assert_eq!(sum(&[]), 0);
        assert_eq!(sum(&[(1, 3), (1, 6)]), 1, "exactly a half");
        assert_eq!(sum(&[(1, 3), (1, 7)]), 0, "10/21 is below a half");
        assert_eq!(sum(&[(1, 3), (1, 5)]), 1, "8/15 is above a half");
        assert_eq!(sum(&[(5, 2), (5, 2), (5, 2)]), 8, "7.5, not three times 3");
        assert_eq!(sum(&[(7, 0)]), 7);
    }

    #[test]
    fn words_of_any_number_agree_with_128_bits() {
        let mut seed = 12345u128;
        let mut next = |below: u128| {
            seed = (seed * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407) % (1 << 62);
            seed % below
        };
        for _ in 0..2000 {
            let rests: Vec<Fraction> = (0..3)
                .map(|_| {
                    let under = 2 + next(40);
                    Fraction {
                        over: next(under),
                        under,
                    }
                })
                .collect();
            assert_eq!(Some(wide_sum(&rests)), narrow_sum(&rests), "{rests:?}");
        }
    }

    #[test]
    fn four_great_denominators_that_make_a_half_are_still_rounded_up() {
        // 1/p - 1/p cannot be written, so 1/2 is split: a/p + (p-1-2a)/2p + 1/2p = 1/2 for any odd p.
        let p = (1u128 << 61) - 1;
        let q = (1u128 << 89) - 1;
        let half_of = |p: u128, a: u128| {
            vec![
                Fraction { over: a, under: p },
                Fraction {
                    over: p - 2 * a,
                    under: 2 * p,
                },
            ]
        };
        let mut rests = half_of(p, 12_345);
        rests.extend(half_of(q, 987_654_321));
        assert_eq!(narrow_sum(&rests[2..]), Some(1));
        let three: Vec<Fraction> = rests.iter().copied().chain([Fraction { over: 1, under: 2 }]).collect();
        assert_eq!(wide_sum(&three), 2, "three halves");
        assert_eq!(rounded_sum(&three), 2);
        let mut less = three;
        less[0].over -= 1;
        assert_eq!(wide_sum(&less), 1, "a little less than three halves");
    }
}
