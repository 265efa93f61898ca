//! The quadriga (ARM-GAP-21, ARM-GAP-22, ARM-GAP-37, ARM-0.4.13): a wagon with its team on the field in front of it.
//!
//! Driving (*Lenken*) is control, the wagon's way (*Fahren*) is movement, those aboard are carried along (ARM-0.3.7).

use crate::battle::{Battle, Scene};
use crate::board::{Cell, Spot};
use crate::control;
use crate::deed::{Deed, Field, Permit, Refusal};
use crate::event::FieldHappening;
use crate::kinds::{Family, Fate, Kind, Part, Spell};
use crate::legal;
use crate::movement;
use crate::overcrowding::{self, Crowding};
use crate::room::{self, Room};
use crate::rule;
use crate::state::{Figure, FigureId, Moved, Place, Position};
use crate::survival;
use crate::trampling;
use kernel::hex::Direction;
use kernel::realm::RealmId;

/// The horses harnessed to a wagon.
pub fn team(position: &Position, wagon: FigureId) -> Vec<FigureId> {
    let harnessed = position.present().filter(|(_, horse)| horse.held_by == Some(wagon));
    harnessed.map(|(id, _)| id).collect()
}

/// Whether a wagon has horses.
pub fn has_team(position: &Position, wagon: FigureId) -> bool {
    position.present().any(|(_, horse)| horse.held_by == Some(wagon))
}

/// Whether driving, harnessing or taking off is legal.
///
/// # Errors
/// The refusal.
pub fn judge(scene: Scene<'_>, player: RealmId, deed: &Field) -> Result<Permit, Refusal> {
    match deed {
        Field::Drive { wagon, to } => judge_drive(scene, player, *wagon, *to),
        Field::Harness { horse, wagon } => judge_harness(scene, player, *horse, *wagon),
        Field::Unharness { wagon } => judge_unharness(scene, player, *wagon),
        _ => Err(Refusal::new("not-built", &[rule::GAP_21][..])),
    }
}

fn wagon_of(scene: Scene<'_>, id: FigureId) -> Result<&Figure, Refusal> {
    let found = scene.position.figure(id).filter(|figure| figure.is_present());
    match found {
        Some(wagon) if wagon.kind == Kind::Wagon => Ok(wagon),
        _ => Err(Refusal::new("no-wagon", &[rule::GAP_21][..]).with("figure", scene.position.name(id))),
    }
}

/// The fields of wagon and team.
fn fields(scene: Scene<'_>, wagon: &Figure) -> Result<(Cell, Cell, Direction), Refusal> {
    let (Place::At(at), Some(facing)) = (wagon.place, wagon.facing) else {
        return Err(Refusal::new("not-on-the-ground", &[rule::GAP_21][..]).with("figure", wagon.to_string()));
    };
    let ahead = scene.position.board.neighbour(at.cell, facing);
    let ahead = ahead.ok_or_else(|| movement::refusal(scene, "not-adjacent", &[rule::R0_4_38], at))?;
    Ok((at.cell, ahead, facing))
}

fn judge_drive(scene: Scene<'_>, player: RealmId, id: FigureId, to: Spot) -> Result<Permit, Refusal> {
    let wagon = wagon_of(scene, id)?;
    let name = wagon.to_string();
    let driver = scene
        .position
        .aboard(id)
        .any(|(_, crew)| crew.owner == player && crew.kind.is_person() && crew.is_able());
    if !driver {
        return Err(Refusal::new("not-driven", &[rule::GAP_21, rule::R0_4_33][..]).with("figure", name));
    }
    if !control::decides(scene.tables, scene.position, player, id) {
        return Err(control::no_majority(wagon));
    }
    let horses = team(scene.position, id);
    let Some(first) = horses.first().and_then(|horse| scene.position.figure(*horse)) else {
        return Err(Refusal::new("no-team", &[rule::GAP_21][..]).with("figure", name));
    };
    let (at, ahead, facing) = fields(scene, wagon)?;
    if to == Spot::ground(ahead) {
        return Err(movement::refusal(scene, "team-stands-there", &[rule::GAP_21], to).with("figure", name));
    }
    let turned = scene.position.board.direction(ahead, to.cell).filter(|_| to.level == 0);
    let Some(course) = turned.filter(|course| sixths(facing, *course) <= scene.tables.quadriga.turn_sixths_max) else {
        return Err(movement::refusal(scene, "too-sharp", &[rule::GAP_21], to));
    };
    debug_assert_ne!(course, facing.opposite());
    let mut way = movement::way(scene, player, first.kind, Spot::ground(ahead), to)?;
    // Where the team goes, the wagon must be able to follow.
    way.steps = way
        .steps
        .max(movement::way(scene, player, Kind::Wagon, Spot::ground(ahead), to)?.steps);
    movement::way(scene, player, Kind::Wagon, Spot::ground(at), Spot::ground(ahead))?;
    let left = speed(scene, wagon, horses.len()) - i64::from(wagon.steps);
    if i64::from(way.steps) > left {
        return Err(
            Refusal::new("no-steps-left", &[rule::GAP_21, rule::R0_4_38, rule::R0_4_44][..])
                .with("figure", name)
                .with("steps", i64::from(way.steps))
                .with("left", left.max(0)),
        );
    }
    for horse in horses.iter().chain([&id]) {
        control::rested(scene, player, *horse)?;
        movement::unbound(scene, *horse)?;
    }
    let mut rules = way.rules;
    rules.extend([rule::GAP_21, rule::R0_3_2, rule::R0_3_4, rule::R0_3_7, rule::R0_4_33]);
    make_way(scene, player, &horses, (ahead, to), &mut rules)?;
    if wagon.possessor != player {
        rules.extend([rule::R0_4_13, rule::GAP_37]);
    }
    Ok(Permit {
        steps: way.steps,
        rules,
        ..Permit::default()
    })
}

