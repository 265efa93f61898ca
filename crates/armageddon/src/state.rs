//! The whole truth about a battle between two steps.
//!
//! A [`State`] is an open [`Position`], which everybody at the board sees, and a [`Secret`] per player. Legal steps, odds and
//! pictures need only the position and the player's own secret, so the same functions serve the referee, a player's view and the
//! computer opponent.

use crate::board::{Board, Cell, Spot};
use crate::kinds::{Fate, Flight, Kind, Part, Spell, Stage, WindStrength};
use crate::tables::rulings::CentreKind;
use kernel::hex::{Direction, Hex};
use kernel::realm::RealmId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Figures of a battle at the most.
pub const FIGURES_MAX: usize = 4_000;
/// Players of a battle at the most.
pub const PLAYERS_MAX: usize = 12;

/// A battle.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct State {
    /// House rules as TOML.
    pub house_rules: String,
    /// What everybody sees.
    pub position: Position,
    /// What only the player himself knows.
    pub secrets: BTreeMap<RealmId, Secret>,
}

/// What everybody sees.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Position {
    /// Name of the battle.
    pub name: String,
    /// The board.
    pub board: Board,
    /// The players.
    pub players: BTreeMap<RealmId, Player>,
    /// The order in which they take their turns, fixed for the battle (ARM-GAP-01).
    pub order: Vec<RealmId>,
    /// Round, turn and stage.
    pub clock: Clock,
    /// The figures; a figure that left the board keeps its number.
    pub figures: Vec<Figure>,
    /// Trade centres.
    pub centres: BTreeMap<Cell, TradeCentre>,
    /// Sieges and hunger by the lowest field of the castle.
    pub sieges: BTreeMap<Cell, Siege>,
    /// Provinces beside the board into which players may flee.
    #[serde(default)]
    pub refuges: Vec<Refuge>,
    /// The wind, if there are ships.
    pub wind: Option<Wind>,
    /// How the battle ended, if it did.
    pub outcome: Option<Victory>,
}

/// Round, turn and stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Clock {
    /// Steps run since the beginning.
    pub step: u32,
    /// The round, from 1.
    pub round: u32,
    /// Whose turn it is, as a place in [`Position::order`].
    pub turn: u16,
    /// What of the turn comes next. A turn never goes back.
    pub stage: Stage,
    /// Whether the turn has begun: its first act is that spells of its player's last turn expire.
    pub begun: bool,
    /// The last round whose beginning has been played, 0 before the first.
    #[serde(default)]
    pub opened: u32,
    /// Lines of the turn that are in the log.
    #[serde(default)]
    pub lines: u32,
}

impl Default for Clock {
    fn default() -> Self {
        Self {
            step: 0,
            round: 1,
            turn: 0,
            stage: Stage::Before,
            begun: false,
            opened: 0,
            lines: 0,
        }
    }
}

impl Clock {
    /// After round, turn or stage were set by hand: whatever is taken up in the middle of a round has begun it.
    pub const fn set_by_hand(&mut self) {
        let within = self.begun || self.turn > 0;
        self.opened = if within {
            self.round
        } else {
            self.round.saturating_sub(1)
        };
    }

    /// Whether the round is still to begin: with the first turn that is taken in it, whoever takes it.
    pub const fn begins_round(&self) -> bool {
        self.opened < self.round
    }
}

/// A player.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Player {
    /// Name at the board.
    pub name: String,
    /// Who plays.
    pub person: String,
    /// His side: players of one side are allies (ARM-GAP-43).
    pub side: u8,
    /// The side he will be on from the next round on, if he changes it.
    pub side_next: Option<u8>,
    /// Spells cast in this round.
    pub spells_cast: u8,
    /// Triples whose ten spell units are still to be spent at once in this turn.
    pub bounty: u8,
    /// The round in which his wizard last fought a duel.
    pub duelled: u32,
    /// To whom his wizard-guarded buildings are open for transfers (ARM-0.4.20).
    pub permits: Vec<RealmId>,
    /// To which ally he leaves what both could take (ARM-0.4.25, ARM-0.4.36).
    pub yields_to: Option<RealmId>,
    /// Steps in a row in which he owed a script and sent none.
    pub missed: u32,
    /// Whether he takes slaves: his attackers have no points for attacking, and whom his figures beat in a duel is led away (KAL-23.0.2).
    #[serde(default)]
    pub takes_slaves: bool,
    /// Whether his figures may flee, and do (KAL-16.2.8.2).
    #[serde(default)]
    pub flight: Flight,
    /// His warriors when the first round began.
    #[serde(default)]
    pub strength: Option<u32>,
}

