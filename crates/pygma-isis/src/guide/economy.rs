//! The economy planner as a page shows it: supply against need, the places of every field, the exact optimum, and what the next income and
//! arming months bring. Everything is reckoned by the rules of the month, on the world as the ruler imagines it with his draft.

use super::preview;
use crate::chart::Place;
use crate::codes::Good;
use crate::order::Order;
use crate::parse::{self, Seat};
use crate::planner::{self, Income, Outlook};
use crate::production;
use crate::report::{self, good_word};
use crate::rule;
use crate::state::State;
use crate::supply;
use crate::tables::Tables;
use crate::view::View;
use crate::{imagine, treasury};
use kernel::diagnostic::{Name, Parsed};
use kernel::form::Choice;
use kernel::hex::FieldIndex;
use kernel::planner::{Assignment, Consumer, Forecast, ForecastLine, Need, PLOTS_MAX, Planner, Plot, Proposal, Slot};
use kernel::realm::RealmId;
use kernel::report::ReportSink;
use std::collections::BTreeMap;

/// What the orders of a draft are reckoned with.
struct Desk {
    realm: RealmId,
    orders: Parsed<Order>,
    state: State,
}

fn desk(tables: &Tables, view: &View, file: &str) -> Option<Desk> {
    let realm = view.realm()?;
    let orders = parse::parse(tables, &Seat::of_view(view)?, file.as_bytes());
    let state = planner::with_orders(tables, view, &orders)?;
    Some(Desk { realm, orders, state })
}

/// The planner.
pub(super) fn planner(tables: &Tables, view: &View, file: &str) -> Option<Planner> {
    let Desk { realm, state, .. } = desk(tables, view, file)?;
    let plots = plots(tables, view, &state, realm);
    let consumers = consumers(tables, view, &state, realm);
    let outlook = planner::outlook_of(tables, view, state)?;
    let rules = [
        rule::SUP_01,
        rule::GOOD_02,
        rule::GOOD_03,
        rule::GAP_52,
        rule::INC_01,
        rule::COST_03,
        rule::ADM_01,
        rule::HYG_01,
    ];
    Some(Planner {
        needs: needs(&outlook),
        consumers,
        slots: ["label-first", "label-second", "label-third"]
            .map(Name::Borrowed)
            .to_vec(),
        plots: with_proposal(plots, &outlook),
        proposal: Proposal {
            changes: outlook.proposal.changes.len(),
            short_now: outlook.goods.balance.short.total(),
            short_then: outlook.proposal.goods.balance.short.total(),
            proven: outlook.proposal.proven,
        },
        forecasts: forecasts(tables, view, file, &outlook),
        rules: rules.iter().map(|rule| Name::Borrowed(rule.as_str())).collect(),
    })
}

/// What is short, what that risks and what mends it.
pub(super) fn advice(tables: &Tables, view: &View, file: &str, sink: &mut dyn ReportSink) {
    let outlook = desk(tables, view, file).and_then(|desk| planner::outlook_of(tables, view, desk.state));
    if let Some(outlook) = outlook {
        report::advise(tables, view, &outlook, sink);
    }
}

fn needs(outlook: &Outlook) -> Vec<Need> {
    let now = &outlook.goods;
    let then = &outlook.proposal.goods;
    let is_there = |good: &Good| !good.is_luxury() || now.supply[*good] > 0;
    let goods = Good::ALL.iter().copied().filter(is_there);
    goods
        .map(|good| Need {
            label: Name::Borrowed(good_word(good)),
            supply: now.supply[good],
            need: (!good.is_luxury()).then_some(now.demand[good]),
            proposed: then.supply[good],
            short: now.balance.short[good],
        })
        .collect()
}

/// Settlements with their inhabitants, the largest first, then the people of the land together.
fn consumers(tables: &Tables, view: &View, state: &State, realm: RealmId) -> Vec<Consumer> {
    let all = supply::population(tables, state, realm).max(1);
    let heads = |points: i64| points.saturating_mul(tables.settling.inhabitants_per_point);
    let mut towns = Vec::new();
    let mut land = 0;
    for (index, field) in state.land_of(realm) {
        let points = supply::points_on(tables, field);
        let people = tables.terrain[field.terrain].population;
        land += people;
        if let Some(town) = field.settlement.as_deref() {
            let own = points - people;
            towns.push(Consumer {
                place: view.chart.place(index).to_string(),
                label: Name::Owned(format!("settlement-{}", town.kind.code())),
                heads: heads(own),
                share: own * 100 / all,
            });
        }
    }
    towns.sort_by_key(|town| std::cmp::Reverse(town.heads));
    if land > 0 {
        towns.push(Consumer {
            place: String::new(),
            label: Name::Borrowed("planner-land"),
            heads: heads(land),
            share: land * 100 / all,
        });
    }
    towns
}

