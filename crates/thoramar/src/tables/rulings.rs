//! The rulings of `data/thoramar/world.toml` (W01): one struct per section, each figure with its limits.

use super::check::{Figure, Findings, Limits};
use super::column::{Column, Span};
use super::policy::{
    Charset, CombatPause, Digits, DuplicateOrder, MeetingStop, MissingDigits, MissingFlag, MoveOrder, Newline,
    OrphanAction, OversizedSpy, SecondTempleCity, TreatyStart,
};
use crate::codes::{Arm, Building, Climate, Command, Condition, Flag, Kind, RealmKind, Season, Terrain};
use kernel::house::Problem;
use kernel::ratio::{Ratio, Rounding};
use serde::Deserialize;

/// More GS than any treasury will hold.
pub(super) const MONEY_MAX: i64 = 1_000_000_000;
/// More heads than any army will have.
pub(super) const HEADS_MAX: i64 = 1_000_000;
/// More fields than any way across a world.
const DISTANCE_MAX: i64 = 10_000;

/// Declares a section: a struct whose keys are all obligatory, and its check. Behind a figure stand the least and the
/// greatest value it may take.
macro_rules! section {
    ($(#[$meta:meta])* $name:ident { $($(#[$about:meta])* $field:ident: $type:ty $([$min:expr, $max:expr])?,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[$about])* pub $field: $type,)+
        }

        impl Figure for $name {
            fn check(&self, path: &str, _: Option<Limits>, problems: &mut Findings) {
                $(
                    let limits = limits!($($min, $max)?);
                    self.$field.check(&format!("{path}.{}", stringify!($field)), limits, problems);
                )+
            }
        }
    };
}

macro_rules! limits {
    () => {
        None
    };
    ($min:expr, $max:expr) => {
        Some(($min, $max))
    };
}

section! {
    /// Size and shape of the world (GAP-01).
    World {
        /// Fields in a row.
        columns: u32 [12, 2_000],
        /// Rows from pole to pole.
        rows: u32 [10, 2_000],
        /// Whether going east leads back from the west.
        wrap_east_west: bool,
        /// Rows of unknown terrain at each pole.
        unknown_rows_each_pole: u32 [1, 4],
        /// Percent of the way from the equator to a pole at which the tropics end.
        tropic_max_lat_pct: i64 [0, 100],
        /// Percent of the way from the equator to a pole at which the polar zone begins.
        temperate_max_lat_pct: i64 [0, 100],
        /// Least distance between two capitals at the start.
        capital_min_distance: i64 [1, DISTANCE_MAX],
        /// The terrain a capital stands on at the start.
        capital_terrain: Terrain,
        /// The number the world is made from.
        seed: i64 [0, i64::MAX],
    }
}

section! {
    /// Turns, seasons and years (GAP-02).
    Calendar {
        /// Weeks in a turn.
        weeks: i64 [13, 13],
        /// Turns in a year: one for each season.
        turns_per_year: i64 [4, 4],
        /// The year of turn 0.
        turn0_year: i64 [0, 100_000],
        /// The season of turn 0.
        turn0_season: Season,
        /// The first turn with orders.
        first_order_turn: i64 [1, 1],
    }
}

section! {
    /// What a realm starts with (THO-START-01).
    Start {
        /// GS in the treasury.
        treasury: i64 [0, MONEY_MAX],
        /// The name of a capital until its ruler gives it another.
        capital_name: SiteName,
        /// Armies on the capital's field.
        armies: Vec<StartArmy>,
    }
}

section! {
    /// An army a realm starts with.
    StartArmy {
        /// Its type and class.
        kind: Kind,
        /// Its count.
        count: i64 [1, HEADS_MAX],
    }
}

section! {
    /// How divisions round (GAP-03).
    Roundings {
        /// Heads lost.
        losses: Rounding,
        /// GS earned.
        money: Rounding,
        /// Magic points paid.
        magic_cost: Rounding,
        /// GS paid for a shot.
        shot_cost: Rounding,
    }
}

