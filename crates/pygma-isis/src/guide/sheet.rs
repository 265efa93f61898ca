//! The move sheet as a table to be filled in, cell by cell, and back to an order file (PYG-SHEET-01..05, PYG-GAP-71).
//!
//! The first part is the book's own table, with every unit where it stands; the second has every other order as a line. A row that can
//! be read becomes a line of the typed language, one that cannot stays a row of the table, so that nothing is lost and its finding
//! stays at its cell.

use super::route;
use crate::chart::Place;
use crate::codes::Kind;
use crate::order::{Move, Order};
use crate::parse::{self, Seat};
use crate::rule;
use crate::sheet::{HEAD, line_of, rows_of, rows_of_way, standing};
use crate::state::ArmyName;
use crate::tables::Tables;
use crate::view::{ArmyView, View};
use kernel::diagnostic::{Diagnostic, Name, Severity, Span};
use kernel::form::{Choice, Input};
use kernel::hex::FieldIndex;
use kernel::sheet::{CellFinding, Column, Rows, Section, SheetWay};

/// Name of the part with the moves.
const MOVES: &str = "zugbogen";
/// Name of the part with all else.
const LINES: &str = "befehle";
/// Cells of a row.
const CELLS: usize = 13;
/// Where strength and special stand.
const STRENGTH: usize = 11;
const SPECIAL: usize = 12;
/// Fields of a way that are looked at: no unit goes further in a month.
const WAY_MAX: usize = 60;

/// The parts of the sheet.
pub(super) fn sections(view: &View) -> Vec<Section> {
    let names: Vec<&str> = HEAD.split(';').collect();
    let columns = names.iter().enumerate().map(|(index, name)| {
        let (label, group, input, chars) = match index {
            0 => ("column-unit", "", units(view), 7),
            STRENGTH => ("column-strength", "", Input::Text { max: 200, lines: 1 }, 9),
            SPECIAL => ("column-special", "", Input::Text { max: 400, lines: 1 }, 14),
            _ => {
                let groups = ["group-from", "group-via-1", "group-via-2", "group-via-3", "group-to"];
                let group = groups.get((index - 1) / 2).copied().unwrap_or_default();
                let label = if index % 2 == 1 { "column-gf" } else { "column-kf" };
                (label, group, Input::Text { max: 6, lines: 1 }, 3)
            }
        };
        Column {
            name: Name::Owned((*name).to_owned()),
            label: Name::Borrowed(label),
            group: Name::Borrowed(group),
            input,
            chars,
        }
    });
    let ids = |rules: &[kernel::rule::RuleId]| rules.iter().map(|rule| Name::Borrowed(rule.as_str())).collect();
    let moves = Section {
        name: Name::Borrowed(MOVES),
        title: Name::Borrowed("sheet-moves"),
        help: Name::Borrowed("sheet-moves-help"),
        rules: ids(&[rule::SHEET_01, rule::SHEET_02, rule::SHEET_04, rule::GAP_71]),
        columns: columns.collect(),
        ways: true,
    };
    let lines = Section {
        name: Name::Borrowed(LINES),
        title: Name::Borrowed("sheet-lines"),
        help: Name::Borrowed("sheet-lines-help"),
        rules: ids(&[rule::GAP_67]),
        columns: vec![Column {
            name: Name::Borrowed("befehl"),
            label: Name::Borrowed("column-order"),
            group: Name::Borrowed(""),
            input: Input::Text { max: 4_000, lines: 1 },
            chars: 60,
        }],
        ways: false,
    };
    vec![moves, lines]
}

fn units(view: &View) -> Input {
    let choice = |army: &ArmyView| Choice {
        detail: format!("{}, {} {}", army.place, army.count, army.name.kind.unit()),
        ..Choice::plain(army.name.to_string())
    };
    Input::Army {
        choices: own(view).map(choice).collect(),
        may_be_new: true,
    }
}

fn own(view: &View) -> impl Iterator<Item = &ArmyView> {
    view.armies.iter().filter(|army| Some(army.realm) == view.realm())
}

