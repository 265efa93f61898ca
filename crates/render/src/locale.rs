//! Wording in German and English.
//!
//! The files under `locale/<language>/` are TOML tables of keys and templates. Nested tables become dotted keys. A test
//! sees to it that both languages have the same keys with the same values in them.

use std::collections::BTreeMap;

/// A language reports and maps are written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    /// German, the language of the rule books.
    #[default]
    German,
    /// English.
    English,
}

impl Language {
    /// Both.
    pub const ALL: [Self; 2] = [Self::German, Self::English];

    /// The language of a code such as `de`, `en` or `en-GB`; none for others.
    pub fn from_code(code: &str) -> Option<Self> {
        match code.get(..2).unwrap_or_default() {
            "de" | "DE" => Some(Self::German),
            "en" | "EN" => Some(Self::English),
            _ => None,
        }
    }

    /// Its code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::German => "de",
            Self::English => "en",
        }
    }
}

/// Reads a file of wording into dotted keys. Values that are not text are left out.
pub fn flatten(source: &str) -> Result<BTreeMap<String, String>, toml::de::Error> {
    let table: toml::Table = source.parse()?;
    let mut out = BTreeMap::new();
    collect(&mut out, "", &table);
    Ok(out)
}

fn collect(out: &mut BTreeMap<String, String>, prefix: &str, table: &toml::Table) {
    for (key, value) in table {
        let key = if prefix.is_empty() {
            key.clone()
        } else {
            format!("{prefix}.{key}")
        };
        match value {
            toml::Value::String(text) => {
                out.insert(key, text.clone());
            }
            toml::Value::Table(inner) => collect(out, &key, inner),
            _ => {}
        }
    }
}
