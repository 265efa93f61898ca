//! Discontent and revolts (PYG-SUP-02, -03, PYG-GAP-17, PYG-GAP-58). Part B.

use crate::codes::{Creature, Good, Kind, SettlementKind, Stance, vocabulary};
use crate::event::economy::Affair;
use crate::hygiene::set_free;
use crate::month::{Month, MonthTurn};
use crate::rule;
use crate::state::Points;
use crate::supply;
use crate::tables::Tables;
use kernel::dice::Owner;
use kernel::hex::FieldIndex;
use kernel::ratio::{Rounding, div};
use kernel::realm::RealmId;
use kernel::turn::{Cause, Die};

/// Faces of the die.
const D100: i64 = 100;

vocabulary! {
    /// How the people feel, as their ruler is told (PYG-GAP-58).
    Mood {
        Calm       "ruhig"       "ruhig"
        Murmuring  "murrt"       "es murrt"
        Discontent "unzufrieden" "unzufrieden"
        Ferment    "gaert"       "es gärt"
    }
}

impl Mood {
    /// The word for a chance of revolt.
    pub const fn of(pct: i64) -> Self {
        match pct {
            ..=0 => Self::Calm,
            1..=4 => Self::Murmuring,
            5..=24 => Self::Discontent,
            _ => Self::Ferment,
        }
    }
}

/// Percent that a revolt breaks out for want of goods.
///
/// PYG-SUP-02, -03, PYG-GAP-58: few goods a little short are harmless; more of them, or worse shortages, are not.
pub fn chance(tables: &Tables, short: &Points) -> i64 {
    let figures = &tables.unrest;
    let (mut mild, mut serious, mut severe) = (0_usize, 0_i64, 0_i64);
    for good in Good::main() {
        match short[good] {
            ..=0 => {}
            missing if missing >= figures.severe_from => severe += 1,
            missing if missing >= figures.serious_from => serious += 1,
            _ => mild += 1,
        }
    }
    let mild = figures.mild_goods_pct.get(mild).copied().unwrap_or(0);
    let sum = mild + serious * figures.serious_good_pct + severe * figures.severe_good_pct;
    sum.min(figures.max_pct)
}

/// How many fields revolt (PYG-GAP-58).
pub fn revolting_fields(tables: &Tables, missing: i64) -> i64 {
    let more = div(missing, tables.unrest.deficit_per_field, Rounding::Down).unwrap_or(0);
    tables.unrest.fields_base.saturating_add(more)
}

/// Warriors of the rebels on a field of so many population points (PYG-GAP-58).
pub fn rebels(tables: &Tables, points: i64) -> i64 {
    let figures = &tables.unrest;
    let more = points.saturating_mul(figures.rebels_per_point);
    figures.rebels_base.saturating_add(more).min(figures.rebels_max)
}

/// The mood of the people, or their revolt.
///
/// PYG-SUP-02, -03, PYG-GAP-17, PYG-GAP-58: a D100; where nothing threatens no die is rolled.
pub fn stir(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let realms: Vec<RealmId> = turn.state.playing().collect();
    for realm in realms {
        let tables = turn.tables;
        let Some(own) = turn.state.realms.get_mut(&realm) else {
            continue;
        };
        let Some(statement) = own.statement.as_mut() else {
            continue;
        };
        let inhabitants = statement
            .population
            .saturating_mul(tables.settling.inhabitants_per_point);
        let short = supply::balance(tables, inhabitants, &statement.supply).short;
        let pct = chance(tables, &short)
            .saturating_add(std::mem::take(&mut own.unrest))
            .clamp(0, D100);
        statement.unrest = pct;
        let die = (pct > 0).then(|| turn.roll(rule::GAP_58, Owner::of(realm), &realm.to_string(), 1, D100));
        let dice: Vec<Die> = die.into_iter().collect();
        let rules = &[rule::SUP_02, rule::SUP_03, rule::GAP_58, rule::GAP_17][..];
        let mood = Mood::of(pct);
        let event = month.emit(
            turn,
            Cause::Step("unrest"),
            rules,
            &dice,
            Affair::MoodFelt { mood }.of(realm),
        );
        if die.is_some_and(|die| die.value <= pct) {
            revolt(turn, month, realm, revolting_fields(tables, short.total()), event);
        }
    }
}

