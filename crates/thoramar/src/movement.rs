//! Moving on the map (THO-MOVE, THO-TERR, GAP-13, GAP-24).
//!
//! [`way`] and [`step_cost`] know nothing of a running turn: route planners and computer players ask them about the world
//! as far as they know it, where [`Terrain::Unexplored`] stands for fields never seen.

use crate::codes::{Family, Kind, Terrain, Treaty};
use crate::culture::Culture;
use crate::event::{Demise, Happening, Obstacle, Shown};
use crate::season::{Season, SeasonTurn, shown_flag};
use crate::state::{ArmyId, State};
use crate::tables::policy::{MeetingStop, MoveOrder};
use crate::tables::{self, Tables};
use crate::{groups, hostility, priests, rule, sea, strength};
use kernel::diagnostic::Span;
use kernel::dice::Owner;
use kernel::hex::{Direction, FieldIndex};
use kernel::ratio::percent;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::Cause;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// What a step from a field costs that the traveller has never seen.
const UNEXPLORED_COST: i64 = 2;

/// Who goes: an army, or a group with what its members have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traveller {
    /// Its realm.
    pub realm: RealmId,
    /// Its kind.
    pub kind: Kind,
    /// Whether riders are among them (THO-MOVE-07). A group goes as its most hampered member.
    pub rides: bool,
    /// Whether medium engines are among them (THO-UNIT-12).
    pub drags: bool,
}

impl Traveller {
    /// An army that goes alone.
    pub const fn alone(realm: RealmId, kind: Kind) -> Self {
        let rides = matches!(kind, Kind::LightRider | Kind::MediumRider | Kind::HeavyRider);
        Self {
            realm,
            kind,
            rides,
            drags: matches!(kind, Kind::MediumEngine),
        }
    }

    /// A group of these kinds.
    pub fn group(realm: RealmId, kind: Kind, members: impl IntoIterator<Item = Kind>) -> Self {
        let mut group = Self::alone(realm, kind);
        for member in members {
            let member = Self::alone(realm, member);
            group.rides |= member.rides;
            group.drags |= member.drags;
        }
        group
    }

    fn of(season: &Season, id: ArmyId) -> Self {
        if id.kind().is_group() {
            Self::group(id.realm, id.kind(), season.followers(id).into_iter().map(ArmyId::kind))
        } else {
            Self::alone(id.realm, id.kind())
        }
    }
}

/// A possible step, and what its price and its dangers depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    /// Where it leads.
    pub to: FieldIndex,
    /// The terrain it leaves.
    pub terrain: Terrain,
    /// A difference in height.
    pub climbs: bool,
    /// A road joins the two fields.
    pub road: bool,
    /// A river on the edge.
    pub river: bool,
    /// A bridge over it.
    pub bridge: bool,
    /// A wall on the target's side, neither own nor a partner's.
    pub wall: bool,
    /// It begins on foreign land.
    pub abroad: bool,
    /// It begins on the land of a partner, which costs nothing more.
    pub among_partners: bool,
    /// Riders in mountains, jungle or swamp.
    pub hampered: bool,
    /// It leads across the seam where east meets west.
    pub across_the_seam: bool,
}

/// Whether a traveller can go from a field in a direction, and on what ground.
///
/// THO-MAP-08 (unknown terrain), THO-MOVE-09 (ships on water, armies on land), THO-TERR-02 (heights), THO-PRIEST-04
/// (normal demons before blessed fields). Points, fights and meetings are the march's business.
pub fn way(
    tables: &Tables,
    state: &State,
    traveller: Traveller,
    from: FieldIndex,
    direction: Direction,
) -> Result<Way, Obstacle> {
    let to = state.grid.neighbour(from, direction).ok_or(Obstacle::UnknownTerrain)?;
    let ground = state.field(to);
    match ground.terrain {
        Terrain::Unexplored => {}
        Terrain::Unknown => return Err(Obstacle::UnknownTerrain),
        terrain if traveller.kind.sails() && !tables.is_water(terrain) => return Err(Obstacle::Land),
        terrain if traveller.kind.walks() && tables.is_water(terrain) => return Err(Obstacle::Water),
        _ => {}
    }
    let terrain = state.field(from).terrain;
    let rise = match (tables.height(terrain), tables.height(ground.terrain)) {
        (Some(here), Some(there)) => (here - there).abs(),
        _ => 0,
    };
    if rise > tables.move_surcharge.max_height_difference {
        return Err(Obstacle::Height);
    }
    if traveller.kind == Kind::Demon && ground.is_blessed() {
        return Err(Obstacle::Blessed);
    }
    Ok(Way {
        climbs: rise > 0,
        ..shore(tables, state, traveller, from, direction, to)
    })
}

