//! Majority (*Majorität*) and control (*Kontrolle*): determined anew whenever they are asked for (ARM-0.2.9).
//!
//! The questions of single objects (who drives, who may take) stand in `control.rs`; this file only counts.

use crate::board::Cell;
use crate::state::{Figure, FigureId, Place, Position};
use crate::tables::Tables;
use kernel::realm::RealmId;
use std::collections::BTreeMap;

/// Who has the majority among some figures (ARM-0.4.35, ARM-0.4.36, ARM-GAP-47): the side with the most able warriors, and of its players
/// the one whom the others let go first, else the one with the most; a tie within the side goes to `owner` if he is one of them. Nobody
/// if two sides are equal (ARM-0.4.37).
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
    // Who leaves it to an ally who is there too takes no part, unless all of them do.
    let yields = |player: RealmId| {
        let to = position.players.get(&player).and_then(|found| found.yields_to);
        to.is_some_and(|to| heads.contains_key(&to) && side(tables, position, to) == *winner)
    };
    let agreed = of_side().any(|(player, _)| !yields(*player));
    let claims = || of_side().filter(|(player, _)| !agreed || !yields(**player));
    let best = claims().map(|(_, count)| *count).max()?;
    let mut first = claims().filter(|(_, count)| **count == best).map(|(player, _)| *player);
    let one = first.next()?;
    match first.next() {
        None => Some(one),
        Some(_) => owner.filter(|owner| {
            let claims = claims().any(|(player, count)| player == owner && *count == best);
            tables.possession.tie_goes_to_owner && claims
        }),
    }
}

/// The side of a player; each player for himself if allies do not add up, or if he is on none.
fn side(tables: &Tables, position: &Position, player: RealmId) -> u16 {
    match position.players.get(&player) {
        Some(found) if tables.possession.allies_add_up => u16::from(found.side),
        _ => 0x100 | player.0,
    }
}

/// Who has the majority on a field, whatever carries those who are there; swimmers are not on it.
pub fn on_cell(tables: &Tables, position: &Position, cell: Cell, owner: Option<RealmId>) -> Option<RealmId> {
    let there = position
        .present()
        .filter(|(id, figure)| !matches!(figure.place, Place::Swimming(_)) && position.cell_of(*id) == Some(cell));
    among(tables, position, there.map(|(_, figure)| figure), owner)
}

/// Who has the majority on or in a figure: a ship, a wagon, a siege tower.
pub fn aboard(tables: &Tables, position: &Position, carrier: FigureId) -> Option<RealmId> {
    let owner = position.figure(carrier).map(|figure| figure.owner);
    let there = position.crew(carrier).map(|(_, figure)| figure);
    among(tables, position, there, owner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Spot;
    use crate::kinds::{Class, Kind, Weapon};
    use crate::state::Player;

    const LANCE: Kind = Kind::Warrior(Weapon::Lance, Class::B);

    /// Players 1 and 2 are allies, 3 is alone.
    fn position() -> Position {
        let mut position = Position::default();
        for (id, side) in [(1, 1), (2, 1), (3, 2)] {
            let player = Player {
                side,
                ..Player::default()
            };
            position.players.insert(RealmId(id), player);
        }
        position
    }

    fn decided(position: &Position, heads: [u16; 3], owner: Option<RealmId>) -> Option<RealmId> {
        let tables = Tables::book().expect("the book");
        let mut figures = Vec::new();
        for (player, count) in (1u16..).zip(heads) {
            for _ in 0..count {
                figures.push(Figure::new(LANCE, 1, RealmId(player), Place::At(Spot::default())));
            }
        }
        among(&tables, position, figures.iter(), owner)
    }

    #[test]
    fn the_most_warriors_decide_and_allies_add_up() {
        let position = position();
        assert_eq!(decided(&position, [2, 0, 1], None), Some(RealmId(1)));
        assert_eq!(decided(&position, [1, 0, 1], None), None);
        assert_eq!(decided(&position, [1, 0, 2], None), Some(RealmId(3)));
        assert_eq!(decided(&position, [2, 1, 2], None), Some(RealmId(1)));
        assert_eq!(decided(&position, [0, 0, 0], None), None);
    }

    #[test]
    fn equal_allies_leave_it_to_the_owner_or_to_nobody() {
        let position = position();
        assert_eq!(decided(&position, [1, 1, 1], None), None);
        assert_eq!(decided(&position, [1, 1, 1], Some(RealmId(2))), Some(RealmId(2)));
        assert_eq!(decided(&position, [1, 1, 1], Some(RealmId(3))), None);
    }

    #[test]
    fn who_leaves_it_to_an_ally_who_is_there_takes_no_part() {
        let mut position = position();
        let leave = |position: &mut Position, from: u16, to: u16| {
            position.players.get_mut(&RealmId(from)).expect("a player").yields_to = Some(RealmId(to));
        };
        leave(&mut position, 1, 2);
        assert_eq!(decided(&position, [3, 1, 1], None), Some(RealmId(2)));
        assert_eq!(decided(&position, [3, 0, 1], None), Some(RealmId(1)));
        leave(&mut position, 2, 1);
        assert_eq!(decided(&position, [3, 1, 1], None), Some(RealmId(1)));
    }
}
