//! The board as the opponent sees it when his turn begins: where the enemies are, how far it is to what he wants, where it is dangerous.
//!
//! Everything is reckoned once for the turn and looked up for every spot that a figure could go to; only who stands where is kept up to date
//! while figures move.

use super::mind::Mind;
use super::worth;
use crate::board::{Cell, Spot};
use crate::contact;
use crate::kinds::{Class, Family, Fitting, Kind, Weapon};
use crate::melee;
use crate::movement;
use crate::odds;
use crate::room::{self, Room};
use crate::siege;
use crate::state::{Figure, FigureId, Place, Position};
use kernel::hex::Direction;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// Levels of a building that are told apart.
const LEVELS: usize = 8;
/// What a step of way is worth, in hundredths of an arms unit.
pub(super) const STEP: i64 = 60;
/// The same for a side that has won if nothing more happens: it need not go anywhere.
const STEP_HOLDING: i64 = 15;
/// Fields from which a rider is thought to come and strike.
const RIDE: u64 = 4;
/// Farther than any way.
const FAR: i64 = i64::MAX / 4;

/// An enemy.
#[derive(Clone, Debug)]
pub(super) struct Foe {
    pub(super) id: FigureId,
    pub(super) spot: Spot,
    pub(super) height: i64,
    pub(super) kind: Kind,
    pub(super) fighter: bool,
    pub(super) shooter: bool,
}

/// What steps cost one kind of figure, by spot: six sides, up, down; nothing where there is no way.
struct Net(Vec<[u8; 8]>);

/// The board as the opponent sees it.
pub(super) struct Chart {
    /// Living enemies on the board.
    pub(super) foes: Vec<Foe>,
    by_cell: Vec<Vec<u16>>,
    /// By field, the enemies who could come and strike there in their next turn.
    strikers: Vec<Vec<u16>>,
    nets: BTreeMap<Kind, Net>,
    ways: BTreeMap<Kind, Vec<i64>>,
    free: Vec<i64>,
    /// Warriors of the own side by field.
    friends: Vec<u8>,
    /// Own men with more than a knife by field.
    fighters: Vec<u8>,
    /// Blows and shots that a kind must fear at a spot.
    fears: BTreeMap<(Kind, Spot), (i64, i64)>,
    /// Whether the own side has won if nothing more happens.
    pub(super) holding: bool,
    /// Fields of own strongholds whose people are starving, or will soon.
    pub(super) starving: BTreeSet<Cell>,
    /// Buildings of enemies, or with enemies in them.
    pub(super) hostile_buildings: Vec<Cell>,
}

/// People on foot all go alike.
pub(super) const ON_FOOT: Kind = Kind::Warrior(Weapon::Sword, Class::A);

pub(super) fn node(spot: Spot) -> usize {
    spot.cell.index() * LEVELS + usize::from(spot.level).min(LEVELS - 1)
}

impl Chart {
    pub(super) fn new(mind: &Mind<'_, '_>) -> Self {
        let (position, tables) = (mind.position(), mind.tables());
        let fields = position.board.all().count();
        let mut chart = Self {
            foes: Vec::new(),
            by_cell: vec![Vec::new(); fields],
            strikers: vec![Vec::new(); fields],
            nets: BTreeMap::new(),
            ways: BTreeMap::new(),
            free: vec![0; fields * LEVELS],
            friends: vec![0; fields],
            fighters: vec![0; fields],
            fears: BTreeMap::new(),
            holding: worth::is_winning(tables, position, mind.player),
            starving: starving(mind),
            hostile_buildings: Vec::new(),
        };
        for (id, figure) in position.present() {
            let Some(spot) = position.spot_of(id) else { continue };
            if worth::is_enemy(position, mind.player, figure) {
                if figure.kind.family().is_living() && !matches!(figure.place, Place::Above(_)) {
                    chart.add_foe(mind, id, figure, spot);
                }
            } else if figure.kind.is_warrior() && position.allied(mind.player, figure.owner) {
                chart.count(spot.cell, figure.kind, 1);
            }
        }
        for cell in position.board.all() {
            for spot in spots(mind, cell) {
                if let Some(free) = chart.free.get_mut(node(spot)) {
                    *free = room::free(tables, position, Room::Spot(spot));
                }
            }
            let hostile = position.board.building(cell).is_some_and(|building| {
                position.hostile(mind.player, building.owner) || chart.foes_on(cell).next().is_some()
            });
            if hostile {
                chart.hostile_buildings.push(cell);
            }
        }
        chart.find_strikers(mind);
        chart
    }

