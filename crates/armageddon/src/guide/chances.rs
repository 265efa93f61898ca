//! What can come of an offer, exactly: from the odds of the chapters, never by rolling.

use crate::battle::Scene;
use crate::deed::{Deed, Fight, Magic};
use crate::event::{Event, FieldHappening, FightHappening, Happening};
use crate::melee::Bout;
use crate::odds::{self, DUELS, Fighter, Kill, THROWS};
use kernel::board::Chance;
use kernel::diagnostic::Name;

fn chance(key: &'static str, cases: u32, of: u32) -> Chance {
    Chance {
        key: Name::Borrowed(key),
        cases: u64::from(cases),
        of: u64::from(of),
    }
}

/// Success from a sum of 3W6 on, and failure.
fn from(number: i64, success: &'static str, failure: &'static str) -> Vec<Chance> {
    let cases = odds::at_least(number);
    vec![chance(success, cases, THROWS), chance(failure, THROWS - cases, THROWS)]
}

/// The chances of a deed, given what a trial of it told.
pub(super) fn chances(scene: Scene<'_>, deed: &Deed, events: &[Event]) -> Vec<Chance> {
    match deed {
        Deed::Fight(Fight::Attack {
            figure,
            support,
            target,
        }) => melee(&Bout::new(scene, *figure, *support, *target)),
        Deed::Fight(Fight::WeightBlow { .. }) => blow(scene, events),
        Deed::Magic(Magic::Duel { .. }) => wizards(),
        _ => events
            .iter()
            .map(|event| told(scene, &event.happening))
            .find(|chances| !chances.is_empty())
            .map_or_else(Vec::new, |first| match deed {
                Deed::Fight(Fight::Pour { .. }) => each(events),
                _ => first,
            }),
    }
}

/// A duel of fighters: who falls.
pub(super) fn melee(bout: &Bout) -> Vec<Chance> {
    let odds = bout.odds();
    vec![
        chance("chance-kill", odds.kill, DUELS),
        chance("chance-death", odds.death, DUELS),
        chance("chance-nobody", DUELS - odds.kill - odds.death, DUELS),
    ]
}

/// What a happening that rolled says about its odds.
fn told(scene: Scene<'_>, happening: &Happening) -> Vec<Chance> {
    match happening {
        Happening::Fight(FightHappening::Shot { points, number, .. }) => {
            from(number - points, "chance-hit", "chance-miss")
        }
        Happening::Fight(FightHappening::Thrown { number, .. }) => from(*number, "chance-hit", "chance-miss"),
        Happening::Fight(FightHappening::Rammed { number, .. }) => from(*number, "chance-breaks", "chance-holds"),
        Happening::Fight(FightHappening::Tried { number, .. }) => from(*number, "chance-success", "chance-failure"),
        Happening::Fight(FightHappening::Searched { .. }) => from(
            scene.tables.danger.ascent_found_from,
            "chance-success",
            "chance-failure",
        ),
        Happening::Fight(FightHappening::Burned { .. }) | Happening::Field(FieldHappening::Endured { .. }) => {
            one_of_each(happening).into_iter().collect()
        }
        Happening::Field(FieldHappening::RammedShip { .. }) => {
            from(scene.tables.ship_ram.hits_from, "chance-hit", "chance-miss")
        }
        _ => Vec::new(),
    }
}

/// Somebody who rolls for survival, something that may burn.
fn one_of_each(happening: &Happening) -> Option<Chance> {
    match happening {
        Happening::Field(FieldHappening::Endured { number, .. }) => {
            Some(chance("chance-each-perishes", THROWS - odds::at_least(*number), THROWS))
        }
        Happening::Fight(FightHappening::Burned { number, .. }) => {
            Some(chance("chance-each-burns", THROWS - odds::at_least(number + 1), THROWS))
        }
        _ => None,
    }
}

/// The different chances of all who are met: each once.
fn each(events: &[Event]) -> Vec<Chance> {
    let mut list: Vec<Chance> = Vec::new();
    for found in events.iter().filter_map(|event| one_of_each(&event.happening)) {
        if !list.contains(&found) {
            list.push(found);
        }
    }
    list
}

/// ARM-GAP-19: everybody whom a weight blow meets rolls against the one throw of the phalanx.
fn blow(scene: Scene<'_>, events: &[Event]) -> Vec<Chance> {
    let mut strength = 0;
    let mut list: Vec<Chance> = Vec::new();
    for event in events {
        match &event.happening {
            Happening::Fight(FightHappening::WeightBlow { points, .. }) => strength = *points,
            Happening::Fight(FightHappening::Withstood { points, .. }) => {
                let phalanx = Fighter {
                    points: strength,
                    kill: Kill::From(scene.tables.phalanx.weight_blow_kill_from),
                };
                let defender = Fighter {
                    points: *points,
                    kill: Kill::Never,
                };
                let found = chance("chance-each-falls", odds::duel(phalanx, defender).kill, DUELS);
                if !list.contains(&found) {
                    list.push(found);
                }
            }
            _ => {}
        }
    }
    list
}

/// Parts of a million in which a chance of a duel of wizards is told: its fraction has too many digits.
const MILLION: u64 = 1_000_000;

/// A duel of wizards: the challenged rolls first, then in turn each must pass the other's sum; who falls below it loses.
fn wizards() -> Vec<Chance> {
    // How often, of so many, whoever must pass a sum loses: from the highest sum down.
    const ALL: i128 = 1_000_000_000_000;
    let mut loses = [0i128; 20];
    let cases = |sum: i64| i128::from(odds::at_least(sum)) - i128::from(odds::at_least(sum + 1));
    for best in (3i64..=18).rev() {
        let below = 216 - i128::from(odds::at_least(best));
        let mut sum = below * ALL;
        for higher in best + 1..=18 {
            let other = usize::try_from(higher)
                .ok()
                .and_then(|at| loses.get(at))
                .copied()
                .unwrap_or(0);
            sum += cases(higher) * (ALL - other);
        }
        if let Some(slot) = usize::try_from(best).ok().and_then(|at| loses.get_mut(at)) {
            *slot = sum / (216 - cases(best)).max(1);
        }
    }
    // The challenged passes with any sum; then the challenger must pass it.
    let mut challenger = 0i128;
    for first in 3i64..=18 {
        let lost = usize::try_from(first)
            .ok()
            .and_then(|at| loses.get(at))
            .copied()
            .unwrap_or(0);
        challenger += cases(first) * lost;
    }
    let part = (challenger / 216 * i128::from(MILLION) + ALL / 2) / ALL;
    let lost = u64::try_from(part).unwrap_or(0).min(MILLION);
    let told = |key: &'static str, cases: u64| Chance {
        key: Name::Borrowed(key),
        cases,
        of: MILLION,
    };
    vec![told("chance-win", MILLION - lost), told("chance-lose", lost)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_challenger_of_a_duel_of_wizards_is_at_a_disadvantage_and_both_chances_are_all() {
        let [win, lose] = wizards().try_into().expect("two chances");
        assert_eq!(win.cases + lose.cases, win.of);
        // He must pass a throw that nobody limited: on average he falls below it as often as above, and every pass is met again.
        assert!(lose.cases > win.cases, "{win:?} {lose:?}");
    }

    #[test]
    fn a_chance_and_its_opposite_are_all_cases() {
        for number in 2..=19 {
            let cases: u64 = from(number, "chance-hit", "chance-miss")
                .iter()
                .map(|chance| chance.cases)
                .sum();
            assert_eq!(cases, u64::from(THROWS));
        }
    }
}
