//! Land and sea, heights and wetness, and what covers them: climate by latitude (PYG-GAME-06, PYG-TERR-01, -02).
//!
//! Integers only. Elevation and wetness are never compared with fixed numbers but ranked, so that every world has the shares of sea,
//! hills and desert that were asked for, whatever its size.

use super::land::Land;
use super::lot::{Lot, Purpose};
use crate::codes::Terrain;
use kernel::worldgen::{Cell, layered, ranked};

/// The shape of a world before anything grows on it.
pub(super) struct Relief {
    /// Height level of land, none for water.
    pub(super) heights: Vec<Option<u8>>,
    /// Elevation of every field, only good for comparing.
    pub(super) elevation: Vec<i64>,
    /// Wetness of every land field among those of its climate, 0 to 999.
    pub(super) wetness: Vec<usize>,
}

/// Climate zones from the equator to the poles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Zone {
    Tropical,
    Dry,
    Temperate,
    Cold,
    Polar,
}

/// The zone of a field.
pub(super) fn zone(land: &Land, field: usize) -> Zone {
    match land.latitude(field) {
        0..22 => Zone::Tropical,
        22..42 => Zone::Dry,
        42..70 => Zone::Temperate,
        70..88 => Zone::Cold,
        _ => Zone::Polar,
    }
}

const ZONES: [Zone; 5] = [Zone::Tropical, Zone::Dry, Zone::Temperate, Zone::Cold, Zone::Polar];

/// Water of fewer fields is a lake.
pub(super) const SEA_FIELDS: u32 = 14;
/// Noise of several layers; cells are `size` columns wide at first, values of a layer go from 0 to 65535.
fn noise(lot: Lot, purpose: Purpose, land: &Land, size: u64, layers: u64) -> Vec<i64> {
    layered(land.len(), size, layers, |octave, size| {
        let corner = move |column: u64, row: u64| {
            let cell = octave << 56 | row << 28 | column;
            i64::try_from(lot.draw(purpose, cell) >> 48).unwrap_or(0)
        };
        move |field| {
            let (x, y) = land.spot(field);
            // A half row is about 13/15 of half a column.
            Cell::of((x, size), (y * 13, 30 * size)).value(corner)
        }
    })
}

impl Relief {
    /// Shapes a world of which `land_permille` thousandths are land, with sea around it.
    pub(super) fn shape(land: &Land, lot: Lot, land_permille: usize) -> Self {
        let (columns, rows) = land.extent;
        let mut elevation = noise(lot, Purpose::Elevation, land, (columns / 4).clamp(6, 16), 4);
        for (field, value) in elevation.iter_mut().enumerate() {
            // The edge of the world is sea: nobody shall wonder why he cannot go on.
            let (x, y) = land.spot(field);
            let from_edge = x.min(columns - 1 - x).min(y.min(rows - 1 - y) / 2);
            let sunk = i64::try_from(4u64.saturating_sub(from_edge)).unwrap_or(0);
            *value -= sunk * sunk * 1_200_000;
        }
        let mut heights = vec![None; land.len()];
        ranked((0..land.len()).collect(), &elevation, |field, rank| {
            let is_land = rank >= 1000 - land_permille && !land.is_at_the_edge(field);
            heights[field] = is_land.then_some(0);
        });
        raise(land, lot, &elevation, &mut heights);
        let moisture = noise(lot, Purpose::Moisture, land, 6, 3);
        let mut wetness = vec![0; land.len()];
        for zone_wanted in ZONES {
            let of_zone = |field: &usize| heights[*field].is_some() && zone(land, *field) == zone_wanted;
            ranked((0..land.len()).filter(of_zone).collect(), &moisture, |field, rank| {
                wetness[field] = rank;
            });
        }
        Self {
            heights,
            elevation,
            wetness,
        }
    }

    pub(super) fn is_land(&self, field: usize) -> bool {
        self.heights.get(field).copied().flatten().is_some()
    }
}

/// Lifts the highest parts of the land to hills and mountains; most steps of two levels, which nobody can climb off roads, are softened.
fn raise(land: &Land, lot: Lot, elevation: &[i64], heights: &mut [Option<u8>]) {
    let rugged = noise(lot, Purpose::Ruggedness, land, 8, 4);
    let steepness: Vec<i64> = elevation.iter().zip(&rugged).map(|(e, r)| e + 2 * r).collect();
    let fields = (0..land.len()).filter(|field| heights[*field].is_some()).collect();
    ranked(fields, &steepness, |field, rank| {
        heights[field] = Some(match rank {
            0..600 => 0,
            600..830 => 1,
            _ => 2,
        });
    });
    let before = heights.to_vec();
    for (field, height) in heights.iter_mut().enumerate() {
        let cliff = before[field] == Some(2) && land.around(field).any(|beside| before[beside] == Some(0));
        if cliff && !lot.happens(Purpose::Cliff, field as u64, 1, 4) {
            *height = Some(1);
        }
    }
}

