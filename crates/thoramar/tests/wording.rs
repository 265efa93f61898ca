//! Every finding and every word of an order has its wording, in both languages.

mod support;

use kernel::diagnostic::{Diagnostic, Value};
use kernel::form::{Form, Input};
use kernel::game::Game;
use kernel::guide::Guide;
use kernel::realm::RealmId;
use std::collections::BTreeSet;
use std::path::Path;
use thoramar::Thoramar;
use thoramar::codes::Command;
use thoramar::grammar::{self, Section};
use thoramar::order::Special;
use thoramar::parse::{Seat, parse};
use thoramar::state::Computer;
use thoramar::tables::Tables;

/// The tables of the wording files of one language, laid together.
fn wording(language: &str) -> toml::Table {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../locale")
        .join(language);
    let mut all = toml::Table::new();
    for name in [
        "thoramar.toml",
        "thoramar-orders.toml",
        "thoramar-guide.toml",
        "thoramar-house.toml",
    ] {
        let text = std::fs::read_to_string(folder.join(name)).expect("a file of wording");
        let table: toml::Table = text.parse().expect("TOML");
        for (key, value) in table {
            match (all.get_mut(&key), value) {
                (Some(toml::Value::Table(known)), toml::Value::Table(more)) => {
                    for (word, text) in more {
                        assert!(
                            known.insert(word.clone(), text).is_none(),
                            "{language}: {key}.{word} stands twice"
                        );
                    }
                }
                (_, value) => drop(all.insert(key, value)),
            }
        }
    }
    all
}

fn has(wording: &toml::Table, table: &str, key: &str) -> bool {
    wording.get(table).and_then(|table| table.get(key)).is_some()
}

/// Strings such as `"A24"` or `"A35w"` in a source text.
fn codes(source: &str) -> BTreeSet<String> {
    let is_code = |word: &str| {
        let bytes = word.as_bytes();
        matches!(bytes, [letter, tens, units, rest @ ..] if letter.is_ascii_uppercase() && tens.is_ascii_digit()
            && units.is_ascii_digit() && matches!(rest, [] | [b'w']))
    };
    source
        .split('"')
        .filter(|word| is_code(word))
        .map(str::to_owned)
        .collect()
}

fn sources(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("the sources").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.extend(codes(&std::fs::read_to_string(&path).expect("a source")));
        }
    }
}

#[test]
fn every_code_has_words_in_both_languages() {
    let mut found = BTreeSet::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert!(found.contains("A01") && found.contains("S10w"));
    for language in ["de", "en"] {
        let wording = wording(language);
        let missing: Vec<&String> = found.iter().filter(|code| !has(&wording, "fault", code)).collect();
        assert_eq!(missing, Vec::<&String>::new(), "{language}");
    }
}

#[test]
fn every_word_of_the_grammar_has_words_in_both_languages() {
    let mut keys: BTreeSet<String> = BTreeSet::new();
    let mut need = |key: &str| {
        keys.insert(key.to_owned());
    };
    for section in Section::ALL {
        need(section.word());
    }
    for command in Command::ALL {
        need(grammar::command_word(*command));
    }
    for verb in grammar::VERBS {
        need(verb.pattern);
        need(verb.help);
        verb.fields
            .iter()
            .flat_map(|field| field.what.words())
            .for_each(|word| need(word));
    }
    for verb in grammar::SPECIALS {
        need(verb.pattern);
        need(verb.help);
        need(verb.word);
        need(verb.allowed());
        need(&verb.word.replace("special-", "verb-"));
        verb.fields
            .iter()
            .flat_map(|field| field.what.words())
            .for_each(|word| need(word));
    }
    let place = thoramar::geo::Place::new(0, 0);
    for special in [Special::Free(place), Special::Tame(place)] {
        need(&special.passive());
        need(&special.wanted());
    }
    for language in ["de", "en"] {
        let wording = wording(language);
        let missing: Vec<&String> = keys.iter().filter(|key| !has(&wording, "word", key)).collect();
        assert_eq!(missing, Vec::<&String>::new(), "{language}");
    }
}

/// Keys of everything that a form shows.
fn words_of_form(form: &Form, need: &mut dyn FnMut(&str)) {
    need(&form.title);
    need(&form.help);
    for field in &form.fields {
        need(&field.label);
        if let Input::Choice { choices } | Input::Army { choices, .. } | Input::Tally { choices, .. } = &field.input {
            choices.iter().for_each(|choice| need(&choice.label));
        }
    }
}

fn assert_worded(keys: &BTreeSet<String>) {
    for language in ["de", "en"] {
        let wording = wording(language);
        let missing: Vec<&String> = keys
            .iter()
            .filter(|key| !key.is_empty() && !has(&wording, "word", key))
            .collect();
        assert_eq!(missing, Vec::<&String>::new(), "{language}");
    }
}

