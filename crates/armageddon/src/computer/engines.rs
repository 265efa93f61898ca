//! Devices: rams and turtles to shut gates, ladders and siege towers to low walls, onagers to within range, each with its crew.

use super::chart::{Chart, STEP};
use super::mind::Mind;
use super::worth;
use crate::board::{Cell, Spot};
use crate::deed::{Deed, Field, Fight};
use crate::kinds::{Family, Kind, Part, Terrain};
use crate::state::{Figure, FigureId, Place};
use crate::{animals, devices, legal, movement};

/// Onagers go no nearer than this to what they throw at, and throw from this far at the most if they can come nearer.
const ONAGER_NEAR: u64 = 2;
const ONAGER_FAR: u64 = 4;

/// Brings every device nearer to what it is made for, and keeps its crew with it.
pub(super) fn bring(mind: &mut Mind<'_, '_>, chart: &mut Chart) {
    let own: Vec<(FigureId, Kind, Spot)> = mind
        .position()
        .present()
        .filter(|(_, figure)| {
            figure.possessor == mind.player && matches!(figure.kind.family(), Family::Carried | Family::Shelter)
        })
        .filter_map(|(id, figure)| match figure.place {
            Place::At(spot) if figure.leans.is_none() => Some((id, figure.kind, spot)),
            Place::On(_, Part::Bow | Part::Stern) if figure.kind == Kind::Onager => {
                Some((id, figure.kind, mind.position().spot_of(id)?))
            }
            _ => None,
        })
        .collect();
    for (id, kind, spot) in own {
        let goals = targets(mind, chart, kind);
        let there = goals.iter().any(|(goal, _)| *goal == spot);
        let aboard = !matches!(
            mind.position().figure(id).map(|figure| figure.place),
            Some(Place::At(_))
        );
        if goals.is_empty() && kind != Kind::Onager {
            continue;
        }
        if !there && !aboard && !goals.is_empty() {
            haul(mind, chart, id, &goals);
        }
        if matches!(kind, Kind::Ladder) {
            put_up(mind, chart, id);
        }
        crew(mind, chart, id, kind);
    }
}

/// Where a kind of device does its work.
fn targets(mind: &Mind<'_, '_>, chart: &Chart, kind: Kind) -> Vec<(Spot, i64)> {
    let (scene, position) = (mind.scene(), mind.position());
    let board = &position.board;
    let mut cells: Vec<Cell> = match kind {
        Kind::Ram => chart
            .shut_gates(mind)
            .into_iter()
            .map(|(_, _, outside)| outside)
            .collect(),
        Kind::Turtle => {
            let gates: Vec<Cell> = chart
                .shut_gates(mind)
                .into_iter()
                .map(|(_, _, outside)| outside)
                .collect();
            if gates.is_empty() {
                beside_buildings(mind, chart, |_| true)
            } else {
                gates
            }
        }
        Kind::Ladder => beside_buildings(mind, chart, |storeys| storeys <= mind.tables().ladder.storeys_max),
        Kind::SiegeTower => beside_buildings(mind, chart, |storeys| {
            storeys == mind.tables().siege_tower.docks_at_storeys
        }),
        Kind::Onager => {
            let wanted: Vec<Cell> = if chart.hostile_buildings.is_empty() {
                chart.foes.iter().map(|foe| foe.spot.cell).collect()
            } else {
                chart.hostile_buildings.clone()
            };
            let near = |cell: &Cell| wanted.iter().map(|goal| board.distance(*cell, *goal)).min();
            board
                .all()
                .filter(|cell| near(cell).is_some_and(|fields| (ONAGER_NEAR..=ONAGER_FAR).contains(&fields)))
                .collect()
        }
        _ => Vec::new(),
    };
    cells.sort_unstable();
    cells.dedup();
    let stays = |cell: &Cell| {
        let ground = board.ground(*cell);
        ground.is_some_and(|ground| ground.terrain != Terrain::Water && ground.building.is_none())
    };
    let level = |cell: &Cell| {
        kind != Kind::SiegeTower
            || chart.hostile_buildings.iter().any(|castle| {
                let height = |cell: Cell| board.height(scene.tables, Spot::ground(cell));
                board.direction(*cell, *castle).is_some() && height(*cell) == height(*castle)
            })
    };
    cells
        .into_iter()
        .filter(|cell| stays(cell) && level(cell))
        .map(|cell| (Spot::ground(cell), 0))
        .collect()
}

