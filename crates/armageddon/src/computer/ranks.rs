//! The phalanx: four equal fighters close their ranks before the enemy, step at him and strike with all their weight; where nobody is near they
//! open them again.

use super::chart::Chart;
use super::mind::Mind;
use super::strike;
use super::worth;
use crate::board::{Cell, Spot};
use crate::deed::{Deed, Field, Fight};
use crate::kinds::Kind;
use crate::melee;
use crate::odds::{self, Fighter, Kill};
use crate::phalanx;
use crate::state::{Figure, FigureId, Place};
use kernel::hex::Direction;
use std::collections::BTreeMap;

/// Enemies this near make a phalanx worth keeping.
const NEAR: u64 = 2;
/// Groups that are looked at in one turn at the most.
const GROUPS_MAX: usize = 24;

/// Four fighters who are a phalanx or could be one.
struct Group {
    members: Vec<FigureId>,
    at: Spot,
    formed: bool,
}

/// What a group does in its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Plan {
    /// Stands and strikes man by man, its front to this side.
    Stand(Direction),
    /// Steps straight ahead to this side and strikes with its weight at the field behind.
    Charge(Direction),
}

/// Closes and opens ranks, turns and steps: before anybody else goes.
pub(super) fn close(mind: &mut Mind<'_, '_>, chart: &mut Chart) {
    for group in groups(mind) {
        let near = chart.nearest_foe(mind.position(), group.at.cell).unwrap_or(u64::MAX);
        if !group.formed && near > NEAR {
            continue;
        }
        match best(mind, chart, &group) {
            Some((_, Plan::Stand(front))) => {
                let formed = form(mind, &group, front);
                let keeps = group.members.iter().copied().filter(|_| formed);
                mind.kept.extend(keeps);
            }
            Some((_, Plan::Charge(front))) => {
                let Some(ahead) = mind.position().board.neighbour(group.at.cell, front) else {
                    continue;
                };
                let (Some(leader), to) = (group.members.first().copied(), Spot::ground(ahead)) else {
                    continue;
                };
                if form(mind, &group, front) {
                    mind.act(&Deed::Field(Field::March { phalanx: leader, to }));
                    mind.kept.extend(group.members.iter().copied());
                    chart.refresh(mind, &[group.at, to]);
                }
            }
            None if group.formed && !(chart.holding && near <= NEAR) => {
                if let Some(leader) = group.members.first() {
                    mind.act(&Deed::Fight(Fight::DissolvePhalanx { phalanx: *leader }));
                }
            }
            None => {}
        }
    }
}

/// Every own phalanx, and every four equal fighters on open ground who have not moved and serve nothing.
fn groups(mind: &Mind<'_, '_>) -> Vec<Group> {
    let position = mind.position();
    let four = usize::try_from(mind.tables().phalanx.members).unwrap_or(0);
    let mut found: BTreeMap<(Spot, Kind, Option<FigureId>), Vec<FigureId>> = BTreeMap::new();
    for (id, figure) in position.present() {
        let Place::At(spot) = figure.place else { continue };
        let fit = figure.possessor == mind.player
            && figure.is_able()
            && matches!(figure.kind, Kind::Warrior(..))
            && worth::is_fighter(figure.kind)
            && position.board.building(spot.cell).is_none()
            && (figure.phalanx.is_some() || (figure.steps == 0 && !figure.acted));
        if fit {
            found.entry((spot, figure.kind, figure.phalanx)).or_default().push(id);
        }
    }
    let busy = |spot: Spot| {
        let served = |figure: &Figure| figure.kind.family().is_device() && figure.possessor == mind.player;
        position.standing_at(spot).any(|(_, figure)| served(figure))
    };
    let whole = found.into_iter().filter(|(_, members)| members.len() == four);
    whole
        .filter(|((spot, _, formed), _)| formed.is_some() || !busy(*spot))
        .map(|((at, _, formed), members)| Group {
            members,
            at,
            formed: formed.is_some(),
        })
        .take(GROUPS_MAX)
        .collect()
}

/// Closes the ranks with this front, or turns a phalanx to it.
fn form(mind: &mut Mind<'_, '_>, group: &Group, front: Direction) -> bool {
    let Some(leader) = group.members.first().copied() else {
        return false;
    };
    if !group.formed {
        return mind.act(&Deed::Fight(Fight::FormPhalanx {
            members: group.members.clone(),
            front,
        }));
    }
    let faces = mind.position().figure(leader).and_then(|figure| figure.facing);
    faces == Some(front)
        || mind.act(&Deed::Field(Field::Face {
            figure: leader,
            facing: front,
        }))
}

