//! A report as passages of plain lines: for searching, comparing two turns and reading aloud.
//!
//! Lines that are rows of a table say the name of each column before its value, because whoever listens has no columns.

use kernel::diagnostic::Diagnostic;
use kernel::report::{Arg, Line, ReportSink};
use kernel::rule::RuleId;
use std::collections::{BTreeMap, BTreeSet};

use crate::finding::finding_line;
use crate::html::FOLDED;
use crate::locale::Wording;
use crate::template::{Argument, Template};

/// A section of a report, or what follows in it behind an inner one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Passage {
    /// Key of the section.
    pub key: String,
    /// Its heading, empty if it has none or goes on.
    pub title: String,
    /// How deep it stands, 0 outside of any section.
    pub depth: usize,
    /// Number of the stretch of time it belongs to.
    pub time: Option<i64>,
    /// Name of that stretch.
    pub time_title: String,
    /// Its lines.
    pub lines: Vec<String>,
    /// What each line is, in the same order.
    pub kinds: Vec<LineKind>,
}

/// What a line of a passage is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum LineKind {
    /// Something that holds.
    #[default]
    Standing,
    /// Something that happened, or that holds for its turn only: it is told once.
    Event,
    /// A row of a table: title and value of each column that says something.
    Row(Vec<(String, String)>),
}

/// How numbers stand in the lines of passages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbers {
    /// As in plain text, and as somebody who searches types them.
    Plain,
    /// As on pages: long ones have their digits in groups.
    Grouped,
}

/// A report as passages. Passages without lines are there for the sake of their headings.
pub fn outline(wording: &Wording, numbers: Numbers, write: impl FnOnce(&mut dyn ReportSink)) -> Vec<Passage> {
    let mut sink = Outline {
        wording,
        numbers,
        passages: Vec::new(),
        open: Vec::new(),
        going_on: false,
    };
    write(&mut sink);
    sink.passages
}

struct Outline<'w> {
    wording: &'w Wording,
    numbers: Numbers,
    passages: Vec<Passage>,
    /// The sections that are open, without their lines.
    open: Vec<Passage>,
    /// Whether the next line continues the passage written last.
    going_on: bool,
}

impl Outline<'_> {
    fn add(&mut self, line: String, kind: LineKind) {
        if !self.going_on {
            let mut passage = self.open.last().cloned().unwrap_or_default();
            passage.title.clear();
            self.passages.push(passage);
            self.going_on = true;
        }
        if let Some(passage) = self.passages.last_mut() {
            passage.lines.push(line);
            passage.kinds.push(kind);
        }
    }

    fn filled<V: Argument>(&self, template: Option<&Template>, key: &str, args: &[V]) -> String {
        let mut out = Vec::new();
        match self.numbers {
            Numbers::Grouped => self.wording.fill_grouped(&mut out, template, key, args),
            Numbers::Plain => self.wording.fill(&mut out, template, key, args),
        }
        String::from_utf8_lossy(&out).trim().to_owned()
    }
}