section! {
    /// How order files are read (GAP-04, GAP-33).
    Orders {
        /// Directions in an army order.
        max_direction_digits: i64 [1, 13],
        /// Whether zeros beyond the last direction do no harm.
        extra_trailing_zeros_tolerated: bool,
        /// What a direction string that is too short means.
        missing_digits: MissingDigits,
        /// The command of an army without an order.
        missing_order_command: Command,
        /// The flag of an army without an order.
        missing_order_flag: MissingFlag,
        /// The flag of a new army without an order.
        new_army_flag: Flag,
        /// Which of two order lines for one army stands.
        duplicate_order: DuplicateOrder,
        /// The greatest number of an army.
        max_army_id: i64 [1, 9_999],
        /// Characters in the name of a building.
        max_name_length: i64 [1, 100],
        /// Characters in the name of a realm.
        max_realm_name_length: i64 [1, 100],
        /// Whether a section header ends a message.
        section_header_ends_message: bool,
        /// Lines in a message.
        max_message_lines: i64 [1, 1_000],
        /// Lines in a culture text.
        max_culture_lines: i64 [1, 1_000],
        /// Characters in a line of orders.
        max_line_length: i64 [80, 10_000],
    }
}

section! {
    /// Building (GAP-05, GAP-06, GAP-07).
    Build {
        /// How the digits of a road are read.
        road_digits: Digits,
        /// How the digits of a bridge are read.
        bridge_digits: Digits,
        /// How the digits of a wall are read.
        wall_digits: Digits,
        /// Digits in a build order.
        max_path_digits: i64 [6, 200],
        /// Whether the turn of the order is the first of construction.
        first_turn_counts: bool,
        /// What is left of capacity, income and defence in a damaged building.
        damage_factor: Column<Condition, Ratio> [0, 1],
        /// Whether a building earns while it is upgraded or rebuilt.
        income_while_building: bool,
        /// Whether a construction goes on for the conqueror.
        conquered_site_continues: bool,
        /// Whether the owner may remove a ruin with Z.
        owner_may_clear_ruin: bool,
    }
}

section! {
    /// Arming (GAP-08, GAP-10, GAP-25, GAP-41).
    Arming {
        /// Whether the minimum of a new army also holds for topping up.
        min_applies_to_top_up: bool,
        /// Whether topping up costs the fixed price again.
        fixed_price_on_top_up: bool,
        /// Whether a new army moves in the turn it is armed.
        moves_same_turn: bool,
        /// The season at whose end capacities are refilled.
        capacity_reset_season: Season,
        /// Whether used capacity stays used when a building changes hands or kind.
        used_capacity_follows_building: bool,
        /// What `+` adds to the unit price, in percent.
        terrain_fit_surcharge_pct: i64 [0, 1_000],
        /// The greatest height of a field whose building launches fleets.
        fleet_site_max_height: i64 [1, 3],
    }
}

section! {
    /// Income and upkeep (GAP-09, GAP-11).
    Economy {
        /// The season at whose end land and buildings pay.
        income_season: Season,
        /// The season at whose end upkeep is due.
        upkeep_season: Season,
        /// Whether upkeep is due every turn.
        upkeep_every_turn: bool,
        /// Percent of the troops that desert if no upkeep is paid at all.
        desertion_pct_at_full_default: i64 [0, 100],
        /// Unrest that unpaid upkeep adds to every field.
        unrest_on_default: i64 [0, 100],
        /// Whether the treasury may fall below 0.
        debts_allowed: bool,
        /// Percent of the treasury that falls to the conqueror of a capital.
        capital_loot_pct: i64 [0, 100],
    }
}

section! {
    /// What a step costs beside the terrain (THO-MOVE-02 to THO-MOVE-07).
    MoveSurcharge {
        /// A step along a road, instead of the terrain's cost.
        road_base: i64 [1, 100],
        /// A river without a bridge.
        river_without_bridge: i64 [0, 100],
        /// A foreign wall on the target's side.
        foreign_wall: i64 [0, 100],
        /// A difference in height.
        height_difference: i64 [0, 100],
        /// Riders in mountains, jungle or swamp.
        rider_mountain_jungle_swamp: i64 [0, 100],
        /// Standing on the land of a foreign realm.
        foreign_realm: i64 [0, 100],
        /// The greatest difference in height of a step.
        max_height_difference: i64 [0, 3],
    }
}

