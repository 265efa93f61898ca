//! Fable creatures (ARM-GAP-31).
//!
//! A creature that nobody controls goes its full rate in the direction of a die when a round begins. It meets whoever is on the field ahead
//! that it would fill: it attacks there and goes no further. The rider of darkness goes through everybody.

use crate::battle::{Battle, Scene};
use crate::board::{Cell, Spot};
use crate::deed::Deed;
use crate::event::MagicHappening;
use crate::kinds::{Family, Fate, Kind, Part, Spell, Terrain};
use crate::melee::{self, Bout};
use crate::room;
use crate::rule;
use crate::state::{Figure, FigureId, Place, Position};
use crate::survival;
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
            let goal = Spot::ground(to);
            let Some(figure) = battle.position.figure_mut(id) else {
                return false;
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
            true
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
    match kind {
        Kind::SeaSerpent => coil(battle, id, cell),
        _ => {
            if let Some(victim) = victims(&battle.position, kind, cell).first() {
                blow(battle, id, *victim);
            }
        }
    }
}

/// A sea serpent coils around a ship: natural 12 sinks it, 14 a sailing ship.
fn coil(battle: &mut Battle<'_>, id: FigureId, cell: Cell) {
    let Some(ship) = victims(&battle.position, Kind::SeaSerpent, cell).first().copied() else {
        return;
    };
    let Some(kind) = battle.position.figure(ship).map(|figure| figure.kind) else {
        return;
    };
    let rules = &battle.tables.creature;
    let number = if kind == Kind::SailingShip {
        rules.serpent_sinks_sailing_ship_from
    } else {
        rules.serpent_sinks_from
    };
    let (name, target) = (battle.position.name(id), battle.position.name(ship));
    let (throw, dice) = battle.throw(
        rule::GAP_31,
        RealmId::NOBODY,
        format_args!("{} {name} attacks {target}", RealmId::NOBODY),
    );
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
    let wild: Vec<(FigureId, Kind)> = battle
        .position
        .present()
        .filter(|(_, figure)| figure.kind.family() == Family::Creature && !figure.owner.is_played())
        .filter(|(_, figure)| figure.spell.is_none())
        .map(|(id, figure)| (id, figure.kind))
        .collect();
    let round = battle.position.clock.round;
    for (id, kind) in wild {
        let name = battle.position.name(id);
        let nobody = RealmId::NOBODY;
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
        if kind == Kind::Siren && battle.position.figure(id).is_some_and(Figure::is_present) {
            sing(battle, id);
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

/// Every deed of this chapter that might be possible: none, creatures go by dice and spells only.
pub fn candidates(_scene: Scene<'_>, _player: RealmId, _list: &mut Vec<Deed>) {}

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
