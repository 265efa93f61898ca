//! The sightings of a season as tables: what stayed the same from week to week stands in them once.
//!
//! Fields, names and steps come in sorted lists, week after week, so the numbers of their entries are found by walking along.

use super::{Crowds, Ground, Lookout, Sightings, WeekView};
use crate::notice::WeekSeen;
use crate::state::{ArmyName, SeenArmy};
use kernel::diagnostic::Name;
use kernel::report::{Term, Why};

/// A step of an own army.
pub(super) struct Step {
    pub week: u8,
    pub army: ArmyName,
    pub cost: i32,
    pub points_left: i32,
    pub why: Why,
}

/// The weeks and the steps made in them as tables.
pub(super) fn gather(weeks: Vec<(u8, WeekSeen)>, mut steps: Vec<Step>) -> Sightings {
    steps.sort_by_key(|step| (step.week, step.army));
    let mut steps = steps.into_iter().peekable();
    let mut crowds = Numbered::default();
    let mut reasons = Reasons::default();
    let grounds = grounds(&weeks);
    let armies = armies(&weeks);
    let mut list = Vec::with_capacity(weeks.len());
    for (week, seen) in weeks {
        let mut names = Walk::along(&armies);
        let own = seen.own.iter().map(|(army, place)| {
            // Steps of armies that did not live to see the end of the week.
            while steps.next_if(|step| (step.week, step.army) < (week, *army)).is_some() {}
            let step = steps.next_if(|step| (step.week, step.army) == (week, *army));
            Lookout {
                army: names.to(|name| name < army),
                ground: number(grounds.partition_point(|ground| ground.place < *place)),
                step: step.map(|step| reasons.number(step)),
            }
        });
        let own = own.collect();
        let mut places = Walk::along(&grounds);
        let crowded = seen.crowds().filter(|(_, armies)| !armies.is_empty());
        let fields = crowded.map(|(field, armies)| {
            let ground = places.to(|ground| ground.place < field.place);
            (ground, crowds.number(ground, armies))
        });
        let fields = fields.collect();
        list.push(WeekView { week, own, fields });
    }
    Sightings {
        grounds,
        armies,
        crowds: crowds.list,
        reasons: reasons.list,
        weeks: list,
    }
}

/// Every field once, with all that was seen of it in any week.
fn grounds(weeks: &[(u8, WeekSeen)]) -> Vec<Ground> {
    let is_new = |index: usize, week: &WeekSeen| {
        let before = index.checked_sub(1).and_then(|before| weeks.get(before));
        before.is_none_or(|(_, before)| before.fields != week.fields)
    };
    let news = weeks
        .iter()
        .enumerate()
        .filter(|(index, (_, week))| is_new(*index, week));
    let mut grounds: Vec<Ground> = news
        .flat_map(|(_, (_, week))| &week.fields)
        .map(|field| Ground {
            place: field.place,
            glimpse: field.glimpse,
        })
        .collect();
    grounds.sort_by_key(|ground| ground.place);
    grounds.dedup_by(|later, first| {
        let same = later.place == first.place;
        if same {
            first.glimpse = later.glimpse.remembering(&first.glimpse);
        }
        same
    });
    grounds
}

/// Every army that looked around, once.
fn armies(weeks: &[(u8, WeekSeen)]) -> Vec<ArmyName> {
    let own = weeks.iter().flat_map(|(_, week)| &week.own);
    let mut armies: Vec<ArmyName> = own.map(|(army, _)| *army).collect();
    armies.sort();
    armies.dedup();
    armies
}

/// Goes forward in a sorted list.
struct Walk<'a, T> {
    list: &'a [T],
    at: usize,
}

impl<'a, T> Walk<'a, T> {
    fn along(list: &'a [T]) -> Self {
        Self { list, at: 0 }
    }

    /// The number of the first entry from here on that is not before the wanted one.
    fn to(&mut self, is_before: impl Fn(&T) -> bool) -> u32 {
        while self.list.get(self.at).is_some_and(&is_before) {
            self.at += 1;
        }
        number(self.at)
    }
}

/// Crowds of armies. A crowd that stays on its field as it is keeps its number.
#[derive(Default)]
struct Numbered {
    list: Crowds,
    /// The last crowd on each ground.
    latest: Vec<Option<u32>>,
}

impl Numbered {
    fn number(&mut self, ground: u32, armies: &[SeenArmy]) -> u32 {
        let ground = ground as usize;
        if self.latest.len() <= ground {
            self.latest.resize(ground + 1, None);
        }
        let latest = &mut self.latest[ground];
        match *latest {
            Some(crowd) if self.list.get(crowd) == armies => crowd,
            _ => {
                let crowd = number(self.list.len());
                self.list.push(armies);
                *latest = Some(crowd);
                crowd
            }
        }
    }
}

/// The reasons of steps; steps alike share them.
#[derive(Default)]
struct Reasons {
    list: Vec<Why>,
    /// Cost and points left of those in which no dice fell.
    plain: Vec<(i32, i32, u32)>,
}

