//! Random worlds for the harnesses that look for leaks, wavering and unread lines.
//!
//! Two pairs of realms live at the two ends of a long world. Neighbours can meet, fight and trade; the other pair is so far away
//! that nothing of it can be seen for months. The twin of a world has the far end turned upside down, and secrets next door:
//! gold, stores, an army that nobody sees, and who plays a realm that negotiates with nobody.

mod affairs;
mod orders;
mod twin;

use crate::PygmaIsis;
use crate::codes::{Kind, SettlementKind, Terrain};
use crate::parse::{self, Fate, Seat};
use crate::state::{Army, ArmyName, Band, Realm, Settlement, State, TradeCity};
use crate::tables::Tables;
use crate::{codes, sight};
use kernel::campaign::{Campaign, LineFate, Secrets, Setting};
use kernel::dice::{Dice, Owner};
use kernel::game::{self, Game};
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use kernel::stage::{Stage, StageLine};
use kernel::turn::Input;
use std::collections::BTreeMap;

/// Great fields of the world: a long strip.
const WORLD: &str = "grid rect 16 2";
/// Columns of the capitals; the pairs are about sixty fields apart.
const CAPITALS: [i32; 4] = [6, 12, 66, 72];
/// Row of the capitals.
const ROW: i32 = 5;
/// Armies stand at most so far from their capital at first.
const SPREAD: u32 = 3;
/// Gold in every treasury of a rich world: more than any order file can spend.
const RICH: i64 = 100_000_000;
/// More wine than all traders take away in some months.
const CELLAR: i64 = 10_000;
/// Armies that no order names have such numbers.
const SPY: u32 = 900;

impl Campaign for PygmaIsis {
    // The shape of the map, the book, and who plays: whoever is out writes no letters any more. How many great fields there are is secret
    // (PYG-MAP-07), and a scenario proves it: a twin of another size would have other fields everywhere.
    const SECRETS: Secrets = Secrets::AllBut(&[
        "column_length",
        "columns",
        "house_rules",
        "layout",
        "over",
        "per_row",
        "realms",
        "rows",
        "shifted",
        "status",
        "wrap",
    ]);

    fn setting(dice: &mut Dice) -> Result<Setting<Self>, String> {
        setting(&mut Lots::new(dice, "world"))
    }

    fn scramble(setting: &Setting<Self>, viewer: RealmId, steps: u32, dice: &mut Dice) -> Setting<Self> {
        twin::scramble(setting, viewer, steps, &mut Lots::new(dice, "twin"))
    }

    fn unknowable(one: &State, two: &State, viewer: RealmId) -> Result<bool, String> {
        twin::unknowable(one, two, viewer)
    }

    fn orders(state: &State, dice: &mut Dice) -> BTreeMap<RealmId, Vec<u8>> {
        orders::files(state, dice)
    }

    fn fates(tables: &Tables, seat: &Seat, file: &[u8]) -> Vec<LineFate> {
        let (_, fates) = parse::parse_lines(tables, seat, file);
        let fate = |fate| match fate {
            Fate::Blank => LineFate::Blank,
            Fate::Understood => LineFate::Understood,
            Fate::Order => LineFate::Order,
            Fate::Refused => LineFate::Refused,
        };
        fates.into_iter().map(fate).collect()
    }
}

/// Lots drawn one after the other. They make worlds for tests and decide nothing in a month.
struct Lots<'a> {
    dice: &'a mut Dice,
    name: String,
    drawn: u32,
}

impl<'a> Lots<'a> {
    /// The lots of a name: how many are drawn does not shift those of another.
    fn new(dice: &'a mut Dice, name: impl Into<String>) -> Self {
        Self {
            dice,
            name: name.into(),
            drawn: 0,
        }
    }

    /// A number from `min` to `max`.
    fn number(&mut self, min: i64, max: i64) -> i64 {
        self.drawn += 1;
        let name = format!("{} {}", self.name, self.drawn);
        self.dice.roll(Owner::World, &name, min, max)
    }

    /// Whether a chance of `percent` comes true.
    fn chance(&mut self, percent: i64) -> bool {
        self.number(1, 100) <= percent
    }

    /// One of the items.
    fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        let last = i64::try_from(items.len()).unwrap_or(0) - 1;
        let index = self.number(0, last.max(0));
        items.get(usize::try_from(index).unwrap_or(0)).copied()
    }
}

/// A random setting: the world after one month, and the orders of the next.
fn setting(lots: &mut Lots<'_>) -> Result<Setting<PygmaIsis>, String> {
    let tables = PygmaIsis::tables("")?;
    let lines = [WORLD.to_owned(), format!("month {}", lots.number(1, 8))];
    let lines = StageLine::numbered(&lines);
    let mut state = PygmaIsis::world(&tables, "", &lines).map_err(|errors| {
        let messages: Vec<String> = errors.into_iter().map(|error| error.message).collect();
        messages.join("; ")
    })?;
    state.house_rules = String::new();
    for field in state.chart.fields() {
        state.field_mut(field).terrain = terrain(lots);
    }
    for (column, number) in CAPITALS.into_iter().zip(1u16..) {
        if let Some(capital) = state.chart.at(hex(column, ROW)) {
            realm(&tables, &mut state, RealmId(number), capital, lots);
        }
    }
    let capitals: Vec<(RealmId, FieldIndex)> = state.realms.iter().map(|(id, realm)| (*id, realm.home)).collect();
    for (id, capital) in capitals {
        armies(&tables, &mut state, id, capital, lots);
        affairs::furnish(&tables, &mut state, id, lots);
    }
    // Every second world is rich; in the others gold runs out.
    if lots.chance(50) {
        for realm in state.realms.values_mut() {
            realm.treasury += RICH;
            realm.stock[codes::Good::Wine] += CELLAR;
        }
    }
    wild(&tables, &mut state, lots);
    sight::refresh(&tables, &mut state);
    let files = orders::files(&state, lots.dice);
    let state = month(&tables, state, &files, lots);
    let files = orders::files(&state, lots.dice);
    Ok(Setting { state, files })
}

