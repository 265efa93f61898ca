//! Changes of the world by the game master's hand (THO-ADM-01, THO-ADM-02), each a judgement with a reason.
//!
//! An edit is made as a whole or not at all: what would leave a world that breaks its laws is refused, and the game master is
//! told why. Places are those of the world, as the game master reads them. What players know changes only when they see it.

mod sheet;

pub(crate) use sheet::{change_world, write_world};

use crate::codes::{Building, Condition, Kind, Terrain, Treaty};
use crate::event::Happening;
use crate::geo::Place;
use crate::rule;
use crate::season::{Season, SeasonTurn};
use crate::state::{Army, ArmyId, ArmyName, Field, Sides, Site, State};
use crate::tables::Tables;
use kernel::hex::{Direction, FieldIndex};
use kernel::misread::{Meant, Misread};
use kernel::realm::RealmId;
use kernel::turn::Cause;
use serde::{Deserialize, Serialize};

/// More heads or gold than any world holds.
const MOST: i64 = 1_000_000_000;

/// What runs along a side of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Line {
    /// A river, on both fields.
    River,
    /// A road, on both fields.
    Road,
    /// A bridge over a river, on both fields.
    Bridge,
    /// A wall of the field itself.
    Wall,
}

/// One change of the world.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Edit {
    /// The ground of a field changes, and with it its height. What cannot stand on water goes.
    Terrain {
        /// Which field.
        place: Place,
        /// To what.
        terrain: Terrain,
    },
    /// A field changes hands.
    Owner {
        /// Which field.
        place: Place,
        /// To whom; realm 0 is nobody.
        realm: RealmId,
    },
    /// A river, road, bridge or wall comes or goes.
    Side {
        /// Which field.
        place: Place,
        /// Which of its sides, 1 to 6.
        direction: u8,
        /// What.
        line: Line,
        /// Whether it is there from now on.
        present: bool,
    },
    /// A finished building stands there from now on, or none.
    Building {
        /// Which field.
        place: Place,
        /// What stands there.
        building: Option<Building>,
        /// Its condition.
        condition: Condition,
        /// Its name.
        name: String,
    },
    /// Yield, blessing and unrest of a field.
    Land {
        /// Which field.
        place: Place,
        /// Yield in percent.
        yield_percent: u8,
        /// Turns that a blessing still lasts.
        blessed_turns: u8,
        /// Unrest, 0 to 100.
        unrest: u8,
    },
    /// What a realm has in its treasury.
    Treasury {
        /// Which realm.
        realm: RealmId,
        /// Gold pieces.
        gold: i64,
    },
    /// An army stands there with so many from now on, new or not.
    Army {
        /// Of which realm; 0 for the wild.
        realm: RealmId,
        /// Which army.
        army: ArmyName,
        /// Where.
        place: Place,
        /// How many; 0 takes it out of the world.
        count: i64,
    },
    /// What two realms have agreed on.
    Treaty {
        /// One of them.
        one: RealmId,
        /// The other.
        other: RealmId,
        /// What.
        treaty: Treaty,
    },
    /// The ground rises or falls; what covers it stays.
    Height {
        /// Which field.
        place: Place,
        /// 1 lowland, 2 highland, 3 mountain.
        height: i64,
    },
    /// What a mine still holds.
    Mine {
        /// Which field.
        place: Place,
        /// Gold.
        reserve: i64,
    },
    /// The receiving code of a world gate.
    Gate {
        /// Which field.
        place: Place,
        /// The code, another for every gate.
        code: u16,
    },
    /// A realm begins elsewhere: its capital, its armies there and the middle of its map move. Only before the first turn.
    Start {
        /// Which realm.
        realm: RealmId,
        /// Where it begins.
        place: Place,
    },
    /// Bare ground with an owner, as the sheet of a whole world writes it: no river, road, bridge or wall.
    Field {
        /// Which field.
        place: Place,
        /// Its terrain.
        terrain: Terrain,
        /// Its owner; realm 0 is nobody.
        owner: RealmId,
        /// What stands there.
        stands: Stands,
    },
    /// What runs along the sides of a field, each a list of directions.
    Sides {
        /// Which field.
        place: Place,
        /// Rivers.
        rivers: Sides,
        /// Roads.
        roads: Sides,
        /// Bridges.
        bridges: Sides,
        /// Walls.
        walls: Sides,
    },
    /// Every free army of the wild goes.
    TameAll,
}

