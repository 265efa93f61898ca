//! The figures of every chapter: what stands in the tables of the book and in the rulings on its gaps.

use super::policy;
use crate::chart::{Layout, Shifted};
use crate::codes::{
    Behaviour, Class, Disaster, Equipment, Good, Kind, People, SettlementKind, Soil, Stance, Terrain, Vein,
};
use crate::grammar::Verb;
use kernel::vocabulary::Column;
use serde::Deserialize;
use std::collections::BTreeMap;

macro_rules! figures {
    ($($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)+ })+) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)+
        }
    )+};
}

/// A terrain's line in T1.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ground {
    /// Height level 0 to 2.
    pub height: i64,
    /// Whether it is water.
    pub water: bool,
    /// Whether ships may run aground.
    pub reef: bool,
    /// GS per term.
    pub income: i64,
    /// Population points.
    pub population: i64,
    /// Class for roads; none where no road is built.
    pub road: Option<Class>,
    /// Class for fights.
    pub combat: Option<Class>,
    /// Column of the production table.
    pub column: Option<Soil>,
    /// Whether entering costs losses.
    pub difficult: bool,
    /// Luxury points of an own field.
    pub luxury: BTreeMap<Good, i64>,
}

figures! {
    /// T7.
    Roads {
        /// GS per section by class.
        cost: Column<Class, i64>,
        /// Sections that a road grows at one end in a month.
        sections_per_end_and_month: Column<Class, i64>,
        /// GS.
        bridge_cost: i64,
        /// Whether armies of other realms may use a road (PYG-GAP-22).
        foreign_use: bool,
        /// From when on it can be used (PYG-GAP-22).
        usable: policy::Usable,
        /// Percent of the price for a section that a disaster destroyed (PYG-GAP-22).
        repair_cost_pct: i64,
    }
    /// T18.
    Mines {
        /// Faces of the D20 by terrain and vein.
        find: BTreeMap<Terrain, BTreeMap<Vein, Vec<i64>>>,
        /// GS per term by D6.
        silver_yield: Vec<i64>,
        /// GS per term by D6.
        gold_yield: Vec<i64>,
        /// Terms by D6.
        life_terms: Vec<i64>,
        /// Points of a gem mine (PYG-GAP-54).
        gem_points: i64,
        /// Highest face of the D20 on which a reef has pearls.
        pearls_d20_max: i64,
        /// Points of a reef with pearls.
        pearl_points: i64,
        /// How often a field is searched (PYG-GAP-55).
        searched: policy::Searched,
        /// Whether start areas are searched when the world is made (PYG-GAP-55).
        search_start_areas: bool,
        /// Percent that a mine runs dry early, each time it pays (PYG-GAP-55).
        early_exhaustion_pct: i64,
    }
    /// Rules of settling.
    Settling {
        /// Steps to the nearest other settlement at the least.
        min_distance: i64,
        /// Points of the connected area at the least.
        colony_min_points: i64,
        /// GS per added point.
        growth_cost: i64,
        /// GS for turning a coastal inland town into a harbour town (PYG-GAP-15).
        inland_to_harbour_cost: i64,
        /// At most so many times the base points more; 0 is no cap (PYG-GAP-16).
        growth_cap_factor: i64,
        /// Whether growth needs a positive balance (PYG-POP-04).
        growth_needs_balance: bool,
        /// The kinds that are towns: arming places, trade cities, beginnings of roads (PYG-GAP-10).
        towns: Vec<SettlementKind>,
        /// Stages per settlement and month; founding is one (PYG-GAP-13).
        stages_per_month: i64,
        /// Whether a capital at the water is a harbour (PYG-GAP-15).
        coastal_capital_is_harbour: bool,
        /// Inhabitants of a population point (PYG-POP-01).
        inhabitants_per_point: i64,
    }
    /// PYG-GAP-17.
    CapitalLoss {
        /// Percent of the treasury that the conqueror takes.
        treasury_share_pct: i64,
        /// Percentage points of unrest at the next income month.
        unrest_pct: i64,
        /// What the capital becomes in other hands.
        conquered_becomes: policy::Conquered,
        /// Whether recapture makes it the capital again.
        restored_on_recapture: bool,
    }
    /// T4.
    TradeCities {
        /// Fields at most, trade cities.
        limits: Vec<(i64, i64)>,
        /// What becomes of those beyond the limit (PYG-GAP-18).
        excess: policy::Excess,
    }
    /// T5.
    Hygiene {
        /// GS per town from which a line holds.
        per_town: Vec<i64>,
        /// Highest face of the D20 that means plague.
        plague_d20_max: Vec<i64>,
    }
    /// PYG-GAP-19, PYG-GAP-20.
    Plague {
        /// The kinds of settlement in which it can break out.
        liable: Vec<SettlementKind>,
        /// Whether it is rolled behind the arming, so that it blocks the next one.
        roll_after_arming: bool,
        /// What it halves on the fields around.
        halves: Vec<policy::Halved>,
        /// The consecutive plague from which a town may secede.
        secession_from_term: i64,
        /// Percent for it, and for every further one.
        secession_pct_per_extra_term: i64,
        /// Men in the town that prevent it.
        secession_blocked_by_garrison: i64,
        /// Warriors of the seceded town.
        seceded_garrison: i64,
        /// Whether capitals secede too.
        capital_secedes: bool,
    }
    /// Rules of works (PYG-GAP-21).
    Works {
        /// Steps to the nearest other work at the least.
        min_distance: i64,
        /// Whether a work and a settlement may stand on one field.
        on_settlement_field: bool,
        /// Which of several bonuses count.
        stacking: policy::Stacking,
        /// Whom they serve.
        beneficiary: policy::Beneficiary,
        /// What becomes of them on conquest.
        captured: policy::Captured,
    }
    /// Rules of all armies.
    Armies {
        /// Pay in percent of the arming cost.
        pay_pct: i64,
        /// Sight range.
        sight: u32,
        /// Control range.
        control: u32,
        /// Men that conquer foreign land.
        conquest_min: i64,
        /// Percent that an unpaid army loses.
        unpaid_loss_pct: i64,
        /// Whether a new army may move in the month in which it is raised (PYG-GAP-25).
        raised_army_moves_same_month: bool,
        /// Warriors from one ship.
        ship_to_warriors: i64,
        /// Whether stationing ends at the next arming month unless it is renewed (PYG-GAP-49).
        released_if_not_renewed: bool,
    }
    /// T9.
    Movement {
        /// Range outside the realm.
        outside: Column<Kind, i64>,
        /// Range in the own realm.
        inside: Column<Kind, i64>,
        /// Range on a road or sea lane.
        road: Column<Kind, i64>,
        /// Height levels in a month off roads.
        height_steps: i64,
        /// Steps inside in a mixed move of riders.
        rider_mixed_inside: i64,
        /// Steps outside in it.
        rider_mixed_outside: i64,
        /// Range of riders that enter mountains.
        rider_mountain_total: i64,
        /// Steps in a month that are safe from reefs.
        reef_safe_steps: i64,
        /// Ticks of a month (PYG-GAP-31).
        ticks: u8,
        /// Whether an army that fought ends its move.
        fought_army_stops: bool,
        /// Whether armies that make each other's acquaintance end their moves.
        contact_stops: bool,
        /// Crossing rivers without a bridge.
        unbridged_river: policy::Crossing,
        /// Steps from own land within which water is home water.
        home_water_distance: u32,
        /// Percent by D6.
        reef_loss_pct: Vec<i64>,
        /// Percent by D6.
        grounding_loss_pct: Vec<i64>,
        /// GS for registering a sea lane (PYG-GAP-23).
        lane_cost: i64,
        /// Range of traders at sea (PYG-TRDR-06).
        trader_sea: i64,
        /// Whether sea lanes may lead over reefs.
        lane_over_reefs: bool,
        /// Whether they must begin and end in harbours.
        lane_ends_are_harbours: bool,
    }
    /// PYG-GAP-33.
    Sight {
        /// Terrain known around own land.
        territory: u32,
        /// Sight of a settlement.
        settlement_sight: u32,
        /// Control of a settlement.
        settlement_control: u32,
        /// Sight of a work at the least.
        work_sight_min: u32,
        /// Whether sight shows strangers in the own realm, and not only control.
        in_own_realm_sight_shows_kind_and_size: bool,
        /// Whether a sighting names a realm that was met (PYG-GAP-34).
        owner_shown_if_met: bool,
        /// Whether what is embarked is seen too (PYG-GAP-34).
        cargo_visible: bool,
    }
    /// PYG-GAP-38.
    Withdraw {
        /// A moving army does not step so near to strangers.
        moving_distance: u32,
        /// A standing army leaves its field when strangers come so near; 0 is onto its own field.
        standing_distance: u32,
        /// A moving army does not enter foreign realms either.
        avoids_foreign_realm: bool,
    }
    /// T10, percent.
    Combat {
        /// Out of a fortified town.
        fortified_town: i64,
        /// Out of a town.
        town: i64,
        /// Out of a forest.
        from_forest: i64,
        /// Out of a desert.
        from_desert: i64,
        /// Last movement downhill.
        downhill: i64,
        /// Riders in lowland or highland.
        rider_open: i64,
        /// Riders in mountains.
        rider_mountains: i64,
        /// Winner's loss at parity (PYG-GAP-45).
        winner_loss_pct: i64,
        /// Loser's loss at parity (PYG-GAP-46).
        loser_loss_pct: i64,
        /// Loss of both when equal (PYG-GAP-44).
        tie_loss_pct: i64,
        /// How often the ratio of points is multiplied with itself for the winner's loss (PYG-GAP-45).
        winner_loss_exponent: u32,
        /// So many times the points destroy the loser (PYG-GAP-46).
        loser_destroyed_at_ratio: i64,
        /// How several percentages count together (PYG-GAP-42).
        percentages: policy::Percentages,
        /// How losses are rounded (PYG-GAP-45, PYG-GAP-46).
        rounding: policy::LossRounding,
        /// What armies aboard lose with their ships (PYG-GAP-47).
        cargo_loss: policy::CargoLoss,
    }
    /// T11.
    Administration {
        /// Mobile armies at most, GS.
        bands: Vec<(i64, i64)>,
    }
    /// PYG-ATTR.
    Attrition {
        /// Percent by D6 without equipment.
        bare_pct: Vec<i64>,
        /// Percent by D6 with equipment.
        equipped_pct: Column<Equipment, Vec<i64>>,
        /// GS per man.
        equipment_cost: Column<Equipment, i64>,
        /// Whether road steps cost losses too (PYG-GAP-51).
        on_roads: bool,
        /// How long equipment lasts (PYG-GAP-51).
        equipment_ends: policy::EquipmentEnds,
        /// Where it can be bought (PYG-GAP-51).
        equipment_bought: policy::EquipmentBought,
        /// Terrain on which a people loses nothing.
        immune: BTreeMap<People, Vec<Terrain>>,
    }
    /// Places, promotion and demand.
    Goods {
        /// Points of the three places.
        place_points: [i64; 3],
        /// GS per promoted point.
        promotion_cost: i64,
        /// Promoted goods per soil.
        promotion_goods_max: i64,
        /// Promoted points per soil.
        promotion_points_max: i64,
        /// How long they count (PYG-GAP-56).
        promotion_lasts: policy::Promoted,
        /// Whether luxury goods of a field take its third place (PYG-GAP-53).
        luxury_uses_place: bool,
        /// Missing points of main goods that a luxury point stands in for (PYG-LUX-02).
        luxury_offset_per_point: i64,
        /// Who works waters (PYG-GAP-52).
        water_worked_by: policy::Waters,
        /// Whether stock that was not used stays beside that of the next income month (PYG-GAP-57).
        stock_carry_over: bool,
        /// Inhabitants of a step above the table (PYG-GAP-57).
        above_step_inhabitants: i64,
        /// Points of each good more per step.
        above_add_per_good: i64,
        /// From so many inhabitants luxury offsets nothing.
        luxury_from_inhabitants: i64,
        /// Percent of a threshold from which the report warns (PYG-GAP-59).
        luxury_warning_pct: i64,
        /// Whether land may be given up.
        may_give_up_land: bool,
    }
    /// A line of T13.
    Demand {
        /// Up to so many inhabitants.
        max_inhabitants: i64,
        /// Points of the ten goods.
        demand: [i64; Good::MAIN],
    }
    /// A line of T14.
    LuxuryDemand {
        /// From so many inhabitants.
        from_inhabitants: i64,
        /// Points of distinct luxury goods, falling.
        need: Vec<i64>,
    }
    /// PYG-GAP-58.
    Unrest {
        /// Percent by number of goods that are a little short.
        mild_goods_pct: Vec<i64>,
        /// Points from which a shortage is serious.
        serious_from: i64,
        /// Percent per good.
        serious_good_pct: i64,
        /// Points from which it is severe.
        severe_from: i64,
        /// Percent per good.
        severe_good_pct: i64,
        /// Percent at most.
        max_pct: i64,
        /// Fields that revolt.
        fields_base: i64,
        /// One more per so many missing points.
        deficit_per_field: i64,
        /// Warriors of the rebels.
        rebels_base: i64,
        /// More per population point.
        rebels_per_point: i64,
        /// At most.
        rebels_max: i64,
    }
    /// T15.
    Traders {
        /// Stored points per trader.
        stock_per_trader: i64,
        /// At least.
        min: i64,
        /// At most.
        max: i64,
        /// Points that one carries.
        capacity: i64,
        /// GS for raising one (PYG-TRDR-05).
        cost: i64,
        /// Whether an attacking army takes a foreign trader's goods (PYG-GAP-60).
        captured: bool,
    }
    /// T16.
    Trade {
        /// How many goods are needed goods.
        needed_goods: i64,
        /// Goods that are never among them (PYG-TRADE-03).
        never_needed: Vec<Good>,
        /// When it is decided which they are (PYG-GAP-61).
        needed_fixed_at: policy::NeededAt,
        /// GS per point of them.
        gold_per_needed_point: i64,
        /// GS for other points.
        gold_per_others: i64,
        /// How many of them.
        other_points_per_gold: i64,
        /// GS of one town at most.
        extra_max_per_town: i64,
        /// The part that counts again.
        carry_over_divisor: i64,
        /// Whether it is paid now too.
        third: policy::Third,
    }
    /// T2.
    Calendar {
        /// Names of the months.
        months: Vec<String>,
        /// Their numbers.
        income_months: Vec<u32>,
        /// Their numbers.
        arming_months: Vec<u32>,
        /// Expenses that are possible in every month, not only in arming months (PYG-GAP-08).
        any_month: Vec<Verb>,
        /// First year.
        start_year: u32,
        /// First month.
        start_month: u32,
    }
    /// PYG-GAP-09.
    Money {
        /// The parts of an arming month, in the order in which they are carried out and paid.
        payment_order: Vec<policy::Expense>,
    }
    /// PYG-GAP-62.
    Creatures {
        /// Steps from start areas within which none are placed.
        exclusion_distance_from_start: u32,
        /// Percent that a horde moves in a month.
        horde_move_pct: i64,
        /// Steps within which it smells realms.
        horde_hunt_range: u32,
        /// Lowest face of the D6 on which roaming creatures move.
        roam_d6_min: i64,
        /// Neutral settlements per 100 land KF.
        settlements_per_100: i64,
        /// Their kind by D6.
        settlement_kinds: Vec<SettlementKind>,
        /// Percent of them that have a garrison.
        garrison_pct: i64,
        /// What a horde plunders.
        plunder: policy::Plunder,
    }
    /// PYG-GAP-63.
    Disasters {
        /// Percent per realm and month.
        pct_per_realm_and_month: i64,
        /// By D6.
        table: Vec<Disaster>,
        /// Percent of a fleet.
        storm_loss_pct: i64,
        /// Points of grain that a bad harvest costs.
        bad_harvest_grain: i64,
        /// Points of fruit.
        bad_harvest_fruit: i64,
    }
    /// PYG-GAP-65.
    Start {
        /// Fields of the start area by terrain.
        fields: BTreeMap<Terrain, i64>,
        /// What the capital stands on: one of them.
        capital_on: Terrain,
        /// Whether the capital is a trade city from the beginning.
        capital_is_trade_city: bool,
        /// The peoples that a realm may be of (PYG-GAP-64).
        peoples: Vec<People>,
        /// GS.
        gold: i64,
        /// Warrior armies.
        warriors: Vec<i64>,
        /// Rider armies.
        riders: Vec<i64>,
        /// Fleets if the capital is coastal.
        ships_if_coastal: Vec<i64>,
        /// Steps between capitals at the least.
        min_distance_between_capitals: u32,
    }
    /// PYG-GAP-66.
    Ranking {
        /// Whether all are told.
        published: bool,
        /// In which month.
        month: u32,
        /// Score per population point.
        per_population_point: i64,
        /// Score per own field.
        per_field: i64,
        /// Score per town.
        per_town: i64,
        /// GS for a point of score.
        gold_per_point: i64,
    }
    /// PYG-GAP-68.
    Absence {
        /// The order of all units of a player who sent no sheet.
        order: Stance,
        /// Whether his armies are paid.
        pays: bool,
        /// What is spent on his towns.
        hygiene: policy::AbsentHygiene,
        /// GS per town if hygiene was never ordered.
        hygiene_if_never: i64,
        /// Missed months after which the player is warned.
        warn_after: u32,
        /// Missed months after which the game master is asked.
        ask_after: u32,
    }
    /// PYG-GAP-40, PYG-GAP-69.
    Letters {
        /// Characters of another order.
        free_text_chars: usize,
        /// Other orders of one sheet: a person reads each of them.
        free_texts_per_sheet: usize,
        /// Messages of one sheet, and gifts likewise: somebody gets them all.
        messages_per_sheet: usize,
        /// Characters of a message.
        message_chars: usize,
        /// When gold may be given.
        gifts: policy::Gifts,
    }
    /// PYG-GAP-01, PYG-GAP-02.
    MapShape {
        /// How great fields are divided.
        layout: Layout,
        /// Columns of a rectangular great field.
        columns: u32,
        /// Fields of a column.
        column_length: u32,
        /// Great fields in a row.
        great_fields_per_row: u32,
        /// Rows of great fields.
        great_field_rows: u32,
        /// Which columns of rectangular great fields lie half a field lower, counted from 0 (PYG-GAP-02).
        shifted_columns: Shifted,
        /// Whether the world goes on in the west where it ends in the east (PYG-GAP-02).
        wrap: bool,
    }
}