/// The turn between two directions in sixths of a circle, 0 to 3.
pub fn sixths(one: Direction, other: Direction) -> i64 {
    let turn = one.index().abs_diff(other.index());
    i64::try_from(turn.min(6 - turn)).unwrap_or(3)
}

/// ARM-GAP-21, ARM-GAP-32: the steps of a quadriga.
fn speed(scene: Scene<'_>, wagon: &Figure, horses: usize) -> i64 {
    let table = &scene.tables.quadriga.steps_by_horses;
    let steps = table.get(horses.min(table.len() - 1)).copied().unwrap_or(0);
    if wagon.under(Spell::DoubleSpeed) {
        return steps * scene.tables.spell(Spell::DoubleSpeed).factor;
    }
    steps
}

/// Room for the team ahead, or enemies to trample; nobody of the own side under the wagon.
fn make_way(
    scene: Scene<'_>,
    player: RealmId,
    horses: &[FigureId],
    (ahead, to): (Cell, Spot),
    rules: &mut Vec<kernel::rule::RuleId>,
) -> Result<(), Refusal> {
    let under = Spot::ground(ahead);
    let friends = room::users(scene.position, Room::Spot(under))
        .any(|(id, figure)| !horses.contains(&id) && scene.position.allied(player, figure.owner));
    let things = room::users(scene.position, Room::Spot(under))
        .any(|(id, figure)| !horses.contains(&id) && figure.kind.family().is_device());
    let stone = room::users(scene.position, Room::Spot(under)).any(|(_, figure)| figure.under(Spell::Petrify));
    if friends || things || stone {
        return Err(movement::no_room(scene, under, scene.tables.room.field));
    }
    let needed: i64 = horses
        .iter()
        .filter_map(|id| scene.position.figure(*id))
        .map(|horse| room::consumption(scene.tables, horse))
        .sum();
    if room::free(scene.tables, scene.position, Room::Spot(to)) >= needed {
        return Ok(());
    }
    let fresh = horses
        .iter()
        .filter_map(|id| scene.position.figure(*id))
        .all(|horse| trampling::may(scene, player, horse, to));
    if !fresh {
        return Err(movement::no_room(scene, to, needed));
    }
    rules.push(rule::GAP_22);
    Ok(())
}

/// The warriors of the player's on the wagon or with the horses who harness and take off: as many as the ruling asks for acts, and one at the
/// least.
fn grooms(scene: Scene<'_>, player: RealmId, wagon: FigureId, ahead: Cell) -> Result<Vec<FigureId>, Refusal> {
    let acts = usize::try_from(scene.tables.quadriga.harness_acts).unwrap_or(0);
    let fit = |(id, figure): &(FigureId, &Figure)| {
        let near = matches!(figure.place, Place::On(on, Part::Wagon) if on == wagon)
            || scene.position.cell_of(*id) == Some(ahead)
                && !matches!(figure.place, Place::Above(_) | Place::Swimming(_));
        let free = acts == 0 || !figure.acted;
        figure.owner == player && figure.kind.is_warrior() && figure.is_able() && free && near
    };
    let hands: Vec<FigureId> = scene
        .position
        .present()
        .filter(fit)
        .map(|(id, _)| id)
        .take(acts.max(1))
        .collect();
    if hands.len() < acts.max(1) {
        return Err(Refusal::new("nobody-there", &[rule::GAP_21, rule::R0_3_9][..])
            .with("field", scene.position.board.name(ahead)));
    }
    Ok(hands)
}

