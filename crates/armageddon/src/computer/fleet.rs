//! Ships: alongside weaker crews, onto the course of a ram where that pays, to the shore where a trade centre is; who boards and who lands.

use super::chart::{Chart, ON_FOOT};
use super::mind::Mind;
use super::worth;
use crate::board::{Cell, Spot};
use crate::deed::field::Helm;
use crate::deed::{Deed, Field};
use crate::kinds::{Family, Kind, Part, Terrain};
use crate::legal;
use crate::ships;
use crate::state::{Figure, FigureId, Place};

/// Courses that one ship looks at.
const COURSES_MAX: usize = 160;
/// Men who are put ashore from one ship in one turn.
const LANDING: usize = 2;

/// Sails every ship, then lets its people board and land.
pub(super) fn sail(mind: &mut Mind<'_, '_>, chart: &mut Chart) {
    let own: Vec<FigureId> = mind
        .position()
        .present()
        .filter(|(_, figure)| figure.possessor == mind.player && figure.kind.family() == Family::Ship)
        .map(|(id, _)| id)
        .collect();
    if own.is_empty() {
        return;
    }
    chart.prepare(mind, ON_FOOT);
    for ship in own {
        steer(mind, chart, ship);
        board(mind, ship);
        land(mind, chart, ship);
    }
}

/// A course: how the ship lies at its end, and how it came there.
struct Course {
    figure: Figure,
    helms: Vec<Helm>,
}

fn steer(mind: &mut Mind<'_, '_>, chart: &Chart, ship: FigureId) {
    if ships::steersman(mind.scene(), ship) != Some(mind.player) {
        return;
    }
    let Some(before) = mind.position().figure(ship).cloned() else {
        return;
    };
    let mut courses = vec![Course {
        figure: before.clone(),
        helms: Vec::new(),
    }];
    let mut best = (i64::MIN, 0);
    let mut next = 0;
    while next < courses.len() {
        let Some((figure, helms)) = courses
            .get(next)
            .map(|course| (course.figure.clone(), course.helms.clone()))
        else {
            break;
        };
        set(mind, ship, figure.clone());
        let score = value(mind, chart, ship).saturating_sub(i64::try_from(helms.len()).unwrap_or(0));
        if score > best.0 {
            best = (score, next);
        }
        if let Some(facing) = figure.facing.filter(|_| courses.len() < COURSES_MAX) {
            let helms_ahead = [0, 1, -1].map(|turn| Helm::Ahead(facing.rotate(turn)));
            let turns = [1, -1].map(|turn| Helm::Turn(facing.rotate(turn)));
            for helm in helms_ahead.into_iter().chain(turns) {
                let deed = Deed::Field(Field::Sail { ship, helm });
                let Ok(permit) = legal::judge(mind.scene(), mind.player, &deed) else {
                    continue;
                };
                let Some(after) = sailed(mind, &figure, helm, permit.steps) else {
                    continue;
                };
                let known = courses.iter().any(|course| {
                    course.figure.place == after.place
                        && course.figure.facing == after.facing
                        && course.figure.straight >= after.straight
                });
                if !known {
                    let mut longer = helms.clone();
                    longer.push(helm);
                    courses.push(Course {
                        figure: after,
                        helms: longer,
                    });
                }
            }
        }
        next += 1;
    }
    set(mind, ship, before);
    let helms = courses.get(best.1).map_or_else(Vec::new, |course| course.helms.clone());
    for helm in helms {
        if !mind.act(&Deed::Field(Field::Sail { ship, helm })) {
            return;
        }
    }
}

fn set(mind: &mut Mind<'_, '_>, ship: FigureId, figure: Figure) {
    if let Some(found) = mind.position_mut().figure_mut(ship) {
        *found = figure;
    }
}

/// The ship after one turn of the helm.
fn sailed(mind: &Mind<'_, '_>, figure: &Figure, helm: Helm, steps: u8) -> Option<Figure> {
    let Place::At(bow) = figure.place else { return None };
    let mut after = figure.clone();
    after.steps = after.steps.saturating_add(steps);
    match helm {
        Helm::Ahead(course) => {
            after.place = Place::At(Spot::ground(mind.position().board.neighbour(bow.cell, course)?));
            after.straight = if figure.facing == Some(course) {
                figure.straight.saturating_add(1)
            } else {
                1
            };
            after.facing = Some(course);
        }
        Helm::Turn(course) => {
            after.straight = 0;
            after.facing = Some(course);
        }
    }
    Some(after)
}

