use super::*;
use crate::codes::{Command, Flag, Kind, Treaty};
use crate::geo::Place;
use crate::order::Recipient;
use crate::order::{March, Special};
use crate::state::ArmyName;
use kernel::diagnostic::Severity;
use kernel::hex::Direction;

pub(super) fn seat() -> Seat {
    let realms = vec![RealmId(1), RealmId(2), RealmId(3)];
    Seat {
        realm: RealmId(1),
        computer: Computer::Unsaid,
        columns: 200,
        y_min: -57,
        y_max: 58,
        realms,
    }
}

fn read(file: &str) -> Parsed<Order> {
    parse(&Tables::book(), &seat(), file.as_bytes())
}

/// Code, line and column of every finding.
fn found(file: &str) -> Vec<(String, u32, u32)> {
    read(file)
        .diagnostics
        .iter()
        .map(|d| (d.code.to_string(), d.span.line, d.span.column))
        .collect()
}

/// The one order of a file without findings.
fn only(file: &str) -> Order {
    let parsed = read(file);
    assert_eq!(parsed.diagnostics, [], "{file}");
    assert_eq!(parsed.orders.len(), 1, "{file}");
    parsed.orders.into_iter().next().map(|order| order.value).unwrap()
}

fn march(line: &str) -> March {
    match only(&format!("$A\n{line}")) {
        Order::March(march) => march,
        other => panic!("{line}: {other:?}"),
    }
}

fn special(line: &str) -> Special {
    march(line)
        .special
        .unwrap_or_else(|| panic!("{line} has no special"))
        .value
}

/// The one finding of a line in a section.
#[track_caller]
fn fault(section: &str, line: &str) -> Diagnostic {
    let parsed = read(&format!("${section}\n{line}"));
    assert_eq!(parsed.diagnostics.len(), 1, "{line}: {:?}", parsed.diagnostics);
    parsed.diagnostics.into_iter().next().unwrap()
}

/// Code and column of the one finding of a line, and the mended line.
#[track_caller]
fn mended(section: &str, line: &str) -> (String, u32, Option<String>) {
    let finding = fault(section, line);
    assert_eq!(finding.span.line, 2);
    let text = finding.repair.map(|repair| {
        let before = line.chars().take(repair.span.column as usize - 1);
        let behind = line
            .chars()
            .skip((repair.span.column + repair.span.length) as usize - 1);
        before.chain(repair.text.chars()).chain(behind).collect()
    });
    (finding.code.to_string(), finding.span.column, text)
}

fn words(finding: &Diagnostic, name: &str) -> Vec<String> {
    use kernel::diagnostic::Value;
    match finding
        .args
        .iter()
        .find(|(known, _)| known == name)
        .map(|(_, value)| value)
    {
        Some(Value::Int(number)) => vec![number.to_string()],
        Some(Value::Text(text)) => vec![text.clone()],
        Some(Value::Word { word }) => vec![word.to_string()],
        Some(Value::Words { words }) => words.iter().map(ToString::to_string).collect(),
        Some(Value::Phrase { phrase, .. }) => vec![phrase.to_string()],
        None => Vec::new(),
    }
}

pub(super) const SAMPLE: &str = "\
$R
K.M 2 660 1 1 ; Krieger in Stadt 1/1 rüsten
$B
STD 4 5 Die_Goldene ; Stadt mit dem Namen die Goldene errichten
W 2 -1 34 ; Grenze befestigen mit Wällen
W 3 -1 34 ; dito.
W 4 -1 34 ; dito.
$A
F.M 1 5500000000000 V+ ; Fernkampfwaffe bewegen
K.M 1 0000000000000 A+ ; Hauptstadt verteidigen
K.M 2 0000000000000 A+ ; Stadt 1/1 verteidigen
K.M 3 0000000000000 A+ ; Stadt -1/-1 verteidigen
R.M 1 2000000000000 E+ R.M 2 1000 ; Armee teilen und
R.M 2 5000000000000 E+ ; Reichsgebiet vergrößern
R.M 3 5400000000000 E+ ; dito.
R.M 4 1414141414141 E+ ; dito.
$V
2 K ; Vertrag mit Reich 2 lösen
$Nachrichten
#2
Hiermit erklären Wir, die Allermächtigste Glorifizienz, Ihnen, Gul Dahil, offiziell den Krieg.
Mögen Wir Euch zertrampeln wie ein lästiges Insekt.
#A
Aufgrund von zahllosen Provokationen erklärten die Termiten Cardassia den Krieg.
#E
$Kultur
Die Termiten sind ein sehr zahlreiches und stolzes Volk,....
";

