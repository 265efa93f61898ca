//! The book's own table (*Zugbogen*): thirteen cells a row, a row per unit (PYG-SHEET-01..05, PYG-GAP-71).

use super::lexer::{Finding, Words};
use super::{Fate, Reader, line};
use crate::chart::Place;
use crate::order::{Move, Order};
use crate::rule;
use kernel::diagnostic::{Diagnostic, Span, Spanned};
use std::borrow::Cow;

/// Cells of a row.
const CELLS: usize = 13;
/// Pairs of GF and KF in a row: from, three times via, to.
const PAIRS: usize = 5;

/// The table that is being read: a row may be continued by the next.
#[derive(Default)]
pub(super) struct Sheet {
    open: Option<(Span, Move)>,
    /// The unit that is being continued was refused: its further rows are too.
    refused: bool,
}

/// Whether a line is the head of the table.
pub(crate) fn is_head(line: &str) -> bool {
    let cells = split(line);
    cells.len() > 1 && cells.first().is_some_and(|cell| cell.text.eq_ignore_ascii_case("heer"))
}

/// Whether a line can be a row.
pub(crate) fn is_row(line: &str) -> bool {
    split(line).len() > 3 && !line.trim_start().starts_with('#')
}

/// The texts of a row's cells.
pub(crate) fn cells(line: &str) -> Vec<String> {
    split(line).into_iter().map(|cell| cell.text.into_owned()).collect()
}

struct Cell<'a> {
    text: Cow<'a, str>,
    column: u32,
}

/// The cells of a row without the blanks around them, as programs for tables write them: a sign inside quotation marks parts
/// nothing, a cell may stand in quotation marks as a whole, and then those inside it are doubled.
fn split(line: &str) -> Vec<Cell<'_>> {
    let is_sign = |letter: char| matches!(letter, ';' | '\t');
    // A quotation that nobody ends is none.
    let quotes = line.matches('"').count().is_multiple_of(2);
    let mut inside = false;
    let raw = line.split(|letter: char| {
        inside ^= letter == '"' && quotes;
        !inside && is_sign(letter)
    });
    let mut column = 1;
    raw.map(|cell| {
        let blanks = cell.chars().take_while(|letter| letter.is_whitespace()).count() as u32;
        let here = column + blanks;
        column += cell.chars().count() as u32 + 1;
        let text = cell.trim();
        let whole = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        match whole {
            Some(inner) => Cell {
                text: Cow::Owned(inner.replace("\"\"", "\"")),
                column: here + 1,
            },
            None => Cell {
                text: Cow::Borrowed(text),
                column: here,
            },
        }
    })
    .collect()
}

