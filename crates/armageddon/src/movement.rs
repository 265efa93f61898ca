//! Steps (ARM-0.4.38 to 0.4.47, ARM-GAP-49, ARM-GAP-50): figures that go by themselves, on foot, on their hooves or hovering.
//!
//! [`way`] is what a step from spot to spot costs a figure and by which rules; everything that moves asks it. [`party`] is who moves: a
//! figure with its riders and the animals they lead.

use crate::battle::{Battle, Scene};
use crate::board::{Cell, Spot};
use crate::deed::{Deed, Field, Permit, Refusal};
use crate::event::FieldHappening;
use crate::kinds::{Family, Kind, Part, Spell};
use crate::legal;
use crate::magic::hover;
use crate::room::{self, Room};
use crate::rule;
use crate::state::{Figure, FigureId, Moved, Place};
use crate::tables::rulings::DoubleCase;
use crate::{control, creatures, trampling, water};
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
    pub(crate) fn single(scene: Scene<'_>) -> Self {
        Self {
            steps: small(scene.tables.step.single),
            rules: vec![rule::R0_4_38],
        }
    }

    /// Makes it a double step, if the case is one (ARM-0.4.44). Two reasons do not add up.
    pub(crate) fn double(&mut self, scene: Scene<'_>, case: DoubleCase, because: RuleId) {
        if scene.tables.step.double_cases.contains(&case) {
            self.steps = self.steps.max(small(scene.tables.step.double));
            self.rules.push(rule::R0_4_44);
        }
        self.rules.push(because);
    }
}

pub(crate) fn small(figure: i64) -> u8 {
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
    if ground.building.is_none() && ground.stream_bridge.is_some() {
        bridge(scene, kind, to)?;
    } else if ground.building.is_none() {
        room::may_stay(scene.tables, kind, ground.terrain)
            .map_err(|rules| Refusal::new("may-not-stay", rules).with("field", board.name(to.cell)))?;
    }
    let mut way = Way::single(scene);
    doors(scene, player, kind, (from.cell, to.cell), side, &mut way)?;
    edge(scene, kind, from.cell, side, &mut way)?;
    levels(scene, kind, from, to, side, &mut way)?;
    Ok(way)
}

/// ARM-GAP-09: what a stream bridge still bears after so many hits.
fn bridge(scene: Scene<'_>, kind: Kind, to: Spot) -> Result<(), Refusal> {
    let works = &scene.tables.works;
    let hits = scene
        .position
        .board
        .ground(to.cell)
        .and_then(|ground| ground.stream_bridge);
    let hits = hits.map_or(0, i64::from);
    let on_foot = kind.is_person() || kind == Kind::Wizard;
    let light = matches!(
        kind,
        Kind::Ladder | Kind::Rope | Kind::Ram | Kind::LightHorse | Kind::HeavyHorse
    );
    let bears = hits < works.stream_bridge_light_from
        || (hits < works.stream_bridge_warriors_from && (on_foot || light))
        || (hits < works.stream_bridge_closed_from && on_foot);
    if !bears || kind.family() == Family::Ship {
        return Err(refusal(scene, "bridge-damaged", &[rule::GAP_09], to).with("hits", hits));
    }
    Ok(())
}

pub(crate) fn refusal(scene: Scene<'_>, code: &'static str, rules: &'static [RuleId], spot: Spot) -> Refusal {
    Refusal::new(code, rules).with("field", scene.position.board.spot_name(scene.tables, spot))
}

/// ARM-GAP-15: one storey up or down is one step, for people only.
fn stairs(scene: Scene<'_>, kind: Kind, from: Spot, to: Spot) -> Result<Way, Refusal> {
    let levels = scene
        .position
        .board
        .building(from.cell)
        .map_or(0, |building| building.levels(scene.tables));
    let on_foot = kind.is_person() || kind == Kind::Wizard;
    if from.level.abs_diff(to.level) != 1 || to.level >= levels || !on_foot {
        return Err(refusal(scene, "no-way-up", &[rule::GAP_15], to));
    }
    let mut way = Way::single(scene);
    way.rules.push(rule::GAP_15);
    Ok(way)
}

