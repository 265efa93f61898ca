//! How a report becomes what a realm receives. The wording lives in `render`; the runner only compares it.

use kernel::diagnostic::{Diagnostic, Value};
use kernel::map::Scene;
use kernel::report::{Arg, Line, ReportSink, Term};
use kernel::rule::RuleId;
use render::html::PageOptions;
use render::locale::{Language, Wording};
use render::map::MapOptions;
use std::collections::BTreeSet;

/// Writes a report into a sink; may be called more than once.
pub type Writer<'a> = dyn Fn(&mut dyn ReportSink) + 'a;

/// Turns reports and maps into what a realm receives.
pub trait Press: Sync {
    /// The German text of a report of the game with this name.
    fn text(&self, game: &str, write: &Writer<'_>) -> String;
    /// Every form of the report that leaves the house, by name: text, HTML, JSON. The leak harness compares them all.
    fn editions(&self, game: &str, write: &Writer<'_>) -> Vec<(&'static str, String)> {
        vec![("text", self.text(game, write))]
    }
    /// One step of the arithmetic behind a line, in German.
    fn term(&self, _game: &str, term: &Term) -> String {
        serde_json::to_string(term).unwrap_or_default()
    }
    /// A finding about an order in words, in English like the rest of what the runner says; nothing where there are no words.
    fn finding(&self, _game: &str, _finding: &Diagnostic) -> String {
        String::new()
    }
    /// The drawn map.
    fn picture(&self, scene: &Scene) -> String {
        serde_json::to_string(scene).unwrap_or_default()
    }
}

/// The program's own wording: what scenarios of a real game compare.
#[derive(Clone, Copy, Debug, Default)]
pub struct RenderPress;

impl Press for RenderPress {
    fn text(&self, game: &str, write: &Writer<'_>) -> String {
        render::text::text(Wording::of(game, Language::German), |sink| write(sink))
    }

    fn editions(&self, game: &str, write: &Writer<'_>) -> Vec<(&'static str, String)> {
        let (german, english) = (
            Wording::of(game, Language::German),
            Wording::of(game, Language::English),
        );
        let options = PageOptions {
            embed_fonts: false,
            ..PageOptions::default()
        };
        vec![
            ("German text", self.text(game, write)),
            ("English text", render::text::text(english, |sink| write(sink))),
            ("page", render::html::page(german, options, |sink| write(sink))),
            ("JSON", render::json::json(german, game, |sink| write(sink))),
        ]
    }

    fn term(&self, game: &str, term: &Term) -> String {
        Wording::of(game, Language::German).term_text(term)
    }

    fn finding(&self, game: &str, finding: &Diagnostic) -> String {
        let (text, expected) = Wording::of(game, Language::English).fault(finding);
        let said = match expected.as_str() {
            "" => text,
            expected => format!("{text} Expected: {expected}"),
        };
        said.replace('\n', " ")
    }

    fn picture(&self, scene: &Scene) -> String {
        let options = MapOptions {
            embed_fonts: false,
            ..MapOptions::default()
        };
        render::map::svg(scene, &options)
    }
}

/// Keys and values without wording: enough for tests of the runner itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainPress;

impl Press for PlainPress {
    fn text(&self, _game: &str, write: &Writer<'_>) -> String {
        let mut sink = PlainSink::default();
        write(&mut sink);
        sink.0
    }
}

#[derive(Default)]
struct PlainSink(String);

impl PlainSink {
    fn write<'a>(&mut self, key: &str, args: impl Iterator<Item = (&'a str, String)>) {
        self.0.push_str(key);
        for (name, value) in args {
            self.0.push(' ');
            self.0.push_str(name);
            self.0.push('=');
            self.0.push_str(&value);
        }
        self.0.push('\n');
    }
}