/// Fields chosen by dice leave the realm, among those without an own army; never the capital.
fn revolt(turn: &mut MonthTurn<'_>, month: &mut Month, realm: RealmId, fields: i64, event: u32) {
    let mut open: Vec<FieldIndex> = candidates(turn, month, realm);
    for number in 1..=fields {
        let Some(last) = i64::try_from(open.len()).ok().filter(|last| *last > 0) else {
            return;
        };
        let die = turn.roll(
            rule::GAP_58,
            Owner::of(realm),
            &format!("{realm} field {number}"),
            1,
            last,
        );
        let index = usize::try_from(die.value - 1).unwrap_or(0).min(open.len() - 1);
        let field = open.remove(index);
        let place = turn.state.place(field);
        let count = rebels(turn.tables, supply::points_on(turn.tables, turn.state.field(field)));
        let rules = &[rule::SUP_03, rule::GAP_58][..];
        let what = Affair::FieldRevolted { field: place };
        month.emit(turn, Cause::Event(event), rules, &[die], what.of(realm));
        set_free(turn, month, field, realm, (Creature::Rebels, count, Stance::Attack));
    }
}

fn candidates(turn: &MonthTurn<'_>, month: &Month, realm: RealmId) -> Vec<FieldIndex> {
    let held = |field: FieldIndex| {
        let mut armies = month.on(field);
        armies.any(|id| id.realm == realm && id.kind() != Kind::Trader)
    };
    let land = turn.state.land_of(realm);
    land.filter(|(_, field)| {
        let town = field.settlement.as_deref();
        town.is_none_or(|town| town.kind != SettlementKind::Capital)
    })
    .map(|(index, _)| index)
    .filter(|field| !held(*field))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chance_of(short: &[i64]) -> i64 {
        let mut points = Points::default();
        for (good, missing) in Good::main().zip(short) {
            points[good] = *missing;
        }
        chance(&Tables::book(), &points)
    }

    #[test]
    fn three_or_four_goods_a_little_short_are_almost_harmless_and_five_are_not() {
        assert_eq!(chance_of(&[2, 2]), 0);
        assert_eq!(chance_of(&[1, 2, 1]), 1);
        assert_eq!(chance_of(&[2, 2, 2, 2]), 1);
        assert_eq!(chance_of(&[1, 1, 1, 1, 1]), 5);
        assert_eq!(chance_of(&[1; 10]), 30);
    }

    #[test]
    fn worse_shortages_weigh_more_and_95_is_the_most() {
        assert_eq!(chance_of(&[2]), 0);
        assert_eq!(chance_of(&[3]), 10);
        assert_eq!(chance_of(&[4, 4]), 20);
        assert_eq!(chance_of(&[5]), 25);
        // The default of a start area: 5 spice, 2 culture, 2 stone and 1 wood short.
        assert_eq!(chance_of(&[5, 2, 2, 1]), 26);
        assert_eq!(chance_of(&[5, 5, 5, 5]), 95);
    }

    #[test]
    fn moods_change_at_1_5_and_25_percent() {
        let moods = [0, 1, 4, 5, 24, 25, 95].map(Mood::of);
        use Mood::{Calm, Discontent, Ferment, Murmuring};
        assert_eq!(
            moods,
            [Calm, Murmuring, Murmuring, Discontent, Discontent, Ferment, Ferment]
        );
    }

    #[test]
    fn rebels_are_at_most_5_000_and_a_field_more_revolts_per_ten_points() {
        let tables = Tables::book();
        assert_eq!(
            [0, 1, 7, 8, 9, 23].map(|points| rebels(&tables, points)),
            [1000, 1500, 4500, 5000, 5000, 5000]
        );
        assert_eq!(
            [1, 9, 10, 19, 20].map(|missing| revolting_fields(&tables, missing)),
            [1, 1, 2, 2, 3]
        );
    }
}