/// ARM-GAP-13, ARM-GAP-14, ARM-GAP-15: through the side walls of buildings and the walls between two fields.
pub(crate) fn doors(
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
    for wall in [near, far].into_iter().flatten() {
        if wall.fitting.is_open() {
            way.rules.push(rule::GAP_14);
            continue;
        }
        climb(scene, player, kind, to, way)?;
    }
    Ok(())
}

/// ARM-GAP-13: on foot, over a wall behind which no enemy warrior stands.
fn climb(scene: Scene<'_>, player: RealmId, kind: Kind, to: Cell, way: &mut Way) -> Result<(), Refusal> {
    let rules = &scene.tables.wall;
    // On foot or on horseback.
    let enemy = scene.position.present().any(|(id, figure)| {
        figure.kind.is_warrior()
            && (figure.is_able() || rules.helpless_bar_climbing)
            && scene.position.hostile(player, figure.owner)
            && scene.position.spot_of(id) == Some(Spot::ground(to))
    });
    let on_foot = kind.is_person() || kind == Kind::Wizard;
    if !rules.climbable_on_foot || !on_foot || (enemy && rules.enemy_behind_bars_climbing) {
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
    // A stream bridge lies as high as the banks it joins.
    let bridged = |spot: Spot| {
        board
            .ground(spot.cell)
            .is_some_and(|ground| ground.stream_bridge.is_some())
    };
    if here == there || bridged(from) || bridged(to) {
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

/// Who moves together: a figure, those on it, and the animals that they or it lead (ARM-0.2.5, ARM-0.3.7, ARM-GAP-20).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Party {
    /// The figure whose steps count.
    pub lead: FigureId,
    /// Those on its back or saddle.
    pub riders: Vec<FigureId>,
    /// Animals on the rein.
    pub led: Vec<FigureId>,
}

impl Party {
    /// The figures that stand on the ground by themselves.
    pub fn walkers(&self) -> impl Iterator<Item = FigureId> + '_ {
        std::iter::once(self.lead).chain(self.led.iter().copied())
    }
}

/// The figure with whoever moves along with it.
///
/// # Errors
/// If nobody rides or drives it, or it does not go by itself (ARM-0.3.7).
pub fn party(scene: Scene<'_>, player: RealmId, id: FigureId) -> Result<Party, Refusal> {
    let figure = legal::own(scene, player, id)?;
    let riders: Vec<FigureId> = scene.position.aboard(id).map(|(rider, _)| rider).collect();
    let able = |rider: &FigureId| {
        scene
            .position
            .figure(*rider)
            .is_some_and(|rider| rider.owner == player && rider.is_able())
    };
    match figure.kind.family() {
        Family::Warrior | Family::Person | Family::Wizard => {}
        Family::Horse | Family::Elephant if riders.iter().any(able) => {}
        _ => {
            return Err(Refusal::new("does-not-walk", &[rule::R0_3_7][..]).with("figure", figure.to_string()));
        }
    }
    let led: Vec<FigureId> = scene
        .position
        .present()
        .filter(|(_, animal)| animal.held_by.is_some_and(|by| by == id || riders.contains(&by)))
        .map(|(animal, _)| animal)
        .collect();
    for animal in &led {
        unbound(scene, *animal)?;
    }
    Ok(Party { lead: id, riders, led })
}

/// ARM-GAP-32: who is paralysed or petrified is not moved along by others either.
///
/// # Errors
/// The refusal.
pub(crate) fn unbound(scene: Scene<'_>, id: FigureId) -> Result<(), Refusal> {
    match scene.position.figure(id) {
        Some(figure) if !figure.is_able() => {
            Err(Refusal::new("spellbound", &[rule::GAP_32][..]).with("figure", figure.to_string()))
        }
        _ => Ok(()),
    }
}

/// Steps that a figure has left in this turn: a rider's own steps cost those of his horse (ARM-GAP-20).
pub fn steps_left(scene: Scene<'_>, id: FigureId) -> u8 {
    let Some(figure) = scene.position.figure(id) else {
        return 0;
    };
    let ridden = match figure.kind.family() {
        Family::Horse => scene
            .position
            .aboard(id)
            .map(|(_, rider)| rider.steps)
            .max()
            .unwrap_or(0),
        _ => 0,
    };
    let lost = ridden.saturating_mul(small(scene.tables.horse.own_step_costs));
    allowance(scene, figure)
        .saturating_sub(lost)
        .saturating_sub(figure.steps)
}

/// Whether a figure has as many steps left, and its movement is not ended.
///
/// # Errors
/// The refusal.
pub fn affords(scene: Scene<'_>, id: FigureId, steps: u8) -> Result<(), Refusal> {
    let left = steps_left(scene, id);
    let name = scene.position.name(id);
    if scene.position.figure(id).is_some_and(|figure| figure.turned) {
        return Err(Refusal::new("turned-already", &[rule::R0_4_43][..]).with("figure", name));
    }
    if steps > left {
        let mounted = scene
            .position
            .figure(id)
            .is_some_and(|figure| figure.kind.family() == Family::Horse);
        let rules: &'static [RuleId] = if mounted {
            &[rule::R0_4_38, rule::R0_4_44, rule::GAP_20]
        } else {
            &[rule::R0_4_38, rule::R0_4_44]
        };
        return Err(Refusal::new("no-steps-left", rules)
            .with("figure", name)
            .with("steps", i64::from(steps))
            .with("left", i64::from(left)));
    }
    Ok(())
}

