//! Peoples: what they are spared and how well they fight (THO-CULT, GAP-32).

use crate::codes::{Family, Kind, RealmKind, Terrain};
use crate::tables::{Tables, rulings};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The percentage of a kind in which a people is neither strong nor weak.
const ORDINARY: i64 = 100;

/// The families a people of the land can be spared; the deep sea is for pirates.
const LAND: [Family; 6] = [
    Family::Jungle,
    Family::Swamp,
    Family::Desert,
    Family::IceDesert,
    Family::Ice,
    Family::Volcano,
];

/// The profile of a people.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Culture {
    /// Combat percentage of the twelve troop kinds; a kind that is missing has 100.
    pub percent: BTreeMap<Kind, u16>,
    /// Families of loss terrain that cost this people nothing.
    pub spared: BTreeSet<Family>,
}

impl Culture {
    /// Combat percentage of a kind (THO-UNIT-02, THO-CULT-02).
    pub fn percent(&self, kind: Kind) -> i64 {
        self.percent.get(&kind).map_or(ORDINARY, |percent| i64::from(*percent))
    }

    /// Whether the people crosses this terrain without losses (THO-CULT-01, THO-TERR-06).
    pub fn spares(&self, tables: &Tables, terrain: Terrain) -> bool {
        self.spared.iter().any(|family| tables.is_of(terrain, *family))
    }

    /// The loss terrains this people is spared, in the order of T07: what its information block lists (THO-START-03).
    pub fn spared_terrains<'a>(&'a self, tables: &'a Tables) -> impl Iterator<Item = Terrain> + 'a {
        let loss = Terrain::ALL
            .iter()
            .copied()
            .filter(|terrain| tables.is_loss_terrain(*terrain));
        loss.filter(|terrain| self.spares(tables, *terrain))
    }

    /// Rolls a people (THO-CULT-04, GAP-32): strengths (THO-CULT-02), then spared terrains (THO-CULT-01).
    ///
    /// `roll` throws the die of a name between two numbers, both included. Strength is only ever moved from one kind to
    /// another, so every people is worth the same.
    pub fn generate(tables: &rulings::Culture, realm: RealmKind, roll: &mut impl FnMut(&str, i64, i64) -> i64) -> Self {
        let mut strengths = Strengths::ordinary(tables);
        for round in 1..=tables.rounds {
            let mut others = Kind::TROOPS.to_vec();
            let (Some(to), Some(from), Some(step)) = (
                draw(&mut others, &format!("round {round} stronger"), roll),
                draw(&mut others, &format!("round {round} weaker"), roll),
                draw(&mut tables.steps.clone(), &format!("round {round} step"), roll),
            ) else {
                continue;
            };
            strengths.shift(from, to, step);
        }
        for (from, to) in ways_of(realm) {
            strengths.shift(from, to, tables.kind_shift);
        }
        if roll("hopeless", 1, 100) <= tables.zero_chance_pct {
            strengths.give_up_one(roll);
        }
        Self {
            percent: strengths.percentages(),
            spared: spared(tables, realm, roll),
        }
    }
}

/// What a way of life trains at the cost of what: nomads ride and build no engines, pirates sail and do not ride (GAP-32).
fn ways_of(realm: RealmKind) -> Vec<(Kind, Kind)> {
    let riders = [Kind::LightRider, Kind::MediumRider, Kind::HeavyRider];
    let engines = [Kind::LightEngine, Kind::MediumEngine, Kind::HeavyEngine];
    let ships = [Kind::LightShip, Kind::MediumShip, Kind::HeavyShip];
    match realm {
        RealmKind::Ordinary => Vec::new(),
        RealmKind::Nomad => engines.into_iter().zip(riders).collect(),
        RealmKind::Pirate => riders.into_iter().zip(ships).collect(),
    }
}

/// The families a people is spared: different ones of the land, for pirates the deep sea in place of one (GAP-32).
fn spared(
    tables: &rulings::Culture,
    realm: RealmKind,
    roll: &mut impl FnMut(&str, i64, i64) -> i64,
) -> BTreeSet<Family> {
    let at_sea = realm == RealmKind::Pirate && tables.spared_families > 0;
    let of_land = tables.spared_families - i64::from(at_sea);
    let mut families = LAND.to_vec();
    let drawn = (1..=of_land).filter_map(|n| draw(&mut families, &format!("spared {n}"), roll));
    drawn.chain(at_sea.then_some(Family::DeepSea)).collect()
}

/// Takes one of the choices by a die; without choices there is no die.
fn draw<T>(choices: &mut Vec<T>, name: &str, roll: &mut impl FnMut(&str, i64, i64) -> i64) -> Option<T> {
    let count = i64::try_from(choices.len()).ok().filter(|count| *count > 0)?;
    let drawn = roll(name, 1, count).clamp(1, count) - 1;
    Some(choices.remove(usize::try_from(drawn).ok()?))
}

/// The percentages in the making.
struct Strengths<'a> {
    tables: &'a rulings::Culture,
    percent: BTreeMap<Kind, i64>,
}

