//! Findings about an order file, for the report, the command line and pages.

use kernel::diagnostic::{Diagnostic, Repair, Severity};
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
    // What concerns the file as a whole, such as its name, stands in no line of it.
    let of_file = span.line == 0;
    let head = if of_file {
        "finding.head_of_file"
    } else {
        "finding.head"
    };
    let mut out = wording.text(head, &args) + "\n";
    let number = span.line.to_string();
    let gutter = " ".repeat(number.len());
    let line = source
        .lines()
        .nth((span.line as usize).saturating_sub(1))
        .filter(|_| !of_file)
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
        out += &proposal(wording, repair, source, &gutter);
    }
    if !diagnostic.rules.is_empty() {
        out += &format!(
            "{gutter} = {}\n",
            wording.text("finding.rules", &[("rules", Arg::Text(&diagnostic.rules.join(", ")))])
        );
    }
    out
}

/// A repair as the player's line would look with it; one that leaves nothing of the line says so.
fn proposal(wording: &Wording, repair: &Repair, source: &str, gutter: &str) -> String {
    let line = source
        .lines()
        .nth((repair.span.line as usize).saturating_sub(1))
        .unwrap_or_default();
    let first = (repair.span.column as usize).saturating_sub(1);
    let before = line.chars().take(first);
    let behind = line.chars().skip(first + repair.span.length as usize);
    let mended: String = before.chain(repair.text.chars()).chain(behind).collect();
    let mut lines = mended.trim_end().lines();
    let Some(shown) = lines.next() else {
        let words = wording.text::<(&str, Arg<'_>)>("finding.remove", &[]);
        return format!("{gutter} = {words}\n");
    };
    let clean = |line: &str| {
        let mut shown = Vec::new();
        push_clean(&mut shown, line);
        String::from_utf8_lossy(&shown).into_owned()
    };
    let head = |text: &str| wording.text("finding.repair", &[("text", Arg::Text(text))]);
    let mut out = format!("{gutter} = {}\n", head(&clean(shown)));
    let indent = " ".repeat(head("").chars().count());
    for more in lines {
        out += &format!("{gutter}   {indent}{}\n", clean(more));
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
            "Fehler [A03] Zeile 2, Spalte 3: K.X ist kein Heer.\n2 | ä K.X 1\n  |   ^^^\n  = Erwartet: ein Heer.\n  = Vorschlag: ä K.M 1\n"
        );
    }

    #[test]
    fn a_repair_is_shown_as_the_lines_it_makes() {
        let shown = |column, length, text: &str| {
            let span = Span {
                line: 1,
                column,
                length,
            };
            let error = Diagnostic::error("A03", span, &[]).mended_by(span, text);
            let shown = finding_excerpt(&wording(), &error, "K.M 1 0 V\n");
            shown.split_once("Erwartet: ein Heer.\n").unwrap().1.to_owned()
        };
        assert_eq!(shown(1, 0, "$A\n"), "  = Vorschlag: $A\n               K.M 1 0 V\n");
        assert_eq!(shown(1, 0, ";"), "  = Vorschlag: ;K.M 1 0 V\n");
        assert_eq!(shown(7, 3, ""), "  = Vorschlag: K.M 1\n");
        assert_eq!(shown(1, 9, ""), "  = Vorschlag: weglassen\n");
        assert_eq!(
            shown(90, 9, " x"),
            "  = Vorschlag: K.M 1 0 V x\n",
            "a place beyond the text does no harm"
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
