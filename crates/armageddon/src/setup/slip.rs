//! Why a line of a set-up cannot be read: what stands there and what was expected, as values that every language words.

use crate::deed::Refusal;
use crate::kinds::{Fate, Part, Spell, Stage, Terrain};
use crate::rule;
use crate::state::{FIGURES_MAX, PLAYERS_MAX};
use kernel::diagnostic::{Diagnostic, Name, Span, Value};
use std::fmt;

/// What a reader of set-up lines gives.
pub(super) type Read<T> = Result<T, Slip>;

/// What should have stood in a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// A verb that a line begins with.
    Verb,
    /// The name of a province.
    Province,
    /// A number.
    Number,
    /// A player.
    Player,
    /// A player by the number of his seat.
    Seat,
    /// A name.
    Name,
    /// A terrain.
    Terrain,
    /// A stage of a turn.
    Stage,
    /// A direction.
    Direction,
    /// The edge between two neighbours.
    Edge,
    /// A side of a field.
    Side,
    /// Numbers of figures.
    Numbers,
    /// A kind of figure.
    Kind,
    /// A spell.
    Spell,
    /// Why somebody is gone.
    Fate,
    /// A part of a carrier.
    Part,
    /// A field of the board.
    Field,
    /// A field with a level that is there.
    Level,
    /// A storey of a building.
    Storey,
    /// A field with a building.
    Building,
    /// A figure on the board.
    Figure,
    /// A list of figures.
    Army,
    /// A priest on the board.
    Priest,
    /// The end of the line.
    End,
    /// One of these words, which are the same in every language.
    OneOf(&'static str),
}

impl Wanted {
    /// Key of its wording, how the command line calls it, and the words it may be.
    fn parts(self) -> (&'static str, &'static str, String) {
        let (key, name) = match self {
            Self::Verb => ("wanted-verb", "a line of a battle"),
            Self::Province => ("wanted-province", "the name of a province"),
            Self::Number => ("wanted-number", "a number"),
            Self::Player => (
                "wanted-player",
                "a player (Adler, Bär, Chimäre, Drache, Einhorn, 0, or one that a line introduced)",
            ),
            Self::Seat => ("wanted-seat", "the number of a player at the board"),
            Self::Name => ("wanted-name", "a name"),
            Self::Terrain => ("wanted-terrain", "a terrain"),
            Self::Stage => ("wanted-stage", "a stage of a turn"),
            Self::Direction => ("wanted-direction", "a direction (O, NO, NW, W, SW, SO)"),
            Self::Edge => ("wanted-edge", "an edge between two neighbours such as 17-18"),
            Self::Side => ("wanted-side", "a side such as 17-O"),
            Self::Numbers => ("wanted-numbers", "a number, numbers 1..4, or +4 for four more"),
            Self::Kind => ("wanted-kind", "a kind of figure"),
            Self::Spell => ("wanted-spell", "a spell"),
            Self::Fate => ("wanted-fate", "a fate"),
            Self::Part => ("wanted-part", "a part of a carrier"),
            Self::Field => ("wanted-field", "a field of the board"),
            Self::Level => ("wanted-level", "a field with a level"),
            Self::Storey => ("wanted-storey", "a storey of a building"),
            Self::Building => ("wanted-building", "a field with a building"),
            Self::Figure => ("wanted-figure", "a figure of the battle, such as lP#1"),
            Self::Army => ("wanted-army", "a list of figures such as 4LB, 2On"),
            Self::Priest => ("wanted-priest", "a priest of the battle, such as Pr#1"),
            Self::End => ("wanted-end", "the end of the line"),
            Self::OneOf(_) => ("wanted-one-of", "one of these words"),
        };
        let codes = match self {
            Self::Terrain => codes(Terrain::ALL),
            Self::Stage => codes(Stage::ALL),
            Self::Spell => codes(Spell::ALL),
            Self::Fate => codes(Fate::ALL),
            Self::Part => codes(Part::ALL),
            Self::OneOf(words) => words.to_owned(),
            Self::Verb => super::VERBS
                .iter()
                .map(|(verb, _)| *verb)
                .collect::<Vec<_>>()
                .join(", "),
            _ => String::new(),
        };
        (key, name, codes)
    }

    /// As a value of a wording.
    fn value(self) -> Value {
        let (key, _, codes) = self.parts();
        Value::Phrase {
            phrase: Name::Borrowed(key),
            args: vec![(Name::Borrowed("words"), Value::Text(codes))],
        }
    }
}

