//! Why words are no judgement. A game says it as a value; how it reads is the business of whoever shows it, in every language.

use crate::diagnostic::Diagnostic;
use crate::house::Misfits;
use std::fmt;

/// What a word should have named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meant {
    /// A realm of the world.
    Realm,
    /// A number.
    Number,
    /// A unit by its name.
    Army,
    /// A place of the map.
    Place,
    /// A kind of realm.
    Kind,
    /// A terrain.
    Terrain,
    /// What can be built.
    Building,
    /// What a unit is told to do.
    Stance,
    /// A creature.
    Creature,
    /// A disaster.
    Disaster,
    /// When something counts.
    Occasion,
    /// A change of the world by hand.
    Change,
}

impl Meant {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Realm,
        Self::Number,
        Self::Army,
        Self::Place,
        Self::Kind,
        Self::Terrain,
        Self::Building,
        Self::Stance,
        Self::Creature,
        Self::Disaster,
        Self::Occasion,
        Self::Change,
    ];

    /// Key of its wording.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Realm => "no-realm",
            Self::Number => "no-number",
            Self::Army => "no-army",
            Self::Place => "no-place",
            Self::Kind => "no-kind",
            Self::Terrain => "no-terrain",
            Self::Building => "no-building",
            Self::Stance => "no-stance",
            Self::Creature => "no-creature",
            Self::Disaster => "no-disaster",
            Self::Occasion => "no-occasion",
            Self::Change => "no-change",
        }
    }

    /// As the command line calls it.
    const fn name(self) -> &'static str {
        match self {
            Self::Realm => "realm of this world",
            Self::Number => "number",
            Self::Army => "army",
            Self::Place => "place",
            Self::Kind => "kind of realm",
            Self::Terrain => "terrain",
            Self::Building => "building",
            Self::Stance => "order",
            Self::Creature => "creature",
            Self::Disaster => "disaster",
            Self::Occasion => "occasion",
            Self::Change => "change of the world",
        }
    }

    /// What to say of a word that names none.
    pub fn not(self, word: &str) -> Misread {
        Misread::NoSuch {
            meant: self,
            word: word.to_owned(),
        }
    }
}

/// Why words are no judgement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Misread {
    /// A word does not name what should stand in its place.
    NoSuch {
        /// What should.
        meant: Meant,
        /// What does.
        word: String,
    },
    /// Something of this form was expected.
    Expected(&'static str),
    /// A verb without all that belongs to it.
    Incomplete(String),
    /// No judgement begins with this word; those there are.
    Unknown {
        /// The word.
        verb: String,
        /// The words there are.
        known: String,
    },
    /// The game cannot do what a line asks, in its own words.
    Refused(Box<Diagnostic>),
    /// House rules that the game does not take.
    House(Misfits),
    /// What another reader said: of JSON.
    Other(String),
}

impl Misread {
    /// Key of the wording.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoSuch { meant, .. } => meant.code(),
            Self::Expected(_) => "expected",
            Self::Incomplete(_) => "incomplete",
            Self::Unknown { .. } => "unknown",
            Self::Refused(_) => "refused",
            Self::House(_) => "house",
            Self::Other(_) => "other",
        }
    }

    /// What it is about: the word, the line, the form that was expected.
    pub fn subject(&self) -> &str {
        match self {
            Self::NoSuch { word, .. } => word,
            Self::Expected(form) => form,
            Self::Incomplete(line) => line,
            Self::Refused(finding) => &finding.code,
            Self::Unknown { verb, .. } => verb,
            Self::House(_) => "",
            Self::Other(said) => said,
        }
    }
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuch { meant, word } => write!(f, "'{word}' is no {}", meant.name()),
            Self::Expected(form) => write!(f, "'{form}' was expected"),
            Self::Incomplete(line) => write!(f, "'{line}' is not complete"),
            Self::Unknown { verb, known } => write!(f, "'{verb}' begins no judgement: {known} do"),
            Self::Refused(finding) => write!(f, "line {}: {}", finding.span.line, finding.code),
            Self::House(misfits) => write!(f, "house rules: {misfits}"),
            Self::Other(said) => f.write_str(said),
        }
    }
}

impl From<String> for Misread {
    fn from(said: String) -> Self {
        Self::Other(said)
    }
}

impl From<Misfits> for Misread {
    fn from(misfits: Misfits) -> Self {
        Self::House(misfits)
    }
}

impl From<serde_json::Error> for Misread {
    fn from(error: serde_json::Error) -> Self {
        Self::Other(error.to_string())
    }
}
