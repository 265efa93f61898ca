//! `cargo xtask load`: the last minute before a deadline, on both databases.

use crate::postgres;
use crate::run::{cargo, output, root};
use crate::suite;
use anyhow::{Context as _, ensure};
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where the tables stand.
const PAGE: &str = "docs/performance.md";
/// What stands above the tables.
const BEGIN: &str = "<!-- cargo xtask load --write: from here -->\n";
/// What stands below them.
const END: &str = "<!-- to here -->\n";

/// How much.
pub struct Plan {
    /// Players who hand in.
    pub players: usize,
    /// Seconds in which they do.
    pub seconds: u64,
    /// Whether program and client are optimised.
    pub release: bool,
    /// Whether the tables go into the documentation.
    pub write: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            players: 2_000,
            seconds: 60,
            release: true,
            write: false,
        }
    }
}

/// What a storm said, and whether no request failed.
struct Told {
    lines: Vec<String>,
    good: bool,
}

/// Runs the storm on both databases; true if no request failed.
pub fn load(plan: &Plan) -> anyhow::Result<bool> {
    let root = root()?;
    std::env::set_current_dir(&root)?;
    let program = suite::program(plan.release)?;
    let client = client(plan.release)?;
    let server = postgres::Server::start()?;
    let url = server.database("load")?;
    let mut text = format!(
        "\n{} players in {} seconds, commit {}, {} cores.\n",
        plan.players,
        plan.seconds,
        output(Command::new("git").args(["rev-parse", "--short", "HEAD"]))
            .unwrap_or_default()
            .trim(),
        std::thread::available_parallelism().map_or(1, usize::from),
    );
    let mut good = true;
    for (name, database) in [("SQLite", "-"), ("PostgreSQL", url.as_str())] {
        println!("\n{name}: {} players in {} seconds", plan.players, plan.seconds);
        let told = storm(plan, &program, &client, database)?;
        good &= told.good;
        let state = if told.good { "" } else { " (failed)" };
        let _ = writeln!(text, "\n### {name}{state}\n");
        for line in told.lines {
            text += &line;
            text.push('\n');
        }
    }
    if plan.write {
        let page = root.join(PAGE);
        let before = std::fs::read_to_string(&page)?;
        std::fs::write(&page, written(&before, &text)?)?;
        println!("{PAGE} is written");
    }
    Ok(good)
}

/// The page with other tables.
fn written(page: &str, tables: &str) -> anyhow::Result<String> {
    let (before, rest) = page
        .split_once(BEGIN)
        .with_context(|| format!("{PAGE} does not say where the tables begin"))?;
    let (_, after) = rest
        .split_once(END)
        .with_context(|| format!("{PAGE} does not say where the tables end"))?;
    Ok(format!("{before}{BEGIN}{tables}\n{END}{after}"))
}

/// Builds the client and tells where it lies.
fn client(release: bool) -> anyhow::Result<PathBuf> {
    let mut build = cargo();
    build.args(["build", "--quiet", "--package=briefwelt", "--example=load"]);
    if release {
        build.arg("--release");
    }
    build.arg("--message-format=json-render-diagnostics");
    let messages = output(&mut build)?;
    let executable = |line: &str| -> Option<PathBuf> {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        let path = message["executable"].as_str()?;
        (message["target"]["name"] == "load").then(|| path.into())
    };
    let found = messages.lines().find_map(executable);
    found.context("cargo did not say where the client lies")
}

fn storm(plan: &Plan, program: &Path, client: &Path, database: &str) -> anyhow::Result<Told> {
    let folder = std::env::temp_dir().join(format!("briefwelt-load-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let mut child = Command::new(client)
        .arg(program)
        .arg(&folder)
        .arg(database)
        .arg(plan.players.to_string())
        .arg(plan.seconds.to_string())
        .stdout(Stdio::piped())
        .spawn()?;
    let out = child.stdout.take().context("the client says nothing")?;
    let mut lines = Vec::new();
    for line in BufReader::new(out).lines() {
        let line = line?;
        println!("{line}");
        lines.push(line);
    }
    let good = child.wait()?.success();
    ensure!(good || !lines.is_empty(), "the client ended before it said anything");
    let _ = std::fs::remove_dir_all(&folder);
    Ok(Told { lines, good })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_replace_those_before_and_nothing_else() {
        let page = format!("# Top\n{BEGIN}old\n{END}below\n");
        let once = written(&page, "new\n").expect("marks");
        assert_eq!(once, format!("# Top\n{BEGIN}new\n\n{END}below\n"));
        assert_eq!(written(&once, "new\n").expect("marks"), once);
        assert!(written("# Top\n", "new\n").is_err());
    }
}
