//! Rams, turtles and elephants against gates and walls (ARM-GAP-10); ladders, ropes (ARM-GAP-11) and docked siege towers (ARM-GAP-12);
//! destroying a device (ARM-GAP-41).

use crate::battle::{Battle, Scene};
use crate::board::{Cell, Spot};
use crate::deed::fight::Side;
use crate::deed::{Deed, Fight, Permit, Refusal};
use crate::event::FightHappening;
use crate::event::fight::Attempt;
use crate::kinds::{Family, Fate, Fitting, Kind, Part};
use crate::magic::prayers;
use crate::overcrowding::Crowding;
use crate::state::{Figure, FigureId, Place};
use crate::{buildings, control, gates, legal, loss, melee, movement, rule, survival};
use kernel::hex::Direction;
use kernel::realm::RealmId;
use kernel::rule::RuleId;

/// What a ladder or rope leans against.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bulwark {
    /// A building, up to its platform.
    Platform(Spot),
    /// A wall, with the field behind it.
    Wall(Cell),
    /// A siege tower.
    Turret(FigureId),
}

impl Bulwark {
    /// The height of those who defend it.
    pub fn height(self, scene: Scene<'_>) -> u8 {
        let board = &scene.position.board;
        match self {
            Self::Platform(spot) => board.height(scene.tables, spot),
            Self::Wall(cell) => board.height(scene.tables, Spot::ground(cell)),
            Self::Turret(tower) => {
                let cell = scene.position.cell_of(tower).unwrap_or_default();
                board.height(scene.tables, Spot::ground(cell)).saturating_add(1)
            }
        }
    }
}

/// What stands on a side of a field for a ladder or rope to lean against.
fn bulwark_at(scene: Scene<'_>, foot: Cell, side: Direction) -> Option<Bulwark> {
    let position = scene.position;
    let cell = position.board.neighbour(foot, side)?;
    if let Some(building) = position.board.building(cell) {
        let level = building.platform(scene.tables)?;
        return Some(Bulwark::Platform(Spot { cell, level }));
    }
    let (near, far) = position.board.walls_between(foot, side);
    if near.is_some() || far.is_some() {
        return Some(Bulwark::Wall(cell));
    }
    let mut standing = position.standing_at(Spot::ground(cell));
    let tower = standing.find(|(_, figure)| figure.kind == Kind::SiegeTower);
    tower.map(|(tower, _)| Bulwark::Turret(tower))
}

/// What a ladder or rope that is set up leans against.
pub fn bulwark(scene: Scene<'_>, ladder: FigureId) -> Option<Bulwark> {
    let figure = scene.position.figure(ladder)?;
    let Place::At(foot) = figure.place else { return None };
    bulwark_at(scene, foot.cell, figure.leans?)
}

/// ARM-GAP-12: whether a siege tower is docked at the building of a field: beside it, on equal ground, and as high.
pub fn docked(scene: Scene<'_>, tower: FigureId, cell: Cell) -> bool {
    let board = &scene.position.board;
    let Some(Place::At(spot)) = scene.position.figure(tower).map(|tower| tower.place) else {
        return false;
    };
    let height = |cell: Cell| board.height(scene.tables, Spot::ground(cell));
    let platform = board
        .building(cell)
        .and_then(|building| building.platform(scene.tables));
    board.direction(spot.cell, cell).is_some()
        && height(spot.cell) == height(cell)
        && platform.map(i64::from) == Some(scene.tables.siege_tower.docks_at_storeys)
}

/// Ladders and ropes whose building, wall or siege tower is gone stand no longer; who was on them stands at their foot. Ropes that were parted are
/// no longer tied. Asked after every deed and when turns begin and end, as majorities are.
pub fn loosen(battle: &mut Battle<'_>) {
    let scene = battle.scene(RealmId::NOBODY);
    let parted = |figure: &Figure| {
        let other = figure.held_by.and_then(|by| scene.position.figure(by));
        figure.kind == Kind::Rope && other.is_some_and(|other| other.place != figure.place)
    };
    let of = |fits: &dyn Fn(FigureId, &Figure) -> bool| -> Vec<FigureId> {
        let found = scene.position.present().filter(|(id, figure)| fits(*id, figure));
        found.map(|(id, _)| id).collect()
    };
    let knots = of(&|_, figure| parted(figure));
    let loose = of(&|id, figure| figure.leans.is_some() && bulwark(scene, id).is_none());
    for rope in knots {
        if let Some(rope) = battle.position.figure_mut(rope) {
            rope.held_by = None;
        }
    }
    for ladder in loose {
        lay_down(battle, ladder);
    }
}

