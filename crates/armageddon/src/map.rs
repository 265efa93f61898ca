//! The board as a picture: fields with their terrain and height, edges, walls, buildings, and one flag per stack of figures.

use crate::board::{Cell, Spot as BoardSpot};
use crate::kinds::{Fitting, Terrain};
use crate::rule;
use crate::state::Position;
use crate::tables::Tables;
use crate::view::View;
use kernel::hex::{Direction, Doubled};
use kernel::map::{
    Army, Edge, EdgeKind, Field, Ground, Knowledge, Place, RealmStyle, RegionName, Relief, Scene, Side, Spot, Symbol,
    TerrainStyle,
};
use std::collections::BTreeMap;

/// The board of a view.
pub fn scene(tables: &Tables, view: &View) -> Scene {
    let position = &view.position;
    let mut scene = Scene {
        game: "armageddon".to_owned(),
        title: position.name.clone(),
        caption: Some(crate::game::step_name(position)),
        own_realm: view.player().map(|player| player.0),
        complete: true,
        rules: [rule::GAP_02, rule::R0_4_1]
            .iter()
            .map(|rule| rule.as_str().to_owned())
            .collect(),
        ..Scene::default()
    };
    for cell in position.board.all() {
        let (Some(at), Some(ground)) = (spot(position, cell), position.board.ground(cell)) else {
            continue;
        };
        let code = ground.terrain.code();
        scene
            .terrains
            .entry(code.to_owned())
            .or_insert_with(|| style(ground.terrain));
        scene.fields.push(Field {
            at,
            terrain: code.to_owned(),
            height: tables.terrain(ground.terrain).level.min(3),
            knowledge: Knowledge::Now,
            label: position.board.name(cell),
            ..Field::default()
        });
        edges(view, &mut scene, cell, at);
        if let Some(building) = &ground.building {
            scene.places.push(Place {
                at,
                kind: building.kind.code().to_owned(),
                symbol: Symbol::Tower,
                owner: building.owner.is_played().then_some(building.owner.0),
                ..Place::default()
            });
        } else if let Some(centre) = position.centres.get(&cell) {
            scene.places.push(Place {
                at,
                kind: crate::setup::centre_code(centre.kind).to_owned(),
                symbol: Symbol::Town,
                owner: centre.possessor.is_played().then_some(centre.possessor.0),
                ..Place::default()
            });
        }
    }
    stacks(view, &mut scene);
    for (id, player) in &position.players {
        let name = player.name.clone();
        scene.realms.insert(id.0, RealmStyle { name, slot: id.0 });
    }
    if position.board.provinces.len() > 1 {
        for (index, province) in position.board.provinces.iter().enumerate() {
            let middle = Cell(u16::try_from(index * 48 + 18).unwrap_or(0));
            scene.regions.extend(spot(position, middle).map(|at| RegionName {
                at,
                text: province.name.clone(),
                water: false,
            }));
        }
    }
    scene
}

/// Where a field lies in the drawing.
pub(crate) fn spot(position: &Position, cell: Cell) -> Option<Spot> {
    let place = Doubled::from(position.board.hex(cell)?);
    Some(Spot::new(i32::try_from(place.d).ok()?, i32::try_from(place.y).ok()?))
}

fn edges(view: &View, scene: &mut Scene, cell: Cell, at: Spot) {
    let board = &view.position.board;
    for (direction, side) in Direction::ALL.into_iter().zip(Side::ALL) {
        let edge = board.edge(cell, direction);
        // An edge belongs to two fields and is listed with the first of them.
        let first = direction.index() < 3;
        let wall = board.walls_between(cell, direction).0;
        let gate = gate(view, cell, direction);
        for (there, kind) in [
            (first && edge.river.is_some(), EdgeKind::River),
            (first && edge.ditch, EdgeKind::Ditch),
            (first && edge.ascent, EdgeKind::Ascent),
            (first && edge.bridge.is_some(), EdgeKind::Bridge),
            (wall.is_some(), EdgeKind::Wall),
            (gate == Some(Fitting::Closed), EdgeKind::Gate),
            (gate == Some(Fitting::Open), EdgeKind::OpenGate),
            (gate == Some(Fitting::Broken), EdgeKind::BrokenGate),
        ] {
            if there {
                scene.edges.push(Edge { at, side, kind });
            }
        }
    }
}

/// What the wall of a field, or of the ground storey of its building, has on this side.
fn gate(view: &View, cell: Cell, direction: Direction) -> Option<Fitting> {
    let board = &view.position.board;
    match board.building(cell) {
        Some(building) => *building.storeys.first()?.walls.get(direction.index())?,
        None => board.walls_between(cell, direction).0.map(|wall| wall.fitting),
    }
}

/// One flag per field, level and player.
fn stacks(view: &View, scene: &mut Scene) {
    let mut stacks: BTreeMap<(BoardSpot, u16), (String, u64)> = BTreeMap::new();
    for (id, figure) in view.position.present() {
        if let Some(spot) = view.position.spot_of(id) {
            let stack = stacks
                .entry((spot, figure.possessor.0))
                .or_insert_with(|| (figure.to_string(), 0));
            stack.1 += 1;
        }
    }
    for ((place, owner), (first, count)) in stacks {
        let Some(at) = spot(&view.position, place.cell) else {
            continue;
        };
        let label = if count > 1 { format!("{count}") } else { first };
        scene.armies.push(Army {
            at,
            label,
            count: Some(count),
            owner: (owner != 0).then_some(owner),
            ..Army::default()
        });
    }
}

fn style(terrain: Terrain) -> TerrainStyle {
    let (ground, relief) = match terrain {
        Terrain::Water => (Ground::Water, Relief::Flat),
        Terrain::Lowland => (Ground::Land, Relief::Flat),
        Terrain::LowlandForest => (Ground::Forest, Relief::Flat),
        Terrain::LowlandDesert => (Ground::Desert, Relief::Flat),
        Terrain::IceDesert => (Ground::IceDesert, Relief::Flat),
        Terrain::Swamp => (Ground::Swamp, Relief::Flat),
        Terrain::Mangrove => (Ground::Mangrove, Relief::Flat),
        Terrain::Highland => (Ground::Land, Relief::Hills),
        Terrain::HighlandForest => (Ground::Forest, Relief::Hills),
        Terrain::HighlandDesert => (Ground::Desert, Relief::Hills),
        Terrain::MountainCountry => (Ground::Land, Relief::Peaks),
        Terrain::MountainForest => (Ground::Forest, Relief::Peaks),
        Terrain::MountainDesert => (Ground::Desert, Relief::Peaks),
        Terrain::Mountain => (Ground::Land, Relief::Summit),
    };
    TerrainStyle { ground, relief }
}
