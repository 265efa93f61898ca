//! What happens, with everything needed to tell of it. On an open board everybody is told everything but secrets.
//!
//! Each part of the game has its own list of happenings. A happening gives one [`Telling`]: a key and values. The report words it
//! through the locale (`[line]` of `locale/<language>/armageddon.toml`); scenarios compare `key value value ...`.

pub mod field;
pub mod fight;
pub mod magic;
pub mod turn;

pub use field::FieldHappening;
pub use fight::FightHappening;
pub use magic::MagicHappening;
pub use turn::TurnHappening;

use crate::board::{Cell, Spot};
use crate::kinds::Part;
use crate::state::{FigureId, Place, Position};
use crate::tables::Tables;
use kernel::diagnostic::{Name, Value};
use kernel::realm::RealmId;
use serde::{Deserialize, Serialize};

/// Something that happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Event {
    /// In which round.
    pub round: u32,
    /// In whose turn.
    pub player: RealmId,
    /// What.
    pub happening: Happening,
}

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Happening {
    /// Rounds, turns, instructions, the end.
    Turn(TurnHappening),
    /// Part A.
    Field(FieldHappening),
    /// Part B.
    Fight(FightHappening),
    /// Part C.
    Magic(MagicHappening),
}

impl From<TurnHappening> for Happening {
    fn from(happening: TurnHappening) -> Self {
        Self::Turn(happening)
    }
}
impl From<FieldHappening> for Happening {
    fn from(happening: FieldHappening) -> Self {
        Self::Field(happening)
    }
}
impl From<FightHappening> for Happening {
    fn from(happening: FightHappening) -> Self {
        Self::Fight(happening)
    }
}
impl From<MagicHappening> for Happening {
    fn from(happening: MagicHappening) -> Self {
        Self::Magic(happening)
    }
}

/// The value of a phrase that scenarios write for it.
const CODE: &str = "code";

/// A happening in a key and values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Telling {
    /// Key of the wording.
    pub key: &'static str,
    /// Its values, in the order in which scenarios name them.
    pub args: Vec<(&'static str, Value)>,
}

/// Writes tellings: knows how figures and places are called.
#[derive(Clone, Copy)]
pub struct Teller<'a> {
    /// The figures of the rules.
    pub tables: &'a Tables,
    /// The position after the step, where figures that fell still have their names.
    pub position: &'a Position,
}

impl Teller<'_> {
    /// A telling of this key; add values with [`Telling::with`].
    pub fn telling(&self, key: &'static str) -> Telling {
        Telling { key, args: Vec::new() }
    }

    /// `LB#3`.
    pub fn figure(&self, id: FigureId) -> String {
        self.position.name(id)
    }

    /// Figures in a row, `LB#3,LB#4`.
    pub fn figures(&self, ids: &[FigureId]) -> String {
        let names: Vec<String> = ids.iter().map(|id| self.figure(*id)).collect();
        names.join(",")
    }

    /// `17.P`.
    pub fn spot(&self, spot: Spot) -> String {
        self.position.board.spot_name(self.tables, spot)
    }

    /// `17`.
    pub fn cell(&self, cell: Cell) -> String {
        self.position.board.name(cell)
    }

    /// Where a figure is, in the reader's words: `17.P`, `lP#1`, the stern of a ship, in the water. Scenarios write the code.
    pub fn place(&self, place: Place) -> Value {
        let code = place_word(self.tables, self.position, place);
        let (phrase, of) = match place {
            Place::At(_) => return Value::Text(code),
            Place::On(carrier, part) => match self.end_of(carrier, part) {
                Some(end) => (end, self.figure(carrier)),
                None => ("place-whole", self.figure(carrier)),
            },
            Place::Above(cell) => ("place-above", self.cell(cell)),
            Place::Swimming(cell) => ("place-water", self.cell(cell)),
            Place::Gone(fate) => {
                return Value::Word {
                    word: Name::Borrowed(fate.code()),
                };
            }
        };
        let args = vec![
            (Name::Borrowed("of"), Value::Text(of)),
            (Name::Borrowed(CODE), Value::Text(code)),
        ];
        let phrase = Name::Borrowed(phrase);
        Value::Phrase { phrase, args }
    }

    /// The phrase for a part of a carrier that has two; whoever is on a carrier with one place is simply on it.
    fn end_of(&self, carrier: FigureId, part: Part) -> Option<&'static str> {
        match part {
            Part::Stern => Some("place-stern"),
            Part::Bow => self.position.stern(carrier).map(|_| "place-bow"),
            Part::Lower => Some("place-lower"),
            Part::Upper => Some("place-upper"),
            Part::Back | Part::Saddle | Part::Wagon | Part::Inside | Part::Rung => None,
        }
    }

    /// Who has something, or had it: the name of a player, or that nobody has.
    pub fn holder(&self, player: RealmId) -> Value {
        let name = self.player(player);
        if player.is_played() {
            return Value::Text(name);
        }
        Value::Phrase {
            phrase: Name::Borrowed("nobody"),
            args: vec![(Name::Borrowed(CODE), Value::Text(name))],
        }
    }

    /// A side, by the names of its players. Scenarios write its number.
    pub fn side(&self, side: u8) -> Value {
        let args = vec![
            (Name::Borrowed("of"), Value::Text(side_names(self.position, side))),
            (Name::Borrowed(CODE), Value::Text(side.to_string())),
        ];
        Value::Phrase {
            phrase: Name::Borrowed("side-of"),
            args,
        }
    }

    /// The name of a player.
    pub fn player(&self, player: RealmId) -> String {
        player_word(self.position, player)
    }
}

