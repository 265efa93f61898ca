//! Creatures, natives, hordes, garrisons (PYG-GAME-09, PYG-GAP-62).

use crate::battle;
use crate::codes::{Behaviour, Creature, Kind, Stance};
use crate::event::war::War;
use crate::month::{Month, MonthTurn};
use crate::rule;
use crate::state::{Band, BandId};
use crate::tables::policy::Plunder;
use crate::withdrawal;
use kernel::dice::Owner;
use kernel::hex::FieldIndex;
use kernel::turn::{Cause, Die};

const STEP: &str = "creatures";

/// They move after the players.
///
/// PYG-GAP-62: who guards or stays does not move; who roams makes a step on a D6 of 4 to 6; hordes go for the nearest realm, half the
/// months, and plunder what nobody defends.
///
/// Their order and the names of their dice come from where they are. A band's number counts bands that live at the other end of
/// the world, so nothing may hang on it.
pub fn act(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let mut bands: Vec<(FieldIndex, BandId)> = turn.state.bands.iter().map(|(id, band)| (band.field, *id)).collect();
    bands.sort_unstable();
    let mut before = None;
    let mut here = 0;
    for (field, id) in bands {
        here = if before == Some(field) { here + 1 } else { 1 };
        before = Some(field);
        let Some(band) = turn.state.bands.get(&id).cloned() else {
            continue;
        };
        let place = turn.state.place(field);
        let name = match here {
            1 => format!("band {place}"),
            _ => format!("band {place} number {here}"),
        };
        let step = match turn.tables.creature[band.creature].behaviour {
            Behaviour::Stay | Behaviour::Guard => None,
            Behaviour::Roam => roam(turn, month, &name, &band),
            Behaviour::Raid => raid(turn, &name, &band),
        };
        if let Some((to, dice)) = step {
            go(turn, month, id, to, &dice);
        }
    }
}

/// A step to a random adjacent neutral field, on a D6 of 4 to 6. Shy ones avoid armies.
fn roam(turn: &mut MonthTurn<'_>, month: &Month, name: &str, band: &Band) -> Option<(FieldIndex, Vec<Die>)> {
    let ways: Vec<FieldIndex> = steps(turn, band)
        .into_iter()
        .filter(|field| !turn.state.field(*field).owner.is_played())
        .filter(|field| band.stance == Stance::Attack || month.on(*field).next().is_none())
        .collect();
    let die = turn.roll(rule::GAP_62, Owner::World, name, 1, 6);
    if die.value < turn.tables.creatures.roam_d6_min || ways.is_empty() {
        return None;
    }
    let last = i64::try_from(ways.len()).unwrap_or(1);
    let way = turn.roll(rule::GAP_62, Owner::World, &format!("{name} way"), 1, last);
    let index = usize::try_from(way.value.saturating_sub(1)).unwrap_or(0);
    ways.get(index).map(|field| (*field, vec![die, way]))
}

/// A step towards the nearest realm land that is not plundered yet, half the months.
fn raid(turn: &mut MonthTurn<'_>, name: &str, band: &Band) -> Option<(FieldIndex, Vec<Die>)> {
    let figures = &turn.tables.creatures;
    let (range, pct) = (figures.horde_hunt_range, figures.horde_move_pct);
    let chart = turn.state.chart;
    let prey = chart
        .range(band.field, range)
        .into_iter()
        .filter(|field| {
            let there = turn.state.field(*field);
            *field != band.field && there.owner.is_played() && !there.pays_nothing
        })
        .min_by_key(|field| (chart.distance(band.field, *field), *field))?;
    let die = turn.roll(rule::GAP_62, Owner::World, name, 1, 100);
    if die.value > pct {
        return None;
    }
    let now = chart.distance(band.field, prey);
    let nearer = steps(turn, band)
        .into_iter()
        .filter(|field| chart.distance(*field, prey) < now)
        .min()?;
    Some((nearer, vec![die]))
}

/// Adjacent fields that such a band can live on and that no other band holds.
fn steps(turn: &MonthTurn<'_>, band: &Band) -> Vec<FieldIndex> {
    let habitat = &turn.tables.creature[band.creature].habitat;
    let held = |field: FieldIndex| turn.state.bands.values().any(|other| other.field == field);
    let around = turn.state.chart.neighbours(band.field).map(|(_, field)| field);
    let mut fields: Vec<FieldIndex> = around
        .filter(|field| {
            let terrain = turn.state.field(*field).terrain;
            let lives = turn.tables.is_water(terrain) == band.creature.is_at_sea();
            lives && (habitat.is_empty() || habitat.contains(&terrain)) && !held(*field)
        })
        .collect();
    fields.sort_unstable();
    fields
}

/// A band enters a field: whoever withdraws makes room, the others fight; what nobody defends is plundered.
fn go(turn: &mut MonthTurn<'_>, month: &mut Month, id: BandId, to: FieldIndex, dice: &[Die]) {
    let Some(band) = turn.state.bands.get_mut(&id) else {
        return;
    };
    let from = std::mem::replace(&mut band.field, to);
    let creature = band.creature;
    let what = War::BandMoved {
        band: id,
        creature,
        from,
        to,
    };
    let rules = &[rule::GAME_09, rule::GAP_62][..];
    let moved = month.emit(turn, Cause::Step(STEP), rules, dice, what);
    month.strayed.insert(id, from);
    withdrawal::give_way_near(turn, month, to);
    battle::clash(turn, month, to, &[id]);
    month.strayed.remove(&id);
    let stays = turn.state.bands.get(&id).is_some_and(|band| band.field == to);
    let defended = month.on(to).any(|army| army.kind() != Kind::Trader);
    let raids = turn.tables.creature[creature].behaviour == Behaviour::Raid;
    let owner = turn.state.field(to).owner;
    let plunder = turn.tables.creatures.plunder;
    if stays && !defended && raids && owner.is_played() && plunder != Plunder::Nothing {
        let field = turn.state.field_mut(to);
        field.pays_nothing = true;
        if let Some(town) = field
            .settlement
            .as_mut()
            .filter(|_| plunder == Plunder::FieldAndSettlement)
        {
            town.pays_nothing = true;
        }
        let what = War::Plundered {
            realm: owner,
            field: to,
            creature,
        };
        month.emit(turn, Cause::Event(moved), rules, &[], what);
    }
}

/// Where beaten creatures flee: an adjacent field of nobody's that they can live on, at most one height level away, with nobody on it.
/// Garrisons and rebels hold their place to the end.
///
/// PYG-GAP-38, PYG-GAP-46.
pub fn way_out(turn: &MonthTurn<'_>, month: &Month, creature: Creature, field: FieldIndex) -> Option<FieldIndex> {
    if matches!(creature, Creature::Garrison | Creature::Rebels) {
        return None;
    }
    let height = |field: FieldIndex| turn.tables.terrain[turn.state.field(field).terrain].height;
    let band = Band {
        creature,
        count: 0,
        field,
        stance: Stance::Nothing,
    };
    steps(turn, &band).into_iter().find(|to| {
        let level = height(*to).abs_diff(height(field)) <= 1;
        level && !turn.state.field(*to).owner.is_played() && month.on(*to).next().is_none()
    })
}
