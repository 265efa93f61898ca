//! A line taken apart into words, numbers, fields, texts and signs, each with its place.

use crate::chart::Place;
use crate::codes::{Good, Kind, is_same_word};
use crate::rule;
use crate::state::ArmyName;
use kernel::diagnostic::{Diagnostic, Name, Span, Spanned, Value};

/// A finding about a line; boxed because most lines have none.
pub(super) type Finding = Box<Diagnostic>;

/// Highest number of an army.
pub(super) const NUMBER_MAX: i64 = 999;
/// Characters of a wrong word that a finding repeats.
const FOUND_CHARS: usize = 60;
/// Highest number that a player may write.
const AMOUNT_MAX: i64 = 1_000_000_000_000;

#[derive(Clone, PartialEq, Eq, Debug)]
struct Token<'a> {
    text: &'a str,
    span: Span,
    quoted: bool,
}

/// The words of a line, taken one by one.
#[derive(Clone, Debug)]
pub(super) struct Words<'a> {
    tokens: Vec<Token<'a>>,
    next: usize,
    end: Span,
    fields_per_great_field: u32,
}

impl<'a> Words<'a> {
    /// Takes a line apart; what stands behind `#` outside of quotation marks is a comment.
    pub(super) fn new(line: u32, text: &'a str, fields_per_great_field: u32) -> Self {
        Self::from(line, 1, text, fields_per_great_field)
    }

