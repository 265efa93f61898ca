//! Fourteen kinds of mistakes planted in a clean order file: each is found from the player's own knowledge, at its line and
//! column, with a repair that mends it and brings nothing new; the clean file raises no alarm.

use kernel::any::{self, Checked};
use kernel::diagnostic::{Diagnostic, Repair, Severity};
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

/// The file with a repair put in its place.
fn mended(file: &str, repair: &Repair) -> String {
    let mut lines: Vec<String> = file.lines().map(str::to_owned).collect();
    let line = &mut lines[repair.span.line as usize - 1];
    let first = repair.span.column as usize - 1;
    let behind: String = line.chars().skip(first + repair.span.length as usize).collect();
    let before: String = line.chars().take(first).collect();
    *line = before + &repair.text + &behind;
    lines.join("\n")
}

/// The findings of a check that are more than hints, by code and by the text of their line.
fn faults(file: &str) -> Vec<(String, String)> {
    let checked = check(file);
    let line = |number: u32| file.lines().nth(number as usize - 1).unwrap_or_default().to_owned();
    let grave = checked
        .diagnostics
        .iter()
        .filter(|finding| finding.severity != Severity::Hint);
    grave
        .map(|finding| (finding.code.to_string(), line(finding.span.line)))
        .collect()
}

/// Replaces a part of the clean file, expects it to be found fault with, and the proposed repair to mend that without a new fault.
#[track_caller]
fn planted(from: &str, to: &str, code: &str, line: u32, column: u32) -> Diagnostic {
    assert!(CLEAN.contains(from), "{from} is no part of the clean file");
    let file = CLEAN.replace(from, to);
    let checked = check(&file);
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
    let repair = found
        .repair
        .as_deref()
        .unwrap_or_else(|| panic!("{code} proposes nothing"));
    let repaired = mended(&file, repair);
    let left = check(&repaired);
    let grave = |checked: &Checked| {
        let findings = checked
            .diagnostics
            .iter()
            .filter(|finding| finding.severity != Severity::Hint);
        findings.count()
    };
    assert!(
        grave(&left) < grave(&checked) || found.severity == Severity::Hint,
        "{repaired}\n{:#?}",
        left.diagnostics
    );
    let old: Vec<String> = faults(&file).into_iter().map(|(code, _)| code).collect();
    for (code, line) in faults(&repaired) {
        assert!(old.contains(&code), "the repair brings {code} in {line:?}");
    }
    found.clone()
}

/// What stands in the file where the repair was made.
#[track_caller]
fn line_mended(from: &str, to: &str, code: &str, line: u32, column: u32) -> String {
    let finding = planted(from, to, code, line, column);
    let repair = finding.repair.expect("a repair");
    let file = mended(&CLEAN.replace(from, to), &repair);
    let text = file.lines().nth(repair.span.line as usize - 1).unwrap_or_default();
    text.trim_end().to_owned()
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
    for to in ["BRG1 0 Nordwacht", "BURG 1 0 Nordwacht", "brgg 1 0 Nordwacht"] {
        assert_eq!(line_mended("BRG 1 0 Nordwacht", to, "B01", 3, 1), "BRG 1 0 Nordwacht");
    }
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
    let file = CLEAN.replace("$Armee\n", "");
    let checked = check(&file);
    let lines: Vec<u32> = checked.diagnostics.iter().map(|finding| finding.span.line).collect();
    assert!((6..=11).all(|line| lines.contains(&line)), "{:#?}", checked.diagnostics);
    let hints: Vec<u32> = checked
        .diagnostics
        .iter()
        .filter(|finding| finding.code == "H04")
        .map(|finding| finding.span.line)
        .collect();
    assert_eq!(hints, [6], "one hint where the header is missing");
    let repairs: Vec<_> = checked
        .diagnostics
        .into_iter()
        .filter_map(|finding| finding.repair)
        .collect();
    assert_eq!(repairs.len(), 1, "{repairs:#?}");
    let file = mended(&file, &repairs[0]);
    assert_eq!(check(&file).diagnostics, [], "{file}");
}

#[test]
fn a_header_without_its_dollar_or_with_another_letter_is_mended() {
    for (header, mended_header) in [("Armee", "$Armee"), ("A", "$A"), ("  $Armee", "$Armee"), ("$X", "$A")] {
        let file = CLEAN.replace("$Armee", header);
        let mut repairs = check(&file)
            .diagnostics
            .into_iter()
            .filter_map(|finding| finding.repair);
        let repair = repairs.next().expect("a repair");
        assert_eq!(repairs.next(), None, "{header}");
        let file = mended(&file, &repair);
        assert!(file.contains(&format!("\n{mended_header}\n")), "{file}");
        assert_eq!(check(&file).diagnostics, [], "{file}");
    }
}