/// A ladder or rope no longer leans; its climbers come to its foot.
fn lay_down(battle: &mut Battle<'_>, ladder: FigureId) {
    let foot = battle.position.spot_of(ladder);
    if let Some(figure) = battle.position.figure_mut(ladder) {
        figure.leans = None;
    }
    let climbers: Vec<(FigureId, RealmId)> = battle
        .position
        .aboard(ladder)
        .map(|(id, figure)| (id, figure.owner))
        .collect();
    for (climber, owner) in climbers {
        let Some(foot) = foot else { return };
        loss::set_down(battle, climber, foot);
        loss::uncrowd(battle, foot, Crowding::Collapsed, owner);
    }
}

/// Whether a deed of this chapter is legal.
///
/// # Errors
/// The refusal.
pub fn judge(scene: Scene<'_>, player: RealmId, deed: &Fight) -> Result<Permit, Refusal> {
    match deed {
        Fight::Ram { device, target } => judge_ram(scene, player, *device, *target),
        Fight::SetLadder { ladder, against } => judge_set(scene, player, *ladder, *against),
        Fight::ThrowRope { rope, figure, against } => judge_rope(scene, player, *rope, *figure, *against),
        Fight::TieRopes { rope, figure } => judge_tie(scene, player, *rope, *figure),
        Fight::Topple { ladder, figure } => judge_shake(scene, player, *ladder, *figure, Kind::Ladder),
        Fight::CutRope { rope, figure } => judge_shake(scene, player, *rope, *figure, Kind::Rope),
        Fight::Destroy { device, figure } => judge_destroy(scene, player, *device, *figure),
        _ => Err(Refusal::new("not-built", &[rule::GAP_10][..])),
    }
}

fn permit(steps: u8, rules: &[RuleId]) -> Permit {
    Permit {
        steps,
        rules: rules.to_vec(),
        ..Permit::default()
    }
}

/// ARM-0.4.29, ARM-0.4.37: a device is served only by who possesses it and has the majority on its field, a ship or wagon aboard it.
///
/// # Errors
/// The refusal.
pub fn serves<'a>(scene: Scene<'a>, player: RealmId, device: FigureId) -> Result<&'a Figure, Refusal> {
    let figure = legal::own(scene, player, device)?;
    if !control::decides(scene.tables, scene.position, player, device) {
        let rules = &[rule::R0_4_29, rule::R0_4_34, rule::R0_4_37][..];
        return Err(Refusal::new("not-the-majority", rules).with("field", figure.to_string()));
    }
    Ok(figure)
}

/// The crew of a ram, turtle or elephant: how many it needs, who they are, and the number against a gate and against a wall.
struct Crew {
    hands: Vec<FigureId>,
    gate: i64,
    wall: Option<i64>,
}

fn crew(scene: Scene<'_>, player: RealmId, device: FigureId, figure: &Figure) -> Result<Crew, Refusal> {
    let table = &scene.tables.ramming;
    let refuse = |needed: i64| {
        Refusal::new("too-small-a-crew", &[rule::GAP_10, rule::GAP_46][..])
            .with("figure", figure.to_string())
            .with("needed", needed)
    };
    let fit = |(id, hand): &(FigureId, &Figure)| {
        let ready = !hand.acted || !scene.tables.together.everyone_spends;
        let free = hand.possessor == player && hand.kind.is_warrior() && hand.is_able() && ready;
        free && match figure.kind {
            Kind::Ram => hand.place == figure.place,
            _ => matches!(hand.place, Place::On(on, Part::Inside | Part::Saddle) if on == device) && *id != device,
        }
    };
    let (needed, wall) = match figure.kind {
        Kind::Ram => (table.ram_crew, None),
        Kind::Turtle => (table.turtle_crew, Some(table.wall_from)),
        _ => (table.elephant_crew, None),
    };
    let mut hands: Vec<(bool, FigureId)> = scene
        .position
        .present()
        .filter(fit)
        .map(|(id, hand)| (hand.acted, id))
        .collect();
    // Whoever has his act left first: one of them must have it in any case.
    hands.sort_unstable();
    hands.truncate(usize::try_from(needed).unwrap_or(0));
    let spent = hands.first().is_none_or(|(acted, _)| *acted);
    if i64::try_from(hands.len()).unwrap_or(0) < needed || (needed > 0 && spent) {
        return Err(refuse(needed));
    }
    let hands = hands.into_iter().map(|(_, id)| id).collect();
    Ok(Crew {
        hands,
        gate: table.gate_from,
        wall,
    })
}

