//! What a player writes: the turn script (catalogue, section 5), line by line.
//!
//! Names are as they stand in the script; [`crate::resolve`] looks them up on the board. Every part carries its place in the text, so
//! that a refusal points at the word it is about.

use crate::kinds::{Kind, Spell};
use kernel::diagnostic::Spanned;
use kernel::hex::Direction;
use std::fmt;

/// A figure as a script names it: `LB#3`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Named {
    /// What it is.
    pub kind: Kind,
    /// Its number.
    pub number: u16,
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.kind, self.number)
    }
}

/// Several figures: `2LB`, or `LB#3,LB#4`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Figures {
    /// So many of a kind from the field that the line names, lowest numbers first.
    Count(u16, Kind),
    /// These.
    List(Vec<Spanned<Named>>),
}

/// A level as a script names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LevelName {
    /// Not said: the ground.
    Unsaid,
    /// `.0`, `.1` and so on.
    Number(u8),
    /// `.P`.
    Platform,
}

/// A field as a script names it: `17`, `2N+4/17`, `17.P`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldName {
    /// The province, where the board has several.
    pub province: Option<String>,
    /// The number of the field.
    pub number: u16,
    /// The level.
    pub level: LevelName,
}

impl fmt::Display for FieldName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(province) = &self.province {
            write!(f, "{province}/")?;
        }
        write!(f, "{}", self.number)?;
        match self.level {
            LevelName::Unsaid => Ok(()),
            LevelName::Number(level) => write!(f, ".{level}"),
            LevelName::Platform => f.write_str(".P"),
        }
    }
}

/// A gate or wall: a field, perhaps with a level, and a side: `17.0-O`, `17-O`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideName {
    /// The field.
    pub at: FieldName,
    /// The side.
    pub side: Direction,
}

/// What can be possessed, given or lent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Object {
    /// A figure.
    Figure(Named),
    /// The trade centre of a field: `HZ 17`.
    Centre(FieldName),
    /// A gate or a part of a building, which nobody can take.
    Gate(SideName),
}

/// Getting on and off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MountVerb {
    /// `AUFSITZEN`: on a horse.
    Mount,
    /// `ABSITZEN`.
    Dismount,
    /// `ZUEGEL`: take a horse by the rein.
    Rein,
    /// `FUEHREN`: lead an elephant.
    Lead,
    /// `AUFSTEIGEN`: on an elephant, wagon, ship, ladder, or into a shelter.
    Climb,
    /// `ABSTEIGEN`.
    Alight,
}

/// What one does with a rope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RopeVerb {
    /// `WIRF`.
    Throw,
    /// `KNOTE`.
    Tie,
    /// `KAPPE`.
    Cut,
}

/// A standing instruction: `ANWEISUNG ...`, which any player may send at any time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StandingOrder {
    /// `ENTKRAEFTEN NIE`.
    NeverDispel,
    /// `ENTKRAEFTEN AB 10 SUMME 6`.
    Dispel {
        /// Spells that cost their caster at least this much.
        from: i64,
        /// Spend no more than this in all.
        total: Option<i64>,
    },
    /// `OPFER B, S`: who leaves first when own figures must go; empty: the cheapest.
    Sacrifice(Vec<Kind>),
    /// `ERLAUBE VERSETZEN Rot`: this player's wizard may transfer onto and out of own buildings.
    Permit(Spanned<String>),
    /// `VERBIETE VERSETZEN Rot`.
    Forbid(Spanned<String>),
    /// `VORTRITT Rot`: this ally takes what both could take; `VORTRITT KEINER` takes it back.
    YieldTo(Option<Spanned<String>>),
    /// `PASCH STAERKEN 17`: the spell for the ten units of a triple; `PASCH NIE` takes it back.
    Triple(Option<String>),
    /// `SEITE 2`: join this side from the next round on.
    JoinSide(u8),
}

