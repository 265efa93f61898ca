//! The only judge of deeds: what is offered to a player and what is refused to him come from here.
//!
//! [`judge`] asks what holds for every deed, then the deed's chapter. [`offers`] lets every chapter name the deeds that might be possible and
//! keeps those that [`judge`] allows. So what is offered is legal by construction; that everything legal is offered is a law of the
//! chapters' `candidates`, tested in `tests/laws.rs`.

use crate::battle::{Battle, Scene};
use crate::deed::{Deed, Field, Fight, Magic, Permit, Refusal};
use crate::kinds::Stage;
use crate::rule;
use crate::state::{Figure, FigureId};
use crate::{
    animals, buildings, control, creatures, devices, flight, gates, hauling, magic, melee, missiles, movement, onager,
    phalanx, pitch, quadriga, ships, siege, swap, trade, water,
};
use kernel::diagnostic::Value;
use kernel::realm::RealmId;

/// Whether a player may do this now, what it costs, or why not.
///
/// # Errors
/// The refusal.
pub fn judge(scene: Scene<'_>, player: RealmId, deed: &Deed) -> Result<Permit, Refusal> {
    let position = scene.position;
    if position.outcome.is_some() {
        return Err(Refusal::new("battle-over", &[rule::GAP_44][..]));
    }
    if position.mover() != Some(player) {
        return Err(Refusal::new("not-your-turn", &[rule::R0_2_8][..]));
    }
    let reached = position.clock.stage;
    let rank = |stage: Stage| scene.tables.sequence.rank(stage);
    if deed.stage(reached).is_some_and(|stage| rank(stage) < rank(reached)) {
        let word = reached.word().into();
        return Err(Refusal::new("stage-passed", &[rule::GAP_01, rule::R0_3_1][..]).with("stage", Value::Word { word }));
    }
    match deed {
        Deed::Field(deed) => judge_field(scene, player, deed),
        Deed::Fight(deed) => judge_fight(scene, player, deed),
        Deed::Magic(deed) => match deed {
            Magic::TakeCentre { .. } | Magic::Raze { .. } | Magic::Plunder { .. } => trade::judge(scene, player, deed),
            _ => magic::judge(scene, player, deed),
        },
    }
}

fn judge_field(scene: Scene<'_>, player: RealmId, deed: &Field) -> Result<Permit, Refusal> {
    match deed {
        Field::Face { figure, .. } if phalanx::is_member(scene.position, *figure) => {
            phalanx::judge_march(scene, player, deed)
        }
        Field::Step { .. } | Field::Face { .. } => movement::judge(scene, player, deed),
        Field::Swap { .. } => swap::judge(scene, player, deed),
        Field::Board { .. } | Field::Leave { .. } | Field::Lead { .. } => animals::judge(scene, player, deed),
        Field::Haul { .. } => hauling::judge(scene, player, deed),
        Field::March { .. } => phalanx::judge_march(scene, player, deed),
        Field::Drive { .. } | Field::Harness { .. } | Field::Unharness { .. } => quadriga::judge(scene, player, deed),
        Field::Sail { .. } => ships::judge(scene, player, deed),
        Field::LandFromWater { .. } => water::judge(scene, player, deed),
        Field::Flee { .. } => flight::judge(scene, player, deed),
        Field::Possess { .. } | Field::Give { .. } | Field::Lend { .. } => control::judge(scene, player, deed),
    }
}

