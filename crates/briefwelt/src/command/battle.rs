//! `briefwelt battle`, and `briefwelt bench armageddon`: many battles of ARMAGEDDON played by computer players.

use super::bench::cpu_milliseconds;
use crate::cli::{self, Cli};
use crate::complaint::Complaint;
use crate::output::{bar, read_text, table, tell};
use crate::press;
use crate::words::Words;
use anyhow::Context as _;
use armageddon::Armageddon;
use armageddon::kinds::Kind;
use armageddon::log::{self, Script};
use armageddon::record::{Misplaced, Reader, Recording};
use armageddon::retold;
use armageddon::setup::{self, ready};
use armageddon::simulate::{self, Chance, Played};
use armageddon::state::State;
use armageddon::tables::Tables;
use indicatif::ProgressBar;
use kernel::any::GameError;
use kernel::game::Game as _;
use kernel::realm::RealmId;
use kernel::stage::StageLine;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// The longest file of a set-up or of house rules.
const FILE_MAX: usize = 1 << 20;

/// What came of many battles.
#[derive(Clone, Debug, Serialize)]
struct Outcomes {
    battle: String,
    battles: u64,
    seed: u64,
    /// Battles won, by side.
    wins: BTreeMap<u8, Share>,
    draws: Share,
    /// Battles by the round in which they ended.
    rounds: BTreeMap<u32, u64>,
    mean_rounds: f64,
    players: Vec<PlayerOutcome>,
    wall_milliseconds: u64,
    cpu_milliseconds: u64,
}

/// How often something happened, and between which bounds its true share lies in 95 of 100 such measurements (Wilson's interval).
#[derive(Clone, Copy, Debug, Serialize)]
struct Share {
    count: u64,
    percent: f64,
    percent_from: f64,
    percent_to: f64,
}

impl Share {
    fn of(count: u64, all: u64) -> Self {
        let (count_f, all) = (count as f64, all.max(1) as f64);
        // 1.96 standard deviations on either side hold 95 of 100.
        let z = 1.96f64;
        let share = count_f / all;
        let middle = (share + z * z / (2.0 * all)) / (1.0 + z * z / all);
        let half = z / (1.0 + z * z / all) * (share * (1.0 - share) / all + z * z / (4.0 * all * all)).sqrt();
        let percent = |part: f64| 100.0 * part.clamp(0.0, 1.0);
        Self {
            count,
            percent: percent(share),
            percent_from: percent(middle - half),
            percent_to: percent(middle + half),
        }
    }
}

/// What became of one player's army, on average.
#[derive(Clone, Debug, Serialize)]
struct PlayerOutcome {
    name: String,
    side: u8,
    warriors: u32,
    mean_left: f64,
    losses: Vec<Loss>,
}

/// Losses of one kind.
#[derive(Clone, Debug, Serialize)]
struct Loss {
    kind: &'static str,
    of: u32,
    mean_lost: f64,
}

/// Carries out `briefwelt battle`.
pub fn run(cli: &Cli, command: &cli::Battle) -> anyhow::Result<()> {
    let name = command.file.display().to_string();
    let text = match ready::find(&name) {
        Some(ready) if !command.file.exists() => ready.setup.to_owned(),
        None if !command.file.exists() => return Err(no_such(&name).into()),
        _ => read_text(&command.file, FILE_MAX)?,
    };
    let house = match &command.house {
        Some(file) => read_text(file, FILE_MAX)?,
        // A scenario brings its own.
        None => block(&text, "house")
            .map(|(_, lines)| lines.join("\n"))
            .unwrap_or_default(),
    };
    let tables = Tables::with_overrides(&house).map_err(GameError::HouseRules)?;
    let state = read(&tables, &house, &name, &text)?;
    if command.log || command.report || command.script.is_some() {
        return record(cli, command, &tables, state);
    }
    let words = Words::of(cli);
    let outcomes = play(words, &tables, &state, command.runs, command.seed)?;
    tell(cli, &outcomes, || told(words, &outcomes))
}

