//! Swimming and drifting in streams (ARM-GAP-28, ARM-GAP-29).
//!
//! Who jumps or falls into the water has no step left in that turn. When his next turn begins he rolls for survival, and a stream carries him
//! one field; then he may climb a bank or a ship.

use crate::battle::{Battle, Scene};
use crate::board::{Cell, Spot};
use crate::deed::{Deed, Field, Permit, Refusal};
use crate::event::FieldHappening;
use crate::kinds::{Family, Fate, Kind, Part, Spell, Terrain};
use crate::legal;
use crate::movement::{self, Party, Way};
use crate::overcrowding::{self, Crowding};
use crate::room::{self, Room};
use crate::rule;
use crate::state::{FigureId, Place, Position};
use crate::survival;
use crate::tables::rulings::DoubleCase;
use kernel::realm::RealmId;

/// Whether whoever comes down on this spot lands in the water: there is no ship below him.
pub fn swims(position: &Position, to: Spot) -> bool {
    to.level == 0 && is_open(position, to.cell) && ship_on(position, to.cell).is_none()
}

/// Whether a field is water without a bridge: nobody stands on it.
pub fn is_open(position: &Position, cell: Cell) -> bool {
    let ground = position.board.ground(cell);
    ground.is_some_and(|ground| {
        ground.terrain == Terrain::Water && ground.stream_bridge.is_none() && ground.building.is_none()
    })
}

/// The ship on a field of water, and which part of it.
pub fn ship_on(position: &Position, cell: Cell) -> Option<(FigureId, Part)> {
    position
        .present()
        .filter(|(_, figure)| figure.kind.family() == Family::Ship)
        .find_map(|(id, figure)| {
            if figure.place == Place::At(Spot::ground(cell)) {
                Some((id, Part::Bow))
            } else if position.stern(id) == Some(cell) {
                Some((id, Part::Stern))
            } else {
                None
            }
        })
}

/// ARM-GAP-28: a person on foot jumps into the water beside him.
///
/// # Errors
/// The refusal.
pub fn judge_jump(scene: Scene<'_>, player: RealmId, party: &Party, from: Spot, to: Spot) -> Result<Permit, Refusal> {
    let figure = legal::own(scene, player, party.lead)?;
    let on_foot = figure.kind.is_person() || figure.kind == Kind::Wizard;
    if !on_foot || !party.led.is_empty() || from.level > 0 || to.level > 0 {
        return Err(movement::refusal(
            scene,
            "may-not-stay",
            &[rule::R0_4_42, rule::GAP_28],
            to,
        ));
    }
    let mut way = Way::single(scene);
    let Some(side) = scene.position.board.direction(from.cell, to.cell) else {
        return Err(movement::refusal(scene, "not-adjacent", &[rule::R0_4_38], to));
    };
    bank(scene, from.cell, to)?;
    movement::doors(scene, player, figure.kind, (from.cell, to.cell), side, &mut way)?;
    movement::affords(scene, party.lead, way.steps)?;
    let full = room::free(scene.tables, scene.position, Room::Water(to.cell)) < 1;
    if full || room::filler(scene.tables, scene.position, to).is_some() {
        return Err(movement::no_room(scene, to, 1));
    }
    way.rules.push(rule::GAP_28);
    Ok(Permit {
        steps: way.steps,
        rules: way.rules,
        ..Permit::default()
    })
}

/// Carries out what [`judge_jump`] allowed.
pub fn jump(battle: &mut Battle<'_>, id: FigureId, cell: Cell, permit: &Permit) {
    into(battle, id, cell);
    let happening = FieldHappening::Plunged { figure: id, cell };
    battle.emit(permit.rules.clone(), &[], happening);
}

/// Puts a person into the water: no step is left, and no phalanx.
fn into(battle: &mut Battle<'_>, id: FigureId, cell: Cell) {
    let player = battle
        .position
        .figure(id)
        .map_or(RealmId::NOBODY, |figure| figure.owner);
    let scene = battle.scene(player);
    let steps = scene
        .position
        .figure(id)
        .map_or(0, |figure| movement::allowance(scene, figure));
    for figure in &mut battle.position.figures {
        if figure.held_by == Some(id) {
            figure.held_by = None;
        }
    }
    survival::dissolve(battle, id);
    if let Some(figure) = battle.position.figure_mut(id) {
        figure.place = Place::Swimming(cell);
        figure.steps = steps;
        figure.held_by = None;
    }
}

