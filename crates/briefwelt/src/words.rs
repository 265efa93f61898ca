//! What the program says, in the language of `--lang`: from `locale/{de,en}/program.toml`.

use crate::cli::Cli;
use crate::press;
use kernel::report::Arg;
use render::locale::Wording;
use std::fmt::Display;

/// Texts of the program in one language.
#[derive(Clone, Copy)]
pub struct Words(&'static Wording);

impl Words {
    /// In the language that was asked for.
    pub fn of(cli: &Cli) -> Self {
        Self(Wording::of("program", press::language(cli.lang)))
    }

    /// A text without values.
    pub fn t(self, key: &str) -> String {
        self.with(key, &[])
    }

    /// A text with values.
    pub fn with(self, key: &str, values: &[(&str, &dyn Display)]) -> String {
        let values: Vec<(&str, String)> = values.iter().map(|(name, value)| (*name, value.to_string())).collect();
        let values: Vec<(&str, Arg<'_>)> = values.iter().map(|(name, value)| (*name, Arg::Text(value))).collect();
        self.0.text(&format!("program.{key}"), &values)
    }

    /// A number of things: `1 error`, `2 errors`.
    pub fn count(self, things: &str, number: impl TryInto<i64>) -> String {
        let number = number.try_into().unwrap_or(i64::MAX);
        let form = if number == 1 { "one" } else { "other" };
        self.with(&format!("{things}.{form}"), &[("count", &number)])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::Path;

    /// Keys of a file with the names of their values.
    fn texts(language: &str) -> BTreeMap<String, BTreeSet<String>> {
        let file = format!("{}/../../locale/{language}/program.toml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(file).unwrap();
        let table: toml::Table = text.parse().unwrap();
        let mut found = BTreeMap::new();
        let mut note = |key: String, text: &str| {
            let names = text.split('{').skip(1).filter_map(|part| part.split('}').next());
            found.insert(key, names.map(str::to_owned).collect());
        };
        for (key, value) in table["program"].as_table().unwrap() {
            match value {
                toml::Value::Table(forms) => {
                    for (form, text) in forms {
                        note(format!("{key}.{form}"), text.as_str().unwrap());
                    }
                }
                text => note(key.clone(), text.as_str().unwrap()),
            }
        }
        found
    }

    fn sources(folder: &Path, text: &mut String) {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            match entry.path() {
                path if path.is_dir() => sources(&path, text),
                path => *text += &std::fs::read_to_string(path).unwrap(),
            }
        }
    }

    #[test]
    fn both_languages_say_the_same_and_nothing_that_nobody_says() {
        let (german, english) = (texts("de"), texts("en"));
        assert_eq!(german, english);
        let mut code = String::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut code);
        for key in german.keys() {
            let key = key.split('.').next().unwrap_or_default();
            assert!(code.contains(&format!("\"{key}\"")), "nobody says {key}");
        }
    }
}
