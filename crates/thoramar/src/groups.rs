//! Groups of armies (THO-GRP, GAP-35).
//!
//! A group is an army of its own in the world's books (`V.L`, `V.S`) with a count of 0: it has place, points, command and
//! flag, its members have the heads. Members stand where it stands and follow it.

use crate::codes::{Command, Kind};
use crate::event::Happening;
use crate::movement;
use crate::order::Special;
use crate::rule;
use crate::season::{Season, SeasonTurn};
use crate::state::{Army, ArmyId};
use crate::tables::Tables;
use kernel::diagnostic::{Diagnostic, Span};
use kernel::turn::Cause;
use std::collections::BTreeMap;

/// Movement points of a group: the slowest member's less one.
///
/// THO-GRP-02. A group without members goes nowhere.
pub fn pace(tables: &Tables, members: impl IntoIterator<Item = Kind>) -> i32 {
    let slowest = members.into_iter().map(|kind| tables.movement_points(kind)).min();
    slowest.map_or(0, |points| {
        i32::try_from(points).unwrap_or(i32::MAX).saturating_sub(1).max(0)
    })
}

/// Whether two numbers are about equal: neither less than half nor more than one and a half times the other.
///
/// THO-GRP-05, GAP-35: `2b >= a`, `2b <= 3a`, `2a >= b`, `2a <= 3b`.
pub fn about_equal(a: i64, b: i64) -> bool {
    let fits = |a: i64, b: i64| b.saturating_mul(2) >= a && b.saturating_mul(2) <= a.saturating_mul(3);
    a > 0 && b > 0 && fits(a, b) && fits(b, a)
}

/// Whether a group is mixed: about as many riders as warriors, or about as many heavy ships as light ones.
///
/// THO-GRP-05, THO-GRP-07, GAP-35: nothing else counts for the mix.
pub fn is_mixed(group: Kind, members: impl IntoIterator<Item = (Kind, i64)>) -> bool {
    use crate::codes::Arm;
    let (mut one, mut other) = (0_i64, 0_i64);
    for (kind, count) in members {
        match (group, kind) {
            (Kind::LandGroup, kind) if kind.arm() == Arm::Warrior => one = one.saturating_add(count),
            (Kind::LandGroup, kind) if kind.arm() == Arm::Rider => other = other.saturating_add(count),
            (Kind::SeaGroup, Kind::LightShip) => one = one.saturating_add(count),
            (Kind::SeaGroup, Kind::HeavyShip) => other = other.saturating_add(count),
            _ => {}
        }
    }
    about_equal(one, other)
}

/// The combat bonus of a group's members in percent.
///
/// THO-GRP-05, THO-GRP-07, THO-COMB-05, GAP-17, GAP-35: mixed 20, a war priest as member 5, mixed or not.
pub fn bonus_percent(tables: &Tables, group: Kind, members: &[(Kind, i64)]) -> i64 {
    let bonus = &tables.combat.bonus_pct;
    let has_priest = members
        .iter()
        .any(|(kind, points)| *kind == Kind::WarPriest && *points > 0);
    let mixed = is_mixed(group, members.iter().copied());
    i64::from(mixed) * bonus.mixed_group + i64::from(has_priest) * bonus.war_priest_in_group
}

/// Whether armies of a kind may be members of a group of a kind.
///
/// THO-GRP-01, THO-GRP-07: everything but wizards and demons; on land what walks, at sea what sails.
pub fn admits(group: Kind, kind: Kind) -> bool {
    kind.may_join() && kind.sails() == group.sails()
}