/// The ground of a step whose difference in height does not count: between land and sea (THO-TERR-03).
pub(crate) fn shore(
    tables: &Tables,
    state: &State,
    traveller: Traveller,
    from: FieldIndex,
    direction: Direction,
    to: FieldIndex,
) -> Way {
    let here = state.field(from);
    let partners =
        here.owner.is_played() && here.owner != traveller.realm && state.are_partners(here.owner, traveller.realm);
    let columns = i64::from(state.grid.columns());
    Way {
        to,
        terrain: here.terrain,
        climbs: false,
        road: here.roads.has(direction),
        river: here.rivers.has(direction),
        bridge: here.bridges.has(direction),
        wall: faces_wall(state, traveller.realm, to, direction),
        abroad: is_abroad(tables, state, traveller.realm, from),
        among_partners: partners,
        hampered: traveller.rides && tables.hampers_riders(here.terrain),
        across_the_seam: (state.grid.doubled(from).d - state.grid.doubled(to).d).abs() > columns,
    }
}

/// Whether a step in `direction` onto `to` meets a wall that is neither the realm's nor a partner's.
///
/// THO-MOVE-05, THO-MAP-10: a wall belongs to the field behind it (GAP-05).
pub fn faces_wall(state: &State, realm: RealmId, to: FieldIndex, direction: Direction) -> bool {
    let field = state.field(to);
    field.walls.has(direction.opposite()) && !state.are_partners(field.owner, realm)
}

/// Whether a realm's army stands on foreign land there.
///
/// THO-MOVE-06, GAP-13: realm 0 land counts as own, a partner's is not foreign, that of a non-aggression pact is.
pub fn is_abroad(tables: &Tables, state: &State, realm: RealmId, field: FieldIndex) -> bool {
    let owner = state.field(field).owner;
    if !owner.is_played() || owner == realm {
        return false;
    }
    match state.treaty(owner, realm) {
        Treaty::NoTreaty => true,
        Treaty::NonAggression => tables.movement.nap_land_is_foreign,
        Treaty::Partnership => tables.movement.partner_land_is_foreign,
    }
}

/// The movement points that a step costs.
///
/// THO-MOVE-02..07, THO-NET-01..03, GAP-13: the terrain left, or 1 along a road; one more each for a difference in height, a
/// river without a bridge, a foreign wall, foreign land and hampered riders, who are spared on a road.
pub fn step_cost(tables: &Tables, way: &Way) -> i32 {
    let price = &tables.move_surcharge;
    let eased = way.road && tables.movement.road_removes_rider_surcharge;
    let base = if way.road {
        price.road_base
    } else {
        tables.move_cost(way.terrain).unwrap_or(UNEXPLORED_COST)
    };
    let surcharges = [
        (way.climbs, price.height_difference),
        (way.river && !way.bridge, price.river_without_bridge),
        (way.wall, price.foreign_wall),
        (way.abroad, price.foreign_realm),
        (way.hampered && !eased, price.rider_mountain_jungle_swamp),
    ];
    let cost = surcharges
        .iter()
        .filter(|(due, _)| *due)
        .fold(base, |cost, (_, more)| cost + more);
    i32::try_from(cost).unwrap_or(i32::MAX)
}

/// The rules that made a step cost what it costs. Whoever borrows points meets the end of the turn at once.
fn step_rules(way: &Way, group: bool, borrows: bool) -> Vec<RuleId> {
    let mut rules = vec![rule::MOVE_01, rule::MOVE_02, rule::ORD_06, rule::TIME_01];
    let mut also = |due: bool, more: &[RuleId]| {
        if due {
            rules.extend_from_slice(more);
        }
    };
    also(!way.road, &[rule::TERR_01]);
    also(way.road, &[rule::NET_01]);
    also(way.climbs, &[rule::MOVE_03, rule::TERR_02]);
    also(way.river && !way.bridge, &[rule::MOVE_04]);
    also(way.river && way.bridge, &[rule::NET_02]);
    also(way.wall, &[rule::MOVE_05, rule::NET_03]);
    also(way.river || way.wall || way.road, &[rule::MAP_10]);
    also(way.abroad, &[rule::MOVE_06]);
    also(way.hampered, &[rule::MOVE_07]);
    also(way.among_partners || (way.hampered && way.road), &[rule::GAP_13]);
    also(way.across_the_seam, &[rule::MAP_06, rule::GAP_01]);
    also(group, &[rule::GRP_02]);
    also(borrows, &[rule::MOVE_08]);
    rules
}

