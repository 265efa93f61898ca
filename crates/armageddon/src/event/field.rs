//! What happens on the field: movement, swapping, animals, vehicles, ships, possession, overcrowding, survival.

use super::{Teller, Telling};
use crate::battle::Throw;
use crate::board::{Cell, Spot, direction_code};
use crate::kinds::{Fate, Part};
use crate::overcrowding::Crowding;
use crate::room::Room;
use crate::state::{FigureId, Place, Wind};
use kernel::diagnostic::Value;
use kernel::hex::Direction;
use kernel::realm::RealmId;
use serde::{Deserialize, Serialize};

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FieldHappening {
    /// A figure took a step.
    Stepped {
        /// Who.
        figure: FigureId,
        /// Where from.
        from: Place,
        /// Where to.
        to: Spot,
        /// Steps used.
        steps: u8,
    },
    /// A wizard hovered on.
    Hovered {
        /// Who.
        figure: FigureId,
        /// Where from.
        from: Cell,
        /// Where to.
        to: Cell,
    },
    /// A figure turned.
    Faced {
        /// Who.
        figure: FigureId,
        /// Where to.
        facing: Direction,
    },
    /// A figure left the board.
    Left {
        /// Who.
        figure: FigureId,
        /// Why.
        fate: Fate,
    },
    /// A king lost one of his lives.
    LifeLost {
        /// Who.
        figure: FigureId,
        /// Lives left.
        lives: u8,
    },
    /// A figure rolled for survival.
    Endured {
        /// Who.
        figure: FigureId,
        /// The dice.
        throw: Throw,
        /// The number needed.
        number: i64,
        /// Whether it lives.
        survived: bool,
    },
    /// A field was tested for its danger.
    Danger {
        /// Which.
        cell: Cell,
        /// The dice.
        throw: Throw,
        /// Whether those on it must roll.
        dangerous: bool,
    },
    /// Figures swapped places.
    Swapped {
        /// Those who went.
        here: Vec<FigureId>,
        /// Those who came.
        there: Vec<FigureId>,
        /// Steps used by each.
        steps: u8,
    },
    /// A figure got onto or into another, or to another part of it.
    Boarded {
        /// Who.
        figure: FigureId,
        /// Onto what.
        carrier: FigureId,
        /// Which part.
        part: Part,
        /// Steps used.
        steps: u8,
    },
    /// A figure left what carried it.
    Alighted {
        /// Who.
        figure: FigureId,
        /// From where.
        from: Place,
        /// Where to.
        to: Spot,
        /// Steps used.
        steps: u8,
    },
    /// An animal was taken by the rein, or let go.
    Led {
        /// The animal.
        animal: FigureId,
        /// By whom.
        by: Option<FigureId>,
    },
    /// A device was moved.
    Hauled {
        /// The device.
        device: FigureId,
        /// By whom.
        bearers: Vec<FigureId>,
        /// Where from.
        from: Spot,
        /// Where to.
        to: Spot,
        /// Steps used by each.
        steps: u8,
    },
    /// A quadriga drove on.
    Drove {
        /// The wagon.
        wagon: FigureId,
        /// Where the wagon is now.
        at: Cell,
        /// Where its team is now.
        team: Cell,
    },
    /// A horse was harnessed.
    Harnessed {
        /// The horse.
        horse: FigureId,
        /// To what.
        wagon: FigureId,
        /// By whom.
        by: FigureId,
    },
    /// A team was taken off.
    Unharnessed {
        /// The wagon.
        wagon: FigureId,
        /// By whom.
        by: FigureId,
    },
    /// A ship moved or turned.
    Sailed {
        /// The ship.
        ship: FigureId,
        /// Where its bow is now.
        bow: Cell,
        /// Its course.
        course: Direction,
        /// Steps used.
        steps: u8,
    },
    /// A ship drifted, or a stream carried a swimmer.
    Drifted {
        /// Who.
        figure: FigureId,
        /// Where from.
        from: Cell,
        /// Where to.
        to: Cell,
    },
    /// The wind was rolled for.
    WindRolled {
        /// The wind from now on.
        wind: Wind,
    },
    /// The wind was tested and did not change.
    WindHeld {
        /// The dice.
        throw: Throw,
    },
    /// A ship rammed another.
    RammedShip {
        /// Who.
        ship: FigureId,
        /// Whom.
        target: FigureId,
        /// The dice.
        throw: Throw,
        /// Whether it hit.
        hit: bool,
    },
    /// A figure is in the water.
    Plunged {
        /// Who.
        figure: FigureId,
        /// Where.
        cell: Cell,
    },
    /// A swimmer went on in the water by himself.
    Swam {
        /// Who.
        figure: FigureId,
        /// Where to.
        to: Cell,
        /// Steps.
        steps: u8,
    },
    /// A swimmer got out of the water.
    Landed {
        /// Who.
        figure: FigureId,
        /// Where he is now.
        at: Place,
        /// Steps used.
        steps: u8,
    },
    /// A swimmer or a survivor climbed what ran over him.
    ClimbedUp {
        /// Who.
        figure: FigureId,
        /// Where he is now.
        at: Place,
    },
    /// Something changed its owner.
    OwnerChanged {
        /// What.
        object: FigureId,
        /// From whom.
        from: RealmId,
        /// To whom.
        to: RealmId,
    },
    /// Something is possessed by another player, and stays its owner's.
    PossessorChanged {
        /// What.
        object: FigureId,
        /// From whom.
        from: RealmId,
        /// To whom.
        to: RealmId,
    },
    /// A place holds more than it offers.
    Crowded {
        /// Which.
        room: Room,
        /// Why.
        cause: Crowding,
    },
    /// A scrimmage began.
    ScrimmageBegan {
        /// Where.
        room: Room,
        /// Who begins.
        begins: RealmId,
    },
    /// An exchange of blows in a scrimmage, or of an animal that tramples.
    Exchanged {
        /// Who attacked.
        attacker: FigureId,
        /// His dice.
        throw: Throw,
        /// His good points.
        points: i64,
        /// Who defended himself.
        defender: FigureId,
        /// His dice.
        answer: Throw,
        /// His good points.
        defence: i64,
        /// Who fell.
        fallen: Option<FigureId>,
    },
    /// An animal trampled a device.
    DeviceTrampled {
        /// The animal.
        animal: FigureId,
        /// The device.
        device: FigureId,
        /// The dice.
        throw: Throw,
        /// Whether it broke.
        broken: bool,
    },
    /// An animal that could not trample its way in went back.
    TurnedBack {
        /// The animal.
        animal: FigureId,
        /// Where to.
        to: Spot,
    },
}

