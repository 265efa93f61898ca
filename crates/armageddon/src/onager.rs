//! Onagers (ARM-GAP-08, ARM-EX-02): one throw a round, served by one warrior, over everything that stands between.

use crate::battle::{Battle, Scene};
use crate::board::{Cell, Spot};
use crate::deed::{Deed, Fight, Permit, Refusal};
use crate::event::FightHappening;
use crate::kinds::{Family, Fate, Kind, Part};
use crate::magic::prayers;
use crate::state::{Figure, FigureId, Place};
use crate::{buildings, devices, legal, melee, rule, sight, survival};
use kernel::hex::Direction;
use kernel::realm::RealmId;
use kernel::rule::RuleId;

/// At what an onager throws.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    /// An open field, a ship on it, a stream bridge over it.
    Field,
    /// A level of a building.
    Building,
    /// The wall along a side of the field.
    Wall(Direction, bool),
    /// The bridge over a side of the field.
    Bridge(Direction),
}

fn mark(scene: Scene<'_>, target: Spot, side: Option<Direction>) -> Option<Mark> {
    let board = &scene.position.board;
    let ground = board.ground(target.cell)?;
    match side {
        // Of a building always the wall that faces the onager falls.
        Some(_) if target.level > 0 || ground.building.is_some() => None,
        Some(side) => match ground.walls[side.index()] {
            Some(wall) => Some(Mark::Wall(side, wall.reinforced)),
            None => board.edge(target.cell, side).bridge.map(|_| Mark::Bridge(side)),
        },
        None => match &ground.building {
            Some(building) => (target.level < building.levels(scene.tables)).then_some(Mark::Building),
            None => (target.level == 0).then_some(Mark::Field),
        },
    }
}

/// The number that a throw needs: by distance, levels uphill, from a ship, against a reinforced wall.
fn number(scene: Scene<'_>, onager: &Figure, from: Cell, target: Spot, mark: Mark) -> Result<i64, Refusal> {
    let table = &scene.tables.onager;
    let board = &scene.position.board;
    let distance = i64::try_from(board.distance(from, target.cell)).unwrap_or(i64::MAX);
    if distance < table.distance_min || distance > table.distance_max {
        return Err(Refusal::new("out-of-throw", &[rule::GAP_08][..])
            .with("field", board.spot_name(scene.tables, target))
            .with("distance", distance));
    }
    let here = match onager.place {
        Place::At(spot) => board.height(scene.tables, spot),
        _ => board.height(scene.tables, Spot::ground(from)),
    };
    let uphill = i64::from(board.height(scene.tables, target).saturating_sub(here));
    let aboard = matches!(onager.place, Place::On(_, Part::Bow | Part::Stern));
    let reinforced = matches!(mark, Mark::Wall(_, true));
    let add = |applies: bool, points: i64| if applies { points } else { 0 };
    Ok(table.base
        + distance / table.fields_per_point.max(1)
        + uphill * table.uphill_per_level
        + add(aboard, table.from_ship)
        + add(reinforced, table.reinforced))
}

/// A throw that may be made: its number and its mark.
fn plan(
    scene: Scene<'_>,
    player: RealmId,
    onager: FigureId,
    crew: FigureId,
    (target, side): (Spot, Option<Direction>),
) -> Result<(i64, Mark), Refusal> {
    let engine = legal::own_act(scene, player, onager)?;
    let hand = legal::own_act(scene, player, crew)?;
    if engine.kind != Kind::Onager {
        return Err(Refusal::new("not-an-onager", &[rule::GAP_08][..]).with("figure", engine.to_string()));
    }
    devices::serves(scene, player, onager)?;
    let beside = scene.position.cell_of(crew) == scene.position.cell_of(onager)
        && scene.position.spot_of(crew) == scene.position.spot_of(onager);
    if !hand.kind.is_warrior() || !beside {
        return Err(Refusal::new("not-at-device", &[rule::GAP_08, rule::R0_3_9][..])
            .with("figure", hand.to_string())
            .with("target", engine.to_string()));
    }
    let hands = i64::try_from(helpers(scene, player, onager, crew).len()).unwrap_or(0) + 1;
    if hands < scene.tables.onager.crew {
        return Err(Refusal::new("too-small-a-crew", &[rule::GAP_08, rule::GAP_46][..])
            .with("figure", engine.to_string())
            .with("needed", scene.tables.onager.crew));
    }
    let round = scene.position.clock.round;
    let moved = engine.steps > 0 || engine.moved.is_some_and(|moved| moved.round == round);
    if moved && scene.tables.onager.not_after_transport {
        return Err(Refusal::new("onager-moved", &[rule::GAP_08][..]).with("figure", engine.to_string()));
    }
    let field = || scene.position.board.spot_name(scene.tables, target);
    let Some(mark) = mark(scene, target, side) else {
        return Err(Refusal::new("nothing-to-hit", &[rule::GAP_08][..]).with("field", field()));
    };
    let from = scene.position.cell_of(onager).unwrap_or_default();
    let number = number(scene, engine, from, target, mark)?;
    if scene.position.board.roof && number > scene.tables.onager.under_roof_max {
        return Err(Refusal::new("under-a-roof", &[rule::GAP_08][..])
            .with("field", field())
            .with("number", number)
            .with("most", scene.tables.onager.under_roof_max));
    }
    if !spotted(scene, player, target) {
        return Err(Refusal::new("not-seen", &[rule::GAP_08, rule::GAP_07][..]).with("field", field()));
    }
    Ok((number, mark))
}

