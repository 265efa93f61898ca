//! Reading the words of a line along the fields of its verb.
//!
//! THO-ORD-04..07, THO-ORD-10, THO-MAP-02, THO-MAP-06, GAP-04. The first fault ends the line: what follows a missing word
//! would be read in the wrong place.

use super::{Bounds, Seat, Token, length, mend, special};
use crate::codes::{Building, Command, Flag, Kind, Network, Treaty};
use crate::geo::Place;
use crate::grammar::{Field, Section, Verb, What};
use crate::guess;
use crate::order::{Route, Special, WEEKS};
use crate::rule;
use crate::state::{ArmyName, Computer};
use kernel::diagnostic::{Diagnostic, Span, Spanned};
use kernel::hex::Direction;
use kernel::realm::RealmId;
use kernel::rule::RuleId;

/// The greatest number of nine digits.
pub(super) const MAX_NUMBER: i64 = 999_999_999;

/// The words of a line, read one after another.
pub(super) struct Words<'a> {
    tokens: Vec<Token<'a>>,
    next: usize,
    /// The line without its comment.
    line: &'a str,
    /// Whose fields are read.
    pub(super) fields: &'static [Field],
    /// Key of the pattern that messages show.
    pub(super) pattern: &'static str,
    /// The rules of the form.
    pub(super) rules: &'static [RuleId],
    section: Section,
}

impl<'a> Words<'a> {
    pub(super) fn new(verb: &'static Verb, line: &'a str, tokens: Vec<Token<'a>>) -> Self {
        let Verb {
            fields,
            pattern,
            rules,
            section,
            ..
        } = *verb;
        Self {
            tokens,
            next: 0,
            line,
            fields,
            pattern,
            rules,
            section,
        }
    }

    /// The next word, if there is one.
    pub(super) fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.next).copied()
    }

    /// The words not read yet.
    pub(super) fn rest(&self) -> &[Token<'a>] {
        self.tokens.get(self.next..).unwrap_or_default()
    }

    /// The text and place of the words not read yet.
    pub(super) fn rest_of_line(&self) -> Option<(String, Span)> {
        let (first, last) = (self.rest().first()?, self.rest().last()?);
        let span = Span {
            line: first.line,
            column: first.column,
            length: last.end() - first.column,
        };
        let skipped = usize::try_from(first.column).unwrap_or(usize::MAX).saturating_sub(1);
        let text: String = self.line.chars().skip(skipped).collect();
        Some((text.trim_end().to_owned(), span))
    }

    /// Reads a word, or says which one is missing (S01).
    pub(super) fn take(&mut self, word: &'static str) -> Result<Token<'a>, Diagnostic> {
        let token = self.peek().ok_or_else(|| self.missing(word))?;
        self.next += 1;
        Ok(token)
    }

    /// Takes `read` off the beginning of the next word.
    fn shorten(&mut self, read: &str) {
        if let Some(token) = self.tokens.get_mut(self.next) {
            token.column += length(read);
            token.text = token.text.strip_prefix(read).unwrap_or_default();
            if token.text.is_empty() {
                self.next += 1;
            }
        }
    }

    /// S01: a word is missing, at the place where it should stand.
    fn missing(&self, word: &'static str) -> Diagnostic {
        self.missing_as(self.next, word)
    }

    /// The same for a word that should have been number `place` of its line.
    fn missing_as(&self, place: usize, word: &'static str) -> Diagnostic {
        let before = place.checked_sub(1).and_then(|last| self.tokens.get(last));
        let span = before.map_or(Span::default(), |last| Span {
            line: last.line,
            column: last.end(),
            length: 0,
        });
        let finding = Diagnostic::error("S01", span, self.rules)
            .with_word("feld", word)
            .with_word("muster", self.pattern);
        match self.completion(word) {
            Some(rest) => finding.mended_by(span, rest),
            None => finding,
        }
    }

    /// A missing word and those that must follow it, as they could be written.
    fn completion(&self, word: &'static str) -> Option<String> {
        let needed = self.fields.iter().filter(|field| !field.optional);
        let words = needed.flat_map(|field| field.what.words().iter().copied());
        let missing = words.skip_while(|own| *own != word);
        let samples: Option<Vec<&str>> = missing.map(sample).collect();
        samples
            .filter(|samples| !samples.is_empty())
            .map(|samples| format!(" {}", samples.join(" ")))
    }

    /// S02: words are left over.
    pub(super) fn end(&self) -> Result<(), Diagnostic> {
        match self.rest_of_line() {
            None => Ok(()),
            Some((rest, span)) => {
                let finding = Diagnostic::error("S02", span, self.rules).with("rest", rest);
                Err(finding.with_word("muster", self.pattern).mended_by(span, ""))
            }
        }
    }
}

