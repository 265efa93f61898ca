//! How strong an army is where it stands (THO-COMB-02, GAP-16 step 3, GAP-17).
//!
//! Everything here is computed from the world and changes nothing. Melee and shots both reckon with it.

use crate::codes::{Arm, Command, Kind};
use crate::event::Shown;
use crate::groups;
use crate::hostility::{self, Hostilities};
use crate::rule;
use crate::season::{Season, shown_flag};
use crate::state::{ArmyId, State};
use crate::tables::Tables;
use kernel::hex::FieldIndex;
use kernel::ratio::{Ratio, Rounding};
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use std::collections::BTreeSet;

/// Where an army's bonus comes from, in percent; all parts add up (GAP-17).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bonus {
    /// It is in a mixed group (THO-GRP-05, -07).
    pub mixed_group: i64,
    /// A war priest is a member of its group (THO-GRP-05).
    pub priest_in_group: i64,
    /// A war priest of its realm stands on the field (THO-PRIEST-09).
    pub priest_on_field: i64,
    /// An enemy came over the wall this week (THO-NET-03).
    pub wall: i64,
    /// The building, times its damage factor (THO-COMB-04).
    pub building: Ratio,
}

impl Default for Bonus {
    fn default() -> Self {
        Self {
            mixed_group: 0,
            priest_in_group: 0,
            priest_on_field: 0,
            wall: 0,
            building: Ratio::ZERO,
        }
    }
}

impl Bonus {
    /// The sum, in whole percent as a report prints it. Strength itself is reckoned with the exact sum.
    pub fn percent(&self) -> i64 {
        self.whole().saturating_add(self.building.round(Rounding::HalfUp))
    }

    /// What does not depend on a building's condition.
    const fn whole(&self) -> i64 {
        self.mixed_group + self.priest_in_group + self.priest_on_field + self.wall
    }

    /// 100 plus the bonus in percent, as a multiple of one part in `denominator`.
    fn factor(&self, denominator: i64) -> i128 {
        let parts = i128::from(denominator);
        let building = i128::from(self.building.numerator()) * parts / i128::from(self.building.denominator());
        (100 + i128::from(self.whole())) * parts + building
    }

    /// The rules that gave it.
    fn rules(&self, kind: Kind, rules: &mut BTreeSet<RuleId>) {
        let sails = kind.sails();
        if self.mixed_group > 0 {
            rules.extend([
                rule::COMB_05,
                if sails { rule::GRP_07 } else { rule::GRP_05 },
                rule::GAP_35,
            ]);
        }
        if self.priest_in_group > 0 {
            rules.extend([rule::COMB_05, rule::GRP_05]);
        }
        if self.priest_on_field > 0 {
            rules.extend([rule::COMB_06, rule::PRIEST_09]);
        }
        if self.wall > 0 {
            rules.extend([rule::COMB_04, rule::NET_03]);
        }
        if self.building.numerator() > 0 {
            rules.insert(rule::COMB_04);
        }
        if *self != Self::default() {
            rules.insert(rule::GAP_17);
        }
    }
}

/// One army in a fight; the members of a group one by one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Combatant {
    /// The army, with its count before the fight.
    pub id: ArmyId,
    /// As what it stands on the map: itself or its group.
    pub stands_as: ArmyId,
    /// What it fights as. The helpers of an archdemon fight as normal demons under his name.
    pub kind: Kind,
    /// Heads, ships, points, demons.
    pub count: i64,
    /// Its bonuses.
    pub bonus: Bonus,
    /// Its strength without the people's percentage: what stands between it and an arrow (GAP-18). In parts as [`Ground::bare_parts`].
    pub bare: i128,
    /// Exact strength in parts of a hundredth of one light warrior; how many parts, [`Ground::parts`] says.
    pub strength: i128,
    /// Demons called for this week only: they fight, and nothing of them remains.
    pub called: bool,
}

impl Combatant {
    /// The realm it fights for.
    pub const fn realm(&self) -> RealmId {
        self.id.realm
    }
}

