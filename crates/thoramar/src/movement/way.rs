//! Whether a step is possible and what it costs (THO-MOVE-02..09, THO-TERR-01, -02).
//!
//! Nothing here knows of a running turn: route planners and computer players ask about the world as far as they know it,
//! where [`Terrain::Unexplored`] stands for fields never seen.

use crate::codes::{Kind, Terrain, Treaty};
use crate::event::Obstacle;
use crate::rule;
use crate::season::Season;
use crate::state::{ArmyId, State};
use crate::tables::Tables;
use kernel::hex::{Direction, FieldIndex};
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use std::sync::OnceLock;

/// What a step from a field costs that the traveller has never seen.
const UNEXPLORED_COST: i64 = 2;

/// Who goes: an army, or a group with what its members have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traveller {
    /// Its realm.
    pub realm: RealmId,
    /// Its kind.
    pub kind: Kind,
    /// Whether riders are among them (THO-MOVE-07). A group goes as its most hampered member.
    pub rides: bool,
    /// Whether medium engines are among them (THO-UNIT-12).
    pub drags: bool,
}

impl Traveller {
    /// An army that goes alone.
    pub const fn alone(realm: RealmId, kind: Kind) -> Self {
        let rides = matches!(kind, Kind::LightRider | Kind::MediumRider | Kind::HeavyRider);
        Self {
            realm,
            kind,
            rides,
            drags: matches!(kind, Kind::MediumEngine),
        }
    }

    /// A group of these kinds.
    pub fn group(realm: RealmId, kind: Kind, members: impl IntoIterator<Item = Kind>) -> Self {
        let mut group = Self::alone(realm, kind);
        for member in members {
            let member = Self::alone(realm, member);
            group.rides |= member.rides;
            group.drags |= member.drags;
        }
        group
    }

    pub(super) fn of(season: &Season, id: ArmyId) -> Self {
        if id.kind().is_group() {
            Self::group(id.realm, id.kind(), season.followers(id).into_iter().map(ArmyId::kind))
        } else {
            Self::alone(id.realm, id.kind())
        }
    }
}

/// A possible step, and what its price and its dangers depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    /// Where it leads.
    pub to: FieldIndex,
    /// The terrain it leaves.
    pub terrain: Terrain,
    /// A difference in height.
    pub climbs: bool,
    /// A road joins the two fields.
    pub road: bool,
    /// A river on the edge.
    pub river: bool,
    /// A bridge over it.
    pub bridge: bool,
    /// A wall on the target's side, neither own nor a partner's.
    pub wall: bool,
    /// A wall on the target's side that is own or a partner's and costs nothing.
    pub friendly_wall: bool,
    /// It begins on foreign land.
    pub abroad: bool,
    /// It begins on the traveller's own land.
    pub at_home: bool,
    /// Riders in mountains, jungle or swamp.
    pub hampered: bool,
    /// It leads across the seam where east meets west.
    pub across_the_seam: bool,
}

/// Whether a traveller can go from a field in a direction, and on what ground.
///
/// THO-MAP-08 (unknown terrain), THO-MOVE-09 (ships on water, armies on land), THO-TERR-02 (heights), THO-PRIEST-04
/// (normal demons before blessed fields). Points, fights and meetings are the march's business.
pub fn way(
    tables: &Tables,
    state: &State,
    traveller: Traveller,
    from: FieldIndex,
    direction: Direction,
) -> Result<Way, Obstacle> {
    let to = state.grid.neighbour(from, direction).ok_or(Obstacle::UnknownTerrain)?;
    let ground = state.field(to);
    match ground.terrain {
        Terrain::Unexplored => {}
        Terrain::Unknown => return Err(Obstacle::UnknownTerrain),
        terrain if traveller.kind.sails() && !tables.is_water(terrain) => return Err(Obstacle::Land),
        terrain if traveller.kind.walks() && tables.is_water(terrain) => return Err(Obstacle::Water),
        _ => {}
    }
    let terrain = state.field(from).terrain;
    let rise = match (tables.height(terrain), tables.height(ground.terrain)) {
        (Some(here), Some(there)) => (here - there).abs(),
        _ => 0,
    };
    if rise > tables.move_surcharge.max_height_difference {
        return Err(Obstacle::Height);
    }
    if traveller.kind == Kind::Demon && ground.is_blessed() {
        return Err(Obstacle::Blessed);
    }
    Ok(Way {
        climbs: rise > 0,
        ..shore(tables, state, traveller, from, direction, to)
    })
}

