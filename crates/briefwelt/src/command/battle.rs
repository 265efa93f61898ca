//! `briefwelt battle`, and `briefwelt bench armageddon`: many battles of ARMAGEDDON played by computer players.

use crate::cli::{self, Cli};
use crate::output::{bar, table, tell};
use anyhow::Context as _;
use armageddon::setup;
use armageddon::simulate::{self, Chance, Played};
use armageddon::state::State;
use armageddon::tables::Tables;
use host::HostError;
use indicatif::ProgressBar;
use kernel::realm::RealmId;
use kernel::stage::StageLine;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Instant;

/// What came of many battles.
#[derive(Clone, Debug, Serialize)]
struct Outcomes {
    battle: String,
    battles: u64,
    seed: u64,
    /// Battles won, by side.
    wins: BTreeMap<u8, u64>,
    draws: u64,
    mean_rounds: f64,
    players: Vec<PlayerOutcome>,
    milliseconds: u64,
}

/// What was left of one player, on average.
#[derive(Clone, Debug, Serialize)]
struct PlayerOutcome {
    name: String,
    side: u8,
    warriors: u32,
    mean_left: f64,
}

/// Carries out `briefwelt battle`.
pub fn run(cli: &Cli, command: &cli::Battle) -> anyhow::Result<()> {
    let text =
        std::fs::read_to_string(&command.file).map_err(|error| HostError::file(command.file.as_path(), error))?;
    let house = match &command.house {
        Some(file) => std::fs::read_to_string(file).map_err(|error| HostError::file(file.as_path(), error))?,
        None => String::new(),
    };
    let tables = Tables::with_overrides(&house).map_err(HostError::Malformed)?;
    let state = read(&tables, &house, &text)?;
    let outcomes = play(&tables, &state, command.runs, command.seed)?;
    tell(cli, &outcomes, || told(&outcomes))
}

/// The battle of a file: lines of a set-up, or the first `world` block of a scenario.
fn read(tables: &Tables, house: &str, text: &str) -> anyhow::Result<State> {
    let block = text.lines().any(|line| line.trim() == "```world");
    let mut inside = !block;
    let mut lines = Vec::new();
    for (line, number) in text.lines().zip(1u32..) {
        match line.trim() {
            "```world" => inside = true,
            "```" if inside && block => break,
            "" => {}
            comment if comment.starts_with('#') => {}
            words if inside => lines.push(StageLine {
                line: number,
                text: words.split(" # ").next().unwrap_or_default().to_owned(),
            }),
            _ => {}
        }
    }
    setup::build(tables, house, &lines).map_err(|errors| {
        let told: Vec<String> = errors
            .iter()
            .map(|error| format!("line {}: {}", error.line, error.message))
            .collect();
        HostError::Malformed(told.join("\n")).into()
    })
}

/// Plays the battles on all processors. Which of them plays which battle does not matter: every battle has its own dice.
fn play(tables: &Tables, state: &State, battles: u64, seed: u64) -> anyhow::Result<Outcomes> {
    let start = Instant::now();
    let progress = bar(battles, "battles");
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let parts: Vec<Sum> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|first| {
                let progress = &progress;
                scope.spawn(move || {
                    part(
                        tables,
                        state,
                        (first..battles).step_by(threads as usize),
                        seed,
                        progress,
                    )
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().ok().context("a battle broke off"))
            .collect::<anyhow::Result<_>>()
    })?;
    progress.finish_and_clear();
    let mut sum = Sum::default();
    for part in parts {
        sum.add(part);
    }
    let mean = |total: u64| total as f64 / battles.max(1) as f64;
    let began = simulate::warriors(&state.position);
    let players = state.position.players.iter().map(|(id, player)| PlayerOutcome {
        name: player.name.clone(),
        side: player.side,
        warriors: began.get(id).copied().unwrap_or(0),
        mean_left: mean(sum.left.get(id).copied().unwrap_or(0)),
    });
    Ok(Outcomes {
        battle: state.position.name.clone(),
        battles,
        seed,
        draws: battles - sum.wins.values().sum::<u64>(),
        mean_rounds: mean(sum.rounds),
        players: players.collect(),
        wins: sum.wins,
        milliseconds: u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX),
    })
}

/// Counts over some of the battles.
#[derive(Default)]
struct Sum {
    wins: BTreeMap<u8, u64>,
    rounds: u64,
    left: BTreeMap<RealmId, u64>,
}

impl Sum {
    fn count(&mut self, played: &Played) {
        if let Some(side) = played.side {
            *self.wins.entry(side).or_default() += 1;
        }
        self.rounds += u64::from(played.rounds);
        for (player, left) in &played.left {
            *self.left.entry(*player).or_default() += u64::from(*left);
        }
    }

    fn add(&mut self, other: Self) {
        for (side, wins) in other.wins {
            *self.wins.entry(side).or_default() += wins;
        }
        self.rounds += other.rounds;
        for (player, left) in other.left {
            *self.left.entry(player).or_default() += left;
        }
    }
}

