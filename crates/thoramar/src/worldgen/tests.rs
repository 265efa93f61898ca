//! Laws of every generated world.

use super::relief::CLOSED;
use super::*;
use crate::codes::{Climate, Condition, Kind};
use crate::{geo, laws};
use kernel::dice::WorldSecret;
use kernel::game::SeatPlan;
use kernel::hex::Direction;
use std::collections::{BTreeSet, VecDeque};
use std::sync::OnceLock;

fn plan(realms: usize) -> WorldPlan {
    let seats = (1..=realms).map(|n| SeatPlan {
        realm: format!("Realm {n}"),
        player: format!("Player {n}"),
        kind: String::new(),
    });
    WorldPlan { seats: seats.collect() }
}

fn sized(columns: u32, rows: u32) -> Tables {
    Tables::with_overrides(&format!("[world]\ncolumns = {columns}\nrows = {rows}")).expect("a sound size")
}

fn made(tables: &Tables, realms: usize, seed: u8) -> Result<State, NoWorld> {
    let mut dice = Dice::Keyed(WorldSecret([seed; 32]).step(0));
    create(tables, "", &plan(realms), &mut dice, &mut |_, _| {})
}

fn world(columns: u32, rows: u32, realms: usize, seed: u8) -> (Tables, State) {
    let tables = sized(columns, rows);
    let state = made(&tables, realms, seed).expect("there is room");
    (tables, state)
}

/// Small and middling worlds of several seeds, made once for all laws.
fn worlds() -> &'static [(Tables, State)] {
    static WORLDS: OnceLock<Vec<(Tables, State)>> = OnceLock::new();
    WORLDS.get_or_init(|| {
        let sizes = [(12, 10, 1), (24, 20, 2), (40, 30, 4), (60, 40, 8), (80, 48, 12)];
        let seeds = |(columns, rows, realms)| (1..=6).map(move |seed| world(columns, rows, realms, seed));
        sizes.into_iter().flat_map(seeds).collect()
    })
}

#[test]
fn the_same_seed_makes_the_same_world_and_another_another() {
    let tables = sized(24, 20);
    let one = made(&tables, 2, 1).expect("there is room");
    assert_eq!(one, made(&tables, 2, 1).expect("there is room"));
    let terrains = |state: &State| state.fields.iter().map(|field| field.terrain).collect::<Vec<_>>();
    let others: Vec<_> = (2..=9)
        .map(|seed| terrains(&made(&tables, 2, seed).expect("there is room")))
        .collect();
    assert!(others.iter().all(|other| *other != terrains(&one)));
}

