//! Unrest and revolts (THO-ECON-06, GAP-22).

use crate::codes::{Building, Kind};
use crate::event::Happening;
use crate::rule;
use crate::season::{Season, SeasonTurn};
use crate::state::{Army, ArmyId, Field, State};
use crate::tables::Tables;
use kernel::dice::Owner;
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use kernel::turn::{Cause, Die};
use std::cmp::Ordering;

const STEP: &str = "stir";

/// Changes a field's unrest and keeps it within 0..=100.
pub fn add(field: &mut Field, change: i64) {
    let unrest = (i64::from(field.unrest) + change).clamp(0, 100);
    field.unrest = u8::try_from(unrest).unwrap_or(100);
}

/// D8: unrest drifts with the distance from the capital, then fields revolt.
pub fn stir(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let realms: Vec<RealmId> = turn.state.playing().collect();
    for realm in realms {
        let capital = season.capital(&turn.state, realm);
        let fields: Vec<FieldIndex> = season.estate(realm).collect();
        let (mut calmer, mut restless) = (0, 0);
        for field in &fields {
            let distance = capital.map(|capital| i64::from(turn.state.grid.distance(capital, *field)));
            let before = turn.state.field(*field).unrest;
            add(turn.state.field_mut(*field), drift(turn.tables.of(realm), distance));
            match turn.state.field(*field).unrest.cmp(&before) {
                Ordering::Less => calmer += 1,
                Ordering::Equal => {}
                Ordering::Greater => restless += 1,
            }
        }
        if calmer + restless > 0 {
            let what = Happening::UnrestStirred {
                realm,
                calmer,
                restless,
            };
            let rules = vec![rule::GAP_22, rule::MAP_07];
            season.emit(turn, Cause::Step(STEP), rules, &[], what);
        }
        for field in fields {
            let tables = turn.tables.of(realm);
            let garrison = garrison(tables, &turn.state, season, realm, field);
            let chance = chance(tables, turn.state.field(field), garrison);
            if chance > 0 {
                let subject = format!("revolt at {}", turn.state.place(realm, field));
                let die = turn.roll(rule::ECON_06, Owner::Realm(realm), &subject, 1, 100);
                if die.value <= chance {
                    revolt(turn, season, realm, field, die);
                }
            }
        }
    }
}

/// The change of a turn: calmer near the capital, restless far from it or without one.
fn drift(tables: &Tables, distance: Option<i64>) -> i64 {
    let unrest = &tables.unrest;
    match distance {
        None => unrest.drift_no_capital,
        Some(fields) if fields <= unrest.near_distance => unrest.drift_near,
        Some(fields) if fields <= unrest.middle_distance => unrest.drift_middle,
        Some(_) => unrest.drift_far,
    }
}

/// What the owner's troops on a field do to a revolt.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Garrison {
    None,
    Halves,
    Prevents,
}

/// The heads of warriors and of riders on the field, each counted over their classes; groups count with their members.
fn garrison(tables: &Tables, state: &State, season: &Season, realm: RealmId, field: FieldIndex) -> Garrison {
    let mut heads = [0i64; Kind::COUNT];
    let mut count = |id: ArmyId, army: &Army| heads[id.kind().index()] += army.count;
    for id in season.on(field).filter(|id| id.realm == realm) {
        if id.kind().is_group() {
            state.members(id).for_each(|(member, army)| count(member, army));
        } else if let Some(army) = state.army(id) {
            count(id, army);
        }
    }
    let reaches = |from: &crate::tables::Column<Kind, i64>| {
        Kind::TROOPS.iter().filter(|kind| from[**kind] > 0).any(|kind| {
            let same = Kind::TROOPS.iter().filter(|other| other.arm() == kind.arm());
            same.map(|other| heads[other.index()]).sum::<i64>() >= from[*kind]
        })
    };
    if reaches(&tables.unrest.garrison_prevents_from) {
        Garrison::Prevents
    } else if reaches(&tables.unrest.garrison_halves_from) {
        Garrison::Halves
    } else {
        Garrison::None
    }
}

/// Chance of a revolt in percent: half of what unrest exceeds the threshold by, rounded down; never on the capital's field.
fn chance(tables: &Tables, field: &Field, garrison: Garrison) -> i64 {
    let is_capital = field.building().is_some_and(|site| site.building == Building::Capital);
    let above = (i64::from(field.unrest) - tables.unrest.threshold).max(0);
    let chance = above.saturating_mul(tables.unrest.pct_per_two_points) / 2;
    match garrison {
        _ if is_capital => 0,
        Garrison::Prevents => 0,
        Garrison::Halves => chance / 2,
        Garrison::None => chance,
    }
}

/// The field falls to realm 0 with its building, and armed peasants hold it.
fn revolt(turn: &mut SeasonTurn<'_>, season: &mut Season, realm: RealmId, field: FieldIndex, die: Die) {
    let unrest = turn.tables.of(realm).unrest.clone();
    let old = i64::from(turn.state.field(field).unrest);
    let count = old.saturating_mul(unrest.rebels_per_point).max(unrest.rebels_min);
    season.hand_over(&mut turn.state, field, RealmId::NOBODY);
    turn.state.field_mut(field).unrest = 0;
    let number = turn.state.free_number(RealmId::NOBODY, Kind::LightWarrior);
    let rebels = ArmyId::new(RealmId::NOBODY, Kind::LightWarrior, number);
    let points = turn.tables.movement_points(Kind::LightWarrior);
    let army = Army::new(count, field, i32::try_from(points).unwrap_or(i32::MAX));
    season.add(&mut turn.state, rebels, army);
    let what = Happening::FieldRevolted {
        field,
        owner: realm,
        rebels,
        count,
    };
    season.emit(turn, Cause::Step(STEP), vec![rule::ECON_06, rule::GAP_22], &[die], what);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::Terrain;

    fn field(unrest: u8) -> Field {
        Field {
            unrest,
            ..Field::wild(Terrain::Lowland)
        }
    }

    #[test]
    fn unrest_above_twenty_gives_half_of_the_excess_in_percent() {
        let tables = Tables::book();
        let at = |unrest| chance(&tables, &field(unrest), Garrison::None);
        assert_eq!([at(0), at(20), at(21), at(22), at(23), at(100)], [0, 0, 0, 1, 1, 40]);
    }

    #[test]
    fn a_garrison_halves_or_prevents() {
        let tables = Tables::book();
        assert_eq!(chance(&tables, &field(50), Garrison::Halves), 7);
        assert_eq!(chance(&tables, &field(50), Garrison::Prevents), 0);
    }

    #[test]
    fn drift_depends_on_the_distance_at_its_boundaries() {
        let tables = Tables::book();
        let at = |distance| drift(&tables, distance);
        assert_eq!(
            [at(Some(10)), at(Some(11)), at(Some(20)), at(Some(21)), at(None)],
            [-2, -1, -1, 1, 2]
        );
    }

    #[test]
    fn unrest_stays_between_nothing_and_a_hundred() {
        let mut one = field(1);
        add(&mut one, -2);
        assert_eq!(one.unrest, 0);
        add(&mut one, 250);
        assert_eq!(one.unrest, 100);
    }
}
