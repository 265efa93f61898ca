//! Fable creatures (ARM-GAP-31).
//!
//! A creature that nobody controls goes its full rate in the direction of a die when a round begins. It meets whoever is on the field ahead
//! that it would fill: it attacks there and goes no further. The rider of darkness goes through everybody.
//!
//! A creature of a player's goes where he says, as far, in his movement phase, and its attack is its act: giant, troll and griffin strike in melee like
//! anybody, a dragon breathes on a field, a sea serpent coils around a ship. Sirens sing when the round begins, whosever they are.

use crate::battle::{Battle, Scene};
use crate::board::{Cell, Spot};
use crate::deed::{Deed, Fight, Permit, Refusal};
use crate::event::MagicHappening;
use crate::kinds::{Family, Fate, Kind, Part, Spell, Terrain};
use crate::melee::{self, Bout};
use crate::state::{Figure, FigureId, Place, Position};
use crate::{legal, movement, room, rule, survival};
use kernel::hex::Direction;
use kernel::realm::RealmId;
use kernel::rule::RuleId;

/// What a creature finds on a field beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// Nothing that stops it.
    Free,
    /// Somebody whom it attacks.
    Meets,
    /// It cannot go there, and finds nobody to attack.
    Barred,
}

const fn flies(kind: Kind) -> bool {
    matches!(kind, Kind::Dragon | Kind::Griffin | Kind::DarkRider)
}

/// Whoever a creature can attack on a field: neither hovering nor petrified (ARM-GAP-32), and not invisible if it must choose.
pub(crate) fn victims(position: &Position, creature: Kind, cell: Cell) -> Vec<FigureId> {
    let platform = position.board.building(cell).map(|building| building.storeys.len());
    position
        .present()
        .filter(|(id, figure)| {
            let here = position.cell_of(*id) == Some(cell) || position.stern(*id) == Some(cell);
            here && !matches!(figure.place, Place::Above(_)) && !figure.under(Spell::Petrify)
        })
        .filter(|(id, figure)| match creature {
            Kind::Dragon | Kind::DarkRider => figure.kind.family().is_living(),
            Kind::SeaSerpent => figure.kind.family() == Family::Ship,
            Kind::Siren => false,
            // On a platform only a griffin reaches anybody; inside a building or a turtle nobody does.
            _ => {
                let level = position.spot_of(*id).map(|spot| usize::from(spot.level));
                let sheltered = matches!(figure.place, Place::On(_, Part::Inside | Part::Lower));
                let reached = platform.is_none() || (creature == Kind::Griffin && level == platform);
                let seen = !figure.under(Spell::MakeInvisible);
                figure.kind.family().is_living() && reached && !sheltered && seen
            }
        })
        .map(|(id, _)| id)
        .collect()
}

/// What a creature finds on the field beside `from`.
pub fn entry(scene: Scene<'_>, id: FigureId, from: Cell, to: Cell) -> Entry {
    let position = scene.position;
    let (Some(figure), Some(side)) = (position.figure(id), position.board.direction(from, to)) else {
        return Entry::Barred;
    };
    let Some(ground) = position.board.ground(to) else {
        return Entry::Barred;
    };
    let kind = figure.kind;
    let passes = flies(kind) || on_foot(scene, from, side);
    let stays = ground.building.is_none() && room::may_stay(scene.tables, kind, ground.terrain).is_ok();
    let fills = scene.tables.figure(kind).fills;
    let empty = !fills
        || !position
            .present()
            .any(|(other, figure)| other != id && occupies(position, other, figure, to));
    if passes && stays && empty {
        return Entry::Free;
    }
    if passes && fills && !victims(position, kind, to).is_empty() {
        return Entry::Meets;
    }
    Entry::Barred
}

fn occupies(position: &Position, id: FigureId, figure: &Figure, cell: Cell) -> bool {
    !matches!(figure.place, Place::Above(_)) && (position.cell_of(id) == Some(cell) || position.stern(id) == Some(cell))
}

