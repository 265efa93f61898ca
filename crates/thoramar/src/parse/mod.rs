//! Reading the order file `SPIELZUG` (THO-ORD-01..10, GAP-04, GAP-33, GAP-39; grammar: catalogue 5.2).
//!
//! Reading never fails. Every line of the file becomes an order, a comment, a header, text of a message or of the culture, or
//! carries a finding with line and column; a line that cannot be read hides none of the others. The forms of the orders
//! stand in [`crate::grammar`]; this file goes through the lines and sections, [`fields`] reads the words of a line, [`special`]
//! what stands behind an army's command.

mod fields;
#[cfg(test)]
mod laws;
mod special;
#[cfg(test)]
mod tests;
mod text;

use crate::codes::{Building, Network};
use crate::encoding;
use crate::grammar::{self, Section, Verb};
use crate::guess;
use crate::mend::comment_out;
use crate::order::{Order, WEEKS};
use crate::rule;
use crate::state::{Computer, State, Status};
use crate::tables::Tables;
use crate::tables::policy::MissingDigits;
use crate::view::View;
use fields::{Draft, Words};
use kernel::diagnostic::{Diagnostic, Parsed, Span, Spanned};
use kernel::limits;
use kernel::realm::{RealmId, Viewer};
use text::Post;

/// Under this name a finding about an army's line that could not be read says which army it is.
pub const ARMY: &str = "armee";

/// What reading a realm's orders needs to know; nothing that the realm itself does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seat {
    /// Whose orders.
    pub realm: RealmId,
    /// The player's computer, which decides how his letters are encoded.
    pub computer: Computer,
    /// Fields of a row of the world; columns wrap.
    pub columns: u32,
    /// The southernmost row in the realm's coordinates.
    pub y_min: i32,
    /// The northernmost row in the realm's coordinates.
    pub y_max: i32,
    /// The realms that messages can go to.
    pub realms: Vec<RealmId>,
}

impl Seat {
    /// The seat of a realm that plays.
    pub fn of_state(state: &State, realm: RealmId) -> Option<Self> {
        let (y_min, y_max) = state.rows_of(realm);
        let own = state.realms.get(&realm).filter(|own| own.status == Status::Playing)?;
        let realms = state.playing().collect();
        Some(Self {
            realm,
            computer: own.computer,
            columns: state.grid.columns(),
            y_min,
            y_max,
            realms,
        })
    }

    /// The same seat, from what the realm knows.
    pub fn of_view(view: &View) -> Option<Self> {
        let Viewer::Realm(realm) = view.viewer else { return None };
        let own = view.realms.get(&realm).filter(|own| own.status == Status::Playing)?;
        let computer = own.books.as_ref()?.computer;
        Some(Self {
            realm,
            computer,
            columns: view.columns,
            y_min: view.y_min,
            y_max: view.y_max,
            realms: view.playing.clone(),
        })
    }
}

/// What became of a line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fate {
    /// Nothing stands there.
    Blank,
    /// A comment.
    Comment,
    /// The beginning of a section or of a message.
    Header,
    /// Text of a message or of the culture, delivered or not.
    Text,
    /// An order, perhaps without its special.
    Order,
    /// Nothing: a finding says why.
    Refused,
}

/// Reads an order file.
pub fn parse(tables: &Tables, seat: &Seat, file: &[u8]) -> Parsed<Order> {
    parse_lines(tables, seat, file).0
}

/// Reads an order file and says what became of each line.
pub fn parse_lines(tables: &Tables, seat: &Seat, file: &[u8]) -> (Parsed<Order>, Vec<Fate>) {
    let (file, is_cut) = within_limit(file);
    let (text, _) = encoding::decode(file, seat.computer);
    let mut reader = Reader::new(Bounds::new(tables, seat.realm), seat);
    let mut number = 0;
    let mut rest = text.as_str();
    while !rest.is_empty() && (number as usize) < limits::ORDER_FILE_LINES {
        number += 1;
        let (line, behind) = split_line(rest);
        rest = behind;
        let fate = reader.line(number, line);
        reader.fates.push(fate);
    }
    reader.close_text();
    if is_cut || !rest.is_empty() {
        let span = Span {
            line: number + 1,
            column: 1,
            length: 0,
        };
        let max_lines = limits::ORDER_FILE_LINES as i64;
        let max_bytes = limits::ORDER_FILE_BYTES as i64;
        reader.find(
            Diagnostic::error("F08", span, &[rule::ORD_01])
                .with("n", max_lines)
                .with("k", max_bytes),
        );
    }
    reader.finish()
}