    /// Finds out for every enemy who fights where he could strike in his next turn: beside every field that he reaches with his steps. A river
    /// that bars blows or a shut wall keeps him off; riders are thought to come everywhere near.
    fn find_strikers(&mut self, mind: &Mind<'_, '_>) {
        let (scene, position) = (mind.scene(), mind.position());
        let board = &position.board;
        self.net(mind, ON_FOOT);
        let Some(net) = self.nets.get(&ON_FOOT) else { return };
        for (at, foe) in (0u16..).zip(&self.foes).filter(|(_, foe)| foe.fighter) {
            let mut struck: BTreeSet<Cell> = BTreeSet::new();
            if contact::mount(scene, foe.id).is_some() {
                let near = |cell: &Cell| board.distance(*cell, foe.spot.cell) <= RIDE;
                struck.extend(board.all().filter(near));
            } else {
                let steps = position
                    .figure(foe.id)
                    .map_or(0, |figure| movement::allowance(scene, figure));
                for (spot, _) in net.within(board, foe.spot, steps) {
                    struck.insert(spot.cell);
                    let beside = board.neighbours(spot.cell).filter(|(side, next)| {
                        spot.level == 0
                            && net.cost(board, spot, Spot::ground(*next)).is_some()
                            && !contact::river_bars(scene, spot.cell, *side)
                    });
                    struck.extend(beside.map(|(_, next)| next));
                }
            }
            for cell in struck {
                if let Some(list) = self.strikers.get_mut(cell.index()) {
                    list.push(at);
                }
            }
        }
    }

    fn add_foe(&mut self, mind: &Mind<'_, '_>, id: FigureId, figure: &Figure, spot: Spot) {
        let able = figure.is_able();
        if let (Some(list), Ok(at)) = (self.by_cell.get_mut(spot.cell.index()), u16::try_from(self.foes.len())) {
            list.push(at);
        }
        self.foes.push(Foe {
            id,
            spot,
            height: i64::from(mind.position().board.height(mind.tables(), spot)),
            kind: figure.kind,
            fighter: able && worth::is_fighter(figure.kind),
            shooter: able && melee::is_shooter(figure.kind),
        });
    }

    fn count(&mut self, cell: Cell, kind: Kind, by: i16) {
        let lists = [
            Some(&mut self.friends),
            Some(&mut self.fighters).filter(|_| worth::is_fighter(kind)),
        ];
        for list in lists.into_iter().flatten() {
            if let Some(count) = list.get_mut(cell.index()) {
                *count = count.saturating_add_signed(i8::try_from(by).unwrap_or(0));
            }
        }
    }

    /// Takes a figure off its field while it looks where to go, or puts it back.
    pub(super) fn lift(&mut self, kind: Kind, cell: Cell, up: bool) {
        if kind.is_warrior() {
            self.count(cell, kind, if up { -1 } else { 1 });
        }
    }

    /// Somebody has come to or left these spots.
    pub(super) fn refresh(&mut self, mind: &Mind<'_, '_>, spots: &[Spot]) {
        for spot in spots {
            if let Some(free) = self.free.get_mut(node(*spot)) {
                *free = room::free(mind.tables(), mind.position(), Room::Spot(*spot));
            }
        }
    }

    pub(super) fn free(&self, spot: Spot) -> i64 {
        self.free.get(node(spot)).copied().unwrap_or(0)
    }

    /// The enemies on a field.
    pub(super) fn foes_on(&self, cell: Cell) -> impl Iterator<Item = &Foe> {
        let list = self.by_cell.get(cell.index()).map_or(&[][..], Vec::as_slice);
        list.iter().filter_map(|at| self.foes.get(usize::from(*at)))
    }

    /// The enemies on a field and around it.
    pub(super) fn foes_near<'a>(&'a self, position: &'a Position, cell: Cell) -> impl Iterator<Item = &'a Foe> {
        let around = position.board.neighbours(cell).map(|(_, cell)| cell);
        std::iter::once(cell).chain(around).flat_map(|cell| self.foes_on(cell))
    }

    /// How many fields away the nearest enemy is.
    pub(super) fn nearest_foe(&self, position: &Position, cell: Cell) -> Option<u64> {
        let far = self.foes.iter().map(|foe| position.board.distance(cell, foe.spot.cell));
        far.min()
    }

    /// Warriors of the own side on a field and around it.
    pub(super) fn friends_near(&self, position: &Position, cell: Cell) -> i64 {
        let at = |cell: Cell| i64::from(self.friends.get(cell.index()).copied().unwrap_or(0));
        at(cell) + position.board.neighbours(cell).map(|(_, cell)| at(cell)).sum::<i64>()
    }

