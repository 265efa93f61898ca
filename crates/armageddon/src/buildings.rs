//! Buildings under attack (ARM-GAP-09, ARM-GAP-15): hits on storeys, walls and bridges, collapse; and the search for an ascent (ARM-GAP-49).

use crate::battle::{Battle, Scene};
use crate::board::{Cell, Spot};
use crate::deed::{Deed, Fight, Permit, Refusal};
use crate::event::FightHappening;
use crate::kinds::Fate;
use crate::magic::prayers;
use crate::overcrowding::Crowding;
use crate::state::{FigureId, Place};
use crate::{legal, loss, rule, survival, water};
use kernel::hex::Direction;
use kernel::realm::RealmId;
use kernel::rule::RuleId;

/// One hit on a storey: the wall on this side falls, or the next one that stands; the last hit brings the storey down with all above it.
pub fn hit_storey(battle: &mut Battle<'_>, at: Spot, side: Direction, rules: &[RuleId]) {
    let Some(building) = battle.position.board.building(at.cell) else {
        return;
    };
    let row = *battle.tables.building(building.kind);
    let Some(storey) = building.storeys.get(usize::from(at.level)) else {
        return;
    };
    let hits = storey.hits.saturating_add(1);
    let wall = (0..6)
        .map(|turn| side.rotate(turn))
        .find(|side| storey.walls[side.index()].is_some())
        .filter(|_| hits >= row.first_wall_at_hit);
    let change = |battle: &mut Battle<'_>| {
        let building = battle.position.board.ground_mut(at.cell)?.building.as_mut()?;
        let storey = building.storeys.get_mut(usize::from(at.level))?;
        storey.hits = hits;
        if let Some(wall) = wall {
            storey.walls[wall.index()] = None;
        }
        Some(())
    };
    change(battle);
    let mut rules = rules.to_vec();
    rules.push(rule::GAP_09);
    let happening = FightHappening::StoreyHit { at, hits, fallen: wall };
    battle.emit(rules.clone(), &[], happening);
    if hits >= row.hits_per_storey {
        collapse(battle, at, &rules);
    }
}

/// A hit that breaks a gate leaves its wall standing, but counts like any other.
pub fn count_hit(battle: &mut Battle<'_>, at: Spot, rules: &[RuleId]) {
    let change = |battle: &mut Battle<'_>| {
        let building = battle.position.board.ground_mut(at.cell)?.building.as_mut()?;
        let limit = battle.tables.building(building.kind).hits_per_storey;
        let storey = building.storeys.get_mut(usize::from(at.level))?;
        storey.hits = storey.hits.saturating_add(1);
        Some(storey.hits >= limit)
    };
    if change(battle) == Some(true) {
        collapse(battle, at, rules);
    }
}

/// A storey comes down with all above it: everybody there rolls for survival, and who lives stands on the field.
fn collapse(battle: &mut Battle<'_>, at: Spot, rules: &[RuleId]) {
    let Some(owner) = battle.position.board.building(at.cell).map(|building| building.owner) else {
        return;
    };
    let mut rules = rules.to_vec();
    if !rules.contains(&rule::GAP_09) {
        rules.push(rule::GAP_09);
    }
    let there: Vec<FigureId> = battle
        .position
        .present()
        .filter(|(id, figure)| {
            let above = battle
                .position
                .spot_of(*id)
                .is_some_and(|spot| spot.cell == at.cell && spot.level >= at.level);
            above && !matches!(figure.place, Place::Above(_) | Place::Swimming(_))
        })
        .map(|(id, _)| id)
        .collect();
    battle.emit(rules.clone(), &[], FightHappening::Collapsed { at });
    if let Some(ground) = battle.position.board.ground_mut(at.cell) {
        if at.level == 0 {
            ground.building = None;
            ground.foundation = false;
        } else if let Some(building) = ground.building.as_mut() {
            building.storeys.truncate(usize::from(at.level));
        }
    }
    for id in there {
        let Some(figure) = battle.position.figure(id).filter(|figure| figure.is_present()) else {
            continue;
        };
        if figure.kind.family().is_device() {
            survival::fall(battle, id, Fate::Destroyed, rules.clone(), &[]);
            continue;
        }
        survival::endure_or_fall(battle, id, rule::GAP_09, "collapse", Fate::Perished);
        // A king who lost one of his lives, or for whom another died, stands in the ruins too.
        if let Some(Place::At(_)) = battle.position.figure(id).map(|figure| figure.place) {
            loss::set_down(battle, id, Spot::ground(at.cell));
        }
    }
    loss::uncrowd(battle, Spot::ground(at.cell), Crowding::Collapsed, owner);
}

/// One hit on a wall; with the last one it falls with its gate.
pub fn hit_wall(battle: &mut Battle<'_>, cell: Cell, side: Direction, rules: &[RuleId]) {
    let limit = battle.tables.works.wall_hits;
    let Some(ground) = battle.position.board.ground_mut(cell) else {
        return;
    };
    let mut rules = rules.to_vec();
    rules.push(rule::GAP_09);
    if let Some(wall) = &mut ground.walls[side.index()] {
        wall.hits = wall.hits.saturating_add(1);
        let hits = wall.hits;
        if i64::from(hits) < limit {
            battle.emit(rules, &[], FightHappening::WallHit { cell, side, hits });
            return;
        }
    }
    ground.walls[side.index()] = None;
    battle.emit(rules, &[], FightHappening::WallFell { cell, side });
}

