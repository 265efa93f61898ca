//! Getting on, off and into things, and leading animals (ARM-0.4.6 to 0.4.10, ARM-0.4.44, ARM-0.4.45, ARM-GAP-11, 12, 20, 24, 27).
//!
//! Riding is control of the animal, its movement and the rider's passive movement at once (ARM-0.3.7): who mounts or leads an animal that
//! nobody guards owns it.

use crate::battle::{Battle, Scene};
use crate::board::Spot;
use crate::control;
use crate::deed::{Deed, Field, Permit, Refusal};
use crate::devices::{self, Bulwark};
use crate::event::FieldHappening;
use crate::kinds::{Family, Kind, Part};
use crate::legal;
use crate::movement::{self, Party, Way};
use crate::room::{self, Room};
use crate::rule;
use crate::ships;
use crate::state::{Figure, FigureId, Place, Position};
use crate::tables::rulings::DoubleCase;
use crate::water;
use kernel::realm::RealmId;
use kernel::rule::RuleId;

/// Whether getting on, off or leading is legal.
///
/// # Errors
/// The refusal.
pub fn judge(scene: Scene<'_>, player: RealmId, deed: &Field) -> Result<Permit, Refusal> {
    let way = match deed {
        Field::Board { figure, carrier, part } => judge_board(scene, player, *figure, *carrier, *part)?,
        Field::Leave { figure, to } => judge_leave(scene, player, *figure, *to)?,
        Field::Lead { animal, by: Some(by) } => judge_lead(scene, player, *animal, *by)?,
        Field::Lead { animal, by: None } => judge_let_go(scene, player, *animal)?,
        _ => return Err(Refusal::new("not-built", &[rule::R0_3_2][..])),
    };
    Ok(Permit {
        steps: way.steps,
        rules: way.rules,
        ..Permit::default()
    })
}

fn free_of_charge(rules: Vec<RuleId>) -> Way {
    Way { steps: 0, rules }
}

/// The parts that a carrier has.
fn has_part(kind: Kind, part: Part) -> bool {
    match kind.family() {
        Family::Horse => part == Part::Back,
        Family::Elephant => part == Part::Saddle,
        Family::Wagon => part == Part::Wagon,
        Family::Shelter if kind == Kind::Turtle => part == Part::Inside,
        Family::Shelter => matches!(part, Part::Lower | Part::Upper),
        Family::Carried => matches!(kind, Kind::Ladder | Kind::Rope) && part == Part::Rung,
        Family::Ship if kind == Kind::Raft => part == Part::Bow,
        Family::Ship => matches!(part, Part::Bow | Part::Stern),
        _ => false,
    }
}

fn judge_board(scene: Scene<'_>, player: RealmId, id: FigureId, onto: FigureId, part: Part) -> Result<Way, Refusal> {
    let figure = legal::own(scene, player, id)?;
    let name = figure.to_string();
    let Some(carrier) = scene
        .position
        .figure(onto)
        .filter(|found| found.is_present() && onto != id)
    else {
        return Err(Refusal::new("no-such-figure", &[rule::R0_2_4][..]).with("figure", scene.position.name(onto)));
    };
    if figure.phalanx.is_some() {
        return Err(Refusal::new("in-phalanx", &[rule::GAP_19][..]).with("figure", name));
    }
    if !has_part(carrier.kind, part) || figure.place == Place::On(onto, part) {
        return Err(Refusal::new("cannot-get-on", &[rule::R0_3_2][..])
            .with("figure", name)
            .with("carrier", carrier.to_string()));
    }
    let way = match carrier.kind.family() {
        Family::Horse | Family::Elephant => mount(scene, player, figure, (onto, carrier))?,
        Family::Ship => return aboard_ship(scene, player, id, (onto, carrier), part),
        Family::Carried => climb(figure, carrier)?,
        _ => enter(scene, player, id, (onto, carrier), part)?,
    };
    if !figure.kind.is_person() && figure.kind != Kind::Wizard {
        return Err(does_not_fit(figure, carrier));
    }
    let taken = scene
        .position
        .aboard(onto)
        .filter(|(_, other)| other.place == Place::On(onto, part));
    let seats = room::capacity(scene.tables, scene.position, Room::Part(onto, part));
    let crowded = match part {
        // Of riders and climbers the heads count, elsewhere the room that each one uses.
        Part::Back | Part::Rung => i64::try_from(taken.count()).unwrap_or(i64::MAX) >= seats,
        _ => {
            let free = room::free(scene.tables, scene.position, Room::Part(onto, part));
            free < room::consumption(scene.tables, figure)
        }
    };
    if crowded {
        return Err(full(carrier, part));
    }
    movement::affords(scene, id, way.steps)?;
    Ok(way)
}