    /// Warriors of the own side on a field.
    pub(super) fn friends_on(&self, cell: Cell) -> i64 {
        i64::from(self.friends.get(cell.index()).copied().unwrap_or(0))
    }

    /// Whether own fighters stand nearer to the nearest enemy fighter than this field.
    pub(super) fn is_screened(&self, position: &Position, cell: Cell) -> bool {
        let distance = |foe: &&Foe| position.board.distance(cell, foe.spot.cell);
        let Some(foe) = self.foes.iter().filter(|foe| foe.fighter).min_by_key(distance) else {
            return true;
        };
        let far = distance(&foe);
        if far > 4 {
            return true;
        }
        let screen = |(at, count): (usize, &u8)| {
            let at = u16::try_from(at).map(Cell).ok();
            *count > 0 && at.is_some_and(|at| position.board.distance(at, foe.spot.cell) < far)
        };
        self.fighters.iter().enumerate().any(screen)
    }

    /// What a step costs a kind, by spot and side.
    fn net(&mut self, mind: &Mind<'_, '_>, kind: Kind) -> &Net {
        self.nets.entry(kind).or_insert_with(|| weave(mind, kind))
    }

    /// How much way it is from each spot to what the side wants, for a kind of figure; what is wanted more is nearer.
    pub(super) fn prepare(&mut self, mind: &Mind<'_, '_>, kind: Kind) {
        self.net(mind, kind);
        if self.ways.contains_key(&kind) {
            return;
        }
        let goals = self.goals(mind);
        let step = if self.holding { STEP_HOLDING } else { STEP };
        let ways = self.ways_to(mind, kind, &goals, step);
        self.ways.insert(kind, ways);
    }

    /// The way from a spot to what the side wants, as [`Chart::prepare`] has reckoned it.
    pub(super) fn way(&self, kind: Kind, spot: Spot) -> i64 {
        let found = self.ways.get(&kind).and_then(|ways| ways.get(node(spot)).copied());
        found.unwrap_or(FAR).min(FAR)
    }

    /// The ways from every spot to the nearest of some goals, each with how much nearer it is than it seems.
    pub(super) fn ways_to(&mut self, mind: &Mind<'_, '_>, kind: Kind, goals: &[(Spot, i64)], step: i64) -> Vec<i64> {
        let board = &mind.position().board;
        let dangerous = |cell: Cell| {
            let ground = board.ground(cell).filter(|ground| ground.building.is_none());
            ground.is_some_and(|ground| mind.tables().terrain(ground.terrain).danger.is_some())
        };
        let nodes = self.free.len();
        let net = self.net(mind, kind);
        let mut ways = vec![FAR; nodes];
        let mut open = BinaryHeap::new();
        for (goal, weight) in goals {
            if let Some(way) = ways.get_mut(node(*goal))
                && -*weight < *way
            {
                *way = -*weight;
                open.push(Reverse((-*weight, *goal)));
            }
        }
        while let Some(Reverse((way, spot))) = open.pop() {
            if ways.get(node(spot)).copied() != Some(way) {
                continue;
            }
            for from in around(board, spot) {
                let Some(cost) = net.cost(board, from, spot) else {
                    continue;
                };
                // A field where one may sink, freeze or die of thirst is a little farther away.
                let danger = i64::from(dangerous(spot.cell)) * step * 2 / 3;
                let longer = way.saturating_add(step * i64::from(cost)).saturating_add(danger);
                if let Some(known) = ways.get_mut(node(from))
                    && longer < *known
                {
                    *known = longer;
                    open.push(Reverse((longer, from)));
                }
            }
        }
        ways
    }

    /// What the side wants to reach: enemies, trade centres of others, own ones in danger. What is shut is wanted from outside.
    fn goals(&self, mind: &Mind<'_, '_>) -> Vec<(Spot, i64)> {
        let position = mind.position();
        let board = &position.board;
        let mut goals: Vec<(Spot, i64)> = self.foes.iter().map(|foe| (foe.spot, 0)).collect();
        for (cell, centre) in &position.centres {
            let value = mind
                .tables()
                .victory
                .centre_value
                .get(&centre.kind)
                .copied()
                .unwrap_or(0);
            let near = self.foes.iter().any(|foe| board.distance(foe.spot.cell, *cell) <= 4);
            if !position.allied(mind.player, centre.possessor) {
                goals.push((Spot::ground(*cell), 40 * value));
            } else if near || self.holding {
                goals.push((Spot::ground(*cell), 20 * value));
            }
        }
        for cell in &self.hostile_buildings {
            // Before the walls one is still far from what is behind them.
            let outside = board
                .neighbours(*cell)
                .filter(|(_, next)| board.building(*next).is_none());
            goals.extend(outside.map(|(_, next)| (Spot::ground(next), -4 * STEP)));
        }
        goals
    }