/// B4: members given another order leave their group, and orders that no group or member can carry out are refused.
///
/// THO-GRP-03, GAP-35: members stay until they leave; wishing to join another group is leaving too. What the group owes of
/// its movement points goes with everyone who leaves. THO-GRP-04: a group neither embarks nor uses a gate.
pub fn leave(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let mut leaving: BTreeMap<ArmyId, Vec<ArmyId>> = BTreeMap::new();
    for (id, army) in turn.state.armies.iter() {
        let (Some(group), Some(plan)) = (army.group, season.plan(*id)) else {
            continue;
        };
        let elsewhere = matches!(&plan.special, Some(special)
            if matches!(special.value, Special::Join(other) if other != group));
        if plan.line.is_some() && (!plan.is_standing() || army.command != Command::Defend || elsewhere) {
            leaving.entry(group.of(id.realm)).or_default().push(*id);
        }
    }
    for (group, members) in leaving {
        let debt = debt(turn, season, group);
        for army in members {
            release(turn, season, army, debt);
            let rules = &[rule::GRP_03, rule::GAP_35][..];
            let cause = season.cause(army, "leave-groups");
            season.emit(turn, cause, rules, &[], Happening::GroupLeft { army, group });
        }
        if season.followers(group).is_empty() {
            end(turn, season, group, Cause::Step("leave-groups"));
        }
    }
    refuse_specials(turn, season);
}

/// A34: what only an army by itself can do.
fn refuse_specials(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let forbidden = |special: &Special| {
        use Special::{Embark, Gate, Join, Merge, Split};
        matches!(special, Split { .. } | Merge { .. } | Embark(_) | Gate(_) | Join(_))
    };
    for (id, special) in season.pending(forbidden) {
        let bound = id.kind().is_group() || turn.state.army(id).is_some_and(|army| army.group.is_some());
        let alone = id.kind().is_group() || !matches!(special.value, Special::Join(_));
        if bound && alone {
            season.plan_mut(id).special_done = true;
            let refusal = Diagnostic::error("A34", special.span, &[rule::GRP_04, rule::GAP_35]);
            turn.refuse(id.realm, refusal.with_word("spezial", special.value.verb()));
        }
    }
}

/// The movement points that a group lacks to its full number.
fn debt(turn: &SeasonTurn<'_>, season: &Season, group: ArmyId) -> i32 {
    let points = turn.state.army(group).map_or(0, |army| army.points);
    movement::pace(turn.tables, season, group).saturating_sub(points).max(0)
}

/// Makes a member an army by itself again; it lacks as many points as its group did.
fn release(turn: &mut SeasonTurn<'_>, season: &mut Season, member: ArmyId, debt: i32) {
    let full = movement::pace(turn.tables, season, member);
    season.attach(&mut turn.state, member, |army| {
        army.group = None;
        army.points = army.points.min(full.saturating_sub(debt));
    });
}

fn end(turn: &mut SeasonTurn<'_>, season: &mut Season, group: ArmyId, cause: Cause) {
    let debt = debt(turn, season, group);
    for member in season.followers(group) {
        release(turn, season, member, debt);
    }
    if season.remove(&mut turn.state, group).is_some() {
        let rules = &[rule::GRP_01, rule::GAP_35][..];
        season.emit(turn, cause, rules, &[], Happening::GroupDissolved { group });
    }
}

