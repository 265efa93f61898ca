//! Ships: steering, boarding, ramming, running over (ARM-GAP-24, 26, 27, 29), and the wind that drives and drifts them (ARM-GAP-25).

use crate::battle::{Battle, Scene};
use crate::board::{Cell, Spot};
use crate::control;
use crate::deed::field::Helm;
use crate::deed::{Deed, Field, Fight, Permit, Refusal};
use crate::event::FieldHappening;
use crate::kinds::{Family, Fate, Kind, Part, Spell, WindStrength};
use crate::legal;
use crate::movement::{self, small};
use crate::overcrowding::{self, Crowding};
use crate::quadriga::sixths;
use crate::room::{self, Room};
use crate::rule;
use crate::state::{Figure, FigureId, Moved, Place, Position, Wind};
use crate::survival;
use crate::water;
use kernel::hex::Direction;
use kernel::realm::RealmId;
use kernel::rule::RuleId;

/// The field of a part of a ship.
pub fn cell_of_part(position: &Position, ship: FigureId, part: Part) -> Option<Cell> {
    match part {
        Part::Stern => position.stern(ship),
        _ => position.cell_of(ship),
    }
}

/// The fields that a ship lies on.
pub fn hull(position: &Position, ship: FigureId) -> Vec<Cell> {
    position.cell_of(ship).into_iter().chain(position.stern(ship)).collect()
}

/// Along how many edges two hulls touch.
pub fn touching(position: &Position, one: FigureId, other: FigureId) -> i64 {
    let mut edges = 0;
    for cell in hull(position, one) {
        for there in hull(position, other) {
            edges += i64::from(position.board.direction(cell, there).is_some());
        }
    }
    edges
}

/// ARM-GAP-27: whether crews can fight and step over from hull to hull: along two edges, between rafts one.
pub fn can_board(scene: Scene<'_>, one: FigureId, other: FigureId) -> bool {
    let kind = |id: FigureId| scene.position.figure(id).map(|figure| figure.kind);
    let ship = &scene.tables.ship;
    let needed = match (kind(one), kind(other)) {
        (Some(Kind::Raft), Some(Kind::Raft)) => 1,
        (Some(Kind::Longship), _) | (_, Some(Kind::Longship)) => ship.longship_boards_at_edges,
        _ => ship.other_boards_at_edges,
    };
    one != other && touching(scene.position, one, other) >= needed
}

/// ARM-GAP-27: whether a turtle or siege tower lies on the deck where a figure is, or on the one it wants to reach.
pub fn is_blocked(scene: Scene<'_>, id: FigureId, (ship, part): (FigureId, Part)) -> bool {
    let here = scene.position.figure(id).map(|figure| figure.place);
    let there = Some(Place::On(ship, part));
    scene
        .position
        .present()
        .filter(|(_, figure)| figure.kind.family() == Family::Shelter)
        .any(|(_, shelter)| Some(shelter.place) == here || Some(shelter.place) == there)
}

/// Who steers a ship (ARM-GAP-24, ARM-0.4.33): its possessor with the majority aboard, or with a merchant or agent where nobody disputes it.
pub fn steersman(scene: Scene<'_>, ship: FigureId) -> Option<RealmId> {
    let possessor = scene.position.figure(ship)?.possessor;
    let crew = || scene.position.crew(ship).map(|(_, figure)| figure);
    let warriors = crew().any(|figure| figure.kind.is_warrior() && figure.is_able());
    if warriors {
        return control::decides(scene.tables, scene.position, possessor, ship).then_some(possessor);
    }
    let steers = |figure: &Figure| {
        matches!(figure.kind, Kind::Merchant | Kind::Agent) && figure.is_able() && figure.owner == possessor
    };
    crew().any(steers).then_some(possessor)
}

/// The wind that a ship has (ARM-GAP-32: a local wind is fresh).
fn wind_of(scene: Scene<'_>, ship: &Figure) -> Option<Wind> {
    match ship.spell {
        Some(on) if on.spell == Spell::LocalWind => on.toward.map(|toward| Wind {
            toward,
            strength: WindStrength::Fresh,
        }),
        _ => scene.position.wind,
    }
}