fn codes(all: &[impl fmt::Display]) -> String {
    let words: Vec<String> = all.iter().map(ToString::to_string).collect();
    words.join(", ")
}

impl fmt::Display for Wanted {
    /// As the command line calls it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, name, codes) = self.parts();
        match codes.as_str() {
            "" => f.write_str(name),
            codes => write!(f, "{name} ({codes})"),
        }
    }
}

/// Why a line cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Slip {
    /// It ends too early.
    Ends(Wanted),
    /// A word is not what should stand there.
    NotA(Wanted, String),
    /// A figure has a number that another has.
    Twice(String),
    /// The hits of a bridge do not stand behind its edge.
    HitsApart(u8),
    /// Figures that find no place on the board.
    NoRoom(String),
    /// More players than a battle holds.
    Players,
    /// More figures than a battle holds.
    Figures,
    /// A player who has no seat in this world.
    NoSeat,
    /// What cannot be laid down by hand: what a battle has come to.
    NotByHand(String),
    /// The provinces make no board.
    NoBoard(String),
}

impl Slip {
    /// A word is not what should stand there.
    pub(super) fn not_a(wanted: Wanted, word: &str) -> Self {
        Self::NotA(wanted, word.to_owned())
    }

    /// The finding about a line of a file, whose words are `text`; it lies on the word that does not fit.
    pub fn finding(self, line: u32, text: &str) -> Diagnostic {
        let word = match &self {
            Self::NotA(_, word) | Self::Twice(word) | Self::NotByHand(word) => word.as_str(),
            _ => "",
        };
        let begins = |(at, _): &(usize, &str)| {
            let before = text.get(..*at).and_then(|before| before.chars().next_back());
            before.is_none_or(|letter| !letter.is_alphanumeric())
        };
        let found = text.match_indices(word).find(begins).filter(|_| !word.is_empty());
        let at = found.map_or(text.len() - text.trim_start().len(), |(at, _)| at);
        let letters = |text: &str| u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        let span = Span {
            line,
            column: letters(text.get(..at).unwrap_or_default()).saturating_add(1),
            length: letters(word),
        };
        self.refusal(text.trim()).at(span)
    }

    /// The refusal of a change by hand, with the line it is about.
    pub(super) fn refusal(self, line: &str) -> Refusal {
        let most = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        let rules = &[rule::GAP_44][..];
        let refusal = match self {
            Self::Ends(wanted) => Refusal::new("edit-ends", rules).with("wanted", wanted.value()),
            Self::NotA(wanted, word) => Refusal::new("edit-word", rules)
                .with("word", shown(&word))
                .with("wanted", wanted.value()),
            Self::Twice(figure) => Refusal::new("edit-twice", rules).with("figure", figure),
            Self::HitsApart(hits) => Refusal::new("edit-hits-apart", rules).with("hits", i64::from(hits)),
            Self::NoRoom(rest) => Refusal::new("edit-no-room", rules).with("rest", rest),
            Self::Players => Refusal::new("edit-players", rules).with("max", most(PLAYERS_MAX)),
            Self::Figures => Refusal::new("edit-figures", rules).with("max", most(FIGURES_MAX)),
            Self::NoSeat => Refusal::new("edit-no-seat", rules),
            Self::NotByHand(word) => Refusal::new("edit-not-by-hand", rules).with("word", word),
            Self::NoBoard(why) => Refusal::new("edit-no-board", rules).with("why", why),
        };
        refusal.with("line", shown(line))
    }
}

/// Enough of a line or word to know it again.
pub(super) fn shown(text: &str) -> String {
    text.chars().take(60).collect()
}

impl fmt::Display for Slip {
    /// As the command line and the runner of scenarios say it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ends(wanted) => write!(f, "the line ends where {wanted} was expected"),
            Self::NotA(wanted, word) => write!(f, "'{word}' is not {wanted}"),
            Self::Twice(figure) => write!(f, "{figure} is there twice"),
            Self::HitsApart(hits) => write!(f, "the hits of a bridge stand behind a colon: 17-18:{hits}"),
            Self::NoRoom(rest) => write!(f, "there is no room for {rest}"),
            Self::Players => write!(f, "a battle has at most {PLAYERS_MAX} players"),
            Self::Figures => write!(f, "a battle has at most {FIGURES_MAX} figures"),
            Self::NoSeat => f.write_str("a player without a seat"),
            Self::NotByHand(word) => write!(f, "'{word}' is not laid down by hand"),
            Self::NoBoard(why) => f.write_str(why),
        }
    }
}
