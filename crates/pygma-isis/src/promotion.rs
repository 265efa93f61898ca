//! Promotion of production (PYG-PROM-01, -02, PYG-GAP-56). Part B.

use crate::event::economy::Affair;
use crate::month::{self, Month, MonthTurn};
use crate::order::Order;
use crate::production;
use crate::rule;
use crate::state::Promotion;
use crate::treasury::{self, Price};
use kernel::diagnostic::Diagnostic;
use kernel::turn::Cause;

/// `FOERDERE`: points of a good for good.
///
/// PYG-GAP-56: the good has a cross on that soil, and the realm has such a field. PYG-PROM-02: at most two goods and three points per
/// soil. PYG-PROM-01: 20,000 GS per point.
pub fn promote(turn: &mut MonthTurn<'_>, month: &mut Month) {
    for (realm, order) in month::orders(turn) {
        let Order::Promote { soil, good, points } = &order.value else {
            continue;
        };
        let tables = turn.tables;
        if production::crosses(tables, Some(soil.value), good.value) == 0 {
            let finding = Diagnostic::error("E_GOOD", good.span, &[rule::GOOD_02, rule::GAP_56]);
            let finding = finding.with_word("field", format!("soil-{}", soil.value.code()));
            turn.refuse(realm, finding.with_word("good", crate::report::good_word(good.value)));
            continue;
        }
        if !production::has_soil(tables, &turn.state, realm, soil.value) {
            let finding = Diagnostic::error("E_PLACE", soil.span, &[rule::GAP_56]).with_word("fit", "fit-soil");
            let finding = finding.with_word("field", format!("soil-{}", soil.value.code()));
            turn.refuse(realm, finding);
            continue;
        }
        if points.value < 1 {
            let finding = Diagnostic::error("E_MIN", points.span, &[rule::PROM_01]);
            turn.refuse(realm, finding.with("n", points.value).with("min", 1_i64));
            continue;
        }
        let Some(own) = turn.state.realms.get(&realm) else {
            continue;
        };
        let on_soil = || own.promotions.iter().filter(|other| other.soil == soil.value);
        let promoted: i64 = on_soil().map(|other| other.points).sum();
        let others = on_soil().filter(|other| other.good != good.value).count();
        let goods = i64::try_from(others).unwrap_or(i64::MAX).saturating_add(1);
        let too_many = goods > tables.goods.promotion_goods_max;
        if too_many || promoted.saturating_add(points.value) > tables.goods.promotion_points_max {
            let finding = Diagnostic::error("E_PROMOTION", points.span, &[rule::PROM_02, rule::GAP_56]);
            let (kinds, max) = (tables.goods.promotion_goods_max, tables.goods.promotion_points_max);
            turn.refuse(realm, finding.with("kinds", kinds).with("max", max));
            continue;
        }
        let cost = points.value.saturating_mul(tables.goods.promotion_cost);
        if !treasury::spend(turn, month, realm, order.span, Price::new(cost, &[rule::PROM_01])) {
            continue;
        }
        let (soil, good, points) = (soil.value, good.value, points.value);
        if let Some(own) = turn.state.realms.get_mut(&realm) {
            let mut standing = own.promotions.iter_mut();
            match standing.find(|other| (other.soil, other.good) == (soil, good)) {
                Some(standing) => standing.points += points,
                None => own.promotions.push(Promotion { soil, good, points }),
            }
        }
        let what = Affair::GoodPromoted {
            soil,
            good,
            points,
            n: cost,
        };
        let rules = &[rule::PROM_01, rule::PROM_02, rule::GAP_56][..];
        month.emit(turn, Cause::Order(realm, order.span), rules, &[], what.of(realm));
    }
}