    /// The same for a part of a line that begins in `column`.
    pub(super) fn from(line: u32, column: u32, text: &'a str, fields_per_great_field: u32) -> Self {
        let mut tokens: Vec<Token<'a>> = Vec::new();
        let mut begin: Option<(usize, u32)> = None;
        // Whether the word that is being read has a slash: behind it a dash parts two fields.
        let mut in_field = false;
        let mut quote: Option<(usize, u32)> = None;
        let mut at = column;
        let push = |tokens: &mut Vec<Token<'a>>, from: (usize, u32), to: usize, end: u32, quoted: bool| {
            let text = text.get(from.0..to).unwrap_or_default();
            let span = Span {
                line,
                column: from.1,
                length: end.saturating_sub(from.1),
            };
            tokens.push(Token { text, span, quoted });
        };
        for (index, letter) in text.char_indices() {
            if let Some(from) = quote {
                if letter == '"' {
                    push(&mut tokens, from, index, at, true);
                    quote = None;
                }
                at += 1;
                continue;
            }
            let is_sign =
                matches!(letter, ':' | '>' | ';' | ',' | '+' | '*') || (letter == '-' && (in_field || begin.is_none()));
            if letter.is_whitespace() || is_sign || letter == '"' || letter == '#' {
                if let Some(from) = begin.take() {
                    push(&mut tokens, from, index, at, false);
                }
                in_field = false;
                match letter {
                    '#' => break,
                    '"' => quote = Some((index + 1, at + 1)),
                    _ if is_sign => push(&mut tokens, (index, at), index + letter.len_utf8(), at + 1, false),
                    _ => {}
                }
            } else {
                begin.get_or_insert((index, at));
                in_field |= letter == '/';
            }
            at += 1;
        }
        if let Some(from) = begin.or(quote) {
            // A comment ends what is open; else the line does.
            let to = text.len();
            if tokens.last().is_none_or(|last| last.span.column < from.1) {
                push(&mut tokens, from, to, at, quote.is_some());
            }
        }
        let end = Span {
            line,
            column: tokens.last().map_or(column, |last| last.span.column + last.span.length),
            length: 0,
        };
        Self {
            tokens,
            next: 0,
            end,
            fields_per_great_field,
        }
    }

    /// Nothing is left.
    pub(super) fn is_empty(&self) -> bool {
        self.next >= self.tokens.len()
    }

    /// From the first to the last word.
    pub(super) fn whole(&self) -> Span {
        let Some(first) = self.tokens.first() else {
            return self.end;
        };
        Span {
            length: self.end.column.saturating_sub(first.span.column),
            ..first.span
        }
    }

    fn peek(&self) -> Option<&Token<'a>> {
        self.tokens.get(self.next)
    }

    /// Where the next word stands, or the end of the line.
    pub(super) fn here(&self) -> Span {
        self.peek().map_or(self.end, |token| token.span)
    }

    /// What stands next.
    pub(super) fn found(&self) -> &'a str {
        self.peek().map_or("", |token| token.text)
    }

    /// Whether the next word is this one.
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.peek()
            .is_some_and(|token| !token.quoted && is_same_word(token.text, word))
    }

    /// Takes the next word if it is one of these.
    pub(super) fn accept(&mut self, words: &[&str]) -> bool {
        let found = words.iter().any(|word| self.is_word(word));
        self.next += usize::from(found);
        found
    }

    /// A finding at the next word: `E_SYNTAX` with the key of what was expected.
    pub(super) fn wrong(&self, expected: &'static str) -> Finding {
        let span = self.here();
        // A word may be as long as the file; nobody reads on behind a line's length.
        let found: String = self.found().chars().take(FOUND_CHARS).collect();
        let finding = Diagnostic::error("E_SYNTAX", span, &[rule::GAP_67]);
        let finding = match self.peek() {
            Some(_) => finding.with(
                "found",
                Value::Phrase {
                    phrase: Name::Borrowed("found-word"),
                    args: vec![(Name::Borrowed("text"), found.into())],
                },
            ),
            None => finding.with_word("found", "found-end"),
        };
        Box::new(finding.with_word("expected", expected))
    }

    /// Takes a word that must stand here.
    pub(super) fn expect(&mut self, words: &[&str], expected: &'static str) -> Result<(), Finding> {
        if self.accept(words) {
            Ok(())
        } else {
            Err(self.wrong(expected))
        }
    }

    /// Any word.
    pub(super) fn word(&mut self, expected: &'static str) -> Result<Spanned<&'a str>, Finding> {
        let Some(token) = self.peek().filter(|token| !token.text.is_empty()) else {
            return Err(self.wrong(expected));
        };
        let (span, value) = (token.span, token.text);
        self.next += 1;
        Ok(Spanned { span, value })
    }

    /// A text in quotation marks.
    pub(super) fn text(&mut self) -> Result<Spanned<String>, Finding> {
        match self.peek() {
            Some(token) if token.quoted => {
                let (span, value) = (token.span, token.text.to_owned());
                self.next += 1;
                Ok(Spanned { span, value })
            }
            _ => Err(self.wrong("expect-text")),
        }
    }

    /// A whole number, not negative; thousands may be parted by points.
    pub(super) fn number(&mut self, expected: &'static str) -> Result<Spanned<i64>, Finding> {
        let read = self
            .peek()
            .filter(|token| !token.quoted)
            .and_then(|token| number(token.text));
        match read {
            Some(value) => {
                let span = self.here();
                self.next += 1;
                Ok(Spanned { span, value })
            }
            None => Err(self.wrong(expected)),
        }
    }

    /// A field `GF/KF`.
    pub(super) fn place(&mut self) -> Result<Spanned<Place>, Finding> {
        let span = self.here();
        let Some(value) = Place::read(self.found()) else {
            return Err(self.wrong("expect-field"));
        };
        if value.kf > self.fields_per_great_field {
            let finding = Diagnostic::error("E_FIELD", span, &[rule::MAP_01, rule::MAP_02]);
            let finding = finding
                .with("field", value.to_string())
                .with("max", self.fields_per_great_field);
            return Err(Box::new(finding));
        }
        self.next += 1;
        Ok(Spanned { span, value })
    }

    /// Fields parted by `>`.
    pub(super) fn path(&mut self) -> Result<Vec<Spanned<Place>>, Finding> {
        let mut path = vec![self.place()?];
        while self.accept(&[">"]) {
            path.push(self.place()?);
        }
        Ok(path)
    }

    /// `KH 1` or `KH1`, and whether a star follows.
    pub(super) fn unit(&mut self) -> Result<(Spanned<ArmyName>, bool), Finding> {
        let span = self.here();
        let word = self.found();
        let letters = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let Some(kind) = Kind::from_code(letters) else {
            return Err(self.wrong("expect-unit"));
        };
        self.next += 1;
        let digits = word.get(letters.len()..).unwrap_or_default();
        let number = if digits.is_empty() {
            self.number("expect-unit-number")?.value
        } else {
            number(digits).unwrap_or(0)
        };
        let Some(number) = u32::try_from(number)
            .ok()
            .filter(|number| (1..=NUMBER_MAX as u32).contains(number))
        else {
            let finding = Diagnostic::error("E_NUMBER", span, &[rule::GAP_67]).with("max", NUMBER_MAX);
            return Err(Box::new(finding));
        };
        let last = self
            .tokens
            .get(self.next.saturating_sub(1))
            .map_or(span, |token| token.span);
        let span = Span {
            length: (last.column + last.length).saturating_sub(span.column),
            ..span
        };
        let starred = self.accept(&["*"]);
        let value = ArmyName::new(kind, number);
        Ok((Spanned { span, value }, starred))
    }

    /// A unit of one kind.
    pub(super) fn unit_of(&mut self, kinds: &[Kind], expected: &'static str) -> Result<Spanned<ArmyName>, Finding> {
        let before = self.next;
        let (unit, _) = self.unit()?;
        if kinds.contains(&unit.value.kind) {
            Ok(unit)
        } else {
            self.next = before;
            Err(self.wrong(expected))
        }
    }

    /// A good by any of its names.
    pub(super) fn good(&mut self) -> Result<Spanned<Good>, Finding> {
        let span = self.here();
        match Good::from_word(self.found()) {
            Some(value) => {
                self.next += 1;
                Ok(Spanned { span, value })
            }
            None => Err(self.wrong("expect-good")),
        }
    }

    /// Nothing may be left.
    pub(super) fn end(&self) -> Result<(), Finding> {
        if self.is_empty() {
            Ok(())
        } else {
            Err(self.wrong("expect-end"))
        }
    }
}

/// `8500`, `8.500`.
fn number(word: &str) -> Option<i64> {
    let groups: Vec<&str> = word.split('.').collect();
    let grouped = groups.len() == 1 || groups.iter().skip(1).all(|group| group.len() == 3);
    let digits: String = groups.concat();
    let clean = grouped && !digits.is_empty() && digits.len() <= 13 && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|value| clean && *value <= AMOUNT_MAX)
}

impl Words<'_> {
    /// Whether a number stands next.
    pub(super) fn number_is_next(&self) -> bool {
        self.peek()
            .is_some_and(|token| !token.quoted && number(token.text).is_some())
    }

    /// Goes on behind the last of these signs; whether there is one ahead.
    pub(super) fn skip_behind_last(&mut self, sign: &str) -> bool {
        let mut signs = self
            .tokens
            .iter()
            .enumerate()
            .skip(self.next)
            .filter(|(_, token)| !token.quoted && token.text == sign);
        let last = signs.next_back();
        let behind = last.map(|(index, _)| index + 1);
        self.next = behind.unwrap_or(self.next);
        behind.is_some()
    }

    /// Whether a text in quotation marks stands next.
    pub(super) fn text_is_next(&self) -> bool {
        self.peek().is_some_and(|token| token.quoted)
    }
}