impl Reasons {
    fn number(&mut self, step: Step) -> u32 {
        let is_plain = step.why.rolls.is_empty() && step.why.sealed == 0;
        let rules = |number: u32| self.list.get(number as usize).map(|why| &why.rules);
        let known = self.plain.iter().find(|(cost, left, reason)| {
            is_plain && (*cost, *left) == (step.cost, step.points_left) && rules(*reason) == Some(&step.why.rules)
        });
        if let Some((_, _, reason)) = known {
            return *reason;
        }
        let reason = number(self.list.len());
        let mut why = step.why;
        why.terms.push(Term {
            key: Name::Borrowed("step-made"),
            args: vec![
                (Name::Borrowed("cost"), i64::from(step.cost).into()),
                (Name::Borrowed("left"), i64::from(step.points_left).into()),
            ],
        });
        self.list.push(why);
        if is_plain {
            self.plain.push((step.cost, step.points_left, reason));
        }
        reason
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::{Building, Condition, Kind, Terrain};
    use crate::geo::Place;
    use crate::notice::FieldSeen;
    use crate::state::{Field, Glimpse, SeenCondition, Sides, Site};
    use kernel::realm::RealmId;

    const HOME: Place = Place::new(0, 0);
    const EAST: Place = Place::new(1, 0);
    const SCOUT: ArmyName = ArmyName::new(Kind::LightRider, 1);

    fn stranger(count: i64) -> SeenArmy {
        SeenArmy {
            realm: Some(RealmId(2)),
            kind: Kind::MediumWarrior,
            number: Some(1),
            count,
        }
    }

    /// A week in which the scout stands at home and sees these strangers in the east.
    fn week(number: u8, glimpse: Glimpse, strangers: &[SeenArmy]) -> (u8, WeekSeen) {
        let field = |place, glimpse, armies: usize| FieldSeen {
            place,
            glimpse,
            armies: u32::try_from(armies).unwrap(),
        };
        let home = Glimpse::of(&Field::wild(Terrain::Lowland));
        let seen = WeekSeen {
            own: vec![(SCOUT, HOME)],
            fields: vec![field(HOME, home, 0), field(EAST, glimpse, strangers.len())],
            armies: strangers.to_vec(),
        };
        (number, seen)
    }

    fn step(week: u8, army: ArmyName, cost: i32) -> Step {
        Step {
            week,
            army,
            cost,
            points_left: 1,
            why: Why {
                rules: [Name::Borrowed("THO-MOVE-01")].into_iter().collect(),
                ..Why::default()
            },
        }
    }

    #[test]
    fn a_crowd_is_written_again_only_when_it_has_changed() {
        let plain = Glimpse::of(&Field::wild(Terrain::Lowland));
        let weeks = vec![
            week(1, plain, &[stranger(700)]),
            week(2, plain, &[stranger(700)]),
            week(3, plain, &[]),
            week(4, plain, &[stranger(650)]),
        ];
        let found = gather(weeks, Vec::new());
        let crowds = [vec![stranger(700)], vec![stranger(650)]];
        assert_eq!(found.crowds, crowds.into_iter().collect());
        let fields: Vec<&[(u32, u32)]> = found.weeks.iter().map(|week| week.fields.as_slice()).collect();
        assert_eq!(fields, [&[(1, 0)][..], &[(1, 0)], &[], &[(1, 1)]]);
        assert_eq!((found.armies, found.grounds.len()), (vec![SCOUT], 2));
    }

    #[test]
    fn what_was_seen_of_a_field_in_any_week_is_put_together() {
        let mut field = Field::wild(Terrain::Lowland);
        field.site = Some(Box::new(Site::finished(Building::City, "Furt")));
        field.roads = Sides::ALL;
        let whole = Glimpse::of(&field);
        let from_beside = Glimpse {
            condition: None,
            sides_known: Sides(1),
            roads: Sides(1),
            ..whole
        };
        for glimpses in [[whole, from_beside], [from_beside, whole]] {
            let weeks = vec![week(1, glimpses[0], &[]), week(2, glimpses[1], &[])];
            let found = gather(weeks, Vec::new());
            assert_eq!(found.grounds[1].glimpse, whole);
            let condition = Some(SeenCondition::Standing(Condition::Intact));
            assert_eq!(found.grounds[1].glimpse.condition, condition);
        }
    }

    #[test]
    fn steps_stand_with_their_army_and_week_and_share_their_reasons() {
        let plain = Glimpse::of(&Field::wild(Terrain::Lowland));
        let weeks = vec![week(1, plain, &[]), week(2, plain, &[]), week(3, plain, &[])];
        // An army that is gone at the end of the week has no line to stand in.
        let fallen = ArmyName::new(Kind::LightWarrior, 1);
        let steps = vec![
            step(3, SCOUT, 3),
            step(1, SCOUT, 2),
            step(1, fallen, 2),
            step(2, SCOUT, 2),
        ];
        let found = gather(weeks, steps);
        let steps: Vec<Option<u32>> = found.weeks.iter().map(|week| week.own[0].step).collect();
        assert_eq!(steps, [Some(0), Some(0), Some(1)]);
        assert_eq!(found.reasons.len(), 2);
        assert_eq!(found.reasons[1].terms[0].args[0].1, 3i64.into());
    }
}
