//! The spell of the round: what helps most where the two sides touch.

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
use crate::state::FigureId;
use std::collections::BTreeSet;

/// Spells that change no legality of later lines, so that a script stays good even if they are dispelled.
const USEFUL: [Spell; 4] = [Spell::Strengthen, Spell::Weaken, Spell::Protection, Spell::Paralyse];

/// Casts the best of them, if it is worth its price.
pub(super) fn cast(mind: &mut Mind<'_, '_>) {
    let Some(wizard) = counter::wizard_of(mind.position(), mind.player) else {
        return;
    };
    let cells = fronts(mind);
    let mut best: Option<(i64, Deed)> = None;
    for spell in USEFUL {
        for cell in &cells {
            let deed = Deed::Magic(Magic::Cast {
                wizard,
                spell,
                on: vec![Aim::field(*cell)],
                to: Vec::new(),
                along: false,
            });
            let Ok(permit) = legal::judge(mind.scene(), mind.player, &deed) else {
                continue;
            };
            let gain = gain(mind, spell, *cell) - 12 * permit.spell_units;
            if gain > 0 && best.as_ref().is_none_or(|(most, _)| gain > *most) {
                best = Some((gain, deed));
            }
        }
    }
    if let Some((_, deed)) = best {
        mind.act(&deed);
    }
}

/// Opens a gate of the enemy by magic if enough of the own fighters stand before it and it can be paid for. Tells whether it was tried.
pub(super) fn open_gate(mind: &mut Mind<'_, '_>) -> bool {
    let Some(wizard) = counter::wizard_of(mind.position(), mind.player).filter(|_| mind.reached() == Stage::Before)
    else {
        return false;
    };
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
        let deed = Deed::Magic(Magic::Cast {
            wizard,
            spell: Spell::MoveGate,
            on: vec![Aim::field(cell)],
            to: Vec::new(),
            along: false,
        });
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

fn in_contact(mind: &Mind<'_, '_>, id: FigureId) -> bool {
    let (position, scene) = (mind.position(), mind.scene());
    let Some(figure) = position.figure(id) else {
        return false;
    };
    position.present().any(|(other, foe)| {
        foe.kind.is_warrior() && position.hostile(figure.owner, foe.owner) && melee::reach(scene, id, other).is_ok()
    })
}
