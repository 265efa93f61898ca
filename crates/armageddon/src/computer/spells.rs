//! The spell of the round. Before anybody moves it may open a way: a gate, a dry river, double speed or a leap to a trade centre. Between the phases
//! it helps where the two sides touch. After the acts it shields those who are in danger. Whoever can pay for nothing any more challenges the other wizard.

use super::chart::{Chart, ON_FOOT, node};
use super::forces;
use super::mind::Mind;
use super::worth;
use crate::board::{Cell, Spot};
use crate::deed::fight::Side;
use crate::deed::magic::Aim;
use crate::deed::{Deed, Magic};
use crate::kinds::{Fitting, Spell, Stage};
use crate::legal;
use crate::magic::counter;
use crate::magic::{reach, works};
use crate::melee;
use crate::missiles;
use crate::movement;
use crate::state::FigureId;
use std::collections::{BTreeMap, BTreeSet};

/// Spells that change no legality of later lines, so that a script stays good even if they are dispelled.
const USEFUL: [Spell; 4] = [Spell::Strengthen, Spell::Weaken, Spell::Protection, Spell::Paralyse];

/// What a spell unit is worth, in hundredths of an arms unit.
const UNIT: i64 = 12;
/// Rounds before the end in which trade centres are worth any spell.
const LAST_ROUNDS: i64 = 2;
/// Men on a bank who are worth drying up a river.
const CROSSING_MEN: usize = 5;
/// Spells that shield own men in the enemy's turns, with how much of the danger each takes away, in tenths.
const SHIELDS: [(Spell, i64); 3] = [(Spell::MakeInvisible, 7), (Spell::Petrify, 9), (Spell::Protection, 2)];
/// A wizard with fewer units than this can pay for no useful spell.
const SPENT: i64 = 4;

/// Casts the best of them, if it is worth its price.
pub(super) fn cast(mind: &mut Mind<'_, '_>) {
    // Whom a spell acts on, and at what price, is not known where dice have fallen unseen.
    if mind.is_planning() && mind.has_rolled() {
        return;
    }
    let Some(wizard) = counter::wizard_of(mind.position(), mind.player) else {
        return;
    };
    let cells = fronts(mind);
    let mut best: Option<(i64, Deed)> = None;
    for spell in USEFUL {
        for cell in &cells {
            let deed = on_field(wizard, spell, *cell);
            let Ok(permit) = legal::judge(mind.scene(), mind.player, &deed) else {
                continue;
            };
            let gain = gain(mind, spell, *cell) - UNIT * permit.spell_units;
            if gain > 0 && best.as_ref().is_none_or(|(most, _)| gain > *most) {
                best = Some((gain, deed));
            }
        }
    }
    if let Some((gain, deed, hit)) = forces::lead(mind, wizard) {
        let price = legal::judge(mind.scene(), mind.player, &deed).map_or(i64::MAX, |permit| permit.spell_units);
        let gain = gain - UNIT.saturating_mul(price);
        if gain > best.as_ref().map_or(0, |(most, _)| *most) && mind.act(&deed) {
            // What becomes of them is not known before the dice are seen.
            mind.struck.extend(hit);
            return;
        }
    }
    if let Some((_, deed)) = best {
        let bound = engaged(mind);
        if mind.act(&deed) && mind.is_planning() {
            // The spell may be dispelled: whoever could shoot only behind it does not count on it.
            for id in bound {
                if let Some(figure) = mind.position_mut().figure_mut(id) {
                    figure.engaged = true;
                }
            }
        }
    }
}

/// Own shooters beside whom an enemy stands who could strike them.
fn engaged(mind: &Mind<'_, '_>) -> Vec<FigureId> {
    let own = mind
        .position()
        .present()
        .filter(|(_, figure)| figure.owner == mind.player && melee::is_shooter(figure.kind));
    own.filter(|(id, figure)| missiles::is_engaged(mind.scene(), *id, figure))
        .map(|(id, _)| id)
        .collect()
}

