//! Sheets as players write them, and as they do not.

use super::{Fate, Seat, parse, parse_lines};
use crate::chart::Place;
use crate::codes::{Good, Kind, Stance};
use crate::grammar::Verb;
use crate::order::{Item, Order, Strength};
use crate::state::ArmyName;
use crate::tables::Tables;
use kernel::realm::RealmId;

fn seat() -> Seat {
    Seat {
        realm: RealmId(1),
        name: "Adler".to_owned(),
        year: 1,
        month: 4,
        fields_per_great_field: 48,
    }
}

fn orders(text: &str) -> Vec<Order> {
    let parsed = parse(&Tables::book(), &seat(), text.as_bytes());
    assert!(parsed.diagnostics.is_empty(), "{text}: {:?}", parsed.diagnostics);
    parsed.orders.into_iter().map(|order| order.value).collect()
}

fn codes(text: &str) -> Vec<(String, u32, u32)> {
    let parsed = parse(&Tables::book(), &seat(), text.as_bytes());
    let findings = parsed.diagnostics.iter();
    findings
        .map(|finding| (finding.code.to_string(), finding.span.line, finding.span.column))
        .collect()
}

#[test]
fn every_example_of_the_grammar_is_one_order() {
    for verb in Verb::ALL {
        assert_eq!(orders(verb.example()).len(), 1, "{}", verb.example());
        let english = verb.example().replacen(verb.word(), verb.english(), 1);
        let read: Vec<Verb> = orders(&english).iter().map(Order::verb).collect();
        assert_eq!(read, [*verb], "{english}");
        assert_eq!(orders(verb.example())[0].verb(), *verb);
    }
}

#[test]
fn the_books_own_move_sheet_is_read_row_by_row() {
    let sheet = "heer;von_gf;von_kf;u1;u1;u2;u2;u3;u3;nach_gf;nach_kf;staerke;besonderes\n\
        KH 1;65;5;;;;;;;65;6;8500 K;A\n\
        RH 2;65;42;;;65;43;;;73;10;2200 R;wird auf FH 1 eingeschifft\n\
        FH 1;73;10;;;;;;;73;10;50 S;mit RH 2\n\
        H 1;72;22;;;72;21;;;72;20;8 P. Wein, 4 P. Erz;\n";
    let read = orders(sheet);
    let [Order::Move(kh), Order::Move(rh), Order::Move(fh), Order::Move(h)] = read.as_slice() else {
        panic!("{read:?}")
    };
    let path = |order: &crate::order::Move| order.path.iter().map(|place| place.value).collect::<Vec<_>>();
    assert_eq!(path(kh), [Place::new(65, 5), Place::new(65, 6)]);
    assert_eq!(kh.special[0].value, Item::Stance(Stance::Attack));
    assert_eq!(rh.special[0].value, Item::Embark(ArmyName::new(Kind::Fleet, 1)));
    assert_eq!(path(fh), [Place::new(73, 10)]);
    let Some(Strength::Goods(goods)) = h.strength.as_ref().map(|strength| &strength.value) else {
        panic!("{h:?}")
    };
    let goods: Vec<_> = goods
        .iter()
        .map(|portion| (portion.good.value, portion.points.value))
        .collect();
    assert_eq!(goods, [(Good::Wine, 8), (Good::Ore, 4)]);
}

#[test]
fn a_row_with_a_plus_continues_the_one_before() {
    let head = "heer;a;b;c;d;e;f;g;h;i;j;k;l\n";
    let read = orders(&format!(
        "{head}FH 2;1;1;1;2;1;3;1;4;1;5;;\n+;1;5;;;;;;;1;6;120 S;V\nHYGIENE 3000\n"
    ));
    assert_eq!(read.len(), 2);
    let Order::Move(fleet) = &read[0] else {
        panic!("{read:?}")
    };
    assert_eq!(fleet.path.len(), 6);
    assert_eq!(
        codes(&format!("{head}FH 2;1;1;;;;;;;1;2;;\n+;1;3;;;;;;;1;4;;\n")),
        [("E_FROM".to_owned(), 3, 3), ("E_ROW".to_owned(), 2, 1)]
    );
}

#[test]
fn a_head_of_another_month_or_realm_is_warned_of() {
    assert_eq!(orders("REICH Adler JAHR 1 MONAT Dorl\nHYGIENE 1").len(), 1);
    assert_eq!(codes("REICH Adler JAHR 1 MONAT 5")[0].0, "W_HEAD");
    assert_eq!(codes("REALM Bär YEAR 1 MONTH 4")[0].0, "W_HEAD");
}