/// Neither a file nor a ready battle.
fn no_such(name: &str) -> Complaint {
    let ready: Vec<&str> = ready::ALL.iter().map(|ready| ready.code).collect();
    let complaint = Complaint::new("no-battle").with("name", name);
    complaint.with("known", ready.join(", ")).code(6)
}

/// One battle, line by line or as a report: what a file of scripts says, or what the computer plays.
fn record(cli: &Cli, command: &cli::Battle, tables: &Tables, state: State) -> anyhow::Result<()> {
    let scripts = match &command.script {
        Some(file) => Some(scripts(&read_text(file, FILE_MAX)?)?),
        None => None,
    };
    let mut recording = Recording::new(tables, state, command.seed);
    let opening = recording.board();
    let mut play = |reader: &mut Reader<'_>| match &scripts {
        Some(scripts) => recording.play(scripts, reader),
        None => {
            recording.play_on(reader);
            Ok(())
        }
    };
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let result = press::log(cli.lang, cli.json, &mut out, |sink| {
        if !command.report {
            return play(&mut |view| log::lines(tables, &view, sink));
        }
        let mut views = vec![opening];
        let result = play(&mut |view| views.push(view));
        retold::retell(tables, &views, sink);
        result
    })?;
    std::io::Write::flush(&mut out)?;
    result.map_err(|fault| misplaced(&fault).into())
}

/// The scripts of a file.
fn scripts(text: &str) -> Result<Vec<Script>, Complaint> {
    log::scripts(text).map_err(|stray| {
        Complaint::new("stray")
            .with("line", stray.line)
            .with("text", &stray.text)
    })
}

fn misplaced(fault: &Misplaced) -> Complaint {
    let about = |key, script: &Script| {
        let complaint = Complaint::new(key).with("line", script.line);
        complaint.with("player", &script.player)
    };
    match fault {
        Misplaced::Unknown(script) => about("script-unknown", script),
        Misplaced::NotHisTurn { script, mover } => about("script-turn", script).with("mover", mover),
        Misplaced::Over(script) => about("script-over", script),
    }
}

/// The first block of a scenario under this name: the number of its first line, and its lines.
fn block<'a>(text: &'a str, name: &str) -> Option<(u32, Vec<&'a str>)> {
    let fence = format!("```{name}");
    let mut lines = text.lines().zip(1u32..);
    let (_, at) = lines.find(|(line, _)| line.trim() == fence)?;
    let inside = lines.map(|(line, _)| line).take_while(|line| line.trim() != "```");
    Some((at + 1, inside.collect()))
}

/// The battle of a file: lines of a set-up, or the first `world` block of a scenario. It needs two sides with somebody to fight.
fn read(tables: &Tables, house: &str, name: &str, text: &str) -> anyhow::Result<State> {
    let (first, lines) = block(text, "world").unwrap_or_else(|| (1, text.lines().collect()));
    let setup: Vec<StageLine> = lines
        .iter()
        .zip(first..)
        .map(|(line, number)| StageLine {
            line: number,
            text: line.split(" # ").next().unwrap_or_default().trim().to_owned(),
        })
        .filter(|line| !line.text.is_empty() && !line.text.starts_with('#'))
        .collect();
    let state = setup::lay_out(tables, house, &setup).map_err(|mut slips| {
        slips.sort_by_key(|(line, _)| *line);
        let findings = slips.into_iter().map(|(number, slip)| {
            let line = text.lines().nth((number as usize).saturating_sub(1));
            slip.finding(number, line.unwrap_or_default())
        });
        Complaint::about(Armageddon::NAME, name, findings)
    })?;
    let position = &state.position;
    let sides: BTreeSet<u8> = position
        .present()
        .filter(|(_, figure)| figure.kind.is_warrior())
        .filter_map(|(_, figure)| position.players.get(&figure.owner))
        .map(|player| player.side)
        .collect();
    if sides.len() < 2 {
        let complaint = Complaint::new("one-side").with("name", name);
        return Err(complaint.with("sides", sides.len()).into());
    }
    Ok(state)
}