/// Whether a creature on its feet, or in its water, gets over an edge: no wall, no flood, at most a level.
fn on_foot(scene: Scene<'_>, from: Cell, side: Direction) -> bool {
    let board = &scene.position.board;
    let Some(to) = board.neighbour(from, side) else {
        return false;
    };
    let (near, far) = board.walls_between(from, side);
    let walled = [near, far].into_iter().flatten().any(|wall| !wall.fitting.is_open());
    let flooded = board
        .river(from, side)
        .and_then(|river| river.spell)
        .is_some_and(|on| on.spell == Spell::FloodRiver);
    let height = |cell| board.height(scene.tables, Spot::ground(cell));
    let steep = i64::from(height(from).abs_diff(height(to))) > scene.tables.step.levels_max;
    !walled && !flooded && !steep
}

/// ARM-0.2.4: a creature goes to the field beside it, or attacks there. Tells whether it went.
pub fn advance(battle: &mut Battle<'_>, id: FigureId, to: Cell, rules: &[RuleId]) -> bool {
    let Some(from) = battle.position.cell_of(id) else {
        return false;
    };
    let dragon = battle.position.figure(id).map(|figure| figure.kind) == Some(Kind::Dragon);
    if dragon && let Some(prey) = ahead(battle, from, to) {
        everybody(battle, id, prey);
        return false;
    }
    match entry(battle.scene(RealmId::NOBODY), id, from, to) {
        Entry::Barred => false,
        Entry::Meets if dragon => false,
        Entry::Meets => {
            meet(battle, id, to);
            false
        }
        Entry::Free => {
            go(battle, id, to, rules);
            true
        }
    }
}

/// A creature comes to a field that is free for it.
fn go(battle: &mut Battle<'_>, id: FigureId, to: Cell, rules: &[RuleId]) {
    let goal = Spot::ground(to);
    let Some(figure) = battle.position.figure_mut(id) else {
        return;
    };
    let from = std::mem::replace(&mut figure.place, Place::At(goal));
    let kind = figure.kind;
    let happening = MagicHappening::CreatureMoved {
        figure: id,
        from,
        to: goal,
    };
    battle.emit(rules.to_vec(), &[], happening);
    if kind == Kind::DarkRider {
        everybody(battle, id, to);
    }
}

/// Whether a player may lead a creature of his own to the field beside it: any field costs it one of its rate (ARM-0.2.4).
///
/// # Errors
/// The refusal.
pub fn judge_step(scene: Scene<'_>, player: RealmId, id: FigureId, to: Spot) -> Result<Permit, Refusal> {
    let figure = legal::own(scene, player, id)?;
    let from = scene.position.cell_of(id).unwrap_or(to.cell);
    if to.level > 0 || scene.position.board.direction(from, to.cell).is_none() {
        return Err(movement::refusal(scene, "not-adjacent", &[rule::R0_4_38], to));
    }
    if entry(scene, id, from, to.cell) != Entry::Free {
        let rules = &[rule::GAP_31, rule::R0_4_42, rule::R0_4_4][..];
        return Err(Refusal::new("creature-stays", rules).with("figure", figure.to_string()));
    }
    let steps = movement::small(scene.tables.step.single);
    movement::affords(scene, id, steps)?;
    Ok(Permit {
        steps,
        rules: vec![rule::GAP_31, rule::R0_2_4],
        ..Permit::default()
    })
}

/// Carries out what [`judge_step`] allowed.
pub fn step(battle: &mut Battle<'_>, id: FigureId, to: Spot, permit: &Permit) {
    if let Some(figure) = battle.position.figure_mut(id) {
        figure.steps = figure.steps.saturating_add(permit.steps);
    }
    go(battle, id, to.cell, &permit.rules);
}

/// Whether an attack of this figure is no melee: the breath of a dragon, the coils of a sea serpent.
pub fn attacks_alone(position: &Position, id: FigureId) -> bool {
    let kind = position.figure(id).map(|figure| figure.kind);
    matches!(kind, Some(Kind::Dragon | Kind::SeaSerpent))
}

/// The field on which a creature of this kind at `from` strikes a figure: of a ship the nearer one.
fn struck_field(scene: Scene<'_>, kind: Kind, from: Cell, target: FigureId) -> Option<Cell> {
    let position = scene.position;
    let reach = match kind {
        Kind::Dragon => u64::try_from(scene.tables.creature.dragon_reach).unwrap_or(0),
        _ => 1,
    };
    let fields = [position.cell_of(target), position.stern(target)];
    let mut fields = fields.into_iter().flatten();
    fields
        .find(|cell| position.board.distance(from, *cell) <= reach && victims(position, kind, *cell).contains(&target))
}