fn plots(tables: &Tables, view: &View, state: &State, realm: RealmId) -> Vec<Plot> {
    let home = view.books.as_ref().and_then(|books| view.chart.field(books.home));
    let home = home.unwrap_or(FieldIndex(0));
    let plot = |(index, plot): (FieldIndex, planner::assignment::Plot)| {
        let crosses = |good: Good| production::crosses(tables, Some(plot.soil), good);
        let choice = |good: Good| Choice {
            detail: crosses(good).to_string(),
            ..Choice::worded(good.code(), good_word(good))
        };
        let mut goods: Vec<Good> = Good::main().filter(|good| crosses(*good) > 0).collect();
        goods.sort_by_key(|good| (-crosses(*good), *good));
        let slots = plot.places.iter().zip(tables.goods.place_points).enumerate();
        Plot {
            place: view.chart.place(index).to_string(),
            at: view.chart.spot(home, index),
            label: Name::Owned(format!("terrain-{}", state.field(index).terrain.code())),
            choices: goods.into_iter().map(choice).collect(),
            slots: slots
                .map(|(place, (good, rank))| Slot {
                    value: good.code().to_owned(),
                    yields: if place < plot.ranks {
                        rank.min(crosses(*good))
                    } else {
                        0
                    },
                    proposed: good.code().to_owned(),
                })
                .collect(),
        }
    };
    planner::plots(tables, state, realm)
        .into_iter()
        .take(PLOTS_MAX)
        .map(plot)
        .collect()
}

fn with_proposal(mut plots: Vec<Plot>, outlook: &Outlook) -> Vec<Plot> {
    let changes: BTreeMap<String, [Good; 3]> = outlook
        .proposal
        .changes
        .iter()
        .map(|(place, goods)| (place.to_string(), *goods))
        .collect();
    for plot in &mut plots {
        let goods = changes.get(&plot.place).into_iter().flatten();
        for (slot, good) in plot.slots.iter_mut().zip(goods) {
            good.code().clone_into(&mut slot.proposed);
        }
    }
    plots
}

/// The next income month and the next arming month, foreseen month by month: the draft is carried out in the open month, then nothing is
/// ordered but the best hygiene. What an income month brings is what its imagined statement says.
fn forecasts(tables: &Tables, view: &View, file: &str, outlook: &Outlook) -> Vec<Forecast> {
    let last = outlook.income_step.max(outlook.arming_step);
    let mut found = Vec::new();
    let mut now = view.clone();
    while now.step < last {
        let step = now.step.saturating_add(1);
        let (Some(realm), Some(state)) = (view.realm(), imagine::world(tables, &now)) else {
            break;
        };
        let arming = planner::forecast_arming(tables, &state, realm, 0);
        let is_open = now.step == view.step;
        let orders = match arming.hygiene {
            _ if is_open => file.to_owned(),
            hygiene if hygiene > 0 && tables.is_arming(step) => format!("HYGIENE {hygiene}\n"),
            _ => String::new(),
        };
        let Some(next) = preview::preview(tables, &now, orders.as_bytes()) else {
            break;
        };
        let (year, month) = tables.date(step);
        let name = tables.calendar.months.get(month.saturating_sub(1) as usize);
        let when = format!("{} {year}", name.map_or("", String::as_str));
        let after = next.books.as_ref().map_or(0, |books| books.treasury);
        let before = treasury::purse(&state, realm);
        let statement = next.books.as_ref().and_then(|books| books.statement.as_ref());
        let income = statement
            .filter(|statement| statement.step == step)
            .map_or_else(Income::default, Income::of);
        // What is left when everything is paid and nothing has come in yet.
        let kept = after.saturating_sub(income.sum());
        if step == outlook.income_step {
            let spent = (kept != before).then_some(("forecast-spent", kept.saturating_sub(before), false));
            let lines: Vec<_> = [("forecast-treasury", before, false)]
                .into_iter()
                .chain(spent)
                .chain([
                    ("forecast-taxes", income.taxes, false),
                    ("forecast-land", income.land, false),
                    ("forecast-mines", income.mines, false),
                    ("forecast-trade", income.trade, false),
                    ("forecast-income", income.sum(), true),
                    ("forecast-after", after, true),
                ])
                .collect();
            found.push(forecast("forecast-of-income", when.clone(), step, &lines));
        }
        if step == outlook.arming_step {
            let drafted = is_open.then_some(("forecast-drafted", kept, true));
            let lines: Vec<_> = [
                ("forecast-treasury", arming.treasury, false),
                ("forecast-pay", -arming.pay, false),
                ("forecast-administration", -arming.administration, false),
                ("forecast-hygiene", -arming.hygiene, false),
                ("forecast-left", arming.left(), true),
            ]
            .into_iter()
            .chain(drafted)
            .collect();
            found.push(forecast("forecast-of-arming", when, step, &lines));
        }
        if next.step <= now.step {
            break;
        }
        now = next;
    }
    found
}

