//! Judgements of the game master at the board.

use crate::standing::player_named;
use crate::state::Position;
use kernel::misread::Misread;
use kernel::realm::RealmId;
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
    /// A battle that its last round left undecided goes on (KAL-16.2.0.4).
    GoOn,
    /// The board is changed by hand, line by line in the words of a set-up ([`crate::setup::edit`]).
    Change {
        /// The lines.
        lines: Vec<String>,
    },
    /// A player's place at the board goes to another person, who may call himself otherwise. It counts when the step is done: scripts of
    /// this step were written under the old name.
    HandOver {
        /// Whose.
        player: RealmId,
        /// Who plays now.
        person: String,
        /// What he is called at the board from now on.
        name: Option<String>,
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
    if text == "go on" {
        let suspended = position.outcome.as_ref().is_some_and(|victory| victory.suspended);
        return match suspended {
            true => Ok(Ruling::GoOn),
            false => Err(Misread::Expected("a battle that is broken off")),
        };
    }
    if let Some(rest) = text.strip_prefix("hand ") {
        return hand_over(position, rest).ok_or(Misread::Expected("hand PLAYER to PERSON [as NAME]"));
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

/// `Adler to Mira`, or `Adler to Mira as Rote Wölfe`.
fn hand_over(position: &Position, text: &str) -> Option<Ruling> {
    let (player, rest) = text.split_once(" to ")?;
    let (person, name) = match rest.split_once(" as ") {
        Some((person, name)) => (person, Some(name)),
        None => (rest, None),
    };
    let clean = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    Some(Ruling::HandOver {
        player: player_named(position, player.trim())?,
        person: clean(person)?,
        name: name.and_then(clean),
    })
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
        Ruling::GoOn => "go on".to_owned(),
        Ruling::Change { lines } => lines.join("\n"),
        Ruling::HandOver { player, person, name } => match name {
            Some(name) => format!("hand {player} to {person} as {name}"),
            None => format!("hand {player} to {person}"),
        },
        Ruling::Replace { roll, faces } => {
            let faces: Vec<String> = faces.iter().map(u8::to_string).collect();
            format!("roll {roll} = {}", faces.join(" "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Player;

    #[test]
    fn judgements_are_read_as_they_are_written() {
        let mut position = Position::default();
        position.players.insert(RealmId(1), Player::default());
        for text in [
            "break off",
            "hand 1 to Mira",
            "hand 1 to Mira as Rote Wölfe",
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
            "hand 1",
            "hand 1 to ",
            "hand 9 to Mira",
            "roll ARM-GAP-04 = 1",
            "roll ARM-GAP-04 1 x = 0",
            "roll ARM-GAP-04 1 x = 1 2 3 4",
            "roll ARM-GAP-04 1 x",
        ] {
            assert!(read(&position, wrong).is_err(), "{wrong}");
        }
    }
}
