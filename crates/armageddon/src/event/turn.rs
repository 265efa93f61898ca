//! Rounds, turns, standing instructions, the end of a battle.

use super::{Event, Teller, Telling};
use kernel::realm::RealmId;
use serde::{Deserialize, Serialize};

/// What happened to the turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum TurnHappening {
    /// A round began.
    RoundBegan,
    /// A line of a script was carried out; what follows came of it. It stands in the log and in nothing else.
    Ordered {
        /// Its number in the turn; 0 is the head.
        number: u32,
        /// The line.
        line: String,
    },
    /// A player's turn began.
    TurnBegan,
    /// A player's turn ended.
    TurnEnded {
        /// Whether he sent nothing.
        silent: bool,
    },
    /// A player's standing instructions changed: he alone is told.
    Instructed {
        /// Whose.
        player: RealmId,
        /// The instruction, as a script writes it.
        #[serde(default)]
        line: String,
    },
    /// A player announced something that all may know: a permission, a preference among allies, a change of side.
    Announced {
        /// Who.
        player: RealmId,
        /// What, as a script writes it.
        #[serde(default)]
        line: String,
    },
    /// The game master changed the board by hand.
    BoardChanged {
        /// How many changes he made.
        changes: u32,
    },
    /// A change that the game master ordered does not fit the board: nothing of it was done. He alone is told.
    ChangePassedOver {
        /// What he wrote.
        line: String,
    },
    /// The game master let other faces count than those that were thrown (ARM-GAP-45).
    RollReplaced {
        /// The name of the roll.
        roll: String,
        /// The faces that count.
        faces: Vec<u8>,
    },
    /// A roll that the game master replaced was never thrown.
    RollNotThrown {
        /// The name of the roll.
        roll: String,
    },
    /// It has come to flight for a player.
    FlightBegan {
        /// For whom.
        player: RealmId,
    },
    /// The battle is broken off, to be taken up again.
    BattleSuspended,
    /// A battle that was broken off goes on.
    BattleResumed,
    /// The battle is over.
    BattleEnded {
        /// The side that won.
        side: Option<u8>,
    },
}

impl TurnHappening {
    /// How it is told.
    pub(super) fn telling(&self, teller: Teller<'_>, event: &Event) -> Telling {
        match self {
            Self::RoundBegan => teller.telling("round-began").with("round", event.round),
            Self::Ordered { number, line } => teller
                .telling("ordered")
                .with("number", *number)
                .with("line", line.as_str()),
            Self::TurnBegan => teller.telling("turn-began").with("player", teller.player(event.player)),
            Self::TurnEnded { silent } => teller
                .telling(if *silent { "turn-passed" } else { "turn-ended" })
                .with("player", teller.player(event.player)),
            Self::Instructed { player, line } => teller
                .telling("instructed")
                .with("player", teller.player(*player))
                .with("line", line.as_str()),
            Self::Announced { player, line } => teller
                .telling("announced")
                .with("player", teller.player(*player))
                .with("line", line.as_str()),
            Self::ChangePassedOver { line } => teller.telling("change-passed-over").with("line", line.as_str()),
            Self::BoardChanged { changes } => teller.telling("board-changed").with("changes", *changes),
            Self::RollReplaced { roll, faces } => {
                let faces: Vec<String> = faces.iter().map(u8::to_string).collect();
                teller
                    .telling("roll-replaced")
                    .with("name", roll.as_str())
                    .with("faces", faces.join(" "))
            }
            Self::RollNotThrown { roll } => teller.telling("roll-not-thrown").with("name", roll.as_str()),
            Self::FlightBegan { player } => teller.telling("flight-began").with("player", teller.player(*player)),
            Self::BattleSuspended => teller.telling("battle-suspended"),
            Self::BattleResumed => teller.telling("battle-resumed"),
            Self::BattleEnded { side: None } => teller.telling("battle-drawn"),
            Self::BattleEnded { side: Some(side) } => teller.telling("battle-won").with("side", teller.side(*side)),
        }
    }
}
