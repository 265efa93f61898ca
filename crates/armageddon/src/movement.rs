//! Steps (ARM-0.4.38 to 0.4.47, ARM-GAP-49, ARM-GAP-50): figures that go by themselves, on foot, on their hooves or hovering.
//!
//! [`way`] is what a step from spot to spot costs a figure and by which rules; everything that moves asks it.

use crate::battle::{Battle, Scene};
use crate::board::{Cell, Spot};
use crate::deed::{Deed, Field, Permit, Refusal};
use crate::event::FieldHappening;
use crate::kinds::{Family, Fitting, Kind, Part, Spell};
use crate::legal;
use crate::room::{self, Room};
use crate::rule;
use crate::state::{Figure, FigureId, Moved, Place};
use crate::tables::rulings::DoubleCase;
use kernel::hex::Direction;
use kernel::realm::RealmId;
use kernel::rule::RuleId;

/// What a step costs, and the rules that made it so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// Steps.
    pub steps: u8,
    /// Rules.
    pub rules: Vec<RuleId>,
}

impl Way {
    fn single(scene: Scene<'_>) -> Self {
        Self {
            steps: small(scene.tables.step.single),
            rules: vec![rule::R0_4_38],
        }
    }

    /// Makes it a double step, if the case is one (ARM-0.4.44). Two reasons do not add up.
    fn double(&mut self, scene: Scene<'_>, case: DoubleCase, because: RuleId) {
        if scene.tables.step.double_cases.contains(&case) {
            self.steps = self.steps.max(small(scene.tables.step.double));
            self.rules.push(rule::R0_4_44);
        }
        self.rules.push(because);
    }
}

fn small(figure: i64) -> u8 {
    u8::try_from(figure.clamp(0, 200)).unwrap_or(0)
}

/// ARM-0.4.38, ARM-GAP-32: the steps of a figure in one turn.
pub fn allowance(scene: Scene<'_>, figure: &Figure) -> u8 {
    let steps = match figure.kind {
        Kind::Wizard if figure.mortal => small(scene.tables.wizard.mortal_steps),
        kind => scene.tables.figure(kind).steps,
    };
    if figure.under(Spell::DoubleSpeed) {
        return steps.saturating_mul(small(scene.tables.spell(Spell::DoubleSpeed).factor));
    }
    steps
}

/// What a step from one spot to another costs a figure of this kind.
///
/// ARM-0.4.42 (stay), ARM-0.4.44 and ARM-GAP-49 (levels, rivers, ditches, ascents), ARM-GAP-13 and 14 (walls and gates), ARM-GAP-15
/// (storeys), ARM-GAP-17 (ditches).
///
/// # Errors
/// The refusal.
pub fn way(scene: Scene<'_>, player: RealmId, kind: Kind, from: Spot, to: Spot) -> Result<Way, Refusal> {
    let board = &scene.position.board;
    if from.cell == to.cell {
        return stairs(scene, kind, from, to);
    }
    let Some(side) = board.direction(from.cell, to.cell) else {
        return Err(refusal(scene, "not-adjacent", &[rule::R0_4_38], to));
    };
    if from.level > 0 || to.level > 0 {
        return Err(refusal(scene, "no-way-up", &[rule::GAP_15], to));
    }
    let Some(ground) = board.ground(to.cell) else {
        return Err(refusal(scene, "not-adjacent", &[rule::R0_4_38], to));
    };
    if ground.building.is_none() && ground.stream_bridge.is_none() {
        room::may_stay(scene.tables, kind, ground.terrain)
            .map_err(|rules| Refusal::new("may-not-stay", rules).with("field", board.name(to.cell)))?;
    }
    let mut way = Way::single(scene);
    doors(scene, player, kind, (from.cell, to.cell), side, &mut way)?;
    edge(scene, kind, from.cell, side, &mut way)?;
    levels(scene, kind, from, to, side, &mut way)?;
    Ok(way)
}

fn refusal(scene: Scene<'_>, code: &'static str, rules: &'static [RuleId], spot: Spot) -> Refusal {
    Refusal::new(code, rules).with("field", scene.position.board.spot_name(scene.tables, spot))
}

/// ARM-GAP-15: one storey up or down is one step, for people only.
fn stairs(scene: Scene<'_>, kind: Kind, from: Spot, to: Spot) -> Result<Way, Refusal> {
    let levels = scene
        .position
        .board
        .building(from.cell)
        .map_or(0, |building| building.levels(scene.tables));
    if from.level.abs_diff(to.level) != 1 || to.level >= levels || !kind.is_person() {
        return Err(refusal(scene, "no-way-up", &[rule::GAP_15], to));
    }
    let mut way = Way::single(scene);
    way.rules.push(rule::GAP_15);
    Ok(way)
}

