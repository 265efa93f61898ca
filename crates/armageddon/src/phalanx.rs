//! The phalanx (ARM-GAP-19): forming and dissolving it, its march, its front, its weight blow.

use crate::battle::{Battle, Scene};
use crate::board::{Cell, Spot};
use crate::contact;
use crate::deed::{Deed, Field, Fight, Permit, Refusal};
use crate::event::{FieldHappening, FightHappening};
use crate::kinds::{Family, Fate, Kind, Part, Spell};
use crate::loss;
use crate::magic::prayers;
use crate::melee;
use crate::movement;
use crate::room::{self, Room};
use crate::rule;
use crate::state::{Figure, FigureId, Moved, Place, Position};
use crate::{legal, odds};
use kernel::hex::Direction;
use kernel::realm::RealmId;

/// Whether a figure belongs to a phalanx.
pub fn is_member(position: &Position, id: FigureId) -> bool {
    position.figure(id).is_some_and(|figure| figure.phalanx.is_some())
}

/// The members of a phalanx in order.
fn members(position: &Position, phalanx: FigureId) -> Vec<FigureId> {
    let all = position.present().filter(|(_, figure)| figure.phalanx == Some(phalanx));
    all.map(|(id, _)| id).collect()
}

/// Whether one of the three front edges of a field, looking this way, leads to that neighbour.
pub fn front(scene: Scene<'_>, cell: Cell, facing: Direction, other: Cell) -> bool {
    let side = scene.position.board.direction(cell, other);
    [-1, 0, 1].into_iter().any(|turn| side == Some(facing.rotate(turn)))
}

/// Whether a figure stands in a phalanx and has another before one of its three front edges.
pub fn faces(scene: Scene<'_>, id: FigureId, against: FigureId) -> bool {
    let position = scene.position;
    let facing = position
        .figure(id)
        .filter(|figure| figure.phalanx.is_some())
        .and_then(|figure| figure.facing);
    match (facing, position.cell_of(id), position.cell_of(against)) {
        (Some(facing), Some(cell), Some(other)) => front(scene, cell, facing, other),
        _ => false,
    }
}

/// Whether a phalanx could enter a field beside its own: room for four, no river, no other level without ascent, no wall.
fn enters(scene: Scene<'_>, from: Spot, to: Spot) -> Result<(), Refusal> {
    let board = &scene.position.board;
    let refuse = || Refusal::new("phalanx-terrain", &[rule::GAP_19][..]).with("field", board.name(to.cell));
    let Some(side) = board.direction(from.cell, to.cell) else {
        return Err(refuse());
    };
    let narrow = room::capacity(scene.tables, scene.position, Room::Spot(to)) < scene.tables.phalanx.needs_room;
    let steep =
        board.height(scene.tables, from) != board.height(scene.tables, to) && !board.edge(from.cell, side).ascent;
    let (near, far) = board.walls_between(from.cell, side);
    let walled = [near, far].into_iter().flatten().any(|wall| !wall.fitting.is_open());
    if narrow || steep || walled || contact::river_bars(scene, from.cell, side) {
        return Err(refuse());
    }
    Ok(())
}

/// Whether a phalanx is among figures that cross a border by swapping; it crosses only where it could march.
///
/// # Errors
/// The refusal.
pub(crate) fn crosses(scene: Scene<'_>, group: &[FigureId], from: Place, to: Place) -> Result<bool, Refusal> {
    let closed = group.iter().any(|id| is_member(scene.position, *id));
    let (true, Place::At(from), Place::At(to)) = (closed, from, to) else {
        return Ok(false);
    };
    enters(scene, from, to)?;
    Ok(true)
}

/// One field takes all the steps of those who need not hurry, and half of theirs who move at double speed.
pub(crate) fn march_steps(scene: Scene<'_>, kind: Kind) -> u8 {
    let steps = i64::from(scene.tables.figure(kind).steps) / scene.tables.phalanx.steps.max(1);
    u8::try_from(steps).unwrap_or(u8::MAX)
}

