//! `briefwelt campaign`

use super::world::{COMPUTER, realm_name};
use crate::cli::{self, Cli, Quest};
use crate::output::{FoundWrong, bar, quietly, say};
use crate::words::Words;
use games::{games, quests};
use host::HostError;
use kernel::any::{AnyGame, StoredInput};
use kernel::codec::Digest;
use kernel::diagnostic::{Severity, Value};
use kernel::dice::{StepSecret, WorldSecret};
use kernel::game::{SeatPlan, WorldPlan};
use kernel::realm::{RealmId, Viewer};
use kernel::report::Term;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use testkit::quest::{Found, TURNS};

/// Years for which computer players are let alone with a world, and turns at the least, for games without years.
const YEARS: i64 = 2;
const TURNS_MIN: u32 = 8;

/// Realms of a world of computer players.
const REALMS: usize = 6;

/// Order files that one random setting is good for.
const FILES_PER_SETTING: u64 = 250;

/// Carries out `briefwelt campaign`.
pub fn run(cli: &Cli, command: &cli::Campaign) -> anyhow::Result<()> {
    let games = games();
    let wanted = |name: &str| {
        command
            .game
            .as_deref()
            .is_none_or(|game| game.eq_ignore_ascii_case(name))
    };
    let quests: Vec<_> = quests().into_iter().filter(|quest| wanted(quest.name())).collect();
    if quests.is_empty() {
        return Err(HostError::UnknownGame {
            name: command.game.clone().unwrap_or_default(),
            known: games.iter().map(|game| game.name()).collect::<Vec<_>>().join(", "),
        }
        .into());
    }
    let words = Words::of(cli);
    let mut good = true;
    for quest in quests {
        let (first, count) = (u64::from(command.from), u64::from(command.count));
        let found = match command.quest {
            Quest::Leaks => seeds(words, first, count, &|seed| quest.leaks(seed)),
            // A replay is counted by turns, a world gives several.
            Quest::Replays => seeds(words, first, count.div_ceil(TURNS.into()), &|seed| quest.replays(seed)),
            Quest::Mutants => seeds(words, first, count.div_ceil(FILES_PER_SETTING), &|seed| {
                let done = (seed - first) * FILES_PER_SETTING;
                quest.mutants(seed, (count - done).min(FILES_PER_SETTING))
            }),
            Quest::Years => seeds(words, first, count, &|seed| match games
                .iter()
                .find(|game| game.name() == quest.name())
            {
                Some(game) => years(&**game, seed),
                None => Found::default(),
            }),
        };
        good &= found.faults.is_empty();
        report(cli, quest.name(), &found)?;
    }
    if good { Ok(()) } else { Err(FoundWrong.into()) }
}

fn report(cli: &Cli, game: &str, found: &Found) -> anyhow::Result<()> {
    let never_otherwise = found.never_otherwise();
    if cli.json {
        return say(serde_json::json!({
            "game": game, "figures": found.figures, "never_otherwise": never_otherwise, "faults": found.faults
        }));
    }
    for fault in found.faults.iter().take(20) {
        say(format_args!("FAULT {fault}"))?;
    }
    if !never_otherwise.is_empty() {
        say(format_args!(
            "{game}: in no twin otherwise, and so not proven: {}",
            never_otherwise.join(", ")
        ))?;
    }
    let figures: Vec<String> = found
        .figures
        .iter()
        .map(|(what, figure)| format!("{figure} {what}"))
        .collect();
    say(format_args!(
        "{game}: {}, {} faults",
        figures.join(", "),
        found.faults.len()
    ))
}