/// The part of a file that is read, and whether something was cut off.
fn within_limit(file: &[u8]) -> (&[u8], bool) {
    let Some(head) = file
        .get(..limits::ORDER_FILE_BYTES)
        .filter(|_| file.len() > limits::ORDER_FILE_BYTES)
    else {
        return (file, false);
    };
    // Half a line could be read as another order than the player wrote.
    let end = head
        .iter()
        .rposition(|byte| matches!(byte, b'\r' | b'\n'))
        .map_or(0, |at| at + 1);
    (head.get(..end).unwrap_or(head), true)
}

/// The first line of a text without its end (CR, LF or CR LF), and what follows it.
fn split_line(text: &str) -> (&str, &str) {
    match text.find(['\r', '\n']) {
        None => (text, ""),
        Some(at) => {
            let (line, rest) = text.split_at(at);
            let rest = rest
                .strip_prefix("\r\n")
                .unwrap_or_else(|| rest.get(1..).unwrap_or_default());
            (line, rest)
        }
    }
}

/// The figures that bound what may be written.
#[derive(Clone, Debug)]
struct Bounds {
    line_length: usize,
    message_lines: usize,
    culture_lines: usize,
    army_number: i64,
    name_length: usize,
    realm_name_length: usize,
    route_digits: usize,
    extra_zeros_tolerated: bool,
    short_routes_padded: bool,
    path_digits: usize,
    header_ends_message: bool,
}

/// A word with its column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Token<'a> {
    text: &'a str,
    line: u32,
    column: u32,
}

impl Token<'_> {
    fn span(&self) -> Span {
        Span {
            line: self.line,
            column: self.column,
            length: length(self.text),
        }
    }

    /// The column behind the word.
    fn end(&self) -> u32 {
        self.column.saturating_add(length(self.text))
    }
}

/// Number of characters, as spans count them.
fn length(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}

/// The words of a line; a TAB and other white space count as blanks.
fn tokens(number: u32, text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut begun = None;
    for (column, (at, letter)) in (1..).zip(text.char_indices()) {
        match (letter.is_whitespace(), begun) {
            (false, None) => begun = Some((at, column)),
            (true, Some((from, first))) => {
                tokens.push(Token {
                    text: text.get(from..at).unwrap_or_default(),
                    line: number,
                    column: first,
                });
                begun = None;
            }
            _ => {}
        }
    }
    if let Some((from, first)) = begun {
        tokens.push(Token {
            text: text.get(from..).unwrap_or_default(),
            line: number,
            column: first,
        });
    }
    tokens
}

/// A reader of one file.
struct Reader<'a> {
    bounds: Bounds,
    seat: &'a Seat,
    orders: Vec<Spanned<Order>>,
    diagnostics: Vec<Diagnostic>,
    left_out: i64,
    fates: Vec<Fate>,
    section: Option<Section>,
    /// The section whose header was missed last, since another one began.
    missed: Option<Section>,
    /// Which finding tells of the header that belongs to no section, if nobody knows yet which one is meant.
    unnamed: Option<usize>,
    post: Post,
    /// Header and lines of the culture that is being read.
    culture: Option<(Span, Vec<String>, bool)>,
}

impl<'a> Reader<'a> {
    fn new(bounds: Bounds, seat: &'a Seat) -> Self {
        Self {
            bounds,
            seat,
            orders: Vec::new(),
            diagnostics: Vec::new(),
            left_out: 0,
            fates: Vec::new(),
            section: None,
            missed: None,
            unnamed: None,
            post: Post::Closed,
            culture: None,
        }
    }

