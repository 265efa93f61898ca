//! Who is at war with whom on a field (THO-COMB-01, -03; GAP-16 steps 1 and 2).
//!
//! Treaties hold everywhere, hostility only where realms meet: two realms without a treaty leave each other alone on a
//! field until an army of one of them there attacks. Movement, shots, melee, conquest and destruction all ask here.

use crate::codes::{Flag, Treaty};
use crate::season::{Season, shown_flag};
use crate::state::{Army, ArmyId, State};
use crate::tables::Tables;
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;

/// Which realms on one field fight each other in the running week.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hostilities {
    /// Hostile pairs, the lower realm first, sorted.
    pairs: Vec<(RealmId, RealmId)>,
    /// Realms that fight beside a partner, and those partners.
    allied: Vec<RealmId>,
}

impl Hostilities {
    /// Whether nobody fights here.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Whether the two realms fight here.
    pub fn between(&self, a: RealmId, b: RealmId) -> bool {
        self.pairs.binary_search(&ordered(a, b)).is_ok()
    }

    /// Whether the realm fights anybody here.
    pub fn involve(&self, realm: RealmId) -> bool {
        self.pairs.iter().any(|(a, b)| *a == realm || *b == realm)
    }

    /// The realms that fight the given one here, in order.
    pub fn enemies(&self, realm: RealmId) -> impl Iterator<Item = RealmId> + '_ {
        self.pairs.iter().filter_map(move |(a, b)| match realm {
            _ if *a == realm => Some(*b),
            _ if *b == realm => Some(*a),
            _ => None,
        })
    }

    /// Whether a partnership brought the realm into a fight here, or brought another to its side (THO-COMB-03).
    pub fn by_partnership(&self, realm: RealmId) -> bool {
        self.allied.contains(&realm)
    }

    /// Every realm that fights here, in order.
    pub fn realms(&self) -> Vec<RealmId> {
        let mut realms: Vec<RealmId> = self.pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
        realms.sort_unstable();
        realms.dedup();
        realms
    }
}

fn ordered(a: RealmId, b: RealmId) -> (RealmId, RealmId) {
    (a.min(b), a.max(b))
}

/// Whether others can meet this army: it stands on the map by itself and does not pass unseen.
///
/// GAP-14 (unseen armies take no part in a fight), GAP-19 (nor do armies aboard). A group stands for its members.
pub fn takes_part(tables: &Tables, id: ArmyId, army: &Army) -> bool {
    let unmet = tables.of(id.realm).sight.unseen_avoids_contact && shown_flag(tables, id, army) == Flag::Unseen;
    army.is_free() && !unmet
}

/// Whether the army's command makes it the attacker of whoever stands with it.
///
/// THO-COMB-01; THO-UNIT-10: engines that move this turn, or are told to, only defend, and so does a group of nothing but engines.
pub fn attacks(season: &Season, id: ArmyId, army: &Army) -> bool {
    let on_the_way = || season.plan(id).is_some_and(|plan| plan.moved || !plan.is_standing());
    army.command.is_attack() && !(on_the_way() && is_artillery(season, id))
}

/// Whether an army on the map consists of engines alone.
pub fn is_artillery(season: &Season, id: ArmyId) -> bool {
    let parts = season.parts(id);
    !parts.is_empty() && parts.iter().all(|part| part.kind().is_engine())
}

