//! Transferring (*Versetzen*; ARM-0.4.19, ARM-0.4.20, ARM-0.4.47, ARM-GAP-32): figures go to fields with room, without a step.

use super::hover;
use crate::battle::{Battle, Scene};
use crate::board::{Cell, Spot};
use crate::deed::Refusal;
use crate::deed::magic::Aim;
use crate::event::MagicHappening;
use crate::kinds::{Family, Kind, Part, Terrain};
use crate::room::{self, Room};
use crate::rule;
use crate::state::{FigureId, Place, Position};
use crate::tables::Tables;
use kernel::realm::RealmId;
use kernel::rule::RuleId;

/// Where everybody goes, and by which rules. Riders and those aboard stay where they are on what carries them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Each figure with its new place.
    pub moves: Vec<(FigureId, Place)>,
    /// Rules.
    pub rules: Vec<RuleId>,
}

/// Plans a transfer of these figures.
///
/// As many aims as fields: the figures of each field go to its own aim. Otherwise they fill the aims in their order.
///
/// # Errors
/// The refusal.
pub fn plan(scene: Scene<'_>, player: RealmId, on: &[Aim], to: &[Spot], figures: &[FigureId]) -> Result<Plan, Refusal> {
    let mut plan = Plan {
        moves: Vec::new(),
        rules: vec![rule::R0_4_47],
    };
    if to.is_empty() {
        return Err(Refusal::new("no-destination", &[rule::GAP_32][..]));
    }
    for aim in on {
        plan.rules.extend(hover::may_transfer(scene, player, aim.cell, false)?);
    }
    for spot in to {
        plan.rules.extend(destination(scene, player, *spot)?);
    }
    let mut trial = scene.position.clone();
    let roots = roots(scene.position, figures);
    for id in &roots {
        // Lifted off first: those who leave take no room from those who come.
        if let (Some(cell), Some(figure)) = (scene.position.cell_of(*id), trial.figure_mut(*id)) {
            figure.place = Place::Above(cell);
        }
    }
    let paired = to.len() == on.len();
    for id in roots {
        let own = on
            .iter()
            .position(|aim| super::reach::is_hit(scene.position, *aim, id))
            .unwrap_or(0);
        let aims = if paired { to.get(own..=own) } else { Some(to) }.unwrap_or(to);
        let place = aims
            .iter()
            .find_map(|spot| fits(scene.tables, &trial, id, *spot))
            .ok_or_else(|| {
                Refusal::new("no-room-to-transfer", &[rule::GAP_32, rule::R0_4_1][..])
                    .with("figure", scene.position.name(id))
            })?;
        if let Some(figure) = trial.figure_mut(id) {
            figure.place = place;
        }
        plan.moves.push((id, place));
    }
    Ok(plan)
}

/// Those who are moved by themselves, not with what carries them. Climbers let go of their ladder.
fn roots(position: &Position, figures: &[FigureId]) -> Vec<FigureId> {
    figures
        .iter()
        .copied()
        .filter(|id| match position.figure(*id).map(|figure| figure.place) {
            Some(Place::On(carrier, part)) => part == Part::Rung || !figures.contains(&carrier),
            _ => true,
        })
        .collect()
}