/// Whether a figure, if it stands in a phalanx, may attack where its target is: not into terrain that the phalanx could not enter.
///
/// # Errors
/// The refusal.
pub fn may_strike(scene: Scene<'_>, id: FigureId, target: FigureId) -> Result<(), Refusal> {
    let position = scene.position;
    if !is_member(position, id) {
        return Ok(());
    }
    match (position.spot_of(id), position.spot_of(target)) {
        (Some(from), Some(to)) if from.cell != to.cell => enters(scene, from, to),
        _ => Ok(()),
    }
}

/// Whether a deed of this chapter is legal.
///
/// # Errors
/// The refusal.
pub fn judge(scene: Scene<'_>, player: RealmId, deed: &Fight) -> Result<Permit, Refusal> {
    match deed {
        Fight::FormPhalanx { members, .. } => judge_form(scene, player, members),
        Fight::DissolvePhalanx { phalanx } => {
            whole(scene, player, *phalanx, false)?;
            Ok(permit(0))
        }
        Fight::WeightBlow { phalanx, target } => judge_blow(scene, player, *phalanx, *target),
        _ => Err(Refusal::new("not-built", &[rule::GAP_19][..])),
    }
}

fn permit(steps: u8) -> Permit {
    Permit {
        steps,
        rules: vec![rule::GAP_19],
        ..Permit::default()
    }
}

/// The members of a player's phalanx, all able, and if asked for all with their act.
fn whole(scene: Scene<'_>, player: RealmId, phalanx: FigureId, act: bool) -> Result<Vec<FigureId>, Refusal> {
    let members = members(scene.position, phalanx);
    if members.is_empty() {
        let name = scene.position.name(phalanx);
        return Err(Refusal::new("no-phalanx", &[rule::GAP_19][..]).with("field", name));
    }
    for id in &members {
        if act {
            legal::own_act(scene, player, *id)?;
        } else {
            legal::own(scene, player, *id)?;
        }
    }
    Ok(members)
}

/// Four equal warriors on foot on a field of four space units, before they have moved.
fn judge_form(scene: Scene<'_>, player: RealmId, members: &[FigureId]) -> Result<Permit, Refusal> {
    let refuse = |code: &'static str| Refusal::new(code, &[rule::GAP_19][..]);
    let ordered = members
        .windows(2)
        .all(|pair| matches!(pair, [one, other] if one < other));
    if i64::try_from(members.len()).ok() != Some(scene.tables.phalanx.members) || !ordered {
        return Err(Refusal::new("phalanx-count", &[rule::GAP_19][..]).with("members", scene.tables.phalanx.members));
    }
    let mut first: Option<&Figure> = None;
    for id in members {
        let figure = legal::own(scene, player, *id)?;
        let like = first.is_none_or(|first| first.kind == figure.kind && first.place == figure.place);
        let Place::At(spot) = figure.place else {
            return Err(refuse("phalanx-on-foot"));
        };
        if !like || !matches!(figure.kind, Kind::Warrior(..)) || figure.phalanx.is_some() {
            return Err(refuse("phalanx-unequal"));
        }
        let mixed = first.is_some_and(|first| first.auxiliary != figure.auxiliary);
        if mixed && !scene.tables.war.mixed_phalanx {
            return Err(Refusal::new("phalanx-mixed", &[rule::KAL_16_2_4_13, rule::GAP_19][..]));
        }
        if figure.steps > 0 {
            return Err(Refusal::new("phalanx-moved", &[rule::GAP_19][..]).with("figure", figure.to_string()));
        }
        if room::capacity(scene.tables, scene.position, Room::Spot(spot)) < scene.tables.phalanx.needs_room {
            let name = scene.position.board.spot_name(scene.tables, spot);
            return Err(Refusal::new("phalanx-terrain", &[rule::GAP_19][..]).with("field", name));
        }
        first = Some(figure);
    }
    Ok(Permit {
        rules: vec![rule::GAP_19, rule::R0_3_6],
        ..Permit::default()
    })
}