/// ARM-GAP-28: somebody or something falls into the water: persons swim, everything else is lost.
pub fn plunge(battle: &mut Battle<'_>, id: FigureId, cell: Cell) {
    let Some(figure) = battle.position.figure(id).filter(|figure| figure.is_present()) else {
        return;
    };
    let kind = figure.kind;
    let swims = kind.family().is_animal() && !battle.tables.water.animals_are_lost;
    let riders: Vec<FigureId> = battle.position.aboard(id).map(|(rider, _)| rider).collect();
    for rider in riders.into_iter().filter(|_| swims) {
        plunge(battle, rider, cell);
    }
    if kind.is_person() || kind == Kind::Wizard || swims {
        into(battle, id, cell);
        battle.emit(&[rule::GAP_28][..], &[], FieldHappening::Plunged { figure: id, cell });
        return;
    }
    let aboard: Vec<FigureId> = battle.position.aboard(id).map(|(rider, _)| rider).collect();
    for rider in aboard {
        plunge(battle, rider, cell);
    }
    let fate = if kind.family().is_device() {
        Fate::Destroyed
    } else {
        Fate::Drowned
    };
    survival::fall(battle, id, fate, vec![rule::GAP_28], &[]);
}

/// ARM-GAP-28, when a player's turn begins: his swimmers roll for survival and drift.
pub fn swim(battle: &mut Battle<'_>, player: RealmId) {
    let swimmers: Vec<FigureId> = battle
        .position
        .present()
        .filter(|(_, figure)| figure.owner == player && matches!(figure.place, Place::Swimming(_)))
        .map(|(id, _)| id)
        .collect();
    for id in swimmers {
        let survived = survival::endure_or_fall(battle, id, rule::GAP_28, "drowns", Fate::Drowned);
        // One success and he may climb out, even if he fell in earlier in this round; who only lost a life may not.
        let scene = battle.scene(player);
        let steps = match scene.position.figure(id) {
            Some(figure) if !survived => movement::allowance(scene, figure),
            _ => 0,
        };
        if let Some(figure) = battle.position.figure_mut(id).filter(|figure| figure.is_present()) {
            figure.steps = steps;
        }
        if survived {
            drift(battle, id);
        }
    }
}

/// A stream carries a swimmer one field; a meeting with others there may become a scrimmage (ARM-0.4.54, ARM-0.4.58).
fn drift(battle: &mut Battle<'_>, id: FigureId) {
    for _ in 0..battle.tables.water.drift {
        let Some(Place::Swimming(from)) = battle.position.figure(id).map(|figure| figure.place) else {
            return;
        };
        // Who is of stone is not moved (ARM-GAP-32).
        if battle
            .position
            .figure(id)
            .is_some_and(|figure| figure.under(Spell::Petrify))
        {
            return;
        }
        let flow = battle.position.board.ground(from).and_then(|ground| ground.flow);
        let to = flow.and_then(|flow| battle.position.board.neighbour(from, flow));
        let Some(to) = to.filter(|to| is_open(&battle.position, *to) && ship_on(&battle.position, *to).is_none())
        else {
            return;
        };
        let room = Room::Water(to);
        let there = room::users(&battle.position, room)
            .next()
            .map(|(_, figure)| figure.owner);
        if let Some(figure) = battle.position.figure_mut(id) {
            figure.place = Place::Swimming(to);
        }
        let happening = FieldHappening::Drifted { figure: id, from, to };
        battle.emit(&[rule::GAP_28, rule::R0_3_8][..], &[], happening);
        if let Some(begins) = there {
            overcrowding::resolve(battle, room, Crowding::Drifted, begins);
        }
    }
}

