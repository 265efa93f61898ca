//! What can come of an offer, exactly: from the odds of the chapters, never by rolling.

use crate::battle::Scene;
use crate::board::Spot;
use crate::deed::{Deed, Field, Fight, Magic};
use crate::event::{Event, FieldHappening, FightHappening, Happening, MagicHappening};
use crate::kinds::Kind;
use crate::melee::Bout;
use crate::odds::{self, DUELS, Fighter, Kill, THROWS};
use crate::overcrowding::Crowding;
use crate::room::{self, Room};
use crate::state::{FigureId, Place};
use crate::{creatures, quadriga, scrimmage, trampling};
use kernel::board::Chance;
use kernel::diagnostic::Name;
use std::collections::BTreeMap;

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
        }) if !creatures::attacks_alone(scene.position, *figure) => {
            melee(&Bout::new(scene, *figure, *support, *target))
        }
        Deed::Fight(Fight::WeightBlow { .. }) => blow(scene, events),
        Deed::Magic(Magic::Duel { .. }) => wizards(),
        Deed::Magic(Magic::Cast { wizard, .. }) => {
            let mut list = each(events);
            list.extend(dispelled(scene, *wizard));
            list
        }
        Deed::Field(Field::Step { figure, to }) if tramples(events) => trampled(scene, &[*figure], *to),
        Deed::Field(Field::Drive { wagon, to }) if tramples(events) => {
            trampled(scene, &quadriga::team(scene.position, *wagon), *to)
        }
        _ => events
            .iter()
            .map(|event| told(scene, &event.happening))
            .find(|chances| !chances.is_empty())
            .map_or_else(Vec::new, |first| match deed {
                // Everybody who is met rolls for himself: under pitch or a dragon's breath, where the rider of darkness passes.
                Deed::Fight(Fight::Pour { .. }) => each(events),
                _ if events.iter().any(|event| endangers(&event.happening)) => each(events),
                _ => with_scrimmage(scene, first, events),
            }),
    }
}

/// Whether a creature endangers everybody on a field.
fn endangers(happening: &Happening) -> bool {
    matches!(happening, Happening::Magic(MagicHappening::CreatureStruck { .. }))
}

