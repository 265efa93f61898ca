//! The map of a viewer as facts, so that a scenario can say what stands on it.

use kernel::map::{EdgeKind, Flag, Knowledge, Scene, Side, Spot};
use kernel::stage::Facts;
use std::collections::BTreeMap;

/// The facts of a map: `field 1/0`, `place 1/0`, `army K.M 1 at 1/0`, `river 1/0 east`.
///
/// Fields are called as the viewer's own map labels them. What is not known is not there.
pub fn facts(scene: &Scene) -> Facts {
    let mut facts = Facts::new();
    let mut labels: BTreeMap<Spot, &str> = BTreeMap::new();
    for field in scene.fields.iter().filter(|field| field.knowledge.is_known()) {
        labels.insert(field.at, &field.label);
        let attributes = facts.entry(format!("field {}", field.label)).or_default();
        attributes.insert("terrain".into(), field.terrain.clone());
        attributes.insert("height".into(), field.height.to_string());
        attributes.insert(
            "seen".into(),
            match field.knowledge {
                Knowledge::Earlier(step) => format!("in step {step}"),
                Knowledge::Now | Knowledge::Never => "now".into(),
            },
        );
        if let Some((edge, centre)) = scene.colours.get(&field.terrain) {
            attributes.insert("edge".into(), edge.clone());
            attributes.insert("centre".into(), centre.clone());
        }
        if let Some(owner) = field.owner {
            attributes.insert("owner".into(), realm(scene, owner));
        }
        if let Some(percent) = field.yield_percent {
            attributes.insert("yield".into(), percent.to_string());
        }
        if field.blessed {
            attributes.insert("blessed".into(), "yes".into());
        }
    }
    let label = |spot: Spot| {
        labels
            .get(&spot)
            .map_or_else(|| format!("{}:{}", spot.d, spot.y), |name| (*name).to_owned())
    };
    for place in &scene.places {
        let attributes = facts.entry(format!("place {}", label(place.at))).or_default();
        attributes.insert("kind".into(), place.kind.clone());
        attributes.insert("condition".into(), format!("{:?}", place.condition).to_lowercase());
        attributes.insert("name".into(), place.name.clone());
        if let Some(owner) = place.owner {
            attributes.insert("owner".into(), realm(scene, owner));
        }
    }
    for army in &scene.armies {
        let attributes = facts
            .entry(format!("army {} at {}", army.label, label(army.at)))
            .or_default();
        if let Some(count) = army.count {
            attributes.insert("count".into(), count.to_string());
        }
        if let Some(owner) = army.owner {
            attributes.insert("owner".into(), realm(scene, owner));
        }
        let flag = match army.flag {
            Flag::Shown => "shown",
            Flag::Unassigned => "unassigned",
            Flag::OwnUnseen => "own-unseen",
            Flag::Earlier => "earlier",
        };
        attributes.insert("flag".into(), flag.into());
    }
    for edge in &scene.edges {
        let kind = match edge.kind {
            EdgeKind::Province => continue,
            EdgeKind::River => "river",
            EdgeKind::Road => "road",
            EdgeKind::Bridge => "bridge",
            EdgeKind::Wall => "wall",
            EdgeKind::Ditch => "ditch",
            EdgeKind::Ascent => "ascent",
            EdgeKind::Gate => "gate",
            EdgeKind::OpenGate => "open-gate",
            EdgeKind::BrokenGate => "broken-gate",
        };
        facts
            .entry(format!("{kind} {} {}", label(edge.at), side(edge.side)))
            .or_default();
    }
    facts
}

fn realm(scene: &Scene, number: u16) -> String {
    match scene.realms.get(&number) {
        Some(style) if !style.name.is_empty() => style.name.clone(),
        _ => number.to_string(),
    }
}

fn side(side: Side) -> &'static str {
    match side {
        Side::NorthEast => "north-east",
        Side::East => "east",
        Side::SouthEast => "south-east",
        Side::SouthWest => "south-west",
        Side::West => "west",
        Side::NorthWest => "north-west",
    }
}
