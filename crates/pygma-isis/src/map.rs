//! The map as a viewer knows it (PYG-GAME-07, PYG-MAP-05, PYG-TERR-03).
//!
//! Fields that were never seen are not in the scene. Hexagons stand on a side, in columns.

use crate::chart::{Place as FieldPlace, side};
use crate::codes::{SettlementKind, Terrain, WorkKind};
use crate::event::Who;
use crate::rule;
use crate::tables::Tables;
use crate::view::{FieldView, View};
use kernel::hex::Direction;
use kernel::map::{
    Army, Edge, EdgeKind, Field, Flag, Ground, Knowledge, Orientation, Place, RealmStyle, Relief, Scene, Spot, Symbol,
    TerrainStyle,
};
use kernel::realm::RealmId;
use std::collections::BTreeMap;

/// Slots from here on are inks of banners that the viewer cannot name, so that they do not tell a realm's number.
const BANNER_SLOTS: u16 = 10_000;

/// The map of a view.
pub fn scene(tables: &Tables, view: &View) -> Scene {
    let rules = [
        rule::GAME_07,
        rule::MAP_01,
        rule::MAP_02,
        rule::MAP_03,
        rule::MAP_04,
        rule::MAP_05,
        rule::MAP_07,
        rule::MAP_08,
        rule::TERR_01,
        rule::TERR_02,
        rule::SEE_01,
        rule::GAP_01,
        rule::GAP_02,
        rule::GAP_03,
        rule::GAP_33,
        rule::GAP_34,
    ];
    let mut scene = Scene {
        game: "pygma-isis".to_owned(),
        title: view.books.as_ref().map_or_else(String::new, |books| books.name.clone()),
        caption: Some(crate::game::step_name(tables, view.step.max(1))),
        orientation: Orientation::FlatTop,
        own_realm: view.realm().map(|realm| realm.0),
        rules: rules.iter().map(|rule| rule.as_str().to_owned()).collect(),
        ..Scene::default()
    };
    let spots: BTreeMap<FieldPlace, Spot> = view.fields.iter().map(|field| (field.place, field.at)).collect();
    for field in &view.fields {
        draw_field(tables, view, &mut scene, field);
        borders(view, &mut scene, field, &spots);
    }
    for army in view.armies.iter().filter(|army| army.aboard.is_none()) {
        scene.armies.push(Army {
            at: army.at,
            label: army.name.to_string(),
            count: u64::try_from(army.count).ok(),
            owner: Some(army.realm.0),
            flag: Flag::Shown,
        });
    }
    for stranger in &view.strangers {
        let slot = owner(view, &stranger.who);
        if let Some(slot) = slot {
            ink(&mut scene, slot, &stranger.who.label());
        }
        scene.armies.push(Army {
            at: stranger.at,
            label: stranger.kind.code().to_owned(),
            count: stranger.count.and_then(|count| u64::try_from(count).ok()),
            owner: slot,
            flag: Flag::Shown,
        });
    }
    for band in &view.bands {
        scene.armies.push(Army {
            at: band.at,
            label: band.creature.code().to_owned(),
            count: u64::try_from(band.count).ok(),
            owner: None,
            flag: Flag::Shown,
        });
    }
    if let (Some(realm), Some(books)) = (view.realm(), &view.books) {
        ink(&mut scene, realm.0, &books.name);
    }
    scene
}

fn ink(scene: &mut Scene, slot: u16, name: &str) {
    let name = name.to_owned();
    scene.realms.insert(slot, RealmStyle { name, slot });
}

/// The ink of an owner: a realm's number if the viewer knows it, else a number of his own.
fn owner(view: &View, who: &Who) -> Option<u16> {
    match who {
        Who::Nobody => None,
        Who::Own => view.realm().map(|realm| realm.0),
        Who::Named {
            id: RealmId(number), ..
        } => Some(*number),
        Who::Banner(number) => Some(BANNER_SLOTS.saturating_add(u16::try_from(*number).unwrap_or(u16::MAX))),
    }
}