/// Those who serve an onager beside the warrior that a line names, where it needs more than one: by number.
fn helpers(scene: Scene<'_>, player: RealmId, onager: FigureId, crew: FigureId) -> Vec<FigureId> {
    let wanted = usize::try_from(scene.tables.onager.crew - 1).unwrap_or(0);
    let everyone = scene.tables.together.everyone_spends;
    let at = scene.position.spot_of(onager);
    let fit = |(id, hand): &(FigureId, &Figure)| {
        *id != crew
            && hand.possessor == player
            && hand.kind.is_warrior()
            && hand.is_able()
            && !(everyone && hand.acted)
            && scene.position.spot_of(*id) == at
    };
    let there = scene.position.present().filter(fit);
    there.map(|(id, _)| id).take(wanted).collect()
}

/// Whether some figure of the player's sees the field.
fn spotted(scene: Scene<'_>, player: RealmId, target: Spot) -> bool {
    let there = (target.cell, scene.position.board.height(scene.tables, target));
    scene.position.present().any(|(id, figure)| {
        let watches = figure.kind.is_person() || figure.kind == Kind::Wizard;
        watches && figure.owner == player && sight::eye(scene, id).is_some_and(|here| sight::sees(scene, here, there))
    })
}

/// Whether a throw is legal.
///
/// # Errors
/// The refusal.
pub fn judge(scene: Scene<'_>, player: RealmId, deed: &Fight) -> Result<Permit, Refusal> {
    let Fight::Throw {
        onager,
        crew,
        target,
        side,
    } = deed
    else {
        return Err(Refusal::new("not-built", &[rule::GAP_08][..]));
    };
    plan(scene, player, *onager, *crew, (*target, *side))?;
    Ok(Permit {
        rules: vec![rule::GAP_08, rule::R0_3_3, rule::R0_3_9, rule::R0_4_29],
        ..Permit::default()
    })
}

/// Carries out what [`judge`] allowed.
pub fn perform(battle: &mut Battle<'_>, player: RealmId, deed: &Fight, permit: &Permit) {
    let Fight::Throw {
        onager,
        crew,
        target,
        side,
    } = deed
    else {
        return;
    };
    let Ok((number, mark)) = plan(battle.scene(player), player, *onager, *crew, (*target, *side)) else {
        return;
    };
    let helpers = helpers(battle.scene(player), player, *onager, *crew);
    let more = helpers
        .into_iter()
        .filter(|_| battle.tables.together.everyone_spends)
        .collect::<Vec<_>>();
    for id in [*onager, *crew].into_iter().chain(more) {
        melee::spend_act(battle, id);
    }
    let name = battle.position.name(*onager);
    let field = battle.position.board.spot_name(battle.tables, *target);
    let (throw, dice) = battle.throw_for(rule::GAP_08, *crew, format_args!("{player} {name} throws at {field}"));
    let number = number - prayers::roll_of(battle.scene(player), *crew);
    let hit = throw.natural() >= number;
    let happening = FightHappening::Thrown {
        onager: *onager,
        crew: *crew,
        target: *target,
        side: *side,
        throw,
        number,
        hit,
    };
    battle.emit(permit.rules.clone(), &dice, happening);
    if !hit {
        return;
    }
    let rules = [rule::GAP_08];
    match mark {
        Mark::Field => strike_field(battle, target.cell, &rules),
        Mark::Building => {
            let from = battle.position.cell_of(*onager).unwrap_or(target.cell);
            let facing = sight::toward(&battle.position.board, target.cell, from).unwrap_or(Direction::East);
            strike_level(battle, *target, facing, &rules);
        }
        Mark::Wall(side, _) => buildings::hit_wall(battle, target.cell, side, &rules),
        Mark::Bridge(side) => buildings::hit_river_bridge(battle, target.cell, side, &rules),
    }
}

