//! Fable creatures of one's own: towards whom they can strike, and the breath of a dragon or the coils of a sea serpent. What giants, trolls and griffins do
//! hand to hand is weighed with everybody's attacks ([`super::strike`]).

use super::forces;
use super::mind::Mind;
use super::strike;
use super::worth;
use crate::board::{Cell, Spot};
use crate::creatures;
use crate::deed::{Deed, Field, Fight};
use crate::kinds::{Family, Kind};
use crate::movement;
use crate::state::{FigureId, Place};

/// Leads every own creature nearer to whom it can strike. The rider of darkness goes where he harms the enemy more than the own side.
pub(super) fn lead(mind: &mut Mind<'_, '_>) {
    let own: Vec<(FigureId, Kind)> = mind
        .position()
        .present()
        .filter(|(_, figure)| figure.possessor == mind.player && figure.kind.family() == Family::Creature)
        .map(|(id, figure)| (id, figure.kind))
        .collect();
    for (id, kind) in own {
        let prey = prey(mind, kind);
        for _ in 0..movement::steps_left(mind.scene(), id) {
            let Some(to) = next(mind, id, kind, &prey) else { break };
            if !mind.act(&step(id, to)) {
                break;
            }
        }
    }
}

fn step(figure: FigureId, to: Cell) -> Deed {
    let to = Spot::ground(to);
    Deed::Field(Field::Step { figure, to })
}

/// The fields of enemies whom a creature of this kind harms.
fn prey(mind: &Mind<'_, '_>, kind: Kind) -> Vec<Cell> {
    let position = mind.position();
    let ships = matches!(kind, Kind::SeaSerpent | Kind::Siren);
    position
        .present()
        .filter(|(_, figure)| {
            worth::is_enemy(position, mind.player, figure) && !matches!(figure.place, Place::Above(_))
        })
        .filter(|(_, figure)| match figure.kind.family() {
            Family::Ship => ships,
            family => !ships && family.is_living(),
        })
        .filter_map(|(id, _)| position.cell_of(id))
        .collect()
}

/// The field to which a creature goes next: none if it is near enough or finds no way.
fn next(mind: &Mind<'_, '_>, id: FigureId, kind: Kind, prey: &[Cell]) -> Option<Cell> {
    let position = mind.position();
    let here = position.cell_of(id)?;
    let legal = |to: &Cell| mind.may(&step(id, *to));
    let around: Vec<Cell> = position
        .board
        .neighbours(here)
        .map(|(_, to)| to)
        .filter(legal)
        .collect();
    if kind == Kind::DarkRider {
        let harm = |to: &Cell| forces::strikes(mind, kind, &[*to]).0;
        let best = around.iter().copied().max_by_key(harm).filter(|to| harm(to) > 0);
        if best.is_some() {
            return best;
        }
    }
    let far = |cell: Cell| prey.iter().map(|at| position.board.distance(cell, *at)).min();
    let now = far(here).filter(|fields| *fields > 1)?;
    let spares = |to: &Cell| kind != Kind::DarkRider || forces::strikes(mind, kind, &[*to]).0 >= 0;
    around
        .into_iter()
        .filter(spares)
        .min_by_key(|to| far(*to))
        .filter(|to| far(*to).is_some_and(|fields| fields < now))
}

/// The attacks of own dragons and sea serpents: the best first, at nobody of whom it is not known whether he is still there.
pub(super) fn strike(mind: &mut Mind<'_, '_>) {
    let mut list = Vec::new();
    creatures::candidates(mind.scene(), mind.player, &mut list);
    let mut good: Vec<(i64, Deed)> = list
        .into_iter()
        .filter(|deed| mind.may(deed))
        .filter_map(|deed| {
            let Deed::Fight(Fight::Attack { figure, target, .. }) = &deed else {
                return None;
            };
            let kind = mind.position().figure(*figure)?.kind;
            let cell = mind.position().cell_of(*target)?;
            let (gain, _) = forces::strikes(mind, kind, &[cell]);
            (gain > 0).then_some((gain, deed))
        })
        .collect();
    good.sort_by(|one, other| other.cmp(one));
    for (_, deed) in good {
        let Deed::Fight(Fight::Attack { target, .. }) = &deed else {
            continue;
        };
        let Some(cell) = mind.position().cell_of(*target) else {
            continue;
        };
        if !strike::is_fresh(mind, cell) || !mind.act(&deed) {
            continue;
        }
        let mut met = strike::all_at(mind, cell);
        met.extend(mind.position().aboard(*target).map(|(id, _)| id));
        strike::strikes(mind, met);
    }
}