/// ARM-GAP-24, ARM-GAP-25: the steps of a ship on a course from where its bow is.
pub fn speed(scene: Scene<'_>, ship: FigureId, course: Direction) -> i64 {
    let Some(figure) = scene.position.figure(ship) else {
        return 0;
    };
    let rules = &scene.tables.ship;
    let wind = wind_of(scene, figure);
    let mut steps = match figure.kind {
        Kind::Longship => rules.longship_steps,
        Kind::Raft => {
            let blows = wind.filter(|wind| wind.strength != WindStrength::Calm);
            let angle = blows.map(|wind| sixths(wind.toward, course));
            let push = match angle {
                Some(0) => rules.raft_wind,
                Some(3) => -rules.raft_wind,
                _ => 0,
            };
            rules.raft_steps + push
        }
        _ => {
            let table = match wind.map(|wind| wind.strength) {
                Some(WindStrength::Fresh) => scene.tables.wind.fresh_steps,
                Some(WindStrength::Storm) => scene.tables.wind.storm_steps,
                _ => scene.tables.wind.calm_steps,
            };
            let angle = wind.map_or(0, |wind| sixths(wind.toward, course));
            usize::try_from(angle)
                .ok()
                .and_then(|at| table.get(at).copied())
                .unwrap_or(0)
        }
    };
    let cell = scene.position.cell_of(ship);
    let flow = cell
        .and_then(|cell| scene.position.board.ground(cell))
        .and_then(|ground| ground.flow);
    match flow.map(|flow| sixths(flow, course)) {
        Some(0) => steps += rules.stream,
        Some(3) => steps -= rules.stream,
        _ => {}
    }
    if figure.under(Spell::DoubleSpeed) {
        steps *= scene.tables.spell(Spell::DoubleSpeed).factor;
    }
    steps.max(0)
}

/// A ship of the player's that he can steer, with its bow and course.
fn steered(scene: Scene<'_>, player: RealmId, ship: FigureId) -> Result<(&Figure, Cell, Direction), Refusal> {
    let figure = legal::own(scene, player, ship)?;
    let (Family::Ship, Place::At(bow), Some(course)) = (figure.kind.family(), figure.place, figure.facing) else {
        return Err(Refusal::new("no-ship", &[rule::GAP_24][..]).with("figure", figure.to_string()));
    };
    if steersman(scene, ship) != Some(player) {
        let rules = &[rule::GAP_24, rule::R0_4_29, rule::R0_4_33, rule::R0_4_34, rule::R0_4_37][..];
        return Err(Refusal::new("not-steered", rules).with("figure", figure.to_string()));
    }
    Ok((figure, bow.cell, course))
}

/// Whether a ship may sail or turn.
///
/// # Errors
/// The refusal.
pub fn judge(scene: Scene<'_>, player: RealmId, deed: &Field) -> Result<Permit, Refusal> {
    let Field::Sail { ship, helm } = deed else {
        return Err(Refusal::new("not-built", &[rule::GAP_24][..]));
    };
    let (figure, bow, course) = steered(scene, player, *ship)?;
    control::rested(scene, player, *ship)?;
    let mut rules = vec![rule::GAP_24, rule::R0_3_2, rule::R0_3_4, rule::R0_4_33];
    if figure.kind != Kind::Longship {
        rules.push(rule::GAP_25);
    }
    let steps = match helm {
        Helm::Ahead(to) => {
            let next = scene.position.board.neighbour(bow, *to);
            if sixths(course, *to) > scene.tables.ship.turn_sixths_max {
                let field = scene.position.board.name(next.unwrap_or(bow));
                return Err(Refusal::new("too-sharp", &[rule::GAP_24][..]).with("field", field));
            }
            sea(scene, *ship, next)?;
            scene.tables.step.single
        }
        Helm::Turn(to) => {
            if *to == course {
                return Err(Refusal::new("faces-there", &[rule::GAP_24][..]).with("figure", figure.to_string()));
            }
            swing(scene, *ship, bow, (course, *to))?;
            scene.tables.ship.turn_on_the_spot * sixths(course, *to)
        }
    };
    let toward = match helm {
        Helm::Ahead(to) | Helm::Turn(to) => *to,
    };
    let left = speed(scene, *ship, toward) - i64::from(figure.steps);
    if steps > left {
        return Err(Refusal::new("no-steps-left", &[rule::GAP_24, rule::GAP_25][..])
            .with("figure", figure.to_string())
            .with("steps", steps)
            .with("left", left.max(0)));
    }
    Ok(Permit {
        steps: small(steps),
        rules,
        ..Permit::default()
    })
}