/// A field as those who fight on it find it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ground {
    /// Which field.
    pub field: FieldIndex,
    /// To whom it belongs.
    pub owner: RealmId,
    /// What its building gives the owner and his partners, in percent.
    building: Ratio,
    /// Realms whose armies came over a foreign wall of the field this week and are still there.
    over_the_wall: Vec<RealmId>,
    /// Priests who can stand by troops against demons, by realm (THO-PRIEST-02).
    priests: Vec<RealmId>,
    /// War priests with power enough, one a realm (THO-PRIEST-09).
    pub war_priests: Vec<ArmyId>,
    /// Who fights whom.
    pub hostilities: Hostilities,
    /// Everyone who can be met here.
    pub combatants: Vec<Combatant>,
}

impl Ground {
    /// Reckons who stands on a field, and how strong.
    pub fn survey(tables: &Tables, state: &State, season: &Season, field: FieldIndex) -> Self {
        let land = state.field(field);
        let mut ground = Self {
            field,
            owner: land.owner,
            building: building_bonus(tables, state, field),
            over_the_wall: crossers(tables, state, season, field),
            priests: Vec::new(),
            war_priests: Vec::new(),
            hostilities: hostility::on_field(tables, state, season, field),
            combatants: Vec::new(),
        };
        let units = units(tables, state, season, field);
        for (id, _, count) in &units {
            ground.note_priest(tables, *id, *count);
        }
        for (id, stands_as, count) in units {
            let combatant = ground.combatant(tables, state, season, id, stands_as, count);
            ground.combatants.push(combatant);
        }
        ground
    }

    /// How many parts make a hundredth of one light warrior: two percentages and the building's fraction.
    pub fn parts(&self) -> i128 {
        100 * 100 * i128::from(self.building.denominator())
    }

    /// The same without the people's percentage.
    pub fn bare_parts(&self) -> i128 {
        self.parts() / 100
    }

    /// A strength in whole hundredths of one light warrior, as a report prints it.
    pub fn hundredths(&self, strength: i128) -> i64 {
        let parts = self.parts();
        i64::try_from((strength + parts / 2) / parts).unwrap_or(i64::MAX)
    }

    /// Whether a priest of the realm or of a partner stands by its troops here (THO-PRIEST-02).
    pub fn has_priest(&self, state: &State, realm: RealmId) -> bool {
        self.priests.iter().any(|priest| state.are_partners(*priest, realm))
    }

    /// THO-PRIEST-02, -09; GAP-17: a home priest counts on his realm's own land only, a war priest needs some power.
    fn note_priest(&mut self, tables: &Tables, id: ArmyId, count: i64) {
        let at_work = match id.kind() {
            Kind::WarPriest => true,
            Kind::HomePriest => self.owner == id.realm,
            _ => false,
        };
        if at_work && count >= 1 && !self.priests.contains(&id.realm) {
            self.priests.push(id.realm);
        }
        let enough = count >= tables.of(id.realm).combat.bonus_pct.war_priest_min_points;
        let first = self.war_priests.iter().all(|other| other.realm != id.realm);
        if id.kind() == Kind::WarPriest && enough && first {
            self.war_priests.push(id);
        }
    }

    fn combatant(
        &self,
        tables: &Tables,
        state: &State,
        season: &Season,
        id: ArmyId,
        stands_as: ArmyId,
        count: i64,
    ) -> Combatant {
        let bonus = self.bonus(tables, state, season, id, stands_as);
        let mut combatant = Combatant {
            id,
            stands_as,
            kind: id.kind(),
            count,
            bonus,
            bare: 0,
            strength: 0,
            called: false,
        };
        self.weigh(tables, state, &mut combatant);
        combatant
    }

    /// THO-COMB-04..06, THO-NET-03, THO-PRIEST-09, THO-GRP-05, -07; GAP-17.
    fn bonus(&self, tables: &Tables, state: &State, season: &Season, id: ArmyId, stands_as: ArmyId) -> Bonus {
        let figures = &tables.of(id.realm).combat.bonus_pct;
        let at_home = state.are_partners(self.owner, id.realm);
        let foes_over_the_wall = || {
            self.over_the_wall
                .iter()
                .any(|crosser| self.hostilities.between(*crosser, id.realm))
        };
        let has_war_priest = self.war_priests.iter().any(|priest| priest.realm == id.realm);
        let mut bonus = Bonus {
            priest_on_field: if has_war_priest { figures.war_priest_in_field } else { 0 },
            wall: if at_home && id.kind().is_foot() && foes_over_the_wall() {
                figures.wall_defender_foot
            } else {
                0
            },
            building: if at_home { self.building } else { Ratio::ZERO },
            ..Bonus::default()
        };
        if stands_as.kind().is_group() {
            let (mixed, with_priest) = group_traits(state, season, stands_as);
            bonus.mixed_group = if mixed { figures.mixed_group } else { 0 };
            bonus.priest_in_group = if with_priest { figures.war_priest_in_group } else { 0 };
        }
        bonus
    }

