//! Room (*Aufenthalt*): how many space units (*Raumeinheiten*, REH) a place offers, how many are used, who may stay.
//!
//! Every place where figures stand is a [`Room`]: a spot of the board, or a part of a carrier. [`free`] is the only function that
//! decides whether somebody finds room; [`crowded`] finds every place that holds more than it offers.

use crate::board::{Cell, Spot};
use crate::kinds::{Family, Kind, Part, Terrain};
use crate::rule;
use crate::state::{Figure, FigureId, Place, Position};
use crate::tables::{Stay, Tables};
use kernel::rule::RuleId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A place that offers room.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Room {
    /// A field, a storey, a platform.
    Spot(Spot),
    /// A part of a carrier.
    Part(FigureId, Part),
    /// The water of a field, for those who swim in it.
    Water(Cell),
}

impl Room {
    /// As a place where somebody is.
    pub const fn place(self) -> Place {
        match self {
            Self::Spot(spot) => Place::At(spot),
            Self::Part(carrier, part) => Place::On(carrier, part),
            Self::Water(cell) => Place::Swimming(cell),
        }
    }
}

/// The room that a figure in this place uses: a rider uses room on the field of his horse (ARM-EX-01).
pub fn room_of(position: &Position, place: Place) -> Option<Room> {
    match place {
        Place::At(spot) => Some(Room::Spot(spot)),
        Place::On(carrier, Part::Back) => room_of(position, position.figure(carrier)?.place),
        Place::On(carrier, part) => Some(Room::Part(carrier, part)),
        Place::Swimming(cell) => Some(Room::Water(cell)),
        Place::Above(_) | Place::Gone(_) => None,
    }
}

/// Space units that a room offers (ARM-0.4.1 to 0.4.4, ARM-GAP-15, ARM-GAP-24).
pub fn capacity(tables: &Tables, position: &Position, room: Room) -> i64 {
    match room {
        Room::Spot(spot) => spot_capacity(tables, position, spot),
        Room::Part(carrier, part) => part_capacity(tables, position, carrier, part),
        Room::Water(_) => i64::from(tables.terrain(Terrain::Water).room),
    }
}

fn spot_capacity(tables: &Tables, position: &Position, spot: Spot) -> i64 {
    let Some(ground) = position.board.ground(spot.cell) else {
        return 0;
    };
    if let Some(building) = &ground.building {
        let inside = spot.level < building.levels(tables);
        return if inside {
            i64::from(tables.building(building.kind).room)
        } else {
            0
        };
    }
    if spot.level > 0 {
        return 0;
    }
    if ground.terrain == Terrain::Water && ground.stream_bridge.is_some() {
        return tables.works.stream_bridge_room;
    }
    if ground.foundation || position.centres.contains_key(&spot.cell) {
        // A foundation, like a trade centre, makes the room of open ground.
        return tables.room.field;
    }
    i64::from(tables.terrain(ground.terrain).room)
}

fn part_capacity(tables: &Tables, position: &Position, carrier: FigureId, part: Part) -> i64 {
    let room = &tables.room;
    match part {
        Part::Back => room.back,
        Part::Saddle => room.saddle,
        Part::Wagon => room.wagon,
        Part::Inside => room.turtle,
        Part::Lower => room.siege_tower_lower,
        Part::Upper => room.siege_tower_upper,
        Part::Rung => room.rung,
        Part::Bow | Part::Stern => match position.figure(carrier).map(|figure| figure.kind) {
            Some(Kind::Longship) => tables.ship.longship_room,
            Some(Kind::SailingShip) => tables.ship.sailing_ship_room,
            Some(Kind::Raft) if part == Part::Bow => tables.ship.raft_room,
            _ => 0,
        },
    }
}

/// Space units that a figure uses where it stands (ARM-0.4.1, ARM-0.4.3). What fills its field uses all of it.
pub fn consumption(tables: &Tables, figure: &Figure) -> i64 {
    match figure.kind {
        // A mortal wizard stands on the ground like anybody.
        Kind::Wizard if figure.mortal => tables.room.figure,
        kind => i64::from(tables.figure(kind).room),
    }
}

/// The figures that use a room.
pub fn users(position: &Position, room: Room) -> impl Iterator<Item = (FigureId, &Figure)> {
    position
        .present()
        .filter(move |(_, figure)| room_of(position, figure.place) == Some(room))
}

/// Space units used in a room.
pub fn used(tables: &Tables, position: &Position, room: Room) -> i64 {
    users(position, room)
        .map(|(_, figure)| consumption(tables, figure))
        .sum()
}

/// The figure that fills a field so that nobody else has room beside it (ARM-0.4.4), also with the stern of a ship.
pub fn filler(tables: &Tables, position: &Position, spot: Spot) -> Option<FigureId> {
    // Asked for every figure, and again for every step that is tried: where it is rules nearly all of them out.
    let fills = |id: FigureId, figure: &Figure| {
        let here = figure.place == Place::At(spot) || (spot.level == 0 && position.stern(id) == Some(spot.cell));
        here && tables.figure(figure.kind).fills
    };
    position
        .present()
        .find(|(id, figure)| fills(*id, figure))
        .map(|(id, _)| id)
}

/// Space units that are free in a room; negative in an overcrowded one.
pub fn free(tables: &Tables, position: &Position, room: Room) -> i64 {
    let offered = match room {
        Room::Spot(spot) if filler(tables, position, spot).is_some() => 0,
        // What fills a field of the board fills a field of a ship too.
        Room::Part(..) if users(position, room).any(|(_, figure)| tables.figure(figure.kind).fills) => 0,
        _ => capacity(tables, position, room),
    };
    let used: i64 = users(position, room)
        .filter(|(_, figure)| !tables.figure(figure.kind).fills)
        .map(|(_, figure)| match room {
            // On a ladder the heads count.
            Room::Part(_, Part::Rung) => 1,
            _ => consumption(tables, figure),
        })
        .sum();
    offered - used
}

/// Whether a kind may stay on a terrain at all (ARM-0.4.42), and by which rules not.
pub fn may_stay(tables: &Tables, kind: Kind, terrain: Terrain) -> Result<(), &'static [RuleId]> {
    let row = tables.terrain(terrain);
    let family = kind.family();
    let flies = matches!(kind, Kind::Dragon | Kind::Griffin | Kind::DarkRider);
    let swims = matches!(kind, Kind::SeaSerpent | Kind::Siren);
    let fits = match row.stay {
        Stay::Nobody => flies || kind == Kind::Troll,
        Stay::Ships => flies || swims || family == Family::Ship,
        Stay::Carried | Stay::All if swims || family == Family::Ship => false,
        Stay::Carried => !matches!(
            family,
            Family::Elephant | Family::Team | Family::Wagon | Family::Shelter
        ),
        Stay::All => match kind {
            Kind::Elephant => !row.ice,
            Kind::Mammoth => !row.desert,
            Kind::Wagon | Kind::QuadrigaLight | Kind::QuadrigaHeavy => !row.ice,
            _ => true,
        },
    };
    if fits { Ok(()) } else { Err(&[rule::R0_4_42]) }
}

/// Every room that holds more than it offers, in order.
pub fn crowded(tables: &Tables, position: &Position) -> Vec<Room> {
    let rooms: BTreeSet<Room> = position
        .present()
        .filter_map(|(_, figure)| room_of(position, figure.place))
        .collect();
    rooms
        .into_iter()
        .filter(|room| free(tables, position, *room) < 0)
        .collect()
}
