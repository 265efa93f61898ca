//! Spells on what is nobody's man: a river in flood before those who want to cross it, a wind for an own ship, enemy riders driven off a trade
//! centre, a fable creature led against the enemy.

use super::mind::Mind;
use super::worth;
use crate::board::{Cell, Spot};
use crate::creatures;
use crate::deed::magic::Aim;
use crate::deed::{Deed, Magic};
use crate::kinds::{Family, Kind, Part, Spell};
use crate::legal;
use crate::movement;
use crate::ships;
use crate::sight;
use crate::state::{FigureId, Place};
use std::collections::{BTreeMap, BTreeSet};

/// Enemies on a bank who are worth a flood.
const FLOODED_MEN: usize = 3;
/// Steps that a wind of its own must give a ship more than the one that blows.
const WIND_GAIN: i64 = 3;
/// Of 216 throws so many fail to survive what a creature does, as they fail to reach 10.
const PERISH: i64 = 81;
const THROWS: i64 = 216;

/// A spell of this wizard's on one whole field with these aims.
fn aimed(wizard: FigureId, spell: Spell, cell: Cell, to: Vec<Spot>) -> Deed {
    Deed::Magic(Magic::Cast {
        wizard,
        spell,
        on: vec![Aim::field(cell)],
        to,
        along: false,
    })
}

/// Men on the banks of rivers who come nearer to their enemies by crossing, by river, with one of their fields: the player's own, or those of the
/// enemy. Where an enemy stands beside them they fight instead. Bridges count as ways for those who could be kept from them.
pub(super) fn banks(mind: &Mind<'_, '_>, own: bool) -> BTreeMap<u8, (usize, Cell)> {
    let position = mind.position();
    let board = &position.board;
    let fields = |mine: bool| -> BTreeMap<Cell, usize> {
        let mut fields = BTreeMap::new();
        for (id, figure) in position.present().filter(|(_, figure)| figure.kind.is_warrior()) {
            let counts = if mine {
                figure.owner == mind.player
            } else {
                worth::is_enemy(position, mind.player, figure)
            };
            if let Some(cell) = position.cell_of(id).filter(|_| counts) {
                *fields.entry(cell).or_default() += 1;
            }
        }
        fields
    };
    let (crossing, awaited) = (fields(own), fields(!own));
    let far = |cell: Cell| awaited.keys().map(|other| board.distance(cell, *other)).min();
    let mut banks: BTreeMap<u8, (usize, Cell)> = BTreeMap::new();
    for (cell, men) in crossing {
        let here = far(cell);
        let river = board.neighbours(cell).find_map(|(side, beyond)| {
            let edge = board.edge(cell, side);
            let barred = edge.bridge.is_none() || !own;
            let nearer = far(beyond)
                .zip(here)
                .is_some_and(|(there, here)| there < here && here > 1);
            edge.river.filter(|_| barred && nearer)
        });
        if let Some(number) = river {
            banks.entry(number).or_insert((0, cell)).0 += men;
        }
    }
    banks
}

/// In the last round, while the own side is ahead: floods a river before the enemies who want to cross it, so that nobody comes over it any more.
/// Earlier, turn after turn, it would leave them no battle at all.
pub(super) fn flood(mind: &Mind<'_, '_>, wizard: FigureId) -> Option<Deed> {
    if i64::from(mind.position().clock.round) < mind.tables().sequence.round_limit {
        return None;
    }
    if mind.position().board.rivers.is_empty() || !worth::is_winning(mind.tables(), mind.position(), mind.player) {
        return None;
    }
    let most = banks(mind, false)
        .into_values()
        .filter(|(men, _)| *men >= FLOODED_MEN)
        .max();
    let deed = most.map(|(_, cell)| aimed(wizard, Spell::FloodRiver, cell, Vec::new()))?;
    mind.may(&deed).then_some(deed)
}

/// Gives a wind of its own to a ship that has far to go to the nearest enemy ship and no wind for it.
pub(super) fn wind(mind: &mut Mind<'_, '_>, wizard: FigureId) -> bool {
    let best = {
        let (position, scene) = (mind.position(), mind.scene());
        let foes: Vec<Cell> = position
            .present()
            .filter(|(_, figure)| {
                figure.kind.family() == Family::Ship && position.hostile(mind.player, figure.possessor)
            })
            .filter_map(|(id, _)| position.cell_of(id))
            .collect();
        let sails = position.present().filter(|(id, figure)| {
            let driven = matches!(figure.kind, Kind::SailingShip | Kind::Raft);
            driven && figure.possessor == mind.player && ships::steersman(scene, *id) == Some(mind.player)
        });
        let gains = sails.filter_map(|(id, figure)| {
            let bow = position.cell_of(id)?;
            let foe = foes.iter().min_by_key(|foe| position.board.distance(bow, **foe))?;
            let toward = sight::toward(&position.board, bow, *foe)?;
            let to = position.board.neighbour(bow, toward)?;
            let now = ships::speed(scene, id, toward);
            let then = match figure.kind {
                Kind::Raft => mind.tables().ship.raft_steps + mind.tables().ship.raft_wind,
                _ => mind.tables().wind.fresh_steps[0],
            };
            let far = i64::try_from(position.board.distance(bow, *foe)).ok()?;
            let gain = then.min(far) - now;
            let deed = aimed(wizard, Spell::LocalWind, bow, vec![Spot::ground(to)]);
            (gain >= WIND_GAIN && mind.may(&deed)).then_some((gain, deed))
        });
        gains.max_by_key(|(gain, _)| *gain).map(|(_, deed)| deed)
    };
    best.is_some_and(|deed| mind.act(&deed))
}

