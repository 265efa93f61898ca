//! Computer players: they expand, build, trade, sail, bless, conjure, keep treaties and fight, from their own knowledge only.
//!
//! A ruler reads its view, makes up a plan in parts (treaties, purse, armies) and writes an order file as a person would.
//! Before the file leaves the desk it is read and checked like anybody's; lines that would be refused are struck out, so
//! that a computer player never sends an illegal order.

mod campaign;
mod guilds;
mod magic;
mod purse;
mod voyage;

use crate::codes::Treaty;
use crate::imagine;
use crate::parse::{self, Seat};
use crate::season::Season;
use crate::state::{ArmyName, State};
use crate::tables::Tables;
use crate::view::View;
use crate::{check, codes};
use kernel::diagnostic::Severity;
use kernel::dice::{Dice, Owner, WorldSecret};
use kernel::hex::{FieldIndex, Grid, flood};
use kernel::realm::RealmId;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// How often the file is read again after lines were struck out.
const READINGS: usize = 4;

/// Turns that a quarrel about land lasts.
const QUARREL: u32 = 8;

/// How many of a hundred quarrels a ruler begins: a warlike one, and any other.
const AMBITION: (i64, i64) = (75, 30);

/// A ruler whose temper is below this is warlike.
const WARLIKE: i64 = 40;

/// Fields that are looked at to tell the homeland from land beyond the sea.
const HOMELAND_LIMIT: usize = 4_000;

/// Writes a computer player's order file.
pub fn orders(tables: &Tables, view: &View, seat: &Seat, dice: &mut Dice) -> String {
    let Some(desk) = Desk::new(tables, view, dice) else {
        return String::new();
    };
    let mut sheet = Sheet::default();
    desk.diplomacy(&mut sheet);
    let spent = purse::spend(&desk, &mut sheet);
    campaign::march(&desk, &spent, &mut sheet);
    proofread(tables, view, seat, sheet.lines())
}

/// Strikes out what reading and checking find fault with.
fn proofread(tables: &Tables, view: &View, seat: &Seat, mut lines: Vec<String>) -> String {
    for _ in 0..READINGS {
        let text = lines.join("\n") + "\n";
        let parsed = parse::parse(tables, seat, text.as_bytes());
        let mut faults: BTreeSet<usize> = BTreeSet::new();
        let advice = check::check(tables, view, &parsed);
        for finding in parsed.diagnostics.iter().chain(&advice) {
            if finding.severity != Severity::Hint {
                faults.insert(finding.span.line.saturating_sub(1) as usize);
            }
        }
        faults.retain(|line| lines.get(*line).is_some_and(|text| !text.starts_with('$')));
        if faults.is_empty() {
            return text;
        }
        let mut number = 0;
        lines.retain(|_| {
            number += 1;
            !faults.contains(&(number - 1))
        });
    }
    String::new()
}

/// The sections of an order file.
#[derive(Default)]
struct Sheet {
    build: Vec<String>,
    arm: Vec<String>,
    march: Vec<String>,
    treat: Vec<String>,
}

impl Sheet {
    fn lines(self) -> Vec<String> {
        let sections = [
            ("$B", self.build),
            ("$R", self.arm),
            ("$A", self.march),
            ("$V", self.treat),
        ];
        let filled = sections.into_iter().filter(|(_, lines)| !lines.is_empty());
        filled
            .flat_map(|(head, lines)| [head.to_owned()].into_iter().chain(lines))
            .collect()
    }
}

/// What a ruler has before him: the imagined world and what he makes of it.
struct Desk<'a> {
    tables: &'a Tables,
    view: &'a View,
    realm: RealmId,
    state: State,
    season: Season,
    /// The realm against which he plots, if any. A treaty with it he ends openly before he does anything.
    rival: Option<RealmId>,
    /// Realms whose land or armies he has seen.
    met: BTreeSet<RealmId>,
    /// Strength of strangers last seen on fields, in hundredths of a light warrior; realm 0 included.
    dangers: BTreeMap<FieldIndex, i64>,
    /// A whim of this turn, 0..=99.
    whim: i64,
    /// What kind of ruler he is for as long as his realm stands, 0..=99; a low one is warlike.
    temper: i64,
    /// Known land that can be walked to from the capital.
    homeland: BTreeSet<FieldIndex>,
}

impl<'a> Desk<'a> {
    fn new(tables: &'a Tables, view: &'a View, dice: &mut Dice) -> Option<Self> {
        let realm = view.realm()?;
        let tables = tables.of(realm);
        let state = imagine::world(tables, view)?;
        let season = Season::new(&state, view.turn + 1);
        let whim = dice.roll(Owner::Realm(realm), &format!("whim of turn {}", view.turn), 0, 99);
        let met = met(view, realm);
        let mut nature = nature(&state, realm);
        let temper = nature.roll(Owner::Realm(realm), "temper", 0, 99);
        let rival = rival(view, &met, temper);
        let mut desk = Self {
            tables,
            view,
            realm,
            state,
            season,
            rival,
            met,
            dangers: BTreeMap::new(),
            whim,
            temper,
            homeland: BTreeSet::new(),
        };
        desk.dangers = desk.dangers();
        desk.homeland = desk.homeland();
        if desk.rival.is_none() {
            desk.rival = desk.neighbour_to_quarrel_with(&mut nature);
        }
        Some(desk)
    }

