//! The words of one line, taken one by one.

use crate::board::direction_from_code;
use crate::kinds::Kind;
use crate::order::{FieldName, Figures, LevelName, Named, Object, SideName};
use crate::rule;
use kernel::diagnostic::{Diagnostic, Span, Spanned};
use kernel::hex::Direction;
use kernel::province::FIELDS_PER_PROVINCE;

/// A finding, boxed because it is rare and large.
pub(super) type Fault = Box<Diagnostic>;

/// Figures that one list may name.
const LIST_MAX: usize = 200;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'a> {
    Word(&'a str),
    Arrow,
    Next,
    Comma,
}

impl<'a> Token<'a> {
    const fn text(self) -> &'a str {
        match self {
            Self::Word(word) => word,
            Self::Arrow => "->",
            Self::Next => ">",
            Self::Comma => ",",
        }
    }
}

/// The words of a line.
pub(super) struct Words<'a> {
    tokens: Vec<(Token<'a>, Span)>,
    at: usize,
    line: u32,
    end: u32,
}

impl<'a> Words<'a> {
    pub(super) fn new(content: &'a str, line: u32) -> Self {
        let tokens = tokens(content, line);
        let end = u32::try_from(content.trim_end().chars().count()).unwrap_or(u32::MAX);
        Self {
            tokens,
            at: 0,
            line,
            end: end.saturating_add(1),
        }
    }

    /// The whole line.
    pub(super) fn whole(&self) -> Span {
        let column = self.tokens.first().map_or(1, |(_, span)| span.column);
        Span {
            line: self.line,
            column,
            length: self.end.saturating_sub(column),
        }
    }

    fn peek(&self) -> Option<(Token<'a>, Span)> {
        self.tokens.get(self.at).copied()
    }

    /// Where the next word stands, or the end of the line.
    pub(super) fn here(&self) -> Span {
        self.peek().map_or(
            Span {
                line: self.line,
                column: self.end,
                length: 0,
            },
            |(_, span)| span,
        )
    }

    pub(super) fn fault(&self, code: &'static str) -> Fault {
        self.fault_at(code, self.here())
    }

    pub(super) fn fault_at(&self, code: &'static str, span: Span) -> Fault {
        let found = match self.peek() {
            Some((Token::Word(word), _)) => word.to_owned(),
            Some((Token::Arrow, _)) => "->".to_owned(),
            Some((Token::Next, _)) => ">".to_owned(),
            Some((Token::Comma, _)) => ",".to_owned(),
            None => String::new(),
        };
        Box::new(Diagnostic::error(code, span, &[rule::R0_2_1]).with("found", found))
    }

