//! Turns a rule catalogue (`rules/<game>.toml`) into Rust constants when a game crate is built, so that a rule id which does
//! not exist does not compile. It knows no game and is no part of the running program.
//!
//! The generated text expects `RuleId`, `Rule` and `RuleKind` of the kernel to be in scope where it is included.

use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

/// A gist is one line behind a "why?", not a paragraph.
const GIST_LENGTH_MAX: usize = 200;

/// A catalogue as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Catalogue {
    /// What every id begins with, without the hyphen.
    prefix: String,
    /// What ids of other books begin with whose rules this game carries too.
    #[serde(default)]
    guests: Vec<String>,
    rule: Vec<Entry>,
}

/// One rule as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    kind: Kind,
    chapter: String,
    de: String,
    en: String,
    #[serde(default)]
    see: Vec<String>,
}

/// The kinds of the catalogue; their names are those of the kernel's `RuleKind`.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Auto,
    Gm,
    Org,
    Lore,
    Void,
    Ruling,
    Example,
}

/// The Rust source for a catalogue, or everything that is wrong with it.
///
/// # Errors
/// One sentence per mistake: text that is no catalogue, a foreign, malformed or repeated id, an unknown id under `see`, an empty
/// or overlong gist, a void rule that does not say what replaces it.
pub fn generate(catalogue: &str) -> Result<String, Vec<String>> {
    let catalogue: Catalogue = toml::from_str(catalogue).map_err(|error| vec![error.to_string()])?;
    let problems = problems(&catalogue);
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut source = String::new();
    for rule in &catalogue.rule {
        let name = constant(&catalogue.prefix, &rule.id);
        let _ = writeln!(source, "#[doc = {:?}]", rule.en);
        let _ = writeln!(source, "pub const {name}: RuleId = RuleId::new({:?});", rule.id);
    }
    source.push_str("/// Every rule, in the order of the catalogue.\npub const RULES: &[Rule] = &[\n");
    for rule in &catalogue.rule {
        let see: Vec<String> = rule.see.iter().map(|id| constant(&catalogue.prefix, id)).collect();
        let _ = writeln!(
            source,
            "    Rule {{ id: {}, kind: RuleKind::{:?}, chapter: {:?}, de: {:?}, en: {:?}, see: &[{}] }},",
            constant(&catalogue.prefix, &rule.id),
            rule.kind,
            rule.chapter,
            rule.de,
            rule.en,
            see.join(", "),
        );
    }
    source.push_str("];\n");
    Ok(source)
}

/// For a build script: reads the catalogue, writes `rules.rs` into the build's output directory and asks to be run again when
/// the catalogue changes. Mistakes end the build and are all listed.
pub fn build(catalogue: &Path) {
    println!("cargo::rerun-if-changed={}", catalogue.display());
    let problems = match std::fs::read_to_string(catalogue) {
        Ok(text) => match (generate(&text), std::env::var_os("OUT_DIR")) {
            (Ok(source), Some(directory)) => match std::fs::write(Path::new(&directory).join("rules.rs"), source) {
                Ok(()) => return,
                Err(error) => vec![error.to_string()],
            },
            (Ok(_), None) => {
                vec!["OUT_DIR is not set: this runs only in a build script".to_owned()]
            }
            (Err(problems), _) => problems,
        },
        Err(error) => vec![error.to_string()],
    };
    for problem in problems {
        for line in problem.lines() {
            println!("cargo::error={}: {line}", catalogue.display());
        }
    }
}

/// `THO-MOVE-04` becomes `MOVE_04`, and `ARM-0.4.38` becomes `R0_4_38`, since a name cannot begin with a digit. A rule of another book keeps its
/// prefix: `KAL-18.5.1` is `KAL_18_5_1`.
fn constant(prefix: &str, id: &str) -> String {
    let name = id.strip_prefix(prefix).unwrap_or(id).trim_start_matches('-');
    let name = name.replace(['-', '.'], "_");
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        format!("R{name}")
    } else {
        name
    }
}

fn problems(catalogue: &Catalogue) -> Vec<String> {
    let mut problems = Vec::new();
    let mut known = BTreeSet::new();
    for Entry { id, .. } in &catalogue.rule {
        let mut prefixes = catalogue.guests.iter().chain([&catalogue.prefix]);
        if !prefixes.any(|prefix| is_well_formed(prefix, id)) {
            problems.push(format!("{id} is not of the form {}-CHAPTER-01", catalogue.prefix));
        }
        if !known.insert(id.as_str()) {
            problems.push(format!("{id} occurs twice"));
        }
    }
    for rule in &catalogue.rule {
        for (language, gist) in [("de", &rule.de), ("en", &rule.en)] {
            let length = gist.chars().count();
            if gist.trim().is_empty() || length > GIST_LENGTH_MAX || gist.contains('\n') {
                problems.push(format!(
                    "{}: the gist {language} has {length} characters, expected one line of 1 to {GIST_LENGTH_MAX}",
                    rule.id
                ));
            }
        }
        if rule.chapter.trim().is_empty() {
            problems.push(format!("{} has no chapter", rule.id));
        }
        for id in &rule.see {
            if !known.contains(id.as_str()) {
                problems.push(format!("{} refers to {id}, which does not exist", rule.id));
            }
            if *id == rule.id {
                problems.push(format!("{id} refers to itself"));
            }
        }
        if rule.kind == Kind::Void && rule.see.is_empty() {
            problems.push(format!(
                "{} is void and must name under `see` what replaces it",
                rule.id
            ));
        }
    }
    problems
}