/// ARM-GAP-28, ARM-0.4.44: a swimmer climbs a bank with a step, or a ship with a double step.
///
/// # Errors
/// The refusal.
pub fn judge(scene: Scene<'_>, player: RealmId, deed: &Field) -> Result<Permit, Refusal> {
    let Field::LandFromWater { figure: id, to } = deed else {
        return Err(Refusal::new("not-built", &[rule::GAP_28][..]));
    };
    let figure = legal::own(scene, player, *id)?;
    let Place::Swimming(from) = figure.place else {
        return Err(Refusal::new("not-swimming", &[rule::GAP_28][..]).with("figure", figure.to_string()));
    };
    let board = &scene.position.board;
    let Some(side) = board.direction(from, to.cell).filter(|_| to.level == 0) else {
        return Err(movement::refusal(scene, "not-adjacent", &[rule::R0_4_38], *to));
    };
    let mut way = Way::single(scene);
    let room = match ship_on(scene.position, to.cell) {
        Some((ship, part)) => {
            way.double(scene, DoubleCase::ShipFromWater, rule::GAP_28);
            Room::Part(ship, part)
        }
        None if is_open(scene.position, to.cell) => {
            if i64::from(figure.steps) >= scene.tables.water.own_steps {
                return Err(movement::refusal(scene, "swims-nowhere", &[rule::GAP_28], *to));
            }
            way.rules.push(rule::GAP_28);
            Room::Water(to.cell)
        }
        None => {
            let Some(ground) = board.ground(to.cell) else {
                return Err(movement::refusal(scene, "not-adjacent", &[rule::R0_4_38], *to));
            };
            if ground.building.is_none() && ground.stream_bridge.is_none() {
                room::may_stay(scene.tables, figure.kind, ground.terrain)
                    .map_err(|rules| Refusal::new("may-not-stay", rules).with("field", board.name(to.cell)))?;
            }
            bank(scene, from, *to)?;
            movement::doors(scene, player, figure.kind, (from, to.cell), side, &mut way)?;
            way.rules.push(rule::GAP_28);
            Room::Spot(*to)
        }
    };
    movement::affords(scene, *id, way.steps)?;
    let needed = room::consumption(scene.tables, figure);
    let free = room::free(scene.tables, scene.position, room);
    if free < needed {
        return Err(Refusal::new("no-room", &[rule::R0_4_40, rule::R0_4_1][..])
            .with("field", board.name(to.cell))
            .with("needed", needed)
            .with("free", free.max(0)));
    }
    Ok(Permit {
        steps: way.steps,
        rules: way.rules,
        ..Permit::default()
    })
}

/// A bank is one level above the water; a cliff can neither be climbed nor jumped from (ARM-GAP-49).
///
/// # Errors
/// The refusal.
pub fn bank(scene: Scene<'_>, from: Cell, to: Spot) -> Result<(), Refusal> {
    let board = &scene.position.board;
    let (here, there) = (
        board.height(scene.tables, Spot::ground(from)),
        board.height(scene.tables, to),
    );
    if i64::from(here.abs_diff(there)) > scene.tables.step.levels_max {
        return Err(movement::refusal(scene, "too-steep", &[rule::GAP_49], to));
    }
    Ok(())
}

/// Carries out what [`judge`] allowed.
pub fn perform(battle: &mut Battle<'_>, _player: RealmId, deed: &Field, permit: &Permit) {
    let Field::LandFromWater { figure: id, to } = deed else {
        return;
    };
    let at = match ship_on(&battle.position, to.cell) {
        Some((ship, part)) => Place::On(ship, part),
        None if is_open(&battle.position, to.cell) => Place::Swimming(to.cell),
        None => Place::At(*to),
    };
    if let Some(figure) = battle.position.figure_mut(*id) {
        figure.place = at;
        figure.steps = figure.steps.saturating_add(permit.steps);
    }
    let happening = match at {
        Place::Swimming(cell) => FieldHappening::Swam {
            figure: *id,
            to: cell,
            steps: permit.steps,
        },
        _ => FieldHappening::Landed {
            figure: *id,
            at,
            steps: permit.steps,
        },
    };
    battle.emit(permit.rules.clone(), &[], happening);
}

/// Every field beside a swimmer.
pub fn candidates(scene: Scene<'_>, player: RealmId, list: &mut Vec<Deed>) {
    if !legal::movement_is_open(scene) {
        return;
    }
    for (id, figure) in scene
        .position
        .present()
        .filter(|(_, figure)| figure.possessor == player)
    {
        let Place::Swimming(from) = figure.place else {
            continue;
        };
        for (_, cell) in scene.position.board.neighbours(from) {
            let to = Spot::ground(cell);
            list.push(Deed::Field(Field::LandFromWater { figure: id, to }));
        }
    }
}
