//! Moving devices (ARM-0.4.46, ARM-GAP-12, ARM-GAP-23, ARM-GAP-46): as many carry, push or draw as the device needs, each with his own
//! steps; on land, and aboard ships and off them (ARM-GAP-24).

use crate::battle::{Battle, Scene};
use crate::board::Spot;
use crate::control;
use crate::deed::{Deed, Field, Permit, Refusal};
use crate::event::FieldHappening;
use crate::kinds::{Family, Kind, Part, Spell};
use crate::legal;
use crate::movement::{self, Party, Way};
use crate::room::{self, Room};
use crate::rule;
use crate::state::{Figure, FigureId, Moved, Place, Position};
use crate::tables::rulings::DoubleCase;
use crate::water;
use kernel::realm::RealmId;

/// Whether a device may be moved.
///
/// # Errors
/// The refusal.
pub fn judge(scene: Scene<'_>, player: RealmId, deed: &Field) -> Result<Permit, Refusal> {
    let Field::Haul { device, bearers, to } = deed else {
        return Err(Refusal::new("not-built", &[rule::GAP_23][..]));
    };
    let figure = legal::own(scene, player, *device)?;
    let name = figure.to_string();
    if !matches!(figure.kind.family(), Family::Carried | Family::Shelter) {
        return Err(Refusal::new("does-not-walk", &[rule::R0_3_7][..]).with("figure", name));
    }
    let mut rules = control::controls(scene, player, *device)?;
    let (Some(from), true) = (scene.position.spot_of(*device), stands(figure.place)) else {
        return Err(Refusal::new("not-on-the-ground", &[rule::R0_3_7][..]).with("figure", name));
    };
    if figure.turned {
        return Err(Refusal::new("turned-already", &[rule::R0_4_43][..]).with("figure", name));
    }
    if let Some(other) = figure.held_by {
        return Err(Refusal::new("tied-to-another", &[rule::GAP_11][..])
            .with("figure", name)
            .with("other", scene.position.name(other)));
    }
    let climbed = figure.kind.family() == Family::Carried && scene.position.aboard(*device).next().is_some();
    if climbed {
        return Err(Refusal::new("somebody-on-it", &[rule::GAP_11][..]).with("figure", name));
    }
    let parties = bearing(scene, player, (*device, figure), bearers)?;
    let way = match (deck(figure.place), berth(scene.position, *to)) {
        (None, None) => ways(scene, player, figure, &parties, from, *to)?,
        (here, there) => plank(scene, player, figure, &parties, ((from, here), (*to, there)))?,
    };
    for (party, number) in parties.iter().zip(0usize..) {
        for walker in party.walkers() {
            movement::affords(scene, walker, share(scene, number, way.steps))?;
            control::rested(scene, player, walker)?;
        }
    }
    control::rested(scene, player, *device)?;
    let limit = speed(scene, figure, &parties);
    if i64::from(figure.steps) >= limit {
        return Err(Refusal::new("device-moved-far", &[rule::GAP_23, rule::GAP_12][..])
            .with("figure", name)
            .with("fields", limit));
    }
    space(scene, (*device, figure), &parties, *to)?;
    rules.extend(way.rules);
    rules.extend([rule::GAP_23, rule::GAP_46]);
    if figure.kind == Kind::SiegeTower {
        rules.push(rule::GAP_12);
    }
    Ok(Permit {
        steps: way.steps,
        rules,
        ..Permit::default()
    })
}

/// ARM-GAP-46: the steps that the bearer of this number spends: everybody, or only the first.
fn share(scene: Scene<'_>, number: usize, steps: u8) -> u8 {
    if scene.tables.together.everyone_spends || number == 0 {
        steps
    } else {
        0
    }
}

/// Whether a device stands where it can be taken up: on the ground or on a deck.
const fn stands(place: Place) -> bool {
    matches!(place, Place::At(_) | Place::On(_, Part::Bow | Part::Stern))
}

/// The ship whose deck a place is.
fn deck(place: Place) -> Option<FigureId> {
    match place {
        Place::On(ship, Part::Bow | Part::Stern) => Some(ship),
        _ => None,
    }
}

/// The ship that lies on the field where a device is to go, and its part there.
fn berth(position: &Position, to: Spot) -> Option<(FigureId, Part)> {
    water::ship_on(position, to.cell).filter(|_| to.level == 0)
}

/// Where a device is after it was hauled there: on the field, or on the ship that lies there.
pub fn goal(position: &Position, to: Spot) -> Place {
    berth(position, to).map_or(Place::At(to), |(ship, part)| Place::On(ship, part))
}

