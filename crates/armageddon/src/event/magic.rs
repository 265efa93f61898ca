//! What happens by magic: spells, fable creatures, trade centres.

use super::{Teller, Telling};
use crate::battle::Throw;
use crate::board::{Cell, Spot, direction_code};
use crate::deed::fight::Side;
use crate::deed::magic::Aim;
use crate::kinds::Spell;
use crate::state::{FigureId, Place};
use kernel::hex::Direction;
use kernel::realm::RealmId;
use serde::{Deserialize, Serialize};

/// A gate as an event keeps it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GateAt {
    /// The field.
    pub at: Spot,
    /// The side.
    pub side: Direction,
}

impl From<Side> for GateAt {
    fn from(gate: Side) -> Self {
        Self {
            at: gate.at,
            side: gate.side,
        }
    }
}

/// What happened by magic, to creatures, to trade centres.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum MagicHappening {
    /// A wizard cast a spell.
    Cast {
        /// Who.
        wizard: FigureId,
        /// Which.
        spell: Spell,
        /// On what.
        on: Vec<Aim>,
        /// Spell units.
        cost: i64,
    },
    /// Another wizard tried to dispel it.
    DispelTried {
        /// Who cast.
        wizard: FigureId,
        /// His throw.
        cast: Throw,
        /// Who tried.
        by: FigureId,
        /// His throw.
        throw: Throw,
        /// What it cost him.
        price: i64,
        /// Whether the spell has no effect.
        success: bool,
    },
    /// Figures came under a spell.
    Enchanted {
        /// Which.
        spell: Spell,
        /// Who.
        figures: Vec<FigureId>,
    },
    /// A figure was transferred.
    Transferred {
        /// Who.
        figure: FigureId,
        /// From where.
        from: Place,
        /// Where to.
        to: Place,
    },
    /// An animal was driven by a spell.
    Driven {
        /// Who.
        figure: FigureId,
        /// From where.
        from: Place,
        /// Where to.
        to: Spot,
    },
    /// A gate moved by itself.
    GateMoved {
        /// Which.
        gate: GateAt,
        /// Whether it is open now.
        open: bool,
    },
    /// A river dried up or rose.
    RiverChanged {
        /// By which spell.
        spell: Spell,
        /// At which field.
        at: Cell,
    },
    /// Spells expired.
    Expired {
        /// Whose.
        player: RealmId,
        /// On whom.
        figures: Vec<FigureId>,
    },
    /// A wizard rolled in a duel.
    DuelRolled {
        /// Who.
        wizard: FigureId,
        /// What.
        throw: Throw,
    },
    /// A wizard lost a duel and is mortal now.
    DuelLost {
        /// Who.
        loser: FigureId,
        /// Against whom.
        winner: FigureId,
    },
    /// Both wizards are exhausted.
    DuelUndecided {
        /// The challenger.
        wizard: FigureId,
        /// The challenged.
        target: FigureId,
    },
    /// A triple brought spell units.
    TripleRolled {
        /// For whom it fell.
        figure: FigureId,
        /// The dice.
        throw: Throw,
        /// Units stored.
        units: i64,
    },
    /// An apprentice learnt a spell.
    Learnt {
        /// Who.
        wizard: FigureId,
        /// Which.
        spell: Spell,
    },
    /// A priest prayed.
    Prayed {
        /// Who.
        priest: FigureId,
        /// For what.
        spell: Spell,
        /// For whom.
        figures: Vec<FigureId>,
        /// Spell units.
        cost: i64,
    },
    /// A prayer was heard for a figure, or not.
    PrayerHeard {
        /// Who prayed.
        priest: FigureId,
        /// For what.
        spell: Spell,
        /// For whom.
        figure: FigureId,
        /// The throw.
        throw: Throw,
        /// The number needed.
        number: i64,
        /// Whether it was heard.
        heard: bool,
    },
    /// A priest gave a besieged castle bread and water.
    Fed {
        /// Who.
        priest: FigureId,
        /// The castle, by its lowest field.
        castle: Cell,
        /// Spell units.
        cost: i64,
    },
    /// A mystic tried to ward a spell off.
    Deflected {
        /// Who.
        figure: FigureId,
        /// The throw.
        throw: Throw,
        /// The number needed.
        number: i64,
        /// Whether he did.
        success: bool,
    },
    /// A creature takes a direction.
    CreatureTurned {
        /// Who.
        figure: FigureId,
        /// Where to.
        toward: Direction,
    },
    /// A creature, or a ship that one lured, moved a field.
    CreatureMoved {
        /// Who.
        figure: FigureId,
        /// From where.
        from: Place,
        /// Where to.
        to: Spot,
    },
    /// A creature endangers everybody on a field.
    CreatureStruck {
        /// Who.
        figure: FigureId,
        /// Where.
        cell: Cell,
    },
    /// A sea serpent attacked a ship.
    SerpentStruck {
        /// Who.
        figure: FigureId,
        /// Which ship.
        ship: FigureId,
        /// The throw.
        throw: Throw,
        /// The number needed.
        number: i64,
        /// Whether it sinks.
        sinks: bool,
    },
    /// A siren sang to a ship.
    SirenSang {
        /// Who.
        siren: FigureId,
        /// To which ship.
        ship: FigureId,
        /// The throw of its crew.
        throw: Throw,
        /// Whether they resisted.
        resisted: bool,
    },
    /// A trade centre changed its possessor.
    CentreTaken {
        /// Who took it.
        player: RealmId,
        /// Where.
        cell: Cell,
        /// From whom.
        from: RealmId,
    },
    /// A trade centre is being razed.
    CentreRazed {
        /// Where.
        cell: Cell,
        /// Rounds done.
        done: i64,
        /// Rounds needed.
        needed: i64,
    },
    /// A trade centre was plundered.
    CentrePlundered {
        /// By whom.
        player: RealmId,
        /// Where.
        cell: Cell,
        /// What it is worth in arms units.
        units: i64,
    },
    /// A trade centre is no more.
    CentreGone {
        /// Where.
        cell: Cell,
    },
}

