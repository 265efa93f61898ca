//! Population, supply, demand, luxury (PYG-POP-01..03, PYG-SUP-01, PYG-LUX-01..04, PYG-TRADE-03, PYG-GAP-04, PYG-GAP-53, PYG-GAP-57,
//! PYG-GAP-59, PYG-GAP-61). Part B.

use crate::codes::{Good, Terrain};
use crate::event::economy::Affair;
use crate::month::{Month, MonthTurn};
use crate::production;
use crate::rule;
use crate::state::{Field, Points, State, Underground};
use crate::tables::Tables;
use crate::tables::policy::Promoted;
use crate::trade_cities;
use kernel::ratio::{Rounding, div};
use kernel::realm::RealmId;
use kernel::turn::Cause;

/// Population points of a field: terrain and settlement (PYG-POP-02, -03, PYG-GAP-11).
pub fn points_on(tables: &Tables, field: &Field) -> i64 {
    let town = field.settlement.as_deref();
    let people = town.map_or(0, |town| tables.settlement[town.kind].population + town.grown);
    tables.terrain[field.terrain].population + people
}

/// Population points of a realm (PYG-POP-01).
pub fn population(tables: &Tables, state: &State, realm: RealmId) -> i64 {
    let land = state.land_of(realm);
    land.map(|(_, field)| points_on(tables, field)).sum()
}

/// What a realm of so many inhabitants must produce of each main good.
///
/// PYG-SUP-01, PYG-GAP-57: "up to" includes the figure; above the table every started step adds to every good.
pub fn demand(tables: &Tables, inhabitants: i64) -> Points {
    let mut points = Points::default();
    let line = tables.supply.iter().find(|line| inhabitants <= line.max_inhabitants);
    let Some(last) = line.or(tables.supply.last()) else {
        return points;
    };
    let beyond = inhabitants.saturating_sub(last.max_inhabitants).max(0);
    let steps = div(beyond, tables.goods.above_step_inhabitants, Rounding::Up).unwrap_or(0);
    for (good, wanted) in Good::main().zip(last.demand) {
        points[good] = wanted.saturating_add(steps.saturating_mul(tables.goods.above_add_per_good));
    }
    points
}

/// The luxury goods that so many inhabitants demand, points of distinct goods, falling; nothing below the first threshold (T14).
pub fn luxury_demand(tables: &Tables, inhabitants: i64) -> &[i64] {
    let reached = tables.luxury.iter().rev();
    let mut reached = reached.filter(|line| inhabitants >= line.from_inhabitants);
    reached.next().map_or(&[], |line| &line.need)
}

/// What the people lack and what is left over.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Balance {
    /// Points of each main good that are missing, behind the help of luxury goods.
    pub short: Points,
    /// Luxury points that stand in for missing goods.
    pub offset: i64,
    /// Whether the demand for luxury goods is met.
    pub luxury_met: bool,
    /// Whether supply reaches demand in sum (PYG-GAP-16).
    pub balanced: bool,
    /// Surplus that may be traded.
    pub stock: Points,
}

/// Compares supply with demand.
///
/// PYG-LUX-02, PYG-GAP-59: below the first threshold each luxury point fills the largest shortage, ties by number; above it luxury is
/// demanded for itself (PYG-LUX-03). PYG-GAP-57: what is left over is stock.
pub fn balance(tables: &Tables, inhabitants: i64, supply: &Points) -> Balance {
    let demand = demand(tables, inhabitants);
    let mut balance = Balance::default();
    for good in Good::main() {
        let difference = supply[good] - demand[good];
        balance.short[good] = (-difference).max(0);
        balance.stock[good] = difference.max(0);
    }
    for good in Good::luxuries() {
        balance.stock[good] = supply[good].max(0);
    }
    if inhabitants < tables.goods.luxury_from_inhabitants {
        balance.luxury_met = true;
        stand_in(tables.goods.luxury_offset_per_point, &mut balance);
    } else {
        balance.luxury_met = serve(luxury_demand(tables, inhabitants), &mut balance.stock);
    }
    let sum = |points: &Points| Good::main().map(|good| points[good]).sum::<i64>();
    balance.balanced = sum(supply).saturating_add(balance.offset) >= sum(&demand);
    balance
}

