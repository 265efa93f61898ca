//! The printed figures, and what a world may and may not change.

use super::policy::TreatyStart;
use super::{Tables, Work};
use crate::codes::{Building, Climate, Colour, Condition, Family, Kind, Network, RealmKind, Season, Terrain};
use kernel::ratio::Ratio;
use kernel::realm::RealmId;

fn work(price: i64, turns: i64) -> Option<Work> {
    Some(Work { price, turns })
}

/// What is wrong with the differences of a world, a line per problem.
fn refused(differences: &str) -> String {
    match Tables::with_overrides(differences) {
        Ok(_) => panic!("accepted: {differences}"),
        Err(error) => error.to_string(),
    }
}

fn accepted(differences: &str) -> Tables {
    match Tables::with_overrides(differences) {
        Ok(tables) => tables,
        Err(error) => panic!("refused: {error}"),
    }
}

#[test]
fn t01_movement_is_as_printed() {
    let tables = Tables::book();
    let printed = [
        ("K.S", 2),
        ("R.L", 10),
        ("F.M", 3),
        ("S.L", 12),
        ("P.H", 8),
        ("Z.S", 8),
        ("D.N", 6),
        ("H.K", 3),
    ];
    for (code, points) in printed {
        assert_eq!(
            Kind::from_code(code).map(|kind| tables.movement_points(kind)),
            Some(points),
            "{code}"
        );
    }
    assert_eq!(tables.movement_points(Kind::LandGroup), 0);
    assert_eq!(tables.movement_points(Kind::MountainTroll), 4);
}

#[test]
fn t02_space_is_as_printed() {
    let tables = Tables::book();
    assert_eq!(tables.space_per_head(Kind::HeavyRider), 5);
    assert_eq!(
        (
            tables.space_per_head(Kind::HeavyEngine),
            tables.space_flat(Kind::HeavyEngine)
        ),
        (3, 200)
    );
    assert_eq!(
        (tables.space_per_head(Kind::Summoner), tables.space_flat(Kind::Summoner)),
        (0, 1)
    );
    assert_eq!(tables.capacity_per_ship(Kind::MediumShip), 200);
    assert_eq!(tables.capacity_per_ship(Kind::Caravan), 0);
    // EX-7: 2000 light warriors on 20 light ships.
    assert_eq!(
        2000 * tables.space_per_head(Kind::LightWarrior),
        20 * tables.capacity_per_ship(Kind::LightShip)
    );
}

#[test]
fn t03_strengths_are_as_printed_and_a_dash_is_nothing() {
    let tables = Tables::book();
    assert_eq!(
        (tables.arm_min(Kind::HeavyWarrior), tables.exist_min(Kind::HeavyWarrior)),
        (1000, 100)
    );
    assert_eq!(
        (
            tables.conquer_min(Kind::LightRider),
            tables.conquer_min(Kind::LightEngine)
        ),
        (Some(1000), None)
    );
    assert_eq!(
        (tables.plunder_min(Kind::Archdemon), tables.plunder_min(Kind::LightShip)),
        (Some(1), None)
    );
    assert_eq!(
        (tables.destroy_min(Kind::MediumEngine), tables.destroy_min(Kind::Demon)),
        (Some(251), Some(10))
    );
    assert_eq!(
        (tables.spy_max(Kind::HomePriest), tables.spy_max(Kind::Caravan)),
        (Some(25), None)
    );
    assert_eq!(tables.exist_min(Kind::Demon), 1);
}

#[test]
fn t04_prices_upkeep_and_places_are_as_printed() {
    let tables = Tables::book();
    assert_eq!(
        (
            tables.price_per_head(Kind::HeavyShip),
            tables.price_fixed(Kind::HeavyShip)
        ),
        (2000, 1000)
    );
    assert_eq!(
        (
            tables.price_per_head(Kind::Accelerator),
            tables.price_fixed(Kind::Accelerator)
        ),
        (100, 5000)
    );
    assert_eq!(
        (
            tables.upkeep_per_head(Kind::LightRider),
            tables.upkeep_per_army(Kind::LightRider)
        ),
        (2, 100)
    );
    assert_eq!(
        (
            tables.upkeep_per_head(Kind::Demon),
            tables.upkeep_per_army(Kind::Kraken)
        ),
        (0, 0)
    );
    assert_eq!(
        (
            tables.price_fixed(Kind::SeaGroup),
            tables.upkeep_per_army(Kind::SeaGroup)
        ),
        (1000, 100)
    );
    assert_eq!(
        tables.places(Kind::Caravan),
        [Building::City, Building::Fortress, Building::Capital]
    );
    assert!(tables.top_up_only(Kind::LightEngine, Building::Castle));
    assert!(tables.top_up_only(Kind::WarPriest, Building::Temple));
    assert!(!tables.top_up_only(Kind::WarPriest, Building::HolyCity));
    assert!(!tables.arms(Building::TempleOfLight, Kind::Summoner));
    assert!(!tables.can_be_armed(Kind::Demon) && !tables.can_be_armed(Kind::LandGroup));
}