/// In a round in which it stepped straight ahead, against the field straight ahead, where an enemy stands.
fn judge_blow(scene: Scene<'_>, player: RealmId, phalanx: FigureId, target: Cell) -> Result<Permit, Refusal> {
    let members = whole(scene, player, phalanx, true)?;
    let refuse = |code: &'static str| {
        let field = scene.position.board.name(target);
        Refusal::new(code, &[rule::GAP_19][..]).with("field", field)
    };
    let Some(leader) = members.first().and_then(|id| scene.position.figure(*id)) else {
        return Err(refuse("no-phalanx"));
    };
    if leader.straight == 0 {
        return Err(refuse("blow-needs-run"));
    }
    let (Place::At(spot), Some(facing)) = (leader.place, leader.facing) else {
        return Err(refuse("blow-not-ahead"));
    };
    if scene.position.board.neighbour(spot.cell, facing) != Some(target) {
        return Err(refuse("blow-not-ahead"));
    }
    enters(scene, spot, Spot::ground(target))?;
    let struck = struck(scene, phalanx, target);
    let enemy = |id: &FigureId| melee::victim(scene, player, *id).is_ok();
    if !struck.iter().any(enemy) {
        return Err(refuse("nobody-to-strike"));
    }
    Ok(Permit {
        rules: vec![rule::GAP_19, rule::R0_3_3, rule::R0_3_9, rule::GAP_46],
        ..Permit::default()
    })
}

/// Everybody on a field whom the weight blow of a phalanx meets, friend or foe.
pub fn struck(scene: Scene<'_>, phalanx: FigureId, target: Cell) -> Vec<FigureId> {
    let position = scene.position;
    let meets = |id: FigureId, figure: &Figure| {
        let ridden = figure.kind.family() == Family::Horse && position.aboard(id).next().is_some();
        figure.kind.family().is_living()
            && !ridden
            && !figure.under(Spell::Petrify)
            && !matches!(figure.place, Place::On(_, Part::Saddle))
            && position.cell_of(id) == Some(target)
            && contact::contact(scene, phalanx, id).is_ok()
    };
    position
        .present()
        .filter(|(id, figure)| meets(*id, figure))
        .map(|(id, _)| id)
        .collect()
}

/// Carries out what [`judge`] allowed.
pub fn perform(battle: &mut Battle<'_>, player: RealmId, deed: &Fight, permit: &Permit) {
    match deed {
        Fight::FormPhalanx { members, front } => {
            let first = members.first().copied();
            for id in members {
                if let Some(figure) = battle.position.figure_mut(*id) {
                    figure.phalanx = first;
                    figure.facing = Some(*front);
                    figure.straight = 0;
                }
            }
            let happening = FightHappening::PhalanxFormed {
                members: members.clone(),
                front: *front,
            };
            battle.emit(permit.rules.clone(), &[], happening);
        }
        Fight::DissolvePhalanx { phalanx } => {
            for id in members(&battle.position, *phalanx) {
                if let Some(figure) = battle.position.figure_mut(id) {
                    figure.phalanx = None;
                    figure.facing = None;
                    figure.straight = 0;
                }
            }
            let happening = FightHappening::PhalanxDissolved { phalanx: *phalanx };
            battle.emit(permit.rules.clone(), &[], happening);
        }
        Fight::WeightBlow { phalanx, target } => blow(battle, player, *phalanx, *target, permit),
        _ => {}
    }
}

