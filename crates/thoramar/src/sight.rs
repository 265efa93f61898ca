//! Sightings (THO-SIGHT, GAP-14): what armies see in a week, what a realm sees at home, what it remembers.
//!
//! Who stands where is written down once a week for all realms ([`WeekSight`]); each realm's share is taken from it when
//! it is needed. So sightings cost as much as there are armies and seen fields, never armies times armies.

use crate::codes::{Flag, Kind};
use crate::event::{END, Happening, Shown};
use crate::notice;
use crate::order::WEEKS;
use crate::rule;
use crate::season::{Season, SeasonTurn, shown_flag};
use crate::state::{ArmyId, ArmyName, Crowd, Field, Glimpse, Known, Realm, SeenCondition, Sides, State};
use crate::tables::Tables;
use kernel::hex::{FieldIndex, Grid};
use kernel::realm::{RealmId, Viewer};
use kernel::rule::RuleId;
use kernel::turn::Cause;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Who stood where in one week, and what every realm saw from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeekSight {
    /// What can be seen of every field, all six sides; the same for all weeks of a turn.
    pub ground: Arc<Vec<Glimpse>>,
    /// Armies by field.
    pub standing: Standing,
    /// By number of the realm: its armies. Weeks between which none of them moves share it.
    posts: Vec<Arc<Posts>>,
}

/// Armies on the map by field.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Standing {
    /// The armies of field `f` are `armies[starts[f]..starts[f + 1]]`, in order of realm and table.
    starts: Vec<u32>,
    /// See `starts`. The count of a group is that of its members.
    armies: Vec<Stood>,
}

/// A [`Shown`] army in two thirds of its room: thirteen weeks of them are held at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stood {
    count: i64,
    number: u32,
    realm: RealmId,
    kind: Kind,
    flag: Flag,
}

impl Stood {
    const fn new(id: ArmyId, flag: Flag, count: i64) -> Self {
        Self {
            count,
            number: id.name.number,
            realm: id.realm,
            kind: id.name.kind,
            flag,
        }
    }

    const fn shown(self) -> Shown {
        Shown {
            id: ArmyId::new(self.realm, self.kind, self.number),
            flag: self.flag,
            count: self.count,
        }
    }
}

/// Where the armies of one realm stand, and what they see from there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Posts {
    /// The armies in table order.
    pub places: Vec<(ArmyName, FieldIndex)>,
    /// The fields they see, each once, by number: their own and, with sight of one field, the neighbours (THO-SIGHT-01).
    pub outlooks: Vec<Outlook>,
}

/// How much a realm sees of a field: which sides, and whether from on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outlook {
    /// Which field.
    pub field: FieldIndex,
    /// The sides that face an army, or all.
    pub sides: Sides,
    /// Whether an army stands on it.
    pub on_it: bool,
}

impl Standing {
    /// Writes down who stands where.
    fn take(tables: &Tables, state: &State) -> Self {
        let mut free = Vec::with_capacity(state.armies.len());
        for realm in state.armies.realms() {
            add_free_armies(&mut free, tables, state, realm);
        }
        Self::of(state.fields.len(), &free)
    }

    /// Sorts armies by field. They come in order of realm and table, and stand so on their field.
    fn of(fields: usize, free: &[(FieldIndex, Stood)]) -> Self {
        let mut starts = vec![0u32; fields + 1];
        for (field, _) in free {
            starts[field.index() + 1] += 1;
        }
        for field in 1..starts.len() {
            starts[field] += starts[field - 1];
        }
        let mut next = starts.clone();
        let nobody = ArmyId::new(RealmId::NOBODY, Kind::ALL[0], 0);
        let blank = Stood::new(nobody, Flag::Shown, 0);
        let mut armies = vec![blank; starts.last().map_or(0, |all| *all as usize)];
        for (field, army) in free {
            let slot = &mut next[field.index()];
            armies[*slot as usize] = *army;
            *slot += 1;
        }
        Self { starts, armies }
    }

    /// Armies on a field, unseen ones included, in order of realm and table.
    pub fn on(&self, field: FieldIndex) -> impl Iterator<Item = Shown> {
        let armies = self.armies.get(self.places(field)).unwrap_or(&[]);
        armies.iter().map(|army| army.shown())
    }

    /// How many armies stand on a field, unseen ones included.
    pub fn count_on(&self, field: FieldIndex) -> usize {
        self.places(field).len()
    }

