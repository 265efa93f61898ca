//! Reading a turn script. Never fails and never panics: what cannot be read becomes a finding with line, column and what was expected.
//!
//! One statement a line, words parted by blanks, keywords in letters of any case, umlauts also as `AE`, `OE`, `UE`. A line that begins
//! with `;` is a comment. `->` and `>` and `,` need no blanks around them.

mod line;
mod spelling;
mod words;

use crate::battle::REFUSED_LINE;
use crate::order::Order;
use crate::rule;
use kernel::diagnostic::{Diagnostic, Parsed, Span, Spanned};
use kernel::limits;

/// Characters of an unreadable line that its finding quotes.
const LINE_SHOWN: usize = 120;

/// Reads a script.
pub fn parse(file: &[u8]) -> Parsed<Order> {
    let mut parsed = Parsed::default();
    if file.len() > limits::ORDER_FILE_BYTES {
        let span = Span {
            line: 1,
            column: 1,
            length: 0,
        };
        let finding = Diagnostic::error("file-too-long", span, &[rule::GAP_45]);
        parsed
            .diagnostics
            .push(finding.with("max", i64::try_from(limits::ORDER_FILE_BYTES).unwrap_or(i64::MAX)));
        return parsed;
    }
    let text = String::from_utf8_lossy(file);
    for (content, number) in lines(&text).zip(1u32..) {
        if number as usize > limits::ORDER_FILE_LINES {
            let span = Span {
                line: number,
                column: 1,
                length: 0,
            };
            let finding = Diagnostic::error("too-many-lines", span, &[rule::GAP_45]);
            parsed
                .diagnostics
                .push(finding.with("max", i64::try_from(limits::ORDER_FILE_LINES).unwrap_or(i64::MAX)));
            break;
        }
        match read_line(content, number) {
            Ok(Some(order)) => parsed.orders.push(order),
            Ok(None) => {}
            Err(finding) => {
                if parsed.diagnostics.len() < limits::DIAGNOSTICS {
                    let line: String = content.trim().chars().take(LINE_SHOWN).collect();
                    parsed.diagnostics.push(finding.with(REFUSED_LINE, line));
                }
            }
        }
    }
    parsed
}

/// The lines of a text, ended by CR, LF or both. The byte order mark before it and the end mark of DOS behind it are none.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    const END_MARK: char = '\u{1a}';
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let body = text.trim_end_matches([END_MARK, '\0', ' ', '\t', '\r', '\n']);
    let tail = text.get(body.len()..).unwrap_or_default();
    let end = tail.find(END_MARK).map_or(text.len(), |at| body.len() + at);
    let mut rest = text.get(..end).unwrap_or(text);
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (line, behind) = match rest.find(['\r', '\n']) {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        let end = behind.strip_prefix("\r\n").or_else(|| behind.get(1..));
        rest = end.unwrap_or_default();
        Some(line)
    })
}

/// Reads one line: nothing for an empty one or a comment.
fn read_line(content: &str, number: u32) -> Result<Option<Spanned<Order>>, Box<Diagnostic>> {
    let trimmed = content.trim();
    if trimmed.is_empty() || trimmed.starts_with(';') {
        return Ok(None);
    }
    let mut words = words::Words::new(content, number);
    let whole = words.whole();
    let order = line::read(&mut words)?;
    words.end()?;
    Ok(Some(Spanned {
        span: whole,
        value: order,
    }))
}