#[test]
fn the_sample_turn_of_the_book_is_read_without_a_finding() {
    let parsed = read(SAMPLE);
    assert_eq!(parsed.diagnostics, []);
    let lines: Vec<u32> = parsed.orders.iter().map(|order| order.span.line).collect();
    assert_eq!(lines, [2, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 23, 26]);
    let at = |line| {
        &parsed
            .orders
            .iter()
            .find(|order| order.span.line == line)
            .unwrap()
            .value
    };
    let Order::Arm {
        fit: false,
        army,
        count,
        place,
        direction: None,
    } = at(2)
    else {
        panic!()
    };
    assert_eq!((army.value, count.value), (ArmyName::new(Kind::MediumWarrior, 2), 660));
    assert_eq!(place.value, Place::new(1, 1));
    let Order::Build {
        building: Building::City,
        name: Some(name),
        ..
    } = at(4)
    else {
        panic!()
    };
    assert_eq!(name.value, "Die Goldene");
    let Order::Lay {
        network: Network::Wall,
        place,
        directions,
    } = at(7)
    else {
        panic!()
    };
    assert_eq!(place.value, Place::new(4, -1));
    let sides: Vec<(Direction, u32)> = directions.iter().map(|side| (side.value, side.span.column)).collect();
    assert_eq!(sides, [(Direction::SouthEast, 8), (Direction::SouthWest, 9)]);
    let Order::March(march) = at(13) else { panic!() };
    assert_eq!(
        march.special.as_ref().unwrap().value,
        Special::Split { number: 2, count: 1000 }
    );
    assert_eq!((march.command.value, march.flag), (Command::Conquer, Flag::Shown));
    let Order::Propose {
        realm,
        treaty: Treaty::NoTreaty,
    } = at(18)
    else {
        panic!()
    };
    assert_eq!(realm.value, RealmId(2));
    let Order::Send { to, text } = at(20) else { panic!() };
    assert_eq!((to.value, text.len()), (Recipient::Realm(RealmId(2)), 2));
    let Order::Describe { text } = at(26) else { panic!() };
    assert_eq!(text, &["Die Termiten sind ein sehr zahlreiches und stolzes Volk,...."]);
}

#[test]
fn the_examples_of_every_verb_are_read() {
    for verb in grammar::VERBS.iter().filter(|verb| verb.section != Section::Messages) {
        for example in verb.examples {
            only(&format!("${}\n{example}", verb.section.letter()));
        }
    }
    for verb in grammar::SPECIALS {
        assert_eq!(special(verb.example).word(), verb.word, "{}", verb.example);
    }
}

#[test]
fn only_the_letter_behind_the_dollar_counts() {
    for header in ["$A", "$a", "$A (rme)", "$Armee ; Befehle", "$A(armee)\t", "$Aal"] {
        assert!(
            matches!(only(&format!("{header}\nK.M 1 1 V")), Order::March(_)),
            "{header}"
        );
    }
    for header in ["$R(üsten)", "$Ruesten", "$rüsten"] {
        assert!(
            matches!(only(&format!("{header}\nK.M 1 1000 0 0")), Order::Arm { .. }),
            "{header}"
        );
    }
}

#[test]
fn a_header_that_is_none_leaves_its_lines_without_a_section() {
    assert_eq!(
        found("$A\n$X\nK.M 1 1 V\n$A\nK.M 2 1 V"),
        [("F05".into(), 2, 1), ("F04".into(), 3, 1)]
    );
    assert_eq!(read("$A\n$X\nK.M 1 1 V\n$A\nK.M 2 1 V").orders.len(), 1);
    assert_eq!(found(" $A\nK.M 1 1 V"), [("F06".into(), 1, 1), ("F04".into(), 2, 1)]);
    assert_eq!(found("; Kommentar\n\n  K.M 1 1 V"), [("F04".into(), 3, 3)]);
}

#[test]
fn misspelt_headers_are_mended() {
    for (header, meant) in [
        ("$Mauen", "$B"),
        ("$ A", "$A"),
        ("$Xrmee", "$A"),
        ("$Tachrichten", "$N"),
    ] {
        let parsed = read(header);
        let repair = parsed.diagnostics[0]
            .repair
            .as_ref()
            .unwrap_or_else(|| panic!("{header}"));
        assert_eq!(repair.text, meant, "{header}");
    }
    assert_eq!(read("$Q").diagnostics[0].repair, None);
}

#[test]
fn upper_and_lower_case_are_equal() {
    let lower = march("k.m 1 122 e+ k.m 2 1000");
    assert_eq!(
        (lower.army.value.kind, lower.command.value),
        (Kind::MediumWarrior, Command::Conquer)
    );
    assert!(matches!(
        only("$b\nstd 2 4 Sewastopol"),
        Order::Build {
            building: Building::City,
            ..
        }
    ));
    assert!(matches!(
        only("$v\n1 p"),
        Order::Propose {
            treaty: Treaty::Partnership,
            ..
        }
    ));
    assert_eq!(only("$s\nc aMIGA"), Order::SetComputer(Computer::Amiga));
}