/// Rows that belong to one unit: the first names it, the others go on with `+`.
struct Group<'a> {
    unit: Option<ArmyName>,
    /// Number of the first row.
    first: usize,
    rows: &'a [Vec<String>],
}

fn groups(rows: &[Vec<String>]) -> Vec<Group<'_>> {
    let goes_on = |row: &Vec<String>| row.first().is_some_and(|cell| cell.trim() == "+");
    let mut groups = Vec::new();
    let mut first = 0;
    for end in 1..=rows.len() {
        if rows.get(end).is_some_and(goes_on) {
            continue;
        }
        let own = rows.get(first..end).unwrap_or_default();
        let unit = own.first().and_then(|row| row.first()).and_then(|cell| unit(cell));
        groups.push(Group { unit, first, rows: own });
        first = end;
    }
    groups
}

/// `KH 1`, `RH 2 *`, `h3`.
fn unit(cell: &str) -> Option<ArmyName> {
    let cell = cell.trim().trim_end_matches('*').trim();
    let letters = cell.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let number = cell.get(letters.len()..)?.parse().ok()?;
    Some(ArmyName::new(Kind::from_code(letters.trim())?, number))
}

/// A row as programs for tables write it.
fn csv(row: &[String]) -> String {
    let cell = |cell: &String| {
        if cell.contains([';', '"', '\t']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell.clone()
        }
    };
    row.iter().map(cell).collect::<Vec<_>>().join(";")
}

/// The move that rows say, if they say one without a fault.
fn read(tables: &Tables, seat: &Seat, rows: &[Vec<String>]) -> Option<Move> {
    let mut text = HEAD.to_owned();
    for row in rows {
        text.push('\n');
        text.push_str(&csv(row));
    }
    let parsed = parse::parse(tables, seat, text.as_bytes());
    let is_wrong = parsed
        .diagnostics
        .iter()
        .any(|finding| finding.severity == Severity::Error);
    let mut orders = parsed.orders.into_iter();
    match (orders.next()?.value, orders.next()) {
        (Order::Move(march), None) if !is_wrong => Some(march),
        _ => None,
    }
}

/// Whether a row only says that a unit stands where it is, as it would without the row (PYG-SHEET-02).
fn says_nothing(view: &View, march: &Move, row: &[String]) -> bool {
    let Some(army) = own(view).find(|army| army.name == march.unit.value) else {
        return false;
    };
    let stands = matches!(march.path.as_slice(), [place] if place.value == army.place);
    let strength = row.get(STRENGTH).map_or("", String::as_str);
    let is_known = strength.is_empty() || standing(army).get(STRENGTH).is_some_and(|known| known == strength);
    stands && is_known && march.special.is_empty() && march.starred == army.stationed
}

/// The rows of a part.
fn part<'a>(rows: &'a Rows, name: &str) -> &'a [Vec<String>] {
    rows.get(name).map_or(&[], Vec::as_slice)
}

/// The sheet of an order file: every unit has a row, and every other line is one too.
pub(super) fn rows(tables: &Tables, view: &View, file: &str) -> Rows {
    let Some(seat) = Seat::of_view(view) else {
        return Rows::new();
    };
    let parsed = parse::parse(tables, &seat, file.as_bytes());
    let typed = |number: u32| {
        parsed.orders.iter().find_map(|order| match &order.value {
            Order::Move(march) if order.span.line == number => Some(march),
            _ => None,
        })
    };
    let (mut moves, mut lines) = (Vec::new(), Vec::new());
    let mut in_table = false;
    let text = file.strip_prefix('\u{feff}').unwrap_or(file);
    for (number, line) in (1..).zip(parse::lines(text)) {
        if parse::is_head(line) {
            in_table = true;
        } else if in_table && parse::is_row(line) {
            let mut cells = parse::cells(line);
            cells.resize(cells.len().max(CELLS), String::new());
            moves.push(cells);
        } else if let Some(march) = typed(number) {
            in_table = false;
            moves.extend(rows_of(march));
        } else if !line.trim().is_empty() {
            // A comment does not end a table.
            in_table &= line.trim_start().starts_with('#');
            lines.push(vec![line.trim().to_owned()]);
        }
    }
    let groups = groups(&moves);
    let mut sorted: Vec<Vec<String>> = Vec::new();
    for army in own(view) {
        let mut said = groups.iter().filter(|group| group.unit == Some(army.name)).peekable();
        if said.peek().is_none() {
            sorted.push(standing(army));
        }
        said.for_each(|group| sorted.extend_from_slice(group.rows));
    }
    let is_own = |group: &&Group<'_>| own(view).any(|army| group.unit == Some(army.name));
    for group in groups.iter().filter(|group| !is_own(group)) {
        sorted.extend_from_slice(group.rows);
    }
    Rows::from([(MOVES.to_owned(), sorted), (LINES.to_owned(), lines)])
}

