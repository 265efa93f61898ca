//! The sheets of a ruler's report: what the next income and arming months bring and cost, what the people have and lack, what that risks
//! and what mends it, and what can be traded.

use super::{Pen, good_word, int, written_good, written_soil};
use crate::codes::{Good, Kind};
use crate::planner::{self, Goods, Outlook, Proposal};
use crate::rule;
use crate::state::{Points, Statement};
use crate::unrest::Mood;
use crate::{supply, trade_cities, traders};
use kernel::report::{Arg, Phrase};
use kernel::rule::RuleId;

/// Changes of places that are printed; a page that lists more is not read.
const CHANGES_MAX: usize = 30;

/// What an income month brought in sum (PYG-INC-01).
pub(super) fn income(pen: &mut Pen<'_>) {
    if let Some(statement) = statement(pen) {
        let sum = statement.taxes + statement.land + statement.mines + statement.trade;
        pen.line("income-sum", &[("n", int(sum))]);
    }
}

/// The goods that it counted (PYG-SUP-01).
pub(super) fn goods(pen: &mut Pen<'_>) {
    if let Some(statement) = statement(pen) {
        pen.line("supply-names", &[]);
        rows(pen, &statement.supply, &statement.demand);
    }
}

/// The statement of the month that is told, if it was an income month.
fn statement<'a>(pen: &Pen<'a>) -> Option<&'a Statement> {
    let view = pen.view;
    let statement = view.books.as_ref().and_then(|books| books.statement.as_ref());
    statement.filter(|statement| statement.step == view.step)
}

/// All sheets, for a ruler whose realm still plays.
pub(super) fn write(pen: &mut Pen<'_>) {
    let is_ruler = pen.view.books.is_some() && !pen.view.fields.iter().all(|field| field.own.is_none());
    let Some(outlook) = planner::outlook(pen.tables, pen.view).filter(|_| is_ruler) else {
        return;
    };
    budget(pen, &outlook);
    supply(pen, &outlook);
    stores(pen);
}

/// What is short, what that risks and what mends it, for the planner.
pub(super) fn advise(pen: &mut Pen<'_>, outlook: &Outlook) {
    pen.section("supply-advice", &[], &SUPPLY_RULES, |pen| {
        risk(pen, &outlook.goods);
        if outlook.goods.balance.short.total() > 0 {
            // Every field with its proposal stands in the planner's own table.
            mend(pen, &outlook.goods, &outlook.proposal, false);
        }
    });
}

/// The rules of supply.
const SUPPLY_RULES: [RuleId; 7] = [
    rule::SUP_01,
    rule::SUP_02,
    rule::SUP_03,
    rule::LUX_02,
    rule::GAP_57,
    rule::GAP_58,
    rule::GAP_59,
];

fn month_name<'a>(pen: &Pen<'a>, step: u32) -> &'a str {
    let (_, month) = pen.tables.date(step);
    let name = pen.tables.calendar.months.get(month.saturating_sub(1) as usize);
    name.map_or("", String::as_str)
}

/// What the next income month brings, what the next arming month costs, and what is left (PYG-INC-01, PYG-COST-03, PYG-ADM-01, PYG-HYG-01).
fn budget(pen: &mut Pen<'_>, outlook: &Outlook) {
    let rules = [
        rule::TIME_04,
        rule::INC_01,
        rule::COST_03,
        rule::ADM_01,
        rule::HYG_01,
        rule::GAP_09,
    ];
    pen.section("outlook", &[], &rules, |pen| {
        let income = &outlook.income;
        let name = month_name(pen, outlook.income_step);
        let args = [
            ("name", Arg::Text(name)),
            ("taxes", int(income.taxes)),
            ("land", int(income.land)),
            ("mines", int(income.mines)),
            ("trade", int(income.trade)),
            ("n", int(income.sum())),
        ];
        pen.line("outlook-income", &args);
        let arming = &outlook.arming;
        let name = month_name(pen, outlook.arming_step);
        let args = [
            ("name", Arg::Text(name)),
            ("pay", int(arming.pay)),
            ("administration", int(arming.administration)),
            ("hygiene", int(arming.hygiene)),
            ("n", int(arming.treasury)),
        ];
        pen.line("outlook-arming", &args);
        let left = arming.left();
        if left >= 0 {
            pen.line("outlook-left", &[("n", int(left))]);
        } else {
            pen.line("outlook-lacking", &[("n", int(-left))]);
        }
    });
    pen.blank();
}