/// The movement points of a full turn: T01, or those of the slowest member less one.
///
/// THO-UNIT-05, THO-MOVE-11, THO-GRP-02.
pub fn pace(tables: &Tables, season: &Season, id: ArmyId) -> i32 {
    let tables = tables.of(id.realm);
    if id.kind().is_group() {
        groups::pace(tables, season.followers(id).into_iter().map(ArmyId::kind))
    } else {
        i32::try_from(tables.movement_points(id.kind())).unwrap_or(i32::MAX)
    }
}

/// C1: every army's step of the week.
///
/// GAP-12, THO-MOVE-01, THO-TIME-01: one digit a week; armies with more movement points go first, then those with more in
/// T01. Ties go by the random order of realms that was drawn for the turn and that turns by one place each week, so that
/// no realm is first all season; within a realm, and for realm 0 behind all others, by the army table.
pub fn march(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    season.wall_crossings.clear();
    let by_points = turn.tables.movement.order == MoveOrder::PointsThenRandom;
    let precedence = precedence(season);
    let mut marchers: Vec<_> = season
        .marching()
        .filter_map(|(id, direction)| {
            let army = turn.state.army(id)?;
            let landed = season.plan(id).is_some_and(|plan| plan.landed);
            if !army.is_free() || landed {
                return None;
            }
            let order = if by_points {
                (army.points, pace(turn.tables, season, id))
            } else {
                (0, 0)
            };
            let rank = precedence.get(&id.realm).copied().unwrap_or(usize::MAX);
            Some((Reverse(order), rank, id, direction))
        })
        .collect();
    marchers.sort_unstable();
    for (_, _, id, direction) in marchers {
        step(turn, season, id, direction);
    }
}

/// The places of the realms among armies that are equally fast: as drawn for the turn, turned round every second week;
/// realm 0 has none and comes last.
///
/// Only the order of two realms counts, so that a third one's presence changes nothing between them.
fn precedence(season: &Season) -> BTreeMap<RealmId, usize> {
    let last = season.realm_order.len();
    let is_turned = season.week % 2 == 0;
    let drawn = season.realm_order.iter().enumerate();
    drawn
        .map(|(place, realm)| (*realm, if is_turned { last - place } else { place }))
        .collect()
}

/// One step of one army or group.
///
/// GAP-13: a step that fails loses the digit, not movement points. Losses come in the order terrain, river, wall.
fn step(turn: &mut SeasonTurn<'_>, season: &mut Season, id: ArmyId, direction: Direction) {
    let Some(from) = turn.state.army(id).map(|army| army.field) else {
        return;
    };
    if sea::boards(turn, season, id, direction).is_some() {
        return;
    }
    season.plan_mut(id).stepped_in = season.week;
    let tables = turn.tables.of(id.realm);
    let traveller = Traveller::of(season, id);
    let way = match bound(turn, season, id) {
        Some(obstacle) => Err(obstacle),
        None => way(tables, &turn.state, traveller, from, direction).and_then(|way| {
            let steps = season.plan(id).map_or(0, |plan| i64::from(plan.off_road_steps));
            let stuck = traveller.drags && !way.road && steps >= tables.movement.engine_medium_max_offroad_steps;
            if stuck { Err(Obstacle::OnlyRoads) } else { Ok(way) }
        }),
    };
    let way = match way {
        Ok(way) => way,
        Err(why) => return fail(turn, season, id, direction, why, &[]),
    };
    let cause = digit(season, id);
    leave_ground(turn, season, id, &way, cause);
    let Some(army) = turn.state.armies.get_mut(&id) else {
        return;
    };
    let cost = step_cost(tables, &way);
    army.points = army.points.saturating_sub(cost);
    let points_left = army.points;
    season.relocate(&mut turn.state, id, way.to);
    for traveller in season.followers(id).into_iter().chain([id]) {
        season.plan_mut(traveller).moved = true;
    }
    let plan = season.plan_mut(id);
    plan.off_road_steps = plan.off_road_steps.saturating_add(u8::from(!way.road));
    let what = Happening::ArmyMoved {
        army: id,
        from,
        to: way.to,
        cost,
        points_left,
    };
    season.emit(
        turn,
        cause,
        step_rules(&way, id.kind().is_group(), points_left < 0),
        &[],
        what,
    );
    if way.wall {
        cross_wall(turn, season, id, way.to, cause);
    }
    enter_blessed(turn, season, id, cause);
    meet(turn, season, id, cause);
}

