//! Combat (PYG-FIGHT-01..10, PYG-FORT-02, PYG-GAP-41..48).
//!
//! After each tick, by ascending field: as long as two sides stand there of which one attacks, the two strongest such sides fight. A side
//! is a realm with all its armies on the field, or one band.

pub mod losses;
pub mod points;

use crate::codes::{Creature, Kind, Stance};
use crate::event::war::War;
use crate::month::{Month, MonthTurn};
use crate::rule;
use crate::state::{Acquaintance, ArmyId, ArmyName, BandId, Points, State};
use crate::tables::Combat;
use crate::{attrition, shipping, withdrawal};
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::Cause;
pub use losses::{desert, lose, lose_share};
use points::{Percentage, Position};
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet};

const STEP: &str = "fight";

/// Who fights: a realm's armies together, or one band. Bands come before realms, as nobody's number is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Side {
    /// Creatures, natives, a garrison, rebels.
    Band(BandId),
    /// A realm.
    Realm(RealmId),
}

impl Side {
    /// The realm, or nobody.
    pub const fn realm(self) -> RealmId {
        match self {
            Self::Realm(realm) => realm,
            Self::Band(_) => RealmId::NOBODY,
        }
    }
}

/// An army or a band.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// An army.
    Army(ArmyId),
    /// A band.
    Band(BandId, Creature),
}

/// What became of somebody who fought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It holds the field.
    Stayed,
    /// It went back to this field.
    Retreated(FieldIndex),
    /// It is no more.
    Destroyed,
}

/// Somebody who fights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fighter {
    /// Who.
    pub unit: Unit,
    /// As what it fights.
    pub kind: Kind,
    /// Strength before.
    pub before: i64,
    /// Strength afterwards, before losses on the retreat.
    pub left: i64,
    /// Percentages on its strength.
    pub percentages: Vec<Percentage>,
    /// Its points.
    pub points: i64,
    /// The field it came from in this tick.
    pub entered_from: Option<FieldIndex>,
    /// What became of it.
    pub fate: Fate,
}

/// One of two sides of a battle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Party {
    /// Who.
    pub side: Side,
    /// Its armies, or the band.
    pub fighters: Vec<Fighter>,
    /// Special points of its culture.
    pub culture: i64,
    /// All its points.
    pub points: i64,
    /// Whether one of them attacks.
    pub attacks: bool,
}

/// A battle, the winner first; equal points are nobody's victory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Battle {
    /// Where.
    pub field: FieldIndex,
    /// Who; the winner first, or the side that was there before.
    pub parties: [Party; 2],
    /// Whether both had the same points.
    pub tie: bool,
}

/// Every field on which somebody attacks, by ascending field; then what traders suffer there.
///
/// PYG-FIGHT-01, PYG-ORD-02, PYG-GAP-31, PYG-GAP-43, PYG-GAP-60.
pub fn fight(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let mut bands: BTreeMap<FieldIndex, Vec<BandId>> = BTreeMap::new();
    for (id, band) in &turn.state.bands {
        bands.entry(band.field).or_default().push(*id);
    }
    for field in month.occupied() {
        let here = bands.get(&field).map_or(&[][..], Vec::as_slice);
        clash(turn, month, field, here);
        seize_traders(turn, month, field);
    }
}

/// Lets all sides on a field fight until no two are left of which one attacks (PYG-GAP-43).
pub fn clash(turn: &mut MonthTurn<'_>, month: &mut Month, field: FieldIndex, bands: &[BandId]) {
    if !somebody_attacks(turn, month, field, bands) {
        return;
    }
    loop {
        let mut parties = muster(turn, month, field, bands);
        parties.sort_by_key(|party| (Reverse(party.points), party.side));
        let Some((first, second)) = pair(month, field, &parties) else {
            return;
        };
        let second = parties.swap_remove(second);
        let first = parties.swap_remove(first);
        resolve(turn, month, field, first, second);
    }
}

/// A quick look before anything is counted: two sides, one with order A.
fn somebody_attacks(turn: &MonthTurn<'_>, month: &Month, field: FieldIndex, bands: &[BandId]) -> bool {
    let mut sides: BTreeSet<Side> = BTreeSet::new();
    let mut attacks = false;
    for id in month.on(field).filter(|id| id.kind() != Kind::Trader) {
        sides.insert(Side::Realm(id.realm));
        attacks |= crate::month::stance(&turn.state, id) == Stance::Attack;
    }
    for id in bands {
        if let Some(band) = turn.state.bands.get(id).filter(|band| band.field == field) {
            sides.insert(Side::Band(*id));
            attacks |= band.stance == Stance::Attack;
        }
    }
    attacks && sides.len() > 1
}

