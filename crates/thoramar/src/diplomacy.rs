//! Gold, land and treaties (THO-DIP, GAP-29). All of it takes effect at the end of the turn.

use crate::arming;
use crate::codes::{Building, Treaty};
use crate::construction::{at, own_field, treasury};
use crate::event::Happening;
use crate::geo::Place;
use crate::order::Order;
use crate::rule;
use crate::season::{Season, SeasonTurn, earn};
use crate::state::{State, Status};
use crate::tables::policy::TreatyStart;
use kernel::diagnostic::{Diagnostic, Span, Spanned};
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::Cause;
use std::collections::BTreeMap;

type Refused = Box<Diagnostic>;

/// Whether a realm plays; who has left the game is as if it did not exist.
fn plays(state: &State, realm: RealmId) -> bool {
    state.realms.get(&realm).is_some_and(|r| r.status == Status::Playing)
}

fn unknown_realm(code: &'static str, state: &State, realm: Spanned<RealmId>, rules: &[RuleId]) -> Diagnostic {
    let list: Vec<String> = state.playing().map(|id| id.to_string()).collect();
    Diagnostic::error(code, realm.span, rules)
        .with("n", i64::from(realm.value.0))
        .with("liste", list.join(" "))
}

/// D5: `$G` (THO-DIP-03). What arrives can be spent next turn, so nobody passes it on in this one.
pub fn pay(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let input = turn.input;
    let mut arriving = Vec::new();
    for (from, parsed) in &input.orders {
        for order in &parsed.orders {
            let Order::Pay { realm, amount } = &order.value else {
                continue;
            };
            match pay_one(turn, *from, *realm, *amount) {
                Ok(()) => arriving.push((order.span, *from, realm.value, amount.value)),
                Err(refusal) => turn.refuse(*from, *refusal),
            }
        }
    }
    for (span, from, to, amount) in arriving {
        earn(&mut turn.state, to, amount);
        let rules = vec![rule::DIP_03, rule::ORD_07, rule::GAP_29];
        season.emit(
            turn,
            Cause::Order(from, span),
            rules,
            &[],
            Happening::GoldSent { from, to, amount },
        );
    }
}

/// G04, G01, G02, G03; then the gold leaves the treasury.
fn pay_one(
    turn: &mut SeasonTurn<'_>,
    from: RealmId,
    to: Spanned<RealmId>,
    amount: Spanned<i64>,
) -> Result<(), Refused> {
    let number = i64::from(to.value.0);
    if to.value == from || !to.value.is_played() {
        return Err(Box::new(
            Diagnostic::error("G04", to.span, &[rule::DIP_03]).with("n", number),
        ));
    }
    if !plays(&turn.state, to.value) {
        return Err(Box::new(unknown_realm("G01", &turn.state, to, &[rule::DIP_03])));
    }
    if amount.value <= 0 {
        return Err(Box::new(
            Diagnostic::error("G02", amount.span, &[rule::DIP_03]).with("n", amount.value),
        ));
    }
    let gold = treasury(&turn.state, from);
    if amount.value > gold {
        let refusal = Diagnostic::error("G03", amount.span, &[rule::DIP_03, rule::GAP_11]);
        return Err(Box::new(refusal.with("n", amount.value).with("v", gold)));
    }
    if let Some(realm) = turn.state.realms.get_mut(&from) {
        realm.treasury -= amount.value;
    }
    Ok(())
}

/// D6: `$L` (THO-DIP-04). Borders are those before the first cession.
pub fn cede(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let input = turn.input;
    let mut ceded: Vec<(Span, RealmId, RealmId, FieldIndex)> = Vec::new();
    for (from, parsed) in &input.orders {
        for order in &parsed.orders {
            let Order::Cede { realm, place } = &order.value else {
                continue;
            };
            let already: Vec<FieldIndex> = ceded.iter().map(|(_, _, _, field)| *field).collect();
            let temple_promised = ceded
                .iter()
                .any(|(_, _, to, field)| *to == realm.value && holds_temple_city(&turn.state, *field));
            match cession(&turn.state, season, *from, *realm, *place, &already, temple_promised) {
                Ok(field) => ceded.push((order.span, *from, realm.value, field)),
                Err(refusal) => turn.refuse(*from, *refusal),
            }
        }
    }
    for (span, from, to, field) in ceded {
        season.hand_over(&mut turn.state, field, to);
        if let Some(site) = turn.state.field_mut(field).site.as_deref_mut() {
            arming::forget_used(turn.tables.of(to), site);
        }
        let rules = vec![rule::DIP_04, rule::ORD_07, rule::GAP_29];
        season.emit(
            turn,
            Cause::Order(from, span),
            rules,
            &[],
            Happening::LandCeded { from, to, field },
        );
    }
}

fn holds_temple_city(state: &State, field: FieldIndex) -> bool {
    state.field(field).has(Building::is_temple_city)
}