/// From the field outside, against a shut gate; a turtle also against a wall.
fn judge_ram(scene: Scene<'_>, player: RealmId, device: FigureId, target: Side) -> Result<Permit, Refusal> {
    let figure = legal::own_act(scene, player, device)?;
    let name = || scene.position.board.spot_name(scene.tables, target.at);
    let elephant = figure.kind.family() == Family::Elephant;
    if !elephant && !matches!(figure.kind, Kind::Ram | Kind::Turtle) {
        return Err(Refusal::new("cannot-ram", &[rule::GAP_10][..]).with("figure", figure.to_string()));
    }
    let outside = scene.position.board.neighbour(target.at.cell, target.side);
    if figure.place != Place::At(Spot::ground(outside.unwrap_or(target.at.cell))) || outside.is_none() {
        return Err(Refusal::new("not-outside", &[rule::GAP_10][..])
            .with("figure", figure.to_string())
            .with("field", name()));
    }
    if !elephant {
        serves(scene, player, device)?;
    }
    let crew = crew(scene, player, device, figure)?;
    let fitting = gates::find(scene, target).map(|gate| gate.fitting);
    match fitting {
        Some(Fitting::Closed) if target.at.level == 0 => {}
        Some(Fitting::Plain | Fitting::Loophole) if target.at.level == 0 && crew.wall.is_some() => {}
        _ => return Err(Refusal::new("nothing-to-ram", &[rule::GAP_10][..]).with("field", name())),
    }
    Ok(permit(0, &[rule::GAP_10, rule::R0_3_9, rule::GAP_46]))
}

/// Whether somebody of the player's on foot at this spot has this many steps left.
fn walkers(scene: Scene<'_>, player: RealmId, spot: Spot, steps: u8) -> Vec<FigureId> {
    let there = scene.position.standing_at(spot).filter(|(_, figure)| {
        figure.possessor == player
            && figure.kind.is_warrior()
            && figure.is_able()
            && figure.phalanx.is_none()
            && figure.steps.saturating_add(steps) <= movement::allowance(scene, figure)
    });
    there.map(|(id, _)| id).collect()
}

fn one_step(scene: Scene<'_>) -> u8 {
    u8::try_from(scene.tables.step.single).unwrap_or(1)
}

/// The side against which a ladder or rope could be put up from its field, and what is there.
fn put_up(scene: Scene<'_>, figure: &Figure, against: Cell) -> Result<(Spot, Direction, Bulwark), Refusal> {
    let field = || scene.position.board.name(against);
    let refuse = |code: &'static str| {
        Refusal::new(code, &[rule::GAP_11][..])
            .with("figure", figure.to_string())
            .with("field", field())
    };
    let Place::At(foot) = figure.place else {
        return Err(refuse("nothing-to-lean"));
    };
    if figure.leans.is_some() || foot.level > 0 {
        return Err(refuse("leans-already"));
    }
    let side = scene.position.board.direction(foot.cell, against);
    let found = side.and_then(|side| Some((side, bulwark_at(scene, foot.cell, side)?)));
    let Some((side, bulwark)) = found else {
        return Err(refuse("nothing-to-lean"));
    };
    let leaning = scene
        .position
        .standing_at(foot)
        .filter(|(_, other)| other.leans == Some(side));
    if i64::try_from(leaning.count()).unwrap_or(i64::MAX) >= scene.tables.ladder.per_side_max {
        return Err(refuse("side-taken"));
    }
    Ok((foot, side, bulwark))
}