section! {
    /// Movement (GAP-13, GAP-41).
    Movement {
        /// Whether a partner's land costs the surcharge for foreign land.
        partner_land_is_foreign: bool,
        /// Whether land under a non-aggression pact costs the surcharge for foreign land.
        nap_land_is_foreign: bool,
        /// Whether a road spares riders their surcharge.
        road_removes_rider_surcharge: bool,
        /// In which order armies move within a week.
        order: MoveOrder,
        /// For how long fighting takes an army's movement.
        combat_movement_loss: CombatPause,
        /// For how long meeting strangers stops an army.
        meeting_stop: MeetingStop,
        /// Whether landing takes all movement points.
        landing_sets_mp_zero: bool,
        /// The greatest height of a field on which armies land or from which they embark.
        landing_max_height: i64 [1, 3],
        /// Steps without a road that medium engines make in a turn.
        engine_medium_max_offroad_steps: i64 [0, 26],
    }
}

section! {
    /// Sighting (GAP-14).
    Sight {
        /// How far armies see, in fields.
        range: i64 [0, 1],
        /// How an army with `-` that cannot stay unseen appears.
        oversized_spy: OversizedSpy,
        /// Whether an unseen army is neither stopped nor fought.
        unseen_avoids_contact: bool,
        /// Whether an army without flag shows its number.
        show_id_of_unflagged: bool,
        /// Whether the list of sightings on own land shows unseen armies.
        own_territory_lists_unseen: bool,
        /// Whether the report repeats sightings that did not change from one week to the next.
        repeat_every_week: bool,
    }
}

section! {
    /// Conquest (GAP-15).
    Conquest {
        /// Whole turns an army must hold a foreign realm's field.
        foreign_hold_turns: i64 [0, 10],
        /// Whether a strange army on the field prevents its conquest.
        blocked_by_foreign_army: bool,
        /// What becomes of a second temple city.
        second_temple_city: SecondTempleCity,
        /// What a captured capital becomes.
        captured_capital: Building,
    }
}

section! {
    /// Melee (GAP-16).
    Combat {
        /// Percent an army loses in a week against equal strength.
        base_loss_pct: i64 [0, 100],
        /// Percent by which luck lifts or lowers a side; 0: no dice.
        luck_spread_pct: i64 [0, 99],
        /// Greatest loss of an army in a week, in percent.
        max_loss_pct: i64 [0, 100],
        /// Value per head in hundredths of one light warrior.
        value: Column<Kind, i64> [0, 1_000_000],
        /// Bonuses, which add up.
        bonus_pct: CombatBonus,
        /// Fighting demons.
        demon: DemonCombat,
    }
}

section! {
    /// Combat bonuses in percent (GAP-17).
    CombatBonus {
        /// A mixed group.
        mixed_group: i64 [0, 1_000],
        /// A war priest as member of the group.
        war_priest_in_group: i64 [0, 1_000],
        /// A war priest of the realm on the field.
        war_priest_in_field: i64 [0, 1_000],
        /// Divine points a war priest needs for it.
        war_priest_min_points: i64 [1, HEADS_MAX],
        /// Divine points he pays for a week of battle.
        war_priest_cost_per_battle_week: i64 [0, HEADS_MAX],
        /// Foot troops behind a wall that was crossed this week.
        wall_defender_foot: i64 [0, 1_000],
        /// Percent that an army crossing a manned wall loses.
        wall_crossing_loss_pct: i64 [0, 100],
        /// Defenders in a building.
        building: Column<Building, i64> [0, 1_000],
    }
}

section! {
    /// What other troops bring to bear against demons, in percent of their strength (GAP-17).
    DemonCombat {
        /// Normal demons, no priest on the field.
        vs_dn_without_priest: i64 [0, 1_000],
        /// Normal demons, a priest on the field.
        vs_dn_with_priest: i64 [0, 1_000],
        /// Archdemons, no priest on the field.
        vs_de_without_priest: i64 [0, 1_000],
        /// Archdemons, a priest on the field.
        vs_de_with_priest: i64 [0, 1_000],
        /// Normal demons that an archdemon calls, per point of its strength.
        de_helpers_per_strength: i64 [0, 1_000],
    }
}

section! {
    /// Shots (GAP-18).
    Missile {
        /// How far engines shoot, in fields.
        range: i64 [0, 4],
        /// Shots of an army in a turn, one a week.
        shots_per_turn: i64 [0, 13],
        /// Percent of its melee strength that a shot kills.
        effect_pct: i64 [0, 1_000],
        /// Price of a shot in half GS per man.
        cost_per_head_half_gs: Column<Kind, i64> [0, 10_000],
        /// Men an army needs to shoot.
        min_heads: i64 [1, HEADS_MAX],
    }
}

