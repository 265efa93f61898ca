//! Combat points (PYG-FIGHT-02..08, PYG-WORK-01, -03..05, PYG-FORT-02, PYG-GAP-41, PYG-GAP-42, PYG-GAP-48).

use crate::codes::{Class, Kind, Terrain, WorkKind, vocabulary};
use crate::rule;
use crate::state::{CulturePoints, Occasion, State};
use crate::tables::Tables;
use crate::tables::policy::{Beneficiary, Percentages, Stacking};
use kernel::hex::FieldIndex;
use kernel::ratio::{Rounding, mul_div};
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use serde::{Deserialize, Serialize};

vocabulary! {
    /// Why a percentage is added to an army's strength.
    Advantage {
        Fortress       "befestigt" "aus befestigter Stadt"
        Town           "stadt"     "aus einer Stadt"
        Forest         "wald"      "aus einem Wald"
        Desert         "wueste"    "aus einer Wüste"
        Downhill       "bergab"    "letzte Bewegung bergab"
        RidersOpen     "reiter"    "Reiter in Tief- oder Hochland"
        RidersMountain "gebirge"   "Reiter im Gebirge"
        Work           "bau"       "Befestigungsbau"
    }
}

impl Advantage {
    /// The rules behind it.
    pub const fn rules(self) -> &'static [RuleId] {
        match self {
            Self::Fortress => &[rule::FIGHT_06, rule::FORT_02, rule::GAP_41],
            Self::Town => &[rule::FIGHT_04, rule::GAP_41],
            Self::Forest | Self::Desert | Self::Downhill => {
                &[rule::FIGHT_05, rule::TERR_05, rule::GAP_03, rule::GAP_41]
            }
            Self::RidersOpen => &[rule::FIGHT_07, rule::ARMY_04, rule::TERR_05, rule::GAP_03, rule::GAP_41],
            Self::RidersMountain => &[rule::FIGHT_07, rule::GAP_41],
            Self::Work => &[rule::FIGHT_08, rule::GAP_21],
        }
    }

    /// Key of its name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Fortress => "advantage-fortress",
            Self::Town => "advantage-town",
            Self::Forest => "advantage-forest",
            Self::Desert => "advantage-desert",
            Self::Downhill => "advantage-downhill",
            Self::RidersOpen => "advantage-riders-open",
            Self::RidersMountain => "advantage-riders-mountain",
            Self::Work => "advantage-work",
        }
    }
}

/// A percentage and its reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Percentage {
    /// Why.
    pub why: Advantage,
    /// How much.
    pub pct: i64,
    /// By which work, if by one.
    pub work: Option<WorkKind>,
}

impl Percentage {
    /// The rules behind it.
    pub fn rules(&self) -> impl Iterator<Item = RuleId> + use<> {
        let work = self.work.map(|work| match work {
            WorkKind::WatchPost => rule::WORK_01,
            WorkKind::LookoutTower => rule::WORK_03,
            WorkKind::WatchTower => rule::WORK_04,
            WorkKind::Fortress => rule::WORK_05,
        });
        self.why.rules().iter().copied().chain(work)
    }
}

/// How an army stands in a fight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// Kind; bands fight like warriors, at sea like ships.
    pub kind: Kind,
    /// Whose; nobody's for a band.
    pub realm: RealmId,
    /// A garrison or rebels, who count as owners of a neutral town that they hold.
    pub holds: bool,
    /// The field of the battle.
    pub field: FieldIndex,
    /// The field it came from in this tick; none for those who were there before.
    pub entered_from: Option<FieldIndex>,
    /// The field it came from with its last step of the month.
    pub last_from: Option<FieldIndex>,
}

/// The percentages of an army (PYG-FIGHT-04..08).
///
/// PYG-GAP-41: town bonuses only for its owner's armies that were there before; forest and desert by the field of the battle for
/// those who were there before, by the field they came from for the others; downhill by the last step of the month; riders by the
/// field of the battle.
pub fn percentages(tables: &Tables, state: &State, position: &Position) -> Vec<Percentage> {
    let mut found = Vec::new();
    let mut add = |why, pct| {
        if pct != 0 {
            found.push(Percentage { why, pct, work: None });
        }
    };
    let combat = &tables.combat;
    let here = state.field(position.field);
    let owns = here.owner == position.realm && (position.realm.is_played() || position.holds);
    if let Some(town) = here.town(tables)
        && owns
        && position.entered_from.is_none()
    {
        if town.fortified {
            add(Advantage::Fortress, combat.fortified_town);
        } else {
            add(Advantage::Town, combat.town);
        }
    }
    let class = |terrain: Terrain| tables.terrain[terrain].combat;
    let out_of = position.entered_from.unwrap_or(position.field);
    match class(state.field(out_of).terrain) {
        Some(Class::Forest) => add(Advantage::Forest, combat.from_forest),
        Some(Class::Desert) => add(Advantage::Desert, combat.from_desert),
        _ => {}
    }
    let height = |field: FieldIndex| tables.terrain[state.field(field).terrain].height;
    if let Some(from) = position.last_from
        && height(from) > height(position.field)
    {
        add(Advantage::Downhill, combat.downhill);
    }
    if position.kind == Kind::Riders {
        match class(here.terrain) {
            Some(Class::Lowland | Class::Highland) => add(Advantage::RidersOpen, combat.rider_open),
            Some(Class::Mountains) => add(Advantage::RidersMountain, combat.rider_mountains),
            _ => {}
        }
    }
    let (work, pct) = works(tables, state, position);
    if pct != 0 {
        let why = Advantage::Work;
        found.push(Percentage { why, pct, work });
    }
    found
}

