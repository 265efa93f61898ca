//! Limits of figures: a world may change every figure, but not to something that a rule could stumble over.

use super::column::{Column, Span, Work};
use crate::codes::Vocabulary;
use kernel::house::Problem;
use kernel::ratio::{Ratio, Rounding};
use std::collections::BTreeMap;

/// The least and the greatest figure a key takes.
pub(super) type Limits = (i64, i64);

/// What may stand under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Allowed {
    /// A number between these.
    Number(i64, i64),
    /// One of these words.
    Words(Vec<&'static str>),
    /// True or false.
    Flag,
    /// A text of its own kind.
    Text,
}

/// What a look at all figures has found.
#[derive(Default)]
pub(super) struct Findings {
    /// What is wrong.
    pub(super) problems: Vec<Problem>,
    /// What may stand under each key, if somebody asked.
    pub(super) allowed: Option<BTreeMap<String, Allowed>>,
}

impl Findings {
    pub(super) fn push(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    fn note(&mut self, path: &str, allowed: impl FnOnce() -> Allowed) {
        if let Some(map) = &mut self.allowed {
            map.insert(path.to_owned(), allowed());
        }
    }

    /// Notes that a text stands there.
    pub(super) fn note_text(&mut self, path: &str) {
        self.note(path, || Allowed::Text);
    }
}

/// A value of a table that can be held against limits.
pub(super) trait Figure {
    /// Adds what is wrong with the value; the limits hold for every number in it.
    fn check(&self, path: &str, limits: Option<Limits>, problems: &mut Findings);
}

impl Figure for i64 {
    fn check(&self, path: &str, limits: Option<Limits>, problems: &mut Findings) {
        let (least, most) = limits.unwrap_or((Self::MIN, Self::MAX));
        problems.note(path, || Allowed::Number(least, most));
        if let Some((min, max)) = limits
            && !(min..=max).contains(self)
        {
            problems.push(Problem::OutOfRange {
                path: path.to_owned(),
                value: *self,
                min,
                max,
            });
        }
    }
}

impl Figure for u32 {
    fn check(&self, path: &str, limits: Option<Limits>, problems: &mut Findings) {
        i64::from(*self).check(path, limits, problems);
    }
}

impl Figure for Ratio {
    fn check(&self, path: &str, limits: Option<Limits>, problems: &mut Findings) {
        problems.note_text(path);
        if let Some((min, max)) = limits
            && !(Self::whole(min)..=Self::whole(max)).contains(self)
        {
            let (path, value) = (path.to_owned(), self.round(Rounding::AwayFromZero));
            problems.push(Problem::OutOfRange { path, value, min, max });
        }
    }
}

impl Figure for Span {
    fn check(&self, path: &str, limits: Option<Limits>, problems: &mut Findings) {
        self.min.check(path, limits, problems);
        self.max.check(path, limits, problems);
        if self.min > self.max {
            let expected = "the-smaller-number-first";
            problems.push(Problem::Contradiction {
                path: path.to_owned(),
                expected,
            });
        }
    }
}

impl Figure for Work {
    /// The limits hold for the price; the time has its own.
    fn check(&self, path: &str, limits: Option<Limits>, problems: &mut Findings) {
        self.price.check(path, limits, problems);
        self.turns.check(path, Some((1, 100)), problems);
    }
}

impl<T: Figure> Figure for Option<T> {
    fn check(&self, path: &str, limits: Option<Limits>, problems: &mut Findings) {
        if let Some(figure) = self {
            figure.check(path, limits, problems);
        }
    }
}

impl<T: Figure> Figure for Vec<T> {
    fn check(&self, path: &str, limits: Option<Limits>, problems: &mut Findings) {
        problems.note_text(path);
        if self.len() > 100 {
            let expected = "at-most-100-entries";
            problems.push(Problem::Contradiction {
                path: path.to_owned(),
                expected,
            });
        }
        for figure in self {
            figure.check(path, limits, problems);
        }
    }
}

impl<W: Vocabulary, T: Figure> Figure for Column<W, T> {
    fn check(&self, path: &str, limits: Option<Limits>, problems: &mut Findings) {
        for (word, figure) in self.iter() {
            figure.check(&format!("{path}.{}", word.word()), limits, problems);
        }
    }
}

/// Values whose type says all: there is nothing to hold against limits, only words to choose from.
macro_rules! of_words {
    ($($type:ty),+ $(,)?) => {
        $(impl Figure for $type {
            fn check(&self, path: &str, _: Option<Limits>, problems: &mut Findings) {
                problems.note(path, || Allowed::Words(<$type>::WORDS.iter().map(|word| word.word()).collect()));
            }
        })+
    };
}

impl Figure for bool {
    fn check(&self, path: &str, _: Option<Limits>, problems: &mut Findings) {
        problems.note(path, || Allowed::Flag);
    }
}

impl Figure for Rounding {
    fn check(&self, path: &str, _: Option<Limits>, problems: &mut Findings) {
        let words = vec![
            "down",
            "up",
            "toward_zero",
            "away_from_zero",
            "half_up",
            "half_down",
            "half_away_from_zero",
        ];
        problems.note(path, || Allowed::Words(words));
    }
}

mod limitless {
    use super::super::policy::*;
    use super::{Allowed, Figure, Findings, Limits};
    use crate::codes::*;

    of_words!(
        Terrain, Season, Climate, Colour, Command, Flag, Arm, Kind, Building, Condition
    );
    of_words!(
        MissingDigits,
        MissingFlag,
        DuplicateOrder,
        Digits,
        MoveOrder,
        CombatPause,
        MeetingStop
    );
    of_words!(
        OversizedSpy,
        SecondTempleCity,
        TreatyStart,
        OrphanAction,
        Charset,
        Newline
    );
}
