//! Wizard against wizard: dispelling (*Entkräften*) and duels (ARM-0.2.3, ARM-GAP-01; mortal wizards ARM-0.4.77, ARM-GAP-36).

use super::hover;
use crate::battle::{Battle, Scene, Throw};
use crate::board::{Cell, Spot};
use crate::deed::{Permit, Refusal};
use crate::event::MagicHappening;
use crate::kinds::Kind;
use crate::room::{self, Room};
use crate::rule;
use crate::state::{FigureId, Place, Position};
use crate::tables::Tables;
use kernel::realm::RealmId;
use kernel::rule::RuleId;

/// The wizard of a player who can cast: on the board and immortal.
pub fn wizard_of(position: &Position, player: RealmId) -> Option<FigureId> {
    let able = |(_, figure): &(FigureId, &crate::state::Figure)| {
        figure.kind == Kind::Wizard && figure.owner == player && !figure.mortal
    };
    position.present().find(able).map(|(id, _)| id)
}

/// What an attempt at dispelling costs: a unit for every started ten.
pub fn dispel_price(tables: &Tables, cost: i64) -> i64 {
    let ten = tables.wizard.dispel_cost_per_started.max(1);
    cost.max(0).saturating_add(ten - 1) / ten
}

/// The players in the order of turns after this one.
fn turns_after(position: &Position, player: RealmId) -> impl Iterator<Item = RealmId> + '_ {
    let at = position.order.iter().position(|one| *one == player).unwrap_or(0);
    let after = position.order.iter().cycle().skip(at + 1);
    after.take(position.order.len()).copied()
}

/// The opponents who try to dispel a spell of this cost, in the order of turns after its caster, with their wizards.
fn opponents(battle: &Battle<'_>, player: RealmId, cost: i64) -> Vec<(RealmId, FigureId)> {
    let position = &battle.position;
    let price = dispel_price(battle.tables, cost);
    turns_after(position, player)
        .filter(|other| position.hostile(player, *other))
        .filter_map(|other| {
            let secret = battle.secrets.get(&other)?;
            let from = secret.standing.dispel_from?;
            let may = cost >= from
                && secret.spell_units >= price
                && secret.standing.dispel_total.is_none_or(|total| total >= price);
            let wizard = wizard_of(position, other)?;
            may.then_some((other, wizard))
        })
        .collect()
}

/// Lets the opponents try; tells whether the spell has no effect. Its units are spent either way.
pub fn dispelled(battle: &mut Battle<'_>, player: RealmId, wizard: FigureId, cost: i64) -> bool {
    let opponents = opponents(battle, player, cost);
    let rules = &[rule::GAP_01, rule::R0_2_3];
    contested(battle, player, (wizard, cost), opponents, rules)
}

/// KAL-20.2.3.8: the same for a priest's spell, which only priests of the opponents dispel.
pub(super) fn prayer_dispelled(battle: &mut Battle<'_>, player: RealmId, priest: FigureId, cost: i64) -> bool {
    let position = &battle.position;
    let opponents = turns_after(position, player)
        .filter(|other| position.hostile(player, *other))
        .filter_map(|other| Some((other, priest_who_dispels(battle, other, None, cost)?)))
        .collect();
    contested(battle, player, (priest, cost), opponents, &[rule::KAL_20_2_3_8])
}

/// KAL-20.2.3.9: whether a priest frees himself from a wizard's spell.
pub(super) fn dispels_for_himself(
    battle: &mut Battle<'_>,
    player: RealmId,
    wizard: FigureId,
    (owner, priest): (RealmId, FigureId),
    cost: i64,
) -> bool {
    match priest_who_dispels(battle, owner, Some(priest), cost) {
        Some(priest) => contested(
            battle,
            player,
            (wizard, cost),
            vec![(owner, priest)],
            &[rule::KAL_20_2_3_9],
        ),
        None => false,
    }
}

