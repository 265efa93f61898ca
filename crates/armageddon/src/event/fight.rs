//! What happens in the fight: melee, shots, devices, siege, buildings, hunger.

use super::{Teller, Telling};
use crate::battle::Throw;
use crate::board::{Cell, Spot, direction_code};
use crate::deed::fight::Side;
use crate::state::FigureId;
use kernel::hex::Direction;
use kernel::realm::RealmId;
use serde::{Deserialize, Serialize};

/// What somebody tries on a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Attempt {
    /// Throwing a rope so that it holds.
    ThrowRope,
    /// Toppling a ladder.
    Topple,
    /// Cutting a rope.
    Cut,
    /// Destroying it.
    Destroy,
}

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FightHappening {
    /// Two figures struck at each other.
    Fought {
        /// Who attacked.
        attacker: FigureId,
        /// Who supported him.
        support: Option<FigureId>,
        /// Whom.
        target: FigureId,
        /// The attacker's dice.
        attack: Throw,
        /// His points, with the supporter's.
        attack_points: i64,
        /// The target's dice.
        defence: Throw,
        /// Its points.
        defence_points: i64,
        /// Whether the attacker or the target won; none if neither.
        won: Option<bool>,
    },
    /// Somebody died in his king's stead.
    DiedFor {
        /// Who.
        figure: FigureId,
        /// The king.
        king: FigureId,
    },
    /// A phalanx formed.
    PhalanxFormed {
        /// Its members.
        members: Vec<FigureId>,
        /// The middle of its front.
        front: Direction,
    },
    /// A phalanx dissolved.
    PhalanxDissolved {
        /// The one that was its lowest member.
        phalanx: FigureId,
    },
    /// A phalanx took a step.
    Marched {
        /// Its lowest member.
        phalanx: FigureId,
        /// From where.
        from: Spot,
        /// Where to.
        to: Spot,
        /// Steps that it cost.
        steps: u8,
    },
    /// A phalanx struck its weight blow.
    WeightBlow {
        /// Its lowest member.
        phalanx: FigureId,
        /// The field.
        target: Cell,
        /// The dice.
        throw: Throw,
        /// Its points.
        points: i64,
    },
    /// Somebody met a weight blow.
    Withstood {
        /// Who.
        figure: FigureId,
        /// The dice.
        throw: Throw,
        /// His points.
        points: i64,
        /// Whether he fell.
        fell: bool,
    },
    /// Shooters are engaged in melee and do not shoot in this turn.
    Engaged {
        /// Who.
        figures: Vec<FigureId>,
    },
    /// A shooter stepped up to a loophole.
    AtLoophole {
        /// Who.
        figure: FigureId,
        /// On which side.
        side: Direction,
    },
    /// A shot.
    Shot {
        /// Who.
        figure: FigureId,
        /// At whom.
        target: FigureId,
        /// The dice.
        throw: Throw,
        /// Points of the shooter less those of the target.
        points: i64,
        /// The number.
        number: i64,
        /// Whether it hit.
        hit: bool,
    },
    /// An onager threw.
    Thrown {
        /// The onager.
        onager: FigureId,
        /// Who served it.
        crew: FigureId,
        /// Where to.
        target: Spot,
        /// At the wall or bridge on this side.
        side: Option<Direction>,
        /// The dice.
        throw: Throw,
        /// The number.
        number: i64,
        /// Whether it hit.
        hit: bool,
    },
    /// A ship was hit.
    ShipHit {
        /// Which.
        ship: FigureId,
        /// Its hits now.
        hits: u8,
    },
    /// A storey was hit.
    StoreyHit {
        /// Which.
        at: Spot,
        /// Its hits now.
        hits: u8,
        /// The wall that fell.
        fallen: Option<Direction>,
    },
    /// A storey came down with all above it.
    Collapsed {
        /// Which.
        at: Spot,
    },
    /// A wall was hit and stands.
    WallHit {
        /// The field it stands in.
        cell: Cell,
        /// Along which side.
        side: Direction,
        /// Its hits now.
        hits: u8,
    },
    /// A wall fell.
    WallFell {
        /// The field it stood in.
        cell: Cell,
        /// Along which side.
        side: Direction,
    },
    /// A bridge was hit.
    BridgeHit {
        /// The field, or one beside the edge.
        cell: Cell,
        /// Its hits now.
        hits: u8,
        /// Whether it fell.
        fell: bool,
    },
    /// Pitch was poured.
    Poured {
        /// Who.
        figure: FigureId,
        /// Onto which field.
        target: Cell,
    },
    /// Pitch ran over a device.
    Burned {
        /// Which.
        device: FigureId,
        /// The dice.
        throw: Throw,
        /// Up to which sum it is destroyed.
        number: i64,
        /// Whether it was.
        destroyed: bool,
    },
    /// A ram, turtle or elephant struck a gate or wall.
    Rammed {
        /// What struck.
        device: FigureId,
        /// What was struck.
        target: Side,
        /// The dice.
        throw: Throw,
        /// The number.
        number: i64,
        /// Whether it broke.
        broke: bool,
    },
    /// A ladder was set up.
    LadderSet {
        /// Which.
        ladder: FigureId,
        /// The field of the building or wall.
        against: Cell,
    },
    /// Two ropes were tied together.
    RopesTied {
        /// The one that is thrown.
        rope: FigureId,
        /// The other.
        other: FigureId,
    },
    /// Somebody tried something on a device.
    Tried {
        /// Who.
        figure: FigureId,
        /// On what.
        device: FigureId,
        /// What.
        what: Attempt,
        /// The dice.
        throw: Throw,
        /// The number.
        number: i64,
        /// Whether it succeeded.
        success: bool,
    },
    /// A gate was opened or closed.
    GateMoved {
        /// Which.
        gate: Side,
        /// Whether it is open now.
        open: bool,
    },
    /// Somebody looked for an ascent.
    Searched {
        /// Who.
        figure: FigureId,
        /// On which field.
        cell: Cell,
        /// The dice.
        throw: Throw,
        /// On which side he found one.
        found: Option<Direction>,
    },
    /// A stronghold was determined.
    Surveyed {
        /// Its lowest field.
        castle: Cell,
        /// Its fields.
        fields: u32,
        /// Its accesses.
        accesses: u32,
    },
    /// A siege was declared.
    SiegeDeclared {
        /// The stronghold.
        castle: Cell,
        /// Who declared it.
        by: RealmId,
        /// Its fields.
        fields: u32,
    },
    /// A siege no longer stands.
    SiegeBroken {
        /// The stronghold.
        castle: Cell,
        /// Whose siege it was.
        by: RealmId,
    },
    /// An open gate: the siege does not count this round.
    SiegePaused {
        /// The stronghold.
        castle: Cell,
        /// Rounds so far.
        rounds: u32,
    },
    /// A siege, or hunger without one, has lasted a round more.
    SiegeCounted {
        /// The stronghold.
        castle: Cell,
        /// Rounds now.
        rounds: u32,
        /// Fields of the stronghold.
        fields: u32,
        /// The number against which those inside roll; 0 if they do not yet.
        number: i64,
    },
    /// A stronghold has no access any more.
    AccessLost {
        /// The stronghold.
        castle: Cell,
    },
    /// Hunger without a siege has ended.
    HungerEnded {
        /// The stronghold.
        castle: Cell,
    },
}

