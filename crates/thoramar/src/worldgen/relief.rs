//! Land and sea, heights and wetness: fields of noise on a world that closes from east to west.
//!
//! Integers only. Elevation and wetness are never compared with fixed numbers but ranked, so that every world has the shares of sea,
//! highland and desert that were asked for, whatever its size.

use super::chart::Chart;
use super::lot::{Lot, Purpose};
use crate::codes::{Climate, Terrain};
use crate::geo;
use crate::tables::Tables;
use kernel::hex::FieldIndex;
use kernel::worldgen::{Cell, layered, ranked};

/// The height of fields that nobody can enter.
pub(super) const CLOSED: u8 = u8::MAX;

/// The shape of a world before anything grows on it.
pub(super) struct Relief {
    /// Height step of every field, 0 for water, [`CLOSED`] at the poles.
    pub(super) heights: Vec<u8>,
    /// Elevation of every field, only good for comparing.
    pub(super) elevation: Vec<i64>,
    /// Wetness of every land field among those of its climate, 0 to 999.
    pub(super) wetness: Vec<u16>,
    /// How hard it freezes on every polar land field, 0 to 999: in patches, so that ice lies in sheets and not in speckles.
    pub(super) frost: Vec<u16>,
    /// Climate of every field.
    pub(super) climates: Vec<Climate>,
}

/// One layer of noise: random values on a coarse lattice, smoothly joined.
struct Layer {
    columns: u64,
    rows: u64,
    values: Vec<i64>,
}

impl Layer {
    /// A layer whose cells are about `size` columns wide.
    fn new(lot: Lot, purpose: Purpose, octave: u64, chart: &Chart, size: u64) -> Self {
        let columns = (u64::from(chart.grid.columns()) / size).max(2);
        // A row is about 13/15 of a column high.
        let rows = (u64::from(chart.grid.rows()) * 13 / 15 / size).max(1) + 1;
        let values = (0..columns * (rows + 1))
            .map(|n| i64::try_from(lot.draw(purpose, octave << 48 | n) >> 48).unwrap_or(0))
            .collect();
        Self { columns, rows, values }
    }

    /// The value at a field, from 0 to 65535.
    fn at(&self, chart: &Chart, field: usize) -> i64 {
        let place = chart.grid.doubled(FieldIndex(field as u32));
        let (d, y) = (place.d.unsigned_abs(), place.y.unsigned_abs());
        let (columns, rows) = (u64::from(chart.grid.columns()), u64::from(chart.grid.rows()));
        let cell = Cell::of((d * self.columns, 2 * columns), (y * (self.rows - 1), rows));
        // The lattice closes from east to west, as the world does.
        cell.value(|column, row| self.values[(row * self.columns + column % self.columns) as usize])
    }
}

/// Noise of several layers; cells are about `size` columns wide at first.
fn noise(lot: Lot, purpose: Purpose, chart: &Chart, size: u64, layers: u64) -> Vec<i64> {
    layered(chart.len(), size, layers, |octave, size| {
        let layer = Layer::new(lot, purpose, octave, chart, size);
        move |field| layer.at(chart, field)
    })
}