/// What stands on a field of a sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stands {
    /// Nothing.
    Nothing,
    /// What stands there or is being built stays as it is.
    AsItIs,
    /// This building; it stays as it is if it stands there already.
    Building(Building),
}

impl Edit {
    /// The words that are read back as the same change.
    pub fn words(&self) -> String {
        sheet::words(self)
    }
}

/// Makes a change and tells the game master, or why not (THO-ADM-01).
pub fn apply(turn: &mut SeasonTurn<'_>, season: &mut Season, edit: &Edit) {
    let gold = |turn: &SeasonTurn<'_>| match edit {
        Edit::Treasury { realm, .. } => Some((*realm, turn.state.realms.get(realm)?.treasury)),
        _ => None,
    };
    let before = gold(turn);
    let result = change(turn.tables, &mut turn.state, season, edit);
    let changed = before
        .zip(gold(turn))
        .map(|((realm, before), (_, after))| (realm, after.saturating_sub(before)))
        .filter(|(_, gold)| *gold != 0);
    let edit = edit.words().into();
    let what = match result {
        Ok(()) => Happening::WorldEdited {
            edit,
            treasury: changed,
        },
        Err(fault) => Happening::EditRefused {
            edit,
            fault: fault.into(),
        },
    };
    season.emit(turn, Cause::GameMaster, &[rule::ADM_01][..], &[], what);
}

/// Why a change is not made: the key of a word.
type Refused = &'static str;

fn change(tables: &Tables, state: &mut State, season: &mut Season, edit: &Edit) -> Result<(), Refused> {
    match edit {
        Edit::Terrain { place, terrain } => paint(tables, state, season, at(state, *place)?, *terrain),
        Edit::Owner { place, realm } => give(tables, state, season, at(state, *place)?, *realm),
        Edit::Side {
            place,
            direction,
            line,
            present,
        } => {
            let direction = Direction::from_digit(*direction).ok_or("edit-no-direction")?;
            draw(tables, state, at(state, *place)?, direction, *line, *present)
        }
        Edit::Building {
            place,
            building,
            condition,
            name,
        } => build(tables, state, at(state, *place)?, *building, *condition, name),
        Edit::Land {
            place,
            yield_percent,
            blessed_turns,
            unrest,
        } => {
            let field = at(state, *place)?;
            if *yield_percent > 100 || *unrest > 100 {
                return Err("edit-no-percent");
            }
            let field = state.field_mut(field);
            (field.yield_percent, field.blessed_turns, field.unrest) = (*yield_percent, *blessed_turns, *unrest);
            Ok(())
        }
        Edit::Treasury { realm, gold } => {
            let owner = state.realms.get_mut(realm).ok_or("edit-no-realm")?;
            if !(0..=MOST).contains(gold) {
                return Err("edit-no-gold");
            }
            owner.treasury = *gold;
            Ok(())
        }
        Edit::Army {
            realm,
            army,
            place,
            count,
        } => muster(tables, state, season, army.of(*realm), at(state, *place)?, *count),
        Edit::Treaty { one, other, treaty } => {
            if one == other || !state.realms.contains_key(one) || !state.realms.contains_key(other) {
                return Err("edit-no-treaty");
            }
            let pair = (*one.min(other), *one.max(other));
            match treaty {
                Treaty::NoTreaty => drop(state.treaties.remove(&pair)),
                treaty => drop(state.treaties.insert(pair, *treaty)),
            }
            Ok(())
        }
        Edit::Height { place, height } => {
            let field = at(state, *place)?;
            let terrain = raised(tables, state.field(field).terrain, *height)?;
            paint(tables, state, season, field, terrain)
        }
        Edit::Mine { place, reserve } => {
            let site = site_of(state, *place, Building::Mine, "edit-no-mine")?;
            if !(0..=MOST).contains(reserve) {
                return Err("edit-no-gold");
            }
            site.mine_reserve = *reserve;
            Ok(())
        }
        Edit::Gate { place, code } => {
            let field = at(state, *place)?;
            let taken = |site: &Site| site.building == Building::Gate && site.gate_code == Some(*code);
            let mut others = state.grid.fields().filter(|other| *other != field);
            if *code == 0 || others.any(|other| state.field(other).site.as_deref().is_some_and(taken)) {
                return Err("edit-gate-code-taken");
            }
            site_of(state, *place, Building::Gate, "edit-no-gate")?.gate_code = Some(*code);
            Ok(())
        }
        Edit::Start { realm, place } => begin_at(tables, state, season, *realm, at(state, *place)?),
        Edit::Field {
            place,
            terrain,
            owner,
            stands,
        } => lay(tables, state, season, at(state, *place)?, *terrain, *owner, *stands),
        Edit::Sides {
            place,
            rivers,
            roads,
            bridges,
            walls,
        } => {
            let field = at(state, *place)?;
            let lines = [
                (Line::River, rivers),
                (Line::Road, roads),
                (Line::Bridge, bridges),
                (Line::Wall, walls),
            ];
            for (line, sides) in lines {
                for direction in Direction::ALL.into_iter().filter(|direction| sides.has(*direction)) {
                    draw(tables, state, field, direction, line, true)?;
                }
            }
            Ok(())
        }
        Edit::TameAll => {
            let wild: Vec<ArmyId> = state.armies_of(RealmId::NOBODY).map(|(id, _)| id).collect();
            for id in wild {
                season.remove(state, id);
            }
            Ok(())
        }
    }
}