fn does_not_fit(figure: &Figure, carrier: &Figure) -> Refusal {
    Refusal::new("cannot-get-on", &[rule::R0_3_2][..])
        .with("figure", figure.to_string())
        .with("carrier", carrier.to_string())
}

fn full(carrier: &Figure, part: Part) -> Refusal {
    let rules: &'static [RuleId] = match part {
        Part::Wagon | Part::Saddle | Part::Inside | Part::Lower | Part::Upper => &[rule::R0_4_3, rule::R0_4_40],
        Part::Rung => &[rule::GAP_11],
        Part::Back => &[rule::GAP_20],
        Part::Bow | Part::Stern => &[rule::GAP_24, rule::R0_4_40],
    };
    Refusal::new("carrier-full", rules).with("carrier", carrier.to_string())
}

fn too_far(figure: &Figure, carrier: &Figure) -> Refusal {
    Refusal::new("not-beside", &[rule::R0_4_44][..])
        .with("figure", figure.to_string())
        .with("carrier", carrier.to_string())
}

/// ARM-GAP-20, ARM-0.4.44: onto a horse with a step, onto an elephant with a double step.
fn mount(
    scene: Scene<'_>,
    player: RealmId,
    figure: &Figure,
    (onto, carrier): (FigureId, &Figure),
) -> Result<Way, Refusal> {
    if figure.place != carrier.place || !matches!(figure.place, Place::At(_) | Place::On(..)) {
        return Err(too_far(figure, carrier));
    }
    let mut way = free_of_charge(vec![rule::R0_3_2]);
    if carrier.kind.family() == Family::Horse {
        way.steps = movement::small(scene.tables.horse.mount_steps);
        way.rules.push(rule::GAP_20);
    } else {
        way.double(scene, DoubleCase::WagonOrElephant, rule::R0_4_44);
    }
    way.rules
        .extend(claim(scene, player, figure, onto)?.unwrap_or_default());
    Ok(way)
}

/// ARM-0.4.6 to 0.4.8: whether a figure may take an animal: its own, or one that stands alone; then the rules of the capture.
///
/// # Errors
/// The refusal.
fn claim(scene: Scene<'_>, player: RealmId, taker: &Figure, id: FigureId) -> Result<Option<Vec<RuleId>>, Refusal> {
    let position = scene.position;
    let Some(animal) = position.figure(id) else {
        return Ok(None);
    };
    let name = animal.to_string();
    let holder = animal.held_by.and_then(|by| position.figure(by));
    if holder.is_some_and(|holder| holder.kind == Kind::Wagon) {
        return Err(Refusal::new("harnessed", &[rule::R0_4_13][..]).with("figure", name));
    }
    if animal.owner == player {
        return Ok(None);
    }
    let mut users = position.aboard(id).map(|(_, rider)| rider).chain(holder).peekable();
    if users.peek().is_some() {
        let friendly = users.all(|user| position.allied(player, user.owner)) && position.allied(player, animal.owner);
        // A passenger beside an ally's driver takes nothing.
        if friendly && animal.kind.family() == Family::Elephant && holder.is_none() {
            return Ok(None);
        }
        return Err(Refusal::new("animal-held", &[rule::R0_4_8][..]).with("figure", name));
    }
    let cell = position.cell_of(id);
    let guarded = animal.owner.is_played()
        && position.present().any(|(other, figure)| {
            figure.kind.is_warrior()
                && position.cell_of(other) == cell
                && (position.allied(figure.owner, animal.owner) && !position.allied(figure.owner, player)
                    || figure.owner == animal.owner)
        });
    if guarded || !taker.kind.is_warrior() {
        return Err(Refusal::new("animal-guarded", &[rule::R0_4_7][..]).with("figure", name));
    }
    Ok(Some(vec![
        rule::R0_4_6,
        rule::R0_4_7,
        rule::R0_4_27,
        rule::R0_3_4,
        rule::R0_3_10,
    ]))
}

