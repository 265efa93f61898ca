//! The generator: every world has all terrains, fair starts of the ruling, rivers to the sea, and is the same for the same die.

use super::*;
use crate::codes::Creature;
use kernel::dice::WorldSecret;
use kernel::game::SeatPlan;

fn plan(seats: usize) -> WorldPlan {
    WorldPlan {
        seats: vec![SeatPlan::default(); seats],
    }
}

fn dice(seed: u8) -> Dice {
    Dice::Keyed(WorldSecret([seed; 32]).step(0))
}

fn world(house_rules: &str, seats: usize, seed: u8) -> (Tables, State) {
    let tables = Tables::with_overrides(house_rules).expect("house rules");
    let state = create(&tables, house_rules, &plan(seats), &mut dice(seed), &mut |_, _| {}).expect("a world");
    (tables, state)
}

const HEX48: &str = "[map]\nlayout = \"hex48\"\ngreat_fields_per_row = 6\ngreat_field_rows = 6";

#[test]
fn every_world_has_all_sixteen_terrains_and_holds_the_laws() {
    for (house_rules, seats, seed) in [("", 1, 1), ("", 4, 2), ("", 8, 3), ("", 12, 4), (HEX48, 8, 5)] {
        let (tables, state) = world(house_rules, seats, seed);
        let terrains: BTreeSet<Terrain> = state.fields.iter().map(|field| field.terrain).collect();
        assert_eq!(terrains.len(), 16, "{seats} {seed}: {terrains:?}");
        assert!(!terrains.contains(&Terrain::Unexplored));
        assert_eq!(crate::laws::hold(&tables, &state), Ok(()));
        assert_eq!(state.realms.len(), seats);
    }
}

#[test]
fn a_start_is_that_of_the_ruling() {
    let (tables, state) = world("", 8, 6);
    for (id, realm) in &state.realms {
        let mut terrains: BTreeMap<Terrain, i64> = BTreeMap::new();
        let mut points = 0;
        let mut income = 0;
        for (_, field) in state.land_of(*id) {
            *terrains.entry(field.terrain).or_default() += 1;
            points += tables.terrain[field.terrain].population;
            income += tables.terrain[field.terrain].income;
        }
        assert_eq!(terrains, tables.start.fields, "realm {id}");
        let capital = &tables.settlement[SettlementKind::Capital];
        assert_eq!((points + capital.population, income + capital.tax), (54, 75_000));
        assert_eq!(state.capital_of(*id), Some(realm.home));
        assert_eq!(state.field(realm.home).terrain, Terrain::Plain);
        assert!(state.is_coastal(&tables, realm.home));
        let armies: Vec<(ArmyName, i64)> = state.armies_of(*id).map(|(id, army)| (id.name, army.count)).collect();
        assert_eq!(
            armies,
            [
                (ArmyName::new(Kind::Warriors, 1), 5000),
                (ArmyName::new(Kind::Riders, 1), 2000),
                (ArmyName::new(Kind::Riders, 2), 2000),
                (ArmyName::new(Kind::Fleet, 1), 20),
            ]
        );
        assert_eq!(realm.treasury, 100_000);
        assert!(realm.knowledge.len() >= 12 + 6, "terrain is known around");
    }
}

#[test]
fn a_world_may_have_other_starts() {
    for list in [
        "EB = 1, HU = 0, WH = 0, GB = 0, LW = 0, TW = 0, GR = 0",
        "EB = 2, HU = 2, WH = 0, GB = 1, LW = 0, TW = 0, GR = 1",
        "EB = 6, HU = 2, WH = 1, GB = 2, LW = 1, TW = 1, GR = 1, OA = 1",
    ] {
        let (tables, state) = world(&format!("[start]\nfields = {{ {list} }}"), 3, 9);
        let wanted: BTreeMap<Terrain, i64> = tables
            .start
            .fields
            .clone()
            .into_iter()
            .filter(|(_, n)| *n > 0)
            .collect();
        for (id, realm) in &state.realms {
            let mut terrains: BTreeMap<Terrain, i64> = BTreeMap::new();
            for (_, field) in state.land_of(*id) {
                *terrains.entry(field.terrain).or_default() += 1;
            }
            assert_eq!(terrains, wanted, "realm {id}");
            assert_eq!(state.field(realm.home).terrain, Terrain::Plain);
        }
        assert_eq!(crate::laws::hold(&tables, &state), Ok(()));
    }
}

