//! What is wrong with an order file, worded for the page: place, text, what was expected, rules, repair.

use crate::pages::report::Reader;
use crate::words::Words;
use kernel::any::Checked;
use kernel::diagnostic::{Diagnostic, Repair, Severity};
use render::finding::severity_word;

/// Findings of one weight and code beyond this many are folded.
const ALIKE_MAX: usize = 3;
/// Characters of a line that are shown on either side of the place.
const SHOWN_MAX: usize = 60;

/// One finding.
pub struct Finding {
    /// Its number among all, by which its repair is asked for.
    pub number: usize,
    /// Class of the style sheet: `e`, `w` or `h`.
    pub class: &'static str,
    /// Its symbol.
    pub symbol: &'static str,
    /// The word for its weight.
    pub word: String,
    /// The game's own code.
    pub code: String,
    /// Line, from 1; 0 for the file as a whole.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// Number of characters.
    pub length: u32,
    /// What is wrong.
    pub text: String,
    /// What was expected; may be empty.
    pub expected: String,
    /// The rules that say so.
    pub rules: Vec<String>,
    /// The player's line before, at and behind the place.
    pub source: Option<(String, String, String)>,
    /// A proposed change.
    pub repair: Option<Mend>,
}

/// A proposed change.
pub struct Mend {
    /// What the button says.
    pub label: String,
    /// Where.
    pub line: u32,
    /// Where.
    pub column: u32,
    /// How many characters.
    pub length: u32,
    /// What comes there.
    pub text: String,
}

/// All findings of a file.
pub struct Findings {
    /// Orders that were understood.
    pub orders: usize,
    /// The findings, those of one place together.
    pub list: Vec<Finding>,
    /// Many of the same kind, apart: their text, one after the other.
    pub alike: Vec<Finding>,
    /// Number of errors.
    pub errors: usize,
    /// Number of warnings.
    pub warnings: usize,
    /// Number of hints.
    pub hints: usize,
    /// What the rule links begin with.
    pub rule_address: String,
}

/// Words the findings of a checked file.
pub fn findings(reader: &Reader, words: Words, checked: &Checked, text: &str) -> Findings {
    let lines: Vec<&str> = text.split('\n').collect();
    let count = |severity| checked.diagnostics.iter().filter(|of| of.severity == severity).count();
    let mut found = Findings {
        orders: checked.orders,
        list: Vec::new(),
        alike: Vec::new(),
        errors: count(Severity::Error),
        warnings: count(Severity::Warning),
        hints: count(Severity::Hint),
        rule_address: reader.rule_address.clone(),
    };
    for (number, diagnostic) in checked.diagnostics.iter().enumerate() {
        let finding = finding(reader, words, number, diagnostic, &lines);
        let same = |of: &&Diagnostic| of.code == diagnostic.code;
        let many = diagnostic.severity == Severity::Hint && checked.diagnostics.iter().filter(same).count() > ALIKE_MAX;
        if many {
            found.alike.push(finding);
        } else {
            found.list.push(finding);
        }
    }
    found
}

fn finding(reader: &Reader, words: Words, number: usize, diagnostic: &Diagnostic, lines: &[&str]) -> Finding {
    let (text, expected) = reader.wording.fault(diagnostic);
    let (class, symbol) = match diagnostic.severity {
        Severity::Error => ("e", "i-error"),
        Severity::Warning => ("w", "i-warn"),
        Severity::Hint => ("h", "i-hint"),
    };
    let span = diagnostic.span;
    let line = (span.line as usize).checked_sub(1).and_then(|line| lines.get(line));
    Finding {
        number,
        class,
        symbol,
        word: severity_word(reader.wording, diagnostic.severity),
        code: diagnostic.code.to_string(),
        line: span.line,
        column: span.column,
        length: span.length,
        text,
        expected,
        rules: diagnostic.rules.iter().map(|rule| rule.to_string()).collect(),
        source: line
            .filter(|_| span.length > 0)
            .map(|line| around(line, span.column, span.length)),
        repair: diagnostic.repair.as_deref().map(|repair| mend(words, repair)),
    }
}

fn mend(words: Words, repair: &Repair) -> Mend {
    let shown: String = repair.text.trim().chars().take(40).collect();
    let label = if repair.text.is_empty() {
        words.t("orders.repair-remove")
    } else if shown == ";" {
        words.t("orders.repair-comment")
    } else if repair.span.length == 0 {
        words.t1("orders.repair-insert", "text", shown)
    } else {
        words.t1("orders.repair-replace", "text", shown)
    };
    Mend {
        label,
        line: repair.span.line,
        column: repair.span.column,
        length: repair.span.length,
        text: repair.text.clone(),
    }
}

/// A line in three: what stands before the place, at it and behind it, within the width of a phone or two.
fn around(line: &str, column: u32, length: u32) -> (String, String, String) {
    let letters: Vec<char> = line
        .chars()
        .filter(|letter| !render::outline::turns_writing(*letter))
        .collect();
    let first = (column as usize).saturating_sub(1).min(letters.len());
    let last = first.saturating_add(length as usize).min(letters.len());
    let part = |from: usize, to: usize| letters.get(from..to).unwrap_or_default().iter().collect::<String>();
    let start = first.saturating_sub(SHOWN_MAX);
    let end = last.saturating_add(SHOWN_MAX).min(letters.len());
    let before = if start > 0 {
        format!("… {}", part(start, first))
    } else {
        part(start, first)
    };
    let after = if end < letters.len() {
        format!("{} …", part(last, end))
    } else {
        part(last, end)
    };
    let marked_end = last.min(first + 2 * SHOWN_MAX);
    (before, part(first, marked_end), after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_shown_around_the_place() {
        let (before, at, after) = around("BRG 4 2 Grauzahn", 5, 3);
        assert_eq!(
            (before.as_str(), at.as_str(), after.as_str()),
            ("BRG ", "4 2", " Grauzahn")
        );
        let (before, at, after) = around("ä", 9, 4);
        assert_eq!((before.as_str(), at.as_str(), after.as_str()), ("ä", "", ""));
        let long = "x".repeat(200);
        let (before, at, after) = around(&long, 101, 1);
        assert_eq!((before.chars().count(), at.len(), after.chars().count()), (62, 1, 62));
    }
}
