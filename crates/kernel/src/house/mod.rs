//! House rules: what a world has otherwise than its book, as TOML.
//!
//! A game keeps its figures in data files. A world's house rules are laid over them ([`lay_over`]); a game master sees every one of
//! them as an entry of a list ([`HouseRule`]) with the rules that the comments of the files name ([`Reasons`]), and what he fills in is
//! written as TOML again ([`write`]).

mod last;
mod overlay;
mod reasons;

pub use last::Last;
pub use overlay::{Limits, Misfits, Problem, bounded, lay_over, parse};
pub use reasons::Reasons;

use crate::form::{Input, Values};
use crate::guide::HouseRule;
use std::collections::BTreeMap;
use toml::{Table, Value};

/// Characters of a value that is written as TOML itself, if the book's is not long.
const LITERAL_MAX: u32 = 400;

/// What may stand where the files have a list or a word that only the game can check: one line of TOML, longer than the book's.
pub fn one_line(book: &str) -> Input {
    let twice = u32::try_from(book.chars().count().saturating_mul(2)).unwrap_or(u32::MAX);
    Input::Text {
        max: twice.max(LITERAL_MAX),
        lines: 1,
    }
}

/// Every single value of a tree with its path, parted by dots.
pub fn each_value(table: &Table, found: &mut dyn FnMut(&str, &Value)) {
    each_below(table, "", found);
}

fn each_below(table: &Table, path: &str, found: &mut dyn FnMut(&str, &Value)) {
    for (key, value) in table {
        let here = below(path, key);
        match value {
            Value::Table(inner) => each_below(inner, &here, found),
            value => found(&here, value),
        }
    }
}

fn below(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}

/// A value as a form shows it: words without quotation marks, everything else as TOML.
pub fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

/// The TOML text of those values of a filled-in list that differ from the book.
pub fn write(list: &[HouseRule], values: &Values) -> String {
    let rules: BTreeMap<&str, &HouseRule> = list.iter().map(|rule| (rule.key.as_str(), rule)).collect();
    let mut text = String::new();
    for (key, value) in values {
        let value = value.trim();
        let Some(rule) = rules
            .get(key.as_str())
            .filter(|rule| value != rule.default && !value.is_empty())
        else {
            continue;
        };
        let written = if is_word(rule, value) {
            quoted(value)
        } else {
            value.replace(char::is_control, " ")
        };
        let path: Vec<String> = key.split('.').map(bare_or_quoted).collect();
        text.push_str(&format!("{} = {written}\n", path.join(".")));
    }
    text
}

/// Whether a value needs quotation marks: a choice, a text of many lines, and whatever is no TOML or stands where the book has a word.
fn is_word(rule: &HouseRule, value: &str) -> bool {
    match rule.input {
        Input::Choice { .. } => true,
        Input::Text { lines, .. } => {
            let book_has_a_word = !rule.default.is_empty() && !is_toml(&rule.default);
            lines > 1 || book_has_a_word || !is_toml(value)
        }
        _ => false,
    }
}

/// A code such as `Kö` needs quotation marks in a key.
fn bare_or_quoted(part: &str) -> String {
    let bare = part
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    if bare { part.to_owned() } else { quoted(part) }
}

fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

fn is_toml(text: &str) -> bool {
    format!("x = {text}")
        .parse::<Table>()
        .is_ok_and(|table| table.len() == 1)
}