/// The ground of a step whose difference in height does not count: between land and sea (THO-TERR-03).
pub fn shore(
    tables: &Tables,
    state: &State,
    traveller: Traveller,
    from: FieldIndex,
    direction: Direction,
    to: FieldIndex,
) -> Way {
    let here = state.field(from);
    let columns = i64::from(state.grid.columns());
    let wall = faces_wall(state, traveller.realm, to, direction);
    Way {
        to,
        terrain: here.terrain,
        climbs: false,
        road: here.roads.has(direction),
        river: here.rivers.has(direction),
        bridge: here.bridges.has(direction),
        wall,
        friendly_wall: !wall && state.field(to).walls.has(direction.opposite()),
        abroad: is_abroad(tables, state, traveller.realm, from),
        at_home: here.owner == traveller.realm,
        hampered: traveller.rides && tables.hampers_riders(here.terrain),
        across_the_seam: (state.grid.doubled(from).d - state.grid.doubled(to).d).abs() > columns,
    }
}

/// Whether a step in `direction` onto `to` meets a wall that is neither the realm's nor a partner's.
///
/// THO-MOVE-05, THO-MAP-10: a wall belongs to the field behind it (GAP-05).
pub fn faces_wall(state: &State, realm: RealmId, to: FieldIndex, direction: Direction) -> bool {
    let field = state.field(to);
    field.walls.has(direction.opposite()) && !state.are_partners(field.owner, realm)
}

/// Whether a realm's army stands on foreign land there.
///
/// THO-MOVE-06, GAP-13: realm 0 land counts as own, a partner's is not foreign, that of a non-aggression pact is.
pub fn is_abroad(tables: &Tables, state: &State, realm: RealmId, field: FieldIndex) -> bool {
    let owner = state.field(field).owner;
    if !owner.is_played() || owner == realm {
        return false;
    }
    match state.treaty(owner, realm) {
        Treaty::NoTreaty => true,
        Treaty::NonAggression => tables.movement.nap_land_is_foreign,
        Treaty::Partnership => tables.movement.partner_land_is_foreign,
    }
}

/// The movement points that a step costs.
///
/// THO-MOVE-02..07, THO-NET-01..03, GAP-13: the terrain left, or 1 along a road; one more each for a difference in height, a
/// river without a bridge, a foreign wall, foreign land and hampered riders, who are spared on a road.
pub fn step_cost(tables: &Tables, way: &Way) -> i32 {
    let price = &tables.move_surcharge;
    let eased = way.road && tables.movement.road_removes_rider_surcharge;
    let base = if way.road {
        price.road_base
    } else {
        tables.move_cost(way.terrain).unwrap_or(UNEXPLORED_COST)
    };
    let surcharges = [
        (way.climbs, price.height_difference),
        (way.river && !way.bridge, price.river_without_bridge),
        (way.wall, price.foreign_wall),
        (way.abroad, price.foreign_realm),
        (way.hampered && !eased, price.rider_mountain_jungle_swamp),
    ];
    let cost = surcharges
        .iter()
        .filter(|(due, _)| *due)
        .fold(base, |cost, (_, more)| cost + more);
    i32::try_from(cost).unwrap_or(i32::MAX)
}

/// The rules that made a step cost what it costs.
pub fn step_rules(way: &Way, group: bool, borrows: bool) -> &'static [RuleId] {
    march_rules(way, group, borrows, Bearing::default())
}

