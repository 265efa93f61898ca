//! The acts: onagers, bows, pitch, rams, then hand to hand. Whoever is struck once is left alone until the dice are seen.

use super::beasts;
use super::fleet;
use super::mind::Mind;
use super::ranks;
use super::worth;
use crate::board::{Cell, Spot};
use crate::deed::{Deed, Fight};
use crate::kinds::{Family, Fitting, Kind, Part, Stage};
use crate::melee;
use crate::odds;
use crate::state::{Figure, FigureId, Place, Position};
use crate::{devices, missiles, pitch, ships};
use std::collections::BTreeSet;

/// Attacks on one enemy that are compared: more fighters than that never stand around him with room to spare.
const NEAR_MAX: usize = 8;

/// Everything that strikes from a distance, in the order of the stages.
pub(super) fn from_afar(mind: &mut Mind<'_, '_>) {
    throws(mind);
    shots(mind);
    pours(mind);
    rams(mind);
}

/// Remembers whom a line strikes, if what becomes of them is not seen. With a rider his horse may change its master.
pub(super) fn strikes(mind: &mut Mind<'_, '_>, ids: impl IntoIterator<Item = FigureId>) {
    if !mind.is_planning() {
        return;
    }
    for id in ids {
        mind.struck.insert(id);
        let place = mind.position().figure(id).map(|figure| figure.place);
        if let Some(Place::On(mount, Part::Back | Part::Saddle)) = place {
            mind.struck.insert(mount);
        }
    }
}

/// Remembers at whose walls a line strikes, if what becomes of them is not seen.
fn shakes(mind: &mut Mind<'_, '_>, cell: Cell) {
    if mind.is_planning() {
        mind.shaken.insert(cell);
    }
}

/// What of the enemy's is at a spot, and whether anybody of the own side is.
fn enemies_at(mind: &Mind<'_, '_>, spot: Spot) -> (i64, bool) {
    let position = mind.position();
    let (mut worth, mut own) = (0, false);
    for (id, figure) in position.present() {
        if position.spot_of(id) != Some(spot) || matches!(figure.place, Place::Above(_)) {
            continue;
        }
        if worth::is_enemy(position, mind.player, figure) {
            worth += worth::figure(mind.tables(), figure);
        } else if position.allied(mind.player, figure.owner) {
            own = true;
        }
    }
    (worth, own)
}

pub(super) fn all_at(mind: &Mind<'_, '_>, cell: Cell) -> Vec<FigureId> {
    let position = mind.position();
    position
        .present()
        .filter(|(id, _)| position.cell_of(*id) == Some(cell))
        .map(|(id, _)| id)
        .collect()
}

pub(super) fn is_fresh(mind: &Mind<'_, '_>, cell: Cell) -> bool {
    mind.struck.is_empty() || all_at(mind, cell).iter().all(|id| !mind.struck.contains(id))
}

/// Onagers: where a throw takes most from the enemy; men survive more often than not, devices and ships do not, and a breach lets the own in.
fn throws(mind: &mut Mind<'_, '_>) {
    let onagers: Vec<(FigureId, Spot)> = {
        let position = mind.position();
        own(mind, |figure| figure.kind == Kind::Onager)
            .into_iter()
            .filter_map(|id| Some((id, position.spot_of(id)?)))
            .collect()
    };
    if onagers.is_empty() {
        return;
    }
    let marks = marks(mind);
    for (onager, here) in onagers {
        let crew = {
            let position = mind.position();
            let fits = |figure: &Figure| figure.possessor == mind.player && figure.kind.is_warrior() && !figure.acted;
            position
                .present()
                .filter(|(id, figure)| fits(figure) && position.spot_of(*id) == Some(here))
                .min_by_key(|(id, figure)| {
                    (
                        melee::is_shooter(figure.kind),
                        worth::figure(mind.tables(), figure),
                        *id,
                    )
                })
                .map(|(id, _)| id)
        };
        let Some(crew) = crew else { continue };
        let mut list: Vec<(i64, Deed)> = marks
            .iter()
            .filter_map(|(worth, target)| {
                let number = number(mind, here, *target)?;
                let gain = worth * i64::from(odds::at_least(number)) / i64::from(odds::THROWS);
                let deed = Deed::Fight(Fight::Throw {
                    onager,
                    crew,
                    target: *target,
                    side: None,
                });
                (gain > 0 && is_fresh(mind, target.cell)).then_some((gain, deed))
            })
            .collect();
        list.sort_by(|one, other| other.cmp(one));
        for (_, deed) in list.into_iter().take(6) {
            if mind.act(&deed) {
                if let Deed::Fight(Fight::Throw { target, .. }) = deed {
                    let all = all_at(mind, target.cell);
                    strikes(mind, all);
                    shakes(mind, target.cell);
                }
                break;
            }
        }
    }
}