#[test]
fn comments_and_blank_lines_are_no_orders() {
    let (parsed, fates) = parse_lines(&Tables::book(), &seat(), b"; a\n\n$A ; b\n ; c\n\t\nK.M 1 1 V;d\n");
    assert_eq!(
        fates,
        [
            Fate::Comment,
            Fate::Blank,
            Fate::Header,
            Fate::Comment,
            Fate::Blank,
            Fate::Order
        ]
    );
    assert_eq!((parsed.orders.len(), parsed.diagnostics.len()), (1, 0));
}

#[test]
fn a_short_route_is_padded_and_zeros_beyond_the_thirteenth_do_no_harm() {
    let route = march("K.M 1 12 V").route.value;
    assert_eq!(route[..3], [Some(Direction::NorthEast), Some(Direction::East), None]);
    assert_eq!(route[2..], [None; 11]);
    assert_eq!(
        march("K.M 1 6666666666666 V").route.value,
        [Some(Direction::NorthWest); 13]
    );
    assert_eq!(found("$A\nK.M 1 66666666666661 V"), [("S10".into(), 2, 7)]);
    // EX-26: the group example of the book has fourteen zeros.
    let parsed = read("$A\nK.M 1 00000000000000 V+ V.L 1");
    assert_eq!(
        (parsed.diagnostics[0].code.as_ref(), parsed.diagnostics[0].severity),
        ("S10w", Severity::Warning)
    );
    assert_eq!(parsed.orders.len(), 1);
    assert_eq!(found("$A\nK.M 1 1270 V"), [("S09".into(), 2, 9)]);
    assert_eq!(words(&fault("A", "K.M 1 1270 V"), "i"), ["3"]);
}

#[test]
fn the_flag_stands_directly_behind_the_command() {
    for (line, flag) in [
        ("K.M 1 0 V+", Flag::Shown),
        ("K.M 1 0 V-", Flag::Unseen),
        ("K.M 1 0 V", Flag::Unassigned),
    ] {
        assert_eq!(march(line).flag, flag);
    }
    assert_eq!(
        mended("A", "K.M 1 0 V +"),
        ("A05".into(), 11, Some("K.M 1 0 V+".into()))
    );
    assert_eq!(mended("A", "K.M 1 0 V*"), ("A05".into(), 10, Some("K.M 1 0 V".into())));
    assert_eq!(
        mended("A", "K.M 1 0 V*-"),
        ("A05".into(), 10, Some("K.M 1 0 V-".into()))
    );
    assert_eq!(mended("A", "K.M 1 0 X"), ("A03".into(), 9, Some("K.M 1 0 V".into())));
    assert_eq!(
        mended("A", "K.M 1 0 Angreifen+"),
        ("A03".into(), 9, Some("K.M 1 0 A+".into()))
    );
    assert_eq!(mended("A", "K.M 1 V+"), ("S01".into(), 6, Some("K.M 1 0 V+".into())));
}

#[test]
fn missing_and_superfluous_words_are_named() {
    for (section, line, code, column, field) in [
        ("B", "STD", "S01", 4, "field-x"),
        ("B", "STD 2", "S01", 6, "field-y"),
        ("B", "S 0 0", "S01", 6, "field-sides"),
        ("R", "K.M", "S01", 4, "field-number"),
        ("R", "K.M 1", "S01", 6, "field-count"),
        ("R", "+", "S01", 2, "field-kind"),
        ("A", "K.M 1", "S01", 6, "field-route"),
        ("A", "K.M 1 0", "S01", 8, "field-command"),
        ("A", "K.M 1 0 Z S", "S01", 12, "field-direction"),
        ("A", "Z.B 1 0 V D.N 1", "S01", 16, "field-count"),
        ("G", "1", "S01", 2, "field-amount"),
        ("L", "1 2", "S01", 4, "field-y"),
        ("V", "1", "S01", 2, "field-treaty"),
        ("S", "Computer", "S01", 9, "field-computer"),
    ] {
        let finding = fault(section, line);
        assert_eq!((finding.code.as_ref(), finding.span.column), (code, column), "{line}");
        assert_eq!(words(&finding, "feld"), [field], "{line}");
    }
    for (section, line, column, rest) in [
        ("R", "K.M 1 1000 0 0 1 5", 18, "5"),
        ("A", "K.M 1 0 A+ K.M 2 1000 7 8", 23, "7 8"),
        ("G", "1 100 200", 7, "200"),
        ("V", "1 K bitte sofort", 5, "bitte sofort"),
        ("S", "info bitte", 6, "bitte"),
    ] {
        let finding = fault(section, line);
        assert_eq!((finding.code.as_ref(), finding.span.column), ("S02", column), "{line}");
        assert_eq!(words(&finding, "rest"), [rest], "{line}");
    }
    assert_eq!(
        mended("B", "STD 4 5 Die Goldene"),
        ("S02".into(), 13, Some("STD 4 5 Die_Goldene".into()))
    );
}