section! {
    /// Plundering (GAP-21).
    Plunder {
        /// Points of yield that a plundering takes.
        yield_points_per_plunder: i64 [1, 100],
        /// Movement points that a plundering costs.
        mp_per_plunder: i64 [0, 100],
        /// Whether own land and land under a treaty may be plundered.
        own_or_treaty_land: bool,
        /// Percent of the amount that land of realm 0 brings.
        realm0_pct: i64 [0, 100],
    }
}

section! {
    /// Unrest and revolts (GAP-22).
    Unrest {
        /// Unrest of a field conquered from realm 0.
        conquered_from_realm0: i64 [0, 100],
        /// Unrest of a field conquered from a realm.
        conquered_from_realm: i64 [0, 100],
        /// What a plundering adds.
        per_plunder: i64 [0, 100],
        /// What the loss of the capital adds to every field.
        capital_lost: i64 [0, 100],
        /// Change per turn near the capital.
        drift_near: i64 [-100, 100],
        /// Where near ends.
        near_distance: i64 [0, DISTANCE_MAX],
        /// Change per turn in the middle distance.
        drift_middle: i64 [-100, 100],
        /// Where the middle distance ends.
        middle_distance: i64 [0, DISTANCE_MAX],
        /// Change per turn far from the capital.
        drift_far: i64 [-100, 100],
        /// Change per turn without a capital.
        drift_no_capital: i64 [-100, 100],
        /// What a blessing adds.
        blessing: i64 [-100, 0],
        /// What a trade adds at its place.
        trade_site: i64 [-100, 0],
        /// What a trade adds on own fields around its place.
        trade_near: i64 [-100, 0],
        /// How far around.
        trade_near_distance: i64 [0, 100],
        /// Unrest up to which no field revolts.
        threshold: i64 [0, 100],
        /// Chance of a revolt in percent for two points above the threshold.
        pct_per_two_points: i64 [0, 100],
        /// Heads of the owner on the field that halve the chance.
        garrison_halves_from: Column<Kind, i64> [0, HEADS_MAX],
        /// Heads of the owner on the field that prevent a revolt.
        garrison_prevents_from: Column<Kind, i64> [0, HEADS_MAX],
        /// Rebels per point of unrest.
        rebels_per_point: i64 [0, 10_000],
        /// Rebels at least.
        rebels_min: i64 [0, HEADS_MAX],
    }
}

section! {
    /// Trade and booty (GAP-23).
    Trade {
        /// GS that a caravan earns per man and field of distance.
        caravan_gs_per_man_and_field: i64 [0, 10_000],
        /// Fields beyond which distance earns a caravan no more.
        caravan_distance_cap: i64 [0, DISTANCE_MAX],
        /// GS that a fleet earns per ship and field of distance.
        fleet_gs_per_ship_and_field: i64 [0, 10_000],
        /// Fields beyond which distance earns a fleet no more.
        fleet_distance_cap: i64 [0, DISTANCE_MAX],
        /// Percent of it that the owner of the target gets besides.
        target_owner_share_pct: i64 [0, 1_000],
        /// Whether he gets it as well if the trader is his own.
        owner_share_when_own_target: bool,
        /// Percent by which a caravan shrinks at its target.
        caravan_shrink_pct: i64 [0, 100],
        /// Percent by which a fleet shrinks at its target.
        fleet_shrink_pct: i64 [0, 100],
        /// Least distance of a trade.
        min_distance: i64 [0, DISTANCE_MAX],
        /// Percent of the price of killed traders that the attackers get.
        booty_pct_of_price: i64 [0, 1_000],
        /// Caravans of a realm at most.
        max_caravans: Column<RealmKind, i64> [0, 999],
        /// Trade fleets of a realm at most.
        max_fleets: Column<RealmKind, i64> [0, 999],
        /// Men in a caravan at most.
        max_caravan_size: i64 [1, HEADS_MAX],
        /// Ships in a trade fleet at most.
        max_fleet_size: i64 [1, HEADS_MAX],
    }
}

