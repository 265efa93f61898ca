//! What the fields shall yield: the demand first, then what is furthest from it (PYG-GOOD-03, PYG-SUP-01).

use super::Desk;
use crate::codes::Good;
use crate::production;
use crate::state::Points;
use crate::supply;
use kernel::ratio::{Rounding, percent};

/// In income months every field is assigned anew, the least flexible first.
pub(super) fn choose(desk: &Desk<'_>, lines: &mut Vec<String>) {
    if !desk.tables.is_income(desk.step) {
        return;
    }
    let tables = desk.tables;
    let land = desk.land();
    // Inhabitants of today and a little more: the realm grows.
    let points = supply::population(tables, &desk.state, desk.realm);
    let inhabitants = points.saturating_mul(tables.settling.inhabitants_per_point);
    let demand = supply::demand(tables, percent(inhabitants, 105, Rounding::Down));
    let mut missing: Points = demand;
    let mut given = Points::default();
    for promotion in &desk
        .state
        .realms
        .get(&desk.realm)
        .map(|own| own.promotions.clone())
        .unwrap_or_default()
    {
        given[promotion.good] += promotion.points;
    }
    for (good, points) in given.iter() {
        missing[good] = missing[good].saturating_sub(points);
    }
    let choices = |field: &kernel::hex::FieldIndex| {
        let soil = tables.terrain[desk.field(*field).terrain].column;
        Good::main()
            .filter(|good| production::crosses(tables, soil, *good) > 0)
            .count()
    };
    let mut order: Vec<_> = land.into_iter().filter(|field| choices(field) > 0).collect();
    order.sort_by_key(|field| (choices(field), *field));
    for field in order {
        let soil = tables.terrain[desk.field(field).terrain].column;
        let mut places: Vec<Good> = Vec::new();
        let yielding = production::places(tables, desk.field(field));
        for (place, worth) in tables.goods.place_points.into_iter().enumerate() {
            let worth = if place < yielding { worth } else { 0 };
            let best = Good::main()
                .filter(|good| production::crosses(tables, soil, *good) > 0)
                .max_by_key(|good| {
                    let points = worth.min(production::crosses(tables, soil, *good));
                    let wanted = points.min(missing[*good].max(0));
                    // What is wanted most; then what is scarce compared with the demand; then what yields most.
                    let share = missing[*good] * 100 / demand[*good].max(1);
                    (wanted, share, points, std::cmp::Reverse(*good))
                });
            let Some(good) = best else { continue };
            missing[good] -= worth.min(production::crosses(tables, soil, good));
            places.push(good);
        }
        let Ok(places) = <[Good; 3]>::try_from(places) else {
            continue;
        };
        if desk.field(field).places != Some(places) {
            let words = places.map(|good| good.code()).join(" ");
            lines.push(format!("PRODUKTION {} {words}", desk.place(field)));
        }
    }
}
