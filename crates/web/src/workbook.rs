//! Files of programs for tables: CSV, ODS (LibreOffice) and XLSX (Excel), read and written.
//!
//! A [`Workbook`] is a list of tables of texts, nothing more: no formula is reckoned, no reference is followed, no style is kept. What is
//! read comes from anybody, so everything has a limit: bytes packed and unpacked, tables, rows, columns, nodes of a document. A document
//! with definitions of its own (DTD) is refused, so that no entity leads anywhere.

mod csv;
mod ods;
#[cfg(test)]
mod tests;
mod xlsx;
mod xml;
mod zip;

use kernel::sheet::{Rows, Section};
use std::collections::BTreeMap;

/// Bytes of a file that is read.
pub const FILE_BYTES: usize = 1024 * 1024;
/// Bytes of everything that is unpacked from it.
const UNPACKED_BYTES: usize = 16 * 1024 * 1024;
/// Tables of a file.
const TABLES_MAX: usize = 20;
/// Rows of a table in which something stands.
const ROWS_MAX: usize = 2 * kernel::sheet::ROWS_MAX;
/// Columns that are looked at.
const COLUMNS_MAX: usize = 100;
/// Bytes of one cell: an order is a line.
const CELL_BYTES: usize = 8 * 1024;
/// Bytes of all cells together. A file says once what stands in a thousand cells, so its own size bounds nothing.
const CELLS_BYTES: usize = 4 * 1024 * 1024;

/// A kind of file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Text with semicolons.
    Csv,
    /// OpenDocument.
    Ods,
    /// Office Open XML.
    Xlsx,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Csv, Self::Ods, Self::Xlsx];

    /// As names of files end.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Ods => "ods",
            Self::Xlsx => "xlsx",
        }
    }

    /// The kind of content.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8",
            Self::Ods => ods::KIND,
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }

    /// The format whose files end so.
    pub fn from_ending(ending: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.ending() == ending)
    }
}

/// Why a file cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// It is larger than it may be, packed or unpacked.
    TooLarge,
    /// It is locked with a password.
    Locked,
    /// It is none of the kinds, or damaged.
    Unreadable,
}

/// A table: its rows with their numbers in the file, from 0. Rows in which nothing stands are left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Table {
    /// Its name; empty in a file that names none.
    pub name: String,
    /// Its rows.
    pub rows: Vec<(usize, Vec<String>)>,
}

/// All tables of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Workbook {
    /// In order.
    pub tables: Vec<Table>,
}

/// Bytes that cells may still take.
struct Room(usize);

impl Default for Room {
    fn default() -> Self {
        Self(CELLS_BYTES)
    }
}

/// A cell that is not too long for one.
fn fitting(cell: String) -> Result<String, Trouble> {
    match cell.len() <= CELL_BYTES {
        true => Ok(cell),
        false => Err(Trouble::TooLarge),
    }
}

impl Table {
    /// Takes a row in, if something stands in it and there is room.
    fn push(&mut self, number: usize, mut cells: Vec<String>, room: &mut Room) -> Result<(), Trouble> {
        while cells.last().is_some_and(|cell| cell.trim().is_empty()) {
            cells.pop();
        }
        if cells.is_empty() {
            return Ok(());
        }
        if self.rows.len() >= ROWS_MAX {
            return Err(Trouble::TooLarge);
        }
        let bytes = cells.iter().map(String::len).sum();
        room.0 = room.0.checked_sub(bytes).ok_or(Trouble::TooLarge)?;
        self.rows.push((number, cells));
        Ok(())
    }
}

/// Reads a file, whatever its kind: packed files begin with their own sign, all else is text. `decode` makes text of bytes.
///
/// # Errors
/// If it is too large, locked or no such file.
pub fn read(bytes: &[u8], decode: impl FnOnce(&[u8]) -> String) -> Result<Workbook, Trouble> {
    if bytes.len() > FILE_BYTES {
        return Err(Trouble::TooLarge);
    }
    if !bytes.starts_with(b"PK") {
        // A document of another kind, or a picture, is no text.
        if bytes.contains(&0) {
            return Err(Trouble::Unreadable);
        }
        return csv::read(&decode(bytes));
    }
    let mut archive = zip::Archive::open(bytes)?;
    if archive.has("xl/workbook.xml") {
        xlsx::read(&mut archive)
    } else if archive.has("content.xml") {
        ods::read(&mut archive)
    } else {
        Err(Trouble::Unreadable)
    }
}

/// Writes a file.
pub fn write(format: Format, workbook: &Workbook) -> Vec<u8> {
    match format {
        Format::Csv => csv::write(workbook),
        Format::Ods => ods::write(workbook),
        Format::Xlsx => xlsx::write(workbook),
    }
}

/// Where the rows of a sheet came from: table and row number from 0, part by part.
pub type Origins = BTreeMap<String, Vec<(String, usize)>>;

/// A sheet as a file: a table for each part, with the names of its columns above.
pub fn of_sheet(sections: &[Section], titles: &[String], rows: &Rows) -> Workbook {
    let table = |(section, title): (&Section, &String)| {
        let head = section.columns.iter().map(|column| column.name.to_string()).collect();
        let filled = rows.get(&*section.name).into_iter().flatten().cloned();
        Table {
            name: title.clone(),
            rows: std::iter::once(head).chain(filled).enumerate().collect(),
        }
    };
    Workbook {
        tables: sections.iter().zip(titles).map(table).collect(),
    }
}

/// The sheet in a file. A row with the names of a part's columns begins that part; without one, the first table is the first part, and so on.
pub fn to_sheet(sections: &[Section], workbook: &Workbook) -> (Rows, Origins) {
    let (mut rows, mut origins) = (Rows::new(), Origins::new());
    for (number, table) in workbook.tables.iter().enumerate() {
        let mut part = sections.get(number).or(sections.last());
        for (line, cells) in &table.rows {
            if let Some(begun) = sections.iter().find(|section| is_head(section, cells)) {
                part = Some(begun);
                // A part that has lost all its rows is empty, not missing.
                rows.entry(begun.name.to_string()).or_default();
                origins.entry(begun.name.to_string()).or_default();
                continue;
            }
            let Some(section) = part else { continue };
            rows.entry(section.name.to_string()).or_default().push(cells.clone());
            let origin = (table.name.clone(), *line);
            origins.entry(section.name.to_string()).or_default().push(origin);
        }
    }
    (rows, origins)
}

fn is_head(section: &Section, cells: &[String]) -> bool {
    let same = |(column, cell): (&kernel::sheet::Column, &String)| cell.trim().eq_ignore_ascii_case(&column.name);
    !cells.is_empty() && cells.len() <= section.columns.len() && section.columns.iter().zip(cells).all(same)
}

/// A number as people write it: whole numbers without a point.
fn number(text: &str) -> String {
    match text.trim().parse::<f64>() {
        Ok(value) if value.fract() == 0.0 && value.abs() < 1e15 => format!("{value:.0}"),
        _ => text.trim().to_owned(),
    }
}

/// Whether a text is a whole number that a program for tables may treat as one: it comes back as it was.
fn is_number(text: &str) -> bool {
    let digits = text.len() <= 12 && !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits && (text == "0" || !text.starts_with('0'))
}
