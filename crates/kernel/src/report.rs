//! A report as a stream of typed lines. A game says what stands where; `render` knows how it is worded and drawn.
//!
//! Wordings stand in `locale/<language>/<game>.toml`: headings of sections under `[section]`, lines under `[line]`, [`Arg::Word`]
//! and [`Value::Word`] under `[word]`, [`Term`]s under `[term]`, findings under `[fault]` as `CODE = { text = "..", expect = ".." }`.
//! Pages draw a line that also stands under `[table]` as a row of a table (`Title={value}|Title={value}`; with nothing there it is a line of
//! column names, which only plain text has), JSON gives its cells, and mark a stretch of time in their calendar by what
//! stands under `[mark]` for one of its lines.
//! In plain text a heading is a line of its own, or nothing if its wording is empty; a line whose wording is empty is an
//! empty line. The sink adds no lines: a game places its empty lines itself, with the key `blank`. Pages skip them.
//!
//! Nothing is collected: a game calls a [`ReportSink`] line by line, so a report of millions of lines costs no
//! memory. Blocks that recur (a field seen by ten armies) are given once as a fragment and repeated.

use crate::diagnostic::{Diagnostic, Name, Value};
use crate::dice::Roll;
use crate::rule::{RuleId, RuleNames};
use serde::{Deserialize, Serialize};

/// A value in a report line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arg<'a> {
    /// A whole number.
    Int(i64),
    /// Words that are the same in every language.
    Text(&'a str),
    /// A key whose words depend on the language.
    Word(&'a str),
    /// Several phrases in a row with this text between them, for a line whose parts come and go.
    List(&'a [Phrase<'a>], &'a str),
    /// A value as messages keep it.
    Value(&'a Value),
}

/// A part of a line: its wording stands under `[word]` and may hold values like that of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Phrase<'a> {
    /// Key of the wording.
    pub key: &'a str,
    /// Its values.
    pub args: &'a [(&'a str, Arg<'a>)],
}

/// One line of a report.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Key of the wording in `locale/<language>/<game>.toml`.
    pub key: &'a str,
    /// The values of the wording.
    pub args: &'a [(&'a str, Arg<'a>)],
    /// The answer to "why?"; a line without its own takes that of its section.
    pub why: Option<&'a Why>,
}

/// The answer to "why?": rules, dice and arithmetic, as far as the viewer may know them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Why {
    /// The rules that decided.
    pub rules: RuleNames,
    /// Dice the viewer may see.
    pub rolls: Vec<Roll>,
    /// How many dice fell that stay sealed for this viewer until the world ends.
    #[serde(default)]
    pub sealed: u32,
    /// The arithmetic, step by step.
    #[serde(default)]
    pub terms: Vec<Term>,
}

/// One step of an arithmetic: wording key and values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Term {
    /// Key of the wording.
    pub key: Name,
    /// Its values.
    pub args: Vec<(Name, Value)>,
}

/// Receives a report.
pub trait ReportSink {
    /// Opens a section. `key` is its heading in the locale; `rules` answer "why?" for lines without their own answer.
    fn begin(&mut self, key: &str, args: &[(&str, Arg<'_>)], rules: &[RuleId]);
    /// Closes the section opened last.
    fn end(&mut self);
    /// Writes a line.
    fn line(&mut self, line: &Line<'_>);
    /// Writes a finding about the player's orders.
    fn diagnostic(&mut self, diagnostic: &Diagnostic);
    /// Writes the player's or another person's own words, to be shown as they are.
    fn verbatim(&mut self, text: &str);
    /// Writes the fragment `id`. Only the first call in a report runs `fill`; later ones repeat what it wrote, so a fragment
    /// stands only in sections of the same rules.
    fn fragment(&mut self, id: u64, fill: &mut dyn FnMut(&mut dyn ReportSink));
}