impl ReportSink for Outline<'_> {
    fn begin(&mut self, key: &str, args: &[(&str, Arg<'_>)], _: &[RuleId]) {
        let title = self.filled(self.wording.heading(key), key, args);
        let title = title.trim_end_matches(':').to_owned();
        let around = self.open.last();
        let is_time = FOLDED.contains(&key);
        let passage = Passage {
            key: key.to_owned(),
            depth: self.open.len() + 1,
            time: if is_time {
                args.iter().find_map(Argument::integer)
            } else {
                around.and_then(|around| around.time)
            },
            time_title: if is_time {
                title.clone()
            } else {
                around.map(|around| around.time_title.clone()).unwrap_or_default()
            },
            title,
            lines: Vec::new(),
            kinds: Vec::new(),
        };
        self.passages.push(passage.clone());
        self.open.push(passage);
        self.going_on = true;
    }

    fn end(&mut self) {
        self.open.pop();
        self.going_on = false;
    }

    fn line(&mut self, line: &Line<'_>) {
        if let Some(rows) = self.wording.rows_in(line) {
            rows.for_each(|row| self.line(&row));
            return;
        }
        let wording = self.wording;
        let template = wording.line(line.key);
        if template.is_some_and(Template::is_empty) {
            return;
        }
        // What happened is told once, even where a page draws it as a row of a table.
        let told = line.why.is_some() && self.open.first().is_some_and(|section| wording.tells(&section.key));
        let template = wording.prose(line.key).or(template);
        if wording.row(line.key).is_some_and(<[_]>::is_empty) {
            // Names of columns: each row says its own.
            return;
        }
        let Some(columns) = wording
            .row(line.key)
            .filter(|_| !(told && template.is_some_and(Template::is_sentence)))
        else {
            let kind = match line.why {
                None if !wording.passes(line.key) => LineKind::Standing,
                _ => LineKind::Event,
            };
            self.add(self.filled(template, line.key, line.args), kind);
            return;
        };
        let cells = columns.iter().filter_map(|column| {
            let value = audible(&self.filled(Some(&column.cell), line.key, line.args));
            (!value.is_empty()).then(|| (column.title.to_string(), value))
        });
        let cells: Vec<(String, String)> = cells.collect();
        // The first column says what the row is about: a name needs no title, a number does.
        let named = |at: usize, value: &str| at == 0 && value.chars().any(char::is_alphabetic);
        let said = |(at, (title, value)): (usize, &(String, String))| match named(at, value) {
            true => value.clone(),
            false => format!("{title} {value}").trim().to_owned(),
        };
        let text = cells.iter().enumerate().map(said).collect::<Vec<_>>().join(", ");
        self.add(text, if told { LineKind::Event } else { LineKind::Row(cells) });
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic) {
        self.add(finding_line(self.wording, diagnostic), LineKind::Event);
    }

    fn verbatim(&mut self, text: &str) {
        for line in text.lines() {
            // Marks that turn the direction of writing could dress one line up as another.
            let clean = line
                .chars()
                .filter(|letter| !letter.is_control() && !turns_writing(*letter));
            self.add(clean.collect(), LineKind::Standing);
        }
    }

    fn fragment(&mut self, _: u64, fill: &mut dyn FnMut(&mut dyn ReportSink)) {
        fill(self);
    }
}

/// Whether a letter changes the direction in which what follows is written.
pub fn turns_writing(letter: char) -> bool {
    matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What is worth saying of a cell: dashes stand for nothing, and so do sides of a field with nothing but dashes (`3:----`).
fn audible(value: &str) -> String {
    let dashes = |word: &str| !word.is_empty() && word.chars().all(|letter| letter == '-');
    let empty_side = |word: &str| {
        let parts = word.split_once(':');
        parts.is_some_and(|(side, rest)| side.chars().all(|letter| letter.is_ascii_digit()) && dashes(rest))
    };
    if value.split_whitespace().all(|word| dashes(word) || empty_side(word)) {
        return String::new();
    }
    let words = value.split_whitespace().filter(|word| !empty_side(word));
    words.collect::<Vec<_>>().join(" ")
}

/// The lines of one kind of section in the stretch of time before and in this one.
#[derive(Default)]
struct Before<'p> {
    time: i64,
    then: BTreeSet<&'p str>,
    now: BTreeSet<&'p str>,
}

/// Whether a passage is a long list of a stretch of time, such as sightings: rows and nothing that happened.
fn is_list(passage: &Passage) -> bool {
    let rows = || passage.kinds.iter().all(|kind| matches!(kind, LineKind::Row(_)));
    passage.time.is_some() && !passage.lines.is_empty() && rows()
}

/// Passages as one text to be read from top to bottom: headings begin with as many `#` as they are deep. What happened and how
/// the realm stands comes first; long lists of each stretch of time follow behind, because nobody can skim by ear. What stands
/// in such a list exactly as it stood in the stretch of time before is not said again; `as_before` says of how many lines that
/// holds. What happened is always said, however often it happens.
pub fn reading_text(passages: &[Passage], as_before: &dyn Fn(usize) -> String) -> String {
    let mut out = read(passages, &|passage| !is_list(passage), as_before);
    out += &read(passages, &is_list, as_before);
    out.trim_start().to_owned()
}

/// Those of the passages that are wanted, with their headings.
fn read(passages: &[Passage], wanted: &dyn Fn(&Passage) -> bool, as_before: &dyn Fn(usize) -> String) -> String {
    let mut out = String::new();
    let mut headings: Vec<&Passage> = Vec::new();
    let mut told: BTreeMap<&str, Before<'_>> = BTreeMap::new();
    for passage in passages {
        headings.retain(|heading| heading.depth < passage.depth);
        if !passage.title.is_empty() {
            headings.push(passage);
        }
        if passage.lines.is_empty() || !wanted(passage) {
            continue;
        }
        // A heading is written with the first line under it, so that empty sections say nothing.
        for heading in headings.drain(..) {
            out += &format!("\n{} {}\n", "#".repeat(heading.depth.clamp(1, 6)), heading.title);
        }
        let Some(time) = passage.time.filter(|_| is_list(passage)) else {
            for line in &passage.lines {
                out += line;
                out.push('\n');
            }
            continue;
        };
        let before = told.entry(&passage.key).or_default();
        if before.time != time {
            before.then = std::mem::take(&mut before.now);
            before.time = time;
        }
        let mut left_out: Vec<&str> = Vec::new();
        let mut count = 0;
        for line in &passage.lines {
            before.now.insert(line);
            if before.then.contains(line.as_str()) {
                left_out.push(line);
                count += 1;
                continue;
            }
            // A short line leans on a longer one before it, which says where: it is said again.
            let parts = |line: &str| line.matches(", ").count();
            if let Some(place) = left_out.iter().rev().find(|longer| parts(longer) > parts(line)) {
                out += place;
                out.push('\n');
            }
            left_out.clear();
            out += line;
            out.push('\n');
        }
        if count > 0 {
            out += &as_before(count);
            out.push('\n');
        }
    }
    out
}

/// What one passage has that the other has not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Change {
    /// The heading.
    pub title: String,
    /// Lines that are new.
    pub new: Vec<String>,
    /// Lines that are gone.
    pub gone: Vec<String>,
    /// Rows of a table that are there before and after, with other values.
    pub changed: Vec<RowChange>,
}

