//! Trade centres (ARM-0.4.22 to 0.4.25, ARM-GAP-38, ARM-GAP-42): taking and razing them.

use crate::battle::{Battle, Scene};
use crate::board::{Cell, Spot};
use crate::deed::{Deed, Magic, Permit, Refusal};
use crate::event::MagicHappening;
use crate::overcrowding::{self, Crowding};
use crate::room::{self, Room};
use crate::rule;
use crate::state::{Figure, FigureId, Place, TradeCentre};
use crate::tables::Tables;
use kernel::realm::RealmId;
use kernel::rule::RuleId;

/// Whether a deed of this chapter is legal.
///
/// # Errors
/// The refusal.
pub fn judge(scene: Scene<'_>, player: RealmId, deed: &Magic) -> Result<Permit, Refusal> {
    match deed {
        Magic::TakeCentre { cell } => judge_taking(scene, player, *cell),
        Magic::Raze { cell } => judge_razing(scene, player, *cell),
        Magic::Plunder { cell } => judge_plunder(scene, player, *cell),
        _ => Err(Refusal::new("not-built", &[rule::R0_4_22][..])),
    }
}

fn centre(scene: Scene<'_>, cell: Cell) -> Result<&TradeCentre, Refusal> {
    let found = scene.position.centres.get(&cell);
    found.ok_or_else(|| Refusal::new("no-centre", &[rule::R0_4_22][..]).with("field", scene.position.board.name(cell)))
}

/// The warriors on a field, on all levels of its building.
fn warriors(scene: Scene<'_>, cell: Cell) -> impl Iterator<Item = (FigureId, &Figure)> {
    scene.position.present().filter(move |(id, figure)| {
        figure.kind.is_warrior()
            && !matches!(figure.place, Place::Above(_))
            && scene.position.cell_of(*id) == Some(cell)
    })
}

/// ARM-0.4.22, ARM-0.4.24, ARM-0.4.25: no warrior of the possessor and no enemy warrior on any level, an own one who can declare it, and the
/// allies there leave it to the player.
fn judge_taking(scene: Scene<'_>, player: RealmId, cell: Cell) -> Result<Permit, Refusal> {
    let position = scene.position;
    let found = centre(scene, cell)?;
    let refuse = |code: &'static str, rules: &'static [RuleId]| {
        Err(Refusal::new(code, rules).with("field", position.board.name(cell)))
    };
    if found.possessor == player {
        return refuse("centre-is-yours", &[rule::R0_4_23]);
    }
    if !warriors(scene, cell).any(|(_, figure)| figure.owner == player && figure.is_able()) {
        return refuse("nobody-takes-centre", &[rule::R0_4_22]);
    }
    if warriors(scene, cell).any(|(_, figure)| figure.owner == found.possessor) {
        return refuse("centre-held", &[rule::R0_4_22, rule::R0_4_23]);
    }
    let all_levels = scene.tables.possession.trade_centre_needs_all_levels;
    let enemy = warriors(scene, cell).any(|(id, figure)| {
        let ground = position.spot_of(id).is_none_or(|spot| spot.level == 0);
        position.hostile(player, figure.owner) && (all_levels || ground)
    });
    if enemy {
        return refuse("centre-contested", &[rule::R0_4_24, rule::GAP_38]);
    }
    let mut rules = vec![
        rule::R0_4_22,
        rule::R0_4_23,
        rule::R0_4_24,
        rule::R0_4_26,
        rule::GAP_38,
        rule::R0_3_4,
    ];
    let allies =
        warriors(scene, cell).filter(|(_, figure)| figure.owner != player && !position.hostile(player, figure.owner));
    for (_, figure) in allies {
        let yields = position
            .players
            .get(&figure.owner)
            .is_some_and(|ally| ally.yields_to == Some(player));
        if !yields {
            return refuse("allies-disagree", &[rule::R0_4_25, rule::R0_4_36]);
        }
        rules.extend([rule::R0_4_25, rule::R0_4_36]);
    }
    rules.dedup();
    Ok(Permit {
        rules,
        ..Permit::default()
    })
}

/// KAL-16.2.7.1, KAL-WGAP-10: what one possesses, once a warrior has stood on it from one round's end to the next.
fn judge_plunder(scene: Scene<'_>, player: RealmId, cell: Cell) -> Result<Permit, Refusal> {
    let found = centre(scene, cell)?;
    let name = scene.position.board.name(cell);
    let refuse =
        |code: &'static str| Refusal::new(code, &[rule::KAL_16_2_7_1, rule::KAL_WGAP_10][..]).with("field", name);
    if found.possessor != player {
        return Err(refuse("centre-not-yours"));
    }
    if found.plundered {
        return Err(refuse("centre-plundered-already"));
    }
    let manned = warriors(scene, cell).any(|(_, figure)| figure.owner == player && figure.is_able());
    if !manned || i64::from(found.held) < scene.tables.war.plunder_after {
        return Err(refuse("centre-not-held"));
    }
    Ok(Permit {
        rules: vec![rule::KAL_16_2_7_1, rule::KAL_WGAP_10],
        ..Permit::default()
    })
}

/// At the end of a round: on which trade centres a warrior of the possessor stands.
pub fn hold(battle: &mut Battle<'_>) {
    let held: Vec<(Cell, bool)> = battle
        .position
        .centres
        .iter()
        .map(|(cell, centre)| {
            let scene = battle.scene(centre.possessor);
            let manned = warriors(scene, *cell).any(|(_, figure)| figure.owner == centre.possessor);
            (*cell, manned)
        })
        .collect();
    for (cell, manned) in held {
        if let Some(centre) = battle.position.centres.get_mut(&cell) {
            centre.held = if manned { centre.held.saturating_add(1) } else { 0 };
        }
    }
}