/// ARM-GAP-11: two carriers at its foot, a step each; walls and one-storey towers only.
fn judge_set(scene: Scene<'_>, player: RealmId, ladder: FigureId, against: Cell) -> Result<Permit, Refusal> {
    let figure = legal::own(scene, player, ladder)?;
    if figure.kind != Kind::Ladder {
        return Err(Refusal::new("not-a-ladder", &[rule::GAP_11][..]).with("figure", figure.to_string()));
    }
    serves(scene, player, ladder)?;
    let (foot, _, bulwark) = put_up(scene, figure, against)?;
    let storeys = match bulwark {
        Bulwark::Platform(spot) => i64::from(spot.level),
        Bulwark::Wall(_) | Bulwark::Turret(_) => 1,
    };
    if storeys > scene.tables.ladder.storeys_max {
        return Err(Refusal::new("too-high", &[rule::GAP_11][..])
            .with("figure", figure.to_string())
            .with("field", scene.position.board.name(against)));
    }
    let steps = one_step(scene);
    let hands = i64::try_from(walkers(scene, player, foot, steps).len()).unwrap_or(0);
    let enough = if scene.tables.together.everyone_spends {
        hands >= scene.tables.ladder.carriers
    } else {
        let there = i64::try_from(walkers(scene, player, foot, 0).len()).unwrap_or(0);
        hands >= 1 && there >= scene.tables.ladder.carriers
    };
    if !enough {
        return Err(Refusal::new("too-small-a-crew", &[rule::GAP_11, rule::GAP_46][..])
            .with("figure", figure.to_string())
            .with("needed", scene.tables.ladder.carriers));
    }
    Ok(permit(steps, &[rule::GAP_11, rule::GAP_46, rule::R0_4_29]))
}

/// The ropes tied to a rope, itself included.
fn tied(scene: Scene<'_>, rope: FigureId) -> i64 {
    let others = scene
        .position
        .present()
        .filter(|(_, figure)| figure.kind == Kind::Rope && figure.held_by == Some(rope));
    1 + i64::try_from(others.count()).unwrap_or(0)
}

/// ARM-GAP-11: one thrower, one step; one rope for a tower or wall, two tied together for a keep, none for a great keep.
fn judge_rope(
    scene: Scene<'_>,
    player: RealmId,
    rope: FigureId,
    thrower: FigureId,
    against: Cell,
) -> Result<Permit, Refusal> {
    let figure = legal::own(scene, player, rope)?;
    let hand = legal::own(scene, player, thrower)?;
    if figure.kind != Kind::Rope || figure.held_by.is_some() {
        return Err(Refusal::new("not-a-rope", &[rule::GAP_11][..]).with("figure", figure.to_string()));
    }
    serves(scene, player, rope)?;
    let (foot, _, bulwark) = put_up(scene, figure, against)?;
    let needed = match bulwark {
        Bulwark::Platform(spot) => match spot.level {
            0 | 1 => Some(1),
            2 => Some(scene.tables.ladder.ropes_for_two_storeys),
            _ => None,
        },
        Bulwark::Wall(_) | Bulwark::Turret(_) => Some(1),
    };
    if needed.is_none_or(|needed| tied(scene, rope) < needed) {
        return Err(Refusal::new("too-high", &[rule::GAP_11][..])
            .with("figure", figure.to_string())
            .with("field", scene.position.board.name(against)));
    }
    if hand.phalanx.is_some() {
        return Err(Refusal::new("in-phalanx", &[rule::GAP_19][..]).with("figure", hand.to_string()));
    }
    let steps = one_step(scene);
    if !walkers(scene, player, foot, steps).contains(&thrower) {
        return Err(Refusal::new("no-steps-left", &[rule::GAP_11, rule::R0_4_38][..])
            .with("figure", hand.to_string())
            .with("steps", i64::from(steps))
            .with("left", 0i64));
    }
    Ok(permit(steps, &[rule::GAP_11]))
}

/// The other rope that can be tied to this one: on its field, of its possessor, tied to nothing.
fn other_rope(scene: Scene<'_>, rope: FigureId, figure: &Figure) -> Option<FigureId> {
    let mut ropes = scene.position.present().filter(|(id, other)| {
        *id != rope
            && other.kind == Kind::Rope
            && other.place == figure.place
            && other.possessor == figure.possessor
            && other.leans.is_none()
            && other.held_by.is_none()
            && tied(scene, *id) == 1
    });
    ropes.next().map(|(id, _)| id)
}