/// ARM-GAP-13, ARM-GAP-14, ARM-GAP-15: through the side walls of buildings and the walls between two fields.
fn doors(
    scene: Scene<'_>,
    player: RealmId,
    kind: Kind,
    (from, to): (Cell, Cell),
    side: Direction,
    way: &mut Way,
) -> Result<(), Refusal> {
    let board = &scene.position.board;
    for (cell, side) in [(from, side), (to, side.opposite())] {
        let storey = board.building(cell).and_then(|building| building.storeys.first());
        match storey.and_then(|storey| storey.walls[side.index()]) {
            Some(fitting) if !fitting.is_open() => {
                return Err(refusal(
                    scene,
                    "no-gate",
                    &[rule::GAP_14, rule::GAP_15],
                    Spot::ground(cell),
                ));
            }
            Some(_) => way.rules.push(rule::GAP_14),
            None => {}
        }
    }
    let (near, far) = board.walls_between(from, side);
    let fittings = [near, far].into_iter().flatten().map(|wall| wall.fitting);
    for fitting in fittings {
        if fitting.is_open() {
            way.rules.push(rule::GAP_14);
            continue;
        }
        climb(scene, player, kind, to, fitting, way)?;
    }
    Ok(())
}

/// ARM-GAP-13: on foot, over a wall behind which no enemy warrior stands.
fn climb(
    scene: Scene<'_>,
    player: RealmId,
    kind: Kind,
    to: Cell,
    _fitting: Fitting,
    way: &mut Way,
) -> Result<(), Refusal> {
    let rules = &scene.tables.wall;
    let enemy = scene.position.standing_at(Spot::ground(to)).any(|(_, figure)| {
        figure.kind.is_warrior() && figure.is_able() && scene.position.hostile(player, figure.owner)
    });
    if !rules.climbable_on_foot || !kind.is_person() || (enemy && rules.enemy_behind_bars_climbing) {
        return Err(refusal(scene, "wall", &[rule::GAP_13], Spot::ground(to)));
    }
    way.double(scene, DoubleCase::Wall, rule::GAP_13);
    Ok(())
}

/// ARM-0.4.44, ARM-GAP-17, ARM-GAP-32: rivers and ditches.
fn edge(scene: Scene<'_>, kind: Kind, from: Cell, side: Direction, way: &mut Way) -> Result<(), Refusal> {
    let board = &scene.position.board;
    let edge = board.edge(from, side);
    let to = || Spot::ground(board.neighbour(from, side).unwrap_or(from));
    if let Some(river) = board.river(from, side) {
        let spell = river.spell.map(|spell| spell.spell);
        let bridge = edge
            .bridge
            .is_some_and(|hits| i64::from(hits) < scene.tables.works.river_bridge_hits);
        match spell {
            Some(Spell::FloodRiver) => return Err(refusal(scene, "river-flooded", &[rule::GAP_32], to())),
            Some(Spell::DryUpRiver) => way.rules.push(rule::GAP_32),
            _ if bridge => {}
            _ if kind.family().is_device() => return Err(refusal(scene, "river", &[rule::R0_4_44], to())),
            _ => way.double(scene, DoubleCase::River, rule::R0_4_81),
        }
    }
    if edge.ditch {
        if kind.family().is_device() || matches!(kind.family(), Family::Elephant | Family::Team) {
            return Err(refusal(scene, "ditch", &[rule::GAP_17], to()));
        }
        way.double(scene, DoubleCase::Ditch, rule::GAP_17);
    }
    Ok(())
}

/// ARM-GAP-49: levels, with and without an ascent.
fn levels(scene: Scene<'_>, kind: Kind, from: Spot, to: Spot, side: Direction, way: &mut Way) -> Result<(), Refusal> {
    let board = &scene.position.board;
    let (here, there) = (board.height(scene.tables, from), board.height(scene.tables, to));
    if here == there {
        return Ok(());
    }
    if i64::from(here.abs_diff(there)) > scene.tables.step.levels_max {
        return Err(refusal(scene, "too-steep", &[rule::GAP_49], to));
    }
    let upward = there > here;
    if board.edge(from.cell, side).ascent {
        let steps = &scene.tables.step;
        way.steps = way
            .steps
            .max(small(if upward { steps.ascent_up } else { steps.ascent_down }));
        way.rules.push(rule::GAP_49);
        if upward {
            way.double(scene, DoubleCase::AscentUp, rule::GAP_49);
        }
        return Ok(());
    }
    let climbs = kind.is_person() || kind.family() == Family::Horse || kind == Kind::Wizard;
    if !climbs {
        return Err(refusal(scene, "needs-ascent", &[rule::GAP_49], to));
    }
    let case = if upward {
        DoubleCase::LevelUp
    } else {
        DoubleCase::LevelDown
    };
    way.double(scene, case, rule::GAP_49);
    Ok(())
}

