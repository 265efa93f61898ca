//! Steps: who goes where, which trade centres are taken.

use super::chart::{Chart, ON_FOOT};
use super::garrison;
use super::mind::Mind;
use super::strike;
use super::worth;
use crate::board::{Cell, Spot};
use crate::deed::{Deed, Field, Magic};
use crate::kinds::{Family, Kind, Part};
use crate::melee;
use crate::movement;
use crate::room;
use crate::state::{FigureId, Place, Position};
use crate::trampling;

/// Figures that are moved in one turn at the most, nearest to the enemy first.
const MOVERS_MAX: usize = 120;
/// Spots that one figure looks at.
const SPOTS_MAX: usize = 40;

/// Moves every figure that goes by itself to the best spot it reaches: fighters first, then those who stand behind them.
pub(super) fn everybody(mind: &mut Mind<'_, '_>, chart: &mut Chart) {
    swimmers(mind);
    if chart.foes.is_empty() && mind.position().centres.is_empty() {
        return;
    }
    let mut movers: Vec<(bool, u64, FigureId)> = {
        let position = mind.position();
        position
            .present()
            .filter(|(id, figure)| figure.possessor == mind.player && !mind.kept.contains(id) && walks(position, *id))
            .filter_map(|(id, _)| {
                let cell = position.cell_of(id)?;
                let who = position.figure(master(position, id))?;
                Some((
                    melee::is_shooter(who.kind),
                    chart.nearest_foe(position, cell).unwrap_or(0),
                    id,
                ))
            })
            .collect()
    };
    movers.sort_unstable();
    movers.truncate(MOVERS_MAX);
    for (_, _, id) in movers {
        if !mind.spend(1) {
            return;
        }
        go(mind, chart, id);
    }
}

/// Whether a figure goes on its own feet, or carries its rider.
fn walks(position: &Position, id: FigureId) -> bool {
    let Some(figure) = position.figure(id) else {
        return false;
    };
    let Place::At(_) = figure.place else {
        return false;
    };
    if figure.phalanx.is_some() || !figure.is_able() {
        return false;
    }
    let ridden = |part: Part| {
        position
            .aboard(id)
            .any(|(_, rider)| rider.kind.is_warrior() && matches!(rider.place, Place::On(_, on) if on == part))
    };
    match figure.kind.family() {
        Family::Warrior => figure.kind != Kind::King,
        Family::Horse => ridden(Part::Back),
        Family::Elephant => ridden(Part::Saddle),
        _ => false,
    }
}

/// Who is at stake when a figure moves: the rider, if it carries one.
fn master(position: &Position, id: FigureId) -> FigureId {
    let riders = position.aboard(id).filter(|(_, rider)| rider.kind.is_warrior());
    let found = riders.map(|(rider, _)| rider).next();
    match position.figure(id).map(|figure| figure.kind.family()) {
        Some(Family::Elephant) => id,
        _ => found.unwrap_or(id),
    }
}

fn go(mind: &mut Mind<'_, '_>, chart: &mut Chart, id: FigureId) {
    let Some((start, kind)) = mind.position().figure(id).and_then(|figure| match figure.place {
        Place::At(start) => Some((start, figure.kind)),
        _ => None,
    }) else {
        return;
    };
    if holds_centre(mind, chart, id, start.cell) {
        return;
    }
    let who = master(mind.position(), id);
    let foot = if kind.is_person() { ON_FOOT } else { kind };
    chart.prepare(mind, foot);
    let steps = movement::steps_left(mind.scene(), id);
    let reached = chart.reach(mind, foot, (start, steps, room_of(mind, id)), SPOTS_MAX);
    let bound = garrison::is_bound(mind, chart, who, start);
    let own_kind = mind.position().figure(who).map_or(kind, |figure| figure.kind);
    chart.lift(own_kind, start.cell, true);
    let mut best: Option<(i64, usize)> = None;
    for (at, (spot, used, _)) in reached.iter().enumerate() {
        let score = if bound {
            garrison::place(mind, chart, (id, who), *spot)
        } else {
            worth::place(mind, chart, (id, who), *spot)
        };
        // Standing still costs nothing; a way of many steps is no better than a short one to the same end.
        let score = score.saturating_sub(2 * i64::from(*used));
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, at));
        }
    }
    let mut way = best.map_or_else(Vec::new, |(_, at)| way_back(&reached, at));
    let mut trampled = None;
    if kind.family() == Family::Elephant
        && let Some(trample) = trample(mind, chart, id, &reached, (foot, steps))
    {
        trampled = trample.last().map(|to| to.cell);
        way = trample;
    }
    let met = trampled.map_or_else(Vec::new, |cell| strike::all_at(mind, cell));
    let mut at = start;
    for to in way {
        if !mind.act(&Deed::Field(Field::Step { figure: id, to })) {
            break;
        }
        at = to;
    }
    // Who of them is left is not known before the dice are seen.
    strike::strikes(mind, met);
    chart.lift(own_kind, at.cell, false);
    chart.refresh(mind, &[start, at]);
}

fn way_back(reached: &[(Spot, u8, usize)], end: usize) -> Vec<Spot> {
    let mut way = Vec::new();
    let mut at = end;
    while at > 0 {
        let Some((spot, _, before)) = reached.get(at) else {
            break;
        };
        way.push(*spot);
        at = *before;
    }
    way.reverse();
    way
}