    /// Every spot that a figure reaches with its steps and finds room at, each with its steps and the spot before it; the first is where it
    /// stands.
    pub(super) fn reach(
        &mut self,
        mind: &Mind<'_, '_>,
        kind: Kind,
        (start, steps, room): (Spot, u8, i64),
        most: usize,
    ) -> Vec<(Spot, u8, usize)> {
        self.net(mind, kind);
        let board = &mind.position().board;
        let mut found = vec![(start, 0u8, 0usize)];
        let mut next = 0;
        while let Some((from, used, _)) = found.get(next).copied() {
            if found.len() >= most {
                break;
            }
            for to in around(board, from) {
                let cost = self.nets.get(&kind).and_then(|net| net.cost(board, from, to));
                let Some(cost) = cost.filter(|cost| used.saturating_add(*cost) <= steps) else {
                    continue;
                };
                if self.free(to) >= room && !found.iter().any(|(spot, ..)| *spot == to) {
                    found.push((to, used.saturating_add(cost), next));
                }
            }
            next += 1;
        }
        found
    }

    /// What the enemies near a spot would do to a figure there: blows of those who can come, which friends share, and shots.
    pub(super) fn fear(&mut self, mind: &Mind<'_, '_>, own: &Figure, spot: Spot) -> i64 {
        let (blows, shots) = match self.fears.get(&(own.kind, spot)) {
            Some(known) => *known,
            None => {
                let found = self.dangers(mind, own, spot);
                self.fears.insert((own.kind, spot), found);
                found
            }
        };
        let friends = self.friends_near(mind.position(), spot.cell).min(3);
        blows / (1 + friends) + shots
    }

    /// What the ground of a field takes from a shot at somebody there.
    pub(super) fn cover(&self, mind: &Mind<'_, '_>, cell: Cell) -> i64 {
        let ground = mind.position().board.ground(cell);
        let covers =
            |ground: &crate::board::Ground| mind.tables().terrain(ground.terrain).forest || ground.building.is_some();
        if ground.is_some_and(covers) {
            mind.tables().bow.cover
        } else {
            0
        }
    }

    fn dangers(&self, mind: &Mind<'_, '_>, own: &Figure, spot: Spot) -> (i64, i64) {
        let (position, tables) = (mind.position(), mind.tables());
        let height = i64::from(position.board.height(tables, spot));
        let cover = self.cover(mind, spot.cell);
        let armour = tables.figure(own.kind).armour;
        let (mut blows, mut shots) = (0, 0);
        let strikers = self.strikers.get(spot.cell.index()).map_or(&[][..], Vec::as_slice);
        for foe in strikers.iter().filter_map(|at| self.foes.get(usize::from(*at))) {
            let higher = i64::from(height > foe.height) * tables.melee.higher_level;
            blows += worth::menace(tables, foe.kind, own, higher) / 3;
        }
        for foe in &self.foes {
            let fields = position.board.distance(spot.cell, foe.spot.cell);
            let range = if foe.height > height {
                tables.bow.range_from_above
            } else {
                tables.bow.range
            };
            if foe.shooter && i64::try_from(fields).is_ok_and(|fields| fields <= range) {
                let points = armour + cover - tables.figure(foe.kind).shooting;
                let number = tables.bow.base + i64::try_from(fields.max(1)).unwrap_or(1) + points;
                shots += i64::from(odds::at_least(number)) * worth::figure(tables, own) / i64::from(odds::THROWS);
            }
        }
        let most = worth::figure(tables, own);
        (blows.min(most), shots.min(most) / 2)
    }

    /// Whether pitch can be poured onto a field.
    pub(super) fn is_under_pitch(&self, mind: &Mind<'_, '_>, cell: Cell) -> bool {
        let board = &mind.position().board;
        board.building(cell).is_none()
            && board.neighbours(cell).any(|(_, next)| {
                let platform = board
                    .building(next)
                    .and_then(|building| building.platform(mind.tables()));
                platform.is_some_and(|level| self.foes_on(next).any(|foe| foe.spot.level == level))
            })
    }

