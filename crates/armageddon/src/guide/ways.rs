//! Ways of a figure that goes by itself: what each spot costs, as far as the board lets it pass.

use super::pieces;
use crate::battle::Scene;
use crate::board::{Cell, Spot};
use crate::kinds::{Family, Part};
use crate::map;
use crate::movement;
use crate::rule;
use crate::state::{FigureId, Place, Position};
use crate::tables::Tables;
use crate::view::View;
use kernel::diagnostic::{Diagnostic, Name, Span};
use kernel::form::WrittenOrder;
use kernel::guide::{Moment, Reached, RoutePlan, RouteStep};
use kernel::realm::RealmId;
use kernel::report::Why;
use std::collections::BTreeMap;

/// Turns that a way is thought ahead.
const TURNS_MAX: u32 = 40;

/// How one comes to a spot: in which turn, what of it is used up then, and from where.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Arrival {
    turn: u32,
    used: u8,
    from: Option<Spot>,
    cost: u8,
}

/// Who moves when a figure does: his horse or elephant, else himself.
fn mover(position: &Position, id: FigureId) -> FigureId {
    match position.figure(id).map(|figure| figure.place) {
        Some(Place::On(mount, Part::Back | Part::Saddle)) => mount,
        _ => id,
    }
}

/// Where a figure can be after so many turns. Others who stand in the way may be gone by then, so they bar nothing.
fn arrivals(scene: Scene<'_>, id: FigureId, turns: u32) -> BTreeMap<Spot, Arrival> {
    let position = scene.position;
    let id = mover(position, id);
    let mut best: BTreeMap<Spot, Arrival> = BTreeMap::new();
    let Some(figure) = position.figure(id) else { return best };
    let goes = matches!(figure.place, Place::At(_))
        && matches!(
            figure.kind.family(),
            Family::Warrior | Family::Person | Family::Horse | Family::Elephant
        );
    let Some(start) = position.spot_of(id).filter(|_| goes) else {
        return best;
    };
    let whole = movement::allowance(scene, figure);
    let now = if position.mover() == Some(figure.possessor) {
        movement::steps_left(scene, id)
    } else {
        whole
    };
    if whole == 0 {
        return best;
    }
    let first = Arrival {
        turn: 0,
        used: whole.saturating_sub(now),
        from: None,
        cost: 0,
    };
    best.insert(start, first);
    let mut open = vec![(first, start)];
    while let Some(at) = open
        .iter()
        .enumerate()
        .min_by_key(|(_, entry)| **entry)
        .map(|(at, _)| at)
    {
        let (arrival, spot) = open.swap_remove(at);
        if best.get(&spot) != Some(&arrival) {
            continue;
        }
        for next in beside(scene, spot) {
            let Ok(way) = movement::way(scene, figure.possessor, figure.kind, spot, next) else {
                continue;
            };
            if way.steps > whole {
                continue;
            }
            let fits = arrival.used.saturating_add(way.steps) <= whole;
            let (turn, used) = if fits {
                (arrival.turn, arrival.used + way.steps)
            } else {
                (arrival.turn + 1, way.steps)
            };
            let found = Arrival {
                turn,
                used,
                from: Some(spot),
                cost: way.steps,
            };
            let better = best
                .get(&next)
                .is_none_or(|old| (found.turn, found.used) < (old.turn, old.used));
            if turn < turns && better {
                best.insert(next, found);
                open.push((found, next));
            }
        }
    }
    best
}

pub(super) fn beside(scene: Scene<'_>, spot: Spot) -> Vec<Spot> {
    let board = &scene.position.board;
    let levels = board
        .building(spot.cell)
        .map_or(0, |building| building.levels(scene.tables));
    let storeys = [spot.level.checked_sub(1), spot.level.checked_add(1)]
        .into_iter()
        .flatten();
    let storeys = storeys
        .filter(|level| *level < levels)
        .map(|level| Spot { cell: spot.cell, level });
    let fields = board.neighbours(spot.cell).map(|(_, cell)| Spot::ground(cell));
    storeys.chain(fields).collect()
}

fn scene<'a>(tables: &'a Tables, view: &'a View) -> Scene<'a> {
    Scene {
        tables,
        position: &view.position,
        secret: view.secret.as_ref(),
    }
}

/// The step of the world in which the so-many-th turn of a player from now on is played, if everybody sends one script a turn.
fn moment(position: &Position, player: RealmId, turn: u32) -> Moment {
    let players = u32::try_from(position.order.len()).unwrap_or(1).max(1);
    let place = position.order.iter().position(|one| *one == player);
    let place = place.and_then(|place| u32::try_from(place).ok()).unwrap_or(0);
    let now = u32::from(position.clock.turn);
    let wait = (place + players - now % players) % players;
    Moment {
        step: position.clock.step + 1 + wait + turn * players,
        part: 0,
    }
}

/// The field or spot of a text such as `17`, `17.1`, `17.P`, `2N+4/17`.
pub(super) fn read_spot(scene: Scene<'_>, text: &str) -> Option<Spot> {
    let text = text.trim();
    let board = &scene.position.board;
    let (name, level) = match text.rsplit_once('.') {
        Some((name, level)) => (name, Some(level)),
        None => (text, None),
    };
    let (province, number) = match name.rsplit_once('/') {
        Some((province, number)) => (Some(province), number),
        None => (None, name),
    };
    let cell = board.cell(province, number.parse().ok()?)?;
    let building = board.building(cell);
    let level = match level {
        None => 0,
        Some(letter) if letter.eq_ignore_ascii_case("p") => building?.platform(scene.tables)?,
        Some(number) => {
            let number: u8 = number.parse().ok()?;
            let levels = building.map_or(1, |building| building.levels(scene.tables));
            Some(number).filter(|number| *number < levels)?
        }
    };
    Some(Spot { cell, level })
}

