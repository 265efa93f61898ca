//! What is wrong with an order, as data: the wording is made by `render`.
//!
//! A player's mistake is never an `Err`: reading and checking always return a value and a list of these.

use crate::rule::RuleId;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A short name that is usually a constant and sometimes read back from storage.
pub type Name = Cow<'static, str>;

/// A place in a player's text: line and column start at 1, columns and length count characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Span {
    /// Line, from 1.
    pub line: u32,
    /// Column of the first character, from 1.
    pub column: u32,
    /// Number of characters, 0 for a point between two.
    pub length: u32,
}

/// A value with the place it was read from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Spanned<T> {
    /// Where it stands.
    pub span: Span,
    /// What stands there.
    pub value: T,
}

/// How much a diagnostic weighs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The order is not carried out, or only in part.
    Error,
    /// The order is carried out as the text says.
    Warning,
    /// Nothing is wrong, but the player may have forgotten something.
    Hint,
}

/// A value named in a message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A whole number.
    Int(i64),
    /// Words that are the same in every language: codes, names, coordinates, the player's own text.
    Text(String),
    /// A word that the language decides.
    Word {
        /// Key in the locale.
        word: Name,
    },
    /// Several of them, listed in this order.
    Words {
        /// Keys in the locale.
        words: Vec<Name>,
    },
    /// A word that holds values of its own.
    Phrase {
        /// Key in the locale.
        phrase: Name,
        /// Its values.
        args: Vec<(Name, Value)>,
    },
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}
impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Self::Int(i64::from(value))
    }
}
impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}
impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

/// A proposed change of the player's text that would mend the mistake.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Repair {
    /// What to replace.
    pub span: Span,
    /// By what.
    pub text: String,
}

/// One finding about an order file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Diagnostic {
    /// The code that the game prints, for example `A01`; also the key of its wording.
    pub code: Name,
    /// How much it weighs.
    pub severity: Severity,
    /// Where.
    pub span: Span,
    /// Which rules say so.
    pub rules: Vec<Name>,
    /// The values named in the wording of what is wrong and what was expected.
    pub args: Vec<(Name, Value)>,
    /// How it could be mended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repair: Option<Box<Repair>>,
}

impl Diagnostic {
    /// A finding without values.
    pub fn new(severity: Severity, code: &'static str, span: Span, rules: &[RuleId]) -> Self {
        Self {
            code: Name::Borrowed(code),
            severity,
            span,
            rules: rules.iter().map(|rule| Name::Borrowed(rule.as_str())).collect(),
            args: Vec::new(),
            repair: None,
        }
    }

    /// An order that is not carried out.
    pub fn error(code: &'static str, span: Span, rules: &[RuleId]) -> Self {
        Self::new(Severity::Error, code, span, rules)
    }

    /// An order that is carried out otherwise than the player may think.
    pub fn warning(code: &'static str, span: Span, rules: &[RuleId]) -> Self {
        Self::new(Severity::Warning, code, span, rules)
    }

    /// Something the player may have forgotten.
    pub fn hint(code: &'static str, span: Span, rules: &[RuleId]) -> Self {
        Self::new(Severity::Hint, code, span, rules)
    }

    /// Adds a value for the wording.
    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.args.push((Name::Borrowed(name), value.into()));
        self
    }

    /// Adds a value whose words depend on the language: `key` is looked up in the locale.
    pub fn with_word(mut self, name: &'static str, key: impl Into<Name>) -> Self {
        self.args.push((Name::Borrowed(name), Value::Word { word: key.into() }));
        self
    }

    /// Adds a list of such words.
    pub fn with_words(mut self, name: &'static str, keys: Vec<Name>) -> Self {
        self.args.push((Name::Borrowed(name), Value::Words { words: keys }));
        self
    }

    /// Proposes a repair.
    pub fn mended_by(mut self, span: Span, text: impl Into<String>) -> Self {
        self.repair = Some(Box::new(Repair {
            span,
            text: text.into(),
        }));
        self
    }
}

/// What reading an order file gave: never a failure.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Parsed<O> {
    /// The orders that could be read, in the order of the file.
    pub orders: Vec<Spanned<O>>,
    /// What could not.
    pub diagnostics: Vec<Diagnostic>,
}

impl<O> Default for Parsed<O> {
    fn default() -> Self {
        Self {
            orders: Vec::new(),
            diagnostics: Vec::new(),
        }
    }
}