/// One roll for the whole phalanx, a defence for everybody on the field; nobody strikes back.
fn blow(battle: &mut Battle<'_>, player: RealmId, phalanx: FigureId, target: Cell, permit: &Permit) {
    let struck = struck(battle.scene(player), phalanx, target);
    for id in members(&battle.position, phalanx) {
        melee::spend_act(battle, id);
    }
    let points = blow_points(battle.scene(player), phalanx, target);
    let roll = prayers::roll_of(battle.scene(player), phalanx);
    let (name, field) = (battle.position.name(phalanx), battle.position.board.name(target));
    let (throw, dice) = battle.throw_for(
        rule::GAP_19,
        phalanx,
        format_args!("{player} {name} weight blow {field}"),
    );
    let happening = FightHappening::WeightBlow {
        phalanx,
        target,
        throw,
        points,
    };
    battle.emit(permit.rules.clone(), &dice, happening);
    let kill = odds::Fighter {
        points,
        kill: odds::Kill::From(battle.tables.phalanx.weight_blow_kill_from - roll),
    };
    let mut fallen = Vec::new();
    for id in struck {
        let defence = melee::points(battle.scene(player), id, phalanx, false);
        let owner = battle
            .position
            .figure(id)
            .map_or(RealmId::NOBODY, |figure| figure.owner);
        let who = battle.position.name(id);
        let (answer, dice) = battle.throw_for(rule::GAP_19, id, format_args!("{owner} {who} withstands {name}"));
        let defender = odds::Fighter {
            points: defence,
            kill: odds::Kill::Never,
        };
        let wizard = battle
            .position
            .figure(id)
            .is_some_and(|figure| figure.kind == Kind::Wizard);
        let blow = odds::Fighter {
            kill: match wizard {
                true => odds::Kill::Exactly(battle.tables.melee.mortal_wizard_dies_on - roll),
                false => kill.kill,
            },
            ..kill
        };
        let fell = odds::outcome(blow, throw.natural(), defender, answer.natural()) == Some(true);
        let happening = FightHappening::Withstood {
            figure: id,
            throw: answer,
            points: defence,
            fell,
        };
        battle.emit(&[rule::GAP_19][..], &dice, happening);
        if fell {
            fallen.push(id);
        }
    }
    for id in fallen {
        loss::strike(battle, id, Fate::Killed, &[rule::GAP_19]);
    }
}

/// Class, attack, phalanx and level of one of its warriors, without the points of his weapon.
pub fn blow_points(scene: Scene<'_>, phalanx: FigureId, target: Cell) -> i64 {
    let Some(figure) = scene.position.figure(phalanx) else {
        return 0;
    };
    let row = scene.tables.figure(figure.kind);
    let board = &scene.position.board;
    let there = board.height(scene.tables, Spot::ground(target));
    let higher = contact::height(scene, phalanx).is_some_and(|here| here > there);
    let level = if higher { scene.tables.melee.higher_level } else { 0 };
    row.melee
        + melee::attack(scene, figure)
        + scene.tables.phalanx.front
        + level
        + melee::enchanted(scene, figure, true)
}

/// Every phalanx that could form, dissolve or strike.
pub fn candidates(scene: Scene<'_>, player: RealmId, list: &mut Vec<Deed>) {
    let position = scene.position;
    let mut leaders: Vec<FigureId> = position
        .present()
        .filter(|(_, figure)| figure.possessor == player)
        .filter_map(|(_, figure)| figure.phalanx)
        .collect();
    leaders.sort_unstable();
    leaders.dedup();
    for phalanx in leaders {
        list.push(Deed::Fight(Fight::DissolvePhalanx { phalanx }));
        let Some(cell) = position.cell_of(phalanx) else {
            continue;
        };
        for (_, target) in position.board.neighbours(cell) {
            list.push(Deed::Fight(Fight::WeightBlow { phalanx, target }));
            let to = Spot::ground(target);
            list.push(Deed::Field(Field::March { phalanx, to }));
        }
    }
    if !legal::movement_is_open(scene) {
        return;
    }
    let mut groups: std::collections::BTreeMap<(Place, Kind), Vec<FigureId>> = std::collections::BTreeMap::new();
    for (id, figure) in position.present() {
        let stands = matches!(figure.place, Place::At(_));
        if stands && figure.possessor == player && figure.phalanx.is_none() && figure.kind.is_warrior() {
            groups.entry((figure.place, figure.kind)).or_default().push(id);
        }
    }
    // A field holds four, so that four equal warriors are all of them.
    let four = usize::try_from(scene.tables.phalanx.members).unwrap_or(0);
    for members in groups.into_values().filter(|group| group.len() == four) {
        let form = |front: Direction| {
            Deed::Fight(Fight::FormPhalanx {
                members: members.clone(),
                front,
            })
        };
        list.extend(Direction::ALL.map(form));
    }
}

