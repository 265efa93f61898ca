//! What `cargo xtask test` runs, in order: the quick and frequent mistakes first.

use crate::install;
use crate::kill::{self, Plan};
use crate::postgres::Server;
use crate::run::{Tally, cargo, output, root, tallied};
use crate::takeover;
use anyhow::Context as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// How much the bounded campaigns of `test` do; `soak` does more.
const CAMPAIGNS: [(&str, u32); 3] = [("leaks", 20), ("replays", 50), ("mutants", 10_000)];

/// Kills of a running turn in `test`.
const KILLS: u32 = 20;

/// Kills of one of three processes on PostgreSQL in `test`.
const TAKEOVERS: u32 = 5;

/// Runs everything and ends with the line `N passed, N failed`.
pub fn test() -> anyhow::Result<bool> {
    let begin = Instant::now();
    std::env::set_current_dir(root()?)?;
    let mut all = Tally::default();
    let mut part = |name: &str, run: &mut dyn FnMut() -> anyhow::Result<Tally>| {
        let begin = Instant::now();
        println!("== {name}");
        let tally = run().unwrap_or_else(|error| {
            println!("{name}: {error:#}");
            Tally::one(false)
        });
        println!("-- {name}: {tally} ({} s)\n", begin.elapsed().as_secs());
        all = all.plus(tally);
    };
    part("tools", &mut tools);
    part("format", &mut || tallied(cargo().args(["fmt", "--all", "--check"])));
    part("lints", &mut || {
        tallied(cargo().args([
            "clippy",
            "--quiet",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ]))
    });
    let mut built = Err(anyhow::anyhow!("nothing was built"));
    part("build", &mut || {
        built = Built::by_cargo();
        Ok(Tally::one(built.is_ok()))
    });
    let built = match built {
        Ok(built) => built,
        Err(error) => {
            println!("{error:#}\n{all}");
            return Ok(false);
        }
    };
    part("tests", &mut || {
        tallied(cargo().args(["test", "--quiet", "--workspace", "--no-fail-fast"]))
    });
    // The same tests of the store, on the other database.
    part("tests on PostgreSQL", &mut || built.host_tests_on_postgres());
    // Everything below drives the program itself, as the tests built it.
    let program = built.program;
    // Plays every scenario once, sums up, and compares what they showed with the catalogue.
    part("scenarios and coverage", &mut || {
        tallied(Command::new(&program).args(["rules", "coverage"]))
    });
    for (campaign, count) in CAMPAIGNS {
        part(campaign, &mut || {
            tallied(&mut self::campaign(&program, campaign, count))
        });
    }
    part("kills", &mut || kills(&program, KILLS));
    part("kills on PostgreSQL", &mut || takeovers(&program, TAKEOVERS));
    part("browser", &mut || tallied(&mut browser_tests(&program, &[], None)?));
    println!("{} s in all", begin.elapsed().as_secs());
    println!("{all}");
    Ok(all.failed == 0)
}

/// Which rules the scenarios cover.
pub fn coverage(games: &[&str]) -> anyhow::Result<bool> {
    std::env::set_current_dir(root()?)?;
    let program = program(false)?;
    Ok(Command::new(program)
        .args(["rules", "coverage"])
        .args(games)
        .status()?
        .success())
}

/// Only the kills.
pub fn kill(count: u32) -> anyhow::Result<bool> {
    std::env::set_current_dir(root()?)?;
    let tally = kills(&program(false)?, count)?;
    println!("{tally}");
    Ok(tally.failed == 0)
}

/// Only the kills on PostgreSQL.
pub fn kill_postgres(count: u32) -> anyhow::Result<bool> {
    std::env::set_current_dir(root()?)?;
    let tally = takeovers(&program(false)?, count)?;
    println!("{tally}");
    Ok(tally.failed == 0)
}

/// Names of the rule books.
const GAMES: [&str; 3] = ["thoramar", "pygma-isis", "armageddon"];