fn beside_buildings(mind: &Mind<'_, '_>, chart: &Chart, fits: impl Fn(i64) -> bool) -> Vec<Cell> {
    let board = &mind.position().board;
    chart
        .hostile_buildings
        .iter()
        .filter(|cell| {
            let platform = board
                .building(**cell)
                .and_then(|building| building.platform(mind.tables()));
            platform.is_some_and(|level| fits(i64::from(level)))
        })
        .flat_map(|cell| board.neighbours(*cell).map(|(_, next)| next))
        .collect()
}

/// Those on a device's field or inside it who can move it, the cheapest first, as many as it needs and no more.
fn bearers(mind: &Mind<'_, '_>, device: FigureId) -> Option<Vec<FigureId>> {
    let position = mind.position();
    let figure = position.figure(device)?;
    let needs = i64::from(mind.tables().figure(figure.kind).needs);
    let fit = |hand: &Figure| {
        let there = hand.place == figure.place || matches!(hand.place, Place::On(on, _) if on == device);
        hand.possessor == mind.player && hand.is_able() && hand.phalanx.is_none() && there
    };
    let mut hands: Vec<(i64, FigureId, i64)> = position
        .present()
        .filter(|(_, hand)| hand.kind.is_person() && fit(hand))
        .map(|(id, hand)| {
            let gives = i64::from(mind.tables().figure(hand.kind).gives);
            (worth::figure(mind.tables(), hand), id, gives)
        })
        .filter(|(_, _, gives)| *gives > 0)
        .collect();
    hands.sort_unstable();
    let mut sum = 0;
    let mut group = Vec::new();
    for (_, id, gives) in hands {
        if sum >= needs {
            break;
        }
        sum += gives;
        group.push(id);
    }
    group.sort_unstable();
    (sum >= needs).then_some(group)
}

/// Carries a device along the shortest way to one of its goals, as far as it goes in this turn.
fn haul(mind: &mut Mind<'_, '_>, chart: &mut Chart, device: FigureId, goals: &[(Spot, i64)]) {
    let Some(kind) = mind.position().figure(device).map(|figure| figure.kind) else {
        return;
    };
    let ways = chart.ways_to(mind, kind, goals, STEP);
    for _ in 0..2 {
        let Some(Place::At(from)) = mind.position().figure(device).map(|figure| figure.place) else {
            return;
        };
        if goals.iter().any(|(goal, _)| *goal == from) {
            return;
        }
        let Some(bearers) = bearers(mind, device) else { return };
        let far = |spot: Spot| ways.get(super::chart::node(spot)).copied().unwrap_or(i64::MAX);
        let mut ahead: Vec<(i64, Spot)> = mind
            .position()
            .board
            .neighbours(from.cell)
            .map(|(_, cell)| (far(Spot::ground(cell)), Spot::ground(cell)))
            .filter(|(way, _)| *way < far(from))
            .collect();
        ahead.sort_unstable();
        let went = ahead.into_iter().find(|(_, to)| {
            mind.may(&Deed::Field(Field::Haul {
                device,
                bearers: bearers.clone(),
                to: *to,
            }))
        });
        let Some((_, to)) = went else { return };
        let before: Vec<Spot> = vec![from, to];
        if !mind.act(&Deed::Field(Field::Haul { device, bearers, to })) {
            return;
        }
        chart.refresh(mind, &before);
    }
}

/// Puts a ladder up against what it stands before, preferably where enemies are.
fn put_up(mind: &mut Mind<'_, '_>, chart: &Chart, ladder: FigureId) {
    let Some(cell) = mind.position().cell_of(ladder) else {
        return;
    };
    let against: Vec<Cell> = chart
        .hostile_buildings
        .iter()
        .copied()
        .filter(|castle| mind.position().board.direction(cell, *castle).is_some())
        .collect();
    for against in against {
        if mind.act(&Deed::Fight(Fight::SetLadder { ladder, against })) {
            return;
        }
    }
}

