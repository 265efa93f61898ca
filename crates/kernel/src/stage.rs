//! What a game offers to scenarios: a world in a few lines of text, and its state as comparable facts.
//!
//! A scenario is read by game masters, so the words are those of the book. The runner in `testkit` knows no game: it
//! compares facts before and after, events by rule and words, and what each realm is told.

use crate::guide::Guide;
use crate::misread::Misread;
use crate::realm::RealmId;
use std::collections::BTreeMap;

/// The state as facts: subject (`army Adler K.M 1`) to attribute (`count`) to value (`2000`).
pub type Facts = BTreeMap<String, BTreeMap<String, String>>;

/// A line of a scenario block with its number in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StageLine {
    /// Line number in the scenario file, from 1.
    pub line: u32,
    /// The text without comment and surrounding blanks.
    pub text: String,
}

impl StageLine {
    /// Lines of a world that is written in a test or by a program, numbered from 1; empty ones are left out.
    pub fn numbered<T: AsRef<str>>(lines: impl IntoIterator<Item = T>) -> Vec<Self> {
        let numbered = (1u32..).zip(lines).map(|(line, text)| Self {
            line,
            text: text.as_ref().trim().to_owned(),
        });
        numbered.filter(|line| !line.text.is_empty()).collect()
    }
}

/// A line that could not be understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StageError {
    /// Line number in the scenario file.
    pub line: u32,
    /// What is wrong and what was expected.
    pub message: String,
}

/// A game that scenarios can be written for.
pub trait Stage: Guide {
    /// Builds a world from the lines of a `world` block; `house_rules` become part of it.
    fn world(tables: &Self::Tables, house_rules: &str, lines: &[StageLine]) -> Result<Self::State, Vec<StageError>>;
    /// The realms of a world by the names that a scenario uses, those that have fallen included.
    fn realms(state: &Self::State) -> Vec<(RealmId, String)>;
    /// The whole state as facts, in the words a scenario uses. No subject holds a colon, no attribute a blank.
    fn facts(tables: &Self::Tables, state: &Self::State) -> Facts;
    /// An event in a few words; expectations compare with its beginning. `state` is the world after the step.
    fn event_words(state: &Self::State, event: &Self::Event) -> String;
    /// A notice in a few words. `state` is the world after the step.
    fn notice_words(state: &Self::State, notice: &Self::Notice) -> String;
    /// Reads a judgement of a `rulings` block. `state` is the world before the step.
    fn ruling(state: &Self::State, text: &str) -> Result<Self::Ruling, Misread>;
    /// A realm's number by the name that the scenario uses.
    fn realm(state: &Self::State, name: &str) -> Option<RealmId> {
        Self::realms(state)
            .into_iter()
            .find(|(_, known)| known == name)
            .map(|(realm, _)| realm)
    }
}