    /// Nothing may follow.
    pub(super) fn end(&self) -> Result<(), Fault> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.fault("line-goes-on")),
        }
    }

    /// Whether one of the words to come begins so.
    pub(super) fn names(&self, word: &str) -> bool {
        let left = self.tokens.get(self.at..).unwrap_or_default();
        left.iter()
            .any(|(token, _)| matches!(token, Token::Word(found) if plain(found).starts_with(word)))
    }

    /// The next word, in capitals and with umlauts written out.
    pub(super) fn keyword(&self) -> Option<String> {
        match self.peek() {
            Some((Token::Word(word), _)) => Some(plain(word)),
            _ => None,
        }
    }

    /// Takes the next word if it is this keyword.
    pub(super) fn take(&mut self, keyword: &str) -> bool {
        let found = self.keyword().is_some_and(|word| word == keyword);
        self.at += usize::from(found);
        found
    }

    /// Takes this keyword or finds fault.
    pub(super) fn expect(&mut self, keyword: &'static str) -> Result<(), Fault> {
        if self.take(keyword) {
            return Ok(());
        }
        let mut fault = self.fault("expected-word");
        *fault = fault.with("word", keyword);
        Err(fault)
    }

    fn token(&mut self, token: Token<'_>) -> bool {
        let found = self.peek().is_some_and(|(next, _)| next == token);
        self.at += usize::from(found);
        found
    }

    /// Takes `->` or finds fault.
    pub(super) fn arrow(&mut self) -> Result<(), Fault> {
        if self.token(Token::Arrow) {
            return Ok(());
        }
        let mut fault = self.fault("expected-word");
        *fault = fault.with("word", "->");
        Err(fault)
    }

    /// Takes `>` if it comes next.
    pub(super) fn next_step(&mut self) -> bool {
        self.token(Token::Next)
    }

    /// Takes `,` if it comes next.
    pub(super) fn comma(&mut self) -> bool {
        self.token(Token::Comma)
    }

    /// The next word as whatever `read` makes of it.
    pub(super) fn read<T>(
        &mut self,
        code: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Spanned<T>, Fault> {
        match self.peek() {
            Some((Token::Word(word), span)) => match read(word) {
                Some(value) => {
                    self.at += 1;
                    Ok(Spanned { span, value })
                }
                None => Err(self.fault(code)),
            },
            _ => Err(self.fault(code)),
        }
    }

    pub(super) fn number(&mut self) -> Result<Spanned<u32>, Fault> {
        self.read("expected-number", |word| word.parse().ok())
    }

    /// The rest of the words of a name.
    pub(super) fn name(&mut self) -> Result<Spanned<String>, Fault> {
        let first = self.read("expected-name", |word| Some(word.to_owned()))?;
        Ok(first)
    }

    /// All that follows on the line as one name.
    pub(super) fn rest(&mut self) -> Result<Spanned<String>, Fault> {
        let mut name = self.name()?;
        while let Some((Token::Word(word), span)) = self.peek() {
            self.at += 1;
            name.value.push(' ');
            name.value.push_str(word);
            name.span.length = span.column + span.length - name.span.column;
        }
        Ok(name)
    }

    /// Everything that is left of the line, whatever it is.
    pub(super) fn all(&mut self) -> String {
        let words: Vec<&str> = self
            .tokens
            .iter()
            .skip(self.at)
            .map(|(token, _)| token.text())
            .collect();
        self.at = self.tokens.len();
        words.join(" ")
    }

    pub(super) fn figure(&mut self) -> Result<Spanned<Named>, Fault> {
        self.read("expected-figure", named)
    }

    pub(super) fn figure_if_any(&mut self) -> Result<Option<Spanned<Named>>, Fault> {
        match self.peek() {
            None => Ok(None),
            Some(_) => self.figure().map(Some),
        }
    }

    pub(super) fn figures(&mut self) -> Result<Spanned<Figures>, Fault> {
        if let Ok(counted) = self.read("expected-figures", counted) {
            return Ok(counted);
        }
        let first = self.read("expected-figures", named)?;
        let mut span = first.span;
        let mut list = vec![first];
        while self.comma() {
            if list.len() >= LIST_MAX {
                return Err(self.fault("list-too-long"));
            }
            let next = self.figure()?;
            span.length = next.span.column + next.span.length - span.column;
            list.push(next);
        }
        Ok(Spanned {
            span,
            value: Figures::List(list),
        })
    }

    pub(super) fn field(&mut self) -> Result<Spanned<FieldName>, Fault> {
        self.read("expected-field", field)
    }

    /// Fields parted by commas.
    pub(super) fn fields(&mut self) -> Result<Vec<Spanned<FieldName>>, Fault> {
        let mut list = vec![self.field()?];
        while self.comma() {
            if list.len() >= LIST_MAX {
                return Err(self.fault("list-too-long"));
            }
            list.push(self.field()?);
        }
        Ok(list)
    }

    pub(super) fn level(&mut self) -> Result<Spanned<LevelName>, Fault> {
        self.read("expected-level", level)
    }

    pub(super) fn side(&mut self, code: &'static str) -> Result<Spanned<SideName>, Fault> {
        self.read(code, |word| {
            let (at, side) = word.rsplit_once('-')?;
            Some(SideName {
                at: field(at)?,
                side: direction_from_code(side)?,
            })
        })
    }

    pub(super) fn direction(&mut self) -> Result<Spanned<Direction>, Fault> {
        self.read("expected-direction", direction_from_code)
    }

    pub(super) fn kind(&mut self) -> Result<Spanned<Kind>, Fault> {
        self.read("expected-kind", Kind::from_code)
    }

    pub(super) fn object(&mut self) -> Result<Spanned<Object>, Fault> {
        let begin = self.here();
        if self.take("HZ") {
            let field = self.field()?;
            let mut span = begin;
            span.length = field.span.column + field.span.length - begin.column;
            return Ok(Spanned {
                span,
                value: Object::Centre(field.value),
            });
        }
        if let Ok(gate) = self.side("expected-object") {
            return Ok(Spanned {
                span: gate.span,
                value: Object::Gate(gate.value),
            });
        }
        let figure = self.read("expected-object", named)?;
        Ok(Spanned {
            span: figure.span,
            value: Object::Figure(figure.value),
        })
    }
}

