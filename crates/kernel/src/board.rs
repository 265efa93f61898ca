//! A board that is played by clicks: pieces in their stacks and storeys, what each of them can do now, and a step seen again piece by piece.
//!
//! A game fills these from a view, like [`crate::map::Scene`]; a page shows them and knows no rule. A click is an [`Offer`]: a line that is
//! added to the player's draft of orders. Nothing of it has happened before the draft is sent, so it can be taken back line by line. The
//! board after a draft shows everything up to the first throw of dice; what comes of that is known when the draft has been sent.

use crate::diagnostic::{Diagnostic, Name};
use crate::map::{Scene, Side, Spot};
use crate::realm::RealmId;
use crate::report::{Term, Why};
use serde::Serialize;

/// The group of steps: a page needs few words for them.
pub const STEPS: &str = "group-move";
/// The group of steps that several pieces take together: it is shown when it is asked for, so that a click on a field is one step of one piece.
pub const TOGETHER: &str = "group-together";
/// The group of what begins or ends a turn: it is sent at once.
pub const TURN: &str = "group-turn";

/// The board as a viewer sees it, with the lines of his draft carried out as far as no die falls.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Board {
    /// Ground, edges and buildings, without pieces.
    pub scene: Scene,
    /// Where pieces can be, the fields of the board and the storeys upon them, lowest first.
    pub levels: Vec<Level>,
    /// The pieces on the board.
    pub pieces: Vec<Piece>,
    /// What the board says beside itself: round, whose turn, wind, winner.
    pub notes: Vec<Term>,
    /// Whose turn it is, if anybody's.
    pub mover: Option<RealmId>,
    /// Whether the viewer can add to his draft now. A draft whose last line throws dice has to be sent first.
    pub open: bool,
    /// Whether the draft throws dice: when it is sent, it cannot be taken back.
    pub rolls: bool,
    /// What is wrong with the draft.
    pub findings: Vec<Diagnostic>,
}

/// A place on the board: the ground of a field, or a storey of what is built there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Level {
    /// In the game's own notation (`17`, `17.1`).
    pub place: String,
    /// The field in the scene.
    pub at: Spot,
    /// Height above the ground of the field, for drawing; 0 for the ground itself.
    pub height: i8,
    /// What it is: ground, storey, battlement.
    pub name: Term,
    /// Room in it and how much of that is taken, where the game counts it.
    pub room: Option<(i64, i64)>,
    /// Gates and the like in its walls, by side; a side that is not named has nothing worth a drawing.
    pub openings: Vec<(Side, Opening)>,
}

/// What a wall has in it, for the drawing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opening {
    /// A gate that is shut.
    Shut,
    /// A gate that stands open.
    Open,
    /// A gate that was broken.
    Broken,
    /// A loophole.
    Loophole,
    /// The wall has fallen.
    Breach,
}

/// A piece on the board.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Piece {
    /// As players write it (`S#12`); it names the piece for the whole game.
    pub name: String,
    /// Code of its kind: under `piece.KIND` the wording has its name.
    pub kind: Name,
    /// How it is drawn.
    pub shape: Shape,
    /// How good it is among its like, as pips of the drawing: 0 where there are no ranks.
    pub rank: u8,
    /// Who moves it; none for one that belongs to nobody.
    pub owner: Option<RealmId>,
    /// The place where it stands, as [`Level::place`].
    pub place: String,
    /// The piece that carries it.
    pub on: Option<String>,
    /// Where it looks.
    pub facing: Option<Side>,
    /// Steps it has left, where the game counts them.
    pub steps: Option<i64>,
    /// What is the matter with it, as keys of words: acted, paralysed, under siege.
    pub states: Vec<Name>,
    /// Whether the viewer can do anything with it now.
    pub can_act: bool,
}

/// How a piece is drawn. Games map their kinds to these.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the name of each is what it shows")]
pub enum Shape {
    #[default]
    Person,
    Sword,
    Lance,
    Axe,
    Bow,
    King,
    Priest,
    Merchant,
    Agent,
    Slave,
    Wizard,
    Horse,
    Team,
    Elephant,
    Catapult,
    Ladder,
    Rope,
    Ram,
    Tortoise,
    SiegeTower,
    Wagon,
    Longship,
    SailingShip,
    Raft,
    Dragon,
    Griffin,
    Giant,
    Serpent,
    Siren,
    Troll,
    Rider,
}

/// Something that can be done now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Offer {
    /// Its words for a button.
    pub label: Term,
    /// What kind of deed it is, as key of a word: offers of a kind are listed together. See [`STEPS`], [`TOGETHER`] and [`TURN`].
    pub group: Name,
    /// What sort of that kind it is, in words, where a kind has many deeds of several sorts: those of a sort are listed together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sort: Option<Term>,
    /// The place it leads to or is aimed at, if there is one.
    pub place: Option<String>,
    /// The piece it is aimed at, if there is one.
    pub target: Option<String>,
    /// The line for the draft; with the head of the draft before it, on a line of its own, where that is missing.
    pub line: String,
    /// Whether it throws dice.
    pub rolls: bool,
    /// What can come of it, exactly.
    pub chances: Vec<Chance>,
}

/// How likely something is: `cases` out of `of`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Chance {
    /// What happens, as key of a word.
    pub key: Name,
    /// In how many cases.
    pub cases: u64,
    /// Out of how many.
    pub of: u64,
}

/// One moment of a step that is seen again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Frame {
    /// What happens.
    pub text: Term,
    /// Its rules, dice and reason.
    pub why: Why,
    /// Pieces that are new, moved or changed by it, as they are afterwards.
    pub changed: Vec<Piece>,
    /// Pieces that leave the board with it.
    pub gone: Vec<String>,
    /// All places of every field where one of them has other room, other openings or is gone, as they are afterwards.
    pub levels: Vec<Level>,
    /// Places to look at.
    pub places: Vec<String>,
}