impl FightHappening {
    /// How it is told.
    pub(super) fn telling(&self, teller: Teller<'_>) -> Telling {
        self.blows(teller)
            .or_else(|| self.missiles(teller))
            .or_else(|| self.works(teller))
            .unwrap_or_else(|| self.siege(teller))
    }

    /// Melee and the phalanx.
    fn blows(&self, teller: Teller<'_>) -> Option<Telling> {
        Some(match self {
            Self::Fought {
                attacker,
                support,
                target,
                attack,
                attack_points,
                defence,
                defence_points,
                won,
            } => {
                let telling = match won {
                    Some(true) => teller.telling("fought-won"),
                    Some(false) => teller.telling("fought-lost"),
                    None => teller.telling("fought-even"),
                };
                let mut who = teller.figure(*attacker);
                if let Some(support) = support {
                    who.push('+');
                    who.push_str(&teller.figure(*support));
                }
                let telling = telling.with("figure", who).with("target", teller.figure(*target));
                let telling = rolled(telling, *attack, *attack_points, ["roll", "sum", "points", "total"]);
                rolled(
                    telling,
                    *defence,
                    *defence_points,
                    ["answer", "answer-sum", "answer-points", "answer-total"],
                )
            }
            Self::DiedFor { figure, king } => teller
                .telling("died-for")
                .with("figure", teller.figure(*figure))
                .with("king", teller.figure(*king)),
            Self::PhalanxFormed { members, front } => teller
                .telling("phalanx-formed")
                .with("figures", teller.figures(members))
                .with("side", direction_code(*front)),
            Self::PhalanxDissolved { phalanx } => teller
                .telling("phalanx-dissolved")
                .with("figure", teller.figure(*phalanx)),
            Self::Marched {
                phalanx,
                from,
                to,
                steps,
            } => teller
                .telling("marched")
                .with("figure", teller.figure(*phalanx))
                .with("from", teller.spot(*from))
                .with("to", teller.spot(*to))
                .with("steps", i64::from(*steps)),
            Self::WeightBlow {
                phalanx,
                target,
                throw,
                points,
            } => {
                let telling = teller
                    .telling("weight-blow")
                    .with("figure", teller.figure(*phalanx))
                    .with("field", teller.cell(*target));
                rolled(telling, *throw, *points, ["roll", "sum", "points", "total"])
            }
            Self::Withstood {
                figure,
                throw,
                points,
                fell,
            } => {
                let telling = if *fell {
                    teller.telling("blow-fell")
                } else {
                    teller.telling("blow-withstood")
                };
                let telling = telling.with("figure", teller.figure(*figure));
                rolled(telling, *throw, *points, ["roll", "sum", "points", "total"])
            }
            _ => return None,
        })
    }

