//! Office Open XML tables: texts of cells stand in the cell or in a list that all tables share.

use super::xml::{attribute, escaped, is, parse, text};
use super::zip::{Archive, pack};
use super::{COLUMNS_MAX, Room, TABLES_MAX, Table, Trouble, Workbook, fitting, is_number, number};
use kernel::sheet::cell_name;
use roxmltree::Node;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Texts that tables share.
const SHARED_MAX: usize = 100_000;
/// Characters of a table's name.
const NAME_CHARS: usize = 31;

/// Reads all tables.
pub(super) fn read(archive: &mut Archive<'_>) -> Result<Workbook, Trouble> {
    let shared = match archive.text("xl/sharedStrings.xml")? {
        Some(text) => shared(&text)?,
        None => Vec::new(),
    };
    let (mut workbook, mut room) = (Workbook::default(), Room::default());
    for (name, path) in list(archive)? {
        if workbook.tables.len() >= TABLES_MAX {
            return Err(Trouble::TooLarge);
        }
        // A sheet that is a chart has no table.
        let Some(source) = archive.text(&path)? else { continue };
        workbook.tables.push(table(name, &source, &shared, &mut room)?);
    }
    Ok(workbook)
}

/// Names and places of the tables.
fn list(archive: &mut Archive<'_>) -> Result<Vec<(String, String)>, Trouble> {
    let book = archive.text("xl/workbook.xml")?.ok_or(Trouble::Unreadable)?;
    let related = archive.text("xl/_rels/workbook.xml.rels")?;
    let mut targets = BTreeMap::new();
    if let Some(related) = &related {
        let document = parse(related)?;
        for node in document.descendants().filter(|node| is(*node, "Relationship")) {
            if let (Some(id), Some(target)) = (attribute(node, "Id"), attribute(node, "Target")) {
                let path = match target.strip_prefix('/') {
                    Some(path) => path.to_owned(),
                    None => format!("xl/{target}"),
                };
                targets.insert(id.to_owned(), path);
            }
        }
    }
    let document = parse(&book)?;
    let sheets = document.descendants().filter(|node| is(*node, "sheet"));
    let sheet = |(number, node): (usize, Node<'_, '_>)| {
        let usual = || format!("xl/worksheets/sheet{}.xml", number + 1);
        let path = attribute(node, "id").and_then(|id| targets.get(id).cloned());
        let name = attribute(node, "name").unwrap_or_default().to_owned();
        (name, path.unwrap_or_else(usual))
    };
    Ok(sheets.enumerate().map(sheet).collect())
}

/// The text of `si` and `is`: plain or in pieces, without what helps to pronounce it.
fn words(node: Node<'_, '_>) -> String {
    text(node, &["rPh", "phoneticPr", "rPr"], &|_| None)
}

fn shared(source: &str) -> Result<Vec<String>, Trouble> {
    let document = parse(source)?;
    let entries = document.root_element().children().filter(|node| is(*node, "si"));
    let texts: Vec<String> = entries.take(SHARED_MAX + 1).map(words).collect();
    if texts.len() > SHARED_MAX {
        return Err(Trouble::TooLarge);
    }
    Ok(texts)
}

fn table(name: String, source: &str, shared: &[String], room: &mut Room) -> Result<Table, Trouble> {
    let document = parse(source)?;
    let mut table = Table { name, rows: Vec::new() };
    let is_data = |node: &Node<'_, '_>| is(*node, "sheetData");
    let Some(data) = document.descendants().find(is_data) else {
        return Ok(table);
    };
    let mut next = 0;
    for row in data.children().filter(|node| is(*node, "row")) {
        let said = attribute(row, "r").and_then(|text| text.parse::<usize>().ok());
        let at = said.and_then(|number| number.checked_sub(1)).unwrap_or(next);
        next = at.saturating_add(1);
        let mut cells: Vec<String> = Vec::new();
        for node in row.children().filter(|node| is(*node, "c")) {
            let column = attribute(node, "r").and_then(column).unwrap_or(cells.len());
            if column >= COLUMNS_MAX {
                continue;
            }
            if cells.len() <= column {
                cells.resize(column + 1, String::new());
            }
            if let Some(cell) = cells.get_mut(column) {
                *cell = fitting(value(node, shared))?;
            }
        }
        table.push(at, cells, room)?;
    }
    Ok(table)
}

