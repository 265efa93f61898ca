//! Changes of the world by the game master's hand (THO-ADM-01, THO-ADM-02), each a judgement with a reason.
//!
//! An edit is made as a whole or not at all: what would leave a world that breaks its laws is refused, and the game master is
//! told why. Places are those of the world, as the game master reads them. What players know changes only when they see it.

use crate::codes::{Building, Condition, Kind, Terrain, Treaty};
use crate::event::Happening;
use crate::geo::Place;
use crate::rule;
use crate::season::{Season, SeasonTurn};
use crate::state::{Army, ArmyId, ArmyName, Field, Sides, Site, State};
use crate::tables::Tables;
use kernel::hex::{Direction, FieldIndex};
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
}

/// Makes a change, or tells the game master why not.
pub fn apply(turn: &mut SeasonTurn<'_>, season: &mut Season, edit: &Edit) {
    if let Err(fault) = change(turn.tables, &mut turn.state, season, edit) {
        let what = Happening::TablesRefused {
            toml: format!("{edit:?}").into(),
            fault: fault.into(),
        };
        season.emit(turn, Cause::GameMaster, &[rule::ADM_01][..], &[], what);
    }
}

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
            let direction = Direction::from_digit(*direction).ok_or("a direction is 1 to 6")?;
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
                return Err("yield and unrest are at most 100");
            }
            let field = state.field_mut(field);
            (field.yield_percent, field.blessed_turns, field.unrest) = (*yield_percent, *blessed_turns, *unrest);
            Ok(())
        }
        Edit::Treasury { realm, gold } => {
            let owner = state.realms.get_mut(realm).ok_or("there is no such realm")?;
            if !(0..=MOST).contains(gold) {
                return Err("a treasury holds 0 to 1000000000");
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
                return Err("a treaty needs two realms of this world");
            }
            let pair = (*one.min(other), *one.max(other));
            match treaty {
                Treaty::NoTreaty => drop(state.treaties.remove(&pair)),
                treaty => drop(state.treaties.insert(pair, *treaty)),
            }
            Ok(())
        }
    }
}

fn at(state: &State, place: Place) -> Result<FieldIndex, Refused> {
    state
        .field_at(RealmId::NOBODY, place)
        .map_err(|_| "there is no such field")
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
        return Err("no field of a world is unexplored");
    }
    let stays = season.on(field).all(|id| may_stand(tables, id.kind(), terrain));
    if !stays {
        return Err("armies stand there that could not");
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
        return Err("there is no such realm");
    }
    if realm.is_played() && !tables.is_land(state.field(field).terrain) {
        return Err("only land has an owner");
    }
    let holds_capital = state
        .field(field)
        .building()
        .is_some_and(|site| site.building == Building::Capital);
    if holds_capital && has_capital(state, realm, field) {
        return Err("the realm has a capital already");
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
    let beside = state.grid.neighbour(field, direction).ok_or("the world ends there")?;
    let on_land = |field: FieldIndex| tables.is_land(state.field(field).terrain);
    match line {
        Line::River => {
            if !present {
                set_both(state, field, direction, false, |field| &mut field.bridges);
            }
            set_both(state, field, direction, present, |field| &mut field.rivers);
        }
        Line::Road if present && !(on_land(field) && on_land(beside)) => return Err("a road joins land"),
        Line::Road => set_both(state, field, direction, present, |field| &mut field.roads),
        Line::Bridge if present && !state.field(field).rivers.has(direction) => return Err("a bridge needs a river"),
        Line::Bridge => set_both(state, field, direction, present, |field| &mut field.bridges),
        Line::Wall if present && !on_land(field) => return Err("a wall stands on land"),
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
        return Err("buildings stand on land");
    }
    if building == Building::Capital && has_capital(state, state.field(field).owner, field) {
        return Err("the realm has a capital already");
    }
    if name.chars().count() > 20 || name.chars().any(char::is_control) {
        return Err("a name has at most 20 characters");
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
            return Err("others depend on this army");
        }
        return season.remove(state, id).map(|_| ()).ok_or("there is no such army");
    }
    if id.realm.is_played() && !state.realms.contains_key(&id.realm) {
        return Err("there is no such realm");
    }
    if id.kind().is_group() || !(1..=9_999).contains(&id.name.number) || !(1..=MOST).contains(&count) {
        return Err("an army of 1 to 1000000000, no group, with a number up to 9999, was expected");
    }
    if !may_stand(tables, id.kind(), state.field(field).terrain) {
        return Err("the army cannot stand there");
    }
    match state.army(id) {
        None => {
            let points = i32::try_from(tables.of(id.realm).movement_points(id.kind())).unwrap_or(i32::MAX);
            season.add(state, id, Army::new(count, field, points));
        }
        Some(army) if !army.is_free() => return Err("the army is aboard or in a group"),
        Some(army) if leads && count < army.count => return Err("others depend on this army"),
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
/// `building 3/2 none`, `land 3/2 100 0 0`, `treasury 1 5000`, `army 1 K.M 1 3/2 2000`, `treaty 1 2 P`.
///
/// # Errors
/// What was expected instead. Nothing if the text begins no edit.
pub fn read(text: &str) -> Option<Result<Edit, String>> {
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
        (
            "terrain" | "owner" | "river" | "road" | "bridge" | "wall" | "building" | "land" | "treasury" | "army"
            | "treaty",
            _,
        ) => None,
        _ => return None,
    };
    Some(edit.ok_or_else(|| format!("'{text}' is no change that '{verb}' can make")))
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