/// Where somebody is, and the ship under him.
type Standing<Ship> = (Spot, Option<Ship>);

/// ARM-0.4.44, ARM-GAP-24: aboard a ship or off it over a bank, a double step but for rafts; along the deck a step; never from ship to ship.
fn plank(
    scene: Scene<'_>,
    player: RealmId,
    device: &Figure,
    parties: &[Party],
    ((from, here), (to, there)): (Standing<FigureId>, Standing<(FigureId, Part)>),
) -> Result<Way, Refusal> {
    let board = &scene.position.board;
    let far = || movement::refusal(scene, "not-adjacent", &[rule::R0_4_38], to);
    let side = board
        .direction(from.cell, to.cell)
        .filter(|_| to.level == 0 && from.level == 0);
    let side = side.ok_or_else(far)?;
    let mut way = Way::single(scene);
    way.rules.push(rule::GAP_24);
    let ship = match (here, there) {
        (Some(here), Some((there, _))) if here == there => return Ok(way),
        (Some(_), Some((there, _))) => {
            return Err(Refusal::new("hulls-apart", &[rule::GAP_27][..])
                .with("figure", device.to_string())
                .with("carrier", scene.position.name(there)));
        }
        (Some(ship), None) | (None, Some((ship, _))) => ship,
        (None, None) => return Err(far()),
    };
    let (afloat, bank) = if here.is_some() { (from, to) } else { (to, from) };
    water::bank(scene, afloat.cell, bank)?;
    let walkers = parties
        .iter()
        .flat_map(Party::walkers)
        .filter_map(|id| scene.position.figure(id));
    for kind in walkers.map(|walker| walker.kind).chain([device.kind]) {
        let ground = board
            .ground(bank.cell)
            .filter(|ground| ground.building.is_none() && ground.stream_bridge.is_none());
        if let Some(ground) = ground {
            room::may_stay(scene.tables, kind, ground.terrain)
                .map_err(|rules| Refusal::new("may-not-stay", rules).with("field", board.name(bank.cell)))?;
        }
        movement::doors(scene, player, kind, (from.cell, to.cell), side, &mut way)?;
    }
    if scene.position.figure(ship).is_some_and(|ship| ship.kind != Kind::Raft) {
        way.double(scene, DoubleCase::Ship, rule::GAP_24);
    }
    Ok(way)
}

/// A device with what is tied to it: a rope with its second one (ARM-GAP-11).
fn bundle(position: &Position, device: FigureId) -> Vec<FigureId> {
    let tied = position.present().filter(|(_, other)| other.held_by == Some(device));
    std::iter::once(device).chain(tied.map(|(id, _)| id)).collect()
}

/// ARM-GAP-23: the transport units that a device needs, with what is tied to it.
fn weight(scene: Scene<'_>, device: FigureId) -> i64 {
    let kinds = bundle(scene.position, device)
        .into_iter()
        .filter_map(|id| scene.position.figure(id));
    kinds.map(|one| i64::from(scene.tables.figure(one.kind).needs)).sum()
}

/// ARM-GAP-23: those who move the device: on its field or inside it, and exactly as many as it needs.
fn bearing(
    scene: Scene<'_>,
    player: RealmId,
    (device, figure): (FigureId, &Figure),
    bearers: &[FigureId],
) -> Result<Vec<Party>, Refusal> {
    let mut parties = Vec::new();
    let mut supplies = Vec::new();
    let mut seen: Vec<FigureId> = Vec::new();
    for id in bearers {
        let bearer = legal::own(scene, player, *id)?;
        if bearer.phalanx.is_some() {
            return Err(Refusal::new("in-phalanx", &[rule::GAP_19][..]).with("figure", bearer.to_string()));
        }
        let inside = matches!(bearer.place, Place::On(on, _) if on == device);
        let there = bearer.place == figure.place || inside;
        let gives = i64::from(scene.tables.figure(bearer.kind).gives);
        if !there || seen.contains(id) || gives == 0 {
            return Err(Refusal::new("does-not-bear", &[rule::GAP_23][..])
                .with("figure", bearer.to_string())
                .with("device", figure.to_string()));
        }
        seen.push(*id);
        supplies.push(gives);
        parties.push(bearer_party(scene, player, *id)?);
    }
    let needs = weight(scene, device);
    let sum: i64 = supplies.iter().sum();
    let spare = supplies.iter().min().copied().unwrap_or(0);
    if sum < needs || sum - spare >= needs {
        return Err(
            Refusal::new("wrong-number-of-bearers", &[rule::GAP_23, rule::GAP_46][..])
                .with("device", figure.to_string())
                .with("needed", needs)
                .with("found", sum),
        );
    }
    // An animal that a bearer leads and that bears too must not be counted twice.
    let bearing: Vec<FigureId> = parties.iter().map(|party| party.lead).collect();
    for party in &mut parties {
        party.led.retain(|led| !bearing.contains(led));
    }
    Ok(parties)
}

