//! The `world` block: lines of `key value` words that build a state.

use super::{CAST, realm_number};
use crate::codes::{Building, Command, Condition, Family, Flag, Kind, RealmKind, Terrain, Treaty};
use crate::culture::Culture;
use crate::geo::Place;
use crate::roster::Roster;
use crate::state::{Army, ArmyId, ArmyName, Computer, Field, Realm, Sides, Site, State, Status, Works};
use crate::tables::Tables;
use crate::{groups, worldgen};
use kernel::dice::{Dice, WorldSecret};
use kernel::game::{SeatPlan, WorldPlan};
use kernel::hex::{FieldIndex, Grid, Wrap};
use kernel::realm::RealmId;
use kernel::stage::{StageError, StageLine};
use std::collections::BTreeMap;

/// Columns and rows of a scenario's world unless it says otherwise.
const SIZE: (u32, u32) = (24, 15);
/// Columns and rows that a scenario may ask for at the most.
const SIZE_MAX: (u32, u32) = (400, 400);

/// Builds the world of a scenario.
pub(super) fn build(tables: &Tables, house_rules: &str, lines: &[StageLine]) -> Result<State, Vec<StageError>> {
    let mut errors = Vec::new();
    let mut builder = match Builder::new(tables, house_rules, lines) {
        Ok(builder) => builder,
        Err(error) => return Err(vec![error]),
    };
    // Realms and fields first, so that armies may stand in any order of lines.
    for pass in [Pass::Land, Pass::Armies] {
        for line in lines {
            if let Err(message) = builder.line(pass, &line.text) {
                errors.push(StageError {
                    line: line.line,
                    message,
                });
            }
        }
        builder.settle_origins();
    }
    builder.rest_groups();
    if errors.is_empty() {
        Ok(builder.state)
    } else {
        Err(errors)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Land,
    Armies,
}

struct Builder<'a> {
    tables: &'a Tables,
    state: State,
    /// Realms whose 0/0 was given; the others take their first capital, or the world's 0/0.
    origins: BTreeMap<RealmId, FieldIndex>,
    /// Groups whose movement points were not said.
    rested: Vec<ArmyId>,
}

/// The words of a line, taken one by one.
struct Words<'a> {
    words: std::iter::Peekable<std::str::SplitWhitespace<'a>>,
}

impl<'a> Words<'a> {
    fn next(&mut self, wanted: &str) -> Result<&'a str, String> {
        self.words
            .next()
            .ok_or_else(|| format!("the line ends where {wanted} was expected"))
    }

    fn number<T: std::str::FromStr>(&mut self, wanted: &str) -> Result<T, String> {
        let word = self.next(wanted)?;
        word.parse().map_err(|_| format!("'{word}' is not {wanted}"))
    }

    fn place(&mut self) -> Result<Place, String> {
        place(self.next("a place x/y")?)
    }

    fn code<T>(&mut self, wanted: &str, read: impl Fn(&str) -> Option<T>) -> Result<T, String> {
        let word = self.next(wanted)?;
        read(word).ok_or_else(|| format!("'{word}' is not {wanted}"))
    }

    fn realm(&mut self) -> Result<RealmId, String> {
        self.code("a realm (Adler, Bär, Chimäre, Drache, Einhorn, 0)", realm_number)
    }

    fn army(&mut self) -> Result<ArmyName, String> {
        let kind = self.code("a type and class such as K.M", Kind::from_code)?;
        Ok(ArmyName::new(kind, self.number("the number of an army")?))
    }
}

fn place(word: &str) -> Result<Place, String> {
    let (x, y) = word
        .split_once('/')
        .ok_or_else(|| format!("'{word}' is not a place x/y"))?;
    match (x.parse(), y.parse()) {
        (Ok(x), Ok(y)) => Ok(Place::new(x, y)),
        _ => Err(format!("'{word}' is not a place x/y")),
    }
}