/// ARM-GAP-42: rounds that so many warriors need to raze a trade centre: 4 need three, 8 two, 12 one; fewer than 4 work off as many
/// rounds of one man as 4 do: 3 need four, 2 six, one twelve. Nobody razes nothing.
pub fn razing_rounds(tables: &Tables, men: i64) -> Option<i64> {
    let rules = &tables.destroy;
    let groups = men / rules.raze_men_per_round.max(1);
    match (groups, men) {
        (1.., _) => Some((rules.raze_rounds_base - groups).max(1)),
        (_, 1..) => Some(((rules.raze_man_rounds + men - 1) / men).max(1)),
        _ => None,
    }
}

/// The warriors who raze: the player's own on the field and the six around it who can act and do nothing else.
fn razers(scene: Scene<'_>, player: RealmId, cell: Cell) -> Vec<FigureId> {
    let near = |id: FigureId| {
        let at = scene.position.cell_of(id);
        at.is_some_and(|at| scene.position.board.distance(at, cell) <= 1)
    };
    scene
        .position
        .present()
        .filter(|(id, figure)| {
            figure.kind.is_warrior()
                && figure.owner == player
                && figure.is_able()
                && !figure.acted
                && !matches!(figure.place, Place::Swimming(_))
                && near(*id)
        })
        .map(|(id, _)| id)
        .collect()
}

fn judge_razing(scene: Scene<'_>, player: RealmId, cell: Cell) -> Result<Permit, Refusal> {
    let position = scene.position;
    let found = centre(scene, cell)?;
    if found.possessor != player {
        return Err(Refusal::new("centre-not-yours", &[rule::GAP_42][..]).with("field", position.board.name(cell)));
    }
    let enemy = warriors(scene, cell).any(|(_, figure)| position.hostile(player, figure.owner));
    if enemy {
        return Err(Refusal::new("centre-contested", &[rule::GAP_42, rule::R0_4_24][..])
            .with("field", position.board.name(cell)));
    }
    let men = i64::try_from(razers(scene, player, cell).len()).unwrap_or(i64::MAX);
    if razing_rounds(scene.tables, men).is_none() {
        return Err(Refusal::new("too-few-to-raze", &[rule::GAP_42][..])
            .with("found", men)
            .with("wanted", 1i64));
    }
    Ok(Permit {
        rules: vec![rule::GAP_42, rule::GAP_46, rule::R0_3_9],
        ..Permit::default()
    })
}

/// Carries out what [`judge`] allowed.
pub fn perform(battle: &mut Battle<'_>, player: RealmId, deed: &Magic, permit: &Permit) {
    match deed {
        Magic::TakeCentre { cell } => {
            let Some(centre) = battle.position.centres.get_mut(cell) else {
                return;
            };
            let from = std::mem::replace(&mut centre.possessor, player);
            centre.razed = 0;
            centre.held = 0;
            let happening = MagicHappening::CentreTaken {
                player,
                cell: *cell,
                from,
            };
            battle.emit(permit.rules.clone(), &[], happening);
        }
        Magic::Raze { cell } => raze(battle, player, *cell, permit),
        Magic::Plunder { cell } => {
            let Some(centre) = battle.position.centres.get_mut(cell) else {
                return;
            };
            centre.plundered = true;
            let value = battle.tables.victory.centre_value.get(&centre.kind);
            let happening = MagicHappening::CentrePlundered {
                player,
                cell: *cell,
                units: value.copied().unwrap_or(0),
            };
            battle.emit(permit.rules.clone(), &[], happening);
        }
        _ => {}
    }
}

fn raze(battle: &mut Battle<'_>, player: RealmId, cell: Cell, permit: &Permit) {
    let hands = razers(battle.scene(player), player, cell);
    let men = i64::try_from(hands.len()).unwrap_or(i64::MAX);
    let Some(needed) = razing_rounds(battle.tables, men) else {
        return;
    };
    for id in &hands {
        if let Some(figure) = battle.position.figure_mut(*id) {
            figure.acted = true;
        }
    }
    let Some(centre) = battle.position.centres.get_mut(&cell) else {
        return;
    };
    centre.razed = centre.razed.saturating_add(1);
    let done = i64::from(centre.razed);
    let happening = MagicHappening::CentreRazed { cell, done, needed };
    battle.emit(permit.rules.clone(), &[], happening);
    if done < needed {
        return;
    }
    battle.position.centres.remove(&cell);
    battle.emit(permit.rules.clone(), &[], MagicHappening::CentreGone { cell });
    let room = Room::Spot(Spot::ground(cell));
    if room::free(battle.tables, &battle.position, room) < 0 {
        overcrowding::resolve(battle, room, Crowding::Collapsed, player);
    }
}

/// Every deed of this chapter that might be possible.
pub fn candidates(scene: Scene<'_>, _player: RealmId, list: &mut Vec<Deed>) {
    for cell in scene.position.centres.keys() {
        list.push(Deed::Magic(Magic::TakeCentre { cell: *cell }));
        list.push(Deed::Magic(Magic::Raze { cell: *cell }));
        list.push(Deed::Magic(Magic::Plunder { cell: *cell }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_warriors_raze_in_three_rounds_eight_in_two_twelve_in_one_and_fewer_take_longer() {
        let tables = Tables::book().expect("the book");
        let rounds: Vec<Option<i64>> = [0, 1, 2, 3, 4, 7, 8, 11, 12, 16]
            .map(|men| razing_rounds(&tables, men))
            .to_vec();
        let expected = [0, 12, 6, 4, 3, 3, 2, 2, 1, 1].map(|rounds| (rounds > 0).then_some(rounds));
        assert_eq!(rounds, expected);
    }
}