/// Tying two ropes together is an act.
fn judge_tie(scene: Scene<'_>, player: RealmId, rope: FigureId, hand: FigureId) -> Result<Permit, Refusal> {
    let figure = legal::own(scene, player, rope)?;
    let who = legal::own_act(scene, player, hand)?;
    let ready = figure.kind == Kind::Rope && figure.leans.is_none() && figure.held_by.is_none();
    let beside = who.kind.is_warrior() && scene.position.spot_of(hand) == scene.position.spot_of(rope);
    let more = tied(scene, rope) < scene.tables.ladder.ropes_for_two_storeys;
    if !ready || !beside || !more || other_rope(scene, rope, figure).is_none() {
        return Err(Refusal::new("cannot-tie", &[rule::GAP_11][..]).with("figure", figure.to_string()));
    }
    Ok(permit(0, &[rule::GAP_11]))
}

/// Toppling and cutting: an act of a warrior on the platform, behind the wall, or on the siege tower it leans against.
fn judge_shake(
    scene: Scene<'_>,
    player: RealmId,
    ladder: FigureId,
    hand: FigureId,
    kind: Kind,
) -> Result<Permit, Refusal> {
    let who = legal::own_act(scene, player, hand)?;
    let refuse = || {
        Refusal::new("not-above", &[rule::GAP_11][..])
            .with("figure", who.to_string())
            .with("target", scene.position.name(ladder))
    };
    let found = scene
        .position
        .figure(ladder)
        .filter(|figure| figure.is_present() && figure.kind == kind);
    let Some(bulwark) = found.and_then(|_| bulwark(scene, ladder)) else {
        return Err(refuse());
    };
    let above = match bulwark {
        Bulwark::Platform(spot) => who.place == Place::At(spot),
        Bulwark::Wall(cell) => who.place == Place::At(Spot::ground(cell)),
        Bulwark::Turret(tower) => who.place == Place::On(tower, Part::Upper),
    };
    if !above || !who.kind.is_warrior() {
        return Err(refuse());
    }
    Ok(permit(0, &[rule::GAP_11]))
}

/// Whether somebody is where he can lay hands on a device: on its field, or aboard it.
pub fn at_hand(scene: Scene<'_>, hand: FigureId, device: FigureId) -> bool {
    let position = scene.position;
    position.cell_of(hand) == position.cell_of(device) || position.crew(device).any(|(id, _)| id == hand)
}

/// ARM-GAP-41: an act of a warrior who controls the device.
fn judge_destroy(scene: Scene<'_>, player: RealmId, device: FigureId, hand: FigureId) -> Result<Permit, Refusal> {
    let who = legal::own_act(scene, player, hand)?;
    let figure = serves(scene, player, device)?;
    if !figure.kind.family().is_device() {
        return Err(Refusal::new("not-a-device", &[rule::GAP_41][..]).with("figure", figure.to_string()));
    }
    if !who.kind.is_warrior() || !at_hand(scene, hand, device) {
        let rules = &[rule::GAP_41, rule::R0_4_29][..];
        return Err(Refusal::new("not-at-device", rules)
            .with("figure", who.to_string())
            .with("target", figure.to_string()));
    }
    Ok(permit(0, &[rule::GAP_41, rule::R0_4_29]))
}

