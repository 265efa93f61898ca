//! Pitch (ARM-GAP-16, ARM-0.4.21, ARM-0.4.31): poured from a platform onto a field below it, once a round, by who has the majority up there.

use crate::battle::{Battle, Scene};
use crate::board::{Cell, Spot};
use crate::deed::{Deed, Fight, Permit, Refusal};
use crate::event::FightHappening;
use crate::kinds::{Family, Fate, Part, Terrain};
use crate::state::{Figure, FigureId, Place};
use crate::{legal, majority, melee, rule, survival};
use kernel::realm::RealmId;

/// Whether pitch may be poured.
///
/// # Errors
/// The refusal.
pub fn judge(scene: Scene<'_>, player: RealmId, deed: &Fight) -> Result<Permit, Refusal> {
    let Fight::Pour { figure, target } = deed else {
        return Err(Refusal::new("not-built", &[rule::GAP_16][..]));
    };
    let who = legal::own_act(scene, player, *figure)?;
    let board = &scene.position.board;
    let platform = match who.place {
        Place::At(spot) => board
            .building(spot.cell)
            .filter(|building| building.platform(scene.tables) == Some(spot.level))
            .map(|building| (spot, building)),
        _ => None,
    };
    let Some((spot, building)) = platform.filter(|_| who.kind.is_warrior()) else {
        return Err(
            Refusal::new("not-on-a-platform", &[rule::R0_4_21, rule::GAP_16][..]).with("figure", who.to_string())
        );
    };
    let name = || board.spot_name(scene.tables, spot);
    let there = scene.position.standing_at(spot).map(|(_, figure)| figure);
    if majority::among(scene.tables, scene.position, there, Some(building.owner)) != Some(player) {
        let rules = &[rule::R0_4_31, rule::R0_4_34, rule::R0_4_37, rule::GAP_47][..];
        return Err(Refusal::new("not-the-majority", rules).with("field", name()));
    }
    let pours = if building.poured == scene.position.clock.round {
        building.pours
    } else {
        0
    };
    if i64::from(pours) >= scene.tables.pitch.pours_per_platform {
        return Err(Refusal::new("poured-already", &[rule::GAP_16][..]).with("field", name()));
    }
    let below = board.height(scene.tables, Spot::ground(*target)) < board.height(scene.tables, spot);
    let fits = board.ground(*target).is_some_and(|ground| {
        ground.terrain != Terrain::Water && !scene.tables.terrain(ground.terrain).forest && ground.building.is_none()
    });
    if board.direction(spot.cell, *target).is_none() || !below || !fits {
        return Err(Refusal::new("no-pouring-there", &[rule::GAP_16][..]).with("field", board.name(*target)));
    }
    Ok(Permit {
        rules: vec![rule::GAP_16, rule::R0_2_7, rule::R0_4_21, rule::R0_4_31],
        ..Permit::default()
    })
}

/// Carries out what [`judge`] allowed.
pub fn perform(battle: &mut Battle<'_>, _player: RealmId, deed: &Fight, permit: &Permit) {
    let Fight::Pour { figure, target } = deed else { return };
    melee::spend_act(battle, *figure);
    let round = battle.position.clock.round;
    let from = battle.position.cell_of(*figure);
    if let Some(building) = from
        .and_then(|cell| battle.position.board.ground_mut(cell))
        .and_then(|ground| ground.building.as_mut())
    {
        crate::gates::count(&mut building.poured, &mut building.pours, round);
    }
    let happening = FightHappening::Poured {
        figure: *figure,
        target: *target,
    };
    battle.emit(permit.rules.clone(), &[], happening);
    let (living, devices) = below(battle, *target);
    for id in living {
        if battle.position.figure(id).is_some_and(Figure::is_present) {
            survival::endure_or_fall(battle, id, rule::GAP_16, "pitch", Fate::Perished);
        }
    }
    for id in devices {
        burn(battle, id);
    }
}

/// Who and what the pitch meets: nobody inside a turtle or siege tower, nobody who hovers or swims.
fn below(battle: &Battle<'_>, target: Cell) -> (Vec<FigureId>, Vec<FigureId>) {
    let position = &battle.position;
    let met = |id: FigureId, figure: &Figure| {
        let sheltered = |place: Place| {
            matches!(
                place,
                Place::On(_, Part::Inside | Part::Lower) | Place::Above(_) | Place::Swimming(_)
            )
        };
        position.cell_of(id) == Some(target) && !sheltered(figure.place)
    };
    let there: Vec<(FigureId, bool)> = position
        .present()
        .filter(|(id, figure)| met(*id, figure))
        .map(|(id, figure)| (id, figure.kind.family().is_device()))
        .collect();
    let pick = |device: bool| there.iter().filter(|one| one.1 == device).map(|one| one.0).collect();
    (pick(false), pick(true))
}

/// A device is destroyed up to a natural sum; siege tower and turtle withstand more.
fn burn(battle: &mut Battle<'_>, id: FigureId) {
    let Some(figure) = battle.position.figure(id).filter(|figure| figure.is_present()) else {
        return;
    };
    let owner = figure.possessor;
    let table = &battle.tables.pitch;
    let number = if figure.kind.family() == Family::Shelter {
        table.shelter_destroyed_to
    } else {
        table.device_destroyed_to
    };
    let name = figure.to_string();
    let (throw, dice) = battle.throw(rule::GAP_16, owner, format_args!("{owner} {name} pitch"));
    let destroyed = throw.natural() <= number;
    let happening = FightHappening::Burned {
        device: id,
        throw,
        number,
        destroyed,
    };
    battle.emit(&[rule::GAP_16][..], &dice, happening);
    if destroyed {
        survival::fall(battle, id, Fate::Destroyed, vec![rule::GAP_16], &[]);
    }
}

/// Every pour of an own warrior on a platform.
pub fn candidates(scene: Scene<'_>, player: RealmId, list: &mut Vec<Deed>) {
    let position = scene.position;
    let own = position
        .present()
        .filter(|(_, figure)| figure.possessor == player && figure.kind.is_warrior() && !figure.acted);
    for (figure, found) in own {
        let Place::At(spot) = found.place else { continue };
        let platform = position
            .board
            .building(spot.cell)
            .and_then(|building| building.platform(scene.tables));
        if platform == Some(spot.level) {
            let pour = |(_, target)| Deed::Fight(Fight::Pour { figure, target });
            list.extend(position.board.neighbours(spot.cell).map(pour));
        }
    }
}