/// A field of water that no other ship and no creature fills, no bridge spans, and nobody bars who is of stone.
fn sea(scene: Scene<'_>, ship: FigureId, cell: Option<Cell>) -> Result<Cell, Refusal> {
    let Some(cell) = cell else {
        return Err(Refusal::new("edge-of-the-board", &[rule::GAP_02][..]).with("figure", scene.position.name(ship)));
    };
    if !water::is_open(scene.position, cell) {
        return Err(Refusal::new("may-not-stay", &[rule::R0_4_42][..]).with("field", scene.position.board.name(cell)));
    }
    let filler = room::filler(scene.tables, scene.position, Spot::ground(cell));
    let stone = room::users(scene.position, Room::Water(cell)).any(|(_, figure)| figure.under(Spell::Petrify));
    if stone || filler.is_some_and(|filler| filler != ship) {
        return Err(movement::no_room(scene, Spot::ground(cell), scene.tables.room.field));
    }
    Ok(cell)
}

/// The stern swings around the bow; every field that it reaches must be free water.
fn swing(scene: Scene<'_>, ship: FigureId, bow: Cell, (from, to): (Direction, Direction)) -> Result<(), Refusal> {
    if scene.position.stern(ship).is_none() {
        return Ok(());
    }
    let clockwise = (0..6).find(|turn| from.rotate(*turn) == to).unwrap_or(0);
    let turns: Vec<i32> = if clockwise <= 3 {
        (1..=clockwise).collect()
    } else {
        (clockwise..6).rev().map(|turn| turn - 6).collect()
    };
    for turn in turns {
        let stern = scene.position.board.neighbour(bow, from.rotate(turn).opposite());
        let cell = sea(scene, ship, stern)?;
        let swimmers = room::users(scene.position, Room::Water(cell)).next().is_some();
        if swimmers {
            return Err(movement::no_room(scene, Spot::ground(cell), scene.tables.room.field));
        }
    }
    Ok(())
}

/// Carries out what [`judge`] allowed.
pub fn perform(battle: &mut Battle<'_>, player: RealmId, deed: &Field, permit: &Permit) {
    let Field::Sail { ship, helm } = deed else { return };
    let Some(Place::At(bow)) = battle.position.figure(*ship).map(|figure| figure.place) else {
        return;
    };
    let round = battle.position.clock.round;
    let (cell, course) = match helm {
        Helm::Ahead(to) => (battle.position.board.neighbour(bow.cell, *to).unwrap_or(bow.cell), *to),
        Helm::Turn(to) => (bow.cell, *to),
    };
    if let Some(figure) = battle.position.figure_mut(*ship) {
        let ahead = matches!(helm, Helm::Ahead(_));
        figure.straight = match (ahead, figure.facing == Some(course)) {
            (true, true) => figure.straight.saturating_add(1),
            (true, false) => 1,
            (false, _) => 0,
        };
        figure.place = Place::At(Spot::ground(cell));
        figure.facing = Some(course);
        figure.steps = figure.steps.saturating_add(permit.steps);
        figure.moved = Some(Moved { round, by: player });
    }
    let happening = FieldHappening::Sailed {
        ship: *ship,
        bow: cell,
        course,
        steps: permit.steps,
    };
    let mut rules = permit.rules.clone();
    if battle.position.crew(*ship).any(|(_, figure)| figure.owner != player) {
        rules.push(rule::R0_2_5);
    }
    battle.emit(rules, &[], happening);
    run_over(battle, *ship, cell, Part::Bow, player);
}

/// ARM-GAP-29, ARM-0.4.54: swimmers whom a ship runs over climb aboard or drown.
fn run_over(battle: &mut Battle<'_>, ship: FigureId, cell: Cell, part: Part, begins: RealmId) {
    let swimmers: Vec<FigureId> = room::users(&battle.position, Room::Water(cell))
        .map(|(id, _)| id)
        .collect();
    for id in &swimmers {
        survival::endure_or_fall(battle, *id, rule::GAP_29, "run-over", Fate::Drowned);
        // A king who lost only one of his lives climbs up too.
        if battle.position.figure(*id).is_some_and(Figure::is_present) {
            let at = Place::On(ship, part);
            if let Some(figure) = battle.position.figure_mut(*id) {
                figure.place = at;
            }
            let rules = vec![rule::GAP_29, rule::R0_3_5];
            battle.emit(rules, &[], FieldHappening::ClimbedUp { figure: *id, at });
        }
    }
    if !swimmers.is_empty() {
        overcrowding::resolve(battle, Room::Part(ship, part), Crowding::RaftClimbed, begins);
    }
}