/// Carries out what [`judge`] allowed.
pub fn perform(battle: &mut Battle<'_>, player: RealmId, deed: &Fight, permit: &Permit) {
    match deed {
        Fight::Ram { device, target } => ram(battle, player, *device, *target, permit),
        Fight::SetLadder { ladder, against } => {
            let scene = battle.scene(player);
            let Some(foot) = scene.position.spot_of(*ladder) else {
                return;
            };
            let carriers = match scene.tables.together.everyone_spends {
                true => usize::try_from(scene.tables.ladder.carriers).unwrap_or(0),
                false => 1,
            };
            let hands: Vec<FigureId> = walkers(scene, player, foot, permit.steps)
                .into_iter()
                .take(carriers)
                .collect();
            for hand in hands {
                spend_steps(battle, hand, permit.steps);
            }
            lean(battle, *ladder, *against);
            let happening = FightHappening::LadderSet {
                ladder: *ladder,
                against: *against,
            };
            battle.emit(permit.rules.clone(), &[], happening);
        }
        Fight::ThrowRope { rope, figure, against } => {
            spend_steps(battle, *figure, permit.steps);
            let from = battle.tables.ladder.rope_holds_from;
            if attempt(battle, player, (*figure, *rope), Attempt::ThrowRope, from, permit) {
                lean(battle, *rope, *against);
            }
        }
        Fight::TieRopes { rope, figure } => {
            melee::spend_act(battle, *figure);
            let scene = battle.scene(player);
            let other = scene
                .position
                .figure(*rope)
                .and_then(|found| other_rope(scene, *rope, found));
            if let Some(other) = other {
                if let Some(other) = battle.position.figure_mut(other) {
                    other.held_by = Some(*rope);
                }
                let happening = FightHappening::RopesTied { rope: *rope, other };
                battle.emit(permit.rules.clone(), &[], happening);
            }
        }
        Fight::Topple { ladder, figure } => {
            melee::spend_act(battle, *figure);
            let from = battle.tables.ladder.topple_from;
            if attempt(battle, player, (*figure, *ladder), Attempt::Topple, from, permit) {
                shake_off(battle, *ladder);
                lay_down(battle, *ladder);
            }
        }
        Fight::CutRope { rope, figure } => {
            melee::spend_act(battle, *figure);
            let from = battle.tables.ladder.rope_cut_from;
            if attempt(battle, player, (*figure, *rope), Attempt::Cut, from, permit) {
                shake_off(battle, *rope);
                lay_down(battle, *rope);
                let tied: Vec<FigureId> = battle
                    .position
                    .present()
                    .filter(|(_, figure)| figure.kind == Kind::Rope && figure.held_by == Some(*rope))
                    .map(|(id, _)| id)
                    .collect();
                for id in tied.into_iter().chain([*rope]) {
                    survival::fall(battle, id, Fate::Destroyed, vec![rule::GAP_11], &[]);
                }
            }
        }
        Fight::Destroy { device, figure } => {
            melee::spend_act(battle, *figure);
            let from = battle.tables.destroy.device_from;
            if attempt(battle, player, (*figure, *device), Attempt::Destroy, from, permit) {
                survival::fall(battle, *device, Fate::Destroyed, vec![rule::GAP_41], &[]);
            }
        }
        _ => {}
    }
}

fn spend_steps(battle: &mut Battle<'_>, id: FigureId, steps: u8) {
    if let Some(figure) = battle.position.figure_mut(id) {
        figure.steps = figure.steps.saturating_add(steps);
    }
}

fn lean(battle: &mut Battle<'_>, ladder: FigureId, against: Cell) {
    let foot = battle.position.cell_of(ladder).unwrap_or(against);
    let side = battle.position.board.direction(foot, against);
    if let Some(figure) = battle.position.figure_mut(ladder) {
        figure.leans = side;
    }
}

/// Somebody tries something on a device: one throw against a number. Tells whether it succeeded.
fn attempt(
    battle: &mut Battle<'_>,
    player: RealmId,
    (figure, device): (FigureId, FigureId),
    what: Attempt,
    number: i64,
    permit: &Permit,
) -> bool {
    let (by, verb) = match what {
        Attempt::ThrowRope => (rule::GAP_11, "throws"),
        Attempt::Topple => (rule::GAP_11, "topples"),
        Attempt::Cut => (rule::GAP_11, "cuts"),
        Attempt::Destroy => (rule::GAP_41, "destroys"),
    };
    let (name, object) = (battle.position.name(figure), battle.position.name(device));
    let number = number - prayers::roll_of(battle.scene(player), figure);
    let (throw, dice) = battle.throw_for(by, figure, format_args!("{player} {name} {verb} {object}"));
    let success = throw.natural() >= number;
    let happening = FightHappening::Tried {
        figure,
        device,
        what,
        throw,
        number,
        success,
    };
    battle.emit(permit.rules.clone(), &dice, happening);
    success
}

/// Who is on a ladder or rope that gives way rolls for survival.
fn shake_off(battle: &mut Battle<'_>, ladder: FigureId) {
    let climbers: Vec<FigureId> = battle.position.aboard(ladder).map(|(id, _)| id).collect();
    for climber in climbers {
        survival::endure_or_fall(battle, climber, rule::GAP_11, "falls", Fate::Perished);
    }
}