impl<'a> Strengths<'a> {
    fn ordinary(tables: &'a rulings::Culture) -> Self {
        Self {
            tables,
            percent: Kind::TROOPS.iter().map(|kind| (*kind, ORDINARY)).collect(),
        }
    }

    fn of(&self, kind: Kind) -> i64 {
        self.percent.get(&kind).copied().unwrap_or(ORDINARY)
    }

    /// Moves points from one kind to another, unless one of them would leave the limits.
    fn shift(&mut self, from: Kind, to: Kind, points: i64) {
        let (weaker, stronger) = (self.of(from) - points, self.of(to) + points);
        if weaker >= self.tables.min_pct && stronger <= self.tables.max_pct {
            self.percent.insert(from, weaker);
            self.percent.insert(to, stronger);
        }
    }

    /// Lets one weak kind fall to 0 and deals its points out to kinds that have room for a whole share. If they do not all
    /// find room, the kind stays as it is.
    fn give_up_one(&mut self, roll: &mut impl FnMut(&str, i64, i64) -> i64) {
        let weak = |kind: &Kind| (1..=self.tables.zero_from_pct).contains(&self.of(*kind));
        let mut candidates: Vec<Kind> = Kind::TROOPS.iter().copied().filter(weak).collect();
        let Some(hopeless) = draw(&mut candidates, "hopeless kind", roll) else {
            return;
        };
        let mut dealt = self.percent.clone();
        let mut points = dealt.insert(hopeless, 0).unwrap_or(0);
        for share in 1.. {
            let size = points.min(self.tables.zero_step);
            if size == 0 {
                break;
            }
            let has_room = |(kind, percent): (&Kind, &i64)| {
                (*kind != hopeless && percent + size <= self.tables.max_pct).then_some(*kind)
            };
            let mut kinds: Vec<Kind> = dealt.iter().filter_map(has_room).collect();
            let Some(kind) = draw(&mut kinds, &format!("hopeless share {share}"), roll) else {
                return;
            };
            *dealt.entry(kind).or_insert(ORDINARY) += size;
            points -= size;
        }
        self.percent = dealt;
    }

    fn percentages(self) -> BTreeMap<Kind, u16> {
        let fitting = |(kind, percent)| (kind, u16::try_from(percent).unwrap_or(u16::MAX));
        self.percent.into_iter().map(fitting).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Dice that differ from seed to seed: enough for laws that hold whatever is rolled.
    fn dice(seed: u64) -> impl FnMut(&str, i64, i64) -> i64 {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        move |_, min, max| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            min + i64::try_from((state >> 33) % (max - min + 1).unsigned_abs()).unwrap_or(0)
        }
    }

