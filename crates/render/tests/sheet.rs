//! A small report set for a page of the host, and as passages of plain lines.

use kernel::diagnostic::{Diagnostic, Span};
use kernel::dice::{Owner, Roll};
use kernel::realm::RealmId;
use kernel::report::{Arg, Line, ReportSink, Term, Why};
use kernel::rule::{Rule, RuleId, RuleKind};
use render::locale::{Language, Wording};
use render::outline::{Numbers, RowChange, changes, outline, reading_text};
use render::sheet::{Form, Lists, Part, SheetOptions, sheet};

const WORDING: &str = r#"
[section]
head = ""
findings = ""
week = "W{week:02} ;----- Woche {week} -----"
events = "Ereignisse:"
sightings = "Sichtungen:"
armies = "Heer    Anzahl"
letters = "Nachrichten:"
[heading]
week = "Woche {week}"
findings = "Zu Euren Befehlen"
armies = "Eure Heere"
[line]
head = "Reich {id} : {realm:<30}"
drowned = "  {army} verliert {n} im Fluß."
fought = "  Kampf auf {x}/{y}:"
fighter = "    {who}: {before} -> {after}"
seen = "{army:<8}: {x:>4}/{y:>4}"
ground = "Feld {x:>4}/{y:>4}:"
stranger = "  A : {army}"
army = "{army:<8}{n:>7}"
none = "Nichts."
[table]
fighter = "Heer={who}|vorher={before}|nachher={after}"
seen = "Wer={army}|Feld={x}/{y}"
army = "Heer={army}|Anzahl={n}"
ground = "Wer=|Feld={x}/{y}"
stranger = "Wer={army}|Feld="
[mark]
fought = "war"
[term]
share = "{n} Köpfe"
[fault]
B02 = { text = "Feld {field} gehört nicht zum Reich.", expect = "ein eigenes Feld" }
"#;

const DROWN: RuleId = RuleId::new("TOY-MOVE-10");
const RULES: &[Rule] = &[Rule {
    id: DROWN,
    kind: RuleKind::Auto,
    chapter: "Bewegung",
    de: "Flüsse ertränken <einige>.",
    en: "Rivers drown <some>.",
    see: &[],
}];

fn wording() -> Wording {
    let shared = include_str!("../../../locale/de/report.toml");
    Wording::new(Language::German, &[shared, WORDING]).unwrap()
}

fn why() -> Why {
    Why {
        rules: ["TOY-MOVE-10".into()].into_iter().collect(),
        rolls: vec![Roll {
            owner: Owner::of(RealmId(1)),
            name: "TOY-MOVE-10 <K.M 1>".into(),
            min: 0,
            max: 10,
            value: 7,
            fell: None,
        }],
        sealed: 2,
        terms: vec![Term {
            key: "share".into(),
            args: vec![("n".into(), 70i64.into())],
        }],
    }
}