/// A person, a ridden or driven animal, or one that a person of the player's leads.
fn bearer_party(scene: Scene<'_>, player: RealmId, id: FigureId) -> Result<Party, Refusal> {
    let led = scene.position.figure(id).and_then(|animal| animal.held_by);
    let by_person = led
        .and_then(|by| scene.position.figure(by))
        .is_some_and(|by| by.kind.is_person() && by.owner == player);
    if by_person {
        return Ok(Party {
            lead: id,
            riders: Vec::new(),
            led: Vec::new(),
        });
    }
    movement::party(scene, player, id)
}

/// The dearest way of the device and of all who move it.
fn ways(
    scene: Scene<'_>,
    player: RealmId,
    device: &Figure,
    parties: &[Party],
    from: Spot,
    to: Spot,
) -> Result<Way, Refusal> {
    let mut whole = movement::way(scene, player, device.kind, from, to)?;
    if from.cell == to.cell {
        return Err(movement::refusal(scene, "not-adjacent", &[rule::R0_4_38], to));
    }
    for party in parties {
        for walker in party.walkers().filter_map(|id| scene.position.figure(id)) {
            let one = movement::way(scene, player, walker.kind, from, to)?;
            whole.steps = whole.steps.max(one.steps);
        }
    }
    Ok(whole)
}

/// ARM-GAP-12, ARM-GAP-23, ARM-GAP-32: the fields that a device moves in a round.
fn speed(scene: Scene<'_>, device: &Figure, parties: &[Party]) -> i64 {
    let on_foot = parties.iter().any(|party| {
        let lead = scene.position.figure(party.lead);
        lead.is_some_and(|lead| !lead.kind.family().is_animal())
    });
    let fields = match device.kind {
        Kind::SiegeTower => scene.tables.siege_tower.steps,
        _ if on_foot => scene.tables.transport.steps_on_foot,
        _ => scene.tables.transport.steps_with_animals,
    };
    if device.under(Spell::DoubleSpeed) {
        return fields * scene.tables.spell(Spell::DoubleSpeed).factor;
    }
    fields
}

/// Whether the device and those beside it find room.
fn space(scene: Scene<'_>, (id, device): (FigureId, &Figure), parties: &[Party], to: Spot) -> Result<(), Refusal> {
    let berth = berth(scene.position, to);
    let room = berth.map_or(Room::Spot(to), |(ship, part)| Room::Part(ship, part));
    let full = |needed: i64| match berth {
        Some((ship, _)) => {
            Refusal::new("carrier-full", &[rule::GAP_24, rule::R0_4_40][..]).with("carrier", scene.position.name(ship))
        }
        None => movement::no_room(scene, to, needed),
    };
    let free = room::free(scene.tables, scene.position, room);
    if scene.tables.figure(device.kind).fills {
        let capacity = room::capacity(scene.tables, scene.position, room);
        let built = scene.position.board.building(to.cell).is_some();
        if free < capacity || capacity < scene.tables.siege_tower.needs_room || built {
            return Err(full(scene.tables.siege_tower.needs_room));
        }
        return Ok(());
    }
    let outside = |party: &&Party| {
        let place = scene.position.figure(party.lead).map(|lead| lead.place);
        place == Some(device.place)
    };
    let bearers: i64 = parties
        .iter()
        .filter(outside)
        .map(|party| movement::party_room(scene, party))
        .sum();
    let bundle: i64 = bundle(scene.position, id)
        .into_iter()
        .filter_map(|one| scene.position.figure(one))
        .map(|one| room::consumption(scene.tables, one))
        .sum();
    let needed = bearers + bundle;
    if free < needed {
        return Err(full(needed));
    }
    Ok(())
}