/// The name of a player at the board, `0` for nobody.
pub fn player_word(position: &Position, player: RealmId) -> String {
    position
        .players
        .get(&player)
        .map_or_else(|| "0".to_owned(), |found| found.name.clone())
}

/// The names of the players of a side.
pub fn side_names(position: &Position, side: u8) -> String {
    let names: Vec<&str> = position
        .players
        .values()
        .filter(|player| player.side == side)
        .map(|player| player.name.as_str())
        .collect();
    names.join(", ")
}

/// Where a figure is, in a few letters.
pub fn place_word(tables: &Tables, position: &Position, place: Place) -> String {
    match place {
        Place::At(spot) => position.board.spot_name(tables, spot),
        Place::On(carrier, part) => format!("{}.{part}", position.name(carrier)),
        Place::Above(cell) => format!("^{}", position.board.name(cell)),
        Place::Swimming(cell) => format!("~{}", position.board.name(cell)),
        Place::Gone(fate) => fate.to_string(),
    }
}

impl Telling {
    /// Adds a value.
    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.args.push((name, value.into()));
        self
    }

    /// Adds a word that the language decides: a key under `[word]`.
    pub fn with_word(mut self, name: &'static str, word: impl Into<Name>) -> Self {
        self.args.push((name, Value::Word { word: word.into() }));
        self
    }

    /// As scenarios write it: the key and the values in a row.
    pub fn words(&self) -> String {
        let mut words = self.key.to_owned();
        for (_, value) in &self.args {
            words.push(' ');
            match value {
                Value::Int(number) => words.push_str(&number.to_string()),
                Value::Text(text) => words.push_str(text),
                Value::Word { word } => words.push_str(word),
                Value::Words { words: list } => words.push_str(&list.join(",")),
                Value::Phrase { phrase, args } => match args.iter().find(|(name, _)| name == CODE) {
                    Some((_, Value::Text(code))) => words.push_str(code),
                    _ => words.push_str(phrase),
                },
            }
        }
        words
    }
}

impl Event {
    /// How it is told.
    pub fn telling(&self, teller: Teller<'_>) -> Telling {
        match &self.happening {
            Happening::Turn(happening) => happening.telling(teller, self),
            Happening::Field(happening) => happening.telling(teller),
            Happening::Fight(happening) => happening.telling(teller),
            Happening::Magic(happening) => happening.telling(teller),
        }
    }

    /// The only player who is told of it, if it is secret.
    pub const fn secret_of(&self) -> Option<RealmId> {
        match &self.happening {
            Happening::Turn(TurnHappening::Instructed { player, .. }) => Some(*player),
            _ => None,
        }
    }

    /// Whether it stands in the log only: it says which line came now, not what happened.
    pub const fn is_for_the_log(&self) -> bool {
        matches!(&self.happening, Happening::Turn(TurnHappening::Ordered { .. }))
    }

    /// Whether no player is told.
    pub const fn is_for_the_game_master(&self) -> bool {
        matches!(&self.happening, Happening::Turn(TurnHappening::ChangePassedOver { .. }))
    }
}