fn draw_field(tables: &Tables, view: &View, scene: &mut Scene, field: &FieldView) {
    let code = field.terrain.code().to_owned();
    scene
        .terrains
        .entry(code.clone())
        .or_insert_with(|| style(field.terrain));
    let owner = owner(view, &field.owner);
    if let (Some(slot), Who::Named { .. } | Who::Banner(_)) = (owner, &field.owner) {
        ink(scene, slot, &field.owner.label());
    }
    scene.fields.push(Field {
        at: field.at,
        terrain: code,
        height: u8::try_from(tables.terrain[field.terrain].height).unwrap_or(0),
        knowledge: if field.step == view.step {
            Knowledge::Now
        } else {
            Knowledge::Earlier(field.step)
        },
        owner,
        label: field.place.to_string(),
        ..Field::default()
    });
    for direction in Direction::ALL {
        let kinds = [
            (field.rivers, EdgeKind::River),
            (field.roads, EdgeKind::Road),
            (field.bridges, EdgeKind::Bridge),
        ];
        let here = kinds.into_iter().filter(|(sides, _)| sides.has(direction));
        scene.edges.extend(here.map(|(_, kind)| Edge {
            at: field.at,
            side: side(direction),
            kind,
        }));
    }
    if let Some(settlement) = field.settlement {
        scene.places.push(Place {
            at: field.at,
            // Two signs have two names in the legend.
            kind: match settlement {
                SettlementKind::InlandTown if field.fortified => format!("{}+", settlement.code()),
                _ => settlement.code().to_owned(),
            },
            symbol: match settlement {
                SettlementKind::Capital => Symbol::Capital,
                SettlementKind::HarbourTown => Symbol::Harbour,
                SettlementKind::InlandTown if field.fortified => Symbol::Castle,
                SettlementKind::InlandTown => Symbol::Town,
                _ => Symbol::Village,
            },
            owner,
            ..Place::default()
        });
    }
    if let Some(work) = field.work {
        scene.places.push(Place {
            at: field.at,
            kind: work.code().to_owned(),
            symbol: if work == WorkKind::Fortress {
                Symbol::Fortress
            } else {
                Symbol::Tower
            },
            owner,
            ..Place::default()
        });
    }
}

/// PYG-MAP-05: heavier lines between great fields, where both sides are known.
fn borders(view: &View, scene: &mut Scene, field: &FieldView, spots: &BTreeMap<FieldPlace, Spot>) {
    let Some(index) = view.chart.field(field.place) else {
        return;
    };
    for (direction, other) in view.chart.neighbours(index) {
        let there = view.chart.place(other);
        if there.gf > field.place.gf && spots.contains_key(&there) {
            scene.edges.push(Edge {
                at: field.at,
                side: side(direction),
                kind: EdgeKind::Province,
            });
        }
    }
}

/// PYG-TERR-03: what a terrain looks like.
const fn style(terrain: Terrain) -> TerrainStyle {
    let (ground, relief) = match terrain {
        Terrain::Ice => (Ground::IceDesert, Relief::Flat),
        Terrain::Plain => (Ground::Land, Relief::Flat),
        Terrain::Mountains => (Ground::Land, Relief::Peaks),
        Terrain::HighPlateau => (Ground::Mesa, Relief::Flat),
        Terrain::Hills => (Ground::Land, Relief::Hills),
        Terrain::Desert => (Ground::Desert, Relief::Flat),
        Terrain::Swamp => (Ground::Swamp, Relief::Flat),
        Terrain::Grassland => (Ground::Steppe, Relief::Flat),
        Terrain::Rainforest => (Ground::Jungle, Relief::Flat),
        Terrain::LightForest => (Ground::LightForest, Relief::Flat),
        Terrain::DeepForest => (Ground::DeepForest, Relief::Flat),
        Terrain::FreshWater => (Ground::Water, Relief::Flat),
        Terrain::SaltWater => (Ground::DeepSea, Relief::Flat),
        Terrain::Reef => (Ground::Reef, Relief::Flat),
        Terrain::Oasis => (Ground::Oasis, Relief::Flat),
        Terrain::WoodedHills => (Ground::Forest, Relief::Hills),
        Terrain::Unexplored => (Ground::Void, Relief::Flat),
    };
    TerrainStyle { ground, relief }
}
