//! The board that is played by clicks: ground and storeys with their room, pieces, and what is to be said of the turn.

use super::draft::Draft;
use super::{instructions, offers, pieces};
use crate::battle::Scene;
use crate::board::{Cell, Spot, direction_code};
use crate::event::{player_word, side_names};
use crate::kinds::Fitting;
use crate::map;
use crate::room::{self, Room};
use crate::tables::Tables;
use crate::view::View;
use kernel::board::{Board, Level, Opening};
use kernel::diagnostic::{Name, Value};
use kernel::hex::Direction;
use kernel::map::Side;
use kernel::realm::RealmId;
use kernel::report::Term;
use std::collections::BTreeSet;

/// The board behind a draft.
pub(super) fn board(tables: &Tables, view: &View, text: &str) -> Board {
    of_draft(tables, view, Draft::of(tables, view, text))
}

/// The board as it stands: no turn is begun on it, and nobody can do anything.
pub(super) fn still(tables: &Tables, view: &View) -> Board {
    let mut board = of_draft(tables, view, Draft::still(view));
    for piece in &mut board.pieces {
        piece.can_act = false;
    }
    board.open = false;
    board
}

fn of_draft(tables: &Tables, view: &View, draft: Draft) -> Board {
    let player = view.player();
    let scene = draft.scene(tables, player.unwrap_or(RealmId::NOBODY));
    let mut shown = view.clone();
    shown.position.clone_from(&draft.state.position);
    let mut drawn = map::scene(tables, &shown);
    drawn.armies.clear();
    // Gates are openings of the levels, with every storey.
    drawn.edges.retain(|edge| !edge.kind.is_gate());
    let mut all = pieces::pieces(scene);
    if let Some(player) = player.filter(|player| draft.takes_deeds(*player)) {
        let able: BTreeSet<String> = offers::actors(scene, player);
        for piece in &mut all {
            piece.can_act = able.contains(&piece.name);
        }
    }
    let position = &draft.state.position;
    Board {
        scene: drawn,
        levels: levels(scene),
        pieces: all,
        notes: notes(view, &draft),
        mover: position.mover().filter(|_| position.outcome.is_none()),
        open: player.is_some() && draft.is_open(),
        rolls: draft.rehearsal.rolls,
        findings: draft.findings,
    }
}

/// A term of this key with these values.
pub(super) fn term(key: &'static str, args: Vec<(&'static str, Value)>) -> Term {
    Term {
        key: Name::Borrowed(key),
        args: args
            .into_iter()
            .map(|(name, value)| (Name::Borrowed(name), value))
            .collect(),
    }
}

/// A value whose words the language decides.
pub(super) fn word(key: impl Into<Name>) -> Value {
    Value::Word { word: key.into() }
}

fn levels(scene: Scene<'_>) -> Vec<Level> {
    let cells = scene.position.board.all();
    cells.flat_map(|cell| levels_of(scene, cell)).collect()
}

/// The places of one field, lowest first.
pub(super) fn levels_of(scene: Scene<'_>, cell: Cell) -> Vec<Level> {
    let Some(at) = map::spot(scene.position, cell) else {
        return Vec::new();
    };
    let level = |spot: Spot| {
        let offered = room::capacity(scene.tables, scene.position, Room::Spot(spot));
        let free = room::free(scene.tables, scene.position, Room::Spot(spot));
        Level {
            place: scene.position.board.spot_name(scene.tables, spot),
            at,
            height: i8::try_from(spot.level).unwrap_or(i8::MAX),
            name: level_name(scene, spot),
            room: (offered > 0).then(|| (offered, offered - free)),
            openings: openings(scene, spot),
        }
    };
    spots(scene, cell).into_iter().map(level).collect()
}

/// Gates, loopholes and breaches around a spot.
fn openings(scene: Scene<'_>, spot: Spot) -> Vec<(Side, Opening)> {
    let board = &scene.position.board;
    let mut list = Vec::new();
    for direction in Direction::ALL {
        let found = match board.building(spot.cell) {
            Some(building) => match building.storeys.get(usize::from(spot.level)) {
                Some(storey) => match storey.walls.get(direction.index()).copied().flatten() {
                    Some(fitting) => opening(fitting),
                    None => Some(Opening::Breach),
                },
                None => None,
            },
            None => board
                .walls_between(spot.cell, direction)
                .0
                .and_then(|wall| opening(wall.fitting)),
        };
        list.extend(found.map(|found| (pieces::side(direction), found)));
    }
    list
}

const fn opening(fitting: Fitting) -> Option<Opening> {
    match fitting {
        Fitting::Plain => None,
        Fitting::Loophole => Some(Opening::Loophole),
        Fitting::Open => Some(Opening::Open),
        Fitting::Closed => Some(Opening::Shut),
        Fitting::Broken => Some(Opening::Broken),
    }
}

/// The spots of a field, lowest first.
pub(super) fn spots(scene: Scene<'_>, cell: Cell) -> Vec<Spot> {
    let building = scene.position.board.building(cell);
    let levels = building.map_or(1, |building| building.levels(scene.tables)).max(1);
    (0..levels).map(|level| Spot { cell, level }).collect()
}

