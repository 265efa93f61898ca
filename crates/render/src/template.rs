//! Templates: `{army:<8}: {x:>4}/{y:>4}`, compiled once and filled millions of times.
//!
//! `{name}` is a value as it is, `{name:>4}` right-aligned in four columns, `{name:<7}` left-aligned in seven, `{name:02}` a
//! number with leading zeros, `{name:+}` a number that is added or taken away (`+ 5`, `- 2`), `{name:#}` a number that names something, such as a
//! year, so that pages do not part its digits, `{name:?Zug/Züge}` the word for one or for any other number. A value longer than its column is never cut. `{{` and `}}` are braces. Columns count characters, not
//! bytes.

use kernel::diagnostic::{Name, Value};
use kernel::report::Arg;

/// What is wrong with a template.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// A brace without its partner.
    #[error("a brace at byte {0} has no partner")]
    Brace(usize),
    /// The part after the colon is none of `>n`, `<n`, `0n`, `+`, `#`, `?one/other`.
    #[error("{0:?} is no format; there are +, #, ?one/other, and >n, <n and 0n with n from 1 to 200")]
    Format(String),
    /// A placeholder without a name.
    #[error("a placeholder has no name")]
    Nameless,
}

/// How a value stands in its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Plain,
    Right(u16),
    Left(u16),
    Zeros(u16),
    Signed,
    /// A number that names something and counts nothing, such as a year: no page parts its digits.
    Name,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(Box<str>),
    Value {
        name: Box<str>,
        column: Column,
    },
    /// A word that depends on a number.
    Counted {
        name: Box<str>,
        one: Box<str>,
        other: Box<str>,
    },
}

/// A compiled template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Template {
    pieces: Vec<Piece>,
}

/// The widest column.
const WIDEST: u16 = 200;

impl Template {
    /// Compiles a template.
    ///
    /// # Errors
    /// The first mistake in it.
    pub fn new(source: &str) -> Result<Self, TemplateError> {
        let mut pieces = Vec::new();
        let mut text = String::new();
        let mut rest = source;
        let at = |rest: &str| source.len() - rest.len();
        while let Some(brace) = rest.find(['{', '}']) {
            let (before, after) = rest.split_at(brace);
            text.push_str(before);
            if let Some(next) = after.strip_prefix("{{") {
                text.push('{');
                rest = next;
            } else if let Some(next) = after.strip_prefix("}}") {
                text.push('}');
                rest = next;
            } else if let Some(inner) = after.strip_prefix('{') {
                let Some(end) = inner.find(['{', '}']).filter(|&e| inner[e..].starts_with('}')) else {
                    return Err(TemplateError::Brace(at(after)));
                };
                if !text.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut text).into()));
                }
                pieces.push(placeholder(&inner[..end])?);
                rest = &inner[end + 1..];
            } else {
                return Err(TemplateError::Brace(at(after)));
            }
        }
        text.push_str(rest);
        if !text.is_empty() {
            pieces.push(Piece::Text(text.into()));
        }
        Ok(Self { pieces })
    }

    /// A template that is nothing but this text.
    pub fn plain(text: &str) -> Self {
        Self {
            pieces: vec![Piece::Text(text.into())],
        }
    }

    /// Whether it is empty, which in a report means an empty line or no heading.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Whether it is a sentence or the head of a list, to be set in a book face, and not a row of a table, which wants
    /// letters of equal width: a sentence aligns nothing and ends with its mark.
    pub fn is_sentence(&self) -> bool {
        !self.aligns()
            && matches!(self.pieces.last(), Some(Piece::Text(text)) if text.trim_end().ends_with(['.', '!', '?', ':']))
    }

    /// Whether it only names what the next lines are about: it ends with a colon.
    pub fn is_head(&self) -> bool {
        matches!(self.pieces.last(), Some(Piece::Text(text)) if text.trim_end().ends_with(':'))
    }

    /// Whether it puts values into columns of equal width.
    pub fn aligns(&self) -> bool {
        self.pieces.iter().any(|piece| {
            matches!(
                piece,
                Piece::Value {
                    column: Column::Left(_) | Column::Right(_),
                    ..
                }
            )
        })
    }

    /// The name of its value, if it is nothing but one value.
    pub fn only_value(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [Piece::Value { name, .. }] => Some(name),
            _ => None,
        }
    }

    /// The names of its values in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Text(_) | Piece::Counted { .. } => None,
            Piece::Value { name, .. } => Some(&**name),
        })
    }

    /// Appends the filled template. A value that is not there shows as its name in braces, so that a mistake is seen and
    /// costs no line.
    pub fn fill<V: Argument>(&self, out: &mut Vec<u8>, args: &[V], words: &dyn Words) {
        let mut ordinal = 0;
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.extend_from_slice(text.as_bytes()),
                Piece::Counted { name, one, other } => {
                    let number = args
                        .iter()
                        .find(|arg| arg.name() == &**name)
                        .and_then(Argument::integer);
                    let word = if number == Some(1) { one } else { other };
                    out.extend_from_slice(word.as_bytes());
                }
                Piece::Value { name, column } => {
                    // Values mostly come in the order of the template; only otherwise they are searched.
                    let found = args
                        .get(ordinal)
                        .filter(|arg| arg.name() == &**name)
                        .or_else(|| args.iter().find(|arg| arg.name() == &**name));
                    ordinal += 1;
                    // Numbers in columns are the bulk of a report and need no second look at what was written.
                    if let (Column::Right(width), Some(number)) = (column, found.and_then(Argument::integer)) {
                        push_right(out, number, usize::from(*width));
                        continue;
                    }
                    let start = out.len();
                    if let (Column::Signed, Some(number)) = (column, found.and_then(Argument::integer)) {
                        out.extend_from_slice(if number < 0 { b"- " } else { b"+ " });
                        push_integer(out, number.saturating_abs());
                        continue;
                    }
                    if let (Column::Name, Some(number)) = (column, found.and_then(Argument::integer)) {
                        push_integer(out, number);
                        continue;
                    }
                    match found {
                        Some(arg) => arg.push(out, words),
                        None => {
                            out.push(b'{');
                            out.extend_from_slice(name.as_bytes());
                            out.push(b'}');
                        }
                    }
                    align(out, start, *column);
                }
            }
        }
    }
}