/// What a step costs a whole party: the dearest of its walkers' ways, which each of them must afford.
///
/// # Errors
/// The refusal.
pub fn party_way(scene: Scene<'_>, player: RealmId, party: &Party, from: Spot, to: Spot) -> Result<Way, Refusal> {
    let mut whole = Way::single(scene);
    for id in party.walkers() {
        let Some(figure) = scene.position.figure(id) else {
            continue;
        };
        let one = way(scene, player, figure.kind, from, to)?;
        whole.steps = whole.steps.max(one.steps);
        for rule in one.rules {
            if !whole.rules.contains(&rule) {
                whole.rules.push(rule);
            }
        }
    }
    for id in party.walkers() {
        affords(scene, id, whole.steps)?;
        control::rested(scene, player, id)?;
    }
    for id in party.led.iter().chain(&party.riders) {
        // Who is petrified cannot be moved (ARM-GAP-32), and a paralysed animal does not follow.
        let figure = scene.position.figure(*id);
        let animal = figure.is_some_and(|figure| figure.kind.family().is_animal() && !figure.is_able());
        if animal || figure.is_some_and(|figure| figure.under(Spell::Petrify)) {
            return Err(Refusal::new("spellbound", &[rule::GAP_32][..]).with("figure", scene.position.name(*id)));
        }
    }
    if !party.led.is_empty() {
        whole.rules.extend([rule::GAP_20, rule::R0_4_28]);
    }
    if !party.riders.is_empty() {
        whole.rules.extend([rule::R0_3_7, rule::R0_4_28, rule::R0_4_33]);
        whole.rules.push(rule::GAP_20);
    }
    Ok(whole)
}

/// Space units that a party needs on the field it enters.
pub fn party_room(scene: Scene<'_>, party: &Party) -> i64 {
    let on_back = |rider: &FigureId| {
        let place = scene.position.figure(*rider).map(|rider| rider.place);
        matches!(place, Some(Place::On(_, Part::Back)))
    };
    let riders = party.riders.iter().copied().filter(on_back);
    party
        .walkers()
        .chain(riders)
        .filter_map(|id| scene.position.figure(id))
        .map(|figure| room::consumption(scene.tables, figure))
        .sum()
}

/// A refusal for want of room.
pub fn no_room(scene: Scene<'_>, to: Spot, needed: i64) -> Refusal {
    let free = room::free(scene.tables, scene.position, Room::Spot(to));
    let mut rules = vec![rule::R0_4_40, rule::R0_4_1];
    let terrain = scene
        .position
        .board
        .ground(to.cell)
        .map(|ground| scene.tables.terrain(ground.terrain));
    if terrain.is_some_and(|row| i64::from(row.room) < scene.tables.room.field) {
        rules.push(rule::R0_4_2);
    }
    if room::users(scene.position, Room::Spot(to)).any(|(_, figure)| room::consumption(scene.tables, figure) > 1) {
        rules.push(rule::R0_4_3);
    }
    if room::filler(scene.tables, scene.position, to).is_some() {
        rules.push(rule::R0_4_4);
    }
    Refusal::new("no-room", rules)
        .with("field", scene.position.board.spot_name(scene.tables, to))
        .with("needed", needed)
        .with("free", free.max(0))
}