/// B4: forming and joining groups.
///
/// THO-SPEC-07, THO-GRP-09: the first army that names a group creates it. THO-GRP-06: others must stand where it stands.
/// THO-GRP-02: the group has a point less than its member with the fewest.
pub fn join(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    for (id, special) in season.pending(|special| matches!(special, Special::Join(_))) {
        let Special::Join(group) = special.value else { continue };
        let group = group.of(id.realm);
        let Some(army) = turn.state.army(id) else { continue };
        season.plan_mut(id).special_done = true;
        if army.group == Some(group.name) {
            continue;
        }
        let (field, points) = (army.field, army.points.saturating_sub(1));
        if let Err(refusal) = may_join(turn, season, id, group, special.span) {
            turn.refuse(id.realm, *refusal);
            continue;
        }
        let founds = turn.state.army(group).is_none();
        let cost = if founds {
            turn.tables.of(id.realm).price_fixed(group.kind())
        } else {
            0
        };
        if founds {
            if let Some(realm) = turn.state.realms.get_mut(&id.realm) {
                realm.treasury = realm.treasury.saturating_sub(cost);
            }
            let flag = turn.tables.of(id.realm).orders.new_army_flag;
            let army = Army {
                flag,
                ..Army::new(0, field, points)
            };
            season.add(&mut turn.state, group, army);
        } else if let Some(group) = turn.state.armies.get_mut(&group) {
            group.points = group.points.min(points);
        }
        season.attach(&mut turn.state, id, |army| army.group = Some(group.name));
        let mut rules = vec![rule::SPEC_07, rule::GRP_01, rule::GRP_02];
        rules.extend_from_slice(if founds {
            &[rule::GRP_08, rule::GRP_09, rule::GAP_35]
        } else {
            &[rule::GRP_06]
        });
        if group.kind() == Kind::SeaGroup {
            rules.push(rule::GRP_07);
        }
        let what = if founds {
            Happening::GroupFormed { group, by: id, cost }
        } else {
            Happening::GroupJoined { army: id, group }
        };
        let cause = season.cause(id, "join-groups");
        season.emit(turn, cause, rules, &[], what);
    }
}

/// Whether an army may form or join a group: A08, A19, A20, A18, A16, A21.
fn may_join(
    turn: &SeasonTurn<'_>,
    season: &Season,
    id: ArmyId,
    group: ArmyId,
    span: Span,
) -> Result<(), Box<Diagnostic>> {
    let state = &turn.state;
    let Some(army) = state.army(id) else { return Ok(()) };
    let plan = season.plan(id);
    let name = group.name.to_string();
    if plan.is_some_and(|plan| plan.just_split) {
        let refusal = Diagnostic::error("A08", span, &[rule::SPEC_02]);
        return Err(Box::new(refusal.with("armee", id.name.to_string())));
    }
    if !admits(group.kind(), id.kind()) {
        let mut rules = vec![rule::GRP_01];
        rules.extend((group.kind() == Kind::SeaGroup).then_some(rule::GRP_07));
        let refusal = Diagnostic::error("A19", span, &rules)
            .with("typ", id.kind().code())
            .with("v", name);
        return Err(Box::new(refusal.with("typen", admitted(group.kind()))));
    }
    if army.command != Command::Defend || plan.is_some_and(|plan| !plan.is_standing()) {
        let at = plan.map_or(span, |plan| plan.route_span);
        return Err(Box::new(Diagnostic::error("A20", at, &[rule::GRP_03])));
    }
    if let Some(aboard) = season.followers(id).first() {
        let refusal = Diagnostic::error("A16", span, &[rule::GRP_04, rule::GAP_35]);
        let refusal = refusal
            .with("flotte", id.name.to_string())
            .with("armee", aboard.name.to_string());
        return Err(Box::new(refusal));
    }
    let elsewhere = state.army(group).is_some_and(|group| group.field != army.field);
    if army.aboard.is_some() || elsewhere {
        let refusal = Diagnostic::error("A18", span, &[rule::GRP_06]);
        return Err(Box::new(refusal.with("armee", id.name.to_string()).with("v", name)));
    }
    let cost = turn.tables.of(id.realm).price_fixed(group.kind());
    if let Some(realm) = state.realms.get(&id.realm)
        && state.army(group).is_none()
        && realm.treasury < cost
    {
        let refusal = Diagnostic::error("A21", span, &[rule::GRP_08, rule::GAP_11]);
        return Err(Box::new(refusal.with("k", cost).with("v", realm.treasury)));
    }
    Ok(())
}

/// The types that a group admits, as the book writes them.
fn admitted(group: Kind) -> String {
    let mut codes: Vec<&str> = Vec::new();
    for kind in Kind::ALL.iter().filter(|kind| admits(group, **kind)) {
        let whole = Kind::ALL
            .iter()
            .filter(|other| other.arm() == kind.arm())
            .all(|other| admits(group, *other));
        let code = if whole { kind.arm().code() } else { kind.code() };
        if codes.last() != Some(&code) {
            codes.push(code);
        }
    }
    codes.join(" ")
}

