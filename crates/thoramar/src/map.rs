//! The map as a viewer knows it (THO-TERR-07 and the whole of a view, drawn).
//!
//! Fields that were never seen are simply not in the scene. What was seen earlier is marked with its turn; armies seen then
//! may be elsewhere now.

use crate::codes::{Building, Family, Flag, Terrain};
use crate::event::END;
use crate::geo::Place;
use crate::notice::Perceived;
use crate::rule;
use crate::state::{ArmyId, SeenArmy, SeenCondition, Status};
use crate::tables::Tables;
use crate::view::{ArmyView, FieldView, View};
use kernel::hex::Direction;
use kernel::map::{
    Army, Condition, Edge, EdgeKind, Field, Flag as Ensign, Ground, Highlight, Knowledge, Mark, Place as Site,
    RealmStyle, Relief, Scale, Scene, Side, Spot, Symbol, TerrainStyle,
};
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use std::collections::BTreeSet;

/// What the map follows: the book's terrains and colours, its coordinates, and what the viewer has seen.
const RULES: [RuleId; 9] = [
    rule::TERR_01,
    rule::TERR_07,
    rule::MAP_01,
    rule::MAP_02,
    rule::MAP_03,
    rule::MAP_04,
    rule::MAP_08,
    rule::MAP_10,
    rule::SIGHT_01,
];

/// The map of a view.
pub fn scene(tables: &Tables, view: &View) -> Scene {
    let mut scene = Scene {
        game: "thoramar".to_owned(),
        title: view
            .realm()
            .and_then(|realm| view.realms.get(&realm))
            .map_or_else(String::new, |realm| realm.name.clone()),
        caption: Some(crate::game::step_name(tables, view.turn)),
        own_realm: view.realm().map(|realm| realm.0),
        // THO-MAP-08: a field is about 200 km across.
        scale: Some(Scale {
            fields: 5,
            length: 1_000,
            unit: "km".to_owned(),
        }),
        rules: RULES.iter().map(|rule| rule.as_str().to_owned()).collect(),
        ..Scene::default()
    };
    let mut realms = BTreeSet::new();
    for (place, field) in &view.fields {
        let Some(at) = spot(*place) else { continue };
        let terrain = field.glimpse.terrain;
        scene
            .terrains
            .entry(terrain.code().to_owned())
            .or_insert_with(|| style(tables, terrain));
        let (edge, centre) = tables.colours(terrain);
        scene
            .colours
            .entry(terrain.code().to_owned())
            .or_insert_with(|| (edge.code().to_owned(), centre.code().to_owned()));
        scene.fields.push(drawn_field(tables, view, at, *place, field));
        edges(&mut scene, at, field);
        if let Some(building) = field.glimpse.building {
            scene.places.push(drawn_place(at, building, field));
        }
        realms.insert(field.glimpse.owner);
        strangers(view, &mut scene, at, field, &mut realms);
    }
    for (id, army) in view
        .armies
        .iter()
        .filter(|(_, army)| army.aboard.is_none() && army.group.is_none())
    {
        own_army(&mut scene, *id, army);
        realms.insert(id.realm);
    }
    realms.extend(view.realm());
    for (id, realm) in &view.realms {
        // A realm whose land or armies the viewer never saw has no ink on his map.
        if realms.contains(id) && (realm.status == Status::Playing || view.realm().is_none()) {
            scene.realms.insert(
                id.0,
                RealmStyle {
                    name: realm.name.clone(),
                    slot: id.0,
                },
            );
        }
    }
    battles(view, &mut scene);
    scene
}

fn spot(place: Place) -> Option<Spot> {
    let doubled = place.doubled()?;
    Some(Spot::new(
        i32::try_from(doubled.d).ok()?,
        i32::try_from(doubled.y).ok()?,
    ))
}

/// Height by edge, ground by centre: the two colours of T07 as a drawing.
fn style(tables: &Tables, terrain: Terrain) -> TerrainStyle {
    let grounds = [
        (Family::Jungle, Ground::Jungle),
        (Family::Swamp, Ground::Swamp),
        (Family::Desert, Ground::Desert),
        (Family::IceDesert, Ground::IceDesert),
        (Family::Ice, Ground::Ice),
        (Family::Volcano, Ground::Volcano),
        (Family::DeepSea, Ground::DeepSea),
        (Family::Whirlpool, Ground::Whirlpool),
        (Family::Reef, Ground::Reef),
    ];
    let by_family = grounds
        .iter()
        .find(|(family, _)| tables.is_of(terrain, *family))
        .map(|(_, ground)| *ground);
    let ground = by_family.unwrap_or(match terrain {
        Terrain::LowlandForest | Terrain::HighlandForest | Terrain::MountainForest => Ground::Forest,
        Terrain::LowlandSteppe | Terrain::HighlandSteppe | Terrain::MountainSteppe => Ground::Steppe,
        Terrain::Unknown | Terrain::Unexplored => Ground::Void,
        _ if tables.is_water(terrain) => Ground::Water,
        _ => Ground::Land,
    });
    let relief = match tables.height(terrain) {
        Some(2) if ground != Ground::Volcano => Relief::Hills,
        Some(3) => Relief::Peaks,
        _ => Relief::Flat,
    };
    TerrainStyle { ground, relief }
}

