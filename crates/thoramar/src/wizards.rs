//! Accelerators and monster masters (THO-MAGE-02..06, THO-SPEC-10, THO-SPEC-11, GAP-28, GAP-37).
//!
//! What every wizard spends at the end of the turn, and all about summoners, stands in [`crate::demons`].

use crate::codes::{Command, Flag, Kind};
use crate::construction::{any_field, at};
use crate::event::Happening;
use crate::geo::Place;
use crate::order::Special;
use crate::season::{Season, SeasonTurn};
use crate::state::{Army, ArmyId, ArmyName, State};
use crate::tables::Tables;
use crate::{movement, rule, strength};
use kernel::diagnostic::{Diagnostic, Span, Spanned};
use kernel::dice::Owner;
use kernel::hex::FieldIndex;
use kernel::ratio::mul_div;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::Die;
use std::cmp::Reverse;

const TAME: &str = "tame";
const ACCELERATE: &str = "accelerate";

/// What an army of this price costs a wizard, in magic points.
///
/// THO-MAGE-03, THO-MAGE-05, GAP-03: gold divided by 500, rounded up.
pub fn price_in_points(tables: &Tables, gold: i64) -> i64 {
    mul_div(gold, 1, tables.magic.price_divisor, tables.rounding.magic_cost).unwrap_or(i64::MAX)
}

/// What taming a pack costs, in magic points: heads times the price of its kind times luck.
///
/// THO-MAGE-05, GAP-28: the price of a head is in hundredths of a point, luck in percent; rounded up once.
pub fn taming_cost(tables: &Tables, heads: i64, hundredths_per_head: i64, luck_percent: i64) -> i64 {
    let price = heads.saturating_mul(hundredths_per_head);
    mul_div(price, luck_percent, 10_000, tables.rounding.magic_cost).unwrap_or(i64::MAX)
}

/// How far a wizard is from a field: A24 beyond his reach (GAP-37).
pub(crate) fn in_reach(
    tables: &Tables,
    state: &State,
    wizard: ArmyId,
    field: FieldIndex,
    span: Span,
    rules: &[RuleId],
) -> Result<(), Box<Diagnostic>> {
    let range = tables.of(wizard.realm).magic.range;
    let here = state.army(wizard).map_or(field, |army| army.field);
    let distance = i64::from(state.grid.distance(here, field));
    if distance <= range {
        return Ok(());
    }
    let refusal = Diagnostic::error("A24", span, &[rules, &[rule::MAP_07]].concat());
    Err(Box::new(refusal.with("e", distance).with("max", range)))
}

/// A25: nothing on the field that the special could concern.
pub(crate) fn nothing_there(place: Spanned<Place>, special: Special, rules: &[RuleId]) -> Box<Diagnostic> {
    let refusal = at(Diagnostic::error("A25", place.span, rules), place.value);
    Box::new(
        refusal
            .with_word("spezial", special.passive())
            .with_word("gesucht", special.wanted()),
    )
}

/// A23: the wizard's points do not suffice.
pub(crate) fn too_few_points(span: Span, cost: i64, points: i64, rules: &[RuleId]) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("A23", span, rules).with("k", cost).with("v", points))
}

/// The magic points of a wizard; 0 if he is no more.
pub(crate) fn points_of(state: &State, wizard: ArmyId) -> i64 {
    state.army(wizard).map_or(0, |army| army.count)
}

/// B4: monster masters take armies of realm 0 into service.
///
/// THO-SPEC-11, THO-MAGE-04: every army of realm 0 on the field, archdemons excepted. THO-MAGE-05, THO-MAGE-06, GAP-28:
/// what they cost. GAP-37: as many as the points allow, the largest first; what is too dear stays, smaller ones behind
/// it may still come.
pub fn tame(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    for (id, special) in season.pending(|special| matches!(special, Special::Tame(_))) {
        let Special::Tame(place) = special.value else { continue };
        if turn.state.army(id).is_none() {
            continue;
        }
        season.plan_mut(id).special_done = true;
        let place = Spanned {
            span: special.span,
            value: place,
        };
        if let Err(refusal) = hire(turn, season, id, place) {
            turn.refuse(id.realm, *refusal);
        }
    }
}

