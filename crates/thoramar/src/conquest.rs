//! Taking land (THO-CMD-04, -05, -08, THO-BLD-03, -13, GAP-15).

use crate::codes::{Building, Command, Condition, Treaty};
use crate::event::Happening;
use crate::hostility;
use crate::rule;
use crate::season::{Season, SeasonTurn, earn};
use crate::state::{Army, ArmyId, State};
use crate::tables::Tables;
use crate::tables::policy::SecondTempleCity;
use crate::unrest;
use kernel::diagnostic::Diagnostic;
use kernel::hex::FieldIndex;
use kernel::ratio::{Rounding, percent};
use kernel::realm::RealmId;
use kernel::turn::Cause;
use std::collections::{BTreeMap, BTreeSet};

/// D1: armies with E take the field they were to reach and hold.
///
/// THO-CMD-04: the field at which all digits aim. THO-UNIT-07: strong enough. THO-CMD-05: a realm's land must have been
/// held the whole turn. GAP-15: nobody without a treaty stands there, and no second realm wants it. Who conquers is decided
/// for all fields before the first changes hands, and so is who has a temple city already; what a lost capital does to its
/// realm comes last. Otherwise it would matter which of two fields the map counts first.
pub fn conquer(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let mut claims: BTreeMap<FieldIndex, Vec<ArmyId>> = BTreeMap::new();
    let armies: Vec<(ArmyId, FieldIndex)> = turn
        .state
        .armies
        .iter()
        .filter(|(_, army)| army.command == Command::Conquer && army.is_free())
        .map(|(id, army)| (*id, army.field))
        .collect();
    for (id, field) in armies {
        if claims_field(turn, season, id, field) {
            claims.entry(field).or_default().push(id);
        }
    }
    let conquerors: BTreeSet<RealmId> = claims.values().flatten().map(|id| id.realm).collect();
    let temple_owners: BTreeSet<RealmId> = conquerors
        .into_iter()
        .filter(|realm| has_temple_city(&turn.state, season, *realm))
        .collect();
    let mut fallen = Vec::new();
    for (field, claimants) in claims {
        if let [first, rest @ ..] = claimants.as_slice()
            && rest.iter().all(|other| other.realm == first.realm)
        {
            let razes = temple_owners.contains(&first.realm) || has_temple_city(&turn.state, season, first.realm);
            fallen.extend(take(turn, season, *first, field, razes));
        }
    }
    mourn(turn, season, &fallen);
}

fn has_temple_city(state: &State, season: &Season, realm: RealmId) -> bool {
    season
        .estate(realm)
        .any(|own| state.field(own).has(Building::is_temple_city))
}

/// A capital that was taken.
struct Fallen {
    winner: RealmId,
    loser: RealmId,
    field: FieldIndex,
    cause: Cause,
}

/// Whether an army with E fulfils everything that does not depend on other claims; refuses what is too weak.
fn claims_field(turn: &mut SeasonTurn<'_>, season: &Season, id: ArmyId, field: FieldIndex) -> bool {
    let Some(army) = turn.state.army(id) else { return false };
    let figures = turn.tables.of(id.realm);
    let Some(least) = figures.conquer_min(id.kind()) else {
        return false;
    };
    if !is_prize(turn.tables, &turn.state, season, id, army) {
        return false;
    }
    if army.count < least {
        let (count, span) = (army.count, season.plan(id).and_then(|plan| plan.line));
        if let Some(span) = span {
            let why = Diagnostic::error("A28", span, &[rule::UNIT_07, rule::CMD_05, rule::GAP_15])
                .with("armee", id.name.to_string())
                .with("n", count)
                .with("min", least);
            turn.refuse(id.realm, why);
        }
        return false;
    }
    let blocked = figures.conquest.blocked_by_foreign_army
        && hostility::visible_foreign_army_without_treaty(turn.tables, &turn.state, season, field, id.realm);
    let held = figures.conquest.foreign_hold_turns == 0 || season.plan(id).is_some_and(|plan| plan.stayed);
    !blocked && (!turn.state.field(field).owner.is_played() || held)
}

/// THO-CMD-04, GAP-15: the army reached its target, and that is land of nobody or of a realm without a treaty.
fn is_prize(tables: &Tables, state: &State, season: &Season, id: ArmyId, army: &Army) -> bool {
    let field = state.field(army.field);
    let reached = season.plan(id).is_some_and(|plan| plan.aim == Some(army.field));
    reached
        && tables.is_land(field.terrain)
        && state.treaty(field.owner, id.realm) == Treaty::NoTreaty
        && field.owner != id.realm
}

