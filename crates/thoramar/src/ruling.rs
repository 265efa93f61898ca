//! Judgements of the game master (THO-ADM-01, THO-ADM-02, THO-MSG-02).

use crate::codes::RealmKind;
use crate::editing::Edit;
use kernel::realm::RealmId;
use serde::{Deserialize, Serialize};

/// A judgement: an answer to a request of the turn, or an act of the game master's own.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Ruling {
    /// An orphaned realm waits for its player.
    KeepRealm,
    /// Another player takes a realm over.
    HandOver {
        /// Which realm.
        realm: RealmId,
        /// Whose it is from now on.
        player: String,
        /// How it is called from now on, if otherwise.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// A realm is given back to realm 0, land and armies.
    Release {
        /// Which realm.
        realm: RealmId,
    },
    /// A realm becomes ordinary, nomad or pirate.
    AssignKind {
        /// Which realm.
        realm: RealmId,
        /// What.
        kind: RealmKind,
    },
    /// A people's combat percentages and spared families change.
    AssignCulture {
        /// Which realm.
        realm: RealmId,
        /// The new profile.
        culture: crate::culture::Culture,
    },
    /// Figures of the world change from the next turn on: TOML laid over the house rules.
    ChangeTables {
        /// The differences.
        toml: String,
    },
    /// A message of the game master.
    Write {
        /// To one realm, or to all.
        to: Option<RealmId>,
        /// Its lines.
        text: Vec<String>,
    },
    /// A payment into a player's account.
    Credit {
        /// Which realm.
        realm: RealmId,
        /// Units of the world's currency.
        amount: i64,
    },
    /// The world ends with this turn (GAP-42).
    Close,
    /// A part of the world is changed by hand.
    Edit {
        /// What changes.
        change: Edit,
    },
    /// Several parts of the world are changed by hand.
    Edits {
        /// What changes, in order.
        changes: Vec<Edit>,
    },
}

impl Ruling {
    /// The words that are read as this judgement; a people's profile has none.
    pub fn words(&self) -> Option<String> {
        Some(match self {
            Self::KeepRealm => "keep".to_owned(),
            Self::Close => "close".to_owned(),
            Self::Release { realm } => format!("release {}", realm.0),
            Self::HandOver { realm, player, .. } => format!("hand {} to {player}", realm.0),
            Self::AssignKind { realm, kind } => format!("kind {} {}", realm.0, kind.code()),
            Self::AssignCulture { .. } => return None,
            Self::ChangeTables { toml } => format!("tables {}", toml.replace('\n', "\\n")),
            Self::Write { to, text } => {
                let to = to.map_or_else(|| "everyone".to_owned(), |realm| realm.0.to_string());
                format!("write {to}: {}", text.join(" / "))
            }
            Self::Credit { realm, amount } => format!("credit {} {amount}", realm.0),
            Self::Edit { change } => change.words(),
            Self::Edits { changes } => changes.iter().map(Edit::words).collect::<Vec<_>>().join("\n"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judgements_are_written_as_a_game_master_writes_them() {
        let realm = RealmId(3);
        let edit = |words: &str| crate::editing::read(words).unwrap().unwrap();
        let changes = vec![edit("terrain 3/-2 tla"), edit("treasury 1 4321")];
        let text = vec!["Ein Gruß".to_owned(), "an alle".to_owned()];
        let toml = "[report]\nwidth = 80".to_owned();
        for (ruling, words) in [
            (Ruling::Close, "close"),
            (Ruling::Release { realm }, "release 3"),
            (Ruling::Credit { realm, amount: -20 }, "credit 3 -20"),
            (Ruling::ChangeTables { toml }, r"tables [report]\nwidth = 80"),
            (Ruling::Write { to: None, text }, "write everyone: Ein Gruß / an alle"),
            (Ruling::Edits { changes }, "terrain 3/-2 tla\ntreasury 1 4321"),
        ] {
            assert_eq!(ruling.words().as_deref(), Some(words));
        }
    }
}