/// What became of each line, for the harness that breaks order files.
pub fn is_understood(line: &str) -> bool {
    let trimmed = line.trim();
    trimmed.is_empty() || trimmed.starts_with(';')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::{Class, Kind, Spell, Weapon};
    use crate::order::{Figures, LevelName, Named, StandingOrder};
    use kernel::hex::Direction;
    use proptest::prelude::*;

    fn one(line: &str) -> Order {
        let parsed = parse(line.as_bytes());
        assert_eq!(parsed.diagnostics, [], "{line}");
        parsed.orders.into_iter().next().expect("one order").value
    }

    fn fault(line: &str) -> (String, u32) {
        let parsed = parse(line.as_bytes());
        assert_eq!(parsed.orders.len(), 0, "{line}");
        let finding = parsed.diagnostics.into_iter().next().expect("a finding");
        (finding.code.into_owned(), finding.span.column)
    }

    #[test]
    fn the_example_of_the_catalogue_is_read() {
        let text =
            "RUNDE 2 SPIELER Rot\nZIEHE 2LB 17>18>24 FRONT O\nANGRIFF LB#3 MIT LB#4 -> S#9\nTOR 17.0-O AUF\nENDE\n";
        let parsed = parse(text.as_bytes());
        assert_eq!(parsed.diagnostics, []);
        assert_eq!(parsed.orders.len(), 5);
        let lance = Kind::Warrior(Weapon::Lance, Class::B);
        let Order::Move { figures, path, facing } = &parsed.orders[1].value else {
            panic!("a move")
        };
        assert_eq!(figures.value, Figures::Count(2, lance));
        assert_eq!(
            path.iter().map(|field| field.value.number).collect::<Vec<_>>(),
            [17, 18, 24]
        );
        assert_eq!(facing.map(|facing| facing.value), Some(Direction::East));
        let Order::Attack { support, target, .. } = &parsed.orders[2].value else {
            panic!("an attack")
        };
        assert_eq!(support.map(|named| named.value), Some(Named { kind: lance, number: 4 }));
        assert_eq!(target.span.column, 26);
        let Order::Gate { gate, open } = &parsed.orders[3].value else {
            panic!("a gate")
        };
        assert!(*open);
        assert_eq!((gate.value.at.number, gate.value.side), (17, Direction::East));
        assert_eq!(gate.value.at.level, LevelName::Number(0));
    }

    #[test]
    fn provinces_whose_names_hold_signs_are_read() {
        let Order::Move { path, .. } = one("ziehe LB#1 2N+4/17 > U-15/3.P") else {
            panic!("a move")
        };
        assert_eq!(path[0].value.province.as_deref(), Some("2N+4"));
        assert_eq!(path[1].value.province.as_deref(), Some("U-15"));
        assert_eq!(path[1].value.level, LevelName::Platform);
    }

    #[test]
    fn spells_take_several_fields_a_storey_and_an_aim() {
        let Order::Cast {
            spell,
            fields,
            storey,
            to,
            ..
        } = one("ZAUBER Stärken 17,18 STOCK 1")
        else {
            panic!("a spell")
        };
        assert_eq!(spell.value, Spell::Strengthen);
        assert_eq!(fields.len(), 2);
        assert_eq!(storey.map(|storey| storey.value), Some(LevelName::Number(1)));
        assert!(to.is_empty());
        let Order::Cast { to, .. } = one("ZAUBER VERSETZEN 17 NACH 20, 21.P") else {
            panic!("a spell")
        };
        assert_eq!(to.len(), 2);
    }

    #[test]
    fn standing_instructions_are_read() {
        assert_eq!(
            one("ANWEISUNG ENTKRAEFTEN AB 10 SUMME 6"),
            Order::Standing(StandingOrder::Dispel {
                from: 10,
                total: Some(6)
            })
        );
        assert_eq!(
            one("ANWEISUNG ENTKRÄFTEN NIE"),
            Order::Standing(StandingOrder::NeverDispel)
        );
        let Order::Standing(StandingOrder::Sacrifice(kinds)) = one("ANWEISUNG OPFER B, S") else {
            panic!("a list")
        };
        assert_eq!(kinds.len(), 2);
    }

    #[test]
    fn findings_point_at_the_word_at_fault() {
        assert_eq!(fault("ZEIHE 2LB 17>18"), ("unknown-verb".to_owned(), 1));
        assert_eq!(fault("ZIEHE 2XX 17>18"), ("expected-figures".to_owned(), 7));
        assert_eq!(fault("ZIEHE 2LB 17>49"), ("expected-field".to_owned(), 14));
        assert_eq!(fault("ZIEHE 2LB 17>0"), ("expected-field".to_owned(), 14));
        assert_eq!(fault("ANGRIFF LB#3 S#9"), ("expected-word".to_owned(), 14));
        assert_eq!(fault("ENDE jetzt"), ("line-goes-on".to_owned(), 6));
        assert_eq!(fault("TOR 17.0-X AUF"), ("expected-gate".to_owned(), 5));
    }

    #[test]
    fn an_empty_line_and_a_comment_are_no_orders() {
        let parsed = parse(b"\n; ZIEHE\n   \n");
        assert_eq!((parsed.orders.len(), parsed.diagnostics.len()), (0, 0));
    }

    proptest! {
        #[test]
        fn reading_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let _ = parse(&bytes);
        }

        #[test]
        fn every_line_is_an_order_a_finding_or_nothing(text in "[A-Z0-9#>,. /ö-]{0,60}") {
            let parsed = parse(text.as_bytes());
            let nothing = usize::from(is_understood(&text));
            prop_assert_eq!(parsed.orders.len() + parsed.diagnostics.len() + nothing, 1);
        }
    }
}
