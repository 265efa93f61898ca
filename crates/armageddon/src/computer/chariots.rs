//! Quadrigas: somebody climbs them, they drive towards the enemy, and into his men where more of them fall than horses.

use super::chart::Chart;
use super::engines;
use super::mind::Mind;
use super::strike;
use super::worth;
use crate::board::{Cell, Spot};
use crate::deed::{Deed, Field};
use crate::kinds::{Kind, Part};
use crate::melee;
use crate::odds::{self, Fighter, Kill};
use crate::quadriga;
use crate::room::{self, Room};
use crate::state::{FigureId, Place};

/// Steps of a quadriga in one turn at the most.
const STEPS_MAX: usize = 8;

/// Drives every own wagon that has horses.
pub(super) fn drive(mind: &mut Mind<'_, '_>, chart: &mut Chart) {
    let wagons: Vec<FigureId> = mind
        .position()
        .present()
        .filter(|(id, figure)| {
            figure.kind == Kind::Wagon
                && figure.possessor == mind.player
                && matches!(figure.place, Place::At(_))
                && quadriga::has_team(mind.position(), *id)
        })
        .map(|(id, _)| id)
        .collect();
    for wagon in wagons {
        man(mind, wagon);
        for _ in 0..STEPS_MAX {
            if !step(mind, chart, wagon) {
                break;
            }
        }
        let crew: Vec<FigureId> = mind.position().aboard(wagon).map(|(id, _)| id).collect();
        mind.kept.extend(crew);
        mind.kept.extend(quadriga::team(mind.position(), wagon));
    }
}

/// Lets somebody climb a wagon that nobody drives.
fn man(mind: &mut Mind<'_, '_>, wagon: FigureId) {
    let driven = mind
        .position()
        .aboard(wagon)
        .any(|(_, crew)| crew.owner == mind.player && crew.kind.is_person() && crew.is_able());
    if driven {
        return;
    }
    for figure in engines::idle_beside(mind, wagon) {
        let climbs = Deed::Field(Field::Board {
            figure,
            carrier: wagon,
            part: Part::Wagon,
        });
        if mind.may(&climbs) && mind.act(&climbs) {
            return;
        }
    }
}

/// The fields of a wagon and its team.
fn fields(mind: &Mind<'_, '_>, wagon: FigureId) -> Option<(Cell, Cell)> {
    let figure = mind.position().figure(wagon)?;
    let cell = mind.position().cell_of(wagon)?;
    Some((cell, mind.position().board.neighbour(cell, figure.facing?)?))
}

/// One step; tells whether another may follow.
fn step(mind: &mut Mind<'_, '_>, chart: &mut Chart, wagon: FigureId) -> bool {
    let Some((under, ahead)) = fields(mind, wagon) else {
        return false;
    };
    // With enemies beside the wagon its people fight; farther it only comes to trample.
    let arrived = chart
        .nearest_foe(mind.position(), under)
        .is_none_or(|fields| fields <= 1);
    let far = |cell: Cell| {
        chart
            .nearest_foe(mind.position(), cell)
            .map_or(0, |fields| i64::try_from(fields).unwrap_or(0))
    };
    let mut best: Option<(i64, Spot, bool)> = None;
    for (_, cell) in mind.position().board.neighbours(ahead) {
        let to = Spot::ground(cell);
        if !mind.may(&Deed::Field(Field::Drive { wagon, to })) {
            continue;
        }
        let tramples = is_full(mind, wagon, to);
        let worth = if tramples {
            trample(mind, wagon, to)
        } else if arrived {
            0
        } else {
            (far(ahead) - far(cell)) * 10
        };
        if worth > 0 && best.is_none_or(|(most, ..)| worth > most) {
            best = Some((worth, to, tramples));
        }
    }
    let Some((_, to, tramples)) = best else {
        return false;
    };
    let met = strike::all_at(mind, to.cell);
    if tramples && !strike::is_fresh(mind, to.cell) {
        return false;
    }
    if !mind.act(&Deed::Field(Field::Drive { wagon, to })) {
        return false;
    }
    if tramples && mind.is_planning() {
        // Neither who is left there nor where the wagon stands is known before the dice are seen.
        let crew: Vec<FigureId> = mind.position().aboard(wagon).map(|(id, _)| id).collect();
        strike::strikes(mind, met);
        strike::spent(mind, crew);
        return false;
    }
    chart.refresh(mind, &[Spot::ground(under), Spot::ground(ahead), to]);
    !tramples
}

/// Whether the team finds no room on a field: then it tramples.
fn is_full(mind: &Mind<'_, '_>, wagon: FigureId, to: Spot) -> bool {
    let position = mind.position();
    let needed: i64 = quadriga::team(position, wagon)
        .into_iter()
        .filter_map(|id| position.figure(id))
        .map(|horse| room::consumption(mind.tables(), horse))
        .sum();
    room::free(mind.tables(), position, Room::Spot(to)) < needed
}

/// What it is worth to drive into a field: the odds of each exchange times what falls, roughly as often as there are men in the way.
fn trample(mind: &Mind<'_, '_>, wagon: FigureId, to: Spot) -> i64 {
    let (scene, position, tables) = (mind.scene(), mind.position(), mind.tables());
    let team = quadriga::team(position, wagon);
    let Some((id, horse)) = team.first().and_then(|id| Some((*id, position.figure(*id)?))) else {
        return 0;
    };
    let points = match horse.kind {
        Kind::QuadrigaHeavy => tables.trample.heavy_team,
        _ => tables.trample.light_team,
    };
    let kill = Kill::From(tables.melee.kill_from);
    let mut sum = 0;
    for (foe, figure) in position.standing_at(to) {
        if !figure.kind.family().is_living() {
            sum += worth::figure(tables, figure) / 2;
            continue;
        }
        let stand = Fighter {
            points: melee::points(scene, foe, id, false),
            kill,
        };
        let odds = odds::duel(Fighter { points, kill }, stand);
        let decided = i64::from(odds.kill + odds.death).max(1);
        let won = i64::from(odds.kill) * worth::figure(tables, figure);
        let lost = i64::from(odds.death) * worth::figure(tables, horse);
        sum += (won - lost) / decided;
    }
    sum / 2
}
