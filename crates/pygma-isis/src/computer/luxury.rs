//! Luxury goods: a ruler takes the land that yields them in time, and does not grow past what he can serve (PYG-LUX-03, -04, PYG-GAP-59).

use super::Desk;
use crate::codes::{Good, Vein};
use crate::state::{Points, State, Underground};
use crate::supply;
use crate::tables::Tables;
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;

/// Points of a luxury good with which every demand is met (T14).
const ENOUGH: i64 = 4;
/// With less room than this nothing but luxury fields is taken: several armies annex at once.
const CLOSE: i64 = 12;
/// Points that are given up at the most.
const GIVEN_UP_MAX: i64 = 15;

/// What the realm wins, gems of its mines included.
pub(super) fn supply(tables: &Tables, state: &State, realm: RealmId) -> Points {
    let mut points = supply::supply(tables, state, realm);
    for (_, field) in state.land_of(realm) {
        if let Underground::Mine {
            vein: Vein::Gems,
            yields,
            ..
        } = field.ground
        {
            points[Good::Gems] += yields;
        }
    }
    points
}

/// Population points that can be added before the people demand luxury goods that the realm does not have; negative if they do already.
pub(super) fn room(tables: &Tables, state: &State, realm: RealmId, supply: &Points) -> i64 {
    let mut have: Vec<i64> = Good::luxuries().map(|good| supply[good]).collect();
    have.sort_unstable_by_key(|points| std::cmp::Reverse(*points));
    let is_served = |need: &[i64]| need.len() <= have.len() && need.iter().zip(&have).all(|(need, have)| have >= need);
    let Some(unserved) = tables.luxury.iter().find(|line| !is_served(&line.need)) else {
        return i64::MAX;
    };
    let last = (unserved.from_inhabitants - 1) / tables.settling.inhabitants_per_point;
    last - supply::population(tables, state, realm)
}

/// Whether a field yields a luxury good of which the realm has little.
pub(super) fn is_scarce(desk: &Desk<'_>, field: FieldIndex) -> bool {
    let mut goods = desk.tables.terrain[desk.field(field).terrain].luxury.keys();
    goods.any(|good| desk.supply[*good] < ENOUGH)
}

/// Whether there is room for more people only where they bring luxury goods along.
pub(super) fn is_close(desk: &Desk<'_>) -> bool {
    desk.room < CLOSE
}

/// Whether the people demand so much that no land given up would help: then more of them do no harm, and towns pay taxes.
pub(super) const fn is_hopeless(desk: &Desk<'_>) -> bool {
    !desk.luxury_met && desk.room < -GIVEN_UP_MAX
}

/// Before an income month a ruler whose people demand what he does not have gives up a little land, if that is enough.
pub(super) fn give_up(desk: &Desk<'_>, lines: &mut Vec<String>) {
    let may = desk.tables.goods.may_give_up_land && desk.tables.is_income(desk.step);
    if !may || desk.room >= 0 || -desk.room > GIVEN_UP_MAX {
        return;
    }
    let home = desk.state.capital_of(desk.realm);
    let points = |field: FieldIndex| supply::points_on(desk.tables, desk.field(field));
    let mut fields: Vec<FieldIndex> = desk
        .land()
        .into_iter()
        .filter(|field| {
            let here = desk.field(*field);
            let is_plain = here.settlement.is_none() && here.work.is_none() && here.ground == Underground::Nothing;
            is_plain && points(*field) > 0 && desk.tables.terrain[here.terrain].luxury.is_empty()
        })
        .collect();
    // The farthest first.
    fields.sort_by_key(|field| {
        let distance = home.map_or(0, |home| desk.state.chart.distance(home, *field));
        (std::cmp::Reverse(distance), *field)
    });
    let mut excess = -desk.room;
    for field in fields {
        if excess <= 0 {
            return;
        }
        excess -= points(field);
        lines.push(format!("AUFGEBEN {}", desk.place(field)));
    }
}