/// The same cover at another height.
fn raised(tables: &Tables, terrain: Terrain, height: i64) -> Result<Terrain, Refused> {
    let cover = |terrain: Terrain| terrain.code().get(1..);
    let mut same = Terrain::ALL
        .iter()
        .copied()
        .filter(|other| cover(*other) == cover(terrain) && tables.is_land(*other));
    if !tables.is_land(terrain) {
        return Err("edit-height-needs-land");
    }
    same.find(|other| tables.height(*other) == Some(height))
        .ok_or("edit-no-height")
}

fn site_of(state: &mut State, place: Place, building: Building, fault: Refused) -> Result<&mut Site, Refused> {
    let field = at(state, place)?;
    let site = state.field_mut(field).site.as_deref_mut();
    site.filter(|site| site.building == building).ok_or(fault)
}

/// THO-START-01: before the first turn a realm may begin elsewhere.
fn begin_at(
    tables: &Tables,
    state: &mut State,
    season: &mut Season,
    realm: RealmId,
    to: FieldIndex,
) -> Result<(), Refused> {
    // The season of the first turn has begun when its edicts are carried out.
    if season.turn > 1 {
        return Err("edit-start-too-late");
    }
    let from = state.realms.get(&realm).ok_or("edit-no-realm")?.origin;
    let ground = state.field(to);
    if !tables.is_land(ground.terrain) {
        return Err("edit-building-needs-land");
    }
    if from == to {
        return Ok(());
    }
    if ground.site.is_some() || ground.owner.is_played() || season.on(to).next().is_some() {
        return Err("edit-start-taken");
    }
    let site = state.field_mut(from).site.take();
    season.hand_over(state, from, RealmId::NOBODY);
    season.hand_over(state, to, realm);
    state.field_mut(to).site = site;
    let own: Vec<ArmyId> = season.on(from).filter(|id| id.realm == realm).collect();
    for id in own {
        season.relocate(state, id, to);
        // It has been there from the beginning.
        let plan = season.plan_mut(id);
        (plan.began, plan.aim, plan.stayed) = (Some(to), Some(to), true);
    }
    if let Some(realm) = state.realms.get_mut(&realm) {
        realm.origin = to;
    }
    Ok(())
}

/// Lays a field of a sheet: its ground and owner, without anything along its sides.
fn lay(
    tables: &Tables,
    state: &mut State,
    season: &mut Season,
    field: FieldIndex,
    terrain: Terrain,
    owner: RealmId,
    stands: Stands,
) -> Result<(), Refused> {
    let kept = match (stands, state.field(field).site.as_deref()) {
        (Stands::Nothing, _) => None,
        (Stands::AsItIs, site) => site.cloned(),
        (Stands::Building(building), Some(site)) if site.building == building => Some(site.clone()),
        (Stands::Building(building), _) => Some(Site::finished(building, "")),
    };
    if (kept.is_some() || owner.is_played()) && !tables.is_land(terrain) {
        return Err("edit-building-needs-land");
    }
    if owner.is_played() && !state.realms.contains_key(&owner) {
        return Err("edit-no-realm");
    }
    let capital = kept
        .as_ref()
        .is_some_and(|site| site.standing && site.building == Building::Capital);
    if capital && has_capital(state, owner, field) {
        return Err("edit-second-capital");
    }
    paint(tables, state, season, field, terrain)?;
    for direction in Direction::ALL {
        set_both(state, field, direction, false, |field| &mut field.bridges);
        set_both(state, field, direction, false, |field| &mut field.rivers);
        set_both(state, field, direction, false, |field| &mut field.roads);
    }
    season.hand_over(state, field, owner);
    let ground = state.field_mut(field);
    ground.walls = Sides::NONE;
    (ground.yield_percent, ground.blessed_turns, ground.unrest) = (100, 0, 0);
    ground.site = kept.map(Box::new);
    Ok(())
}