/// ARM-0.4.19, ARM-0.4.20, ARM-0.4.34: onto empty platforms only, and onto ships by their majority.
fn destination(scene: Scene<'_>, player: RealmId, spot: Spot) -> Result<&'static [RuleId], Refusal> {
    let position = scene.position;
    let name = || position.board.spot_name(scene.tables, spot);
    if let Some(building) = position.board.building(spot.cell) {
        if building.platform(scene.tables) != Some(spot.level) {
            return Err(Refusal::new("only-platforms", &[rule::R0_4_19, rule::R0_4_20][..]).with("field", name()));
        }
        if room::users(position, Room::Spot(spot)).next().is_some() {
            return Err(Refusal::new("platform-not-empty", &[rule::R0_4_19, rule::R0_4_20][..]).with("field", name()));
        }
        return hover::may_transfer(scene, player, spot.cell, true);
    }
    match ship_at(position, spot.cell) {
        Some((ship, _)) => hover::may_board(scene, player, ship),
        None => Ok(&[]),
    }
}

/// The ship on a field, and which part of it lies there.
fn ship_at(position: &Position, cell: Cell) -> Option<(FigureId, Part)> {
    position.present().find_map(|(id, figure)| {
        if figure.kind.family() != Family::Ship {
            return None;
        }
        if figure.place == Place::At(Spot::ground(cell)) {
            return Some((id, Part::Bow));
        }
        (position.stern(id) == Some(cell)).then_some((id, Part::Stern))
    })
}

/// The place that a figure with what it carries finds at a spot, if any.
fn fits(tables: &Tables, trial: &Position, id: FigureId, spot: Spot) -> Option<Place> {
    let figure = trial.figure(id)?;
    let ground = trial.board.ground(spot.cell)?;
    if spot.level > 0 && ground.building.is_none() {
        return None;
    }
    let family = figure.kind.family();
    if family == Family::Ship {
        return ship_fits(tables, trial, id, spot).then_some(Place::At(spot));
    }
    let fills = tables.figure(figure.kind).fills;
    let riders: i64 = trial
        .aboard(id)
        .filter(|(_, rider)| matches!(rider.place, Place::On(_, Part::Back)))
        .map(|(_, rider)| room::consumption(tables, rider))
        .sum();
    let needed = room::consumption(tables, figure) + riders;
    if let Some((ship, part)) = ship_at(trial, spot.cell) {
        let free = room::free(tables, trial, Room::Part(ship, part));
        return (!fills && free >= needed).then_some(Place::On(ship, part));
    }
    // Onto a platform, where one is transferred to in buildings, no animal comes.
    if ground.building.is_some() && (fills || family.is_animal()) {
        return None;
    }
    if ground.building.is_none() && ground.stream_bridge.is_none() {
        room::may_stay(tables, figure.kind, ground.terrain).ok()?;
    }
    let free = if fills {
        let alone = room::users(trial, Room::Spot(spot)).next().is_none();
        let capacity = room::capacity(tables, trial, Room::Spot(spot));
        let wanted = match figure.kind {
            Kind::SiegeTower => tables.siege_tower.needs_room,
            _ => tables.room.figure,
        };
        alone && capacity >= wanted && room::filler(tables, trial, spot).is_none()
    } else {
        room::free(tables, trial, Room::Spot(spot)) >= needed
    };
    free.then_some(Place::At(spot))
}

/// Whether a ship finds water for its bow and, if it has one, its stern.
fn ship_fits(tables: &Tables, trial: &Position, id: FigureId, spot: Spot) -> bool {
    let clear = |cell: Cell| {
        let water = trial
            .board
            .ground(cell)
            .is_some_and(|ground| ground.terrain == Terrain::Water && ground.stream_bridge.is_none());
        let swimmers = trial.present().any(|(_, figure)| figure.place == Place::Swimming(cell));
        water && !swimmers && room::filler(tables, trial, Spot::ground(cell)).is_none()
    };
    let Some(figure) = trial.figure(id) else { return false };
    let stern = match figure.kind {
        Kind::Raft => None,
        _ => match figure
            .facing
            .and_then(|facing| trial.board.neighbour(spot.cell, facing.opposite()))
        {
            Some(cell) => Some(cell),
            None => return false,
        },
    };
    spot.level == 0 && clear(spot.cell) && stern.is_none_or(clear)
}

/// Carries a plan out.
pub fn perform(battle: &mut Battle<'_>, plan: &Plan) {
    for (id, place) in &plan.moves {
        let Some(figure) = battle.position.figure_mut(*id) else {
            continue;
        };
        let from = std::mem::replace(&mut figure.place, *place);
        figure.leans = None;
        let happening = MagicHappening::Transferred {
            figure: *id,
            from,
            to: *place,
        };
        battle.emit(plan.rules.clone(), &[], happening);
    }
    let moved: Vec<FigureId> = plan.moves.iter().map(|(id, _)| *id).collect();
    loosen(&mut battle.position, &moved);
}

/// What a figure that was carried off by a spell no longer holds: reins, harness, its place in a phalanx.
pub fn loosen(position: &mut Position, moved: &[FigureId]) {
    for index in 0..position.figures.len() {
        let Ok(index) = u16::try_from(index) else { return };
        let id = FigureId(index);
        let Some(figure) = position.figure(id) else { continue };
        if let Some(holder) = figure.held_by {
            let touched = moved.contains(&id) || moved.contains(&holder);
            let harnessed = position.figure(holder).is_some_and(|holder| holder.kind == Kind::Wagon);
            let apart = harnessed || position.cell_of(id) != position.cell_of(holder);
            if touched
                && apart
                && let Some(figure) = position.figure_mut(id)
            {
                figure.held_by = None;
            }
        }
    }
    let broken: Vec<FigureId> = moved
        .iter()
        .filter_map(|id| position.figure(*id)?.phalanx)
        .filter(|phalanx| {
            let members = position
                .present()
                .filter(|(_, figure)| figure.phalanx == Some(*phalanx));
            let mut places: Vec<Place> = members.map(|(_, figure)| figure.place).collect();
            places.dedup();
            places.len() > 1
        })
        .collect();
    for figure in &mut position.figures {
        if figure.phalanx.is_some_and(|phalanx| broken.contains(&phalanx)) {
            figure.phalanx = None;
            figure.facing = None;
        }
    }
}
