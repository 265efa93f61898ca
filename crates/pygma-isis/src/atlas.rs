//! The known map as a table, a line per field (catalogue 5.4): for programs, and for players who draw their own maps.

use crate::chart::Place;
use crate::event::Who;
use crate::state::Sides;
use crate::tables::Tables;
use crate::view::{FieldView, View};
use kernel::hex::Direction;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Name of the file.
pub const FILE: &str = "map.csv";
/// Its head.
const HEAD: &str = "gf;kf;terrain;height;owner;settlement;work;roads;river;seen_year;seen_month";

/// Characters from one column of a drawing to the next.
const COLUMN: usize = 7;

/// Every field that the viewer knows, by place, as it was last seen.
///
/// PYG-MAP-02: GF and KF; PYG-GAP-34: owners, settlements and works as last seen, with the month.
pub fn csv(tables: &Tables, view: &View) -> String {
    let mut text = format!("{HEAD}\n");
    for field in &view.fields {
        let (year, month) = tables.date(field.step.max(1));
        let height = tables.terrain[field.terrain].height;
        let settlement = field.settlement.map_or("", |settlement| settlement.code());
        let work = field.work.map_or("", |work| work.code());
        let _ = writeln!(
            text,
            "{};{:02};{};{height};{};{settlement};{work};{};{};{year};{month}",
            field.place.gf,
            field.place.kf,
            field.terrain.code(),
            owner(&field.owner),
            neighbours(view, field, field.roads),
            neighbours(view, field, field.rivers),
        );
    }
    text
}

/// `own`, `neutral`, a realm's name, or the number of a banner. A sign that parts cells cannot stand in one.
fn owner(who: &Who) -> String {
    match who {
        Who::Own => "own".to_owned(),
        Who::Nobody => "neutral".to_owned(),
        Who::Named { name, .. } => name.replace([';', '"', '\n'], " "),
        Who::Banner(number) => format!("unknown banner {number}"),
    }
}

/// The fields on the other side of these sides.
fn neighbours(view: &View, field: &FieldView, sides: Sides) -> String {
    let Some(index) = view.chart.field(field.place) else {
        return String::new();
    };
    let places: Vec<String> = Direction::ALL
        .into_iter()
        .filter(|direction| sides.has(*direction))
        .filter_map(|direction| view.chart.neighbour(index, direction))
        .map(|other| view.chart.place(other).to_string())
        .collect();
    places.join(" ")
}

/// A great field as text: columns beside each other, every cell with KF, terrain and a mark: `+` own, `x` foreign, `.` neutral.
///
/// PYG-MAP-03, PYG-MAP-05.
pub fn drawing(view: &View, gf: u32) -> String {
    let chart = view.chart;
    let Some(first) = chart.field(Place::new(gf, 1)) else {
        return String::new();
    };
    let left = chart.hex(first).q;
    let mut rows: BTreeMap<i32, BTreeMap<i32, String>> = BTreeMap::new();
    for field in view.fields.iter().filter(|field| field.place.gf == gf) {
        let Some(index) = chart.field(field.place) else {
            continue;
        };
        let hex = chart.hex(index);
        let mark = match field.owner {
            Who::Own => '+',
            Who::Nobody => '.',
            Who::Named { .. } | Who::Banner(_) => 'x',
        };
        let cell = format!("{:02}{}{mark}", field.place.kf, field.terrain.code());
        // Half a field down from one column to the next.
        rows.entry(-(2 * hex.r + hex.q)).or_default().insert(hex.q - left, cell);
    }
    let mut text = String::new();
    for cells in rows.values() {
        let mut line = String::new();
        for (column, cell) in cells {
            let width = usize::try_from(*column).unwrap_or(0) * COLUMN;
            let _ = write!(
                line,
                "{:width$}{cell}",
                "",
                width = width.saturating_sub(line.chars().count())
            );
        }
        text.push_str(&line);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PygmaIsis;
    use kernel::game::{Brief, Game};
    use kernel::realm::{RealmId, Viewer};
    use kernel::stage::{Stage, StageLine};

    #[test]
    fn every_known_field_has_a_line_and_others_have_none() {
        let lines = [
            "month 5",
            "map 5/12 EB Adler HPT   5/13 HU Adler WPO   5/14 GB Bär   5/11 SA   1/01 EB Bär HPT",
            "road 5/12-5/13",
            "river 5/13-5/14",
        ];
        let lines = StageLine::numbered(lines);
        let tables = Tables::book();
        let state = PygmaIsis::world(&tables, "", &lines).expect("a world");
        let brief = Brief {
            viewer: Viewer::Realm(RealmId(1)),
            told: Vec::new(),
            diagnostics: Vec::new(),
        };
        let text = csv(&tables, &PygmaIsis::view(&tables, &state, brief));
        for line in [
            HEAD,
            "5;11;SA;0;neutral;;;;;1;4",
            "5;12;EB;0;own;HPT;;5/13;;1;4",
            "5;13;HU;1;own;;WPO;5/12;5/14;1;4",
            "5;14;GB;2;unknown banner 1;;;;5/13;1;4",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} not in\n{text}");
        }
        assert!(!text.contains("\n1;01;"), "{text}");
    }

    #[test]
    fn columns_stand_beside_each_other_half_a_field_apart() {
        let tables = Tables::book();
        // As in the catalogue's example: odd columns of the world lie lower, and GF 12 begins with one.
        let lines = [
            "grid rect 8 6",
            "map 12/01 GB Adler   12/06 GB   12/02 GB Adler   12/11 HE   12/07 HU Adler   12/16 TW Bär   12/13 EB Adler HPT",
        ];
        let lines = StageLine::numbered(lines);
        let state = PygmaIsis::world(&tables, "", &lines).expect("a world");
        let brief = Brief {
            viewer: Viewer::Realm(RealmId(1)),
            told: Vec::new(),
            diagnostics: Vec::new(),
        };
        let text = drawing(&PygmaIsis::view(&tables, &state, brief), 12);
        let drawn: Vec<&str> = text.lines().take(3).collect();
        assert_eq!(
            drawn,
            [
                "       06GB.         16TWx",
                "01GB+         11HE.",
                "       07HU+         17EB.",
            ],
            "{text}"
        );
    }
}