/// The armies on a field that others can meet, in order of realm and table.
pub fn present<'a>(
    tables: &'a Tables,
    state: &'a State,
    season: &'a Season,
    field: FieldIndex,
) -> impl Iterator<Item = (ArmyId, &'a Army)> + 'a {
    season
        .on(field)
        .filter_map(|id| state.army(id).map(|army| (id, army)))
        .filter(|(id, army)| takes_part(tables, *id, army))
}

/// Who fights whom on a field.
///
/// GAP-16 step 1: two realms without a treaty, if an army of either there attacks. Step 2: a partner of one side that is
/// there and has no treaty with the other side joins in; partners of partners do not.
pub fn on_field(tables: &Tables, state: &State, season: &Season, field: FieldIndex) -> Hostilities {
    // Armies come in order of realm, so equal realms are neighbours.
    let mut realms: Vec<(RealmId, bool)> = Vec::new();
    for (id, army) in present(tables, state, season, field) {
        let attacks = attacks(season, id, army);
        match realms.last_mut() {
            Some((realm, attacking)) if *realm == id.realm => *attacking |= attacks,
            _ => realms.push((id.realm, attacks)),
        }
    }
    between_realms(state, &realms)
}

/// GAP-16 steps 1 and 2 for realms on one field, each with whether one of its armies there attacks, in order.
fn between_realms(state: &State, realms: &[(RealmId, bool)]) -> Hostilities {
    let at_odds = |a: RealmId, b: RealmId| state.treaty(a, b) == Treaty::NoTreaty;
    let mut base = Vec::new();
    for (index, (one, one_attacks)) in realms.iter().enumerate() {
        for (other, other_attacks) in &realms[index + 1..] {
            if (*one_attacks || *other_attacks) && at_odds(*one, *other) {
                base.push((*one, *other));
            }
        }
    }
    let mut pairs = base.clone();
    let mut allied = Vec::new();
    for (a, b) in &base {
        for (supported, enemy) in [(*a, *b), (*b, *a)] {
            for (third, _) in realms {
                let partner = *third != supported && state.are_partners(*third, supported);
                let joining = ordered(*third, enemy);
                if partner && at_odds(*third, enemy) && !base.contains(&joining) {
                    pairs.push(joining);
                    allied.extend([*third, supported]);
                }
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    Hostilities { pairs, allied }
}

/// Whether two realms fight each other on a field now.
pub fn are_hostile_here(
    tables: &Tables,
    state: &State,
    season: &Season,
    field: FieldIndex,
    a: RealmId,
    b: RealmId,
) -> bool {
    on_field(tables, state, season, field).between(a, b)
}

/// Whether a fight binds this army to its field (GAP-13): it can be met and somebody there fights its realm.
pub fn is_engaged(tables: &Tables, state: &State, season: &Season, id: ArmyId) -> bool {
    let Some(army) = state.army(id) else { return false };
    // Most fields hold armies of one realm only.
    season.is_shared(army.field)
        && takes_part(tables, id, army)
        && on_field(tables, state, season, army.field).involve(id.realm)
}

/// Whether an army that others can meet, of a realm that is neither `realm` nor its partner, stands on the field (GAP-13).
pub fn visible_foreign_army_not_partner(
    tables: &Tables,
    state: &State,
    season: &Season,
    field: FieldIndex,
    realm: RealmId,
) -> bool {
    // On most fields that armies enter stand only others of their realm.
    let alone = !season.is_shared(field) && season.on(field).next().is_none_or(|id| id.realm == realm);
    !alone && present(tables, state, season, field).any(|(id, _)| !state.are_partners(id.realm, realm))
}

/// Whether an army that others can meet, of a realm that has no treaty with `realm`, stands on the field (GAP-15).
pub fn visible_foreign_army_without_treaty(
    tables: &Tables,
    state: &State,
    season: &Season,
    field: FieldIndex,
    realm: RealmId,
) -> bool {
    present(tables, state, season, field).any(|(id, _)| state.treaty(id.realm, realm) == Treaty::NoTreaty)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roster::Roster;
    use kernel::hex::{Grid, Wrap};
    use std::collections::BTreeMap;

    const NOBODY: RealmId = RealmId::NOBODY;
    const A: RealmId = RealmId(1);
    const B: RealmId = RealmId(2);
    const C: RealmId = RealmId(3);
    const D: RealmId = RealmId(4);

    fn world(treaties: &[(RealmId, RealmId, Treaty)]) -> State {
        State {
            turn: 0,
            grid: Grid::new(12, 10, Wrap::Cylinder).unwrap(),
            origin: FieldIndex(0),
            fields: Vec::new(),
            realms: BTreeMap::new(),
            armies: Roster::new(),
            treaties: treaties.iter().map(|(a, b, treaty)| ((*a, *b), *treaty)).collect(),
            house_rules: String::new(),
            table_changes: Vec::new(),
            over: false,
        }
    }

    fn pairs(treaties: &[(RealmId, RealmId, Treaty)], realms: &[(RealmId, bool)]) -> Vec<(RealmId, RealmId)> {
        between_realms(&world(treaties), realms).pairs
    }

    #[test]
    fn one_attacker_is_enough_and_two_defenders_leave_each_other_alone() {
        assert_eq!(pairs(&[], &[(A, false), (B, false)]), []);
        assert_eq!(pairs(&[], &[(A, false), (B, true)]), [(A, B)]);
        assert_eq!(pairs(&[], &[(NOBODY, true), (A, false)]), [(NOBODY, A)]);
    }

    #[test]
    fn any_treaty_prevents_a_fight() {
        for treaty in [Treaty::NonAggression, Treaty::Partnership] {
            assert_eq!(pairs(&[(A, B, treaty)], &[(A, true), (B, true)]), []);
        }
    }

    #[test]
    fn two_defenders_stay_at_peace_beside_an_attacker() {
        assert_eq!(pairs(&[], &[(A, true), (B, false), (C, false)]), [(A, B), (A, C)]);
    }

    #[test]
    fn a_partner_joins_against_the_enemy_of_his_partner() {
        // A attacks B, and C helps A although it only defends; a pact with B would keep it out.
        let treaties = [(A, C, Treaty::Partnership)];
        let found = between_realms(&world(&treaties), &[(A, true), (B, false), (C, false)]);
        assert_eq!(found.pairs, [(A, B), (B, C)]);
        let treaties = [(A, C, Treaty::Partnership), (B, C, Treaty::NonAggression)];
        assert_eq!(pairs(&treaties, &[(A, true), (B, false), (C, false)]), [(A, B)]);
    }

    #[test]
    fn the_partner_of_a_partner_stays_out() {
        // A attacks B, whom C supports; D, a partner of C alone, has a pact with A and only watches.
        let treaties = [
            (B, C, Treaty::Partnership),
            (C, D, Treaty::Partnership),
            (A, D, Treaty::NonAggression),
        ];
        assert_eq!(
            pairs(&treaties, &[(A, true), (B, false), (C, false), (D, false)]),
            [(A, B), (A, C)]
        );
        // B attacks A, its partner C joins, and C's partner D, who only defends, does not.
        let treaties = [(B, C, Treaty::Partnership), (C, D, Treaty::Partnership)];
        let found = pairs(&treaties, &[(A, false), (B, true), (C, false), (D, false)]);
        assert_eq!(
            found,
            [(A, B), (A, C), (B, D)],
            "B attacks D as well, with whom it has no treaty; A and D stay at peace"
        );
    }
}