    /// Records a finding, as far as there is room.
    fn find(&mut self, diagnostic: Diagnostic) {
        match self.diagnostics.len() < limits::DIAGNOSTICS {
            true => self.diagnostics.push(diagnostic),
            false => self.left_out += 1,
        }
    }

    fn refuse(&mut self, diagnostic: Diagnostic) -> Fate {
        self.find(diagnostic);
        Fate::Refused
    }

    fn finish(mut self) -> (Parsed<Order>, Vec<Fate>) {
        if self.orders.is_empty() && self.diagnostics.is_empty() {
            let span = Span {
                line: 1,
                column: 1,
                length: 0,
            };
            self.find(Diagnostic::warning("F07w", span, &[rule::ORD_02]));
        }
        if self.left_out > 0 {
            let span = self.diagnostics.last().map(|last| last.span).unwrap_or_default();
            self.diagnostics
                .push(Diagnostic::warning("F09w", span, &[rule::ORD_01]).with("n", self.left_out));
        }
        // The order files of all realms are held at once.
        self.orders.shrink_to_fit();
        (
            Parsed {
                orders: self.orders,
                diagnostics: self.diagnostics,
            },
            self.fates,
        )
    }

    /// Reads one line. Text comes first: in a message almost everything is text.
    fn line(&mut self, number: u32, raw: &str) -> Fate {
        let line = raw.trim_end();
        if let Some((at, letter)) = line.chars().enumerate().find(|(_, letter)| !is_text(*letter)) {
            let span = Span {
                line: number,
                column: u32::try_from(at).unwrap_or(u32::MAX).saturating_add(1),
                length: 1,
            };
            let code = format!("U+{:04X}", u32::from(letter));
            let finding = Diagnostic::error("F03", span, &[rule::ORD_01]).with("code", code);
            return self.refuse(finding.mended_by(span, ""));
        }
        let is_open_text = match self.section {
            Some(Section::Messages) => self.post != Post::Closed,
            Some(Section::Culture) => true,
            _ => false,
        };
        if let Some(behind) = line.strip_prefix('$') {
            let section = behind.chars().next().and_then(Section::from_letter);
            let is_text = is_open_text && self.section == Some(Section::Messages) && !self.bounds.header_ends_message;
            match section {
                Some(section) if !is_text => return self.open_section(number, section),
                None if !is_open_text => return self.unknown_section(number, behind),
                _ => {}
            }
        } else if let Some(behind) = line.trim_start().strip_prefix('$') {
            let section = behind.chars().next().and_then(Section::from_letter);
            let blanks = Span {
                line: number,
                column: 1,
                length: length(line) - length(behind) - 1,
            };
            if !is_open_text {
                // The header stands there: whose lines follow is no question.
                (self.section, self.missed, self.unnamed) = (None, section, None);
                return self.refuse(Diagnostic::error("F06", blanks, &[rule::ORD_02]).mended_by(blanks, ""));
            }
            if section.is_some() {
                let finding = Diagnostic::warning("F06", blanks, &[rule::ORD_02, rule::GAP_33]);
                self.find(finding.mended_by(blanks, ""));
            }
        }
        match self.section {
            Some(Section::Messages) => self.message_line(number, line),
            Some(Section::Culture) => self.culture_line(number, line),
            section => self.order_line(number, line, section),
        }
    }

    fn open_section(&mut self, number: u32, section: Section) -> Fate {
        let span = Span {
            line: number,
            column: 1,
            length: 2,
        };
        if self.section == Some(Section::Messages) && self.post != Post::Closed {
            let letter = section.letter().to_string();
            let finding = Diagnostic::warning("N03w", span, &[rule::GAP_33, rule::MSG_01]).with("c", letter);
            self.find(finding.mended_by(Span { length: 0, ..span }, "#E\n"));
        }
        self.close_text();
        (self.section, self.missed, self.unnamed) = (Some(section), None, None);
        if section == Section::Culture {
            self.culture = Some((span, Vec::new(), false));
        }
        Fate::Header
    }