/// How strong the people aboard are hand to hand.
fn strength(mind: &Mind<'_, '_>, ship: FigureId) -> i64 {
    let aboard = mind
        .position()
        .aboard(ship)
        .filter(|(_, figure)| figure.kind.is_warrior() && figure.is_able());
    aboard
        .map(|(_, figure)| {
            let row = mind.tables().figure(figure.kind);
            2 + row.melee + row.attack
        })
        .sum()
}

/// What a ship and all aboard are worth.
pub(super) fn price(mind: &Mind<'_, '_>, ship: FigureId) -> i64 {
    let position = mind.position();
    let whole = position.figure(ship).into_iter();
    whole
        .chain(position.aboard(ship).map(|(_, figure)| figure))
        .map(|figure| worth::figure(mind.tables(), figure))
        .sum()
}

/// What ramming is worth: the struck ship goes down with every hit, a longship goes down with it, a sailing ship sometimes; three of five of those
/// in the water drown in time.
pub(super) fn ram_worth(mind: &Mind<'_, '_>, ship: FigureId, target: FigureId) -> i64 {
    let kind = |id: FigureId| mind.position().figure(id).map(|figure| figure.kind);
    let sinks = match (kind(ship), kind(target)) {
        (Some(Kind::SailingShip), Some(Kind::Raft)) | (Some(Kind::Longship), _) => 100,
        _ => 38,
    };
    let hits = i64::from(crate::odds::at_least(mind.tables().ship_ram.hits_from));
    let gain = price(mind, target) * 60 / 100 - price(mind, ship) * 60 / 100 * sinks / 100;
    gain * hits / i64::from(crate::odds::THROWS)
}

/// How good it is for a ship to lie as it does.
fn value(mind: &Mind<'_, '_>, chart: &Chart, ship: FigureId) -> i64 {
    let (position, scene) = (mind.position(), mind.scene());
    let Some(figure) = position.figure(ship) else {
        return i64::MIN;
    };
    let hull = ships::hull(position, ship);
    let own = strength(mind, ship);
    let mut score = 0;
    let mut nearest: Option<i64> = None;
    for (other, found) in position.present() {
        if found.kind.family() != Family::Ship || !position.hostile(mind.player, found.possessor) {
            continue;
        }
        let lead = own - strength(mind, other);
        if ships::can_board(scene, ship, other) {
            score += 60 + (15 * lead).clamp(-300, 300);
            continue;
        }
        let theirs = ships::hull(position, other);
        let far = hull
            .iter()
            .flat_map(|cell| theirs.iter().map(move |there| position.board.distance(*cell, *there)))
            .min()
            .map_or(99, |far| i64::try_from(far).unwrap_or(99));
        if ahead(mind, figure) == Some(other)
            && i64::from(figure.straight) >= mind.tables().ship_ram.straight_steps
            && figure.kind != Kind::Raft
        {
            score = score.max(ram_worth(mind, ship, other));
        }
        // Stronger crews come alongside, weaker ones keep within bowshot.
        let wish = if lead >= 0 { -20 * far } else { -20 * (far - 3).abs() };
        nearest = Some(nearest.map_or(wish, |known| known.max(wish)));
    }
    score += nearest.unwrap_or(0);
    score + shore(mind, chart, &hull)
}

fn ahead(mind: &Mind<'_, '_>, figure: &Figure) -> Option<FigureId> {
    let Place::At(bow) = figure.place else { return None };
    let cell = mind.position().board.neighbour(bow.cell, figure.facing?)?;
    crate::water::ship_on(mind.position(), cell).map(|(id, _)| id)
}

