use super::*;
use crate::PygmaIsis;
use kernel::game::{Brief, Game};
use kernel::realm::{RealmId, Viewer};
use kernel::stage::{Stage, StageLine};

/// A realm on a plain with warriors at home, riders and a trader.
pub(crate) fn view(lines: &[&str]) -> View {
    let lines: Vec<StageLine> = (1..)
        .zip(lines)
        .map(|(line, text)| StageLine {
            line,
            text: (*text).to_owned(),
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

fn march() -> View {
    view(&[
        "map 5/11 EB Adler   5/12 EB Adler HPT   5/13 EB Adler   5/14 EB Adler   5/15 EB Adler   1/01 EB Bär HPT",
        "army Adler KH 1 4000 at 5/12",
        "army Adler RH 2 2000 at 5/12",
        "army Bär KH 9 1000 at 1/01",
    ])
}

fn moves(rows: &Rows) -> Vec<String> {
    part(rows, MOVES).iter().map(|row| row.join(";")).collect()
}

#[test]
fn an_empty_draft_is_a_sheet_on_which_everybody_stands_and_that_sheet_is_an_empty_draft() {
    let (tables, view) = (Tables::book(), march());
    let rows = rows(&tables, &view, "");
    assert_eq!(
        moves(&rows),
        ["KH 1;5;12;;;;;;;5;12;4000 K;", "RH 2;5;12;;;;;;;5;12;2000 R;"]
    );
    assert_eq!(file(&tables, &view, &rows), "");
    assert_eq!(findings(&tables, &view, &rows), []);
    let sections = sections(&view);
    let names: Vec<&str> = sections[0].columns.iter().map(|column| &*column.name).collect();
    assert_eq!(names.join(";"), HEAD);
}

#[test]
fn a_draft_and_its_sheet_say_the_same() {
    let (tables, view) = (Tables::book(), march());
    let draft = "# Im Frühling\nPRODUKTION 5/12 getreide vieh kultur\nSL KH 1 \"Sie suchen; den Turm\"\nZUG KH 1: 5/12 > 5/13; 4000 K; V\nZUG RH 2: 5/12 > 5/13 > 5/14 > 5/15 > 5/14 > 5/13; 2000 R\n";
    let sheet = rows(&tables, &view, draft);
    assert_eq!(
        moves(&sheet),
        [
            "KH 1;5;12;;;;;;;5;13;4000 K;V",
            "RH 2;5;12;5;13;5;14;5;15;5;14;;",
            "+;5;14;;;;;;;5;13;2000 R;",
        ]
    );
    assert_eq!(part(&sheet, LINES).len(), 3);
    assert_eq!(file(&tables, &view, &sheet), draft);
}

#[test]
fn what_cannot_be_read_is_kept_and_found_at_its_cell() {
    let (tables, view) = (Tables::book(), march());
    let mut sheet = rows(&tables, &view, "");
    let table = sheet.get_mut(MOVES).expect("the moves");
    table[0][10] = "dreizehn".into();
    table[1][12] = "V; \"so\"".into();
    sheet.insert(LINES.into(), vec![vec!["PRODUKTION 5/12 Sand Sand Sand".into()]]);
    let found = findings(&tables, &view, &sheet);
    let at = |section: &str, row: usize, column: usize| {
        let is = |of: &&CellFinding| of.section == section && of.row == Some(row) && of.column == Some(column);
        found.iter().find(is)
    };
    assert!(at(MOVES, 0, 10).is_some(), "{found:?}");
    assert!(at(MOVES, 1, 12).is_some(), "{found:?}");
    assert!(at(LINES, 0, 0).is_some(), "{found:?}");
    let draft = file(&tables, &view, &sheet);
    assert_eq!(moves(&rows(&tables, &view, &draft)), moves(&sheet), "{draft}");
    assert_eq!(file(&tables, &view, &rows(&tables, &view, &draft)), draft);
}

#[test]
fn a_move_that_is_too_far_is_found_where_it_ends() {
    let (tables, view) = (Tables::book(), march());
    let far = "ZUG KH 1: 5/12 > 5/13 > 5/14 > 5/15 > 5/14 > 5/13 > 5/12; 4000 K\n";
    let found = findings(&tables, &view, &rows(&tables, &view, far));
    assert!(
        found
            .iter()
            .any(|of| of.finding.severity == Severity::Error && of.row.is_some_and(|row| row <= 1)),
        "{found:?}"
    );
}

#[test]
fn clicks_put_a_way_in_and_keep_the_rest_of_the_row() {
    let (tables, view) = (Tables::book(), march());
    let sheet = rows(&tables, &view, "ZUG KH 1: 5/12; 4000 K; V\n");
    let way = |places: &[&str]| places.iter().map(|place| (*place).to_owned()).collect::<Vec<_>>();
    let put = put_way(&tables, &view, sheet.clone(), "KH 1", &way(&["5/13"]));
    assert_eq!(moves(&put)[0], "KH 1;5;12;;;;;;;5;13;4000 K;V");
    // Riders on own land go two fields and more: the field between is found.
    let put = put_way(&tables, &view, put, "RH 2", &way(&["5/12", "5/14"]));
    assert_eq!(moves(&put)[1], "RH 2;5;12;5;13;;;;;5;14;2000 R;");
    let drawn = ways(&tables, &view, &put);
    assert_eq!(drawn.len(), 2);
    assert_eq!((drawn[1].traveller.as_str(), drawn[1].spots.len()), ("RH 2", 3));
    // Nobody else's army, and none at all.
    assert_eq!(put_way(&tables, &view, put.clone(), "KH 9", &way(&["1/02"])), put);
    let still = put_way(&tables, &view, put, "KH 1", &[]);
    assert_eq!(moves(&still)[0], "KH 1;5;12;;;;;;;5;12;4000 K;V");
}

#[test]
fn no_cell_brings_the_sheet_down() {
    let (tables, view) = (Tables::book(), march());
    for text in [
        "\"",
        ";",
        "+",
        "heer",
        "#",
        "\u{feff}",
        "999999999999",
        "KH",
        "KH 0",
        "ä/ß",
        "\"\"\"",
        "* *",
    ] {
        for column in 0..CELLS {
            let mut sheet = rows(&tables, &view, "");
            sheet.get_mut(MOVES).expect("the moves")[0][column] = text.into();
            let found = findings(&tables, &view, &sheet);
            let draft = file(&tables, &view, &sheet);
            let again = rows(&tables, &view, &draft);
            assert!(found.len() < 50 && !again.is_empty());
            put_way(&tables, &view, sheet, text, &[text.to_owned()]);
        }
    }
    assert!(rows(&tables, &view, "heer;\n+;;;;\n;;;;;;;;;;;;;;;;;;\n").contains_key(MOVES));
}