/// Plays the battles on all processors. Which of them plays which battle does not matter: every battle has its own dice.
fn play(words: Words, tables: &Tables, state: &State, battles: u64, seed: u64) -> anyhow::Result<Outcomes> {
    let (start, cpu) = (Instant::now(), cpu_milliseconds());
    let progress = bar(battles, &words.t("doing-battles"));
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
    let players = state.position.players.iter().map(|(id, player)| {
        let mut kinds: BTreeMap<_, u32> = BTreeMap::new();
        for (_, figure) in state.position.present().filter(|(_, figure)| figure.owner == *id) {
            *kinds.entry(figure.kind).or_default() += 1;
        }
        let losses = kinds.into_iter().map(|(kind, of)| Loss {
            kind: kind.code(),
            of,
            mean_lost: mean(sum.lost.get(&(*id, kind)).copied().unwrap_or(0)),
        });
        PlayerOutcome {
            name: player.name.clone(),
            side: player.side,
            warriors: began.get(id).copied().unwrap_or(0),
            mean_left: mean(sum.left.get(id).copied().unwrap_or(0)),
            losses: losses.collect(),
        }
    });
    let sides = state.position.players.values().map(|player| player.side);
    let won = |side: u8| sum.wins.get(&side).copied().unwrap_or(0);
    Ok(Outcomes {
        battle: state.position.name.clone(),
        battles,
        seed,
        wins: sides.map(|side| (side, Share::of(won(side), battles))).collect(),
        draws: Share::of(battles - sum.wins.values().sum::<u64>(), battles),
        mean_rounds: mean(sum.rounds.iter().map(|(round, count)| u64::from(*round) * count).sum()),
        players: players.collect(),
        rounds: sum.rounds.clone(),
        wall_milliseconds: u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX),
        cpu_milliseconds: cpu_milliseconds().saturating_sub(cpu),
    })
}

/// Counts over some of the battles.
#[derive(Debug, Default, PartialEq, Eq)]
struct Sum {
    wins: BTreeMap<u8, u64>,
    rounds: BTreeMap<u32, u64>,
    left: BTreeMap<RealmId, u64>,
    lost: BTreeMap<(RealmId, Kind), u64>,
}

impl Sum {
    fn count(&mut self, played: &Played) {
        if let Some(side) = played.side {
            *self.wins.entry(side).or_default() += 1;
        }
        *self.rounds.entry(played.rounds).or_default() += 1;
        for (player, left) in &played.left {
            *self.left.entry(*player).or_default() += u64::from(*left);
        }
        for (whose, lost) in &played.lost {
            *self.lost.entry(*whose).or_default() += u64::from(*lost);
        }
    }

    fn add(&mut self, other: Self) {
        for (side, wins) in other.wins {
            *self.wins.entry(side).or_default() += wins;
        }
        for (round, battles) in other.rounds {
            *self.rounds.entry(round).or_default() += battles;
        }
        for (player, left) in other.left {
            *self.left.entry(player).or_default() += left;
        }
        for (whose, lost) in other.lost {
            *self.lost.entry(whose).or_default() += lost;
        }
    }
}

fn part(tables: &Tables, state: &State, battles: impl Iterator<Item = u64>, seed: u64, progress: &ProgressBar) -> Sum {
    let mut sum = Sum::default();
    for battle in battles {
        sum.count(&simulate::play(tables, state.clone(), Chance::new(seed, battle)));
        progress.inc(1);
    }
    sum
}

/// The names of columns: one text, parted by strokes.
fn head(words: Words, key: &str) -> Vec<String> {
    words.t(key).split('|').map(|name| name.trim().to_owned()).collect()
}

