//! The book's move sheet (*Zugbogen*) as a table to be filled in: thirteen cells a row, a row per unit (PYG-SHEET-01..05, PYG-GAP-71).
//!
//! [`crate::parse`] reads it back, with findings at their cells. A sheet can be opened with any program for tables.

use crate::chart::Place;
use crate::codes::Kind;
use crate::order::{Item, Move, Order, Receiver, Strength};
use crate::state::ArmyName;
use crate::view::{ArmyView, View};
use kernel::diagnostic::{Parsed, Spanned};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Name of the file.
pub const FILE: &str = "ZUGBOGEN.CSV";
/// The head of the table.
pub const HEAD: &str =
    "heer;von_gf;von_kf;ueber1_gf;ueber1_kf;ueber2_gf;ueber2_kf;ueber3_gf;ueber3_kf;nach_gf;nach_kf;staerke;besonderes";
/// Steps of a row: three via and one to.
const STEPS: usize = 4;

/// A sheet for the open month on which every unit stands where it is, with its strength.
///
/// PYG-SHEET-02: to equals from.
pub fn blank(view: &View) -> String {
    fill(view, &BTreeMap::new())
}

/// The same with the moves of an order file in it; what else the file says is left out.
pub fn filled(view: &View, parsed: &Parsed<Order>) -> String {
    let mut moves: BTreeMap<ArmyName, &Move> = BTreeMap::new();
    for order in &parsed.orders {
        if let Order::Move(march) = &order.value {
            // Of two rows for one unit the later counts (PYG-GAP-67).
            moves.insert(march.unit.value, march);
        }
    }
    fill(view, &moves)
}

fn fill(view: &View, moves: &BTreeMap<ArmyName, &Move>) -> String {
    let mut rows = Vec::new();
    let own = view.armies.iter().filter(|army| Some(army.realm) == view.realm());
    for army in own.clone() {
        match moves.get(&army.name) {
            Some(march) => rows.extend(rows_of(march)),
            None => rows.push(standing(army)),
        }
    }
    // Units that do not exist yet: split off or raised this month.
    let is_new = |name: &ArmyName| own.clone().all(|army| army.name != *name);
    for (_, march) in moves.iter().filter(|(name, _)| is_new(name)) {
        rows.extend(rows_of(march));
    }
    let mut text = format!("{HEAD}\n");
    for row in rows {
        text.push_str(&row.join(";"));
        text.push('\n');
    }
    text
}

/// The row of a unit that stands where it is (PYG-SHEET-02).
pub(crate) fn standing(army: &ArmyView) -> Vec<String> {
    let star = if army.stationed { " *" } else { "" };
    let unit = format!("{}{star}", army.name);
    let mut rows = rows_of_way(&unit, &[army.place], &strength_of(army), "");
    rows.pop().unwrap_or_default()
}

/// The rows of a move.
pub(crate) fn rows_of(march: &Move) -> Vec<Vec<String>> {
    let path: Vec<Place> = march.path.iter().map(|place| place.value).collect();
    rows_of_way(&unit_of(march), &path, &control_figure(march), &special_of(march))
}

/// The same as a line of the typed language.
pub(crate) fn line_of(march: &Move) -> String {
    let path: Vec<String> = march.path.iter().map(|place| place.value.to_string()).collect();
    let mut line = format!("ZUG {}: {}", unit_of(march), path.join(" > "));
    for part in [control_figure(march), special_of(march)] {
        if !part.is_empty() {
            let _ = write!(line, "; {part}");
        }
    }
    line
}

fn unit_of(march: &Move) -> String {
    let star = if march.starred { " *" } else { "" };
    format!("{}{star}", march.unit.value)
}

fn control_figure(march: &Move) -> String {
    match march.strength.as_ref().map(|strength| &strength.value) {
        None => String::new(),
        Some(Strength::Heads(heads)) => format!("{heads} {}", march.unit.value.kind.unit()),
        Some(Strength::Goods(goods)) => {
            let goods: Vec<String> = goods
                .iter()
                .map(|portion| format!("{} P. {}", portion.points.value, portion.good.value.code()))
                .collect();
            goods.join(", ")
        }
    }
}

fn special_of(march: &Move) -> String {
    let items: Vec<String> = march.special.iter().map(item).collect();
    items.join(", ")
}

/// One row, or several if the way has more than four steps; strength and special stand in the last (PYG-GAP-71).
pub(crate) fn rows_of_way(unit: &str, path: &[Place], strength: &str, special: &str) -> Vec<Vec<String>> {
    let Some((first, steps)) = path.split_first() else {
        return Vec::new();
    };
    let mut from = *first;
    let mut unit = unit;
    let standing = [*first];
    let steps = if steps.is_empty() { &standing[..] } else { steps };
    let mut rows = Vec::new();
    let mut parts = steps.chunks(STEPS).peekable();
    while let Some(part) = parts.next() {
        let Some((to, via)) = part.split_last() else { continue };
        let mut row = vec![unit.to_owned()];
        row.extend(pair(Some(from)));
        for index in 0..STEPS - 1 {
            row.extend(pair(via.get(index).copied()));
        }
        row.extend(pair(Some(*to)));
        let last = parts.peek().is_none();
        row.extend(if last { [strength, special] } else { ["", ""] }.map(str::to_owned));
        rows.push(row);
        (from, unit) = (*to, "+");
    }
    rows
}

