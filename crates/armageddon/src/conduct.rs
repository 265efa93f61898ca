//! A plain conduct for battles that are only counted: go for the nearest enemy, shoot what is most likely hit, attack where it pays.
//!
//! It is the catalogue's conduct ANGRIFF for everybody: an attack is worth its odds of killing times the price of the target, less its odds of
//! dying times the own price; below nothing it is left alone, or tried with support.

use crate::battle::{Battle, Scene};
use crate::board::{Cell, Spot};
use crate::deed::{Deed, Field, Fight};
use crate::kinds::Stage;
use crate::legal;
use crate::melee::{self, Bout};
use crate::missiles;
use crate::state::{Figure, FigureId, Place};
use kernel::realm::RealmId;

/// Plays one turn of a player.
pub fn play(battle: &mut Battle<'_>, player: RealmId) {
    let own = own_fighters(battle, player);
    for id in &own {
        advance(battle, player, *id);
    }
    for id in own.iter().copied() {
        shoot(battle, player, id);
    }
    for id in own {
        strike(battle, player, id);
    }
}

/// Whoever of the player's can do something by himself: warriors on foot or on horseback.
fn own_fighters(battle: &Battle<'_>, player: RealmId) -> Vec<FigureId> {
    battle
        .position
        .present()
        .filter(|(_, figure)| figure.owner == player && figure.kind.is_warrior() && figure.is_able())
        .map(|(id, _)| id)
        .collect()
}

/// The fields of living enemies.
fn enemies(scene: Scene<'_>, player: RealmId) -> Vec<Cell> {
    let hostile = |figure: &Figure| figure.kind.is_person() && scene.position.hostile(player, figure.owner);
    let all = scene.position.present().filter(|(_, figure)| hostile(figure));
    let mut cells: Vec<Cell> = all.filter_map(|(id, _)| scene.position.cell_of(id)).collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}

fn nearest(scene: Scene<'_>, enemies: &[Cell], from: Cell) -> Option<u64> {
    enemies
        .iter()
        .map(|cell| scene.position.board.distance(*cell, from))
        .min()
}

/// Steps towards the nearest enemy, a shooter only until he is in range; who is engaged steps away.
fn advance(battle: &mut Battle<'_>, player: RealmId, id: FigureId) {
    if battle.position.clock.stage > Stage::Movement {
        return;
    }
    let enemies = enemies(battle.scene(player), player);
    // A horse has four steps and whoever moves at double speed as many: more are never needed at once.
    for _ in 0..4 {
        let scene = battle.scene(player);
        let Some(figure) = scene.position.figure(id) else {
            return;
        };
        // On horseback it is the horse that goes.
        let mover = match figure.place {
            Place::At(_) => id,
            Place::On(horse, crate::kinds::Part::Back) => horse,
            _ => return,
        };
        let (Some(from), Some(here)) = (
            scene.position.spot_of(id),
            scene
                .position
                .cell_of(id)
                .and_then(|cell| nearest(scene, &enemies, cell)),
        ) else {
            return;
        };
        let range = u64::try_from(scene.tables.bow.range).unwrap_or(0);
        let wanted = if melee::is_shooter(figure.kind) {
            2..=range
        } else {
            0..=1
        };
        if wanted.contains(&here) {
            return;
        }
        let away = here < *wanted.start();
        let mut ways: Vec<(u64, Cell)> = scene
            .position
            .board
            .neighbours(from.cell)
            .filter_map(|(_, cell)| Some((nearest(scene, &enemies, cell)?, cell)))
            .filter(|(there, _)| if away { *there > here } else { *there <= here })
            .collect();
        ways.sort_unstable();
        if away {
            ways.reverse();
        }
        let went = ways.into_iter().any(|(there, cell)| {
            let to = Spot::ground(cell);
            let deed = Deed::Field(Field::Step { figure: mover, to });
            // Sideways only to get round somebody, not to and fro.
            (there != here || cell > from.cell) && legal::carry_out(battle, player, &deed).is_ok()
        });
        if !went {
            return;
        }
    }
}