fn at(state: &State, place: Place) -> Result<FieldIndex, Refused> {
    state.field_at(RealmId::NOBODY, place).map_err(|_| "edit-no-field")
}

/// The element of a kind and of a terrain must agree.
fn may_stand(tables: &Tables, kind: Kind, terrain: Terrain) -> bool {
    if kind.sails() {
        tables.is_water(terrain)
    } else {
        tables.is_land(terrain)
    }
}

fn paint(
    tables: &Tables,
    state: &mut State,
    season: &mut Season,
    field: FieldIndex,
    terrain: Terrain,
) -> Result<(), Refused> {
    if terrain == Terrain::Unexplored {
        return Err("edit-no-terrain");
    }
    let stays = season.on(field).all(|id| may_stand(tables, id.kind(), terrain));
    if !stays {
        return Err("edit-armies-there");
    }
    if !tables.is_land(terrain) {
        season.hand_over(state, field, RealmId::NOBODY);
        for direction in Direction::ALL {
            set_both(state, field, direction, false, |field| &mut field.roads);
        }
        let ground = state.field_mut(field);
        (ground.site, ground.walls, ground.unrest, ground.blessed_turns) = (None, Sides::NONE, 0, 0);
    }
    state.field_mut(field).terrain = terrain;
    Ok(())
}

/// Whether the realm has a standing capital on another field.
fn has_capital(state: &State, realm: RealmId, but: FieldIndex) -> bool {
    let is_capital = |field: &FieldIndex| {
        let land = state.field(*field);
        land.owner == realm && land.building().is_some_and(|site| site.building == Building::Capital)
    };
    realm.is_played()
        && state
            .grid
            .fields()
            .filter(|field| *field != but)
            .any(|field| is_capital(&field))
}

fn give(
    tables: &Tables,
    state: &mut State,
    season: &mut Season,
    field: FieldIndex,
    realm: RealmId,
) -> Result<(), Refused> {
    if realm.is_played() && !state.realms.contains_key(&realm) {
        return Err("edit-no-realm");
    }
    if realm.is_played() && !tables.is_land(state.field(field).terrain) {
        return Err("edit-owner-needs-land");
    }
    let holds_capital = state
        .field(field)
        .building()
        .is_some_and(|site| site.building == Building::Capital);
    if holds_capital && has_capital(state, realm, field) {
        return Err("edit-second-capital");
    }
    season.hand_over(state, field, realm);
    Ok(())
}

/// Sets a side of a field and the same side of its neighbour.
fn set_both(
    state: &mut State,
    field: FieldIndex,
    direction: Direction,
    present: bool,
    sides: fn(&mut Field) -> &mut Sides,
) {
    let ends = [
        Some((field, direction)),
        state
            .grid
            .neighbour(field, direction)
            .map(|beside| (beside, direction.opposite())),
    ];
    for (field, direction) in ends.into_iter().flatten() {
        let sides = sides(state.field_mut(field));
        if present {
            sides.insert(direction);
        } else {
            sides.remove(direction);
        }
    }
}

