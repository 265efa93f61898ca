//! The figures of the rules in one world: the tables of the book and the rulings on its gaps, with a world's differences.
//!
//! A world stores only what it changes; [`Tables::with_overrides`] lays it over the book. Every figure of `data/pygma-isis` has
//! its field here, so a key that no rule reads does not compile, and one that does not exist is refused.

mod figures;
pub(crate) mod overlay;
pub mod policy;
pub(crate) mod spelling;

use crate::chart::Chart;
use crate::codes::{Creature, Equipment, Good, Kind, SettlementKind, Soil, Terrain, WorkKind};
use crate::grammar::{Verb, When};
pub use figures::{
    Absence, Administration, Armies, ArmyFigures, Attrition, Calendar, CapitalLoss, Combat, CreatureFigures,
    CreatureStrength, Creatures, Demand, Disasters, Goods, Ground, Hygiene, Letters, LuxuryDemand, MapShape, Mines,
    Money, Movement, Plague, Ranking, Roads, SettlementFigures, Settling, Sight, Start, Trade, TradeCities, Traders,
    Unrest, Withdraw, WorkFigures, Works,
};
use kernel::house::{Last, Misfits, Problem};
use kernel::vocabulary::Column;
use policy::Expense;
use serde::Deserialize;
use std::collections::BTreeSet;

/// All figures of a world.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    /// T1, by terrain.
    pub terrain: Column<Terrain, Ground>,
    /// T7, roads and bridges.
    pub road: Roads,
    /// T12, crosses by soil and good; 0 where the good is not won.
    pub production: Column<Soil, Column<Good, i64>>,
    /// T18, mines and pearls.
    pub mine: Mines,
    /// T3, by kind of settlement.
    pub settlement: Column<SettlementKind, SettlementFigures>,
    /// Rules of settling.
    pub settling: Settling,
    /// The fall of a capital.
    pub capital_loss: CapitalLoss,
    /// T4, trade cities.
    pub trade_city: TradeCities,
    /// T5, hygiene.
    pub hygiene: Hygiene,
    /// How long plague lasts and what it does.
    pub plague: Plague,
    /// T6, by kind of work.
    pub work: Column<WorkKind, WorkFigures>,
    /// Rules of works.
    pub works: Works,
    /// T8, by kind of army.
    pub army: Column<Kind, ArmyFigures>,
    /// Rules of all armies.
    pub armies: Armies,
    /// T9, movement.
    pub movement: Movement,
    /// Sight.
    pub sight: Sight,
    /// The order R.
    pub withdraw: Withdraw,
    /// T10, combat.
    pub combat: Combat,
    /// T11, administration.
    pub administration: Administration,
    /// Losses on the way.
    pub attrition: Attrition,
    /// Places, promotion and demand.
    pub goods: Goods,
    /// T13, demand by inhabitants, the first line that is not exceeded.
    pub supply: Vec<Demand>,
    /// T14, luxury by inhabitants, the last line that is reached.
    pub luxury: Vec<LuxuryDemand>,
    /// Discontent and revolts.
    pub unrest: Unrest,
    /// T15, traders.
    pub trader: Traders,
    /// T16, trade.
    pub trade: Trade,
    /// T2, the calendar.
    pub calendar: Calendar,
    /// What is paid in which order.
    pub money: Money,
    /// Shape of a new world.
    pub map: MapShape,
    /// Creatures in general.
    pub creatures: Creatures,
    /// By kind of creature.
    pub creature: Column<Creature, CreatureFigures>,
    /// Disasters.
    pub disaster: Disasters,
    /// What a realm starts with.
    pub start: Start,
    /// Ranking.
    pub ranking: Ranking,
    /// Absent players.
    pub absence: Absence,
    /// Letters and other orders.
    pub letters: Letters,
}

impl Tables {
    /// The figures of the book, with the rulings on its gaps.
    ///
    /// # Panics
    /// Never: a test reads the data that the program is built with.
    #[must_use]
    pub fn book() -> Self {
        match overlay::read("") {
            Ok(tables) => tables,
            Err(error) => unreachable!("the data of the book is unsound: {error}"),
        }
    }

    /// The figures of a world that differs from the book by this TOML text.
    ///
    /// # Errors
    /// What is wrong with the text: unknown keys, wrong types, figures out of range, contradictions.
    pub fn with_overrides(differences: &str) -> Result<Self, Misfits> {
        static LAST: Last<Tables> = Last::new();
        LAST.get(differences, overlay::read)
    }