    /// GAP-16 step 3: number x value x the people's percentage x (100 + bonus) percent.
    fn weigh(&self, tables: &Tables, state: &State, combatant: &mut Combatant) {
        let value = tables.of(combatant.realm()).combat_value(combatant.kind);
        let people = people_percent(state, combatant.realm(), combatant.kind);
        let factor = combatant.bonus.factor(self.building.denominator());
        combatant.bare = i128::from(combatant.count) * i128::from(value) * factor;
        combatant.strength = combatant.bare * i128::from(people);
    }

    /// THO-DEM-06, GAP-17: the normal demons that an archdemon here calls for one week's fight, in his name.
    pub fn helpers(&self, tables: &Tables, state: &State, archdemon: &Combatant) -> Combatant {
        let per_strength = tables.of(archdemon.realm()).combat.demon.de_helpers_per_strength;
        let mut helpers = Combatant {
            kind: Kind::Demon,
            count: archdemon.count.saturating_mul(per_strength),
            called: true,
            ..*archdemon
        };
        self.weigh(tables, state, &mut helpers);
        helpers
    }

    /// Percent of its strength that the attacker brings to bear on a target (THO-COMB-08, THO-PRIEST-02, GAP-17).
    pub fn effect_percent(&self, tables: &Tables, state: &State, attacker: RealmId, with: Kind, on: Kind) -> i64 {
        effect_percent(tables, attacker, with, on, self.has_priest(state, attacker))
    }

    /// The rules behind what one realm's armies are worth here.
    pub fn rules(&self, state: &State, season: &Season, realm: RealmId) -> BTreeSet<RuleId> {
        let mut rules = BTreeSet::from([rule::COMB_02, rule::GAP_16, rule::UNIT_02, rule::CULT_02]);
        let meets_demons = self
            .combatants
            .iter()
            .any(|foe| foe.kind.is_demon() && self.hostilities.between(foe.realm(), realm));
        for combatant in self.combatants.iter().filter(|combatant| combatant.realm() == realm) {
            combatant.bonus.rules(combatant.kind, &mut rules);
            match combatant.kind.arm() {
                Arm::Warrior | Arm::Rider => rules.insert(rule::UNIT_03),
                Arm::Engine => rules.insert(rule::UNIT_04),
                _ => false,
            };
            if meets_demons && !combatant.kind.is_demon() {
                rules.extend([rule::COMB_08, rule::GAP_17]);
                if self.has_priest(state, realm) {
                    rules.insert(rule::PRIEST_02);
                }
            }
            if let Some(army) = state.army(combatant.stands_as) {
                rules.insert(match army.command {
                    Command::Defend => rule::CMD_01,
                    Command::Attack => rule::CMD_02,
                    Command::Plunder => rule::CMD_03,
                    Command::Conquer => rule::CMD_04,
                    Command::Destroy => rule::CMD_06,
                });
                if army.command.is_attack() && !hostility::attacks(season, combatant.stands_as, army) {
                    rules.insert(rule::UNIT_10);
                }
            }
        }
        if self.hostilities.by_partnership(realm) {
            rules.insert(rule::COMB_03);
        }
        rules
    }
}

/// The people's percentage for a kind (THO-UNIT-02, THO-CULT-02); 100 for what no people trains, and for realm 0.
pub fn people_percent(state: &State, realm: RealmId, kind: Kind) -> i64 {
    match state.realms.get(&realm) {
        Some(realm) if kind.is_troop() => realm.culture.percent(kind),
        _ => 100,
    }
}

