//! What figures, fields and duels are worth to the opponent, in hundredths of an arms unit.

use super::chart::{Chart, ON_FOOT};
use super::mind::Mind;
use crate::board::Spot;
use crate::kinds::{Family, Kind, Stage};
use crate::melee::{self, Bout};
use crate::odds::{self, Fighter, Kill};
use crate::state::{Figure, FigureId, Position};
use crate::tables::Tables;
use crate::victory;
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
pub(super) fn attack(mind: &Mind<'_, '_>, attacker: FigureId, support: Option<FigureId>, target: FigureId) -> i64 {
    let scene = mind.scene();
    let (Some(own), Some(other)) = (scene.position.figure(attacker), scene.position.figure(target)) else {
        return 0;
    };
    let odds = Bout::new(scene, attacker, support, target).odds();
    let gain = i64::from(odds.kill).saturating_mul(figure(mind.tables(), other));
    let loss = i64::from(odds.death).saturating_mul(figure(mind.tables(), own));
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
pub(super) fn menace(tables: &Tables, enemy: Kind, own: &Figure, higher: i64) -> i64 {
    let row = tables.figure(enemy);
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
    let gain = i64::from(odds.death).saturating_mul(row.price.saturating_mul(100).max(50));
    (loss - gain).max(0) / i64::from(odds::DUELS)
}

/// Whether a player's side wins if nothing more happens until the last round.
pub(super) fn is_winning(tables: &Tables, position: &Position, player: RealmId) -> bool {
    let side = position.players.get(&player).map(|player| player.side);
    side.is_some() && victory::at_the_limit(tables, position) == side
}

/// How good it is for a figure to be at this spot at the end of its steps.
pub(super) fn place(mind: &mut Mind<'_, '_>, chart: &mut Chart, (mover, who): (FigureId, FigureId), at: Spot) -> i64 {
    let position = mind.position();
    let (Some(own), Some(walker)) = (position.figure(who).cloned(), position.figure(mover)) else {
        return i64::MIN;
    };
    let kind = if walker.kind.is_person() { ON_FOOT } else { walker.kind };
    let board = &position.board;
    let value = figure(mind.tables(), &own);
    let mut score = 12 * i64::from(board.height(mind.tables(), at));
    if let Some(ground) = board.ground(at.cell).filter(|ground| ground.building.is_none()) {
        let row = mind.tables().terrain(ground.terrain);
        score += if row.forest { 10 } else { 0 };
        if row.danger.is_some() {
            // Danger comes to the whole field at once.
            score -= value / 10 + 15 * chart.friends_on(at.cell);
        }
    }
    if chart.is_under_pitch(mind, at.cell) {
        score -= 80;
    }
    score += 8 * chart.friends_near(position, at.cell).min(5);
    score -= chart.fear(mind, &own, at);
    let position = mind.position();
    if let Some(cell) = mind.errands.get(&mover) {
        return score - 200 * i64::try_from(position.board.distance(at.cell, *cell)).unwrap_or(1_000);
    }
    if melee::is_shooter(own.kind) {
        return score + stand_off(mind, chart, (&own, kind), at);
    }
    let way = scaled(chart.way(kind, at), value);
    score - way + blow_from(mind, chart, (mover, who), at)
}

/// A way in terms of who goes it: whoever is worth more has more to fear, and would go back from every arrow if a step did not count more for him
/// too. Half of the difference makes two equal armies meet as equals, whoever begins.
fn scaled(way: i64, value: i64) -> i64 {
    let value = value.clamp(MAN, 10 * MAN);
    way.clamp(-WAY_MAX, WAY_MAX) * (MAN + value) / (2 * MAN)
}

/// What a man with a plain weapon is worth.
const MAN: i64 = 200;
/// No way on any board is longer.
const WAY_MAX: i64 = 1_000_000;

/// A bow shoots from a distance, behind those who fight, and dies at arm's length. What the best shot from there brings is told by distance,
/// height, armour and cover; whether something bars the sight is seen when it is shot.
fn stand_off(mind: &Mind<'_, '_>, chart: &Chart, (own, kind): (&Figure, Kind), at: Spot) -> i64 {
    let (position, tables) = (mind.position(), mind.tables());
    let height = i64::from(position.board.height(tables, at));
    let bow = &tables.bow;
    let (mut targets, mut best, mut beside) = (0, 0, false);
    for foe in &chart.foes {
        let fields = i64::try_from(position.board.distance(at.cell, foe.spot.cell)).unwrap_or(i64::MAX);
        let range = if height > foe.height {
            bow.range_from_above
        } else {
            bow.range
        };
        if (1..=range).contains(&fields) {
            let row = tables.figure(foe.kind);
            let uphill = (foe.height - height).max(0) * bow.uphill_per_level;
            let number = bow.base + fields + uphill + row.armour + chart.cover(mind, foe.spot.cell);
            let odds = odds::at_least(number - tables.figure(own.kind).shooting);
            best = best.max(i64::from(odds) * row.price * 100 / i64::from(odds::THROWS));
            targets += 1;
        }
        beside |= fields <= 1 && foe.fighter && foe.height.abs_diff(height) <= 1;
    }
    let way = if targets > 0 {
        // Near enough: no need to come nearer.
        chart.way(kind, at).max(2 * super::chart::STEP)
    } else {
        chart.way(kind, at)
    };
    let way = scaled(way, figure(tables, own));
    let bare = if chart.is_screened(position, at.cell) { 0 } else { 60 };
    2 * best + 20 * targets.min(3) - way - if beside { 150 } else { 0 } - bare
}

/// The best attack from a spot, if there is a good one.
pub(super) fn blow_from(mind: &mut Mind<'_, '_>, chart: &Chart, (mover, who): (FigureId, FigureId), at: Spot) -> i64 {
    if mind.reached() > Stage::Melee {
        return 0;
    }
    let beside: Vec<FigureId> = chart.foes_near(mind.position(), at.cell).map(|foe| foe.id).collect();
    if beside.is_empty() || !mind.spend(u32::try_from(beside.len()).unwrap_or(u32::MAX)) {
        return 0;
    }
    let Some(place) = mind.position().figure(mover).map(|figure| figure.place) else {
        return 0;
    };
    let elephant = mind.position().figure(mover).map(|figure| figure.kind.family()) == Some(Family::Elephant);
    if elephant {
        // Its riders neither fight nor are fought.
        return 0;
    }
    set_place(mind.position_mut(), mover, crate::state::Place::At(at));
    let scene = mind.scene();
    let best = beside
        .iter()
        .filter(|enemy| melee::victim(scene, mind.player, **enemy).is_ok() && melee::reach(scene, who, **enemy).is_ok())
        .map(|enemy| attack(mind, who, None, *enemy))
        .max();
    set_place(mind.position_mut(), mover, place);
    best.unwrap_or(0).max(0)
}

fn set_place(position: &mut Position, id: FigureId, place: crate::state::Place) {
    if let Some(figure) = position.figure_mut(id) {
        figure.place = place;
    }
}
