//! Arming and topping up armies (THO-ARM, GAP-07, GAP-08, GAP-10, GAP-25).

use crate::codes::{Arm, Condition, Kind, Terrain};
use crate::construction::{any_field, at, too_dear, treasury};
use crate::event::Happening;
use crate::geo::Place;
use crate::order::Order;
use crate::rule;
use crate::season::{Season, SeasonTurn};
use crate::state::{Army, ArmyId, ArmyName, SeenCondition, Site, State};
use crate::tables::Tables;
use kernel::diagnostic::{Diagnostic, Span, Spanned};
use kernel::hex::{Direction, FieldIndex};
use kernel::ratio;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::Cause;

/// B3: `$R` of every realm in file order (THO-ARM-01, GAP-08). One refused order does not hinder the next.
pub fn arm(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let input = turn.input;
    for (realm, parsed) in &input.orders {
        for order in &parsed.orders {
            let Order::Arm {
                fit,
                army,
                count,
                place,
                direction,
            } = &order.value
            else {
                continue;
            };
            let order = Recruits {
                span: order.span,
                fit: *fit,
                army: *army,
                count: *count,
                place: *place,
                direction: *direction,
            };
            if let Err(refusal) = recruit(turn, season, *realm, &order) {
                turn.refuse(*realm, *refusal);
            }
        }
    }
}

type Refused = Box<Diagnostic>;

struct Recruits {
    span: Span,
    fit: bool,
    army: Spanned<ArmyName>,
    count: Spanned<i64>,
    place: Spanned<Place>,
    direction: Option<Spanned<Direction>>,
}

/// What a building can still arm this year (THO-ARM-04, GAP-10): capacity of its kind and condition less what was spent.
pub fn capacity_left(tables: &Tables, site: &Site) -> i64 {
    if !site.standing {
        return 0;
    }
    (tables.capacity(site.building, site.condition) - site.armed_gold).max(0)
}

/// GAP-10: in a world where used capacity does not follow a building, a new owner or kind begins with all of it.
pub fn forget_used(tables: &Tables, site: &mut Site) {
    if !tables.arming.used_capacity_follows_building {
        site.armed_gold = 0;
    }
}

/// THO-ARM-02, -03, -07: price per head with the surcharge for terrain-fit armies, and the fixed price.
pub fn price(tables: &Tables, kind: Kind, count: i64, fit: bool, is_new: bool) -> (i64, i64) {
    let mut heads = count.saturating_mul(tables.price_per_head(kind));
    if fit {
        heads = ratio::percent(
            heads,
            100 + tables.arming.terrain_fit_surcharge_pct,
            tables.rounding.money,
        );
    }
    let fixed = if is_new || tables.arming.fixed_price_on_top_up {
        tables.price_fixed(kind)
    } else {
        0
    };
    (heads, fixed)
}

