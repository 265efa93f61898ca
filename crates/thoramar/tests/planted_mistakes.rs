//! Fourteen kinds of mistakes planted in a clean order file: each is found from the player's own knowledge, at its line and
//! column and with a proposal or a clear expectation; the clean file raises no alarm.

use kernel::any::{self, Checked};
use kernel::diagnostic::Severity;
use kernel::game::{Brief, Game};
use kernel::realm::{RealmId, Viewer};
use kernel::stage::{Stage, StageLine};
use thoramar::Thoramar;
use thoramar::view::View;

const WORLD: &str = "\
map 0/0 tla Adler HST   1/0 tla Adler   2/0 tla Adler STD   -1/0 was   1/1 bla   1/-1 tla Bär   3/0 tla
map -1/1 tla Adler FES=Alt   8/0 tla Bär HST   6/0 tla Adler
army Adler K.M 1 4000 at 0/0
army Adler R.L 1 1500 at 1/0
army Adler Z.S 1 200 at 0/0
army Adler P.H 1 50 at 0/0
realm Adler treasury 150000";

const CLEAN: &str = "\
; Zug des Reiches Adler
$Bauen
BRG 1 0 Nordwacht
$Ruesten
K.M 2 2000 2 0
$Armee
K.M 1 2000000000000 V+ K.M 3 1000
K.M 2 0000000000000 V+
K.M 3 0000000000000 V+
R.L 1 2200000000000 E+
Z.S 1 0000000000000 V+ K.M 1
P.H 1 0000000000000 V+ 1 0
$Geld
2 1000
$N
#A
Friede!
#E
";

fn view() -> View {
    let tables = Thoramar::tables("").expect("the book's tables");
    let lines = StageLine::numbered(WORLD.lines());
    let state = Thoramar::world(&tables, "", &lines).expect("the world");
    // One quiet season, so that the realm has looked around.
    let outcome = kernel::game::run::<Thoramar>(
        &tables,
        state,
        &kernel::turn::Input::default(),
        kernel::dice::Dice::Typical(50),
    );
    let lists = kernel::game::audiences::<Thoramar>(&outcome);
    let viewer = Viewer::Realm(RealmId(1));
    let brief: Brief<Thoramar> = kernel::game::brief(&tables, &outcome, viewer, lists[&RealmId(1)].iter().copied());
    Thoramar::view(&tables, &outcome.state, brief)
}

fn check(file: &str) -> Checked {
    let tables = Thoramar::tables("").expect("the book's tables");
    any::check::<Thoramar>(&tables, &view(), file.as_bytes())
}

/// Replaces one line of the clean file and expects exactly one line of it to be found fault with.
#[track_caller]
fn planted(from: &str, to: &str, code: &str, line: u32, column: u32) -> kernel::diagnostic::Diagnostic {
    assert!(CLEAN.contains(from), "{from} is no part of the clean file");
    let checked = check(&CLEAN.replace(from, to));
    let found = checked
        .diagnostics
        .iter()
        .find(|finding| finding.code == code)
        .unwrap_or_else(|| panic!("{code} not among {:#?}", checked.diagnostics));
    assert_eq!(
        (found.span.line, found.span.column),
        (line, column),
        "{:#?}",
        checked.diagnostics
    );
    assert!(!found.rules.is_empty(), "{code} names no rule");
    found.clone()
}

#[test]
fn the_clean_file_raises_no_alarm() {
    let checked = check(CLEAN);
    assert_eq!(checked.diagnostics, [], "a false alarm");
    assert_eq!(checked.orders, 10);
}

#[test]
fn a_misspelt_keyword_is_found_and_mended() {
    let finding = planted("BRG 1 0 Nordwacht", "BGR 1 0 Nordwacht", "B01", 3, 1);
    assert_eq!(finding.repair.expect("a repair").text, "BRG");
}

#[test]
fn an_unknown_unit_type_is_found_and_mended() {
    let finding = planted("K.M 2 2000 2 0", "KM 2 2000 2 0", "S07", 5, 1);
    assert!(finding.repair.is_some());
}

#[test]
fn an_army_that_the_realm_does_not_have_is_found() {
    planted("R.L 1 2200000000000 E+", "R.L 7 2200000000000 E+", "A01", 10, 1);
}

#[test]
fn a_split_below_the_minimum_is_found() {
    planted("V+ K.M 3 1000", "V+ K.M 3 99", "A10", 7, 24);
}

#[test]
fn more_money_than_there_is_is_found() {
    planted("2 1000", "2 1000000", "G03", 14, 3);
}

#[test]
fn a_path_into_the_sea_is_found_at_its_digit() {
    let finding = planted("K.M 3 0000000000000 V+", "K.M 3 5000000000000 V+", "H01", 9, 7);
    assert_eq!(finding.severity, Severity::Warning);
}

#[test]
fn a_path_up_two_heights_is_found_at_its_digit() {
    planted("K.M 3 0000000000000 V+", "K.M 3 1000000000000 V+", "H01", 9, 7);
}

#[test]
fn two_orders_for_one_army_are_found() {
    planted("K.M 3 0000000000000 V+", "K.M 2 0000000000000 A+", "A02", 9, 1);
}

#[test]
fn a_forgotten_section_is_found_and_mended() {
    let checked = check(&CLEAN.replace("$Armee\n", ""));
    let lines: Vec<u32> = checked.diagnostics.iter().map(|finding| finding.span.line).collect();
    assert!((6..=11).all(|line| lines.contains(&line)), "{:#?}", checked.diagnostics);
    assert!(
        checked.diagnostics.iter().any(|finding| finding.repair.is_some()),
        "{:#?}",
        checked.diagnostics
    );
}

#[test]
fn a_missing_field_is_found() {
    planted("K.M 2 2000 2 0", "K.M 2 2000 2", "S01", 5, 13);
}

#[test]
fn building_on_foreign_or_occupied_ground_is_found() {
    planted("BRG 1 0 Nordwacht", "BRG 1 -1 Nordwacht", "B02", 3, 5);
    planted("BRG 1 0 Nordwacht", "BRG 0 0 Nordwacht", "B04", 3, 5);
}

#[test]
fn a_place_that_cannot_arm_this_type_is_found() {
    planted("K.M 2 2000 2 0", "F.M 2 1000 2 0", "R03", 5, 12);
}

#[test]
fn a_target_out_of_range_is_found() {
    planted("V+ 1 0", "V+ 6 0", "A24", 12, 24);
}

#[test]
fn an_impossible_direction_digit_is_found_at_its_column() {
    planted("R.L 1 2200000000000 E+", "R.L 1 2270000000000 E+", "S09", 10, 9);
}

#[test]
fn an_army_without_an_order_is_a_hint() {
    let finding = planted("R.L 1 2200000000000 E+\n", "", "H02", 15, 1);
    assert_eq!(finding.severity, Severity::Hint);
}
