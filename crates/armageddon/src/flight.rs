//! Flight off the board (KAL-16.2.8): into a province of one's own beside it, after ten rounds or half of the losses, for whoever allowed it.
//!
//! A battle by itself names no such provinces, so nobody flees from it.

use crate::battle::{Battle, Scene};
use crate::board::Cell;
use crate::deed::{Deed, Field, Permit, Refusal};
use crate::event::{FieldHappening, TurnHappening};
use crate::kinds::{Family, Fate, Flight};
use crate::movement::{self, Party};
use crate::rule;
use crate::state::{Figure, Place, Position, Refuge};
use crate::survival;
use kernel::realm::RealmId;

/// The warriors of a player on the board.
fn warriors(position: &Position, player: RealmId) -> u32 {
    let own = position
        .present()
        .filter(|(_, figure)| figure.owner == player && figure.kind.is_warrior());
    u32::try_from(own.count()).unwrap_or(u32::MAX)
}

/// KAL-WGAP-09, when the first round begins: how many warriors everybody has.
pub fn muster(battle: &mut Battle<'_>) {
    let players: Vec<RealmId> = battle.position.players.keys().copied().collect();
    for id in players {
        let strength = warriors(&battle.position, id);
        if let Some(player) = battle.position.players.get_mut(&id) {
            player.strength.get_or_insert(strength);
        }
    }
}

/// KAL-WGAP-08, at the end of a round: for whom it has come to flight.
pub fn test(battle: &mut Battle<'_>) {
    let war = &battle.tables.war;
    let late = i64::from(battle.position.clock.round) >= war.flight_rounds;
    let begun: Vec<RealmId> = battle
        .position
        .players
        .iter()
        .filter(|(id, player)| {
            let first = i64::from(player.strength.unwrap_or(0));
            let lost = first - i64::from(warriors(&battle.position, **id)) - escaped(&battle.position, **id);
            let beaten = first > 0 && lost.saturating_mul(100) >= first.saturating_mul(war.flight_losses);
            player.flight == Flight::Allowed && (late || beaten)
        })
        .map(|(id, _)| *id)
        .collect();
    for id in begun {
        if let Some(player) = battle.position.players.get_mut(&id) {
            player.flight = Flight::Begun;
        }
        let rules = &[rule::KAL_16_2_8_2, rule::KAL_WGAP_08, rule::KAL_WGAP_09][..];
        battle.emit(rules, &[], TurnHappening::FlightBegan { player: id });
    }
}

/// Warriors who are out already: they are no losses.
fn escaped(position: &Position, player: RealmId) -> i64 {
    let out = position
        .figures
        .iter()
        .filter(|figure| figure.owner == player && figure.kind.is_warrior() && has_fled(figure));
    i64::try_from(out.count()).unwrap_or(i64::MAX)
}

fn has_fled(figure: &Figure) -> bool {
    figure.place == Place::Gone(Fate::Fled)
}

/// The province of a player's that a field borders on.
fn refuge(position: &Position, player: RealmId, cell: Cell) -> Option<&Refuge> {
    let own = position.refuges.iter().filter(|refuge| refuge.player == player);
    own.into_iter().find(|refuge| position.board.borders(cell, refuge.at))
}

/// Whether a figure may leave the board with those who go with it.
///
/// # Errors
/// The refusal.
pub fn judge(scene: Scene<'_>, player: RealmId, deed: &Field) -> Result<Permit, Refusal> {
    let Field::Flee { figure } = deed else {
        return Err(Refusal::new("not-built", &[rule::KAL_16_2_8_2][..]));
    };
    let position = scene.position;
    let begun = position.players.get(&player).map(|found| found.flight);
    if begun != Some(Flight::Begun) {
        return Err(Refusal::new("no-flight", &[rule::KAL_16_2_8_2][..]));
    }
    let party = movement::party(scene, player, *figure)?;
    let name = position.name(*figure);
    let standing = position.figure(*figure).map(|figure| figure.place);
    let cell = match standing {
        Some(Place::At(spot)) if spot.level == 0 && position.board.building(spot.cell).is_none() => Some(spot.cell),
        Some(Place::Above(cell)) => Some(cell),
        _ => None,
    };
    if cell.and_then(|cell| refuge(position, player, cell)).is_none() {
        return Err(Refusal::new("no-refuge", &[rule::KAL_16_2_8_7][..]).with("figure", name));
    }
    movement::affords(scene, *figure, movement::small(scene.tables.step.single))?;
    let (people, animals) = heads(position, player, &party);
    if animals > people {
        return Err(Refusal::new("too-many-animals-flee", &[rule::KAL_16_2_8_4][..]).with("figure", name));
    }
    Ok(Permit {
        steps: movement::small(scene.tables.step.single),
        rules: vec![
            rule::KAL_16_2_8_2,
            rule::KAL_16_2_8_4,
            rule::KAL_16_2_8_5,
            rule::KAL_16_2_8_7,
        ],
        ..Permit::default()
    })
}

/// People and animals of a player that are out, with those who are about to go.
fn heads(position: &Position, player: RealmId, party: &Party) -> (usize, usize) {
    let going = party.walkers().chain(party.riders.iter().copied());
    let going = going.filter_map(|id| position.figure(id));
    let out = position.figures.iter().filter(|figure| has_fled(figure));
    let all: Vec<&Figure> = going.chain(out.filter(|figure| figure.owner == player)).collect();
    let animals = all.iter().filter(|figure| figure.kind.family().is_animal()).count();
    (all.len() - animals, animals)
}

/// Carries out what [`judge`] allowed.
pub fn perform(battle: &mut Battle<'_>, player: RealmId, deed: &Field, permit: &Permit) {
    let Field::Flee { figure } = deed else { return };
    let Ok(party) = movement::party(battle.scene(player), player, *figure) else {
        return;
    };
    // Riders before their mount, which would set them down.
    let riders = party.riders.clone();
    for id in riders.into_iter().chain(party.led.clone()).chain([party.lead]) {
        survival::dissolve(battle, id);
        battle.take_off(id, Fate::Fled);
        let happening = FieldHappening::Left {
            figure: id,
            fate: Fate::Fled,
        };
        battle.emit(permit.rules.clone(), &[], happening);
    }
}

/// Whoever stands at the rim, where it has come to flight.
pub fn candidates(scene: Scene<'_>, player: RealmId, list: &mut Vec<Deed>) {
    let position = scene.position;
    let begun = position.players.get(&player).map(|found| found.flight);
    if begun != Some(Flight::Begun) {
        return;
    }
    for (id, figure) in position.present().filter(|(_, figure)| figure.possessor == player) {
        let goes = matches!(
            figure.kind.family(),
            Family::Warrior | Family::Person | Family::Wizard | Family::Horse | Family::Elephant
        );
        if goes && matches!(figure.place, Place::At(_) | Place::Above(_)) {
            list.push(Deed::Field(Field::Flee { figure: id }));
        }
    }
}
