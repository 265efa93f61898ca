//! Killing a running turn at any moment: afterwards the world is exactly before or exactly after it.

use crate::run::output;
use anyhow::{Context as _, ensure};
use serde_json::Value;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What to do.
pub struct Plan {
    /// The program.
    pub program: PathBuf,
    /// The game.
    pub game: String,
    /// How often to kill.
    pub count: u32,
    /// A folder for the worlds.
    pub folder: PathBuf,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Report {
    /// The game.
    pub game: String,
    /// Kills after which the world was before the turn.
    pub before: u32,
    /// Kills after which the world was after the turn.
    pub after: u32,
    /// Turns that ended before they were killed.
    pub late: u32,
    /// How long a turn takes that nobody kills, in milliseconds.
    pub turn_milliseconds: u128,
    /// What was wrong.
    pub faults: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} kills within a turn of {} ms: {} times exactly before, {} exactly after, {} came too late, {} faults",
            self.game,
            self.before + self.after + self.late,
            self.turn_milliseconds,
            self.before,
            self.after,
            self.late,
            self.faults.len()
        )?;
        self.faults.iter().try_for_each(|fault| write!(f, "\n  {fault}"))
    }
}

/// Kills `plan.count` times.
pub fn kill(plan: &Plan) -> anyhow::Result<Report> {
    let _ = fs::remove_dir_all(&plan.folder);
    let base = plan.folder.join("base");
    fs::create_dir_all(&base)?;
    let on = |data: &Path| {
        let mut command = Command::new(&plan.program);
        command.arg("--data").arg(data);
        command
    };
    let game = plan.game.as_str();
    output(on(&base).args([
        "world",
        "new",
        "--name",
        "Kill",
        "--game",
        game,
        "--computer",
        "3",
        "--seed",
        "kill",
    ]))?;
    output(on(&base).args(["turn", "run"]))?;
    let shown: Value = serde_json::from_str(&output(on(&base).args(["world", "show", "--json"]))?)?;
    let open = shown["world"]["open_step"].as_u64().context("no open turn")?;
    // What the turn gives when nobody disturbs it.
    let calm = plan.folder.join("calm");
    copy(&base, &calm)?;
    let begin = Instant::now();
    let told = output(on(&calm).args(["turn", "run", "--json"]))?;
    let whole = begin.elapsed();
    let expected = text(&told, "digest")?;
    let mut report = Report {
        game: plan.game.clone(),
        turn_milliseconds: whole.as_millis(),
        ..Report::default()
    };
    for number in 0..plan.count {
        let data = plan.folder.join(format!("world-{number}"));
        copy(&base, &data)?;
        let mut child = on(&data)
            .args(["turn", "run"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        std::thread::sleep(moment(number, plan.count, whole));
        let late = child.try_wait()?.is_some();
        // On Unix this is SIGKILL: the program has no chance to put anything right.
        child.kill()?;
        child.wait()?;
        match judge(&on, &data, open, &expected) {
            Ok(_) if late => report.late += 1,
            Ok(true) => report.after += 1,
            Ok(false) => report.before += 1,
            Err(error) => {
                report
                    .faults
                    .push(format!("kill {number}: {error:#} (kept in {})", data.display()));
                continue;
            }
        }
        fs::remove_dir_all(&data)?;
    }
    if report.faults.is_empty() {
        fs::remove_dir_all(&plan.folder)?;
    }
    Ok(report)
}

/// Every other moment lies anywhere in the turn, the rest around its end, where everything is written.
fn moment(number: u32, count: u32, whole: Duration) -> Duration {
    let jitter = number.wrapping_mul(2_654_435_761) % 1_000;
    let part = (f64::from(number) + f64::from(jitter) / 1_000.0) / f64::from(count.max(1));
    whole.mul_f64(if number.is_multiple_of(2) {
        part
    } else {
        0.8 + 0.35 * part
    })
}

/// Whether the world is after the turn; anything but exactly before or exactly after is an error.
fn judge(on: &dyn Fn(&Path) -> Command, data: &Path, turn: u64, expected: &str) -> anyhow::Result<bool> {
    // Examines the database, the chain of digests and the seals, and runs every stored turn again.
    output(on(data).args(["verify", "--all"])).context("the world does not verify")?;
    let shown: Value = serde_json::from_str(&output(on(data).args(["world", "show", "--json"]))?)?;
    let open = shown["world"]["open_step"].as_u64();
    let turns = shown["turns"].as_array().context("no turns")?;
    let last = turns.last().context("no turns")?;
    ensure!(
        last["number"].as_u64().map(|last| last + 1) == open,
        "the open turn does not follow the last"
    );
    match open {
        Some(open) if open == turn => {
            let told = output(on(data).args(["turn", "run", "--json"])).context("the turn cannot be run afterwards")?;
            ensure!(
                text(&told, "digest")? == expected,
                "the turn gives something else after the kill"
            );
            Ok(false)
        }
        Some(open) if open == turn + 1 => {
            ensure!(last["digest"] == expected, "the turn was stored with another digest");
            let again = on(data).args(["turn", "run", "--turn", &turn.to_string()]).output()?;
            ensure!(again.status.code() == Some(4), "the turn was run twice");
            Ok(true)
        }
        other => anyhow::bail!("turn {other:?} is open"),
    }
}

fn text(json: &str, key: &str) -> anyhow::Result<String> {
    let value: Value = serde_json::from_str(json)?;
    Ok(value[key].as_str().with_context(|| format!("no {key}"))?.to_owned())
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}