/// ARM-GAP-11, ARM-0.2.4, ARM-0.3.6: onto a ladder or rope that leans, as a minor action.
fn climb(figure: &Figure, carrier: &Figure) -> Result<Way, Refusal> {
    if carrier.leans.is_none() || figure.place != carrier.place {
        return Err(too_far(figure, carrier));
    }
    Ok(free_of_charge(vec![
        rule::GAP_11,
        rule::R0_2_4,
        rule::R0_3_6,
        rule::R0_3_8,
    ]))
}

/// ARM-0.4.44, ARM-GAP-12: onto a wagon, into a turtle or siege tower, between its parts, or onto its platform from a tower.
fn enter(
    scene: Scene<'_>,
    player: RealmId,
    id: FigureId,
    (onto, carrier): (FigureId, &Figure),
    part: Part,
) -> Result<Way, Refusal> {
    let figure = legal::own(scene, player, id)?;
    let mut way = Way::single(scene);
    if scene.position.present().any(|(_, animal)| animal.held_by == Some(id)) {
        return Err(Refusal::new("let-go-first", &[rule::GAP_20][..]).with("figure", figure.to_string()));
    }
    match (figure.place, part) {
        (Place::On(on, Part::Lower | Part::Upper), Part::Lower | Part::Upper) if on == onto => {
            way.rules.push(rule::GAP_12);
        }
        (Place::At(from), Part::Upper) if docked(scene, onto).contains(&from) => {
            way.double(scene, DoubleCase::OntoPlatform, rule::GAP_12);
        }
        (Place::On(ladder, Part::Rung), Part::Upper)
            if devices::bulwark(scene, ladder) == Some(Bulwark::Turret(onto)) =>
        {
            way.double(scene, DoubleCase::OntoPlatform, rule::GAP_11);
        }
        (Place::At(from), Part::Wagon | Part::Inside | Part::Lower) => {
            let Place::At(to) = carrier.place else {
                return Err(too_far(figure, carrier));
            };
            if scene.position.board.direction(from.cell, to.cell).is_none() {
                return Err(too_far(figure, carrier));
            }
            way = movement::way(scene, player, figure.kind, from, to)?;
            if part == Part::Wagon {
                way.double(scene, DoubleCase::WagonOrElephant, rule::GAP_21);
            } else {
                way.rules.push(rule::R0_4_3);
            }
        }
        _ => return Err(too_far(figure, carrier)),
    }
    Ok(way)
}

/// ARM-GAP-12: the platforms at which a siege tower is docked.
pub fn docked(scene: Scene<'_>, tower: FigureId) -> Vec<Spot> {
    let position = scene.position;
    let at = position.figure(tower).filter(|figure| figure.kind == Kind::SiegeTower);
    let Some(Place::At(at)) = at.map(|figure| figure.place) else {
        return Vec::new();
    };
    let beside = position.board.neighbours(at.cell).map(|(_, cell)| cell);
    beside
        .filter(|cell| devices::docked(scene, tower, *cell))
        .filter_map(|cell| {
            let level = position.board.building(cell)?.platform(scene.tables)?;
            Some(Spot { cell, level })
        })
        .collect()
}