#[test]
fn a_forgotten_section_of_gold_land_or_letters_is_mended_by_one_header() {
    for (header, line, with) in [("$Geld\n", 13, "$G"), ("$N\n", 15, "$N"), ("$Ruesten\n", 4, "$R")] {
        let file = CLEAN.replace(header, "");
        let checked = check(&file);
        let repairs: Vec<_> = checked
            .diagnostics
            .iter()
            .filter_map(|finding| finding.repair.as_deref())
            // Without the header its army is not armed, which is said where it is ordered about.
            .filter(|repair| repair.text.starts_with('$'))
            .collect();
        assert_eq!(repairs.len(), 1, "{header}: {:#?}", checked.diagnostics);
        assert_eq!((repairs[0].span.line, &*repairs[0].text), (line, &*format!("{with}\n")));
        let file = mended(&file, repairs[0]);
        assert_eq!(check(&file).diagnostics, [], "{file}");
    }
    // Among lines that begin with a realm it would be a guess what was forgotten.
    let file = CLEAN.replace("2 1000\n", "2 1000\n2 1000 5\n");
    let headers = check(&file)
        .diagnostics
        .into_iter()
        .filter_map(|finding| finding.repair);
    assert_eq!(headers.filter(|repair| repair.text.starts_with('$')).count(), 0);
}

#[test]
fn a_missing_army_number_is_found_where_it_should_stand() {
    let order = "R.L 1 2200000000000 E+";
    assert_eq!(line_mended(order, "R.L 2200000000000 E+", "S01", 10, 4), order);
}

#[test]
fn an_army_whose_line_cannot_be_read_is_not_called_forgotten() {
    for to in ["R.L 1 2270000000000 E+", "R.L 1 22 X+", "R.L 1", "R.L 1 22 E+ 5 x"] {
        let file = CLEAN.replace("R.L 1 2200000000000 E+", to);
        let lines: Vec<u32> = check(&file)
            .diagnostics
            .iter()
            .map(|finding| finding.span.line)
            .collect();
        assert_eq!(lines, [10], "{to}");
    }
    // Which army this was to be nobody knows.
    let file = CLEAN.replace("R.L 1 2200000000000 E+", "R.Q 1 2200000000000 E+");
    assert!(check(&file).diagnostics.iter().any(|finding| finding.code == "H02"));
}

#[test]
fn what_cannot_be_destroyed_where_the_army_will_stand_is_a_warning() {
    let line = "R.L 1 2200000000000 E+";
    let finding = planted(line, "R.L 1 2000000000000 Z+ BRG", "A25", 10, 24);
    assert_eq!(finding.severity, Severity::Warning);
    assert_eq!(
        line_mended(line, "R.L 1 2000000000000 Z+ BRG", "A25", 10, 24),
        "R.L 1 2000000000000 A+"
    );
    // A field out of sight may hold whatever is named.
    let file = CLEAN.replace(line, "R.L 1 2222222222000 Z+ BRG");
    assert_eq!(check(&file).diagnostics, [], "{file}");
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
    let finding = planted("R.L 1 2200000000000 E+\n", "", "H02", 7, 1);
    assert_eq!(finding.severity, Severity::Hint);
    let file = mended(
        &CLEAN.replace("R.L 1 2200000000000 E+\n", ""),
        &finding.repair.expect("a repair"),
    );
    assert!(file.contains("$Armee\nR.L 1 0000000000000 V+\nK.M 1 "), "{file}");
    assert_eq!(check(&file).diagnostics, [], "{file}");
}

#[test]
fn an_army_whose_only_order_is_refused_was_not_forgotten() {
    for (from, to, code) in [
        ("R.L 1 2200000000000 E+", "R.L 1 2270000000000 E+", "S09"),
        ("R.L 1 2200000000000 E+", "R.L 1 2200000000000 X+", "A03"),
        ("R.L 1 2200000000000 E+", "R.L 1", "S01"),
        ("P.H 1 0000000000000 V+ 1 0", "P.H 1 0000000000000 V+ 1 0 7", "S02"),
    ] {
        let file = CLEAN.replace(from, to);
        let codes: Vec<String> = check(&file)
            .diagnostics
            .iter()
            .map(|finding| finding.code.to_string())
            .collect();
        assert_eq!(codes, [code], "{file}");
    }
}

