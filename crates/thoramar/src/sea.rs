//! Landing and embarking (THO-SEA, GAP-19, GAP-41).

use crate::codes::{Kind, Terrain};
use crate::event::{Happening, Obstacle};
use crate::movement::{self, Traveller};
use crate::order::Special;
use crate::season::{Marcher, Season, SeasonTurn};
use crate::state::{ArmyId, ArmyName};
use crate::tables::Tables;
use crate::{grammar, rule, strength};
use kernel::diagnostic::{Diagnostic, Span};
use kernel::hex::{Direction, FieldIndex};
use kernel::ratio::{Rounding, div};

/// Room that an army takes aboard.
///
/// THO-SEA-08, T02: engines need 200 besides, a wizard 1 whatever his points.
pub fn space(tables: &Tables, kind: Kind, count: i64) -> i64 {
    count
        .saturating_mul(tables.space_per_head(kind))
        .saturating_add(tables.space_flat(kind))
}

/// Room that a fleet of so many ships has.
///
/// THO-SEA-01, THO-UNIT-09.
pub fn room(tables: &Tables, fleet: Kind, ships: i64) -> i64 {
    ships.saturating_mul(tables.capacity_per_ship(fleet))
}

/// The greatest army of a kind for which a fleet has room: `floor((ships x capacity - flat) / space)`.
///
/// GAP-19. A kind that needs no room per head fits in any number as soon as its flat room is there.
pub fn cargo_max(tables: &Tables, fleet: Kind, ships: i64, cargo: Kind) -> i64 {
    let free = room(tables, fleet, ships).saturating_sub(tables.space_flat(cargo));
    if free < 0 {
        return 0;
    }
    div(free, tables.space_per_head(cargo), Rounding::Down).unwrap_or(i64::MAX)
}

/// Whether a fleet of one kind takes an army of another aboard.
///
/// THO-SEA-04, THO-TRADE-09, THO-DEM-08, GAP-19: war ships carry warriors, riders, engines, priests and wizards, trade fleets
/// caravans and nothing else.
pub fn carries(fleet: Kind, army: Kind) -> bool {
    use crate::codes::Arm::{Engine, Priest, Rider, Warrior, Wizard};
    if fleet.is_ship() {
        matches!(army.arm(), Warrior | Rider | Engine | Priest | Wizard)
    } else {
        fleet == Kind::TradeFleet && army == Kind::Caravan
    }
}

/// The fleet that an army steps towards in `direction`, and the water it should lie on: an army with the special of
/// embarking takes a step into the water for boarding, not for a mistake (THO-SEA-05, THO-SPEC-05).
pub(crate) fn boards(
    turn: &SeasonTurn<'_>,
    season: &Season,
    id: ArmyId,
    direction: Direction,
) -> Option<(ArmyName, FieldIndex, Span)> {
    let plan = season
        .plan(id)
        .filter(|plan| !plan.special_done && !plan.landed && plan.stepped_in != season.week)?;
    let (fleet, span) = match plan.special.as_ref().map(|special| (special.value, special.span))? {
        (Special::Embark(fleet), span) => (fleet, span),
        _ => return None,
    };
    let army = turn.state.army(id).filter(|army| army.is_free() && id.kind().walks())?;
    let to = turn.state.grid.neighbour(army.field, direction)?;
    turn.tables
        .is_water(turn.state.field(to).terrain)
        .then_some((fleet, to, span))
}

/// C2: landing.
///
/// THO-SEA-06, THO-SPEC-06: every digit of an army aboard is an attempt in that week and direction from where the fleet
/// is. GAP-19: landing costs no movement points and takes all that are left. THO-TERR-03, GAP-41: only onto lowland.
pub fn land(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let attempts: Vec<(ArmyId, Direction)> = season
        .marching()
        .iter()
        .map(|marcher| (marcher.id, marcher.direction))
        .filter(|(id, _)| turn.state.army(*id).is_some_and(|army| army.aboard.is_some()))
        .collect();
    for (id, direction) in attempts {
        let Some(from) = turn.state.army(id).map(|army| army.field) else {
            continue;
        };
        match landing_place(turn, id, from, direction) {
            Ok(to) => disembark(turn, season, id, direction, to),
            Err(why) => movement::fail(
                turn,
                season,
                id,
                direction,
                why,
                &[rule::SEA_06, rule::TERR_03, rule::GAP_41],
            ),
        }
    }
}

fn landing_place(
    turn: &SeasonTurn<'_>,
    id: ArmyId,
    from: FieldIndex,
    direction: Direction,
) -> Result<FieldIndex, Obstacle> {
    let tables = turn.tables.of(id.realm);
    let to = turn
        .state
        .grid
        .neighbour(from, direction)
        .ok_or(Obstacle::UnknownTerrain)?;
    let terrain = turn.state.field(to).terrain;
    match tables.height(terrain) {
        // Only in a world as a player imagines it: what he has never seen may be a shore.
        None if terrain == Terrain::Unexplored => Ok(to),
        None => Err(Obstacle::UnknownTerrain),
        Some(0) => Err(Obstacle::Water),
        Some(height) if height > tables.movement.landing_max_height => Err(Obstacle::Height),
        Some(_) => Ok(to),
    }
}

