//! Steps: who goes where, which gates close, which devices are brought up, which trade centres are taken.

use super::mind::Mind;
use super::worth::{self, Goal};
use crate::board::{Cell, Spot};
use crate::deed::{Deed, Field, Fight, Magic};
use crate::kinds::{Family, Kind, Part, Terrain};
use crate::legal;
use crate::scribe;
use crate::state::{FigureId, Place, Position};

/// Figures that are moved in one script at the most, nearest to the enemy first.
const MOVERS_MAX: usize = 120;
/// Spots that one figure looks at.
const SPOTS_MAX: usize = 40;

/// Closes the gates of own buildings when enemies are near.
pub(super) fn gates(mind: &mut Mind<'_>) {
    let deeds: Vec<Deed> = {
        let scene = mind.scene();
        let mut list = Vec::new();
        crate::gates::candidates(scene, mind.player, &mut list);
        list.retain(|deed| match deed {
            Deed::Fight(Fight::Gate { gate, open: false }) => near_enemy(mind, gate.at.cell, 4),
            _ => false,
        });
        list
    };
    for deed in deeds {
        act(mind, &deed);
    }
}

fn act(mind: &mut Mind<'_>, deed: &Deed) -> bool {
    if legal::judge(mind.scene(), mind.player, deed).is_err() {
        return false;
    }
    match scribe::line(mind.scene(), deed) {
        Some(line) => mind.act(line),
        None => false,
    }
}

fn near_enemy(mind: &Mind<'_>, cell: Cell, fields: u64) -> bool {
    let position = mind.position();
    position.present().any(|(id, figure)| {
        figure.kind.is_warrior()
            && worth::is_enemy(position, mind.player, figure)
            && position
                .cell_of(id)
                .is_some_and(|at| position.board.distance(at, cell) <= fields)
    })
}

/// Moves every figure that goes by itself to the best spot it reaches.
pub(super) fn everybody(mind: &mut Mind<'_>) {
    let goals = worth::goals(mind);
    if goals.is_empty() {
        return;
    }
    let position = mind.position();
    let nearest = |cell: Cell| goals.iter().map(|goal| position.board.distance(cell, goal.cell)).min();
    let mut movers: Vec<(u64, FigureId)> = position
        .present()
        .filter(|(id, figure)| figure.possessor == mind.player && walks(position, *id))
        .filter_map(|(id, _)| Some((nearest(position.cell_of(id)?)?, id)))
        .collect();
    movers.sort_unstable();
    movers.truncate(MOVERS_MAX);
    for (_, id) in movers {
        if !mind.spend(10) {
            return;
        }
        go(mind, id, &goals);
    }
}

/// Whether a figure goes on its own feet, or on a horse with its rider. The garrison of a building stays where it is.
fn walks(position: &Position, id: FigureId) -> bool {
    let Some(figure) = position.figure(id) else {
        return false;
    };
    let Place::At(at) = figure.place else {
        return false;
    };
    if figure.phalanx.is_some() || !figure.is_able() || at.level > 0 {
        return false;
    }
    match figure.kind.family() {
        Family::Warrior => figure.kind != Kind::King,
        Family::Horse => position
            .aboard(id)
            .any(|(_, rider)| rider.kind.is_warrior() && matches!(rider.place, Place::On(_, Part::Back))),
        _ => false,
    }
}

/// Who is at stake when a figure moves: the rider, if it carries one.
fn master(position: &Position, id: FigureId) -> FigureId {
    position
        .aboard(id)
        .find(|(_, rider)| rider.kind.is_warrior())
        .map_or(id, |(rider, _)| rider)
}

fn go(mind: &mut Mind<'_>, id: FigureId, goals: &[Goal]) {
    let Some(Place::At(start)) = mind.position().figure(id).map(|figure| figure.place) else {
        return;
    };
    if holds_centre(mind, id, start.cell) {
        return;
    }
    let paths = explore(mind, id, start);
    let who = master(mind.position(), id);
    let mut best: Option<(i64, Vec<Spot>)> = None;
    for path in paths {
        let at = path.last().copied().unwrap_or(start);
        set_place(mind.position_mut(), id, at);
        // Standing still costs nothing; a way of many steps is no better than a short one to the same end.
        let score = worth::place(mind, who, at, goals) - 2 * i64::try_from(path.len()).unwrap_or(0);
        if best.as_ref().is_none_or(|(most, _)| score > *most) {
            best = Some((score, path));
        }
    }
    set_place(mind.position_mut(), id, start);
    let Some((_, path)) = best.filter(|(_, path)| !path.is_empty()) else {
        return;
    };
    let board = &mind.position().board;
    let names: Vec<String> = std::iter::once(start)
        .chain(path)
        .map(|spot| board.spot_name(mind.tables, spot))
        .collect();
    let line = format!("ZIEHE {} {}", mind.position().name(id), names.join(">"));
    mind.act(line);
}