fn placeholder(inner: &str) -> Result<Piece, TemplateError> {
    let (name, format) = inner.split_once(':').unwrap_or((inner, ""));
    if name.is_empty() {
        return Err(TemplateError::Nameless);
    }
    let wrong = || TemplateError::Format(format.to_owned());
    if let Some(words) = format.strip_prefix('?') {
        let (one, other) = words.split_once('/').ok_or_else(wrong)?;
        return Ok(Piece::Counted {
            name: name.into(),
            one: one.into(),
            other: other.into(),
        });
    }
    let mut letters = format.chars();
    let column = match letters.next() {
        None => Column::Plain,
        Some('+') if letters.as_str().is_empty() => Column::Signed,
        Some('#') if letters.as_str().is_empty() => Column::Name,
        Some(kind) => {
            let width = letters
                .as_str()
                .parse::<u16>()
                .ok()
                .filter(|w| (1..=WIDEST).contains(w));
            let width = width.ok_or_else(wrong)?;
            match kind {
                '>' => Column::Right(width),
                '<' => Column::Left(width),
                '0' => Column::Zeros(width),
                _ => return Err(wrong()),
            }
        }
    };
    Ok(Piece::Value {
        name: name.into(),
        column,
    })
}

/// Finds the words of keys.
pub trait Words {
    /// The words of a key, which may hold values of their own.
    fn word(&self, key: &str) -> Option<&Template>;
    /// What stands before the last of several words.
    fn last_joint(&self) -> &str;
    /// Appends a number that counts something.
    fn number(&self, out: &mut Vec<u8>, number: i64) {
        push_integer(out, number);
    }
}

/// A named value, from a report line or from a stored message.
pub trait Argument {
    /// Its name in the template.
    fn name(&self) -> &str;
    /// Appends the value as text.
    fn push(&self, out: &mut Vec<u8>, words: &dyn Words);
    /// The value if it is a number.
    fn integer(&self) -> Option<i64>;
}