/// `0/0-1/0`, with signs: the hyphen that parts the two places is the one behind a digit.
fn edge(word: &str) -> Result<(Place, Place), String> {
    let at = word
        .char_indices()
        .skip(1)
        .find(|(at, c)| *c == '-' && word[..*at].ends_with(|before: char| before.is_ascii_digit()));
    let (at, _) = at.ok_or_else(|| format!("'{word}' is not an edge such as 0/0-1/0"))?;
    Ok((place(&word[..at])?, place(&word[at + 1..])?))
}

fn flag(word: &str) -> Option<Flag> {
    match word {
        "+" => Some(Flag::Shown),
        "-" => Some(Flag::Unseen),
        "none" => Some(Flag::Unassigned),
        _ => None,
    }
}

/// `made seed 7 ordinary pirate`: a world of the generator, with a realm of each kind in the order of the cast.
fn generated(tables: &Tables, house_rules: &str, words: &mut Words<'_>) -> Result<State, String> {
    if words.next("the word 'seed'")? != "seed" {
        return Err("the seed is missing: made seed 7 ordinary pirate".into());
    }
    let seed: u64 = words.number("a seed")?;
    let kinds: Vec<&str> = words.words.by_ref().collect();
    if kinds.len() > CAST.len() {
        return Err(format!("the cast has {} realms", CAST.len()));
    }
    let seats = CAST.iter().zip(kinds).map(|(name, kind)| SeatPlan {
        realm: (*name).to_owned(),
        player: (*name).to_owned(),
        kind: kind.to_owned(),
    });
    let plan = WorldPlan { seats: seats.collect() };
    let mut secret = [0; 32];
    secret[..8].copy_from_slice(&seed.to_le_bytes());
    let mut dice = Dice::Keyed(WorldSecret(secret).step(0));
    worldgen::create(tables, house_rules, &plan, &mut dice, &mut |_, _| {}).map_err(|error| error.to_string())
}

impl<'a> Builder<'a> {
    fn new(tables: &'a Tables, house_rules: &str, lines: &[StageLine]) -> Result<Self, StageError> {
        let mut size = SIZE;
        let mut fill = Terrain::Lowland;
        let mut turn = 0;
        let mut made = None;
        for line in lines {
            let mut words = Words {
                words: line.text.split_whitespace().peekable(),
            };
            let read = match words.words.next() {
                Some("size") => words
                    .number("columns")
                    .and_then(|columns| Ok((columns, words.number("rows")?)))
                    .map(|given| size = given),
                Some("fill") => words.code("a terrain", Terrain::from_code).map(|t| fill = t),
                Some("turn") => words.number("a turn").map(|t| turn = t),
                Some("made") => generated(tables, house_rules, &mut words).map(|state| made = Some(state)),
                _ => Ok(()),
            };
            read.map_err(|message| StageError {
                line: line.line,
                message,
            })?;
        }
        if let Some(state) = made {
            return Ok(Self {
                tables,
                state: State { turn, ..state },
                origins: BTreeMap::new(),
                rested: Vec::new(),
            });
        }
        let fail = |message: String| StageError {
            line: lines.first().map_or(1, |line| line.line),
            message,
        };
        if size.0 > SIZE_MAX.0 || size.1 > SIZE_MAX.1 {
            return Err(fail(format!(
                "a scenario's world has at most {} x {} fields",
                SIZE_MAX.0, SIZE_MAX.1
            )));
        }
        let wrap = if tables.world.wrap_east_west {
            Wrap::Cylinder
        } else {
            Wrap::Plane
        };
        let grid = Grid::new(size.0, size.1, wrap).map_err(|error| fail(error.to_string()))?;
        let unknown = i64::from(tables.world.unknown_rows_each_pole);
        let row = i64::from(size.1 / 2);
        let column = i64::from(size.0 / 2) * 2 + row % 2;
        let origin = grid.at(kernel::hex::Doubled::new(column, row)).unwrap_or(FieldIndex(0));
        let fields = grid
            .fields()
            .map(|field| {
                let y = grid.doubled(field).y;
                let pole = y < unknown || y >= i64::from(size.1) - unknown;
                Field::wild(if pole { Terrain::Unknown } else { fill })
            })
            .collect();
        let state = State {
            turn,
            grid,
            origin,
            fields,
            realms: BTreeMap::new(),
            armies: Roster::new(),
            treaties: BTreeMap::new(),
            house_rules: house_rules.to_owned(),
            table_changes: Vec::new(),
            over: false,
        };
        Ok(Self {
            tables,
            state,
            origins: BTreeMap::new(),
            rested: Vec::new(),
        })
    }

