//! `briefwelt bench`

use crate::cli::{self, Cli};
use crate::complaint::Complaint;
use crate::output::{bar, say, table, tell};
use crate::words::Words;
use anyhow::Context as _;
use games::games;
use host::HostError;
use kernel::any::{AnyGame, Checked, GameError};
use kernel::codec::Digest;
use kernel::dice::WorldSecret;
use kernel::game::BenchSize;
use kernel::limits;
use kernel::realm::{RealmId, Viewer};
use render::locale::{Language, Wording};
use render::text::TextSink;
use serde::{Deserialize, Serialize};
use std::process::Command;
use std::time::Instant;

/// Battles of a measurement of ARMAGEDDON.
const BATTLES: u32 = 200;

/// Sizes of the usual measurement.
const SIZES: [u32; 4] = [1_000, 10_000, 50_000, 200_000];

/// How often each size is measured: the quickest counts, because whatever disturbs a measurement only makes it longer.
const TIMES: usize = 5;

/// One measurement.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Measure {
    armies: u32,
    realms: usize,
    events: usize,
    report_bytes: u64,
    wall_milliseconds: u64,
    cpu_milliseconds: u64,
    /// CPU time of copying as many bytes as the reports have, and nothing else.
    copy_milliseconds: u64,
    peak_kilobytes: u64,
}

/// Carries out `briefwelt bench`.
pub fn run(cli: &Cli, command: &cli::Bench) -> anyhow::Result<()> {
    // A battle has no armies by the thousand: its measure is how many are fought in a second.
    if command.game.eq_ignore_ascii_case("armageddon") {
        return super::battle::bench(cli, u64::from(command.armies.unwrap_or(BATTLES)));
    }
    let games = games();
    let game = games
        .iter()
        .find(|game| game.name().eq_ignore_ascii_case(&command.game))
        .ok_or_else(|| HostError::UnknownGame {
            name: command.game.clone(),
            known: games.iter().map(|game| game.name()).collect::<Vec<_>>().join(", "),
        })?;
    if command.check {
        return check(cli, &**game);
    }
    if let Some(armies) = command.armies {
        let measure = measure(&**game, armies)?;
        return tell(cli, &measure, || {
            table(&rows(Words::of(cli), std::slice::from_ref(&measure)))
        });
    }
    let progress = bar((SIZES.len() * TIMES) as u64, &Words::of(cli).t("doing-bench"));
    let mut measures: Vec<Measure> = Vec::new();
    // In rounds, so that a busy minute does not fall on one size alone.
    for _ in 0..TIMES {
        for (index, armies) in SIZES.into_iter().enumerate() {
            let measure = in_a_process_of_its_own(&command.game, armies)?;
            match measures.get_mut(index) {
                Some(best) if best.cpu_milliseconds <= measure.cpu_milliseconds => {}
                Some(best) => *best = measure,
                None => measures.push(measure),
            }
            progress.inc(1);
        }
    }
    progress.finish_and_clear();
    tell(cli, &measures, || table(&rows(Words::of(cli), &measures)))?;
    if !cli.json {
        for pair in measures.windows(2).skip(1) {
            if let [first, last] = pair {
                let time = exponent(first, last, |measure| measure.cpu_milliseconds);
                let bytes = exponent(first, last, |measure| measure.report_bytes);
                say(Words::of(cli).with(
                    "bench-growth",
                    &[
                        ("from", &first.armies),
                        ("to", &last.armies),
                        ("time", &format_args!("{time:.3}")),
                        ("bytes", &format_args!("{bytes:.3}")),
                    ],
                ))?;
            }
        }
    }
    Ok(())
}

/// The power of the number of armies with which something measured grows.
fn exponent(first: &Measure, last: &Measure, what: impl Fn(&Measure) -> u64) -> f64 {
    power((what(first), what(last)), (first.armies.into(), last.armies.into()))
}

/// The power of a size with which a time grows.
fn power(times: (u64, u64), sizes: (u64, u64)) -> f64 {
    let growth = |(a, b): (u64, u64)| (b.max(1) as f64 / a.max(1) as f64).ln();
    growth(times) / growth(sizes)
}

/// The names of columns: one text, parted by strokes.
fn head(words: Words, key: &str) -> Vec<String> {
    words.t(key).split('|').map(|name| name.trim().to_owned()).collect()
}

