//! `briefwelt bench`

use crate::cli::{self, Cli, Format, Lang};
use crate::games::games;
use crate::output::{bar, say, table, tell};
use crate::press;
use anyhow::Context as _;
use host::HostError;
use kernel::any::{AnyGame, GameError, StoredInput};
use kernel::codec::Digest;
use kernel::dice::WorldSecret;
use serde::{Deserialize, Serialize};
use std::process::Command;
use std::time::Instant;

/// Sizes of the usual measurement.
const SIZES: [u32; 4] = [1_000, 10_000, 50_000, 200_000];

/// One measurement.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Measure {
    armies: u32,
    realms: usize,
    events: usize,
    report_bytes: u64,
    wall_milliseconds: u64,
    cpu_milliseconds: u64,
    peak_kilobytes: u64,
}

/// Carries out `briefwelt bench`.
pub fn run(cli: &Cli, command: &cli::Bench) -> anyhow::Result<()> {
    let games = games();
    let game = games
        .iter()
        .find(|game| game.name().eq_ignore_ascii_case(&command.game))
        .ok_or_else(|| HostError::UnknownGame {
            name: command.game.clone(),
            known: games.iter().map(|game| game.name()).collect::<Vec<_>>().join(", "),
        })?;
    if let Some(armies) = command.armies {
        let measure = measure(&**game, armies)?;
        return tell(cli, &measure, || table(&rows(std::slice::from_ref(&measure))));
    }
    let progress = bar(SIZES.len() as u64, "measuring");
    let mut measures = Vec::new();
    for armies in SIZES {
        measures.push(in_a_process_of_its_own(&command.game, armies)?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    tell(cli, &measures, || table(&rows(&measures)))?;
    if !cli.json {
        let (first, last) = (measures.get(1), measures.last());
        if let (Some(first), Some(last)) = (first, last) {
            say(format_args!(
                "growth exponent from {} to {} armies: {:.2}",
                first.armies,
                last.armies,
                exponent(first, last)
            ))?;
        }
    }
    Ok(())
}

/// The power of the number of armies with which CPU time grows.
fn exponent(first: &Measure, last: &Measure) -> f64 {
    let ratio = |a: u64, b: u64| (b.max(1) as f64 / a.max(1) as f64).ln();
    ratio(first.cpu_milliseconds, last.cpu_milliseconds) / ratio(first.armies.into(), last.armies.into())
}

fn rows(measures: &[Measure]) -> Vec<Vec<String>> {
    let head = [
        "armies",
        "realms",
        "CPU s",
        "wall s",
        "peak MB",
        "armies/CPU s",
        "events",
        "report MB",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for measure in measures {
        let seconds = |milliseconds: u64| format!("{:.2}", milliseconds as f64 / 1_000.0);
        rows.push(vec![
            measure.armies.to_string(),
            measure.realms.to_string(),
            seconds(measure.cpu_milliseconds),
            seconds(measure.wall_milliseconds),
            format!("{:.0}", measure.peak_kilobytes as f64 / 1_024.0),
            format!(
                "{:.0}",
                f64::from(measure.armies) * 1_000.0 / measure.cpu_milliseconds.max(1) as f64
            ),
            measure.events.to_string(),
            format!("{:.1}", measure.report_bytes as f64 / 1_048_576.0),
        ]);
    }
    rows
}

/// A fresh process, so that the peak of its memory is that of this size alone.
fn in_a_process_of_its_own(game: &str, armies: u32) -> anyhow::Result<Measure> {
    let program = std::env::current_exe().context("own program")?;
    let output = Command::new(program)
        .args(["bench", game, "--json", "--armies", &armies.to_string()])
        .output()
        .context("measuring in a process of its own")?;
    if !output.status.success() {
        anyhow::bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn measure(game: &dyn AnyGame, armies: u32) -> anyhow::Result<Measure> {
    let secret = WorldSecret(blake3_of(armies));
    let world = game
        .bench_world(armies, &secret.step(0))?
        .ok_or_else(|| HostError::Malformed(format!("{} has no world for measuring", game.name())))?;
    let step = game.open_step(&world.state)?;
    let realms = world.files.len();
    let input = StoredInput {
        files: world.files,
        ..StoredInput::default()
    };
    let (cpu, wall) = (cpu_milliseconds(), Instant::now());
    let mut counter = Counter(0);
    let result = game.run(
        &world.state,
        Digest::default(),
        &input,
        &secret.step(step.number),
        &mut |_, view| {
            press::report(game, view, Format::Text, Lang::De, &mut counter)
                .map_err(|error| GameError::Broken(error.to_string()))
        },
    )?;
    Ok(Measure {
        armies,
        realms,
        events: result.events,
        report_bytes: counter.0,
        wall_milliseconds: u64::try_from(wall.elapsed().as_millis()).unwrap_or(u64::MAX),
        cpu_milliseconds: cpu_milliseconds().saturating_sub(cpu),
        peak_kilobytes: peak_kilobytes(),
    })
}

fn blake3_of(armies: u32) -> [u8; 32] {
    Digest::of(&armies.to_le_bytes()).0
}

/// Counts what would be written: a measurement of the game, not of the disk.
struct Counter(u64);

impl std::io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// CPU time of this process so far, where the system tells it.
fn cpu_milliseconds() -> u64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The second field is the program's name in brackets and may hold blanks.
    let fields = text.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks: u64 = fields
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<u64>().ok())
        .sum();
    // A tick is a hundredth of a second on every Linux.
    ticks * 10
}

/// Largest memory of this process so far, where the system tells it.
fn peak_kilobytes() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}