/// Luxury points fill the largest shortages, each one point unless the world says more; luxury goods are used in the order of their
/// numbers.
fn stand_in(per_point: i64, balance: &mut Balance) {
    for luxury in Good::luxuries() {
        while balance.stock[luxury] > 0 {
            let mut filled = 0;
            while filled < per_point {
                let largest = Good::main().max_by_key(|good| (balance.short[*good], std::cmp::Reverse(*good)));
                let Some(largest) = largest.filter(|good| balance.short[*good] > 0) else {
                    break;
                };
                balance.short[largest] -= 1;
                filled += 1;
            }
            if filled == 0 {
                return;
            }
            balance.stock[luxury] -= 1;
            balance.offset += filled;
        }
    }
}

/// Takes what is demanded of distinct luxury goods from the stock, the largest from the good of which there is most. Whether all was there.
fn serve(need: &[i64], stock: &mut Points) -> bool {
    let mut goods: Vec<Good> = Good::luxuries().collect();
    goods.sort_by_key(|good| (std::cmp::Reverse(stock[*good]), *good));
    let mut met = need.len() <= goods.len();
    for (good, wanted) in goods.into_iter().zip(need) {
        met &= stock[good] >= *wanted;
        stock[good] = (stock[good] - wanted).max(0);
    }
    met
}

/// Points that a realm wins: places, promotion, imports, luxury of fields and pearls. Gems come from [`crate::mines`].
///
/// PYG-GOOD-01..08, PYG-GAP-52, PYG-GAP-53, PYG-GAP-56, PYG-GAP-57.
pub fn supply(tables: &Tables, state: &State, realm: RealmId) -> Points {
    let mut points = Points::default();
    let mut add = |more: &Points| {
        for (good, number) in more.iter() {
            points[good] += number;
        }
    };
    for (_, field) in state.land_of(realm) {
        add(&production::yields(tables, field));
        add(&luxuries(tables, field));
    }
    for water in production::worked_waters(tables, state, realm) {
        let field = state.field(water);
        add(&production::yields(tables, field));
        add(&luxuries(tables, field));
    }
    let Some(own) = state.realms.get(&realm) else {
        return points;
    };
    add(&own.imports);
    for promotion in &own.promotions {
        if production::has_soil(tables, state, realm, promotion.soil) {
            points[promotion.good] += promotion.points;
        }
    }
    points
}

/// Luxury goods of a field beside its three places (PYG-LUX-01).
fn luxuries(tables: &Tables, field: &Field) -> Points {
    let mut points = Points::default();
    for (good, number) in &tables.terrain[field.terrain].luxury {
        points[*good] += number;
    }
    if field.ground == Underground::Pearls {
        points[Good::Pearls] += tables.mine.pearl_points;
    }
    points
}

/// Whether a realm may take new land and found settlements: it may not if its people lacked luxury goods at the last income month.
///
/// PYG-LUX-04, PYG-EXP-04, PYG-GAP-59.
pub fn may_grow(state: &State, realm: RealmId) -> bool {
    let own = state.realms.get(&realm);
    let statement = own.and_then(|own| own.statement.as_ref());
    statement.is_none_or(|statement| statement.luxury_met)
}

/// The goods of the half-year: population, supply and demand, luxury, needed goods, stock.
///
/// PYG-POP-01..03, PYG-SUP-01, PYG-LUX-01..04, PYG-TRADE-03, PYG-GAP-57, PYG-GAP-59, PYG-GAP-61, PYG-GAP-63.
pub fn settle(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let realms: Vec<RealmId> = turn.state.playing().collect();
    for realm in realms {
        let tables = turn.tables;
        let population = population(tables, &turn.state, realm);
        let inhabitants = population.saturating_mul(tables.settling.inhabitants_per_point);
        let mut supply = supply(tables, &turn.state, realm);
        supply[Good::Gems] += month.gems.get(&realm).copied().unwrap_or(0);
        let failed = turn.state.realms.get(&realm).is_some_and(|own| own.bad_harvest);
        if failed {
            blight(tables, &mut supply);
        }
        let demand = demand(tables, inhabitants);
        let balance = balance(tables, inhabitants, &supply);
        let needed = trade_cities::needed(tables, |good| supply[good] - demand[good]);
        if let Some(own) = turn.state.realms.get_mut(&realm) {
            let statement = own.statement.get_or_insert_default();
            statement.population = population;
            statement.supply = supply;
            statement.demand = demand;
            statement.balanced = balance.balanced;
            statement.luxury_met = balance.luxury_met;
            statement.needed = needed;
            let kept = if tables.goods.stock_carry_over {
                own.stock
            } else {
                Points::default()
            };
            own.stock = balance.stock;
            for (good, points) in kept.iter() {
                own.stock[good] = own.stock[good].saturating_add(points);
            }
            own.imports = Points::default();
            if tables.goods.promotion_lasts == Promoted::OneTerm {
                own.promotions.clear();
            }
            own.bad_harvest = false;
        }
        let sheet = Sheet {
            realm,
            population,
            inhabitants,
            supply,
            demand,
            balance,
            failed,
        };
        tell(turn, month, &sheet);
    }
}

