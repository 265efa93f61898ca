//! Losses and the end of armies: the one place where heads fall and armies leave the world (THO-UNIT-06, GAP-19, GAP-26).
//!
//! Every chapter that kills goes through [`wound`] or [`lose`], so that no fleet sinks without its cargo, no group is
//! left without members and no demon without a master.

use crate::codes::{Command, Flag, Kind};
use crate::event::{Demise, Happening, Release};
use crate::rule;
use crate::sea;
use crate::season::{Plan, Season, SeasonTurn};
use crate::state::{ArmyId, ArmyName};
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::{Cause, Die};

/// Takes `lost` heads, ships or points from an army and returns what is left of it; the caller says why in an event of
/// his own before.
///
/// THO-UNIT-06, GAP-26: what falls below its minimum strength vanishes at once. THO-SEA-02, GAP-19: a fleet that shrank
/// throws overboard what it has no room for. Points that a wizard or priest spends are no losses and do not come here.
/// A group has no heads of its own: its members are wounded one by one.
pub fn wound(turn: &mut SeasonTurn<'_>, season: &mut Season, id: ArmyId, lost: i64, why: Demise, cause: Cause) -> i64 {
    let least = turn.tables.of(id.realm).exist_min(id.kind());
    let Some(army) = turn.state.armies.get_mut(&id) else {
        return 0;
    };
    army.count = army.count.saturating_sub(lost.max(0)).max(0);
    let left = army.count;
    if left < least {
        lose(turn, season, id, why, cause);
        return 0;
    }
    if lost > 0 && id.kind().sails() {
        throw_overboard(turn, season, id, cause);
    }
    left
}

/// THO-SEA-02, GAP-19: the army aboard is cut down to the room that its fleet still has.
fn throw_overboard(turn: &mut SeasonTurn<'_>, season: &mut Season, fleet: ArmyId, cause: Cause) {
    let Some(ships) = turn.state.army(fleet).map(|army| army.count) else {
        return;
    };
    for cargo in season.followers(fleet) {
        let Some(count) = turn.state.army(cargo).map(|army| army.count) else {
            continue;
        };
        let room = sea::cargo_max(turn.tables.of(fleet.realm), fleet.kind(), ships, cargo.kind());
        let lost = count - count.min(room);
        if lost > 0 {
            let event = drown(turn, season, cargo, fleet, lost, cause);
            wound(turn, season, cargo, lost, Demise::Sea, event);
        }
    }
}

/// Tells how many of an army aboard the sea has taken; what comes of it hangs on this event.
fn drown(turn: &mut SeasonTurn<'_>, season: &Season, army: ArmyId, fleet: ArmyId, lost: i64, cause: Cause) -> Cause {
    let rules = &[rule::SEA_02, rule::UNIT_09, rule::GAP_19][..];
    let what = Happening::CargoLost { army, fleet, lost };
    Cause::Event(season.emit(turn, cause, rules, &[], what))
}

/// Takes an army out of the world, and with it what hung on it.
///
/// GAP-19: the cargo of a fleet goes down with it. THO-DEM-09: the demons of a wizard are free at once. GAP-35: a group
/// that has no member left is gone; one that has a single member left dissolves at the end of the turn.
pub fn lose(turn: &mut SeasonTurn<'_>, season: &mut Season, id: ArmyId, why: Demise, cause: Cause) {
    let followers = season.followers(id);
    let Some(army) = season.remove(&mut turn.state, id) else {
        return;
    };
    let event = season.emit(
        turn,
        cause,
        reasons(why),
        &[],
        Happening::ArmyLost {
            army: id,
            field: army.field,
            why,
        },
    );
    let after = Cause::Event(event);
    for follower in followers {
        if id.kind().is_group() {
            season.attach(&mut turn.state, follower, |member| member.group = None);
        } else {
            let aboard = turn.state.army(follower).map_or(0, |army| army.count);
            let drowned = drown(turn, season, follower, id, aboard, after);
            lose(turn, season, follower, Demise::Sea, drowned);
        }
    }
    if let Some(group) = army.group {
        let group = group.of(id.realm);
        if season.followers(group).is_empty() && season.remove(&mut turn.state, group).is_some() {
            let rules = &[rule::GRP_01, rule::GAP_35][..];
            season.emit(turn, after, rules, &[], Happening::GroupDissolved { group });
        }
    }
    if id.kind().is_wizard() {
        for demon in demons_of(turn, id) {
            set_free(turn, season, demon, Release::MasterGone, after, &[]);
        }
    }
}

