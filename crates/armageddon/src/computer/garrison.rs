//! Buildings: gates are shut before enemies, platforms are for bows, ground storeys for those who fight at the gate; sieges are declared.

use super::chart::Chart;
use super::mind::Mind;
use super::worth;
use crate::board::{Cell, Spot};
use crate::deed::fight::Side;
use crate::deed::{Deed, Fight};
use crate::kinds::Fitting;
use crate::melee;
use crate::state::FigureId;
use kernel::hex::Direction;

/// Enemies this near count as before the walls.
const NEAR: u64 = 4;

/// Shuts gates before enemies, and opens one when those inside starve: then they must come out.
pub(super) fn gates(mind: &mut Mind<'_, '_>, chart: &Chart) {
    let mut deeds = Vec::new();
    {
        let (scene, position) = (mind.scene(), mind.position());
        let mut list = Vec::new();
        crate::gates::candidates(scene, mind.player, &mut list);
        for deed in list {
            let Deed::Fight(Fight::Gate { gate, open }) = &deed else {
                continue;
            };
            let Some(outside) = position.board.neighbour(gate.at.cell, gate.side) else {
                continue;
            };
            if inner(mind, chart, *gate, outside) {
                continue;
            }
            let hungry = chart.starving.contains(&gate.at.cell);
            let near = chart
                .nearest_foe(position, gate.at.cell)
                .is_some_and(|fields| fields <= NEAR);
            let sally = hungry && fighters_at(mind, gate.at) > 0;
            if *open == sally && (near || *open) {
                deeds.push(deed);
            }
        }
    }
    for deed in deeds {
        mind.act(&deed);
    }
}

/// Whether a gate leads from one own building to another that no enemy has entered: it stays as it is.
fn inner(mind: &Mind<'_, '_>, chart: &Chart, _gate: Side, outside: Cell) -> bool {
    let position = mind.position();
    let own = position
        .board
        .building(outside)
        .is_some_and(|building| position.allied(mind.player, building.owner));
    own && chart.foes_on(outside).next().is_none()
}

fn fighters_at(mind: &Mind<'_, '_>, spot: Spot) -> usize {
    let there = mind.position().standing_at(spot);
    there
        .filter(|(_, figure)| figure.owner == mind.player && worth::is_fighter(figure.kind) && figure.is_able())
        .count()
}

/// Whether a figure belongs to the garrison of an own building and stays in it: enemies are near, and there is still food.
pub(super) fn is_bound(mind: &Mind<'_, '_>, chart: &Chart, who: FigureId, at: Spot) -> bool {
    let position = mind.position();
    let own = position
        .board
        .building(at.cell)
        .is_some_and(|building| position.allied(mind.player, building.owner));
    let shooter = position
        .figure(who)
        .is_some_and(|figure| melee::is_shooter(figure.kind));
    let near = chart
        .nearest_foe(position, at.cell)
        .is_some_and(|fields| fields <= NEAR + 2);
    own && near && (shooter || !chart.starving.contains(&at.cell))
}

/// How good a spot is for somebody of the garrison: never outside; bows high up, fighters where a gate or breach is, or an enemy.
pub(super) fn place(mind: &mut Mind<'_, '_>, chart: &mut Chart, (mover, who): (FigureId, FigureId), at: Spot) -> i64 {
    let position = mind.position();
    let Some(building) = position.board.building(at.cell) else {
        return i64::MIN;
    };
    if !position.allied(mind.player, building.owner) {
        return i64::MIN;
    }
    let Some(own) = position.figure(who).cloned() else {
        return i64::MIN;
    };
    let before = i64::try_from(chart.foes_near(position, at.cell).count())
        .unwrap_or(0)
        .min(3);
    let platform = building.platform(mind.tables()) == Some(at.level);
    if melee::is_shooter(own.kind) {
        let beside = chart
            .foes_on(at.cell)
            .any(|foe| foe.fighter && foe.spot.level.abs_diff(at.level) <= 1);
        return 20 * before + if platform { 200 } else { 0 } - if beside { 150 } else { 0 };
    }
    let door = at.level == 0
        && building.storeys.first().is_some_and(|storey| {
            let open = |side: Direction| {
                let beyond = position.board.neighbour(at.cell, side);
                let outside = beyond.is_some_and(|beyond| position.board.building(beyond).is_none());
                let shut = matches!(storey.walls[side.index()], Some(Fitting::Plain | Fitting::Loophole));
                outside && !shut
            };
            Direction::ALL.into_iter().any(open)
        });
    let climbed = platform
        && position.present().any(|(id, ladder)| {
            ladder.leans.is_some()
                && crate::animals::top_of(mind.scene(), id) == Some(at)
                && worth::is_enemy(position, mind.player, ladder)
        });
    // Somebody must be up there to pour the pitch.
    let others = position
        .standing_at(at)
        .any(|(id, figure)| id != mover && figure.owner == mind.player);
    let pours = platform && before > 0 && !others;
    let base = 30 * before + if door { 80 } else { 0 } + if climbed { 100 } else { 0 } + if pours { 150 } else { 0 };
    base + worth::blow_from(mind, chart, (mover, who), at)
}

/// Declares a siege wherever it can be declared.
pub(super) fn besiege(mind: &mut Mind<'_, '_>) {
    let castles: Vec<Cell> = {
        let position = mind.position();
        let hostile = |cell: &Cell| {
            position
                .board
                .building(*cell)
                .is_some_and(|building| position.hostile(mind.player, building.owner))
        };
        position.board.all().filter(hostile).take(12).collect()
    };
    for castle in castles {
        let deed = Deed::Fight(Fight::Besiege { castle });
        if mind.may(&deed) && mind.act(&deed) {
            return;
        }
    }
}