    fn line(&mut self, pass: Pass, text: &str) -> Result<(), String> {
        let mut words = Words {
            words: text.split_whitespace().peekable(),
        };
        match (words.words.next().unwrap_or(""), pass) {
            ("" | "size" | "fill" | "turn" | "made", _) => Ok(()),
            ("realm", Pass::Land) => self.realm(&mut words),
            ("map", Pass::Land) => self.map(&mut words),
            ("field", Pass::Land) => self.field(&mut words),
            ("treaty", Pass::Land) => self.treaty(&mut words),
            ("army", Pass::Armies) => self.army(&mut words),
            ("realm" | "map" | "field" | "treaty" | "army", _) => Ok(()),
            (other, _) => Err(format!(
                "'{other}' begins no line of a world: made, size, fill, turn, realm, map, field, treaty or army was expected"
            )),
        }
    }

    fn index(&self, place: Place) -> Result<FieldIndex, String> {
        place
            .field(&self.state.grid, self.state.origin)
            .map_err(|_| format!("{place} is no field of this world (odd rows have no column 0; see 'size')"))
    }

    /// Makes sure that a realm of the cast exists.
    fn introduce(&mut self, realm: RealmId) {
        if !realm.is_played() || self.state.realms.contains_key(&realm) {
            return;
        }
        let name = CAST
            .get(usize::from(realm.0) - 1)
            .copied()
            .unwrap_or_default()
            .to_owned();
        self.state.realms.insert(
            realm,
            Realm {
                player: name.clone(),
                name,
                kind: RealmKind::Ordinary,
                culture: Culture::default(),
                culture_text: Vec::new(),
                origin: self.state.origin,
                treasury: self.tables.start.treasury,
                income: 0,
                upkeep: None,
                account: None,
                computer: Computer::Unsaid,
                missed_turns: 0,
                status: Status::Playing,
                knowledge: BTreeMap::new(),
            },
        );
    }

    fn settle_origins(&mut self) {
        let realms: Vec<RealmId> = self.state.realms.keys().copied().collect();
        for realm in realms {
            let first_capital = || {
                self.state.grid.fields().find(|field| {
                    let field = self.state.field(*field);
                    field.owner == realm && field.building().is_some_and(|s| s.building == Building::Capital)
                })
            };
            let origin = self
                .origins
                .get(&realm)
                .copied()
                .or_else(first_capital)
                .unwrap_or(self.state.origin);
            if let Some(realm) = self.state.realms.get_mut(&realm) {
                realm.origin = origin;
            }
        }
    }

    /// `realm Adler treasury 1000 kind nomad spares jungle,swamp percent K.M 120 origin 3/1 name ... (name last)`
    fn realm(&mut self, words: &mut Words<'_>) -> Result<(), String> {
        let id = words.realm()?;
        if !id.is_played() {
            return Err("realm 0 is nobody's and needs no line".into());
        }
        self.introduce(id);
        while let Some(key) = words.words.next() {
            if key == "origin" {
                let origin = self.index(words.place()?)?;
                self.origins.insert(id, origin);
                continue;
            }
            let Some(realm) = self.state.realms.get_mut(&id) else {
                return Ok(());
            };
            match key {
                "treasury" => realm.treasury = words.number("an amount of gold")?,
                "kind" => realm.kind = words.code("ordinary, nomad or pirate", RealmKind::from_code)?,
                "spares" => {
                    for word in words.next("families of terrain")?.split(',') {
                        let family =
                            Family::from_code(word).ok_or_else(|| format!("'{word}' is no family of terrain"))?;
                        realm.culture.spared.insert(family);
                    }
                }
                "percent" => {
                    let kind = words.code("a type and class", Kind::from_code)?;
                    realm.culture.percent.insert(kind, words.number("a percentage")?);
                }
                "account" => realm.account = Some(words.number("an amount")?),
                "missed" => realm.missed_turns = words.number("a number of turns")?,
                "computer" => {
                    realm.computer = match words.next("pc or amiga")? {
                        "pc" => Computer::Pc,
                        "amiga" => Computer::Amiga,
                        other => return Err(format!("'{other}' is neither pc nor amiga")),
                    }
                }
                "player" => realm.player = words.next("a name")?.replace('_', " "),
                "culture" => realm.culture_text.push(words.next("a text")?.replace('_', " ")),
                "name" => realm.name = words.words.by_ref().collect::<Vec<_>>().join(" "),
                other => return Err(format!("a realm has no '{other}'")),
            }
        }
        Ok(())
    }

