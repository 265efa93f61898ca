//! What figures, fields and duels are worth to the opponent, in hundredths of an arms unit.

use super::mind::Mind;
use crate::board::{Cell, Spot};
use crate::kinds::{Kind, Stage};
use crate::melee::{self, Bout};
use crate::odds::{self, Fighter, Kill};
use crate::state::{Figure, FigureId, Position};
use crate::tables::Tables;
use kernel::realm::RealmId;

/// What a figure is worth: its price, a king by his lives.
pub(super) fn figure(tables: &Tables, figure: &Figure) -> i64 {
    let price = tables.figure(figure.kind).price.saturating_mul(100);
    match figure.kind {
        Kind::King => price.saturating_mul(i64::from(figure.lives.max(1))) / 4,
        Kind::Wizard => 1_000,
        _ => price.max(50),
    }
}

/// What an attack is worth: the odds of killing times the enemy's worth, less the odds of falling times the own.
pub(super) fn attack(mind: &Mind<'_>, attacker: FigureId, support: Option<FigureId>, target: FigureId) -> i64 {
    let scene = mind.scene();
    let (Some(own), Some(other)) = (scene.position.figure(attacker), scene.position.figure(target)) else {
        return 0;
    };
    let odds = Bout::new(scene, attacker, support, target).odds();
    let gain = i64::from(odds.kill).saturating_mul(figure(mind.tables, other));
    let loss = i64::from(odds.death).saturating_mul(figure(mind.tables, own));
    (gain - loss) / i64::from(odds::DUELS)
}

/// Whether a figure belongs to somebody whom this player fights.
pub(super) fn is_enemy(position: &Position, player: RealmId, figure: &Figure) -> bool {
    position.hostile(player, figure.owner)
}

/// Whether a figure strikes hand to hand of its own accord: not a shooter, who has only a knife.
pub(super) fn is_fighter(kind: Kind) -> bool {
    melee::fights(kind) && !melee::is_shooter(kind) && kind.is_warrior()
}

/// What an enemy beside an own figure would be worth to him: the odds of an unsupported attack by the bare figures of the rules.
pub(super) fn menace(tables: &Tables, enemy: &Figure, own: &Figure, higher: i64) -> i64 {
    let row = tables.figure(enemy.kind);
    let strike = Fighter {
        points: row.melee + row.attack,
        kill: Kill::From(tables.melee.kill_from),
    };
    let stand = Fighter {
        points: tables.figure(own.kind).melee + higher,
        kill: Kill::From(tables.melee.kill_from),
    };
    let odds = odds::duel(strike, stand);
    let loss = i64::from(odds.kill).saturating_mul(figure(tables, own));
    let gain = i64::from(odds.death).saturating_mul(figure(tables, enemy));
    (loss - gain).max(0) / i64::from(odds::DUELS)
}

/// Where the opponent wants to go, and how much.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    pub(super) cell: Cell,
    pub(super) weight: i64,
}

/// Trade centres of others, own ones that are threatened, and the enemy's figures.
pub(super) fn goals(mind: &Mind<'_>) -> Vec<Goal> {
    let position = mind.position();
    let enemies: Vec<Cell> = position
        .present()
        .filter(|(_, figure)| figure.kind.is_warrior() && is_enemy(position, mind.player, figure))
        .filter_map(|(id, _)| position.cell_of(id))
        .collect();
    let mut goals: Vec<Goal> = enemies.iter().map(|cell| Goal { cell: *cell, weight: 0 }).collect();
    for (cell, centre) in &position.centres {
        let value = mind.tables.victory.centre_value.get(&centre.kind).copied().unwrap_or(0);
        let near = enemies.iter().any(|enemy| position.board.distance(*enemy, *cell) <= 4);
        if !position.allied(mind.player, centre.possessor) {
            goals.push(Goal {
                cell: *cell,
                weight: 40 * value,
            });
        } else if near {
            goals.push(Goal {
                cell: *cell,
                weight: 20 * value,
            });
        }
    }
    goals.sort_by_key(|goal| (goal.cell, -goal.weight));
    goals.dedup_by_key(|goal| goal.cell);
    goals
}

/// How good it is for a figure to be at this spot at the end of its steps: it stands there on the imagined board.
pub(super) fn place(mind: &mut Mind<'_>, id: FigureId, at: Spot, goals: &[Goal]) -> i64 {
    let position = mind.position();
    let Some(own) = position.figure(id).cloned() else {
        return i64::MIN;
    };
    let board = &position.board;
    let way = |goal: &Goal| {
        let fields = i64::try_from(board.distance(at.cell, goal.cell)).unwrap_or(1_000);
        goal.weight - 60 * fields
    };
    let mut score = goals.iter().map(way).max().unwrap_or(0);
    let height = i64::from(board.height(mind.tables, at));
    score += 12 * height;
    if let Some(ground) = board.ground(at.cell) {
        let row = mind.tables.terrain(ground.terrain);
        score += if row.forest { 10 } else { 0 };
        score -= if row.danger.is_some() {
            figure(mind.tables, &own) / 10
        } else {
            0
        };
    }
    let mut beside = Vec::new();
    let (mut shots, mut fear) = (0i64, 0i64);
    for (enemy, other) in position.present() {
        if !is_enemy(position, mind.player, other) || !other.kind.family().is_living() {
            continue;
        }
        let Some(cell) = position.cell_of(enemy) else { continue };
        let fields = board.distance(at.cell, cell);
        if fields <= 1 {
            beside.push(enemy);
        }
        if (1..=3).contains(&fields) {
            shots += 1;
        }
        if fields <= 3 && is_fighter(other.kind) && other.is_able() {
            let level = position
                .spot_of(enemy)
                .map_or(0, |spot| i64::from(board.height(mind.tables, spot)));
            let higher = i64::from(height > level) * mind.tables.melee.higher_level;
            fear += menace(mind.tables, other, &own, higher) / 3;
        }
    }
    let friends = position
        .present()
        .filter(|(friend, other)| {
            *friend != id
                && other.kind.is_warrior()
                && position.allied(mind.player, other.owner)
                && position
                    .cell_of(*friend)
                    .is_some_and(|cell| board.distance(at.cell, cell) <= 1)
        })
        .count();
    score += 8 * i64::try_from(friends.min(5)).unwrap_or(0);
    score -= fear.min(figure(mind.tables, &own)) / i64::try_from(1 + friends.min(3)).unwrap_or(1);
    if melee::is_shooter(own.kind) {
        // A bow shoots from a distance and dies at arm's length.
        return score + 40 * shots.min(3) - if beside.is_empty() { 0 } else { 150 };
    }
    score + best_blow(mind, id, &beside)
}

/// The best attack from here, if there is a good one.
fn best_blow(mind: &mut Mind<'_>, id: FigureId, beside: &[FigureId]) -> i64 {
    if mind.reached() > Stage::Melee || !mind.spend(u32::try_from(beside.len()).unwrap_or(u32::MAX)) {
        return 0;
    }
    let scene = mind.scene();
    let reachable = beside
        .iter()
        .filter(|enemy| melee::victim(scene, mind.player, **enemy).is_ok() && melee::reach(scene, id, **enemy).is_ok());
    reachable
        .map(|enemy| attack(mind, id, None, *enemy))
        .max()
        .unwrap_or(0)
        .max(0)
}