/// The hexagon of a column and row of a rectangular chart.
fn hex(x: i32, y: i32) -> kernel::hex::Hex {
    kernel::hex::Hex::new(x, -((2 * y + (x & 1) + x) / 2))
}

fn terrain(lots: &mut Lots<'_>) -> Terrain {
    const OFTEN: [Terrain; 8] = [
        Terrain::Plain,
        Terrain::Plain,
        Terrain::Grassland,
        Terrain::LightForest,
        Terrain::Hills,
        Terrain::SaltWater,
        Terrain::SaltWater,
        Terrain::DeepForest,
    ];
    let all: Vec<Terrain> = Terrain::ALL
        .iter()
        .copied()
        .filter(|terrain| *terrain != Terrain::Unexplored)
        .collect();
    let list = if lots.chance(75) { &OFTEN[..] } else { &all };
    lots.pick(list).unwrap_or(Terrain::Plain)
}

/// A realm of a capital with the land around it.
fn realm(tables: &Tables, state: &mut State, id: RealmId, capital: FieldIndex, lots: &mut Lots<'_>) {
    let name = crate::stage::CAST.get(usize::from(id.0).saturating_sub(1)).copied();
    let mut own = Realm::new(name.unwrap_or("Reich"), format!("Spieler {id}"), capital);
    own.treasury = lots.number(0, 1_000_000);
    own.people = lots.pick(codes::People::ALL).unwrap_or(codes::People::Ordinary);
    state.realms.insert(id, own);
    for field in state.chart.range(capital, 1) {
        let here = state.field_mut(field);
        if tables.is_water(here.terrain) && lots.chance(70) {
            here.terrain = Terrain::Plain;
        }
        if !tables.is_water(here.terrain) {
            here.owner = id;
        }
    }
    let here = state.field_mut(capital);
    here.terrain = Terrain::Plain;
    here.owner = id;
    let mut town = Settlement::new(SettlementKind::Capital);
    town.trade = Some(TradeCity::default());
    here.settlement = Some(Box::new(town));
}

fn armies(tables: &Tables, state: &mut State, id: RealmId, capital: FieldIndex, lots: &mut Lots<'_>) {
    let around = state.chart.range(capital, SPREAD);
    for kind in [Kind::Warriors, Kind::Riders, Kind::Fleet] {
        let at_sea = kind == Kind::Fleet;
        let places: Vec<FieldIndex> = around
            .iter()
            .copied()
            .filter(|field| tables.is_water(state.field(*field).terrain) == at_sea)
            .collect();
        for number in 1..=u32::try_from(lots.number(1, 3)).unwrap_or(1) {
            let Some(field) = lots.pick(&places) else { break };
            let count = if at_sea {
                lots.number(10, 60)
            } else {
                lots.number(1000, 9000)
            };
            state
                .armies
                .insert(ArmyName::new(kind, number).of(id), Army::new(count, field));
        }
    }
    state
        .armies
        .insert(ArmyName::new(Kind::Trader, 1).of(id), Army::new(0, capital));
}

/// Creatures here and there, none where somebody lives.
fn wild(tables: &Tables, state: &mut State, lots: &mut Lots<'_>) {
    let free: Vec<FieldIndex> = state
        .chart
        .fields()
        .filter(|field| {
            let here = state.field(*field);
            let stands = state.armies.values().any(|army| army.field == *field);
            !here.owner.is_played() && !tables.is_water(here.terrain) && !stands
        })
        .collect();
    for _ in 0..30 {
        let creature = lots.pick(codes::Creature::ALL).unwrap_or(codes::Creature::Tribe);
        let Some(field) = lots.pick(&free).filter(|_| !creature.is_at_sea()) else {
            continue;
        };
        if state.bands.values().any(|band| band.field == field) {
            continue;
        }
        let band = Band {
            creature,
            count: lots.number(1, 8) * 500,
            field,
            stance: tables.creature[creature].attitude,
        };
        state.bands.insert(state.free_band(), band);
    }
}

/// Plays a month, so that realms know something and armies stand about.
fn month(tables: &Tables, state: State, files: &BTreeMap<RealmId, Vec<u8>>, lots: &mut Lots<'_>) -> State {
    let mut input = Input::<PygmaIsis>::default();
    for (realm, file) in files {
        if let Some(seat) = PygmaIsis::seat(tables, &state, *realm) {
            input.orders.insert(*realm, PygmaIsis::parse(tables, &seat, file));
        }
    }
    game::run::<PygmaIsis>(tables, state, &input, lots.dice.clone()).state
}