#[test]
fn numbers_have_bounds() {
    for (section, line, code, column) in [
        ("R", "K.M x 1000 0 0", "S03", 5),
        ("R", "K.M 0 1000 0 0", "S08", 5),
        ("R", "K.M 1000 1000 0 0", "S08", 5),
        ("R", "K.M -1 1000 0 0", "S08", 5),
        ("R", "K.M 1 0 0 0", "S04", 7),
        ("R", "K.M 1 -5 0 0", "S04", 7),
        ("R", "K.M 1 1000000000 0 0", "S04", 7),
        ("R", "K.M 1 1000 0 0 7", "S04", 16),
        ("R", "K.M 1 1000 0 a", "S03", 14),
        ("G", "1 0", "G02", 3),
        ("G", "1 -5", "G02", 3),
        ("G", "1 1000000000", "S04", 3),
        ("G", "1 viel", "S03", 3),
        ("G", "70000 5", "S04", 1),
        ("V", "1 X", "V02", 3),
    ] {
        let finding = fault(section, line);
        assert_eq!((finding.code.as_ref(), finding.span.column), (code, column), "{line}");
    }
    only("$R\nK.M 999 999999999 0 0");
    assert_eq!(mended("G", "1 20.000"), ("S03".into(), 3, Some("1 20000".into())));
    assert_eq!(mended("L", "2 3/-1"), ("S03".into(), 3, Some("2 3 -1".into())));
    for (section, line, meant) in [
        ("G", "1 -5", "1 5"),
        ("G", "1 0", ";1 0"),
        ("G", "1 5000GS", "1 5000"),
        ("G", "1 viel", ";1 viel"),
        ("V", "1 X", ";1 X"),
        ("R", "K.M 1 0 0 0", "K.M 1 1 0 0"),
        ("R", "S.L 1 10 0 0 0", "S.L 1 10 0 0 1"),
        ("A", "K.M K.M 1 0 V", "K.M 1 0 V"),
    ] {
        assert_eq!(mended(section, line).2.as_deref(), Some(meant), "{line}");
    }
}

#[test]
fn digits_that_are_none_are_mended_together() {
    for (line, meant) in [
        ("K.M 1 00x V", "K.M 1 000 V"),
        ("K.M 1 OOO V", "K.M 1 000 V"),
        ("K.M 1 0D000000000000 V", "K.M 1 0000000000000 V"),
        ("K.M 1 22A+", "K.M 1 22 A+"),
    ] {
        assert_eq!(mended("A", line).2.as_deref(), Some(meant), "{line}");
    }
    assert_eq!(mended("B", "W 0 0 102").2.as_deref(), Some("W 0 0 12"));
    assert_eq!(mended("B", "W 0 0 1020").2.as_deref(), Some("W 0 0 12"));
}

/// The headers that are proposed, with their lines.
fn headers(file: &str) -> Vec<(u32, String)> {
    let repairs = read(file).diagnostics.into_iter().filter_map(|finding| finding.repair);
    repairs.map(|repair| (repair.span.line, repair.text)).collect()
}

#[test]
fn a_header_is_proposed_once_and_where_it_belongs() {
    let lines = "K.M 1 0 V\nK.M 2 0 V";
    assert_eq!(headers(&format!("$R\n{lines}")), [(2, "$A\n".to_owned())]);
    // What stands for the header is replaced, not doubled.
    assert_eq!(headers(&format!("$X\n{lines}")), [(1, "$A".to_owned())]);
    assert_eq!(headers(&format!(" $A\n{lines}")), [(1, String::new())]);
    assert_eq!(headers(&format!("$R\nA\n{lines}")), [(2, "$".to_owned())]);
    assert_eq!(headers(&format!("$R\n armee\n{lines}")), [(2, "$".to_owned())]);
    assert_eq!(headers(&format!("A\n{lines}")), [(1, "$".to_owned())]);
}

