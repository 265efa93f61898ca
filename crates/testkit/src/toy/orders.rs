//! Order files of the toy: `MARCH 3`, `DIG`, `PRAY`, comments behind `;`.

use super::{Order, WRITING};
use kernel::diagnostic::{Diagnostic, Parsed, Span, Spanned};
use kernel::limits;

/// The text of a file as far as it is read, with one kind of line end.
pub fn text(file: &[u8]) -> String {
    let file = file.get(..limits::ORDER_FILE_BYTES).unwrap_or(file);
    String::from_utf8_lossy(file).replace("\r\n", "\n").replace('\r', "\n")
}

/// The lines of a text as far as they are read.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split_terminator('\n').take(limits::ORDER_FILE_LINES)
}

/// Reads an order file.
pub fn parse(file: &[u8]) -> Parsed<Order> {
    let mut parsed = Parsed::default();
    let text = text(file);
    if file.len() > limits::ORDER_FILE_BYTES || text.split_terminator('\n').count() > limits::ORDER_FILE_LINES {
        let span = Span {
            line: 1,
            column: 1,
            length: 0,
        };
        parsed.diagnostics.push(Diagnostic::error("too-long", span, &[WRITING]));
    }
    for (line, number) in lines(&text).zip(1u32..) {
        let order = line.split(';').next().unwrap_or_default();
        if order.trim().is_empty() {
            continue;
        }
        let blanks = order.chars().take_while(|letter| letter.is_whitespace()).count();
        let span = Span {
            line: number,
            column: u32::try_from(blanks + 1).unwrap_or(u32::MAX),
            length: u32::try_from(order.trim().chars().count()).unwrap_or(u32::MAX),
        };
        let words: Vec<&str> = order.split_whitespace().collect();
        let value = match words.as_slice() {
            ["DIG"] => Some(Order::Dig),
            ["PRAY"] => Some(Order::Pray),
            ["MARCH", to] => to.parse().ok().map(Order::March),
            _ => None,
        };
        match value {
            Some(value) => parsed.orders.push(Spanned { span, value }),
            None if parsed.diagnostics.len() < limits::DIAGNOSTICS => parsed
                .diagnostics
                .push(Diagnostic::error("no-order", span, &[WRITING]).mended_by(span, "DIG")),
            None => {}
        }
    }
    parsed
}
