//! Reading a sheet of orders (catalogue 5.1 and 5.2). Reading never fails: a line becomes an order, a head, a comment, or a
//! finding with line and column, and hides none of the others.
//!
//! This file goes through the lines; [`lexer`] takes a line apart, [`line`] reads the orders of the typed language, [`sheet`] the rows
//! of the book's own table.

mod lexer;
mod line;
mod sheet;
#[cfg(test)]
mod tests;

use crate::order::Order;
use crate::rule;
use crate::state::{State, Status};
use crate::tables::Tables;
use crate::view::View;
use kernel::diagnostic::{Diagnostic, Parsed, Span, Spanned};
use kernel::limits;
use kernel::realm::RealmId;
use lexer::Words;
use sheet::Sheet;
pub(crate) use sheet::{cells, is_head, is_row};

/// What reading a realm's orders needs to know; nothing that the realm itself does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seat {
    /// Whose orders.
    pub realm: RealmId,
    /// Its name.
    pub name: String,
    /// Year of the open month.
    pub year: u32,
    /// The open month, 1 to 8.
    pub month: u32,
    /// Small fields of a great field.
    pub fields_per_great_field: u32,
}

impl Seat {
    /// The seat of a realm that plays.
    pub fn of_state(tables: &Tables, state: &State, realm: RealmId) -> Option<Self> {
        let own = state.realms.get(&realm).filter(|own| own.status == Status::Playing)?;
        let (year, month) = tables.date(state.step.saturating_add(1));
        Some(Self {
            realm,
            name: own.name.clone(),
            year,
            month,
            fields_per_great_field: state.chart.fields_per_great_field(),
        })
    }

    /// The same seat, from what the realm knows.
    pub fn of_view(view: &View) -> Option<Self> {
        let books = view.books.as_ref().filter(|books| books.status == Status::Playing)?;
        Some(Self {
            realm: view.realm()?,
            name: books.name.clone(),
            year: view.next.0,
            month: view.next.1,
            fields_per_great_field: view.chart.fields_per_great_field(),
        })
    }
}

/// What became of a line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fate {
    /// Nothing stands there.
    Blank,
    /// A comment, the head of the sheet or of a table.
    Understood,
    /// An order, or a part of one.
    Order,
    /// Nothing: a finding says why.
    Refused,
}

/// Reads a sheet.
pub fn parse(tables: &Tables, seat: &Seat, file: &[u8]) -> Parsed<Order> {
    parse_lines(tables, seat, file).0
}

/// Reads a sheet and says what became of each line.
pub fn parse_lines(tables: &Tables, seat: &Seat, file: &[u8]) -> (Parsed<Order>, Vec<Fate>) {
    let (file, mut is_cut) = match file.get(..limits::ORDER_FILE_BYTES) {
        // Half a line could be read as another order than the player wrote.
        Some(head) if head.len() < file.len() => {
            let end = head.iter().rposition(|byte| matches!(byte, b'\r' | b'\n'));
            (head.get(..end.map_or(0, |end| end + 1)).unwrap_or(head), true)
        }
        _ => (file, false),
    };
    let text = String::from_utf8_lossy(file);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut reader = Reader {
        tables,
        seat,
        parsed: Parsed::default(),
        left_out: 0,
        sheet: None,
        dropped: Vec::new(),
    };
    let mut fates = Vec::new();
    for (number, line) in (1u32..).zip(lines(text)) {
        if number as usize > limits::ORDER_FILE_LINES {
            is_cut = true;
            break;
        }
        fates.push(reader.line(number, line));
    }
    reader.close_row();
    for line in &reader.dropped {
        if let Some(fate) = fates.get_mut((*line as usize).saturating_sub(1)) {
            *fate = Fate::Refused;
        }
    }
    let behind = Span {
        line: fates.len() as u32 + 1,
        column: 1,
        length: 0,
    };
    if is_cut {
        reader
            .find(Diagnostic::error("E_TOO_LONG", behind, &[rule::GAP_67]).with("n", limits::ORDER_FILE_LINES as i64));
    }
    if reader.left_out > 0 {
        let left_out = i64::from(reader.left_out);
        let finding = Diagnostic::warning("W_MORE", behind, &[rule::GAP_67]).with("n", left_out);
        reader.parsed.diagnostics.push(finding);
    }
    (reader.parsed, fates)
}

/// The lines of a file; every computer ends them in its own way.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let Some(end) = rest.find(['\r', '\n']) else {
            return Some(std::mem::take(&mut rest));
        };
        let (line, behind) = rest.split_at(end);
        rest = behind
            .strip_prefix("\r\n")
            .or_else(|| behind.strip_prefix(['\r', '\n']))
            .unwrap_or_default();
        Some(line)
    })
}

/// What is read so far.
struct Reader<'a> {
    tables: &'a Tables,
    seat: &'a Seat,
    parsed: Parsed<Order>,
    left_out: u32,
    /// The table that is being read.
    sheet: Option<Sheet>,
    /// Lines of rows whose continuation could not be read: they are refused after all.
    dropped: Vec<u32>,
}

impl Reader<'_> {
    fn find(&mut self, finding: Diagnostic) {
        if self.parsed.diagnostics.len() < limits::DIAGNOSTICS - 1 {
            self.parsed.diagnostics.push(finding);
        } else {
            self.left_out = self.left_out.saturating_add(1);
        }
    }

    fn take(&mut self, span: Span, order: Result<Order, Box<Diagnostic>>) -> Fate {
        match order {
            Ok(value) => {
                self.parsed.orders.push(Spanned { span, value });
                Fate::Order
            }
            Err(finding) => {
                self.find(*finding);
                Fate::Refused
            }
        }
    }

    fn line(&mut self, number: u32, line: &str) -> Fate {
        if sheet::is_head(line) {
            self.close_row();
            self.sheet = Some(Sheet::default());
            return Fate::Understood;
        }
        if self.sheet.is_some() && sheet::is_row(line) {
            return self.row(number, line);
        }
        self.close_row();
        let mut words = Words::new(number, line, self.seat.fields_per_great_field);
        if words.is_empty() {
            return if line.trim().is_empty() {
                Fate::Blank
            } else {
                Fate::Understood
            };
        }
        self.sheet = None;
        if words.is_word("REICH") || words.is_word("REALM") {
            return self.head(&mut words);
        }
        let span = words.whole();
        let mut again = words.clone();
        let order = line::order(self.tables, &mut words);
        let fate = self.take(span, order);
        if fate == Fate::Refused
            && let Some(value) = line::standing_order(self.tables, &mut again)
        {
            self.parsed.orders.push(Spanned { span, value });
        }
        fate
    }

    /// `REICH name JAHR n MONAT m`: tells a sheet of another realm or month from this one.
    fn head(&mut self, words: &mut Words<'_>) -> Fate {
        let span = words.whole();
        match line::head(self.tables, words) {
            Ok(head) => {
                let same = head.year == self.seat.year && head.month == self.seat.month;
                if !same || crate::codes::plain(&head.realm) != crate::codes::plain(&self.seat.name) {
                    let finding = Diagnostic::warning("W_HEAD", span, &[rule::GAP_67])
                        .with("realm", self.seat.name.as_str())
                        .with("year", self.seat.year)
                        .with("month", self.seat.month);
                    self.find(finding);
                }
                Fate::Understood
            }
            Err(finding) => {
                self.find(*finding);
                Fate::Refused
            }
        }
    }
}
