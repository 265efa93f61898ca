//! Scrimmage (*Handgemenge*; ARM-0.4.54 to 0.4.59, ARM-GAP-40): a melee of all warriors in one place, until it holds no more than it offers.
//!
//! It is fought at once, during the movement, and is nobody's act (ARM-0.4.56).

use crate::battle::Battle;
use crate::event::FieldHappening;
use crate::kinds::{Family, Fate, Kind, Spell};
use crate::overcrowding::{self, Crowding};
use crate::room::{self, Room};
use crate::rule;
use crate::state::{Figure, FigureId};
use crate::survival;
use kernel::realm::RealmId;
use kernel::rule::RuleId;

/// Fights until the room holds no more than it offers. `begins` strikes first; then the others in the order of turns (ARM-0.4.58, 0.4.59).
pub fn fight(battle: &mut Battle<'_>, room: Room, cause: Crowding, begins: RealmId) {
    let players = overcrowding::present_players(battle, room, begins);
    let fighters = |battle: &Battle<'_>, player: RealmId| -> Vec<FigureId> {
        let mut list: Vec<(i64, FigureId)> = room::users(&battle.position, room)
            .filter(|(_, figure)| figure.owner == player && figure.kind.is_warrior() && figure.is_able())
            .map(|(id, _)| (-defence(battle, id, None), id))
            .collect();
        // The strongest first.
        list.sort_unstable();
        list.into_iter().map(|(_, id)| id).collect()
    };
    let sides: Vec<RealmId> = players
        .iter()
        .copied()
        .filter(|player| !fighters(battle, *player).is_empty())
        .collect();
    let hostile = sides
        .iter()
        .any(|one| sides.iter().any(|other| battle.position.hostile(*one, *other)));
    if !hostile {
        let alone = [rule::R0_4_57, rule::GAP_39];
        let gives_way = gives_way(battle, &players, cause, begins);
        overcrowding::shares(battle, room, &gives_way, &alone, false);
        return;
    }
    let rules = vec![rule::R0_4_55, rule::R0_4_56, rule::R0_4_58, rule::GAP_40];
    battle.emit(rules, &[], FieldHappening::ScrimmageBegan { room, begins });
    let mut exchanges = 0;
    let mut struck = true;
    while struck {
        struck = false;
        for player in &players {
            for attacker in fighters(battle, *player) {
                if !overcrowding::is_crowded(battle, room) {
                    return;
                }
                if exchanges >= battle.tables.crowd.exchanges_max {
                    let gives_way = gives_way(battle, &players, cause, begins);
                    overcrowding::shares(battle, room, &gives_way, &[rule::GAP_40, rule::GAP_39], false);
                    return;
                }
                let still = |(id, _): &(FigureId, &Figure)| *id == attacker;
                if room::users(&battle.position, room).find(still).is_none() {
                    continue;
                }
                let Some(target) = easiest(battle, room, attacker) else {
                    continue;
                };
                exchanges += 1;
                struck = true;
                strike(battle, attacker, target, players.len());
            }
        }
    }
    let gives_way = gives_way(battle, &players, cause, begins);
    overcrowding::shares(battle, room, &gives_way, &[rule::GAP_40, rule::GAP_39], false);
}

/// ARM-GAP-40: who came last removes figures when fighting has not ended it.
fn gives_way(battle: &Battle<'_>, players: &[RealmId], cause: Crowding, begins: RealmId) -> Vec<RealmId> {
    let intrudes = |player: &RealmId| {
        let of_side = battle.position.allied(begins, *player);
        match cause {
            Crowding::ElephantDied | Crowding::Rammed => of_side,
            _ => !of_side,
        }
    };
    let list: Vec<RealmId> = players.iter().copied().filter(intrudes).collect();
    if list.is_empty() { players.to_vec() } else { list }
}

/// The enemy whom an attacker kills most likely: the one with the fewest good points, then the lowest number.
fn easiest(battle: &Battle<'_>, room: Room, attacker: FigureId) -> Option<FigureId> {
    let owner = battle.position.figure(attacker)?.owner;
    room::users(&battle.position, room)
        .filter(|(_, figure)| battle.position.hostile(owner, figure.owner) && can_be_hurt(figure))
        .map(|(id, _)| (defence(battle, id, Some(attacker)), id))
        .min()
        .map(|(_, id)| id)
}

