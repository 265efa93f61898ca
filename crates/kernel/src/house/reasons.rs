//! The rules that data files name in their comments.

use crate::diagnostic::Name;
use crate::rule::{Rule, RuleId};
use std::collections::{BTreeMap, BTreeSet};

/// The rules behind every table and key of a game's data files.
///
/// A comment speaks of the table or key in whose line it stands or right above which it stands; an empty line ends it. `AB-GAP-01, -02`,
/// `AB-GAP-01 to 04` and `AB-GAP-01..04` name several rules.
pub struct Reasons {
    by_path: BTreeMap<String, Vec<Name>>,
    /// What allows changing figures at all.
    otherwise: RuleId,
}

impl Reasons {
    /// Reads data files. A word of a comment that is no id may be one behind `prefix`; where files say nothing, it is `otherwise`.
    pub fn read(texts: &[&str], rules: &[Rule], prefix: &str, otherwise: RuleId) -> Self {
        let ids = Ids {
            known: rules.iter().map(|rule| rule.id.as_str()).collect(),
            prefix,
        };
        let mut by_path: BTreeMap<String, Vec<Name>> = BTreeMap::new();
        for text in texts {
            let mut table = String::new();
            let mut above: Vec<Name> = Vec::new();
            for line in text.lines() {
                let (code, comment) = line.split_once('#').unwrap_or((line, ""));
                let mut named = ids.named_in(comment);
                let code = code.trim();
                if code.is_empty() {
                    if line.trim().is_empty() {
                        above.clear();
                    }
                    above.append(&mut named);
                    continue;
                }
                named.append(&mut above);
                if let Some(name) = code.strip_prefix('[').and_then(|code| code.strip_suffix(']')) {
                    table = name.trim_matches(['[', ']']).replace('"', "");
                    // What stands above the first of several tables, `figure.A`, `figure.B`, speaks of them all.
                    if let Some((family, _)) = table.split_once('.')
                        && !by_path.contains_key(family)
                    {
                        by_path.insert(family.to_owned(), named.clone());
                    }
                    by_path.entry(table.clone()).or_default().append(&mut named);
                } else if let Some((key, _)) = code.split_once(" = ") {
                    let key = key.trim().replace('"', "");
                    let path = super::below(&table, &key);
                    by_path.entry(path).or_default().append(&mut named);
                }
            }
        }
        by_path.retain(|_, named| !named.is_empty());
        Self { by_path, otherwise }
    }

    /// The rules of a key, or of the table around it.
    pub fn of(&self, path: &str) -> Vec<Name> {
        let mut path = path;
        loop {
            if let Some(named) = self.by_path.get(path) {
                return named.clone();
            }
            match path.rsplit_once('.') {
                Some((outer, _)) => path = outer,
                None => return vec![Name::Borrowed(self.otherwise.as_str())],
            }
        }
    }
}

struct Ids<'a> {
    known: BTreeSet<&'static str>,
    prefix: &'a str,
}

impl Ids<'_> {
    /// The rule ids in a comment, in order.
    fn named_in(&self, comment: &str) -> Vec<Name> {
        let mut named: Vec<Name> = Vec::new();
        let mut last: Option<&'static str> = None;
        let mut is_range = false;
        let spaced = comment.replace("..", " to ");
        let words = spaced.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-' && letter != '.');
        for word in words
            .map(|word| word.trim_end_matches('.'))
            .filter(|word| !word.is_empty())
        {
            if word == "to" {
                is_range = last.is_some();
                continue;
            }
            let found = self.id(word, last);
            if let (true, Some(first), Some(end)) = (is_range, last, found) {
                named.extend(self.between(first, end).map(Name::Borrowed));
            }
            if let Some(id) = found {
                named.push(Name::Borrowed(id));
            }
            (last, is_range) = (found, false);
        }
        named
    }

    /// The id that a word means after another: whole, without the game's prefix, or only its number.
    fn id(&self, word: &str, last: Option<&'static str>) -> Option<&'static str> {
        let known = |id: &str| self.known.get(id).copied();
        known(word)
            .or_else(|| known(&format!("{}{word}", self.prefix)))
            .or_else(|| {
                let (stem, _) = parts(last?)?;
                let (_, number) = parts(word).or_else(|| Some(("", number(word)?)))?;
                self.numbered(stem, number)
            })
    }

    /// The known ids with a stem and the numbers strictly between those of two ids.
    fn between(&self, first: &'static str, end: &'static str) -> impl Iterator<Item = &'static str> + '_ {
        let span = parts(first).zip(parts(end));
        let (stem, numbers) = span.map_or(("", 0..0), |((stem, from), (_, to))| (stem, from.saturating_add(1)..to));
        numbers.filter_map(move |number| self.numbered(stem, number))
    }

    /// The known id with this stem and number, with or without a leading zero.
    fn numbered(&self, stem: &str, number: u32) -> Option<&'static str> {
        let known = |id: String| self.known.get(id.as_str()).copied();
        known(format!("{stem}{number:02}")).or_else(|| known(format!("{stem}{number}")))
    }
}