#[test]
fn an_army_of_the_examples_costs_what_the_book_says() {
    let tables = Tables::book();
    // EX-14: 2500 medium warriors.
    assert_eq!(
        2500 * tables.price_per_head(Kind::MediumWarrior) + tables.price_fixed(Kind::MediumWarrior),
        26_000
    );
    // EX-18: a caravan of 100 and ten trade ships.
    let trader = |kind, count| {
        let price = count * tables.price_per_head(kind) + tables.price_fixed(kind);
        (
            price,
            count * tables.upkeep_per_head(kind) + tables.upkeep_per_army(kind),
        )
    };
    assert_eq!(trader(Kind::Caravan, 100), (2_500, 300));
    assert_eq!(trader(Kind::TradeFleet, 10), (5_500, 1_100));
}

#[test]
fn t05_buildings_are_as_printed() {
    let tables = Tables::book();
    assert_eq!(tables.capacity(Building::Capital, Condition::Intact), 100_000);
    assert_eq!(tables.building_income(Building::Castle, Condition::Intact), 7_500);
    assert_eq!(tables.building_income(Building::HolyCity, Condition::Intact), -10_000);
    assert_eq!(tables.building_income(Building::Gate, Condition::Intact), 5_000);
    assert_eq!(
        (
            tables.building_price(Building::Fortress),
            tables.building_price(Building::Mine)
        ),
        (120_000, 70_000)
    );
    assert_eq!(tables.network_price(Network::Wall), 5_000);
    assert!(tables.is_trading_place(Building::City) && !tables.is_trading_place(Building::Castle));
    assert!(tables.is_arming_place(Building::Temple) && !tables.is_arming_place(Building::Gate));
}

#[test]
fn a_damaged_building_keeps_thirds_but_owes_its_upkeep_until_it_is_a_ruin() {
    let tables = Tables::book();
    let capacities = Condition::ALL
        .iter()
        .map(|condition| tables.capacity(Building::City, *condition));
    assert_eq!(capacities.collect::<Vec<_>>(), [50_000, 33_333, 16_666, 0]);
    let upkeep = Condition::ALL
        .iter()
        .map(|condition| tables.building_income(Building::TempleOfDark, *condition));
    assert_eq!(upkeep.collect::<Vec<_>>(), [-10_000, -10_000, -10_000, 0]);
    assert_eq!(tables.building_bonus_pct(Building::Fortress, Condition::Light), 66);
}

#[test]
fn t06_upgrades_are_as_printed_and_nothing_else_is_possible() {
    let tables = Tables::book();
    assert_eq!(tables.upgrade(Building::Castle, Building::City), work(30_000, 3));
    assert_eq!(tables.upgrade(Building::City, Building::Capital), work(180_000, 4));
    for city in [Building::TempleOfLight, Building::TempleOfDark, Building::HolyCity] {
        assert_eq!(tables.upgrade(Building::Fortress, city), work(30_000, 4));
    }
    assert_eq!(tables.upgrade(Building::City, Building::Castle), None);
    assert_eq!(tables.upgrades(Building::Capital).count(), 0);
    assert_eq!(tables.upgrades(Building::City).count(), 5);
    let pairs: usize = Building::ALL.iter().map(|from| tables.upgrades(*from).count()).sum();
    assert_eq!(pairs, 6 + 5 + 4);
}

#[test]
fn temple_mine_and_gate_take_three_turns_not_four() {
    // THO-ADM-04 is void: T06 stands.
    let tables = Tables::book();
    assert_eq!(tables.new_building(Building::Temple), work(60_000, 3));
    assert_eq!(tables.new_building(Building::Mine), None);
    assert_eq!(tables.repair(Building::Gate, Condition::Ruin), work(70_000, 3));
}

