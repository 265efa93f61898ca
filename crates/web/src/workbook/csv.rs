//! Tables as text. Files of many programs are read: parted by semicolons, tabs or commas, cells in quotation marks or not.

use super::{COLUMNS_MAX, Room, Table, Trouble, Workbook, fitting};

/// Reads a text as one table.
pub(super) fn read(text: &str) -> Result<Workbook, Trouble> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let sign = sign(text);
    // A quotation that nobody ends is none.
    let quotes = text.matches('"').count().is_multiple_of(2);
    let (mut table, mut room) = (Table::default(), Room::default());
    let (mut cells, mut cell) = (Vec::new(), String::new());
    let (mut row, mut inside) = (0, false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quotes => {
                inside = !inside;
                cell.push('"');
            }
            '\r' | '\n' if !(inside && cell.starts_with('"')) => {
                if letter == '\r' && letters.peek() == Some(&'\n') {
                    letters.next();
                }
                cells.push(fitting(finish(&mut cell))?);
                table.push(row, std::mem::take(&mut cells), &mut room)?;
                (row, inside) = (row + 1, false);
            }
            _ if letter == sign && !inside => {
                let done = fitting(finish(&mut cell))?;
                if cells.len() < COLUMNS_MAX {
                    cells.push(done);
                }
            }
            _ => cell.push(letter),
        }
    }
    cells.push(fitting(finish(&mut cell))?);
    table.push(row, cells, &mut room)?;
    Ok(Workbook { tables: vec![table] })
}

/// What parts the cells: the sign that the first line has most of.
fn sign(text: &str) -> char {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let count = |sign: char| first.matches(sign).count();
    let mut best = ';';
    for sign in ['\t', ','] {
        if count(sign) > count(best) {
            best = sign;
        }
    }
    best
}

/// A cell without its quotation marks.
fn finish(cell: &mut String) -> String {
    let text = std::mem::take(cell);
    let text = text.trim();
    let whole = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    match whole {
        Some(inner) => inner.replace("\"\"", "\""),
        None => text.to_owned(),
    }
}

/// Writes all tables into one text, with an empty line between them. It begins with the mark by which programs know UTF-8.
pub(super) fn write(workbook: &Workbook) -> Vec<u8> {
    let mut text = String::from("\u{feff}");
    for (number, table) in workbook.tables.iter().enumerate() {
        if number > 0 {
            text.push_str("\r\n");
        }
        for (_, cells) in &table.rows {
            let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
            text.push_str(&cells.join(";"));
            text.push_str("\r\n");
        }
    }
    text.into_bytes()
}

fn quoted(cell: &str) -> String {
    if cell.contains([';', ',', '"', '\t', '\r', '\n']) || cell.trim() != cell {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}
