//! What one viewer knows of a hex map, ready to be drawn.
//!
//! A [`Scene`] is data without geometry, colour or wording: a game fills it from a view (never from a state), and the
//! `render` crate turns it into a picture. It names no game. Whatever the viewer does not know is simply not in it, or is
//! marked [`Knowledge::Never`] and then leaves no trace in any picture.

use crate::report::Term;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How the hexagons stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Orientation {
    /// A corner points north; fields stand in rows.
    #[default]
    PointyTop,
    /// A side points north; fields stand in columns. The lattice is that of `PointyTop` mirrored at the diagonal:
    /// `d` is the doubled row and grows north, `y` is the column and grows east.
    FlatTop,
}

/// A field of the lattice in doubled coordinates: `d` and `y` are both even or both odd.
///
/// With pointy tops `d` is the doubled column, growing east, and `y` the row, growing north.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Spot {
    /// Row; first, so that spots sort row by row.
    pub y: i32,
    /// Doubled column.
    pub d: i32,
}

impl Spot {
    /// The field at doubled column `d` in row `y`.
    pub const fn new(d: i32, y: i32) -> Self {
        Self { y, d }
    }

    /// The neighbour across a side.
    pub const fn neighbour(self, side: Side) -> Self {
        let (d, y) = side.step();
        Self::new(self.d.wrapping_add(d), self.y.wrapping_add(y))
    }
}

/// One of the six sides of a field, in the order north-east, east, south-east, south-west, west, north-west (pointy
/// tops). With flat tops the mirrored lattice makes them north-east, north, north-west, south-west, south, south-east.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Side {
    /// Step `(+1, +1)`.
    NorthEast,
    /// Step `(+2, 0)`.
    East,
    /// Step `(+1, -1)`.
    SouthEast,
    /// Step `(-1, -1)`.
    SouthWest,
    /// Step `(-2, 0)`.
    West,
    /// Step `(-1, +1)`.
    NorthWest,
}

impl Side {
    /// All six, clockwise from the north-east.
    pub const ALL: [Self; 6] = [
        Self::NorthEast,
        Self::East,
        Self::SouthEast,
        Self::SouthWest,
        Self::West,
        Self::NorthWest,
    ];

    /// The side with the number 1 to 6, as THORAMAR and its cousins write directions.
    pub const fn from_number(number: u8) -> Option<Self> {
        match number {
            1 => Some(Self::NorthEast),
            2 => Some(Self::East),
            3 => Some(Self::SouthEast),
            4 => Some(Self::SouthWest),
            5 => Some(Self::West),
            6 => Some(Self::NorthWest),
            _ => None,
        }
    }

    /// Its place in [`Side::ALL`], 0 to 5.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The side seen from the other field.
    pub const fn opposite(self) -> Self {
        match self {
            Self::NorthEast => Self::SouthWest,
            Self::East => Self::West,
            Self::SouthEast => Self::NorthWest,
            Self::SouthWest => Self::NorthEast,
            Self::West => Self::East,
            Self::NorthWest => Self::SouthEast,
        }
    }

    /// The change of `(d, y)` when stepping across this side.
    pub const fn step(self) -> (i32, i32) {
        match self {
            Self::NorthEast => (1, 1),
            Self::East => (2, 0),
            Self::SouthEast => (1, -1),
            Self::SouthWest => (-1, -1),
            Self::West => (-2, 0),
            Self::NorthWest => (-1, 1),
        }
    }
}

/// How fresh the viewer's knowledge of a field is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Knowledge {
    /// Never seen: such a field is not drawn and changes nothing.
    #[default]
    Never,
    /// Seen in an earlier step, whose number is given.
    Earlier(u32),
    /// Seen in the step the picture shows.
    Now,
}

impl Knowledge {
    /// Whether there is anything to draw.
    pub const fn is_known(self) -> bool {
        !matches!(self, Self::Never)
    }
}

/// What a field's ground looks like. Games map their terrain codes to these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Ground {
    /// Fields and meadows.
    #[default]
    Land,
    /// Broad-leaved trees; firs once the relief rises.
    Forest,
    /// A few trees on open land.
    LightForest,
    /// Dense, dark trees.
    DeepForest,
    /// Crowns and palms.
    Jungle,
    /// Trees on stilts above reeds.
    Mangrove,
    /// Reeds over water lines.
    Swamp,
    /// Tufts of grass.
    Steppe,
    /// Dunes.
    Desert,
    /// Two palms and a pool among dunes.
    Oasis,
    /// Snow drifts on land.
    IceDesert,
    /// Coastal or fresh water.
    Water,
    /// Open sea.
    DeepSea,
    /// A whirlpool.
    Whirlpool,
    /// Rocks in the surf.
    Reef,
    /// A smoking cone.
    Volcano,
    /// Ice floes.
    Ice,
    /// A flat-topped plateau.
    Mesa,
    /// The void at the world's edge.
    Void,
}