    fn places(&self, field: FieldIndex) -> Range<usize> {
        let start = self.starts.get(field.index()).map_or(0, |start| *start as usize);
        let end = self.starts.get(field.index() + 1).map_or(start, |end| *end as usize);
        start..end
    }
}

/// Adds the armies of a realm that show on the map, in table order: armies aboard and members of groups do not (GAP-14).
fn add_free_armies(list: &mut Vec<(FieldIndex, Stood)>, tables: &Tables, state: &State, realm: RealmId) {
    let groups = member_counts(state, realm);
    let free = state.armies_of(realm).filter(|(_, army)| army.is_free());
    list.extend(free.map(|(id, army)| {
        let count = groups.get(&id.name).map_or(army.count, |(_, heads)| *heads);
        (army.field, Stood::new(id, shown_flag(tables, id, army), count))
    }));
}

impl WeekSight {
    /// Writes down a week, with what is as in the week before taken from there.
    fn take(tables: &Tables, state: &State, ground: Arc<Vec<Glimpse>>, before: Option<&Self>) -> Self {
        let mut free = Vec::with_capacity(state.armies.len());
        let posts = state.armies.realms().map(|realm| {
            let first = free.len();
            add_free_armies(&mut free, tables, state, realm);
            // Nobody asks what wild beasts see.
            let own = free.get(first..).filter(|_| realm.is_played()).unwrap_or_default();
            let places = own
                .iter()
                .map(|(field, army)| (ArmyName::new(army.kind, army.number), *field));
            match before.and_then(|before| before.posts.get(usize::from(realm.0))) {
                Some(posts) if places.clone().eq(posts.places.iter().copied()) => Arc::clone(posts),
                _ => {
                    let places: Vec<(ArmyName, FieldIndex)> = places.collect();
                    Arc::new(Posts {
                        outlooks: outlooks(tables, &state.grid, &places),
                        places,
                    })
                }
            }
        });
        let posts = posts.collect();
        Self {
            ground,
            standing: Standing::of(state.fields.len(), &free),
            posts,
        }
    }

    /// Where the armies of a realm stand and what they see; nothing if it has none on the map.
    pub fn of(&self, realm: RealmId) -> Option<&Arc<Posts>> {
        let posts = self.posts.get(usize::from(realm.0));
        posts.filter(|posts| !posts.places.is_empty())
    }
}

/// The fields that armies at these places see, each once (THO-SIGHT-01).
fn outlooks(tables: &Tables, grid: &Grid, places: &[(ArmyName, FieldIndex)]) -> Vec<Outlook> {
    let mut own: Vec<FieldIndex> = places.iter().map(|(_, field)| *field).collect();
    own.sort_unstable();
    own.dedup();
    let mut seen: Vec<Outlook> = Vec::with_capacity(own.len() * 7);
    for field in own {
        seen.push(Outlook {
            field,
            sides: Sides::ALL,
            on_it: true,
        });
        if tables.sight.range > 0 {
            seen.extend(grid.neighbours(field).map(|(direction, beside)| {
                let mut sides = Sides::NONE;
                sides.insert(direction.opposite());
                Outlook {
                    field: beside,
                    sides,
                    on_it: false,
                }
            }));
        }
    }
    seen.sort_unstable_by_key(|outlook| outlook.field);
    seen.dedup_by(|later, first| {
        let same = later.field == first.field;
        if same {
            first.sides.0 |= later.sides.0;
            first.on_it |= later.on_it;
        }
        same
    });
    seen.shrink_to_fit();
    seen
}

/// The armies of one realm that are members of groups, counted by group: how many, and their heads.
pub(crate) fn member_counts(state: &State, realm: RealmId) -> BTreeMap<ArmyName, (u32, i64)> {
    let mut counts: BTreeMap<ArmyName, (u32, i64)> = BTreeMap::new();
    for (_, army) in state.armies_of(realm) {
        if let Some(group) = army.group {
            let (members, heads) = counts.entry(group).or_default();
            *members += 1;
            *heads = heads.saturating_add(army.count);
        }
    }
    counts
}

impl Glimpse {
    /// Everything that can be seen of a field from on it (THO-SIGHT-01).
    pub fn of(field: &Field) -> Self {
        let site = field.site.as_deref();
        Self {
            terrain: field.terrain,
            owner: field.owner,
            building: site.map(|site| site.building),
            condition: site.map(|site| match site.standing {
                true => SeenCondition::Standing(site.condition),
                false => SeenCondition::UnderConstruction,
            }),
            sides_known: Sides::ALL,
            roads: field.roads,
            walls: field.walls,
            rivers: field.rivers,
            bridges: field.bridges,
        }
    }

