//! The board: provinces of 48 fields (ARM-GAP-02), what lies on them, on their edges and along their sides.
//!
//! A [`Cell`] is a field (*Kleinfeld*, KF). A [`Spot`] is a field with a level: 0 is the ground, or the ground storey where a building
//! stands, since a building takes its whole field; the level above its last storey is the platform. Rivers, ditches, bridges and
//! ascents lie on the edge between two fields and belong to both; a wall stands inside its field along one side.

use crate::kinds::{BuildingKind, Fitting, Terrain};
use crate::state::Enchantment;
use crate::tables::Tables;
use kernel::hex::{Direction, Hex};
use kernel::province::{FIELDS_PER_PROVINCE, FieldNumber, Numbering, Place as ProvincePlace};
use kernel::realm::RealmId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Provinces of a board at the most.
pub const PROVINCES_MAX: usize = 64;

/// A field, by its number on the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cell(pub u16);

impl Cell {
    /// The place in a `Vec` of fields.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A field with a level.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Spot {
    /// The field.
    pub cell: Cell,
    /// 0 on the ground or in the ground storey, then storey by storey, last the platform.
    pub level: u8,
}

impl Spot {
    /// The ground of a field.
    pub const fn ground(cell: Cell) -> Self {
        Self { cell, level: 0 }
    }
}

/// A province (*Großfeld*, GF).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Province {
    /// Its name in scripts, `2N+4` or simply `1`.
    pub name: String,
    /// Its place among the provinces.
    pub at: Hex,
}

/// What lies on the edge of two fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Edge {
    /// The river that runs along it, by its number in [`Board::rivers`].
    pub river: Option<u8>,
    /// A ditch (*Graben*).
    pub ditch: bool,
    /// An ascent (*Aufgang*).
    pub ascent: bool,
    /// The hits that a river bridge has taken, if one crosses the edge.
    pub bridge: Option<u8>,
}

/// A wall (*Mauer*, Ma) along a side of a field, inside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Wall {
    /// Whose it is.
    pub owner: RealmId,
    /// What it has in it.
    pub fitting: Fitting,
    /// Whether onagers need more against it.
    pub reinforced: bool,
    /// The round in which its gate was last moved, by hand.
    pub moved: u32,
    /// How often in that round.
    #[serde(default)]
    pub moves: u8,
    /// Hits taken.
    #[serde(default)]
    pub hits: u8,
}

/// One storey of a building.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Storey {
    /// Its six side walls in the order of [`Direction::ALL`]; none where one has fallen.
    pub walls: [Option<Fitting>; 6],
    /// Hits taken.
    pub hits: u8,
}

/// A building that takes a whole field.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Building {
    /// What it is.
    pub kind: BuildingKind,
    /// Who placed it: this never changes (ARM-0.4.17).
    pub owner: RealmId,
    /// The storeys that stand, from the ground.
    pub storeys: Vec<Storey>,
    /// The round in which one of its gates was last moved, by side.
    pub moved: [u32; 6],
    /// How often in that round, by side.
    #[serde(default)]
    pub moves: [u8; 6],
    /// The round in which pitch was last poured from its platform.
    pub poured: u32,
    /// How often in that round.
    #[serde(default)]
    pub pours: u8,
}

impl Building {
    /// The level of the platform, if it has one.
    pub fn platform(&self, tables: &Tables) -> Option<u8> {
        let row = tables.building(self.kind);
        let standing = u8::try_from(self.storeys.len()).unwrap_or(u8::MAX);
        (row.platform && standing == row.storeys).then_some(standing)
    }

    /// How many levels one can stand on.
    pub fn levels(&self, tables: &Tables) -> u8 {
        let standing = u8::try_from(self.storeys.len()).unwrap_or(u8::MAX);
        standing + u8::from(self.platform(tables).is_some())
    }
}

/// What a field is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ground {
    /// Its terrain.
    pub terrain: Terrain,
    /// Whether a foundation (*Grundfeste*) makes its room that of open ground.
    pub foundation: bool,
    /// Where the stream flows to, on water.
    pub flow: Option<Direction>,
    /// Hits that a stream bridge over it has taken, if there is one.
    pub stream_bridge: Option<u8>,
    /// Its building.
    pub building: Option<Building>,
    /// Its walls by side.
    pub walls: [Option<Wall>; 6],
    /// Its edges to the north-east, east and south-east; the other three are its neighbours'.
    pub edges: [Edge; 3],
    /// The round in which somebody last looked for an ascent here.
    pub searched: u32,
}

impl Ground {
    /// Open ground of a terrain.
    pub fn open(terrain: Terrain) -> Self {
        Self {
            terrain,
            foundation: false,
            flow: None,
            stream_bridge: None,
            building: None,
            walls: [None; 6],
            edges: [Edge::default(); 3],
            searched: 0,
        }
    }
}