impl Ground {
    /// Whether the ground is water, with a shore where it meets land.
    pub const fn is_water(self) -> bool {
        matches!(self, Self::Water | Self::DeepSea | Self::Whirlpool | Self::Reef)
    }
}

/// How the ground rises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Relief {
    /// No hills.
    #[default]
    Flat,
    /// Rounded hills.
    Hills,
    /// Shaded peaks.
    Peaks,
    /// One great summit.
    Summit,
}

/// How a terrain code is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TerrainStyle {
    /// What grows or flows there.
    pub ground: Ground,
    /// How it rises.
    pub relief: Relief,
}

/// One field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Where it lies.
    pub at: Spot,
    /// The game's terrain code, a key of [`Scene::terrains`].
    pub terrain: String,
    /// Height 0 to 3; neighbours of different height get hachures.
    pub height: u8,
    /// Whether and when it was seen.
    pub knowledge: Knowledge,
    /// The realm that owns it, as far as the viewer knows.
    pub owner: Option<u16>,
    /// Yield in percent where the viewer knows it.
    pub yield_percent: Option<u16>,
    /// Whether a blessing lies on it.
    pub blessed: bool,
    /// The field's name in the game's own notation (`4/2`, `806/07`).
    pub label: String,
}

/// What lies on or crosses one side of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum EdgeKind {
    /// A border between provinces: a heavier line of the grid.
    Province,
    /// A river along the side.
    River,
    /// A road from the field's centre to this side.
    Road,
    /// A bridge across the side.
    Bridge,
    /// A wall that stands on the field's own side of the border.
    Wall,
    /// A ditch along the side.
    Ditch,
    /// A way up or down across the side, where the fields lie at different heights.
    Ascent,
    /// A shut gate in the field's own wall or building.
    Gate,
    /// A gate that stands open.
    OpenGate,
    /// A gate that was broken.
    BrokenGate,
}

impl EdgeKind {
    /// Whether it belongs to both fields at the side.
    pub const fn is_shared(self) -> bool {
        matches!(
            self,
            Self::Province | Self::River | Self::Bridge | Self::Ditch | Self::Ascent
        )
    }

    /// Whether it is a gate, in whatever condition.
    pub const fn is_gate(self) -> bool {
        matches!(self, Self::Gate | Self::OpenGate | Self::BrokenGate)
    }
}

/// One thing at one side. What [belongs to both fields](EdgeKind::is_shared) need be listed only once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Edge {
    /// The field.
    pub at: Spot,
    /// Which of its sides.
    pub side: Side,
    /// What is there.
    pub kind: EdgeKind,
}

/// How a place is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Symbol {
    /// The capital of a realm.
    Capital,
    /// A castle.
    Castle,
    /// A town.
    #[default]
    Town,
    /// A fortress.
    Fortress,
    /// A temple city under a dome with an open ring.
    LightTemple,
    /// A temple city under a dome with a filled disc.
    DarkTemple,
    /// A temple city under a dome with a half disc.
    HolyTemple,
    /// A temple.
    Temple,
    /// A mine.
    Mine,
    /// A world gate.
    Gate,
    /// A village or a single house.
    Village,
    /// A harbour.
    Harbour,
    /// A watch tower.
    Tower,
    /// A camp of tents.
    Camp,
    /// A lair of monsters.
    Lair,
}

/// In which condition a place is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Condition {
    /// Whole, or unknown.
    #[default]
    Intact,
    /// Lightly damaged.
    Light,
    /// Heavily damaged.
    Heavy,
    /// A ruin: drawn as one, whatever it was.
    Ruin,
    /// Being built.
    Building,
}

/// A building, town or other fixed thing on a field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Where it stands.
    pub at: Spot,
    /// The game's code for its kind (`BRG`); the wording comes from the locale.
    pub kind: String,
    /// How it is drawn.
    pub symbol: Symbol,
    /// Its condition.
    pub condition: Condition,
    /// Its name; players choose it, so a picture escapes it.
    pub name: String,
    /// The realm it belongs to.
    pub owner: Option<u16>,
}

/// How an army's flag is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Flag {
    /// The flag is shown: the owner's colour.
    #[default]
    Shown,
    /// Seen, but not assignable to a realm: paper with a question mark.
    Unassigned,
    /// The viewer's own army that others do not notice: dashed outline.
    OwnUnseen,
    /// Seen earlier, now perhaps elsewhere: faded.
    Earlier,
}