/// Whether a player's dragon may breathe on the field of an enemy, or his sea serpent coil around a ship.
///
/// # Errors
/// The refusal.
pub fn judge_attack(scene: Scene<'_>, player: RealmId, deed: &Fight) -> Result<Permit, Refusal> {
    let Fight::Attack {
        figure: id,
        support,
        target,
    } = deed
    else {
        return Err(Refusal::new("not-built", &[rule::GAP_31][..]));
    };
    let figure = legal::own_act(scene, player, *id)?;
    if support.is_some() {
        return Err(Refusal::new("attacks-alone", &[rule::GAP_31][..]).with("figure", figure.to_string()));
    }
    let refuse = |code: &'static str, rules: &'static [RuleId]| {
        Refusal::new(code, rules)
            .with("figure", figure.to_string())
            .with("target", scene.position.name(*target))
    };
    let found = scene.position.figure(*target).filter(|found| found.is_present());
    let Some(found) = found else {
        return Err(Refusal::new("no-such-figure", &[rule::R0_2_4][..]).with("figure", scene.position.name(*target)));
    };
    let wild = found.kind.family() == Family::Creature && !found.owner.is_played();
    if !wild && !scene.position.hostile(player, found.owner) {
        return Err(Refusal::new("not-an-enemy", &[rule::GAP_43][..]).with("figure", found.to_string()));
    }
    if found.under(Spell::MakeInvisible) {
        return Err(Refusal::new("cannot-be-hit", &[rule::GAP_32][..]).with("figure", found.to_string()));
    }
    let from = scene.position.cell_of(*id);
    if from
        .and_then(|from| struck_field(scene, figure.kind, from, *target))
        .is_none()
    {
        return Err(refuse("out-of-reach", &[rule::GAP_31]));
    }
    Ok(Permit {
        rules: vec![rule::GAP_31, rule::R0_3_3],
        ..Permit::default()
    })
}

/// Carries out what [`judge_attack`] allowed.
pub fn attack(battle: &mut Battle<'_>, player: RealmId, deed: &Fight) {
    let Fight::Attack { figure: id, target, .. } = deed else {
        return;
    };
    let scene = battle.scene(player);
    let (Some(kind), Some(from)) = (
        scene.position.figure(*id).map(|figure| figure.kind),
        scene.position.cell_of(*id),
    ) else {
        return;
    };
    let field = struck_field(scene, kind, from, *target);
    melee::spend_act(battle, *id);
    match kind {
        Kind::SeaSerpent => coil(battle, *id, *target),
        _ => {
            if let Some(field) = field {
                everybody(battle, *id, field);
            }
        }
    }
}

/// The nearest field within a dragon's reach, straight on over `to`, where it finds anybody.
fn ahead(battle: &Battle<'_>, from: Cell, to: Cell) -> Option<Cell> {
    let board = &battle.position.board;
    let side = board.direction(from, to)?;
    let mut cell = from;
    for _ in 0..battle.tables.creature.dragon_reach {
        cell = board.neighbour(cell, side)?;
        if !victims(&battle.position, Kind::Dragon, cell).is_empty() {
            return Some(cell);
        }
    }
    None
}

/// Everybody on a field rolls for survival: under a dragon's breath, or where the rider of darkness passes.
fn everybody(battle: &mut Battle<'_>, id: FigureId, cell: Cell) {
    let Some(kind) = battle.position.figure(id).map(|figure| figure.kind) else {
        return;
    };
    let victims = victims(&battle.position, kind, cell);
    if victims.is_empty() {
        return;
    }
    let happening = MagicHappening::CreatureStruck { figure: id, cell };
    battle.emit(&[rule::GAP_31, rule::R0_3_11][..], &[], happening);
    let subject = format!("meets {}", battle.position.name(id));
    for victim in victims.into_iter().filter(|victim| *victim != id) {
        survival::endure_or_fall(battle, victim, rule::GAP_31, &subject, Fate::Perished);
    }
}

