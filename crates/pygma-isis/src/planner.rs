//! The economy planner: what a ruler can foresee of his next income and arming month, what his people will lack, and the best use of his
//! fields. Pure rule code on a view: it asks the rules of the month about the world as he can imagine it.

pub mod assignment;

use crate::chart::Place;
use crate::codes::{Good, Soil, Vein};
use crate::order::Order;
use crate::state::{Points, State, Statement, Underground};
use crate::supply::{self, Balance};
use crate::tables::Tables;
use crate::view::View;
use crate::{hygiene, imagine, income, mines, production, trade_cities, treasury, unrest};
use assignment::Plot;
use kernel::diagnostic::Parsed;
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;

/// What a ruler can foresee.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outlook {
    /// The next income month, counted from the first.
    pub income_step: u32,
    /// What it brings if nothing changes.
    pub income: Income,
    /// The next arming month.
    pub arming_step: u32,
    /// What it costs if nothing changes.
    pub arming: Arming,
    /// The people and their goods at the next income month, with the places as they are.
    pub goods: Goods,
    /// The best use of the fields.
    pub proposal: Proposal,
}

/// GS of an income month (PYG-INC-01).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Income {
    /// From settlements.
    pub taxes: i64,
    /// From land.
    pub land: i64,
    /// From mines, as long as they last.
    pub mines: i64,
    /// From trade that has been made already.
    pub trade: i64,
}

impl Income {
    /// What a statement says.
    pub const fn of(statement: &Statement) -> Self {
        Self {
            taxes: statement.taxes,
            land: statement.land,
            mines: statement.mines,
            trade: statement.trade,
        }
    }

    /// All of it.
    pub const fn sum(&self) -> i64 {
        self.taxes + self.land + self.mines + self.trade
    }
}

/// GS of an arming month that cannot be avoided (PYG-COST-03, PYG-ADM-01, PYG-HYG-01).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Arming {
    /// What the treasury will hold.
    pub treasury: i64,
    /// Pay of all armies.
    pub pay: i64,
    /// Administration of the mobile ones.
    pub administration: i64,
    /// The best hygiene for all towns.
    pub hygiene: i64,
}

impl Arming {
    /// What is left for building and arming; negative if it does not suffice.
    pub const fn left(&self) -> i64 {
        self.treasury - self.pay - self.administration - self.hygiene
    }
}

/// Supply against need.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goods {
    /// Inhabitants.
    pub inhabitants: i64,
    /// Points of every good.
    pub supply: Points,
    /// Points that are demanded of the main goods.
    pub demand: Points,
    /// What is short, what is left over.
    pub balance: Balance,
    /// Percent that a revolt breaks out (PYG-GAP-58).
    pub unrest: i64,
}

/// What should stand in the places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposal {
    /// Fields that should change, and to what.
    pub changes: Vec<(Place, [Good; 3])>,
    /// The goods with it.
    pub goods: Goods,
    /// Whether no other choice of places misses fewer points.
    pub proven: bool,
    /// Promotion that mends what is still short: soil, good, points, GS.
    pub promotions: Vec<(Soil, Good, i64, i64)>,
}

/// What a ruler can foresee; none for the game master.
#[must_use]
pub fn outlook(tables: &Tables, view: &View) -> Option<Outlook> {
    outlook_of(tables, view, imagine::world(tables, view)?)
}

/// The world as a ruler imagines it, with the goods that his orders put into the places of his fields (PYG-GAP-52).
#[must_use]
pub fn with_orders(tables: &Tables, view: &View, orders: &Parsed<Order>) -> Option<State> {
    let realm = view.realm()?;
    let mut state = imagine::world(tables, view)?;
    for order in &orders.orders {
        let Order::Produce { field, goods } = &order.value else {
            continue;
        };
        let own = state
            .field_at(field.value)
            .filter(|field| production::worker(tables, &state, *field) == realm);
        let Some(field) = own else { continue };
        let soil = tables.terrain[state.field(field).terrain].column;
        let goods = goods.map(|good| good.value);
        if goods.iter().all(|good| production::crosses(tables, soil, *good) > 0) {
            state.field_mut(field).places = Some(goods);
        }
    }
    Some(state)
}