/// A line of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Order {
    /// `RUNDE 2 SPIELER Rot`.
    Begin {
        /// The round.
        round: Spanned<u32>,
        /// The player.
        player: Spanned<String>,
    },
    /// `ENDE`.
    End,
    /// `ZIEHE 2LB 17>18>24 FRONT O`.
    Move {
        /// Who.
        figures: Spanned<Figures>,
        /// From where, then step by step.
        path: Vec<Spanned<FieldName>>,
        /// Where they look at the end.
        facing: Option<Spanned<Direction>>,
    },
    /// `TAUSCHE LB#1 17 MIT S#2 18`.
    Swap {
        /// Who.
        figures: Spanned<Figures>,
        /// From here.
        here: Spanned<FieldName>,
        /// With whom.
        with: Spanned<Figures>,
        /// From there.
        there: Spanned<FieldName>,
    },
    /// `AUFSITZEN LB#1 lP#1` and its kin.
    Mount {
        /// What.
        verb: MountVerb,
        /// Who.
        figure: Spanned<Named>,
        /// On, off or by what.
        other: Option<Spanned<Named>>,
    },
    /// `ANGRIFF LB#3 MIT LB#4 -> S#9`.
    Attack {
        /// Who.
        figure: Spanned<Named>,
        /// Who supports him.
        support: Option<Spanned<Named>>,
        /// Whom.
        target: Spanned<Named>,
    },
    /// `WUCHT 17 -> 18`: the phalanx on a field strikes at another.
    WeightBlow {
        /// Where the phalanx stands.
        phalanx: Spanned<FieldName>,
        /// Where it strikes.
        target: Spanned<FieldName>,
    },
    /// `SCHUSS B#1 -> S#9`.
    Shoot {
        /// Who.
        figure: Spanned<Named>,
        /// At whom.
        target: Spanned<Named>,
    },
    /// `WURF On#1 S#4 -> 20.1`.
    Throw {
        /// The onager.
        onager: Spanned<Named>,
        /// Who serves it.
        crew: Spanned<Named>,
        /// Where to.
        target: Spanned<FieldName>,
        /// At the wall or bridge on this side of the field: `17-O`.
        side: Option<Direction>,
    },
    /// `PECH 17.P -> 18`.
    Pour {
        /// From which platform.
        platform: Spanned<FieldName>,
        /// Onto which field.
        target: Spanned<FieldName>,
    },
    /// `RAMME Wi#1 -> 17.0-O`.
    Ram {
        /// The ram, turtle or elephant.
        device: Spanned<Named>,
        /// The gate or wall.
        target: Spanned<SideName>,
    },
    /// `RAMMSTOSS LS#1 -> SS#2`.
    RamShip {
        /// The ship.
        ship: Spanned<Named>,
        /// The ship that is rammed.
        target: Spanned<Named>,
    },
    /// `LEITER STELLE Le#1 17`.
    SetLadder {
        /// The ladder.
        ladder: Spanned<Named>,
        /// The field of the building or wall.
        at: Spanned<FieldName>,
    },
    /// `LEITER STUERZE Le#1 17.P`.
    ToppleLadder {
        /// The ladder.
        ladder: Spanned<Named>,
        /// The platform from which.
        at: Spanned<FieldName>,
    },
    /// `SEIL WIRF Se#1 17`.
    Rope {
        /// What.
        verb: RopeVerb,
        /// The rope.
        rope: Spanned<Named>,
        /// The field of the building or wall.
        at: Spanned<FieldName>,
    },
    /// `ANSPANNEN QlP#1 QuW#1`.
    Harness {
        /// The horse.
        horse: Spanned<Named>,
        /// The wagon.
        wagon: Spanned<Named>,
    },
    /// `ABSPANNEN QuW#1`.
    Unharness {
        /// The wagon.
        wagon: Spanned<Named>,
    },
    /// `ZERSTOERE On#1`.
    Destroy {
        /// The device.
        device: Spanned<Named>,
    },
    /// `SUCHE LB#1`: an ascent on the figure's field.
    Search {
        /// Who.
        figure: Spanned<Named>,
    },
    /// `BESITZ HZ 17`.
    Possess {
        /// What.
        object: Spanned<Object>,
    },
    /// `SCHENKE lP#1 AN Rot`.
    Give {
        /// What.
        object: Spanned<Object>,
        /// To whom.
        to: Spanned<String>,
    },
    /// `LEIHE On#1 AN Rot`.
    Lend {
        /// What.
        object: Spanned<Object>,
        /// To whom.
        to: Spanned<String>,
    },
    /// `TOR 17.0-O AUF`.
    Gate {
        /// The gate.
        gate: Spanned<SideName>,
        /// Open or close.
        open: bool,
    },
    /// `SCHARTE B#1 O`.
    Loophole {
        /// Who steps up.
        figure: Spanned<Named>,
        /// To the loophole on this side.
        side: Spanned<Direction>,
    },
    /// `BELAGERE 17`.
    Besiege {
        /// A field of the castle.
        castle: Spanned<FieldName>,
    },
    /// `PHALANX 17 O`, or `PHALANX 17 AUF` to dissolve it.
    Phalanx {
        /// Where.
        at: Spanned<FieldName>,
        /// The middle of its front; none to dissolve it.
        front: Option<Spanned<Direction>>,
    },
    /// `ZAUBER STAERKEN 17,18 STOCK 1 NACH 20`.
    Cast {
        /// The spell.
        spell: Spanned<Spell>,
        /// On which fields.
        fields: Vec<Spanned<FieldName>>,
        /// On which storey.
        storey: Option<Spanned<LevelName>>,
        /// Where to.
        to: Vec<Spanned<FieldName>>,
        /// The wizard who transfers himself too: `MIT Z#1`.
        along: Option<Spanned<Named>>,
    },
    /// `PRIESTER Pr#1 SEGNEN LB#1,LB#2`, `PRIESTER Pr#1 FURCHT S#1`.
    Pray {
        /// Who.
        priest: Spanned<Named>,
        /// Blessing or fear.
        spell: Spell,
        /// Whom.
        figures: Spanned<Figures>,
    },
    /// `PRIESTER Pr#1 BROT`: bread and water for the castle he is in.
    Feed {
        /// Who.
        priest: Spanned<Named>,
    },
    /// `FLIEHE 2LB 4`: off the board, into a province of one's own beside this field.
    Flee {
        /// Who.
        figures: Spanned<Figures>,
        /// From where.
        at: Spanned<FieldName>,
    },
    /// `PLUENDERE HZ 17`, or `PLUENDERE 17`: the trade centre there is plundered.
    Plunder {
        /// Where.
        at: Spanned<FieldName>,
    },
    /// `SCHLEIFE HZ 17`, or `SCHLEIFE 17`: the trade centre there is razed.
    Raze {
        /// Where.
        at: Spanned<FieldName>,
    },
    /// `DUELL Z#1 -> Z#2`.
    Duel {
        /// Who challenges.
        figure: Spanned<Named>,
        /// Whom.
        target: Spanned<Named>,
    },
    /// `ENTKRAEFTE Z#2`: the answer to an enemy's spell, which the board takes from a standing instruction only.
    Dispel {
        /// Whose spells.
        figure: Spanned<Named>,
    },
    /// A verb of the world layer, which the board alone does not know: `GOTT`, `STRUDEL`, and what priests ask of gods.
    WorldLayer {
        /// Which.
        verb: String,
        /// What stands behind it.
        rest: String,
    },
    /// `ANWEISUNG ...`.
    Standing(StandingOrder),
}
