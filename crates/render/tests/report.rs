//! A small report in all its forms.

use kernel::diagnostic::{Diagnostic, Span, Value};
use kernel::dice::{Owner, Roll};
use kernel::realm::RealmId;
use kernel::report::{Arg, Line, ReportSink, Term, Why};
use kernel::rule::{Rule, RuleId, RuleKind};
use render::html::{PageOptions, page};
use render::json::json;
use render::locale::{Language, Wording};
use render::text::text;

const WORDING: &str = r#"
[section]
report = ""
findings = ""
idle = ""
armies = "Heer    Anzahl"
week = "W{week:02} ;----- Woche {week} -----"
events = "Ereignisse:"
sightings = "Sichtungen:"
messages = "Nachrichten:"
[heading]
week = "Woche {week}"
findings = "Zu Euren Befehlen"
idle = "Leer"
armies = "Eure Heere"
[line]
head = "Reich {id} : {realm:<30} Spieler: {player}"
turn = "Spielzug: {turn:>4}  Jahr: {year:>4}  Jahreszeit: {season}"
own = "{army:<8}: {x:>4}/{y:>4} : {ter} {owner:>2} {building} {state}"
stranger = "  A : {realm}.{kind} {id} {count}"
drowned = "  {army} verliert {count} bei der Flußüberquerung nach {x}/{y}."
[word]
spring = "Frühling"
[term]
share = "{percent} % von {count} = {lost}"
[fault]
B02 = { text = "Feld {field} gehört nicht zum Reich.", expect = "ein eigenes Feld" }
"#;

const DROWN: RuleId = RuleId::new("THO-MOVE-10");
const SIGHT: RuleId = RuleId::new("THO-REP-04");
const RULES: &[Rule] = &[
    Rule {
        id: DROWN,
        kind: RuleKind::Auto,
        chapter: "Bewegung",
        de: "Flüsse ohne Brücke ertränken <einige>.",
        en: "Rivers drown <some>.",
        see: &[],
    },
    Rule {
        id: SIGHT,
        kind: RuleKind::Auto,
        chapter: "Bericht",
        de: "Wochen.",
        en: "Weeks.",
        see: &[],
    },
    Rule {
        id: RuleId::new("THO-MAP-01"),
        kind: RuleKind::Auto,
        chapter: "Karte",
        de: "Nicht genannt.",
        en: "Not named.",
        see: &[],
    },
];

fn wording() -> Wording {
    let shared = include_str!("../../../locale/de/report.toml");
    Wording::new(Language::German, &[shared, WORDING]).unwrap()
}

fn blank(sink: &mut dyn ReportSink) {
    sink.line(&Line {
        key: "blank",
        args: &[],
        why: None,
    });
}