/// ARM-GAP-24, ARM-GAP-27, ARM-0.4.44: aboard from the bank, from another ship, or to the other part.
fn aboard_ship(
    scene: Scene<'_>,
    player: RealmId,
    id: FigureId,
    (ship, carrier): (FigureId, &Figure),
    part: Part,
) -> Result<Way, Refusal> {
    let figure = legal::own(scene, player, id)?;
    let party = movement::party(scene, player, id)?;
    let deck = ships::cell_of_part(scene.position, ship, part);
    let mut way = Way::single(scene);
    match figure.place {
        Place::On(on, Part::Bow | Part::Stern) if on == ship => way.rules.push(rule::GAP_24),
        Place::On(on, Part::Bow | Part::Stern) => {
            let near = scene.position.cell_of(id).zip(deck);
            let beside = near.is_some_and(|(here, there)| scene.position.board.direction(here, there).is_some());
            if !beside {
                return Err(too_far(figure, carrier));
            }
            if !ships::can_board(scene, on, ship) || ships::is_blocked(scene, id, (ship, part)) {
                return Err(Refusal::new("hulls-apart", &[rule::GAP_27][..])
                    .with("figure", figure.to_string())
                    .with("carrier", carrier.to_string()));
            }
            way.double(scene, DoubleCase::Ship, rule::GAP_27);
        }
        Place::At(from) => {
            let side = deck.and_then(|deck| scene.position.board.direction(from.cell, deck));
            let (Some(deck), Some(side), 0) = (deck, side, from.level) else {
                return Err(too_far(figure, carrier));
            };
            water::bank(scene, deck, from)?;
            movement::doors(scene, player, figure.kind, (from.cell, deck), side, &mut way)?;
            if carrier.kind != Kind::Raft {
                way.double(scene, DoubleCase::Ship, rule::GAP_24);
            }
            way.rules.push(rule::GAP_24);
        }
        _ => return Err(too_far(figure, carrier)),
    }
    for walker in party.walkers() {
        movement::affords(scene, walker, way.steps)?;
        control::rested(scene, player, walker)?;
    }
    let room = Room::Part(ship, part);
    if room::free(scene.tables, scene.position, room) < movement::party_room(scene, &party) {
        return Err(full(carrier, part));
    }
    Ok(way)
}

fn judge_leave(scene: Scene<'_>, player: RealmId, id: FigureId, to: Spot) -> Result<Way, Refusal> {
    let figure = legal::own(scene, player, id)?;
    let Place::On(on, part) = figure.place else {
        return Err(Refusal::new("on-nothing", &[rule::R0_4_44][..]).with("figure", figure.to_string()));
    };
    let Some(carrier) = scene.position.figure(on) else {
        return Err(Refusal::new("on-nothing", &[rule::R0_4_44][..]).with("figure", figure.to_string()));
    };
    let party = match part {
        Part::Back => Party {
            lead: id,
            riders: Vec::new(),
            led: Vec::new(),
        },
        _ => movement::party(scene, player, id)?,
    };
    if matches!(part, Part::Bow | Part::Stern) && water::swims(scene.position, to) {
        let deck = ships::cell_of_part(scene.position, on, part).unwrap_or(to.cell);
        let permit = water::judge_jump(scene, player, &party, Spot::ground(deck), to)?;
        return Ok(Way {
            steps: permit.steps,
            rules: permit.rules,
        });
    }
    let way = match part {
        Part::Back | Part::Saddle => dismount(scene, carrier, part, (on, to))?,
        Part::Rung => down_or_over(scene, (on, carrier), to)?,
        Part::Upper => {
            if !docked(scene, on).contains(&to) {
                return Err(movement::refusal(scene, "no-way-up", &[rule::GAP_12], to));
            }
            let mut way = Way::single(scene);
            way.double(scene, DoubleCase::OntoPlatform, rule::GAP_12);
            way
        }
        Part::Wagon | Part::Inside | Part::Lower => {
            let Place::At(from) = carrier.place else {
                return Err(movement::refusal(scene, "not-adjacent", &[rule::R0_4_38], to));
            };
            let mut way = movement::way(scene, player, figure.kind, from, to)?;
            if from.cell == to.cell {
                return Err(movement::refusal(scene, "not-adjacent", &[rule::R0_4_38], to));
            }
            if part == Part::Wagon {
                way.double(scene, DoubleCase::WagonOrElephant, rule::GAP_21);
            }
            way
        }
        Part::Bow | Part::Stern => ashore(scene, player, &party, (on, carrier), part, to)?,
    };
    for walker in party.walkers() {
        movement::affords(scene, walker, way.steps)?;
        control::rested(scene, player, walker)?;
    }
    // A rider uses the room of the field already.
    if part != Part::Back {
        let needed = movement::party_room(scene, &party);
        let room = match carrier.place {
            Place::On(ship, deck) if part == Part::Saddle => Room::Part(ship, deck),
            _ => Room::Spot(to),
        };
        if room::free(scene.tables, scene.position, room) < needed {
            return Err(movement::no_room(scene, to, needed));
        }
    }
    Ok(way)
}