/// A province beside the board into which a player may flee (KAL-16.2.8.7).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Refuge {
    /// Whose.
    pub player: RealmId,
    /// Its name.
    pub name: String,
    /// Its place among the provinces.
    pub at: Hex,
}

/// What only a player himself knows.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Secret {
    /// Spell units (*Zaubereinheiten*, ZEH) of his wizard.
    pub spell_units: i64,
    /// Spell units of each of his priests.
    #[serde(default)]
    pub priests: BTreeMap<FigureId, i64>,
    /// Standing instructions.
    pub standing: Standing,
}

/// Standing instructions: answers to what the rules ask of a player outside his turn.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Standing {
    /// Dispel spells that cost their caster at least this much; never if nothing is said.
    pub dispel_from: Option<i64>,
    /// Spend no more than this on dispelling in the battle.
    pub dispel_total: Option<i64>,
    /// Which kinds leave first when own figures must be removed (ARM-GAP-39).
    pub sacrifice: Vec<Kind>,
    /// The spell for the ten units of a triple, as a line of the script.
    pub triple: Option<String>,
}

/// The number of a figure: its place in [`Position::figures`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FigureId(pub u16);

impl FigureId {
    /// The place in the list.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a figure is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Place {
    /// On the ground, in a storey or on a platform. A ship: its bow; its stern is the field behind.
    At(Spot),
    /// On or in another figure.
    On(FigureId, Part),
    /// Hovering above a field: an immortal wizard.
    Above(Cell),
    /// In the water.
    Swimming(Cell),
    /// No longer on the board.
    Gone(Fate),
}

/// A spell on a figure or river.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Enchantment {
    /// Which.
    pub spell: Spell,
    /// Whose: it ends when his next turn begins.
    pub caster: RealmId,
    /// A direction, where the spell has one.
    pub toward: Option<Direction>,
}

/// Who last moved an animal or transported a device, and when (ARM-0.4.45, ARM-0.4.46).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Moved {
    /// The round.
    pub round: u32,
    /// Who.
    pub by: RealmId,
}

/// A figure.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Figure {
    /// What it is.
    pub kind: Kind,
    /// Its number among its kind, over all players.
    pub number: u16,
    /// Whose property it is.
    pub owner: RealmId,
    /// Who possesses it: another than the owner only for devices, ships and wagons (ARM-0.4.16).
    pub possessor: RealmId,
    /// Where it is.
    pub place: Place,
    /// Where it looks, if it has a facing.
    pub facing: Option<Direction>,
    /// Steps used in this turn.
    pub steps: u8,
    /// Steps in a row straight ahead in this turn.
    pub straight: u8,
    /// Whether it was turned in this turn, which ends its movement (ARM-0.4.43).
    pub turned: bool,
    /// Fields that it has trampled in this round (ARM-GAP-22).
    #[serde(default)]
    pub tramples: u8,
    /// Whether it has performed its act in this round.
    pub acted: bool,
    /// Hits taken.
    pub hits: u8,
    /// Lives left, of a king.
    pub lives: u8,
    /// The spell on it.
    pub spell: Option<Enchantment>,
    /// The phalanx it belongs to: its lowest member.
    pub phalanx: Option<FigureId>,
    /// The warrior who leads it by the rein, or the wagon it is harnessed to.
    pub held_by: Option<FigureId>,
    /// For a ladder or rope: the side of the building or wall it leans against.
    pub leans: Option<Direction>,
    /// Who last moved it.
    pub moved: Option<Moved>,
    /// A wizard who lost a duel.
    pub mortal: bool,
    /// Whether it was engaged in melee reach when its side's turn began (ARM-GAP-06).
    pub engaged: bool,
    /// The round in which a siren lured this ship (ARM-GAP-31).
    pub charmed: u32,
    /// Whether it belongs to the auxiliaries rather than to the core troops (KAL-16.2.4.13).
    #[serde(default)]
    pub auxiliary: bool,
    /// Whether a merchant has been attacked, so that he may fight (KAL-21.0.4).
    #[serde(default)]
    pub provoked: bool,
    /// Power points of a warrior king (KAL-18.5.1).
    #[serde(default)]
    pub power: u8,
    /// How many spells an apprentice has learnt; 0 of a wizard, who knows them all (KAL-19.3.4.6).
    #[serde(default)]
    pub learnt: u8,
}

