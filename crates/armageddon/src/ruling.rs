//! Judgements of the game master at the board.

use crate::standing::player_named;
use crate::state::Position;
use kernel::misread::Misread;
use serde::{Deserialize, Serialize};

/// Changes of one judgement at the most.
pub const CHANGES_MAX: usize = 10_000;
/// Dice of one throw at the most.
const DICE_MAX: usize = 3;

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
    /// A roll of this step is replaced (ARM-GAP-45): it is thrown as ever, but these faces count, and the log says so.
    Replace {
        /// The name of the roll: rule, number of the player, figure, purpose.
        roll: String,
        /// What its dice show instead.
        faces: Vec<u8>,
    },
}

/// Reads a judgement in words: `break off`, `roll ARM-GAP-04 Adler LB#1 attacks S#9 = 4 5 3`, or lines of a set-up.
///
/// # Errors
/// What was expected.
pub fn read(position: &Position, text: &str) -> Result<Ruling, Misread> {
    let text = text.trim();
    if text == "break off" {
        return Ok(Ruling::BreakOff);
    }
    if let Some(rest) = text.strip_prefix("roll ") {
        return replace(position, rest).ok_or(Misread::Expected("roll RULE PLAYER PURPOSE = 4 5 3"));
    }
    let lines: Vec<String> = text
        .lines()
        .map(|line| line.trim().to_owned())
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .take(CHANGES_MAX)
        .collect();
    match lines.first().map(String::as_str) {
        None | Some("break") => Err(Misread::Expected(
            "break off | roll RULE PLAYER PURPOSE = 4 5 3 | figure 1 S 4 at 17",
        )),
        Some(_) => Ok(Ruling::Change { lines }),
    }
}

/// A roll and its faces.
fn replace(position: &Position, text: &str) -> Option<Ruling> {
    let (name, faces) = text.split_once('=')?;
    let mut words: Vec<String> = name.split_whitespace().map(str::to_owned).collect();
    // A player is named as at the board, or by his number as in the log.
    if let Some(player) = words.get_mut(1)
        && let Some(id) = player_named(position, player)
    {
        *player = id.to_string();
    }
    let faces: Vec<u8> = faces
        .split_whitespace()
        .map(|face| face.parse().ok().filter(|face| (1..=100).contains(face)))
        .collect::<Option<_>>()?;
    ((1..=DICE_MAX).contains(&faces.len()) && words.len() >= 3).then(|| Ruling::Replace {
        roll: words.join(" "),
        faces,
    })
}

/// The words of a judgement, as [`read`] reads them.
pub fn words(ruling: &Ruling) -> String {
    match ruling {
        Ruling::BreakOff => "break off".to_owned(),
        Ruling::Change { lines } => lines.join("\n"),
        Ruling::Replace { roll, faces } => {
            let faces: Vec<String> = faces.iter().map(u8::to_string).collect();
            format!("roll {roll} = {}", faces.join(" "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judgements_are_read_as_they_are_written() {
        let position = Position::default();
        for text in [
            "break off",
            "roll ARM-GAP-04 1 LB#1 attacks S#9 = 4 5 3",
            "roll ARM-GAP-25 0 wind strength round 1 = 6",
            "figure 1 S 4 at 17\nfigure 1 S 5 at 18",
        ] {
            let ruling = read(&position, text).expect(text);
            assert_eq!(words(&ruling), text);
        }
        for wrong in [
            "",
            "break",
            "roll ARM-GAP-04 = 1",
            "roll ARM-GAP-04 1 x = 0",
            "roll ARM-GAP-04 1 x = 1 2 3 4",
            "roll ARM-GAP-04 1 x",
        ] {
            assert!(read(&position, wrong).is_err(), "{wrong}");
        }
    }
}