/// ARM-GAP-20, ARM-0.4.44: off a horse with a step, off an elephant with a double step, onto the animal's field.
fn dismount(scene: Scene<'_>, carrier: &Figure, part: Part, (on, to): (FigureId, Spot)) -> Result<Way, Refusal> {
    if scene.position.spot_of(on) != Some(to) {
        return Err(movement::refusal(scene, "not-adjacent", &[rule::R0_4_38], to));
    }
    let mut way = free_of_charge(vec![rule::R0_3_2]);
    if part == Part::Back {
        way.steps = movement::small(scene.tables.horse.dismount_steps);
        way.rules.push(rule::GAP_20);
    } else {
        way.double(scene, DoubleCase::WagonOrElephant, rule::R0_4_44);
    }
    debug_assert!(carrier.kind.family().is_animal());
    Ok(way)
}

/// ARM-GAP-11: from a ladder or rope back to its foot for nothing, or over onto the platform or the wall with a double step.
fn down_or_over(scene: Scene<'_>, (on, ladder): (FigureId, &Figure), to: Spot) -> Result<Way, Refusal> {
    if scene.position.spot_of(on) == Some(to) {
        return Ok(free_of_charge(vec![rule::GAP_11, rule::R0_3_6]));
    }
    if top_of(scene, on) != Some(to) {
        return Err(movement::refusal(scene, "no-way-up", &[rule::GAP_11], to));
    }
    debug_assert!(ladder.leans.is_some());
    let mut way = Way::single(scene);
    way.double(scene, DoubleCase::OntoPlatform, rule::GAP_11);
    Ok(way)
}

/// Where a ladder or rope leads: the platform of the building it leans against, or the field behind the wall.
pub fn top_of(scene: Scene<'_>, ladder: FigureId) -> Option<Spot> {
    let figure = scene.position.figure(ladder)?;
    let Place::At(foot) = figure.place else { return None };
    let cell = scene.position.board.neighbour(foot.cell, figure.leans?)?;
    match scene.position.board.building(cell) {
        Some(building) => building.platform(scene.tables).map(|level| Spot { cell, level }),
        None => Some(Spot::ground(cell)),
    }
}

/// ARM-0.4.44, ARM-GAP-24: off a ship onto the bank.
fn ashore(
    scene: Scene<'_>,
    player: RealmId,
    party: &Party,
    (ship, carrier): (FigureId, &Figure),
    part: Part,
    to: Spot,
) -> Result<Way, Refusal> {
    let deck = ships::cell_of_part(scene.position, ship, part);
    let side = deck.and_then(|deck| scene.position.board.direction(deck, to.cell));
    let (Some(deck), Some(side), 0) = (deck, side, to.level) else {
        return Err(movement::refusal(scene, "not-adjacent", &[rule::R0_4_38], to));
    };
    let Some(ground) = scene.position.board.ground(to.cell) else {
        return Err(movement::refusal(scene, "not-adjacent", &[rule::R0_4_38], to));
    };
    let mut way = Way::single(scene);
    for walker in party.walkers().filter_map(|id| scene.position.figure(id)) {
        if ground.building.is_none() && ground.stream_bridge.is_none() {
            room::may_stay(scene.tables, walker.kind, ground.terrain).map_err(|rules| {
                Refusal::new("may-not-stay", rules).with("field", scene.position.board.name(to.cell))
            })?;
        }
        movement::doors(scene, player, walker.kind, (deck, to.cell), side, &mut way)?;
    }
    water::bank(scene, deck, to)?;
    if carrier.kind != Kind::Raft {
        way.double(scene, DoubleCase::Ship, rule::GAP_24);
    }
    way.rules.push(rule::GAP_24);
    Ok(way)
}

