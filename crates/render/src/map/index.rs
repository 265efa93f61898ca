//! What lies where, for the script of a page.

use std::collections::BTreeMap;

use kernel::map::{Flag, Knowledge, Scene, Spot};
use serde::Serialize;

use super::atlas::Atlas;
use super::words::Words;
use crate::locale::Language;

/// Neighbouring fields of one row, from west to east.
#[derive(Serialize)]
struct Run<'a> {
    /// The row.
    y: i32,
    /// The doubled column of the first; each further one adds 2.
    d: i32,
    /// How players write the fields.
    labels: Vec<&'a str>,
    /// Their terrains, as places in the list.
    terrains: Vec<usize>,
    /// Their owners, 0 for none; left out if nobody owns any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    owners: Vec<u16>,
    /// When they were seen last, 0 for now; left out if all were seen now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    seen: Vec<u32>,
}

#[derive(Serialize)]
struct Standing<'a> {
    d: i32,
    y: i32,
    label: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<u16>,
    /// Whether the viewer commands it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    own: bool,
}

#[derive(Serialize)]
struct Named<'a> {
    d: i32,
    y: i32,
    name: &'a str,
    kind: String,
}

#[derive(Serialize)]
struct Index<'a> {
    terrains: Vec<String>,
    realms: BTreeMap<u16, String>,
    runs: Vec<Run<'a>>,
    armies: Vec<Standing<'a>>,
    places: Vec<Named<'a>>,
}

/// All known fields, armies and places of a scene with their words, as JSON. Like the picture it holds nothing of what the
/// viewer never saw.
pub fn index(scene: &Scene) -> String {
    let atlas = Atlas::new(scene);
    let words = Words::new(Language::from_code(&scene.language).unwrap_or_default());
    let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
    let mut terrains = Vec::new();
    let mut runs: Vec<Run<'_>> = Vec::new();
    for (field, style) in atlas.fields.iter().zip(&atlas.styles) {
        let terrain = *codes.entry(field.terrain.as_str()).or_insert_with(|| {
            terrains.push(words.terrain(&scene.game, &field.terrain, style.ground));
            terrains.len() - 1
        });
        let Spot { d, y } = field.at;
        let next = |run: &Run<'_>| run.d + 2 * i32::try_from(run.labels.len()).unwrap_or(i32::MAX / 4);
        if runs.last().is_none_or(|run| run.y != y || next(run) != d) {
            runs.push(Run {
                y,
                d,
                labels: Vec::new(),
                terrains: Vec::new(),
                owners: Vec::new(),
                seen: Vec::new(),
            });
        }
        if let Some(run) = runs.last_mut() {
            run.labels.push(&field.label);
            run.terrains.push(terrain);
            run.owners.push(field.owner.unwrap_or(0));
            run.seen.push(match field.knowledge {
                Knowledge::Earlier(step) => step,
                Knowledge::Now | Knowledge::Never => 0,
            });
        }
    }
    for run in &mut runs {
        if run.owners.iter().all(|&owner| owner == 0) {
            run.owners.clear();
        }
        if run.seen.iter().all(|&step| step == 0) {
            run.seen.clear();
        }
    }
    let mut realms = BTreeMap::new();
    let armies: Vec<Standing<'_>> = scene
        .armies
        .iter()
        .filter(|army| atlas.find(army.at).is_some())
        .map(|army| Standing {
            d: army.at.d,
            y: army.at.y,
            label: &army.label,
            count: army.count,
            owner: army.owner,
            own: army.owner.is_some() && army.owner == scene.own_realm && army.flag != Flag::Earlier,
        })
        .collect();
    let owners = atlas.fields.iter().filter_map(|field| field.owner);
    for realm in owners.chain(armies.iter().filter_map(|army| army.owner)) {
        realms.entry(realm).or_insert_with(|| realm_name(scene, &words, realm));
    }
    let places = scene
        .places
        .iter()
        .filter(|place| atlas.find(place.at).is_some())
        .map(|place| Named {
            d: place.at.d,
            y: place.at.y,
            name: &place.name,
            kind: words.building(&scene.game, &place.kind),
        })
        .collect();
    let index = Index {
        terrains,
        realms,
        runs,
        armies,
        places,
    };
    // Nothing in it can fail to be written; an empty index would only leave the script without words.
    serde_json::to_string(&index).unwrap_or_else(|_| "{}".to_owned())
}

/// A realm's name, or its number where it has none.
pub(super) fn realm_name(scene: &Scene, words: &Words, realm: u16) -> String {
    match scene.realms.get(&realm) {
        Some(style) if !style.name.is_empty() => style.name.clone(),
        _ => words.with("nameless_realm", &[("number", &realm.to_string())]),
    }
}
