//! Bows (ARM-GAP-06): who is engaged, from which number a shot hits; stepping up to loopholes (ARM-GAP-13).

use crate::battle::{Battle, Scene};
use crate::contact;
use crate::deed::{Deed, Fight, Permit, Refusal};
use crate::event::FightHappening;
use crate::kinds::{Fate, Fitting, Kind, Part, Spell};
use crate::sight::{self, Clear};
use crate::state::{Figure, FigureId, Place};
use crate::{legal, loss, melee, rule};
use kernel::hex::Direction;
use kernel::realm::RealmId;

/// Whether a deed of this chapter is legal.
///
/// # Errors
/// The refusal.
pub fn judge(scene: Scene<'_>, player: RealmId, deed: &Fight) -> Result<Permit, Refusal> {
    match deed {
        Fight::Shoot { figure, target } => {
            let (_, mut rules) = shot(scene, player, *figure, *target)?;
            rules.extend([rule::GAP_06, rule::R0_3_9]);
            Ok(Permit {
                rules,
                ..Permit::default()
            })
        }
        Fight::Loophole { figure, side } => judge_loophole(scene, player, *figure, *side),
        _ => Err(Refusal::new("not-built", &[rule::GAP_06][..])),
    }
}

/// What a shot needs and has: hit if the natural sum and the points reach the number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shot {
    /// The shooter's points, less armour and cover.
    pub points: i64,
    /// The number, by distance and levels uphill.
    pub number: i64,
}

impl Shot {
    /// In how many of 216 cases it hits.
    pub fn odds(self) -> u32 {
        crate::odds::at_least(self.number - self.points)
    }
}

/// Judges a shot and reckons it.
///
/// # Errors
/// The refusal.
pub fn shot(
    scene: Scene<'_>,
    player: RealmId,
    shooter: FigureId,
    target: FigureId,
) -> Result<(Shot, Vec<kernel::rule::RuleId>), Refusal> {
    let figure = legal::own_act(scene, player, shooter)?;
    let name = || figure.to_string();
    let hands_free = !matches!(
        figure.place,
        Place::On(_, Part::Inside | Part::Rung) | Place::Swimming(_)
    );
    if !melee::is_shooter(figure.kind) || !hands_free {
        return Err(Refusal::new("cannot-shoot", &[rule::GAP_06][..]).with("figure", name()));
    }
    let victim = victim(scene, player, target)?;
    let bow = &scene.tables.bow;
    if bow.engaged_cannot_shoot && (figure.engaged || is_engaged(scene, shooter, figure)) {
        return Err(Refusal::new("engaged", &[rule::GAP_06][..]).with("figure", name()));
    }
    let clear = sight::clear(scene, shooter, target)?;
    let range = if clear.from_above {
        bow.range_from_above
    } else {
        bow.range
    };
    if clear.distance > range {
        return Err(Refusal::new("out-of-range", &[rule::GAP_06][..])
            .with("figure", name())
            .with("target", scene.position.name(target)));
    }
    let shot = reckon(scene, shooter, figure, victim, &clear);
    let mut rules = clear.rules;
    if victim.under(Spell::Protection) || melee::enchanted(scene, figure, true) != 0 {
        rules.push(rule::GAP_32);
    }
    Ok((shot, rules))
}

fn reckon(scene: Scene<'_>, shooter: FigureId, figure: &Figure, victim: &Figure, clear: &Clear) -> Shot {
    let bow = &scene.tables.bow;
    let mounted = matches!(figure.place, Place::On(_, Part::Saddle)) || contact::mount(scene, shooter).is_some();
    let armour = match victim.kind {
        Kind::King => melee::by_lives(&bow.king_armour_by_lives, victim.lives),
        kind => scene.tables.figure(kind).armour,
    };
    let protection = if victim.under(Spell::Protection) {
        scene.tables.spell(Spell::Protection).points
    } else {
        0
    };
    let own = scene.tables.figure(figure.kind).shooting
        + if mounted { bow.mounted } else { 0 }
        + melee::enchanted(scene, figure, true);
    let cover = if clear.cover { bow.cover } else { 0 };
    Shot {
        points: own - armour - protection - cover,
        number: bow.base + clear.distance.max(bow.distance_min) + bow.uphill_per_level * clear.uphill,
    }
}

/// Whether a figure can be shot at.
fn victim(scene: Scene<'_>, player: RealmId, id: FigureId) -> Result<&Figure, Refusal> {
    let name = || scene.position.name(id);
    let Some(figure) = scene.position.figure(id).filter(|figure| figure.is_present()) else {
        return Err(Refusal::new("no-such-figure", &[rule::R0_2_4, rule::GAP_51][..]).with("figure", name()));
    };
    let wild = figure.kind.family() == crate::kinds::Family::Creature && !figure.owner.is_played();
    if !wild && !scene.position.hostile(player, figure.owner) {
        return Err(Refusal::new("not-an-enemy", &[rule::GAP_43][..]).with("figure", name()));
    }
    if figure.under(Spell::MakeInvisible) || figure.under(Spell::Petrify) {
        return Err(Refusal::new("cannot-be-hit", &[rule::GAP_32, rule::GAP_07][..]).with("figure", name()));
    }
    let hovers = matches!(figure.place, Place::Above(_));
    let housed = matches!(figure.place, Place::On(_, Part::Inside));
    if hovers || housed || figure.kind == Kind::DarkRider || !figure.kind.family().is_living() {
        return Err(Refusal::new("no-shot-target", &[rule::GAP_07][..]).with("figure", name()));
    }
    Ok(figure)
}