/// An army, fleet or figure.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Army {
    /// Where it stands.
    pub at: Spot,
    /// What is written on the flag (`K.M 1`).
    pub label: String,
    /// Heads, where the viewer knows them.
    pub count: Option<u64>,
    /// Its realm; none when unknown or without one.
    pub owner: Option<u16>,
    /// How the flag is drawn.
    pub flag: Flag,
}

/// A planned or travelled path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Route {
    /// The fields in order.
    pub spots: Vec<Spot>,
    /// The realm whose ink it gets; none for the ink of the map.
    pub owner: Option<u16>,
}

/// Why a field is marked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Mark {
    /// The field under discussion.
    #[default]
    Selected,
    /// A fight took place here.
    Battle,
    /// Within reach of a chosen army.
    Reach,
}

/// A marked field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Highlight {
    /// Which field.
    pub at: Spot,
    /// Why.
    pub mark: Mark,
}

/// A name written across land or sea.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegionName {
    /// The field in the middle of the name.
    pub at: Spot,
    /// The name.
    pub text: String,
    /// Whether it names water.
    pub water: bool,
}

/// How a realm appears.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RealmStyle {
    /// Its name as the viewer knows it.
    pub name: String,
    /// Which ink and which dash it gets. Must not depend on realms the viewer does not know; the realm's number is a
    /// good choice. Equal slots look alike.
    pub slot: u16,
}

/// How far it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scale {
    /// Length of the bar in fields.
    pub fields: u16,
    /// The same length in the unit below.
    pub length: u32,
    /// The unit (`km`).
    pub unit: String,
}

/// Everything a picture of a map needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scene {
    /// Short lower-case name of the game (`thoramar`), under which the locale finds words for codes.
    pub game: String,
    /// Language code, `de` or `en`.
    pub language: String,
    /// First line of the cartouche, such as the name of the world.
    pub title: String,
    /// Second line, such as realm and season.
    pub subtitle: String,
    /// The second line in the words of the game's locale, for a scene without a `subtitle`: the step that the map shows.
    #[serde(default)]
    pub caption: Option<Term>,
    /// How the hexagons stand.
    pub orientation: Orientation,
    /// How each terrain code is drawn; a code without an entry is drawn as plain land.
    pub terrains: BTreeMap<String, TerrainStyle>,
    /// The fields; when a spot is listed twice the later entry counts.
    pub fields: Vec<Field>,
    /// Rivers, roads, bridges, walls.
    pub edges: Vec<Edge>,
    /// Buildings and other places.
    pub places: Vec<Place>,
    /// Armies.
    pub armies: Vec<Army>,
    /// Paths.
    pub routes: Vec<Route>,
    /// Marked fields.
    pub highlights: Vec<Highlight>,
    /// Names of regions.
    pub regions: Vec<RegionName>,
    /// Names and inks of the realms by number.
    pub realms: BTreeMap<u16, RealmStyle>,
    /// The viewer's own realm; none for the game master.
    pub own_realm: Option<u16>,
    /// How far it is.
    pub scale: Option<Scale>,
    /// The colours that the rule book itself gives a terrain code, edge and centre, for programs that draw as it does.
    #[serde(default)]
    pub colours: BTreeMap<String, (String, String)>,
    /// Whether this is all there is: nothing unexplored lies beyond its rim.
    #[serde(default)]
    pub complete: bool,
    /// The rules that the map follows: its answer to "why?".
    #[serde(default)]
    pub rules: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossing_a_side_and_back_returns_to_the_field() {
        let start = Spot::new(3, -5);
        for side in Side::ALL {
            let there = start.neighbour(side);
            assert_ne!(there, start);
            assert_eq!(there.neighbour(side.opposite()), start);
        }
    }

    #[test]
    fn sides_are_numbered_clockwise_from_the_north_east() {
        assert_eq!(Side::from_number(0), None);
        assert_eq!(Side::from_number(1), Some(Side::NorthEast));
        assert_eq!(Side::from_number(6), Some(Side::NorthWest));
        assert_eq!(Side::from_number(7), None);
        for (index, side) in Side::ALL.into_iter().enumerate() {
            assert_eq!(side.index(), index);
            assert_eq!(Side::from_number(index as u8 + 1), Some(side));
        }
    }

    #[test]
    fn every_neighbour_keeps_the_parity_of_the_lattice() {
        for side in Side::ALL {
            let spot = Spot::new(0, 0).neighbour(side);
            assert_eq!((spot.d + spot.y).rem_euclid(2), 0);
        }
    }
}