/// The games of which the program makes worlds.
pub fn games(program: &Path) -> anyhow::Result<Vec<String>> {
    let folder = std::env::temp_dir().join(format!("briefwelt-games-{}", std::process::id()));
    let mut games = Vec::new();
    for game in GAMES {
        let mut make = Command::new(program);
        make.arg("--data").arg(&folder);
        make.args(["world", "new", "--game", game, "--name", game, "--computer", "3"]);
        match output(&mut make) {
            Ok(_) => games.push(game.to_owned()),
            Err(error) => println!("no worlds of {game}: {error:#}"),
        }
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(games)
}

fn takeovers(program: &Path, count: u32) -> anyhow::Result<Tally> {
    let report = takeover::takeover(program, &games(program)?, count)?;
    println!("{report}");
    Ok(Tally::one(report.faults.is_empty()))
}

/// A campaign of the program.
pub fn campaign(program: &Path, name: &str, count: u32) -> Command {
    let mut command = Command::new(program);
    command.args(["campaign", name, "--count", &count.to_string()]);
    command
}

/// Only the browser tests; with their pictures if they are wanted.
pub fn browser(files: &[&str], pictures: bool) -> anyhow::Result<bool> {
    let root = root()?;
    let pictures = pictures.then(|| root.join("docs/pictures"));
    std::env::set_current_dir(root)?;
    let tally = tallied(&mut browser_tests(&program(false)?, files, pictures.as_deref())?)?;
    Ok(tally.failed == 0 && tally.passed > 0)
}

/// The command that plays games in a browser.
fn browser_tests(program: &Path, files: &[&str], pictures: Option<&Path>) -> anyhow::Result<Command> {
    let chromium = install::chromium()?;
    let folder = install::browser_tests()?;
    let mut command = Command::new("node");
    command
        .arg(folder.join("run.mjs"))
        .arg(program)
        .args(files)
        .env("CHROMIUM", chromium);
    if let Some(pictures) = pictures {
        command.env("BRIEFWELT_PICTURES", pictures);
    }
    Ok(command)
}

fn kills(program: &Path, count: u32) -> anyhow::Result<Tally> {
    let mut all = Tally::default();
    for game in games(program)? {
        let report = kill::kill(&Plan {
            program: program.to_owned(),
            game,
            count,
            folder: root()?.join("target/kill"),
        })?;
        println!("{report}");
        all = all.plus(Tally::one(report.faults.is_empty()));
    }
    Ok(all)
}

/// What the tests need beside Rust itself: nothing yet but two of its own tools, which are fetched if they are missing.
fn tools() -> anyhow::Result<Tally> {
    for (tool, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if output(cargo().args([tool, "--version"])).is_err() {
            println!("{component} is missing: rustup component add {component}");
            output(Command::new("rustup").args(["component", "add", component]))
                .with_context(|| format!("{component} is missing and could not be installed"))?;
        }
    }
    Ok(Tally::one(true))
}

/// Builds the program and tells where it lies.
pub fn program(release: bool) -> anyhow::Result<PathBuf> {
    // One that was built elsewhere can be put to the same tests.
    if let Some(program) = std::env::var_os("BRIEFWELT_PROGRAM") {
        return Ok(program.into());
    }
    let mut build = cargo();
    build.args(["build", "--quiet", "--message-format=json-render-diagnostics"]);
    // The whole workspace has the features the tests were built with: nothing is compiled twice.
    build.args(if release {
        ["--release", "--package=briefwelt"].as_slice()
    } else {
        ["--workspace"].as_slice()
    });
    let messages = output(&mut build)?;
    let found = messages
        .lines()
        .filter(|line| line.contains(r#""name":"briefwelt""#))
        .find_map(executable);
    found.context("cargo did not say where the program lies")
}

/// The path behind `"executable":` in a message of cargo about the program.
fn executable(message: &str) -> Option<PathBuf> {
    let value: serde_json::Value = serde_json::from_str(message).ok()?;
    let bin = value["target"]["kind"].as_array()?.iter().any(|kind| kind == "bin");
    let path = value["executable"].as_str()?;
    (bin && value["target"]["name"] == "briefwelt" && value["profile"]["test"] == false).then(|| PathBuf::from(path))
}

/// What is built once for the whole suite. Cargo asked for one package alone would choose other features and compile again.
struct Built {
    program: PathBuf,
    host_tests: Vec<PathBuf>,
}

impl Built {
    fn by_cargo() -> anyhow::Result<Self> {
        let mut build = cargo();
        build.args(["test", "--quiet", "--workspace", "--no-run"]);
        let messages = output(build.arg("--message-format=json-render-diagnostics"))?;
        let host = root()?.join("crates/host");
        let built = Self {
            program: messages
                .lines()
                .find_map(executable)
                .context("cargo did not say where the program lies")?,
            host_tests: messages.lines().filter_map(|line| test_of(line, &host)).collect(),
        };
        anyhow::ensure!(
            !built.host_tests.is_empty(),
            "cargo did not say where the tests of the host lie"
        );
        Ok(built)
    }

    fn host_tests_on_postgres(&self) -> anyhow::Result<Tally> {
        let server = Server::start()?;
        let url = server.database("test")?;
        let mut all = Tally::default();
        for test in &self.host_tests {
            let mut command = Command::new(test);
            command.arg("--quiet").env("BRIEFWELT_TEST_POSTGRES", &url);
            command.current_dir(root()?.join("crates/host"));
            all = all.plus(tallied(&mut command)?);
        }
        Ok(all)
    }
}

/// The tests of the package in a folder, if cargo's message is about them.
fn test_of(message: &str, package: &Path) -> Option<PathBuf> {
    let value: serde_json::Value = serde_json::from_str(message).ok()?;
    let source = Path::new(value["target"]["src_path"].as_str()?);
    let path = value["executable"].as_str()?;
    (source.starts_with(package) && value["profile"]["test"] == true).then(|| PathBuf::from(path))
}