/// ARM-GAP-06: whether an enemy with more than a knife could attack him in melee now.
pub(crate) fn is_engaged(scene: Scene<'_>, id: FigureId, figure: &Figure) -> bool {
    let position = scene.position;
    let Some(cell) = position.cell_of(id) else {
        return false;
    };
    let knives = scene.tables.bow.knives_engage;
    position.present().any(|(other, enemy)| {
        position.hostile(figure.owner, enemy.owner)
            && (knives || !melee::is_shooter(enemy.kind))
            && position
                .cell_of(other)
                .is_some_and(|at| position.board.distance(at, cell) <= 1)
            && melee::threatens(scene, other, id)
    })
}

/// ARM-GAP-06, when a player's turn begins: which of his shooters are engaged in melee. They do not shoot in this turn.
pub fn engage(battle: &mut Battle<'_>, player: RealmId) {
    let scene = battle.scene(player);
    let shooters: Vec<(FigureId, bool)> = scene
        .position
        .present()
        .filter(|(_, figure)| figure.owner == player && melee::is_shooter(figure.kind))
        .map(|(id, figure)| (id, is_engaged(scene, id, figure)))
        .collect();
    for (id, engaged) in &shooters {
        if let Some(figure) = battle.position.figure_mut(*id) {
            figure.engaged = *engaged;
        }
    }
    let figures: Vec<FigureId> = shooters
        .into_iter()
        .filter(|(_, engaged)| *engaged)
        .map(|(id, _)| id)
        .collect();
    if !figures.is_empty() {
        battle.emit(&[rule::GAP_06][..], &[], FightHappening::Engaged { figures });
    }
}

/// Whether the wall on this side of where a shooter stands has a loophole.
fn judge_loophole(scene: Scene<'_>, player: RealmId, id: FigureId, side: Direction) -> Result<Permit, Refusal> {
    let figure = legal::own(scene, player, id)?;
    let refuse = || Refusal::new("no-loophole", &[rule::GAP_13][..]).with("figure", figure.to_string());
    let Place::At(spot) = figure.place else {
        return Err(refuse());
    };
    if !melee::is_shooter(figure.kind) || figure.phalanx.is_some() {
        return Err(refuse());
    }
    let board = &scene.position.board;
    let fitting = match board.building(spot.cell) {
        Some(building) => building
            .storeys
            .get(usize::from(spot.level))
            .and_then(|storey| storey.walls[side.index()]),
        None => board
            .ground(spot.cell)
            .and_then(|ground| ground.walls[side.index()])
            .map(|wall| wall.fitting),
    };
    if fitting != Some(Fitting::Loophole) {
        return Err(refuse());
    }
    Ok(Permit {
        rules: vec![rule::GAP_13, rule::R0_2_6, rule::R0_3_6],
        ..Permit::default()
    })
}

/// Carries out what [`judge`] allowed.
pub fn perform(battle: &mut Battle<'_>, player: RealmId, deed: &Fight, permit: &Permit) {
    match deed {
        Fight::Shoot { figure, target } => {
            let Ok((shot, _)) = shot(battle.scene(player), player, *figure, *target) else {
                return;
            };
            melee::spend_act(battle, *figure);
            let (name, aim) = (battle.position.name(*figure), battle.position.name(*target));
            let subject = format_args!("{player} {name} shoots at {aim}");
            let (throw, dice) = battle.throw_for(rule::GAP_06, *figure, subject);
            let hit = throw.natural() + shot.points >= shot.number;
            let happening = FightHappening::Shot {
                figure: *figure,
                target: *target,
                throw,
                points: shot.points,
                number: shot.number,
                hit,
            };
            battle.emit(permit.rules.clone(), &dice, happening);
            if hit {
                loss::strike(battle, *target, Fate::Killed, &[rule::GAP_06]);
            }
        }
        Fight::Loophole { figure, side } => {
            if let Some(figure) = battle.position.figure_mut(*figure) {
                figure.facing = Some(*side);
            }
            let happening = FightHappening::AtLoophole {
                figure: *figure,
                side: *side,
            };
            battle.emit(permit.rules.clone(), &[], happening);
        }
        _ => {}
    }
}

/// Every shot of an own shooter at somebody within the longest range, every loophole.
pub fn candidates(scene: Scene<'_>, player: RealmId, list: &mut Vec<Deed>) {
    let position = scene.position;
    let range = scene.tables.bow.range.max(scene.tables.bow.range_from_above);
    let shooters = position
        .present()
        .filter(|(_, figure)| figure.possessor == player && melee::is_shooter(figure.kind) && figure.is_able());
    for (shooter, figure) in shooters {
        if let Place::At(spot) = figure.place
            && position
                .board
                .ground(spot.cell)
                .is_some_and(|ground| ground.building.is_some() || ground.walls.iter().any(Option::is_some))
        {
            let loophole = |side| Deed::Fight(Fight::Loophole { figure: shooter, side });
            list.extend(Direction::ALL.map(loophole));
        }
        let Some(cell) = position.cell_of(shooter).filter(|_| !figure.acted) else {
            continue;
        };
        let targets = position.present().filter(|(id, target)| {
            target.possessor != player
                && position
                    .cell_of(*id)
                    .is_some_and(|at| i64::try_from(position.board.distance(at, cell)).is_ok_and(|far| far <= range))
        });
        let shoot = |(target, _)| {
            Deed::Fight(Fight::Shoot {
                figure: shooter,
                target,
            })
        };
        list.extend(targets.map(shoot));
    }
}
