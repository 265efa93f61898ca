//! Every die that a scenario names can be said in words, in both languages.

use render::locale::{Language, Wording};
use std::path::{Path, PathBuf};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|end| end == "md") {
            found.push(path);
        }
    }
}

/// The name in a line such as `THO-COMB-02 Adler 1/1 week 3 = 97`.
fn die_of(line: &str) -> Option<&str> {
    let (name, value) = line.trim().split_once(" = ")?;
    value.trim().parse::<i64>().ok()?;
    let (rule, _) = name.split_once(' ')?;
    let mut parts = rule.splitn(3, '-');
    let capital = |part: &str| !part.is_empty() && part.chars().all(|letter| letter.is_ascii_uppercase());
    let is_rule = capital(parts.next()?) && capital(parts.next()?) && parts.next()?.parse::<u32>().is_ok();
    is_rule.then_some(name)
}

#[test]
fn every_die_of_the_scenarios_has_words_in_both_languages() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    // The runner's own examples play no game.
    let played =
        |entry: &std::fs::DirEntry| entry.path().is_dir() && !entry.file_name().to_string_lossy().starts_with('_');
    let mut dice = 0;
    let mut dumb = Vec::new();
    for game in std::fs::read_dir(root).unwrap().flatten().filter(played) {
        let name = game.file_name().into_string().unwrap();
        let mut found = Vec::new();
        files(&game.path(), &mut found);
        for file in found {
            let text = std::fs::read_to_string(&file).unwrap();
            for die in text.lines().filter_map(die_of) {
                dice += 1;
                let said = |language| Wording::of(&name, language).die(die);
                if Language::ALL.into_iter().any(|language| said(language).is_none()) {
                    dumb.push(format!("{die} in {}", file.display()));
                }
            }
        }
    }
    assert!(dice > 100, "only {dice} dice found: their lines look otherwise now");
    assert!(dumb.is_empty(), "no words under [die] for\n{}", dumb.join("\n"));
}
