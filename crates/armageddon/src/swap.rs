//! Swapping places (*Platztausch*; ARM-0.4.48, ARM-0.4.49, ARM-GAP-48): figures of two full neighbours cross their border at the same time.
//!
//! A deed names the figures that stand by themselves; riders go with their mounts, led animals with their leaders.

use crate::battle::{Battle, Scene};
use crate::board::Spot;
use crate::control;
use crate::deed::{Deed, Field, Permit, Refusal};
use crate::event::FieldHappening;
use crate::kinds::{Family, Part};
use crate::legal;
use crate::movement;
use crate::phalanx;
use crate::room::{self, Room};
use crate::rule;
use crate::ships;
use crate::state::{Figure, FigureId, Moved, Place};
use kernel::realm::RealmId;

/// Whether two groups may swap.
///
/// # Errors
/// The refusal.
pub fn judge(scene: Scene<'_>, player: RealmId, deed: &Field) -> Result<Permit, Refusal> {
    let Field::Swap { here, there } = deed else {
        return Err(Refusal::new("not-built", &[rule::R0_4_48][..]));
    };
    for id in here {
        legal::own(scene, player, *id)?;
    }
    for id in there {
        friend(scene, player, *id)?;
    }
    let (from, to) = (shared(scene, here)?, shared(scene, there)?);
    let open = inside(scene, from) || inside(scene, to);
    let mut rules = vec![rule::R0_4_48, rule::R0_4_49, rule::GAP_48];
    let mut steps = movement::small(scene.tables.step.single);
    for (group, one, other) in [(here, from, to), (there, to, from)] {
        let way = crossing(scene, player, group, one, other)?;
        steps = steps.max(way);
        members(scene, group, open)?;
        if phalanx::crosses(scene, group, one, other)? {
            rules.push(rule::GAP_19);
        }
    }
    let closed = |group: &[FigureId]| group.iter().any(|id| phalanx::is_member(scene.position, *id));
    if closed(here) && closed(there) {
        return Err(cannot(scene, here));
    }
    full(scene, from)?;
    full(scene, to)?;
    // Each side keeps within its room: two full fields swap as much for as much.
    let (leaves, comes) = (need(scene, here), need(scene, there));
    if comes - leaves > spare(scene, from) || leaves - comes > spare(scene, to) {
        return Err(Refusal::new("swap-uneven", &[rule::GAP_48, rule::R0_4_40][..])
            .with("here", leaves)
            .with("there", comes));
    }
    for id in here.iter().chain(there) {
        for walker in along(scene, *id) {
            let device = scene
                .position
                .figure(walker)
                .is_some_and(|one| one.kind.family().is_device());
            if device {
                carried_far(scene, walker)?;
            } else {
                movement::affords(scene, walker, cost(scene, walker, steps))?;
            }
            control::rested(scene, owner(scene, walker), walker)?;
        }
    }
    if there.iter().any(|id| owner(scene, *id) != player) {
        rules.push(rule::R0_2_5);
    }
    Ok(Permit {
        steps,
        rules,
        ..Permit::default()
    })
}

/// What a swap of so many steps costs a figure: one who stands in a phalanx moves no faster by swapping than by marching.
fn cost(scene: Scene<'_>, id: FigureId, steps: u8) -> u8 {
    match scene.position.figure(id) {
        Some(figure) if figure.phalanx.is_some() => steps.max(phalanx::march_steps(scene, figure.kind)),
        _ => steps,
    }
}

fn owner(scene: Scene<'_>, id: FigureId) -> RealmId {
    scene
        .position
        .figure(id)
        .map_or(RealmId::NOBODY, |figure| figure.possessor)
}

