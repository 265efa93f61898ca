//! A sheet, worded: its parts with their columns, rows and cells, and every finding at its cell.

use crate::error::Fault;
use crate::pages::orders::forms::named;
use crate::pages::report::Reader;
use crate::words::Words;
use crate::workbook::Origins;
use kernel::diagnostic::Severity;
use kernel::form::Input;
use kernel::sheet::{CellFinding, Column, Rows, Section, cell_name};
use render::finding::severity_word;
use std::collections::BTreeMap;

/// A finding.
#[derive(Clone)]
pub struct Note {
    /// Class of the style sheet: `e`, `w` or `h`.
    pub class: &'static str,
    /// Its symbol.
    pub symbol: &'static str,
    /// The word for its weight.
    pub word: String,
    /// The game's own code.
    pub code: String,
    /// The table and the cell, as a program for tables names them; empty for the sheet as a whole.
    pub cell: String,
    /// What is wrong.
    pub text: String,
    /// What was expected; may be empty.
    pub expected: String,
    /// The rules that say so.
    pub rules: Vec<String>,
}

/// A cell.
pub struct Cell {
    /// Its number in the row.
    pub column: usize,
    /// What stands in it.
    pub value: String,
    /// Class of the worst finding about it; empty if there is none.
    pub class: &'static str,
}

/// A row.
pub struct Row {
    /// Its number, from 0.
    pub number: usize,
    /// Its number in a file, from 1.
    pub line: usize,
    /// Its cells.
    pub cells: Vec<Cell>,
    /// What there is to say about it.
    pub notes: Vec<Note>,
}

/// A column.
pub struct Head {
    /// Its label.
    pub label: String,
    /// The same with what stands above it.
    pub full: String,
    /// Greatest number of characters.
    pub length: u32,
    /// Usual number of characters.
    pub chars: u32,
    /// What can be chosen: value and name.
    pub choices: Vec<(String, String)>,
}

/// A part.
pub struct Part {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What it is for.
    pub help: String,
    /// The rules behind it.
    pub rules: Vec<String>,
    /// What stands above the columns, and above how many; empty if nothing does.
    pub groups: Vec<(String, usize)>,
    /// Its columns.
    pub heads: Vec<Head>,
    /// Its rows.
    pub rows: Vec<Row>,
    /// What there is to say about all of it.
    pub notes: Vec<Note>,
}

impl Part {
    /// How many columns it has with the one that numbers the rows.
    pub fn width(&self) -> usize {
        self.heads.len() + 2
    }
}

/// The whole sheet.
pub struct Tables {
    /// Its parts.
    pub parts: Vec<Part>,
    /// What there is to say about all of it.
    pub notes: Vec<Note>,
    /// Number of errors.
    pub errors: usize,
    /// Number of warnings.
    pub warnings: usize,
    /// Number of hints.
    pub hints: usize,
    /// Ways for the map: `d,y;d,y|d,y;…`.
    pub ways: String,
    /// What the rule links begin with.
    pub rule_address: String,
}

/// What is to be said about a row, by column.
type RowNotes = Vec<(Option<usize>, Note)>;

/// Words a sheet.
pub fn tables(reader: &Reader, words: Words, view: &[u8], rows: &Rows, origins: &Origins) -> Result<Tables, Fault> {
    let sections = reader.game.sheet(view)?;
    let findings = reader.game.sheet_findings(view, rows)?;
    let count = |severity| findings.iter().filter(|of| of.finding.severity == severity).count();
    let mut notes: BTreeMap<(&str, Option<usize>), RowNotes> = BTreeMap::new();
    for finding in &findings {
        let note = note(reader, words, &sections, origins, finding);
        let at = (&*finding.section, finding.row);
        notes.entry(at).or_default().push((finding.column, note));
    }
    let mut take = |part: &str, row: Option<usize>| -> RowNotes {
        let key = notes.keys().find(|(of, at)| *of == part && *at == row).copied();
        key.and_then(|key| notes.remove(&key)).unwrap_or_default()
    };
    let mut parts = Vec::new();
    for section in &sections {
        let empty = Vec::new();
        let own = rows.get(&*section.name).unwrap_or(&empty);
        let mut worded = Vec::new();
        for (number, cells) in own.iter().enumerate() {
            let notes = take(&section.name, Some(number));
            worded.push(Row {
                number,
                line: line(origins, &section.name, number) + 1,
                cells: row_cells(section, cells, &notes),
                notes: notes.into_iter().map(|(_, note)| note).collect(),
            });
        }
        let of_part = take(&section.name, None);
        parts.push(Part {
            name: section.name.to_string(),
            title: reader.word(&section.title),
            help: reader.word(&section.help),
            rules: section.rules.iter().map(|rule| rule.to_string()).collect(),
            groups: groups(reader, section),
            heads: section.columns.iter().map(|column| head(reader, column)).collect(),
            rows: worded,
            notes: of_part.into_iter().map(|(_, note)| note).collect(),
        });
    }
    let ways = reader.game.sheet_ways(view, rows)?;
    let way = |way: &kernel::sheet::SheetWay| {
        let spots: Vec<String> = way.spots.iter().map(|spot| format!("{},{}", spot.d, spot.y)).collect();
        spots.join(";")
    };
    let rest: Vec<Note> = notes.into_values().flatten().map(|(_, note)| note).collect();
    Ok(Tables {
        parts,
        errors: count(Severity::Error),
        warnings: count(Severity::Warning),
        hints: count(Severity::Hint),
        notes: rest,
        ways: ways.iter().map(way).collect::<Vec<_>>().join("|"),
        rule_address: reader.rule_address.clone(),
    })
}

