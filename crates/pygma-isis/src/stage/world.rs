//! The `world` block: lines of words that build a state.
//!
//! ```text
//! grid   rect 3 3 | hex48 8 10      great fields in a row, rows; 3 x 3 of 25 fields unless said otherwise
//! fill   EB                         terrain of all fields that no `map` names
//! month  4                          the month that is played next, counted from the first
//! map    5/13 EB Adler HPT fortified trade   5/14 GB Adler mine:gold:30000:5   5/15 SA
//! river, bridge, road  5/13-5/14
//! realm  Adler gold 100000 people berg met Bär:realm stock wein:5 hygiene 10000 unrest 50
//! army   Adler KH 1 5000 at 5/13 order A aboard FH 1 equipment II stationed raised 3
//! army   Adler H 1 at 5/13 load wein:8:Adler
//! band   horde 6000 at 5/20 order A
//! lane   Adler Nordroute 5/20>5/21>5/22
//! made   seed 7 keine berg           a world of the generator with a realm of each people, in the order of the cast
//! ```

use super::{CAST, place, realm_number};
use crate::chart::{Chart, Layout};
use crate::codes::{Creature, Equipment, Good, Kind, People, SettlementKind, Soil, Stance, Terrain, Vein, WorkKind};
use crate::state::{
    Acquaintance, Army, ArmyName, Band, Field, Lane, Load, Points, Promotion, Realm, Settlement, State, Statement,
    TradeCity, Underground, Work,
};
use crate::tables::Tables;
use crate::worldgen;
use kernel::dice::{Dice, WorldSecret};
use kernel::game::{SeatPlan, WorldPlan};
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use kernel::stage::{StageError, StageLine};
use kernel::vocabulary::Vocabulary;
use std::iter::Peekable;
use std::str::SplitWhitespace;

/// Great fields in a row and rows unless a scenario says otherwise.
const GRID: (u32, u32) = (3, 3);
/// Great fields that a scenario may ask for at the most, each way.
const GRID_MAX: u32 = 40;

/// House rules of a scenario: no disaster strikes unless they speak of disasters, so that scenarios need not list their dice.
fn calm(house_rules: &str) -> String {
    let is_silent = house_rules
        .parse::<toml::Table>()
        .is_ok_and(|table| !table.contains_key("disaster"));
    if is_silent {
        format!("{house_rules}\n[disaster]\npct_per_realm_and_month = 0\n")
    } else {
        house_rules.to_owned()
    }
}

/// Builds the world of a scenario.
pub(super) fn build(tables: &Tables, house_rules: &str, lines: &[StageLine]) -> Result<State, Vec<StageError>> {
    let mut errors = Vec::new();
    if let Some(line) = lines.iter().find(|line| line.text.starts_with("made ")) {
        return generated(tables, &calm(house_rules), &line.text).map_err(|message| {
            let line = line.line;
            vec![StageError { line, message }]
        });
    }
    let mut builder = Builder::new(tables, &calm(house_rules));
    // Shape, then realms and land, then what stands on it: lines may come in any order.
    for pass in [Pass::Shape, Pass::Land, Pass::Rest] {
        for line in lines {
            if let Err(message) = builder.line(pass, &line.text) {
                let line = line.line;
                errors.push(StageError { line, message });
            }
        }
        if pass == Pass::Shape {
            if !builder.state.chart.may_wrap() {
                let message = "a world that wraps has an even number of columns, six at the least".to_owned();
                let line = lines.first().map_or(1, |line| line.line);
                errors.push(StageError { line, message });
            }
            builder.lay_out();
        }
    }
    errors.sort_by_key(|error| error.line);
    errors.dedup();
    if errors.is_empty() {
        Ok(builder.state)
    } else {
        Err(errors)
    }
}

/// `made seed 7 keine berg -`: a world of the generator; `-` is a realm whose player chose no people. Nothing else may be said of it.
fn generated(tables: &Tables, house_rules: &str, text: &str) -> Result<State, String> {
    let mut words = Words(text.split_whitespace().peekable());
    words.next("made")?;
    words.read("the word 'seed'", |word| (word == "seed").then_some(()))?;
    let seed: u64 = words.number("a seed")?;
    let peoples: Vec<&str> = words.0.collect();
    if peoples.len() > CAST.len() {
        return Err(format!("the cast has {} realms", CAST.len()));
    }
    let seats = CAST.iter().zip(peoples).map(|(name, people)| SeatPlan {
        realm: (*name).to_owned(),
        player: format!("Spieler {name}"),
        kind: people.trim_matches('-').to_owned(),
    });
    let plan = WorldPlan { seats: seats.collect() };
    let mut secret = [0; 32];
    let (first, _) = secret.split_at_mut(8);
    first.copy_from_slice(&seed.to_le_bytes());
    let mut dice = Dice::Keyed(WorldSecret(secret).step(0));
    worldgen::create(tables, house_rules, &plan, &mut dice, &mut |_, _| {}).map_err(|error| error.to_string())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Shape,
    Land,
    Rest,
}