impl Relief {
    /// Shapes a world of which `land_permille` thousandths are land.
    pub(super) fn shape(tables: &Tables, chart: &Chart, lot: Lot, land_permille: usize) -> Self {
        let columns = u64::from(chart.grid.columns());
        let poles = tables.world.unknown_rows_each_pole as usize;
        let rows = chart.grid.rows() as usize;
        let open = |field: &usize| {
            let row = chart.row(*field);
            row >= poles && row + poles < rows
        };
        let climates: Vec<Climate> = chart
            .grid
            .fields()
            .map(|field| geo::climate(&tables.world, &chart.grid, field))
            .collect();
        let elevation = noise(lot, Purpose::Elevation, chart, (columns / 6).clamp(6, 24), 5);
        let mut heights = vec![CLOSED; chart.len()];
        ranked((0..chart.len()).filter(open).collect(), &elevation, |field, rank| {
            heights[field] = u8::from(rank >= 1000 - land_permille);
        });
        raise(chart, lot, &elevation, &mut heights);
        let moisture = noise(lot, Purpose::Moisture, chart, 8, 3);
        let land = |climate: Climate| {
            let of_climate = |field: &usize| is_land(heights[*field]) && climates[*field] == climate;
            (0..chart.len()).filter(of_climate).collect()
        };
        let mut wetness = vec![0u16; chart.len()];
        for climate in Climate::ALL {
            ranked(land(*climate), &moisture, |field, rank| {
                wetness[field] = u16::try_from(rank).unwrap_or(999);
            });
        }
        let mut frost = vec![0u16; chart.len()];
        let cold = noise(lot, Purpose::Frost, chart, 6, 3);
        ranked(land(Climate::Polar), &cold, |field, rank| {
            frost[field] = u16::try_from(rank).unwrap_or(999);
        });
        Self {
            heights,
            elevation,
            wetness,
            frost,
            climates,
        }
    }

    pub(super) fn is_land(&self, field: usize) -> bool {
        is_land(self.heights[field])
    }

    pub(super) fn is_water(&self, field: usize) -> bool {
        self.heights[field] == 0
    }
}

const fn is_land(height: u8) -> bool {
    height != 0 && height != CLOSED
}

/// Lifts the highest parts of the land to highland and mountains, then softens most cliffs: steps of two heights, which nobody
/// can climb, and high coasts, where nobody can land.
fn raise(chart: &Chart, lot: Lot, elevation: &[i64], heights: &mut [u8]) {
    let rugged = noise(lot, Purpose::Ruggedness, chart, 10, 4);
    let steepness: Vec<i64> = elevation.iter().zip(&rugged).map(|(e, r)| e + 2 * r).collect();
    let land = (0..chart.len()).filter(|field| is_land(heights[*field])).collect();
    ranked(land, &steepness, |field, rank| {
        heights[field] = match rank {
            0..560 => 1,
            560..800 => 2,
            _ => 3,
        };
    });
    for field in 0..chart.len() {
        let coast = chart.around(field).any(|beside| heights[beside] == 0);
        if is_land(heights[field]) && coast && !lot.happens(Purpose::Coast, field as u64, 1, 6) {
            heights[field] = 1;
        } else if heights[field] == 3 && coast {
            heights[field] = 2;
        }
    }
    let before = heights.to_vec();
    for field in 0..chart.len() {
        let cliff = before[field] == 3 && chart.around(field).any(|beside| before[beside] == 1);
        if cliff && !lot.happens(Purpose::Cliff, field as u64, 1, 8) {
            heights[field] = 2;
        }
    }
}

/// What covers the ground, at any height.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cover {
    Plain,
    Forest,
    Jungle,
    Swamp,
    Steppe,
    Desert,
    IceDesert,
}

/// The terrain of a cover at a height from 1 to 3.
pub(super) const fn terrain(cover: Cover, height: u8) -> Terrain {
    let row = match cover {
        Cover::Plain => [Terrain::Lowland, Terrain::Highland, Terrain::Mountain],
        Cover::Forest => [Terrain::LowlandForest, Terrain::HighlandForest, Terrain::MountainForest],
        Cover::Jungle => [Terrain::LowlandJungle, Terrain::HighlandJungle, Terrain::MountainJungle],
        Cover::Swamp => [Terrain::LowlandSwamp, Terrain::HighlandSwamp, Terrain::MountainSwamp],
        Cover::Steppe => [Terrain::LowlandSteppe, Terrain::HighlandSteppe, Terrain::MountainSteppe],
        Cover::Desert => [Terrain::LowlandDesert, Terrain::HighlandDesert, Terrain::MountainDesert],
        Cover::IceDesert => [
            Terrain::LowlandIceDesert,
            Terrain::HighlandIceDesert,
            Terrain::MountainIceDesert,
        ],
    };
    match height {
        0 | 1 => row[0],
        2 => row[1],
        _ => row[2],
    }
}