/// A priest of a player who would dispel a spell of this cost and can pay for it: this one, or the first of them.
fn priest_who_dispels(battle: &Battle<'_>, owner: RealmId, only: Option<FigureId>, cost: i64) -> Option<FigureId> {
    let secret = battle.secrets.get(&owner)?;
    let price = dispel_price(battle.tables, cost);
    let wanted = secret.standing.dispel_from.is_some_and(|from| cost >= from)
        && secret.standing.dispel_total.is_none_or(|total| total >= price);
    let able = |(id, units): &(&FigureId, &i64)| {
        let figure = battle.position.figure(**id);
        **units >= price
            && only.is_none_or(|only| only == **id)
            && figure.is_some_and(|figure| figure.is_present() && figure.is_able() && figure.owner == owner)
    };
    let found = secret.priests.iter().filter(|_| wanted).find(able);
    found.map(|(id, _)| *id)
}

/// Takes spell units from a wizard's player, or from a priest.
pub(super) fn pay(battle: &mut Battle<'_>, player: RealmId, caster: FigureId, price: i64) {
    let priest = battle
        .position
        .figure(caster)
        .is_some_and(|figure| figure.kind == Kind::Priest);
    let Some(secret) = battle.secrets.get_mut(&player) else {
        return;
    };
    if priest {
        *secret.priests.entry(caster).or_default() -= price;
    } else {
        secret.spell_units -= price;
    }
}

/// Caster against opponents: he rolls first, and each of them must come near it.
fn contested(
    battle: &mut Battle<'_>,
    player: RealmId,
    (wizard, cost): (FigureId, i64),
    opponents: Vec<(RealmId, FigureId)>,
    rules: &'static [RuleId],
) -> bool {
    if opponents.is_empty() {
        return false;
    }
    let name = battle.position.name(wizard);
    let (cast, cast_dice) = battle.throw(rule::GAP_01, player, format_args!("{player} {name} casts"));
    for (other, their) in opponents {
        let price = dispel_price(battle.tables, cost);
        pay(battle, other, their, price);
        let standing = battle.secrets.get_mut(&other).map(|secret| &mut secret.standing);
        if let Some(total) = standing.and_then(|standing| standing.dispel_total.as_mut()) {
            *total -= price;
        }
        let name = battle.position.name(their);
        let (throw, dice) = battle.throw(rule::GAP_01, other, format_args!("{other} {name} dispels"));
        let within = i64::try_from(throw.natural().abs_diff(cast.natural())).unwrap_or(i64::MAX);
        let success = within <= battle.tables.wizard.dispel_within;
        let happening = MagicHappening::DispelTried {
            wizard,
            cast,
            by: their,
            throw,
            price,
            success,
        };
        let all: Vec<_> = cast_dice.iter().chain(dice.iter()).copied().collect();
        battle.emit(rules, &all, happening);
        if success {
            return true;
        }
    }
    false
}

/// A challenge: between hostile immortal wizards, in place of the round's spell, one duel per wizard and round.
///
/// # Errors
/// The refusal.
pub fn judge_duel(scene: Scene<'_>, player: RealmId, wizard: FigureId, target: FigureId) -> Result<Permit, Refusal> {
    super::judge_wizard(scene, player, wizard)?;
    super::judge_window(scene, player, false)?;
    let position = scene.position;
    let found = position
        .figure(target)
        .filter(|figure| figure.is_present() && figure.kind == Kind::Wizard && !figure.mortal);
    let Some(found) = found else {
        return Err(Refusal::new("not-a-wizard", &[rule::GAP_01][..]).with("figure", position.name(target)));
    };
    if !position.hostile(player, found.owner) {
        return Err(Refusal::new("no-enemy-wizard", &[rule::GAP_01][..]).with("figure", found.to_string()));
    }
    let round = position.clock.round;
    let tired = [player, found.owner]
        .iter()
        .any(|one| position.players.get(one).is_some_and(|one| one.duelled == round));
    if tired {
        return Err(Refusal::new("duelled-already", &[rule::GAP_01][..]).with("figure", found.to_string()));
    }
    Ok(Permit {
        rules: vec![rule::GAP_01, rule::GAP_36],
        ..Permit::default()
    })
}