/// Clothes the world in its sixteen terrains.
pub(super) fn terrains(land: &Land, lot: Lot, relief: &Relief) -> Vec<Terrain> {
    let waters = land.area_sizes(|field| !relief.is_land(field));
    let from_land = land.distances((0..land.len()).filter(|field| relief.is_land(*field)));
    (0..land.len())
        .map(|field| match relief.heights[field] {
            None if waters[field] < SEA_FIELDS => Terrain::FreshWater,
            None => sea(land, lot, from_land[field], field),
            Some(height) => ground(land, lot, relief.wetness[field], field, height),
        })
        .collect()
}

/// Reefs lie in shallow seas that do not freeze.
fn sea(land: &Land, lot: Lot, from_land: u32, field: usize) -> Terrain {
    let shallow = from_land <= 2 && zone(land, field) != Zone::Polar;
    if shallow && lot.happens(Purpose::Sea, field as u64, 1, 12) {
        Terrain::Reef
    } else {
        Terrain::SaltWater
    }
}

/// The ground of a land field: by height, then by zone and wetness.
fn ground(land: &Land, lot: Lot, wetness: usize, field: usize, height: u8) -> Terrain {
    let happens = |part, whole| lot.happens(Purpose::Cover, field as u64, part, whole);
    match height {
        2 if lot.happens(Purpose::Plateau, field as u64, 1, 3) => return Terrain::HighPlateau,
        2 => return Terrain::Mountains,
        1 if wetness >= 560 => return Terrain::WoodedHills,
        1 => return Terrain::Hills,
        _ => {}
    }
    match (zone(land, field), wetness) {
        (Zone::Tropical, 0..150) => Terrain::Grassland,
        (Zone::Tropical, 150..420) => Terrain::Plain,
        (Zone::Tropical, 420..560) => Terrain::LightForest,
        (Zone::Tropical, 560..880) => Terrain::Rainforest,
        (Zone::Dry, 0..330) if happens(1, 7) => Terrain::Oasis,
        (Zone::Dry, 0..330) => Terrain::Desert,
        (Zone::Dry, 330..600) => Terrain::Grassland,
        (Zone::Dry, 600..850) => Terrain::Plain,
        (Zone::Dry, _) => Terrain::LightForest,
        (Zone::Temperate, 0..180) => Terrain::Grassland,
        (Zone::Temperate, 180..560) => Terrain::Plain,
        (Zone::Temperate, 560..770) => Terrain::LightForest,
        (Zone::Temperate, 770..940) => Terrain::DeepForest,
        (Zone::Cold, 0..300) => Terrain::Grassland,
        (Zone::Cold, 300..420) => Terrain::Plain,
        (Zone::Cold, 420..580) => Terrain::LightForest,
        (Zone::Cold, 580..880) => Terrain::DeepForest,
        (Zone::Polar, 0..700) => Terrain::Ice,
        (Zone::Polar, _) => Terrain::DeepForest,
        (Zone::Tropical | Zone::Temperate | Zone::Cold, _) => Terrain::Swamp,
    }
}

/// Every terrain occurs: what is missing takes the place of the likest ground, far from starts (PYG-TERR-01).
pub(super) fn complete(land: &Land, lot: Lot, terrains: &mut [Terrain], is_free: impl Fn(usize) -> bool) {
    for missing in Terrain::ALL
        .iter()
        .copied()
        .filter(|terrain| *terrain != Terrain::Unexplored)
    {
        if terrains.contains(&missing) {
            continue;
        }
        let like: &[Terrain] = match missing {
            Terrain::Reef | Terrain::FreshWater => &[Terrain::SaltWater],
            Terrain::SaltWater => &[Terrain::FreshWater],
            Terrain::Mountains | Terrain::HighPlateau => &[Terrain::Mountains, Terrain::HighPlateau, Terrain::Hills],
            Terrain::Hills | Terrain::WoodedHills => &[Terrain::Hills, Terrain::WoodedHills],
            Terrain::Oasis | Terrain::Desert => &[Terrain::Desert, Terrain::Grassland, Terrain::Plain],
            _ => &[
                Terrain::Plain,
                Terrain::Grassland,
                Terrain::LightForest,
                Terrain::DeepForest,
            ],
        };
        let mut places: Vec<usize> = (0..land.len())
            .filter(|field| is_free(*field) && like.contains(&terrains[*field]))
            .collect();
        // Ice at the poles, everything else where the lot falls.
        places.sort_by_key(|field| {
            let cold = match missing {
                Terrain::Ice => 100u64.saturating_sub(land.latitude(*field)),
                _ => 0,
            };
            (cold, lot.draw(Purpose::Missing, *field as u64))
        });
        for field in places.into_iter().take(2) {
            terrains[field] = missing;
        }
    }
}