/// Casts a spell that lets the own figures go where they could not. Tells whether one was cast: it may be dispelled.
pub(super) fn open_a_way(mind: &mut Mind<'_, '_>) -> bool {
    let Some(wizard) = counter::wizard_of(mind.position(), mind.player).filter(|_| mind.reached() == Stage::Before)
    else {
        return false;
    };
    open_gate(mind, wizard)
        || forces::clear_a_centre(mind, wizard)
        || to_a_centre(mind, wizard)
        || dry_river(mind, wizard)
        || forces::wind(mind, wizard)
}

/// A spell of this wizard's on one whole field.
fn on_field(wizard: FigureId, spell: Spell, cell: Cell) -> Deed {
    Deed::Magic(Magic::Cast {
        wizard,
        spell,
        on: vec![Aim::field(cell)],
        to: Vec::new(),
        along: false,
    })
}

/// Rounds that are left after this one.
fn rounds_left(mind: &Mind<'_, '_>) -> i64 {
    mind.tables().sequence.round_limit - i64::from(mind.position().clock.round)
}

/// Own fields with men who fight and nobody of the enemy beside them, each with how many there are.
fn reserves(mind: &Mind<'_, '_>) -> Vec<(Cell, usize)> {
    let position = mind.position();
    let free = |cell: &Cell| {
        position.board.building(*cell).is_none()
            && position.present().all(|(id, figure)| {
                let beside = position
                    .cell_of(id)
                    .is_some_and(|at| position.board.distance(at, *cell) <= 1);
                !beside || !figure.kind.is_warrior() || !worth::is_enemy(position, mind.player, figure)
            })
    };
    let fields = position.board.all().filter(free);
    fields
        .map(|cell| (cell, fighters_on(mind, cell)))
        .filter(|(_, count)| *count > 0)
        .collect()
}

/// In the last rounds: brings men to a trade centre that is not held by anybody, at double speed if that is enough, else by a leap.
fn to_a_centre(mind: &mut Mind<'_, '_>, wizard: FigureId) -> bool {
    if rounds_left(mind) > LAST_ROUNDS || worth::is_winning(mind.tables(), mind.position(), mind.player) {
        return false;
    }
    let centres: Vec<Cell> = {
        let position = mind.position();
        let empty = |cell: &Cell| {
            !position
                .present()
                .any(|(id, figure)| figure.kind.is_warrior() && position.cell_of(id) == Some(*cell))
        };
        let foreign = position
            .centres
            .iter()
            .filter(|(_, centre)| !position.allied(mind.player, centre.possessor));
        foreign.map(|(cell, _)| *cell).filter(empty).collect()
    };
    if centres.is_empty() {
        return false;
    }
    let mut chart = Chart::new(mind);
    let mut best: Option<(i64, Deed)> = None;
    for (cell, men) in reserves(mind) {
        let Some(one) = mind
            .position()
            .standing_at(Spot::ground(cell))
            .find(|(_, figure)| figure.owner == mind.player && worth::is_fighter(figure.kind))
            .map(|(id, _)| id)
        else {
            continue;
        };
        let steps = i64::from(movement::steps_left(mind.scene(), one));
        for centre in &centres {
            let far = chart
                .ways_to(mind, ON_FOOT, &[(Spot::ground(*centre), 0)], 1)
                .get(node(Spot::ground(cell)))
                .copied()
                .unwrap_or(i64::MAX);
            let rounds = rounds_left(mind) + 1;
            if far <= steps * rounds {
                // They come in time by themselves.
                return false;
            }
            let hurried = far <= steps * (rounds + 1);
            let deed = if hurried {
                on_field(wizard, Spell::DoubleSpeed, cell)
            } else {
                Deed::Magic(Magic::Cast {
                    wizard,
                    spell: Spell::Transfer,
                    on: vec![Aim::field(cell)],
                    to: vec![Spot::ground(*centre)],
                    along: false,
                })
            };
            let Ok(permit) = legal::judge(mind.scene(), mind.player, &deed) else {
                continue;
            };
            let worth = i64::try_from(men).unwrap_or(0) * 4 - permit.spell_units;
            if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                best = Some((worth, deed));
            }
        }
    }
    best.is_some_and(|(_, deed)| mind.act(&deed))
}

