//! Who stands within a weapon's length of whom (ARM-GAP-04): fields, storeys and platforms, ladders and ropes, siege towers, wagons, hulls.
//!
//! [`contact`] is the only answer to that question: melee, engaged shooters and the weight blow ask it.

use crate::battle::Scene;
use crate::board::{Cell, Spot};
use crate::deed::Refusal;
use crate::devices::{self, Bulwark};
use crate::kinds::{Family, Kind, Part, Spell};
use crate::rule;
use crate::ships;
use crate::state::{FigureId, Place};
use kernel::hex::Direction;
use kernel::rule::RuleId;

/// What somebody stands on when it comes to blows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Footing {
    /// Open ground, also inside a turtle or the lower part of a siege tower.
    Ground,
    /// A storey of a building.
    Storey(u8),
    /// The platform of a building.
    Platform,
    /// The platform of a siege tower.
    Turret(FigureId),
    /// A ladder or rope.
    Rung(FigureId),
    /// A quadriga wagon.
    Wagon(FigureId),
    /// The deck of a ship.
    Deck(FigureId),
}

/// Where somebody stands when it comes to blows.
#[derive(Clone, Copy, Debug)]
struct Stance {
    id: FigureId,
    cell: Cell,
    height: u8,
    footing: Footing,
    /// The turtle or siege tower around him.
    within: Option<FigureId>,
    mounted: bool,
}

fn stance(scene: Scene<'_>, id: FigureId) -> Option<Stance> {
    let position = scene.position;
    let board = &position.board;
    let figure = position.figure(id)?;
    let ground = |cell: Cell| board.height(scene.tables, Spot::ground(cell));
    let on = |cell: Cell, height: u8, footing: Footing| Stance {
        id,
        cell,
        height,
        footing,
        within: None,
        mounted: false,
    };
    match figure.place {
        Place::At(spot) => {
            let footing = match board.building(spot.cell) {
                Some(building) if building.platform(scene.tables) == Some(spot.level) => Footing::Platform,
                Some(_) => Footing::Storey(spot.level),
                None => Footing::Ground,
            };
            Some(on(spot.cell, board.height(scene.tables, spot), footing))
        }
        Place::On(carrier, Part::Back) => Some(Stance {
            id,
            mounted: true,
            ..stance(scene, carrier)?
        }),
        // Who sits on an elephant neither fights nor is fought (ARM-GAP-04 with the elephant as the target).
        Place::On(_, Part::Saddle) | Place::Above(_) | Place::Swimming(_) | Place::Gone(_) => None,
        Place::On(carrier, part) => {
            let cell = position.cell_of(id)?;
            let stands = matches!(position.figure(carrier)?.place, Place::At(_));
            match part {
                Part::Bow | Part::Stern => Some(on(cell, ground(cell), Footing::Deck(carrier))),
                Part::Wagon if stands => Some(on(cell, ground(cell), Footing::Wagon(carrier))),
                Part::Inside | Part::Lower if stands => Some(Stance {
                    within: Some(carrier),
                    ..on(cell, ground(cell), Footing::Ground)
                }),
                Part::Upper if stands => Some(Stance {
                    within: Some(carrier),
                    ..on(cell, ground(cell).saturating_add(1), Footing::Turret(carrier))
                }),
                Part::Rung if stands => {
                    let top = devices::bulwark(scene, carrier).map(|bulwark| bulwark.height(scene));
                    let height = top.map_or_else(|| ground(cell), |top| top.saturating_sub(1));
                    Some(on(cell, height.max(ground(cell)), Footing::Rung(carrier)))
                }
                _ => None,
            }
        }
    }
}

/// The height from which somebody fights; none if he cannot be fought at all.
pub fn height(scene: Scene<'_>, id: FigureId) -> Option<u8> {
    stance(scene, id).map(|stance| stance.height)
}

fn refusal(scene: Scene<'_>, code: &'static str, rules: &'static [RuleId], one: FigureId, other: FigureId) -> Refusal {
    Refusal::new(code, rules)
        .with("figure", scene.position.name(one))
        .with("target", scene.position.name(other))
}