/// One order line: the checks in the order of the catalogue, then payment and the army.
fn recruit(turn: &mut SeasonTurn<'_>, season: &mut Season, realm: RealmId, order: &Recruits) -> Result<(), Refused> {
    let id = order.army.value.of(realm);
    let kind = id.kind();
    let tables = turn.tables.of(realm);
    let state = &turn.state;
    refuse_kind(tables, state, realm, order)?;
    let site_field = arming_site(tables, state, realm, order)?;
    let field = appearance(tables, state, realm, order, site_field)?;
    refuse_army(tables, state, realm, order, site_field, field)?;
    let is_new = state.army(id).is_none();
    let fitness = state.army(id).and_then(|army| army.fit);
    let (heads, fixed) = price(tables, kind, order.count.value, order.fit, is_new);
    let left = state
        .field(site_field)
        .building()
        .map_or(0, |site| capacity_left(tables, site));
    if heads > left {
        let refusal = Diagnostic::error("R05", order.count.span, &[rule::ARM_04, rule::GAP_10]);
        return Err(Box::new(refusal.with("k", left).with("b", heads)));
    }
    let (cost, gold) = (heads.saturating_add(fixed), treasury(state, realm));
    if cost > gold {
        return Err(Box::new(too_dear(
            "R06",
            order.span,
            cost,
            gold,
            &[rule::ARM_02, rule::GAP_11],
        )));
    }
    if order.direction.is_some() && !kind.sails() {
        let span = order.direction.map_or(order.span, |direction| direction.span);
        turn.refuse(
            realm,
            Diagnostic::warning("R15w", span, &[rule::ARM_08]).with("typ", kind.code()),
        );
    }
    if let Some(owner) = turn.state.realms.get_mut(&realm) {
        owner.treasury -= cost;
    }
    if let Some(site) = turn.state.field_mut(site_field).site.as_deref_mut() {
        site.armed_gold = site.armed_gold.saturating_add(heads);
    }
    enlist(turn, season, realm, order, (site_field, field));
    let mut rules = vec![
        rule::ARM_01,
        rule::ARM_02,
        rule::ARM_03,
        rule::ARM_04,
        rule::ARM_05,
        rule::ARM_06,
        rule::GAP_08,
        rule::GAP_10,
    ];
    if order.fit || fitness.is_some() {
        rules.extend([rule::ARM_07, rule::GAP_25]);
    }
    rules.extend(is_new.then_some(rule::UNIT_01));
    rules.extend(kind_rules(kind));
    if let Some(site) = turn.state.field(site_field).building() {
        rules.push(place_rule(site.building));
        rules.extend(site.works.is_some().then_some(rule::ECON_03));
        rules.extend((site.condition != Condition::Intact).then_some(rule::GAP_07));
    }
    let what = Happening::ArmyArmed {
        army: id,
        field,
        count: order.count.value,
        is_new,
        cost,
        capacity_left: left - heads,
    };
    season.emit(turn, Cause::Order(realm, order.span), rules, &[], what);
    Ok(())
}

/// Puts the recruits into the world: a new army with full points, or more heads for one.
fn enlist(
    turn: &mut SeasonTurn<'_>,
    season: &mut Season,
    realm: RealmId,
    order: &Recruits,
    (site_field, field): (FieldIndex, FieldIndex),
) {
    let id = order.army.value.of(realm);
    let kind = id.kind();
    let tables = turn.tables.of(realm);
    let fit = order.fit.then(|| {
        if kind.sails() {
            Terrain::DeepSea
        } else {
            turn.state.field(site_field).terrain
        }
    });
    if let Some(army) = turn.state.armies.get_mut(&id) {
        army.count = army.count.saturating_add(order.count.value);
        if army.fit != fit {
            // GAP-25: fitness is lost when other recruits join.
            army.fit = None;
        }
        return;
    }
    let points = if tables.arming.moves_same_turn {
        tables.movement_points(kind)
    } else {
        0
    };
    let mut army = Army::new(order.count.value, field, i32::try_from(points).unwrap_or(i32::MAX));
    army.flag = tables.orders.new_army_flag;
    army.fit = fit;
    army.start = kind.is_trader().then_some(site_field);
    season.add(&mut turn.state, id, army);
}

