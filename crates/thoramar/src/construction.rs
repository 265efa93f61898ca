//! Buildings, roads, bridges and walls (THO-BLD, THO-NET, GAP-05, GAP-06).
//!
//! A build order is all or nothing: everything is weighed first, then paid and done.

use crate::arming;
use crate::codes::{Building, Condition, Network, Terrain};
use crate::event::{Happening, Work};
use crate::geo::{Place, PlaceFault};
use crate::order::Order;
use crate::rule;
use crate::season::{Season, SeasonTurn};
use crate::state::{Site, State, Works};
use crate::tables::Tables;
use crate::tables::policy::Digits;
use kernel::diagnostic::{Diagnostic, Span, Spanned};
use kernel::dice::Owner;
use kernel::hex::{Direction, FieldIndex};
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::Cause;
use std::collections::BTreeSet;

/// B2: `$B` of every realm in file order (THO-ORD-05, THO-BLD-01, THO-BLD-21).
pub fn order_works(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let input = turn.input;
    for (realm, parsed) in &input.orders {
        for order in &parsed.orders {
            match &order.value {
                Order::Build { building, place, name } => {
                    let site = SiteOrder {
                        building: *building,
                        place: *place,
                        name: name.as_ref(),
                    };
                    if let Err(refusal) = build(turn, season, *realm, order.span, site) {
                        turn.refuse(*realm, *refusal);
                    }
                }
                Order::Lay {
                    network,
                    place,
                    directions,
                } => {
                    if let Err(refusal) = lay(turn, season, *realm, order.span, *network, *place, directions) {
                        turn.refuse(*realm, *refusal);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Why an order is refused. Boxed, because it is rare and large.
type Refused = Box<Diagnostic>;

/// What an order line for an inhabited building says.
struct SiteOrder<'a> {
    building: Building,
    place: Spanned<Place>,
    name: Option<&'a Spanned<String>>,
}

/// The field that an order means, if it belongs to the realm: S05, S06, B02.
///
/// THO-MAP-01, THO-MAP-06.
pub(crate) fn own_field(
    state: &State,
    realm: RealmId,
    place: Spanned<Place>,
    foreign: &'static str,
    rules: &[RuleId],
) -> Result<FieldIndex, Refused> {
    let field = any_field(state, realm, place)?;
    if state.field(field).owner != realm {
        return Err(Box::new(at(Diagnostic::error(foreign, place.span, rules), place.value)));
    }
    Ok(field)
}

/// The own field that is built on: B03 where the realm knows that there is no land (THO-BLD-20), else B02. What it has never
/// seen is foreign to it, whatever it is: another answer would tell it the terrain.
fn own_ground(
    tables: &Tables,
    state: &State,
    realm: RealmId,
    place: Spanned<Place>,
    rules: &[RuleId],
) -> Result<FieldIndex, Refused> {
    let field = any_field(state, realm, place)?;
    let known = state.realms.get(&realm).and_then(|owner| owner.knowledge.get(&field));
    match known.map(|known| known.field.terrain) {
        Some(terrain) if !tables.is_land(terrain) => {
            let refusal = at(Diagnostic::error("B03", place.span, &[rule::BLD_20]), place.value);
            Err(Box::new(refusal.with("gel", terrain.code())))
        }
        _ => own_field(state, realm, place, "B02", rules),
    }
}

/// The field that an order means: S05, S06.
pub(crate) fn any_field(state: &State, realm: RealmId, place: Spanned<Place>) -> Result<FieldIndex, Refused> {
    state.field_at(realm, place.value).map_err(|fault| {
        let (low, high) = state.rows_of(realm);
        Box::new(match fault {
            PlaceFault::NoSuchColumn => at(Diagnostic::error("S05", place.span, &[rule::MAP_02]), place.value),
            PlaceFault::OutsideTheWorld => at(Diagnostic::error("S06", place.span, &[rule::MAP_06]), place.value)
                .with("ymin", i64::from(low))
                .with("ymax", i64::from(high)),
        })
    })
}

/// Names a place in a finding.
pub(crate) fn at(diagnostic: Diagnostic, place: Place) -> Diagnostic {
    diagnostic.with("x", i64::from(place.x)).with("y", i64::from(place.y))
}

/// What building work an order amounts to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Plan {
    Rename,
    Begin { work: Work, price: i64, turns: u8 },
}

/// Weighs and begins building work.
///
/// THO-BLD-20 land only, THO-BLD-21 one construction at a time, THO-BLD-17 renaming, THO-BLD-04 and -12 one capital and one
/// temple city, THO-BLD-14 temples need one, THO-BLD-15 and -16 mines and gates are found, THO-BLD-18 repairs,
/// THO-BLD-06, -08, -10 upgrades, then the price.
fn build(
    turn: &mut SeasonTurn<'_>,
    season: &Season,
    realm: RealmId,
    span: Span,
    order: SiteOrder<'_>,
) -> Result<(), Refused> {
    let (plan, mut rules) = weigh(turn.tables.of(realm), &turn.state, season, realm, span, &order)?;
    let field = own_field(&turn.state, realm, order.place, "B02", &[rule::BLD_01])?;
    let name = order.name.map(|name| name.value.clone());
    rules.push(rule::ORD_05);
    rules.extend(name.is_some().then_some(rule::BLD_19));
    let cause = Cause::Order(realm, span);
    match plan {
        Plan::Rename => {
            let Some(site) = turn.state.field_mut(field).site.as_deref_mut() else {
                return Ok(());
            };
            site.name = name.unwrap_or_else(|| site.name.clone());
            let what = Happening::BuildingRenamed {
                realm,
                field,
                building: site.building,
                name: site.name.clone(),
            };
            season.emit(turn, cause, rules, &[], what);
        }
        Plan::Begin { work, price, turns } => {
            let treasury = treasury(&turn.state, realm);
            if price > treasury {
                return Err(Box::new(too_dear(
                    "B10",
                    span,
                    price,
                    treasury,
                    &[rule::BLD_21, rule::GAP_11],
                )));
            }
            if let Some(owner) = turn.state.realms.get_mut(&realm) {
                owner.treasury -= price;
            }
            // GAP-06: where the turn of the order does not count, the work takes one turn more.
            let left = if turn.tables.of(realm).build.first_turn_counts {
                turns
            } else {
                turns.saturating_add(1)
            };
            begin(
                turn.state
                    .field_mut(field)
                    .site
                    .get_or_insert_with(|| Box::new(planned(order.building))),
                &order,
                left,
            );
            let what = Happening::WorkBegun {
                realm,
                field,
                building: order.building,
                work,
                cost: price,
                turns,
            };
            season.emit(turn, cause, rules, &[], what);
        }
    }
    Ok(())
}

/// A site on which nothing stands yet.
fn planned(building: Building) -> Site {
    Site {
        standing: false,
        ..Site::finished(building, building.code())
    }
}

fn begin(site: &mut Site, order: &SiteOrder<'_>, turns: u8) {
    site.works = Some(Works {
        target: order.building,
        turns_left: turns,
    });
    if let Some(name) = order.name {
        site.name.clone_from(&name.value);
    }
}

/// The realm's gold.
pub(crate) fn treasury(state: &State, realm: RealmId) -> i64 {
    state.realms.get(&realm).map_or(0, |realm| realm.treasury)
}

/// B10, R06 and their like: more than there is.
pub(crate) fn too_dear(code: &'static str, span: Span, price: i64, treasury: i64, rules: &[RuleId]) -> Diagnostic {
    Diagnostic::error(code, span, rules)
        .with("k", price)
        .with("v", treasury)
}

/// What an order for an inhabited building amounts to, or why it is impossible.
fn weigh(
    tables: &Tables,
    state: &State,
    season: &Season,
    realm: RealmId,
    span: Span,
    order: &SiteOrder<'_>,
) -> Result<(Plan, Vec<RuleId>), Refused> {
    let refuse = |code, rules: &[RuleId]| at(Diagnostic::error(code, order.place.span, rules), order.place.value);
    let field_index = own_ground(tables, state, realm, order.place, &[rule::BLD_01])?;
    let field = state.field(field_index);
    let target = order.building;
    let Some(site) = field.site.as_deref() else {
        return weigh_new(tables, state, season, realm, order).map_err(|code| Box::new(code(&refuse)));
    };
    if let Some(works) = site.works {
        let wait = refuse("B11", &[rule::BLD_21, rule::GAP_06]).with("n", i64::from(works.turns_left));
        return Err(Box::new(wait));
    }
    if site.building == target {
        return match (site.condition, tables.repair(target, site.condition)) {
            (Condition::Intact, _) => Ok((Plan::Rename, vec![rule::BLD_17])),
            (Condition::Ruin, Some(work)) => {
                let rules = rebuild_rules(target);
                unique(state, season, realm, target, Some(field_index)).map_err(|code| Box::new(code(&refuse)))?;
                Ok((
                    Plan::Begin {
                        work: Work::Rebuild,
                        price: work.price,
                        turns: turns(work.turns),
                    },
                    rules,
                ))
            }
            (_, Some(work)) => Ok((
                Plan::Begin {
                    work: Work::Repair,
                    price: work.price,
                    turns: turns(work.turns),
                },
                vec![rule::BLD_01, rule::BLD_18, rule::BLD_21, rule::GAP_06],
            )),
            (_, None) => Err(Box::new(
                refuse("B04", &[rule::BLD_18]).with("bau", site.building.code()),
            )),
        };
    }
    let Some(work) = tables.upgrade(site.building, target) else {
        let targets: Vec<&str> = tables.upgrades(site.building).map(Building::code).collect();
        let refusal = if targets.is_empty() {
            refuse("B04", &[rule::MAP_09]).with("bau", site.building.code())
        } else {
            Diagnostic::error("B06", span, &[rule::BLD_01, rule::MAP_09, upgrade_rule(site.building)])
                .with("alt", site.building.code())
                .with("neu", target.code())
                .with("ziele", targets.join(" "))
        };
        return Err(Box::new(refusal));
    };
    if site.condition != Condition::Intact {
        let refusal = refuse("B16", &[rule::BLD_18, rule::GAP_06])
            .with("bau", site.building.code())
            .with_word("zustand", format!("condition-{}", site.condition.code()));
        return Err(Box::new(refusal));
    }
    unique(state, season, realm, target, None).map_err(|code| Box::new(code(&refuse)))?;
    let rules = vec![rule::BLD_01, upgrade_rule(site.building), rule::BLD_21, rule::GAP_06];
    Ok((
        Plan::Begin {
            work: Work::Upgrade,
            price: work.price,
            turns: turns(work.turns),
        },
        rules,
    ))
}

/// A refusal that still wants its place.
type Unplaced = Box<dyn Fn(&dyn Fn(&'static str, &[RuleId]) -> Diagnostic) -> Diagnostic>;

fn unplaced(code: &'static str, rules: &'static [RuleId]) -> Unplaced {
    Box::new(move |place| place(code, rules))
}

/// A building from nothing.
fn weigh_new(
    tables: &Tables,
    state: &State,
    season: &Season,
    realm: RealmId,
    order: &SiteOrder<'_>,
) -> Result<(Plan, Vec<RuleId>), Unplaced> {
    let target = order.building;
    let Some(work) = tables.new_building(target) else {
        let code = target.code();
        return Err(Box::new(move |place| {
            place("B05", &[rule::BLD_15, rule::BLD_16]).with("bau", code)
        }));
    };
    unique(state, season, realm, target, None)?;
    if order.name.is_none() && target != Building::Temple {
        let max = tables.orders.max_name_length;
        return Err(Box::new(move |place| {
            place("B12", &[rule::BLD_19, rule::GAP_06]).with("max", max)
        }));
    }
    let rules = vec![rule::BLD_01, own_rule(target), rule::BLD_20, rule::BLD_21, rule::GAP_06];
    Ok((
        Plan::Begin {
            work: Work::New,
            price: work.price,
            turns: turns(work.turns),
        },
        rules,
    ))
}

/// THO-BLD-04 one capital, THO-BLD-12 one temple city, THO-BLD-14 no temple without a temple city. Works in progress count, so
/// that two orders of one turn do not get round the rule; `except` is the field of the ruin that is being rebuilt.
fn unique(
    state: &State,
    season: &Season,
    realm: RealmId,
    target: Building,
    except: Option<FieldIndex>,
) -> Result<(), Unplaced> {
    let owns = |wanted: fn(Building) -> bool, planned: bool| {
        season
            .estate(realm)
            .filter(|field| Some(*field) != except)
            .map(|field| state.field(field))
            .any(|field| {
                if planned {
                    field.has(wanted)
                } else {
                    field.has_working(wanted)
                }
            })
    };
    let is_capital: fn(Building) -> bool = |building| building == Building::Capital;
    match target {
        Building::Capital if owns(is_capital, true) => Err(unplaced("B07", &[rule::BLD_02, rule::BLD_04])),
        _ if target.is_temple_city() && owns(Building::is_temple_city, true) => {
            Err(unplaced("B08", &[rule::BLD_11, rule::BLD_12]))
        }
        Building::Temple if !owns(Building::is_temple_city, false) => Err(unplaced("B09", &[rule::BLD_14])),
        _ => Ok(()),
    }
}

fn turns(turns: i64) -> u8 {
    u8::try_from(turns).unwrap_or(u8::MAX)
}

/// The rule that describes a building.
const fn own_rule(building: Building) -> RuleId {
    match building {
        Building::Capital => rule::BLD_04,
        Building::Castle => rule::BLD_05,
        Building::City => rule::BLD_07,
        Building::Fortress => rule::BLD_09,
        Building::TempleOfLight | Building::TempleOfDark | Building::HolyCity => rule::BLD_11,
        Building::Temple => rule::BLD_14,
        Building::Mine => rule::BLD_15,
        Building::Gate => rule::BLD_16,
    }
}

/// The rule that says what a building earns or costs a year.
pub(crate) const fn income_rule(building: Building) -> RuleId {
    match building {
        Building::Capital => rule::BLD_02,
        other => own_rule(other),
    }
}

/// The rule that lists what a building can become.
const fn upgrade_rule(building: Building) -> RuleId {
    match building {
        Building::Castle => rule::BLD_06,
        Building::City => rule::BLD_08,
        Building::Fortress => rule::BLD_10,
        other => own_rule(other),
    }
}

fn rebuild_rules(building: Building) -> Vec<RuleId> {
    let mut rules = vec![
        rule::BLD_01,
        rule::BLD_18,
        rule::BLD_21,
        rule::GAP_06,
        own_rule(building),
    ];
    if building == Building::Mine {
        rules.push(rule::GAP_20);
    }
    rules
}

/// Lays roads along a path, or bridges and walls on a set of sides.
///
/// THO-NET-01..04, THO-BLD-20, THO-MAP-09, THO-MAP-10, GAP-05: every digit is weighed, then all are paid together.
fn lay(
    turn: &mut SeasonTurn<'_>,
    season: &Season,
    realm: RealmId,
    span: Span,
    network: Network,
    place: Spanned<Place>,
    directions: &[Spanned<Direction>],
) -> Result<(), Refused> {
    let tables = turn.tables.of(realm);
    let start = own_ground(tables, &turn.state, realm, place, &[net_rule(network)])?;
    let digits = match network {
        Network::Road => tables.build.road_digits,
        Network::Bridge => tables.build.bridge_digits,
        Network::Wall => tables.build.wall_digits,
    };
    let mut sides = Vec::new();
    let mut seen = BTreeSet::new();
    let mut existing = Vec::new();
    let mut field = start;
    for digit in directions {
        let here = turn.state.place(realm, field);
        let next = laying_step(tables, &turn.state, realm, network, field, *digit)?;
        let already = match network {
            Network::Road => turn.state.field(field).roads.has(digit.value),
            Network::Bridge => turn.state.field(field).bridges.has(digit.value),
            Network::Wall => turn.state.field(field).walls.has(digit.value),
        };
        let edge = match network {
            Network::Wall => (field, digit.value),
            _ => edge_key(field, next, digit.value),
        };
        if already {
            let warning = Diagnostic::warning("B15w", digit.span, &[rule::GAP_05]);
            existing.push(
                at(warning, here)
                    .with_word("art", format!("network-{}", network.code()))
                    .with("d", i64::from(digit.value.digit())),
            );
        } else if seen.insert(edge) {
            sides.push((field, digit.value, next));
        }
        if digits == Digits::Path {
            field = next;
        }
    }
    let price = tables.network_price(network);
    let total = price.saturating_mul(i64::try_from(sides.len()).unwrap_or(i64::MAX));
    let gold = treasury(&turn.state, realm);
    if total > gold {
        return Err(Box::new(too_dear(
            "B10",
            span,
            total,
            gold,
            &[net_rule(network), rule::GAP_05, rule::GAP_11],
        )));
    }
    for warning in existing {
        turn.refuse(realm, warning);
    }
    if let Some(owner) = turn.state.realms.get_mut(&realm) {
        owner.treasury -= total;
    }
    for (field, direction, next) in sides {
        put(&mut turn.state, network, field, direction, next);
        let rules = vec![
            net_rule(network),
            rule::NET_04,
            rule::MAP_09,
            rule::MAP_10,
            rule::BLD_20,
            rule::ORD_05,
            rule::GAP_05,
        ];
        let what = Happening::NetworkLaid {
            realm,
            network,
            field,
            direction,
            cost: price,
        };
        season.emit(turn, Cause::Order(realm, span), rules, &[], what);
    }
    Ok(())
}

/// One edge has one key, from whichever side it is named.
fn edge_key(from: FieldIndex, to: FieldIndex, direction: Direction) -> (FieldIndex, Direction) {
    if from <= to {
        (from, direction)
    } else {
        (to, direction.opposite())
    }
}

fn put(state: &mut State, network: Network, field: FieldIndex, direction: Direction, next: FieldIndex) {
    match network {
        Network::Wall => state.field_mut(field).walls.insert(direction),
        Network::Road => {
            state.field_mut(field).roads.insert(direction);
            state.field_mut(next).roads.insert(direction.opposite());
        }
        Network::Bridge => {
            state.field_mut(field).bridges.insert(direction);
            state.field_mut(next).bridges.insert(direction.opposite());
        }
    }
}

/// Whether one digit of a build order is possible, and the field on its other side.
fn laying_step(
    tables: &Tables,
    state: &State,
    realm: RealmId,
    network: Network,
    field: FieldIndex,
    digit: Spanned<Direction>,
) -> Result<FieldIndex, Refused> {
    let here = state.place(realm, field);
    let direction = digit.value;
    let refuse = |code, rules: &[RuleId]| {
        at(Diagnostic::error(code, digit.span, rules), here).with("d", i64::from(direction.digit()))
    };
    if state.field(field).owner != realm {
        return Err(Box::new(refuse("B17", &[rule::NET_04, rule::GAP_05])));
    }
    let beyond = state.grid.neighbour(field, direction);
    match network {
        // A wall may face the sea or the edge of the world: it belongs to this field alone.
        Network::Wall => Ok(beyond.unwrap_or(field)),
        Network::Bridge => match beyond {
            Some(next) if state.field(field).rivers.has(direction) => Ok(next),
            _ => Err(Box::new(refuse("B13", &[rule::NET_02, rule::GAP_05]))),
        },
        Network::Road => {
            let reason = match beyond {
                None => Some("reason-edge"),
                Some(next) => road_obstacle(tables, state, field, next),
            };
            match (beyond, reason) {
                (Some(next), None) => Ok(next),
                (_, reason) => {
                    let refusal = refuse("B14", &[rule::NET_01, rule::NET_04, rule::TERR_02, rule::GAP_05]);
                    Err(Box::new(refusal.with_word("grund", reason.unwrap_or("reason-edge"))))
                }
            }
        }
    }
}

fn road_obstacle(tables: &Tables, state: &State, from: FieldIndex, to: FieldIndex) -> Option<&'static str> {
    let (here, there) = (state.field(from).terrain, state.field(to).terrain);
    if there == Terrain::Unexplored {
        // Only in a world as a player imagines it: what he has never seen may be land.
        return None;
    }
    if !tables.is_land(there) {
        return Some("reason-water");
    }
    let difference = tables.height(here)?.abs_diff(tables.height(there)?);
    (difference > tables.move_surcharge.max_height_difference.unsigned_abs()).then_some("reason-height")
}

const fn net_rule(network: Network) -> RuleId {
    match network {
        Network::Road => rule::NET_01,
        Network::Bridge => rule::NET_02,
        Network::Wall => rule::NET_03,
    }
}

/// D9: construction progresses; what is done stands intact (THO-BLD-21, GAP-06). Digging in a spent mine may fail (GAP-20).
pub fn advance_works(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let fields: Vec<FieldIndex> = turn
        .state
        .grid
        .fields()
        .filter(|field| {
            turn.state
                .field(*field)
                .site
                .as_deref()
                .is_some_and(|site| site.works.is_some())
        })
        .collect();
    for field in fields {
        let owner = turn.state.field(field).owner;
        let Some(site) = turn.state.field_mut(field).site.as_deref_mut() else {
            continue;
        };
        let Some(works) = site.works.as_mut() else { continue };
        works.turns_left = works.turns_left.saturating_sub(1);
        if works.turns_left > 0 {
            continue;
        }
        let target = works.target;
        let digs = target == Building::Mine && site.condition == Condition::Ruin;
        site.works = None;
        if digs && !dig(turn, season, field, owner) {
            continue;
        }
        finish(turn, season, field, owner, target);
    }
}

fn finish(turn: &mut SeasonTurn<'_>, season: &Season, field: FieldIndex, owner: RealmId, target: Building) {
    let tables = turn.tables.of(owner);
    let Some(site) = turn.state.field_mut(field).site.as_deref_mut() else {
        return;
    };
    if site.building != target {
        arming::forget_used(tables, site);
    }
    site.building = target;
    site.standing = true;
    site.condition = Condition::Intact;
    let name = site.name.clone();
    let rules = vec![rule::BLD_21, own_rule(target), rule::GAP_06];
    season.emit(
        turn,
        Cause::Step("advance-works"),
        rules,
        &[],
        Happening::WorkFinished {
            field,
            owner,
            building: target,
            name,
        },
    );
}

/// THO-BLD-15, GAP-20: whether digging on strikes a new vein, and how rich it is. The earth's dice are the world's.
fn dig(turn: &mut SeasonTurn<'_>, season: &Season, field: FieldIndex, owner: RealmId) -> bool {
    let mine = turn.tables.of(owner).mine.clone();
    let place = turn.state.place(RealmId::NOBODY, field);
    let luck = turn.roll(rule::BLD_15, Owner::World, &format!("vein at {place}"), 1, 100);
    let found = luck.value <= mine.dig_success_pct;
    let mut dice = vec![luck];
    if found {
        let (low, high) = (mine.new_reserve.min / mine.step, mine.new_reserve.max / mine.step);
        let size = turn.roll(
            rule::GAP_20,
            Owner::World,
            &format!("new reserve at {place}"),
            low,
            high,
        );
        dice.push(size);
        if let Some(site) = turn.state.field_mut(field).site.as_deref_mut() {
            site.mine_reserve = size.value.saturating_mul(mine.step);
        }
    }
    let what = Happening::VeinSought {
        realm: owner,
        field,
        found,
    };
    season.emit(
        turn,
        Cause::Step("advance-works"),
        vec![rule::BLD_15, rule::GAP_20],
        &dice,
        what,
    );
    found
}