/// One hit on the bridge over an edge.
pub fn hit_river_bridge(battle: &mut Battle<'_>, cell: Cell, side: Direction, rules: &[RuleId]) {
    let limit = battle.tables.works.river_bridge_hits;
    let Some(edge) = battle.position.board.edge_mut(cell, side) else {
        return;
    };
    let hits = edge.bridge.unwrap_or(0).saturating_add(1);
    let fell = i64::from(hits) >= limit;
    edge.bridge = Some(hits).filter(|_| !fell);
    let mut rules = rules.to_vec();
    rules.push(rule::GAP_09);
    battle.emit(rules, &[], FightHappening::BridgeHit { cell, hits, fell });
}

/// One hit on the bridge over a field of water; with the last one everything on it falls into the stream.
pub fn hit_stream_bridge(battle: &mut Battle<'_>, cell: Cell, rules: &[RuleId]) {
    let limit = battle.tables.works.stream_bridge_hits;
    let Some(bridge) = battle
        .position
        .board
        .ground_mut(cell)
        .map(|ground| &mut ground.stream_bridge)
    else {
        return;
    };
    let hits = bridge.unwrap_or(0).saturating_add(1);
    let fell = i64::from(hits) >= limit;
    *bridge = Some(hits).filter(|_| !fell);
    let mut rules = rules.to_vec();
    rules.push(rule::GAP_09);
    battle.emit(rules, &[], FightHappening::BridgeHit { cell, hits, fell });
    if !fell {
        return;
    }
    let there: Vec<FigureId> = battle
        .position
        .present()
        .filter(|(id, figure)| {
            battle.position.cell_of(*id) == Some(cell) && !matches!(figure.place, Place::Above(_) | Place::Swimming(_))
        })
        .map(|(id, _)| id)
        .collect();
    for id in there {
        // A rider is in the water with his horse already.
        let place = battle.position.figure(id).map(|figure| figure.place);
        if place != Some(Place::Swimming(cell)) {
            water::plunge(battle, id, cell);
        }
    }
}

/// The side of a field where an ascent could be found: towards a neighbour one level apart, upward first.
fn slope(scene: Scene<'_>, cell: Cell) -> Option<Direction> {
    let board = &scene.position.board;
    let here = board.height(scene.tables, Spot::ground(cell));
    let found = |up: bool| {
        board.neighbours(cell).find(|(side, other)| {
            let there = board.height(scene.tables, Spot::ground(*other));
            let apart = if up {
                there.checked_sub(here)
            } else {
                here.checked_sub(there)
            };
            apart == Some(1) && !board.edge(cell, *side).ascent
        })
    };
    found(true).or_else(|| found(false)).map(|(side, _)| side)
}

/// Whether a warrior may look for an ascent on his field: once a round for every field.
///
/// # Errors
/// The refusal.
pub fn judge(scene: Scene<'_>, player: RealmId, deed: &Fight) -> Result<Permit, Refusal> {
    let Fight::Search { figure } = deed else {
        return Err(Refusal::new("not-built", &[rule::GAP_49][..]));
    };
    let found = legal::own(scene, player, *figure)?;
    let refuse = |code: &'static str, cell: Cell| {
        Refusal::new(code, &[rule::GAP_49][..]).with("field", scene.position.board.name(cell))
    };
    let Some(Spot { cell, level: 0 }) = scene.position.spot_of(*figure) else {
        return Err(refuse("no-slope", Cell::default()));
    };
    let searched = scene.position.board.ground(cell).map_or(0, |ground| ground.searched);
    if searched == scene.position.clock.round {
        return Err(refuse("searched-already", cell));
    }
    if !found.kind.is_warrior() || slope(scene, cell).is_none() {
        return Err(refuse("no-slope", cell));
    }
    Ok(Permit {
        rules: vec![rule::GAP_49, rule::R0_3_6],
        ..Permit::default()
    })
}

/// Carries out what [`judge`] allowed.
pub fn perform(battle: &mut Battle<'_>, player: RealmId, deed: &Fight, permit: &Permit) {
    let Fight::Search { figure } = deed else { return };
    let Some(cell) = battle.position.cell_of(*figure) else {
        return;
    };
    let Some(side) = slope(battle.scene(player), cell) else {
        return;
    };
    let round = battle.position.clock.round;
    if let Some(ground) = battle.position.board.ground_mut(cell) {
        ground.searched = round;
    }
    let name = battle.position.name(*figure);
    let (throw, dice) = battle.throw(rule::GAP_49, player, format_args!("{player} {name} seeks an ascent"));
    let roll = prayers::roll_of(battle.scene(player), *figure);
    let found = throw.natural() >= battle.tables.danger.ascent_found_from - roll;
    if found && let Some(edge) = battle.position.board.edge_mut(cell, side) {
        edge.ascent = true;
    }
    let happening = FightHappening::Searched {
        figure: *figure,
        cell,
        throw,
        found: Some(side).filter(|_| found),
    };
    battle.emit(permit.rules.clone(), &dice, happening);
}

/// Every search of an own warrior.
pub fn candidates(scene: Scene<'_>, player: RealmId, list: &mut Vec<Deed>) {
    if !legal::movement_is_open(scene) {
        return;
    }
    let own = scene.position.present().filter(|(id, figure)| {
        figure.possessor == player
            && figure.kind.is_warrior()
            && scene
                .position
                .cell_of(*id)
                .is_some_and(|cell| slope(scene, cell).is_some())
    });
    list.extend(own.map(|(figure, _)| Deed::Fight(Fight::Search { figure })));
}