#[test]
fn a_place_is_a_field_of_the_world() {
    only("$L\n2 0 58");
    only("$L\n2 1 -57");
    only("$L\n2 +1 +1");
    for (line, code) in [
        ("2 0 1", "S05"),
        ("2 0 -57", "S05"),
        ("2 0 60", "S06"),
        ("2 1 59", "S06"),
        ("2 0 -58", "S06"),
    ] {
        let finding = fault("L", line);
        assert_eq!((finding.code.as_ref(), finding.span.column), (code, 3), "{line}");
    }
    let outside = fault("L", "2 1 59");
    assert_eq!(
        (words(&outside, "ymin"), words(&outside, "ymax")),
        (vec!["-57".into()], vec!["58".into()])
    );
    // EX-22: the count behind the coordinates.
    let swapped = fault("R", "K.M 2 1 1 660");
    assert_eq!(
        (swapped.code.as_ref(), words(&swapped, "y")),
        ("R01", vec!["660".into()])
    );
}

#[test]
fn unknown_armies_and_buildings_are_mended_if_one_is_near() {
    assert_eq!(mended("A", "KM 1 0 V"), ("S07".into(), 1, Some("K.M 1 0 V".into())));
    assert_eq!(mended("A", "K,M 1 0 V"), ("S07".into(), 1, Some("K.M 1 0 V".into())));
    assert_eq!(mended("A", "K.M1 0 V"), ("S07".into(), 1, Some("K.M 1 0 V".into())));
    assert_eq!(mended("A", "K.X 1 0 V"), ("S07".into(), 1, Some("K.L 1 0 V".into())));
    assert_eq!(mended("A", "X.M 1 0 V"), ("S07".into(), 1, Some("K.M 1 0 V".into())));
    assert_eq!(mended("A", ".M 1 0 V"), ("S07".into(), 1, Some("K.M 1 0 V".into())));
    assert_eq!(mended("A", "R. 1 0 V"), ("S07".into(), 1, Some("R.L 1 0 V".into())));
    assert_eq!(mended("A", "7 0 V"), ("S07".into(), 1, Some("K.L 7 0 V".into())));
    assert_eq!(
        mended("A", "Krieger 1 0 V"),
        ("S07".into(), 1, Some(";Krieger 1 0 V".into()))
    );
    assert_eq!(
        mended("B", "SDT 2 4 Kiew"),
        ("B01".into(), 1, Some("STD 2 4 Kiew".into()))
    );
    assert_eq!(
        mended("B", "Burg 2 4 Kiew"),
        ("B01".into(), 1, Some("BRG 2 4 Kiew".into()))
    );
    assert_eq!(mended("B", "Straße 0 0 1"), ("B01".into(), 1, Some("S 0 0 1".into())));
    // `STD` and the full name are equally near, and mean the same.
    assert_eq!(
        mended("B", "STDT 2 4 Kiew"),
        ("B01".into(), 1, Some("STD 2 4 Kiew".into()))
    );
    assert_eq!(mended("B", "S-2 0 1"), ("B01".into(), 1, Some("S -2 0 1".into())));
    assert_eq!(
        mended("B", "XYZ 2 4 Kiew"),
        ("B01".into(), 1, Some(";XYZ 2 4 Kiew".into()))
    );
}

#[test]
fn names_of_buildings_have_up_to_twenty_characters() {
    only("$B\nSTD 2 4 12345678901234567890");
    assert_eq!(fault("B", "STD 2 4 123456789012345678901").code, "B12");
    assert_eq!(fault("B", "STD 2 4 ___").code, "B12");
    assert!(matches!(only("$B\nTPL 2 4"), Order::Build { name: None, .. }));
}

#[test]
fn a_build_order_has_up_to_sixty_digits() {
    only(&format!("$B\nS 0 0 {}", "1".repeat(60)));
    assert_eq!(fault("B", &format!("S 0 0 {}", "1".repeat(61))).code, "S10");
    assert_eq!(fault("B", "S 0 0 120").span.column, 9);
    assert_eq!(fault("B", "S 0 0 120").code, "S09");
}

#[test]
fn terrain_fitness_is_asked_for_with_or_without_a_blank() {
    for line in ["+K.M 1 2500 0 0", "+ K.M 1 2500 0 0", " +  K.M 1 2500 0 0"] {
        let Order::Arm { fit: true, army, .. } = only(&format!("$R\n{line}")) else {
            panic!("{line}")
        };
        assert_eq!(army.span.column as usize, line.find('K').unwrap() + 1);
    }
    assert_eq!(fault("R", "+ X.Y 1 2500 0 0").span.column, 3);
}