/// Dries up a river that bars the way of many: those who stand on its bank while what they want lies beyond.
fn dry_river(mind: &mut Mind<'_, '_>, wizard: FigureId) -> bool {
    if mind.position().board.rivers.is_empty() || worth::is_winning(mind.tables(), mind.position(), mind.player) {
        return false;
    }
    let banks = forces::banks(mind, true).into_values();
    let most = banks.filter(|(men, _)| *men >= CROSSING_MEN).max();
    most.is_some_and(|(_, cell)| mind.act(&on_field(wizard, Spell::DryUpRiver, cell)))
}

/// Opens a gate of the enemy by magic if enough of the own fighters stand before it and it can be paid for. Tells whether it was tried.
fn open_gate(mind: &mut Mind<'_, '_>, wizard: FigureId) -> bool {
    let gates: Vec<Cell> = {
        let position = mind.position();
        let board = &position.board;
        let shut = |cell: &Cell| {
            let gates = works::gates(mind.tables(), board, &[Aim::field(*cell)]);
            // One spell moves all gates of the field: it must not shut an open one.
            let all = gates.iter().all(|(gate, _)| {
                crate::gates::find(mind.scene(), *gate)
                    .is_some_and(|gate| gate.fitting == Fitting::Closed && position.hostile(mind.player, gate.owner))
            });
            let before = |(gate, _): &(Side, i64)| board.neighbour(*cell, gate.side);
            let fighters = gates
                .iter()
                .filter_map(before)
                .map(|outside| fighters_on(mind, outside))
                .max();
            !gates.is_empty() && all && fighters.is_some_and(|count| count >= 3)
        };
        board.all().filter(shut).collect()
    };
    for cell in gates {
        let deed = on_field(wizard, Spell::MoveGate, cell);
        if mind.may(&deed) && mind.act(&deed) {
            return true;
        }
    }
    false
}

fn fighters_on(mind: &Mind<'_, '_>, cell: Cell) -> usize {
    let there = mind.position().standing_at(Spot::ground(cell));
    there
        .filter(|(_, figure)| figure.owner == mind.player && worth::is_fighter(figure.kind) && figure.is_able())
        .count()
}

/// Fields where somebody of one side stands beside somebody of the other.
fn fronts(mind: &Mind<'_, '_>) -> Vec<Cell> {
    let position = mind.position();
    let cells = |enemy: bool| -> BTreeSet<Cell> {
        position
            .present()
            .filter(|(_, figure)| figure.kind.is_warrior() && figure.is_able())
            .filter(|(_, figure)| {
                if enemy {
                    worth::is_enemy(position, mind.player, figure)
                } else {
                    figure.owner == mind.player
                }
            })
            .filter_map(|(id, _)| position.cell_of(id))
            .collect()
    };
    let (own, enemy) = (cells(false), cells(true));
    let touches =
        |one: &Cell, others: &BTreeSet<Cell>| others.iter().any(|other| position.board.distance(*one, *other) <= 1);
    let mut fronts: Vec<Cell> = own.iter().filter(|cell| touches(cell, &enemy)).copied().collect();
    fronts.extend(enemy.iter().filter(|cell| touches(cell, &own)));
    fronts.sort_unstable();
    fronts.dedup();
    fronts.truncate(24);
    fronts
}