/// Prefix, a chapter of capitals and digits that begins with a capital, a number of two digits or more; or prefix and the
/// numbers of a section, `0.4.38`, in a book that numbers its sections.
fn is_well_formed(prefix: &str, id: &str) -> bool {
    let parts: Vec<&str> = id.split('-').collect();
    if let [first, section] = parts.as_slice() {
        let is_number = |part: &str| !part.is_empty() && part.chars().all(|digit| digit.is_ascii_digit());
        return *first == prefix && section.contains('.') && section.split('.').all(is_number);
    }
    let [first, chapter, number] = parts.as_slice() else {
        return false;
    };
    *first == prefix
        && chapter.starts_with(|letter: char| letter.is_ascii_uppercase())
        && chapter
            .chars()
            .all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit())
        && number.len() >= 2
        && number.chars().all(|digit| digit.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::generate;

    fn catalogue(rules: &[(&str, &str, &str)]) -> String {
        let mut text = "prefix = \"THO\"\n".to_owned();
        for (id, kind, see) in rules {
            text.push_str(&format!(
                "[[rule]]\nid = {id:?}\nkind = {kind:?}\nchapter = \"c\"\nde = \"d\"\nen = \"e\"\nsee = [{see}]\n"
            ));
        }
        text
    }

    fn refused(text: &str) -> String {
        generate(text).expect_err("a faulty catalogue was accepted").join("\n")
    }

    #[test]
    fn a_rule_becomes_a_constant_and_an_entry() {
        let source = generate(&catalogue(&[
            ("THO-MOVE-04", "auto", "\"THO-GAP-01\""),
            ("THO-GAP-01", "ruling", ""),
        ]))
        .expect("the catalogue is sound");
        assert!(source.contains("pub const MOVE_04: RuleId = RuleId::new(\"THO-MOVE-04\");"));
        assert!(source.contains("kind: RuleKind::Ruling"));
        assert!(source.contains("see: &[GAP_01]"));
    }

    #[test]
    fn a_numbered_section_becomes_a_constant_too() {
        let source = generate(&catalogue(&[("THO-0.4.38", "auto", "")])).expect("the catalogue is sound");
        assert!(source.contains("pub const R0_4_38: RuleId = RuleId::new(\"THO-0.4.38\");"));
    }

    #[test]
    fn a_rule_of_another_book_keeps_its_prefix() {
        let text = catalogue(&[("KAL-18.5.1", "auto", "")]);
        assert!(refused(&text).contains("not of the form"));
        let source = generate(&format!("guests = [\"KAL\"]\n{text}")).expect("the catalogue is sound");
        assert!(source.contains("pub const KAL_18_5_1: RuleId = RuleId::new(\"KAL-18.5.1\");"));
    }

    #[test]
    fn a_repeated_id_is_refused() {
        let text = catalogue(&[("THO-MOVE-04", "auto", ""), ("THO-MOVE-04", "auto", "")]);
        assert_eq!(refused(&text), "THO-MOVE-04 occurs twice");
    }

    #[test]
    fn a_reference_into_the_void_is_refused() {
        let text = catalogue(&[("THO-MOVE-04", "auto", "\"THO-GAP-99\"")]);
        assert_eq!(refused(&text), "THO-MOVE-04 refers to THO-GAP-99, which does not exist");
    }

    #[test]
    fn a_void_rule_must_say_what_replaces_it() {
        let text = catalogue(&[("THO-MOVE-04", "void", "")]);
        assert!(refused(&text).contains("what replaces it"));
    }

    #[test]
    fn malformed_ids_and_unknown_keys_are_refused() {
        for id in [
            "PHO-MOVE-04",
            "THO-MOVE",
            "THO-move-04",
            "THO-MOVE-4",
            "THO-4-04",
            "THO-4",
            "THO-4.",
            "PHO-0.4",
        ] {
            assert!(
                refused(&catalogue(&[(id, "auto", "")])).contains("not of the form"),
                "{id}"
            );
        }
        assert!(refused("prefix = \"THO\"\nrules = []").contains("rules"));
    }

    #[test]
    fn a_gist_is_one_line_of_at_most_two_hundred_characters() {
        for (length, accepted) in [(0, false), (1, true), (200, true), (201, false)] {
            let text = catalogue(&[("THO-MOVE-04", "auto", "")])
                .replace("de = \"d\"", &format!("de = \"{}\"", "ü".repeat(length)));
            assert_eq!(generate(&text).is_ok(), accepted, "{length} characters");
        }
    }
}