fn line(sink: &mut dyn ReportSink, key: &str, args: &[(&str, Arg<'_>)], why: Option<&Why>) {
    sink.line(&Line { key, args, why });
}

/// Two weeks: in the first something is told and seen, in the second only seen.
fn write(sink: &mut dyn ReportSink, armies: &[(&str, i64)], letter: &str) {
    let text = Arg::Text;
    sink.begin("head", &[], &[]);
    line(
        sink,
        "head",
        &[("id", Arg::Int(1)), ("realm", text("<b>Adler</b>"))],
        None,
    );
    sink.end();
    sink.begin("findings", &[], &[]);
    let span = Span {
        line: 4,
        column: 1,
        length: 3,
    };
    sink.diagnostic(&Diagnostic::error("B02", span, &[DROWN]).with("field", "<i>"));
    sink.end();
    for week in 1..=2 {
        sink.begin("week", &[("week", Arg::Int(week))], &[]);
        sink.begin("events", &[], &[]);
        if week == 1 {
            let fight = Why::default();
            line(
                sink,
                "drowned",
                &[("army", text("K.M 1")), ("n", Arg::Int(70))],
                Some(&why()),
            );
            line(sink, "fought", &[("x", Arg::Int(4)), ("y", Arg::Int(2))], Some(&fight));
            let fighter = [
                ("who", text("1.K.M 1")),
                ("before", Arg::Int(2000)),
                ("after", Arg::Int(1635)),
            ];
            line(sink, "fighter", &fighter, Some(&fight));
        }
        sink.end();
        sink.begin("sightings", &[], &[]);
        sink.fragment(7, &mut |sink| {
            line(
                sink,
                "seen",
                &[("army", text("K.M 1")), ("x", Arg::Int(4)), ("y", Arg::Int(-2))],
                None,
            );
        });
        sink.end();
        sink.end();
    }
    sink.begin("armies", &[], &[DROWN]);
    for (army, n) in armies {
        line(sink, "army", &[("army", text(army)), ("n", Arg::Int(*n))], None);
    }
    sink.end();
    sink.begin("letters", &[], &[]);
    sink.verbatim(letter);
    sink.end();
}

fn parts(form: Form, lists: Lists<'_>) -> Vec<Part> {
    let options = SheetOptions {
        form,
        lists,
        rules: RULES,
        rule_address: "/regeln/",
        symbols: "/symbols.svg",
        verify_address: Some("/wuerfel"),
    };
    sheet(&wording(), options, |sink| {
        write(
            sink,
            &[("K.M 1", 1635), ("R.L 2", 800)],
            "<script>alert(1)</script>\n\u{202e}x",
        );
    })
}

fn part<'p>(parts: &'p [Part], title: &str) -> &'p Part {
    parts
        .iter()
        .find(|part| part.title == title)
        .unwrap_or_else(|| panic!("no part {title}"))
}

#[test]
fn a_week_tells_how_much_happened_and_whether_it_was_war() {
    let parts = parts(Form::Story, Lists::All);
    let titles: Vec<&str> = parts.iter().map(|part| part.title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "",
            "Zu Euren Befehlen",
            "Woche 1",
            "Woche 2",
            "Eure Heere",
            "Nachrichten"
        ]
    );
    let first = part(&parts, "Woche 1");
    assert_eq!(
        (first.number, first.events, first.mark.as_deref()),
        (Some(1), 2, Some("war"))
    );
    let second = part(&parts, "Woche 2");
    assert_eq!(
        (second.number, second.events, second.mark.as_deref()),
        (Some(2), 0, None)
    );
    assert!(first.is_time() && !part(&parts, "Eure Heere").is_time());
}

#[test]
fn a_part_that_has_nothing_to_tell_says_so() {
    let nothing = |fill: &dyn Fn(&mut dyn ReportSink)| {
        let parts = sheet(&wording(), SheetOptions::default(), |sink| {
            sink.begin("letters", &[], &[DROWN]);
            fill(sink);
            sink.end();
        });
        parts[0].nothing
    };
    let none = |sink: &mut dyn ReportSink| line(sink, "none", &[], None);
    let army = |sink: &mut dyn ReportSink| {
        line(sink, "army", &[("army", Arg::Text("K.M 1")), ("n", Arg::Int(3))], None);
    };
    assert!(nothing(&none));
    assert!(!nothing(&army));
    assert!(!nothing(&|sink| sink.verbatim("none")));
    // Whatever else stands there is something.
    assert!(!nothing(&|sink| {
        none(sink);
        army(sink);
    }));
    assert!(!nothing(&|sink| {
        army(sink);
        none(sink);
    }));
    assert!(!nothing(&|sink| {
        none(sink);
        sink.verbatim("doch");
    }));
}

#[test]
fn a_card_answers_at_its_headings_and_folds_what_is_long() {
    let card = |lines: i64| {
        let options = SheetOptions {
            form: Form::Card,
            rules: RULES,
            ..SheetOptions::default()
        };
        let mut parts = sheet(&wording(), options, |sink| {
            sink.begin("letters", &[], &[]);
            sink.begin("armies", &[], &[DROWN]);
            for n in 0..lines {
                line(sink, "army", &[("army", Arg::Text("K.M 1")), ("n", Arg::Int(n))], None);
            }
            sink.end();
            sink.end();
        });
        parts.remove(0).html
    };
    let short = card(8);
    let (heading, answer, first) = (
        short.find("</h4>"),
        short.find("class=\"why whole\""),
        short.find("K.M 1"),
    );
    assert!(heading.is_some() && heading < answer && answer < first, "{short}");
    assert!(!short.contains("class=\"list\""), "{short}");
    let long = card(9);
    assert!(
        long.contains("<details class=\"list\"><summary>Eure Heere: 9 Zeilen</summary>"),
        "{long}"
    );
}