/// A blow against a gate or wall: one act of the whole crew.
fn ram(battle: &mut Battle<'_>, player: RealmId, device: FigureId, target: Side, permit: &Permit) {
    let scene = battle.scene(player);
    let Some(figure) = scene.position.figure(device) else {
        return;
    };
    let (Ok(crew), Some(gate)) = (crew(scene, player, device, figure), gates::find(scene, target)) else {
        return;
    };
    let is_gate = gate.fitting.is_gate();
    let number = if is_gate {
        crew.gate
    } else {
        crew.wall.unwrap_or(crew.gate)
    };
    // A triple of the crew is its first man's; an elephant's rider throws for it.
    let thrower = crew.hands.first().copied().unwrap_or(device);
    let number = number - prayers::roll_of(battle.scene(player), thrower);
    let acting = if battle.tables.together.everyone_spends {
        crew.hands.len()
    } else {
        1
    };
    for id in crew.hands.into_iter().take(acting).chain([device]) {
        melee::spend_act(battle, id);
    }
    let (name, field) = (battle.position.name(device), battle.position.board.name(target.at.cell));
    let side = crate::board::direction_code(target.side);
    let (throw, dice) = battle.throw_for(
        rule::GAP_10,
        thrower,
        format_args!("{player} {name} rams {field}-{side}"),
    );
    let broke = throw.natural() >= number;
    let happening = FightHappening::Rammed {
        device,
        target,
        throw,
        number,
        broke,
    };
    battle.emit(permit.rules.clone(), &dice, happening);
    if !broke {
        return;
    }
    let built = battle.position.board.building(target.at.cell).is_some();
    match (is_gate, built) {
        (true, _) => {
            gates::set(battle, target, Fitting::Broken, None);
            if built {
                buildings::count_hit(battle, target.at, &[rule::GAP_10]);
            }
        }
        (false, true) => buildings::hit_storey(battle, target.at, target.side, &[rule::GAP_10]),
        (false, false) => buildings::hit_wall(battle, target.at.cell, target.side, &[rule::GAP_10]),
    }
}

/// Every deed of this chapter that might be possible.
pub fn candidates(scene: Scene<'_>, player: RealmId, list: &mut Vec<Deed>) {
    let position = scene.position;
    for (id, figure) in position.present() {
        let mine = figure.possessor == player;
        let around = || {
            let cell = position.cell_of(id).unwrap_or_default();
            position.board.neighbours(cell)
        };
        if mine && matches!(figure.kind, Kind::Ram | Kind::Turtle | Kind::Elephant | Kind::Mammoth) {
            for (side, cell) in around() {
                let target = Side {
                    at: Spot::ground(cell),
                    side: side.opposite(),
                };
                list.push(Deed::Fight(Fight::Ram { device: id, target }));
            }
        }
        if matches!(figure.kind, Kind::Ladder | Kind::Rope) {
            climbing(scene, player, id, figure, list);
        }
        if mine && figure.kind.family().is_device() {
            let hands = position.present().filter(|(hand, other)| {
                other.possessor == player && other.kind.is_warrior() && at_hand(scene, *hand, id)
            });
            list.extend(hands.map(|(hand, _)| {
                Deed::Fight(Fight::Destroy {
                    device: id,
                    figure: hand,
                })
            }));
        }
    }
}

/// What can be done with one ladder or rope: put it up, tie it, shake it off.
fn climbing(scene: Scene<'_>, player: RealmId, id: FigureId, figure: &Figure, list: &mut Vec<Deed>) {
    let position = scene.position;
    let cell = position.cell_of(id).unwrap_or_default();
    let warriors = || {
        let all = position.present();
        all.filter(|(_, hand)| hand.possessor == player && hand.kind.is_warrior())
    };
    for (hand, other) in warriors() {
        if other.place == figure.place {
            list.push(Deed::Fight(Fight::TieRopes { rope: id, figure: hand }));
            let throw = |against| {
                Deed::Fight(Fight::ThrowRope {
                    rope: id,
                    figure: hand,
                    against,
                })
            };
            list.extend(position.board.neighbours(cell).map(|(_, against)| throw(against)));
        }
        let near = position
            .cell_of(hand)
            .is_some_and(|at| position.board.distance(at, cell) == 1);
        if near && figure.leans.is_some() {
            list.push(Deed::Fight(match figure.kind {
                Kind::Rope => Fight::CutRope { rope: id, figure: hand },
                _ => Fight::Topple {
                    ladder: id,
                    figure: hand,
                },
            }));
        }
    }
    let set = |against| Deed::Fight(Fight::SetLadder { ladder: id, against });
    list.extend(position.board.neighbours(cell).map(|(_, against)| set(against)));
}