#[test]
fn the_first_word_tells_the_special() {
    let army = ArmyName::new;
    for (line, expected) in [
        ("K.M 1 0 A+ K.M 2", Special::Merge { number: 2 }),
        ("S.S 1 0 A+ S.S 2 5", Special::Split { number: 2, count: 5 }),
        ("H.K 1 0 V H.S 2", Special::Embark(army(Kind::TradeFleet, 2))),
        ("Z.S 1 5 V S.L 2", Special::Embark(army(Kind::LightShip, 2))),
        ("Z.S 1 0 V S.L 2", Special::Accelerate(army(Kind::LightShip, 2))),
        ("S.L 1 0 V V.S 2", Special::Join(army(Kind::SeaGroup, 2))),
        ("Z.S 1 0 V V.L 2", Special::Accelerate(army(Kind::LandGroup, 2))),
        ("Z.S 1 0 V H.S 2", Special::Accelerate(army(Kind::TradeFleet, 2))),
        (
            "Z.B 1 0 V D.E 3 4",
            Special::Summon {
                demon: army(Kind::Archdemon, 3),
                count: 4,
            },
        ),
        ("H.S 1 0 V -3 5", Special::Trade(Place::new(-3, 5))),
        ("F.L 1 0 A -3 5", Special::Fire(Place::new(-3, 5))),
        ("K.M 1 0 Z BRG", Special::Raze(Building::Castle)),
        ("V.L 1 0 Z W 6", Special::Cut(Network::Wall, Direction::NorthWest)),
        ("H.K 1 0 V 24", Special::Gate(24)),
    ] {
        assert_eq!(special(line), expected, "{line}");
    }
}

#[test]
fn a_special_that_is_not_understood_voids_the_line() {
    for line in [
        "K.M 1 0 V 12 14",
        "K.M 1 0 V bitte",
        "K.M 1 0 V -24",
        "V.L 1 0 V 1 1",
        "K.M 1 0 V S.L2",
    ] {
        let parsed = read(&format!("$A\n{line}"));
        assert_eq!(
            (parsed.orders.len(), parsed.diagnostics[0].code.as_ref()),
            (0, "A06"),
            "{line}"
        );
    }
    assert_eq!(
        mended("A", "P.H 1 0 V 0/2"),
        ("A06".into(), 11, Some("P.H 1 0 V 0 2".into()))
    );
    assert_eq!(
        words(&fault("A", "Z.M 1 0 V x"), "muster"),
        ["pattern-embark", "pattern-tame", "pattern-gate"]
    );
}

#[test]
fn a_special_that_the_army_cannot_do_leaves_march_and_command() {
    for (line, code) in [
        ("K.M 1 1 V D.N 1 5", "A07"),
        ("P.K 1 1 V 0 2", "A07"),
        ("K.M 1 1 V H.S 1", "A07"),
        ("H.K 1 1 V S.L 1", "A07"),
        ("D.N 1 1 V S.L 1", "A07"),
        ("M.M 1 1 V S.L 1", "A07"),
        ("S.L 1 1 V 24", "A07"),
        ("F.L 1 1 V 0 2", "A07"),
        ("K.M 1 1 A HST", "A07"),
        ("P.K 1 1 V P.K 2", "A11"),
        ("D.N 1 1 V D.N 2 5", "A11"),
        ("Z.S 1 1 V Z.S 2", "A11"),
        ("K.M 1 1 V K.S 2", "A13"),
        ("K.M 1 1 V K.S 2 500", "A13"),
        ("S.L 1 1 V H.S 2", "A13"),
        ("Z.B 1 1 V V.L 1", "A19"),
        ("D.E 1 1 V V.L 1", "A19"),
        ("S.L 1 1 V V.L 1", "A19"),
        ("K.L 1 1 V V.S 1", "A19"),
        ("V.L 1 1 V V.L 2", "A34"),
        ("V.L 1 1 V S.L 2", "A34"),
        ("V.L 1 1 V 24", "A34"),
    ] {
        let parsed = read(&format!("$A\n{line}"));
        assert_eq!(
            (parsed.diagnostics.as_slice(), parsed.orders.len()),
            (&[][..], 1),
            "{line}"
        );
        let Order::March(march) = &parsed.orders[0].value else {
            panic!("{line}")
        };
        let misfit = march
            .misfit
            .as_ref()
            .unwrap_or_else(|| panic!("{line} is refused nothing"));
        assert_eq!(misfit.code, code, "{line}");
        assert_eq!(
            (&march.special, march.route.value[0]),
            (&None, Some(Direction::NorthEast)),
            "{line}"
        );
        assert_eq!(
            misfit.span.column as usize,
            line.find("V ").or(line.find("A ")).unwrap() + 3
        );
    }
}

#[test]
fn destruction_needs_a_target() {
    for (line, attack) in [
        ("K.M 1 0 Z", "K.M 1 0 A"),
        ("K.M 1 0 Z+ K.M 2", "K.M 1 0 A+ K.M 2"),
        ("K.M 1 0 Z 24", "K.M 1 0 A 24"),
    ] {
        assert_eq!(mended("A", line), ("A26".into(), 9, Some(attack.into())), "{line}");
    }
    assert_eq!(read("$A\nK.M 1 0 Z").orders.len(), 0);
}