impl FieldHappening {
    /// How it is told.
    pub(super) fn telling(&self, teller: Teller<'_>) -> Telling {
        match self {
            Self::Stepped {
                figure,
                from,
                to,
                steps,
            } => teller
                .telling("stepped")
                .with("figure", teller.figure(*figure))
                .with("from", teller.place(*from))
                .with("to", teller.spot(*to))
                .with("steps", i64::from(*steps)),
            Self::Hovered { figure, from, to } => teller
                .telling("hovered")
                .with("figure", teller.figure(*figure))
                .with("from", teller.cell(*from))
                .with("to", teller.cell(*to)),
            Self::Faced { figure, facing } => teller
                .telling("faced")
                .with("figure", teller.figure(*figure))
                .with("facing", direction_code(*facing)),
            Self::Swapped { here, there, steps } => teller
                .telling("swapped")
                .with("here", teller.figures(here))
                .with("there", teller.figures(there))
                .with("steps", i64::from(*steps)),
            Self::Boarded {
                figure,
                carrier,
                part,
                steps,
            } => teller
                .telling("boarded")
                .with("figure", teller.figure(*figure))
                .with("carrier", teller.figure(*carrier))
                .with_word("part", part.code())
                .with("steps", i64::from(*steps)),
            Self::Alighted {
                figure,
                from,
                to,
                steps,
            } => teller
                .telling("alighted")
                .with("figure", teller.figure(*figure))
                .with("from", teller.place(*from))
                .with("to", teller.spot(*to))
                .with("steps", i64::from(*steps)),
            Self::Led { animal, by: Some(by) } => teller
                .telling("led")
                .with("animal", teller.figure(*animal))
                .with("by", teller.figure(*by)),
            Self::Led { animal, by: None } => teller.telling("let-go").with("animal", teller.figure(*animal)),
            Self::Hauled {
                device,
                bearers,
                from,
                to,
                steps,
            } => teller
                .telling("hauled")
                .with("device", teller.figure(*device))
                .with("bearers", teller.figures(bearers))
                .with("from", teller.spot(*from))
                .with("to", teller.spot(*to))
                .with("steps", i64::from(*steps)),
            other => other.vehicle(teller),
        }
    }