    /// The part of it that shows from these sides; a building's condition shows only from on the field (THO-REP-07).
    pub fn limited(&self, outlook: &Outlook) -> Self {
        let known = outlook.sides.0;
        let mut part = *self;
        part.sides_known = Sides(part.sides_known.0 & known);
        for sides in [&mut part.roads, &mut part.walls, &mut part.rivers, &mut part.bridges] {
            sides.0 &= known;
        }
        if !outlook.on_it {
            part.condition = None;
        }
        part
    }

    /// Adds what was known before of sides and a condition that do not show now.
    pub(crate) fn remembering(mut self, before: &Self) -> Self {
        let old = before.sides_known.0 & !self.sides_known.0;
        self.sides_known.0 |= old;
        self.roads.0 |= before.roads.0 & old;
        self.walls.0 |= before.walls.0 & old;
        self.rivers.0 |= before.rivers.0 & old;
        self.bridges.0 |= before.bridges.0 & old;
        if self.condition.is_none() && self.building == before.building {
            self.condition = before.condition;
        }
        self
    }
}

/// A sighting names the same rules whatever is there to be seen: a list that changed with unseen armies would betray them.
const SIGHTING: &[RuleId] = &[
    rule::SIGHT_01,
    rule::SIGHT_02,
    rule::SIGHT_03,
    rule::SIGHT_05,
    rule::UNIT_08,
    rule::GAP_14,
];

/// C7: every realm's sightings of the week, where armies stand after trading.
///
/// THO-SIGHT-01, THO-SIGHT-02, THO-SIGHT-03, THO-SIGHT-05, THO-UNIT-08, GAP-14.
pub fn look(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    // Owners, buildings, roads and walls change before week 1 or after week 13 only (GAP-12).
    let ground = match season.sights.first() {
        Some(sight) => Arc::clone(&sight.ground),
        None => Arc::new(turn.state.fields.iter().map(Glimpse::of).collect()),
    };
    let before = season.sights.last().map(Arc::as_ref);
    let sight = Arc::new(WeekSight::take(turn.tables, &turn.state, ground, before));
    for realm in turn.state.realms.keys().copied().collect::<Vec<_>>() {
        if sight.of(realm).is_some() {
            let what = Happening::WeekSeen {
                realm,
                sight: Arc::clone(&sight),
            };
            season.emit(turn, Cause::Step("look"), SIGHTING, &[], what);
        }
    }
    season.sights.push(sight);
}

/// D12: the armies that every realm sees on its own land, and what it remembers of the turn.
///
/// THO-SIGHT-04, GAP-14.
pub fn survey(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    season.disband();
    let home = Standing::take(turn.tables, &turn.state);
    let mut seen: BTreeMap<RealmId, Vec<(FieldIndex, Vec<Shown>)>> = BTreeMap::new();
    for (field, owner) in turn.state.fields.iter().map(|field| field.owner).enumerate() {
        let field = FieldIndex(u32::try_from(field).unwrap_or(u32::MAX));
        let lists_unseen = turn.tables.sight.own_territory_lists_unseen;
        let visible = |army: &Shown| lists_unseen || army.flag != Flag::Unseen || army.id.realm == owner;
        let armies: Vec<Shown> = if owner.is_played() {
            home.on(field).filter(visible).collect()
        } else {
            Vec::new()
        };
        if !armies.is_empty() {
            seen.entry(owner).or_default().push((field, armies));
        }
    }
    let tables = turn.tables;
    let State {
        realms,
        fields,
        turn: number,
        ..
    } = &mut turn.state;
    for (id, realm) in realms.iter_mut() {
        let mut later: Option<&Arc<Posts>> = None;
        for (week, sight) in (1..=WEEKS as u8).zip(&season.sights).rev() {
            let Some(posts) = sight.of(*id) else { continue };
            // From where armies stand all season they see the same fields, and the last week counts.
            if !later.is_some_and(|later| Arc::ptr_eq(later, posts)) {
                remember_week(tables, *id, realm, sight, posts, (*number, week));
            }
            later = Some(posts);
        }
        remember_home(fields, season.estate(*id), realm, *number);
        remember_losses(fields, *id, realm);
        for (field, armies) in seen.get(id).into_iter().flatten() {
            if let Some(known) = realm.knowledge.get_mut(field) {
                known.armies = notice::seen_armies(tables, Viewer::Realm(*id), armies.iter().copied()).into();
            }
        }
    }
    for (realm, fields) in seen {
        let what = Happening::TerritorySeen { realm, fields };
        season.emit(
            turn,
            Cause::Step("survey"),
            &[rule::SIGHT_04, rule::GAP_14][..],
            &[],
            what,
        );
    }
}