/// A river: all its edges are under one spell.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct River {
    /// The spell on it.
    pub spell: Option<Enchantment>,
}

/// The board.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Board {
    /// Its provinces; the fields of the first come first.
    pub provinces: Vec<Province>,
    /// Its fields.
    pub cells: Vec<Ground>,
    /// Its rivers.
    pub rivers: Vec<River>,
    /// Whether there is a roof over it, as in a cave: onagers cannot throw high.
    #[serde(default)]
    pub roof: bool,
    /// The neighbours of each field in the order of [`Direction::ALL`]: follows from the provinces.
    neighbours: Vec<[Option<Cell>; 6]>,
}

/// The edge beyond the board.
static NO_EDGE: Edge = Edge {
    river: None,
    ditch: false,
    ascent: false,
    bridge: None,
};

impl Board {
    /// A board of lowland.
    ///
    /// # Errors
    /// If there is no province, too many, or two in one place or of one name.
    pub fn new(provinces: Vec<Province>) -> Result<Self, String> {
        if provinces.is_empty() || provinces.len() > PROVINCES_MAX {
            return Err(format!("a board has 1 to {PROVINCES_MAX} provinces"));
        }
        for (index, province) in provinces.iter().enumerate() {
            let twin = |other: &Province| other.at == province.at || other.name == province.name;
            if provinces.iter().skip(index + 1).any(twin) {
                return Err(format!("province {} is there twice", province.name));
            }
        }
        let count = provinces.len() * usize::from(FIELDS_PER_PROVINCE);
        let mut board = Self {
            provinces,
            cells: vec![Ground::open(Terrain::Lowland); count],
            rivers: Vec::new(),
            roof: false,
            neighbours: Vec::new(),
        };
        let places: BTreeMap<Hex, Cell> = board.all().filter_map(|cell| Some((board.hex(cell)?, cell))).collect();
        board.neighbours = board
            .all()
            .map(|cell| {
                let hex = board.hex(cell);
                Direction::ALL.map(|side| places.get(&hex?.checked_neighbour(side)?).copied())
            })
            .collect();
        Ok(board)
    }

    /// All fields in order.
    pub fn all(&self) -> impl Iterator<Item = Cell> + use<> {
        (0..u16::try_from(self.cells.len()).unwrap_or(u16::MAX)).map(Cell)
    }

    /// What a field is; open lowland beyond the board.
    pub fn ground(&self, cell: Cell) -> Option<&Ground> {
        self.cells.get(cell.index())
    }

    /// The same to be changed.
    pub fn ground_mut(&mut self, cell: Cell) -> Option<&mut Ground> {
        self.cells.get_mut(cell.index())
    }

    /// The building on a field.
    pub fn building(&self, cell: Cell) -> Option<&Building> {
        self.ground(cell)?.building.as_ref()
    }

    /// The field beside another.
    pub fn neighbour(&self, cell: Cell, side: Direction) -> Option<Cell> {
        self.neighbours.get(cell.index())?.get(side.index()).copied().flatten()
    }

