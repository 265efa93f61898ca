//! The figures of the rules in one world: the tables of the book and the rulings on its gaps, with a world's differences.
//!
//! A world stores only what it changes; [`Tables::with_overrides`] lays it over the book. Rules ask [`Tables::of`] for the
//! figures of the realm whose army or building they look at, since realms may differ too (THO-ADM-01, GAP-40).

mod check;
mod column;
mod overlay;
pub mod policy;
pub mod rulings;
mod spelling;
#[cfg(test)]
mod tests;

pub use column::{Column, Span, Work};

use crate::codes::{Building, Colour, Condition, Family, Kind, Network, Season, Terrain};
pub(crate) use check::Allowed;
use check::{Figure, Findings, Limits};
use kernel::house::{Last, Misfits, Problem};
use kernel::ratio::Rounding;
use kernel::realm::RealmId;
pub(crate) use overlay::book_tree;
use rulings::{HEADS_MAX, MONEY_MAX};
use serde::Deserialize;
use std::collections::BTreeMap;

/// All figures of a world, or of one realm in it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    t01_movement: Column<Kind, i64>,
    t02_space_per_head: Column<Kind, i64>,
    t02_space_flat: Column<Kind, i64>,
    t02_capacity_per_ship: Column<Kind, i64>,
    t03: Column<Kind, Strengths>,
    t04_price_per_head: Column<Kind, i64>,
    t04_price_fixed: Column<Kind, i64>,
    t04_upkeep_per_head: Column<Kind, i64>,
    t04_upkeep_per_army: Column<Kind, i64>,
    t04_places: Column<Kind, Vec<Building>>,
    t04_top_up_places: Column<Kind, Vec<Building>>,
    t05: Column<Building, BuildingFigures>,
    t05_network: Column<Network, i64>,
    t06_new: Column<Building, Option<Work>>,
    t06_upgrade: Column<Building, Column<Building, Option<Work>>>,
    t06_repair_light: Column<Building, Option<Work>>,
    t06_repair_heavy: Column<Building, Option<Work>>,
    t06_rebuild_ruin: Column<Building, Option<Work>>,
    t07: Column<Terrain, TerrainFigures>,
    t07_family: Column<Family, Vec<Terrain>>,
    /// Size and shape of the world.
    pub world: rulings::World,
    /// Turns, seasons and years.
    pub calendar: rulings::Calendar,
    /// What a realm starts with.
    pub start: rulings::Start,
    /// How divisions round.
    pub rounding: rulings::Roundings,
    /// How order files are read.
    pub orders: rulings::Orders,
    /// Building.
    pub build: rulings::Build,
    /// Arming.
    pub arming: rulings::Arming,
    /// Income and upkeep.
    pub economy: rulings::Economy,
    /// What a step costs beside the terrain.
    pub move_surcharge: rulings::MoveSurcharge,
    /// Movement.
    pub movement: rulings::Movement,
    /// Sighting.
    pub sight: rulings::Sight,
    /// Conquest.
    pub conquest: rulings::Conquest,
    /// Melee.
    pub combat: rulings::Combat,
    /// Shots.
    pub missile: rulings::Missile,
    /// Plundering.
    pub plunder: rulings::Plunder,
    /// Unrest and revolts.
    pub unrest: rulings::Unrest,
    /// Trade and booty.
    pub trade: rulings::Trade,
    /// Losses on the way.
    pub loss: rulings::Loss,
    /// Mines.
    pub mine: rulings::Mine,
    /// World gates.
    pub gate: rulings::Gate,
    /// Blessings, wizards and demons.
    pub magic: rulings::Magic,
    /// Monsters and free demons.
    pub monsters: rulings::Monsters,
    /// Treaties.
    pub treaty: rulings::Treaties,
    /// Absent players.
    pub absence: rulings::Absence,
    /// The generator of peoples.
    pub culture: rulings::Culture,
    /// Ranking.
    pub ranking: rulings::Ranking,
    /// The player's account.
    pub account: rulings::Account,
    /// Encodings and line ends of files.
    pub report: rulings::Files,
    /// The figures of realms that have their own.
    #[serde(skip)]
    realms: BTreeMap<RealmId, Tables>,
}