#[test]
fn an_answer_names_rule_dice_seal_and_arithmetic() {
    let parts = parts(Form::Story, Lists::All);
    let html = &part(&parts, "Woche 1").html;
    for piece in [
        "<p>K.M 1 verliert 70 im Fluß.</p><details class=\"why\">",
        "<a class=\"rule-id\" href=\"/regeln/TOY-MOVE-10\">TOY-MOVE-10</a></dt><dd>Flüsse ertränken &lt;einige&gt;.</dd>",
        "<b class=\"die\">7</b><span>TOY-MOVE-10 &lt;K.M 1&gt; <small>von 0 bis 10</small>",
        "2 Würfel bleiben versiegelt",
        "<li>70 Köpfe</li>",
        "<a href=\"/wuerfel\">Selbst nachrechnen</a>",
    ] {
        assert!(html.contains(piece), "{piece}\n{html}");
    }
    // A story that begins with the code of an army has no large letter, in no later sentence either; an answer without content is none.
    assert_eq!(html.matches("line lead").count(), 0);
    assert_eq!(html.matches("<details class=\"why\">").count(), 1);
}

#[test]
fn rows_become_tables_with_grouped_numbers() {
    let parts = parts(Form::Story, Lists::All);
    let html = &part(&parts, "Woche 1").html;
    assert!(
        html.contains("<th scope=\"col\">Heer</th><th scope=\"col\" class=\"r\">vorher</th>"),
        "{html}"
    );
    assert!(
        html.contains("<tr><td>1.K.M 1</td><td class=\"r\">2.000</td><td class=\"r\">1.635</td></tr>"),
        "{html}"
    );
    let armies = &part(&parts, "Eure Heere").html;
    assert_eq!(armies.matches("<table").count(), 1, "rows of one kind share a table");
    assert!(armies.contains("<td>R.L 2</td><td class=\"r\">800</td>"));
}

#[test]
fn every_row_below_a_head_says_what_it_is_about() {
    let ground =
        |sink: &mut dyn ReportSink, x, y| line(sink, "ground", &[("x", Arg::Int(x)), ("y", Arg::Int(y))], None);
    let stranger = |sink: &mut dyn ReportSink, army| line(sink, "stranger", &[("army", Arg::Text(army))], None);
    let parts = sheet(&wording(), SheetOptions::default(), |sink| {
        sink.begin("armies", &[], &[]);
        ground(sink, 0, 0);
        stranger(sink, "R.L 4");
        stranger(sink, "Z.M 1");
        ground(sink, 2, -2);
        stranger(sink, "R.L 8");
        // Nobody stands on the last field.
        ground(sink, 3, 3);
        sink.end();
    });
    let html = &part(&parts, "Eure Heere").html;
    let rows = [("R.L 4", "0/0"), ("Z.M 1", "0/0"), ("R.L 8", "2/-2"), ("", "3/3")];
    let rows: Vec<String> = rows
        .iter()
        .map(|(who, field)| format!("<tr><td>{who}</td><td>{field}</td></tr>"))
        .collect();
    assert!(html.contains(&rows.join("\n")), "{html}");
}

#[test]
fn long_lists_are_folded_or_lead_to_their_week() {
    let all = parts(Form::Story, Lists::All);
    assert!(
        part(&all, "Woche 2")
            .html
            .contains("<details class=\"list\"><summary>Sichtungen: 1 Zeilen</summary>")
    );
    let one = parts(Form::Story, Lists::Only(2, "?woche="));
    let (first, second) = (&part(&one, "Woche 1").html, &part(&one, "Woche 2").html);
    assert!(
        first.contains("<a href=\"?woche=1\">Sichtungen: 1 Zeilen</a>") && !first.contains("4/-2"),
        "{first}"
    );
    assert!(
        second.contains("<details class=\"list\" open>") && second.contains("4/-2"),
        "{second}"
    );
    // What happened is never a list.
    assert!(first.contains("1.635"));
}