/// What keeps an army from any step: a meeting, a fight, want of points.
///
/// THO-MOVE-01, THO-MOVE-12, THO-MOVE-13, GAP-13.
pub(crate) fn bound(turn: &SeasonTurn<'_>, season: &Season, id: ArmyId) -> Option<Obstacle> {
    let army = turn.state.army(id)?;
    let plan = season.plan(id);
    if plan.is_some_and(|plan| plan.stopped) {
        return Some(Obstacle::HeldUp);
    }
    if hostility::is_engaged(turn.tables, &turn.state, season, id) {
        return Some(Obstacle::Engaged);
    }
    if army.points > 0 {
        return None;
    }
    // A fight takes the rest of the season's movement, even if the enemy is gone.
    Some(if plan.is_some_and(|plan| plan.fought) {
        Obstacle::Engaged
    } else {
        Obstacle::NoPoints
    })
}

/// Tells an army's realm that a step was not possible (EV01). `also` are rules of the shore that decided.
pub(crate) fn fail(
    turn: &mut SeasonTurn<'_>,
    season: &Season,
    id: ArmyId,
    direction: Direction,
    why: Obstacle,
    also: &[RuleId],
) {
    let mut rules: Vec<RuleId> = match why {
        Obstacle::Water | Obstacle::Land => vec![rule::MOVE_09],
        Obstacle::Height => vec![rule::TERR_02],
        Obstacle::UnknownTerrain => vec![rule::MAP_08, rule::MOVE_09, rule::GAP_01],
        Obstacle::Blessed => vec![rule::PRIEST_04],
        Obstacle::NoPoints => vec![rule::MOVE_01, rule::UNIT_05],
        Obstacle::Engaged => vec![rule::MOVE_12],
        Obstacle::HeldUp => vec![rule::MOVE_13],
        Obstacle::OnlyRoads => vec![rule::UNIT_12],
    };
    if why == Obstacle::NoPoints {
        if id.kind().is_wizard() || id.kind() == Kind::Archdemon {
            rules.push(rule::MOVE_11);
        }
        if id.kind().is_group() {
            rules.push(rule::GRP_02);
        }
    }
    rules.push(rule::GAP_13);
    rules.extend_from_slice(also);
    season.emit(
        turn,
        digit(season, id),
        rules,
        &[],
        Happening::StepFailed {
            army: id,
            direction,
            why,
        },
    );
}

/// The cause of a step: the digit of the running week in the army's order line.
pub(crate) fn digit(season: &Season, id: ArmyId) -> Cause {
    match season.plan(id) {
        Some(plan) if plan.line.is_some() => {
            let column = plan
                .route_span
                .column
                .saturating_add(u32::from(season.week).saturating_sub(1));
            Cause::Order(
                id.realm,
                Span {
                    column,
                    length: 1,
                    ..plan.route_span
                },
            )
        }
        _ => Cause::Step("march"),
    }
}

/// Losses of everyone in an army or group on leaving its field: terrain first, then a river without a bridge.
///
/// THO-TERR-05, THO-TERR-06, THO-SEA-09, THO-MOVE-10, GAP-24: one roll per army, each member of a group its own.
pub(crate) fn leave_ground(turn: &mut SeasonTurn<'_>, season: &mut Season, id: ArmyId, way: &Way, cause: Cause) {
    let tables = turn.tables.of(id.realm);
    let river = (way.river && !way.bridge).then_some(tables.loss.river);
    if river.is_none() && !tables.is_loss_terrain(way.terrain) {
        return;
    }
    for member in travellers(season, id) {
        let Some(army) = turn.state.army(member) else { continue };
        let culture = turn.state.realms.get(&id.realm).map(|realm| &realm.culture);
        if let Some(span) = terrain_loss(tables, culture, member.kind(), army.fit, way.terrain) {
            let field = army.field;
            let mut rules = vec![rule::TERR_05, rule::TERR_06, rule::GAP_24, rule::GAP_03];
            if member.kind().sails() {
                rules.push(rule::SEA_09);
            }
            let lost = |lost| Happening::LostOnTerrain {
                army: member,
                field,
                lost,
            };
            thin_out(turn, season, member, span, rules, lost, cause);
        }
        if let Some(span) = river.filter(|_| tables.suffers_losses(member.kind())) {
            let rules = vec![rule::MOVE_10, rule::MAP_10, rule::GAP_24, rule::GAP_03];
            let lost = |lost| Happening::LostInRiver {
                army: member,
                to: way.to,
                lost,
            };
            thin_out(turn, season, member, span, rules, lost, cause);
        }
    }
}