/// Supply against need, the risk, and what mends it (PYG-SUP-01..03, PYG-GAP-57..59).
fn supply(pen: &mut Pen<'_>, outlook: &Outlook) {
    let name = month_name(pen, outlook.income_step);
    let args = [("name", Arg::Text(name)), ("n", int(outlook.goods.inhabitants))];
    pen.section("supply", &args, &SUPPLY_RULES, |pen| {
        pen.line("supply-head", &args);
        pen.line("supply-names", &[]);
        rows(pen, &outlook.goods.supply, &outlook.goods.demand);
        risk(pen, &outlook.goods);
        if outlook.goods.balance.short.total() > 0 {
            mend(pen, &outlook.goods, &outlook.proposal, true);
        }
    });
    pen.blank();
}

/// Every main good, and the luxury goods that there are.
fn rows(pen: &mut Pen<'_>, supply: &Points, demand: &Points) {
    for good in Good::main() {
        let args = [
            ("good", Arg::Word(good_word(good))),
            ("supply", int(supply[good])),
            ("demand", int(demand[good])),
            ("more", int(supply[good] - demand[good])),
        ];
        pen.line("supply-row", &args);
    }
    for good in Good::luxuries().filter(|good| supply[*good] > 0) {
        let args = [("good", Arg::Word(good_word(good))), ("supply", int(supply[good]))];
        pen.line("supply-luxury", &args);
    }
}

/// What can be traded: stock, what has come in, what is needed most, traders, and what the trade cities will have of it.
///
/// PYG-GAP-57, PYG-TRADE-03, PYG-TRDR-02, PYG-TRADE-04..07.
fn stores(pen: &mut Pen<'_>) {
    let (tables, view) = (pen.tables, pen.view);
    let Some(books) = &view.books else { return };
    let rules = [
        rule::GAP_57,
        rule::TRADE_03,
        rule::TRADE_04,
        rule::TRDR_02,
        rule::GAP_60,
        rule::GAP_61,
    ];
    let listed = |points: &Points| -> Vec<(Good, i64)> { points.iter().filter(|(_, points)| *points > 0).collect() };
    pen.section("stores", &[], &rules, |pen| {
        let (stock, imports) = (listed(&books.stock), listed(&books.imports));
        match stock.as_slice() {
            [] => pen.line("stock-empty", &[]),
            stock => pen.goods("stock", &[("n", int(books.stock.total()))], stock, None),
        }
        if !imports.is_empty() {
            pen.goods("imported", &[], &imports, None);
        }
        let needed = books.statement.iter().flat_map(|statement| &statement.needed);
        let needed: Vec<Phrase<'_>> = needed
            .map(|good| Phrase {
                key: good_word(*good),
                args: &[],
            })
            .collect();
        if !needed.is_empty() {
            pen.line("needed", &[("goods", Arg::List(&needed, ", "))]);
        }
        let own = || view.armies.iter().filter(|army| army.name.kind == Kind::Trader);
        let args = [
            ("n", int(i64::try_from(own().count()).unwrap_or(i64::MAX))),
            ("max", int(traders::allowed(tables, books.stock.total()))),
        ];
        pen.line("traders-allowed", &args);
        for trader in own().filter(|trader| !trader.load.is_empty()) {
            let load = listed(&traders::cargo(&trader.load));
            pen.goods(
                "trader-load",
                &[("army", Arg::Text(&trader.name.to_string()))],
                &load,
                None,
            );
        }
        for field in &view.fields {
            let Some(city) = field.own.as_ref().and_then(|own| own.trade) else {
                continue;
            };
            let (paid, _) = trade_cities::extra(&tables.trade, &city);
            let place = field.place.to_string();
            let args = [
                ("field", Arg::Text(&place)),
                ("needed", int(city.needed)),
                ("others", int(city.others)),
                ("carried", int(city.carried)),
                ("n", int(paid)),
            ];
            pen.line("trade-credit", &args);
        }
    });
    pen.blank();
}

