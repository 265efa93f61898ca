//! Elimination, orphaned realms (THO-ADM-02, THO-ADM-03, GAP-30) and the ranking (GAP-42).

use crate::codes::Building;
use crate::event::Happening;
use crate::rule;
use crate::ruling::Ruling;
use crate::season::{Season, SeasonTurn};
use crate::state::{ArmyId, State, Status};
use crate::tables::Tables;
use crate::tables::policy::OrphanAction;
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use kernel::turn::Cause;

const STEP: &str = "judge-absence";

/// The end of the turn: orphaned realms are asked about, realms without land and armies are out, the year is scored.
pub fn judge(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let realms: Vec<RealmId> = turn.state.playing().collect();
    for realm in realms {
        ask_about(turn, season, realm);
        eliminate(turn, season, realm);
    }
    rank(turn, season);
}

/// GAP-30: after some missing turns the game master is warned, after some more asked what becomes of the realm.
fn ask_about(turn: &mut SeasonTurn<'_>, season: &mut Season, realm: RealmId) {
    let in_a_row = turn.state.realms.get(&realm).map_or(0, |r| r.missed_turns);
    let (missed, absence) = (i64::from(in_a_row), &turn.tables.of(realm).absence);
    if missed < absence.orphan_after {
        if missed >= absence.warn_gm_after {
            let rules = vec![rule::ADM_03, rule::GAP_30];
            let what = Happening::AbsenceWarned { realm, in_a_row };
            season.emit(turn, Cause::Step(STEP), rules, &[], what);
        }
        return;
    }
    let answer = match turn.tables.of(realm).absence.orphan_action {
        OrphanAction::AskGameMaster => {
            turn.ruling(rule::ADM_03, Some(realm), &format!("realm {realm}"), Ruling::KeepRealm)
        }
        OrphanAction::Release => Ruling::Release { realm },
    };
    apply(turn, season, realm, &answer);
}

/// THO-ADM-02: what the game master decided about a realm.
fn apply(turn: &mut SeasonTurn<'_>, season: &mut Season, realm: RealmId, answer: &Ruling) {
    match answer {
        Ruling::Release { realm: named } if *named == realm => release(turn, season, realm),
        Ruling::HandOver {
            realm: named,
            player,
            name,
        } if *named == realm => hand_over(turn, season, realm, player, name.as_deref()),
        _ => {}
    }
}

/// Another player takes a realm over; his absence starts anew.
pub fn hand_over(turn: &mut SeasonTurn<'_>, season: &Season, realm: RealmId, player: &str, name: Option<&str>) {
    let Some(owner) = turn.state.realms.get_mut(&realm) else {
        return;
    };
    owner.player = player.to_owned();
    if let Some(name) = name {
        owner.name = name.to_owned();
    }
    owner.missed_turns = 0;
    season.emit(
        turn,
        Cause::GameMaster,
        vec![rule::ADM_02],
        &[],
        Happening::RealmAssigned { realm },
    );
}

/// Land and armies go to realm 0; its troops stand with V (GAP-28).
pub fn release(turn: &mut SeasonTurn<'_>, season: &mut Season, realm: RealmId) {
    let Some(owner) = turn.state.realms.get_mut(&realm) else {
        return;
    };
    owner.status = Status::Released;
    let fields: Vec<FieldIndex> = season.estate(realm).collect();
    for field in fields {
        season.hand_over(&mut turn.state, field, RealmId::NOBODY);
        turn.state.field_mut(field).unrest = 0;
    }
    let armies: Vec<ArmyId> = turn.state.armies_of(realm).map(|(id, _)| id).collect();
    for id in armies {
        disown(turn, season, id);
    }
    turn.state.treaties.retain(|(a, b), _| *a != realm && *b != realm);
    season.emit(
        turn,
        Cause::GameMaster,
        vec![rule::ADM_02, rule::GAP_30],
        &[],
        Happening::RealmReleased { realm },
    );
}

/// Renames an army into one of realm 0. Groups fall apart; what was aboard goes ashore with its ship's crew: it is gone.
fn disown(turn: &mut SeasonTurn<'_>, season: &mut Season, id: ArmyId) {
    let Some(mut army) = season.remove(&mut turn.state, id) else {
        return;
    };
    if id.kind().is_group() || army.aboard.is_some() {
        return;
    }
    army.group = None;
    army.master = None;
    army.start = None;
    army.command = crate::codes::Command::Defend;
    let number = turn.state.free_number(RealmId::NOBODY, id.kind());
    season.add(&mut turn.state, ArmyId::new(RealmId::NOBODY, id.kind(), number), army);
}

/// GAP-30: a realm without land and without armies is out. It still gets the report of this turn.
fn eliminate(turn: &mut SeasonTurn<'_>, season: &Season, realm: RealmId) {
    let has_land = season.estate(realm).next().is_some();
    let has_armies = turn.state.armies_of(realm).next().is_some();
    let Some(owner) = turn.state.realms.get_mut(&realm) else {
        return;
    };
    if has_land || has_armies || owner.status != Status::Playing {
        return;
    }
    owner.status = Status::Eliminated;
    turn.state.treaties.retain(|(a, b), _| *a != realm && *b != realm);
    let rules = vec![rule::ADM_03, rule::GAP_30];
    season.emit(
        turn,
        Cause::Step(STEP),
        rules,
        &[],
        Happening::RealmEliminated { realm },
    );
}

/// GAP-42: points for fields, finished buildings and gold, once a year.
fn rank(turn: &mut SeasonTurn<'_>, season: &Season) {
    if turn.tables.season(season.turn) != turn.tables.ranking.season {
        return;
    }
    let realms: Vec<RealmId> = turn.state.playing().collect();
    for realm in realms {
        let score = score(turn.tables, &turn.state, season, realm);
        let what = Happening::RealmScored { realm, score };
        season.emit(turn, Cause::Step(STEP), vec![rule::GAP_42], &[], what);
    }
}

fn score(tables: &Tables, state: &State, season: &Season, realm: RealmId) -> i64 {
    let weights = &tables.ranking.score;
    let (mut fields, mut price) = (0i64, 0i64);
    for field in season.estate(realm) {
        fields += 1;
        let building: Option<Building> = state.field(field).building().map(|site| site.building);
        price = price.saturating_add(building.map_or(0, |building| tables.building_price(building)));
    }
    let gold = state.realms.get(&realm).map_or(0, |r| r.treasury);
    fields * weights.field + price / weights.building_cost_per_point + gold / weights.gs_per_point
}
