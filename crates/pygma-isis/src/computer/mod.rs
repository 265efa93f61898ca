//! Computer players: they expand, build, arm, assign goods, trade and fight, from their own knowledge only.
//!
//! A ruler reads its view, makes up a plan in parts and writes an order file as a person would. Before the file leaves the desk it is
//! read and checked like anybody's; lines that would be refused are struck out, so that a computer player never sends an illegal order.

mod arming;
mod budget;
mod goods;
mod lures;
mod luxury;
mod march;
mod roads;
mod sea;
mod trade;
mod ways;

use crate::codes::{Kind, Terrain};
use crate::event::Who;
use crate::imagine;
use crate::parse::{self, Seat};
use crate::state::{ArmyName, Field, Points, State};
use crate::supply;
use crate::tables::Tables;
use crate::view::View;
use crate::{check, rule};
use kernel::diagnostic::Severity;
use kernel::dice::{self, Dice, Owner};
use kernel::hex::FieldIndex;
use kernel::ratio::{Rounding, percent};
use kernel::realm::RealmId;
use std::collections::{BTreeMap, BTreeSet};

/// How often the file is read again after lines were struck out.
const READINGS: usize = 5;
/// How many fields of the lowest row must be known to say that nothing lies below it: whoever comes so far sees two rows further.
const LOWEST_KNOWN: usize = 16;

/// Writes a computer player's order file.
pub fn orders(tables: &Tables, view: &View, dice: &mut Dice) -> String {
    let (Some(seat), Some(desk)) = (Seat::of_view(view), Desk::new(tables, view, dice)) else {
        return String::new();
    };
    let lures = lures::Lures::of(&desk);
    let mut lines = Vec::new();
    if tables.is_arming(desk.step) {
        budget::spend(&desk, &lures, &mut lines);
    }
    goods::choose(&desk, &mut lines);
    luxury::give_up(&desk, &mut lines);
    trade::send(&desk, &mut lines);
    let crew = sea::sail(&desk, &lures, &mut lines);
    march::march(&desk, &lures, &crew, &mut lines);
    roads::build(&desk, &mut lines);
    greet(&desk, &mut lines);
    proofread(tables, view, &seat, lines)
}