/// The order file of a sheet.
pub(super) fn file(tables: &Tables, view: &View, rows: &Rows) -> String {
    let Some(seat) = Seat::of_view(view) else {
        return String::new();
    };
    let mut text = String::new();
    let mut push = |line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    for cell in part(rows, LINES).iter().filter_map(|row| row.first()) {
        if !cell.trim().is_empty() {
            push(cell.trim());
        }
    }
    let mut unread = Vec::new();
    for group in groups(part(rows, MOVES)) {
        match read(tables, &seat, group.rows) {
            Some(march) if group.rows.len() == 1 && says_nothing(view, &march, first(&group)) => {}
            Some(march) => push(&line_of(&march)),
            None => unread.extend(group.rows.iter().filter(|row| !is_blank(row)).map(|row| csv(row))),
        }
    }
    if !unread.is_empty() {
        push(HEAD);
        unread.iter().for_each(|row| push(row));
    }
    text
}

fn first<'a>(group: &Group<'a>) -> &'a [String] {
    group.rows.first().map_or(&[], Vec::as_slice)
}

fn is_blank(row: &[String]) -> bool {
    row.iter().all(|cell| cell.trim().is_empty())
}

/// What is wrong, at its cell. The sheet is read as it stands, as a table: so every finding knows its row and its column.
pub(super) fn findings(tables: &Tables, view: &View, rows: &Rows) -> Vec<CellFinding> {
    let Some(seat) = Seat::of_view(view) else {
        return Vec::new();
    };
    // What stands in which line of the text.
    let mut text = String::new();
    let mut lines: Vec<(&str, usize)> = Vec::new();
    for (row, cells) in part(rows, LINES).iter().enumerate() {
        let cell = cells.first().map_or("", String::as_str);
        text.push_str(cell);
        text.push('\n');
        lines.push((LINES, row));
    }
    text.push_str(HEAD);
    text.push('\n');
    lines.push((MOVES, usize::MAX));
    for group in groups(part(rows, MOVES)) {
        let march = read(tables, &seat, group.rows);
        let is_silent = march.is_some_and(|march| group.rows.len() == 1 && says_nothing(view, &march, first(&group)));
        for (row, cells) in (group.first..).zip(group.rows) {
            if !is_silent && !is_blank(cells) {
                text.push_str(&csv(cells));
                text.push('\n');
                lines.push((MOVES, row));
            }
        }
    }
    let parsed = parse::parse(tables, &seat, text.as_bytes());
    let mut found = parsed.diagnostics.clone();
    found.extend(crate::check::check(tables, view, &parsed));
    found.sort_by_key(|finding| (finding.span, finding.severity));
    found.dedup();
    found
        .into_iter()
        .map(|finding| at_cell(finding, &lines, part(rows, MOVES)))
        .collect()
}