/// What a ruler can foresee in a world that he imagines.
#[must_use]
pub fn outlook_of(tables: &Tables, view: &View, state: State) -> Option<Outlook> {
    let realm = view.realm()?;
    let next = |is: &dyn Fn(u32) -> bool| {
        let months = u32::try_from(tables.calendar.months.len()).unwrap_or(1);
        let from = view.step.saturating_add(1);
        (from..=from.saturating_add(months)).find(|step| is(*step))
    };
    let income_step = next(&|step| tables.is_income(step)).unwrap_or(u32::MAX);
    let arming_step = next(&|step| tables.is_arming(step)).unwrap_or(u32::MAX);
    let income = forecast_income(tables, &state, realm);
    let earned = if income_step < arming_step { income.sum() } else { 0 };
    let arming = forecast_arming(tables, &state, realm, earned);
    let goods = goods(tables, &state, realm);
    Some(Outlook {
        income_step,
        income,
        arming_step,
        arming,
        proposal: propose(tables, state, realm, &goods),
        goods,
    })
}

/// What the next income month would bring now.
pub fn forecast_income(tables: &Tables, state: &State, realm: RealmId) -> Income {
    let revenue = income::revenue(tables, state, realm);
    let (mut mines, mut trade) = (0, 0);
    for (index, field) in state.land_of(realm) {
        mines += mines::gold_of(tables, state, index);
        let town = field.settlement.as_deref().filter(|town| !town.pays_nothing);
        if let Some(city) = town.and_then(|town| town.trade) {
            trade += trade_cities::extra(&tables.trade, &city).0;
        }
    }
    Income {
        taxes: revenue.taxes,
        land: revenue.land,
        mines,
        trade,
    }
}

/// What the next arming month would cost now, with what is earned before it.
pub fn forecast_arming(tables: &Tables, state: &State, realm: RealmId, earned: i64) -> Arming {
    let towns = i64::try_from(hygiene::liable(tables, state, realm).len()).unwrap_or(i64::MAX);
    let best = tables.hygiene.per_town.iter().zip(&tables.hygiene.plague_d20_max);
    let mut best = best.filter(|(_, face)| **face <= 0).map(|(gold, _)| *gold);
    let each = best.next().or(tables.hygiene.per_town.last().copied()).unwrap_or(0);
    let mobile = i64::try_from(treasury::mobile(state, realm).len()).unwrap_or(i64::MAX);
    Arming {
        treasury: treasury::purse(state, realm).saturating_add(earned),
        pay: treasury::payroll(tables, state, realm),
        administration: treasury::administration_cost(tables, mobile),
        hygiene: towns.saturating_mul(each),
    }
}

/// Supply against need as the next income month would find it.
fn goods(tables: &Tables, state: &State, realm: RealmId) -> Goods {
    let inhabitants = supply::population(tables, state, realm).saturating_mul(tables.settling.inhabitants_per_point);
    let mut supply = supply::supply(tables, state, realm);
    for (_, field) in state.land_of(realm) {
        if let Underground::Mine {
            vein: Vein::Gems,
            yields,
            ..
        } = field.ground
        {
            supply[Good::Gems] += yields;
        }
    }
    let own = state.realms.get(&realm);
    if own.is_some_and(|own| own.bad_harvest) {
        supply::blight(tables, &mut supply);
    }
    let balance = supply::balance(tables, inhabitants, &supply);
    let unrest = unrest::chance(tables, &balance.short).saturating_add(own.map_or(0, |own| own.unrest));
    Goods {
        inhabitants,
        demand: supply::demand(tables, inhabitants),
        supply,
        unrest: unrest.clamp(0, 100),
        balance,
    }
}