#[test]
fn the_table_form_has_dice_and_rules_in_columns() {
    let html = parts(Form::Table, Lists::All);
    let html = &part(&html, "Woche 1").html;
    assert!(
        html.contains("<th scope=\"col\">Was geschah</th><th scope=\"col\">Würfel</th><th scope=\"col\">Regeln</th>"),
        "{html}"
    );
    assert!(html.contains("<td>K.M 1 verliert 70 im Fluß.</td>"), "{html}");
}

#[test]
fn nothing_that_somebody_wrote_becomes_markup() {
    for form in [Form::Story, Form::Table] {
        let all: String = parts(form, Lists::All).into_iter().map(|part| part.html).collect();
        for piece in ["<script", "<b>Adler", "<i>", "<K.M 1>", "<einige>", "\u{202e}"] {
            assert!(!all.contains(piece), "{form:?} {piece}");
        }
        assert!(all.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    }
}

#[test]
fn a_reader_hears_the_name_of_each_column() {
    let passages = outline(&wording(), Numbers::Plain, |sink| {
        write(sink, &[("K.M 1", 1635)], "Gruß")
    });
    let text = reading_text(&passages, &|count| format!("({count})"));
    assert_eq!(
        text,
        "Reich 1 : <b>Adler</b>\n\n# Zu Euren Befehlen\nZeile 4: [B02] Feld <i> gehört nicht zum Reich. Erwartet: ein eigenes Feld.\n\
         \n# Woche 1\n\n## Ereignisse\nK.M 1 verliert 70 im Fluß.\nKampf auf 4/2:\n1.K.M 1, vorher 2000, nachher 1635\n\
         \n# Eure Heere\nK.M 1, Anzahl 1635\n\n# Nachrichten\nGruß\n\
         \n# Woche 1\n\n## Sichtungen\nK.M 1, Feld 4/-2\n\n# Woche 2\n\n## Sichtungen\n(1)\n"
    );
}

#[test]
fn two_turns_differ_by_the_lines_that_came_and_went() {
    let before = outline(&wording(), Numbers::Plain, |sink| {
        write(sink, &[("K.M 1", 2000), ("R.L 2", 800)], "alt")
    });
    let after = outline(&wording(), Numbers::Plain, |sink| {
        write(sink, &[("K.M 1", 1635), ("R.L 2", 800)], "alt")
    });
    let changes = changes(&before, &after);
    assert_eq!(
        changes.len(),
        1,
        "weeks are new every time and letters are the same: {changes:?}"
    );
    assert_eq!(changes[0].title, "Eure Heere");
    let row = |cells: &[(&str, &str, &str)]| RowChange {
        name: "Heer K.M 1".into(),
        cells: cells
            .iter()
            .map(|(title, before, after)| ((*title).into(), (*before).into(), (*after).into()))
            .collect(),
    };
    assert_eq!(changes[0].changed, [row(&[("Anzahl", "2000", "1635")])]);
    assert_eq!((changes[0].new.len(), changes[0].gone.len()), (0, 0));
}

#[test]
fn the_rules_of_a_section_stand_at_its_heading() {
    let parts = parts(Form::Story, Lists::All);
    let html = &part(&parts, "Eure Heere").html;
    let (rows, why) = (
        html.find("<table").unwrap(),
        html.find("<details class=\"why whole\">").unwrap(),
    );
    assert!(why < rows, "{html}");
}

#[test]
fn a_column_that_says_nothing_in_any_row_is_left_out() {
    let table = |counts: &[&str]| {
        let options = SheetOptions::default();
        let parts = sheet(&wording(), options, |sink| {
            sink.begin("armies", &[], &[]);
            for count in counts {
                line(
                    sink,
                    "army",
                    &[("army", Arg::Text("K.M 1")), ("n", Arg::Text(count))],
                    None,
                );
            }
            sink.end();
        });
        part(&parts, "Eure Heere").html.clone()
    };
    assert!(!table(&["", "--"]).contains("Anzahl"), "{}", table(&["", "--"]));
    let some = table(&["", "3"]);
    assert!(
        some.contains("Anzahl") && some.contains("<tr><td>K.M 1</td><td></td></tr>"),
        "{some}"
    );
}

/// Wording of a game with wide tables, lists of what stands where, and dice.
const WIDE: &str = r#"
[section]
books = "Bücher:"
[line]
narrow = "{a}"
wide = "{a}"
place = "{field}:"
host = "{who}"
season = "Zug {turn}."
treasury = "Schatz {n} GS im Jahr {year:#}."
[table]
narrow = "Armee={a}|Gelände={b}|Feld={c}|Bau={d}"
wide = "Armee={a}|Gelände={b}|Feld={c}|Bewegung={d}|Sold={a}|Befehl={b}"
place = "Wer=|Feld={field}"
host = "Wer={who}|Feld="
[passing]
season = "turn"
[die]
"TOY-MOVE-10 {army} {n}" = "Übergang von {army} {n}"
"#;

fn wide_wording() -> Wording {
    let shared = include_str!("../../../locale/de/report.toml");
    Wording::new(Language::German, &[shared, WIDE]).unwrap()
}

fn books(write: impl FnOnce(&mut dyn ReportSink)) -> String {
    let mut parts = sheet(&wide_wording(), SheetOptions::default(), |sink| {
        sink.begin("books", &[], &[]);
        write(sink);
        sink.end();
    });
    parts.remove(0).html
}

#[test]
fn a_table_too_wide_for_a_phone_names_the_column_of_every_value() {
    // 7 letters in each of four columns and two of air: 36. The same in six columns, one of them with a head of 8: 55.
    let args = ["a", "b", "c", "d"].map(|name| (name, Arg::Text("1234567")));
    let narrow = books(|sink| line(sink, "narrow", &args, None));
    assert!(
        narrow.contains("<table class=\"report\">") && !narrow.contains("data-th"),
        "{narrow}"
    );
    let wide = books(|sink| line(sink, "wide", &args, None));
    assert!(wide.contains("<table class=\"report cards\">"), "{wide}");
    for title in ["Armee", "Gelände", "Feld", "Bewegung", "Sold", "Befehl"] {
        assert!(
            wide.contains(&format!("<td data-th=\"{title}\">1234567</td>")),
            "{title}: {wide}"
        );
    }
}

#[test]
fn a_sentence_groups_what_counts_and_a_die_says_what_it_decides() {
    let mut why = why();
    why.rolls[0].name = "TOY-MOVE-10 K.M 1".into();
    let args = [("n", Arg::Int(58_700)), ("year", Arg::Int(1_024))];
    let html = books(|sink| line(sink, "treasury", &args, Some(&why)));
    assert!(html.contains("<p>Schatz 58.700 GS im Jahr 1024.</p>"), "{html}");
    assert!(html.contains("</b><span>Übergang von K.M 1 <small>"), "{html}");
    assert!(
        html.contains("<span class=\"die-name\">TOY-MOVE-10 K.M 1</span>"),
        "{html}"
    );
}

#[test]
fn in_a_comparison_armies_stand_behind_their_field_and_lines_of_one_turn_are_left_out() {
    let seen = |turn: i64, hosts: &[(&str, &[&str])]| {
        outline(&wide_wording(), Numbers::Grouped, |sink| {
            sink.begin("books", &[], &[]);
            line(sink, "season", &[("turn", Arg::Int(turn))], None);
            for (field, there) in hosts {
                line(sink, "place", &[("field", Arg::Text(field))], None);
                for host in *there {
                    line(sink, "host", &[("who", Arg::Text(host))], None);
                }
            }
            sink.end();
        })
    };
    let before = seen(7, &[("1/5", &["Heer A"]), ("2/2", &["Heer B", "Heer C"]), ("3/3", &[])]);
    let after = seen(
        8,
        &[
            ("1/5", &["Heer A", "Heer B"]),
            ("2/4", &["Heer C", "Heer D"]),
            ("3/3", &[]),
        ],
    );
    let changes = changes(&before, &after);
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0].new, ["Feld 2/4: Heer C; Heer D"]);
    assert_eq!(changes[0].gone, ["Feld 2/2: Heer B; Heer C"]);
    let cells = [("Wer".to_owned(), "Heer A".to_owned(), "Heer A; Heer B".to_owned())];
    assert_eq!(changes[0].changed.len(), 1);
    assert_eq!(
        (changes[0].changed[0].name.as_str(), &changes[0].changed[0].cells[..]),
        ("Feld 1/5", &cells[..])
    );
}
