//! Strongholds and their accesses (ARM-0.4.60 to 0.4.64), the state of siege, hunger (ARM-0.4.65 to 0.4.68, ARM-GAP-18).
//!
//! A [`Stronghold`] is determined anew whenever it is asked for: fields with buildings or walls, and what they enclose, as far as one can go
//! from field to field inside. What was declared and how long it has lasted stands in [`crate::state::Position::sieges`].

use crate::battle::{Battle, Scene};
use crate::board::Cell;
use crate::deed::{Deed, Fight, Permit, Refusal};
use crate::devices::{self, Bulwark};
use crate::event::FightHappening;
use crate::kinds::{Class, Family, Fate, Fitting, Kind, Spell, Weapon};
use crate::state::{Figure, FigureId, Place, Siege};
use crate::{loss, room, rule, survival};
use kernel::hex::Direction;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use std::collections::BTreeSet;

/// A way into a stronghold: a gate, or a gap (ARM-0.4.62).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// The field before it.
    pub outside: Cell,
    /// Whether it is a gate, and one that stands open; none for a gap.
    pub gate: Option<bool>,
}

/// A defensive position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stronghold {
    /// Its fields.
    pub cells: BTreeSet<Cell>,
    /// The ways in.
    pub accesses: Vec<Access>,
}

impl Stronghold {
    /// By which field it is called.
    pub fn name(&self) -> Cell {
        self.cells.first().copied().unwrap_or_default()
    }

    /// How many fields it has.
    pub fn size(&self) -> u32 {
        u32::try_from(self.cells.len()).unwrap_or(u32::MAX)
    }

    /// Whether all gates are shut.
    fn is_shut(&self) -> bool {
        self.accesses.iter().all(|access| access.gate != Some(true))
    }
}