/// ARM-0.2.7, ARM-0.4.7, ARM-GAP-20: taking an animal by the rein is a movement that is only declared.
fn judge_lead(scene: Scene<'_>, player: RealmId, id: FigureId, by: FigureId) -> Result<Way, Refusal> {
    let leader = legal::own(scene, player, by)?;
    let Some(animal) = scene.position.figure(id).filter(|animal| animal.is_present()) else {
        return Err(Refusal::new("no-such-figure", &[rule::R0_2_4][..]).with("figure", scene.position.name(id)));
    };
    if !animal.kind.family().is_animal() || !leader.kind.is_person() || animal.held_by == Some(by) {
        return Err(Refusal::new("cannot-lead", &[rule::R0_4_27][..])
            .with("figure", leader.to_string())
            .with("animal", animal.to_string()));
    }
    if leader.phalanx.is_some() {
        return Err(Refusal::new("in-phalanx", &[rule::GAP_19][..]).with("figure", leader.to_string()));
    }
    let mounted_beside = match leader.place {
        Place::On(mount, Part::Back | Part::Saddle) => scene.position.figure(mount).map(|mount| mount.place),
        place => Some(place),
    };
    let swims = matches!(leader.place, Place::Swimming(_));
    if mounted_beside != Some(animal.place) || swims {
        return Err(too_far(leader, animal));
    }
    let rules = claim(scene, player, leader, id)?;
    if scene.position.aboard(id).next().is_some() {
        return Err(Refusal::new("animal-held", &[rule::R0_4_8][..]).with("figure", animal.to_string()));
    }
    let led = scene
        .position
        .present()
        .filter(|(_, other)| other.held_by == Some(by))
        .count();
    if i64::try_from(led).unwrap_or(i64::MAX) >= scene.tables.horse.led_per_warrior {
        return Err(Refusal::new("hands-full", &[rule::GAP_20][..]).with("figure", leader.to_string()));
    }
    let mut all = vec![rule::R0_2_7, rule::R0_3_8, rule::GAP_20];
    all.extend(rules.unwrap_or_default());
    Ok(free_of_charge(all))
}

fn judge_let_go(scene: Scene<'_>, player: RealmId, id: FigureId) -> Result<Way, Refusal> {
    // It takes nothing of the animal, which may be spellbound.
    let animal = legal::mine(scene, player, id)?;
    let person = animal
        .held_by
        .and_then(|by| scene.position.figure(by))
        .is_some_and(|by| by.kind.is_person());
    if !person {
        return Err(Refusal::new("not-led", &[rule::R0_2_7][..]).with("figure", animal.to_string()));
    }
    Ok(free_of_charge(vec![rule::R0_2_7, rule::R0_3_8]))
}

/// Carries out what [`judge`] allowed.
pub fn perform(battle: &mut Battle<'_>, player: RealmId, deed: &Field, permit: &Permit) {
    match deed {
        Field::Board { figure, carrier, part } => board(battle, player, (*figure, *carrier, *part), permit),
        Field::Leave { figure, to } => leave(battle, player, *figure, *to, permit),
        Field::Lead { animal, by } => {
            if let Some(found) = battle.position.figure_mut(*animal) {
                found.held_by = *by;
            }
            let happening = FieldHappening::Led {
                animal: *animal,
                by: *by,
            };
            battle.emit(permit.rules.clone(), &[], happening);
            if by.is_some() {
                capture(battle, player, *animal, permit);
            }
        }
        _ => {}
    }
}

/// The animal passes to whoever took it (ARM-0.4.7), unless he is a mere passenger.
fn capture(battle: &mut Battle<'_>, player: RealmId, animal: FigureId, permit: &Permit) {
    let other = battle
        .position
        .figure(animal)
        .is_some_and(|animal| animal.owner != player);
    if other && permit.rules.contains(&rule::R0_4_7) {
        control::pass(battle, animal, player, vec![rule::R0_4_6, rule::R0_4_7, rule::R0_4_27]);
    }
}

