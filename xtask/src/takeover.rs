//! Three processes on one PostgreSQL run the turns of several worlds, of every game in turn; one of them is killed at any moment. Afterwards every
//! turn was run exactly once, with the same result as where nobody was killed.

use crate::postgres::Server;
use crate::run::output;
use anyhow::{Context as _, ensure};
use serde_json::Value;
use std::fmt;
use std::io::Read as _;
use std::ops::Range;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Worlds whose turns are due at once.
const WORLDS: [&str; 3] = ["Eins", "Zwei", "Drei"];
/// Processes that share the work.
const PROCESSES: usize = 3;
/// After so many milliseconds others take over from a killed process.
const LEASE: &str = "1500";

/// What came of it.
#[derive(Debug, Default)]
pub struct Report {
    /// Kills.
    pub kills: u32,
    /// Turns that were run.
    pub turns: u32,
    /// Jobs that somebody else took over.
    pub taken_over: u32,
    /// Processes that had ended before they were killed.
    pub late: u32,
    /// How long the work takes when nobody is killed, in milliseconds.
    pub calm_milliseconds: u128,
    /// What was wrong.
    pub faults: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} kills of one of {PROCESSES} processes within {} ms of work: {} turns, {} jobs taken over, {} kills came too \
             late, {} faults",
            self.kills,
            self.calm_milliseconds,
            self.turns,
            self.taken_over,
            self.late,
            self.faults.len()
        )?;
        self.faults.iter().try_for_each(|fault| write!(f, "\n  {fault}"))
    }
}

/// The program on one of the databases.
struct Site<'a> {
    program: &'a Path,
    games: &'a [String],
    url: String,
}

impl Site<'_> {
    fn on(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.program);
        command.args(arguments).env("BRIEFWELT_DATABASE", &self.url);
        command
    }

    fn json(&self, arguments: &[&str]) -> anyhow::Result<Value> {
        Ok(serde_json::from_str(&output(self.on(arguments).arg("--json"))?)?)
    }

    fn make_worlds(&self) -> anyhow::Result<()> {
        for (name, game) in WORLDS.into_iter().zip(self.games.iter().cycle()) {
            output(&mut self.on(&[
                "world",
                "new",
                "--name",
                name,
                "--game",
                game,
                "--computer",
                "3",
                "--seed",
                name,
            ]))?;
        }
        Ok(())
    }

    /// Makes a turn of every world due.
    fn make_due(&self) -> anyhow::Result<()> {
        for name in WORLDS {
            output(&mut self.on(&["turn", "deadline", "now", "--then", "always", "--world", name]))?;
        }
        Ok(())
    }

    fn worker(&self) -> anyhow::Result<Child> {
        let arguments = ["work", "--json", "--wait", "3", "--lease", LEASE];
        Ok(self
            .on(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?)
    }

    /// Number and digest of the last turn of a world, and how often the record says that it was run.
    fn last(&self, name: &str) -> anyhow::Result<(u64, String, usize)> {
        let shown = self.json(&["world", "show", "--audit", "--world", name])?;
        let last = shown["turns"]
            .as_array()
            .and_then(|turns| turns.last())
            .context("no turns")?;
        let number = last["number"].as_u64().context("no number")?;
        let digest = last["digest"].as_str().context("no digest")?.to_owned();
        let deed = format!("turn {number} digest ");
        let record = shown["audit"].as_array().context("no record")?;
        let times = record.iter().filter(|entry| entry.to_string().contains(&deed)).count();
        Ok((number, digest, times))
    }
}

/// Kills in the same worlds, before new ones are made: a battle comes to its end.
const KILLS_PER_WORLD: u32 = 5;

/// Kills `count` times.
pub fn takeover(program: &Path, games: &[String], count: u32) -> anyhow::Result<Report> {
    ensure!(!games.is_empty(), "there is no game to play");
    let mut report = Report::default();
    for first in (0..count).step_by(KILLS_PER_WORLD as usize) {
        let numbers = first..(first + KILLS_PER_WORLD).min(count);
        in_new_worlds(program, games, numbers, count, &mut report)?;
        if !report.faults.is_empty() {
            break;
        }
    }
    Ok(report)
}

fn in_new_worlds(
    program: &Path,
    games: &[String],
    numbers: Range<u32>,
    count: u32,
    report: &mut Report,
) -> anyhow::Result<()> {
    let server = Server::start()?;
    let disturbed = Site {
        program,
        games,
        url: server.database("disturbed")?,
    };
    let calm = Site {
        program,
        games,
        url: server.database("calm")?,
    };
    disturbed.make_worlds()?;
    calm.make_worlds()?;
    for number in numbers {
        let begin = Instant::now();
        for name in WORLDS {
            output(&mut calm.on(&["turn", "run", "--without-missing", "--world", name]))?;
        }
        let whole = begin.elapsed();
        report.calm_milliseconds = whole.as_millis();
        if let Err(error) = round(&disturbed, &calm, number, count, whole, report) {
            report.faults.push(format!("kill {number}: {error:#}"));
            break;
        }
    }
    for name in WORLDS {
        let verified = output(&mut disturbed.on(&["verify", "--all", "--world", name]));
        if let Err(error) = verified {
            report.faults.push(format!("{name} does not verify: {error:#}"));
        }
    }
    Ok(())
}

fn round(
    disturbed: &Site<'_>,
    calm: &Site<'_>,
    number: u32,
    count: u32,
    whole: Duration,
    report: &mut Report,
) -> anyhow::Result<()> {
    disturbed.make_due()?;
    let mut workers = Vec::new();
    for _ in 0..PROCESSES {
        workers.push(disturbed.worker()?);
    }
    let jitter = number.wrapping_mul(2_654_435_761) % 1_000;
    let part = (f64::from(number) + f64::from(jitter) / 1_000.0) / f64::from(count.max(1));
    std::thread::sleep(whole.mul_f64(part));
    let mut victim = workers.swap_remove(jitter as usize % PROCESSES);
    report.late += u32::from(victim.try_wait()?.is_some());
    // On Unix this is SIGKILL: the program has no chance to put anything right.
    victim.kill()?;
    victim.wait()?;
    report.kills += 1;
    for worker in workers {
        report.taken_over += finish(worker)?;
    }
    for name in WORLDS {
        let (turn, digest, times) = disturbed.last(name)?;
        let (expected_turn, expected, _) = calm.last(name)?;
        ensure!(turn == expected_turn, "{name}: turn {turn} in place of {expected_turn}");
        ensure!(
            digest == expected,
            "{name}: turn {turn} gave something else than where nobody was killed"
        );
        ensure!(
            times == 1,
            "{name}: the record says {times} times that turn {turn} was run"
        );
        report.turns += 1;
    }
    Ok(())
}

/// Waits for a process and counts the jobs that it took over.
fn finish(mut worker: Child) -> anyhow::Result<u32> {
    let mut said = String::new();
    if let Some(mut stdout) = worker.stdout.take() {
        stdout.read_to_string(&mut said)?;
    }
    let mut wrong = String::new();
    if let Some(mut stderr) = worker.stderr.take() {
        stderr.read_to_string(&mut wrong)?;
    }
    ensure!(worker.wait()?.success(), "a process that nobody killed failed: {wrong}");
    let mut taken_over = 0;
    for line in said.lines() {
        let done: Value = serde_json::from_str(line)?;
        taken_over += u32::from(done["job"]["attempts"].as_u64() > Some(1));
    }
    Ok(taken_over)
}