/// Moves a party, uses its steps up, and remembers who moved its animals (ARM-0.4.45).
pub fn relocate(battle: &mut Battle<'_>, player: RealmId, party: &Party, to: Place, steps: u8) {
    let round = battle.position.clock.round;
    for id in party.walkers() {
        if let Some(figure) = battle.position.figure_mut(id) {
            figure.place = to;
            figure.steps = figure.steps.saturating_add(steps);
            figure.moved = Some(Moved { round, by: player });
        }
    }
}

/// ARM-GAP-50, where a world lets enemies stop: who comes onto the field of an enemy warrior or beside it goes no further in this round.
pub(crate) fn halt(battle: &mut Battle<'_>, player: RealmId, who: &[FigureId]) {
    if !battle.tables.step.enemies_stop {
        return;
    }
    let position = &battle.position;
    let Some(cell) = who.first().and_then(|id| position.cell_of(*id)) else {
        return;
    };
    let enemy = position.present().any(|(id, figure)| {
        figure.kind.is_warrior()
            && figure.is_able()
            && position.hostile(player, figure.owner)
            && position
                .cell_of(id)
                .is_some_and(|at| position.board.distance(at, cell) <= 1)
    });
    for id in who.iter().filter(|_| enemy) {
        if let Some(figure) = battle.position.figure_mut(*id) {
            figure.steps = figure.steps.max(STOPPED);
        }
    }
}

/// As many steps as nobody has.
const STOPPED: u8 = 200;

/// ARM-0.4.38 to 0.4.44: one step of a figure that goes by itself, or a turn.
///
/// # Errors
/// The refusal.
pub fn judge(scene: Scene<'_>, player: RealmId, deed: &Field) -> Result<Permit, Refusal> {
    match deed {
        Field::Step { figure, to } => judge_step(scene, player, *figure, *to),
        Field::Face { figure, .. } => judge_face(scene, player, *figure),
        _ => Err(Refusal::new("not-built", &[rule::R0_3_2][..])),
    }
}

/// ARM-0.4.43: at the end of its movement or instead of it. Ships and teams turn as their own rules say (ARM-0.1.2).
fn judge_face(scene: Scene<'_>, player: RealmId, id: FigureId) -> Result<Permit, Refusal> {
    let figure = legal::own(scene, player, id)?;
    let name = figure.to_string();
    if !scene.tables.figure(figure.kind).faces && figure.phalanx.is_none() {
        return Err(Refusal::new("no-facing", &[rule::R0_4_43][..]).with("figure", name));
    }
    let teamed = figure.kind == Kind::Wagon && crate::quadriga::has_team(scene.position, id);
    if figure.kind.family() == Family::Ship || teamed {
        return Err(
            Refusal::new("turns-by-moving", &[rule::R0_1_2, rule::GAP_21, rule::GAP_24][..]).with("figure", name),
        );
    }
    if figure.kind.family().is_device() {
        control::controls(scene, player, id)?;
    }
    Ok(Permit {
        rules: vec![rule::R0_4_43],
        ..Permit::default()
    })
}