/// More equal or rising rolls than this and both are exhausted: nothing is decided.
const DUEL_ROLLS_MAX: usize = 60;

/// Beginning with the challenged they roll in turn; each roll must exceed the other's. An equal one is repeated, a lower one loses.
pub fn duel(battle: &mut Battle<'_>, player: RealmId, wizard: FigureId, target: FigureId, permit: &Permit) {
    let Some(challenged) = battle.position.figure(target).map(|figure| figure.owner) else {
        return;
    };
    let round = battle.position.clock.round;
    for one in [player, challenged] {
        if let Some(one) = battle.position.players.get_mut(&one) {
            one.duelled = round;
        }
    }
    if let Some(one) = battle.position.players.get_mut(&player) {
        one.spells_cast = one.spells_cast.saturating_add(1);
    }
    let mut best: Option<Throw> = None;
    let (mut now, mut other) = ((challenged, target), (player, wizard));
    for _ in 0..DUEL_ROLLS_MAX {
        let (owner, figure) = now;
        let name = battle.position.name(figure);
        let (throw, dice) = battle.throw(rule::GAP_01, owner, format_args!("{owner} {name} duels"));
        let happening = MagicHappening::DuelRolled { wizard: figure, throw };
        battle.emit(permit.rules.clone(), &dice, happening);
        let needed = best.map_or(0, Throw::natural);
        if throw.natural() < needed {
            fall(battle, figure, other.1, permit);
            return;
        }
        if throw.natural() > needed {
            best = Some(throw);
            std::mem::swap(&mut now, &mut other);
        }
    }
    let happening = MagicHappening::DuelUndecided { wizard, target };
    battle.emit(permit.rules.clone(), &[], happening);
}

/// The loser becomes mortal and stands where he hovered, or on the next field with room.
fn fall(battle: &mut Battle<'_>, loser: FigureId, winner: FigureId, permit: &Permit) {
    let below = battle.position.cell_of(loser);
    let spot = below.and_then(|cell| landing(battle.tables, &battle.position, cell));
    if let Some(figure) = battle.position.figure_mut(loser) {
        figure.mortal = true;
        if let Some(spot) = spot {
            figure.place = Place::At(spot);
        }
    }
    let happening = MagicHappening::DuelLost { loser, winner };
    let mut rules = permit.rules.clone();
    rules.push(rule::R0_4_77);
    battle.emit(rules, &[], happening);
}

/// The nearest spot where a wizard who fell finds room: the platform before the storeys below it, then field by field.
fn landing(tables: &Tables, position: &Position, below: Cell) -> Option<Spot> {
    let mut cells: Vec<Cell> = position.board.all().collect();
    cells.sort_by_key(|cell| (position.board.distance(below, *cell), *cell));
    cells.into_iter().find_map(|cell| {
        let ground = position.board.ground(cell)?;
        let levels = ground.building.as_ref().map_or(1, |building| building.levels(tables));
        let open = ground.building.is_some() || ground.stream_bridge.is_some();
        // On foot he stays where a merchant does: wizards have no row of their own there.
        if !open && room::may_stay(tables, Kind::Merchant, ground.terrain).is_err() {
            return None;
        }
        (0..levels)
            .rev()
            .map(|level| Spot { cell, level })
            .find(|spot| room::free(tables, position, Room::Spot(*spot)) >= tables.room.figure)
    })
}

/// Every challenge that might be possible.
pub fn challenges(scene: Scene<'_>, wizard: FigureId) -> impl Iterator<Item = FigureId> + '_ {
    scene
        .position
        .present()
        .filter(move |(id, figure)| *id != wizard && figure.kind == Kind::Wizard)
        .filter(move |(id, _)| hover::hovers(scene.position, *id))
        .map(|(id, _)| id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dispelling_costs_a_unit_for_every_started_ten() {
        let tables = Tables::book().expect("the book");
        let prices: Vec<i64> = [0, 1, 10, 11, 20, 21].map(|cost| dispel_price(&tables, cost)).to_vec();
        assert_eq!(prices, [0, 1, 1, 2, 2, 3]);
    }
}