fn disembark(turn: &mut SeasonTurn<'_>, season: &mut Season, id: ArmyId, direction: Direction, to: FieldIndex) {
    season.relocate(&mut turn.state, id, to);
    let exhausts = turn.tables.of(id.realm).movement.landing_sets_mp_zero;
    season.attach(&mut turn.state, id, |army| {
        army.aboard = None;
        if exhausts {
            army.points = army.points.min(0);
        }
    });
    let plan = season.plan_mut(id);
    // Whoever has an order to board and is aboard has boarded this turn.
    let embarked_now = plan.special_done
        && plan
            .special
            .is_some_and(|special| matches!(special.value, Special::Embark(_)));
    plan.landed = true;
    plan.moved = true;
    plan.aim = Some(to);
    let cause = movement::digit(season, id);
    let mut rules = vec![rule::SEA_06, rule::SPEC_06, rule::TERR_03, rule::GAP_19, rule::GAP_41];
    if embarked_now {
        rules.push(rule::SEA_07);
    }
    season.emit(turn, cause, rules, &[], Happening::Landed { army: id, field: to });
    if movement::faces_wall(&turn.state, id.realm, to, direction) {
        movement::cross_wall(turn, season, id, to, cause);
    }
}

/// C2: embarking, in the order of the files.
///
/// THO-SEA-05, THO-SPEC-05: the army steps into the water field where the named fleet lies in that same week.
pub fn embark(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let mut attempts: Vec<_> = season
        .marching()
        .iter()
        .filter(|marcher| marcher.embarks)
        .filter_map(|&Marcher { id, direction, .. }| {
            let (fleet, to, span) = boards(turn, season, id, direction)?;
            Some((
                id.realm,
                season.plan(id)?.line,
                id,
                direction,
                fleet.of(id.realm),
                to,
                span,
            ))
        })
        .collect();
    attempts.sort_unstable();
    for (_, _, id, direction, fleet, to, span) in attempts {
        try_to_board(turn, season, id, direction, fleet, to, span);
    }
}

/// One attempt to board. What can never succeed this turn takes the special away; a fleet that is not there yet does not.
fn try_to_board(
    turn: &mut SeasonTurn<'_>,
    season: &mut Season,
    id: ArmyId,
    direction: Direction,
    fleet: ArmyId,
    to: FieldIndex,
    span: Span,
) {
    let tables = turn.tables.of(id.realm);
    let Some(from) = turn.state.army(id).map(|army| army.field) else {
        return;
    };
    let traveller = Traveller::alone(id.realm, id.kind());
    let steep = || tables.height(turn.state.field(from).terrain) > Some(tables.movement.landing_max_height);
    // No road leads aboard (THO-UNIT-12).
    let stuck = || movement::is_stuck(tables, season, id, traveller);
    let obstacle = movement::bound(turn, season, id)
        .or_else(|| steep().then_some(Obstacle::Height))
        .or_else(|| stuck().then_some(Obstacle::OnlyRoads));
    if let Some(why) = obstacle {
        return movement::fail(
            turn,
            season,
            id,
            direction,
            why,
            &[rule::SEA_05, rule::TERR_03, rule::GAP_41],
        );
    }
    if let Err(refusal) = may_board(turn, season, id, fleet, to, span) {
        season.plan_mut(id).special_done = refusal.code != "A14";
        return turn.refuse(id.realm, *refusal);
    }
    // The sea's height does not count (THO-TERR-03), the ground left does.
    let way = movement::shore(tables, &turn.state, traveller, from, direction, to);
    let cause = movement::digit(season, id);
    movement::leave_ground(turn, season, id, &way, cause);
    if turn.state.army(id).is_none() {
        return;
    }
    let cost = movement::step_cost(tables, &way);
    season.attach(&mut turn.state, id, |army| {
        army.aboard = Some(fleet.name);
        army.points = army.points.saturating_sub(cost);
    });
    season.relocate(&mut turn.state, id, to);
    let plan = season.plan_mut(id);
    plan.special_done = true;
    plan.moved = true;
    plan.off_road_steps = plan.off_road_steps.saturating_add(1);
    let rules = &[
        rule::SEA_05,
        rule::SPEC_05,
        rule::SEA_01,
        rule::SEA_03,
        rule::SEA_04,
        rule::SEA_08,
        rule::UNIT_09,
        rule::TERR_03,
        rule::GAP_19,
    ][..];
    season.emit(turn, cause, rules, &[], Happening::Embarked { army: id, fleet });
}