#[test]
fn every_form_has_words_in_both_languages() {
    let mut keys: BTreeSet<String> = BTreeSet::new();
    let mut need = |key: &str| {
        keys.insert(key.to_owned());
    };
    let forms = Thoramar::order_forms();
    assert_eq!(forms.len(), grammar::VERBS.len() + grammar::SPECIALS.len());
    for order in forms {
        words_of_form(&order.form, &mut need);
    }
    let view = support::view("map 0/0 tla Adler HST");
    for form in Thoramar::calculators(&Tables::book(), &view) {
        words_of_form(&form, &mut need);
    }
    for of in Thoramar::ruling_forms() {
        words_of_form(&of.form, &mut need);
    }
    for form in Thoramar::edit_forms() {
        words_of_form(&form, &mut need);
    }
    let both = ["de", "en"].map(|language| toml::Value::Table(wording(language)));
    for rule in Thoramar::house_rule_list() {
        need(&rule.section);
        need(&rule.item_label);
        if let Input::Choice { choices } = &rule.input {
            choices.iter().for_each(|choice| need(&choice.label));
        }
        // A list of words stands there as in the files; what its words mean stands beside it.
        if rule.key.ends_with(".climates") {
            let words = rule.default.split('"').skip(1).step_by(2);
            words.for_each(|word| need(&format!("house-list-{word}")));
        }
        // Names of figures have tables of their own.
        for words in &both {
            let named = rule.label.split('.').try_fold(words, |table, part| table.get(part));
            assert!(named.is_some_and(toml::Value::is_str), "{}", rule.label);
        }
    }
    for size in Thoramar::sizes(4) {
        need(&size.label);
    }
    for kind in Thoramar::seat_kinds() {
        need(&kind.label);
    }
    for kind in thoramar::codes::Kind::ALL {
        need(&thoramar::guide::kind_word(*kind));
    }
    assert_worded(&keys);
}

/// Names in braces.
fn names(template: &str) -> BTreeSet<&str> {
    let pieces = template.split('{').skip(1);
    pieces.filter_map(|piece| piece.split('}').next()).collect()
}

/// A file with every mistake of form.
const MISTAKES: &str = "K.M 1 0 V
$X
 $A
$B
XYZ 0 0
STD
STD 4 5 Die Goldene
STD 4 5 123456789012345678901
S 0 0 190
S 0 1 1
S 1 999 1
$R
K.X 1 1 0 0
K.M 0 1 0 0
K.M 1 x 0 0
K.M 1 0 0 0
K.M 1 1 0 660
$A
K.M 1 00000000000000 V
K.M 1 11111111111111 V
K.M 1 0 X
K.M 1 0 V*
K.M 1 0 V bitte
K.M 1 0 V D.N 1 5
S.L 1 0 V HST
K.M 1 0 V K.S 2
P.K 1 0 V P.K 2
Z.B 1 0 V V.L 1
V.L 1 0 V 24
K.M 1 0 Z
$G
1 0
$V
1 X
$S
Farbe
C Atari
R Volk ; neu
R
$N
Text
#X
#1
 #2
 $A
$K
\u{7}
";

#[test]
fn findings_of_the_reader_name_every_value_that_their_wording_wants() {
    let seat = Seat {
        realm: RealmId(1),
        computer: Computer::Unsaid,
        columns: 200,
        y_min: -57,
        y_max: 58,
        realms: vec![RealmId(1)],
    };
    let text = format!("{MISTAKES}{}\n{}", "x".repeat(300), "x\n".repeat(250));
    let parsed = parse(&Tables::book(), &seat, text.as_bytes());
    let misfits = parsed.orders.iter().filter_map(|order| order.value.misfit());
    let found: Vec<&Diagnostic> = parsed.diagnostics.iter().chain(misfits).collect();
    let codes: BTreeSet<&str> = found.iter().map(|finding| finding.code.as_ref()).collect();
    assert_eq!(codes.len(), 39, "{codes:?}");
    for language in ["de", "en"] {
        let wording = wording(language);
        for finding in &found {
            check(&wording, finding);
        }
    }
}

fn check(wording: &toml::Table, finding: &Diagnostic) {
    let fault = &wording["fault"][finding.code.as_ref()];
    for part in ["text", "expect"] {
        let template = fault.get(part).and_then(toml::Value::as_str).unwrap_or_default();
        for name in names(template) {
            let value = finding.args.iter().find(|(known, _)| known == name);
            assert!(value.is_some(), "{} names no {name}", finding.code);
        }
    }
    let keys = finding.args.iter().flat_map(|(_, value)| match value {
        Value::Word { word } => vec![word.as_ref()],
        Value::Words { words } => words.iter().map(AsRef::as_ref).collect(),
        Value::Phrase { phrase, .. } => vec![phrase.as_ref()],
        Value::Int(_) | Value::Text(_) => Vec::new(),
    });
    for key in keys {
        assert!(has(wording, "word", key), "{} uses the word {key}", finding.code);
    }
}
