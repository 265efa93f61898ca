//! What differs between two maps of the same viewer.

use std::collections::{BTreeMap, BTreeSet};

use kernel::map::{Condition, Knowledge, Scene, Spot};

use super::atlas::Atlas;
use super::index::realm_name;
use super::words::Words;
use crate::locale::Language;

/// What changed on a field from one map to the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Which field.
    pub at: Spot,
    /// How players write it.
    pub label: String,
    /// What changed, in words.
    pub what: Vec<String>,
}

/// What the viewer can say of one field.
#[derive(PartialEq, Eq)]
struct Facts {
    terrain: String,
    owner: Option<u16>,
    now: bool,
    places: BTreeMap<(String, String), Condition>,
    armies: BTreeMap<String, Option<u64>>,
}

fn facts(scene: &Scene, atlas: &Atlas<'_>, words: &Words) -> BTreeMap<Spot, Facts> {
    let mut all: BTreeMap<Spot, Facts> = BTreeMap::new();
    for (field, style) in atlas.fields.iter().zip(&atlas.styles) {
        let facts = Facts {
            terrain: words.terrain(&scene.game, &field.terrain, style.ground),
            owner: field.owner,
            now: field.knowledge == Knowledge::Now,
            places: BTreeMap::new(),
            armies: BTreeMap::new(),
        };
        all.insert(field.at, facts);
    }
    for place in &scene.places {
        if let Some(facts) = all.get_mut(&place.at) {
            let kind = words.building(&scene.game, &place.kind);
            facts.places.insert((kind, place.name.clone()), place.condition);
        }
    }
    for army in &scene.armies {
        if let Some(facts) = all.get_mut(&army.at) {
            let label = words.unit(&scene.game, &army.label);
            let name = match army.owner.filter(|_| army.owner != scene.own_realm) {
                Some(owner) => format!("{} {label}", realm_name(scene, words, owner)),
                None => label.to_owned(),
            };
            *facts.armies.entry(name).or_insert(None) = army.count;
        }
    }
    all
}

/// What changed between an older and a newer map of the same viewer, field by field from north to south. Fields that were
/// merely out of sight in one of them do not count as changed.
pub fn changes(older: &Scene, newer: &Scene) -> Vec<Change> {
    let words = Words::new(Language::from_code(&newer.language).unwrap_or_default());
    let (old_atlas, new_atlas) = (Atlas::new(older), Atlas::new(newer));
    let before = facts(older, &old_atlas, &words);
    let after = facts(newer, &new_atlas, &words);
    let spots: BTreeSet<Spot> = after.keys().copied().collect();
    let mut list = Vec::new();
    for at in spots.into_iter().rev() {
        let Some(new) = after.get(&at) else { continue };
        let what = match before.get(&at) {
            None => vec![words.get("change.discovered").to_owned()],
            Some(old) if old == new => Vec::new(),
            Some(old) => differences(newer, &words, old, new),
        };
        if !what.is_empty() {
            let label = new_atlas
                .find(at)
                .and_then(|index| new_atlas.fields.get(index))
                .map(|field| field.label.clone())
                .unwrap_or_default();
            list.push(Change { at, label, what });
        }
    }
    list
}

/// What changed on one field, without looking at all the others.
pub fn changes_at(older: &Scene, newer: &Scene, at: Spot) -> Vec<String> {
    let found = changes(&cut_out(older, at), &cut_out(newer, at));
    found.into_iter().next().map(|change| change.what).unwrap_or_default()
}

/// A map of one field.
fn cut_out(scene: &Scene, at: Spot) -> Scene {
    Scene {
        game: scene.game.clone(),
        language: scene.language.clone(),
        orientation: scene.orientation,
        terrains: scene.terrains.clone(),
        fields: scene.fields.iter().filter(|field| field.at == at).cloned().collect(),
        places: scene.places.iter().filter(|place| place.at == at).cloned().collect(),
        armies: scene.armies.iter().filter(|army| army.at == at).cloned().collect(),
        realms: scene.realms.clone(),
        own_realm: scene.own_realm,
        ..Scene::default()
    }
}

fn differences(scene: &Scene, words: &Words, old: &Facts, new: &Facts) -> Vec<String> {
    let mut what = Vec::new();
    if old.terrain != new.terrain {
        what.push(words.with("change.terrain", &[("from", &old.terrain), ("to", &new.terrain)]));
    }
    if old.owner != new.owner {
        let name = |owner: Option<u16>| match owner {
            Some(realm) => realm_name(scene, words, realm),
            None => words.get("change.nobody").to_owned(),
        };
        what.push(words.with("change.owner", &[("from", &name(old.owner)), ("to", &name(new.owner))]));
    }
    for ((kind, name), condition) in &new.places {
        let place = if name.is_empty() {
            kind.clone()
        } else {
            format!("{kind} {name}")
        };
        match old.places.get(&(kind.clone(), name.clone())) {
            None => what.push(words.with("change.place", &[("place", &place)])),
            Some(was) if was != condition => {
                let state = words.get(condition_key(*condition));
                what.push(words.with("change.condition", &[("place", &place), ("state", state)]));
            }
            Some(_) => {}
        }
    }
    for (kind, name) in old.places.keys() {
        if !new.places.contains_key(&(kind.clone(), name.clone())) {
            let place = if name.is_empty() {
                kind.clone()
            } else {
                format!("{kind} {name}")
            };
            what.push(words.with("change.place_gone", &[("place", &place)]));
        }
    }
    // An army that is no longer seen on a field nobody looks at may still be there.
    let both_seen = old.now && new.now;
    for (army, count) in &new.armies {
        match old.armies.get(army) {
            None => what.push(words.with("change.army", &[("army", army)])),
            Some(was) if was != count => {
                if let (Some(was), Some(count)) = (was, count) {
                    let values = [
                        ("army", army.clone()),
                        ("from", words.grouped(*was)),
                        ("to", words.grouped(*count)),
                    ];
                    let values: Vec<(&str, &str)> = values.iter().map(|(k, v)| (*k, v.as_str())).collect();
                    what.push(words.with("change.count", &values));
                }
            }
            Some(_) => {}
        }
    }
    for army in old
        .armies
        .keys()
        .filter(|army| both_seen && !new.armies.contains_key(*army))
    {
        what.push(words.with("change.army_gone", &[("army", army)]));
    }
    what
}

const fn condition_key(condition: Condition) -> &'static str {
    match condition {
        Condition::Intact => "change.intact",
        Condition::Light => "sign.light",
        Condition::Heavy => "sign.heavy",
        Condition::Ruin => "sign.ruin",
        Condition::Building => "sign.building",
    }
}