/// The best that a group can do as a phalanx, if it is worth more than what they do one by one.
fn best(mind: &mut Mind<'_, '_>, chart: &Chart, group: &Group) -> Option<(i64, Plan)> {
    let near: Vec<FigureId> = {
        let position = mind.position();
        let close = |spot: Spot| position.board.distance(spot.cell, group.at.cell) <= NEAR;
        chart
            .foes
            .iter()
            .filter(|foe| close(foe.spot))
            .map(|foe| foe.id)
            .collect()
    };
    let reckoned = u32::try_from(near.len() * group.members.len() * 13).unwrap_or(u32::MAX);
    if near.is_empty() || !mind.spend(reckoned) {
        return None;
    }
    let alone = single(mind, group, &near);
    let before: Vec<Figure> = group
        .members
        .iter()
        .filter_map(|id| mind.position().figure(*id).cloned())
        .collect();
    let mut best: Option<(i64, Plan)> = None;
    for front in Direction::ALL {
        let mut offer = |worth: i64, plan: Plan| {
            if worth > 0 && best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, plan));
            }
        };
        imagine(mind, group, front, group.at);
        offer(stand(mind, group, &near) - alone.1, Plan::Stand(front));
        let ahead = mind.position().board.neighbour(group.at.cell, front);
        let target = ahead.and_then(|ahead| mind.position().board.neighbour(ahead, front));
        if let (Some(ahead), Some(target), Some(leader)) = (ahead, target, group.members.first().copied()) {
            let to = Spot::ground(ahead);
            if mind.may(&Deed::Field(Field::March { phalanx: leader, to })) {
                imagine(mind, group, front, to);
                offer(weight(mind, leader, target) - alone.0, Plan::Charge(front));
            }
        }
        for (id, figure) in group.members.iter().zip(&before) {
            if let Some(found) = mind.position_mut().figure_mut(*id) {
                found.clone_from(figure);
            }
        }
    }
    best
}

/// Puts a group somewhere as a phalanx, to see what it would be worth there.
fn imagine(mind: &mut Mind<'_, '_>, group: &Group, front: Direction, at: Spot) {
    let first = group.members.first().copied();
    for id in &group.members {
        if let Some(figure) = mind.position_mut().figure_mut(*id) {
            figure.place = Place::At(at);
            figure.phalanx = first;
            figure.facing = Some(front);
            figure.straight = u8::from(at != group.at);
        }
    }
}

/// What the blows of each by himself are worth: at anybody near, and at those whom he reaches from where he stands.
fn single(mind: &Mind<'_, '_>, group: &Group, near: &[FigureId]) -> (i64, i64) {
    let (mut anywhere, mut here) = (0, 0);
    for id in &group.members {
        let blow = |reached: bool| {
            let targets = near
                .iter()
                .filter(|foe| !reached || melee::reach(mind.scene(), *id, **foe).is_ok());
            targets.map(|foe| worth::attack(mind, *id, None, *foe)).max()
        };
        anywhere += blow(false).unwrap_or(0).max(0);
        here += blow(true).unwrap_or(0).max(0);
    }
    (anywhere, here)
}

/// What the blows of a phalanx are worth, man by man, from where it stands.
fn stand(mind: &Mind<'_, '_>, group: &Group, near: &[FigureId]) -> i64 {
    let blow = |id: &FigureId| {
        let reached = near.iter().filter(|foe| {
            melee::reach(mind.scene(), *id, **foe).is_ok() && phalanx::may_strike(mind.scene(), *id, **foe).is_ok()
        });
        reached.map(|foe| worth::attack(mind, *id, None, *foe)).max()
    };
    group.members.iter().map(|id| blow(id).unwrap_or(0).max(0)).sum()
}

/// What a weight blow at a field is worth: nobody of the phalanx can fall in it, but everybody there may, friend or foe.
fn weight(mind: &Mind<'_, '_>, leader: FigureId, target: Cell) -> i64 {
    let (scene, position) = (mind.scene(), mind.position());
    let strike = Fighter {
        points: phalanx::blow_points(scene, leader, target),
        kill: Kill::From(mind.tables().phalanx.weight_blow_kill_from),
    };
    let mut sum = 0;
    for id in phalanx::struck(scene, leader, target) {
        let Some(figure) = position.figure(id) else { continue };
        let withstand = Fighter {
            points: melee::points(scene, id, leader, false),
            kill: Kill::Never,
        };
        let falls = i64::from(odds::duel(strike, withstand).kill) * worth::figure(mind.tables(), figure);
        let falls = falls / i64::from(odds::DUELS);
        sum += if position.allied(mind.player, figure.owner) {
            -falls
        } else {
            falls
        };
    }
    sum
}

/// Strikes with the weight of every phalanx that has stepped ahead, where that is worth more than the blows of its men.
pub(super) fn strike(mind: &mut Mind<'_, '_>) {
    let ready: Vec<(FigureId, Cell)> = {
        let position = mind.position();
        let leads = position.present().filter(|(id, figure)| {
            figure.phalanx == Some(*id) && figure.possessor == mind.player && figure.straight > 0
        });
        leads
            .filter_map(|(id, figure)| Some((id, position.board.neighbour(position.cell_of(id)?, figure.facing?)?)))
            .collect()
    };
    for (leader, target) in ready {
        let deed = Deed::Fight(Fight::WeightBlow {
            phalanx: leader,
            target,
        });
        if !strike::is_fresh(mind, target) || !mind.may(&deed) || weight(mind, leader, target) <= 0 {
            continue;
        }
        let group: Vec<FigureId> = {
            let members = mind
                .position()
                .present()
                .filter(|(_, figure)| figure.phalanx == Some(leader));
            members.map(|(id, _)| id).collect()
        };
        let foes = strike::all_at(mind, target);
        let men = Group {
            members: group,
            at: mind.position().spot_of(leader).unwrap_or_default(),
            formed: true,
        };
        if weight(mind, leader, target) >= stand(mind, &men, &foes) && mind.act(&deed) {
            strike::strikes(mind, foes);
        }
    }
}
