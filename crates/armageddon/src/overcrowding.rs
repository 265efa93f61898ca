//! Overcrowding (*Überbesetzung*) and its resolution by cause (ARM-0.4.50 to 0.4.54, ARM-GAP-09, ARM-GAP-39).

use crate::battle::Battle;
use crate::board::Spot;
use crate::event::FieldHappening;
use crate::kinds::{Family, Fate, Kind, Part};
use crate::room::{self, Room};
use crate::rule;
use crate::state::{Figure, FigureId, Place, Position};
use crate::tables::Tables;
use crate::tables::rulings::Removable;
use crate::{scrimmage, survival, trampling};
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use serde::{Deserialize, Serialize};

/// Why a place holds more than it offers (ARM-0.4.50).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Crowding {
    /// A deployment error or a breach of the rules of stay: its player removes.
    Deployment,
    /// An animal or team tramples.
    Trampling,
    /// Somebody climbed a wagon after being run over.
    WagonClimbed,
    /// An elephant died.
    ElephantDied,
    /// A ship rammed.
    Rammed,
    /// Drifting warriors met.
    Drifted,
    /// Somebody climbed a raft or ship after being run over.
    RaftClimbed,
    /// A foundation was destroyed, or a building or device fell.
    Collapsed,
}

impl Crowding {
    /// Its name in facts and wording.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Deployment => "deployment",
            Self::Trampling => "trampling",
            Self::WagonClimbed => "wagon-climbed",
            Self::ElephantDied => "elephant-died",
            Self::Rammed => "rammed",
            Self::Drifted => "drifted",
            Self::RaftClimbed => "raft-climbed",
            Self::Collapsed => "collapsed",
        }
    }
}

/// Ends an overcrowding as its cause demands; nothing happens where there is none. `begins` is who begins a scrimmage, who tramples, or whose
/// building fell.
pub fn resolve(battle: &mut Battle<'_>, room: Room, cause: Crowding, begins: RealmId) {
    if !is_crowded(battle, room) {
        return;
    }
    let rules: &[RuleId] = match cause {
        Crowding::Deployment => &[rule::R0_4_50, rule::R0_4_51],
        Crowding::Trampling => &[rule::R0_4_50, rule::R0_4_52],
        Crowding::Collapsed => &[rule::R0_4_50, rule::GAP_09],
        _ => &[rule::R0_4_50, rule::R0_4_54],
    };
    battle.emit(rules.to_vec(), &[], FieldHappening::Crowded { room, cause });
    match cause {
        Crowding::Deployment => {
            let players = present_players(battle, room, begins);
            shares(battle, room, &players, &[rule::R0_4_51, rule::GAP_39], true);
        }
        Crowding::Trampling => shares(battle, room, &[begins], &[rule::R0_4_52, rule::GAP_39], false),
        Crowding::Collapsed => {
            let players = present_players(battle, room, begins);
            shares(battle, room, &players, &[rule::GAP_09, rule::GAP_39], false);
        }
        Crowding::ElephantDied if trampling::goes_on(battle, room, begins) => {}
        _ => scrimmage::fight(battle, room, cause, begins),
    }
}

/// Whether a room holds more than it offers.
pub fn is_crowded(battle: &Battle<'_>, room: Room) -> bool {
    room::free(battle.tables, &battle.position, room) < 0
}

/// The players with figures in a room, in the order of turns, beginning with one of them.
pub fn present_players(battle: &Battle<'_>, room: Room, first: RealmId) -> Vec<RealmId> {
    let order = &battle.position.order;
    let at = order.iter().position(|player| *player == first).unwrap_or(0);
    let there = |player: RealmId| room::users(&battle.position, room).any(|(_, figure)| figure.owner == player);
    let mut players: Vec<RealmId> = order[at..].iter().chain(&order[..at]).copied().collect();
    // Figures of nobody go last.
    players.push(RealmId::NOBODY);
    players.retain(|player| there(*player));
    players
}

/// ARM-0.4.51, ARM-0.4.52, ARM-0.4.57, ARM-GAP-09: the players remove figures of theirs, one after another, until the overcrowding is
/// ended; when they have none left, whoever is there goes.
pub fn shares(battle: &mut Battle<'_>, room: Room, players: &[RealmId], rules: &[RuleId], at_deployment: bool) {
    let everybody = present_players(battle, room, RealmId::NOBODY);
    for players in [players, &everybody] {
        let mut removed = true;
        while removed && is_crowded(battle, room) {
            removed = false;
            for player in players {
                if is_crowded(battle, room) && remove_one(battle, room, *player, rules, at_deployment) {
                    removed = true;
                }
            }
        }
    }
}