/// PYG-GAP-63: a bad harvest costs grain and fruit.
pub fn blight(tables: &Tables, supply: &mut Points) {
    let figures = &tables.disaster;
    for (good, lost) in [
        (Good::Grain, figures.bad_harvest_grain),
        (Good::Fruit, figures.bad_harvest_fruit),
    ] {
        supply[good] = (supply[good] - lost).max(0);
    }
}

struct Sheet {
    realm: RealmId,
    population: i64,
    inhabitants: i64,
    supply: Points,
    demand: Points,
    balance: Balance,
    failed: bool,
}

fn tell(turn: &mut MonthTurn<'_>, month: &Month, sheet: &Sheet) {
    let tables = turn.tables;
    let cause = Cause::Step("supply");
    let counted = Affair::PeopleCounted {
        points: sheet.population,
        inhabitants: sheet.inhabitants,
    };
    let rules = &[rule::POP_01, rule::POP_02, rule::POP_03, rule::GAP_04, rule::GAP_11][..];
    month.emit(turn, cause, rules, &[], counted.of(sheet.realm));
    if sheet.failed {
        let what = Affair::HarvestFailed {
            grain: tables.disaster.bad_harvest_grain,
            fruit: tables.disaster.bad_harvest_fruit,
        };
        month.emit(turn, cause, &[rule::GAP_63][..], &[], what.of(sheet.realm));
    }
    let sum = |points: &Points| Good::main().map(|good| points[good]).sum::<i64>();
    let goods = Affair::GoodsBalanced {
        supply: sum(&sheet.supply),
        demand: sum(&sheet.demand),
        short: sheet.balance.short.total(),
    };
    let mut rules = vec![
        rule::SUP_01,
        rule::GOOD_01,
        rule::GOOD_02,
        rule::GOOD_03,
        rule::GOOD_04,
        rule::GOOD_06,
        rule::GOOD_07,
        rule::GAP_52,
        rule::GAP_56,
        rule::GAP_57,
        rule::GAP_16,
        rule::TRADE_03,
        rule::GAP_61,
    ];
    let is_oasis = |(_, field): (_, &Field)| field.terrain == Terrain::Oasis;
    if turn.state.land_of(sheet.realm).any(is_oasis) {
        rules.extend([rule::TERR_04, rule::GOOD_08]);
    }
    month.emit(turn, cause, rules, &[], goods.of(sheet.realm));
    tell_luxury(turn, month, sheet);
}

fn tell_luxury(turn: &mut MonthTurn<'_>, month: &Month, sheet: &Sheet) {
    let tables = turn.tables;
    let cause = Cause::Step("supply");
    if sheet.balance.offset > 0 {
        let n = sheet.balance.offset;
        let rules = &[rule::LUX_01, rule::LUX_02, rule::GAP_53, rule::GAP_59][..];
        month.emit(turn, cause, rules, &[], Affair::LuxuryOffset { n }.of(sheet.realm));
    }
    let need = luxury_demand(tables, sheet.inhabitants);
    if !need.is_empty() {
        let goods = i64::try_from(need.len()).unwrap_or(i64::MAX);
        if sheet.balance.luxury_met {
            let rules = &[rule::LUX_01, rule::LUX_03, rule::GAP_53, rule::GAP_59][..];
            month.emit(turn, cause, rules, &[], Affair::LuxuryMet { goods }.of(sheet.realm));
        } else {
            let rules = &[rule::LUX_03, rule::LUX_04, rule::EXP_04, rule::GAP_59][..];
            month.emit(turn, cause, rules, &[], Affair::LuxuryMissing { goods }.of(sheet.realm));
        }
    }
    if let Some((threshold, goods)) = luxury_ahead(tables, sheet.inhabitants) {
        let what = Affair::LuxuryAhead {
            inhabitants: threshold,
            goods,
        };
        month.emit(
            turn,
            cause,
            &[rule::LUX_03, rule::GAP_59][..],
            &[],
            what.of(sheet.realm),
        );
    }
}

