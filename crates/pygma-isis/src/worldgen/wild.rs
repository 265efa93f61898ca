//! Who lives outside the realms: creatures, natives, hordes, neutral settlements (PYG-GAME-09, PYG-GAP-62).

use super::land::{Land, index};
use super::lot::{Lot, Purpose};
use crate::codes::{Creature, Terrain};
use crate::state::{Band, Settlement, State};
use crate::tables::Tables;
use std::collections::BTreeSet;

/// Fields that creatures may live on, so far from start areas, in an order of the lot.
fn habitat(tables: &Tables, state: &State, lot: Lot, far: &[u32], creature: Creature) -> Vec<usize> {
    let figures = &tables.creature[creature];
    let lives = |terrain: Terrain| match figures.habitat.as_slice() {
        [] => !tables.is_water(terrain),
        habitat => habitat.contains(&terrain),
    };
    let mut fields: Vec<usize> = (0..state.fields.len())
        .filter(|field| lives(state.fields[*field].terrain))
        .filter(|field| far[*field] > tables.creatures.exclusion_distance_from_start)
        .collect();
    fields.sort_unstable_by_key(|field| lot.draw(Purpose::Band, (creature as u64) << 32 | *field as u64));
    fields
}

/// Lets creatures and peoples live in the wild: so many per hundred fields that suit them, one band to a field.
pub(super) fn populate(tables: &Tables, lot: Lot, far: &[u32], state: &mut State) {
    let mut held: BTreeSet<usize> = state.bands.values().map(|band| band.field.index()).collect();
    for creature in Creature::ALL.iter().copied() {
        let figures = &tables.creature[creature];
        let fields = habitat(tables, state, lot, far, creature);
        let suitable = i64::try_from(fields.len()).unwrap_or(i64::MAX);
        let wanted = figures
            .per_world
            .saturating_add(suitable.saturating_mul(figures.per_100) / 100);
        let mut left = usize::try_from(wanted).unwrap_or(0);
        for field in fields {
            if left == 0 {
                break;
            }
            if state.fields[field].settlement.is_some() || !held.insert(field) {
                continue;
            }
            left -= 1;
            let faces: i64 = (0..u64::from(figures.strength.dice))
                .map(|die| lot.between(Purpose::Strength, die << 40 | field as u64, 1, 6))
                .sum();
            let count = figures
                .strength
                .plus
                .saturating_add(faces.saturating_mul(figures.strength.factor));
            let id = state.free_band();
            let band = Band {
                creature,
                count: count.max(1),
                field: index(field),
                stance: figures.attitude,
            };
            state.bands.insert(id, band);
        }
    }
}

/// Founds the neutral settlements, some with a garrison; each as far from all others as a ruler would have to build (PYG-TOWN-06).
pub(super) fn settle(tables: &Tables, land: &Land, lot: Lot, far: &[u32], state: &mut State) {
    let mut fields: Vec<usize> = (0..state.fields.len())
        .filter(|field| {
            let terrain = state.fields[*field].terrain;
            !tables.is_water(terrain) && terrain != Terrain::Ice
        })
        .filter(|field| far[*field] > tables.creatures.exclusion_distance_from_start)
        .collect();
    fields.sort_unstable_by_key(|field| lot.draw(Purpose::Settlement, *field as u64));
    let wanted = i64::try_from(fields.len())
        .unwrap_or(0)
        .saturating_mul(tables.creatures.settlements_per_100)
        / 100;
    let mut left = usize::try_from(wanted).unwrap_or(0);
    let mut founded: Vec<usize> = (0..state.fields.len())
        .filter(|field| state.fields[*field].settlement.is_some())
        .collect();
    for field in fields {
        if left == 0 {
            return;
        }
        let distance = |other: &usize| i64::from(land.chart.distance(index(field), index(*other)));
        if founded
            .iter()
            .any(|other| distance(other) < tables.settling.min_distance)
        {
            continue;
        }
        let face = lot.between(Purpose::Settlement, 1 << 40 | field as u64, 0, 5);
        let kinds = &tables.creatures.settlement_kinds;
        let Some(kind) = usize::try_from(face).ok().and_then(|face| kinds.get(face)).copied() else {
            continue;
        };
        left -= 1;
        founded.push(field);
        state.fields[field].settlement = Some(Box::new(Settlement::new(kind)));
        let held = lot.between(Purpose::Garrison, field as u64, 1, 100) <= tables.creatures.garrison_pct;
        let garrison = tables.settlement[kind].garrison;
        if held && garrison > 0 {
            let id = state.free_band();
            let band = Band {
                creature: Creature::Garrison,
                count: garrison,
                field: index(field),
                stance: tables.creature[Creature::Garrison].attitude,
            };
            state.bands.insert(id, band);
        }
    }
}