/// What works add: on their field and for attacks from it, and within their area; of several only the highest.
///
/// PYG-WORK-01, -03, -04, -05, PYG-FIGHT-08, PYG-GAP-21.
fn works(tables: &Tables, state: &State, position: &Position) -> (Option<WorkKind>, i64) {
    let reach = tables.work.iter().map(|(_, figures)| figures.area).max().unwrap_or(0);
    let mut best = (None, 0);
    let mut sum: i64 = 0;
    for field in state.chart.range(position.field, reach.max(1)) {
        let there = state.field(field);
        let Some(work) = there.work else { continue };
        let serves = match tables.works.beneficiary {
            Beneficiary::Owner => there.owner == position.realm && position.realm.is_played(),
            Beneficiary::All => true,
        };
        if !serves {
            continue;
        }
        let figures = &tables.work[work.kind];
        let mut pct = 0;
        if field == position.field || position.entered_from == Some(field) {
            pct = figures.field_pct;
        }
        if field != position.field && state.chart.distance(field, position.field) <= figures.area {
            pct = pct.max(figures.area_pct);
        }
        if pct > best.1 {
            best = (Some(work.kind), pct);
        }
        sum = sum.saturating_add(pct);
    }
    match tables.works.stacking {
        Stacking::Highest => best,
        Stacking::Sum => (best.0, sum),
    }
}

/// Points of an army: percentages change its strength before points are given, fractions of a point are dropped.
///
/// PYG-FIGHT-02, -03, PYG-GAP-42: the percentages are added up, or multiplied with each other where the world says so, without rounding
/// in between; never below 0.
pub fn points(tables: &Tables, kind: Kind, count: i64, percentages: &[Percentage]) -> i64 {
    let per_point = tables.army[kind].per_point;
    match tables.combat.percentages {
        Percentages::Added => {
            let sum: i64 = percentages.iter().map(|percentage| percentage.pct).sum();
            let whole = sum.saturating_add(100).max(0);
            mul_div(count, whole, per_point.saturating_mul(100), Rounding::Down).unwrap_or(0)
        }
        Percentages::Multiplied => {
            let (mut heads, mut whole) = (i128::from(count), i128::from(per_point));
            for percentage in percentages {
                heads = heads.saturating_mul(i128::from(percentage.pct.saturating_add(100).max(0)));
                whole = whole.saturating_mul(100);
            }
            let points = heads.checked_div(whole).unwrap_or(0);
            i64::try_from(points).unwrap_or(i64::MAX)
        }
    }
}

/// Special points of a culture, once for a side (PYG-FIGHT-10, PYG-GAP-48).
pub fn culture(list: &[CulturePoints], terrain: Terrain, defends: bool) -> i64 {
    let counts = |when: Occasion| match when {
        Occasion::Always => true,
        Occasion::Defending => defends,
        Occasion::Attacking => !defends,
        Occasion::On(here) => here == terrain,
    };
    list.iter().filter(|c| counts(c.when)).map(|c| c.points).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(pct: i64) -> Vec<Percentage> {
        vec![Percentage {
            why: Advantage::RidersOpen,
            pct,
            work: None,
        }]
    }

    #[test]
    fn riders_in_the_highland_get_the_points_of_the_books_example() {
        let tables = Tables::book();
        assert_eq!(points(&tables, Kind::Riders, 3600, &sum(20)), 8);
        assert_eq!(points(&tables, Kind::Riders, 3749, &sum(20)), 8);
        assert_eq!(points(&tables, Kind::Riders, 3750, &sum(20)), 9);
    }

    #[test]
    fn thousand_warriors_five_hundred_riders_and_ten_ships_are_a_point() {
        let tables = Tables::book();
        for (kind, heads) in [(Kind::Warriors, 1000), (Kind::Riders, 500), (Kind::Fleet, 10)] {
            let at = |count| points(&tables, kind, count, &[]);
            assert_eq!(
                (at(heads - 1), at(heads), at(2 * heads - 1), at(2 * heads)),
                (0, 1, 1, 2)
            );
        }
    }

    #[test]
    fn where_percentages_are_multiplied_they_weigh_more_together() {
        let both = [sum(100), sum(20)].concat();
        let mut tables = Tables::book();
        assert_eq!(points(&tables, Kind::Warriors, 5000, &both), 11);
        tables.combat.percentages = Percentages::Multiplied;
        // 5,000 x 2 x 1.2 = 12,000.
        assert_eq!(points(&tables, Kind::Warriors, 5000, &both), 12);
        assert_eq!(points(&tables, Kind::Warriors, 4999, &both), 11);
        assert_eq!(points(&tables, Kind::Warriors, 4999, &[]), 4);
        assert_eq!(points(&tables, Kind::Warriors, 5000, &sum(-100)), 0);
    }

    #[test]
    fn points_are_never_below_nothing() {
        assert_eq!(points(&Tables::book(), Kind::Warriors, 5000, &sum(-130)), 0);
    }

    #[test]
    fn culture_counts_on_its_occasion_only() {
        let list = [
            CulturePoints {
                when: Occasion::Always,
                points: 1,
            },
            CulturePoints {
                when: Occasion::Defending,
                points: 2,
            },
            CulturePoints {
                when: Occasion::Attacking,
                points: 4,
            },
            CulturePoints {
                when: Occasion::On(Terrain::Swamp),
                points: 8,
            },
        ];
        assert_eq!(culture(&list, Terrain::Plain, true), 3);
        assert_eq!(culture(&list, Terrain::Plain, false), 5);
        assert_eq!(culture(&list, Terrain::Swamp, false), 13);
    }
}