/// An able figure of the player's side: enemies never swap.
fn friend(scene: Scene<'_>, player: RealmId, id: FigureId) -> Result<(), Refusal> {
    let name = scene.position.name(id);
    let Some(figure) = scene.position.figure(id).filter(|figure| figure.is_present()) else {
        return Err(Refusal::new("no-such-figure", &[rule::R0_2_4][..]).with("figure", name));
    };
    if !scene.tables.swap.with_enemies && !scene.position.allied(player, figure.possessor) {
        return Err(Refusal::new("swap-with-enemy", &[rule::GAP_48][..]).with("figure", name));
    }
    if !figure.is_able() {
        return Err(Refusal::new("spellbound", &[rule::GAP_32][..]).with("figure", name));
    }
    Ok(())
}

/// The place that all of a group share.
fn shared(scene: Scene<'_>, group: &[FigureId]) -> Result<Place, Refusal> {
    let place = |id: &FigureId| scene.position.figure(*id).map(|figure| figure.place);
    let first = group.first().and_then(place);
    let apart = group.iter().any(|id| place(id) != first);
    match first {
        Some(place @ (Place::At(_) | Place::On(_, Part::Bow | Part::Stern))) if !apart => Ok(place),
        _ => Err(Refusal::new("swap-scattered", &[rule::R0_4_48][..])),
    }
}

/// In a tower and on a ship anybody may swap (ARM-0.4.49).
fn inside(scene: Scene<'_>, place: Place) -> bool {
    match place {
        Place::At(spot) => scene.position.board.building(spot.cell).is_some(),
        Place::On(..) => true,
        _ => false,
    }
}

fn room_at(scene: Scene<'_>, place: Place) -> Option<Room> {
    room::room_of(scene.position, place)
}

/// Space units that are free at a place.
fn spare(scene: Scene<'_>, place: Place) -> i64 {
    room_at(scene, place).map_or(0, |room| room::free(scene.tables, scene.position, room))
}

fn full(scene: Scene<'_>, place: Place) -> Result<(), Refusal> {
    let free = spare(scene, place);
    if scene.tables.swap.both_full && free > 0 {
        let field = crate::event::place_word(scene.tables, scene.position, place);
        return Err(Refusal::new("swap-not-full", &[rule::R0_4_48, rule::GAP_48][..])
            .with("field", field)
            .with("free", free));
    }
    Ok(())
}

/// A figure with the animals it or its riders lead.
fn along(scene: Scene<'_>, id: FigureId) -> Vec<FigureId> {
    let riders: Vec<FigureId> = scene.position.aboard(id).map(|(rider, _)| rider).collect();
    let led = scene
        .position
        .present()
        .filter(|(_, animal)| animal.held_by.is_some_and(|by| by == id || riders.contains(&by)))
        .map(|(led, _)| led);
    std::iter::once(id).chain(led).collect()
}

/// Space units of a group with its riders and led animals.
fn need(scene: Scene<'_>, group: &[FigureId]) -> i64 {
    let mut all: Vec<FigureId> = group.iter().flat_map(|id| along(scene, *id)).collect();
    let riders: Vec<FigureId> = all
        .iter()
        .flat_map(|id| scene.position.aboard(*id).collect::<Vec<_>>())
        .filter(|(_, rider)| matches!(rider.place, Place::On(_, Part::Back)))
        .map(|(rider, _)| rider)
        .collect();
    all.extend(riders);
    all.sort_unstable();
    all.dedup();
    all.iter()
        .filter_map(|id| scene.position.figure(*id))
        .map(|figure| room::consumption(scene.tables, figure))
        .sum()
}

/// The dearest way of a group.
fn crossing(scene: Scene<'_>, player: RealmId, group: &[FigureId], from: Place, to: Place) -> Result<u8, Refusal> {
    let mut steps = movement::small(scene.tables.step.single);
    match (from, to) {
        (Place::At(from), Place::At(to)) => {
            for walker in group.iter().flat_map(|id| along(scene, *id)) {
                let Some(figure) = scene.position.figure(walker) else {
                    continue;
                };
                steps = steps.max(movement::way(scene, player, figure.kind, from, to)?.steps);
            }
            Ok(steps)
        }
        (Place::On(one, _), Place::On(other, _)) if one == other => Ok(steps),
        (Place::On(one, _), Place::On(other, part)) => {
            let beside = group.first().and_then(|id| scene.position.cell_of(*id));
            let deck = ships::cell_of_part(scene.position, other, part);
            let touches = beside
                .zip(deck)
                .is_some_and(|(here, there)| scene.position.board.direction(here, there).is_some());
            if touches && ships::can_board(scene, one, other) {
                return Ok(movement::small(scene.tables.step.double));
            }
            Err(Refusal::new("swap-scattered", &[rule::R0_4_48][..]))
        }
        _ => Err(Refusal::new("swap-scattered", &[rule::R0_4_48][..])),
    }
}

