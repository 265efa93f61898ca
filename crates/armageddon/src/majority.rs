//! Majority (*Majorität*) and control (*Kontrolle*): determined anew whenever they are asked for (ARM-0.2.9).
//!
//! Chapter of part A: the questions of single objects (who drives, who may take) stand in `control.rs`; this file only counts.

use crate::board::Cell;
use crate::state::{Figure, FigureId, Position};
use crate::tables::Tables;
use kernel::realm::RealmId;
use std::collections::BTreeMap;

/// Who has the majority among some figures (ARM-0.4.35, ARM-0.4.36, ARM-GAP-47): the side with the most able warriors, and of its players
/// the one with the most; a tie within the side goes to `owner` if he is one of them. Nobody if two sides are equal (ARM-0.4.37).
pub fn among<'a>(
    tables: &Tables,
    position: &Position,
    figures: impl Iterator<Item = &'a Figure>,
    owner: Option<RealmId>,
) -> Option<RealmId> {
    let mut heads: BTreeMap<RealmId, u32> = BTreeMap::new();
    for figure in figures.filter(|figure| figure.kind.is_warrior() && figure.is_able()) {
        *heads.entry(figure.owner).or_default() += 1;
    }
    let mut sides: BTreeMap<u16, u32> = BTreeMap::new();
    for (player, count) in &heads {
        *sides.entry(side(tables, position, *player)).or_default() += count;
    }
    let most = sides.values().copied().max()?;
    let mut leading = sides.iter().filter(|(_, count)| **count == most);
    let (winner, _) = leading.next()?;
    if leading.next().is_some() {
        return None;
    }
    let of_side = || {
        heads
            .iter()
            .filter(|(player, _)| side(tables, position, **player) == *winner)
    };
    let best = of_side().map(|(_, count)| *count).max()?;
    let mut first = of_side()
        .filter(|(_, count)| **count == best)
        .map(|(player, _)| *player);
    let one = first.next()?;
    match first.next() {
        None => Some(one),
        Some(_) => owner.filter(|owner| tables.possession.tie_goes_to_owner && heads.get(owner) == Some(&best)),
    }
}

/// The side of a player; each player for himself if allies do not add up, or if he is on none.
fn side(tables: &Tables, position: &Position, player: RealmId) -> u16 {
    match position.players.get(&player) {
        Some(found) if tables.possession.allies_add_up => u16::from(found.side),
        _ => 0x100 | player.0,
    }
}

/// Who has the majority on the ground of a field, those aboard something there not counted.
pub fn on_cell(tables: &Tables, position: &Position, cell: Cell, owner: Option<RealmId>) -> Option<RealmId> {
    let there = position.present().filter(|(id, _)| position.cell_of(*id) == Some(cell));
    among(tables, position, there.map(|(_, figure)| figure), owner)
}

/// Who has the majority on or in a figure: a ship, a wagon, a siege tower.
pub fn aboard(tables: &Tables, position: &Position, carrier: FigureId) -> Option<RealmId> {
    let owner = position.figure(carrier).map(|figure| figure.owner);
    let there = position.aboard(carrier).map(|(_, figure)| figure);
    among(tables, position, there, owner)
}