/// Two cells: GF, and KF with two digits; both empty where nothing stands (PYG-SHEET-04).
fn pair(place: Option<Place>) -> [String; 2] {
    place.map_or_else(Default::default, |place| {
        [place.gf.to_string(), format!("{:02}", place.kf)]
    })
}

fn strength_of(army: &ArmyView) -> String {
    if army.name.kind != Kind::Trader {
        return format!("{} {}", army.count, army.name.kind.unit());
    }
    let goods: Vec<String> = army
        .load
        .iter()
        .map(|load| format!("{} P. {}", load.points, load.good.code()))
        .collect();
    goods.join(", ")
}

/// An item under *besonderes*.
fn item(item: &Spanned<Item>) -> String {
    match &item.value {
        Item::Stance(stance) => stance.code().to_owned(),
        Item::Embark(fleet) => format!("EIN {fleet}"),
        Item::Disembark => "AUS".to_owned(),
        Item::With(cargo) => {
            let cargo: Vec<String> = cargo.iter().map(ArmyName::to_string).collect();
            format!("mit {}", cargo.join(" + "))
        }
        Item::Neutral => "NEUTRAL".to_owned(),
        Item::Deliver(None) => "LOESCHEN".to_owned(),
        Item::Deliver(Some(Receiver::Trader(trader))) => format!("LOESCHEN AN {trader}"),
        Item::Deliver(Some(Receiver::Town(place))) => format!("LOESCHEN IN {place}"),
        Item::Other(text) => format!("SL \"{text}\""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PygmaIsis;
    use crate::parse::{Seat, parse};
    use crate::tables::Tables;
    use kernel::game::{Brief, Game};
    use kernel::realm::{RealmId, Viewer};
    use kernel::stage::{Stage, StageLine};

    fn view() -> View {
        let lines = [
            "map 5/12 EB Adler HPT   5/17 SA   1/01 EB Bär HPT",
            "army Adler KH 1 4000 at 5/12 stationed",
            "army Adler RH 2 2000 at 5/12",
            "army Adler FH 1 50 at 5/17",
            "army Adler H 1 at 5/12 load wein:8:Adler load erze:4:Adler",
            "army Bär KH 9 1000 at 1/01",
        ];
        let lines: Vec<StageLine> = (1..)
            .zip(lines)
            .map(|(line, text)| StageLine {
                line,
                text: text.to_owned(),
            })
            .collect();
        let tables = Tables::book();
        let state = PygmaIsis::world(&tables, "", &lines).expect("a world");
        let brief = Brief {
            viewer: Viewer::Realm(RealmId(1)),
            told: Vec::new(),
            diagnostics: Vec::new(),
        };
        PygmaIsis::view(&tables, &state, brief)
    }

    fn moves(text: &str) -> Vec<(ArmyName, Vec<Place>, Option<Strength>, usize)> {
        let view = view();
        let seat = Seat::of_view(&view).expect("a seat");
        let parsed = parse(&Tables::book(), &seat, text.as_bytes());
        assert!(parsed.diagnostics.is_empty(), "{text}{:?}", parsed.diagnostics);
        let moves = parsed.orders.into_iter().map(|order| match order.value {
            Order::Move(march) => (
                march.unit.value,
                march.path.iter().map(|place| place.value).collect(),
                march
                    .strength
                    .map(|strength| strength.value)
                    .filter(|strength| matches!(strength, Strength::Heads(_))),
                march.special.len(),
            ),
            other => panic!("{other:?}"),
        });
        moves.collect()
    }

    #[test]
    fn a_blank_sheet_has_every_own_unit_where_it_stands() {
        let text = blank(&view());
        assert_eq!(
            text.lines().collect::<Vec<_>>(),
            [
                HEAD,
                "KH 1 *;5;12;;;;;;;5;12;4000 K;",
                "RH 2;5;12;;;;;;;5;12;2000 R;",
                "FH 1;5;17;;;;;;;5;17;50 S;",
                "H 1;5;12;;;;;;;5;12;8 P. wein, 4 P. erze;",
            ]
        );
        assert!(moves(&text).iter().all(|(_, path, ..)| path.len() == 1));
    }

    #[test]
    fn moves_of_an_order_file_come_back_as_they_were_written() {
        let lines = "ZUG RH 2: 5/12 > 5/13 > 5/14 > 5/15 > 8/11 > 8/12; 2000 R; V, NEUTRAL, SL \"Sucht; was da ist\"\n\
            ZUG FH 1: 5/17 > 5/18; mit RH 2 + KH 1\n\
            ZUG RH 7: 5/12 > 5/17; EIN FH 1\n";
        let view = view();
        let seat = Seat::of_view(&view).expect("a seat");
        let parsed = parse(&Tables::book(), &seat, lines.as_bytes());
        let sheet = filled(&view, &parsed);
        let rows: Vec<&str> = sheet.lines().collect();
        assert_eq!(rows[2], "RH 2;5;12;5;13;5;14;5;15;8;11;;");
        assert_eq!(rows[3], "+;8;11;;;;;;;8;12;2000 R;V, NEUTRAL, SL \"Sucht; was da ist\"");
        let written = moves(lines);
        let read: Vec<_> = moves(&sheet);
        for march in written {
            assert!(read.contains(&march), "{march:?} not in\n{sheet}");
        }
        assert_eq!(read.len(), 5, "{sheet}");
    }
}
