//! The acts: onagers, bows, pitch, rams, then hand to hand. Whoever is struck once is left alone until the dice are seen.

use super::mind::Mind;
use super::worth;
use crate::deed::{Deed, Fight};
use crate::kinds::{Family, Stage};
use crate::melee;
use crate::odds;
use crate::state::{Figure, FigureId, Place};
use crate::{devices, legal, missiles, onager, pitch};
use std::collections::BTreeSet;

/// Everything that strikes from a distance, in the order of the stages.
pub(super) fn from_afar(mind: &mut Mind<'_>) {
    let mut struck = BTreeSet::new();
    throws(mind, &mut struck);
    shots(mind, &mut struck);
    pours(mind, &mut struck);
    rams(mind);
    mind.struck.extend(struck);
}

fn enemies_at(mind: &Mind<'_>, cell: crate::board::Cell) -> (i64, bool) {
    let position = mind.position();
    let (mut worth, mut own) = (0, false);
    for (id, figure) in position.present() {
        if position.cell_of(id) != Some(cell) || matches!(figure.place, Place::Above(_)) {
            continue;
        }
        if worth::is_enemy(position, mind.player, figure) {
            worth += worth::figure(mind.tables, figure);
        } else {
            own = true;
        }
    }
    (worth, own)
}

fn all_at(mind: &Mind<'_>, cell: crate::board::Cell) -> Vec<FigureId> {
    let position = mind.position();
    position
        .present()
        .filter(|(id, _)| position.cell_of(*id) == Some(cell))
        .map(|(id, _)| id)
        .collect()
}

fn spent(mind: &mut Mind<'_>, ids: impl IntoIterator<Item = FigureId>) {
    for id in ids {
        if let Some(figure) = mind.position_mut().figure_mut(id) {
            figure.acted = true;
        }
    }
}

/// Onagers: at the field where most of the enemy's worth stands and nobody of the own side.
fn throws(mind: &mut Mind<'_>, struck: &mut BTreeSet<FigureId>) {
    loop {
        let best = {
            let scene = mind.scene();
            let mut list = Vec::new();
            onager::candidates(scene, mind.player, &mut list);
            list.into_iter()
                .filter_map(|deed| {
                    let Deed::Fight(Fight::Throw { target, .. }) = &deed else {
                        return None;
                    };
                    let (worth, own) = enemies_at(mind, target.cell);
                    let fresh = all_at(mind, target.cell).iter().all(|id| !struck.contains(id));
                    (worth > 0 && !own && fresh && legal::judge(scene, mind.player, &deed).is_ok())
                        .then_some((worth, deed))
                })
                .max()
        };
        let Some((_, deed)) = best else { return };
        let Deed::Fight(Fight::Throw {
            onager, crew, target, ..
        }) = &deed
        else {
            return;
        };
        if !mind.dare(&deed) {
            return;
        }
        struck.extend(all_at(mind, target.cell));
        spent(mind, [*onager, *crew]);
    }
}

/// Bows: each at the target with the most to gain.
fn shots(mind: &mut Mind<'_>, struck: &mut BTreeSet<FigureId>) {
    let shooters: Vec<FigureId> = own(mind, |figure| melee::is_shooter(figure.kind));
    for shooter in shooters {
        let best = {
            let (scene, position) = (mind.scene(), mind.position());
            let Some(here) = position.cell_of(shooter) else {
                continue;
            };
            let reach = u64::try_from(mind.tables.bow.range_from_above).unwrap_or(0);
            position
                .present()
                .filter(|(id, figure)| {
                    worth::is_enemy(position, mind.player, figure)
                        && !struck.contains(id)
                        && position
                            .cell_of(*id)
                            .is_some_and(|cell| position.board.distance(here, cell) <= reach)
                })
                .filter_map(|(id, figure)| {
                    let (shot, _) = missiles::shot(scene, mind.player, shooter, id).ok()?;
                    let gain = i64::from(shot.odds()) * worth::figure(mind.tables, figure) / i64::from(odds::THROWS);
                    (gain > 0).then_some((gain, id))
                })
                .max()
        };
        if let Some((_, target)) = best
            && mind.dare(&Deed::Fight(Fight::Shoot {
                figure: shooter,
                target,
            }))
        {
            struck.insert(target);
            spent(mind, [shooter]);
        }
    }
}

/// Pitch on enemies below an own platform.
fn pours(mind: &mut Mind<'_>, struck: &mut BTreeSet<FigureId>) {
    let mut list = Vec::new();
    pitch::candidates(mind.scene(), mind.player, &mut list);
    for deed in list {
        let Deed::Fight(Fight::Pour { figure, target }) = &deed else {
            continue;
        };
        let (worth, own) = enemies_at(mind, *target);
        let fresh = all_at(mind, *target).iter().all(|id| !struck.contains(id));
        if worth > 0 && !own && fresh && mind.dare(&deed) {
            struck.extend(all_at(mind, *target));
            // Whoever pours for the line, nobody else on the platform is counted on afterwards.
            let spot = mind.position().spot_of(*figure);
            let there = own_at(mind, |position, id| position.spot_of(id) == spot);
            spent(mind, there);
        }
    }
}

