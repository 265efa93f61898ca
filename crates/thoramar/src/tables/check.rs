//! Limits of figures: a world may change every figure, but not to something that a rule could stumble over.

use super::column::{Column, Span, Work};
use crate::codes::Vocabulary;
use kernel::ratio::{Ratio, Rounding};
use std::fmt;

/// A mistake in the figures of a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The text is no TOML, or a value is of another type than its key wants.
    Unreadable {
        /// What the reader says, with the place.
        message: String,
    },
    /// There is no such key.
    UnknownKey {
        /// The key with its tables, for example `combat.luck`.
        path: String,
        /// A key of the same table that is spelled much the same.
        meant: Option<String>,
    },
    /// A table stands where a value belongs, or the other way round.
    WrongShape {
        /// The key with its tables.
        path: String,
        /// What belongs there.
        expected: &'static str,
    },
    /// A figure is too small or too large.
    OutOfRange {
        /// The key with its tables.
        path: String,
        /// The figure.
        value: i64,
        /// The least figure that is allowed.
        min: i64,
        /// The greatest figure that is allowed.
        max: i64,
    },
    /// Figures that are possible each contradict each other.
    Contradiction {
        /// The key with its tables.
        path: String,
        /// What must hold.
        expected: &'static str,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { message } => formatter.write_str(message),
            Self::UnknownKey { path, meant: None } => write!(formatter, "{path}: no such key"),
            Self::UnknownKey {
                path,
                meant: Some(meant),
            } => {
                write!(formatter, "{path}: no such key, did you mean {meant}?")
            }
            Self::WrongShape { path, expected } | Self::Contradiction { path, expected } => {
                write!(formatter, "{path}: expected {expected}")
            }
            Self::OutOfRange { path, value, min, max } => {
                write!(formatter, "{path}: {value}, expected {min} to {max}")
            }
        }
    }
}

impl Problem {
    /// The same problem with its place told from the outer table.
    pub(super) fn within(mut self, outer: &str) -> Self {
        match &mut self {
            Self::Unreadable { message: place }
            | Self::UnknownKey { path: place, .. }
            | Self::WrongShape { path: place, .. }
            | Self::OutOfRange { path: place, .. }
            | Self::Contradiction { path: place, .. } => *place = format!("{outer}.{place}"),
        }
        self
    }
}

/// Everything that is wrong with the figures of a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TablesError {
    /// At least one mistake.
    pub problems: Vec<Problem>,
}

impl fmt::Display for TablesError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.problems.iter().map(ToString::to_string).collect();
        formatter.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for TablesError {}

/// The least and the greatest figure a key takes.
pub(super) type Limits = (i64, i64);

/// A value of a table that can be held against limits.
pub(super) trait Figure {
    /// Adds what is wrong with the value; the limits hold for every number in it.
    fn check(&self, path: &str, limits: Option<Limits>, problems: &mut Vec<Problem>);
}

impl Figure for i64 {
    fn check(&self, path: &str, limits: Option<Limits>, problems: &mut Vec<Problem>) {
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
    fn check(&self, path: &str, limits: Option<Limits>, problems: &mut Vec<Problem>) {
        i64::from(*self).check(path, limits, problems);
    }
}

impl Figure for Ratio {
    fn check(&self, path: &str, limits: Option<Limits>, problems: &mut Vec<Problem>) {
        if let Some((min, max)) = limits
            && !(Self::whole(min)..=Self::whole(max)).contains(self)
        {
            let (path, value) = (path.to_owned(), self.round(Rounding::AwayFromZero));
            problems.push(Problem::OutOfRange { path, value, min, max });
        }
    }
}

impl Figure for Span {
    fn check(&self, path: &str, limits: Option<Limits>, problems: &mut Vec<Problem>) {
        self.min.check(path, limits, problems);
        self.max.check(path, limits, problems);
        if self.min > self.max {
            let expected = "the smaller number first";
            problems.push(Problem::Contradiction {
                path: path.to_owned(),
                expected,
            });
        }
    }
}

impl Figure for Work {
    /// The limits hold for the price; the time has its own.
    fn check(&self, path: &str, limits: Option<Limits>, problems: &mut Vec<Problem>) {
        self.price.check(path, limits, problems);
        self.turns.check(path, Some((1, 100)), problems);
    }
}

impl<T: Figure> Figure for Option<T> {
    fn check(&self, path: &str, limits: Option<Limits>, problems: &mut Vec<Problem>) {
        if let Some(figure) = self {
            figure.check(path, limits, problems);
        }
    }
}

impl<T: Figure> Figure for Vec<T> {
    fn check(&self, path: &str, limits: Option<Limits>, problems: &mut Vec<Problem>) {
        if self.len() > 100 {
            let expected = "at most 100 entries";
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
    fn check(&self, path: &str, limits: Option<Limits>, problems: &mut Vec<Problem>) {
        for (word, figure) in self.iter() {
            figure.check(&format!("{path}.{}", word.word()), limits, problems);
        }
    }
}

/// Values whose type says all: there is nothing to hold against limits.
macro_rules! without_limits {
    ($($type:ty),+ $(,)?) => {
        $(impl Figure for $type {
            fn check(&self, _: &str, _: Option<Limits>, _: &mut Vec<Problem>) {}
        })+
    };
}

mod limitless {
    use super::super::policy::*;
    use super::{Figure, Limits, Problem};
    use crate::codes::*;
    use kernel::ratio::Rounding;

    without_limits!(
        bool, Rounding, Terrain, Season, Climate, Colour, Command, Flag, Arm, Kind, Building
    );
    without_limits!(
        Condition,
        MissingDigits,
        MissingFlag,
        DuplicateOrder,
        Digits,
        MoveOrder,
        CombatPause,
        MeetingStop
    );
    without_limits!(
        OversizedSpy,
        SecondTempleCity,
        TreatyStart,
        OrphanAction,
        Charset,
        Newline
    );
}