/// R14, R07, R12, R13: whether this people can arm this kind at all, and how much of it.
fn refuse_kind(tables: &Tables, state: &State, realm: RealmId, order: &Recruits) -> Result<(), Refused> {
    let kind = order.army.value.kind;
    if !tables.can_be_armed(kind) {
        let refusal = Diagnostic::error("R14", order.army.span, &[rule::ARM_11]);
        return Err(Box::new(refusal.with("typ", kind.code())));
    }
    let Some(owner) = state.realms.get(&realm) else {
        return Ok(());
    };
    if owner.culture.percent(kind) == 0 {
        let refusal = Diagnostic::error("R07", order.army.span, &[rule::ARM_09, rule::CULT_02]);
        return Err(Box::new(refusal.with("typ", kind.code())));
    }
    if !kind.is_trader() {
        return Ok(());
    }
    let (most, size_max, rules): (i64, i64, &[RuleId]) = if kind == Kind::Caravan {
        (
            tables.trade.max_caravans[owner.kind],
            tables.trade.max_caravan_size,
            &[rule::TRADE_06, rule::TRADE_07],
        )
    } else {
        (
            tables.trade.max_fleets[owner.kind],
            tables.trade.max_fleet_size,
            &[rule::TRADE_08, rule::TRADE_12],
        )
    };
    let id = order.army.value.of(realm);
    let size = state
        .army(id)
        .map_or(0, |army| army.count)
        .saturating_add(order.count.value);
    let number = state.armies_of(realm).filter(|(other, _)| other.kind() == kind).count();
    if state.army(id).is_none() && i64::try_from(number).unwrap_or(i64::MAX) >= most {
        let refusal = Diagnostic::error("R12", order.army.span, &[rules[1], rule::ECON_07]);
        return Err(Box::new(
            refusal.with("n", most).with("max", most).with("art", kind.code()),
        ));
    }
    if size > size_max {
        let refusal = Diagnostic::error("R13", order.count.span, &rules[..1]);
        return Err(Box::new(
            refusal
                .with("armee", order.army.value.to_string())
                .with("n", size)
                .with("max", size_max),
        ));
    }
    Ok(())
}

/// R01, R02, R03: the field with the building that arms.
///
/// THO-ARM-05, THO-ARM-12. A place beyond the edge of the world has no building either (EX-22).
fn arming_site(tables: &Tables, state: &State, realm: RealmId, order: &Recruits) -> Result<FieldIndex, Refused> {
    let kind = order.army.value.kind;
    let nothing = || {
        at(
            Diagnostic::error("R01", order.place.span, &[rule::ARM_12]),
            order.place.value,
        )
    };
    let field = any_field(state, realm, order.place).map_err(|fault| {
        if fault.code == "S06" {
            Box::new(nothing())
        } else {
            fault
        }
    })?;
    if state.field(field).owner != realm {
        // What the realm has not seen there is nothing to it: another answer would betray a building.
        let known = state.realms.get(&realm).and_then(|owner| owner.knowledge.get(&field));
        let standing = known.filter(|known| known.field.condition != Some(SeenCondition::UnderConstruction));
        let building = standing.and_then(|known| known.field.building);
        let Some(building) = building.filter(|building| tables.is_arming_place(*building)) else {
            return Err(Box::new(nothing()));
        };
        let refusal = at(
            Diagnostic::error("R02", order.place.span, &[rule::ARM_05]),
            order.place.value,
        );
        return Err(Box::new(refusal.with("bau", building.code())));
    }
    let Some(site) = state
        .field(field)
        .building()
        .filter(|site| tables.is_arming_place(site.building))
    else {
        return Err(Box::new(nothing()));
    };
    if !tables.arms(site.building, kind) {
        let places: Vec<&str> = tables.places(kind).iter().map(|place| place.code()).collect();
        let refusal = Diagnostic::error("R03", order.place.span, &[rule::ARM_05, place_rule(site.building)]);
        return Err(Box::new(
            refusal
                .with("typ", kind.code())
                .with("bau", site.building.code())
                .with("orte", places.join(" ")),
        ));
    }
    Ok(field)
}