impl Argument for (&str, Arg<'_>) {
    fn name(&self) -> &str {
        self.0
    }
    fn push(&self, out: &mut Vec<u8>, words: &dyn Words) {
        push_arg(out, self.1, words);
    }
    fn integer(&self) -> Option<i64> {
        match self.1 {
            Arg::Int(number) | Arg::Value(&Value::Int(number)) => Some(number),
            _ => None,
        }
    }
}

impl Argument for (Name, Value) {
    fn name(&self) -> &str {
        &self.0
    }
    fn push(&self, out: &mut Vec<u8>, words: &dyn Words) {
        push_value(out, &self.1, words);
    }
    fn integer(&self) -> Option<i64> {
        match self.1 {
            Value::Int(number) => Some(number),
            _ => None,
        }
    }
}

fn push_arg(out: &mut Vec<u8>, arg: Arg<'_>, words: &dyn Words) {
    match arg {
        Arg::Int(number) => words.number(out, number),
        Arg::Text(text) => push_clean(out, text),
        Arg::Word(key) => push_word(out, key, words),
        Arg::List(phrases, between) => {
            for (n, phrase) in phrases.iter().enumerate() {
                if n > 0 {
                    out.extend_from_slice(between.as_bytes());
                }
                push_phrase(out, phrase.key, phrase.args, words);
            }
        }
        Arg::Value(value) => push_value(out, value, words),
    }
}

fn push_value(out: &mut Vec<u8>, value: &Value, words: &dyn Words) {
    match value {
        Value::Int(number) => words.number(out, *number),
        Value::Text(text) => push_clean(out, text),
        Value::Word { word } => push_word(out, word, words),
        Value::Words { words: keys } => {
            for (n, key) in keys.iter().enumerate() {
                if n > 0 {
                    let joint = if n + 1 == keys.len() { words.last_joint() } else { ", " };
                    out.extend_from_slice(joint.as_bytes());
                }
                push_word(out, key, words);
            }
        }
        Value::Phrase { phrase, args } => push_phrase(out, phrase, args, words),
    }
}

fn push_word(out: &mut Vec<u8>, key: &str, words: &dyn Words) {
    push_phrase::<(&str, Arg<'_>)>(out, key, &[], words);
}

fn push_phrase<A: Argument>(out: &mut Vec<u8>, key: &str, args: &[A], words: &dyn Words) {
    match words.word(key) {
        Some(template) => template.fill(out, args, words),
        None => push_clean(out, key),
    }
}

/// Brings what was written from `start` on to the width of its column.
fn align(out: &mut Vec<u8>, start: usize, column: Column) {
    let width = match column {
        Column::Plain | Column::Signed | Column::Name => return,
        Column::Right(width) | Column::Left(width) | Column::Zeros(width) => usize::from(width),
    };
    let written = out.get(start..).unwrap_or_default();
    // Continuation bytes of UTF-8 are no characters of their own.
    let characters = written.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
    let missing = width.saturating_sub(characters);
    if missing == 0 {
        return;
    }
    let (fill, after_sign) = match column {
        Column::Zeros(_) => (b'0', usize::from(written.first() == Some(&b'-'))),
        _ => (b' ', 0),
    };
    let end = out.len();
    out.resize(end + missing, fill);
    if !matches!(column, Column::Left(_)) {
        let first = start + after_sign;
        out.copy_within(first..end, first + missing);
        if let Some(gap) = out.get_mut(first..first + missing) {
            gap.fill(fill);
        }
    }
}

/// The decimal digits of a number at the end of a buffer, and where they begin.
fn digits(number: i64) -> ([u8; 20], usize) {
    let mut digits = [b'0'; 20];
    let mut rest = number.unsigned_abs();
    let mut start = digits.len();
    for (place, digit) in digits.iter_mut().enumerate().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
        start = place;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        // The largest number has 19 digits, so there is always room for the sign.
        start = start.saturating_sub(1);
        if let Some(sign) = digits.get_mut(start) {
            *sign = b'-';
        }
    }
    (digits, start)
}

/// A number with its digits in groups of three, as the language writes them.
pub fn grouped(language: crate::locale::Language, number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let between = match language {
        crate::locale::Language::German => '.',
        crate::locale::Language::English => ',',
    };
    let mut text = String::new();
    if number < 0 {
        text.push('\u{2212}');
    }
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(between);
        }
        text.push(digit);
    }
    text
}

