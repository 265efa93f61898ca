//! Running other programs, watching what they say.

use anyhow::{Context as _, bail};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder of the workspace.
pub fn root() -> anyhow::Result<PathBuf> {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").context("run this as `cargo xtask`")?;
    let root = Path::new(&manifest).parent().context("xtask lies in the workspace")?;
    Ok(root.to_owned())
}

/// Cargo as it was called.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// How often something passed and failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// What passed.
    pub passed: u64,
    /// What failed.
    pub failed: u64,
}

impl Tally {
    /// One thing that passed or failed.
    pub fn one(passed: bool) -> Self {
        Self {
            passed: u64::from(passed),
            failed: u64::from(!passed),
        }
    }

    /// Both together.
    pub fn plus(self, other: Self) -> Self {
        Self {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
        }
    }

    /// Reads the line in which cargo's test harness or the scenario runner sums up.
    pub fn read(line: &str) -> Option<Self> {
        let line = match line.strip_prefix("test result: ") {
            Some(rest) => rest.split_once(". ")?.1,
            None => line,
        };
        let mut words = line.split([' ', ',', ';']).filter(|word| !word.is_empty());
        let passed = words.next()?.parse().ok()?;
        if words.next()? != "passed" {
            return None;
        }
        let failed = words.next()?.parse().ok()?;
        (words.next()? == "failed").then_some(Self { passed, failed })
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

/// Runs a program, shows what it says and adds up the lines in which it sums up. A program that sums nothing up counts as one.
///
/// A program that fails although it says that nothing did counts as one failure more.
pub fn tallied(command: &mut Command) -> anyhow::Result<Tally> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("starting {:?}", command.get_program()))?;
    let mut sum: Option<Tally> = None;
    if let Some(stdout) = child.stdout.take() {
        let mut out = std::io::stdout();
        for line in BufReader::new(stdout).split(b'\n') {
            let line = String::from_utf8_lossy(&line?).into_owned();
            if let Some(tally) = Tally::read(line.trim()) {
                sum = Some(sum.unwrap_or_default().plus(tally));
            }
            writeln!(out, "{line}")?;
        }
    }
    let good = child.wait()?.success();
    Ok(match sum {
        Some(tally) if good || tally.failed > 0 => tally,
        Some(tally) => tally.plus(Tally::one(false)),
        None => Tally::one(good),
    })
}

/// Runs a program to its end and returns what it said; a failure is an error with its words.
pub fn output(command: &mut Command) -> anyhow::Result<String> {
    let output = command
        .output()
        .with_context(|| format!("starting {:?}", command.get_program()))?;
    if !output.status.success() {
        bail!(
            "{command:?} ended with {}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn sums_of_both_runners_are_read_and_nothing_else() {
        let sum = |passed, failed| Some(Tally { passed, failed });
        let cargo = "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.1s";
        assert_eq!(Tally::read(cargo), sum(12, 0));
        assert_eq!(
            Tally::read("test result: FAILED. 2 passed; 1 failed; 0 ignored"),
            sum(2, 1)
        );
        assert_eq!(Tally::read("230 passed, 4 failed"), sum(230, 4));
        assert_eq!(Tally::read("12 passed"), None);
        assert_eq!(Tally::read("test a_thing ... ok"), None);
    }
}