/// The best use of the fields, and what promotion could add.
fn propose(tables: &Tables, mut state: State, realm: RealmId, now: &Goods) -> Proposal {
    if missing(now) == 0 {
        return Proposal {
            changes: Vec::new(),
            goods: now.clone(),
            proven: true,
            promotions: Vec::new(),
        };
    }
    let plots = plots(tables, &state, realm);
    let mut fixed = now.supply;
    for (field, _) in &plots {
        for (good, points) in production::yields(tables, state.field(*field)).iter() {
            fixed[good] -= points;
        }
    }
    let alone: Vec<Plot> = plots.iter().map(|(_, plot)| *plot).collect();
    let plan = assignment::assign(tables, &alone, &fixed, &now.demand);
    let mut changes = Vec::new();
    // What misses as much as the best stays as it is.
    let is_better = plan.missing.total() < missing(now);
    for ((field, plot), places) in plots.iter().zip(&plan.places).filter(|_| is_better) {
        if plot.places != *places {
            changes.push((state.place(*field), *places));
            state.field_mut(*field).places = Some(*places);
        }
    }
    let goods = goods(tables, &state, realm);
    let proven = plan.is_proven() || goods.balance.short.total() == 0;
    let promotions = promotions(tables, &state, realm, &goods.balance.short);
    Proposal {
        changes,
        goods,
        proven,
        promotions,
    }
}

/// Points that are missing before luxury goods help.
fn missing(goods: &Goods) -> i64 {
    let short = Good::main().map(|good| (goods.demand[good] - goods.supply[good]).max(0));
    short.sum()
}

/// Fields whose places can be chosen: own land and worked waters on which something grows.
pub fn plots(tables: &Tables, state: &State, realm: RealmId) -> Vec<(FieldIndex, Plot)> {
    let land = state.land_of(realm).map(|(index, _)| index);
    let water = production::worked_waters(tables, state, realm);
    land.chain(water)
        .filter_map(|index| {
            let field = state.field(index);
            let soil = tables.terrain[field.terrain].column?;
            let places = field
                .places
                .or_else(|| production::default_places(tables, Some(soil)))?;
            let ranks = production::places(tables, field);
            Some((index, Plot { soil, places, ranks }))
        })
        .collect()
}

/// Promotion for what is short, the greatest shortage first, as far as the limits of each soil allow (PYG-PROM-02).
fn promotions(tables: &Tables, state: &State, realm: RealmId, short: &Points) -> Vec<(Soil, Good, i64, i64)> {
    let mut promoted = state
        .realms
        .get(&realm)
        .map_or_else(Vec::new, |own| own.promotions.clone());
    let mut goods: Vec<Good> = Good::main().filter(|good| short[*good] > 0).collect();
    goods.sort_by_key(|good| (-short[*good], *good));
    let soils: Vec<Soil> = Soil::ALL
        .iter()
        .copied()
        .filter(|soil| !goods.is_empty() && production::has_soil(tables, state, realm, *soil))
        .collect();
    let mut proposed = Vec::new();
    for good in goods {
        let mut open = short[good];
        for soil in &soils {
            if open <= 0 || production::crosses(tables, Some(*soil), good) == 0 {
                continue;
            }
            let on_soil = || promoted.iter().filter(|other| other.soil == *soil);
            let used: i64 = on_soil().map(|other| other.points).sum();
            let others = on_soil().filter(|other| other.good != good).count();
            if i64::try_from(others).unwrap_or(i64::MAX) >= tables.goods.promotion_goods_max {
                continue;
            }
            let points = open.min(tables.goods.promotion_points_max - used);
            if points <= 0 {
                continue;
            }
            open -= points;
            promoted.push(crate::state::Promotion {
                soil: *soil,
                good,
                points,
            });
            proposed.push((*soil, good, points, points.saturating_mul(tables.goods.promotion_cost)));
        }
    }
    proposed
}
