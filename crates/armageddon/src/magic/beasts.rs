//! Spells that drive animals and fable creatures along a way (ARM-GAP-32).

use crate::battle::{Battle, Scene};
use crate::board::Spot;
use crate::creatures::{self, Entry};
use crate::deed::Refusal;
use crate::event::MagicHappening;
use crate::kinds::{Part, Spell};
use crate::room::{self, Room};
use crate::state::{Figure, FigureId, Place, Position};
use crate::{movement, rule};
use kernel::rule::RuleId;

/// Foreign animals with their riders go the way that the caster names, at most their full rate.
///
/// # Errors
/// The refusal, if one of them cannot go there.
pub fn drive(scene: Scene<'_>, animals: &[FigureId], to: &[Spot]) -> Result<Vec<RuleId>, Refusal> {
    if to.is_empty() {
        return Err(Refusal::new("no-destination", &[rule::GAP_32][..]));
    }
    let mut trial = scene.position.clone();
    let mut rules = vec![rule::GAP_32, rule::R0_2_5];
    for id in animals {
        rules.extend(drive_one(scene, &mut trial, *id, to)?);
    }
    rules.dedup();
    Ok(rules)
}

fn drive_one(scene: Scene<'_>, trial: &mut Position, id: FigureId, to: &[Spot]) -> Result<Vec<RuleId>, Refusal> {
    let stuck = || Refusal::new("animal-stays", &[rule::GAP_32][..]).with("figure", scene.position.name(id));
    let Some(figure) = scene.position.figure(id) else {
        return Err(stuck());
    };
    let Place::At(mut from) = figure.place else {
        return Err(stuck());
    };
    let riders: Vec<&Figure> = scene.position.aboard(id).map(|(_, rider)| rider).collect();
    if riders.iter().any(|rider| rider.under(Spell::Petrify)) {
        // ARM-GAP-32: whoever is petrified cannot be moved, nor what he sits on.
        return Err(stuck());
    }
    let on_back = |rider: &&Figure| matches!(rider.place, Place::On(_, Part::Back));
    let needed = room::consumption(scene.tables, figure)
        + riders
            .iter()
            .copied()
            .filter(on_back)
            .map(|rider| room::consumption(scene.tables, rider))
            .sum::<i64>();
    let mut left = movement::allowance(scene, figure);
    let mut rules = Vec::new();
    for spot in to {
        let here = Scene {
            position: trial,
            ..scene
        };
        let way = movement::way(here, figure.owner, figure.kind, from, *spot)?;
        if way.steps > left {
            return Err(Refusal::new("no-steps-left", &[rule::R0_4_38, rule::R0_4_44][..])
                .with("figure", figure.to_string())
                .with("steps", i64::from(way.steps))
                .with("left", i64::from(left)));
        }
        left -= way.steps;
        rules.extend(way.rules);
        let free = room::free(scene.tables, trial, Room::Spot(*spot));
        if free < needed {
            return Err(
                Refusal::new("no-room", &[rule::R0_4_40, rule::R0_4_1, rule::R0_4_4][..])
                    .with("field", scene.position.board.spot_name(scene.tables, *spot))
                    .with("needed", needed)
                    .with("free", free.max(0)),
            );
        }
        if let Some(figure) = trial.figure_mut(id) {
            figure.place = Place::At(*spot);
        }
        from = *spot;
    }
    Ok(rules)
}

/// Carries out what [`drive`] allowed.
pub fn perform_drive(battle: &mut Battle<'_>, animals: &[FigureId], to: &[Spot], rules: &[RuleId]) {
    let Some(last) = to.last() else { return };
    for id in animals {
        let Some(figure) = battle.position.figure_mut(*id) else {
            continue;
        };
        let from = std::mem::replace(&mut figure.place, Place::At(*last));
        let happening = MagicHappening::Driven {
            figure: *id,
            from,
            to: *last,
        };
        battle.emit(rules.to_vec(), &[], happening);
    }
    super::transfer::loosen(&mut battle.position, animals);
}

/// The way of a fable creature, at most its rate; the last field may be one where it meets somebody. Tells the price.
///
/// # Errors
/// The refusal.
pub fn lead(scene: Scene<'_>, creatures: &[FigureId], to: &[Spot]) -> Result<i64, Refusal> {
    if to.is_empty() {
        return Err(Refusal::new("no-destination", &[rule::GAP_32][..]));
    }
    let mut price = 0;
    for id in creatures {
        let Some(figure) = scene.position.figure(*id) else {
            continue;
        };
        let stays =
            || Refusal::new("creature-stays", &[rule::GAP_31, rule::GAP_32][..]).with("figure", figure.to_string());
        let each = scene.tables.creature_price(figure.kind).ok_or_else(stays)?;
        let fields = i64::try_from(to.len()).unwrap_or(i64::MAX);
        if fields > i64::from(scene.tables.figure(figure.kind).steps) {
            return Err(Refusal::new("no-steps-left", &[rule::GAP_31][..])
                .with("figure", figure.to_string())
                .with("steps", fields)
                .with("left", i64::from(scene.tables.figure(figure.kind).steps)));
        }
        let Some(mut from) = scene.position.cell_of(*id) else {
            return Err(stays());
        };
        for (spot, number) in to.iter().zip(1usize..) {
            match creatures::entry(scene, *id, from, spot.cell) {
                Entry::Free => {}
                Entry::Meets if number == to.len() => {}
                _ => return Err(stays()),
            }
            from = spot.cell;
        }
        price += each.saturating_mul(fields);
    }
    Ok(price)
}

/// Carries out what [`lead`] allowed.
pub fn perform_lead(battle: &mut Battle<'_>, creatures: &[FigureId], to: &[Spot]) {
    for id in creatures {
        for spot in to {
            if !creatures::advance(battle, *id, spot.cell, &[rule::GAP_31, rule::GAP_32, rule::R0_2_4]) {
                break;
            }
        }
    }
}