fn board(battle: &mut Battle<'_>, player: RealmId, (id, carrier, part): (FigureId, FigureId, Part), permit: &Permit) {
    let onto_ship = matches!(part, Part::Bow | Part::Stern);
    let to = Place::On(carrier, part);
    match movement::party(battle.scene(player), player, id) {
        Ok(party) if onto_ship => movement::relocate(battle, player, &party, to, permit.steps),
        _ => {
            if let Some(figure) = battle.position.figure_mut(id) {
                figure.place = to;
                figure.steps = figure.steps.saturating_add(permit.steps);
            }
        }
    }
    let happening = FieldHappening::Boarded {
        figure: id,
        carrier,
        part,
        steps: permit.steps,
    };
    battle.emit(permit.rules.clone(), &[], happening);
    if matches!(part, Part::Back | Part::Saddle) {
        capture(battle, player, carrier, permit);
        if let Some(animal) = battle.position.figure_mut(carrier) {
            animal.held_by = None;
        }
    }
}

fn leave(battle: &mut Battle<'_>, player: RealmId, id: FigureId, to: Spot, permit: &Permit) {
    let Some(from) = battle.position.figure(id).map(|figure| figure.place) else {
        return;
    };
    let Place::On(carrier, part) = from else { return };
    if matches!(part, Part::Bow | Part::Stern) && water::swims(&battle.position, to) {
        return water::jump(battle, id, to.cell, permit);
    }
    let ground = match (part, battle.position.figure(carrier).map(|carrier| carrier.place)) {
        (Part::Back | Part::Saddle, Some(place)) => place,
        _ => Place::At(to),
    };
    match movement::party(battle.scene(player), player, id) {
        Ok(party) if matches!(part, Part::Bow | Part::Stern) => {
            movement::relocate(battle, player, &party, ground, permit.steps);
        }
        _ => {
            if let Some(figure) = battle.position.figure_mut(id) {
                figure.place = ground;
                figure.steps = figure.steps.saturating_add(permit.steps);
            }
        }
    }
    let happening = FieldHappening::Alighted {
        figure: id,
        from,
        to,
        steps: permit.steps,
    };
    battle.emit(permit.rules.clone(), &[], happening);
}

/// Every carrier on or beside a figure's field, every way off what carries it, every animal beside it.
pub fn candidates(scene: Scene<'_>, player: RealmId, list: &mut Vec<Deed>) {
    if !legal::movement_is_open(scene) {
        return;
    }
    let position = scene.position;
    let carriers: Vec<(FigureId, &Figure)> = position
        .present()
        .filter(|(_, figure)| parts(figure.kind).next().is_some())
        .collect();
    for (id, figure) in position.present().filter(|(_, figure)| figure.possessor == player) {
        if figure.held_by.is_some() {
            list.push(Deed::Field(Field::Lead { animal: id, by: None }));
        }
        let Some(cell) = position.cell_of(id) else { continue };
        for (carrier, found) in &carriers {
            for part in parts(found.kind) {
                if is_near(position, cell, *carrier) {
                    list.push(Deed::Field(Field::Board {
                        figure: id,
                        carrier: *carrier,
                        part,
                    }));
                }
            }
        }
        if figure.kind.is_person() {
            let animals = position
                .present()
                .filter(|(_, animal)| animal.kind.family().is_animal());
            list.extend(
                animals
                    .filter(|(animal, _)| position.cell_of(*animal) == Some(cell))
                    .map(|(animal, _)| Deed::Field(Field::Lead { animal, by: Some(id) })),
            );
        }
        if matches!(figure.place, Place::On(..)) {
            exits(scene, id, cell, list);
        }
    }
}

fn parts(kind: Kind) -> impl Iterator<Item = Part> {
    Part::ALL.iter().copied().filter(move |part| has_part(kind, *part))
}

fn is_near(position: &Position, cell: crate::board::Cell, carrier: FigureId) -> bool {
    let fields = [position.cell_of(carrier), position.stern(carrier)];
    fields
        .into_iter()
        .flatten()
        .any(|other| other == cell || position.board.direction(cell, other).is_some())
}

fn exits(scene: Scene<'_>, id: FigureId, cell: crate::board::Cell, list: &mut Vec<Deed>) {
    let around = scene.position.board.neighbours(cell).map(|(_, cell)| cell);
    for cell in std::iter::once(cell).chain(around) {
        let levels = scene
            .position
            .board
            .building(cell)
            .map_or(1, |building| building.levels(scene.tables));
        for level in 0..levels {
            let to = Spot { cell, level };
            list.push(Deed::Field(Field::Leave { figure: id, to }));
        }
    }
}