fn at_cell(finding: Diagnostic, lines: &[(&str, usize)], moves: &[Vec<String>]) -> CellFinding {
    let line = (finding.span.line as usize)
        .checked_sub(1)
        .and_then(|line| lines.get(line));
    let (section, row, column) = match line {
        Some((section, row)) if *section == MOVES => {
            let cells = moves.get(*row);
            (
                MOVES,
                cells.map(|_| *row),
                cells.and_then(|cells| column(cells, finding.span)),
            )
        }
        Some((_, row)) => (LINES, Some(*row), Some(0)),
        None => ("", None, None),
    };
    CellFinding {
        section: Name::Borrowed(section),
        row,
        column,
        finding,
    }
}

/// The cell in which a finding begins; none if it is about the whole row.
fn column(cells: &[String], span: Span) -> Option<usize> {
    let row = csv(cells);
    let length = row.chars().count();
    if span.column <= 1 && span.length as usize >= length {
        return None;
    }
    let mut behind = 1;
    for (index, cell) in cells.iter().enumerate() {
        behind += csv(std::slice::from_ref(cell)).chars().count() + 1;
        if (span.column as usize) < behind {
            return Some(index);
        }
    }
    cells.len().checked_sub(1)
}

/// The sheet with another way of a unit. Between fields that do not touch each other it goes where a month leads.
pub(super) fn put_way(tables: &Tables, view: &View, mut rows: Rows, traveller: &str, way: &[String]) -> Rows {
    let army = unit(traveller).and_then(|name| own(view).find(|army| army.name == name));
    let Some(army) = army else { return rows };
    let mut path = vec![army.place];
    let places = way.iter().take(WAY_MAX).filter_map(|place| Place::read(place.trim()));
    for place in places {
        let last = path.last().copied().unwrap_or(army.place);
        if place == last {
            continue;
        }
        match route::within_month(tables, view, army.name.kind, last, place) {
            Some(between) if !touch(view, last, place) => path.extend(between),
            _ => path.push(place),
        }
        path.truncate(WAY_MAX);
    }
    let moves = rows.remove(MOVES).unwrap_or_default();
    let mut written = Vec::new();
    let mut is_put = false;
    for group in groups(&moves) {
        if group.unit != Some(army.name) {
            written.extend_from_slice(group.rows);
        } else if !is_put {
            is_put = true;
            let last = group.rows.last().map_or(&[][..], Vec::as_slice);
            let cell = |index: usize| last.get(index).map_or("", String::as_str);
            let name = first(&group).first().map_or("", String::as_str);
            written.extend(rows_of_way(name, &path, cell(STRENGTH), cell(SPECIAL)));
        }
    }
    if !is_put {
        let still = standing(army);
        let cell = |index: usize| still.get(index).map_or("", String::as_str);
        written.extend(rows_of_way(cell(0), &path, cell(STRENGTH), ""));
    }
    rows.insert(MOVES.to_owned(), written);
    rows
}

fn touch(view: &View, one: Place, other: Place) -> bool {
    let fields = view.chart.field(one).zip(view.chart.field(other));
    fields.is_some_and(|(one, other)| view.chart.neighbours(one).any(|(_, field)| field == other))
}

/// The ways that can be read, for a map.
pub(super) fn ways(tables: &Tables, view: &View, rows: &Rows) -> Vec<SheetWay> {
    let Some(seat) = Seat::of_view(view) else {
        return Vec::new();
    };
    let home = view.books.as_ref().and_then(|books| view.chart.field(books.home));
    let home = home.unwrap_or(FieldIndex(0));
    let way = |group: Group<'_>| {
        let march = read(tables, &seat, group.rows).filter(|march| march.path.len() > 1)?;
        let fields: Option<Vec<FieldIndex>> = march.path.iter().map(|place| view.chart.field(place.value)).collect();
        Some(SheetWay {
            traveller: march.unit.value.to_string(),
            places: march.path.iter().map(|place| place.value.to_string()).collect(),
            spots: fields?.into_iter().map(|field| view.chart.spot(home, field)).collect(),
        })
    };
    groups(part(rows, MOVES)).into_iter().filter_map(way).collect()
}

#[cfg(test)]
pub(crate) mod tests;