/// Adds a week's sightings to what a realm knows, weeks taken backwards: the latest sighting of a field stands.
fn remember_week(
    tables: &Tables,
    id: RealmId,
    realm: &mut Realm,
    sight: &WeekSight,
    posts: &Posts,
    (turn, week): (u32, u8),
) {
    for outlook in &posts.outlooks {
        let Some(ground) = sight.ground.get(outlook.field.index()) else {
            continue;
        };
        let now = ground.limited(outlook);
        match realm.knowledge.get_mut(&outlook.field) {
            Some(known) if known.turn == turn => known.field = known.field.remembering(&now),
            Some(known) => {
                let field = now.remembering(&known.field);
                *known = Known {
                    turn,
                    week,
                    field,
                    armies: visible_armies(tables, sight, outlook.field, id),
                };
            }
            None => {
                let armies = visible_armies(tables, sight, outlook.field, id);
                realm.knowledge.insert(
                    outlook.field,
                    Known {
                        turn,
                        week,
                        field: now,
                        armies,
                    },
                );
            }
        }
    }
}

/// The armies on a field as a realm sees them.
fn visible_armies(tables: &Tables, sight: &WeekSight, field: FieldIndex, realm: RealmId) -> Crowd {
    let visible = |army: &Shown| army.flag != Flag::Unseen || army.id.realm == realm;
    notice::seen_armies(tables, Viewer::Realm(realm), sight.standing.on(field).filter(visible)).into()
}

/// A realm knows its own land.
fn remember_home(fields: &[Field], estate: impl Iterator<Item = FieldIndex>, realm: &mut Realm, turn: u32) {
    for index in estate {
        let Some(field) = fields.get(index.index()) else {
            continue;
        };
        let known = Known {
            turn,
            week: END,
            field: Glimpse::of(field),
            armies: Crowd::default(),
        };
        realm.knowledge.insert(index, known);
    }
}

/// Whoever loses a field is told to whom (conquest, cession, revolt), and no longer takes it for his own.
fn remember_losses(fields: &[Field], id: RealmId, realm: &mut Realm) {
    for (index, known) in &mut realm.knowledge {
        if known.field.owner == id
            && let Some(field) = fields.get(index.index())
        {
            known.field.owner = field.owner;
        }
    }
}