/// A row of a table whose values are others than before.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RowChange {
    /// What the row is about: its first column.
    pub name: String,
    /// Title of a column, what stood in it, and what stands in it now.
    pub cells: Vec<(String, String, String)>,
}

/// A line that holds, and its cells if it is a row.
type StandingLine = (String, Vec<(String, String)>);

/// How the standing parts of a report differ from those before: what happened is left out, because it is new every time.
/// Passages are paired by their keys, rows of a table by their first column; those without a difference are left out.
pub fn changes(before: &[Passage], after: &[Passage]) -> Vec<Change> {
    let standing = |passages: &[Passage]| {
        let mut lines: BTreeMap<String, Vec<StandingLine>> = BTreeMap::new();
        let mut order = Vec::new();
        for passage in passages.iter().filter(|passage| passage.time.is_none()) {
            if !passage.title.is_empty() {
                order.push((passage.key.clone(), passage.title.clone()));
            }
            let of = lines.entry(passage.key.clone()).or_default();
            let kinds = passage.kinds.iter().map(Some).chain(std::iter::repeat(None));
            for (line, kind) in passage.lines.iter().zip(kinds) {
                match kind {
                    Some(LineKind::Event) => {}
                    Some(LineKind::Row(cells)) => match of.last_mut().filter(|last| leans(&last.1, cells)) {
                        Some((text, row)) => lean(text, row, line, cells),
                        None => of.push((line.clone(), cells.clone())),
                    },
                    Some(LineKind::Standing) | None => of.push((line.clone(), Vec::new())),
                }
            }
        }
        (lines, order)
    };
    let ((mut old, old_order), (mut new, mut order)) = (standing(before), standing(after));
    let more = old_order.into_iter().filter(|(key, _)| !new.contains_key(key));
    order.extend(more.collect::<Vec<_>>());
    let mut changes = Vec::new();
    for (key, title) in order {
        let (old, new) = (
            old.remove(&key).unwrap_or_default(),
            new.remove(&key).unwrap_or_default(),
        );
        let (mut more, mut less) = (without(&new, &old), without(&old, &new));
        let changed = pair_rows(&mut more, &mut less);
        let texts = |lines: Vec<StandingLine>| lines.into_iter().map(|(text, _)| text).collect::<Vec<_>>();
        let change = Change {
            title,
            new: texts(more),
            gone: texts(less),
            changed,
        };
        if !change.new.is_empty() || !change.gone.is_empty() || !change.changed.is_empty() {
            changes.push(change);
        }
    }
    changes
}

/// Whether a row says nothing of its own place and so belongs to the row before it, as an army does to the field above it: it
/// has none of that row's first columns, and that row says nothing else.
fn leans(row: &[(String, String)], next: &[(String, String)]) -> bool {
    let ([(place, _), rest @ ..], [(title, _)]) = (row, next) else {
        return false;
    };
    place != title && rest.iter().all(|(of, _)| of == title)
}