section! {
    /// Losses on the way, in percent, rolled per army and step (GAP-24).
    Loss {
        /// Leaving loss terrain.
        terrain: Span [0, 100],
        /// Leaving ice.
        ice: Span [0, 100],
        /// Crossing a river without a bridge.
        river: Span [0, 100],
        /// Types that never lose here.
        exempt_types: Vec<Arm>,
    }
}

section! {
    /// Mines, in GS (GAP-20).
    Mine {
        /// One mine for so many land fields.
        per_land_fields: i64 [1, HEADS_MAX],
        /// What a mine holds at the start.
        reserve: Span [0, MONEY_MAX],
        /// What it pays each autumn.
        yearly: Span [0, MONEY_MAX],
        /// Chance of a new vein in percent.
        dig_success_pct: i64 [0, 100],
        /// What a new vein holds.
        new_reserve: Span [0, MONEY_MAX],
        /// The amounts are multiples of this.
        step: i64 [1, MONEY_MAX],
    }
}

section! {
    /// World gates (GAP-31).
    Gate {
        /// Gates for each realm.
        count_per_realm: i64 [0, 100],
        /// Gates at least.
        min_count: i64 [0, 1_000],
        /// The smallest code.
        code_min: i64 [1, 999_999],
        /// The greatest code.
        code_max: i64 [1, 999_999],
        /// The state of gates at the start.
        initial_state: Condition,
        /// The states in which a gate works.
        receives_in_states: Vec<Condition>,
        /// Least distance of a gate from a capital.
        min_distance_to_capital: i64 [0, DISTANCE_MAX],
        /// Whether others than the owner may use a gate.
        anyone_may_use: bool,
    }
}

section! {
    /// Blessings, wizards and demons, in points and fields (GAP-27, GAP-36, GAP-37).
    Magic {
        /// Magic points a wizard uses up each turn.
        training_cost: i64 [0, HEADS_MAX],
        /// How far wizards reach.
        range: i64 [0, DISTANCE_MAX],
        /// How far home priests bless.
        bless_range: i64 [0, DISTANCE_MAX],
        /// Divine points of a blessing.
        bless_cost: i64 [0, HEADS_MAX],
        /// Turns a blessing lasts, its own included.
        bless_turns: i64 [1, 100],
        /// Percent an archdemon loses on a blessed field.
        bless_archdemon_loss_pct: i64 [0, 100],
        /// Summoning one normal demon.
        dn_summon: i64 [1, HEADS_MAX],
        /// Summoning one strength point of an archdemon.
        de_summon: i64 [1, HEADS_MAX],
        /// Controlling a host of normal demons for a turn.
        dn_control_per_unit: i64 [0, HEADS_MAX],
        /// Controlling an archdemon for a turn.
        de_control_per_unit: i64 [0, HEADS_MAX],
        /// How far demons may stand from their wizard.
        control_distance: i64 [0, DISTANCE_MAX],
        /// Normal demons that leave a host each turn.
        dn_decay: i64 [0, HEADS_MAX],
        /// Strength that leaves an archdemon each turn.
        de_decay: i64 [0, HEADS_MAX],
        /// Strength from which an archdemon may break free.
        breakfree_from: i64 [1, HEADS_MAX],
        /// Chance of it in percent, for each point from there on.
        breakfree_pct_per_point: i64 [0, 100],
        /// Greatest chance of it in percent.
        breakfree_max_pct: i64 [0, 100],
        /// Price of an army divided by this is its price in magic points.
        price_divisor: i64 [1, MONEY_MAX],
    }
}

section! {
    /// Monsters and free demons (GAP-28).
    Monsters {
        /// Percent of the fields with a pack at the start.
        initial_density_pct: i64 [0, 100],
        /// Chance in per mille of a new pack on a free field each spring.
        spawn_per_mille_each_spring: i64 [0, 1_000],
        /// Percent by which packs grow each spring.
        growth_pct_each_spring: i64 [0, 1_000],
        /// Whether new packs appear only on land of realm 0.
        spawn_only_on_realm0_land: bool,
        /// Packs grow up to so many times the greatest size of a new one.
        cap_factor: i64 [1, 1_000],
        /// Chance in percent that a pack moves in a turn.
        move_pct_per_turn: i64 [0, 100],
        /// Fields around a capital without monsters at the start.
        safe_distance_capital: i64 [0, DISTANCE_MAX],
        /// How far a free archdemon scents armies.
        archdemon_hunting_distance: i64 [0, 100],
        /// Luck in the price of taming, in percent.
        tame_random_pct: Span [0, 1_000],
        /// Each kind.
        kind: Column<Kind, Option<Pack>>,
    }
}