    /// Lines behind an unknown header belong to no section: read as those of the section before, they could mean anything.
    fn unknown_section(&mut self, number: u32, behind: &str) -> Fate {
        self.close_text();
        (self.section, self.missed, self.unnamed) = (None, None, None);
        let letter: String = behind.chars().take(1).collect();
        let span = Span {
            line: number,
            column: 1,
            length: 1 + length(&letter),
        };
        let mut finding = Diagnostic::error("F05", span, &[rule::ORD_02]).with("c", letter.as_str());
        let word = behind.trim_start();
        let first_word = word
            .split(|letter: char| !letter.is_alphanumeric())
            .next()
            .unwrap_or_default();
        let meant = match letter.trim().is_empty() {
            true => word.chars().next().and_then(Section::from_letter),
            false => nearest_section(first_word),
        };
        if let Some(section) = meant {
            let written = 1 + length(behind) - length(word) + length(first_word);
            let span = Span {
                line: number,
                column: 1,
                length: written,
            };
            finding = finding.mended_by(span, format!("${}", section.letter()));
        } else {
            self.unnamed = Some(self.diagnostics.len());
        }
        self.refuse(finding)
    }

    fn too_long(&self, number: u32, line: &str) -> Option<Diagnostic> {
        let max = u32::try_from(self.bounds.line_length).unwrap_or(u32::MAX);
        let beyond = length(line).checked_sub(max).filter(|beyond| *beyond > 0)?;
        let span = Span {
            line: number,
            column: max.saturating_add(1),
            length: beyond,
        };
        Some(Diagnostic::error("S11", span, &[rule::ORD_02]).with("n", max))
    }

    /// Refuses a line; if it is a good order of another section, the repair is the header that was forgotten, or the right one in place
    /// of one that is none. One header mends all lines behind it, so only the first of them asks for it. A line for which nothing better
    /// is known is left out.
    fn refuse_misplaced(&mut self, mut finding: Diagnostic, order: &str, words: &[Token<'_>]) -> Fate {
        if let [word] = words
            && let Some(section) = bare_header(word)
            && !matches!(&*finding.code, "S01" | "P04")
        {
            let blanks = Span {
                line: word.line,
                column: 1,
                length: word.column - 1,
            };
            self.missed = Some(section);
            return self.refuse(finding.mended_by(blanks, "$"));
        }
        if self.missed == Some(Section::Messages) {
            // A letter whose header is forgotten goes on until the next section.
            finding.repair = None;
            return self.refuse(finding);
        }
        let fits = |section: &Section| {
            let verb = words.first().and_then(|first| verb_of(*section, first).ok());
            let draft = verb.and_then(|verb| {
                let words = Words::new(verb, order, words.to_vec());
                Some((verb, fields::read(&self.bounds, self.seat, words).ok()?))
            });
            draft.is_some_and(|(verb, draft)| order_of(verb, draft).is_some())
        };
        // Among lines that begin with a realm gold and land look alike, so a header for them would be a guess.
        let among_realms = matches!(self.section, Some(Section::Pay | Section::Cede | Section::Treaties));
        let sections: &[Section] = match among_realms {
            true => &[Section::March, Section::Arm, Section::Build, Section::Treaties],
            false => &[
                Section::March,
                Section::Arm,
                Section::Build,
                Section::Treaties,
                Section::Pay,
                Section::Cede,
            ],
        };
        let elsewhere = match opens_letter(order) {
            true => Some(Section::Messages),
            false => sections.iter().copied().find(fits),
        };
        match elsewhere {
            Some(section) if self.missed.replace(section) != Some(section) => {
                let header = format!("${}", section.letter());
                let unnamed = self.unnamed.take();
                match unnamed.and_then(|at| self.diagnostics.get_mut(at)) {
                    Some(unknown) => *unknown = unknown.clone().mended_by(unknown.span, header),
                    None => {
                        let (start, _) = comment_out(finding.span);
                        finding = finding.mended_by(start, header + "\n");
                    }
                }
            }
            Some(_) => finding.repair = None,
            None => finding = left_out(finding),
        }
        self.refuse(finding)
    }

    /// A finding about the line of an army, with the name of the army if that could be read.
    fn named(&self, finding: Diagnostic, verb: &'static Verb, words: &[Token<'_>]) -> Diagnostic {
        if verb.name != grammar::MARCH.name {
            return finding;
        }
        match fields::army(&self.bounds, &mut Words::new(verb, "", words.to_vec())) {
            Ok(army) => finding.with(ARMY, army.value.to_string()),
            Err(_) => finding,
        }
    }

