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
use kernel::dice::{Dice, Owner};
use kernel::hex::{FieldIndex, Grid, flood};
use kernel::realm::RealmId;
use std::collections::{BTreeMap, BTreeSet};

/// How often the file is read again after lines were struck out.
const READINGS: usize = 4;

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
    /// The realm against which he plots, if any: never one he has a treaty with.
    rival: Option<RealmId>,
    /// Realms whose land or armies he has seen.
    met: BTreeSet<RealmId>,
    /// Strength of strangers last seen on fields, in hundredths of a light warrior; realm 0 included.
    dangers: BTreeMap<FieldIndex, i64>,
    /// A whim of this turn, 0..=99.
    whim: i64,
    /// What kind of ruler he is, 0..=99; below 40 a warlike one.
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
        let temper = dice.roll(Owner::Realm(realm), "temper", 0, 99);
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

    /// Peace with everyone met but the rival; an old treaty is kept and needs no words.
    fn diplomacy(&self, sheet: &mut Sheet) {
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

/// The warlike two fifths of all rulers pick one neighbour without a treaty; the choice is stable for a given temper.
fn rival(view: &View, met: &BTreeSet<RealmId>, temper: i64) -> Option<RealmId> {
    let free: Vec<RealmId> = met
        .iter()
        .copied()
        .filter(|r| view.treaty_with(*r) == Treaty::NoTreaty)
        .collect();
    if temper >= 40 || free.is_empty() {
        return None;
    }
    free.get(usize::try_from(temper).unwrap_or(0) % free.len()).copied()
}
