//! Findings about an order file, for the report, the command line and pages.

use kernel::diagnostic::{Diagnostic, Severity};
use kernel::report::Arg;

use crate::locale::Wording;
use crate::template::push_clean;

/// One line about a finding, as the report prints it.
pub fn finding_line(wording: &Wording, diagnostic: &Diagnostic) -> String {
    let (text, expected) = wording.fault(diagnostic);
    let key = if expected.is_empty() {
        "finding.line"
    } else {
        "finding.line_expecting"
    };
    let args = [
        ("line", Arg::Int(i64::from(diagnostic.span.line))),
        ("column", Arg::Int(i64::from(diagnostic.span.column))),
        ("code", Arg::Text(&diagnostic.code)),
        ("text", Arg::Text(&text)),
        ("expect", Arg::Text(&expected)),
    ];
    wording.text(key, &args)
}

/// The word for a finding's weight.
pub fn severity_word(wording: &Wording, severity: Severity) -> String {
    let key = match severity {
        Severity::Error => "finding.error",
        Severity::Warning => "finding.warning",
        Severity::Hint => "finding.hint",
    };
    wording.text::<(&str, Arg<'_>)>(key, &[])
}

/// Several lines about a finding, with the player's line, an underline, the rules and the proposed repair: for people who
/// have the file before them.
pub fn finding_excerpt(wording: &Wording, diagnostic: &Diagnostic, source: &str) -> String {
    let (text, expected) = wording.fault(diagnostic);
    let span = diagnostic.span;
    let args = [
        ("severity", Arg::Text(&severity_word(wording, diagnostic.severity))),
        ("line", Arg::Int(i64::from(span.line))),
        ("column", Arg::Int(i64::from(span.column))),
        ("code", Arg::Text(&diagnostic.code)),
        ("text", Arg::Text(&text)),
    ];
    let mut out = wording.text("finding.head", &args) + "\n";
    let number = span.line.to_string();
    let gutter = " ".repeat(number.len());
    let line = source
        .lines()
        .nth((span.line as usize).saturating_sub(1))
        .unwrap_or_default();
    if !line.is_empty() {
        let mut shown = Vec::new();
        push_clean(&mut shown, line);
        out += &format!("{number} | {}\n", String::from_utf8_lossy(&shown));
        let before = (span.column as usize).saturating_sub(1).min(line.chars().count());
        let marked = (span.length as usize)
            .min(line.chars().count().saturating_sub(before))
            .max(1);
        out += &format!("{gutter} | {}{}\n", " ".repeat(before), "^".repeat(marked));
    }
    if !expected.is_empty() {
        out += &format!(
            "{gutter} = {}\n",
            wording.text("finding.expected", &[("expect", Arg::Text(&expected))])
        );
    }
    if let Some(repair) = &diagnostic.repair {
        let key = if repair.text.is_empty() {
            "finding.remove"
        } else {
            "finding.repair"
        };
        out += &format!(
            "{gutter} = {}\n",
            wording.text(key, &[("text", Arg::Text(&repair.text))])
        );
    }
    if !diagnostic.rules.is_empty() {
        out += &format!(
            "{gutter} = {}\n",
            wording.text("finding.rules", &[("rules", Arg::Text(&diagnostic.rules.join(", ")))])
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locale::Language;
    use kernel::diagnostic::Span;

    fn wording() -> Wording {
        let shared = include_str!("../../../locale/de/report.toml");
        let game = "[fault]\nA03 = { text = \"K.X ist kein Heer.\", expect = \"ein Heer\" }\nH01 = { text = \"Ohne Befehl.\" }\n";
        Wording::new(Language::German, &[shared, game]).unwrap()
    }

    #[test]
    fn a_line_names_place_code_and_what_was_expected() {
        let span = Span {
            line: 4,
            column: 1,
            length: 3,
        };
        let error = Diagnostic::error("A03", span, &[]);
        assert_eq!(
            finding_line(&wording(), &error),
            "Zeile 4: [A03] K.X ist kein Heer. Erwartet: ein Heer."
        );
        let hint = Diagnostic::hint("H01", span, &[]);
        assert_eq!(finding_line(&wording(), &hint), "Zeile 4: [H01] Ohne Befehl.");
    }

    #[test]
    fn an_excerpt_underlines_the_place_and_shows_the_repair() {
        let span = Span {
            line: 2,
            column: 3,
            length: 3,
        };
        let error = Diagnostic::error("A03", span, &[]).mended_by(span, "K.M");
        let shown = finding_excerpt(&wording(), &error, "; Bär\nä K.X 1\n");
        assert_eq!(
            shown,
            "Fehler [A03] Zeile 2, Spalte 3: K.X ist kein Heer.\n2 | ä K.X 1\n  |   ^^^\n  = Erwartet: ein Heer.\n  = Vorschlag: K.M\n"
        );
    }

    #[test]
    fn a_place_beyond_the_text_does_no_harm() {
        let span = Span {
            line: 9,
            column: 99,
            length: 500,
        };
        let error = Diagnostic::error("A03", span, &[]);
        assert!(finding_excerpt(&wording(), &error, "a\n").contains("[A03]"));
        let span = Span { line: 1, ..span };
        let error = Diagnostic::error("A03", span, &[]);
        assert!(finding_excerpt(&wording(), &error, "a\n").contains("\n  |  ^\n"));
    }
}