/// The number of a throw, roughly: what the rules add for walls and ships does not change which mark is best.
fn number(mind: &Mind<'_, '_>, from: Spot, target: Spot) -> Option<i64> {
    let (board, table) = (&mind.position().board, &mind.tables().onager);
    let far = i64::try_from(board.distance(from.cell, target.cell)).ok()?;
    if far < table.distance_min || far > table.distance_max {
        return None;
    }
    let height = |spot: Spot| i64::from(board.height(mind.tables(), spot));
    let uphill = (height(target) - height(Spot::ground(from.cell))).max(0);
    Some(table.base + far / table.fields_per_point.max(1) + uphill * table.uphill_per_level)
}

/// Spots worth a throw, each with what a hit takes: every spot with enemies and nobody of the own side, and shut ground storeys.
fn marks(mind: &Mind<'_, '_>) -> Vec<(i64, Spot)> {
    let position = mind.position();
    let mut spots: BTreeSet<Spot> = position
        .present()
        .filter(|(_, figure)| {
            worth::is_enemy(position, mind.player, figure) && !matches!(figure.place, Place::Above(_))
        })
        .filter_map(|(id, _)| position.spot_of(id))
        .collect();
    let castles = position.board.all().filter(|cell| {
        position
            .board
            .building(*cell)
            .is_some_and(|building| position.hostile(mind.player, building.owner))
    });
    spots.extend(castles.map(Spot::ground));
    let mut marks = Vec::new();
    for spot in spots {
        let (_, own) = enemies_at(mind, spot);
        if own {
            continue;
        }
        let mut worth: i64 = position
            .present()
            .filter(|(id, figure)| {
                position.spot_of(*id) == Some(spot) && worth::is_enemy(position, mind.player, figure)
            })
            .map(|(_, figure)| {
                let whole = worth::figure(mind.tables(), figure);
                if figure.kind.family().is_device() {
                    whole
                } else {
                    whole * 38 / 100
                }
            })
            .sum();
        worth += breach(mind, spot);
        if worth > 0 {
            marks.push((worth, spot));
        }
    }
    marks
}

/// What it is worth to open a shut ground storey: something, as long as no gate of it is open.
fn breach(mind: &Mind<'_, '_>, spot: Spot) -> i64 {
    let position = mind.position();
    let Some(building) = position.board.building(spot.cell).filter(|_| spot.level == 0) else {
        return 0;
    };
    let hostile = position.hostile(mind.player, building.owner);
    let shut = building.storeys.first().is_some_and(|storey| {
        storey
            .walls
            .iter()
            .all(|wall| wall.is_some_and(|wall| wall != Fitting::Broken))
    });
    if hostile && shut { 300 } else { 0 }
}

/// Bows: each at the target with the most to gain.
fn shots(mind: &mut Mind<'_, '_>) {
    let shooters: Vec<FigureId> = own(mind, |figure| melee::is_shooter(figure.kind));
    for shooter in shooters {
        let best = {
            let (scene, position) = (mind.scene(), mind.position());
            let Some(here) = position.cell_of(shooter) else {
                continue;
            };
            let reach = u64::try_from(mind.tables().bow.range_from_above).unwrap_or(0);
            position
                .present()
                .filter(|(id, figure)| {
                    worth::is_enemy(position, mind.player, figure)
                        && !mind.struck.contains(id)
                        && figure.kind.family().is_living()
                        && position
                            .cell_of(*id)
                            .is_some_and(|cell| position.board.distance(here, cell) <= reach)
                })
                .filter_map(|(id, figure)| {
                    let (shot, _) = missiles::shot(scene, mind.player, shooter, id).ok()?;
                    let gain = i64::from(shot.odds()) * worth::figure(mind.tables(), figure) / i64::from(odds::THROWS);
                    (gain > 0).then_some((gain, id))
                })
                .max()
        };
        if let Some((_, target)) = best
            && mind.act(&Deed::Fight(Fight::Shoot {
                figure: shooter,
                target,
            }))
        {
            strikes(mind, [target]);
        }
    }
}