fn risk(pen: &mut Pen<'_>, goods: &Goods) {
    let short = goods.balance.short.total();
    let mood = format!("mood-{}", Mood::of(goods.unrest).code());
    let args = [
        ("n", int(short)),
        ("offset", int(goods.balance.offset)),
        ("pct", int(goods.unrest)),
        ("mood", Arg::Word(&mood)),
    ];
    let key = match short {
        ..=0 => "supply-enough",
        1 => "supply-short-one",
        _ => "supply-short",
    };
    pen.line(key, &args);
    if goods.balance.offset > 0 {
        pen.line("supply-offset", &args);
    }
    if !goods.balance.luxury_met {
        luxury(pen, goods);
    }
}

/// Which luxury goods the people want, and what would content them (PYG-LUX-01, -03, PYG-GAP-59).
fn luxury(pen: &mut Pen<'_>, goods: &Goods) {
    let need = supply::luxury_demand(pen.tables, goods.inhabitants);
    let points: Vec<String> = need.iter().map(ToString::to_string).collect();
    let kinds = int(i64::try_from(need.len()).unwrap_or(i64::MAX));
    let args = [("goods", kinds), ("points", Arg::Text(&points.join(" + ")))];
    pen.line("supply-luxury-missing", &args);
    let mut have: Vec<i64> = Good::luxuries().map(|good| goods.supply[good]).collect();
    have.sort_unstable_by_key(|points| std::cmp::Reverse(*points));
    for (number, (wanted, have)) in (1..).zip(need.iter().zip(have)) {
        if have < *wanted {
            pen.line("mend-luxury", &[("number", int(number)), ("n", int(wanted - have))]);
        }
    }
    pen.line("mend-luxury-where", &[]);
    let threshold = pen.tables.luxury.iter().rev();
    let threshold = threshold
        .map(|line| line.from_inhabitants)
        .find(|from| goods.inhabitants >= *from);
    if let Some(from) = threshold.filter(|_| pen.tables.goods.may_give_up_land) {
        pen.line("mend-luxury-land", &[("n", int(from))]);
    }
}

/// Orders that mend it: places first, since they cost nothing, then promotion, then what must be traded in.
fn mend(pen: &mut Pen<'_>, now: &Goods, proposal: &Proposal, lists_places: bool) {
    let left = proposal.goods.balance.short.total();
    if left < now.balance.short.total() {
        let key = match (left, proposal.proven, lists_places) {
            (0, _, true) => "mend-all",
            (0, _, false) => "mend-all-below",
            (_, true, true) => "mend-best",
            (_, true, false) => "mend-best-below",
            (_, false, true) => "mend-some",
            (_, false, false) => "mend-some-below",
        };
        pen.line(key, &[("n", int(left)), ("pct", int(proposal.goods.unrest))]);
        let shown = if lists_places { proposal.changes.as_slice() } else { &[] };
        for (place, places) in shown.iter().take(CHANGES_MAX) {
            let place = place.to_string();
            // In an order that may be copied they are written otherwise than in a table.
            let [first, second, third] = places.map(written_good);
            let [a, b, c] = places.map(good_word);
            let args = [
                ("field", Arg::Text(&place)),
                ("first", Arg::Word(&first)),
                ("second", Arg::Word(&second)),
                ("third", Arg::Word(&third)),
                ("a", Arg::Word(a)),
                ("b", Arg::Word(b)),
                ("c", Arg::Word(c)),
            ];
            pen.line("mend-places", &args);
        }
        let more = shown.len().saturating_sub(CHANGES_MAX);
        if more > 0 {
            pen.line("mend-more", &[("n", int(i64::try_from(more).unwrap_or(i64::MAX)))]);
        }
    } else if proposal.proven {
        pen.line("mend-none", &[]);
    }
    for (soil, good, points, gold) in &proposal.promotions {
        let args = [
            ("soil", Arg::Word(&written_soil(*soil))),
            ("good", Arg::Word(&written_good(*good))),
            ("points", int(*points)),
            ("n", int(*gold)),
        ];
        pen.line("mend-promotion", &args);
    }
    let promoted = |good: Good| -> i64 {
        let own = proposal.promotions.iter().filter(|(_, other, ..)| *other == good);
        own.map(|(_, _, points, _)| *points).sum()
    };
    for (good, points) in proposal.goods.balance.short.iter() {
        let open = points - promoted(good);
        if open > 0 {
            pen.line("mend-trade", &[("good", Arg::Word(good_word(good))), ("n", int(open))]);
        }
    }
}