impl Figure {
    /// A new figure at its beginning.
    pub fn new(kind: Kind, number: u16, owner: RealmId, place: Place) -> Self {
        Self {
            kind,
            number,
            owner,
            possessor: owner,
            place,
            facing: None,
            steps: 0,
            straight: 0,
            turned: false,
            tramples: 0,
            acted: false,
            hits: 0,
            lives: 0,
            spell: None,
            phalanx: None,
            held_by: None,
            leans: None,
            moved: None,
            mortal: false,
            engaged: false,
            charmed: 0,
            auxiliary: false,
            provoked: false,
            power: 0,
            learnt: 0,
        }
    }

    /// Whether it is on the board.
    pub const fn is_present(&self) -> bool {
        !matches!(self.place, Place::Gone(_))
    }

    /// Whether it is under this spell.
    pub fn under(&self, spell: Spell) -> bool {
        self.spell.is_some_and(|on| on.spell == spell)
    }

    /// Whether it can do anything: neither paralysed nor petrified (ARM-GAP-32).
    pub fn is_able(&self) -> bool {
        !self.under(Spell::Paralyse) && !self.under(Spell::Petrify)
    }
}

impl fmt::Display for Figure {
    /// `LB#3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.kind, self.number)
    }
}

/// A trade centre (*Handelszentrum*, HZ).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TradeCentre {
    /// What it is.
    pub kind: CentreKind,
    /// Who possesses it.
    pub possessor: RealmId,
    /// Rounds of devastation done (ARM-GAP-42).
    pub razed: u8,
    /// Ends of rounds in a row at which a warrior of the possessor stood on it (KAL-16.2.7.1).
    #[serde(default)]
    pub held: u8,
    /// Whether it has been plundered.
    #[serde(default)]
    pub plundered: bool,
}

/// A siege, or hunger without one (ARM-GAP-18).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Siege {
    /// Who declared it; nobody if the castle merely lost its access.
    pub by: RealmId,
    /// Rounds since.
    pub rounds: u32,
    /// Rounds without hunger that priests have given (KAL-20.2.4.3).
    #[serde(default)]
    pub fed: u32,
    /// The round in which a priest last did.
    #[serde(default)]
    pub fed_in: u32,
}

impl Siege {
    /// One that begins.
    pub const fn new(by: RealmId) -> Self {
        Self {
            by,
            rounds: 0,
            fed: 0,
            fed_in: 0,
        }
    }
}

/// The wind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Wind {
    /// Where it blows to.
    pub toward: Direction,
    /// How strong.
    pub strength: WindStrength,
}

/// How a battle ended (ARM-GAP-44).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Victory {
    /// The side that won; none for a draw.
    pub side: Option<u8>,
    /// Whether the battle is only broken off, to be taken up again (KAL-16.2.0.4).
    #[serde(default)]
    pub suspended: bool,
}

impl Position {
    /// The player whose turn it is.
    pub fn mover(&self) -> Option<RealmId> {
        self.order.get(usize::from(self.clock.turn)).copied()
    }

    /// A figure by its number.
    pub fn figure(&self, id: FigureId) -> Option<&Figure> {
        self.figures.get(id.index())
    }

