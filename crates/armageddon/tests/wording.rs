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
