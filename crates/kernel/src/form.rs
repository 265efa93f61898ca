//! Forms to fill in: orders, judgements, calculators, house rules, plans of worlds.
//!
//! A [`Form`] says which fields it has and what may stand in each; its words are keys of the game's wording, under `[word]`.
//! What was filled in comes back as [`Values`], and the game makes text or a report of it. A page needs to know nothing else.

use crate::diagnostic::{Diagnostic, Name};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Longest value that is looked at, in characters; fields say their own limits below it.
pub const VALUE_CHARS: usize = 20_000;

/// What was filled in, by name of the field. A field that is missing or empty was left out.
pub type Values = BTreeMap<String, String>;

/// A form.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Form {
    /// Its name, by which it is sent back.
    pub name: Name,
    /// Key of its title.
    pub title: Name,
    /// Key of a sentence that explains it; may be empty.
    pub help: Name,
    /// The rules behind it.
    pub rules: Vec<Name>,
    /// Its fields in order.
    pub fields: Vec<FormField>,
}

/// A field of a form.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FormField {
    /// Name of its value.
    pub name: Name,
    /// Key of its label.
    pub label: Name,
    /// Whether it may be left out.
    pub optional: bool,
    /// What stands there before anything is filled in.
    pub default: String,
    /// What may stand there.
    pub input: Input,
}

/// What may stand in a field.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Input {
    /// One of these.
    Choice {
        /// In order.
        choices: Vec<Choice>,
    },
    /// A whole number.
    Number {
        /// Least.
        min: i64,
        /// Greatest.
        max: i64,
    },
    /// Several of these with a number each, one to a line: `K.M 2000`.
    Tally {
        /// In order.
        choices: Vec<Choice>,
        /// At most so many lines.
        rows: u32,
        /// Greatest number; the least is 1.
        max: i64,
    },
    /// Yes (`true`) or no (`false` or nothing).
    Flag,
    /// An own army, as players write it: one of these, if the view is known.
    Army {
        /// Those that there are now.
        choices: Vec<Choice>,
        /// Whether an army may be named that does not exist yet.
        may_be_new: bool,
    },
    /// A realm by its number; 0 is nobody.
    Realm,
    /// A field in the game's own notation; a click on the map fills it in.
    Place,
    /// One side of a field, as the game writes directions.
    Direction,
    /// Several sides or a route, as the game writes directions.
    Directions {
        /// At most so many.
        max: u32,
    },
    /// Words of the player's own.
    Text {
        /// At most so many characters.
        max: u32,
        /// At most so many lines.
        lines: u32,
    },
}

/// Something to choose.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Choice {
    /// What is sent back.
    pub value: String,
    /// Key of its name; empty if the value is its own name.
    pub label: Name,
    /// What stands beside it, the same in every language: a place, a number.
    pub detail: String,
}

impl Choice {
    /// A value that is its own name.
    pub fn plain(value: impl Into<String>) -> Self {
        Self {
            value: value.into(),
            label: Name::Borrowed(""),
            detail: String::new(),
        }
    }

    /// A value with a name in the locale.
    pub fn worded(value: impl Into<String>, label: impl Into<Name>) -> Self {
        Self {
            value: value.into(),
            label: label.into(),
            detail: String::new(),
        }
    }
}

impl FormField {
    /// A field that must be filled in.
    pub fn new(name: impl Into<Name>, label: impl Into<Name>, input: Input) -> Self {
        Self {
            name: name.into(),
            label: label.into(),
            optional: false,
            default: String::new(),
            input,
        }
    }

    /// The same, but it may be left out.
    pub fn or_nothing(mut self) -> Self {
        self.optional = true;
        self
    }

    /// The same with something in it already.
    pub fn with_default(mut self, default: impl Into<String>) -> Self {
        self.default = default.into();
        self
    }
}

/// Why a form could not be used: the name of the field, if it is one field's fault, and what is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FormFault {
    /// Name of the field; empty for the form as a whole.
    pub field: Name,
    /// What is wrong.
    pub finding: Diagnostic,
}

/// An order as it stands in a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WrittenOrder {
    /// The line that opens the part of the file where it belongs; empty if the game's files have no parts.
    pub opening: String,
    /// Its text: a line, or several for a letter.
    pub text: String,
}
