//! Straight lines over the board (ARM-GAP-07): what blocks them, what covers those at their end.
//!
//! A line runs from centre to centre. Where it runs along an edge it may pass on either side, whichever is better for the shooter.

use crate::battle::Scene;
use crate::board::{Board, Cell, Spot};
use crate::contact;
use crate::deed::Refusal;
use crate::kinds::{Fitting, Kind, Part};
use crate::melee;
use crate::phalanx;
use crate::rule;
use crate::state::{Figure, FigureId, Place};
use kernel::hex::{Direction, Hex};
use kernel::rule::RuleId;

/// Shots are short; a longer line has too many ways along edges to try them all.
const WAYS_MAX: u64 = 8;

/// The fields that a line touches at each step between its ends: one, or two where it runs along their edge.
fn columns(board: &Board, from: Cell, to: Cell) -> Vec<Vec<Cell>> {
    let (Some(one), Some(other)) = (board.hex(from), board.hex(to)) else {
        return Vec::new();
    };
    let length = i64::try_from(one.distance(other)).unwrap_or(0);
    let along = |step: i64| {
        let part = |from: i32, to: i32| i64::from(from) * length + i64::from(to - from) * step;
        touched(part(one.q, other.q), part(one.r, other.r), length)
    };
    let name = |hex: Hex| board.at(hex);
    (1..length)
        .map(|step| along(step).into_iter().filter_map(name).collect())
        .collect()
}

/// The fields whose closed hexagons hold the point (q, r) / scale.
fn touched(q: i64, r: i64, scale: i64) -> Vec<Hex> {
    let mut found = Vec::new();
    let (left, low) = (q.div_euclid(scale), r.div_euclid(scale));
    for column in left..=left + 1 {
        for row in low..=low + 1 {
            let (dq, dr) = (q - column * scale, r - row * scale);
            let ds = -dq - dr;
            let inside = [dq - dr, dr - ds, ds - dq]
                .into_iter()
                .all(|apart| apart.abs() <= scale);
            if let (true, Ok(q), Ok(r)) = (inside, i32::try_from(column), i32::try_from(row)) {
                found.push(Hex::new(q, r));
            }
        }
    }
    found
}

/// The height of a field as an obstacle: its terrain, forest and storeys.
fn obstacle(scene: Scene<'_>, cell: Cell) -> i64 {
    let Some(ground) = scene.position.board.ground(cell) else {
        return 0;
    };
    let row = scene.tables.terrain(ground.terrain);
    let forest = if row.forest {
        scene.tables.sight.forest_height
    } else {
        0
    };
    let storeys = ground.building.as_ref().map_or(0, |building| building.storeys.len());
    // Where figures block, whoever stands there is a level high.
    let stands = |(id, figure): (FigureId, &Figure)| {
        !matches!(figure.place, Place::Above(_) | Place::Swimming(_)) && scene.position.cell_of(id) == Some(cell)
    };
    let figures = i64::from(scene.tables.sight.figures_block && scene.position.present().any(stands));
    figures + i64::from(row.level) + forest + scene.tables.sight.storey_height * i64::try_from(storeys).unwrap_or(0)
}

/// Whether a field between two heights blocks the line: it is higher than both, or higher than the lower one and right before it.
fn blocks(scene: Scene<'_>, cell: Cell, one: (Cell, u8), other: (Cell, u8)) -> bool {
    let height = obstacle(scene, cell);
    let (lower, higher) = if one.1 <= other.1 { (one, other) } else { (other, one) };
    let beside = |end: Cell| scene.position.board.distance(cell, end) == 1;
    // At equal heights both ends are the lower one, but then the first test is as strict.
    height > i64::from(higher.1) || (height > i64::from(lower.1) && beside(lower.0))
}

/// Whether there is a line of sight between two heights over the board.
pub fn sees(scene: Scene<'_>, one: (Cell, u8), other: (Cell, u8)) -> bool {
    let columns = columns(&scene.position.board, one.0, other.0);
    columns
        .iter()
        .all(|cells| cells.is_empty() || cells.iter().any(|cell| !blocks(scene, *cell, one, other)))
}

/// From how high somebody looks and where he is hit.
pub fn eye(scene: Scene<'_>, id: FigureId) -> Option<(Cell, u8)> {
    let cell = scene.position.cell_of(id)?;
    let height = contact::height(scene, id).or_else(|| {
        let spot = scene.position.spot_of(id)?;
        Some(scene.position.board.height(scene.tables, spot))
    })?;
    Some((cell, height))
}

/// The side of a field that looks towards another, for hits on the wall that faces a thrower.
pub fn toward(board: &Board, from: Cell, to: Cell) -> Option<Direction> {
    if let Some(side) = board.direction(from, to) {
        return Some(side);
    }
    let first = columns(board, from, to).into_iter().next()?;
    first.into_iter().find_map(|cell| board.direction(from, cell))
}