    /// Shots, throws and pitch.
    fn missiles(&self, teller: Teller<'_>) -> Option<Telling> {
        Some(match self {
            Self::Engaged { figures } => teller.telling("engaged").with("figures", teller.figures(figures)),
            Self::AtLoophole { figure, side } => teller
                .telling("at-loophole")
                .with("figure", teller.figure(*figure))
                .with("side", direction_code(*side)),
            Self::Shot {
                figure,
                target,
                throw,
                points,
                number,
                hit,
            } => {
                let telling = if *hit {
                    teller.telling("shot-hit")
                } else {
                    teller.telling("shot-missed")
                };
                let telling = telling
                    .with("figure", teller.figure(*figure))
                    .with("target", teller.figure(*target));
                rolled(telling, *throw, *points, ["roll", "sum", "points", "total"]).with("number", *number)
            }
            Self::Thrown {
                onager,
                crew,
                target,
                side,
                throw,
                number,
                hit,
            } => {
                let telling = if *hit {
                    teller.telling("throw-hit")
                } else {
                    teller.telling("throw-missed")
                };
                let mut field = teller.spot(*target);
                if let Some(side) = side {
                    field.push('-');
                    field.push_str(direction_code(*side));
                }
                telling
                    .with("figure", teller.figure(*onager))
                    .with("crew", teller.figure(*crew))
                    .with("field", field)
                    .with("roll", throw.to_string())
                    .with("sum", throw.natural())
                    .with("number", *number)
            }
            Self::ShipHit { ship, hits } => teller
                .telling("ship-hit")
                .with("figure", teller.figure(*ship))
                .with("hits", i64::from(*hits)),
            Self::Poured { figure, target } => teller
                .telling("poured")
                .with("figure", teller.figure(*figure))
                .with("field", teller.cell(*target)),
            Self::Burned {
                device,
                throw,
                number,
                destroyed,
            } => {
                let telling = if *destroyed {
                    teller.telling("burned")
                } else {
                    teller.telling("not-burned")
                };
                telling
                    .with("figure", teller.figure(*device))
                    .with("roll", throw.to_string())
                    .with("sum", throw.natural())
                    .with("number", *number)
            }
            _ => return None,
        })
    }