/// The fittings that bar the edge between two fields at ground level: side walls of buildings and walls of fields. Fallen ones bar nothing.
fn barriers(scene: Scene<'_>, cell: Cell, side: Direction) -> Vec<Fitting> {
    let board = &scene.position.board;
    let of_building = |cell: Cell, side: Direction| {
        let building = board.building(cell)?;
        building.storeys.first()?.walls[side.index()]
    };
    let (near, far) = board.walls_between(cell, side);
    let beyond = board.neighbour(cell, side);
    [
        of_building(cell, side),
        beyond.and_then(|beyond| of_building(beyond, side.opposite())),
        near.map(|wall| wall.fitting),
        far.map(|wall| wall.fitting),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Fields with a building or a wall, and those that they enclose.
fn fortified(scene: Scene<'_>) -> BTreeSet<Cell> {
    let board = &scene.position.board;
    let built = |cell: &Cell| {
        board
            .ground(*cell)
            .is_some_and(|ground| ground.building.is_some() || ground.walls.iter().any(Option::is_some))
    };
    let mut fields: BTreeSet<Cell> = board.all().filter(built).collect();
    if fields.is_empty() {
        return fields;
    }
    let mut open: Vec<Cell> = board
        .all()
        .filter(|cell| !fields.contains(cell) && board.neighbours(*cell).count() < Direction::ALL.len())
        .collect();
    let mut outside: BTreeSet<Cell> = open.iter().copied().collect();
    while let Some(cell) = open.pop() {
        for (_, next) in board.neighbours(cell) {
            if !fields.contains(&next) && outside.insert(next) {
                open.push(next);
            }
        }
    }
    fields.extend(board.all().filter(|cell| !outside.contains(cell)));
    fields
}

/// All strongholds on the board, by their lowest field.
pub fn strongholds(scene: Scene<'_>) -> Vec<Stronghold> {
    let board = &scene.position.board;
    let fields = fortified(scene);
    let mut seen = BTreeSet::new();
    let mut list = Vec::new();
    for start in &fields {
        if !seen.insert(*start) {
            continue;
        }
        let mut stronghold = Stronghold {
            cells: BTreeSet::new(),
            accesses: Vec::new(),
        };
        let mut open = vec![*start];
        while let Some(cell) = open.pop() {
            stronghold.cells.insert(cell);
            for (side, next) in board.neighbours(cell) {
                let barriers = barriers(scene, cell, side);
                if !barriers.iter().all(|fitting| fitting.is_gate()) {
                    continue;
                }
                if fields.contains(&next) {
                    if seen.insert(next) {
                        open.push(next);
                    }
                } else if can_walk(scene, cell, side, next) {
                    let gate = barriers.iter().map(|fitting| fitting.is_open());
                    stronghold.accesses.push(Access {
                        outside: next,
                        gate: gate.reduce(|one, other| one && other),
                    });
                }
            }
        }
        list.push(stronghold);
    }
    list
}

/// Whether a man could go from one field to the other if no gate were in the way.
fn can_walk(scene: Scene<'_>, cell: Cell, side: Direction, next: Cell) -> bool {
    let board = &scene.position.board;
    let Some(ground) = board.ground(next) else { return false };
    let man = Kind::Warrior(Weapon::Sword, Class::A);
    let stays = ground.stream_bridge.is_some() || room::may_stay(scene.tables, man, ground.terrain).is_ok();
    let height = |cell: Cell| board.height(scene.tables, crate::board::Spot::ground(cell));
    let steep = i64::from(height(cell).abs_diff(height(next))) > scene.tables.step.levels_max;
    let flooded = board
        .river(cell, side)
        .and_then(|river| river.spell)
        .is_some_and(|on| on.spell == Spell::FloodRiver);
    stays && !steep && !flooded
}

/// The stronghold that a figure is in.
pub(crate) fn around(scene: Scene<'_>, id: FigureId) -> Option<Stronghold> {
    let stronghold = stronghold_at(scene, scene.position.cell_of(id)?)?;
    inside(scene, &stronghold).contains(&id).then_some(stronghold)
}

/// The stronghold that a field belongs to.
fn stronghold_at(scene: Scene<'_>, cell: Cell) -> Option<Stronghold> {
    strongholds(scene)
        .into_iter()
        .find(|stronghold| stronghold.cells.contains(&cell))
}

/// Those inside who eat: warriors, other people and animals, not who hovers above.
fn inside(scene: Scene<'_>, stronghold: &Stronghold) -> Vec<FigureId> {
    let position = scene.position;
    let eats = |figure: &Figure| {
        let family = figure.kind.family();
        family.is_living()
            && family != Family::Creature
            && !matches!(figure.place, Place::Above(_) | Place::Swimming(_))
    };
    position
        .present()
        .filter(|(id, figure)| {
            eats(figure)
                && position
                    .cell_of(*id)
                    .is_some_and(|cell| stronghold.cells.contains(&cell))
        })
        .map(|(id, _)| id)
        .collect()
}

/// Able warriors inside who are enemies of a player.
fn garrison(scene: Scene<'_>, stronghold: &Stronghold, player: RealmId) -> i64 {
    let inside = inside(scene, stronghold);
    let able = inside
        .iter()
        .filter_map(|id| scene.position.figure(*id))
        .filter(|figure| figure.kind.is_warrior() && figure.is_able() && scene.position.hostile(player, figure.owner));
    i64::try_from(able.count()).unwrap_or(i64::MAX)
}

/// Whether a player's siege of a stronghold stands: every access watched, enough men around (ARM-GAP-18).
fn stands(scene: Scene<'_>, stronghold: &Stronghold, player: RealmId) -> Result<(), Refusal> {
    let position = scene.position;
    let field = || position.board.name(stronghold.name());
    let besiegers: Vec<Cell> = position
        .present()
        .filter(|(_, figure)| figure.owner == player && figure.kind.is_warrior() && figure.is_able())
        .filter_map(|(id, _)| position.cell_of(id))
        .filter(|cell| !stronghold.cells.contains(cell))
        .collect();
    let watched = |access: &Access| {
        besiegers
            .iter()
            .any(|cell| position.board.distance(*cell, access.outside) <= 1)
    };
    if !stronghold.accesses.iter().all(watched) {
        return Err(Refusal::new("access-unwatched", &[rule::GAP_18][..]).with("field", field()));
    }
    let near = |cell: &&Cell| {
        stronghold.cells.iter().any(|castle| {
            i64::try_from(position.board.distance(**cell, *castle)).is_ok_and(|far| far <= scene.tables.siege.reach)
        })
    };
    let around = i64::try_from(besiegers.iter().filter(near).count()).unwrap_or(0);
    let enemies = garrison(scene, stronghold, player);
    let needed = (enemies * scene.tables.siege.besiegers_per_two_inside + 1) / 2;
    if around < needed.max(1) {
        return Err(Refusal::new("too-few-besiegers", &[rule::GAP_18][..])
            .with("field", field())
            .with("needed", needed.max(1))
            .with("found", around));
    }
    Ok(())
}

/// Whether a siege may be declared.
///
/// # Errors
/// The refusal.
pub fn judge(scene: Scene<'_>, player: RealmId, deed: &Fight) -> Result<Permit, Refusal> {
    let Fight::Besiege { castle } = deed else {
        return Err(Refusal::new("not-built", &[rule::GAP_18][..]));
    };
    let field = || scene.position.board.name(*castle);
    let Some(stronghold) = stronghold_at(scene, *castle) else {
        return Err(Refusal::new("no-castle", &[rule::GAP_18][..]).with("field", field()));
    };
    if garrison(scene, &stronghold, player) == 0 {
        return Err(Refusal::new("nobody-inside", &[rule::GAP_18][..]).with("field", field()));
    }
    let known = scene.position.sieges.get(&stronghold.name());
    if known.is_some_and(|siege| siege.by.is_played()) {
        return Err(Refusal::new("besieged-already", &[rule::GAP_18][..]).with("field", field()));
    }
    if !stronghold.is_shut() {
        return Err(Refusal::new("gate-open", &[rule::GAP_18][..]).with("field", field()));
    }
    stands(scene, &stronghold, player)?;
    Ok(Permit {
        rules: vec![rule::GAP_18, rule::R0_2_6, rule::R0_3_6],
        ..Permit::default()
    })
}

/// Carries out what [`judge`] allowed.
pub fn perform(battle: &mut Battle<'_>, player: RealmId, deed: &Fight, permit: &Permit) {
    let Fight::Besiege { castle } = deed else { return };
    let Some(stronghold) = stronghold_at(battle.scene(player), *castle) else {
        return;
    };
    // Who starved already without a siege goes on starving (ARM-0.4.66).
    let rounds = battle
        .position
        .sieges
        .get(&stronghold.name())
        .map_or(0, |siege| siege.rounds);
    let siege = Siege {
        rounds,
        ..Siege::new(player)
    };
    battle.position.sieges.insert(stronghold.name(), siege);
    let happening = FightHappening::SiegeDeclared {
        castle: stronghold.name(),
        by: player,
        fields: stronghold.size(),
    };
    battle.emit(permit.rules.clone(), &[], happening);
}

/// Every field of every stronghold, while anybody could be inside.
pub fn candidates(scene: Scene<'_>, _player: RealmId, list: &mut Vec<Deed>) {
    let besiege = |castle| Deed::Fight(Fight::Besiege { castle });
    list.extend(fortified(scene).into_iter().map(besiege));
}

/// When the battle begins: which strongholds there are and how one gets in (ARM-0.4.60 to 0.4.64).
pub fn survey(battle: &mut Battle<'_>) {
    if battle.position.clock.step != 1 {
        return;
    }
    let scene = battle.scene(RealmId::NOBODY);
    let found = strongholds(scene);
    let board = &scene.position.board;
    let touches = |one: &Stronghold, other: &Stronghold| {
        let beside = |cell: &Cell| board.neighbours(*cell).any(|(_, next)| other.cells.contains(&next));
        one.name() != other.name() && one.cells.iter().any(beside)
    };
    let mut told = Vec::new();
    for stronghold in &found {
        let mut rules = vec![rule::R0_4_60, rule::R0_4_62, rule::R0_2_9];
        if found.iter().any(|other| touches(stronghold, other)) {
            rules.push(rule::R0_4_61);
        }
        match stronghold.accesses.as_slice() {
            [] => rules.push(rule::R0_4_65),
            [_] => rules.push(rule::R0_4_63),
            _ => {}
        }
        let closed = |access: &Access| {
            let mut standing = scene.position.standing_at(crate::board::Spot::ground(access.outside));
            access.gate.is_none() && standing.any(|(_, figure)| figure.kind.family() == Family::Shelter)
        };
        if stronghold.accesses.iter().any(closed) {
            rules.push(rule::R0_4_64);
        }
        let happening = FightHappening::Surveyed {
            castle: stronghold.name(),
            fields: stronghold.size(),
            accesses: u32::try_from(stronghold.accesses.len()).unwrap_or(u32::MAX),
        };
        told.push((rules, happening));
    }
    for (rules, happening) in told {
        battle.emit(rules, &[], happening);
    }
}

/// When a turn ends: sieges that no longer stand are over (ARM-0.2.9).
pub fn determine(battle: &mut Battle<'_>, _player: RealmId) {
    let sieges: Vec<(Cell, Siege)> = battle
        .position
        .sieges
        .iter()
        .map(|(cell, siege)| (*cell, *siege))
        .collect();
    for (cell, siege) in sieges {
        let scene = battle.scene(siege.by);
        let stronghold = stronghold_at(scene, cell);
        let held = |stronghold: &Stronghold| {
            garrison(scene, stronghold, siege.by) > 0 && stands(scene, stronghold, siege.by).is_ok()
        };
        if !siege.by.is_played() || stronghold.as_ref().is_some_and(held) {
            continue;
        }
        battle.position.sieges.remove(&cell);
        let happening = FightHappening::SiegeBroken {
            castle: cell,
            by: siege.by,
        };
        battle.emit(&[rule::GAP_18, rule::R0_2_9][..], &[], happening);
    }
}

/// What ends hunger without a siege, if something does: an access, or a ladder or siege tower of the defenders.
fn relief(scene: Scene<'_>, stronghold: &Stronghold) -> Option<RuleId> {
    if !stronghold.accesses.is_empty() {
        return Some(rule::R0_4_67);
    }
    ladders(scene, stronghold)
        .any(|(_, friendly)| friendly)
        .then_some(rule::R0_4_66)
}

/// The ladders, ropes and siege towers at a stronghold, and whether they are its defenders'.
fn ladders<'a>(scene: Scene<'a>, stronghold: &'a Stronghold) -> impl Iterator<Item = (FigureId, bool)> + 'a {
    let position = scene.position;
    let defenders: BTreeSet<RealmId> = inside(scene, stronghold)
        .into_iter()
        .filter_map(|id| position.figure(id))
        .filter(|figure| figure.kind.is_warrior())
        .map(|figure| figure.owner)
        .collect();
    let at = move |id: FigureId, figure: &Figure| match figure.kind {
        Kind::Ladder | Kind::Rope => match devices::bulwark(scene, id) {
            Some(Bulwark::Platform(spot)) => stronghold.cells.contains(&spot.cell),
            Some(Bulwark::Wall(cell)) => stronghold.cells.contains(&cell),
            _ => false,
        },
        Kind::SiegeTower => stronghold.cells.iter().any(|cell| devices::docked(scene, id, *cell)),
        _ => false,
    };
    position
        .present()
        .filter(move |(id, figure)| at(*id, figure))
        .map(move |(id, figure)| {
            let friendly = defenders.iter().any(|owner| position.allied(*owner, figure.possessor));
            (id, friendly)
        })
}

/// ARM-GAP-18, at the end of a round: sieges are counted, those without access too, and who has waited too long starves.
pub fn starve(battle: &mut Battle<'_>) {
    determine(battle, RealmId::NOBODY);
    lose_access(battle);
    let sieges: Vec<(Cell, Siege)> = battle
        .position
        .sieges
        .iter()
        .map(|(cell, siege)| (*cell, *siege))
        .collect();
    for (cell, siege) in sieges {
        let scene = battle.scene(siege.by);
        let Some(stronghold) = stronghold_at(scene, cell) else {
            battle.position.sieges.remove(&cell);
            continue;
        };
        if siege.by.is_played() && !stronghold.is_shut() {
            let happening = FightHappening::SiegePaused {
                castle: cell,
                rounds: siege.rounds,
            };
            battle.emit(&[rule::GAP_18][..], &[], happening);
            continue;
        }
        count(battle, cell, &stronghold, siege);
    }
}

/// Strongholds without access begin to count; those that have one again end it.
fn lose_access(battle: &mut Battle<'_>) {
    let scene = battle.scene(RealmId::NOBODY);
    let found = strongholds(scene);
    let mut changes = Vec::new();
    for stronghold in &found {
        let known = scene.position.sieges.get(&stronghold.name()).copied();
        if known.is_some_and(|siege| siege.by.is_played()) {
            continue;
        }
        let hungry = !inside(scene, stronghold).is_empty();
        match (known, relief(scene, stronghold)) {
            (None, None) if hungry => changes.push((stronghold.name(), None)),
            (Some(_), Some(because)) => changes.push((stronghold.name(), Some(because))),
            (Some(_), None) if !hungry => changes.push((stronghold.name(), Some(rule::R0_4_67))),
            _ => {}
        }
    }
    for (castle, ended) in changes {
        match ended {
            None => {
                let siege = Siege::new(RealmId::NOBODY);
                battle.position.sieges.insert(castle, siege);
                let rules = &[rule::R0_4_65, rule::R0_4_60, rule::GAP_18][..];
                battle.emit(rules, &[], FightHappening::AccessLost { castle });
            }
            Some(because) => {
                battle.position.sieges.remove(&castle);
                battle.emit(vec![because], &[], FightHappening::HungerEnded { castle });
            }
        }
    }
}

/// One round more; then everybody inside rolls against a rising number.
fn count(battle: &mut Battle<'_>, cell: Cell, stronghold: &Stronghold, siege: Siege) {
    let rounds = siege.rounds.saturating_add(1);
    battle.position.sieges.insert(cell, Siege { rounds, ..siege });
    let scene = battle.scene(siege.by);
    let mut rules = vec![rule::GAP_18];
    if !siege.by.is_played() {
        rules.push(rule::R0_4_65);
    }
    if ladders(scene, stronghold).any(|(_, friendly)| !friendly) {
        rules.push(rule::R0_4_68);
    }
    let over = rounds.checked_sub(stronghold.size().saturating_add(siege.fed).saturating_add(1));
    let table = &battle.tables.siege;
    // KAL-20.2.4.3: bread and water of this round, if hunger had begun before.
    let eased = if siege.fed_in == battle.position.clock.round {
        rules.push(rule::KAL_20_2_4_3);
        battle.tables.war.bread_eases
    } else {
        0
    };
    let number = over.map(|over| {
        let number = table.hunger_first + table.hunger_rise * i64::from(over);
        number.min(table.hunger_max) - eased
    });
    let happening = FightHappening::SiegeCounted {
        castle: cell,
        rounds,
        fields: stronghold.size(),
        number: number.unwrap_or(0),
    };
    let starving = if number.is_some() {
        inside(scene, stronghold)
    } else {
        Vec::new()
    };
    battle.emit(rules, &[], happening);
    for id in starving {
        let Some(figure) = battle.position.figure(id).filter(|figure| figure.is_present()) else {
            continue;
        };
        let number = number.unwrap_or(0) + hardship(battle, figure);
        if !survival::endure_from(battle, id, rule::GAP_18, "hunger", number) {
            loss::strike(battle, id, Fate::Starved, &[rule::GAP_18]);
        }
    }
}

/// A phalanx needs one more, who is protected two less, against hunger as in every roll for survival.
fn hardship(battle: &Battle<'_>, figure: &Figure) -> i64 {
    let table = &battle.tables.survival;
    let phalanx = if figure.phalanx.is_some() {
        table.phalanx - table.usual
    } else {
        0
    };
    let protection = if figure.under(Spell::Protection) {
        battle.tables.spell(Spell::Protection).survival
    } else {
        0
    };
    phalanx + protection
}