fn aim_word(teller: Teller<'_>, aim: Aim) -> String {
    match aim.level {
        Some(level) if teller.position.board.building(aim.cell).is_some() => {
            teller.spot(Spot { cell: aim.cell, level })
        }
        Some(level) => format!("{}.{level}", teller.cell(aim.cell)),
        None => teller.cell(aim.cell),
    }
}

impl MagicHappening {
    /// How it is told.
    pub(super) fn telling(&self, teller: Teller<'_>) -> Telling {
        match self {
            Self::Cast {
                wizard,
                spell,
                on,
                cost,
            } => {
                let fields: Vec<String> = on.iter().map(|aim| aim_word(teller, *aim)).collect();
                teller
                    .telling("spell-cast")
                    .with("figure", teller.figure(*wizard))
                    .with_word("spell", spell.code())
                    .with("fields", fields.join(","))
                    .with("units", *cost)
            }
            Self::DispelTried {
                wizard,
                cast,
                by,
                throw,
                price,
                success,
            } => teller
                .telling(if *success { "spell-dispelled" } else { "dispel-failed" })
                .with("figure", teller.figure(*by))
                .with("wizard", teller.figure(*wizard))
                .with("throw", throw.to_string())
                .with("cast", cast.to_string())
                .with("units", *price),
            Self::Enchanted { spell, figures } => teller
                .telling("enchanted")
                .with_word("spell", spell.code())
                .with("figures", teller.figures(figures)),
            Self::Transferred { figure, from, to } => teller
                .telling("transferred")
                .with("figure", teller.figure(*figure))
                .with("from", teller.place(*from))
                .with("to", teller.place(*to)),
            Self::Driven { figure, from, to } => teller
                .telling("driven-by-spell")
                .with("figure", teller.figure(*figure))
                .with("from", teller.place(*from))
                .with("to", teller.spot(*to)),
            Self::GateMoved { gate, open } => teller
                .telling(if *open {
                    "gate-opened-by-spell"
                } else {
                    "gate-closed-by-spell"
                })
                .with(
                    "gate",
                    format!("{}-{}", teller.spot(gate.at), direction_code(gate.side)),
                ),
            Self::RiverChanged { spell, at } => teller
                .telling(match spell {
                    Spell::DryUpRiver => "river-dried-up",
                    _ => "river-rose",
                })
                .with("field", teller.cell(*at)),
            Self::Expired { player, figures } => teller
                .telling("spells-expired")
                .with("player", teller.player(*player))
                .with("figures", teller.figures(figures)),
            Self::DuelRolled { wizard, throw } => teller
                .telling("duel-rolled")
                .with("figure", teller.figure(*wizard))
                .with("throw", throw.to_string())
                .with("sum", throw.natural()),
            Self::DuelLost { loser, winner } => teller
                .telling("duel-lost")
                .with("figure", teller.figure(*loser))
                .with("winner", teller.figure(*winner)),
            Self::DuelUndecided { wizard, target } => teller
                .telling("duel-undecided")
                .with("figure", teller.figure(*wizard))
                .with("target", teller.figure(*target)),
            Self::TripleRolled { figure, throw, units } => teller
                .telling("triple-rolled")
                .with("figure", teller.figure(*figure))
                .with("throw", throw.to_string())
                .with("units", *units),
            other => other.telling_of_priests(teller),
        }
    }

