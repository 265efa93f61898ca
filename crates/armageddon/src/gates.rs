//! Gates (ARM-0.4.21, ARM-0.4.30, ARM-GAP-14): opened and closed from inside, once a round, by whoever has the majority there.

use crate::battle::{Battle, Scene};
use crate::board::Spot;
use crate::deed::fight::Side;
use crate::deed::{Deed, Fight, Permit, Refusal};
use crate::event::FightHappening;
use crate::kinds::Fitting;
use crate::{legal, majority, rule};
use kernel::hex::Direction;
use kernel::realm::RealmId;

/// A gate as it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gate {
    /// What it is like now.
    pub fitting: Fitting,
    /// Whose building it belongs to.
    pub owner: RealmId,
    /// The round in which it was last moved by hand.
    pub moved: u32,
    /// How often in that round.
    pub moves: u8,
}

/// The gate or wall on a side: of the building's storey where one stands, else of the wall along the field.
pub fn find(scene: Scene<'_>, side: Side) -> Option<Gate> {
    let ground = scene.position.board.ground(side.at.cell)?;
    let index = side.side.index();
    match &ground.building {
        Some(building) => {
            let storey = building.storeys.get(usize::from(side.at.level))?;
            Some(Gate {
                fitting: storey.walls[index]?,
                owner: building.owner,
                moved: building.moved[index],
                moves: building.moves[index],
            })
        }
        None if side.at.level == 0 => ground.walls[index].map(|wall| Gate {
            fitting: wall.fitting,
            owner: wall.owner,
            moved: wall.moved,
            moves: wall.moves,
        }),
        None => None,
    }
}

/// Changes the gate or wall on a side; `moved` is the round if it is moved by hand.
pub fn set(battle: &mut Battle<'_>, side: Side, fitting: Fitting, moved: Option<u32>) {
    let index = side.side.index();
    let Some(ground) = battle.position.board.ground_mut(side.at.cell) else {
        return;
    };
    match &mut ground.building {
        Some(building) => {
            if let Some(storey) = building.storeys.get_mut(usize::from(side.at.level)) {
                storey.walls[index] = Some(fitting);
            }
            if let Some(round) = moved {
                count(&mut building.moved[index], &mut building.moves[index], round);
            }
        }
        None => {
            if let Some(wall) = &mut ground.walls[index] {
                wall.fitting = fitting;
                if let Some(round) = moved {
                    count(&mut wall.moved, &mut wall.moves, round);
                }
            }
        }
    }
}

/// Counts what is done once more in a round.
pub fn count(last: &mut u32, times: &mut u8, round: u32) {
    *times = if *last == round { times.saturating_add(1) } else { 1 };
    *last = round;
}

/// Whether a player may open or close a gate.
///
/// # Errors
/// The refusal.
pub fn judge(scene: Scene<'_>, player: RealmId, deed: &Fight) -> Result<Permit, Refusal> {
    let Fight::Gate { gate: side, open } = deed else {
        return Err(Refusal::new("not-built", &[rule::GAP_14][..]));
    };
    let name = || scene.position.board.spot_name(scene.tables, side.at);
    let Some(gate) = find(scene, *side).filter(|gate| gate.fitting.is_gate()) else {
        return Err(Refusal::new("not-a-gate", &[rule::GAP_14][..]).with("field", name()));
    };
    match (gate.fitting, open) {
        (Fitting::Broken, _) => return Err(Refusal::new("gate-broken", &[rule::GAP_14][..]).with("field", name())),
        (Fitting::Open, true) | (Fitting::Closed, false) => {
            return Err(Refusal::new("gate-is-so", &[rule::GAP_14][..]).with("field", name()));
        }
        _ => {}
    }
    let inside = || {
        let there = scene.position.present();
        there
            .filter(|(id, _)| scene.position.spot_of(*id) == Some(side.at))
            .map(|(_, figure)| figure)
    };
    let own = |figure: &crate::state::Figure| figure.owner == player && figure.kind.is_warrior() && figure.is_able();
    if !inside().any(own) {
        return Err(Refusal::new("not-inside", &[rule::R0_4_30, rule::R0_4_21][..]).with("field", name()));
    }
    if majority::among(scene.tables, scene.position, inside(), Some(gate.owner)) != Some(player) {
        let rules = &[rule::R0_4_30, rule::R0_4_34, rule::R0_4_37, rule::GAP_47][..];
        return Err(Refusal::new("not-the-majority", rules).with("field", name()));
    }
    let moves = if gate.moved == scene.position.clock.round {
        gate.moves
    } else {
        0
    };
    if i64::from(moves) >= scene.tables.wall.gate_moves_per_round {
        return Err(Refusal::new("gate-moved", &[rule::GAP_14][..]).with("field", name()));
    }
    Ok(Permit {
        rules: vec![rule::GAP_14, rule::R0_4_21, rule::R0_4_30, rule::R0_2_6, rule::R0_3_6],
        ..Permit::default()
    })
}

/// Carries out what [`judge`] allowed.
pub fn perform(battle: &mut Battle<'_>, _player: RealmId, deed: &Fight, permit: &Permit) {
    let Fight::Gate { gate, open } = deed else { return };
    let fitting = if *open { Fitting::Open } else { Fitting::Closed };
    let round = battle.position.clock.round;
    set(battle, *gate, fitting, Some(round));
    let happening = FightHappening::GateMoved {
        gate: *gate,
        open: *open,
    };
    battle.emit(permit.rules.clone(), &[], happening);
}

/// Every gate that a warrior of the player stands behind.
pub fn candidates(scene: Scene<'_>, player: RealmId, list: &mut Vec<Deed>) {
    if !legal::movement_is_open(scene) {
        return;
    }
    let mut spots: Vec<Spot> = scene
        .position
        .present()
        .filter(|(_, figure)| figure.owner == player && figure.kind.is_warrior())
        .filter_map(|(id, _)| scene.position.spot_of(id))
        .collect();
    spots.sort_unstable();
    spots.dedup();
    for at in spots {
        for side in Direction::ALL {
            let gate = Side { at, side };
            if find(scene, gate).is_some_and(|gate| gate.fitting.is_gate()) {
                list.extend([true, false].map(|open| Deed::Fight(Fight::Gate { gate, open })));
            }
        }
    }
}