/// The row of a file, from 0: where it came from, or where it would stand.
fn line(origins: &Origins, part: &str, row: usize) -> usize {
    let known = origins.get(part).and_then(|rows| rows.get(row));
    known.map_or(row + 1, |(_, line)| *line)
}

/// The table and the cell of a finding, as a program for tables names them: `Zugbogen B7`.
pub fn cell_of(title: &str, origins: &Origins, finding: &CellFinding) -> String {
    let Some(row) = finding.row else {
        return title.to_owned();
    };
    let table = origins.get(&*finding.section).and_then(|rows| rows.get(row));
    let table = table.map(|(table, _)| table.as_str()).filter(|table| !table.is_empty());
    let line = line(origins, &finding.section, row);
    let cell = match finding.column {
        Some(column) => cell_name(column, line),
        None => (line + 1).to_string(),
    };
    format!("{} {cell}", table.unwrap_or(title))
}

fn note(reader: &Reader, words: Words, sections: &[Section], origins: &Origins, finding: &CellFinding) -> Note {
    let (text, expected) = reader.wording.fault(&finding.finding);
    let (class, symbol) = match finding.finding.severity {
        Severity::Error => ("e", "i-error"),
        Severity::Warning => ("w", "i-warn"),
        Severity::Hint => ("h", "i-hint"),
    };
    let section = sections.iter().find(|section| section.name == finding.section);
    let title = section.map(|section| reader.word(&section.title)).unwrap_or_default();
    Note {
        class,
        symbol,
        word: severity_word(reader.wording, finding.finding.severity),
        code: finding.finding.code.to_string(),
        cell: cell_of(&title, origins, finding),
        text,
        expected: if expected.is_empty() {
            expected
        } else {
            words.t1("orders.expected", "what", expected)
        },
        rules: finding.finding.rules.iter().map(|rule| rule.to_string()).collect(),
    }
}

fn row_cells(section: &Section, cells: &[String], notes: &[(Option<usize>, Note)]) -> Vec<Cell> {
    let cell = |column: usize| {
        // The worst comes first by its letter: e, w, h is not the order of the alphabet.
        let own = notes.iter().filter(|(at, _)| *at == Some(column));
        let worst = own.min_by_key(|(_, note)| match note.class {
            "e" => 0,
            "w" => 1,
            _ => 2,
        });
        Cell {
            column,
            value: cells.get(column).cloned().unwrap_or_default(),
            class: worst.map_or("", |(_, note)| note.class),
        }
    };
    (0..section.columns.len()).map(cell).collect()
}

fn groups(reader: &Reader, section: &Section) -> Vec<(String, usize)> {
    if section.columns.iter().all(|column| column.group.is_empty()) {
        return Vec::new();
    }
    let mut groups: Vec<(&str, usize)> = Vec::new();
    for column in &section.columns {
        match groups.last_mut() {
            Some((group, width)) if *group == &*column.group => *width += 1,
            _ => groups.push((&column.group, 1)),
        }
    }
    groups
        .into_iter()
        .map(|(group, width)| (reader.word(group), width))
        .collect()
}

fn head(reader: &Reader, column: &Column) -> Head {
    let label = reader.word(&column.label);
    let full = match &*column.group {
        "" => label.clone(),
        group => format!("{} {label}", reader.word(group)),
    };
    let (length, choices) = match &column.input {
        Input::Text { max, .. } => (*max, Vec::new()),
        Input::Number { .. } => (20, Vec::new()),
        Input::Army { choices, .. } | Input::Choice { choices } => {
            (60, choices.iter().map(|choice| named(reader, choice)).collect())
        }
        _ => (200, Vec::new()),
    };
    Head {
        label,
        full,
        length,
        chars: column.chars,
        choices,
    }
}

/// Who can be given a way: value and name.
pub fn travellers(reader: &Reader, sections: &[Section], most: usize) -> Vec<(String, String)> {
    let ways = sections.iter().filter(|section| section.ways);
    let columns = ways.flat_map(|section| &section.columns);
    let choices = columns.filter_map(|column| match &column.input {
        Input::Army { choices, .. } => Some(choices),
        _ => None,
    });
    choices
        .flatten()
        .take(most)
        .map(|choice| named(reader, choice))
        .collect()
}
