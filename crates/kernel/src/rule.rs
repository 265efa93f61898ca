//! Rule ids: one name in the catalogue, the code, an event, a scenario and a report line.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The id of a rule of some rule book, for example `THO-MOVE-04`.
///
/// Constants of this type are generated from `rules/<game>.toml`, so an id that is not in the catalogue does not
/// compile. Only generated code should call [`RuleId::new`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(&'static str);

impl RuleId {
    /// Names a rule. Called by the generated constants.
    pub const fn new(id: &'static str) -> Self {
        Self(id)
    }

    /// The id as it is written everywhere.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

impl fmt::Debug for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Serialize for RuleId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

/// What a rule asks of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleKind {
    /// Adjudicated by the program.
    Auto,
    /// Left to the game master, with tools.
    Gm,
    /// Organisation around the game: files, accounts, fees.
    Org,
    /// Background without effect.
    Lore,
    /// A sentence of the book that another one overrules; its effect must be absent.
    Void,
    /// Our ruling where the book is silent; a typed default that a world can change.
    Ruling,
    /// A worked example of the book.
    Example,
}

/// One entry of a rule catalogue.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Rule {
    /// Its id.
    pub id: RuleId,
    /// What it asks of the program.
    pub kind: RuleKind,
    /// The chapter it belongs to.
    pub chapter: &'static str,
    /// The rule in one German sentence.
    pub de: &'static str,
    /// The rule in one English sentence.
    pub en: &'static str,
    /// Rules to read with it.
    pub see: &'static [RuleId],
}