    /// The fields around another with the direction towards each.
    pub fn neighbours(&self, cell: Cell) -> impl Iterator<Item = (Direction, Cell)> + '_ {
        Direction::ALL
            .into_iter()
            .filter_map(move |side| Some((side, self.neighbour(cell, side)?)))
    }

    /// The direction of a neighbour.
    pub fn direction(&self, from: Cell, to: Cell) -> Option<Direction> {
        self.neighbours(from)
            .find(|(_, cell)| *cell == to)
            .map(|(side, _)| side)
    }

    /// The edge on a side of a field.
    pub fn edge(&self, cell: Cell, side: Direction) -> &Edge {
        self.edge_owner(cell, side)
            .and_then(|(cell, slot)| self.cells.get(cell.index())?.edges.get(slot))
            .unwrap_or(&NO_EDGE)
    }

    /// The same to be changed; none on the western rim of the board.
    pub fn edge_mut(&mut self, cell: Cell, side: Direction) -> Option<&mut Edge> {
        let (cell, slot) = self.edge_owner(cell, side)?;
        self.cells.get_mut(cell.index())?.edges.get_mut(slot)
    }

    /// The field that keeps an edge, and where in its list.
    fn edge_owner(&self, cell: Cell, side: Direction) -> Option<(Cell, usize)> {
        match side.index() {
            slot @ 0..=2 => Some((cell, slot)),
            slot => Some((self.neighbour(cell, side)?, slot - 3)),
        }
    }

    /// The walls between two neighbours: that of the first field and that of the second.
    pub fn walls_between(&self, cell: Cell, side: Direction) -> (Option<Wall>, Option<Wall>) {
        let wall = |cell: Cell, side: Direction| self.ground(cell).and_then(|ground| ground.walls[side.index()]);
        let other = self.neighbour(cell, side);
        (wall(cell, side), other.and_then(|other| wall(other, side.opposite())))
    }

    /// The place of a field on the plane.
    pub fn hex(&self, cell: Cell) -> Option<Hex> {
        let fields = u16::from(FIELDS_PER_PROVINCE);
        let province = self.provinces.get(usize::from(cell.0 / fields))?;
        let field = FieldNumber::new(u8::try_from(cell.0 % fields).ok()? + 1)?;
        Numbering::Rows.hex(ProvincePlace {
            province: province.at,
            field,
        })
    }

    /// The field at a place on the plane.
    pub fn at(&self, hex: Hex) -> Option<Cell> {
        let place = Numbering::Rows.place(hex)?;
        let index = self
            .provinces
            .iter()
            .position(|province| province.at == place.province)?;
        let first = u16::try_from(index).ok()? * u16::from(FIELDS_PER_PROVINCE);
        Some(Cell(first + u16::from(place.field.get()) - 1))
    }

    /// Whether a field borders on a province beside the board, by that one's place among the provinces.
    pub fn borders(&self, cell: Cell, province: Hex) -> bool {
        let beside = |side: Direction| {
            let next = self.hex(cell)?.checked_neighbour(side)?;
            Numbering::Rows.place(next).map(|place| place.province)
        };
        let outside = !self.provinces.iter().any(|known| known.at == province);
        outside && Direction::ALL.into_iter().any(|side| beside(side) == Some(province))
    }

    /// The number of steps between two fields.
    pub fn distance(&self, one: Cell, other: Cell) -> u64 {
        match (self.hex(one), self.hex(other)) {
            (Some(one), Some(other)) => one.distance(other),
            _ => u64::MAX,
        }
    }

    /// The name of a field: `17`, or `2N+4/17` on a board of several provinces.
    pub fn name(&self, cell: Cell) -> String {
        let fields = u16::from(FIELDS_PER_PROVINCE);
        let number = cell.0 % fields + 1;
        match self.provinces.get(usize::from(cell.0 / fields)) {
            Some(province) if self.provinces.len() > 1 => format!("{}/{number}", province.name),
            _ => number.to_string(),
        }
    }

    /// The name of a spot: the field's, with the level behind it where there is a building.
    pub fn spot_name(&self, tables: &Tables, spot: Spot) -> String {
        let name = self.name(spot.cell);
        match self.building(spot.cell) {
            Some(building) if building.platform(tables) == Some(spot.level) => format!("{name}.P"),
            Some(_) => format!("{name}.{}", spot.level),
            None => name,
        }
    }

    /// The field of a name.
    pub fn cell(&self, province: Option<&str>, number: u16) -> Option<Cell> {
        let fields = u16::from(FIELDS_PER_PROVINCE);
        if number == 0 || number > fields {
            return None;
        }
        let index = match province {
            Some(name) => self
                .provinces
                .iter()
                .position(|province| province.name.eq_ignore_ascii_case(name))?,
            None if self.provinces.len() == 1 => 0,
            None => return None,
        };
        Some(Cell(u16::try_from(index).ok()? * fields + number - 1))
    }

    /// The level of a spot above the sea: that of the terrain, and a level per storey below it (ARM-GAP-15).
    pub fn height(&self, tables: &Tables, spot: Spot) -> u8 {
        let bridged = |ground: &Ground| ground.terrain == Terrain::Water && ground.stream_bridge.is_some();
        let ground = match self.ground(spot.cell) {
            Some(ground) if bridged(ground) => self.bank(tables, spot.cell),
            Some(ground) => tables.terrain(ground.terrain).level,
            None => 0,
        };
        ground.saturating_add(spot.level)
    }

    /// A stream bridge lies as high as the lowest bank beside it, amid the water as high as lowland.
    fn bank(&self, tables: &Tables, bridge: Cell) -> u8 {
        let beside = self.neighbours(bridge).filter_map(|(_, cell)| self.ground(cell));
        let land = beside
            .map(|ground| ground.terrain)
            .filter(|terrain| *terrain != Terrain::Water);
        land.map(|terrain| tables.terrain(terrain).level)
            .min()
            .unwrap_or(tables.terrain(Terrain::Lowland).level)
    }

    /// Whether a river bars an edge: it runs there and is not dried up. A flooded river bars bridges too (ARM-GAP-32).
    pub fn river(&self, cell: Cell, side: Direction) -> Option<&River> {
        let number = self.edge(cell, side).river?;
        self.rivers.get(usize::from(number))
    }
}