fn room_of(mind: &Mind<'_, '_>, id: FigureId) -> i64 {
    let position = mind.position();
    let riders = position
        .aboard(id)
        .filter(|(_, rider)| matches!(rider.place, Place::On(_, Part::Back)));
    let led = position.present().filter(|(_, animal)| animal.held_by == Some(id));
    let whole = position.figure(id).into_iter();
    whole
        .chain(riders.map(|(_, rider)| rider))
        .chain(led.map(|(_, animal)| animal))
        .map(|figure| room::consumption(mind.tables(), figure))
        .sum()
}

/// The way of an elephant into a field full of enemies, if more of them fall there than it is worth.
fn trample(
    mind: &Mind<'_, '_>,
    chart: &Chart,
    id: FigureId,
    reached: &[(Spot, u8, usize)],
    (kind, steps): (Kind, u8),
) -> Option<Vec<Spot>> {
    let (position, scene) = (mind.position(), mind.scene());
    let elephant = position.figure(id)?;
    let riders: i64 = position
        .aboard(id)
        .map(|(_, rider)| worth::figure(mind.tables(), rider))
        .sum();
    let stake = worth::figure(mind.tables(), elephant) + riders;
    let mut best: Option<(i64, Vec<Spot>)> = None;
    for (at, (from, used, _)) in reached.iter().enumerate() {
        for (_, cell) in position.board.neighbours(from.cell) {
            let to = Spot::ground(cell);
            let cost = movement::way(scene, mind.player, kind, *from, to).map(|way| way.steps);
            if from.level > 0 || !cost.is_ok_and(|cost| used.saturating_add(cost) <= steps) {
                continue;
            }
            if chart.free(to) >= room_of(mind, id) || !trampling::may(scene, mind.player, elephant, to) {
                continue;
            }
            if !strike::is_fresh(mind, cell) {
                continue;
            }
            // ARM-GAP-22: of four men it kills 1.6, 1.1 or 0.8 by their class, and lives in 75, 46 or 25 of 100 cases.
            let gain: i64 = chart
                .foes_on(cell)
                .filter(|foe| foe.spot == to)
                .map(|foe| {
                    let row = mind.tables().figure(foe.kind);
                    let (fall, lives) = match row.melee {
                        ..=2 => (40, 94),
                        3..=5 => (27, 86),
                        _ => (20, 80),
                    };
                    row.price * fall - stake * (100 - lives) / 100
                })
                .sum();
            if gain > 0 && best.as_ref().is_none_or(|(most, _)| gain > *most) {
                let mut way = way_back(reached, at);
                way.push(to);
                best = Some((gain, way));
            }
        }
    }
    best.map(|(_, way)| way)
}

/// The last warrior on a trade centre of his own side stays there while enemies are near.
fn holds_centre(mind: &Mind<'_, '_>, chart: &Chart, id: FigureId, cell: Cell) -> bool {
    let position = mind.position();
    let own = position
        .centres
        .get(&cell)
        .is_some_and(|centre| centre.possessor == mind.player);
    let riders = position.aboard(id).count();
    let alone = chart.friends_on(cell) <= i64::try_from(riders.max(1)).unwrap_or(1);
    own && alone && chart.nearest_foe(position, cell).is_some_and(|fields| fields <= 5)
}

/// Whoever swims and may climb out of the water does so.
fn swimmers(mind: &mut Mind<'_, '_>) {
    let swimmers: Vec<(FigureId, Cell)> = mind
        .position()
        .present()
        .filter(|(_, figure)| figure.possessor == mind.player)
        .filter_map(|(id, figure)| match figure.place {
            Place::Swimming(cell) => Some((id, cell)),
            _ => None,
        })
        .collect();
    for (figure, cell) in swimmers {
        let around: Vec<Cell> = mind.position().board.neighbours(cell).map(|(_, cell)| cell).collect();
        for cell in around {
            let to = Spot::ground(cell);
            if mind.act(&Deed::Field(Field::LandFromWater { figure, to })) {
                break;
            }
        }
    }
}

/// The wizard hovers where the two sides meet, over the nearest enemy whom he may hover beside.
pub(super) fn wizard(mind: &mut Mind<'_, '_>, chart: &Chart) {
    let Some(id) = crate::magic::counter::wizard_of(mind.position(), mind.player) else {
        return;
    };
    let steps = movement::steps_left(mind.scene(), id);
    for _ in 0..steps {
        let Some(cell) = mind.position().cell_of(id) else {
            return;
        };
        let position = mind.position();
        let Some(near) = chart.nearest_foe(position, cell).filter(|near| *near > 1) else {
            return;
        };
        let next = position
            .board
            .neighbours(cell)
            .map(|(_, to)| to)
            .filter(|to| chart.nearest_foe(position, *to).is_some_and(|fields| fields < near))
            .find(|to| {
                mind.may(&Deed::Field(Field::Step {
                    figure: id,
                    to: Spot::ground(*to),
                }))
            });
        let Some(to) = next else { return };
        mind.act(&Deed::Field(Field::Step {
            figure: id,
            to: Spot::ground(to),
        }));
    }
}

/// Takes every trade centre that can be taken.
pub(super) fn centres(mind: &mut Mind<'_, '_>) {
    let cells: Vec<Cell> = mind
        .position()
        .centres
        .iter()
        .filter(|(_, centre)| !mind.position().allied(mind.player, centre.possessor))
        .map(|(cell, _)| *cell)
        .collect();
    for cell in cells {
        mind.act(&Deed::Magic(Magic::TakeCentre { cell }));
    }
}