/// Rams, turtles and elephants against gates and walls of the enemy.
fn rams(mind: &mut Mind<'_>) {
    let mut list = Vec::new();
    devices::candidates(mind.scene(), mind.player, &mut list);
    for deed in list {
        let Deed::Fight(Fight::Ram { device, target }) = &deed else {
            continue;
        };
        let hostile = {
            let position = mind.position();
            let ground = position.board.ground(target.at.cell);
            let owner = ground.and_then(|ground| {
                let wall = ground.walls[target.side.index()].map(|wall| wall.owner);
                ground.building.as_ref().map(|building| building.owner).or(wall)
            });
            owner.is_some_and(|owner| position.hostile(mind.player, owner))
        };
        if hostile && mind.dare(&deed) {
            let cell = mind.position().cell_of(*device);
            let crew = own_at(mind, |position, id| position.cell_of(id) == cell);
            spent(mind, crew);
            spent(mind, [*device]);
        }
    }
}

fn own(mind: &Mind<'_>, fits: impl Fn(&Figure) -> bool) -> Vec<FigureId> {
    mind.position()
        .present()
        .filter(|(_, figure)| figure.possessor == mind.player && !figure.acted && figure.is_able() && fits(figure))
        .map(|(id, _)| id)
        .collect()
}

fn own_at(mind: &Mind<'_>, fits: impl Fn(&crate::state::Position, FigureId) -> bool) -> Vec<FigureId> {
    let position = mind.position();
    position
        .present()
        .filter(|(id, figure)| figure.possessor == mind.player && fits(position, *id))
        .map(|(id, _)| id)
        .collect()
}

/// The attacks that can be made now, each with its worth: alone, and with every other fighter there as support.
fn attacks(mind: &mut Mind<'_>, struck: &BTreeSet<FigureId>) -> Vec<(i64, Deed)> {
    let fighters = own(mind, |figure| melee::fights(figure.kind));
    let targets: Vec<(FigureId, crate::board::Cell)> = {
        let position = mind.position();
        position
            .present()
            .filter(|(id, figure)| {
                let wild = figure.kind.family() == Family::Creature && !figure.owner.is_played();
                !struck.contains(id) && (wild || worth::is_enemy(position, mind.player, figure))
            })
            .filter(|(id, _)| melee::victim(mind.scene(), mind.player, *id).is_ok())
            .filter_map(|(id, _)| Some((id, position.cell_of(id)?)))
            .collect()
    };
    let mut list = Vec::new();
    for (target, cell) in targets {
        let near: Vec<FigureId> = {
            let (position, scene) = (mind.position(), mind.scene());
            fighters
                .iter()
                .copied()
                .filter(|id| {
                    position
                        .cell_of(*id)
                        .is_some_and(|at| position.board.distance(at, cell) <= 1)
                        && melee::reach(scene, *id, target).is_ok()
                })
                .take(8)
                .collect()
        };
        let pairs = u32::try_from(near.len() * near.len()).unwrap_or(u32::MAX);
        if !mind.spend(pairs) {
            break;
        }
        for figure in &near {
            for support in near.iter().map(|other| Some(*other).filter(|other| other != figure)) {
                let worth = worth::attack(mind, *figure, support, target);
                let deed = Deed::Fight(Fight::Attack {
                    figure: *figure,
                    support,
                    target,
                });
                // Two who strike together give up a blow: half of what the second would have done alone.
                let alone = support.map_or(0, |support| worth::attack(mind, support, None, target).max(0) / 2);
                list.push((worth - alone, deed));
            }
        }
    }
    list
}

/// Hand to hand: the best attack first, until none is worth it.
pub(super) fn hand_to_hand(mind: &mut Mind<'_>) {
    if mind.reached() > Stage::Melee {
        return;
    }
    let mut struck = std::mem::take(&mut mind.struck);
    let mut list = attacks(mind, &struck);
    list.sort_by(|one, other| other.cmp(one));
    let mut used: BTreeSet<FigureId> = BTreeSet::new();
    for (worth, deed) in list {
        let Deed::Fight(Fight::Attack {
            figure,
            support,
            target,
        }) = &deed
        else {
            continue;
        };
        let busy = used.contains(figure) || support.is_some_and(|support| used.contains(&support));
        if worth <= 0 || busy || struck.contains(target) || !mind.dare(&deed) {
            continue;
        }
        struck.insert(*target);
        let both: Vec<FigureId> = [Some(*figure), *support].into_iter().flatten().collect();
        used.extend(&both);
        spent(mind, both);
    }
    mind.struck = struck;
}

/// Whether somebody who has not acted stands beside an enemy who was already struck at in this script: then it is worth looking at the dice.
pub(super) fn somebody_is_idle(mind: &Mind<'_>) -> bool {
    let (position, scene) = (mind.position(), mind.scene());
    let idle = own(mind, |figure| worth::is_fighter(figure.kind));
    mind.struck.iter().any(|target| {
        melee::victim(scene, mind.player, *target).is_ok()
            && idle.iter().any(|id| {
                melee::reach(scene, *id, *target).is_ok()
                    && worth::attack(mind, *id, None, *target) > 0
                    && position.figure(*id).is_some_and(Figure::is_present)
            })
    })
}
