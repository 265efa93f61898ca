//! OpenDocument tables, as LibreOffice writes them: equal cells and rows in a row stand there once, with their number.

use super::xml::{attribute, escaped, is, parse, text};
use super::zip::{Archive, pack};
use super::{COLUMNS_MAX, ROWS_MAX, Room, TABLES_MAX, Table, Trouble, Workbook, fitting, is_number, number};
use roxmltree::Node;
use std::fmt::Write as _;

/// The kind of content.
pub(super) const KIND: &str = "application/vnd.oasis.opendocument.spreadsheet";

/// Reads all tables.
pub(super) fn read(archive: &mut Archive<'_>) -> Result<Workbook, Trouble> {
    let content = archive.text("content.xml")?.ok_or(Trouble::Unreadable)?;
    let document = parse(&content)?;
    let is_book = |node: &Node<'_, '_>| is(*node, "spreadsheet");
    let book = document.descendants().find(is_book).ok_or(Trouble::Unreadable)?;
    let (mut workbook, mut room) = (Workbook::default(), Room::default());
    for node in book.children().filter(|node| is(*node, "table")) {
        if workbook.tables.len() >= TABLES_MAX {
            return Err(Trouble::TooLarge);
        }
        let mut table = Table {
            name: attribute(node, "name").unwrap_or_default().to_owned(),
            rows: Vec::new(),
        };
        rows(node, &mut table, &mut room, &mut 0, 0)?;
        workbook.tables.push(table);
    }
    Ok(workbook)
}

/// How often something stands there.
fn repeated(node: Node<'_, '_>, name: &str) -> usize {
    attribute(node, name)
        .and_then(|text| text.parse().ok())
        .unwrap_or(1)
        .max(1)
}

/// Rows may lie in groups and among those that are printed on every page.
fn rows(node: Node<'_, '_>, table: &mut Table, room: &mut Room, next: &mut usize, depth: usize) -> Result<(), Trouble> {
    for child in node.children().filter(Node::is_element) {
        if is(child, "table-row") {
            let cells = cells(child)?;
            let count = repeated(child, "number-rows-repeated");
            let is_empty = cells.iter().all(|cell| cell.trim().is_empty());
            if is_empty {
                *next = next.saturating_add(count);
                continue;
            }
            if count > ROWS_MAX {
                return Err(Trouble::TooLarge);
            }
            for _ in 0..count {
                table.push(*next, cells.clone(), room)?;
                *next = next.saturating_add(1);
            }
        } else if depth < 8
            && matches!(
                child.tag_name().name(),
                "table-header-rows" | "table-row-group" | "table-rows"
            )
        {
            rows(child, table, room, next, depth + 1)?;
        }
    }
    Ok(())
}

fn cells(row: Node<'_, '_>) -> Result<Vec<String>, Trouble> {
    let mut cells = Vec::new();
    let own = |node: &Node<'_, '_>| is(*node, "table-cell") || is(*node, "covered-table-cell");
    for node in row.children().filter(own) {
        let cell = fitting(cell(node))?;
        let room = COLUMNS_MAX.saturating_sub(cells.len());
        let count = repeated(node, "number-columns-repeated").min(room);
        cells.extend(std::iter::repeat_n(cell, count));
    }
    Ok(cells)
}

fn cell(node: Node<'_, '_>) -> String {
    let is_amount = matches!(attribute(node, "value-type"), Some("float" | "percentage" | "currency"));
    // A whole number is what it is, however it is shown; all else is what is shown.
    if let Some(value) = attribute(node, "value").filter(|_| is_amount) {
        let value = number(value);
        if value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
            return value;
        }
    }
    let special = |node: Node<'_, '_>| match node.tag_name().name() {
        "s" => {
            let count = attribute(node, "c").and_then(|text| text.parse().ok()).unwrap_or(1);
            Some(" ".repeat(usize::min(count, 1_000)))
        }
        "tab" | "line-break" => Some(" ".to_owned()),
        _ => None,
    };
    let lines = node.children().filter(|child| is(*child, "p"));
    let lines: Vec<String> = lines
        .map(|line| text(line, &["annotation", "note"], &special))
        .collect();
    lines.join(" ")
}

/// Writes all tables.
pub(super) fn write(workbook: &Workbook) -> Vec<u8> {
    let mut body = String::new();
    for (number, table) in workbook.tables.iter().enumerate() {
        let name = match table.name.as_str() {
            "" => format!("{}", number + 1),
            name => escaped(name),
        };
        let _ = write!(body, "<table:table table:name=\"{name}\">");
        for (_, cells) in &table.rows {
            body.push_str("<table:table-row>");
            for cell in cells {
                let shown = escaped(cell);
                if cell.is_empty() {
                    body.push_str("<table:table-cell/>");
                } else if is_number(cell) {
                    let _ = write!(
                        body,
                        "<table:table-cell office:value-type=\"float\" office:value=\"{shown}\"><text:p>{shown}</text:p></table:table-cell>"
                    );
                } else {
                    let _ = write!(
                        body,
                        "<table:table-cell office:value-type=\"string\"><text:p>{shown}</text:p></table:table-cell>"
                    );
                }
            }
            body.push_str("</table:table-row>");
        }
        body.push_str("</table:table>");
    }
    let content = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<office:document-content xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" office:version=\"1.3\"><office:body><office:spreadsheet>{body}</office:spreadsheet></office:body></office:document-content>"
    );
    let manifest = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\" manifest:version=\"1.3\"><manifest:file-entry manifest:full-path=\"/\" manifest:version=\"1.3\" manifest:media-type=\"{KIND}\"/><manifest:file-entry manifest:full-path=\"content.xml\" manifest:media-type=\"text/xml\"/></manifest:manifest>"
    );
    pack(&[
        ("mimetype", KIND),
        ("content.xml", &content),
        ("META-INF/manifest.xml", &manifest),
    ])
}