#[test]
fn messages_go_to_realms_the_game_master_all_or_nobody_knows_whom_from() {
    let file = "$N\n#1\na\n#m ; an den Spielleiter\nb\n\n#A\nc;d\n#g\n e\n#E\n; Ende\n";
    let parsed = read(file);
    assert_eq!(parsed.diagnostics, []);
    let sent: Vec<(Recipient, Vec<String>)> = parsed
        .orders
        .into_iter()
        .map(|order| match order.value {
            Order::Send { to, text } => (to.value, text),
            other => panic!("{other:?}"),
        })
        .collect();
    let lines = |text: &str| vec![text.to_owned()];
    assert_eq!(
        sent,
        [
            (Recipient::Realm(RealmId(1)), lines("a")),
            (Recipient::GameMaster, lines("b")),
            (Recipient::Everyone, lines("c;d")),
            (Recipient::Rumour, lines(" e")),
        ]
    );
}

#[test]
fn a_section_ends_a_message_and_warns() {
    let parsed = read("$N\n#2\nHallo\n$A\nK.M 1 1 V\n");
    assert_eq!(parsed.orders.len(), 2);
    let finding = &parsed.diagnostics[0];
    assert_eq!(
        (finding.code.as_ref(), finding.span.line, finding.severity),
        ("N03w", 4, Severity::Warning)
    );
    let open = Tables::with_overrides("[orders]\nsection_header_ends_message = false").unwrap();
    let parsed = parse(&open, &seat(), b"$N\n#2\nHallo\n$A\nK.M 1 1 V\n#E\n$A\nK.M 1 1 V");
    assert_eq!((parsed.orders.len(), parsed.diagnostics.len()), (2, 0));
}

#[test]
fn what_has_no_recipient_goes_to_nobody() {
    let parsed = read("$N\nHallo\n#9\ngeheim\n#X\ngeheim\n#2\nda\n#E\nnoch was\n");
    let codes: Vec<(&str, u32)> = parsed
        .diagnostics
        .iter()
        .map(|d| (d.code.as_ref(), d.span.line))
        .collect();
    assert_eq!(codes, [("N02", 2), ("N01", 3), ("N01", 5), ("N02", 10)]);
    assert_eq!(parsed.orders.len(), 1);
    assert!(matches!(&parsed.orders[0].value, Order::Send { text, .. } if text == &["da"]));
    assert_eq!(words(&parsed.diagnostics[1], "t"), ["#9"]);
}

#[test]
fn an_indented_cross_or_dollar_is_text() {
    let parsed = read("$N\n#2\n #3\n $A\n$100 sind zu wenig\n#E");
    let codes: Vec<(&str, u32, Severity)> = parsed
        .diagnostics
        .iter()
        .map(|d| (d.code.as_ref(), d.span.line, d.severity))
        .collect();
    assert_eq!(codes, [("N04w", 3, Severity::Warning), ("F06", 4, Severity::Warning)]);
    assert!(matches!(&parsed.orders[0].value, Order::Send { text, .. } if text.len() == 3));
    assert_eq!(mended("N", " #2"), ("N02".into(), 2, Some("#2".into())));
    assert_eq!(mended("N", "# 2"), ("N01".into(), 1, Some("#2".into())));
    assert_eq!(mended("N", "#Ende"), ("N01".into(), 1, Some("#E".into())));
    assert_eq!(mended("N", "#2 Hallo"), ("S02".into(), 4, Some("#2 ".into())));
    assert_eq!(mended("N", "Hallo"), ("N02".into(), 1, Some(";Hallo".into())));
}

#[test]
fn messages_and_cultures_have_up_to_two_hundred_lines() {
    for (head, code) in [("$N\n#2\n", "N05"), ("$K\n", "K01")] {
        let line_of_text = head.lines().count() as u32;
        assert_eq!(found(&format!("{head}{}", "a\n".repeat(200))), []);
        let parsed = read(&format!("{head}{}", "a\n".repeat(203)));
        assert_eq!(
            found(&format!("{head}{}", "a\n".repeat(203))),
            [(code.into(), line_of_text + 201, 1)]
        );
        let (Order::Send { text, .. } | Order::Describe { text }) = &parsed.orders[0].value else {
            panic!()
        };
        assert_eq!(text.len(), 200);
    }
}