/// Deep sea begins so many fields from land.
const DEEP: u32 = 3;

/// Clothes the world in its twenty-eight terrains (THO-TERR-01, THO-MAP-08).
pub(super) fn terrains(tables: &Tables, chart: &Chart, lot: Lot, relief: &Relief) -> Vec<Terrain> {
    let from_land = chart.distances((0..chart.len()).filter(|field| relief.is_land(*field)));
    (0..chart.len())
        .map(|field| match relief.heights[field] {
            CLOSED => Terrain::Unknown,
            0 => sea(lot, relief.climates[field], from_land[field], field),
            height => ground(tables, chart, lot, relief, field, height),
        })
        .collect()
}

/// Open water by the shore, deep sea far from it; reefs in warm shallow seas and whirlpools far out are rare.
fn sea(lot: Lot, climate: Climate, from_land: u32, field: usize) -> Terrain {
    let rare = |whole| lot.happens(Purpose::Sea, field as u64, 1, whole);
    if from_land < DEEP {
        let reef = climate != Climate::Polar && rare(28);
        return if reef { Terrain::Reef } else { Terrain::Water };
    }
    if rare(60) { Terrain::Whirlpool } else { Terrain::DeepSea }
}

/// The ground of a land field: by climate, then by wetness; ice and volcanoes where they belong.
fn ground(tables: &Tables, chart: &Chart, lot: Lot, relief: &Relief, field: usize, height: u8) -> Terrain {
    let below_peak = height == 2 && chart.around(field).any(|beside| relief.heights[beside] == 3);
    if below_peak && lot.happens(Purpose::Volcano, field as u64, 1, 24) {
        return Terrain::Volcano;
    }
    let cover = match (relief.climates[field], relief.wetness[field]) {
        (Climate::Tropical, 0..130) => Cover::Desert,
        (Climate::Tropical, 130..270) => Cover::Steppe,
        (Climate::Tropical, 270..520) => Cover::Plain,
        (Climate::Tropical, 520..690) => Cover::Forest,
        (Climate::Tropical, 690..890) => Cover::Jungle,
        (Climate::Tropical, _) => Cover::Swamp,
        (Climate::Temperate, 0..60) => Cover::Desert,
        (Climate::Temperate, 60..200) => Cover::Steppe,
        (Climate::Temperate, 200..580) => Cover::Plain,
        (Climate::Temperate, 580..910) => Cover::Forest,
        (Climate::Temperate, _) => Cover::Swamp,
        (Climate::Polar, _) => return polar(tables, chart, relief, field, height),
    };
    terrain(cover, height)
}

/// Hundredths of the way through the polar zone before which no plain is ice.
const ICE_FROM: i64 = 45;

/// Taiga and tundra where the polar zone begins, ice deserts farther on, ice on the plains before the pole.
fn polar(tables: &Tables, chart: &Chart, relief: &Relief, field: usize, height: u8) -> Terrain {
    let poles = (i64::from(chart.grid.rows()) - 1).max(1);
    let row = i64::try_from(chart.row(field)).unwrap_or(0);
    let border = tables.world.temperate_max_lat_pct * poles;
    let north = (2 * row - poles).abs() * 100 - border;
    // Hundredths of the way from the edge of the zone to the pole.
    let cold = north.max(0) * 100 / (100 * poles - border).max(1);
    // Neither begins along a parallel: at first only the hardest frost brings them, farther on all but the mildest.
    let frost = i64::from(relief.frost[field]);
    if height == 1 && frost >= 1000 - (cold - ICE_FROM) * 25 {
        return Terrain::Ice;
    }
    let cover = if frost >= 1000 - cold * 18 {
        Cover::IceDesert
    } else {
        match relief.wetness[field] {
            0..250 => Cover::Steppe,
            250..450 => Cover::Plain,
            450..800 => Cover::Forest,
            _ => Cover::Swamp,
        }
    };
    terrain(cover, height)
}