/// Whether two figures can fight each other hand to hand, and the rules that let them (ARM-GAP-04). It holds both ways.
///
/// # Errors
/// What is between them.
pub fn contact(scene: Scene<'_>, one: FigureId, other: FigureId) -> Result<Vec<RuleId>, Refusal> {
    let far = || refusal(scene, "out-of-reach", &[rule::GAP_04], one, other);
    let (Some(a), Some(b)) = (stance(scene, one), stance(scene, other)) else {
        return Err(far());
    };
    if scene.position.board.distance(a.cell, b.cell) > u64::try_from(scene.tables.melee.reach).unwrap_or(0) {
        return Err(far());
    }
    let mut rules = vec![rule::GAP_04];
    if on_deck(scene, &a, &b, &mut rules)? || on_wagon(scene, &a, &b)? || from_above(scene, &a, &b, &mut rules)? {
        return Ok(rules);
    }
    if a.cell == b.cell {
        same_field(scene, &a, &b, &mut rules)?;
    } else if let Some(side) = scene.position.board.direction(a.cell, b.cell) {
        across(scene, &a, &b, side, &mut rules)?;
    } else {
        return Err(far());
    }
    Ok(rules)
}

/// Ships (ARM-GAP-27): aboard the same one, or hull to hull; never between deck and shore.
fn on_deck(scene: Scene<'_>, a: &Stance, b: &Stance, rules: &mut Vec<RuleId>) -> Result<bool, Refusal> {
    let barred = || refusal(scene, "water-between", &[rule::GAP_04, rule::GAP_27], a.id, b.id);
    match (a.footing, b.footing) {
        (Footing::Deck(one), Footing::Deck(other)) if one == other => Ok(true),
        (Footing::Deck(one), Footing::Deck(other)) => {
            let burdened = |cell: Cell, ship: FigureId| {
                scene.position.aboard(ship).any(|(id, figure)| {
                    figure.kind.family() == Family::Shelter && scene.position.cell_of(id) == Some(cell)
                })
            };
            if burdened(a.cell, one) || burdened(b.cell, other) || !ships::can_board(scene, one, other) {
                return Err(barred());
            }
            rules.push(rule::GAP_27);
            Ok(true)
        }
        (Footing::Deck(_), _) | (_, Footing::Deck(_)) => Err(barred()),
        _ => Ok(false),
    }
}

/// Quadriga wagons: their crew fights and is fought only over the tail, and against a driving one only riders fight.
fn on_wagon(scene: Scene<'_>, a: &Stance, b: &Stance) -> Result<bool, Refusal> {
    for (crew, foe) in [(a, b), (b, a)] {
        let Footing::Wagon(wagon) = crew.footing else { continue };
        if foe.footing == crew.footing {
            return Ok(true);
        }
        let found = scene.position.figure(wagon);
        let behind = found
            .and_then(|wagon| wagon.facing)
            .and_then(|facing| scene.position.board.neighbour(crew.cell, facing.opposite()));
        if behind != Some(foe.cell) {
            return Err(refusal(scene, "wagon-tail", &[rule::GAP_04, rule::GAP_21], a.id, b.id));
        }
        let driving = found.is_some_and(|wagon| wagon.steps > 0);
        if driving && !foe.mounted {
            return Err(refusal(
                scene,
                "wagon-driving",
                &[rule::GAP_04, rule::GAP_21],
                a.id,
                b.id,
            ));
        }
    }
    Ok(false)
}

/// Ladders, ropes and the platforms of siege towers (ARM-GAP-11, ARM-GAP-12).
fn from_above(scene: Scene<'_>, a: &Stance, b: &Stance, rules: &mut Vec<RuleId>) -> Result<bool, Refusal> {
    for (climber, foe) in [(a, b), (b, a)] {
        let Footing::Rung(ladder) = climber.footing else {
            continue;
        };
        let up = match devices::bulwark(scene, ladder) {
            Some(Bulwark::Platform(spot)) => foe.footing == Footing::Platform && foe.cell == spot.cell,
            Some(Bulwark::Wall(behind)) => foe.footing == Footing::Ground && foe.cell == behind,
            Some(Bulwark::Turret(tower)) => foe.footing == Footing::Turret(tower),
            None => false,
        };
        if up {
            rules.push(rule::GAP_11);
            return Ok(true);
        }
    }
    for (watcher, foe) in [(a, b), (b, a)] {
        let Footing::Turret(tower) = watcher.footing else {
            continue;
        };
        if foe.within == Some(tower) {
            rules.push(rule::GAP_15);
            return Ok(true);
        }
        let level = match foe.footing {
            Footing::Platform => devices::docked(scene, tower, foe.cell),
            Footing::Turret(_) => foe.height == watcher.height,
            _ => false,
        };
        if !level {
            return Err(refusal(
                scene,
                "platform-between",
                &[rule::GAP_04, rule::GAP_12],
                a.id,
                b.id,
            ));
        }
        rules.push(rule::GAP_12);
        return Ok(true);
    }
    Ok(false)
}

