//! Ownership, possession and control (ARM-0.4.6 to 0.4.17, ARM-0.4.26 to 0.4.37, ARM-GAP-37, ARM-GAP-47).
//!
//! An animal belongs to whoever rides or leads it; a device to whoever last had the majority where it stands, a ship or wagon on it.
//! [`settle`] determines that anew after every change of the board (ARM-0.2.9); [`controls`] is what serving, hauling, steering and throwing
//! ask.

use crate::battle::{Battle, Scene};
use crate::deed::{Deed, Field, Permit, Refusal};
use crate::event::FieldHappening;
use crate::kinds::{Family, Kind};
use crate::majority;
use crate::rule;
use crate::state::{Figure, FigureId, Moved, Place, Position};
use crate::tables::Tables;
use crate::tables::rulings::QuadrigaTaken;
use kernel::realm::RealmId;
use kernel::rule::RuleId;

/// Who has the majority where a device is decided: on a ship or wagon, else on its field (ARM-0.4.11 to 0.4.13).
pub fn holder(tables: &Tables, position: &Position, device: FigureId) -> Option<RealmId> {
    let figure = position.figure(device)?;
    match figure.kind.family() {
        Family::Ship | Family::Wagon => majority::aboard(tables, position, device),
        _ => majority::on_cell(tables, position, position.cell_of(device)?, Some(figure.owner)),
    }
}

/// Whether it is a player who decides about a device: he has the majority, or he borrowed it from the ally who has it and is there himself
/// (ARM-0.4.16, ARM-0.4.36: whoever lends has agreed who controls it).
pub fn decides(tables: &Tables, position: &Position, player: RealmId, device: FigureId) -> bool {
    let has = holder(tables, position, device);
    let Some(figure) = position.figure(device).filter(|_| has.is_some()) else {
        return false;
    };
    let borrowed = figure.possessor == player && figure.owner != player && has == Some(figure.owner);
    has == Some(player)
        || borrowed
            && position.allied(player, figure.owner)
            && position.present().any(|(id, one)| {
                let there = match figure.kind.family() {
                    Family::Ship | Family::Wagon => position.crew(device).any(|(other, _)| other == id),
                    _ => position.cell_of(id) == position.cell_of(device),
                };
                there && one.owner == player && one.kind.is_warrior() && one.is_able()
            })
}

/// ARM-0.4.29: whether a player controls a device: he possesses it and has the majority.
///
/// # Errors
/// The refusal.
pub fn controls(scene: Scene<'_>, player: RealmId, device: FigureId) -> Result<Vec<RuleId>, Refusal> {
    let Some(figure) = scene.position.figure(device).filter(|figure| figure.is_present()) else {
        return Err(Refusal::new("no-such-figure", &[rule::R0_2_4][..]).with("figure", scene.position.name(device)));
    };
    if figure.possessor != player {
        return Err(
            Refusal::new("not-your-figure", &[rule::R0_3_10, rule::R0_4_29][..]).with("figure", figure.to_string())
        );
    }
    if !decides(scene.tables, scene.position, player, device) {
        return Err(no_majority(figure));
    }
    Ok(vec![rule::R0_4_29, rule::R0_4_33])
}

/// ARM-0.4.37: without the majority nothing is driven, served or steered; the possessor stays who he was (ARM-0.4.14).
pub fn no_majority(figure: &Figure) -> Refusal {
    let rules = &[rule::R0_4_29, rule::R0_4_37, rule::R0_4_34, rule::R0_4_14][..];
    Refusal::new("no-majority", rules).with("figure", figure.to_string())
}