fn draw(
    tables: &Tables,
    state: &mut State,
    field: FieldIndex,
    direction: Direction,
    line: Line,
    present: bool,
) -> Result<(), Refused> {
    let beside = state.grid.neighbour(field, direction).ok_or("edit-world-ends")?;
    let on_land = |field: FieldIndex| tables.is_land(state.field(field).terrain);
    match line {
        Line::River => {
            if !present {
                set_both(state, field, direction, false, |field| &mut field.bridges);
            }
            set_both(state, field, direction, present, |field| &mut field.rivers);
        }
        Line::Road if present && !(on_land(field) && on_land(beside)) => return Err("edit-road-needs-land"),
        Line::Road => set_both(state, field, direction, present, |field| &mut field.roads),
        Line::Bridge if present && !state.field(field).rivers.has(direction) => return Err("edit-bridge-needs-river"),
        Line::Bridge => set_both(state, field, direction, present, |field| &mut field.bridges),
        Line::Wall if present && !on_land(field) => return Err("edit-wall-needs-land"),
        Line::Wall => {
            let walls = &mut state.field_mut(field).walls;
            if present {
                walls.insert(direction);
            } else {
                walls.remove(direction);
            }
        }
    }
    Ok(())
}

fn build(
    tables: &Tables,
    state: &mut State,
    field: FieldIndex,
    building: Option<Building>,
    condition: Condition,
    name: &str,
) -> Result<(), Refused> {
    let Some(building) = building else {
        state.field_mut(field).site = None;
        return Ok(());
    };
    if !tables.is_land(state.field(field).terrain) {
        return Err("edit-building-needs-land");
    }
    if building == Building::Capital && has_capital(state, state.field(field).owner, field) {
        return Err("edit-second-capital");
    }
    if name.chars().count() > 20 || name.chars().any(char::is_control) {
        return Err("edit-long-name");
    }
    let before = state
        .field_mut(field)
        .site
        .take()
        .filter(|site| site.building == building);
    let mut site = before.unwrap_or_else(|| Box::new(Site::finished(building, name)));
    (site.standing, site.condition, site.works) = (true, condition, None);
    if !name.is_empty() {
        name.clone_into(&mut site.name);
    }
    state.field_mut(field).site = Some(site);
    Ok(())
}

fn muster(
    tables: &Tables,
    state: &mut State,
    season: &mut Season,
    id: ArmyId,
    field: FieldIndex,
    count: i64,
) -> Result<(), Refused> {
    let leads =
        !season.followers(id).is_empty() || state.armies_of(id.realm).any(|(_, army)| army.master == Some(id.name));
    if count == 0 {
        if leads {
            return Err("edit-army-leads");
        }
        return season.remove(state, id).map(|_| ()).ok_or("edit-no-army");
    }
    if id.realm.is_played() && !state.realms.contains_key(&id.realm) {
        return Err("edit-no-realm");
    }
    if id.kind().is_group() || !(1..=9_999).contains(&id.name.number) || !(1..=MOST).contains(&count) {
        return Err("edit-bad-army");
    }
    if !may_stand(tables, id.kind(), state.field(field).terrain) {
        return Err("edit-army-cannot-stand");
    }
    match state.army(id) {
        None if id.realm.is_played() => {
            let points = i32::try_from(tables.of(id.realm).movement_points(id.kind())).unwrap_or(i32::MAX);
            season.add(state, id, Army::new(count, field, points));
        }
        None => season.add(state, id, crate::monsters::new_pack(tables, id.kind(), count, field)),
        Some(army) if !army.is_free() => return Err("edit-army-bound"),
        Some(army) if leads && count < army.count => return Err("edit-army-leads"),
        Some(_) => {
            season.relocate(state, id, field);
            if let Some(army) = state.armies.get_mut(&id) {
                army.count = count;
            }
        }
    }
    Ok(())
}

