//! The map in words: every known field with what the picture shows of it, for whoever cannot see the picture.

use std::collections::BTreeMap;

use kernel::map::{Edge, EdgeKind, Flag, Knowledge, Orientation, Scene, Side, Spot};

use super::atlas::Atlas;
use super::index::realm_name;
use super::words::Words;
use crate::locale::Language;

/// A field in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where it lies.
    pub at: Spot,
    /// How players write it.
    pub label: String,
    /// Its terrain.
    pub terrain: String,
    /// Its height.
    pub height: u8,
    /// The realm that owns it, empty for none.
    pub owner: String,
    /// Whether that is the viewer's own.
    pub own: bool,
    /// Buildings and other places, with their names.
    pub places: Vec<String>,
    /// Armies, with their realms and numbers.
    pub armies: Vec<String>,
    /// What lies on its sides.
    pub sides: Vec<String>,
    /// The step in which it was seen last, if not in the one shown.
    pub seen: Option<u32>,
}

/// Every known field, row by row from the north, each row from the west.
pub fn gazetteer(scene: &Scene) -> Vec<Entry> {
    let atlas = Atlas::new(scene);
    let words = Words::new(Language::from_code(&scene.language).unwrap_or_default());
    let mut entries: BTreeMap<(i32, i32), Entry> = BTreeMap::new();
    let place_of = |at: Spot| match scene.orientation {
        Orientation::PointyTop => (-at.y, at.d),
        Orientation::FlatTop => (-at.d, at.y),
    };
    for (field, style) in atlas.fields.iter().zip(&atlas.styles) {
        let entry = Entry {
            at: field.at,
            label: field.label.clone(),
            terrain: words.terrain(&scene.game, &field.terrain, style.ground),
            height: field.height,
            owner: field
                .owner
                .map(|realm| realm_name(scene, &words, realm))
                .unwrap_or_default(),
            own: field.owner.is_some() && field.owner == scene.own_realm,
            places: Vec::new(),
            armies: Vec::new(),
            sides: Vec::new(),
            seen: match field.knowledge {
                Knowledge::Earlier(step) => Some(step),
                Knowledge::Now | Knowledge::Never => None,
            },
        };
        entries.insert(place_of(field.at), entry);
    }
    for place in &scene.places {
        if let Some(entry) = entries.get_mut(&place_of(place.at)) {
            let kind = words.building(&scene.game, &place.kind);
            // A place that is called after what it is need not say it twice.
            let name = if place.name == kind {
                kind
            } else {
                [kind.as_str(), place.name.as_str()].join(" ")
            };
            entry.places.push(name.trim().to_owned());
        }
    }
    for army in &scene.armies {
        if let Some(entry) = entries.get_mut(&place_of(army.at)) {
            let label = words.unit(&scene.game, &army.label);
            let mut text = match army.owner.filter(|_| army.owner != scene.own_realm) {
                Some(owner) => format!("{} {label}", realm_name(scene, &words, owner)),
                None => label.to_owned(),
            };
            if let Some(count) = army.count {
                text += &format!(": {}", words.grouped(count));
            }
            if army.flag == Flag::Earlier {
                text += &format!(" ({})", words.get("sign.faded"));
            }
            entry.armies.push(text);
        }
    }
    for (at, side, kind) in sides(&scene.edges) {
        if let Some(entry) = entries.get_mut(&place_of(at)) {
            let direction = words.get(direction_key(scene.orientation, side));
            let what = match kind {
                EdgeKind::Province => words.province(&scene.game),
                kind => words.get(kind_key(kind)),
            };
            entry.sides.push(format!("{direction}: {what}"));
        }
    }
    entries.into_values().collect()
}

/// What lies on which side of which field; what both fields share stands with both.
fn sides(edges: &[Edge]) -> Vec<(Spot, Side, EdgeKind)> {
    let mut all = Vec::with_capacity(edges.len());
    for edge in edges {
        all.push((edge.at, edge.side, edge.kind));
        if edge.kind.is_shared() {
            all.push((edge.at.neighbour(edge.side), edge.side.opposite(), edge.kind));
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

const fn kind_key(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Province => "sign.province",
        EdgeKind::River => "sign.river",
        EdgeKind::Road => "sign.road",
        EdgeKind::Bridge => "sign.bridge",
        EdgeKind::Wall => "sign.wall",
        EdgeKind::Ditch => "sign.ditch",
        EdgeKind::Ascent => "sign.ascent",
        EdgeKind::Gate => "sign.gate",
        EdgeKind::OpenGate => "sign.open_gate",
        EdgeKind::BrokenGate => "sign.broken_gate",
    }
}

const fn direction_key(orientation: Orientation, side: Side) -> &'static str {
    match (orientation, side) {
        (_, Side::NorthEast) => "direction.north_east",
        (Orientation::PointyTop, Side::East) => "direction.east",
        (Orientation::PointyTop, Side::SouthEast) => "direction.south_east",
        (_, Side::SouthWest) => "direction.south_west",
        (Orientation::PointyTop, Side::West) => "direction.west",
        (Orientation::PointyTop, Side::NorthWest) => "direction.north_west",
        (Orientation::FlatTop, Side::East) => "direction.north",
        (Orientation::FlatTop, Side::SouthEast) => "direction.north_west",
        (Orientation::FlatTop, Side::West) => "direction.south",
        (Orientation::FlatTop, Side::NorthWest) => "direction.south_east",
    }
}