/// ARM-0.4.11, ARM-0.4.12, ARM-0.4.34 to 0.4.36: devices and ships pass to the enemy who has the majority, at once and whoever's turn it
/// is (ARM-0.2.9). A wagon passes when it is first driven (ARM-GAP-37).
pub fn settle(battle: &mut Battle<'_>) {
    let at_once = battle.tables.quadriga.taken == QuadrigaTaken::AtOnce;
    let taken: Vec<(FigureId, RealmId, Family)> = battle
        .position
        .present()
        .filter(|(_, figure)| figure.kind.family().is_device() && (at_once || figure.kind != Kind::Wagon))
        .filter_map(|(id, figure)| {
            let holder = holder(battle.tables, &battle.position, id)?;
            let free = !battle.position.allied(holder, figure.possessor);
            free.then_some((id, holder, figure.kind.family()))
        })
        .collect();
    for (id, to, family) in taken {
        let own = match family {
            Family::Ship => rule::R0_4_12,
            Family::Wagon => rule::R0_4_13,
            _ => rule::R0_4_11,
        };
        let mut rules = vec![own, rule::R0_2_9, rule::R0_4_27, rule::R0_4_34, rule::R0_4_35];
        if helped(battle, id, to) {
            rules.push(rule::R0_4_36);
        }
        pass(battle, id, to, rules);
    }
}

/// Whether a majority is one only together with allies.
fn helped(battle: &Battle<'_>, device: FigureId, player: RealmId) -> bool {
    let aboard = matches!(
        battle.position.figure(device).map(|found| found.kind.family()),
        Some(Family::Ship | Family::Wagon)
    );
    let there = |id: FigureId| match aboard {
        true => battle.position.crew(device).any(|(one, _)| one == id),
        false => battle.position.cell_of(id) == battle.position.cell_of(device),
    };
    battle.position.present().any(|(id, figure)| {
        figure.kind.is_warrior() && figure.owner != player && battle.position.allied(player, figure.owner) && there(id)
    })
}

/// Something gets a new owner and possessor, announced to all (ARM-0.4.26). A wagon takes its team along (ARM-0.4.13). The possession
/// alone passes between allies, and back to an owner.
pub fn pass(battle: &mut Battle<'_>, id: FigureId, to: RealmId, mut rules: Vec<RuleId>) {
    let Some(figure) = battle.position.figure(id).cloned() else {
        return;
    };
    let animal = figure.kind.family().is_animal();
    let lent = !animal && figure.owner != to && battle.position.allied(figure.owner, to);
    rules.push(rule::R0_4_26);
    let round = battle.position.clock.round;
    if let Some(found) = battle.position.figure_mut(id) {
        found.possessor = to;
        // Who lent it and takes it back has made his steps with it.
        if found.moved != Some(Moved { round, by: to }) {
            found.steps = 0;
        }
        if !lent {
            found.owner = to;
        }
    }
    let happening = if lent || figure.owner == to {
        FieldHappening::PossessorChanged {
            object: id,
            from: figure.possessor,
            to,
        }
    } else {
        FieldHappening::OwnerChanged {
            object: id,
            from: figure.owner,
            to,
        }
    };
    battle.emit(rules, &[], happening);
    if figure.kind == Kind::Wagon {
        for horse in crate::quadriga::team(&battle.position, id) {
            let other = battle.position.figure(horse).is_some_and(|horse| horse.owner != to);
            if other {
                pass(battle, horse, to, vec![rule::R0_4_13]);
            }
        }
    }
}

/// ARM-0.4.45, ARM-0.4.46: what another player has moved in this round cannot be moved again.
///
/// # Errors
/// The refusal.
pub fn rested(scene: Scene<'_>, player: RealmId, id: FigureId) -> Result<(), Refusal> {
    let Some(figure) = scene.position.figure(id) else {
        return Ok(());
    };
    let now = scene.position.clock.round;
    if !figure
        .moved
        .is_some_and(|moved| moved.round == now && moved.by != player)
    {
        return Ok(());
    }
    let rules: &'static [RuleId] = if figure.kind.family().is_animal() {
        &[rule::R0_4_45]
    } else {
        &[rule::R0_4_46]
    };
    Err(Refusal::new("moved-this-round", rules).with("figure", figure.to_string()))
}