/// Looks at `count` seeds on all cores. A seed that panics is a fault of its own.
fn seeds(words: Words, first: u64, count: u64, look: &(dyn Fn(u64) -> Found + Sync)) -> Found {
    let progress = bar(count, &words.t("doing-campaign"));
    let next = AtomicU64::new(0);
    let all = Mutex::new(BTreeMap::new());
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                break;
            }
            let seed = first + number;
            let found =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| look(seed))).unwrap_or_else(|_| Found {
                    faults: vec![format!("seed {seed}: the program panicked")],
                    ..Found::default()
                });
            // Only a panic within this short block could poison the lock.
            if let Ok(mut all) = all.lock() {
                all.insert(seed, found);
            }
            progress.inc(1);
        }
    };
    quietly(|| {
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(work);
            }
        });
    });
    progress.finish_and_clear();
    let mut sum = Found::default();
    for found in all.into_inner().unwrap_or_default().into_values() {
        sum.add(found);
    }
    sum
}

/// Lets computer players alone with a world for two years.
fn years(game: &dyn AnyGame, seed: u64) -> Found {
    match play(game, seed) {
        Ok(found) => found,
        Err(fault) => Found {
            faults: vec![format!("seed {seed}: {fault}")],
            ..Found::default()
        },
    }
}

fn play(game: &dyn AnyGame, seed: u64) -> Result<Found, String> {
    let words = |error: kernel::any::GameError| error.to_string();
    let secret = WorldSecret(Digest::of(&seed.to_le_bytes()).0);
    let seat = |number| SeatPlan {
        realm: realm_name(number),
        player: COMPUTER.to_owned(),
        kind: String::new(),
    };
    let plan = WorldPlan {
        seats: (1..=REALMS).map(seat).collect(),
    };
    let mut state = game.create("", &plan, &secret.step(0), &mut |_, _| {}).map_err(words)?;
    let mut views: BTreeMap<RealmId, Vec<u8>> = BTreeMap::new();
    let keep = |views: &mut BTreeMap<RealmId, Vec<u8>>, viewer, bytes: &[u8]| {
        if let Viewer::Realm(realm) = viewer {
            views.insert(realm, bytes.to_vec());
        }
        Ok(())
    };
    game.first_views(&state, &mut |viewer, bytes| keep(&mut views, viewer, bytes))
        .map_err(words)?;
    let mut digest = Digest::default().then(&state);
    let mut found = Found::default().count("worlds", 1);
    let mut first_year = None;
    for turn in 1.. {
        let open = game.open_step(&state).map_err(words)?;
        let year = year_of(&open.name);
        first_year = first_year.or(year);
        let is_late = year.zip(first_year).is_none_or(|(year, first)| year >= first + YEARS);
        if open.over || (turn > TURNS_MIN && is_late) {
            break;
        }
        let mut input = StoredInput::default();
        for realm in &open.owes {
            let view = views
                .get(realm)
                .ok_or_else(|| format!("realm {realm} has no view in turn {turn}"))?;
            let thought = Digest::of(format!("{seed} {turn} {realm}").as_bytes());
            let file = game.computer_player(view, &StepSecret(thought.0)).map_err(words)?;
            let checked = game.check(view, file.as_bytes()).map_err(words)?;
            found = found.count("orders", checked.orders as u64);
            for finding in checked
                .diagnostics
                .iter()
                .filter(|finding| finding.severity == Severity::Error)
            {
                let line = file
                    .lines()
                    .nth(finding.span.line.saturating_sub(1) as usize)
                    .unwrap_or_default();
                found.faults.push(format!(
                    "seed {seed}, turn {turn}, realm {realm}, line {}: {} in {line:?}",
                    finding.span.line, finding.code
                ));
            }
            input.files.insert(*realm, file.into_bytes());
        }
        views.clear();
        let result = game
            .run(
                &state,
                digest,
                &input,
                &secret.step(open.number),
                &mut |viewer, bytes| keep(&mut views, viewer, bytes),
            )
            .map_err(words)?;
        found = found.count("turns", 1).count("events", result.events as u64);
        state = result.state;
        digest = result.digest;
    }
    Ok(found)
}

/// The year of a turn, if its game counts years.
fn year_of(name: &Term) -> Option<i64> {
    name.args.iter().find_map(|(key, value)| match value {
        Value::Int(year) if key == "year" => Some(*year),
        _ => None,
    })
}