    /// The shut gates of enemies at ground level, each with the field before it.
    pub(super) fn shut_gates(&self, mind: &Mind<'_, '_>) -> Vec<(Cell, Direction, Cell)> {
        let position = mind.position();
        let board = &position.board;
        let mut gates = Vec::new();
        for cell in board.all() {
            let Some(ground) = board.ground(cell) else { continue };
            for side in Direction::ALL {
                let (fitting, owner) = match &ground.building {
                    Some(building) => {
                        let storey = building.storeys.first();
                        (storey.and_then(|storey| storey.walls[side.index()]), building.owner)
                    }
                    None => {
                        let Some(wall) = ground.walls[side.index()] else {
                            continue;
                        };
                        (Some(wall.fitting), wall.owner)
                    }
                };
                let guarded = position.hostile(mind.player, owner) || self.foes_on(cell).next().is_some();
                if fitting == Some(Fitting::Closed)
                    && guarded
                    && let Some(outside) = board.neighbour(cell, side)
                    && board.building(outside).is_none()
                {
                    gates.push((cell, side, outside));
                }
            }
        }
        gates
    }
}

impl Net {
    /// Every spot that is reached from one with so many steps, whoever stands there, with what it takes.
    fn within(&self, board: &crate::board::Board, start: Spot, steps: u8) -> Vec<(Spot, u8)> {
        let mut found = vec![(start, 0u8)];
        let mut next = 0;
        while let Some((from, used)) = found.get(next).copied() {
            for to in around(board, from) {
                let cost = self.cost(board, from, to).map(|cost| used.saturating_add(cost));
                let Some(cost) = cost.filter(|cost| *cost <= steps) else {
                    continue;
                };
                match found.iter_mut().find(|(spot, _)| *spot == to) {
                    Some((_, known)) if *known > cost => *known = cost,
                    Some(_) => {}
                    None => found.push((to, cost)),
                }
            }
            next += 1;
        }
        found
    }

    fn cost(&self, board: &crate::board::Board, from: Spot, to: Spot) -> Option<u8> {
        let row = self.0.get(node(from))?;
        let at = if from.cell == to.cell {
            if to.level > from.level { 6 } else { 7 }
        } else {
            board.direction(from.cell, to.cell)?.index()
        };
        row.get(at).copied().filter(|cost| *cost > 0)
    }
}

/// The spots above, below and, from the ground, beside a spot.
fn around(board: &crate::board::Board, from: Spot) -> impl Iterator<Item = Spot> + '_ {
    let storeys = [from.level.checked_sub(1), from.level.checked_add(1)];
    let storeys = storeys.into_iter().flatten().map(move |level| Spot { level, ..from });
    let beside = board.neighbours(from.cell).map(|(_, cell)| Spot::ground(cell));
    storeys.chain(beside.filter(move |_| from.level == 0))
}

fn spots(mind: &Mind<'_, '_>, cell: Cell) -> impl Iterator<Item = Spot> + use<> {
    let building = mind.position().board.building(cell);
    let levels = building.map_or(1, |building| building.levels(mind.tables()));
    (0..levels).map(move |level| Spot { cell, level })
}

/// Asks the rules for every step that a kind could take.
fn weave(mind: &Mind<'_, '_>, kind: Kind) -> Net {
    let scene = mind.scene();
    let board = &scene.position.board;
    let mut rows = vec![[0u8; 8]; board.all().count() * LEVELS];
    let cost = |from: Spot, to: Spot| movement::way(scene, mind.player, kind, from, to).map_or(0, |way| way.steps);
    for cell in board.all() {
        for from in spots(mind, cell) {
            let Some(row) = rows.get_mut(node(from)) else { continue };
            if from.level == 0 {
                for (side, next) in board.neighbours(cell) {
                    row[side.index()] = cost(from, Spot::ground(next));
                }
            }
            if board.building(cell).is_some() && (kind.is_person() || kind.family() == Family::Wizard) {
                let up = Spot {
                    level: from.level.saturating_add(1),
                    ..from
                };
                row[6] = cost(from, up);
                if let Some(level) = from.level.checked_sub(1) {
                    row[7] = cost(from, Spot { level, ..from });
                }
            }
        }
    }
    Net(rows)
}

/// Fields of strongholds that an enemy besieges and that have no food left after this round.
fn starving(mind: &Mind<'_, '_>) -> BTreeSet<Cell> {
    let position = mind.position();
    let hungry = |cell: &Cell| {
        let siege = position.sieges.get(cell);
        siege.filter(|siege| !siege.by.is_played() || position.hostile(mind.player, siege.by))
    };
    if position.sieges.is_empty() {
        return BTreeSet::new();
    }
    siege::strongholds(mind.scene())
        .into_iter()
        .filter(|stronghold| hungry(&stronghold.name()).is_some_and(|siege| siege.rounds >= stronghold.size()))
        .flat_map(|stronghold| stronghold.cells)
        .collect()
}