fn set_place(position: &mut Position, id: FigureId, at: Spot) {
    if let Some(figure) = position.figure_mut(id) {
        figure.place = Place::At(at);
    }
}

/// The last warrior on a trade centre of his own side stays there while enemies are near.
fn holds_centre(mind: &Mind<'_>, id: FigureId, cell: Cell) -> bool {
    let position = mind.position();
    let own = position
        .centres
        .get(&cell)
        .is_some_and(|centre| centre.possessor == mind.player);
    let alone = !position.present().any(|(other, figure)| {
        other != id
            && figure.kind.is_warrior()
            && position.cell_of(other) == Some(cell)
            && !matches!(figure.place, Place::On(horse, _) if horse == id)
    });
    own && alone && near_enemy(mind, cell, 5)
}

/// Every way that a figure can go with the steps it has left, each end once; the first is not to go at all.
fn explore(mind: &mut Mind<'_>, id: FigureId, start: Spot) -> Vec<Vec<Spot>> {
    let mut ways: Vec<Vec<Spot>> = vec![Vec::new()];
    let mut ends = vec![start];
    let used = mind.position().figure(id).map_or(0, |figure| figure.steps);
    let mut costs = vec![0u8];
    let mut next = 0;
    while next < ways.len() && ways.len() < SPOTS_MAX {
        let (path, from, cost) = (ways[next].clone(), ends[next], costs[next]);
        next += 1;
        if let Some(figure) = mind.position_mut().figure_mut(id) {
            figure.place = Place::At(from);
            figure.steps = used.saturating_add(cost);
        }
        let around: Vec<Cell> = mind
            .position()
            .board
            .neighbours(from.cell)
            .map(|(_, cell)| cell)
            .collect();
        for cell in around {
            let to = Spot::ground(cell);
            let wet = mind
                .position()
                .board
                .ground(cell)
                .is_none_or(|ground| ground.terrain == Terrain::Water && ground.stream_bridge.is_none());
            if wet || ends.contains(&to) {
                continue;
            }
            let deed = Deed::Field(Field::Step { figure: id, to });
            if let Ok(permit) = legal::judge(mind.scene(), mind.player, &deed) {
                let mut longer = path.clone();
                longer.push(to);
                ways.push(longer);
                ends.push(to);
                costs.push(cost.saturating_add(permit.steps));
            }
        }
    }
    if let Some(figure) = mind.position_mut().figure_mut(id) {
        figure.place = Place::At(start);
        figure.steps = used;
    }
    ways
}

/// Brings rams, turtles, towers and ladders nearer to what they are made for; onagers stay at a distance.
pub(super) fn devices(mind: &mut Mind<'_>) {
    let targets: Vec<Cell> = {
        let position = mind.position();
        position
            .board
            .all()
            .filter(|cell| {
                let ground = position.board.ground(*cell);
                let building = ground.and_then(|ground| ground.building.as_ref());
                building.is_some_and(|building| position.hostile(mind.player, building.owner))
            })
            .collect()
    };
    if targets.is_empty() {
        return;
    }
    // A device goes at most two fields a round.
    for _ in 0..2 {
        let best = {
            let scene = mind.scene();
            let mut list = Vec::new();
            crate::hauling::candidates(scene, mind.player, &mut list);
            let gain = |deed: &Deed| -> Option<i64> {
                let Deed::Field(Field::Haul { device, to, .. }) = deed else {
                    return None;
                };
                let from = scene.position.cell_of(*device)?;
                let far = |cell: Cell| {
                    let fields = targets
                        .iter()
                        .map(|target| scene.position.board.distance(cell, *target))
                        .min();
                    i64::try_from(fields.unwrap_or(0)).unwrap_or(0)
                };
                let wanted = match scene.position.figure(*device)?.kind {
                    Kind::Onager => 4,
                    _ => 1,
                };
                let gain = (far(from) - wanted).abs() - (far(to.cell) - wanted).abs();
                (gain > 0).then_some(gain)
            };
            let mut good: Vec<(i64, Deed)> = list
                .into_iter()
                .filter_map(|deed| Some((gain(&deed)?, deed)))
                .filter(|(_, deed)| legal::judge(scene, mind.player, deed).is_ok())
                .collect();
            good.sort();
            good.pop()
        };
        match best {
            Some((_, deed)) if act(mind, &deed) => {}
            _ => return,
        }
    }
}

/// Takes every trade centre that can be taken.
pub(super) fn centres(mind: &mut Mind<'_>) {
    let cells: Vec<Cell> = mind.position().centres.keys().copied().collect();
    for cell in cells {
        act(mind, &Deed::Magic(Magic::TakeCentre { cell }));
    }
}