/// The two strongest sides of which one attacks; equal points: the lower realm first. `parties` are in that order.
fn pair(month: &Month, field: FieldIndex, parties: &[Party]) -> Option<(usize, usize)> {
    for (i, first) in parties.iter().enumerate() {
        for (j, second) in parties.iter().enumerate().skip(i + 1) {
            let both_bands = matches!((first.side, second.side), (Side::Band(_), Side::Band(_)));
            if !both_bands && (first.attacks || second.attacks) && may_begin(month, field, first, second) {
                return Some((i, j));
            }
        }
    }
    None
}

/// Sides that stay on one field after equal points do not begin again until somebody joins them.
fn may_begin(month: &Month, field: FieldIndex, first: &Party, second: &Party) -> bool {
    let key = (field, first.side.min(second.side), first.side.max(second.side));
    let fresh = |party: &Party| party.fighters.iter().any(|fighter| fighter.entered_from.is_some());
    match month.clashes.get(&key) {
        None => true,
        Some(tick) => *tick < month.tick && (fresh(first) || fresh(second)),
    }
}

/// All sides on a field with their points (PYG-FIGHT-02..08, PYG-GAP-41..43, PYG-GAP-48).
fn muster(turn: &MonthTurn<'_>, month: &Month, field: FieldIndex, bands: &[BandId]) -> Vec<Party> {
    let mut parties: BTreeMap<Side, Party> = BTreeMap::new();
    let mut join = |side: Side, fighter: Fighter, attacks: bool| {
        let party = parties.entry(side).or_insert_with(|| Party {
            side,
            fighters: Vec::new(),
            culture: 0,
            points: 0,
            attacks: false,
        });
        party.attacks |= attacks;
        party.fighters.push(fighter);
    };
    for id in month.on(field).filter(|id| id.kind() != Kind::Trader) {
        if let Some(army) = turn.state.armies.get(&id) {
            let position = position_of_army(month, field, id);
            let unit = Unit::Army(id);
            let fighter = fighter(turn, unit, army.count, &position);
            join(Side::Realm(id.realm), fighter, army.stance == Stance::Attack);
        }
    }
    for id in bands {
        if let Some(band) = turn.state.bands.get(id).filter(|band| band.field == field) {
            let position = position_of_band(month, field, *id, band.creature);
            let unit = Unit::Band(*id, band.creature);
            let fighter = fighter(turn, unit, band.count, &position);
            join(Side::Band(*id), fighter, band.stance == Stance::Attack);
        }
    }
    let mut parties: Vec<Party> = parties.into_values().collect();
    for party in &mut parties {
        count(&turn.state, field, party);
    }
    parties
}

/// The points of a side: those of its armies, and its culture's once; never below 0.
fn count(state: &State, field: FieldIndex, party: &mut Party) {
    let defends = party.fighters.iter().any(|fighter| fighter.entered_from.is_none());
    if let Some(realm) = state.realms.get(&party.side.realm()) {
        party.culture = points::culture(&realm.culture, state.field(field).terrain, defends);
    }
    let own: i64 = party.fighters.iter().map(|fighter| fighter.points).sum();
    party.points = own.saturating_add(party.culture).max(0);
}

fn fighter(turn: &MonthTurn<'_>, unit: Unit, count: i64, position: &Position) -> Fighter {
    let percentages = points::percentages(turn.tables, &turn.state, position);
    Fighter {
        unit,
        kind: position.kind,
        before: count,
        left: count,
        points: points::points(turn.tables, position.kind, count, &percentages),
        percentages,
        entered_from: position.entered_from,
        fate: Fate::Stayed,
    }
}

fn position_of_army(month: &Month, field: FieldIndex, id: ArmyId) -> Position {
    let plan = month.plan(id);
    let last_from = plan.and_then(|plan| plan.came_from).filter(|from| *from != field);
    let moved_now = plan.is_some_and(|plan| plan.entered_in == month.tick);
    Position {
        kind: id.kind(),
        realm: id.realm,
        holds: false,
        field,
        entered_from: last_from.filter(|_| moved_now),
        last_from,
    }
}

fn position_of_band(month: &Month, field: FieldIndex, id: BandId, creature: Creature) -> Position {
    let from = month.strayed.get(&id).copied();
    Position {
        kind: if creature.is_at_sea() {
            Kind::Fleet
        } else {
            Kind::Warriors
        },
        realm: RealmId::NOBODY,
        holds: matches!(creature, Creature::Garrison | Creature::Rebels),
        field,
        entered_from: from,
        last_from: from,
    }
}