#[test]
fn repairs_cost_thirds_of_the_price_in_full_thousands() {
    // EX-16: light a third in 1 turn, heavy two thirds in 2, a ruin the full price in one turn less than new.
    let tables = Tables::book();
    for building in Building::ALL.iter().copied() {
        let price = tables.building_price(building);
        assert_eq!(
            tables.repair(building, Condition::Light),
            work(price / 3 / 1000 * 1000, 1),
            "{building}"
        );
        assert_eq!(
            tables.repair(building, Condition::Heavy),
            work(price * 2 / 3 / 1000 * 1000, 2),
            "{building}"
        );
        if let Some(new) = tables.new_building(building) {
            assert_eq!(new.price, price);
            assert_eq!(
                tables.repair(building, Condition::Ruin),
                work(price, new.turns - 1),
                "{building}"
            );
        }
        assert_eq!(tables.repair(building, Condition::Intact), None);
    }
}

#[test]
fn t07_terrain_is_as_printed() {
    let tables = Tables::book();
    let facts = |terrain| {
        (
            tables.is_loss_terrain(terrain),
            tables.move_cost(terrain),
            tables.height(terrain),
        )
    };
    assert_eq!(facts(Terrain::Lowland), (false, Some(2), Some(1)));
    assert_eq!(facts(Terrain::Whirlpool), (true, Some(3), Some(0)));
    assert_eq!(facts(Terrain::MountainDesert), (true, Some(2), Some(3)));
    assert_eq!(facts(Terrain::Volcano), (true, Some(3), Some(2)));
    assert_eq!(facts(Terrain::Unknown), (false, None, None));
    assert_eq!(facts(Terrain::Unexplored), (false, None, None));
    // EX-8: 36 lowland fields.
    assert_eq!(36 * tables.land_income(Terrain::Lowland), 108_000);
    assert_eq!(
        (
            tables.land_income(Terrain::HighlandIceDesert),
            tables.land_income(Terrain::Water)
        ),
        (30, 0)
    );
    assert_eq!(tables.colours(Terrain::Reef), (Colour::Black, Colour::LightBlue));
    assert_eq!(
        Terrain::ALL.iter().filter(|terrain| tables.is_water(**terrain)).count(),
        4
    );
    assert_eq!(
        Terrain::ALL.iter().filter(|terrain| tables.is_land(**terrain)).count(),
        23
    );
}

#[test]
fn riders_are_hampered_in_mountains_jungle_and_swamp() {
    let tables = Tables::book();
    for terrain in [
        Terrain::MountainSteppe,
        Terrain::LowlandJungle,
        Terrain::HighlandSwamp,
        Terrain::MountainSwamp,
    ] {
        assert!(tables.hampers_riders(terrain), "{terrain}");
    }
    for terrain in [
        Terrain::Highland,
        Terrain::LowlandDesert,
        Terrain::Volcano,
        Terrain::Ice,
    ] {
        assert!(!tables.hampers_riders(terrain), "{terrain}");
    }
    assert!(tables.is_of(Terrain::HighlandIceDesert, Family::IceDesert));
    assert_eq!(tables.family(Family::Mountain).len(), 7);
}

#[test]
fn the_rulings_have_their_figures() {
    let tables = Tables::book();
    assert_eq!((tables.world.columns, tables.world.rows), (200, 116));
    assert_eq!(tables.start.treasury, 400_000);
    assert_eq!(
        tables.build.damage_factor[Condition::Light],
        Ratio::new(2, 3).unwrap_or_default()
    );
    assert_eq!(tables.combat_value(Kind::Archdemon), 15_000);
    assert_eq!(tables.missile.cost_per_head_half_gs[Kind::MediumEngine], 3);
    assert_eq!(tables.trade.max_fleets[RealmKind::Pirate], 20);
    assert_eq!(tables.unrest.garrison_prevents_from[Kind::HeavyRider], 1000);
    assert!(tables.suffers_losses(Kind::LightShip) && !tables.suffers_losses(Kind::Elephant));
    let elephant = tables.monsters.kind[Kind::Elephant].as_ref();
    assert_eq!(
        elephant.map(|pack| (pack.size.max, pack.climates.as_slice())),
        Some((80, [Climate::Tropical].as_slice()))
    );
}

