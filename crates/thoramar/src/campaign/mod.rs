//! Random worlds for the harnesses that look for leaks, wavering and unread lines.
//!
//! Two pairs of realms live on opposite sides of a long world. Neighbours can meet, fight and trade; the other pair is so far
//! away that nothing of it can be seen for seasons. [`scramble`] turns the far side upside down and plants secrets next
//! door: spies, gold, letters, unrest, strength that nobody has tried. [`horizon`] says how long they stay secrets.

mod horizon;
mod orders;
mod scramble;
mod world;

use crate::Thoramar;
use crate::parse::{self, Fate, Seat};
use crate::state::State;
use crate::tables::Tables;
use kernel::campaign::{Campaign, LineFate, Secrets, Setting};
use kernel::dice::{Dice, Owner};
use kernel::realm::RealmId;
use std::collections::BTreeMap;

/// Steps that an army makes in a season at the most.
const STEPS: i64 = 6;
/// Spies have numbers that no order names.
const SPY: u32 = 900;

impl Campaign for Thoramar {
    // Who takes part, the map's shape and the tables are the world's; the end of a realm, of the world and a people's own text are told to everybody.
    const SECRETS: Secrets = Secrets::AllBut(&[
        "realms",
        "columns",
        "rows",
        "wrap",
        "house_rules",
        "table_changes",
        "status",
        "over",
        "culture_text",
    ]);

    fn setting(dice: &mut Dice) -> Result<Setting<Self>, String> {
        world::setting(&mut Lots::new(dice, "world"))
    }

    fn scramble(setting: &Setting<Self>, viewer: RealmId, steps: u32, dice: &mut Dice) -> Setting<Self> {
        scramble::scramble(setting, viewer, steps, &mut Lots::new(dice, "twin"))
    }

    fn unknowable(one: &State, two: &State, viewer: RealmId) -> Result<bool, String> {
        horizon::unknowable(one, two, viewer)
    }

    fn orders(state: &State, dice: &mut Dice) -> BTreeMap<RealmId, Vec<u8>> {
        orders::files(state, orders::Arming::KnownKinds, STEPS, dice)
    }

    fn fates(tables: &Tables, seat: &Seat, file: &[u8]) -> Vec<LineFate> {
        let (_, fates) = parse::parse_lines(tables, seat, file);
        fates
            .into_iter()
            .map(|fate| match fate {
                Fate::Blank => LineFate::Blank,
                Fate::Comment | Fate::Header | Fate::Text => LineFate::Understood,
                Fate::Order => LineFate::Order,
                Fate::Refused => LineFate::Refused,
            })
            .collect()
    }
}

/// Lots drawn one after the other. They make worlds for tests and decide nothing in a turn.
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
        self.dice
            .roll(Owner::World, &format!("{} {}", self.name, self.drawn), min, max)
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