/// What a player could write for a word that he left out: an order that stays where it is and does no harm.
fn sample(word: &'static str) -> Option<&'static str> {
    Some(match word {
        "field-x" | "field-y" => "0",
        "field-number" | "field-direction" | "field-sides" => "1",
        "field-count" | "field-amount" => "1000",
        "field-route" => "0000000000000",
        "field-command" => "V+",
        "field-treaty" => "A",
        "field-computer" => "PC",
        _ => return None,
    })
}

/// What the fields of a line say.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub(super) building: Option<Building>,
    pub(super) network: Option<Network>,
    pub(super) fit: bool,
    pub(super) army: Option<Spanned<ArmyName>>,
    pub(super) count: Option<Spanned<i64>>,
    pub(super) place: Option<Spanned<Place>>,
    pub(super) direction: Option<Spanned<Direction>>,
    pub(super) sides: Vec<Spanned<Direction>>,
    pub(super) route: Option<Spanned<Route>>,
    pub(super) command: Option<Spanned<Command>>,
    pub(super) flag: Option<Flag>,
    pub(super) special: Option<Spanned<Special>>,
    pub(super) realm: Option<Spanned<RealmId>>,
    pub(super) amount: Option<Spanned<i64>>,
    pub(super) treaty: Option<Treaty>,
    pub(super) name: Option<Spanned<String>>,
    pub(super) computer: Option<Computer>,
    pub(super) realm_name: Option<String>,
    pub(super) gate_code: Option<u32>,
    /// A special that is refused while the rest of the line stands.
    pub(super) misfit: Option<Box<Diagnostic>>,
    /// Warnings.
    pub(super) findings: Vec<Diagnostic>,
}

/// Reads a line along the fields of its verb.
pub(super) fn read(bounds: &Bounds, seat: &Seat, mut words: Words<'_>) -> Result<Draft, Diagnostic> {
    let mut draft = Draft::default();
    for field in words.fields {
        read_field(bounds, seat, &mut words, &mut draft, *field)?;
    }
    if draft.name.is_some() {
        join_name(bounds, &words, &draft)?;
    }
    words.end()?;
    if let Some(command) = &draft.command
        && command.value == Command::Destroy
        && !draft
            .special
            .as_ref()
            .is_some_and(|special| matches!(special.value, Special::Raze(_) | Special::Cut(..)))
    {
        let finding = Diagnostic::error("A26", command.span, &[rule::SPEC_12, rule::CMD_06, rule::GAP_04]);
        let flag = draft.flag.map_or("", Flag::code);
        return Err(finding.mended_by(command.span, format!("A{flag}")));
    }
    Ok(draft)
}

/// Reads one field into the draft.
pub(super) fn read_field(
    bounds: &Bounds,
    seat: &Seat,
    words: &mut Words<'_>,
    draft: &mut Draft,
    field: Field,
) -> Result<(), Diagnostic> {
    if field.optional && words.peek().is_none() {
        return Ok(());
    }
    match field.what {
        What::Building => draft.building = Building::from_code(words.take("field-building")?.text),
        What::Network => draft.network = Network::from_code(words.take("field-network")?.text),
        What::Fit => draft.fit = fit(words),
        What::Army => draft.army = Some(army(bounds, words)?),
        What::Count => draft.count = Some(between(words, "field-count", 1, MAX_NUMBER)?),
        What::Place => draft.place = Some(place(seat, words)?),
        What::Direction => draft.direction = Some(direction(words)?),
        What::Sides => draft.sides = sides(bounds, words)?,
        What::Route => draft.route = Some(route(bounds, words, &mut draft.findings)?),
        What::Command => {
            let (command, flag) = command(words)?;
            (draft.command, draft.flag) = (Some(command), Some(flag));
        }
        What::Special => special::read(bounds, seat, words, draft)?,
        What::Realm => {
            let number = between(words, "field-realm", 0, i64::from(u16::MAX))?;
            let value = RealmId(u16::try_from(number.value).unwrap_or(u16::MAX));
            draft.realm = Some(Spanned {
                span: number.span,
                value,
            });
        }
        What::Amount => draft.amount = Some(amount(words)?),
        What::Treaty => draft.treaty = Some(treaty(words)?),
        What::Name => draft.name = Some(name(bounds, words)?),
        What::Setting => {
            words.take("field-setting")?;
        }
        What::Computer => draft.computer = Some(computer(words)?),
        What::RealmName => draft.realm_name = Some(realm_name(bounds, words)?),
        What::GateCode => {
            let code = between(words, "field-gate-code", 0, MAX_NUMBER)?;
            draft.gate_code = u32::try_from(code.value).ok();
        }
        // Read line by line, not word by word.
        What::Recipient | What::Text => {}
    }
    Ok(())
}