fn cannot(scene: Scene<'_>, group: &[FigureId]) -> Refusal {
    let names: Vec<String> = group.iter().map(|id| scene.position.name(*id)).collect();
    Refusal::new("cannot-swap", &[rule::R0_4_49][..]).with("figures", names.join(","))
}

/// ARM-0.4.49: who may swap.
fn members(scene: Scene<'_>, group: &[FigureId], open: bool) -> Result<(), Refusal> {
    let figure = |id: &FigureId| scene.position.figure(*id);
    let refused = || Err(cannot(scene, group));
    for id in group {
        let Some(one) = figure(id) else { return refused() };
        let ridden = scene.position.aboard(*id).next().is_some();
        let led = one.held_by.and_then(|by| figure(&by));
        let fits = match one.kind.family() {
            Family::Warrior | Family::Person => true,
            Family::Horse | Family::Elephant => ridden,
            Family::Carried => one.leans.is_none() && borne(scene, group, one),
            Family::Team => open && led.is_none(),
            Family::Wizard => one.mortal,
            Family::Shelter | Family::Wagon | Family::Ship | Family::Creature => false,
        };
        if !(fits || open && one.kind.family() == Family::Carried) {
            return refused();
        }
        // A phalanx goes as a whole.
        let whole = one.phalanx.is_none()
            || scene
                .position
                .present()
                .filter(|(_, other)| other.phalanx == one.phalanx)
                .all(|(member, _)| group.contains(&member));
        let room = room_at(scene, one.place);
        let repeated = group.iter().filter(|other| *other == id).count() > 1;
        if !whole || repeated || room.is_none() {
            return refused();
        }
    }
    Ok(())
}

/// ARM-0.4.49: a device swaps together with those who carry it.
fn borne(scene: Scene<'_>, group: &[FigureId], device: &Figure) -> bool {
    let needs = |kind| i64::from(scene.tables.figure(kind).needs);
    let gives: i64 = group
        .iter()
        .filter_map(|id| scene.position.figure(*id))
        .map(|one| i64::from(scene.tables.figure(one.kind).gives))
        .sum();
    let all: i64 = group
        .iter()
        .filter_map(|id| scene.position.figure(*id))
        .filter(|one| one.kind.family() == Family::Carried)
        .map(|one| needs(one.kind))
        .sum();
    gives >= all && all >= needs(device.kind)
}

/// A device cannot be moved farther in a round by swapping than by hauling (ARM-GAP-23).
fn carried_far(scene: Scene<'_>, id: FigureId) -> Result<(), Refusal> {
    let limit = scene.tables.transport.steps_on_foot;
    match scene.position.figure(id) {
        Some(figure) if i64::from(figure.steps) >= limit || figure.turned => {
            Err(Refusal::new("device-moved-far", &[rule::GAP_23, rule::GAP_12][..])
                .with("figure", figure.to_string())
                .with("fields", limit))
        }
        _ => Ok(()),
    }
}