/// Keeps those with a device who serve it, and sends for more if they are too few.
fn crew(mind: &mut Mind<'_, '_>, chart: &Chart, device: FigureId, kind: Kind) {
    let needs = usize::from(mind.tables().figure(kind).needs);
    let wanted = match kind {
        Kind::Onager => 1,
        _ => needs,
    };
    let Some(figure) = mind.position().figure(device).cloned() else {
        return;
    };
    let position = mind.position();
    let mut here: Vec<(i64, FigureId)> = position
        .present()
        .filter(|(_, hand)| {
            let inside = matches!(hand.place, Place::On(on, _) if on == device);
            hand.possessor == mind.player
                && hand.kind.is_warrior()
                && hand.is_able()
                && (hand.place == figure.place || inside)
        })
        .map(|(id, hand)| (worth::figure(mind.tables(), hand), id))
        .collect();
    here.sort_unstable();
    here.truncate(wanted.max(needs));
    let found = here.len();
    let (Some(cell), Place::At(_)) = (position.cell_of(device), figure.place) else {
        mind.kept.extend(here.into_iter().map(|(_, id)| id));
        return;
    };
    let mut idle: Vec<(u64, i64, FigureId)> = position
        .present()
        .filter(|(id, hand)| {
            let spare = hand.kind != Kind::King && !mind.kept.contains(id) && !mind.errands.contains_key(id);
            hand.possessor == mind.player
                && worth::is_fighter(hand.kind)
                && hand.is_able()
                && hand.phalanx.is_none()
                && spare
                && matches!(hand.place, Place::At(_))
                && !here.iter().any(|(_, there)| there == id)
        })
        .filter_map(|(id, hand)| {
            let at = position.cell_of(id)?;
            Some((
                position.board.distance(at, cell),
                worth::figure(mind.tables(), hand),
                id,
            ))
        })
        .filter(|(far, ..)| *far <= 4)
        .collect();
    idle.sort_unstable();
    let enemies = chart.foes_near(position, cell).any(|foe| foe.fighter);
    mind.kept.extend(here.into_iter().map(|(_, id)| id));
    if figure.kind.family() == Family::Shelter {
        // One gets in from beside it.
        board_shelter(mind, device, wanted.saturating_sub(found));
        return;
    }
    if !enemies {
        let sent: Vec<FigureId> = idle
            .into_iter()
            .map(|(_, _, id)| id)
            .take(wanted.saturating_sub(found))
            .collect();
        mind.errands.extend(sent.into_iter().map(|id| (id, cell)));
    }
}

/// Lets as many as are missing get into a turtle or siege tower from the fields around it.
fn board_shelter(mind: &mut Mind<'_, '_>, device: FigureId, missing: usize) {
    let part = match mind.position().figure(device).map(|figure| figure.kind) {
        Some(Kind::Turtle) => Part::Inside,
        _ => Part::Lower,
    };
    for _ in 0..missing {
        let ready = idle_beside(mind, device).into_iter().find(|figure| {
            mind.may(&Deed::Field(Field::Board {
                figure: *figure,
                carrier: device,
                part,
            }))
        });
        let Some(figure) = ready else { return };
        if !mind.act(&Deed::Field(Field::Board {
            figure,
            carrier: device,
            part,
        })) {
            return;
        }
        mind.kept.insert(figure);
    }
}

/// Fighters on the fields around a device who serve nothing else.
pub(super) fn idle_beside(mind: &Mind<'_, '_>, device: FigureId) -> Vec<FigureId> {
    let position = mind.position();
    let Some(cell) = position.cell_of(device) else {
        return Vec::new();
    };
    position
        .present()
        .filter(|(id, hand)| {
            hand.possessor == mind.player
                && worth::is_fighter(hand.kind)
                && hand.kind != Kind::King
                && !mind.kept.contains(id)
                && matches!(hand.place, Place::At(spot) if position.board.direction(spot.cell, cell).is_some())
        })
        .map(|(id, _)| id)
        .collect()
}