/// Whether a phalanx may step or turn as one.
///
/// # Errors
/// The refusal.
pub fn judge_march(scene: Scene<'_>, player: RealmId, deed: &Field) -> Result<Permit, Refusal> {
    let (phalanx, to) = match deed {
        Field::March { phalanx, to } => (*phalanx, *to),
        Field::Face { figure, .. } => {
            let phalanx = scene.position.figure(*figure).and_then(|figure| figure.phalanx);
            whole(scene, player, phalanx.unwrap_or(*figure), false)?;
            return Ok(Permit {
                rules: vec![rule::R0_4_43, rule::GAP_19],
                ..Permit::default()
            });
        }
        _ => return Err(Refusal::new("not-built", &[rule::GAP_19][..])),
    };
    let members = whole(scene, player, phalanx, false)?;
    let field = || scene.position.board.spot_name(scene.tables, to);
    let Some((leader, Place::At(from))) = members
        .first()
        .and_then(|id| scene.position.figure(*id))
        .map(|figure| (figure, figure.place))
    else {
        return Err(Refusal::new("no-phalanx", &[rule::GAP_19][..]).with("field", field()));
    };
    let way = movement::way(scene, player, leader.kind, from, to)?;
    enters(scene, from, to)?;
    let needed = i64::try_from(members.len()).unwrap_or(i64::MAX);
    let free = room::free(scene.tables, scene.position, Room::Spot(to));
    if free < needed {
        return Err(Refusal::new("no-room", &[rule::R0_4_40, rule::GAP_19][..])
            .with("field", field())
            .with("needed", needed)
            .with("free", free.max(0)));
    }
    let steps = way.steps.max(march_steps(scene, leader.kind));
    for id in &members {
        movement::affords(scene, *id, steps)?;
    }
    let mut rules = way.rules;
    rules.push(rule::GAP_19);
    Ok(Permit {
        steps,
        rules,
        ..Permit::default()
    })
}

/// Carries out what [`judge_march`] allowed.
pub fn perform_march(battle: &mut Battle<'_>, player: RealmId, deed: &Field, permit: &Permit) {
    let round = battle.position.clock.round;
    match deed {
        Field::March { phalanx, to } => {
            let from = battle.position.spot_of(*phalanx).unwrap_or(*to);
            let side = battle.position.board.direction(from.cell, to.cell);
            for id in members(&battle.position, *phalanx) {
                if let Some(figure) = battle.position.figure_mut(id) {
                    figure.place = Place::At(*to);
                    figure.steps = figure.steps.saturating_add(permit.steps);
                    figure.moved = Some(Moved { round, by: player });
                    let ahead = side.is_some() && figure.facing == side;
                    figure.straight = if ahead { figure.straight.saturating_add(1) } else { 0 };
                }
            }
            let happening = FightHappening::Marched {
                phalanx: *phalanx,
                from,
                to: *to,
                steps: permit.steps,
            };
            battle.emit(permit.rules.clone(), &[], happening);
            let all = members(&battle.position, *phalanx);
            movement::halt(battle, player, &all);
        }
        Field::Face { figure, facing } => {
            let phalanx = battle.position.figure(*figure).and_then(|figure| figure.phalanx);
            for id in members(&battle.position, phalanx.unwrap_or(*figure)) {
                if let Some(member) = battle.position.figure_mut(id) {
                    // Who turns has not run straight ahead.
                    if member.facing != Some(*facing) {
                        member.straight = 0;
                    }
                    member.facing = Some(*facing);
                    member.turned = true;
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