/// The next threshold of luxury and how many goods it demands, if the realm is near it (PYG-GAP-59).
pub fn luxury_ahead(tables: &Tables, inhabitants: i64) -> Option<(i64, i64)> {
    let next = tables.luxury.iter().find(|line| inhabitants < line.from_inhabitants)?;
    let near = i128::from(inhabitants) * 100
        >= i128::from(next.from_inhabitants) * i128::from(tables.goods.luxury_warning_pct);
    near.then(|| {
        (
            next.from_inhabitants,
            i64::try_from(next.need.len()).unwrap_or(i64::MAX),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(list: &[(Good, i64)]) -> Points {
        let mut points = Points::default();
        for (good, number) in list {
            points[*good] = *number;
        }
        points
    }

    #[test]
    fn demand_bands_include_their_upper_end() {
        let tables = Tables::book();
        let grain = [0, 60_000, 60_001, 80_000, 81_000, 250_000].map(|people| demand(&tables, people)[Good::Grain]);
        assert_eq!(grain, [10, 10, 14, 14, 16, 26]);
    }

    #[test]
    fn above_the_table_every_started_50_000_adds_three_of_each() {
        let tables = Tables::book();
        let culture = [250_000, 250_001, 300_000, 300_001].map(|people| demand(&tables, people)[Good::Culture]);
        assert_eq!(culture, [20, 23, 23, 26]);
    }

    #[test]
    fn luxury_fills_the_largest_shortage_first_and_ties_go_by_number() {
        let tables = Tables::book();
        let mut supply = demand(&tables, 60_000);
        supply[Good::Grain] -= 2;
        supply[Good::Wood] -= 3;
        supply[Good::Tobacco] = 2;
        let balance = balance(&tables, 60_000, &supply);
        // 3 of wood become 2, then grain and wood are equal and grain has the lower number.
        assert_eq!(balance.short, points(&[(Good::Grain, 1), (Good::Wood, 2)]));
        assert_eq!((balance.offset, balance.stock.total()), (2, 0));
        assert!(!balance.balanced);
    }

    #[test]
    fn what_luxury_does_not_fill_is_stock() {
        let tables = Tables::book();
        let mut supply = demand(&tables, 60_000);
        supply[Good::Grain] -= 1;
        supply[Good::Wine] += 4;
        supply[Good::Silk] = 3;
        let balance = balance(&tables, 60_000, &supply);
        assert_eq!(balance.stock, points(&[(Good::Wine, 4), (Good::Silk, 2)]));
        assert!(balance.balanced && balance.luxury_met && balance.short.total() == 0);
    }

    #[test]
    fn from_100_000_inhabitants_luxury_is_demanded_and_offsets_nothing() {
        let tables = Tables::book();
        let mut supply = demand(&tables, 100_000);
        supply[Good::Grain] -= 1;
        supply[Good::Glass] = 2;
        let met = balance(&tables, 100_000, &supply);
        assert!(met.luxury_met && met.stock.total() == 0 && met.short[Good::Grain] == 1);
        supply[Good::Glass] = 1;
        supply[Good::Silk] = 1;
        assert!(
            !balance(&tables, 100_000, &supply).luxury_met,
            "one good must have both points"
        );
        assert!(balance(&tables, 99_999, &supply).luxury_met);
    }

    #[test]
    fn demanded_luxury_goods_are_distinct() {
        let tables = Tables::book();
        let mut supply = demand(&tables, 400_000);
        for (glass, silk, gems, met) in [(4, 2, 2, true), (8, 0, 0, false), (4, 2, 1, false), (3, 3, 3, false)] {
            supply[Good::Glass] = glass;
            supply[Good::Silk] = silk;
            supply[Good::Gems] = gems;
            assert_eq!(
                balance(&tables, 400_000, &supply).luxury_met,
                met,
                "{glass} {silk} {gems}"
            );
        }
    }

    #[test]
    fn the_warning_begins_at_80_percent_of_the_next_threshold() {
        let tables = Tables::book();
        assert_eq!(luxury_ahead(&tables, 79_000), None);
        assert_eq!(luxury_ahead(&tables, 80_000), Some((100_000, 1)));
        assert_eq!(luxury_ahead(&tables, 100_000), None);
        assert_eq!(luxury_ahead(&tables, 160_000), Some((200_000, 2)));
        assert_eq!(luxury_ahead(&tables, 2_000_000), None);
    }
}