/// Strikes out what reading and checking find fault with.
fn proofread(tables: &Tables, view: &View, seat: &Seat, mut lines: Vec<String>) -> String {
    for _ in 0..READINGS {
        if lines.is_empty() {
            return String::new();
        }
        let text = lines.join("\n") + "\n";
        let parsed = parse::parse(tables, seat, text.as_bytes());
        let advice = check::check(tables, view, &parsed);
        let faults: BTreeSet<usize> = parsed
            .diagnostics
            .iter()
            .chain(&advice)
            .filter(|finding| finding.severity != Severity::Hint)
            .map(|finding| finding.span.line.saturating_sub(1) as usize)
            .collect();
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

/// Everything that a ruler has before him.
struct Desk<'a> {
    tables: &'a Tables,
    view: &'a View,
    /// The world as he imagines it.
    state: State,
    realm: RealmId,
    /// The month that is open.
    step: u32,
    gold: i64,
    /// Points of all goods that the realm wins.
    supply: Points,
    /// Whether its people had the luxury goods that they demand.
    luxury_met: bool,
    /// Population points up to which they will demand none that it does not have.
    room: i64,
    /// What strangers and creatures were seen where, in combat points.
    danger: BTreeMap<FieldIndex, i64>,
    /// The lowest row of the drawing, if so many of its fields are known that the world must end there.
    bottom: Option<i32>,
    /// A number of this month, for choices that are as good as each other.
    mood: u64,
    /// Whether this ruler seeks war.
    warlike: bool,
}

impl<'a> Desk<'a> {
    fn new(tables: &'a Tables, view: &'a View, dice: &mut Dice) -> Option<Self> {
        let realm = view.realm()?;
        let books = view.books.as_ref()?;
        let state = imagine::world(tables, view)?;
        let mut danger: BTreeMap<FieldIndex, i64> = BTreeMap::new();
        for stranger in &view.strangers {
            let per_point = tables.army[stranger.kind].per_point.max(1);
            let points = stranger.count.unwrap_or(0) / per_point + 1;
            if let Some(field) = state.field_at(stranger.place).filter(|_| stranger.kind != Kind::Trader) {
                // Whoever stands in a town fights behind its walls (PYG-FIGHT-04, -06).
                let walls = match state.field(field).town(tables) {
                    Some(town) if town.fortified => tables.combat.fortified_town,
                    Some(_) => tables.combat.town,
                    None => 0,
                };
                *danger.entry(field).or_default() += percent(points, 100 + walls, Rounding::Up);
            }
        }
        for band in &view.bands {
            let kind = if band.creature.is_at_sea() {
                Kind::Fleet
            } else {
                Kind::Warriors
            };
            let points = band.count / tables.army[kind].per_point.max(1) + 1;
            if let Some(field) = state.field_at(band.place) {
                *danger.entry(field).or_default() += points;
            }
        }
        let supply = luxury::supply(tables, &state, realm);
        let step = view.step.saturating_add(1);
        let name = dice::name(rule::GAME_04, &format!("mood {realm}"));
        let mood = dice.roll(Owner::of(realm), &name, 0, i64::MAX).unsigned_abs();
        Some(Self {
            tables,
            view,
            realm,
            step,
            gold: books.treasury,
            luxury_met: supply::may_grow(&state, realm),
            room: luxury::room(tables, &state, realm, &supply),
            supply,
            danger,
            bottom: bottom(view),
            mood,
            // Every other ruler is a conqueror, once his realm stands on its feet.
            warlike: realm.0.is_multiple_of(2) && step > 16,
            state,
        })
    }

    /// GS of the last income month.
    fn income(&self) -> i64 {
        let statement = self.view.books.as_ref().and_then(|books| books.statement.as_ref());
        statement.map_or(0, |it| it.taxes + it.land + it.mines + it.trade)
    }

    fn field(&self, field: FieldIndex) -> &Field {
        self.state.field(field)
    }

    fn is_own(&self, field: FieldIndex) -> bool {
        self.field(field).owner == self.realm
    }

    fn is_foreign(&self, field: FieldIndex) -> bool {
        self.field(field).owner.is_played() && !self.is_own(field)
    }

    /// Land that he has seen.
    fn is_known_land(&self, field: FieldIndex) -> bool {
        let terrain = self.field(field).terrain;
        terrain != Terrain::Unexplored && !self.tables.is_water(terrain)
    }

    /// Whether there is a step over land from one field to the next.
    fn can_walk(&self, from: FieldIndex, to: FieldIndex) -> bool {
        let levels = self.height(from).abs_diff(self.height(to));
        self.is_known_land(from) && self.is_known_land(to) && levels <= self.tables.movement.height_steps.unsigned_abs()
    }

    /// Whether a field has one beside it that he has never seen.
    fn borders_on_darkness(&self, field: FieldIndex) -> bool {
        let home = self.state.realms.get(&self.realm).map_or(field, |own| own.home);
        let is_in_world = |field: FieldIndex| {
            let row = self.state.chart.spot(home, field).d;
            self.bottom.is_none_or(|bottom| row >= bottom)
        };
        let mut around = self.state.chart.neighbours(field).map(|(_, field)| field);
        around.any(|field| self.field(field).terrain == Terrain::Unexplored && is_in_world(field))
    }

    fn height(&self, field: FieldIndex) -> i64 {
        self.tables.terrain[self.field(field).terrain].height
    }

    fn place(&self, field: FieldIndex) -> String {
        self.state.place(field).to_string()
    }

    /// A way as orders write it.
    fn path(&self, fields: &[FieldIndex]) -> String {
        let places: Vec<String> = fields.iter().map(|field| self.place(*field)).collect();
        places.join(" > ")
    }

    /// The order with which armies meet strangers whom they do not attack.
    const fn manners(&self) -> &'static str {
        if self.warlike { "-" } else { "V" }
    }

    /// Own fields, in order.
    fn land(&self) -> Vec<FieldIndex> {
        self.state.land_of(self.realm).map(|(field, _)| field).collect()
    }

    /// Own armies of a kind that can march this month: not aboard, not stationary, not raised now.
    fn armies(&self, kind: Kind) -> Vec<(ArmyName, i64, FieldIndex)> {
        let own = self.state.armies_of(self.realm);
        own.filter(|(id, army)| id.kind() == kind && army.aboard.is_none() && !army.stationed)
            .map(|(id, army)| (id.name, army.count, army.field))
            .collect()
    }

    /// A number that no own army of the kind has.
    fn free_number(&self, kind: Kind, taken: &BTreeSet<u32>) -> u32 {
        let used: BTreeSet<u32> = self
            .state
            .armies_of(self.realm)
            .filter(|(id, _)| id.kind() == kind)
            .map(|(id, _)| id.name.number)
            .collect();
        (1..999)
            .find(|number| !used.contains(number) && !taken.contains(number))
            .unwrap_or(999)
    }

    /// Points that creatures or strangers have on a field.
    fn danger(&self, field: FieldIndex) -> i64 {
        self.danger.get(&field).copied().unwrap_or(0)
    }
}

/// The row with which the world ends below, if it is known. Its other edges follow from how fields are numbered.
fn bottom(view: &View) -> Option<i32> {
    let lowest = view.fields.iter().map(|field| field.at.d).min()?;
    // Every second column lies half a field lower.
    let known = view.fields.iter().filter(|field| field.at.d <= lowest + 1).count();
    (known >= LOWEST_KNOWN).then_some(lowest)
}

/// Realms that were met hear a word once a year.
fn greet(desk: &Desk<'_>, lines: &mut Vec<String>) {
    if desk.tables.date(desk.step).1 != 1 {
        return;
    }
    let known = desk.view.fields.iter().filter_map(|field| match &field.owner {
        Who::Named { id, .. } => Some(*id),
        _ => None,
    });
    let neighbours: BTreeSet<RealmId> = known.collect();
    for other in desk.view.realms.iter().filter(|other| neighbours.contains(&other.id)) {
        if !other.name.contains('"') {
            lines.push(format!("NACHRICHT \"{}\" \"Wir grüßen Euch, Nachbarn.\"", other.name));
        }
    }
}