#[test]
fn findings_point_at_the_word_that_is_wrong() {
    for (line, code, column) in [
        ("ZUK KH 1: 1/1", "E_SYNTAX", 1),
        ("ZUG KH 1: 1/1 > 1/49", "E_FIELD", 17),
        ("ZUG KX 1: 1/1", "E_SYNTAX", 5),
        ("ZUG KH 0: 1/1", "E_NUMBER", 5),
        ("ZUG KH 1000: 1/1", "E_NUMBER", 5),
        ("ZUG KH 1: 1/1; A, R", "E_TWO_ORDERS", 19),
        ("HYGIENE viel", "E_SYNTAX", 9),
        ("HYGIENE", "E_SYNTAX", 8),
        ("HYGIENE 1 2", "E_SYNTAX", 11),
        ("SL \"\"", "E_TEXT", 5),
        ("PRODUKTION 1/1 Bier Wein Vieh", "E_SYNTAX", 16),
    ] {
        assert_eq!(codes(line), [(code.to_owned(), 1, column)], "{line}");
    }
    assert_eq!(orders("ZUG KH 999: 1/48").len(), 1);
}

#[test]
fn another_order_has_at_most_two_hundred_characters() {
    let text = |length: usize| format!("SL \"{}\"", "ä".repeat(length));
    assert_eq!((orders(&text(199)).len(), orders(&text(200)).len()), (1, 1));
    assert_eq!(codes(&text(201))[0].0, "E_TEXT");
}

#[test]
fn every_line_has_its_fate_and_nothing_ends_the_reading() {
    let text = "\n# Kommentar\nHYGIENE 1 # Rest\nunsinn\n";
    let (_, fates) = parse_lines(&Tables::book(), &seat(), text.as_bytes());
    assert_eq!(fates, [Fate::Blank, Fate::Understood, Fate::Order, Fate::Refused]);
    let pieces = [
        "ZUG",
        "KH",
        "1",
        "*",
        ":",
        ";",
        ",",
        ">",
        "-",
        "\"",
        "#",
        "1/1",
        "heer;",
        "+;",
        "\t",
        "ß",
        "\u{0}",
        "\n",
        "SL",
        "99999999999999999999",
    ];
    let tables = Tables::book();
    let mut seed: u64 = 7;
    for _ in 0..3_000 {
        let mut text = String::new();
        for _ in 0..12 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[(seed >> 33) as usize % pieces.len()]);
            if seed & 1 == 0 {
                text.push(' ');
            }
        }
        let (parsed, fates) = parse_lines(&tables, &seat(), text.as_bytes());
        let refused = fates.iter().filter(|fate| **fate == Fate::Refused).count();
        assert!(refused <= parsed.diagnostics.len(), "{text:?}");
    }
}

#[test]
fn cells_are_read_as_programs_for_tables_write_them() {
    let sheet = "heer\tvon_gf\tvon_kf\n\
        \"KH 1\";\"65\";5;;;;;;;65;6;\"8.500 K\";\"A, SL \"\"Sucht; den Turm\"\"\"\n\
        RH 1\t65\t41\t\t\t65\t47\t\t\t65\t48\t2000 R\tR\n";
    let read = orders(sheet);
    let [Order::Move(kh), Order::Move(rh)] = read.as_slice() else {
        panic!("{read:?}")
    };
    assert_eq!(
        kh.strength.as_ref().map(|it| it.value.clone()),
        Some(Strength::Heads(8500))
    );
    assert_eq!(kh.special[1].value, Item::Other("Sucht; den Turm".to_owned()));
    assert_eq!(rh.path.len(), 3);
}

#[test]
fn findings_point_at_the_cell_that_is_wrong() {
    let head = "heer;von_gf;von_kf;u1;u1;u2;u2;u3;u3;nach_gf;nach_kf;staerke;besonderes\n";
    let found = |row: &str| codes(&format!("{head}{row}\n"));
    assert_eq!(found("XX 1;65;5;;;;;;;65;6;;"), [("E_SYNTAX".to_owned(), 2, 1)]);
    assert_eq!(found("KH 1;65;99;;;;;;;65;6;;"), [("E_FIELD".to_owned(), 2, 6)]);
    assert_eq!(found("KH 1;65;5;;;;;;;65;x;;"), [("E_SYNTAX".to_owned(), 2, 20)]);
    assert_eq!(found("KH 1;65;5;;;;;;;65;6;viele;"), [("E_SYNTAX".to_owned(), 2, 22)]);
    assert_eq!(
        found("KH 1;65;5;;;;;;;65;6;;A, R"),
        [("E_TWO_ORDERS".to_owned(), 2, 26)]
    );
    assert_eq!(found("KH 1;65;5;;;;;;;65;6;;;;"), [("E_CELLS".to_owned(), 2, 24)]);
    // A continuation that begins elsewhere refuses the whole move.
    assert_eq!(
        found("KH 1;65;5;;;;;;;65;6;;\n+;65;7;;;;;;;65;8;;"),
        [("E_FROM".to_owned(), 3, 3), ("E_ROW".to_owned(), 2, 1)]
    );
}