/// L02, L01, L03, L04, L05, L06.
fn cession(
    state: &State,
    season: &Season,
    from: RealmId,
    to: Spanned<RealmId>,
    place: Spanned<Place>,
    already: &[FieldIndex],
    temple_promised: bool,
) -> Result<FieldIndex, Refused> {
    let rules = &[rule::DIP_04];
    if !to.value.is_played() {
        return Err(Box::new(Diagnostic::error("L02", to.span, rules)));
    }
    if !plays(state, to.value) {
        return Err(Box::new(unknown_realm("L01", state, to, rules)));
    }
    let field = own_field(state, from, place, "L03", rules)?;
    let refuse = |code, rules: &[RuleId]| at(Diagnostic::error(code, place.span, rules), place.value);
    if already.contains(&field) {
        return Err(Box::new(refuse("L03", rules)));
    }
    let borders = state
        .grid
        .neighbours(field)
        .any(|(_, next)| state.field(next).owner == to.value);
    if to.value == from || !borders {
        return Err(Box::new(refuse("L04", rules).with("n", i64::from(to.value.0))));
    }
    let site = state.field(field).site.as_deref();
    if let Some(site) = site.filter(|site| {
        site.building == Building::Capital || site.works.is_some_and(|works| works.target == Building::Capital)
    }) {
        return Err(Box::new(
            refuse("L05", &[rule::DIP_04, rule::GAP_29]).with("bau", site.building.code()),
        ));
    }
    let has_temple = temple_promised || season.estate(to.value).any(|field| holds_temple_city(state, field));
    if holds_temple_city(state, field) && has_temple {
        let refusal = refuse("L06", &[rule::BLD_12, rule::GAP_29]).with("n", i64::from(to.value.0));
        return Err(Box::new(refusal));
    }
    Ok(field)
}

/// D7: `$V`, in worlds where a treaty holds from the next turn on (GAP-29).
pub fn agree(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    if turn.tables.treaty.effective == TreatyStart::NextTurn {
        conclude(turn, season);
    }
}

/// The same before the first week, in worlds where a treaty holds at once.
pub fn agree_at_once(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    if turn.tables.treaty.effective == TreatyStart::ThisTurn {
        conclude(turn, season);
    }
}

/// THO-DIP-01, -02, GAP-29: one side's K ends a treaty; A and P need the same wish of both.
fn conclude(turn: &mut SeasonTurn<'_>, season: &Season) {
    let wishes = read_wishes(turn);
    let mut pairs: BTreeMap<(RealmId, RealmId), [Option<Treaty>; 2]> = BTreeMap::new();
    for ((from, to), (span, treaty)) in &wishes {
        let side = usize::from(from > to);
        pairs.entry(((*from).min(*to), (*from).max(*to))).or_default()[side] = Some(*treaty);
        let what = Happening::TreatyWished {
            realm: *from,
            other: *to,
            treaty: *treaty,
        };
        season.emit(
            turn,
            Cause::Order(*from, *span),
            vec![rule::DIP_01, rule::ORD_07],
            &[],
            what,
        );
    }
    for ((one, other), sides) in pairs {
        let now = turn.state.treaty(one, other);
        let new = match sides {
            [Some(Treaty::NoTreaty), _] | [_, Some(Treaty::NoTreaty)] => Treaty::NoTreaty,
            [Some(a), Some(b)] if a == b => a,
            _ => now,
        };
        if new == now {
            continue;
        }
        if new == Treaty::NoTreaty {
            turn.state.treaties.remove(&(one, other));
        } else {
            turn.state.treaties.insert((one, other), new);
        }
        let rules = vec![rule::DIP_01, rule::DIP_02, rule::GAP_29];
        season.emit(
            turn,
            Cause::Step("agree"),
            rules,
            &[],
            Happening::TreatyChanged {
                one,
                other,
                treaty: new,
            },
        );
    }
}

/// V03, V01, V04: one wish per realm, the first stands.
fn read_wishes(turn: &mut SeasonTurn<'_>) -> BTreeMap<(RealmId, RealmId), (Span, Treaty)> {
    let input = turn.input;
    let mut wishes: BTreeMap<(RealmId, RealmId), (Span, Treaty)> = BTreeMap::new();
    for (from, parsed) in &input.orders {
        for order in &parsed.orders {
            let Order::Propose { realm, treaty } = &order.value else {
                continue;
            };
            let number = i64::from(realm.value.0);
            let refusal = if realm.value == *from || !realm.value.is_played() {
                Diagnostic::error("V03", realm.span, &[rule::DIP_01]).with("n", number)
            } else if !plays(&turn.state, realm.value) {
                unknown_realm("V01", &turn.state, *realm, &[rule::DIP_01])
            } else if let Some((first, _)) = wishes.get(&(*from, realm.value)) {
                Diagnostic::error("V04", realm.span, &[rule::DIP_02])
                    .with("n", number)
                    .with("m", first.line)
            } else {
                wishes.insert((*from, realm.value), (order.span, *treaty));
                continue;
            };
            turn.refuse(*from, refusal);
        }
    }
    wishes
}