/// ARM-GAP-39: the figure that a player gives up first: as he instructed, else by class, then the cheapest, then the lowest number.
fn remove_one(battle: &mut Battle<'_>, room: Room, player: RealmId, rules: &[RuleId], at_deployment: bool) -> bool {
    let wishes = battle
        .secrets
        .get(&player)
        .map(|secret| secret.standing.sacrifice.clone())
        .unwrap_or_default();
    let key = |id: FigureId, figure: &Figure| {
        let wish = wishes
            .iter()
            .position(|kind| *kind == figure.kind)
            .unwrap_or(usize::MAX);
        let rank = if at_deployment {
            deployment_rank(battle, figure)
        } else {
            battle_rank(battle, figure)
        };
        let price = battle.tables.figure(figure.kind).price;
        (wish, rank, price, figure.number, id)
    };
    let chosen = room::users(&battle.position, room)
        .filter(|(_, figure)| figure.owner == player && takes_room(battle, figure))
        .map(|(id, figure)| key(id, figure))
        .min();
    let Some((.., id)) = chosen else { return false };
    survival::fall(battle, id, Fate::Removed, rules.to_vec(), &[]);
    true
}

fn takes_room(battle: &Battle<'_>, figure: &Figure) -> bool {
    room::consumption(battle.tables, figure) > 0
}

fn deployment_rank(battle: &Battle<'_>, figure: &Figure) -> usize {
    let family = figure.kind.family();
    let class = if family.is_device() {
        Removable::Device
    } else if family.is_animal() {
        Removable::Animal
    } else {
        Removable::Warrior
    };
    let order = &battle.tables.crowd.at_deployment;
    order.iter().position(|one| *one == class).unwrap_or(order.len())
}

fn battle_rank(battle: &Battle<'_>, figure: &Figure) -> usize {
    let order = &battle.tables.crowd.in_battle;
    let family = figure.kind.family();
    order.iter().position(|one| *one == family).unwrap_or(order.len())
}

/// ARM-0.4.51, when the first round begins: figures where they may not stay go, then what crowds a place.
pub fn deploy(battle: &mut Battle<'_>) {
    let misplaced: Vec<FigureId> = battle
        .position
        .present()
        .filter(|(id, figure)| is_misplaced(battle.tables, &battle.position, *id, figure))
        .map(|(id, _)| id)
        .collect();
    for id in misplaced {
        survival::fall(battle, id, Fate::Removed, vec![rule::R0_4_51, rule::R0_4_42], &[]);
    }
    let first = battle.position.order.first().copied().unwrap_or(RealmId::NOBODY);
    for room in room::crowded(battle.tables, &battle.position) {
        resolve(battle, room, Crowding::Deployment, first);
    }
}

/// Whether a figure stands where its kind may not stay (ARM-0.4.42).
pub fn is_misplaced(tables: &Tables, position: &Position, id: FigureId, figure: &Figure) -> bool {
    let fits = |cell| {
        position.board.ground(cell).is_some_and(|ground| {
            let built = ground.building.is_some() || ground.stream_bridge.is_some();
            let afloat = figure.kind.family() == Family::Ship;
            (built && !afloat) || room::may_stay(tables, figure.kind, ground.terrain).is_ok()
        })
    };
    match figure.place {
        Place::At(_) if figure.kind == Kind::Wizard && !figure.mortal => false,
        // No animal climbs stairs.
        Place::At(Spot { level: 1.., .. }) if figure.kind.family().is_animal() => true,
        Place::At(Spot { cell, .. }) => {
            let two_fields = matches!(figure.kind, Kind::Longship | Kind::SailingShip);
            !fits(cell) || (two_fields && !position.stern(id).is_some_and(fits))
        }
        // Only sailing ships carry what fills a field.
        Place::On(ship, Part::Bow | Part::Stern) => {
            let carrier = position.figure(ship).map(|ship| ship.kind);
            tables.figure(figure.kind).fills && carrier != Some(Kind::SailingShip)
        }
        _ => false,
    }
}