/// What a spot is called.
pub(super) fn level_name(scene: Scene<'_>, spot: Spot) -> Term {
    let board = &scene.position.board;
    let field = Value::Text(board.name(spot.cell));
    match board.building(spot.cell) {
        Some(building) => {
            let kind = ("building", word(building_word(building.kind)));
            if building.platform(scene.tables) == Some(spot.level) {
                term("level-platform", vec![("field", field), kind])
            } else {
                let storey = ("storey", Value::Int(i64::from(spot.level)));
                term("level-storey", vec![("field", field), kind, storey])
            }
        }
        None => {
            let terrain = board
                .ground(spot.cell)
                .map_or("terrain-lowland", |ground| terrain_word(ground.terrain));
            term("level-ground", vec![("field", field), ("terrain", word(terrain))])
        }
    }
}

/// The key of the word for a terrain.
pub(super) const fn terrain_word(terrain: crate::kinds::Terrain) -> &'static str {
    use crate::kinds::Terrain;
    match terrain {
        Terrain::Water => "terrain-water",
        Terrain::Lowland => "terrain-lowland",
        Terrain::LowlandForest => "terrain-lowland-forest",
        Terrain::LowlandDesert => "terrain-lowland-desert",
        Terrain::IceDesert => "terrain-ice-desert",
        Terrain::Swamp => "terrain-swamp",
        Terrain::Mangrove => "terrain-mangrove",
        Terrain::Highland => "terrain-highland",
        Terrain::HighlandForest => "terrain-highland-forest",
        Terrain::HighlandDesert => "terrain-highland-desert",
        Terrain::MountainCountry => "terrain-mountain-country",
        Terrain::MountainForest => "terrain-mountain-forest",
        Terrain::MountainDesert => "terrain-mountain-desert",
        Terrain::Mountain => "terrain-mountain",
    }
}

/// The key of the word for a building.
pub(super) const fn building_word(kind: crate::kinds::BuildingKind) -> &'static str {
    use crate::kinds::BuildingKind;
    match kind {
        BuildingKind::Tower => "building-tower",
        BuildingKind::Keep => "building-keep",
        BuildingKind::GreatKeep => "building-great-keep",
        BuildingKind::TempleTower => "building-temple-tower",
    }
}

/// The key of the word for a trade centre.
pub(super) const fn centre_word(kind: crate::tables::rulings::CentreKind) -> &'static str {
    use crate::tables::rulings::CentreKind;
    match kind {
        CentreKind::Market => "centre-market",
        CentreKind::City => "centre-city",
        CentreKind::ProvincialCapital => "centre-provincial-capital",
        CentreKind::Capital => "centre-capital",
        CentreKind::Fortress => "centre-fortress",
    }
}

fn notes(view: &View, draft: &Draft) -> Vec<Term> {
    let position = &draft.state.position;
    let text = |text: String| Value::Text(text);
    let mut notes = Vec::new();
    match &position.outcome {
        Some(victory) => notes.push(match victory.side {
            Some(side) => term("note-won", vec![("names", text(side_names(position, side)))]),
            None if victory.suspended => term("note-suspended", vec![]),
            None => term("note-drawn", vec![]),
        }),
        None => {
            let mover = player_word(position, position.mover().unwrap_or(RealmId::NOBODY));
            let round = Value::Int(i64::from(position.clock.round));
            notes.push(term("note-turn", vec![("round", round), ("player", text(mover))]));
            let own = view.player().is_some() && view.player() == position.mover();
            if own && draft.rehearsal.rolls_first {
                notes.push(term("note-begin", vec![]));
            } else {
                notes.push(term("note-stage", vec![("stage", word(position.clock.stage.word()))]));
            }
        }
    }
    if let Some(wind) = position.wind {
        let toward = Value::Text(direction_code(wind.toward).to_owned());
        notes.push(term(
            "note-wind",
            vec![("toward", toward), ("strength", word(wind.strength.code()))],
        ));
    }
    let wizard = view
        .player()
        .and_then(|player| crate::magic::counter::wizard_of(position, player));
    if let (Some(player), Some(_)) = (view.player(), wizard) {
        let units = draft.state.secrets.get(&player).map_or(0, |secret| secret.spell_units);
        notes.push(term("note-units", vec![("units", Value::Int(units))]));
    }
    if let Some(secret) = view.player().and_then(|player| draft.state.secrets.get(&player)) {
        notes.extend(instructions::notes(secret));
    }
    for (cell, siege) in &position.sieges {
        let field = text(position.board.name(*cell));
        let rounds = Value::Int(i64::from(siege.rounds));
        let key = if siege.by.is_played() {
            "note-siege"
        } else {
            "note-hunger"
        };
        let by = text(player_word(position, siege.by));
        notes.push(term(key, vec![("field", field), ("player", by), ("rounds", rounds)]));
    }
    for (cell, centre) in &position.centres {
        let field = text(position.board.name(*cell));
        let key = if centre.possessor.is_played() {
            "note-centre"
        } else {
            "note-centre-free"
        };
        let holder = text(player_word(position, centre.possessor));
        notes.push(term(
            key,
            vec![
                ("field", field),
                ("kind", word(centre_word(centre.kind))),
                ("player", holder),
            ],
        ));
    }
    notes
}
