//! Trampling (*Trampeln*; ARM-0.4.52, ARM-0.4.53, ARM-GAP-22): animals that enter a full field and fight for the room.

use crate::battle::{Battle, Scene};
use crate::board::Spot;
use crate::event::FieldHappening;
use crate::kinds::{Family, Fate, Kind, Part};
use crate::overcrowding::{self, Crowding};
use crate::room::{self, Room};
use crate::rule;
use crate::scrimmage;
use crate::state::{Figure, FigureId, Place, Position};
use crate::survival;
use kernel::realm::RealmId;

/// Whether an animal of the player's could trample its way into a field: it holds enemies, and the animal has not trampled as many fields in
/// this round as it may.
pub fn may(scene: Scene<'_>, player: RealmId, animal: &Figure, to: Spot) -> bool {
    // Where nobody can be hurt, nobody gives way (ARM-GAP-32).
    !has_trampled(scene, animal)
        && room::filler(scene.tables, scene.position, to).is_none()
        && !victims(scene, player, Room::Spot(to)).is_empty()
}

/// Whether an animal could trample its way into a field, had it not done so in this round already.
pub fn is_tired(scene: Scene<'_>, player: RealmId, animal: &Figure, to: Spot) -> bool {
    has_trampled(scene, animal) && !victims(scene, player, Room::Spot(to)).is_empty()
}

fn has_trampled(scene: Scene<'_>, animal: &Figure) -> bool {
    i64::from(animal.tramples) >= scene.tables.trample.fields_per_round
}

/// Whether somebody or something is left there that would have to give way.
fn holds_foes(position: &Position, player: RealmId, room: Room) -> bool {
    room::users(position, room).any(|(_, figure)| is_foe(position, player, figure))
}

/// Warriors and animals that are neither the player's nor his allies', and devices of enemies.
fn is_foe(position: &Position, player: RealmId, figure: &Figure) -> bool {
    if figure.kind.family().is_device() {
        return position.hostile(player, figure.possessor);
    }
    !position.allied(player, figure.owner)
}

/// Where animals go that do not get in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Retreat {
    /// Back to the field from which they came.
    To(Spot),
    /// They stood there before: this player came, and gives way.
    Intruder(RealmId),
}

/// Tramples until the overcrowding is ended, the animals are dead, or they turn back. Tells whether some live and have stayed.
pub fn trample(battle: &mut Battle<'_>, player: RealmId, animals: &[FigureId], at: Spot, retreat: Retreat) -> bool {
    let room = Room::Spot(at);
    for animal in animals {
        if let Some(animal) = battle.position.figure_mut(*animal) {
            animal.tramples = animal.tramples.saturating_add(1);
        }
    }
    let cause = Crowding::Trampling;
    let rules = vec![rule::R0_4_50, rule::R0_4_52, rule::GAP_22, rule::R0_2_3, rule::R0_3_2];
    battle.emit(rules, &[], FieldHappening::Crowded { room, cause });
    let mut exchanges = 0;
    loop {
        let here = |id: &&FigureId| battle.position.figure(**id).map(|figure| figure.place) == Some(Place::At(at));
        let Some(animal) = animals.iter().find(here).copied() else {
            // Another elephant tramples on, or the riders of the one that came begin a scrimmage.
            let begins = match retreat {
                Retreat::To(_) => player,
                Retreat::Intruder(intruder) => intruder,
            };
            overcrowding::resolve(battle, room, Crowding::ElephantDied, begins);
            return false;
        };
        if !overcrowding::is_crowded(battle, room) {
            return true;
        }
        let victim = weakest(battle, player, room);
        match (victim, retreat) {
            (Some(victim), _) if exchanges < battle.tables.trample.exchanges_max => exchange(battle, animal, victim),
            // Those who are left cannot be hurt or have not been: the animal does not get in.
            (_, Retreat::To(from)) if holds_foes(&battle.position, player, room) => {
                turn_back(battle, animals, at, from);
                return false;
            }
            (Some(_), Retreat::Intruder(intruder)) => {
                overcrowding::shares(battle, room, &[intruder], &[rule::R0_4_52, rule::GAP_39], false);
                return false;
            }
            _ => {
                overcrowding::shares(battle, room, &[player], &[rule::R0_4_52, rule::GAP_39], false);
                return true;
            }
        }
        exchanges += 1;
    }
}