/// In capitals, umlauts and sharp s written out.
pub(super) fn plain(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    for letter in word.chars().flat_map(char::to_uppercase) {
        match letter {
            'Ä' => out.push_str("AE"),
            'Ö' => out.push_str("OE"),
            'Ü' => out.push_str("UE"),
            'ß' | 'ẞ' => out.push_str("SS"),
            other => out.push(other),
        }
    }
    out
}

fn tokens(content: &str, line: u32) -> Vec<(Token<'_>, Span)> {
    let mut tokens = Vec::new();
    // The byte and column where the word began that is being read.
    let mut begin: Option<(usize, u32)> = None;
    let mut letters = content.char_indices().zip(1u32..).peekable();
    let span = |column: u32, length: u32| Span { line, column, length };
    while let Some(((at, letter), column)) = letters.next() {
        let arrow = letter == '-' && letters.peek().is_some_and(|((_, next), _)| *next == '>');
        let sign = match letter {
            _ if arrow => Some((Token::Arrow, 2)),
            '>' => Some((Token::Next, 1)),
            ',' => Some((Token::Comma, 1)),
            _ => None,
        };
        if sign.is_none() && !letter.is_whitespace() {
            begin.get_or_insert((at, column));
            continue;
        }
        if let Some((from, first)) = begin.take() {
            tokens.push((Token::Word(&content[from..at]), span(first, column - first)));
        }
        if let Some((token, length)) = sign {
            tokens.push((token, span(column, length)));
        }
        if arrow {
            letters.next();
        }
    }
    if let Some((from, first)) = begin {
        let length = u32::try_from(content[from..].chars().count()).unwrap_or(u32::MAX);
        tokens.push((Token::Word(&content[from..]), span(first, length)));
    }
    tokens
}

/// `LB#3`.
fn named(word: &str) -> Option<Named> {
    let (kind, number) = word.split_once('#')?;
    Some(Named {
        kind: Kind::from_code(kind)?,
        number: number.parse().ok()?,
    })
}

/// `2LB` or `LB`.
fn counted(word: &str) -> Option<Figures> {
    let digits = word.len() - word.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
    let (count, kind) = word.split_at(digits);
    let count = if count.is_empty() { 1 } else { count.parse().ok()? };
    Some(Figures::Count(count, Kind::from_code(kind)?)).filter(|_| count > 0)
}

/// `17`, `17.P`, `2N+4/17.1`.
fn field(word: &str) -> Option<FieldName> {
    let (province, rest) = match word.rsplit_once('/') {
        Some((province, rest)) if !province.is_empty() => (Some(province.to_owned()), rest),
        Some(_) => return None,
        None => (None, word),
    };
    let (number, level) = match rest.split_once('.') {
        Some((number, text)) => (number, level(text)?),
        None => (rest, LevelName::Unsaid),
    };
    let number: u16 = number.parse().ok()?;
    (1..=u16::from(FIELDS_PER_PROVINCE))
        .contains(&number)
        .then_some(FieldName {
            province,
            number,
            level,
        })
}

fn level(word: &str) -> Option<LevelName> {
    if word.eq_ignore_ascii_case("P") {
        return Some(LevelName::Platform);
    }
    word.parse().ok().map(LevelName::Number)
}