/// What a master has paid for.
#[derive(Default)]
struct Hired {
    armies: Vec<ArmyId>,
    cost: i64,
    dice: Vec<Die>,
    /// The price of the cheapest army that could not be paid.
    missed: Option<i64>,
}

/// One taming: A24, A25, A07, A17, A23, then the armies pass over.
fn hire(
    turn: &mut SeasonTurn<'_>,
    season: &mut Season,
    master: ArmyId,
    place: Spanned<Place>,
) -> Result<(), Box<Diagnostic>> {
    let rules = [rule::SPEC_11, rule::MAGE_04, rule::MAGE_06];
    let field = any_field(&turn.state, master.realm, place)?;
    in_reach(turn.tables, &turn.state, master, field, place.span, &rules)?;
    let mut wild: Vec<ArmyId> = season
        .on(field)
        .filter(|id| id.realm == RealmId::NOBODY && id.kind() != Kind::Archdemon)
        .collect();
    if wild.is_empty() {
        return Err(nothing_there(place, Special::Tame(place.value), &rules));
    }
    // One unit of demons at a time, be it an old one or one of those that wait here (THO-MAGE-06); none from aboard a ship, which
    // carries no master of demons (THO-SEA-04).
    let has_demon = !strength::demons_of(turn, master).is_empty();
    let at_sea = turn.state.army(master).is_some_and(|army| army.aboard.is_some());
    let only_demons = wild.iter().all(|id| id.kind().is_demon());
    if at_sea && only_demons {
        return Err(only_ashore(master, place));
    }
    if has_demon && only_demons {
        let refusal = Diagnostic::error("A17", place.span, &[rule::MAGE_06, rule::SPEC_11]);
        return Err(Box::new(refusal.with("armee", master.name.to_string())));
    }
    wild.sort_by_key(|id| (Reverse(points_of(&turn.state, *id)), *id));
    let hired = bargain(turn, master, place.value, &wild, has_demon || at_sea);
    if hired.armies.is_empty() {
        let cost = hired.missed.unwrap_or(0);
        let rules = [rule::MAGE_05, rule::SPEC_11, rule::GAP_28];
        return Err(too_few_points(place.span, cost, points_of(&turn.state, master), &rules));
    }
    enter_service(turn, season, master, field, hired);
    Ok(())
}

/// A07: a wizard aboard a ship cannot take demons under his control (THO-SEA-04, THO-DEM-08).
fn only_ashore(master: ArmyId, place: Spanned<Place>) -> Box<Diagnostic> {
    let special = Special::Tame(place.value);
    let refusal = Diagnostic::error(
        "A07",
        place.span,
        &[rule::SPEC_11, rule::MAGE_06, rule::SEA_04, rule::DEM_08],
    );
    let refusal = refusal.with_word("spezial", special.word());
    Box::new(
        refusal
            .with("typ", master.kind().code())
            .with_word("liste", "allowed-ashore"),
    )
}

/// Which armies a master can pay, one after the other.
fn bargain(turn: &mut SeasonTurn<'_>, master: ArmyId, place: Place, wild: &[ArmyId], has_demon: bool) -> Hired {
    let mut hired = Hired::default();
    let mut points = points_of(&turn.state, master);
    let mut has_demon = has_demon;
    for (rank, id) in wild.iter().enumerate() {
        if id.kind().is_demon() && has_demon {
            continue;
        }
        let heads = points_of(&turn.state, *id);
        let (cost, die) = price_of(turn, master, place, *id, heads, rank + 1);
        if cost > points {
            hired.missed = Some(hired.missed.map_or(cost, |least| least.min(cost)));
            continue;
        }
        points -= cost;
        hired.cost += cost;
        hired.dice.extend(die);
        hired.armies.push(*id);
        has_demon |= id.kind().is_demon();
    }
    hired
}