/// The best way of a figure to a place.
pub(super) fn route(tables: &Tables, view: &View, from: &str, to: &str) -> RoutePlan {
    let scene = scene(tables, view);
    let refused = |code: &'static str, name: &'static str, value: &str| RoutePlan {
        traveller: from.to_owned(),
        findings: vec![Diagnostic::error(code, Span::default(), &[rule::R0_4_38]).with(name, value)],
        ..RoutePlan::default()
    };
    let Some(id) = pieces::named(scene.position, from) else {
        return refused("no-such-figure", "figure", from);
    };
    let Some(goal) = read_spot(scene, to) else {
        return refused("no-such-field", "field", to);
    };
    let found = arrivals(scene, id, TURNS_MAX);
    let mut way: Vec<(Spot, Arrival)> = Vec::new();
    let mut at = goal;
    while let Some(arrival) = found.get(&at).copied() {
        way.push((at, arrival));
        match arrival.from {
            Some(before) if way.len() <= found.len() => at = before,
            _ => break,
        }
    }
    way.reverse();
    if way.len() < 2 {
        return refused("no-way", "field", to);
    }
    let lead = mover(scene.position, id);
    let figure = scene.position.figure(lead);
    let player = figure.map_or(RealmId::NOBODY, |figure| figure.possessor);
    let whole = figure.map_or(0, |figure| movement::allowance(scene, figure));
    let name = |spot: Spot| scene.position.board.spot_name(tables, spot);
    let mut plan = RoutePlan {
        traveller: scene.position.name(id),
        ..RoutePlan::default()
    };
    for pair in way.windows(2) {
        let [(before, _), (after, arrival)] = pair else {
            continue;
        };
        plan.cost += i64::from(arrival.cost);
        plan.steps.push(RouteStep {
            when: moment(scene.position, player, arrival.turn),
            from: name(*before),
            to: name(*after),
            at: map::spot(scene.position, after.cell).unwrap_or_default(),
            cost: i64::from(arrival.cost),
            left: i64::from(whole.saturating_sub(arrival.used)),
            cautions: Vec::<Name>::new(),
            why: Why::default(),
        });
    }
    plan.arrival = plan.steps.last().map(|step| step.when);
    if view.player() == Some(player) {
        plan.orders = orders(view, scene, id, &way);
    }
    plan
}

/// One line for every turn of a way.
fn orders(view: &View, scene: Scene<'_>, id: FigureId, way: &[(Spot, Arrival)]) -> Vec<WrittenOrder> {
    let name = |spot: Spot| scene.position.board.spot_name(scene.tables, spot);
    let last = way.last().map_or(0, |(_, arrival)| arrival.turn);
    let mut list = Vec::new();
    for turn in 0..=last {
        let mut fields: Vec<String> = Vec::new();
        for pair in way.windows(2) {
            if let [(before, _), (after, arrival)] = pair
                && arrival.turn == turn
            {
                if fields.is_empty() {
                    fields.push(name(*before));
                }
                fields.push(name(*after));
            }
        }
        if !fields.is_empty() {
            list.push(WrittenOrder {
                opening: if turn == 0 {
                    crate::scribe::head(scene, view.player().unwrap_or(RealmId::NOBODY))
                } else {
                    String::new()
                },
                text: format!("ZIEHE {} {}", scene.position.name(id), fields.join(">")),
            });
        }
    }
    list
}

/// Every field within so many turns.
pub(super) fn reach(tables: &Tables, view: &View, from: &str, turns: u32) -> Vec<Reached> {
    let scene = scene(tables, view);
    let Some(id) = pieces::named(scene.position, from) else {
        return Vec::new();
    };
    let player = scene
        .position
        .figure(id)
        .map_or(RealmId::NOBODY, |figure| figure.possessor);
    let found = arrivals(scene, id, turns.clamp(1, TURNS_MAX));
    found
        .into_iter()
        .filter(|(_, arrival)| arrival.from.is_some())
        .filter_map(|(spot, arrival)| {
            Some(Reached {
                place: scene.position.board.spot_name(tables, spot),
                at: map::spot(scene.position, spot.cell)?,
                when: moment(scene.position, player, arrival.turn),
                cost: i64::from(arrival.used),
            })
        })
        .collect()
}

/// The figures that could be on a field within their next turn.
pub(super) fn who_reaches(scene: Scene<'_>, cell: Cell) -> Vec<FigureId> {
    let position = scene.position;
    let near = |id: FigureId| {
        position
            .cell_of(id)
            .is_some_and(|at| at != cell && position.board.distance(at, cell) <= NEAR)
    };
    let reaches = |id: FigureId| arrivals(scene, id, 1).keys().any(|spot| spot.cell == cell);
    position
        .present()
        .filter(|(id, figure)| figure.possessor.is_played() && figure.kind.is_warrior() && near(*id) && reaches(*id))
        .map(|(id, _)| id)
        .collect()
}

/// No horse goes farther in a turn, not even at double speed.
const NEAR: u64 = 8;
