//! Victory (ARM-GAP-44): the last side with warriors; at the round limit the most valuable trade centres, then the survivors.

use crate::battle::Battle;
use crate::event::TurnHappening;
use crate::kinds::Flight;
use crate::rule;
use crate::state::{Clock, Position, Victory};
use crate::tables::Tables;
use crate::tables::rulings::AtLimit;
use std::collections::{BTreeMap, BTreeSet};

/// At the end of a round: whether the battle is over.
pub fn decide(battle: &mut Battle<'_>) {
    let Some(victory) = verdict(battle.tables, &battle.position) else {
        return;
    };
    let (side, suspended) = (victory.side, victory.suspended);
    battle.position.outcome = Some(victory);
    if suspended {
        battle.emit(&[rule::KAL_16_2_0_4][..], &[], TurnHappening::BattleSuspended);
    } else {
        battle.emit(&[rule::GAP_44][..], &[], TurnHappening::BattleEnded { side });
    }
}

/// How the battle ends if it ends now.
pub fn verdict(tables: &Tables, position: &Position) -> Option<Victory> {
    let armed: BTreeSet<u8> = position
        .present()
        .filter(|(_, figure)| figure.kind.is_warrior())
        .filter_map(|(_, figure)| position.players.get(&figure.owner))
        .map(|player| player.side)
        .collect();
    if armed.len() <= 1 {
        return Some(Victory {
            side: armed.first().copied(),
            suspended: false,
        });
    }
    if i64::from(position.clock.round) < tables.sequence.round_limit {
        return None;
    }
    Some(match tables.victory.at_limit {
        AtLimit::Count => Victory {
            side: at_the_limit(tables, position),
            suspended: false,
        },
        AtLimit::Suspend => Victory {
            side: None,
            suspended: true,
        },
    })
}

/// KAL-16.2.0.4: a battle that was broken off goes on with a first round. Where everybody stands, what is hurt, besieged and razed stays; what was done in a
/// round that had the same number is forgotten.
pub fn resume(position: &mut Position) {
    position.outcome = None;
    position.clock = Clock {
        step: position.clock.step,
        ..Clock::default()
    };
    for player in position.players.values_mut() {
        player.duelled = 0;
        player.spells_cast = 0;
        player.strength = None;
        if player.flight == Flight::Begun {
            player.flight = Flight::Allowed;
        }
    }
    for figure in &mut position.figures {
        figure.moved = None;
        figure.charmed = 0;
    }
    for siege in position.sieges.values_mut() {
        siege.fed_in = 0;
    }
    for ground in &mut position.board.cells {
        ground.searched = 0;
        for wall in ground.walls.iter_mut().flatten() {
            (wall.moved, wall.moves) = (0, 0);
        }
        if let Some(building) = &mut ground.building {
            (building.moved, building.moves) = ([0; 6], [0; 6]);
            (building.poured, building.pours) = (0, 0);
        }
    }
}

/// The side that is ahead: which would win if the last round ended now.
pub fn at_the_limit(tables: &Tables, position: &Position) -> Option<u8> {
    best(centres(tables, position)).or_else(|| best(survivors(tables, position)))
}

fn side_of(position: &Position, player: kernel::realm::RealmId) -> Option<u8> {
    position.players.get(&player).map(|player| player.side)
}

/// A side without a trade centre has nothing, which is as much as a fortress is worth.
fn centres(tables: &Tables, position: &Position) -> BTreeMap<u8, i64> {
    let mut sums: BTreeMap<u8, i64> = position.players.values().map(|player| (player.side, 0)).collect();
    for centre in position.centres.values() {
        if let Some(side) = side_of(position, centre.possessor) {
            let value = tables.victory.centre_value.get(&centre.kind).copied().unwrap_or(0);
            *sums.entry(side).or_default() += value;
        }
    }
    sums
}

fn survivors(tables: &Tables, position: &Position) -> BTreeMap<u8, i64> {
    let mut sums = BTreeMap::new();
    for (_, figure) in position.present() {
        if let Some(side) = side_of(position, figure.owner) {
            *sums.entry(side).or_default() += tables.figure(figure.kind).price;
        }
    }
    sums
}

/// The one with the highest sum; nobody if two share it.
fn best(sums: BTreeMap<u8, i64>) -> Option<u8> {
    let most = sums.values().copied().max()?;
    let mut first = sums.iter().filter(|(_, sum)| **sum == most);
    let (side, _) = first.next()?;
    first.next().is_none().then_some(*side)
}