/// A battle of two sides.
///
/// PYG-FIGHT-01, -09, PYG-GAP-37 (names), PYG-GAP-44 (equal points), PYG-GAP-45 (winner), PYG-GAP-46 (loser), PYG-GAP-47 (fleets).
fn resolve(turn: &mut MonthTurn<'_>, month: &mut Month, field: FieldIndex, first: Party, second: Party) {
    let (mut first, mut second) = (first, second);
    let key = (field, first.side.min(second.side), first.side.max(second.side));
    month.clashes.insert(key, month.tick);
    introduce(&mut turn.state, first.side.realm(), second.side.realm());
    let tie = first.points == second.points;
    if first.points < second.points || (tie && first.fighters.iter().all(|f| f.entered_from.is_some())) {
        std::mem::swap(&mut first, &mut second);
    }
    let combat = &turn.tables.combat;
    let (winner, loser) = (first.points, second.points);
    let shares = match winner.cmp(&loser) {
        Ordering::Equal => [(combat.tie_loss_pct, 100); 2],
        _ => [winner_share(combat, winner, loser), loser_share(combat, winner, loser)],
    };
    for (party, (part, whole)) in [&mut first, &mut second].into_iter().zip(shares) {
        for fighter in &mut party.fighters {
            fighter.left = suffer(turn, month, fighter.unit, part, whole);
            if fighter.left == 0 {
                fighter.fate = Fate::Destroyed;
            }
        }
    }
    let retreats: Vec<(Unit, FieldIndex)> = if tie {
        [&mut first, &mut second].into_iter().flat_map(turn_back).collect()
    } else {
        flee(turn, month, field, &mut second)
    };
    let mut rules = rules_of(&first, &second, tie);
    // Stationary armies fight like others, and do not withdraw.
    if [&first, &second]
        .into_iter()
        .any(|party| has_stationary(&turn.state, party))
    {
        rules.extend([rule::STAT_03, rule::STAT_04, rule::GAP_38, rule::GAP_49]);
    }
    let cause = cause_of(month, &first, &second);
    let parties = [first, second];
    for (party, is_winner) in parties.iter().zip([!tie, false]) {
        for fighter in &party.fighters {
            if let Unit::Army(id) = fighter.unit {
                let ends = turn.tables.movement.fought_army_stops || fighter.fate != Fate::Stayed;
                let plan = month.plan_mut(id);
                plan.won = Some(is_winner);
                plan.stopped |= ends;
            }
        }
    }
    let battle = Battle { field, parties, tie };
    month.emit(turn, cause, rules, &[], War::Battle(Box::new(battle)));
    for (unit, to) in retreats {
        retreat(turn, month, field, unit, to);
    }
}

/// PYG-GAP-45: the greater the superiority, the smaller the loss: a percentage of (L / W) squared.
fn winner_share(combat: &Combat, winner: i64, loser: i64) -> (i64, i64) {
    let power = |points: i64| points.saturating_pow(combat.winner_loss_exponent);
    (
        combat.winner_loss_pct.saturating_mul(power(loser)),
        power(winner).saturating_mul(100),
    )
}

/// PYG-GAP-46: a percentage at parity, everything at three to one or against nothing.
fn loser_share(combat: &Combat, winner: i64, loser: i64) -> (i64, i64) {
    if loser <= 0 || winner >= loser.saturating_mul(combat.loser_destroyed_at_ratio) {
        return (1, 1);
    }
    (
        combat.loser_loss_pct.saturating_mul(winner.saturating_add(loser)),
        loser.saturating_mul(200),
    )
}

/// Any battle reveals the names of realms to both sides, never those of players (PYG-GAP-37).
fn introduce(state: &mut State, a: RealmId, b: RealmId) {
    if !a.is_played() || !b.is_played() {
        return;
    }
    for (own, other) in [(a, b), (b, a)] {
        if let Some(own) = state.realms.get_mut(&own) {
            let known = own.met.entry(other).or_default();
            *known = (*known).max(Acquaintance::Realm);
        }
    }
}

/// Takes a share from whoever fought; how many are left.
fn suffer(turn: &mut MonthTurn<'_>, month: &mut Month, unit: Unit, part: i64, whole: i64) -> i64 {
    match unit {
        Unit::Army(id) => losses::lose_in_battle(turn, month, id, part, whole),
        Unit::Band(id, _) => {
            let rounding = losses::in_battle(turn.tables);
            let Some(band) = turn.state.bands.get_mut(&id) else {
                return 0;
            };
            let lost = losses::rounded_share(band.count, part, whole, rounding);
            band.count = band.count.saturating_sub(lost);
            let left = band.count;
            if left <= 0 {
                turn.state.bands.remove(&id);
            }
            left
        }
    }
}