#[test]
fn turn_eight_is_the_spring_of_year_two() {
    // EX-11.
    let tables = Tables::book();
    assert_eq!((tables.year(8), tables.season(8)), (2, Season::Spring));
    assert_eq!((tables.year(7), tables.season(7)), (1, Season::Winter));
    assert_eq!((tables.year(2), tables.season(2)), (0, Season::Autumn));
    let later = accepted("[calendar]\nturn0_season = \"winter\"\nturn0_year = 10");
    assert_eq!((later.year(0), later.season(0)), (10, Season::Winter));
    assert_eq!((later.year(1), later.season(1)), (11, Season::Spring));
}

#[test]
fn a_world_stores_only_its_differences() {
    let book = Tables::book();
    assert_eq!(accepted(""), book);
    let tables =
        accepted("[plunder]\nrealm0_pct = 20\n[treaty]\neffective = \"this_turn\"\n[t06_new]\nSTD = [70000, 3]");
    assert_eq!(tables.plunder.realm0_pct, 20);
    assert_eq!(tables.treaty.effective, TreatyStart::ThisTurn);
    assert_eq!(tables.new_building(Building::City), work(70_000, 3));
    assert_eq!(
        tables.plunder.yield_points_per_plunder,
        book.plunder.yield_points_per_plunder
    );
    assert_eq!(
        tables.new_building(Building::Castle),
        book.new_building(Building::Castle)
    );
}

#[test]
fn a_kind_is_named_with_or_without_quotes_and_a_type_stands_for_its_classes() {
    for text in [
        "[t04_price_per_head]\nK.M = 8",
        "[t04_price_per_head]\n\"k.m\" = 8",
        "t04_price_per_head.K.M = 8",
    ] {
        let tables = accepted(text);
        assert_eq!(tables.price_per_head(Kind::MediumWarrior), 8, "{text}");
        assert_eq!(tables.price_per_head(Kind::LightWarrior), 10, "{text}");
    }
    let tables =
        accepted("[t04_price_per_head]\nK = 7\n\"K.S\" = 9\n[t03]\nR.L = { conquer_min = 900 }\nF = { spy_max = 50 }");
    assert_eq!(tables.price_per_head(Kind::LightWarrior), 7);
    assert_eq!(tables.price_per_head(Kind::HeavyWarrior), 9);
    assert_eq!(
        (
            tables.conquer_min(Kind::LightRider),
            tables.conquer_min(Kind::MediumRider)
        ),
        (Some(900), Some(1000))
    );
    assert_eq!(tables.exist_min(Kind::LightRider), 50);
    assert_eq!(
        (tables.spy_max(Kind::HeavyEngine), tables.destroy_min(Kind::HeavyEngine)),
        (Some(50), Some(251))
    );
}

#[test]
fn a_building_line_may_name_one_temple_city_or_all() {
    let tables = accepted("[t05.TS]\nincome = -5000\n[t05.TSL]\nincome = 0\n[t06_upgrade.STD]\nTS = [1, 1]");
    assert_eq!(tables.building_income(Building::TempleOfLight, Condition::Intact), 0);
    assert_eq!(
        tables.building_income(Building::TempleOfDark, Condition::Intact),
        -5_000
    );
    assert_eq!(tables.capacity(Building::TempleOfLight, Condition::Intact), 50_000);
    assert_eq!(tables.upgrade(Building::City, Building::HolyCity), work(1, 1));
}

#[test]
fn a_realm_may_have_figures_of_its_own() {
    let tables =
        accepted("[t01_movement]\nR.L = 9\n[realm.3.t01_movement]\nK.L = 7\n[realm.3.plunder]\nrealm0_pct = 50");
    assert_eq!(tables.movement_points(Kind::LightWarrior), 6);
    assert_eq!(tables.of(RealmId(2)).movement_points(Kind::LightWarrior), 6);
    assert_eq!(tables.of(RealmId(3)).movement_points(Kind::LightWarrior), 7);
    assert_eq!(
        (
            tables.of(RealmId(3)).movement_points(Kind::LightRider),
            tables.of(RealmId(3)).plunder.realm0_pct
        ),
        (9, 50)
    );
    let own = tables.own_figures(RealmId(3));
    assert_eq!(own.len(), 1);
    assert_eq!(
        (own[0].kind, own[0].movement_points, own[0].price_per_head),
        (Kind::LightWarrior, Some(7), None)
    );
    assert!(tables.own_figures(RealmId(2)).is_empty());
}