/// A report of two weeks: in the first two armies see the same stranger and one drowns men, in the second nothing.
fn write(sink: &mut dyn ReportSink) {
    sink.begin("report", &[], &[SIGHT]);
    sink.line(&Line {
        key: "head",
        args: &[
            ("id", Arg::Int(3)),
            ("realm", Arg::Text("Bär & <Söhne>")),
            ("player", Arg::Text("Mira")),
        ],
        why: None,
    });
    blank(sink);
    sink.begin("findings", &[], &[]);
    let span = Span {
        line: 4,
        column: 5,
        length: 3,
    };
    sink.diagnostic(&Diagnostic::error("B02", span, &[SIGHT]).with("field", "1/1"));
    sink.end();
    blank(sink);
    sink.line(&Line {
        key: "turn",
        args: &[
            ("turn", Arg::Int(8)),
            ("year", Arg::Int(2)),
            ("season", Arg::Word("spring")),
        ],
        why: None,
    });
    blank(sink);
    for week in 1..=2 {
        sink.begin("week", &[("week", Arg::Int(week))], &[SIGHT]);
        sink.begin("events", &[], &[SIGHT]);
        if week == 1 {
            let why = Why {
                rules: ["THO-MOVE-10".into()].into_iter().collect(),
                rolls: vec![Roll {
                    name: "THO-MOVE-10 3 K.M 1 week 1".into(),
                    owner: Owner::Realm(RealmId(3)),
                    min: 1,
                    max: 10,
                    value: 4,
                    fell: None,
                }],
                sealed: 2,
                terms: vec![Term {
                    key: "share".into(),
                    args: vec![
                        ("percent".into(), Value::Int(4)),
                        ("count".into(), Value::Int(2000)),
                        ("lost".into(), Value::Int(80)),
                    ],
                }],
            };
            sink.line(&Line {
                key: "drowned",
                args: &[
                    ("army", Arg::Text("K.M 1")),
                    ("count", Arg::Int(80)),
                    ("x", Arg::Int(1)),
                    ("y", Arg::Int(0)),
                ],
                why: Some(&why),
            });
        }
        sink.end();
        sink.begin("sightings", &[], &[SIGHT]);
        for army in ["K.M 1", "R.L 12345"] {
            sink.line(&Line {
                key: "own",
                args: &[
                    ("army", Arg::Text(army)),
                    ("x", Arg::Int(1)),
                    ("y", Arg::Int(-1)),
                    ("ter", Arg::Text("tla")),
                    ("owner", Arg::Int(0)),
                    ("building", Arg::Text("---")),
                    ("state", Arg::Text("-")),
                ],
                why: None,
            });
            let mut runs = 0;
            sink.fragment(week.unsigned_abs(), &mut |sink| {
                runs += 1;
                sink.line(&Line {
                    key: "stranger",
                    args: &[
                        ("realm", Arg::Text("?")),
                        ("kind", Arg::Text("K.S")),
                        ("id", Arg::Text("?")),
                        ("count", Arg::Int(700 + week)),
                    ],
                    why: None,
                });
            });
            assert_eq!(
                runs,
                u32::from(army == "K.M 1"),
                "a fragment is filled once in a report"
            );
        }
        sink.end();
        sink.end();
    }
    sink.begin("messages", &[], &[SIGHT]);
    sink.verbatim("Der Bund <b>grüßt</b> die Welt.\nZweite\u{1b}[31m Zeile");
    sink.end();
    sink.end();
}