/// PYG-GAP-44: after equal points those who came return to the field they came from; the others stay.
fn turn_back(party: &mut Party) -> Vec<(Unit, FieldIndex)> {
    let mut back = Vec::new();
    for fighter in party.fighters.iter_mut().filter(|fighter| fighter.left > 0) {
        if let Some(to) = fighter.entered_from {
            fighter.fate = Fate::Retreated(to);
            back.push((fighter.unit, to));
        }
    }
    back
}

/// PYG-GAP-46: survivors of the loser go one field back: those who came to where they came from, the others by PYG-GAP-38. Whoever
/// has no way out is destroyed.
fn flee(turn: &mut MonthTurn<'_>, month: &mut Month, field: FieldIndex, party: &mut Party) -> Vec<(Unit, FieldIndex)> {
    let mut ways = Vec::new();
    for fighter in party.fighters.iter_mut().filter(|fighter| fighter.left > 0) {
        let to = match fighter.unit {
            Unit::Army(id) => fighter
                .entered_from
                .or_else(|| withdrawal::way_out(turn, month, id))
                .filter(|to| can_return(turn, month, id, *to)),
            Unit::Band(_, creature) => fighter
                .entered_from
                .or_else(|| crate::creatures::way_out(turn, month, creature, field)),
        };
        match to {
            Some(to) => {
                fighter.fate = Fate::Retreated(to);
                ways.push((fighter.unit, to));
            }
            None => {
                fighter.fate = Fate::Destroyed;
                fighter.left = 0;
                match fighter.unit {
                    Unit::Army(id) => losses::destroy(turn, month, id),
                    Unit::Band(id, _) => {
                        turn.state.bands.remove(&id);
                    }
                }
            }
        }
    }
    ways
}

/// Whoever came ashore can only go back aboard.
fn can_return(turn: &MonthTurn<'_>, month: &Month, id: ArmyId, to: FieldIndex) -> bool {
    let water = turn.tables.is_water(turn.state.field(to).terrain);
    match (id.kind(), water) {
        (Kind::Fleet, water) => water,
        (_, false) => true,
        (_, true) => ship_home(turn, month, id, to).is_some(),
    }
}

/// A fleet of the own realm on a water field that has room for an army.
fn ship_home(turn: &MonthTurn<'_>, month: &Month, id: ArmyId, to: FieldIndex) -> Option<ArmyName> {
    turn.state.armies.get(&id)?;
    let fleets = month
        .on(to)
        .filter(|other| other.realm == id.realm && other.kind() == Kind::Fleet);
    let mut with_room = fleets.filter(|fleet| {
        let ships = turn.state.armies.get(fleet).map_or(0, |army| army.count);
        shipping::needed_ships(turn.tables, &turn.state, *fleet, Some(id)) <= ships
    });
    with_room.next().map(|fleet| fleet.name)
}

/// One field back; difficult terrain costs losses there too (PYG-GAP-46).
fn retreat(turn: &mut MonthTurn<'_>, month: &mut Month, field: FieldIndex, unit: Unit, to: FieldIndex) {
    let id = match unit {
        Unit::Band(id, _) => {
            if let Some(band) = turn.state.bands.get_mut(&id) {
                band.field = to;
            }
            return;
        }
        Unit::Army(id) => id,
    };
    match ship_home(turn, month, id, to) {
        Some(fleet) if id.kind().is_land_army() => month.board(&mut turn.state, id, Some(fleet), to),
        _ if id.kind().is_land_army() && turn.tables.is_water(turn.state.field(to).terrain) => {
            // Equal points, and the ship that brought it is full or gone.
            losses::destroy(turn, month, id);
            return;
        }
        _ => month.relocate(&mut turn.state, id, to),
    }
    if let Some(army) = turn.state.armies.get_mut(&id) {
        // Driven out of its town it is stationary no longer.
        army.stationed = false;
    }
    let plan = month.plan_mut(id);
    plan.came_from = Some(field);
    plan.entered_in = crate::event::BEFORE;
    attrition::enter(turn, month, id, field, attrition::Entry::Retreat);
}

/// The order line of somebody who came and attacked, else the step.
fn cause_of(month: &Month, first: &Party, second: &Party) -> Cause {
    let came = first.fighters.iter().chain(&second.fighters);
    let came = came.filter(|fighter| fighter.entered_from.is_some());
    let mut armies = came.filter_map(|fighter| match fighter.unit {
        Unit::Army(id) => Some(id),
        Unit::Band(..) => None,
    });
    armies.next().map_or(Cause::Step(STEP), |id| month.cause(id, STEP))
}