#[test]
fn a_world_of_another_number_is_another_with_the_same_dice() {
    let numbered = |number: u32| {
        let rules = format!("[world]\ncolumns = 24\nrows = 20\nseed = {number}");
        let tables = Tables::with_overrides(&rules).expect("a sound number");
        made(&tables, 2, 1).expect("there is room")
    };
    let first = made(&sized(24, 20), 2, 1).expect("there is room");
    assert_eq!(numbered(1).fields, first.fields, "the first is that of the book");
    let others: Vec<State> = [0, 2, 3].map(numbered).into();
    for (place, other) in others.iter().enumerate() {
        assert!(other.fields != first.fields && others[..place].iter().all(|one| one.fields != other.fields));
        let peoples = |state: &State| {
            state
                .realms
                .values()
                .map(|realm| realm.culture.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(peoples(other), peoples(&first), "only the map is another");
    }
}

/// The land fields of a world by climate.
fn land_of(tables: &Tables, state: &State, climate: Climate) -> Vec<FieldIndex> {
    let land = state
        .grid
        .fields()
        .filter(|field| tables.is_land(state.field(*field).terrain));
    land.filter(|field| geo::climate(&tables.world, &state.grid, *field) == climate)
        .collect()
}

#[test]
fn what_grows_is_what_the_climate_lets_grow() {
    use crate::codes::Family;
    for (tables, state) in worlds() {
        for (climate, never) in [
            (Climate::Tropical, &[Family::IceDesert, Family::Ice][..]),
            (Climate::Temperate, &[Family::IceDesert, Family::Ice, Family::Jungle]),
            (Climate::Polar, &[Family::Jungle, Family::Desert]),
        ] {
            for field in land_of(tables, state, climate) {
                let terrain = state.field(field).terrain;
                let stray = never.iter().find(|family| tables.is_of(terrain, **family));
                assert_eq!(stray, None, "{terrain:?} in {climate:?}");
            }
        }
    }
}

#[test]
fn ice_lies_in_sheets_and_not_in_speckles() {
    for seed in 1..=4 {
        let (tables, state) = world(120, 70, 4, seed);
        let frozen = |field: FieldIndex| {
            let families = [crate::codes::Family::Ice, crate::codes::Family::IceDesert];
            families
                .iter()
                .any(|family| tables.is_of(state.field(field).terrain, *family))
        };
        let (mut same, mut pairs) = (0, 0);
        for field in land_of(&tables, &state, Climate::Polar) {
            for (_, beside) in state.grid.neighbours(field) {
                if tables.is_land(state.field(beside).terrain) {
                    pairs += 1;
                    same += u32::from(frozen(field) == frozen(beside));
                }
            }
        }
        assert!(
            same * 100 >= pairs * 85,
            "seed {seed}: {same} of {pairs} neighbours are alike"
        );
    }
}

#[test]
fn rivers_gather_instead_of_running_side_by_side() {
    for seed in 1..=4 {
        let (tables, state) = world(120, 70, 4, seed);
        // A field with a river on two opposite sides lies between two streams or in a narrow loop.
        let land = state
            .grid
            .fields()
            .filter(|field| tables.is_land(state.field(*field).terrain));
        let (mut watered, mut between) = (0, 0);
        for field in land {
            let rivers = state.field(field).rivers;
            watered += u32::from(rivers != Sides::NONE);
            let opposite = Direction::ALL[..3]
                .iter()
                .any(|side| rivers.has(*side) && rivers.has(side.opposite()));
            between += u32::from(opposite);
        }
        assert!(
            between * 100 <= watered * 12,
            "seed {seed}: {between} of {watered} fields lie between streams"
        );
    }
}

#[test]
fn every_world_keeps_the_laws_of_worlds() {
    for (tables, state) in worlds() {
        assert_eq!(laws::hold(tables, state), Ok(()));
    }
}

#[test]
fn capitals_stand_on_lowland_apart_from_each_other_with_land_all_around_and_the_sea_near() {
    for (tables, state) in worlds() {
        let origins: Vec<FieldIndex> = state.realms.values().map(|realm| realm.origin).collect();
        for (id, realm) in &state.realms {
            let field = state.field(realm.origin);
            assert_eq!((field.terrain, field.owner), (Terrain::Lowland, *id));
            let site = field.building().expect("a capital");
            assert_eq!((site.building, site.condition), (Building::Capital, Condition::Intact));
            let level = |field: FieldIndex| matches!(tables.height(state.field(field).terrain), Some(1 | 2));
            let beside: Vec<FieldIndex> = state.grid.neighbours(realm.origin).map(|(_, field)| field).collect();
            assert!(beside.len() == 6 && beside.into_iter().all(level));
            let near = state.grid.range(realm.origin, 4);
            assert!(
                near.into_iter()
                    .any(|field| tables.is_water(state.field(field).terrain))
            );
            let others = origins.iter().filter(|other| **other != realm.origin);
            assert!(
                others
                    .into_iter()
                    .all(|other| state.grid.distance(*other, realm.origin) >= 8)
            );
        }
    }
}

#[test]
fn a_realm_begins_with_its_capital_and_400_000_gold_and_knows_seven_fields() {
    let (_, state) = world(40, 30, 4, 3);
    for (id, realm) in &state.realms {
        assert_eq!((realm.treasury, realm.account), (400_000, Some(15)));
        assert_eq!(state.fields.iter().filter(|field| field.owner == *id).count(), 1);
        assert_eq!(state.armies_of(*id).count(), 0);
        let around = state.grid.range(realm.origin, 1).into_iter().collect::<BTreeSet<_>>();
        assert_eq!(realm.knowledge.keys().copied().collect::<BTreeSet<_>>(), around);
        let capital = &realm.knowledge[&realm.origin].field;
        assert_eq!(
            (capital.building, capital.sides_known),
            (Some(Building::Capital), Sides::ALL)
        );
        for (direction, field) in state.grid.neighbours(realm.origin) {
            let known = &realm.knowledge[&field].field;
            let mut facing = Sides::NONE;
            facing.insert(direction.opposite());
            assert_eq!((known.sides_known, known.condition), (facing, None));
        }
        assert_eq!(
            (realm.name.clone(), realm.player.clone()),
            (format!("Realm {id}"), format!("Player {id}"))
        );
    }
}

#[test]
fn house_rules_may_grant_armies_and_spare_players_the_fee() {
    let tables = Tables::with_overrides(
        "[world]\ncolumns = 24\nrows = 20\n[account]\nfee_per_turn = 0\n[start]\ntreasury = 7\n\
         armies = [{ kind = \"K.M\", count = 2000 }, { kind = \"S.L\", count = 10 }, { kind = \"K.M\", count = 300 }]",
    )
    .expect("sound");
    let state = made(&tables, 1, 1).expect("there is room");
    let realm = &state.realms[&RealmId(1)];
    assert_eq!((realm.treasury, realm.account), (7, None));
    let army = |kind, number| state.army(ArmyId::new(RealmId(1), kind, number)).expect("granted");
    assert_eq!(army(Kind::MediumWarrior, 1).count, 2000);
    assert_eq!(
        (army(Kind::MediumWarrior, 2).count, army(Kind::MediumWarrior, 2).field),
        (300, realm.origin)
    );
    let fleet = army(Kind::LightShip, 1);
    assert!(fleet.count == 10 && tables.is_water(state.field(fleet.field).terrain));
    assert_eq!(realm.knowledge[&realm.origin].armies.len(), 2);
}

#[test]
fn starts_are_worth_about_the_same() {
    let mut unfair = Vec::new();
    for (tables, state) in worlds() {
        let fairness = fairness(tables, state);
        assert_eq!(fairness.per_start.len(), state.realms.len());
        assert_eq!(fairness.percent, fairness.lowest * 100 / fairness.highest);
        if fairness.percent < 96 {
            unfair.push((state.grid, fairness));
        }
    }
    assert!(unfair.is_empty(), "{unfair:?}");
}

#[test]
fn the_worth_of_a_start_counts_the_heartland_twice_and_walks_no_cliffs() {
    let (tables, mut state) = world(24, 20, 1, 1);
    let realm = middle(&state.grid);
    for start in state.realms.values_mut() {
        start.origin = realm;
    }
    for field in &mut state.fields {
        field.terrain = Terrain::Lowland;
    }
    // 37 fields within three steps twice and 54 beyond once, 3,000 gold each; in the middle none of them lies at a pole.
    assert_eq!(fairness(&tables, &state).lowest, (2 * 37 + 54) * 3000);
    for (_, beside) in state.grid.neighbours(realm) {
        state.field_mut(beside).terrain = Terrain::Mountain;
    }
    assert_eq!(fairness(&tables, &state).lowest, 2 * 3000, "two steps up at once");
}

/// The corners of an edge, by the three fields that meet there: the two of the edge and one at each end.
fn ends(state: &State, field: FieldIndex, side: Direction) -> [Option<FieldIndex>; 2] {
    [side.rotate(-1), side.rotate(1)].map(|direction| state.grid.neighbour(field, direction))
}

#[test]
fn every_river_flows_downhill_to_the_sea() {
    for (tables, state) in worlds() {
        let height = |field: FieldIndex| tables.height(state.field(field).terrain);
        // An edge is named by the field that has it on side 1, 2 or 3.
        let mut edges = BTreeSet::new();
        for field in state.grid.fields() {
            let own = Direction::ALL[..3]
                .iter()
                .filter(|side| state.field(field).rivers.has(**side));
            edges.extend(own.map(|side| (field, *side)));
        }
        assert!(!edges.is_empty(), "a world without rivers");
        // A corner is named by its three fields in order; its level is the lowest of them.
        let corners = |(field, side): (FieldIndex, Direction)| {
            let beside = state.grid.neighbour(field, side).expect("a river has two sides");
            assert!(height(field) > Some(0) && height(beside) > Some(0), "a river at sea");
            ends(state, field, side).into_iter().flatten().map(move |end| {
                let mut fields = [field, beside, end];
                fields.sort_unstable();
                fields
            })
        };
        let level = |corner: &[FieldIndex; 3]| corner.iter().filter_map(|field| height(*field)).min();
        let mut meeting: BTreeMap<[FieldIndex; 3], Vec<(FieldIndex, Direction)>> = BTreeMap::new();
        for edge in &edges {
            corners(*edge).for_each(|corner| meeting.entry(corner).or_default().push(*edge));
        }
        let mut reached = BTreeSet::new();
        let mouths = meeting.keys().filter(|corner| level(corner) == Some(0));
        let mut open: VecDeque<[FieldIndex; 3]> = mouths.copied().collect();
        while let Some(corner) = open.pop_front() {
            for edge in &meeting[&corner] {
                let upstream = corners(*edge).find(|end| *end != corner);
                let up = upstream.filter(|up| level(up) >= level(&corner) && !reached.contains(edge));
                if let Some(up) = up {
                    reached.insert(*edge);
                    open.push_back(up);
                }
            }
        }
        assert_eq!(
            edges.difference(&reached).count(),
            0,
            "rivers that do not come from the hills and reach the sea"
        );
    }
}

#[test]
fn cliffs_are_the_exception() {
    for (tables, state) in worlds() {
        let (mut steps, mut cliffs) = (0u32, 0u32);
        for field in state.grid.fields() {
            for (_, beside) in state.grid.neighbours(field) {
                let heights = [field, beside].map(|field| tables.height(state.field(field).terrain));
                if let [Some(1..), Some(1..)] = heights {
                    steps += 1;
                    cliffs += u32::from(heights[0].zip(heights[1]).is_some_and(|(a, b)| (a - b).abs() > 1));
                }
            }
        }
        assert!(cliffs * 100 <= steps * 4, "{cliffs} of {steps} steps are cliffs");
    }
}

#[test]
fn unknown_ground_lies_at_the_poles_and_nowhere_else_and_the_deep_sea_away_from_coasts() {
    for (tables, state) in worlds() {
        let last = i64::from(state.grid.rows()) - 1;
        for field in state.grid.fields() {
            let row = state.grid.doubled(field).y;
            let terrain = state.field(field).terrain;
            assert_eq!(terrain == Terrain::Unknown, row == 0 || row == last);
            let coast = || {
                state
                    .grid
                    .range(field, 2)
                    .into_iter()
                    .any(|near| tables.is_land(state.field(near).terrain))
            };
            assert!(terrain != Terrain::DeepSea || !coast());
            let ice = matches!(
                terrain,
                Terrain::Ice | Terrain::LowlandIceDesert | Terrain::HighlandIceDesert
            );
            assert!(!ice || geo::climate(&tables.world, &state.grid, field) == Climate::Polar);
        }
    }
}

#[test]
fn a_world_of_full_size_has_every_terrain_and_most_land_is_good_for_something() {
    let (tables, state) = world(200, 116, 12, 5);
    let found: BTreeSet<Terrain> = state.fields.iter().map(|field| field.terrain).collect();
    let wanted: BTreeSet<Terrain> = Terrain::ALL
        .iter()
        .copied()
        .filter(|terrain| *terrain != Terrain::Unexplored)
        .collect();
    assert_eq!(found, wanted);
    let land = state
        .fields
        .iter()
        .filter(|field| tables.is_land(field.terrain))
        .count();
    assert!(
        (35..=50).contains(&(land * 100 / state.fields.len())),
        "{land} land fields"
    );
    let of = |terrain| state.fields.iter().filter(|field| field.terrain == terrain).count();
    let seas = [Terrain::Water, Terrain::DeepSea, Terrain::Whirlpool, Terrain::Reef].map(of);
    assert!(seas[2] * 30 < seas[1] && seas[3] * 10 < seas[0], "{seas:?}");
    assert!(fairness(&tables, &state).percent >= 96);
}

#[test]
fn mines_gates_and_beasts_are_as_many_as_the_rulings_say_and_not_too_near() {
    let (tables, state) = world(80, 48, 12, 2);
    let land = state
        .fields
        .iter()
        .filter(|field| tables.is_land(field.terrain))
        .count();
    let origins: Vec<FieldIndex> = state.realms.values().map(|realm| realm.origin).collect();
    let far = |field: FieldIndex| origins.iter().map(|origin| state.grid.distance(*origin, field)).min();
    let sites = |building| -> Vec<FieldIndex> {
        let stands = |field: &FieldIndex| {
            state
                .field(*field)
                .building()
                .is_some_and(|site| site.building == building)
        };
        state.grid.fields().filter(stands).collect()
    };
    let mines = sites(Building::Mine);
    assert_eq!(mines.len(), (land + 75) / 150);
    for mine in mines {
        let site = state.field(mine).building().expect("a mine");
        assert!((20_000..=120_000).contains(&site.mine_reserve) && site.mine_reserve % 1000 == 0);
        assert_eq!(site.condition, Condition::Intact);
    }
    let gates = sites(Building::Gate);
    assert_eq!(gates.len(), 12, "one for each realm");
    let codes: BTreeSet<u16> = gates
        .iter()
        .filter_map(|gate| state.field(*gate).building()?.gate_code)
        .collect();
    assert!(codes.len() == 12 && codes.iter().all(|code| (1..=99).contains(code)));
    for gate in gates {
        assert_eq!(
            state.field(gate).building().map(|site| site.condition),
            Some(Condition::Ruin)
        );
        assert!(far(gate) >= Some(5));
    }
    let fields = state
        .fields
        .iter()
        .filter(|field| field.terrain != Terrain::Unknown)
        .count();
    // Two in a hundred of the fields that lie more than three fields from capitals, give or take chance.
    let packs = state.armies_of(RealmId::NOBODY).count();
    assert!(
        (fields / 100..fields * 3 / 100).contains(&packs),
        "{packs} packs on {fields} fields"
    );
    for (id, army) in state.armies_of(RealmId::NOBODY) {
        let pack = tables.monsters.kind[id.kind()].as_ref().expect("a monster");
        assert!(crate::monsters::suits(&tables, &state, pack, army.field), "{id}");
        assert!((pack.size.min..=pack.size.max).contains(&army.count) && army.command == pack.command);
        assert!(far(army.field) > Some(3));
    }
}

#[test]
fn few_realms_find_four_gates() {
    let (_, state) = world(40, 30, 2, 1);
    let gate = |field: &&Field| field.building().is_some_and(|site| site.building == Building::Gate);
    assert_eq!(state.fields.iter().filter(gate).count(), 4);
}

#[test]
fn impossible_plans_are_refused_in_words() {
    let small = sized(12, 10);
    let refusal = made(&small, 9, 1).expect_err("no room").to_string();
    assert!(refusal.contains("9 capitals"), "{refusal}");
    assert!(refusal.ends_with("about 3085 fields would do"), "{refusal}");
    let frozen =
        Tables::with_overrides("[world]\ncolumns = 40\nrows = 30\ntropic_max_lat_pct = 0\ntemperate_max_lat_pct = 0")
            .expect("sound");
    let refusal = made(&frozen, 2, 1).expect_err("nobody starts in the ice").to_string();
    assert!(refusal.ends_with("less cold"), "{refusal}");
    assert!(made(&small, 0, 1).is_err());
    let mut odd = plan(1);
    odd.seats[0].kind = "vampire".to_owned();
    let mut dice = Dice::Typical(50);
    let refusal = create(&small, "", &odd, &mut dice, &mut |_, _| {})
        .expect_err("no such kind")
        .to_string();
    assert!(refusal.contains("vampire") && refusal.contains("nomad"), "{refusal}");
}

#[test]
fn pirates_begin_nearest_to_the_sea_and_every_seat_gets_its_kind() {
    let tables = sized(60, 40);
    let mut plan = plan(6);
    plan.seats[3].kind = "pirate".to_owned();
    plan.seats[4].kind = "Nomad".to_owned();
    let mut dice = Dice::Keyed(WorldSecret([4; 32]).step(0));
    let state = create(&tables, "", &plan, &mut dice, &mut |_, _| {}).expect("there is room");
    let kinds: Vec<&str> = state.realms.values().map(|realm| realm.kind.code()).collect();
    assert_eq!(
        kinds,
        ["ordinary", "ordinary", "ordinary", "pirate", "nomad", "ordinary"]
    );
    let chart = Chart::new(state.grid);
    let water = |field: &usize| tables.is_water(state.fields[*field].terrain);
    let seas = chart.area_sizes(|field| water(&field));
    let to_sea = chart.distances((0..chart.len()).filter(|field| seas[*field] >= 12));
    let nearness = |id: u16| to_sea[state.realms[&RealmId(id)].origin.index()];
    assert!((1..=6).all(|id| nearness(4) <= nearness(id)));
}

#[test]
fn progress_grows_to_its_end() {
    let tables = sized(24, 20);
    let mut heard = Vec::new();
    let mut dice = Dice::Keyed(WorldSecret([1; 32]).step(0));
    create(&tables, "", &plan(1), &mut dice, &mut |done, total| {
        heard.push((done, total))
    })
    .expect("there is room");
    assert!(heard.is_sorted() && heard.last() == Some(&(PARTS, PARTS)));
}

#[test]
fn a_world_may_end_in_the_east_and_west() {
    let tables = Tables::with_overrides("[world]\ncolumns = 40\nrows = 30\nwrap_east_west = false").expect("sound");
    let state = made(&tables, 3, 1).expect("there is room");
    assert_eq!(state.grid.wrap(), Wrap::Plane);
    assert_eq!(laws::hold(&tables, &state), Ok(()));
}

#[test]
fn the_poles_are_closed_in_the_relief() {
    let tables = sized(24, 20);
    let grid = Grid::new(24, 20, Wrap::Cylinder).expect("a sound size");
    let chart = Chart::new(grid);
    let relief = Relief::shape(
        &tables,
        &chart,
        Lot::thrown(&mut Dice::Typical(50), crate::rule::GAP_01),
        500,
    );
    let closed = relief.heights.iter().filter(|height| **height == CLOSED).count();
    assert_eq!(closed, 2 * 24);
    // Half of the open fields, rounded by less than one.
    let land = (0..chart.len()).filter(|field| relief.is_land(*field)).count();
    assert!(land.abs_diff(18 * 24 / 2) <= 1);
}
