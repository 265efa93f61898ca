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
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Shots are short; a longer line has too many ways along edges to try them all.
const WAYS_MAX: u64 = 8;

/// A step of columns and rows.
type Offset = (i32, i32);

/// Lines up to this length are reckoned once for all: as far as onagers throw.
const KNOWN: i32 = 11;

/// The corners of a hexagon around its centre, in thirds of columns and rows.
const CORNERS: [Offset; 6] = [(2, -1), (1, 1), (-1, 2), (-2, 1), (-1, -1), (1, -2)];

/// The fields between the ends of a line in their order: one at a time, or two where the line runs along their edge.
fn columns(board: &Board, from: Cell, to: Cell) -> Vec<Vec<Cell>> {
    static LINES: OnceLock<BTreeMap<Offset, Vec<Vec<Offset>>>> = OnceLock::new();
    let (Some(one), Some(other)) = (board.hex(from), board.hex(to)) else {
        return Vec::new();
    };
    let way = (other.q - one.q, other.r - one.r);
    let lines = LINES.get_or_init(|| {
        let all = (-KNOWN..=KNOWN).flat_map(|q| (-KNOWN..=KNOWN).map(move |r| (q, r)));
        let near = all.filter(|(q, r)| (q + r).abs() <= KNOWN);
        near.map(|way| (way, crossed(way))).collect()
    });
    let on_board = |line: &[Vec<Offset>]| {
        let name = |(q, r): &Offset| board.at(Hex::new(one.q + q, one.r + r));
        line.iter()
            .map(|column| column.iter().filter_map(name).collect())
            .collect()
    };
    match lines.get(&way) {
        Some(line) => on_board(line),
        None => on_board(&crossed(way)),
    }
}

/// The fields that a line from the centre of field (0, 0) to that of another crosses between them, and the pairs along whose edge it runs.
///
/// A field is crossed if it has corners on both sides of the line; the line runs along its edge if two corners lie on it and all others on one
/// side. Whoever is crossed later has his centre farther along the line, and the two of a pair have theirs at the same height.
fn crossed(way: Offset) -> Vec<Vec<Offset>> {
    let along = |(q, r): Offset| 2 * q * way.0 + 2 * r * way.1 + q * way.1 + r * way.0;
    let reach = way.0.abs().max(way.1.abs()).max((way.0 + way.1).abs());
    let mut columns: BTreeMap<i32, Vec<Offset>> = BTreeMap::new();
    for q in -reach..=reach {
        for r in -reach..=reach {
            let height = along((q, r));
            if height <= 0 || height >= along(way) {
                continue;
            }
            let sides = CORNERS.map(|corner| (way.0 * (3 * r + corner.1) - way.1 * (3 * q + corner.0)).signum());
            let both = sides.contains(&1) && sides.contains(&-1);
            if both || sides.iter().filter(|side| **side == 0).count() == 2 {
                columns.entry(height).or_default().push((q, r));
            }
        }
    }
    columns.into_values().collect()
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
    fn a_line_crosses_every_field_between_its_ends_and_runs_along_edges_between_two() {
        assert_eq!(crossed((0, 0)), Vec::<Vec<Offset>>::new());
        assert_eq!(crossed((1, 0)), Vec::<Vec<Offset>>::new());
        assert_eq!(crossed((3, 0)), [[(1, 0)], [(2, 0)]]);
        // Along the edge between (0, 1) and (1, 0).
        assert_eq!(crossed((1, 1)), [[(0, 1), (1, 0)]]);
        assert_eq!(crossed((2, 1)), [[(1, 0)], [(1, 1)]]);
        // Four fields far there are four between, although every one of them could be reached in three steps.
        assert_eq!(crossed((3, 1)), [[(1, 0)], [(1, 1)], [(2, 0)], [(2, 1)]]);
        assert_eq!(
            crossed((2, 2)),
            [vec![(0, 1), (1, 0)], vec![(1, 1)], vec![(1, 2), (2, 1)]]
        );
    }

    #[test]
    fn a_line_is_the_same_in_both_directions() {
        for way in (-9..=9).flat_map(|q| (-9..=9).map(move |r| (q, r))) {
            let mut back: Vec<Vec<Offset>> = crossed((-way.0, -way.1));
            back.reverse();
            for column in &mut back {
                for (q, r) in column.iter_mut() {
                    (*q, *r) = (*q + way.0, *r + way.1);
                }
                column.sort_unstable();
            }
            assert_eq!(crossed(way), back, "{way:?}");
        }
    }
}