/// The values that house rules set, by path.
pub fn read(text: &str) -> Values {
    let mut values = Values::new();
    if let Ok(table) = text.parse::<Table>() {
        each_value(&table, &mut |path, value| {
            values.insert(path.to_owned(), literal(value));
        });
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Name;
    use crate::form::Choice;
    use proptest::prelude::*;

    fn rule(key: &str, input: Input, default: &str) -> HouseRule {
        HouseRule {
            key: key.to_owned(),
            section: Name::default(),
            label: Name::default(),
            item: String::new(),
            item_label: Name::default(),
            input,
            default: default.to_owned(),
            rules: Vec::new(),
        }
    }

    fn written(rule: HouseRule, value: &str) -> String {
        let values = Values::from([(rule.key.clone(), value.to_owned())]);
        write(&[rule], &values)
    }

    #[test]
    fn values_are_written_as_their_kind_wants() {
        let number = Input::Number { min: 0, max: 9 };
        assert_eq!(written(rule("a.b", number.clone(), "1"), "2"), "a.b = 2\n");
        assert_eq!(written(rule("a.Kö", number, "1"), " 2 "), "a.\"Kö\" = 2\n");
        assert_eq!(written(rule("a.b", Input::Flag, "false"), "true"), "a.b = true\n");
        let choices = vec![Choice::plain("up"), Choice::plain("1")];
        assert_eq!(written(rule("a", Input::Choice { choices }, "up"), "1"), "a = \"1\"\n");
        assert_eq!(written(rule("a", one_line(""), "[1, 2]"), "[3]"), "a = [3]\n");
        // The book has a name: what looks like a number is one, too.
        assert_eq!(written(rule("a", one_line(""), "Burg"), "1848"), "a = \"1848\"\n");
        assert_eq!(written(rule("a", one_line(""), "1/2"), "2/3"), "a = \"2/3\"\n");
        let many = Input::Text { max: 99, lines: 9 };
        assert_eq!(
            read(&written(rule("a", many, ""), "1\n2")).get("a").map(String::as_str),
            Some("1\n2")
        );
    }

    #[test]
    fn nothing_is_written_for_what_the_book_says_nothing_or_nobody_asked() {
        assert_eq!(written(rule("a", Input::Flag, "true"), "true"), "");
        assert_eq!(written(rule("a", one_line(""), "x"), "  "), "");
        assert_eq!(write(&[], &Values::from([("a".to_owned(), "1".to_owned())])), "");
    }

    #[test]
    fn a_value_cannot_break_out_of_its_line() {
        let text = written(rule("a.b", Input::Number { min: 0, max: 9 }, "1"), "2\n[c]\nd = 3");
        assert_eq!(text.lines().count(), 1, "{text}");
        let text = written(rule("a.b", one_line(""), "x"), "\"\n[c]\nd = 3");
        assert_eq!(read(&text).len(), 1, "{text}");
    }

    proptest! {
        #[test]
        fn whatever_somebody_writes_is_one_value_of_its_key(
            value in r#"[ -~\n\täß"=\[\]{}#]{0,40}"#, default in prop_oneof![Just(""), Just("[1, 2]"), Just("Burg")], lines in 1u32..3
        ) {
            let text = written(rule("a.Kö.c", Input::Text { max: 99, lines }, default), &value);
            let read = text.parse::<Table>();
            prop_assert!(read.is_ok(), "{}", text);
            let mut paths = Vec::new();
            each_value(&read.unwrap_or_default(), &mut |path, _| paths.push(path.to_owned()));
            // A table in braces has its own keys, all below that of the rule.
            prop_assert!(paths.iter().all(|path| path.starts_with("a.Kö.c")), "{}", text);
        }
    }

    #[test]
    fn a_line_may_be_twice_as_long_as_that_of_the_book() {
        assert_eq!(one_line(""), Input::Text { max: 400, lines: 1 });
        assert_eq!(one_line(&"ä".repeat(200)), Input::Text { max: 400, lines: 1 });
        assert_eq!(one_line(&"ä".repeat(201)), Input::Text { max: 402, lines: 1 });
    }

    #[test]
    fn what_is_written_is_read_again() {
        let values = read("[a]\nb = 1\nc.d = \"e\"\n[f]\ng = [1, 2]\n");
        let expected = [("a.b", "1"), ("a.c.d", "e"), ("f.g", "[1, 2]")];
        assert_eq!(
            values,
            expected
                .map(|(key, value)| (key.to_owned(), value.to_owned()))
                .into_iter()
                .collect()
        );
        assert!(read("no toml").is_empty());
    }
}