/// Rolls a loss in percent for one army and takes it. The first of `rules` names the die.
fn thin_out(
    turn: &mut SeasonTurn<'_>,
    season: &mut Season,
    id: ArmyId,
    span: tables::Span,
    rules: Vec<RuleId>,
    what: impl FnOnce(i64) -> Happening,
    cause: Cause,
) {
    let (Some(count), Some(named)) = (turn.state.army(id).map(|army| army.count), rules.first().copied()) else {
        return;
    };
    let subject = format!("{id} week {}", season.week);
    let die = turn.roll(named, Owner::of(id.realm), &subject, span.min, span.max);
    let lost = percent(count, die.value, turn.tables.rounding.losses).clamp(0, count);
    if lost > 0 {
        let event = season.emit(turn, cause, rules, &[die], what(lost));
        strength::wound(turn, season, id, lost, Demise::Way, Cause::Event(event));
    }
}

/// The percentages that leaving a terrain may cost an army; nothing if it loses none.
///
/// THO-TERR-05, THO-TERR-06, GAP-24, GAP-25: priests, wizards, demons and monsters never lose, spared peoples not in their
/// terrains, fit armies not in the exact terrain they are fit for.
pub fn terrain_loss(
    tables: &Tables,
    culture: Option<&Culture>,
    kind: Kind,
    fit: Option<Terrain>,
    terrain: Terrain,
) -> Option<tables::Span> {
    let spared = culture.is_some_and(|culture| culture.spared.iter().any(|family| tables.is_of(terrain, *family)));
    if !tables.is_loss_terrain(terrain) || !tables.suffers_losses(kind) || spared || fit == Some(terrain) {
        return None;
    }
    Some(if tables.is_of(terrain, Family::Ice) {
        tables.loss.ice
    } else {
        tables.loss.terrain
    })
}

/// The members of a group, or the army itself.
fn travellers(season: &Season, id: ArmyId) -> Vec<ArmyId> {
    if id.kind().is_group() {
        season.followers(id)
    } else {
        vec![id]
    }
}

/// An army has come over a foreign wall onto `field`: it is remembered for the week's fights, and foot troops on the wall
/// take their toll of an enemy.
///
/// THO-NET-03, GAP-17: 10 % if warriors or engines of the owner or a partner, hostile to the army, stand there.
pub(crate) fn cross_wall(turn: &mut SeasonTurn<'_>, season: &mut Season, id: ArmyId, field: FieldIndex, cause: Cause) {
    season.wall_crossings.entry(field).or_default().insert(id);
    if !is_manned(turn, season, field, id) {
        return;
    }
    let Some(flag) = turn.state.army(id).map(|army| shown_flag(turn.tables, id, army)) else {
        return;
    };
    let owner = turn.state.field(field).owner;
    let tables = turn.tables.of(id.realm);
    for member in travellers(season, id) {
        let Some(count) = turn.state.army(member).map(|army| army.count) else {
            continue;
        };
        let toll = tables.combat.bonus_pct.wall_crossing_loss_pct;
        let lost = percent(count, toll, tables.rounding.losses).clamp(0, count);
        if lost > 0 {
            let rules = &[rule::NET_03, rule::COMB_04, rule::GAP_17, rule::GAP_03][..];
            let army = Shown {
                id: member,
                flag,
                count,
            };
            let what = Happening::LostAtWall {
                army,
                field,
                owner,
                lost,
            };
            let event = season.emit(turn, cause, rules, &[], what);
            strength::wound(turn, season, member, lost, Demise::Way, Cause::Event(event));
        }
    }
}

/// Whether foot troops of the wall's owner or a partner stand on a field and are hostile to the army that came.
fn is_manned(turn: &SeasonTurn<'_>, season: &Season, field: FieldIndex, comer: ArmyId) -> bool {
    let state = &turn.state;
    let Some(army) = state.army(comer) else { return false };
    if !hostility::takes_part(turn.tables, comer, army) {
        return false;
    }
    let owner = state.field(field).owner;
    let hostilities = hostility::on_field(turn.tables, state, season, field);
    let is_foot = |id: ArmyId| {
        let least = turn.tables.of(id.realm).exist_min(id.kind());
        id.kind().is_foot() && state.army(id).is_some_and(|army| army.count >= least)
    };
    hostility::present(turn.tables, state, season, field)
        .filter(|(id, _)| state.are_partners(id.realm, owner) && hostilities.between(id.realm, comer.realm))
        .any(|(id, _)| travellers(season, id).into_iter().any(is_foot))
}