/// Puts such a row behind the one it leans on.
fn lean(text: &mut String, row: &mut Vec<(String, String)>, line: &str, cells: &[(String, String)]) {
    for (title, value) in cells {
        match row.iter_mut().find(|(of, _)| of == title) {
            Some((_, before)) => {
                *text += "; ";
                *before += "; ";
                *before += value;
            }
            None => {
                *text += ": ";
                row.push((title.clone(), value.clone()));
            }
        }
    }
    *text += line;
}

/// Takes rows that are about the same thing out of both lists: what stands in the first column is its name, if only one
/// row of each list has it.
fn pair_rows(new: &mut Vec<StandingLine>, gone: &mut Vec<StandingLine>) -> Vec<RowChange> {
    let only = |lines: &[StandingLine], name: &(String, String)| {
        let mut found = lines
            .iter()
            .enumerate()
            .filter(|(_, (_, cells))| cells.first() == Some(name));
        let first = found.next().map(|(at, _)| at);
        first.filter(|_| found.next().is_none())
    };
    let mut changed = Vec::new();
    let mut at = 0;
    while let Some((_, cells)) = new.get(at) {
        let pair = cells
            .first()
            .and_then(|name| Some((only(new, name)?, only(gone, name)?)));
        let Some((_, old)) = pair else {
            at += 1;
            continue;
        };
        let ((_, after), (_, before)) = (new.remove(at), gone.remove(old));
        changed.push(row_change(&before, &after));
    }
    changed
}

/// What is another in a row.
fn row_change(before: &[(String, String)], after: &[(String, String)]) -> RowChange {
    let value = |cells: &[(String, String)], title: &str| {
        let cell = cells.iter().find(|(of, _)| of == title);
        cell.map_or_else(|| "\u{2013}".to_owned(), |(_, value)| value.clone())
    };
    let mut titles: Vec<&str> = Vec::new();
    for (title, _) in after.iter().chain(before) {
        if !titles.contains(&title.as_str()) {
            titles.push(title);
        }
    }
    let cells = titles
        .into_iter()
        .map(|title| (title.to_owned(), value(before, title), value(after, title)));
    RowChange {
        name: after
            .first()
            .map(|(title, value)| format!("{title} {value}").trim().to_owned())
            .unwrap_or_default(),
        cells: cells.filter(|(_, before, after)| before != after).collect(),
    }
}