/// Taking possession, giving away, lending.
///
/// # Errors
/// The refusal.
pub fn judge(scene: Scene<'_>, player: RealmId, deed: &Field) -> Result<Permit, Refusal> {
    let rules = match deed {
        Field::Possess { object } => judge_possess(scene, player, *object)?,
        Field::Give { object, to } => judge_give(scene, player, *object, *to)?,
        Field::Lend { object, to } => judge_lend(scene, player, *object, *to)?,
        _ => return Err(Refusal::new("not-built", &[rule::R0_2_6][..])),
    };
    Ok(Permit {
        rules,
        ..Permit::default()
    })
}

fn object(scene: Scene<'_>, id: FigureId) -> Result<&Figure, Refusal> {
    let found = scene.position.figure(id).filter(|figure| figure.is_present());
    found.ok_or_else(|| Refusal::new("no-such-figure", &[rule::R0_2_4][..]).with("figure", scene.position.name(id)))
}

fn judge_possess(scene: Scene<'_>, player: RealmId, id: FigureId) -> Result<Vec<RuleId>, Refusal> {
    let figure = object(scene, id)?;
    let name = figure.to_string();
    if !figure.kind.family().is_device() {
        return Err(Refusal::new("not-by-declaring", &[rule::R0_4_27][..]).with("figure", name));
    }
    if figure.possessor == player {
        return Err(Refusal::new("yours-already", &[rule::R0_4_27][..]).with("figure", name));
    }
    if holder(scene.tables, scene.position, id) != Some(player) {
        return Err(no_majority(figure));
    }
    let mut rules = vec![rule::R0_2_6, rule::R0_4_27, rule::R0_4_34, rule::R0_3_4];
    if figure.kind == Kind::Wagon {
        rules.extend([rule::R0_4_13, rule::GAP_37]);
    }
    if scene.position.allied(player, figure.possessor) {
        rules.extend([rule::R0_4_36, rule::GAP_47]);
    }
    Ok(rules)
}

/// ARM-0.4.9, ARM-0.4.15: a warrior of the recipient must be where the thing is.
fn judge_give(scene: Scene<'_>, player: RealmId, id: FigureId, to: RealmId) -> Result<Vec<RuleId>, Refusal> {
    let figure = owned(scene, player, id, to)?;
    let name = figure.to_string();
    let family = figure.kind.family();
    if !family.is_device() && !family.is_animal() {
        return Err(Refusal::new("not-a-gift", &[rule::R0_4_10, rule::R0_4_15][..]).with("figure", name));
    }
    let rule = if family.is_animal() {
        rule::R0_4_9
    } else {
        rule::R0_4_15
    };
    let harnessed = figure
        .held_by
        .and_then(|by| scene.position.figure(by))
        .is_some_and(|by| by.kind == Kind::Wagon);
    if harnessed {
        return Err(Refusal::new("harnessed", &[rule::R0_4_13][..]).with("figure", name));
    }
    let in_use = family.is_animal()
        && (scene.position.aboard(id).any(|(_, rider)| rider.owner != to)
            || figure
                .held_by
                .and_then(|by| scene.position.figure(by))
                .is_some_and(|by| by.owner != to));
    if in_use {
        return Err(Refusal::new("animal-in-use", &[rule::R0_4_9, rule::R0_4_28][..]).with("figure", name));
    }
    if !recipient_there(scene, id, figure, to) {
        return Err(Refusal::new("recipient-absent", vec![rule]).with("figure", name));
    }
    let mut rules = vec![rule, rule::R0_2_6];
    if family.is_animal() {
        rules.push(rule::R0_4_10);
    } else {
        keeps(scene, id, figure, to)?;
    }
    Ok(rules)
}

/// ARM-0.4.29, ARM-0.4.35: whether whoever gets a device keeps it: enemies of his with the majority there would have it back at once.
fn keeps(scene: Scene<'_>, id: FigureId, figure: &Figure, to: RealmId) -> Result<(), Refusal> {
    let at_once = scene.tables.quadriga.taken == QuadrigaTaken::AtOnce || figure.kind != Kind::Wagon;
    match holder(scene.tables, scene.position, id) {
        Some(holder) if at_once && !scene.position.allied(holder, to) => {
            let rules = &[rule::R0_4_29, rule::R0_4_34, rule::R0_4_35][..];
            Err(Refusal::new("majority-takes-back", rules).with("figure", figure.to_string()))
        }
        _ => Ok(()),
    }
}

