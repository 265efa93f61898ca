//! The files themselves (THO-ORD-01): the name of the orders, and the realm that `Reich_ID` beside them claims.

use crate::Thoramar;
use crate::rule::ORD_01;
use kernel::diagnostic::{Diagnostic, Span, Value};
use kernel::game::{ArrivedFiles, Game};
use kernel::realm::RealmId;

/// How much of a foreign name or number a finding repeats.
const SHOWN_CHARACTERS: usize = 60;

/// THO-ORD-01: the orders are called `SPIELZUG` without an extension, in capitals or not; `Reich_ID`, if it came along, names
/// the realm that is logged in.
pub fn check(realm: RealmId, files: ArrivedFiles<'_>) -> Vec<Diagnostic> {
    let whole = Span::default();
    let mut findings = Vec::new();
    if let Some(name) = files.orders
        && !name.eq_ignore_ascii_case(Thoramar::FILES.orders)
    {
        findings.push(Diagnostic::error("F01", whole, &[ORD_01]).with("name", shown(name)));
    }
    if let Some(claimed) = files.realm {
        let claimed = String::from_utf8_lossy(claimed);
        let claimed = claimed.trim();
        if claimed.parse() != Ok(realm.0) {
            let told: Value = match claimed.parse::<i64>() {
                Ok(number) => number.into(),
                Err(_) => shown(claimed).into(),
            };
            findings.push(
                Diagnostic::error("F02", whole, &[ORD_01])
                    .with("n", told)
                    .with("m", i64::from(realm.0)),
            );
        }
    }
    findings
}

fn shown(text: &str) -> String {
    text.chars()
        .filter(|letter| !letter.is_control())
        .take(SHOWN_CHARACTERS)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(orders: Option<&str>, realm: Option<&[u8]>) -> Vec<String> {
        let findings = check(RealmId(7), ArrivedFiles { orders, realm });
        findings.into_iter().map(|finding| finding.code.into_owned()).collect()
    }

    #[test]
    fn the_orders_are_called_spielzug_in_capitals_or_not() {
        for (name, right) in [
            ("SPIELZUG", true),
            ("Spielzug", true),
            ("SPIELZUG.TXT", false),
            ("SPIELZUG.", false),
            ("", false),
        ] {
            assert_eq!(codes(Some(name), None).is_empty(), right, "{name:?}");
        }
        assert_eq!(codes(Some("ZUG"), None), ["F01"]);
        assert_eq!(codes(None, None), [] as [&str; 0]);
    }

    #[test]
    fn the_realm_beside_the_orders_must_be_the_one_that_is_logged_in() {
        for (claimed, right) in [
            ("7", true),
            (" 07\r\n", true),
            ("6", false),
            ("8", false),
            ("70000", false),
            ("seven", false),
            ("", false),
        ] {
            assert_eq!(codes(None, Some(claimed.as_bytes())).is_empty(), right, "{claimed:?}");
        }
        assert_eq!(codes(None, Some(b"\xff\x00")), ["F02"]);
    }
}