impl Reader<'_> {
    /// The row that is open becomes an order.
    pub(super) fn close_row(&mut self) {
        if let Some((span, order)) = self.sheet.as_mut().and_then(|sheet| sheet.open.take()) {
            self.take(span, Ok(Order::Move(order)));
        }
    }

    /// A row of the table.
    pub(super) fn row(&mut self, number: u32, text: &str) -> Fate {
        let span = Span {
            line: number,
            column: 1,
            length: text.trim_end().chars().count() as u32,
        };
        let cells = split(text);
        let is_more = cells.first().is_some_and(|cell| cell.text == "+");
        if !is_more {
            self.close_row();
        }
        let read = self.read_row(number, &cells, is_more);
        let Some(sheet) = self.sheet.as_mut() else {
            return Fate::Refused;
        };
        match read {
            Ok(Row::New(order)) => {
                sheet.open = Some((span, *order));
                sheet.refused = false;
                Fate::Order
            }
            Ok(Row::More(more)) => match &mut sheet.open {
                Some((_, order)) => {
                    order.path.extend(more.path.into_iter().skip(1));
                    order.strength = more.strength.or(order.strength.take());
                    order.special.extend(more.special);
                    Fate::Understood
                }
                // Reading the row has found fault with it.
                None => Fate::Refused,
            },
            Err(finding) => {
                let dropped = sheet.open.take().map(|(span, _)| span);
                sheet.refused = true;
                self.find(*finding);
                if let Some(value) = self.standing_order(number, &cells) {
                    self.parsed.orders.push(Spanned { span, value });
                }
                if let Some(span) = dropped {
                    // The move is refused whole, from its first row on.
                    self.dropped.push(span.line);
                    self.find(Diagnostic::error("E_ROW", span, &[rule::GAP_67, rule::GAP_71]));
                }
                Fate::Refused
            }
        }
    }

    /// The basic order of a row that is refused for another cell: its unit stands with it (PYG-GAP-67).
    fn standing_order(&self, number: u32, cells: &[Cell<'_>]) -> Option<Order> {
        let words = |index: usize| {
            let cell = cells.get(index)?;
            let each = self.seat.fields_per_great_field;
            Some(Words::from(number, cell.column, &cell.text, each))
        };
        let mut first = words(0)?;
        let (unit, _) = first.unit().ok()?;
        first.end().ok()?;
        let mut rest = words(CELLS - 1)?;
        let special = line::items(self.tables, &mut rest).ok()?;
        rest.end().ok()?;
        line::stance_of(unit, &special)
    }

    fn read_row(&self, number: u32, cells: &[Cell<'_>], is_more: bool) -> Result<Row, Finding> {
        let each = self.seat.fields_per_great_field;
        let words = |index: usize| {
            let cell = cells.get(index);
            Words::from(
                number,
                cell.map_or(1, |cell| cell.column),
                cell.map_or("", |cell| &*cell.text),
                each,
            )
        };
        if cells.len() > CELLS {
            let finding = Diagnostic::error("E_CELLS", words(CELLS).here(), &[rule::SHEET_01]);
            return Err(Box::new(
                finding.with("n", cells.len() as i64).with("max", CELLS as i64),
            ));
        }
        let open = self
            .sheet
            .as_ref()
            .and_then(|sheet| sheet.open.as_ref())
            .map(|(_, order)| order);
        let (unit, starred) = match open {
            Some(order) if is_more => (order.unit, order.starred),
            _ if is_more && self.sheet.as_ref().is_some_and(|sheet| sheet.refused) => {
                return Err(words(0).wrong("expect-continued"));
            }
            _ if is_more => return Err(words(0).wrong("expect-unit")),
            _ => {
                let mut first = words(0);
                let unit = first.unit()?;
                first.end()?;
                unit
            }
        };
        let mut path: Vec<Spanned<Place>> = Vec::new();
        for pair in 0..PAIRS {
            path.extend(place(&words(1 + 2 * pair), &words(2 + 2 * pair), each)?);
        }
        let last = open.and_then(|order| order.path.last());
        match path.first() {
            None => return Err(words(1).wrong("expect-field")),
            Some(first) if is_more && last.is_some_and(|last| last.value != first.value) => {
                let finding = Diagnostic::error("E_FROM", first.span, &[rule::GAP_71]);
                return Err(Box::new(finding.with("field", first.value.to_string())));
            }
            Some(_) => {}
        }
        // PYG-SHEET-02: to equals from for a standing army.
        if path.len() == 2 && path.first().map(|first| first.value) == path.last().map(|last| last.value) {
            path.truncate(1);
        }
        let mut heads = words(11);
        let strength = if heads.is_empty() {
            None
        } else {
            Some(line::strength(unit.value, &mut heads)?)
        };
        heads.end()?;
        let mut rest = words(12);
        let special = line::items(self.tables, &mut rest)?;
        rest.end()?;
        let order = Move {
            unit,
            starred,
            path,
            strength,
            special,
        };
        Ok(if is_more {
            Row::More(Box::new(order))
        } else {
            Row::New(Box::new(order))
        })
    }
}

enum Row {
    New(Box<Move>),
    More(Box<Move>),
}

/// A pair of cells; nothing if both are empty (PYG-SHEET-04).
fn place(gf: &Words<'_>, kf: &Words<'_>, each: u32) -> Result<Option<Spanned<Place>>, Finding> {
    if gf.is_empty() && kf.is_empty() {
        return Ok(None);
    }
    let (mut gf, mut kf) = (gf.clone(), kf.clone());
    let span = gf.here();
    let end = kf.here();
    let written = format!("{}/{}", gf.number("expect-gf")?.value, kf.number("expect-kf")?.value);
    gf.end()?;
    kf.end()?;
    let span = Span {
        length: (end.column + end.length).saturating_sub(span.column),
        ..span
    };
    match Place::read(&written) {
        Some(value) if value.kf <= each => Ok(Some(Spanned { span, value })),
        _ => {
            let finding = Diagnostic::error("E_FIELD", span, &[rule::MAP_01, rule::MAP_02]);
            Err(Box::new(finding.with("field", written).with("max", each)))
        }
    }
}