/// A clear shot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clear {
    /// Fields between them.
    pub distance: i64,
    /// Whether the target is covered.
    pub cover: bool,
    /// Levels that the shot goes up.
    pub uphill: i64,
    /// Whether the shooter stands higher than the target.
    pub from_above: bool,
    /// The rules that decided.
    pub rules: Vec<RuleId>,
}

/// Whether a shot from one figure at another has a clear line, and what covers the target.
///
/// # Errors
/// What is in the way.
pub fn clear(scene: Scene<'_>, shooter: FigureId, target: FigureId) -> Result<Clear, Refusal> {
    let blocked = |code: &'static str, rules: &'static [RuleId]| {
        Refusal::new(code, rules)
            .with("figure", scene.position.name(shooter))
            .with("target", scene.position.name(target))
    };
    let hidden = || blocked("no-sight", &[rule::GAP_07]);
    let (Some(from), Some(to)) = (eye(scene, shooter), eye(scene, target)) else {
        return Err(hidden());
    };
    let distance = scene.position.board.distance(from.0, to.0);
    if distance > WAYS_MAX {
        return Err(blocked("out-of-range", &[rule::GAP_06]));
    }
    let line = Line {
        scene,
        shooter,
        target,
        from,
        to,
    };
    let mut best: Option<(bool, Vec<RuleId>)> = None;
    let mut worst = None;
    for way in line.ways() {
        match line.follow(&way) {
            Ok((cover, rules)) if best.as_ref().is_none_or(|(covered, _)| *covered && !cover) => {
                best = Some((cover, rules));
            }
            Ok(_) => {}
            Err((code, rules)) => worst = Some(blocked(code, rules)),
        }
    }
    let Some((cover, rules)) = best else {
        return Err(worst.unwrap_or_else(hidden));
    };
    Ok(Clear {
        distance: i64::try_from(distance).unwrap_or(i64::MAX),
        cover,
        uphill: (i64::from(to.1) - i64::from(from.1)).max(0),
        from_above: from.1 > to.1,
        rules,
    })
}

/// What is in the way: the code of the refusal and its rules.
type Obstacle = (&'static str, &'static [RuleId]);

struct Line<'a> {
    scene: Scene<'a>,
    shooter: FigureId,
    target: FigureId,
    from: (Cell, u8),
    to: (Cell, u8),
}