struct Builder<'a> {
    tables: &'a Tables,
    state: State,
    fill: Terrain,
}

struct Words<'a>(Peekable<SplitWhitespace<'a>>);

impl<'a> Words<'a> {
    fn next(&mut self, wanted: &str) -> Result<&'a str, String> {
        self.0
            .next()
            .ok_or_else(|| format!("the line ends where {wanted} was expected"))
    }

    fn read<T>(&mut self, wanted: &str, read: impl Fn(&str) -> Option<T>) -> Result<T, String> {
        let word = self.next(wanted)?;
        read(word).ok_or_else(|| format!("'{word}' is not {wanted}"))
    }

    fn number<T: std::str::FromStr>(&mut self, wanted: &str) -> Result<T, String> {
        self.read(wanted, |word| word.parse().ok())
    }

    fn realm(&mut self) -> Result<RealmId, String> {
        self.read("a realm (Adler, Bär, Chimäre, Drache, Einhorn)", realm_number)
    }

    fn unit(&mut self) -> Result<ArmyName, String> {
        let kind = self.read("KH, RH, FH or H", Kind::from_code)?;
        Ok(ArmyName::new(kind, self.number("the number of an army")?))
    }
}

impl<'a> Builder<'a> {
    fn new(tables: &'a Tables, house_rules: &str) -> Self {
        let chart = Chart {
            per_row: GRID.0,
            rows: GRID.1,
            ..tables.chart()
        };
        let state = State {
            step: 0,
            chart,
            fields: Vec::new(),
            realms: Default::default(),
            armies: Default::default(),
            bands: Default::default(),
            house_rules: house_rules.to_owned(),
            over: false,
        };
        Self {
            tables,
            state,
            fill: Terrain::Plain,
        }
    }

    fn lay_out(&mut self) {
        let fields = self.state.chart.field_count() as usize;
        self.state.fields = vec![Field::wild(self.fill); fields];
    }

    fn line(&mut self, pass: Pass, text: &str) -> Result<(), String> {
        let mut words = Words(text.split_whitespace().peekable());
        let verb = words.next("a keyword")?;
        match (verb, pass) {
            ("grid", Pass::Shape) => {
                let layout = words.read("rect or hex48", Layout::from_code)?;
                let (per_row, rows) = (
                    words.number("great fields in a row")?,
                    words.number("rows of great fields")?,
                );
                if !(1..=GRID_MAX).contains(&per_row) || !(1..=GRID_MAX).contains(&rows) {
                    return Err(format!("a scenario has 1 to {GRID_MAX} great fields each way"));
                }
                self.state.chart = Chart {
                    layout,
                    per_row,
                    rows,
                    ..self.state.chart
                };
                Ok(())
            }
            ("fill", Pass::Shape) => words
                .read(TERRAIN, Terrain::from_code)
                .map(|terrain| self.fill = terrain),
            ("month", Pass::Shape) => {
                let month: u32 = words.number("a month")?;
                self.state.step = month.saturating_sub(1);
                Ok(())
            }
            ("map", Pass::Land) => self.map(&mut words),
            ("river" | "bridge" | "road", Pass::Land) => self.edge(verb, &mut words),
            ("realm", Pass::Rest) => self.realm(&mut words),
            ("army", Pass::Rest) => self.army(&mut words),
            ("band", Pass::Rest) => self.band(&mut words),
            ("lane", Pass::Rest) => self.lane(&mut words),
            (
                "grid" | "fill" | "month" | "map" | "river" | "bridge" | "road" | "realm" | "army" | "band" | "lane",
                _,
            ) => Ok(()),
            _ => Err(format!(
                "'{verb}' is no keyword; there are made, grid, fill, month, map, river, bridge, road, realm, army, band, lane"
            )),
        }
    }