/// A creature attacks on a field.
fn meet(battle: &mut Battle<'_>, id: FigureId, cell: Cell) {
    let Some(kind) = battle.position.figure(id).map(|figure| figure.kind) else {
        return;
    };
    let Some(victim) = victims(&battle.position, kind, cell).first().copied() else {
        return;
    };
    match kind {
        Kind::SeaSerpent => coil(battle, id, victim),
        _ => blow(battle, id, victim),
    }
}

/// A sea serpent coils around a ship: natural 12 sinks it, 14 a sailing ship.
fn coil(battle: &mut Battle<'_>, id: FigureId, ship: FigureId) {
    let (Some(owner), Some(kind)) = (
        battle.position.figure(id).map(|figure| figure.owner),
        battle.position.figure(ship).map(|figure| figure.kind),
    ) else {
        return;
    };
    let rules = &battle.tables.creature;
    let number = if kind == Kind::SailingShip {
        rules.serpent_sinks_sailing_ship_from
    } else {
        rules.serpent_sinks_from
    };
    let (name, target) = (battle.position.name(id), battle.position.name(ship));
    let (throw, dice) = battle.throw(rule::GAP_31, owner, format_args!("{owner} {name} attacks {target}"));
    let sinks = throw.natural() >= number;
    let happening = MagicHappening::SerpentStruck {
        figure: id,
        ship,
        throw,
        number,
        sinks,
    };
    battle.emit(&[rule::GAP_31][..], &dice, happening);
    if sinks {
        survival::fall(battle, ship, Fate::Destroyed, vec![rule::GAP_31], &[]);
    }
}

/// The other creatures fight an ordinary duel.
fn blow(battle: &mut Battle<'_>, id: FigureId, victim: FigureId) {
    let mut bout = Bout::new(battle.scene(RealmId::NOBODY), id, None, victim);
    bout.rules.push(rule::GAP_31);
    melee::duel(battle, &bout);
}

/// ARM-GAP-31, at the start of a round: creatures that nobody controls move and attack, and sirens sing.
pub fn roam(battle: &mut Battle<'_>) {
    let free: Vec<(FigureId, Kind, bool)> = battle
        .position
        .present()
        .filter(|(_, figure)| figure.kind.family() == Family::Creature && figure.spell.is_none())
        .map(|(id, figure)| (id, figure.kind, figure.owner.is_played()))
        .collect();
    for (id, kind, led) in free {
        if !led {
            wander(battle, id, kind);
        }
        if kind == Kind::Siren && battle.position.figure(id).is_some_and(Figure::is_present) {
            sing(battle, id);
        }
    }
}

/// A creature goes its full rate in the direction of a die.
fn wander(battle: &mut Battle<'_>, id: FigureId, kind: Kind) {
    let round = battle.position.clock.round;
    let (name, nobody) = (battle.position.name(id), RealmId::NOBODY);
    let die = battle.die(
        rule::GAP_31,
        nobody,
        format_args!("{nobody} {name} roams round {round}"),
        6,
    );
    let toward = counter_clockwise(die.value);
    battle.emit(
        &[rule::GAP_31, rule::R0_2_2][..],
        &[die],
        MagicHappening::CreatureTurned { figure: id, toward },
    );
    for _ in 0..battle.tables.figure(kind).steps {
        let next = battle
            .position
            .cell_of(id)
            .and_then(|cell| battle.position.board.neighbour(cell, toward));
        let Some(next) = next else { break };
        if !advance(battle, id, next, &[rule::GAP_31, rule::R0_2_4]) {
            break;
        }
    }
}

/// The direction of a die: 1 is east, then counter-clockwise, as the wind's (ARM-GAP-25).
pub fn counter_clockwise(face: i64) -> Direction {
    match face {
        1 => Direction::East,
        2 => Direction::NorthEast,
        3 => Direction::NorthWest,
        4 => Direction::West,
        5 => Direction::SouthWest,
        _ => Direction::SouthEast,
    }
}