/// The column of a cell's name, from 0.
fn column(name: &str) -> Option<usize> {
    let letters = name.bytes().take_while(u8::is_ascii_alphabetic).take(4);
    let number = letters.fold(0usize, |number, letter| {
        number * 26 + usize::from(letter.to_ascii_uppercase() - b'A') + 1
    });
    number.checked_sub(1)
}

fn value(node: Node<'_, '_>, shared: &[String]) -> String {
    let plain = || {
        let value = node.children().find(|child| is(*child, "v"));
        value.map(words).unwrap_or_default()
    };
    match attribute(node, "t") {
        Some("s") => {
            let index = plain().trim().parse::<usize>().ok();
            index.and_then(|index| shared.get(index).cloned()).unwrap_or_default()
        }
        Some("inlineStr") => {
            let text = node.children().find(|child| is(*child, "is"));
            text.map(words).unwrap_or_default()
        }
        Some("str" | "b" | "e" | "d") => plain(),
        _ => number(&plain()),
    }
}

/// A name that the format allows.
fn table_name(table: &Table, index: usize) -> String {
    let allowed = |letter: &char| !matches!(letter, '[' | ']' | ':' | '*' | '?' | '/' | '\\' | '\'');
    let name: String = table.name.chars().filter(allowed).take(NAME_CHARS).collect();
    match name.trim() {
        "" => format!("{}", index + 1),
        name => name.to_owned(),
    }
}

/// Writes all tables.
pub(super) fn write(workbook: &Workbook) -> Vec<u8> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";
    const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
    const SHEET: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml";
    let (mut kinds, mut sheets, mut links) = (String::new(), String::new(), String::new());
    let mut tables = Vec::new();
    for (index, table) in workbook.tables.iter().enumerate() {
        let number = index + 1;
        let name = escaped(&table_name(table, index));
        let path = format!("xl/worksheets/sheet{number}.xml");
        let _ = write!(
            kinds,
            "<Override PartName=\"/{path}\" ContentType=\"{SHEET}.worksheet+xml\"/>"
        );
        let _ = write!(
            sheets,
            "<sheet name=\"{name}\" sheetId=\"{number}\" r:id=\"rId{number}\"/>"
        );
        let _ = write!(
            links,
            "<Relationship Id=\"rId{number}\" Type=\"{OFFICE}/worksheet\" Target=\"worksheets/sheet{number}.xml\"/>"
        );
        let rows = rows(table);
        let source = format!("{HEAD}<worksheet xmlns=\"{MAIN}\"><sheetData>{rows}</sheetData></worksheet>");
        tables.push((path, source));
    }
    let content = format!(
        "{HEAD}<Types xmlns=\"{PACKAGE}/content-types\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Default Extension=\"xml\" ContentType=\"application/xml\"/><Override PartName=\"/xl/workbook.xml\" ContentType=\"{SHEET}.sheet.main+xml\"/>{kinds}</Types>"
    );
    let root = format!(
        "{HEAD}<Relationships xmlns=\"{PACKAGE}/relationships\"><Relationship Id=\"rId1\" Type=\"{OFFICE}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
    );
    let book = format!("{HEAD}<workbook xmlns=\"{MAIN}\" xmlns:r=\"{OFFICE}\"><sheets>{sheets}</sheets></workbook>");
    let related = format!("{HEAD}<Relationships xmlns=\"{PACKAGE}/relationships\">{links}</Relationships>");
    let mut parts = vec![
        ("[Content_Types].xml", content.as_str()),
        ("_rels/.rels", &root),
        ("xl/workbook.xml", &book),
        ("xl/_rels/workbook.xml.rels", &related),
    ];
    parts.extend(tables.iter().map(|(path, source)| (path.as_str(), source.as_str())));
    pack(&parts)
}

fn rows(table: &Table) -> String {
    let mut rows = String::new();
    for (row, (_, cells)) in table.rows.iter().enumerate() {
        let _ = write!(rows, "<row r=\"{}\">", row + 1);
        for (column, cell) in cells.iter().enumerate() {
            let place = cell_name(column, row);
            if is_number(cell) {
                let _ = write!(rows, "<c r=\"{place}\"><v>{cell}</v></c>");
            } else if !cell.is_empty() {
                let _ = write!(
                    rows,
                    "<c r=\"{place}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">{}</t></is></c>",
                    escaped(cell)
                );
            }
        }
        rows.push_str("</row>");
    }
    rows
}