/// A whole number without a sign, or with one if `signed`. Nothing for anything else and for more than nine digits.
pub(super) fn number(text: &str, signed: bool) -> Option<i64> {
    let digits = match signed {
        true => text.strip_prefix(['-', '+']).unwrap_or(text),
        false => text,
    };
    let is_number = !digits.is_empty() && digits.len() <= 9 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let value: i64 = digits.parse().ok().filter(|_| is_number)?;
    Some(if text.starts_with('-') { -value } else { value })
}

/// Whether a word consists of digits, with or without a sign: too long or too small, but a number.
pub(super) fn is_numeric(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// S03: a word is no number.
fn no_number(words: &Words<'_>, token: &Token<'_>, field: &'static str) -> Diagnostic {
    let finding = Diagnostic::error("S03", token.span(), words.rules)
        .with("t", token.text)
        .with_word("feld", field);
    // A word written twice.
    let before = words.next.checked_sub(2).and_then(|at| words.tokens.get(at));
    if let Some(before) = before.filter(|before| before.text == token.text) {
        let (from, to) = (before.end(), token.end());
        let again = Span {
            column: from,
            length: to - from,
            ..token.span()
        };
        return finding.mended_by(again, "");
    }
    // Thousands with dots are how people write them; other signs have slipped in.
    let plain: String = token.text.chars().filter(char::is_ascii_digit).collect();
    let signed = if token.text.starts_with('-') {
        format!("-{plain}")
    } else {
        plain
    };
    match is_numeric(&signed) {
        true => finding.mended_by(token.span(), signed),
        false => finding,
    }
}

/// S04: a number is too small or too large.
fn outside(words: &Words<'_>, token: &Token<'_>, field: &'static str, min: i64, max: i64) -> Diagnostic {
    let finding = Diagnostic::error("S04", token.span(), words.rules)
        .with_word("feld", field)
        .with("n", token.text);
    let finding = finding.with("min", min).with("max", max);
    match number(token.text, true) {
        Some(value) if value < min => finding.mended_by(token.span(), min.to_string()),
        _ => finding,
    }
}

/// A number without a sign between two bounds.
fn between(words: &mut Words<'_>, field: &'static str, min: i64, max: i64) -> Result<Spanned<i64>, Diagnostic> {
    let token = words.take(field)?;
    match number(token.text, false) {
        Some(value) if (min..=max).contains(&value) => Ok(Spanned {
            span: token.span(),
            value,
        }),
        None if !is_numeric(token.text) || token.text.starts_with('+') => Err(no_number(words, &token, field)),
        _ => Err(outside(words, &token, field, min, max)),
    }
}

/// THO-ARM-07: `+` before the army, with or without a blank.
fn fit(words: &mut Words<'_>) -> bool {
    let is_fit = words.peek().is_some_and(|token| token.text.starts_with('+'));
    if is_fit {
        words.shorten("+");
    }
    is_fit
}

/// Type.class and number (THO-UNIT-01).
pub(super) fn army(bounds: &Bounds, words: &mut Words<'_>) -> Result<Spanned<ArmyName>, Diagnostic> {
    let first = words.take("field-kind")?;
    let Some(kind) = Kind::from_code(first.text) else {
        let finding = Diagnostic::error("S07", first.span(), &[rule::UNIT_01]).with("t", first.text);
        if is_numeric(first.text) {
            // The kind was left out: any will do, the check finds the army that has this number.
            let before = Span {
                length: 0,
                ..first.span()
            };
            return Err(finding.mended_by(before, format!("{} ", Kind::LightWarrior.code())));
        }
        return Err(match glued(first.text) {
            Some(apart) => finding.mended_by(first.span(), apart),
            None => mend(finding, &first, guess::kind_meant(first.text).map(Kind::code)),
        });
    };
    let second = words.take("field-number")?;
    let is_route = second.text.len() == WEEKS && second.text.bytes().all(|byte| byte.is_ascii_digit());
    if is_route && words.section == Section::March {
        // The number was left out: any will do, the check finds the army that waits for orders.
        let finding = words.missing_as(words.next - 1, "field-number");
        let span = finding.span;
        return Err(finding.mended_by(span, " 1"));
    }
    let span = Span {
        line: first.line,
        column: first.column,
        length: second.end() - first.column,
    };
    match number(second.text, false) {
        Some(value) if (1..=bounds.army_number).contains(&value) => {
            let number = u32::try_from(value).unwrap_or(u32::MAX);
            Ok(Spanned {
                span,
                value: ArmyName::new(kind, number),
            })
        }
        None if !is_numeric(second.text) => Err(no_number(words, &second, "field-number")),
        _ => {
            let finding = Diagnostic::error("S08", second.span(), &[rule::GAP_08]).with("n", second.text);
            let nearest = if second.text.bytes().all(|byte| byte == b'0') || second.text.starts_with('-') {
                1
            } else {
                bounds.army_number
            };
            Err(finding
                .with("max", bounds.army_number)
                .mended_by(second.span(), nearest.to_string()))
        }
    }
}

/// `K.M1`, written apart.
fn glued(text: &str) -> Option<String> {
    let at = text.find(|letter: char| letter.is_ascii_digit())?;
    let (kind, number) = text.split_at_checked(at)?;
    let kind = Kind::from_code(kind)?;
    is_numeric(number).then(|| format!("{kind} {number}"))
}

/// `BRG1` or `S-2`, written apart.
pub(super) fn glued_building(text: &str) -> Option<String> {
    let at = text.find(|letter: char| letter.is_ascii_digit() || letter == '-')?;
    let (code, place) = text.split_at_checked(at)?;
    let is_code = Building::from_code(code).is_some() || Network::from_code(code).is_some();
    (is_code && is_numeric(place)).then(|| format!("{code} {place}"))
}

/// A place in the realm's own coordinates (THO-MAP-02, THO-MAP-06).
fn place(seat: &Seat, words: &mut Words<'_>) -> Result<Spanned<Place>, Diagnostic> {
    let x = coordinate(words, "field-x")?;
    let y = coordinate(words, "field-y")?;
    let span = Span {
        line: x.span.line,
        column: x.span.column,
        length: y.span.column + y.span.length - x.span.column,
    };
    let value = Place::new(x.value, y.value);
    let named = |code, rules: &[RuleId]| {
        Diagnostic::error(code, span, rules)
            .with("x", i64::from(value.x))
            .with("y", i64::from(value.y))
    };
    if value.doubled().is_none() {
        // Rows with odd y have no x = 0 (THO-MAP-02): the field beside it is meant, on one side or the other.
        return Err(named("S05", &[rule::MAP_02]).mended_by(x.span, "1"));
    }
    if !(seat.y_min..=seat.y_max).contains(&value.y) {
        // The book's own words for a place of arming that is none, whatever the reason (EX-22).
        if words.section == Section::Arm {
            return Err(named("R01", &[rule::ARM_12, rule::GAP_01]));
        }
        let finding = named("S06", &[rule::MAP_06, rule::GAP_01]);
        return Err(finding
            .with("ymin", i64::from(seat.y_min))
            .with("ymax", i64::from(seat.y_max)));
    }
    Ok(Spanned { span, value })
}

fn coordinate(words: &mut Words<'_>, field: &'static str) -> Result<Spanned<i32>, Diagnostic> {
    let token = words.take(field)?;
    match number(token.text, true).and_then(|value| i32::try_from(value).ok()) {
        Some(value) => Ok(Spanned {
            span: token.span(),
            value,
        }),
        None if is_numeric(token.text) => Err(outside(words, &token, field, -MAX_NUMBER, MAX_NUMBER)),
        None => {
            let finding = no_number(words, &token, field);
            let before = Span {
                length: 0,
                ..token.span()
            };
            Err(match slashed(token.text) {
                Some(apart) => finding.mended_by(token.span(), apart),
                // The name of a building where its row was left out.
                None if field == "field-y" && words.peek().is_none() => finding.mended_by(before, "0 "),
                None => finding,
            })
        }
    }
}

/// `12/14` as reports print it, written as orders want it.
pub(super) fn slashed(text: &str) -> Option<String> {
    let (x, y) = text.split_once(['/', ','])?;
    (number(x, true).is_some() && number(y, true).is_some()).then(|| format!("{x} {y}"))
}

/// One direction, 1 to 6.
fn direction(words: &mut Words<'_>) -> Result<Spanned<Direction>, Diagnostic> {
    let digit = between(words, "field-direction", 1, 6)?;
    let value = u8::try_from(digit.value)
        .ok()
        .and_then(Direction::from_digit)
        .unwrap_or(Direction::NorthEast);
    Ok(Spanned {
        span: digit.span,
        value,
    })
}

/// S09: a character is no direction.
fn no_direction(token: &Token<'_>, at: usize, letter: char, rules: &[RuleId]) -> Diagnostic {
    let at = u32::try_from(at).unwrap_or(u32::MAX);
    let span = Span {
        line: token.line,
        column: token.column.saturating_add(at),
        length: 1,
    };
    Diagnostic::error("S09", span, rules)
        .with("c", letter.to_string())
        .with("i", at.saturating_add(1))
}

/// S10: too many digits.
fn too_many(token: &Token<'_>, max: usize, rules: &[RuleId]) -> Diagnostic {
    let finding = Diagnostic::error("S10", token.span(), rules).with("n", length(token.text));
    let kept: String = token.text.chars().take(max).collect();
    finding
        .with("max", i64::try_from(max).unwrap_or(i64::MAX))
        .mended_by(token.span(), kept)
}

/// The digits of a road, bridges or walls (THO-NET-04).
fn sides(bounds: &Bounds, words: &mut Words<'_>) -> Result<Vec<Spanned<Direction>>, Diagnostic> {
    let token = words.take("field-sides")?;
    let mut sides = Vec::new();
    for (at, letter) in token.text.chars().enumerate() {
        let digit = letter.to_digit(10).and_then(|digit| u8::try_from(digit).ok());
        let Some(value) = digit.and_then(Direction::from_digit) else {
            let finding = no_direction(&token, at, letter, &[rule::ORD_05, rule::NET_04]);
            let good: String = token
                .text
                .chars()
                .filter(|letter| matches!(letter, '1'..='6'))
                .collect();
            let span = finding.span;
            return Err(match length(&good) {
                0 => finding.mended_by(token.span(), "1"),
                kept if kept + 1 == length(token.text) => finding.mended_by(span, ""),
                _ => finding.mended_by(token.span(), good),
            });
        };
        let column = token.column.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
        sides.push(Spanned {
            span: Span {
                line: token.line,
                column,
                length: 1,
            },
            value,
        });
    }
    match sides.len() > bounds.path_digits {
        true => Err(too_many(&token, bounds.path_digits, &[rule::ORD_05, rule::GAP_05])),
        false => Ok(sides),
    }
}

/// The digits of a season (THO-ORD-06, THO-MOVE-01, GAP-04).
fn route(bounds: &Bounds, words: &mut Words<'_>, findings: &mut Vec<Diagnostic>) -> Result<Spanned<Route>, Diagnostic> {
    const RULES: &[RuleId] = &[rule::ORD_06, rule::GAP_04];
    let place = words.next;
    let token = words.take("field-route")?;
    if split_command(token.text).is_some() {
        // The digits were left out: the army is to stay.
        let before = Span {
            line: token.line,
            column: token.column,
            length: 0,
        };
        return Err(words.missing_as(place, "field-route").mended_by(before, "0 "));
    }
    let mut route: Route = [None; WEEKS];
    for (at, letter) in token.text.chars().enumerate() {
        let digit = letter.to_digit(10).and_then(|digit| u8::try_from(digit).ok());
        let step = digit.and_then(Direction::from_digit);
        if step.is_none() && digit != Some(0) {
            let finding = no_direction(&token, at, letter, RULES);
            let span = finding.span;
            return Err(match route_meant(token.text, bounds.route_digits) {
                Some(meant) => finding.mended_by(token.span(), meant),
                None => finding.mended_by(span, "0"),
            });
        }
        match route.get_mut(at).filter(|_| at < bounds.route_digits) {
            Some(week) => *week = step,
            None if step.is_none() && bounds.extra_zeros_tolerated => {}
            None => return Err(too_many(&token, bounds.route_digits, RULES)),
        }
    }
    let digits = token.text.chars().count();
    if digits < bounds.route_digits && !bounds.short_routes_padded {
        let padded = format!("{:0<width$}", token.text, width = bounds.route_digits);
        return Err(words.missing_as(place, "field-route").mended_by(token.span(), padded));
    }
    if digits > bounds.route_digits {
        let finding = Diagnostic::warning("S10w", token.span(), RULES).with("n", length(token.text));
        let finding = finding.with("max", i64::try_from(bounds.route_digits).unwrap_or(i64::MAX));
        let kept: String = token.text.chars().take(bounds.route_digits).collect();
        findings.push(finding.mended_by(token.span(), kept));
    }
    Ok(Spanned {
        span: token.span(),
        value: route,
    })
}

/// The digits of a season that a word with several signs in it that are none most likely means: a command that was written on to them
/// stands apart, a sign too many is left out, any other is a week of rest. Nothing if only one has to be a rest.
fn route_meant(text: &str, digits: usize) -> Option<String> {
    let is_digit = |letter: &char| matches!(letter, '0'..='6');
    let behind = text.find(|letter| !is_digit(&letter)).unwrap_or(text.len());
    if let Some((route, command)) = text.split_at_checked(behind)
        && !route.is_empty()
        && split_command(command).is_some()
    {
        return Some(format!("{route} {command}"));
    }
    let is_too_long = text.chars().count() > digits;
    let strange = text.chars().filter(|letter| !is_digit(letter)).count();
    let kept = text.chars().filter(|letter| is_digit(letter) || !is_too_long);
    let meant = kept.map(|letter| if is_digit(&letter) { letter } else { '0' });
    (is_too_long || strange > 1).then(|| meant.collect())
}

/// A command's letter and what stands directly behind it, if the word can be a command.
fn split_command(text: &str) -> Option<(Command, &str)> {
    let letter = text.chars().next()?;
    let command = Command::from_code(letter.encode_utf8(&mut [0; 4]))?;
    let behind = text.get(letter.len_utf8()..)?;
    (!behind.starts_with(char::is_alphanumeric)).then_some((command, behind))
}

/// The command and its flag (THO-CMD-01..06, THO-SIGHT-03).
fn command(words: &mut Words<'_>) -> Result<(Spanned<Command>, Flag), Diagnostic> {
    let token = words.take("field-command")?;
    let Some((value, behind)) = split_command(token.text) else {
        let finding = Diagnostic::error("A03", token.span(), &[rule::ORD_06, rule::GAP_04]).with("c", token.text);
        // Who defends does nothing that he could regret.
        let meant = guess::command_meant(token.text).unwrap_or_else(|| {
            let flag = token.text.chars().next_back().filter(|last| matches!(last, '+' | '-'));
            std::iter::once('V').chain(flag).collect()
        });
        return Err(finding.mended_by(token.span(), meant));
    };
    let Some(flag) = Flag::from_code(behind) else {
        let span = Span {
            line: token.line,
            column: token.column + 1,
            length: length(behind),
        };
        let flag: String = behind
            .chars()
            .filter(|sign| matches!(sign, '+' | '-'))
            .take(1)
            .collect();
        let finding = Diagnostic::error("A05", span, &[rule::ORD_06, rule::SIGHT_03]).with("t", behind);
        return Err(finding.mended_by(span, flag));
    };
    if let Some(sign) = words.peek().filter(|next| matches!(next.text, "+" | "-")) {
        // The flag stands directly behind the command.
        let gap = Span {
            line: token.line,
            column: token.end(),
            length: sign.end() - token.end(),
        };
        let finding = Diagnostic::error("A05", sign.span(), &[rule::ORD_06, rule::SIGHT_03]);
        let finding = finding.with("t", format!(" {}", sign.text));
        let kept = if flag == Flag::Unassigned { sign.text } else { "" };
        return Err(finding.mended_by(gap, kept));
    }
    Ok((
        Spanned {
            span: token.span(),
            value,
        },
        flag,
    ))
}

/// G02: gold to send is more than nothing.
fn amount(words: &mut Words<'_>) -> Result<Spanned<i64>, Diagnostic> {
    let token = words.take("field-amount")?;
    match number(token.text, true) {
        Some(value) if value > 0 && !token.text.starts_with('+') => Ok(Spanned {
            span: token.span(),
            value,
        }),
        Some(value) if !token.text.starts_with('+') => {
            let finding = Diagnostic::error("G02", token.span(), &[rule::ORD_07, rule::DIP_03]).with("n", token.text);
            Err(match value.checked_abs().filter(|gold| *gold > 0) {
                Some(gold) => finding.mended_by(token.span(), gold.to_string()),
                None => finding,
            })
        }
        None if is_numeric(token.text) => Err(outside(words, &token, "field-amount", 1, MAX_NUMBER)),
        _ => Err(no_number(words, &token, "field-amount")),
    }
}

/// V02: a treaty is K, A or P.
fn treaty(words: &mut Words<'_>) -> Result<Treaty, Diagnostic> {
    let token = words.take("field-treaty")?;
    let unknown = || {
        let finding = Diagnostic::error("V02", token.span(), &[rule::ORD_07, rule::DIP_01]).with("c", token.text);
        mend(finding, &token, guess::treaty_meant(token.text).map(Treaty::code))
    };
    Treaty::from_code(token.text).ok_or_else(unknown)
}

/// B12: a building's name (THO-BLD-19).
fn name(bounds: &Bounds, words: &mut Words<'_>) -> Result<Spanned<String>, Diagnostic> {
    let token = words.take("field-name")?;
    let value = token.text.replace('_', " ").trim().to_owned();
    if value.is_empty() || token.text.chars().count() > bounds.name_length {
        let max = i64::try_from(bounds.name_length).unwrap_or(i64::MAX);
        let finding = Diagnostic::error("B12", token.span(), &[rule::BLD_19, rule::GAP_06]).with("max", max);
        let cut: String = token.text.chars().take(bounds.name_length).collect();
        return Err(match value.is_empty() {
            true => finding,
            false => finding.mended_by(token.span(), cut),
        });
    }
    Ok(Spanned {
        span: token.span(),
        value,
    })
}

/// A name of several words is written with underscores: the finding about the words left over proposes it.
fn join_name(bounds: &Bounds, words: &Words<'_>, draft: &Draft) -> Result<(), Diagnostic> {
    let Err(finding) = words.end() else { return Ok(()) };
    let Some(name) = &draft.name else { return Err(finding) };
    let rest: Vec<&str> = words.rest().iter().map(|token| token.text).collect();
    let joined = format!("{}_{}", name.value.replace(' ', "_"), rest.join("_"));
    let end = words.rest().last().map_or(0, Token::end);
    let span = Span {
        length: end.saturating_sub(name.span.column),
        ..name.span
    };
    match joined.chars().count() <= bounds.name_length {
        true => Err(finding.mended_by(span, joined)),
        false => Err(finding),
    }
}

/// P02: the player's computer (THO-SET-03).
fn computer(words: &mut Words<'_>) -> Result<Computer, Diagnostic> {
    let token = words.take("field-computer")?;
    match token.text.to_ascii_lowercase().as_str() {
        "pc" => Ok(Computer::Pc),
        "amiga" => Ok(Computer::Amiga),
        _ => {
            let finding = Diagnostic::error("P02", token.span(), &[rule::SET_03]).with("t", token.text);
            Err(mend(
                finding,
                &token,
                guess::nearest(token.text, ["PC", "Amiga"].into_iter()),
            ))
        }
    }
}

/// P03, P04: the realm's name is the rest of the line (THO-SET-04).
fn realm_name(bounds: &Bounds, words: &mut Words<'_>) -> Result<String, Diagnostic> {
    let max = i64::try_from(bounds.realm_name_length).unwrap_or(i64::MAX);
    let unfit = |span| Diagnostic::error("P04", span, &[rule::SET_04]).with("max", max);
    let Some((name, span)) = words.rest_of_line() else {
        return Err(unfit(words.missing("field-realm-name").span));
    };
    words.next = words.tokens.len();
    if let Some((before, _)) = name.split_once(';') {
        let skipped = length(before);
        let comment = Span {
            line: span.line,
            column: span.column + skipped,
            length: span.length - skipped,
        };
        let blanks = skipped - length(before.trim_end());
        let cut = Span {
            line: span.line,
            column: comment.column - blanks,
            length: comment.length + blanks,
        };
        return Err(Diagnostic::error("P03", comment, &[rule::SET_04, rule::ORD_03]).mended_by(cut, ""));
    }
    match name.chars().count() <= bounds.realm_name_length {
        true => Ok(name.replace('\t', " ")),
        false => Err(unfit(span)),
    }
}