/// A hit on an open field: devices are destroyed, ships and bridges hit, everybody rolls for survival.
fn strike_field(battle: &mut Battle<'_>, cell: Cell, rules: &[RuleId]) {
    let there: Vec<FigureId> = battle
        .position
        .present()
        .filter(|(id, figure)| {
            let hovers = matches!(figure.place, Place::Above(_));
            !hovers && figure.kind.family() != Family::Ship && battle.position.cell_of(*id) == Some(cell)
        })
        .map(|(id, _)| id)
        .collect();
    let ship = battle
        .position
        .present()
        .find(|(id, figure)| {
            figure.kind.family() == Family::Ship
                && (battle.position.cell_of(*id) == Some(cell) || battle.position.stern(*id) == Some(cell))
        })
        .map(|(id, _)| id);
    strike_figures(battle, &there, rules);
    if let Some(ship) = ship {
        strike_ship(battle, ship, rules);
    }
    let bridged = battle
        .position
        .board
        .ground(cell)
        .is_some_and(|ground| ground.stream_bridge.is_some());
    if bridged {
        buildings::hit_stream_bridge(battle, cell, rules);
    }
}

/// Living figures roll for survival, then devices are destroyed.
fn strike_figures(battle: &mut Battle<'_>, there: &[FigureId], rules: &[RuleId]) {
    let devices: Vec<FigureId> = there
        .iter()
        .copied()
        .filter(|id| {
            let kind = battle.position.figure(*id).map(|figure| figure.kind);
            kind.is_some_and(|kind| kind.family().is_device())
        })
        .collect();
    for id in there.iter().filter(|id| !devices.contains(id)) {
        let present = battle.position.figure(*id).is_some_and(Figure::is_present);
        if present {
            survival::endure_or_fall(battle, *id, rule::GAP_08, "onager", Fate::Perished);
        }
    }
    for id in devices {
        survival::fall(battle, id, Fate::Destroyed, rules.to_vec(), &[]);
    }
}

/// One hit on a ship; with the last one it sinks.
fn strike_ship(battle: &mut Battle<'_>, ship: FigureId, rules: &[RuleId]) {
    let Some(figure) = battle.position.figure_mut(ship) else {
        return;
    };
    figure.hits = figure.hits.saturating_add(1);
    let (hits, kind) = (figure.hits, figure.kind);
    let mut rules = rules.to_vec();
    rules.push(rule::GAP_09);
    battle.emit(rules.clone(), &[], FightHappening::ShipHit { ship, hits });
    if hits >= battle.tables.figure(kind).hits {
        survival::fall(battle, ship, Fate::Destroyed, rules, &[]);
    }
}

/// A hit on one level of a building: those on it, then the wall that faces the onager; other levels are untouched.
fn strike_level(battle: &mut Battle<'_>, at: Spot, facing: Direction, rules: &[RuleId]) {
    let there: Vec<FigureId> = battle
        .position
        .present()
        .filter(|(id, figure)| {
            let hovers = matches!(figure.place, Place::Above(_));
            !hovers && battle.position.spot_of(*id) == Some(at)
        })
        .map(|(id, _)| id)
        .collect();
    strike_figures(battle, &there, rules);
    buildings::hit_storey(battle, at, facing, rules);
}

/// Every throw of an own onager that some warrior beside it could make.
pub fn candidates(scene: Scene<'_>, player: RealmId, list: &mut Vec<Deed>) {
    let position = scene.position;
    let onagers = position
        .present()
        .filter(|(_, figure)| figure.kind == Kind::Onager && figure.possessor == player && !figure.acted);
    for (onager, _) in onagers {
        let Some(spot) = position.spot_of(onager) else { continue };
        let crews = position.present().filter(|(id, hand)| {
            hand.possessor == player && hand.kind.is_warrior() && !hand.acted && position.spot_of(*id) == Some(spot)
        });
        for (crew, _) in crews {
            for cell in position.board.all() {
                aims(scene, (onager, crew), (spot.cell, cell), list);
            }
        }
    }
}

fn aims(scene: Scene<'_>, (onager, crew): (FigureId, FigureId), (from, cell): (Cell, Cell), list: &mut Vec<Deed>) {
    let board = &scene.position.board;
    let distance = i64::try_from(board.distance(from, cell)).unwrap_or(i64::MAX);
    if distance < scene.tables.onager.distance_min || distance > scene.tables.onager.distance_max {
        return;
    }
    let throw = |level: u8, side: Option<Direction>| {
        Deed::Fight(Fight::Throw {
            onager,
            crew,
            target: Spot { cell, level },
            side,
        })
    };
    let levels = board.building(cell).map_or(1, |building| building.levels(scene.tables));
    list.extend((0..levels).map(|level| throw(level, None)));
    for side in Direction::ALL {
        let walled = board
            .ground(cell)
            .is_some_and(|ground| ground.walls[side.index()].is_some());
        if walled || board.edge(cell, side).bridge.is_some() {
            list.push(throw(0, Some(side)));
        }
    }
}
