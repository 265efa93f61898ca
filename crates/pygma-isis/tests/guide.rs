//! Forms write orders that read back, ways keep the rules of movement, and every word of a form has its wording.

use kernel::diagnostic::Diagnostic;
use kernel::form::{Input, Values};
use kernel::game::{Brief, Game};
use kernel::guide::Guide;
use kernel::realm::{RealmId, Viewer};
use kernel::report::{Arg, Line, ReportSink};
use kernel::rule::RuleId;
use kernel::stage::{Stage, StageLine};
use pygma_isis::PygmaIsis;
use pygma_isis::tables::Tables;
use pygma_isis::view::View;
use std::path::Path;

const WORLD: &str = "\
month 4
map 5/11 EB Adler HPT trade   5/12 EB Adler   5/13 HU Adler   5/14 GB   5/15 EB   8/11 EB Bär HPT   5/16 SA   5/17 SA   5/18 SA
road 5/11-5/12
realm Adler gold 1000000 met Bär:realm
army Adler KH 1 5000 at 5/11
army Adler RH 1 2000 at 5/11
army Adler FH 1 20 at 5/16
army Adler H 1 at 5/11";

fn view() -> (Tables, View) {
    let tables = Tables::book();
    let lines = StageLine::numbered(WORLD.lines());
    let state = PygmaIsis::world(&tables, "", &lines).expect("a world");
    let brief = Brief {
        viewer: Viewer::Realm(RealmId(1)),
        told: Vec::new(),
        diagnostics: Vec::new(),
    };
    let view = PygmaIsis::view(&tables, &state, brief);
    (tables, view)
}

/// Something that fits into a field.
fn sample(name: &str, input: &Input) -> String {
    match (name, input) {
        ("new", _) => "KH 9".to_owned(),
        ("new-trader", _) => "H 9".to_owned(),
        ("path", _) => "5/11 5/12".to_owned(),
        (_, Input::Choice { choices }) => choices[0].value.clone(),
        (_, Input::Army { choices, .. }) => choices[0].value.clone(),
        (_, Input::Number { .. }) => "1000".to_owned(),
        (_, Input::Flag) => "true".to_owned(),
        (_, Input::Place) => "5/12".to_owned(),
        (_, Input::Text { .. }) => "Wort".to_owned(),
        (_, other) => panic!("{other:?}"),
    }
}

#[test]
fn every_form_writes_an_order_that_reads_back() {
    let (tables, view) = view();
    let forms = PygmaIsis::order_forms_of(&tables, &view);
    assert_eq!(forms.len(), pygma_isis::grammar::Verb::ALL.len());
    for form in forms {
        let form = form.form;
        let mut values: Values = form
            .fields
            .iter()
            .map(|field| (field.name.to_string(), sample(&field.name, &field.input)))
            .collect();
        if form.name == "trader" {
            values.insert("new".to_owned(), "H 9".to_owned());
        }
        let written = PygmaIsis::write_order(&tables, &view, &form.name, &values);
        assert!(written.is_ok(), "{}: {written:?}", form.name);
        let required: Values = form
            .fields
            .iter()
            .filter(|field| !field.optional)
            .map(|field| {
                let name = field.name.to_string();
                let value = values[&name].clone();
                (name, value)
            })
            .collect();
        let written = PygmaIsis::write_order(&tables, &view, &form.name, &required);
        assert!(written.is_ok(), "{} without what is optional: {written:?}", form.name);
        let nothing = PygmaIsis::write_order(&tables, &view, &form.name, &Values::new());
        assert!(nothing.is_err(), "{} says something without values", form.name);
    }
}