    /// The same for apprentices, priests and mystics.
    fn telling_of_priests(&self, teller: Teller<'_>) -> Telling {
        match self {
            Self::Learnt { wizard, spell } => teller
                .telling("spell-learnt")
                .with("figure", teller.figure(*wizard))
                .with_word("spell", spell.code()),
            Self::Prayed {
                priest,
                spell,
                figures,
                cost,
            } => teller
                .telling("prayed")
                .with("figure", teller.figure(*priest))
                .with_word("spell", spell.code())
                .with("figures", teller.figures(figures))
                .with("units", *cost),
            Self::PrayerHeard {
                spell,
                figure,
                throw,
                number,
                heard,
                ..
            } => teller
                .telling(if *heard { "prayer-heard" } else { "prayer-unheard" })
                .with("figure", teller.figure(*figure))
                .with_word("spell", spell.code())
                .with("throw", throw.to_string())
                .with("number", *number),
            Self::Fed { priest, castle, cost } => teller
                .telling("castle-fed")
                .with("figure", teller.figure(*priest))
                .with("field", teller.cell(*castle))
                .with("units", *cost),
            Self::Deflected {
                figure,
                throw,
                number,
                success,
            } => teller
                .telling(if *success {
                    "spell-deflected"
                } else {
                    "deflecting-failed"
                })
                .with("figure", teller.figure(*figure))
                .with("throw", throw.to_string())
                .with("number", *number),
            other => other.telling_of_creatures(teller),
        }
    }

    /// The same for creatures and trade centres.
    fn telling_of_creatures(&self, teller: Teller<'_>) -> Telling {
        match self {
            Self::CreatureTurned { figure, toward } => teller
                .telling("creature-turned")
                .with("figure", teller.figure(*figure))
                .with("facing", direction_code(*toward)),
            Self::CreatureMoved { figure, from, to } => teller
                .telling("creature-moved")
                .with("figure", teller.figure(*figure))
                .with("from", teller.place(*from))
                .with("to", teller.spot(*to)),
            Self::CreatureStruck { figure, cell } => teller
                .telling("creature-struck")
                .with("figure", teller.figure(*figure))
                .with("field", teller.cell(*cell)),
            Self::SerpentStruck {
                figure,
                ship,
                throw,
                number,
                sinks,
            } => teller
                .telling(if *sinks { "serpent-sank" } else { "serpent-missed" })
                .with("figure", teller.figure(*figure))
                .with("ship", teller.figure(*ship))
                .with("throw", throw.to_string())
                .with("number", *number),
            Self::SirenSang {
                siren,
                ship,
                throw,
                resisted,
            } => teller
                .telling(if *resisted { "siren-resisted" } else { "siren-lured" })
                .with("figure", teller.figure(*siren))
                .with("ship", teller.figure(*ship))
                .with("throw", throw.to_string()),
            Self::CentreTaken { player, cell, from } => teller
                .telling("centre-taken")
                .with("player", teller.player(*player))
                .with("field", teller.cell(*cell))
                .with("from", teller.holder(*from)),
            Self::CentreRazed { cell, done, needed } => teller
                .telling("centre-being-razed")
                .with("field", teller.cell(*cell))
                .with("done", *done)
                .with("needed", *needed),
            Self::CentrePlundered { player, cell, units } => teller
                .telling("centre-plundered")
                .with("player", teller.player(*player))
                .with("field", teller.cell(*cell))
                .with("units", *units),
            Self::CentreGone { cell } => teller.telling("centre-razed").with("field", teller.cell(*cell)),
            _ => teller.telling("blank"),
        }
    }
}
