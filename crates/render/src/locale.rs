//! Wording in German and English.
//!
//! The files under `locale/<language>/` are TOML tables of keys and templates: `map.toml` and `report.toml` for what all games
//! share, one file per game. `kernel::report` says which table holds what. Tests see to it that both languages have
//! the same keys with the same values in them, and that every template can be read.

use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasherDefault;
use std::sync::OnceLock;

use crate::die::{DieNames, Suffixes};
use crate::hash::KeyHasher;
use crate::template::{Argument, Template, TemplateError, Words, grouped, push_integer};
use kernel::diagnostic::Diagnostic;
use kernel::report::{Arg, Line};

/// The file that every game's wording begins with.
const SHARED_FILE: &str = "report";

include!(concat!(env!("OUT_DIR"), "/locale.rs"));

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

/// What is wrong with a file of wording.
#[derive(Debug, thiserror::Error)]
pub enum WordingError {
    /// It is no TOML.
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    /// A template cannot be read.
    #[error("{key}: {error}")]
    Template {
        /// The template's key.
        key: String,
        /// Its mistake.
        error: TemplateError,
    },
}

/// Reads a file of wording into dotted keys. Values that are not text are left out.
///
/// # Errors
/// If the text is no TOML.
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

/// A table of wording. Only looked up, never walked through, so its order does not matter.
type Table<V> = HashMap<Box<str>, V, BuildHasherDefault<KeyHasher>>;

/// The wording of one game in one language, ready to be filled.
#[derive(Default)]
pub struct Wording {
    language: Language,
    sections: Table<Template>,
    headings: Table<Template>,
    lines: Table<Template>,
    terms: Table<Template>,
    words: Table<Template>,
    faults: Table<(Template, Template)>,
    rows: Table<Vec<Column>>,
    prose: Table<Template>,
    dice: DieNames,
    others: Table<Template>,
}

/// A column of a line that pages draw as a row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The name of the column.
    pub title: Box<str>,
    /// What stands in it.
    pub cell: Template,
}

impl Wording {
    /// Reads files of wording; later ones take precedence.
    ///
    /// # Errors
    /// The first file or template that cannot be read.
    pub fn new(language: Language, files: &[&str]) -> Result<Self, WordingError> {
        let mut wording = Self {
            language,
            ..Self::default()
        };
        for file in files {
            for (key, text) in flatten(file)? {
                wording.add(&key, &text, &mut |key, error| {
                    Err(WordingError::Template {
                        key: key.to_owned(),
                        error,
                    })
                })?;
            }
        }
        Ok(wording)
    }