/// A direction as scripts write it.
pub const fn direction_code(direction: Direction) -> &'static str {
    match direction {
        Direction::NorthEast => "NO",
        Direction::East => "O",
        Direction::SouthEast => "SO",
        Direction::SouthWest => "SW",
        Direction::West => "W",
        Direction::NorthWest => "NW",
    }
}

/// The direction of a code in letters of any case.
pub fn direction_from_code(code: &str) -> Option<Direction> {
    Direction::ALL
        .into_iter()
        .find(|direction| direction_code(*direction).eq_ignore_ascii_case(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board() -> Board {
        Board::new(vec![Province {
            name: "1".to_owned(),
            at: Hex::ORIGIN,
        }])
        .expect("a board")
    }

    fn kf(number: u16) -> Cell {
        Cell(number - 1)
    }

    #[test]
    fn fields_of_a_province_lie_in_rows_of_4_to_8() {
        let board = board();
        // ARM-GAP-02: 1-4 / 5-9 / 10-15 / 16-22 / 23-30 / 31-37 / 38-43 / 44-48.
        assert_eq!(board.neighbour(kf(1), Direction::East), Some(kf(2)));
        assert_eq!(board.neighbour(kf(1), Direction::SouthWest), Some(kf(5)));
        assert_eq!(board.neighbour(kf(1), Direction::SouthEast), Some(kf(6)));
        assert_eq!(board.neighbour(kf(23), Direction::SouthEast), Some(kf(31)));
        assert_eq!(board.neighbour(kf(4), Direction::East), None);
        assert_eq!(board.neighbour(kf(48), Direction::SouthEast), None);
    }

    #[test]
    fn the_north_side_touches_the_south_side_of_the_northern_province() {
        // ARM-GAP-02: KF 1 touches 44 and 45 of the northern province, 4 touches 47 and 48.
        let board = Board::new(vec![
            Province {
                name: "S".to_owned(),
                at: Hex::ORIGIN,
            },
            Province {
                name: "N".to_owned(),
                at: Hex::new(0, 1),
            },
        ])
        .expect("two provinces");
        let north = |number: u16| Cell(48 + number - 1);
        assert_eq!(board.neighbour(kf(1), Direction::NorthWest), Some(north(44)));
        assert_eq!(board.neighbour(kf(1), Direction::NorthEast), Some(north(45)));
        assert_eq!(board.neighbour(kf(4), Direction::NorthWest), Some(north(47)));
        assert_eq!(board.neighbour(kf(4), Direction::NorthEast), Some(north(48)));
        assert_eq!(board.name(north(44)), "N/44");
        assert_eq!(board.cell(Some("n"), 44), Some(north(44)));
        assert_eq!(board.cell(None, 44), None);
    }

    #[test]
    fn a_board_has_provinces_but_not_too_many_and_none_twice() {
        let province = |name: usize, q: i32| Province {
            name: name.to_string(),
            at: Hex::new(q, 0),
        };
        let row =
            |count: usize| -> Vec<Province> { (0i32..).zip(1..=count).map(|(q, name)| province(name, q)).collect() };
        assert!(Board::new(Vec::new()).is_err());
        assert!(Board::new(row(PROVINCES_MAX)).is_ok());
        assert!(Board::new(row(PROVINCES_MAX + 1)).is_err());
        assert!(Board::new(vec![province(1, 0), province(1, 1)]).is_err());
        assert!(Board::new(vec![province(1, 0), province(2, 0)]).is_err());
    }

    #[test]
    fn a_field_borders_on_the_provinces_beside_the_board() {
        // The northern province lies at fields 1 to 4, and what is on the board is no border.
        let board = board();
        let north = Hex::new(0, 1);
        let at_the_rim: Vec<u16> = (1..=48).filter(|number| board.borders(kf(*number), north)).collect();
        assert_eq!(at_the_rim, [1, 2, 3, 4]);
        assert!(!board.borders(kf(1), Hex::ORIGIN));
    }

    #[test]
    fn an_edge_is_the_same_from_both_sides() {
        let mut board = board();
        board.edge_mut(kf(17), Direction::East).expect("an edge").ditch = true;
        assert!(board.edge(kf(18), Direction::West).ditch);
        assert!(!board.edge(kf(18), Direction::East).ditch);
        board.edge_mut(kf(18), Direction::SouthWest).expect("an edge").ascent = true;
        let below = board.neighbour(kf(18), Direction::SouthWest).expect("a field");
        assert!(board.edge(below, Direction::NorthEast).ascent);
    }

    #[test]
    fn numbers_outside_1_to_48_name_no_field() {
        let board = board();
        assert_eq!(board.cell(None, 0), None);
        assert_eq!(board.cell(None, 1), Some(kf(1)));
        assert_eq!(board.cell(None, 48), Some(kf(48)));
        assert_eq!(board.cell(None, 49), None);
    }
}