fn arg(value: &Arg<'_>) -> String {
    match value {
        Arg::Int(number) => number.to_string(),
        Arg::Text(text) | Arg::Word(text) => (*text).to_owned(),
        Arg::List(phrases, joint) => {
            let phrases = phrases.iter().map(|phrase| {
                let args = phrase
                    .args
                    .iter()
                    .map(|(name, value)| format!(" {name}={}", arg(value)));
                std::iter::once(phrase.key.to_owned()).chain(args).collect::<String>()
            });
            phrases.collect::<Vec<_>>().join(joint)
        }
        Arg::Value(value) => kept(value),
    }
}

fn kept(value: &Value) -> String {
    match value {
        Value::Int(number) => number.to_string(),
        Value::Text(text) => text.clone(),
        Value::Word { word } => word.to_string(),
        Value::Words { words } => words.join(", "),
        Value::Phrase { phrase, args } => {
            let args = args.iter().map(|(name, value)| format!(" {name}={}", kept(value)));
            std::iter::once(phrase.to_string()).chain(args).collect()
        }
    }
}

impl ReportSink for PlainSink {
    fn begin(&mut self, key: &str, args: &[(&str, Arg<'_>)], _rules: &[RuleId]) {
        self.write(key, args.iter().map(|(name, value)| (*name, arg(value))));
    }

    fn end(&mut self) {}

    fn line(&mut self, line: &Line<'_>) {
        self.write(line.key, line.args.iter().map(|(name, value)| (*name, arg(value))));
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic) {
        let place = format!(
            "{}:{} {}",
            diagnostic.span.line, diagnostic.span.column, diagnostic.code
        );
        let args = diagnostic.args.iter().map(|(name, value)| (name.as_ref(), kept(value)));
        self.write(&place, args);
    }

    fn verbatim(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
    }

    fn fragment(&mut self, _id: u64, fill: &mut dyn FnMut(&mut dyn ReportSink)) {
        fill(self);
    }
}

/// Collects the rules that a report names, and sections that name none.
#[derive(Default)]
pub(crate) struct RuleSink {
    pub rules: BTreeSet<String>,
    pub sections_without_rules: BTreeSet<String>,
    open: Vec<bool>,
}

impl ReportSink for RuleSink {
    fn begin(&mut self, key: &str, _args: &[(&str, Arg<'_>)], rules: &[RuleId]) {
        self.rules.extend(rules.iter().map(|rule| rule.as_str().to_owned()));
        let answered = !rules.is_empty() || self.open.last().copied().unwrap_or(false);
        if !answered {
            self.sections_without_rules.insert(key.to_owned());
        }
        self.open.push(answered);
    }

    fn end(&mut self) {
        self.open.pop();
    }

    fn line(&mut self, line: &Line<'_>) {
        if let Some(why) = line.why {
            self.rules.extend(why.rules.iter().map(|rule| rule.to_string()));
        }
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic) {
        self.rules.extend(diagnostic.rules.iter().map(|rule| rule.to_string()));
    }

    fn verbatim(&mut self, _text: &str) {}

    fn fragment(&mut self, _id: u64, fill: &mut dyn FnMut(&mut dyn ReportSink)) {
        fill(self);
    }
}

/// Collects the arithmetic with which lines of a report answer "why?".
#[derive(Default)]
pub(crate) struct ReasonSink {
    pub terms: Vec<Term>,
}

impl ReportSink for ReasonSink {
    fn begin(&mut self, _key: &str, _args: &[(&str, Arg<'_>)], _rules: &[RuleId]) {}

    fn end(&mut self) {}

    fn line(&mut self, line: &Line<'_>) {
        self.terms
            .extend(line.why.into_iter().flat_map(|why| why.terms.iter().cloned()));
    }

    fn diagnostic(&mut self, _diagnostic: &Diagnostic) {}

    fn verbatim(&mut self, _text: &str) {}

    fn fragment(&mut self, _id: u64, fill: &mut dyn FnMut(&mut dyn ReportSink)) {
        fill(self);
    }
}