    /// Dice by name; a die that is not named is a mistake of the test.
    fn scripted(throws: &[(&'static str, i64)]) -> impl FnMut(&str, i64, i64) -> i64 + use<> {
        let mut throws: BTreeMap<&'static str, i64> = throws.iter().copied().collect();
        move |name, min, max| match throws.remove(name) {
            Some(value) if (min..=max).contains(&value) => value,
            Some(value) => panic!("{name} = {value}, but the die goes from {min} to {max}"),
            None => panic!("{name} is not in the script"),
        }
    }

    fn sum(culture: &Culture) -> i64 {
        Kind::TROOPS.iter().map(|kind| culture.percent(*kind)).sum()
    }

    fn changed(differences: &str) -> rulings::Culture {
        Tables::with_overrides(differences)
            .expect("the differences are sound")
            .culture
    }

    #[test]
    fn every_people_is_worth_twelve_hundred_and_keeps_the_limits() {
        let tables = Tables::book().culture;
        for seed in 0..2_000 {
            for realm in RealmKind::ALL {
                let culture = Culture::generate(&tables, *realm, &mut dice(seed));
                assert_eq!(sum(&culture), 1200, "seed {seed}, {realm}");
                let mut hopeless = 0;
                for kind in Kind::TROOPS {
                    match culture.percent(kind) {
                        0 => hopeless += 1,
                        percent => assert!((50..=150).contains(&percent), "seed {seed}, {realm}: {kind} {percent}"),
                    }
                }
                assert!(hopeless <= 1, "seed {seed}, {realm}: {hopeless} kinds at 0");
            }
        }
    }

    #[test]
    fn the_same_dice_make_the_same_people() {
        let tables = Tables::book().culture;
        let people = |seed| Culture::generate(&tables, RealmKind::Nomad, &mut dice(seed));
        assert_eq!(people(7), people(7));
        assert_ne!(people(7), people(8));
    }

    #[test]
    fn a_people_is_spared_two_different_families_of_the_land() {
        let tables = Tables::book().culture;
        for seed in 0..500 {
            let spared = Culture::generate(&tables, RealmKind::Ordinary, &mut dice(seed)).spared;
            assert_eq!(spared.len(), 2);
            assert!(spared.iter().all(|family| LAND.contains(family)));
        }
    }

    #[test]
    fn pirates_are_spared_the_deep_sea_and_one_family() {
        let tables = Tables::book().culture;
        for seed in 0..500 {
            let spared = Culture::generate(&tables, RealmKind::Pirate, &mut dice(seed)).spared;
            assert_eq!(spared.len(), 2);
            assert!(spared.contains(&Family::DeepSea));
        }
        let none = changed("[culture]\nspared_families = 0");
        assert!(
            Culture::generate(&none, RealmKind::Pirate, &mut dice(1))
                .spared
                .is_empty()
        );
    }

    #[test]
    fn nomads_ride_and_pirates_sail() {
        let tables = changed("[culture]\nrounds = 0\nzero_chance_pct = 0");
        let nomad = Culture::generate(&tables, RealmKind::Nomad, &mut dice(1));
        assert_eq!(
            (nomad.percent(Kind::HeavyRider), nomad.percent(Kind::LightEngine)),
            (110, 90)
        );
        assert_eq!(
            (nomad.percent(Kind::LightShip), nomad.percent(Kind::HeavyWarrior)),
            (100, 100)
        );
        let pirate = Culture::generate(&tables, RealmKind::Pirate, &mut dice(1));
        assert_eq!(
            (pirate.percent(Kind::LightShip), pirate.percent(Kind::MediumRider)),
            (110, 90)
        );
        let ordinary = Culture::generate(&tables, RealmKind::Ordinary, &mut dice(1));
        assert!(Kind::TROOPS.iter().all(|kind| ordinary.percent(*kind) == 100));
    }

    #[test]
    fn a_shift_beyond_the_limits_does_not_happen() {
        let limits =
            changed("[culture]\nrounds = 1\nsteps = [20, 21]\nmin_pct = 80\nmax_pct = 120\nspared_families = 0");
        for (step, percent) in [(1, (120, 80)), (2, (100, 100))] {
            // Of the twelve kinds the first is stronger, of the eleven others the first is weaker.
            let mut roll = scripted(&[
                ("round 1 stronger", 1),
                ("round 1 weaker", 1),
                ("round 1 step", step),
                ("hopeless", 26),
            ]);
            let culture = Culture::generate(&limits, RealmKind::Ordinary, &mut roll);
            assert_eq!(
                (
                    culture.percent(Kind::LightWarrior),
                    culture.percent(Kind::MediumWarrior)
                ),
                percent
            );
        }
    }

    /// One round that takes `step` points from K.M to K.L; then the chance of a hopeless kind at 25 or 26.
    fn weakened(step: &str, chance: i64, shares: &[(&'static str, i64)]) -> Culture {
        let tables = changed(&format!("[culture]\nrounds = 1\nsteps = [{step}]\nspared_families = 0"));
        let mut throws = vec![
            ("round 1 stronger", 1),
            ("round 1 weaker", 1),
            ("round 1 step", 1),
            ("hopeless", chance),
        ];
        throws.extend(shares);
        Culture::generate(&tables, RealmKind::Ordinary, &mut scripted(&throws))
    }

    #[test]
    fn one_weak_kind_becomes_hopeless_with_a_chance_of_25_in_100() {
        // 70 points in seven shares of 10, all to K.S, which is the second with room (K.L has 130 and comes first).
        let shares = [
            ("hopeless kind", 1),
            ("hopeless share 1", 2),
            ("hopeless share 2", 2),
            ("hopeless share 3", 2),
            ("hopeless share 4", 2),
            ("hopeless share 5", 2),
            ("hopeless share 6", 1),
            ("hopeless share 7", 1),
        ];
        let hopeless = weakened("30", 25, &shares);
        assert_eq!(hopeless.percent(Kind::MediumWarrior), 0);
        assert_eq!(
            (
                hopeless.percent(Kind::HeavyWarrior),
                hopeless.percent(Kind::LightWarrior)
            ),
            (150, 150)
        );
        assert_eq!(sum(&hopeless), 1200);
        assert_eq!(weakened("30", 26, &[]).percent(Kind::MediumWarrior), 70);
    }

    #[test]
    fn a_kind_above_70_never_becomes_hopeless() {
        // No die for the kind: there is none to choose from.
        assert_eq!(weakened("29", 1, &[]).percent(Kind::MediumWarrior), 71);
    }

    #[test]
    fn no_kind_becomes_hopeless_if_its_points_find_no_room() {
        let tight = changed("[culture]\nrounds = 0\nmax_pct = 100\nzero_chance_pct = 100\nzero_from_pct = 100");
        let culture = Culture::generate(&tight, RealmKind::Ordinary, &mut dice(3));
        assert!(Kind::TROOPS.iter().all(|kind| culture.percent(*kind) == 100));
    }

    #[test]
    fn a_family_spares_its_terrains_and_no_others() {
        let tables = Tables::book();
        let culture = Culture {
            spared: BTreeSet::from([Family::Ice, Family::Jungle]),
            ..Culture::default()
        };
        assert!(
            culture.spares(&tables, Terrain::HighlandJungle) && !culture.spares(&tables, Terrain::HighlandIceDesert)
        );
        let codes: Vec<&str> = culture.spared_terrains(&tables).map(Terrain::code).collect();
        assert_eq!(codes, ["tds", "hds", "bds", "eis"]);
    }
}