/// Pitch on enemies below an own platform.
fn pours(mind: &mut Mind<'_, '_>) {
    let mut list = Vec::new();
    pitch::candidates(mind.scene(), mind.player, &mut list);
    let mut good: Vec<(i64, Deed)> = list
        .into_iter()
        .filter_map(|deed| {
            let Deed::Fight(Fight::Pour { target, .. }) = &deed else {
                return None;
            };
            let (worth, own) = enemies_at(mind, Spot::ground(*target));
            (worth > 0 && !own).then_some((worth, deed))
        })
        .collect();
    good.sort_by(|one, other| other.cmp(one));
    for (_, deed) in good {
        let Deed::Fight(Fight::Pour { figure, target }) = &deed else {
            continue;
        };
        if !is_fresh(mind, *target) || !mind.may(&deed) || !mind.act(&deed) {
            continue;
        }
        let all = all_at(mind, *target);
        strikes(mind, all);
        if mind.is_planning() {
            // Whoever pours for the line, nobody else on the platform is counted on afterwards.
            let spot = mind.position().spot_of(*figure);
            let there = own_at(mind, |position, id| position.spot_of(id) == spot);
            spent(mind, there);
        }
    }
}

/// Reckons with nobody of these any more in this turn.
pub(super) fn spent(mind: &mut Mind<'_, '_>, ids: impl IntoIterator<Item = FigureId>) {
    for id in ids {
        if let Some(figure) = mind.position_mut().figure_mut(id) {
            figure.acted = true;
        }
    }
}

/// Every blow that a ram, turtle or elephant can strike now against gates and walls of the enemy, with the field that it strikes.
fn battering(mind: &Mind<'_, '_>) -> Vec<(Cell, Deed)> {
    let mut list = Vec::new();
    devices::candidates(mind.scene(), mind.player, &mut list);
    let position = mind.position();
    let struck = |deed: &Deed| {
        let Deed::Fight(Fight::Ram { target, .. }) = deed else {
            return None;
        };
        let ground = position.board.ground(target.at.cell)?;
        let wall = ground.walls[target.side.index()].map(|wall| wall.owner);
        let owner = ground.building.as_ref().map(|building| building.owner).or(wall)?;
        position.hostile(mind.player, owner).then_some(target.at.cell)
    };
    list.into_iter()
        .filter_map(|deed| Some((struck(&deed)?, deed)))
        .filter(|(_, deed)| mind.may(deed))
        .collect()
}

/// Whether a ram could still strike at what was struck at in this script: then it is worth looking at the dice before the melee.
pub(super) fn a_ram_waits(mind: &Mind<'_, '_>) -> bool {
    !mind.shaken.is_empty() && battering(mind).iter().any(|(cell, _)| mind.shaken.contains(cell))
}

/// Rams, turtles and elephants against gates and walls of the enemy; ships against ships.
pub(super) fn rams(mind: &mut Mind<'_, '_>) {
    for (cell, deed) in battering(mind) {
        if !mind.shaken.contains(&cell) && mind.act(&deed) {
            shakes(mind, cell);
        }
    }
    let mut list = Vec::new();
    ships::candidates(mind.scene(), mind.player, &mut list);
    for deed in list {
        if let Deed::Fight(Fight::RamShip { ship, target }) = &deed
            && mind.may(&deed)
            && fleet::ram_worth(mind, *ship, *target) > 0
            && mind.act(&deed)
        {
            let met: Vec<FigureId> = [*ship, *target]
                .into_iter()
                .flat_map(|ship| mind.position().aboard(ship).map(|(id, _)| id).collect::<Vec<_>>())
                .collect();
            strikes(mind, met);
        }
    }
}

fn own(mind: &Mind<'_, '_>, fits: impl Fn(&Figure) -> bool) -> Vec<FigureId> {
    mind.position()
        .present()
        .filter(|(_, figure)| figure.possessor == mind.player && !figure.acted && figure.is_able() && fits(figure))
        .map(|(id, _)| id)
        .collect()
}

fn own_at(mind: &Mind<'_, '_>, fits: impl Fn(&Position, FigureId) -> bool) -> Vec<FigureId> {
    let position = mind.position();
    position
        .present()
        .filter(|(id, figure)| figure.possessor == mind.player && fits(position, *id))
        .map(|(id, _)| id)
        .collect()
}