impl Line<'_> {
    /// Every way along the line, from the shooter's field to the target's.
    fn ways(&self) -> Vec<Vec<Cell>> {
        let board = &self.scene.position.board;
        let mut ways = vec![vec![self.from.0]];
        if self.from.0 == self.to.0 {
            return ways;
        }
        for cells in columns(board, self.from.0, self.to.0) {
            ways = ways
                .into_iter()
                .flat_map(|way| {
                    let last = way.last().copied();
                    let steps = cells
                        .iter()
                        .copied()
                        .filter(move |cell| last.is_none_or(|last| board.direction(last, *cell).is_some()));
                    steps
                        .map(|cell| {
                            let mut longer = way.clone();
                            longer.push(cell);
                            longer
                        })
                        .collect::<Vec<_>>()
                })
                .collect();
        }
        for way in &mut ways {
            way.push(self.to.0);
        }
        ways
    }

    /// Whether a shot can go this way, and whether the target is covered.
    fn follow(&self, way: &[Cell]) -> Result<(bool, Vec<RuleId>), Obstacle> {
        let mut rules = vec![rule::GAP_07];
        let mut cover = self.covered(way.len() == 1);
        if let [_, between @ .., _] = way
            && between.iter().any(|cell| blocks(self.scene, *cell, self.from, self.to))
        {
            return Err(("no-sight", &[rule::GAP_07]));
        }
        if way.len() == 1 {
            self.indoors()?;
        }
        let last = way.len().saturating_sub(2);
        for (index, pair) in way.windows(2).enumerate() {
            let [here, there] = pair else { continue };
            let Some(side) = self.scene.position.board.direction(*here, *there) else {
                return Err(("no-sight", &[rule::GAP_07]));
            };
            if index == 0 {
                self.leave(side, &mut rules)?;
            }
            cover |= self.walls(*here, side, (index == 0, index == last), &mut rules)?;
            if index == last {
                self.enter(side.opposite(), *here)?;
            }
        }
        Ok((cover, rules))
    }

    fn figure(&self, id: FigureId) -> Option<&Figure> {
        self.scene.position.figure(id)
    }

    /// The storey of a building that a figure is in, with its walls.
    fn storey(&self, id: FigureId) -> Option<(Spot, [Option<Fitting>; 6])> {
        let Place::At(spot) = self.figure(id)?.place else {
            return None;
        };
        let building = self.scene.position.board.building(spot.cell)?;
        let storey = building.storeys.get(usize::from(spot.level))?;
        Some((spot, storey.walls))
    }

    /// On one field with a building only those on the same level see each other.
    fn indoors(&self) -> Result<(), Obstacle> {
        let spot = |id| self.scene.position.spot_of(id);
        let built = self.scene.position.board.building(self.from.0).is_some();
        if built && spot(self.shooter) != spot(self.target) {
            return Err(("no-sight", &[rule::GAP_07, rule::GAP_15]));
        }
        Ok(())
    }

    /// Out of a storey a shot goes through a breach, an open gate, or the loophole that the shooter has stepped up to.
    fn leave(&self, side: Direction, rules: &mut Vec<RuleId>) -> Result<(), Obstacle> {
        let Some((spot, walls)) = self.storey(self.shooter) else {
            return Ok(());
        };
        match walls[side.index()] {
            None => Ok(()),
            Some(fitting) if fitting.is_open() => Ok(()),
            Some(Fitting::Loophole) => {
                rules.push(rule::GAP_13);
                self.loophole(spot, side)
            }
            Some(_) => Err(("shot-shut-in", &[rule::GAP_13, rule::GAP_15])),
        }
    }

    /// ARM-GAP-13: one shooter per loophole and round, who has stepped up to it.
    fn loophole(&self, spot: Spot, side: Direction) -> Result<(), Obstacle> {
        if self.figure(self.shooter).and_then(|figure| figure.facing) != Some(side) {
            return Err(("not-at-loophole", &[rule::GAP_13]));
        }
        let shot = self.scene.position.standing_at(spot).filter(|(id, figure)| {
            *id != self.shooter && melee::is_shooter(figure.kind) && figure.acted && figure.facing == Some(side)
        });
        if i64::try_from(shot.count()).unwrap_or(i64::MAX) >= self.scene.tables.wall.shooters_per_loophole {
            return Err(("loophole-used", &[rule::GAP_13]));
        }
        Ok(())
    }

    /// Into a storey a shot comes through whatever is not shut.
    fn enter(&self, side: Direction, before: Cell) -> Result<(), Obstacle> {
        if let Some((_, walls)) = self.storey(self.target)
            && let Some(Fitting::Plain | Fitting::Closed) = walls[side.index()]
        {
            return Err(("no-sight", &[rule::GAP_07, rule::GAP_15]));
        }
        let target = self.figure(self.target);
        let facing = target
            .filter(|target| target.phalanx.is_some())
            .and_then(|target| target.facing);
        if facing.is_some_and(|facing| phalanx::front(self.scene, self.to.0, facing, before)) {
            return Err(("phalanx-front", &[rule::GAP_07, rule::GAP_19]));
        }
        Ok(())
    }

    /// ARM-GAP-13: walls along the way. Through a loophole one shoots out from right behind it, and in at who stands right behind it, covered.
    fn walls(
        &self,
        here: Cell,
        side: Direction,
        (first, last): (bool, bool),
        rules: &mut Vec<RuleId>,
    ) -> Result<bool, Obstacle> {
        let (near, far) = self.scene.position.board.walls_between(here, side);
        if let Some(near) = near.filter(|wall| !wall.fitting.is_open()) {
            if near.fitting != Fitting::Loophole || !first {
                return Err(("wall-in-line", &[rule::GAP_13]));
            }
            rules.push(rule::GAP_13);
            self.loophole(Spot::ground(here), side)?;
        }
        if let Some(far) = far {
            if !far.fitting.is_open() && (far.fitting != Fitting::Loophole || !last) {
                return Err(("wall-in-line", &[rule::GAP_13]));
            }
            return Ok(last);
        }
        Ok(false)
    }

    /// ARM-GAP-07: what covers the target wherever the shot comes from, or, in a building, from outside.
    fn covered(&self, same_field: bool) -> bool {
        let position = self.scene.position;
        let Some(target) = self.figure(self.target) else {
            return false;
        };
        let forest = position
            .board
            .ground(self.to.0)
            .is_some_and(|ground| self.scene.tables.terrain(ground.terrain).forest);
        let carried = |place: Place| match place {
            Place::On(_, Part::Wagon | Part::Saddle | Part::Lower | Part::Upper) => true,
            Place::On(ship, Part::Bow | Part::Stern) => {
                let kind = position.figure(ship).map(|ship| ship.kind);
                matches!(kind, Some(Kind::Longship | Kind::SailingShip))
            }
            _ => false,
        };
        let mount = match target.place {
            Place::On(carrier, Part::Back | Part::Saddle) => position.figure(carrier).map(|carrier| carrier.place),
            _ => None,
        };
        let spot = position.spot_of(self.target);
        let built = spot.is_some_and(|spot| position.board.building(spot.cell).is_some());
        forest || carried(target.place) || mount.is_some_and(carried) || (built && !same_field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_within_a_field_touches_it_alone_and_one_on_an_edge_touches_two() {
        assert_eq!(touched(0, 0, 4), vec![Hex::new(0, 0)]);
        // Half way between (0, 0) and (1, 1) lies the middle of the edge between (0, 1) and (1, 0).
        assert_eq!(touched(1, 1, 2), vec![Hex::new(0, 1), Hex::new(1, 0)]);
        assert_eq!(touched(4, 0, 4), vec![Hex::new(1, 0)]);
        assert_eq!(touched(-3, 1, 4), vec![Hex::new(-1, 0)]);
    }
}