    fn at(&self, word: &str) -> Result<FieldIndex, String> {
        let place = place(word)?;
        self.state
            .field_at(place)
            .ok_or_else(|| format!("the world has no field {place}"))
    }

    /// A realm that is named exists; its home is the first field named with it.
    fn ensure(&mut self, realm: RealmId, home: FieldIndex) -> Result<(), String> {
        let Some(name) = usize::from(realm.0).checked_sub(1).and_then(|index| CAST.get(index)) else {
            return Ok(());
        };
        let player = format!("Spieler {name}");
        self.state
            .realms
            .entry(realm)
            .or_insert_with(|| Realm::new(*name, player, home));
        Ok(())
    }

    fn map(&mut self, words: &mut Words<'_>) -> Result<(), String> {
        while let Some(word) = words.0.next() {
            let index = self.at(word)?;
            let terrain = words.read(TERRAIN, Terrain::from_code)?;
            let mut field = Field::wild(terrain);
            while let Some(word) = words
                .0
                .next_if(|word| Terrain::from_code(word).is_none() && super::place(word).is_err())
            {
                if let Some(realm) = realm_number(word) {
                    self.ensure(realm, index)?;
                    field.owner = realm;
                } else {
                    feature(&mut field, word)?;
                }
            }
            if let Some(realm) = self.state.realms.get_mut(&field.owner)
                && field
                    .settlement
                    .as_ref()
                    .is_some_and(|town| town.kind == SettlementKind::Capital)
            {
                realm.home = index;
            }
            if self.tables.is_water(terrain) && field.owner.is_played() {
                return Err(format!("{word}: water belongs to nobody"));
            }
            *self.state.field_mut(index) = field;
        }
        Ok(())
    }

    fn edge(&mut self, verb: &str, words: &mut Words<'_>) -> Result<(), String> {
        for word in words.0.by_ref() {
            let (from, to) = word
                .split_once('-')
                .ok_or_else(|| format!("'{word}' is not an edge such as 5/13-5/14"))?;
            let (from, to) = (self.at(from)?, self.at(to)?);
            let Some(direction) = self.state.chart.direction_to(from, to) else {
                return Err(format!("{word}: the fields are not adjacent"));
            };
            for (field, direction) in [(from, direction), (to, direction.opposite())] {
                let field = self.state.field_mut(field);
                match verb {
                    "river" => field.rivers.insert(direction),
                    "bridge" => field.bridges.insert(direction),
                    _ => field.roads.insert(direction),
                }
            }
        }
        Ok(())
    }

    fn realm(&mut self, words: &mut Words<'_>) -> Result<(), String> {
        let id = words.realm()?;
        self.ensure(id, FieldIndex(0))?;
        while let Some(word) = words.0.next() {
            let Some(realm) = self.state.realms.get_mut(&id) else {
                return Err("nobody is no realm".to_owned());
            };
            match word {
                "gold" => realm.treasury = words.number("gold")?,
                "people" => realm.people = words.read("a people", People::from_code)?,
                "hygiene" => realm.hygiene = Some(words.number("gold")?),
                "unrest" => realm.unrest = words.number("percent")?,
                "missed" => realm.missed = words.number("months")?,
                "stock" => realm.stock = goods(words)?,
                "imports" => realm.imports = goods(words)?,
                "harvest" => realm.bad_harvest = words.read("a harvest (good, bad)", harvest)?,
                "promoted" => realm.promotions.push(promotion(words.next("ebene:getreide:1")?)?),
                // What the last income month said.
                "balanced" => statement(realm).balanced = true,
                "unbalanced" => statement(realm).balanced = false,
                "luxury-missing" => statement(realm).luxury_met = false,
                "needed" => {
                    let word = words.next("goods such as wein,erze,holz")?;
                    let read: Option<Vec<Good>> = word.split(',').map(Good::from_word).collect();
                    statement(realm).needed = read.ok_or_else(|| format!("'{word}' is not a list of goods"))?;
                }
                "met" => {
                    let word = words.next("Bär:realm or Bär:player")?;
                    let (other, how) = word.split_once(':').unwrap_or((word, "realm"));
                    let known = match how {
                        "player" => Acquaintance::Player,
                        "realm" => Acquaintance::Realm,
                        _ => return Err(format!("'{how}' is not realm or player")),
                    };
                    let other = realm_number(other).ok_or_else(|| format!("'{other}' is not a realm"))?;
                    realm.met.insert(other, known);
                }
                _ => {
                    return Err(format!(
                        "'{word}' is no word for a realm; there are gold, people, hygiene, unrest, missed, stock, imports, harvest, promoted, \
                         balanced, unbalanced, luxury-missing, needed, met"
                    ));
                }
            }
        }
        Ok(())
    }

