//! An order sheet: the orders of a turn as tables to be filled in, cell by cell.
//!
//! A game that has one says which parts it has ([`Section`]), makes rows of an order file and an order file of rows, and says what is
//! wrong with which cell. A page, a file of a program for tables and the JSON interface need to know nothing else.

use crate::diagnostic::{Diagnostic, Name};
use crate::form::Input;
use crate::map::Spot;
use serde::Serialize;
use std::collections::BTreeMap;

/// Rows of a part that are looked at.
pub const ROWS_MAX: usize = 2_000;
/// Characters of a cell that are looked at.
pub const CELL_CHARS: usize = crate::form::VALUE_CHARS;

/// What was filled in: the rows of each part, by its name. Cells stand in the order of the columns; missing ones are empty.
pub type Rows = BTreeMap<String, Vec<Vec<String>>>;

/// A part of the sheet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Section {
    /// Its name, by which its rows are sent back.
    pub name: Name,
    /// Key of its title.
    pub title: Name,
    /// Key of a sentence that explains it; may be empty.
    pub help: Name,
    /// The rules behind it.
    pub rules: Vec<Name>,
    /// Its columns in order.
    pub columns: Vec<Column>,
    /// Whether its rows are ways of armies, so that clicks on a map can fill them in.
    pub ways: bool,
}

/// A column.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Column {
    /// Its name in a file.
    pub name: Name,
    /// Key of its label.
    pub label: Name,
    /// Key of what stands above several columns that belong together; empty if it stands alone.
    pub group: Name,
    /// What may stand in its cells.
    pub input: Input,
    /// How many characters a cell usually has.
    pub chars: u32,
}

/// Something about a cell.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CellFinding {
    /// The part; empty for the sheet as a whole.
    pub section: Name,
    /// The row, from 0; none for the part as a whole.
    pub row: Option<usize>,
    /// The column, from 0; none for the row as a whole.
    pub column: Option<usize>,
    /// What it is; its place is that in the cell's text or in the order file.
    pub finding: Diagnostic,
}

/// A way that stands in the sheet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SheetWay {
    /// Who goes, as players write it.
    pub traveller: String,
    /// The fields as players write them, from the first on.
    pub places: Vec<String>,
    /// The same in the drawing.
    pub spots: Vec<Spot>,
}

/// The name of a cell as programs for tables write it: the column in letters, the row in digits. Both count from 0.
///
/// ```
/// assert_eq!(kernel::sheet::cell_name(1, 6), "B7");
/// assert_eq!(kernel::sheet::cell_name(26, 0), "AA1");
/// ```
pub fn cell_name(column: usize, row: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = column.min(1_000_000) + 1;
    while rest > 0 {
        let digit = (rest - 1) % 26;
        letters.push(char::from(b'A' + u8::try_from(digit).unwrap_or(0)));
        rest = (rest - 1) / 26;
    }
    let letters: String = letters.into_iter().rev().collect();
    format!("{letters}{}", row.saturating_add(1))
}

/// Rows as far as they are looked at: cells without line ends and control characters, as many as there are columns. Empty rows stay, so that
/// a row keeps its number.
pub fn tidy(sections: &[Section], rows: Rows) -> Rows {
    let mut tidied = Rows::new();
    for section in sections {
        let Some(given) = rows.get(&*section.name) else {
            continue;
        };
        let row = |cells: &Vec<String>| -> Vec<String> {
            let cell = |index: usize| cells.get(index).map_or_else(String::new, |cell| tidy_cell(cell));
            (0..section.columns.len()).map(cell).collect()
        };
        let filled = given.iter().take(ROWS_MAX).map(row);
        tidied.insert(section.name.to_string(), filled.collect());
    }
    tidied
}

fn tidy_cell(cell: &str) -> String {
    let cell: String = cell
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .take(CELL_CHARS)
        .collect();
    cell.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_named_like_in_a_program_for_tables() {
        let names = [(0, 0), (25, 1), (26, 2), (27, 3), (51, 0), (52, 0), (701, 0), (702, 0)];
        let names = names.map(|(column, row)| cell_name(column, row));
        assert_eq!(names, ["A1", "Z2", "AA3", "AB4", "AZ1", "BA1", "ZZ1", "AAA1"]);
        assert!(!cell_name(usize::MAX, usize::MAX).is_empty());
    }

    #[test]
    fn what_is_looked_at_has_an_end() {
        let column = |name: &'static str| Column {
            name: Name::Borrowed(name),
            label: Name::Borrowed(""),
            group: Name::Borrowed(""),
            input: Input::Text { max: 9, lines: 1 },
            chars: 9,
        };
        let section = Section {
            name: Name::Borrowed("a"),
            title: Name::Borrowed(""),
            help: Name::Borrowed(""),
            rules: Vec::new(),
            columns: vec![column("x"), column("y")],
            ways: false,
        };
        let long = "ä".repeat(CELL_CHARS + 1);
        let mut rows = Rows::new();
        rows.insert(
            "a".into(),
            vec![
                vec!["1".into(), " 2\r\n3 ".into(), "4".into()],
                vec![" ".into()],
                vec![long],
            ],
        );
        rows.insert("b".into(), vec![vec!["5".into()]]);
        let tidied = tidy(std::slice::from_ref(&section), rows);
        assert_eq!(tidied.len(), 1);
        assert_eq!(tidied["a"][0], ["1", "2  3"]);
        assert_eq!(tidied["a"][1], ["", ""]);
        assert_eq!(tidied["a"][2], ["ä".repeat(CELL_CHARS), String::new()]);
        let many = vec![vec!["1".to_owned()]; ROWS_MAX + 1];
        let tidied = tidy(&[section], Rows::from([("a".into(), many)]));
        assert_eq!(tidied["a"].len(), ROWS_MAX);
    }
}