/// A siren sings: the crew of every ship near her rolls once, and who fails comes a field nearer and does not act in this round.
fn sing(battle: &mut Battle<'_>, siren: FigureId) {
    let Some(here) = battle.position.cell_of(siren) else {
        return;
    };
    let reach = u64::try_from(battle.tables.creature.siren_reach).unwrap_or(0);
    let position = &battle.position;
    let near = |id: FigureId| {
        let fields = [position.cell_of(id), position.stern(id)];
        fields
            .into_iter()
            .flatten()
            .any(|cell| position.board.distance(here, cell) <= reach)
    };
    let ships: Vec<FigureId> = position
        .present()
        .filter(|(id, figure)| figure.kind.family() == Family::Ship && near(*id))
        .filter(|(id, _)| position.crew(*id).any(|(_, figure)| figure.kind.is_person()))
        .map(|(id, _)| id)
        .collect();
    for ship in ships {
        let Some(owner) = battle.position.figure(ship).map(|figure| figure.possessor) else {
            continue;
        };
        let (name, song) = (battle.position.name(ship), battle.position.name(siren));
        let (throw, dice) = battle.throw(rule::GAP_31, owner, format_args!("{owner} {name} hears {song}"));
        let resisted = throw.natural() >= battle.tables.creature.siren_resisted_from;
        let happening = MagicHappening::SirenSang {
            siren,
            ship,
            throw,
            resisted,
        };
        battle.emit(&[rule::GAP_31, rule::R0_2_3][..], &dice, happening);
        if !resisted {
            lure(battle, ship, here);
        }
    }
}

/// A field nearer to the siren, if there is water, and no act in this round.
fn lure(battle: &mut Battle<'_>, ship: FigureId, siren: Cell) {
    let round = battle.position.clock.round;
    if let Some(figure) = battle.position.figure_mut(ship) {
        figure.charmed = round;
    }
    let Some(bow) = battle.position.cell_of(ship) else {
        return;
    };
    let board = &battle.position.board;
    let distance = board.distance(bow, siren);
    let two_fields = battle.position.stern(ship).is_some();
    let nearer = board.neighbours(bow).find(|(_, cell)| {
        let water = board
            .ground(*cell)
            .is_some_and(|ground| ground.terrain == Terrain::Water && ground.stream_bridge.is_none());
        let filler = room::filler(battle.tables, &battle.position, Spot::ground(*cell));
        board.distance(*cell, siren) < distance && water && filler.is_none()
    });
    let Some((side, cell)) = nearer else { return };
    if let Some(figure) = battle.position.figure_mut(ship) {
        let goal = Spot::ground(cell);
        let from = std::mem::replace(&mut figure.place, Place::At(goal));
        if two_fields {
            // The bow turns to her and the stern follows into the bow's old field.
            figure.facing = Some(side);
        }
        let happening = MagicHappening::CreatureMoved {
            figure: ship,
            from,
            to: goal,
        };
        battle.emit(&[rule::GAP_31, rule::R0_2_4][..], &[], happening);
    }
}

/// ARM-GAP-31, when a player's turn begins: a ship under a siren's spell does not act.
pub fn charm(battle: &mut Battle<'_>, player: RealmId) {
    let round = battle.position.clock.round;
    for figure in &mut battle.position.figures {
        if figure.possessor == player && figure.charmed == round {
            figure.acted = true;
            figure.steps = u8::MAX;
        }
    }
}

/// Every attack of an own dragon or sea serpent on a figure in its reach. Steps are those of everybody.
pub fn candidates(scene: Scene<'_>, player: RealmId, list: &mut Vec<Deed>) {
    let position = scene.position;
    let own = position
        .present()
        .filter(|(id, figure)| figure.possessor == player && attacks_alone(position, *id));
    for (id, figure) in own {
        let Some(from) = position.cell_of(id) else { continue };
        let targets = position.present().map(|(target, _)| target);
        let attacks = targets
            .filter(|target| struck_field(scene, figure.kind, from, *target).is_some())
            .map(|target| {
                Deed::Fight(Fight::Attack {
                    figure: id,
                    support: None,
                    target,
                })
            });
        list.extend(attacks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_die_of_a_creature_turns_counter_clockwise_from_the_east() {
        let faces: Vec<Direction> = (1..=6).map(counter_clockwise).collect();
        assert_eq!(faces.first(), Some(&Direction::East));
        for pair in faces.windows(2) {
            // Counter-clockwise is one place back in the order of directions.
            assert_eq!((pair[1].index() + 1) % 6, pair[0].index());
        }
    }
}