/// ARM-0.4.38 to 0.4.44: one step of a figure that goes by itself, or a turn.
///
/// # Errors
/// The refusal.
pub fn judge(scene: Scene<'_>, player: RealmId, deed: &Field) -> Result<Permit, Refusal> {
    match deed {
        Field::Step { figure, to } => judge_step(scene, player, *figure, *to),
        Field::Face { figure, .. } => {
            let found = legal::own(scene, player, *figure)?;
            if !scene.tables.figure(found.kind).faces && found.phalanx.is_none() {
                return Err(Refusal::new("no-facing", &[rule::R0_4_43][..]).with("figure", found.to_string()));
            }
            Ok(Permit {
                rules: vec![rule::R0_4_43],
                ..Permit::default()
            })
        }
        _ => Err(Refusal::new("not-built", &[rule::R0_3_2][..])),
    }
}

fn judge_step(scene: Scene<'_>, player: RealmId, id: FigureId, to: Spot) -> Result<Permit, Refusal> {
    let figure = legal::own(scene, player, id)?;
    let name = || figure.to_string();
    if figure.phalanx.is_some() {
        return Err(Refusal::new("in-phalanx", &[rule::GAP_19][..]).with("figure", name()));
    }
    let Place::At(from) = figure.place else {
        return Err(Refusal::new("not-on-the-ground", &[rule::R0_3_7][..]).with("figure", name()));
    };
    let rider = scene
        .position
        .aboard(id)
        .find(|(_, rider)| matches!(rider.place, Place::On(_, Part::Back)));
    match figure.kind.family() {
        Family::Warrior | Family::Person => {}
        Family::Horse if rider.is_some() => {}
        _ => return Err(Refusal::new("does-not-walk", &[rule::R0_3_7][..]).with("figure", name())),
    }
    let way = way(scene, player, figure.kind, from, to)?;
    let left = allowance(scene, figure).saturating_sub(figure.steps);
    if way.steps > left {
        return Err(Refusal::new("no-steps-left", &[rule::R0_4_38, rule::R0_4_44][..])
            .with("figure", name())
            .with("steps", i64::from(way.steps))
            .with("left", i64::from(left)));
    }
    let needed =
        room::consumption(scene.tables, figure) + rider.map_or(0, |(_, rider)| room::consumption(scene.tables, rider));
    let free = room::free(scene.tables, scene.position, Room::Spot(to));
    if free < needed {
        return Err(
            refusal(scene, "no-room", &[rule::R0_4_40, rule::R0_4_1, rule::R0_4_4], to)
                .with("needed", needed)
                .with("free", free.max(0)),
        );
    }
    let mut rules = way.rules;
    if figure.steps > 0 {
        rules.extend([rule::R0_4_39, rule::R0_4_41]);
    }
    if scene
        .position
        .standing_at(to)
        .any(|(_, other)| scene.position.hostile(player, other.owner))
    {
        rules.push(rule::GAP_50);
    }
    Ok(Permit {
        steps: way.steps,
        rules,
        ..Permit::default()
    })
}

/// Carries out what [`judge`] allowed.
pub fn perform(battle: &mut Battle<'_>, player: RealmId, deed: &Field, permit: &Permit) {
    match deed {
        Field::Step { figure, to } => {
            let round = battle.position.clock.round;
            let Some(found) = battle.position.figure_mut(*figure) else {
                return;
            };
            let from = std::mem::replace(&mut found.place, Place::At(*to));
            found.steps = found.steps.saturating_add(permit.steps);
            found.moved = Some(Moved { round, by: player });
            let happening = FieldHappening::Stepped {
                figure: *figure,
                from,
                to: *to,
                steps: permit.steps,
            };
            battle.emit(permit.rules.clone(), &[], happening);
        }
        Field::Face { figure, facing } => {
            if let Some(found) = battle.position.figure_mut(*figure) {
                found.facing = Some(*facing);
            }
            let happening = FieldHappening::Faced {
                figure: *figure,
                facing: *facing,
            };
            battle.emit(permit.rules.clone(), &[], happening);
        }
        _ => {}
    }
}

/// Every step to a neighbouring field or storey, every turn.
pub fn candidates(scene: Scene<'_>, player: RealmId, list: &mut Vec<Deed>) {
    if !legal::movement_is_open(scene) {
        return;
    }
    let own = scene
        .position
        .present()
        .filter(|(_, figure)| figure.possessor == player);
    for (id, figure) in own {
        if scene.tables.figure(figure.kind).faces || figure.phalanx.is_some() {
            let turns = Direction::ALL.map(|facing| Deed::Field(Field::Face { figure: id, facing }));
            list.extend(turns);
        }
        let Place::At(from) = figure.place else { continue };
        for (_, cell) in scene.position.board.neighbours(from.cell) {
            let to = Spot::ground(cell);
            list.push(Deed::Field(Field::Step { figure: id, to }));
        }
        for level in [from.level.checked_sub(1), from.level.checked_add(1)]
            .into_iter()
            .flatten()
        {
            let to = Spot { level, ..from };
            list.push(Deed::Field(Field::Step { figure: id, to }));
        }
    }
}