/// An archdemon that has come onto a blessed field is weakened.
///
/// THO-PRIEST-04, GAP-36: by a fifth, at least by one.
pub(crate) fn enter_blessed(turn: &mut SeasonTurn<'_>, season: &mut Season, id: ArmyId, cause: Cause) {
    let Some(army) = turn.state.army(id).filter(|_| id.kind() == Kind::Archdemon) else {
        return;
    };
    let (field, count) = (army.field, army.count);
    if !turn.state.field(field).is_blessed() {
        return;
    }
    let tables = turn.tables.of(id.realm);
    let lost = priests::archdemon_loss(tables, count);
    let demon = Shown {
        id,
        flag: shown_flag(turn.tables, id, army),
        count,
    };
    let by = turn.state.field(field).owner;
    let rules = &[rule::PRIEST_04, rule::GAP_36, rule::GAP_03][..];
    let event = season.emit(
        turn,
        cause,
        rules,
        &[],
        Happening::ArchdemonWeakened { demon, field, lost, by },
    );
    strength::wound(turn, season, id, lost, Demise::Sphere, Cause::Event(event));
}

/// An army that has come onto a field where strangers stand is held up there, unless it comes to a fight.
///
/// THO-MOVE-13, THO-COMB-03, GAP-13: partners do not hinder each other, unseen armies meet nobody, and nobody is held up
/// on land of his own or of a partner. THO-UNIT-10: engines on the move do not attack.
fn meet(turn: &mut SeasonTurn<'_>, season: &mut Season, id: ArmyId, cause: Cause) {
    let state = &turn.state;
    let Some(army) = state.army(id) else { return };
    let (field, owner) = (army.field, state.field(army.field).owner);
    let at_home = owner.is_played() && state.are_partners(owner, id.realm);
    if at_home
        || !hostility::takes_part(turn.tables, id, army)
        || !hostility::visible_foreign_army_not_partner(turn.tables, state, season, field, id.realm)
        || hostility::on_field(turn.tables, state, season, field).involve(id.realm)
    {
        return;
    }
    let mut rules = vec![rule::MOVE_13, rule::COMB_03, rule::GAP_13];
    if id.kind().is_engine() && army.command.is_attack() {
        rules.push(rule::UNIT_10);
    }
    if turn.tables.movement.meeting_stop == MeetingStop::Turn {
        season.plan_mut(id).stopped = true;
    }
    season.emit(turn, cause, rules, &[], Happening::HeldUp { army: id, field });
}

/// D11: movement points for the next turn.
///
/// THO-MOVE-08: `min(T01, points + T01)`; what was borrowed is paid back, what was saved is lost.
pub fn refill_points(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    for (id, army) in &mut turn.state.armies {
        let pace = pace(turn.tables, season, *id);
        army.points = refilled(army.points, pace);
    }
}