/// The rules behind an army's end.
const fn reasons(why: Demise) -> &'static [RuleId] {
    match why {
        Demise::Fight | Demise::Way => &[rule::UNIT_06, rule::GAP_26],
        Demise::Sea => &[rule::SEA_02, rule::UNIT_06, rule::GAP_19],
        Demise::TooWeak => &[rule::UNIT_06, rule::GAP_26, rule::GAP_12],
        Demise::Unpaid => &[rule::ECON_05, rule::UNIT_06, rule::GAP_11, rule::GAP_26],
        Demise::Gate => &[rule::SPEC_13, rule::GAP_31],
        Demise::Sphere => &[rule::DEM_02, rule::PRIEST_05],
        Demise::Overreached => &[rule::MAGE_08, rule::GAP_37],
        Demise::Spent => &[rule::MAGE_09, rule::GAP_27],
        Demise::GameMaster => &[rule::ADM_02],
    }
}

/// The demons that a wizard controls, in table order.
pub fn demons_of(turn: &SeasonTurn<'_>, wizard: ArmyId) -> Vec<ArmyId> {
    let names = ArmyName::new(Kind::Archdemon, 0)..=ArmyName::new(Kind::Demon, u32::MAX);
    turn.state
        .armies
        .range(wizard.realm, names)
        .filter(|(_, demon)| demon.master == Some(wizard.name))
        .map(|(id, _)| *id)
        .collect()
}

/// A demon passes to realm 0 under a new number and returns it: it stays where it is, forgets its orders and attacks.
///
/// THO-DEM-05, THO-DEM-09, GAP-28: normal demons plunder, archdemons attack everything that moves.
pub fn set_free(
    turn: &mut SeasonTurn<'_>,
    season: &mut Season,
    was: ArmyId,
    why: Release,
    cause: Cause,
    dice: &[Die],
) -> Option<ArmyId> {
    if was.realm == RealmId::NOBODY {
        return None;
    }
    let mut demon = season.remove(&mut turn.state, was)?;
    demon.master = None;
    demon.flag = Flag::Shown;
    demon.command = if was.kind() == Kind::Archdemon {
        Command::Attack
    } else {
        Command::Plunder
    };
    let number = turn.state.free_number(RealmId::NOBODY, was.kind());
    let free = ArmyName::new(was.kind(), number).of(RealmId::NOBODY);
    let told = season.plan(was).cloned().unwrap_or_default();
    // Its number may have been another demon's earlier this turn, whose plan must not live on.
    *season.plan_mut(free) = Plan {
        aim: Some(demon.field),
        stayed: told.stayed,
        moved: told.moved,
        fought: told.fought,
        ..Plan::default()
    };
    season.add(&mut turn.state, free, demon);
    if season.helped.remove(&was) {
        season.helped.insert(free);
    }
    let rules: &[RuleId] = match why {
        Release::MasterGone => &[rule::DEM_09, rule::DEM_05, rule::GAP_28],
        Release::TooFar => &[rule::DEM_03, rule::DEM_05, rule::GAP_27],
        Release::Unpaid => &[rule::MAGE_09, rule::DEM_04, rule::DEM_05, rule::GAP_27],
        Release::Broken => &[rule::MAGE_07, rule::DEM_05, rule::GAP_37],
        Release::BrokeFree => &[rule::DEM_07, rule::DEM_05, rule::GAP_27],
    };
    season.emit(
        turn,
        cause,
        rules.to_vec(),
        dice,
        Happening::DemonFreed { demon: free, was, why },
    );
    Some(free)
}

/// D11: armies below their minimum strength vanish, those of spent points included.
///
/// THO-UNIT-06, GAP-26.
pub fn dissolve_weak(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let weak: Vec<ArmyId> = turn
        .state
        .armies
        .iter()
        .filter(|(id, army)| !id.kind().is_group() && army.count < turn.tables.of(id.realm).exist_min(id.kind()))
        .map(|(id, _)| *id)
        .collect();
    for id in weak {
        lose(turn, season, id, Demise::TooWeak, Cause::Step("dissolve-weak"));
    }
}