/// Reads an edit in words: `terrain 3/2 tla`, `owner 3/2 1`, `river 3/2 4 yes`, `building 3/2 BRG I Adlerhorst`,
/// `building 3/2 none`, `land 3/2 100 0 0`, `treasury 1 5000`, `army 1 K.M 1 3/2 2000`, `treaty 1 2 P`, `height 3/2 3`,
/// `mine 3/2 50000`, `gate 3/2 17`, `start 1 3/2`; and those of a sheet: `field 3/2 tla 1 BRG`, `sides 3/2 14 - - -`, `tame all`.
///
/// # Errors
/// What was expected instead. Nothing if the text begins no edit.
pub fn read(text: &str) -> Option<Result<Edit, Misread>> {
    let (verb, rest) = text.trim().split_once(' ')?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let edit = match (verb, words.as_slice()) {
        ("terrain", [place, code]) => place_of(place)
            .zip(Terrain::from_code(code))
            .map(|(place, terrain)| Edit::Terrain { place, terrain }),
        ("owner", [place, realm]) => place_of(place)
            .zip(realm_of(realm))
            .map(|(place, realm)| Edit::Owner { place, realm }),
        ("river" | "road" | "bridge" | "wall", [place, direction, present]) => side_of(verb, place, direction, present),
        ("building", [place, "none"]) => place_of(place).map(|place| Edit::Building {
            place,
            building: None,
            condition: Condition::Intact,
            name: String::new(),
        }),
        ("building", [place, building, condition, name @ ..]) => {
            let known = Building::from_code(building).zip(Condition::from_code(condition));
            place_of(place)
                .zip(known)
                .map(|(place, (building, condition))| Edit::Building {
                    place,
                    building: Some(building),
                    condition,
                    name: name.join(" "),
                })
        }
        ("land", [place, yield_percent, blessed, unrest]) => {
            let numbers = yield_percent
                .parse()
                .ok()
                .zip(blessed.parse().ok())
                .zip(unrest.parse().ok());
            place_of(place)
                .zip(numbers)
                .map(|(place, ((yield_percent, blessed_turns), unrest))| Edit::Land {
                    place,
                    yield_percent,
                    blessed_turns,
                    unrest,
                })
        }
        ("treasury", [realm, gold]) => realm_of(realm)
            .zip(gold.parse().ok())
            .map(|(realm, gold)| Edit::Treasury { realm, gold }),
        ("army", [realm, kind, number, place, count]) => {
            let name = Kind::from_code(kind).zip(number.parse().ok());
            let rest = place_of(place).zip(count.parse().ok());
            realm_of(realm)
                .zip(name)
                .zip(rest)
                .map(|((realm, (kind, number)), (place, count))| Edit::Army {
                    realm,
                    army: ArmyName::new(kind, number),
                    place,
                    count,
                })
        }
        ("treaty", [one, other, treaty]) => {
            let pair = realm_of(one).zip(realm_of(other));
            pair.zip(Treaty::from_code(treaty))
                .map(|((one, other), treaty)| Edit::Treaty { one, other, treaty })
        }
        ("height", [place, height]) => place_of(place)
            .zip(height.parse().ok())
            .map(|(place, height)| Edit::Height { place, height }),
        ("mine", [place, reserve]) => place_of(place)
            .zip(reserve.parse().ok())
            .map(|(place, reserve)| Edit::Mine { place, reserve }),
        ("gate", [place, code]) => place_of(place)
            .zip(code.parse().ok())
            .map(|(place, code)| Edit::Gate { place, code }),
        ("start", [realm, place]) => realm_of(realm)
            .zip(place_of(place))
            .map(|(realm, place)| Edit::Start { realm, place }),
        ("field", [place, code, owner, stands]) => place_of(place)
            .zip(Terrain::from_code(code))
            .zip(realm_of(owner).zip(sheet::stands_of(stands)))
            .map(|((place, terrain), (owner, stands))| Edit::Field {
                place,
                terrain,
                owner,
                stands,
            }),
        ("sides", [place, rivers, roads, bridges, walls]) => sheet::sides_of(place, [rivers, roads, bridges, walls]),
        ("tame", ["all"]) => Some(Edit::TameAll),
        (
            "terrain" | "owner" | "river" | "road" | "bridge" | "wall" | "building" | "land" | "treasury" | "army"
            | "treaty" | "height" | "mine" | "gate" | "start" | "field" | "sides" | "tame",
            _,
        ) => None,
        _ => return None,
    };
    Some(edit.ok_or_else(|| Meant::Change.not(text)))
}

fn place_of(word: &str) -> Option<Place> {
    let (x, y) = word.split_once('/')?;
    Some(Place::new(x.parse().ok()?, y.parse().ok()?))
}

fn realm_of(word: &str) -> Option<RealmId> {
    word.parse().ok().map(RealmId)
}

fn side_of(verb: &str, place: &str, direction: &str, present: &str) -> Option<Edit> {
    let line = match verb {
        "river" => Line::River,
        "road" => Line::Road,
        "bridge" => Line::Bridge,
        _ => Line::Wall,
    };
    Some(Edit::Side {
        place: place_of(place)?,
        direction: direction.parse().ok().filter(|digit| (1..=6).contains(digit))?,
        line,
        present: match present {
            "yes" => true,
            "no" => false,
            _ => return None,
        },
    })
}