/// How near a ship is to a trade centre of somebody else.
fn shore(mind: &Mind<'_, '_>, chart: &Chart, hull: &[Cell]) -> i64 {
    let position = mind.position();
    let wanted = position
        .centres
        .iter()
        .filter(|(_, centre)| !position.allied(mind.player, centre.possessor))
        .map(|(cell, _)| *cell);
    let near = wanted
        .filter(|cell| chart.friends_on(*cell) == 0)
        .flat_map(|cell| hull.iter().map(move |here| position.board.distance(*here, cell)))
        .min();
    near.map_or(0, |far| -15 * i64::try_from(far).unwrap_or(99))
}

/// Steps over onto a ship alongside if more of the own than of the enemy's will then be on it.
fn board(mind: &mut Mind<'_, '_>, ship: FigureId) {
    let targets: Vec<FigureId> = {
        let (position, scene) = (mind.position(), mind.scene());
        position
            .present()
            .filter(|(_, figure)| {
                figure.kind.family() == Family::Ship && position.hostile(mind.player, figure.possessor)
            })
            .map(|(id, _)| id)
            .filter(|other| ships::can_board(scene, ship, *other))
            .collect()
    };
    for target in targets {
        let position = mind.position();
        let men = |ship: FigureId, own: bool| -> Vec<FigureId> {
            position
                .aboard(ship)
                .filter(|(_, figure)| figure.kind.is_warrior() && figure.is_able())
                .filter(|(_, figure)| position.allied(mind.player, figure.owner) == own)
                .map(|(id, _)| id)
                .collect()
        };
        let enemies = men(target, false).len();
        let mut party: Vec<FigureId> = men(ship, true)
            .into_iter()
            .filter(|id| {
                position
                    .figure(*id)
                    .is_some_and(|figure| worth::is_fighter(figure.kind))
            })
            .collect();
        // Somebody must steer what one comes from.
        if men(ship, true).len() == party.len() {
            party.pop();
        }
        if party.len() <= enemies {
            continue;
        }
        for figure in party {
            for part in [Part::Bow, Part::Stern] {
                let deed = Deed::Field(Field::Board {
                    figure,
                    carrier: target,
                    part,
                });
                if mind.may(&deed) && mind.act(&deed) {
                    break;
                }
            }
        }
    }
}

fn is_water(mind: &Mind<'_, '_>, cell: Cell) -> bool {
    let ground = mind.position().board.ground(cell);
    ground.is_some_and(|ground| ground.terrain == Terrain::Water)
}

/// Puts a few men ashore who can walk to a trade centre of somebody else, or to the enemy.
fn land(mind: &mut Mind<'_, '_>, chart: &mut Chart, ship: FigureId) {
    let wanted: Vec<Cell> = mind
        .position()
        .centres
        .iter()
        .filter(|(_, centre)| !mind.position().allied(mind.player, centre.possessor))
        .map(|(cell, _)| *cell)
        .collect();
    let goals: Vec<(Spot, i64)> = wanted.iter().map(|cell| (Spot::ground(*cell), 0)).collect();
    if goals.is_empty() || wanted.iter().any(|cell| chart.friends_on(*cell) > 0) {
        return;
    }
    let ways = chart.ways_to(mind, ON_FOOT, &goals, 1);
    let aboard: Vec<FigureId> = mind
        .position()
        .aboard(ship)
        .filter(|(_, figure)| figure.possessor == mind.player && worth::is_fighter(figure.kind))
        .map(|(id, _)| id)
        .collect();
    // One stays to steer.
    for figure in aboard.into_iter().skip(1).take(LANDING) {
        let Some(cell) = mind.position().cell_of(figure) else {
            continue;
        };
        let mut shore: Vec<(i64, Spot)> = mind
            .position()
            .board
            .neighbours(cell)
            .map(|(_, cell)| Spot::ground(cell))
            // Whoever jumps into the water drowns more often than not before he is ashore.
            .filter(|spot| !is_water(mind, spot.cell))
            .filter_map(|spot| Some((ways.get(super::chart::node(spot)).copied()?, spot)))
            .filter(|(way, _)| *way <= 8)
            .collect();
        shore.sort_unstable();
        for (_, to) in shore {
            if mind.act(&Deed::Field(Field::Leave { figure, to })) {
                chart.refresh(mind, &[to]);
                break;
            }
        }
    }
}