fn judge_fight(scene: Scene<'_>, player: RealmId, deed: &Fight) -> Result<Permit, Refusal> {
    match deed {
        Fight::Attack { figure, .. } if creatures::attacks_alone(scene.position, *figure) => {
            creatures::judge_attack(scene, player, deed)
        }
        Fight::Attack { .. } => melee::judge(scene, player, deed),
        Fight::WeightBlow { .. } | Fight::FormPhalanx { .. } | Fight::DissolvePhalanx { .. } => {
            phalanx::judge(scene, player, deed)
        }
        Fight::Shoot { .. } | Fight::Loophole { .. } => missiles::judge(scene, player, deed),
        Fight::Throw { .. } => onager::judge(scene, player, deed),
        Fight::Pour { .. } => pitch::judge(scene, player, deed),
        Fight::Ram { .. }
        | Fight::SetLadder { .. }
        | Fight::Topple { .. }
        | Fight::ThrowRope { .. }
        | Fight::TieRopes { .. }
        | Fight::CutRope { .. }
        | Fight::Destroy { .. } => devices::judge(scene, player, deed),
        Fight::RamShip { .. } => ships::judge_ram(scene, player, deed),
        Fight::Gate { .. } => gates::judge(scene, player, deed),
        Fight::Besiege { .. } => siege::judge(scene, player, deed),
        Fight::Search { .. } => buildings::judge(scene, player, deed),
    }
}

/// Everything that a player may do now, in the order of the chapters, each thing once.
pub fn offers(scene: Scene<'_>, player: RealmId) -> Vec<Deed> {
    let mut list = candidates(scene, player);
    list.retain(|deed| judge(scene, player, deed).is_ok());
    list
}

/// Everything that a player might do now, each thing once: what [`judge`] allows of it is what he may do. For those who ask about a few of
/// them only.
pub fn candidates(scene: Scene<'_>, player: RealmId) -> Vec<Deed> {
    if scene.position.outcome.is_some() || scene.position.mover() != Some(player) {
        return Vec::new();
    }
    let mut list = Vec::new();
    for candidates in CANDIDATES {
        candidates(scene, player, &mut list);
    }
    list.sort();
    list.dedup();
    list
}