    /// A line of any other section, or of none (GAP-39).
    fn order_line(&mut self, number: u32, line: &str, section: Option<Section>) -> Fate {
        let trimmed = line.trim_start();
        if trimmed.is_empty() {
            return Fate::Blank;
        }
        if trimmed.starts_with(';') {
            return Fate::Comment;
        }
        if let Some(finding) = self.too_long(number, line) {
            return self.refuse(left_out(finding));
        }
        // Behind a realm's name even a semicolon belongs to the line (THO-SET-04).
        let is_rename = section == Some(Section::Settings) && trimmed.starts_with(['R', 'r']);
        let order = if is_rename {
            line
        } else {
            line.split(';').next().unwrap_or_default()
        };
        let words = tokens(number, order);
        let (Some(first), Some(last)) = (words.first().copied(), words.last().copied()) else {
            return Fate::Comment;
        };
        let span = Span {
            line: number,
            column: first.column,
            length: last.end() - first.column,
        };
        let Some(section) = section else {
            let finding = Diagnostic::error("F04", span, &[rule::GAP_39, rule::ORD_02]);
            return self.refuse_misplaced(finding, order, &words);
        };
        let verb = match verb_of(section, &first) {
            Ok(verb) => verb,
            Err(finding) => return self.refuse_misplaced(finding, order, &words),
        };
        let mut draft = match fields::read(&self.bounds, self.seat, Words::new(verb, order, words.clone())) {
            Ok(draft) => draft,
            Err(finding) => return self.refuse_misplaced(self.named(finding, verb, &words), order, &words),
        };
        let findings = std::mem::take(&mut draft.findings);
        match order_of(verb, draft) {
            Some(value) => {
                for finding in findings {
                    self.find(finding);
                }
                self.orders.push(Spanned { span, value });
                Fate::Order
            }
            None => self.refuse(unreadable(verb, span)),
        }
    }
}

/// A finding whose repair, if it has none, leaves the line out.
pub(super) fn left_out(finding: Diagnostic) -> Diagnostic {
    if finding.repair.is_some() {
        return finding;
    }
    let (start, mark) = comment_out(finding.span);
    finding.mended_by(start, mark)
}

/// Whether a line looks like the first one of a letter: `#2`, `#M`, `#A`, `#G`.
fn opens_letter(line: &str) -> bool {
    let addressee = line.strip_prefix('#').and_then(|behind| behind.chars().next());
    addressee.is_some_and(|letter| letter.is_ascii_digit() || matches!(letter.to_ascii_uppercase(), 'M' | 'A' | 'G'))
}

/// The section of a word that stands alone like a header, but without its dollar sign.
fn bare_header(word: &Token<'_>) -> Option<Section> {
    let mut letters = word.text.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => Section::from_letter(letter),
        _ => Section::ALL.into_iter().find(|section| {
            let names = section.words();
            names.iter().any(|name| name.to_lowercase() == word.text.to_lowercase())
        }),
    }
}

/// A finding for a line whose fields were all read but make no order: no definition leaves this open.
fn unreadable(verb: &Verb, span: Span) -> Diagnostic {
    Diagnostic::error("S02", span, verb.rules)
        .with("rest", "")
        .with_word("muster", verb.pattern)
}

/// Whether a character belongs into a text file. Marks that turn the direction of writing could make a line read otherwise
/// than it is carried out.
fn is_text(letter: char) -> bool {
    let turns =
        matches!(letter, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}' | '\u{FEFF}');
    letter == '\t' || !(letter.is_control() || turns || letter == char::REPLACEMENT_CHARACTER)
}