#[test]
fn the_text_has_the_books_columns() {
    let expected = "\
Reich 3 : Bär & <Söhne>                  Spieler: Mira

Zeile 4: [B02] Feld 1/1 gehört nicht zum Reich. Erwartet: ein eigenes Feld.

Spielzug:    8  Jahr:    2  Jahreszeit: Frühling

W01 ;----- Woche 1 -----
Ereignisse:
  K.M 1 verliert 80 bei der Flußüberquerung nach 1/0.
Sichtungen:
K.M 1   :    1/  -1 : tla  0 --- -
  A : ?.K.S ? 701
R.L 12345:    1/  -1 : tla  0 --- -
  A : ?.K.S ? 701
W02 ;----- Woche 2 -----
Ereignisse:
Sichtungen:
K.M 1   :    1/  -1 : tla  0 --- -
  A : ?.K.S ? 702
R.L 12345:    1/  -1 : tla  0 --- -
  A : ?.K.S ? 702
Nachrichten:
Der Bund <b>grüßt</b> die Welt.
Zweite [31m Zeile
";
    assert_eq!(text(&wording(), write), expected);
}

#[test]
fn the_page_escapes_folds_and_answers_why() {
    let wording = wording();
    let options = PageOptions {
        title: "Bericht <8>",
        rules: RULES,
        embed_fonts: false,
        ..PageOptions::default()
    };
    let page = page(&wording, options, write);
    assert!(page.contains("Bär &amp; &lt;Söhne&gt;"));
    assert!(page.contains("&lt;b&gt;grüßt&lt;/b&gt;") && !page.contains("<b>grüßt"));
    assert!(!page.contains('\u{1b}'));
    // The week in which something happened stands open, the other is folded.
    assert!(page.contains("<details class=\"fold\" open><summary>Woche 1</summary>"));
    assert!(page.contains("<details class=\"fold\"     ><summary>Woche 2</summary>"));
    assert!(page.contains("<h3>Ereignisse</h3>") || page.contains("<h4>Ereignisse</h4>"));
    // The rule of the whole report is named once at its head and once by the finding, not again by each part.
    assert_eq!(page.matches("href=\"#THO-REP-04\"").count(), 2);
    assert!(page.contains("4 % von 2000 = 80"));
    assert!(page.contains("THO-MOVE-10 3 K.M 1 week 1") && page.contains("von 1 bis 10"));
    assert!(page.contains("2 Würfel bleiben versiegelt"));
    // Rules lead to their gist at the end, and only those that were named stand there.
    assert!(page.contains("href=\"#THO-MOVE-10\"") && page.contains("<dt id=\"THO-MOVE-10\">"));
    assert!(page.contains("Flüsse ohne Brücke ertränken &lt;einige&gt;."));
    assert!(!page.contains("Nicht genannt"));
    for tag in [
        "section",
        "details",
        "ul",
        "li",
        "div",
        "blockquote",
        "ol",
        "p",
        "summary",
        "main",
    ] {
        let opened = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
    }
}

#[test]
fn a_page_has_headings_where_the_text_has_none_but_not_over_nothing() {
    let options = || PageOptions {
        embed_fonts: false,
        ..PageOptions::default()
    };
    let full = page(&wording(), options(), write);
    assert!(full.contains("<h3>Zu Euren Befehlen</h3>"));
    let idle = page(&wording(), options(), |sink| {
        sink.verbatim("before");
        sink.begin("idle", &[], &[SIGHT]);
        sink.end();
        sink.begin("armies", &[], &[SIGHT]);
        sink.end();
    });
    assert!(!idle.contains("Leer") && idle.contains("before"));
    assert!(idle.contains("<h2>Eure Heere</h2>") && idle.contains("<li class=\"names\">Heer    Anzahl</li>"));
    assert_eq!(idle.matches("<section").count(), idle.matches("</section>").count());
}

#[test]
fn a_page_of_a_site_leads_to_the_sites_rule_book() {
    let options = PageOptions {
        rules: RULES,
        rule_address: Some("/rules/"),
        embed_fonts: false,
        ..PageOptions::default()
    };
    let page = page(&wording(), options, write);
    assert!(page.contains("href=\"/rules/THO-MOVE-10\"") && !page.contains("<dt"));
}

#[test]
fn the_json_is_valid_and_carries_keys_values_and_reasons() {
    let source = json(&wording(), "thoramar", write);
    let value: serde_json::Value = serde_json::from_str(&source).unwrap();
    assert_eq!(value["game"], "thoramar");
    assert_eq!(value["language"], "de");
    let report = &value["items"][0];
    assert_eq!(report["rules"][0], "THO-REP-04");
    let items = report["items"].as_array().unwrap();
    assert_eq!(items[0]["args"]["realm"], "Bär & <Söhne>");
    assert_eq!(items[1]["items"][0]["finding"]["code"], "B02");
    assert_eq!(items[2]["args"]["season"]["text"], "Frühling");
    let week = &items[3];
    assert_eq!(week["heading"], "W01 ;----- Woche 1 -----");
    let event = &week["items"][0]["items"][0];
    assert_eq!(event["args"]["count"], 80);
    assert_eq!(event["why"]["rolls"][0]["value"], 4);
    let sightings = week["items"][1]["items"].as_array().unwrap();
    let keys: Vec<&str> = sightings.iter().map(|item| item["key"].as_str().unwrap()).collect();
    assert_eq!(keys, ["own", "stranger", "own", "stranger"]);
    assert_eq!(sightings[3]["args"]["count"], 701);
    assert_eq!(items[5]["items"][0]["type"], "verbatim");
}

#[test]
fn an_empty_fragment_leaves_no_comma() {
    let source = json(&wording(), "thoramar", |sink| {
        sink.fragment(1, &mut |_| {});
        sink.verbatim("a");
        sink.fragment(1, &mut |_| {});
        sink.fragment(2, &mut |_| {});
        sink.verbatim("b");
    });
    let value: serde_json::Value = serde_json::from_str(&source).unwrap();
    assert_eq!(value["items"].as_array().unwrap().len(), 2);
}

#[test]
fn sections_left_open_are_closed_at_the_end() {
    let unfinished = |sink: &mut dyn ReportSink| {
        sink.begin("report", &[], &[]);
        sink.begin("week", &[("week", Arg::Int(1))], &[]);
    };
    let source = json(&wording(), "thoramar", unfinished);
    assert!(serde_json::from_str::<serde_json::Value>(&source).is_ok());
    let page = page(
        &wording(),
        PageOptions {
            embed_fonts: false,
            ..PageOptions::default()
        },
        unfinished,
    );
    assert_eq!(page.matches("<section").count(), page.matches("</section>").count());
    assert!(page.ends_with("</html>\n"));
}

#[test]
fn a_key_without_wording_still_makes_a_line() {
    let line = Line {
        key: "unheard",
        args: &[("n", Arg::Int(1)), ("w", Arg::Word("spring"))],
        why: None,
    };
    assert_eq!(text(&wording(), |sink| sink.line(&line)), "unheard n=1 w=Frühling\n");
}

#[test]
fn a_long_report_arrives_whole() {
    let mut expected = String::new();
    for n in 0..50_000 {
        expected += &format!("  A : {n}.K.S 1 7\n");
    }
    let written = text(&wording(), |sink| {
        for n in 0..50_000 {
            let args = [
                ("realm", Arg::Int(n)),
                ("kind", Arg::Text("K.S")),
                ("id", Arg::Int(1)),
                ("count", Arg::Int(7)),
            ];
            sink.line(&Line {
                key: "stranger",
                args: &args,
                why: None,
            });
        }
    });
    assert_eq!(written, expected);
}

/// Rows of two tables with a line of column names that only plain text has, and a sentence between them.
fn rows(sink: &mut dyn ReportSink) {
    let row = |sink: &mut dyn ReportSink, key: &str, who: &str, n: i64, why: Option<&Why>| {
        let args = [("army", Arg::Text(who)), ("n", Arg::Int(n))];
        sink.line(&Line { key, args: &args, why });
    };
    sink.begin("armies", &[], &[SIGHT]);
    row(sink, "names", "", 0, None);
    row(sink, "troop", "K.M <1>", 12_000, None);
    let why = Why {
        rules: ["THO-MOVE-10".into()].into_iter().collect(),
        ..Why::default()
    };
    row(sink, "troop", "K.M 2", -7, Some(&why));
    row(sink, "gone", "K.M 3", 0, None);
    row(sink, "troop", "K.M 4", 1, None);
    sink.end();
}

const ROWS: &str = r#"
[line]
names = "  Heer   Zahl"
troop = "  {army:<6} {n:>4}"
gone = "  {army} ist fort."
[table]
names = ""
troop = "Heer={army}|Zahl={n}"
"#;

#[test]
fn rows_are_a_table_on_a_page_cells_in_json_and_columns_in_the_text() {
    let shared = include_str!("../../../locale/de/report.toml");
    let wording = Wording::new(Language::German, &[shared, WORDING, ROWS]).unwrap();
    let options = PageOptions {
        title: "Heer \"<7>\"",
        embed_fonts: false,
        ..PageOptions::default()
    };
    let page = page(&wording, options, rows);
    // Two tables, since a sentence stands between their rows; numbers stand to the right, names of columns only at their head.
    assert_eq!(page.matches("<table>").count(), 2);
    assert_eq!(page.matches("</table>").count(), 2);
    assert_eq!(
        page.matches("<th scope=\"col\">Heer</th><th scope=\"col\" class=\"r\">Zahl</th>")
            .count(),
        2
    );
    assert!(page.contains("<th scope=\"row\">K.M &lt;1&gt;</th><td class=\"r\">12.000</td>"));
    assert!(page.contains("class=\"r\">\u{2212}7<details class=\"why\">"));
    assert!(!page.contains("Heer   Zahl") && !page.contains("Heer    Anzahl"));
    assert!(page.contains("content:\"Heer \\22 \\3c 7\\3e \\22 \""), "{page}");
    let value: serde_json::Value = serde_json::from_str(&json(&wording, "thoramar", rows)).unwrap();
    let items = value["items"][0]["items"].as_array().unwrap();
    assert_eq!(items.len(), 4);
    assert_eq!(items[0]["cells"][0]["title"], "Heer");
    assert_eq!(items[0]["cells"][1]["text"], "12000");
    assert!(items[2].get("cells").is_none());
    assert_eq!(
        text(&wording, rows),
        "Heer    Anzahl\n  Heer   Zahl\n  K.M <1> 12000\n  K.M 2    -7\n  K.M 3 ist fort.\n  K.M 4     1\n"
    );
}