#[test]
fn a_file_without_army_lines_is_mended_by_a_section_of_them() {
    let file = "$Geld\n2 1000\n";
    let hint = check(file)
        .diagnostics
        .into_iter()
        .find(|finding| finding.code == "H02")
        .expect("a hint");
    let file = mended(file, &hint.repair.expect("a repair"));
    assert!(file.starts_with("$A\nK.M 1 0000000000000 V+\n$Geld"), "{file}");
}

#[test]
fn what_is_misspelt_is_mended_to_what_was_meant() {
    for (to, code, meant) in [
        ("Burg 1 0 Nordwacht", "B01", "BRG 1 0 Nordwacht"),
        ("BRGG 1 0 Nordwacht", "B01", "BRG 1 0 Nordwacht"),
    ] {
        assert_eq!(line_mended("BRG 1 0 Nordwacht", to, code, 3, 1), meant);
    }
    assert_eq!(line_mended("$Armee", "$Xrmee", "F05", 6, 1), "$A");
    let order = "R.L 1 2200000000000 E+";
    assert_eq!(
        line_mended(order, "R.L 1 2200000000000 X+", "A03", 10, 21),
        "R.L 1 2200000000000 V+"
    );
    assert_eq!(line_mended(order, "R.L 1 2200000000000 Erobern+", "A03", 10, 21), order);
    assert_eq!(
        line_mended(order, "R.L 1 2200000000000 E*", "A05", 10, 22),
        "R.L 1 2200000000000 E"
    );
}

#[test]
fn an_unknown_type_or_class_is_mended_to_one_that_exists() {
    let order = "K.M 2 2000 2 0";
    assert_eq!(line_mended(order, "K,M 2 2000 2 0", "S07", 5, 1), order);
    assert_eq!(line_mended(order, "K.M2 2000 2 0", "S07", 5, 1), order);
    assert_eq!(line_mended(order, "X.M 2 2000 2 0", "S07", 5, 1), order);
    assert_eq!(line_mended(order, "K.X 2 2000 2 0", "S07", 5, 1), "K.L 2 2000 2 0");
    assert_eq!(line_mended(order, "K.M 1000 2000 2 0", "S08", 5, 5), "K.M 999 2000 2 0");
}

#[test]
fn an_army_that_is_not_there_is_mended_to_one_that_waits_for_orders() {
    let order = "R.L 1 2200000000000 E+";
    assert_eq!(line_mended(order, "R.L 7 2200000000000 E+", "A01", 10, 1), order);
    assert_eq!(line_mended(order, "R.S 1 2200000000000 E+", "A01", 10, 1), order);
    // All armies have orders, so that the second line for nobody can only be left out.
    let twice = format!("{order}\nK.S 9 0 V+");
    assert_eq!(line_mended(order, &twice, "A01", 11, 1), ";K.S 9 0 V+");
    let special = "Z.S 1 0000000000000 V+ K.M 1";
    assert_eq!(
        line_mended(special, "Z.S 1 0000000000000 V+ K.M 8", "A01", 11, 24),
        "Z.S 1 0000000000000 V+"
    );
}

#[test]
fn a_split_is_mended_to_the_nearest_that_both_parts_survive() {
    let order = "V+ K.M 3 1000";
    assert_eq!(
        line_mended(order, "V+ K.M 3 99", "A10", 7, 24),
        "K.M 1 2000000000000 V+ K.M 3 100"
    );
    assert_eq!(
        line_mended(order, "V+ K.M 3 3901", "A10", 7, 24),
        "K.M 1 2000000000000 V+ K.M 3 3900"
    );
    assert_eq!(
        line_mended(order, "V+ K.M 1 1000", "A09", 7, 24),
        "K.M 1 2000000000000 V+ K.M 4 1000"
    );
}

#[test]
fn what_cannot_be_paid_is_mended_to_what_can() {
    // 150,000 GS: 60,000 for the castle, 21,000 for the warriors, 69,000 are left. It is autumn, and gold is sent when its
    // income is there: 55,000 from buildings, 15,000 from five fields (what the riders take has never been seen), 3,000 more
    // for the blessed one, less 11,200 for six armies, the wizard with the 120 points that are left to him.
    assert_eq!(line_mended("2 1000", "2 130801", "G03", 14, 3), "2 130800");
    assert_eq!(
        line_mended("K.M 2 2000 2 0", "K.M 2 5001 2 0", "R05", 5, 7),
        "K.M 2 5000 2 0"
    );
    assert_eq!(
        line_mended("K.M 2 2000 2 0", "K.M 2 999 2 0", "R04", 5, 7),
        "K.M 2 1000 2 0"
    );
    // Behind the castle 90,000 are left, and the capital arms for 100,000: 1,000 for the army and 8,900 heads.
    let file = CLEAN.replace("K.M 2 2000 2 0", "K.M 2 9500 0 0");
    let checked = check(&file);
    let found = checked
        .diagnostics
        .iter()
        .find(|finding| finding.code == "R06")
        .expect("R06");
    let file = mended(&file, found.repair.as_deref().expect("a repair"));
    assert!(file.contains("\nK.M 2 8900 0 0\n"), "{file}");
}