/// What of the traveller itself decides a step: its pace, its gear, whether it is spared the dangers of the ground. What it loses there
/// has events of its own.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bearing {
    slow: bool,
    drags: bool,
    endangered: bool,
    fit: bool,
}

impl Bearing {
    pub(super) fn of(tables: &Tables, traveller: Traveller, fit: Option<Terrain>, way: &Way) -> Self {
        let endangered = tables.is_loss_terrain(way.terrain);
        Self {
            slow: traveller.kind.is_wizard() || traveller.kind == Kind::Archdemon,
            drags: traveller.drags,
            endangered,
            fit: endangered && fit.is_some(),
        }
    }
}

/// The rules of a step with those that decided it for this traveller. Armies make steps by the hundred thousand, so every list is made
/// once.
pub(super) fn march_rules(way: &Way, group: bool, borrows: bool, bearing: Bearing) -> &'static [RuleId] {
    type Lists = [OnceLock<Vec<RuleId>>; 1 << 4];
    static LISTS: [OnceLock<Box<Lists>>; 1 << 12] = [const { OnceLock::new() }; 1 << 12];
    let traits = [
        way.climbs,
        way.road,
        way.river,
        way.bridge,
        way.wall,
        way.friendly_wall,
        way.abroad,
        way.at_home,
        way.hampered,
        way.across_the_seam,
        group,
        borrows,
    ];
    let own = [bearing.slow, bearing.drags, bearing.endangered, bearing.fit];
    let number = |traits: &[bool]| traits.iter().fold(0, |number, has| number << 1 | usize::from(*has));
    let lists = LISTS[number(&traits)].get_or_init(Box::default);
    lists[number(&own)].get_or_init(|| {
        let mut rules = list_step_rules(way, group, borrows);
        add_traveller_rules(&mut rules, bearing);
        rules
    })
}

fn add_traveller_rules(rules: &mut Vec<RuleId>, bearing: Bearing) {
    if bearing.slow {
        rules.push(rule::MOVE_11);
    }
    if bearing.drags {
        rules.push(rule::UNIT_12);
    }
    if bearing.endangered {
        rules.push(rule::TERR_06);
    }
    if bearing.fit {
        rules.extend([rule::ARM_07, rule::GAP_25]);
    }
}

