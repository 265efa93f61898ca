//! Scrimmage (*Handgemenge*; ARM-0.4.54 to 0.4.59, ARM-GAP-40): a melee of all warriors in one place, until it holds no more than it offers.
//!
//! It is fought at once, during the movement, and is nobody's act (ARM-0.4.56).

use crate::battle::{Battle, Scene};
use crate::event::FieldHappening;
use crate::kinds::{Family, Fate, Spell};
use crate::loss;
use crate::melee;
use crate::odds::{self, Fighter, Kill};
use crate::overcrowding::{self, Crowding};
use crate::room::{self, Room};
use crate::rule;
use crate::state::{Figure, FigureId};
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use std::cmp::Reverse;

/// Fights until the room holds no more than it offers. `begins` strikes first; then the others in the order of turns (ARM-0.4.58, 0.4.59).
pub fn fight(battle: &mut Battle<'_>, room: Room, cause: Crowding, begins: RealmId) {
    let players = overcrowding::present_players(battle, room, begins);
    let strikers = |battle: &Battle<'_>, player: RealmId| -> Vec<FigureId> {
        let mut list: Vec<(i64, FigureId)> = room::users(&battle.position, room)
            .filter(|(_, figure)| figure.owner == player && figure.kind.is_warrior() && figure.is_able())
            .map(|(id, _)| (-defence(battle.scene(player), id, None), id))
            .collect();
        // The strongest first.
        list.sort_unstable();
        list.into_iter().map(|(_, id)| id).collect()
    };
    let sides: Vec<RealmId> = players
        .iter()
        .copied()
        .filter(|player| !strikers(battle, *player).is_empty())
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
            for attacker in strikers(battle, *player) {
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

/// ARM-GAP-40: who came last removes figures when fighting has not ended it: the side that did, among allies the player.
fn gives_way(battle: &Battle<'_>, players: &[RealmId], cause: Crowding, begins: RealmId) -> Vec<RealmId> {
    let came = matches!(cause, Crowding::ElephantDied | Crowding::Rammed);
    let of_side = |player: &RealmId| battle.position.allied(begins, *player) == came;
    let himself = |player: &RealmId| (*player == begins) == came;
    let enemies = players.iter().any(|player| !battle.position.allied(begins, *player));
    let intrudes = |player: &RealmId| if enemies { of_side(player) } else { himself(player) };
    let list: Vec<RealmId> = players.iter().copied().filter(intrudes).collect();
    if list.is_empty() { players.to_vec() } else { list }
}

/// The enemy whom an attacker kills most likely, then the one with the lowest number; nobody chooses whom he does not see (ARM-GAP-32).
fn easiest(battle: &Battle<'_>, room: Room, attacker: FigureId) -> Option<FigureId> {
    let owner = battle.position.figure(attacker)?.owner;
    room::users(&battle.position, room)
        .filter(|(_, figure)| {
            battle.position.hostile(owner, figure.owner) && can_be_hurt(figure) && !figure.under(Spell::MakeInvisible)
        })
        .map(|(id, _)| {
            let scene = battle.scene(owner);
            let (one, other) = fighters(scene, attacker, attack(battle, attacker, id), id);
            (Reverse(odds::duel(one, other).kill), id)
        })
        .min()
        .map(|(_, id)| id)
}

fn strike(battle: &mut Battle<'_>, attacker: FigureId, target: FigureId, players: usize) {
    let points = attack(battle, attacker, target);
    let mut rules = vec![rule::R0_4_55, rule::GAP_40];
    if melee::reveal(battle, attacker) {
        rules.push(rule::GAP_32);
    }
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
    let living = figure.mortal
        || matches!(
            family,
            Family::Warrior | Family::Person | Family::Horse | Family::Team | Family::Elephant
        );
    living && !figure.under(Spell::Petrify)
}

/// The good points with which a figure defends itself against another; without one, how strong it is by itself.
pub(crate) fn defence(scene: Scene<'_>, id: FigureId, against: Option<FigureId>) -> i64 {
    melee::points(scene, id, against.unwrap_or(id), false)
}

/// ARM-GAP-40: in a scrimmage everybody attacks with the same two points, archers too.
fn attack(battle: &Battle<'_>, id: FigureId, target: FigureId) -> i64 {
    let scene = battle.scene(RealmId::NOBODY);
    let Some(figure) = battle.position.figure(id) else {
        return 0;
    };
    let points = melee::points(scene, id, target, true) - melee::attack(scene, figure);
    if melee::takes_slaves(scene, figure.owner) {
        return points;
    }
    points + battle.tables.crowd.scrimmage_attack
}

/// Both sides of an exchange.
pub(crate) fn fighters(scene: Scene<'_>, attacker: FigureId, points: i64, defender: FigureId) -> (Fighter, Fighter) {
    let animal = scene
        .position
        .figure(attacker)
        .is_some_and(|figure| figure.kind.family().is_animal());
    let kill = match melee::kill(scene, attacker, defender) {
        // An animal that tramples kills like any fighter, whether it is driven or draws.
        Kill::Never if animal => Kill::From(scene.tables.melee.kill_from),
        kill => kill,
    };
    let one = Fighter { points, kill };
    let other = Fighter {
        points: defence(scene, defender, Some(attacker)),
        kill: melee::kill(scene, defender, attacker),
    };
    (one, other)
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
    let (one_side, other_side) = fighters(battle.scene(mine), attacker, points, defender);
    let defence = other_side.points;
    let (throw, dice) = battle.throw_for(rule, attacker, format_args!("{mine} {one} {verb} {other}"));
    let (answer, more) = battle.throw_for(rule, defender, format_args!("{theirs} {other} {answer_verb} {one}"));
    let won = odds::outcome(one_side, throw.natural(), other_side, answer.natural());
    let fallen = won.map(|won| if won { defender } else { attacker });
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
        return Some(loss::strike(battle, fallen, fate, &[rule]));
    }
    None
}