    /// Wagons, ships, wind and water.
    fn vehicle(&self, teller: Teller<'_>) -> Telling {
        match self {
            Self::Drove { wagon, at, team } => teller
                .telling("drove")
                .with("wagon", teller.figure(*wagon))
                .with("at", teller.cell(*at))
                .with("team", teller.cell(*team)),
            Self::Harnessed { horse, wagon, by } => teller
                .telling("harnessed")
                .with("horse", teller.figure(*horse))
                .with("wagon", teller.figure(*wagon))
                .with("by", teller.figure(*by)),
            Self::Unharnessed { wagon, by } => teller
                .telling("unharnessed")
                .with("wagon", teller.figure(*wagon))
                .with("by", teller.figure(*by)),
            Self::Sailed {
                ship,
                bow,
                course,
                steps,
            } => teller
                .telling("sailed")
                .with("ship", teller.figure(*ship))
                .with("bow", teller.cell(*bow))
                .with("course", direction_code(*course))
                .with("steps", i64::from(*steps)),
            Self::Drifted { figure, from, to } => teller
                .telling("drifted")
                .with("figure", teller.figure(*figure))
                .with("from", teller.cell(*from))
                .with("to", teller.cell(*to)),
            Self::WindRolled { wind } => teller
                .telling("wind-rolled")
                .with("toward", direction_code(wind.toward))
                .with_word("strength", wind.strength.code()),
            Self::WindHeld { throw } => teller.telling("wind-held").with("throw", throw.to_string()),
            Self::RammedShip {
                ship,
                target,
                throw,
                hit,
            } => teller
                .telling(if *hit { "ship-rammed" } else { "ship-missed" })
                .with("ship", teller.figure(*ship))
                .with("target", teller.figure(*target))
                .with("throw", throw.to_string()),
            Self::Plunged { figure, cell } => teller
                .telling("plunged")
                .with("figure", teller.figure(*figure))
                .with("at", teller.cell(*cell)),
            Self::Swam { figure, to, steps } => teller
                .telling("swam")
                .with("figure", teller.figure(*figure))
                .with("to", teller.cell(*to))
                .with("steps", i64::from(*steps)),
            Self::Landed { figure, at, steps } => teller
                .telling("landed")
                .with("figure", teller.figure(*figure))
                .with("at", teller.place(*at))
                .with("steps", i64::from(*steps)),
            Self::ClimbedUp { figure, at } => teller
                .telling("climbed-up")
                .with("figure", teller.figure(*figure))
                .with("at", teller.place(*at)),
            other => other.fate(teller),
        }
    }

    /// Possession, crowds, trampling, survival.
    fn fate(&self, teller: Teller<'_>) -> Telling {
        match self {
            Self::OwnerChanged { object, from, to } => teller
                .telling("owner-changed")
                .with("object", teller.figure(*object))
                .with("from", teller.holder(*from))
                .with("to", teller.holder(*to)),
            Self::PossessorChanged { object, from, to } => teller
                .telling("possessor-changed")
                .with("object", teller.figure(*object))
                .with("from", teller.holder(*from))
                .with("to", teller.holder(*to)),
            Self::Crowded { room, cause } => teller
                .telling("crowded")
                .with("room", room_word(teller, *room))
                .with_word("cause", cause.code()),
            Self::ScrimmageBegan { room, begins } => teller
                .telling("scrimmage-began")
                .with("room", room_word(teller, *room))
                .with("begins", teller.player(*begins)),
            Self::Exchanged {
                attacker,
                throw,
                points,
                defender,
                answer,
                defence,
                fallen,
            } => {
                let telling = teller
                    .telling(if fallen.is_some() {
                        "exchanged-fallen"
                    } else {
                        "exchanged"
                    })
                    .with("attacker", teller.figure(*attacker))
                    .with("throw", throw.to_string())
                    .with("points", *points)
                    .with("defender", teller.figure(*defender))
                    .with("answer", answer.to_string())
                    .with("defence", *defence);
                match fallen {
                    Some(fallen) => telling.with("fallen", teller.figure(*fallen)),
                    None => telling,
                }
            }
            Self::DeviceTrampled {
                animal,
                device,
                throw,
                broken,
            } => teller
                .telling(if *broken { "device-trampled" } else { "device-held" })
                .with("animal", teller.figure(*animal))
                .with("device", teller.figure(*device))
                .with("throw", throw.to_string()),
            Self::TurnedBack { animal, to } => teller
                .telling("turned-back")
                .with("animal", teller.figure(*animal))
                .with("to", teller.spot(*to)),
            Self::LifeLost { figure, lives } => teller
                .telling("life-lost")
                .with("figure", teller.figure(*figure))
                .with("lives", i64::from(*lives)),
            Self::Endured {
                figure,
                throw,
                number,
                survived,
            } => teller
                .telling(if *survived { "endured" } else { "succumbed" })
                .with("figure", teller.figure(*figure))
                .with("throw", throw.to_string())
                .with("number", *number),
            Self::Danger { cell, throw, dangerous } => teller
                .telling(if *dangerous { "danger" } else { "no-danger" })
                .with("field", teller.cell(*cell))
                .with("throw", throw.to_string()),
            Self::Left { figure, fate } => teller
                .telling("left-board")
                .with("figure", teller.figure(*figure))
                .with_word("fate", fate.code()),
            _ => teller.telling("blank"),
        }
    }
}

/// A place with room: a spot, a part of a figure, or a field of water.
fn room_word(teller: Teller<'_>, room: Room) -> Value {
    match room {
        Room::Spot(spot) => Value::Text(teller.spot(spot)),
        Room::Part(carrier, part) => teller.place(Place::On(carrier, part)),
        Room::Water(cell) => teller.place(Place::Swimming(cell)),
    }
}