/// Carries out what [`judge`] allowed.
pub fn perform(battle: &mut Battle<'_>, player: RealmId, deed: &Field, permit: &Permit) {
    let Field::Haul { device, bearers, to } = deed else {
        return;
    };
    let before = battle.position.figure(*device).map(|figure| figure.place);
    let (Some(before), Some(from)) = (before, battle.position.spot_of(*device)) else {
        return;
    };
    let after = goal(&battle.position, *to);
    let round = battle.position.clock.round;
    let mut parties = Vec::new();
    for bearer in bearers {
        if let Ok(party) = bearer_party(battle.scene(player), player, *bearer) {
            parties.push(party);
        }
    }
    let scene = battle.scene(player);
    let mut moving: Vec<(FigureId, u8)> = parties
        .iter()
        .zip(0usize..)
        .flat_map(|(party, number)| {
            let steps = share(scene, number, permit.steps);
            party.walkers().map(|id| (id, steps)).collect::<Vec<_>>()
        })
        .collect();
    moving.sort_unstable();
    moving.dedup_by_key(|(id, _)| *id);
    for (id, steps) in moving {
        if let Some(figure) = battle.position.figure_mut(id) {
            if figure.place == before {
                figure.place = after;
            }
            figure.steps = figure.steps.saturating_add(steps);
            figure.moved = Some(Moved { round, by: player });
        }
    }
    for id in bundle(&battle.position, *device) {
        if let Some(figure) = battle.position.figure_mut(id) {
            figure.place = after;
            figure.steps = figure.steps.saturating_add(1);
            figure.leans = None;
            figure.moved = Some(Moved { round, by: player });
        }
    }
    let happening = FieldHappening::Hauled {
        device: *device,
        bearers: bearers.clone(),
        from,
        to: *to,
        steps: permit.steps,
    };
    battle.emit(permit.rules.clone(), &[], happening);
    let all: Vec<FigureId> = std::iter::once(*device).chain(bearers.iter().copied()).collect();
    movement::halt(battle, player, &all);
}

/// Every smallest group that could move each device, to every field beside it.
pub fn candidates(scene: Scene<'_>, player: RealmId, list: &mut Vec<Deed>) {
    if !legal::movement_is_open(scene) {
        return;
    }
    let devices = scene.position.present().filter(|(_, figure)| {
        figure.possessor == player && matches!(figure.kind.family(), Family::Carried | Family::Shelter)
    });
    for (device, figure) in devices {
        let Some(from) = scene.position.spot_of(device).filter(|_| stands(figure.place)) else {
            continue;
        };
        let needs = weight(scene, device);
        let hands: Vec<(FigureId, i64)> = scene
            .position
            .present()
            .filter(|(_, bearer)| {
                bearer.possessor == player
                    && (bearer.place == figure.place || matches!(bearer.place, Place::On(on, _) if on == device))
            })
            .map(|(id, bearer)| (id, i64::from(scene.tables.figure(bearer.kind).gives)))
            .filter(|(_, gives)| *gives > 0)
            .collect();
        for group in groups(&hands, needs) {
            for (_, cell) in scene.position.board.neighbours(from.cell) {
                list.push(Deed::Field(Field::Haul {
                    device,
                    bearers: group.clone(),
                    to: Spot::ground(cell),
                }));
            }
        }
    }
}

/// Every group that supplies enough and none of whose members is spare.
fn groups(hands: &[(FigureId, i64)], needs: i64) -> Vec<Vec<FigureId>> {
    // No field holds more figures than that.
    let hands = &hands[..hands.len().min(12)];
    let mut groups = Vec::new();
    for mask in 1u32..(1 << hands.len()) {
        let chosen: Vec<(FigureId, i64)> = (0u32..)
            .zip(hands)
            .filter(|(bit, _)| mask & (1 << bit) != 0)
            .map(|(_, hand)| *hand)
            .collect();
        let sum: i64 = chosen.iter().map(|(_, gives)| gives).sum();
        let spare = chosen.iter().map(|(_, gives)| *gives).min().unwrap_or(0);
        if sum >= needs && sum - spare < needs {
            groups.push(chosen.into_iter().map(|(id, _)| id).collect());
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_nobody_to_spare() {
        let hands: Vec<(FigureId, i64)> = [(1, 1), (2, 1), (3, 2)]
            .map(|(id, gives)| (FigureId(id), gives))
            .to_vec();
        assert_eq!(groups(&hands, 2), [vec![FigureId(1), FigureId(2)], vec![FigureId(3)]]);
        assert_eq!(groups(&hands, 3).len(), 2);
        assert_eq!(groups(&hands, 4).len(), 1);
        assert_eq!(groups(&hands, 5).len(), 0);
    }
}