    /// The shape of a new world.
    pub fn chart(&self) -> Chart {
        Chart {
            layout: self.map.layout,
            columns: self.map.columns,
            column_length: self.map.column_length,
            per_row: self.map.great_fields_per_row,
            rows: self.map.great_field_rows,
            shifted: self.map.shifted_columns,
            wrap: self.map.wrap,
        }
    }

    /// Whether a terrain is water; unexplored ground is not known to be.
    pub fn is_water(&self, terrain: Terrain) -> bool {
        self.terrain[terrain].water
    }

    /// Year and month (1 to 8) of a step; step 1 is the first month played.
    pub fn date(&self, step: u32) -> (u32, u32) {
        let months = u32::try_from(self.calendar.months.len()).unwrap_or(1).max(1);
        let since = step
            .saturating_sub(1)
            .saturating_add(self.calendar.start_month.saturating_sub(1));
        (
            self.calendar.start_year.saturating_add(since / months),
            since % months + 1,
        )
    }

    /// Whether a step is an income month (PYG-TIME-02).
    pub fn is_income(&self, step: u32) -> bool {
        self.calendar.income_months.contains(&self.date(step).1)
    }

    /// Whether a step is an arming month (PYG-TIME-03).
    pub fn is_arming(&self, step: u32) -> bool {
        self.calendar.arming_months.contains(&self.date(step).1)
    }

    /// Whether an order is possible in a step: expenses in arming months and, of those that are listed, in every month (PYG-GAP-08).
    pub fn is_possible(&self, verb: Verb, step: u32) -> bool {
        let in_every_month = if verb.is_expense() {
            self.calendar.any_month.contains(&verb)
        } else {
            verb.when() == When::Always
        };
        in_every_month || self.is_arming(step)
    }

    /// Everything that single figures cannot say: lengths of lists, numbers that a rule could stumble over.
    fn check(&self) -> Result<(), Problem> {
        let expect = |holds: bool, path: &str, expected: &'static str| match holds {
            true => Ok(()),
            false => Err(Problem::Contradiction {
                path: path.to_owned(),
                expected,
            }),
        };
        let within = |value: i64, path: &str, max: i64| match (1..=max).contains(&value) {
            true => Ok(()),
            false => Err(Problem::OutOfRange {
                path: path.to_owned(),
                value,
                min: 1,
                max,
            }),
        };
        expect(
            self.hygiene.per_town.len() == self.hygiene.plague_d20_max.len(),
            "hygiene",
            "as-many-lines-in-both-lists",
        )?;
        for (name, list) in [
            ("mine.silver_yield", &self.mine.silver_yield),
            ("mine.gold_yield", &self.mine.gold_yield),
            ("mine.life_terms", &self.mine.life_terms),
            ("movement.reef_loss_pct", &self.movement.reef_loss_pct),
            ("movement.grounding_loss_pct", &self.movement.grounding_loss_pct),
            ("attrition.bare_pct", &self.attrition.bare_pct),
            (
                "attrition.equipped_pct.I",
                &self.attrition.equipped_pct[Equipment::First],
            ),
            (
                "attrition.equipped_pct.II",
                &self.attrition.equipped_pct[Equipment::Second],
            ),
        ] {
            expect(list.len() == 6, name, "six-figures")?;
        }
        expect(self.disaster.table.len() == 6, "disaster.table", "six-disasters")?;
        expect(
            self.creatures.settlement_kinds.len() == 6,
            "creatures.settlement_kinds",
            "six-kinds",
        )?;
        expect(
            self.unrest.mild_goods_pct.len() > Good::MAIN,
            "unrest.mild_goods_pct",
            "eleven-figures",
        )?;
        // Others are divided by these.
        for (path, divisor) in [
            ("goods.above_step_inhabitants", self.goods.above_step_inhabitants),
            ("unrest.deficit_per_field", self.unrest.deficit_per_field),
            ("trader.stock_per_trader", self.trader.stock_per_trader),
            ("trade.other_points_per_gold", self.trade.other_points_per_gold),
            ("trade.carry_over_divisor", self.trade.carry_over_divisor),
            ("ranking.gold_per_point", self.ranking.gold_per_point),
            ("army.KH.per_point", self.army[Kind::Warriors].per_point),
            ("army.RH.per_point", self.army[Kind::Riders].per_point),
            ("army.FH.per_point", self.army[Kind::Fleet].per_point),
            ("army.KH.per_ship", self.army[Kind::Warriors].per_ship),
            ("army.RH.per_ship", self.army[Kind::Riders].per_ship),
            ("settling.inhabitants_per_point", self.settling.inhabitants_per_point),
        ] {
            expect(divisor > 0, path, "more-than-0")?;
        }
        let start: i64 = self.start.fields.values().sum();
        let fits = self
            .start
            .fields
            .iter()
            .all(|(terrain, count)| *count == 0 || (*terrain != Terrain::Unexplored && !self.is_water(*terrain)));
        let capital = self.start.fields.get(&self.start.capital_on);
        expect(
            fits && capital.is_some_and(|count| *count > 0),
            "start.fields",
            "land-with-that-of-capital_on",
        )?;
        within(start, "start.fields", crate::worldgen::starts::ROOM)?;
        expect(
            !self.start.peoples.is_empty(),
            "start.peoples",
            "one-people-at-the-least",
        )?;
        let parts: BTreeSet<Expense> = self.money.payment_order.iter().copied().collect();
        expect(
            parts.len() == Expense::ALL.len() && parts.len() == self.money.payment_order.len(),
            "money.payment_order",
            "each-expense-once",
        )?;
        within(i64::from(self.movement.ticks), "movement.ticks", 20)?;
        let months = self.calendar.months.len() as u32;
        expect((1..=24).contains(&months), "calendar.months", "1-to-24-names")?;
        within(
            i64::from(self.calendar.start_month),
            "calendar.start_month",
            i64::from(months),
        )?;
        let chart = self.chart();
        let sizes = [chart.columns, chart.column_length, chart.per_row, chart.rows];
        expect(
            sizes.iter().all(|size| (1..=200).contains(size)),
            "map",
            "sizes-of-1-to-200",
        )?;
        let fields = sizes.iter().map(|size| u64::from(*size)).product::<u64>();
        expect(fields <= kernel::limits::FIELDS as u64 / 4, "map", "fewer-fields")?;
        expect(chart.may_wrap(), "map.wrap", "an-even-number-of-columns")?;
        expect(chart.fields_per_great_field() <= 99, "map", "at-most-99-fields")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_of_the_book_can_be_read() {
        let tables = Tables::book();
        assert_eq!(tables.chart().fields_per_great_field(), 25);
        assert_eq!(tables.army[Kind::Riders].arming_cost, 30);
        assert_eq!(tables.production[Soil::Plain][Good::Grain], 3);
    }