#[test]
fn the_map_is_the_same_for_all_realms() {
    assert_eq!(
        refused("[realm.3.world]\ncolumns = 40"),
        "realm.3.world: expected the same for all realms"
    );
    assert!(refused("[realm.drei.t01_movement]\nK = 1").starts_with("realm.drei: expected a realm and a table"));
    assert!(refused("realm = 3").starts_with("realm: expected a table"));
}

#[test]
fn an_unknown_key_is_refused_with_its_place() {
    assert_eq!(refused("[combat]\nlucky = 1"), "combat.lucky: no such key");
    assert_eq!(
        refused("[combat.demon]\nvs_dn_with_preist = 1"),
        "combat.demon.vs_dn_with_preist: no such key, did you mean vs_dn_with_priest?"
    );
    assert_eq!(refused("[t01_movement]\nK.X = 3"), "t01_movement.K.X: no such key");
    assert_eq!(refused("[t06_new]\nXYZ = [1, 1]"), "t06_new.XYZ: no such key");
    assert_eq!(
        refused("[realm.4.plunder]\nrealm_pct = 1"),
        "realm.4.plunder.realm_pct: no such key, did you mean realm0_pct?"
    );
    assert_eq!(refused("[combat]\nlucky = 1\n[trade]\nx = 2").split("; ").count(), 2);
}

#[test]
fn a_value_of_the_wrong_kind_is_refused_with_its_place() {
    assert_eq!(refused("combat = 3"), "combat: expected a table");
    assert_eq!(
        refused("[combat.base_loss_pct]\nx = 1"),
        "combat.base_loss_pct: expected a single value"
    );
    let text = refused("[combat]\nbase_loss_pct = \"viel\"");
    assert!(
        text.contains("combat.base_loss_pct") && text.contains("integer") || text.contains("i64"),
        "{text}"
    );
    let text = refused("[sight]\noversized_spy = \"maybe\"");
    assert!(
        text.contains("sight.oversized_spy") && text.contains("one of unflagged flagged"),
        "{text}"
    );
    assert!(refused("[combat]\nbase_loss_pct = 2.5").contains("combat.base_loss_pct"));
    assert!(refused("[combat\n").contains("line 1"));
}

#[test]
fn figures_keep_within_their_limits() {
    for (value, fits) in [(-1, false), (0, true), (100, true), (101, false)] {
        let text = format!("[combat]\nbase_loss_pct = {value}");
        assert_eq!(Tables::with_overrides(&text).is_ok(), fits, "{value}");
    }
    assert_eq!(
        refused("[combat]\nbase_loss_pct = 101"),
        "combat.base_loss_pct: 101, expected 0 to 100"
    );
    assert_eq!(
        refused("[magic]\nprice_divisor = 0"),
        "magic.price_divisor: 0, expected 1 to 1000000000"
    );
    assert_eq!(
        refused("[realm.2.magic]\nprice_divisor = 0"),
        "realm.2.magic.price_divisor: 0, expected 1 to 1000000000"
    );
    assert_eq!(
        refused("[t06_new]\nSTD = [80000, 0]"),
        "t06_new.STD: 0, expected 1 to 100"
    );
    assert_eq!(
        refused("[loss]\nriver = [10, 0]"),
        "loss.river: expected the smaller number first"
    );
    assert!(
        refused("[build]\ndamage_factor = { L = \"4/3\" }").starts_with("build.damage_factor.L: 2, expected 0 to 1")
    );
    assert!(refused("[combat.value]\nK.L = 0").contains("combat.value.K.L"));
    assert!(refused("[world]\ncapital_terrain = \"was\"").contains("world.capital_terrain: expected land"));
    assert!(refused("[world]\ncolumns = 11").contains("world.columns: 11, expected 12 to 2000"));
    assert!(refused("[account]\ncurrency = \"\"").contains("account.currency"));
    assert!(refused("[culture]\nsteps = []").contains("culture.steps"));
}

#[test]
fn house_rules_have_a_greatest_length() {
    let text = "# \n".repeat(kernel::limits::HOUSE_RULES_BYTES);
    assert!(refused(&text).contains("longer than"));
}