    /// `map 0/0 tla Adler HST   1/0 was   river 0/0-1/0   road 0/0-1/0   bridge 0/0-1/0   wall 0/0-1/0`
    fn map(&mut self, words: &mut Words<'_>) -> Result<(), String> {
        let mut current: Option<FieldIndex> = None;
        while let Some(word) = words.words.next() {
            match word {
                "river" | "road" | "bridge" | "wall" => {
                    let (a, b) = edge(words.next("an edge such as 0/0-1/0")?)?;
                    self.edge(word, a, b)?;
                    current = None;
                }
                _ if word.contains('/') => current = Some(self.index(place(word)?)?),
                _ => {
                    let field = current.ok_or_else(|| format!("'{word}' stands behind no place"))?;
                    self.describe(field, word)?;
                }
            }
        }
        Ok(())
    }

    /// One word about a field: terrain, owner or building with an optional condition (`FES:L`) and name (`FES=Nordwacht`).
    fn describe(&mut self, field: FieldIndex, word: &str) -> Result<(), String> {
        if let Some(realm) = realm_number(word) {
            self.introduce(realm);
            self.state.field_mut(field).owner = realm;
            return Ok(());
        }
        let (rest, name) = word
            .split_once('=')
            .map_or((word, None), |(rest, name)| (rest, Some(name)));
        let (code, condition) = rest
            .split_once(':')
            .map_or((rest, None), |(code, condition)| (code, Some(condition)));
        // Terrain codes are written small, building codes large: `hst` is highland steppe, `HST` a capital.
        if code.chars().all(|c| c.is_ascii_uppercase()) {
            let building = Building::from_code(code).ok_or_else(|| format!("'{code}' is no building"))?;
            let mut site = Site::finished(building, name.unwrap_or(code).replace('_', " "));
            if let Some(condition) = condition {
                site.condition = Condition::from_code(condition)
                    .ok_or_else(|| format!("'{condition}' is no condition (I L S R)"))?;
            }
            self.state.field_mut(field).site = Some(Box::new(site));
            return Ok(());
        }
        let terrain = Terrain::from_code(code)
            .ok_or_else(|| format!("'{word}' is neither a terrain, a realm of the cast nor a building"))?;
        self.state.field_mut(field).terrain = terrain;
        Ok(())
    }

    fn edge(&mut self, what: &str, a: Place, b: Place) -> Result<(), String> {
        let (from, to) = (self.index(a)?, self.index(b)?);
        let direction = self
            .state
            .grid
            .direction_to(from, to)
            .ok_or_else(|| format!("{a} and {b} are no neighbours"))?;
        if what == "wall" {
            self.state.field_mut(from).walls.insert(direction);
            return Ok(());
        }
        for (field, direction) in [(from, direction), (to, direction.opposite())] {
            let field = self.state.field_mut(field);
            let sides: &mut Sides = match what {
                "river" => &mut field.rivers,
                "road" => &mut field.roads,
                _ => &mut field.bridges,
            };
            sides.insert(direction);
        }
        Ok(())
    }

