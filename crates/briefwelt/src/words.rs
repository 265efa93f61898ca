//! What the program says, in the language of `--lang`: from `locale/{de,en}/program*.toml`.

use crate::cli::{Cli, Lang};
use crate::press;
use kernel::report::Arg;
use render::locale::{Language, Wording};
use std::fmt::Display;

/// Texts of the program in one language.
#[derive(Clone, Copy)]
pub struct Words(&'static Wording);

impl Words {
    /// In the language that was asked for.
    pub fn of(cli: &Cli) -> Self {
        Self::in_language(cli.lang)
    }

    /// In a language.
    pub fn in_language(lang: Lang) -> Self {
        Self(Wording::of("program", press::language(lang)))
    }

    /// A text without values.
    pub fn t(self, key: &str) -> String {
        self.with(key, &[])
    }

    /// A text with values.
    pub fn with(self, key: &str, values: &[(&str, &dyn Display)]) -> String {
        self.help_with(&format!("program.{key}"), values)
    }

    /// A text of the help, by its whole key.
    pub fn help(self, key: &str) -> String {
        self.help_with(key, &[])
    }

    /// A text of the help with values.
    pub fn help_with(self, key: &str, values: &[(&str, &dyn Display)]) -> String {
        let values: Vec<(&str, String)> = values.iter().map(|(name, value)| (*name, value.to_string())).collect();
        let values: Vec<(&str, Arg<'_>)> = values.iter().map(|(name, value)| (*name, Arg::Text(value))).collect();
        self.0.text(key, &values)
    }

    /// A text of the help that need not be there.
    pub fn find(self, key: &str) -> Option<String> {
        // What has no words is told by its key.
        Some(self.help(key)).filter(|text| text != key)
    }

    /// A number with a fraction.
    pub fn decimal(self, number: f64, places: usize) -> String {
        let text = format!("{number:.places$}");
        match self.0.language() {
            Language::German => text.replace('.', ","),
            Language::English => text,
        }
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
    use render::locale::flatten;
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::Path;

    /// Keys of a file with the names of their values.
    fn texts(language: &str, file: &str) -> BTreeMap<String, BTreeSet<String>> {
        let path = format!("{}/../../locale/{language}/{file}.toml", env!("CARGO_MANIFEST_DIR"));
        let texts = flatten(&std::fs::read_to_string(path).unwrap()).unwrap();
        let names = |text: &str| {
            let text = text.replace("{{", "");
            let names = text.split('{').skip(1).filter_map(|part| part.split('}').next());
            names.map(str::to_owned).collect()
        };
        texts.iter().map(|(key, text)| (key.clone(), names(text))).collect()
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
        let mut code = String::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut code);
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../host/src"), &mut code);
        for file in ["program", "program-errors", "program-help"] {
            let (german, english) = (texts("de", file), texts("en", file));
            assert_eq!(german, english);
            // The words of the help have a test of their own, next to it.
            for key in german
                .keys()
                .filter(|key| key.starts_with("clap.") || file != "program-help")
            {
                let parts: Vec<&str> = key.split('.').collect();
                let said = parts.get(1).copied().unwrap_or_default();
                let whole = format!("\"{key}\"");
                assert!(
                    code.contains(&format!("\"{said}\"")) || code.contains(&whole),
                    "nobody says {key}"
                );
            }
        }
    }
}