/// What every realm knows before the first step of a scenario: the field of its capital, the six around it (THO-START-02), all its land,
/// and what its armies saw when the turn before ended (THO-SIGHT-01).
pub fn begin(tables: &Tables, state: &mut State) {
    let ground = Arc::new(state.fields.iter().map(Glimpse::of).collect());
    let sight = WeekSight::take(tables, state, ground, None);
    let State {
        realms,
        fields,
        grid,
        turn,
        ..
    } = state;
    for (id, realm) in realms.iter_mut() {
        let mut known = |index: FieldIndex, glimpse: Glimpse| {
            realm.knowledge.insert(
                index,
                Known {
                    turn: *turn,
                    week: 0,
                    field: glimpse,
                    armies: Crowd::default(),
                },
            );
        };
        for (direction, beside) in grid.neighbours(realm.origin) {
            let Some(field) = fields.get(beside.index()) else {
                continue;
            };
            let mut sides = Sides::NONE;
            sides.insert(direction.opposite());
            known(
                beside,
                Glimpse::of(field).limited(&Outlook {
                    field: beside,
                    sides,
                    on_it: false,
                }),
            );
        }
        for (index, field) in grid.fields().zip(fields.iter()) {
            if field.owner == *id || index == realm.origin {
                known(index, Glimpse::of(field));
            }
        }
        if let Some(posts) = sight.of(*id) {
            remember_week(tables, *id, realm, &sight, posts, (*turn, WEEKS as u8));
            for outlook in &posts.outlooks {
                if let Some(known) = realm.knowledge.get_mut(&outlook.field) {
                    known.armies = visible_armies(tables, &sight, outlook.field, *id);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::{Building, Condition, Kind, Terrain};
    use crate::roster::Roster;
    use crate::state::{Army, Site};
    use kernel::hex::{Direction, Wrap};

    fn armies(list: &[(u16, Kind, u32, u32)]) -> (WeekSight, Tables, State) {
        let tables = Tables::book();
        let grid = Grid::new(12, 10, Wrap::Cylinder).unwrap();
        let mut state = State {
            turn: 0,
            grid,
            origin: FieldIndex(0),
            fields: vec![Field::wild(Terrain::Lowland); grid.field_count() as usize],
            realms: BTreeMap::new(),
            armies: Roster::new(),
            treaties: BTreeMap::new(),
            house_rules: String::new(),
            table_changes: Vec::new(),
            over: false,
        };
        for (realm, kind, number, field) in list {
            let id = ArmyId::new(RealmId(*realm), *kind, *number);
            state.armies.insert(id, Army::new(100, FieldIndex(*field), 4));
        }
        let ground = Arc::new(state.fields.iter().map(Glimpse::of).collect());
        (WeekSight::take(&tables, &state, ground, None), tables, state)
    }

    #[test]
    fn armies_stand_on_their_fields_in_order_of_realm_and_table() {
        let k = Kind::MediumWarrior;
        let (sight, _, _) = armies(&[
            (2, k, 1, 40),
            (1, k, 2, 40),
            (1, Kind::LightRider, 1, 40),
            (1, k, 1, 41),
        ]);
        let names: Vec<String> = sight
            .standing
            .on(FieldIndex(40))
            .map(|army| army.id.to_string())
            .collect();
        assert_eq!(names, ["1 K.M 2", "1 R.L 1", "2 K.M 1"]);
        assert_eq!(sight.standing.on(FieldIndex(39)).count(), 0);
        assert_eq!(sight.of(RealmId(1)).map(|posts| posts.places.len()), Some(3));
        assert_eq!((sight.of(RealmId(0)), sight.of(RealmId(3))), (None, None));
    }

    #[test]
    fn two_neighbouring_armies_see_ten_fields_and_each_of_them_once() {
        let k = Kind::MediumWarrior;
        let (sight, _, _) = armies(&[(1, k, 1, 40), (1, k, 2, 40), (1, k, 3, 41)]);
        let seen = &sight.of(RealmId(1)).unwrap().outlooks;
        assert_eq!(seen.len(), 10);
        let on: Vec<u32> = seen
            .iter()
            .filter(|outlook| outlook.on_it)
            .map(|outlook| outlook.field.0)
            .collect();
        assert_eq!(on, [40, 41]);
        // The two fields between them and the next row show two sides each.
        let two_sides = seen.iter().filter(|outlook| outlook.sides.0.count_ones() == 2).count();
        assert_eq!(two_sides, 2);
    }

    #[test]
    fn a_realm_that_does_not_move_sees_the_same_fields_as_the_week_before() {
        let k = Kind::MediumWarrior;
        let (first, tables, mut state) = armies(&[(1, k, 1, 40), (2, k, 1, 40)]);
        let moved = ArmyId::new(RealmId(2), k, 1);
        state.armies.get_mut(&moved).unwrap().field = FieldIndex(41);
        let second = WeekSight::take(&tables, &state, Arc::clone(&first.ground), Some(&first));
        let shares = |realm| Arc::ptr_eq(first.of(realm).unwrap(), second.of(realm).unwrap());
        assert!(shares(RealmId(1)) && !shares(RealmId(2)));
        let fresh = WeekSight::take(&tables, &state, Arc::clone(&first.ground), None);
        assert_eq!(second, fresh);
    }

    #[test]
    fn the_condition_of_a_building_shows_only_from_on_the_field() {
        let mut field = Field::wild(Terrain::Lowland);
        let mut site = Site::finished(Building::City, "Furt");
        site.condition = Condition::Heavy;
        field.site = Some(Box::new(site));
        field.roads.insert(Direction::East);
        field.walls.insert(Direction::West);
        let whole = Glimpse::of(&field);
        let mut sides = Sides::NONE;
        sides.insert(Direction::West);
        let beside = whole.limited(&Outlook {
            field: FieldIndex(0),
            sides,
            on_it: false,
        });
        assert_eq!(whole.condition, Some(SeenCondition::Standing(Condition::Heavy)));
        assert_eq!((beside.building, beside.condition), (Some(Building::City), None));
        assert!(beside.walls.has(Direction::West) && !beside.roads.has(Direction::East));
        // Once seen, the far side and the condition are remembered; another building would not be.
        assert_eq!(beside.remembering(&whole), whole);
        let mut razed = beside;
        razed.building = None;
        assert_eq!(razed.remembering(&whole).condition, None);
    }
}