    /// The same to be changed.
    pub fn figure_mut(&mut self, id: FigureId) -> Option<&mut Figure> {
        self.figures.get_mut(id.index())
    }

    /// All figures on the board with their numbers.
    pub fn present(&self) -> impl Iterator<Item = (FigureId, &Figure)> {
        let numbered = self.figures.iter().zip(0u16..);
        numbered
            .filter(|(figure, _)| figure.is_present())
            .map(|(figure, index)| (FigureId(index), figure))
    }

    /// The figure that a script calls `LB#3`.
    pub fn find(&self, kind: Kind, number: u16) -> Option<FigureId> {
        let at = self
            .figures
            .iter()
            .position(|figure| figure.kind == kind && figure.number == number)?;
        u16::try_from(at).ok().map(FigureId)
    }

    /// `LB#3`.
    pub fn name(&self, id: FigureId) -> String {
        self.figure(id).map_or_else(|| "?".to_owned(), Figure::to_string)
    }

    /// The field where a figure is, through whatever carries it. A ship is where its bow is.
    pub fn cell_of(&self, id: FigureId) -> Option<Cell> {
        let mut id = id;
        // Nobody is carried by more than a ship, a wagon on it and a horse before that.
        for _ in 0..8 {
            match self.figure(id)?.place {
                Place::At(spot) => return Some(spot.cell),
                Place::Above(cell) | Place::Swimming(cell) => return Some(cell),
                Place::On(carrier, Part::Stern) => return self.stern(carrier),
                Place::On(carrier, _) => id = carrier,
                Place::Gone(_) => return None,
            }
        }
        None
    }

    /// The spot where a figure stands or is carried.
    pub fn spot_of(&self, id: FigureId) -> Option<Spot> {
        match self.figure(id)?.place {
            Place::At(spot) => Some(spot),
            Place::On(carrier, Part::Back | Part::Saddle) => self.spot_of(carrier),
            _ => self.cell_of(id).map(Spot::ground),
        }
    }

    /// The field of a ship's stern, if it has one.
    pub fn stern(&self, ship: FigureId) -> Option<Cell> {
        let figure = self.figure(ship)?;
        match (figure.kind, figure.place) {
            (Kind::Longship | Kind::SailingShip, Place::At(bow)) => {
                self.board.neighbour(bow.cell, figure.facing?.opposite())
            }
            _ => None,
        }
    }

    /// The figures standing at a spot, not those carried by others.
    pub fn standing_at(&self, spot: Spot) -> impl Iterator<Item = (FigureId, &Figure)> {
        self.present()
            .filter(move |(_, figure)| figure.place == Place::At(spot))
    }

    /// The figures on or in another.
    pub fn aboard(&self, carrier: FigureId) -> impl Iterator<Item = (FigureId, &Figure)> {
        self.present()
            .filter(move |(_, figure)| matches!(figure.place, Place::On(on, _) if on == carrier))
    }

    /// Everybody whom a figure carries: on or in it, and on what is aboard it, like a rider on the deck of a ship.
    pub fn crew(&self, carrier: FigureId) -> impl Iterator<Item = (FigureId, &Figure)> {
        self.present().filter(move |(_, figure)| {
            let mut place = figure.place;
            // Nobody is carried by more than a ship, a wagon on it and a horse before that.
            for _ in 0..8 {
                match place {
                    Place::On(on, _) if on == carrier => return true,
                    Place::On(on, _) => match self.figure(on) {
                        Some(next) => place = next.place,
                        None => return false,
                    },
                    _ => return false,
                }
            }
            false
        })
    }

    /// Whether two players are on the same side.
    pub fn allied(&self, one: RealmId, other: RealmId) -> bool {
        if one == other {
            return true;
        }
        match (self.players.get(&one), self.players.get(&other)) {
            (Some(one), Some(other)) => one.side == other.side,
            _ => false,
        }
    }

    /// Whether two players fight each other: figures of nobody are nobody's enemies.
    pub fn hostile(&self, one: RealmId, other: RealmId) -> bool {
        one.is_played() && other.is_played() && !self.allied(one, other)
    }
}
