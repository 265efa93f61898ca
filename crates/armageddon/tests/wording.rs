//! Every finding and every happening has its wording, in both languages.

use std::collections::BTreeSet;
use std::path::Path;

/// The tables of the wording files of one language, laid together.
fn wording(language: &str) -> toml::Table {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../locale")
        .join(language);
    let mut all = toml::Table::new();
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of wording")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            path.file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with("armageddon"))
        })
        .collect();
    files.sort();
    for file in files {
        let text = std::fs::read_to_string(file).expect("a file of wording");
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

/// All source files below a folder.
fn sources(folder: &Path, out: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, out);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            // Tests at the end of a file name codes too, but only ones that the code above them gives.
            out.push(text);
        }
    }
}

/// The first string behind each of these openings.
fn named_after(openings: &[&str]) -> BTreeSet<String> {
    let mut texts = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut texts);
    let mut names = BTreeSet::new();
    for text in &texts {
        for opening in openings {
            for (at, _) in text.match_indices(opening) {
                let rest = text[at + opening.len()..].trim_start();
                let name = rest.strip_prefix('"').and_then(|rest| rest.split('"').next());
                names.extend(name.map(str::to_owned));
            }
        }
    }
    names
}

fn missing(table: &str, names: &BTreeSet<String>) -> Vec<String> {
    let mut missing = Vec::new();
    for language in ["de", "en"] {
        let wording = wording(language);
        for name in names {
            if wording.get(table).and_then(|table| table.get(name)).is_none() {
                missing.push(format!("{language}: {table}.{name}"));
            }
        }
    }
    missing
}

#[test]
fn every_finding_has_its_wording() {
    let codes = named_after(&[
        "Refusal::new(",
        "refusal(scene,",
        ".fault(",
        ".fault_at(",
        ".read(",
        ".side(",
        "Diagnostic::error(",
        "Diagnostic::warning(",
        "Diagnostic::hint(",
    ]);
    assert!(codes.len() > 50, "only {} codes found", codes.len());
    assert_eq!(missing("fault", &codes), Vec::<String>::new());
}

#[test]
fn every_happening_has_its_wording() {
    let keys = named_after(&[".telling("]);
    assert!(keys.contains("stepped"));
    assert_eq!(missing("line", &keys), Vec::<String>::new());
}

#[test]
fn every_place_has_its_wording() {
    let phrases = named_after(&["Some(", "=> (", "None => ("]);
    let places: BTreeSet<String> = phrases.into_iter().filter(|key| key.starts_with("place-")).collect();
    assert!(
        places.contains("place-stern") && places.contains("place-water"),
        "{places:?}"
    );
    assert_eq!(missing("word", &places), Vec::<String>::new());
}

#[test]
fn whatever_a_line_of_a_set_up_may_lack_has_its_wording() {
    let wanted = strings_beginning(&["wanted-"]);
    assert!(wanted.len() > 20, "only {} found", wanted.len());
    assert_eq!(missing("word", &wanted), Vec::<String>::new());
}

#[test]
fn no_wording_is_left_over() {
    let mut texts = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut texts);
    for table in ["fault", "line", "section"] {
        let wording = wording("de");
        let keys = wording
            .get(table)
            .and_then(toml::Value::as_table)
            .expect("a table of wording");
        for key in keys.keys().filter(|key| *key != "blank") {
            let used = texts.iter().any(|text| text.contains(&format!("\"{key}\"")));
            assert!(used, "{table}.{key} is worded but never said");
        }
    }
}

/// Every string in the sources that begins so.
fn strings_beginning(prefixes: &[&str]) -> BTreeSet<String> {
    let mut texts = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut texts);
    let plain = |name: &&str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let mut names = BTreeSet::new();
    for text in &texts {
        for name in text.split('"').filter(plain) {
            if prefixes
                .iter()
                .any(|prefix| name.starts_with(prefix) && name.len() > prefix.len())
            {
                names.insert(name.to_owned());
            }
        }
    }
    names
}

#[test]
fn everything_about_the_board_has_its_wording() {
    let terms = strings_beginning(&["offer-", "note-", "frame-"]);
    assert!(terms.len() > 60, "only {} terms found", terms.len());
    assert_eq!(missing("term", &terms), Vec::<String>::new());
    let words = strings_beginning(&[
        "group-",
        "chance-",
        "state-",
        "stage-",
        "terrain-",
        "building-",
        "centre-",
        "chart-",
        "orders-",
        "choice-",
        "fitting-",
        "label-",
        "figure-",
    ]);
    assert!(words.len() > 100, "only {} words found", words.len());
    // Happenings and the name of a step of the turn, which are no words of the board.
    let others = [
        "centre-taken",
        "centre-razed",
        "centre-being-razed",
        "centre-gone",
        "centre-plundered",
        "terrain-danger",
    ];
    let known = |name: &String| {
        let of_findings = wording("de").get("fault").and_then(|table| table.get(name)).is_some();
        !of_findings && !others.contains(&name.as_str())
    };
    let words: BTreeSet<String> = words.into_iter().filter(known).collect();
    assert_eq!(missing("word", &words), Vec::<String>::new());
}

#[test]
fn every_form_and_house_rule_has_its_wording() {
    use armageddon::Armageddon;
    use kernel::form::{Form, Input};
    use kernel::game::Game;
    use kernel::guide::Guide;
    let mut words = BTreeSet::new();
    let choices = |input: &Input, words: &mut BTreeSet<String>| {
        if let Input::Choice { choices } = input {
            words.extend(
                choices
                    .iter()
                    .map(|choice| choice.label.to_string())
                    .filter(|label| !label.is_empty()),
            );
        }
    };
    let form = |form: &Form, words: &mut BTreeSet<String>| {
        words.insert(form.title.to_string());
        words.insert(form.help.to_string());
        for field in &form.fields {
            words.insert(field.label.to_string());
            choices(&field.input, words);
        }
    };
    for order in Armageddon::order_forms() {
        words.extend([order.section, order.pattern, order.help].map(str::to_owned));
        form(&order.form, &mut words);
    }
    Armageddon::edit_forms().iter().for_each(|one| form(one, &mut words));
    for ruling in Armageddon::ruling_forms() {
        words.insert(ruling.form.title.to_string());
        words.extend(ruling.form.fields.iter().map(|field| field.label.to_string()));
    }
    let mut labels = BTreeSet::new();
    for rule in Armageddon::house_rule_list() {
        words.insert(rule.section.to_string());
        words.extend(Some(rule.item_label.to_string()).filter(|label| !label.is_empty()));
        choices(&rule.input, &mut words);
        labels.insert(rule.label.to_string());
    }
    words.extend(Armageddon::sizes(2).iter().map(|size| size.label.to_string()));
    assert_eq!(missing("word", &words), Vec::<String>::new());
    for language in ["de", "en"] {
        let wording = wording(language);
        for label in &labels {
            let found = label
                .split('.')
                .try_fold(toml::Value::Table(wording.clone()), |table, key| {
                    table.get(key).cloned()
                });
            assert!(found.is_some_and(|text| text.is_str()), "{language}: {label}");
        }
    }
}

#[test]
fn every_kind_has_its_name_among_the_pieces() {
    for language in ["de", "en"] {
        let wording = wording(language);
        let pieces = wording.get("piece").and_then(toml::Value::as_table).expect("pieces");
        assert_eq!(pieces.len(), armageddon::kinds::Kind::all().count(), "{language}");
    }
}