/// Every course of every ship of the player's.
pub fn candidates(scene: Scene<'_>, player: RealmId, list: &mut Vec<Deed>) {
    let ships = scene
        .position
        .present()
        .filter(|(_, figure)| figure.possessor == player && figure.kind.family() == Family::Ship);
    for (ship, figure) in ships {
        if legal::movement_is_open(scene) {
            for course in Direction::ALL {
                for helm in [Helm::Ahead(course), Helm::Turn(course)] {
                    list.push(Deed::Field(Field::Sail { ship, helm }));
                }
            }
        }
        if let Some(target) = struck(scene, figure) {
            list.push(Deed::Fight(Fight::RamShip { ship, target }));
        }
    }
}

/// The ship that lies straight ahead of a ship's bow.
fn struck(scene: Scene<'_>, ship: &Figure) -> Option<FigureId> {
    let Place::At(bow) = ship.place else { return None };
    let ahead = scene.position.board.neighbour(bow.cell, ship.facing?)?;
    water::ship_on(scene.position, ahead).map(|(id, _)| id)
}

/// A warrior aboard who has his act left: merchants steer but do not ram.
fn rammer(scene: Scene<'_>, player: RealmId, ship: FigureId) -> Option<FigureId> {
    scene
        .position
        .crew(ship)
        .find(|(_, crew)| {
            let fights = crew.kind.is_warrior() || crew.kind == Kind::Agent;
            crew.owner == player && fights && crew.is_able() && !crew.acted
        })
        .map(|(id, _)| id)
}

/// ARM-GAP-26: an act of the ship and its steersman after at least two straight steps onto the target.
///
/// # Errors
/// The refusal.
pub fn judge_ram(scene: Scene<'_>, player: RealmId, deed: &Fight) -> Result<Permit, Refusal> {
    let Fight::RamShip { ship, target } = deed else {
        return Err(Refusal::new("not-built", &[rule::GAP_26][..]));
    };
    legal::own_act(scene, player, *ship)?;
    let (figure, ..) = steered(scene, player, *ship)?;
    let name = figure.to_string();
    if figure.kind == Kind::Raft {
        return Err(Refusal::new("rafts-do-not-ram", &[rule::GAP_26][..]).with("figure", name));
    }
    if rammer(scene, player, *ship).is_none() {
        return Err(Refusal::new("nobody-there", &[rule::GAP_26, rule::R0_3_9][..]).with("field", name));
    }
    let ahead = struck(scene, figure) == Some(*target);
    let enemy = scene
        .position
        .figure(*target)
        .is_some_and(|other| !scene.position.allied(player, other.possessor));
    if !ahead || !enemy {
        return Err(Refusal::new("not-ahead", &[rule::GAP_26][..])
            .with("figure", name)
            .with("target", scene.position.name(*target)));
    }
    let needed = scene.tables.ship_ram.straight_steps;
    if i64::from(figure.straight) < needed {
        return Err(Refusal::new("no-run-up", &[rule::GAP_26][..])
            .with("figure", name)
            .with("needed", needed)
            .with("found", i64::from(figure.straight)));
    }
    Ok(Permit {
        rules: vec![rule::GAP_26, rule::R0_3_3, rule::R0_3_9, rule::GAP_46],
        ..Permit::default()
    })
}

/// Carries out what [`judge_ram`] allowed.
pub fn perform_ram(battle: &mut Battle<'_>, player: RealmId, deed: &Fight, permit: &Permit) {
    let Fight::RamShip { ship, target } = deed else { return };
    let hand = rammer(battle.scene(player), player, *ship);
    for id in [Some(*ship), hand].into_iter().flatten() {
        if let Some(figure) = battle.position.figure_mut(id) {
            figure.acted = true;
        }
    }
    let (one, other) = (battle.position.name(*ship), battle.position.name(*target));
    let (throw, dice) = battle.throw(rule::GAP_26, player, format_args!("{player} {one} rams {other}"));
    let hit = throw.natural() >= battle.tables.ship_ram.hits_from;
    let happening = FieldHappening::RammedShip {
        ship: *ship,
        target: *target,
        throw,
        hit,
    };
    battle.emit(permit.rules.clone(), &dice, happening);
    if !hit {
        return broadside(battle, *ship, *target);
    }
    let field = ram_field(battle, *ship);
    let raft = battle
        .position
        .figure(*target)
        .is_some_and(|figure| figure.kind == Kind::Raft);
    survival::fall(battle, *target, Fate::Destroyed, vec![rule::GAP_26], &[]);
    let goes_down = match battle.position.figure(*ship).map(|figure| figure.kind) {
        Some(Kind::SailingShip) if !raft => !holds(battle, *ship, player),
        _ => true,
    };
    if goes_down {
        // The crew of the bow is thrown onto the field that was struck.
        let crew: Vec<FigureId> = battle
            .position
            .aboard(*ship)
            .filter(|(_, figure)| matches!(figure.place, Place::On(_, Part::Bow)))
            .map(|(id, _)| id)
            .collect();
        if let Some(field) = field {
            for id in crew {
                water::plunge(battle, id, field);
            }
        }
        survival::fall(battle, *ship, Fate::Destroyed, vec![rule::GAP_26], &[]);
    }
    if let Some(field) = field {
        overcrowding::resolve(battle, Room::Water(field), Crowding::Rammed, player);
    }
}