/// Carries out what [`judge`] allowed.
pub fn perform(battle: &mut Battle<'_>, player: RealmId, deed: &Field, permit: &Permit) {
    let Field::Swap { here, there } = deed else { return };
    let scene = battle.scene(player);
    let (Ok(from), Ok(to)) = (shared(scene, here), shared(scene, there)) else {
        return;
    };
    let moves: Vec<(FigureId, Place, u8)> = here
        .iter()
        .flat_map(|id| along(scene, *id))
        .map(|id| (id, to))
        .chain(there.iter().flat_map(|id| along(scene, *id)).map(|id| (id, from)))
        .map(|(id, place)| (id, place, cost(scene, id, permit.steps)))
        .collect();
    let round = battle.position.clock.round;
    for (id, place, steps) in moves {
        if let Some(figure) = battle.position.figure_mut(id) {
            let device = figure.kind.family().is_device();
            figure.place = place;
            figure.steps = figure.steps.saturating_add(if device { 1 } else { steps });
            figure.straight = 0;
            figure.moved = Some(Moved {
                round,
                by: figure.possessor,
            });
        }
    }
    let happening = FieldHappening::Swapped {
        here: here.clone(),
        there: there.clone(),
        steps: permit.steps,
    };
    battle.emit(permit.rules.clone(), &[], happening);
}

/// Every pair of groups of two full places beside each other.
pub fn candidates(scene: Scene<'_>, player: RealmId, list: &mut Vec<Deed>) {
    if !legal::movement_is_open(scene) {
        return;
    }
    let mut places: Vec<Place> = scene
        .position
        .present()
        .filter(|(_, figure)| figure.possessor == player)
        .map(|(_, figure)| figure.place)
        .filter(|place| matches!(place, Place::At(_) | Place::On(_, Part::Bow | Part::Stern)))
        .collect();
    places.sort_unstable();
    places.dedup();
    places.retain(|place| full(scene, *place).is_ok());
    for from in places {
        let (mine, free_here) = (
            weighed(scene, groups(scene, from, |owner| owner == player)),
            spare(scene, from),
        );
        for to in beside(scene, from) {
            if full(scene, to).is_err() {
                continue;
            }
            let friendly = groups(scene, to, |owner| scene.position.allied(player, owner));
            let (theirs, free_there) = (weighed(scene, friendly), spare(scene, to));
            for (here, goes) in &mine {
                for (there, comes) in &theirs {
                    if comes - goes <= free_here && goes - comes <= free_there {
                        list.push(Deed::Field(Field::Swap {
                            here: here.clone(),
                            there: there.clone(),
                        }));
                    }
                }
            }
        }
    }
}

/// Groups with the space units that each of them needs.
fn weighed(scene: Scene<'_>, groups: Vec<Vec<FigureId>>) -> Vec<(Vec<FigureId>, i64)> {
    let weigh = |group: Vec<FigureId>| {
        let units = need(scene, &group);
        (group, units)
    };
    groups.into_iter().map(weigh).collect()
}

/// The places beside another where a swap could lead.
fn beside(scene: Scene<'_>, place: Place) -> Vec<Place> {
    let board = &scene.position.board;
    match place {
        Place::At(spot) => {
            let levels = [spot.level.checked_sub(1), spot.level.checked_add(1)];
            let storeys = levels
                .into_iter()
                .flatten()
                .map(|level| Place::At(Spot { level, ..spot }));
            let fields = board
                .neighbours(spot.cell)
                .map(|(_, cell)| Place::At(Spot::ground(cell)));
            storeys.chain(fields).collect()
        }
        Place::On(..) => {
            let mut decks: Vec<Place> = scene
                .position
                .present()
                .map(|(_, figure)| figure.place)
                .filter(|other| matches!(other, Place::On(_, Part::Bow | Part::Stern)) && *other != place)
                .collect();
            decks.sort_unstable();
            decks.dedup();
            decks
        }
        _ => Vec::new(),
    }
}

/// Every group of figures at a place, by number.
fn groups(scene: Scene<'_>, place: Place, fits: impl Fn(RealmId) -> bool) -> Vec<Vec<FigureId>> {
    let there: Vec<FigureId> = scene
        .position
        .present()
        .filter(|(_, figure)| figure.place == place && fits(figure.possessor))
        .map(|(id, _)| id)
        .take(8)
        .collect();
    (1u32..(1 << there.len()))
        .map(|mask| {
            (0u32..)
                .zip(&there)
                .filter(|(bit, _)| mask & (1 << bit) != 0)
                .map(|(_, id)| *id)
                .collect()
        })
        .collect()
}