/// Whether a stationary army fights on this side, and lives.
fn has_stationary(state: &State, party: &Party) -> bool {
    party.fighters.iter().any(|fighter| match fighter.unit {
        Unit::Army(id) => state.armies.get(&id).is_some_and(|army| army.stationed),
        Unit::Band(..) => false,
    })
}

/// Every rule that decided a battle.
fn rules_of(first: &Party, second: &Party, tie: bool) -> Vec<RuleId> {
    let mut rules = vec![
        rule::FIGHT_01,
        rule::FIGHT_02,
        rule::FIGHT_03,
        rule::ORD_02,
        rule::GAP_37,
        rule::GAP_41,
        rule::GAP_42,
        rule::GAP_43,
    ];
    if tie {
        rules.push(rule::GAP_44);
    } else {
        rules.extend([rule::FIGHT_09, rule::GAP_45, rule::GAP_46]);
    }
    let parties = [first, second];
    if parties.iter().any(|party| party.culture != 0) {
        rules.extend([rule::FIGHT_10, rule::GAP_48]);
    }
    if parties.iter().any(|party| matches!(party.side, Side::Band(_))) {
        rules.extend([rule::GAP_62, rule::GAME_09]);
    }
    let fighters = || parties.iter().flat_map(|party| &party.fighters);
    if fighters().any(|fighter| matches!(fighter.unit, Unit::Army(_)) && fighter.left == 0) {
        rules.extend([rule::ARMY_08, rule::GAP_24]);
    }
    if fighters().any(|fighter| fighter.kind == Kind::Fleet) {
        rules.push(rule::GAP_47);
    }
    rules.extend(
        fighters()
            .flat_map(|fighter| &fighter.percentages)
            .flat_map(Percentage::rules),
    );
    let mut seen = BTreeSet::new();
    rules.retain(|rule| seen.insert(*rule));
    rules
}

/// An army with order A takes the goods of foreign traders on its field; the traders are no more (PYG-GAP-60).
fn seize_traders(turn: &mut MonthTurn<'_>, month: &mut Month, field: FieldIndex) {
    if !turn.tables.trader.captured {
        return;
    }
    let traders: Vec<ArmyId> = month.on(field).filter(|id| id.kind() == Kind::Trader).collect();
    for trader in traders {
        let robber = month.on(field).find(|id| {
            let foreign = id.realm != trader.realm && id.kind() != Kind::Trader;
            foreign && crate::month::stance(&turn.state, *id) == Stance::Attack
        });
        let Some(robber) = robber else { continue };
        let Some(lost) = month.remove(&mut turn.state, trader) else {
            continue;
        };
        let mut goods = Points::default();
        for load in &lost.load {
            goods[load.good] += load.points;
        }
        if let Some(own) = turn.state.realms.get_mut(&robber.realm) {
            for (good, points) in goods.iter() {
                own.stock[good] = own.stock[good].saturating_add(points);
            }
        }
        introduce(&mut turn.state, robber.realm, trader.realm);
        let what = War::TraderTaken {
            trader,
            by: robber,
            field,
            goods,
        };
        let rules = &[rule::TRDR_01, rule::GAP_60, rule::ORD_02][..];
        month.emit(turn, month.cause(robber, STEP), rules, &[], what);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Tables;
    use losses::share;

    #[test]
    fn the_winners_losses_are_those_of_the_ruling() {
        let lost = |heads, winner, loser| {
            let (part, whole) = winner_share(&Tables::book().combat, winner, loser);
            share(heads, part, whole)
        };
        assert_eq!(lost(10_000, 10, 5), 1_250);
        assert_eq!(lost(9_000, 3, 2), 2_000);
        assert_eq!(lost(10_000, 3, 1), 555);
        assert_eq!(lost(10_000, 5, 1), 200);
        assert_eq!(lost(10_000, 5, 0), 0);
    }

    #[test]
    fn the_losers_losses_are_those_of_the_ruling() {
        let lost = |heads, winner, loser| {
            let (part, whole) = loser_share(&Tables::book().combat, winner, loser);
            share(heads, part, whole)
        };
        assert_eq!(lost(5_000, 10, 5), 3_750);
        assert_eq!(lost(1_000, 3, 2), 625);
        // Three to one is the end; a point less is not.
        assert_eq!((lost(1_000, 30, 10), lost(1_000, 29, 10)), (1_000, 975));
        assert_eq!(lost(1_000, 1, 0), 1_000);
    }
}