/// ARM-GAP-21: one act of a warrior; a team is of one kind, of four horses at the most, on the field in front of the wagon.
fn judge_harness(scene: Scene<'_>, player: RealmId, horse: FigureId, id: FigureId) -> Result<Permit, Refusal> {
    let wagon = wagon_of(scene, id)?;
    legal::own(scene, player, id)?;
    let animal = legal::own(scene, player, horse)?;
    let (_, ahead, _) = fields(scene, wagon)?;
    let horses = team(scene.position, id);
    let kind = horses
        .first()
        .and_then(|one| scene.position.figure(*one))
        .map(|one| one.kind);
    let places = scene.tables.quadriga.steps_by_horses.len() - 1;
    let by_wagon = animal
        .held_by
        .and_then(|by| scene.position.figure(by))
        .is_some_and(|by| by.kind == Kind::Wagon);
    let fits = animal.kind.family() == Family::Team
        && !by_wagon
        && kind.is_none_or(|kind| kind == animal.kind)
        && horses.len() < places
        && animal.place == Place::At(Spot::ground(ahead));
    if !fits {
        return Err(Refusal::new("cannot-harness", &[rule::GAP_21][..])
            .with("figure", animal.to_string())
            .with("wagon", wagon.to_string()));
    }
    grooms(scene, player, id, ahead)?;
    Ok(Permit {
        rules: vec![rule::GAP_21, rule::R0_3_9],
        ..Permit::default()
    })
}

fn judge_unharness(scene: Scene<'_>, player: RealmId, id: FigureId) -> Result<Permit, Refusal> {
    let wagon = wagon_of(scene, id)?;
    legal::own(scene, player, id)?;
    let (_, ahead, _) = fields(scene, wagon)?;
    if !has_team(scene.position, id) {
        return Err(Refusal::new("no-team", &[rule::GAP_21][..]).with("figure", wagon.to_string()));
    }
    grooms(scene, player, id, ahead)?;
    Ok(Permit {
        rules: vec![rule::GAP_21, rule::R0_4_13],
        ..Permit::default()
    })
}

/// Carries out what [`judge`] allowed.
pub fn perform(battle: &mut Battle<'_>, player: RealmId, deed: &Field, permit: &Permit) {
    match deed {
        Field::Drive { wagon, to } => drive(battle, player, *wagon, *to, permit),
        Field::Harness { horse, wagon } => {
            let Some(by) = hand(battle, player, *wagon) else { return };
            if let Some(found) = battle.position.figure_mut(*horse) {
                found.held_by = Some(*wagon);
            }
            let happening = FieldHappening::Harnessed {
                horse: *horse,
                wagon: *wagon,
                by,
            };
            battle.emit(permit.rules.clone(), &[], happening);
        }
        Field::Unharness { wagon } => {
            let Some(by) = hand(battle, player, *wagon) else { return };
            for horse in team(&battle.position, *wagon) {
                if let Some(found) = battle.position.figure_mut(horse) {
                    found.held_by = None;
                }
            }
            let happening = FieldHappening::Unharnessed { wagon: *wagon, by };
            battle.emit(permit.rules.clone(), &[], happening);
        }
        _ => {}
    }
}

/// The warrior who harnesses or takes off, with the acts spent.
fn hand(battle: &mut Battle<'_>, player: RealmId, wagon: FigureId) -> Option<FigureId> {
    let scene = battle.scene(player);
    let (_, ahead, _) = fields(scene, scene.position.figure(wagon)?).ok()?;
    let hands = grooms(scene, player, wagon, ahead).ok()?;
    let acts = usize::try_from(scene.tables.quadriga.harness_acts).unwrap_or(0);
    for id in hands.iter().take(acts) {
        if let Some(warrior) = battle.position.figure_mut(*id) {
            warrior.acted = true;
        }
    }
    hands.first().copied()
}