/// ARM-0.4.53: after the death of an elephant another one on the field tramples on, if there is one: of the same player, of an ally, of an enemy.
pub fn goes_on(battle: &mut Battle<'_>, room: Room, begins: RealmId) -> bool {
    let Room::Spot(at) = room else { return false };
    let position = &battle.position;
    let other = position
        .standing_at(at)
        .filter(|(id, figure)| {
            figure.kind.family() == Family::Elephant
                && is_driven(position, *id)
                && weakest(battle, figure.owner, room).is_some()
        })
        .map(|(id, figure)| {
            (
                figure.owner != begins,
                !position.allied(begins, figure.owner),
                id,
                figure.owner,
            )
        })
        .min();
    let Some((.., other, player)) = other else { return false };
    battle.emit(
        &[rule::R0_4_53][..],
        &[],
        FieldHappening::Crowded {
            room,
            cause: Crowding::Trampling,
        },
    );
    trample(battle, player, &[other], at, Retreat::Intruder(begins));
    true
}

/// ARM-GAP-22: whom an animal of the player's tramples on a field, in this order: the weakest enemy first, devices after the living.
pub(crate) fn victims(scene: Scene<'_>, player: RealmId, room: Room) -> Vec<FigureId> {
    let mut list: Vec<(bool, i64, FigureId)> = room::users(scene.position, room)
        .filter(|(_, figure)| is_foe(scene.position, player, figure))
        .filter(|(_, figure)| figure.kind.family().is_device() || scrimmage::can_be_hurt(figure))
        .filter(|(_, figure)| room::consumption(scene.tables, figure) > 0)
        .map(|(id, figure)| {
            let device = figure.kind.family().is_device();
            (device, scrimmage::defence(scene, id, None), id)
        })
        .collect();
    list.sort_unstable();
    list.into_iter().map(|(.., id)| id).collect()
}

fn weakest(battle: &Battle<'_>, player: RealmId, room: Room) -> Option<FigureId> {
    victims(battle.scene(player), player, room).first().copied()
}

fn exchange(battle: &mut Battle<'_>, animal: FigureId, victim: FigureId) {
    let rules = vec![rule::GAP_22, rule::R0_3_5, rule::R0_3_11, rule::R0_4_52];
    let device = battle
        .position
        .figure(victim)
        .is_some_and(|figure| figure.kind.family().is_device());
    if device {
        let owner = battle
            .position
            .figure(animal)
            .map_or(RealmId::NOBODY, |figure| figure.owner);
        let (one, other) = (battle.position.name(animal), battle.position.name(victim));
        let (throw, dice) = battle.throw(rule::GAP_22, owner, format_args!("{owner} {one} tramples {other}"));
        let broken = throw.natural() >= battle.tables.trample.device_destroyed_from;
        let happening = FieldHappening::DeviceTrampled {
            animal,
            device: victim,
            throw,
            broken,
        };
        battle.emit(rules, &dice, happening);
        if broken {
            survival::fall(battle, victim, Fate::Destroyed, vec![rule::GAP_22], &[]);
        }
        return;
    }
    let points = points(battle.scene(RealmId::NOBODY), animal);
    scrimmage::exchange(
        battle,
        rule::GAP_22,
        ("tramples", "withstands"),
        (animal, points),
        victim,
        Fate::Trampled,
        rules,
    );
}

/// ARM-GAP-22: the good points of an animal that tramples.
pub(crate) fn points(scene: Scene<'_>, animal: FigureId) -> i64 {
    match scene.position.figure(animal).map(|figure| figure.kind) {
        Some(Kind::QuadrigaLight) => scene.tables.trample.light_team,
        Some(Kind::QuadrigaHeavy) => scene.tables.trample.heavy_team,
        _ => scene.tables.trample.elephant,
    }
}

fn turn_back(battle: &mut Battle<'_>, animals: &[FigureId], at: Spot, from: Spot) {
    for id in animals {
        let Some(animal) = battle.position.figure_mut(*id) else {
            continue;
        };
        if animal.place != Place::At(at) {
            continue;
        }
        animal.place = Place::At(from);
        let happening = FieldHappening::TurnedBack { animal: *id, to: from };
        battle.emit(&[rule::GAP_22][..], &[], happening);
    }
    // Those whom the animal's riders led come back with them.
    let leaders: Vec<FigureId> = animals
        .iter()
        .flat_map(|id| battle.position.aboard(*id).map(|(rider, _)| rider).collect::<Vec<_>>())
        .collect();
    for figure in &mut battle.position.figures {
        let led = figure.held_by.is_some_and(|by| leaders.contains(&by));
        if led && figure.place == Place::At(at) {
            figure.place = Place::At(from);
        }
    }
}

/// Whether somebody drives an elephant (ARM-0.3.7): a warrior of its owner's on its saddle.
pub fn is_driven(position: &Position, id: FigureId) -> bool {
    let owner = position.figure(id).map(|figure| figure.owner);
    position.aboard(id).any(|(_, rider)| {
        Some(rider.owner) == owner && rider.is_able() && matches!(rider.place, Place::On(_, Part::Saddle))
    })
}