/// R16, R08, R09: where the army appears. Ships appear on the water beside a low-lying building (THO-ARM-08, GAP-41).
fn appearance(
    tables: &Tables,
    state: &State,
    realm: RealmId,
    order: &Recruits,
    site_field: FieldIndex,
) -> Result<FieldIndex, Refused> {
    let kind = order.army.value.kind;
    if !kind.sails() {
        return Ok(site_field);
    }
    let height = tables.height(state.field(site_field).terrain).unwrap_or(0);
    if height > tables.arming.fleet_site_max_height && state.army(order.army.value.of(realm)).is_none() {
        let refusal = Diagnostic::error("R16", order.place.span, &[rule::TERR_03, rule::GAP_41]);
        return Err(Box::new(at(refusal, order.place.value)));
    }
    let Some(direction) = order.direction else {
        return Err(Box::new(Diagnostic::error("R08", order.span, &[rule::ARM_08])));
    };
    // What a player has never seen may be water: only in a world as he imagines it.
    let floats = |terrain| terrain == Terrain::Unexplored || tables.is_water(terrain);
    let water = state.grid.neighbour(site_field, direction.value);
    water
        .filter(|field| floats(state.field(*field).terrain))
        .ok_or_else(|| {
            let refusal = Diagnostic::error("R09", direction.span, &[rule::ARM_08]);
            Box::new(refusal.with("d", i64::from(direction.value.digit())))
        })
}

/// R10, R11, R04: what holds only for an army that exists, or only for a new one.
fn refuse_army(
    tables: &Tables,
    state: &State,
    realm: RealmId,
    order: &Recruits,
    site_field: FieldIndex,
    field: FieldIndex,
) -> Result<(), Refused> {
    let id: ArmyId = order.army.value.of(realm);
    let kind = id.kind();
    let minimum = tables.arm_min(kind);
    match state.army(id) {
        Some(army) if army.field != field || army.aboard.is_some() => {
            let place = state.place(realm, field);
            let refusal = Diagnostic::error("R10", order.army.span, &[rule::GAP_08]);
            Err(Box::new(at(refusal, place).with("armee", id.name.to_string())))
        }
        Some(_) if tables.arming.min_applies_to_top_up && order.count.value < minimum => {
            Err(Box::new(too_few(order, minimum)))
        }
        Some(_) => Ok(()),
        None => {
            let building = state.field(site_field).building().map(|site| site.building);
            if let Some(building) = building.filter(|building| tables.top_up_only(kind, *building)) {
                let rules: &[RuleId] = match kind.arm() {
                    Arm::Engine => &[rule::ARM_05, rule::BLD_05, rule::GAP_07],
                    _ => &[rule::ARM_05, rule::BLD_14, rule::PRIEST_01],
                };
                let refusal = Diagnostic::error("R11", order.place.span, rules);
                return Err(Box::new(refusal.with("bau", building.code()).with("typ", kind.code())));
            }
            if order.count.value < minimum {
                return Err(Box::new(too_few(order, minimum)));
            }
            Ok(())
        }
    }
}

fn too_few(order: &Recruits, minimum: i64) -> Diagnostic {
    Diagnostic::error("R04", order.count.span, &[rule::ARM_06])
        .with("n", order.count.value)
        .with("min", minimum)
}

/// Rules that describe a kind beside those of arming.
fn kind_rules(kind: Kind) -> Vec<RuleId> {
    match kind.arm() {
        Arm::Priest => vec![rule::PRIEST_01],
        Arm::Wizard | Arm::Engine => vec![rule::GAP_07],
        Arm::Ship => vec![rule::ARM_08, rule::GAP_41],
        Arm::Trader if kind == Kind::Caravan => {
            vec![rule::TRADE_01, rule::TRADE_06, rule::TRADE_07, rule::ECON_07]
        }
        Arm::Trader => vec![
            rule::TRADE_01,
            rule::TRADE_08,
            rule::TRADE_12,
            rule::ECON_07,
            rule::ARM_08,
            rule::GAP_41,
        ],
        _ => Vec::new(),
    }
}

/// The rule that says what a building arms.
const fn place_rule(building: crate::codes::Building) -> RuleId {
    use crate::codes::Building as B;
    match building {
        B::Capital => rule::BLD_02,
        B::Castle => rule::BLD_05,
        B::City => rule::BLD_07,
        B::Fortress => rule::BLD_09,
        B::TempleOfLight | B::TempleOfDark | B::HolyCity => rule::BLD_11,
        B::Temple => rule::BLD_14,
        B::Mine => rule::BLD_15,
        B::Gate => rule::BLD_16,
    }
}