/// THO-COMB-08, THO-PRIEST-02, GAP-17: mortals fight demons with part of their strength only, more with a priest.
pub fn effect_percent(tables: &Tables, attacker: RealmId, with: Kind, on: Kind, priest: bool) -> i64 {
    let figures = &tables.of(attacker).combat.demon;
    match (with.is_demon(), on, priest) {
        (false, Kind::Demon, false) => figures.vs_dn_without_priest,
        (false, Kind::Demon, true) => figures.vs_dn_with_priest,
        (false, Kind::Archdemon, false) => figures.vs_de_without_priest,
        (false, Kind::Archdemon, true) => figures.vs_de_with_priest,
        _ => 100,
    }
}

/// An army as it shows itself now; a group with its members' total.
pub fn shown(tables: &Tables, state: &State, season: &Season, id: ArmyId) -> Option<Shown> {
    let army = state.army(id)?;
    let count = season
        .parts(id)
        .into_iter()
        .filter_map(|part| state.army(part))
        .map(|part| part.count)
        .sum();
    Some(Shown {
        id,
        flag: shown_flag(tables, id, army),
        count,
    })
}

/// Who can be met on a field: army, as what it stands there, count. Members of groups one by one.
fn units(tables: &Tables, state: &State, season: &Season, field: FieldIndex) -> Vec<(ArmyId, ArmyId, i64)> {
    let mut units = Vec::new();
    for (id, _) in hostility::present(tables, state, season, field) {
        for part in season.parts(id) {
            units.extend(state.army(part).map(|army| (part, id, army.count)));
        }
    }
    units
}

/// THO-COMB-04, GAP-17: a standing building's percentage times what its damage leaves of it.
fn building_bonus(tables: &Tables, state: &State, field: FieldIndex) -> Ratio {
    let land = state.field(field);
    let Some(site) = land.building() else {
        return Ratio::ZERO;
    };
    let figures = tables.of(land.owner);
    let percent = figures.combat.bonus_pct.building[site.building];
    let left = figures.build.damage_factor[site.condition];
    Ratio::whole(percent).checked_mul(left).unwrap_or(Ratio::ZERO)
}

fn crossers(tables: &Tables, state: &State, season: &Season, field: FieldIndex) -> Vec<RealmId> {
    let crossings = season.wall_crossings.get(&field);
    let here = |id: &&ArmyId| {
        state
            .army(**id)
            .is_some_and(|army| army.field == field && hostility::takes_part(tables, **id, army))
    };
    let mut realms: Vec<RealmId> = crossings
        .into_iter()
        .flatten()
        .filter(here)
        .map(|id| id.realm)
        .collect();
    realms.dedup();
    realms
}

/// Whether a group is mixed, and whether a war priest is a member (THO-GRP-05, -07, GAP-35).
fn group_traits(state: &State, season: &Season, group: ArmyId) -> (bool, bool) {
    let members: Vec<(Kind, i64)> = season
        .followers(group)
        .into_iter()
        .filter_map(|member| state.army(member).map(|army| (member.kind(), army.count)))
        .collect();
    let priest = members
        .iter()
        .any(|(kind, points)| *kind == Kind::WarPriest && *points > 0);
    (groups::is_mixed(group.kind(), members), priest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mortals_need_a_priest_against_demons() {
        let book = Tables::book();
        let effect = |on, priest| effect_percent(&book, RealmId(1), Kind::MediumWarrior, on, priest);
        assert_eq!([effect(Kind::Demon, false), effect(Kind::Demon, true)], [50, 100]);
        assert_eq!([effect(Kind::Archdemon, false), effect(Kind::Archdemon, true)], [0, 50]);
        assert_eq!(effect(Kind::MountainTroll, false), 100);
        assert_eq!(
            effect_percent(&book, RealmId(1), Kind::Demon, Kind::Archdemon, false),
            100
        );
    }

    #[test]
    fn bonuses_add_up_exactly() {
        let bonus = Bonus {
            mixed_group: 20,
            wall: 25,
            building: Ratio::new(200, 3).unwrap(),
            ..Bonus::default()
        };
        assert_eq!(bonus.percent(), 112, "111.67 as a report prints it");
        assert_eq!(bonus.factor(3), 145 * 3 + 200);
        assert_eq!(Bonus::default().factor(3), 300);
    }
}