/// Whoever borrows points meets the end of the turn at once.
fn list_step_rules(way: &Way, group: bool, borrows: bool) -> Vec<RuleId> {
    let mut rules = vec![
        rule::MOVE_01,
        rule::MOVE_02,
        rule::UNIT_05,
        rule::ORD_06,
        rule::TIME_01,
        rule::GAP_13,
    ];
    let mut also = |due: bool, more: &[RuleId]| {
        if due {
            rules.extend_from_slice(more);
        }
    };
    also(!way.road, &[rule::TERR_01]);
    also(way.road, &[rule::NET_01]);
    also(way.climbs, &[rule::MOVE_03, rule::TERR_02]);
    let wall = way.wall || way.friendly_wall;
    also(way.river, &[rule::MOVE_04]);
    also(way.river && way.bridge, &[rule::NET_02]);
    also(wall, &[rule::MOVE_05]);
    also(way.wall, &[rule::NET_03]);
    also(way.river || wall || way.road, &[rule::MAP_10]);
    also(!way.at_home, &[rule::MOVE_06]);
    also(way.hampered, &[rule::MOVE_07]);
    also(way.across_the_seam, &[rule::MAP_06, rule::GAP_01]);
    also(group, &[rule::GRP_02]);
    also(borrows, &[rule::MOVE_08]);
    rules
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roster::Roster;
    use crate::state::{Field, Realm, Sides};
    use kernel::hex::{Grid, Wrap};
    use std::collections::BTreeMap;

    /// A step over plain lowland.
    fn plain() -> Way {
        Way {
            to: FieldIndex(1),
            terrain: Terrain::Lowland,
            climbs: false,
            road: false,
            river: false,
            bridge: false,
            wall: false,
            friendly_wall: false,
            abroad: false,
            at_home: true,
            hampered: false,
            across_the_seam: false,
        }
    }

    fn cost(way: Way) -> i32 {
        step_cost(&Tables::book(), &way)
    }

    #[test]
    fn the_terrain_left_is_paid_or_one_point_on_a_road() {
        let jungle = Way {
            terrain: Terrain::LowlandJungle,
            ..plain()
        };
        assert_eq!((cost(plain()), cost(Way { road: true, ..plain() })), (2, 1));
        assert_eq!((cost(jungle), cost(Way { road: true, ..jungle })), (3, 1));
        assert_eq!(
            cost(Way {
                terrain: Terrain::Unexplored,
                ..plain()
            }),
            2
        );
    }

    #[test]
    fn each_hindrance_costs_one_point_more_on_a_road_as_well() {
        for road in [false, true] {
            let base = Way { road, ..plain() };
            let more = |way| cost(way) - cost(base);
            assert_eq!(more(Way { climbs: true, ..base }), 1);
            assert_eq!(more(Way { river: true, ..base }), 1);
            assert_eq!(
                more(Way {
                    river: true,
                    bridge: true,
                    ..base
                }),
                0
            );
            assert_eq!(more(Way { wall: true, ..base }), 1);
            assert_eq!(more(Way { abroad: true, ..base }), 1);
            assert_eq!(more(Way { hampered: true, ..base }), i32::from(!road));
        }
        let worst = Way {
            climbs: true,
            river: true,
            wall: true,
            abroad: true,
            hampered: true,
            ..plain()
        };
        assert_eq!(
            cost(Way {
                terrain: Terrain::MountainSwamp,
                ..worst
            }),
            8
        );
    }

    /// Three fields in a row, west to east, of realms 1, 2 and nobody.
    fn row(terrains: [Terrain; 3]) -> (State, [FieldIndex; 3]) {
        let grid = Grid::new(12, 10, Wrap::Cylinder).expect("a small world");
        let mut fields = vec![Field::wild(Terrain::Lowland); grid.field_count() as usize];
        let west = FieldIndex(24);
        let middle = grid.neighbour(west, Direction::East).expect("a field");
        let east = grid.neighbour(middle, Direction::East).expect("a field");
        for (place, (terrain, owner)) in [west, middle, east].iter().zip(terrains.into_iter().zip([1, 2, 0])) {
            fields[place.index()] = Field {
                owner: RealmId(owner),
                ..Field::wild(terrain)
            };
        }
        let state = State {
            turn: 0,
            grid,
            origin: west,
            fields,
            realms: BTreeMap::<RealmId, Realm>::new(),
            armies: Roster::new(),
            treaties: BTreeMap::new(),
            house_rules: String::new(),
            table_changes: Vec::new(),
            over: false,
        };
        (state, [west, middle, east])
    }

    fn try_step(state: &State, kind: Kind, from: FieldIndex) -> Result<Way, Obstacle> {
        way(
            &Tables::book(),
            state,
            Traveller::alone(RealmId(1), kind),
            from,
            Direction::East,
        )
    }

    #[test]
    fn heights_part_by_more_than_one_step() {
        use Terrain::{Highland, Lowland, Mountain};
        let (state, [low, high, peak]) = row([Lowland, Highland, Mountain]);
        assert_eq!(
            try_step(&state, Kind::LightWarrior, low).map(|way| way.climbs),
            Ok(true)
        );
        assert_eq!(
            try_step(&state, Kind::LightWarrior, high).map(|way| way.climbs),
            Ok(true)
        );
        assert_eq!(try_step(&state, Kind::LightWarrior, peak), Err(Obstacle::Height));
    }

    #[test]
    fn ships_keep_to_the_water_and_armies_to_the_land() {
        use Terrain::{Lowland, Reef, Unexplored, Unknown, Water};
        let (state, [land, water, _]) = row([Lowland, Water, Lowland]);
        assert_eq!(try_step(&state, Kind::LightWarrior, land), Err(Obstacle::Water));
        assert_eq!(try_step(&state, Kind::LightShip, water), Err(Obstacle::Land));
        let (state, [sea, reef, _]) = row([Water, Reef, Unknown]);
        assert_eq!(try_step(&state, Kind::TradeFleet, sea).map(|way| way.climbs), Ok(false));
        assert_eq!(try_step(&state, Kind::SeaGroup, reef), Err(Obstacle::UnknownTerrain));
        let (state, [land, fog, water]) = row([Lowland, Unexplored, Water]);
        assert!(try_step(&state, Kind::LightWarrior, land).is_ok());
        assert_eq!(try_step(&state, Kind::LightWarrior, fog), Err(Obstacle::Water));
        assert!(try_step(&state, Kind::Kraken, fog).is_ok());
        let _ = water;
    }

    #[test]
    fn the_poles_end_the_world() {
        let (state, _) = row([Terrain::Lowland; 3]);
        let warriors = Traveller::alone(RealmId(1), Kind::LightWarrior);
        let south = way(&Tables::book(), &state, warriors, FieldIndex(0), Direction::SouthEast);
        assert_eq!(south, Err(Obstacle::UnknownTerrain));
    }

    #[test]
    fn partner_land_is_not_foreign_and_that_of_a_pact_is() {
        let tables = Tables::book();
        let (mut state, [own, other, free]) = row([Terrain::Lowland; 3]);
        let abroad = |state: &State, field| is_abroad(&tables, state, RealmId(1), field);
        assert!(!abroad(&state, own) && abroad(&state, other) && !abroad(&state, free));
        state.treaties.insert((RealmId(1), RealmId(2)), Treaty::NonAggression);
        assert!(abroad(&state, other));
        state.treaties.insert((RealmId(1), RealmId(2)), Treaty::Partnership);
        assert!(!abroad(&state, other));
    }

    #[test]
    fn only_a_strangers_wall_on_the_crossed_side_is_in_the_way() {
        let (mut state, [own, other, _]) = row([Terrain::Lowland; 3]);
        state.field_mut(other).walls.insert(Direction::West);
        let meets = |state: &State| try_step(state, Kind::LightWarrior, own).map(|way| way.wall);
        assert_eq!(meets(&state), Ok(true));
        state.treaties.insert((RealmId(1), RealmId(2)), Treaty::NonAggression);
        assert_eq!(meets(&state), Ok(true));
        state.treaties.insert((RealmId(1), RealmId(2)), Treaty::Partnership);
        assert_eq!(meets(&state), Ok(false));
        state.treaties.clear();
        state.field_mut(other).walls = Sides::NONE;
        state.field_mut(own).walls.insert(Direction::East);
        assert_eq!(meets(&state), Ok(false));
    }

    #[test]
    fn normal_demons_stop_before_blessed_fields() {
        let (mut state, [own, other, _]) = row([Terrain::Lowland; 3]);
        state.field_mut(other).blessed_turns = 1;
        assert_eq!(try_step(&state, Kind::Demon, own), Err(Obstacle::Blessed));
        assert!(try_step(&state, Kind::Archdemon, own).is_ok());
    }

    #[test]
    fn a_group_is_hampered_like_its_riders_and_held_like_its_engines() {
        let group = |members: &[Kind]| Traveller::group(RealmId(1), Kind::LandGroup, members.iter().copied());
        let slow = group(&[Kind::LightWarrior, Kind::HeavyRider, Kind::MediumEngine]);
        assert!(slow.rides && slow.drags);
        let foot = group(&[Kind::LightWarrior, Kind::LightEngine]);
        assert!(!foot.rides && !foot.drags);
    }
}