/// The price of one army of realm 0, with its die if it is a pack of monsters.
///
/// The number of a wild army is nobody's knowledge (THO-SIGHT-05), so its die is named by its rank among those on the field.
fn price_of(
    turn: &mut SeasonTurn<'_>,
    master: ArmyId,
    place: Place,
    id: ArmyId,
    heads: i64,
    rank: usize,
) -> (i64, Option<Die>) {
    let tables = turn.tables.of(master.realm);
    if id.kind().is_demon() {
        return (heads.saturating_mul(tables.magic.dn_summon), None);
    }
    let Some(pack) = &tables.monsters.kind[id.kind()] else {
        let gold = heads.saturating_mul(tables.price_per_head(id.kind()));
        return (price_in_points(tables, gold), None);
    };
    let luck = tables.monsters.tame_random_pct;
    let subject = format!("{master} at {place} army {rank} {}", id.kind());
    let die = turn.roll(rule::MAGE_05, Owner::of(master.realm), &subject, luck.min, luck.max);
    (taming_cost(tables, heads, pack.tame_cost, die.value), Some(die))
}

/// The armies change sides: they stand still with V and wait for orders of the next turn. Nobody knew their numbers when he wrote his
/// file (THO-SIGHT-05), so that a line for one of them is a line for nobody (A01).
fn enter_service(turn: &mut SeasonTurn<'_>, season: &mut Season, master: ArmyId, field: FieldIndex, hired: Hired) {
    if let Some(army) = turn.state.armies.get_mut(&master) {
        army.count -= hired.cost;
    }
    let mut rules = vec![rule::SPEC_11, rule::MAGE_04, rule::GAP_28, rule::GAP_37];
    let mut armies = Vec::new();
    for was in hired.armies {
        let Some(army) = season.remove(&mut turn.state, was) else {
            continue;
        };
        let count = army.count;
        let now = ArmyName::new(was.kind(), lowest_free_number(&turn.state, master.realm, was.kind())).of(master.realm);
        let demon = was.kind().is_demon();
        let army = Army {
            command: Command::Defend,
            flag: Flag::Shown,
            master: demon.then_some(master.name),
            ..army
        };
        season.add_deaf(&mut turn.state, now, army);
        armies.push((was, now, count));
        let of_kind = match was.kind() {
            kind if kind.is_demon() => &[rule::MAGE_06, rule::DEM_01][..],
            kind if kind.is_monster() => &[rule::MAGE_05, rule::MON_03],
            _ => &[rule::MAGE_05, rule::GAP_03],
        };
        rules.extend(
            of_kind
                .iter()
                .filter(|one| !rules.contains(one))
                .copied()
                .collect::<Vec<_>>(),
        );
    }
    let what = Happening::ArmiesTamed {
        wizard: master,
        field,
        armies: armies.into(),
        cost: hired.cost,
    };
    let cause = season.cause(master, TAME);
    season.emit(turn, cause, rules, &hired.dice, what);
}

/// The lowest number that no army of this kind has: a player must be able to write it (GAP-04).
fn lowest_free_number(state: &State, realm: RealmId, kind: Kind) -> u32 {
    let names = ArmyName::new(kind, 1)..=ArmyName::new(kind, u32::MAX);
    let taken = state.armies.range(realm, names);
    let mut free = 1u32;
    for (id, _) in taken {
        if id.name.number != free {
            break;
        }
        free = free.saturating_add(1);
    }
    free
}