/// How strong creatures are: plus + (sum of dice D6) x factor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CreatureStrength {
    /// What is certain.
    pub plus: i64,
    /// How many D6.
    pub dice: u32,
    /// What each face is worth.
    pub factor: i64,
}

/// A settlement's line in T3.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettlementFigures {
    /// GS per term.
    pub tax: i64,
    /// Population points.
    pub population: i64,
    /// GS of this stage.
    pub cost: i64,
    /// GS for its fortification; none where it cannot be fortified.
    #[serde(default)]
    pub fortify_cost: Option<i64>,
    /// GS of armies that can be raised in one arming month; none where none can.
    #[serde(default)]
    pub arming_limit: Option<i64>,
    /// Warriors of a neutral one that has a garrison (PYG-GAP-62).
    pub garrison: i64,
}

/// A work's line in T6.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkFigures {
    /// GS.
    pub cost: i64,
    /// Percent on its field and for attacks from it.
    pub field_pct: i64,
    /// Percent within its area.
    pub area_pct: i64,
    /// Steps of the area.
    pub area: u32,
    /// Control range.
    pub control: u32,
}

/// An army's line in T8.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmyFigures {
    /// Heads at least.
    pub min: i64,
    /// Heads at most.
    pub max: i64,
    /// GS per head.
    pub arming_cost: i64,
    /// Heads of a point.
    pub per_point: i64,
    /// Heads that one ship carries.
    pub per_ship: i64,
}

/// A creature's line.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CreatureFigures {
    /// Its order.
    pub attitude: Stance,
    /// What it does.
    pub behaviour: Behaviour,
    /// How strong it is.
    pub strength: CreatureStrength,
    /// Where it lives; anywhere on land if nothing is said.
    #[serde(default)]
    pub habitat: Vec<Terrain>,
    /// How many per 100 suitable KF.
    #[serde(default)]
    pub per_100: i64,
    /// How many in a world.
    #[serde(default)]
    pub per_world: i64,
}

impl Default for CreatureFigures {
    /// Somebody who does nothing and is nowhere.
    fn default() -> Self {
        Self {
            attitude: Stance::Nothing,
            behaviour: Behaviour::Stay,
            strength: CreatureStrength::default(),
            habitat: Vec::new(),
            per_100: 0,
            per_world: 0,
        }
    }
}
