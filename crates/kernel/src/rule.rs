//! Rule ids: one name in the catalogue, the code, an event, a scenario and a report line.

use crate::turn::Rules;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
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

/// The names of the rules behind something that is told. Mostly they are a constant list of the program, and a turn tells of so much
/// that each copy of one would be felt.
#[derive(Clone)]
pub enum RuleNames {
    /// A list of the program.
    Constant(&'static [RuleId]),
    /// Put together for the occasion, or read back from storage.
    Listed(Vec<Cow<'static, str>>),
}

impl RuleNames {
    /// One name after the other.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let (constant, listed) = match self {
            Self::Constant(rules) => (*rules, &[][..]),
            Self::Listed(names) => (&[][..], names.as_slice()),
        };
        let constant = constant.iter().map(|rule| rule.as_str());
        constant.chain(listed.iter().map(|name| &**name))
    }

    /// Adds the names of another list that are not in this one yet.
    pub fn add(&mut self, others: &Self) {
        let new = others.owned().filter(|name| !self.iter().any(|known| known == name));
        let new: Vec<_> = new.collect();
        if !new.is_empty() {
            *self = self.owned().chain(new).collect();
        }
    }

    fn owned(&self) -> impl Iterator<Item = Cow<'static, str>> {
        let (constant, listed) = match self {
            Self::Constant(rules) => (*rules, &[][..]),
            Self::Listed(names) => (&[][..], names.as_slice()),
        };
        let constant = constant.iter().map(|rule| Cow::Borrowed(rule.as_str()));
        constant.chain(listed.iter().cloned())
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        match self {
            Self::Constant(rules) => rules.is_empty(),
            Self::Listed(names) => names.is_empty(),
        }
    }
}

impl Default for RuleNames {
    fn default() -> Self {
        Self::Constant(&[])
    }
}

/// The same names are the same, wherever they stand.
impl PartialEq for RuleNames {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Constant(one), Self::Constant(same)) if std::ptr::eq(*one, *same) => true,
            _ => self.iter().eq(other.iter()),
        }
    }
}

impl Eq for RuleNames {}

impl fmt::Debug for RuleNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl From<&Rules> for RuleNames {
    fn from(rules: &Rules) -> Self {
        match rules {
            Cow::Borrowed(rules) => Self::Constant(rules),
            Cow::Owned(rules) => rules.iter().map(|rule| Cow::Borrowed(rule.as_str())).collect(),
        }
    }
}

impl FromIterator<Cow<'static, str>> for RuleNames {
    fn from_iter<I: IntoIterator<Item = Cow<'static, str>>>(names: I) -> Self {
        Self::Listed(names.into_iter().collect())
    }
}

impl Serialize for RuleNames {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for RuleNames {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::Listed)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::{pack, unpack};

    const RULES: &[RuleId] = &[RuleId::new("TOY-MOVE-01"), RuleId::new("TOY-MOVE-10")];

    #[test]
    fn names_of_a_constant_list_are_written_read_and_compared_like_others() {
        let names = ["TOY-MOVE-01", "TOY-MOVE-10"];
        let constant = RuleNames::from(&Cow::Borrowed(RULES));
        let listed: RuleNames = names.map(Cow::Borrowed).into_iter().collect();
        assert!(matches!(constant, RuleNames::Constant(_)) && matches!(listed, RuleNames::Listed(_)));
        assert_eq!(
            (&constant, constant.iter().collect::<Vec<_>>()),
            (&listed, names.to_vec())
        );
        let written = pack(&constant).unwrap();
        assert_eq!(written, pack(&names.to_vec()).unwrap());
        assert_eq!(unpack::<RuleNames>(&written).unwrap(), constant);
        assert_ne!(constant, RuleNames::default());
        assert!(RuleNames::default().is_empty() && !constant.is_empty());
    }

    #[test]
    fn names_are_added_once() {
        let mut names = RuleNames::from(&Cow::Borrowed(RULES));
        names.add(&["TOY-MOVE-10", "TOY-SEE-01"].map(Cow::Borrowed).into_iter().collect());
        assert!(
            names.iter().eq(["TOY-MOVE-01", "TOY-MOVE-10", "TOY-SEE-01"]),
            "{names:?}"
        );
    }
}