#[test]
fn the_spelling_of_the_catalogue_means_the_same() {
    let read = |text: &str| Tables::with_overrides(text).expect("figures of the catalogue");
    let rows = read(
        "[t03]\nK = [900, 90, 1900, 400, 450, 150]\n\"D.N\" = [0, 0, 0, 2, 11, 0]\nH.K = [50, 5, 0, 0, 0, 0]\n\
         [t05]\nBRG = [50000, 3, 10000, 7000, true]\nMIN = [80000, 4, 0, \"variable\", false]\nS = [4000, 0, 0, 0, true]\n\
         [t07]\ntla = [\"Tiefland\", true, 3, 1, 2000, \"grün\", \"hellgrün\"]\n\
         [t04_upkeep_per_army]\ndefault = 50\n",
    );
    assert_eq!(
        (rows.arm_min(Kind::HeavyWarrior), rows.spy_max(Kind::LightWarrior)),
        (900, Some(150))
    );
    assert_eq!(
        (rows.plunder_min(Kind::Demon), rows.destroy_min(Kind::Demon)),
        (Some(2), Some(11))
    );
    assert_eq!((rows.arm_min(Kind::Caravan), rows.exist_min(Kind::Caravan)), (50, 5));
    assert_eq!(rows.capacity(Building::Castle, Condition::Intact), 10_000);
    assert_eq!(
        (
            rows.building_price(Building::Castle),
            rows.building_price(Building::Mine)
        ),
        (50_000, 80_000)
    );
    assert_eq!(
        (rows.network_price(Network::Road), rows.network_price(Network::Wall)),
        (4000, 5000)
    );
    assert_eq!(
        (rows.move_cost(Terrain::Lowland), rows.is_loss_terrain(Terrain::Lowland)),
        (Some(3), true)
    );
    assert_eq!(
        (
            rows.upkeep_per_army(Kind::LightShip),
            rows.upkeep_per_army(Kind::LandGroup)
        ),
        (50, 100)
    );

    let keys = read(
        "[world]\ntropic_max_lat = 0.25\ntemperate_max_lat = 0.5\n\
         [build]\ntpl_new_turns = 4\nmine_gate_rebuild_turns = 5\ndamage_factor = { L = [1, 2] }\n\
         [arming]\nengines_in_castle = \"arm\"\nwizard_price_all_classes = 50\n\
         [missile]\ncost_per_head_half_gs = { M = 5 }\n\
         [monsters.kind]\n\"M.L\" = [1, 2, 9, 7]\nM.S = [3, 4, 5, 6]\n",
    );
    assert_eq!(
        (keys.world.tropic_max_lat_pct, keys.world.temperate_max_lat_pct),
        (25, 50)
    );
    assert_eq!(keys.new_building(Building::Temple).map(|work| work.turns), Some(4));
    assert_eq!(
        keys.repair(Building::Gate, Condition::Ruin).map(|work| work.turns),
        Some(5)
    );
    assert_eq!(keys.capacity(Building::Castle, Condition::Light), 10_000);
    assert!(keys.places(Kind::LightEngine).contains(&Building::Castle));
    assert_eq!(keys.price_per_head(Kind::Accelerator), 50);
    assert_eq!(keys.missile.cost_per_head_half_gs[Kind::MediumEngine], 5);
    let packs: Vec<i64> = [Kind::LanceWhale, Kind::SeaSerpent]
        .map(|kind| keys.movement_points(kind))
        .into();
    assert_eq!(packs, [9, 5]);
    let size = |kind| {
        keys.monsters.kind[kind]
            .as_ref()
            .map(|pack| (pack.size.min, pack.size.max))
    };
    assert_eq!(
        (size(Kind::LanceWhale), size(Kind::SeaSerpent)),
        (Some((1, 2)), Some((3, 4)))
    );

    let own =
        read("[realm.2.t03]\nR = [400, 40, 900, 200, 400, 90]\n[realm.2.arming]\nwizard_price_all_classes = 60\n");
    let (first, second) = (own.of(RealmId(1)), own.of(RealmId(2)));
    assert_eq!(
        (first.arm_min(Kind::LightRider), second.arm_min(Kind::LightRider)),
        (500, 400)
    );
    assert_eq!(
        (
            first.price_per_head(Kind::Summoner),
            second.price_per_head(Kind::Summoner)
        ),
        (100, 60)
    );
    assert!(refused("[arming]\nengines_in_castle = \"maybe\"").contains("arming.engines_in_castle"));
}