/// ARM-GAP-15: in a building neighbouring storeys can fight each other.
fn same_field(scene: Scene<'_>, a: &Stance, b: &Stance, rules: &mut Vec<RuleId>) -> Result<(), Refusal> {
    let levels = scene.tables.melee.levels_max;
    if i64::from(a.height.abs_diff(b.height)) > levels {
        return Err(refusal(
            scene,
            "level-between",
            &[rule::GAP_04, rule::GAP_15],
            a.id,
            b.id,
        ));
    }
    if a.height != b.height {
        rules.push(rule::GAP_15);
    }
    Ok(())
}

/// Across the edge of two fields: river, ditch, level, walls of the field and of buildings.
fn across(scene: Scene<'_>, a: &Stance, b: &Stance, side: Direction, rules: &mut Vec<RuleId>) -> Result<(), Refusal> {
    let board = &scene.position.board;
    if river_bars(scene, a.cell, side) {
        return Err(refusal(scene, "river-between", &[rule::GAP_04], a.id, b.id));
    }
    if board.edge(a.cell, side).ditch {
        if scene.tables.wall.ditch_stops_melee {
            return Err(refusal(scene, "ditch-between", &[rule::GAP_17], a.id, b.id));
        }
        rules.push(rule::GAP_17);
    }
    let platforms = [a, b].map(|stance| stance.footing == Footing::Platform);
    let storeys = [a, b].map(|stance| matches!(stance.footing, Footing::Storey(_)));
    if platforms.contains(&true) {
        // From another tower only: platform to platform, or through a breach at the same height.
        let from_tower = platforms == [true, true] || storeys.contains(&true);
        if !from_tower || a.height != b.height {
            return Err(refusal(
                scene,
                "platform-between",
                &[rule::GAP_04, rule::GAP_15],
                a.id,
                b.id,
            ));
        }
        rules.push(rule::GAP_15);
    } else if i64::from(a.height.abs_diff(b.height)) > scene.tables.melee.levels_max {
        return Err(refusal(scene, "level-between", &[rule::GAP_04], a.id, b.id));
    }
    for (stance, side) in [(a, side), (b, side.opposite())] {
        let Footing::Storey(level) = stance.footing else {
            continue;
        };
        let storey = board
            .building(stance.cell)
            .and_then(|building| building.storeys.get(usize::from(level)));
        match storey.and_then(|storey| storey.walls[side.index()]) {
            None => rules.push(rule::GAP_09),
            Some(fitting) if fitting.is_open() => rules.push(rule::GAP_14),
            Some(_) => {
                let shut = refusal(scene, "closed-between", &[rule::GAP_04, rule::GAP_14], a.id, b.id);
                return Err(shut);
            }
        }
    }
    if platforms == [false, false] {
        let (near, far) = board.walls_between(a.cell, side);
        for wall in [near, far].into_iter().flatten() {
            if !wall.fitting.is_open() {
                return Err(refusal(
                    scene,
                    "wall-between",
                    &[rule::GAP_04, rule::GAP_13],
                    a.id,
                    b.id,
                ));
            }
            rules.push(rule::GAP_14);
        }
    }
    Ok(())
}

/// Whether a river bars the edge to fighters and phalanxes: no whole bridge, not dried up, or in flood (ARM-GAP-04, ARM-GAP-32).
pub fn river_bars(scene: Scene<'_>, cell: Cell, side: Direction) -> bool {
    let board = &scene.position.board;
    let Some(river) = board.river(cell, side) else {
        return false;
    };
    let whole = |hits: u8| i64::from(hits) < scene.tables.works.river_bridge_hits;
    match river.spell.map(|on| on.spell) {
        Some(Spell::FloodRiver) => true,
        Some(Spell::DryUpRiver) => false,
        _ => !board.edge(cell, side).bridge.is_some_and(whole),
    }
}

/// Whether somebody is on the back of a horse, and of which.
pub fn mount(scene: Scene<'_>, id: FigureId) -> Option<Kind> {
    match scene.position.figure(id)?.place {
        Place::On(horse, Part::Back) => scene.position.figure(horse).map(|horse| horse.kind),
        _ => None,
    }
}