/// B4: accelerators lend armies of their realm a second season's movement.
///
/// THO-SPEC-10, THO-MAGE-02: what the army has left and its full points, for this turn only: the refill at its end is
/// capped. THO-MAGE-03: the price.
pub fn accelerate(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    for (id, special) in season.pending(|special| matches!(special, Special::Accelerate(_))) {
        let Special::Accelerate(name) = special.value else {
            continue;
        };
        if turn.state.army(id).is_none() {
            continue;
        }
        season.plan_mut(id).special_done = true;
        let army = name.of(id.realm);
        let cost = match may_accelerate(turn, season, id, army, special) {
            Ok(cost) => cost,
            Err(refusal) => {
                turn.refuse(id.realm, *refusal);
                continue;
            }
        };
        if let Some(wizard) = turn.state.armies.get_mut(&id) {
            wizard.count -= cost;
        }
        let pace = movement::pace(turn.tables, season, army);
        let Some(hastened) = turn.state.armies.get_mut(&army) else {
            continue;
        };
        hastened.points = hastened.points.saturating_add(pace);
        let what = Happening::ArmyAccelerated {
            wizard: id,
            army,
            cost,
            points: hastened.points,
        };
        let rules = &[rule::SPEC_10, rule::MAGE_02, rule::MAGE_03, rule::GAP_03, rule::GAP_37][..];
        let cause = season.cause(id, ACCELERATE);
        season.emit(turn, cause, rules, &[], what);
    }
}

/// The price of an acceleration: A01, A34, A07, A24, A23.
///
/// GAP-37: neither demons nor monsters nor armies aboard; a group costs what its members cost together.
fn may_accelerate(
    turn: &SeasonTurn<'_>,
    season: &Season,
    wizard: ArmyId,
    id: ArmyId,
    special: Spanned<Special>,
) -> Result<i64, Box<Diagnostic>> {
    let tables = turn.tables.of(wizard.realm);
    let rules = [rule::SPEC_10, rule::MAGE_02, rule::GAP_37];
    let Some(army) = turn.state.army(id) else {
        let refusal = Diagnostic::error("A01", special.span, &[rule::SPEC_10, rule::UNIT_01]);
        return Err(Box::new(refusal.with("armee", id.name.to_string())));
    };
    if army.group.is_some() {
        let refusal = Diagnostic::error("A34", special.span, &[rule::SPEC_10, rule::GAP_35]);
        return Err(Box::new(refusal.with_word("spezial", special.value.verb())));
    }
    let hastened = if id.kind().is_group() {
        season.followers(id)
    } else {
        vec![id]
    };
    let slow = |id: &&ArmyId| id.kind().is_demon() || id.kind().is_monster();
    let excepted = hastened.iter().find(slow).map(|id| id.kind());
    if let Some(kind) = excepted.or_else(|| army.aboard.map(|_| id.kind())) {
        let refusal = Diagnostic::error("A07", special.span, &rules);
        return Err(Box::new(
            refusal
                .with_word("spezial", special.value.word())
                .with("typ", kind.code())
                .with_word("liste", "allowed-hasten"),
        ));
    }
    in_reach(turn.tables, &turn.state, wizard, army.field, special.span, &rules)?;
    let gold = hastened.iter().fold(0i64, |sum, id| {
        let price = tables.price_per_head(id.kind());
        sum.saturating_add(points_of(&turn.state, *id).saturating_mul(price))
    });
    let (cost, points) = (price_in_points(tables, gold), points_of(&turn.state, wizard));
    if cost > points {
        let rules = [rule::MAGE_03, rule::SPEC_10, rule::GAP_37];
        return Err(too_few_points(special.span, cost, points, &rules));
    }
    Ok(cost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_army_costs_a_five_hundredth_of_its_price_rounded_up() {
        let tables = Tables::book();
        // EX-4: 2000 medium warriors at 10 gold.
        assert_eq!(price_in_points(&tables, 10 * 2000), 40);
        assert_eq!([499, 500, 501].map(|gold| price_in_points(&tables, gold)), [1, 1, 2]);
        assert_eq!(price_in_points(&tables, 0), 0);
    }

    #[test]
    fn taming_costs_heads_times_kind_times_luck_rounded_up() {
        let tables = Tables::book();
        // 100 night lizards at 15 hundredths are 15 points; luck takes them to 11.25 and 18.75.
        assert_eq!(
            [75, 100, 125].map(|luck| taming_cost(&tables, 100, 15, luck)),
            [12, 15, 19]
        );
        // 400 cave goblins at 3 hundredths are exactly 12; one more head is beyond.
        assert_eq!(
            [399, 400, 401].map(|heads| taming_cost(&tables, heads, 3, 100)),
            [12, 12, 13]
        );
    }
}