/// THO-MOVE-08.
pub fn refilled(points: i32, pace: i32) -> i32 {
    points.saturating_add(pace).min(pace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Field, Realm, Sides};
    use kernel::hex::{Grid, Wrap};

    /// A step over plain lowland.
    fn plain() -> Way {
        Way {
            to: FieldIndex(1),
            terrain: Terrain::Lowland,
            climbs: false,
            road: false,
            river: false,
            bridge: false,
            wall: false,
            abroad: false,
            among_partners: false,
            hampered: false,
            across_the_seam: false,
        }
    }

    fn cost(way: Way) -> i32 {
        step_cost(&Tables::book(), &way)
    }

    #[test]
    fn the_terrain_left_is_paid_or_one_point_on_a_road() {
        let jungle = Way {
            terrain: Terrain::LowlandJungle,
            ..plain()
        };
        assert_eq!((cost(plain()), cost(Way { road: true, ..plain() })), (2, 1));
        assert_eq!((cost(jungle), cost(Way { road: true, ..jungle })), (3, 1));
        assert_eq!(
            cost(Way {
                terrain: Terrain::Unexplored,
                ..plain()
            }),
            2
        );
    }

    #[test]
    fn each_hindrance_costs_one_point_more_on_a_road_as_well() {
        for road in [false, true] {
            let base = Way { road, ..plain() };
            let more = |way| cost(way) - cost(base);
            assert_eq!(more(Way { climbs: true, ..base }), 1);
            assert_eq!(more(Way { river: true, ..base }), 1);
            assert_eq!(
                more(Way {
                    river: true,
                    bridge: true,
                    ..base
                }),
                0
            );
            assert_eq!(more(Way { wall: true, ..base }), 1);
            assert_eq!(more(Way { abroad: true, ..base }), 1);
            assert_eq!(more(Way { hampered: true, ..base }), i32::from(!road));
        }
        let worst = Way {
            climbs: true,
            river: true,
            wall: true,
            abroad: true,
            hampered: true,
            ..plain()
        };
        assert_eq!(
            cost(Way {
                terrain: Terrain::MountainSwamp,
                ..worst
            }),
            8
        );
    }

    #[test]
    fn points_are_refilled_to_the_full_and_loans_paid_back() {
        let after: Vec<i32> = [-5, -1, 0, 1, 4, 9]
            .into_iter()
            .map(|points| refilled(points, 4))
            .collect();
        assert_eq!(after, [-1, 3, 4, 4, 4, 4]);
    }

    #[test]
    fn loss_terrain_spares_peoples_by_family_and_fit_armies_by_code() {
        let tables = Tables::book();
        let loss = |spared: &[Family], kind, fit, terrain| {
            let culture = Culture {
                spared: spared.iter().copied().collect(),
                ..Culture::default()
            };
            terrain_loss(&tables, Some(&culture), kind, fit, terrain).map(|span| (span.min, span.max))
        };
        use Kind::LightWarrior as K;
        use Terrain::{DeepSea, HighlandSwamp, Ice, Lowland, LowlandSwamp, Volcano};
        assert_eq!(loss(&[], K, None, LowlandSwamp), Some((1, 10)));
        assert_eq!(loss(&[], K, None, Volcano), Some((1, 10)));
        assert_eq!(loss(&[], K, None, Ice), Some((5, 20)));
        assert_eq!(loss(&[], K, None, Lowland), None);
        assert_eq!(loss(&[Family::Swamp], K, None, HighlandSwamp), None);
        assert_eq!(loss(&[Family::Jungle], K, None, HighlandSwamp), Some((1, 10)));
        assert_eq!(loss(&[], K, Some(LowlandSwamp), LowlandSwamp), None);
        assert_eq!(loss(&[], K, Some(LowlandSwamp), HighlandSwamp), Some((1, 10)));
        assert_eq!(loss(&[], Kind::LightShip, None, DeepSea), Some((1, 10)));
        assert_eq!(loss(&[], Kind::LightShip, Some(DeepSea), DeepSea), None);
        for exempt in [Kind::WarPriest, Kind::Summoner, Kind::Demon, Kind::Mammoth] {
            assert_eq!(loss(&[], exempt, None, Ice), None);
        }
    }

    /// Three fields in a row, west to east, of realms 1, 2 and nobody.
    fn row(terrains: [Terrain; 3]) -> (State, [FieldIndex; 3]) {
        let grid = Grid::new(12, 10, Wrap::Cylinder).expect("a small world");
        let mut fields = vec![Field::wild(Terrain::Lowland); grid.field_count() as usize];
        let west = FieldIndex(24);
        let middle = grid.neighbour(west, Direction::East).expect("a field");
        let east = grid.neighbour(middle, Direction::East).expect("a field");
        for (place, (terrain, owner)) in [west, middle, east].iter().zip(terrains.into_iter().zip([1, 2, 0])) {
            fields[place.index()] = Field {
                owner: RealmId(owner),
                ..Field::wild(terrain)
            };
        }
        let state = State {
            turn: 0,
            grid,
            origin: west,
            fields,
            realms: BTreeMap::<RealmId, Realm>::new(),
            armies: BTreeMap::new(),
            treaties: BTreeMap::new(),
            house_rules: String::new(),
            table_changes: Vec::new(),
            over: false,
        };
        (state, [west, middle, east])
    }

    fn try_step(state: &State, kind: Kind, from: FieldIndex) -> Result<Way, Obstacle> {
        way(
            &Tables::book(),
            state,
            Traveller::alone(RealmId(1), kind),
            from,
            Direction::East,
        )
    }

    #[test]
    fn heights_part_by_more_than_one_step() {
        use Terrain::{Highland, Lowland, Mountain};
        let (state, [low, high, peak]) = row([Lowland, Highland, Mountain]);
        assert_eq!(
            try_step(&state, Kind::LightWarrior, low).map(|way| way.climbs),
            Ok(true)
        );
        assert_eq!(
            try_step(&state, Kind::LightWarrior, high).map(|way| way.climbs),
            Ok(true)
        );
        assert_eq!(try_step(&state, Kind::LightWarrior, peak), Err(Obstacle::Height));
    }

    #[test]
    fn ships_keep_to_the_water_and_armies_to_the_land() {
        use Terrain::{Lowland, Reef, Unexplored, Unknown, Water};
        let (state, [land, water, _]) = row([Lowland, Water, Lowland]);
        assert_eq!(try_step(&state, Kind::LightWarrior, land), Err(Obstacle::Water));
        assert_eq!(try_step(&state, Kind::LightShip, water), Err(Obstacle::Land));
        let (state, [sea, reef, _]) = row([Water, Reef, Unknown]);
        assert_eq!(try_step(&state, Kind::TradeFleet, sea).map(|way| way.climbs), Ok(false));
        assert_eq!(try_step(&state, Kind::SeaGroup, reef), Err(Obstacle::UnknownTerrain));
        let (state, [land, fog, water]) = row([Lowland, Unexplored, Water]);
        assert!(try_step(&state, Kind::LightWarrior, land).is_ok());
        assert_eq!(try_step(&state, Kind::LightWarrior, fog), Err(Obstacle::Water));
        assert!(try_step(&state, Kind::Kraken, fog).is_ok());
        let _ = water;
    }

    #[test]
    fn the_poles_end_the_world() {
        let (state, _) = row([Terrain::Lowland; 3]);
        let warriors = Traveller::alone(RealmId(1), Kind::LightWarrior);
        let south = way(&Tables::book(), &state, warriors, FieldIndex(0), Direction::SouthEast);
        assert_eq!(south, Err(Obstacle::UnknownTerrain));
    }

    #[test]
    fn partner_land_is_not_foreign_and_that_of_a_pact_is() {
        let tables = Tables::book();
        let (mut state, [own, other, free]) = row([Terrain::Lowland; 3]);
        let abroad = |state: &State, field| is_abroad(&tables, state, RealmId(1), field);
        assert!(!abroad(&state, own) && abroad(&state, other) && !abroad(&state, free));
        state.treaties.insert((RealmId(1), RealmId(2)), Treaty::NonAggression);
        assert!(abroad(&state, other));
        state.treaties.insert((RealmId(1), RealmId(2)), Treaty::Partnership);
        assert!(!abroad(&state, other));
    }

    #[test]
    fn only_a_strangers_wall_on_the_crossed_side_is_in_the_way() {
        let (mut state, [own, other, _]) = row([Terrain::Lowland; 3]);
        state.field_mut(other).walls.insert(Direction::West);
        let meets = |state: &State| try_step(state, Kind::LightWarrior, own).map(|way| way.wall);
        assert_eq!(meets(&state), Ok(true));
        state.treaties.insert((RealmId(1), RealmId(2)), Treaty::NonAggression);
        assert_eq!(meets(&state), Ok(true));
        state.treaties.insert((RealmId(1), RealmId(2)), Treaty::Partnership);
        assert_eq!(meets(&state), Ok(false));
        state.treaties.clear();
        state.field_mut(other).walls = Sides::NONE;
        state.field_mut(own).walls.insert(Direction::East);
        assert_eq!(meets(&state), Ok(false));
    }

    #[test]
    fn normal_demons_stop_before_blessed_fields() {
        let (mut state, [own, other, _]) = row([Terrain::Lowland; 3]);
        state.field_mut(other).blessed_turns = 1;
        assert_eq!(try_step(&state, Kind::Demon, own), Err(Obstacle::Blessed));
        assert!(try_step(&state, Kind::Archdemon, own).is_ok());
    }

    #[test]
    fn a_group_is_hampered_like_its_riders_and_held_like_its_engines() {
        let group = |members: &[Kind]| Traveller::group(RealmId(1), Kind::LandGroup, members.iter().copied());
        let slow = group(&[Kind::LightWarrior, Kind::HeavyRider, Kind::MediumEngine]);
        assert!(slow.rides && slow.drags);
        let foot = group(&[Kind::LightWarrior, Kind::LightEngine]);
        assert!(!foot.rides && !foot.drags);
    }
}