fn strike(battle: &mut Battle<'_>, attacker: FigureId, target: FigureId, players: usize) {
    let points = defence(battle, attacker, Some(target)) + battle.tables.crowd.scrimmage_attack;
    let mut rules = vec![rule::R0_4_55, rule::GAP_40];
    if players > 2 {
        rules.push(rule::R0_4_59);
    }
    exchange(
        battle,
        rule::GAP_40,
        ("strikes", "answers"),
        (attacker, points),
        target,
        Fate::Killed,
        rules,
    );
}

/// Whether a figure is a target at all.
pub(crate) fn can_be_hurt(figure: &Figure) -> bool {
    let family = figure.kind.family();
    let living = matches!(
        family,
        Family::Warrior | Family::Person | Family::Horse | Family::Team | Family::Elephant
    );
    living && !figure.under(Spell::Petrify)
}

/// The good points with which a figure defends itself in a crowd (ARM-GAP-03): its own, and those of its mount.
pub(crate) fn defence(battle: &Battle<'_>, id: FigureId, _against: Option<FigureId>) -> i64 {
    let Some(figure) = battle.position.figure(id) else {
        return 0;
    };
    if !figure.is_able() {
        return 0;
    }
    battle.tables.figure(figure.kind).melee
}

/// The natural sum from which a figure kills; none if it cannot (ARM-GAP-04).
pub(crate) fn kills_from(battle: &Battle<'_>, id: FigureId) -> Option<i64> {
    let figure = battle.position.figure(id)?;
    if !figure.is_able() {
        return None;
    }
    match figure.kind.family() {
        Family::Warrior if figure.kind == Kind::King => Some(battle.tables.melee.king_kills_from),
        Family::Warrior | Family::Person | Family::Creature => Some(battle.tables.melee.kill_from),
        // Only an elephant with somebody on it strikes back.
        Family::Elephant if battle.position.aboard(id).next().is_some() => Some(battle.tables.melee.kill_from),
        _ => None,
    }
}

/// One exchange (ARM-GAP-04): both throw; who reaches his number and the higher total kills. Tells who fell.
pub(crate) fn exchange(
    battle: &mut Battle<'_>,
    rule: RuleId,
    (verb, answer_verb): (&str, &str),
    (attacker, points): (FigureId, i64),
    defender: FigureId,
    fate: Fate,
    rules: Vec<RuleId>,
) -> Option<FigureId> {
    let name = |id: FigureId| battle.position.name(id);
    let owner = |id: FigureId| {
        battle
            .position
            .figure(id)
            .map_or(RealmId::NOBODY, |figure| figure.owner)
    };
    let (one, other) = (name(attacker), name(defender));
    let (mine, theirs) = (owner(attacker), owner(defender));
    let defence = defence(battle, defender, Some(attacker));
    let own_number = match battle.position.figure(attacker).map(|figure| figure.kind.family()) {
        // An animal that tramples kills like any fighter.
        Some(Family::Team | Family::Elephant) => Some(battle.tables.melee.kill_from),
        _ => kills_from(battle, attacker),
    };
    let other_number = kills_from(battle, defender);
    let (throw, dice) = battle.throw_for(rule, attacker, format_args!("{mine} {one} {verb} {other}"));
    let (answer, more) = battle.throw_for(rule, defender, format_args!("{theirs} {other} {answer_verb} {one}"));
    let (total, reply) = (throw.natural() + points, answer.natural() + defence);
    let kills = |number: Option<i64>, natural: i64| number.is_some_and(|number| natural >= number);
    let fallen = if kills(own_number, throw.natural()) && total > reply {
        Some(defender)
    } else if kills(other_number, answer.natural()) && reply > total {
        Some(attacker)
    } else {
        None
    };
    let all: Vec<_> = dice.into_iter().chain(more).collect();
    let happening = FieldHappening::Exchanged {
        attacker,
        throw,
        points,
        defender,
        answer,
        defence,
        fallen,
    };
    let mut told = rules;
    told.push(rule::GAP_04);
    battle.emit(told, &all, happening);
    if let Some(fallen) = fallen {
        survival::fall(battle, fallen, fate, vec![rule], &[]);
    }
    fallen
}