/// Up the ladders and over from siege towers: the best fighter at the foot goes first.
pub(super) fn climb(mind: &mut Mind<'_, '_>, chart: &mut Chart) {
    let ways: Vec<(FigureId, Kind)> = mind
        .position()
        .present()
        .filter(|(_, figure)| {
            figure.possessor == mind.player && (figure.leans.is_some() || figure.kind == Kind::SiegeTower)
        })
        .map(|(id, figure)| (id, figure.kind))
        .collect();
    for (id, kind) in ways {
        if kind == Kind::SiegeTower {
            over_from_tower(mind, id);
            continue;
        }
        let Some(top) = animals::top_of(mind.scene(), id) else {
            continue;
        };
        step_over(mind, id, top);
        let best = {
            let position = mind.position();
            let place = position.figure(id).map(|ladder| ladder.place);
            position
                .present()
                .filter(|(_, hand)| {
                    Some(hand.place) == place && hand.possessor == mind.player && worth::is_fighter(hand.kind)
                })
                .max_by_key(|(id, hand)| {
                    let fresh = movement::steps_left(mind.scene(), *id) >= 2;
                    (fresh, mind.tables().figure(hand.kind).melee, std::cmp::Reverse(*id))
                })
                .map(|(id, _)| id)
        };
        if let Some(figure) = best
            && mind.act(&Deed::Field(Field::Board {
                figure,
                carrier: id,
                part: Part::Rung,
            }))
        {
            step_over(mind, id, top);
        }
        if let Some(foot) = mind.position().spot_of(id) {
            chart.refresh(mind, &[foot, top]);
            wait_below(mind, foot);
        }
    }
}

/// Who stands at the foot of a ladder waits there for his turn; if nobody does, the two nearest come.
fn wait_below(mind: &mut Mind<'_, '_>, foot: Spot) {
    let position = mind.position();
    let fit = |hand: &Figure| {
        hand.possessor == mind.player && worth::is_fighter(hand.kind) && hand.kind != Kind::King && hand.is_able()
    };
    let waiting: Vec<FigureId> = position
        .standing_at(foot)
        .filter(|(_, hand)| fit(hand))
        .map(|(id, _)| id)
        .collect();
    let mut coming: Vec<(u64, FigureId)> = position
        .present()
        .filter(|(id, hand)| {
            fit(hand)
                && hand.phalanx.is_none()
                && !mind.kept.contains(id)
                && !mind.errands.contains_key(id)
                && matches!(hand.place, Place::At(spot) if spot.level == 0 && spot != foot)
        })
        .filter_map(|(id, _)| Some((position.board.distance(position.cell_of(id)?, foot.cell), id)))
        .filter(|(far, _)| *far <= 4)
        .collect();
    coming.sort_unstable();
    let missing = 2usize.saturating_sub(waiting.len());
    let sent: Vec<FigureId> = coming.into_iter().map(|(_, id)| id).take(missing).collect();
    mind.kept.extend(waiting);
    mind.errands.extend(sent.into_iter().map(|id| (id, foot.cell)));
}

/// Whoever is on a ladder steps over onto the platform, if there is room.
fn step_over(mind: &mut Mind<'_, '_>, ladder: FigureId, to: Spot) {
    let climber = mind.position().aboard(ladder).next().map(|(id, _)| id);
    if let Some(figure) = climber {
        mind.act(&Deed::Field(Field::Leave { figure, to }));
    }
}

/// From the platform of a docked siege tower onto the building, from inside it up, and from outside into it.
fn over_from_tower(mind: &mut Mind<'_, '_>, tower: FigureId) {
    let docked = animals::docked(mind.scene(), tower);
    if docked.is_empty() {
        return;
    }
    let aboard: Vec<(FigureId, Place)> = mind
        .position()
        .aboard(tower)
        .filter(|(_, figure)| figure.possessor == mind.player)
        .map(|(id, figure)| (id, figure.place))
        .collect();
    for (figure, place) in aboard {
        if place == Place::On(tower, Part::Upper) {
            for to in &docked {
                if mind.act(&Deed::Field(Field::Leave { figure, to: *to })) {
                    break;
                }
            }
        } else {
            let deed = Deed::Field(Field::Board {
                figure,
                carrier: tower,
                part: Part::Upper,
            });
            if legal::judge(mind.scene(), mind.player, &deed).is_ok() {
                mind.act(&deed);
            }
        }
    }
    board_shelter(mind, tower, 2);
    debug_assert!(
        docked
            .iter()
            .all(|spot| devices::docked(mind.scene(), tower, spot.cell))
    );
}