/// Appends a number in decimal.
pub(crate) fn push_integer(out: &mut Vec<u8>, number: i64) {
    let (digits, start) = digits(number);
    out.extend_from_slice(digits.get(start..).unwrap_or_default());
}

/// Appends a number right-aligned in a column.
fn push_right(out: &mut Vec<u8>, number: i64, width: usize) {
    const BLANKS: [u8; 32] = [b' '; 32];
    let (digits, start) = digits(number);
    let mut missing = width.saturating_sub(digits.len() - start);
    while missing > 0 {
        let now = missing.min(BLANKS.len());
        out.extend_from_slice(BLANKS.get(..now).unwrap_or_default());
        missing -= now;
    }
    out.extend_from_slice(digits.get(start..).unwrap_or_default());
}

/// Appends text that somebody chose: control characters, which could forge lines or command a terminal, become blanks.
pub(crate) fn push_clean(out: &mut Vec<u8>, text: &str) {
    // Bytes from 0x20 to 0x7e need no look; only 0xc2 can begin one of the upper control characters.
    if text.bytes().all(|byte| byte >= 0x20 && byte != 0x7f && byte != 0xc2) {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    let mut bytes = [0u8; 4];
    for character in text.chars() {
        let character = if character.is_control() { ' ' } else { character };
        out.extend_from_slice(character.encode_utf8(&mut bytes).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::report::Phrase;

    struct Few(Template, Template);

    impl Words for Few {
        fn word(&self, key: &str) -> Option<&Template> {
            match key {
                "spring" => Some(&self.0),
                "aboard" => Some(&self.1),
                _ => None,
            }
        }
        fn last_joint(&self) -> &str {
            " oder "
        }
    }

    fn filled<V: Argument>(template: &str, args: &[V]) -> String {
        let words = Few(
            Template::new("Frühling").unwrap(),
            Template::new("an Bord {fleet}").unwrap(),
        );
        let mut out = Vec::new();
        Template::new(template).unwrap().fill(&mut out, args, &words);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_list_joins_its_phrases() {
        let fleet = [("fleet", Arg::Text("S.L 1"))];
        let phrases = [
            Phrase {
                key: "aboard",
                args: &fleet,
            },
            Phrase {
                key: "spring",
                args: &[],
            },
        ];
        let list = |n: usize| [("special", Arg::List(&phrases[..n], ", "))];
        assert_eq!(filled("[{special}]", &list(0)), "[]");
        assert_eq!(filled("[{special}]", &list(1)), "[an Bord S.L 1]");
        assert_eq!(filled("[{special:<30}]", &list(2)), "[an Bord S.L 1, Frühling       ]");
    }

    #[test]
    fn a_phrase_that_a_message_keeps_is_filled_with_its_values() {
        let aboard = Value::Phrase {
            phrase: Name::Borrowed("aboard"),
            args: vec![(Name::Borrowed("fleet"), Value::Text("S.L 1".to_owned()))],
        };
        assert_eq!(
            filled("[{where}]", &[("where", Arg::Value(&aboard))]),
            "[an Bord S.L 1]"
        );
        let number = Value::Int(-2);
        assert_eq!(filled("12 {p:+} =", &[("p", Arg::Value(&number))]), "12 - 2 =");
        assert_eq!(
            filled("[{where}]", &[(Name::Borrowed("where"), aboard)]),
            "[an Bord S.L 1]"
        );
    }

    #[test]
    fn one_has_a_word_of_its_own() {
        let turns = |number: i64| [("turns", Arg::Int(number))];
        let left = "noch {turns} {turns:?Zug/Züge}";
        for (number, said) in [
            (0, "noch 0 Züge"),
            (1, "noch 1 Zug"),
            (2, "noch 2 Züge"),
            (-1, "noch -1 Züge"),
        ] {
            assert_eq!(filled(left, &turns(number)), said);
        }
        assert_eq!(filled("{left:?leaf/leaves}", &turns(1)), "leaves");
        assert!(Template::new("{turns:?Zug}").is_err());
        // Only values are compared between languages: one of them may need no such word.
        assert_eq!(Template::new(left).unwrap().names().collect::<Vec<_>>(), ["turns"]);
    }

    #[test]
    fn several_words_are_listed() {
        let words = |keys: &[&'static str]| {
            let words = keys.iter().map(|&key| Name::Borrowed(key)).collect();
            [(Name::Borrowed("w"), Value::Words { words })]
        };
        assert_eq!(filled("{w}", &words(&["spring"])), "Frühling");
        assert_eq!(filled("{w}", &words(&["a", "spring"])), "a oder Frühling");
        assert_eq!(filled("{w}", &words(&["a", "b", "c"])), "a, b oder c");
    }

    #[test]
    fn columns_are_filled_to_their_width_and_never_cut() {
        let x = |n| [("x", Arg::Int(n))];
        assert_eq!(filled("[{x:>4}]", &x(123)), "[ 123]");
        assert_eq!(filled("[{x:>4}]", &x(1234)), "[1234]");
        assert_eq!(filled("[{x:>4}]", &x(12345)), "[12345]");
        assert_eq!(filled("[{x:<4}]", &x(-1)), "[-1  ]");
        assert_eq!(filled("[{x:02}]", &x(1)), "[01]");
        assert_eq!(filled("[{x:02}]", &x(13)), "[13]");
        assert_eq!(filled("[{x:04}]", &x(-7)), "[-007]");
        assert_eq!(filled("[{x}]", &x(i64::MIN)), "[-9223372036854775808]");
        assert_eq!(filled("[{x:>21}]", &x(i64::MIN)), "[ -9223372036854775808]");
        assert_eq!(filled("{x:>70}", &x(0)).len(), 70);
    }

    #[test]
    fn columns_count_characters_and_not_bytes() {
        let name = [("name", Arg::Text("Bär"))];
        assert_eq!(filled("{name:<5}|", &name), "Bär  |");
        assert_eq!(filled("{name:>5}|", &name), "  Bär|");
        assert_eq!(filled("{s:>10}", &[("s", Arg::Word("spring"))]), "  Frühling");
    }

    #[test]
    fn values_are_found_by_name_in_any_order_and_missing_ones_show() {
        let args = [("b", Arg::Int(2)), ("a", Arg::Int(1))];
        assert_eq!(filled("{a}{b}{a} {c} {{}}", &args), "121 {c} {}");
        assert_eq!(filled("{w}", &[("w", Arg::Word("unheard"))]), "unheard");
        let sum = |points: i64| filled("12 {p:+} =", &[("p", Arg::Int(points))]);
        assert_eq!([sum(5), sum(0), sum(-2)], ["12 + 5 =", "12 + 0 =", "12 - 2 ="]);
        assert!(Template::new("{p:+2}").is_err());
    }

    #[test]
    fn a_name_cannot_forge_a_line_or_command_a_terminal() {
        let args = [("n", Arg::Text("a\nb\u{1b}[31m\u{9b}c"))];
        assert_eq!(filled("{n}", &args), "a b [31m c");
    }

    #[test]
    fn mistakes_in_templates_are_named() {
        let error = |source| Template::new(source).unwrap_err();
        assert_eq!(error("ab}"), TemplateError::Brace(2));
        assert_eq!(error("{a"), TemplateError::Brace(0));
        assert_eq!(error("{a{b}}"), TemplateError::Brace(0));
        assert_eq!(error("{}"), TemplateError::Nameless);
        assert_eq!(error("{a:^4}"), TemplateError::Format("^4".into()));
        assert_eq!(error("{a:>0}"), TemplateError::Format(">0".into()));
        assert_eq!(error("{a:>201}"), TemplateError::Format(">201".into()));
        assert!(Template::new("{a:>200}").is_ok());
    }

    #[test]
    fn a_sentence_aligns_nothing_and_ends_with_its_mark() {
        let is_sentence = |source| Template::new(source).unwrap().is_sentence();
        assert!(is_sentence("  {army} hat Feld {x}/{y} erobert."));
        assert!(is_sentence("Kampf auf {x}/{y}:"));
        assert!(is_sentence("W{week:02}."));
        assert!(!is_sentence("  A : {realm}.{kind} {id} {count}"));
        assert!(!is_sentence("{n:>5} Felder."));
        assert!(!is_sentence("Einnahmen   : {n} GS"));
        assert!(!is_sentence(""));
        assert!(Template::new("").unwrap().is_empty());
    }
}