fn told(words: Words, outcomes: &Outcomes) -> String {
    let mut sides: BTreeMap<u8, Vec<&PlayerOutcome>> = BTreeMap::new();
    for player in &outcomes.players {
        sides.entry(player.side).or_default().push(player);
    }
    let share = |share: &Share| {
        [
            share.count.to_string(),
            format!("{} %", words.decimal(share.percent, 1)),
            words.with(
                "battle-range",
                &[
                    ("from", &words.decimal(share.percent_from, 1)),
                    ("to", &words.decimal(share.percent_to, 1)),
                ],
            ),
        ]
    };
    let mut rows = vec![head(words, "battle-sides-head")];
    for (side, players) in sides {
        let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
        let mut row = vec![side.to_string(), names.join(", ")];
        row.extend(outcomes.wins.get(&side).map(share).unwrap_or_default());
        row.push(players.iter().map(|player| player.warriors).sum::<u32>().to_string());
        row.push(words.decimal(players.iter().map(|player| player.mean_left).sum(), 1));
        rows.push(row);
    }
    let mut row = vec![String::new(), words.t("battle-draw")];
    row.extend(share(&outcomes.draws));
    rows.push(row);
    let mut text = table(&rows);
    text.push('\n');
    let mut rows = vec![head(words, "battle-losses-head")];
    for player in &outcomes.players {
        for (index, loss) in player.losses.iter().enumerate() {
            let name = if index == 0 { player.name.as_str() } else { "" };
            rows.push(vec![
                name.to_owned(),
                loss.kind.to_owned(),
                loss.of.to_string(),
                words.decimal(loss.mean_lost, 2),
            ]);
        }
    }
    text.push_str(&table(&rows));
    text.push('\n');
    let mut rows = vec![head(words, "battle-rounds-head")];
    rows.extend(
        outcomes
            .rounds
            .iter()
            .map(|(round, battles)| vec![round.to_string(), battles.to_string()]),
    );
    text.push_str(&table(&rows));
    let seconds = |milliseconds: u64| milliseconds.max(1) as f64 / 1_000.0;
    let (wall, cpu) = (seconds(outcomes.wall_milliseconds), seconds(outcomes.cpu_milliseconds));
    let tenths = |number| words.decimal(number, 1);
    let battles = outcomes.battles as f64;
    text.push('\n');
    text.push_str(&words.with(
        "battle-sum",
        &[
            ("battles", &outcomes.battles),
            ("rounds", &tenths(outcomes.mean_rounds)),
            ("seed", &outcomes.seed),
            ("wall", &tenths(wall)),
            ("rate", &tenths(battles / wall)),
            ("cpu", &tenths(cpu)),
            ("cpu_rate", &tenths(battles / cpu)),
        ],
    ));
    text
}