fn rows(words: Words, measures: &[Measure]) -> Vec<Vec<String>> {
    let mut rows = vec![head(words, "bench-head")];
    for measure in measures {
        let seconds = |milliseconds: u64| format!("{:.2}", milliseconds as f64 / 1_000.0);
        rows.push(vec![
            measure.armies.to_string(),
            measure.realms.to_string(),
            seconds(measure.cpu_milliseconds),
            seconds(measure.wall_milliseconds),
            format!("{:.0}", measure.peak_kilobytes as f64 / 1_024.0),
            seconds(measure.copy_milliseconds),
            format!(
                "{:.0}",
                f64::from(measure.armies) * 1_000.0 / measure.cpu_milliseconds.max(1) as f64
            ),
            // What grows faster than the armies is more work, not slower work: realms at the poles have fewer neighbours to tell of.
            format!("{:.2}", measure.events as f64 / f64::from(measure.armies.max(1))),
            format!("{:.1}", measure.report_bytes as f64 / 1_048_576.0),
            (measure.report_bytes / u64::from(measure.armies.max(1))).to_string(),
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
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(Complaint::new("bench-failed").with("why", why.trim()).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn measure(game: &dyn AnyGame, armies: u32) -> anyhow::Result<Measure> {
    let secret = WorldSecret(blake3_of(armies));
    let world = game
        .bench_world(
            BenchSize {
                armies,
                armies_each: 100,
            },
            &secret.step(0),
        )?
        .ok_or_else(|| Complaint::new("no-bench").with("game", game.name()))?;
    let step = game.open_step(&world.state)?;
    let realms = world.files.len();
    let (cpu, wall) = (own_cpu_milliseconds(), Instant::now());
    let mut counter = Counter(0);
    let mut sink = TextSink::new(Wording::of(game.name(), Language::German), &mut counter);
    let secret = secret.step(step.number);
    // Reading the world, the turn, every report and writing the world: what a game master waits for.
    let result = game.run_and_report(world, Digest::default(), &secret, &mut |_, write| {
        write(&mut sink);
        sink.next_report().map_err(|error| GameError::Broken(error.to_string()))
    })?;
    sink.finish().context("counting cannot fail")?;
    let (cpu, wall) = (own_cpu_milliseconds().saturating_sub(cpu), wall.elapsed());
    Ok(Measure {
        armies,
        realms,
        events: result.events,
        report_bytes: counter.0,
        wall_milliseconds: u64::try_from(wall.as_millis()).unwrap_or(u64::MAX),
        cpu_milliseconds: cpu,
        copy_milliseconds: copying(counter.0),
        peak_kilobytes: peak_kilobytes(),
    })
}

/// Armies of the realms whose order files are checked: about as many orders each.
const CHECKED: [u32; 4] = [100, 200, 400, 800];
/// Armies of the world they live in.
const CHECKED_WORLD: u32 = 8_000;
/// Every file is checked so many times; the middle one counts.
const ROUNDS: usize = 15;
/// Files of one line over and over are checked at these parts of the largest size, and fewer times.
const PARTS: [usize; 3] = [4, 2, 1];
const FEW_ROUNDS: usize = 3;

/// How long order files take to check.
#[derive(Clone, Debug, Serialize)]
struct CheckMeasures {
    /// Sound files with ever more orders.
    files: Vec<CheckMeasure>,
    /// The smallest of these files in ever larger worlds.
    worlds: Vec<WorldMeasure>,
    /// Files of a single line over and over, up to the largest that are read.
    floods: Vec<FloodMeasure>,
}

/// How long an order file takes to check.
#[derive(Clone, Debug, Serialize)]
struct CheckMeasure {
    orders: usize,
    findings: usize,
    view_bytes: usize,
    microseconds: u64,
}

/// How long an order file takes to check in a world with so many armies.
#[derive(Clone, Debug, Serialize)]
struct WorldMeasure {
    armies: u32,
    microseconds: u64,
}

/// How long files of one line over and over take, at each of [`PARTS`] of the largest size.
#[derive(Clone, Debug, Serialize)]
struct FloodMeasure {
    line: String,
    microseconds: Vec<u64>,
}

/// Checks the first order file of worlds with ever larger realms, as `briefwelt turn check` does it: from the stored view. Then
/// files that somebody might send to keep the host busy.
fn check(cli: &Cli, game: &dyn AnyGame) -> anyhow::Result<()> {
    let words = Words::of(cli);
    let mut files = Vec::new();
    for armies_each in CHECKED {
        let desk = CheckDesk::new(game, CHECKED_WORLD, armies_each)?;
        files.push(desk.measure_file()?);
    }
    let mut worlds = Vec::new();
    for armies in SIZES {
        let measure = CheckDesk::new(game, armies, CHECKED[0])?.measure_file()?;
        let microseconds = measure.microseconds;
        worlds.push(WorldMeasure { armies, microseconds });
    }
    let desk = CheckDesk::new(game, CHECKED_WORLD, CHECKED[0])?;
    let floods = floods(game);
    let progress = bar(floods.len() as u64, &words.t("doing-bench-check"));
    let floods = floods.into_iter().map(|(opening, line)| {
        progress.inc(1);
        desk.measure_flood(&opening, line)
    });
    let measures = CheckMeasures {
        files,
        worlds,
        floods: floods.collect::<anyhow::Result<_>>()?,
    };
    progress.finish_and_clear();
    tell(cli, &measures, || {
        let growth = match (measures.files.first(), measures.files.last()) {
            (Some(first), Some(last)) => power(
                (first.microseconds, last.microseconds),
                (first.orders as u64, last.orders as u64),
            ),
            _ => 0.0,
        };
        let orders = measures.files.first().map_or(0, |file| file.orders);
        let kilobytes = limits::ORDER_FILE_BYTES / 1024;
        [
            table(&check_rows(words, &measures.files)),
            words.with("bench-check-growth", &[("growth", &format_args!("{growth:.2}"))]),
            format!("\n\n{}\n", words.with("bench-check-worlds", &[("orders", &orders)])),
            table(&world_rows(words, &measures.worlds)),
            format!("\n{}\n", words.with("bench-check-floods", &[("kilobytes", &kilobytes)])),
            table(&flood_rows(words, &measures.floods)),
        ]
        .concat()
    })
}

fn milliseconds(microseconds: u64) -> String {
    format!("{:.1}", microseconds as f64 / 1_000.0)
}

fn check_rows(words: Words, files: &[CheckMeasure]) -> Vec<Vec<String>> {
    let mut rows = vec![head(words, "bench-check-head")];
    rows.extend(files.iter().map(|measure| {
        vec![
            measure.orders.to_string(),
            milliseconds(measure.microseconds),
            format!("{:.1}", measure.microseconds as f64 / measure.orders.max(1) as f64),
            measure.findings.to_string(),
            (measure.view_bytes / 1024).to_string(),
        ]
    }));
    rows
}

fn world_rows(words: Words, worlds: &[WorldMeasure]) -> Vec<Vec<String>> {
    let head = head(words, "bench-worlds-head");
    let row = |world: &WorldMeasure| vec![world.armies.to_string(), milliseconds(world.microseconds)];
    [head].into_iter().chain(worlds.iter().map(row)).collect()
}

fn flood_rows(words: Words, floods: &[FloodMeasure]) -> Vec<Vec<String>> {
    let parts = PARTS.map(|part| match part {
        1 => words.t("bench-whole"),
        _ => format!("ms 1/{part}"),
    });
    let head = [words.t("bench-line")].into_iter().chain(parts);
    let mut rows = vec![head.chain([words.t("bench-exponent")]).collect()];
    for flood in floods {
        let (first, last) = (flood.microseconds.first(), flood.microseconds.last());
        let growth = power(
            (first.copied().unwrap_or(0), last.copied().unwrap_or(0)),
            (1, PARTS[0] as u64),
        );
        let times = flood.microseconds.iter().map(|time| milliseconds(*time));
        let row = [flood.line.clone()].into_iter().chain(times);
        rows.push(row.chain([format!("{growth:.2}")]).collect());
    }
    rows
}

/// Every example of an order behind the opening of its section, right and misspelt, and what is no order at all.
fn floods(game: &dyn AnyGame) -> Vec<(String, String)> {
    let mut floods = ["x", "$", "#1", "\u{7}"]
        .map(|line| (String::new(), line.to_owned()))
        .to_vec();
    for form in game.order_forms() {
        let Some(right) = form.examples.first() else { continue };
        let misspelt: String = right
            .chars()
            .take(1)
            .chain(['q'])
            .chain(right.chars().skip(1))
            .collect();
        floods.extend([(*right).to_owned(), misspelt].map(|line| (form.opening.clone(), line)));
    }
    floods
}

/// The view of a realm with so many armies, and its order file.
struct CheckDesk<'a> {
    game: &'a dyn AnyGame,
    view: Vec<u8>,
    file: Vec<u8>,
}

impl<'a> CheckDesk<'a> {
    fn new(game: &'a dyn AnyGame, armies: u32, armies_each: u32) -> anyhow::Result<Self> {
        let secret = WorldSecret(blake3_of(armies_each));
        let size = BenchSize { armies, armies_each };
        let mut world = game
            .bench_world(size, &secret.step(0))?
            .ok_or_else(|| Complaint::new("no-bench").with("game", game.name()))?;
        let realm = RealmId(1);
        let mut view = Vec::new();
        game.first_views(&world.state, &mut |viewer, bytes| {
            if viewer == Viewer::Realm(realm) {
                view = bytes.to_vec();
            }
            Ok(())
        })?;
        let file = world.files.remove(&realm).context("the first realm has orders")?;
        Ok(Self { game, view, file })
    }

    /// What checking a file finds, and the middle of the times it takes.
    fn time(&self, file: &[u8], rounds: usize) -> anyhow::Result<(Checked, u64)> {
        let mut times = Vec::new();
        let mut checked = self.game.check(&self.view, file)?;
        for _ in 0..rounds {
            let start = Instant::now();
            checked = self.game.check(&self.view, file)?;
            times.push(u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX));
        }
        times.sort_unstable();
        Ok((checked, times.get(rounds / 2).copied().unwrap_or(0)))
    }

    fn measure_file(&self) -> anyhow::Result<CheckMeasure> {
        let (checked, microseconds) = self.time(&self.file, ROUNDS)?;
        Ok(CheckMeasure {
            orders: checked.orders,
            findings: checked.diagnostics.len(),
            view_bytes: self.view.len(),
            microseconds,
        })
    }

    fn measure_flood(&self, opening: &str, line: String) -> anyhow::Result<FloodMeasure> {
        let mut microseconds = Vec::new();
        for part in PARTS {
            let room = (limits::ORDER_FILE_BYTES / part).saturating_sub(opening.len() + 1);
            let flood = format!("{line}\n").repeat(room / (line.len() + 1));
            let (_, time) = self.time(format!("{opening}\n{flood}").as_bytes(), FEW_ROUNDS)?;
            microseconds.push(time);
        }
        let line = format!("{opening} {}", line.escape_debug());
        Ok(FloodMeasure {
            line: line.trim().to_owned(),
            microseconds,
        })
    }
}

/// CPU time of copying so many bytes through a buffer like that of a report, a line of 40 bytes at a time: the floor under every
/// report writer.
fn copying(bytes: u64) -> u64 {
    let line = [b'-'; 40];
    let start = own_cpu_milliseconds();
    let mut counter = Counter(0);
    let mut buffer = Vec::with_capacity(64 * 1024);
    while counter.0 < bytes {
        buffer.clear();
        while buffer.len() + line.len() <= buffer.capacity() {
            buffer.extend_from_slice(std::hint::black_box(&line));
        }
        counter.0 += buffer.len() as u64;
    }
    own_cpu_milliseconds().saturating_sub(start)
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

/// CPU time of this thread so far, where the system tells it. That of the whole process comes in hundredths of a second, and of several
/// short runs the quickest would be the one that rounding favours: the growth from a small world to a large one would seem steeper
/// than it is.
fn own_cpu_milliseconds() -> u64 {
    // The account of a running thread is brought up to date when it gives way.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text
        .split_whitespace()
        .next()
        .and_then(|field| field.parse::<u64>().ok());
    nanoseconds.map_or_else(cpu_milliseconds, |nanoseconds| nanoseconds / 1_000_000)
}

/// CPU time of this process so far, all its threads together, where the system tells it.
pub(super) fn cpu_milliseconds() -> u64 {
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