/// The verb that a line of `section` begins with.
fn verb_of(section: Section, first: &Token<'_>) -> Result<&'static Verb, Diagnostic> {
    match section {
        Section::Build if Building::from_code(first.text).is_some() => Ok(&grammar::BUILD),
        Section::Build if Network::from_code(first.text).is_some() => Ok(&grammar::LAY),
        Section::Build => {
            let finding = Diagnostic::error("B01", first.span(), &[rule::ORD_05, rule::BLD_01]).with("t", first.text);
            Err(match fields::glued_building(first.text) {
                Some(apart) => finding.mended_by(first.span(), apart),
                None => mend(finding, first, guess::building_meant(first.text)),
            })
        }
        Section::Arm => Ok(&grammar::ARM),
        Section::March => Ok(&grammar::MARCH),
        Section::Pay => Ok(&grammar::PAY),
        Section::Cede => Ok(&grammar::CEDE),
        Section::Treaties => Ok(&grammar::PROPOSE),
        Section::Messages => Ok(&grammar::SEND),
        Section::Culture => Ok(&grammar::DESCRIBE),
        Section::Settings => match first.text.chars().next().map(|letter| letter.to_ascii_uppercase()) {
            Some('I') => Ok(&grammar::ASK),
            Some('C') => Ok(&grammar::COMPUTER),
            Some('R') => Ok(&grammar::RENAME),
            letter => {
                let letter = letter.map(String::from).unwrap_or_default();
                Err(Diagnostic::error("P01", first.span(), &[rule::ORD_10]).with("c", letter))
            }
        },
    }
}

/// The order that the fields of a line make.
fn order_of(verb: &Verb, draft: Draft) -> Option<Order> {
    Some(match verb.name {
        "build" => Order::Build {
            building: draft.building?,
            place: draft.place?,
            name: draft.name,
        },
        "lay" => Order::Lay {
            network: draft.network?,
            place: draft.place?,
            directions: draft.sides,
        },
        "arm" => Order::Arm {
            fit: draft.fit,
            army: draft.army?,
            count: draft.count?,
            place: draft.place?,
            direction: draft.direction,
        },
        "march" => Order::March(crate::order::March {
            army: draft.army?,
            route: draft.route?,
            command: draft.command?,
            flag: draft.flag?,
            special: draft.special,
            misfit: draft.misfit,
        }),
        "pay" => Order::Pay {
            realm: draft.realm?,
            amount: draft.amount?,
        },
        "cede" => Order::Cede {
            realm: draft.realm?,
            place: draft.place?,
        },
        "propose" => Order::Propose {
            realm: draft.realm?,
            treaty: draft.treaty?,
        },
        "ask" => Order::AskInformation,
        "computer" => Order::SetComputer(draft.computer?),
        "rename" => Order::RenameRealm(draft.realm_name?),
        // Messages and cultures consist of lines and are read as such.
        _ => return None,
    })
}

fn mend(finding: Diagnostic, token: &Token<'_>, text: Option<&str>) -> Diagnostic {
    match text {
        Some(text) => finding.mended_by(token.span(), text),
        None => finding,
    }
}

/// The section whose name a misspelt one resembles.
fn nearest_section(word: &str) -> Option<Section> {
    let names = Section::ALL.iter().flat_map(|section| section.words().iter().copied());
    let name = guess::nearest(word, names)?;
    Section::ALL.into_iter().find(|section| section.words().contains(&name))
}

impl Bounds {
    fn new(tables: &Tables, realm: RealmId) -> Self {
        let tables = tables.of(realm);
        let size = |figure: i64| usize::try_from(figure).unwrap_or(0);
        Self {
            line_length: size(tables.orders.max_line_length),
            message_lines: size(tables.orders.max_message_lines),
            culture_lines: size(tables.orders.max_culture_lines),
            army_number: tables.orders.max_army_id,
            name_length: size(tables.orders.max_name_length),
            realm_name_length: size(tables.orders.max_realm_name_length),
            route_digits: size(tables.orders.max_direction_digits).min(WEEKS),
            extra_zeros_tolerated: tables.orders.extra_trailing_zeros_tolerated,
            short_routes_padded: tables.orders.missing_digits == MissingDigits::PadWithZero,
            path_digits: size(tables.build.max_path_digits),
            header_ends_message: tables.orders.section_header_ends_message,
        }
    }
}