/// The field straight ahead of a bow.
fn ram_field(battle: &Battle<'_>, ship: FigureId) -> Option<Cell> {
    let figure = battle.position.figure(ship)?;
    let Place::At(bow) = figure.place else { return None };
    battle.position.board.neighbour(bow.cell, figure.facing?)
}

/// Whether a sailing ship stays afloat after ramming.
fn holds(battle: &mut Battle<'_>, ship: FigureId, player: RealmId) -> bool {
    let number = battle.tables.ship_ram.sailing_ship_survives_from;
    let name = battle.position.name(ship);
    let (throw, dice) = battle.throw(rule::GAP_26, player, format_args!("{player} {name} stays afloat"));
    let survived = throw.natural() >= number;
    let happening = FieldHappening::Endured {
        figure: ship,
        throw,
        number,
        survived,
    };
    battle.emit(&[rule::GAP_26, rule::R0_3_11][..], &dice, happening);
    survived
}

/// ARM-GAP-26: after a miss both lie broadside: the ship swings around its bow until the hulls touch, if there is water for it.
fn broadside(battle: &mut Battle<'_>, ship: FigureId, target: FigureId) {
    let Some((bow, course)) = battle.position.figure(ship).and_then(|figure| match figure.place {
        Place::At(bow) => Some((bow.cell, figure.facing?)),
        _ => None,
    }) else {
        return;
    };
    let owner = battle
        .position
        .figure(ship)
        .map_or(RealmId::NOBODY, |figure| figure.possessor);
    for turn in [1, -1, 2, -2] {
        let to = course.rotate(turn);
        if swing(battle.scene(owner), ship, bow, (course, to)).is_err() {
            continue;
        }
        if let Some(figure) = battle.position.figure_mut(ship) {
            figure.facing = Some(to);
        }
        if can_board(battle.scene(owner), ship, target) {
            let happening = FieldHappening::Sailed {
                ship,
                bow,
                course: to,
                steps: 0,
            };
            battle.emit(&[rule::GAP_26, rule::R0_3_8][..], &[], happening);
            return;
        }
        if let Some(figure) = battle.position.figure_mut(ship) {
            figure.facing = Some(course);
        }
    }
}

/// ARM-GAP-26, ARM-GAP-28: all aboard a ship that goes down are in the water; animals and devices are lost.
pub fn empty(battle: &mut Battle<'_>, ship: FigureId) {
    let aboard: Vec<(FigureId, Option<Cell>)> = battle
        .position
        .aboard(ship)
        .map(|(id, _)| (id, battle.position.cell_of(id)))
        .collect();
    for (id, cell) in aboard {
        if let Some(cell) = cell {
            water::plunge(battle, id, cell);
        }
    }
}

/// ARM-GAP-25, at the start of a round: the wind, rafts in a storm, and the drift of ships that nobody steers.
pub fn wind(battle: &mut Battle<'_>) {
    let ships: Vec<FigureId> = battle
        .position
        .present()
        .filter(|(_, figure)| figure.kind.family() == Family::Ship)
        .map(|(id, _)| id)
        .collect();
    if ships.is_empty() {
        return;
    }
    blow(battle);
    for ship in ships {
        storm(battle, ship);
        drift(battle, ship);
    }
}