/// A duel of fighters: who falls, the best for the attacker first and the worst last, as in every bar of odds.
pub(super) fn melee(bout: &Bout) -> Vec<Chance> {
    let odds = bout.odds();
    vec![
        chance("chance-kill", odds.kill, DUELS),
        chance("chance-nobody", DUELS - odds.kill - odds.death, DUELS),
        chance("chance-death", odds.death, DUELS),
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
        Happening::Field(FieldHappening::Exchanged {
            attacker,
            points,
            defender,
            ..
        }) => blow_of(scene, *attacker, *points, *defender),
        Happening::Magic(MagicHappening::SerpentStruck { number, .. }) => from(*number, "chance-hit", "chance-miss"),
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

/// Behind what comes first, the first blow of a scrimmage that it may lead to.
fn with_scrimmage(scene: Scene<'_>, mut list: Vec<Chance>, events: &[Event]) -> Vec<Chance> {
    let blow = events.iter().find_map(|event| match &event.happening {
        Happening::Field(FieldHappening::Exchanged {
            attacker,
            points,
            defender,
            ..
        }) => Some(blow_of(scene, *attacker, *points, *defender)),
        _ => None,
    });
    for found in blow.into_iter().flatten() {
        if !list.contains(&found) {
            list.push(found);
        }
    }
    list
}

/// One blow of a scrimmage.
fn blow_of(scene: Scene<'_>, attacker: FigureId, points: i64, defender: FigureId) -> Vec<Chance> {
    let (one, other) = scrimmage::fighters(scene, attacker, points, defender);
    let odds = odds::duel(one, other);
    vec![
        chance("chance-blow-kills", odds.kill, DUELS),
        chance("chance-blow-fails", odds.death, DUELS),
    ]
}

/// Whether a trial of a deed led to trampling.
fn tramples(events: &[Event]) -> bool {
    let crowds = |event: &Event| {
        matches!(
            &event.happening,
            Happening::Field(FieldHappening::Crowded {
                cause: Crowding::Trampling,
                ..
            })
        )
    };
    events.iter().any(crowds)
}

/// One whole for chances that are carried on from blow to blow.
const WHOLE: u128 = 1_000_000_000_000_000;

/// ARM-GAP-22: what comes of trampling a field, exactly: the way is clear, the animals fall, or they turn back after so many blows.
///
/// The states are how many of the animals and of those in their way have fallen; each blow leads from one to the next.
fn trampled(scene: Scene<'_>, animals: &[FigureId], to: Spot) -> Vec<Chance> {
    let Some(player) = animals
        .first()
        .and_then(|id| scene.position.figure(*id))
        .map(|figure| figure.possessor)
    else {
        return Vec::new();
    };
    let mut position = scene.position.clone();
    for id in animals {
        if let Some(figure) = position.figure_mut(*id) {
            figure.place = Place::At(to);
        }
    }
    let scene = Scene {
        position: &position,
        ..scene
    };
    let room = Room::Spot(to);
    let victims = trampling::victims(scene, player, room);
    let king = victims
        .iter()
        .any(|id| position.figure(*id).is_some_and(|figure| figure.kind == Kind::King));
    if king {
        // He has several lives, and others die for him: only the first blow is told.
        let first = animals.first().zip(victims.first());
        return first.map_or_else(Vec::new, |(animal, victim)| {
            blow_of(scene, *animal, trampling::points(scene, *animal), *victim)
        });
    }
    let uses = |id: &FigureId| {
        let figure = position.figure(*id);
        figure.map_or(0, |figure| room::consumption(scene.tables, figure))
    };
    let missing = -room::free(scene.tables, &position, room);
    // By animals and victims that have fallen: how likely.
    let mut states: BTreeMap<(usize, usize), u128> = BTreeMap::from([((0, 0), WHOLE)]);
    let (mut clear, mut fallen) = (0, 0);
    for _ in 0..scene.tables.trample.exchanges_max.clamp(0, 1_000) {
        let mut next: BTreeMap<(usize, usize), u128> = BTreeMap::new();
        for ((lost, killed), share) in states {
            let (Some(animal), Some(victim)) = (animals.get(lost), victims.get(killed)) else {
                continue;
            };
            let (kill, death, of) = blow_odds(scene, *animal, *victim);
            for (lost, killed, cases) in [
                (lost, killed + 1, kill),
                (lost + 1, killed, death),
                (lost, killed, of - kill - death),
            ] {
                let part = share * u128::from(cases) / u128::from(of);
                let freed: i64 = animals
                    .iter()
                    .take(lost)
                    .chain(victims.iter().take(killed))
                    .map(uses)
                    .sum();
                if lost >= animals.len() {
                    fallen += part;
                } else if freed >= missing || killed >= victims.len() {
                    clear += part;
                } else {
                    *next.entry((lost, killed)).or_default() += part;
                }
            }
        }
        states = next;
    }
    let told = |key: &'static str, share: u128| Chance {
        key: Name::Borrowed(key),
        cases: u64::try_from((share * u128::from(MILLION) + WHOLE / 2) / WHOLE).unwrap_or(MILLION),
        of: MILLION,
    };
    let (clear, fallen) = (told("chance-way-clear", clear), told("chance-animals-fall", fallen));
    let back = Chance {
        key: Name::Borrowed("chance-turns-back"),
        cases: MILLION.saturating_sub(clear.cases + fallen.cases),
        of: MILLION,
    };
    vec![clear, back, fallen]
}

/// The cases in which an animal tramples somebody or something down, in which it falls, and all of them.
fn blow_odds(scene: Scene<'_>, animal: FigureId, victim: FigureId) -> (u32, u32, u32) {
    let device = scene
        .position
        .figure(victim)
        .is_some_and(|figure| figure.kind.family().is_device());
    if device {
        return (odds::at_least(scene.tables.trample.device_destroyed_from), 0, THROWS);
    }
    let (one, other) = scrimmage::fighters(scene, animal, trampling::points(scene, animal), victim);
    let odds = odds::duel(one, other);
    (odds.kill, odds.death, DUELS)
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

/// Whether the spell is dispelled if the wizard of an enemy tries it: two throws that lie close together. What he has ordered is his secret, so it
/// is told wherever somebody could.
fn dispelled(scene: Scene<'_>, wizard: FigureId) -> Option<Chance> {
    let caster = scene.position.figure(wizard)?.owner;
    let able = scene.position.present().any(|(_, figure)| {
        figure.kind == Kind::Wizard && !figure.mortal && scene.position.hostile(caster, figure.owner)
    });
    let within = scene.tables.wizard.dispel_within;
    let cases = |sum: i64| odds::at_least(sum) - odds::at_least(sum + 1);
    let close = |cast: i64| -> u32 {
        let sums = (3i64..=18).filter(|sum| i64::try_from(sum.abs_diff(cast)).is_ok_and(|apart| apart <= within));
        sums.map(cases).sum()
    };
    let both = (3i64..=18).map(|cast| cases(cast) * close(cast)).sum();
    able.then(|| chance("chance-dispelled", both, DUELS))
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

    /// An elephant with its rider before a field of four enemies of this kind.
    fn elephant_against(kind: &str) -> Vec<Chance> {
        let tables = crate::tables::Tables::book().expect("the book");
        let lines = format!("figure Adler El 1 at 17\nfigure Adler S 1 on El#1\nfigure Bär {kind} 1..4 at 18");
        let lines = crate::setup::read_lines(&lines);
        let state = crate::setup::build(&tables, "", &lines).expect("a battle");
        let scene = Scene {
            tables: &tables,
            position: &state.position,
            secret: None,
        };
        let at = state.position.board.cell(None, 18).expect("a field");
        trampled(scene, &[FigureId(0)], Spot::ground(at))
    }

    #[test]
    fn an_elephant_lives_as_often_as_the_catalogue_reckons() {
        // ARM-GAP-22: into a field with 4 of class A, B or C it lives in 75, 46 or 25 of 100 cases, whole cases only: it must win two of
        // its decided blows, 17471 to 2700, 16716 to 7770 or 13497 to 13497.
        for (kind, lives) in [("L", 75), ("LB", 46), ("LC", 25)] {
            let [clear, back, fallen] = elephant_against(kind).try_into().expect("three chances");
            assert_eq!(clear.cases + fallen.cases + back.cases, MILLION);
            assert_eq!((clear.cases + back.cases) * 100 / MILLION, lives, "{kind}");
        }
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