/// The battle of `briefwelt bench armageddon`: 60 against 60 on one province, lances, swords and bows, over twelve rounds.
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
    let tables = Tables::book().map_err(GameError::HouseRules)?;
    let state = read(&tables, "", "bench", &measured())?;
    let words = Words::of(cli);
    let outcomes = play(words, &tables, &state, battles, 1)?;
    tell(cli, &outcomes, || told(words, &outcomes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_measured_battle_has_sixty_figures_on_each_side_and_breaks_no_law() {
        let tables = Tables::book().expect("the book");
        let state = read(&tables, "", "bench", &measured()).expect("a battle");
        let counts: Vec<u32> = simulate::warriors(&state.position).into_values().collect();
        assert_eq!(counts, [60, 60]);
        assert!(armageddon::room::crowded(&tables, &state.position).is_empty());
    }

    #[test]
    fn a_scenario_gives_its_world_block_and_its_house_rules() {
        let tables = Tables::book().expect("the book");
        let text = "# Title\n\n```house\n[bow]\nrange = 2\n```\n```world\nfigure Adler S 1 at 1 # first\nfigure Bär S 2 at 48\n```\n```expect\nnothing\n```\n";
        let state = read(&tables, "", "a.md", text).expect("a battle");
        assert_eq!(state.position.figures.len(), 2);
        assert_eq!(
            block(text, "house").map(|(at, lines)| (at, lines.join("\n"))),
            Some((4, "[bow]\nrange = 2".to_owned()))
        );
    }

    #[test]
    fn a_wrong_line_is_named_with_its_file_line_and_column() {
        let tables = Tables::book().expect("the book");
        let wrong = |text: &str| {
            let error = read(&tables, "", "furt.txt", text).expect_err("a mistake");
            crate::complaint::told(&error, crate::cli::Lang::De)
        };
        let two = "figure Adler S 1 at 1\nfigure Bär S 9 at 2\n";
        assert!(
            wrong(&format!("{two}figure Bär XX 2 at 2")).starts_with("furt.txt:3:12: "),
            "{}",
            wrong(&format!("{two}figure Bär XX 2 at 2"))
        );
        assert!(wrong("# Furt\n\n  figur Adler S 1 at 1").starts_with("furt.txt:3:3: "));
        let told = |lang| {
            let error = read(&tables, "", "furt.txt", "figure Bär XX 2 at 2").expect_err("a mistake");
            crate::complaint::told(&error, lang)
        };
        assert_eq!(
            told(crate::cli::Lang::De),
            "furt.txt:1:12: „XX“ paßt hier nicht: figure Bär XX 2 at 2; erwartet: eine Art von Figur, etwa LB, On oder lP"
        );
        assert!(told(crate::cli::Lang::En).contains("expected: "));
        // Several mistakes come in the order of their lines, those of a scenario by the lines of the file.
        let many = wrong("```world\nfigure Adler S 1 at 99\nfield 17 swmp\n```");
        let places: Vec<&str> = many.lines().filter_map(|line| line.split(": ").next()).collect();
        assert_eq!(places, ["furt.txt:2:21", "furt.txt:3:10"]);
    }

    #[test]
    fn a_battle_of_one_side_is_none() {
        let tables = Tables::book().expect("the book");
        for text in [
            "",
            "figure Adler S 1 at 1",
            "figure Adler S 1 at 1\nfigure Bär On 1 at 2",
        ] {
            assert!(read(&tables, "", "furt.txt", text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_share_has_the_bounds_of_wilson() {
        // 50 of 100: (0.5 + 1.96² / 200) / (1 + 1.96² / 100) = 0.5, and 1.96 / 1.038416 * sqrt(0.0025 + 3.8416 / 40000) = 0.0962.
        let share = Share::of(50, 100);
        assert!((share.percent_from - 40.4).abs() < 0.05, "{share:?}");
        assert!((share.percent_to - 59.6).abs() < 0.05, "{share:?}");
        // Never below nothing, and something is possible that was never seen: 1.96² / (100 + 1.96²) = 3.7 of 100.
        let never = Share::of(0, 100);
        assert!(
            never.percent_from.abs() < 1e-9 && (never.percent_to - 3.7).abs() < 0.05,
            "{never:?}"
        );
    }

    #[test]
    fn the_same_seed_gives_the_same_outcomes_on_any_number_of_processors() {
        let tables = Tables::book().expect("the book");
        let text = "figure Adler SC 1..2 at 26\nfigure Bär S 3..4 at 27";
        let state = read(&tables, "", "heroes", text).expect("a battle");
        let progress = ProgressBar::hidden();
        let whole = part(&tables, &state, 0..12, 5, &progress);
        let mut halves = part(&tables, &state, (0..12).step_by(2), 5, &progress);
        halves.add(part(&tables, &state, (1..12).step_by(2), 5, &progress));
        assert_eq!(whole, halves);
        // Heroes against men: two against two they win far more often than not.
        let wins = |side: u8| whole.wins.get(&side).copied().unwrap_or(0);
        assert!(wins(1) > wins(2), "{:?}", whole.wins);
    }
}