#[test]
fn missing_words_are_filled_in_so_that_the_line_can_be_read() {
    let order = "R.L 1 2200000000000 E+";
    assert_eq!(
        line_mended(order, "R.L 1 2200000000000", "S01", 10, 20),
        "R.L 1 2200000000000 V+"
    );
    assert_eq!(line_mended(order, "R.L 1", "S01", 10, 6), "R.L 1 0000000000000 V+");
    assert_eq!(line_mended(order, "R.L 1 E+", "S01", 10, 6), "R.L 1 0 E+");
    assert_eq!(
        line_mended("BRG 1 0 Nordwacht", "BRG 1 Nordwacht", "S03", 3, 7),
        "BRG 1 0 Nordwacht"
    );
    assert_eq!(line_mended("BRG 1 0 Nordwacht", "BRG 1 0", "B12", 3, 5), "BRG 1 0 BRG");
    assert_eq!(line_mended("2 1000", "2", "S01", 14, 2), "2 1000");
}

#[test]
fn ground_that_is_foreign_taken_or_water_is_mended_to_a_free_field_of_the_realm() {
    for (to, code) in [
        ("BRG 1 -1 Nordwacht", "B02"),
        ("BRG 0 0 Nordwacht", "B04"),
        ("BRG -1 0 Nordwacht", "B03"),
    ] {
        assert_eq!(line_mended("BRG 1 0 Nordwacht", to, code, 3, 5), "BRG 1 0 Nordwacht");
    }
}

#[test]
fn a_place_that_cannot_arm_is_mended_to_one_that_can() {
    assert_eq!(
        line_mended("K.M 2 2000 2 0", "F.M 2 1000 2 0", "R03", 5, 12),
        "F.M 2 1000 0 0"
    );
    assert_eq!(
        line_mended("K.M 2 2000 2 0", "K.M 2 2000 1 0", "R01", 5, 12),
        "K.M 2 2000 0 0"
    );
    // Nowhere in the realm priests can be armed.
    assert_eq!(
        line_mended("K.M 2 2000 2 0", "P.H 2 100 2 0", "R03", 5, 11),
        ";P.H 2 100 2 0"
    );
    // Water lies west of the capital.
    assert_eq!(
        line_mended("K.M 2 2000 2 0", "S.L 2 10 0 0", "R08", 5, 1),
        "S.L 2 10 0 0 5"
    );
    assert_eq!(
        line_mended("K.M 2 2000 2 0", "S.L 2 10 0 0 1", "R09", 5, 14),
        "S.L 2 10 0 0 5"
    );
}

#[test]
fn a_blessing_out_of_range_is_mended_to_the_nearest_field_in_range() {
    assert_eq!(
        line_mended("V+ 1 0", "V+ 6 0", "A24", 12, 24),
        "P.H 1 0000000000000 V+ 2 0"
    );
    assert_eq!(
        line_mended("V+ 1 0", "V+ 1 -1", "A31", 12, 24),
        "P.H 1 0000000000000 V+ 0 0"
    );
}

#[test]
fn commands_and_specials_that_an_army_cannot_obey_are_mended() {
    let wizard = "Z.S 1 0000000000000 V+ K.M 1";
    assert_eq!(
        line_mended(wizard, "Z.S 1 0000000000000 E+ K.M 1", "A04", 11, 21),
        "Z.S 1 0000000000000 A+ K.M 1"
    );
    assert_eq!(
        line_mended(wizard, "Z.S 1 0000000000000 Z+ HST", "A04", 11, 21),
        "Z.S 1 0000000000000 A+"
    );
    let rider = "R.L 1 2200000000000 E+";
    assert_eq!(
        line_mended(rider, "R.L 1 2200000000000 Z+", "A26", 10, 21),
        "R.L 1 2200000000000 A+"
    );
    assert_eq!(
        line_mended(rider, "R.L 1 2200000000000 V+ 3 3", "A06", 10, 24),
        "R.L 1 2200000000000 V+"
    );
    assert_eq!(
        line_mended(rider, "R.L 1 2200000000000 V-", "A35w", 10, 21),
        "R.L 1 2200000000000 V"
    );
}
