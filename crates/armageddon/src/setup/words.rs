//! The words of a set-up line, taken one by one, and names written as one word.

use super::slip::{Read, Slip, Wanted};
use crate::board::direction_from_code;
use kernel::hex::Direction;

/// The words of a line, taken one by one.
pub(super) struct Words<'a> {
    words: std::iter::Peekable<std::str::SplitWhitespace<'a>>,
}

impl<'a> Words<'a> {
    /// Those of a line.
    pub(super) fn new(line: &'a str) -> Self {
        Self {
            words: line.split_whitespace().peekable(),
        }
    }

    /// The next one, which must be there.
    pub(super) fn next(&mut self, wanted: Wanted) -> Read<&'a str> {
        self.words.next().ok_or(Slip::Ends(wanted))
    }

    /// The next one, if there is one.
    pub(super) fn more(&mut self) -> Option<&'a str> {
        self.words.next()
    }

    /// The next one, without taking it.
    pub(super) fn peek(&mut self) -> Option<&'a str> {
        self.words.peek().copied()
    }

    /// A number.
    pub(super) fn number<T: std::str::FromStr>(&mut self) -> Read<T> {
        let word = self.next(Wanted::Number)?;
        number(word)
    }

    /// A word of a closed list.
    pub(super) fn code<T>(&mut self, wanted: Wanted, read: impl Fn(&str) -> Option<T>) -> Read<T> {
        let word = self.next(wanted)?;
        read(word).ok_or_else(|| Slip::not_a(wanted, word))
    }

    /// A direction.
    pub(super) fn direction(&mut self) -> Read<Direction> {
        self.code(Wanted::Direction, direction_from_code)
    }

    /// This very word.
    pub(super) fn literal(&mut self, word: &'static str) -> Read<()> {
        let wanted = Wanted::OneOf(word);
        self.code(wanted, |found| (found == word).then_some(()))
    }

    /// Everything that is left.
    pub(super) fn rest(&mut self) -> String {
        self.words.by_ref().collect::<Vec<_>>().join(" ")
    }
}

/// A word as a number.
pub(super) fn number<T: std::str::FromStr>(word: &str) -> Read<T> {
    word.parse().map_err(|_| Slip::not_a(Wanted::Number, word))
}

/// A name as one word: blanks are written `_`, and what would be misread stands behind a backslash.
pub(super) fn join(name: &str) -> String {
    let mut word = String::new();
    for letter in name.chars() {
        match letter {
            ' ' => word.push('_'),
            '_' | '\\' => word.extend(['\\', letter]),
            letter => word.push(letter),
        }
    }
    word
}

/// The name that such a word stands for.
pub(super) fn unjoin(word: &str) -> String {
    let mut name = String::new();
    let mut letters = word.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '_' => name.push(' '),
            '\\' => name.extend(letters.next()),
            letter => name.push(letter),
        }
    }
    name
}