/// An id without its last number, and the number: at most three digits, so that a range is never long.
fn parts(id: &str) -> Option<(&str, u32)> {
    let at = id.rfind(['-', '.'])? + 1;
    Some((id.get(..at)?, number(id.get(at..)?)?))
}

fn number(digits: &str) -> Option<u32> {
    let is_number = (1..=3).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::RuleKind;

    const IDS: [&str; 7] = [
        "AB-GAP-01",
        "AB-GAP-02",
        "AB-GAP-03",
        "AB-GAP-10",
        "AB-0.4.1",
        "AB-0.4.2",
        "AB-X-01",
    ];

    fn reasons(text: &str) -> Reasons {
        let rules = IDS.map(|id| Rule {
            id: RuleId::new(id),
            kind: RuleKind::Auto,
            chapter: "",
            de: "",
            en: "",
            see: &[],
        });
        Reasons::read(&[text], &rules, "AB-", RuleId::new("AB-X-01"))
    }

    #[test]
    fn a_comment_speaks_of_its_line_or_of_the_line_below() {
        let read =
            reasons("# AB-GAP-10 is far away.\n\n# AB-GAP-01\n[a]\nb = 1 # GAP-02.\n# AB-GAP-03\nc = 2\nd = 3\n");
        assert_eq!(read.of("a.b"), ["AB-GAP-02"]);
        assert_eq!(read.of("a.c"), ["AB-GAP-03"]);
        assert_eq!(read.of("a.d"), ["AB-GAP-01"]);
        assert_eq!(read.of("a.d.e"), ["AB-GAP-01"]);
        assert_eq!(read.of("elsewhere"), ["AB-X-01"]);
    }

    #[test]
    fn the_first_of_several_tables_speaks_for_all() {
        let read = reasons("# AB-GAP-01\n[a.b]\nx = 1\n[a.\"c\"] # AB-GAP-02\nx = 1\n[a.d]\nx = 1\n");
        assert_eq!(read.of("a.c.x"), ["AB-GAP-02"]);
        assert_eq!(read.of("a.d.x"), ["AB-GAP-01"]);
    }

    #[test]
    fn several_rules_are_named_in_short() {
        let named = |comment: &str| reasons(&format!("a = 1 # {comment}")).of("a");
        assert_eq!(named("AB-GAP-01, -02, -10"), ["AB-GAP-01", "AB-GAP-02", "AB-GAP-10"]);
        assert_eq!(named("AB-GAP-01 to 03"), ["AB-GAP-01", "AB-GAP-02", "AB-GAP-03"]);
        assert_eq!(named("AB-GAP-02..10"), ["AB-GAP-02", "AB-GAP-03", "AB-GAP-10"]);
        assert_eq!(named("AB-0.4.1 to 0.4.2"), ["AB-0.4.1", "AB-0.4.2"]);
        // Numbers that are none of rules.
        assert_eq!(named("up to 10 fields"), ["AB-X-01"]);
        assert_eq!(named("AB-GAP-01: in 2 of 3 cases"), ["AB-GAP-01"]);
    }
}