    /// The wording of a game, from the files that are part of the program. A game without a file has what all games
    /// share. Tests read every file; should one be broken all the same, its broken templates stand as they are.
    pub fn of(game: &str, language: Language) -> &'static Self {
        // Each is read when it is first asked for: a program mostly needs one of them.
        static OF_FILES: [OnceLock<Wording>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];
        static SHARED: [OnceLock<Wording>; Language::ALL.len()] = [const { OnceLock::new() }; Language::ALL.len()];
        let belongs =
            |(code, name, _): &(&str, &str, &str)| *code == language.code() && *name == game && *name != SHARED_FILE;
        match FILES.iter().position(belongs) {
            Some(file) => OF_FILES[file].get_or_init(|| Self::embedded(language, Some(game))),
            None => SHARED[language as usize].get_or_init(|| Self::embedded(language, None)),
        }
    }

    /// What all games share, then a game's own file and those that go with it: `thoramar`, `thoramar-orders`.
    fn embedded(language: Language, game: Option<&str>) -> Self {
        let mut wording = Self {
            language,
            ..Self::default()
        };
        let belongs = |name: &str| {
            let behind = game.and_then(|game| name.strip_prefix(game));
            name == SHARED_FILE || behind.is_some_and(|behind| behind.is_empty() || behind.starts_with('-'))
        };
        let of_language = FILES.iter().filter(|(code, ..)| *code == language.code());
        let mut files: Vec<(&str, &str)> = of_language.map(|(_, name, text)| (*name, *text)).collect();
        files.retain(|(name, _)| belongs(name));
        files.sort_by_key(|(name, _)| (*name != SHARED_FILE, *name));
        for (_, file) in files {
            for (key, text) in flatten(file).unwrap_or_default() {
                // The closure never fails, so neither does this.
                let _ = wording.add::<()>(&key, &text, &mut |_, _| Ok(Template::plain(&text)));
            }
        }
        wording
    }

    fn add<E>(
        &mut self,
        key: &str,
        text: &str,
        repair: &mut dyn FnMut(&str, TemplateError) -> Result<Template, E>,
    ) -> Result<(), E> {
        let mut template = || Template::new(text).or_else(|error| repair(key, error));
        let (table, name) = key.split_once('.').unwrap_or(("", key));
        match table {
            "section" => drop(self.sections.insert(name.into(), template()?)),
            "heading" => drop(self.headings.insert(name.into(), template()?)),
            "line" => drop(self.lines.insert(name.into(), template()?)),
            "term" => drop(self.terms.insert(name.into(), template()?)),
            "word" => drop(self.words.insert(name.into(), template()?)),
            "prose" => drop(self.prose.insert(name.into(), template()?)),
            "die" => self.dice.add(name, template()?),
            "table" => {
                // Without columns it is a line of their names, which pages leave out.
                let mut columns = Vec::new();
                for column in text.split('|').filter(|_| !text.is_empty()) {
                    let (title, cell) = column.split_once('=').unwrap_or(("", column));
                    let cell = Template::new(cell).or_else(|error| repair(key, error))?;
                    columns.push(Column {
                        title: title.into(),
                        cell,
                    });
                }
                self.rows.insert(name.into(), columns);
            }
            "fault" => {
                let template = template()?;
                let (code, part) = name.split_once('.').unwrap_or((name, "text"));
                let fault = self.faults.entry(code.into()).or_default();
                match part {
                    "expect" => fault.1 = template,
                    _ => fault.0 = template,
                }
            }
            _ => drop(self.others.insert(key.into(), template()?)),
        }
        Ok(())
    }

    /// Its language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The heading of a section.
    pub fn section(&self, key: &str) -> Option<&Template> {
        self.sections.get(key)
    }

    /// The heading of a section on a page: under `[heading]` where a page says it otherwise than the plain text.
    pub fn heading(&self, key: &str) -> Option<&Template> {
        self.headings.get(key).or_else(|| self.section(key))
    }

    /// Whether pages have a heading of their own for a section.
    pub(crate) fn has_own_heading(&self, key: &str) -> bool {
        self.headings.contains_key(key)
    }

    /// The wording of a line.
    pub fn line(&self, key: &str) -> Option<&Template> {
        self.lines.get(key)
    }

    /// The sentence that pages have in the place of a line of plain text: under `[prose]`.
    pub fn prose(&self, key: &str) -> Option<&Template> {
        self.prose.get(key)
    }

    /// The columns of a line that pages draw as a row of a table: under `[table]`, as `Title={value}|Title={value}`. None at all for a
    /// line that names columns in plain text, which pages leave out.
    pub fn row(&self, key: &str) -> Option<&[Column]> {
        self.rows.get(key).map(Vec::as_slice)
    }

    /// The parts of a line of plain text that pages draw as rows of a table, each of its own: the line is a list of them and nothing else.
    pub fn rows_in<'a>(&self, line: &Line<'a>) -> Option<impl Iterator<Item = Line<'a>> + use<'a>> {
        let [(_, Arg::List(parts, _))] = *line.args else {
            return None;
        };
        let why = line.why;
        let rows = parts.iter().map(move |part| Line {
            key: part.key,
            args: part.args,
            why,
        });
        let all = !parts.is_empty() && parts.iter().all(|part| self.rows.contains_key(part.key));
        all.then_some(rows)
    }

    /// How a calendar marks a stretch of time in which such a line stands: under `[mark]`, for example `war`.
    pub fn mark(&self, key: &str) -> Option<String> {
        let template = self.others.get(format!("mark.{key}").as_str())?;
        let mut out = Vec::new();
        self.fill::<(&str, Arg<'_>)>(&mut out, Some(template), key, &[]);
        Some(String::from_utf8_lossy(&out).into_owned())
    }

    /// Whether a section is part of the story that pages tell of a turn: under `[story]`. Stretches of time are always.
    pub fn tells(&self, section: &str) -> bool {
        self.others.contains_key(format!("story.{section}").as_str())
    }

    /// The wording of a step of arithmetic, or of a happening that is told outside its report: that of the report's line.
    pub fn term(&self, key: &str) -> Option<&Template> {
        self.terms.get(key).or_else(|| self.lines.get(key))
    }

    /// Appends a filled template, or the key and its values if there is none: a line is never lost.
    pub(crate) fn fill<V: Argument>(&self, out: &mut Vec<u8>, template: Option<&Template>, key: &str, args: &[V]) {
        fill_with(out, template, key, args, self);
    }

    /// The same as pages write it: numbers have their digits in groups of three.
    pub(crate) fn fill_grouped<V: Argument>(
        &self,
        out: &mut Vec<u8>,
        template: Option<&Template>,
        key: &str,
        args: &[V],
    ) {
        fill_with(out, template, key, args, &Grouped(self));
    }

    /// The name of a die in words, under `[die]`; none if the game has no words for it.
    pub fn die(&self, name: &str) -> Option<String> {
        let suffixes = Suffixes {
            numbered: self.others.get("page.die_numbered"),
            again: self.others.get("page.die_again"),
        };
        self.dice.say(name, self, suffixes)
    }

    /// Whether a line holds only for its turn, so that comparing it with that of another says nothing: under `[passing]`.
    pub(crate) fn passes(&self, key: &str) -> bool {
        self.others.contains_key(format!("passing.{key}").as_str())
    }

    /// Any other text of the files by its dotted key, filled; the key itself if there is none.
    pub fn text<V: Argument>(&self, key: &str, args: &[V]) -> String {
        let mut out = Vec::new();
        self.fill(&mut out, self.others.get(key), key, args);
        String::from_utf8_lossy(&out).into_owned()
    }

    /// A term of a game, such as the name of a step, filled; its key and values if there is no wording.
    pub fn term_text(&self, term: &kernel::report::Term) -> String {
        let mut out = Vec::new();
        self.fill(&mut out, self.term(&term.key), &term.key, &term.args);
        String::from_utf8_lossy(&out).into_owned()
    }

    /// The name of a kind of piece; its code if there is none.
    pub fn piece(&self, kind: &str) -> String {
        match self.others.get(format!("piece.{kind}").as_str()) {
            Some(template) => {
                let mut out = Vec::new();
                self.fill::<(&str, Arg<'_>)>(&mut out, Some(template), kind, &[]);
                String::from_utf8_lossy(&out).into_owned()
            }
            None => kind.to_owned(),
        }
    }

    /// The words of a key that the language decides; the key itself if there are none.
    pub fn words_of(&self, key: &str) -> String {
        let mut out = Vec::new();
        self.fill::<(&str, Arg<'_>)>(&mut out, self.words.get(key), key, &[]);
        String::from_utf8_lossy(&out).into_owned()
    }

    /// What a finding says is wrong, and what was expected; the latter may be empty.
    pub fn fault(&self, diagnostic: &Diagnostic) -> (String, String) {
        let (mut text, mut expected) = (Vec::new(), Vec::new());
        match self.faults.get(&*diagnostic.code) {
            Some((says, expects)) => {
                self.fill(&mut text, Some(says), &diagnostic.code, &diagnostic.args);
                self.fill(&mut expected, Some(expects), &diagnostic.code, &diagnostic.args);
            }
            None => self.fill(&mut text, None, &diagnostic.code, &diagnostic.args),
        }
        let string = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        (string(text), string(expected))
    }
}

fn fill_with<V: Argument>(out: &mut Vec<u8>, template: Option<&Template>, key: &str, args: &[V], words: &dyn Words) {
    match template {
        Some(template) => template.fill(out, args, words),
        None => {
            out.extend_from_slice(key.as_bytes());
            for arg in args {
                out.push(b' ');
                out.extend_from_slice(arg.name().as_bytes());
                out.push(b'=');
                arg.push(out, words);
            }
        }
    }
}

/// The words of a wording on pages, where long numbers have their digits in groups.
struct Grouped<'w>(&'w Wording);

impl Words for Grouped<'_> {
    fn word(&self, key: &str) -> Option<&Template> {
        self.0.word(key)
    }

    fn last_joint(&self) -> &str {
        self.0.last_joint()
    }

    fn number(&self, out: &mut Vec<u8>, number: i64) {
        // Short ones keep the sign that orders are written with: they may be half of the name of a field.
        if number.unsigned_abs() < 1_000 {
            push_integer(out, number);
        } else {
            out.extend_from_slice(grouped(self.0.language, number).as_bytes());
        }
    }
}