    /// `field 1/0 yield 80 blessed 3 unrest 30 works FES 2 armed 5000 code 24 reserve 50000 unfinished`
    fn field(&mut self, words: &mut Words<'_>) -> Result<(), String> {
        let index = words.place().and_then(|place| self.index(place))?;
        while let Some(key) = words.words.next() {
            let field = self.state.field_mut(index);
            match key {
                "yield" => field.yield_percent = words.number("a percentage")?,
                "blessed" => field.blessed_turns = words.number("a number of turns")?,
                "unrest" => field.unrest = words.number("unrest 0..100")?,
                "works" | "armed" | "code" | "reserve" | "unfinished" => {
                    let site = field
                        .site
                        .as_deref_mut()
                        .ok_or("no building stands here ('map' lines come first)")?;
                    match key {
                        "works" => {
                            let target = words.code("a building", Building::from_code)?;
                            site.works = Some(Works {
                                target,
                                turns_left: words.number("a number of turns")?,
                            });
                        }
                        "armed" => site.armed_gold = words.number("an amount of gold")?,
                        "code" => site.gate_code = Some(words.number("a gate code")?),
                        "reserve" => site.mine_reserve = words.number("an amount of gold")?,
                        _ => site.standing = false,
                    }
                }
                other => self.describe(index, other)?,
            }
        }
        Ok(())
    }

    fn treaty(&mut self, words: &mut Words<'_>) -> Result<(), String> {
        let (a, b) = (words.realm()?, words.realm()?);
        let treaty = words.code("a treaty (K A P)", Treaty::from_code)?;
        self.introduce(a);
        self.introduce(b);
        if a == b || !a.is_played() || !b.is_played() {
            return Err("a treaty binds two different realms".into());
        }
        self.state.treaties.insert((a.min(b), a.max(b)), treaty);
        Ok(())
    }

    /// `army Adler K.M 1 2000 at 0/0 points 3 command A flag - fit tds aboard S.L 1 group V.L 1 start 0/0 master Z.B 1`
    fn army(&mut self, words: &mut Words<'_>) -> Result<(), String> {
        let realm = words.realm()?;
        let name = words.army()?;
        let count = words.number("a count")?;
        self.introduce(realm);
        let id = name.of(realm);
        let points = self.tables.of(realm).movement_points(name.kind);
        let mut army = Army::new(count, self.state.origin, i32::try_from(points).unwrap_or(i32::MAX));
        let (mut placed, mut rested) = (false, true);
        while let Some(key) = words.words.next() {
            match key {
                "at" => {
                    army.field = words.place().and_then(|place| self.index(place))?;
                    placed = true;
                }
                "points" => {
                    army.points = words.number("movement points")?;
                    rested = false;
                }
                "command" => army.command = words.code("a command (V A P E Z)", Command::from_code)?,
                "flag" => army.flag = words.code("a flag (+ - none)", flag)?,
                "fit" => army.fit = Some(words.code("a terrain", Terrain::from_code)?),
                "aboard" => army.aboard = Some(words.army()?),
                "group" => army.group = Some(words.army()?),
                "start" => army.start = Some(words.place().and_then(|place| self.index(place))?),
                "master" => army.master = Some(words.army()?),
                other => return Err(format!("an army has no '{other}'")),
            }
        }
        if !placed {
            return Err("where the army stands is missing: at x/y".into());
        }
        if self.state.armies.insert(id, army).is_some() {
            return Err(format!("{name} of this realm stands twice in the world"));
        }
        if rested && name.kind.is_group() {
            self.rested.push(id);
        }
        Ok(())
    }

    /// Full movement points of groups are known when all members are there (THO-GRP-02).
    fn rest_groups(&mut self) {
        for id in std::mem::take(&mut self.rested) {
            let kinds: Vec<Kind> = self.state.members(id).map(|(member, _)| member.kind()).collect();
            let points = groups::pace(self.tables.of(id.realm), kinds);
            if let Some(group) = self.state.armies.get_mut(&id) {
                group.points = points;
            }
        }
    }
}