fn is_fresh(view: &View, field: &FieldView) -> bool {
    field.turn == view.turn
}

fn drawn_field(tables: &Tables, view: &View, at: Spot, place: Place, field: &FieldView) -> Field {
    let owner = field.glimpse.owner;
    Field {
        at,
        terrain: field.glimpse.terrain.code().to_owned(),
        height: tables
            .height(field.glimpse.terrain)
            .and_then(|height| u8::try_from(height).ok())
            .unwrap_or(0),
        knowledge: if is_fresh(view, field) {
            Knowledge::Now
        } else {
            Knowledge::Earlier(field.turn)
        },
        owner: owner.is_played().then_some(owner.0),
        yield_percent: field.own.as_ref().map(|own| u16::from(own.yield_percent)),
        blessed: field.own.as_ref().is_some_and(|own| own.blessed_turns > 0),
        label: place.to_string(),
    }
}

fn edges(scene: &mut Scene, at: Spot, field: &FieldView) {
    let glimpse = &field.glimpse;
    for (direction, side) in Direction::ALL.into_iter().zip(Side::ALL) {
        let kinds = [
            (glimpse.rivers, EdgeKind::River),
            (glimpse.roads, EdgeKind::Road),
            (glimpse.bridges, EdgeKind::Bridge),
            (glimpse.walls, EdgeKind::Wall),
        ];
        let here = kinds
            .into_iter()
            .filter(|(sides, _)| glimpse.sides_known.has(direction) && sides.has(direction));
        scene.edges.extend(here.map(|(_, kind)| Edge { at, side, kind }));
    }
}

fn drawn_place(at: Spot, building: Building, field: &FieldView) -> Site {
    let symbol = match building {
        Building::Capital => Symbol::Capital,
        Building::Castle => Symbol::Castle,
        Building::City => Symbol::Town,
        Building::Fortress => Symbol::Fortress,
        Building::TempleOfLight => Symbol::LightTemple,
        Building::TempleOfDark => Symbol::DarkTemple,
        Building::HolyCity => Symbol::HolyTemple,
        Building::Temple => Symbol::Temple,
        Building::Mine => Symbol::Mine,
        Building::Gate => Symbol::Gate,
    };
    let condition = match field.glimpse.condition {
        Some(SeenCondition::UnderConstruction) => Condition::Building,
        Some(SeenCondition::Standing(crate::codes::Condition::Light)) => Condition::Light,
        Some(SeenCondition::Standing(crate::codes::Condition::Heavy)) => Condition::Heavy,
        Some(SeenCondition::Standing(crate::codes::Condition::Ruin)) => Condition::Ruin,
        Some(SeenCondition::Standing(crate::codes::Condition::Intact)) | None => Condition::Intact,
    };
    let owner = field.glimpse.owner;
    Site {
        at,
        kind: building.code().to_owned(),
        symbol,
        condition,
        // Names of buildings are told to their owner only.
        name: field
            .own
            .as_ref()
            .and_then(|own| own.site.as_ref())
            .map_or_else(String::new, |site| site.name.clone()),
        owner: owner.is_played().then_some(owner.0),
    }
}

/// Armies of others, as they were last seen. Those of the viewer himself stand where they are.
fn strangers(view: &View, scene: &mut Scene, at: Spot, field: &FieldView, realms: &mut BTreeSet<RealmId>) {
    let own = |army: &&SeenArmy| army.realm.is_some() && army.realm == view.realm();
    // The game master's armies are drawn from the full list.
    let seen = field.armies.iter().filter(|army| view.realm().is_some() && !own(army));
    for army in seen {
        let number = army.number.map_or_else(|| "?".to_owned(), |number| number.to_string());
        let last_weeks = is_fresh(view, field) && (field.week == END || field.week as usize == crate::order::WEEKS);
        realms.extend(army.realm);
        scene.armies.push(Army {
            at,
            label: format!("{} {number}", army.kind.code()),
            count: u64::try_from(army.count).ok(),
            owner: army.realm.filter(|realm| realm.is_played()).map(|realm| realm.0),
            flag: match army.realm {
                _ if !last_weeks => Ensign::Earlier,
                None => Ensign::Unassigned,
                Some(_) => Ensign::Shown,
            },
        });
    }
}

fn own_army(scene: &mut Scene, id: ArmyId, army: &ArmyView) {
    let Some(at) = spot(army.place) else { return };
    scene.armies.push(Army {
        at,
        label: id.name.to_string(),
        count: u64::try_from(army.count).ok(),
        owner: id.realm.is_played().then_some(id.realm.0),
        flag: match army.flag {
            Flag::Unseen => Ensign::OwnUnseen,
            Flag::Shown | Flag::Unassigned => Ensign::Shown,
        },
    });
}

fn battles(view: &View, scene: &mut Scene) {
    let fought = view.told.iter().filter_map(|told| match &told.notice.what {
        Perceived::Fought { place, .. } => spot(*place),
        _ => None,
    });
    let spots: BTreeSet<Spot> = fought.collect();
    scene
        .highlights
        .extend(spots.into_iter().map(|at| Highlight { at, mark: Mark::Battle }));
}