/// D11: groups of fewer than two members dissolve.
///
/// GAP-12, GAP-35.
pub fn dissolve(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let groups: Vec<ArmyId> = turn
        .state
        .armies
        .keys()
        .filter(|id| id.kind().is_group() && season.followers(**id).len() < 2)
        .copied()
        .collect();
    for group in groups {
        end(turn, season, group, Cause::Step("dissolve-groups"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_goes_one_slower_than_its_slowest_member() {
        let tables = Tables::book();
        assert_eq!(pace(&tables, [Kind::MediumWarrior, Kind::LightRider]), 3);
        assert_eq!(pace(&tables, [Kind::LightRider, Kind::LightRider]), 9);
        assert_eq!(pace(&tables, [Kind::HeavyWarrior, Kind::HeavyEngine]), 1);
        assert_eq!(pace(&tables, []), 0);
    }

    #[test]
    fn about_equal_means_two_thirds_to_one_and_a_half() {
        assert!(about_equal(3000, 2000) && about_equal(2000, 3000));
        assert!(!about_equal(3001, 2000) && !about_equal(2000, 3001));
        assert!(about_equal(2999, 2000));
        assert!(about_equal(1, 1));
        assert!(!about_equal(0, 0) && !about_equal(0, 1) && !about_equal(1, 0));
    }

    #[test]
    fn only_warriors_and_riders_count_for_the_mix_on_land() {
        let with = |riders| {
            [
                (Kind::LightWarrior, 1000),
                (Kind::HeavyWarrior, 1000),
                (Kind::LightRider, riders),
            ]
        };
        assert!(is_mixed(Kind::LandGroup, with(3000)));
        assert!(!is_mixed(Kind::LandGroup, with(3001)));
        let crews = [
            (Kind::LightWarrior, 1000),
            (Kind::LightEngine, 1000),
            (Kind::Mammoth, 1000),
        ];
        assert!(!is_mixed(Kind::LandGroup, crews));
    }

    #[test]
    fn only_light_and_heavy_ships_count_for_the_mix_at_sea() {
        assert!(is_mixed(Kind::SeaGroup, [(Kind::LightShip, 30), (Kind::HeavyShip, 20)]));
        assert!(!is_mixed(
            Kind::SeaGroup,
            [(Kind::LightShip, 31), (Kind::HeavyShip, 20)]
        ));
        assert!(!is_mixed(
            Kind::SeaGroup,
            [(Kind::LightShip, 20), (Kind::MediumShip, 20)]
        ));
        assert!(!is_mixed(
            Kind::SeaGroup,
            [(Kind::LightShip, 20), (Kind::TradeFleet, 20)]
        ));
    }

    #[test]
    fn a_war_priest_adds_five_percent_mixed_or_not() {
        let tables = Tables::book();
        let mixed = [(Kind::MediumWarrior, 1000), (Kind::MediumRider, 1000)];
        let bonus = |members: &[(Kind, i64)]| bonus_percent(&tables, Kind::LandGroup, members);
        assert_eq!(bonus(&mixed), 20);
        assert_eq!(bonus(&[mixed[0], mixed[1], (Kind::WarPriest, 1)]), 25);
        assert_eq!(bonus(&[mixed[0], (Kind::WarPriest, 1)]), 5);
        assert_eq!(bonus(&[mixed[0], mixed[1], (Kind::HomePriest, 9)]), 20);
        assert_eq!(bonus(&mixed[..1]), 0);
    }

    #[test]
    fn groups_admit_what_their_element_carries_but_no_wizard_and_no_demon() {
        assert_eq!(admitted(Kind::LandGroup), "K R F P H.K M.M M.E M.N M.B M.H");
        assert_eq!(admitted(Kind::SeaGroup), "S H.S M.L M.S M.K");
    }
}