/// What a spell on a field brings, roughly: a fifth of the worth of everybody in contact whom it helps, or whom it hurts on the other side; four
/// fifths for those who can do nothing at all.
fn gain(mind: &Mind<'_, '_>, spell: Spell, cell: Cell) -> i64 {
    let position = mind.position();
    let scene = mind.scene();
    let mut sum = 0;
    for (id, figure) in position.present() {
        if position.cell_of(id) != Some(cell) || !reach::acts_on(scene, mind.player, spell, figure) {
            continue;
        }
        let friend = position.allied(mind.player, figure.owner);
        if friend && spell == Spell::Paralyse {
            // Own figures would be bound too, and their lines refused.
            return 0;
        }
        let helps = matches!(spell, Spell::Strengthen | Spell::Protection);
        let part = match spell {
            Spell::Paralyse => 8,
            Spell::Protection => 1,
            _ => 2,
        };
        let worth = if in_contact(mind, id) {
            worth::figure(mind.tables(), figure) * part / 10
        } else {
            0
        };
        sum += if friend == helps { worth } else { -worth };
    }
    sum
}

/// The spell after the acts that saves most, if it is worth its price: own men whom the enemy can strike or shoot in his turn. Petrified men hold
/// nothing, so that nobody is petrified on a trade centre.
fn shield(mind: &Mind<'_, '_>, wizard: FigureId) -> Option<Deed> {
    let position = mind.position();
    let mut chart = Chart::new(mind);
    let mut dangers: BTreeMap<Cell, i64> = BTreeMap::new();
    for (id, figure) in position.present() {
        let own = figure.owner == mind.player && figure.kind.is_warrior() && figure.spell.is_none();
        let (true, Some(spot)) = (own, position.spot_of(id)) else {
            continue;
        };
        *dangers.entry(spot.cell).or_default() += chart.fear(mind, figure, spot);
    }
    let mut best: Option<(i64, Deed)> = None;
    for (cell, danger) in dangers {
        for (spell, tenths) in SHIELDS {
            let gain = danger * tenths / 10;
            let holds = spell == Spell::Petrify && position.centres.contains_key(&cell);
            if holds || gain <= best.as_ref().map_or(0, |(most, _)| *most) {
                continue;
            }
            let deed = on_field(wizard, spell, cell);
            let Ok(permit) = legal::judge(mind.scene(), mind.player, &deed) else {
                continue;
            };
            // The enemy may be on the field too.
            let foes = position.present().any(|(id, figure)| {
                position.cell_of(id) == Some(cell) && worth::is_enemy(position, mind.player, figure)
            });
            let gain = gain - UNIT * permit.spell_units;
            if !foes && gain > best.as_ref().map_or(0, |(most, _)| *most) {
                best = Some((gain, deed));
            }
        }
    }
    best.map(|(_, deed)| deed)
}

/// The spell after the acts: a flood before those who want to come over a river, or a shield.
pub(super) fn last(mind: &Mind<'_, '_>) -> Option<Deed> {
    let wizard = counter::wizard_of(mind.position(), mind.player)?;
    let found = mind.position().players.get(&mind.player);
    if found.is_some_and(|player| i64::from(player.spells_cast) >= mind.tables().sequence.spells_per_round) {
        return None;
    }
    forces::flood(mind, wizard).or_else(|| shield(mind, wizard))
}

/// The end of a turn: a spell that keeps the enemy off, or a challenge of a wizard who has nothing to lose.
pub(super) fn afterwards(mind: &mut Mind<'_, '_>) {
    if !mind.has_rolled()
        && let Some(deed) = last(mind)
    {
        mind.act(&deed);
        return;
    }
    let Some(wizard) = counter::wizard_of(mind.position(), mind.player) else {
        return;
    };
    let units = mind.scene().secret.map_or(0, |secret| secret.spell_units);
    if units >= SPENT {
        return;
    }
    let other = counter::challenges(mind.scene(), wizard)
        .map(|target| Deed::Magic(Magic::Duel { wizard, target }))
        .find(|deed| mind.may(deed));
    if let Some(deed) = other {
        mind.act(&deed);
    }
}

fn in_contact(mind: &Mind<'_, '_>, id: FigureId) -> bool {
    let (position, scene) = (mind.position(), mind.scene());
    let Some(figure) = position.figure(id) else {
        return false;
    };
    position.present().any(|(other, foe)| {
        foe.kind.is_warrior() && position.hostile(figure.owner, foe.owner) && melee::reach(scene, id, other).is_ok()
    })
}