/// Shoots at whom he hits most likely.
fn shoot(battle: &mut Battle<'_>, player: RealmId, id: FigureId) {
    let scene = battle.scene(player);
    let Some(figure) = scene.position.figure(id) else {
        return;
    };
    let Some(cell) = scene.position.cell_of(id).filter(|_| melee::is_shooter(figure.kind)) else {
        return;
    };
    let range = u64::try_from(scene.tables.bow.range_from_above).unwrap_or(0);
    let best = scene
        .position
        .present()
        .filter(|(_, target)| target.kind.is_person() && scene.position.hostile(player, target.owner))
        .filter(|(target, _)| {
            let at = scene.position.cell_of(*target);
            at.is_some_and(|at| scene.position.board.distance(at, cell) <= range)
        })
        .filter_map(|(target, found)| {
            let (shot, _) = missiles::shot(scene, player, id, target).ok()?;
            Some((i64::from(shot.odds()) * value(scene, found), target))
        })
        .max_by_key(|(worth, target)| (*worth, std::cmp::Reverse(*target)));
    if let Some((worth, target)) = best
        && worth > 0
    {
        let deed = Deed::Fight(Fight::Shoot { figure: id, target });
        // The shot was judged legal; that a stage has passed meanwhile is the only reason against it.
        let _ = legal::carry_out(battle, player, &deed);
    }
}

fn value(scene: Scene<'_>, figure: &Figure) -> i64 {
    scene.tables.figure(figure.kind).price.max(1)
}

/// What an attack is worth.
fn worth(scene: Scene<'_>, bout: &Bout) -> i64 {
    let price = |id: FigureId| scene.position.figure(id).map_or(0, |figure| value(scene, figure));
    let odds = bout.odds();
    i64::from(odds.kill) * price(bout.target) - i64::from(odds.death) * price(bout.attacker)
}

/// Attacks where it is worth most; where alone it is worth less than nothing, with support.
fn strike(battle: &mut Battle<'_>, player: RealmId, id: FigureId) {
    let scene = battle.scene(player);
    let position = scene.position;
    let able = |id: FigureId| {
        let found = position
            .figure(id)
            .filter(|figure| figure.is_present() && !figure.acted);
        found.is_some_and(|figure| melee::fights(figure.kind))
    };
    let Some(cell) = position.cell_of(id).filter(|_| able(id)) else {
        return;
    };
    let beside = |other: FigureId| {
        let at = position.cell_of(other);
        at.is_some_and(|at| position.board.distance(at, cell) <= 1)
    };
    let targets: Vec<FigureId> = position
        .present()
        .filter(|(target, found)| position.hostile(player, found.owner) && beside(*target))
        .map(|(target, _)| target)
        .filter(|target| melee::victim(scene, player, *target).is_ok() && melee::reach(scene, id, *target).is_ok())
        .collect();
    let alone = targets
        .iter()
        .map(|target| (worth(scene, &Bout::new(scene, id, None, *target)), None, *target))
        .max_by_key(|(worth, _, target)| (*worth, std::cmp::Reverse(*target)));
    let best = match alone {
        Some((worth, ..)) if worth < 0 => supported(scene, player, id, &targets).or(alone),
        other => other,
    };
    let Some((worth, support, target)) = best else { return };
    if worth >= 0 {
        let deed = Deed::Fight(Fight::Attack {
            figure: id,
            support,
            target,
        });
        let _ = legal::carry_out(battle, player, &deed);
    }
}

/// The best attack with somebody's support.
fn supported(
    scene: Scene<'_>,
    player: RealmId,
    id: FigureId,
    targets: &[FigureId],
) -> Option<(i64, Option<FigureId>, FigureId)> {
    let cell = scene.position.cell_of(id)?;
    let helpers: Vec<FigureId> = scene
        .position
        .present()
        .filter(|(other, figure)| {
            *other != id
                && figure.owner == player
                && !figure.acted
                && melee::fights(figure.kind)
                && scene
                    .position
                    .cell_of(*other)
                    .is_some_and(|at| scene.position.board.distance(at, cell) <= 2)
        })
        .map(|(other, _)| other)
        .collect();
    let mut best: Option<(i64, Option<FigureId>, FigureId)> = None;
    for target in targets {
        for helper in &helpers {
            let deed = Fight::Attack {
                figure: id,
                support: Some(*helper),
                target: *target,
            };
            if melee::judge(scene, player, &deed).is_err() {
                continue;
            }
            let bout = Bout::new(scene, id, Some(*helper), *target);
            let found = (worth(scene, &bout), Some(*helper), *target);
            if best.is_none_or(|(known, ..)| found.0 > known) {
                best = Some(found);
            }
        }
    }
    best
}