/// Names the deeds of a chapter that might be possible: all that are, and perhaps more.
pub type Candidates = fn(Scene<'_>, RealmId, &mut Vec<Deed>);

/// The chapters that offer deeds.
const CANDIDATES: &[Candidates] = &[
    movement::candidates,
    swap::candidates,
    animals::candidates,
    hauling::candidates,
    phalanx::candidates,
    quadriga::candidates,
    ships::candidates,
    water::candidates,
    flight::candidates,
    control::candidates,
    melee::candidates,
    missiles::candidates,
    onager::candidates,
    pitch::candidates,
    devices::candidates,
    gates::candidates,
    siege::candidates,
    buildings::candidates,
    magic::candidates,
    creatures::candidates,
    trade::candidates,
];

/// Does a deed: judges it, moves the clock on, and lets its chapter carry it out.
///
/// # Errors
/// The refusal; then nothing has changed.
pub fn carry_out(battle: &mut Battle<'_>, player: RealmId, deed: &Deed) -> Result<(), Refusal> {
    let permit = judge(battle.scene(player), player, deed)?;
    let reached = battle.position.clock.stage;
    // A spell that a triple pays for is cast at once, whatever the turn has reached.
    let at_once = magic::triples::pays(&battle.position, player, deed);
    if let Some(stage) = deed.stage(reached).filter(|_| !at_once) {
        let rank = |stage: Stage| battle.tables.sequence.rank(stage);
        if rank(stage) > rank(reached) {
            battle.position.clock.stage = stage;
        }
    }
    match deed {
        Deed::Field(deed) => match deed {
            Field::Face { figure, .. } if phalanx::is_member(&battle.position, *figure) => {
                phalanx::perform_march(battle, player, deed, &permit);
            }
            Field::Step { .. } | Field::Face { .. } => movement::perform(battle, player, deed, &permit),
            Field::Swap { .. } => swap::perform(battle, player, deed, &permit),
            Field::Board { .. } | Field::Leave { .. } | Field::Lead { .. } => {
                animals::perform(battle, player, deed, &permit);
            }
            Field::Haul { .. } => hauling::perform(battle, player, deed, &permit),
            Field::March { .. } => phalanx::perform_march(battle, player, deed, &permit),
            Field::Drive { .. } | Field::Harness { .. } | Field::Unharness { .. } => {
                quadriga::perform(battle, player, deed, &permit);
            }
            Field::Sail { .. } => ships::perform(battle, player, deed, &permit),
            Field::LandFromWater { .. } => water::perform(battle, player, deed, &permit),
            Field::Flee { .. } => flight::perform(battle, player, deed, &permit),
            Field::Possess { .. } | Field::Give { .. } | Field::Lend { .. } => {
                control::perform(battle, player, deed, &permit);
            }
        },
        Deed::Fight(deed) => perform_fight(battle, player, deed, &permit),
        Deed::Magic(deed) => match deed {
            Magic::TakeCentre { .. } | Magic::Raze { .. } | Magic::Plunder { .. } => {
                trade::perform(battle, player, deed, &permit);
            }
            _ => magic::perform(battle, player, deed, &permit),
        },
    }
    devices::loosen(battle);
    // Majorities are determined anew after every change of the board (ARM-0.2.9).
    control::settle(battle);
    magic::triples::settle(battle);
    Ok(())
}

fn perform_fight(battle: &mut Battle<'_>, player: RealmId, deed: &Fight, permit: &Permit) {
    match deed {
        Fight::Attack { figure, .. } if creatures::attacks_alone(&battle.position, *figure) => {
            creatures::attack(battle, player, deed);
        }
        Fight::Attack { .. } => melee::perform(battle, player, deed, permit),
        Fight::WeightBlow { .. } | Fight::FormPhalanx { .. } | Fight::DissolvePhalanx { .. } => {
            phalanx::perform(battle, player, deed, permit);
        }
        Fight::Shoot { .. } | Fight::Loophole { .. } => missiles::perform(battle, player, deed, permit),
        Fight::Throw { .. } => onager::perform(battle, player, deed, permit),
        Fight::Pour { .. } => pitch::perform(battle, player, deed, permit),
        Fight::Ram { .. }
        | Fight::SetLadder { .. }
        | Fight::Topple { .. }
        | Fight::ThrowRope { .. }
        | Fight::TieRopes { .. }
        | Fight::CutRope { .. }
        | Fight::Destroy { .. } => devices::perform(battle, player, deed, permit),
        Fight::RamShip { .. } => ships::perform_ram(battle, player, deed, permit),
        Fight::Gate { .. } => gates::perform(battle, player, deed, permit),
        Fight::Besiege { .. } => siege::perform(battle, player, deed, permit),
        Fight::Search { .. } => buildings::perform(battle, player, deed, permit),
    }
}

/// A figure of the player's that can do something: on the board, his, neither paralysed nor petrified.
///
/// # Errors
/// The refusal.
pub fn own<'a>(scene: Scene<'a>, player: RealmId, id: FigureId) -> Result<&'a Figure, Refusal> {
    let figure = mine(scene, player, id)?;
    if !figure.is_able() {
        return Err(Refusal::new("spellbound", &[rule::GAP_32][..]).with("figure", figure.to_string()));
    }
    Ok(figure)
}

/// A figure of the player's on the board, whether it can do something or not.
///
/// # Errors
/// The refusal.
pub fn mine<'a>(scene: Scene<'a>, player: RealmId, id: FigureId) -> Result<&'a Figure, Refusal> {
    let name = || scene.position.name(id);
    let figure = scene.position.figure(id).filter(|figure| figure.is_present());
    let Some(figure) = figure else {
        return Err(Refusal::new("no-such-figure", &[rule::R0_2_4][..]).with("figure", name()));
    };
    if figure.possessor != player {
        return Err(Refusal::new("not-your-figure", &[rule::R0_3_10][..]).with("figure", name()));
    }
    Ok(figure)
}

/// The same for an act: it must not have acted in this round (ARM-0.3.9).
///
/// # Errors
/// The refusal.
pub fn own_act<'a>(scene: Scene<'a>, player: RealmId, id: FigureId) -> Result<&'a Figure, Refusal> {
    let figure = own(scene, player, id)?;
    if figure.acted {
        return Err(Refusal::new("acted-already", &[rule::R0_3_3, rule::R0_3_9][..]).with("figure", figure.to_string()));
    }
    Ok(figure)
}

/// Whether the stage of the movement phase has not passed yet, for chapters that offer many candidates.
pub fn movement_is_open(scene: Scene<'_>) -> bool {
    scene.position.clock.stage <= Stage::Movement
}