#[test]
fn a_world_may_leave_its_start_areas_unsearched() {
    let (_, state) = world("[mine]\nsearch_start_areas = false", 2, 10);
    assert!(state.fields.iter().all(|field| field.ground == Underground::Unsearched));
    let (_, state) = world("", 2, 10);
    assert!(state.fields.iter().any(|field| field.ground != Underground::Unsearched));
}

#[test]
fn the_first_goods_cover_the_demand_of_sixty_points() {
    let (tables, state) = world("", 2, 7);
    for id in state.realms.keys() {
        let mut supply = crate::state::Points::default();
        for (_, field) in state.land_of(*id) {
            for (good, points) in crate::production::yields(&tables, field).iter() {
                supply[good] += points;
            }
        }
        let supply: Vec<i64> = Good::main().map(|good| supply[good]).collect();
        assert_eq!(supply, [10, 8, 8, 5, 2, 8, 8, 6, 3, 3]);
    }
}

#[test]
fn capitals_lie_apart_and_starts_are_fair() {
    for (seats, seed) in [(2, 1), (6, 2), (12, 3), (12, 4)] {
        let (tables, state) = world("", seats, seed);
        let homes: Vec<FieldIndex> = state.realms.values().map(|realm| realm.home).collect();
        for (at, home) in homes.iter().enumerate() {
            for other in &homes[at + 1..] {
                assert!(state.chart.distance(*home, *other) >= tables.start.min_distance_between_capitals);
            }
        }
        let fairness = fairness(&tables, &state);
        assert_eq!(fairness.per_start.len(), seats);
        assert!(fairness.percent >= 80, "{seats} {seed}: {fairness:?}");
    }
}

#[test]
fn rivers_flow_between_land_and_some_exist() {
    let (tables, state) = world("", 8, 8);
    let mut edges = 0;
    for field in state.chart.fields() {
        for (direction, other) in state.chart.neighbours(field) {
            if state.field(field).rivers.has(direction) {
                edges += 1;
                assert!(!tables.is_water(state.field(field).terrain) && !tables.is_water(state.field(other).terrain));
            }
        }
    }
    assert!(edges > 40, "{edges}");
}

#[test]
fn creatures_keep_away_from_starts_and_live_where_they_belong() {
    let (tables, state) = world("", 12, 9);
    let owned: Vec<FieldIndex> = state
        .chart
        .fields()
        .filter(|field| state.field(*field).owner.is_played())
        .collect();
    let mut dragons = 0;
    let mut places = BTreeSet::new();
    for band in state.bands.values() {
        let habitat = &tables.creature[band.creature].habitat;
        let terrain = state.field(band.field).terrain;
        assert!(habitat.is_empty() || habitat.contains(&terrain));
        assert_eq!(tables.is_water(terrain), band.creature.is_at_sea());
        assert!(owned.iter().all(|own| state.chart.distance(*own, band.field) > 3));
        assert!(places.insert(band.field), "one band to a field");
        dragons += usize::from(band.creature == Creature::Dragon);
    }
    assert_eq!(dragons, 1);
    let free = state.chart.fields().filter(|field| {
        let here = state.field(*field);
        here.settlement.is_some() && !here.owner.is_played()
    });
    assert!(free.count() > 10);
}

#[test]
fn the_same_die_makes_the_same_world_and_another_another() {
    let (_, one) = world("", 4, 10);
    assert_eq!(one, world("", 4, 10).1);
    assert_ne!(one, world("", 4, 11).1);
}

#[test]
fn peoples_are_chosen_by_their_code_and_unknown_ones_refused() {
    let tables = Tables::book();
    let seat = |kind: &str| SeatPlan {
        kind: kind.to_owned(),
        ..SeatPlan::default()
    };
    let make = |seats: Vec<SeatPlan>| create(&tables, "", &WorldPlan { seats }, &mut dice(1), &mut |_, _| {});
    let state = make(vec![seat("berg"), seat("")]).expect("a world");
    let peoples: Vec<People> = state.realms.values().map(|realm| realm.people).collect();
    assert_eq!(peoples, [People::Mountain, People::Ordinary]);
    assert!(make(vec![seat("elfen")]).is_err());
    assert!(make(Vec::new()).is_err());
}