impl Words for Wording {
    fn word(&self, key: &str) -> Option<&Template> {
        // What a finding says may stand in a line, too: `fault:CODE`.
        match key.strip_prefix("fault:") {
            Some(code) => self.faults.get(code).map(|(says, _)| says),
            None => self.words.get(key),
        }
    }

    fn last_joint(&self) -> &str {
        match self.language {
            Language::German => " oder ",
            Language::English => " or ",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::report::Phrase;
    use std::collections::BTreeSet;

    fn file(code: &str, name: &str) -> BTreeMap<String, String> {
        let found = FILES.iter().find(|(c, n, _)| *c == code && *n == name);
        let (_, _, text) = found.unwrap_or_else(|| panic!("locale/{code}/{name}.toml is missing"));
        flatten(text).unwrap_or_else(|error| panic!("locale/{code}/{name}.toml: {error}"))
    }

    #[test]
    fn both_languages_have_the_same_files_keys_and_values() {
        let names: BTreeSet<&str> = FILES.iter().map(|(_, name, _)| *name).collect();
        assert!(names.contains("report") && names.contains("map"));
        for name in names {
            let (german, english) = (file("de", name), file("en", name));
            let keys = |table: &BTreeMap<String, String>| -> Vec<String> { table.keys().cloned().collect() };
            assert_eq!(keys(&german), keys(&english), "{name}.toml");
            for (key, text) in &german {
                let values = |text: &str| -> BTreeSet<String> {
                    let template = Template::new(text).unwrap_or_else(|error| panic!("{name}.toml {key}: {error}"));
                    template.names().map(str::to_owned).collect()
                };
                assert_eq!(values(text), values(&english[key]), "{name}.toml {key}");
            }
        }
    }

    #[test]
    fn tables_are_found_under_their_names() {
        let source = "[section]\nhead = \"Kopf {n}\"\n[line]\na = \"A {x:>3}\"\n[word]\nw = \"Wort\"\n[term]\nt = \"{a} + {b}\"\n\
                      [fault]\nA01 = { text = \"Falsch: {what}.\", expect = \"etwas anderes\" }\n[letter]\ngreeting = \"Hoch {name}\"\n";
        let wording = Wording::new(Language::German, &[source]).unwrap();
        assert!(wording.section("head").is_some() && wording.line("a").is_some() && wording.term("t").is_some());
        assert_eq!(wording.word("w"), Template::new("Wort").ok().as_ref());
        let span = kernel::diagnostic::Span::default();
        let fault = Diagnostic::error("A01", span, &[]).with("what", "x");
        assert_eq!(wording.fault(&fault), ("Falsch: x.".into(), "etwas anderes".into()));
        let unheard = Diagnostic::error("Z99", span, &[]).with("what", 3u32);
        assert_eq!(wording.fault(&unheard), ("Z99 what=3".into(), String::new()));
        let name = [("name", Arg::Text("Adler"))];
        assert_eq!(wording.text("letter.greeting", &name), "Hoch Adler");
        assert_eq!(wording.text("letter.unheard", &name), "letter.unheard name=Adler");
    }

    #[test]
    fn pages_part_the_digits_of_numbers_that_count_and_of_no_others() {
        let source = "[line]\nincome = \"{gs} GS auf {x}/{y} im Jahr {year:#}\"\n";
        let of = |language, number: i64| {
            let wording = Wording::new(language, &[source]).unwrap();
            let args = [("gs", number), ("x", -12), ("y", 3), ("year", 1_024)].map(|(name, n)| (name, Arg::Int(n)));
            let mut out = Vec::new();
            wording.fill_grouped(&mut out, wording.line("income"), "income", &args);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(of(Language::German, 999), "999 GS auf -12/3 im Jahr 1024");
        assert_eq!(of(Language::German, 1_000), "1.000 GS auf -12/3 im Jahr 1024");
        assert_eq!(of(Language::English, 12_345), "12,345 GS auf -12/3 im Jahr 1024");
        assert_eq!(
            of(Language::German, -1_234_567),
            "\u{2212}1.234.567 GS auf -12/3 im Jahr 1024"
        );
    }

    #[test]
    fn rows_and_marks_are_read_from_tables_of_their_own() {
        let source = "[table]\narmy = \"Heer={army}|Feld={x}/{y}|\"\n[mark]\nfought = \"war\"\n";
        let wording = Wording::new(Language::German, &[source]).unwrap();
        let row = wording.row("army").unwrap();
        let titles: Vec<&str> = row.iter().map(|column| &*column.title).collect();
        assert_eq!(titles, ["Heer", "Feld", ""]);
        assert_eq!(row[1].cell, Template::new("{x}/{y}").unwrap());
        assert_eq!(wording.row("fleet"), None);
        assert_eq!(wording.mark("fought").as_deref(), Some("war"));
        assert_eq!(wording.mark("army"), None);
    }

    #[test]
    fn a_line_that_is_a_list_of_rows_and_nothing_else_falls_into_them() {
        let source = "[table]\nyield = \"Feld={x}\"\n";
        let wording = Wording::new(Language::German, &[source]).unwrap();
        let phrase = |key| Phrase { key, args: &[] };
        let rows = |args: &[(&str, Arg<'_>)]| {
            let line = Line {
                key: "yields",
                args,
                why: None,
            };
            wording
                .rows_in(&line)
                .map(|rows| rows.map(|row| row.key.to_owned()).collect::<Vec<_>>())
        };
        let (row, other) = (phrase("yield"), phrase("road"));
        assert_eq!(
            rows(&[("items", Arg::List(&[row, row], " "))]),
            Some(vec!["yield".to_owned(); 2])
        );
        assert_eq!(rows(&[("items", Arg::List(&[row, other], " "))]), None);
        assert_eq!(rows(&[("items", Arg::List(&[row], " ")), ("x", Arg::Int(1))]), None);
        assert_eq!(rows(&[("items", Arg::List(&[], " "))]), None);
        assert_eq!(rows(&[]), None);
    }

    #[test]
    fn a_broken_template_names_its_key() {
        let error = Wording::new(Language::German, &["[line]\na = \"{x\"\n"]).err().unwrap();
        assert_eq!(error.to_string(), "line.a: a brace at byte 0 has no partner");
    }

    #[test]
    fn later_files_take_precedence() {
        let wording = Wording::new(Language::English, &["a = \"1\"\n", "a = \"2\"\n"]).unwrap();
        assert_eq!(wording.text::<(&str, Arg<'_>)>("a", &[]), "2");
    }

    #[test]
    fn languages_are_known_by_their_codes() {
        assert_eq!(Language::from_code("de"), Some(Language::German));
        assert_eq!(Language::from_code("en-GB"), Some(Language::English));
        assert_eq!(Language::from_code("fr"), None);
        assert_eq!(Language::from_code("d"), None);
        assert_eq!(Language::from_code("äö"), None);
    }
}