    fn army(&mut self, words: &mut Words<'_>) -> Result<(), String> {
        let realm = words.realm()?;
        let name = words.unit()?;
        let count = if name.kind == Kind::Trader {
            0
        } else {
            words.number("heads")?
        };
        if words.next("the word 'at'")? != "at" {
            return Err("the word 'at' was expected".to_owned());
        }
        let field = self.at(words.next("a place")?)?;
        self.ensure(realm, field)?;
        let mut army = Army::new(count, field);
        while let Some(word) = words.0.next() {
            match word {
                "order" => army.stance = words.read("A, R, V or -", Stance::from_code)?,
                "aboard" => army.aboard = Some(words.unit()?),
                "equipment" => army.equipment = Some(words.read("I or II", Equipment::from_code)?),
                "used" => army.equipment_used = true,
                "stationed" => army.stationed = true,
                "raised" => army.raised = words.number("a month")?,
                "load" => {
                    for part in words.next("good:points:realm")?.split(',') {
                        army.load.push(load(part)?);
                    }
                }
                _ => {
                    return Err(format!(
                        "'{word}' is no word for an army; there are order, aboard, equipment, used, stationed, raised, load"
                    ));
                }
            }
        }
        match self.state.armies.insert(name.of(realm), army) {
            Some(_) => Err(format!("{name} stands there twice")),
            None => Ok(()),
        }
    }

    fn band(&mut self, words: &mut Words<'_>) -> Result<(), String> {
        let creature = {
            let wanted = format!("a creature ({})", codes::<Creature>());
            words.read(&wanted, Creature::from_code)?
        };
        let count = words.number("strength")?;
        if words.next("the word 'at'")? != "at" {
            return Err("the word 'at' was expected".to_owned());
        }
        let field = self.at(words.next("a place")?)?;
        let mut stance = self.tables.creature[creature].attitude;
        if words.0.next_if_eq(&"order").is_some() {
            stance = words.read("A, R, V or -", Stance::from_code)?;
        }
        let id = self.state.free_band();
        let band = Band {
            creature,
            count,
            field,
            stance,
        };
        self.state.bands.insert(id, band);
        Ok(())
    }

    fn lane(&mut self, words: &mut Words<'_>) -> Result<(), String> {
        let realm = words.realm()?;
        let name = words.next("a name")?;
        let path = words.next("a path such as 5/20>5/21")?;
        let fields: Vec<FieldIndex> = path.split('>').map(|word| self.at(word)).collect::<Result<_, _>>()?;
        for (from, to) in fields.iter().zip(fields.iter().skip(1)) {
            if self.state.chart.direction_to(*from, *to).is_none() {
                return Err(format!("{path}: the fields are not adjacent"));
            }
        }
        let lane = Lane { fields, since: 0 };
        let own = self.state.realms.get_mut(&realm).ok_or("the realm has no land yet")?;
        own.lanes.insert(name.to_owned(), lane);
        Ok(())
    }
}

/// The codes of a vocabulary.
fn codes<W: Vocabulary>() -> String {
    let codes: Vec<&str> = W::WORDS.iter().map(|word| word.word()).collect();
    codes.join(" ")
}

/// What a terrain is called in a line.
const TERRAIN: &str = "a terrain (EI EB GB HE HU WU SU GR RW LW TW SW SA RI OA WH)";

/// Whether a harvest failed.
fn harvest(word: &str) -> Option<bool> {
    match word {
        "good" => Some(false),
        "bad" => Some(true),
        _ => None,
    }
}

/// The statement of a realm: good in all respects until the scenario says otherwise.
fn statement(realm: &mut Realm) -> &mut Statement {
    realm.statement.get_or_insert_with(|| Statement {
        balanced: true,
        luxury_met: true,
        ..Statement::default()
    })
}

/// `ebene:getreide:1`.
fn promotion(word: &str) -> Result<Promotion, String> {
    let parts: Vec<&str> = word.split(':').collect();
    let read = match parts.as_slice() {
        [soil, good, points] => Soil::from_code(soil)
            .zip(Good::from_word(good))
            .zip(points.parse().ok()),
        _ => None,
    };
    let ((soil, good), points) = read.ok_or_else(|| format!("'{word}' is not a promotion such as ebene:getreide:1"))?;
    Ok(Promotion { soil, good, points })
}