fn drive(battle: &mut Battle<'_>, player: RealmId, id: FigureId, to: Spot, permit: &Permit) {
    let scene = battle.scene(player);
    let Some(wagon) = scene.position.figure(id) else {
        return;
    };
    let Ok((_, ahead, _)) = fields(scene, wagon) else {
        return;
    };
    if wagon.possessor != player {
        let rules = vec![rule::R0_4_13, rule::GAP_37, rule::R0_4_27, rule::R0_4_34];
        let steps = wagon.steps;
        control::pass(battle, id, player, rules);
        if let Some(wagon) = battle.position.figure_mut(id) {
            wagon.steps = steps;
        }
    }
    let horses = team(&battle.position, id);
    let round = battle.position.clock.round;
    for horse in horses.iter().chain([&id]) {
        if let Some(figure) = battle.position.figure_mut(*horse) {
            figure.moved = Some(Moved { round, by: player });
            figure.steps = figure.steps.saturating_add(permit.steps);
            if *horse != id {
                figure.place = Place::At(to);
            }
        }
    }
    let under = Spot::ground(ahead);
    if overcrowding::is_crowded(battle, Room::Spot(to)) {
        let stayed = trampling::trample(battle, player, &horses, to, trampling::Retreat::To(under));
        if !stayed {
            return;
        }
    }
    let course = battle.position.board.direction(ahead, to.cell);
    if let Some(wagon) = battle.position.figure_mut(id) {
        wagon.place = Place::At(under);
        wagon.facing = course;
    }
    let happening = FieldHappening::Drove {
        wagon: id,
        at: ahead,
        team: to.cell,
    };
    battle.emit(permit.rules.clone(), &[], happening);
    run_over(battle, player, id, under);
    movement::halt(battle, player, &[id]);
}

/// ARM-GAP-21, ARM-0.4.54: the wagon runs over whoever is still on the field it enters: he climbs it or dies.
fn run_over(battle: &mut Battle<'_>, player: RealmId, wagon: FigureId, under: Spot) {
    let position = &battle.position;
    let met: Vec<FigureId> = room::users(position, Room::Spot(under))
        .filter(|(id, figure)| *id != wagon && figure.held_by != Some(wagon))
        .map(|(id, _)| id)
        .collect();
    // Who sits on an elephant is run over with it. Who climbs the wagon leaves his animal, which cannot.
    let saddles = met.iter().flat_map(|id| position.aboard(*id)).map(|(id, _)| id);
    let mut there: Vec<FigureId> = met.iter().copied().chain(saddles).collect();
    there.sort_unstable();
    there.dedup();
    let climbs = |id: &FigureId| {
        let kind = position.figure(*id).map(|figure| figure.kind);
        kind.is_some_and(|kind| kind.is_person() || kind == Kind::Wizard)
    };
    let (people, animals): (Vec<FigureId>, Vec<FigureId>) = there.into_iter().partition(climbs);
    for id in people {
        if !battle.position.figure(id).is_some_and(Figure::is_present) {
            continue;
        }
        survival::endure_or_fall(battle, id, rule::GAP_21, "run-over", Fate::Trampled);
        // A king who lost only one of his lives, or for whom another died, climbs up too.
        if battle.position.figure(id).is_some_and(Figure::is_present) {
            let at = Place::On(wagon, Part::Wagon);
            survival::dissolve(battle, id);
            if let Some(figure) = battle.position.figure_mut(id) {
                figure.place = at;
            }
            let rules = vec![rule::GAP_21, rule::R0_2_4, rule::R0_3_5, rule::R0_3_11, rule::R0_3_8];
            battle.emit(rules, &[], FieldHappening::ClimbedUp { figure: id, at });
        }
    }
    for id in animals {
        survival::fall(battle, id, Fate::Trampled, vec![rule::GAP_21], &[]);
    }
    let room = Room::Part(wagon, Part::Wagon);
    overcrowding::resolve(battle, room, Crowding::WagonClimbed, player);
}

/// Every field ahead of each team, every horse to harness, every team to take off.
pub fn candidates(scene: Scene<'_>, player: RealmId, list: &mut Vec<Deed>) {
    let wagons = scene
        .position
        .present()
        .filter(|(_, figure)| figure.kind == Kind::Wagon);
    for (id, wagon) in wagons {
        let Ok((_, ahead, _)) = fields(scene, wagon) else {
            continue;
        };
        if legal::movement_is_open(scene) {
            for (_, cell) in scene.position.board.neighbours(ahead) {
                let to = Spot::ground(cell);
                list.push(Deed::Field(Field::Drive { wagon: id, to }));
            }
        }
        if wagon.possessor != player {
            continue;
        }
        list.push(Deed::Field(Field::Unharness { wagon: id }));
        for (horse, _) in scene.position.standing_at(Spot::ground(ahead)) {
            list.push(Deed::Field(Field::Harness { horse, wagon: id }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_counted_the_shorter_way_round() {
        for (other, expected) in Direction::ALL.into_iter().zip([0, 1, 2, 3, 2, 1]) {
            assert_eq!(sixths(Direction::NorthEast, other), expected);
            assert_eq!(sixths(other, Direction::NorthEast), expected);
        }
    }
}