/// The thresholds of a kind of army (T03); 0 where the kind cannot do it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Strengths {
    arm_min: i64,
    exist_min: i64,
    conquer_min: i64,
    plunder_min: i64,
    destroy_min: i64,
    spy_max: i64,
}

impl Figure for Strengths {
    fn check(&self, path: &str, limits: Option<Limits>, problems: &mut Findings) {
        for (key, figure) in [
            ("arm_min", self.arm_min),
            ("exist_min", self.exist_min),
            ("conquer_min", self.conquer_min),
            ("plunder_min", self.plunder_min),
            ("destroy_min", self.destroy_min),
            ("spy_max", self.spy_max),
        ] {
            figure.check(&format!("{path}.{key}"), limits, problems);
        }
    }
}

/// A building's line in T05.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct BuildingFigures {
    price: i64,
    capacity: i64,
    income: i64,
    trades: bool,
}

impl Figure for BuildingFigures {
    fn check(&self, path: &str, _: Option<Limits>, problems: &mut Findings) {
        self.price
            .check(&format!("{path}.price"), Some((0, MONEY_MAX)), problems);
        self.capacity
            .check(&format!("{path}.capacity"), Some((0, MONEY_MAX)), problems);
        self.income
            .check(&format!("{path}.income"), Some((-MONEY_MAX, MONEY_MAX)), problems);
    }
}

/// A terrain's line in T07.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct TerrainFigures {
    height: Option<i64>,
    move_cost: Option<i64>,
    loss: bool,
    income: Option<i64>,
    edge: Colour,
    centre: Colour,
}

impl Default for TerrainFigures {
    /// Ground that nobody knows: it cannot be entered and is drawn black and grey, like the poles.
    fn default() -> Self {
        Self {
            height: None,
            move_cost: None,
            loss: false,
            income: None,
            edge: Colour::Black,
            centre: Colour::Grey,
        }
    }
}

impl Figure for TerrainFigures {
    fn check(&self, path: &str, _: Option<Limits>, problems: &mut Findings) {
        self.height.check(&format!("{path}.height"), Some((0, 3)), problems);
        self.move_cost
            .check(&format!("{path}.move_cost"), Some((1, 100)), problems);
        self.income
            .check(&format!("{path}.income"), Some((0, MONEY_MAX)), problems);
        if self.height.is_some() != self.move_cost.is_some() {
            let expected = "height-and-move_cost-or-neither";
            problems.push(Problem::Contradiction {
                path: path.to_owned(),
                expected,
            });
        }
    }
}

/// A figure of one realm that differs from the world's (GAP-40).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnFigures {
    /// The kind of army.
    pub kind: Kind,
    /// Its movement points, if they differ.
    pub movement_points: Option<i64>,
    /// Its price per head, if it differs.
    pub price_per_head: Option<i64>,
}