#[test]
fn a_line_has_up_to_255_characters() {
    let order = |length: usize| format!("$A\nK.M 1 1 V ;{}", "ß".repeat(length - 11));
    assert_eq!(found(&order(255)), []);
    assert_eq!(found(&order(256)), [("S11".into(), 2, 256)]);
    assert_eq!(found(&format!("$A\n;{}\n", "x".repeat(1000))), [("F07w".into(), 1, 1)]);
    let parsed = read(&format!("$K\n{}", "x".repeat(300)));
    assert_eq!(parsed.diagnostics[0].code, "S11");
    assert!(matches!(&parsed.orders[0].value, Order::Describe { text } if text[0].len() == 255));
}

#[test]
fn settings_are_told_by_their_first_letter() {
    assert_eq!(only("$S\ninfo"), Order::AskInformation);
    assert_eq!(only("$S\nI ; bitte"), Order::AskInformation);
    assert_eq!(only("$S\nComputer PC"), Order::SetComputer(Computer::Pc));
    assert_eq!(
        only("$S\nReichsname Großes  Eisvolk"),
        Order::RenameRealm("Großes  Eisvolk".into())
    );
    assert_eq!(mended("S", "Farbe rot"), ("P01".into(), 1, Some(";Farbe rot".into())));
    assert_eq!(mended("S", "c Amigo"), ("P02".into(), 3, Some("c Amiga".into())));
    assert_eq!(
        mended("S", "R Eisvolk ; neu"),
        ("P03".into(), 11, Some("R Eisvolk".into()))
    );
    assert_eq!(
        mended("S", "Reichsname"),
        ("P04".into(), 11, Some(";Reichsname".into()))
    );
    only(&format!("$S\nR {}", "x".repeat(30)));
    assert_eq!(fault("S", &format!("R {}", "x".repeat(31))).code, "P04");
}

#[test]
fn line_ends_of_every_computer_count_alike() {
    for end in ["\n", "\r", "\r\n"] {
        let file = ["$A", "", "K.M 1 1 V", "K.M 2 9 V", ""].join(end);
        assert_eq!(found(&file), [("S09".into(), 4, 7)]);
    }
    assert_eq!(found("$A\r\n\x1A"), [("F07w".into(), 1, 1)]);
}

#[test]
fn control_characters_are_refused_and_hide_no_other_line() {
    let parsed = read("$A\nK.M 1\x07 1 V\nK.M 2 1 V\n$N\n#2\nda\x1B[2J\nhier\u{202E}\nText\n#E");
    let codes: Vec<(&str, u32, u32)> = parsed
        .diagnostics
        .iter()
        .map(|d| (d.code.as_ref(), d.span.line, d.span.column))
        .collect();
    assert_eq!(codes, [("F03", 2, 6), ("F03", 6, 3), ("F03", 7, 5)]);
    assert_eq!(words(&parsed.diagnostics[0], "code"), ["U+0007"]);
    assert!(matches!(&parsed.orders[1].value, Order::Send { text, .. } if text == &["Text"]));
    only("$A\n\tK.M\t1  1\tV\t");
}

#[test]
fn umlauts_of_old_computers_keep_their_columns() {
    // Code page 850: ü = 0x81, ß = 0xE1.
    let parsed = parse(&Tables::book(), &seat(), b"$S\r\nR S\x81\xE1es Volk;x\r\n");
    assert_eq!(
        (parsed.diagnostics[0].code.as_ref(), parsed.diagnostics[0].span.column),
        ("P03", 13)
    );
    let parsed = parse(&Tables::book(), &seat(), b"$S\nR S\xFC\xDFes Volk\n");
    assert_eq!(parsed.orders[0].value, Order::RenameRealm("Süßes Volk".into()));
}

#[test]
fn a_file_without_orders_is_told_so() {
    for file in ["", "; nichts", "$A\n$B\n"] {
        assert_eq!(found(file), [("F07w".into(), 1, 1)], "{file:?}");
    }
    assert_eq!(found("$X"), [("F05".into(), 1, 1)]);
}

#[test]
fn files_and_findings_are_bounded() {
    let long = "$A\n".to_owned() + &";\n".repeat(limits::ORDER_FILE_LINES);
    assert_eq!(read(&long).diagnostics[0].code, "F08");
    let large = "$A\n".to_owned()
        + &"; xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n".repeat(limits::ORDER_FILE_BYTES / 50);
    assert_eq!(read(&large).diagnostics[0].code, "F08");
    let parsed = read(&("$A\n".to_owned() + &"x\n".repeat(limits::DIAGNOSTICS + 5)));
    assert_eq!(parsed.diagnostics.len(), limits::DIAGNOSTICS + 1);
    let last = parsed.diagnostics.last().unwrap();
    assert_eq!((last.code.as_ref(), words(last, "n")), ("F09w", vec!["5".to_owned()]));
}