/// Drives enemy riders off a trade centre that nobody else holds, if an own man can then go there in this turn.
pub(super) fn clear_a_centre(mind: &mut Mind<'_, '_>, wizard: FigureId) -> bool {
    let deed = {
        let (position, scene) = (mind.position(), mind.scene());
        let held = |cell: &Cell| {
            let mut there = position.present().filter(|(id, figure)| {
                position.cell_of(*id) == Some(*cell)
                    && figure.kind.is_warrior()
                    && worth::is_enemy(position, mind.player, figure)
            });
            let mounted = |(_, figure): (FigureId, &crate::state::Figure)| {
                matches!(figure.place, Place::On(_, Part::Back | Part::Saddle))
            };
            there.next().is_some_and(mounted) && there.all(mounted)
        };
        let near = |cell: &Cell| {
            position.present().any(|(id, figure)| {
                let fields = position.cell_of(id).map(|at| position.board.distance(at, *cell));
                let steps = u64::from(movement::steps_left(scene, id));
                figure.owner == mind.player
                    && worth::is_fighter(figure.kind)
                    && matches!(figure.place, Place::At(_))
                    && fields.is_some_and(|fields| fields <= steps)
            })
        };
        let foreign = position
            .centres
            .iter()
            .filter(|(_, centre)| position.hostile(mind.player, centre.possessor));
        let mut cells = foreign.map(|(cell, _)| *cell).filter(held).filter(near);
        cells.find_map(|cell| {
            let mut ways = position
                .board
                .neighbours(cell)
                .map(|(_, beside)| vec![Spot::ground(beside)]);
            ways.find_map(|to| {
                let deed = aimed(wizard, Spell::MoveAnimals, cell, to);
                mind.may(&deed).then_some(deed)
            })
        })
    };
    deed.is_some_and(|deed| mind.act(&deed))
}

/// The best way to lead a fable creature against the enemy by one or two fields, with what it brings in hundredths of an arms unit before its price,
/// and whom it may hit.
pub(super) fn lead(mind: &Mind<'_, '_>, wizard: FigureId) -> Option<(i64, Deed, BTreeSet<FigureId>)> {
    let position = mind.position();
    let board = &position.board;
    let mut best: Option<(i64, Deed, BTreeSet<FigureId>)> = None;
    let beasts = position
        .present()
        .filter(|(_, figure)| figure.kind.family() == Family::Creature && figure.spell.is_none());
    for (id, figure) in beasts {
        let Some(from) = position.cell_of(id) else { continue };
        let mut ways: Vec<Vec<Cell>> = board.neighbours(from).map(|(_, cell)| vec![cell]).collect();
        let longer: Vec<Vec<Cell>> = ways
            .iter()
            .flatten()
            .flat_map(|first| board.neighbours(*first).map(|(_, cell)| vec![*first, cell]))
            .filter(|way| way.last() != Some(&from))
            .collect();
        ways.extend(longer);
        for way in ways {
            let (gain, hit) = strikes(mind, figure.kind, &way);
            if gain <= best.as_ref().map_or(0, |(most, ..)| *most) {
                continue;
            }
            let to = way.into_iter().map(Spot::ground).collect();
            let deed = aimed(wizard, Spell::MoveCreature, from, to);
            if legal::judge(mind.scene(), mind.player, &deed).is_ok() {
                best = Some((gain, deed, hit));
            }
        }
    }
    best
}

/// What a creature on this way does to the enemy, less what it does to the own side: the rider of darkness to everybody on every field, a dragon to
/// everybody on the first where it finds any, the others to one on the last.
pub(super) fn strikes(mind: &Mind<'_, '_>, kind: Kind, way: &[Cell]) -> (i64, BTreeSet<FigureId>) {
    let position = mind.position();
    let on = |cell: Cell| creatures::victims(position, kind, cell);
    let victims: Vec<FigureId> = match kind {
        Kind::DarkRider => way.iter().flat_map(|cell| on(*cell)).collect(),
        Kind::Dragon => way
            .iter()
            .map(|cell| on(*cell))
            .find(|found| !found.is_empty())
            .unwrap_or_default(),
        _ => way
            .last()
            .and_then(|cell| on(*cell).first().copied())
            .into_iter()
            .collect(),
    };
    let mut sum = 0;
    let mut hit = BTreeSet::new();
    for id in victims {
        let Some(figure) = position.figure(id) else { continue };
        let value = worth::figure(mind.tables(), figure);
        if worth::is_enemy(position, mind.player, figure) {
            sum += value;
            hit.insert(id);
        } else if figure.owner.is_played() {
            sum -= value;
        }
    }
    (sum * PERISH / THROWS, hit)
}
