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
    /// Where it lies as seen from the nearest place with a name; empty at such a place, and where none is known.
    pub bearing: String,
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
            bearing: String::new(),
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
    let landmarks: Vec<(Spot, &str)> = scene
        .places
        .iter()
        .filter(|place| !place.name.is_empty() && atlas.find(place.at).is_some())
        .map(|place| (place.at, place.name.as_str()))
        .collect();
    for entry in entries.values_mut() {
        entry.bearing = bearing(scene.orientation, &words, entry.at, &landmarks);
    }
    entries.into_values().collect()
}

/// Where a field lies as seen from the nearest landmark, in steps and by the compass.
fn bearing(orientation: Orientation, words: &Words, at: Spot, landmarks: &[(Spot, &str)]) -> String {
    let nearest = landmarks.iter().min_by_key(|(from, _)| steps(*from, at));
    let Some((from, name)) = nearest.filter(|(from, _)| *from != at) else {
        return String::new();
    };
    let count = steps(*from, at);
    let key = if count == 1 { "away_one" } else { "away" };
    let direction = words.get(compass(orientation, *from, at));
    words.with(
        key,
        &[
            ("place", name),
            ("count", &words.grouped(count)),
            ("direction", direction),
        ],
    )
}

/// Steps between two fields.
fn steps(from: Spot, to: Spot) -> u64 {
    let (across, up) = (from.d.abs_diff(to.d), from.y.abs_diff(to.y));
    u64::from(up) + u64::from(across.saturating_sub(up) / 2)
}

/// The point of the compass nearest to the straight line from one field to another.
fn compass(orientation: Orientation, from: Spot, to: Spot) -> &'static str {
    // East and north in the drawing's own proportions: half a field across, a row up.
    let (across, up) = (i64::from(to.d) - i64::from(from.d), i64::from(to.y) - i64::from(from.y));
    let (east, north) = match orientation {
        Orientation::PointyTop => (across * 26, up * 45),
        Orientation::FlatTop => (up * 45, across * 26),
    };
    // Within an eighth of a turn of an axis: the tangent of 22.5 degrees is 0.4142.
    let (flat, steep) = (
        north.abs() * 10_000 <= east.abs() * 4_142,
        east.abs() * 10_000 <= north.abs() * 4_142,
    );
    match (east >= 0, north >= 0) {
        (true, _) if flat => "direction.east",
        (false, _) if flat => "direction.west",
        (_, true) if steep => "direction.north",
        (_, false) if steep => "direction.south",
        (true, true) => "direction.north_east",
        (true, false) => "direction.south_east",
        (false, true) => "direction.north_west",
        (false, false) => "direction.south_west",
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(d: i32, y: i32) -> Spot {
        Spot { d, y }
    }

    #[test]
    fn a_field_lies_by_the_compass_from_its_landmark() {
        let toward = |d, y| compass(Orientation::PointyTop, spot(0, 0), spot(d, y));
        assert_eq!(toward(2, 0), "direction.east");
        assert_eq!(toward(-8, 0), "direction.west");
        assert_eq!(toward(1, 1), "direction.north_east");
        assert_eq!(toward(1, -1), "direction.south_east");
        assert_eq!(toward(-1, 1), "direction.north_west");
        assert_eq!(toward(-1, -1), "direction.south_west");
        // Two rows straight up is north; so is what leans a little.
        assert_eq!(toward(0, 2), "direction.north");
        assert_eq!(toward(1, 5), "direction.north");
        assert_eq!(toward(-1, -5), "direction.south");
        // 22.5 degrees from the axis of the rows: 26 d * 0.4142 against 45 y.
        assert_eq!(toward(9, 1), "direction.east");
        assert_eq!(toward(4, 2), "direction.north_east");
        // Where a side points north, the doubled coordinate grows north.
        assert_eq!(compass(Orientation::FlatTop, spot(0, 0), spot(2, 0)), "direction.north");
        assert_eq!(
            compass(Orientation::FlatTop, spot(0, 0), spot(1, 1)),
            "direction.north_east"
        );
    }

    #[test]
    fn steps_are_those_of_the_lattice() {
        assert_eq!(steps(spot(0, 0), spot(4, 0)), 2);
        assert_eq!(steps(spot(0, 0), spot(1, 3)), 3);
        assert_eq!(steps(spot(-3, 1), spot(4, -4)), 6);
        assert_eq!(steps(spot(2, 2), spot(2, 2)), 0);
    }
}