/// Whether a fleet takes an army aboard: A07, A01, A34, A14, A16, A17, A15.
///
/// THO-SEA-01, -03, -04, -05, -08, THO-GRP-04, GAP-19: embarking beyond the room is refused whole.
fn may_board(
    turn: &SeasonTurn<'_>,
    season: &Season,
    id: ArmyId,
    fleet: ArmyId,
    to: FieldIndex,
    span: Span,
) -> Result<(), Box<Diagnostic>> {
    let word = Special::Embark(fleet.name).word();
    let state = &turn.state;
    if !carries(fleet.kind(), id.kind()) {
        let refusal = Diagnostic::error("A07", span, &[rule::SEA_04, rule::TRADE_09, rule::DEM_08, rule::GAP_19]);
        return Err(Box::new(
            refusal
                .with_word("spezial", word)
                .with("typ", id.kind().code())
                .with_words("liste", grammar::special_words(id.kind())),
        ));
    }
    let Some(ships) = state.army(fleet) else {
        let refusal = Diagnostic::error("A01", span, &[rule::UNIT_01, rule::SEA_05]);
        return Err(Box::new(refusal.with("armee", fleet.name.to_string())));
    };
    if ships.group.is_some() {
        let refusal = Diagnostic::error("A34", span, &[rule::GRP_04, rule::GAP_35]);
        return Err(Box::new(
            refusal.with_word("spezial", Special::Embark(fleet.name).verb()),
        ));
    }
    if ships.field != to {
        let place = state.place(id.realm, to);
        let refusal = Diagnostic::error("A14", span, &[rule::SEA_05, rule::SPEC_05]);
        let refusal = refusal
            .with("armee", fleet.name.to_string())
            .with("w", i64::from(season.week));
        return Err(Box::new(
            refusal.with("x", i64::from(place.x)).with("y", i64::from(place.y)),
        ));
    }
    if let Some(aboard) = season.followers(fleet).first() {
        let refusal = Diagnostic::error("A16", span, &[rule::SEA_03, rule::GAP_19]);
        let refusal = refusal
            .with("flotte", fleet.name.to_string())
            .with("armee", aboard.name.to_string());
        return Err(Box::new(refusal));
    }
    if id.kind().is_wizard() && !strength::demons_of(turn, id).is_empty() {
        let refusal = Diagnostic::error("A17", span, &[rule::SEA_04, rule::DEM_08]);
        return Err(Box::new(refusal.with("armee", id.name.to_string())));
    }
    let tables = turn.tables.of(id.realm);
    let count = state.army(id).map_or(0, |army| army.count);
    let (needed, offered) = (space(tables, id.kind(), count), room(tables, fleet.kind(), ships.count));
    if needed > offered {
        let refusal = Diagnostic::error("A15", span, &[rule::SEA_01, rule::SEA_08, rule::UNIT_09, rule::GAP_19]);
        return Err(Box::new(refusal.with("k", offered).with("b", needed)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_thousand_light_warriors_fit_exactly_on_twenty_light_ships() {
        let tables = Tables::book();
        assert_eq!(space(&tables, Kind::LightWarrior, 2000), 2000);
        assert_eq!(room(&tables, Kind::LightShip, 20), 2000);
        assert_eq!(cargo_max(&tables, Kind::LightShip, 20, Kind::LightWarrior), 2000);
        assert_eq!(cargo_max(&tables, Kind::LightShip, 19, Kind::LightWarrior), 1900);
    }

    #[test]
    fn engines_need_room_for_their_gear_and_wizards_for_one() {
        let tables = Tables::book();
        assert_eq!(space(&tables, Kind::HeavyEngine, 100), 500);
        // (3 x 100 - 200) / 2 = 50 medium engine crews; two ships have room for the gear alone.
        assert_eq!(cargo_max(&tables, Kind::LightShip, 3, Kind::MediumEngine), 50);
        assert_eq!(cargo_max(&tables, Kind::LightShip, 2, Kind::MediumEngine), 0);
        assert_eq!(cargo_max(&tables, Kind::LightShip, 1, Kind::MediumEngine), 0);
        assert_eq!(space(&tables, Kind::Summoner, 900), 1);
        assert_eq!(cargo_max(&tables, Kind::LightShip, 1, Kind::Summoner), i64::MAX);
        assert_eq!(space(&tables, Kind::Caravan, 100), 1000);
    }

    #[test]
    fn a_fraction_of_room_carries_nobody() {
        let tables = Tables::book();
        // 100 / 3 = 33 heavy warriors, not 34.
        assert_eq!(cargo_max(&tables, Kind::LightShip, 1, Kind::HeavyWarrior), 33);
    }

    #[test]
    fn war_ships_carry_troops_and_trade_fleets_caravans() {
        let carried = |fleet| {
            Kind::ALL
                .iter()
                .filter(|kind| carries(fleet, **kind))
                .map(|kind| kind.code())
                .collect()
        };
        let by_ship: Vec<&str> = carried(Kind::MediumShip);
        let by_trader: Vec<&str> = carried(Kind::TradeFleet);
        let expected = [
            "K.L", "K.M", "K.S", "R.L", "R.M", "R.S", "F.L", "F.M", "F.S", "P.K", "P.H", "Z.M", "Z.S", "Z.B",
        ];
        assert_eq!(by_ship, expected);
        assert_eq!(by_trader, ["H.K"]);
        assert!(!carries(Kind::SeaGroup, Kind::LightWarrior));
        assert!(!carries(Kind::Kraken, Kind::LightWarrior));
    }
}
