//! Order files of the toy: `MARCH 3`, `DIG`, `PRAY`, comments behind `;`.

use super::{Order, WRITING};
use kernel::diagnostic::{Diagnostic, Parsed, Span, Spanned};

/// Reads an order file.
pub fn parse(file: &[u8]) -> Parsed<Order> {
    let mut parsed = Parsed::default();
    let text = String::from_utf8_lossy(file);
    let lines = text.lines().take(kernel::limits::ORDER_FILE_LINES);
    for (line, number) in lines.zip(1u32..) {
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
            None => parsed
                .diagnostics
                .push(Diagnostic::error("no-order", span, &[WRITING]).mended_by(span, "DIG")),
        }
    }
    parsed
}