    #[test]
    fn the_demand_lines_add_up_as_the_book_says() {
        let sums: Vec<i64> = Tables::book()
            .supply
            .iter()
            .map(|line| line.demand.iter().sum())
            .collect();
        assert_eq!(sums, [60, 80, 100, 120, 145, 170, 200]);
    }

    #[test]
    fn play_begins_in_andra_of_year_one_and_years_have_eight_months() {
        let tables = Tables::book();
        assert_eq!(
            (tables.date(1), tables.date(8), tables.date(9)),
            ((1, 1), (1, 8), (2, 1))
        );
        let income: Vec<u32> = (1..=9).filter(|step| tables.is_income(*step)).collect();
        let arming: Vec<u32> = (1..=9).filter(|step| tables.is_arming(*step)).collect();
        assert_eq!((income, arming), (vec![3, 7], vec![4, 8]));
    }

    #[test]
    fn a_world_may_change_figures_but_not_invent_keys_or_break_lists() {
        assert_eq!(
            Tables::with_overrides("[start]\ngold = 5")
                .expect("a figure")
                .start
                .gold,
            5
        );
        assert_eq!(
            Tables::with_overrides("[map]\nlayout = \"hex48\"")
                .expect("a layout")
                .chart()
                .fields_per_great_field(),
            48
        );
        for wrong in [
            "[start]\ngodl = 5",
            "[nothing]\nx = 1",
            "start = 5",
            "[start]\ngold = \"5\"",
            "[start]\ngold = 99999999999",
            "[attrition]\nbare_pct = [1]",
            "[trade]\ncarry_over_divisor = 0",
            "[start.fields]\nEB = 0",
            "[start.fields]\nEB = 99",
            "[start.fields]\nSA = 1",
            "[start.fields]\nHU = -1",
            "[settling]\nstages_per_month = 0",
            "[settling]\ntowns = [\"XXX\"]",
            "[calendar]\nany_month = [\"HYGIENE\"]",
            "[calendar]\nany_month = [\"NICHTS\"]",
            "[plague]\nhalves = [\"alles\"]",
            "[road]\nusable = \"nie\"",
            "no toml",
        ] {
            assert!(Tables::with_overrides(wrong).is_err(), "{wrong}");
        }
    }
}