fn part(tables: &Tables, state: &State, battles: impl Iterator<Item = u64>, seed: u64, progress: &ProgressBar) -> Sum {
    let mut sum = Sum::default();
    for battle in battles {
        let played = simulate::play(tables, state.clone(), Chance::new(seed, battle));
        sum.count(&played);
        progress.inc(1);
    }
    sum
}

fn told(outcomes: &Outcomes) -> String {
    let percent = |count: u64| format!("{:.1} %", 100.0 * count as f64 / outcomes.battles.max(1) as f64);
    let mut sides: BTreeMap<u8, Vec<&PlayerOutcome>> = BTreeMap::new();
    for player in &outcomes.players {
        sides.entry(player.side).or_default().push(player);
    }
    let mut rows = vec![
        ["side", "players", "wins", "share", "warriors", "left on average"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for (side, players) in sides {
        let wins = outcomes.wins.get(&side).copied().unwrap_or(0);
        let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
        rows.push(vec![
            side.to_string(),
            names.join(", "),
            wins.to_string(),
            percent(wins),
            players.iter().map(|player| player.warriors).sum::<u32>().to_string(),
            format!("{:.1}", players.iter().map(|player| player.mean_left).sum::<f64>()),
        ]);
    }
    rows.push(vec![
        String::new(),
        "draw".to_owned(),
        outcomes.draws.to_string(),
        percent(outcomes.draws),
    ]);
    let mut text = table(&rows);
    let seconds = outcomes.milliseconds.max(1) as f64 / 1_000.0;
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{} battles of {:.1} rounds on average in {seconds:.1} s: {:.0} battles/s (seed {})",
        outcomes.battles,
        outcomes.mean_rounds,
        outcomes.battles as f64 / seconds,
        outcomes.seed
    );
    text
}

/// The battle of `briefwelt bench armageddon`: 60 against 60 on one province, lances, swords and bows.
fn measured() -> String {
    let mut lines = vec!["battle Messung".to_owned()];
    for (player, first, fields) in [
        ("Adler", 1, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]),
        ("Bär", 101, [34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48]),
    ] {
        for (field, number) in fields.into_iter().zip((first..).step_by(4)) {
            let kind = match field % 5 {
                0 => "BB",
                1 | 2 => "LB",
                _ => "S",
            };
            lines.push(format!("figure {player} {kind} {number}..{} at {field}", number + 3));
        }
    }
    lines.join("\n")
}

/// Carries out `briefwelt bench armageddon`.
pub fn bench(cli: &Cli, battles: u64) -> anyhow::Result<()> {
    let tables = Tables::book().map_err(HostError::Malformed)?;
    let state = read(&tables, "", &measured())?;
    let outcomes = play(&tables, &state, battles, 1)?;
    tell(cli, &outcomes, || told(&outcomes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_measured_battle_has_sixty_figures_on_each_side_and_breaks_no_law() {
        let tables = Tables::book().expect("the book");
        let state = read(&tables, "", &measured()).expect("a battle");
        let counts: Vec<u32> = simulate::warriors(&state.position).into_values().collect();
        assert_eq!(counts, [60, 60]);
        assert!(armageddon::room::crowded(&tables, &state.position).is_empty());
    }

    #[test]
    fn a_scenario_gives_its_world_block_and_a_wrong_line_is_named() {
        let tables = Tables::book().expect("the book");
        let text =
            "# Title\n\n```world\nfigure Adler S 1 at 1 # first\nfigure Bär S 2 at 48\n```\n```expect\nnothing\n```\n";
        let state = read(&tables, "", text).expect("a battle");
        assert_eq!(state.position.figures.len(), 2);
        let error = read(&tables, "", "figure Adler S 1 at 1\nfigure Adler XX 2 at 2").expect_err("no such kind");
        assert!(error.to_string().starts_with("line 2: "), "{error}");
    }

    #[test]
    fn the_same_seed_gives_the_same_outcomes_on_any_number_of_processors() {
        let tables = Tables::book().expect("the book");
        let text = "figure Adler SC 1..2 at 26\nfigure Bär S 3..4 at 27";
        let state = read(&tables, "", text).expect("a battle");
        let progress = ProgressBar::hidden();
        let whole = part(&tables, &state, 0..12, 5, &progress);
        let mut halves = part(&tables, &state, (0..12).step_by(2), 5, &progress);
        halves.add(part(&tables, &state, (1..12).step_by(2), 5, &progress));
        assert_eq!(whole.wins, halves.wins);
        assert_eq!((whole.rounds, whole.left), (halves.rounds, halves.left));
        // Heroes against men: two against two they win far more often than not.
        let wins = |side: u8| whole.wins.get(&side).copied().unwrap_or(0);
        assert!(wins(1) > wins(2), "{:?}", whole.wins);
    }
}