/// Nothing where the table has no figure.
const fn some(figure: i64) -> Option<i64> {
    if figure == 0 { None } else { Some(figure) }
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
    /// Everything that is wrong with the text: unknown keys, wrong types, figures out of range, contradictions.
    pub fn with_overrides(differences: &str) -> Result<Self, Misfits> {
        static LAST: Last<Tables> = Last::new();
        LAST.get(differences, overlay::read)
    }

    /// The name by which sentences call a building: a capital that its ruler has not named yet is just the capital.
    pub fn spoken<'n>(&self, name: &'n str) -> &'n str {
        if name == self.start.capital_name.as_str() {
            ""
        } else {
            name
        }
    }

    /// The figures for a realm's own armies and buildings (GAP-40); the common ones if it has none of its own.
    #[must_use]
    pub fn of(&self, realm: RealmId) -> &Self {
        self.realms.get(&realm).unwrap_or(self)
    }

    /// Whether a realm has figures of its own (GAP-40).
    #[must_use]
    pub fn has_own(&self, realm: RealmId) -> bool {
        self.realms.contains_key(&realm)
    }

    /// What a realm's report must tell it about figures of its own (GAP-40).
    #[must_use]
    pub fn own_figures(&self, realm: RealmId) -> Vec<OwnFigures> {
        let own = self.of(realm);
        let differing = |own: i64, common: i64| (own != common).then_some(own);
        let figures = Kind::ALL.iter().map(|kind| OwnFigures {
            kind: *kind,
            movement_points: differing(own.t01_movement[*kind], self.t01_movement[*kind]),
            price_per_head: differing(own.t04_price_per_head[*kind], self.t04_price_per_head[*kind]),
        });
        figures
            .filter(|own| own.movement_points.is_some() || own.price_per_head.is_some())
            .collect()
    }

    /// Movement points per turn (T01); 0 for groups, which go by their members.
    #[must_use]
    pub fn movement_points(&self, kind: Kind) -> i64 {
        self.t01_movement[kind]
    }

    /// Room that a head of this kind takes aboard (T02).
    #[must_use]
    pub fn space_per_head(&self, kind: Kind) -> i64 {
        self.t02_space_per_head[kind]
    }

    /// Room that an army of this kind takes aboard beside its heads (T02).
    #[must_use]
    pub fn space_flat(&self, kind: Kind) -> i64 {
        self.t02_space_flat[kind]
    }

    /// Room aboard one ship of this kind (T02); 0 if it carries nothing.
    #[must_use]
    pub fn capacity_per_ship(&self, kind: Kind) -> i64 {
        self.t02_capacity_per_ship[kind]
    }

    /// Least count of a new army (T03, *Mindestrüstung*); 0 for what is never armed.
    #[must_use]
    pub fn arm_min(&self, kind: Kind) -> i64 {
        self.t03[kind].arm_min
    }

    /// Least count with which an army exists (T03, *Mindeststärke*); at least 1.
    #[must_use]
    pub fn exist_min(&self, kind: Kind) -> i64 {
        self.t03[kind].exist_min.max(1)
    }

    /// Least count to conquer (T03); nothing if the kind cannot.
    #[must_use]
    pub fn conquer_min(&self, kind: Kind) -> Option<i64> {
        some(self.t03[kind].conquer_min)
    }

    /// Least count to plunder (T03); nothing if the kind cannot.
    #[must_use]
    pub fn plunder_min(&self, kind: Kind) -> Option<i64> {
        some(self.t03[kind].plunder_min)
    }

    /// Least count to destroy (T03); nothing if the kind cannot.
    #[must_use]
    pub fn destroy_min(&self, kind: Kind) -> Option<i64> {
        some(self.t03[kind].destroy_min)
    }

    /// Greatest count that stays unseen (T03); nothing if the kind cannot.
    #[must_use]
    pub fn spy_max(&self, kind: Kind) -> Option<i64> {
        some(self.t03[kind].spy_max)
    }

    /// Price per head, which counts against the arming capacity (T04).
    #[must_use]
    pub fn price_per_head(&self, kind: Kind) -> i64 {
        self.t04_price_per_head[kind]
    }

    /// Price of a new army beside its heads (T04); for groups the price of forming one.
    #[must_use]
    pub fn price_fixed(&self, kind: Kind) -> i64 {
        self.t04_price_fixed[kind]
    }

    /// Upkeep per head (T04).
    #[must_use]
    pub fn upkeep_per_head(&self, kind: Kind) -> i64 {
        self.t04_upkeep_per_head[kind]
    }

    /// Upkeep of an army beside its heads (T04).
    #[must_use]
    pub fn upkeep_per_army(&self, kind: Kind) -> i64 {
        self.t04_upkeep_per_army[kind]
    }

    /// Whether the kind is armed at all (THO-ARM-05, THO-ARM-11).
    #[must_use]
    pub fn can_be_armed(&self, kind: Kind) -> bool {
        !self.t04_places[kind].is_empty()
    }

    /// The buildings where a new army of this kind is armed (T04).
    #[must_use]
    pub fn places(&self, kind: Kind) -> &[Building] {
        &self.t04_places[kind]
    }

    /// Whether an army of this kind can be topped up in this building but none founded (GAP-07, THO-BLD-14).
    #[must_use]
    pub fn top_up_only(&self, kind: Kind, building: Building) -> bool {
        self.t04_top_up_places[kind].contains(&building) && !self.t04_places[kind].contains(&building)
    }

    /// Whether this building arms or tops up this kind.
    #[must_use]
    pub fn arms(&self, building: Building, kind: Kind) -> bool {
        self.t04_places[kind].contains(&building) || self.t04_top_up_places[kind].contains(&building)
    }

    /// Whether the building arms anything.
    #[must_use]
    pub fn is_arming_place(&self, building: Building) -> bool {
        self.t05[building].capacity > 0
    }

    /// The printed price of a building (T05), which the ranking counts.
    #[must_use]
    pub fn building_price(&self, building: Building) -> i64 {
        self.t05[building].price
    }

    /// Arming capacity a year in this state (T05, GAP-07).
    #[must_use]
    pub fn capacity(&self, building: Building, condition: Condition) -> i64 {
        self.build.damage_factor[condition].apply(self.t05[building].capacity, Rounding::Down)
    }

    /// Income a year in this state (T05, GAP-07). Upkeep, printed as a negative income, is due in full unless the building is
    /// a ruin.
    #[must_use]
    pub fn building_income(&self, building: Building, condition: Condition) -> i64 {
        let income = self.t05[building].income;
        match condition {
            Condition::Ruin if income < 0 => 0,
            _ if income < 0 => income,
            _ => self.build.damage_factor[condition].apply(income, Rounding::Down),
        }
    }

    /// Combat bonus in percent for defenders in the building in this state (GAP-17).
    #[must_use]
    pub fn building_bonus_pct(&self, building: Building, condition: Condition) -> i64 {
        self.build.damage_factor[condition].apply(self.combat.bonus_pct.building[building], Rounding::Down)
    }

    /// Whether traders start and sell there (THO-TRADE-01, THO-TRADE-02).
    #[must_use]
    pub fn is_trading_place(&self, building: Building) -> bool {
        self.t05[building].trades
    }

    /// Price of a side of road, bridge or wall (T05).
    #[must_use]
    pub fn network_price(&self, network: Network) -> i64 {
        self.t05_network[network]
    }

    /// Building anew (T06); nothing if it cannot be built (THO-BLD-15, THO-BLD-16).
    #[must_use]
    pub fn new_building(&self, building: Building) -> Option<Work> {
        self.t06_new[building]
    }

    /// Upgrading one building to another (T06); nothing if that is impossible.
    #[must_use]
    pub fn upgrade(&self, from: Building, to: Building) -> Option<Work> {
        self.t06_upgrade[from][to]
    }

    /// What a building can be upgraded to (T06).
    pub fn upgrades(&self, from: Building) -> impl Iterator<Item = Building> {
        self.t06_upgrade[from]
            .iter()
            .filter(|(_, work)| work.is_some())
            .map(|(to, _)| to)
    }

    /// Bringing a building back to intact from this state (T06); nothing if it is intact.
    #[must_use]
    pub fn repair(&self, building: Building, condition: Condition) -> Option<Work> {
        match condition {
            Condition::Intact => None,
            Condition::Light => self.t06_repair_light[building],
            Condition::Heavy => self.t06_repair_heavy[building],
            Condition::Ruin => self.t06_rebuild_ruin[building],
        }
    }

    /// Height of a terrain, from 0 (sea) to 3 (mountain) (T07); nothing for ground that is closed to all.
    #[must_use]
    pub fn height(&self, terrain: Terrain) -> Option<i64> {
        self.t07[terrain].height
    }

    /// Sea of any kind (THO-MOVE-09).
    #[must_use]
    pub fn is_water(&self, terrain: Terrain) -> bool {
        self.t07[terrain].height == Some(0)
    }

    /// Land of any kind (THO-MOVE-09).
    #[must_use]
    pub fn is_land(&self, terrain: Terrain) -> bool {
        self.t07[terrain].height.is_some_and(|height| height > 0)
    }

    /// Movement points for a step from this terrain (T07); nothing for ground that is closed to all.
    #[must_use]
    pub fn move_cost(&self, terrain: Terrain) -> Option<i64> {
        self.t07[terrain].move_cost
    }

    /// Whether leaving it costs losses if the people is not spared (T07).
    #[must_use]
    pub fn is_loss_terrain(&self, terrain: Terrain) -> bool {
        self.t07[terrain].loss
    }

    /// GS each autumn at full yield (T07).
    #[must_use]
    pub fn land_income(&self, terrain: Terrain) -> i64 {
        self.t07[terrain].income.unwrap_or(0)
    }

    /// Edge and centre colour on the map (THO-TERR-07).
    #[must_use]
    pub fn colours(&self, terrain: Terrain) -> (Colour, Colour) {
        (self.t07[terrain].edge, self.t07[terrain].centre)
    }

    /// The terrains of a family (T07).
    #[must_use]
    pub fn family(&self, family: Family) -> &[Terrain] {
        &self.t07_family[family]
    }

    /// Whether a terrain belongs to a family (T07).
    #[must_use]
    pub fn is_of(&self, terrain: Terrain, family: Family) -> bool {
        self.t07_family[family].contains(&terrain)
    }

    /// Whether riders pay more here: any mountain, jungle, swamp (THO-MOVE-07).
    #[must_use]
    pub fn hampers_riders(&self, terrain: Terrain) -> bool {
        self.height(terrain) == Some(3) || self.is_of(terrain, Family::Jungle) || self.is_of(terrain, Family::Swamp)
    }

    /// Whether armies of this kind lose heads in loss terrain and rivers at all (GAP-24).
    #[must_use]
    pub fn suffers_losses(&self, kind: Kind) -> bool {
        !self.loss.exempt_types.contains(&kind.arm())
    }

    /// Value per head in melee, in hundredths of one light warrior (GAP-16); 0 for groups, whose members fight.
    #[must_use]
    pub fn combat_value(&self, kind: Kind) -> i64 {
        self.combat.value[kind]
    }

    /// The year of a turn (THO-TIME-02, GAP-02).
    #[must_use]
    pub fn year(&self, turn: u32) -> i64 {
        let seasons = i64::from(turn) + self.calendar.turn0_season.index() as i64;
        self.calendar.turn0_year + seasons / self.calendar.turns_per_year
    }

    /// The season of a turn (THO-TIME-02, GAP-02).
    #[must_use]
    pub fn season(&self, turn: u32) -> Season {
        let seasons = turn as usize % Season::COUNT + self.calendar.turn0_season.index();
        Season::ALL[seasons % Season::COUNT]
    }

    /// Holds every figure against its limits.
    fn check(&self, of: &str, problems: &mut Vec<Problem>) {
        let mut findings = Findings::default();
        self.inspect(of, &mut findings);
        problems.append(&mut findings.problems);
        self.check_together(of, problems);
    }

    /// What may stand under each key of the house rules.
    pub(crate) fn allowed(&self) -> BTreeMap<String, Allowed> {
        let mut findings = Findings {
            allowed: Some(BTreeMap::new()),
            ..Findings::default()
        };
        self.inspect("", &mut findings);
        findings.allowed.unwrap_or_default()
    }

    fn inspect(&self, of: &str, findings: &mut Findings) {
        let mut hold = |name: &str, figure: &dyn Figure, limits: Option<Limits>| {
            figure.check(&format!("{of}{name}"), limits, findings);
        };
        hold("t01_movement", &self.t01_movement, Some((0, 1_000)));
        hold("t02_space_per_head", &self.t02_space_per_head, Some((0, 10_000)));
        hold("t02_space_flat", &self.t02_space_flat, Some((0, HEADS_MAX)));
        hold(
            "t02_capacity_per_ship",
            &self.t02_capacity_per_ship,
            Some((0, HEADS_MAX)),
        );
        hold("t03", &self.t03, Some((0, HEADS_MAX)));
        hold("t04_price_per_head", &self.t04_price_per_head, Some((0, HEADS_MAX)));
        hold("t04_price_fixed", &self.t04_price_fixed, Some((0, MONEY_MAX)));
        hold("t04_upkeep_per_head", &self.t04_upkeep_per_head, Some((0, HEADS_MAX)));
        hold("t04_upkeep_per_army", &self.t04_upkeep_per_army, Some((0, MONEY_MAX)));
        hold("t04_places", &self.t04_places, None);
        hold("t04_top_up_places", &self.t04_top_up_places, None);
        hold("t05", &self.t05, None);
        hold("t05_network", &self.t05_network, Some((0, MONEY_MAX)));
        hold("t06_new", &self.t06_new, Some((0, MONEY_MAX)));
        hold("t06_upgrade", &self.t06_upgrade, Some((0, MONEY_MAX)));
        hold("t06_repair_light", &self.t06_repair_light, Some((0, MONEY_MAX)));
        hold("t06_repair_heavy", &self.t06_repair_heavy, Some((0, MONEY_MAX)));
        hold("t06_rebuild_ruin", &self.t06_rebuild_ruin, Some((0, MONEY_MAX)));
        hold("t07", &self.t07, None);
        hold("t07_family", &self.t07_family, None);
        hold("world", &self.world, None);
        hold("calendar", &self.calendar, None);
        hold("start", &self.start, None);
        hold("orders", &self.orders, None);
        hold("build", &self.build, None);
        hold("arming", &self.arming, None);
        hold("economy", &self.economy, None);
        hold("move_surcharge", &self.move_surcharge, None);
        hold("movement", &self.movement, None);
        hold("sight", &self.sight, None);
        hold("conquest", &self.conquest, None);
        hold("combat", &self.combat, None);
        hold("missile", &self.missile, None);
        hold("plunder", &self.plunder, None);
        hold("unrest", &self.unrest, None);
        hold("trade", &self.trade, None);
        hold("loss", &self.loss, None);
        hold("mine", &self.mine, None);
        hold("gate", &self.gate, None);
        hold("magic", &self.magic, None);
        hold("monsters", &self.monsters, None);
        hold("absence", &self.absence, None);
        hold("culture", &self.culture, None);
        hold("ranking", &self.ranking, None);
        hold("account", &self.account, None);
        hold("rounding", &self.rounding, None);
        hold("treaty", &self.treaty, None);
        hold("report", &self.report, None);
    }

    /// What must hold between figures so that no rule divides by zero or searches for what cannot be.
    fn check_together(&self, of: &str, problems: &mut Vec<Problem>) {
        let mut demand = |holds: bool, path: &str, expected: &'static str| {
            if !holds {
                problems.push(Problem::Contradiction {
                    path: format!("{of}{path}"),
                    expected,
                });
            }
        };
        let fields = u64::from(self.world.columns) * u64::from(self.world.rows);
        demand(
            fields <= kernel::limits::FIELDS as u64,
            "world",
            "fewer-columns-or-rows",
        );
        demand(
            !self.world.wrap_east_west || self.world.rows > 2 * self.world.unknown_rows_each_pole,
            "world.unknown_rows_each_pole",
            "rows-between-the-poles",
        );
        let (tropic, temperate) = (self.world.tropic_max_lat_pct, self.world.temperate_max_lat_pct);
        demand(
            tropic <= temperate,
            "world.temperate_max_lat_pct",
            "at-least-tropic_max_lat_pct",
        );
        demand(
            self.is_land(self.world.capital_terrain),
            "world.capital_terrain",
            "land",
        );
        demand(
            self.unrest.near_distance <= self.unrest.middle_distance,
            "unrest.middle_distance",
            "at-least-near_distance",
        );
        let codes = self.gate.code_max - self.gate.code_min + 1;
        demand(codes >= self.gate.min_count, "gate.code_max", "a-code-for-every-gate");
        demand(!self.culture.steps.is_empty(), "culture.steps", "at-least-one-step");
        for kind in Kind::ALL {
            let fights = kind.is_group() || self.combat.value[*kind] > 0;
            demand(fights, &format!("combat.value.{kind}"), "more-than-0");
            let pack = kind.is_monster() == self.monsters.kind[*kind].is_some();
            demand(pack, &format!("monsters.kind.{kind}"), "a-line-for-each-monster-only");
        }
        for terrain in Terrain::ALL {
            let closed = matches!(terrain, Terrain::Unknown | Terrain::Unexplored);
            demand(
                closed != self.height(*terrain).is_some(),
                &format!("t07.{terrain}"),
                "a-height-for-all-but-ubk",
            );
        }
    }
}
