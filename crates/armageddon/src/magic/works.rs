//! Spells on gates and rivers (ARM-0.4.70, ARM-0.4.79, ARM-0.4.81, ARM-GAP-32).

use crate::battle::{Battle, Scene};
use crate::board::{Board, Cell, Spot};
use crate::deed::Refusal;
use crate::deed::fight::Side;
use crate::deed::magic::Aim;
use crate::event::MagicHappening;
use crate::kinds::{BuildingKind, Fitting, Spell};
use crate::rule;
use crate::state::Enchantment;
use crate::tables::Tables;
use kernel::hex::Direction;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use std::collections::BTreeSet;

/// The gates on some fields that a spell can move, with what each costs: those of walls stand inside their field (ARM-0.4.79), broken ones
/// stay open (ARM-GAP-14).
pub fn gates(tables: &Tables, board: &Board, on: &[Aim]) -> Vec<(Side, i64)> {
    let cells: BTreeSet<Cell> = on.iter().map(|aim| aim.cell).collect();
    let mut gates = Vec::new();
    for cell in cells {
        let Some(ground) = board.ground(cell) else { continue };
        for side in Direction::ALL {
            let outer = castle_extra(tables, board, cell, side);
            let gate = Side {
                at: Spot::ground(cell),
                side,
            };
            if movable(fitting(board, gate)) {
                let price = match &ground.building {
                    Some(building) => match building.kind {
                        BuildingKind::Tower | BuildingKind::TempleTower => tables.gate_price.tower,
                        BuildingKind::Keep | BuildingKind::GreatKeep => tables.gate_price.keep,
                    },
                    None => tables.gate_price.wall,
                };
                gates.push((gate, price + outer));
            }
        }
    }
    gates
}

fn movable(fitting: Option<Fitting>) -> bool {
    matches!(fitting, Some(Fitting::Open | Fitting::Closed))
}

/// What the side of a field has in it: of its building's ground storey, else of its wall.
fn fitting(board: &Board, gate: Side) -> Option<Fitting> {
    let ground = board.ground(gate.at.cell)?;
    match &ground.building {
        Some(building) => building.storeys.first()?.walls[gate.side.index()],
        None => ground.walls[gate.side.index()].map(|wall| wall.fitting),
    }
}

/// The fields of a castle: all that hang together and have a building, or a wall inside them.
pub fn castle(board: &Board, cell: Cell) -> BTreeSet<Cell> {
    let built = |cell: Cell| {
        board
            .ground(cell)
            .is_some_and(|ground| ground.building.is_some() || ground.walls.iter().any(Option::is_some))
    };
    let mut fields = BTreeSet::new();
    if !built(cell) {
        return fields;
    }
    let mut rim = vec![cell];
    while let Some(next) = rim.pop() {
        if fields.insert(next) {
            rim.extend(board.neighbours(next).map(|(_, cell)| cell).filter(|cell| built(*cell)));
        }
    }
    fields
}

/// More for an outer gate of a large castle.
fn castle_extra(tables: &Tables, board: &Board, cell: Cell, side: Direction) -> i64 {
    let fields = castle(board, cell);
    let large = i64::try_from(fields.len()).unwrap_or(i64::MAX) >= tables.gate_price.castle_fields_min;
    let outer = board
        .neighbour(cell, side)
        .is_none_or(|beyond| !fields.contains(&beyond));
    if large && outer {
        tables.gate_price.castle_extra
    } else {
        0
    }
}

/// Opens closed gates and closes open ones.
pub fn move_gates(battle: &mut Battle<'_>, gates: &[(Side, i64)]) {
    for (gate, _) in gates {
        let Some(now) = fitting(&battle.position.board, *gate) else {
            continue;
        };
        let open = !now.is_open();
        let then = if open { Fitting::Open } else { Fitting::Closed };
        let Some(ground) = battle.position.board.ground_mut(gate.at.cell) else {
            continue;
        };
        let side = gate.side.index();
        match &mut ground.building {
            Some(building) => {
                if let Some(storey) = building.storeys.first_mut() {
                    storey.walls[side] = Some(then);
                }
            }
            None => {
                if let Some(wall) = &mut ground.walls[side] {
                    wall.fitting = then;
                }
            }
        }
        let rules = &[rule::GAP_32, rule::R0_4_70, rule::R0_4_79][..];
        battle.emit(
            rules,
            &[],
            MagicHappening::GateMoved {
                gate: (*gate).into(),
                open,
            },
        );
    }
}

/// The rivers that some fields mean: of one field all that run along it, of several those that run between two of them.
///
/// # Errors
/// The refusal: no river, or one that is enchanted already (ARM-0.4.69, ARM-0.4.81).
pub fn rivers(scene: Scene<'_>, on: &[Aim]) -> Result<(Vec<u8>, Vec<RuleId>), Refusal> {
    let board = &scene.position.board;
    let cells: BTreeSet<Cell> = on.iter().map(|aim| aim.cell).collect();
    let mut rivers = BTreeSet::new();
    for cell in &cells {
        for side in Direction::ALL {
            let meant = cells.len() == 1 || board.neighbour(*cell, side).is_some_and(|other| cells.contains(&other));
            if let (true, Some(number)) = (meant, board.edge(*cell, side).river) {
                rivers.insert(number);
            }
        }
    }
    let Some(first) = on.first() else {
        return Err(Refusal::new("nothing-to-enchant", &[rule::R0_4_81][..]));
    };
    if rivers.is_empty() {
        return Err(Refusal::new("no-river", &[rule::R0_4_81][..]).with("field", board.name(first.cell)));
    }
    let enchanted = |number: &u8| {
        board
            .rivers
            .get(usize::from(*number))
            .is_some_and(|river| river.spell.is_some())
    };
    if rivers.iter().any(enchanted) {
        return Err(
            Refusal::new("river-enchanted", &[rule::R0_4_69, rule::R0_4_81][..]).with("field", board.name(first.cell))
        );
    }
    Ok((
        rivers.into_iter().collect(),
        vec![rule::GAP_32, rule::GAP_33, rule::R0_4_81],
    ))
}

/// Dries rivers up or floods them.
pub fn enchant_rivers(battle: &mut Battle<'_>, player: RealmId, spell: Spell, rivers: &[u8], at: Cell) {
    for number in rivers {
        if let Some(river) = battle.position.board.rivers.get_mut(usize::from(*number)) {
            river.spell = Some(Enchantment {
                spell,
                caster: player,
                toward: None,
            });
        }
        let happening = MagicHappening::RiverChanged { spell, at };
        battle.emit(&[rule::GAP_32, rule::R0_4_81][..], &[], happening);
    }
}