fn recipient_there(scene: Scene<'_>, id: FigureId, figure: &Figure, to: RealmId) -> bool {
    let cell = scene.position.cell_of(id);
    scene.position.present().any(|(other, warrior)| {
        let there = match figure.kind.family() {
            Family::Ship | Family::Wagon => scene.position.crew(id).any(|(one, _)| one == other),
            _ => scene.position.cell_of(other) == cell && !matches!(warrior.place, Place::Swimming(_)),
        };
        there && warrior.kind.is_warrior() && warrior.owner == to
    })
}

/// ARM-0.4.10, ARM-0.4.16: devices can be lent, animals cannot.
fn judge_lend(scene: Scene<'_>, player: RealmId, id: FigureId, to: RealmId) -> Result<Vec<RuleId>, Refusal> {
    let figure = owned(scene, player, id, to)?;
    if !figure.kind.family().is_device() {
        return Err(Refusal::new("animals-not-lent", &[rule::R0_4_10][..]).with("figure", figure.to_string()));
    }
    keeps(scene, id, figure, to)?;
    Ok(vec![rule::R0_4_16, rule::R0_2_6])
}

/// Something that is the player's property and in his possession, for another player.
fn owned(scene: Scene<'_>, player: RealmId, id: FigureId, to: RealmId) -> Result<&Figure, Refusal> {
    let figure = object(scene, id)?;
    if figure.owner != player || figure.possessor != player {
        return Err(
            Refusal::new("not-your-property", &[rule::R0_4_16, rule::R0_3_10][..]).with("figure", figure.to_string())
        );
    }
    if to == player || !scene.position.players.contains_key(&to) {
        return Err(Refusal::new("no-such-player", &[rule::R0_2_6][..]).with("player", to.to_string()));
    }
    Ok(figure)
}

/// Carries out what [`judge`] allowed.
pub fn perform(battle: &mut Battle<'_>, player: RealmId, deed: &Field, permit: &Permit) {
    match deed {
        Field::Possess { object } => pass(battle, *object, player, permit.rules.clone()),
        Field::Give { object, to } => give(battle, *object, *to, permit.rules.clone()),
        Field::Lend { object, to } => {
            let mut rules = permit.rules.clone();
            rules.push(rule::R0_4_26);
            if let Some(figure) = battle.position.figure_mut(*object) {
                figure.possessor = *to;
            }
            let happening = FieldHappening::PossessorChanged {
                object: *object,
                from: player,
                to: *to,
            };
            battle.emit(rules, &[], happening);
        }
        _ => {}
    }
}

/// A gift changes the owner, also between allies.
fn give(battle: &mut Battle<'_>, object: FigureId, to: RealmId, mut rules: Vec<RuleId>) {
    rules.push(rule::R0_4_26);
    let mut given = vec![object];
    if battle
        .position
        .figure(object)
        .is_some_and(|figure| figure.kind == Kind::Wagon)
    {
        given.extend(crate::quadriga::team(&battle.position, object));
    }
    for id in given {
        let Some(figure) = battle.position.figure_mut(id) else {
            continue;
        };
        let from = std::mem::replace(&mut figure.owner, to);
        figure.possessor = to;
        let happening = FieldHappening::OwnerChanged { object: id, from, to };
        battle.emit(rules.clone(), &[], happening);
    }
}

/// Every device to take, every thing to give or lend.
pub fn candidates(scene: Scene<'_>, player: RealmId, list: &mut Vec<Deed>) {
    for (id, figure) in scene.position.present() {
        let family = figure.kind.family();
        if !family.is_device() && !family.is_animal() {
            continue;
        }
        if figure.possessor != player {
            list.push(Deed::Field(Field::Possess { object: id }));
            continue;
        }
        for to in scene.position.players.keys().filter(|to| **to != player) {
            list.push(Deed::Field(Field::Give { object: id, to: *to }));
            list.push(Deed::Field(Field::Lend { object: id, to: *to }));
        }
    }
}