    /// Devices, gates, walls, storeys, bridges.
    fn works(&self, teller: Teller<'_>) -> Option<Telling> {
        Some(match self {
            Self::StoreyHit { at, hits, fallen } => {
                let telling = match fallen {
                    Some(_) => teller.telling("storey-breached"),
                    None => teller.telling("storey-hit"),
                };
                let telling = telling.with("field", teller.spot(*at)).with("hits", i64::from(*hits));
                match fallen {
                    Some(side) => telling.with("side", direction_code(*side)),
                    None => telling,
                }
            }
            Self::Collapsed { at } => teller
                .telling("collapsed")
                .with("field", teller.cell(at.cell))
                .with("level", i64::from(at.level)),
            Self::WallHit { cell, side, hits } => teller
                .telling("wall-hit")
                .with("field", teller.cell(*cell))
                .with("side", direction_code(*side))
                .with("hits", i64::from(*hits)),
            Self::WallFell { cell, side } => teller
                .telling("wall-fell")
                .with("field", teller.cell(*cell))
                .with("side", direction_code(*side)),
            Self::BridgeHit { cell, hits, fell } => {
                let telling = if *fell {
                    teller.telling("bridge-fell")
                } else {
                    teller.telling("bridge-hit")
                };
                telling.with("field", teller.cell(*cell)).with("hits", i64::from(*hits))
            }
            Self::Rammed {
                device,
                target,
                throw,
                number,
                broke,
            } => {
                let telling = if *broke {
                    teller.telling("rammed")
                } else {
                    teller.telling("ram-failed")
                };
                telling
                    .with("figure", teller.figure(*device))
                    .with("field", side_name(teller, *target))
                    .with("roll", throw.to_string())
                    .with("sum", throw.natural())
                    .with("number", *number)
            }
            Self::LadderSet { ladder, against } => teller
                .telling("ladder-set")
                .with("figure", teller.figure(*ladder))
                .with("field", teller.cell(*against)),
            Self::RopesTied { rope, other } => teller
                .telling("ropes-tied")
                .with("figure", teller.figure(*rope))
                .with("other", teller.figure(*other)),
            Self::Tried {
                figure,
                device,
                what,
                throw,
                number,
                success,
            } => {
                let telling = match (what, success) {
                    (Attempt::ThrowRope, true) => teller.telling("rope-holds"),
                    (Attempt::ThrowRope, false) => teller.telling("rope-falls"),
                    (Attempt::Topple, true) => teller.telling("ladder-toppled"),
                    (Attempt::Topple, false) => teller.telling("ladder-stands"),
                    (Attempt::Cut, true) => teller.telling("rope-cut"),
                    (Attempt::Cut, false) => teller.telling("rope-whole"),
                    (Attempt::Destroy, true) => teller.telling("device-destroyed"),
                    (Attempt::Destroy, false) => teller.telling("device-whole"),
                };
                telling
                    .with("figure", teller.figure(*figure))
                    .with("device", teller.figure(*device))
                    .with("roll", throw.to_string())
                    .with("sum", throw.natural())
                    .with("number", *number)
            }
            Self::GateMoved { gate, open } => {
                let telling = if *open {
                    teller.telling("gate-opened")
                } else {
                    teller.telling("gate-closed")
                };
                telling.with("field", side_name(teller, *gate))
            }
            Self::Searched {
                figure,
                cell,
                throw,
                found,
            } => {
                let telling = match found {
                    Some(_) => teller.telling("ascent-found"),
                    None => teller.telling("ascent-missed"),
                };
                let telling = telling
                    .with("figure", teller.figure(*figure))
                    .with("field", teller.cell(*cell))
                    .with("roll", throw.to_string())
                    .with("sum", throw.natural());
                match found {
                    Some(side) => telling.with("side", direction_code(*side)),
                    None => telling,
                }
            }
            _ => return None,
        })
    }

    /// Strongholds, sieges, hunger.
    fn siege(&self, teller: Teller<'_>) -> Telling {
        match self {
            Self::Surveyed {
                castle,
                fields,
                accesses,
            } => teller
                .telling("stronghold")
                .with("field", teller.cell(*castle))
                .with("fields", *fields)
                .with("accesses", *accesses),
            Self::SiegeDeclared { castle, by, fields } => teller
                .telling("siege-declared")
                .with("player", teller.player(*by))
                .with("field", teller.cell(*castle))
                .with("fields", *fields),
            Self::SiegeBroken { castle, by } => teller
                .telling("siege-broken")
                .with("player", teller.player(*by))
                .with("field", teller.cell(*castle)),
            Self::SiegePaused { castle, rounds } => teller
                .telling("siege-paused")
                .with("field", teller.cell(*castle))
                .with("rounds", *rounds),
            Self::SiegeCounted {
                castle,
                rounds,
                fields,
                number: 0,
            } => teller
                .telling("siege-counted")
                .with("field", teller.cell(*castle))
                .with("rounds", *rounds)
                .with("fields", *fields),
            Self::SiegeCounted {
                castle,
                rounds,
                fields,
                number,
            } => teller
                .telling("hunger")
                .with("field", teller.cell(*castle))
                .with("rounds", *rounds)
                .with("fields", *fields)
                .with("number", *number),
            Self::AccessLost { castle } => teller.telling("access-lost").with("field", teller.cell(*castle)),
            Self::HungerEnded { castle } => teller.telling("hunger-ended").with("field", teller.cell(*castle)),
            // Everything else is told by the three lists before.
            _ => teller.telling("blank"),
        }
    }
}

/// The dice with their sum, the points and the total, under these names.
fn rolled(telling: Telling, throw: Throw, points: i64, names: [&'static str; 4]) -> Telling {
    let [roll, sum, own, total] = names;
    telling
        .with(roll, throw.to_string())
        .with(sum, throw.natural())
        .with(own, points)
        .with(total, throw.natural() + points)
}

/// `17.0-O`.
fn side_name(teller: Teller<'_>, side: Side) -> String {
    format!("{}-{}", teller.spot(side.at), direction_code(side.side))
}