fn judge_step(scene: Scene<'_>, player: RealmId, id: FigureId, to: Spot) -> Result<Permit, Refusal> {
    let figure = legal::own(scene, player, id)?;
    let name = || figure.to_string();
    if figure.kind.family() == Family::Creature {
        return creatures::judge_step(scene, player, id, to);
    }
    if figure.phalanx.is_some() {
        return Err(Refusal::new("in-phalanx", &[rule::GAP_19][..]).with("figure", name()));
    }
    let from = match figure.place {
        Place::At(from) => from,
        Place::Above(from) => return judge_hover(scene, player, id, from, to),
        _ => return Err(Refusal::new("not-on-the-ground", &[rule::R0_3_7][..]).with("figure", name())),
    };
    if from.cell != to.cell && scene.position.board.direction(from.cell, to.cell).is_none() {
        // Whatever moves, and however: there is no step so far.
        return Err(refusal(scene, "not-adjacent", &[rule::R0_4_38], to));
    }
    let party = party(scene, player, id)?;
    if water::is_open(scene.position, to.cell) && scene.position.board.direction(from.cell, to.cell).is_some() {
        return water::judge_jump(scene, player, &party, from, to);
    }
    let way = party_way(scene, player, &party, from, to)?;
    let needed = party_room(scene, &party);
    let free = room::free(scene.tables, scene.position, Room::Spot(to));
    let mut rules = way.rules;
    if free < needed {
        let elephant = figure.kind.family() == Family::Elephant && trampling::is_driven(scene.position, id);
        if !elephant || !trampling::may(scene, player, figure, to) {
            return Err(match elephant && trampling::is_tired(scene, player, figure, to) {
                true => refusal(scene, "trampled-already", &[rule::GAP_22], to).with("figure", name()),
                false => no_room(scene, to, needed),
            });
        }
        rules.extend([rule::GAP_22, rule::R0_3_2]);
    }
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

/// ARM-GAP-34, ARM-0.4.18, ARM-0.4.20: a wizard hovers over any terrain, over foreign buildings only while no enemy warrior is inside.
fn judge_hover(scene: Scene<'_>, player: RealmId, id: FigureId, from: Cell, to: Spot) -> Result<Permit, Refusal> {
    if to.level > 0 || scene.position.board.direction(from, to.cell).is_none() {
        return Err(refusal(scene, "not-adjacent", &[rule::R0_4_38], to));
    }
    let rules = hover::may_hover(scene, player, to.cell)?.to_vec();
    let steps = small(scene.tables.step.single);
    affords(scene, id, steps)?;
    Ok(Permit {
        steps,
        rules,
        ..Permit::default()
    })
}

/// Carries out what [`judge`] allowed.
pub fn perform(battle: &mut Battle<'_>, player: RealmId, deed: &Field, permit: &Permit) {
    match deed {
        Field::Step { figure, to } => step(battle, player, *figure, *to, permit),
        Field::Face { figure, facing } => {
            let phalanx = battle.position.figure(*figure).and_then(|figure| figure.phalanx);
            for (index, found) in (0u16..).zip(&mut battle.position.figures) {
                // A phalanx turns as one.
                if FigureId(index) == *figure || (phalanx.is_some() && found.phalanx == phalanx) {
                    found.facing = Some(*facing);
                    found.turned = true;
                }
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

fn step(battle: &mut Battle<'_>, player: RealmId, id: FigureId, to: Spot, permit: &Permit) {
    let Some(figure) = battle.position.figure(id) else {
        return;
    };
    let place = figure.place;
    if figure.kind.family() == Family::Creature {
        return creatures::step(battle, id, to, permit);
    }
    if let Place::Above(from) = place {
        if let Some(wizard) = battle.position.figure_mut(id) {
            wizard.place = Place::Above(to.cell);
            wizard.steps = wizard.steps.saturating_add(permit.steps);
        }
        let happening = FieldHappening::Hovered {
            figure: id,
            from,
            to: to.cell,
        };
        battle.emit(permit.rules.clone(), &[], happening);
        return;
    }
    if water::is_open(&battle.position, to.cell) {
        return water::jump(battle, id, to.cell, permit);
    }
    let Ok(party) = party(battle.scene(player), player, id) else {
        return;
    };
    relocate(battle, player, &party, Place::At(to), permit.steps);
    for walker in party.walkers() {
        let happening = FieldHappening::Stepped {
            figure: walker,
            from: place,
            to,
            steps: permit.steps,
        };
        battle.emit(permit.rules.clone(), &[], happening);
    }
    if room::free(battle.tables, &battle.position, Room::Spot(to)) < 0
        && let Place::At(from) = place
    {
        trampling::trample(battle, player, &[id], to, trampling::Retreat::To(from));
    }
    let all: Vec<FigureId> = party.walkers().collect();
    halt(battle, player, &all);
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
        let from = match figure.place {
            Place::At(from) => from,
            Place::Above(cell) => Spot::ground(cell),
            _ => continue,
        };
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