fn blow(battle: &mut Battle<'_>) {
    let round = battle.position.clock.round;
    let nobody = RealmId::NOBODY;
    let rules: &[RuleId] = &[rule::GAP_25, rule::R0_2_2];
    let mut all = Vec::new();
    if battle.position.wind.is_some() {
        // The wind at the start is rolled only where the set-up does not say it; whether it turns, in later rounds.
        if round <= 1 {
            return;
        }
        let (throw, dice) = battle.throw(rule::GAP_25, nobody, format_args!("{nobody} wind round {round}"));
        if throw.natural() < battle.tables.wind.changes_from {
            battle.emit(rules.to_vec(), &dice, FieldHappening::WindHeld { throw });
            return;
        }
        all.extend(dice);
    }
    let toward = battle.die(
        rule::GAP_25,
        nobody,
        format_args!("{nobody} wind direction round {round}"),
        6,
    );
    let strength = battle.die(
        rule::GAP_25,
        nobody,
        format_args!("{nobody} wind strength round {round}"),
        6,
    );
    let wind = Wind {
        // 1 is east, then counter-clockwise.
        toward: Direction::East.rotate(1 - i32::try_from(toward.value).unwrap_or(1)),
        strength: match strength.value {
            face if face <= battle.tables.wind.calm_to => WindStrength::Calm,
            face if face <= battle.tables.wind.fresh_to => WindStrength::Fresh,
            _ => WindStrength::Storm,
        },
    };
    all.extend([toward, strength]);
    battle.position.wind = Some(wind);
    battle.emit(rules.to_vec(), &all, FieldHappening::WindRolled { wind });
}

/// A raft in a storm holds, or loses one of those aboard.
fn storm(battle: &mut Battle<'_>, ship: FigureId) {
    let stormy = battle
        .position
        .wind
        .is_some_and(|wind| wind.strength == WindStrength::Storm);
    let Some(figure) = battle
        .position
        .figure(ship)
        .filter(|figure| figure.kind == Kind::Raft && stormy)
    else {
        return;
    };
    let (player, name) = (figure.possessor, figure.to_string());
    let number = battle.tables.wind.raft_in_storm_survives_from;
    let (throw, dice) = battle.throw(rule::GAP_25, player, format_args!("{player} {name} storm"));
    let survived = throw.natural() >= number;
    let happening = FieldHappening::Endured {
        figure: ship,
        throw,
        number,
        survived,
    };
    battle.emit(&[rule::GAP_25, rule::R0_3_11][..], &dice, happening);
    let aboard: Vec<FigureId> = battle.position.aboard(ship).map(|(id, _)| id).collect();
    if survived || aboard.is_empty() {
        return;
    }
    let faces = i64::try_from(aboard.len()).unwrap_or(1);
    let die = battle.die(rule::GAP_25, player, format_args!("{player} {name} overboard"), faces);
    let lost = usize::try_from(die.value - 1)
        .ok()
        .and_then(|at| aboard.get(at).copied());
    if let Some(lost) = lost {
        let fate = if battle
            .position
            .figure(lost)
            .is_some_and(|figure| figure.kind.family().is_device())
        {
            Fate::Destroyed
        } else {
            Fate::Drowned
        };
        survival::fall(battle, lost, fate, vec![rule::GAP_25], &[die]);
    }
}

/// ARM-0.2.4: a ship that nobody steers drifts with the wind, which is no movement, until it meets land or another ship.
fn drift(battle: &mut Battle<'_>, ship: FigureId) {
    let Some(figure) = battle.position.figure(ship).filter(|figure| figure.is_present()) else {
        return;
    };
    let possessor = figure.possessor;
    let scene = battle.scene(possessor);
    if steersman(scene, ship).is_some() {
        return;
    }
    let Some(wind) = wind_of(scene, figure) else { return };
    let table = &battle.tables.wind.drift;
    let fields = match wind.strength {
        WindStrength::Calm => table[0],
        WindStrength::Fresh => table[1],
        WindStrength::Storm => table[2],
    };
    for _ in 0..fields {
        let scene = battle.scene(possessor);
        let hull = hull(scene.position, ship);
        let next: Vec<Option<Cell>> = hull
            .iter()
            .map(|cell| scene.position.board.neighbour(*cell, wind.toward))
            .collect();
        let clear = next.iter().all(|cell| sea(scene, ship, *cell).is_ok());
        let (Some(from), Some(Some(to))) = (hull.first().copied(), next.first().copied()) else {
            return;
        };
        if !clear {
            return;
        }
        if let Some(figure) = battle.position.figure_mut(ship) {
            figure.place = Place::At(Spot::ground(to));
        }
        let rules = vec![rule::GAP_25, rule::R0_2_4, rule::R0_3_8, rule::R0_4_37];
        battle.emit(rules, &[], FieldHappening::Drifted { figure: ship, from, to });
        for (cell, part) in next.into_iter().flatten().zip([Part::Bow, Part::Stern]) {
            run_over(battle, ship, cell, part, possessor);
        }
    }
}