/// The field passes over with all that stands on it.
///
/// THO-BLD-03: a capital becomes a fortress. THO-BLD-13: a second temple city is razed. GAP-15: blessing ends, unrest begins
/// anew. Returns the capital that its realm has lost with it.
fn take(
    turn: &mut SeasonTurn<'_>,
    season: &mut Season,
    id: ArmyId,
    field: FieldIndex,
    has_temple_city: bool,
) -> Option<Fallen> {
    let from = turn.state.field(field).owner;
    let building = turn.state.field(field).site.as_deref().map(|site| site.building);
    let stands = turn.state.field(field).building().is_some();
    season.hand_over(&mut turn.state, field, id.realm);
    if let Some(site) = turn.state.field_mut(field).site.as_deref_mut() {
        crate::arming::forget_used(turn.tables.of(id.realm), site);
    }
    let figures = turn.tables.of(id.realm);
    let land = turn.state.field_mut(field);
    let was_blessed = std::mem::take(&mut land.blessed_turns) > 0;
    let unrest = if from.is_played() {
        figures.unrest.conquered_from_realm
    } else {
        figures.unrest.conquered_from_realm0
    };
    land.unrest = u8::try_from(unrest).unwrap_or(100);

    let mut rules = vec![rule::CMD_04, rule::UNIT_07, rule::GAP_15, rule::GAP_22];
    if from.is_played() {
        rules.push(rule::CMD_05);
    }
    let cause = season.cause(id, "conquer");
    let what = Happening::FieldConquered {
        army: id,
        field,
        from,
        building,
    };
    let after = Cause::Event(season.emit(turn, cause, rules, &[], what));
    if was_blessed {
        let what = Happening::BlessingEnded { field, owner: from };
        season.emit(turn, after, &[rule::PRIEST_03, rule::GAP_15][..], &[], what);
    }
    convert(turn, season, id.realm, field, has_temple_city, after);
    (stands && building == Some(Building::Capital) && from.is_played()).then_some(Fallen {
        winner: id.realm,
        loser: from,
        field,
        cause: after,
    })
}

/// THO-BLD-03, THO-BLD-13, GAP-15: what the conqueror may not have becomes something else, finished or under construction.
fn convert(
    turn: &mut SeasonTurn<'_>,
    season: &Season,
    realm: RealmId,
    field: FieldIndex,
    has_temple_city: bool,
    cause: Cause,
) {
    let figures = turn.tables.of(realm);
    let razes = has_temple_city && figures.conquest.second_temple_city == SecondTempleCity::Ruin;
    let instead = figures.conquest.captured_capital;
    let goes_on = figures.build.conquered_site_continues;
    let Some(site) = turn.state.field_mut(field).site.as_deref_mut() else {
        return;
    };
    if !goes_on {
        site.works = None;
    }
    if let Some(works) = &mut site.works {
        if works.target == Building::Capital {
            works.target = instead;
        }
        if razes && works.target.is_temple_city() && !site.building.is_temple_city() {
            // A temple city that is not there yet: the older building stays, the work ends.
            site.works = None;
        }
    }
    let from = site.building;
    let mut rules = vec![rule::GAP_15];
    if from == Building::Capital && instead != from {
        site.building = instead;
        rules.push(rule::BLD_03);
    } else if razes
        && from.is_temple_city()
        && !(site.standing && site.condition == Condition::Ruin && site.works.is_none())
    {
        site.standing = true;
        site.condition = Condition::Ruin;
        site.works = None;
        rules.push(rule::BLD_13);
    } else {
        return;
    }
    let what = Happening::BuildingChanged {
        field,
        owner: realm,
        from,
        to: site.building,
        condition: site.condition,
    };
    season.emit(turn, cause, rules, &[], what);
}

/// GAP-22, GAP-30: every field of a realm without its capital is shaken, and the conqueror may carry off part of the treasury. All
/// loot is taken before any is shared out.
fn mourn(turn: &mut SeasonTurn<'_>, season: &Season, fallen: &[Fallen]) {
    let loots: Vec<i64> = fallen.iter().map(|capital| shake(turn, season, capital)).collect();
    for (capital, loot) in fallen.iter().zip(loots) {
        if loot > 0 {
            earn(&mut turn.state, capital.winner, loot);
            let what = Happening::BootyTaken {
                realm: capital.winner,
                field: capital.field,
                gold: loot,
            };
            season.emit(turn, capital.cause, &[rule::GAP_15, rule::GAP_30][..], &[], what);
        }
    }
}

/// The realm that lost this capital is shaken and pays; returns what.
fn shake(turn: &mut SeasonTurn<'_>, season: &Season, capital: &Fallen) -> i64 {
    let (loser, field) = (capital.loser, capital.field);
    let shaken = turn.tables.of(loser).unrest.capital_lost;
    let estate: Vec<FieldIndex> = season.estate(loser).collect();
    for own in estate {
        unrest::add(turn.state.field_mut(own), shaken);
    }
    let rules = &[rule::ADM_03, rule::ECON_06, rule::GAP_22, rule::GAP_30][..];
    let share = turn.tables.of(loser).economy.capital_loot_pct;
    let treasury = turn.state.realms.get(&loser).map_or(0, |realm| realm.treasury);
    let loot = percent(treasury.max(0), share, Rounding::Down);
    let what = Happening::CapitalLost {
        realm: loser,
        field,
        loot,
    };
    season.emit(turn, capital.cause, rules, &[], what);
    if let Some(realm) = turn.state.realms.get_mut(&loser) {
        realm.treasury -= loot;
    }
    loot
}