/// The lines that are not among the others, as often as they are too many.
fn without(lines: &[StandingLine], others: &[StandingLine]) -> Vec<StandingLine> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (line, _) in others {
        *counts.entry(line).or_default() += 1;
    }
    let mut rest = Vec::new();
    for line in lines {
        match counts.get_mut(line.0.as_str()) {
            Some(count) if *count > 0 => *count -= 1,
            _ => rest.push(line.clone()),
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_are_not_read_aloud() {
        assert_eq!(audible("---"), "");
        assert_eq!(audible("1:---- 2:----"), "");
        assert_eq!(audible("1:---- 5:--F-"), "5:--F-");
        assert_eq!(audible("-3/3"), "-3/3");
        assert_eq!(audible("Adler - Bär"), "Adler - Bär");
        assert_eq!(audible("0"), "0");
    }

    #[test]
    fn what_stands_as_before_is_said_once() {
        let week = |time: i64, lines: &[&str]| Passage {
            key: "seen".into(),
            title: "Sichtungen".into(),
            depth: 2,
            time: Some(time),
            lines: lines.iter().map(|line| (*line).to_owned()).collect(),
            ..Passage::default()
        };
        let passages = [
            week(1, &["Feld 1/0, Wald, frei", "Heer A", "Feld 2/0, Wald, frei"]),
            week(
                2,
                &["Feld 1/0, Wald, frei", "Heer A", "Heer B, 500", "Feld 2/0, Wald, frei"],
            ),
            week(3, &["Feld 1/0, Wald, frei", "Heer A"]),
        ];
        let text = reading_text(&passages, &|count| format!("({count} wie zuvor)"));
        let expected = "## Sichtungen\nFeld 1/0, Wald, frei\nHeer A\nFeld 2/0, Wald, frei\n\n\
            ## Sichtungen\nFeld 1/0, Wald, frei\nHeer B, 500\n(3 wie zuvor)\n\n\
            ## Sichtungen\n(2 wie zuvor)\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn what_happens_again_is_told_again() {
        let week = |time: i64, left: &str| Passage {
            key: "events".into(),
            title: format!("Woche {time}"),
            depth: 1,
            time: Some(time),
            lines: vec!["Auf 1/0 kam es zum Kampf:".to_owned(), left.to_owned()],
            kinds: vec![LineKind::Event, LineKind::Row(Vec::new())],
            ..Passage::default()
        };
        let passages = [week(1, "Heer A, 500"), week(2, "Heer A, 500")];
        let text = reading_text(&passages, &|count| format!("({count} wie zuvor)"));
        let expected = "# Woche 1\nAuf 1/0 kam es zum Kampf:\nHeer A, 500\n\n\
            # Woche 2\nAuf 1/0 kam es zum Kampf:\nHeer A, 500\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn what_happened_and_the_books_are_read_before_long_lists() {
        let passage = |title: &str, time: Option<i64>, kind: LineKind, line: &str| Passage {
            key: title.to_lowercase(),
            title: title.into(),
            depth: 1 + usize::from(time.is_some()),
            time,
            lines: vec![line.to_owned()],
            kinds: vec![kind],
            ..Passage::default()
        };
        let heading = |title: &str| Passage {
            title: title.into(),
            depth: 1,
            ..Passage::default()
        };
        let row = || LineKind::Row(vec![("Feld".into(), "1/0".into())]);
        let passages = [
            heading("Woche 1"),
            passage("Ereignisse", Some(1), LineKind::Event, "Ein Heer kam."),
            passage("Sichtungen", Some(1), row(), "Feld 1/0"),
            heading("Woche 2"),
            passage("Sichtungen", Some(2), row(), "Feld 2/0"),
            passage("Schatz", None, row(), "GS 5"),
        ];
        let text = reading_text(&passages, &|_| String::new());
        let expected = "# Woche 1\n\n## Ereignisse\nEin Heer kam.\n\n# Schatz\nGS 5\n\n\
            # Woche 1\n\n## Sichtungen\nFeld 1/0\n\n# Woche 2\n\n## Sichtungen\nFeld 2/0\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn rows_are_compared_by_what_they_are_about_and_what_happened_is_left_out() {
        let row = |cells: &[(&str, &str)]| {
            let own = |(title, value): &(&str, &str)| ((*title).to_owned(), (*value).to_owned());
            LineKind::Row(cells.iter().map(own).collect())
        };
        let passage = |lines: Vec<(&str, LineKind)>| Passage {
            key: "armies".into(),
            title: "Heere".into(),
            depth: 1,
            lines: lines.iter().map(|(line, _)| (*line).to_owned()).collect(),
            kinds: lines.into_iter().map(|(_, kind)| kind).collect(),
            ..Passage::default()
        };
        let before = passage(vec![
            ("A 1", row(&[("Heer", "R.L 1"), ("Feld", "1/4"), ("Anzahl", "1100")])),
            ("B 1", row(&[("Heer", "R.L 2"), ("Feld", "2/4"), ("Anzahl", "1100")])),
            ("D 1", row(&[("Heer", "R.L 4"), ("Feld", "0/0")])),
            ("R.L 1 hat Feld 1/4 erobert.", LineKind::Event),
            ("Friede.", LineKind::Standing),
        ]);
        let after = passage(vec![
            ("A 2", row(&[("Heer", "R.L 1"), ("Feld", "2/5"), ("Anzahl", "1100")])),
            ("B 1", row(&[("Heer", "R.L 2"), ("Feld", "2/4"), ("Anzahl", "1100")])),
            ("C 1", row(&[("Heer", "R.L 3"), ("Feld", "0/0")])),
            ("R.L 1 hat Feld 2/5 erobert.", LineKind::Event),
            ("Krieg.", LineKind::Standing),
        ]);
        let expected = Change {
            title: "Heere".into(),
            new: vec!["C 1".into(), "Krieg.".into()],
            gone: vec!["D 1".into(), "Friede.".into()],
            changed: vec![RowChange {
                name: "Heer R.L 1".into(),
                cells: vec![("Feld".into(), "1/4".into(), "2/5".into())],
            }],
        };
        assert_eq!(changes(&[before], &[after]), [expected]);
    }

    #[test]
    fn rows_whose_name_is_not_theirs_alone_are_not_paired() {
        let row = |value: &str| (value.to_owned(), vec![("Feld".to_owned(), "1/4".to_owned())]);
        let (mut new, mut gone) = (vec![row("a"), row("b")], vec![row("c")]);
        assert_eq!(pair_rows(&mut new, &mut gone), Vec::<RowChange>::new());
        assert_eq!((new.len(), gone.len()), (2, 1));
    }
}