fn forecast(title: &'static str, when: String, step: u32, lines: &[(&'static str, i64, bool)]) -> Forecast {
    let line = |(label, value, sum): &(&'static str, i64, bool)| ForecastLine {
        label: Name::Borrowed(label),
        value: *value,
        sum: *sum,
    };
    Forecast {
        title: Name::Borrowed(title),
        when,
        step,
        lines: lines.iter().map(line).collect(),
    }
}

/// The draft with other goods in places. What stands there anyway needs no order; wishes that name no good, or a field that is not
/// planned, are passed over.
pub(super) fn assign(tables: &Tables, view: &View, file: &str, wanted: &Assignment) -> String {
    let Some(desk) = desk(tables, view, file) else {
        return file.to_owned();
    };
    let plots: Vec<Place> = planner::plots(tables, &desk.state, desk.realm)
        .into_iter()
        .map(|(index, _)| view.chart.place(index))
        .collect();
    let read = |(place, goods): (&String, &Vec<String>)| {
        let place = Place::read(place).filter(|place| plots.contains(place))?;
        let goods: Option<Vec<Good>> = goods.iter().map(|good| Good::from_word(good)).collect();
        Some((place, <[Good; 3]>::try_from(goods?).ok()?))
    };
    let wishes: BTreeMap<Place, [Good; 3]> = wanted.iter().filter_map(read).collect();
    put(tables, view, file, &desk, &wishes)
}

/// The draft with the best use of the fields.
pub(super) fn assign_best(tables: &Tables, view: &View, file: &str) -> String {
    let Some(desk) = desk(tables, view, file) else {
        return file.to_owned();
    };
    let Some(outlook) = planner::outlook_of(tables, view, desk.state.clone()) else {
        return file.to_owned();
    };
    let wishes = outlook.proposal.changes.iter().copied().collect();
    put(tables, view, file, &desk, &wishes)
}

fn put(tables: &Tables, view: &View, file: &str, desk: &Desk, wishes: &BTreeMap<Place, [Good; 3]>) -> String {
    // As it is without any order.
    let plain_state = imagine::world(tables, view);
    let standing: BTreeMap<Place, [Good; 3]> = plain_state
        .iter()
        .flat_map(|state| planner::plots(tables, state, desk.realm))
        .map(|(index, plot)| (view.chart.place(index), plot.places))
        .collect();
    let replaced: Vec<u32> = desk
        .orders
        .orders
        .iter()
        .filter(|order| matches!(&order.value, Order::Produce { field, .. } if wishes.contains_key(&field.value)))
        .map(|order| order.span.line)
        .collect();
    let lines = (1..).zip(parse::lines(file));
    let mut kept: Vec<String> = lines
        .filter(|(number, _)| !replaced.contains(number))
        .map(|(_, line)| line.to_owned())
        .collect();
    while kept.last().is_some_and(|line| line.trim().is_empty()) {
        kept.pop();
    }
    let written = wishes
        .iter()
        .filter(|(place, goods)| standing.get(place) != Some(goods));
    let mut orders: Vec<String> = written
        .map(|(place, goods)| {
            let [first, second, third] = goods.map(Good::code);
            format!("PRODUKTION {place} {first} {second} {third}")
        })
        .collect();
    // Lines behind a table would end it; before it they are orders like any other.
    let table = kept.iter().position(|line| parse::is_head(line)).unwrap_or(kept.len());
    kept.splice(table..table, orders.drain(..));
    if kept.is_empty() {
        return String::new();
    }
    kept.push(String::new());
    kept.join("\n")
}

#[cfg(test)]
mod tests;