    fn grid(&self) -> &Grid {
        &self.state.grid
    }

    /// Strangers that were seen this turn and might fight.
    fn dangers(&self) -> BTreeMap<FieldIndex, i64> {
        let mut dangers = BTreeMap::new();
        for (place, known) in &self.view.fields {
            let Ok(field) = place.field(self.grid(), self.state.origin) else {
                continue;
            };
            let strangers = known.armies.iter().filter(|army| {
                army.realm
                    .is_none_or(|realm| realm != self.realm && self.view.treaty_with(realm) == Treaty::NoTreaty)
            });
            let strength: i64 = strangers
                .map(|army| army.count.saturating_mul(self.tables.combat_value(army.kind)))
                .sum();
            if strength > 0 && known.turn + 2 > self.view.turn {
                dangers.insert(field, strength);
            }
        }
        dangers
    }

    /// The known land that is one with the capital's, heights that no army climbs left aside.
    fn homeland(&self) -> BTreeSet<FieldIndex> {
        let land = |field: FieldIndex| self.tables.is_land(self.state.field(field).terrain);
        let area = flood(self.grid(), self.state.origin, HOMELAND_LIMIT, |_, _, to| land(to));
        area.fields.into_iter().collect()
    }

    /// Strength of an own army in hundredths of a light warrior.
    fn strength(&self, name: ArmyName, count: i64) -> i64 {
        let percent = self.view.books().map_or(100, |books| books.culture.percent(name.kind));
        count
            .saturating_mul(self.tables.combat_value(name.kind))
            .saturating_mul(percent)
            / 100
    }

    /// Where hardly any free land is left beside his own, a ruler looks at his neighbours': now and then, the warlike oftener, he means to
    /// have that of the one with the longest border.
    fn neighbour_to_quarrel_with(&self, nature: &mut Dice) -> Option<RealmId> {
        let quarrel = format!("quarrel {}", self.view.turn / QUARREL);
        let ambition = nature.roll(Owner::Realm(self.realm), &quarrel, 0, 99);
        let wanted = if self.temper < WARLIKE { AMBITION.0 } else { AMBITION.1 };
        let fields = self.season.estate(self.realm).count();
        let is_crowded = fields > 1 && self.frontier().len() * 10 <= fields;
        if ambition >= wanted || !is_crowded {
            return None;
        }
        let mut borders: BTreeMap<RealmId, usize> = BTreeMap::new();
        for field in self.season.estate(self.realm) {
            for (_, beside) in self.grid().neighbours(field) {
                let owner = self.state.field(beside).owner;
                if owner.is_played() && owner != self.realm {
                    *borders.entry(owner).or_default() += 1;
                }
            }
        }
        let longest = borders
            .into_iter()
            .max_by_key(|(other, length)| (*length, Reverse(*other)));
        longest.map(|(other, _)| other)
    }

    /// Peace with everyone met but the rival, with whom an old treaty ends; other treaties are kept and need no words.
    fn diplomacy(&self, sheet: &mut Sheet) {
        if let Some(rival) = self.rival
            && self.view.treaty_with(rival) != Treaty::NoTreaty
        {
            sheet.treat.push(format!("{rival} {}", Treaty::NoTreaty.code()));
        }
        for other in &self.met {
            let plays = self
                .view
                .realms
                .get(other)
                .is_some_and(|realm| realm.status == crate::state::Status::Playing);
            if plays && Some(*other) != self.rival && self.view.treaty_with(*other) == Treaty::NoTreaty {
                sheet
                    .treat
                    .push(format!("{other} {}", codes::Treaty::NonAggression.code()));
            }
        }
    }
}

fn met(view: &View, realm: RealmId) -> BTreeSet<RealmId> {
    let owners = view.fields.values().map(|known| known.glimpse.owner);
    let flags = view
        .fields
        .values()
        .flat_map(|known| known.armies.iter().filter_map(|army| army.realm));
    owners
        .chain(flags)
        .filter(|other| other.is_played() && *other != realm)
        .collect()
}

/// Throws about what stays the same in a ruler, whatever turn it is: they follow from the land round his first capital, which he knows and
/// which is another one in every world.
fn nature(state: &State, realm: RealmId) -> Dice {
    let home = state.grid.range(state.origin, 1);
    let mut seed = [0; 32];
    for (byte, field) in seed.iter_mut().zip(home) {
        *byte = state.field(field).terrain as u8;
    }
    if let Some(last) = seed.last_mut() {
        *last = u8::try_from(realm.0 % 251).unwrap_or_default();
    }
    Dice::Keyed(WorldSecret(seed).step(0))
}

/// The warlike two fifths of all rulers pick one neighbour without a treaty; the choice is stable for a given temper.
fn rival(view: &View, met: &BTreeSet<RealmId>, temper: i64) -> Option<RealmId> {
    let free: Vec<RealmId> = met
        .iter()
        .copied()
        .filter(|r| view.treaty_with(*r) == Treaty::NoTreaty)
        .collect();
    if temper >= WARLIKE || free.is_empty() {
        return None;
    }
    free.get(usize::try_from(temper).unwrap_or(0) % free.len()).copied()
}