#[test]
fn a_new_move_replaces_the_old_one_of_the_same_unit() {
    let (tables, view) = view();
    let values: Values = [("unit", "KH 1"), ("path", "5/11 > 5/12"), ("stance", "V")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
    let order = PygmaIsis::write_order(&tables, &view, "move", &values).expect("an order");
    assert_eq!(order.text, "ZUG KH 1: 5/11 > 5/12; V");
    let file = "zug KH1: 5/11; A\nZUG KH 11: 5/11; A\nHYGIENE 10000\n";
    assert_eq!(
        PygmaIsis::add_order(file, &order),
        "ZUG KH 11: 5/11; A\nHYGIENE 10000\nZUG KH 1: 5/11 > 5/12; V\n"
    );
}

#[test]
fn a_way_takes_as_many_months_as_the_rules_of_movement_say() {
    let (tables, view) = view();
    // Plain, plain, hills within one month; the mountains behind them are one more level and outside.
    let plan = PygmaIsis::route(&tables, &view, "KH 1", "5/14");
    let orders: Vec<&str> = plan.orders.iter().map(|order| order.text.as_str()).collect();
    assert_eq!(orders, ["ZUG KH 1: 5/11 > 5/12 > 5/13", "ZUG KH 1: 5/13 > 5/14"]);
    assert_eq!(plan.cost, 3);
    assert_eq!(plan.arrival.map(|arrival| arrival.step), Some(5));
    assert!(plan.steps[2].cautions.iter().any(|word| word == "caution-losses"));
    // Water is no way for warriors, and land none for ships.
    assert!(PygmaIsis::route(&tables, &view, "KH 1", "5/16").orders.is_empty());
    assert!(PygmaIsis::route(&tables, &view, "FH 1", "5/12").orders.is_empty());
    assert_eq!(PygmaIsis::route(&tables, &view, "FH 1", "5/18").cost, 2);
    let near: Vec<String> = PygmaIsis::reach(&tables, &view, "KH 1", 1)
        .into_iter()
        .map(|reached| reached.place)
        .collect();
    assert!(
        near.contains(&"5/13".to_owned()) && !near.contains(&"5/14".to_owned()),
        "{near:?}"
    );
}

#[test]
fn a_stationary_army_has_no_way_until_an_arming_month_releases_it() {
    let at = |month: u32| {
        let tables = Tables::book();
        let world =
            format!("month {month}\nmap 5/11 EB Adler HPT   5/12 EB Adler\narmy Adler KH 1 5000 at 5/11 stationed");
        let state = PygmaIsis::world(&tables, "", &StageLine::numbered(world.lines())).expect("a world");
        let brief = Brief {
            viewer: Viewer::Realm(RealmId(1)),
            told: Vec::new(),
            diagnostics: Vec::new(),
        };
        let view = PygmaIsis::view(&tables, &state, brief);
        let plan = PygmaIsis::route(&tables, &view, "KH 1", "5/12");
        let codes: Vec<String> = plan.findings.iter().map(|finding| finding.code.to_string()).collect();
        (
            codes,
            plan.orders.len(),
            PygmaIsis::reach(&tables, &view, "KH 1", 1).is_empty(),
        )
    };
    assert_eq!(at(3), (vec!["E_STATIONARY".to_owned()], 0, true));
    assert_eq!(at(4), (Vec::new(), 1, false));
}

#[test]
fn a_preview_moves_armies_and_tells_nothing_of_the_unknown() {
    let (tables, view) = view();
    let after = PygmaIsis::preview(&tables, &view, b"ZUG KH 1: 5/11 > 5/12 > 5/13; V").expect("a preview");
    let army = after
        .armies
        .iter()
        .find(|army| army.name.to_string() == "KH 1")
        .expect("the army");
    assert_eq!(army.place.to_string(), "5/13");
    assert!(after.fields.iter().all(|field| field.terrain.code() != "??"));
}

#[test]
fn every_word_of_a_form_has_its_wording_in_both_languages() {
    let (tables, view) = view();
    for language in ["de", "en"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../locale")
            .join(language);
        let mut words = String::new();
        for file in std::fs::read_dir(folder).expect("the wording") {
            let path = file.expect("a file").path();
            if path.to_string_lossy().contains("pygma-isis") {
                words.push_str(&std::fs::read_to_string(path).expect("text"));
            }
        }
        let need = |key: &str| {
            let found = key.is_empty() || words.lines().any(|line| line.starts_with(&format!("{key} = ")));
            assert!(found, "{language}: {key}");
        };
        let mut forms = PygmaIsis::calculators(&tables, &view);
        for form in PygmaIsis::order_forms_of(&tables, &view) {
            for key in [form.section, form.pattern] {
                need(key);
            }
            forms.push(form.form);
        }
        for form in forms {
            for key in [&form.title, &form.help] {
                need(key);
            }
            for field in &form.fields {
                need(&field.label);
                if let Input::Choice { choices } = &field.input {
                    for choice in choices {
                        need(&choice.label);
                    }
                }
            }
        }
    }
}

/// The lines that a calculator writes.
fn reckoned(values: &[(&str, &str)]) -> Vec<String> {
    let (tables, view) = view();
    let values: Values = values
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    let mut lines = Lines::default();
    PygmaIsis::calculate(&tables, &view, "battle", &values, &mut lines);
    lines.0
}

/// Keeps the key and the numbers of every line.
#[derive(Default)]
struct Lines(Vec<String>);

impl ReportSink for Lines {
    fn begin(&mut self, key: &str, args: &[(&str, Arg<'_>)], _rules: &[RuleId]) {
        self.line(&Line { key, args, why: None });
    }

    fn end(&mut self) {}

    fn line(&mut self, line: &Line<'_>) {
        let mut text = line.key.to_owned();
        for (_, arg) in line.args {
            match arg {
                Arg::Int(number) => text.push_str(&format!(" {number}")),
                Arg::Text(word) if !word.is_empty() => text.push_str(&format!(" {word}")),
                _ => {}
            }
        }
        self.0.push(text);
    }

    fn verbatim(&mut self, _text: &str) {}

    fn fragment(&mut self, _id: u64, fill: &mut dyn FnMut(&mut dyn ReportSink)) {
        fill(self);
    }

    fn diagnostic(&mut self, finding: &Diagnostic) {
        self.0.push(finding.code.to_string());
    }
}

#[test]
fn a_battle_is_reckoned_by_the_rules() {
    // PYG-GAP-45: 10,000 K beat 5 points and lose 1,250. PYG-GAP-46: 5,000 K at 5 points against 10 lose 3,750.
    let lines = reckoned(&[("own", "KH 10000"), ("enemy", "KH 5000"), ("comes", "own")]);
    let told = [
        "calc-battle",
        "calc-won",
        "calc-own 10 0",
        "battle-army KH 1 10000 8750 K 10",
        "calc-enemy 5 0",
    ];
    assert_eq!(lines[..5], told);
    assert_eq!(lines[5], "battle-army KH 1 5000 1250 K 5");
    // A town doubles whoever stands in it, walls give four times as much; then nobody wins with equal points.
    let lines = reckoned(&[("own", "KH 10000"), ("enemy", "KH 5000"), ("town", "town")]);
    assert_eq!(lines[1..3], ["calc-tie", "calc-own 10 0"]);
    let lines = reckoned(&[("own", "KH 10000"), ("enemy", "KH 5000"), ("town", "fortified")]);
    assert_eq!(lines[1..3], ["calc-lost", "calc-own 10 0"]);
    // PYG-FIGHT-03: 3,600 riders in the highland have 8 points, whoever comes.
    let lines = reckoned(&[
        ("own", "RH 3600"),
        ("enemy", "KH 1000"),
        ("terrain", "HE"),
        ("from", "HE"),
    ]);
    assert_eq!(lines[2], "calc-own 8 0");
    // Nobody comes out of the plain onto the plateau; fleets and land armies do not meet.
    assert_eq!(
        reckoned(&[("own", "KH 3000"), ("enemy", "KH 1000"), ("terrain", "HE")]),
        ["E_HEIGHT"]
    );
    assert_eq!(reckoned(&[("own", "KH 3000"), ("enemy", "FH 10")]), ["E_SYNTAX"]);
    assert_eq!(
        reckoned(&[("own", "KH viele"), ("enemy", "")]),
        ["E_SYNTAX", "E_SYNTAX"]
    );
    let lines = reckoned(&[("own", "FH 100"), ("enemy", "FH 50"), ("comes", "enemy")]);
    assert_eq!(lines[1..3], ["calc-won", "calc-own 10 0"]);
}

#[test]
fn the_lines_of_a_file_are_told_by_the_armies_they_command() {
    let (tables, view) = view();
    let commanded = |file: &str| -> Vec<(String, u32)> {
        let list = PygmaIsis::commanded(&tables, &view, file).expect("a seat");
        list.into_iter().map(|of| (of.army, of.line)).collect()
    };
    assert_eq!(commanded("HYGIENE 1000\n"), []);
    let file = "ZUG KH 1: 5/11 > 5/12; V\nHYGIENE 1000\nVEREINE RH 1 > RH 2\n";
    let (own, second, third) = ("KH 1".to_owned(), "RH 1".to_owned(), "RH 2".to_owned());
    assert_eq!(commanded(file), [(own, 1), (second, 3), (third, 3)]);
}