/// The attacks that can be made now, each with its worth: alone, and with every other fighter there as support.
fn attacks(mind: &mut Mind<'_, '_>) -> Vec<(i64, Deed)> {
    let fighters: Vec<(FigureId, Cell)> = {
        let position = mind.position();
        own(mind, |figure| melee::fights(figure.kind))
            .into_iter()
            .filter(|id| !mind.struck.contains(id))
            .filter_map(|id| Some((id, position.cell_of(id)?)))
            .collect()
    };
    if fighters.is_empty() {
        return Vec::new();
    }
    let targets: Vec<(FigureId, Cell)> = {
        let (position, scene) = (mind.position(), mind.scene());
        let near = |cell: Cell| fighters.iter().any(|(_, at)| position.board.distance(*at, cell) <= 1);
        position
            .present()
            .filter(|(id, figure)| {
                let wild = figure.kind.family() == Family::Creature && !figure.owner.is_played();
                !mind.struck.contains(id) && (wild || worth::is_enemy(position, mind.player, figure))
            })
            .filter_map(|(id, _)| Some((id, position.cell_of(id)?)))
            .filter(|(id, cell)| near(*cell) && melee::victim(scene, mind.player, *id).is_ok())
            .collect()
    };
    let mut list = Vec::new();
    for (target, cell) in targets {
        let near: Vec<FigureId> = {
            let (position, scene) = (mind.position(), mind.scene());
            fighters
                .iter()
                .filter(|(id, at)| position.board.distance(*at, cell) <= 1 && melee::reach(scene, *id, target).is_ok())
                .map(|(id, _)| *id)
                .take(NEAR_MAX)
                .collect()
        };
        let pairs = u32::try_from(near.len() * near.len()).unwrap_or(u32::MAX);
        if !mind.spend(pairs) {
            break;
        }
        let alone: Vec<i64> = near.iter().map(|id| worth::attack(mind, *id, None, target)).collect();
        for (figure, worth) in near.iter().zip(&alone) {
            let attack = |support: Option<FigureId>| {
                Deed::Fight(Fight::Attack {
                    figure: *figure,
                    support,
                    target,
                })
            };
            list.push((*worth, attack(None)));
            for (support, other) in near.iter().zip(&alone).filter(|(support, _)| *support != figure) {
                // Two who strike together give up a blow: half of what the second would have done alone.
                let both = worth::attack(mind, *figure, Some(*support), target) - (*other).max(0) / 2;
                list.push((both, attack(Some(*support))));
            }
        }
    }
    list.retain(|(worth, _)| *worth > 0);
    list
}

/// Hand to hand: the best attack first, until none is worth it.
pub(super) fn hand_to_hand(mind: &mut Mind<'_, '_>) {
    if mind.reached() > Stage::Melee {
        return;
    }
    ranks::strike(mind);
    beasts::strike(mind);
    let mut list = attacks(mind);
    list.sort_by(|one, other| other.cmp(one));
    let mut used: BTreeSet<FigureId> = BTreeSet::new();
    for (_, deed) in list {
        let Deed::Fight(Fight::Attack {
            figure,
            support,
            target,
        }) = &deed
        else {
            continue;
        };
        let busy = used.contains(figure) || support.is_some_and(|support| used.contains(&support));
        if busy || used.contains(target) || mind.struck.contains(target) || !mind.act(&deed) {
            continue;
        }
        strikes(mind, [*target]);
        // Whoever may have fallen, or has struck, is not reckoned with again before one has looked.
        used.extend([Some(*figure), *support, Some(*target)].into_iter().flatten());
    }
}

/// Whether somebody who has not acted stands beside an enemy who was already struck at in this script: then it is worth looking at the dice.
pub(super) fn somebody_is_idle(mind: &Mind<'_, '_>) -> bool {
    let scene = mind.scene();
    let idle = own(mind, |figure| worth::is_fighter(figure.kind));
    mind.struck.iter().any(|target| {
        melee::victim(scene, mind.player, *target).is_ok()
            && idle
                .iter()
                .any(|id| melee::reach(scene, *id, *target).is_ok() && worth::attack(mind, *id, None, *target) > 0)
    })
}

/// Other acts of who is left: ladders and ropes of the enemy are thrown down.
pub(super) fn afterwards(mind: &mut Mind<'_, '_>) {
    let leaning: Vec<FigureId> = {
        let position = mind.position();
        position
            .present()
            .filter(|(_, figure)| figure.leans.is_some() && position.hostile(mind.player, figure.possessor))
            .map(|(id, _)| id)
            .collect()
    };
    for ladder in leaning {
        let (scene, position) = (mind.scene(), mind.position());
        let Some(top) = crate::animals::top_of(scene, ladder) else {
            continue;
        };
        let hands: Vec<FigureId> = own(mind, |figure| {
            figure.place == Place::At(top) && figure.kind.is_warrior()
        });
        let rope = position.figure(ladder).is_some_and(|figure| figure.kind == Kind::Rope);
        for figure in hands {
            let deed = Deed::Fight(if rope {
                Fight::CutRope { rope: ladder, figure }
            } else {
                Fight::Topple { ladder, figure }
            });
            // Once tried, it may be gone: another tries only where that is seen.
            if mind.may(&deed) && mind.act(&deed) && mind.is_planning() {
                break;
            }
        }
    }
}
