//! Judgements of the game master at the board.

use serde::{Deserialize, Serialize};

/// A judgement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Ruling {
    /// The battle is broken off: a draw.
    BreakOff,
}

/// Reads a judgement in words.
///
/// # Errors
/// What was expected.
pub fn read(text: &str) -> Result<Ruling, String> {
    match text.trim() {
        "break off" => Ok(Ruling::BreakOff),
        _ => Err("expected `break off`".to_owned()),
    }
}