section! {
    /// One kind of monster (THO-MON-01, THO-MON-02, GAP-28).
    Pack {
        /// Heads of a new pack.
        size: Span [1, HEADS_MAX],
        /// Price of taming in hundredths of a magic point per head.
        tame_cost: i64 [0, HEADS_MAX],
        /// What wild packs do when they meet armies.
        command: Command,
        /// The heights of the fields they live on.
        heights: Vec<i64> [0, 3],
        /// The climates they live in.
        climates: Vec<Climate>,
    }
}

section! {
    /// Treaties (GAP-29).
    Treaties {
        /// When an agreed treaty comes into force.
        effective: TreatyStart,
    }
}

section! {
    /// Absent players (GAP-30).
    Absence {
        /// The command of all armies of a realm without orders.
        command: Command,
        /// Missing turns in a row after which the game master is warned.
        warn_gm_after: i64 [1, 1_000],
        /// Missing turns in a row after which the realm counts as orphaned.
        orphan_after: i64 [1, 1_000],
        /// What happens then.
        orphan_action: OrphanAction,
    }
}

section! {
    /// The generator of peoples (GAP-32).
    Culture {
        /// Shifts of points from one kind to another.
        rounds: i64 [0, 100],
        /// Sizes of a shift.
        steps: Vec<i64> [1, 100],
        /// Least percentage of a kind.
        min_pct: i64 [1, 100],
        /// Greatest percentage of a kind.
        max_pct: i64 [100, 1_000],
        /// What nomads and pirates gain and lose in their own kinds.
        kind_shift: i64 [0, 100],
        /// Chance in percent that one kind cannot be armed at all.
        zero_chance_pct: i64 [0, 100],
        /// Greatest percentage of a kind that may fall to 0.
        zero_from_pct: i64 [0, 1_000],
        /// Size of the shares in which its points go to other kinds.
        zero_step: i64 [1, 100],
        /// Terrain families a people is spared.
        spared_families: i64 [0, 6],
    }
}

section! {
    /// Ranking (GAP-42).
    Ranking {
        /// Whether players see it.
        published: bool,
        /// The season at whose end it is counted.
        season: Season,
        /// What counts.
        score: Score,
    }
}

section! {
    /// The points of the ranking.
    Score {
        /// Points for a field.
        field: i64 [0, 1_000],
        /// GS of building prices for a point.
        building_cost_per_point: i64 [1, MONEY_MAX],
        /// GS in the treasury for a point.
        gs_per_point: i64 [1, MONEY_MAX],
    }
}

section! {
    /// The player's account (THO-ORG-02).
    Account {
        /// The currency as the report prints it.
        currency: Currency,
        /// What a turn costs; 0: nothing, and the report is silent about it.
        fee_per_turn: i64 [0, 1_000_000],
    }
}

/// The name of a building.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct SiteName(String);

impl SiteName {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Figure for SiteName {
    fn check(&self, path: &str, _: Option<Limits>, problems: &mut Findings) {
        problems.note_text(path);
        if !(1..=20).contains(&self.0.chars().count()) || self.0.chars().any(char::is_control) {
            let expected = "a-name-of-1-to-20-characters";
            problems.push(Problem::Contradiction {
                path: path.to_owned(),
                expected,
            });
        }
    }
}

/// A short name of a currency, for example `DM`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Currency(String);

impl Currency {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Figure for Currency {
    fn check(&self, path: &str, _: Option<Limits>, problems: &mut Findings) {
        problems.note_text(path);
        if !(1..=8).contains(&self.0.chars().count()) || self.0.chars().any(char::is_control) {
            let expected = "a-name-of-1-to-8-characters";
            problems.push(Problem::Contradiction {
                path: path.to_owned(),
                expected,
            });
        }
    }
}

section! {
    /// Encodings and line ends of files (GAP-34).
    Files {
        /// Encoding for a PC.
        pc_charset: Charset,
        /// Encoding for an Amiga.
        amiga_charset: Charset,
        /// Encoding for who has not said.
        default_charset: Charset,
        /// Line ends for a PC.
        pc_newline: Newline,
        /// Line ends for an Amiga.
        amiga_newline: Newline,
    }
}