/// What stands on a field or lies under it: `HPT`, `WPO`, `fortified`, `trade`, `trade:8:9:3000`, `named:4`, `plague:2`, `grown:3`, `mine:gold:30000:5`,
/// `places:vieh+vieh+vieh`, `idle` and `town-idle` for what pays nothing at the next income month.
fn feature(field: &mut Field, word: &str) -> Result<(), String> {
    let fault = || {
        format!(
            "'{word}' is neither a realm nor something that stands on a field; there are {}, {}, fortified, trade, trade:8:9:3000, named:4, plague:2, \
             grown:3, capital-of:Bär, town-idle (behind a settlement), mine:gold:30000:5 ({}), nothing, pearls, places:vieh+vieh+vieh, idle",
            codes::<SettlementKind>(),
            codes::<WorkKind>(),
            codes::<Vein>(),
        )
    };
    if let Some(kind) = SettlementKind::from_code(word) {
        field.settlement = Some(Box::new(Settlement::new(kind)));
        return Ok(());
    }
    if let Some(kind) = WorkKind::from_code(word) {
        field.work = Some(Work { kind, built: 0 });
        return Ok(());
    }
    let (key, value) = word.split_once(':').unwrap_or((word, ""));
    match key {
        "nothing" => field.ground = Underground::Nothing,
        "idle" => field.pays_nothing = true,
        "pearls" => field.ground = Underground::Pearls,
        "mine" => {
            let parts: Vec<&str> = value.split(':').collect();
            let [vein, yields, terms] = parts.as_slice() else {
                return Err(fault());
            };
            let vein = Vein::from_code(vein).ok_or_else(fault)?;
            let (yields, terms) = (
                yields.parse().map_err(|_| fault())?,
                terms.parse().map_err(|_| fault())?,
            );
            field.ground = Underground::Mine { vein, yields, terms };
        }
        "places" => {
            let goods: Vec<Good> = value.split('+').filter_map(Good::from_word).collect();
            field.places = Some(<[Good; 3]>::try_from(goods).map_err(|_| fault())?);
        }
        _ => {
            let town = field.settlement.as_mut().ok_or_else(fault)?;
            match key {
                "fortified" => town.fortified = true,
                "trade" => town.trade = Some(trade(value).ok_or_else(fault)?),
                "named" => {
                    let trade = town.trade.as_mut().ok_or_else(fault)?;
                    trade.named = value.parse().map_err(|_| fault())?;
                }
                "town-idle" => town.pays_nothing = true,
                "plague" => town.plague = value.parse().map_err(|_| fault())?,
                "grown" => town.grown = value.parse().map_err(|_| fault())?,
                "capital-of" => town.capital_of = realm_number(value).ok_or_else(fault)?,
                _ => return Err(fault()),
            }
        }
    }
    Ok(())
}

/// Nothing, or points of needed goods, points of others and GS that count again: `8:9:3000`.
fn trade(word: &str) -> Option<TradeCity> {
    if word.is_empty() {
        return Some(TradeCity::default());
    }
    let numbers: Vec<i64> = word.split(':').filter_map(|part| part.parse().ok()).collect();
    let [needed, others, carried] = numbers.as_slice() else {
        return None;
    };
    Some(TradeCity {
        named: 0,
        needed: *needed,
        others: *others,
        carried: *carried,
    })
}

/// `wein:5,erze:3`.
fn goods(words: &mut Words<'_>) -> Result<Points, String> {
    let word = words.next("goods such as wein:5,erze:3")?;
    let mut points = Points::default();
    for part in word.split(',') {
        let read = part
            .split_once(':')
            .and_then(|(good, number)| Some((Good::from_word(good)?, number.parse::<i64>().ok()?)));
        let (good, number) = read.ok_or_else(|| format!("'{part}' is not goods such as wein:5"))?;
        points[good] = number;
    }
    Ok(points)
}

/// `wein:8:Adler`; several with commas between them.
fn load(word: &str) -> Result<Load, String> {
    let parts: Vec<&str> = word.split(':').collect();
    let read = match parts.as_slice() {
        [good, points, origin] => Good::from_word(good).zip(points.parse().ok()).zip(realm_number(origin)),
        _ => None,
    };
    let ((good, points), origin) = read.ok_or_else(|| format!("'{word}' is not a load such as wein:8:Adler"))?;
    Ok(Load { origin, good, points })
}
