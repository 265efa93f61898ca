//! Judgements of the game master at the board.

use serde::{Deserialize, Serialize};

/// Changes of one judgement at the most.
pub const CHANGES_MAX: usize = 10_000;

/// A judgement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Ruling {
    /// The battle is broken off: a draw.
    BreakOff,
    /// The board is changed by hand, line by line in the words of a set-up ([`crate::setup::edit`]).
    Change {
        /// The lines.
        lines: Vec<String>,
    },
}

/// Reads a judgement in words: `break off`, or lines of a set-up.
///
/// # Errors
/// What was expected.
pub fn read(text: &str) -> Result<Ruling, String> {
    let text = text.trim();
    if text == "break off" {
        return Ok(Ruling::BreakOff);
    }
    let lines: Vec<String> = text
        .lines()
        .map(|line| line.trim().to_owned())
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .take(CHANGES_MAX)
        .collect();
    match lines.first().map(String::as_str) {
        None | Some("break") => {
            Err("expected `break off`, or lines of a set-up such as `figure 1 S 4 at 17`".to_owned())
        }
        Some(_) => Ok(Ruling::Change { lines }),
    }
}
